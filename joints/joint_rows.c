/* A joint as a constraint set: value, derivatives, gap and contact of each of its rows, from their
 * geometry. */
#include <stdlib.h>
#include <string.h>
#include "joints/joint_impl.h"

/* 3 pi/16: Coulomb-Contensou friction on a disc, approximated by a ball, theory.md (18d). */
#define DRILLING 0.58904862254808623221

static const FpJoint* joint_of(const FpConstraint* c) {
    return (const FpJoint*)c;
}

static void find_poses(const FpJoint* j, const double* const q[], FpPose pose[2]) {
    for (int k = 0; k < 2; k++) j->kind[k]->pose(q[k], &pose[k]);
}

/* Both bodies, and the vectors of all rows, at q. */
typedef struct Placed {
    FpPose pose[2];
    FpVec3 vectors[FREEPLAY_VECTORS_MAX];
} Placed;

/* Long chains do not stay in the caches: asks for the rows while the poses are computed. */
static void fetch(const FpJoint* j) {
#ifdef __GNUC__
    for (int k = 0; k < j->vectors.count; k += 2) __builtin_prefetch(&j->vectors.list[k]);
    for (int i = 0; i < j->base.row_count; i++) __builtin_prefetch(&j->geometry[i]);
#else
    (void)j;
#endif
}

static void place(const FpJoint* j, const double* const q[], Placed* placed) {
    fetch(j);
    find_poses(j, q, placed->pose);
    fp_geometry_place(&j->vectors, placed->pose, placed->vectors);
}

static void value(const FpConstraint* c, double t, const double* const q[], double* psi) {
    (void)t;
    const FpJoint* j = joint_of(c);
    Placed placed;
    place(j, q, &placed);
    for (int i = 0; i < c->row_count; i++)
        psi[i] = fp_geometry_value(&j->geometry[i], placed.vectors);
}

static void jacobian(const FpConstraint* c, double t, const double* const q[], double* J) {
    (void)t;
    const FpJoint* j = joint_of(c);
    int first = j->kind[0]->q_count, width = first + j->kind[1]->q_count;
    Placed placed;
    FpVectors vectors;
    place(j, q, &placed);
    memset(J, 0, (size_t)(c->row_count * width) * sizeof *J);
    for (int i = 0; i < c->row_count; i++) {
        fp_geometry_pick(&j->geometry[i], placed.vectors, &vectors);
        double* const row[2] = {J + width * i, J + width * i + first};
        fp_geometry_gradient(&j->geometry[i], &vectors, j->kind, q, 1, row);
    }
}

static void hessian(const FpConstraint* c, double t, const double* const q[], const double* weight,
                    double* H) {
    (void)t;
    const FpJoint* j = joint_of(c);
    const int at[2] = {0, j->kind[0]->q_count};
    int width = at[1] + j->kind[1]->q_count;
    Placed placed;
    FpVectors vectors;
    place(j, q, &placed);
    for (int i = 0; i < c->row_count; i++) {
        if (weight[i] == 0) continue;
        fp_geometry_pick(&j->geometry[i], placed.vectors, &vectors);
        fp_geometry_hessian(&j->geometry[i], &vectors, j->kind, q, weight[i], at, H, width);
    }
}

static void gap(const FpConstraint* c, double t, const double* const q[], double* g,
                double* kappa) {
    (void)t;
    const FpJoint* j = joint_of(c);
    Placed placed;
    FpVectors vectors;
    place(j, q, &placed);
    for (int i = 0; i < c->row_count; i++) {
        double k;
        fp_geometry_pick(&j->geometry[i], placed.vectors, &vectors);
        g[i] = fp_geometry_gap(&j->geometry[i], &vectors, &k);
        if (kappa) kappa[i] = k;
    }
}

static void sweep(const FpConstraint* c, double t, const double* const q[], double* psi, double* g,
                  double* kappa, double* Dv) {
    (void)t;
    const FpJoint* j = joint_of(c);
    int count[2], width = 0;
    for (int k = 0; k < 2; k++) {
        count[k] = c->blocks[k] < 0 ? 0 : j->kind[k]->v_count;
        width += count[k];
    }
    Placed placed;
    FpVectors vectors;
    place(j, q, &placed);
    memset(Dv, 0, (size_t)(c->row_count * width) * sizeof *Dv);
    for (int i = 0; i < c->row_count; i++) {
        const FpGeometry* geometry = &j->geometry[i];
        fp_geometry_pick(geometry, placed.vectors, &vectors);
        double* row = Dv + width * i;
        psi[i] = g[i] = geometry->shape->value(geometry, &vectors);
        kappa[i] = 1;
        if (geometry->shape->gap) g[i] = geometry->shape->gap(geometry, &vectors, &kappa[i]);
        fp_geometry_rate(
            geometry, j->vectors.list, &vectors, j->kind, placed.pose,
            (double* const[2]){count[0] ? row : NULL, count[1] ? row + count[0] : NULL});
    }
}

