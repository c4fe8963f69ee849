/* Mechanisms of several joints: redundant rows and contacts, planar and spatial twins, gears,
 * drivers, contacts; against closed forms and each other. */
#include "tests/examples/model_run.h"

/* Rows 5, 9 of the block touch the floor of the guide at its back, 13, 17 at its front... found by
 * their forces. */
static int pushing_rows(const FpState* state, int rows[16]) {
    int count = 0;
    for (int i = 0; i < state->row_count; i++)
        if (state->lambda[i] > 0) rows[count++] = i;
    return count;
}

/* Four corners carry a block that three could carry: a quarter of the weight each, in every step
 * the same. */
static void resting_block_shares_its_weight(void** unused) {
    (void)unused;
    ModelRun* run = model_run_fixed("tests/models/box_in_guide", NULL, 1e-3, 0.02);
    int rows[16];
    assert_int_equal(pushing_rows(run->state, rows), 4);
    double quarter = (2 * 9.81 + 10) / 4;
    for (int k = 0; k < 4; k++) assert_near(run->state->lambda[rows[k]], quarter, 1e-9);
    model_run_free(run);
}

/* Off centre by (x, z) the least forces are linear over the corners (+-a, +-b):
 * (G + F)/4 + F x/(4 a) + F z/(4 b) with signs. */
static void eccentric_load_is_shared_linearly(void** unused) {
    (void)unused;
    const char* const off_centre[] = {"x=5 mm", "z=10 mm", NULL};
    ModelRun* run = model_run_fixed("tests/models/box_in_guide", off_centre, 1e-3, 0.02);
    int rows[16];
    assert_int_equal(pushing_rows(run->state, rows), 4);
    double mean = (2 * 9.81 + 10) / 4, across = 10 * 5.0 / (4 * 20), along = 10 * 10.0 / (4 * 40);
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        FpContact contact;
        const FpConstraint* guide = run->system->constraints[0];
        assert_int_equal(
            fp_constraint_contact(run->system, guide, 0, run->state->q, rows[k], &contact),
            FREEPLAY_OK);
        double expected = mean + (contact.point.x > 0 ? across : -across) +
                          (contact.point.z > 0 ? along : -along);
        assert_near(run->state->lambda[rows[k]], expected, 1e-9);
        sum += run->state->lambda[rows[k]];
    }
    assert_near(sum, 2 * 9.81 + 10, 1e-9);
    model_run_free(run);
}

/* So far off that the least norm of all would pull at a corner: three push, none pulls. */
static void shared_forces_never_pull(void** unused) {
    (void)unused;
    const char* const far_out[] = {"x=19 mm", "z=30 mm", "F=100 N", NULL};
    ModelRun* run = model_run_fixed("tests/models/box_in_guide", far_out, 1e-3, 0.005);
    double weight = 0;
    for (int i = 0; i < run->state->row_count; i++) {
        assert_true(run->state->lambda[i] >= 0);
        weight += run->state->lambda[i];
    }
    assert_near(weight, 2 * 9.81 + 100, 1e-7);
    model_run_free(run);
}

/* A four-bar of spatial hinges holds itself more than once; its twin of planar bodies does not. */
static void four_bar_moves_like_its_planar_twin(void** unused) {
    (void)unused;
    ModelRun* space = model_run_fixed("tests/models/four_bar", NULL, 1e-3, 0.5);
    ModelRun* plane = model_run_fixed("tests/models/four_bar_planar", NULL, 1e-3, 0.5);
    assert_int_equal(space->totals.rejected + plane->totals.rejected, 0);
    for (int b = 0; b < 3; b++) {
        const double *q = space->state->q + 7 * b, *p = plane->state->q + 3 * b;
        /* Exact normalization turns by 2 asin(h w/2) where the plane turns by h w: O(h^2). */
        assert_near(q[0], p[0], 1e-5);
        assert_near(q[1], p[1], 1e-5);
        assert_near(q[2], 0, 1e-13);
    }
    /* The two ends of a spatial hinge share the force of the planar one. */
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 2; k++) {
            const double *f = space->state->lambda + 5 * j, *p = plane->state->lambda + 2 * j;
            assert_near(f[k] + f[2 + k], p[k], 2e-2);
            assert_near(f[k], f[2 + k], 1e-6);
        }
    assert_near(space->totals.final.shadow, space->totals.initial.shadow, 2e-3);
    model_run_free(space);
    model_run_free(plane);
}

