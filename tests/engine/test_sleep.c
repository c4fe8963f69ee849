/* Constraints that cannot touch within a step are left out of it, and nobody notices. */
#include <freeplay.h>
#include <math.h>
#include <stdio.h>
#include "engine/rows.h"
#include "tests/support.h"

enum { BALLS = 5 };
#define RADIUS 0.05
#define GAP    0.01

/* A row of balls at rest, GAP apart, towards which the first one flies; every pair is a contact. */
static FpWorld* create_row(double speed) {
    FpMessage message = {0};
    FpWorldDef def = {.gravity = {0, -9.81, 0}};
    FpWorld* world = fp_world_create(&def);
    for (int k = 0; k < BALLS; k++) {
        char name[16];
        snprintf(name, sizeof name, "ball%d", k);
        FpBodyDef ball = fp_body_def_default();
        ball.name = name;
        ball.mass = 1 + 0.1 * k;
        fp_inertia_sphere(ball.mass, RADIUS, ball.inertia);
        ball.position = fp_vec3(k * (2 * RADIUS + GAP), 0.001 * k, 0);
        if (k == 0) ball.velocity.x = speed;
        FpBodyId id;
        assert_int_equal(fp_world_add_body(world, &ball, &id, &message), FREEPLAY_OK);
    }
    for (int a = 0; a < BALLS; a++)
        for (int b = 0; b < a; b++) {
            char name[32];
            snprintf(name, sizeof name, "pair%d%d", a, b);
            FpSphereContactDef pair = fp_sphere_contact_def_default();
            pair.joint.name = name;
            pair.joint.body[0] = a;
            pair.joint.body[1] = b;
            pair.first.given = pair.second.given = true;
            pair.radius[0] = pair.radius[1] = RADIUS;
            assert_int_equal(fp_sphere_contact_add(world, &pair, &message), FREEPLAY_OK);
        }
    assert_int_equal(fp_world_finish(world, &message), FREEPLAY_OK);
    return world;
}

/* One step carries the impact through several balls that were at rest. */
static void balls_struck_by_others_wake_within_the_step(void** unused) {
    (void)unused;
    static const double speeds[] = {1, 10, 40, 100};
    for (int k = 0; k < 4; k++) {
        FpMessage message = {0};
        FpWorld* world = create_row(speeds[k]);
        const FpSystem* system = fp_world_system(world);
        FpStepperDef def = fp_stepper_def_default();
        FpStepper* structured;
        FpStepper* ipopt;
        def.solver = "structured";
        structured = fp_stepper_create(system, &def, &message);
        def.solver = "ipopt";
        ipopt = fp_stepper_create(system, &def, &message);
        FpState *a = fp_state_create(system), *b = fp_state_create(system);
        for (int step = 0; step < 60; step++) {
            FpStepReport report;
            assert_int_equal(fp_stepper_step(structured, a, 1, &report, &message), FREEPLAY_OK);
            assert_int_equal(report.rejected, 0);
            assert_int_equal(fp_stepper_step(ipopt, b, 1, NULL, &message), FREEPLAY_OK);
            for (int j = 0; j < system->v_count; j++)
                assert_near(a->v[j], b->v[j], 1e-7 * speeds[k]);
        }
        fp_state_destroy(a);
        fp_state_destroy(b);
        fp_stepper_destroy(structured);
        fp_stepper_destroy(ipopt);
        fp_world_destroy(world);
    }
}

static int count_asleep(const FpRows* rows) {
    int count = 0;
    for (int c = 0; c < rows->system->constraint_count; c++) count += rows->open[c] > 0;
    return count;
}

static void only_far_constraints_sleep(void** unused) {
    (void)unused;
    FpWorld* world = create_row(0);
    const FpSystem* system = fp_world_system(world);
    FpState* state = fp_state_create(system);
    FpRows rows;
    assert_true(fp_rows_create(&rows, system));
    double h = 1e-3, v[6 * BALLS] = {0};
    int pairs = BALLS * (BALLS - 1) / 2;
    fp_rows_evaluate_near(&rows, 0, state->q, h, v, state->lambda);
    assert_int_equal(count_asleep(&rows), pairs);
    /* 2 m/s closes 2 mm, a fifth of a gap; 9 m/s nearly all of it. */
    v[0] = 2;
    assert_false(fp_rows_wake(&rows, 0, state->q, h, v));
    v[0] = 9;
    assert_true(fp_rows_wake(&rows, 0, state->q, h, v));
    assert_int_equal(count_asleep(&rows), pairs - 1);
    /* Awake, it has the direction of the line of centres. */
    assert_near(rows.slopes[rows.slope_at[0]], 1 / hypot(1, 0.001 / (2 * RADIUS + GAP)), 1e-12);
    assert_true(fp_rows_wake(&rows, 0, state->q, h, NULL));
    assert_int_equal(count_asleep(&rows), 0);
    /* What pushed in the last step is near, whatever its gap. */
    state->lambda[3] = 1;
    v[0] = 0;
    fp_rows_evaluate_near(&rows, 0, state->q, h, v, state->lambda);
    assert_int_equal(count_asleep(&rows), pairs - 1);
    fp_rows_free(&rows);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_struck_by_others_wake_within_the_step),
        cmocka_unit_test(only_far_constraints_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
