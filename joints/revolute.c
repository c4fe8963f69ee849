/* A bore around a pin, with play across and along the axis, theory.md (10), (11). */
#include "joints/revolute.h"

#include "joints/joint_impl.h"

FpRevoluteDef fp_revolute_def_default(void) {
    return (FpRevoluteDef){.bore.axis = {0, 0, 1},
                           .pin.axis = {0, 0, 1},
                           .joint.body = {FREEPLAY_GROUND, FREEPLAY_GROUND}};
}

static FpStatus check(const FpRevoluteDef* def, bool planar, FpMessage* message) {
    FpStatus status = FREEPLAY_OK;
    if (!planar) status = fp_joint_check_length("length", def->length, false, message);
    if (!status) status = fp_joint_check_length("radius", def->radius, true, message);
    if (!status)
        status = fp_joint_check_clearance("clearance", def->clearance,
                                          planar ? INFINITY : def->length / 2,
                                          "half the length of the bore", message);
    if (!status && def->radius > 0)
        status = fp_joint_check_clearance("clearance", def->clearance, def->radius,
                                          "the radius of the bore", message);
    if (!status)
        status = fp_joint_check_length("axial_clearance", def->axial_clearance, true, message);
    return status;
}

/* One end of the bore against a stop at the end of the pin: +-a.u + l/2 + c_a. */
static void add_stop(FpJoint* joint, FpVec3 end, double sign, double reach, double clearance,
                     const char* label) {
    const FpJointFrame* pin = &joint->frame[1];
    FpGeometry g = {.shape = &fp_shape_plane,
                    .point = end,
                    .origin = pin->origin,
                    .u = fp_vec3_scale(sign, pin->z),
                    .offset = reach};
    fp_joint_add_row(joint, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, clearance, &g, "%s",
                     label);
}

static void add_spatial_rows(FpJoint* joint, const FpRevoluteDef* def) {
    const FpJointFrame* bore = &joint->frame[0];
    double half = def->length / 2, reach = half + def->axial_clearance;
    FpVec3 end[2] = {fp_vec3_along(bore->origin, -half, bore->z),
                     fp_vec3_along(bore->origin, half, bore->z)};
    fp_joint_keep_on_axis(joint, end[0], def->clearance, def->radius, "radial at P1");
    fp_joint_keep_on_axis(joint, end[1], def->clearance, def->radius, "radial at P2");
    if (def->axial == FREEPLAY_AXIAL_FREE) {
        joint->slides = true;
    } else if (def->axial_clearance == 0) {
        fp_joint_hold_point(joint, bore->origin, "z", "axial");
    } else {
        add_stop(joint, end[0], 1, reach, def->axial_clearance, "axial stop at P1");
        add_stop(joint, end[1], -1, reach, def->axial_clearance, "axial stop at P2");
    }
}

FpStatus fp_revolute_add(FpWorld* world, const FpRevoluteDef* def, FpMessage* message) {
    static const char* const names[2] = {"bore", "pin"};
    const FpFrameDef frames[2] = {def->bore, def->pin};
    FpJoint* joint;
    FpStatus status =
        fp_joint_create(world, &def->joint, &fp_revolute_type, frames, names, 6, &joint, message);
    if (status) return status;
    bool planar = fp_joint_is_planar(joint);
    status = check(def, planar, message);
    for (int k = 0; k < 2 && planar && !status; k++)
        status = fp_joint_check_planar_axis(joint, k, true, message);
    if (status) return fp_joint_discard(joint, status);
    joint->turns = true;
    joint->lacks_radius = def->radius == 0;
    if (planar)
        fp_joint_keep_on_axis(joint, joint->frame[0].origin, def->clearance, def->radius, "radial");
    else
        add_spatial_rows(joint, def);
    return fp_joint_finish(world, joint, message);
}

static const char* const axial_names[] = {"stops", "free", NULL};

static void set_default(void* def) {
    *(FpRevoluteDef*)def = fp_revolute_def_default();
}

static FpStatus add(FpWorld* world, const void* def, FpMessage* message) {
    return fp_revolute_add(world, def, message);
}

static const FpField fields[] = {
    {"bore", FREEPLAY_FIELD_FRAME, offsetof(FpRevoluteDef, bore), "m", false,
     "middle and axis of the bore, in the first body", NULL},
    {"pin", FREEPLAY_FIELD_FRAME, offsetof(FpRevoluteDef, pin), "m", false,
     "middle and axis of the pin, in the second body", NULL},
    {"length", FREEPLAY_FIELD_NUMBER, offsetof(FpRevoluteDef, length), "m", false,
     "length of the bore; needed unless both bodies are planar", NULL},
    {"radius", FREEPLAY_FIELD_NUMBER, offsetof(FpRevoluteDef, radius), "m", false,
     "radius of the bore, the lever of friction", NULL},
    {"clearance", FREEPLAY_FIELD_NUMBER, offsetof(FpRevoluteDef, clearance), "m", false,
     "radial clearance, bore radius less pin radius; 0: ideal", NULL},
    {"axial_clearance", FREEPLAY_FIELD_NUMBER, offsetof(FpRevoluteDef, axial_clearance), "m", false,
     "end play on each side; 0: ideal", NULL},
    {"axial", FREEPLAY_FIELD_CHOICE, offsetof(FpRevoluteDef, axial), "", false,
     "stops at the ends of the pin, or free to slide", axial_names},
};

const FpJointType fp_revolute_type = {
    .name = "revolute",
    .summary = "a bore around a pin: radial and axial clearance, or ideal",
    .carries = {"bore", "pin"},
    .is_loose = true,
    .def_size = sizeof(FpRevoluteDef),
    .set_default = set_default,
    .add = add,
    .field_count = sizeof fields / sizeof fields[0],
    .fields = fields,
};
