#include "joints/joint.h"

#include <stdlib.h>
#include <string.h>
#include "engine/rotation.h"
#include "joints/revolute.h"

static const FpJointType* const types[] = {&fp_revolute_type};
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

const FpJointType* const* fp_joint_types(int* count) {
    *count = TYPE_COUNT;
    return types;
}

const FpJointType* fp_joint_type_find(const char* name) {
    for (int i = 0; i < TYPE_COUNT; i++)
        if (strcmp(types[i]->name, name) == 0) return types[i];
    return NULL;
}

FpStatus fp_joint_check(const FpWorld* world, const FpJointDef* joint, FpMessage* message) {
    if (!joint->name || !joint->name[0])
        return fp_refuse_field(message, "name", "a joint needs a name");
    for (int k = 0; k < 2; k++)
        if (joint->body[k] < FREEPLAY_GROUND || joint->body[k] >= fp_world_body_count(world))
            return fp_refuse_field(message, "between", "there is no body number %d",
                                   joint->body[k]);
    if (joint->body[0] == joint->body[1])
        return fp_refuse_field(message, "between",
                               "a joint connects two bodies, or a body and ground; both are '%s'",
                               fp_world_body_name(world, joint->body[0]));
    return FREEPLAY_OK;
}

FpStatus fp_joint_check_length(const char* field, double value, bool zero_allowed,
                               FpMessage* message) {
    if (isfinite(value) && (value > 0 || (zero_allowed && value == 0))) return FREEPLAY_OK;
    return fp_refuse_field(message, field, "must be %s, is %g m",
                           zero_allowed ? "zero or positive" : "positive", value);
}

FpStatus fp_joint_add(FpWorld* world, const FpJointDef* joint, const FpConstraintOps* ops,
                      int row_count, const FpRow* rows, FpConstraint* constraint,
                      FpMessage* message) {
    size_t size = strlen(joint->name) + 1;
    *constraint = (FpConstraint){.ops = ops,
                                 .name = malloc(size),
                                 .block_count = 2,
                                 .blocks = {joint->body[0], joint->body[1]},
                                 .row_count = row_count,
                                 .rows = rows};
    if (!constraint->name) {
        fp_constraint_destroy(constraint);
        return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    }
    memcpy(constraint->name, joint->name, size);
    return fp_world_add_constraint(world, constraint, message);
}

/* Frames -------------------------------------------------------------------------------------- */

static FpVec3 unit(FpVec3 a) {
    return fp_vec3_scale(1 / fp_vec3_norm(a), a);
}

/* Some direction across z: the coordinate axis that is least along it. */
static FpVec3 any_direction_across(FpVec3 z) {
    double x = fabs(z.x), y = fabs(z.y), w = fabs(z.z);
    if (x <= y && x <= w) return fp_vec3(1, 0, 0);
    return y <= w ? fp_vec3(0, 1, 0) : fp_vec3(0, 0, 1);
}

static FpStatus frame_from_def(const FpFrameDef* def, const char* field, FpJointFrame* frame,
                               FpMessage* message) {
    if (!fp_vec3_is_finite(def->origin) || !fp_vec3_is_finite(def->axis) ||
        !fp_vec3_is_finite(def->x_axis))
        return fp_refuse_field(message, field, "not finite");
    if (!(fp_vec3_norm(def->axis) > 0))
        return fp_refuse_field(message, field, "the axis has no length; give a direction");
    FpVec3 z = unit(def->axis);
    bool any = fp_vec3_norm(def->x_axis) == 0;
    FpVec3 x = any ? any_direction_across(z) : unit(def->x_axis);
    FpVec3 across = fp_vec3_along(x, -fp_vec3_dot(x, z), z);
    if (!(fp_vec3_norm(across) > 1e-6))
        return fp_refuse_field(message, field, "the x axis must not be parallel to the axis");
    x = unit(across);
    *frame = (FpJointFrame){def->origin, x, fp_vec3_cross(z, x), z};
    return FREEPLAY_OK;
}

typedef struct Pose {
    FpVec3 position;
    double A[9];
} Pose;

static Pose initial_pose(const FpWorld* world, FpBodyId body) {
    Pose pose;
    double p[4];
    fp_world_body_pose(world, body, &pose.position, p);
    fp_rotation_matrix(p, pose.A);
    return pose;
}

static FpVec3 turn(const Pose* from, const Pose* to, FpVec3 direction) {
    return fp_mat3_mul_transposed(to->A, fp_mat3_mul(from->A, direction));
}

