#include "nlp/unsymmetric.h"

#include <klu.h>
#include <stdlib.h>
#include "nlp/linsys_impl.h"

struct FpUnsymmetric {
    int n, given;       /* unknowns, entries of the triangle that gave the pattern */
    int *start, *row;   /* pattern by columns */
    int *lower, *upper; /* where the two entries stand that each of the triangle's gave */
    double* value;
    klu_common common;
    klu_symbolic* symbolic;
    klu_numeric* numeric;
};

FpUnsymmetric* fp_unsymmetric_create(void) {
    FpUnsymmetric* s = calloc(1, sizeof *s);
    if (s) klu_defaults(&s->common);
    return s;
}

static void release(FpUnsymmetric* s) {
    if (s->numeric) klu_free_numeric(&s->numeric, &s->common);
    if (s->symbolic) klu_free_symbolic(&s->symbolic, &s->common);
    free(s->start);
    free(s->row);
    free(s->lower);
    free(s->value);
    s->start = s->row = s->lower = NULL;
    s->value = NULL;
    s->n = 0;
}

void fp_unsymmetric_destroy(FpUnsymmetric* s) {
    if (!s) return;
    release(s);
    free(s);
}

static void fill_pattern(FpUnsymmetric* s, const int* start, const int* row) {
    int* next = s->start;
    for (int j = 0; j < s->n; j++)
        for (int p = start[j]; p < start[j + 1]; p++) {
            s->start[j + 1]++;
            if (row[p] != j) s->start[row[p] + 1]++;
        }
    fp_linsys_sum_starts(s->n, s->start);
    for (int j = 0; j < s->n; j++)
        for (int p = start[j]; p < start[j + 1]; p++) {
            int i = row[p];
            s->row[next[j]] = i;
            s->lower[p] = s->upper[p] = next[j]++;
            if (i == j) continue;
            s->row[next[i]] = j;
            s->upper[p] = next[i]++;
        }
    fp_linsys_rewind_starts(s->n, s->start);
}

FpStatus fp_unsymmetric_analyze(FpUnsymmetric* s, int n, const int* start, const int* row) {
    size_t entries = 2 * (size_t)start[n] + 1;
    release(s);
    s->start = calloc((size_t)n + 1, sizeof *s->start);
    s->row = calloc(entries, sizeof *s->row);
    s->lower = calloc(entries, sizeof *s->lower);
    s->value = calloc(entries, sizeof *s->value);
    if (!s->start || !s->row || !s->lower || !s->value) return FREEPLAY_OUT_OF_MEMORY;
    s->n = n;
    s->given = start[n];
    s->upper = s->lower + s->given;
    fill_pattern(s, start, row);
    s->symbolic = klu_analyze(n, s->start, s->row, &s->common);
    return s->symbolic ? FREEPLAY_OK : FREEPLAY_OUT_OF_MEMORY;
}

FpStatus fp_unsymmetric_factor(FpUnsymmetric* s, const double* lower, const double* upper) {
    for (int e = 0; e < s->given; e++) {
        s->value[s->lower[e]] = lower[e];
        s->value[s->upper[e]] = upper[e];
    }
    if (s->numeric) klu_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_factor(s->start, s->row, s->value, s->symbolic, &s->common);
    if (!s->numeric && s->common.status == KLU_OUT_OF_MEMORY) return FREEPLAY_OUT_OF_MEMORY;
    return s->numeric ? FREEPLAY_OK : FREEPLAY_NOT_CONVERGED;
}

FpStatus fp_unsymmetric_solve(FpUnsymmetric* s, bool transposed, double* b) {
    int solved = transposed ? klu_tsolve(s->symbolic, s->numeric, s->n, 1, b, &s->common)
                            : klu_solve(s->symbolic, s->numeric, s->n, 1, b, &s->common);
    return solved ? FREEPLAY_OK : FREEPLAY_NOT_CONVERGED;
}
