/* Contacts that friction wedges, theory.md (59): where a sliding contact is pushed apart it closes
 * all the more, so that Coulomb's law may have no solution without an impulse, or several
 * (Painleve). Private to the method. */
#ifndef FREEPLAY_ENGINE_WEDGE_H
#define FREEPLAY_ENGINE_WEDGE_H

#include "engine/mass.h"
#include "engine/rows.h"

typedef struct FpWedge {
    const FpSystem* system;
    int bilateral_count;
    int* bilateral;              /* rows */
    double *force, *response;    /* work, of velocities */
    double *N, *along, *against; /* of bilateral rows: their compliance, and what a contact does */
    double* memory;
    bool is_factored; /* N is, of this step */
} FpWedge;

/* `rows` with those of slip. False when out of memory. */
bool fp_wedge_create(FpWedge* wedge, const FpSystem* system, const FpRows* rows);
void fp_wedge_free(FpWedge* wedge);
/* How many contacts that push, before a step or after it (forces of all rows), are wedged by the
 * friction against their slip before it (of all rows, W^T v + drift). */
int fp_wedge_count(FpWedge* wedge, const FpRows* rows, const FpMass* mass, const double* slip,
                   const double* before, const double* after);

#endif
