/* Slip velocities of every joint in every variant that has friction, theory.md (18a) to (18d). */
#include "tests/joints/variants.h"

enum { ROWS_MAX = 32, CONFIGURATIONS = 20 };

static const double contact_radius = 0.04, drilling = 0.58904862254808623; /* 3 pi/16 */

/* A constraint, and its two bodies at one configuration with one velocity. */
typedef struct Sample {
    const FpWorld* world;
    const FpConstraint* c;
    const FpBodyKind* kind[2];
    bool flat; /* between planar bodies */
    double q[2][FREEPLAY_BODY_Q_MAX], v[2][FREEPLAY_BODY_V_MAX];
    const double* blocks[2];
    int v_at[2], width; /* of G; -1 for ground */
    const char* where;  /* for people */
} Sample;

typedef void (*Check)(Sample* sample, int row);

static void randomize(Sample* s) {
    for (int k = 0; k < 2; k++) {
        double* q = s->q[k];
        bool ground = s->c->blocks[k] < 0;
        for (int i = 0; i < FREEPLAY_BODY_Q_MAX; i++) q[i] = ground ? i == 3 : scene_random();
        for (int i = 0; i < FREEPLAY_BODY_V_MAX; i++) s->v[k][i] = ground ? 0 : scene_random();
        if (s->kind[k]->q_count == 3) {
            q[2] *= 6;
            continue;
        }
        q[3] += ground ? 0 : 1;
        double norm = sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
        for (int i = 3; i < 7; i++) q[i] /= norm;
    }
}

static Sample sample_of(FpWorld* world, const FpConstraint* c, bool flat, const char* where) {
    Sample s = {.world = world, .c = c, .flat = flat, .where = where};
    for (int k = 0; k < 2; k++) {
        bool ground = c->blocks[k] < 0;
        s.kind[k] = fp_world_body_kind(world, c->blocks[k]);
        s.v_at[k] = ground ? -1 : s.width;
        s.width += ground ? 0 : s.kind[k]->v_count;
    }
    return s;
}

/* The pointers are set here, where the sample stays. */
static void check_rows(Sample* s, Check check) {
    for (int k = 0; k < 2; k++) s->blocks[k] = s->q[k];
    for (int i = 0; i < s->c->row_count; i++)
        if (s->c->rows[i].slip_count > 0) check(s, i);
}

static void check_variant(const Variant* variant, int pair, bool drills, Check check) {
    char where[128];
    Scene scene = scene_create(&pairs[pair]);
    if (drills) {
        scene.head.friction_law = FREEPLAY_FRICTION_CONTENSOU;
        scene.head.contact_radius = contact_radius;
    }
    variant->add(&scene, variant);
    const FpConstraint* c = scene_finish(scene.world);
    snprintf(where, sizeof where, "%s, %s%s", variant->name, pairs[pair].name,
             drills ? ", drilling" : "");
    Sample s = sample_of(scene.world, c, pair >= IN_SPACE, where);
    srand(5);
    for (int i = 0; i < CONFIGURATIONS; i++) {
        randomize(&s);
        check_rows(&s, check);
    }
    fp_world_destroy(scene.world);
}

static void check_all(Check check) {
    for (int v = 0; v < VARIANT_COUNT; v++)
        for (int p = 0; p < PAIR_COUNT; p++) {
            if (!variant_takes(&variants[v], p)) continue;
            check_variant(&variants[v], p, false, check);
            if (p < IN_SPACE) check_variant(&variants[v], p, true, check);
        }
}

/* What the constraint says ----------------------------------------------------------------------
 */

typedef struct Slip {
    int count;
    double G[FREEPLAY_SLIP_MAX * 2 * FREEPLAY_BODY_V_MAX], chi[FREEPLAY_SLIP_MAX];
    FpContact contact;
} Slip;

