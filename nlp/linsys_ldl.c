/* Sparse N = L D L^T, row by row of L, in the order of AMD. All that depends on the pattern alone
 * is prepared by the analysis, so that the numeric phase is a few nested loops. Rows with the same
 * neighbours are a block, which is eliminated at once and with pivoting inside itself.
 *
 * A redundant row gets no pivot: its column of L is that of the identity, and its entry of D is 0.
 * Then N (L^-T w) = 0 for every w with entries in redundant places alone: Z = L^-T of those columns
 * spans the null space, and the solution of least norm is x - Z w with the w of least squares. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/linsys_impl.h"
#include "nlp/pivoted_ldl.h"

/* Of a step of conjugate gradients, relative to x: small enough; so small that growth is no gain.
 */
#define LEAST_NORM_ACCURACY 1e-14
#define ROUND_OFF           1e-8

typedef struct Ldl {
    int n, block_count, largest_block, redundant_count;
    int *base_order, *order; /* the row in each place, before and after pivoting */
    int* pivoted;            /* where pivoting took each place */
    int *block_start, *block_rank;
    int* S_at;                             /* each block's own part of S */
    int *Y_start, *Y_col, *Y_row, *Y_from; /* entries of N before each block: value[from] */
    int S_entries, *S_to, *S_from;         /* entries of N inside blocks */
    int *L_start, *L_row;                  /* by columns, without diagonal */
    int *row_start, *row_col, *row_at; /* columns before each block, and where its entries begin */
    double *L_value, *D_inverse, *tiny;
    double* S; /* diagonal blocks of N, then their factors; with C and Z^T Z if redundant */
    double* Y; /* the rows of one block, side by side; zero between factorizations */
    double *x, *direction, *step, *gradient, *searched;
    double work;
    void *ints, *doubles, *entries;
} Ldl;

static void* ldl_create(void) {
    return calloc(1, sizeof(Ldl));
}

static void release(Ldl* s) {
    free(s->ints);
    free(s->entries);
    free(s->doubles);
    *s = (Ldl){0};
}

static void ldl_destroy(void* self) {
    if (self) release(self);
    free(self);
}

static int block_size(const Ldl* s, int k) {
    return s->block_start[k + 1] - s->block_start[k];
}

static int* take_ints(int** from, size_t count) {
    int* taken = *from;
    *from += count;
    return taken;
}

static double* take_doubles(double** from, size_t count) {
    double* taken = *from;
    *from += count;
    return taken;
}

static bool allocate_structure(Ldl* s, const FpLowerTriangle* N) {
    size_t n = (size_t)N->n, entries = n ? (size_t)N->start[n] : 0;
    int* ints = s->ints = calloc(9 * n + 4 + 5 * entries, sizeof *ints);
    if (!ints) return false;
    s->n = N->n;
    s->base_order = take_ints(&ints, n);
    s->order = take_ints(&ints, n);
    s->pivoted = take_ints(&ints, n);
    s->block_start = take_ints(&ints, n + 1);
    s->block_rank = take_ints(&ints, n);
    s->S_at = take_ints(&ints, n);
    s->Y_start = take_ints(&ints, n + 1);
    s->L_start = take_ints(&ints, n + 1);
    s->row_start = take_ints(&ints, n + 1);
    s->Y_col = take_ints(&ints, entries);
    s->Y_row = take_ints(&ints, entries);
    s->Y_from = take_ints(&ints, entries);
    s->S_to = take_ints(&ints, entries);
    s->S_from = take_ints(&ints, entries);
    return true;
}

static bool allocate_numbers(Ldl* s) {
    size_t n = (size_t)s->n, L_entries = n ? (size_t)s->L_start[n] : 0;
    size_t S_size = 0, width = (size_t)s->largest_block;
    size_t row_entries = (size_t)s->row_start[s->block_count];
    for (int k = 0; k < s->block_count; k++) {
        size_t size = (size_t)block_size(s, k);
        S_size += size * size;
    }
    int* ints = s->entries = malloc((L_entries + 2 * row_entries + 1) * sizeof *ints);
    double* doubles = s->doubles =
        calloc(7 * n + L_entries + S_size + n * width + 1, sizeof *doubles);
    if (!ints || !doubles) return false;
    s->L_row = take_ints(&ints, L_entries);
    s->row_col = take_ints(&ints, row_entries);
    s->row_at = take_ints(&ints, row_entries);
    s->L_value = take_doubles(&doubles, L_entries);
    s->S = take_doubles(&doubles, S_size);
    s->Y = take_doubles(&doubles, n * width);
    s->D_inverse = take_doubles(&doubles, n);
    s->tiny = take_doubles(&doubles, n);
    s->x = take_doubles(&doubles, n);
    s->direction = take_doubles(&doubles, n);
    s->step = take_doubles(&doubles, n);
    s->gradient = take_doubles(&doubles, n);
    s->searched = take_doubles(&doubles, n);
    return true;
}

