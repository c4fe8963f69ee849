/* For joint implementations: a joint is a list of rows, each with its geometry. A joint type checks
 * its def, makes the joint, adds rows and hands it to the world. */
#ifndef FREEPLAY_JOINTS_JOINT_IMPL_H
#define FREEPLAY_JOINTS_JOINT_IMPL_H

#include "joints/geometry.h"
#include "joints/joint.h"

/* A frame fixed to a body, orthonormal, in body coordinates. */
typedef struct FpJointFrame {
    FpVec3 origin, x, y, z;
} FpJointFrame;

typedef struct FpJoint {
    FpConstraint base;
    const FpBodyKind* kind[2];
    FpJointFrame frame[2];
    const char* field[2]; /* of the def, from which each frame comes */
    bool turns, slides;   /* freedoms about and along the z axis of the second frame */
    double friction, restitution, tangential_restitution;
    bool drills;
    double contact_radius;
    bool lacks_radius; /* of a bore, sleeve or ball that must have one */
    int room;
    FpGeometry* geometry;
    FpFixedVectors vectors; /* of all rows */
    FpRow* rows;
    char (*labels)[48];
} FpJoint;

/* What all these joints offer as constraints; and the joint, NULL if it is another constraint. */
extern const FpConstraintOps fp_joint_ops, fp_joint_ops_with_ends; /* rows may cease to apply */
const FpJoint* fp_joint_of(const FpConstraint* constraint);

/* A length that must be positive, or may be zero. */
FpStatus fp_joint_check_length(const char* field, double value, bool zero_allowed,
                               FpMessage* message);
/* Refuses a clearance that is no smaller than what it must stay below. */
FpStatus fp_joint_check_clearance(const char* field, double clearance, double limit,
                                  const char* what, FpMessage* message);

/* Checks the head of a def and makes a joint with its two frames and room for rows. `fields` are
 * the names of the frames in the def, for the message. On failure *joint is NULL. */
FpStatus fp_joint_create(const FpWorld* world, const FpJointDef* def, const FpJointType* type,
                         const FpFrameDef frames[2], const char* const fields[2], int row_room,
                         FpJoint** joint, FpMessage* message);
/* Adds a row; geometry is copied. `size` is its clearance. Rows need room made before. */
void fp_joint_add_row(FpJoint* joint, FpRowKind kind, FpRowUnit unit, double size,
                      const FpGeometry* geometry, const char* label, ...) FREEPLAY_PRINTF(6, 7);
/* Rows apply only while their points are within half_length of the second frame's origin along its
 * axis; must_stay: a run ends where one leaves. */
void fp_joint_limit_rows(FpJoint* joint, double half_length, bool must_stay);
/* Frees a joint that no world owns yet, and returns status. */
FpStatus fp_joint_discard(FpJoint* joint, FpStatus status);
/* Hands the joint to the world, which owns it from now on; on failure it is freed. */
FpStatus fp_joint_finish(FpWorld* world, FpJoint* joint, FpMessage* message);

/* Gives a constraint of another kind its name and hands it to the world in the same way. */
FpStatus fp_joint_name_and_finish(FpWorld* world, FpConstraint* constraint, const char* name,
                                  FpMessage* message);

/* Whether both bodies are in the plane z = 0 (one of them may be ground). */
bool fp_joint_is_planar(const FpJoint* joint);
/* For such a pair: checks that the axis of frame k is across or in that plane. */
FpStatus fp_joint_check_planar_axis(const FpJoint* joint, int k, bool across, FpMessage* message);
/* Refuses such a pair, with advice, where the rows of a joint would hold nothing. */
FpStatus fp_joint_check_in_space(const FpJoint* joint, const char* advice, FpMessage* message);

/* Rows that several joints share. The point is fixed to the first body. */

/* P held at Q along the axes x, y, z of the second frame that are asked for ("xy"). */
void fp_joint_hold_point(FpJoint* joint, FpVec3 point, const char* along, const char* label);
/* A direction w of the first body perpendicular to u of the second. */
void fp_joint_hold_square(FpJoint* joint, FpVec3 w, FpVec3 u, const char* label);
/* P within `clearance` of the z axis of the second frame, or on it if that is 0. */
void fp_joint_keep_on_axis(FpJoint* joint, FpVec3 point, double clearance, double reach,
                           const char* label);

#endif
