/* Fixed joint: the second body holds the first. Rows: x, y, z of the origin, then three angles. */
#ifndef FREEPLAY_JOINTS_FIXED_H
#define FREEPLAY_JOINTS_FIXED_H

#include "joints/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpFixedDef {
    FpJointDef joint;
    FpFrameDef first, second; /* the frames that coincide */
} FpFixedDef;

FpFixedDef fp_fixed_def_default(void);
/* Copies def. On refusal the world is as before. */
FpStatus fp_fixed_add(FpWorld* world, const FpFixedDef* def, FpMessage* message);

extern const FpJointType fp_fixed_type;

#ifdef __cplusplus
}
#endif
#endif
