/* From a solver's approximate answer to the exact one, theory.md (32)-(34): guess which constraint
 * of each pair is active, solve the equations that remain by Newton's method to round-off, correct
 * the guess where a sign is wrong. Of several forces that do the same, the one of least norm. */
#ifndef FREEPLAY_NLP_CROSSOVER_H
#define FREEPLAY_NLP_CROSSOVER_H

#include "nlp/nlp.h"

typedef struct FpCrossover FpCrossover;

FpCrossover* fp_crossover_create(void);
void fp_crossover_destroy(FpCrossover* crossover);

/* Sharpens x and computes y, z. On failure point is as it was. */
FpStatus fp_crossover_sharpen(FpCrossover* crossover, const FpNlp* nlp, FpNlpPoint* point);

#endif
