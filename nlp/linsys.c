#include "nlp/linsys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/linsys_impl.h"

/* Where the backends change places, from bench/results/linsys.csv. Sparse and dense are about equal
 * to n = 20 while the pattern stays, dense is faster to n = 30 when it is new. MUMPS is slower
 * than sparse on chains of any length and pays where loops make much fill. */
#define DENSE_MAX_N    16
#define DENSE_MIN_FILL 0.5 /* of n^3/6 multiplications: a sparse factor that is nearly full */
#define MUMPS_MIN_WORK 5e6 /* multiplications of the sparse factor */

enum { DENSE, SPARSE, MUMPS, BACKEND_COUNT };
static const FpLinsysOps* const backends[] = {&fp_linsys_dense, &fp_linsys_ldl, &fp_linsys_mumps};

struct FpLinsys {
    FpLinsysKind kind;
    void* content[BACKEND_COUNT];
    bool analysed[BACKEND_COUNT];
    int chosen, current; /* by the pattern; by the last factor, -1 without one */
    bool has_pattern;
    int n, room;
    double* x;
};

FpLinsys* fp_linsys_create(FpLinsysKind kind) {
    FpLinsys* s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->kind = kind;
    s->current = -1;
    return s;
}

void fp_linsys_destroy(FpLinsys* s) {
    if (!s) return;
    for (int k = 0; k < BACKEND_COUNT; k++) backends[k]->destroy(s->content[k]);
    free(s->x);
    free(s);
}

static bool is_pattern(int n, const int* start, const int* row) {
    if (n < 0 || (n > 0 && start[0] != 0)) return false;
    for (int j = 0; j < n; j++) {
        int last = j - 1;
        for (int p = start[j]; p < start[j + 1]; last = row[p++])
            if (row[p] <= last || row[p] >= n) return false;
        if (start[j + 1] < start[j]) return false;
    }
    return true;
}

static bool are_finite(int count, const double* value) {
    for (int p = 0; p < count; p++)
        if (!isfinite(value[p])) return false;
    return true;
}

static FpStatus analyse(FpLinsys* s, int which, const FpLowerTriangle* N) {
    if (s->analysed[which]) return FREEPLAY_OK;
    if (!s->content[which]) s->content[which] = backends[which]->create();
    if (!s->content[which]) return FREEPLAY_OUT_OF_MEMORY;
    FpStatus status = backends[which]->analyse(s->content[which], N);
    s->analysed[which] = !status;
    return status;
}

/* The sparse analysis is cheap and tells what its factor will cost. */
static FpStatus choose(FpLinsys* s, const FpLowerTriangle* N) {
    static const int of_kind[] = {-1, DENSE, SPARSE, MUMPS};
    s->chosen = of_kind[s->kind];
    if (s->kind != FREEPLAY_LINSYS_AUTO) return FREEPLAY_OK;
    s->chosen = DENSE;
    if (N->n <= DENSE_MAX_N) return FREEPLAY_OK;
    FpStatus status = analyse(s, SPARSE, N);
    if (status) return status;
    double n = N->n, work = fp_linsys_ldl_work(s->content[SPARSE]);
    if (work > DENSE_MIN_FILL * n * n * n / 6) return FREEPLAY_OK;
    s->chosen = work > MUMPS_MIN_WORK ? MUMPS : SPARSE;
    return FREEPLAY_OK;
}

static FpStatus take_pattern(FpLinsys* s, const FpLowerTriangle* N) {
    s->has_pattern = false;
    memset(s->analysed, 0, sizeof s->analysed);
    if (!is_pattern(N->n, N->start, N->row)) return FREEPLAY_INVALID_ARGUMENT;
    if (N->n > s->room) {
        double* x = realloc(s->x, (size_t)N->n * sizeof *x);
        if (!x) return FREEPLAY_OUT_OF_MEMORY;
        s->x = x;
        s->room = N->n;
    }
    FpStatus status = choose(s, N);
    s->n = N->n;
    s->has_pattern = !status;
    return status;
}

static FpStatus factor_with(FpLinsys* s, int which, const FpLowerTriangle* N) {
    FpStatus status = analyse(s, which, N);
    if (!status) status = backends[which]->factor(s->content[which], N);
    if (!status) s->current = which;
    return status;
}

FpStatus fp_linsys_factor(FpLinsys* s, int n, const int* start, const int* row, const double* value,
                          bool pattern_changed) {
    FpLowerTriangle N = {n, start, row, value};
    s->current = -1;
    if (pattern_changed) {
        FpStatus status = take_pattern(s, &N);
        if (status) return status;
    }
    if (!s->has_pattern || n != s->n) return FREEPLAY_INVALID_ARGUMENT;
    if (n > 0 && !are_finite(start[n], value)) return FREEPLAY_NOT_FINITE;
    FpStatus status = factor_with(s, s->chosen, &N);
    return status == FREEPLAY_NOT_CONVERGED ? factor_with(s, SPARSE, &N) : status;
}

FpStatus fp_linsys_solve(FpLinsys* s, double* b) {
    if (s->current < 0) return FREEPLAY_INVALID_ARGUMENT;
    if (s->n == 0) return FREEPLAY_OK;
    if (!are_finite(s->n, b)) return FREEPLAY_NOT_FINITE;
    size_t size = (size_t)s->n * sizeof *b;
    memcpy(s->x, b, size);
    FpStatus status = backends[s->current]->solve(s->content[s->current], s->x);
    if (!status && !are_finite(s->n, s->x)) status = FREEPLAY_NOT_FINITE;
    if (!status) memcpy(b, s->x, size);
    return status;
}

int fp_linsys_rank(const FpLinsys* s) {
    return s->current < 0 ? 0 : backends[s->current]->rank(s->content[s->current]);
}

bool fp_linsys_is_singular(const FpLinsys* s) {
    return fp_linsys_rank(s) < s->n;
}

const char* fp_linsys_backend(const FpLinsys* s) {
    return backends[s->current < 0 ? s->chosen : s->current]->name;
}
