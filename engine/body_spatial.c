/* Rigid bodies in space: q = (r, p), v = (r', w'), theory.md section 2. */
#include <string.h>
#include "engine/body.h"
#include "engine/rotation.h"

enum { Q = 7, V = 6, WIDTH = 7 /* of the step basis: v and one rate for |p| = 1 */ };

static const char* const coordinates[Q] = {"x", "y", "z", "e0", "e1", "e2", "e3"};
static const char* const velocities[V] = {"vx", "vy", "vz", "wx", "wy", "wz"};

static double norm2(const double p[4]) {
    return p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
}

static void from_motion(const FpMotion* motion, double* q, double* v) {
    double norm = sqrt(norm2(motion->orientation));
    fp_vec3_store(motion->position, q);
    for (int i = 0; i < 4; i++) q[3 + i] = motion->orientation[i] / norm;
    fp_vec3_store(motion->velocity, v);
    fp_vec3_store(motion->angular_velocity, v + 3);
}

static void to_motion(const double* q, const double* v, FpMotion* motion) {
    motion->position = fp_vec3_load(q);
    memcpy(motion->orientation, q + 3, 4 * sizeof *q);
    motion->velocity = fp_vec3_load(v);
    motion->angular_velocity = fp_vec3_load(v + 3);
}

static void pose(const double* q, FpPose* pose) {
    pose->r = fp_vec3_load(q);
    fp_rotation_matrix(q + 3, pose->A);
}

static void mass_matrix(double mass, const double inertia[9], double* M) {
    memset(M, 0, V * V * sizeof *M);
    for (int i = 0; i < 3; i++) {
        M[V * i + i] = mass;
        for (int j = 0; j < 3; j++) M[V * (3 + i) + 3 + j] = inertia[3 * i + j];
    }
}

static void add_load(FpVec3 force, FpVec3 torque, double* f) {
    fp_vec3_store(fp_vec3_add(fp_vec3_load(f), force), f);
    fp_vec3_store(fp_vec3_add(fp_vec3_load(f + 3), torque), f + 3);
}

static void subtract_gyroscopic(const double inertia[9], const double* v, double* f) {
    FpVec3 w = fp_vec3_load(v + 3);
    FpVec3 gyroscopic = fp_vec3_cross(w, fp_mat3_mul(inertia, w));
    fp_vec3_store(fp_vec3_sub(fp_vec3_load(f + 3), gyroscopic), f + 3);
}

/* q' = B v: r' = r', p' = 1/2 G(p)^T w', theory.md (3). */
static void kinematics(const double* q, double* B) {
    double G[12];
    fp_rotation_G(q + 3, G);
    memset(B, 0, Q * V * sizeof *B);
    for (int i = 0; i < 3; i++) B[V * i + i] = 1;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) B[V * (3 + i) + 3 + j] = 0.5 * G[4 * j + i];
}

/* In a step w' = 2 G(p0) p', hence p' = 1/2 G^T w' / |p0|^2 + a p0, theory.md (19). */
static void step_basis(const double* q, double* K) {
    const double* p = q + 3;
    double G[12], size = norm2(p);
    fp_rotation_G(p, G);
    memset(K, 0, Q * WIDTH * sizeof *K);
    for (int i = 0; i < 3; i++) K[WIDTH * i + i] = 1;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 3; j++) K[WIDTH * (3 + i) + 3 + j] = 0.5 * G[4 * j + i] / size;
        K[WIDTH * (3 + i) + V] = p[i];
    }
}

static void step(const double* q, const double* v, const double* a, double h, double* q1) {
    const double *p = q + 3, *w = v + 3;
    double k = 0.5 / norm2(p);
    for (int i = 0; i < 3; i++) q1[i] = q[i] + h * v[i];
    q1[3] = p[0] + h * (a[0] * p[0] - k * (p[1] * w[0] + p[2] * w[1] + p[3] * w[2]));
    q1[4] = p[1] + h * (a[0] * p[1] + k * (p[0] * w[0] - p[3] * w[1] + p[2] * w[2]));
    q1[5] = p[2] + h * (a[0] * p[2] + k * (p[3] * w[0] + p[0] * w[1] - p[1] * w[2]));
    q1[6] = p[3] + h * (a[0] * p[3] + k * (p[1] * w[1] - p[2] * w[0] + p[0] * w[2]));
}

static void invariants(const double* q, double* c, double* dc) {
    c[0] = norm2(q + 3) - 1;
    if (!dc) return;
    for (int i = 0; i < 3; i++) dc[i] = 0;
    for (int i = 3; i < Q; i++) dc[i] = 2 * q[i];
}

static void invariant_hessian(const double* y, double* H) {
    for (int i = 3; i < Q; i++) H[Q * i + i] += 2 * y[0];
}

/* |p0 + h p'| = 1 has no solution when h |w'| > 2, theory.md (23). */
static double step_limit(const double* v) {
    double w = fp_vec3_norm(fp_vec3_load(v + 3));
    return w > 0 ? 2 / w : INFINITY;
}

/* |p1|^2 = b^2 |p0|^2 + h^2 |w'|^2/(4 |p0|^2) = 1 with b = 1 + h a > 0; linearized,
 * |p0|^2 - 1 + 2 h a |p0|^2 = 0. */
static bool rates(const double* q, const double* v, double h, bool exact, double* a) {
    double size = norm2(q + 3), w = v[3] * v[3] + v[4] * v[4] + v[5] * v[5];
    double inverse = 1 / size, across = exact ? h * h * w / 4 * inverse : 0;
    double excess = (1 - across - size) * inverse, square = 1 + excess;
    if (!(square > 0)) return false;
    a[0] = excess / (h * (exact ? 1 + sqrt(square) : 2));
    return true;
}

