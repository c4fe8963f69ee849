/* Systems in coordinates of a user's own: against closed forms, against the same mechanism as
 * bodies, between solvers; and refusals. */
#include <math.h>
#include <string.h>
#include "tests/support.h"

#include "freeplay.h"

#include "engine/scheme.h"
#include "nlp/derivatives.h"

#define GRAVITY 9.81

/* Runs ------------------------------------------------------------------------------------------
 */

static FpLagrangian* made(const FpLagrangianDef* def) {
    FpMessage message = {0};
    FpLagrangian* system = fp_lagrangian_create(def, &message);
    if (!system) fail_msg("%s: %s", message.field, message.text);
    return system;
}

static void add(FpLagrangian* system, const FpLagrangianRowsDef* rows) {
    FpMessage message = {0};
    if (fp_lagrangian_add_rows(system, rows, &message))
        fail_msg("%s: %s", message.field, message.text);
}

static const FpSystem* finished(FpLagrangian* system) {
    FpMessage message = {0};
    if (fp_lagrangian_finish(system, &message)) fail_msg("%s: %s", message.field, message.text);
    return fp_lagrangian_system(system);
}

static FpStepperDef method(const char* scheme, const char* solver, double h) {
    FpStepperDef def = fp_stepper_def_default();
    def.scheme = scheme;
    def.solver = solver;
    def.h = h;
    return def;
}

/* The caller destroys the state. */
static FpState* run(const FpSystem* system, const FpStepperDef* def, double t_end,
                    FpTotals* totals) {
    FpTotals local;
    FpMessage message = {0};
    FpStepper* stepper = fp_stepper_create(system, def, &message);
    if (!stepper) fail_msg("%s: %s", message.field, message.text);
    FpState* state = fp_state_create(system);
    if (fp_simulate(stepper, state, t_end, NULL, totals ? totals : &local, &message))
        fail_msg("%s, %s: %s", def->scheme, def->solver, message.text);
    assert_true((totals ? totals : &local)->max_certificate <= 1e-9);
    fp_stepper_destroy(stepper);
    return state;
}

/* Coordinate `index` after t_end. */
static double coordinate_at(const FpSystem* system, const FpStepperDef* def, double t_end,
                            int index) {
    FpState* state = run(system, def, t_end, NULL);
    double q = state->q[index];
    fp_state_destroy(state);
    return q;
}

/* What halving the step does to the error of a coordinate: 2 and 4 are orders one and two. */
static double gain(const FpSystem* system, const char* scheme, double h, double t_end, int index,
                   double expected) {
    FpStepperDef coarse = method(scheme, "structured", h), fine = coarse;
    fine.h = h / 2;
    double error = coordinate_at(system, &coarse, t_end, index) - expected;
    return error / (coordinate_at(system, &fine, t_end, index) - expected);
}

static void check_orders(const FpSystem* system, double h, double t_end, int index,
                         double expected) {
    assert_near(gain(system, "gauss", h, t_end, index, expected), 2, 0.1);
    assert_near(gain(system, "rattle", h, t_end, index, expected), 4, 0.1);
    assert_near(gain(system, "moreau", h, t_end, index, expected), 4, 0.1);
}

/* A pendulum in its angle ------------------------------------------------------------------------
 */

typedef struct Pendulum {
    double mass, arm, inertia; /* inertia about the centre of mass */
} Pendulum;

static Pendulum pendulum = {2, 0.8, 0.3};

static double hinge_inertia(const Pendulum* p) {
    return p->inertia + p->mass * p->arm * p->arm;
}

static void pendulum_mass(const void* context, const double* q, double* M) {
    (void)q;
    M[0] = hinge_inertia(context);
}

static void pendulum_force(const void* context, double t, const double* q, const double* v,
                           double* f) {
    (void)t, (void)v;
    const Pendulum* p = context;
    f[0] = -p->mass * GRAVITY * p->arm * sin(q[0]);
}

static double pendulum_potential(const void* context, double t, const double* q) {
    (void)t;
    const Pendulum* p = context;
    return -p->mass * GRAVITY * p->arm * cos(q[0]);
}

static FpLagrangianDef pendulum_def(const double* q0) {
    static const char* const names[] = {"phi"};
    FpLagrangianDef def = fp_lagrangian_def_default();
    def.q_names = names;
    def.q0 = q0;
    def.constant_mass = true;
    def.context = &pendulum;
    def.mass = pendulum_mass;
    def.force = pendulum_force;
    def.potential_energy = pendulum_potential;
    return def;
}

