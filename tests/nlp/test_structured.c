/* The structured solver on random programs: what it certifies is the optimum, and where it cannot
 * solve it says so. */
#include "tests/support.h"

#include <math.h>
#include "bench/random_program.h"
#include "nlp/derivatives.h"

#define PROGRAMS 110 /* of each of the ten families */

static RandomProgram* create(RandomFamily family, uint64_t seed) {
    RandomProgram* p = random_program_create(family, seed);
    assert_non_null(p);
    return p;
}

/* Of a certified answer: finite, and complementary by what the answer's forces do, computed apart
 * from solver and certificate. Both limits are fractions of the program's own magnitudes. */
static void assert_solved(const RandomProgram* p, const RandomAnswer* answer) {
    for (int j = 0; j < p->nlp.n; j++) assert_true(isfinite(answer->x[j]));
    assert_true(answer->report.certificate.worst <= FREEPLAY_CERTIFICATE_LIMIT);
    assert_true(answer->violation <= 1e-8);
}

static void certified_answers_are_the_optimum_that_ipopt_finds(void** unused) {
    (void)unused;
    int declined = 0, compared = 0;
    for (int family = 0; family < RANDOM_FAMILY_COUNT; family++)
        for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
            RandomProgram* p = create(family, seed);
            RandomAnswer ours = random_program_solve(p, "structured");
            RandomAnswer ipopt = random_program_solve(p, "ipopt");
            if (ours.status) declined++;
            if (!ours.status) assert_solved(p, &ours);
            if (!ours.status && !ipopt.status) {
                double difference =
                    random_program_difference(p, ours.report.objective, ipopt.report.objective);
                if (fabs(difference) > 1e-8)
                    print_message("%s, seed %d\n", random_family_names[family], (int)seed);
                assert_near(difference, 0, 1e-8);
                compared++;
            }
            random_program_destroy(p);
        }
    /* Measured by freeplay_campaign: it declines 1 in 1000, Ipopt 5 in 1000. */
    assert_true(declined <= PROGRAMS * RANDOM_FAMILY_COUNT / 200);
    assert_true(compared >= PROGRAMS * RANDOM_FAMILY_COUNT * 98 / 100);
}

static void contradictions_are_refused(void** unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        RandomProgram* p = create(RANDOM_INFEASIBLE, seed);
        RandomAnswer answer = random_program_solve(p, "structured");
        assert_int_equal(answer.status, FREEPLAY_INFEASIBLE);
        random_program_destroy(p);
    }
}

static void same_seed_gives_the_same_bits(void** unused) {
    (void)unused;
    for (int family = 0; family < RANDOM_FAMILY_COUNT; family++) {
        RandomProgram *p = create(family, 7), *q = create(family, 7);
        RandomAnswer a = random_program_solve(p, "structured");
        RandomAnswer b = random_program_solve(q, "structured");
        assert_int_equal(a.status, b.status);
        assert_memory_equal(a.x, b.x, sizeof a.x);
        assert_memory_equal(a.y, b.y, sizeof a.y);
        assert_memory_equal(a.z, b.z, sizeof a.z);
        random_program_destroy(p);
        random_program_destroy(q);
    }
}

/* One solver for all steps of a run: what it keeps from one program does not change the next. */
static void solver_can_be_used_again(void** unused) {
    (void)unused;
    RandomProgram* p = create(RANDOM_REDUNDANT, 11);
    RandomAnswer once = random_program_solve(p, "structured"), again = {.status = FREEPLAY_OK};
    FpNlpSolver* solver = fp_nlp_solver_create("structured");
    const FpNlpOptions options = {0};
    FpNlpPoint point = {again.x, again.y, again.z};
    for (int k = 0; k < 3; k++) {
        random_program_start(p, again.x);
        again.status = fp_nlp_solve(solver, &p->nlp, &options, &point, &again.report);
        assert_int_equal(again.status, FREEPLAY_OK);
        assert_memory_equal(again.x, once.x, sizeof once.x);
    }
    fp_nlp_solver_destroy(solver);
    random_program_destroy(p);
}

/* With h free, too: the programs themselves are right. */
static void derivatives_match_differences(void** unused) {
    (void)unused;
    for (int family = 0; family < RANDOM_FAMILY_COUNT; family++) {
        RandomProgram* p = create(family, 5);
        p->h_lower = 0.1 * p->h_upper;
        random_program_pose(p);
        assert_true(p->nlp.x_lower[0] < p->nlp.x_upper[0]);
        RandomAnswer answer = {.status = FREEPLAY_OK};
        for (int j = 0; j < p->nlp.n; j++) answer.x[j] = (1 + 0.1 * j) * p->x_scale[j];
        for (int i = 0; i < p->nlp.m; i++)
            answer.y[i] = (1 - 0.1 * i) * p->nlp.f_scale / p->g_scale[i];
        FpDerivativeErrors errors;
        FpStatus status = fp_nlp_check_derivatives(&p->nlp, answer.x, answer.y, 1e-4, &errors);
        assert_int_equal(status, FREEPLAY_OK);
        assert_near(errors.gradient, 0, 1e-7);
        assert_near(errors.jacobian, 0, 1e-7);
        assert_near(errors.hessian, 0, 1e-7);
        random_program_destroy(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(certified_answers_are_the_optimum_that_ipopt_finds),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(same_seed_gives_the_same_bits),
        cmocka_unit_test(solver_can_be_used_again),
        cmocka_unit_test(derivatives_match_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
