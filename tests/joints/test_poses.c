/* Rows, gaps and contacts of every joint at poses where they are known by hand. One body starts in
 * the global frame, so that its coordinates are those of ground. */
#include "tests/joints/scene.h"

typedef struct Held {
    FpWorld* world;
    const FpConstraint* c;
} Held;

/* A body on ground, or ground on a body, by one joint; def begins with its FpJointDef. */
static Held held(const FpJointType* type, void* def, bool planar) {
    Held h = {.world = scene_world()};
    FpJointDef* head = def;
    *head = (FpJointDef){.name = "joint", .body = {0, FREEPLAY_GROUND}};
    scene_body(h.world, "body", planar, fp_vec3(0, 0, 0), NULL);
    scene_add(h.world, type, def);
    h.c = scene_finish(h.world);
    return h;
}

static void check_labels(const Held* h, int count, const char* const labels[]) {
    assert_int_equal(h->c->row_count, count);
    for (int i = 0; i < count; i++) assert_string_equal(h->c->rows[i].label, labels[i]);
}

static void check_kinds(const Held* h, int from, int to, FpRowKind kind, FpRowUnit unit,
                        double size) {
    for (int i = from; i < to; i++) {
        assert_int_equal(h->c->rows[i].kind, kind);
        assert_int_equal(h->c->rows[i].unit, unit);
        assert_near(h->c->rows[i].size, size, 1e-15);
    }
}

static void check_gaps(const Held* h, const double* q, const double* expected) {
    double g[64];
    assert_true(h->c->row_count <= 64);
    fp_constraint_gaps(fp_world_system(h->world), h->c, 0, q, g, NULL);
    for (int i = 0; i < h->c->row_count; i++) assert_near(g[i], expected[i], 1e-14);
}

static void check_contact(const Held* h, const double* q, int row, FpVec3 point, FpVec3 normal,
                          double gap) {
    FpContact contact;
    FpStatus status = fp_constraint_contact(fp_world_system(h->world), h->c, 0, q, row, &contact);
    assert_int_equal(status, FREEPLAY_OK);
    assert_near(fp_vec3_norm(fp_vec3_sub(contact.point, point)), 0, 1e-14);
    assert_near(fp_vec3_norm(fp_vec3_sub(contact.normal, normal)), 0, 1e-14);
    assert_near(contact.gap, gap, 1e-14);
}

/* Turned by an angle about z, at a place. */
static void turned(double angle, double x, double y, double z, double q[7]) {
    const double pose[7] = {x, y, z, cos(angle / 2), 0, 0, sin(angle / 2)};
    memcpy(q, pose, sizeof pose);
}

/* Sleeves and bores ---------------------------------------------------------------------------- */

static void sleeve_is_held_at_its_two_ends(void** unused) {
    (void)unused;
    FpCylindricalDef def = fp_cylindrical_def_default();
    def.pin = scene_frame_z(0, 0, 0);
    def.length = 0.4;
    def.radius = 0.1;
    def.clearance = 0.02;
    Held h = held(&fp_cylindrical_type, &def, false);
    check_labels(&h, 2, (const char*[]){"radial at P1", "radial at P2"});
    check_kinds(&h, 0, 2, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, 0.02);
    /* 0.012 off along x, wherever along z: the pin is nearest to the bore on its -x side. */
    const double off[7] = {0.012, 0, 3, 1, 0, 0, 0};
    check_gaps(&h, off, (const double[]){0.008, 0.008});
    check_contact(&h, off, 0, fp_vec3(0.012 - 0.1, 0, 2.8), fp_vec3(-1, 0, 0), 0.008);
    check_contact(&h, off, 1, fp_vec3(0.012 - 0.1, 0, 3.2), fp_vec3(-1, 0, 0), 0.008);
    /* Tilted about x by a: the ends are l/2 sin a to either side, P2 at -y. */
    double a = 0.05, d = 0.2 * sin(a);
    const double tilted[7] = {0, 0, 0, cos(a / 2), sin(a / 2), 0, 0};
    check_gaps(&h, tilted, (const double[]){0.02 - d, 0.02 - d});
    check_contact(&h, tilted, 1, fp_vec3(0, -d + 0.1, 0.2 * cos(a)), fp_vec3(0, 1, 0), 0.02 - d);
    fp_world_destroy(h.world);

    def.clearance = 0;
    h = held(&fp_cylindrical_type, &def, false);
    check_labels(&h, 4,
                 (const char*[]){"radial at P1, x", "radial at P1, y", "radial at P2, x",
                                 "radial at P2, y"});
    check_kinds(&h, 0, 4, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_LENGTH, 0);
    check_gaps(&h, tilted, (const double[]){0, d, 0, -d});
    fp_world_destroy(h.world);
}