/* The angle by the classical Runge-Kutta method, to round-off. */
static double exact_angle(double phi, double t_end) {
    double k = pendulum.mass * GRAVITY * pendulum.arm / hinge_inertia(&pendulum), w = 0;
    int count = 20000;
    double h = t_end / count;
    for (int i = 0; i < count; i++) {
        double a1 = -k * sin(phi), w2 = w + h / 2 * a1;
        double a2 = -k * sin(phi + h / 2 * w), w3 = w + h / 2 * a2;
        double a3 = -k * sin(phi + h / 2 * w2), w4 = w + h * a3;
        double a4 = -k * sin(phi + h * w3);
        phi += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
        w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return phi;
}

static void pendulum_in_its_angle_swings_as_the_closed_form_says(void** unused) {
    (void)unused;
    const double start = 1.2;
    FpLagrangianDef def = pendulum_def(&start);
    FpLagrangian* lagrangian = made(&def);
    const FpSystem* system = finished(lagrangian);
    check_orders(system, 0.01, 1, 0, exact_angle(start, 1));
    /* After a period T = 4 sqrt(I/(m g a)) K(sin(start/2)), by the arithmetic-geometric mean. */
    double a = 1, b = cos(start / 2);
    for (int i = 0; i < 6; i++) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    double k = pendulum.mass * GRAVITY * pendulum.arm / hinge_inertia(&pendulum);
    double period = 2 * 3.14159265358979323846 / sqrt(k) / a;
    FpStepperDef rattle = method("rattle", "auto", period / 2000);
    FpTotals totals;
    FpState* state = run(system, &rattle, period, &totals);
    assert_near(state->q[0], start, 1e-5);
    assert_near(totals.final.total, totals.initial.total, 1e-5 * fabs(totals.initial.total));
    fp_state_destroy(state);
    fp_lagrangian_destroy(lagrangian);
}

/* The same pendulum as a planar body on an ideal hinge. */
static FpWorld* pendulum_of_bodies(double angle) {
    FpWorldDef world_def = fp_world_def_default();
    FpWorld* world = fp_world_create(&world_def);
    FpBodyDef body = fp_body_def_default();
    body.name = "pendulum";
    body.planar = true;
    body.mass = pendulum.mass;
    body.inertia[8] = pendulum.inertia;
    body.position = fp_vec3(pendulum.arm * sin(angle), -pendulum.arm * cos(angle), 0);
    body.orientation[0] = cos(angle / 2);
    body.orientation[3] = sin(angle / 2);
    FpRevoluteDef hinge = fp_revolute_def_default();
    hinge.joint.name = "hinge";
    hinge.joint.body[1] = FREEPLAY_GROUND;
    hinge.bore = (FpFrameDef){.given = true, .origin = {0, pendulum.arm, 0}, .axis = {0, 0, 1}};
    hinge.pin = (FpFrameDef){.given = true, .axis = {0, 0, 1}};
    FpMessage message = {0};
    assert_int_equal(fp_world_add_body(world, &body, &hinge.joint.body[0], NULL), FREEPLAY_OK);
    if (fp_revolute_add(world, &hinge, &message) || fp_world_finish(world, &message))
        fail_msg("%s: %s", message.field, message.text);
    return world;
}

/* Both are off by the same error of first order under the Gauss scheme, so that they differ by one
 * of second order under it, too. */
static void pendulum_in_its_angle_and_as_a_body_agree_to_second_order(void** unused) {
    (void)unused;
    const char* const schemes[] = {"gauss", "rattle"};
    const double start = 0.9;
    FpLagrangianDef def = pendulum_def(&start);
    FpLagrangian* lagrangian = made(&def);
    FpWorld* world = pendulum_of_bodies(start);
    const FpSystem *angle = finished(lagrangian), *bodies = fp_world_system(world);
    for (int k = 0; k < 2; k++) {
        double difference[2];
        for (int i = 0; i < 2; i++) {
            FpStepperDef steps = method(schemes[k], "auto", i ? 5e-3 : 1e-2);
            difference[i] =
                coordinate_at(angle, &steps, 0.8, 0) - coordinate_at(bodies, &steps, 0.8, 2);
        }
        assert_near(difference[0], 0, 1e-3);
        assert_near(difference[0] / difference[1], 4, 0.15);
    }
    fp_world_destroy(world);
    fp_lagrangian_destroy(lagrangian);
}

/* Polar coordinates: M depends on q ---------------------------------------------------------------
 */

static void polar_mass(const void* context, const double* q, double* M) {
    (void)context;
    M[0] = 3;
    M[3] = 3 * q[0] * q[0];
}

static void polar_force(const void* context, double t, const double* q, const double* v,
                        double* f) {
    (void)context, (void)t;
    f[0] = 3 * q[0] * v[1] * v[1];
    f[1] = -6 * q[0] * v[0] * v[1];
}

/* A free particle goes straight: from (1, 0) with (0.3, 0.8). */
static void free_particle_in_polar_coordinates_goes_straight(void** unused) {
    (void)unused;
    const double q0[] = {1, 0}, v0[] = {0.3, 0.8};
    FpLagrangianDef def = fp_lagrangian_def_default();
    def.q_count = def.v_count = 2;
    def.q0 = q0;
    def.v0 = v0;
    def.mass = polar_mass;
    def.force = polar_force;
    FpLagrangian* lagrangian = made(&def);
    const FpSystem* system = finished(lagrangian);
    double x = 1 + 0.3 * 1.5, y = 0.8 * 1.5;
    check_orders(system, 0.01, 1.5, 0, sqrt(x * x + y * y));
    check_orders(system, 0.01, 1.5, 1, atan2(y, x));
    fp_lagrangian_destroy(lagrangian);
}

/* q' = B v with B of its own ----------------------------------------------------------------------
 */

/* A planar body with velocities along its own axes. */
static void own_axes_mass(const void* context, const double* q, double* M) {
    (void)q;
    const Pendulum* p = context;
    M[0] = M[4] = p->mass;
    M[8] = p->inertia;
}

static void own_axes_force(const void* context, double t, const double* q, const double* v,
                           double* f) {
    (void)t;
    const Pendulum* p = context;
    f[0] = p->mass * (v[1] * v[2] - GRAVITY * sin(q[2]));
    f[1] = p->mass * (-v[0] * v[2] - GRAVITY * cos(q[2]));
}

static void own_axes_kinematics(const void* context, const double* q, double* B) {
    (void)context;
    B[0] = B[4] = cos(q[2]);
    B[3] = sin(q[2]);
    B[1] = -B[3];
    B[8] = 1;
}

static FpLagrangianDef own_axes_def(void) {
    FpLagrangianDef def = fp_lagrangian_def_default();
    def.q_count = def.v_count = 3;
    def.constant_mass = true;
    def.context = &pendulum;
    def.mass = own_axes_mass;
    def.force = own_axes_force;
    def.kinematics = own_axes_kinematics;
    return def;
}

static void velocities_along_own_axes_move_as_those_of_the_world(void** unused) {
    (void)unused;
    const double v0[] = {1, 2, 3};
    FpLagrangianDef def = own_axes_def();
    def.v0 = v0;
    FpLagrangian* lagrangian = made(&def);
    const FpSystem* system = finished(lagrangian);
    /* Free fall of the centre of mass, as a planar body of the world has it. */
    check_orders(system, 0.01, 0.7, 0, 0.7);
    check_orders(system, 0.01, 0.7, 1, 2 * 0.7 - GRAVITY * 0.49 / 2);
    fp_lagrangian_destroy(lagrangian);
}

/* The point (0, arm) of that body is held in the origin. */
static void hinge_value(const void* context, double t, const double* q, double* g) {
    (void)t;
    const Pendulum* p = context;
    g[0] = q[0] - p->arm * sin(q[2]);
    g[1] = q[1] + p->arm * cos(q[2]);
}

static const FpRow two_bilateral[2];

/* Held at a point by two rows. */
static FpLagrangian* hinged(const FpLagrangianDef* def,
                            void (*value)(const void*, double, const double*, double*)) {
    FpLagrangianRowsDef rows = fp_lagrangian_rows_def_default();
    rows.name = "hinge";
    rows.row_count = 2;
    rows.rows = two_bilateral;
    rows.context = def->context;
    rows.value = value;
    FpLagrangian* lagrangian = made(def);
    add(lagrangian, &rows);
    return lagrangian;
}

static void body_on_a_hinge_swings_whatever_its_velocities_are(void** unused) {
    (void)unused;
    const double start = 0.9;
    const double q0[] = {0.8 * sin(start), -0.8 * cos(start), start};
    FpLagrangianDef def = own_axes_def();
    def.q0 = q0;
    FpLagrangian* lagrangian = hinged(&def, hinge_value);
    const FpSystem* system = finished(lagrangian);
    double expected = exact_angle(start, 0.8);
    assert_near(gain(system, "gauss", 0.01, 0.8, 2, expected), 2, 0.1);
    assert_near(gain(system, "rattle", 0.01, 0.8, 2, expected), 4, 0.1);
    FpStepperDef steps = method("rattle", "structured", 0.01);
    FpTotals totals;
    fp_state_destroy(run(system, &steps, 0.8, &totals));
    assert_near(totals.max_penetration, 0, 1e-14);
    fp_lagrangian_destroy(lagrangian);
}

/* The same with the direction (c, s) in place of the angle: more coordinates than velocities. */
static void direction_force(const void* context, double t, const double* q, const double* v,
                            double* f) {
    (void)t, (void)q, (void)v;
    const Pendulum* p = context;
    f[1] = -p->mass * GRAVITY;
}

static void direction_kinematics(const void* context, const double* q, double* B) {
    (void)context;
    B[0] = B[4] = 1;
    B[8] = -q[3];
    B[11] = q[2];
}

static void direction_hinge(const void* context, double t, const double* q, double* g) {
    (void)t;
    const Pendulum* p = context;
    g[0] = q[0] - p->arm * q[3];
    g[1] = q[1] + p->arm * q[2];
}

static void more_coordinates_than_velocities_swing_as_well(void** unused) {
    (void)unused;
    const double start = 0.9, t_end = 0.8;
    const double q0[] = {0.8 * sin(start), -0.8 * cos(start), cos(start), sin(start)};
    FpLagrangianDef def = own_axes_def();
    def.q_count = 4;
    def.q0 = q0;
    def.force = direction_force;
    def.kinematics = direction_kinematics;
    FpLagrangian* lagrangian = hinged(&def, direction_hinge);
    const FpSystem* system = finished(lagrangian);
    double expected = sin(exact_angle(start, t_end));
    assert_near(gain(system, "gauss", 0.005, t_end, 3, expected), 2, 0.1);
    assert_near(gain(system, "rattle", 0.01, t_end, 3, expected), 4, 0.1);
    /* Trapezoids of a linear B keep the length of the direction. */
    FpStepperDef steps = method("rattle", "structured", 0.01);
    FpState* state = run(system, &steps, t_end, NULL);
    assert_near(hypot(state->q[2], state->q[3]), 1, 1e-13);
    fp_state_destroy(state);
    fp_lagrangian_destroy(lagrangian);
}

/* The body on its hinge below it, turning at `rate`. */
static FpLagrangian* turning_body(double rate) {
    const double q0[] = {0, -0.8, 0}, v0[] = {0.8 * rate, 0, rate};
    FpLagrangianDef def = own_axes_def();
    def.q0 = q0;
    def.v0 = v0;
    return hinged(&def, hinge_value);
}

/* 0.3 rad a step, along velocities that turn with it: the T of (53) is far from the identity. */
static void steps_that_turn_far_are_found(void** unused) {
    (void)unused;
    FpLagrangian* lagrangian = turning_body(30);
    FpStepperDef steps = method("rattle", "structured", 0.01);
    FpTotals totals;
    fp_state_destroy(run(finished(lagrangian), &steps, 0.5, &totals));
    assert_int_equal(totals.rejected, 0);
    assert_int_equal(totals.solves_structured, totals.steps);
    fp_lagrangian_destroy(lagrangian);
}

/* Rows: stops, circles, drivers
 * -------------------------------------------------------------------- */

static void unit_masses(const void* context, const double* q, double* M) {
    (void)q;
    int n = *(const int*)context;
    for (int i = 0; i < n; i++) M[(n + 1) * i] = 1;
}

/* The last coordinate is a height. */
static void weight(const void* context, double t, const double* q, const double* v, double* f) {
    (void)t, (void)q, (void)v;
    f[*(const int*)context - 1] = -GRAVITY;
}

static int one = 1, two = 2;

/* Points of 1 kg with `*count` coordinates under gravity. */
static FpLagrangianDef point_def(int* count, const double* q0, const double* v0) {
    FpLagrangianDef def = fp_lagrangian_def_default();
    def.q_count = def.v_count = *count;
    def.q0 = q0;
    def.v0 = v0;
    def.constant_mass = true;
    def.context = count;
    def.mass = unit_masses;
    def.force = weight;
    return def;
}

static void floor_value(const void* context, double t, const double* q, double* g) {
    (void)t;
    g[0] = q[*(const int*)context - 1];
}

static void floor_slip(const void* context, double t, const double* q, int row, double* G,
                       double* chi) {
    (void)context, (void)t, (void)q, (void)row, (void)chi;
    G[0] = 1;
}

static FpLagrangianRowsDef floor_def(int* count, const FpRow* row) {
    FpLagrangianRowsDef def = fp_lagrangian_rows_def_default();
    def.name = "floor";
    def.rows = row;
    def.context = count;
    def.value = floor_value;
    return def;
}

static void bead_bounces_by_its_restitution(void** unused) {
    (void)unused;
    const char* const schemes[] = {"rattle", "moreau"};
    const double height = 0.5, e = 0.6, fall = sqrt(2 * height / GRAVITY);
    const FpRow row = {.kind = FREEPLAY_ROW_UNILATERAL, .restitution = e};
    FpLagrangianDef def = point_def(&one, &height, NULL);
    FpLagrangianRowsDef rows = floor_def(&one, &row);
    FpLagrangian* lagrangian = made(&def);
    add(lagrangian, &rows);
    const FpSystem* system = finished(lagrangian);
    for (int k = 0; k < 2; k++) {
        /* At the top of the first bounce: the height is e^2 of the first, the velocity 0. The
         * instant of the impact is known up to h, so that the velocity is off by h g (1 + e). */
        FpStepperDef steps = method(schemes[k], "auto", 1e-4);
        FpState* state = run(system, &steps, fall + e * fall, NULL);
        assert_near(state->q[0], e * e * height, 2e-3 * height);
        assert_near(state->v[0], 0, 2 * 1e-4 * GRAVITY * (1 + e));
        fp_state_destroy(state);
    }
    fp_lagrangian_destroy(lagrangian);
}

static void bead_comes_to_rest_on_its_floor_under_every_scheme(void** unused) {
    (void)unused;
    const char* const schemes[] = {"gauss", "rattle", "moreau"};
    const double height = 0.01;
    const FpRow row = {.kind = FREEPLAY_ROW_UNILATERAL};
    FpLagrangianDef def = point_def(&one, &height, NULL);
    FpLagrangianRowsDef rows = floor_def(&one, &row);
    FpLagrangian* lagrangian = made(&def);
    add(lagrangian, &rows);
    const FpSystem* system = finished(lagrangian);
    for (int k = 0; k < 3; k++) {
        FpStepperDef steps = method(schemes[k], "auto", 1e-3);
        FpState* state = run(system, &steps, 0.2, NULL);
        assert_near(state->v[0], 0, 1e-12);
        assert_near(state->lambda[0], GRAVITY, 1e-9);
        fp_state_destroy(state);
    }
    fp_lagrangian_destroy(lagrangian);
}

static void slip_of_a_row_is_what_its_callback_says(void** unused) {
    (void)unused;
    const FpRow row = {.kind = FREEPLAY_ROW_UNILATERAL, .friction = 0.4, .slip_count = 1};
    const double at[] = {1, 0}, *q[] = {at};
    FpLagrangianDef def = point_def(&two, NULL, NULL);
    FpLagrangianRowsDef rows = floor_def(&two, &row);
    rows.slip = floor_slip;
    FpLagrangian* lagrangian = made(&def);
    add(lagrangian, &rows);
    const FpSystem* system = finished(lagrangian);
    const FpConstraint* c = system->constraints[0];
    double G[2] = {7, 7}, chi = 7;
    c->ops->slip(c, 0, q, 0, G, &chi);
    assert_true(G[0] == 1 && G[1] == 0 && chi == 0);
    assert_int_equal(fp_system_slip_rows(system), 1);
    fp_lagrangian_destroy(lagrangian);
}

/* A bead on a circle of 0.8 m about the origin, (x^2 + y^2 - R^2)/(2 R) = 0, above a stop y >= -0.7
 * and one that slopes, with clearances that the differences have to resolve. */
#define RADIUS 0.8

static void wire_value(const void* context, double t, const double* q, double* g) {
    (void)context, (void)t;
    g[0] = (q[0] * q[0] + q[1] * q[1] - RADIUS * RADIUS) / (2 * RADIUS);
    g[1] = q[1] + 0.7;
    g[2] = sin(q[0]) + 2 + q[1] * q[1] * q[0];
}

static void wire_jacobian(const void* context, double t, const double* q, double* dg) {
    (void)context, (void)t;
    dg[0] = q[0] / RADIUS;
    dg[1] = q[1] / RADIUS;
    dg[3] = 1;
    dg[4] = cos(q[0]) + q[1] * q[1];
    dg[5] = 2 * q[1] * q[0];
}

static void wire_hessian(const void* context, double t, const double* q, const double* weights,
                         double* H) {
    (void)context, (void)t;
    H[0] += weights[0] / RADIUS - weights[2] * sin(q[0]);
    H[3] += weights[0] / RADIUS + 2 * weights[2] * q[0];
    H[1] += weights[2] * 2 * q[1];
    H[2] += weights[2] * 2 * q[1];
}

static const FpRow wire_rows[] = {{.kind = FREEPLAY_ROW_BILATERAL, .label = "on the wire"},
                                  {.kind = FREEPLAY_ROW_UNILATERAL, .label = "stop"},
                                  {.kind = FREEPLAY_ROW_UNILATERAL, .size = 0.01}};

/* How many of the callbacks for derivatives there are: none, the first, both. */
static FpLagrangian* bead_on_wire(int derivatives) {
    static const double q0[] = {RADIUS, 0};
    FpLagrangianDef def = point_def(&two, q0, NULL);
    FpLagrangianRowsDef rows = fp_lagrangian_rows_def_default();
    rows.name = "wire";
    rows.row_count = 3;
    rows.rows = wire_rows;
    rows.value = wire_value;
    if (derivatives > 0) rows.jacobian = wire_jacobian;
    if (derivatives > 1) rows.hessian = wire_hessian;
    FpLagrangian* lagrangian = made(&def);
    add(lagrangian, &rows);
    finished(lagrangian);
    return lagrangian;
}

static void differences_equal_the_derivatives_that_they_stand_for(void** unused) {
    (void)unused;
    const double at[] = {0.31, -0.62}, weights[] = {1.3, -0.4, 0.7}, *q[] = {at};
    double J[3][6], H[3][4] = {{0}};
    for (int k = 0; k < 3; k++) {
        FpLagrangian* lagrangian = bead_on_wire(k);
        const FpConstraint* c = fp_lagrangian_system(lagrangian)->constraints[0];
        c->ops->jacobian(c, 0, q, J[k]);
        c->ops->hessian(c, 0, q, weights, H[k]);
        fp_lagrangian_destroy(lagrangian);
    }
    for (int i = 0; i < 6; i++) {
        assert_near(J[0][i], J[2][i], 1e-8);
        assert_true(i == 2 || i == 3 || J[0][i] != J[2][i]);
    }
    /* Differences of differences at a clearance of 0.01 leave eps^(7/15)/0.01^2 of the digits. */
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 4; i++) assert_near(H[k][i], H[2][i], k ? 1e-8 : 5e-4);
}

