/* A disk with a hole that is spun on its rim and turns its heavy side up.
 *
 * Problem   A disk of radius r whose centre of mass S is off its centre by e rolls, slides and
 *           drills on a floor (Breuling et al. 2024, section 5.4). Its pose is S = (x, y, z) and a
 *           unit quaternion p with the rotation A = (A1 A2 A3), its velocity v_S in the global
 *           frame and w in the body's:
 *             q = (x, y, z, p0, p1, p2, p3),  p' = 1/2 p o (0, w)
 *             M = diag(m, m, m, I),  f = (0, 0, -m g, -w x I w)
 *           With N = |(A13, A23)| = 2 |(p0, p3)| |(p1, p2)| the lowest point C of the rim is at
 *             r_SC = -e A1 - r (e_z - A33 A3)/N,  gap  z - e A31 - r N,  restitution 0
 *             slip  (v_C,x, v_C,y, 3 pi/16 R w_z): Coulomb-Contensou, mu = 0.3, a drilling contact
 *           of radius R = 1 mm. (The paper gives neither mu nor restitution.)
 * Outcome   Spun at 60 rad/s with S below the centre, S rises within 0.5 s to above it. */
#include <math.h>
#include "examples/program.h"

static const double m = 0.435, r = 0.045, e = 0.0025, R = 1e-3, mu = 0.3; /* kg, m */
static const double I1 = 2.49e-4, I2 = 2.2972e-4, I3 = 4.7072e-4;         /* kg m^2 */
static const double g = 9.81, pi = 3.14159265358979323846;                /* m/s^2 */

static void force(const void* context, double t, const double* q, const double* v, double* f) {
    (void)context, (void)t, (void)q;
    const double* w = v + 3;
    f[2] = -m * g;
    f[3] = (I2 - I3) * w[1] * w[2];
    f[4] = (I3 - I1) * w[2] * w[0];
    f[5] = (I1 - I2) * w[0] * w[1];
}

static void kinematics(const void* context, const double* q, double* B) {
    (void)context;
    const double* p = q + 3;
    const double half_turn[4][3] = {
        {-p[1], -p[2], -p[3]}, {p[0], -p[3], p[2]}, {p[3], p[0], -p[1]}, {-p[2], p[1], p[0]}};
    for (int i = 0; i < 3; i++) B[7 * i] = 1;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++) B[6 * (3 + i) + 3 + j] = half_turn[i][j] / 2;
}

static void gap(const void* context, double t, const double* q, double* value) {
    (void)context, (void)t;
    const double* p = q + 3;
    double A31 = 2 * (p[1] * p[3] - p[0] * p[2]);
    double N = 2 * hypot(p[0], p[3]) * hypot(p[1], p[2]);
    value[0] = q[2] - e * A31 - r * N;
}

static void gap_jacobian(const void* context, double t, const double* q, double* dg) {
    (void)context, (void)t;
    const double* p = q + 3;
    const double dA31[4] = {-2 * p[2], 2 * p[3], -2 * p[0], 2 * p[1]};
    double ratio = hypot(p[1], p[2]) / hypot(p[0], p[3]);
    dg[2] = 1;
    for (int i = 0; i < 4; i++) {
        double dN = 2 * p[i] * (i == 0 || i == 3 ? ratio : 1 / ratio);
        dg[3 + i] = -e * dA31[i] - r * dN;
    }
}

static void rotation(const double p[4], double A[3][3]) {
    const double n[3] = {p[1], p[2], p[3]}; /* A = (p0^2 - n.n) I + 2 n n^T + 2 p0 skew(n) */
    double diagonal = p[0] * p[0] - n[0] * n[0] - n[1] * n[1] - n[2] * n[2];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        A[i][i] = diagonal + 2 * n[i] * n[i];
        A[i][j] = 2 * (n[i] * n[j] - p[0] * n[k]);
        A[i][k] = 2 * (n[i] * n[k] + p[0] * n[j]);
    }
}

static void slip(const void* context, double t, const double* q, int row, double* G, double* chi) {
    (void)context, (void)t, (void)row, (void)chi;
    double A[3][3], r_SC[3];
    rotation(q + 3, A);
    double N = hypot(A[0][2], A[1][2]);
    for (int i = 0; i < 3; i++) r_SC[i] = -e * A[i][0] - r * ((i == 2) - A[2][2] * A[i][2]) / N;
    G[0] = G[7] = 1;
    for (int j = 0; j < 3; j++) { /* A_j x r_SC is the velocity of C that w_j causes */
        G[3 + j] = A[1][j] * r_SC[2] - A[2][j] * r_SC[1];
        G[9 + j] = A[2][j] * r_SC[0] - A[0][j] * r_SC[2];
        G[15 + j] = 3 * pi / 16 * R * A[2][j];
    }
}

static Mechanism* create(int number, const ProgramValues* values, FpMessage* message) {
    (void)number, (void)values;
    static const char* const q_names[] = {"x", "y", "z", "p0", "p1", "p2", "p3"};
    static const char* const v_names[] = {"v_x", "v_y", "v_z", "w_x", "w_y", "w_z"};
    Mechanism* disk = mechanism_allocate();
    disk->h = 1e-3;
    disk->t_end = 1.5;

    const double inertia[] = {m, m, m, I1, I2, I3}, weight[] = {0, 0, -m * g, 0, 0, 0};
    FpLagrangianDef def = mechanism_def(disk, 6, q_names, inertia, weight);
    def.q_count = 7;
    def.v_names = v_names;
    def.q0 = (const double[]){0, 0, r - e, 0.5, 0.5, 0.5, -0.5};
    def.v0 = (const double[]){e - r, 0, 0, -60, 0, 1};
    def.length = r;
    def.force = force;
    def.kinematics = kinematics;

    FpRow row = mechanism_contact("rim on floor", 0, mu, 3);
    FpLagrangianRowsDef contact = fp_lagrangian_rows_def_default();
    contact.name = "floor";
    contact.row_count = 1;
    contact.rows = &row;
    contact.value = gap;
    contact.jacobian = gap_jacobian;
    contact.slip = slip;
    return mechanism_finish(disk, &def, 1, &contact, message);
}

const Program tippedisk = {
    .name = "tippedisk",
    .about = "An eccentric disk spins on its rim and turns its heavy side up.",
    .create = create,
};