/* The same frame, seen from another body in the initial configuration. */
static FpJointFrame frame_in_other_body(const Pose* from, const Pose* to,
                                        const FpJointFrame* frame) {
    FpVec3 origin = fp_vec3_add(from->position, fp_mat3_mul(from->A, frame->origin));
    return (FpJointFrame){
        fp_mat3_mul_transposed(to->A, fp_vec3_sub(origin, to->position)),
        turn(from, to, frame->x),
        turn(from, to, frame->y),
        turn(from, to, frame->z),
    };
}

FpStatus fp_joint_frames(const FpWorld* world, const FpJointDef* joint, const FpFrameDef def[2],
                         const char* const field[2], FpJointFrame frame[2], FpMessage* message) {
    if (!def[0].given && !def[1].given)
        return fp_refuse_field(message, field[0], "give '%s', '%s' or both", field[0], field[1]);
    Pose pose[2];
    for (int k = 0; k < 2; k++) {
        pose[k] = initial_pose(world, joint->body[k]);
        if (!def[k].given) continue;
        FpStatus status = frame_from_def(&def[k], field[k], &frame[k], message);
        if (status) return status;
    }
    for (int k = 0; k < 2; k++)
        if (!def[k].given) frame[k] = frame_in_other_body(&pose[1 - k], &pose[k], &frame[1 - k]);
    return FREEPLAY_OK;
}

/* Functions of a point and a direction --------------------------------------------------------- */

FpPointPair fp_point_pair(const double* const q[], FpVec3 point, FpVec3 origin, FpVec3 direction) {
    FpVec3 P = fp_vec3_add(fp_vec3_load(q[0]), fp_rotation_apply(q[0] + 3, point));
    FpVec3 Q = fp_vec3_add(fp_vec3_load(q[1]), fp_rotation_apply(q[1] + 3, origin));
    return (FpPointPair){.point = point,
                         .origin = origin,
                         .direction = direction,
                         .P = P,
                         .a = fp_vec3_sub(P, Q),
                         .u = fp_rotation_apply(q[1] + 3, direction)};
}

/* row += w^T D(p) for D = d(A(p) s)/dp. */
static void add_rotated(const double* p, FpVec3 s, FpVec3 w, double sign, double* row) {
    double D[12];
    fp_rotation_derivative(p, s, D);
    for (int j = 0; j < 4; j++) row[j] += sign * (w.x * D[j] + w.y * D[4 + j] + w.z * D[8 + j]);
}

void fp_point_pair_gradient(const FpPointPair* pair, const double* const q[], FpVec3 da, FpVec3 du,
                            double row[14]) {
    memset(row, 0, 14 * sizeof *row);
    fp_vec3_store(da, row);
    fp_vec3_store(fp_vec3_scale(-1, da), row + 7);
    add_rotated(q[0] + 3, pair->point, da, 1, row + 3);
    add_rotated(q[1] + 3, pair->origin, da, -1, row + 10);
    add_rotated(q[1] + 3, pair->direction, du, 1, row + 10);
}

/* The 6x14 derivative of (a, u) with respect to (q0, q1). */
static void pair_derivative(const FpPointPair* pair, const double* const q[], double D[6 * 14]) {
    static const FpVec3 unit_vectors[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const FpVec3 none = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        fp_point_pair_gradient(pair, q, unit_vectors[i], none, D + 14 * i);
        fp_point_pair_gradient(pair, q, none, unit_vectors[i], D + 14 * (3 + i));
    }
}

static void add_curvature(FpVec3 w, FpVec3 s, double weight, int at, double* H) {
    double K[16];
    fp_rotation_second_derivative(w, s, K);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) H[14 * (at + i) + at + j] += weight * K[4 * i + j];
}

void fp_point_pair_hessian(const FpPointPair* pair, const double* const q[], FpVec3 da, FpVec3 du,
                           const double second[36], double weight, double H[196]) {
    double D[6 * 14], SD[6 * 14];
    pair_derivative(pair, q, D);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 14; j++) {
            double sum = 0;
            for (int k = 0; k < 6; k++) sum += second[6 * i + k] * D[14 * k + j];
            SD[14 * i + j] = weight * sum;
        }
    for (int i = 0; i < 14; i++)
        for (int j = 0; j < 14; j++)
            for (int k = 0; k < 6; k++) H[14 * i + j] += D[14 * k + i] * SD[14 * k + j];
    add_curvature(da, pair->point, weight, 3, H);
    add_curvature(da, pair->origin, -weight, 10, H);
    add_curvature(du, pair->direction, weight, 10, H);
}
