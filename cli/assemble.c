#include <stdio.h>
#include <stdlib.h>
#include "cli/command.h"
#include "cli/console.h"
#include "cli/motion.h"
#include "cli/settings.h"
#include "cli/text.h"

enum { OPTION_SET, OPTION_OUT, OPTION_JSON, OPTION_COUNT };

static const CliOption options[OPTION_COUNT] = {
    [OPTION_SET] = {"set", "NAME=VALUE", true, CLI_SET_HELP},
    [OPTION_OUT] = {"out", "NEW.json", false,
                    "writes a copy of the model file that starts assembled;\n"
                    "NEW.json must not exist yet. Not together with --set:\n"
                    "such values are not written"},
    [OPTION_JSON] = {"json", NULL, false, "prints the result as JSON, and nothing else"},
};

static void print_table(const FpModel* model, const FpState* state, const FpAssembly* assembly) {
    const FpWorld* world = fp_model_world(model);
    CliTable table = {.columns = 2};
    printf("%s, assembled\n", fp_model_name(model));
    cli_table_add(&table, "largest violation");
    cli_table_add(&table, "%s before, %s after", cli_text_quantity(assembly->before, "m").text,
                  cli_text_quantity(assembly->after, "m").text);
    cli_table_add(&table, "bodies moved");
    cli_table_add(&table, "by up to %s", cli_text_quantity(assembly->moved, "m").text);
    cli_table_add(&table, "velocities changed");
    cli_table_add(&table, "by up to %s", cli_text_quantity(assembly->speed_changed, "m/s").text);
    cli_table_print(&table, 2);
    printf("bodies: %d\n", fp_world_body_count(world));
    for (int body = 0; body < fp_world_body_count(world); body++) {
        const FpBlock* block = &fp_model_system(model)->blocks[body];
        printf("  %s\n", fp_world_body_name(world, body));
        cli_motion_add(&table, fp_world_body_kind(world, body), state->q + block->q_at,
                       state->v + block->v_at, false);
        cli_table_print(&table, 4);
    }
}

static void print_json(const FpModel* model, const FpState* state, const FpAssembly* assembly) {
    char* text = fp_assembly_json(fp_model_world(model), state, assembly);
    if (!text) cli_out_of_memory();
    puts(text);
    free(text);
}

/* Writes NEW.json, if it is wanted, before anything is printed. */
static int finish(const CliArguments* arguments, const FpModel* model, const FpState* state,
                  const FpAssembly* assembly) {
    const char *out = arguments->values[OPTION_OUT], *path = arguments->files[0];
    FpMessage reason = {0};
    if (out && fp_model_write_state(path, model, state, out, &reason)) {
        cli_error_reason(&reason, out);
        return CLI_FAILED;
    }
    if (arguments->values[OPTION_JSON])
        print_json(model, state, assembly);
    else
        print_table(model, state, assembly);
    if (out && !arguments->values[OPTION_JSON]) printf("written: %s\n", out);
    return CLI_OK;
}

static int assemble_command(const CliArguments* arguments) {
    if (arguments->values[OPTION_OUT] && arguments->repeated_count > 0) {
        cli_error("--out and --set exclude each other: a value of --set is not written; change "
                  "the parameter in the model file instead");
        return CLI_USAGE;
    }
    FpModel* model;
    FpAssembly assembly;
    int code = cli_model_load_unassembled(arguments, &model);
    if (code != CLI_OK) return code;
    FpState* state = fp_state_create(fp_model_system(model));
    if (!state) cli_out_of_memory();
    code = cli_model_assemble(model, state, &assembly);
    if (code == CLI_OK) code = finish(arguments, model, state, &assembly);
    fp_state_destroy(state);
    fp_model_destroy(model);
    return code;
}

CliCommand cli_assemble_command(void) {
    return (CliCommand){
        .name = "assemble",
        .summary = "moves the bodies of a model onto its joints",
        .usage = "MODEL.json [--set NAME=VALUE]... [--out NEW.json] [--json]",
        .about =
            "Closes the ideal joints of a model whose bodies do not start on them, and brings\n"
            "the others into their clearances: of all such positions it takes the nearest one,\n"
            "measured by the masses. Then it changes the velocities as little as the ideal joints\n"
            "allow. Shows what it found; the model file stays as it is. Where the joints cannot\n"
            "be closed together, it names the one that stays open the most.\n",
        .examples = "  freeplay assemble four_bar.json\n"
                    "  freeplay assemble four_bar.json --out four_bar_closed.json\n",
        .needs_model = true,
        .option_count = OPTION_COUNT,
        .options = options,
        .run = assemble_command,
    };
}
