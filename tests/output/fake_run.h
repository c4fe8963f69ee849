/* A run without an engine: one block of two coordinates x and y, which are also the gaps of the two
 * rows of one constraint, and an empty folder to write into. */
#ifndef FREEPLAY_TESTS_OUTPUT_FAKE_RUN_H
#define FREEPLAY_TESTS_OUTPUT_FAKE_RUN_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "output/run_files.h"

static inline double fake_kinetic_energy(const void* self, const double* q, const double* v) {
    (void)self, (void)q;
    return v[0] * v[0];
}

static inline double fake_potential_energy(const void* self, double t, const double* q) {
    (void)self, (void)t;
    return -q[1];
}

static inline double fake_power(const void* self, double t, const double* q, const double* v) {
    (void)self, (void)t, (void)q;
    return 8.0 * v[1];
}

static inline void fake_coordinate_name(const void* self, int block, int index, char* text,
                                        size_t size) {
    (void)self, (void)block;
    snprintf(text, size, "bob.%c", "xy"[index]);
}

static inline void fake_velocity_name(const void* self, int block, int index, char* text,
                                      size_t size) {
    (void)self, (void)block;
    snprintf(text, size, "bob.v%c", "xy"[index]);
}

/* Any number of rows: x, y, x, y, ... */
static inline void fake_value(const FpConstraint* c, double t, const double* const q[],
                              double* psi) {
    (void)t;
    for (int i = 0; i < c->row_count; i++) psi[i] = q[0][i % 2];
}

#define FAKE_ROWS_MAX 40

typedef struct FakeRun {
    FpSystemOps system_ops;
    FpConstraintOps constraint_ops;
    FpBlock block;
    FpRow rows[FAKE_ROWS_MAX];
    FpConstraint constraint;
    FpConstraint* constraints[1];
    double q_initial[2], v_initial[2];
    FpSystem system;
    FpState* state;
    FpRunSummary summary;
    FpMessage message;
    char folder[64]; /* exists, empty */
} FakeRun;

/* Components of slip of every row: friction, unless none of them has any. */
static inline void fake_set_slips(FakeRun* run, int count, const int* slip_counts) {
    for (int i = 0; i < count; i++) run->rows[i].slip_count = slip_counts[i];
    fp_state_destroy(run->state);
    run->state = fp_state_create(&run->system);
}

static inline void fake_set_rows(FakeRun* run, int count) {
    for (int i = 0; i < count; i++)
        run->rows[i] = (FpRow){
            .kind = FREEPLAY_ROW_UNILATERAL, .size = 1e-3, .label = i % 2 ? "axial" : "radial"};
    run->constraint.row_count = count;
    run->system.row_count = count;
    run->system.constraint_count = count > 0 ? 1 : 0;
    fp_state_destroy(run->state);
    run->state = fp_state_create(&run->system);
}

static inline FakeRun* fake_run_create(void) {
    static char name[] = "pin";
    FakeRun* run = calloc(1, sizeof *run);
    if (!run) abort();
    run->system_ops = (FpSystemOps){.name = "fake",
                                    .kinetic_energy = fake_kinetic_energy,
                                    .potential_energy = fake_potential_energy,
                                    .power = fake_power,
                                    .coordinate_name = fake_coordinate_name,
                                    .velocity_name = fake_velocity_name};
    run->constraint_ops = (FpConstraintOps){.value = fake_value};
    run->block = (FpBlock){.q_count = 2, .v_count = 2};
    run->constraint = (FpConstraint){
        .ops = &run->constraint_ops, .name = name, .block_count = 1, .rows = run->rows};
    run->constraints[0] = &run->constraint;
    run->system = (FpSystem){.ops = &run->system_ops,
                             .block_count = 1,
                             .blocks = &run->block,
                             .q_count = 2,
                             .v_count = 2,
                             .constraints = run->constraints,
                             .scales = {1.0, 1.0},
                             .q_initial = run->q_initial,
                             .v_initial = run->v_initial};
    run->summary = (FpRunSummary){.status = FREEPLAY_OK,
                                  .reason = "",
                                  .model = "fake",
                                  .scheme = "gauss",
                                  .solver = "auto",
                                  .rows = "exact",
                                  .step = "fixed",
                                  .t_end = 1.0};
    fake_set_rows(run, 2);
    snprintf(run->folder, sizeof run->folder, "run_XXXXXX");
    if (!mkdtemp(run->folder)) abort();
    return run;
}

static inline void remove_all(const char* path) {
    DIR* directory = opendir(path);
    for (struct dirent* entry; directory && (entry = readdir(directory));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        size_t size = strlen(path) + strlen(entry->d_name) + 2;
        char* inner = malloc(size);
        if (!inner) abort();
        snprintf(inner, size, "%s/%s", path, entry->d_name);
        remove_all(inner);
        free(inner);
    }
    if (directory) closedir(directory);
    remove(path);
}

static inline void fake_run_destroy(FakeRun* run) {
    remove_all(run->folder);
    fp_state_destroy(run->state);
    free(run);
}

static inline FpStatus fake_open(FakeRun* run, const char* directory, long every,
                                 FpRunFiles** files) {
    FpRunFilesDef def = {.directory = directory, .every = every};
    return fp_run_files_open(&run->system, &def, files, &run->message);
}

/* Shows run->state, the initial one or an accepted step. */
static inline FpStatus fake_show(FakeRun* run, FpRunFiles* files) {
    FpObserver observer = fp_run_files_observer(files);
    FpStepReport report = {.h = run->state->h};
    return observer.step(observer.context, run->state, run->state->step > 0 ? &report : NULL);
}

/* The initial state and `steps` steps of h = 1/8 s, first order, with forces of 1 N and 2 N in
 * every row and of -1 N, -2 N, ... in every component of friction. */
static inline FpStatus fake_show_steps(FakeRun* run, FpRunFiles* files, int steps) {
    FpStatus status = fake_show(run, files);
    for (int k = 1; k <= steps && status == FREEPLAY_OK; k++) {
        run->state->step = k;
        run->state->t = 0.125 * k;
        run->state->h = run->state->lag = 0.125;
        for (int i = 0; i < run->state->row_count; i++) run->state->lambda[i] = 1.0 + i % 2;
        for (int i = 0; i < run->state->slip_count; i++)
            run->state->lambda[run->state->row_count + i] = -1.0 - i;
        status = fake_show(run, files);
    }
    run->summary.totals.steps = steps;
    return status;
}

/* NULL if there is no such file. To be freed. */
static inline char* read_text(const char* folder, const char* name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* stream = fopen(path, "rb");
    if (!stream) return NULL;
    size_t size = 0, room = 1 << 16;
    char* text = malloc(room);
    for (size_t got; text && (got = fread(text + size, 1, room - size - 1, stream)) > 0;) {
        size += got;
        if (size + 1 == room) text = realloc(text, room *= 2);
    }
    fclose(stream);
    if (!text) abort();
    text[size] = '\0';
    return text;
}

static inline bool file_exists(const char* folder, const char* name) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static inline void write_text(const char* folder, const char* name, const char* text) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* stream = fopen(path, "wb");
    if (!stream || fputs(text, stream) < 0 || fclose(stream) != 0) abort();
}

#endif
