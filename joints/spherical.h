/* Spherical joint: a ball in a socket, theory.md section 4. One row, c - |P - Q|; three where the
 * clearance is 0. */
#ifndef FREEPLAY_JOINTS_SPHERICAL_H
#define FREEPLAY_JOINTS_SPHERICAL_H

#include "joints/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpSphericalDef {
    FpJointDef joint;        /* body[0] carries the ball, body[1] the socket */
    FpFrameDef ball, socket; /* centres */
    double radius;           /* of the ball, m, >= 0: the lever of friction */
    double clearance;        /* m; 0: ideal */
} FpSphericalDef;

FpSphericalDef fp_spherical_def_default(void);
/* Copies def. On refusal the world is as before. */
FpStatus fp_spherical_add(FpWorld* world, const FpSphericalDef* def, FpMessage* message);

extern const FpJointType fp_spherical_type;

#ifdef __cplusplus
}
#endif
#endif