/* All moves with the first gear: T = (J1 + J2 i^2 + m r^2 i^2) w', i = 20/50, r = p/(2 pi). */
static void gears_and_rack_turn_as_one(void** unused) {
    (void)unused;
    ModelRun* run = model_run_fixed("tests/models/gear_train", NULL, 1e-3, 3);
    double i = 20.0 / 50, r = 0.4 / (2 * 3.14159265358979323846);
    double w = 3 * 3 / (0.2 + 0.5 * i * i + 2 * r * r * i * i);
    assert_near(run->state->v[2], w, 1e-9 * w);
    assert_near(run->state->v[5], -w * i, 1e-9 * w);
    assert_near(run->state->v[6], -w * i * r, 1e-9 * w);
    /* After many turns still in mesh. */
    assert_true(run->state->q[2] > 40);
    assert_near(20 * run->state->q[2] + 50 * run->state->q[5], 0, 1e-9);
    model_run_free(run);
}

/* A ball keeps its speed along the floor and loses all of that into it. */
static void ball_lands_on_the_floor(void** unused) {
    (void)unused;
    ModelRun* run = model_run_fixed("tests/models/ball_on_floor", NULL, 1e-3, 1.5);
    assert_near(run->events[0].t, sqrt(2 * 0.4 / 9.81), 2e-3);
    assert_near(run->events[0].energy_before - run->events[0].energy_after, 9.81 * 0.4, 1e-9);
    assert_near(run->state->q[1], 0.1, 1e-12);
    assert_near(run->state->v[0], 1, 1e-12);
    assert_near(run->state->lambda[0], 9.81, 1e-6);
    /* The box ends on a long side: half its height above the floor. */
    assert_near(run->state->q[8], 0.05, 1e-9);
    assert_true(run->totals.max_penetration <= 16 * DBL_EPSILON * run->system->scales.length);
    model_run_free(run);
}

typedef struct Deviation {
    double crank;
} Deviation;

static void note_crank(ModelRun* run, const FpState* state) {
    Deviation* d = run->context;
    double angle = 2 * atan2(state->q[6], state->q[3]), driven = 20 * 3.14159265358979323846;
    d->crank = fmax(d->crank, fabs(remainder(angle - driven * state->t, driven / 10)));
}

/* The driven crank keeps its angle, in a loose bearing, too; the slider follows its closed form. */
static void slider_crank_follows_its_driver(void** unused) {
    (void)unused;
    for (int loose = 0; loose < 2; loose++) {
        const char* const ideal[] = {"c=0", NULL};
        ModelRun* run = model_run_load("slider_crank", loose ? NULL : ideal);
        Deviation deviation = {0};
        run->watch = note_crank;
        run->context = &deviation;
        run->t_end = 0.03;
        model_run_go(run);
        double angle = 20 * 3.14159265358979323846 * 0.03;
        double x = 0.03 * cos(angle) + sqrt(0.01 - pow(0.03 * sin(angle), 2));
        assert_near(deviation.crank, 0, loose ? 1e-4 : 1e-12);
        assert_near(run->state->q[14], x, loose ? 2e-4 : 1e-12);
        model_run_free(run);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resting_block_shares_its_weight),
        cmocka_unit_test(eccentric_load_is_shared_linearly),
        cmocka_unit_test(shared_forces_never_pull),
        cmocka_unit_test(four_bar_moves_like_its_planar_twin),
        cmocka_unit_test(gears_and_rack_turn_as_one),
        cmocka_unit_test(ball_lands_on_the_floor),
        cmocka_unit_test(slider_crank_follows_its_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
