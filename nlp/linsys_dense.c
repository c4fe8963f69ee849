/* Dense N, small or nearly full: pivoted, or by LAPACK where that is safe and faster. */
#include <stdbool.h>
#include <stdlib.h>
#include "nlp/dense.h"
#include "nlp/linsys_impl.h"
#include "nlp/pivoted_ldl.h"

#define LAPACK_MIN_N 56 /* below, own loops are faster than the reference LAPACK */
/* Cholesky without pivoting is trusted while every pivot keeps this part of its diagonal entry. */
#define SAFE_PIVOT 1e-6

typedef struct Dense {
    int n, rank, room;
    bool cholesky;
    int* order;   /* the row that stands in each place */
    double* A;    /* column-major lower triangle: N, then L below D, then also C and Z^T Z */
    double* tiny; /* pivots of redundant rows */
    double* y;    /* 2 n */
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
    s->A = malloc((n + 3) * n * sizeof *s->A);
    if (!s->order || !s->A) {
        release(s);
        return FREEPLAY_OUT_OF_MEMORY;
    }
    s->n = s->room = N->n;
    s->tiny = s->A + n * n;
    s->y = s->tiny + n;
    return FREEPLAY_OK;
}

static void load(Dense* s, const FpLowerTriangle* N) {
    for (int j = 0; j < s->n; j++) {
        double* a = s->A + (size_t)j * (size_t)s->n;
        for (int i = j; i < s->n; i++) a[i] = 0;
        for (int p = N->start[j]; p < N->start[j + 1]; p++) a[N->row[p]] = N->value[p];
        s->tiny[j] = FREEPLAY_REDUNDANT * a[j];
    }
}

static FpStatus factor_pivoted(Dense* s) {
    FpStatus status = fp_pivoted_factor(s->n, s->A, s->tiny, s->order, &s->rank);
    if (!status && s->rank < s->n) fp_pivoted_prepare_least_norm(s->n, s->rank, s->A);
    return status;
}

static bool factor_cholesky(Dense* s) {
    if (fp_dense_factor(s->n, s->A)) return false;
    for (int k = 0; k < s->n; k++) {
        double l = s->A[(size_t)k * ((size_t)s->n + 1)];
        double diagonal = s->tiny[k] / FREEPLAY_REDUNDANT;
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

/* y becomes y - Z w; in s->y + n there is room for w. */
static void project(const Dense* s, double* y) {
    int n = s->n, r = s->rank;
    double* w = y + n;
    for (int i = r; i < n; i++) w[i] = y[i];
    for (int j = 0; j < r; j++) {
        const double* C = s->A + (size_t)j * (size_t)n;
        for (int i = r; i < n; i++) w[i] -= C[i] * y[j];
    }
    fp_pivoted_solve_block(n, s->A, r, n, w);
    for (int j = 0; j < r; j++) {
        const double* C = s->A + (size_t)j * (size_t)n;
        for (int i = r; i < n; i++) y[j] += C[i] * w[i];
    }
    for (int i = r; i < n; i++) y[i] -= w[i];
}

/* From (x1, 0). With mixed units the second time takes what round-off left. */
static void take_least_norm(const Dense* s, double* y) {
    for (int i = s->rank; i < s->n; i++) y[i] = 0;
    for (int times = 0; times < 2; times++) project(s, y);
}

static FpStatus dense_solve(void* self, double* x) {
    Dense* s = self;
    if (s->cholesky) {
        fp_dense_solve(s->n, s->A, x);
        return FREEPLAY_OK;
    }
    for (int k = 0; k < s->n; k++) s->y[k] = x[s->order[k]];
    fp_pivoted_solve_block(s->n, s->A, 0, s->rank, s->y);
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
