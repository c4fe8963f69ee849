/* Rows as functions of vectors fixed to two bodies, theory.md (9). One of them carries a point P
 * and a direction w, the other an origin Q and the directions u and v:
 *
 *   a = P - Q,   psi = shape(a, u, v, w)
 *
 * A shape knows psi and its derivatives with respect to the four vectors; the chain rule over the
 * coordinates of any kind of body is here. */
#ifndef FREEPLAY_JOINTS_GEOMETRY_H
#define FREEPLAY_JOINTS_GEOMETRY_H

#include "engine/body.h"

typedef struct FpGeometry FpGeometry;

enum { FREEPLAY_A, FREEPLAY_U, FREEPLAY_V, FREEPLAY_W, FREEPLAY_VECTOR_COUNT };
enum { FREEPLAY_VECTORS_WIDTH = 3 * FREEPLAY_VECTOR_COUNT };

typedef struct FpVectors {
    FpVec3 P;                        /* global */
    FpVec3 x[FREEPLAY_VECTOR_COUNT]; /* a, u, v, w, global */
} FpVectors;

typedef struct FpShape {
    double (*value)(const FpGeometry* g, const FpVectors* vectors);
    void (*gradient)(const FpGeometry* g, const FpVectors* vectors,
                     FpVec3 d[FREEPLAY_VECTOR_COUNT]); /* those that are not 0 */
    /* Second derivative with respect to (a, u, v, w), 12 x 12, zero on entry. */
    void (*second)(const FpGeometry* g, const FpVectors* vectors, double* S);
    /* True gap and kappa = dg/dpsi, theory.md (8). NULL: g = psi. */
    double (*gap)(const FpGeometry* g, const FpVectors* vectors, double* kappa);
    /* A direction across n, not yet of unit length, from the z and x axis of the frame of the body
     * with Q, theory.md (18c). NULL: nothing slides there. */
    FpVec3 (*tangent)(FpVec3 z, FpVec3 x, FpVec3 n);
    bool uses[FREEPLAY_VECTOR_COUNT]; /* which vectors psi depends on */
} FpShape;

struct FpGeometry {
    const FpShape* shape;
    double size;    /* of a cylinder or ball: its radius, m */
    double side;    /* 1: P stays inside the cylinder or ball, -1: outside */
    double offset;  /* added to psi */
    double tiny;    /* closer to an axis or centre than this there is no direction, m */
    int point_body; /* 0 or 1: the one of the two that carries P and w */
    short P, Q;     /* where its points and directions stand in a list of fixed vectors */
    short direction[FREEPLAY_VECTOR_COUNT]; /* u, v, w; -1: there is none */
    FpVec3 point, w;                        /* in its coordinates */
    FpVec3 origin, u, v;                    /* in those of the other; u is a unit vector */
    double reach;                           /* from P to the contact point along the normal, m */
    bool has_range; /* the row applies only while range_low <= a.u_axis <= range_high */
    FpVec3 axis;    /* of the range, in the coordinates of the body with Q */
    double range_low, range_high;
    FpVec3 frame_x, frame_z; /* by which tangents are chosen, in the coordinates of that body */
};

/* psi = a.u + offset: P over a plane. */
extern const FpShape fp_shape_plane;
/* psi = side (R^2 - d.d)/(2 R), d = a - u a.u/u.u: P in or outside a cylinder about u. */
extern const FpShape fp_shape_cylinder;
/* psi = side (R^2 - a.a)/(2 R): P in or outside a ball about Q. */
extern const FpShape fp_shape_ball;
/* psi = w.u + offset: two directions at an angle; the unit is rad where they are perpendicular. */
extern const FpShape fp_shape_square;
/* psi = angle of w from u towards v, plus offset, within -pi and pi. */
extern const FpShape fp_shape_angle;

FpVectors fp_geometry_vectors(const FpGeometry* g, const FpPose pose[2]);

/* The points and directions of several rows, each once however many share it. */
typedef struct FpFixedVector {
    FpVec3 s; /* in the coordinates of its body */
    int body; /* 0 or 1 */
    bool is_point;
} FpFixedVector;

typedef struct FpFixedVectors {
    int count;
    FpFixedVector* list;
} FpFixedVectors;

#define FREEPLAY_VECTORS_PER_ROW 5
#define FREEPLAY_VECTORS_MAX     512 /* of one joint; a prism of 64 edges in its guide has 384 */

/* Adds what a row needs and is not in the list yet; there is room for FREEPLAY_VECTORS_PER_ROW
 * more.
 */
void fp_geometry_list_vectors(FpGeometry* g, FpFixedVectors* vectors);
/* All of them in global coordinates, and those of one row. */
void fp_geometry_place(const FpFixedVectors* vectors, const FpPose pose[2], FpVec3* placed);
static inline void fp_geometry_pick(const FpGeometry* g, const FpVec3* placed, FpVectors* picked) {
    picked->P = placed[g->P];
    picked->x[FREEPLAY_A] = fp_vec3_sub(placed[g->P], placed[g->Q]);
    for (int k = FREEPLAY_U; k < FREEPLAY_VECTOR_COUNT; k++)
        if (g->direction[k] >= 0) picked->x[k] = placed[g->direction[k]];
}

/* psi of one row. Most rows are planes: they need no copies. */
static inline double fp_geometry_value(const FpGeometry* g, const FpVec3* placed) {
    FpVectors picked;
    if (g->shape == &fp_shape_plane) {
        FpVec3 a = fp_vec3_sub(placed[g->P], placed[g->Q]);
        return fp_vec3_dot(a, placed[g->direction[FREEPLAY_U]]) + g->offset;
    }
    fp_geometry_pick(g, placed, &picked);
    return g->shape->value(g, &picked);
}

/* Adds weight times the gradient of psi; row[k] are the coordinates of body k. */
void fp_geometry_gradient(const FpGeometry* g, const FpVectors* vectors,
                          const FpBodyKind* const kind[2], const double* const q[2], double weight,
                          double* const row[2]);
/* Adds the same over velocities; a row that is NULL is that of ground. */
void fp_geometry_rate(const FpGeometry* g, const FpFixedVector* fixed, const FpVectors* vectors,
                      const FpBodyKind* const kind[2], const FpPose pose[2], double* const row[2]);
/* Adds weight times the second derivative to H, whose rows have `width` entries; the coordinates
 * of body k begin at at[k]. */
void fp_geometry_hessian(const FpGeometry* g, const FpVectors* vectors,
                         const FpBodyKind* const kind[2], const double* const q[2], double weight,
                         const int at[2], double* H, int width);
/* row += sign times the rate of w.x of a point x of a body, s in its coordinates. */
void fp_geometry_add_point_rate(const FpBodyKind* kind, const FpPose* pose, FpVec3 s, FpVec3 w,
                                double sign, double* row);
/* row += the rate of w.(A s) of a direction s. */
void fp_geometry_add_turn_rate(const FpBodyKind* kind, const FpPose* pose, FpVec3 s, FpVec3 w,
                               double* row);
/* Two directions along the surface with the unit normal n, t1 x t2 = n, theory.md (18c). */
void fp_geometry_tangents(const FpGeometry* g, FpVec3 n, const FpPose pose[2], FpVec3 tangent[2]);
/* True gap and kappa. */
double fp_geometry_gap(const FpGeometry* g, const FpVectors* vectors, double* kappa);
/* Whether the point is within the range. */
bool fp_geometry_applies(const FpGeometry* g, const FpVec3* placed, const FpPose pose[2]);

#endif
