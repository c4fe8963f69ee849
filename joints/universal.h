/* Universal joint: a cross between two shafts. The axis of a frame is that of its shaft; the cross
 * turns in the first body about its x axis and in the second about its y axis. Rows: x, y, z of
 * the centre, and the angle between the two arms of the cross. */
#ifndef FREEPLAY_JOINTS_UNIVERSAL_H
#define FREEPLAY_JOINTS_UNIVERSAL_H

#include "joints/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpUniversalDef {
    FpJointDef joint;
    FpFrameDef first, second;
} FpUniversalDef;

FpUniversalDef fp_universal_def_default(void);
/* Copies def. On refusal the world is as before. */
FpStatus fp_universal_add(FpWorld* world, const FpUniversalDef* def, FpMessage* message);

extern const FpJointType fp_universal_type;

#ifdef __cplusplus
}
#endif
#endif
