/* Drivers: psi is 0 along the prescribed motion, and the motions are what their defs say. */
#include "tests/joints/scene.h"

typedef struct Driven {
    FpWorld* world;
    const FpConstraint* driver;
} Driven;

/* A body in the plane that a driver turns about, or slides along, an axis of ground. */
static Driven driven(FpDriveDef drive, bool turns) {
    Driven d = {.world = scene_world()};
    FpJointDef head = {.name = "joint", .body = {0, FREEPLAY_GROUND}};
    scene_body(d.world, "body", true, fp_vec3(0, 0, 0), NULL);
    FpRevoluteDef hinge = fp_revolute_def_default();
    FpPrismaticDef guide = fp_prismatic_def_default();
    hinge.joint = guide.joint = head;
    hinge.pin = scene_frame_z(0, 0, 0);
    guide.guide = scene_frame_x(0, 0, 0);
    hinge.length = guide.length = 0.1;
    if (turns)
        scene_add(d.world, &fp_revolute_type, &hinge);
    else
        scene_add(d.world, &fp_prismatic_type, &guide);
    FpDriverDef def = {.joint.name = "driver", .driven = "joint"};
    *(turns ? &def.rotation : &def.translation) = drive;
    scene_add(d.world, &fp_driver_type, &def);
    d.driver = scene_finish(d.world);
    return d;
}

static double psi_at(const Driven* d, double t, const double q[3]) {
    const double* blocks[FREEPLAY_CONSTRAINT_BLOCKS];
    double psi;
    fp_constraint_coordinates(fp_world_system(d->world), d->driver, q, blocks);
    d->driver->ops->value(d->driver, t, blocks, &psi);
    return psi;
}

/* The motion itself and its derivatives, seen from a body that stays at 0. */
static void motion_at(const Driven* d, double t, double x[3]) {
    const double rest[3] = {0, 0, 0};
    const double* blocks[FREEPLAY_CONSTRAINT_BLOCKS];
    double J_t[3 + FREEPLAY_GROUND_WIDTH] = {0};
    fp_constraint_coordinates(fp_world_system(d->world), d->driver, rest, blocks);
    d->driver->ops->rate(d->driver, t, blocks, &x[1], &x[2], J_t);
    x[0] = -psi_at(d, t, rest);
    x[1] = -x[1];
    x[2] = -x[2];
}

static void steady_rotation_is_followed_over_many_turns(void** unused) {
    (void)unused;
    Driven d = driven((FpDriveDef){.kind = FREEPLAY_DRIVE_SPEED, .speed = -7}, true);
    assert_int_equal(d.driver->rows[0].kind, FREEPLAY_ROW_BILATERAL);
    assert_int_equal(d.driver->rows[0].unit, FREEPLAY_ROW_ANGLE);
    for (int k = 0; k <= 500; k++) {
        double t = 0.0731 * k; /* up to 40 turns */
        assert_near(psi_at(&d, t, (const double[3]){0, 0, -7 * t}), 0, 1e-13);
        assert_near(psi_at(&d, t, (const double[3]){0, 0, -7 * t + 0.01}), 0.01, 1e-13);
    }
    fp_world_destroy(d.world);
}

static void harmonic_rotation_may_swing_over_several_turns(void** unused) {
    (void)unused;
    double amplitude = 20, frequency = 0.25, phase = 0.6;
    Driven d = driven((FpDriveDef){.kind = FREEPLAY_DRIVE_HARMONIC,
                                   .amplitude = amplitude,
                                   .frequency = frequency,
                                   .phase = phase},
                      true);
    for (int k = 0; k <= 500; k++) {
        double t = 0.0173 * k, angle = amplitude * (sin(pi / 2 * t + phase) - sin(phase));
        assert_near(psi_at(&d, t, (const double[3]){0, 0, angle}), 0, 1e-13);
    }
    fp_world_destroy(d.world);
}

/* A (sin(2 pi f t + phi) - sin phi) with A = 0.3, f = 2, phi = 0: at a quarter period A, at rest
 * and back with A (4 pi)^2. */
static void harmonic_translation_has_its_derivatives(void** unused) {
    (void)unused;
    Driven d = driven(
        (FpDriveDef){.kind = FREEPLAY_DRIVE_HARMONIC, .amplitude = 0.3, .frequency = 2}, false);
    double x[3];
    assert_int_equal(d.driver->rows[0].unit, FREEPLAY_ROW_LENGTH);
    motion_at(&d, 0, x);
    assert_near(x[0], 0, 0);
    assert_near(x[1], 0.3 * 4 * pi, 1e-14);
    assert_near(x[2], 0, 0);
    motion_at(&d, 0.125, x);
    assert_near(x[0], 0.3, 1e-15);
    assert_near(x[1], 0, 1e-14);
    assert_near(x[2], -0.3 * 16 * pi * pi, 1e-13);
    fp_world_destroy(d.world);
}

