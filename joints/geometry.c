#include "joints/geometry.h"

#include <string.h>

enum { WIDTH = FREEPLAY_VECTORS_WIDTH, COLUMNS_MAX = 2 * FREEPLAY_BODY_Q_MAX };

static const FpVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static bool is_zero(FpVec3 a) {
    return a.x == 0 && a.y == 0 && a.z == 0;
}

/* The part of a that is across n. */
static FpVec3 across(FpVec3 a, FpVec3 n) {
    return fp_vec3_along(a, -fp_vec3_dot(a, n), n);
}

/* The axis of a frame, or its x axis where the normal is along the axis. */
static FpVec3 axis_across(FpVec3 z, FpVec3 x, FpVec3 n) {
    return across(fabs(fp_vec3_dot(z, n)) < 0.5 ? z : x, n);
}

/* S(i, j) += s x y^T in the 3x3 part of two vectors, and its mirror image. */
static void add_outer(double* S, int i, int j, double s, FpVec3 x, FpVec3 y) {
    const double xs[3] = {x.x, x.y, x.z}, ys[3] = {y.x, y.y, y.z};
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
            S[WIDTH * (3 * i + k) + 3 * j + l] += s * xs[k] * ys[l];
            if (i != j) S[WIDTH * (3 * j + l) + 3 * i + k] += s * xs[k] * ys[l];
        }
}

/* S(i, j) += s I, and its mirror image. */
static void add_identity(double* S, int i, int j, double s) {
    for (int k = 0; k < 3; k++) add_outer(S, i, j, s, axes[k], axes[k]);
}

/* Plane ---------------------------------------------------------------------------------------- */

static double plane_value(const FpGeometry* g, const FpVectors* x) {
    return fp_vec3_dot(x->x[FREEPLAY_A], x->x[FREEPLAY_U]) + g->offset;
}

static void plane_gradient(const FpGeometry* g, const FpVectors* x, FpVec3* d) {
    (void)g;
    d[FREEPLAY_A] = x->x[FREEPLAY_U];
    d[FREEPLAY_U] = x->x[FREEPLAY_A];
}

static void plane_second(const FpGeometry* g, const FpVectors* x, double* S) {
    (void)g, (void)x;
    add_identity(S, FREEPLAY_A, FREEPLAY_U, 1);
}

const FpShape fp_shape_plane = {plane_value,  plane_gradient,
                                plane_second, NULL,
                                axis_across,  {[FREEPLAY_A] = true, [FREEPLAY_U] = true}};

/* Cylinder ------------------------------------------------------------------------------------- */

/* Where P is beside the axis, and s, its place along it. */
static FpVec3 beside(const FpVectors* x, double* s) {
    FpVec3 a = x->x[FREEPLAY_A], u = x->x[FREEPLAY_U];
    *s = fp_vec3_dot(a, u) / fp_vec3_dot(u, u);
    return fp_vec3_along(a, -*s, u);
}

/* side (R^2 - r^2)/(2 R), without cancellation. */
static double round_value(const FpGeometry* g, double r) {
    return g->side * (g->size - r) * (g->size + r) / (2 * g->size);
}

static double round_gap(const FpGeometry* g, double r, double* kappa) {
    *kappa = r <= g->tiny ? 0 : g->size / r;
    return g->side * (g->size - r);
}

static double cylinder_value(const FpGeometry* g, const FpVectors* x) {
    double s;
    return round_value(g, fp_vec3_norm(beside(x, &s)));
}

static void cylinder_gradient(const FpGeometry* g, const FpVectors* x, FpVec3* d) {
    double s, k = g->side / g->size;
    FpVec3 r = beside(x, &s);
    d[FREEPLAY_A] = fp_vec3_scale(-k, r);
    d[FREEPLAY_U] = fp_vec3_scale(k * s, r);
}

/* R psi'' = -I + u u^T/k in (a, a), u e^T/k + s I in (a, u), e e^T/k - s^2 I in (u, u), with
 * e = d - s u and k = u.u, theory.md (10). */
static void cylinder_second(const FpGeometry* g, const FpVectors* x, double* S) {
    double s, c = g->side / g->size;
    FpVec3 u = x->x[FREEPLAY_U], d = beside(x, &s), e = fp_vec3_along(d, -s, u);
    double k = fp_vec3_dot(u, u);
    add_identity(S, FREEPLAY_A, FREEPLAY_A, -c);
    add_outer(S, FREEPLAY_A, FREEPLAY_A, c / k, u, u);
    add_identity(S, FREEPLAY_A, FREEPLAY_U, c * s);
    add_outer(S, FREEPLAY_A, FREEPLAY_U, c / k, u, e);
    add_identity(S, FREEPLAY_U, FREEPLAY_U, -c * s * s);
    add_outer(S, FREEPLAY_U, FREEPLAY_U, c / k, e, e);
}

