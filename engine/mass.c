#include "engine/mass.h"

#include <stdlib.h>
#include <string.h>
#include "nlp/dense.h"

bool fp_mass_create(FpMass* mass, const FpSystem* s) {
    size_t entries = 0, blocks = (size_t)s->block_count, largest = 0;
    for (int b = 0; b < s->block_count; b++) {
        size_t n = (size_t)s->blocks[b].v_count;
        entries += n * n;
        if (n * n > largest) largest = n * n;
    }
    *mass = (FpMass){.system = s, .memory = calloc(2 * entries + largest + 1, sizeof(double))};
    mass->M = calloc(2 * blocks + 1, sizeof *mass->M);
    if (!mass->memory || !mass->M) {
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

FpStatus fp_mass_evaluate(FpMass* mass, const double* q) {
    const FpSystem* s = mass->system;
    if (mass->evaluated && s->ops->constant_mass) return FREEPLAY_OK;
    for (int b = 0; b < s->block_count; b++) {
        FpStatus status = s->ops->mass(s->self, b, q + s->blocks[b].q_at, mass->M[b]);
        if (!status)
            status = invert(s->blocks[b].v_count, mass->M[b], mass->factor, mass->inverse[b]);
        if (status) return status;
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

void fp_mass_multiply(const FpMass* mass, const double* v, double* out) {
    for (int b = 0; b < mass->system->block_count; b++) {
        const FpBlock* block = &mass->system->blocks[b];
        multiply_block(block->v_count, mass->M[b], v + block->v_at, out + block->v_at);
    }
}

void fp_mass_solve_block(const FpMass* mass, int block, const double* f, double* out) {
    multiply_block(mass->system->blocks[block].v_count, mass->inverse[block], f, out);
}

void fp_mass_solve(const FpMass* mass, const double* f, double* out) {
    for (int b = 0; b < mass->system->block_count; b++) {
        int at = mass->system->blocks[b].v_at;
        fp_mass_solve_block(mass, b, f + at, out + at);
    }
}
