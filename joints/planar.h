/* Planar joint: a plane of the first body slides on a plane of the second. Rows: the distance of
 * the origin from the plane, then two angles; their axes are the normals. */
#ifndef FREEPLAY_JOINTS_PLANAR_H
#define FREEPLAY_JOINTS_PLANAR_H

#include "joints/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpPlanarDef {
    FpJointDef joint;
    FpFrameDef first, second; /* a point of each plane, and its normal */
} FpPlanarDef;

FpPlanarDef fp_planar_def_default(void);
/* Copies def. On refusal the world is as before. */
FpStatus fp_planar_add(FpWorld* world, const FpPlanarDef* def, FpMessage* message);

extern const FpJointType fp_planar_type;

#ifdef __cplusplus
}
#endif
#endif
