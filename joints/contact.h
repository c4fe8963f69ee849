/* Contacts outside joints: a point, ball or box of the first body against a plane, ball or cylinder
 * of the second. All rows are unilateral. */
#ifndef FREEPLAY_JOINTS_CONTACT_H
#define FREEPLAY_JOINTS_CONTACT_H

#include "joints/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A point, a ball about it, or the corners of a box about it, on the side of a plane to which its
 * axis points. One row, or one for each corner of the box. */
typedef struct FpPlaneContactDef {
    FpJointDef joint;
    FpFrameDef point; /* in the first body; its axes are those of the box */
    FpFrameDef plane; /* in the second body: a point and the outward normal */
    double radius;    /* of the ball, m; 0: a point */
    FpVec3 box;       /* lengths of the edges, m; 0: no box */
} FpPlaneContactDef;

/* Two balls (or points), outside each other. */
typedef struct FpSphereContactDef {
    FpJointDef joint;
    FpFrameDef first, second; /* the centres */
    double radius[2];         /* m, not both 0 */
} FpSphereContactDef;

/* A point or ball outside an endless cylinder. */
typedef struct FpCylinderContactDef {
    FpJointDef joint;
    FpFrameDef point;       /* in the first body */
    FpFrameDef cylinder;    /* in the second body: a point and the direction of its axis */
    double radius;          /* of the ball, m; 0: a point */
    double cylinder_radius; /* m, > 0 */
} FpCylinderContactDef;

FpPlaneContactDef fp_plane_contact_def_default(void);
FpSphereContactDef fp_sphere_contact_def_default(void);
FpCylinderContactDef fp_cylinder_contact_def_default(void);

/* Copy def. On refusal the world is as before. */
FpStatus fp_plane_contact_add(FpWorld* world, const FpPlaneContactDef* def, FpMessage* message);
FpStatus fp_sphere_contact_add(FpWorld* world, const FpSphereContactDef* def, FpMessage* message);
FpStatus fp_cylinder_contact_add(FpWorld* world, const FpCylinderContactDef* def,
                                 FpMessage* message);

extern const FpJointType fp_plane_contact_type, fp_sphere_contact_type, fp_cylinder_contact_type;

#ifdef __cplusplus
}
#endif
#endif
