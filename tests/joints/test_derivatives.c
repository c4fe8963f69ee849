/* What holds for the rows of every joint in every variant: derivatives of first and second order,
 * the true gap beside psi, rates, and normals of unit length. */
#include "tests/joints/variants.h"

enum { ROWS_MAX = 32, WIDTH_MAX = 28, CONFIGURATIONS = 50 };

/* A constraint at one configuration of its own blocks. */
typedef struct Sample {
    const FpConstraint* c;
    int width, block_count, at[FREEPLAY_CONSTRAINT_BLOCKS + 1];
    double q[WIDTH_MAX], t, jump;
    const double* blocks[FREEPLAY_CONSTRAINT_BLOCKS];
    const char* where; /* for people */
} Sample;

typedef void (*Check)(Sample* sample);

static int block_width(const FpSystem* system, int block) {
    return block < 0 ? FREEPLAY_GROUND_WIDTH : system->blocks[block].q_count;
}

/* Any configuration: Euler parameters are not normalized, and ground moves; or a possible one. */
static void randomize(Sample* s, bool possible) {
    static const double ground[FREEPLAY_GROUND_WIDTH] = {0, 0, 0, 1, 0, 0, 0};
    for (int b = 0; b < s->block_count; b++) {
        double* q = s->q + s->at[b];
        int n = s->at[b + 1] - s->at[b];
        for (int i = 0; i < n; i++) q[i] = scene_random();
        if (n == 3) q[2] *= 6;
        if (n != 7) continue;
        q[3] += 1;
        double norm = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
        for (int i = 3; possible && i < 7; i++) q[i] /= norm;
        if (possible && s->c->blocks[b] < 0) memcpy(q, ground, sizeof ground);
    }
    s->t = 0.9 * scene_random(); /* within the tables of drivers */
}

static void check_variant(const Variant* variant, const Pair* pair, bool possible, Check check) {
    FpWorld* world;
    char where[128];
    snprintf(where, sizeof where, "%s, %s", variant->name, pair->name);
    Sample s = {.c = variant_build(variant, pair, &world), .jump = variant->jump, .where = where};
    s.block_count = s.c->block_count;
    for (int b = 0; b < s.block_count; b++) {
        s.blocks[b] = s.q + s.at[b];
        s.at[b + 1] = s.at[b] + block_width(fp_world_system(world), s.c->blocks[b]);
    }
    s.width = s.at[s.block_count];
    assert_int_equal(s.width, fp_constraint_width(fp_world_system(world), s.c));
    assert_true(s.width <= WIDTH_MAX && s.c->row_count <= ROWS_MAX && s.c->row_count > 0);
    srand(7);
    for (int k = 0; k < CONFIGURATIONS; k++) {
        randomize(&s, possible);
        check(&s);
    }
    fp_world_destroy(world);
}

static void check_all(bool possible, Check check) {
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (int p = 0; p < PAIR_COUNT; p++)
            if (variant_takes(&variants[v], p))
                check_variant(&variants[v], &pairs[p], possible, check);
}

/* Differences ---------------------------------------------------------------------------------- */

typedef void (*Function)(const Sample* s, double* out);

static void psi_of(const Sample* s, double* out) {
    s->c->ops->value(s->c, s->t, s->blocks, out);
}
static void jacobian_of(const Sample* s, double* out) {
    s->c->ops->jacobian(s->c, s->t, s->blocks, out);
}
static void gap_of(const Sample* s, double* out) {
    s->c->ops->gap(s->c, s->t, s->blocks, out, NULL);
}
static void psi_t_of(const Sample* s, double* out) {
    double psi_tt[ROWS_MAX], J_t[ROWS_MAX * WIDTH_MAX] = {0};
    s->c->ops->rate(s->c, s->t, s->blocks, out, psi_tt, J_t);
}

/* (f(x + step) - f(x - step))/(2 step) of n values; x points into the sample. Values that jump are
 * compared without jumps. */
static void difference(Sample* s, Function f, double* x, int n, double jump, double step,
                       double* out) {
    double ahead[ROWS_MAX * WIDTH_MAX], centre = *x;
    *x = centre + step;
    f(s, ahead);
    *x = centre - step;
    f(s, out);
    *x = centre;
    for (int i = 0; i < n; i++) {
        double rise = ahead[i] - out[i];
        out[i] = (jump != 0 ? remainder(rise, jump) : rise) / (2 * step);
    }
}

/* d/dx by differences over three steps, extrapolated twice (Richardson), which leaves an error of
 * order step^6. Near an axis or a pole of an angle the steps must be small, elsewhere large: of
 * several, the one whose extrapolations differ the least counts. */
