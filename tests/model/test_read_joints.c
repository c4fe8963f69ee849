/* Joints that model files cannot have: what is refused, where, and in which words. In models '
 * stands for ". */
#include "tests/model/refusals.h"

static const char base[] =
    "{\n"
    "  'bodies': [{'name': 'a', 'mass': 1, 'inertia': {'sphere': {'radius': 1}}},\n"
    "    {'name': 'b', 'mass': 1, 'inertia': {'sphere': {'radius': 1}}},\n"
    "    {'name': 'p', 'planar': true, 'mass': 1, 'inertia': {'zz': 1}}],\n"
    "  'joints': [\n"
    "    {'type': 'prismatic', 'name': 'guide', 'between': ['a', 'ground'],\n"
    "     'guide': {'axis': [0, 0, 1], 'x_axis': [1, 0, 0]}, 'length': 2, 'inner': 'slider',\n"
    "     'profile': {'regular': 3, 'side': 1},\n"
    "     'guide_profile': {'regular': 3, 'side': 1.1}},\n"
    "    {'type': 'cylindrical', 'name': 'sleeve', 'between': ['b', 'ground'],\n"
    "     'pin': {'axis': [0, 0, 1]}, 'length': 1, 'clearance': '1 mm'},\n"
    "    {'type': 'spherical', 'name': 'ball', 'between': ['a', 'b'],\n"
    "     'ball': [0, 0, 0], 'clearance': '1 mm', 'friction': 0.1},\n"
    "    {'type': 'fixed', 'name': 'weld', 'between': ['p', 'ground'],\n"
    "     'second': {'axis': [0, 0, 1]}},\n"
    "    {'type': 'plane_contact', 'name': 'floor', 'between': ['a', 'b'],\n"
    "     'point': {'at': [0, 0, 3], 'axis': [0, 0, 1]}, 'plane': {'axis': [0, 0, 1]},\n"
    "     'box': [1, 1, 1]},\n"
    "    {'type': 'gear', 'name': 'screw', 'joints': ['sleeve', 'guide'],\n"
    "     'travel_per_turn': '5 mm'},\n"
    "    {'type': 'driver', 'name': 'motor', 'joint': 'sleeve',\n"
    "     'rotation': {'times': [0, 1], 'values': [0, 2]}}\n"
    "  ]\n"
    "}\n";

static void the_base_model_is_fine(void** unused) {
    (void)unused;
    assert_accepted("base.json", base);
}

static void profiles_that_cannot_be(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"{'regular': 3, 'side': 1}", "{'corners': [[0, 0], [1, 0]]}",
         "8:29: joints[0].profile.corners",
         "joint 'guide': has 2 corners; a profile needs 3 to 64"},
        {"{'regular': 3, 'side': 1}", "{'corners': []}", "8:29: joints[0].profile.corners",
         "has 0 corners; a profile needs 3"},
        {"{'regular': 3, 'side': 1}", "{'corners': [[0, 0], [1], [0, 1]]}",
         "8:38: joints[0].profile.corners[1]", "has 1 element; an array of 2 numbers is needed"},
        /* An arrow head: corner 3 is inside the triangle of the others. */
        {"{'regular': 3, 'side': 1}", "{'corners': [[0, 1], [-1, -1], [0, 0], [1, -1]]}",
         "8:17: joints[0].profile",
         "joint 'guide': is not convex at corner 3, (0, 0) m; the corners of a convex polygon are "
         "needed, counter-clockwise"},
        {"{'regular': 3, 'side': 1}", "{'corners': [[0, 1], [1, 0], [-1, 0]]}",
         "8:17: joints[0].profile", "is not convex at corner 1"},
        {"'side': 1.1", "'side': 0.9", "9:23: joints[0].guide_profile",
         "joint 'guide': the inner profile is larger than the guide: its corner 1 is "},
        {"{'regular': 3, 'side': 1.1}", "{'rectangle': [2, 2]}", "9:23: joints[0].guide_profile",
         "has 4 corners, the inner profile 3; both need the same number"},
        {"'regular': 3", "'regular': 2", "8:29: joints[0].profile.regular",
         "joint 'guide': is 2; a whole number from 3 to 64 is needed"},
        {"'regular': 3", "'regular': 3.5", "8:29: joints[0].profile.regular",
         "is 3.5; a whole number from 3 to 64 is needed"},
        {"'regular': 3", "'regular': '3 m'", "8:29: joints[0].profile.regular",
         "is a length (m); a number without unit is needed"},
        {", 'side': 1}", "}", "8:17: joints[0].profile.side", "is missing; a length (m)"},
        {"'side': 1}", "'side': '-1 cm'}", "8:40: joints[0].profile.side",
         "is -0.01 m; it must be positive"},
        {"{'regular': 3, 'side': 1}", "{'rectangle': [1, 0]}",
         "8:35: joints[0].profile.rectangle[1]", "is 0 m; it must be positive"},
        {"{'regular': 3, 'side': 1}", "{'rectangle': [1, 1], 'side': 1}", "8:17: joints[0].profile",
         "has several forms; an object with exactly one of regular and side, rectangle, corners"},
        {"{'regular': 3, 'side': 1}", "{}", "8:17: joints[0].profile",
         "is empty; an object with exactly one of regular and side"},
        {"{'regular': 3, 'side': 1}", "[[0, 0], [1, 0], [0, 1]]", "8:17: joints[0].profile",
         "is an array; an object { ... } is needed"},
        {"{'regular': 3, 'side': 1}", "{'regulr': 3}", "8:18: joints[0].profile.regulr",
         "unknown field; did you mean 'regular'?"},
        {"     'profile': {'regular': 3, 'side': 1},\n", "", "6:5: joints[0].profile",
         "joint 'guide': must be given: section of the inner prism"},
    };
    ASSERT_REFUSALS(base, rows);
}

