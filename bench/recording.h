/* A whole run kept in memory: what the engine costs with its events, energies and totals, and how
 * far two runs are apart. */
#ifndef FREEPLAY_BENCH_RECORDING_H
#define FREEPLAY_BENCH_RECORDING_H

#include <freeplay.h>

typedef struct Recording {
    size_t count, room; /* states; room for so many */
    size_t width;       /* numbers of one: t, h, q, v, lambda with friction */
    size_t q_count, v_count;
    double* states;
    FpTotals totals;
    double us_per_step; /* of fp_simulate, recording included */
} Recording;

/* One of the states; 0 is the initial one. */
typedef struct RecordedState {
    double t, h;
    const double *q, *v, *lambda; /* in the recording */
} RecordedState;

/* Runs from the initial state to t_end. False with a message when a step fails or memory is out. */
bool recording_make(const FpSystem* system, const FpStepperDef* def, double t_end,
                    Recording* recording, FpMessage* message);
void recording_free(Recording* recording);
RecordedState recording_state(const Recording* recording, size_t index);
/* The largest difference of q and v at equal steps, in parts of the largest |q| and |v|; NAN where
 * the runs have different steps. */
double recording_difference(const FpSystem* system, const Recording* a, const Recording* b);

#endif
