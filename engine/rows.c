#include "engine/rows.h"

#include <stdlib.h>
#include <string.h>

static bool allocate(FpRows* rows, size_t Wt_size, int width, int q_max, int v_max) {
    const FpSystem* s = rows->system;
    size_t row_max = 0, rows_all = (size_t)rows->count;
    for (int c = 0; c < s->constraint_count; c++) {
        size_t count = (size_t)s->constraints[c]->row_count;
        if (count > row_max) row_max = count;
    }
    size_t J_size = row_max * (size_t)width, B_size = (size_t)q_max * (size_t)v_max;
    rows->memory =
        calloc(3 * rows_all + 2 * row_max + Wt_size + J_size + B_size + 1, sizeof(double));
    rows->applies = calloc(rows_all + 1, sizeof *rows->applies);
    rows->info = calloc(rows_all + 1, sizeof *rows->info);
    rows->row_at = calloc((size_t)s->constraint_count + 1, sizeof *rows->row_at);
    rows->blocks =
        calloc(FREEPLAY_CONSTRAINT_BLOCKS * (size_t)s->constraint_count + 1, sizeof *rows->blocks);
    if (!rows->memory || !rows->applies || !rows->info || !rows->row_at || !rows->blocks)
        return false;
    rows->gap = rows->memory;
    rows->kappa = rows->gap + rows_all;
    rows->drift = rows->kappa + rows_all;
    rows->psi_t = rows->drift + rows_all;
    rows->J = rows->psi_t + 2 * row_max;
    rows->B = rows->J + J_size;
    return true;
}

bool fp_rows_create(FpRows* rows, const FpSystem* s) {
    *rows = (FpRows){.system = s, .count = s->row_count};
    int width = 0, q_max = 0, v_max = 0;
    size_t Wt_size = 0;
    for (int b = 0; b < s->block_count; b++) {
        if (s->blocks[b].q_count > q_max) q_max = s->blocks[b].q_count;
        if (s->blocks[b].v_count > v_max) v_max = s->blocks[b].v_count;
    }
    for (int c = 0; c < s->constraint_count; c++) {
        const FpConstraint* k = s->constraints[c];
        int w = fp_constraint_width(s, k);
        if (w > width) width = w;
        Wt_size += (size_t)k->row_count * (size_t)v_max * (size_t)k->block_count;
    }
    if (!allocate(rows, Wt_size, width, q_max, v_max)) {
        fp_rows_free(rows);
        return false;
    }
    double* Wt = rows->B + (size_t)q_max * (size_t)v_max;
    int row_at = 0;
    for (int c = 0; c < s->constraint_count; c++) {
        const FpConstraint* k = s->constraints[c];
        rows->row_at[c] = row_at;
        for (int i = 0; i < k->row_count; i++) rows->info[row_at + i] = &k->rows[i];
        for (int b = 0; b < k->block_count; b++) {
            if (k->blocks[b] < 0) continue;
            const FpBlock* block = &s->blocks[k->blocks[b]];
            rows->blocks[rows->block_count++] = (FpRowBlock){.constraint = c,
                                                             .block = k->blocks[b],
                                                             .row_at = row_at,
                                                             .row_count = k->row_count,
                                                             .v_at = block->v_at,
                                                             .v_count = block->v_count,
                                                             .Wt = Wt};
            Wt += k->row_count * block->v_count;
        }
        row_at += k->row_count;
    }
    return true;
}

void fp_rows_free(FpRows* rows) {
    free(rows->memory);
    free(rows->applies);
    free(rows->info);
    free(rows->row_at);
    free(rows->blocks);
    *rows = (FpRows){0};
}

/* W^T = kappa dpsi/dq B, theory.md (8). */
static void evaluate_block(FpRows* rows, FpRowBlock* block, const double* q, int column,
                           int width) {
    const FpSystem* s = rows->system;
    int nq = s->blocks[block->block].q_count, nv = block->v_count;
    s->ops->kinematics(s->self, block->block, q + s->blocks[block->block].q_at, rows->B);
    for (int i = 0; i < block->row_count; i++) {
        double kappa = rows->kappa[block->row_at + i];
        for (int j = 0; j < nv; j++) {
            double sum = 0;
            for (int k = 0; k < nq; k++)
                sum += rows->J[i * width + column + k] * rows->B[k * nv + j];
            block->Wt[i * nv + j] = kappa * sum;
        }
    }
}

/* drift = kappa dpsi/dt. */
static void evaluate_drift(FpRows* rows, const FpConstraint* k, double t, const double* const q[],
                           int row_at) {
    double* psi_tt = rows->psi_t + k->row_count;
    if (k->ops->rate) k->ops->rate(k, t, q, rows->psi_t, psi_tt, rows->J);
    for (int i = 0; i < k->row_count; i++)
        rows->drift[row_at + i] = k->ops->rate ? rows->kappa[row_at + i] * rows->psi_t[i] : 0;
}

void fp_rows_evaluate(FpRows* rows, double t, const double* q) {
    const FpSystem* s = rows->system;
    FpRowBlock* block = rows->blocks;
    for (int c = 0; c < s->constraint_count; c++) {
        const FpConstraint* k = s->constraints[c];
        const double* coordinates[FREEPLAY_CONSTRAINT_BLOCKS];
        fp_constraint_coordinates(s, k, q, coordinates);
        int row_at = rows->row_at[c], width = fp_constraint_width(s, k), column = 0;
        fp_constraint_gaps(s, k, t, q, rows->gap + row_at, rows->kappa + row_at);
        fp_constraint_applies(s, k, q, rows->applies + row_at);
        evaluate_drift(rows, k, t, coordinates, row_at);
        k->ops->jacobian(k, t, coordinates, rows->J);
        for (int b = 0; b < k->block_count; b++) {
            if (k->blocks[b] < 0) {
                column += FREEPLAY_GROUND_WIDTH;
                continue;
            }
            evaluate_block(rows, block, q, column, width);
            column += s->blocks[k->blocks[b]].q_count;
            block++;
        }
    }
}

void fp_rows_rates(const FpRows* rows, const double* v, double* out) {
    memset(out, 0, (size_t)rows->count * sizeof *out);
    for (int b = 0; b < rows->block_count; b++) {
        const FpRowBlock* block = &rows->blocks[b];
        for (int i = 0; i < block->row_count; i++)
            for (int j = 0; j < block->v_count; j++)
                out[block->row_at + i] += block->Wt[i * block->v_count + j] * v[block->v_at + j];
    }
}

void fp_rows_add_forces(const FpRows* rows, const double* lambda, double* out) {
    for (int b = 0; b < rows->block_count; b++) {
        const FpRowBlock* block = &rows->blocks[b];
        for (int i = 0; i < block->row_count; i++)
            for (int j = 0; j < block->v_count; j++)
                out[block->v_at + j] +=
                    block->Wt[i * block->v_count + j] * lambda[block->row_at + i];
    }
}
