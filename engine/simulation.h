/* A whole run: steps until t_end, shown to an observer, with its totals. */
#ifndef FREEPLAY_ENGINE_SIMULATION_H
#define FREEPLAY_ENGINE_SIMULATION_H

#include "engine/stepper.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What happened at a row during a step. */
typedef enum FpEventKind {
    FREEPLAY_EVENT_OPEN,   /* a row that pushed pushes no more */
    FREEPLAY_EVENT_CLOSE,  /* a row starts to push, gently */
    FREEPLAY_EVENT_IMPACT, /* a row starts to push, with a jump of the velocity */
    FREEPLAY_EVENT_LEAVE,  /* a row ceases to apply: a sleeve leaves its pin */
    FREEPLAY_EVENT_ENTER,  /* it applies again */
} FpEventKind;
const char* fp_event_kind_name(FpEventKind kind);

typedef struct FpEvent {
    double t;       /* end of the step in which the row changed, s */
    int constraint; /* index into FpSystem.constraints */
    int row;        /* of that constraint */
    FpEventKind kind;
    double energy_before; /* shadow energy at the start of the step, J */
    double energy_after;  /* and after it (an impact takes two steps), J */
    double speed;         /* at which the gap was closing before, m/s, >= 0 */
} FpEvent;

/* Any of the functions may be NULL. A status other than FREEPLAY_OK ends the run with it. */
typedef struct FpObserver {
    void* context;
    /* The initial state (report is NULL) and every accepted step. */
    FpStatus (*step)(void* context, const FpState* state, const FpStepReport* report);
    FpStatus (*event)(void* context, const FpEvent* event);
} FpObserver;

typedef struct FpTotals {
    long steps, rejected;
    long solves_structured, solves_ipopt, retried;
    long iterations; /* of Ipopt */
    double wall_seconds;
    double max_penetration; /* true gaps, m */
    double max_certificate, max_motion_residual;
    double max_norm_defect; /* | |p|^2 - 1 | */
    long wedged;            /* steps with contacts that friction wedges, FpStepReport */
    long audited;           /* steps solved by two solvers, */
    double max_difference;  /* and the largest difference of their motions, relative */
    double h_smallest, h_largest;
    FpEnergy initial, final;
} FpTotals;

/* Steps state until t_end, or until a body leaves a joint that it must stay in. totals is filled in
 * any case; on failure state is the last good one and message says what ended the run. observer and
 * message may be NULL. */
FpStatus fp_simulate(FpStepper* stepper, FpState* state, double t_end, const FpObserver* observer,
                     FpTotals* totals, FpMessage* message);

#ifdef __cplusplus
}
#endif
#endif
