#include "bench/recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bench/timing.h"

enum { Q_AT = 2 }; /* behind t and h */

void recording_free(Recording* r) {
    free(r->states);
    *r = (Recording){0};
}

static FpStatus record(void* context, const FpState* state, const FpStepReport* report) {
    (void)report;
    Recording* r = context;
    if (r->count == r->room) {
        size_t room = 2 * r->room + 1024;
        double* larger = realloc(r->states, room * r->width * sizeof *larger);
        if (!larger) return FREEPLAY_OUT_OF_MEMORY;
        r->states = larger;
        r->room = room;
    }
    double* at = r->states + r->count++ * r->width;
    at[0] = state->t;
    at[1] = state->h;
    /* q, v and lambda of a state stand together. */
    memcpy(at + Q_AT, state->q, (r->width - Q_AT) * sizeof *at);
    return FREEPLAY_OK;
}

bool recording_make(const FpSystem* system, const FpStepperDef* def, double t_end, Recording* r,
                    FpMessage* message) {
    int forces = system->row_count + fp_system_slip_rows(system);
    *r = (Recording){.q_count = (size_t)system->q_count, .v_count = (size_t)system->v_count};
    r->width = Q_AT + r->q_count + r->v_count + (size_t)forces;
    FpStepper* stepper = fp_stepper_create(system, def, message);
    FpState* state = fp_state_create(system);
    FpObserver observer = {.context = r, .step = record};
    FpStatus status = FREEPLAY_OUT_OF_MEMORY;
    double started = timing_now();
    if (stepper && state)
        status = fp_simulate(stepper, state, t_end, &observer, &r->totals, message);
    if (!status) r->us_per_step = (timing_now() - started) / (double)r->totals.steps;
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    return !status;
}

RecordedState recording_state(const Recording* r, size_t index) {
    const double* at = r->states + index * r->width;
    const double *q = at + Q_AT, *v = q + r->q_count;
    return (RecordedState){.t = at[0], .h = at[1], .q = q, .v = v, .lambda = v + r->v_count};
}

static double largest(const Recording* r, size_t from, size_t count) {
    double size = 0;
    for (size_t k = 0; k < r->count; k++)
        for (size_t j = from; j < from + count; j++)
            size = fmax(size, fabs(r->states[k * r->width + j]));
    return size;
}

static double difference(const Recording* a, const Recording* b, size_t from, size_t count) {
    double largest_difference = 0;
    for (size_t k = 0; k < a->count; k++)
        for (size_t j = from; j < from + count; j++) {
            double d = a->states[k * a->width + j] - b->states[k * b->width + j];
            largest_difference = fmax(largest_difference, fabs(d));
        }
    double size = largest(a, from, count);
    return size > 0 ? largest_difference / size : largest_difference;
}

double recording_difference(const FpSystem* system, const Recording* a, const Recording* b) {
    size_t q = (size_t)system->q_count, v = (size_t)system->v_count;
    if (a->count != b->count) return NAN;
    for (size_t k = 0; k < a->count; k++)
        if (a->states[k * a->width] != b->states[k * b->width]) return NAN;
    return fmax(difference(a, b, Q_AT, q), difference(a, b, Q_AT + q, v));
}
