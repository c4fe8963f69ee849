/* Dense LDL^T of a positive semidefinite matrix with pivoting, until only redundant rows are left;
 * own loops, because a call of LAPACK costs more than a small system. A is n x n, column-major,
 * lower triangle.
 *
 * With L = (L1; L2), L1 of the r independent rows, every solution of L1 D L1^T x1 = b1 differs from
 * the others by Z w, Z = (-C^T; I), C = L2 L1^-1; the least norm takes w from Z^T Z w = Z^T x. */
#ifndef FREEPLAY_NLP_PIVOTED_LDL_H
#define FREEPLAY_NLP_PIVOTED_LDL_H

#include "nlp/status.h"

/* A row is redundant when its pivot, what the rows before it leave of its diagonal entry, is no
 * more than this part of it. Round-off leaves up to 1e-13 in chains of thousands of redundant rows
 * with mixed units. Two rows are told apart if they differ by an angle of 3e-6 or more. */
#define FREEPLAY_REDUNDANT 1e-11

/* A becomes L below D, its first *rank columns; order[k] becomes the row in place k. tiny[k], the
 * largest pivot that would make row k redundant, goes with it. FREEPLAY_INVALID_ARGUMENT if A has a
 * negative eigenvalue beyond round-off. */
FpStatus fp_pivoted_factor(int n, double* A, double* tiny, int* order, int* rank);
/* Overwrites L2 by C, and the block behind it by the factor of Z^T Z = I + C C^T. */
void fp_pivoted_prepare_least_norm(int n, int rank, double* A);
/* Solves with the diagonal block of the factor from begin to end. */
void fp_pivoted_solve_block(int n, const double* A, int begin, int end, double* y);

#endif