static void clearances_that_swallow_the_joint(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"'1 mm'}", "0.5}", "11:60: joints[1].clearance",
         "joint 'sleeve': a clearance of 0.5 m swallows the joint; it must be below half the "
         "length "
         "of the sleeve, 0.5 m"},
        {"'1 mm'}", "0.01, 'radius': 0.01}", "11:60: joints[1].clearance",
         "it must be below the radius of the bore, 0.01 m"},
        /* The inner radius of a triangle with the side 1 is 1/sqrt(12). */
        {"'guide_profile': {'regular': 3, 'side': 1.1}", "'clearance': 0.3",
         "9:19: joints[0].clearance",
         "it must be below the inner radius of the profile, 0.288675 m"},
        {"'guide_profile'", "'clearance': 0.01, 'guide_profile'", "9:19: joints[0].clearance",
         "give a clearance or a guide profile, not both"},
        {"'clearance': '1 mm', 'friction'", "'clearance': 1, 'radius': 1, 'friction'",
         "13:38: joints[2].clearance", "it must be below the radius of the ball, 1 m"},
        {"'1 mm'}", "'-1 mm'}", "11:60: joints[1].clearance",
         "joint 'sleeve': must be zero or positive, is -0.001 m"},
    };
    ASSERT_REFUSALS(base, rows);
}

static void fields_that_a_type_does_not_have(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"'second': {", "'friction': 0.1, 'second': {", "15:6: joints[3].friction",
         "unknown field; possible: type, name, between, first, second"},
        {"'joint': 'sleeve'", "'between': ['a', 'b']", "21:41: joints[6].between",
         "unknown field; possible: type, name, joint, rotation, translation"},
        {"'travel_per_turn'", "'restitution': 1, 'travel_per_turn'", "20:6: joints[5].restitution",
         "unknown field; possible: type, name, joints, teeth, travel_per_turn, ratio"},
        {"'friction': 0.1", "'friction': -0.1", "13:58: joints[2].friction",
         "joint 'ball': must be zero or positive, is -0.1"},
        {"'friction': 0.1", "'restitution': 1.5", "13:61: joints[2].restitution",
         "joint 'ball': must be from 0 to 1, is 1.5"},
        {"'friction': 0.1", "'tangential_restitution': 0.5",
         "13:72: joints[2].tangential_restitution",
         "joint 'ball': needs friction: without it nothing acts along the surface"},
        {"'friction': 0.1", "'friction': 0.1, 'tangential_restitution': -0.5",
         "13:89: joints[2].tangential_restitution", "joint 'ball': must be from 0 to 1, is -0.5"},
        {"'friction': 0.1", "'friction': 0.1, 'friction_law': 'coulomb-contensou'",
         "12:5: joints[2].contact_radius", "joint 'ball': is missing for drilling friction"},
        {"'friction': 0.1", "'friction': 0.1, 'contact_radius': '1 mm'",
         "13:81: joints[2].contact_radius",
         "joint 'ball': is for friction_law 'coulomb-contensou' only"},
        {"'friction': 0.1",
         "'friction': 0.1, 'friction_law': 'coulomb-contensou', 'contact_radius': -1",
         "13:118: joints[2].contact_radius", "joint 'ball': must be zero or positive, is -1 m"},
        {"'friction': 0.1", "'friction': 0.1, 'friction_law': 'amontons'",
         "13:79: joints[2].friction_law", "possible: coulomb, coulomb-contensou"},
        {"'friction': 0.1", "'friction': '1 N'", "13:58: joints[2].friction",
         "a number without unit is needed"},
        {"'inner'", "'width': 1, 'inner'", "7:79: joints[0].width",
         "joint 'guide': only a block between planar bodies has a width"},
    };
    ASSERT_REFUSALS(base, rows);
}

