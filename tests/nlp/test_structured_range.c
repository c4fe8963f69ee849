/* Steps of variable length: what the structured solver certifies, against a scan over h. */
#include "tests/support.h"

#include <math.h>
#include "bench/random_program.h"

#define PROGRAMS 400 /* of each family */
#define SCAN     30  /* steps of the scan over 1/h */

static const RandomFamily families[] = {RANDOM_GENERIC, RANDOM_DEGENERATE, RANDOM_REDUNDANT,
                                        RANDOM_BILATERAL, RANDOM_OPEN};
enum { FAMILIES = sizeof families / sizeof families[0] };

/* The program with h between a fifth of its step and that. */
static RandomProgram* create_range(RandomFamily family, uint64_t seed) {
    RandomProgram* p = random_program_create(family, seed);
    assert_non_null(p);
    p->h_lower = p->h_upper / 5;
    random_program_pose(p);
    return p;
}

static double objective_at(RandomProgram* p, double h, FpStatus* status) {
    double lower = p->h_lower, upper = p->h_upper;
    p->h_lower = p->h_upper = h;
    random_program_pose(p);
    RandomAnswer answer = random_program_solve(p, "structured");
    p->h_lower = lower;
    p->h_upper = upper;
    random_program_pose(p);
    *status = answer.status;
    return answer.report.objective;
}

/* No h of the scan is better, none that is larger as good. */
static void check_against_scan(RandomProgram* p, const RandomAnswer* answer) {
    double J = answer->report.objective, s_lower = 1 / p->h_upper, s_upper = 1 / p->h_lower;
    for (int k = 0; k <= SCAN; k++) {
        double h = 1 / (s_lower + (s_upper - s_lower) * k / SCAN);
        FpStatus status;
        double other = objective_at(p, fmin(fmax(h, p->h_lower), p->h_upper), &status);
        if (status) continue;
        double unit = fmax(random_program_unit(p, h), random_program_unit(p, answer->x[0]));
        if (other < J - 1e-8 * unit)
            fail_msg("%s, seed %d: J %.12g at h %.12g, but %.12g at %.12g",
                     random_family_names[p->family], (int)p->seed, J, answer->x[0], other, h);
        if (J == 0 && other == 0 && h > answer->x[0] * (1 + 1e-9))
            fail_msg("%s, seed %d: nothing pushes at h %.12g, nor at %.12g",
                     random_family_names[p->family], (int)p->seed, answer->x[0], h);
    }
}

static void no_step_of_a_scan_is_better(void** unused) {
    (void)unused;
    int declined = 0, inside = 0;
    for (int k = 0; k < FAMILIES; k++)
        for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
            RandomProgram* p = create_range(families[k], seed);
            RandomAnswer answer = random_program_solve(p, "structured");
            /* Shorter steps than the one that it was made for may have no solution. */
            declined += answer.status && answer.status != FREEPLAY_INFEASIBLE;
            inside += !answer.status && answer.x[0] > p->h_lower && answer.x[0] < p->h_upper;
            if (!answer.status) check_against_scan(p, &answer);
            random_program_destroy(p);
        }
    assert_true(declined <= FAMILIES * PROGRAMS / 50);
    assert_true(inside > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_step_of_a_scan_is_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
