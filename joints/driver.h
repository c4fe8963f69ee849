/* Driver: prescribes the rotation or the translation of a joint. One bilateral row, whose force is
 * that of the motor, N or N m. */
#ifndef FREEPLAY_JOINTS_DRIVER_H
#define FREEPLAY_JOINTS_DRIVER_H

#include "joints/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpDriverDef {
    FpJointDef joint;                 /* only its name matters */
    const char* driven;               /* the name of the joint that is driven */
    FpDriveDef rotation, translation; /* one of the two */
} FpDriverDef;

FpDriverDef fp_driver_def_default(void);
/* Copies def. On refusal the world is as before. */
FpStatus fp_driver_add(FpWorld* world, const FpDriverDef* def, FpMessage* message);

extern const FpJointType fp_driver_type;

#ifdef __cplusplus
}
#endif
#endif
