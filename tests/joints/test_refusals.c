/* What joints refuse: the field, the numbers in the sentence, and a world that is as before. The
 * sanitized build finds what a refusal would not free. */
#include "tests/joints/scene.h"

/* A world with two bodies in space, two in the plane, and joints of several freedoms. */
enum { A, B, FLAT_A, FLAT_B };

static FpJointDef head(const char* name, FpBodyId first, FpBodyId second) {
    return (FpJointDef){.name = name, .body = {first, second}};
}

static FpCylindricalDef sleeve(void) {
    FpCylindricalDef def = fp_cylindrical_def_default();
    def.joint = head("joint", A, B);
    def.sleeve = scene_frame_z(0, 0, 0);
    def.length = 2;
    def.clearance = 0.01;
    return def;
}

static FpRevoluteDef hinge(FpBodyId first, FpBodyId second) {
    FpRevoluteDef def = fp_revolute_def_default();
    def.joint = head("joint", first, second);
    def.bore = scene_frame_z(0, 0, 0);
    def.length = 2;
    def.clearance = def.axial_clearance = 0.01;
    return def;
}

static FpSphericalDef ball(void) {
    FpSphericalDef def = fp_spherical_def_default();
    def.joint = head("joint", A, FREEPLAY_GROUND);
    def.ball = scene_frame_z(0, 0, 0);
    def.radius = 0.3;
    def.clearance = 0.01;
    return def;
}

static FpPrismaticDef block(void) {
    FpPrismaticDef def = fp_prismatic_def_default();
    def.joint = head("joint", FLAT_A, FLAT_B);
    def.guide = scene_frame_x(0, 0, 0);
    def.length = 2;
    def.width = 0.5;
    def.clearance = 0.01;
    return def;
}

/* The same between bodies in space, for profiles. */
static FpPrismaticDef prism(void) {
    FpPrismaticDef def = block();
    def.joint = head("joint", A, B);
    def.width = 0;
    return def;
}

static FpDistanceDef rod(void) {
    FpDistanceDef def = fp_distance_def_default();
    def.joint = head("joint", A, B);
    def.first = scene_frame_z(0, 0, 0);
    def.second = scene_frame_z(0, 0, 0);
    def.length = 1.5;
    return def;
}

static FpWorld* workshop(void) {
    FpWorld* world = scene_world();
    scene_body(world, "a", false, fp_vec3(0, 0, 0), NULL);
    scene_body(world, "b", false, fp_vec3(1, 2, 3), NULL);
    scene_body(world, "flat a", true, fp_vec3(0, 0, 0), NULL);
    scene_body(world, "flat b", true, fp_vec3(1, 2, 0), NULL);
    FpRevoluteDef turning = hinge(A, FREEPLAY_GROUND);
    turning.joint.name = "hinge";
    scene_add(world, &fp_revolute_type, &turning);
    FpPrismaticDef sliding = block();
    sliding.joint.name = "block";
    scene_add(world, &fp_prismatic_type, &sliding);
    FpCylindricalDef both = sleeve();
    both.joint.name = "sleeve";
    scene_add(world, &fp_cylindrical_type, &both);
    return world;
}
enum { JOINTS_BEFORE = 3 };

/* Refuses with that field and all of the words, and leaves the world as before: nothing of the
 * joint is there, and the next one is taken. */
static void refuse(const FpJointType* type, const void* def, const char* field, const char* first,
                   const char* second) {
    FpWorld* world = workshop();
    FpMessage message = {0};
    FpStatus status = type->add(world, def, &message);
    if (status != FREEPLAY_INVALID_ARGUMENT)
        fail_msg("%s is not refused because of '%s' (%s)", type->name, field, first);
    if (strcmp(message.field, field) != 0)
        fail_msg("%s: field '%s', not '%s': %s", type->name, message.field, field, message.text);
    if (!strstr(message.text, first) || !strstr(message.text, second))
        fail_msg("%s: '%s' has not '%s' and '%s'", type->name, message.text, first, second);
    assert_int_equal(type->add(world, def, NULL), FREEPLAY_INVALID_ARGUMENT); /* no message */
    assert_null(fp_world_find_joint(world, "joint"));
    FpSphericalDef next = ball();
    scene_add(world, &fp_spherical_type, &next);
    scene_finish(world);
    assert_int_equal(fp_world_system(world)->constraint_count, JOINTS_BEFORE + 1);
    fp_world_destroy(world);
}

