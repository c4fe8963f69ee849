/* How long the steps of a run took. */
#ifndef FREEPLAY_BENCH_TIMING_H
#define FREEPLAY_BENCH_TIMING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Timing {
    double* us; /* of every step */
    size_t count, room;
} Timing;

typedef struct TimingSummary {
    double min, median, mean; /* us */
} TimingSummary;

/* Processor time of the process in microseconds, which does not count what others do on the
 * machine. */
double timing_now(void);
/* False when out of memory. */
bool timing_add(Timing* timing, double us);
/* Frees the times, of which there must be some. */
TimingSummary timing_finish(Timing* timing);

#endif
