/* The kinds of bodies: poses and their derivatives, masses, loads and energies, closed forms in the
 * plane, and a planar body beside one in space that moves in the plane by symmetry. */
#include <float.h>
#include <string.h>
#include "tests/pendulum.h"

static const double pi = 3.14159265358979323846;

static const FpBodyKind* const kinds[2] = {&fp_body_spatial, &fp_body_planar};
/* A configuration of each; the Euler parameters are not normalized. */
static const double general_q[2][7] = {{0.3, -0.2, 0.5, 0.9, 0.3, -0.5, 0.2}, {0.3, -0.2, 1.1}};
static const double general_v[2][6] = {{1, -2, 0.5, 0.7, -0.4, 1.3}, {1, -2, 1.3}};

/* w.(A(q) s), the function whose derivatives a kind knows. */
static double turned(const FpBodyKind* kind, const double* q, FpVec3 s, FpVec3 w) {
    FpPose pose;
    kind->pose(q, &pose);
    return fp_vec3_dot(w, fp_mat3_mul(pose.A, s));
}

static void pose_has_its_derivatives(void** unused) {
    (void)unused;
    const FpVec3 s = {0.4, -0.7, 0.2}, w = {1.1, 0.3, -0.6};
    const double step = 1e-4, weight = -1.7;
    for (int k = 0; k < 2; k++) {
        const FpBodyKind* kind = kinds[k];
        int n = kind->q_count;
        double q[7], row[7] = {0}, H[49] = {0};
        memcpy(q, general_q[k], sizeof q);
        kind->add_turn_gradient(q, s, w, weight, row);
        kind->add_turn_hessian(q, s, w, weight, H, n);
        for (int j = 0; j < n; j++) {
            double ahead[7] = {0}, behind[7] = {0}, centre = q[j], rise;
            q[j] = centre + step;
            rise = turned(kind, q, s, w);
            kind->add_turn_gradient(q, s, w, weight, ahead);
            q[j] = centre - step;
            rise -= turned(kind, q, s, w);
            kind->add_turn_gradient(q, s, w, weight, behind);
            q[j] = centre;
            /* Central differences are off by step^2/6 of a third derivative of order 1. */
            assert_near(row[j], weight * rise / (2 * step), 1e-8);
            for (int i = 0; i < n; i++)
                assert_near(H[n * i + j], (ahead[i] - behind[i]) / (2 * step), 1e-8);
        }
        /* Translations do not turn. */
        for (int i = 0; i < kind->translations; i++) assert_near(row[i], 0, 0);
    }
}

/* q' = B v moves the pose as v says: r' is the velocity, A' = A skew(w'). */
static void kinematics_move_the_pose(void** unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        const FpBodyKind* kind = kinds[k];
        double q[7], B[42], ahead[7], behind[7], step = 1e-5;
        FpMotion motion;
        FpPose at, after, before;
        memcpy(q, general_q[k], sizeof q);
        if (k == 0)
            for (int i = 3; i < 7; i++) q[i] /= sqrt(0.81 + 0.09 + 0.25 + 0.04);
        kind->kinematics(q, B);
        kind->to_motion(q, general_v[k], &motion);
        for (int i = 0; i < kind->q_count; i++) {
            double rate = 0;
            for (int j = 0; j < kind->v_count; j++)
                rate += B[kind->v_count * i + j] * general_v[k][j];
            ahead[i] = q[i] + step * rate;
            behind[i] = q[i] - step * rate;
        }
        kind->pose(q, &at);
        kind->pose(ahead, &after);
        kind->pose(behind, &before);
        FpVec3 velocity = fp_vec3_scale(0.5 / step, fp_vec3_sub(after.r, before.r));
        assert_near(fp_vec3_norm(fp_vec3_sub(velocity, motion.velocity)), 0, 1e-10);
        const FpVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        for (int i = 0; i < 3; i++) {
            FpVec3 rise =
                fp_vec3_sub(fp_mat3_mul(after.A, axes[i]), fp_mat3_mul(before.A, axes[i]));
            FpVec3 rate = fp_mat3_mul(at.A, fp_vec3_cross(motion.angular_velocity, axes[i]));
            assert_near(fp_vec3_norm(fp_vec3_sub(fp_vec3_scale(0.5 / step, rise), rate)), 0, 1e-9);
        }
    }
}