/* Rows of a hinge for every combination of clearances. */
static void hinge_has_the_rows_of_its_clearances(void** unused) {
    (void)unused;
    FpRevoluteDef def = fp_revolute_def_default();
    def.pin = scene_frame_z(0, 0, 0);
    def.length = 0.4;
    def.radius = 0.1;
    const double pose[7] = {0, -0.015, 0.004, 1, 0, 0, 0};

    def.clearance = 0.02;
    def.axial_clearance = 0.01;
    Held h = held(&fp_revolute_type, &def, false);
    check_labels(
        &h, 4,
        (const char*[]){"radial at P1", "radial at P2", "axial stop at P1", "axial stop at P2"});
    check_kinds(&h, 0, 2, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, 0.02);
    check_kinds(&h, 2, 4, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, 0.01);
    check_gaps(&h, pose, (const double[]){0.005, 0.005, 0.014, 0.006});
    /* The bore hangs below the pin, which touches it on top; the stop at P2 pushes back. */
    check_contact(&h, pose, 1, fp_vec3(0, -0.015 + 0.1, 0.204), fp_vec3(0, 1, 0), 0.005);
    check_contact(&h, pose, 3, fp_vec3(0, -0.015, 0.204), fp_vec3(0, 0, -1), 0.006);
    /* Concentric: there is no direction, and the row is open by all of its clearance. */
    const double centred[7] = {0, 0, 0, 1, 0, 0, 0};
    check_gaps(&h, centred, (const double[]){0.02, 0.02, 0.01, 0.01});
    check_contact(&h, centred, 0, fp_vec3(0, 0, -0.2), fp_vec3(0, 0, 0), 0.02);
    fp_world_destroy(h.world);

    def.axial_clearance = 0;
    h = held(&fp_revolute_type, &def, false);
    check_labels(&h, 3, (const char*[]){"radial at P1", "radial at P2", "axial, z"});
    check_kinds(&h, 0, 2, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, 0.02);
    check_kinds(&h, 2, 3, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_LENGTH, 0);
    check_gaps(&h, pose, (const double[]){0.005, 0.005, 0.004});
    fp_world_destroy(h.world);

    def.axial = FREEPLAY_AXIAL_FREE;
    h = held(&fp_revolute_type, &def, false);
    check_labels(&h, 2, (const char*[]){"radial at P1", "radial at P2"});
    fp_world_destroy(h.world);

    def.axial = FREEPLAY_AXIAL_STOPS;
    def.clearance = 0;
    def.axial_clearance = 0.01;
    h = held(&fp_revolute_type, &def, false);
    check_labels(&h, 6,
                 (const char*[]){"radial at P1, x", "radial at P1, y", "radial at P2, x",
                                 "radial at P2, y", "axial stop at P1", "axial stop at P2"});
    check_kinds(&h, 0, 4, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_LENGTH, 0);
    check_kinds(&h, 4, 6, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, 0.01);
    check_gaps(&h, pose, (const double[]){0, -0.015, 0, -0.015, 0.014, 0.006});
    fp_world_destroy(h.world);

    def.axial_clearance = 0;
    h = held(&fp_revolute_type, &def, false);
    assert_int_equal(h.c->row_count, 5);
    check_kinds(&h, 0, 5, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_LENGTH, 0);
    fp_world_destroy(h.world);
}

static void hinge_in_the_plane_is_one_circle(void** unused) {
    (void)unused;
    FpRevoluteDef def = fp_revolute_def_default();
    def.bore = scene_frame_z(0.5, 0, 0);
    def.radius = 0.1;
    def.clearance = 0.02;
    Held h = held(&fp_revolute_type, &def, true);
    check_labels(&h, 1, (const char*[]){"radial"});
    check_kinds(&h, 0, 1, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, 0.02);
    /* Upright with its bore 0.012 over the pin at (0.5, 0). */
    const double upright[3] = {0.5, -0.5 + 0.012, pi / 2};
    check_gaps(&h, upright, (const double[]){0.008});
    check_contact(&h, upright, 0, fp_vec3(0.5, 0.012 - 0.1, 0), fp_vec3(0, -1, 0), 0.008);
    fp_world_destroy(h.world);

    def.clearance = 0;
    h = held(&fp_revolute_type, &def, true);
    check_labels(&h, 2, (const char*[]){"radial, x", "radial, y"});
    check_gaps(&h, upright, (const double[]){0, 0.012});
    fp_world_destroy(h.world);
}

/* A finite pin holds an end of the sleeve while that is on it. */
static void sleeve_leaves_a_finite_pin(void** unused) {
    (void)unused;
    FpCylindricalDef def = fp_cylindrical_def_default();
    def.pin = scene_frame_z(0, 0, 1);
    def.length = 0.4;
    def.clearance = 0.02;
    def.pin_length = 1;
    Held h = held(&fp_cylindrical_type, &def, false);
    const FpSystem* system = fp_world_system(h.world);
    assert_true(h.c->rows[0].must_stay && h.c->rows[1].must_stay);
    /* The middle starts at z = 1; 0.35 further P2 is 0.05 beyond the end, P1 is not. */
    const double half_off[7] = {0.015, 0, 0.35, 1, 0, 0, 0};
    bool applies[2];
    double g[2], kappa[2];
    fp_constraint_applies(system, h.c, half_off, applies);
    assert_true(applies[0]);
    assert_false(applies[1]);
    fp_constraint_gaps(system, h.c, 0, half_off, g, kappa);
    assert_near(g[0], 0.005, 1e-14);
    assert_near(kappa[0], 0.02 / 0.015, 1e-12);
    assert_near(g[1], 0.02, 0); /* open by its size, without a direction */
    assert_near(kappa[1], 0, 0);
    const double off[7] = {0, 0, -0.8, 1, 0, 0, 0};
    fp_constraint_applies(system, h.c, off, applies);
    assert_false(applies[0] || applies[1]);
    const double on[7] = {0, 0, 0.29, 1, 0, 0, 0};
    fp_constraint_applies(system, h.c, on, applies);
    assert_true(applies[0] && applies[1]);
    fp_world_destroy(h.world);

    def.leaving = FREEPLAY_LEAVING_ALLOWED;
    h = held(&fp_cylindrical_type, &def, false);
    assert_false(h.c->rows[0].must_stay || h.c->rows[1].must_stay);
    fp_world_destroy(h.world);

    def.pin_length = 0;
    h = held(&fp_cylindrical_type, &def, false);
    fp_constraint_applies(fp_world_system(h.world), h.c, off, applies);
    assert_true(applies[0] && applies[1]);
    fp_world_destroy(h.world);
}

