/* A constraint set: rows over the coordinate blocks that it names. Joints, contacts, switching
 * surfaces and locks are all constraint sets; a scheme sees nothing else of them. */
#ifndef FREEPLAY_ENGINE_CONSTRAINT_H
#define FREEPLAY_ENGINE_CONSTRAINT_H

#include <stdbool.h>
#include "engine/vec3.h"
#include "nlp/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpSystem FpSystem;
typedef struct FpConstraint FpConstraint;

typedef enum FpRowKind {
    FREEPLAY_ROW_BILATERAL,  /* g = 0, lambda of either sign */
    FREEPLAY_ROW_UNILATERAL, /* 0 <= g  _|_  lambda >= 0 */
    FREEPLAY_ROW_VELOCITY,   /* gamma = 0: its slip velocity vanishes; there is no gap, and the row
                              * never applies. For schemes that know contact laws */
} FpRowKind;

typedef enum FpRowUnit {
    FREEPLAY_ROW_LENGTH, /* the gap in m, lambda in N */
    FREEPLAY_ROW_ANGLE,  /* the gap in rad, lambda in N m */
} FpRowUnit;

typedef struct FpRow {
    FpRowKind kind;
    FpRowUnit unit;
    double size;       /* clearance of a loose row, 0 of a bilateral one */
    bool is_contact;   /* has no clearance: size is a radius of what touches, or 0 */
    const char* label; /* what the row is, for people: "radial at P1" */
    bool must_stay;    /* a run ends where the row ceases to apply */
    /* Contact laws of a unilateral row; schemes that know none warn. */
    double friction;               /* mu of Coulomb's law, >= 0 */
    double restitution;            /* e_N of Newton's impact law, 0 to 1 */
    double tangential_restitution; /* e_T, likewise along the surface */
    int slip_count; /* components of its slip velocity: 0 without friction, 1 in the plane, 2 in
                     * space, 3 with drilling (Coulomb-Contensou); those of a velocity row */
} FpRow;

/* Where a row touches, for people and for friction. */
typedef struct FpContact {
    FpVec3 point;  /* on the surface of the first body, global, m */
    FpVec3 normal; /* global, unit: the direction of the force on the first body; 0 if undefined */
    double gap;    /* true distance, m, negative when penetrating */
} FpContact;

/* A row is given by a smooth function psi with the same sign and zeros as the true gap g. Where
 * the two differ (|d| has no derivative at d = 0), `gap` tells g and kappa = dg/dpsi.
 * q[b] are the coordinates of the b-th block named; J is rows x (sum of q counts), row-major, the
 * blocks side by side. */
typedef struct FpConstraintOps {
    void (*value)(const FpConstraint* c, double t, const double* const q[], double* psi);
    void (*jacobian)(const FpConstraint* c, double t, const double* const q[], double* J);
    /* Adds sum_i weight_i d2psi_i/dq2 to H, square over all blocks, row-major. */
    void (*hessian)(const FpConstraint* c, double t, const double* const q[], const double* weight,
                    double* H);
    /* Derivatives with respect to time at fixed q: psi_t, psi_tt, and J_t = dJ/dt, which the caller
     * has set to 0. NULL: psi does not depend on time. */
    void (*rate)(const FpConstraint* c, double t, const double* const q[], double* psi_t,
                 double* psi_tt, double* J_t);
    /* Which rows there are at q: a sleeve that has left its pin is not held. NULL: all. */
    void (*applies)(const FpConstraint* c, const double* const q[], bool* applies);
    /* True gaps and, unless NULL, kappa = dg/dpsi (0 where g has no derivative).
     * NULL: g = psi, kappa = 1. */
    void (*gap)(const FpConstraint* c, double t, const double* const q[], double* g, double* kappa);
    /* psi, true gaps, kappa and Dv = dpsi/dv in one go, for speed. Dv is rows x (sum of v counts of
     * the blocks without ground), row-major. NULL: from the functions above. */
    void (*sweep)(const FpConstraint* c, double t, const double* const q[], double* psi, double* g,
                  double* kappa, double* Dv);
    /* The slip velocity gamma = G v + chi of a row with friction at its contact point: slip_count
     * rows of G over the velocities of the blocks without ground, laid out as Dv of sweep, and chi.
     * Its components are lengths per time, along directions that turn smoothly with q. NULL: no row
     * has friction. */
    void (*slip)(const FpConstraint* c, double t, const double* const q[], int row, double* G,
                 double* chi);
    /* NULL: the row has no contact point. */
    void (*contact)(const FpConstraint* c, double t, const double* const q[], int row,
                    FpContact* contact);
    void (*destroy)(FpConstraint* c);
} FpConstraintOps;

#define FREEPLAY_CONSTRAINT_BLOCKS 4
#define FREEPLAY_CONSTRAINT_ROWS   1024 /* at most */
#define FREEPLAY_SLIP_MAX          3    /* components of a slip velocity, at most */
#define FREEPLAY_GROUND_WIDTH      7    /* coordinates of ground, a body that never moves */

/* First member of every joint's own struct. */
struct FpConstraint {
    const FpConstraintOps* ops;
    const char* type; /* what it is, for people: "revolute" */
    char* name;
    int block_count;
    int blocks[FREEPLAY_CONSTRAINT_BLOCKS]; /* index into FpSystem.blocks, -1 for ground; each once
                                             */
    int row_count;
    const FpRow* rows;
    double extent; /* largest distance of its points from the origins of their bodies, m */
};

/* Width of its Jacobian: coordinates of all its blocks, ground's too. */
int fp_constraint_width(const FpSystem* system, const FpConstraint* constraint);

void fp_constraint_destroy(FpConstraint* constraint);

/* The coordinates of the blocks of a constraint within q; ground gets the identity pose. */
void fp_constraint_coordinates(const FpSystem* system, const FpConstraint* constraint,
                               const double* q, const double* blocks[FREEPLAY_CONSTRAINT_BLOCKS]);

/* True gaps of all its rows at (t, q), and, unless NULL, kappa = dg/dpsi. A row that does not apply
 * is open by its size and has no direction. */
void fp_constraint_gaps(const FpSystem* system, const FpConstraint* constraint, double t,
                        const double* q, double* g, double* kappa);

/* Which of its rows there are at q. */
void fp_constraint_applies(const FpSystem* system, const FpConstraint* constraint, const double* q,
                           bool* applies);

/* Where row `row` touches at (t, q). Fails if the row has no contact point, as that of an angle. */
FpStatus fp_constraint_contact(const FpSystem* system, const FpConstraint* constraint, double t,
                               const double* q, int row, FpContact* contact);

#ifdef __cplusplus
}
#endif
#endif