static Slip slip_of(const Sample* s, int row) {
    Slip slip = {.count = s->c->rows[row].slip_count};
    /* It must not add to what stands there. */
    for (int i = 0; i < slip.count * s->width; i++) slip.G[i] = 7;
    for (int i = 0; i < slip.count; i++) slip.chi[i] = 7;
    s->c->ops->slip(s->c, 0, s->blocks, row, slip.G, slip.chi);
    s->c->ops->contact(s->c, 0, s->blocks, row, &slip.contact);
    return slip;
}

/* The direction of a component: how it changes with the velocity of a body, with both signs. A body
 * in space shows it all; of bodies in the plane the one of either shows what there is. */
static FpVec3 tangent_of(const Sample* s, const Slip* slip, int component) {
    int k = s->v_at[0] < 0 || (s->v_at[1] >= 0 && s->kind[0]->v_count < s->kind[1]->v_count);
    const double* g = slip->G + s->width * component + s->v_at[k];
    FpVec3 t = fp_vec3(g[0], g[1], s->kind[k]->translations == 3 ? g[2] : 0);
    return fp_vec3_scale(k ? -1 : 1, t);
}

static double gamma_of(const Sample* s, const Slip* slip, int component) {
    double sum = slip->chi[component];
    for (int k = 0; k < 2; k++)
        for (int j = 0; s->v_at[k] >= 0 && j < s->kind[k]->v_count; j++)
            sum += slip->G[s->width * component + s->v_at[k] + j] * s->v[k][j];
    return sum;
}

/* Differences ---------------------------------------------------------------------------------- */

/* Where a body is after it has moved on for dt with its velocity, to first order. */
static FpPose pose_after(const Sample* s, int k, double dt) {
    double B[FREEPLAY_BODY_Q_MAX * FREEPLAY_BODY_V_MAX], q[FREEPLAY_BODY_Q_MAX];
    const FpBodyKind* kind = s->kind[k];
    FpPose pose;
    kind->kinematics(s->q[k], B);
    for (int i = 0; i < kind->q_count; i++) {
        q[i] = s->q[k][i];
        for (int j = 0; j < kind->v_count; j++) q[i] += dt * B[kind->v_count * i + j] * s->v[k][j];
    }
    kind->pose(q, &pose);
    return pose;
}

static const double step = 1e-5;

/* The velocity of the material point of a body that is now at a place, by differences. */
static FpVec3 velocity_at(const Sample* s, int k, FpVec3 place) {
    FpPose now = pose_after(s, k, 0), end[2] = {pose_after(s, k, -step), pose_after(s, k, step)};
    FpVec3 material = fp_mat3_mul_transposed(now.A, fp_vec3_sub(place, now.r)), x[2];
    for (int i = 0; i < 2; i++) x[i] = fp_vec3_add(end[i].r, fp_mat3_mul(end[i].A, material));
    return fp_vec3_scale(1 / (2 * step), fp_vec3_sub(x[1], x[0]));
}

/* w.n by differences: with t1 x t2 = n it is how fast a direction of the body that is now along t1
 * turns towards t2. */
static double turning_of(const Sample* s, int k, FpVec3 t1, FpVec3 t2) {
    FpPose now = pose_after(s, k, 0), end[2] = {pose_after(s, k, -step), pose_after(s, k, step)};
    FpVec3 material = fp_mat3_mul_transposed(now.A, t1);
    FpVec3 change = fp_vec3_sub(fp_mat3_mul(end[1].A, material), fp_mat3_mul(end[0].A, material));
    return fp_vec3_dot(change, t2) / (2 * step);
}

/* Checks --------------------------------------------------------------------------------------- */

