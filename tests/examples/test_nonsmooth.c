/* The nonsmooth examples against independent numbers: exact solutions, an event-driven integration,
 * and, step by step, an independent implementation of the scheme of Breuling et al. A percussion is
 * h times a force. */
#include <math.h>
#include <stdbool.h>
#include "tests/support.h"
#include "bench/recording.h"
#include "examples/program.h"

/* A run by the scheme, with fixed steps that no solver has shortened. */
static Recording run_scheme(const char* scheme, const Program* program, int number, double h,
                            double t_end) {
    FpMessage message = {0};
    Recording run;
    Mechanism* mechanism = program_mechanism(program, number, &message);
    if (!mechanism) fail_msg("%s: %s", program->name, message.text);
    const FpSystem* system = fp_lagrangian_system(mechanism->lagrangian);
    FpStepperDef def = fp_stepper_def_default();
    def.scheme = scheme;
    def.h = h;
    if (!recording_make(system, &def, t_end, &run, &message))
        fail_msg("%s: %s", program->name, message.text);
    assert_int_equal(run.totals.rejected, 0);
    assert_int_equal(run.totals.steps, lround(t_end / h));
    assert_true(run.totals.max_certificate <= 1e-9);
    mechanism_free(mechanism);
    return run;
}

static Recording run_rattle(const Program* program, int number, double h, double t_end) {
    Recording run = run_scheme("rattle", program, number, h, t_end);
    assert_true(run.totals.max_penetration <= 1e-12);
    return run;
}

static RecordedState last(const Recording* run) {
    return recording_state(run, run->count - 1);
}

static double percussion(const Recording* run, size_t step, int force) {
    RecordedState state = recording_state(run, step);
    return state.h * state.lambda[force];
}

/* The first step from `from` on in which a row pushes; the number of states if there is none. */
static size_t next_push(const Recording* run, int row, size_t from) {
    while (from < run->count && !(recording_state(run, from).lambda[row] > 0)) from++;
    return from;
}

/* Ball ----------------------------------------------------------------------------------------- */

enum { X, Y, PHI };
static const double ball_radius = 0.1;

static double ball_slip(RecordedState state) {
    return state.v[X] + ball_radius * state.v[PHI];
}

/* ball1.scheme. At steps 85, 105 and 114 the gap is exactly closed: round-off must not decide. */
static void ball_bounces_step_by_step_as_the_independent_scheme(void** unused) {
    (void)unused;
    static const struct {
        size_t step;
        double P;
    } impacts[] = {{43, 6.2784},    {85, 3.0411},     {105, 1.42245},
                   {114, 0.613125}, {118, 0.2820375}, {120, 0.15328125}};
    Recording run = run_rattle(&bouncing_ball, 0, 1e-2, 1.2);
    size_t step = 0;
    for (int k = 0; k < 6; k++) {
        step = next_push(&run, 0, step + 1);
        assert_int_equal(step, impacts[k].step);
        assert_near(percussion(&run, step, 0), impacts[k].P, 1e-12);
        assert_near(percussion(&run, step, 1), 0, 1e-12);
    }
    recording_free(&run);
}

/* The steps are far longer than the last flights before the bounces accumulate at 1.28506 s. */
static void ball_passes_the_accumulation_of_its_bounces(void** unused) {
    (void)unused;
    const double weight = 9.81;
    Recording run = run_rattle(&bouncing_ball, 0, 1e-2, 1.5);
    for (size_t step = 130; step < run.count; step++) {
        RecordedState state = recording_state(&run, step);
        assert_near(state.q[Y], ball_radius, 1e-6);
        assert_near(state.v[Y], 0, 1e-4);
        assert_near(percussion(&run, step, 0), weight * state.h, 1e-4);
    }
    assert_near(last(&run).v[Y], 0, 1e-10);
    assert_near(last(&run).q[X], 0, 1e-12);
    recording_free(&run);
}

/* The scheme is of first order in the time of an impact, and what it misses adds up. */
static void ball_hits_at_the_exact_times_when_steps_are_short(void** unused) {
    (void)unused;
    static const double times[] = {0.4283529368781193, 0.8567058737562386, 1.0708823421952982,
                                   1.177970576414828,  1.2315146935245929, 1.2582867520794754};
    const double h = 1e-4;
    Recording run = run_rattle(&bouncing_ball, 0, h, 1.27);
    size_t step = 0;
    for (int k = 0; k < 6; k++) {
        step = next_push(&run, 0, step + 1);
        assert_near(recording_state(&run, step).t, times[k], (1 + k) * h);
    }
    recording_free(&run);
}

