/* The block-diagonal mass matrix of a system at one configuration, with its Cholesky factors.
 * Private to the method. */
#ifndef FREEPLAY_ENGINE_MASS_H
#define FREEPLAY_ENGINE_MASS_H

#include <stdbool.h>
#include "engine/system.h"

typedef struct FpMass {
    const FpSystem* system;
    double* memory;
    double **M, **factor; /* of every block, row-major and LAPACK's */
} FpMass;

bool fp_mass_create(FpMass* mass, const FpSystem* system);
void fp_mass_free(FpMass* mass);
FpStatus fp_mass_evaluate(FpMass* mass, const double* q);
/* out = M v, and v := M^-1 v; the second for one block, too. */
void fp_mass_multiply(const FpMass* mass, const double* v, double* out);
void fp_mass_solve(const FpMass* mass, double* v);
void fp_mass_solve_block(const FpMass* mass, int block, double* v);

#endif
