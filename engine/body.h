/* The kinds of rigid bodies: what each has for coordinates, how it weighs, and where its points
 * are. World, loads and joints treat all kinds alike through these tables, theory.md section 2. */
#ifndef FREEPLAY_ENGINE_BODY_H
#define FREEPLAY_ENGINE_BODY_H

#include "engine/vec3.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FREEPLAY_BODY_Q_MAX 7
#define FREEPLAY_BODY_V_MAX 6

/* Where a body is: its point s is at r + A s. */
typedef struct FpPose {
    FpVec3 r;
    double A[9]; /* row-major */
} FpPose;

/* A pose and its rates in three dimensions, whatever the kind. */
typedef struct FpMotion {
    FpVec3 position;
    double orientation[4];   /* Euler parameters */
    FpVec3 velocity;         /* global */
    FpVec3 angular_velocity; /* body frame */
} FpMotion;

typedef struct FpBodyKind {
    const char* name;
    int q_count, v_count, a_count; /* coordinates, velocities, invariants */
    int translations;              /* the first coordinates and velocities are these of r */
    const char *const *coordinates, *const *velocities; /* their names */

    void (*from_motion)(const FpMotion* motion, double* q, double* v);
    void (*to_motion)(const double* q, const double* v, FpMotion* motion);
    void (*pose)(const double* q, FpPose* pose);

    /* Mass matrix, v_count x v_count; inertia about the centre of mass in the body frame. */
    void (*mass)(double mass, const double inertia[9], double* M);
    /* f += a force (global) and a torque (body frame) at the centre of mass. */
    void (*add_load)(FpVec3 force, FpVec3 torque, double* f);
    /* f -= w' x J w'. NULL: there is none. */
    void (*subtract_gyroscopic)(const double inertia[9], const double* v, double* f);

    /* The same as in FpSystemOps; a step is NULL where q1 = q + h v. */
    void (*kinematics)(const double* q, double* B);
    void (*step_basis)(const double* q, double* K);
    void (*step)(const double* q, const double* v, const double* a, double h, double* q1);
    void (*invariants)(const double* q, double* c, double* dc);
    void (*invariant_hessian)(const double* y, double* H);
    double (*step_limit)(const double* v);

    /* As in FpSystemOps. NULL: the body has no invariants. */
    bool (*rates)(const double* q, const double* v, double h, bool exact, double* a);
    void (*tangent)(const double* q, const double* q1, double* T);

    /* As in FpSystemOps; the tangent is NULL where it is the identity. */
    bool (*midstep)(const double* q, const double* v, double h, double* q1);
    void (*midstep_tangent)(const double* v, double h, double* T);

    /* Rows: the derivatives of w.(A(q) s), the part of a point that turns.
     * row += weight d/dq, and H += weight d2/dq2, where H has rows of `width`. */
    void (*add_turn_gradient)(const double* q, FpVec3 s, FpVec3 w, double weight, double* row);
    void (*add_turn_hessian)(const double* q, FpVec3 s, FpVec3 w, double weight, double* H,
                             int width);
} FpBodyKind;

/* q = (r, p), v = (r', w'): 7 coordinates, 6 velocities, and |p| = 1. Ground is one that rests. */
extern const FpBodyKind fp_body_spatial;
/* q = (x, y, phi), v = (x', y', phi') in the plane z = 0. */
extern const FpBodyKind fp_body_planar;

#ifdef __cplusplus
}
#endif
#endif