static void bead_on_a_wire_swings_as_a_pendulum_and_is_caught_by_its_stop(void** unused) {
    (void)unused;
    FpLagrangian* lagrangian = bead_on_wire(2);
    const FpSystem* system = fp_lagrangian_system(lagrangian);
    /* Before the stop: 1/2 v^2 = g |y|. */
    FpStepperDef steps = method("rattle", "auto", 1e-3);
    FpTotals totals;
    FpState* state = run(system, &steps, 0.3, &totals);
    assert_near(state->v[0] * state->v[0] + state->v[1] * state->v[1], -2 * GRAVITY * state->q[1],
                1e-4);
    fp_state_destroy(state);
    state = run(system, &steps, 1.5, &totals);
    assert_true(totals.max_penetration <= 1e-12);
    assert_near(state->q[1], -0.7, 1e-11);
    assert_near(state->q[0], sqrt(RADIUS * RADIUS - 0.49), 1e-11);
    fp_state_destroy(state);
    /* Moreau's steps drift off the wire, unless projected. */
    steps = method("moreau", "auto", 1e-3);
    fp_state_destroy(run(system, &steps, 1.5, &totals));
    assert_true(totals.max_penetration > 1e-8);
    steps.projection = true;
    fp_state_destroy(run(system, &steps, 1.5, &totals));
    assert_true(totals.max_penetration <= 1e-11);
    fp_lagrangian_destroy(lagrangian);
}

