/* Symmetric positive semidefinite systems N x = b, such as N = W^T M^-1 W of the active rows of a
 * mechanism: dense where small, sparse where large, singular where rows are redundant.
 *
 * Everything is free of scale. A row is redundant when what the rows before it leave of its
 * diagonal entry is no more than its round-off, so rows may have different units. */
#ifndef FREEPLAY_NLP_LINSYS_H
#define FREEPLAY_NLP_LINSYS_H

#include <stdbool.h>
#include "nlp/status.h"

typedef struct FpLinsys FpLinsys;

typedef enum FpLinsysKind {
    FREEPLAY_LINSYS_AUTO,  /* the fastest of these by size and fill, see bench/results/linsys.csv */
    FREEPLAY_LINSYS_DENSE, /* pivoted; Cholesky by LAPACK unless small or nearly singular */
    FREEPLAY_LINSYS_SPARSE, /* LDL^T in the order of AMD, finds redundant rows by itself */
    FREEPLAY_LINSYS_MUMPS,  /* in the order of METIS; hands (nearly) singular N to SPARSE */
} FpLinsysKind;

/* NULL if out of memory. Each thread needs its own. */
FpLinsys* fp_linsys_create(FpLinsysKind kind);
void fp_linsys_destroy(FpLinsys* s);

/* Factorizes N, given by the lower triangle of its columns: the entries of column j are row[p],
 * value[p], start[j] <= p < start[j + 1], rows ascending. Nothing is kept but the factor.
 * Unless pattern_changed, n, start and row are as in the last call: ordering and analysis are
 * re-used and nothing is allocated (MUMPS does so inside itself).
 * FREEPLAY_NOT_FINITE, or FREEPLAY_INVALID_ARGUMENT if the pattern is none or N has a negative
 * eigenvalue beyond round-off; there is no factor then. */
FpStatus fp_linsys_factor(FpLinsys* s, int n, const int* start, const int* row, const double* value,
                          bool pattern_changed);

/* b becomes x. Where N is singular, b must be consistent and x has the least Euclidean norm, in the
 * variables as they are given, of all solutions; an inconsistent b has its redundant components
 * disregarded. b stays as it was if the status is not FREEPLAY_OK. */
FpStatus fp_linsys_solve(FpLinsys* s, double* b);

/* Of the last factor. */
int fp_linsys_rank(const FpLinsys* s);
bool fp_linsys_is_singular(const FpLinsys* s);
const char* fp_linsys_backend(const FpLinsys* s); /* "dense", "sparse", "mumps" */

#endif
