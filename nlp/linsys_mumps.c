/* MUMPS in the order of METIS (the packaged MUMPS knows no METIS, so the order is handed to it), on
 * N scaled to a unit diagonal. It looks for tiny pivots only to say that there are some. */
#include <dmumps_c.h>
#include <math.h>
#include <metis.h>
#include <stdbool.h>
#include <stdlib.h>
#include "nlp/linsys_impl.h"
#include "nlp/solver_lock.h"

#define NULL_PIVOT 1e-10 /* of the unit diagonal: smaller ones are left to another backend */

enum { JOB_INIT = -1, JOB_END = -2, JOB_ANALYSE = 1, JOB_FACTOR = 2, JOB_SOLVE = 3 };
enum { SYMMETRIC = 2, THIS_PROCESS_WORKS = 1, USE_COMM_WORLD = -987654, ORDER_GIVEN = 1 };
/* What MUMPS returns in INFOG(1). */
enum { WORKSPACE_TOO_SMALL = -9, NUMERICALLY_SINGULAR = -10, NO_MEMORY = -13 };

typedef struct Mumps {
    DMUMPS_STRUC_C id;
    bool is_open;
    int n;
    MUMPS_INT *irn, *jcn, *position; /* position of each row in the order, from 1 */
    double *value, *scale;
} Mumps;

static void* mumps_create(void) {
    return calloc(1, sizeof(Mumps));
}

static int run(Mumps* s, int job) {
    s->id.job = job;
    fp_solver_lock();
    dmumps_c(&s->id);
    fp_solver_unlock();
    return s->id.infog[0];
}

static void release(Mumps* s) {
    if (s->is_open) run(s, JOB_END);
    free(s->irn);
    free(s->value);
    *s = (Mumps){0};
}

static void mumps_destroy(void* self) {
    if (self) release(self);
    free(self);
}

static FpStatus status_of(int code) {
    if (code >= 0) return FREEPLAY_OK;
    if (code == NUMERICALLY_SINGULAR) return FREEPLAY_NOT_CONVERGED;
    return code == NO_MEMORY ? FREEPLAY_OUT_OF_MEMORY : FREEPLAY_SOLVER_FAILED;
}

static bool allocate(Mumps* s, const FpLowerTriangle* N) {
    size_t n = (size_t)N->n, entries = n ? (size_t)N->start[N->n] : 0;
    s->n = N->n;
    s->irn = malloc((2 * entries + n + 1) * sizeof *s->irn);
    s->value = malloc((entries + n + 1) * sizeof *s->value);
    if (!s->irn || !s->value) return false;
    s->jcn = s->irn + entries;
    s->position = s->jcn + entries;
    s->scale = s->value + entries;
    return true;
}

/* METIS draws random numbers from one generator of the process: it shares the lock, and starts from
 * the same seed each time. */
static FpStatus find_order(Mumps* s, const FpLowerTriangle* N) {
    size_t n = (size_t)N->n;
    idx_t* start = malloc((2 * n + 1 + 2 * (size_t)N->start[n]) * sizeof *start);
    if (!start) return FREEPLAY_OUT_OF_MEMORY;
    idx_t *order = start + n + 1, *neighbour = order + n, count = N->n;
    fp_linsys_fill_graph(N, start, neighbour);
    for (int k = 0; k < s->n; k++) s->position[k] = k;
    int code = METIS_OK;
    if (start[n] > 0) {
        fp_solver_lock();
        code = METIS_NodeND(&count, start, neighbour, NULL, NULL, order, s->position);
        fp_solver_unlock();
    }
    for (int k = 0; k < s->n; k++) s->position[k]++;
    free(start);
    return code == METIS_OK ? FREEPLAY_OK : FREEPLAY_SOLVER_FAILED;
}

