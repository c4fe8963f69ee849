/* Symmetric positive semidefinite systems N x = b, such as N = W^T M^-1 W of the active rows of a
 * mechanism: dense where small, sparse where large, singular where rows are redundant.
 *
 * Nothing depends on the scale of N or of its rows, which may have different units: a row is
 * redundant when the rows before it leave next to nothing (1e-11) of its own diagonal entry. */
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

/* b becomes x. Where N is singular, b must be consistent and x has the least Euclidean norm of all
 * solutions, in the variables as they are given; its part in the null space is round-off, amplified
 * by the ratio of the largest to the smallest row. Of an inconsistent b the redundant components
 * are disregarded. b stays as it was if the status is not FREEPLAY_OK. */
FpStatus fp_linsys_solve(FpLinsys* s, double* b);

/* Of the last factor. */
int fp_linsys_rank(const FpLinsys* s);
bool fp_linsys_is_singular(const FpLinsys* s);
const char* fp_linsys_backend(const FpLinsys* s); /* "dense", "sparse", "mumps" */

#endif
