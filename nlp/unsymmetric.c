/* LU factors in dense blocks, in the order of AMD, without pivots: for matrices whose symmetric
 * part is (nearly) positive definite that is as stable as Cholesky's factors are. */
#include "nlp/unsymmetric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/linsys_impl.h"
#include "nlp/pivoted_ldl.h"

/* Block k of rows holds the places from block_start[k] on. The blocks that its elimination touches
 * are below[e], below_start[k] <= e < below_start[k + 1], ascending; L of block below[e] (its rows)
 * times k (columns) stands at value_at[e] of L, and the transpose of U there in U. */
struct FpUnsymmetric {
    int n, given, block_count; /* given: entries of the triangle that gave the pattern */
    int *ints, *below;         /* all integers of fixed number; blocks below */
    int *order, *place;        /* row that stands in each place, and back */
    int *block_start, *block_of, *diagonal_at, *below_start, *value_at;
    int *lower, *upper; /* where the two entries stand that each of the triangle's gave */
    int* seen;          /* of blocks: work */
    size_t diagonal_size, below_size;
    double *value, *L, *U; /* diagonal blocks, L below them, U^T */
    double *x, *size;      /* work; diagonal entries before elimination */
};

FpUnsymmetric* fp_unsymmetric_create(void) {
    return calloc(1, sizeof(FpUnsymmetric));
}

static void release(FpUnsymmetric* s) {
    free(s->ints);
    free(s->below);
    free(s->value);
    *s = (FpUnsymmetric){0};
}

void fp_unsymmetric_destroy(FpUnsymmetric* s) {
    if (!s) return;
    release(s);
    free(s);
}

static int block_size(const FpUnsymmetric* s, int k) {
    return s->block_start[k + 1] - s->block_start[k];
}

/* Analysis --------------------------------------------------------------------------------------
 */

static bool allocate(FpUnsymmetric* s, int n, int given) {
    size_t count = (size_t)n;
    s->ints = calloc(8 * count + 2 * (size_t)given + 3, sizeof *s->ints);
    if (!s->ints) return false;
    s->n = n;
    s->given = given;
    s->order = s->ints;
    s->place = s->order + n;
    s->block_of = s->place + n;
    s->diagonal_at = s->block_of + n;
    s->seen = s->diagonal_at + n;
    s->block_start = s->seen + n;
    s->below_start = s->block_start + n + 1;
    s->lower = s->below_start + n + 1;
    s->upper = s->lower + given;
    return true;
}

/* The blocks before each one that share an entry with it, with repetitions. */
typedef struct Graph {
    int *start, *before, *parent;
} Graph;

static bool find_graph(const FpUnsymmetric* s, const int* start, const int* row, Graph* g) {
    size_t blocks = (size_t)s->block_count;
    g->start = calloc(2 * blocks + 1 + (size_t)s->given, sizeof *g->start);
    if (!g->start) return false;
    g->parent = g->start + blocks + 1;
    g->before = g->parent + blocks;
    for (int count = 1; count >= 0; count--) {
        for (int j = 0; j < s->n; j++)
            for (int p = start[j]; p < start[j + 1]; p++) {
                int a = s->block_of[row[p]], b = s->block_of[j], last = a > b ? a : b;
                if (a == b) continue;
                if (count)
                    g->start[last + 1]++;
                else
                    g->before[g->start[last]++] = a + b - last;
            }
        if (count) fp_linsys_sum_starts(s->block_count, g->start);
    }
    fp_linsys_rewind_starts(s->block_count, g->start);
    return true;
}

/* Block i is below all blocks on the paths of the elimination tree from those before it up to i:
 * counts them, or enters them. */
static void walk_blocks(FpUnsymmetric* s, Graph* g, bool count) {
    for (int i = 0; i < s->block_count; i++) {
        s->seen[i] = i;
        if (count) g->parent[i] = -1;
        for (int e = g->start[i]; e < g->start[i + 1]; e++)
            for (int k = g->before[e]; s->seen[k] != i; k = g->parent[k]) {
                if (g->parent[k] < 0) g->parent[k] = i;
                s->seen[k] = i;
                if (count)
                    s->below_start[k + 1]++;
                else
                    s->below[s->below_start[k]++] = i;
            }
    }
}

