/* Planar bodies in model files: their short forms, and what they refuse. In models ' stands for ".
 * Bodies in space are in test_model.c. */
#include "tests/model/refusals.h"

static const double pi = 3.14159265358979323846;

/* A planar body with the fields given and inertia about z of 0.3 kg m^2, without gravity. */
static FpModel* load_planar(const char* fields, const char* more) {
    char text[1000];
    snprintf(text, sizeof text,
             "{'gravity': [0, 0, 0], 'bodies': [{'name': 'p', 'planar': true, 'mass': '2 kg', %s}]"
             "%s}",
             fields, more);
    return load_text(text);
}

static void assert_motion(const char* fields, const double q[3], const double v[3]) {
    char text[500];
    snprintf(text, sizeof text, "'inertia': {'zz': 1}%s%s", fields[0] ? ", " : "", fields);
    FpModel* model = load_planar(text, "");
    const FpSystem* system = fp_model_system(model);
    assert_int_equal(system->q_count, 3);
    assert_int_equal(system->v_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_near(system->q_initial[i], q[i], 1e-15);
        assert_near(system->v_initial[i], v[i], 1e-14);
    }
    fp_model_destroy(model);
}

static void planar_bodies_start_anywhere_in_the_plane(void** unused) {
    (void)unused;
    const double rest[3] = {0, 0, 0};
    assert_motion("", rest, rest);
    assert_motion("'position': ['10 cm', 2]", (double[]){0.1, 2, 0}, rest);
    assert_motion("'position': ['10 cm', 2, 0]", (double[]){0.1, 2, 0}, rest);
    assert_motion("'velocity': [1, '36 km/h']", rest, (double[]){1, 10, 0});
    assert_motion("'velocity': [1, 2, 0]", rest, (double[]){1, 2, 0});
}

static void planar_bodies_turn_by_an_angle(void** unused) {
    (void)unused;
    const double rest[3] = {0, 0, 0}, turned[3] = {0, 0, pi / 6}, spinning[3] = {0, 0, 50 * pi};
    assert_motion("'orientation': '30 deg'", turned, rest);
    assert_motion("'orientation': 0.25", (double[]){0, 0, 0.25}, rest);
    assert_motion("'orientation': {'axis': [0, 0, 2], 'angle': '30 deg'}", turned, rest);
    assert_motion("'orientation': ['=cos(15 deg)', 0, 0, '=sin(15 deg)']", turned, rest);
    assert_motion("'angular_velocity': '1500 rpm'", rest, spinning);
    assert_motion("'angular_velocity': [0, 0, '1500 rpm']", rest, spinning);
}

/* m = 12 in test_model.c, here 2 kg: box m/12 (x^2 + y^2), which is 5/6 for 1 m x 2 m. */
static void only_the_moment_about_z_counts(void** unused) {
    (void)unused;
    static const struct {
        const char* inertia;
        double zz;
    } rows[] = {{"{'zz': '0.3 kg m^2'}", 0.3},
                {"{'box': [1, 2, 0]}", 5.0 / 6},
                {"{'principal': [0, 0, 3]}", 3},
                {"{'matrix': [[1, 0, 0], [0, 1, 0], [0, 0, 9]]}", 9}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char fields[200];
        snprintf(fields, sizeof fields, "'inertia': %s", rows[i].inertia);
        FpModel* model = load_planar(fields, "");
        const FpSystem* system = fp_model_system(model);
        double M[9];
        assert_int_equal(system->ops->mass(system->self, 0, system->q_initial, M), FREEPLAY_OK);
        assert_near(M[0], 2, 0);
        assert_near(M[4], 2, 0);
        assert_near(M[8], rows[i].zz, 1e-15);
        fp_model_destroy(model);
    }
}

/* The body is turned by 90 degrees: its x axis is the global y axis. A force F at s has the torque
 * s x A^T F. */