static double cylinder_gap(const FpGeometry* g, const FpVectors* x, double* kappa) {
    double s;
    return round_gap(g, fp_vec3_norm(beside(x, &s)), kappa);
}

const FpShape fp_shape_cylinder = {cylinder_value,  cylinder_gradient,
                                   cylinder_second, cylinder_gap,
                                   axis_across,     {[FREEPLAY_A] = true, [FREEPLAY_U] = true}};

/* Ball ----------------------------------------------------------------------------------------- */

static double ball_value(const FpGeometry* g, const FpVectors* x) {
    return round_value(g, fp_vec3_norm(x->x[FREEPLAY_A]));
}

static void ball_gradient(const FpGeometry* g, const FpVectors* x, FpVec3* d) {
    d[FREEPLAY_A] = fp_vec3_scale(-g->side / g->size, x->x[FREEPLAY_A]);
}

static void ball_second(const FpGeometry* g, const FpVectors* x, double* S) {
    (void)x;
    add_identity(S, FREEPLAY_A, FREEPLAY_A, -g->side / g->size);
}

static double ball_gap(const FpGeometry* g, const FpVectors* x, double* kappa) {
    return round_gap(g, fp_vec3_norm(x->x[FREEPLAY_A]), kappa);
}

/* x turned by the shortest way that leads from z to n, which is smooth for all n but -z: the mirror
 * image of x in the plane across z + n. No field of tangents is smooth on a whole sphere. */
static FpVec3 carried_from_pole(FpVec3 z, FpVec3 x, FpVec3 n) {
    FpVec3 middle = fp_vec3_add(z, n);
    double square = fp_vec3_dot(middle, middle);
    if (square > 0) x = fp_vec3_along(x, -2 * fp_vec3_dot(x, middle) / square, middle);
    return across(x, n);
}

const FpShape fp_shape_ball = {ball_value, ball_gradient,     ball_second,
                               ball_gap,   carried_from_pole, {[FREEPLAY_A] = true}};

/* Square --------------------------------------------------------------------------------------- */

static double square_value(const FpGeometry* g, const FpVectors* x) {
    return fp_vec3_dot(x->x[FREEPLAY_W], x->x[FREEPLAY_U]) + g->offset;
}

static void square_gradient(const FpGeometry* g, const FpVectors* x, FpVec3* d) {
    (void)g;
    d[FREEPLAY_W] = x->x[FREEPLAY_U];
    d[FREEPLAY_U] = x->x[FREEPLAY_W];
}

static void square_second(const FpGeometry* g, const FpVectors* x, double* S) {
    (void)g, (void)x;
    add_identity(S, FREEPLAY_W, FREEPLAY_U, 1);
}

const FpShape fp_shape_square = {square_value,  square_gradient,
                                 square_second, NULL,
                                 NULL,          {[FREEPLAY_U] = true, [FREEPLAY_W] = true}};

/* Angle ---------------------------------------------------------------------------------------- */

static const double turn = 2 * 3.14159265358979323846;

/* With X = w.u and Y = w.v the angle is atan2(Y, X); its gradient is (-Y, X)/(X^2 + Y^2). */
static double angle_value(const FpGeometry* g, const FpVectors* x) {
    double X = fp_vec3_dot(x->x[FREEPLAY_W], x->x[FREEPLAY_U]);
    double Y = fp_vec3_dot(x->x[FREEPLAY_W], x->x[FREEPLAY_V]);
    return remainder(atan2(Y, X) + g->offset, turn);
}

static void angle_gradient(const FpGeometry* g, const FpVectors* x, FpVec3* d) {
    (void)g;
    FpVec3 u = x->x[FREEPLAY_U], v = x->x[FREEPLAY_V], w = x->x[FREEPLAY_W];
    double X = fp_vec3_dot(w, u), Y = fp_vec3_dot(w, v), k = X * X + Y * Y;
    d[FREEPLAY_U] = fp_vec3_scale(-Y / k, w);
    d[FREEPLAY_V] = fp_vec3_scale(X / k, w);
    d[FREEPLAY_W] = fp_vec3_along(fp_vec3_scale(-Y / k, u), X / k, v);
}

/* Second derivatives with respect to X, Y times those of X, Y, and the mixed ones of w with u, v.
 */
