/* The freeplay command. */
#include <stdio.h>
#include <string.h>
#include "cli/command.h"
#include "cli/console.h"
#include "cli/nearest.h"
#include "cli/table.h"

enum { COMMAND_COUNT = 4 };

static void list_commands(CliCommand commands[COMMAND_COUNT]) {
    commands[0] = cli_run_command();
    commands[1] = cli_check_command();
    commands[2] = cli_assemble_command();
    commands[3] = cli_list_command();
}

static const CliCommand* find_command(const CliCommand* commands, const char* name) {
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

static int refuse_command(const CliCommand* commands, const char* name) {
    CliNearest nearest = {.wrong = name + strspn(name, "-")};
    for (int i = 0; i < COMMAND_COUNT; i++) cli_nearest_offer(&nearest, commands[i].name);
    cli_nearest_offer(&nearest, "help");
    if (nearest.best)
        cli_error("there is no command '%s'; did you mean '%s'?", name, nearest.best);
    else
        cli_error("there is no command '%s'; 'freeplay --help' lists those that exist", name);
    return CLI_USAGE;
}

static const char exit_codes[] =
    "\nExit codes:\n"
    "  0    all is well\n"
    "  1    the model was refused or cannot be assembled, the run failed, or something could\n"
    "       not be written\n"
    "  2    wrong usage\n"
    "  130  cancelled with Ctrl-C; the files of a run hold what was computed until then\n";

static void print_help(const CliCommand* commands) {
    CliTable table = {.columns = 2};
    printf("Usage: freeplay COMMAND [ARGUMENT]...\n\n"
           "Simulates mechanisms whose joints have play: bodies that move freely within the\n"
           "clearance of their joints, and push where they touch. Ideal joints have no play.\n\n"
           "Commands:\n");
    for (int i = 0; i < COMMAND_COUNT; i++) {
        cli_table_add(&table, "%s", commands[i].name);
        cli_table_add(&table, "%s", commands[i].summary);
    }
    cli_table_add(&table, "help");
    cli_table_add(&table, "explains a command: 'freeplay help run', or 'freeplay run --help'");
    cli_table_print(&table, 2);
    printf("\nOptions:\n"
           "  --help     shows this text\n"
           "  --version  shows the versions of freeplay and of the libraries in it\n"
           "\nExamples:\n"
           "  freeplay check examples/revolute_pendulum.json\n"
           "  freeplay run examples/revolute_pendulum.json --set c=50mm --t-end 2s\n"
           "  freeplay assemble four_bar.json --out four_bar_closed.json\n"
           "%s",
           exit_codes);
}

static void print_command_help(const CliCommand* command) {
    printf("Usage: freeplay %s %s\n\n%s\nOptions:\n", command->name, command->usage,
           command->about);
    cli_options_print(command->options, command->option_count);
    printf("\nExamples:\n%s%s", command->examples, exit_codes);
}

static void print_version(void) {
    int count;
    const FpVersion* versions = fp_versions(&count);
    for (int i = 0; i < count; i++) printf("%s %s\n", versions[i].name, versions[i].version);
}

static int help_on(const CliCommand* commands, const char* name) {
    const CliCommand* command = name ? find_command(commands, name) : NULL;
    if (name && !command) return refuse_command(commands, name);
    if (command)
        print_command_help(command);
    else
        print_help(commands);
    return CLI_OK;
}

static bool check_files(const CliCommand* command, const CliArguments* arguments) {
    int wanted = command->needs_model ? 1 : 0;
    bool is_missing = wanted > 0 && (arguments->file_count == 0 || !arguments->files[0][0]);
    if (arguments->file_count == wanted && !is_missing) return true;
    if (is_missing)
        cli_error("no model file is given; the usage is: freeplay %s %s", command->name,
                  command->usage);
    else
        cli_error("'%s' is one argument too many; the usage is: freeplay %s %s",
                  arguments->files[wanted], command->name, command->usage);
    return false;
}

static int run_command(const CliCommand* command, int argc, char** argv) {
    CliArguments arguments;
    FpMessage reason = {0};
    int code = CLI_USAGE;
    if (cli_arguments_parse(command->options, command->option_count, argc, argv, &arguments,
                            &reason)) {
        cli_error("%s", reason.text);
    } else if (arguments.help) {
        print_command_help(command);
        code = CLI_OK;
    } else if (check_files(command, &arguments)) {
        code = command->run(&arguments);
    }
    cli_arguments_free(&arguments);
    return code;
}

static bool is_any(const char* text, const char* first, const char* second) {
    return strcmp(text, first) == 0 || strcmp(text, second) == 0;
}

static int dispatch(int argc, char** argv) {
    CliCommand commands[COMMAND_COUNT];
    list_commands(commands);
    if (argc < 2) {
        cli_error("no command is given; try: freeplay --help");
        return CLI_USAGE;
    }
    const CliCommand* command = find_command(commands, argv[1]);
    if (command) return run_command(command, argc - 2, argv + 2);
    bool is_help = is_any(argv[1], "--help", "-h"), is_topic = strcmp(argv[1], "help") == 0;
    bool is_version = strcmp(argv[1], "--version") == 0;
    if (!is_help && !is_topic && !is_version) return refuse_command(commands, argv[1]);
    if (argc > (is_topic ? 3 : 2)) {
        cli_error("'%s' is one argument too many after '%s'", argv[argc - 1], argv[1]);
        return CLI_USAGE;
    }
    if (!is_version) return help_on(commands, is_topic && argc == 3 ? argv[2] : NULL);
    print_version();
    return CLI_OK;
}

int main(int argc, char** argv) {
    cli_console_open();
    int code = dispatch(argc, argv);
    bool written = cli_console_close();
    return written || code != CLI_OK ? code : CLI_FAILED;
}
