/* Sparse unsymmetric systems A x = b and A^T x = b by KLU, such as A = D M^-1 W of many rows. */
#ifndef FREEPLAY_NLP_UNSYMMETRIC_H
#define FREEPLAY_NLP_UNSYMMETRIC_H

#include <stdbool.h>
#include "nlp/status.h"

typedef struct FpUnsymmetric FpUnsymmetric;

/* NULL if out of memory. Each thread needs its own. */
FpUnsymmetric* fp_unsymmetric_create(void);
void fp_unsymmetric_destroy(FpUnsymmetric* s);

/* Takes the pattern of A: the entries (i, j) and (j, i) for every entry of the lower triangle of a
 * symmetric matrix (nlp/linsys.h), and orders it. */
FpStatus fp_unsymmetric_analyze(FpUnsymmetric* s, int n, const int* start, const int* row);
/* For every entry (i, j) of that triangle lower is A_ij, upper A_ji (the same on the diagonal).
 * FREEPLAY_NOT_CONVERGED if A is singular. */
FpStatus fp_unsymmetric_factor(FpUnsymmetric* s, const double* lower, const double* upper);
/* b becomes x. */
FpStatus fp_unsymmetric_solve(FpUnsymmetric* s, bool transposed, double* b);

#endif
