/* The mechanisms of the nonsmooth examples: the derivatives that they give are those of their gaps,
 * slip is what moves along the surface, and numbers of the papers. */
#include <math.h>
#include <string.h>
#include "tests/support.h"
#include "examples/program.h"

enum { Q_MAX = 9, ROWS_MAX = 6, ALL = 6 };

static const Program* const programs[ALL] = {&bouncing_ball, &slider_crank_slot, &mass_on_slope,
                                             &tippedisk,     &cam_follower,      &painleve_rod};

static Mechanism* mechanism_of(const Program* program, int number) {
    FpMessage message = {0};
    Mechanism* mechanism = program_mechanism(program, number, &message);
    if (!mechanism) fail_msg("%s: %s %s", program->name, message.field, message.text);
    return mechanism;
}

typedef struct Place {
    double t, q[Q_MAX];
} Place;

/* Off the start, where no derivative vanishes by symmetry. */
static Place place_off(const FpSystem* system) {
    Place place = {.t = 0.013};
    for (int i = 0; i < system->q_count; i++)
        place.q[i] = system->q_initial[i] + 0.02 * sin(1 + 2 * i) * system->scales.length;
    return place;
}

/* d/dx of rows, where x is part of the place, by central differences of 4th order. */
typedef void Rows(const FpConstraint* c, double t, const double* const q[], double* out);
static void difference(Rows* rows, const FpConstraint* c, const Place* place, double* x, int count,
                       double* out) {
    static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
    const double delta = 1e-3, start = *x;
    double value[ROWS_MAX * Q_MAX];
    for (int i = 0; i < count; i++) out[i] = 0;
    for (int k = 0; k < 4; k++) {
        *x = start + at[k] * delta;
        memset(value, 0, sizeof value);
        rows(c, place->t, (const double* const[]){place->q}, value);
        for (int i = 0; i < count; i++) out[i] += weight[k] * value[i] / (12 * delta);
    }
    *x = start;
}

static void check_jacobian(const FpSystem* system, const FpConstraint* c, Place* place) {
    int n = system->q_count, m = c->row_count;
    double J[ROWS_MAX * Q_MAX] = {0}, expected[ROWS_MAX];
    c->ops->jacobian(c, place->t, (const double* const[]){place->q}, J);
    for (int j = 0; j < n; j++) {
        difference(c->ops->value, c, place, &place->q[j], m, expected);
        for (int i = 0; i < m; i++) assert_near(J[i * n + j], expected[i], 1e-8);
    }
}

static void check_hessian(const FpSystem* system, const FpConstraint* c, Place* place) {
    int n = system->q_count, m = c->row_count;
    double expected[ROWS_MAX * Q_MAX];
    for (int row = 0; row < m; row++) {
        double weight[ROWS_MAX] = {0}, H[Q_MAX * Q_MAX] = {0};
        weight[row] = 1;
        c->ops->hessian(c, place->t, (const double* const[]){place->q}, weight, H);
        for (int j = 0; j < n; j++) {
            difference(c->ops->jacobian, c, place, &place->q[j], m * n, expected);
            for (int i = 0; i < n; i++) assert_near(H[i * n + j], expected[row * n + i], 1e-5);
        }
    }
}

static void check_rate(const FpConstraint* c, Place* place) {
    double rate[ROWS_MAX] = {0}, rate2[ROWS_MAX] = {0}, J_t[ROWS_MAX * Q_MAX] = {0};
    double expected[ROWS_MAX];
    c->ops->rate(c, place->t, (const double* const[]){place->q}, rate, rate2, J_t);
    difference(c->ops->value, c, place, &place->t, c->row_count, expected);
    for (int i = 0; i < c->row_count; i++)
        assert_near(rate[i], expected[i], 1e-5 * (1 + fabs(rate[i])));
}

static void derivatives_of_all_mechanisms_match_differences(void** unused) {
    (void)unused;
    for (int k = 0; k < ALL; k++) {
        Mechanism* mechanism = mechanism_of(programs[k], 0);
        const FpSystem* system = fp_lagrangian_system(mechanism->lagrangian);
        for (int i = 0; i < system->constraint_count; i++) {
            const FpConstraint* c = system->constraints[i];
            Place place = place_off(system);
            check_jacobian(system, c, &place);
            check_hessian(system, c, &place);
            if (c->ops->rate) check_rate(c, &place);
        }
        mechanism_free(mechanism);
    }
}

/* The start of the paper turns about the vertical through the contact point: no slip there, and the
 * drilling velocity 3 pi/16 R w_z with w_z = 60 rad/s. */
static void tippedisk_starts_without_slip_and_drills(void** unused) {
    (void)unused;
    Mechanism* disk = mechanism_of(&tippedisk, 0);
    const FpSystem* system = fp_lagrangian_system(disk->lagrangian);
    const double* q = system->q_initial;
    double G[18] = {0}, chi[3] = {0};
    system->constraints[0]->ops->slip(system->constraints[0], 0, (const double* const[]){q}, 0, G,
                                      chi);
    double gamma[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 6; j++) gamma[i] += G[6 * i + j] * system->v_initial[j];
    assert_near(gamma[0], 0, 1e-15);
    assert_near(gamma[1], 0, 1e-15);
    assert_near(gamma[2], 3 * 3.14159265358979323846 / 16 * 1e-3 * 60, 1e-15);
    mechanism_free(disk);
}

/* Facts cam002.junction.*: c and dc/dx where the arcs meet, per radian. */
static void arcs_of_the_cam_meet(void** unused) {
    (void)unused;
    static const struct {
        double x, c, dc, d2c_before, d2c_after;
    } junctions[] = {
        {0, 0.1, 0, 0, 0.21176470588235294},
        {1.050328174371336, 0.2312555620187267, 0.27470212713233416, 0.341597100028418,
         -1.8692125768492496},
        {1.22173047639603, 0.25393320723821006, 0, -1.4916801133031883, 0},
    };
    Mechanism* cam = mechanism_of(&cam_follower, 0);
    const FpSystem* system = fp_lagrangian_system(cam->lagrangian);
    const FpConstraint* row = system->constraints[0];
    double w = 2 * 3.14159265358979323846 * 358 / 60, u = 0;
    const double* const q[] = {&u};
    for (int k = 0; k < 3; k++)
        for (int after = 0; after < 2; after++) {
            double turn = 2 * 3.14159265358979323846, gap, rate = 0, rate2 = 0, J_t = 0;
            double t = (turn + junctions[k].x + (after ? 1e-9 : -1e-9)) / w;
            row->ops->value(row, t, q, &gap);
            row->ops->rate(row, t, q, &rate, &rate2, &J_t);
            assert_near(-gap, junctions[k].c, 1e-7);
            assert_near(-rate / w, junctions[k].dc, 1e-7);
            assert_near(-rate2 / (w * w), after ? junctions[k].d2c_after : junctions[k].d2c_before,
                        1e-7);
        }
    mechanism_free(cam);
}

static void every_case_can_be_built(void** unused) {
    (void)unused;
    for (int k = 0; k < ALL; k++)
        for (int number = 0;
             number < PROGRAM_CASES && (number == 0 || programs[k]->cases[number].name); number++) {
            Mechanism* mechanism = mechanism_of(programs[k], number);
            assert_true(mechanism->h > 0 && mechanism->t_end > mechanism->h);
            mechanism_free(mechanism);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_of_all_mechanisms_match_differences),
        cmocka_unit_test(tippedisk_starts_without_slip_and_drills),
        cmocka_unit_test(arcs_of_the_cam_meet),
        cmocka_unit_test(every_case_can_be_built),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
