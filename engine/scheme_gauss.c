/* The Gauss step, theory.md section 5: of all motions that respect the joints at the end of the
 * step, the one whose contact forces are least in the metric of the inverse mass. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/arena.h"
#include "engine/gauss_impl.h"

/* A linearized row whose end of step is wrong by more than this part of its clearance, and inside
 * the other body, is imposed exactly: the step crosses the clearance. */
#define CROSSING 0.5

static void destroy(void* self) {
    FpGauss* g = self;
    if (!g) return;
    fp_rows_free(&g->rows);
    fp_mass_free(&g->mass);
    fp_space_free(&g->space);
    fp_gauss_structure_free(g);
    free(g->memory);
    free(g->pairs);
    free(g->exact);
    free(g);
}

static void lay_out(FpGauss* g, FpArena* arena) {
    size_t n = (size_t)g->nlp.n, m = (size_t)g->nlp.m, nr = (size_t)g->nr;
    double** const vectors[] = {&g->x_lower, &g->x_upper, &g->x_scale, &g->free_x};
    for (int k = 0; k < 4; k++) *vectors[k] = fp_arena_part(arena, n);
    double** const residuals[] = {&g->g_lower, &g->g_upper, &g->g_scale,
                                  &g->g_unit,  &g->g_noise, &g->g_work};
    for (int k = 0; k < 6; k++) *residuals[k] = fp_arena_part(arena, m);
    double** const velocities[] = {&g->f, &g->free_acceleration, &g->force, &g->velocity, &g->load,
                                   &g->v0};
    for (int k = 0; k < 6; k++) *velocities[k] = fp_arena_part(arena, (size_t)g->nv);
    g->invariant = fp_arena_part(arena, (size_t)g->na);
    g->compliance = fp_arena_part(arena, nr);
    g->row_work = fp_arena_part(arena, 2 * nr);
    g->weighted = fp_arena_part(arena, nr);
    g->warm_force = fp_arena_part(arena, nr);
    g->forced = fp_arena_part(arena, nr);
    g->solved = fp_arena_part(arena, (size_t)g->rows.slope_count);
}

static bool allocate(FpGauss* g) {
    size_t nr = (size_t)g->nr;
    g->pairs = calloc(nr + 1, sizeof *g->pairs);
    g->exact = calloc(2 * nr + (size_t)g->nlp.n + 1, sizeof *g->exact);
    if (!g->pairs || !g->exact) return false;
    g->bilateral = g->exact + nr;
    g->least_norm = g->bilateral + nr;
    FpArena arena = {0};
    lay_out(g, &arena);
    g->memory = arena.memory = calloc(arena.used + 1, sizeof(double));
    if (!arena.memory) return false;
    arena.used = 0;
    lay_out(g, &arena);
    return true;
}

/* Bounds, pairs and flags that are the same at every step. */
static void set_structure(FpGauss* g) {
    FpNlp* p = &g->nlp;
    for (int j = 0; j < p->n; j++) {
        g->x_lower[j] = -FREEPLAY_NO_BOUND;
        g->x_upper[j] = FREEPLAY_NO_BOUND;
        g->least_norm[j] = j >= g->lambda_at;
    }
    for (int i = 0; i < g->na; i++) g->g_unit[g->nv + i] = g->g_noise[g->nv + i] = 1;
    for (int i = 0; i < g->nr; i++) {
        g->bilateral[i] = g->rows.info[i]->kind == FREEPLAY_ROW_BILATERAL;
        g->g_unit[g->row_g_at + i] = g->rows.unit[i];
        g->g_noise[g->row_g_at + i] = g->system->scales.length / g->rows.lever[i];
    }
    for (int i = 0; i < g->nr; i++)
        if (g->rows.info[i]->kind == FREEPLAY_ROW_UNILATERAL)
            g->pairs[p->pair_count++] = (FpNlpPair){g->lambda_at + i, g->row_g_at + i};
    p->x_lower = g->x_lower;
    p->x_upper = g->x_upper;
    p->g_lower = g->g_lower;
    p->g_upper = g->g_upper;
    p->x_scale = g->x_scale;
    p->g_scale = g->g_scale;
    p->g_unit = g->g_unit;
    p->g_noise = g->g_noise;
    p->pairs = g->pairs;
    p->least_norm = g->least_norm;
    fp_gauss_program(g);
}