/* To a motion and back: the same coordinates, and the pose of the motion. */
static void motions_and_coordinates_are_the_same(void** unused) {
    (void)unused;
    for (int k = 0; k < 2; k++) {
        const FpBodyKind* kind = kinds[k];
        FpMotion motion;
        FpPose pose, spatial;
        double q[7], v[6], p[7];
        kind->to_motion(general_q[k], general_v[k], &motion);
        kind->from_motion(&motion, q, v);
        for (int i = 0; i < kind->v_count; i++) assert_near(v[i], general_v[k][i], 0);
        for (int i = 0; i < kind->translations; i++) assert_near(q[i], general_q[k][i], 0);
        kind->pose(q, &pose);
        fp_body_spatial.from_motion(&motion, p, v);
        fp_body_spatial.pose(p, &spatial);
        for (int i = 0; i < 9; i++) assert_near(pose.A[i], spatial.A[i], 4 * DBL_EPSILON);
    }
    /* A planar angle beyond half a turn. */
    FpMotion motion = {.orientation = {cos(2.5), 0, 0, sin(2.5)}};
    double q[3], v[3];
    fp_body_planar.from_motion(&motion, q, v);
    assert_near(remainder(q[2] - 5, 2 * pi), 0, 1e-15);
}

/* Worlds --------------------------------------------------------------------------------------- */

/* A world of one body with its loads. */
static FpWorld* world_of(FpVec3 gravity, const FpBodyDef* body, int load_count,
                         const FpLoadDef* loads) {
    FpWorldDef def = {.gravity = gravity};
    FpWorld* world = fp_world_create(&def);
    assert_int_equal(fp_world_add_body(world, body, NULL, NULL), FREEPLAY_OK);
    for (int k = 0; k < load_count; k++)
        assert_int_equal(fp_world_add_load(world, &loads[k], NULL), FREEPLAY_OK);
    assert_int_equal(fp_world_finish(world, NULL), FREEPLAY_OK);
    return world;
}

/* A planar body of 1 kg at rest; only its inertia about z counts. */
static FpBodyDef planar_body(void) {
    FpBodyDef def = fp_body_def_default();
    def.name = "body";
    def.planar = true;
    def.mass = 1;
    def.inertia[8] = 1;
    return def;
}

/* A tilted plate with velocity, spin about z and a load at a point, in the plane or in space. */
static FpWorld* plate(bool planar) {
    FpBodyDef body = planar_body();
    body.planar = planar;
    body.mass = 2;
    fp_inertia_box(body.mass, 0.6, 0.4, 0.1, body.inertia);
    body.position = fp_vec3(0.3, -0.2, 0);
    body.orientation[0] = cos(0.35);
    body.orientation[3] = sin(0.35);
    body.velocity = fp_vec3(1, 2, 0);
    body.angular_velocity = fp_vec3(0, 0, 3);
    FpLoadDef load = fp_load_def_default();
    load.body = 0;
    load.point = fp_vec3(0.3, -0.1, 0);
    load.value = fp_vec3(4, -1, 0);
    return world_of(fp_vec3(0, -9.81, 0), &body, 1, &load);
}

/* With phi = 0.7: the force is (4, -1) plus the weight, its moment about the centre of mass
 * x F_y - y F_x with the point turned by phi. */
static void load_at_a_point_turns_a_planar_body(void** unused) {
    (void)unused;
    FpWorld* world = plate(true);
    const FpSystem* s = fp_world_system(world);
    double f[3], c = cos(0.7), n = sin(0.7);
    assert_int_equal(s->q_count, 3);
    assert_int_equal(s->v_count, 3);
    assert_int_equal(s->a_count, 0);
    assert_near(s->q_initial[2], 0.7, 1e-15);
    assert_int_equal(s->ops->force(s->self, 0, s->q_initial, s->v_initial, f), FREEPLAY_OK);
    double x = 0.3 * c + 0.1 * n, y = 0.3 * n - 0.1 * c;
    assert_near(f[0], 4, 0);
    assert_near(f[1], -1 - 2 * 9.81, 1e-14);
    assert_near(f[2], x * -1 - y * 4, 1e-15);
    /* Kinetic: m v^2/2 + J w^2/2 with J = m (a^2 + b^2)/12; potential: m g y - F.r of the point. */
    double kinetic = 0.5 * 2 * 5 + 0.5 * (2 * (0.36 + 0.16) / 12) * 9;
    assert_near(s->ops->kinetic_energy(s->self, s->q_initial, s->v_initial), kinetic, 1e-14);
    double potential = 2 * 9.81 * -0.2 - (4 * (0.3 + x) - (-0.2 + y));
    assert_near(s->ops->potential_energy(s->self, 0, s->q_initial), potential, 1e-14);
    assert_near(s->ops->power(s->self, 0, s->q_initial, s->v_initial),
                f[0] * 1 + f[1] * 2 + f[2] * 3, 1e-13);
    fp_world_destroy(world);
}

