#include "nlp/unsymmetric.h"

#include <klu.h>
#include <stdlib.h>
#include "nlp/linsys_impl.h"

struct FpUnsymmetric {
    int n;
    int *start, *row; /* pattern by columns */
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
    free(s->value);
    s->start = s->row = NULL;
    s->value = NULL;
    s->n = 0;
}

void fp_unsymmetric_destroy(FpUnsymmetric* s) {
    if (!s) return;
    release(s);
    free(s);
}

/* The neighbours of every column, and the diagonal behind them. */
static void fill_pattern(FpUnsymmetric* s, const FpLowerTriangle* lower) {
    int n = lower->n;
    fp_linsys_fill_graph(lower, s->start, s->row);
    for (int j = n - 1; j >= 0; j--) {
        int first = s->start[j], count = s->start[j + 1] - first;
        for (int p = count - 1; p >= 0; p--) s->row[first + j + p] = s->row[first + p];
        s->row[first + j + count] = j;
        s->start[j + 1] += j + 1;
    }
}

FpStatus fp_unsymmetric_analyze(FpUnsymmetric* s, int n, const int* start, const int* row) {
    const FpLowerTriangle lower = {.n = n, .start = start, .row = row};
    size_t entries = 2 * (size_t)start[n] + 1;
    release(s);
    s->start = calloc((size_t)n + 1, sizeof *s->start);
    s->row = calloc(entries, sizeof *s->row);
    s->value = calloc(entries, sizeof *s->value);
    if (!s->start || !s->row || !s->value) return FREEPLAY_OUT_OF_MEMORY;
    s->n = n;
    fill_pattern(s, &lower);
    s->symbolic = klu_analyze(n, s->start, s->row, &s->common);
    return s->symbolic ? FREEPLAY_OK : FREEPLAY_OUT_OF_MEMORY;
}

void fp_unsymmetric_entries(FpUnsymmetric* s, const int** start, const int** row, double** value) {
    *start = s->start;
    *row = s->row;
    *value = s->value;
}

FpStatus fp_unsymmetric_factor(FpUnsymmetric* s) {
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
