/* Ipopt behind the solver interface. */
#ifndef FREEPLAY_NLP_IPOPT_H
#define FREEPLAY_NLP_IPOPT_H

#include "nlp/nlp.h"

extern const FpNlpSolverOps fp_ipopt_solver;

#endif
