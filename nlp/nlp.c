#include "nlp/nlp.h"

#include <stdlib.h>
#include <string.h>
#include "nlp/crossover.h"
#include "nlp/ipopt.h"

static const FpNlpSolverOps* const solvers[] = {&fp_ipopt_solver};
enum { SOLVER_COUNT = sizeof solvers / sizeof solvers[0] };

/* The solvers that a choice stands for, in the order in which they are tried. */
struct FpNlpSolver {
    int count;
    const FpNlpSolverOps* ops[SOLVER_COUNT];
    void* self[SOLVER_COUNT];
    FpCrossover* crossover;
};

const FpNlpSolverOps* const* fp_nlp_solvers(int* count) {
    *count = SOLVER_COUNT;
    return solvers;
}

bool fp_nlp_is_one_sided(const FpNlp* nlp, int i) {
    for (int k = 0; k < nlp->pair_count; k++)
        if (nlp->pairs[k].constraint == i) return false;
    return nlp->g_lower[i] > -FREEPLAY_NO_BOUND && nlp->g_upper[i] >= FREEPLAY_NO_BOUND;
}

void fp_nlp_solver_destroy(FpNlpSolver* solver) {
    if (!solver) return;
    for (int k = 0; k < solver->count; k++) solver->ops[k]->destroy(solver->self[k]);
    fp_crossover_destroy(solver->crossover);
    free(solver);
}

FpNlpSolver* fp_nlp_solver_create(const char* name) {
    FpNlpSolver* solver = calloc(1, sizeof *solver);
    if (!solver) return NULL;
    bool all = strcmp(name, "auto") == 0;
    for (int k = 0; k < SOLVER_COUNT; k++) {
        if (!all && strcmp(name, solvers[k]->name) != 0) continue;
        solver->ops[solver->count] = solvers[k];
        solver->self[solver->count] = solvers[k]->create();
        if (!solver->self[solver->count]) break;
        solver->count++;
    }
    solver->crossover = fp_crossover_create();
    if (solver->count && solver->crossover) return solver;
    fp_nlp_solver_destroy(solver);
    return NULL;
}

/* One rung of a ladder: solve, sharpen, certify. */
static FpStatus attempt_once(FpNlpSolver* solver, int which, int attempt, const FpNlp* nlp,
                             const FpNlpOptions* options, FpNlpPoint* point, FpNlpReport* report) {
    const FpNlpSolverOps* ops = solver->ops[which];
    FpStatus status = ops->solve(solver->self[which], nlp, options, attempt, point, report);
    if (status) return status;
    /* Where the crossover gives up, the certificate may still accept the solver's own point. */
    (void)fp_crossover_sharpen(solver->crossover, nlp, point);
    if (!nlp->objective(nlp->context, point->x, &report->objective)) return FREEPLAY_NOT_FINITE;
    status = fp_nlp_certify(nlp, point, &report->certificate);
    if (status) return status;
    bool certified = report->certificate.worst <= FREEPLAY_CERTIFICATE_LIMIT;
    return certified ? FREEPLAY_OK : FREEPLAY_NOT_CERTIFIED;
}

FpStatus fp_nlp_solve(FpNlpSolver* solver, const FpNlp* nlp, const FpNlpOptions* options,
                      FpNlpPoint* point, FpNlpReport* report) {
    *report = (FpNlpReport){.retries = -1, .certificate.worst_constraint = -1};
    double* start = malloc(((size_t)nlp->n + 1) * sizeof *start);
    if (!start) return FREEPLAY_OUT_OF_MEMORY;
    memcpy(start, point->x, (size_t)nlp->n * sizeof *start);
    FpStatus status = FREEPLAY_SOLVER_FAILED;
    for (int which = 0; which < solver->count && status; which++) {
        for (int attempt = 0; attempt < solver->ops[which]->attempts && status; attempt++) {
            memcpy(point->x, start, (size_t)nlp->n * sizeof *start);
            report->retries++;
            report->solver = solver->ops[which]->name;
            status = attempt_once(solver, which, attempt, nlp, options, point, report);
            if (status == FREEPLAY_CANCELLED) goto done;
        }
    }
done:
    free(start);
    return status;
}
