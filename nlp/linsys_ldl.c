/* Sparse N = L D L^T, row by row of L, in the order of AMD. All that depends on the pattern alone
 * is prepared by the analysis, so that the numeric phase is a few nested loops.
 *
 * A redundant row gets no pivot: its column of L is that of the identity, and its entry of D is 0.
 * Then N (L^-T w) = 0 for every w with entries in redundant places alone: Z = L^-T of those columns
 * spans the null space, and the solution of least norm is x - Z w with the w of least squares. */
#include <amd.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/linsys_impl.h"

#define LEAST_NORM_ACCURACY 1e-14 /* of a step of conjugate gradients, relative to x */

typedef struct Ldl {
    int n, redundant_count;
    int *order, *place;                /* order[place[i]] = i */
    int *A_start, *A_row, *A_from;     /* permuted upper triangle by columns, without diagonal */
    int* diagonal_from;                /* entry of value[], -1 if it is not in the pattern */
    int *L_start, *L_row;              /* by columns, without diagonal */
    int *row_start, *row_col, *row_at; /* the same by rows, columns ascending: entry of L_value */
    double *L_value, *D_inverse, *noise;
    double *y, *direction, *step, *gradient; /* y is zero between factorizations */
    double work;
    void *ints, *doubles;
} Ldl;

static void* ldl_create(void) {
    return calloc(1, sizeof(Ldl));
}

static void release(Ldl* s) {
    free(s->ints);
    free(s->doubles);
    free(s->L_row);
    free(s->L_value);
    *s = (Ldl){0};
}

static void ldl_destroy(void* self) {
    if (self) release(self);
    free(self);
}

static int* take_ints(int** from, int count) {
    int* taken = *from;
    *from += count;
    return taken;
}

static double* take_doubles(double** from, int count) {
    double* taken = *from;
    *from += count;
    return taken;
}

static bool allocate(Ldl* s, int n, int entries) {
    int* ints = s->ints = calloc((size_t)n * 6 + 3 + 2 * (size_t)entries, sizeof *ints);
    double* doubles = s->doubles = calloc((size_t)n * 6 + 1, sizeof *doubles);
    if (!ints || !doubles) return false;
    s->n = n;
    s->order = take_ints(&ints, n);
    s->place = take_ints(&ints, n);
    s->diagonal_from = take_ints(&ints, n);
    s->A_start = take_ints(&ints, n + 1);
    s->L_start = take_ints(&ints, n + 1);
    s->row_start = take_ints(&ints, n + 1);
    s->A_row = take_ints(&ints, entries);
    s->A_from = take_ints(&ints, entries);
    s->D_inverse = take_doubles(&doubles, n);
    s->noise = take_doubles(&doubles, n);
    s->y = take_doubles(&doubles, n);
    s->direction = take_doubles(&doubles, n);
    s->step = take_doubles(&doubles, n);
    s->gradient = take_doubles(&doubles, n);
    return true;
}

/* Turns counts at [k + 1] into starts; each start is then advanced while its part is filled, and
 * ends as the next one's, so that rewind_starts() restores them. */
static void sum_starts(int n, int* start) {
    for (int k = 0; k < n; k++) start[k + 1] += start[k];
}

static void rewind_starts(int n, int* start) {
    memmove(start + 1, start, (size_t)n * sizeof *start);
    start[0] = 0;
}

static void permute(Ldl* s, const FpLowerTriangle* N) {
    int n = s->n;
    for (int k = 0; k < n; k++) {
        s->place[s->order[k]] = k;
        s->diagonal_from[k] = -1;
    }
    for (int fill = 0; fill < 2; fill++) {
        for (int j = 0; j < n; j++)
            for (int p = N->start[j]; p < N->start[j + 1]; p++) {
                int a = s->place[j], b = s->place[N->row[p]];
                int first = a < b ? a : b, last = a < b ? b : a;
                if (a == b) {
                    s->diagonal_from[a] = p;
                } else if (!fill) {
                    s->A_start[last + 1]++;
                } else {
                    int at = s->A_start[last]++;
                    s->A_row[at] = first;
                    s->A_from[at] = p;
                }
            }
        if (!fill) sum_starts(n, s->A_start);
    }
    rewind_starts(n, s->A_start);
}

