/* Moreau-Jean, theory.md section 13: the laws of contacts hold in velocities, on rows that are
 * closed at the predicted middle of the step.
 *
 *   qm = q0 + h/2 B v0,   vt = (1 - theta) v0 + theta v1,   q1 = q0 + h/2 (B0 + B1) vt,
 *   M (v1 - v0) = h (1 - theta) f(t0, q0, v0) + h theta f(t1, q1, v1) + h W lambda,   M, W at qm
 *   0 <= lambda _|_ W^T v1 + e W^T v0 >= 0  where g(qm) <= 0,  friction likewise
 *
 * Gaps and joints drift. If asked for, a second stage moves q1 back onto them, as little as can be
 * in the metric of the mass. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "engine/arena.h"
#include "engine/impulse.h"
#include "engine/midstep.h"
#include "engine/wedge.h"

/* Of its unit: a smaller gap is closed. */
#define TOUCHING 1e-9

typedef struct Moreau {
    const FpSystem* system;
    double theta;
    bool projects, cold;
    int nv, nr, all;
    FpRows rows;
    FpMass mass;
    FpMidstep midstep;
    FpImpulse impulse;
    FpWedge wedge;
    int wedged; /* contacts of the last step */
    double t0, h;
    double *q0, *qm, *q1, *q_end; /* q_end: of the projection */
    double *v0, *v1, *mean, *f0, *f1, *momentum0;
    double *rate0, *lambda; /* of all rows, at qm */
    double *psi, *memory;
} Moreau;

/* Creation ------------------------------------------------------------------------------------- */

static void destroy(void* self) {
    Moreau* m = self;
    if (!m) return;
    fp_rows_free(&m->rows);
    fp_mass_free(&m->mass);
    fp_midstep_free(&m->midstep);
    fp_impulse_free(&m->impulse);
    fp_wedge_free(&m->wedge);
    free(m->memory);
    free(m);
}

static void lay_out(Moreau* m, FpArena* arena) {
    double** const of_coordinates[] = {&m->q0, &m->qm, &m->q1, &m->q_end};
    double** const of_velocities[] = {&m->v0, &m->v1, &m->mean, &m->f0, &m->f1, &m->momentum0};
    double** const of_rows[] = {&m->rate0, &m->lambda, &m->psi};
    for (int k = 0; k < 4; k++)
        *of_coordinates[k] = fp_arena_part(arena, (size_t)m->system->q_count);
    for (int k = 0; k < 6; k++) *of_velocities[k] = fp_arena_part(arena, (size_t)m->nv);
    for (int k = 0; k < 3; k++) *of_rows[k] = fp_arena_part(arena, (size_t)m->all);
}

static bool create_parts(Moreau* m) {
    if (!fp_rows_create_with_slip(&m->rows, m->system)) return false;
    m->all = m->rows.count;
    FpArena arena = {0};
    lay_out(m, &arena);
    m->memory = arena.memory = calloc(arena.used + 1, sizeof *m->memory);
    arena.used = 0;
    if (m->memory) lay_out(m, &arena);
    return m->memory && fp_mass_create(&m->mass, m->system) &&
           fp_midstep_create(&m->midstep, m->system) &&
           fp_wedge_create(&m->wedge, m->system, &m->rows) &&
           fp_impulse_create(&m->impulse, m->system, &m->rows, m);
}

static void* create(const FpSystem* system, const FpStepperDef* def) {
    Moreau* m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->system = system;
    m->theta = def->theta;
    m->projects = def->projection;
    m->cold = def->cold_start;
    m->nv = system->v_count;
    m->nr = system->row_count;
    if (create_parts(m)) return m;
    destroy(m);
    return NULL;
}

/* Stage 1: velocities -------------------------------------------------------------------------- */

