/* A point mass falls and slides on a curved slope until it sticks.
 *
 * Problem   A point mass under gravity on the curve y = exp(-x) (Breuling et al. 2024, section
 *           5.3), mu = 0.3, restitution 0. With E = exp(-x), s = sqrt(1 + E^2):
 *             q = (x, y),  M = m I,  f = (0, -m g)
 *             normal n = (E, 1)/s,  tangent t = (1, -E)/s
 *             gap  n.(q - (x, E)) = (y - E)/s,  slip  t.v
 *           Off the curve the gradient of the gap is n and a part along x: forces act along it.
 *           Case 1  on the slope, at rest;  2  slides down;  3  slides up at first
 *           Case 4  falls on the slope from 0.5 m above it
 * Outcome   Cases 1 and 4 stick at 2.09735 s, x = 2.84918 m and 2.18788 s, x = 3.16387 m; the
 *           impact of case 4 is at 0.31623 s. freeplay_bench_orders measures the order of
 *           convergence on it. */
#include <math.h>
#include "examples/program.h"

static const double m = 3.14159265358979323846, g = 10, mu = 0.3; /* kg, m/s^2 */

static void gap(const void* context, double t, const double* q, double* value) {
    (void)context, (void)t;
    double E = exp(-q[0]), s = sqrt(1 + E * E);
    value[0] = (q[1] - E) / s;
}

static void gap_jacobian(const void* context, double t, const double* q, double* dg) {
    (void)context, (void)t;
    double E = exp(-q[0]), s = sqrt(1 + E * E);
    dg[0] = E / s + (q[1] - E) * E * E / (s * s * s);
    dg[1] = 1 / s;
}

static void gap_hessian(const void* context, double t, const double* q, const double* weight,
                        double* H) {
    (void)context, (void)t;
    double E = exp(-q[0]), E2 = E * E, s = sqrt(1 + E2), s3 = s * s * s;
    double cross = E2 / s3;
    H[0] += weight[0] * (-E / s + 2 * E * cross + (q[1] - E) * cross * (3 * E2 / (s * s) - 2));
    H[1] += weight[0] * cross;
    H[2] += weight[0] * cross;
}

static void slip(const void* context, double t, const double* q, int row, double* G, double* chi) {
    (void)context, (void)t, (void)row, (void)chi;
    double E = exp(-q[0]), s = sqrt(1 + E * E);
    G[0] = 1 / s;
    G[1] = -E / s;
}

static Mechanism* create(int number, const ProgramValues* values, FpMessage* message) {
    (void)values;
    static const char* const names[] = {"x", "y"};
    static const double height[] = {1, 1, 1, 1.5}, speed[] = {0, 1, -1, 0};
    Mechanism* slope = mechanism_allocate();
    slope->h = 1e-2;
    slope->t_end = 3.28;

    const double inertia[] = {m, m}, weight[] = {0, -m * g};
    FpLagrangianDef def = mechanism_def(slope, 2, names, inertia, weight);
    def.q0 = (const double[]){0, height[number]};
    def.v0 = (const double[]){speed[number] / sqrt(2), -speed[number] / sqrt(2)};

    FpRow row = mechanism_contact("mass on slope", 0, mu, 1);
    FpLagrangianRowsDef contact = fp_lagrangian_rows_def_default();
    contact.name = "slope";
    contact.row_count = 1;
    contact.rows = &row;
    contact.value = gap;
    contact.jacobian = gap_jacobian;
    contact.hessian = gap_hessian;
    contact.slip = slip;
    return mechanism_finish(slope, &def, 1, &contact, message);
}

const Program mass_on_slope = {
    .name = "mass_on_slope",
    .about = "A point mass falls and slides on the curve y = exp(-x) with friction.",
    .cases = {{"1", "starts at rest on the slope"},
              {"2", "starts on the slope, 1 m/s downwards"},
              {"3", "starts on the slope, 1 m/s upwards"},
              {"4", "falls from 0.5 m above the slope"}},
    .create = create,
};