static void derivatives_by_differences_move_as_those_of_callbacks(void** unused) {
    (void)unused;
    const char* const schemes[] = {"gauss", "rattle"};
    for (int k = 0; k < 2; k++) {
        FpStepperDef steps = method(schemes[k], "structured", 2e-3);
        double x[2];
        for (int i = 0; i < 2; i++) {
            FpLagrangian* lagrangian = bead_on_wire(2 * i);
            x[i] = coordinate_at(fp_lagrangian_system(lagrangian), &steps, 0.35, 0);
            fp_lagrangian_destroy(lagrangian);
        }
        assert_near(x[0], x[1], 1e-8);
    }
}

static void both_solvers_find_the_same_motion(void** unused) {
    (void)unused;
    FpLagrangian* lagrangian = bead_on_wire(2);
    const FpSystem* system = fp_lagrangian_system(lagrangian);
    for (int rows = 0; rows < 2; rows++) {
        FpState* found[2];
        for (int k = 0; k < 2; k++) {
            FpStepperDef steps = method("gauss", k ? "ipopt" : "structured", 5e-3);
            steps.rows = rows ? FREEPLAY_ROWS_LINEARIZED : FREEPLAY_ROWS_EXACT;
            FpTotals totals;
            found[k] = run(system, &steps, 0.6, &totals);
            assert_int_equal(k ? totals.solves_ipopt : totals.solves_structured, totals.steps);
        }
        for (int i = 0; i < 2; i++) {
            assert_near(found[0]->q[i], found[1]->q[i], 1e-9);
            assert_near(found[0]->v[i], found[1]->v[i], 1e-7);
        }
        fp_state_destroy(found[0]);
        fp_state_destroy(found[1]);
    }
    fp_lagrangian_destroy(lagrangian);
}

