/* Every backend solves what mechanisms ask for, and all find the same solution. */
#include "tests/support.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "bench/row_matrix.h"
#include "nlp/dense.h"
#include "nlp/linsys.h"

static const FpLinsysKind kinds[] = {FREEPLAY_LINSYS_AUTO, FREEPLAY_LINSYS_DENSE,
                                     FREEPLAY_LINSYS_SPARSE, FREEPLAY_LINSYS_MUMPS};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

static double* zeros(int count) {
    double* x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static double* copy_of(const double* x, int count) {
    double* y = zeros(count);
    if (count > 0) memcpy(y, x, (size_t)count * sizeof *y);
    return y;
}

static double* random_vector(int n, unsigned long long seed) {
    double* x = zeros(n);
    for (int k = 0; k < n; k++) x[k] = row_matrix_random(&seed);
    return x;
}

static void multiply(const RowMatrix* N, const double* x, double* y) {
    for (int j = 0; j < N->n; j++) y[j] = 0;
    for (int j = 0; j < N->n; j++)
        for (int p = N->start[j]; p < N->start[j + 1]; p++) {
            int i = N->row[p];
            y[i] += N->value[p] * x[j];
            if (i != j) y[j] += N->value[p] * x[i];
        }
}

static double largest(const double* x, int n) {
    double value = 0;
    for (int k = 0; k < n; k++) value = fmax(value, fabs(x[k]));
    return value;
}

static double norm(const double* x, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

static FpStatus factor(FpLinsys* s, const RowMatrix* N, bool pattern_changed) {
    return fp_linsys_factor(s, N->n, N->start, N->row, N->value, pattern_changed);
}

static FpLinsys* factored(FpLinsysKind kind, const RowMatrix* N) {
    FpLinsys* s = fp_linsys_create(kind);
    assert_non_null(s);
    assert_int_equal(factor(s, N, true), FREEPLAY_OK);
    return s;
}

static double* solution(FpLinsysKind kind, const RowMatrix* N, const double* b, int* rank) {
    FpLinsys* s = factored(kind, N);
    double* x = copy_of(b, N->n);
    assert_int_equal(fp_linsys_solve(s, x), FREEPLAY_OK);
    *rank = fp_linsys_rank(s);
    assert_int_equal(fp_linsys_is_singular(s), *rank < N->n);
    fp_linsys_destroy(s);
    return x;
}

/* |b - N x|, row by row, in units of what the row's terms can be: N_ii, N_jj >= |N_ij|^2. */
static double scaled_residual(const RowMatrix* N, const double* x, const double* b) {
    int n = N->n;
    double *product = zeros(n), *scale = zeros(n), size = 0, worst = 0;
    multiply(N, x, product);
    for (int j = 0; j < n; j++)
        if (N->start[j] < N->start[j + 1] && N->row[N->start[j]] == j)
            scale[j] = sqrt(N->value[N->start[j]]);
    for (int j = 0; j < n; j++) size = fmax(size, scale[j] * fabs(x[j]));
    for (int j = 0; j < n; j++)
        if (scale[j] > 0) worst = fmax(worst, fabs(b[j] - product[j]) / (scale[j] * size));
    free(product);
    free(scale);
    return worst;
}

/* x from LAPACK's complete orthogonal factorization. */
static double* reference_solution(const RowMatrix* N, const double* b, int* rank) {
    int n = N->n;
    double *A = zeros(n * n), *x = copy_of(b, n), *work = zeros(fp_dense_work(n, n));
    int* pivots = calloc((size_t)n + 1, sizeof *pivots);
    for (int j = 0; j < n; j++)
        for (int p = N->start[j]; p < N->start[j + 1]; p++)
            A[j + N->row[p] * n] = A[N->row[p] + j * n] = N->value[p];
    assert_int_equal(fp_dense_least_norm(n, n, A, x, 1e-12, rank, work, pivots), FREEPLAY_OK);
    free(A);
    free(work);
    free(pivots);
    return x;
}

/* Consistent: b = N x of some x. */
static double* consistent(const RowMatrix* N, unsigned long long seed) {
    double *x = random_vector(N->n, seed), *b = zeros(N->n);
    multiply(N, x, b);
    free(x);
    return b;
}

static void assert_solved_by_all(RowMatrix N, double tolerance) {
    double* b = consistent(&N, 5);
    int expected_rank;
    double* expected = reference_solution(&N, b, &expected_rank);
    for (int k = 0; k < KIND_COUNT; k++) {
        int rank;
        double* x = solution(kinds[k], &N, b, &rank);
        assert_int_equal(rank, expected_rank);
        assert_near(scaled_residual(&N, x, b), 0, 1e-12);
        for (int i = 0; i < N.n; i++)
            assert_near(x[i], expected[i], tolerance * largest(expected, N.n));
        free(x);
    }
    free(expected);
    free(b);
    row_matrix_destroy(&N);
}

static void small_definite_systems_match_lapack(void** unused) {
    (void)unused;
    for (int n = 1; n <= 6; n++) assert_solved_by_all(row_matrix_chain(1, n), 1e-10);
    for (int n = 2; n <= 30; n++) assert_solved_by_all(row_matrix_chain(n, 5), 1e-10);
    assert_solved_by_all(row_matrix_lattice(4), 1e-10);
}

static void long_chains_are_solved_to_round_off(void** unused) {
    (void)unused;
    const int sizes[][2] = {{800, 5}, {300, 11}};
    for (int c = 0; c < 2; c++) {
        /* 11 rows a joint are two rows of bodies with 6 freedoms each: every joint has two bodies
         * of its own. */
        int rows = sizes[c][1], joints = sizes[c][0], per_joint = rows > 6 ? 2 : 1;
        int(*bodies)[2] = calloc((size_t)joints, sizeof *bodies);
        for (int j = 0; j < joints; j++) {
            bodies[j][0] = per_joint * j;
            bodies[j][1] = per_joint * j + 1;
        }
        RowMatrix N = row_matrix_create(&(RowMatrixDef){.body_count = per_joint * joints + 1,
                                                        .joint_count = joints,
                                                        .joints = (const int(*)[2])bodies,
                                                        .rows = rows,
                                                        .rank = rows});
        double* b = random_vector(N.n, 7);
        for (int k = 0; k < KIND_COUNT; k++) {
            if (kinds[k] == FREEPLAY_LINSYS_DENSE) continue;
            int rank;
            double* x = solution(kinds[k], &N, b, &rank);
            assert_int_equal(rank, N.n);
            assert_near(scaled_residual(&N, x, b), 0, 1e-13);
            free(x);
        }
        free(b);
        free(bodies);
        row_matrix_destroy(&N);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_definite_systems_match_lapack),
        cmocka_unit_test(long_chains_are_solved_to_round_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
