/* What all joints share: the head of their defs, and the table by which a joint type tells model
 * files, `freeplay list` and the JSON schema what it needs. A new joint is one file pair and one
 * line in joints/joint.c. */
#ifndef FREEPLAY_JOINTS_JOINT_H
#define FREEPLAY_JOINTS_JOINT_H

#include <stdbool.h>
#include <stddef.h>
#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum FpFrictionLaw {
    FREEPLAY_FRICTION_COULOMB,  /* on the slip velocity of the contact point */
    FREEPLAY_FRICTION_CONTENSOU /* on that and on turning about the normal: drilling */
} FpFrictionLaw;

/* First member of every joint's def. */
typedef struct FpJointDef {
    const char* name;   /* unique among joints, copied */
    FpBodyId body[2];   /* FREEPLAY_GROUND for ground; the joint type says what each carries */
    double friction;    /* coefficient of Coulomb friction of loose rows, >= 0 */
    double restitution; /* of their impacts, 0 to 1 */
    double tangential_restitution; /* likewise along the surface, 0 to 1; needs friction */
    int friction_law;              /* FpFrictionLaw */
    double contact_radius; /* of the area that drills, m, > 0; 0 unless the law is Contensou's */
} FpJointDef;

/* A joint frame in a body: its origin and z axis, and its x axis where the joint needs one. */
typedef struct FpFrameDef {
    bool given;    /* false: coincides with the other body's frame in the initial configuration */
    FpVec3 origin; /* body frame, from the centre of mass, m */
    FpVec3 axis;   /* body frame, any length > 0 */
    FpVec3 x_axis; /* body frame, not parallel to axis; 0 for any */
} FpFrameDef;
/* Not given; axis z. */
FpFrameDef fp_frame_def_default(void);

#define FREEPLAY_PROFILE_CORNERS 64 /* at most */

/* A convex polygon in the x-y plane of a joint frame, counter-clockwise. */
typedef struct FpProfileDef {
    int corner_count;      /* 3 to FREEPLAY_PROFILE_CORNERS; 0: not given */
    const double* corners; /* x, y of each, m; copied */
} FpProfileDef;

/* A prescribed change of a joint's freedom since t = 0. */
typedef enum FpDriveKind {
    FREEPLAY_DRIVE_NONE,
    FREEPLAY_DRIVE_SPEED,    /* speed t */
    FREEPLAY_DRIVE_HARMONIC, /* amplitude (sin(2 pi frequency t + phase) - sin(phase)) */
    FREEPLAY_DRIVE_TABLE,    /* a cubic spline through the values less its value at t = 0, at rest
                              * before the first and after the last time */
} FpDriveKind;

typedef struct FpDriveDef {
    FpDriveKind kind;
    double speed;                       /* m/s or rad/s */
    double amplitude, frequency, phase; /* m or rad, Hz, rad */
    int count;                          /* of the table, >= 2 */
    const double *times, *values;       /* s, increasing; m or rad; copied */
} FpDriveDef;

typedef enum FpFieldKind {
    FREEPLAY_FIELD_NUMBER,  /* double, in the SI unit of the field */
    FREEPLAY_FIELD_FRAME,   /* FpFrameDef */
    FREEPLAY_FIELD_POINT,   /* FpFrameDef of which only the origin matters */
    FREEPLAY_FIELD_VECTOR,  /* FpVec3, in the SI unit of the field */
    FREEPLAY_FIELD_CHOICE,  /* int, an index into choices */
    FREEPLAY_FIELD_COUNTS,  /* int[2] */
    FREEPLAY_FIELD_JOINT,   /* const char*, the name of a joint defined before */
    FREEPLAY_FIELD_JOINTS,  /* const char*[2] */
    FREEPLAY_FIELD_PROFILE, /* FpProfileDef */
    FREEPLAY_FIELD_DRIVE,   /* FpDriveDef; the unit is that of the freedom, "m" or "rad" */
} FpFieldKind;

/* One field of a joint's def, as it stands in a model file. */
typedef struct FpField {
    const char* name;
    FpFieldKind kind;
    size_t offset;    /* in the def */
    const char* unit; /* of a number: "m", "rad", "1" */
    bool required;
    const char* help;
    const char* const* choices; /* names, NULL at the end */
} FpField;

typedef struct FpJointType {
    const char* name;
    const char* summary;    /* one line */
    const char* carries[2]; /* what the first and the second body carry: "bore", "pin"; NULL: the
                             * type names joints instead of bodies */
    bool is_loose;          /* may have a clearance, and then the loose fields */
    size_t def_size;
    void (*set_default)(void* def);
    FpStatus (*add)(FpWorld* world, const void* def, FpMessage* message);
    int field_count;
    const FpField* fields;
} FpJointType;

/* All joint types, and one by its name (NULL if there is none). */
const FpJointType* const* fp_joint_types(int* count);
const FpJointType* fp_joint_type_find(const char* name);
/* Whether friction of a bore, sleeve or ball has no lever because its radius was not given. */
bool fp_joint_lacks_radius(const FpConstraint* constraint);
/* Whether friction or restitution was given to a joint none of whose rows is loose: it has no
 * effect. */
bool fp_joint_has_idle_laws(const FpConstraint* constraint);
/* Fields that all types with is_loose have besides their own: friction, restitution and the like.
 */
const FpField* fp_joint_loose_fields(int* count);

#ifdef __cplusplus
}
#endif
#endif
