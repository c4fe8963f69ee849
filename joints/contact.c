/* Contacts outside joints, theory.md (10)-(12) with the other side of the surface. */
#include "joints/contact.h"

#include <stdio.h>
#include "joints/joint_impl.h"

FpPlaneContactDef fp_plane_contact_def_default(void) {
    return (FpPlaneContactDef){.point = fp_frame_def_default(),
                               .plane = fp_frame_def_default(),
                               .joint.body = {FREEPLAY_GROUND, FREEPLAY_GROUND}};
}

FpSphereContactDef fp_sphere_contact_def_default(void) {
    return (FpSphereContactDef){.first = fp_frame_def_default(),
                                .second = fp_frame_def_default(),
                                .joint.body = {FREEPLAY_GROUND, FREEPLAY_GROUND}};
}

FpCylinderContactDef fp_cylinder_contact_def_default(void) {
    return (FpCylinderContactDef){.point = fp_frame_def_default(),
                                  .cylinder = fp_frame_def_default(),
                                  .joint.body = {FREEPLAY_GROUND, FREEPLAY_GROUND}};
}

/* A contact has no clearance by which it could be measured: its row is measured by the radius of
 * what touches, or by nothing. */
static void add_contact(FpJoint* joint, const FpGeometry* g, const char* label) {
    fp_joint_add_row(joint, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, fabs(g->reach), g, "%s",
                     label);
    joint->rows[joint->base.row_count - 1].is_contact = true;
}

/* Neither frame follows from the other one here. */
static FpStatus check_given(const FpFrameDef* def, const char* field, FpMessage* message) {
    return def->given ? FREEPLAY_OK : fp_refuse_field(message, field, "is missing");
}

/* Plane ---------------------------------------------------------------------------------------- */

static FpStatus check_plane(const FpPlaneContactDef* def, FpMessage* message) {
    const double edges[3] = {def->box.x, def->box.y, def->box.z};
    FpStatus status = check_given(&def->point, "point", message);
    if (!status) status = check_given(&def->plane, "plane", message);
    if (!status) status = fp_joint_check_length("radius", def->radius, true, message);
    for (int i = 0; i < 3 && !status; i++)
        status = fp_joint_check_length("box", edges[i], true, message);
    if (!status && def->radius > 0 && fp_vec3_norm(def->box) > 0)
        status = fp_refuse_field(message, "box", "give a radius or a box, not both");
    return status;
}

FpStatus fp_plane_contact_add(FpWorld* world, const FpPlaneContactDef* def, FpMessage* message) {
    static const char* const names[2] = {"point", "plane"};
    const FpFrameDef frames[2] = {def->point, def->plane};
    FpJoint* joint;
    FpStatus status = check_plane(def, message);
    if (!status)
        status = fp_joint_create(world, &def->joint, &fp_plane_contact_type, frames, names, 8,
                                 &joint, message);
    if (status) return status;
    bool box = fp_vec3_norm(def->box) > 0, flat = fp_joint_is_planar(joint);
    if (flat) status = fp_joint_check_planar_axis(joint, 1, false, message);
    if (!status && flat && box) status = fp_joint_check_planar_axis(joint, 0, true, message);
    if (status) return fp_joint_discard(joint, status);
    const FpJointFrame *point = &joint->frame[0], *plane = &joint->frame[1];
    FpGeometry g = {.shape = &fp_shape_plane,
                    .point = point->origin,
                    .origin = plane->origin,
                    .u = plane->z,
                    .offset = -def->radius,
                    .reach = -def->radius};
    if (!box) add_contact(joint, &g, def->radius > 0 ? "ball on plane" : "point on plane");
    for (int k = 0; box && k < (flat ? 4 : 8); k++) {
        char label[32];
        double x = k & 1 ? 0.5 : -0.5, y = k & 2 ? 0.5 : -0.5, z = k & 4 ? 0.5 : -0.5;
        if (flat) z = 0;
        g.point = fp_vec3_along(point->origin, x * def->box.x, point->x);
        g.point = fp_vec3_along(g.point, y * def->box.y, point->y);
        g.point = fp_vec3_along(g.point, z * def->box.z, point->z);
        snprintf(label, sizeof label, "corner %cx %cy", x > 0 ? '+' : '-', y > 0 ? '+' : '-');
        if (!flat)
            snprintf(label, sizeof label, "corner %cx %cy %cz", x > 0 ? '+' : '-',
                     y > 0 ? '+' : '-', z > 0 ? '+' : '-');
        add_contact(joint, &g, label);
    }
    return fp_joint_finish(world, joint, message);
}

