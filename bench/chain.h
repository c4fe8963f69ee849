/* A chain of bars that hang on each other by spatial revolute joints, for measuring. */
#ifndef FREEPLAY_BENCH_CHAIN_H
#define FREEPLAY_BENCH_CHAIN_H

#include <freeplay.h>

/* n equal bars of 0.1 m, hinges along z, released from a zigzag about the horizontal. A clearance
 * of 0 makes the hinges ideal. NULL, with a message, if the world is refused. */
FpWorld* chain_create(int n, double clearance, FpMessage* message);

#endif
