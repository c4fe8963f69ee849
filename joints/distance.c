/* A rod between two points, theory.md (12). */
#include "joints/distance.h"

#include "engine/rotation.h"
#include "joints/joint_impl.h"

FpDistanceDef fp_distance_def_default(void) {
    return (FpDistanceDef){.first = fp_frame_def_default(),
                           .second = fp_frame_def_default(),
                           .joint.body = {FREEPLAY_GROUND, FREEPLAY_GROUND}};
}

static double distance_at_start(const FpWorld* world, const FpJoint* joint) {
    FpVec3 point[2];
    for (int k = 0; k < 2; k++) {
        FpMotion motion = fp_world_body_motion(world, joint->base.blocks[k]);
        point[k] = fp_vec3_add(motion.position,
                               fp_rotation_apply(motion.orientation, joint->frame[k].origin));
    }
    return fp_vec3_norm(fp_vec3_sub(point[0], point[1]));
}

static FpStatus check(const FpDistanceDef* def, FpMessage* message) {
    if (!def->first.given)
        return fp_refuse_field(message, "first", "is missing; give the point in the first body");
    if (!def->second.given)
        return fp_refuse_field(message, "second", "is missing; give the point in the second body");
    return fp_joint_check_length("length", def->length, true, message);
}

FpStatus fp_distance_add(FpWorld* world, const FpDistanceDef* def, FpMessage* message) {
    static const char* const names[2] = {"first", "second"};
    const FpFrameDef frames[2] = {def->first, def->second};
    FpJoint* joint;
    FpStatus status = check(def, message);
    if (!status)
        status = fp_joint_create(world, &def->joint, &fp_distance_type, frames, names, 2, &joint,
                                 message);
    if (status) return status;
    double length = def->length > 0 ? def->length : distance_at_start(world, joint);
    if (!(length > 0))
        status = fp_refuse_field(message, "second", "the two points coincide; give a length");
    if (!status)
        status = fp_joint_check_clearance("clearance", def->clearance, length,
                                          "the length of the rod", message);
    if (status) return fp_joint_discard(joint, status);
    FpGeometry g = {.shape = &fp_shape_ball,
                    .point = joint->frame[0].origin,
                    .origin = joint->frame[1].origin,
                    .size = length + def->clearance,
                    .side = 1};
    FpRowKind kind = def->clearance > 0 ? FREEPLAY_ROW_UNILATERAL : FREEPLAY_ROW_BILATERAL;
    fp_joint_add_row(joint, kind, FREEPLAY_ROW_LENGTH, def->clearance, &g, "%s",
                     def->clearance > 0 ? "longest" : "length");
    g.size = length - def->clearance;
    g.side = -1;
    if (def->clearance > 0)
        fp_joint_add_row(joint, kind, FREEPLAY_ROW_LENGTH, def->clearance, &g, "shortest");
    return fp_joint_finish(world, joint, message);
}

static void set_default(void* def) {
    *(FpDistanceDef*)def = fp_distance_def_default();
}

static FpStatus add(FpWorld* world, const void* def, FpMessage* message) {
    return fp_distance_add(world, def, message);
}

static const FpField fields[] = {
    {"first", FREEPLAY_FIELD_POINT, offsetof(FpDistanceDef, first), "m", true,
     "the point in the first body", NULL},
    {"second", FREEPLAY_FIELD_POINT, offsetof(FpDistanceDef, second), "m", true,
     "the point in the second body", NULL},
    {"length", FREEPLAY_FIELD_NUMBER, offsetof(FpDistanceDef, length), "m", false,
     "length of the rod; absent: as at the start", NULL},
    {"clearance", FREEPLAY_FIELD_NUMBER, offsetof(FpDistanceDef, clearance), "m", false,
     "play in its length to either side; 0: ideal", NULL},
};

const FpJointType fp_distance_type = {
    .name = "distance",
    .summary = "a rod between two points: with play in its length, or ideal",
    .carries = {"point", "point"},
    .is_loose = true,
    .def_size = sizeof(FpDistanceDef),
    .set_default = set_default,
    .add = add,
    .field_count = sizeof fields / sizeof fields[0],
    .fields = fields,
};
