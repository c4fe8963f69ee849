/* Dense N: LDL^T with the largest remaining diagonal entry as pivot, until only redundant rows are
 * left. With L = (L1; L2), L1 of the r independent rows, every solution of L1 D L1^T x1 = b1
 * differs from the others by Z w, Z = (-C^T; I), C = L2 L1^-1; the least norm takes w from Z^T Z w
 * = Z^T x. Pivots of the given variables, not of scaled ones, keep C of order one. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/dense.h"
#include "nlp/linsys_impl.h"

#define LAPACK_MIN_N 16 /* below, a call costs more than it saves: bench/results/linsys.csv */
/* Cholesky without pivoting is trusted while every pivot keeps this part of its diagonal entry. */
#define SAFE_PIVOT 1e-6

typedef struct Dense {
    int n, rank, room;
    bool cholesky;
    int* order;    /* the row that stands in each place */
    double* A;     /* column-major lower triangle: N, then L below D, then also C and Z^T Z */
    double* noise; /* round-off of each remaining diagonal entry */
    double* y;
} Dense;

static void* dense_create(void) {
    return calloc(1, sizeof(Dense));
}

static void release(Dense* s) {
    free(s->order);
    free(s->A);
    *s = (Dense){0};
}

static void dense_destroy(void* self) {
    if (self) release(self);
    free(self);
}

static FpStatus dense_analyse(void* self, const FpLowerTriangle* N) {
    Dense* s = self;
    s->n = N->n;
    if (N->n <= s->room) return FREEPLAY_OK;
    release(s);
    size_t n = (size_t)N->n;
    s->order = malloc(n * sizeof *s->order);
    s->A = malloc((n + 2) * n * sizeof *s->A);
    if (!s->order || !s->A) {
        release(s);
        return FREEPLAY_OUT_OF_MEMORY;
    }
    s->n = s->room = N->n;
    s->noise = s->A + n * n;
    s->y = s->noise + n;
    return FREEPLAY_OK;
}

static double* column(double* A, int n, int j) {
    return A + (size_t)j * (size_t)n;
}

static void load(Dense* s, const FpLowerTriangle* N) {
    int n = s->n;
    for (int j = 0; j < n; j++) {
        double* a = column(s->A, n, j);
        for (int i = j; i < n; i++) a[i] = 0;
        for (int p = N->start[j]; p < N->start[j + 1]; p++) a[N->row[p]] = N->value[p];
        s->order[j] = j;
        s->noise[j] = FREEPLAY_LINSYS_ROUND_OFF * a[j];
    }
}

static void swap(double* a, double* b) {
    double t = *a;
    *a = *b;
    *b = t;
}

/* Exchanges two rows and columns, k < p, of which column k and those after it are not yet
 * eliminated. */
static void exchange(Dense* s, int k, int p) {
    int n = s->n, t = s->order[k];
    double *A = s->A, *a = column(A, n, k), *b = column(A, n, p);
    for (int j = 0; j < k; j++) swap(column(A, n, j) + k, column(A, n, j) + p);
    swap(a + k, b + p);
    for (int i = k + 1; i < p; i++) swap(a + i, column(A, n, i) + p);
    for (int i = p + 1; i < n; i++) swap(a + i, b + i);
    swap(s->noise + k, s->noise + p);
    s->order[k] = s->order[p];
    s->order[p] = t;
}

/* The largest diagonal entry that is more than round-off; *place is -1 if there is none. */
static FpStatus find_pivot(const Dense* s, int from, int* place) {
    double largest = 0;
    *place = -1;
    for (int i = from; i < s->n; i++) {
        double d = s->A[(size_t)i * ((size_t)s->n + 1)];
        if (!(d >= -s->noise[i])) return isnan(d) ? FREEPLAY_NOT_FINITE : FREEPLAY_INVALID_ARGUMENT;
        if (d <= s->noise[i] || d <= largest) continue;
        largest = d;
        *place = i;
    }
    return FREEPLAY_OK;
}

static void eliminate(Dense* s, int k) {
    int n = s->n;
    double* a = column(s->A, n, k);
    double d = a[k];
    for (int j = k + 1; j < n; j++) {
        if (a[j] == 0) continue;
        double* to = column(s->A, n, j);
        double l = a[j] / d;
        for (int i = j; i < n; i++) to[i] -= l * a[i];
        s->noise[j] += l * l * s->noise[k];
        a[j] = l;
    }
}

