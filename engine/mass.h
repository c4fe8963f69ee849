/* The block-diagonal mass matrix of a system at one configuration, with its inverse. Private to the
 * method. */
#ifndef FREEPLAY_ENGINE_MASS_H
#define FREEPLAY_ENGINE_MASS_H

#include <stdbool.h>
#include "engine/system.h"

typedef struct FpMass {
    const FpSystem* system;
    bool evaluated; /* at least once */
    double* memory;
    double **M, **inverse;             /* of every block, row-major */
    bool* diagonal;                    /* of every block: M is */
    bool all_diagonal;                 /* M of all blocks is */
    double *entries, *inverse_entries; /* the diagonals of M and its inverse, of all velocities */
    double* factor;                    /* work, of the largest block */
} FpMass;

bool fp_mass_create(FpMass* mass, const FpSystem* system);
void fp_mass_free(FpMass* mass);
FpStatus fp_mass_evaluate(FpMass* mass, const double* q);
/* out = M v, the sums of the sizes |M_ij v_j|, and out = M^-1 f, the last for one block, too. out
 * is another array. */
void fp_mass_multiply(const FpMass* mass, const double* v, double* out);
void fp_mass_multiply_sizes(const FpMass* mass, const double* v, double* out);
/* f.M^-1 f */
double fp_mass_inverse_square(const FpMass* mass, const double* f);
void fp_mass_solve(const FpMass* mass, const double* f, double* out);
/* The same for several rows of a block, `stride` apart. */
void fp_mass_solve_rows(const FpMass* mass, int block, int count, int stride, const double* rows,
                        double* out);
void fp_mass_solve_block(const FpMass* mass, int block, const double* f, double* out);

#endif
