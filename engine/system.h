/* What a scheme sees of a mechanism: coordinates q and velocities v in blocks (theory.md (1)),
 *
 *   q' = B(q) v,   M(q) v' = f(t, q, v) + W lambda,
 *
 * and the constraint sets over the blocks. Rigid bodies (engine/world.h) are one provider. */
#ifndef FREEPLAY_ENGINE_SYSTEM_H
#define FREEPLAY_ENGINE_SYSTEM_H

#include <stddef.h>
#include "engine/constraint.h"
#include "nlp/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define FREEPLAY_BLOCK_INVARIANTS 4  /* at most */
#define FREEPLAY_BLOCK_V_MAX      64 /* blocks with more velocities are solved as general programs */

/* Coordinates that share one mass matrix and one kinematic map: a rigid body has q = (r, p) and
 * v = (r', w'), and one invariant, |p|^2 = 1, with its own unknown in a step. */
typedef struct FpBlock {
    int q_at, q_count; /* where its coordinates start in q, and how many */
    int v_at, v_count; /* the same for v */
    int a_at, a_count; /* the same for its invariants */
    int plain; /* its first coordinates with q' = v whatever q: the maps B, K and T below are
                * the identity there, and the others do not enter */
} FpBlock;

/* The model's own magnitudes, by which residuals and tolerances are measured. */
typedef struct FpScales {
    double length; /* extent of the mechanism, m */
    double mass;   /* largest mass, kg */
} FpScales;

/* A provider fills what it knows. Every function writes finite numbers or returns a status. */
typedef struct FpSystemOps {
    const char* name;
    bool constant_mass; /* M does not depend on q */
    /* Mass matrix of a block, v_count x v_count, row-major, symmetric positive definite. */
    FpStatus (*mass)(const void* self, int block, const double* q, double* M);
    /* Applied and gyroscopic forces, all blocks. */
    FpStatus (*force)(const void* self, double t, const double* q, const double* v, double* f);
    /* B(q) of a block, q_count x v_count: q' = B v. */
    void (*kinematics)(const void* self, int block, const double* q, double* B);
    /* The rates a with which a step of h from q with the velocities v keeps the invariants of a
     * block, exactly or linearized; false where there are none. NULL: steps are general programs.
     */
    bool (*rates)(const void* self, int block, const double* q, const double* v, double h,
                  bool exact, double* a);
    /* The map T with dq1 = B(q1) T h dv along such exact steps from q to q1, v_count x v_count.
     * NULL: no block has invariants, and the rows are derived along dq1 = B(q) h dv. */
    void (*tangent)(const void* self, int block, const double* q, const double* q1, double* T);
    /* The end q1 of a step of h from q with the mean velocity v, q1 = q + h/2 (B(q) + B(q1)) v, of
     * one block; false where there is none. NULL: by iteration. */
    bool (*midstep)(const void* self, int block, const double* q, const double* v, double h,
                    double* q1);
    /* The map T with dq1 = B(q1) T h dv along such steps, v_count x v_count, of a block with
     * invariants. NULL: about the identity, as it is without invariants. */
    void (*midstep_tangent)(const void* self, int block, const double* v, double h, double* T);
    /* Basis of q' in a step from q, q_count x (v_count + a_count): q' = K (v; a), where a are the
     * rates that keep the invariants. NULL: K = B. */
    void (*step_basis)(const void* self, int block, const double* q, double* K);
    /* q1 = q + h K (v; a). NULL: by K. */
    void (*step)(const void* self, int block, const double* q, const double* v, const double* a,
                 double h, double* q1);
    /* Invariants c(q) = 0 of a block and, unless dc is NULL, their gradient, a_count x q_count. */
    void (*invariants)(const void* self, int block, const double* q, double* c, double* dc);
    /* Adds sum_i y_i d2c_i/dq2 to H, q_count x q_count. */
    void (*invariant_hessian)(const void* self, int block, const double* q, const double* y,
                              double* H);
    double (*kinetic_energy)(const void* self, const double* q, const double* v);
    double (*potential_energy)(const void* self, double t, const double* q);
    /* f.v: power of all applied forces. */
    double (*power)(const void* self, double t, const double* q, const double* v);
    /* Column titles: of coordinate or velocity `index` of a block. */
    void (*coordinate_name)(const void* self, int block, int index, char* text, size_t size);
    void (*velocity_name)(const void* self, int block, int index, char* text, size_t size);
    /* Largest h for which a step that ends with velocity v can keep the invariants of a block:
     * 2/|w| for a body. NULL: any. */
    double (*step_limit)(const void* self, int block, const double* v);
    /* A bound of how fast the gaps of a constraint can change with the velocities v at q, m/s.
     * NULL: there is none. */
    double (*gap_speed)(const void* self, const FpConstraint* constraint, const double* q,
                        const double* v);
    /* Where functions are a user's and a step of h from (t, q, v) has failed: names one that is
     * wrong there, or where the step would have led. FREEPLAY_OK, and message as it was, if there
     * is none. NULL: none can be wrong, and what they give need not be checked. */
    FpStatus (*blame)(const void* self, double t, double h, const double* q, const double* v,
                      FpMessage* message);
} FpSystemOps;

/* Components of the slip velocities of all rows. */
int fp_system_slip_rows(const FpSystem* system);

struct FpSystem {
    const FpSystemOps* ops;
    const void* self;
    int block_count;
    const FpBlock* blocks;
    int q_count, v_count, a_count;
    int constraint_count;
    FpConstraint* const* constraints;
    int row_count; /* of all constraints */
    FpScales scales;
    const double *q_initial, *v_initial;
};

#ifdef __cplusplus
}
#endif
#endif
