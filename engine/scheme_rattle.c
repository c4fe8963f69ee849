/* Nonsmooth RATTLE (Breuling, Capobianco, Eugster, Leine 2024), theory.md section 12: forces of the
 * first half of the step keep the gaps at its end open, those of the second half the impact law.
 *
 *   stage 1:  M0 (v' - v0) = h/2 f(t0, q0, v') + h W0 lambda',    q1 = q0 + h/2 (B0 + B1) v',
 *             0 <= lambda' _|_ g(t1, q1) >= 0,  friction against the slip of v'
 *   stage 2:  M1 (v1 - v') = h/2 f(t1, q1, v') + h W1 (lambda - lambda'),
 *             0 <= lambda _|_ g'(v1) + e g'(v0) >= 0 where g(t1, q1) = 0,  friction likewise
 *
 * with the forces lambda' h and lambda h of the first half and of the whole step. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "engine/arena.h"
#include "engine/impulse.h"
#include "engine/midstep.h"
#include "engine/wedge.h"

/* Of its unit: a smaller gap at the end of the step is closed, whatever round-off says of it. */
#define TOUCHING 1e-9
/* Of the friction that there may be: what is nearer to it is all of it. */
#define FULL 1e-9

/* W, M and what else belongs to one end of a step. */
typedef struct End {
    FpRows rows;
    FpMass mass;
    double t;
    double *q, *f; /* f at that end */
    bool known;    /* t and q are those of rows and mass */
    unsigned long version;
} End;

typedef struct Rattle {
    const FpSystem* system;
    bool sleeps, cold;
    bool timeless; /* no row depends on time */
    /* Sliding that goes on: both halves of its friction against the slip of v', (58) */
    bool midpoint, again; /* again: the second stage has to be solved without that */
    int nv, nr, all;      /* velocities; rows; these and those of slip */
    End end[2];
    int start; /* which of them is the start of the step; the other is its end */
    unsigned long versions;
    FpMidstep midstep;
    FpImpulse impulse;
    FpWedge wedge;
    int wedged; /* contacts of the last step */
    double h;
    double *v0, *v_half, *lambda_half;
    double* rate0;   /* of all rows at the start, W0^T v0 + drift */
    double* v_moved; /* that has led to the end of the step, if `moved` */
    bool moved;
    double* psi_end; /* of all rows with that velocity, if `psi_known` */
    bool psi_known;
    double *psi, *f_work, *momentum0;
    double* ways; /* of all rows: h gamma of v' at the end of the step */
    double* memory;
} Rattle;

/* Creation ------------------------------------------------------------------------------------- */

static void end_free(End* end) {
    fp_rows_free(&end->rows);
    fp_mass_free(&end->mass);
}

static void destroy(void* self) {
    Rattle* r = self;
    if (!r) return;
    for (int k = 0; k < 2; k++) end_free(&r->end[k]);
    fp_midstep_free(&r->midstep);
    fp_impulse_free(&r->impulse);
    fp_wedge_free(&r->wedge);
    free(r->memory);
    free(r);
}

static void lay_out(Rattle* r, FpArena* arena) {
    size_t nq = (size_t)r->system->q_count, nv = (size_t)r->nv, all = (size_t)r->all;
    for (int k = 0; k < 2; k++) {
        r->end[k].q = fp_arena_part(arena, nq);
        r->end[k].f = fp_arena_part(arena, nv);
    }
    double** const of_velocities[] = {&r->v0, &r->v_half, &r->v_moved, &r->f_work, &r->momentum0};
    double** const of_rows[] = {&r->lambda_half, &r->rate0, &r->psi, &r->psi_end, &r->ways};
    for (int k = 0; k < 5; k++) *of_velocities[k] = fp_arena_part(arena, nv);
    for (int k = 0; k < 5; k++) *of_rows[k] = fp_arena_part(arena, all);
}

static bool allocate(Rattle* r) {
    FpArena arena = {0};
    lay_out(r, &arena);
    r->memory = arena.memory = calloc(arena.used + 1, sizeof *r->memory);
    arena.used = 0;
    if (r->memory) lay_out(r, &arena);
    return r->memory;
}

static bool create_parts(Rattle* r) {
    bool made = true;
    for (int k = 0; k < 2; k++) {
        made = fp_rows_create_with_slip(&r->end[k].rows, r->system) && made;
        made = fp_mass_create(&r->end[k].mass, r->system) && made;
    }
    if (!made) return false;
    r->all = r->end[0].rows.count;
    return fp_midstep_create(&r->midstep, r->system) &&
           fp_wedge_create(&r->wedge, r->system, &r->end[0].rows) &&
           fp_impulse_create(&r->impulse, r->system, &r->end[0].rows, r) && allocate(r);
}

