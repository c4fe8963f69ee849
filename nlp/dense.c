#include "nlp/dense.h"

#include <stddef.h>
#include <string.h>

/* LAPACK's Fortran interface: least-norm least squares by QR with column pivoting, Cholesky. */
extern void dgelsy_(const int* m, const int* n, const int* nrhs, double* A, const int* lda,
                    double* b, const int* ldb, int* jpvt, const double* rcond, int* rank,
                    double* work, const int* lwork, int* info);

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

FpStatus fp_dense_factor(int n, double* A) {
    int info = 0;
    dpotrf_("L", &n, A, &n, &info, 1);
    return info ? FREEPLAY_NOT_FINITE : FREEPLAY_OK;
}

void fp_dense_solve(int n, const double* factor, double* b) {
    int one = 1, info = 0;
    dpotrs_("L", &n, &one, factor, &n, b, &n, &info, 1);
}