/* Prisms --------------------------------------------------------------------------------------- */

/* Pb1-L, Pb1-R, Pb2-B, Pb2-L, Pb3-B, Pb3-R of the clearance-joint paper, then Pf...: apex 1, bottom
 * left 2, bottom right 3; the bottom plane is face 1, the left one 2, the right one 3. */
static const char* const triangle_labels[12] = {
    "back corner 1, face 2",  "back corner 1, face 3",  "back corner 2, face 1",
    "back corner 2, face 2",  "back corner 3, face 1",  "back corner 3, face 3",
    "front corner 1, face 2", "front corner 1, face 3", "front corner 2, face 1",
    "front corner 2, face 2", "front corner 3, face 1", "front corner 3, face 3"};

static void triangle_has_the_rows_of_the_paper(void** unused) {
    (void)unused;
    double inner[6], guide[6];
    fp_profile_regular(3, 17.32, inner);
    fp_profile_regular(3, 17.67, guide);
    assert_near(inner[0], 0, 0);                          /* apex on +y, */
    assert_near(inner[1], 17.32 / sqrt(3), 1e-14);        /* at the circumradius */
    assert_near(inner[2], -17.32 / 2, 1e-14);             /* bottom left */
    assert_near(inner[5], -17.32 / (2 * sqrt(3)), 1e-14); /* bottom right, inradius down */
    FpPrismaticDef def = fp_prismatic_def_default();
    def.guide = scene_frame_z(0, 0, 0);
    def.length = 20;
    def.profile = (FpProfileDef){3, inner};
    def.guide_profile = (FpProfileDef){3, guide};
    Held h = held(&fp_prismatic_type, &def, false);
    check_labels(&h, 12, triangle_labels);
    /* Concentric: the difference of the inradii, (e_j - e_i)/(2 sqrt 3). */
    double gap = 0.10103629710818493, g[12];
    assert_near(gap, (17.67 - 17.32) / (2 * sqrt(3)), 1e-15);
    for (int i = 0; i < 12; i++) g[i] = gap;
    check_kinds(&h, 0, 12, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, gap);
    const double centred[7] = {0, 0, 5, 1, 0, 0, 0};
    check_gaps(&h, centred, g);

    /* Moved by (0.02, -0.03): the normals are (0, 1) of the bottom, (s, -1/2) of the left and
     * (-s, -1/2) of the right plane, with s = sqrt(3)/2. */
    double s = sqrt(3) / 2, x = 0.02, y = -0.03;
    double B = gap + y, L = gap + s * x - y / 2, R = gap - s * x - y / 2;
    const double moved[7] = {x, y, 5, 1, 0, 0, 0};
    check_gaps(&h, moved, (const double[]){L, R, B, L, B, R, L, R, B, L, B, R});
    check_contact(&h, moved, 3, fp_vec3(inner[2] + x, inner[3] + y, -5), fp_vec3(s, -0.5, 0), L);

    /* Nose up about x by a: the back apex (z = -10) rises, the front one sinks; by hand from
     * y' = y cos a - z sin a. */
    double a = 0.004, apex = 17.32 / sqrt(3);
    const double pitched[7] = {0, 0, 0, cos(a / 2), sin(a / 2), 0, 0};
    double all[12];
    fp_constraint_gaps(fp_world_system(h.world), h.c, 0, pitched, all, NULL);
    double back = apex * cos(a) + 10 * sin(a), front = apex * cos(a) - 10 * sin(a);
    assert_near(all[0], gap - (back - apex) / 2, 1e-13);
    assert_near(all[6], gap - (front - apex) / 2, 1e-13);
    fp_world_destroy(h.world);
}

/* The guide by its clearance: the same rows, all open by the clearance. */
static void irregular_prism_touches_along_its_normals(void** unused) {
    (void)unused;
    static const double corners[8] = {3, 2, -1, 2, -2, -1, 1, -2};
    FpPrismaticDef def = fp_prismatic_def_default();
    def.guide = scene_frame_z(0, 0, 0);
    def.length = 4;
    def.clearance = 0.1;
    def.profile = (FpProfileDef){4, corners};
    Held h = held(&fp_prismatic_type, &def, false);
    check_labels(&h, 16,
                 (const char*[]){
                     "back corner 1, face 3", "back corner 1, face 4", "back corner 2, face 2",
                     "back corner 2, face 3", "back corner 3, face 1", "back corner 3, face 2",
                     "back corner 4, face 1", "back corner 4, face 4", "front corner 1, face 3",
                     "front corner 1, face 4", "front corner 2, face 2", "front corner 2, face 3",
                     "front corner 3, face 1", "front corner 3, face 2", "front corner 4, face 1",
                     "front corner 4, face 4"});
    check_kinds(&h, 0, 16, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, 0.1);
    /* Inward normals of the edges (-4, 0), (-1, -3), (3, -1), (2, 4), turned to the left. */
    double x = 0.02, y = 0.05;
    double top = 0.1 - y, left = 0.1 + (3 * x - y) / sqrt(10);
    double bottom = 0.1 + (x + 3 * y) / sqrt(10), right = 0.1 + (-4 * x + 2 * y) / sqrt(20);
    const double moved[7] = {x, y, 1, 1, 0, 0, 0};
    check_gaps(&h, moved,
               (const double[]){top, right, left, top, bottom, left, bottom, right, top, right,
                                left, top, bottom, left, bottom, right});
    fp_world_destroy(h.world);
}

