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
    size_t nv = (size_t)s->v_count, size = 2 * entries + largest + 2 * nv + 1;
    *mass = (FpMass){.system = s, .memory = calloc(size, sizeof(double))};
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
    mass->entries = at + largest;
    mass->inverse_entries = mass->entries + nv;
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

static void take_diagonal(FpMass* mass, int b) {
    int n = mass->system->blocks[b].v_count, at = mass->system->blocks[b].v_at;
    mass->diagonal[b] = is_diagonal(n, mass->M[b]);
    mass->all_diagonal = mass->all_diagonal && mass->diagonal[b];
    for (int i = 0; i < n; i++) {
        mass->entries[at + i] = mass->M[b][(n + 1) * i];
        mass->inverse_entries[at + i] = mass->inverse[b][(n + 1) * i];
    }
}

FpStatus fp_mass_evaluate(FpMass* mass, const double* q) {
    const FpSystem* s = mass->system;
    if (mass->evaluated && s->ops->constant_mass) return FREEPLAY_OK;
    mass->all_diagonal = true;
    for (int b = 0; b < s->block_count; b++) {
        FpStatus status = s->ops->mass(s->self, b, q + s->blocks[b].q_at, mass->M[b]);
        if (!status)
            status = invert(s->blocks[b].v_count, mass->M[b], mass->factor, mass->inverse[b]);
        if (status) return status;
        take_diagonal(mass, b);
    }
    mass->evaluated = true;
    return FREEPLAY_OK;
}

static void multiply_block(int n, const double* A, const double* v, double* out) {
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += A[n * i + j] * v[j];
        out[i] = sum;
    }
}

/* The bodies of most mechanisms have principal axes: a diagonal is worth a branch. */
static void multiply(const FpMass* mass, double* const* A, const double* entries, const double* v,
                     double* restrict out) {
    for (int j = 0; j < mass->system->v_count; j++) out[j] = entries[j] * v[j];
    for (int b = 0; !mass->all_diagonal && b < mass->system->block_count; b++) {
        const FpBlock* block = &mass->system->blocks[b];
        if (!mass->diagonal[b])
            multiply_block(block->v_count, A[b], v + block->v_at, out + block->v_at);
    }
}

void fp_mass_multiply(const FpMass* mass, const double* v, double* out) {
    multiply(mass, mass->M, mass->entries, v, out);
}

void fp_mass_multiply_sizes(const FpMass* mass, const double* v, double* out) {
    for (int j = 0; j < mass->system->v_count; j++) out[j] = fabs(mass->entries[j] * v[j]);
    for (int b = 0; !mass->all_diagonal && b < mass->system->block_count; b++) {
        const FpBlock* block = &mass->system->blocks[b];
        int n = block->v_count, at = block->v_at;
        for (int i = 0; !mass->diagonal[b] && i < n; i++)
            for (int j = 0; j < n; j++)
                if (j != i) out[at + i] += fabs(mass->M[b][n * i + j] * v[at + j]);
    }
}

void fp_mass_solve_block(const FpMass* mass, int block, const double* f, double* out) {
    const FpBlock* b = &mass->system->blocks[block];
    const double* entries = mass->inverse_entries + b->v_at;
    if (!mass->diagonal[block]) {
        multiply_block(b->v_count, mass->inverse[block], f, out);
        return;
    }
    for (int i = 0; i < b->v_count; i++) out[i] = entries[i] * f[i];
}

void fp_mass_solve_rows(const FpMass* mass, int block, int count, int stride, const double* rows,
                        double* out) {
    const FpBlock* b = &mass->system->blocks[block];
    const double* entries = mass->inverse_entries + b->v_at;
    for (int i = 0; i < count; i++, rows += stride, out += stride)
        if (mass->diagonal[block])
            fp_short_multiply(b->v_count, entries, rows, out);
        else
            multiply_block(b->v_count, mass->inverse[block], rows, out);
}

double fp_mass_inverse_square(const FpMass* mass, const double* f) {
    double sum = 0;
    for (int j = 0; j < mass->system->v_count; j++) sum += mass->inverse_entries[j] * f[j] * f[j];
    for (int b = 0; !mass->all_diagonal && b < mass->system->block_count; b++) {
        int at = mass->system->blocks[b].v_at, n = mass->system->blocks[b].v_count;
        for (int i = 0; !mass->diagonal[b] && i < n; i++)
            for (int j = 0; j < n; j++)
                if (j != i) sum += f[at + i] * mass->inverse[b][n * i + j] * f[at + j];
    }
    return sum;
}

void fp_mass_solve(const FpMass* mass, const double* f, double* out) {
    multiply(mass, mass->inverse, mass->inverse_entries, f, out);
}
