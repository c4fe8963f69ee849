/* Revolute joint: a bore around a pin, theory.md section 4.
 *
 * The first body carries the bore of length l with the end points P1, P2 on its axis, the second
 * one the pin, of length l + 2 c_a, with the end points Q1, Q2 and the axis u. Rows, loose:
 *   0, 1   radial at P1 (z < 0 end) and P2:   c - |d|        d = distance vector from the pin axis
 *   2      axial stop at P1:                  (P1 - Q1).u
 *   3      axial stop at P2:                 -(P2 - Q2).u
 * A clearance of 0 makes its rows ideal: x and y of each end, and one row along the axis. Between
 * planar bodies the axis is across the plane: one radial row, or x and y. */
#ifndef FREEPLAY_JOINTS_REVOLUTE_H
#define FREEPLAY_JOINTS_REVOLUTE_H

#include "joints/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum FpAxial { FREEPLAY_AXIAL_STOPS, FREEPLAY_AXIAL_FREE } FpAxial;

typedef struct FpRevoluteDef {
    FpJointDef joint;       /* body[0] carries the bore, body[1] the pin */
    FpFrameDef bore, pin;   /* origin: middle of the length; axis: from P1 to P2 */
    double length;          /* of the bore, m, > 0; not needed between planar bodies */
    double radius;          /* of the bore, m, >= 0: the lever of friction */
    double clearance;       /* radial, m; 0: ideal */
    double axial_clearance; /* on each side, m; 0: ideal */
    FpAxial axial;          /* free: the bore slides along the pin */
} FpRevoluteDef;

FpRevoluteDef fp_revolute_def_default(void);
/* Copies def. On refusal the world is as before. */
FpStatus fp_revolute_add(FpWorld* world, const FpRevoluteDef* def, FpMessage* message);

extern const FpJointType fp_revolute_type;

#ifdef __cplusplus
}
#endif
#endif
