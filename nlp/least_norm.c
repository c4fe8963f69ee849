/* Pivoting on the optimality conditions: with y the multipliers of A x = b, every x_j is A_j.y
 * where it is free, and 0 where A_j.y <= 0. The free set is guessed, solved for, and corrected: all
 * wrong signs at once while that helps, then one at a time, the first one, which cannot cycle. */
#include "nlp/least_norm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/dense.h"

#define RANK_TOLERANCE 1e-11
#define ROUND_OFF      1e-12 /* of the largest unknown: a smaller wrong sign is none */
#define UNSOLVED       1e-9  /* of the largest term: a larger residual is no solution */
#define BLOCK_TRIES    5     /* without progress, before single corrections */

struct FpLeastNorm {
    double *A, *rhs, *work, *y;
    int *pivots, *column;
    bool* free;
};

void fp_least_norm_destroy(FpLeastNorm* l) {
    if (!l) return;
    free(l->A);
    free(l->pivots);
    free(l->free);
    free(l);
}

FpLeastNorm* fp_least_norm_create(int m, int n) {
    FpLeastNorm* l = calloc(1, sizeof *l);
    if (!l) return NULL;
    size_t rows = (size_t)m, columns = (size_t)n, longest = rows > columns ? rows : columns;
    size_t work = (size_t)fp_dense_work((int)longest, (int)longest);
    l->A = calloc(rows * columns + 2 * longest + work + 1, sizeof *l->A);
    l->pivots = calloc(2 * longest + 1, sizeof *l->pivots);
    l->free = calloc(columns + 1, sizeof *l->free);
    if (!l->A || !l->pivots || !l->free) {
        fp_least_norm_destroy(l);
        return NULL;
    }
    l->rhs = l->A + rows * columns;
    l->y = l->rhs + longest;
    l->work = l->y + longest;
    l->column = l->pivots + longest;
    return l;
}

static double column_dot(int m, const double* A, int j, const double* y) {
    double sum = 0;
    for (int i = 0; i < m; i++) sum += A[i + m * j] * y[i];
    return sum;
}

static int list_free(FpLeastNorm* l, int n) {
    int count = 0;
    for (int j = 0; j < n; j++)
        if (l->free[j]) l->column[count++] = j;
    return count;
}

/* x of the free columns with least norm, and y with A_j.y = x_j there. */
static bool solve_free(FpLeastNorm* l, int m, int n, const double* A, const double* b, double* x,
                       int* rank) {
    int count = list_free(l, n), y_rank;
    for (int k = 0; k < count; k++)
        memcpy(l->A + m * k, A + m * l->column[k], (size_t)m * sizeof *A);
    memcpy(l->rhs, b, (size_t)m * sizeof *b);
    if (fp_dense_least_norm(m, count, l->A, l->rhs, RANK_TOLERANCE, rank, l->work, l->pivots))
        return false;
    memset(x, 0, (size_t)n * sizeof *x);
    for (int k = 0; k < count; k++) x[l->column[k]] = l->rhs[k];
    for (int k = 0; k < count; k++)
        for (int i = 0; i < m; i++) l->A[k + count * i] = A[i + m * l->column[k]];
    if (fp_dense_least_norm(count, m, l->A, l->rhs, RANK_TOLERANCE, &y_rank, l->work, l->pivots))
        return false;
    memcpy(l->y, l->rhs, (size_t)m * sizeof *l->y);
    return true;
}

static double largest_of(int n, const double* x) {
    double largest = 0;
    for (int j = 0; j < n; j++) largest = fmax(largest, fabs(x[j]));
    return largest;
}

/* Whether the sign at j is wrong: a free one that pulls, or one held at 0 that should push. */
static bool is_wrong(const FpLeastNorm* l, int m, const double* A, const double* x, int j,
                     double tiny) {
    return l->free[j] ? x[j] < -tiny : column_dot(m, A, j, l->y) > tiny;
}

/* Corrects all wrong signs, or the first one; returns how many there were. */
static int correct(FpLeastNorm* l, int m, int n, const double* A, const double* x,
                   const bool* nonnegative, bool all) {
    double tiny = ROUND_OFF * largest_of(n, x);
    int wrong = 0;
    for (int j = 0; j < n; j++) {
        if (!nonnegative[j] || !is_wrong(l, m, A, x, j, tiny)) continue;
        if (all || wrong == 0) l->free[j] = !l->free[j];
        wrong++;
    }
    return wrong;
}

static bool is_solved(int m, int n, const double* A, const double* b, const double* x) {
    double residual = 0, size = 0;
    for (int i = 0; i < m; i++) {
        double sum = -b[i], terms = fabs(b[i]);
        for (int j = 0; j < n; j++) {
            double term = A[i + m * j] * x[j];
            sum += term;
            terms += fabs(term);
        }
        residual = fmax(residual, fabs(sum));
        size = fmax(size, terms);
    }
    return residual <= UNSOLVED * size;
}

FpStatus fp_least_norm_solve(FpLeastNorm* l, int m, int n, const double* A, const double* b,
                             const bool* nonnegative, int corrections, double* x, int* rank) {
    int limit = corrections == FREEPLAY_LEAST_NORM_ALL ? 10 * n + 10 : corrections;
    for (int j = 0; j < n; j++) l->free[j] = true;
    int fewest = n + 1, tries = BLOCK_TRIES, unused;
    for (int k = 0; k <= limit; k++) {
        if (!solve_free(l, m, n, A, b, x, k == 0 ? rank : &unused)) return FREEPLAY_SOLVER_FAILED;
        if (k == 0 && *rank == n) return FREEPLAY_OK;
        int wrong = correct(l, m, n, A, x, nonnegative, tries > 0);
        if (wrong == 0) return is_solved(m, n, A, b, x) ? FREEPLAY_OK : FREEPLAY_INFEASIBLE;
        tries = wrong < fewest ? BLOCK_TRIES : tries - 1;
        if (wrong < fewest) fewest = wrong;
    }
    return FREEPLAY_NOT_CONVERGED;
}
