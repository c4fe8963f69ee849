#include "engine/state.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

FpState* fp_state_create(const FpSystem* system) {
    FpState* state = calloc(1, sizeof *state);
    if (!state) return NULL;
    state->q_count = system->q_count;
    state->v_count = system->v_count;
    state->row_count = system->row_count;
    size_t nq = (size_t)system->q_count, nv = (size_t)system->v_count;
    state->q = calloc(nq + nv + (size_t)system->row_count + 1, sizeof *state->q);
    if (!state->q) {
        free(state);
        return NULL;
    }
    state->v = state->q + nq;
    state->lambda = state->v + nv;
    memcpy(state->q, system->q_initial, nq * sizeof *state->q);
    memcpy(state->v, system->v_initial, nv * sizeof *state->v);
    return state;
}

void fp_state_destroy(FpState* state) {
    if (!state) return;
    free(state->q);
    free(state);
}

void fp_state_copy(FpState* to, const FpState* from) {
    size_t count = (size_t)from->q_count + (size_t)from->v_count + (size_t)from->row_count;
    to->t = from->t;
    to->h = from->h;
    to->step = from->step;
    memcpy(to->q, from->q, count * sizeof *to->q);
}

FpEnergy fp_state_energy(const FpSystem* system, const FpState* state) {
    const FpSystemOps* ops = system->ops;
    FpEnergy energy = {.kinetic = ops->kinetic_energy(system->self, state->q, state->v),
                       .potential = ops->potential_energy(system->self, state->t, state->q)};
    energy.total = energy.kinetic + energy.potential;
    energy.shadow =
        energy.total + 0.5 * state->h * ops->power(system->self, state->t, state->q, state->v);
    return energy;
}

void fp_state_gaps(const FpSystem* system, const FpState* state, double* g) {
    for (int c = 0; c < system->constraint_count; c++) {
        const FpConstraint* constraint = system->constraints[c];
        fp_constraint_gaps(system, constraint, state->t, state->q, g, NULL);
        g += constraint->row_count;
    }
}

double fp_gaps_penetration(const FpSystem* system, const double* g) {
    double worst = 0;
    for (int c = 0; c < system->constraint_count; c++) {
        const FpConstraint* constraint = system->constraints[c];
        for (int i = 0; i < constraint->row_count; i++) {
            bool bilateral = constraint->rows[i].kind == FREEPLAY_ROW_BILATERAL;
            worst = fmax(worst, bilateral ? fabs(g[i]) : -g[i]);
        }
        g += constraint->row_count;
    }
    return worst;
}

double fp_state_norm_defect(const FpSystem* system, const FpState* state) {
    double worst = 0;
    for (int b = 0; b < system->block_count; b++) {
        const FpBlock* block = &system->blocks[b];
        if (!block->a_count) continue;
        double c[FREEPLAY_BLOCK_INVARIANTS];
        system->ops->invariants(system->self, b, state->q + block->q_at, c, NULL);
        for (int i = 0; i < block->a_count; i++) worst = fmax(worst, fabs(c[i]));
    }
    return worst;
}