static FpStatus find_blocks_below(FpUnsymmetric* s, const int* start, const int* row) {
    Graph g;
    if (!find_graph(s, start, row, &g)) return FREEPLAY_OUT_OF_MEMORY;
    walk_blocks(s, &g, true);
    fp_linsys_sum_starts(s->block_count, s->below_start);
    size_t below = (size_t)s->below_start[s->block_count];
    s->below = calloc(2 * below + 1, sizeof *s->below);
    if (s->below) {
        s->value_at = s->below + below;
        walk_blocks(s, &g, false);
        fp_linsys_rewind_starts(s->block_count, s->below_start);
    }
    free(g.start);
    return s->below ? FREEPLAY_OK : FREEPLAY_OUT_OF_MEMORY;
}

static bool allocate_values(FpUnsymmetric* s) {
    for (int k = 0; k < s->block_count; k++) {
        size_t size = (size_t)block_size(s, k);
        s->diagonal_at[k] = (int)s->diagonal_size;
        s->diagonal_size += size * size;
        for (int e = s->below_start[k]; e < s->below_start[k + 1]; e++) {
            s->value_at[e] = (int)s->below_size;
            s->below_size += size * (size_t)block_size(s, s->below[e]);
        }
    }
    size_t n = (size_t)s->n;
    s->value = calloc(s->diagonal_size + 2 * s->below_size + 2 * n + 1, sizeof *s->value);
    if (!s->value) return false;
    s->L = s->value + s->diagonal_size;
    s->U = s->L + s->below_size;
    s->x = s->U + s->below_size;
    s->size = s->x + n;
    return true;
}

/* Where entry (i, j) stands in the values, of which (j, i) is the mirror image. */
static int find_value(const FpUnsymmetric* s, int i, int j) {
    int a = s->block_of[i], b = s->block_of[j], first = a < b ? a : b, last = a + b - first;
    int in_a = s->place[i] - s->block_start[a], in_b = s->place[j] - s->block_start[b];
    int width = block_size(s, first);
    if (a == b) return s->diagonal_at[a] + in_a * width + in_b;
    int low = s->below_start[first], high = s->below_start[first + 1] - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (s->below[middle] < last)
            low = middle + 1;
        else
            high = middle;
    }
    int at = (int)s->diagonal_size + s->value_at[low];
    return a > b ? at + in_a * width + in_b : at + (int)s->below_size + in_b * width + in_a;
}

FpStatus fp_unsymmetric_analyze(FpUnsymmetric* s, int n, const int* start, const int* row) {
    const FpLowerTriangle pattern = {n, start, row, NULL};
    release(s);
    if (!allocate(s, n, start[n])) return FREEPLAY_OUT_OF_MEMORY;
    FpStatus status = fp_linsys_order_blocks(&pattern, s->order, s->block_start, &s->block_count);
    for (int k = 0; k < s->block_count && !status; k++)
        for (int p = s->block_start[k]; p < s->block_start[k + 1]; p++) {
            s->place[s->order[p]] = p;
            s->block_of[s->order[p]] = k;
        }
    if (!status) status = find_blocks_below(s, start, row);
    if (!status && !allocate_values(s)) status = FREEPLAY_OUT_OF_MEMORY;
    for (int j = 0; j < n && !status; j++)
        for (int p = start[j]; p < start[j + 1]; p++) {
            s->lower[p] = find_value(s, row[p], j);
            s->upper[p] = find_value(s, j, row[p]);
        }
    if (status) release(s);
    return status;
}

/* Factors --------------------------------------------------------------------------------------
 */

/* The joints of most mechanisms have 5 rows: for blocks of that size the functions below are laid
 * out flat, with the sizes known. */
#define FLAT 5

