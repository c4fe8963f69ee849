/* A ball in a socket, theory.md (12). */
#include "joints/spherical.h"

#include "joints/joint_impl.h"

FpSphericalDef fp_spherical_def_default(void) {
    return (FpSphericalDef){.ball = fp_frame_def_default(),
                            .socket = fp_frame_def_default(),
                            .joint.body = {FREEPLAY_GROUND, FREEPLAY_GROUND}};
}

FpStatus fp_spherical_add(FpWorld* world, const FpSphericalDef* def, FpMessage* message) {
    static const char* const names[2] = {"ball", "socket"};
    const FpFrameDef frames[2] = {def->ball, def->socket};
    FpJoint* joint;
    FpStatus status = fp_joint_check_length("radius", def->radius, true, message);
    if (!status)
        status = fp_joint_check_clearance("clearance", def->clearance,
                                          def->radius > 0 ? def->radius : INFINITY,
                                          "the radius of the ball", message);
    if (!status)
        status = fp_joint_create(world, &def->joint, &fp_spherical_type, frames, names, 3, &joint,
                                 message);
    if (status) return status;
    joint->lacks_radius = def->radius == 0;
    FpVec3 centre = joint->frame[0].origin;
    FpGeometry in_socket = {.shape = &fp_shape_ball,
                            .point = centre,
                            .origin = joint->frame[1].origin,
                            .size = def->clearance,
                            .side = 1,
                            .reach = -def->radius};
    if (def->clearance > 0)
        fp_joint_add_row(joint, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, def->clearance,
                         &in_socket, "ball in socket");
    else
        fp_joint_hold_point(joint, centre, fp_joint_is_planar(joint) ? "xy" : "xyz", "centre");
    return fp_joint_finish(world, joint, message);
}

static void set_default(void* def) {
    *(FpSphericalDef*)def = fp_spherical_def_default();
}

static FpStatus add(FpWorld* world, const void* def, FpMessage* message) {
    return fp_spherical_add(world, def, message);
}

static const FpField fields[] = {
    {"ball", FREEPLAY_FIELD_POINT, offsetof(FpSphericalDef, ball), "m", false,
     "centre of the ball, in the first body", NULL},
    {"socket", FREEPLAY_FIELD_POINT, offsetof(FpSphericalDef, socket), "m", false,
     "centre of the socket, in the second body", NULL},
    {"radius", FREEPLAY_FIELD_NUMBER, offsetof(FpSphericalDef, radius), "m", false,
     "radius of the ball, the lever of friction", NULL},
    {"clearance", FREEPLAY_FIELD_NUMBER, offsetof(FpSphericalDef, clearance), "m", false,
     "socket radius less ball radius; 0: ideal", NULL},
};

const FpJointType fp_spherical_type = {
    .name = "spherical",
    .summary = "a ball in a socket: clearance, or ideal",
    .carries = {"ball", "socket"},
    .is_loose = true,
    .def_size = sizeof(FpSphericalDef),
    .set_default = set_default,
    .add = add,
    .field_count = sizeof fields / sizeof fields[0],
    .fields = fields,
};
