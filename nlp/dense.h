/* Dense linear algebra for small systems, on LAPACK. Matrices are column-major here. */
#ifndef FREEPLAY_NLP_DENSE_H
#define FREEPLAY_NLP_DENSE_H

#include "nlp/status.h"

/* Least-squares solution of least norm of A x = b, A is m x n with leading dimension m and is
 * destroyed; b has max(m, n) entries and becomes x. Singular values below rank_tolerance times the
 * largest count as zero; *rank tells how many are left. work holds fp_dense_work(m, n) doubles and
 * pivots n integers. */
FpStatus fp_dense_least_norm(int m, int n, double* A, double* b, double rank_tolerance, int* rank,
                             double* work, int* pivots);
int fp_dense_work(int m, int n);

/* Solves A x = b by elimination with row pivots; A is n x n and destroyed, b becomes x. Returns the
 * smallest pivot, in size: where it is 0 or not a number b is undefined. */
double fp_dense_solve_general(int n, double* A, double* b, int* pivots);

/* Cholesky factor of a symmetric positive definite n x n matrix, in its lower triangle. */
FpStatus fp_dense_factor(int n, double* A);
/* Solves with such a factor; b becomes x. */
void fp_dense_solve(int n, const double* factor, double* b);

#endif
