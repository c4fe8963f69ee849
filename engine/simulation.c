#include "engine/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "engine/events.h"

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct Run {
    FpStepper* stepper;
    const FpSystem* system;
    FpState *state, *before;
    const FpObserver* observer;
    FpEventFinder* finder;
    double* gaps;
    FpTotals* totals;
} Run;

/* Largest penetration and norm defect, of the state as it is. */
static void measure_state(Run* run) {
    FpTotals* totals = run->totals;
    fp_state_gaps(run->system, run->state, run->gaps);
    double penetration = fp_gaps_penetration(run->system, run->gaps);
    double defect = fp_state_norm_defect(run->system, run->state);
    totals->max_penetration = fmax(totals->max_penetration, penetration);
    totals->max_norm_defect = fmax(totals->max_norm_defect, defect);
}

static void add_report(FpTotals* totals, const FpStepReport* report) {
    bool ipopt = report->solver && strcmp(report->solver, "ipopt") == 0;
    totals->steps++;
    totals->rejected += report->rejected;
    totals->retried += report->retries;
    totals->iterations += report->iterations;
    if (ipopt)
        totals->solves_ipopt++;
    else
        totals->solves_structured++;
    totals->max_certificate = fmax(totals->max_certificate, report->certificate);
    totals->max_motion_residual = fmax(totals->max_motion_residual, report->motion);
    totals->wedged += report->wedged > 0;
    totals->audited += report->audited;
    totals->max_difference = fmax(totals->max_difference, report->audit_difference);
    totals->h_smallest = totals->steps == 1 ? report->h : fmin(totals->h_smallest, report->h);
    totals->h_largest = fmax(totals->h_largest, report->h);
}

static FpStatus show_step(const Run* run, const FpStepReport* report) {
    const FpObserver* o = run->observer;
    return o->step ? o->step(o->context, run->state, report) : FREEPLAY_OK;
}

static FpStatus refuse_departure(const Run* run, const FpEvent* event, FpMessage* message) {
    const FpConstraint* c = run->system->constraints[event->constraint];
    return fp_refuse(message, FREEPLAY_LEFT_JOINT,
                     "joint '%s', row %d (%s), has left what it slides on at t = %.9g s; make that "
                     "longer, or allow it with \"leaving\": \"allowed\"",
                     c->name, event->row, c->rows[event->row].label, event->t);
}

static FpStatus do_step(Run* run, double t_end, FpMessage* message) {
    FpStepReport report;
    fp_state_copy(run->before, run->state);
    FpStatus status = fp_stepper_step(run->stepper, run->state, t_end, &report, message);
    if (status) return status;
    add_report(run->totals, &report);
    measure_state(run);
    status = fp_event_finder_look(run->finder, run->before, run->state, run->observer);
    if (!status) status = show_step(run, &report);
    if (status)
        fp_refuse(message, status, "stopped by the observer at t = %.9g s: %s", run->state->t,
                  fp_status_text(status));
    const FpEvent* departure = fp_event_finder_departure(run->finder);
    return status || !departure ? status : refuse_departure(run, departure, message);
}

static FpStatus run_to_end(Run* run, double t_end, FpMessage* message) {
    double started = seconds_now();
    run->totals->initial = fp_state_energy(run->system, run->state);
    measure_state(run);
    FpStatus status = show_step(run, NULL);
    while (!status && run->state->t < t_end) status = do_step(run, t_end, message);
    FpStatus flushed = fp_event_finder_flush(run->finder, run->state, run->observer);
    run->totals->final = fp_state_energy(run->system, run->state);
    run->totals->wall_seconds = seconds_now() - started;
    return status ? status : flushed;
}

FpStatus fp_simulate(FpStepper* stepper, FpState* state, double t_end, const FpObserver* observer,
                     FpTotals* totals, FpMessage* message) {
    static const FpObserver nobody = {0};
    FpTotals local;
    const FpSystem* system = fp_stepper_system(stepper);
    Run run = {.stepper = stepper,
               .system = system,
               .state = state,
               .observer = observer ? observer : &nobody,
               .totals = totals ? totals : &local};
    *run.totals = (FpTotals){0};
    if (!isfinite(t_end) || t_end < state->t)
        return fp_refuse_field(message, "t_end", "must not be before t = %.9g s, is %.9g s",
                               state->t, t_end);
    run.before = fp_state_create(system);
    run.finder = fp_event_finder_create(system);
    run.gaps = calloc((size_t)system->row_count + 1, sizeof *run.gaps);
    FpStatus status = run.before && run.finder && run.gaps
                          ? run_to_end(&run, t_end, message)
                          : fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    fp_state_destroy(run.before);
    fp_event_finder_destroy(run.finder);
    free(run.gaps);
    return status;
}