/* Row k of L has entries in all columns on the paths of the elimination tree from the entries of N
 * in that row up to k. Counts them by columns, or, given room for them, enters them. */
static void walk_rows(Ldl* s, int* parent, int* seen, bool enter) {
    for (int k = 0; k < s->n; k++) {
        if (!enter) parent[k] = -1;
        seen[k] = k;
        for (int p = s->A_start[k]; p < s->A_start[k + 1]; p++)
            for (int j = s->A_row[p]; seen[j] != k; j = parent[j]) {
                if (parent[j] < 0) parent[j] = k;
                seen[j] = k;
                if (enter) {
                    s->L_row[s->L_start[j]++] = k;
                } else {
                    s->L_start[j + 1]++;
                    s->row_start[k + 1]++;
                }
            }
    }
}

static void transpose(Ldl* s) {
    for (int j = 0; j < s->n; j++)
        for (int p = s->L_start[j]; p < s->L_start[j + 1]; p++) {
            int at = s->row_start[s->L_row[p]]++;
            s->row_col[at] = j;
            s->row_at[at] = p;
        }
    rewind_starts(s->n, s->row_start);
}

static FpStatus find_pattern(Ldl* s, int* parent, int* seen) {
    int n = s->n;
    walk_rows(s, parent, seen, false);
    s->work = 0;
    for (int j = 0; j < n; j++) {
        double count = s->L_start[j + 1];
        s->work += count * (count + 3) / 2;
    }
    sum_starts(n, s->L_start);
    sum_starts(n, s->row_start);
    size_t entries = (size_t)s->L_start[n];
    s->L_row = malloc((3 * entries + 1) * sizeof *s->L_row);
    s->L_value = malloc((entries + 1) * sizeof *s->L_value);
    if (!s->L_row || !s->L_value) return FREEPLAY_OUT_OF_MEMORY;
    s->row_col = s->L_row + entries;
    s->row_at = s->row_col + entries;
    for (int k = 0; k < n; k++) seen[k] = -1;
    walk_rows(s, parent, seen, true);
    rewind_starts(n, s->L_start);
    transpose(s);
    return FREEPLAY_OK;
}

static FpStatus ldl_analyse(void* self, const FpLowerTriangle* N) {
    Ldl* s = self;
    int n = N->n;
    release(s);
    int* work = calloc(2 * (size_t)n + 1, sizeof *work);
    FpStatus status = FREEPLAY_OUT_OF_MEMORY;
    if (work && allocate(s, n, n ? N->start[n] : 0) &&
        (n == 0 || amd_order(n, N->start, N->row, s->order, NULL, NULL) == AMD_OK)) {
        permute(s, N);
        status = find_pattern(s, work, work + n);
    }
    free(work);
    return status;
}

double fp_linsys_ldl_work(const void* self) {
    return ((const Ldl*)self)->work;
}

/* Row k: solves with the rows before it; what is left of the diagonal entry is the pivot. */
static FpStatus factor_row(Ldl* s, int k, double diagonal) {
    double *y = s->y, *L = s->L_value;
    double d = diagonal, noise = FREEPLAY_LINSYS_ROUND_OFF * diagonal;
    bool semidefinite = true;
    for (int e = s->row_start[k]; e < s->row_start[k + 1]; e++) {
        int j = s->row_col[e], at = s->row_at[e];
        double y_j = y[j];
        y[j] = 0;
        for (int p = s->L_start[j]; p < at; p++) y[s->L_row[p]] -= L[p] * y_j;
        double l = y_j * s->D_inverse[j];
        L[at] = l;
        d -= l * y_j;
        noise += l * l * s->noise[j];
        /* Without pivot there are no other entries either: |y_j|^2 <= d_j d_k. */
        if (s->D_inverse[j] == 0 && y_j * y_j > 4 * s->noise[j] * diagonal) semidefinite = false;
    }
    if (!isfinite(d)) return FREEPLAY_NOT_FINITE;
    if (!semidefinite || d < -noise) return FREEPLAY_INVALID_ARGUMENT;
    bool is_redundant = d <= noise;
    s->D_inverse[k] = is_redundant ? 0 : 1 / d;
    s->noise[k] = noise;
    s->redundant_count += is_redundant;
    return FREEPLAY_OK;
}

