/* Revolute joint: a bore around a pin, theory.md section 4.
 *
 * The first body carries the bore of length l with the end points P1, P2 on its axis, the second
 * one the pin, of length l + 2 c_a, with the end points Q1, Q2 and the axis u. Rows:
 *   0, 1   radial at P1 (z < 0 end) and P2:   c - |d|        d = distance vector from the pin axis
 *   2      axial stop at P1:                  (P1 - Q1).u
 *   3      axial stop at P2:                 -(P2 - Q2).u */
#ifndef FREEPLAY_JOINTS_REVOLUTE_H
#define FREEPLAY_JOINTS_REVOLUTE_H

#include "joints/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpRevoluteDef {
    FpJointDef joint;       /* body[0] carries the bore, body[1] the pin */
    FpFrameDef bore, pin;   /* origin: middle of the length; axis: from P1 to P2 */
    double length;          /* of the bore, m, > 0 */
    double radius;          /* of the bore, m, >= 0; only the reported contact point needs it */
    double clearance;       /* radial, m, > 0 */
    double axial_clearance; /* on each side, m, > 0 */
} FpRevoluteDef;

FpRevoluteDef fp_revolute_def_default(void);
/* Copies def. On refusal the world is as before. */
FpStatus fp_revolute_add(FpWorld* world, const FpRevoluteDef* def, FpMessage* message);

extern const FpJointType fp_revolute_type;

#ifdef __cplusplus
}
#endif
#endif