/* q1 of a step that ends with v. */
static bool move(Moreau* m, const double* v) {
    for (int j = 0; j < m->nv; j++) m->mean[j] = (1 - m->theta) * m->v0[j] + m->theta * v[j];
    return fp_midstep_move(&m->midstep, m->q0, m->mean, m->h, m->q1);
}

static FpStatus momentum(void* self, const double* v, double* p) {
    Moreau* m = self;
    const FpSystem* s = m->system;
    if (!move(m, v)) return FREEPLAY_NOT_FINITE;
    FpStatus status = s->ops->force(s->self, m->t0 + m->h, m->q1, v, m->f1);
    for (int j = 0; j < m->nv; j++)
        p[j] = m->momentum0[j] + m->h * ((1 - m->theta) * m->f0[j] + m->theta * m->f1[j]);
    return status;
}

static bool impact_rows(void* self, const double* v, bool all, double* psi) {
    (void)all;
    Moreau* m = self;
    fp_rows_impact(&m->rows, m->h, v, m->rate0, psi);
    return true;
}

static const FpImpulseOps velocity_stage = {momentum, impact_rows, NULL};

static void choose_closed(Moreau* m) {
    FpImpulse* s = &m->impulse;
    for (int i = 0; i < m->nr; i++) {
        bool bilateral = m->rows.info[i]->kind == FREEPLAY_ROW_BILATERAL;
        bool closed = m->rows.gap[i] <= TOUCHING * s->gap_unit[i];
        s->takes_part[i] = m->rows.applies[i] && (bilateral || closed);
    }
    fp_impulse_slip_follows(s);
}

static FpStatus pose_velocities(Moreau* m, const FpState* state, double h, const FpNlp** nlp,
                                FpNlpPoint* point) {
    const FpSystem* sys = m->system;
    FpImpulse* s = &m->impulse;
    m->t0 = state->t;
    m->h = s->h = h;
    memcpy(m->q0, state->q, (size_t)sys->q_count * sizeof *m->q0);
    memcpy(m->v0, state->v, (size_t)m->nv * sizeof *m->v0);
    if (!fp_midstep_move(&m->midstep, m->q0, m->v0, h / 2, m->qm)) return FREEPLAY_NOT_FINITE;
    FpStatus status = fp_mass_evaluate(&m->mass, m->qm);
    if (!status) status = sys->ops->force(sys->self, m->t0, m->q0, m->v0, m->f0);
    if (!status) status = fp_rows_evaluate(&m->rows, m->t0 + h / 2, m->qm);
    if (status) return status;
    fp_mass_multiply(&m->mass, m->v0, m->momentum0);
    fp_rows_speeds(&m->rows, m->v0, m->rate0);
    s->rows = &m->rows;
    s->mass = &m->mass;
    fp_mass_solve(&m->mass, m->f0, s->acceleration);
    for (int j = 0; j < m->nv; j++) s->v_reference[j] = m->v0[j] + h * s->acceleration[j];
    status = momentum(m, s->v_reference, s->momentum);
    if (status) return status;
    fp_impulse_measure_ways(s, 0, m->v0);
    choose_closed(m);
    for (int k = 0; k < m->rows.slip_count; k++) fp_impulse_continue(s, k, NULL);
    for (int i = 0; i < m->all; i++) s->force[i] = m->cold ? 0 : state->lambda[i];
    return fp_impulse_pose(s, &velocity_stage, nlp, point);
}

/* Stage 2: projection -------------------------------------------------------------------------- */

/* Rows where q1 is moved by h v. */
static bool moved_rows(void* self, const double* v, bool all, double* psi) {
    Moreau* m = self;
    if (!fp_midstep_move(&m->midstep, m->q1, v, m->h, m->q_end)) return false;
    fp_rows_values(&m->rows, m->t0 + m->h, m->q_end, all, psi);
    memset(psi + m->nr, 0, (size_t)(m->all - m->nr) * sizeof *psi);
    return true;
}

