/* The options of `freeplay run`, and what they change in the run block of a model. */
#ifndef FREEPLAY_CLI_RUN_OPTIONS_H
#define FREEPLAY_CLI_RUN_OPTIONS_H

#include "cli/options.h"

/* The table, and how many options it has. */
extern const CliOption cli_run_option_table[];
extern const int cli_run_option_count;

/* What the options say. A text is NULL and a time is 0 where they are silent. */
typedef struct CliRunOptions {
    const char* out;
    bool assemble;
    const char *scheme, *solver, *rows, *step;
    double h, h_min, h_max, t_end; /* s */
    double theta;                  /* 0 to 1; -1: silent */
    bool projection;
    long every, audit; /* steps; audit 0: none */
    bool json, quiet;
} CliRunOptions;

/* Checks the values, and that no two options contradict each other. */
FpStatus cli_run_options_read(const CliArguments* arguments, CliRunOptions* options,
                              FpMessage* message);
/* Puts them over the model's run block. Refuses bounds that do not fit together. */
FpStatus cli_run_options_apply(const CliRunOptions* options, FpRunDef* run, FpMessage* message);

#endif