/* C -= A B^T, of m columns each. */
static inline void subtract_product(int rows, int columns, int m, const double* A, const double* B,
                                    double* restrict C) {
    for (int a = 0; a < rows; a++, A += m, C += columns)
        for (int b = 0; b < columns; b++) {
            double sum = 0;
            for (int k = 0; k < m; k++) sum += A[k] * B[m * b + k];
            C[b] -= sum;
        }
}

static void subtract(int rows, int columns, int m, const double* A, const double* B,
                     double* restrict C) {
    if (rows == FLAT && columns == FLAT && m == FLAT)
        subtract_product(FLAT, FLAT, FLAT, A, B, C);
    else
        subtract_product(rows, columns, m, A, B, C);
}

/* L below the diagonal, which is 1, U above, and the inverse of its diagonal on it. */
static inline bool eliminate(int n, double* A, const double* size) {
    for (int k = 0; k < n; k++) {
        double pivot = A[n * k + k];
        if (!(fabs(pivot) > FREEPLAY_REDUNDANT * size[k]) || !isfinite(pivot)) return false;
        A[n * k + k] = 1 / pivot;
        for (int i = k + 1; i < n; i++) {
            double l = A[n * i + k] *= A[n * k + k];
            for (int j = k + 1; j < n; j++) A[n * i + j] -= l * A[n * k + j];
        }
    }
    return true;
}

static bool factor_diagonal(int n, double* A, const double* size) {
    return n == FLAT ? eliminate(FLAT, A, size) : eliminate(n, A, size);
}

/* Rows of L below: x U = b. */
static inline void divide_by_U(int rows, int n, const double* A, double* restrict x) {
    for (int r = 0; r < rows; r++, x += n)
        for (int c = 0; c < n; c++) {
            x[c] *= A[n * c + c];
            for (int d = c + 1; d < n; d++) x[d] -= x[c] * A[n * c + d];
        }
}

/* Rows of U^T: L x = b. */
static inline void divide_by_L(int rows, int n, const double* A, double* restrict x) {
    for (int r = 0; r < rows; r++, x += n)
        for (int c = 0; c < n; c++)
            for (int d = 0; d < c; d++) x[c] -= A[n * c + d] * x[d];
}

static void divide(int rows, int n, const double* A, double* L, double* U) {
    if (n == FLAT) {
        divide_by_U(rows, FLAT, A, L);
        divide_by_L(rows, FLAT, A, U);
        return;
    }
    divide_by_U(rows, n, A, L);
    divide_by_L(rows, n, A, U);
}

/* Takes the part of block k from block i and from those below both. */
static void update_block(FpUnsymmetric* s, int k, int from) {
    int m = block_size(s, k), i = s->below[from], columns = block_size(s, i);
    const double *L = s->L + s->value_at[from], *U = s->U + s->value_at[from];
    subtract(columns, columns, m, L, U, s->value + s->diagonal_at[i]);
    for (int e = from + 1, at = s->below_start[i]; e < s->below_start[k + 1]; e++, at++) {
        while (s->below[at] != s->below[e]) at++;
        int rows = block_size(s, s->below[e]);
        subtract(rows, columns, m, s->L + s->value_at[e], U, s->L + s->value_at[at]);
        subtract(rows, columns, m, s->U + s->value_at[e], L, s->U + s->value_at[at]);
    }
}

double* fp_unsymmetric_entries(FpUnsymmetric* s, const int** lower, const int** upper) {
    memset(s->value, 0, (s->diagonal_size + 2 * s->below_size) * sizeof *s->value);
    *lower = s->lower;
    *upper = s->upper;
    return s->value;
}