/* ball2.scheme */
static void sliding_ball_rolls_step_by_step_as_the_independent_scheme(void** unused) {
    (void)unused;
    static const double q_end[] = {-0.885632042857, 0.1, 33.3591989286};
    Recording run = run_rattle(&bouncing_ball, 1, 1e-2, 1.11);
    assert_int_equal(next_push(&run, 0, 1), 43);
    assert_near(percussion(&run, 43, 0), 4.2183, 1e-11);
    assert_near(percussion(&run, 43, 1), -0.84366, 1e-11);
    for (size_t step = 44; step <= 72; step++) {
        assert_true(ball_slip(recording_state(&run, step)) > 1e-3);
        assert_near(percussion(&run, step, 1), -0.2 * percussion(&run, step, 0), 1e-11);
    }
    assert_near(percussion(&run, 73, 1), -0.01593142857, 1e-10);
    for (size_t step = 73; step < run.count; step++)
        assert_near(ball_slip(recording_state(&run, step)), 0, 1e-11);
    for (size_t step = 74; step < run.count; step++)
        assert_near(percussion(&run, step, 1), 0, 1e-11);
    for (int i = 0; i < 3; i++) assert_near(last(&run).q[i], q_end[i], 1e-10);
    recording_free(&run);
}

/* ball2.post_impact_ux_uphi_slip, ball2.t_roll, ball2.final_ux_uphi; 2/7 of the spin is left. */
static void sliding_ball_approaches_the_exact_motion(void** unused) {
    (void)unused;
    const double h = 1e-4;
    Recording run = run_rattle(&bouncing_ball, 1, h, 1.11);
    size_t impact = next_push(&run, 0, 1), rolls = impact;
    RecordedState after = recording_state(&run, impact);
    assert_near(after.t, 0.4283529368781193, h);
    assert_near(after.v[X], -0.8404284621548701, 3 * h);
    assert_near(after.v[PHI], 28.98928844612825, 150 * h);
    assert_near(ball_slip(after), 2.058500382457954, 15 * h);
    while (rolls < run.count && fabs(ball_slip(recording_state(&run, rolls))) > 1e-9) rolls++;
    assert_near(recording_state(&run, rolls).t, 0.7281199941750399, 2 * h);
    assert_near(last(&run).v[X], -10. / 7, 1e-9);
    assert_near(last(&run).v[PHI], 100. / 7, 1e-9);
    recording_free(&run);
}

static void slowly_spinning_ball_rolls_from_the_impact_on(void** unused) {
    (void)unused;
    Recording run = run_rattle(&bouncing_ball, 2, 1e-2, 1.11);
    size_t impact = next_push(&run, 0, 1);
    assert_int_equal(impact, 43);
    for (size_t step = impact; step < run.count; step++) {
        RecordedState state = recording_state(&run, step);
        assert_near(ball_slip(state), 0, 1e-11);
        assert_near(state.v[X], -2. / 7, 1e-10);
        assert_near(percussion(&run, step, 1), step == impact ? -2. / 7 : 0, 1e-10);
    }
    recording_free(&run);
}

/* Slider-crank --------------------------------------------------------------------------------- */

/* slider.scheme: rows of the corners come after six of the hinges. */
static void slider_hits_its_slot_as_the_independent_scheme(void** unused) {
    (void)unused;
    static const size_t first[] = {28, 13, 259, 259};
    enum { PHI3 = 8, FLAT_FROM = 93, LIFTS = 259 };
    Recording run = run_rattle(&slider_crank_slot, 0, 1e-4, 0.1467);
    for (int corner = 0; corner < 4; corner++)
        assert_int_equal(next_push(&run, 6 + corner, 1), first[corner]);
    assert_true(fabs(recording_state(&run, FLAT_FROM - 1).q[PHI3]) > 1e-6);
    for (size_t step = FLAT_FROM; step < LIFTS; step++)
        assert_near(recording_state(&run, step).q[PHI3], 0, 1e-10);
    recording_free(&run);
}

static void redundant_hinges_stay_closed_through_all_impacts(void** unused) {
    (void)unused;
    Recording run = run_rattle(&slider_crank_slot, 0, 1e-3, 0.146);
    RecordedState end = last(&run);
    assert_near(end.q[0] - 0.0765 * cos(end.q[2]), 0, 1e-12);
    assert_near(end.q[1] - 0.0765 * sin(end.q[2]), 0, 1e-12);
    assert_near(end.q[6], 0.153 * cos(end.q[2]) + 0.306 * cos(end.q[5]), 1e-12);
    recording_free(&run);
}

/* Slope ---------------------------------------------------------------------------------------- */

static double slope_slip(RecordedState state) {
    double E = exp(-state.q[X]);
    return (state.v[X] - E * state.v[Y]) / sqrt(1 + E * E);
}

