#include "engine/mass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/dense.h"
#include "nlp/short_vectors.h"

bool fp_mass_create(FpMass* mass, const FpSystem* s) {
    size_t entries = 0, blocks = (size_t)s->block_count, largest = 0;
    for (int b = 0; b < s->block_count; b++) {
        size_t n = (size_t)s->blocks[b].v_count;
        entries += n * n;
        if (n * n > largest) largest = n * n;
    }
    *mass = (FpMass){.system = s, .memory = calloc(2 * entries + largest + 1, sizeof(double))};
    mass->M = calloc(2 * blocks + 1, sizeof *mass->M);
    mass->diagonal = calloc(blocks + 1, sizeof *mass->diagonal);
    if (!mass->memory || !mass->M || !mass->diagonal) {
        fp_mass_free(mass);
        return false;
    }
    mass->inverse = mass->M + blocks;
    double* at = mass->memory;
    for (int b = 0; b < s->block_count; b++) {
        size_t n = (size_t)s->blocks[b].v_count;
        mass->M[b] = at;
        mass->inverse[b] = at + n * n;
        at += 2 * n * n;
    }
    mass->factor = at;
    return true;
}

void fp_mass_free(FpMass* mass) {
    free(mass->memory);
    free(mass->M);
    free(mass->diagonal);
    *mass = (FpMass){0};
}

/* The inverse, column by column: small blocks are multiplied faster than solved. */
static FpStatus invert(int n, const double* M, double* factor, double* inverse) {
    size_t size = (size_t)(n * n) * sizeof *factor;
    memcpy(factor, M, size);
    FpStatus status = fp_dense_factor(n, factor);
    if (status) return status;
    memset(inverse, 0, size);
    for (int j = 0; j < n; j++) {
        inverse[n * j + j] = 1;
        fp_dense_solve(n, factor, inverse + n * j);
    }
    return FREEPLAY_OK;
}

static bool is_diagonal(int n, const double* M) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j && M[n * i + j] != 0) return false;
    return true;
}

FpStatus fp_mass_evaluate(FpMass* mass, const double* q) {
    const FpSystem* s = mass->system;
    if (mass->evaluated && s->ops->constant_mass) return FREEPLAY_OK;
    for (int b = 0; b < s->block_count; b++) {
        FpStatus status = s->ops->mass(s->self, b, q + s->blocks[b].q_at, mass->M[b]);
        if (!status)
            status = invert(s->blocks[b].v_count, mass->M[b], mass->factor, mass->inverse[b]);
        if (status) return status;
        mass->diagonal[b] = is_diagonal(s->blocks[b].v_count, mass->M[b]);
    }
    mass->evaluated = true;
    return FREEPLAY_OK;
}

/* The bodies of most mechanisms have principal axes: a diagonal A is worth a branch. */
static void multiply_block(int n, const double* A, bool diagonal, const double* v, double* out) {
    for (int i = 0; diagonal && i < n; i++) out[i] = A[(n + 1) * i] * v[i];
    for (int i = 0; !diagonal && i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += A[n * i + j] * v[j];
        out[i] = sum;
    }
}

void fp_mass_multiply(const FpMass* mass, const double* v, double* out) {
    for (int b = 0; b < mass->system->block_count; b++) {
        const FpBlock* block = &mass->system->blocks[b];
        multiply_block(block->v_count, mass->M[b], mass->diagonal[b], v + block->v_at,
                       out + block->v_at);
    }
}

void fp_mass_multiply_sizes(const FpMass* mass, const double* v, double* out) {
    for (int b = 0; b < mass->system->block_count; b++) {
        const FpBlock* block = &mass->system->blocks[b];
        int n = block->v_count, at = block->v_at;
        const double* M = mass->M[b];
        for (int i = 0; i < n; i++) {
            out[at + i] = fabs(M[(n + 1) * i] * v[at + i]);
            for (int j = 0; !mass->diagonal[b] && j < n; j++)
                if (j != i) out[at + i] += fabs(M[n * i + j] * v[at + j]);
        }
    }
}

void fp_mass_solve_block(const FpMass* mass, int block, const double* f, double* out) {
    multiply_block(mass->system->blocks[block].v_count, mass->inverse[block], mass->diagonal[block],
                   f, out);
}

void fp_mass_solve_rows(const FpMass* mass, int block, int count, int stride, const double* rows,
                        double* out) {
    int n = mass->system->blocks[block].v_count;
    const double* inverse = mass->inverse[block];
    double diagonal[FREEPLAY_BLOCK_V_MAX];
    if (!mass->diagonal[block] || n > FREEPLAY_BLOCK_V_MAX) {
        for (int i = 0; i < count; i++)
            fp_mass_solve_block(mass, block, rows + i * stride, out + i * stride);
        return;
    }
    for (int k = 0; k < n; k++) diagonal[k] = inverse[(n + 1) * k];
    for (int i = 0; i < count; i++)
        fp_short_multiply(n, diagonal, rows + i * stride, out + i * stride);
}

double fp_mass_inverse_square(const FpMass* mass, const double* f) {
    double sum = 0;
    for (int b = 0; b < mass->system->block_count; b++) {
        int at = mass->system->blocks[b].v_at, n = mass->system->blocks[b].v_count;
        const double* inverse = mass->inverse[b];
        for (int i = 0; i < n; i++) {
            double solved = inverse[(n + 1) * i] * f[at + i];
            for (int j = 0; !mass->diagonal[b] && j < n; j++)
                if (j != i) solved += inverse[n * i + j] * f[at + j];
            sum += f[at + i] * solved;
        }
    }
    return sum;
}

void fp_mass_solve(const FpMass* mass, const double* f, double* out) {
    for (int b = 0; b < mass->system->block_count; b++) {
        int at = mass->system->blocks[b].v_at;
        fp_mass_solve_block(mass, b, f + at, out + at);
    }
}
