/* A rod that slides on its end, jams and takes an impact without a collision.
 *
 * Problem   A slender rod (mass m, length L) stands on a rough floor at an angle of 1 rad and its
 *           lower end slides away below it at 1 m/s. With c = cos phi, s = sin phi:
 *             q = (x, y, phi) of its centre,  M = diag(m, m, m L^2/12),  f = (0, -m g, 0)
 *             gap  y - L/2 s,  slip  v_x + L/2 s v_phi of the end,  restitution 0
 *           While it slides so, gap'' = lambda/m (1 + 3 c (c - mu s)) - g.
 *           Case 1  mu = 1.6: above 4/3 the bracket can be negative, and is here: no force stops
 *                   the end from sinking in (Painleve's paradox); only a jump of velocity does
 *           Case 2  mu = 1.2: the bracket is positive, the rod slides
 * Outcome   Case 1 sticks within the first step: the impulses (0.3410, 0.4689) N s stop the end.
 *           Case 2 slides under a normal force of 41.0 N at first. */
#include <math.h>
#include "examples/program.h"

static const double m = 1, L = 1, g = 9.81; /* kg, m, m/s^2 */

/* Both ends: the lower one touches first, the upper one when the rod has fallen over. */
static void gap(const void* context, double t, const double* q, double* value) {
    (void)context, (void)t;
    value[0] = q[1] - L / 2 * sin(q[2]);
    value[1] = q[1] + L / 2 * sin(q[2]);
}

static void gap_jacobian(const void* context, double t, const double* q, double* dg) {
    (void)context, (void)t;
    dg[1] = dg[4] = 1;
    dg[2] = -L / 2 * cos(q[2]);
    dg[5] = L / 2 * cos(q[2]);
}

static void gap_hessian(const void* context, double t, const double* q, const double* weight,
                        double* H) {
    (void)context, (void)t;
    H[8] += (weight[0] - weight[1]) * L / 2 * sin(q[2]);
}

static void slip(const void* context, double t, const double* q, int row, double* G, double* chi) {
    (void)context, (void)t, (void)chi;
    G[0] = 1;
    G[2] = (row ? -L : L) / 2 * sin(q[2]);
}

static Mechanism* create(int number, const ProgramValues* values, FpMessage* message) {
    (void)values;
    static const char* const names[] = {"x", "y", "phi"};
    const double mu = number ? 1.2 : 1.6;
    Mechanism* rod = mechanism_allocate();
    rod->h = 1e-3;
    rod->t_end = 1;

    const double inertia[] = {m, m, m * L * L / 12}, weight[] = {0, -m * g, 0};
    FpLagrangianDef def = mechanism_def(rod, 3, names, inertia, weight);
    def.q0 = (const double[]){0, L / 2 * sin(1), 1};
    def.v0 = (const double[]){-1, 0, 0};

    const FpRow rows[] = {mechanism_contact("lower end", 0, mu, 1),
                          mechanism_contact("upper end", 0, mu, 1)};
    FpLagrangianRowsDef ends = fp_lagrangian_rows_def_default();
    ends.name = "floor";
    ends.row_count = 2;
    ends.rows = rows;
    ends.value = gap;
    ends.jacobian = gap_jacobian;
    ends.hessian = gap_hessian;
    ends.slip = slip;
    return mechanism_finish(rod, &def, 1, &ends, message);
}

const Program painleve_rod = {
    .name = "painleve_rod",
    .about = "A rod slides on its lower end over a rough floor: Painleve's paradox.",
    .cases = {{"1", "mu = 1.6, above the critical 4/3: jams with an impulse at once"},
              {"2", "mu = 1.2, below: slides"}},
    .create = create,
};
