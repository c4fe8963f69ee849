/* The structured solver and Ipopt solve the same programs: on every example their trajectories
 * agree, and every step of both is certified. */
#include "tests/examples/model_run.h"

typedef struct Case {
    const char* model;
    const char* setting; /* or NULL */
    double t_end;
    double tolerance; /* relative: round-off grows where contacts come and go */
} Case;

static ModelRun* run_with(const Case* c, const char* solver, FpRowForm rows) {
    const char* const settings[] = {c->setting, NULL};
    ModelRun* run = model_run_load(c->model, settings);
    run->stepper.solver = solver;
    run->stepper.rows = rows;
    run->t_end = c->t_end;
    model_run_go(run);
    return run;
}

static void check_agreement(const Case* c, FpRowForm rows) {
    ModelRun* fast = run_with(c, "structured", rows);
    ModelRun* judge = run_with(c, "ipopt", rows);
    assert_int_equal(fast->totals.solves_ipopt, 0);
    assert_int_equal(judge->totals.solves_structured, 0);
    assert_int_equal(fast->totals.steps, judge->totals.steps);
    assert_int_equal(fast->event_count, judge->event_count);
    double length = fast->system->scales.length;
    for (int i = 0; i < fast->system->q_count; i++) {
        double allowed = c->tolerance * fmax(length, fabs(judge->state->q[i]));
        if (fabs(fast->state->q[i] - judge->state->q[i]) > allowed)
            fail_msg("%s: coordinate %d is %.15g, not %.15g", c->model, i, fast->state->q[i],
                     judge->state->q[i]);
    }
    model_run_free(fast);
    model_run_free(judge);
}

static void solvers_agree_on_every_example(void** unused) {
    (void)unused;
    const Case cases[] = {
        {"revolute_pendulum", NULL, 2, 1e-8},
        {"pendulum_clearance", NULL, 1, 1e-8},
        {"pendulum_ideal", NULL, 1, 1e-10},
        {"cylindrical_slider", NULL, 0.5, 1e-10},
        {"prismatic_slider", NULL, 0.5, 1e-10},
        {"ball_and_socket", NULL, 0.3, 1e-8},
        {"slider_crank", "c=0", 0.01, 1e-9},
        {"slider_crank", NULL, 0.005, 1e-8},
        {"tests/models/four_bar", NULL, 0.3, 1e-9},
        {"tests/models/four_bar_planar", NULL, 0.3, 1e-9},
        {"tests/models/box_in_guide", NULL, 0.02, 1e-10},
        {"tests/models/ball_on_floor", NULL, 0.4, 1e-9},
        {"tests/models/gear_train", NULL, 0.5, 1e-10},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        check_agreement(&cases[k], FREEPLAY_ROWS_EXACT);
}

static void solvers_agree_on_linearized_rows(void** unused) {
    (void)unused;
    const Case cases[] = {{"revolute_pendulum", NULL, 1, 1e-8},
                          {"pendulum_ideal", NULL, 0.5, 1e-10},
                          {"prismatic_slider", NULL, 0.4, 1e-10}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        check_agreement(&cases[k], FREEPLAY_ROWS_LINEARIZED);
}

/* Least forces that push are unique: both solvers find the same ones. */
static void solvers_share_redundant_forces_alike(void** unused) {
    (void)unused;
    const Case off_centre = {"tests/models/box_in_guide", "x=5 mm", 0.01, 1e-10};
    ModelRun* fast = run_with(&off_centre, "structured", FREEPLAY_ROWS_EXACT);
    ModelRun* judge = run_with(&off_centre, "ipopt", FREEPLAY_ROWS_EXACT);
    for (int i = 0; i < fast->system->row_count; i++)
        assert_near(fast->state->lambda[i], judge->state->lambda[i], 1e-8);
    model_run_free(fast);
    model_run_free(judge);
}

static void audit_compares_the_two(void** unused) {
    (void)unused;
    ModelRun* run = model_run_load("prismatic_slider", NULL);
    run->stepper.audit = 5;
    run->t_end = 0.3;
    model_run_go(run);
    assert_int_equal(run->totals.audited, 60);
    assert_true(run->totals.max_difference <= 1e-8);
    assert_int_equal(run->totals.solves_structured, 300);
    model_run_free(run);
}

/* h is a variable: every step is the structured solver's and certified, and takes h_max while the
 * pin flies freely or slides. */
static void structured_solver_chooses_the_step(void** unused) {
    (void)unused;
    ModelRun* run = model_run_load("pendulum_clearance", NULL);
    run->stepper.solver = "structured";
    run->stepper.strategy = "gauss";
    run->stepper.h_min = 2e-4;
    run->stepper.h_max = 1e-3;
    run->t_end = 1;
    model_run_go(run);
    assert_int_equal(run->totals.solves_ipopt, 0);
    assert_true(run->totals.steps >= 1000 && run->totals.steps <= 1010);
    model_run_free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_agree_on_every_example),
        cmocka_unit_test(solvers_agree_on_linearized_rows),
        cmocka_unit_test(solvers_share_redundant_forces_alike),
        cmocka_unit_test(audit_compares_the_two),
        cmocka_unit_test(structured_solver_chooses_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
