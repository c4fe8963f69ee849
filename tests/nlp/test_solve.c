/* Ipopt and the crossover together solve a program with a pair to round-off, and say why not. */
#include "tests/support.h"

#include <string.h>
#include "nlp/nlp.h"
#include "tests/nlp/pair_program.h"

typedef struct Solution {
    double x[2], y[1], z[2];
    FpNlpReport report;
    FpStatus status;
} Solution;

static Solution solve(const FpNlp* nlp, const FpNlpOptions* options) {
    Solution s = {.x = {3, 0.5}};
    FpNlpPoint point = {s.x, s.y, s.z};
    FpNlpSolver* solver = fp_nlp_solver_create("auto");
    s.status = fp_nlp_solve(solver, nlp, options, &point, &s.report);
    fp_nlp_solver_destroy(solver);
    return s;
}

static void pair_is_solved_to_round_off(void** unused) {
    (void)unused;
    FpNlp nlp = pair_program();
    FpNlpOptions options = {0};
    Solution s = solve(&nlp, &options);
    assert_int_equal(s.status, FREEPLAY_OK);
    assert_near(s.x[0], 2, 1e-14);
    assert_near(s.x[1], 1, 1e-14);
    assert_true(s.report.certificate.worst <= 1e-12);
    assert_string_equal(s.report.solver, "ipopt");
}

static bool no_objective(void* context, const double* x, double* f) {
    (void)context, (void)x, (void)f;
    return false;
}

static void functions_that_fail_are_reported(void** unused) {
    (void)unused;
    FpNlp nlp = pair_program();
    nlp.objective = no_objective;
    FpNlpOptions options = {0};
    assert_int_not_equal(solve(&nlp, &options).status, FREEPLAY_OK);
}

static void contradiction_is_infeasible(void** unused) {
    (void)unused;
    FpNlp nlp = pair_program();
    const double x_upper[2] = {1, FREEPLAY_NO_BOUND};
    nlp.x_upper = x_upper; /* x0 <= 1 and x0 >= 2 */
    FpNlpOptions options = {0};
    assert_int_equal(solve(&nlp, &options).status, FREEPLAY_INFEASIBLE);
}

static bool always(void* context) {
    (void)context;
    return true;
}

static void solve_can_be_cancelled(void** unused) {
    (void)unused;
    FpNlp nlp = pair_program();
    FpNlpOptions options = {.cancel = always};
    assert_int_equal(solve(&nlp, &options).status, FREEPLAY_CANCELLED);
}

static void unknown_solver_is_refused(void** unused) {
    (void)unused;
    assert_null(fp_nlp_solver_create("magic"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pair_is_solved_to_round_off),
        cmocka_unit_test(functions_that_fail_are_reported),
        cmocka_unit_test(contradiction_is_infeasible),
        cmocka_unit_test(solve_can_be_cancelled),
        cmocka_unit_test(unknown_solver_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
