#include <stdio.h>
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/table.h"

enum { OPTION_FIELDS, OPTION_COUNT };

static const CliOption options[OPTION_COUNT] = {
    [OPTION_FIELDS] = {"fields", NULL, false,
                       "lists the fields of every joint type instead, one line each:\n"
                       "JOINT.FIELD, kind, unit, whether it must be given, meaning"},
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

static const char* const kind_names[] = {
    [FREEPLAY_FIELD_NUMBER] = "number",   [FREEPLAY_FIELD_FRAME] = "frame",
    [FREEPLAY_FIELD_POINT] = "point",     [FREEPLAY_FIELD_VECTOR] = "vector",
    [FREEPLAY_FIELD_CHOICE] = "choice",   [FREEPLAY_FIELD_COUNTS] = "two counts",
    [FREEPLAY_FIELD_JOINT] = "joint",     [FREEPLAY_FIELD_JOINTS] = "two joints",
    [FREEPLAY_FIELD_PROFILE] = "profile", [FREEPLAY_FIELD_DRIVE] = "motion",
};

/* "frame", or "choice: stops, free". */
static void add_kind(CliTable* table, const FpField* field) {
    char text[200];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", kind_names[field->kind]);
    for (int i = 0; field->choices && field->choices[i] && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : ": ",
                                 field->choices[i]);
    cli_table_add(table, "%s", text);
}

static void add_field(CliTable* table, const FpJointType* type, const FpField* field) {
    cli_table_add(table, "%s.%s", type->name, field->name);
    add_kind(table, field);
    cli_table_add(table, "%s", field->unit[0] ? field->unit : "-");
    cli_table_add(table, "%s", field->required ? "required" : "optional");
    cli_table_add(table, "%s", field->help);
}

static void print_fields(void) {
    CliTable table = {.columns = 5};
    int count, loose_count;
    const FpJointType* const* types = fp_joint_types(&count);
    const FpField* loose = fp_joint_loose_fields(&loose_count);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < types[i]->field_count; j++)
            add_field(&table, types[i], &types[i]->fields[j]);
        for (int j = 0; types[i]->is_loose && j < loose_count; j++)
            add_field(&table, types[i], &loose[j]);
    }
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
