/* freeplay_bench_linsys: what the backends of nlp/linsys.h need to factorize and to solve, on
 * chains of hinged bodies and on lattices with many loops, and how exact they are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/row_matrix.h"
#include "nlp/linsys.h"
#include "bench/timing.h"

#define DENSE_MAX_N 1300 /* larger ones would take minutes */

static const FpLinsysKind kinds[] = {FREEPLAY_LINSYS_DENSE, FREEPLAY_LINSYS_SPARSE,
                                     FREEPLAY_LINSYS_MUMPS, FREEPLAY_LINSYS_AUTO};
static const char* const kind_names[] = {"dense", "sparse", "mumps", "auto"};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

typedef struct Times {
    double analyse, factor,
        solve;       /* microseconds: analysis with the first factor, then the least */
    double residual; /* |b - N x| over |N| |x|, largest components */
    const char* backend;
} Times;

static void check(FpStatus status) {
    if (!status) return;
    fprintf(stderr, "freeplay_bench_linsys: %s\n", fp_status_text(status));
    exit(1);
}

static double largest(int n, const double* x) {
    double value = 0;
    for (int k = 0; k < n; k++) value = fmax(value, fabs(x[k]));
    return value;
}

static double residual(const RowMatrix* N, const double* x, const double* b) {
    double* r = malloc(((size_t)N->n + 1) * sizeof *r);
    if (!r) check(FREEPLAY_OUT_OF_MEMORY);
    memcpy(r, b, (size_t)N->n * sizeof *r);
    for (int j = 0; j < N->n; j++)
        for (int p = N->start[j]; p < N->start[j + 1]; p++) {
            int i = N->row[p];
            r[i] -= N->value[p] * x[j];
            if (i != j) r[j] -= N->value[p] * x[i];
        }
    double value = largest(N->n, r) / (largest(N->start[N->n], N->value) * largest(N->n, x));
    free(r);
    return value;
}

/* Small systems are done several times at once: reading the clock takes longer than they do. */
static int batch(const RowMatrix* N) {
    return N->n < 100 ? 100 : 1;
}

static double timed_factor(FpLinsys* s, const RowMatrix* N, bool pattern_changed) {
    double started = timing_now();
    for (int k = 0; k < batch(N); k++)
        check(fp_linsys_factor(s, N->n, N->start, N->row, N->value, pattern_changed));
    return (timing_now() - started) / batch(N);
}

static double timed_solve(FpLinsys* s, const RowMatrix* N, const double* b, double* x) {
    double started = timing_now();
    for (int k = 0; k < batch(N); k++) {
        memcpy(x, b, (size_t)N->n * sizeof *x);
        check(fp_linsys_solve(s, x));
    }
    return (timing_now() - started) / batch(N);
}

/* The least of many repeats: the machine may be busy with something else. */
static Times measure(FpLinsysKind kind, const RowMatrix* N, double budget) {
    size_t size = (size_t)N->n * sizeof(double);
    double *b = malloc(size), *x = malloc(size);
    FpLinsys* s = fp_linsys_create(kind);
    if (!b || !x || !s) check(FREEPLAY_OUT_OF_MEMORY);
    unsigned long long seed = 3;
    for (int k = 0; k < N->n; k++) b[k] = row_matrix_random(&seed);
    Times times = {timed_factor(s, N, true), INFINITY, INFINITY, 0, NULL};
    double end = timing_now() + budget;
    do {
        times.factor = fmin(times.factor, timed_factor(s, N, false));
        times.solve = fmin(times.solve, timed_solve(s, N, b, x));
    } while (timing_now() < end);
    times.residual = residual(N, x, b);
    times.backend = fp_linsys_backend(s);
    fp_linsys_destroy(s);
    free(b);
    free(x);
    return times;
}

static void measure_all(const char* scene, int size, RowMatrix N, double budget, FILE* csv) {
    for (int k = 0; k < KIND_COUNT; k++) {
        if (kinds[k] == FREEPLAY_LINSYS_DENSE && N.n > DENSE_MAX_N) continue;
        Times t = measure(kinds[k], &N, budget);
        printf("%-8s %5d %6d %-6s %-6s %10.2f %10.2f %10.2f %9.1e\n", scene, size, N.n,
               kind_names[k], t.backend, t.analyse, t.factor, t.solve, t.residual);
        if (csv)
            fprintf(csv, "%s,%d,%d,%d,%s,%s,%.2f,%.2f,%.2f,%.1e\n", scene, size, N.n, N.start[N.n],
                    kind_names[k], t.backend, t.analyse, t.factor, t.solve, t.residual);
    }
    row_matrix_destroy(&N);
}

int main(int argc, char** argv) {
    static const int bodies[] = {1, 2, 3, 4, 5, 6, 8, 16, 64, 256, 1024};
    static const int sides[] = {2, 3, 4, 6, 8, 10, 12};
    bool quick = argc == 2 && strcmp(argv[1], "--quick") == 0;
    if (argc > 2 || (argc == 2 && argv[1][0] == '-' && !quick)) {
        fputs("usage: freeplay_bench_linsys [--quick | FILE.csv]\n", stderr);
        return 2;
    }
    double budget = quick ? 0 : 0.5e6;
    FILE* csv = argc == 2 && !quick ? fopen(argv[1], "w") : NULL;
    if (argc == 2 && !quick && !csv) check(FREEPLAY_FILE_ERROR);
    printf("%-8s %5s %6s %-6s %-6s %10s %10s %10s %9s\n", "scene", "size", "n", "kind", "used",
           "first us", "factor us", "solve us", "residual");
    if (csv) fputs("scene,size,n,entries,kind,backend,us_first,us_factor,us_solve,residual\n", csv);
    for (size_t k = 0; k < sizeof bodies / sizeof bodies[0] && (!quick || bodies[k] <= 16); k++)
        measure_all("chain", bodies[k], row_matrix_chain(bodies[k], 5), budget, csv);
    for (size_t k = 0; k < sizeof sides / sizeof sides[0] && (!quick || sides[k] <= 4); k++)
        measure_all("lattice", sides[k], row_matrix_lattice(sides[k]), budget, csv);
    if (csv && fclose(csv)) check(FREEPLAY_FILE_ERROR);
    return 0;
}
