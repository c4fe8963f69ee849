/* Before the first step: how free a mechanism is, and the nearest state that its joints allow. */
#ifndef FREEPLAY_ENGINE_ASSEMBLY_H
#define FREEPLAY_ENGINE_ASSEMBLY_H

#include <stdbool.h>
#include "engine/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the ideal joints tie a mechanism at a state. */
typedef struct FpFreedomCount {
    int velocities; /* of all bodies */
    int bilateral;  /* rows of ideal joints */
    int rank;       /* how many of them are independent; velocities - rank are free */
} FpFreedomCount;

/* Counts; redundant[i], unless NULL, tells for every row whether it is bilateral and follows from
 * the bilateral rows before it. */
FpStatus fp_freedom_count(const FpSystem* system, const FpState* state, FpFreedomCount* count,
                          bool* redundant);

/* Largest rate at which a bilateral row opens, m/s (an angle counts as in fp_gaps_penetration):
 * not 0 where the velocities at the start do not fit the ideal joints. */
FpStatus fp_state_opening_speed(const FpSystem* system, const FpState* state, double* speed);

typedef struct FpAssembly {
    double before, after; /* largest violation of a row, m, before and after */
    double moved;         /* of the body that moves most: root mean square over its mass, m */
    double speed_changed; /* of the body whose velocity changes most, in the same way, m/s */
    int iterations;
} FpAssembly;

/* Moves the bodies onto the ideal joints and into the clearances: of all such positions the one
 * nearest in the metric of the mass matrix, theory.md section 9. Then changes the velocities as
 * little as the ideal joints allow. Refuses where the joints cannot be closed, and names the one
 * that stays open the most; the state is then as before. report may be NULL. */
FpStatus fp_assemble(const FpSystem* system, FpState* state, FpAssembly* report,
                     FpMessage* message);

#ifdef __cplusplus
}
#endif
#endif
