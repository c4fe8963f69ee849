#include "cli/run_options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cli/choices.h"
#include "cli/settings.h"

enum {
    OPTION_OUT,
    OPTION_SET,
    OPTION_ASSEMBLE,
    OPTION_SCHEME,
    OPTION_SOLVER,
    OPTION_ROWS,
    OPTION_THETA,
    OPTION_PROJECTION,
    OPTION_STEP,
    OPTION_H,
    OPTION_H_MIN,
    OPTION_H_MAX,
    OPTION_T_END,
    OPTION_EVERY,
    OPTION_AUDIT,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_COUNT,
};

const int cli_run_option_count = OPTION_COUNT;
const CliOption cli_run_option_table[OPTION_COUNT] = {
    [OPTION_OUT] = {"out", "DIR", false, "folder for the files (default: out/<model name>)"},
    [OPTION_SET] = {"set", "NAME=VALUE", true, CLI_SET_HELP},
    [OPTION_ASSEMBLE] = {"assemble", NULL, false,
                         "first moves the bodies onto the joints, as 'freeplay assemble'"},
    [OPTION_SCHEME] = {"scheme", "NAME", false, "time-stepping method; see 'freeplay list'"},
    [OPTION_SOLVER] = {"solver", "NAME", false,
                       "solver of each step: auto (default), structured or ipopt"},
    [OPTION_ROWS] = {"rows", "FORM", false,
                     "exact: gaps hold at the end of every step;\n"
                     "linearized: about its start, as in the paper, with --scheme gauss"},
    [OPTION_THETA] = {"theta", "NUMBER", false,
                      "of --scheme moreau, 0 to 1: 0.5 is of second order while\n"
                      "nothing touches, 1 is implicit"},
    [OPTION_PROJECTION] = {"projection", NULL, false,
                           "--scheme moreau moves positions back onto gaps and joints"},
    [OPTION_STEP] = {"step", "NAME", false,
                     "fixed: every step is as long as --h says;\n"
                     "gauss: between --h-min and --h-max, chosen with the motion"},
    [OPTION_H] = {"h", "TIME", false, "length of every step; implies --step fixed"},
    [OPTION_H_MIN] = {"h-min", "TIME", false, "shortest step; implies --step gauss"},
    [OPTION_H_MAX] = {"h-max", "TIME", false, "longest step; implies --step gauss"},
    [OPTION_T_END] = {"t-end", "TIME", false, "when the simulation ends; it starts at 0"},
    [OPTION_EVERY] = {"every", "K", false, "writes every K-th step to trajectory.csv (default: 1)"},
    [OPTION_AUDIT] = {"audit", "K", false,
                      "solves every K-th step by Ipopt, too, and reports the difference"},
    [OPTION_JSON] = {"json", NULL, false, "prints summary.json, and nothing else"},
    [OPTION_QUIET] = {"quiet", NULL, false, "prints nothing unless something goes wrong"},
};

static FpStatus read_time(const CliArguments* arguments, int option, double* seconds,
                          FpMessage* message) {
    const char* name = cli_run_option_table[option].name;
    const char* text = arguments->values[option];
    if (!text) return FREEPLAY_OK;
    FpMessage reason = {0};
    FpStatus status = fp_quantity_parse(text, "s", seconds, &reason);
    if (status) return fp_refuse(message, status, "--%s: %s", name, reason.text);
    if (*seconds > 0 && isfinite(*seconds)) return FREEPLAY_OK;
    return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT,
                     "--%s is %.60s; it must be positive, as in --%s 2ms", name, text, name);
}

/* A number from 0 to 1, -1 if the option is silent. */
static FpStatus read_part(const CliArguments* arguments, int option, double* part,
                          FpMessage* message) {
    const char *text = arguments->values[option], *name = cli_run_option_table[option].name;
    *part = -1;
    if (!text) return FREEPLAY_OK;
    FpMessage reason = {0};
    FpStatus status = fp_quantity_parse(text, "1", part, &reason);
    if (status) return fp_refuse(message, status, "--%s: %s", name, reason.text);
    if (*part >= 0 && *part <= 1) return FREEPLAY_OK;
    return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT,
                     "--%s is %.60s; it must be from 0 to 1, as in --%s 0.5", name, text, name);
}

/* A number of steps; silent options leave it alone. */
static FpStatus read_steps(const CliArguments* arguments, int option, long* steps,
                           FpMessage* message) {
    const char *text = arguments->values[option], *name = cli_run_option_table[option].name;
    if (!text) return FREEPLAY_OK;
    char* end;
    errno = 0;
    *steps = strtol(text, &end, 10);
    if (!*end && *steps >= 1 && errno == 0) return FREEPLAY_OK;
    return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT,
                     "--%s is '%.60s'; it must be a whole number from 1, as in --%s 10", name, text,
                     name);
}

static FpStatus check_choices(const CliRunOptions* options, FpMessage* message) {
    const struct {
        const char *option, *name;
        CliChoices choices;
    } checks[] = {
        {"scheme", options->scheme, cli_schemes()},
        {"solver", options->solver, cli_solvers()},
        {"rows", options->rows, cli_row_forms()},
        {"step", options->step, cli_strategies()},
    };
    FpStatus status = FREEPLAY_OK;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && !status; i++)
        if (checks[i].name)
            status =
                cli_choices_check(&checks[i].choices, checks[i].option, checks[i].name, message);
    return status;
}

