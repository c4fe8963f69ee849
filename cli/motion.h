/* Where a body is and how it moves, for people. */
#ifndef FREEPLAY_CLI_MOTION_H
#define FREEPLAY_CLI_MOTION_H

#include "cli/table.h"

/* Adds lines of two columns for a body with these coordinates and velocities. `brief` leaves out
 * what is as by default, no rotation, at rest, and gives fewer digits. */
void cli_motion_add(CliTable* table, const FpBodyKind* kind, const double* q, const double* v,
                    bool brief);
/* A line with a vector of `count` components: "(1, 2, 3) m". A single one stands
 * alone: "1 m". */
void cli_vector_add(CliTable* table, const char* name, const double* a, int count, int digits,
                    const char* unit);

#endif
