/* The certificate accepts the solution of a small program and nothing else. */
#include "tests/support.h"

#include <math.h>
#include "nlp/derivatives.h"
#include "nlp/nlp.h"
#include "tests/nlp/pair_program.h"

static FpCertificate certify(const double x[2], const double y[1], const double z[2]) {
    FpNlp nlp = pair_program();
    double xs[2] = {x[0], x[1]}, ys[1] = {y[0]}, zs[2] = {z[0], z[1]};
    FpNlpPoint point = {xs, ys, zs};
    FpCertificate certificate;
    assert_int_equal(fp_nlp_certify(&nlp, &point, &certificate), FREEPLAY_OK);
    return certificate;
}

static void solution_is_accepted(void** unused) {
    (void)unused;
    FpCertificate c = certify((double[]){2, 1}, (double[]){-2}, (double[]){0, 0});
    assert_true(c.worst <= 1e-15);
}

static void each_kind_of_error_is_seen(void** unused) {
    (void)unused;
    /* x0 - 2 < 0: outside. */
    assert_near(certify((double[]){1, 1}, (double[]){-2}, (double[]){0, 0}).primal, 1, 1e-12);
    /* x0 = 3 leaves a gap that pushes. */
    assert_near(certify((double[]){3, 1}, (double[]){-2}, (double[]){0, 0}).complementarity, 1,
                1e-12);
    /* Another multiplier is not stationary. */
    assert_true(certify((double[]){2, 1}, (double[]){-1}, (double[]){0, 0}).stationarity > 0.1);
    assert_true(isinf(certify((double[]){NAN, 1}, (double[]){-2}, (double[]){0, 0}).worst));
}

static void derivative_checker_finds_a_wrong_gradient(void** unused) {
    (void)unused;
    FpNlp nlp = pair_program();
    const double x[2] = {1.3, 0.4}, y[1] = {0.7};
    FpDerivativeErrors errors;
    assert_int_equal(fp_nlp_check_derivatives(&nlp, x, y, 1e-5, &errors), FREEPLAY_OK);
    assert_true(errors.gradient < 1e-8 && errors.jacobian < 1e-8 && errors.hessian < 1e-8);
    nlp.gradient = pair_wrong_gradient;
    assert_int_equal(fp_nlp_check_derivatives(&nlp, x, y, 1e-5, &errors), FREEPLAY_OK);
    assert_true(errors.gradient > 1e-2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solution_is_accepted),
        cmocka_unit_test(each_kind_of_error_is_seen),
        cmocka_unit_test(derivative_checker_finds_a_wrong_gradient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