static void heads_must_name_two_bodies(void** unused) {
    (void)unused;
    FpSphericalDef def = ball();
    def.joint.name = NULL;
    refuse(&fp_spherical_type, &def, "name", "needs a name", "");
    def.joint.name = "hinge";
    refuse(&fp_spherical_type, &def, "name", "another joint 'hinge'", "");
    def = ball();
    def.joint.body[1] = A;
    refuse(&fp_spherical_type, &def, "between", "'joint'", "'a'");
    def.joint.body[0] = def.joint.body[1] = FREEPLAY_GROUND;
    refuse(&fp_spherical_type, &def, "between", "'joint'", "'ground'");
    def.joint.body[0] = 17;
    refuse(&fp_spherical_type, &def, "between", "17", "");
    def.joint.body[0] = -2;
    refuse(&fp_spherical_type, &def, "between", "-2", "");
}

static void contact_laws_must_be_possible(void** unused) {
    (void)unused;
    FpSphericalDef def = ball();
    def.joint.friction = -0.5;
    refuse(&fp_spherical_type, &def, "friction", "-0.5", "");
    def.joint.friction = INFINITY;
    refuse(&fp_spherical_type, &def, "friction", "inf", "");
    def = ball();
    def.joint.restitution = 1.25;
    refuse(&fp_spherical_type, &def, "restitution", "1.25", "");
    def.joint.restitution = NAN;
    refuse(&fp_spherical_type, &def, "restitution", "nan", "");
    def = ball();
    def.joint.friction = 0.1;
    def.joint.tangential_restitution = 1.5;
    refuse(&fp_spherical_type, &def, "tangential_restitution", "from 0 to 1", "1.5");
    def.joint.tangential_restitution = -0.5;
    refuse(&fp_spherical_type, &def, "tangential_restitution", "from 0 to 1", "-0.5");
    def.joint.tangential_restitution = NAN;
    refuse(&fp_spherical_type, &def, "tangential_restitution", "nan", "");
    def.joint.tangential_restitution = 0.5;
    def.joint.friction = 0;
    refuse(&fp_spherical_type, &def, "tangential_restitution", "needs friction", "");
}

/* Drilling needs an area, and a normal about which something can turn. */
static void drilling_needs_a_contact_radius_in_space(void** unused) {
    (void)unused;
    FpSphericalDef def = ball();
    def.joint.friction = 0.1;
    def.joint.friction_law = FREEPLAY_FRICTION_CONTENSOU;
    refuse(&fp_spherical_type, &def, "contact_radius", "missing for drilling friction", "");
    def.joint.contact_radius = -0.001;
    refuse(&fp_spherical_type, &def, "contact_radius", "-0.001 m", "");
    def.joint.contact_radius = INFINITY;
    refuse(&fp_spherical_type, &def, "contact_radius", "inf", "");
    def.joint.contact_radius = 0.002;
    def.joint.friction_law = FREEPLAY_FRICTION_COULOMB;
    refuse(&fp_spherical_type, &def, "contact_radius", "'coulomb-contensou' only", "");
    FpPrismaticDef flat = block();
    flat.joint.friction = 0.1;
    flat.joint.friction_law = FREEPLAY_FRICTION_CONTENSOU;
    flat.joint.contact_radius = 0.002;
    refuse(&fp_prismatic_type, &flat, "friction_law", "planar bodies", "'coulomb'");
}

/* Drivers and gears are made otherwise, with the same rules. */
static void names_of_drivers_and_gears_are_unique(void** unused) {
    (void)unused;
    FpDriverDef driver = {.driven = "hinge",
                          .rotation = {.kind = FREEPLAY_DRIVE_SPEED, .speed = 1}};
    refuse(&fp_driver_type, &driver, "name", "needs a name", "");
    driver.joint.name = "sleeve";
    refuse(&fp_driver_type, &driver, "name", "another joint 'sleeve'", "");
    FpGearDef gear = {.coupled = {"hinge", "sleeve"}, .teeth = {1, 2}};
    refuse(&fp_gear_type, &gear, "name", "needs a name", "");
    gear.joint.name = "block";
    refuse(&fp_gear_type, &gear, "name", "another joint 'block'", "");
}