/* The hinged body: the rows of its steps are derived along a B that turns. */
static void both_solvers_agree_where_B_turns(void** unused) {
    (void)unused;
    FpLagrangian* lagrangian = turning_body(2);
    const FpSystem* system = finished(lagrangian);
    double found[2];
    for (int k = 0; k < 2; k++) {
        FpStepperDef steps = method("gauss", k ? "ipopt" : "structured", 5e-3);
        found[k] = coordinate_at(system, &steps, 0.5, 2);
    }
    assert_near(found[0], found[1], 1e-8);
    /* With h as a variable, too, the products with the Jacobian are right: steps are certified. */
    FpStepperDef steps = method("gauss", "structured", 0);
    steps.strategy = "gauss";
    fp_state_destroy(run(system, &steps, 0.1, NULL));
    fp_lagrangian_destroy(lagrangian);
}

/* Rows over a B that turns, by differences, and one whose direction turns with time. */
static void turning_value(const void* context, double t, const double* q, double* g) {
    hinge_value(context, t, q, g);
    g[2] = 2 + q[0] * sin(2 * t) + q[1] * cos(2 * t);
}

static void turning_rate(const void* context, double t, const double* q, double* g_t, double* g_tt,
                         double* dg_t) {
    (void)context;
    g_t[2] = 2 * (q[0] * cos(2 * t) - q[1] * sin(2 * t));
    g_tt[2] = -4 * (q[0] * sin(2 * t) + q[1] * cos(2 * t));
    dg_t[6] = 2 * cos(2 * t);
    dg_t[7] = -2 * sin(2 * t);
}