static bool is_fixed(const char* step) {
    return strcmp(step, "fixed") == 0;
}

static FpStatus check_conflicts(const CliRunOptions* options, FpMessage* message) {
    const char* bound = options->h_min > 0 ? "h-min" : options->h_max > 0 ? "h-max" : NULL;
    if (options->h > 0 && bound)
        return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT,
                         "--h and --%s exclude each other: --h fixes the step, --h-min and --h-max "
                         "bound one that varies",
                         bound);
    if (options->h > 0 && options->step && !is_fixed(options->step))
        return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT,
                         "--h and --step %s exclude each other: --h fixes the step; bound one that "
                         "varies with --h-min and --h-max",
                         options->step);
    if (bound && options->step && is_fixed(options->step))
        return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT,
                         "--%s and --step fixed exclude each other: the length of a fixed step is "
                         "set with --h",
                         bound);
    if (options->json && options->quiet)
        return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT,
                         "--json and --quiet exclude each other: --json prints the summary, "
                         "--quiet prints nothing");
    return FREEPLAY_OK;
}

FpStatus cli_run_options_read(const CliArguments* arguments, CliRunOptions* options,
                              FpMessage* message) {
    char** values = arguments->values;
    *options = (CliRunOptions){
        .out = values[OPTION_OUT],
        .assemble = values[OPTION_ASSEMBLE],
        .scheme = values[OPTION_SCHEME],
        .solver = values[OPTION_SOLVER],
        .rows = values[OPTION_ROWS],
        .step = values[OPTION_STEP],
        .projection = values[OPTION_PROJECTION],
        .json = values[OPTION_JSON],
        .quiet = values[OPTION_QUIET],
    };
    FpStatus status = check_choices(options, message);
    if (!status) status = read_part(arguments, OPTION_THETA, &options->theta, message);
    if (!status) status = read_time(arguments, OPTION_H, &options->h, message);
    if (!status) status = read_time(arguments, OPTION_H_MIN, &options->h_min, message);
    if (!status) status = read_time(arguments, OPTION_H_MAX, &options->h_max, message);
    if (!status) status = read_time(arguments, OPTION_T_END, &options->t_end, message);
    options->every = 1;
    if (!status) status = read_steps(arguments, OPTION_EVERY, &options->every, message);
    if (!status) status = read_steps(arguments, OPTION_AUDIT, &options->audit, message);
    return status ? status : check_conflicts(options, message);
}

/* One bound is enough only for a model that already has a step between bounds. */
static FpStatus apply_bounds(const CliRunOptions* options, FpStepperDef* stepper,
                             FpMessage* message) {
    bool one_only = (options->h_min > 0) != (options->h_max > 0);
    if (one_only && is_fixed(stepper->strategy))
        return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT,
                         "--%s needs --%s, too: the step of this model is fixed",
                         options->h_min > 0 ? "h-min" : "h-max",
                         options->h_min > 0 ? "h-max" : "h-min");
    if (options->h_min > 0) stepper->h_min = options->h_min;
    if (options->h_max > 0) stepper->h_max = options->h_max;
    if (is_fixed(stepper->strategy)) stepper->strategy = "gauss";
    if (stepper->h_min <= stepper->h_max) return FREEPLAY_OK;
    return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT,
                     "the shortest step, %g s, is above the longest, %g s; --h-min must not be "
                     "above --h-max",
                     stepper->h_min, stepper->h_max);
}

static FpStatus apply_moreau(const CliRunOptions* options, FpStepperDef* stepper,
                             FpMessage* message) {
    const char* option = options->theta >= 0 ? "theta" : options->projection ? "projection" : NULL;
    if (option && strcmp(stepper->scheme, "moreau") != 0)
        return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT,
                         "--%s is for --scheme moreau only; this run has scheme %s", option,
                         stepper->scheme);
    if (options->theta >= 0) stepper->theta = options->theta;
    if (options->projection) stepper->projection = true;
    return FREEPLAY_OK;
}

FpStatus cli_run_options_apply(const CliRunOptions* options, FpRunDef* run, FpMessage* message) {
    FpStepperDef* stepper = &run->stepper;
    if (options->h_min > 0 || options->h_max > 0) {
        FpStatus status = apply_bounds(options, stepper, message);
        if (status) return status;
    }
    if (options->h > 0) {
        stepper->h = options->h;
        stepper->strategy = "fixed";
    }
    if (options->step) stepper->strategy = options->step;
    if (options->scheme) stepper->scheme = options->scheme;
    if (options->solver) stepper->solver = options->solver;
    FpStatus status = apply_moreau(options, stepper, message);
    if (status) return status;
    stepper->audit = options->audit;
    if (options->rows)
        stepper->rows = strcmp(options->rows, cli_row_form_name(FREEPLAY_ROWS_LINEARIZED)) == 0
                            ? FREEPLAY_ROWS_LINEARIZED
                            : FREEPLAY_ROWS_EXACT;
    if (options->t_end > 0) run->t_end = options->t_end;
    return FREEPLAY_OK;
}