static void* create(const FpSystem* system, const FpStepperDef* def) {
    FpGauss* g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->system = system;
    g->form = def->rows;
    g->cold = def->cold_start;
    g->sleeps = system->ops->gap_speed && strcmp(def->solver, "ipopt") != 0;
    g->nv = system->v_count;
    g->na = system->a_count;
    g->nr = system->row_count;
    g->v_at = 1;
    g->a_at = g->v_at + g->nv;
    g->lambda_at = g->a_at + g->na;
    g->row_g_at = g->nv + g->na;
    g->nlp.n = g->lambda_at + g->nr;
    g->nlp.m = g->row_g_at + g->nr;
    if (!fp_rows_create(&g->rows, system) || !fp_mass_create(&g->mass, system) ||
        !fp_space_create(&g->space, system, g->v_at, g->a_at) || !allocate(g)) {
        destroy(g);
        return NULL;
    }
    g->least = (FpLeastConstraint){&g->rows, &g->mass, g->load, g->velocity};
    set_structure(g);
    for (int i = 0; i < g->nr; i++) g->exact[i] = true;
    g->has_structure = system->ops->rates && fp_gauss_structure_create(g);
    return g;
}

/* The start of the step ------------------------------------------------------------------------ */

void fp_gauss_wake(FpGauss* g, double h, const double* v) {
    if (!fp_rows_wake(&g->rows, g->t0, g->space.q0, h, v)) return;
    fp_least_constraint_solve_rows(&g->least, g->solved, g->compliance);
    g->has_force = false;
}

static FpStatus evaluate_start(FpGauss* g, const FpState* state, double h_lower, double h_upper) {
    const FpSystem* s = g->system;
    g->t0 = state->t;
    g->has_kept = g->has_force = false;
    fp_space_start(&g->space, state->q);
    const double* q0 = g->space.q0;
    memcpy(g->v0, state->v, (size_t)g->nv * sizeof *g->v0);
    FpStatus status = s->ops->force(s->self, state->t, q0, g->v0, g->f);
    if (!status) status = fp_mass_evaluate(&g->mass, q0);
    if (status) return status;
    fp_mass_solve(&g->mass, g->f, g->free_acceleration);
    for (int b = 0; b < s->block_count && g->form == FREEPLAY_ROWS_LINEARIZED; b++) {
        const FpBlock* block = &s->blocks[b];
        if (block->a_count)
            s->ops->invariants(s->self, b, q0 + block->q_at, g->invariant + block->a_at, NULL);
    }
    for (int j = 0; j < g->nv; j++) g->velocity[j] = g->v0[j] + h_upper * g->free_acceleration[j];
    if (g->sleeps && h_lower == h_upper)
        fp_rows_evaluate_near(&g->rows, state->t, q0, h_upper, g->velocity, state->lambda);
    else
        status = fp_rows_evaluate(&g->rows, state->t, q0);
    fp_least_constraint_solve_rows(&g->least, g->solved, g->compliance);
    return status;
}

/* x of a step of h under the contact forces lambda; NULL for none. */
static void move_under(FpGauss* g, double h, const double* lambda, double* x) {
    memset(x, 0, (size_t)g->nlp.n * sizeof *x);
    x[0] = h;
    double* v = x + g->v_at;
    if (lambda) {
        memcpy(x + g->lambda_at, lambda, (size_t)g->nr * sizeof *lambda);
        fp_gauss_find_forces(g, x);
        fp_mass_solve(&g->mass, g->force, v);
    }
    for (int j = 0; j < g->nv; j++) v[j] = g->v0[j] + h * (v[j] + g->free_acceleration[j]);
}