static void differentiate(Sample* s, Function f, double* x, int n, double jump, double* out) {
    double table[3][ROWS_MAX * WIDTH_MAX], doubt[ROWS_MAX * WIDTH_MAX];
    for (int i = 0; i < n; i++) doubt[i] = INFINITY;
    for (double step = 4e-3; step > 1e-5; step /= 8) {
        for (int k = 0; k < 3; k++) difference(s, f, x, n, jump, step / (1 << k), table[k]);
        for (int i = 0; i < n; i++) {
            double first = (4 * table[1][i] - table[0][i]) / 3;
            double second = (4 * table[2][i] - table[1][i]) / 3;
            if (fabs(second - first) >= doubt[i]) continue;
            doubt[i] = fabs(second - first);
            out[i] = (16 * second - first) / 15;
        }
    }
}

static double largest(const double* x, int n) {
    double size = 0;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

static void assert_derivative(const Sample* s, const char* what, int row, int column, double actual,
                              double expected, double size) {
    if (fabs(actual - expected) <= 1e-7 * size) return;
    fail_msg("%s: %s of row %d (%s), entry %d: %.12g, by differences %.12g; largest is %.3g",
             s->where, what, row, s->c->rows[row].label, column, actual, expected, size);
}

/* Checks --------------------------------------------------------------------------------------- */

static void check_jacobian(Sample* s) {
    double J[ROWS_MAX * WIDTH_MAX], column[ROWS_MAX];
    jacobian_of(s, J);
    for (int j = 0; j < s->width; j++) {
        differentiate(s, psi_of, &s->q[j], s->c->row_count, s->jump, column);
        for (int i = 0; i < s->c->row_count; i++)
            assert_derivative(s, "first derivative", i, j, J[s->width * i + j], column[i],
                              largest(J + s->width * i, s->width));
    }
}

/* Row by row, and all rows with random weights at once. A row that is nearly linear is measured by
 * its gradient. */
static void check_hessian(Sample* s) {
    static double D[WIDTH_MAX][ROWS_MAX * WIDTH_MAX];
    int n = s->width, rows = s->c->row_count;
    double J[ROWS_MAX * WIDTH_MAX];
    jacobian_of(s, J);
    for (int j = 0; j < n; j++) differentiate(s, jacobian_of, &s->q[j], rows * n, 0, D[j]);
    double sum[WIDTH_MAX * WIDTH_MAX] = {0}, all[ROWS_MAX], sum_size = 0;
    for (int i = 0; i < rows; i++) {
        double weight[ROWS_MAX] = {0}, H[WIDTH_MAX * WIDTH_MAX] = {0};
        weight[i] = 1;
        all[i] = scene_random();
        s->c->ops->hessian(s->c, s->t, s->blocks, weight, H);
        double size = fmax(largest(H, n * n), largest(J + n * i, n));
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                assert_derivative(s, "second derivative", i, n * k + j, H[n * k + j],
                                  D[j][n * i + k], size);
        for (int k = 0; k < n * n; k++) sum[k] += all[i] * H[k];
        sum_size += fabs(all[i]) * size;
    }
    double H[WIDTH_MAX * WIDTH_MAX] = {0};
    s->c->ops->hessian(s->c, s->t, s->blocks, all, H);
    for (int k = 0; k < n * n; k++) assert_near(H[k], sum[k], 1e-14 * sum_size);
}

/* dg/dq = kappa dpsi/dq. A contact point on the axis would have no kappa; none is here. */
static void check_gap(Sample* s) {
    if (!s->c->ops->gap) return;
    double J[ROWS_MAX * WIDTH_MAX], g[ROWS_MAX], kappa[ROWS_MAX], psi[ROWS_MAX], column[ROWS_MAX];
    jacobian_of(s, J);
    psi_of(s, psi);
    s->c->ops->gap(s->c, s->t, s->blocks, g, kappa);
    for (int i = 0; i < s->c->row_count; i++) {
        assert_true(kappa[i] > 0);
        assert_true((g[i] >= 0) == (psi[i] >= 0));
    }
    for (int j = 0; j < s->width; j++) {
        differentiate(s, gap_of, &s->q[j], s->c->row_count, 0, column);
        for (int i = 0; i < s->c->row_count; i++)
            assert_derivative(s, "kappa times derivative", i, j, kappa[i] * J[s->width * i + j],
                              column[i], kappa[i] * largest(J + s->width * i, s->width));
    }
}

/* psi_t, psi_tt and J_t against differences in time; rows without rates do not change. */
static void check_rate(Sample* s) {
    double psi_t[ROWS_MAX] = {0}, psi_tt[ROWS_MAX] = {0}, J_t[ROWS_MAX * WIDTH_MAX] = {0};
    double first[ROWS_MAX], second[ROWS_MAX] = {0}, mixed[ROWS_MAX * WIDTH_MAX];
    int rows = s->c->row_count;
    /* Within one piece of the spline of the table: a step must not reach over its knots. */
    if (fabs(s->t - 0.2) < 0.01) s->t += 0.03;
    if (s->c->ops->rate) s->c->ops->rate(s->c, s->t, s->blocks, psi_t, psi_tt, J_t);
    differentiate(s, psi_of, &s->t, rows, s->jump, first);
    if (s->c->ops->rate) differentiate(s, psi_t_of, &s->t, rows, 0, second);
    differentiate(s, jacobian_of, &s->t, rows * s->width, 0, mixed);
    for (int i = 0; i < rows; i++) {
        assert_derivative(s, "rate", i, 0, psi_t[i], first[i], 1);
        assert_derivative(s, "second rate", i, 0, psi_tt[i], second[i], fmax(1, fabs(psi_tt[i])));
    }
    for (int k = 0; k < rows * s->width; k++) assert_near(J_t[k], mixed[k], 0);
}

/* The force of a length row, kappa dpsi/dr, has unit length on each body in space; on those in the
 * plane, too, where the joint is in the plane. */
static void check_normals(Sample* s) {
    if (!s->c->ops->contact) return;
    double J[ROWS_MAX * WIDTH_MAX], g[ROWS_MAX], kappa[ROWS_MAX];
    bool any_in_space = false;
    for (int b = 0; b < 2; b++)
        any_in_space = any_in_space || (s->at[b + 1] - s->at[b] == 7 && s->c->blocks[b] >= 0);
    jacobian_of(s, J);
    s->c->ops->gap(s->c, s->t, s->blocks, g, kappa);
    for (int i = 0; i < s->c->row_count; i++)
        for (int b = 0; b < 2; b++) {
            bool planar = s->at[b + 1] - s->at[b] == 3;
            if (s->c->rows[i].unit != FREEPLAY_ROW_LENGTH || s->c->blocks[b] < 0) continue;
            if (planar && any_in_space) continue;
            const double* w = J + s->width * i + s->at[b];
            double length = kappa[i] * fp_vec3_norm(fp_vec3(w[0], w[1], planar ? 0 : w[2]));
            if (fabs(length - 1) > 1e-13)
                fail_msg("%s: row %d has a normal of length %.15g", s->where, i, length);
        }
}

/* The contact of a row tells its gap and its force direction on the first body. */
static void check_contacts(Sample* s) {
    if (!s->c->ops->contact) return;
    double J[ROWS_MAX * WIDTH_MAX], g[ROWS_MAX], kappa[ROWS_MAX];
    jacobian_of(s, J);
    s->c->ops->gap(s->c, s->t, s->blocks, g, kappa);
    for (int i = 0; i < s->c->row_count; i++) {
        FpContact contact;
        if (s->c->rows[i].unit != FREEPLAY_ROW_LENGTH) continue;
        s->c->ops->contact(s->c, s->t, s->blocks, i, &contact);
        const double* w = J + s->width * i;
        assert_near(contact.gap, g[i], 0);
        assert_near(contact.normal.x, kappa[i] * w[0], 1e-14);
        assert_near(contact.normal.y, kappa[i] * w[1], 1e-14);
        if (s->at[1] == 7) assert_near(contact.normal.z, kappa[i] * w[2], 1e-14);
    }
}

static void first_derivatives_are_those_of_the_values(void** unused) {
    (void)unused;
    check_all(false, check_jacobian);
}
static void second_derivatives_are_those_of_the_first(void** unused) {
    (void)unused;
    check_all(false, check_hessian);
}
static void kappa_leads_from_psi_to_the_gap(void** unused) {
    (void)unused;
    check_all(false, check_gap);
}
static void rates_are_derivatives_in_time(void** unused) {
    (void)unused;
    check_all(false, check_rate);
}
static void forces_have_unit_directions(void** unused) {
    (void)unused;
    check_all(true, check_normals);
}
static void contacts_agree_with_gaps_and_directions(void** unused) {
    (void)unused;
    check_all(true, check_contacts);
}

/* So that no type is forgotten when one is added. */
static void every_joint_type_is_in_the_table(void** unused) {
    (void)unused;
    int type_count;
    const FpJointType* const* types = fp_joint_types(&type_count);
    for (int i = 0; i < type_count; i++) {
        bool found = false;
        for (int v = 0; v < VARIANT_COUNT && !found; v++)
            for (int p = 0; p < PAIR_COUNT && !found; p++) {
                FpWorld* world;
                if (!variant_takes(&variants[v], p)) continue;
                const FpConstraint* c = variant_build(&variants[v], &pairs[p], &world);
                found = strcmp(c->type, types[i]->name) == 0;
                fp_world_destroy(world);
            }
        if (!found) fail_msg("no variant of type '%s'", types[i]->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_joint_type_is_in_the_table),
        cmocka_unit_test(first_derivatives_are_those_of_the_values),
        cmocka_unit_test(second_derivatives_are_those_of_the_first),
        cmocka_unit_test(kappa_leads_from_psi_to_the_gap),
        cmocka_unit_test(rates_are_derivatives_in_time),
        cmocka_unit_test(forces_have_unit_directions),
        cmocka_unit_test(contacts_agree_with_gaps_and_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
