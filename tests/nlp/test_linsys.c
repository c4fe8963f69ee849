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

/* Joint j connects its own body to body before[j]; every joint is its body's first. */
typedef int (*Before)(int j);

static int chain_before(int j) {
    return j - 1;
}

static int tree_before(int j) {
    return j == 0 ? -1 : (j - 1) / 3;
}

/* The last of the bodies is joined to the first by one more joint if closed. */
static RowMatrix mechanism(int bodies, Before before, bool closed, RowMatrixDef def) {
    int(*joints)[2] = calloc((size_t)bodies + 1, sizeof *joints);
    assert_non_null(joints);
    for (int j = 0; j < bodies; j++) {
        joints[j][0] = before(j);
        joints[j][1] = j;
    }
    joints[bodies][0] = bodies - 1;
    joints[bodies][1] = -1;
    def.body_count = bodies;
    def.joint_count = bodies + closed;
    def.joints = (const int(*)[2])joints;
    RowMatrix N = row_matrix_create(&def);
    free(joints);
    return N;
}

static void trees_match_lapack(void** unused) {
    (void)unused;
    RowMatrixDef def = {.rows = 5, .rank = 5};
    assert_solved_by_all(mechanism(40, tree_before, false, def), 1e-9);
}

/* Joints with twelve rows of rank five, as a prismatic one, and a loop of parallel joints through
 * the ground, whose five rows add up to zero around it. */
static void redundant_rows_match_lapack(void** unused) {
    (void)unused;
    for (int bodies = 1; bodies <= 16; bodies++) {
        RowMatrixDef sliders = {.rows = 12, .rank = 5},
                     ring = {.rows = 5, .rank = 5, .parallel = 1};
        assert_solved_by_all(mechanism(bodies, chain_before, false, sliders), 1e-9);
        assert_solved_by_all(mechanism(bodies, chain_before, true, ring), 1e-9);
    }
}

static void large_definite_systems_are_solved_to_round_off(void** unused) {
    (void)unused;
    RowMatrix systems[] = {
        row_matrix_chain(800, 5),
        mechanism(600, tree_before, false, (RowMatrixDef){.rows = 5, .rank = 5}),
        row_matrix_lattice(8),
    };
    for (int m = 0; m < 3; m++) {
        RowMatrix* N = &systems[m];
        double* b = random_vector(N->n, 7);
        for (int k = 0; k < KIND_COUNT; k++) {
            if (kinds[k] == FREEPLAY_LINSYS_DENSE) continue;
            int rank;
            double* x = solution(kinds[k], N, b, &rank);
            assert_int_equal(rank, N->n);
            assert_near(scaled_residual(N, x, b), 0, 1e-13);
            free(x);
        }
        free(b);
        row_matrix_destroy(N);
    }
}

/* v without its least-norm part lies in the null space, where x has nothing. The solution is
 * consistent, no longer than the x that made b, and orthogonal to that vector. */
static void assert_least_norm(FpLinsysKind kind, const RowMatrix* N, int expected_rank,
                              double tolerance) {
    int n = N->n, rank;
    double *made_of = random_vector(n, 5), *b = consistent(N, 5), *v = random_vector(n, 9);
    double* Nv = zeros(n);
    multiply(N, v, Nv);
    double *x = solution(kind, N, b, &rank), *least = solution(kind, N, Nv, &rank);
    assert_int_equal(rank, expected_rank);
    assert_near(scaled_residual(N, x, b), 0, 1e-11);
    assert_true(norm(x, n) < norm(made_of, n));
    double product = 0;
    for (int k = 0; k < n; k++) product += x[k] * (v[k] - least[k]);
    assert_near(product / (norm(x, n) * norm(v, n)), 0, tolerance);
    free(made_of);
    free(b);
    free(v);
    free(Nv);
    free(x);
    free(least);
}

static void solutions_of_long_redundant_chains_have_least_norm(void** unused) {
    (void)unused;
    RowMatrix sliders = mechanism(200, chain_before, false, (RowMatrixDef){.rows = 12, .rank = 5});
    RowMatrix ring =
        mechanism(300, chain_before, true, (RowMatrixDef){.rows = 5, .rank = 5, .parallel = 1});
    const FpLinsysKind large[] = {FREEPLAY_LINSYS_AUTO, FREEPLAY_LINSYS_SPARSE,
                                  FREEPLAY_LINSYS_MUMPS};
    for (int k = 0; k < 3; k++) {
        assert_least_norm(large[k], &sliders, 200 * 5, 1e-11);
        assert_least_norm(large[k], &ring, 300 * 5, 1e-11);
    }
    row_matrix_destroy(&sliders);
    row_matrix_destroy(&ring);
}

/* Rows multiplied by up to 10^+-3, entries of N by up to 10^+-6: the null space is then known to
 * 1e-16 times 1e6, and a row's redundancy must not be mistaken. */
