/* Positions at the end of a step with a mean velocity, q1 = q0 + h/2 (B(q0) + B(q1)) v, theory.md
 * (53). Private to the method. */
#ifndef FREEPLAY_ENGINE_MIDSTEP_H
#define FREEPLAY_ENGINE_MIDSTEP_H

#include "engine/rows.h"

typedef struct FpMidstep {
    const FpSystem* system;
    double *B, *rate; /* work, of the largest block */
    double** T;       /* of every block; NULL where it is the identity */
    double* memory;
} FpMidstep;

bool fp_midstep_create(FpMidstep* midstep, const FpSystem* system);
void fp_midstep_free(FpMidstep* midstep);
/* q1; false where there is none. */
bool fp_midstep_move(FpMidstep* midstep, const double* q0, const double* v, double h, double* q1);
/* Turns D = dpsi/dv at q1, laid out as W^T of rows, into the derivative along such steps,
 * dpsi/d(h v). */
void fp_midstep_turn(FpMidstep* midstep, const FpRows* rows, const double* v, double h, double* D);

#endif
