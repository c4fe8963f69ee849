/* Constraints of velocities alone: a sleigh whose blade does not slip sideways. */
#include "tests/support.h"

#include <math.h>
#include <string.h>
#include "freeplay.h"

enum { X, Y, TURN, COUNT };

/* Mass 2 kg, 0.5 kg m^2, the blade under the centre of mass. */
static void mass(const void* unused, const double* q, double* M) {
    (void)unused, (void)q;
    M[0] = M[4] = 2;
    M[8] = 0.5;
}

/* The velocity across the heading. */
static void slip(const void* unused, double t, const double* q, int row, double* G, double* chi) {
    (void)unused, (void)t, (void)row, (void)chi;
    G[X] = -sin(q[TURN]);
    G[Y] = cos(q[TURN]);
}

static const FpRow blade = {.kind = FREEPLAY_ROW_VELOCITY, .slip_count = 1, .label = "blade"};

/* Heads along x at 3 m/s and turns at 2 rad/s: a circle of 1.5 m radius, held by m v w = 12 N. */
static FpLagrangian* sleigh_without_blade(void) {
    static const double v0[COUNT] = {3, 0, 2};
    FpMessage message = {0};
    FpLagrangianDef def = fp_lagrangian_def_default();
    def.q_count = def.v_count = COUNT;
    def.v0 = v0;
    def.length = 1;
    def.constant_mass = true;
    def.mass = mass;
    return fp_lagrangian_create(&def, &message);
}

static FpStatus add_runner(FpLagrangian* system, const FpRow* row, FpMessage* message) {
    FpLagrangianRowsDef rows = fp_lagrangian_rows_def_default();
    rows.name = "runner";
    rows.row_count = 1;
    rows.rows = row;
    rows.slip = slip;
    return fp_lagrangian_add_rows(system, &rows, message);
}

static FpLagrangian* sleigh(void) {
    FpMessage message = {0};
    FpLagrangian* system = sleigh_without_blade();
    assert_int_equal(add_runner(system, &blade, &message), FREEPLAY_OK);
    assert_int_equal(fp_lagrangian_finish(system, &message), FREEPLAY_OK);
    return system;
}

static FpState* run(const FpLagrangian* sleigh, const char* scheme, const char* solver, double h) {
    FpMessage message = {0};
    const FpSystem* system = fp_lagrangian_system(sleigh);
    FpStepperDef def = fp_stepper_def_default();
    def.scheme = scheme;
    def.solver = solver;
    def.h = h;
    FpStepper* stepper = fp_stepper_create(system, &def, &message);
    FpState* state = fp_state_create(system);
    if (fp_simulate(stepper, state, 1, NULL, NULL, &message)) fail_msg("%s", message.text);
    fp_stepper_destroy(stepper);
    return state;
}

/* Distance from where the circle leads in 1 s. */
static double error(const FpLagrangian* sleigh, const char* scheme, double h) {
    FpState* state = run(sleigh, scheme, "structured", h);
    double distance = hypot(state->q[X] - 1.5 * sin(2), state->q[Y] - 1.5 * (1 - cos(2)));
    fp_state_destroy(state);
    return distance;
}

static void sleigh_turns_in_its_circle_to_second_order(void** unused) {
    (void)unused;
    static const char* const names[] = {"rattle", "rattle-midpoint"};
    FpLagrangian* system = sleigh();
    for (int k = 0; k < 2; k++) {
        double coarse = error(system, names[k], 0.02), fine = error(system, names[k], 0.01);
        assert_near(log2(coarse / fine), 2, 0.05);
        assert_true(fine < 1e-3);
    }
    fp_lagrangian_destroy(system);
}

static void blade_does_not_slip_and_does_no_work(void** unused) {
    (void)unused;
    FpLagrangian* system = sleigh();
    FpState* state = run(system, "rattle", "structured", 0.01);
    double across = -sin(state->q[TURN]) * state->v[X] + cos(state->q[TURN]) * state->v[Y];
    assert_near(across, 0, 1e-14);
    assert_near(hypot(state->v[X], state->v[Y]), 3, 1e-3);
    assert_near(state->lambda[1], 12, 0.01);
    fp_state_destroy(state);
    fp_lagrangian_destroy(system);
}

static void both_solvers_agree_on_velocity_rows(void** unused) {
    (void)unused;
    static const char* const names[] = {"rattle", "rattle-midpoint", "moreau"};
    FpLagrangian* system = sleigh();
    for (int k = 0; k < 3; k++) {
        FpState* structured = run(system, names[k], "structured", 0.02);
        FpState* ipopt = run(system, names[k], "ipopt", 0.02);
        for (int i = 0; i < COUNT; i++) assert_near(structured->q[i], ipopt->q[i], 1e-9);
        fp_state_destroy(structured);
        fp_state_destroy(ipopt);
    }
    fp_lagrangian_destroy(system);
}

static void refused(FpRow row, const char* what) {
    FpMessage message = {0};
    FpLagrangian* system = sleigh_without_blade();
    assert_int_equal(add_runner(system, &row, &message), FREEPLAY_INVALID_ARGUMENT);
    assert_string_equal(message.field, "rows");
    assert_non_null(strstr(message.text, what));
    fp_lagrangian_destroy(system);
}

static void what_makes_no_sense_is_refused(void** unused) {
    (void)unused;
    FpRow row = blade;
    row.slip_count = 0;
    refused(row, "components");
    row = blade;
    row.friction = 0.1;
    refused(row, "neither clearance nor contact law");
    FpLagrangian* system = sleigh();
    FpMessage message = {0};
    FpStepperDef def = fp_stepper_def_default();
    assert_null(fp_stepper_create(fp_lagrangian_system(system), &def, &message));
    assert_string_equal(message.field, "scheme");
    assert_non_null(strstr(message.text, "choose rattle or moreau"));
    fp_lagrangian_destroy(system);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sleigh_turns_in_its_circle_to_second_order),
        cmocka_unit_test(blade_does_not_slip_and_does_no_work),
        cmocka_unit_test(both_solvers_agree_on_velocity_rows),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