static FpPrismaticDef rectangle_in_rectangle(double inner[8], double guide[8]) {
    FpPrismaticDef def = fp_prismatic_def_default();
    fp_profile_rectangle(4, 2, inner);
    fp_profile_rectangle(4.4, 2.2, guide);
    def.slider = def.guide = scene_frame_z(0, 0, 0);
    def.length = 6;
    def.profile = (FpProfileDef){4, inner};
    def.guide_profile = (FpProfileDef){4, guide};
    return def;
}

/* Top is face 3, left 2, bottom 1, right 4. */
static void rectangle_rolls_in_its_guide(void** unused) {
    (void)unused;
    double inner[8], guide[8];
    FpPrismaticDef def = rectangle_in_rectangle(inner, guide);
    Held h = held(&fp_prismatic_type, &def, false);
    double q[7], a = 0.03, c = cos(a), s = sin(a);
    turned(0, 0, 0, 0, q);
    double g[16] = {0.1, 0.2, 0.2, 0.1, 0.1, 0.2, 0.1, 0.2};
    memcpy(g + 8, g, 8 * sizeof *g);
    check_gaps(&h, q, g);
    for (int i = 0; i < 16; i++) assert_near(h.c->rows[i].size, g[i], 1e-15);
    /* A roll by a: corner (x, y) goes to (x c - y s, x s + y c). */
    turned(a, 0, 0, 0, q);
    double far = 2.2 - (2 * c + s), near = 2.2 - (2 * c - s); /* from the left and right faces */
    double high = 1.1 - (2 * s + c), low = 1.1 - (c - 2 * s); /* from the top and bottom ones */
    const double rolled[8] = {high, near, far, low, high, near, low, far};
    memcpy(g, rolled, sizeof rolled);
    memcpy(g + 8, rolled, sizeof rolled);
    check_gaps(&h, q, g);
    check_contact(&h, q, 0, fp_vec3(2 * c - s, 2 * s + c, -3), fp_vec3(0, -1, 0), high);
    fp_world_destroy(h.world);
}

/* The body is a sleeve around a rail of ground: it moves up, so that its floor meets the rail. */
static void sleeve_around_a_rail_is_pushed_by_the_rail(void** unused) {
    (void)unused;
    double inner[8], guide[8], q[7];
    FpPrismaticDef def = rectangle_in_rectangle(inner, guide);
    def.inner = FREEPLAY_INNER_GUIDE;
    Held h = held(&fp_prismatic_type, &def, false);
    assert_int_equal(h.c->row_count, 16);
    turned(0, 0, 0.04, 1, q);
    double g[16] = {0.14, 0.2, 0.2, 0.14, 0.06, 0.2, 0.06, 0.2};
    memcpy(g + 8, g, 8 * sizeof *g);
    check_gaps(&h, q, g);
    /* On the floor of the sleeve, below the corner (-2, -1, -3) of the rail; the force is on the
     * sleeve. */
    check_contact(&h, q, 4, fp_vec3(-2, -1.06, -3), fp_vec3(0, -1, 0), 0.06);
    fp_world_destroy(h.world);
}

static void prism_without_gap_is_ideal(void** unused) {
    (void)unused;
    static const char* const labels[] = {"back, x", "back, y", "front, x", "front, y", "roll"};
    double inner[8], guide[8], q[7], a = 0.01;
    FpPrismaticDef def = rectangle_in_rectangle(inner, guide);
    memcpy(guide, inner, sizeof guide);
    for (int k = 0; k < 3; k++) {
        if (k > 0) def.guide_profile.corner_count = 0;
        if (k > 1) def.profile.corner_count = 0;
        Held h = held(&fp_prismatic_type, &def, false);
        check_labels(&h, 5, labels);
        check_kinds(&h, 0, 4, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_LENGTH, 0);
        check_kinds(&h, 4, 5, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_ANGLE, 0);
        turned(a, 0.1, -0.2, 3, q);
        check_gaps(&h, q, (const double[]){0.1, -0.2, 0.1, -0.2, sin(a)});
        FpContact none;
        const FpSystem* system = fp_world_system(h.world);
        assert_int_not_equal(fp_constraint_contact(system, h.c, 0, q, 4, &none), FREEPLAY_OK);
        fp_world_destroy(h.world);
    }
}

/* A square that is turned in its guide until each corner meets one face is not without gap: it
 * turns back. */
