/* min (x0 - 1)^2 + (x1 - 1)^2  s.t.  0 <= x1 _|_ x0 - 2 >= 0; solution (2, 1) with y = -2. */
#ifndef FREEPLAY_TESTS_PAIR_PROGRAM_H
#define FREEPLAY_TESTS_PAIR_PROGRAM_H

#include "nlp/nlp.h"

static inline bool pair_objective(void* context, const double* x, double* f) {
    (void)context;
    *f = (x[0] - 1) * (x[0] - 1) + (x[1] - 1) * (x[1] - 1);
    return true;
}
static inline bool pair_gradient(void* context, const double* x, double* g) {
    (void)context;
    g[0] = 2 * (x[0] - 1);
    g[1] = 2 * (x[1] - 1);
    return true;
}
static inline bool pair_wrong_gradient(void* context, const double* x, double* g) {
    pair_gradient(context, x, g);
    g[1] *= 1.1;
    return true;
}
static inline bool pair_constraints(void* context, const double* x, double* g) {
    (void)context;
    g[0] = x[0] - 2;
    return true;
}
static inline bool pair_jacobian(void* context, const double* x, FpTriplets* J) {
    (void)context, (void)x;
    fp_triplets_add(J, 0, 0, 1);
    return true;
}
static inline bool pair_hessian(void* context, const double* x, double weight, const double* y,
                                FpTriplets* H) {
    (void)context, (void)x, (void)y;
    fp_triplets_add(H, 0, 0, 2 * weight);
    fp_triplets_add(H, 1, 1, 2 * weight);
    return true;
}

static inline FpNlp pair_program(void) {
    static const double x_lower[2] = {-FREEPLAY_NO_BOUND, 0};
    static const double x_upper[2] = {FREEPLAY_NO_BOUND, FREEPLAY_NO_BOUND};
    static const double g_lower[1] = {0}, g_upper[1] = {FREEPLAY_NO_BOUND};
    static const double ones[2] = {1, 1};
    static const FpNlpPair pairs[1] = {{1, 0}};
    return (FpNlp){.n = 2,
                   .m = 1,
                   .x_lower = x_lower,
                   .x_upper = x_upper,
                   .g_lower = g_lower,
                   .g_upper = g_upper,
                   .pair_count = 1,
                   .pairs = pairs,
                   .x_scale = ones,
                   .g_scale = ones,
                   .f_scale = 1,
                   .g_unit = ones,
                   .pair_unit = 1,
                   .objective = pair_objective,
                   .gradient = pair_gradient,
                   .constraints = pair_constraints,
                   .jacobian = pair_jacobian,
                   .hessian = pair_hessian};
}

#endif