/* What the analysis needs for a while. */
typedef struct Places {
    int *place, *block; /* of a row; of a place */
    int *parent, *seen; /* elimination tree of places; last block that came by */
} Places;

static void number_places(Ldl* s, Places* t) {
    int S_size = 0;
    for (int k = 0; k < s->block_count; k++) {
        int size = block_size(s, k);
        s->S_at[k] = S_size;
        S_size += size * size;
        if (size > s->largest_block) s->largest_block = size;
        for (int p = s->block_start[k]; p < s->block_start[k + 1]; p++) {
            t->place[s->base_order[p]] = p;
            t->block[p] = k;
            t->seen[p] = -1;
        }
    }
}

/* Sends one entry of N to S or to Y; counts those of Y at first. */
static void send_entry(Ldl* s, const Places* t, int i, int j, int from, bool count) {
    int row = t->place[i], col = t->place[j];
    if (row < col) {
        col = row;
        row = t->place[j];
    }
    int k = t->block[row], size = block_size(s, k), a = row - s->block_start[k];
    if (t->block[col] != k) {
        if (count) {
            s->Y_start[k + 1]++;
            return;
        }
        int at = s->Y_start[k]++;
        s->Y_col[at] = col;
        s->Y_row[at] = a;
        s->Y_from[at] = from;
    } else if (!count) {
        s->S_to[s->S_entries] = s->S_at[k] + (col - s->block_start[k]) * size + a;
        s->S_from[s->S_entries++] = from;
    }
}

static void send_entries(Ldl* s, const Places* t, const FpLowerTriangle* N, bool count) {
    for (int j = 0; j < s->n; j++)
        for (int p = N->start[j]; p < N->start[j + 1]; p++)
            send_entry(s, t, N->row[p], j, p, count);
}

/* Row k of L has entries in all columns on the paths of the elimination tree from the entries of N
 * in that row up to k; the other rows of its block have the same. Counts the entries, or, given
 * room for them, enters them. */
static void walk_rows(Ldl* s, const Places* t, bool count) {
    for (int k = 0; k < s->block_count; k++) {
        int first = s->block_start[k], size = block_size(s, k), end = first + size;
        for (int p = first; p < end; p++) {
            t->seen[p] = k;
            if (count) {
                t->parent[p] = p + 1 < end ? p + 1 : -1;
                s->L_start[p + 1] += end - p - 1;
            } else {
                for (int i = p + 1; i < end; i++) s->L_row[s->L_start[p]++] = i;
            }
        }
        for (int e = s->Y_start[k]; e < s->Y_start[k + 1]; e++)
            for (int j = s->Y_col[e]; t->seen[j] != k; j = t->parent[j]) {
                if (t->parent[j] < 0) t->parent[j] = first;
                t->seen[j] = k;
                if (count) {
                    s->L_start[j + 1] += size;
                    s->row_start[k + 1]++;
                } else {
                    for (int i = first; i < end; i++) s->L_row[s->L_start[j]++] = i;
                }
            }
    }
}

/* The columns of each block of rows, ascending. */
static void list_columns(Ldl* s, const Places* t) {
    for (int j = 0; j < s->n; j++)
        for (int p = s->L_start[j]; p < s->L_start[j + 1]; p++) {
            int k = t->block[s->L_row[p]];
            if (s->L_row[p] != s->block_start[k] || t->block[j] == k) continue;
            s->row_at[s->row_start[k]] = p;
            s->row_col[s->row_start[k]++] = j;
        }
    fp_linsys_rewind_starts(s->block_count, s->row_start);
}

