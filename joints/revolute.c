/* A bore around a pin, with play across and along the axis.
 *
 * With a = P - Q from the middle Q of the pin to an end point P of the bore, the axis u of the pin
 * and its position s = a.u/u.u along it, theory.md (9), (10):
 *   radial   d = a - s u,   psi = (c^2 - d.d)/(2 c),   g = c - |d|,   dg/dpsi = c/|d|
 *   axial    g = +-a.u + l/2 + c_a
 * psi is smooth everywhere and has sign and zeros of g; the true gap has no derivative at d = 0,
 * where the row is far from active. */
#include "joints/revolute.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_RADIAL_1, ROW_RADIAL_2, ROW_STOP_1, ROW_STOP_2, ROW_COUNT };

typedef struct Revolute {
    FpConstraint base;
    FpVec3 end[2];       /* P1, P2 in the body of the bore */
    FpVec3 middle, axis; /* of the pin, in its body; axis is a unit vector */
    double radius, clearance, half_length;
    double reach; /* l/2 + c_a */
    FpRow rows[ROW_COUNT];
} Revolute;

static const Revolute* revolute_of(const FpConstraint* c) {
    return (const Revolute*)c;
}

static FpPointPair pair_of_row(const Revolute* r, const double* const q[], int row) {
    return fp_point_pair(q, r->end[row % 2], r->middle, r->axis);
}

/* Where P is beside the axis. */
static FpVec3 offset(const FpPointPair* pair, double* s) {
    *s = fp_vec3_dot(pair->a, pair->u) / fp_vec3_dot(pair->u, pair->u);
    return fp_vec3_along(pair->a, -*s, pair->u);
}

/* +1 for the stop at P1, -1 for that at P2. */
static double stop_sign(int row) {
    return row == ROW_STOP_1 ? 1 : -1;
}

static double stop_gap(const Revolute* r, const FpPointPair* pair, int row) {
    return stop_sign(row) * fp_vec3_dot(pair->a, pair->u) + r->reach;
}

static void value(const FpConstraint* c, double t, const double* const q[], double* psi) {
    (void)t;
    const Revolute* r = revolute_of(c);
    for (int row = 0; row < ROW_COUNT; row++) {
        FpPointPair pair = pair_of_row(r, q, row);
        if (row < ROW_STOP_1) {
            double s, size = r->clearance;
            double distance = fp_vec3_norm(offset(&pair, &s));
            psi[row] = (size - distance) * (size + distance) / (2 * size);
        } else {
            psi[row] = stop_gap(r, &pair, row);
        }
    }
}

/* The gradient of psi with respect to a and u. */
static void row_gradient(const Revolute* r, const FpPointPair* pair, int row, FpVec3* da,
                         FpVec3* du) {
    if (row < ROW_STOP_1) {
        double s;
        FpVec3 d = offset(pair, &s);
        *da = fp_vec3_scale(-1 / r->clearance, d);
        *du = fp_vec3_scale(s / r->clearance, d);
    } else {
        *da = fp_vec3_scale(stop_sign(row), pair->u);
        *du = fp_vec3_scale(stop_sign(row), pair->a);
    }
}

static void jacobian(const FpConstraint* c, double t, const double* const q[], double* J) {
    (void)t;
    const Revolute* r = revolute_of(c);
    for (int row = 0; row < ROW_COUNT; row++) {
        FpPointPair pair = pair_of_row(r, q, row);
        FpVec3 da, du;
        row_gradient(r, &pair, row, &da, &du);
        fp_point_pair_gradient(&pair, q, da, du, J + 14 * row);
    }
}

/* c psi'' = -I + u u^T/k in (a, a), u e^T/k + s I in (a, u), e e^T/k - s^2 I in (u, u), with
 * e = d - s u and k = u.u. */
static void radial_second(const Revolute* r, const FpPointPair* pair, double second[36]) {
    double s;
    FpVec3 d = offset(pair, &s), e_vector = fp_vec3_along(d, -s, pair->u);
    const double u[3] = {pair->u.x, pair->u.y, pair->u.z};
    const double e[3] = {e_vector.x, e_vector.y, e_vector.z};
    double k = fp_vec3_dot(pair->u, pair->u);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double same = i == j ? 1 : 0;
            second[6 * i + j] = (u[i] * u[j] / k - same) / r->clearance;
            second[6 * i + 3 + j] = (u[i] * e[j] / k + s * same) / r->clearance;
            second[6 * (3 + j) + i] = second[6 * i + 3 + j];
            second[6 * (3 + i) + 3 + j] = (e[i] * e[j] / k - s * s * same) / r->clearance;
        }
}

static void hessian(const FpConstraint* c, double t, const double* const q[], const double* weight,
                    double* H) {
    (void)t;
    const Revolute* r = revolute_of(c);
    for (int row = 0; row < ROW_COUNT; row++) {
        FpPointPair pair = pair_of_row(r, q, row);
        FpVec3 da, du;
        row_gradient(r, &pair, row, &da, &du);
        double second[36] = {0};
        if (row < ROW_STOP_1) radial_second(r, &pair, second);
        for (int i = 0; row >= ROW_STOP_1 && i < 3; i++)
            second[6 * i + 3 + i] = second[6 * (3 + i) + i] = stop_sign(row);
        fp_point_pair_hessian(&pair, q, da, du, second, weight[row], H);
    }
}

/* Closer to the axis than round-off of the joint's own length the direction of d means nothing. */
static bool is_concentric(const Revolute* r, double distance) {
    return distance <= 16 * DBL_EPSILON * r->half_length || distance == 0;
}

