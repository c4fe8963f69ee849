/* A sleeve on a pin, with play across the axis, theory.md (10). */
#include "joints/cylindrical.h"

#include "joints/joint_impl.h"

FpCylindricalDef fp_cylindrical_def_default(void) {
    return (FpCylindricalDef){.sleeve.axis = {0, 0, 1},
                              .pin.axis = {0, 0, 1},
                              .joint.body = {FREEPLAY_GROUND, FREEPLAY_GROUND}};
}

static FpStatus check(const FpCylindricalDef* def, FpMessage* message) {
    FpStatus status = fp_joint_check_length("length", def->length, false, message);
    if (!status) status = fp_joint_check_length("radius", def->radius, true, message);
    if (!status) status = fp_joint_check_length("pin_length", def->pin_length, true, message);
    if (!status)
        status = fp_joint_check_clearance("clearance", def->clearance, def->length / 2,
                                          "half the length of the sleeve", message);
    if (!status && def->radius > 0)
        status = fp_joint_check_clearance("clearance", def->clearance, def->radius,
                                          "the radius of the bore", message);
    return status;
}

FpStatus fp_cylindrical_add(FpWorld* world, const FpCylindricalDef* def, FpMessage* message) {
    static const char* const names[2] = {"sleeve", "pin"};
    const FpFrameDef frames[2] = {def->sleeve, def->pin};
    FpJoint* joint;
    FpStatus status = check(def, message);
    if (!status)
        status = fp_joint_create(world, &def->joint, &fp_cylindrical_type, frames, names, 4, &joint,
                                 message);
    if (status) return status;
    status =
        fp_joint_check_in_space(joint, "planar bodies take 'revolute' or 'prismatic'", message);
    if (status) return fp_joint_discard(joint, status);
    const FpJointFrame* sleeve = &joint->frame[0];
    FpVec3 end[2] = {fp_vec3_along(sleeve->origin, -def->length / 2, sleeve->z),
                     fp_vec3_along(sleeve->origin, def->length / 2, sleeve->z)};
    joint->turns = joint->slides = true;
    joint->lacks_radius = def->radius == 0;
    fp_joint_keep_on_axis(joint, end[0], def->clearance, def->radius, "radial at P1");
    fp_joint_keep_on_axis(joint, end[1], def->clearance, def->radius, "radial at P2");
    if (def->pin_length > 0)
        fp_joint_limit_rows(joint, def->pin_length / 2, def->leaving == FREEPLAY_LEAVING_ENDS);
    return fp_joint_finish(world, joint, message);
}

static const char* const leaving_names[] = {"ends", "allowed", NULL};

static void set_default(void* def) {
    *(FpCylindricalDef*)def = fp_cylindrical_def_default();
}

static FpStatus add(FpWorld* world, const void* def, FpMessage* message) {
    return fp_cylindrical_add(world, def, message);
}

static const FpField fields[] = {
    {"sleeve", FREEPLAY_FIELD_FRAME, offsetof(FpCylindricalDef, sleeve), "m", false,
     "middle and axis of the sleeve, in the first body", NULL},
    {"pin", FREEPLAY_FIELD_FRAME, offsetof(FpCylindricalDef, pin), "m", false,
     "middle and axis of the pin, in the second body", NULL},
    {"length", FREEPLAY_FIELD_NUMBER, offsetof(FpCylindricalDef, length), "m", true,
     "length of the sleeve", NULL},
    {"radius", FREEPLAY_FIELD_NUMBER, offsetof(FpCylindricalDef, radius), "m", false,
     "radius of its bore, the lever of friction", NULL},
    {"clearance", FREEPLAY_FIELD_NUMBER, offsetof(FpCylindricalDef, clearance), "m", false,
     "radial clearance, bore radius less pin radius; 0: ideal", NULL},
    {"pin_length", FREEPLAY_FIELD_NUMBER, offsetof(FpCylindricalDef, pin_length), "m", false,
     "length of the pin; 0: endless", NULL},
    {"leaving", FREEPLAY_FIELD_CHOICE, offsetof(FpCylindricalDef, leaving), "", false,
     "what happens where the sleeve leaves the pin: the run ends, or it is allowed", leaving_names},
};

const FpJointType fp_cylindrical_type = {
    .name = "cylindrical",
    .summary = "a sleeve that turns and slides on a pin: radial clearance, or ideal",
    .carries = {"sleeve", "pin"},
    .is_loose = true,
    .def_size = sizeof(FpCylindricalDef),
    .set_default = set_default,
    .add = add,
    .field_count = sizeof fields / sizeof fields[0],
    .fields = fields,
};
