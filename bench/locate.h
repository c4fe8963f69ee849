/* Steps that end where a gap closes: a step within which a contact comes is cut at that instant,
 * and a very short one takes the impact. A driver around fp_stepper_step, for measuring what the
 * position of impacts within steps costs in accuracy. */
#ifndef FREEPLAY_BENCH_LOCATE_H
#define FREEPLAY_BENCH_LOCATE_H

#include <freeplay.h>

typedef struct Locator {
    const FpSystem* system;
    FpStepper* stepper;
    FpState* trial;         /* end of the last step tried */
    FpState *open, *before; /* of the longest one that leaves all gaps open; of the next shorter */
    double* gaps[3];        /* at the start, and at `before` and `open` */
    bool *is_open, *hits;   /* of every row: open at the start; of these, closed by the last
                                step that closed any */
    long contacts;          /* located */
    long extra;             /* steps tried and not kept */
} Locator;

/* False with a message when refused or out of memory. */
bool locate_create(Locator* locator, const FpSystem* system, const FpStepperDef* def,
                   FpMessage* message);
void locate_destroy(Locator* locator);
/* Advances state by a step of the stepper, or to the next contact and through its impact. report
 * has the largest certificate of the steps that were kept, and their count in `solves`. */
FpStatus locate_step(Locator* locator, FpState* state, double t_end, FpStepReport* report,
                     FpMessage* message);

#endif