/* slope1, slope4: t_stick, x_stick. Sticking starts with the first step without slip at its end and
 * lasts. */
static void mass_on_slope_sticks_where_it_should(void** unused) {
    (void)unused;
    static const struct {
        int number;
        double t, x, tolerance;
    } sticks[] = {{0, 2.097352278603, 2.849184647693, 1e-6},
                  {3, 2.187883174131, 3.163866134325, 2e-3}};
    const double h = 1e-3;
    for (int k = 0; k < 2; k++) {
        Recording run = run_rattle(&mass_on_slope, sticks[k].number, h, 3);
        size_t step = run.count - 1;
        while (step > 0 && fabs(slope_slip(recording_state(&run, step))) <= 1e-10) step--;
        assert_near(recording_state(&run, step + 1).t, sticks[k].t, 2 * h);
        assert_near(last(&run).q[X], sticks[k].x, sticks[k].tolerance);
        recording_free(&run);
    }
}

/* slope4.impact_t_PN_PF_vplus; during the step of the impact gravity acts, too. */
static void mass_falls_on_the_slope_and_slides_on(void** unused) {
    (void)unused;
    const double h = 1e-4;
    Recording run = run_rattle(&mass_on_slope, 3, h, 0.4);
    size_t impact = next_push(&run, 0, 1);
    assert_near(recording_state(&run, impact).t, 0.316227766017, h);
    assert_near(percussion(&run, impact, 0), 7.024814731041, 100 * h);
    assert_near(percussion(&run, impact, 1), -2.107444419312, 100 * h);
    assert_near(percussion(&run, impact, 1), -0.3 * percussion(&run, impact, 0), 1e-10);
    assert_near(slope_slip(recording_state(&run, impact)), 1.56524758425, 20 * h);
    recording_free(&run);
}

/* Tippedisk ------------------------------------------------------------------------------------ */

/* tippedisk.ode: the height of the centre of mass while it rises. */
static void tippedisk_turns_over(void** unused) {
    (void)unused;
    static const struct {
        double t, z;
    } heights[] = {{0.1, 0.0425162052}, {0.2, 0.0425794959}, {0.3, 0.043087538},
                   {0.5, 0.046316584},  {1.0, 0.0474599105}, {1.5, 0.0474345421}};
    const double h = 1e-3;
    Recording run = run_rattle(&tippedisk, 0, h, 1.5);
    assert_true(run.totals.max_norm_defect <= 1e-12);
    for (int k = 0; k < 6; k++) {
        RecordedState state = recording_state(&run, (size_t)lround(heights[k].t / h));
        assert_near(state.q[2], heights[k].z, 1e-4);
        double norm = 0;
        for (int i = 3; i < 7; i++) norm += state.q[i] * state.q[i];
        assert_near(norm, 1, 1e-12);
    }
    recording_free(&run);
}

/* Rod ------------------------------------------------------------------------------------------ */

/* With W = (0, 1, -c/2) and (1, 0, s/2): the impulses that stop the end at once,
 *   P_F = (1 + 3 c^2)/D,  P_N = 3 s c/D,  D = (1 + 3 c^2)(1 + 3 s^2) - 9 s^2 c^2 = 4 */
/* tippedisk.ode: its slip turns all the time, so that the direction of friction decides the order.
 */
static void midpoint_rule_turns_the_tippedisk_over_to_second_order(void** unused) {
    (void)unused;
    const double exact = 0.046316584;
    double error[2];
    for (int k = 0; k < 2; k++) {
        Recording run = run_scheme("rattle-midpoint", &tippedisk, 0, 1e-3 / (1 + k), 0.5);
        error[k] = fabs(last(&run).q[2] - exact);
        assert_true(run.totals.max_penetration <= 1e-12);
        recording_free(&run);
    }
    assert_true(error[0] < 1e-5);
    assert_near(log2(error[0] / error[1]), 2, 0.05);
}

static void rod_jams_above_the_critical_friction(void** unused) {
    (void)unused;
    const double h = 1e-5, c = cos(1), s = sin(1);
    Recording run = run_rattle(&painleve_rod, 0, h, 1e-2);
    assert_true(run.totals.wedged > 0);
    assert_near(percussion(&run, 1, 0), 3 * s * c / 4, 100 * h);
    assert_near(percussion(&run, 1, 2), (1 + 3 * c * c) / 4, 100 * h);
    for (size_t step = 1; step < run.count; step++) {
        RecordedState state = recording_state(&run, step);
        assert_near(state.v[X] + sin(state.q[PHI]) / 2 * state.v[PHI], 0, 1e-10);
    }
    recording_free(&run);
}

