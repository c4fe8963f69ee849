/* The scheme itself, digit by digit: linearized rows at fixed h against an independent
 * implementation, and convergence to event-driven solutions (errors halve with h). */
#include "tests/pendulum.h"

typedef struct Fact {
    double h, t_end, energy, shadow, norm_defect;
} Fact;

static void check_fact(Pendulum pendulum, const Fact* fact) {
    FpWorld* world = pendulum_world(&pendulum);
    FpStepperDef def = fp_stepper_def_default();
    def.rows = FREEPLAY_ROWS_LINEARIZED;
    def.h = fact->h;
    FpState* state;
    FpTotals totals = pendulum_run(world, &def, fact->t_end, &state);
    assert_near(totals.final.total - totals.initial.total, fact->energy, 1e-9);
    assert_near(totals.final.shadow - totals.initial.shadow, fact->shadow, 1e-9);
    assert_near(totals.max_norm_defect, fact->norm_defect, 1e-14);
    assert_true(totals.max_certificate <= 1e-9);
    assert_true(totals.max_motion_residual <= 1e-9);
    assert_int_equal(totals.rejected, 0);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

static void pendulum_in_plane_matches_the_independent_scheme(void** unused) {
    (void)unused;
    const Fact coarse = {0.002, 10, -0.7590247923035349, -0.5003562749161323,
                         4.876107506657235e-07};
    check_fact(pendulum_54(), &coarse);
}

static void tilting_pendulum_matches_the_independent_scheme(void** unused) {
    (void)unused;
    const Fact coarse = {0.002, 10, -1.2016618297105879, -0.9428954084835083,
                         4.788115606224608e-07};
    check_fact(revolute_pendulum(), &coarse);
}

/* Distance of the centre of mass from where the event-driven solution has it. */
static double error_at(Pendulum pendulum, FpRowForm rows, double h, double t, const double r[3]) {
    FpWorld* world = pendulum_world(&pendulum);
    FpStepperDef def = fp_stepper_def_default();
    def.rows = rows;
    def.h = h;
    FpState* state;
    pendulum_run(world, &def, t, &state);
    FpVec3 error = fp_vec3_sub(fp_vec3_load(state->q), fp_vec3_load(r));
    fp_state_destroy(state);
    fp_world_destroy(world);
    return fp_vec3_norm(error);
}

static void check_first_order(Pendulum pendulum, FpRowForm rows, double t, const double r[3]) {
    double coarse = error_at(pendulum, rows, 4e-3, t, r);
    double fine = error_at(pendulum, rows, 1e-3, t, r);
    assert_true(fine < 0.01);
    /* Order 1 gives 4; the step in which an impact falls moves it a little. */
    assert_near(coarse / fine, 4, 1.2);
}

static void errors_fall_in_proportion_to_the_step(void** unused) {
    (void)unused;
    const double in_plane[3] = {27.659217022737653, -13.997483810441814, 0};
    const double tilting[3] = {30.763412215589195, -3.6687799335543154, 11.97};
    for (int rows = FREEPLAY_ROWS_EXACT; rows <= FREEPLAY_ROWS_LINEARIZED; rows++) {
        check_first_order(pendulum_54(), (FpRowForm)rows, 2, in_plane);
        check_first_order(revolute_pendulum(), (FpRowForm)rows, 1, tilting);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_in_plane_matches_the_independent_scheme),
        cmocka_unit_test(tilting_pendulum_matches_the_independent_scheme),
        cmocka_unit_test(errors_fall_in_proportion_to_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