static void turned_square_is_loose(void** unused) {
    (void)unused;
    double inner[8], guide[8], a = 0.1, side = 2 / (cos(a) + sin(a));
    fp_profile_rectangle(2, 2, guide);
    for (int k = 0; k < 4; k++) {
        double angle = pi / 4 + k * pi / 2 + a, r = side / sqrt(2);
        inner[2 * k] = r * cos(angle);
        inner[2 * k + 1] = r * sin(angle);
    }
    FpPrismaticDef def = fp_prismatic_def_default();
    def.guide = scene_frame_z(0, 0, 0);
    def.length = 1;
    def.profile = (FpProfileDef){4, inner};
    def.guide_profile = (FpProfileDef){4, guide};
    Held h = held(&fp_prismatic_type, &def, false);
    assert_int_equal(h.c->row_count, 16);
    fp_world_destroy(h.world);
}

/* An ideal prism on a guide of finite length: the ends leave one after the other, and the roll is
 * held while the middle of the prism is in the guide, wherever the centre of mass is. */
static void prism_leaves_a_finite_guide(void** unused) {
    (void)unused;
    FpPrismaticDef def = fp_prismatic_def_default();
    def.slider = scene_frame_z(0, 0, 2);
    def.guide = scene_frame_z(0, 0, 0);
    def.length = 0.4;
    def.guide_length = 1;
    def.leaving = FREEPLAY_LEAVING_ALLOWED;
    Held h = held(&fp_prismatic_type, &def, false);
    const double along[4] = {0.2, 0.4, 0.6, 0.8}; /* the middle of the prism */
    const int back[4] = {1, 1, 1, 0}, front[4] = {1, 0, 0, 0}, roll[4] = {1, 1, 0, 0};
    for (int k = 0; k < 4; k++) {
        const double q[7] = {0, 0, along[k] - 2, 1, 0, 0, 0};
        bool applies[5];
        fp_constraint_applies(fp_world_system(h.world), h.c, q, applies);
        assert_int_equal(applies[0], back[k]);
        assert_int_equal(applies[1], back[k]);
        assert_int_equal(applies[2], front[k]);
        assert_int_equal(applies[3], front[k]);
        assert_int_equal(applies[4], roll[k]);
    }
    fp_world_destroy(h.world);
}

static void block_in_a_slot_has_four_corners(void** unused) {
    (void)unused;
    FpPrismaticDef def = fp_prismatic_def_default();
    def.guide = scene_frame_x(0, 0, 0);
    def.length = 0.4;
    def.width = 0.2;
    def.clearance = 0.02;
    Held h = held(&fp_prismatic_type, &def, true);
    check_labels(&h, 4,
                 (const char*[]){"back, left", "back, right", "front, left", "front, right"});
    check_kinds(&h, 0, 4, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, 0.02);
    const double up[3] = {5, 0.015, 0};
    check_gaps(&h, up, (const double[]){0.005, 0.035, 0.005, 0.035});
    check_contact(&h, up, 2, fp_vec3(5.2, 0.115, 0), fp_vec3(0, -1, 0), 0.005);
    /* Turned by a: corner (x, y) is at the height x sin a + y cos a. */
    double a = 0.05, x = 0.2 * sin(a), y = 0.1 * cos(a);
    const double cocked[3] = {0, 0, a};
    check_gaps(&h, cocked,
               (const double[]){0.12 + x - y, 0.12 - x - y, 0.12 - x - y, 0.12 + x - y});
    fp_world_destroy(h.world);

    def.clearance = def.width = 0;
    h = held(&fp_prismatic_type, &def, true);
    check_labels(&h, 2, (const char*[]){"back, across", "front, across"});
    check_gaps(&h, cocked, (const double[]){-x, x});
    fp_world_destroy(h.world);
}

/* Points --------------------------------------------------------------------------------------- */

static void ball_stays_in_its_socket(void** unused) {
    (void)unused;
    FpSphericalDef def = fp_spherical_def_default();
    def.ball = scene_frame_z(0, 0, -1);
    def.radius = 0.2;
    def.clearance = 0.05;
    Held h = held(&fp_spherical_type, &def, false);
    check_labels(&h, 1, (const char*[]){"ball in socket"});
    check_kinds(&h, 0, 1, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, 0.05);
    /* Off by (0.01, -0.02, 0.02), which is 0.03 long. */
    const double off[7] = {0.01, -0.02, 0.02, 1, 0, 0, 0};
    FpVec3 n = fp_vec3(-1.0 / 3, 2.0 / 3, -2.0 / 3), centre = fp_vec3(0.01, -0.02, 0.02 - 1);
    check_gaps(&h, off, (const double[]){0.02});
    check_contact(&h, off, 0, fp_vec3_along(centre, -0.2, n), n, 0.02);
    fp_world_destroy(h.world);

    def.clearance = 0;
    h = held(&fp_spherical_type, &def, false);
    check_labels(&h, 3, (const char*[]){"centre, x", "centre, y", "centre, z"});
    check_gaps(&h, off, (const double[]){0.01, -0.02, 0.02});
    fp_world_destroy(h.world);

    def.ball = scene_frame_z(0.5, 0, 0);
    h = held(&fp_spherical_type, &def, true);
    check_labels(&h, 2, (const char*[]){"centre, x", "centre, y"});
    fp_world_destroy(h.world);
}

