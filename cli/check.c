#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/settings.h"
#include "cli/table.h"
#include "cli/text.h"

enum { OPTION_SET, OPTION_COUNT };

static const CliOption options[OPTION_COUNT] = {
    [OPTION_SET] = {"set", "NAME=VALUE", true, CLI_SET_HELP},
};

static const char* plural(int count) {
    return count == 1 ? "" : "s";
}

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

static void add_vector(CliTable* table, const char* name, FpVec3 a, const char* unit) {
    cli_table_add(table, "%s", name);
    cli_table_add(table, "(%.6g, %.6g, %.6g) %s", a.x, a.y, a.z, unit);
}

/* The lower right 3x3 of the body's mass matrix. */
static void add_inertia(CliTable* table, const FpSystem* system, int body) {
    double M[36];
    const double* q = system->q_initial + system->blocks[body].q_at;
    if (system->blocks[body].v_count != 6 || system->ops->mass(system->self, body, q, M)) return;
    add_vector(table, "inertia xx, yy, zz", fp_vec3(M[21], M[28], M[35]), "kg m^2");
    if (M[22] != 0 || M[23] != 0 || M[29] != 0)
        add_vector(table, "inertia xy, xz, yz", fp_vec3(M[22], M[23], M[29]), "kg m^2");
}

static void add_motion(CliTable* table, const FpModel* model, int body) {
    FpMotion motion = fp_world_body_motion(fp_model_world(model), body);
    const double* p = motion.orientation;
    add_vector(table, "centre of mass at", motion.position, "m");
    if (fabs(p[0]) != 1) {
        cli_table_add(table, "Euler parameters");
        cli_table_add(table, "(%.6g, %.6g, %.6g, %.6g)", p[0], p[1], p[2], p[3]);
    }
    FpVec3 velocity = motion.velocity, spin = motion.angular_velocity;
    if (fp_vec3_norm(velocity) > 0) add_vector(table, "velocity", velocity, "m/s");
    if (fp_vec3_norm(spin) > 0) add_vector(table, "angular velocity", spin, "rad/s (body frame)");
}

static void print_bodies(const FpModel* model) {
    const FpWorld* world = fp_model_world(model);
    int count = fp_world_body_count(world), loads = fp_world_load_count(world);
    printf("bodies: %d\n", count);
    for (int body = 0; body < count; body++) {
        CliTable table = {.columns = 2};
        printf("  %s\n", fp_world_body_name(world, body));
        cli_table_add(&table, "mass");
        cli_table_add(&table, "%.6g kg", fp_world_body_mass(world, body));
        add_inertia(&table, fp_model_system(model), body);
        add_motion(&table, model, body);
        cli_table_print(&table, 4);
    }
    FpVec3 gravity = fp_world_gravity(world);
    printf("gravity: (%.6g, %.6g, %.6g) m/s^2; other loads: %d\n", gravity.x, gravity.y, gravity.z,
           loads);
}

/* Joints ------------------------------------------------------------------------------------- */

/* "bore on pendulum, pin on ground". */
static void print_connection(const FpWorld* world, const FpConstraint* joint) {
    const FpJointType* type = fp_joint_type_find(joint->type);
    for (int i = 0; i < joint->block_count; i++) {
        const char* carried = type && i < 2 ? type->carries[i] : NULL;
        printf("%s%s%s%s", i ? ", " : "", carried ? carried : "", carried ? " on " : "",
               fp_world_body_name(world, joint->blocks[i]));
    }
    putchar('\n');
}

static void add_rows(CliTable* table, const FpConstraint* joint, const double* gaps) {
    static const char* const titles[] = {"row", "kind", "size", "gap at the start", "what it is"};
    for (int i = 0; i < table->columns; i++) cli_table_add(table, "%s", titles[i]);
    for (int i = 0; i < joint->row_count; i++) {
        const FpRow* row = &joint->rows[i];
        cli_table_add(table, "%d", i);
        cli_table_add(table, "%s",
                      row->kind == FREEPLAY_ROW_BILATERAL ? "bilateral" : "unilateral");
        cli_table_add(table, "%.6g m", row->size);
        cli_table_add(table, "%.6g m", gaps[i]);
        cli_table_add(table, "%s", row->label ? row->label : "");
    }
}

