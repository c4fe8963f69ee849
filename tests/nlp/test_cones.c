/* Programs with friction cones: closed forms, and Ipopt against the structured solver, which share
 * nothing but the program and its certificate. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "nlp/cone_equations.h"
#include "nlp/cone_program.h"
#include "nlp/derivatives.h"
#include "tests/nlp/contact_program.h"
#include "tests/support.h"

typedef struct Answer {
    FpStatus status;
    FpNlpReport report;
    double x[CONTACT_N], y[CONTACT_N], z[CONTACT_N];
} Answer;

/* From the free motion without forces. */
static Answer solve(const ContactProgram* p, const char* name) {
    Answer answer = {0};
    FpNlpSolver* solver = fp_nlp_solver_create(name);
    assert_non_null(solver);
    const FpNlpOptions options = {.cold_start = true};
    FpNlpPoint point = {answer.x, answer.y, answer.z};
    memcpy(answer.x, p->v_free, sizeof p->v_free);
    answer.status = fp_nlp_solve(solver, &p->nlp, &options, &point, &answer.report);
    fp_nlp_solver_destroy(solver);
    return answer;
}

/* Both solvers must give these velocities, with a certificate. */
static void expect_motion(const ContactProgram* p, const double* v) {
    const char* const names[] = {"structured", "ipopt"};
    for (int k = 0; k < 2; k++) {
        Answer answer = solve(p, names[k]);
        assert_int_equal(answer.status, FREEPLAY_OK);
        assert_true(answer.report.certificate.worst <= 1e-9);
        for (int j = 0; j < p->v_count; j++) assert_near(answer.x[j], v[j], 1e-10);
    }
}

/* A block of 2 kg that would have the velocity v (along, into the plane) after a step of 0.1 s. */
static ContactProgram block_on_plane(double along, double into, double friction) {
    ContactProgram p = {.v_count = 2, .contacts = 1, .h = 0.1, .mass = {2, 2}};
    p.v_free[0] = along;
    p.v_free[1] = -into;
    p.slips[0] = 1;
    p.friction[0] = friction;
    p.W[0][1] = 1;
    p.W[1][0] = 1;
    return p;
}

static void block_sticks_while_the_slope_is_less_than_friction(void** unused) {
    (void)unused;
    ContactProgram p = block_on_plane(0.29, 1, 0.3);
    contact_program_pose(&p);
    const double rests[] = {0, 0};
    expect_motion(&p, rests);
}

/* What is left is along - mu into. */
static void block_slides_on_a_steeper_slope(void** unused) {
    (void)unused;
    for (int side = -1; side <= 1; side += 2) {
        ContactProgram p = block_on_plane(side * 0.5, 1, 0.3);
        contact_program_pose(&p);
        const double slides[] = {side * 0.2, 0};
        expect_motion(&p, slides);
    }
}

static void block_that_lifts_off_has_no_friction(void** unused) {
    (void)unused;
    ContactProgram p = block_on_plane(0.5, -1, 0.3);
    contact_program_pose(&p);
    const double flies[] = {0.5, 1};
    expect_motion(&p, flies);
}

/* Two contacts say the same: forces are not unique, the motion is. */
static void contacts_that_repeat_each_other_brake_once(void** unused) {
    (void)unused;
    ContactProgram p = block_on_plane(0.5, 1, 0.3);
    p.contacts = 2;
    p.slips[1] = 1;
    p.friction[1] = 0.3;
    memset(p.W, 0, sizeof p.W);
    p.W[0][1] = p.W[1][1] = p.W[2][0] = p.W[3][0] = 1;
    contact_program_pose(&p);
    const double slides[] = {0.2, 0};
    expect_motion(&p, slides);
}

/* A particle on a floor: friction is against the velocity, whose direction it keeps. */
static void friction_of_a_disc_is_against_the_slip(void** unused) {
    (void)unused;
    ContactProgram p = {.v_count = 3, .contacts = 1, .h = 0.1, .mass = {2, 2, 2}};
    const double v[] = {0.6, -0.8, -1};
    memcpy(p.v_free, v, sizeof v);
    p.slips[0] = 2;
    p.friction[0] = 0.4;
    p.W[0][2] = p.W[1][0] = p.W[2][1] = 1;
    contact_program_pose(&p);
    const double slides[] = {0.36, -0.48, 0};
    expect_motion(&p, slides);
}

