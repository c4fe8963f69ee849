#include <stdio.h>
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/table.h"

enum { OPTION_FIELDS, OPTION_COUNT };

static const CliOption options[OPTION_COUNT] = {
    [OPTION_FIELDS] = {"fields", NULL, false,
                       "lists the fields of every joint type instead, one line each:\n"
                       "JOINT.FIELD, unit, whether it must be given, meaning"},
};

static void print_choices(const char* title, CliChoices choices) {
    CliTable table = {.columns = 2};
    printf("%s\n", title);
    for (int i = 0; i < choices.count; i++) {
        cli_table_add(&table, "%s", choices.choices[i].name);
        cli_table_add(&table, "%s", choices.choices[i].summary);
    }
    cli_table_print(&table, 2);
}

static void print_joints(void) {
    CliTable table = {.columns = 2};
    int count;
    const FpJointType* const* types = fp_joint_types(&count);
    printf("joints (\"joints\" in a model file; fields: freeplay list --fields)\n");
    for (int i = 0; i < count; i++) {
        cli_table_add(&table, "%s", types[i]->name);
        cli_table_add(&table, "%s", types[i]->summary);
    }
    cli_table_print(&table, 2);
}

static void add_field(CliTable* table, const FpJointType* type, const FpField* field) {
    cli_table_add(table, "%s.%s", type->name, field->name);
    cli_table_add(table, "%s", field->kind == FREEPLAY_FIELD_FRAME ? "frame" : field->unit);
    cli_table_add(table, "%s", field->required ? "required" : "optional");
    cli_table_add(table, "%s", field->help);
}

static void print_fields(void) {
    CliTable table = {.columns = 4};
    int count;
    const FpJointType* const* types = fp_joint_types(&count);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < types[i]->field_count; j++)
            add_field(&table, types[i], &types[i]->fields[j]);
    cli_table_print(&table, 0);
}

static int list_command(const CliArguments* arguments) {
    if (arguments->values[OPTION_FIELDS]) {
        print_fields();
        return CLI_OK;
    }
    print_joints();
    print_choices("schemes (--scheme)", cli_schemes());
    print_choices("step-size strategies (--step)", cli_strategies());
    print_choices("solvers (--solver)", cli_solvers());
    print_choices("forms of the rows (--rows)", cli_row_forms());
    return CLI_OK;
}

CliCommand cli_list_command(void) {
    return (CliCommand){
        .name = "list",
        .summary = "lists joints, schemes, step-size strategies and solvers",
        .usage = "[--fields]",
        .about = "Lists what a model file and the options of 'freeplay run' can choose from, with\n"
                 "one line each.\n",
        .examples = "  freeplay list\n"
                    "  freeplay list --fields\n",
        .option_count = OPTION_COUNT,
        .options = options,
        .run = list_command,
    };
}
