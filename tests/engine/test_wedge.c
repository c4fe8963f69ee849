/* Contacts that friction wedges: a leg on a hinge jams where mu tan(angle) > 1, whatever a free rod
 * would do there. */
#include "tests/support.h"

#include <math.h>
#include "freeplay.h"

/* The foot of a uniform planar leg of 1 m and 1 kg comes down on a belt at 1 rad/s, at `angle` from
 * it. The belt, ten thousand times as heavy, runs towards the hinge. */
static FpWorld* leg_world(double angle, double friction, bool hinged) {
    FpMessage message = {0};
    FpWorldDef def = {.gravity = {0, 0, 0}};
    FpWorld* world = fp_world_create(&def);
    FpBodyDef leg = fp_body_def_default();
    double start = -angle;
    leg.name = "leg";
    leg.planar = true;
    leg.mass = 1;
    leg.inertia[8] = 1 / 12.;
    leg.position = fp_vec3(cos(start) / 2, sin(start) / 2, 0);
    leg.orientation[0] = cos(start / 2);
    leg.orientation[3] = sin(start / 2);
    leg.velocity = fp_vec3(sin(start) / 2, -cos(start) / 2, 0);
    leg.angular_velocity.z = -1;
    FpBodyId id;
    assert_int_equal(fp_world_add_body(world, &leg, &id, &message), FREEPLAY_OK);
    FpBodyDef belt = fp_body_def_default();
    belt.name = "belt";
    belt.planar = true;
    belt.mass = belt.inertia[8] = 1e4;
    belt.position = fp_vec3(0, -sin(angle), 0);
    belt.velocity.x = -2;
    FpPlaneContactDef foot = fp_plane_contact_def_default();
    foot.joint.name = "foot";
    foot.joint.body[0] = id;
    assert_int_equal(fp_world_add_body(world, &belt, &foot.joint.body[1], &message), FREEPLAY_OK);
    foot.joint.friction = friction;
    foot.point.given = foot.plane.given = true;
    foot.point.origin = fp_vec3(0.5, 0, 0);
    foot.point.axis = foot.plane.axis = fp_vec3(0, 1, 0);
    assert_int_equal(fp_plane_contact_add(world, &foot, &message), FREEPLAY_OK);
    FpRevoluteDef hinge = fp_revolute_def_default();
    hinge.joint.name = "hinge";
    hinge.joint.body[0] = id;
    hinge.joint.body[1] = FREEPLAY_GROUND;
    hinge.bore.given = hinge.pin.given = true;
    hinge.bore.origin = fp_vec3(-0.5, 0, 0);
    hinge.length = 0.1;
    if (hinged) assert_int_equal(fp_revolute_add(world, &hinge, &message), FREEPLAY_OK);
    if (fp_world_finish(world, &message)) fail_msg("%s", message.text);
    return world;
}

static long wedged_steps(double angle, double friction, bool hinged, const char* scheme) {
    FpMessage message = {0};
    FpWorld* world = leg_world(angle, friction, hinged);
    const FpSystem* system = fp_world_system(world);
    FpStepperDef def = fp_stepper_def_default();
    def.scheme = scheme;
    FpStepper* stepper = fp_stepper_create(system, &def, &message);
    FpState* state = fp_state_create(system);
    FpTotals totals;
    if (fp_simulate(stepper, state, 0.005, NULL, &totals, &message)) fail_msg("%s", message.text);
    assert_true(totals.max_certificate <= 1e-9);
    fp_stepper_destroy(stepper);
    fp_state_destroy(state);
    fp_world_destroy(world);
    return totals.wedged;
}

/* With the hinge closed the foot has one way to go: W_N = cos a, W_T = sin a along its slip, and
 * (59) reads cos a (cos a - mu sin a) > 0. */
static void leg_on_a_hinge_is_wedged_beyond_its_angle(void** unused) {
    (void)unused;
    static const char* const names[] = {"rattle", "rattle-midpoint", "moreau"};
    const double angle = 1.0, critical = 1 / tan(angle);
    for (int k = 0; k < 3; k++) {
        assert_true(wedged_steps(angle, 1.05 * critical, true, names[k]) > 0);
        assert_int_equal(wedged_steps(angle, 0.95 * critical, true, names[k]), 0);
    }
}

/* A free rod: 1 + 3 cos^2 a - 3 mu sin a cos a > 0. */
static void free_rod_is_wedged_at_another(void** unused) {
    (void)unused;
    const double angle = 1.0, c = cos(angle), s = sin(angle);
    const double critical = (1 + 3 * c * c) / (3 * s * c);
    assert_true(wedged_steps(angle, 1.05 * critical, false, "rattle") > 0);
    assert_int_equal(wedged_steps(angle, 0.95 * critical, false, "rattle"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leg_on_a_hinge_is_wedged_beyond_its_angle),
        cmocka_unit_test(free_rod_is_wedged_at_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
