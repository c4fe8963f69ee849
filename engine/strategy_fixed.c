/* Equal steps: t_k = k h, the last one shortened to end on t_end. */
#include <math.h>
#include "engine/strategy.h"

/* Times closer to the grid than this part of h are on it. */
#define ON_GRID 1e-9

static FpProposal propose(const FpStepperDef* def, const FpState* state, double t_end) {
    double h = def->h, k = floor(state->t / h + ON_GRID) + 1;
    double t_next = k * h;
    /* From a grid point the step is h itself, free of the round-off of the difference. After a
     * shortened step it leads back to the grid. */
    bool from_grid = fabs(state->t - (k - 1) * h) <= ON_GRID * h;
    double length = from_grid ? h : t_next - state->t;
    if (t_next >= t_end - ON_GRID * h) {
        bool shortened = t_next > t_end + ON_GRID * h;
        if (shortened) length = t_end - state->t;
        t_next = t_end;
    }
    return (FpProposal){length, length, t_next};
}

const FpStrategyOps fp_strategy_fixed = {
    .name = "fixed",
    .summary = "equal steps h",
    .fixed = true,
    .propose = propose,
};