static void angle_second(const FpGeometry* g, const FpVectors* x, double* S) {
    (void)g;
    FpVec3 u = x->x[FREEPLAY_U], v = x->x[FREEPLAY_V], w = x->x[FREEPLAY_W];
    double X = fp_vec3_dot(w, u), Y = fp_vec3_dot(w, v), k = X * X + Y * Y;
    double XX = 2 * X * Y / (k * k), XY = (Y * Y - X * X) / (k * k);
    add_outer(S, FREEPLAY_U, FREEPLAY_U, XX, w, w);
    add_outer(S, FREEPLAY_U, FREEPLAY_V, XY, w, w);
    add_outer(S, FREEPLAY_V, FREEPLAY_V, -XX, w, w);
    add_outer(S, FREEPLAY_U, FREEPLAY_W, 1, w, fp_vec3_along(fp_vec3_scale(XX, u), XY, v));
    add_outer(S, FREEPLAY_V, FREEPLAY_W, 1, w, fp_vec3_along(fp_vec3_scale(XY, u), -XX, v));
    add_identity(S, FREEPLAY_U, FREEPLAY_W, -Y / k);
    add_identity(S, FREEPLAY_V, FREEPLAY_W, X / k);
    add_outer(S, FREEPLAY_W, FREEPLAY_W, XX, u, u);
    add_outer(S, FREEPLAY_W, FREEPLAY_W, -XX, v, v);
    add_outer(S, FREEPLAY_W, FREEPLAY_W, XY, u, v);
    add_outer(S, FREEPLAY_W, FREEPLAY_W, XY, v, u);
}

const FpShape fp_shape_angle = {
    angle_value, angle_gradient, angle_second,
    NULL,        NULL,           {[FREEPLAY_U] = true, [FREEPLAY_V] = true, [FREEPLAY_W] = true}};

/* Over the coordinates of the bodies ----------------------------------------------------------- */

FpVectors fp_geometry_vectors(const FpGeometry* g, const FpPose pose[2]) {
    const FpPose *of_point = &pose[g->point_body], *of_origin = &pose[1 - g->point_body];
    FpVec3 P = fp_vec3_add(of_point->r, fp_mat3_mul(of_point->A, g->point));
    FpVec3 Q = fp_vec3_add(of_origin->r, fp_mat3_mul(of_origin->A, g->origin));
    FpVectors vectors = {.P = P, .x = {[FREEPLAY_A] = fp_vec3_sub(P, Q)}};
    vectors.x[FREEPLAY_U] = fp_mat3_mul(of_origin->A, g->u);
    if (!is_zero(g->v)) vectors.x[FREEPLAY_V] = fp_mat3_mul(of_origin->A, g->v);
    if (!is_zero(g->w)) vectors.x[FREEPLAY_W] = fp_mat3_mul(of_point->A, g->w);
    return vectors;
}

