#include "bench/locate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Of the step. The one that takes an impact is not shorter, as the round-off of gaps over its
 * length becomes velocity. */
#define SHORT     1e-3
#define PRECISION 1e-5 /* of the step: of the instant of a contact, below SHORT */
#define CLOSED    1e-9 /* of the size of a row: its gap, at most, when it touches */
enum { TRIALS = 60 };

void locate_destroy(Locator* l) {
    fp_stepper_destroy(l->stepper);
    fp_state_destroy(l->trial);
    fp_state_destroy(l->open);
    fp_state_destroy(l->before);
    for (int k = 0; k < 3; k++) free(l->gaps[k]);
    free(l->is_open);
    free(l->hits);
    *l = (Locator){0};
}

bool locate_create(Locator* l, const FpSystem* system, const FpStepperDef* def,
                   FpMessage* message) {
    size_t rows = (size_t)system->row_count + 1;
    *l = (Locator){.system = system,
                   .stepper = fp_stepper_create(system, def, message),
                   .trial = fp_state_create(system),
                   .open = fp_state_create(system),
                   .before = fp_state_create(system),
                   .is_open = calloc(rows, sizeof(bool)),
                   .hits = calloc(rows, sizeof(bool))};
    bool made = l->stepper && l->trial && l->open && l->before && l->is_open && l->hits;
    for (int k = 0; k < 3; k++) made = (l->gaps[k] = calloc(rows, sizeof(double))) && made;
    if (made) return true;
    locate_destroy(l);
    return false;
}

/* The rows that are open and do not push. */
static void find_open(Locator* l, const FpState* state) {
    const FpSystem* s = l->system;
    fp_state_gaps(s, state, l->gaps[0]);
    for (int c = 0, row = 0; c < s->constraint_count; c++)
        for (int i = 0; i < s->constraints[c]->row_count; i++, row++) {
            const FpRow* info = &s->constraints[c]->rows[i];
            double size = info->size > 0 ? info->size : s->scales.length;
            l->is_open[row] = info->kind == FREEPLAY_ROW_UNILATERAL && state->lambda[row] == 0 &&
                              l->gaps[0][row] > CLOSED * size;
        }
}

static bool is_hit(const Locator* l, int row) {
    return l->is_open[row] && l->trial->lambda[row] > 0;
}

/* A step from state that ends at t_end at the latest. */
static FpStatus try_step(Locator* l, const FpState* state, double t_end, bool* any_hit,
                         FpStepReport* report, FpMessage* message) {
    fp_state_copy(l->trial, state);
    FpStatus status = fp_stepper_step(l->stepper, l->trial, t_end, report, message);
    *any_hit = false;
    for (int row = 0; row < l->system->row_count; row++) *any_hit = *any_hit || is_hit(l, row);
    for (int row = 0; row < l->system->row_count && *any_hit; row++) l->hits[row] = is_hit(l, row);
    return status;
}

/* When the first of the gaps that hit would close, along parabolas through the start and two open
 * ends; INFINITY if none is closing. */
static double next_root(const Locator* l, const FpState* start) {
    double first = INFINITY, a = l->open->t - start->t, b = l->before->t - start->t;
    for (int row = 0; row < l->system->row_count && b > 0; row++) {
        if (!l->hits[row]) continue;
        /* g = g0 + s (u + c s), as seen from the start */
        double g0 = l->gaps[0][row], to_a = (l->gaps[2][row] - g0) / a,
               to_b = (l->gaps[1][row] - g0) / b;
        double c = (to_a - to_b) / (a - b), u = to_a - c * a, D = u * u - 4 * c * g0;
        if (D > 0 && u < sqrt(D)) first = fmin(first, start->t + 2 * g0 / (sqrt(D) - u));
    }
    return first;
}

/* Now the longest open step. */
static void keep_open(Locator* l) {
    FpState* state = l->before;
    double* gaps = l->gaps[1];
    l->before = l->open;
    l->gaps[1] = l->gaps[2];
    l->open = state;
    l->gaps[2] = gaps;
    fp_state_copy(l->open, l->trial);
    fp_state_gaps(l->system, l->open, l->gaps[2]);
}

/* The longest step from state that leaves all gaps open, in l->open, when one to `closed` does
 * not. */
static FpStatus approach(Locator* l, const FpState* state, double closed, FpStepReport* worst,
                         FpMessage* message) {
    double precision = PRECISION * (closed - state->t);
    bool was_open = true;
    FpStepReport report;
    fp_state_copy(l->open, state);
    fp_state_copy(l->before, state);
    for (int k = 0; k < TRIALS && closed - l->open->t > precision; k++) {
        double from = l->open->t, next = (from + closed) / 2;
        double root = was_open ? next_root(l, state) : INFINITY;
        if (root < closed) next = fmax(root - precision / 4, from + precision / 2);
        /* The root was early by less than that. */
        if (was_open && next - from < precision) next = from + precision;
        if (next >= closed) next = (from + closed) / 2;
        bool hit;
        FpStatus status = try_step(l, state, next, &hit, &report, message);
        if (status) return status;
        l->extra++;
        was_open = !hit;
        if (hit)
            closed = next;
        else
            keep_open(l);
        worst->certificate = fmax(worst->certificate, report.certificate);
    }
    if (l->open->t > state->t) l->extra--; /* that one is kept */
    return FREEPLAY_OK;
}

FpStatus locate_step(Locator* l, FpState* state, double t_end, FpStepReport* report,
                     FpMessage* message) {
    bool hit;
    find_open(l, state);
    FpStatus status = try_step(l, state, t_end, &hit, report, message);
    if (status) return status;
    report->solves = 1;
    double closed = l->trial->t, h = closed - state->t;
    /* Nothing is cut from a step that is too short for it. */
    if (hit && PRECISION * h > 4 * DBL_EPSILON * closed) {
        l->extra++;
        l->contacts++;
        report->certificate = 0;
        status = approach(l, state, closed, report, message);
        if (status) return status;
        FpStepReport impact;
        report->solves += l->open->t > state->t;
        status = try_step(l, l->open, l->open->t + SHORT * h, &hit, &impact, message);
        if (status) return status;
        report->certificate = fmax(report->certificate, impact.certificate);
    }
    fp_state_copy(state, l->trial);
    return FREEPLAY_OK;
}
