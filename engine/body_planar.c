/* Rigid bodies in the plane z = 0: q = (x, y, phi), v = (x', y', phi'), theory.md (7). */
#include <string.h>
#include "engine/body.h"

enum { COUNT = 3 };

static const char* const coordinates[COUNT] = {"x", "y", "phi"};
static const char* const velocities[COUNT] = {"vx", "vy", "wz"};

static void from_motion(const FpMotion* motion, double* q, double* v) {
    q[0] = motion->position.x;
    q[1] = motion->position.y;
    q[2] = 2 * atan2(motion->orientation[3], motion->orientation[0]);
    v[0] = motion->velocity.x;
    v[1] = motion->velocity.y;
    v[2] = motion->angular_velocity.z;
}

static void to_motion(const double* q, const double* v, FpMotion* motion) {
    motion->position = fp_vec3(q[0], q[1], 0);
    motion->orientation[0] = cos(q[2] / 2);
    motion->orientation[1] = motion->orientation[2] = 0;
    motion->orientation[3] = sin(q[2] / 2);
    motion->velocity = fp_vec3(v[0], v[1], 0);
    motion->angular_velocity = fp_vec3(0, 0, v[2]);
}

static void pose(const double* q, FpPose* pose) {
    double c = cos(q[2]), s = sin(q[2]);
    const double A[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    pose->r = fp_vec3(q[0], q[1], 0);
    memcpy(pose->A, A, sizeof A);
}

static void mass_matrix(double mass, const double inertia[9], double* M) {
    memset(M, 0, COUNT * COUNT * sizeof *M);
    M[0] = M[4] = mass;
    M[8] = inertia[8];
}

static void add_load(FpVec3 force, FpVec3 torque, double* f) {
    f[0] += force.x;
    f[1] += force.y;
    f[2] += torque.z;
}

static void kinematics(const double* q, double* B) {
    (void)q;
    memset(B, 0, COUNT * COUNT * sizeof *B);
    B[0] = B[4] = B[8] = 1;
}

/* w.(A(phi) s) without the z parts, which do not turn. */
static double turned(double phi, FpVec3 s, FpVec3 w) {
    double c = cos(phi), sn = sin(phi);
    return w.x * (c * s.x - sn * s.y) + w.y * (sn * s.x + c * s.y);
}

static void add_turn_gradient(const double* q, FpVec3 s, FpVec3 w, double weight, double* row) {
    row[2] += weight * turned(q[2], fp_vec3(-s.y, s.x, 0), w);
}

static void add_turn_hessian(const double* q, FpVec3 s, FpVec3 w, double weight, double* H,
                             int width) {
    H[width * 2 + 2] -= weight * turned(q[2], s, w);
}

const FpBodyKind fp_body_planar = {
    .name = "planar",
    .q_count = COUNT,
    .v_count = COUNT,
    .translations = 2,
    .coordinates = coordinates,
    .velocities = velocities,
    .from_motion = from_motion,
    .to_motion = to_motion,
    .pose = pose,
    .mass = mass_matrix,
    .add_load = add_load,
    .kinematics = kinematics,
    .step_basis = kinematics,
    .add_turn_gradient = add_turn_gradient,
    .add_turn_hessian = add_turn_hessian,
};
