/* freeplay_bench: named scenes, each run by Ipopt with cold and with warm starts and by auto, and
 * what a step costs together with how exact it is. */
#include <freeplay.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench/recording.h"
#include "bench/timing.h"

#ifndef FREEPLAY_EXAMPLES_DIR
#define FREEPLAY_EXAMPLES_DIR "examples"
#endif

enum { EXIT_USAGE = 2 };

/* The scenes --------------------------------------------------------------------------------- */

static void as_in_file(FpStepperDef* def) {
    (void)def;
}

static void linearized_rows(FpStepperDef* def) {
    def->rows = FREEPLAY_ROWS_LINEARIZED;
}

static void gauss_step(FpStepperDef* def) {
    def->strategy = "gauss";
    def->h_min = 0.2e-3;
    def->h_max = 1e-3;
}

typedef struct Scene {
    const char* name;
    const char* model; /* FILE of --models, without .json */
    void (*vary)(FpStepperDef* def);
    const char* summary;
} Scene;

static const Scene scenes[] = {
    {"revolute_pendulum", "revolute_pendulum", as_in_file,
     "centre of mass beside the hinge; fixed h, exact rows"},
    {"revolute_pendulum_linearized", "revolute_pendulum", linearized_rows,
     "the same with linearized rows"},
    {"revolute_pendulum_gauss_step", "revolute_pendulum", gauss_step,
     "the same with h chosen in [0.2 ms, 1 ms]"},
    {"pendulum_clearance", "pendulum_clearance", as_in_file,
     "hangs symmetrically on its pin; fixed h, exact rows"},
    {"pendulum_clearance_linearized", "pendulum_clearance", linearized_rows,
     "the same with linearized rows"},
    {"pendulum_clearance_gauss_step", "pendulum_clearance", gauss_step,
     "the same with h chosen in [0.2 ms, 1 ms]"},
    {"pendulum_ideal", "pendulum_ideal", as_in_file, "its ideal twin: 5 bilateral rows"},
    {"cylindrical_slider", "cylindrical_slider", as_in_file, "tilted sleeve, 2 contacts"},
    {"prismatic_slider", "prismatic_slider", as_in_file, "triangular prism, 12 rows, rank 5"},
    {"ball_and_socket", "ball_and_socket", as_in_file, "spinning arm, 1 row"},
    {"slider_crank", "slider_crank", as_in_file, "3 bodies, all joints loose, driven: 29 rows"},
};
enum { SCENE_COUNT = sizeof scenes / sizeof scenes[0] };

static const Scene* find_scene(const char* name) {
    for (int i = 0; i < SCENE_COUNT; i++)
        if (strcmp(scenes[i].name, name) == 0) return &scenes[i];
    return NULL;
}

/* The options -------------------------------------------------------------------------------- */

typedef struct Options {
    bool selected[SCENE_COUNT], any_selected;
    const char *models, *csv;
    double t_end; /* s; 0: as in the model, at most 2 s */
    long repeat;
    bool memory, scenes_only; /* scenes_only: an option that --memory has no use for */
} Options;

static void print_help(void) {
    puts("usage: freeplay_bench [OPTION]...\n"
         "Runs scenes by Ipopt, cold and warm started, and by solver auto; reports time per step\n"
         "and accuracy.\n"
         "\n"
         "  --list         names the scenes\n"
         "  --scene NAME   runs this scene only; may be repeated\n"
         "  --t-end T      simulated time of each run (default: as in the model, at most 2 s)\n"
         "  --repeat K     runs each scene K times, the solvers in turn (default: 1)\n"
         "  --models DIR   folder of the model files (default: " FREEPLAY_EXAMPLES_DIR ")\n"
         "  --csv FILE     writes the table as CSV, too\n"
         "  --memory       instead, resident memory over 100000 steps of revolute_pendulum\n"
         "  --help         shows this");
}

static void print_list(void) {
    for (int i = 0; i < SCENE_COUNT; i++) printf("%-30s %s\n", scenes[i].name, scenes[i].summary);
}

static void usage_error(const char* option, const char* reason) {
    fprintf(stderr, "freeplay_bench: %s: %s; see freeplay_bench --help\n", option, reason);
    exit(EXIT_USAGE);
}

static void select_scene(Options* options, const char* name) {
    const Scene* scene = find_scene(name);
    if (!scene) usage_error(name, "no such scene; --list names them");
    options->selected[scene - scenes] = options->any_selected = true;
}