static void frames_must_be_frames(void** unused) {
    (void)unused;
    FpRevoluteDef def = hinge(A, B);
    def.bore.given = false;
    refuse(&fp_revolute_type, &def, "bore", "'bore'", "'pin'");
    def.bore = scene_frame(fp_vec3(0, 0, 0), fp_vec3(0, 0, 0), fp_vec3(0, 0, 0));
    refuse(&fp_revolute_type, &def, "bore", "no length", "");
    def.bore = scene_frame_z(0, NAN, 0);
    refuse(&fp_revolute_type, &def, "bore", "not finite", "");
    def.bore = scene_frame(fp_vec3(0, 0, 0), fp_vec3(0, 1, 1), fp_vec3(0, -2, -2));
    refuse(&fp_revolute_type, &def, "bore", "parallel", "");
    def = hinge(A, B);
    def.pin = scene_frame(fp_vec3(0, 0, 0), fp_vec3(INFINITY, 0, 0), fp_vec3(0, 0, 0));
    refuse(&fp_revolute_type, &def, "pin", "not finite", "");
    FpDistanceDef half = rod();
    half.second.given = false;
    refuse(&fp_distance_type, &half, "second", "missing", "");
    half = rod();
    half.first.given = false;
    refuse(&fp_distance_type, &half, "first", "missing", "");
    FpPlaneContactDef contact = fp_plane_contact_def_default();
    contact.joint = head("joint", A, B);
    refuse(&fp_plane_contact_type, &contact, "point", "missing", "");
    contact.point = scene_frame_z(0, 0, 0);
    refuse(&fp_plane_contact_type, &contact, "plane", "missing", "");
}

/* A length of a def, by its place in it. */
static void refuse_length(const FpJointType* type, void* def, double* length, const char* field,
                          bool zero_allowed) {
    const double wrong[4] = {-1.5, NAN, INFINITY, 0};
    const char* const text[4] = {"-1.5 m", "nan m", "inf m", "0 m"};
    double good = *length;
    for (int k = 0; k < (zero_allowed ? 3 : 4); k++) {
        *length = wrong[k];
        refuse(type, def, field, text[k], zero_allowed ? "zero or positive" : "positive");
    }
    *length = good;
}

static void lengths_must_be_positive_and_finite(void** unused) {
    (void)unused;
    FpCylindricalDef c = sleeve();
    refuse_length(&fp_cylindrical_type, &c, &c.length, "length", false);
    refuse_length(&fp_cylindrical_type, &c, &c.radius, "radius", true);
    refuse_length(&fp_cylindrical_type, &c, &c.clearance, "clearance", true);
    refuse_length(&fp_cylindrical_type, &c, &c.pin_length, "pin_length", true);
    FpRevoluteDef r = hinge(A, B);
    refuse_length(&fp_revolute_type, &r, &r.length, "length", false);
    refuse_length(&fp_revolute_type, &r, &r.radius, "radius", true);
    refuse_length(&fp_revolute_type, &r, &r.clearance, "clearance", true);
    refuse_length(&fp_revolute_type, &r, &r.axial_clearance, "axial_clearance", true);
    r = hinge(FLAT_A, FLAT_B);
    refuse_length(&fp_revolute_type, &r, &r.clearance, "clearance", true);
    FpSphericalDef s = ball();
    refuse_length(&fp_spherical_type, &s, &s.radius, "radius", true);
    refuse_length(&fp_spherical_type, &s, &s.clearance, "clearance", true);
    FpPrismaticDef p = block();
    refuse_length(&fp_prismatic_type, &p, &p.length, "length", false);
    refuse_length(&fp_prismatic_type, &p, &p.width, "width", false);
    refuse_length(&fp_prismatic_type, &p, &p.clearance, "clearance", true);
    refuse_length(&fp_prismatic_type, &p, &p.guide_length, "guide_length", true);
    FpDistanceDef d = rod();
    refuse_length(&fp_distance_type, &d, &d.length, "length", true);
    refuse_length(&fp_distance_type, &d, &d.clearance, "clearance", true);
    FpPointOnDef on = fp_point_on_def_default();
    on.joint = head("joint", A, B);
    on.place = scene_frame_z(0, 0, 0);
    refuse_length(&fp_point_on_line_type, &on, &on.clearance, "clearance", true);
    refuse_length(&fp_point_on_plane_type, &on, &on.clearance, "clearance", true);
}

