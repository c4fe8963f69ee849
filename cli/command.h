/* A subcommand: what main.c needs to read its arguments, explain it and run it. */
#ifndef FREEPLAY_CLI_COMMAND_H
#define FREEPLAY_CLI_COMMAND_H

#include "cli/options.h"

typedef struct CliCommand {
    const char* name;
    const char* summary; /* one line, for the list of commands */
    const char* usage;   /* what follows "freeplay NAME" */
    const char* about;   /* paragraphs, each line ended */
    const char* examples;
    bool needs_model; /* exactly one file; otherwise none */
    int option_count;
    const CliOption* options;
    /* Returns the exit code. The arguments are those that the fields above allow. */
    int (*run)(const CliArguments* arguments);
} CliCommand;

CliCommand cli_run_command(void);
CliCommand cli_check_command(void);
CliCommand cli_assemble_command(void);
CliCommand cli_list_command(void);

#endif
