/* A program with friction as one of equations and pairs: what Newton's method can sharpen. The slip
 * velocities of a cone, which have no bounds, give way to as many equations, theory.md (34a). */
#ifndef FREEPLAY_NLP_CONE_EQUATIONS_H
#define FREEPLAY_NLP_CONE_EQUATIONS_H

#include "nlp/nlp.h"

typedef struct FpConeEquations FpConeEquations;

FpConeEquations* fp_cone_equations_create(void);
void fp_cone_equations_destroy(FpConeEquations* equations);

/* The program, with variables, constraints and pairs as those of nlp; it belongs to the object and
 * lasts until the next call. NULL when out of memory. */
const FpNlp* fp_cone_equations_pose(FpConeEquations* equations, const FpNlp* nlp);

#endif
