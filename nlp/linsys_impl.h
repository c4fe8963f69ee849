/* What nlp/linsys.c and its backends share. */
#ifndef FREEPLAY_NLP_LINSYS_IMPL_H
#define FREEPLAY_NLP_LINSYS_IMPL_H

#include <float.h>
#include "nlp/status.h"

/* Lower triangle by columns, rows ascending. */
typedef struct FpLowerTriangle {
    int n;
    const int *start, *row;
    const double* value;
} FpLowerTriangle;

/* A backend. Input has been checked: the pattern is one and all numbers are finite. */
typedef struct FpLinsysOps {
    const char* name;
    void* (*create)(void);
    void (*destroy)(void* self); /* NULL is fine */
    FpStatus (*analyse)(void* self, const FpLowerTriangle* N);
    /* FREEPLAY_NOT_CONVERGED: N is too close to singular for this backend. */
    FpStatus (*factor)(void* self, const FpLowerTriangle* N);
    FpStatus (*solve)(void* self, double* x);
    int (*rank)(const void* self);
} FpLinsysOps;

extern const FpLinsysOps fp_linsys_dense, fp_linsys_ldl, fp_linsys_mumps;

/* Multiplications of fp_linsys_ldl's numeric phase, of the pattern last analysed. */
double fp_linsys_ldl_work(const void* self);

/* The part of a diagonal entry that is round-off, that of computing N included. While rows are
 * eliminated it grows as the pivots' errors do: d_k = N_kk - sum_j l_kj^2 d_j. A pivot that is not
 * larger belongs to a redundant row. */
#define FREEPLAY_LINSYS_ROUND_OFF (32 * DBL_EPSILON)

#endif
