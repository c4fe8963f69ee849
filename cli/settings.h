/* The model of a subcommand: its file with the --set options. */
#ifndef FREEPLAY_CLI_SETTINGS_H
#define FREEPLAY_CLI_SETTINGS_H

#include "cli/options.h"

/* Loads arguments->files[0]; the repeated option is --set NAME=VALUE, which is cut in two in place.
 * Returns the exit code; unless it is CLI_OK, the reason has been printed. */
int cli_model_load(const CliArguments* arguments, FpModel** model);

/* Help of --set, the same in every subcommand. */
#define CLI_SET_HELP                                                 \
    "gives a parameter of the model another value, with its unit;\n" \
    "may be repeated"

#endif