/* The third component is a spin w with rho w as slip: with M_3 = m rho^2 as inertia it slows down
 * like the others. */
static void drilling_takes_its_share_of_friction(void** unused) {
    (void)unused;
    const double m = 2, rho = 0.5;
    ContactProgram p = {.v_count = 4, .contacts = 1, .h = 0.1, .mass = {m, m, m, m * rho * rho}};
    const double v[] = {0.6, 0, -1, 1.6};
    memcpy(p.v_free, v, sizeof v);
    p.slips[0] = 3;
    p.friction[0] = 0.4;
    p.W[0][2] = p.W[1][0] = p.W[2][1] = 1;
    p.W[3][3] = rho;
    contact_program_pose(&p);
    const double slides[] = {0.36, 0, 0, 0.96};
    expect_motion(&p, slides);
}

/* The slip is given and the law goes on from forces of before: lambda_N is 20, of which 15 are new,
 * and their friction, 0.3 times 15, is against the slip, which does not depend on the velocity. */
static void law_goes_on_from_given_forces(void** unused) {
    (void)unused;
    const double before[] = {5, -1};
    ContactProgram p = block_on_plane(0.1, 1, 0.3);
    p.before[0] = before;
    p.W[1][0] = 0;
    p.gap[1] = 0.2;
    contact_program_pose(&p);
    for (int k = 0; k < 2; k++) {
        Answer answer = solve(&p, k ? "ipopt" : "structured");
        assert_int_equal(answer.status, FREEPLAY_OK);
        assert_near(answer.x[2], 20, 1e-9);
        assert_near(answer.x[3], -1 - 0.3 * 15, 1e-9);
    }
}

/* Deterministic numbers between -1 and 1. */
static double draw(unsigned long long* state) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

/* Up to 4 contacts of 6 velocities, half of them open, with friction that leaves no doubt. */
static ContactProgram random_contacts(unsigned long long seed) {
    unsigned long long state = seed * 7919 + 12345;
    ContactProgram p = {.v_count = CONTACT_V, .h = 0.5};
    p.contacts = 1 + (int)(seed % CONTACT_LIMIT);
    int rows = p.contacts;
    for (int k = 0; k < p.contacts; k++) {
        p.slips[k] = p.contacts < 3 ? 1 + (int)((seed / 3 + (unsigned)k) % 3) : 1;
        p.friction[k] = 0.1 + 0.1 * fabs(draw(&state));
        p.gap[k] = fmax(0, 0.5 * draw(&state));
        rows += p.slips[k];
    }
    for (int j = 0; j < p.v_count; j++) {
        p.mass[j] = 1.5 + draw(&state);
        p.v_free[j] = draw(&state);
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < p.v_count; j++) p.W[i][j] = (i % p.v_count == j) + 0.2 * draw(&state);
    return p;
}

static void both_solvers_find_the_same_motion(void** unused) {
    (void)unused;
    int first = 0, iterations = 0;
    const int count = 60;
    for (int seed = 0; seed < count; seed++) {
        ContactProgram p = random_contacts((unsigned long long)seed);
        contact_program_pose(&p);
        Answer fast = solve(&p, "structured"), judge = solve(&p, "ipopt");
        assert_int_equal(fast.status, FREEPLAY_OK);
        assert_int_equal(judge.status, FREEPLAY_OK);
        for (int j = 0; j < p.v_count; j++)
            if (!(fabs(fast.x[j] - judge.x[j]) <= 1e-8))
                fail_msg("seed %d: v[%d] is %.15g, by Ipopt %.15g", seed, j, fast.x[j], judge.x[j]);
        first += judge.report.retries == 0;
        iterations += judge.report.iterations;
    }
    print_message("%d of %d programs at the first attempt, %.1f iterations each\n", first, count,
                  (double)iterations / count);
    assert_true(first >= count * 95 / 100);
}

