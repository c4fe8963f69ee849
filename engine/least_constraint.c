#include "engine/least_constraint.h"

#include <string.h>
#include "nlp/short_vectors.h"

static void find_velocity(const FpLeastConstraint* c, const double* lambda) {
    memset(c->force, 0, (size_t)c->rows->system->v_count * sizeof *c->force);
    fp_rows_add_forces(c->rows, lambda, c->force);
    fp_mass_solve(c->mass, c->force, c->velocity);
}

double fp_least_constraint(const FpLeastConstraint* c, const double* lambda) {
    double sum = 0;
    find_velocity(c, lambda);
    for (int j = 0; j < c->rows->system->v_count; j++) sum += c->force[j] * c->velocity[j];
    return sum;
}

void fp_least_constraint_gradient(const FpLeastConstraint* c, const double* lambda, double* grad) {
    find_velocity(c, lambda);
    fp_rows_rates(c->rows, c->velocity, grad);
    for (int i = 0; i < c->rows->count; i++) grad[i] *= 2;
}

/* A part for every two groups of rows on one block. */
void fp_least_constraint_hessian(const FpLeastConstraint* c, const double* solved, double weight,
                                 int lambda_at, FpTriplets* H) {
    for (int a = 0; a < c->rows->block_count; a++)
        for (int b = 0; b <= a; b++) {
            const FpRowBlock *A = &c->rows->blocks[a], *B = &c->rows->blocks[b];
            if (A->block != B->block) continue;
            for (int i = 0; i < A->row_count; i++)
                for (int j = 0; j < B->row_count && A->row_at + i >= B->row_at + j; j++) {
                    double sum = 0;
                    for (int k = 0; k < A->v_count; k++)
                        sum += A->Wt[i * A->stride + k] * solved[B->slope_at + j * B->stride + k];
                    fp_triplets_add(H, lambda_at + A->row_at + i, lambda_at + B->row_at + j,
                                    2 * weight * sum);
                }
        }
}

void fp_least_constraint_solve_rows(const FpLeastConstraint* c, double* solved,
                                    double* compliance) {
    memset(compliance, 0, (size_t)c->rows->count * sizeof *compliance);
    for (int b = 0; b < c->rows->block_count; b++) {
        const FpRowBlock* block = &c->rows->blocks[b];
        double* out = solved + block->slope_at;
        fp_mass_solve_rows(c->mass, block->block, block->row_count, block->stride, block->Wt, out);
        for (int i = 0; i < block->row_count; i++)
            compliance[block->row_at + i] += fp_short_product(
                block->v_count, block->Wt + i * block->stride, out + i * block->stride);
    }
}