static FpStatus find_structure(Ldl* s, Places* t, const FpLowerTriangle* N) {
    int n = s->n;
    number_places(s, t);
    send_entries(s, t, N, true);
    fp_linsys_sum_starts(s->block_count, s->Y_start);
    send_entries(s, t, N, false);
    fp_linsys_rewind_starts(s->block_count, s->Y_start);

    walk_rows(s, t, true);
    for (int j = 0; j < n; j++) {
        double count = s->L_start[j + 1];
        s->work += count * (count + 3) / 2;
        t->seen[j] = -1;
    }
    fp_linsys_sum_starts(n, s->L_start);
    fp_linsys_sum_starts(s->block_count, s->row_start);
    if (!allocate_numbers(s)) return FREEPLAY_OUT_OF_MEMORY;
    walk_rows(s, t, false);
    fp_linsys_rewind_starts(n, s->L_start);
    list_columns(s, t);
    return FREEPLAY_OK;
}

static FpStatus ldl_analyse(void* self, const FpLowerTriangle* N) {
    Ldl* s = self;
    size_t n = (size_t)N->n;
    release(s);
    int* ints = calloc(4 * n + 1, sizeof *ints);
    Places t = {ints, ints + n, ints + 2 * n, ints + 3 * n};
    FpStatus status = FREEPLAY_OUT_OF_MEMORY;
    if (ints && allocate_structure(s, N))
        status = fp_linsys_order_blocks(N, s->base_order, s->block_start, &s->block_count);
    if (!status) status = find_structure(s, &t, N);
    free(ints);
    return status;
}

double fp_linsys_ldl_work(const void* self) {
    return ((const Ldl*)self)->work;
}

/* Solves the rows of a block with column j of L, and takes their part from S. */
static void eliminate_column(Ldl* s, int size, int j, int at, double* S) {
    double *L = s->L_value, *y = s->Y + (size_t)j * (size_t)size;
    for (int p = s->L_start[j]; size == 1 && p < at; p++) s->Y[s->L_row[p]] -= L[p] * y[0];
    for (int p = s->L_start[j]; size > 1 && p < at; p++) {
        double l = L[p], *to = s->Y + (size_t)s->L_row[p] * (size_t)size;
        for (int a = 0; a < size; a++) to[a] -= l * y[a];
    }
    for (int a = 0; a < size; a++) {
        double l = y[a] * s->D_inverse[j], *to = S + (size_t)a * (size_t)size;
        L[at + a] = l;
        for (int b = a; b < size; b++) to[b] -= l * y[b];
    }
}

/* In a semidefinite matrix a row without pivot has no other entries either: |y|^2 <= d_j d_a. */
static bool column_is_round_off(const Ldl* s, int size, int j, const double* tiny) {
    const double* y = s->Y + (size_t)j * (size_t)size;
    for (int a = 0; a < size; a++)
        if (!(y[a] * y[a] <= 4 * s->tiny[j] * (tiny[a] / FREEPLAY_REDUNDANT))) return false;
    return true;
}

static bool eliminate_columns(Ldl* s, int k, double* S, double* tiny) {
    int size = block_size(s, k);
    bool semidefinite = true;
    for (int e = s->row_start[k]; e < s->row_start[k + 1]; e++) {
        int j = s->row_col[e];
        if (s->D_inverse[j] == 0 && !column_is_round_off(s, size, j, tiny)) semidefinite = false;
        eliminate_column(s, size, j, s->row_at[e], S);
        memset(s->Y + (size_t)j * (size_t)size, 0, (size_t)size * sizeof *s->Y);
    }
    return semidefinite;
}

/* Brings the rows of L of a block into the order of its pivots; x is scratch. */
static void permute_rows(Ldl* s, int k, const int* order) {
    int size = block_size(s, k);
    for (int e = s->row_start[k]; e < s->row_start[k + 1]; e++) {
        double* L = s->L_value + s->row_at[e];
        memcpy(s->x, L, (size_t)size * sizeof *L);
        for (int a = 0; a < size; a++) L[a] = s->x[order[a]];
    }
}

static void enter_pivots(Ldl* s, int k, int rank, const double* S) {
    int first = s->block_start[k], size = block_size(s, k);
    for (int a = 0; a < size; a++) {
        const double* from = S + (size_t)a * (size_t)size;
        double* L = s->L_value + s->L_start[first + a];
        s->D_inverse[first + a] = a < rank ? 1 / from[a] : 0;
        for (int b = a + 1; b < size; b++) L[b - a - 1] = a < rank ? from[b] : 0;
    }
}

/* The rows of a block as far as they stand before it; columns are where pivoting took them. */
static void load_rows(Ldl* s, int k, const FpLowerTriangle* N) {
    int size = block_size(s, k);
    for (int p = s->Y_start[k]; p < s->Y_start[k + 1]; p++) {
        int column = s->pivoted[s->Y_col[p]];
        s->Y[(size_t)column * (size_t)size + (size_t)s->Y_row[p]] = N->value[s->Y_from[p]];
    }
}