/* Sphere --------------------------------------------------------------------------------------- */

FpStatus fp_sphere_contact_add(FpWorld* world, const FpSphereContactDef* def, FpMessage* message) {
    static const char* const names[2] = {"first", "second"};
    const FpFrameDef frames[2] = {def->first, def->second};
    FpJoint* joint;
    FpStatus status = check_given(&def->first, "first", message);
    if (!status) status = check_given(&def->second, "second", message);
    if (!status) status = fp_joint_check_length("first_radius", def->radius[0], true, message);
    if (!status) status = fp_joint_check_length("second_radius", def->radius[1], true, message);
    if (!status)
        status =
            fp_joint_check_length("second_radius", def->radius[0] + def->radius[1], false, message);
    if (!status)
        status = fp_joint_create(world, &def->joint, &fp_sphere_contact_type, frames, names, 1,
                                 &joint, message);
    if (status) return status;
    FpGeometry g = {.shape = &fp_shape_ball,
                    .point = joint->frame[0].origin,
                    .origin = joint->frame[1].origin,
                    .size = def->radius[0] + def->radius[1],
                    .side = -1,
                    .reach = -def->radius[0]};
    add_contact(joint, &g, "ball on ball");
    return fp_joint_finish(world, joint, message);
}

/* Cylinder ------------------------------------------------------------------------------------- */

FpStatus fp_cylinder_contact_add(FpWorld* world, const FpCylinderContactDef* def,
                                 FpMessage* message) {
    static const char* const names[2] = {"point", "cylinder"};
    const FpFrameDef frames[2] = {def->point, def->cylinder};
    FpJoint* joint;
    FpStatus status = check_given(&def->point, "point", message);
    if (!status) status = check_given(&def->cylinder, "cylinder", message);
    if (!status) status = fp_joint_check_length("radius", def->radius, true, message);
    if (!status)
        status = fp_joint_check_length("cylinder_radius", def->cylinder_radius, false, message);
    if (!status)
        status = fp_joint_create(world, &def->joint, &fp_cylinder_contact_type, frames, names, 1,
                                 &joint, message);
    if (status) return status;
    FpGeometry g = {.shape = &fp_shape_cylinder,
                    .point = joint->frame[0].origin,
                    .origin = joint->frame[1].origin,
                    .u = joint->frame[1].z,
                    .size = def->radius + def->cylinder_radius,
                    .side = -1,
                    .reach = -def->radius};
    add_contact(joint, &g, "on cylinder");
    return fp_joint_finish(world, joint, message);
}

/* Types ---------------------------------------------------------------------------------------- */

static void set_plane_default(void* def) {
    *(FpPlaneContactDef*)def = fp_plane_contact_def_default();
}

static FpStatus add_plane(FpWorld* world, const void* def, FpMessage* message) {
    return fp_plane_contact_add(world, def, message);
}

