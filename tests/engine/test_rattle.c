/* Nonsmooth RATTLE and Moreau-Jean without friction: order, conservation, impacts, joints that stay
 * closed, and the same answers from both solvers, twice, resumed and in other units. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "engine/midstep.h"
#include "tests/pendulum.h"
#include "bench/locate.h"

static FpStepperDef scheme(const char* name, double h) {
    FpStepperDef def = fp_stepper_def_default();
    def.scheme = name;
    def.h = h;
    return def;
}

/* One body in free space, spinning about all axes. */
static FpWorld* spinning_body(void) {
    FpMessage message = {0};
    FpWorldDef world_def = {.gravity = {0, 0, 0}};
    FpWorld* world = fp_world_create(&world_def);
    FpBodyDef body = fp_body_def_default();
    body.name = "body";
    body.mass = 2;
    fp_inertia_box(2, 0.3, 0.2, 0.1, body.inertia);
    body.angular_velocity = fp_vec3(1, 5, -2);
    FpBodyId id;
    assert_int_equal(fp_world_add_body(world, &body, &id, &message), FREEPLAY_OK);
    assert_int_equal(fp_world_finish(world, &message), FREEPLAY_OK);
    return world;
}

static FpState* end_of(const FpWorld* world, const FpStepperDef* def, double t_end) {
    FpState* state;
    pendulum_run(world, def, t_end, &state);
    return state;
}

