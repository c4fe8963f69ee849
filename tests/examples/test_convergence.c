/* Orders of convergence on mass_on_slope: facts slope.*, computed by another code with the paper's
 * eight step sizes and its reference. */
#include <math.h>
#include "tests/support.h"
#include "bench/slope_orders.h"

static SlopeErrors errors[SLOPE_CASES][SLOPE_SIZES];

static int run_all(void** unused) {
    (void)unused;
    FpMessage message = {0};
    for (int number = 0; number < SLOPE_CASES; number++)
        if (!slope_errors(number, "rattle", SLOPE_SIZES, errors[number], &message)) {
            print_error("%s\n", message.text);
            return -1;
        }
    return 0;
}

static double order(int number, SlopeError which) {
    return slope_order(errors[number], SLOPE_SIZES, which);
}

/* slope.e_u_dt1.28e-2 */
static void velocity_errors_are_those_of_the_independent_scheme(void** unused) {
    (void)unused;
    static const double e_u[] = {0.0002284, 0.0002247, 0.01987, 0.001369};
    for (int number = 0; number < SLOPE_CASES; number++) {
        assert_near(errors[number][1].h, 1.28e-2, 1e-15);
        assert_near(errors[number][1].of[SLOPE_U], e_u[number], 1e-3 * e_u[number]);
    }
}

/* convergence_slope_case1.csv, first, fourth and last row. That code solves to 1e-12, which adds up
 * in percussions over equal intervals of 65536 steps. */
static void all_errors_of_case_1_are_those_of_the_independent_scheme(void** unused) {
    (void)unused;
    static const struct {
        int size;
        double of[SLOPE_ERRORS];
    } rows[] = {{0,
                 {4.1269903808e-04, 9.1071482559e-04, 2.6071698776e+00, 5.5330557623e-01,
                  1.9534047806e-03, 2.3103712194e-03}},
                {3,
                 {8.9232119211e-06, 1.4306129608e-05, 3.2143158582e-01, 6.8218677260e-02,
                  3.0794979610e-05, 4.0603494552e-05}},
                {7,
                 {2.6409312544e-08, 5.2395483409e-08, 1.5306265789e-02, 3.2485403348e-03,
                  1.3207453989e-07, 1.3753153288e-07}}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        for (int e = 0; e < SLOPE_ERRORS; e++)
            assert_near(errors[0][rows[k].size].of[e], rows[k].of[e],
                        1e-4 * rows[k].of[e] + (e < SLOPE_DPN_EQUAL ? 0 : 65536 * 1e-12));
}

static void sliding_is_of_second_order(void** unused) {
    (void)unused;
    for (int number = 0; number < 2; number++) {
        assert_near(order(number, SLOPE_Q), 2, 0.1);
        assert_near(order(number, SLOPE_U), 2, 0.05);
    }
}

static void reversal_and_impact_are_of_first_order(void** unused) {
    (void)unused;
    for (int number = 2; number < SLOPE_CASES; number++) {
        assert_near(order(number, SLOPE_Q), 1.1, 0.25);
        assert_near(order(number, SLOPE_U), 1.1, 0.25);
    }
}

/* slope.order_fit_e_dPN_paper_definition, slope.order_fit_e_dPN_equal_intervals: the first order of
 * the paper comes from comparing steps of different length. */
static void percussions_over_equal_intervals_are_of_second_order_while_sliding(void** unused) {
    (void)unused;
    static const double paper[] = {1.05, 1.05, 1.05, 1.04}, equal[] = {1.98, 2.01, 1.04, 1.16};
    for (int number = 0; number < SLOPE_CASES; number++) {
        assert_near(order(number, SLOPE_DPN), paper[number], 0.05);
        assert_near(order(number, SLOPE_DPN_EQUAL), equal[number], 0.1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocity_errors_are_those_of_the_independent_scheme),
        cmocka_unit_test(all_errors_of_case_1_are_those_of_the_independent_scheme),
        cmocka_unit_test(sliding_is_of_second_order),
        cmocka_unit_test(reversal_and_impact_are_of_first_order),
        cmocka_unit_test(percussions_over_equal_intervals_are_of_second_order_while_sliding),
    };
    return cmocka_run_group_tests(tests, run_all, NULL);
}
