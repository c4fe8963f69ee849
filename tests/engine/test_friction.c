/* Friction and restitution in the schemes that have contact laws: order while the slip turns,
 * sticking and sliding, redundant contacts, impacts, energy, units, and the same bits again. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "tests/support.h"

#include "freeplay.h"

static const char* const schemes[] = {"rattle", "rattle-midpoint", "moreau"};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };
static const double g = 9.81;

static FpStepperDef scheme(const char* name, double h) {
    FpStepperDef def = fp_stepper_def_default();
    def.scheme = name;
    def.h = h;
    return def;
}

static FpStepper* create_stepper(const FpSystem* system, const FpStepperDef* def) {
    FpMessage message = {0};
    FpStepper* stepper = fp_stepper_create(system, def, &message);
    if (!stepper) fail_msg("%s", message.text);
    return stepper;
}

/* Steps until t_end; every step is certified. */
static void run(const FpSystem* system, const FpStepperDef* def, double t_end, FpState* state) {
    FpMessage message = {0};
    FpTotals totals;
    FpStepper* stepper = create_stepper(system, def);
    if (fp_simulate(stepper, state, t_end, NULL, &totals, &message)) fail_msg("%s", message.text);
    assert_true(totals.max_certificate <= 1e-9);
    fp_stepper_destroy(stepper);
}

/* Worlds --------------------------------------------------------------------------------------- */

/* A body over a floor, which it touches with some points at the height `below` under its centre. */
typedef struct Body {
    double scale, mass;  /* of all lengths; kg */
    double tilt;         /* rad, of the floor, about z: positive falls towards +x */
    double height;       /* m over touching, before scaling */
    double width, below; /* m: of the square of four points, 0 for one; before scaling */
    double friction, restitution, tangential_restitution;
    double radius; /* m, of a ball in place of a point, before scaling */
    FpVec3 velocity, spin;
    double push; /* m/s^2 along z, before scaling */
} Body;

static const Body point = {.scale = 1, .mass = 1, .friction = 0.3};
static const Body crate = {.scale = 1, .mass = 2, .width = 0.4, .below = 0.1, .friction = 0.3};

static void add_contact(FpWorld* world, const Body* b, int k, FpBodyId id) {
    static const char* const names[] = {"floor0", "floor1", "floor2", "floor3"};
    FpMessage message = {0};
    FpPlaneContactDef floor = fp_plane_contact_def_default();
    double half = b->width / 2 * b->scale;
    floor.joint.name = names[k];
    floor.joint.body[0] = id;
    floor.joint.body[1] = FREEPLAY_GROUND;
    floor.joint.friction = b->friction;
    floor.joint.restitution = b->restitution;
    floor.joint.tangential_restitution = b->tangential_restitution;
    floor.point.given = floor.plane.given = true;
    floor.point.origin = fp_vec3(k % 2 ? half : -half, -b->below * b->scale, k / 2 ? half : -half);
    floor.plane.axis = fp_vec3(sin(b->tilt), cos(b->tilt), 0);
    floor.radius = b->radius * b->scale;
    if (fp_plane_contact_add(world, &floor, &message)) fail_msg("%s", message.text);
}

static FpWorld* create_world(const Body* b) {
    FpMessage message = {0};
    FpWorldDef def = fp_world_def_default();
    def.gravity = fp_vec3(0, -g * b->scale, 0);
    FpWorld* world = fp_world_create(&def);
    FpBodyDef body = fp_body_def_default();
    FpBodyId id;
    body.name = "body";
    body.mass = b->mass;
    fp_inertia_box(b->mass, 0.4 * b->scale, 0.2 * b->scale, 0.4 * b->scale, body.inertia);
    body.position.y = (b->height + b->below + b->radius) * b->scale;
    body.velocity = fp_vec3_scale(b->scale, b->velocity);
    body.angular_velocity = b->spin;
    FpLoadDef push = fp_load_def_default();
    assert_int_equal(fp_world_add_body(world, &body, &id, &message), FREEPLAY_OK);
    push.body = id;
    push.value.z = b->push * b->mass * b->scale;
    assert_int_equal(fp_world_add_load(world, &push, &message), FREEPLAY_OK);
    for (int k = 0; k < (b->width > 0 ? 4 : 1); k++) add_contact(world, b, k, id);
    if (fp_world_finish(world, &message)) fail_msg("%s", message.text);
    return world;
}

