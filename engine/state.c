#include "engine/state.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int fp_system_slip_rows(const FpSystem* system) {
    int count = 0;
    for (int c = 0; c < system->constraint_count; c++)
        for (int i = 0; i < system->constraints[c]->row_count; i++)
            count += system->constraints[c]->rows[i].slip_count;
    return count;
}

FpState* fp_state_create(const FpSystem* system) {
    FpState* state = calloc(1, sizeof *state);
    if (!state) return NULL;
    state->q_count = system->q_count;
    state->v_count = system->v_count;
    state->row_count = system->row_count;
    state->slip_count = fp_system_slip_rows(system);
    size_t nq = (size_t)system->q_count, nv = (size_t)system->v_count;
    size_t forces = (size_t)system->row_count + (size_t)state->slip_count;
    state->q = calloc(nq + nv + forces + 1, sizeof *state->q);
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
    size_t count = (size_t)from->q_count + (size_t)from->v_count + (size_t)from->row_count +
                   (size_t)from->slip_count;
    to->t = from->t;
    to->h = from->h;
    to->lag = from->lag;
    to->step = from->step;
    memcpy(to->q, from->q, count * sizeof *to->q);
}

FpEnergy fp_state_energy(const FpSystem* system, const FpState* state) {
    const FpSystemOps* ops = system->ops;
    FpEnergy energy = {.kinetic = ops->kinetic_energy(system->self, state->q, state->v),
                       .potential = ops->potential_energy(system->self, state->t, state->q)};
    energy.total = energy.kinetic + energy.potential;
    energy.shadow =
        energy.total + 0.5 * state->lag * ops->power(system->self, state->t, state->q, state->v);
    return energy;
}

void fp_state_gaps(const FpSystem* system, const FpState* state, double* g) {
    for (int c = 0; c < system->constraint_count; c++) {
        const FpConstraint* constraint = system->constraints[c];
        fp_constraint_gaps(system, constraint, state->t, state->q, g, NULL);
        g += constraint->row_count;
    }
}

/* How far a gap is on the wrong side, in m. */
static double violation(const FpSystem* system, const FpRow* row, double g) {
    double wrong = row->kind == FREEPLAY_ROW_BILATERAL ? fabs(g) : -g;
    return row->unit == FREEPLAY_ROW_ANGLE ? wrong * system->scales.length : wrong;
}

double fp_gaps_penetration(const FpSystem* system, const double* g) {
    double worst = 0;
    for (int c = 0; c < system->constraint_count; c++) {
        const FpConstraint* constraint = system->constraints[c];
        for (int i = 0; i < constraint->row_count; i++)
            worst = fmax(worst, violation(system, &constraint->rows[i], g[i]));
        g += constraint->row_count;
    }
    return worst;
}

/* An ideal joint is closed if it is so to the digits that people write. */
#define CLOSED   1e-12 /* of the model's length */
#define TOUCHING 1e-9  /* of the clearance */

static FpStatus refuse_row(const FpConstraint* c, int row, double wrong, FpMessage* message) {
    const FpRow* info = &c->rows[row];
    if (info->kind == FREEPLAY_ROW_BILATERAL)
        return fp_refuse(message, FREEPLAY_NOT_ASSEMBLED,
                         "joint '%s': row %d (%s) is open by %.6g m at the start; move the bodies "
                         "together, or let 'assemble' do it",
                         c->name, row, info->label, wrong);
    if (info->is_contact)
        return fp_refuse(message, FREEPLAY_NOT_ASSEMBLED,
                         "joint '%s': row %d (%s) penetrates by %.6g m at the start; move the "
                         "bodies, or let 'assemble' do it",
                         c->name, row, info->label, wrong);
    return fp_refuse(message, FREEPLAY_NOT_ASSEMBLED,
                     "joint '%s': the initial state is outside the clearance: row %d (%s) "
                     "penetrates by %.6g m, the clearance is %.6g m; move the bodies, let "
                     "'assemble' do it, or enlarge the clearance",
                     c->name, row, info->label, wrong, info->size);
}

static FpStatus check_rows(const FpSystem* system, const FpConstraint* c, const double* g,
                           const bool* applies, FpMessage* message) {
    for (int i = 0; i < c->row_count; i++) {
        const FpRow* row = &c->rows[i];
        double part = row->kind == FREEPLAY_ROW_BILATERAL ? CLOSED : 16 * DBL_EPSILON;
        double allowed = fmax(TOUCHING * row->size, part * system->scales.length);
        double wrong = violation(system, row, g[i]);
        if (wrong > allowed) return refuse_row(c, i, wrong, message);
        if (!applies[i] && row->must_stay)
            return fp_refuse(message, FREEPLAY_NOT_ASSEMBLED,
                             "joint '%s': row %d (%s) is beside what it slides on at the start; "
                             "move the bodies, make it longer, or let it leave",
                             c->name, i, row->label);
    }
    return FREEPLAY_OK;
}

FpStatus fp_state_check(const FpSystem* system, const FpState* state, FpMessage* message) {
    double g[FREEPLAY_CONSTRAINT_ROWS];
    bool applies[FREEPLAY_CONSTRAINT_ROWS];
    FpStatus status = FREEPLAY_OK;
    for (int c = 0; c < system->constraint_count && !status; c++) {
        const FpConstraint* constraint = system->constraints[c];
        fp_constraint_gaps(system, constraint, state->t, state->q, g, NULL);
        fp_constraint_applies(system, constraint, state->q, applies);
        status = check_rows(system, constraint, g, applies, message);
    }
    return status;
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