static void set_options(DMUMPS_STRUC_C* id) {
    for (int k = 0; k < 4; k++) id->icntl[k] = k < 3 ? -1 : 0; /* silent */
    id->icntl[5] = 0;                                          /* no permutation to the diagonal */
    id->icntl[6] = ORDER_GIVEN;
    id->icntl[7] = 0;  /* no scaling: done here */
    id->icntl[9] = 0;  /* no refinement */
    id->icntl[11] = 1; /* the usual analysis of symmetric matrices */
    id->icntl[23] = 1; /* detect null pivots */
    id->cntl[0] = 0;   /* no pivoting: N is definite or left to another backend */
    id->cntl[2] = NULL_PIVOT;
}

static FpStatus open_mumps(Mumps* s) {
    s->id.par = THIS_PROCESS_WORKS;
    s->id.sym = SYMMETRIC;
    s->id.comm_fortran = USE_COMM_WORLD;
    FpStatus status = status_of(run(s, JOB_INIT));
    s->is_open = !status;
    return status;
}

static FpStatus mumps_analyse(void* self, const FpLowerTriangle* N) {
    Mumps* s = self;
    release(s);
    if (!allocate(s, N)) return FREEPLAY_OUT_OF_MEMORY;
    if (N->n == 0) return FREEPLAY_OK;
    for (int j = 0; j < N->n; j++)
        for (int p = N->start[j]; p < N->start[j + 1]; p++) {
            s->irn[p] = N->row[p] + 1;
            s->jcn[p] = j + 1;
        }
    FpStatus status = find_order(s, N);
    if (!status) status = open_mumps(s);
    if (status) return status;
    set_options(&s->id);
    s->id.n = N->n;
    s->id.nnz = N->start[N->n];
    s->id.irn = s->irn;
    s->id.jcn = s->jcn;
    s->id.a = s->value;
    s->id.perm_in = s->position;
    return status_of(run(s, JOB_ANALYSE));
}

/* False if an entry of the diagonal is not positive. */
static bool load_scaled(Mumps* s, const FpLowerTriangle* N) {
    for (int j = 0; j < s->n; j++) {
        int p = N->start[j];
        bool is_diagonal = p < N->start[j + 1] && N->row[p] == j;
        if (!is_diagonal || !(N->value[p] > 0)) return false;
        s->scale[j] = 1 / sqrt(N->value[p]);
    }
    for (int j = 0; j < s->n; j++)
        for (int p = N->start[j]; p < N->start[j + 1]; p++)
            s->value[p] = N->value[p] * s->scale[j] * s->scale[N->row[p]];
    return true;
}

static FpStatus mumps_factor(void* self, const FpLowerTriangle* N) {
    Mumps* s = self;
    if (s->n == 0) return FREEPLAY_OK;
    if (!load_scaled(s, N)) return FREEPLAY_NOT_CONVERGED;
    int code = run(s, JOB_FACTOR);
    for (int tries = 0; code == WORKSPACE_TOO_SMALL && tries < 5; tries++) {
        s->id.icntl[13] = 2 * s->id.icntl[13] + 20; /* percent more than estimated */
        code = run(s, JOB_FACTOR);
    }
    if (code < 0) return status_of(code);
    int negative_pivots = s->id.infog[11], null_pivots = s->id.infog[27];
    return negative_pivots || null_pivots ? FREEPLAY_NOT_CONVERGED : FREEPLAY_OK;
}

static FpStatus mumps_solve(void* self, double* x) {
    Mumps* s = self;
    for (int k = 0; k < s->n; k++) x[k] *= s->scale[k];
    s->id.rhs = x;
    FpStatus status = status_of(run(s, JOB_SOLVE));
    for (int k = 0; k < s->n; k++) x[k] *= s->scale[k];
    return status;
}

static int mumps_rank(const void* self) {
    return ((const Mumps*)self)->n;
}

const FpLinsysOps fp_linsys_mumps = {
    .name = "mumps",
    .create = mumps_create,
    .destroy = mumps_destroy,
    .analyse = mumps_analyse,
    .factor = mumps_factor,
    .solve = mumps_solve,
    .rank = mumps_rank,
};