static void lengths_of_contacts_must_be_positive_and_finite(void** unused) {
    (void)unused;
    const FpJointDef between = head("joint", A, B);
    const FpFrameDef frame = scene_frame_z(0, 0, 0);
    FpPlaneContactDef plane = {.joint = between, .point = frame, .plane = frame};
    refuse_length(&fp_plane_contact_type, &plane, &plane.radius, "radius", true);
    refuse_length(&fp_plane_contact_type, &plane, &plane.box.y, "box", true);
    plane.radius = 0.1;
    plane.box = fp_vec3(1, 0, 0);
    refuse(&fp_plane_contact_type, &plane, "box", "not both", "");
    FpSphereContactDef balls = {.joint = between, .first = frame, .second = frame};
    refuse(&fp_sphere_contact_type, &balls, "second_radius", "positive", "0 m");
    refuse_length(&fp_sphere_contact_type, &balls, &balls.radius[0], "first_radius", true);
    refuse_length(&fp_sphere_contact_type, &balls, &balls.radius[1], "second_radius", true);
    FpCylinderContactDef cylinder = {
        .joint = between, .point = frame, .cylinder = frame, .cylinder_radius = 1};
    refuse_length(&fp_cylinder_contact_type, &cylinder, &cylinder.radius, "radius", true);
    refuse_length(&fp_cylinder_contact_type, &cylinder, &cylinder.cylinder_radius,
                  "cylinder_radius", false);
}

static void clearance_must_not_swallow_the_joint(void** unused) {
    (void)unused;
    FpCylindricalDef c = sleeve();
    c.clearance = 1;
    refuse(&fp_cylindrical_type, &c, "clearance", "of 1 m", "half the length of the sleeve, 1 m");
    c.clearance = 0.25;
    c.radius = 0.2;
    refuse(&fp_cylindrical_type, &c, "clearance", "of 0.25 m", "radius of the bore, 0.2 m");
    FpRevoluteDef r = hinge(A, B);
    r.clearance = 1.5;
    refuse(&fp_revolute_type, &r, "clearance", "of 1.5 m", "half the length of the bore, 1 m");
    r = hinge(FLAT_A, FLAT_B);
    r.radius = 0.2;
    r.clearance = 0.2;
    refuse(&fp_revolute_type, &r, "clearance", "of 0.2 m", "radius of the bore, 0.2 m");
    r.clearance = 1e-20;
    refuse(&fp_revolute_type, &r, "clearance", "1e-20 m is lost in the round-off", "0.2 m");
    FpSphericalDef s = ball();
    s.clearance = 0.4;
    refuse(&fp_spherical_type, &s, "clearance", "of 0.4 m", "radius of the ball, 0.3 m");
    FpDistanceDef d = rod();
    d.clearance = 1.6;
    refuse(&fp_distance_type, &d, "clearance", "of 1.6 m", "length of the rod, 1.5 m");
    FpPrismaticDef p = block();
    p.clearance = 0.3;
    refuse(&fp_prismatic_type, &p, "clearance", "of 0.3 m", "half the width of the block, 0.25 m");
    p.clearance = 1.25;
    refuse(&fp_prismatic_type, &p, "clearance", "of 1.25 m",
           "half the length of the inner prism, 1 m");
    double square[8];
    fp_profile_rectangle(0.4, 0.2, square);
    p = prism();
    p.profile = (FpProfileDef){4, square};
    p.clearance = 0.15;
    refuse(&fp_prismatic_type, &p, "clearance", "of 0.15 m", "inner radius of the profile, 0.1 m");
}

/* Profiles ------------------------------------------------------------------------------------- */

static void refuse_profile(int count, const double* corners, const char* first,
                           const char* second) {
    FpPrismaticDef def = prism();
    def.profile = (FpProfileDef){count, corners};
    refuse(&fp_prismatic_type, &def, "profile", first, second);
    /* The same as a guide around a good one. */
    double good[8];
    fp_profile_rectangle(0.1, 0.1, good);
    def.clearance = 0;
    def.profile = (FpProfileDef){4, good};
    def.guide_profile = (FpProfileDef){count, corners};
    if (count > 0) refuse(&fp_prismatic_type, &def, "guide_profile", first, second);
}

