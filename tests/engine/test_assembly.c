/* Assembly: bodies moved onto their joints with the least change, degrees of freedom, refusals. */
#include "tests/examples/model_run.h"

static FpModel* load_unassembled(const char* name, const char* parameter, const char* value) {
    char path[512];
    FpMessage message = {0};
    FpModel* model;
    FpSetting setting = {parameter, value};
    snprintf(path, sizeof path, "%s/tests/models/%s.json", FREEPLAY_SOURCE_DIR, name);
    if (fp_model_load_unassembled(path, parameter ? 1 : 0, &setting, &model, &message))
        fail_msg("%s", message.text);
    return model;
}

static double kinetic_energy_of_difference(const FpSystem* system, const double* v0,
                                           const double* v1) {
    double difference[64];
    for (int j = 0; j < system->v_count; j++) difference[j] = v1[j] - v0[j];
    return system->ops->kinetic_energy(system->self, system->q_initial, difference);
}

static void open_loop_is_closed_and_then_runs(void** unused) {
    (void)unused;
    FpModel* model = load_unassembled("open_loop", NULL, NULL);
    const FpSystem* system = fp_model_system(model);
    FpState* state = fp_state_create(system);
    FpMessage message = {0};
    FpAssembly report;
    assert_int_equal(fp_state_check(system, state, &message), FREEPLAY_NOT_ASSEMBLED);
    if (fp_assemble(system, state, &report, &message)) fail_msg("%s", message.text);
    assert_true(report.before > 0.1);
    assert_true(report.after <= 16 * DBL_EPSILON * system->scales.length);
    assert_true(report.moved > 0.05 && report.moved < 0.3);
    assert_int_equal(fp_state_check(system, state, &message), FREEPLAY_OK);
    double speed;
    assert_int_equal(fp_state_opening_speed(system, state, &speed), FREEPLAY_OK);
    assert_near(speed, 0, 1e-13);

    FpStepperDef def = fp_stepper_def_default();
    FpStepper* stepper = fp_stepper_create(system, &def, &message);
    FpTotals totals;
    if (fp_simulate(stepper, state, 0.2, NULL, &totals, &message)) fail_msg("%s", message.text);
    assert_int_equal(totals.rejected, 0);
    assert_true(totals.max_penetration <= 1e-10 * system->scales.length);
    fp_stepper_destroy(stepper);
    fp_state_destroy(state);
    fp_model_destroy(model);
}

/* Of two pendulums on one line only the distance counts: the light one moves, by the ratio of the
 * masses, and what is assembled already stays. */
