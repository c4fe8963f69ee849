/* A ball that bounces, slides and rolls.
 *
 * Problem   A homogeneous ball of radius R falls on a plane floor, spinning about the horizontal
 *           axis z (Breuling et al. 2024, section 5.1).
 *             q = (x, y, phi),  M = diag(m, m, 2/5 m R^2),  f = (0, -m g, 0)
 *             gap  y - R,  slip  v_x + R v_phi,  mu = 0.2
 *           Case 1  no spin, restitution 1/2: infinitely many bounces until 1.28506 s
 *           Case 2  spin 50 rad/s, restitution 0: slides after the impact, then rolls
 *           Case 3  spin 10 rad/s, restitution 0: rolls from the impact on
 * Outcome   First impact at sqrt(2 (1 - R)/g) = 0.42835 s with 4.20214 m/s. Case 1 passes its
 *           accumulation of bounces in steps of 10 ms and rests without penetration; case 2 rolls
 *           from 0.72812 s on with v_x = -10/7 m/s. */
#include <math.h>
#include "examples/program.h"

static const double m = 1, R = 0.1, g = 9.81, mu = 0.2; /* kg, m, m/s^2 */

static void gap(const void* context, double t, const double* q, double* value) {
    (void)context, (void)t;
    value[0] = q[1] - R;
}

static void gap_jacobian(const void* context, double t, const double* q, double* dg) {
    (void)context, (void)t, (void)q;
    dg[1] = 1;
}

static void gap_hessian(const void* context, double t, const double* q, const double* weight,
                        double* H) {
    (void)context, (void)t, (void)q, (void)weight, (void)H; /* it is linear */
}

static void slip(const void* context, double t, const double* q, int row, double* G, double* chi) {
    (void)context, (void)t, (void)q, (void)row, (void)chi;
    G[0] = 1;
    G[2] = R;
}

static Mechanism* create(int number, const ProgramValues* values, FpMessage* message) {
    (void)values;
    static const char* const names[] = {"x", "y", "phi"};
    static const double spin[] = {0, 50, 10}, restitution[] = {0.5, 0, 0},
                        end[] = {1.5, 1.11, 1.11};
    Mechanism* ball = mechanism_allocate();
    ball->h = 1e-2;
    ball->t_end = end[number];

    const double inertia[] = {m, m, 2 * m * R * R / 5}, weight[] = {0, -m * g, 0};
    FpLagrangianDef def = mechanism_def(ball, 3, names, inertia, weight);
    def.q0 = (const double[]){0, 1, 0};
    def.v0 = (const double[]){0, 0, spin[number]};

    FpRow row = mechanism_contact("ball on floor", restitution[number], mu, 1);
    FpLagrangianRowsDef floor_rows = fp_lagrangian_rows_def_default();
    floor_rows.name = "floor";
    floor_rows.row_count = 1;
    floor_rows.rows = &row;
    floor_rows.value = gap;
    floor_rows.jacobian = gap_jacobian;
    floor_rows.hessian = gap_hessian;
    floor_rows.slip = slip;
    return mechanism_finish(ball, &def, 1, &floor_rows, message);
}

const Program bouncing_ball = {
    .name = "bouncing_ball",
    .about = "A ball falls on a floor with friction and bounces, slides or rolls.",
    .cases = {{"1", "no spin, restitution 1/2: infinitely many bounces in finite time"},
              {"2", "spin 50 rad/s, restitution 0: slides, then rolls"},
              {"3", "spin 10 rad/s, restitution 0: rolls from the impact on"}},
    .create = create,
};