static FpStatus factor_block(Ldl* s, int k, const FpLowerTriangle* N) {
    int first = s->block_start[k], size = block_size(s, k), *order = s->order + first;
    double *S = s->S + s->S_at[k], *tiny = s->tiny + first;
    for (int a = 0; a < size; a++) tiny[a] = FREEPLAY_REDUNDANT * S[(size_t)a * ((size_t)size + 1)];
    load_rows(s, k, N);
    if (!eliminate_columns(s, k, S, tiny)) return FREEPLAY_INVALID_ARGUMENT;
    int rank;
    FpStatus status = fp_pivoted_factor(size, S, tiny, order, &rank);
    if (status) return status;
    permute_rows(s, k, order);
    enter_pivots(s, k, rank, S);
    if (rank < size) fp_pivoted_prepare_least_norm(size, rank, S);
    for (int a = 0; a < size; a++) {
        s->pivoted[first + order[a]] = first + a;
        order[a] = s->base_order[first + order[a]];
    }
    s->block_rank[k] = rank;
    s->redundant_count += size - rank;
    return FREEPLAY_OK;
}

static FpStatus ldl_factor(void* self, const FpLowerTriangle* N) {
    Ldl* s = self;
    if (s->n == 0) return FREEPLAY_OK;
    int last = s->block_count - 1, size = block_size(s, last);
    memset(s->S, 0, (size_t)(s->S_at[last] + size * size) * sizeof *s->S);
    for (int p = 0; p < s->S_entries; p++) s->S[s->S_to[p]] = N->value[s->S_from[p]];
    s->redundant_count = 0;
    for (int k = 0; k < s->block_count; k++) {
        FpStatus status = factor_block(s, k, N);
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

static double product(int n, const double* x, const double* y) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * y[k];
    return sum;
}

/* The gradient Z^T x, in the redundant places, and where it leads to: (Z^T Z)^-1 of it, as if every
 * block were alone. Returns their product. */
static double find_gradient(Ldl* s, const double* x) {
    memcpy(s->gradient, x, (size_t)s->n * sizeof *x);
    solve_L(s, s->gradient);
    for (int k = 0; k < s->n; k++) s->searched[k] = s->gradient[k] *= s->D_inverse[k] == 0;
    for (int k = 0; k < s->block_count; k++) {
        int size = block_size(s, k), rank = s->block_rank[k];
        if (rank < size)
            fp_pivoted_solve_block(size, s->S + s->S_at[k], rank, size,
                                   s->searched + s->block_start[k]);
    }
    return product(s->n, s->gradient, s->searched);
}

/* Takes from x its part in the null space: conjugate gradients on min |x - Z w|. One step is enough
 * where each block is redundant in itself. Once round-off is all that is left to take, the steps
 * grow again. */
static void take_least_norm(Ldl* s, double* x) {
    int n = s->n;
    size_t size = (size_t)n * sizeof *x;
    double slope = find_gradient(s, x), least_part = 1;
    memcpy(s->direction, s->searched, size);
    for (int count = 0; count < 2 * s->redundant_count + 10 && slope > 0; count++) {
        memcpy(s->step, s->direction, size);
        solve_L_transposed(s, s->step);
        double length = slope / product(n, s->step, s->step);
        double part = sqrt(length * slope / product(n, x, x)); /* of x, in this step */
        if (!(part <= (least_part < ROUND_OFF ? least_part : 1))) break;
        for (int k = 0; k < n; k++) x[k] -= length * s->step[k];
        if (part <= LEAST_NORM_ACCURACY) break;
        least_part = fmin(least_part, part);
        double before = slope;
        slope = find_gradient(s, x);
        for (int k = 0; k < n; k++)
            s->direction[k] = s->searched[k] + slope / before * s->direction[k];
    }
}

static FpStatus ldl_solve(void* self, double* b) {
    Ldl* s = self;
    int n = s->n;
    double* x = s->x;
    for (int k = 0; k < n; k++) x[k] = b[s->order[k]];
    solve_L(s, x);
    for (int k = 0; k < n; k++) x[k] *= s->D_inverse[k];
    solve_L_transposed(s, x);
    if (s->redundant_count > 0) take_least_norm(s, x);
    for (int k = 0; k < n; k++) b[s->order[k]] = x[k];
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
