#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/model_impl.h"
#include "model/reader.h"
#include "model/wording.h"

/* A bound of the step size that is not given follows from what is: h_min = h (or h_max, if that is
 * less), h_max = 10 h_min. */
static const double default_h_max_over_h_min = 10;
static const double default_t_end = 1;

typedef int ListChoices(FpChoice* choices, int room);

static FpStatus refuse_choice(FpReader* reader, const FpNode* node, const char* wrong,
                              const FpChoice* choices, int count) {
    FpSuggestion suggestion = {.wrong = wrong};
    char list[200] = "";
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        fp_suggestion_offer(&suggestion, choices[i].name);
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s\"%s\"", i ? ", " : "",
                                     choices[i].name);
    }
    char hint[100];
    fp_suggestion_text(&suggestion, hint, sizeof hint);
    return fp_reader_refuse(reader, node, "there is no '%.60s'%s; possible: %s", wrong, hint, list);
}

/* One of the listed names, or of the default's, which need not be listed ("auto"). */
static FpStatus read_choice(FpReader* reader, const FpNode* node, ListChoices* list,
                            const char* fallback, char** chosen) {
    const char* name = fallback;
    FpStatus status = node->value ? fp_reader_text(reader, node, &name) : FREEPLAY_OK;
    if (status) return status;
    int count = list(NULL, 0);
    FpChoice* choices = calloc((size_t)count + 1, sizeof *choices);
    if (!choices) return fp_reader_out_of_memory(reader);
    list(choices, count);
    bool known = !strcmp(name, fallback);
    bool fallback_listed = false;
    for (int i = 0; i < count; i++) {
        known = known || !strcmp(name, choices[i].name);
        fallback_listed = fallback_listed || !strcmp(fallback, choices[i].name);
    }
    if (!fallback_listed) choices[count++].name = fallback;
    if (!known) status = refuse_choice(reader, node, name, choices, count);
    free(choices);
    if (status) return status;
    *chosen = strdup(name);
    return *chosen ? FREEPLAY_OK : fp_reader_out_of_memory(reader);
}

static FpStatus read_method(FpReader* reader, const FpNode* run) {
    FpModel* model = reader->model;
    FpStepperDef* stepper = &model->run.stepper;
    FpNode scheme = fp_node_member(run, "scheme"), step = fp_node_member(run, "step");
    FpNode solver = fp_node_member(run, "solver");
    FpStatus status = read_choice(reader, &scheme, fp_schemes, stepper->scheme, &model->scheme);
    if (!status)
        status = read_choice(reader, &step, fp_strategies, stepper->strategy, &model->strategy);
    if (!status) status = read_choice(reader, &solver, fp_solvers, "auto", &model->solver);
    if (status) return status;
    stepper->scheme = model->scheme;
    stepper->strategy = model->strategy;
    stepper->solver = model->solver;
    return FREEPLAY_OK;
}

static FpStatus read_rows(FpReader* reader, const FpNode* node, FpRowForm* rows) {
    static const FpChoice choices[] = {{"exact", ""}, {"linearized", ""}};
    const char* name;
    if (!node->value) return FREEPLAY_OK;
    FpStatus status = fp_reader_text(reader, node, &name);
    if (status) return status;
    if (!strcmp(name, "exact"))
        *rows = FREEPLAY_ROWS_EXACT;
    else if (!strcmp(name, "linearized"))
        *rows = FREEPLAY_ROWS_LINEARIZED;
    else
        return refuse_choice(reader, node, name, choices, 2);
    return FREEPLAY_OK;
}

static FpStatus read_time(FpReader* reader, const FpNode* run, const char* key, double* seconds) {
    FpNode node = fp_node_member(run, key);
    if (!node.value) return FREEPLAY_OK;
    FpStatus status = fp_reader_number(reader, &node, "s", seconds);
    if (status || *seconds > 0) return status;
    return fp_reader_refuse(reader, &node, "is %g s; it must be positive", *seconds);
}

static FpStatus read_step_sizes(FpReader* reader, const FpNode* run, FpStepperDef* stepper) {
    FpNode h_min = fp_node_member(run, "h_min"), h_max = fp_node_member(run, "h_max");
    FpStatus status = read_time(reader, run, "h", &stepper->h);
    if (!status) status = read_time(reader, run, "h_min", &stepper->h_min);
    if (!status) status = read_time(reader, run, "h_max", &stepper->h_max);
    if (status) return status;
    if (!h_min.value) stepper->h_min = h_max.value ? fmin(stepper->h, stepper->h_max) : stepper->h;
    if (!h_max.value) stepper->h_max = default_h_max_over_h_min * stepper->h_min;
    if (stepper->h_min <= stepper->h_max) return FREEPLAY_OK;
    return fp_reader_refuse(reader, &h_min, "h_min = %g s is above h_max = %g s; it must not be",
                            stepper->h_min, stepper->h_max);
}

FpStatus fp_read_run(FpReader* reader, const FpNode* root) {
    static const char* const keys[] = {"scheme", "step",  "solver", "rows",
                                       "h",      "h_min", "h_max",  "t_end"};
    FpRunDef* run_def = &reader->model->run;
    run_def->stepper = fp_stepper_def_default();
    run_def->t_end = default_t_end;
    FpNode run = fp_node_member(root, "run");
    FpNode rows = fp_node_member(&run, "rows");
    FpStatus status = FREEPLAY_OK;
    if (run.value) status = fp_reader_object(reader, &run, keys, sizeof keys / sizeof keys[0]);
    if (!status) status = read_method(reader, &run);
    if (!status) status = read_rows(reader, &rows, &run_def->stepper.rows);
    if (!status) status = read_step_sizes(reader, &run, &run_def->stepper);
    if (!status) status = read_time(reader, &run, "t_end", &run_def->t_end);
    return status;
}