static void points_vectors_and_choices_that_are_wrong(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"'ball': [0, 0, 0]", "'ball': [0, 0]", "13:14: joints[2].ball",
         "has 2 elements; an array of 3 numbers is needed"},
        {"'ball': [0, 0, 0]", "'ball': {'at': [0, '1 kg', 0]}", "13:25: joints[2].ball.at[1]",
         "is a mass (kg); a length (m) is needed"},
        {"'ball': [0, 0, 0]", "'ball': {'at': [0, 0, 0], 'axis': [0, 0, 1]}",
         "13:32: joints[2].ball.axis", "unknown field; possible: at"},
        {"'ball': [0, 0, 0]", "'ball': {}", "13:14: joints[2].ball.at",
         "is missing; an array of 3"},
        {"'ball': [0, 0, 0]", "'ball': 0", "13:14: joints[2].ball",
         "is a number; a point, [x, y, z] or {\"at\": [x, y, z]}, is needed"},
        {"'ball': [0, 0, 0], ", "", "12:5: joints[2].ball",
         "joint 'ball': give 'ball', 'socket' or both"},
        {"'box': [1, 1, 1]", "'box': [1, 1]", "18:13: joints[4].box",
         "has 2 elements; an array of 3 numbers is needed"},
        {"'box': [1, 1, 1]", "'box': [1, '1 s', 1]", "18:17: joints[4].box[1]", "is a time (s)"},
        {"'box': [1, 1, 1]", "'box': [1, 1, 1], 'radius': 1", "18:13: joints[4].box",
         "joint 'floor': give a radius or a box, not both"},
        /* Corners half an edge, 0.5 m, below the middle, which is 0.2 m above the plane. */
        {"'at': [0, 0, 3]", "'at': [0, 0, 0.2]", "16:5: joints[4]",
         "joint 'floor': row 0 (corner -x -y -z) penetrates by 0.3 m at the start; move"},
        {"'plane': {'axis': [0, 0, 1]},\n", "\n", "16:5: joints[4].plane",
         "is missing; needed: a point and the outward normal"},
        {"'inner': 'slider'", "'inner': 'slidr'", "7:79: joints[0].inner",
         "unknown inner 'slidr'; did you mean 'slider'? Possible: slider, guide"},
        {"'inner': 'slider'", "'inner': 0", "7:79: joints[0].inner", "is a number; a string"},
    };
    ASSERT_REFUSALS(base, rows);
}

static void bodies_that_a_joint_cannot_connect(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"['a', 'b'],\n     'ball'", "['a', 'a'],\n     'ball'", "12:54: joints[2].between",
         "joint 'ball' connects two bodies, or a body and ground; both are 'a'"},
        {"['a', 'b'],\n     'ball'", "['a', 'c'],\n     'ball'", "12:60: joints[2].between[1]",
         "there is no body 'c'; possible: ground, a, b, p"},
        {"'second': {'axis': [0, 0, 1]}", "'second': {'axis': [0, 1, 1]}",
         "15:16: joints[3].second", "joint 'weld': between planar bodies the axis must be along z"},
    };
    ASSERT_REFUSALS(base, rows);
}

static void gears_that_cannot_be(void** unused) {
    (void)unused;
    static const Refusal rows[] = {
        {"['sleeve', 'guide']", "['sleeve', 'gide']", "19:60: joints[5].joints[1]",
         "there is no joint 'gide' before this one; did you mean 'guide'? Possible: guide, sleeve, "
         "ball, weld, floor"},
        {"['sleeve', 'guide']", "['sleeve', 'motor']", "19:60: joints[5].joints[1]",
         "there is no joint 'motor' before this one"},
        {"['sleeve', 'guide']", "['sleeve']", "19:49: joints[5].joints",
         "has 1 element; an array of two names of joints is needed"},
        {"['sleeve', 'guide']", "'sleeve'", "19:49: joints[5].joints", "is a string; an array"},
        {"['sleeve', 'guide']", "['guide', 'sleeve']", "19:49: joints[5].joints",
         "joint 'screw': joint 'guide' (prismatic) has no freedom of rotation"},
        {"'travel_per_turn': '5 mm'", "'teeth': [1, 2, 3]", "20:15: joints[5].teeth",
         "has 3 elements; an array of two whole numbers is needed"},
        {"'travel_per_turn': '5 mm'", "'teeth': [1, 2.5]", "20:19: joints[5].teeth[1]",
         "is 2.5; a whole number from -1000000 to 1000000 is needed"},
        {"'travel_per_turn': '5 mm'", "'teeth': [1, 0]", "20:15: joints[5].teeth",
         "joint 'screw': both numbers must differ from 0"},
        {"'travel_per_turn': '5 mm'", "'ratio': 1, 'teeth': [1, 2]", "20:27: joints[5].teeth",
         "joint 'screw': give one of 'teeth', 'travel_per_turn' and 'ratio'"},
    };
    ASSERT_REFUSALS(base, rows);
}