FpStatus fp_unsymmetric_factor(FpUnsymmetric* s) {
    for (int k = 0; k < s->block_count; k++)
        for (int i = 0, n = block_size(s, k); i < n; i++)
            s->size[s->block_start[k] + i] = fabs(s->value[s->diagonal_at[k] + i * (n + 1)]);
    for (int k = 0; k < s->block_count; k++) {
        int n = block_size(s, k);
        double* A = s->value + s->diagonal_at[k];
        if (!factor_diagonal(n, A, s->size + s->block_start[k])) return FREEPLAY_NOT_CONVERGED;
        for (int e = s->below_start[k]; e < s->below_start[k + 1]; e++)
            divide(block_size(s, s->below[e]), n, A, s->L + s->value_at[e], s->U + s->value_at[e]);
        for (int e = s->below_start[k]; e < s->below_start[k + 1]; e++) update_block(s, k, e);
    }
    return FREEPLAY_OK;
}

/* Solution: A = L U, or A^T = U^T L^T, whose first factor has the diagonal. ---------------------
 */

static inline void solve_first(int n, const double* A, bool transposed, double* restrict x) {
    for (int c = 0; c < n; c++) {
        double sum = x[c];
        for (int d = 0; d < c; d++) sum -= (transposed ? A[n * d + c] : A[n * c + d]) * x[d];
        x[c] = transposed ? sum * A[n * c + c] : sum;
    }
}

static inline void solve_second(int n, const double* A, bool transposed, double* restrict x) {
    for (int c = n - 1; c >= 0; c--) {
        double sum = x[c];
        for (int d = c + 1; d < n; d++) sum -= (transposed ? A[n * d + c] : A[n * c + d]) * x[d];
        x[c] = transposed ? sum : sum * A[n * c + c];
    }
}

/* to -= A own */
static inline void subtract_rows(int rows, int n, const double* A, const double* own,
                                 double* restrict to) {
    for (int a = 0; a < rows; a++, A += n) {
        double sum = 0;
        for (int c = 0; c < n; c++) sum += A[c] * own[c];
        to[a] -= sum;
    }
}

/* own -= A^T from */
static inline void subtract_columns(int rows, int n, const double* A, const double* from,
                                    double* restrict own) {
    for (int a = 0; a < rows; a++, A += n)
        for (int c = 0; c < n; c++) own[c] -= A[c] * from[a];
}

static inline void forwards(const FpUnsymmetric* s, int k, int n, bool transposed, double* x) {
    const double* factor = transposed ? s->U : s->L;
    double* own = x + s->block_start[k];
    solve_first(n, s->value + s->diagonal_at[k], transposed, own);
    for (int e = s->below_start[k]; e < s->below_start[k + 1]; e++)
        subtract_rows(block_size(s, s->below[e]), n, factor + s->value_at[e], own,
                      x + s->block_start[s->below[e]]);
}

static inline void backwards(const FpUnsymmetric* s, int k, int n, bool transposed, double* x) {
    const double* factor = transposed ? s->L : s->U;
    double* own = x + s->block_start[k];
    for (int e = s->below_start[k]; e < s->below_start[k + 1]; e++)
        subtract_columns(block_size(s, s->below[e]), n, factor + s->value_at[e],
                         x + s->block_start[s->below[e]], own);
    solve_second(n, s->value + s->diagonal_at[k], transposed, own);
}

static inline void solve(FpUnsymmetric* s, bool transposed, double* b) {
    for (int p = 0; p < s->n; p++) s->x[p] = b[s->order[p]];
    for (int k = 0; k < s->block_count; k++) {
        int n = block_size(s, k);
        if (n == FLAT)
            forwards(s, k, FLAT, transposed, s->x);
        else
            forwards(s, k, n, transposed, s->x);
    }
    for (int k = s->block_count - 1; k >= 0; k--) {
        int n = block_size(s, k);
        if (n == FLAT)
            backwards(s, k, FLAT, transposed, s->x);
        else
            backwards(s, k, n, transposed, s->x);
    }
    for (int p = 0; p < s->n; p++) b[s->order[p]] = s->x[p];
}

FpStatus fp_unsymmetric_solve(FpUnsymmetric* s, bool transposed, double* b) {
    if (transposed)
        solve(s, true, b);
    else
        solve(s, false, b);
    return FREEPLAY_OK;
}
