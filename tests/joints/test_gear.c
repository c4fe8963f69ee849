/* Gears: psi stays 0 along motions that the relation allows, over many turns, and tells the error
 * where it does not. */
#include "tests/joints/scene.h"

enum { SAMPLES = 200 };

/* Bodies on ground or on a carrier, with joints whose names are those of the bodies. */
typedef struct Train {
    FpWorld* world;
    const FpConstraint* gear;
} Train;

static FpBodyId add_wheel(FpWorld* world, const char* name, bool planar, FpVec3 at,
                          FpBodyId carrier, FpVec3 in_carrier) {
    FpRevoluteDef def = fp_revolute_def_default();
    def.joint =
        (FpJointDef){.name = name, .body = {scene_body(world, name, planar, at, NULL), carrier}};
    def.bore = scene_frame_z(0, 0, 0);
    def.pin = scene_frame_z(in_carrier.x, in_carrier.y, in_carrier.z);
    def.length = 0.1;
    scene_add(world, &fp_revolute_type, &def);
    return def.joint.body[0];
}

static void add_slider(FpWorld* world, const char* name, bool planar) {
    FpPrismaticDef def = fp_prismatic_def_default();
    def.joint = (FpJointDef){
        .name = name,
        .body = {scene_body(world, name, planar, fp_vec3(0, 0, 0), NULL), FREEPLAY_GROUND}};
    def.slider = def.guide = scene_frame_x(0, 0, 0);
    def.length = 0.1;
    scene_add(world, &fp_prismatic_type, &def);
}

static Train geared(FpWorld* world, const char* first, const char* second, FpGearDef def) {
    def.joint.name = "gear";
    def.coupled[0] = first;
    def.coupled[1] = second;
    scene_add(world, &fp_gear_type, &def);
    return (Train){world, scene_finish(world)};
}

static double psi_at(const Train* train, const double* q) {
    const double* blocks[FREEPLAY_CONSTRAINT_BLOCKS];
    double psi;
    fp_constraint_coordinates(fp_world_system(train->world), train->gear, q, blocks);
    train->gear->ops->value(train->gear, 0, blocks, &psi);
    return psi;
}

/* Two wheels of ground in the plane, at the angles x and y. */
static double wheels_at(const Train* train, double x, double y) {
    return psi_at(train, (const double[6]){0, 0, x, 1, 0, y});
}

static Train two_wheels(FpGearDef def) {
    FpWorld* world = scene_world();
    add_wheel(world, "a", true, fp_vec3(0, 0, 0), FREEPLAY_GROUND, fp_vec3(0, 0, 0));
    add_wheel(world, "b", true, fp_vec3(1, 0, 0), FREEPLAY_GROUND, fp_vec3(1, 0, 0));
    return geared(world, "a", "b", def);
}

/* 12 teeth mesh with 30: while the first turns by 30 s, the second turns back by 12 s. */
static void meshing_wheels_keep_their_ratio_over_many_turns(void** unused) {
    (void)unused;
    Train train = two_wheels((FpGearDef){.teeth = {12, 30}});
    assert_string_equal(train.gear->rows[0].label, "teeth");
    assert_int_equal(train.gear->rows[0].unit, FREEPLAY_ROW_ANGLE);
    for (int k = -SAMPLES; k <= SAMPLES; k++) {
        double s = 0.0137 * k; /* up to 13 turns of the first */
        assert_near(wheels_at(&train, 30 * s, -12 * s), 0, 1e-13);
        /* The error is the angle of the first wheel. */
        assert_near(wheels_at(&train, 30 * s + 1e-3, -12 * s), 1e-3, 1e-13);
        assert_near(wheels_at(&train, 30 * s, -12 * s + 1e-3), 2.5e-3, 1e-13);
    }
    /* Whole turns of either wheel are seen by nobody. */
    for (int k = -5; k <= 5; k++) assert_near(wheels_at(&train, 2 * pi * k, -2 * pi * k), 0, 1e-13);
    fp_world_destroy(train.world);
}

static void ring_gear_and_belt_turn_the_same_way(void** unused) {
    (void)unused;
    Train train = two_wheels((FpGearDef){.teeth = {12, -30}});
    for (int k = -SAMPLES; k <= SAMPLES; k++) {
        double s = 0.0137 * k;
        assert_near(wheels_at(&train, 30 * s, 12 * s), 0, 1e-13);
    }
    assert_near(fabs(wheels_at(&train, 0.03, -0.012)), 0.06, 1e-14); /* the wrong way */
    fp_world_destroy(train.world);
}

/* The same in space, about an axis that is none of the coordinate axes. */
static void wheels_in_space_turn_about_their_own_axes(void** unused) {
    (void)unused;
    FpWorld* world = scene_world();
    FpVec3 axis = fp_vec3(2.0 / 3, -1.0 / 3, 2.0 / 3);
    static const char* const names[2] = {"a", "b"};
    for (int k = 0; k < 2; k++) {
        FpRevoluteDef def = fp_revolute_def_default();
        FpBodyId body = scene_body(world, names[k], false, fp_vec3(k, 0, 0), NULL);
        def.joint = (FpJointDef){.name = names[k], .body = {body, FREEPLAY_GROUND}};
        def.bore = scene_frame(fp_vec3(0, 0, 0), axis, fp_vec3(0, 0, 0));
        def.length = 0.1;
        scene_add(world, &fp_revolute_type, &def);
    }
    Train train = geared(world, "a", "b", (FpGearDef){.teeth = {17, 40}});
    for (int k = -SAMPLES; k <= SAMPLES; k++) {
        double angle[2] = {40 * 0.0103 * k, -17 * 0.0103 * k}, q[14] = {0};
        q[7] = 1;
        for (int b = 0; b < 2; b++) {
            q[7 * b + 3] = cos(angle[b] / 2);
            fp_vec3_store(fp_vec3_scale(sin(angle[b] / 2), axis), q + 7 * b + 4);
        }
        assert_near(psi_at(&train, q), 0, 2e-13);
    }
    fp_world_destroy(train.world);
}

