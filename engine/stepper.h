/* One accepted time step: scheme, step-size strategy, solver and their workspace. Two threads may
 * step two states of one system with two steppers; Ipopt's solves are serialised by a lock. */
#ifndef FREEPLAY_ENGINE_STEPPER_H
#define FREEPLAY_ENGINE_STEPPER_H

#include <stdbool.h>
#include "engine/state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpStepper FpStepper;

/* How the rows of joints and the normalization enter a step, theory.md (22), (23). */
typedef enum FpRowForm {
    FREEPLAY_ROWS_EXACT,      /* at the end of the step: no penetration */
    FREEPLAY_ROWS_LINEARIZED, /* about its start: the paper's, penetrates by O(h^2) */
} FpRowForm;

typedef struct FpStepperDef {
    const char* scheme;   /* a name from fp_schemes */
    const char* strategy; /* a name from fp_strategies */
    const char* solver;   /* a name from fp_solvers: "auto", "structured", "ipopt" */
    FpRowForm rows;
    double theta;    /* of scheme moreau, 0 to 1: 1/2 is of second order while nothing touches */
    bool projection; /* scheme moreau moves positions back onto gaps and joints */
    double h;        /* s, > 0: the step of fixed strategies */
    double h_min, h_max; /* s, 0 < h_min <= h_max: the bounds of the others */
    long audit;          /* every so many steps are solved by Ipopt, too, and compared; 0: none */
    bool cold_start;     /* forget the last step's solution; for measurements */
    /* Asked now and then during long solves; true ends the step with FREEPLAY_CANCELLED. */
    bool (*cancel)(void* context);
    void* cancel_context;
} FpStepperDef;
/* Gauss scheme, fixed h = 1 ms (h_min = 0.1 ms, h_max = 1 ms), exact rows, solver auto. */
FpStepperDef fp_stepper_def_default(void);

/* How an accepted step was found, and how good it is. Residuals are scaled, theory.md section 6. */
typedef struct FpStepReport {
    double h;
    const char* solver;     /* that found the accepted point */
    int solves;             /* programs solved for it, rejected ones included */
    int iterations;         /* of the solver, all solves */
    int retries;            /* solves repeated with other settings */
    int rejected;           /* steps tried at a larger h and given up */
    double objective;       /* of the program */
    double certificate;     /* largest of the four below */
    double primal;          /* violation of equations, rows and bounds */
    double complementarity; /* largest product lambda g */
    double stationarity;
    double motion; /* residual of the equations of motion alone */
    int wedged;    /* contacts at which Coulomb's law may have several solutions, or none without an
                    * impulse (Painleve), theory.md (59) */
    bool audited;
    double audit_difference; /* of the motion, in parts of the largest; INFINITY: Ipopt failed */
} FpStepReport;

/* Keeps a pointer to system. NULL on refusal, with the reason in message. */
FpStepper* fp_stepper_create(const FpSystem* system, const FpStepperDef* def, FpMessage* message);
void fp_stepper_destroy(FpStepper* stepper);
const FpSystem* fp_stepper_system(const FpStepper* stepper);
/* One sentence on what of the system the scheme leaves out (friction), "" if nothing. */
const char* fp_stepper_warning(const FpStepper* stepper);

/* Advances state by one step of the strategy, never beyond t_end. On failure state is as before,
 * and message names step, time, constraint and residual. */
FpStatus fp_stepper_step(FpStepper* stepper, FpState* state, double t_end, FpStepReport* report,
                         FpMessage* message);

/* What there is to choose from, for `freeplay list`. */
typedef struct FpChoice {
    const char* name;
    const char* summary;
} FpChoice;
/* Write up to `room` choices, return how many there are. */
int fp_schemes(FpChoice* choices, int room);
int fp_strategies(FpChoice* choices, int room);
int fp_solvers(FpChoice* choices, int room);
/* The index of a choice is its FpRowForm. */
int fp_row_forms(FpChoice* choices, int room);

#ifdef __cplusplus
}
#endif
#endif
