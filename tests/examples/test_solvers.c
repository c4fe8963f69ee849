/* The structured solver and Ipopt solve the same programs: on every example their trajectories
 * agree, and every step of both is certified. */
#include "tests/examples/model_run.h"

typedef struct Case {
    const char* model;
    const char* setting; /* or NULL */
    double t_end;
    double tolerance;   /* relative: round-off grows where contacts come and go */
    const char* scheme; /* NULL: the model's */
} Case;

static ModelRun* run_with(const Case* c, const char* solver, FpRowForm rows) {
    const char* const settings[] = {c->setting, NULL};
    ModelRun* run = model_run_load(c->model, settings);
    run->stepper.solver = solver;
    run->stepper.rows = rows;
    if (c->scheme) run->stepper.scheme = c->scheme;
    run->t_end = c->t_end;
    model_run_go(run);
    return run;
}

/* Velocities are measured by the largest one, and where all is at rest by what crosses the model
 * during the run. */
static void check_velocities(const Case* c, const ModelRun* fast, const ModelRun* judge) {
    double largest = fast->system->scales.length / c->t_end;
    int count = fast->system->v_count;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(judge->state->v[i]));
    for (int i = 0; i < count; i++)
        if (fabs(fast->state->v[i] - judge->state->v[i]) > c->tolerance * largest)
            fail_msg("%s, %s: velocity %d is %.15g, not %.15g", c->model, c->scheme, i,
                     fast->state->v[i], judge->state->v[i]);
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
    if (c->scheme) check_velocities(c, fast, judge);
    model_run_free(fast);
    model_run_free(judge);
}

static void solvers_agree_on_every_example(void** unused) {
    (void)unused;
    const Case cases[] = {
        {"revolute_pendulum", NULL, 2, 1e-8, NULL},
        {"pendulum_clearance", NULL, 1, 1e-8, NULL},
        {"pendulum_ideal", NULL, 1, 1e-10, NULL},
        {"cylindrical_slider", NULL, 0.5, 1e-10, NULL},
        {"prismatic_slider", NULL, 0.5, 1e-10, NULL},
        {"ball_and_socket", NULL, 0.3, 1e-8, NULL},
        {"slider_crank", "c=0", 0.01, 1e-9, NULL},
        {"slider_crank", NULL, 0.005, 1e-8, NULL},
        {"tests/models/four_bar", NULL, 0.3, 1e-9, NULL},
        {"tests/models/four_bar_planar", NULL, 0.3, 1e-9, NULL},
        {"tests/models/box_in_guide", NULL, 0.02, 1e-10, NULL},
        {"tests/models/ball_on_floor", NULL, 0.4, 1e-9, NULL},
        {"tests/models/gear_train", NULL, 0.5, 1e-10, NULL},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        check_agreement(&cases[k], FREEPLAY_ROWS_EXACT);
}

static void solvers_agree_on_linearized_rows(void** unused) {
    (void)unused;
    const Case cases[] = {{"revolute_pendulum", NULL, 1, 1e-8, NULL},
                          {"pendulum_ideal", NULL, 0.5, 1e-10, NULL},
                          {"prismatic_slider", NULL, 0.4, 1e-10, NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        check_agreement(&cases[k], FREEPLAY_ROWS_LINEARIZED);
}

/* Spans end where it is chaos that grows, or where a crate that turns lies flat: which of its
 * corners press is open then, and friction makes the motion depend on it. */
static void solvers_agree_with_friction(void** unused) {
    (void)unused;
    const Case cases[] = {
        {"sliding_puck", NULL, 0.4, 1e-10, "rattle"},
        {"sliding_puck", NULL, 0.4, 1e-10, "rattle-midpoint"},
        {"sliding_puck", NULL, 0.4, 1e-10, "moreau"},
        {"sliding_puck", "v=0.5", 0.3, 1e-10, "rattle"}, /* comes to rest */
        {"tests/models/crate_on_floor", NULL, 0.15, 1e-8, "rattle"},
        {"tests/models/crate_on_floor", NULL, 0.15, 1e-8, "rattle-midpoint"},
        {"tests/models/crate_on_floor", NULL, 0.15, 1e-8, "moreau"},
        {"slider_crank_friction", NULL, 0.0025, 1e-8, "rattle"},
        {"slider_crank_friction", NULL, 0.0025, 1e-8, "rattle-midpoint"},
        {"slider_crank_friction", NULL, 0.01, 1e-8, "moreau"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        check_agreement(&cases[k], FREEPLAY_ROWS_EXACT);
}

/* Four corners press where three would do: forces are open, the motion of a crate that slides
 * without turning is not. */
static void solvers_agree_on_a_crate_that_slides_flat(void** unused) {
    (void)unused;
    const char* const settings[] = {"z=6 cm", "wx=0", "wy=0", "wz=0", NULL};
    const char* const schemes[] = {"rattle", "rattle-midpoint", "moreau"};
    for (int k = 0; k < 3; k++) {
        const Case c = {"tests/models/crate_on_floor", NULL, 0.3, 1e-10, schemes[k]};
        ModelRun* runs[2];
        for (int i = 0; i < 2; i++) {
            runs[i] = model_run_load(c.model, settings);
            runs[i]->stepper.solver = i ? "ipopt" : "structured";
            runs[i]->stepper.scheme = c.scheme;
            runs[i]->t_end = c.t_end;
            model_run_go(runs[i]);
        }
        check_velocities(&c, runs[0], runs[1]);
        for (int i = 0; i < runs[0]->system->q_count; i++)
            assert_near(runs[0]->state->q[i], runs[1]->state->q[i], 1e-10);
        assert_int_equal(runs[1]->totals.rejected, 0);
        for (int i = 0; i < 2; i++) model_run_free(runs[i]);
    }
}

/* Least forces that push are unique: both solvers find the same ones. */
static void solvers_share_redundant_forces_alike(void** unused) {
    (void)unused;
    const Case off_centre = {"tests/models/box_in_guide", "x=5 mm", 0.01, 1e-10, NULL};
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
        cmocka_unit_test(solvers_agree_with_friction),
        cmocka_unit_test(solvers_agree_on_a_crate_that_slides_flat),
        cmocka_unit_test(solvers_share_redundant_forces_alike),
        cmocka_unit_test(audit_compares_the_two),
        cmocka_unit_test(structured_solver_chooses_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