static void assembly_moves_least_in_the_metric_of_the_mass(void** unused) {
    (void)unused;
    FpWorldDef world_def = fp_world_def_default();
    world_def.unassembled = true;
    FpWorld* world = fp_world_create(&world_def);
    FpSphericalDef joint = fp_spherical_def_default();
    joint.joint.name = "ball";
    joint.ball.given = joint.socket.given = true;
    for (int k = 0; k < 2; k++) {
        FpBodyDef body = fp_body_def_default();
        body.name = k ? "heavy" : "light";
        body.mass = k ? 3 : 1;
        body.position = fp_vec3(k, 0, 0);
        fp_inertia_sphere(body.mass, 0.3, body.inertia);
        assert_int_equal(fp_world_add_body(world, &body, &joint.joint.body[k], NULL), FREEPLAY_OK);
    }
    assert_int_equal(fp_spherical_add(world, &joint, NULL), FREEPLAY_OK);
    assert_int_equal(fp_world_finish(world, NULL), FREEPLAY_OK);
    FpState* state = fp_state_create(fp_world_system(world));
    FpAssembly report;
    assert_int_equal(fp_assemble(fp_world_system(world), state, &report, NULL), FREEPLAY_OK);
    assert_near(state->q[0], 0.75, 1e-12);
    assert_near(state->q[7], 0.75, 1e-12);
    assert_near(report.moved, 0.75, 1e-12);
    assert_int_equal(fp_assemble(fp_world_system(world), state, &report, NULL), FREEPLAY_OK);
    assert_near(report.moved, 0, 0);
    assert_near(state->q[0], 0.75, 1e-12);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

/* A body outside a clearance is moved to its edge, no further. */
static void assembly_moves_into_the_clearance(void** unused) {
    (void)unused;
    FpWorldDef world_def = fp_world_def_default();
    world_def.unassembled = true;
    FpWorld* world = fp_world_create(&world_def);
    FpBodyDef body = fp_body_def_default();
    FpCylindricalDef sleeve = fp_cylindrical_def_default();
    body.name = "body";
    body.mass = 2;
    body.position = fp_vec3(0.3, 0.4, 7);
    fp_inertia_box(2, 1, 1, 1, body.inertia);
    assert_int_equal(fp_world_add_body(world, &body, &sleeve.joint.body[0], NULL), FREEPLAY_OK);
    sleeve.joint.name = "sleeve";
    sleeve.sleeve.given = sleeve.pin.given = true;
    sleeve.length = 1;
    sleeve.clearance = 0.05;
    assert_int_equal(fp_cylindrical_add(world, &sleeve, NULL), FREEPLAY_OK);
    assert_int_equal(fp_world_finish(world, NULL), FREEPLAY_OK);
    FpState* state = fp_state_create(fp_world_system(world));
    assert_int_equal(fp_assemble(fp_world_system(world), state, NULL, NULL), FREEPLAY_OK);
    assert_near(state->q[0], 0.03, 1e-12);
    assert_near(state->q[1], 0.04, 1e-12);
    assert_near(state->q[2], 7, 1e-12);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

/* Gauss: of all velocities that fit, those nearest in the metric of the mass have a difference that
 * does no work on them. */
static void velocities_change_least(void** unused) {
    (void)unused;
    FpModel* model = load_unassembled("four_bar", NULL, NULL);
    const FpSystem* system = fp_model_system(model);
    FpState* state = fp_state_create(system);
    double v0[18];
    for (int j = 0; j < 18; j++) state->v[j] = v0[j] = sin(1 + j);
    assert_int_equal(fp_assemble(system, state, NULL, NULL), FREEPLAY_OK);
    const double zero[18] = {0};
    double before = kinetic_energy_of_difference(system, zero, v0);
    double after = kinetic_energy_of_difference(system, zero, state->v);
    assert_near(before - after, kinetic_energy_of_difference(system, v0, state->v), 1e-12 * before);
    fp_state_destroy(state);
    fp_model_destroy(model);
}

static void loop_that_cannot_close_is_refused(void** unused) {
    (void)unused;
    FpModel* model = load_unassembled("open_loop", "l", "5 m");
    const FpSystem* system = fp_model_system(model);
    FpState *state = fp_state_create(system), *before = fp_state_create(system);
    FpMessage message = {0};
    assert_int_equal(fp_assemble(system, state, NULL, &message), FREEPLAY_NOT_ASSEMBLED);
    assert_non_null(strstr(message.text, "joint '"));
    assert_non_null(strstr(message.text, " m;"));
    assert_memory_equal(state->q, before->q, (size_t)system->q_count * sizeof *state->q);
    assert_memory_equal(state->v, before->v, (size_t)system->v_count * sizeof *state->v);
    fp_state_destroy(state);
    fp_state_destroy(before);
    fp_model_destroy(model);
}

static void check_freedom(const char* name, int velocities, int bilateral, int rank) {
    FpModel* model = load_unassembled(name, NULL, NULL);
    const FpSystem* system = fp_model_system(model);
    FpState* state = fp_state_create(system);
    FpFreedomCount count;
    bool redundant[64];
    assert_int_equal(fp_freedom_count(system, state, &count, redundant), FREEPLAY_OK);
    assert_int_equal(count.velocities, velocities);
    assert_int_equal(count.bilateral, bilateral);
    assert_int_equal(count.rank, rank);
    int repeats = 0;
    for (int i = 0; i < system->row_count; i++) repeats += redundant[i];
    assert_int_equal(repeats, bilateral - rank);
    fp_state_destroy(state);
    fp_model_destroy(model);
}

/* Three bodies, four hinges: 18 - 20 by Gruebler's count, but one freedom. */
static void redundant_rows_are_found(void** unused) {
    (void)unused;
    check_freedom("four_bar", 18, 20, 17);
    check_freedom("four_bar_planar", 9, 8, 8);
    check_freedom("gear_train", 9, 8, 8);
    check_freedom("box_in_guide", 6, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_loop_is_closed_and_then_runs),
        cmocka_unit_test(assembly_moves_least_in_the_metric_of_the_mass),
        cmocka_unit_test(assembly_moves_into_the_clearance),
        cmocka_unit_test(velocities_change_least),
        cmocka_unit_test(loop_that_cannot_close_is_refused),
        cmocka_unit_test(redundant_rows_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