static const FpField plane_fields[] = {
    {"point", FREEPLAY_FIELD_FRAME, offsetof(FpPlaneContactDef, point), "m", true,
     "the point, centre of the ball or middle of the box, in the first body", NULL},
    {"plane", FREEPLAY_FIELD_FRAME, offsetof(FpPlaneContactDef, plane), "m", true,
     "a point and the outward normal of the plane, in the second body", NULL},
    {"radius", FREEPLAY_FIELD_NUMBER, offsetof(FpPlaneContactDef, radius), "m", false,
     "radius of the ball; 0: a point", NULL},
    {"box", FREEPLAY_FIELD_VECTOR, offsetof(FpPlaneContactDef, box), "m", false,
     "edges of a box, whose corners touch", NULL},
};

const FpJointType fp_plane_contact_type = {
    .name = "plane_contact",
    .summary = "a point, ball or box that may touch a plane",
    .carries = {"point, ball or box", "plane"},
    .is_loose = true,
    .def_size = sizeof(FpPlaneContactDef),
    .set_default = set_plane_default,
    .add = add_plane,
    .field_count = sizeof plane_fields / sizeof plane_fields[0],
    .fields = plane_fields,
};

static void set_sphere_default(void* def) {
    *(FpSphereContactDef*)def = fp_sphere_contact_def_default();
}

static FpStatus add_sphere(FpWorld* world, const void* def, FpMessage* message) {
    return fp_sphere_contact_add(world, def, message);
}

static const FpField sphere_fields[] = {
    {"first", FREEPLAY_FIELD_POINT, offsetof(FpSphereContactDef, first), "m", true,
     "centre of the ball of the first body", NULL},
    {"second", FREEPLAY_FIELD_POINT, offsetof(FpSphereContactDef, second), "m", true,
     "centre of the ball of the second body", NULL},
    {"first_radius", FREEPLAY_FIELD_NUMBER, offsetof(FpSphereContactDef, radius[0]), "m", false,
     "radius of the first ball; 0: a point", NULL},
    {"second_radius", FREEPLAY_FIELD_NUMBER, offsetof(FpSphereContactDef, radius[1]), "m", false,
     "radius of the second ball; 0: a point", NULL},
};

const FpJointType fp_sphere_contact_type = {
    .name = "sphere_contact",
    .summary = "two balls that may touch",
    .carries = {"ball", "ball"},
    .is_loose = true,
    .def_size = sizeof(FpSphereContactDef),
    .set_default = set_sphere_default,
    .add = add_sphere,
    .field_count = sizeof sphere_fields / sizeof sphere_fields[0],
    .fields = sphere_fields,
};

static void set_cylinder_default(void* def) {
    *(FpCylinderContactDef*)def = fp_cylinder_contact_def_default();
}

static FpStatus add_cylinder(FpWorld* world, const void* def, FpMessage* message) {
    return fp_cylinder_contact_add(world, def, message);
}

static const FpField cylinder_fields[] = {
    {"point", FREEPLAY_FIELD_POINT, offsetof(FpCylinderContactDef, point), "m", true,
     "the point or centre of the ball, in the first body", NULL},
    {"cylinder", FREEPLAY_FIELD_FRAME, offsetof(FpCylinderContactDef, cylinder), "m", true,
     "a point and the direction of the axis, in the second body", NULL},
    {"radius", FREEPLAY_FIELD_NUMBER, offsetof(FpCylinderContactDef, radius), "m", false,
     "radius of the ball; 0: a point", NULL},
    {"cylinder_radius", FREEPLAY_FIELD_NUMBER, offsetof(FpCylinderContactDef, cylinder_radius), "m",
     true, "radius of the cylinder", NULL},
};

const FpJointType fp_cylinder_contact_type = {
    .name = "cylinder_contact",
    .summary = "a point or ball that may touch a cylinder from outside",
    .carries = {"point or ball", "cylinder"},
    .is_loose = true,
    .def_size = sizeof(FpCylinderContactDef),
    .set_default = set_cylinder_default,
    .add = add_cylinder,
    .field_count = sizeof cylinder_fields / sizeof cylinder_fields[0],
    .fields = cylinder_fields,
};