static void profiles_must_be_convex_polygons(void** unused) {
    (void)unused;
    static const double clockwise[6] = {0, 1, 1, -1, -1, -1};
    static const double dented[10] = {1, 1, 0, 0.25, -1, 1, -1, -1, 1, -1};
    static const double straight[8] = {1, 0, 0, 1, -1, 0, 0, 0};
    static const double doubled[8] = {0, 1, -1, -1, -1, -1, 1, -1};
    static const double infinite[6] = {0, 1, -1, INFINITY, 1, -1};
    double star[10], many[2 * 65];
    for (int k = 0; k < 5; k++) {
        star[2 * k] = cos(4 * pi * k / 5);
        star[2 * k + 1] = sin(4 * pi * k / 5);
    }
    fp_profile_regular(65, 0.1, many);
    refuse_profile(3, clockwise, "not convex at corner 1, (0, 1) m", "counter-clockwise");
    refuse_profile(5, dented, "not convex at corner 2, (0, 0.25) m", "");
    refuse_profile(4, straight, "not convex at corner 4, (0, 0) m", "");
    refuse_profile(4, doubled, "corners 2 and 3 coincide", "");
    refuse_profile(3, infinite, "corner 2 is not finite", "");
    refuse_profile(5, star, "goes around 2 times", "");
    refuse_profile(2, clockwise, "2 corners", "3 or more");
    refuse_profile(65, many, "65 corners", "64");
    refuse_profile(0, NULL, "0 corners", "3 or more");
    refuse_profile(-4, clockwise, "-4 corners", "3 or more");
    refuse_profile(3, NULL, "3 corners", "");
}

static void inner_prism_must_fit_its_guide(void** unused) {
    (void)unused;
    double inner[8], guide[8], triangle[6];
    fp_profile_rectangle(0.4, 0.2, inner);
    fp_profile_regular(3, 2, triangle);
    FpPrismaticDef def = prism();
    def.profile = (FpProfileDef){4, inner};
    def.guide_profile = (FpProfileDef){4, guide};
    fp_profile_rectangle(0.5, 0.25, guide);
    refuse(&fp_prismatic_type, &def, "clearance", "not both", "");
    def.clearance = 0;
    fp_profile_rectangle(0.5, 0.15, guide);
    refuse(&fp_prismatic_type, &def, "guide_profile", "larger than the guide", "0.025 m");
    /* The same polygon, begun at another corner. */
    fp_profile_rectangle(0.5, 0.25, guide);
    double first[2] = {guide[0], guide[1]};
    memmove(guide, guide + 2, 6 * sizeof *guide);
    memcpy(guide + 6, first, sizeof first);
    refuse(&fp_prismatic_type, &def, "guide_profile", "face 1 of the guide", "same order");
    def.guide_profile = (FpProfileDef){3, triangle};
    refuse(&fp_prismatic_type, &def, "guide_profile", "has 3 corners", "profile 4");
}

/* Motions and couplings ------------------------------------------------------------------------ */

static void drivers_need_a_freedom_to_drive(void** unused) {
    (void)unused;
    const FpDriveDef steady = {.kind = FREEPLAY_DRIVE_SPEED, .speed = 1};
    FpDriverDef def = {.joint.name = "joint", .driven = "hinge", .translation = steady};
    refuse(&fp_driver_type, &def, "joint", "'hinge' (revolute)", "no freedom of translation");
    def.rotation = steady;
    refuse(&fp_driver_type, &def, "rotation", "either", "");
    def.translation = def.rotation = (FpDriveDef){0};
    refuse(&fp_driver_type, &def, "rotation", "either", "");
    def.rotation = steady;
    def.driven = "block";
    refuse(&fp_driver_type, &def, "joint", "'block' (prismatic)", "no freedom of rotation");
    def.driven = "nobody";
    refuse(&fp_driver_type, &def, "joint", "no joint 'nobody'", "");
    def.driven = NULL;
    refuse(&fp_driver_type, &def, "joint", "no joint ''", "");
}

