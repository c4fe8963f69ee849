/* A whole run kept in memory: what the engine costs with its events, energies and totals, and how
 * far two runs are apart. */
#ifndef FREEPLAY_BENCH_RECORDING_H
#define FREEPLAY_BENCH_RECORDING_H

#include <freeplay.h>

typedef struct Recording {
    size_t count, room; /* states; room for so many */
    size_t width;       /* numbers of one: t, h, q, v, lambda */
    double* states;
    double us_per_step; /* of fp_simulate, recording included */
} Recording;

/* Runs from the initial state to t_end. False with a message when a step fails or memory is out. */
bool recording_make(const FpSystem* system, const FpStepperDef* def, double t_end,
                    Recording* recording, FpMessage* message);
void recording_free(Recording* recording);
/* The largest difference of q and v at equal steps, in parts of the largest |q| and |v|; NAN where
 * the runs have different steps. */
double recording_difference(const FpSystem* system, const Recording* a, const Recording* b);

#endif
