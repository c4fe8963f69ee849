/* The joints of a model and how free they leave it, for people. */
#ifndef FREEPLAY_CLI_JOINTS_H
#define FREEPLAY_CLI_JOINTS_H

#include "freeplay.h"

/* Every joint with its rows and their gaps in this state, on stdout. */
void cli_joints_print(const FpModel* model, const FpState* state);
/* Degrees of freedom in this state, and the rows that follow from others. */
void cli_freedom_print(const FpModel* model, const FpState* state);

#endif
