/* The objective of every step, Gauss' least constraint: (W lambda)^T M^-1 (W lambda), theory.md
 * (20). Private to the method. */
#ifndef FREEPLAY_ENGINE_LEAST_CONSTRAINT_H
#define FREEPLAY_ENGINE_LEAST_CONSTRAINT_H

#include "engine/mass.h"
#include "engine/rows.h"
#include "nlp/triplets.h"

typedef struct FpLeastConstraint {
    const FpRows* rows;
    const FpMass* mass;
    double *force, *velocity; /* work, of velocities: W lambda and M^-1 of it */
} FpLeastConstraint;

double fp_least_constraint(const FpLeastConstraint* c, const double* lambda);
/* 2 N lambda. */
void fp_least_constraint_gradient(const FpLeastConstraint* c, const double* lambda, double* grad);
/* weight 2 N in the lower triangle, for unknowns that begin at lambda_at; `solved` holds M^-1 W,
 * laid out as W^T. */
void fp_least_constraint_hessian(const FpLeastConstraint* c, const double* solved, double weight,
                                 int lambda_at, FpTriplets* H);
/* M^-1 W of every row, laid out as W^T, and the compliances N_ii = W_i^T M^-1 W_i. */
void fp_least_constraint_solve_rows(const FpLeastConstraint* c, double* solved, double* compliance);

#endif
