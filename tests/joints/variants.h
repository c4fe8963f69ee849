/* Every joint type in its variants, between every pair of bodies that it takes: what holds for all
 * of them is tested over this table. A new joint is a function that adds it and a line in
 * `variants`. */
#ifndef FREEPLAY_TESTS_JOINTS_VARIANTS_H
#define FREEPLAY_TESTS_JOINTS_VARIANTS_H

#include "tests/joints/scene.h"

typedef enum Place { GROUND, SPACE, PLANE } Place;

/* What the two bodies of a joint are; the last three are in the plane. */
typedef struct Pair {
    const char* name;
    Place place[2];
} Pair;
static const Pair pairs[] = {
    {"two in space", {SPACE, SPACE}},     {"space on ground", {SPACE, GROUND}},
    {"ground on space", {GROUND, SPACE}}, {"plane on space", {PLANE, SPACE}},
    {"space on plane", {SPACE, PLANE}},   {"two in the plane", {PLANE, PLANE}},
    {"plane on ground", {PLANE, GROUND}}, {"ground on plane", {GROUND, PLANE}},
};
enum { PAIR_COUNT = sizeof pairs / sizeof pairs[0], IN_SPACE = 5 };

/* A world with the two bodies of a pair and frames in them. */
typedef struct Scene {
    FpWorld* world;
    FpJointDef head;      /* joint "joint" between the two */
    FpFrameDef across[2]; /* general; between planar bodies the axis is along z */
    FpFrameDef along[2];  /* general; between planar bodies the axis is in the plane */
} Scene;

typedef struct Variant Variant;
struct Variant {
    const char* name;
    void (*add)(const Scene* scene, const Variant* variant); /* the joint that is tested last */
    bool in_space, in_plane;                                 /* the pairs that it takes */
    double clearance, axial_clearance, radius;
    int choice;  /* what else the function can vary */
    double jump; /* psi is known up to multiples of this; 0: psi is continuous */
};

static inline Scene scene_create(const Pair* pair) {
    static const double turned[2][4] = {{0.8, 0.2, -0.5, 0.3}, {0.4, -0.6, 0.1, 0.7}};
    static const double in_plane[2][4] = {{0.9, 0, 0, 0.4}, {0.3, 0, 0, -0.8}};
    static const FpVec3 position[2] = {{0.3, -0.2, 0.5}, {-0.4, 0.6, 0.1}};
    static const char* const names[2] = {"first", "second"};
    bool flat = pair->place[0] != SPACE && pair->place[1] != SPACE;
    Scene s = {.world = scene_world(), .head = {.name = "joint", .friction = 0.2}};
    for (int k = 0; k < 2; k++) {
        bool planar = pair->place[k] == PLANE;
        FpVec3 r = position[k];
        if (planar) r.z = 0;
        s.head.body[k] = pair->place[k] == GROUND ? FREEPLAY_GROUND
                                                  : scene_body(s.world, names[k], planar, r,
                                                               planar ? in_plane[k] : turned[k]);
    }
    s.across[0] = scene_frame(fp_vec3(0.1, 0.3, -0.2), fp_vec3(1, 2, -0.5), fp_vec3(0.3, 0, 1));
    s.across[1] = scene_frame(fp_vec3(-0.3, 0.2, 0.4), fp_vec3(-1, 0.7, 2), fp_vec3(1, 1, 0.2));
    memcpy(s.along, s.across, sizeof s.along);
    for (int k = 0; flat && k < 2; k++) {
        s.across[k].origin.z = s.along[k].origin.z = s.along[k].axis.z = 0;
        s.across[k].axis = fp_vec3(0, 0, 1);
        s.along[k].x_axis = fp_vec3(0, 0, 1);
    }
    return s;
}

static inline FpConstraint const* variant_build(const Variant* variant, const Pair* pair,
                                                FpWorld** world) {
    Scene scene = scene_create(pair);
    variant->add(&scene, variant);
    *world = scene.world;
    return scene_finish(scene.world);
}

static inline bool variant_takes(const Variant* variant, int pair) {
    return pair < IN_SPACE ? variant->in_space : variant->in_plane;
}

/* How each type is added ----------------------------------------------------------------------- */

static inline void add_revolute(const Scene* s, const Variant* v) {
    FpRevoluteDef def = {.joint = s->head,
                         .bore = s->across[0],
                         .pin = s->across[1],
                         .length = 0.5,
                         .radius = v->radius,
                         .clearance = v->clearance,
                         .axial_clearance = v->axial_clearance,
                         .axial = (FpAxial)v->choice};
    scene_add(s->world, &fp_revolute_type, &def);
}

static inline void add_cylindrical(const Scene* s, const Variant* v) {
    FpCylindricalDef def = {.joint = s->head,
                            .sleeve = s->across[0],
                            .pin = s->across[1],
                            .length = 0.5,
                            .radius = v->radius,
                            .clearance = v->clearance};
    scene_add(s->world, &fp_cylindrical_type, &def);
}

