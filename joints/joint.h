/* What all joints share: the head of their defs, frames, and the table by which a joint type tells
 * model files, `freeplay list` and the JSON schema what it needs. A new joint is one file pair and
 * one line in joints/joint.c. */
#ifndef FREEPLAY_JOINTS_JOINT_H
#define FREEPLAY_JOINTS_JOINT_H

#include <stdbool.h>
#include <stddef.h>
#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* First member of every joint's def. */
typedef struct FpJointDef {
    const char* name; /* unique among joints, copied */
    FpBodyId body[2]; /* FREEPLAY_GROUND for ground; the joint type says what each carries */
} FpJointDef;

/* A joint frame in a body: its origin and z axis, and its x axis where the joint needs one. */
typedef struct FpFrameDef {
    bool given;    /* false: coincides with the other body's frame in the initial configuration */
    FpVec3 origin; /* body frame, from the centre of mass, m */
    FpVec3 axis;   /* body frame, any length > 0 */
    FpVec3 x_axis; /* body frame, not parallel to axis; 0 for any */
} FpFrameDef;

typedef enum FpFieldKind {
    FREEPLAY_FIELD_NUMBER, /* double, in the SI unit of the field */
    FREEPLAY_FIELD_FRAME,  /* FpFrameDef */
} FpFieldKind;

/* One field of a joint's def, as it stands in a model file. */
typedef struct FpField {
    const char* name;
    FpFieldKind kind;
    size_t offset;    /* in the def */
    const char* unit; /* of a number: "m", "rad", "1" */
    bool required;
    const char* help;
} FpField;

typedef struct FpJointType {
    const char* name;
    const char* summary;    /* one line */
    const char* carries[2]; /* what the first and the second body carry: "bore", "pin" */
    size_t def_size;
    void (*set_default)(void* def);
    FpStatus (*add)(FpWorld* world, const void* def, FpMessage* message);
    int field_count;
    const FpField* fields;
} FpJointType;

/* All joint types, and one by its name (NULL if there is none). */
const FpJointType* const* fp_joint_types(int* count);
const FpJointType* fp_joint_type_find(const char* name);

/* For joint implementations ------------------------------------------------------------------ */

/* A frame fixed to a body, orthonormal, in body coordinates. */
typedef struct FpJointFrame {
    FpVec3 origin, x, y, z;
} FpJointFrame;

/* Makes the two frames of a joint: each as given, or from the other one and the initial poses.
 * `field` are the names under which the frames stand in the def, for the message. */
FpStatus fp_joint_frames(const FpWorld* world, const FpJointDef* joint, const FpFrameDef def[2],
                         const char* const field[2], FpJointFrame frame[2], FpMessage* message);

/* Checks name and bodies of a def. */
FpStatus fp_joint_check(const FpWorld* world, const FpJointDef* joint, FpMessage* message);

/* A length that must be positive, or may be zero. */
FpStatus fp_joint_check_length(const char* field, double value, bool zero_allowed,
                               FpMessage* message);

/* Fills the head of a joint's struct and hands it to the world, which then owns it (on failure it
 * is freed with its own ops->destroy). `rows` live as long as the joint. */
FpStatus fp_joint_add(FpWorld* world, const FpJointDef* joint, const FpConstraintOps* ops,
                      int row_count, const FpRow* rows, FpConstraint* constraint,
                      FpMessage* message);

/* Every row of a joint is a function of the vector a from a point of the second body to a point of
 * the first, and of a direction u fixed to the second body, theory.md (8):
 *   a = r0 + A(p0) point - r1 - A(p1) origin,   u = A(p1) direction. */
typedef struct FpPointPair {
    FpVec3 point, origin, direction; /* in their bodies */
    FpVec3 P, a, u;                  /* global; P is where the first body's point is */
} FpPointPair;

/* q[0], q[1] are the coordinates (r, p) of the two bodies. */
FpPointPair fp_point_pair(const double* const q[], FpVec3 point, FpVec3 origin, FpVec3 direction);
/* The gradient with respect to (q0, q1) of a function with the gradients da and du. */
void fp_point_pair_gradient(const FpPointPair* pair, const double* const q[], FpVec3 da, FpVec3 du,
                            double row[14]);
/* Adds weight times its second derivative, `second` is that with respect to (a, u), 6x6. */
void fp_point_pair_hessian(const FpPointPair* pair, const double* const q[], FpVec3 da, FpVec3 du,
                           const double second[36], double weight, double H[196]);

#ifdef __cplusplus
}
#endif
#endif
