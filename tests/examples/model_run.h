/* Runs an example model with other parameters and keeps what happened. */
#ifndef FREEPLAY_TESTS_MODEL_RUN_H
#define FREEPLAY_TESTS_MODEL_RUN_H

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/support.h"

#include "freeplay.h"

enum { MODEL_RUN_EVENTS = 64, MODEL_RUN_SETTINGS = 8 };

typedef struct ModelRun {
    FpModel* model;
    const FpSystem* system;
    FpState* state; /* at the end */
    FpTotals totals;
    FpEvent events[MODEL_RUN_EVENTS];
    int event_count;
    /* Called with every state, unless NULL. */
    void (*watch)(struct ModelRun* run, const FpState* state);
    void* context;
    FpStepperDef stepper; /* those of the model until changed */
    double t_end;
} ModelRun;

/* A name without folder is an example's. Settings are "NAME=VALUE", NULL at the end. */
static inline ModelRun* model_run_load(const char* name, const char* const* settings) {
    char path[512];
    char names[MODEL_RUN_SETTINGS][64];
    FpSetting parsed[MODEL_RUN_SETTINGS];
    int count = 0;
    for (; settings && settings[count]; count++) {
        const char* equals = strchr(settings[count], '=');
        size_t length = (size_t)(equals - settings[count]);
        memcpy(names[count], settings[count], length);
        names[count][length] = '\0';
        parsed[count] = (FpSetting){names[count], equals + 1};
    }
    snprintf(path, sizeof path, "%s/%s%s.json", FREEPLAY_SOURCE_DIR,
             strchr(name, '/') ? "" : "examples/", name);
    ModelRun* run = calloc(1, sizeof *run);
    FpMessage message = {0};
    if (fp_model_load(path, count, parsed, &run->model, &message)) fail_msg("%s", message.text);
    run->system = fp_model_system(run->model);
    run->state = fp_state_create(run->system);
    run->stepper = fp_model_run(run->model).stepper;
    run->t_end = fp_model_run(run->model).t_end;
    return run;
}

static inline FpStatus model_run_step(void* context, const FpState* state,
                                      const FpStepReport* report) {
    (void)report;
    ModelRun* run = context;
    if (run->watch) run->watch(run, state);
    return FREEPLAY_OK;
}

static inline FpStatus model_run_event(void* context, const FpEvent* event) {
    ModelRun* run = context;
    if (run->event_count < MODEL_RUN_EVENTS) run->events[run->event_count++] = *event;
    return FREEPLAY_OK;
}

/* Simulates to t_end; every step is certified, or the test fails. */
static inline void model_run_go(ModelRun* run) {
    FpMessage message = {0};
    FpStepper* stepper = fp_stepper_create(run->system, &run->stepper, &message);
    if (!stepper) fail_msg("%s", message.text);
    FpObserver observer = {.context = run, .step = model_run_step, .event = model_run_event};
    FpStatus status =
        fp_simulate(stepper, run->state, run->t_end, &observer, &run->totals, &message);
    if (status) fail_msg("%s", message.text);
    fp_stepper_destroy(stepper);
    assert_true(run->totals.max_certificate <= 1e-9);
    assert_true(run->totals.max_motion_residual <= 1e-9);
}

static inline void model_run_free(ModelRun* run) {
    fp_state_destroy(run->state);
    fp_model_destroy(run->model);
    free(run);
}

/* The same with a fixed step, in one go. */
static inline ModelRun* model_run_fixed(const char* name, const char* const* settings, double h,
                                        double t_end) {
    ModelRun* run = model_run_load(name, settings);
    run->stepper.h = h;
    run->t_end = t_end;
    model_run_go(run);
    return run;
}

#endif
