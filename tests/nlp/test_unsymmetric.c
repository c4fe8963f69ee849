/* Nearly symmetric systems in blocks: solutions of A x = b and A^T x = b, and rows that repeat
 * others. */
#include "nlp/unsymmetric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/support.h"

enum { LINKS = 9, ROWS_MAX = 6, N_MAX = LINKS * ROWS_MAX, VELOCITIES = 6 * LINKS };

/* A = D W of groups of rows, of which group k lies over the bodies first[k] and k. */
typedef struct System {
    int n, group[N_MAX], first[LINKS];
    double W[N_MAX][VELOCITIES], D[N_MAX][VELOCITIES], A[N_MAX][N_MAX];
    int start[N_MAX + 1], row[N_MAX * N_MAX], entries;
} System;

static double noise(unsigned* state) {
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (1 << 23) - 1;
}

/* A chain, or a tree with a loop at its end; groups of 1 to 6 rows. */
static void make_system(System* s, bool chain, int rows) {
    unsigned state = 7;
    memset(s, 0, sizeof *s);
    for (int k = 0; k < LINKS; k++) {
        s->first[k] = chain || k == LINKS - 1 ? k - 1 : (k - 1) / 2;
        int count = rows ? rows : 1 + k % ROWS_MAX;
        for (int i = 0; i < count; i++, s->n++) {
            s->group[s->n] = k;
            for (int j = 0; j < VELOCITIES; j++) {
                if (j / 6 != k && j / 6 != s->first[k]) continue;
                s->W[s->n][j] = noise(&state);
                s->D[s->n][j] = s->W[s->n][j] + 0.02 * noise(&state);
            }
        }
    }
}

static bool share_a_body(const System* s, int i, int j) {
    int a = s->group[i], b = s->group[j];
    return a == b || s->first[a] == b || s->first[b] == a ||
           (s->first[a] >= 0 && s->first[a] == s->first[b]);
}

static void multiply_rows(System* s) {
    s->entries = 0;
    for (int j = 0; j < s->n; j++) {
        s->start[j] = s->entries;
        for (int i = 0; i < s->n; i++) {
            s->A[i][j] = 0;
            for (int k = 0; k < VELOCITIES; k++) s->A[i][j] += s->D[i][k] * s->W[j][k];
            if (i >= j && share_a_body(s, i, j)) s->row[s->entries++] = i;
        }
    }
    s->start[s->n] = s->entries;
}

static FpStatus factor(FpUnsymmetric* solver, const System* s) {
    const int *lower, *upper;
    double* value = fp_unsymmetric_entries(solver, &lower, &upper);
    for (int j = 0; j < s->n; j++)
        for (int p = s->start[j]; p < s->start[j + 1]; p++) {
            value[upper[p]] = s->A[j][s->row[p]];
            value[lower[p]] = s->A[s->row[p]][j];
        }
    return fp_unsymmetric_factor(solver);
}

static void assert_solves(FpUnsymmetric* solver, const System* s, bool transposed) {
    double x[N_MAX], b[N_MAX];
    for (int i = 0; i < s->n; i++) x[i] = b[i] = cos(i);
    assert_int_equal(fp_unsymmetric_solve(solver, transposed, x), FREEPLAY_OK);
    for (int i = 0; i < s->n; i++) {
        double sum = 0, size = 1;
        for (int j = 0; j < s->n; j++) {
            double term = (transposed ? s->A[j][i] : s->A[i][j]) * x[j];
            sum += term;
            size += fabs(term);
        }
        assert_near(sum, b[i], 1e-13 * size);
    }
}

static void solves_both_ways(void** unused) {
    (void)unused;
    System* s = malloc(sizeof *s);
    FpUnsymmetric* solver = fp_unsymmetric_create();
    assert_true(s && solver);
    for (int k = 0; k < 6; k++) {
        make_system(s, k % 2 == 0, k < 2 ? 5 : k < 4 ? 3 : 0);
        multiply_rows(s);
        assert_int_equal(fp_unsymmetric_analyze(solver, s->n, s->start, s->row), FREEPLAY_OK);
        for (int times = 0; times < 2; times++) {
            assert_int_equal(factor(solver, s), FREEPLAY_OK);
            assert_solves(solver, s, false);
            assert_solves(solver, s, true);
        }
    }
    fp_unsymmetric_destroy(solver);
    free(s);
}

static void declines_rows_that_repeat_others(void** unused) {
    (void)unused;
    System* s = malloc(sizeof *s);
    FpUnsymmetric* solver = fp_unsymmetric_create();
    assert_true(s && solver);
    make_system(s, true, 5);
    memcpy(s->W[12], s->W[13], sizeof s->W[12]);
    memcpy(s->D[12], s->D[13], sizeof s->D[12]);
    multiply_rows(s);
    assert_int_equal(fp_unsymmetric_analyze(solver, s->n, s->start, s->row), FREEPLAY_OK);
    assert_int_equal(factor(solver, s), FREEPLAY_NOT_CONVERGED);
    fp_unsymmetric_destroy(solver);
    free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solves_both_ways),
        cmocka_unit_test(declines_rows_that_repeat_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
