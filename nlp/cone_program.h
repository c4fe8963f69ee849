/* A program with friction as one without: what an interior-point method can solve, theory.md (31a).
 * Slip velocities become variables, the discs of friction constraints, and what the forces lack of
 * the law a penalty in the objective. */
#ifndef FREEPLAY_NLP_CONE_PROGRAM_H
#define FREEPLAY_NLP_CONE_PROGRAM_H

#include "nlp/nlp.h"

typedef struct FpConeProgram FpConeProgram;

FpConeProgram* fp_cone_program_create(void);
void fp_cone_program_destroy(FpConeProgram* program);

/* Poses the program that stands for nlp, with that weight of the penalty; `smooth` and `start`,
 * which begins where x is, belong to the object and last until the next call. */
FpStatus fp_cone_program_pose(FpConeProgram* program, const FpNlp* nlp, double penalty,
                              const double* x, const FpNlp** smooth, FpNlpPoint** start);
/* From the smooth program's point that of nlp. */
void fp_cone_program_hand_back(const FpConeProgram* program, FpNlpPoint* point);

#endif
