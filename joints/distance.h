/* Distance joint: a rod of length l between two points. One row, l - |P - Q|; where the rod has
 * play, two: l + c - |P - Q| and |P - Q| - (l - c). */
#ifndef FREEPLAY_JOINTS_DISTANCE_H
#define FREEPLAY_JOINTS_DISTANCE_H

#include "joints/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpDistanceDef {
    FpJointDef joint;
    FpFrameDef first, second; /* the points */
    double length;            /* m, > 0; 0: as at the start */
    double clearance;         /* m; 0: ideal */
} FpDistanceDef;

FpDistanceDef fp_distance_def_default(void);
/* Copies def. On refusal the world is as before. */
FpStatus fp_distance_add(FpWorld* world, const FpDistanceDef* def, FpMessage* message);

extern const FpJointType fp_distance_type;

#ifdef __cplusplus
}
#endif
#endif