static void refuse_drive(FpDriveDef drive, const char* first, const char* second) {
    FpDriverDef def = {.joint.name = "joint", .driven = "hinge", .rotation = drive};
    refuse(&fp_driver_type, &def, "rotation", first, second);
}

static void motions_must_be_functions_of_time(void** unused) {
    (void)unused;
    refuse_drive((FpDriveDef){.kind = FREEPLAY_DRIVE_SPEED, .speed = NAN}, "not finite", "");
    refuse_drive((FpDriveDef){.kind = FREEPLAY_DRIVE_HARMONIC, .frequency = -2}, "-2 Hz", "");
    refuse_drive((FpDriveDef){.kind = FREEPLAY_DRIVE_HARMONIC, .amplitude = 1}, "0 Hz", "");
    const double back[3] = {0, 0.5, 0.25}, values[3] = {0, 1, INFINITY};
    FpDriveDef table = {.kind = FREEPLAY_DRIVE_TABLE, .count = 3, .times = back, .values = back};
    refuse_drive(table, "0.25 s", "0.5 s");
    table.times = (const double[]){0, 1, 2};
    table.values = values;
    refuse_drive(table, "entry 2", "not finite");
    table.count = 1;
    refuse_drive(table, "1 entries", "2 or more");
    table.count = 3;
    table.values = NULL;
    refuse_drive(table, "2 or more", "");
}

static void gears_need_one_relation_of_two_freedoms(void** unused) {
    (void)unused;
    FpGearDef def = {.joint.name = "joint", .coupled = {"hinge", "sleeve"}};
    refuse(&fp_gear_type, &def, "teeth", "one of", "");
    def.teeth[0] = def.teeth[1] = 10;
    def.ratio = 2;
    refuse(&fp_gear_type, &def, "teeth", "one of", "");
    def.ratio = 0;
    def.teeth[1] = 0;
    refuse(&fp_gear_type, &def, "teeth", "differ from 0", "");
    def.teeth[0] = 0;
    def.travel_per_turn = INFINITY;
    refuse(&fp_gear_type, &def, "travel_per_turn", "not finite", "");
    def.travel_per_turn = 0;
    def.ratio = NAN;
    refuse(&fp_gear_type, &def, "ratio", "not finite", "");
    def.ratio = 1;
    refuse(&fp_gear_type, &def, "joints", "'hinge'", "no freedom of translation");
    def = (FpGearDef){.joint.name = "joint", .coupled = {"hinge", "block"}, .teeth = {1, 2}};
    refuse(&fp_gear_type, &def, "joints", "'block'", "no freedom of rotation");
    def.coupled[1] = "hinge";
    refuse(&fp_gear_type, &def, "joints", "both are 'hinge'", "");
    def.coupled[1] = "nobody";
    refuse(&fp_gear_type, &def, "joints", "no joint 'nobody'", "");
    def.coupled[1] = NULL;
    refuse(&fp_gear_type, &def, "joints", "no joint", "");
}

/* Places --------------------------------------------------------------------------------------- */

static void rod_between_coinciding_points_needs_a_length(void** unused) {
    (void)unused;
    FpDistanceDef def = rod();
    def.length = 0;
    def.first = scene_frame_z(1, 2, 3); /* where b is */
    refuse(&fp_distance_type, &def, "second", "coincide", "");
}

