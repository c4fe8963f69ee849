/* The program of an impulse: forces that act during h change the velocities until rows hold,
 * theory.md (50),
 *
 *   x = (v, lambda),   M v - p(v) - h W lambda = 0,
 *   psi(v) = 0  or  0 <= lambda _|_ psi(v) >= 0,   and friction of some of the rows.
 *
 * Stages of several schemes are such programs: they differ in the momentum p without forces of rows
 * and in what the rows ask for. Rows are lengths; one of velocities is the way that it makes in h.
 * Private to the method. */
#ifndef FREEPLAY_ENGINE_IMPULSE_H
#define FREEPLAY_ENGINE_IMPULSE_H

#include "engine/least_constraint.h"
#include "engine/scheme.h"
#include "nlp/structure.h"

/* What a stage asks for. `self` is the scheme. */
typedef struct FpImpulseOps {
    /* p(v). NULL: it does not depend on v. */
    FpStatus (*momentum)(void* self, const double* v, double* p);
    /* psi of every row for the velocities v; false where there is none. Constraints that are asleep
     * are looked at only if `all` are. */
    bool (*rows)(void* self, const double* v, bool all, double* psi);
    /* D = dpsi/d(h v), laid out as W^T; NULL: D = W^T, psi is linear. */
    void (*slopes)(void* self, const double* v, double* D);
} FpImpulseOps;

typedef struct FpImpulse {
    const FpSystem* system;
    const FpImpulseOps* ops;
    void* self;
    int nv, nr; /* velocities; rows, those of slip included */

    /* A scheme sets these before it poses a stage. */
    FpRows* rows; /* W */
    FpMass* mass;
    unsigned long version; /* of both, nlp/structure.h */
    double h;
    double *v_reference, *momentum; /* p at that velocity */
    double* acceleration;           /* by which forces are measured */
    bool* takes_part;               /* of every row: otherwise it asks for nothing */
    double *unit, *noise;           /* of every row: by which it is measured, and its round-off */
    double* force;                  /* of every row: to start from */
    bool* continues;                /* of every slip velocity, fp_impulse_continue */
    double* before;

    FpNlp nlp;
    FpStructure structure;
    FpLeastConstraint least;
    unsigned long solved_version; /* of `solved` and `compliance` */
    double *v_free, *v_hat;       /* M^-1 p; that which was settled last, theory.md (51) */
    double *v, *turn;             /* its velocity, and M^-1 (p(v) - p) there */
    bool is_settled;
    double *p_work, *force_work, *velocity_work;
    double *solved, *compliance, *D, *psi, *rates;
    double *lever, *gap_unit; /* of every row, fp_rows_lever and fp_rows_unit */
    double *x_lower, *x_upper, *g_lower, *g_upper, *x_scale, *g_scale, *g_unit, *g_noise;
    double* zero; /* as many as velocities and rows */
    double* memory;
    FpNlpPair* pairs;
    FpNlpCone* cones;
    FpStructureCone* structure_cones;
    FpStructurePart* parts;
    int *first_part, *block_first, *block_next;
    bool *flags, *bilateral, *applies, *least_norm;
} FpImpulse;

/* `rows` has the layout of all that will be posed. False when out of memory. */
bool fp_impulse_create(FpImpulse* impulse, const FpSystem* system, const FpRows* rows, void* self);
void fp_impulse_free(FpImpulse* impulse);

/* Slip takes part where its row does. */
void fp_impulse_slip_follows(FpImpulse* impulse);
/* The law of a slip velocity holds for what the forces add to these (of all rows); NULL: for all.
 */
void fp_impulse_continue(FpImpulse* impulse, int slip_index, const double* before);
/* Measures the rows of constraints as gaps. */
void fp_impulse_measure_gaps(FpImpulse* impulse);
/* Measures rows from `first` on by the ways that the velocities make in h. */
void fp_impulse_measure_ways(FpImpulse* impulse, int first, const double* v);
/* Poses the program; point->x is set to a start. */
FpStatus fp_impulse_pose(FpImpulse* impulse, const FpImpulseOps* ops, const FpNlp** nlp,
                         FpNlpPoint* point);
/* Some rows of W have been evaluated since. */
void fp_impulse_rows_woke(FpImpulse* impulse);
/* Names a constraint of the program in the user's words; `rows_mean` says what rows of it are. */
void fp_impulse_describe(const FpImpulse* impulse, const char* rows_mean, int constraint,
                         char* text, size_t size);

#endif