/* Rows without a diagonal entry have no other entries either, in a semidefinite matrix. */
static bool rest_is_round_off(const Dense* s) {
    for (int j = s->rank; j < s->n; j++)
        for (int i = j + 1; i < s->n; i++) {
            double a = s->A[(size_t)j * (size_t)s->n + (size_t)i];
            if (!(a * a <= 4 * s->noise[i] * s->noise[j])) return false;
        }
    return true;
}

/* Overwrites L2 by C, and the block behind it by the factor of Z^T Z = I + C C^T. */
static void prepare_least_norm(Dense* s) {
    int n = s->n, r = s->rank;
    for (int c = r; c < n; c++)
        for (int j = r - 1; j >= 0; j--) {
            double* a = column(s->A, n, j);
            for (int i = j + 1; i < r; i++) a[c] -= column(s->A, n, i)[c] * a[i];
        }
    for (int k = r; k < n; k++) {
        double* a = column(s->A, n, k);
        for (int i = k; i < n; i++) a[i] = i == k;
        for (int j = 0; j < r; j++) {
            const double* C = column(s->A, n, j);
            for (int i = k; i < n; i++) a[i] += C[k] * C[i];
        }
    }
    for (int k = r; k < n; k++) eliminate(s, k);
}

static FpStatus factor_pivoted(Dense* s) {
    for (s->rank = 0; s->rank < s->n; s->rank++) {
        int place;
        FpStatus status = find_pivot(s, s->rank, &place);
        if (status) return status;
        if (place < 0) break;
        if (place != s->rank) exchange(s, s->rank, place);
        eliminate(s, s->rank);
    }
    if (s->rank == s->n) return FREEPLAY_OK;
    if (!rest_is_round_off(s)) return FREEPLAY_INVALID_ARGUMENT;
    prepare_least_norm(s);
    return FREEPLAY_OK;
}

static bool factor_cholesky(Dense* s) {
    if (fp_dense_factor(s->n, s->A)) return false;
    for (int k = 0; k < s->n; k++) {
        double l = s->A[(size_t)k * ((size_t)s->n + 1)];
        double diagonal = s->noise[k] / FREEPLAY_LINSYS_ROUND_OFF;
        if (!(l * l > SAFE_PIVOT * diagonal)) return false;
    }
    s->rank = s->n;
    return true;
}

static FpStatus dense_factor(void* self, const FpLowerTriangle* N) {
    Dense* s = self;
    load(s, N);
    s->cholesky = s->n >= LAPACK_MIN_N && factor_cholesky(s);
    if (s->cholesky) return FREEPLAY_OK;
    if (s->n >= LAPACK_MIN_N) load(s, N);
    return factor_pivoted(s);
}

/* Solves with the diagonal block of the factor from begin to end. */
static void solve_block(Dense* s, int begin, int end, double* y) {
    for (int j = begin; j < end; j++) {
        const double* a = column(s->A, s->n, j);
        for (int i = j + 1; i < end; i++) y[i] -= a[i] * y[j];
    }
    for (int j = end - 1; j >= begin; j--) {
        const double* a = column(s->A, s->n, j);
        y[j] /= a[j];
        for (int i = j + 1; i < end; i++) y[j] -= a[i] * y[i];
    }
}

/* y = (x1, 0) becomes y - Z w. */
static void take_least_norm(Dense* s, double* y) {
    int n = s->n, r = s->rank;
    for (int i = r; i < n; i++) y[i] = 0;
    for (int j = 0; j < r; j++) {
        const double* C = column(s->A, n, j);
        for (int i = r; i < n; i++) y[i] += C[i] * y[j];
    }
    solve_block(s, r, n, y);
    for (int j = 0; j < r; j++) {
        const double* C = column(s->A, n, j);
        for (int i = r; i < n; i++) y[j] -= C[i] * y[i];
    }
}

static FpStatus dense_solve(void* self, double* x) {
    Dense* s = self;
    if (s->cholesky) {
        fp_dense_solve(s->n, s->A, x);
        return FREEPLAY_OK;
    }
    for (int k = 0; k < s->n; k++) s->y[k] = x[s->order[k]];
    solve_block(s, 0, s->rank, s->y);
    if (s->rank < s->n) take_least_norm(s, s->y);
    for (int k = 0; k < s->n; k++) x[s->order[k]] = s->y[k];
    return FREEPLAY_OK;
}

static int dense_rank(const void* self) {
    return ((const Dense*)self)->rank;
}

const FpLinsysOps fp_linsys_dense = {
    .name = "dense",
    .create = dense_create,
    .destroy = dense_destroy,
    .analyse = dense_analyse,
    .factor = dense_factor,
    .solve = dense_solve,
    .rank = dense_rank,
};
