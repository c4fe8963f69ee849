/* A point of the first body on a line or a plane of the second: a pin in a slot. Rows, point on a
 * line: its distance from the line, or x and y where the clearance is 0; between planar bodies the
 * two sides of the slot. Point on a plane: the distance to both sides, or one row. */
#ifndef FREEPLAY_JOINTS_POINT_ON_H
#define FREEPLAY_JOINTS_POINT_ON_H

#include "joints/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpPointOnDef {
    FpJointDef joint;
    FpFrameDef point; /* only its origin matters */
    FpFrameDef place; /* the line (origin and axis), or the plane (origin and normal); needed */
    double clearance; /* m; 0: ideal */
} FpPointOnDef;

FpPointOnDef fp_point_on_def_default(void);
/* Copy def. On refusal the world is as before. */
FpStatus fp_point_on_line_add(FpWorld* world, const FpPointOnDef* def, FpMessage* message);
FpStatus fp_point_on_plane_add(FpWorld* world, const FpPointOnDef* def, FpMessage* message);

extern const FpJointType fp_point_on_line_type, fp_point_on_plane_type;

#ifdef __cplusplus
}
#endif
#endif