/* p1 stays on the sphere: dp1 = 1/2 G1^T dphi with the turn dphi = T h dw' in the body,
 *   T = (G1 G0^T - (G1 p0) (G0 p1)^T/(p0.p1))/|p0|^2. */
static void tangent(const double* q, const double* q1, double* T) {
    const double *p0 = q + 3, *p1 = q1 + 3;
    double G0[12], G1[12], size = norm2(p0), along = 0, c[3], d[3];
    fp_rotation_G(p0, G0);
    fp_rotation_G(p1, G1);
    for (int i = 0; i < 4; i++) along += p0[i] * p1[i];
    memset(T, 0, V * V * sizeof *T);
    for (int i = 0; i < 3; i++) {
        const double *g0 = G0 + 4 * i, *g1 = G1 + 4 * i;
        T[V * i + i] = 1;
        c[i] = g1[0] * p0[0] + g1[1] * p0[1] + g1[2] * p0[2] + g1[3] * p0[3];
        d[i] = g0[0] * p1[0] + g0[1] * p1[1] + g0[2] * p1[2] + g0[3] * p1[3];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double *g0 = G0 + 4 * j, *g1 = G1 + 4 * i;
            double product = g1[0] * g0[0] + g1[1] * g0[1] + g1[2] * g0[2] + g1[3] * g0[3];
            T[V * (3 + i) + 3 + j] = (product - c[i] * d[j] / along) / size;
        }
}

/* p1 = p0 + h/4 (G0 + G1)^T w' is a Cayley transform and keeps |p|: with b = h w'/4,
 * p1 = p0 c,  c = (1 - b.b, 2 b)/(1 + b.b) as a product of quaternions, theory.md (53). */
static bool midstep(const double* q, const double* v, double h, double* q1) {
    const double* p = q + 3;
    FpVec3 b = fp_vec3_scale(h / 4, fp_vec3_load(v + 3));
    double bb = fp_vec3_dot(b, b), k = 2 / (1 + bb), c = (1 - bb) / (1 + bb);
    for (int i = 0; i < 3; i++) q1[i] = q[i] + h * v[i];
    q1[3] = c * p[0] - k * (p[1] * b.x + p[2] * b.y + p[3] * b.z);
    q1[4] = c * p[1] + k * (p[0] * b.x + p[2] * b.z - p[3] * b.y);
    q1[5] = c * p[2] + k * (p[0] * b.y + p[3] * b.x - p[1] * b.z);
    q1[6] = c * p[3] + k * (p[0] * b.z + p[1] * b.y - p[2] * b.x);
    return true;
}

/* c = d d with d = (1, b)/|(1, b)|, whose turn in the body is 2 (db - b x db)/(1 + b.b); the second
 * factor turns that of the first back by R(d)^T, theory.md (53). */
static void midstep_tangent(const double* v, double h, double* T) {
    FpVec3 b = fp_vec3_scale(h / 4, fp_vec3_load(v + 3));
    double k = 1 / (1 + fp_vec3_dot(b, b));
    const double d[4] = {sqrt(k), sqrt(k) * b.x, sqrt(k) * b.y, sqrt(k) * b.z};
    double R[9];
    fp_rotation_matrix(d, R);
    memset(T, 0, V * V * sizeof *T);
    for (int j = 0; j < 3; j++) {
        FpVec3 e = fp_vec3(j == 0, j == 1, j == 2);
        FpVec3 turn = fp_vec3_scale(k / 2, fp_vec3_sub(e, fp_vec3_cross(b, e)));
        FpVec3 both = fp_vec3_add(turn, fp_mat3_mul_transposed(R, turn));
        T[V * j + j] = 1;
        T[V * 3 + 3 + j] = both.x;
        T[V * 4 + 3 + j] = both.y;
        T[V * 5 + 3 + j] = both.z;
    }
}

/* w.(A(p) s) = 1/2 p^T K p, theory.md (5). */
static void add_turn_gradient(const double* q, FpVec3 s, FpVec3 w, double weight, double* row) {
    double K[16];
    const double* p = q + 3;
    fp_rotation_second_derivative(w, s, K);
    for (int i = 0; i < 4; i++) {
        const double* k = K + 4 * i;
        row[3 + i] += weight * (k[0] * p[0] + k[1] * p[1] + k[2] * p[2] + k[3] * p[3]);
    }
}

static void add_turn_hessian(const double* q, FpVec3 s, FpVec3 w, double weight, double* H,
                             int width) {
    (void)q;
    double K[16];
    fp_rotation_second_derivative(w, s, K);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) H[width * (3 + i) + 3 + j] += weight * K[4 * i + j];
}

const FpBodyKind fp_body_spatial = {
    .name = "spatial",
    .q_count = Q,
    .v_count = V,
    .a_count = 1,
    .translations = 3,
    .coordinates = coordinates,
    .velocities = velocities,
    .from_motion = from_motion,
    .to_motion = to_motion,
    .pose = pose,
    .mass = mass_matrix,
    .add_load = add_load,
    .subtract_gyroscopic = subtract_gyroscopic,
    .kinematics = kinematics,
    .step_basis = step_basis,
    .step = step,
    .invariants = invariants,
    .invariant_hessian = invariant_hessian,
    .step_limit = step_limit,
    .rates = rates,
    .tangent = tangent,
    .midstep = midstep,
    .midstep_tangent = midstep_tangent,
    .add_turn_gradient = add_turn_gradient,
    .add_turn_hessian = add_turn_hessian,
};