static void* create_of(const FpSystem* system, const FpStepperDef* def, bool midpoint) {
    Rattle* r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->system = system;
    r->midpoint = midpoint;
    r->cold = def->cold_start;
    r->sleeps = system->ops->gap_speed && strcmp(def->solver, "ipopt") != 0;
    r->nv = system->v_count;
    r->nr = system->row_count;
    r->timeless = true;
    for (int c = 0; c < system->constraint_count; c++)
        r->timeless = r->timeless && !system->constraints[c]->ops->rate;
    if (create_parts(r)) return r;
    destroy(r);
    return NULL;
}

static void* create(const FpSystem* system, const FpStepperDef* def) {
    return create_of(system, def, false);
}

static void* create_midpoint(const FpSystem* system, const FpStepperDef* def) {
    return create_of(system, def, true);
}

/* The ends of a step --------------------------------------------------------------------------- */

/* Whether rows and mass of an end are those at (t, q). */
static bool is_at(const Rattle* r, const End* end, double t, const double* q) {
    bool same_time = end->t == t || r->timeless;
    return end->known && same_time &&
           memcmp(end->q, q, (size_t)r->system->q_count * sizeof *q) == 0;
}

/* Rows and mass at (t, q). The end of one step is the start of the next: nothing is found twice. */
static FpStatus evaluate_end(Rattle* r, End* end, double t, const double* q, const double* v,
                             const double* lambda) {
    bool known = is_at(r, end, t, q);
    end->known = false;
    end->t = t;
    memmove(end->q, q, (size_t)r->system->q_count * sizeof *q);
    FpStatus status = known ? FREEPLAY_OK : fp_mass_evaluate(&end->mass, q);
    if (status) return status;
    if (!known) end->version = ++r->versions;
    if (r->sleeps && known) {
        if (fp_rows_update_near(&end->rows, t, end->q, r->h, v, lambda))
            end->version = ++r->versions;
    } else if (r->sleeps)
        fp_rows_evaluate_near(&end->rows, t, end->q, r->h, v, lambda);
    else if (!known)
        status = fp_rows_evaluate(&end->rows, t, end->q);
    end->known = !status;
    return status;
}

static End* start_of(Rattle* r) {
    return &r->end[r->start];
}

static End* finish_of(Rattle* r) {
    return &r->end[1 - r->start];
}

/* Stage 1: positions --------------------------------------------------------------------------- */

static FpStatus half_momentum(void* self, const double* v, double* p) {
    Rattle* r = self;
    const FpSystem* s = r->system;
    End* start = start_of(r);
    FpStatus status = s->ops->force(s->self, start->t, start->q, v, r->f_work);
    for (int j = 0; j < r->nv; j++) p[j] = r->momentum0[j] + r->h / 2 * r->f_work[j];
    return status;
}

/* Rows, their slopes and the end of the step are asked for with the same v: moved once. */
static bool is_moved(const Rattle* r, const double* v) {
    return r->moved && memcmp(r->v_moved, v, (size_t)r->nv * sizeof *v) == 0;
}

static bool move_to_end(Rattle* r, const double* v) {
    if (is_moved(r, v)) return true;
    memcpy(r->v_moved, v, (size_t)r->nv * sizeof *v);
    r->psi_known = false;
    r->moved = fp_midstep_move(&r->midstep, start_of(r)->q, v, r->h, finish_of(r)->q);
    return r->moved;
}

/* At the end of the step; the midpoint rule needs there those of velocity rows only. */
static void find_directions(Rattle* r, End* end) {
    for (int k = 0; k < end->rows.slip_count; k++) {
        const FpSlip* slip = &end->rows.slips[k];
        bool needed = !r->midpoint || fp_rows_is_held(&end->rows, slip);
        if (needed && r->impulse.takes_part[slip->slip_at])
            fp_rows_evaluate_slip(&end->rows, slip, end->t, end->q);
    }
}

/* Where the friction of the first stage finds its slip velocity: at the end of the step, or, for
 * the midpoint rule, where its forces act. */
static const FpRows* sliding_rows(Rattle* r) {
    return &(r->midpoint ? start_of(r) : finish_of(r))->rows;
}