static void check_tangents(Sample* s, int row) {
    Slip slip = slip_of(s, row);
    FpVec3 n = slip.contact.normal, t1 = tangent_of(s, &slip, 0);
    assert_near(fp_vec3_norm(t1), 1, 1e-14);
    assert_near(fp_vec3_dot(t1, n), 0, 1e-14);
    /* In the plane the other tangent is z, and comes first. */
    FpVec3 across =
        s->flat ? fp_vec3_cross(fp_vec3(0, 0, 1), t1) : fp_vec3_cross(t1, tangent_of(s, &slip, 1));
    assert_near(fp_vec3_norm(fp_vec3_sub(across, n)), 0, 4e-14);
}

static void check_velocities(Sample* s, int row) {
    Slip slip = slip_of(s, row);
    FpVec3 place = slip.contact.point;
    FpVec3 relative = fp_vec3_sub(velocity_at(s, 0, place), velocity_at(s, 1, place));
    FpVec3 t[2] = {tangent_of(s, &slip, 0), {0, 0, 0}};
    if (slip.count > 1) t[1] = tangent_of(s, &slip, 1);
    for (int i = 0; i < slip.count && i < 2; i++) {
        double actual = gamma_of(s, &slip, i), expected = fp_vec3_dot(relative, t[i]);
        if (fabs(actual - expected) > 1e-9)
            fail_msg("%s: component %d of row %d slips with %.12g, by differences %.12g", s->where,
                     i, row, actual, expected);
    }
    if (slip.count < 3) return;
    double turning = turning_of(s, 0, t[0], t[1]) - turning_of(s, 1, t[0], t[1]);
    assert_near(gamma_of(s, &slip, 2), drilling * contact_radius * turning, 1e-10);
}

/* Forces along the tangents, and the torque that drills, are between the bodies alone. */
static void check_momentum(Sample* s, int row) {
    FpVec3 force = {0, 0, 0}, moment = {0, 0, 0};
    if (s->v_at[0] < 0 || s->v_at[1] < 0 || s->kind[0] != s->kind[1]) return;
    Slip slip = slip_of(s, row);
    double lambda[FREEPLAY_SLIP_MAX];
    for (int i = 0; i < slip.count; i++) lambda[i] = scene_random();
    for (int k = 0; k < 2; k++) {
        double f[FREEPLAY_BODY_V_MAX] = {0};
        FpPose pose = pose_after(s, k, 0);
        for (int i = 0; i < slip.count; i++)
            for (int j = 0; j < s->kind[k]->v_count; j++)
                f[j] += slip.G[s->width * i + s->v_at[k] + j] * lambda[i];
        FpVec3 push = fp_vec3(f[0], f[1], s->flat ? 0 : f[2]);
        FpVec3 torque = s->flat ? fp_vec3(0, 0, f[2]) : fp_mat3_mul(pose.A, fp_vec3_load(f + 3));
        force = fp_vec3_add(force, push);
        moment = fp_vec3_add(moment, fp_vec3_add(fp_vec3_cross(pose.r, push), torque));
    }
    assert_near(fp_vec3_norm(force), 0, 1e-15);
    assert_near(fp_vec3_norm(moment), 0, 2e-15);
}

/* Where the bodies move by little, no direction turns by much. */
static void check_turning(Sample* s, int row) {
    Slip before = slip_of(s, row);
    double moved[2][FREEPLAY_BODY_Q_MAX], little = 1e-7;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < FREEPLAY_BODY_Q_MAX; i++)
            moved[k][i] = s->q[k][i] + (s->v_at[k] < 0 ? 0 : little * scene_random());
    Sample next = *s;
    memcpy(next.q, moved, sizeof moved);
    for (int k = 0; k < 2; k++) next.blocks[k] = next.q[k];
    Slip after = slip_of(&next, row);
    for (int i = 0; i < before.count && i < 2; i++) {
        FpVec3 change = fp_vec3_sub(tangent_of(&next, &after, i), tangent_of(s, &before, i));
        assert_true(fp_vec3_norm(change) < 1e4 * little);
    }
}

