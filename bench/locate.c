#include "bench/locate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#define SHORT     1e-6 /* of the step: the one that takes an impact */
#define PRECISION 1e-7 /* of the step: of the instant of a contact, below SHORT */
#define CLOSED    1e-9 /* of the size of a row: its gap, at most, when it touches */
#define CAUTION   0.9  /* of the way to an instant that was too late */
enum { TRIALS = 60 };

void locate_destroy(Locator* l) {
    fp_stepper_destroy(l->stepper);
    fp_state_destroy(l->trial);
    fp_state_destroy(l->open);
    free(l->gaps);
    free(l->gaps_before);
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
                   .gaps = calloc(rows, sizeof(double)),
                   .gaps_before = calloc(rows, sizeof(double)),
                   .is_open = calloc(rows, sizeof(bool)),
                   .hits = calloc(rows, sizeof(bool))};
    if (l->stepper && l->trial && l->open && l->gaps && l->gaps_before && l->is_open && l->hits)
        return true;
    locate_destroy(l);
    return false;
}

/* The rows that are open and do not push. */
static void find_open(Locator* l, const FpState* state) {
    const FpSystem* s = l->system;
    fp_state_gaps(s, state, l->gaps_before);
    for (int c = 0, row = 0; c < s->constraint_count; c++)
        for (int i = 0; i < s->constraints[c]->row_count; i++, row++) {
            const FpRow* info = &s->constraints[c]->rows[i];
            double size = info->size > 0 ? info->size : s->scales.length;
            l->is_open[row] = info->kind == FREEPLAY_ROW_UNILATERAL && state->lambda[row] == 0 &&
                              l->gaps_before[row] > CLOSED * size;
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

/* When the first of the gaps that hit would close, along the secant through the start and the end
 * of the open step so far; INFINITY if none is closing. */
static double secant(const Locator* l, double t) {
    double first = INFINITY, length = l->open->t - t;
    for (int row = 0; row < l->system->row_count; row++) {
        double closed_by = l->gaps_before[row] - l->gaps[row];
        if (l->hits[row] && closed_by > 0)
            first = fmin(first, l->open->t + length * l->gaps[row] / closed_by);
    }
    return first;
}

/* The longest step from state that leaves all gaps open, in l->open, when one to `closed` does
 * not. */
static FpStatus approach(Locator* l, const FpState* state, double closed, FpStepReport* worst,
                         FpMessage* message) {
    double h = closed - state->t, late = closed;
    FpStepReport report;
    fp_state_copy(l->open, state);
    for (int k = 0; k < TRIALS && closed - l->open->t > PRECISION * h; k++) {
        double from = l->open->t, next = (from + closed) / 2;
        double guess = from > state->t ? secant(l, state->t) : INFINITY;
        /* Shortly before the secant's root; before that again, if that was too late. */
        if (guess < closed) next = fmax(guess - PRECISION * h / 2, from + PRECISION * h / 2);
        if (next >= late) next = from + CAUTION * (late - from);
        bool hit;
        FpStatus status = try_step(l, state, next, &hit, &report, message);
        if (status) return status;
        l->extra++;
        if (hit) {
            closed = late = next;
            continue;
        }
        fp_state_copy(l->open, l->trial);
        fp_state_gaps(l->system, l->open, l->gaps);
        late = closed;
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
