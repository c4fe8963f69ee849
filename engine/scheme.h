/* A time-stepping method: turns the system at the start of a step into one or more programs, and
 * their solutions into the state at its end. It knows no joint; a solver knows no body. */
#ifndef FREEPLAY_ENGINE_SCHEME_H
#define FREEPLAY_ENGINE_SCHEME_H

#include <stddef.h>
#include "engine/stepper.h"
#include "nlp/nlp.h"

typedef struct FpSchemeOps {
    const char* name;
    const char* summary;
    bool has_contact_laws; /* friction and restitution; without, a system that has them is warned of
                            */
    bool fixed_steps;      /* h is no variable of its programs */
    bool exact_rows;       /* it has no linearized ones */
    int stage_count;
    /* NULL when out of memory. Keeps a pointer to system. */
    void* (*create)(const FpSystem* system, const FpStepperDef* def);
    void (*destroy)(void* self);
    /* Largest h that a step from this state allows. NULL: any. */
    double (*step_limit)(void* self, const FpState* state);
    /* Poses stage `stage` of a step from `state` with h_lower <= h <= h_upper. The program belongs
     * to the scheme; point->x is set to a start. *nlp is NULL where there is nothing to solve. */
    FpStatus (*pose)(void* self, int stage, const FpState* state, double h_lower, double h_upper,
                     const FpNlp** nlp, FpNlpPoint* point);
    /* Takes the solution of a stage; the last one fills next: h, q, v, lambda (t and step are the
     * stepper's). */
    FpStatus (*take)(void* self, int stage, const FpState* state, const FpNlpPoint* point,
                     FpState* next);
    /* Contacts of the step just taken at which Coulomb's law may have several solutions, or none
     * without an impulse. NULL: none. */
    int (*wedged)(void* self);
    /* Names a constraint of a stage's program, in the user's words. */
    void (*describe)(void* self, int stage, int constraint, char* text, size_t size);
} FpSchemeOps;

extern const FpSchemeOps fp_scheme_gauss, fp_scheme_moreau, fp_scheme_rattle,
    fp_scheme_rattle_midpoint;

#endif
