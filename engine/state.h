/* All that changes during a simulation: plain readable data, copied to save and restore. */
#ifndef FREEPLAY_ENGINE_STATE_H
#define FREEPLAY_ENGINE_STATE_H

#include "engine/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpState {
    double t;   /* s */
    double h;   /* length of the step that ended here, s; 0 at the start */
    long step;  /* accepted steps so far */
    double lag; /* s: v is that of a first-order step so much long, which lags by half of it behind
                 * the motion, theory.md (38); 0 for schemes of second order */
    int q_count, v_count, row_count, slip_count;
    double* q;      /* coordinates, theory.md (1): a body has r, p */
    double* v;      /* velocities: a body has r' (global), w' (body frame) */
    double* lambda; /* force of each row during the step that ended here, N (or N m); then those of
                     * friction, slip_count components */
} FpState;

/* The initial state of a system; NULL when out of memory. */
FpState* fp_state_create(const FpSystem* system);
void fp_state_destroy(FpState* state);
/* Copies everything; both states must belong to one system. */
void fp_state_copy(FpState* to, const FpState* from);

typedef struct FpEnergy {
    double kinetic, potential, total; /* J; potential: gravity and constant global forces */
    double shadow; /* total + (lag/2) f.v: what the step conserves, theory.md (38) */
} FpEnergy;
FpEnergy fp_state_energy(const FpSystem* system, const FpState* state);

/* True gaps of all rows, constraint after constraint. */
void fp_state_gaps(const FpSystem* system, const FpState* state, double* g);
/* Of such gaps, the largest penetration of a unilateral or opening of a bilateral row, m, >= 0;
 * an angle counts as the arc that it moves a point at the model's length. */
double fp_gaps_penetration(const FpSystem* system, const double* g);
/* Refuses a state outside the clearances or off the ideal joints by more than round-off, or beside
 * a pin that it must stay on; message names the joint, the row and the distance. */
FpStatus fp_state_check(const FpSystem* system, const FpState* state, FpMessage* message);

/* Largest |c(q)| of the invariants: | |p|^2 - 1 | for bodies. */
double fp_state_norm_defect(const FpSystem* system, const FpState* state);

#ifdef __cplusplus
}
#endif
#endif
