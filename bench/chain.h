/* A chain of bars that hang on each other by spatial revolute joints, for measuring. */
#ifndef FREEPLAY_BENCH_CHAIN_H
#define FREEPLAY_BENCH_CHAIN_H

#include <freeplay.h>

#define CHAIN_ZIGZAG 0.2 /* rad: a chain that folds and whips */

/* n equal bars of 0.1 m, hinges along z, released from rest, each turned by `zigzag` up or down
 * from the horizontal; 0: a straight chain. A clearance of 0 makes the hinges ideal. NULL, with a
 * message, if the world is refused. */
FpWorld* chain_create(int n, double clearance, double zigzag, FpMessage* message);

#endif