/* h gamma of rows that slide, with the velocity v. */
static void find_ways(Rattle* r, const FpRows* rows, const double* v, double* psi) {
    for (int k = 0; k < rows->slip_count; k++) {
        const FpSlip* slip = &rows->slips[k];
        if (!r->impulse.takes_part[slip->slip_at]) continue;
        fp_rows_slip_rate(rows, slip, v, psi + slip->slip_at);
        for (int i = 0; i < slip->count; i++) psi[slip->slip_at + i] *= r->h;
    }
}

/* Velocity rows hold in the middle of the step: for the mean of the directions at both ends. */
static void find_held_ways(Rattle* r, const double* v, double* psi) {
    double other[FREEPLAY_SLIP_MAX];
    for (int k = 0; k < start_of(r)->rows.slip_count; k++) {
        const FpSlip* slip = &start_of(r)->rows.slips[k];
        double* way = psi + slip->slip_at;
        if (!fp_rows_is_held(&start_of(r)->rows, slip)) continue;
        fp_rows_slip_rate(&start_of(r)->rows, slip, v, way);
        fp_rows_slip_rate(&finish_of(r)->rows, slip, v, other);
        for (int i = 0; i < slip->count; i++) way[i] = r->h / 2 * (way[i] + other[i]);
    }
}

static void put_slip_slopes(Rattle* r, double* D) {
    const FpRows *start = &start_of(r)->rows, *finish = &finish_of(r)->rows;
    fp_rows_copy_slip_slopes(sliding_rows(r), D);
    for (int k = 0; k < start->slip_count; k++) {
        const FpSlip* slip = &start->slips[k];
        if (!fp_rows_is_held(start, slip)) continue;
        for (int e = slip->slope_at; e < slip->slope_at + slip->slope_count; e++)
            D[e] = (start->slopes[e] + finish->slopes[e]) / 2;
    }
}

static bool end_rows(void* self, const double* v, bool all, double* psi) {
    Rattle* r = self;
    End *start = start_of(r), *finish = finish_of(r);
    finish->known = false;
    bool woke = fp_rows_wake(&start->rows, start->t, start->q, r->h, v);
    bool with_asleep = all && start->rows.any_asleep;
    size_t size = (size_t)r->all * sizeof *psi;
    if (woke) fp_impulse_rows_woke(&r->impulse);
    if (r->psi_known && is_moved(r, v) && !woke && !with_asleep) {
        memcpy(psi, r->psi_end, size);
        return true;
    }
    if (!move_to_end(r, v)) return false;
    fp_rows_values(&start->rows, finish->t, finish->q, all, psi);
    if (r->all > r->nr) {
        find_directions(r, finish);
        find_ways(r, sliding_rows(r), v, psi);
        find_held_ways(r, v, psi);
    }
    memcpy(r->psi_end, psi, size);
    r->psi_known = !with_asleep;
    return true;
}

static void end_slopes(void* self, const double* v, double* D) {
    Rattle* r = self;
    End* finish = finish_of(r);
    bool known = is_moved(r, v); /* and so are the directions */
    (void)move_to_end(r, v);
    fp_rows_sweep(&finish->rows, finish->t, finish->q, r->psi, D);
    fp_midstep_turn(&r->midstep, &finish->rows, v, r->h, D);
    if (r->all == r->nr) return;
    if (!known) find_directions(r, finish);
    put_slip_slopes(r, D);
}

static const FpImpulseOps position_stage = {half_momentum, end_rows, end_slopes};

/* Everything that is there takes part. */
static void choose_all(Rattle* r) {
    FpImpulse* s = &r->impulse;
    for (int i = 0; i < r->nr; i++) s->takes_part[i] = s->rows->applies[i];
    fp_impulse_slip_follows(s);
}

