/* The four case studies of the clearance-joint paper, against event-driven solutions (exact gaps
 * and impact equations, integrated at 1e-12) and against an independent implementation of the
 * paper's scheme, digit by digit. Numbers are in metres and joules, in the reading "number =
 * metre". */
#include "tests/examples/model_run.h"

typedef struct Impact {
    double t;
    int row;
    double loss; /* of the impact with all rows that hit together */
} Impact;

static void check_impact(const FpEvent* event, const Impact* expected, double h) {
    assert_int_equal(event->kind, FREEPLAY_EVENT_IMPACT);
    assert_int_equal(event->row, expected->row);
    assert_near(event->t, expected->t, 2 * h);
    assert_near(event->energy_after - event->energy_before, expected->loss, 2e-2 * h / 1e-3);
}

/* Exact rows keep the bodies apart: of the clearance 1e-9, of the length 16 round-off units. */
static void check_penetration(const ModelRun* run, double clearance) {
    double allowed = fmax(1e-9 * clearance, 16 * DBL_EPSILON * run->system->scales.length);
    assert_true(run->totals.max_penetration <= allowed);
    assert_int_equal(run->totals.rejected, 0);
}

/* Cylindrical ---------------------------------------------------------------------------------- */

static void cylindrical_slider_falls_tilts_and_slides(void** unused) {
    (void)unused;
    const Impact impacts[2] = {{0.1051699033395068, 0, -4.9182883512760025},
                               {0.17486420549818185, 1, -10.081711648723996}};
    ModelRun* run = model_run_fixed("cylindrical_slider", NULL, 1e-3, 2);
    assert_int_equal(run->event_count, 2);
    for (int k = 0; k < 2; k++) check_impact(&run->events[k], &impacts[k], 1e-3);
    /* Steady forces in closed form, (F rho/(l/2) +- m g)/2, and the tilt asin(2 c/l). */
    assert_near(run->state->lambda[0], 90.696, 1e-6);
    assert_near(run->state->lambda[1], 59.304, 1e-6);
    assert_near(-2 * asin(run->state->q[4]), 0.010000166674167114, 1e-12);
    /* All the work of the tilt is lost. */
    assert_near(run->totals.final.shadow, -15, 1e-8);
    check_penetration(run, 0.1);
    model_run_free(run);
}

static void along_the_rod_the_motion_is_uniformly_accelerated(void** unused) {
    (void)unused;
    ModelRun* run = model_run_fixed("cylindrical_slider", NULL, 1e-3, 2);
    double n = 2000, h = 1e-3, a = 50 / 3.2;
    assert_near(run->state->q[2], a * h * h * n * (n + 1) / 2, 1e-10);
    assert_near(run->state->v[2], a * n * h, 1e-10);
    model_run_free(run);
}

/* The scheme of the paper at h = 10 ms, computed independently. */
static void cylindrical_slider_matches_the_independent_scheme(void** unused) {
    (void)unused;
    ModelRun* run = model_run_load("cylindrical_slider", NULL);
    run->stepper.rows = FREEPLAY_ROWS_LINEARIZED;
    run->stepper.h = 0.01;
    model_run_go(run);
    const double r[3] = {0, 0, 31.406250000000004};
    for (int i = 0; i < 3; i++) assert_near(run->state->q[i], r[i], 1e-9);
    assert_near(run->state->q[3], 0.9999874996093545, 1e-9);
    assert_near(run->state->q[4], -0.005000062502734536, 1e-9);
    assert_near(run->totals.final.total, -22.812500000000227, 1e-8);
    assert_near(run->totals.final.shadow, -15, 1e-8);
    assert_near(run->state->lambda[0], 90.696, 1e-8);
    assert_near(run->state->lambda[1], 59.304, 1e-8);
    model_run_free(run);
}

/* E falls by the work of the tilt and by a reversible part in proportion to h. */
static void energy_drift_shrinks_in_proportion_to_the_step(void** unused) {
    (void)unused;
    double drift[2];
    for (int k = 0; k < 2; k++) {
        ModelRun* run = model_run_fixed("cylindrical_slider", NULL, k ? 2e-3 : 4e-3, 1);
        drift[k] = run->totals.final.total + 15;
        model_run_free(run);
    }
    assert_near(drift[0] / drift[1], 2, 0.02);
}

/* Tables 1 and 2 print millimetres: the same motion, sqrt(1000) times as fast. */
static void check_same_in_millimetres(const char* name, double t_end) {
    const char* const millimetres[] = {"unit=1 mm", NULL};
    ModelRun* metres = model_run_fixed(name, NULL, 1e-3, t_end);
    double faster = sqrt(1000);
    ModelRun* small = model_run_fixed(name, millimetres, 1e-3 / faster, t_end / faster);
    assert_int_equal(small->totals.steps, metres->totals.steps);
    assert_int_equal(small->event_count, metres->event_count);
    for (int k = 0; k < metres->event_count; k++) {
        assert_int_equal(small->events[k].row, metres->events[k].row);
        assert_near(small->events[k].t * faster, metres->events[k].t, 1e-9);
    }
    for (int i = 0; i < 3; i++) assert_near(small->state->q[i] * 1000, metres->state->q[i], 1e-9);
    for (int i = 3; i < 7; i++) assert_near(small->state->q[i], metres->state->q[i], 1e-10);
    for (int i = 0; i < metres->system->row_count; i++)
        assert_near(small->state->lambda[i], metres->state->lambda[i], 1e-5);
    model_run_free(metres);
    model_run_free(small);
}

