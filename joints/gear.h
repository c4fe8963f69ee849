/* Gear: couples the freedoms of two joints, from their values at the start. One bilateral row:
 *   teeth             n1 x1 + n2 x2 = 0          two rotations: gears that mesh; whole numbers, of
 *                                                opposite signs for a ring gear, a belt or a chain
 *   travel_per_turn   x1 l/(2 pi) - x2 = 0       rotation and translation: rack, screw
 *   ratio             r x1 - x2 = 0              two translations: lever */
#ifndef FREEPLAY_JOINTS_GEAR_H
#define FREEPLAY_JOINTS_GEAR_H

#include "joints/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpGearDef {
    FpJointDef joint;       /* only its name matters */
    const char* coupled[2]; /* the names of two joints */
    int teeth[2];           /* both not 0, */
    double travel_per_turn; /* or this, m, */
    double ratio;           /* or this */
} FpGearDef;

FpGearDef fp_gear_def_default(void);
/* Copies def. On refusal the world is as before. */
FpStatus fp_gear_add(FpWorld* world, const FpGearDef* def, FpMessage* message);

extern const FpJointType fp_gear_type;

#ifdef __cplusplus
}
#endif
#endif
