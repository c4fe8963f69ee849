/* Options of a subcommand: a table that the parser and --help share. */
#ifndef FREEPLAY_CLI_OPTIONS_H
#define FREEPLAY_CLI_OPTIONS_H

#include "freeplay.h"

typedef struct CliOption {
    const char* name;  /* without the dashes */
    const char* takes; /* what its value is: "DIR"; NULL for a switch */
    bool repeatable;   /* at most one option of a table is */
    const char* help;  /* with line breaks */
} CliOption;

/* All texts are those of argv. */
typedef struct CliArguments {
    char** values; /* of every option of the table: NULL if it was not given, "" for a switch */
    int repeated_count;
    char** repeated; /* values of the repeatable option, in their order */
    int file_count;
    char** files; /* what is not an option */
    bool help;    /* --help or -h; what follows it was not looked at */
} CliArguments;

/* Reads --name VALUE, --name=VALUE, switches and files; "--" ends the options. On refusal message
 * says what would be right. Free in any case. */
FpStatus cli_arguments_parse(const CliOption* options, int option_count, int argc, char** argv,
                             CliArguments* arguments, FpMessage* message);
void cli_arguments_free(CliArguments* arguments);

/* Lists the options in two columns on stdout. */
void cli_options_print(const CliOption* options, int option_count);

#endif
