/* As the clearances go to zero a loose mechanism becomes its ideal twin: the largest distance
 * between the two falls in proportion to the clearance, for every kind of joint. */
#include "tests/examples/model_run.h"

enum { SAMPLES = 512 };

/* Where the bodies of a run are, sampled at every step; lengths in parts of the model's. */
typedef struct Path {
    double q[SAMPLES][21];
    int count;
} Path;

static void note_pose(ModelRun* run, const FpState* state) {
    Path* path = run->context;
    if (path->count == SAMPLES) return;
    memcpy(path->q[path->count++], state->q, (size_t)state->q_count * sizeof *state->q);
}

static void follow(const char* name, const char* const* settings, double h, double t_end,
                   Path* path) {
    ModelRun* run = model_run_load(name, settings);
    path->count = 0;
    run->watch = note_pose;
    run->context = path;
    run->stepper.h = h;
    run->t_end = t_end;
    model_run_go(run);
    model_run_free(run);
}

static double largest_distance(const Path* a, const Path* b, int q_count) {
    double largest = 0;
    assert_int_equal(a->count, b->count);
    for (int k = 0; k < a->count; k++)
        for (int j = 0; j < q_count; j++)
            if (j % 7 < 3) largest = fmax(largest, fabs(a->q[k][j] - b->q[k][j]));
    return largest;
}

/* Order between the largest and the smallest of three clearances, each a quarter of the last. */
static void check_order(const char* name, int q_count, const char* const* ideal,
                        const char* const loose[3][3], double h, double t_end) {
    Path* twin = calloc(1, sizeof *twin);
    Path* path = calloc(1, sizeof *path);
    double distance[3];
    follow(name, ideal, h, t_end, twin);
    for (int k = 0; k < 3; k++) {
        follow(name, loose[k], h, t_end, path);
        distance[k] = largest_distance(path, twin, q_count);
    }
    double order = log(distance[0] / distance[2]) / log(16);
    if (!(order >= 0.9))
        fail_msg("%s: order %g; distances %g, %g, %g", name, order, distance[0], distance[1],
                 distance[2]);
    free(twin);
    free(path);
}

static void cylindrical_joint_becomes_ideal(void** unused) {
    (void)unused;
    const char* const ideal[] = {"c=0", NULL};
    const char* const loose[3][3] = {{"c=0.16"}, {"c=0.04"}, {"c=0.01"}};
    check_order("cylindrical_slider", 7, ideal, loose, 1e-3, 0.4);
}

static void prismatic_joint_becomes_ideal(void** unused) {
    (void)unused;
    const char* const ideal[] = {"e_j==$e_i", NULL};
    const char* const loose[3][3] = {
        {"e_j==$e_i + 0.32 m"}, {"e_j==$e_i + 0.08 m"}, {"e_j==$e_i + 0.02 m"}};
    check_order("prismatic_slider", 7, ideal, loose, 1e-3, 0.4);
}

static void revolute_joint_becomes_ideal(void** unused) {
    (void)unused;
    const char* const ideal[] = {"c=0", "ca=0", NULL};
    const char* const loose[3][3] = {
        {"c=0.16", "ca=0.16"}, {"c=0.04", "ca=0.04"}, {"c=0.01", "ca=0.01"}};
    check_order("revolute_pendulum", 7, ideal, loose, 1e-3, 0.5);
}

static void spherical_joint_becomes_ideal(void** unused) {
    (void)unused;
    const char* const ideal[] = {"c=0", NULL};
    const char* const loose[3][3] = {{"c=1.6 mm"}, {"c=0.4 mm"}, {"c=0.1 mm"}};
    check_order("ball_and_socket", 7, ideal, loose, 1e-3, 0.4);
}

static void slider_crank_becomes_ideal(void** unused) {
    (void)unused;
    const char* const ideal[] = {"c=0", NULL};
    const char* const loose[3][3] = {{"c=0.16 mm"}, {"c=0.04 mm"}, {"c=0.01 mm"}};
    check_order("slider_crank", 21, ideal, loose, 5e-5, 0.02);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cylindrical_joint_becomes_ideal),
        cmocka_unit_test(prismatic_joint_becomes_ideal),
        cmocka_unit_test(revolute_joint_becomes_ideal),
        cmocka_unit_test(spherical_joint_becomes_ideal),
        cmocka_unit_test(slider_crank_becomes_ideal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
