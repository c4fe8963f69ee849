/* Dense LDL^T of a positive semidefinite matrix with the largest remaining diagonal entry as pivot,
 * until only redundant rows are left; own loops, because a call of LAPACK costs more than a small
 * system. A is n x n, column-major, lower triangle.
 *
 * With L = (L1; L2), L1 of the r independent rows, every solution of L1 D L1^T x1 = b1 differs from
 * the others by Z w, Z = (-C^T; I), C = L2 L1^-1; the least norm takes w from Z^T Z w = Z^T x.
 * Pivots of the given variables, not of scaled ones, keep C of order one. */
#ifndef FREEPLAY_NLP_PIVOTED_LDL_H
#define FREEPLAY_NLP_PIVOTED_LDL_H

#include <float.h>
#include "nlp/status.h"

/* The part of a diagonal entry that is round-off, that of computing the matrix included. While rows
 * are eliminated it grows as the pivots' errors do: d_k = A_kk - sum_j l_kj^2 d_j. A pivot that is
 * not larger belongs to a redundant row. */
#define FREEPLAY_PIVOT_ROUND_OFF (32 * DBL_EPSILON)

/* A becomes L below D, its first *rank columns; order[k] becomes the row in place k and noise, the
 * round-off of each diagonal entry, goes with it. FREEPLAY_INVALID_ARGUMENT if A has a negative
 * eigenvalue beyond round-off. */
FpStatus fp_pivoted_factor(int n, double* A, double* noise, int* order, int* rank);
/* Overwrites L2 by C, and the block behind it by the factor of Z^T Z = I + C C^T. */
void fp_pivoted_prepare_least_norm(int n, int rank, double* A, double* noise);
/* Solves with the diagonal block of the factor from begin to end. */
void fp_pivoted_solve_block(int n, const double* A, int begin, int end, double* y);

#endif