/* A crate that is thrown, spins and slides. */
static Body thrown_crate(double restitution) {
    Body b = crate;
    b.height = 0.1;
    b.restitution = restitution;
    b.velocity = fp_vec3(1.5, -0.5, 0.7);
    b.spin = fp_vec3(1, 2, -1.5);
    return b;
}

/* Order ---------------------------------------------------------------------------------------- */

enum { SIZES = 5 };

static FpState* end_of(const FpSystem* system, const char* name, double h, double t_end) {
    FpStepperDef def = scheme(name, h);
    FpState* state = fp_state_create(system);
    run(system, &def, t_end, state);
    return state;
}

/* The slope of the straight line through log e over log h, h halved from one to the next. */
static double fitted_order(const double e[SIZES]) {
    double sum = 0, squares = 0;
    for (int k = 0; k < SIZES; k++) {
        double x = (SIZES - 1) / 2.0 - k;
        sum += x * log2(e[k]);
        squares += x * x;
    }
    return sum / squares;
}

/* A push across the path turns the slip: the midpoint rule alone is of second order. */
static void midpoint_rule_keeps_its_order_while_the_slip_turns(void** unused) {
    (void)unused;
    static const double orders[SCHEMES] = {1, 2, 1};
    const double h = 8e-3, t_end = 0.4;
    Body puck = point;
    puck.velocity = fp_vec3(2, 0, 0);
    puck.push = 1;
    FpWorld* world = create_world(&puck);
    const FpSystem* s = fp_world_system(world);
    FpState* fine = end_of(s, "rattle-midpoint", h / 1024, t_end);
    for (int n = 0; n < SCHEMES; n++) {
        double position[SIZES], velocity[SIZES];
        for (int k = 0; k < SIZES; k++) {
            FpState* end = end_of(s, schemes[n], h / pow(2, k), t_end);
            position[k] = hypot(end->q[0] - fine->q[0], end->q[2] - fine->q[2]);
            velocity[k] = hypot(end->v[0] - fine->v[0], end->v[2] - fine->v[2]);
            fp_state_destroy(end);
        }
        assert_near(fitted_order(position), orders[n], 0.05);
        assert_near(fitted_order(velocity), orders[n], 0.05);
    }
    fp_state_destroy(fine);
    fp_world_destroy(world);
}

/* Sticking and sliding ------------------------------------------------------------------------- */

static void point_sticks_on_a_slope_that_is_flatter_than_its_friction(void** unused) {
    (void)unused;
    Body b = point;
    b.tilt = -(atan(b.friction) - 1e-3);
    FpWorld* world = create_world(&b);
    for (int n = 0; n < SCHEMES; n++) {
        FpState* end = end_of(fp_world_system(world), schemes[n], 1e-3, 1);
        for (int i = 0; i < 3; i++) {
            assert_near(end->q[i], 0, 1e-14);
            assert_near(end->v[i], 0, 1e-12);
        }
        fp_state_destroy(end);
    }
    fp_world_destroy(world);
}

static void point_slides_with_the_exact_acceleration_down_a_steeper_slope(void** unused) {
    (void)unused;
    const double h = 1e-3, a = 0.5, along = g * (sin(a) - point.friction * cos(a));
    Body b = point;
    b.tilt = a;
    FpWorld* world = create_world(&b);
    const FpSystem* s = fp_world_system(world);
    for (int n = 0; n < SCHEMES; n++) {
        FpMessage message = {0};
        FpStepperDef def = scheme(schemes[n], h);
        FpStepper* stepper = create_stepper(s, &def);
        FpState* state = fp_state_create(s);
        for (int k = 1; k <= 1000; k++) {
            double before = hypot(state->v[0], state->v[1]);
            assert_int_equal(fp_stepper_step(stepper, state, 10, NULL, &message), FREEPLAY_OK);
            assert_near(hypot(state->v[0], state->v[1]) - before, h * along, 1e-14);
        }
        assert_near(state->q[0], along / 2 * cos(a), 1e-11);
        assert_near(state->q[1], -along / 2 * sin(a), 1e-11);
        fp_state_destroy(state);
        fp_stepper_destroy(stepper);
    }
    fp_world_destroy(world);
}

