/* Vectors of three and 3x3 matrices (row-major), by value or by pointer; all inline. */
#ifndef FREEPLAY_ENGINE_VEC3_H
#define FREEPLAY_ENGINE_VEC3_H

#include <math.h>
#include <stdbool.h>

typedef struct FpVec3 {
    double x, y, z;
} FpVec3;

static inline FpVec3 fp_vec3(double x, double y, double z) {
    return (FpVec3){x, y, z};
}
static inline FpVec3 fp_vec3_load(const double* a) {
    return (FpVec3){a[0], a[1], a[2]};
}
static inline void fp_vec3_store(FpVec3 a, double* out) {
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}
static inline FpVec3 fp_vec3_add(FpVec3 a, FpVec3 b) {
    return (FpVec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline FpVec3 fp_vec3_sub(FpVec3 a, FpVec3 b) {
    return (FpVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline FpVec3 fp_vec3_scale(double s, FpVec3 a) {
    return (FpVec3){s * a.x, s * a.y, s * a.z};
}
/* a + s b */
static inline FpVec3 fp_vec3_along(FpVec3 a, double s, FpVec3 b) {
    return (FpVec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static inline double fp_vec3_dot(FpVec3 a, FpVec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline FpVec3 fp_vec3_cross(FpVec3 a, FpVec3 b) {
    return (FpVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/* hypot is slow, and needed only where squares leave the range of a double. */
static inline double fp_vec3_norm(FpVec3 a) {
    double square = fp_vec3_dot(a, a);
    return square > 1e-280 && square < 1e280 ? sqrt(square) : hypot(hypot(a.x, a.y), a.z);
}

static inline bool fp_vec3_is_finite(FpVec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/* y = A x and y = A^T x for a row-major 3x3 matrix. */
static inline FpVec3 fp_mat3_mul(const double A[9], FpVec3 x) {
    return (FpVec3){A[0] * x.x + A[1] * x.y + A[2] * x.z, A[3] * x.x + A[4] * x.y + A[5] * x.z,
                    A[6] * x.x + A[7] * x.y + A[8] * x.z};
}
static inline FpVec3 fp_mat3_mul_transposed(const double A[9], FpVec3 x) {
    return (FpVec3){A[0] * x.x + A[3] * x.y + A[6] * x.z, A[1] * x.x + A[4] * x.y + A[7] * x.z,
                    A[2] * x.x + A[5] * x.y + A[8] * x.z};
}

#endif