static void mixed_units_keep_rank_and_least_norm(void** unused) {
    (void)unused;
    for (int bodies = 1; bodies <= 24; bodies++) {
        RowMatrixDef def = {.rows = 12, .rank = 5, .decades = 3};
        RowMatrix N = mechanism(bodies, chain_before, false, def);
        for (int k = 0; k < KIND_COUNT; k++) assert_least_norm(kinds[k], &N, 5 * bodies, 1e-8);
        row_matrix_destroy(&N);
    }
}

/* Entries from 1e-12 to 1e12: two multiplications by powers of two change no digit. */
static void scale_of_N_changes_nothing(void** unused) {
    (void)unused;
    RowMatrix N = mechanism(6, chain_before, false, (RowMatrixDef){.rows = 12, .rank = 5});
    double* b = consistent(&N, 5);
    for (int k = 0; k < 3; k++) {
        int rank;
        double* expected = solution(kinds[k], &N, b, &rank);
        for (int sign = -1; sign <= 1; sign += 2) {
            double factor = ldexp(1, 40 * sign);
            RowMatrix scaled = N;
            scaled.value = copy_of(N.value, N.start[N.n]);
            for (int p = 0; p < N.start[N.n]; p++) scaled.value[p] *= factor;
            double* x = solution(kinds[k], &scaled, b, &rank);
            assert_int_equal(rank, 30);
            for (int i = 0; i < N.n; i++) assert_true(x[i] * factor == expected[i]);
            free(x);
            free(scaled.value);
        }
        free(expected);
    }
    free(b);
    row_matrix_destroy(&N);
}

static void smallest_systems(void** unused) {
    (void)unused;
    for (int k = 0; k < KIND_COUNT; k++) {
        FpLinsys* s = fp_linsys_create(kinds[k]);
        const int none[] = {0}, start[] = {0, 1, 2}, row[] = {0, 1};
        assert_int_equal(fp_linsys_factor(s, 0, none, NULL, NULL, true), FREEPLAY_OK);
        assert_int_equal(fp_linsys_solve(s, NULL), FREEPLAY_OK);
        assert_false(fp_linsys_is_singular(s));

        double b[] = {6, 0};
        assert_int_equal(fp_linsys_factor(s, 1, start, row, (double[]){3}, true), FREEPLAY_OK);
        assert_int_equal(fp_linsys_solve(s, b), FREEPLAY_OK);
        assert_near(b[0], 2, 1e-15);

        /* A row of zeros is redundant, and only zero is consistent with it. */
        assert_int_equal(fp_linsys_factor(s, 2, start, row, (double[]){0, 4}, true), FREEPLAY_OK);
        assert_int_equal(fp_linsys_rank(s), 1);
        b[0] = 0, b[1] = 2;
        assert_int_equal(fp_linsys_solve(s, b), FREEPLAY_OK);
        assert_near(b[0], 0, 0);
        assert_near(b[1], 0.5, 1e-16);
        fp_linsys_destroy(s);
    }
    fp_linsys_destroy(NULL);
}

/* The same object, other values: as if it were new, to the last bit. */
static void pattern_is_reused(void** unused) {
    (void)unused;
    RowMatrix N = mechanism(20, tree_before, false, (RowMatrixDef){.rows = 5, .rank = 5});
    RowMatrix first = N;
    first.value = copy_of(N.value, N.start[N.n]);
    for (int j = 0; j < N.n; j++) first.value[N.start[j]] *= 2;
    double* b = random_vector(N.n, 7);
    for (int k = 0; k < KIND_COUNT; k++) {
        FpLinsys* s = factored(kinds[k], &first);
        assert_int_equal(factor(s, &N, false), FREEPLAY_OK);
        int rank;
        double *x = copy_of(b, N.n), *expected = solution(kinds[k], &N, b, &rank);
        assert_int_equal(fp_linsys_solve(s, x), FREEPLAY_OK);
        assert_memory_equal(x, expected, (size_t)N.n * sizeof *x);
        fp_linsys_destroy(s);
        free(x);
        free(expected);
    }
    free(b);
    free(first.value);
    row_matrix_destroy(&N);
}

static FpStatus factor_2x2(FpLinsys* s, double a, double b, double c) {
    const int start[] = {0, 2, 3}, row[] = {0, 1, 1};
    return fp_linsys_factor(s, 2, start, row, (double[]){a, b, c}, true);
}

