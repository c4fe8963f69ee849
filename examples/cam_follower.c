/* A valve follower that a spring presses on a turning cam, and that the cam throws off.
 *
 * Problem   A mass m on a spring k above a cam (notes of the Siconos developers, chapter 10):
 *             q = u,  m u'' = -k u + lambda,  gap u - c(w t),  restitution 0.8
 *           The cam's profile c(x) is a circular arc of radius rho1 (flank), one of rho3 (nose),
 * the circle rho2 (top), the same mirrored, then the base circle for x > pi: flank  -k1 cos x +
 * sqrt(rho1^2 - k1^2 sin^2 x) - offset,             x < beta2 nose   k2 cos z + sqrt(rho3^2 - k2^2
 * sin^2 z) - offset, z = beta3 - x, x < beta3 The row depends on time: dc/dt = w c', d2c/dt2 = w^2
 * c''. Case A  starts on the base circle at rest Case B  starts 0.4 m above it, moving away at 0.4
 * m/s Outcome   Above 115 rpm the follower leaves the cam where the nose begins: at 358 rpm at
 *           0.02802 s, and comes back with 12.5303 m/s at 0.09286 s. At 660 rpm the motion is
 *           chaotic: --section writes where it is once per turn. */
#include <math.h>
#include "examples/cam_section.h"
#include "examples/program.h"

static const double m = 1.221, k = 1430.8, restitution = 0.8; /* kg, N/m */
static const double k1 = 0.45, rho1 = 0.85, k2 = 0.40393320723821, rho3 = 0.15;
static const double rho2 = 0.55393320723821, base = 0.1, offset = 0.3; /* m */
static const double beta2 = 1.050328174371336, beta3 = 1.22173047639603;
static const double pi = 3.14159265358979323846;

/* c, c' and c'' of an arc about a point at the distance s k from the axis, s = 1 or -1. */
static void arc(double s, double z, double arm, double radius, double c[3]) {
    double sine = arm * sin(z), cosine = arm * cos(z), root = sqrt(radius * radius - sine * sine);
    c[0] = s * cosine + root - offset;
    c[1] = -s * sine - sine * cosine / root;
    c[2] = -s * cosine + (sine * sine - cosine * cosine) / root -
           sine * sine * cosine * cosine / (root * root * root);
}

/* c, c' and c'' at the angle x of the cam. */
static void profile(double angle, double c[3]) {
    double turn = fmod(angle, 2 * pi), x = turn <= pi ? fmin(turn, pi - turn) : turn;
    c[1] = c[2] = 0;
    if (x > pi) {
        c[0] = base;
    } else if (x < beta2) {
        arc(-1, x, k1, rho1, c);
    } else if (x < beta3) {
        arc(1, beta3 - x, k2, rho3, c);
        c[1] = -c[1];
    } else {
        c[0] = rho2 - offset;
    }
    if (turn <= pi && turn > pi / 2) c[1] = -c[1];
}

static double speed_of(const void* context) {
    return ((const Mechanism*)context)->parameter; /* rad/s */
}

static void force(const void* context, double t, const double* q, const double* v, double* f) {
    (void)context, (void)t, (void)v;
    f[0] = -k * q[0];
}

static double potential_energy(const void* context, double t, const double* q) {
    (void)context, (void)t;
    return k * q[0] * q[0] / 2;
}

static void gap(const void* context, double t, const double* q, double* value) {
    double c[3];
    profile(speed_of(context) * t, c);
    value[0] = q[0] - c[0];
}

static void gap_jacobian(const void* context, double t, const double* q, double* dg) {
    (void)context, (void)t, (void)q;
    dg[0] = 1;
}

static void gap_rate(const void* context, double t, const double* q, double* g_t, double* g_tt,
                     double* dg_t) {
    (void)q, (void)dg_t;
    double c[3], w = speed_of(context);
    profile(w * t, c);
    g_t[0] = -w * c[1];
    g_tt[0] = -w * w * c[2];
}

enum { RPM, SECTION };

static Mechanism* create(int number, const ProgramValues* values, FpMessage* message) {
    static const char* const names[] = {"u"};
    Mechanism* cam = mechanism_allocate();
    cam->h = 1e-4;
    cam->t_end = 1;
    cam->parameter = 2 * pi * values->number[RPM] / 60;

    FpLagrangianDef def = mechanism_def(cam, 1, names, &m, &(double){0});
    def.q0 = (const double[]){number ? base + 0.4 : base};
    def.v0 = (const double[]){number ? 0.4 : 0};
    def.length = rho2;
    def.force = force;
    def.potential_energy = potential_energy;

    FpRow row = mechanism_contact("follower on cam", restitution, 0, 0);
    FpLagrangianRowsDef contact = fp_lagrangian_rows_def_default();
    contact.name = "cam";
    contact.context = cam;
    contact.row_count = 1;
    contact.rows = &row;
    contact.value = gap;
    contact.jacobian = gap_jacobian;
    contact.rate = gap_rate;
    return mechanism_finish(cam, &def, 1, &contact, message);
}

static FpStatus write_section(Mechanism* cam, const FpStepperDef* def, double t_end,
                              const ProgramValues* values, FpMessage* message) {
    CamSection section = {
        .turn = 60 / values->number[RPM], .t_end = t_end, .file = values->file[SECTION]};
    return cam_section_write(cam, def, &section, message);
}

const Program cam_follower = {
    .name = "cam_follower",
    .about = "A spring presses a follower on a turning cam, which throws it off: one freedom, one\n"
             "unilateral row that moves with time, restitution 0.8.",
    .cases = {{"A", "starts on the base circle at rest"},
              {"B", "starts 0.4 m above it, moving away at 0.4 m/s"}},
    .options = {{"rpm", "N", "turns of the cam per minute", 358, false},
                {"section", "FILE",
                 "writes position and velocity once per turn of the cam to FILE (CSV) and\n"
                 "FILE.svg, and nothing else; try --rpm 660 --t-end 200",
                 0, true}},
    .create = create,
    .write_file = write_section,
};