static bool are_equal(FpVec3 a, FpVec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static short list_vector(FpFixedVectors* vectors, FpVec3 s, int body, bool is_point) {
    for (int k = 0; k < vectors->count; k++) {
        const FpFixedVector* v = &vectors->list[k];
        if (v->body == body && v->is_point == is_point && are_equal(v->s, s)) return (short)k;
    }
    vectors->list[vectors->count] = (FpFixedVector){s, body, is_point};
    return (short)vectors->count++;
}

void fp_geometry_list_vectors(FpGeometry* g, FpFixedVectors* vectors) {
    int p = g->point_body, o = 1 - p;
    g->P = list_vector(vectors, g->point, p, true);
    g->Q = list_vector(vectors, g->origin, o, true);
    g->direction[FREEPLAY_U] = list_vector(vectors, g->u, o, false);
    g->direction[FREEPLAY_V] = is_zero(g->v) ? -1 : list_vector(vectors, g->v, o, false);
    g->direction[FREEPLAY_W] = is_zero(g->w) ? -1 : list_vector(vectors, g->w, p, false);
}

void fp_geometry_place(const FpFixedVectors* vectors, const FpPose pose[2], FpVec3* placed) {
    for (int k = 0; k < vectors->count; k++) {
        const FpFixedVector* v = &vectors->list[k];
        FpVec3 turned = fp_mat3_mul(pose[v->body].A, v->s);
        placed[k] = v->is_point ? fp_vec3_add(pose[v->body].r, turned) : turned;
    }
}

/* row += sign (w on the translations, and the gradient of w.(A s)). */
static void add_point(const FpBodyKind* kind, const double* q, FpVec3 s, FpVec3 w, double sign,
                      double* row) {
    const double ws[3] = {w.x, w.y, w.z};
    for (int i = 0; i < kind->translations; i++) row[i] += sign * ws[i];
    kind->add_turn_gradient(q, s, w, sign, row);
}

/* The gradient of sum_k d_k.x_k with the d_k held constant. */
static void add_gradient(const FpGeometry* g, const FpVec3 d[FREEPLAY_VECTOR_COUNT],
                         const FpBodyKind* const kind[2], const double* const q[2], double weight,
                         double* const row[2]) {
    int p = g->point_body, o = 1 - p;
    if (!is_zero(d[FREEPLAY_A])) {
        add_point(kind[p], q[p], g->point, d[FREEPLAY_A], weight, row[p]);
        add_point(kind[o], q[o], g->origin, d[FREEPLAY_A], -weight, row[o]);
    }
    if (!is_zero(d[FREEPLAY_U]))
        kind[o]->add_turn_gradient(q[o], g->u, d[FREEPLAY_U], weight, row[o]);
    if (!is_zero(d[FREEPLAY_V]))
        kind[o]->add_turn_gradient(q[o], g->v, d[FREEPLAY_V], weight, row[o]);
    if (!is_zero(d[FREEPLAY_W]))
        kind[p]->add_turn_gradient(q[p], g->w, d[FREEPLAY_W], weight, row[p]);
}

void fp_geometry_gradient(const FpGeometry* g, const FpVectors* vectors,
                          const FpBodyKind* const kind[2], const double* const q[2], double weight,
                          double* const row[2]) {
    FpVec3 d[FREEPLAY_VECTOR_COUNT] = {{0}};
    g->shape->gradient(g, vectors, d);
    add_gradient(g, d, kind, q, weight, row);
}

/* A point s of a body moves with r' + A (w' x s), and w.(A (w' x s)) = w'.(s x A^T w): the rate of
 * w.x is a load, the force w at that point. */
void fp_geometry_add_point_rate(const FpBodyKind* kind, const FpPose* pose, FpVec3 s, FpVec3 w,
                                double sign, double* row) {
    FpVec3 force = fp_vec3_scale(sign, w);
    kind->add_load(force, fp_vec3_cross(s, fp_mat3_mul_transposed(pose->A, force)), row);
}

/* The torque in the body by which d turns the direction s of a body. */
static FpVec3 torque(const FpPose* pose, FpVec3 s, FpVec3 d) {
    return fp_vec3_cross(s, fp_mat3_mul_transposed(pose->A, d));
}

void fp_geometry_add_turn_rate(const FpBodyKind* kind, const FpPose* pose, FpVec3 s, FpVec3 w,
                               double* row) {
    kind->add_load(fp_vec3(0, 0, 0), torque(pose, s, w), row);
}

static void add_rate_of_point(const FpGeometry* g, const FpFixedVector* fixed, const FpVec3* d,
                              const FpBodyKind* kind, const FpPose* pose, double* row) {
    const bool* uses = g->shape->uses;
    FpVec3 force = {0, 0, 0}, moment = {0, 0, 0};
    if (uses[FREEPLAY_A]) {
        force = d[FREEPLAY_A];
        moment = torque(pose, fixed[g->P].s, force);
    }
    if (uses[FREEPLAY_W])
        moment =
            fp_vec3_add(moment, torque(pose, fixed[g->direction[FREEPLAY_W]].s, d[FREEPLAY_W]));
    kind->add_load(force, moment, row);
}

static void add_rate_of_origin(const FpGeometry* g, const FpFixedVector* fixed, const FpVec3* d,
                               const FpBodyKind* kind, const FpPose* pose, double* row) {
    const bool* uses = g->shape->uses;
    FpVec3 force = {0, 0, 0}, moment = {0, 0, 0};
    if (uses[FREEPLAY_A]) {
        force = fp_vec3_scale(-1, d[FREEPLAY_A]);
        moment = torque(pose, fixed[g->Q].s, force);
    }
    if (uses[FREEPLAY_U])
        moment =
            fp_vec3_add(moment, torque(pose, fixed[g->direction[FREEPLAY_U]].s, d[FREEPLAY_U]));
    if (uses[FREEPLAY_V])
        moment =
            fp_vec3_add(moment, torque(pose, fixed[g->direction[FREEPLAY_V]].s, d[FREEPLAY_V]));
    kind->add_load(force, moment, row);
}

void fp_geometry_rate(const FpGeometry* g, const FpFixedVector* fixed, const FpVectors* vectors,
                      const FpBodyKind* const kind[2], const FpPose pose[2], double* const row[2]) {
    int p = g->point_body, o = 1 - p;
    FpVec3 d[FREEPLAY_VECTOR_COUNT];
    g->shape->gradient(g, vectors, d);
    if (row[p]) add_rate_of_point(g, fixed, d, kind[p], &pose[p], row[p]);
    if (row[o]) add_rate_of_origin(g, fixed, d, kind[o], &pose[o], row[o]);
}

/* How the coordinates bend the vectors: sum_k d_k.x_k''. */
static void add_curvature(const FpGeometry* g, const FpVec3 d[FREEPLAY_VECTOR_COUNT],
                          const FpBodyKind* const kind[2], const double* const q[2], double weight,
                          double* const H[2], int width) {
    int p = g->point_body, o = 1 - p;
    kind[p]->add_turn_hessian(q[p], g->point, d[FREEPLAY_A], weight, H[p], width);
    kind[o]->add_turn_hessian(q[o], g->origin, d[FREEPLAY_A], -weight, H[o], width);
    kind[o]->add_turn_hessian(q[o], g->u, d[FREEPLAY_U], weight, H[o], width);
    kind[o]->add_turn_hessian(q[o], g->v, d[FREEPLAY_V], weight, H[o], width);
    kind[p]->add_turn_hessian(q[p], g->w, d[FREEPLAY_W], weight, H[p], width);
}

void fp_geometry_hessian(const FpGeometry* g, const FpVectors* vectors,
                         const FpBodyKind* const kind[2], const double* const q[2], double weight,
                         const int at[2], double* H, int width) {
    double S[WIDTH * WIDTH] = {0}, D[WIDTH * COLUMNS_MAX] = {0}, SD[WIDTH];
    int count[2] = {kind[0]->q_count, kind[1]->q_count}, columns = count[0] + count[1];
    g->shape->second(g, vectors, S);
    for (int i = 0; i < WIDTH; i++) {
        FpVec3 d[FREEPLAY_VECTOR_COUNT] = {{0}};
        d[i / 3] = axes[i % 3];
        double* const row[2] = {D + COLUMNS_MAX * i, D + COLUMNS_MAX * i + count[0]};
        add_gradient(g, d, kind, q, 1, row);
    }
    for (int j = 0; j < columns; j++) {
        for (int i = 0; i < WIDTH; i++) {
            SD[i] = 0;
            for (int k = 0; k < WIDTH; k++) SD[i] += S[WIDTH * i + k] * D[COLUMNS_MAX * k + j];
        }
        int column = j < count[0] ? at[0] + j : at[1] + j - count[0];
        for (int l = 0; l < columns; l++) {
            int row = l < count[0] ? at[0] + l : at[1] + l - count[0];
            double sum = 0;
            for (int i = 0; i < WIDTH; i++) sum += D[COLUMNS_MAX * i + l] * SD[i];
            H[width * row + column] += weight * sum;
        }
    }
    FpVec3 d[FREEPLAY_VECTOR_COUNT] = {{0}};
    g->shape->gradient(g, vectors, d);
    double* const corner[2] = {H + width * at[0] + at[0], H + width * at[1] + at[1]};
    add_curvature(g, d, kind, q, weight, corner, width);
}

static FpVec3 unit(FpVec3 a) {
    return fp_vec3_scale(1 / fp_vec3_norm(a), a);
}

void fp_geometry_tangents(const FpGeometry* g, FpVec3 n, const FpPose pose[2], FpVec3 tangent[2]) {
    const double* A = pose[1 - g->point_body].A;
    FpVec3 z = fp_mat3_mul(A, g->frame_z), x = fp_mat3_mul(A, g->frame_x);
    tangent[0] = unit(g->shape->tangent(z, x, n));
    tangent[1] = fp_vec3_cross(n, tangent[0]);
}

double fp_geometry_gap(const FpGeometry* g, const FpVectors* vectors, double* kappa) {
    if (g->shape->gap) return g->shape->gap(g, vectors, kappa);
    *kappa = 1;
    return g->shape->value(g, vectors);
}

bool fp_geometry_applies(const FpGeometry* g, const FpVec3* placed, const FpPose pose[2]) {
    if (!g->has_range) return true;
    FpVec3 axis = fp_mat3_mul(pose[1 - g->point_body].A, g->axis);
    double s = fp_vec3_dot(fp_vec3_sub(placed[g->P], placed[g->Q]), axis);
    return s >= g->range_low && s <= g->range_high;
}
