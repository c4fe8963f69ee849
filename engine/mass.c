#include "engine/mass.h"

#include <stdlib.h>
#include <string.h>
#include "nlp/dense.h"

bool fp_mass_create(FpMass* mass, const FpSystem* s) {
    size_t entries = 0, blocks = (size_t)s->block_count;
    for (int b = 0; b < s->block_count; b++) {
        size_t n = (size_t)s->blocks[b].v_count;
        entries += n * n;
    }
    *mass = (FpMass){.system = s, .memory = calloc(2 * entries + 1, sizeof(double))};
    mass->M = calloc(2 * blocks + 1, sizeof *mass->M);
    if (!mass->memory || !mass->M) {
        fp_mass_free(mass);
        return false;
    }
    mass->factor = mass->M + blocks;
    double* at = mass->memory;
    for (int b = 0; b < s->block_count; b++) {
        size_t n = (size_t)s->blocks[b].v_count;
        mass->M[b] = at;
        mass->factor[b] = at + n * n;
        at += 2 * n * n;
    }
    return true;
}

void fp_mass_free(FpMass* mass) {
    free(mass->memory);
    free(mass->M);
    *mass = (FpMass){0};
}

FpStatus fp_mass_evaluate(FpMass* mass, const double* q) {
    const FpSystem* s = mass->system;
    for (int b = 0; b < s->block_count; b++) {
        size_t n = (size_t)s->blocks[b].v_count;
        FpStatus status = s->ops->mass(s->self, b, q + s->blocks[b].q_at, mass->M[b]);
        if (status) return status;
        memcpy(mass->factor[b], mass->M[b], n * n * sizeof(double));
        status = fp_dense_factor((int)n, mass->factor[b]);
        if (status) return status;
    }
    return FREEPLAY_OK;
}

void fp_mass_multiply(const FpMass* mass, const double* v, double* out) {
    for (int b = 0; b < mass->system->block_count; b++) {
        const FpBlock* block = &mass->system->blocks[b];
        int n = block->v_count;
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = 0; j < n; j++) sum += mass->M[b][n * i + j] * v[block->v_at + j];
            out[block->v_at + i] = sum;
        }
    }
}

void fp_mass_solve_block(const FpMass* mass, int block, double* v) {
    fp_dense_solve(mass->system->blocks[block].v_count, mass->factor[block], v);
}

void fp_mass_solve(const FpMass* mass, double* v) {
    for (int b = 0; b < mass->system->block_count; b++)
        fp_mass_solve_block(mass, b, v + mass->system->blocks[b].v_at);
}
