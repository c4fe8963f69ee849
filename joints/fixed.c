/* Two frames that coincide, theory.md (14). */
#include "joints/fixed.h"

#include "joints/joint_impl.h"

FpFixedDef fp_fixed_def_default(void) {
    return (FpFixedDef){.first = fp_frame_def_default(),
                        .second = fp_frame_def_default(),
                        .joint.body = {FREEPLAY_GROUND, FREEPLAY_GROUND}};
}

FpStatus fp_fixed_add(FpWorld* world, const FpFixedDef* def, FpMessage* message) {
    static const char* const names[2] = {"first", "second"};
    const FpFrameDef frames[2] = {def->first, def->second};
    FpJoint* joint;
    FpStatus status =
        fp_joint_create(world, &def->joint, &fp_fixed_type, frames, names, 6, &joint, message);
    if (status) return status;
    const FpJointFrame *a = &joint->frame[0], *b = &joint->frame[1];
    bool planar = fp_joint_is_planar(joint);
    for (int k = 0; k < 2 && planar && !status; k++)
        status = fp_joint_check_planar_axis(joint, k, true, message);
    if (status) return fp_joint_discard(joint, status);
    fp_joint_hold_point(joint, a->origin, planar ? "xy" : "xyz", "origin");
    if (!planar) {
        fp_joint_hold_square(joint, a->y, b->z, "angle about x");
        fp_joint_hold_square(joint, a->z, b->x, "angle about y");
    }
    fp_joint_hold_square(joint, a->x, b->y, "angle about z");
    return fp_joint_finish(world, joint, message);
}

static void set_default(void* def) {
    *(FpFixedDef*)def = fp_fixed_def_default();
}

static FpStatus add(FpWorld* world, const void* def, FpMessage* message) {
    return fp_fixed_add(world, def, message);
}

static const FpField fields[] = {
    {"first", FREEPLAY_FIELD_FRAME, offsetof(FpFixedDef, first), "m", false,
     "the frame in the first body", NULL},
    {"second", FREEPLAY_FIELD_FRAME, offsetof(FpFixedDef, second), "m", false,
     "the frame in the second body that it coincides with", NULL},
};

const FpJointType fp_fixed_type = {
    .name = "fixed",
    .summary = "holds one body to another",
    .carries = {"held frame", "holding frame"},
    .def_size = sizeof(FpFixedDef),
    .set_default = set_default,
    .add = add,
    .field_count = sizeof fields / sizeof fields[0],
    .fields = fields,
};