static void matrices_that_are_not_semidefinite_are_refused(void** unused) {
    (void)unused;
    for (int k = 0; k < KIND_COUNT; k++) {
        FpLinsys* s = fp_linsys_create(kinds[k]);
        assert_int_equal(factor_2x2(s, 1, 2, 1), FREEPLAY_INVALID_ARGUMENT);
        assert_int_equal(factor_2x2(s, 0, 1, 0), FREEPLAY_INVALID_ARGUMENT);
        assert_int_equal(factor_2x2(s, 0, 1, 1), FREEPLAY_INVALID_ARGUMENT);
        assert_int_equal(factor_2x2(s, -1, 0, 1), FREEPLAY_INVALID_ARGUMENT);
        assert_int_equal(factor_2x2(s, NAN, 0, 1), FREEPLAY_NOT_FINITE);
        assert_int_equal(factor_2x2(s, 1, INFINITY, 1), FREEPLAY_NOT_FINITE);
        assert_int_equal(fp_linsys_solve(s, (double[]){1, 1}), FREEPLAY_INVALID_ARGUMENT);
        assert_int_equal(factor_2x2(s, 1, 1, 1), FREEPLAY_OK);
        fp_linsys_destroy(s);

        /* A chain whose last joint pulls what is not there: rows of other blocks, no pivot. */
        RowMatrix N = row_matrix_chain(8, 5);
        N.value[N.start[20]] = 0;
        s = fp_linsys_create(kinds[k]);
        assert_int_equal(factor(s, &N, true), FREEPLAY_INVALID_ARGUMENT);
        row_matrix_destroy(&N);
        fp_linsys_destroy(s);
    }
}

static void wrong_input_is_refused(void** unused) {
    (void)unused;
    FpLinsys* s = fp_linsys_create(FREEPLAY_LINSYS_AUTO);
    const double value[] = {2, 1, 2};
    const int start[] = {0, 2, 3}, falling[] = {0, 2, 1}, good[] = {0, 1, 1};
    double b[] = {1, 1};
    assert_int_equal(fp_linsys_solve(s, b), FREEPLAY_INVALID_ARGUMENT);
    assert_int_equal(fp_linsys_factor(s, 2, start, good, value, false), FREEPLAY_INVALID_ARGUMENT);
    const int rows[][3] = {{1, 0, 1}, {0, 0, 1}, {0, 2, 1}, {0, 1, 0}};
    for (int k = 0; k < 4; k++)
        assert_int_equal(fp_linsys_factor(s, 2, start, rows[k], value, true),
                         FREEPLAY_INVALID_ARGUMENT);
    assert_int_equal(fp_linsys_factor(s, 2, falling, good, value, true), FREEPLAY_INVALID_ARGUMENT);
    assert_int_equal(fp_linsys_factor(s, -1, start, good, value, true), FREEPLAY_INVALID_ARGUMENT);
    assert_int_equal(fp_linsys_factor(s, 2, start, good, value, true), FREEPLAY_OK);
    assert_int_equal(fp_linsys_factor(s, 1, start, good, value, false), FREEPLAY_INVALID_ARGUMENT);
    assert_int_equal(fp_linsys_factor(s, 2, start, good, value, false), FREEPLAY_OK);
    b[1] = NAN;
    assert_int_equal(fp_linsys_solve(s, b), FREEPLAY_NOT_FINITE);
    assert_true(b[0] == 1);
    fp_linsys_destroy(s);
}

static void auto_takes_the_backend_that_suits(void** unused) {
    (void)unused;
    RowMatrix systems[] = {row_matrix_chain(2, 5), row_matrix_chain(64, 5), row_matrix_lattice(12)};
    const char* const expected[] = {"dense", "sparse", "mumps"};
    for (int m = 0; m < 3; m++) {
        FpLinsys* s = factored(FREEPLAY_LINSYS_AUTO, &systems[m]);
        assert_string_equal(fp_linsys_backend(s), expected[m]);
        fp_linsys_destroy(s);
        row_matrix_destroy(&systems[m]);
    }
}

static void* solve_by_mumps(void* data) {
    const RowMatrix* N = data;
    double* b = random_vector(N->n, 7);
    double worst = 0;
    for (int times = 0; times < 20; times++) {
        int rank;
        double* x = solution(FREEPLAY_LINSYS_MUMPS, N, b, &rank);
        worst = fmax(worst, scaled_residual(N, x, b));
        free(x);
    }
    free(b);
    return worst < 1e-13 ? data : NULL;
}

static void threads_take_turns_with_mumps(void** unused) {
    (void)unused;
    RowMatrix N = row_matrix_chain(50, 5);
    pthread_t threads[2];
    for (int k = 0; k < 2; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, solve_by_mumps, &N), 0);
    for (int k = 0; k < 2; k++) {
        void* solved;
        assert_int_equal(pthread_join(threads[k], &solved), 0);
        assert_non_null(solved);
    }
    row_matrix_destroy(&N);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_definite_systems_match_lapack),
        cmocka_unit_test(trees_match_lapack),
        cmocka_unit_test(redundant_rows_match_lapack),
        cmocka_unit_test(large_definite_systems_are_solved_to_round_off),
        cmocka_unit_test(solutions_of_long_redundant_chains_have_least_norm),
        cmocka_unit_test(mixed_units_keep_rank_and_least_norm),
        cmocka_unit_test(scale_of_N_changes_nothing),
        cmocka_unit_test(smallest_systems),
        cmocka_unit_test(pattern_is_reused),
        cmocka_unit_test(matrices_that_are_not_semidefinite_are_refused),
        cmocka_unit_test(wrong_input_is_refused),
        cmocka_unit_test(auto_takes_the_backend_that_suits),
        cmocka_unit_test(threads_take_turns_with_mumps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
