/* Euler parameters p = (e0, e), scalar first, and the matrices of theory.md (2)-(5). Nothing here
 * assumes |p| = 1: A(p) is the homogeneous form, of length |p|^2. */
#ifndef FREEPLAY_ENGINE_ROTATION_H
#define FREEPLAY_ENGINE_ROTATION_H

#include "engine/vec3.h"

/* A(p) = (e0^2 - e.e) I + 2 e e^T + 2 e0 skew(e), theory.md (2). */
static inline void fp_rotation_matrix(const double p[4], double A[9]) {
    double a = p[0], b = p[1], c = p[2], d = p[3];
    A[0] = a * a + b * b - c * c - d * d;
    A[1] = 2 * (b * c - a * d);
    A[2] = 2 * (b * d + a * c);
    A[3] = 2 * (b * c + a * d);
    A[4] = a * a - b * b + c * c - d * d;
    A[5] = 2 * (c * d - a * b);
    A[6] = 2 * (b * d - a * c);
    A[7] = 2 * (c * d + a * b);
    A[8] = a * a - b * b - c * c + d * d;
}

/* G(p) = [-e, -skew(e) + e0 I], 3x4 row-major: w' = 2 G p', p' = 1/2 G^T w', theory.md (3). */
static inline void fp_rotation_G(const double p[4], double G[12]) {
    double a = p[0], b = p[1], c = p[2], d = p[3];
    const double g[12] = {-b, a, d, -c, -c, -d, a, b, -d, c, -b, a};
    for (int i = 0; i < 12; i++) G[i] = g[i];
}

/* The symmetric 4x4 matrix of the quadratic form w.(A(p) s) = 1/2 p^T K p, theory.md (5); it is
 * constant in p, so that K is the second derivative of w.(A(p) s). */
static inline void fp_rotation_second_derivative(FpVec3 w, FpVec3 s, double K[16]) {
    FpVec3 c = fp_vec3_cross(s, w);
    double sw = fp_vec3_dot(s, w);
    const double sv[3] = {s.x, s.y, s.z}, wv[3] = {w.x, w.y, w.z}, cv[3] = {c.x, c.y, c.z};
    K[0] = 2 * sw;
    for (int i = 0; i < 3; i++) {
        K[1 + i] = K[4 * (1 + i)] = 2 * cv[i];
        for (int j = 0; j < 3; j++)
            K[4 * (1 + i) + 1 + j] = 2 * (sv[i] * wv[j] + wv[i] * sv[j] - (i == j ? sw : 0));
    }
}

static inline FpVec3 fp_rotation_apply(const double p[4], FpVec3 s) {
    double A[9];
    fp_rotation_matrix(p, A);
    return fp_mat3_mul(A, s);
}

#endif
