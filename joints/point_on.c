/* A point on a line or a plane, theory.md (10), (11). */
#include "joints/point_on.h"

#include "joints/joint_impl.h"

FpPointOnDef fp_point_on_def_default(void) {
    return (FpPointOnDef){.point = fp_frame_def_default(),
                          .place = fp_frame_def_default(),
                          .joint.body = {FREEPLAY_GROUND, FREEPLAY_GROUND}};
}

static FpStatus begin(const FpWorld* world, const FpPointOnDef* def, const FpJointType* type,
                      const char* place, FpJoint** joint, FpMessage* message) {
    const char* const names[2] = {"point", place};
    const FpFrameDef frames[2] = {def->point, def->place};
    /* A point has no axis from which a line or a plane could follow. */
    if (!def->place.given) return fp_refuse_field(message, place, "is missing");
    FpStatus status = fp_joint_check_length("clearance", def->clearance, true, message);
    return status ? status
                  : fp_joint_create(world, &def->joint, type, frames, names, 2, joint, message);
}

/* The point between two planes across n, or on the one in their middle. */
static void keep_between(FpJoint* joint, FpVec3 n, double clearance, const char* side[2]) {
    FpGeometry g = {.shape = &fp_shape_plane,
                    .point = joint->frame[0].origin,
                    .origin = joint->frame[1].origin,
                    .u = n,
                    .offset = clearance};
    FpRowKind kind = clearance > 0 ? FREEPLAY_ROW_UNILATERAL : FREEPLAY_ROW_BILATERAL;
    fp_joint_add_row(joint, kind, FREEPLAY_ROW_LENGTH, clearance, &g, "%s",
                     clearance > 0 ? side[0] : "distance");
    g.u = fp_vec3_scale(-1, n);
    if (clearance > 0)
        fp_joint_add_row(joint, kind, FREEPLAY_ROW_LENGTH, clearance, &g, "%s", side[1]);
}

FpStatus fp_point_on_line_add(FpWorld* world, const FpPointOnDef* def, FpMessage* message) {
    FpJoint* joint;
    FpStatus status = begin(world, def, &fp_point_on_line_type, "line", &joint, message);
    if (status) return status;
    bool planar = fp_joint_is_planar(joint);
    if (planar) status = fp_joint_check_planar_axis(joint, 1, false, message);
    if (status) return fp_joint_discard(joint, status);
    joint->slides = true;
    if (planar)
        keep_between(joint, fp_vec3_cross(fp_vec3(0, 0, 1), joint->frame[1].z), def->clearance,
                     (const char*[]){"right side of the slot", "left side of the slot"});
    else
        fp_joint_keep_on_axis(joint, joint->frame[0].origin, def->clearance, 0, "radial");
    return fp_joint_finish(world, joint, message);
}

FpStatus fp_point_on_plane_add(FpWorld* world, const FpPointOnDef* def, FpMessage* message) {
    FpJoint* joint;
    FpStatus status = begin(world, def, &fp_point_on_plane_type, "plane", &joint, message);
    if (status) return status;
    if (fp_joint_is_planar(joint)) status = fp_joint_check_planar_axis(joint, 1, false, message);
    if (status) return fp_joint_discard(joint, status);
    keep_between(joint, joint->frame[1].z, def->clearance,
                 (const char*[]){"side behind the plane", "side before the plane"});
    return fp_joint_finish(world, joint, message);
}

static void set_default(void* def) {
    *(FpPointOnDef*)def = fp_point_on_def_default();
}

static FpStatus add_to_line(FpWorld* world, const void* def, FpMessage* message) {
    return fp_point_on_line_add(world, def, message);
}

static const FpField line_fields[] = {
    {"point", FREEPLAY_FIELD_POINT, offsetof(FpPointOnDef, point), "m", false,
     "the point, in the first body", NULL},
    {"line", FREEPLAY_FIELD_FRAME, offsetof(FpPointOnDef, place), "m", true,
     "a point and the direction of the line, in the second body", NULL},
    {"clearance", FREEPLAY_FIELD_NUMBER, offsetof(FpPointOnDef, clearance), "m", false,
     "how far the point may be from the line; 0: ideal", NULL},
};

const FpJointType fp_point_on_line_type = {
    .name = "point_on_line",
    .summary = "a point on a line, a pin in a slot: clearance, or ideal",
    .carries = {"point", "line"},
    .is_loose = true,
    .def_size = sizeof(FpPointOnDef),
    .set_default = set_default,
    .add = add_to_line,
    .field_count = sizeof line_fields / sizeof line_fields[0],
    .fields = line_fields,
};

static FpStatus add_to_plane(FpWorld* world, const void* def, FpMessage* message) {
    return fp_point_on_plane_add(world, def, message);
}

static const FpField plane_fields[] = {
    {"point", FREEPLAY_FIELD_POINT, offsetof(FpPointOnDef, point), "m", false,
     "the point, in the first body", NULL},
    {"plane", FREEPLAY_FIELD_FRAME, offsetof(FpPointOnDef, place), "m", true,
     "a point and the normal of the plane, in the second body", NULL},
    {"clearance", FREEPLAY_FIELD_NUMBER, offsetof(FpPointOnDef, clearance), "m", false,
     "how far the point may be from the plane; 0: ideal", NULL},
};

const FpJointType fp_point_on_plane_type = {
    .name = "point_on_plane",
    .summary = "a point on a plane: clearance to both sides, or ideal",
    .carries = {"point", "plane"},
    .is_loose = true,
    .def_size = sizeof(FpPointOnDef),
    .set_default = set_default,
    .add = add_to_plane,
    .field_count = sizeof plane_fields / sizeof plane_fields[0],
    .fields = plane_fields,
};
