/* Every kind of joint field arrives where it should: what the rows of the joint then are. In models
 * ' stands for ". */
#include "tests/model/models.h"

#include <string.h>
#include "engine/constraint.h"

static const double pi = 3.14159265358979323846;

enum { MOST_ROWS = 32 };

/* The joints come between spatial bodies a, b and planar bodies p, s, all at the origin. */
static FpModel* load_joints(const char* joints) {
    char text[4000];
    snprintf(text, sizeof text,
             "{'bodies': [{'name': 'a', 'mass': 1, 'inertia': {'sphere': {'radius': 1}}},"
             "{'name': 'b', 'mass': 1, 'inertia': {'sphere': {'radius': 1}}},"
             "{'name': 'p', 'planar': true, 'mass': 1, 'inertia': {'zz': 1}},"
             "{'name': 's', 'planar': true, 'mass': 1, 'inertia': {'zz': 1}}],"
             "'joints': [%s]}",
             joints);
    return load_text(text);
}

static const FpConstraint* last_joint(const FpModel* model) {
    const FpSystem* system = fp_model_system(model);
    return system->constraints[system->constraint_count - 1];
}

/* The gaps of the last joint at the start. */
static const FpConstraint* gaps_at_start(const FpModel* model, double gaps[MOST_ROWS]) {
    const FpSystem* system = fp_model_system(model);
    const FpConstraint* joint = last_joint(model);
    assert_true(joint->row_count <= MOST_ROWS);
    fp_constraint_gaps(system, joint, 0, system->q_initial, gaps, NULL);
    return joint;
}

/* All gaps of a joint are the same. */
static void assert_gaps(const char* joint_text, int rows, double gap) {
    FpModel* model = load_joints(joint_text);
    double gaps[MOST_ROWS];
    const FpConstraint* joint = gaps_at_start(model, gaps);
    assert_int_equal(joint->row_count, rows);
    for (int i = 0; i < rows; i++) assert_near(gaps[i], gap, 1e-14);
    fp_model_destroy(model);
}

/* The ball is 1 mm beside the middle of a socket with 3 mm of play. */
static void points_are_vectors_or_objects(void** unused) {
    (void)unused;
    static const char* const balls[] = {"['1 mm', 0, 0]", "{'at': [0, '1 mm', 0]}",
                                        "[0, 0, 0.001]"};
    for (size_t i = 0; i < sizeof balls / sizeof balls[0]; i++) {
        char joint[300];
        snprintf(joint, sizeof joint,
                 "{'type': 'spherical', 'name': 'j', 'between': ['a', 'b'], 'ball': %s, "
                 "'socket': {'at': [0, 0, 0]}, 'clearance': '3 mm'}",
                 balls[i]);
        assert_gaps(joint, 1, 2e-3);
    }
    /* A point that is not given coincides with the other one. */
    assert_gaps("{'type': 'spherical', 'name': 'j', 'between': ['a', 'b'], 'ball': [1, 2, 3]}", 3,
                0);
}

/* A box of 2 m x 4 m x 6 m whose middle is 5 m above a plane: the corners are 2 m and 8 m above it.
 */
static void vectors_have_the_unit_of_their_field(void** unused) {
    (void)unused;
    FpModel* model =
        load_joints("{'type': 'plane_contact', 'name': 'j', 'between': ['a', 'ground'], "
                    "'point': {'at': [0, 0, 5], 'axis': [0, 0, 1], 'x_axis': [1, 0, 0]}, "
                    "'plane': {'axis': [0, 0, 1]}, 'box': ['200 cm', 4, '6000 mm']}");
    double gaps[MOST_ROWS];
    assert_int_equal(gaps_at_start(model, gaps)->row_count, 8);
    for (int i = 0; i < 8; i++) assert_near(gaps[i], i < 4 ? 2 : 8, 1e-14);
    fp_model_destroy(model);
}

static void choices_are_names(void** unused) {
    (void)unused;
    static const char hinge[] = "{'type': 'revolute', 'name': 'j', 'between': ['a', 'b'], "
                                "'bore': {'axis': [0, 0, 1]}, 'length': 1, 'axial': '%s'}";
    static const struct {
        const char* axial;
        int rows; /* x and y at both ends, and one along the axis unless it slides */
    } rows[] = {{"stops", 5}, {"free", 4}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char joint[300];
        snprintf(joint, sizeof joint, hinge, rows[i].axial);
        assert_gaps(joint, rows[i].rows, 0);
    }
}

/* A turn of the first body by a = 1 mrad about x moves its points at z = -1 m along y by a, and
 * those of the second body by -a, seen from the first. Back corner 2 of the triangle is at the
 * lower left, and its first face is the bottom, so its gap grows by a where the prism is on the
 * first body. */
