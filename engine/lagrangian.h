/* A mechanism in coordinates of the user's own choice: callbacks for M, f, B and the constraints of
 * theory.md (1). The other provider of FpSystem beside the world of bodies.
 *
 *   FpLagrangianDef def = fp_lagrangian_def_default();     counts, mass, force, length, ...
 *   FpLagrangian* pendulum = fp_lagrangian_create(&def, &message);
 *   status = fp_lagrangian_add_rows(pendulum, &rows, &message);       as often as wanted
 *   status = fp_lagrangian_finish(pendulum, &message);
 *   FpStepper* stepper = fp_stepper_create(fp_lagrangian_system(pendulum), ...);
 *
 * A callback that does not write finite numbers, or a mass matrix that is not symmetric and
 * positive definite, is refused by name and leaves everything as it was: here, and in every step
 * later. Callbacks may be called from several threads at a time if several step one system. */
#ifndef FREEPLAY_ENGINE_LAGRANGIAN_H
#define FREEPLAY_ENGINE_LAGRANGIAN_H

#include <stdbool.h>
#include "engine/constraint.h"
#include "engine/system.h"
#include "nlp/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FREEPLAY_LAGRANGIAN_Q_MAX (2 * FREEPLAY_BLOCK_V_MAX) /* coordinates, at most */

typedef struct FpLagrangian FpLagrangian;

/* Start from fp_lagrangian_def_default(). All callbacks get context and write finite numbers, into
 * arrays that are 0 when they are called; q has q_count and v has v_count entries; matrices are
 * row-major. */
typedef struct FpLagrangianDef {
    int q_count;                /* coordinates, 1 to FREEPLAY_LAGRANGIAN_Q_MAX */
    int v_count;                /* velocities, 1 to FREEPLAY_BLOCK_V_MAX */
    const char* const* q_names; /* q_count names, copied; NULL: q1, q2, ... */
    const char* const* v_names; /* v_count names, copied; NULL: v_ and the name of the coordinate if
                                 * there are as many as coordinates, else v1, v2, ... */
    const double *q0, *v0;      /* initial state, copied; NULL: zeros */
    double length;      /* typical extent of the mechanism, m, > 0: residuals are measured by it */
    bool constant_mass; /* the mass matrix does not depend on q */
    void* context;      /* kept */
    /* M(q), v_count x v_count, symmetric positive definite. */
    void (*mass)(const void* context, const double* q, double* M);
    /* f(t, q, v): applied and gyroscopic forces, v_count. NULL: none. */
    void (*force)(const void* context, double t, const double* q, const double* v, double* f);
    /* B(q), q' = B v, q_count x v_count. NULL: the identity, with as many velocities as
     * coordinates. */
    void (*kinematics)(const void* context, const double* q, double* B);
    /* J, for the energy in reports only. NULL: 0. */
    double (*potential_energy)(const void* context, double t, const double* q);
} FpLagrangianDef;
/* One coordinate, no callbacks, length 1 m. */
FpLagrangianDef fp_lagrangian_def_default(void);

/* A constraint set: rows g over all coordinates. Callbacks as above. */
typedef struct FpLagrangianRowsDef {
    const char* name;  /* unique, copied */
    int row_count;     /* 1 to FREEPLAY_CONSTRAINT_ROWS */
    const FpRow* rows; /* kinds, units and contact laws; copied, labels too; label NULL: "row 1".
                        * A unilateral row of size 0 is a contact, one with a size a clearance */
    void* context;     /* kept */
    /* g; not needed if all are velocity rows. */
    void (*value)(const void* context, double t, const double* q, double* g);
    /* dg/dq, row_count x q_count. NULL: by differences. */
    void (*jacobian)(const void* context, double t, const double* q, double* dg);
    /* Adds sum_i weight_i d2g_i/dq2 to H, q_count x q_count, which is not 0 here. NULL: by
     * differences of the Jacobian. */
    void (*hessian)(const void* context, double t, const double* q, const double* weight,
                    double* H);
    /* Derivatives with respect to time at fixed q: dg/dt, d2g/dt2 and d(dg/dq)/dt. NULL: g does not
     * depend on time. */
    void (*rate)(const void* context, double t, const double* q, double* g_t, double* g_tt,
                 double* dg_t);
    /* The slip velocity gamma = G v + chi, in lengths per time, of a row with slip_count > 0: with
     * friction, or a velocity row, whose gamma is 0. G is slip_count x v_count. NULL: no such row.
     */
    void (*slip)(const void* context, double t, const double* q, int row, double* G, double* chi);
} FpLagrangianRowsDef;
FpLagrangianRowsDef fp_lagrangian_rows_def_default(void);

/* NULL on refusal, with the reason in message. */
FpLagrangian* fp_lagrangian_create(const FpLagrangianDef* def, FpMessage* message);
void fp_lagrangian_destroy(FpLagrangian* system);
/* Copies its def. On refusal the system is as before and message says why. */
FpStatus fp_lagrangian_add_rows(FpLagrangian* system, const FpLagrangianRowsDef* def,
                                FpMessage* message);
/* Checks the whole in its initial state (callbacks finite, M symmetric positive definite, gaps open
 * or closed, bilateral rows closed) and freezes it. */
FpStatus fp_lagrangian_finish(FpLagrangian* system, FpMessage* message);
/* The system of a finished one; NULL before. Lives as long as it. */
const FpSystem* fp_lagrangian_system(const FpLagrangian* system);

#ifdef __cplusplus
}
#endif
#endif