static void gauss_program_has_the_derivatives_of_its_functions(void** unused) {
    (void)unused;
    const double q0[] = {0, -0.8, 0}, v0[] = {0.8 * 2, 0, 2};
    const FpRow kinds[] = {{.kind = FREEPLAY_ROW_BILATERAL},
                           {.kind = FREEPLAY_ROW_BILATERAL},
                           {.kind = FREEPLAY_ROW_UNILATERAL}};
    FpLagrangianDef def = own_axes_def();
    def.q0 = q0;
    def.v0 = v0;
    FpLagrangianRowsDef rows = fp_lagrangian_rows_def_default();
    rows.name = "hinge";
    rows.row_count = 3;
    rows.rows = kinds;
    rows.context = def.context;
    rows.value = turning_value;
    rows.rate = turning_rate;
    FpLagrangian* lagrangian = made(&def);
    add(lagrangian, &rows);
    const FpSystem* system = finished(lagrangian);
    FpStepperDef steps = fp_stepper_def_default();
    void* scheme = fp_scheme_gauss.create(system, &steps);
    FpState* state = fp_state_create(system);
    state->t = 0.3;
    double x[16], y[16], z[16];
    FpNlpPoint point = {x, y, z};
    const FpNlp* nlp;
    assert_int_equal(fp_scheme_gauss.pose(scheme, 0, state, 0.01, 0.02, &nlp, &point), FREEPLAY_OK);
    for (int j = 0; j < nlp->n; j++) x[j] += nlp->x_scale[j] * 0.1 * sin(3 * j + 1);
    for (int i = 0; i < nlp->m; i++) y[i] = nlp->f_scale / nlp->g_scale[i] * cos(2 * i + 1);
    FpDerivativeErrors errors;
    assert_int_equal(fp_nlp_check_derivatives(nlp, x, y, 1e-5, &errors), FREEPLAY_OK);
    assert_near(errors.gradient, 0, 1e-8);
    assert_near(errors.jacobian, 0, 1e-7);
    assert_near(errors.hessian, 0, 1e-5); /* of differences of differences */
    fp_state_destroy(state);
    fp_scheme_gauss.destroy(scheme);
    fp_lagrangian_destroy(lagrangian);
}