static void either_body_carries_the_inner_prism(void** unused) {
    (void)unused;
    static const char* const inner[] = {"slider", "guide"};
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "{'type': 'prismatic', 'name': 'j', 'between': ['a', 'b'], 'slider': {'axis': [0, "
                 "0, 1]}, 'inner': '%s', 'length': 2, 'profile': {'regular': 3, 'side': 1}, "
                 "'clearance': '1 cm'}",
                 inner[k]);
        FpModel* model = load_joints(text);
        const FpSystem* system = fp_model_system(model);
        const FpConstraint* joint = last_joint(model);
        double q[40], gaps[MOST_ROWS];
        memcpy(q, system->q_initial, (size_t)system->q_count * sizeof *q);
        q[3] = cos(0.5e-3);
        q[4] = sin(0.5e-3);
        fp_constraint_gaps(system, joint, 0, q, gaps, NULL);
        assert_near(gaps[2] - 0.01, k == 0 ? 1e-3 : -1e-3, 2e-6);
        fp_model_destroy(model);
    }
}

/* Equal triangles in every form: with the inner side e_i and the outer side e_j the faces are
 * (e_j - e_i)/(2 sqrt 3) apart, errata of the paper, 10. */
static void profiles_have_three_forms(void** unused) {
    (void)unused;
    static const char* const forms[] = {
        "'profile': {'regular': 3, 'side': '17.32 m'}, 'guide_profile': {'regular': 3, 'side': "
        "17.67}",
        /* Corner 1 on top; the middle of the triangle is the origin. */
        "'profile': {'corners': [[0, '=17.32/sqrt(3)'], [-8.66, '=-17.32/sqrt(12)'], "
        "[8.66, '=-17.32/sqrt(12)']]}, 'guide_profile': {'regular': 3, 'side': 17.67}"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char joint[600];
        snprintf(joint, sizeof joint,
                 "{'type': 'prismatic', 'name': 'j', 'between': ['a', 'b'], 'slider': {'axis': "
                 "[0, 0, 1], 'x_axis': [1, 0, 0]}, 'length': 20, %s}",
                 forms[i]);
        assert_gaps(joint, 12, (17.67 - 17.32) / (2 * sqrt(3)));
    }
    /* A clearance moves every face of a rectangle outwards by itself. */
    assert_gaps("{'type': 'prismatic', 'name': 'j', 'between': ['a', 'b'], 'slider': {'axis': "
                "[0, 0, 1]}, 'length': 1, 'profile': {'rectangle': ['30 cm', 0.2]}, "
                "'clearance': '2 mm'}",
                16, 2e-3);
}

/* A rectangle of 30 cm x 20 cm in one of 32 cm x 24 cm leaves 1 cm beside and 2 cm above. */
static void rectangles_are_width_and_height(void** unused) {
    (void)unused;
    FpModel* model = load_joints(
        "{'type': 'prismatic', 'name': 'j', 'between': ['a', 'b'], 'slider': {'axis': [0, 0, 1], "
        "'x_axis': [1, 0, 0]}, 'length': 1, 'profile': {'rectangle': [0.3, 0.2]}, "
        "'guide_profile': {'rectangle': [0.32, 0.24]}}");
    double gaps[MOST_ROWS];
    const FpConstraint* joint = gaps_at_start(model, gaps);
    assert_int_equal(joint->row_count, 16);
    int beside = 0;
    for (int i = 0; i < 16; i++) {
        beside += fabs(gaps[i] - 0.01) < 1e-14;
        assert_near(fabs(gaps[i] - 0.015), 0.005, 1e-14);
    }
    assert_int_equal(beside, 8);
    fp_model_destroy(model);
}

/* Value of the last joint's only row at time t, with body p at x and s turned by phi. */
static double row_at(const FpModel* model, double t, double x, double p_phi, double s_phi) {
    const FpSystem* system = fp_model_system(model);
    double q[40], gap;
    memcpy(q, system->q_initial, (size_t)system->q_count * sizeof *q);
    double *p = q + system->blocks[2].q_at, *s = q + system->blocks[3].q_at;
    p[0] = x;
    p[2] = p_phi;
    s[2] = s_phi;
    const FpConstraint* joint = last_joint(model);
    assert_int_equal(joint->row_count, 1);
    fp_constraint_gaps(system, joint, t, q, &gap, NULL);
    return gap;
}

#define SLIDE                                                                                  \
    "{'type': 'point_on_line', 'name': 'slide', 'between': ['p', 'ground'], 'line': {'axis': " \
    "[1, 0, 0]}}"
#define TURN_P                                                                                   \
    "{'type': 'revolute', 'name': 'turn_p', 'between': ['p', 'ground'], 'pin': {'axis': [0, 0, " \
    "1]}}"
#define TURN_S                                                                                   \
    "{'type': 'revolute', 'name': 'turn_s', 'between': ['s', 'ground'], 'pin': {'axis': [0, 0, " \
    "1]}}"

