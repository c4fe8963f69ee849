/* The description of a mechanism of rigid bodies: bodies, loads, gravity, joints. Build it, then
 * call fp_world_finish; from then on it is read-only and may be shared by any number of steppers.
 */
#ifndef FREEPLAY_ENGINE_WORLD_H
#define FREEPLAY_ENGINE_WORLD_H

#include <stdbool.h>
#include "engine/body.h"
#include "engine/system.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpWorld FpWorld;

/* Bodies are numbered from 0 in the order they are added. */
typedef int FpBodyId;
#define FREEPLAY_GROUND (-1)

typedef struct FpWorldDef {
    FpVec3 gravity;   /* m/s^2 */
    bool unassembled; /* takes an initial state that the joints do not allow; see fp_assemble */
} FpWorldDef;
/* Gravity (0, -9.81, 0); assembled. */
FpWorldDef fp_world_def_default(void);

typedef struct FpBodyDef {
    const char* name;        /* unique, copied */
    bool planar;             /* moves in the plane z = 0 and turns about z: x, y and an angle */
    double mass;             /* kg, > 0 */
    double inertia[9];       /* about the centre of mass, body frame, row-major, kg m^2;
                              * of a planar body only that about z, inertia[8], counts */
    FpVec3 position;         /* of the centre of mass, global, m */
    double orientation[4];   /* Euler parameters, scalar first; normalized when added */
    FpVec3 velocity;         /* global, m/s */
    FpVec3 angular_velocity; /* body frame, rad/s */
} FpBodyDef;
/* At rest at the origin; mass and inertia must be set. */
FpBodyDef fp_body_def_default(void);

/* Inertias about the centre of mass of homogeneous solids, row-major. */
void fp_inertia_box(double mass, double x, double y, double z, double inertia[9]);
void fp_inertia_cylinder(double mass, double radius, double length, int axis, double inertia[9]);
void fp_inertia_sphere(double mass, double radius, double inertia[9]);

typedef enum FpLoadKind { FREEPLAY_LOAD_FORCE, FREEPLAY_LOAD_TORQUE } FpLoadKind;
typedef enum FpLoadFrame { FREEPLAY_FRAME_GLOBAL, FREEPLAY_FRAME_BODY } FpLoadFrame;

typedef struct FpLoadDef {
    FpBodyId body;
    FpLoadKind kind;
    FpLoadFrame frame;   /* in which the direction is given */
    FpVec3 point;        /* of a force, body frame, from the centre of mass, m */
    FpVec3 value;        /* N or N m; used when table_count is 0 */
    int table_count;     /* 0 for a constant load */
    const double* times; /* s, increasing; copied. Linear between them, held constant outside */
    const FpVec3* values;
} FpLoadDef;
FpLoadDef fp_load_def_default(void);

FpWorld* fp_world_create(const FpWorldDef* def);
void fp_world_destroy(FpWorld* world);

/* Each copies its def. On refusal the world is as before and message says why. */
FpStatus fp_world_add_body(FpWorld* world, const FpBodyDef* def, FpBodyId* id, FpMessage* message);
FpStatus fp_world_add_load(FpWorld* world, const FpLoadDef* def, FpMessage* message);
/* Takes ownership of the constraint, on failure too. For joints/; users call fp_<joint>_add. */
FpStatus fp_world_add_constraint(FpWorld* world, FpConstraint* constraint, FpMessage* message);

/* Checks the whole (at least one body, initial state as fp_state_check wants it) and freezes it. */
FpStatus fp_world_finish(FpWorld* world, FpMessage* message);
/* The system of a finished world; NULL before. Lives as long as the world. */
const FpSystem* fp_world_system(const FpWorld* world);

int fp_world_body_count(const FpWorld* world);
const char* fp_world_body_name(const FpWorld* world, FpBodyId id); /* "ground" for ground */
/* -2 if there is none of that name; "ground" is FREEPLAY_GROUND. */
FpBodyId fp_world_find_body(const FpWorld* world, const char* name);
/* Initial pose and velocity of a body; ground is the global frame, at rest. */
FpMotion fp_world_body_motion(const FpWorld* world, FpBodyId id);
const FpBodyKind* fp_world_body_kind(const FpWorld* world, FpBodyId id); /* spatial for ground */
double fp_world_body_mass(const FpWorld* world, FpBodyId id);
int fp_world_load_count(const FpWorld* world);
FpVec3 fp_world_gravity(const FpWorld* world);
const FpConstraint* fp_world_find_joint(const FpWorld* world, const char* name); /* or NULL */

#ifdef __cplusplus
}
#endif
#endif
