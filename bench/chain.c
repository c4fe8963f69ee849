#include "bench/chain.h"

#include <math.h>
#include <stdio.h>

#define LENGTH 0.1  /* m, from hinge to hinge */
#define WIDTH  0.02 /* m */
#define MASS   0.1  /* kg */

static FpStatus add_bar(FpWorld* world, int k, FpVec3 middle, double angle, FpMessage* message) {
    char name[32];
    snprintf(name, sizeof name, "bar%d", k);
    FpBodyDef bar = fp_body_def_default();
    bar.name = name;
    bar.mass = MASS;
    fp_inertia_box(MASS, LENGTH, WIDTH, WIDTH, bar.inertia);
    bar.position = middle;
    bar.orientation[0] = cos(angle / 2);
    bar.orientation[3] = sin(angle / 2);
    FpBodyId id;
    return fp_world_add_body(world, &bar, &id, message);
}

/* The hinge between bar k - 1, or the ground, and bar k, with its bore in bar k. */
static FpStatus add_hinge(FpWorld* world, int k, double clearance, FpMessage* message) {
    char name[32];
    snprintf(name, sizeof name, "hinge%d", k);
    FpRevoluteDef hinge = fp_revolute_def_default();
    hinge.joint.name = name;
    hinge.joint.body[0] = k;
    hinge.joint.body[1] = k == 0 ? FREEPLAY_GROUND : k - 1;
    const FpVec3 z = fp_vec3(0, 0, 1);
    FpVec3 end = fp_vec3(k == 0 ? 0 : LENGTH / 2, 0, 0);
    hinge.bore = (FpFrameDef){.given = true, .origin = fp_vec3(-LENGTH / 2, 0, 0), .axis = z};
    hinge.pin = (FpFrameDef){.given = true, .origin = end, .axis = z};
    hinge.length = WIDTH;
    hinge.clearance = hinge.axial_clearance = clearance;
    return fp_revolute_add(world, &hinge, message);
}

FpWorld* chain_create(int n, double clearance, double zigzag, FpMessage* message) {
    FpWorldDef def = fp_world_def_default();
    FpWorld* world = fp_world_create(&def);
    FpStatus status = world ? FREEPLAY_OK : FREEPLAY_OUT_OF_MEMORY;
    FpVec3 end = {0};
    for (int k = 0; k < n && !status; k++) {
        double angle = k % 2 ? zigzag : -zigzag;
        FpVec3 half = fp_vec3(LENGTH / 2 * cos(angle), LENGTH / 2 * sin(angle), 0);
        status = add_bar(world, k, fp_vec3_add(end, half), angle, message);
        if (!status) status = add_hinge(world, k, clearance, message);
        end = fp_vec3_add(fp_vec3_add(end, half), half);
    }
    if (!status) status = fp_world_finish(world, message);
    if (!status) return world;
    fp_world_destroy(world);
    return NULL;
}
