/* The paper's choice: h is a variable of the program, h_min <= h <= h_max, and the least constraint
 * decides. Where the forces do not depend on h (free flight, flat rest) the crossover takes h_max
 * if it is no worse; near an impact both bounds may be minima, and the solver finds one of them. */
#include <math.h>
#include "engine/strategy.h"

static FpProposal propose(const FpStepperDef* def, const FpState* state, double t_end) {
    double left = t_end - state->t;
    if (left <= def->h_max) return (FpProposal){left, left, t_end};
    /* No step leaves a rest that is shorter than it need be. */
    double upper = fmin(def->h_max, fmax(left - def->h_min, left / 2));
    return (FpProposal){fmin(def->h_min, upper), upper, state->t + upper};
}

const FpStrategyOps fp_strategy_gauss = {
    .name = "gauss",
    .summary = "h is a variable of each step's program, h_min <= h <= h_max: least constraint",
    .propose = propose,
};
