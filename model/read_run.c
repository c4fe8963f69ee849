#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "model/model_impl.h"
#include "model/reader.h"

/* A bound of the step size that is not given follows from what is: h_max = h, or h_min if that is
 * more; h_min = h_max / 10. */
static const double default_h_max_over_h_min = 10;
static const double default_t_end = 1;

typedef int ListChoices(FpChoice* choices, int room);

/* The index of a name among the choices. */
static FpStatus find_choice(FpReader* reader, const FpNode* node, ListChoices* list,
                            const char* name, int* index) {
    int count = list(NULL, 0);
    FpChoice* choices = calloc((size_t)count + 1, sizeof *choices);
    if (!choices) return fp_reader_out_of_memory(reader);
    list(choices, count);
    FpSuggestion suggestion = {.wrong = name};
    *index = -1;
    for (int i = 0; i < count; i++) {
        if (!strcmp(name, choices[i].name)) *index = i;
        fp_suggestion_offer(&suggestion, choices[i].name);
    }
    free(choices);
    return *index >= 0 ? FREEPLAY_OK : fp_reader_refuse_choice(reader, node, &suggestion);
}

static FpStatus read_choice(FpReader* reader, const FpNode* node, ListChoices* list,
                            const char* fallback, char** chosen) {
    const char* name = fallback;
    int index;
    FpStatus status = FREEPLAY_OK;
    if (node->value) {
        status = fp_reader_text(reader, node, &name);
        if (!status) status = find_choice(reader, node, list, name, &index);
    }
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
    if (!status) status = read_choice(reader, &solver, fp_solvers, stepper->solver, &model->solver);
    if (status) return status;
    stepper->scheme = model->scheme;
    stepper->strategy = model->strategy;
    stepper->solver = model->solver;
    return FREEPLAY_OK;
}

static FpStatus read_rows(FpReader* reader, const FpNode* node, FpRowForm* rows) {
    const char* name;
    int index;
    if (!node->value) return FREEPLAY_OK;
    FpStatus status = fp_reader_text(reader, node, &name);
    if (!status) status = find_choice(reader, node, fp_row_forms, name, &index);
    if (!status) *rows = (FpRowForm)index;
    return status;
}

/* Of scheme moreau; other schemes do not look at them. */
static FpStatus read_moreau(FpReader* reader, const FpNode* run, FpStepperDef* stepper) {
    FpNode theta = fp_node_member(run, "theta"), projection = fp_node_member(run, "projection");
    FpStatus status = FREEPLAY_OK;
    if (theta.value) status = fp_reader_number(reader, &theta, "1", &stepper->theta);
    if (!status && !(stepper->theta >= 0 && stepper->theta <= 1))
        status = fp_reader_refuse(reader, &theta, "is %g; it must be from 0 to 1", stepper->theta);
    if (!status && projection.value)
        status = fp_reader_flag(reader, &projection, &stepper->projection);
    return status;
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
    if (!h_max.value) stepper->h_max = h_min.value ? fmax(stepper->h, stepper->h_min) : stepper->h;
    if (!h_min.value) stepper->h_min = stepper->h_max / default_h_max_over_h_min;
    if (stepper->h_min <= stepper->h_max) return FREEPLAY_OK;
    return fp_reader_refuse(reader, &h_min, "is %g s, above h_max, which is %g s; it must not be",
                            stepper->h_min, stepper->h_max);
}

FpStatus fp_read_run(FpReader* reader, const FpNode* root) {
    static const char* const keys[] = {"scheme",     "step", "solver", "rows",  "theta",
                                       "projection", "h",    "h_min",  "h_max", "t_end"};
    FpRunDef* run_def = &reader->model->run;
    run_def->stepper = fp_stepper_def_default();
    run_def->t_end = default_t_end;
    FpNode run = fp_node_member(root, "run");
    FpNode rows = fp_node_member(&run, "rows");
    FpStatus status = FREEPLAY_OK;
    if (run.value) status = fp_reader_object(reader, &run, keys, sizeof keys / sizeof keys[0]);
    if (!status) status = read_method(reader, &run);
    if (!status) status = read_rows(reader, &rows, &run_def->stepper.rows);
    if (!status) status = read_moreau(reader, &run, &run_def->stepper);
    if (!status) status = read_step_sizes(reader, &run, &run_def->stepper);
    if (!status) status = read_time(reader, &run, "t_end", &run_def->t_end);
    return status;
}
