/* Sparse systems A x = b and A^T x = b that are nearly symmetric and positive definite, such as
 * A = D M^-1 W of many rows. */
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
/* Room for the values of A, all 0: for entry e = (i, j) of that triangle A_ij belongs at lower[e]
 * and A_ji at upper[e], the same place on the diagonal. */
double* fp_unsymmetric_entries(FpUnsymmetric* s, const int** lower, const int** upper);
/* Replaces the values by their factors. FREEPLAY_NOT_CONVERGED if a row repeats others
 * (nlp/linsys.h). */
FpStatus fp_unsymmetric_factor(FpUnsymmetric* s);
/* b becomes x. */
FpStatus fp_unsymmetric_solve(FpUnsymmetric* s, bool transposed, double* b);

#endif