static FpStatus pose_positions(Rattle* r, const FpState* state, double h, const FpNlp** nlp,
                               FpNlpPoint* point) {
    const FpSystem* sys = r->system;
    FpImpulse* s = &r->impulse;
    r->h = s->h = h;
    r->moved = false;
    if (is_at(r, finish_of(r), state->t, state->q)) r->start = 1 - r->start;
    memcpy(r->v0, state->v, (size_t)r->nv * sizeof *r->v0);
    FpStatus status = evaluate_end(r, start_of(r), state->t, state->q, r->v0, state->lambda);
    End* start = start_of(r);
    if (!status) status = sys->ops->force(sys->self, start->t, start->q, r->v0, start->f);
    if (status) return status;
    finish_of(r)->known = false;
    finish_of(r)->t = start->t + h;
    fp_mass_multiply(&start->mass, r->v0, r->momentum0);
    fp_rows_speeds(&start->rows, r->v0, r->rate0);
    s->rows = &start->rows;
    s->mass = &start->mass;
    s->version = start->version;
    memcpy(s->v_reference, r->v0, (size_t)r->nv * sizeof *r->v0);
    for (int j = 0; j < r->nv; j++) s->momentum[j] = r->momentum0[j] + h / 2 * start->f[j];
    fp_mass_solve(&start->mass, start->f, s->acceleration);
    fp_impulse_measure_gaps(s);
    fp_impulse_measure_ways(s, r->nr, r->v0);
    choose_all(r);
    for (int k = 0; k < start->rows.slip_count; k++) fp_impulse_continue(s, k, NULL);
    /* Half of the force of a whole step. An impact within a short step was a large force, which
     * does not go on: of the rows' solutions one far away would be found. */
    double shorter = r->cold ? 0 : fmin(1, state->h / h);
    for (int i = 0; i < r->all; i++) s->force[i] = shorter * state->lambda[i] / 2;
    return fp_impulse_pose(s, &position_stage, nlp, point);
}

/* Stage 2: velocities -------------------------------------------------------------------------- */

static bool impact_rows(void* self, const double* v, bool all, double* psi) {
    (void)all;
    Rattle* r = self;
    fp_rows_impact(&finish_of(r)->rows, r->h, v, r->rate0, psi);
    for (int k = 0; k < finish_of(r)->rows.slip_count; k++) {
        const FpSlip* slip = &finish_of(r)->rows.slips[k];
        if (!r->impulse.continues[k]) continue;
        memcpy(psi + slip->slip_at, r->ways + slip->slip_at, (size_t)slip->count * sizeof *psi);
    }
    return true;
}

static const FpImpulseOps velocity_stage = {NULL, impact_rows, NULL};

/* A contact that was closed before the step, and slid in its first half against all the friction
 * there is. */
static bool goes_on_sliding(const Rattle* r, const FpSlip* slip) {
    const FpRows* before = &r->end[r->start].rows;
    double P = r->lambda_half[slip->row], friction = 0, way = 0;
    if (!(before->gap[slip->row] <= TOUCHING * r->impulse.gap_unit[slip->row]) || !(P > 0))
        return false;
    for (int i = 0; i < slip->count; i++) {
        friction = hypot(friction, r->lambda_half[slip->slip_at + i]);
        way = hypot(way, r->ways[slip->slip_at + i]);
    }
    return way > 0 && friction >= (1 - FULL) * before->info[slip->row]->friction * P;
}

/* Sliding that goes on keeps its direction in the second half, theory.md (58). */
static void choose_law(Rattle* r) {
    const FpRows* rows = &finish_of(r)->rows;
    if (r->midpoint) find_ways(r, rows, r->v_half, r->ways);
    for (int k = 0; k < rows->slip_count; k++) {
        bool on = r->midpoint && !r->again && r->impulse.takes_part[rows->slips[k].slip_at] &&
                  !fp_rows_is_held(rows, &rows->slips[k]) && goes_on_sliding(r, &rows->slips[k]);
        fp_impulse_continue(&r->impulse, k, on ? r->lambda_half : NULL);
    }
}

/* Whether sliding that was to go on has stopped or turned back, or its contact has let go. */
static bool sliding_has_stopped(Rattle* r, const double* v, const double* lambda) {
    const FpRows* rows = &finish_of(r)->rows;
    for (int k = 0; k < rows->slip_count; k++) {
        const FpSlip* slip = &rows->slips[k];
        double gamma[FREEPLAY_SLIP_MAX], along = 0;
        if (!r->impulse.continues[k]) continue;
        fp_rows_slip_rate(rows, slip, v, gamma);
        for (int i = 0; i < slip->count; i++) along += gamma[i] * r->ways[slip->slip_at + i];
        if (!(along > 0) || lambda[slip->row] < r->lambda_half[slip->row]) return true;
    }
    return false;
}

/* Bilateral rows, and those that are closed at the end of the step. */
static void choose_closed(Rattle* r) {
    FpImpulse* s = &r->impulse;
    const FpRows* rows = s->rows;
    for (int i = 0; i < r->nr; i++) {
        bool bilateral = rows->info[i]->kind == FREEPLAY_ROW_BILATERAL;
        bool closed = rows->gap[i] <= TOUCHING * s->gap_unit[i] || r->lambda_half[i] > 0;
        s->takes_part[i] = rows->applies[i] && (bilateral || closed);
    }
    fp_impulse_slip_follows(s);
}