static Driven driven_by_table(int count, const double* times, const double* values) {
    return driven(
        (FpDriveDef){
            .kind = FREEPLAY_DRIVE_TABLE, .count = count, .times = times, .values = values},
        false);
}

/* The cubic 3 s^2 - 2 s^3 is at rest at 0 and 1: of all curves through its points the spline that
 * is at rest there is this one. */
static void spline_of_a_cubic_is_the_cubic(void** unused) {
    (void)unused;
    static const double times[5] = {0, 0.15, 0.4, 0.45, 1};
    double values[5], x[3];
    for (int k = 0; k < 5; k++) values[k] = times[k] * times[k] * (3 - 2 * times[k]);
    Driven d = driven_by_table(5, times, values);
    for (int k = 1; k < 100; k++) {
        double s = 0.01 * k;
        motion_at(&d, s, x);
        assert_near(x[0], s * s * (3 - 2 * s), 1e-15);
        assert_near(x[1], 6 * s * (1 - s), 1e-13);
        assert_near(x[2], 6 - 12 * s, 1e-12);
    }
    fp_world_destroy(d.world);
}

static void spline_goes_through_its_points_with_continuous_curvature(void** unused) {
    (void)unused;
    static const double times[6] = {-0.3, 0.1, 0.2, 0.7, 0.9, 2};
    static const double values[6] = {1, -0.5, 0.8, 0.8, 2, -1};
    Driven d = driven_by_table(6, times, values);
    double x[3], before[3], after[3], start[3], step = 1e-9;
    motion_at(&d, 0, start);
    assert_near(start[0], 0, 0);
    motion_at(&d, -0.3, x);
    double first = x[0]; /* of values[0] = 1, less what the spline is at t = 0 */
    for (int k = 0; k < 6; k++) {
        motion_at(&d, times[k], x);
        assert_near(x[0], first + values[k] - values[0], 1e-14);
        if (k == 0 || k == 5) continue;
        motion_at(&d, times[k] - step, before);
        motion_at(&d, times[k] + step, after);
        /* Slopes are below 100, and curvatures change by less than 1e5 in a second. */
        assert_near(before[0], after[0], 2 * step * 100);
        assert_near(before[1], after[1], 2 * step * 1e4);
        assert_near(before[2], after[2], 2 * step * 1e5);
    }
    /* At rest outside, and where it starts and ends to move. */
    const double outside[4] = {-5, -0.3, 2, 7};
    for (int k = 0; k < 4; k++) {
        motion_at(&d, outside[k], x);
        assert_near(x[0], first + values[k < 2 ? 0 : 5] - values[0], 1e-15);
        assert_near(x[1], 0, 0);
        assert_near(x[2], 0, 0);
    }
    motion_at(&d, -0.3 + step, x);
    assert_near(x[1], 0, step * 1e3);
    motion_at(&d, 2 - step, x);
    assert_near(x[1], 0, step * 1e3);
    fp_world_destroy(d.world);
}

/* Two points: 3 s^2 - 2 s^3 between them, by hand at the middle. */
static void shortest_table_is_one_cubic(void** unused) {
    (void)unused;
    Driven d = driven_by_table(2, (const double[]){1, 3}, (const double[]){5, 9});
    double x[3];
    motion_at(&d, 2, x);
    assert_near(x[0], 2, 1e-15); /* half of the rise, from the value 5 at t = 0 */
    assert_near(x[1], 3, 1e-15); /* 1.5 times the mean speed of 2 m/s */
    assert_near(x[2], 0, 1e-15);
    motion_at(&d, 10, x);
    assert_near(x[0], 4, 0);
    fp_world_destroy(d.world);
}

/* The stepper makes a driven body do what the driver says. */
static void driven_body_follows_in_a_run(void** unused) {
    (void)unused;
    FpDriveDef harmonic = {.kind = FREEPLAY_DRIVE_HARMONIC, .amplitude = 0.3, .frequency = 2};
    Driven d = driven(harmonic, false);
    const FpSystem* system = fp_world_system(d.world);
    FpMessage message = {0};
    FpStepperDef def = fp_stepper_def_default();
    FpStepper* stepper = fp_stepper_create(system, &def, &message);
    if (!stepper) fail_msg("%s", message.text);
    FpState* state = fp_state_create(system);
    FpTotals totals;
    FpStatus status = fp_simulate(stepper, state, 0.3, NULL, &totals, &message);
    if (status) fail_msg("%s", message.text);
    assert_near(state->q[0], 0.3 * sin(4 * pi * state->t), 1e-9);
    assert_near(state->q[1], 0, 1e-9);
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    fp_world_destroy(d.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_rotation_is_followed_over_many_turns),
        cmocka_unit_test(harmonic_rotation_may_swing_over_several_turns),
        cmocka_unit_test(harmonic_translation_has_its_derivatives),
        cmocka_unit_test(spline_of_a_cubic_is_the_cubic),
        cmocka_unit_test(spline_goes_through_its_points_with_continuous_curvature),
        cmocka_unit_test(shortest_table_is_one_cubic),
        cmocka_unit_test(driven_body_follows_in_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