/* Three of the four corners would do: of all forces that hold it, the least are taken. */
static void smooth_crate_at_rest_carries_as_much_on_every_corner(void** unused) {
    (void)unused;
    Body smooth = crate;
    smooth.friction = 0;
    FpWorld* world = create_world(&smooth);
    for (int n = 0; n < SCHEMES; n++) {
        FpState* end = end_of(fp_world_system(world), schemes[n], 1e-3, 0.1);
        assert_int_equal(end->row_count, 4);
        for (int i = 0; i < 4; i++) assert_near(end->lambda[i], crate.mass * g / 4, 1e-9);
        fp_state_destroy(end);
    }
    fp_world_destroy(world);
}

/* With friction, too: no corner rubs against another. */
static void rough_crate_at_rest_carries_as_much_on_every_corner(void** unused) {
    (void)unused;
    FpWorld* world = create_world(&crate);
    const double weight = crate.mass * g;
    for (int n = 0; n < SCHEMES; n++) {
        FpState* end = end_of(fp_world_system(world), schemes[n], 1e-3, 0.1);
        assert_int_equal(end->slip_count, 8);
        for (int i = 0; i < 4; i++) assert_near(end->lambda[i], weight / 4, 1e-9);
        for (int i = 4; i < 12; i++) assert_near(end->lambda[i], 0, 1e-9);
        for (int i = 0; i < 6; i++) assert_near(end->v[i], 0, 1e-10);
        fp_state_destroy(end);
    }
    fp_world_destroy(world);
}

/* Impacts -------------------------------------------------------------------------------------- */

static void spinning_ball_turns_its_slip_back_by_e_T(void** unused) {
    (void)unused;
    Body b = {.scale = 1, .mass = 1, .height = 5e-3, .radius = 0.1, .friction = 2};
    b.restitution = 0.5;
    b.tangential_restitution = 0.6;
    b.velocity = fp_vec3(0.5, -10, 0);
    b.spin = fp_vec3(0, 0, 8);
    FpWorld* world = create_world(&b);
    const FpSystem* s = fp_world_system(world);
    for (int n = 0; n < SCHEMES; n++) {
        FpMessage message = {0};
        FpStepperDef def = scheme(schemes[n], 1e-3);
        FpStepper* stepper = create_stepper(s, &def);
        FpState* state = fp_state_create(s);
        double before[6];
        do {
            assert_true(state->step < 10);
            memcpy(before, state->v, sizeof before);
            assert_int_equal(fp_stepper_step(stepper, state, 1, NULL, &message), FREEPLAY_OK);
        } while (state->lambda[0] == 0);
        double slip_before = before[0] + b.radius * before[5];
        double slip_after = state->v[0] + b.radius * state->v[5];
        assert_near(state->v[1], -0.5 * before[1], 1e-12);
        assert_near(slip_after, -0.6 * slip_before, 1e-12);
        fp_state_destroy(state);
        fp_stepper_destroy(stepper);
    }
    fp_world_destroy(world);
}

/* The largest rise above what was the lowest before, in parts of the energy over the floor. */
static double largest_rise(const FpSystem* s, const char* name, double h, double t_end,
                           double floor) {
    FpMessage message = {0};
    FpStepperDef def = scheme(name, h);
    FpStepper* stepper = create_stepper(s, &def);
    FpState* state = fp_state_create(s);
    double first = fp_state_energy(s, state).total, lowest = first, rise = 0;
    while (state->t < t_end) {
        if (fp_stepper_step(stepper, state, t_end, NULL, &message)) fail_msg("%s", message.text);
        double energy = fp_state_energy(s, state).total;
        rise = fmax(rise, energy - lowest);
        lowest = fmin(lowest, energy);
    }
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    return rise / (first - floor);
}

