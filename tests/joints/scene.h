/* Small worlds for the tests of joints: bodies in space and in the plane, at general places,
 * without gravity and free to violate their joints. */
#ifndef FREEPLAY_TESTS_JOINTS_SCENE_H
#define FREEPLAY_TESTS_JOINTS_SCENE_H

#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "freeplay.h"

static const double pi = 3.14159265358979323846;

static inline FpWorld* scene_world(void) {
    FpWorldDef def = {.unassembled = true};
    return fp_world_create(&def);
}

/* A body of 1 kg; orientation NULL is that of the global frame. */
static inline FpBodyId scene_body(FpWorld* world, const char* name, bool planar, FpVec3 position,
                                  const double* orientation) {
    FpBodyDef def = fp_body_def_default();
    FpBodyId id = FREEPLAY_GROUND;
    def.name = name;
    def.planar = planar;
    def.mass = 1;
    def.position = position;
    if (orientation) memcpy(def.orientation, orientation, sizeof def.orientation);
    fp_inertia_box(1, 0.3, 0.4, 0.5, def.inertia);
    assert_int_equal(fp_world_add_body(world, &def, &id, NULL), FREEPLAY_OK);
    return id;
}

/* Finishes the world and gives its last constraint. */
static inline const FpConstraint* scene_finish(FpWorld* world) {
    FpMessage message = {0};
    if (fp_world_finish(world, &message)) fail_msg("%s", message.text);
    const FpSystem* system = fp_world_system(world);
    return system->constraints[system->constraint_count - 1];
}

/* Adds a joint of any type by its table, as model files do. */
static inline void scene_add(FpWorld* world, const FpJointType* type, const void* def) {
    FpMessage message = {0};
    if (type->add(world, def, &message)) fail_msg("%s: %s", type->name, message.text);
}

static inline FpFrameDef scene_frame(FpVec3 origin, FpVec3 axis, FpVec3 x_axis) {
    return (FpFrameDef){.given = true, .origin = origin, .axis = axis, .x_axis = x_axis};
}

/* A frame along the axes of its body, its axis along z; and one with its axis along x. */
static inline FpFrameDef scene_frame_z(double x, double y, double z) {
    return scene_frame(fp_vec3(x, y, z), fp_vec3(0, 0, 1), fp_vec3(1, 0, 0));
}
static inline FpFrameDef scene_frame_x(double x, double y, double z) {
    return scene_frame(fp_vec3(x, y, z), fp_vec3(1, 0, 0), fp_vec3(0, 1, 0));
}

/* Within -1/2 and 1/2. */
static inline double scene_random(void) {
    return rand() / (double)RAND_MAX - 0.5;
}

#endif