static void millimetres_and_metres_are_one_trajectory(void** unused) {
    (void)unused;
    check_same_in_millimetres("cylindrical_slider", 0.5);
    check_same_in_millimetres("prismatic_slider", 0.5);
}

static void sleeve_leaves_its_rod_where_that_ends(void** unused) {
    (void)unused;
    ModelRun* run = model_run_load("cylindrical_slider", NULL);
    FpMessage message = {0};
    FpStepper* stepper = fp_stepper_create(run->system, &run->stepper, &message);
    FpObserver observer = {.context = run, .event = model_run_event};
    FpStatus status = fp_simulate(stepper, run->state, 3, &observer, &run->totals, &message);
    assert_int_equal(status, FREEPLAY_LEFT_JOINT);
    assert_non_null(strstr(message.text, "sleeve"));
    assert_non_null(strstr(message.text, "radial at P2"));
    const FpEvent* last = &run->events[run->event_count - 1];
    assert_int_equal(last->kind, FREEPLAY_EVENT_LEAVE);
    assert_int_equal(last->row, 1);
    assert_near(last->t, 2.262741699796952, 2e-3);
    fp_stepper_destroy(stepper);
    model_run_free(run);
}

/* Prismatic ------------------------------------------------------------------------------------ */

/* Two back corners hit the bottom, then two front corners the sides; the front apex stays open. */
static void prismatic_slider_falls_tilts_and_slides(void** unused) {
    (void)unused;
    const Impact impacts[4] = {{0.11093162547723037, 2, -4.511805980607925},
                               {0.11093162547723037, 4, -4.511805980607925},
                               {0.2560665414, 9, -16.618694141465312 + 4.511805980607925},
                               {0.2560665414, 11, -16.618694141465312 + 4.511805980607925}};
    const double gaps[12] = {0.15241579798459126,
                             0.1524157979845837,
                             0,
                             0.1515544456622826,
                             0,
                             0.15155444566227416,
                             0.0008613523223131025,
                             0.0008613523222962272,
                             0.3031088913245661,
                             0,
                             0.3031088913245643,
                             0};
    const double forces[12] = {[2] = 37.907475050763274,
                               [4] = 37.90747505076325,
                               [9] = 44.42295010155476,
                               [11] = 44.42295010155476};
    ModelRun* run = model_run_fixed("prismatic_slider", NULL, 1e-3, 2);
    assert_int_equal(run->event_count, 4);
    for (int k = 0; k < 4; k++) check_impact(&run->events[k], &impacts[k], 1e-3);
    double g[12];
    fp_state_gaps(run->system, run->state, g);
    for (int i = 0; i < 12; i++) {
        assert_near(g[i], gaps[i], 1e-9);
        assert_near(run->state->lambda[i], forces[i], 1e-6);
    }
    assert_near(run->state->q[1], 0.04994391367255721, 1e-9);
    assert_near(-2 * asin(run->state->q[4]), 0.01515602479556471, 1e-9);
    assert_near(run->totals.final.shadow, -16.618694141465312, 1e-6);
    check_penetration(run, 0.101);
    model_run_free(run);
}

static void prismatic_slider_matches_the_independent_scheme(void** unused) {
    (void)unused;
    ModelRun* run = model_run_load("prismatic_slider", NULL);
    run->stepper.rows = FREEPLAY_ROWS_LINEARIZED;
    run->stepper.h = 0.01;
    run->t_end = 0.5;
    model_run_go(run);
    assert_near(run->state->q[1], 0.04994391367255269, 1e-9);
    assert_near(run->state->q[2], 1.59375, 1e-9);
    assert_near(run->state->q[4], -0.007577939868490303, 1e-9);
    assert_near(run->totals.final.total, -17.868694141464573, 1e-8);
    assert_near(run->state->lambda[2], 37.907475050763274, 1e-8);
    assert_near(run->state->lambda[11], 44.42295010155476, 1e-8);
    model_run_free(run);
}

/* Revolute ------------------------------------------------------------------------------------- */

static void revolute_pendulum_hits_and_releases_in_order(void** unused) {
    (void)unused;
    const struct {
        double t;
        int row;
        FpEventKind kind;
    } expected[] = {{0.1427843122927064, 1, FREEPLAY_EVENT_IMPACT},
                    {0.5003791395949876, 0, FREEPLAY_EVENT_IMPACT},
                    {1.1497036178944613, 3, FREEPLAY_EVENT_IMPACT},
                    {1.6548707879040536, 0, FREEPLAY_EVENT_OPEN},
                    {1.9130476169045545, 0, FREEPLAY_EVENT_IMPACT}};
    const double losses[] = {-0.49140410342565977, -0.11045398905894643, -0.03152000447258274, 0,
                             -0.015892893749366976};
    ModelRun* run = model_run_fixed("revolute_pendulum", NULL, 5e-4, 2);
    assert_true(run->event_count >= 5);
    for (int k = 0; k < 5; k++) {
        const FpEvent* event = &run->events[k];
        assert_int_equal(event->kind, expected[k].kind);
        assert_int_equal(event->row, expected[k].row);
        assert_near(event->t, expected[k].t, 1e-3);
        assert_near(event->energy_after - event->energy_before, losses[k], 1e-4);
    }
    check_penetration(run, 0.1);
    model_run_free(run);
}