/* gap'' = lambda (1 + 3 c (c - mu s)) - g = 0 at the start. */
static void rod_slides_below_the_critical_friction(void** unused) {
    (void)unused;
    const double h = 1e-5, c = cos(1), s = sin(1), mu = 1.2;
    Recording run = run_rattle(&painleve_rod, 1, h, 1e-2);
    double force = 9.81 / (1 + 3 * c * (c - mu * s));
    assert_int_equal(run.totals.wedged, 0);
    assert_near(recording_state(&run, 2).lambda[0], force, 1e-2 * force);
    for (size_t step = 1; step < run.count; step++)
        assert_near(recording_state(&run, step).lambda[2],
                    mu * recording_state(&run, step).lambda[0], 1e-8 * force);
    recording_free(&run);
}

/* Cam ------------------------------------------------------------------------------------------ */

/* cam002.A_on_cam.358rpm, by exact events. The third impact is slow against the cam, so that its
 * time magnifies what the first two have missed. */
static void follower_leaves_the_cam_and_hits_it(void** unused) {
    (void)unused;
    static const struct {
        double t, u, v_before, v_after, times;
    } impacts[] = {
        {0.09285509542462306, 0.1, -12.530321208403882, 10.024256966723106, 1},
        {0.16540263160875712, 0.1, -10.024256966723108, 8.019405573378487, 1},
        {0.20179640961423553, 0.25393320723821006, -0.68361901087088, 0.5468952086967039, 20}};
    const double h = 1e-5;
    Recording run = run_rattle(&cam_follower, 0, h, 0.203);
    size_t step = 1;
    while (recording_state(&run, step).lambda[0] > 0) step++;
    assert_near(recording_state(&run, step).t, 0.028016467176516922, h);
    for (int k = 0; k < 3; k++) {
        step = next_push(&run, 0, step + 1);
        RecordedState before = recording_state(&run, step - 1), after = recording_state(&run, step);
        double times = impacts[k].times;
        assert_near(after.t, impacts[k].t, times * h);
        assert_near(after.q[0], impacts[k].u, 1e-9);
        assert_near(before.v[0], impacts[k].v_before, 500 * times * h);
        assert_near(after.v[0], impacts[k].v_after, 500 * times * h);
    }
    recording_free(&run);
}

/* cam002.liftoff_rpm = 114.98. */
static void follower_stays_on_a_slow_cam(void** unused) {
    (void)unused;
    for (int fast = 0; fast < 2; fast++) {
        Program slow_cam = cam_follower;
        slow_cam.options[0].value = fast ? 116 : 114;
        Recording run = run_rattle(&slow_cam, 0, 1e-4, 60. / 100);
        size_t step = 1;
        while (step < run.count && recording_state(&run, step).lambda[0] > 0) step++;
        assert_int_equal(step < run.count, fast);
        recording_free(&run);
    }
}

static void moreau_jean_throws_the_follower_off_at_the_same_time(void** unused) {
    (void)unused;
    Recording run = run_scheme("moreau", &cam_follower, 0, 1e-5, 0.1);
    size_t step = 1;
    while (recording_state(&run, step).lambda[0] > 0) step++;
    assert_near(recording_state(&run, step).t, 0.028016467176516922, 2e-5);
    step = next_push(&run, 0, step + 1);
    assert_near(recording_state(&run, step).t, 0.09285509542462306, 3e-5);
    assert_near(recording_state(&run, step).v[0], 10.024256966723106, 1e-2);
    recording_free(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_bounces_step_by_step_as_the_independent_scheme),
        cmocka_unit_test(ball_passes_the_accumulation_of_its_bounces),
        cmocka_unit_test(ball_hits_at_the_exact_times_when_steps_are_short),
        cmocka_unit_test(sliding_ball_rolls_step_by_step_as_the_independent_scheme),
        cmocka_unit_test(sliding_ball_approaches_the_exact_motion),
        cmocka_unit_test(slowly_spinning_ball_rolls_from_the_impact_on),
        cmocka_unit_test(slider_hits_its_slot_as_the_independent_scheme),
        cmocka_unit_test(redundant_hinges_stay_closed_through_all_impacts),
        cmocka_unit_test(mass_on_slope_sticks_where_it_should),
        cmocka_unit_test(mass_falls_on_the_slope_and_slides_on),
        cmocka_unit_test(tippedisk_turns_over),
        cmocka_unit_test(midpoint_rule_turns_the_tippedisk_over_to_second_order),
        cmocka_unit_test(rod_jams_above_the_critical_friction),
        cmocka_unit_test(rod_slides_below_the_critical_friction),
        cmocka_unit_test(follower_leaves_the_cam_and_hits_it),
        cmocka_unit_test(follower_stays_on_a_slow_cam),
        cmocka_unit_test(moreau_jean_throws_the_follower_off_at_the_same_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