/* Bounds of forces and rows: a row that does not apply asks for nothing and cannot push. */
static void set_row_bounds(FpGauss* g) {
    if (g->has_bounds && !g->rows.ever_absent) return;
    g->has_bounds = true;
    for (int i = 0; i < g->nr; i++) {
        bool applies = g->rows.applies[i];
        bool unilateral = g->rows.info[i]->kind == FREEPLAY_ROW_UNILATERAL;
        double none = FREEPLAY_NO_BOUND;
        g->x_lower[g->lambda_at + i] = !applies || unilateral ? 0 : -none;
        g->x_upper[g->lambda_at + i] = applies ? none : 0;
        g->g_lower[g->row_g_at + i] = applies ? 0 : -none;
        g->g_upper[g->row_g_at + i] = applies && !unilateral ? 0 : none;
    }
}

/* The rows at the end of the free motion, exactly. */
static const double* end_free_motion(FpGauss* g) {
    for (int i = 0; i < g->nr; i++) g->exact[i] = true;
    g->nlp.constraints(g, g->free_x, g->g_work);
    return g->g_work + g->row_g_at;
}

/* Whether a row that is awake has no direction, and so no first order. */
static bool lacks_direction(const FpGauss* g) {
    bool any = false;
    for (int i = 0; i < g->nr; i++) any = any || g->compliance[i] == 0;
    if (!any) return false;
    for (int c = 0; c < g->system->constraint_count; c++)
        for (int i = 0; g->rows.open[c] == 0 && i < g->system->constraints[c]->row_count; i++) {
            int row = g->rows.row_at[c] + i;
            if (g->compliance[row] == 0 && g->rows.applies[row]) return true;
        }
    return false;
}

/* Leaves in row_work what the rows would be at the end of the free motion, to first order; exactly
 * where there is none. */
static void predict_rows(FpGauss* g, double h) {
    double* predicted = g->row_work;
    move_under(g, h, NULL, g->free_x);
    fp_rows_rates(&g->rows, g->free_x + g->v_at, predicted);
    for (int i = 0; i < g->nr; i++)
        predicted[i] = g->rows.gap[i] + h * (predicted[i] + g->rows.drift[i]);
    if (!lacks_direction(g)) return;
    const double* exact = end_free_motion(g);
    for (int i = 0; i < g->nr; i++)
        if (g->compliance[i] == 0) predicted[i] = exact[i];
}

/* Decides row by row between the exact and the linearized form. */
static void choose_forms(FpGauss* g) {
    if (g->form == FREEPLAY_ROWS_EXACT) return;
    double* predicted = g->row_work;
    const double* exact = end_free_motion(g);
    for (int i = 0; i < g->nr; i++) {
        const FpRow* row = g->rows.info[i];
        g->exact[i] = row->kind == FREEPLAY_ROW_UNILATERAL && row->size > 0 && exact[i] < 0 &&
                      fabs(predicted[i] - exact[i]) > CROSSING * row->size;
        if (g->exact[i]) predicted[i] = exact[i];
    }
}

/* Linearized rows are structured unless some of them are imposed exactly in this step. */
static bool is_structured(const FpGauss* g) {
    for (int i = 0; g->form == FREEPLAY_ROWS_LINEARIZED && i < g->nr; i++)
        if (g->exact[i]) return false;
    return g->has_structure;
}

/* A row without a direction (at the concentric position) cannot push: a step that would carry it
 * through its whole clearance has no solution. */
static bool crosses_without_direction(const FpGauss* g) {
    for (int i = 0; i < g->nr; i++)
        if (g->exact[i] && g->rows.applies[i] && g->compliance[i] == 0 && g->row_work[i] < 0)
            return true;
    return false;
}