/* A load in the frame of the body, from a table, and a torque. */
static void loads_follow_a_planar_body(void** unused) {
    (void)unused;
    static const double times[2] = {0, 2};
    static const FpVec3 values[2] = {{0, 0, 0}, {6, 0, 9}};
    FpBodyDef body = planar_body();
    body.orientation[0] = body.orientation[3] = sqrt(0.5);
    FpLoadDef load = fp_load_def_default();
    load.body = 0;
    FpLoadDef force = load, torque = load;
    force.frame = FREEPLAY_FRAME_BODY;
    force.point = fp_vec3(0, 0.5, 0);
    force.table_count = 2;
    force.times = times;
    force.values = values;
    torque.kind = FREEPLAY_LOAD_TORQUE;
    torque.value = fp_vec3(7, 8, 0.25);
    /* Gravity is across the plane: no force in it. */
    FpWorld* world = world_of(fp_vec3(0, 0, -9.81), &body, 2, (const FpLoadDef[]){force, torque});
    const FpSystem* s = fp_world_system(world);
    double f[3];
    assert_int_equal(s->ops->force(s->self, 1, s->q_initial, s->v_initial, f), FREEPLAY_OK);
    /* At 1 s the force is 3 N along the x axis of the body, which points along y. */
    assert_near(f[0], 0, 1e-15);
    assert_near(f[1], 3, 1e-15);
    assert_near(f[2], -0.5 * 3 + 0.25, 1e-15);
    fp_world_destroy(world);
}

