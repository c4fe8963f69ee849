/* Cylindrical joint: a sleeve that turns and slides on a pin, theory.md section 4.
 *
 * The first body carries the sleeve of length l with the end points P1, P2 on its axis, the second
 * one the pin. Rows: radial at P1 (z < 0 end) and at P2, or x and y of both where the clearance
 * is 0. A pin of finite length holds an end of the sleeve only while that is on it. */
#ifndef FREEPLAY_JOINTS_CYLINDRICAL_H
#define FREEPLAY_JOINTS_CYLINDRICAL_H

#include "joints/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum FpLeaving {
    FREEPLAY_LEAVING_ENDS,   /* the run ends where an end of the sleeve leaves the pin */
    FREEPLAY_LEAVING_ALLOWED /* that end is no longer held */
} FpLeaving;

typedef struct FpCylindricalDef {
    FpJointDef joint;       /* body[0] carries the sleeve, body[1] the pin */
    FpFrameDef sleeve, pin; /* origin: middle of the length; axis: from P1 to P2 */
    double length;          /* of the sleeve, m, > 0 */
    double radius;          /* of its bore, m, >= 0: the lever of friction */
    double clearance;       /* radial, m; 0: ideal */
    double pin_length;      /* m; 0: endless */
    FpLeaving leaving;
} FpCylindricalDef;

FpCylindricalDef fp_cylindrical_def_default(void);
/* Copies def. On refusal the world is as before. */
FpStatus fp_cylindrical_add(FpWorld* world, const FpCylindricalDef* def, FpMessage* message);

extern const FpJointType fp_cylindrical_type;

#ifdef __cplusplus
}
#endif
#endif