static void pendulum_with_clearance_hits_once(void** unused) {
    (void)unused;
    ModelRun* run = model_run_fixed("pendulum_clearance", NULL, 1e-3, 3);
    int impacts = 0;
    for (int k = 0; k < run->event_count; k++) {
        assert_int_equal(run->events[k].kind, FREEPLAY_EVENT_IMPACT);
        assert_near(run->events[k].t, 0.14278431229270644, 1e-3);
        assert_near(run->events[k].energy_after - run->events[k].energy_before, -0.5000695117890663,
                    1e-4);
        impacts++;
    }
    assert_int_equal(impacts, 2); /* both ends of the bore at once */
    model_run_free(run);
}

/* Ideal ---------------------------------------------------------------------------------------- */

/* Distance of angle and speed from the solution of the ideal pendulum, and the error of the force
 * on the pin, at t = 2. */
static void ideal_errors(double h, double* angle, double* force) {
    ModelRun* run = model_run_fixed("pendulum_ideal", NULL, h, 2);
    const double *q = run->state->q, *f = run->state->lambda;
    assert_int_equal(run->system->row_count, 5);
    *angle = fabs(2 * atan2(q[6], q[3]) + 0.4696255732572413);
    *force = hypot(f[0] + f[2] + 17.699216906299426, f[1] + f[3] - 13.982958261268582);
    assert_near(run->state->v[5], -0.46272031925638557, h);
    model_run_free(run);
}

static void ideal_pendulum_converges_with_the_step(void** unused) {
    (void)unused;
    double angle[2], force[2];
    ideal_errors(4e-3, &angle[0], &force[0]);
    ideal_errors(2e-3, &angle[1], &force[1]);
    assert_true(angle[1] < 1e-3);
    assert_near(angle[0] / angle[1], 2, 0.1);
    assert_near(force[0] / force[1], 2, 0.1);
}

static void ideal_pendulum_matches_the_independent_scheme(void** unused) {
    (void)unused;
    ModelRun* run = model_run_load("pendulum_ideal", NULL);
    run->stepper.rows = FREEPLAY_ROWS_LINEARIZED;
    model_run_go(run);
    assert_near(run->state->q[0], -24.444051271100083, 1e-6);
    assert_near(run->state->q[1], -18.902348312423225, 1e-6);
    assert_near(run->totals.final.total, -0.12907771011759905, 1e-6);
    assert_near(run->totals.final.shadow, -6.880870307138243e-05, 1e-6);
    model_run_free(run);
}

typedef struct Drift {
    double first_half, second_half;
} Drift;

static void note_opening(ModelRun* run, const FpState* state) {
    double g[32];
    Drift* drift = run->context;
    fp_state_gaps(run->system, state, g);
    double open = fp_gaps_penetration(run->system, g);
    double* largest = state->t <= run->t_end / 2 ? &drift->first_half : &drift->second_half;
    *largest = fmax(*largest, open);
}

static void ideal_joints_stay_closed_over_ten_thousand_steps(void** unused) {
    (void)unused;
    Drift drift = {0};
    ModelRun* run = model_run_load("pendulum_ideal", NULL);
    run->watch = note_opening;
    run->context = &drift;
    model_run_go(run);
    assert_int_equal(run->totals.steps, 10000);
    double length = run->system->scales.length;
    assert_true(drift.first_half <= 1e-10 * length);
    assert_true(drift.second_half <= fmax(4 * drift.first_half, 64 * DBL_EPSILON * length));
    model_run_free(run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cylindrical_slider_falls_tilts_and_slides),
        cmocka_unit_test(along_the_rod_the_motion_is_uniformly_accelerated),
        cmocka_unit_test(cylindrical_slider_matches_the_independent_scheme),
        cmocka_unit_test(energy_drift_shrinks_in_proportion_to_the_step),
        cmocka_unit_test(millimetres_and_metres_are_one_trajectory),
        cmocka_unit_test(sleeve_leaves_its_rod_where_that_ends),
        cmocka_unit_test(prismatic_slider_falls_tilts_and_slides),
        cmocka_unit_test(prismatic_slider_matches_the_independent_scheme),
        cmocka_unit_test(revolute_pendulum_hits_and_releases_in_order),
        cmocka_unit_test(pendulum_with_clearance_hits_once),
        cmocka_unit_test(ideal_pendulum_converges_with_the_step),
        cmocka_unit_test(ideal_pendulum_matches_the_independent_scheme),
        cmocka_unit_test(ideal_joints_stay_closed_over_ten_thousand_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