/* v_n = v_0 + n h g, r_n = r_0 + sum h v_k, and a steady spin turns by h w in every step. */
static void planar_body_falls_freely(void** unused) {
    (void)unused;
    FpBodyDef body = planar_body();
    body.mass = 3;
    body.velocity = fp_vec3(1, 2, 0);
    body.angular_velocity.z = 50;
    FpWorld* world = world_of(fp_vec3(0, -9.81, 0), &body, 0, NULL);
    FpStepperDef def = fp_stepper_def_default();
    FpState* state;
    FpTotals totals = pendulum_run(world, &def, 0.1, &state);
    double n = 100, h = def.h;
    assert_near(state->q[0], 0.1, 1e-14);
    assert_near(state->q[1], 2 * n * h - 9.81 * h * h * n * (n + 1) / 2, 1e-13);
    assert_near(state->q[2], 5, 1e-13);
    assert_near(state->v[1], 2 - 9.81 * n * h, 1e-13);
    assert_near(state->v[2], 50, 1e-13);
    /* E + (h/2) f.v is what the step conserves. */
    assert_near(totals.final.shadow, totals.initial.total + 0.5 * h * 3 * -9.81 * 2, 1e-11);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

/* Forces, masses and energies of both kinds are the same where both are in the plane. */
static void both_kinds_agree_in_the_plane(void** unused) {
    (void)unused;
    FpWorld *flat = plate(true), *full = plate(false);
    const FpSystem *a = fp_world_system(flat), *b = fp_world_system(full);
    static const int place[3] = {0, 1, 5}; /* of vx, vy, wz among the velocities in space */
    double f[3], F[6], M[9], N[36];
    assert_int_equal(a->ops->force(a->self, 0, a->q_initial, a->v_initial, f), FREEPLAY_OK);
    assert_int_equal(b->ops->force(b->self, 0, b->q_initial, b->v_initial, F), FREEPLAY_OK);
    a->ops->mass(a->self, 0, a->q_initial, M);
    b->ops->mass(b->self, 0, b->q_initial, N);
    for (int i = 0; i < 3; i++) {
        assert_near(f[i], F[place[i]], 1e-14);
        for (int j = 0; j < 3; j++) assert_near(M[3 * i + j], N[6 * place[i] + place[j]], 0);
    }
    for (int i = 2; i < 5; i++) assert_near(F[i], 0, 1e-15); /* nothing leads out of the plane */
    assert_near(a->ops->kinetic_energy(a->self, a->q_initial, a->v_initial),
                b->ops->kinetic_energy(b->self, b->q_initial, b->v_initial), 1e-14);
    assert_near(a->ops->potential_energy(a->self, 0, a->q_initial),
                b->ops->potential_energy(b->self, 0, b->q_initial), 1e-14);
    fp_world_destroy(flat);
    fp_world_destroy(full);
}

/* How far apart both kinds are after 0.2 s with steps of h. */
static double difference_of_kinds(double h) {
    FpStepperDef def = fp_stepper_def_default();
    FpPose pose[2];
    def.h = h;
    for (int k = 0; k < 2; k++) {
        FpWorld* world = plate(k == 1);
        FpState* state;
        pendulum_run(world, &def, 0.2, &state);
        kinds[k]->pose(state->q, &pose[k]);
        const int out_of_plane[3] = {2, 4, 5}; /* z, e1, e2 of a body in space */
        for (int i = 0; i < 3 && k == 0; i++) assert_near(state->q[out_of_plane[i]], 0, 1e-15);
        fp_state_destroy(state);
        fp_world_destroy(world);
    }
    double sum = fp_vec3_norm(fp_vec3_sub(pose[0].r, pose[1].r));
    for (int i = 0; i < 9; i++) sum = fmax(sum, fabs(pose[0].A[i] - pose[1].A[i]));
    return sum;
}

/* A step turns the planar body by h w, the other one by 2 asin(h w/2): apart by T h^2 w^3/24 after
 * a time T, and by a quarter of it with half the step. */
static void planar_body_moves_as_one_in_space_by_symmetry(void** unused) {
    (void)unused;
    double coarse = difference_of_kinds(2e-3), fine = difference_of_kinds(1e-3);
    double w = 4; /* the spin stays below */
    assert_true(fine > 0);
    assert_true(fine < 2 * 0.2 * 1e-6 * w * w * w / 24);
    assert_near(coarse / fine, 4, 0.1);
}

/* Refusals ------------------------------------------------------------------------------------- */

static void refuse(const FpBodyDef* def, const char* field, const char* text) {
    FpWorldDef world_def = fp_world_def_default();
    FpWorld* world = fp_world_create(&world_def);
    FpMessage message = {0};
    FpBodyDef good = planar_body();
    assert_int_equal(fp_world_add_body(world, def, NULL, &message), FREEPLAY_INVALID_ARGUMENT);
    assert_string_equal(message.field, field);
    if (!strstr(message.text, text)) fail_msg("'%s' has not '%s'", message.text, text);
    assert_int_equal(fp_world_body_count(world), 0);
    assert_int_equal(fp_world_add_body(world, &good, NULL, &message), FREEPLAY_OK);
    fp_world_destroy(world);
}

static void planar_body_stays_in_its_plane(void** unused) {
    (void)unused;
    FpBodyDef def = planar_body();
    def.position.z = 0.5;
    refuse(&def, "position", "0.5 m");
    def = planar_body();
    def.orientation[1] = 0.1;
    refuse(&def, "orientation", "about z");
    def = planar_body();
    def.velocity.z = 1;
    refuse(&def, "velocity", "along z");
    def = planar_body();
    def.angular_velocity.x = 1;
    refuse(&def, "angular_velocity", "about z");
    def = planar_body();
    def.angular_velocity.y = -1;
    refuse(&def, "angular_velocity", "about z");
    def = planar_body();
    def.inertia[8] = -2;
    refuse(&def, "inertia", "-2 kg m^2");
    def.inertia[8] = NAN;
    refuse(&def, "inertia", "nan");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pose_has_its_derivatives),
        cmocka_unit_test(kinematics_move_the_pose),
        cmocka_unit_test(motions_and_coordinates_are_the_same),
        cmocka_unit_test(load_at_a_point_turns_a_planar_body),
        cmocka_unit_test(loads_follow_a_planar_body),
        cmocka_unit_test(planar_body_falls_freely),
        cmocka_unit_test(both_kinds_agree_in_the_plane),
        cmocka_unit_test(planar_body_moves_as_one_in_space_by_symmetry),
        cmocka_unit_test(planar_body_stays_in_its_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
