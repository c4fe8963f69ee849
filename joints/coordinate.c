#include "joints/coordinate.h"

#include <string.h>

double fp_wrap_angle(double x) {
    return remainder(x, 2 * 3.14159265358979323846);
}

static FpVectors vectors_at(const FpCoordinate* c, const double* const q[2]) {
    FpPose pose[2];
    for (int k = 0; k < 2; k++) c->kind[k]->pose(q[k], &pose[k]);
    return fp_geometry_vectors(&c->geometry, pose);
}

double fp_coordinate_value(const FpCoordinate* c, const double* const q[2]) {
    FpVectors vectors = vectors_at(c, q);
    return c->geometry.shape->value(&c->geometry, &vectors);
}

void fp_coordinate_gradient(const FpCoordinate* c, const double* const q[2], double weight,
                            double* const row[2]) {
    FpVectors vectors = vectors_at(c, q);
    fp_geometry_gradient(&c->geometry, &vectors, c->kind, q, weight, row);
}

void fp_coordinate_hessian(const FpCoordinate* c, const double* const q[2], double weight,
                           const int at[2], double* H, int width) {
    FpVectors vectors = vectors_at(c, q);
    fp_geometry_hessian(&c->geometry, &vectors, c->kind, q, weight, at, H, width);
}

/* The coordinates of a body at the start. */
static void initial_coordinates(const FpWorld* world, const FpBodyKind* kind, int body, double* q) {
    double v[FREEPLAY_BODY_V_MAX];
    FpMotion motion = fp_world_body_motion(world, body);
    kind->from_motion(&motion, q, v);
}

static FpStatus check_freedom(const FpConstraint* constraint, const char* name, FpFreedom freedom,
                              const char* field, FpMessage* message) {
    bool turns = freedom == FREEPLAY_FREEDOM_ROTATION;
    if (!constraint)
        return fp_refuse_field(message, field, "there is no joint '%s' among those before this one",
                               name ? name : "");
    const FpJoint* joint = fp_joint_of(constraint);
    if (joint && (turns ? joint->turns : joint->slides)) return FREEPLAY_OK;
    return fp_refuse_field(message, field, "joint '%s' (%s) has no freedom of %s", name,
                           constraint->type, turns ? "rotation" : "translation");
}

FpStatus fp_coordinate_create(const FpWorld* world, const char* joint_name, FpFreedom freedom,
                              const char* field, FpCoordinate* c, FpMessage* message) {
    const FpConstraint* constraint = joint_name ? fp_world_find_joint(world, joint_name) : NULL;
    FpStatus status = check_freedom(constraint, joint_name, freedom, field, message);
    if (status) return status;
    const FpJoint* joint = fp_joint_of(constraint);
    const FpJointFrame *a = &joint->frame[0], *b = &joint->frame[1];
    bool turns = freedom == FREEPLAY_FREEDOM_ROTATION;
    *c = (FpCoordinate){.geometry = {.shape = turns ? &fp_shape_angle : &fp_shape_plane,
                                     .point = a->origin,
                                     .w = a->x,
                                     .origin = b->origin,
                                     .u = turns ? b->x : b->z,
                                     .v = b->y}};
    double q[2][FREEPLAY_BODY_Q_MAX];
    for (int k = 0; k < 2; k++) {
        c->kind[k] = joint->kind[k];
        c->body[k] = joint->base.blocks[k];
        initial_coordinates(world, c->kind[k], c->body[k], q[k]);
    }
    c->geometry.offset = -fp_coordinate_value(c, (const double* const[2]){q[0], q[1]});
    return FREEPLAY_OK;
}