static void axes_of_planar_joints_must_suit_the_plane(void** unused) {
    (void)unused;
    const FpFrameDef slanted = scene_frame(fp_vec3(0, 0, 0), fp_vec3(3, 0, 4), fp_vec3(0, 1, 0));
    FpRevoluteDef r = hinge(FLAT_A, FREEPLAY_GROUND);
    r.bore = slanted;
    refuse(&fp_revolute_type, &r, "bore", "along z", "(0.6, 0, 0.8)");
    r.bore = scene_frame_z(0, 0, 0);
    r.pin = slanted;
    refuse(&fp_revolute_type, &r, "pin", "along z", "(0.6, 0, 0.8)");
    FpPrismaticDef p = block();
    p.guide = slanted;
    p.slider = scene_frame_x(0, 0, 0);
    refuse(&fp_prismatic_type, &p, "guide", "in the plane", "(0.6, 0, 0.8)");
    p.guide = scene_frame_x(0, 0, 0);
    p.slider = scene_frame_z(0, 0, 0);
    refuse(&fp_prismatic_type, &p, "slider", "in the plane", "(0, 0, 1)");
    p = block();
    p.profile.corner_count = 4;
    refuse(&fp_prismatic_type, &p, "profile", "'width'", "");
    FpFixedDef f = {.joint = head("joint", FLAT_A, FLAT_B), .first = slanted};
    refuse(&fp_fixed_type, &f, "first", "along z", "");
    FpPointOnDef on = {.joint = head("joint", FLAT_A, FLAT_B), .place = scene_frame_z(0, 0, 0)};
    refuse(&fp_point_on_line_type, &on, "line", "in the plane", "(0, 0, 1)");
    refuse(&fp_point_on_plane_type, &on, "plane", "in the plane", "(0, 0, 1)");
    FpPlaneContactDef contact = {.joint = head("joint", FLAT_A, FREEPLAY_GROUND),
                                 .point = scene_frame_x(0, 0, 0),
                                 .plane = scene_frame_z(0, 0, 0)};
    refuse(&fp_plane_contact_type, &contact, "plane", "in the plane", "(0, 0, 1)");
    contact.plane = scene_frame_x(0, 0, 0);
    contact.box = fp_vec3(1, 1, 1);
    refuse(&fp_plane_contact_type, &contact, "point", "along z", "(1, 0, 0)");
}

static void joints_that_hold_nothing_in_the_plane_are_refused(void** unused) {
    (void)unused;
    FpCylindricalDef c = sleeve();
    c.joint = head("joint", FLAT_A, FLAT_B);
    refuse(&fp_cylindrical_type, &c, "between", "cylindrical", "'revolute'");
    FpUniversalDef u = {.joint = head("joint", FLAT_A, FREEPLAY_GROUND),
                        .first = scene_frame_z(0, 0, 0)};
    refuse(&fp_universal_type, &u, "between", "universal", "'fixed'");
    FpPlanarDef p = {.joint = head("joint", FREEPLAY_GROUND, FLAT_A),
                     .first = scene_frame_z(0, 0, 0)};
    refuse(&fp_planar_type, &p, "between", "planar", "");
}

static void finished_world_takes_no_joint(void** unused) {
    (void)unused;
    FpWorld* world = workshop();
    FpSphericalDef def = ball();
    FpDriverDef driver = {.joint.name = "driver",
                          .driven = "hinge",
                          .rotation = {.kind = FREEPLAY_DRIVE_SPEED, .speed = 1}};
    FpMessage message = {0};
    scene_finish(world);
    assert_int_equal(fp_spherical_add(world, &def, &message), FREEPLAY_INVALID_ARGUMENT);
    assert_non_null(strstr(message.text, "finished"));
    assert_int_equal(fp_driver_add(world, &driver, &message), FREEPLAY_INVALID_ARGUMENT);
    assert_int_equal(fp_world_system(world)->constraint_count, JOINTS_BEFORE);
    fp_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_must_name_two_bodies),
        cmocka_unit_test(contact_laws_must_be_possible),
        cmocka_unit_test(drilling_needs_a_contact_radius_in_space),
        cmocka_unit_test(names_of_drivers_and_gears_are_unique),
        cmocka_unit_test(frames_must_be_frames),
        cmocka_unit_test(lengths_must_be_positive_and_finite),
        cmocka_unit_test(lengths_of_contacts_must_be_positive_and_finite),
        cmocka_unit_test(clearance_must_not_swallow_the_joint),
        cmocka_unit_test(profiles_must_be_convex_polygons),
        cmocka_unit_test(inner_prism_must_fit_its_guide),
        cmocka_unit_test(drivers_need_a_freedom_to_drive),
        cmocka_unit_test(motions_must_be_functions_of_time),
        cmocka_unit_test(gears_need_one_relation_of_two_freedoms),
        cmocka_unit_test(rod_between_coinciding_points_needs_a_length),
        cmocka_unit_test(axes_of_planar_joints_must_suit_the_plane),
        cmocka_unit_test(joints_that_hold_nothing_in_the_plane_are_refused),
        cmocka_unit_test(finished_world_takes_no_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
