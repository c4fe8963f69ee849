/* A cross between two shafts, theory.md (14). */
#include "joints/universal.h"

#include "joints/joint_impl.h"

FpUniversalDef fp_universal_def_default(void) {
    return (FpUniversalDef){.first = fp_frame_def_default(),
                            .second = fp_frame_def_default(),
                            .joint.body = {FREEPLAY_GROUND, FREEPLAY_GROUND}};
}

FpStatus fp_universal_add(FpWorld* world, const FpUniversalDef* def, FpMessage* message) {
    static const char* const names[2] = {"first", "second"};
    const FpFrameDef frames[2] = {def->first, def->second};
    FpJoint* joint;
    FpStatus status =
        fp_joint_create(world, &def->joint, &fp_universal_type, frames, names, 4, &joint, message);
    if (status) return status;
    status = fp_joint_check_in_space(joint, "planar bodies take 'revolute' or 'fixed'", message);
    if (status) return fp_joint_discard(joint, status);
    fp_joint_hold_point(joint, joint->frame[0].origin, "xyz", "centre");
    fp_joint_hold_square(joint, joint->frame[0].x, joint->frame[1].y, "cross");
    return fp_joint_finish(world, joint, message);
}

static void set_default(void* def) {
    *(FpUniversalDef*)def = fp_universal_def_default();
}

static FpStatus add(FpWorld* world, const void* def, FpMessage* message) {
    return fp_universal_add(world, def, message);
}

static const FpField fields[] = {
    {"first", FREEPLAY_FIELD_FRAME, offsetof(FpUniversalDef, first), "m", false,
     "centre and shaft of the first body; the cross turns about its x axis", NULL},
    {"second", FREEPLAY_FIELD_FRAME, offsetof(FpUniversalDef, second), "m", false,
     "centre and shaft of the second body; the cross turns about its y axis", NULL},
};

const FpJointType fp_universal_type = {
    .name = "universal",
    .summary = "a cross between two shafts",
    .carries = {"x arm", "y arm"},
    .def_size = sizeof(FpUniversalDef),
    .set_default = set_default,
    .add = add,
    .field_count = sizeof fields / sizeof fields[0],
    .fields = fields,
};