static void tangents_are_unit_directions_along_the_surface(void** unused) {
    (void)unused;
    check_all(check_tangents);
}
static void slip_is_the_relative_velocity_of_material_points(void** unused) {
    (void)unused;
    check_all(check_velocities);
}
static void friction_changes_no_momentum_of_the_two(void** unused) {
    (void)unused;
    check_all(check_momentum);
}
static void tangents_turn_with_the_bodies(void** unused) {
    (void)unused;
    check_all(check_turning);
}

/* Counts --------------------------------------------------------------------------------------- */

static int slip_count(const Variant* variant, const Pair* pair, double friction, bool drills,
                      FpRowKind kind) {
    Scene scene = scene_create(pair);
    scene.head.friction = friction;
    scene.head.friction_law = drills ? FREEPLAY_FRICTION_CONTENSOU : FREEPLAY_FRICTION_COULOMB;
    scene.head.contact_radius = drills ? contact_radius : 0;
    variant->add(&scene, variant);
    const FpConstraint* c = scene_finish(scene.world);
    int count = -1;
    for (int i = 0; i < c->row_count; i++) {
        if (c->rows[i].kind != kind) continue;
        assert_true(count == -1 || count == c->rows[i].slip_count);
        count = c->rows[i].slip_count;
    }
    fp_world_destroy(scene.world);
    return count;
}

static void rows_slide_in_as_many_directions_as_there_are(void** unused) {
    (void)unused;
    const Variant mixed = {.add = add_revolute, .clearance = 0.02};
    const Pair *space = &pairs[0], *plane = &pairs[IN_SPACE];
    assert_int_equal(slip_count(&mixed, plane, 0.2, false, FREEPLAY_ROW_UNILATERAL), 1);
    assert_int_equal(slip_count(&mixed, space, 0.2, false, FREEPLAY_ROW_UNILATERAL), 2);
    assert_int_equal(slip_count(&mixed, space, 0.2, true, FREEPLAY_ROW_UNILATERAL), 3);
    assert_int_equal(slip_count(&mixed, space, 0, false, FREEPLAY_ROW_UNILATERAL), 0);
    assert_int_equal(slip_count(&mixed, space, 0, true, FREEPLAY_ROW_UNILATERAL), 0);
    assert_int_equal(slip_count(&mixed, space, 0.2, true, FREEPLAY_ROW_BILATERAL), 0);
}