static void rod_has_a_length_with_play(void** unused) {
    (void)unused;
    FpDistanceDef def = fp_distance_def_default();
    def.first = scene_frame_z(0, 0, 0);
    def.second = scene_frame_z(0, 0, 5);
    def.length = 5;
    Held h = held(&fp_distance_type, &def, false);
    const double off[7] = {3, 0, 1, 1, 0, 0, 0}; /* 5 away */
    const double near[7] = {0, 0, 0.25, 1, 0, 0, 0};
    check_labels(&h, 1, (const char*[]){"length"});
    check_kinds(&h, 0, 1, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_LENGTH, 0);
    check_gaps(&h, off, (const double[]){0});
    check_gaps(&h, near, (const double[]){0.25});
    fp_world_destroy(h.world);

    def.clearance = 0.1;
    h = held(&fp_distance_type, &def, false);
    check_labels(&h, 2, (const char*[]){"longest", "shortest"});
    check_kinds(&h, 0, 2, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, 0.1);
    check_gaps(&h, off, (const double[]){0.1, 0.1});
    check_gaps(&h, near, (const double[]){0.35, -0.15});
    check_contact(&h, off, 0, fp_vec3(3, 0, 1), fp_vec3(-0.6, 0, 0.8), 0.1);
    check_contact(&h, off, 1, fp_vec3(3, 0, 1), fp_vec3(0.6, 0, -0.8), 0.1);
    fp_world_destroy(h.world);

    def.length = def.clearance = 0; /* as at the start: from the origin to (0, 0, 5) */
    h = held(&fp_distance_type, &def, false);
    check_gaps(&h, off, (const double[]){0});
    fp_world_destroy(h.world);
}

static void point_stays_on_a_line(void** unused) {
    (void)unused;
    FpPointOnDef def = fp_point_on_def_default();
    def.place = scene_frame_z(0, 0, 0);
    def.clearance = 0.05;
    Held h = held(&fp_point_on_line_type, &def, false);
    const double off[7] = {0.024, 0.032, 7, 1, 0, 0, 0}; /* 0.04 away */
    check_labels(&h, 1, (const char*[]){"radial"});
    check_gaps(&h, off, (const double[]){0.01});
    check_contact(&h, off, 0, fp_vec3(0.024, 0.032, 7), fp_vec3(-0.6, -0.8, 0), 0.01);
    fp_world_destroy(h.world);

    def.clearance = 0;
    h = held(&fp_point_on_line_type, &def, false);
    check_labels(&h, 2, (const char*[]){"radial, x", "radial, y"});
    check_gaps(&h, off, (const double[]){0.024, 0.032});
    fp_world_destroy(h.world);
}

static void pin_stays_in_a_slot(void** unused) {
    (void)unused;
    FpPointOnDef def = fp_point_on_def_default();
    def.place = scene_frame_x(0, 0, 0);
    def.clearance = 0.05;
    Held h = held(&fp_point_on_line_type, &def, true);
    const double up[3] = {7, 0.02, 0.5};
    check_labels(&h, 2, (const char*[]){"right side of the slot", "left side of the slot"});
    check_kinds(&h, 0, 2, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, 0.05);
    check_gaps(&h, up, (const double[]){0.07, 0.03});
    check_contact(&h, up, 1, fp_vec3(7, 0.02, 0), fp_vec3(0, -1, 0), 0.03);
    fp_world_destroy(h.world);

    def.clearance = 0;
    h = held(&fp_point_on_line_type, &def, true);
    check_labels(&h, 1, (const char*[]){"distance"});
    check_gaps(&h, up, (const double[]){0.02});
    fp_world_destroy(h.world);
}

static void point_stays_on_a_plane(void** unused) {
    (void)unused;
    FpPointOnDef def = fp_point_on_def_default();
    def.point = scene_frame_z(1, 0, 0);
    def.place = scene_frame_z(0, 0, 0);
    def.clearance = 0.05;
    Held h = held(&fp_point_on_plane_type, &def, false);
    double q[7];
    turned(pi / 2, 0, 0, 0.02, q);
    check_labels(&h, 2, (const char*[]){"side behind the plane", "side before the plane"});
    check_gaps(&h, q, (const double[]){0.07, 0.03});
    check_contact(&h, q, 0, fp_vec3(0, 1, 0.02), fp_vec3(0, 0, 1), 0.07);
    check_contact(&h, q, 1, fp_vec3(0, 1, 0.02), fp_vec3(0, 0, -1), 0.03);
    fp_world_destroy(h.world);

    def.clearance = 0;
    h = held(&fp_point_on_plane_type, &def, false);
    check_labels(&h, 1, (const char*[]){"distance"});
    check_kinds(&h, 0, 1, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_LENGTH, 0);
    check_gaps(&h, q, (const double[]){0.02});
    fp_world_destroy(h.world);
}

/* Whole frames --------------------------------------------------------------------------------- */

static void fixed_body_has_no_freedom(void** unused) {
    (void)unused;
    FpFixedDef def = fp_fixed_def_default();
    def.second = scene_frame_z(0, 0, 0);
    Held h = held(&fp_fixed_type, &def, false);
    check_labels(&h, 6,
                 (const char*[]){"origin, x", "origin, y", "origin, z", "angle about x",
                                 "angle about y", "angle about z"});
    check_kinds(&h, 0, 3, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_LENGTH, 0);
    check_kinds(&h, 3, 6, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_ANGLE, 0);
    double q[7] = {0.1, 0.2, 0.3, 1, 0, 0, 0}, a = 0.2;
    for (int axis = 0; axis < 3; axis++) {
        double g[6] = {0.1, 0.2, 0.3, 0, 0, 0};
        g[3 + axis] = sin(a);
        q[3] = cos(a / 2);
        for (int i = 0; i < 3; i++) q[4 + i] = i == axis ? sin(a / 2) : 0;
        check_gaps(&h, q, g);
    }
    fp_world_destroy(h.world);

    h = held(&fp_fixed_type, &def, true);
    check_labels(&h, 3, (const char*[]){"origin, x", "origin, y", "angle about z"});
    check_gaps(&h, (const double[3]){0.1, 0.2, a}, (const double[]){0.1, 0.2, sin(a)});
    fp_world_destroy(h.world);
}