static void applies(const FpConstraint* c, const double* const q[], bool* applies) {
    const FpJoint* j = joint_of(c);
    Placed placed;
    place(j, q, &placed);
    for (int i = 0; i < c->row_count; i++)
        applies[i] = fp_geometry_applies(&j->geometry[i], placed.vectors, placed.pose);
}

/* The normal is kappa dpsi/da, the direction of the force on the body with the point. Where that is
 * the second one, the first is across the gap, theory.md (18a). */
static FpContact touch(const FpJoint* j, const FpPose pose[2], int row) {
    const FpGeometry* g = &j->geometry[row];
    FpVectors vectors = fp_geometry_vectors(g, pose);
    FpVec3 d[FREEPLAY_VECTOR_COUNT] = {{0}};
    double kappa, gap = fp_geometry_gap(g, &vectors, &kappa);
    g->shape->gradient(g, &vectors, d);
    FpVec3 normal = fp_vec3_scale(kappa, d[FREEPLAY_A]);
    bool first = g->point_body == 0;
    return (FpContact){.point = fp_vec3_along(vectors.P, first ? g->reach : g->reach - gap, normal),
                       .normal = first ? normal : fp_vec3_scale(-1, normal),
                       .gap = gap};
}

static void contact(const FpConstraint* c, double t, const double* const q[], int row,
                    FpContact* contact) {
    (void)t;
    const FpJoint* j = joint_of(c);
    FpPose pose[2];
    find_poses(j, q, pose);
    *contact = touch(j, pose, row);
}

/* In the plane there is one direction across the normal. */
static void find_tangents(const FpGeometry* g, FpVec3 normal, const FpPose pose[2], int slip_count,
                          FpVec3 tangent[2]) {
    if (slip_count == 1)
        tangent[0] = fp_vec3_cross(normal, fp_vec3(0, 0, 1));
    else
        fp_geometry_tangents(g, normal, pose, tangent);
}

/* The speeds of the point of one body along the tangents, and that with which the body turns about
 * the normal, t2.(w x t1) = w.n; theory.md (18b), (18d). */
static void add_slip_of_body(const FpBodyKind* kind, const FpPose* pose, FpVec3 point,
                             const FpVec3 tangent[2], int count, double sign, double drill_radius,
                             double* G, int width) {
    FpVec3 s = fp_mat3_mul_transposed(pose->A, fp_vec3_sub(point, pose->r));
    for (int i = 0; i < count && i < 2; i++)
        fp_geometry_add_point_rate(kind, pose, s, tangent[i], sign, G + width * i);
    if (count == 3)
        fp_geometry_add_turn_rate(kind, pose, fp_mat3_mul_transposed(pose->A, tangent[0]),
                                  fp_vec3_scale(sign * drill_radius, tangent[1]), G + width * 2);
}

/* Both bodies have a material point where they touch, so that friction is a pair of opposite forces
 * on one line of action even while there is a gap. */
static void slip(const FpConstraint* c, double t, const double* const q[], int row, double* G,
                 double* chi) {
    (void)t;
    const FpJoint* j = joint_of(c);
    int count = c->rows[row].slip_count, at[3] = {0};
    for (int k = 0; k < 2; k++) at[k + 1] = at[k] + (c->blocks[k] < 0 ? 0 : j->kind[k]->v_count);
    memset(G, 0, (size_t)(count * at[2]) * sizeof *G);
    memset(chi, 0, (size_t)count * sizeof *chi);
    FpPose pose[2];
    find_poses(j, q, pose);
    FpContact there = touch(j, pose, row);
    if (fp_vec3_norm(there.normal) == 0) return;
    FpVec3 tangent[2];
    find_tangents(&j->geometry[row], there.normal, pose, count, tangent);
    for (int k = 0; k < 2; k++)
        if (c->blocks[k] >= 0)
            add_slip_of_body(j->kind[k], &pose[k], there.point, tangent, count, k ? -1 : 1,
                             DRILLING * j->contact_radius, G + at[k], at[2]);
}

static void destroy(FpConstraint* c) {
    FpJoint* j = (FpJoint*)c;
    free(j->geometry);
    free(j->rows);
    free(j->labels);
    free(j->vectors.list);
    free(j);
}

const FpConstraintOps fp_joint_ops = {
    .value = value,
    .jacobian = jacobian,
    .hessian = hessian,
    .gap = gap,
    .sweep = sweep,
    .slip = slip,
    .contact = contact,
    .destroy = destroy,
};

const FpConstraintOps fp_joint_ops_with_ends = {
    .value = value,
    .jacobian = jacobian,
    .hessian = hessian,
    .applies = applies,
    .gap = gap,
    .sweep = sweep,
    .slip = slip,
    .contact = contact,
    .destroy = destroy,
};

const FpJoint* fp_joint_of(const FpConstraint* constraint) {
    bool is_joint = constraint->ops == &fp_joint_ops || constraint->ops == &fp_joint_ops_with_ends;
    return is_joint ? joint_of(constraint) : NULL;
}