/* Sections are regular with 3 and more corners, or two rectangles of different shape (choice 1). */
static inline void add_prismatic(const Scene* s, const Variant* v) {
    double inner[2 * 6], guide[2 * 6];
    int corners = v->choice == 1 ? 4 : v->choice;
    FpPrismaticDef def = {.joint = s->head,
                          .slider = s->along[0],
                          .guide = s->along[1],
                          .length = 0.5,
                          .clearance = v->clearance,
                          .width = v->radius,
                          .inner = v->axial_clearance > 0 ? FREEPLAY_INNER_GUIDE
                                                          : FREEPLAY_INNER_SLIDER};
    if (v->choice == 1) {
        fp_profile_rectangle(0.2, 0.1, inner);
        fp_profile_rectangle(0.22, 0.13, guide);
        def.guide_profile = (FpProfileDef){4, guide};
    } else if (corners) {
        fp_profile_regular(corners, 0.2, inner);
    }
    if (corners) def.profile = (FpProfileDef){corners, inner};
    scene_add(s->world, &fp_prismatic_type, &def);
}

static inline void add_spherical(const Scene* s, const Variant* v) {
    FpSphericalDef def = {.joint = s->head,
                          .ball = s->across[0],
                          .socket = s->across[1],
                          .radius = v->radius,
                          .clearance = v->clearance};
    scene_add(s->world, &fp_spherical_type, &def);
}

static inline void add_fixed(const Scene* s, const Variant* v) {
    (void)v;
    FpFixedDef def = {.joint = s->head, .first = s->across[0], .second = s->across[1]};
    scene_add(s->world, &fp_fixed_type, &def);
}

static inline void add_planar(const Scene* s, const Variant* v) {
    (void)v;
    FpPlanarDef def = {.joint = s->head, .first = s->across[0], .second = s->across[1]};
    scene_add(s->world, &fp_planar_type, &def);
}

static inline void add_universal(const Scene* s, const Variant* v) {
    (void)v;
    FpUniversalDef def = {.joint = s->head, .first = s->across[0], .second = s->across[1]};
    scene_add(s->world, &fp_universal_type, &def);
}

static inline void add_distance(const Scene* s, const Variant* v) {
    FpDistanceDef def = {.joint = s->head,
                         .first = s->across[0],
                         .second = s->across[1],
                         .length = v->radius,
                         .clearance = v->clearance};
    scene_add(s->world, &fp_distance_type, &def);
}

static inline void add_point_on(const Scene* s, const Variant* v) {
    FpPointOnDef def = {
        .joint = s->head, .point = s->across[0], .place = s->along[1], .clearance = v->clearance};
    scene_add(s->world, v->choice ? &fp_point_on_plane_type : &fp_point_on_line_type, &def);
}

static inline void add_plane_contact(const Scene* s, const Variant* v) {
    FpPlaneContactDef def = {
        .joint = s->head, .point = s->across[0], .plane = s->along[1], .radius = v->radius};
    if (v->choice) def.box = fp_vec3(0.1, 0.2, 0.3);
    scene_add(s->world, &fp_plane_contact_type, &def);
}

static inline void add_sphere_contact(const Scene* s, const Variant* v) {
    FpSphereContactDef def = {.joint = s->head,
                              .first = s->across[0],
                              .second = s->across[1],
                              .radius = {v->radius, 0.2}};
    scene_add(s->world, &fp_sphere_contact_type, &def);
}

static inline void add_cylinder_contact(const Scene* s, const Variant* v) {
    FpCylinderContactDef def = {.joint = s->head,
                                .point = s->across[0],
                                .cylinder = s->across[1],
                                .radius = v->radius,
                                .cylinder_radius = 0.2};
    scene_add(s->world, &fp_cylinder_contact_type, &def);
}

/* A driver of a loose hinge or sleeve, or of an ideal block where the choice is a translation. */
static inline void add_driver(const Scene* s, const Variant* v) {
    static const double times[4] = {-0.5, 0.2, 0.5, 1.5}, values[4] = {0.1, 0.4, -0.3, 0.2};
    static const FpDriveDef drives[3] = {
        {.kind = FREEPLAY_DRIVE_SPEED, .speed = 2.5},
        {.kind = FREEPLAY_DRIVE_HARMONIC, .amplitude = 0.7, .frequency = 0.6, .phase = 0.4},
        {.kind = FREEPLAY_DRIVE_TABLE, .count = 4, .times = times, .values = values}};
    FpDriverDef def = {.joint.name = "driver", .driven = "joint"};
    if (v->jump > 0) {
        add_revolute(s, &(Variant){.clearance = 0.02, .axial_clearance = 0.01});
        def.rotation = drives[v->choice];
    } else {
        add_prismatic(s, &(Variant){0});
        def.translation = drives[v->choice];
    }
    scene_add(s->world, &fp_driver_type, &def);
}

enum { TEETH, TRAVEL, SCREW, LEVER };

/* A gear between this joint and one that a third body has with the same carrier, the second body;
 * a screw couples the joint with itself. */
