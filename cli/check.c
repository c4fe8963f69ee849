#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/joints.h"
#include "cli/motion.h"
#include "cli/settings.h"
#include "cli/table.h"

enum { OPTION_SET, OPTION_COUNT };

static const CliOption options[OPTION_COUNT] = {
    [OPTION_SET] = {"set", "NAME=VALUE", true, CLI_SET_HELP},
};

/* A description may have line breaks. */
static void print_one_line(const char* text) {
    for (; *text; text++) putchar(iscntrl((unsigned char)*text) ? ' ' : *text);
    putchar('\n');
}

static void print_head(const FpModel* model) {
    printf("model %s\n", fp_model_name(model));
    const char* description = fp_model_description(model);
    if (!description[0]) return;
    printf("  ");
    print_one_line(description);
}

static void print_parameters(const FpModel* model) {
    CliTable table = {.columns = 2};
    int count = fp_model_parameter_count(model);
    printf("parameters: %d\n", count);
    for (int i = 0; i < count; i++) {
        FpParameter parameter = fp_model_parameter(model, i);
        cli_table_add(&table, "%s", parameter.name);
        cli_table_add(&table, "%.10g%s%s%s", parameter.value, parameter.unit[0] ? " " : "",
                      parameter.unit, parameter.overridden ? " (by --set)" : "");
    }
    cli_table_print(&table, 2);
}

/* Bodies ------------------------------------------------------------------------------------- */

/* The lower right 3x3 of the mass matrix of a body in space; one moment of a planar one. */
static void add_inertia(CliTable* table, const FpSystem* system, int body) {
    double M[FREEPLAY_BODY_V_MAX * FREEPLAY_BODY_V_MAX];
    const FpBlock* block = &system->blocks[body];
    if (system->ops->mass(system->self, body, system->q_initial + block->q_at, M)) return;
    if (block->v_count == fp_body_planar.v_count) {
        cli_vector_add(table, "moment about z", &M[8], 1, 6, "kg m^2");
        return;
    }
    const double moments[3] = {M[21], M[28], M[35]}, products[3] = {M[22], M[23], M[29]};
    cli_vector_add(table, "inertia xx, yy, zz", moments, 3, 6, "kg m^2");
    if (products[0] != 0 || products[1] != 0 || products[2] != 0)
        cli_vector_add(table, "inertia xy, xz, yz", products, 3, 6, "kg m^2");
}

static void print_body(const FpModel* model, int body) {
    const FpWorld* world = fp_model_world(model);
    const FpSystem* system = fp_model_system(model);
    const FpBlock* block = &system->blocks[body];
    const FpBodyKind* kind = fp_world_body_kind(world, body);
    CliTable table = {.columns = 2};
    printf("  %s%s\n", fp_world_body_name(world, body),
           kind == &fp_body_planar ? ": planar, moves in the plane z = 0" : "");
    cli_table_add(&table, "mass");
    cli_table_add(&table, "%.6g kg", fp_world_body_mass(world, body));
    add_inertia(&table, system, body);
    cli_motion_add(&table, kind, system->q_initial + block->q_at, system->v_initial + block->v_at,
                   true);
    cli_table_print(&table, 4);
}

static void print_bodies(const FpModel* model) {
    const FpWorld* world = fp_model_world(model);
    int count = fp_world_body_count(world);
    FpVec3 gravity = fp_world_gravity(world);
    printf("bodies: %d\n", count);
    for (int body = 0; body < count; body++) print_body(model, body);
    printf("gravity: (%.6g, %.6g, %.6g) m/s^2; other loads: %d\n", gravity.x, gravity.y, gravity.z,
           fp_world_load_count(world));
}

/* The run block ------------------------------------------------------------------------------ */

static void print_run(const FpRunDef* run) {
    const FpStepperDef* stepper = &run->stepper;
    printf("run: until t = %.10g s, scheme %s, step %s, rows %s, solver %s\n", run->t_end,
           stepper->scheme, stepper->strategy, cli_row_form_name(stepper->rows), stepper->solver);
    if (strcmp(stepper->scheme, "moreau") == 0)
        printf("  theta = %.10g, %s projection\n", stepper->theta,
               stepper->projection ? "with" : "without");
    if (strcmp(stepper->strategy, "fixed") == 0)
        printf("  h = %.10g s: %.0f steps\n", stepper->h, ceil(run->t_end / stepper->h - 1e-9));
    else
        printf("  h from %.10g s to %.10g s: at least %.0f steps\n", stepper->h_min, stepper->h_max,
               ceil(run->t_end / stepper->h_max - 1e-9));
}

