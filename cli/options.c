#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/nearest.h"

typedef struct Parser {
    const CliOption* options;
    int option_count;
    int argc, at; /* argv[at] is the next one */
    char** argv;
    CliArguments* arguments;
    FpMessage* message;
} Parser;

/* The option whose name is text up to its end or "="; -1 if there is none. */
static int find_option(const Parser* parser, const char* text) {
    size_t length = strcspn(text, "=");
    for (int i = 0; i < parser->option_count; i++) {
        const char* name = parser->options[i].name;
        if (strlen(name) == length && strncmp(name, text, length) == 0) return i;
    }
    return -1;
}

static FpStatus refuse_unknown(const Parser* parser, const char* argument) {
    char wrong[32];
    const char* name = argument + strspn(argument, "-");
    snprintf(wrong, sizeof wrong, "%.*s", (int)strcspn(name, "="), name);
    CliNearest nearest = {.wrong = wrong};
    for (int i = 0; i < parser->option_count; i++)
        cli_nearest_offer(&nearest, parser->options[i].name);
    cli_nearest_offer(&nearest, "help");
    if (nearest.best)
        return fp_refuse(parser->message, FREEPLAY_INVALID_ARGUMENT,
                         "there is no option '%.60s'; did you mean '--%s'?", argument,
                         nearest.best);
    return fp_refuse(parser->message, FREEPLAY_INVALID_ARGUMENT,
                     "there is no option '%.60s'; --help lists those that exist", argument);
}

/* The value behind "=", or the next argument unless that is an option itself; NULL if there is
 * none. */
static char* take_value(Parser* parser, char* equals) {
    char* value = NULL;
    if (equals)
        value = equals + 1;
    else if (parser->at < parser->argc && strncmp(parser->argv[parser->at], "--", 2) != 0)
        value = parser->argv[parser->at++];
    return value && value[0] ? value : NULL;
}

static FpStatus read_option(Parser* parser, char* argument) {
    static char given[] = "";
    char* equals = strchr(argument, '=');
    int index = find_option(parser, argument + 2);
    if (index < 0) return refuse_unknown(parser, argument);
    const CliOption* option = &parser->options[index];
    char** stored = &parser->arguments->values[index];
    if (!option->takes && equals)
        return fp_refuse(parser->message, FREEPLAY_INVALID_ARGUMENT,
                         "option --%s takes no value, but was given '%.60s'", option->name,
                         equals + 1);
    if (*stored && !option->repeatable)
        return fp_refuse(parser->message, FREEPLAY_INVALID_ARGUMENT,
                         "option --%s is given twice; once is enough", option->name);
    char* value = option->takes ? take_value(parser, equals) : given;
    if (!value)
        return fp_refuse(parser->message, FREEPLAY_INVALID_ARGUMENT,
                         "option --%s needs a value: --%s %s", option->name, option->name,
                         option->takes);
    *stored = value;
    if (option->repeatable)
        parser->arguments->repeated[parser->arguments->repeated_count++] = value;
    return FREEPLAY_OK;
}

static FpStatus read_all(Parser* parser) {
    CliArguments* arguments = parser->arguments;
    bool only_files = false;
    while (parser->at < parser->argc) {
        char* argument = parser->argv[parser->at++];
        if (only_files || argument[0] != '-' || !argument[1]) {
            arguments->files[arguments->file_count++] = argument;
        } else if (strcmp(argument, "--") == 0) {
            only_files = true;
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            arguments->help = true;
            return FREEPLAY_OK;
        } else if (argument[1] != '-') {
            return refuse_unknown(parser, argument);
        } else {
            FpStatus status = read_option(parser, argument);
            if (status) return status;
        }
    }
    return FREEPLAY_OK;
}

FpStatus cli_arguments_parse(const CliOption* options, int option_count, int argc, char** argv,
                             CliArguments* arguments, FpMessage* message) {
    *arguments = (CliArguments){
        .values = calloc((size_t)option_count + 1, sizeof *arguments->values),
        .repeated = calloc((size_t)argc + 1, sizeof *arguments->repeated),
        .files = calloc((size_t)argc + 1, sizeof *arguments->files),
    };
    if (!arguments->values || !arguments->repeated || !arguments->files)
        return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    Parser parser = {options, option_count, argc, 0, argv, arguments, message};
    return read_all(&parser);
}

void cli_arguments_free(CliArguments* arguments) {
    free(arguments->values);
    free(arguments->repeated);
    free(arguments->files);
    *arguments = (CliArguments){0};
}

static void print_help_lines(const char* help, int indent) {
    while (*help) {
        size_t length = strcspn(help, "\n");
        printf("%.*s\n", (int)length, help);
        help += length;
        if (*help == '\n') {
            help++;
            printf("%*s", indent, "");
        }
    }
}

void cli_options_print(const CliOption* options, int option_count) {
    enum { COLUMN = 22 };
    for (int i = 0; i < option_count; i++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s", options[i].name, options[i].takes ? " " : "",
                 options[i].takes ? options[i].takes : "");
        printf("  %-*s", COLUMN - 2, left);
        print_help_lines(options[i].help, COLUMN);
    }
    printf("  %-*s%s\n", COLUMN - 2, "--help", "shows this text");
}