static void derivatives_match_differences(void** unused) {
    (void)unused;
    const double before[] = {0.3, 0.1, -0.2, 0.05};
    FpConeProgram* cones = fp_cone_program_create();
    assert_non_null(cones);
    for (int seed = 0; seed < 12; seed++) {
        unsigned long long state = (unsigned)seed + 99;
        ContactProgram p = random_contacts((unsigned long long)seed);
        if (seed % 2) p.before[0] = before;
        contact_program_pose(&p);
        p.nlp.determined = seed % 3 == 0;
        double x[2 * CONTACT_N], y[2 * CONTACT_N];
        for (int j = 0; j < 2 * CONTACT_N; j++) {
            x[j] = 1 + 0.5 * draw(&state);
            y[j] = draw(&state);
        }
        const FpNlp* smooth;
        FpNlpPoint* start;
        assert_int_equal(fp_cone_program_pose(cones, &p.nlp, 2, x, &smooth, &start), FREEPLAY_OK);
        FpDerivativeErrors errors;
        assert_int_equal(fp_nlp_check_derivatives(smooth, x, y, 1e-5, &errors), FREEPLAY_OK);
        assert_true(errors.gradient < 1e-7);
        assert_true(errors.jacobian < 1e-7);
        assert_true(errors.hessian < 1e-7);
    }
    fp_cone_program_destroy(cones);
}

/* The laws as equations, at sticking and at sliding points, row by row. */
static void equations_have_their_jacobian(void** unused) {
    (void)unused;
    const double before[] = {0.3, 0.1, -0.2, 0.05}, step = 1e-6;
    FpConeEquations* equations = fp_cone_equations_create();
    assert_non_null(equations);
    FpTriplets J = {0};
    for (int seed = 0; seed < 40; seed++) {
        unsigned long long state = (unsigned)seed + 5;
        ContactProgram p = random_contacts((unsigned long long)seed);
        if (seed % 4 == 1) {
            p.before[0] = before;
            for (int i = p.contacts; i < p.contacts + p.slips[0]; i++) {
                memset(p.W[i], 0, sizeof p.W[i]);
                p.gap[i] = 0.3;
            }
        }
        contact_program_pose(&p);
        const FpNlp* nlp = fp_cone_equations_pose(equations, &p.nlp);
        assert_non_null(nlp);
        double x[CONTACT_N], dense[CONTACT_N][CONTACT_N] = {{0}};
        for (int j = 0; j < CONTACT_N; j++) x[j] = (seed % 2 ? 1 : 0.05) * (1 + 0.5 * draw(&state));
        for (int k = 0; k < p.contacts; k++) x[p.v_count + k] = 2;
        fp_triplets_record(&J);
        assert_true(nlp->jacobian(nlp->context, x, &J));
        for (int e = 0; e < J.count; e++) dense[J.row[e]][J.col[e]] += J.value[e];
        for (int j = 0; j < nlp->n; j++) {
            double ahead[CONTACT_N], behind[CONTACT_N], keep = x[j];
            x[j] = keep + step;
            assert_true(nlp->constraints(nlp->context, x, ahead));
            x[j] = keep - step;
            assert_true(nlp->constraints(nlp->context, x, behind));
            x[j] = keep;
            for (int i = 0; i < nlp->m; i++)
                assert_near(dense[i][j], (ahead[i] - behind[i]) / (2 * step), 1e-7);
        }
    }
    fp_triplets_free(&J);
    fp_cone_equations_destroy(equations);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_sticks_while_the_slope_is_less_than_friction),
        cmocka_unit_test(block_slides_on_a_steeper_slope),
        cmocka_unit_test(block_that_lifts_off_has_no_friction),
        cmocka_unit_test(contacts_that_repeat_each_other_brake_once),
        cmocka_unit_test(friction_of_a_disc_is_against_the_slip),
        cmocka_unit_test(drilling_takes_its_share_of_friction),
        cmocka_unit_test(law_goes_on_from_given_forces),
        cmocka_unit_test(both_solvers_find_the_same_motion),
        cmocka_unit_test(derivatives_match_differences),
        cmocka_unit_test(equations_have_their_jacobian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