static void moved_slopes(void* self, const double* v, double* D) {
    Moreau* m = self;
    (void)fp_midstep_move(&m->midstep, m->q1, v, m->h, m->q_end);
    memset(D, 0, (size_t)m->rows.slope_count * sizeof *D);
    fp_rows_sweep(&m->rows, m->t0 + m->h, m->q_end, m->psi, D);
    fp_midstep_turn(&m->midstep, &m->rows, v, m->h, D);
}

static const FpImpulseOps projection_stage = {NULL, moved_rows, moved_slopes};

static FpStatus pose_projection(Moreau* m, const FpNlp** nlp, FpNlpPoint* point) {
    FpImpulse* s = &m->impulse;
    FpStatus status = fp_rows_evaluate(&m->rows, m->t0 + m->h, m->q1);
    if (!status) status = fp_mass_evaluate(&m->mass, m->q1);
    if (status) return status;
    memset(s->v_reference, 0, (size_t)m->nv * sizeof *s->v_reference);
    memset(s->momentum, 0, (size_t)m->nv * sizeof *s->momentum);
    memset(s->force, 0, (size_t)m->all * sizeof *s->force);
    fp_impulse_measure_gaps(s);
    fp_impulse_measure_ways(s, m->nr, m->v1);
    for (int i = 0; i < m->all; i++) s->takes_part[i] = i < m->nr && m->rows.applies[i];
    return fp_impulse_pose(s, &projection_stage, nlp, point);
}

/* The scheme ----------------------------------------------------------------------------------- */

static FpStatus pose(void* self, int stage, const FpState* state, double h_lower, double h_upper,
                     const FpNlp** nlp, FpNlpPoint* point) {
    (void)h_lower;
    Moreau* m = self;
    *nlp = NULL;
    if (stage == 0) return pose_velocities(m, state, h_upper, nlp, point);
    return m->projects ? pose_projection(m, nlp, point) : FREEPLAY_OK;
}

static FpStatus take(void* self, int stage, const FpState* state, const FpNlpPoint* point,
                     FpState* next) {
    Moreau* m = self;
    const double *v = point->x, *lambda = point->x + m->nv;
    const double* q = m->q1;
    if (stage == 0) {
        memcpy(m->v1, v, (size_t)m->nv * sizeof *v);
        memcpy(m->lambda, lambda, (size_t)m->all * sizeof *lambda);
        m->wedged = fp_wedge_count(&m->wedge, &m->rows, &m->mass, m->rate0, state->lambda, lambda);
        if (!move(m, m->v1)) return FREEPLAY_NOT_FINITE;
    } else if (m->projects) {
        if (!fp_midstep_move(&m->midstep, m->q1, v, m->h, m->q_end)) return FREEPLAY_NOT_FINITE;
        q = m->q_end;
    }
    next->h = m->h;
    next->lag = m->theta > 0.5 ? (2 * m->theta - 1) * m->h : 0;
    memcpy(next->q, q, (size_t)m->system->q_count * sizeof *q);
    memcpy(next->v, m->v1, (size_t)m->nv * sizeof *v);
    memcpy(next->lambda, m->lambda, (size_t)m->all * sizeof *lambda);
    return FREEPLAY_OK;
}

static int wedged(void* self) {
    return ((const Moreau*)self)->wedged;
}

static void describe(void* self, int stage, int constraint, char* text, size_t size) {
    const Moreau* m = self;
    fp_impulse_describe(&m->impulse, stage == 0 ? "its velocity" : "projected", constraint, text,
                        size);
}

const FpSchemeOps fp_scheme_moreau = {
    .name = "moreau",
    .summary = "Moreau-Jean, theta method: impact laws in velocities, gaps and joints drift",
    .has_contact_laws = true,
    .fixed_steps = true,
    .exact_rows = true,
    .stage_count = 2,
    .create = create,
    .destroy = destroy,
    .pose = pose,
    .take = take,
    .wedged = wedged,
    .describe = describe,
};