static double difference(const double* a, const double* b, int count) {
    double largest = 0;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/* log2 of the ratio of differences between h, h/2 and h/4. */
static double order_of(const FpWorld* world, const char* name, double h, double t_end) {
    FpState* at[3];
    for (int k = 0; k < 3; k++) {
        FpStepperDef def = scheme(name, h / pow(2, k));
        at[k] = end_of(world, &def, t_end);
    }
    int count = at[0]->q_count;
    double coarse = difference(at[0]->q, at[1]->q, count);
    double fine = difference(at[1]->q, at[2]->q, count);
    for (int k = 0; k < 3; k++) fp_state_destroy(at[k]);
    return log2(coarse / fine);
}

static void free_spin_and_ideal_pendulum_are_of_second_order(void** unused) {
    (void)unused;
    FpWorld* world = spinning_body();
    assert_near(order_of(world, "rattle", 0.02, 1), 2, 0.05);
    assert_near(order_of(world, "moreau", 0.02, 1), 2, 0.05);
    fp_world_destroy(world);
    Pendulum ideal = pendulum_54();
    ideal.clearance = 0;
    world = pendulum_world(&ideal);
    assert_near(order_of(world, "rattle", 0.02, 1), 2, 0.05);
    fp_world_destroy(world);
}

/* No torque: the angular momentum stays where it is. */
static void spin_keeps_its_energy_and_norm(void** unused) {
    (void)unused;
    FpWorld* world = spinning_body();
    FpStepperDef def = scheme("rattle", 1e-3);
    FpState* state;
    FpTotals totals = pendulum_run(world, &def, 5, &state);
    assert_near(totals.final.total / totals.initial.total, 1, 1e-5);
    assert_true(totals.max_norm_defect < 1e-12);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

/* Event-driven: centre of mass at 10 s, exact gap functions, rtol 1e-12. */
static void loose_pendulum_is_accurate_and_does_not_penetrate(void** unused) {
    (void)unused;
    static const double steps[] = {0.8e-3, 0.93e-3, 1e-3, 1.07e-3, 1.2e-3};
    Pendulum pendulum = revolute_pendulum();
    FpWorld* world = pendulum_world(&pendulum);
    for (int k = 0; k < 5; k++) {
        FpStepperDef def = scheme("rattle", steps[k]);
        FpState* state;
        FpTotals totals = pendulum_run(world, &def, 10, &state);
        assert_true(hypot(state->q[0] + 24.66959208, state->q[1] + 18.79218417) <= 0.002);
        assert_true(totals.max_penetration <= 1e-8 * pendulum.clearance);
        assert_true(totals.max_certificate <= 1e-9);
        assert_int_equal(totals.solves_ipopt, 0);
        fp_state_destroy(state);
    }
    fp_world_destroy(world);
}

/* Impacts in steps of a microsecond between long ones: their forces are no start for the next. */
static void located_contacts_leave_a_tenth_of_the_error(void** unused) {
    (void)unused;
    Pendulum pendulum = revolute_pendulum();
    FpWorld* world = pendulum_world(&pendulum);
    const FpSystem* system = fp_world_system(world);
    for (int k = 0; k < 2; k++) {
        FpMessage message = {0};
        FpStepperDef def = scheme("rattle", k ? 1.2e-3 : 1e-3);
        Locator locator;
        FpState* state = fp_state_create(system);
        if (!locate_create(&locator, system, &def, &message)) fail_msg("%s", message.text);
        while (state->t < 10) {
            FpStepReport report;
            if (locate_step(&locator, state, 10, &report, &message)) fail_msg("%s", message.text);
            assert_true(report.certificate <= 1e-9);
        }
        assert_true(locator.contacts >= 10);
        assert_true(hypot(state->q[0] + 24.66959208, state->q[1] + 18.79218417) <= 2e-4);
        fp_state_destroy(state);
        locate_destroy(&locator);
    }
    fp_world_destroy(world);
}

static void ideal_joints_stay_closed_and_keep_energy(void** unused) {
    (void)unused;
    Pendulum ideal = pendulum_54();
    ideal.clearance = 0;
    FpWorld* world = pendulum_world(&ideal);
    FpStepperDef def = scheme("rattle", 1e-3);
    FpState* state;
    FpTotals totals = pendulum_run(world, &def, 5, &state);
    double scale = ideal.mass * 9.81 * 30.9;
    assert_true(totals.max_penetration <= 1e-10);
    assert_true(fabs(totals.final.total - totals.initial.total) <= 1e-6 * scale);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

/* A ball above a floor. */
static FpWorld* ball_world(double restitution) {
    FpMessage message = {0};
    FpWorldDef def = fp_world_def_default();
    FpWorld* world = fp_world_create(&def);
    FpBodyDef ball = fp_body_def_default();
    ball.name = "ball";
    ball.mass = 1;
    fp_inertia_sphere(1, 0.1, ball.inertia);
    ball.position.y = 1;
    FpPlaneContactDef floor = fp_plane_contact_def_default();
    assert_int_equal(fp_world_add_body(world, &ball, &floor.joint.body[0], &message), FREEPLAY_OK);
    floor.joint.name = "floor";
    floor.joint.body[1] = FREEPLAY_GROUND;
    floor.joint.restitution = restitution;
    floor.point.given = floor.plane.given = true;
    floor.plane.axis = fp_vec3(0, 1, 0);
    floor.radius = 0.1;
    assert_int_equal(fp_plane_contact_add(world, &floor, &message), FREEPLAY_OK);
    assert_int_equal(fp_world_finish(world, &message), FREEPLAY_OK);
    return world;
}

/* It falls 0.9 m: impact at 0.42835 s with 4.20214 m/s; after the third bounce of e = 1/2 the apex
 * is 0.9/64 m high, and it rests from 1.28506 s on (the Zeno limit). */
static void ball_bounces_and_comes_to_rest(void** unused) {
    (void)unused;
    static const char* const names[] = {"rattle", "moreau"};
    FpWorld* world = ball_world(0.5);
    for (int k = 0; k < 2; k++) {
        FpStepperDef def = scheme(names[k], 1e-4);
        FpState* state = end_of(world, &def, 0.8567 - 0.2142); /* between the first two impacts */
        assert_near(state->q[1] - 0.1, 0.9 / 4, 1e-3);
        fp_state_destroy(state);
        FpTotals totals = pendulum_run(world, &def, 1.6, &state);
        assert_near(state->q[1], 0.1, k == 0 ? 1e-12 : 1e-3);
        assert_near(state->v[1], 0, 1e-9);
        assert_near(state->lambda[0], 9.81, 1e-6);
        if (k == 0) assert_true(totals.max_penetration <= 1e-14);
        fp_state_destroy(state);
    }
    fp_world_destroy(world);
}

static void elastic_ball_keeps_bouncing(void** unused) {
    (void)unused;
    FpWorld* world = ball_world(1);
    FpStepperDef def = scheme("rattle", 1e-3);
    FpState* state;
    FpTotals totals = pendulum_run(world, &def, 10, &state);
    /* An impact within a step reverses the velocity of its start on the floor: it costs the height
     * at that start, less than h v = 4.2 mm of 0.9 m, half of it on average, and there are 12. */
    double lost = 1 - (totals.final.total - 0.981) / (totals.initial.total - 0.981);
    assert_true(lost > 0 && lost < 12 * 4.2e-3 / 0.9);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

static void projection_keeps_moreau_on_its_joints(void** unused) {
    (void)unused;
    Pendulum ideal = pendulum_54();
    ideal.clearance = 0;
    FpWorld* world = pendulum_world(&ideal);
    double penetration[2];
    for (int k = 0; k < 2; k++) {
        FpStepperDef def = scheme("moreau", 1e-3);
        def.projection = k;
        FpState* state;
        penetration[k] = pendulum_run(world, &def, 2, &state).max_penetration;
        fp_state_destroy(state);
    }
    assert_true(penetration[0] > 1e-7);
    assert_true(penetration[1] < 1e-10);
    fp_world_destroy(world);
}

static void both_solvers_agree(void** unused) {
    (void)unused;
    static const char* const names[] = {"rattle", "moreau"};
    Pendulum pendulum = revolute_pendulum();
    FpWorld* world = pendulum_world(&pendulum);
    for (int k = 0; k < 2; k++) {
        FpStepperDef def = scheme(names[k], 2e-3);
        def.solver = "structured";
        FpState* structured = end_of(world, &def, 1.2);
        def.solver = "ipopt";
        FpState* ipopt = end_of(world, &def, 1.2);
        assert_true(difference(structured->q, ipopt->q, 7) <= 1e-8 * 36);
        assert_true(difference(structured->v, ipopt->v, 6) <= 1e-8 * 10);
        fp_state_destroy(structured);
        fp_state_destroy(ipopt);
    }
    fp_world_destroy(world);
}

/* A stepper that has kept what it knows of the last step gives the same bits as a new one. */
static void resumed_runs_are_the_same_to_the_bit(void** unused) {
    (void)unused;
    static const char* const names[] = {"rattle", "moreau"};
    Pendulum pendulum = revolute_pendulum();
    FpWorld* world = pendulum_world(&pendulum);
    const FpSystem* system = fp_world_system(world);
    for (int k = 0; k < 2; k++) {
        FpMessage message = {0};
        FpStepperDef def = scheme(names[k], 1e-3);
        FpState *whole = end_of(world, &def, 1.5), *resumed = fp_state_create(system);
        for (int part = 1; part <= 3; part++) {
            FpStepper* stepper = fp_stepper_create(system, &def, &message);
            assert_int_equal(fp_simulate(stepper, resumed, 0.5 * part, NULL, NULL, &message),
                             FREEPLAY_OK);
            fp_stepper_destroy(stepper);
        }
        assert_memory_equal(whole->q, resumed->q, 7 * sizeof *whole->q);
        assert_memory_equal(whole->v, resumed->v, 6 * sizeof *whole->v);
        fp_state_destroy(whole);
        fp_state_destroy(resumed);
    }
    fp_world_destroy(world);
}

/* The same mechanism in metres and in micrometres, light and heavy. */
static void units_do_not_matter(void** unused) {
    (void)unused;
    static const double scales[] = {1, 1e-3, 1e-6};
    double x[3];
    for (int k = 0; k < 3; k++) {
        Pendulum pendulum = revolute_pendulum();
        pendulum.scale = scales[k];
        pendulum.mass = k == 2 ? 2e-6 : 2;
        FpWorld* world = pendulum_world(&pendulum);
        FpStepperDef def = scheme("rattle", 1e-3);
        FpState* state;
        FpTotals totals = pendulum_run(world, &def, 2, &state);
        assert_int_equal(totals.solves_ipopt, 0);
        assert_int_equal(totals.rejected, 0);
        x[k] = state->q[0] / pendulum.scale;
        fp_state_destroy(state);
        fp_world_destroy(world);
    }
    assert_near(x[1], x[0], 1e-6 * fabs(x[0]));
    assert_near(x[2], x[0], 1e-6 * fabs(x[0]));
}

/* dq1 = B(q1) T h dv, against differences. */
static void end_of_a_step_has_the_tangent_it_says(void** unused) {
    (void)unused;
    FpWorld* world = spinning_body();
    const FpSystem* s = fp_world_system(world);
    const double q0[7] = {0.1, -0.2, 0.3, 0.5, 0.5, -0.5, 0.5}, h = 0.3;
    double v[6] = {1, -2, 0.5, 1.5, -2.5, 0.7}, q1[7], T[36], B[42];
    s->ops->midstep(s->self, 0, q0, v, h, q1);
    double norm = 0;
    for (int i = 3; i < 7; i++) norm += q1[i] * q1[i];
    assert_near(norm, 1, 1e-15);
    s->ops->midstep_tangent(s->self, 0, v, h, T);
    s->ops->kinematics(s->self, 0, q1, B);
    for (int j = 0; j < 6; j++) {
        double plus[7], minus[7], step = 1e-5;
        v[j] += step;
        s->ops->midstep(s->self, 0, q0, v, h, plus);
        v[j] -= 2 * step;
        s->ops->midstep(s->self, 0, q0, v, h, minus);
        v[j] += step;
        for (int i = 0; i < 7; i++) {
            double predicted = 0;
            for (int k = 0; k < 6; k++) predicted += B[6 * i + k] * T[6 * k + j] * h;
            assert_near(predicted, (plus[i] - minus[i]) / (2 * step), 1e-9);
        }
    }
    fp_world_destroy(world);
}

static void what_the_schemes_cannot_do_is_refused(void** unused) {
    (void)unused;
    FpMessage message = {0};
    FpWorld* world = spinning_body();
    FpStepperDef def = scheme("rattle", 1e-3);
    def.strategy = "gauss";
    assert_null(fp_stepper_create(fp_world_system(world), &def, &message));
    assert_string_equal(message.field, "step");
    assert_non_null(strstr(message.text, "choose fixed"));
    def = scheme("moreau", 1e-3);
    def.theta = 1.5;
    assert_null(fp_stepper_create(fp_world_system(world), &def, &message));
    assert_string_equal(message.field, "theta");
    fp_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_spin_and_ideal_pendulum_are_of_second_order),
        cmocka_unit_test(spin_keeps_its_energy_and_norm),
        cmocka_unit_test(loose_pendulum_is_accurate_and_does_not_penetrate),
        cmocka_unit_test(located_contacts_leave_a_tenth_of_the_error),
        cmocka_unit_test(ideal_joints_stay_closed_and_keep_energy),
        cmocka_unit_test(ball_bounces_and_comes_to_rest),
        cmocka_unit_test(elastic_ball_keeps_bouncing),
        cmocka_unit_test(projection_keeps_moreau_on_its_joints),
        cmocka_unit_test(both_solvers_agree),
        cmocka_unit_test(resumed_runs_are_the_same_to_the_bit),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(end_of_a_step_has_the_tangent_it_says),
        cmocka_unit_test(what_the_schemes_cannot_do_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