static double read_time(const char* option, const char* text) {
    double seconds = 0;
    FpMessage message = {0};
    if (fp_quantity_parse(text, "s", &seconds, &message)) usage_error(option, message.text);
    if (!isfinite(seconds) || seconds <= 0) usage_error(option, "must be a time > 0");
    return seconds;
}

static long read_count(const char* option, const char* text) {
    char* end;
    long count = strtol(text, &end, 10);
    if (end == text || *end || count < 1 || count > 1000)
        usage_error(option, "must be a whole number from 1 to 1000");
    return count;
}

static void read_valued_option(Options* options, const char* option, const char* value) {
    bool scene = strcmp(option, "--scene") == 0, t_end = strcmp(option, "--t-end") == 0;
    bool repeat = strcmp(option, "--repeat") == 0, models = strcmp(option, "--models") == 0;
    bool csv = strcmp(option, "--csv") == 0;
    if (!scene && !t_end && !repeat && !models && !csv) usage_error(option, "unknown option");
    if (!value) usage_error(option, "needs a value");
    if (scene) select_scene(options, value);
    if (t_end) options->t_end = read_time(option, value);
    if (repeat) options->repeat = read_count(option, value);
    if (models) options->models = value;
    if (csv) options->csv = value;
    options->scenes_only |= scene || t_end || repeat;
}

static Options read_options(int argc, char** argv) {
    Options options = {.models = FREEPLAY_EXAMPLES_DIR, .repeat = 1};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            print_help();
            exit(EXIT_SUCCESS);
        } else if (strcmp(argv[i], "--list") == 0) {
            print_list();
            exit(EXIT_SUCCESS);
        } else if (strcmp(argv[i], "--memory") == 0) {
            options.memory = true;
        } else {
            read_valued_option(&options, argv[i], argv[i + 1]);
            i++;
        }
    }
    if (options.memory && options.scenes_only)
        usage_error("--memory", "goes with --models and --csv only");
    return options;
}

/* Measuring ---------------------------------------------------------------------------------- */

/* Of one scene and mode, over all repeats; maxima over all states. */
typedef struct Result {
    double steps; /* of one run */
    double us_min, us_median, us_mean;
    double iterations; /* per step */
    double rejected, retries;
    double certificate, motion, primal; /* scaled */
    double penetration;                 /* m */
    double norm_defect;
    double engine;     /* us a step of whole runs recorded to memory, the fastest of them */
    double difference; /* of the states from those of the mode before, relative; NAN in the first */
    double ratio;      /* of engine to that of the mode before; NAN in the first */
} Result;

static void fail(const char* what, const char* reason) {
    fprintf(stderr, "freeplay_bench: %s: %s\n", what, reason);
    exit(EXIT_FAILURE);
}

static void* check_memory(void* memory) {
    if (!memory) fail("out of memory", "cannot measure");
    return memory;
}

static void add_time(Timing* times, double us) {
    if (!timing_add(times, us)) fail("out of memory", "cannot measure");
}

static void finish_times(Timing* times, Result* result) {
    TimingSummary us = timing_finish(times);
    result->us_min = us.min;
    result->us_median = us.median;
    result->us_mean = us.mean;
}

static FpModel* load_model(const char* folder, const char* name) {
    char path[4096];
    FpModel* model;
    FpMessage message = {0};
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    if (fp_model_load(path, 0, NULL, &model, &message)) fail("model refused", message.text);
    return model;
}

static FpStepper* create_stepper(const FpSystem* system, const FpStepperDef* def) {
    FpMessage message = {0};
    FpStepper* stepper = fp_stepper_create(system, def, &message);
    if (!stepper) fail(message.field, message.text);
    return stepper;
}

/* Steps once and returns how long that took. */
static double timed_step(FpStepper* stepper, FpState* state, double t_end, FpStepReport* report) {
    FpMessage message = {0};
    double started = timing_now();
    FpStatus status = fp_stepper_step(stepper, state, t_end, report, &message);
    double us = timing_now() - started;
    if (status) fail(fp_status_text(status), message.text);
    return us;
}

static void add_report(Result* result, const FpStepReport* report) {
    result->iterations += report->iterations;
    result->rejected += report->rejected;
    result->retries += report->retries;
    result->certificate = fmax(result->certificate, report->certificate);
    result->motion = fmax(result->motion, report->motion);
    result->primal = fmax(result->primal, report->primal);
}

