#include "nlp/nlp.h"

#include <stdlib.h>
#include <string.h>
#include "nlp/cone_equations.h"
#include "nlp/crossover.h"
#include "nlp/ipopt.h"
#include "nlp/structured.h"

static const FpNlpSolverOps* const solvers[] = {&fp_structured_solver, &fp_ipopt_solver};
enum { SOLVER_COUNT = sizeof solvers / sizeof solvers[0] };

/* The solvers that a choice stands for, in the order in which they are tried. */
struct FpNlpSolver {
    int count;
    const FpNlpSolverOps* ops[SOLVER_COUNT];
    void* self[SOLVER_COUNT];
    FpCrossover* crossover;
    FpConeEquations* cones; /* what the crossover is given where there is friction */
    FpCertifier* certifier;
    double* start; /* the point that every attempt begins with */
    int start_room;
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
    fp_cone_equations_destroy(solver->cones);
    fp_certifier_destroy(solver->certifier);
    free(solver->start);
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
    solver->cones = fp_cone_equations_create();
    solver->certifier = fp_certifier_create();
    if (solver->count && solver->crossover && solver->cones && solver->certifier) return solver;
    fp_nlp_solver_destroy(solver);
    return NULL;
}

/* Where the crossover gives up, the certificate may still accept the solver's own point. */
static void sharpen(FpNlpSolver* solver, const FpNlp* nlp, FpNlpPoint* point) {
    const FpNlp* equations = nlp;
    if (nlp->cone_count) equations = fp_cone_equations_pose(solver->cones, nlp);
    if (equations) (void)fp_crossover_sharpen(solver->crossover, equations, point);
}

/* One rung of a ladder: solve, sharpen, certify. */
static FpStatus attempt_once(FpNlpSolver* solver, int which, int attempt, const FpNlp* nlp,
                             const FpNlpOptions* options, FpNlpPoint* point, FpNlpReport* report) {
    const FpNlpSolverOps* ops = solver->ops[which];
    FpStatus solved = ops->solve(solver->self[which], nlp, options, attempt, point, report);
    /* Where nothing is to be optimized a point that is near is as good as one that has converged.
     */
    bool near = solved == FREEPLAY_NOT_CONVERGED && nlp->determined && !ops->exact;
    if (solved && !near) return solved;
    if (!ops->exact) sharpen(solver, nlp, point);
    if (!nlp->objective(nlp->context, point->x, &report->objective)) return FREEPLAY_NOT_FINITE;
    FpStatus status = fp_certifier_certify(solver->certifier, nlp, point, &report->certificate);
    if (status) return status;
    bool certified = report->certificate.worst <= FREEPLAY_CERTIFICATE_LIMIT;
    return certified ? FREEPLAY_OK : solved ? solved : FREEPLAY_NOT_CERTIFIED;
}

static bool keep_start(FpNlpSolver* solver, const FpNlp* nlp, const double* x) {
    if (nlp->n > solver->start_room) {
        double* larger = realloc(solver->start, (size_t)nlp->n * sizeof *larger);
        if (!larger) return false;
        solver->start = larger;
        solver->start_room = nlp->n;
    }
    memcpy(solver->start, x, (size_t)nlp->n * sizeof *x);
    return true;
}

FpStatus fp_nlp_solve(FpNlpSolver* solver, const FpNlp* nlp, const FpNlpOptions* options,
                      FpNlpPoint* point, FpNlpReport* report) {
    *report = (FpNlpReport){.certificate.worst_constraint = -1};
    if (!keep_start(solver, nlp, point->x)) return FREEPLAY_OUT_OF_MEMORY;
    FpStatus status = FREEPLAY_SOLVER_FAILED;
    for (int which = 0; which < solver->count && status; which++) {
        const FpNlpSolverOps* ops = solver->ops[which];
        report->solver = ops->name;
        if (ops->can_solve && !ops->can_solve(nlp)) continue;
        for (int attempt = 0; attempt < ops->attempts && status; attempt++) {
            memcpy(point->x, solver->start, (size_t)nlp->n * sizeof *point->x);
            status = attempt_once(solver, which, attempt, nlp, options, point, report);
            if (status == FREEPLAY_CANCELLED) return status;
            if (status) report->retries++;
        }
    }
    /* Of the attempts that failed the last one is no retry. */
    if (status) report->retries--;
    return status;
}