static void drivers_that_cannot_be(void** unused) {
    (void)unused;
    static const char table[] = "{'times': [0, 1], 'values': [0, 2]}";
    static const Refusal rows[] = {
        {"'joint': 'sleeve'", "'joint': 'sleve'", "21:50: joints[6].joint",
         "there is no joint 'sleve' before this one; did you mean 'sleeve'?"},
        {"'joint': 'sleeve'", "'joint': 'motor'", "21:50: joints[6].joint",
         "there is no joint 'motor' before this one"},
        {"'joint': 'sleeve'", "'joint': 'guide'", "21:50: joints[6].joint",
         "joint 'motor': joint 'guide' (prismatic) has no freedom of rotation"},
        {"'joint': 'sleeve',\n     'rotation'", "'joint': 'ball',\n     'translation'",
         "21:50: joints[6].joint", "joint 'ball' (spherical) has no freedom of translation"},
        {"'joint': 'sleeve'", "'joint': 'screw'", "21:50: joints[6].joint",
         "joint 'screw' (gear) has no freedom of rotation"},
        {", 'joint': 'sleeve'", "", "21:5: joints[6].joint",
         "is missing; needed: the joint that is driven, defined before"},
        {"'rotation'", "'translation': {'speed': 1}, 'rotation'", "22:47: joints[6].rotation",
         "joint 'motor': give either 'rotation' or 'translation'"},
        {table, "{'speed': '1 m/s'}", "22:28: joints[6].rotation.speed",
         "an angular velocity (rad/s) is needed"},
        {table, "{'amplitude': '1 m', 'frequency': 1}", "22:32: joints[6].rotation.amplitude",
         "is a length (m); an angle (rad) is needed"},
        {table, "{'amplitude': 1}", "22:18: joints[6].rotation.frequency", "is missing"},
        {table, "{'amplitude': 1, 'frequency': 0}", "22:18: joints[6].rotation",
         "joint 'motor': the frequency must be positive, is 0 Hz"},
        {table, "{'amplitude': 1, 'frequency': 1, 'phase': '1 s'}",
         "22:60: joints[6].rotation.phase", "is a time (s); an angle (rad) is needed"},
        {table, "{'speed': 1, 'amplitude': 1}", "22:18: joints[6].rotation",
         "has several forms; an object with exactly one of speed, amplitude and frequency, times "
         "and values is needed"},
        {table, "{}", "22:18: joints[6].rotation", "is empty; an object with exactly one of speed"},
        {table, "1", "22:18: joints[6].rotation", "is a number; an object"},
        {"'values': [0, 2]", "'values': [0]", "22:46: joints[6].rotation.values",
         "has 1 values for 2 times; one for each time is needed"},
        {", 'values': [0, 2]", "", "22:18: joints[6].rotation.values",
         "is missing; an array [ ... ] of numbers, one for each time is needed"},
        {"[0, 1]", "[]", "22:28: joints[6].rotation.times", "is empty; at least one time"},
        {table, "{'times': [0], 'values': [0]}", "22:18: joints[6].rotation",
         "joint 'motor': the table has 1 entries; 2 or more are needed"},
        {table, "{'times': [1, 0], 'values': [0, 2]}", "22:18: joints[6].rotation",
         "joint 'motor': times must increase"},
        {"'values': [0, 2]", "'values': [0, '2 m']", "22:50: joints[6].rotation.values[1]",
         "is a length (m); an angle (rad) is needed"},
    };
    ASSERT_REFUSALS(base, rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_base_model_is_fine),
        cmocka_unit_test(profiles_that_cannot_be),
        cmocka_unit_test(clearances_that_swallow_the_joint),
        cmocka_unit_test(fields_that_a_type_does_not_have),
        cmocka_unit_test(points_vectors_and_choices_that_are_wrong),
        cmocka_unit_test(bodies_that_a_joint_cannot_connect),
        cmocka_unit_test(gears_that_cannot_be),
        cmocka_unit_test(drivers_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
