#include "bench/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "bench/locate.h"
#include "bench/recording.h"
#include "bench/timing.h"

/* Energy and gaps of the states of one run. */
typedef struct Watch {
    double lowest; /* energy so far */
    double* gaps;
} Watch;

static void watch_state(Watch* w, const FpSystem* s, const FpState* state, Measured* m) {
    FpEnergy energy = fp_state_energy(s, state);
    w->lowest = fmin(w->lowest, energy.total);
    m->energy_rise = fmax(m->energy_rise, energy.total - w->lowest);
    m->energy_error = fmax(m->energy_error, fabs(energy.total - m->energy));
    m->kinetic = fmax(m->kinetic, energy.kinetic);
    m->norm_defect = fmax(m->norm_defect, fp_state_norm_defect(s, state));
    fp_state_gaps(s, state, w->gaps);
    m->penetration = fmax(m->penetration, fp_gaps_penetration(s, w->gaps));
}

static void add_report(Measured* m, const FpStepReport* report) {
    m->steps++;
    m->rejected += report->rejected;
    m->retries += report->retries;
    m->fallbacks += strcmp(report->solver, "structured") != 0;
    m->certificate = fmax(m->certificate, report->certificate);
}

static FpStatus timed_step(const Measure* measure, Locator* locator, FpState* state,
                           FpStepReport* report, double* us, FpMessage* message) {
    double started = timing_now();
    FpStatus status =
        measure->located
            ? locate_step(locator, state, measure->t_end, report, message)
            : fp_stepper_step(locator->stepper, state, measure->t_end, report, message);
    *us = timing_now() - started;
    return status;
}

static bool run_once(const Measure* measure, Measured* m, Timing* times, FpMessage* message) {
    const FpSystem* s = measure->system;
    Locator locator;
    if (!locate_create(&locator, s, &measure->def, message)) return false;
    FpState* state = fp_state_create(s);
    Watch watch = {INFINITY, calloc((size_t)s->row_count + 1, sizeof(double))};
    bool fine = state && watch.gaps;
    if (fine) {
        m->energy = fp_state_energy(s, state).total;
        watch_state(&watch, s, state, m);
    }
    while (fine && state->t < measure->t_end) {
        FpStepReport report;
        double us;
        fine = !timed_step(measure, &locator, state, &report, &us, message);
        if (!fine) break;
        fine = timing_add(times, us);
        add_report(m, &report);
        watch_state(&watch, s, state, m);
    }
    m->contacts = locator.contacts;
    m->extra = locator.extra;
    m->end = state;
    free(watch.gaps);
    locate_destroy(&locator);
    return fine;
}

static bool record(const Measure* measure, Measured* m, FpMessage* message) {
    Recording run;
    bool fine = recording_make(measure->system, &measure->def, measure->t_end, &run, message);
    if (fine) m->us_recorded = fmin(m->us_recorded, run.us_per_step);
    recording_free(&run);
    return fine;
}

/* Nothing but steps: not even a look at the clock after each. */
static bool run_bare(const Measure* measure, Measured* m, FpMessage* message) {
    FpStepper* stepper = fp_stepper_create(measure->system, &measure->def, message);
    FpState* state = fp_state_create(measure->system);
    bool fine = stepper && state;
    double started = timing_now();
    while (fine && state->t < measure->t_end)
        fine = !fp_stepper_step(stepper, state, measure->t_end, NULL, message);
    double us = timing_now() - started;
    if (fine) m->us_bare = fmin(m->us_bare, us / (double)state->step);
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    return fine;
}

/* One more run; its times if it was the fastest. */
static bool repeat(const Measure* measure, Measured* m, FpMessage* message) {
    Timing times = {0};
    Measured last = *m;
    fp_state_destroy(m->end);
    *m = (Measured){.us_recorded = last.us_recorded, .us_bare = last.us_bare};
    bool fine = run_once(measure, m, &times, message);
    TimingSummary us = {last.us_min, last.us_median, last.us_mean};
    TimingSummary now = times.count ? timing_finish(&times) : us;
    if (now.mean < us.mean) us = now;
    m->us_min = us.min;
    m->us_median = us.median;
    m->us_mean = us.mean;
    if (!fine || !measure->recorded) return fine;
    return record(measure, m, message) && run_bare(measure, m, message);
}

bool measure_run(const Measure* measure, Measured* m, FpMessage* message) {
    bool fine = true;
    *m = (Measured){.us_mean = INFINITY, .us_recorded = INFINITY, .us_bare = INFINITY};
    for (int k = 0; k < measure->repeats && fine; k++) fine = repeat(measure, m, message);
    if (!measure->recorded) m->us_recorded = m->us_bare = NAN;
    if (fine) return true;
    fp_state_destroy(m->end);
    m->end = NULL;
    return false;
}
