/* Derivatives of every callback of the Gauss step's program, against differences. */
#include <stdlib.h>
#include "tests/pendulum.h"

#include "engine/scheme.h"
#include "nlp/derivatives.h"

/* Two bars, one on ground and one on the other, so that rows touch one body and two. */
static FpWorld* two_bars(void) {
    FpWorldDef world_def = fp_world_def_default();
    FpWorld* world = fp_world_create(&world_def);
    FpRevoluteDef hinge = fp_revolute_def_default();
    hinge.length = 0.2;
    hinge.clearance = 0.01;
    hinge.axial_clearance = 0.02;
    hinge.bore = (FpFrameDef){true, {-0.5, 0, 0}, {0.1, 0.2, 1}, {0, 0, 0}};
    for (int k = 0; k < 2; k++) {
        FpBodyDef bar = fp_body_def_default();
        bar.name = k ? "second" : "first";
        bar.mass = 1 + k;
        fp_inertia_box(bar.mass, 1, 0.2, 0.3, bar.inertia);
        bar.position = fp_vec3(0.5 + k, 0.003, 0.001);
        bar.angular_velocity = fp_vec3(0.3, -0.2, 1 + k);
        hinge.joint.name = k ? "elbow" : "shoulder";
        hinge.joint.body[1] = k ? 0 : FREEPLAY_GROUND;
        assert_int_equal(fp_world_add_body(world, &bar, &hinge.joint.body[0], NULL), FREEPLAY_OK);
        assert_int_equal(fp_revolute_add(world, &hinge, NULL), FREEPLAY_OK);
    }
    FpMessage message = {0};
    if (fp_world_finish(world, &message)) fail_msg("%s", message.text);
    return world;
}

static void check_derivatives(FpRowForm rows) {
    FpWorld* world = two_bars();
    const FpSystem* system = fp_world_system(world);
    FpStepperDef def = fp_stepper_def_default();
    def.rows = rows;
    void* scheme = fp_scheme_gauss.create(system, &def);
    FpState* state = fp_state_create(system);
    state->q[1] += 0.002; /* off the common axis, where gaps have normals */
    double x[64], y[64], z[64];
    FpNlpPoint point = {x, y, z};
    const FpNlp* nlp;
    FpStatus status = fp_scheme_gauss.pose(scheme, 0, state, 0.01, 0.02, &nlp, &point);
    assert_int_equal(status, FREEPLAY_OK);
    srand(7);
    for (int j = 0; j < nlp->n; j++)
        x[j] += nlp->x_scale[j] * 0.2 * (rand() / (double)RAND_MAX - 0.5);
    for (int i = 0; i < nlp->m; i++)
        y[i] = nlp->f_scale / nlp->g_scale[i] * (rand() / (double)RAND_MAX - 0.5);
    FpDerivativeErrors errors;
    assert_int_equal(fp_nlp_check_derivatives(nlp, x, y, 1e-5, &errors), FREEPLAY_OK);
    assert_near(errors.gradient, 0, 1e-8);
    assert_near(errors.jacobian, 0, 1e-7);
    assert_near(errors.hessian, 0, 1e-7);
    fp_state_destroy(state);
    fp_scheme_gauss.destroy(scheme);
    fp_world_destroy(world);
}

static void exact_program_has_the_derivatives_of_its_functions(void** unused) {
    (void)unused;
    check_derivatives(FREEPLAY_ROWS_EXACT);
}

static void linearized_program_has_the_derivatives_of_its_functions(void** unused) {
    (void)unused;
    check_derivatives(FREEPLAY_ROWS_LINEARIZED);
}

/* A double pendulum on two loose pins: every step certified. */
static void two_loose_joints_run(void** unused) {
    (void)unused;
    FpWorld* world = two_bars();
    FpStepperDef def = fp_stepper_def_default();
    FpState* state;
    FpTotals totals = pendulum_run(world, &def, 0.3, &state);
    assert_true(totals.max_certificate <= 1e-9);
    assert_true(totals.max_penetration <= 1e-11);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_program_has_the_derivatives_of_its_functions),
        cmocka_unit_test(linearized_program_has_the_derivatives_of_its_functions),
        cmocka_unit_test(two_loose_joints_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