static FpStatus pose_velocities(Rattle* r, const FpNlp** nlp, FpNlpPoint* point) {
    const FpSystem* sys = r->system;
    FpImpulse* s = &r->impulse;
    End* finish = finish_of(r);
    double* q1 = finish->q;
    finish->known = false;
    FpStatus status = evaluate_end(r, finish, finish->t, q1, r->v_half, r->lambda_half);
    if (!status) status = sys->ops->force(sys->self, finish->t, q1, r->v_half, finish->f);
    if (status) return status;
    s->rows = &finish->rows;
    s->mass = &finish->mass;
    s->version = finish->version;
    memcpy(s->v_reference, r->v_half, (size_t)r->nv * sizeof *r->v_half);
    fp_mass_multiply(&finish->mass, r->v_half, s->momentum);
    for (int i = 0; i < r->all; i++) r->psi[i] = -r->h * r->lambda_half[i];
    fp_rows_add_forces(&finish->rows, r->psi, s->momentum);
    for (int j = 0; j < r->nv; j++) s->momentum[j] += r->h / 2 * finish->f[j];
    fp_mass_solve(&finish->mass, finish->f, s->acceleration);
    fp_impulse_measure_ways(s, 0, r->v0);
    choose_closed(r);
    choose_law(r);
    for (int i = 0; i < r->all; i++) s->force[i] = r->cold ? 0 : 2 * r->lambda_half[i];
    return fp_impulse_pose(s, &velocity_stage, nlp, point);
}

/* The scheme ----------------------------------------------------------------------------------- */

static FpStatus pose(void* self, int stage, const FpState* state, double h_lower, double h_upper,
                     const FpNlp** nlp, FpNlpPoint* point) {
    (void)h_lower;
    Rattle* r = self;
    *nlp = NULL;
    if (stage == 0) return pose_positions(r, state, h_upper, nlp, point);
    if (stage == 2 && !r->again) return FREEPLAY_OK;
    return pose_velocities(r, nlp, point);
}

static FpStatus take_positions(Rattle* r, const double* v, const double* lambda) {
    memcpy(r->v_half, v, (size_t)r->nv * sizeof *v);
    memcpy(r->lambda_half, lambda, (size_t)r->all * sizeof *lambda);
    r->again = false;
    return move_to_end(r, v) ? FREEPLAY_OK : FREEPLAY_NOT_FINITE;
}

static FpStatus take(void* self, int stage, const FpState* state, const FpNlpPoint* point,
                     FpState* next) {
    Rattle* r = self;
    const double *v = point->x, *lambda = point->x + r->nv;
    for (int j = 0; j < r->impulse.nlp.n; j++)
        if (!isfinite(point->x[j])) return FREEPLAY_NOT_FINITE;
    if (stage == 0) return take_positions(r, v, lambda);
    r->again = stage == 1 && sliding_has_stopped(r, v, lambda);
    next->h = r->h;
    next->lag = 0;
    memcpy(next->q, finish_of(r)->q, (size_t)r->system->q_count * sizeof *next->q);
    memcpy(next->v, v, (size_t)r->nv * sizeof *v);
    memcpy(next->lambda, lambda, (size_t)r->all * sizeof *lambda);
    r->wedged = fp_wedge_count(&r->wedge, &start_of(r)->rows, &start_of(r)->mass, r->rate0,
                               state->lambda, lambda);
    return FREEPLAY_OK;
}

static int wedged(void* self) {
    return ((const Rattle*)self)->wedged;
}

static void describe(void* self, int stage, int constraint, char* text, size_t size) {
    const Rattle* r = self;
    fp_impulse_describe(&r->impulse, stage == 0 ? "at the end of the step" : "its velocity",
                        constraint, text, size);
}

const FpSchemeOps fp_scheme_rattle = {
    .name = "rattle",
    .summary = "nonsmooth RATTLE, second order: gaps and impact law hold at the end of the step",
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

const FpSchemeOps fp_scheme_rattle_midpoint = {
    .name = "rattle-midpoint",
    .summary = "nonsmooth RATTLE, of second order also while the direction of slip turns",
    .has_contact_laws = true,
    .fixed_steps = true,
    .exact_rows = true,
    .stage_count = 3,
    .create = create_midpoint,
    .destroy = destroy,
    .pose = pose,
    .take = take,
    .wedged = wedged,
    .describe = describe,
};
