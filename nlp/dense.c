#include "nlp/dense.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* LAPACK's Fortran interface: least-norm least squares by QR with column pivoting, Cholesky. */
extern void dgelsy_(const int* m, const int* n, const int* nrhs, double* A, const int* lda,
                    double* b, const int* ldb, int* jpvt, const double* rcond, int* rank,
                    double* work, const int* lwork, int* info);

extern void dgesv_(const int* n, const int* nrhs, double* A, const int* lda, int* ipiv, double* b,
                   const int* ldb, int* info);
extern void dpotrf_(const char* uplo, const int* n, double* A, const int* lda, int* info,
                    size_t uplo_length);
extern void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* A,
                    const int* lda, double* b, const int* ldb, int* info, size_t uplo_length);

int fp_dense_work(int m, int n) {
    int small = m < n ? m : n;
    int a = small + 3 * n + 1, b = 2 * small + 1;
    return (a > b ? a : b) + 64 * (m + n + 2);
}

FpStatus fp_dense_least_norm(int m, int n, double* A, double* b, double rank_tolerance, int* rank,
                             double* work, int* pivots) {
    if (n == 0) return FREEPLAY_OK;
    if (m == 0) {
        memset(b, 0, (size_t)n * sizeof *b);
        return FREEPLAY_OK;
    }
    memset(pivots, 0, (size_t)n * sizeof *pivots);
    int one = 1, ldb = m > n ? m : n, lwork = fp_dense_work(m, n), info = 0;
    dgelsy_(&m, &n, &one, A, &m, b, &ldb, pivots, &rank_tolerance, rank, work, &lwork, &info);
    return info ? FREEPLAY_SOLVER_FAILED : FREEPLAY_OK;
}

/* Below this size a call of LAPACK costs more than it saves. */
#define SMALL 24

static void swap_rows(int n, double* A, double* b, int i, int j) {
    for (int k = 0; k < n; k++) {
        double entry = A[i + n * k];
        A[i + n * k] = A[j + n * k];
        A[j + n * k] = entry;
    }
    double entry = b[i];
    b[i] = b[j];
    b[j] = entry;
}

static double solve_small(int n, double* A, double* b) {
    double smallest = INFINITY;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i + n * k]) > fabs(A[best + n * k])) best = i;
        if (best != k) swap_rows(n, A, b, k, best);
        double pivot = A[k + n * k];
        smallest = fabs(pivot) < smallest ? fabs(pivot) : smallest;
        if (!(fabs(pivot) > 0)) return 0;
        for (int i = k + 1; i < n; i++) A[i + n * k] /= pivot;
        for (int i = k + 1; i < n; i++) b[i] -= A[i + n * k] * b[k];
        for (int j = k + 1; j < n; j++)
            for (int i = k + 1; i < n; i++) A[i + n * j] -= A[i + n * k] * A[k + n * j];
    }
    for (int k = n - 1; k >= 0; k--) {
        b[k] /= A[k + n * k];
        for (int i = 0; i < k; i++) b[i] -= A[i + n * k] * b[k];
    }
    return smallest;
}

double fp_dense_solve_general(int n, double* A, double* b, int* pivots) {
    if (n <= SMALL) return solve_small(n, A, b);
    int one = 1, info = 0;
    dgesv_(&n, &one, A, &n, pivots, b, &n, &info);
    if (info) return 0;
    double smallest = INFINITY;
    for (int k = 0; k < n; k++) smallest = fmin(smallest, fabs(A[k + n * k]));
    return smallest;
}

FpStatus fp_dense_factor(int n, double* A) {
    int info = 0;
    dpotrf_("L", &n, A, &n, &info, 1);
    return info ? FREEPLAY_NOT_FINITE : FREEPLAY_OK;
}

void fp_dense_solve(int n, const double* factor, double* b) {
    int one = 1, info = 0;
    dpotrs_("L", &n, &one, factor, &n, b, &n, &info, 1);
}