static void planes_slide_and_turn_on_each_other(void** unused) {
    (void)unused;
    FpPlanarDef def = fp_planar_def_default();
    def.second = scene_frame_z(0, 0, 0);
    Held h = held(&fp_planar_type, &def, false);
    check_labels(&h, 3, (const char*[]){"distance, z", "angle about x", "angle about y"});
    double q[7], a = 0.3;
    turned(1.1, 4, 5, 0, q);
    check_gaps(&h, q, (const double[]){0, 0, 0});
    /* Turned about x by a the normal is (0, -sin a, cos a), about y (sin a, 0, cos a). */
    const double rolled[7] = {4, 5, 0.1, cos(a / 2), sin(a / 2), 0, 0};
    check_gaps(&h, rolled, (const double[]){0.1, -sin(a), 0});
    const double pitched[7] = {4, 5, 0.1, cos(a / 2), 0, sin(a / 2), 0};
    check_gaps(&h, pitched, (const double[]){0.1, 0, sin(a)});
    fp_world_destroy(h.world);
}

/* The cross turns about the x axis of the first and about the y axis of the second shaft: a turn
 * about y, then about the new x, is free; one about z opens the cross. */
static void universal_joint_turns_about_two_axes(void** unused) {
    (void)unused;
    FpUniversalDef def = fp_universal_def_default();
    def.second = scene_frame_z(0, 0, 0);
    Held h = held(&fp_universal_type, &def, false);
    check_labels(&h, 4, (const char*[]){"centre, x", "centre, y", "centre, z", "cross"});
    double a = 0.4, b = 0.7, q[7];
    /* The product of the Euler parameters of the turns by a about y and by b about x. */
    double ca = cos(a / 2), sa = sin(a / 2), cb = cos(b / 2), sb = sin(b / 2);
    const double both[7] = {0, 0, 0, ca * cb, ca * sb, sa * cb, -sa * sb};
    check_gaps(&h, both, (const double[]){0, 0, 0, 0});
    turned(0.2, 0.1, 0.2, 0.3, q);
    check_gaps(&h, q, (const double[]){0.1, 0.2, 0.3, sin(0.2)});
    fp_world_destroy(h.world);
}

/* Contacts ------------------------------------------------------------------------------------- */

static void point_and_ball_touch_a_plane(void** unused) {
    (void)unused;
    FpPlaneContactDef def = fp_plane_contact_def_default();
    def.point = scene_frame_z(1, 0, 0);
    def.plane = scene_frame(fp_vec3(0, -1, 0), fp_vec3(0, 2, 0), fp_vec3(0, 0, 0));
    Held h = held(&fp_plane_contact_type, &def, false);
    double q[7];
    turned(pi / 2, 0, 0, 0.5, q); /* the point is at (0, 1, 0.5), 2 over the plane */
    check_labels(&h, 1, (const char*[]){"point on plane"});
    check_kinds(&h, 0, 1, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, 0);
    check_gaps(&h, q, (const double[]){2});
    check_contact(&h, q, 0, fp_vec3(0, 1, 0.5), fp_vec3(0, 1, 0), 2);
    fp_world_destroy(h.world);

    def.radius = 0.3;
    h = held(&fp_plane_contact_type, &def, false);
    check_labels(&h, 1, (const char*[]){"ball on plane"});
    check_gaps(&h, q, (const double[]){1.7});
    check_contact(&h, q, 0, fp_vec3(0, 0.7, 0.5), fp_vec3(0, 1, 0), 1.7);
    fp_world_destroy(h.world);
}

static void corners_of_a_box_touch_a_plane(void** unused) {
    (void)unused;
    FpPlaneContactDef def = fp_plane_contact_def_default();
    def.point = scene_frame_z(0, 0, 0);
    def.plane = scene_frame(fp_vec3(0, 0, 0), fp_vec3(0, 1, 0), fp_vec3(0, 0, 0));
    def.box = fp_vec3(2, 4, 6);
    Held h = held(&fp_plane_contact_type, &def, false);
    check_labels(&h, 8,
                 (const char*[]){"corner -x -y -z", "corner +x -y -z", "corner -x +y -z",
                                 "corner +x +y -z", "corner -x -y +z", "corner +x -y +z",
                                 "corner -x +y +z", "corner +x +y +z"});
    /* Turned about z by a: corner (x, y) is at the height 5 + x sin a + y cos a. */
    double a = 0.3, x = sin(a), y = 2 * cos(a), q[7];
    const double g[8] = {5 - x - y, 5 + x - y, 5 - x + y, 5 + x + y,
                         5 - x - y, 5 + x - y, 5 - x + y, 5 + x + y};
    turned(a, 0, 5, 0, q);
    check_gaps(&h, q, g);
    check_contact(&h, q, 4, fp_vec3(-cos(a) + 2 * sin(a), g[4], 3), fp_vec3(0, 1, 0), g[4]);
    fp_world_destroy(h.world);

    h = held(&fp_plane_contact_type, &def, true);
    check_labels(&h, 4,
                 (const char*[]){"corner -x -y", "corner +x -y", "corner -x +y", "corner +x +y"});
    check_gaps(&h, (const double[3]){0, 5, a}, g);
    fp_world_destroy(h.world);
}

