/* The outcome of fp_assemble as JSON. */
#ifndef FREEPLAY_OUTPUT_ASSEMBLY_H
#define FREEPLAY_OUTPUT_ASSEMBLY_H

#include "engine/assembly.h"
#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How far the assembly went, and "bodies" with name, position, orientation (four Euler parameters)
 * or angle (of a planar body), velocity and angular_velocity, in SI units. To be freed by the
 * caller; NULL when out of memory. */
char* fp_assembly_json(const FpWorld* world, const FpState* state, const FpAssembly* assembly);

#ifdef __cplusplus
}
#endif
#endif
