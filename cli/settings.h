/* The model of a subcommand: its file with the --set options. */
#ifndef FREEPLAY_CLI_SETTINGS_H
#define FREEPLAY_CLI_SETTINGS_H

#include "cli/options.h"

/* Loads arguments->files[0]; the repeated option is --set NAME=VALUE, which is cut in two in place.
 * Returns the exit code; unless it is CLI_OK, the reason has been printed. */
int cli_model_load(const CliArguments* arguments, FpModel** model);
/* The same, but takes a model whose initial state violates its joints. */
int cli_model_load_unassembled(const CliArguments* arguments, FpModel** model);
/* Moves a state onto the joints of its model. Returns the exit code in the same way. */
int cli_model_assemble(const FpModel* model, FpState* state, FpAssembly* assembly);
/* Says why fp_assemble refused a model. */
int cli_assembly_refused(const FpModel* model, FpStatus status, const FpMessage* reason);

/* Help of --set, the same in every subcommand. */
#define CLI_SET_HELP                                                 \
    "gives a parameter of the model another value, with its unit;\n" \
    "may be repeated"

#endif
