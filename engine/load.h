/* Forces and torques on bodies, constant or from a table of times. Private to the world. */
#ifndef FREEPLAY_ENGINE_LOAD_H
#define FREEPLAY_ENGINE_LOAD_H

#include "engine/world.h"

typedef struct FpLoad {
    FpLoadDef def; /* times and values are the load's own */
} FpLoad;

/* Checks def and copies it; `body_count` bodies exist. */
FpStatus fp_load_create(const FpLoadDef* def, int body_count, FpLoad* load, FpMessage* message);
void fp_load_free(FpLoad* load);

/* Adds the load at time t to the forces f of a body with the coordinates q. */
void fp_load_add(const FpLoad* load, double t, const FpBodyKind* kind, const double* q, double* f);
/* -F.(r + A s') for a constant global force, 0 for all others. */
double fp_load_potential(const FpLoad* load, const FpBodyKind* kind, const double* q);

#endif