/* x = a sin(w t): the row carries m x''. */
static const double amplitude = 0.2, frequency = 3;

static void driver_value(const void* context, double t, const double* q, double* g) {
    (void)context;
    g[0] = q[0] - amplitude * sin(frequency * t);
}

static void driver_rate(const void* context, double t, const double* q, double* g_t, double* g_tt,
                        double* dg_t) {
    (void)context, (void)q, (void)dg_t;
    g_t[0] = -amplitude * frequency * cos(frequency * t);
    g_tt[0] = amplitude * frequency * frequency * sin(frequency * t);
}

static void driven_point_follows_and_its_row_carries_the_force(void** unused) {
    (void)unused;
    const char* const schemes[] = {"gauss", "rattle"};
    const double v0[] = {amplitude * frequency, 0};
    FpLagrangianDef def = point_def(&two, NULL, v0);
    FpLagrangianRowsDef rows = fp_lagrangian_rows_def_default();
    const FpRow row = {.kind = FREEPLAY_ROW_BILATERAL};
    rows.name = "driver";
    rows.rows = &row;
    rows.value = driver_value;
    rows.rate = driver_rate;
    FpLagrangian* lagrangian = made(&def);
    add(lagrangian, &rows);
    const FpSystem* system = finished(lagrangian);
    const double t = 0.4, h = 1e-3, peak = amplitude * frequency * frequency;
    for (int k = 0; k < 2; k++) {
        FpStepperDef steps = method(schemes[k], "auto", h);
        FpState* state = run(system, &steps, t, NULL);
        assert_near(state->q[0], amplitude * sin(frequency * t), 1e-14);
        assert_near(state->v[0], amplitude * frequency * cos(frequency * t), k ? 1e-6 : h * peak);
        assert_near(state->lambda[0], -peak * sin(frequency * t), 2 * h * frequency * peak);
        assert_near(state->q[1], -GRAVITY * t * t / 2, k ? 1e-12 : h * GRAVITY * t);
        fp_state_destroy(state);
    }
    fp_lagrangian_destroy(lagrangian);
}

