/* How long the next step may be. */
#ifndef FREEPLAY_ENGINE_STRATEGY_H
#define FREEPLAY_ENGINE_STRATEGY_H

#include "engine/stepper.h"

/* h is a variable of the step's program between the two bounds. */
typedef struct FpProposal {
    double h_lower, h_upper;
    double t_next; /* where a step of h_upper ends exactly: k h, or t_end */
} FpProposal;

typedef struct FpStrategyOps {
    const char* name;
    const char* summary;
    bool fixed; /* uses h of the def; otherwise h_min and h_max */
    FpProposal (*propose)(const FpStepperDef* def, const FpState* state, double t_end);
} FpStrategyOps;

extern const FpStrategyOps fp_strategy_fixed, fp_strategy_gauss;

#endif
