/* Errors of the scheme on mass_on_slope over the step size, as in Breuling et al. 2024,
 * section 5.3: against a run with h = 5e-5 s, by the norm ||f - f'|| = h sum_i |f_i - f'_i|, the
 * larger one of the components. */
#ifndef FREEPLAY_BENCH_SLOPE_ORDERS_H
#define FREEPLAY_BENCH_SLOPE_ORDERS_H

#include <freeplay.h>

enum { SLOPE_CASES = 4, SLOPE_SIZES = 8 };

typedef enum SlopeError {
    SLOPE_Q,
    SLOPE_U,
    /* Percussions of one step of each run, as the paper has it: of first order by construction,
     * since the steps of the reference are shorter. */
    SLOPE_DPN,
    SLOPE_DPF,
    /* Percussions over equal intervals, those of the reference added up; without the factor h,
     * which makes it the norm of the mean forces. */
    SLOPE_DPN_EQUAL,
    SLOPE_DPF_EQUAL,
    SLOPE_ERRORS
} SlopeError;
extern const char* const slope_error_names[SLOPE_ERRORS];

typedef struct SlopeErrors {
    double h, of[SLOPE_ERRORS];
} SlopeErrors;

/* Case `number` from 0, with the `count` largest of h = 2e-4 * 2^k, the largest first. False with a
 * message when a step fails. */
bool slope_errors(int number, const char* scheme, int count, SlopeErrors* errors,
                  FpMessage* message);
/* The slope of the straight line through the errors, all logarithmic. */
double slope_order(const SlopeErrors* errors, int count, SlopeError which);

#endif
