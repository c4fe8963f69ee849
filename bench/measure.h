/* One run with all that is measured of it. */
#ifndef FREEPLAY_BENCH_MEASURE_H
#define FREEPLAY_BENCH_MEASURE_H

#include <freeplay.h>

typedef struct Measure {
    const FpSystem* system;
    FpStepperDef def;
    double t_end;
    int repeats;   /* for the times, at least 1: that of the fastest counts */
    bool located;  /* impacts located by bench/locate.h */
    bool recorded; /* timed as a whole run recorded to memory, and by the processor, too */
} Measure;

typedef struct Measured {
    long steps, rejected, retries, fallbacks; /* fallbacks: steps by another than the structured */
    long contacts, extra;                     /* located; steps tried for that */
    double us_min, us_median, us_mean;        /* around a step */
    double us_recorded;                       /* of a whole run recorded to memory */
    double us_bare; /* of one that is nothing but steps; both NAN if not recorded */
    double certificate, penetration, norm_defect; /* largest */
    double energy;                                /* at the start, J */
    double energy_rise;  /* the largest above the lowest that came before, J */
    double energy_error; /* largest difference from the start, J */
    double kinetic;      /* largest, J */
    FpState* end;        /* the caller's */
} Measured;

/* False with a message when a step fails; end is NULL then. */
bool measure_run(const Measure* measure, Measured* measured, FpMessage* message);

#endif