static void add_state(Result* result, const FpSystem* system, const FpState* state, double* gaps) {
    fp_state_gaps(system, state, gaps);
    result->penetration = fmax(result->penetration, fp_gaps_penetration(system, gaps));
    result->norm_defect = fmax(result->norm_defect, fp_state_norm_defect(system, state));
}

static void run_once(const FpSystem* system, const FpStepperDef* def, double t_end, Timing* times,
                     Result* result) {
    FpStepper* stepper = create_stepper(system, def);
    FpState* state = check_memory(fp_state_create(system));
    double* gaps = check_memory(calloc((size_t)system->row_count + 1, sizeof *gaps));
    while (state->t < t_end) {
        FpStepReport report;
        add_time(times, timed_step(stepper, state, t_end, &report));
        add_report(result, &report);
        add_state(result, system, state, gaps);
    }
    free(gaps);
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
}

enum { COLD, WARM, AUTO, MODE_COUNT };
static const char* const mode_names[] = {"ipopt cold", "ipopt warm", "auto"};

/* The same runs by the whole engine, recorded to memory and compared. */
static void record_runs(const FpSystem* system, const FpStepperDef* def, double t_end,
                        Result results[MODE_COUNT]) {
    Recording runs[MODE_COUNT];
    FpStepperDef of_mode = *def;
    FpMessage message = {0};
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        of_mode.cold_start = mode == COLD;
        of_mode.solver = mode == AUTO ? "auto" : "ipopt";
        if (!recording_make(system, &of_mode, t_end, &runs[mode], &message))
            fail("recorded run", message.text);
        double us = runs[mode].us_per_step, best = results[mode].engine;
        results[mode].engine = best > 0 ? fmin(best, us) : us;
        results[mode].difference =
            mode == COLD ? NAN : recording_difference(system, &runs[mode], &runs[mode - 1]);
    }
    for (int mode = 0; mode < MODE_COUNT; mode++) recording_free(&runs[mode]);
}

/* The modes take turns, so that a busy machine slows both. */
static void run_scene(const Scene* scene, const Options* options, Result results[MODE_COUNT]) {
    FpModel* model = load_model(options->models, scene->model);
    FpStepperDef def = fp_model_run(model).stepper;
    scene->vary(&def);
    double t_end = options->t_end > 0 ? options->t_end : fmin(2, fp_model_run(model).t_end);
    Timing times[MODE_COUNT] = {0};
    for (int mode = 0; mode < MODE_COUNT; mode++) results[mode] = (Result){0};
    for (long k = 0; k < options->repeat; k++)
        for (int mode = 0; mode < MODE_COUNT; mode++) {
            def.cold_start = mode == COLD;
            def.solver = mode == AUTO ? "auto" : "ipopt";
            run_once(fp_model_system(model), &def, t_end, &times[mode], &results[mode]);
        }
    for (long k = 0; k < options->repeat; k++)
        record_runs(fp_model_system(model), &def, t_end, results);
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        Result* r = &results[mode];
        r->iterations /= (double)times[mode].count;
        r->steps = (double)times[mode].count / (double)options->repeat;
        r->rejected /= (double)options->repeat;
        r->retries /= (double)options->repeat;
        finish_times(&times[mode], r);
    }
    results[COLD].ratio = NAN;
    for (int mode = WARM; mode < MODE_COUNT; mode++)
        results[mode].ratio = results[mode].engine / results[mode - 1].engine;
    fp_model_destroy(model);
}

/* The table ---------------------------------------------------------------------------------- */

typedef struct Column {
    const char *title, *csv_title;
    int width;
    const char* format;
    size_t at; /* in Result */
} Column;

static const Column columns[] = {
    {"steps", "steps", 7, "%.0f", offsetof(Result, steps)},
    {"us min", "us_min", 8, "%.1f", offsetof(Result, us_min)},
    {"median", "us_median", 8, "%.1f", offsetof(Result, us_median)},
    {"mean", "us_mean", 8, "%.1f", offsetof(Result, us_mean)},
    {"iter", "iterations_per_step", 6, "%.2f", offsetof(Result, iterations)},
    {"rej", "rejected", 5, "%.0f", offsetof(Result, rejected)},
    {"retr", "retries", 5, "%.0f", offsetof(Result, retries)},
    {"certif", "max_certificate", 8, "%.1e", offsetof(Result, certificate)},
    {"motion", "max_motion_residual", 8, "%.1e", offsetof(Result, motion)},
    {"primal", "max_primal_violation", 8, "%.1e", offsetof(Result, primal)},
    {"penetr m", "max_penetration_m", 8, "%.1e", offsetof(Result, penetration)},
    {"norm", "max_norm_defect", 8, "%.1e", offsetof(Result, norm_defect)},
    {"engine", "us_engine", 8, "%.2f", offsetof(Result, engine)},
    {"differs", "state_difference", 8, "%.1e", offsetof(Result, difference)},
    {"ratio", "ratio", 8, "%.5f", offsetof(Result, ratio)},
};
enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

