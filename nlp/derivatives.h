/* Holds the derivatives of a program against differences of its functions. */
#ifndef FREEPLAY_NLP_DERIVATIVES_H
#define FREEPLAY_NLP_DERIVATIVES_H

#include "nlp/nlp.h"

/* Largest errors, as fractions of the largest entry of the column (in the program's scales). */
typedef struct FpDerivativeErrors {
    double gradient, jacobian, hessian;
} FpDerivativeErrors;

/* Central differences at x with steps of `step` times x_scale; y are the multipliers with which
 * the Hessian is checked. Fails if a callback does, or when out of memory. */
FpStatus fp_nlp_check_derivatives(const FpNlp* nlp, const double* x, const double* y, double step,
                                  FpDerivativeErrors* errors);

#endif