/* The start ---------------------------------------------------------------------------------- */

typedef struct Start {
    FpState *given, *assembled; /* the second where the joints hold, if they can */
    FpMessage open;             /* why the given state is none to start from, "" if it is one */
    FpStatus status;            /* of the assembly */
    FpMessage refused;          /* why there is none */
    FpAssembly assembly;
} Start;

static void look_at_start(const FpModel* model, Start* start) {
    const FpSystem* system = fp_model_system(model);
    *start = (Start){.given = fp_state_create(system), .assembled = fp_state_create(system)};
    if (!start->given || !start->assembled) cli_out_of_memory();
    if (fp_state_check(system, start->given, &start->open))
        start->status = fp_assemble(system, start->assembled, &start->assembly, &start->refused);
}

/* Velocities that the ideal joints do not allow, if they are more than round-off. */
static void warn_of_speed(const FpModel* model, const FpState* state) {
    const FpSystem* system = fp_model_system(model);
    double speed, natural = system->scales.length / fp_model_run(model).t_end;
    if (fp_state_opening_speed(system, state, &speed)) cli_out_of_memory();
    if (speed > 1e-9 * natural)
        cli_warning("the velocities at the start do not fit the ideal joints (%g m/s): they jump "
                    "in the first step, or let 'assemble' change them",
                    speed);
}

static int judge_start(const FpModel* model, const Start* start) {
    if (start->open.text[0]) cli_warning("%s", start->open.text);
    if (start->status) return cli_assembly_refused(model, start->status, &start->refused);
    if (start->open.text[0])
        cli_warning("'freeplay assemble' would move the bodies by up to %g m",
                    start->assembly.moved);
    warn_of_speed(model, start->given);
    return CLI_OK;
}

/* The command -------------------------------------------------------------------------------- */

static void print_all(const FpModel* model, const Start* start) {
    FpRunDef run = fp_model_run(model);
    print_head(model);
    printf("units: SI inside (m, kg, s, rad, N, J); all below is in them\n");
    print_parameters(model);
    print_bodies(model);
    cli_joints_print(model, start->given);
    /* Which rows depend on each other shows where the joints are closed. */
    cli_freedom_print(model, start->assembled);
    print_run(&run);
}

static int check_model(const FpModel* model, const FpStepper* stepper) {
    Start start;
    look_at_start(model, &start);
    print_all(model, &start);
    int code = judge_start(model, &start);
    if (fp_stepper_warning(stepper)[0]) cli_warning("%s", fp_stepper_warning(stepper));
    fp_state_destroy(start.given);
    fp_state_destroy(start.assembled);
    return code;
}

static int check_command(const CliArguments* arguments) {
    FpModel* model;
    FpMessage reason = {0};
    int code = cli_model_load_unassembled(arguments, &model);
    if (code != CLI_OK) return code;
    FpRunDef run = fp_model_run(model);
    FpStepper* stepper = fp_stepper_create(fp_model_system(model), &run.stepper, &reason);
    if (stepper) {
        code = check_model(model, stepper);
    } else {
        cli_error_reason(&reason, NULL);
        code = CLI_FAILED;
    }
    fp_stepper_destroy(stepper);
    fp_model_destroy(model);
    return code;
}

CliCommand cli_check_command(void) {
    return (CliCommand){
        .name = "check",
        .summary = "validates a model and shows what was understood",
        .usage = "MODEL.json [--set NAME=VALUE]...",
        .about =
            "Reads a model file as 'freeplay run' does and shows what was understood: parameters,\n"
            "bodies, joints with their gaps at the start, the settings of the run, degrees of\n"
            "freedom and redundant rows, all in SI units. Of a wrong model it says where and what\n"
            "is wrong. A model whose bodies do not start on their joints gets a warning and is\n"
            "right if 'freeplay assemble' can move them there.\n",
        .examples = "  freeplay check examples/revolute_pendulum.json\n"
                    "  freeplay check examples/revolute_pendulum.json --set c=0.2mm --set h=5ms\n",
        .needs_model = true,
        .option_count = OPTION_COUNT,
        .options = options,
        .run = check_command,
    };
}