/* Elastic impacts take the directions of the start of the step for the speeds before and those of
 * its end for the speeds after: they turn by h w, and an impact may gain as much of the energy. */
static void thrown_crate_gains_no_more_energy_than_impacts_within_steps_do(void** unused) {
    (void)unused;
    const int impacts = 20; /* at most */
    for (int k = 0; k <= 4; k++) {
        Body b = thrown_crate(k / 4.0);
        FpWorld* world = create_world(&b);
        double floor = b.mass * g * b.below, w = fp_vec3_norm(b.spin);
        for (int n = 0; n < SCHEMES; n++)
            for (double h = 1e-3; h > 0.4e-3; h /= 2) {
                double rise = largest_rise(fp_world_system(world), schemes[n], h, 1, floor);
                assert_true(rise <= (k < 4 ? 1e-6 : impacts * h * w));
            }
        fp_world_destroy(world);
    }
}

/* Units and bits ------------------------------------------------------------------------------- */

/* Metres and kilograms, micrometres and milligrams. */
static void units_do_not_matter(void** unused) {
    (void)unused;
    FpState* ends[2];
    FpWorld* worlds[2];
    for (int n = 0; n < SCHEMES; n++) {
        for (int k = 0; k < 2; k++) {
            Body b = thrown_crate(0.3);
            b.scale = k ? 1e-6 : 1;
            b.mass *= b.scale;
            worlds[k] = create_world(&b);
            ends[k] = end_of(fp_world_system(worlds[k]), schemes[n], 1e-3, 0.5);
        }
        for (int i = 0; i < 7; i++) {
            double scale = i < 3 ? 1e-6 : 1;
            assert_near(ends[1]->q[i] / scale, ends[0]->q[i], 1e-8);
            if (i < 6) assert_near(ends[1]->v[i] / scale, ends[0]->v[i], 1e-6);
        }
        for (int k = 0; k < 2; k++) {
            fp_state_destroy(ends[k]);
            fp_world_destroy(worlds[k]);
        }
    }
}

static void assert_same_bits(const FpState* a, const FpState* b) {
    int count = a->q_count + a->v_count + a->row_count + a->slip_count;
    assert_memory_equal(a->q, b->q, (size_t)count * sizeof *a->q);
}

static void runs_repeated_or_resumed_are_the_same_to_the_bit(void** unused) {
    (void)unused;
    Body b = thrown_crate(0.3);
    FpWorld* world = create_world(&b);
    const FpSystem* s = fp_world_system(world);
    for (int n = 0; n < SCHEMES; n++) {
        FpStepperDef def = scheme(schemes[n], 1e-3);
        FpState *whole = end_of(s, schemes[n], 1e-3, 0.6),
                *again = end_of(s, schemes[n], 1e-3, 0.6);
        FpState* resumed = fp_state_create(s);
        assert_true(whole->slip_count > 0);
        for (int part = 1; part <= 6; part++) run(s, &def, 0.1 * part, resumed);
        assert_same_bits(whole, again);
        assert_same_bits(whole, resumed);
        fp_state_destroy(whole);
        fp_state_destroy(again);
        fp_state_destroy(resumed);
    }
    fp_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(midpoint_rule_keeps_its_order_while_the_slip_turns),
        cmocka_unit_test(point_sticks_on_a_slope_that_is_flatter_than_its_friction),
        cmocka_unit_test(point_slides_with_the_exact_acceleration_down_a_steeper_slope),
        cmocka_unit_test(smooth_crate_at_rest_carries_as_much_on_every_corner),
        cmocka_unit_test(rough_crate_at_rest_carries_as_much_on_every_corner),
        cmocka_unit_test(spinning_ball_turns_its_slip_back_by_e_T),
        cmocka_unit_test(thrown_crate_gains_no_more_energy_than_impacts_within_steps_do),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(runs_repeated_or_resumed_are_the_same_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