static void forces_on_planar_bodies_may_leave_out_z(void** unused) {
    (void)unused;
    static const struct {
        const char* load;
        double f[3];
    } rows[] = {
        {"'force': [3, '4 N']", {3, 4, 0}},
        {"'force': [3, 4, 5], 'at': [1, 0, 0]", {3, 4, -3}},
        {"'force': [3, 0], 'frame': 'body'", {0, 3, 0}},
        {"'force': {'times': [0, 1], 'values': [[3, 4], [0, 0, 0]]}", {3, 4, 0}},
        {"'torque': [0, 0, '7 N m']", {0, 0, 7}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char loads[300];
        snprintf(loads, sizeof loads, ", 'loads': [{'body': 'p', %s}]", rows[i].load);
        FpModel* model = load_planar("'inertia': {'zz': 1}, 'orientation': '90 deg'", loads);
        const FpSystem* system = fp_model_system(model);
        double f[3];
        assert_int_equal(
            system->ops->force(system->self, 0, system->q_initial, system->v_initial, f),
            FREEPLAY_OK);
        for (int k = 0; k < 3; k++) assert_near(f[k], rows[i].f[k], 1e-14);
        fp_model_destroy(model);
    }
}

static const char base[] = "{\n"
                           "  'bodies': [\n"
                           "    {'name': 'p', 'planar': true, 'mass': 1, 'inertia': {'zz': 1},\n"
                           "     'position': [1, 2], 'orientation': '30 deg',\n"
                           "     'velocity': [0, 1], 'angular_velocity': 2},\n"
                           "    {'name': 'b', 'mass': 1, 'inertia': {'sphere': {'radius': 1}}}\n"
                           "  ],\n"
                           "  'loads': [{'body': 'p', 'force': [1, 0]}]\n"
                           "}\n";

static void planar_bodies_that_cannot_be(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"true", "1", "3:29: bodies[0].planar", "is a number; true or false is needed"},
        {"[1, 2]", "[1]", "4:18: bodies[0].position",
         "has 1 element; an array of 2 or 3 numbers is needed"},
        {"[1, 2]", "[1, 2, 3]", "4:18: bodies[0].position", "is in the plane z = 0, not 3 m"},
        {"[0, 1]", "[0, 1, 2, 3]", "5:18: bodies[0].velocity",
         "has 4 elements; an array of 2 or 3"},
        {"[0, 1]", "[0, 1, 2]", "5:18: bodies[0].velocity", "does not move along z"},
        {"'30 deg'", "'30 m'", "4:41: bodies[0].orientation",
         "'30 m' is a length (m); an angle (rad) is needed here"},
        {"'30 deg'", "true", "4:41: bodies[0].orientation", "is true; an angle about z"},
        {"'30 deg'", "{'axis': [1, 0, 0], 'angle': 1}", "4:41: bodies[0].orientation",
         "turns about z alone"},
        {"'angular_velocity': 2", "'angular_velocity': [1, 0, 0]",
         "5:46: bodies[0].angular_velocity", "turns about z alone"},
        {"'angular_velocity': 2", "'angular_velocity': '2 Hz'", "5:46: bodies[0].angular_velocity",
         "an angular velocity (rad/s) is needed"},
        {"{'zz': 1}", "{'zz': -1}", "3:57: bodies[0].inertia",
         "the moment about z must be positive, is -1 kg m^2"},
        {"{'zz': 1}", "{'zz': 1, 'box': [1, 1, 1]}", "3:57: bodies[0].inertia",
         "has several forms"},
        {"[1, 0]", "[1]", "8:36: loads[0].force", "an array of 2 or 3 numbers is needed"},
        {"'force'", "'torque'", "8:37: loads[0].torque", "an array of 3 numbers is needed"},
    };
    assert_accepted("base.json", base);
    ASSERT_REFUSALS(base, rows);
}

static void bodies_in_space_need_all_their_numbers(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"true", "false", "3:59: bodies[0].inertia.zz",
         "is not enough in space; give another form, or make the body planar by"},
        {"'sphere': {'radius': 1}", "'zz': 1", "6:42: bodies[1].inertia.zz",
         "is not enough in space"},
        {"{'sphere': {'radius': 1}}", "{'sphere': {'radius': 1}}, 'position': [1, 2]",
         "6:80: bodies[1].position", "has 2 elements; an array of 3 numbers is needed"},
        {"{'sphere': {'radius': 1}}", "{'sphere': {'radius': 1}}, 'orientation': 1",
         "6:83: bodies[1].orientation", "is a number; an array of Euler parameters"},
        {"{'sphere': {'radius': 1}}", "{'sphere': {'radius': 1}}, 'angular_velocity': 1",
         "6:88: bodies[1].angular_velocity", "is a number; an array of 3 numbers"},
        {"'body': 'p'", "'body': 'b'", "8:36: loads[0].force", "has 2 elements; an array of 3"},
    };
    ASSERT_REFUSALS(base, rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planar_bodies_start_anywhere_in_the_plane),
        cmocka_unit_test(planar_bodies_turn_by_an_angle),
        cmocka_unit_test(only_the_moment_about_z_counts),
        cmocka_unit_test(forces_on_planar_bodies_may_leave_out_z),
        cmocka_unit_test(planar_bodies_that_cannot_be),
        cmocka_unit_test(bodies_in_space_need_all_their_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
