/* Two planes that coincide, theory.md (14). */
#include "joints/planar.h"

#include "joints/joint_impl.h"

FpPlanarDef fp_planar_def_default(void) {
    return (FpPlanarDef){.first = fp_frame_def_default(),
                         .second = fp_frame_def_default(),
                         .joint.body = {FREEPLAY_GROUND, FREEPLAY_GROUND}};
}

FpStatus fp_planar_add(FpWorld* world, const FpPlanarDef* def, FpMessage* message) {
    static const char* const names[2] = {"first", "second"};
    const FpFrameDef frames[2] = {def->first, def->second};
    FpJoint* joint;
    FpStatus status =
        fp_joint_create(world, &def->joint, &fp_planar_type, frames, names, 3, &joint, message);
    if (status) return status;
    status = fp_joint_check_in_space(joint, "planar bodies stay in their plane anyway", message);
    if (status) return fp_joint_discard(joint, status);
    const FpJointFrame *a = &joint->frame[0], *b = &joint->frame[1];
    joint->turns = true;
    fp_joint_hold_point(joint, a->origin, "z", "distance");
    fp_joint_hold_square(joint, a->z, b->y, "angle about x");
    fp_joint_hold_square(joint, a->z, b->x, "angle about y");
    return fp_joint_finish(world, joint, message);
}

static void set_default(void* def) {
    *(FpPlanarDef*)def = fp_planar_def_default();
}

static FpStatus add(FpWorld* world, const void* def, FpMessage* message) {
    return fp_planar_add(world, def, message);
}

static const FpField fields[] = {
    {"first", FREEPLAY_FIELD_FRAME, offsetof(FpPlanarDef, first), "m", false,
     "a point and the normal of the plane in the first body", NULL},
    {"second", FREEPLAY_FIELD_FRAME, offsetof(FpPlanarDef, second), "m", false,
     "a point and the normal of the plane in the second body", NULL},
};

const FpJointType fp_planar_type = {
    .name = "planar",
    .summary = "a plane that slides and turns on another",
    .carries = {"plane", "plane"},
    .def_size = sizeof(FpPlanarDef),
    .set_default = set_default,
    .add = add,
    .field_count = sizeof fields / sizeof fields[0],
    .fields = fields,
};
