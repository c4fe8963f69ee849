/* The structured solver: active sets of the least-constraint problem, theory.md section 10. */
#ifndef FREEPLAY_NLP_STRUCTURED_H
#define FREEPLAY_NLP_STRUCTURED_H

#include "nlp/nlp.h"

extern const FpNlpSolverOps fp_structured_solver;

#endif
