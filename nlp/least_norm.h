/* The least forces that do what given forces do: min |x| s.t. A x = b, x_j >= 0 where asked. */
#ifndef FREEPLAY_NLP_LEAST_NORM_H
#define FREEPLAY_NLP_LEAST_NORM_H

#include <stdbool.h>
#include "nlp/status.h"

typedef struct FpLeastNorm FpLeastNorm;

/* For up to m equations and n unknowns; NULL when out of memory. */
FpLeastNorm* fp_least_norm_create(int m, int n);
void fp_least_norm_destroy(FpLeastNorm* least);

/* Corrections of signs before it gives up: few where another way is open, all it may take. */
#define FREEPLAY_LEAST_NORM_FEW 6
#define FREEPLAY_LEAST_NORM_ALL 0

/* A is m x n, column-major; rank is how many unknowns are determined, n means that there is no
 * choice. Fails, with x undefined, where no solution with these signs is found. */
FpStatus fp_least_norm_solve(FpLeastNorm* least, int m, int n, const double* A, const double* b,
                             const bool* nonnegative, int corrections, double* x, int* rank);

#endif