static FpStatus ldl_factor(void* self, const FpLowerTriangle* N) {
    Ldl* s = self;
    s->redundant_count = 0;
    for (int k = 0; k < s->n; k++) {
        for (int p = s->A_start[k]; p < s->A_start[k + 1]; p++)
            s->y[s->A_row[p]] = N->value[s->A_from[p]];
        int from = s->diagonal_from[k];
        FpStatus status = factor_row(s, k, from < 0 ? 0 : N->value[from]);
        if (status) return status;
    }
    return FREEPLAY_OK;
}

static void solve_L(const Ldl* s, double* x) {
    for (int j = 0; j < s->n; j++) {
        double x_j = x[j];
        for (int p = s->L_start[j]; p < s->L_start[j + 1]; p++)
            x[s->L_row[p]] -= s->L_value[p] * x_j;
    }
}

static void solve_L_transposed(const Ldl* s, double* x) {
    for (int j = s->n - 1; j >= 0; j--) {
        double x_j = x[j];
        for (int p = s->L_start[j]; p < s->L_start[j + 1]; p++)
            x_j -= s->L_value[p] * x[s->L_row[p]];
        x[j] = x_j;
    }
}

static double squared(int n, const double* x) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * x[k];
    return sum;
}

/* Z^T x, in the redundant places; returns its square. */
static double find_gradient(Ldl* s, const double* x) {
    memcpy(s->gradient, x, (size_t)s->n * sizeof *x);
    solve_L(s, s->gradient);
    for (int k = 0; k < s->n; k++)
        if (s->D_inverse[k] != 0) s->gradient[k] = 0;
    return squared(s->n, s->gradient);
}

/* Takes from x its part in the null space: conjugate gradients on min |x - Z w|, which need as many
 * steps as Z has different singular values. */
static void take_least_norm(Ldl* s, double* x) {
    int n = s->n;
    size_t size = (size_t)n * sizeof *x;
    double square = find_gradient(s, x);
    memcpy(s->direction, s->gradient, size);
    for (int count = 0; count < 2 * s->redundant_count + 10 && square > 0; count++) {
        memcpy(s->step, s->direction, size);
        solve_L_transposed(s, s->step);
        double step_square = squared(n, s->step), length = square / step_square;
        for (int k = 0; k < n; k++) x[k] -= length * s->step[k];
        double accuracy = LEAST_NORM_ACCURACY * LEAST_NORM_ACCURACY;
        if (length * length * step_square <= accuracy * squared(n, x)) break;
        double before = square;
        square = find_gradient(s, x);
        for (int k = 0; k < n; k++)
            s->direction[k] = s->gradient[k] + square / before * s->direction[k];
    }
}

static FpStatus ldl_solve(void* self, double* b) {
    Ldl* s = self;
    int n = s->n;
    double* x = s->y;
    for (int k = 0; k < n; k++) x[k] = b[s->order[k]];
    solve_L(s, x);
    for (int k = 0; k < n; k++) x[k] *= s->D_inverse[k];
    solve_L_transposed(s, x);
    if (s->redundant_count > 0) take_least_norm(s, x);
    for (int k = 0; k < n; k++) {
        b[s->order[k]] = x[k];
        x[k] = 0;
    }
    return FREEPLAY_OK;
}

static int ldl_rank(const void* self) {
    const Ldl* s = self;
    return s->n - s->redundant_count;
}

const FpLinsysOps fp_linsys_ldl = {
    .name = "sparse",
    .create = ldl_create,
    .destroy = ldl_destroy,
    .analyse = ldl_analyse,
    .factor = ldl_factor,
    .solve = ldl_solve,
    .rank = ldl_rank,
};