/* The number of a column as text; "" where there is none. */
static const char* cell(const Result* result, const Column* column, const char* format,
                        char text[64]) {
    double value;
    memcpy(&value, (const char*)result + column->at, sizeof value);
    text[0] = '\0';
    if (!isnan(value)) snprintf(text, 64, format, value);
    return text;
}

static void print_titles(FILE* csv) {
    printf("%-30s %-4s", "scene", "mode");
    for (int i = 0; i < COLUMN_COUNT; i++) printf(" %*s", columns[i].width, columns[i].title);
    printf("\n");
    if (!csv) return;
    fprintf(csv, "scene,mode");
    for (int i = 0; i < COLUMN_COUNT; i++) fprintf(csv, ",%s", columns[i].csv_title);
    fprintf(csv, "\n");
}

static void print_result(const char* scene, const char* mode, const Result* result, FILE* csv) {
    char text[64];
    printf("%-30s %-4s", scene, mode);
    for (int i = 0; i < COLUMN_COUNT; i++)
        printf(" %*s", columns[i].width, cell(result, &columns[i], columns[i].format, text));
    printf("\n");
    fflush(stdout);
    if (!csv) return;
    fprintf(csv, "%s,%s", scene, mode);
    for (int i = 0; i < COLUMN_COUNT; i++)
        fprintf(csv, ",%s", cell(result, &columns[i], "%.6g", text));
    fprintf(csv, "\n");
}

static void run_scenes(const Options* options, FILE* csv) {
    print_titles(csv);
    for (int i = 0; i < SCENE_COUNT; i++) {
        if (options->any_selected && !options->selected[i]) continue;
        Result results[MODE_COUNT];
        run_scene(&scenes[i], options, results);
        for (int mode = 0; mode < MODE_COUNT; mode++)
            print_result(scenes[i].name, mode_names[mode], &results[mode], csv);
    }
    printf("us: microseconds per step; iter: Ipopt iterations per step; certif, motion, primal:\n"
           "largest scaled residuals; penetr m: largest true penetration; engine: us a step of a "
           "whole\nrun recorded to memory; differs: its states from those of the row above, "
           "relative; ratio:\nof engine to that of the row above\n");
}

/* Memory ------------------------------------------------------------------------------------- */

static double resident_kib(void) {
    long resident;
    FILE* file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &resident) != 1) fail("/proc/self/statm", "unreadable");
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1024;
}

static void run_memory(const Options* options, FILE* csv) {
    static const long marks[] = {1000, 10000, 50000, 100000};
    const double never = 1e9; /* s: no mark is reached later */
    FpModel* model = load_model(options->models, "revolute_pendulum");
    FpStepperDef def = fp_model_run(model).stepper;
    FpStepper* stepper = create_stepper(fp_model_system(model), &def);
    FpState* state = check_memory(fp_state_create(fp_model_system(model)));
    printf("%8s %14s\n", "steps", "resident KiB");
    if (csv) fprintf(csv, "steps,resident_kib\n");
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        FpStepReport report;
        while (state->step < marks[i]) timed_step(stepper, state, never, &report);
        double kib = resident_kib();
        printf("%8ld %14.0f\n", marks[i], kib);
        fflush(stdout);
        if (csv) fprintf(csv, "%ld,%.0f\n", marks[i], kib);
    }
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    fp_model_destroy(model);
}

int main(int argc, char** argv) {
    Options options = read_options(argc, argv);
    FILE* csv = NULL;
    if (options.csv && !(csv = fopen(options.csv, "w"))) fail(options.csv, "cannot be written");
    if (options.memory)
        run_memory(&options, csv);
    else
        run_scenes(&options, csv);
    bool written = !csv || !ferror(csv);
    if (csv && fclose(csv)) written = false;
    if (!written) fail(options.csv, "could not be written completely");
    return EXIT_SUCCESS;
}