static void balls_touch_each_other(void** unused) {
    (void)unused;
    FpSphereContactDef def = fp_sphere_contact_def_default();
    def.first = def.second = scene_frame_z(0, 0, 0);
    def.radius[0] = 1;
    def.radius[1] = 0.5;
    Held h = held(&fp_sphere_contact_type, &def, false);
    check_labels(&h, 1, (const char*[]){"ball on ball"});
    const double apart[7] = {0, 3, 4, 1, 0, 0, 0}, inside[7] = {0, 0.6, 0.8, 1, 0, 0, 0};
    check_gaps(&h, apart, (const double[]){3.5});
    check_contact(&h, apart, 0, fp_vec3(0, 2.4, 3.2), fp_vec3(0, 0.6, 0.8), 3.5);
    check_gaps(&h, inside, (const double[]){-0.5});
    fp_world_destroy(h.world);
}

static void ball_touches_a_cylinder_from_outside(void** unused) {
    (void)unused;
    FpCylinderContactDef def = fp_cylinder_contact_def_default();
    def.point = def.cylinder = scene_frame_z(0, 0, 0);
    def.radius = 0.2;
    def.cylinder_radius = 0.5;
    Held h = held(&fp_cylinder_contact_type, &def, false);
    check_labels(&h, 1, (const char*[]){"on cylinder"});
    const double apart[7] = {0.6, 0.8, 9, 1, 0, 0, 0};
    check_gaps(&h, apart, (const double[]){0.3});
    check_contact(&h, apart, 0, fp_vec3(0.48, 0.64, 9), fp_vec3(0.6, 0.8, 0), 0.3);
    fp_world_destroy(h.world);
}

/* The same hinge seen from the other body: the force on the first body turns around. */
static void joint_between_two_bodies_is_relative(void** unused) {
    (void)unused;
    const double quarter[4] = {sqrt(0.5), 0, 0, sqrt(0.5)};
    FpWorld* world = scene_world();
    FpSphericalDef def = fp_spherical_def_default();
    def.joint = (FpJointDef){.name = "joint", .friction = 0.3, .restitution = 0.5};
    def.joint.body[0] = scene_body(world, "ball", false, fp_vec3(1, 0, 0), NULL);
    def.joint.body[1] = scene_body(world, "socket", false, fp_vec3(0, 2, 0), quarter);
    def.ball = scene_frame_z(0, 0, 0);
    def.clearance = 0.05;
    scene_add(world, &fp_spherical_type, &def);
    const FpConstraint* c = scene_finish(world);
    const FpSystem* system = fp_world_system(world);
    FpContact contact;
    double q[14], g;
    memcpy(q, system->q_initial, sizeof q);
    /* The socket was not given: it is where the ball was at the start. */
    fp_constraint_gaps(system, c, 0, q, &g, NULL);
    assert_near(g, 0.05, 1e-14);
    /* The socket goes up by 0.03 and takes the ball with it once it touches. */
    q[8] += 0.03;
    assert_int_equal(fp_constraint_contact(system, c, 0, q, 0, &contact), FREEPLAY_OK);
    assert_near(contact.gap, 0.02, 1e-14);
    assert_near(contact.normal.y, 1, 1e-14);
    assert_near(c->rows[0].friction, 0.3, 0);
    assert_near(c->rows[0].restitution, 0.5, 0);
    assert_int_not_equal(fp_constraint_contact(system, c, 0, q, 1, &contact), FREEPLAY_OK);
    fp_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sleeve_is_held_at_its_two_ends),
        cmocka_unit_test(hinge_has_the_rows_of_its_clearances),
        cmocka_unit_test(hinge_in_the_plane_is_one_circle),
        cmocka_unit_test(sleeve_leaves_a_finite_pin),
        cmocka_unit_test(triangle_has_the_rows_of_the_paper),
        cmocka_unit_test(irregular_prism_touches_along_its_normals),
        cmocka_unit_test(rectangle_rolls_in_its_guide),
        cmocka_unit_test(sleeve_around_a_rail_is_pushed_by_the_rail),
        cmocka_unit_test(prism_without_gap_is_ideal),
        cmocka_unit_test(turned_square_is_loose),
        cmocka_unit_test(prism_leaves_a_finite_guide),
        cmocka_unit_test(block_in_a_slot_has_four_corners),
        cmocka_unit_test(ball_stays_in_its_socket),
        cmocka_unit_test(rod_has_a_length_with_play),
        cmocka_unit_test(point_stays_on_a_line),
        cmocka_unit_test(pin_stays_in_a_slot),
        cmocka_unit_test(point_stays_on_a_plane),
        cmocka_unit_test(fixed_body_has_no_freedom),
        cmocka_unit_test(planes_slide_and_turn_on_each_other),
        cmocka_unit_test(universal_joint_turns_about_two_axes),
        cmocka_unit_test(point_and_ball_touch_a_plane),
        cmocka_unit_test(corners_of_a_box_touch_a_plane),
        cmocka_unit_test(balls_touch_each_other),
        cmocka_unit_test(ball_touches_a_cylinder_from_outside),
        cmocka_unit_test(joint_between_two_bodies_is_relative),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