static FpStatus pose(void* self, int stage, const FpState* state, double h_lower, double h_upper,
                     const FpNlp** nlp, FpNlpPoint* point) {
    (void)stage;
    FpGauss* g = self;
    FpStatus status = evaluate_start(g, state, h_lower, h_upper);
    if (status) return status;
    g->x_lower[0] = h_lower;
    g->x_upper[0] = h_upper;
    set_row_bounds(g);
    predict_rows(g, h_upper);
    choose_forms(g);
    if (crosses_without_direction(g)) return FREEPLAY_INFEASIBLE;
    fp_gauss_scale(g, h_upper);
    double h = state->h > 0 ? fmin(fmax(state->h, h_lower), h_upper) : h_upper;
    move_under(g, h, g->cold ? NULL : state->lambda, point->x);
    memcpy(g->warm_force, point->x + g->lambda_at, (size_t)g->nr * sizeof *g->warm_force);
    g->nlp.structure = is_structured(g) ? &g->structure : NULL;
    g->nlp.determined = h_lower == h_upper;
    *nlp = &g->nlp;
    return FREEPLAY_OK;
}

static FpStatus take(void* self, int stage, const FpState* state, const FpNlpPoint* point,
                     FpState* next) {
    (void)stage, (void)state;
    FpGauss* g = self;
    for (int j = 0; j < g->nlp.n; j++)
        if (!isfinite(point->x[j])) return FREEPLAY_NOT_FINITE;
    fp_space_move(&g->space, point->x, point->x[0]);
    next->h = next->lag = point->x[0];
    memcpy(next->q, g->space.q1, (size_t)g->system->q_count * sizeof *next->q);
    memcpy(next->v, point->x + g->v_at, (size_t)g->nv * sizeof *next->v);
    memcpy(next->lambda, point->x + g->lambda_at, (size_t)g->nr * sizeof *next->lambda);
    return FREEPLAY_OK;
}

/* An exact invariant bounds the step by the spin, theory.md (23). */
static double step_limit(void* self, const FpState* state) {
    const FpGauss* g = self;
    const FpSystem* s = g->system;
    double limit = INFINITY;
    if (g->form != FREEPLAY_ROWS_EXACT || !s->ops->step_limit) return limit;
    for (int b = 0; b < s->block_count; b++)
        limit = fmin(limit, s->ops->step_limit(s->self, b, state->v + s->blocks[b].v_at));
    return limit;
}

static void describe(void* self, int stage, int constraint, char* text, size_t size) {
    (void)stage;
    const FpGauss* g = self;
    const FpSystem* s = g->system;
    for (int b = 0; b < s->block_count; b++) {
        const FpBlock* block = &s->blocks[b];
        char name[128];
        int i = constraint - block->v_at, k = constraint - g->nv - block->a_at;
        s->ops->velocity_name(s->self, b, i >= 0 && i < block->v_count ? i : 0, name, sizeof name);
        if (i >= 0 && i < block->v_count)
            snprintf(text, size, "equation of motion of %s", name);
        else if (k >= 0 && k < block->a_count)
            snprintf(text, size, "normalization of the body of %s", name);
        else
            continue;
        return;
    }
    for (int c = 0; c < s->constraint_count; c++) {
        int i = constraint - g->row_g_at - g->rows.row_at[c];
        const FpConstraint* k = s->constraints[c];
        if (i >= 0 && i < k->row_count)
            snprintf(text, size, "joint '%s', row %d (%s)", k->name, i, k->rows[i].label);
    }
}

const FpSchemeOps fp_scheme_gauss = {
    .name = "gauss",
    .summary = "least constraint, first order: forces along W(q0), rows at the end of the step",
    .stage_count = 1,
    .create = create,
    .destroy = destroy,
    .step_limit = step_limit,
    .pose = pose,
    .take = take,
    .describe = describe,
};