/* Names -------------------------------------------------------------------------------------------
 */

static void check_name(const FpSystem* system, bool velocity, int index, const char* expected) {
    char name[32];
    (velocity ? system->ops->velocity_name : system->ops->coordinate_name)(system->self, 0, index,
                                                                           name, sizeof name);
    assert_string_equal(name, expected);
}

static void names_are_given_or_made(void** unused) {
    (void)unused;
    const double start = 0;
    FpLagrangianDef def = pendulum_def(&start);
    FpLagrangian* named = made(&def);
    check_name(finished(named), false, 0, "phi");
    check_name(fp_lagrangian_system(named), true, 0, "v_phi");
    fp_lagrangian_destroy(named);
    def = point_def(&two, NULL, NULL);
    FpLagrangian* numbered = made(&def);
    check_name(finished(numbered), false, 1, "q2");
    check_name(fp_lagrangian_system(numbered), true, 1, "v_q2");
    fp_lagrangian_destroy(numbered);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_in_its_angle_swings_as_the_closed_form_says),
        cmocka_unit_test(pendulum_in_its_angle_and_as_a_body_agree_to_second_order),
        cmocka_unit_test(free_particle_in_polar_coordinates_goes_straight),
        cmocka_unit_test(velocities_along_own_axes_move_as_those_of_the_world),
        cmocka_unit_test(body_on_a_hinge_swings_whatever_its_velocities_are),
        cmocka_unit_test(more_coordinates_than_velocities_swing_as_well),
        cmocka_unit_test(steps_that_turn_far_are_found),
        cmocka_unit_test(bead_bounces_by_its_restitution),
        cmocka_unit_test(bead_comes_to_rest_on_its_floor_under_every_scheme),
        cmocka_unit_test(slip_of_a_row_is_what_its_callback_says),
        cmocka_unit_test(differences_equal_the_derivatives_that_they_stand_for),
        cmocka_unit_test(bead_on_a_wire_swings_as_a_pendulum_and_is_caught_by_its_stop),
        cmocka_unit_test(derivatives_by_differences_move_as_those_of_callbacks),
        cmocka_unit_test(both_solvers_find_the_same_motion),
        cmocka_unit_test(both_solvers_agree_where_B_turns),
        cmocka_unit_test(gauss_program_has_the_derivatives_of_its_functions),
        cmocka_unit_test(driven_point_follows_and_its_row_carries_the_force),
        cmocka_unit_test(names_are_given_or_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