static void print_joint(const FpModel* model, const FpConstraint* joint) {
    const FpSystem* system = fp_model_system(model);
    CliTable table = {.columns = 5};
    double* gaps = calloc((size_t)joint->row_count + 1, sizeof *gaps);
    if (!gaps) cli_out_of_memory();
    fp_constraint_gaps(system, joint, 0, system->q_initial, gaps, NULL);
    printf("  %s: %s, ", joint->name, joint->type);
    print_connection(fp_model_world(model), joint);
    add_rows(&table, joint, gaps);
    cli_table_print(&table, 4);
    free(gaps);
}

static void print_joints(const FpModel* model) {
    const FpSystem* system = fp_model_system(model);
    printf("joints: %d\n", system->constraint_count);
    for (int i = 0; i < system->constraint_count; i++) print_joint(model, system->constraints[i]);
}

static int count_bilateral(const FpSystem* system) {
    int count = 0;
    for (int i = 0; i < system->constraint_count; i++)
        for (int j = 0; j < system->constraints[i]->row_count; j++)
            count += system->constraints[i]->rows[j].kind == FREEPLAY_ROW_BILATERAL;
    return count;
}

static void print_freedom(const FpModel* model) {
    const FpSystem* system = fp_model_system(model);
    int bodies = fp_world_body_count(fp_model_world(model));
    int bilateral = count_bilateral(system), unilateral = system->row_count - bilateral;
    printf("degrees of freedom: %d\n", system->v_count - bilateral);
    printf("  %d of %d bod%s, less %d bilateral row%s%s; %d unilateral row%s limit%s them\n",
           system->v_count, bodies, bodies == 1 ? "y" : "ies", bilateral, plural(bilateral),
           bilateral > 0 ? " (if none repeats another)" : "", unilateral, plural(unilateral),
           unilateral == 1 ? "s" : "");
}

/* The run block ------------------------------------------------------------------------------ */

static void print_run(const FpRunDef* run) {
    const FpStepperDef* stepper = &run->stepper;
    printf("run: until t = %.10g s, scheme %s, step %s, rows %s, solver %s\n", run->t_end,
           stepper->scheme, stepper->strategy, cli_row_form_name(stepper->rows), stepper->solver);
    if (strcmp(stepper->strategy, "fixed") == 0)
        printf("  h = %.10g s: %.0f steps\n", stepper->h, ceil(run->t_end / stepper->h - 1e-9));
    else
        printf("  h from %.10g s to %.10g s: at least %.0f steps\n", stepper->h_min, stepper->h_max,
               ceil(run->t_end / stepper->h_max - 1e-9));
}

/* Whether a run of it could begin. */
static int check_stepper(const FpModel* model) {
    FpMessage reason = {0};
    FpRunDef run = fp_model_run(model);
    FpStepper* stepper = fp_stepper_create(fp_model_system(model), &run.stepper, &reason);
    if (!stepper) cli_error_reason(&reason, NULL);
    fp_stepper_destroy(stepper);
    return stepper ? CLI_OK : CLI_FAILED;
}

static int check_command(const CliArguments* arguments) {
    FpModel* model;
    int code = cli_model_load(arguments, &model);
    if (code == CLI_OK) code = check_stepper(model);
    if (code == CLI_OK) {
        FpRunDef run = fp_model_run(model);
        print_head(model);
        printf("units: SI inside (m, kg, s, rad, N, J); all below is in them\n");
        print_parameters(model);
        print_bodies(model);
        print_joints(model);
        print_freedom(model);
        print_run(&run);
    }
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
            "bodies, joints with their gaps at the start, degrees of freedom and the settings of\n"
            "the run, all in SI units. Of a wrong model it says where and what is wrong.\n",
        .examples = "  freeplay check examples/revolute_pendulum.json\n"
                    "  freeplay check examples/revolute_pendulum.json --set c=0.2mm --set h=5ms\n",
        .needs_model = true,
        .option_count = OPTION_COUNT,
        .options = options,
        .run = check_command,
    };
}