/* Sun and planet on an arm that turns, too: only angles against the arm count. */
static void gears_on_a_common_carrier_count_from_it(void** unused) {
    (void)unused;
    FpWorld* world = scene_world();
    FpVec3 here = fp_vec3(0, 0, 0), there = fp_vec3(1, 0, 0);
    FpBodyId arm = add_wheel(world, "arm", true, here, FREEPLAY_GROUND, here);
    add_wheel(world, "sun", true, here, arm, here);
    add_wheel(world, "planet", true, there, arm, there);
    Train train = geared(world, "sun", "planet", (FpGearDef){.teeth = {20, 16}});
    assert_int_equal(train.gear->block_count, 3); /* the arm is named once */
    for (int k = -SAMPLES; k <= SAMPLES; k++) {
        double phi = 0.071 * k, s = 0.0137 * k;
        const double q[9] = {0, 0, phi, 0, 0, phi + 16 * s, cos(phi), sin(phi), phi - 20 * s};
        assert_near(psi_at(&train, q), 0, 1e-13);
    }
    fp_world_destroy(train.world);
}

static void rack_travels_with_its_wheel(void** unused) {
    (void)unused;
    FpWorld* world = scene_world();
    add_wheel(world, "wheel", true, fp_vec3(0, 0, 0), FREEPLAY_GROUND, fp_vec3(0, 0, 0));
    add_slider(world, "rack", true);
    Train train = geared(world, "wheel", "rack", (FpGearDef){.travel_per_turn = 0.3});
    assert_string_equal(train.gear->rows[0].label, "travel per turn");
    assert_int_equal(train.gear->rows[0].unit, FREEPLAY_ROW_LENGTH);
    for (int k = -SAMPLES; k <= SAMPLES; k++) {
        double turns = 0.0613 * k;
        const double q[6] = {0, 0, 2 * pi * turns, 0.3 * turns, 0, 0};
        assert_near(psi_at(&train, q), 0, 1e-14);
        const double ahead[6] = {0, 0, 2 * pi * turns, 0.3 * turns + 0.01, 0, 0};
        assert_near(psi_at(&train, ahead), -0.01, 1e-14);
    }
    fp_world_destroy(train.world);
}

/* A screw is a sleeve whose own turning moves it along its pin. */
static void screw_couples_a_joint_with_itself(void** unused) {
    (void)unused;
    FpWorld* world = scene_world();
    FpCylindricalDef def = fp_cylindrical_def_default();
    def.joint = (FpJointDef){.name = "nut", .body = {0, FREEPLAY_GROUND}};
    scene_body(world, "nut", false, fp_vec3(0, 0, 0), NULL);
    def.sleeve = scene_frame_z(0, 0, 0);
    def.length = 0.1;
    scene_add(world, &fp_cylindrical_type, &def);
    Train train = geared(world, "nut", "nut", (FpGearDef){.travel_per_turn = -0.02});
    assert_int_equal(train.gear->block_count, 2);
    for (int k = -SAMPLES; k <= SAMPLES; k++) {
        double turns = 0.0613 * k;
        const double q[7] = {0, 0, -0.02 * turns, cos(pi * turns), 0, 0, sin(pi * turns)};
        assert_near(psi_at(&train, q), 0, 1e-15);
    }
    fp_world_destroy(train.world);
}

static void lever_couples_two_translations(void** unused) {
    (void)unused;
    FpWorld* world = scene_world();
    add_slider(world, "a", true);
    add_slider(world, "b", true);
    Train train = geared(world, "a", "b", (FpGearDef){.ratio = -2.5});
    assert_string_equal(train.gear->rows[0].label, "ratio");
    assert_near(psi_at(&train, (const double[6]){0.4, 0, 0, -1, 0, 0}), 0, 1e-15);
    assert_near(psi_at(&train, (const double[6]){0.4, 0, 0, 1, 0, 0}), -2, 1e-15);
    fp_world_destroy(train.world);
}

/* The values at the start are the zero, whatever they are. */
static void gear_counts_from_the_start(void** unused) {
    (void)unused;
    const double turned[4] = {cos(0.4), 0, 0, sin(0.4)};
    FpWorld* world = scene_world();
    FpRevoluteDef def = fp_revolute_def_default();
    def.joint = (FpJointDef){.name = "a", .body = {0, FREEPLAY_GROUND}};
    scene_body(world, "a", true, fp_vec3(0, 0, 0), turned);
    def.bore = def.pin = scene_frame_z(0, 0, 0);
    def.length = 0.1;
    scene_add(world, &fp_revolute_type, &def);
    add_slider(world, "b", true);
    Train train = geared(world, "a", "b", (FpGearDef){.travel_per_turn = 1});
    const FpSystem* system = fp_world_system(train.world);
    assert_near(system->q_initial[2], 0.8, 1e-15);
    assert_near(psi_at(&train, system->q_initial), 0, 1e-15);
    fp_world_destroy(train.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshing_wheels_keep_their_ratio_over_many_turns),
        cmocka_unit_test(ring_gear_and_belt_turn_the_same_way),
        cmocka_unit_test(wheels_in_space_turn_about_their_own_axes),
        cmocka_unit_test(gears_on_a_common_carrier_count_from_it),
        cmocka_unit_test(rack_travels_with_its_wheel),
        cmocka_unit_test(screw_couples_a_joint_with_itself),
        cmocka_unit_test(lever_couples_two_translations),
        cmocka_unit_test(gear_counts_from_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