/* A bore has a lever by its radius; a point in a slot needs none, nor does what has no friction. */
static void friction_without_a_radius_is_told(void** unused) {
    (void)unused;
    const struct {
        Variant variant;
        double friction;
        bool lacks;
    } cases[] = {
        {{.add = add_revolute, .clearance = 0.02}, 0.2, true},
        {{.add = add_revolute, .clearance = 0.02}, 0, false},
        {{.add = add_revolute, .axial_clearance = 0.02}, 0.2, false},
        {{.add = add_revolute, .clearance = 0.02, .radius = 0.1}, 0.2, false},
        {{.add = add_cylindrical, .clearance = 0.02}, 0.2, true},
        {{.add = add_spherical, .clearance = 0.02}, 0.2, true},
        {{.add = add_point_on, .clearance = 0.02}, 0.2, false},
        {{.add = add_gear, .choice = TEETH}, 0.2, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Scene scene = scene_create(&pairs[0]);
        scene.head.friction = cases[i].friction;
        cases[i].variant.add(&scene, &cases[i].variant);
        assert_int_equal(fp_joint_lacks_radius(scene_finish(scene.world)), cases[i].lacks);
        fp_world_destroy(scene.world);
    }
}

/* Known motions -------------------------------------------------------------------------------- */

/* A joint between a body and ground along the global axes. */
typedef struct Simple {
    FpWorld* world;
    FpJointDef head;
    Sample sample;
} Simple;

static Simple simple_create(bool planar) {
    Simple simple = {.world = scene_world(), .head = {.name = "joint", .friction = 0.3}};
    simple.head.body[0] = scene_body(simple.world, "body", planar, fp_vec3(0, 0, 0), NULL);
    simple.head.body[1] = FREEPLAY_GROUND;
    return simple;
}

static void simple_finish(Simple* simple, bool planar) {
    Sample* s = &simple->sample;
    *s = sample_of(simple->world, scene_finish(simple->world), planar, "");
    for (int k = 0; k < 2; k++) s->blocks[k] = s->q[k];
    s->q[0][3] = s->q[1][3] = 1;
}

/* On a floor the slip is v_x + R w: a ball that rolls does not slip, one that moves does, towards
 * where it moves. */
static void a_ball_that_rolls_does_not_slip(void** unused) {
    (void)unused;
    Simple simple = simple_create(true);
    FpPlaneContactDef def = {.joint = simple.head, .radius = 0.1};
    def.point = scene_frame_z(0, 0, 0);
    def.plane = scene_frame(fp_vec3(0, -0.1, 0), fp_vec3(0, 1, 0), fp_vec3(0, 0, 0));
    scene_add(simple.world, &fp_plane_contact_type, &def);
    simple_finish(&simple, true);
    Slip slip = slip_of(&simple.sample, 0);
    assert_near(slip.G[0], 1, 1e-16);
    assert_near(slip.G[1], 0, 1e-16);
    assert_near(slip.G[2], 0.1, 1e-16);
    fp_world_destroy(simple.world);
}

/* A bore of radius R that touches its pin below and turns about its own axis slides with R w. */
static void a_bore_slides_on_its_pin_with_its_radius(void** unused) {
    (void)unused;
    const double R = 0.05, c = 0.001;
    Simple simple = simple_create(true);
    FpRevoluteDef def = {.joint = simple.head, .radius = R, .clearance = c};
    def.bore = def.pin = scene_frame_z(0, 0, 0);
    scene_add(simple.world, &fp_revolute_type, &def);
    simple_finish(&simple, true);
    simple.sample.q[0][1] = c;
    Slip slip = slip_of(&simple.sample, 0);
    /* The pin pushes the bore down; it touches below: at y = c - R. */
    assert_near(slip.contact.normal.y, -1, 1e-16);
    assert_near(slip.contact.point.y, c - R, 1e-16);
    assert_near(slip.contact.gap, 0, 1e-16);
    /* n x z = (-1, 0): turning to the left moves the lowest point to the right, against it. */
    assert_near(slip.G[0], -1, 1e-16);
    assert_near(slip.G[1], 0, 1e-16);
    assert_near(slip.G[2], -R, 1e-16);
    fp_world_destroy(simple.world);
}

/* Once around the pin the first tangent is the axis all the time; the second turns as far as the
 * point of contact, from step to step and back to where it was. */
static void tangents_turn_around_a_bore_without_a_jump(void** unused) {
    (void)unused;
    enum { STEPS = 360 };
    Simple simple = simple_create(false);
    FpCylindricalDef def = {
        .joint = simple.head, .radius = 0.05, .clearance = 0.001, .length = 0.1};
    def.sleeve = def.pin = scene_frame_z(0, 0, 0);
    scene_add(simple.world, &fp_cylindrical_type, &def);
    simple_finish(&simple, false);
    FpVec3 first = {0, 0, 0}, last = {0, 0, 0};
    for (int i = 0; i <= STEPS; i++) {
        double angle = 2 * pi * i / STEPS;
        simple.sample.q[0][0] = 0.001 * cos(angle);
        simple.sample.q[0][1] = 0.001 * sin(angle);
        Slip slip = slip_of(&simple.sample, 0);
        FpVec3 t1 = tangent_of(&simple.sample, &slip, 0), t2 = tangent_of(&simple.sample, &slip, 1);
        assert_near(t1.z, 1, 1e-15);
        if (i == 0) first = last = t2;
        double turned = fp_vec3_norm(fp_vec3_sub(t2, last));
        assert_near(turned, i ? 2 * sin(pi / STEPS) : 0, 1e-12);
        last = t2;
    }
    assert_near(fp_vec3_norm(fp_vec3_sub(last, first)), 0, 1e-12);
    fp_world_destroy(simple.world);
}

/* Around a parallel of the sphere at the height z.n = h tangents turn by no more than 2/(1 + h)
 * times as much as the normal: without a jump, as far as the pole where h = -1. */
static void tangents_turn_over_a_ball_without_a_jump(void** unused) {
    (void)unused;
    enum { STEPS = 2000 };
    for (double height = -0.9; height <= 0.95; height += 0.3) {
        Simple simple = simple_create(false);
        FpSphericalDef def = {.joint = simple.head, .clearance = 0.001, .radius = 0.02};
        def.ball = def.socket = scene_frame_z(0, 0, 0);
        scene_add(simple.world, &fp_spherical_type, &def);
        simple_finish(&simple, false);
        FpVec3 last = {0, 0, 0};
        double across = sqrt(1 - height * height), factor = 2 / (1 + height);
        for (int i = 0; i <= STEPS; i++) {
            double angle = 2 * pi * i / STEPS;
            /* The normal points from the ball to the centre of the socket. */
            simple.sample.q[0][0] = -0.001 * across * cos(angle);
            simple.sample.q[0][1] = -0.001 * across * sin(angle);
            simple.sample.q[0][2] = -0.001 * height;
            Slip slip = slip_of(&simple.sample, 0);
            FpVec3 t1 = tangent_of(&simple.sample, &slip, 0);
            assert_near(slip.contact.normal.z, height, 1e-12);
            double turned = i ? fp_vec3_norm(fp_vec3_sub(t1, last)) : 0;
            assert_true(turned <= factor * across * 2 * pi / STEPS + 1e-12);
            last = t1;
        }
        fp_world_destroy(simple.world);
    }
}

/* Straight opposite to the pole there are tangents, too; at the centre there is nothing. */
static void a_ball_has_tangents_everywhere_but_at_its_centre(void** unused) {
    (void)unused;
    Simple simple = simple_create(false);
    FpSphericalDef def = {.joint = simple.head, .clearance = 0.001, .radius = 0.02};
    def.ball = def.socket = scene_frame_z(0, 0, 0);
    scene_add(simple.world, &fp_spherical_type, &def);
    simple_finish(&simple, false);
    Sample* s = &simple.sample;
    for (int i = 0; i < 4; i++) {
        s->q[0][0] = i < 2 ? 0 : 1e-12;
        s->q[0][2] = i % 2 ? -0.001 : 0.001;
        check_tangents(s, 0);
    }
    s->q[0][0] = s->q[0][2] = 0;
    Slip slip = slip_of(s, 0);
    for (int i = 0; i < slip.count * s->width; i++) assert_near(slip.G[i], 0, 0);
    for (int i = 0; i < slip.count; i++) assert_near(slip.chi[i], 0, 0);
    fp_world_destroy(simple.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tangents_are_unit_directions_along_the_surface),
        cmocka_unit_test(slip_is_the_relative_velocity_of_material_points),
        cmocka_unit_test(friction_changes_no_momentum_of_the_two),
        cmocka_unit_test(tangents_turn_with_the_bodies),
        cmocka_unit_test(rows_slide_in_as_many_directions_as_there_are),
        cmocka_unit_test(friction_without_a_radius_is_told),
        cmocka_unit_test(a_ball_that_rolls_does_not_slip),
        cmocka_unit_test(a_bore_slides_on_its_pin_with_its_radius),
        cmocka_unit_test(tangents_turn_around_a_bore_without_a_jump),
        cmocka_unit_test(tangents_turn_over_a_ball_without_a_jump),
        cmocka_unit_test(a_ball_has_tangents_everywhere_but_at_its_centre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