static inline void add_gear(const Scene* s, const Variant* v) {
    Scene other = *s;
    bool flat = s->along[1].axis.z == 0;
    other.head.name = "other";
    other.head.body[0] = scene_body(s->world, "third", flat, fp_vec3(0.7, 0.1, 0), NULL);
    FpGearDef def = {.joint.name = "gear", .coupled = {"joint", "other"}};
    Variant ideal = {0};
    if (v->choice == SCREW) {
        add_cylindrical(s, &ideal);
        def.coupled[1] = "joint";
    } else if (v->choice == LEVER) {
        add_prismatic(s, &ideal);
        add_prismatic(&other, &ideal);
        def.ratio = -1.7;
    } else {
        add_revolute(s, &ideal);
        if (v->choice == TEETH) add_revolute(&other, &ideal);
        if (v->choice == TRAVEL) add_prismatic(&other, &ideal);
    }
    if (v->choice == TRAVEL || v->choice == SCREW) def.travel_per_turn = v->jump;
    if (v->choice == TEETH) def.teeth[0] = 12, def.teeth[1] = -31;
    scene_add(s->world, &fp_gear_type, &def);
}

/* The table ------------------------------------------------------------------------------------ */

#define TURN 6.28318530717958647692

/* name, function, in space, in the plane, then what differs from 0. */
static const Variant variants[] = {
    {"revolute, ideal", add_revolute, true, true, .clearance = 0},
    {"revolute, loose", add_revolute, true, true, .clearance = 0.02, .axial_clearance = 0.03,
     .radius = 0.1},
    {"revolute, loose across", add_revolute, true, true, .clearance = 0.02},
    {"revolute, loose along", add_revolute, true, true, .axial_clearance = 0.03},
    {"revolute, free along", add_revolute, true, true, .clearance = 0.02,
     .choice = FREEPLAY_AXIAL_FREE},
    {"cylindrical, ideal", add_cylindrical, true, false, .clearance = 0},
    {"cylindrical, loose", add_cylindrical, true, false, .clearance = 0.02, .radius = 0.1},
    {"prismatic, ideal", add_prismatic, true, true, .clearance = 0},
    {"prismatic, ideal inner guide", add_prismatic, true, true, .axial_clearance = 1},
    {"prismatic, triangle", add_prismatic, true, false, .clearance = 0.02, .choice = 3},
    {"prismatic, hexagon as inner guide", add_prismatic, true, false, .clearance = 0.02,
     .choice = 6, .axial_clearance = 1},
    {"prismatic, two rectangles", add_prismatic, true, false, .choice = 1},
    {"prismatic, slot", add_prismatic, false, true, .clearance = 0.02, .radius = 0.2},
    {"prismatic, slot around inner guide", add_prismatic, false, true, .clearance = 0.02,
     .radius = 0.2, .axial_clearance = 1},
    {"spherical, ideal", add_spherical, true, true, .clearance = 0},
    {"spherical, loose", add_spherical, true, true, .clearance = 0.02, .radius = 0.1},
    {"fixed", add_fixed, true, true, .clearance = 0},
    {"planar", add_planar, true, false, .clearance = 0},
    {"universal", add_universal, true, false, .clearance = 0},
    {"distance, ideal", add_distance, true, true, .radius = 0.8},
    {"distance, as at the start", add_distance, true, true, .clearance = 0},
    {"distance, loose", add_distance, true, true, .radius = 0.8, .clearance = 0.05},
    {"point on line, ideal", add_point_on, true, true, .clearance = 0},
    {"point on line, loose", add_point_on, true, true, .clearance = 0.02},
    {"point on plane, ideal", add_point_on, true, true, .choice = 1},
    {"point on plane, loose", add_point_on, true, true, .clearance = 0.02, .choice = 1},
    {"plane contact, point", add_plane_contact, true, true, .clearance = 0},
    {"plane contact, ball", add_plane_contact, true, true, .radius = 0.1},
    {"plane contact, box", add_plane_contact, true, true, .choice = 1},
    {"sphere contact, point", add_sphere_contact, true, true, .clearance = 0},
    {"sphere contact, balls", add_sphere_contact, true, true, .radius = 0.1},
    {"cylinder contact, point", add_cylinder_contact, true, true, .clearance = 0},
    {"cylinder contact, ball", add_cylinder_contact, true, true, .radius = 0.1},
    {"driver, speed", add_driver, true, true, .jump = TURN},
    {"driver, harmonic", add_driver, true, true, .choice = 1, .jump = TURN},
    {"driver, table", add_driver, true, true, .choice = 2, .jump = TURN},
    {"driver, sliding with a speed", add_driver, true, true, .clearance = 0},
    {"driver, sliding to and fro", add_driver, true, true, .choice = 1},
    {"driver, sliding by a table", add_driver, true, true, .choice = 2},
    {"gear, teeth", add_gear, true, true, .choice = TEETH, .jump = TURN / 12},
    {"gear, rack", add_gear, true, true, .choice = TRAVEL, .jump = 0.3},
    {"gear, screw", add_gear, true, false, .choice = SCREW, .jump = -0.5},
    {"gear, lever", add_gear, true, true, .choice = LEVER},
};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

#endif