static void gap(const FpConstraint* c, double t, const double* const q[], double* g,
                double* kappa) {
    (void)t;
    const Revolute* r = revolute_of(c);
    for (int row = 0; row < ROW_COUNT; row++) {
        FpPointPair pair = pair_of_row(r, q, row);
        double s, k = 1;
        if (row < ROW_STOP_1) {
            double distance = fp_vec3_norm(offset(&pair, &s));
            g[row] = r->clearance - distance;
            k = is_concentric(r, distance) ? 0 : r->clearance / distance;
        } else {
            g[row] = stop_gap(r, &pair, row);
        }
        if (kappa) kappa[row] = k;
    }
}

static void contact(const FpConstraint* c, double t, const double* const q[], int row,
                    FpContact* contact) {
    (void)t;
    const Revolute* r = revolute_of(c);
    FpPointPair pair = pair_of_row(r, q, row);
    if (row >= ROW_STOP_1) {
        *contact =
            (FpContact){pair.P, fp_vec3_scale(stop_sign(row), pair.u), stop_gap(r, &pair, row)};
        return;
    }
    double s;
    FpVec3 d = offset(&pair, &s);
    double distance = fp_vec3_norm(d);
    FpVec3 normal = fp_vec3_scale(is_concentric(r, distance) ? 0 : -1 / distance, d);
    *contact =
        (FpContact){fp_vec3_along(pair.P, r->radius, normal), normal, r->clearance - distance};
}

static void destroy(FpConstraint* c) {
    free(c);
}

static const FpConstraintOps revolute_ops = {
    .type = "revolute",
    .value = value,
    .jacobian = jacobian,
    .hessian = hessian,
    .gap = gap,
    .contact = contact,
    .destroy = destroy,
};

FpRevoluteDef fp_revolute_def_default(void) {
    return (FpRevoluteDef){.joint = {.body = {FREEPLAY_GROUND, FREEPLAY_GROUND}},
                           .bore.axis = {0, 0, 1},
                           .pin.axis = {0, 0, 1}};
}

static FpStatus check(const FpWorld* world, const FpRevoluteDef* def, FpMessage* message) {
    FpStatus status = fp_joint_check(world, &def->joint, message);
    if (!status) status = fp_joint_check_length("length", def->length, false, message);
    if (!status) status = fp_joint_check_length("radius", def->radius, true, message);
    if (!status) status = fp_joint_check_length("clearance", def->clearance, false, message);
    if (!status)
        status = fp_joint_check_length("axial_clearance", def->axial_clearance, false, message);
    return status;
}

FpStatus fp_revolute_add(FpWorld* world, const FpRevoluteDef* def, FpMessage* message) {
    static const char* const fields[2] = {"bore", "pin"};
    const FpFrameDef frame_defs[2] = {def->bore, def->pin};
    FpJointFrame frame[2];
    FpStatus status = check(world, def, message);
    if (!status) status = fp_joint_frames(world, &def->joint, frame_defs, fields, frame, message);
    if (status) return status;

    Revolute* r = calloc(1, sizeof *r);
    if (!r) return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    r->half_length = def->length / 2;
    r->end[0] = fp_vec3_along(frame[0].origin, -r->half_length, frame[0].z);
    r->end[1] = fp_vec3_along(frame[0].origin, r->half_length, frame[0].z);
    r->middle = frame[1].origin;
    r->axis = frame[1].z;
    r->radius = def->radius;
    r->clearance = def->clearance;
    r->reach = r->half_length + def->axial_clearance;
    const FpRow rows[ROW_COUNT] = {
        {FREEPLAY_ROW_UNILATERAL, def->clearance, "radial at P1"},
        {FREEPLAY_ROW_UNILATERAL, def->clearance, "radial at P2"},
        {FREEPLAY_ROW_UNILATERAL, def->axial_clearance, "axial stop at P1"},
        {FREEPLAY_ROW_UNILATERAL, def->axial_clearance, "axial stop at P2"},
    };
    memcpy(r->rows, rows, sizeof rows);
    return fp_joint_add(world, &def->joint, &revolute_ops, ROW_COUNT, r->rows, &r->base, message);
}

static void set_default(void* def) {
    *(FpRevoluteDef*)def = fp_revolute_def_default();
}

static FpStatus add(FpWorld* world, const void* def, FpMessage* message) {
    return fp_revolute_add(world, def, message);
}

static const FpField fields[] = {
    {"bore", FREEPLAY_FIELD_FRAME, offsetof(FpRevoluteDef, bore), "m", false,
     "middle and axis of the bore, in the first body"},
    {"pin", FREEPLAY_FIELD_FRAME, offsetof(FpRevoluteDef, pin), "m", false,
     "middle and axis of the pin, in the second body"},
    {"length", FREEPLAY_FIELD_NUMBER, offsetof(FpRevoluteDef, length), "m", true,
     "length of the bore"},
    {"radius", FREEPLAY_FIELD_NUMBER, offsetof(FpRevoluteDef, radius), "m", false,
     "radius of the bore, for reported contact points"},
    {"clearance", FREEPLAY_FIELD_NUMBER, offsetof(FpRevoluteDef, clearance), "m", true,
     "radial clearance, bore radius less pin radius"},
    {"axial_clearance", FREEPLAY_FIELD_NUMBER, offsetof(FpRevoluteDef, axial_clearance), "m", true,
     "end play on each side"},
};

const FpJointType fp_revolute_type = {
    .name = "revolute",
    .summary = "a bore around a pin, with radial and axial clearance",
    .carries = {"bore", "pin"},
    .def_size = sizeof(FpRevoluteDef),
    .set_default = set_default,
    .add = add,
    .field_count = sizeof fields / sizeof fields[0],
    .fields = fields,
};
