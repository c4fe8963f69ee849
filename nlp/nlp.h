/* A sparse nonlinear program with complementarity pairs, and its solution:
 *
 *   min f(x)   s.t.  g_lower <= g(x) <= g_upper,  x_lower <= x <= x_upper,
 *                    0 <= x_v  _|_  g_c(x) >= 0   for every pair (v, c),
 *                    Coulomb's law                for every cone.
 *
 * Lagrangian: f + y.g - z.x, so that stationarity reads grad f + J^T y - z = 0. */
#ifndef FREEPLAY_NLP_NLP_H
#define FREEPLAY_NLP_NLP_H

#include <stdbool.h>
#include "nlp/certificate.h"
#include "nlp/status.h"
#include "nlp/triplets.h"

#define FREEPLAY_NO_BOUND 1e20 /* a bound of this size or more is none */

typedef struct FpNlpPair {
    int variable, constraint;
} FpNlpPair;

/* Friction of the force P_N = x[normal] of a pair. With P_T = x[variable], ... and the slip
 * velocity gamma = g[constraint], ..., `count` components each (a line, a disc, a ball with
 * drilling):
 *
 *   |P_T| <= mu P_N,     P_T = -mu P_N gamma/|gamma|  where gamma is not 0. */
typedef struct FpNlpCone {
    int normal, variable, constraint, count;
    double friction; /* mu > 0 */
    /* The law holds for what x adds to these forces, the normal one first. NULL: for all of x. */
    const double* before;
} FpNlpCone;

#define FREEPLAY_CONE_MAX 3 /* components */

typedef struct FpStructure FpStructure;

/* The callbacks return false where the functions cannot be evaluated. The patterns of J and H are
 * fixed: for given sizes the callbacks add the same entries in the same order. */
struct FpNlp {
    int n, m; /* variables, constraints */
    const double *x_lower, *x_upper, *g_lower, *g_upper;
    int pair_count;
    const FpNlpPair* pairs;
    int cone_count;
    const FpNlpCone* cones; /* the constraints of their slip velocities have no bounds */
    /* Variables that the program need not determine (redundant forces): of several values with the
     * same effect those of least norm are taken. NULL: none. */
    const bool* least_norm;

    /* Equations and pairs alone determine the point: there are as many of them as unknowns, so that
     * whatever the objective, it has nothing left to decide and multipliers always exist, theory.md
     * section 6. Neither solver nor certificate needs them. */
    bool determined;

    /* Magnitudes that make the program well scaled for a solver. */
    const double *x_scale, *g_scale;
    double f_scale;

    /* What the certificate measures by: the unit of a constraint (0: the sum of the absolute
     * values of its terms, and never less than round-off of g_scale), and of a pair's variable. */
    const double* g_unit;
    double pair_unit;
    /* Magnitudes whose round-off limits the constraints; solvers go down to it. NULL: g_unit. */
    const double* g_noise;

    void* context;
    bool (*objective)(void* context, const double* x, double* f);
    bool (*gradient)(void* context, const double* x, double* gradient);
    bool (*constraints)(void* context, const double* x, double* g);
    bool (*jacobian)(void* context, const double* x, FpTriplets* J);
    /* Lower triangle of f_weight f'' + sum_i y_i g_i''. NULL: there is none to be had. */
    bool (*hessian)(void* context, const double* x, double f_weight, const double* y,
                    FpTriplets* H);

    /* Products without J, for speed: J^T y as sum_j = sum_i J_ij y_i and size_j = sum_i |J_ij y_i|;
     * and terms_i = sum_j |J_ij x_j| of the constraints whose g_unit is 0. Both NULL: from the
     * Jacobian. A determined program needs no adjoint. */
    bool (*adjoint)(void* context, const double* x, const double* y, double* sum, double* size);
    bool (*terms)(void* context, const double* x, double* terms);
    /* For solvers that know the kind of program; NULL: a general one. */
    const FpStructure* structure;
};

/* Whether constraint i is g >= g_lower, and in no pair. */
bool fp_nlp_is_one_sided(const FpNlp* nlp, int i);

/* A point and its multipliers; the arrays belong to the caller. */
struct FpNlpPoint {
    double *x, *y, *z; /* n, m, n */
};

typedef struct FpNlpOptions {
    bool cold_start; /* start from x alone, not from what the last solve left */
    bool (*cancel)(void* context);
    void* cancel_context;
} FpNlpOptions;

typedef struct FpNlpReport {
    const char* solver;
    int iterations;  /* of Ipopt */
    int pivots;      /* Newton steps and changes of the active set of the structured solver */
    int retries;     /* attempts after the first one */
    int solver_code; /* the solver's own return code of the last attempt */
    double objective;
    FpCertificate certificate;
} FpNlpReport;

/* A certificate above this is refused. */
#define FREEPLAY_CERTIFICATE_LIMIT 1e-9

/* A solver: content behind a table of functions. `attempt` 0, 1, ... are its retry ladder. */
typedef struct FpNlpSolverOps {
    const char* name;
    const char* summary;
    int attempts;
    bool exact; /* its points are solved to round-off: no crossover */
    /* Whether it can solve a program of this kind; NULL: any. */
    bool (*can_solve)(const FpNlp* nlp);
    void* (*create)(void);
    void (*destroy)(void* self);
    /* Starts from point->x, leaves x, y, z in point. */
    FpStatus (*solve)(void* self, const FpNlp* nlp, const FpNlpOptions* options, int attempt,
                      FpNlpPoint* point, FpNlpReport* report);
} FpNlpSolverOps;

/* All solvers in the order in which `auto` tries them. */
const FpNlpSolverOps* const* fp_nlp_solvers(int* count);

typedef struct FpNlpSolver FpNlpSolver;
/* `name` is that of a solver, or "auto". NULL if there is none of that name or no memory. */
FpNlpSolver* fp_nlp_solver_create(const char* name);
void fp_nlp_solver_destroy(FpNlpSolver* solver);

/* Solves from point->x, sharpens the answer to round-off (nlp/crossover.h) and certifies it; goes
 * down the ladder until the certificate holds. On failure x is where the last attempt ended,
 * and report tells how. */
FpStatus fp_nlp_solve(FpNlpSolver* solver, const FpNlp* nlp, const FpNlpOptions* options,
                      FpNlpPoint* point, FpNlpReport* report);

#endif
