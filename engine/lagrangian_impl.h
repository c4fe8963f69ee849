/* Rows of a user as a constraint. Private to the Lagrangian provider. */
#ifndef FREEPLAY_ENGINE_LAGRANGIAN_IMPL_H
#define FREEPLAY_ENGINE_LAGRANGIAN_IMPL_H

#include "engine/lagrangian.h"

/* Of such a system. NULL on refusal. */
FpConstraint* fp_lagrangian_rows_create(const FpLagrangianRowsDef* def,
                                        const FpLagrangianDef* system, FpMessage* message);
/* Refuses callbacks that do not write finite numbers at (t, q); message names rows, callback and
 * row. */
FpStatus fp_lagrangian_rows_check(const FpConstraint* rows, double t, const double* q,
                                  FpMessage* message);
/* The first of `count` numbers that is not finite; -1 if there is none. */
int fp_lagrangian_first_bad(const double* values, int count);

#endif
