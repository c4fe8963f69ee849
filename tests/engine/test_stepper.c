/* Steps against closed forms, conservation, limits and refusals. */
#include <float.h>
#include <string.h>
#include "tests/pendulum.h"

static FpWorld* free_body(FpVec3 gravity, FpVec3 velocity, FpVec3 spin) {
    FpWorldDef world_def = {.gravity = gravity};
    FpWorld* world = fp_world_create(&world_def);
    FpBodyDef body = fp_body_def_default();
    body.name = "body";
    body.mass = 3;
    fp_inertia_box(body.mass, 1, 2, 3, body.inertia);
    body.velocity = velocity;
    body.angular_velocity = spin;
    assert_int_equal(fp_world_add_body(world, &body, NULL, NULL), FREEPLAY_OK);
    assert_int_equal(fp_world_finish(world, NULL), FREEPLAY_OK);
    return world;
}

/* v_n = v_0 + n h g, r_n = r_0 + sum h v_k: the scheme's own closed form. */
static void free_fall_follows_its_closed_form(void** unused) {
    (void)unused;
    FpWorld* world = free_body(fp_vec3(0, -9.81, 0), fp_vec3(1, 2, 0), fp_vec3(0, 0, 0));
    FpStepperDef def = fp_stepper_def_default();
    FpState* state;
    FpTotals totals = pendulum_run(world, &def, 0.1, &state);
    double n = 100, h = def.h;
    assert_near(state->q[0], 0.1, 1e-14);
    assert_near(state->q[1], 2 * n * h - 9.81 * h * h * n * (n + 1) / 2, 1e-13);
    assert_near(state->v[1], 2 - 9.81 * n * h, 1e-13);
    /* E + (h/2) f.v is what the step conserves, from its first state on. */
    double first = totals.initial.total + 0.5 * h * 3 * -9.81 * 2;
    assert_near(totals.final.shadow, first, 1e-12);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

/* Spin about a principal axis stays, and the exact step keeps |p| = 1. */
static void steady_spin_stays_steady(void** unused) {
    (void)unused;
    FpWorld* world = free_body(fp_vec3(0, 0, 0), fp_vec3(0, 0, 0), fp_vec3(0, 0, 5));
    FpStepperDef def = fp_stepper_def_default();
    FpState* state;
    FpTotals totals = pendulum_run(world, &def, 0.2, &state);
    assert_near(state->v[5], 5, 1e-13);
    assert_true(totals.max_norm_defect <= 1e-12);
    /* An exact step turns by 2 asin(h w/2). */
    assert_near(state->q[6], sin(200 * asin(def.h * 5 / 2)), 1e-12);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

static void tumbling_keeps_energy_and_momentum_to_first_order(void** unused) {
    (void)unused;
    double drift[2];
    for (int k = 0; k < 2; k++) {
        FpWorld* world = free_body(fp_vec3(0, 0, 0), fp_vec3(0, 0, 0), fp_vec3(1, 0.3, -0.7));
        FpStepperDef def = fp_stepper_def_default();
        def.h = k ? 1e-3 : 2e-3;
        FpState* state;
        FpTotals totals = pendulum_run(world, &def, 1, &state);
        drift[k] = totals.final.kinetic - totals.initial.kinetic;
        fp_state_destroy(state);
        fp_world_destroy(world);
    }
    assert_near(drift[0] / drift[1], 2, 0.05);
}

/* |p|^2 - 1 = h^2 |w|^2/4 after one linearized step from |p| = 1. */
static void linearized_normalization_has_its_known_defect(void** unused) {
    (void)unused;
    FpWorld* world = free_body(fp_vec3(0, 0, 0), fp_vec3(0, 0, 0), fp_vec3(0.3, -0.7, 1.1));
    FpStepperDef def = fp_stepper_def_default();
    def.rows = FREEPLAY_ROWS_LINEARIZED;
    def.h = 0.01;
    FpState* state;
    FpTotals totals = pendulum_run(world, &def, 0.01, &state);
    double w2 = 0;
    for (int i = 3; i < 6; i++) w2 += state->v[i] * state->v[i];
    assert_near(totals.max_norm_defect, 0.01 * 0.01 * w2 / 4, 1e-14);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

static void spin_too_fast_for_the_step_is_refused(void** unused) {
    (void)unused;
    FpWorld* world = free_body(fp_vec3(0, 0, 0), fp_vec3(0, 0, 0), fp_vec3(0, 0, 300));
    FpStepperDef def = fp_stepper_def_default();
    def.h = 0.01;
    FpMessage message;
    FpStepper* stepper = fp_stepper_create(fp_world_system(world), &def, &message);
    FpState* state = fp_state_create(fp_world_system(world));
    FpStatus status = fp_stepper_step(stepper, state, 1, NULL, &message);
    assert_int_equal(status, FREEPLAY_STEP_TOO_LARGE);
    assert_non_null(strstr(message.text, "too large for this spin"));
    assert_near(state->t, 0, 0);
    assert_int_equal(state->step, 0);
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    fp_world_destroy(world);
}

static void exact_rows_do_not_penetrate(void** unused) {
    (void)unused;
    Pendulum pendulum = revolute_pendulum();
    FpWorld* world = pendulum_world(&pendulum);
    FpStepperDef def = fp_stepper_def_default();
    FpState* state;
    FpTotals totals = pendulum_run(world, &def, 1.2, &state);
    double length = fp_world_system(world)->scales.length;
    assert_true(totals.max_penetration <= fmax(1e-9 * 0.1, 16 * DBL_EPSILON * length));
    assert_true(totals.max_certificate <= 1e-9);
    assert_true(totals.max_norm_defect <= 1e-12);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

/* The same mechanism a thousand times smaller, with gravity to match, moves alike. */
static void results_do_not_depend_on_the_units(void** unused) {
    (void)unused;
    double y[3], force[3];
    const double scale[3] = {1, 1e-3, 1e-6}, mass[3] = {2, 2e-3, 2e3};
    for (int k = 0; k < 3; k++) {
        Pendulum pendulum = revolute_pendulum();
        pendulum.scale = scale[k];
        pendulum.mass = mass[k];
        FpWorld* world = pendulum_world(&pendulum);
        FpStepperDef def = fp_stepper_def_default();
        FpState* state;
        FpTotals totals = pendulum_run(world, &def, 0.4, &state);
        assert_int_equal(totals.rejected, 0);
        y[k] = state->q[1] / scale[k];
        force[k] = state->lambda[1] / (scale[k] * mass[k]);
        fp_state_destroy(state);
        fp_world_destroy(world);
    }
    for (int k = 1; k < 3; k++) {
        assert_near(y[k], y[0], 1e-9);
        assert_near(force[k], force[0], 1e-6);
    }
}

static void two_runs_are_equal_bit_for_bit(void** unused) {
    (void)unused;
    double q[2][7];
    for (int k = 0; k < 2; k++) {
        Pendulum pendulum = revolute_pendulum();
        FpWorld* world = pendulum_world(&pendulum);
        FpStepperDef def = fp_stepper_def_default();
        FpState* state;
        pendulum_run(world, &def, 0.2, &state);
        memcpy(q[k], state->q, sizeof q[k]);
        fp_state_destroy(state);
        fp_world_destroy(world);
    }
    assert_memory_equal(q[0], q[1], sizeof q[0]);
}

static void free_step_stays_within_its_bounds(void** unused) {
    (void)unused;
    Pendulum pendulum = pendulum_54();
    FpWorld* world = pendulum_world(&pendulum);
    FpStepperDef def = fp_stepper_def_default();
    def.strategy = "gauss";
    def.h_min = 2e-4;
    def.h_max = 1e-3;
    FpState* state;
    FpTotals totals = pendulum_run(world, &def, 0.3, &state);
    assert_near(state->t, 0.3, 0);
    assert_true(totals.h_largest <= def.h_max);
    assert_true(totals.steps < 400); /* mostly at h_max */
    assert_true(totals.max_certificate <= 1e-9);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

static void fixed_steps_keep_to_the_grid_and_end_on_time(void** unused) {
    (void)unused;
    FpWorld* world = free_body(fp_vec3(0, -1, 0), fp_vec3(0, 0, 0), fp_vec3(0, 0, 0));
    FpStepperDef def = fp_stepper_def_default();
    def.h = 0.3;
    FpState* state;
    FpTotals totals = pendulum_run(world, &def, 1, &state);
    assert_int_equal(totals.steps, 4);
    assert_near(state->t, 1, 0);
    assert_near(state->h, 0.1, 1e-15);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

static void refuse(FpStepperDef def, const char* field) {
    FpWorld* world = free_body(fp_vec3(0, 0, 0), fp_vec3(0, 0, 0), fp_vec3(0, 0, 0));
    FpMessage message = {0};
    assert_null(fp_stepper_create(fp_world_system(world), &def, &message));
    assert_string_equal(message.field, field);
    fp_world_destroy(world);
}

static void defs_out_of_range_are_refused(void** unused) {
    (void)unused;
    FpStepperDef def = fp_stepper_def_default();
    def.h = 0;
    refuse(def, "h");
    def.h = NAN;
    refuse(def, "h");
    def = fp_stepper_def_default();
    def.scheme = "euler";
    refuse(def, "scheme");
    def = fp_stepper_def_default();
    def.solver = "magic";
    refuse(def, "solver");
    def = fp_stepper_def_default();
    def.strategy = "gauss";
    def.h_min = 2 * def.h_max;
    refuse(def, "h_min");
}

static bool always(void* context) {
    (void)context;
    return true;
}

static void cancelled_step_leaves_the_state(void** unused) {
    (void)unused;
    Pendulum pendulum = pendulum_54();
    FpWorld* world = pendulum_world(&pendulum);
    FpStepperDef def = fp_stepper_def_default();
    def.cancel = always;
    FpStepper* stepper = fp_stepper_create(fp_world_system(world), &def, NULL);
    FpState* state = fp_state_create(fp_world_system(world));
    FpMessage message;
    assert_int_equal(fp_stepper_step(stepper, state, 1, NULL, &message), FREEPLAY_CANCELLED);
    assert_int_equal(state->step, 0);
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    fp_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_fall_follows_its_closed_form),
        cmocka_unit_test(steady_spin_stays_steady),
        cmocka_unit_test(tumbling_keeps_energy_and_momentum_to_first_order),
        cmocka_unit_test(linearized_normalization_has_its_known_defect),
        cmocka_unit_test(spin_too_fast_for_the_step_is_refused),
        cmocka_unit_test(exact_rows_do_not_penetrate),
        cmocka_unit_test(results_do_not_depend_on_the_units),
        cmocka_unit_test(two_runs_are_equal_bit_for_bit),
        cmocka_unit_test(free_step_stays_within_its_bounds),
        cmocka_unit_test(fixed_steps_keep_to_the_grid_and_end_on_time),
        cmocka_unit_test(defs_out_of_range_are_refused),
        cmocka_unit_test(cancelled_step_leaves_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
