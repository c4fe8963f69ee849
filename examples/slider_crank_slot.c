/* A slider-crank whose slider rattles in a slot with friction.
 *
 * Problem   Crank, rod and slider are three planar bodies, held by three ideal hinges; the slider
 *           has play in its slot and touches it with four corners (Breuling et al. 2024, section
 *           5.2). With S_i = (x_i, y_i), e_i = (cos phi_i, sin phi_i):
 *             q = (x1, y1, phi1, x2, y2, phi2, x3, y3, phi3),  M diagonal,  f_y = -m_i g
 *             hinges  S1 = l1/2 e1,  S1 + l1/2 e1 = S2 - l2/2 e2,  S2 + l2/2 e2 = S3
 *           A corner c = (c_x, c_y) of the slider stands at S3 + R(phi3) c; its gap and slip are
 *             upper corners  d/2 - y,  lower corners  d/2 + y,  slip = its velocity along x
 *           with mu = 0.01 and restitution 0.4.
 * Outcome   Starts with the slider tilted by 0.017 rad: it hits the slot again and again, and
 *           after some 10 ms its upper or lower corners lie flat on the slot. */
#include <math.h>
#include "examples/program.h"

static const double l1 = 0.153, l2 = 0.306, a = 0.05, b = 0.025, d = 0.052; /* m */
static const double m1 = 0.038, m2 = 0.038, m3 = 0.076;                     /* kg */
static const double I1 = 7.4e-5, I2 = 5.9e-4, I3 = 2.7e-6;                  /* kg m^2 */
static const double g = 9.81, mu = 0.01, restitution = 0.4;                 /* m/s^2 */

enum { X1, Y1, PHI1, X2, Y2, PHI2, X3, Y3, PHI3, COORDINATES };

/* Corners of the slider in its own frame: upper left, upper right, lower left, lower right. */
static double corner_x(int row) {
    return row % 2 ? a : -a;
}
static double corner_y(int row) {
    return row < 2 ? b : -b;
}

static void hinges(const void* context, double t, const double* q, double* value) {
    (void)context, (void)t;
    double c1 = l1 / 2 * cos(q[PHI1]), s1 = l1 / 2 * sin(q[PHI1]);
    double c2 = l2 / 2 * cos(q[PHI2]), s2 = l2 / 2 * sin(q[PHI2]);
    value[0] = q[X1] - c1;
    value[1] = q[Y1] - s1;
    value[2] = q[X1] + c1 - q[X2] + c2;
    value[3] = q[Y1] + s1 - q[Y2] + s2;
    value[4] = q[X2] + c2 - q[X3];
    value[5] = q[Y2] + s2 - q[Y3];
}

static void hinges_jacobian(const void* context, double t, const double* q, double* dg) {
    (void)context, (void)t;
    const double angle[2] = {q[PHI1], q[PHI2]}, half[2] = {l1 / 2, l2 / 2};
    for (int row = 0; row < 6; row++) {
        double* dg_row = dg + row * COORDINATES;
        int axis = row % 2, after = row / 2, before = after - 1; /* the bodies that it joins */
        if (before >= 0) dg_row[3 * before + axis] = 1;
        dg_row[3 * after + axis] = before >= 0 ? -1 : 1;
        for (int body = 0; body < 2; body++) {
            double turn = half[body] * (axis ? cos(angle[body]) : -sin(angle[body]));
            if (body == before || body == after) dg_row[3 * body + 2] = row < 2 ? -turn : turn;
        }
    }
}

static void gaps(const void* context, double t, const double* q, double* value) {
    (void)context, (void)t;
    for (int row = 0; row < 4; row++) {
        double y = q[Y3] + corner_x(row) * sin(q[PHI3]) + corner_y(row) * cos(q[PHI3]);
        value[row] = row < 2 ? d / 2 - y : d / 2 + y;
    }
}

static void gaps_jacobian(const void* context, double t, const double* q, double* dg) {
    (void)context, (void)t;
    for (int row = 0; row < 4; row++) {
        double sign = row < 2 ? -1 : 1;
        dg[row * COORDINATES + Y3] = sign;
        dg[row * COORDINATES + PHI3] =
            sign * (corner_x(row) * cos(q[PHI3]) - corner_y(row) * sin(q[PHI3]));
    }
}

static void slip(const void* context, double t, const double* q, int row, double* G, double* chi) {
    (void)context, (void)t, (void)chi;
    G[X3] = 1;
    G[PHI3] = -corner_x(row) * sin(q[PHI3]) - corner_y(row) * cos(q[PHI3]);
}

static Mechanism* create(int number, const ProgramValues* values, FpMessage* message) {
    (void)number, (void)values;
    static const char* const names[] = {"x1", "y1", "phi1", "x2", "y2", "phi2", "x3", "y3", "phi3"};
    Mechanism* crank = mechanism_allocate();
    crank->h = 1e-4;
    crank->t_end = 0.1467;

    const double inertia[] = {m1, m1, I1, m2, m2, I2, m3, m3, I3};
    const double weight[] = {0, -m1 * g, 0, 0, -m2 * g, 0, 0, -m3 * g, 0};
    FpLagrangianDef def = mechanism_def(crank, COORDINATES, names, inertia, weight);
    def.q0 = (const double[]){l1 / 2, 0, 0, l1 + l2 / 2, 0, 0, l1 + l2, 0, 0.017};
    def.v0 = (const double[]){0, 11.475, 150, 0, 11.475, -75, 0, 0, 0};
    def.length = l1 + l2;

    FpRow closed[6], corners[4];
    for (int i = 0; i < 6; i++) closed[i] = (FpRow){.kind = FREEPLAY_ROW_BILATERAL};
    static const char* const labels[] = {"upper left", "upper right", "lower left", "lower right"};
    for (int i = 0; i < 4; i++) corners[i] = mechanism_contact(labels[i], restitution, mu, 1);
    FpLagrangianRowsDef rows[2] = {fp_lagrangian_rows_def_default(),
                                   fp_lagrangian_rows_def_default()};
    rows[0].name = "hinges";
    rows[0].row_count = 6;
    rows[0].rows = closed;
    rows[0].value = hinges;
    rows[0].jacobian = hinges_jacobian;
    rows[1].name = "slot";
    rows[1].row_count = 4;
    rows[1].rows = corners;
    rows[1].value = gaps;
    rows[1].jacobian = gaps_jacobian;
    rows[1].slip = slip;
    return mechanism_finish(crank, &def, 2, rows, message);
}

const Program slider_crank_slot = {
    .name = "slider_crank_slot",
    .about = "A slider-crank whose slider has play and friction in its slot.",
    .create = create,
};