/* Joints/gear.h: (n1 x1 + n2 x2)/n1, x1 l/(2 pi) - x2, r x1 - x2. */
static void counts_and_names_of_two_joints_make_gears(void** unused) {
    (void)unused;
    FpModel* model = load_joints(
        TURN_P
        "," TURN_S
        ", {'type': 'gear', 'name': 'j', 'joints': ['turn_p', 'turn_s'], 'teeth': [20, '-40']}");
    assert_near(row_at(model, 0, 0, 0.1, 0.03), 0.1 - 2 * 0.03, 1e-14);
    assert_int_equal(last_joint(model)->rows[0].unit, FREEPLAY_ROW_ANGLE);
    fp_model_destroy(model);
    model = load_joints(TURN_S "," SLIDE ", {'type': 'gear', 'name': 'j', 'joints': ['turn_s', "
                               "'slide'], 'travel_per_turn': '5 mm'}");
    assert_near(row_at(model, 0, 1e-3, 0, 0.3), 0.3 * 5e-3 / (2 * pi) - 1e-3, 1e-16);
    fp_model_destroy(model);
    model = load_joints(SLIDE ", {'type': 'cylindrical', 'name': 'sleeve', 'between': ['a', "
                              "'ground'], 'pin': {'axis': [0, 0, 1]}, 'length': 1}, {'type': "
                              "'gear', 'name': 'j', 'joints': ['slide', 'sleeve'], 'ratio': 3}");
    assert_near(row_at(model, 0, 1e-3, 0, 0), 3e-3, 1e-16);
    fp_model_destroy(model);
}

static void assert_driver(const char* motion, double t, double x, double phi, double expected) {
    char joints[600];
    snprintf(joints, sizeof joints,
             SLIDE "," TURN_S ", {'type': 'driver', 'name': 'j', 'joint': '%s', %s}",
             strstr(motion, "rotation") ? "turn_s" : "slide", motion);
    FpModel* model = load_joints(joints);
    assert_near(row_at(model, t, x, 0, phi), expected, 1e-14);
    fp_model_destroy(model);
}

/* The row is the motion of the joint less the prescribed one, joints/joint.h. */
static void motions_have_three_forms(void** unused) {
    (void)unused;
    assert_driver("'rotation': {'speed': '60 rpm'}", 0.01, 0, 0.5, 0.5 - 2 * pi * 0.01);
    assert_driver("'translation': {'speed': '36 km/h'}", 0.1, 3, 0, 3 - 1);
    assert_driver("'rotation': {'amplitude': '30 deg', 'frequency': '2 Hz'}", 0.125, 0, 0, -pi / 6);
    assert_driver("'translation': {'amplitude': '1 cm', 'frequency': 2, 'phase': '90 deg'}", 0.125,
                  0, 0, 0.01);
    /* Two values: Hermite's cubic at rest at both ends, 3 s^2 - 2 s^3, which is 5/32 at s = 1/4. */
    const char* table = "'translation': {'times': [1, '3000 ms'], 'values': ['2 cm', 0.06]}";
    assert_driver(table, 0, 0, 0, 0);
    assert_driver(table, 1.5, 0, 0, -0.04 * 5 / 32);
    assert_driver(table, 9, 0, 0, -0.04);
}

static void contact_laws_reach_the_loose_rows(void** unused) {
    (void)unused;
    FpModel* model = load_joints(
        "{'type': 'revolute', 'name': 'j', 'between': ['a', 'b'], 'bore': {'axis': [0, 0, 1]}, "
        "'length': 1, 'clearance': '1 mm', 'friction': 0.3, 'restitution': '40 %', "
        "'tangential_restitution': '20 %', 'friction_law': 'coulomb-contensou', "
        "'contact_radius': '2 mm'}");
    const FpConstraint* joint = last_joint(model);
    assert_int_equal(joint->row_count, 3);
    for (int i = 0; i < 3; i++) {
        bool is_loose = joint->rows[i].kind == FREEPLAY_ROW_UNILATERAL;
        assert_int_equal(is_loose, i < 2);
        assert_near(joint->rows[i].friction, is_loose ? 0.3 : 0, 0);
        assert_near(joint->rows[i].restitution, is_loose ? 0.4 : 0, 1e-16);
        assert_near(joint->rows[i].tangential_restitution, is_loose ? 0.2 : 0, 1e-16);
        assert_int_equal(joint->rows[i].slip_count, is_loose ? 3 : 0);
    }
    fp_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_vectors_or_objects),
        cmocka_unit_test(vectors_have_the_unit_of_their_field),
        cmocka_unit_test(choices_are_names),
        cmocka_unit_test(either_body_carries_the_inner_prism),
        cmocka_unit_test(profiles_have_three_forms),
        cmocka_unit_test(rectangles_are_width_and_height),
        cmocka_unit_test(counts_and_names_of_two_joints_make_gears),
        cmocka_unit_test(motions_have_three_forms),
        cmocka_unit_test(contact_laws_reach_the_loose_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
