#include "joints/joint_impl.h"

#include <assert.h>
#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/rotation.h"
#include "joints/contact.h"
#include "joints/cylindrical.h"
#include "joints/distance.h"
#include "joints/driver.h"
#include "joints/fixed.h"
#include "joints/gear.h"
#include "joints/planar.h"
#include "joints/point_on.h"
#include "joints/prismatic.h"
#include "joints/revolute.h"
#include "joints/spherical.h"
#include "joints/universal.h"

static const FpJointType* const types[] = {
    &fp_revolute_type,       &fp_cylindrical_type,    &fp_prismatic_type,
    &fp_spherical_type,      &fp_fixed_type,          &fp_planar_type,
    &fp_universal_type,      &fp_distance_type,       &fp_point_on_line_type,
    &fp_point_on_plane_type, &fp_gear_type,           &fp_driver_type,
    &fp_plane_contact_type,  &fp_sphere_contact_type, &fp_cylinder_contact_type,
};
enum { TYPE_COUNT = sizeof types / sizeof types[0] };

const FpJointType* const* fp_joint_types(int* count) {
    *count = TYPE_COUNT;
    return types;
}

const FpJointType* fp_joint_type_find(const char* name) {
    for (int i = 0; i < TYPE_COUNT; i++)
        if (strcmp(types[i]->name, name) == 0) return types[i];
    return NULL;
}

static const char* const friction_law_names[] = {"coulomb", "coulomb-contensou", NULL};

static const FpField loose_fields[] = {
    {"friction", FREEPLAY_FIELD_NUMBER, offsetof(FpJointDef, friction), "1", false,
     "coefficient of Coulomb friction where the bodies touch", NULL},
    {"restitution", FREEPLAY_FIELD_NUMBER, offsetof(FpJointDef, restitution), "1", false,
     "of impacts where the bodies touch, 0 to 1", NULL},
    {"tangential_restitution", FREEPLAY_FIELD_NUMBER, offsetof(FpJointDef, tangential_restitution),
     "1", false, "of impacts, along the surface, 0 to 1; needs friction", NULL},
    {"friction_law", FREEPLAY_FIELD_CHOICE, offsetof(FpJointDef, friction_law), "", false,
     "friction against slip, or also against drilling", friction_law_names},
    {"contact_radius", FREEPLAY_FIELD_NUMBER, offsetof(FpJointDef, contact_radius), "m", false,
     "of the area that touches; friction law coulomb-contensou only, which needs it", NULL},
};

const FpField* fp_joint_loose_fields(int* count) {
    *count = sizeof loose_fields / sizeof loose_fields[0];
    return loose_fields;
}

/* A clearance below this part of the joint's own size is none. */
#define ROUND_OFF 1e-13

/* Checks --------------------------------------------------------------------------------------- */

static FpStatus check_part(const char* field, double value, FpMessage* message) {
    if (value >= 0 && value <= 1) return FREEPLAY_OK;
    return fp_refuse_field(message, field, "must be from 0 to 1, is %g", value);
}

static FpStatus check_drilling(const FpJointDef* def, FpMessage* message) {
    FpStatus status = fp_joint_check_length("contact_radius", def->contact_radius, true, message);
    if (status) return status;
    bool drills = def->friction_law == FREEPLAY_FRICTION_CONTENSOU;
    if (drills && def->contact_radius == 0)
        return fp_refuse_field(message, "contact_radius",
                               "is missing for drilling friction: friction_law "
                               "'coulomb-contensou' needs the radius of the area that touches");
    if (!drills && def->contact_radius > 0)
        return fp_refuse_field(message, "contact_radius",
                               "is for friction_law 'coulomb-contensou' only; the law is "
                               "'coulomb', which knows no drilling");
    return FREEPLAY_OK;
}

static FpStatus check_contact_law(const FpJointDef* def, FpMessage* message) {
    if (!(def->friction >= 0) || !isfinite(def->friction))
        return fp_refuse_field(message, "friction", "must be zero or positive, is %g",
                               def->friction);
    FpStatus status = check_part("restitution", def->restitution, message);
    if (!status)
        status = check_part("tangential_restitution", def->tangential_restitution, message);
    if (!status && def->tangential_restitution > 0 && def->friction == 0)
        status = fp_refuse_field(message, "tangential_restitution",
                                 "needs friction: without it nothing acts along the surface");
    return status ? status : check_drilling(def, message);
}

static FpStatus check_head(const FpWorld* world, const FpJointDef* def, FpMessage* message) {
    if (!def->name || !def->name[0])
        return fp_refuse_field(message, "name", "a joint needs a name");
    for (int k = 0; k < 2; k++)
        if (def->body[k] < FREEPLAY_GROUND || def->body[k] >= fp_world_body_count(world))
            return fp_refuse_field(message, "between", "there is no body number %d", def->body[k]);
    if (def->body[0] == def->body[1])
        return fp_refuse_field(message, "between",
                               "joint '%s' connects two bodies, or a body and ground; both are "
                               "'%s'",
                               def->name, fp_world_body_name(world, def->body[0]));
    return check_contact_law(def, message);
}

FpStatus fp_joint_check_length(const char* field, double value, bool zero_allowed,
                               FpMessage* message) {
    if (isfinite(value) && (value > 0 || (zero_allowed && value == 0))) return FREEPLAY_OK;
    return fp_refuse_field(message, field, "must be %s, is %g m",
                           zero_allowed ? "zero or positive" : "positive", value);
}

FpStatus fp_joint_check_clearance(const char* field, double clearance, double limit,
                                  const char* what, FpMessage* message) {
    FpStatus status = fp_joint_check_length(field, clearance, true, message);
    if (status) return status;
    if (clearance > 0 && isfinite(limit) && clearance < ROUND_OFF * limit)
        return fp_refuse_field(
            message, field, "%g m is lost in the round-off of %s, %g m; give 0 for an ideal joint",
            clearance, what, limit);
    if (clearance < limit) return FREEPLAY_OK;
    return fp_refuse_field(message, field,
                           "a clearance of %g m swallows the joint; it must be below %s, %g m",
                           clearance, what, limit);
}

/* Frames --------------------------------------------------------------------------------------- */

FpFrameDef fp_frame_def_default(void) {
    return (FpFrameDef){.axis = {0, 0, 1}};
}

static FpVec3 unit(FpVec3 a) {
    return fp_vec3_scale(1 / fp_vec3_norm(a), a);
}

/* Some direction across z: the coordinate axis that is least along it. */
static FpVec3 any_direction_across(FpVec3 z) {
    double x = fabs(z.x), y = fabs(z.y), w = fabs(z.z);
    if (x <= y && x <= w) return fp_vec3(1, 0, 0);
    return y <= w ? fp_vec3(0, 1, 0) : fp_vec3(0, 0, 1);
}

static FpStatus frame_from_def(const FpFrameDef* def, const char* field, FpJointFrame* frame,
                               FpMessage* message) {
    if (!fp_vec3_is_finite(def->origin) || !fp_vec3_is_finite(def->axis) ||
        !fp_vec3_is_finite(def->x_axis))
        return fp_refuse_field(message, field, "not finite");
    if (!(fp_vec3_norm(def->axis) > 0))
        return fp_refuse_field(message, field, "the axis has no length; give a direction");
    FpVec3 z = unit(def->axis);
    bool any = fp_vec3_norm(def->x_axis) == 0;
    FpVec3 x = any ? any_direction_across(z) : unit(def->x_axis);
    FpVec3 across = fp_vec3_along(x, -fp_vec3_dot(x, z), z);
    if (!(fp_vec3_norm(across) > 1e-6))
        return fp_refuse_field(message, field, "the x axis must not be parallel to the axis");
    x = unit(across);
    *frame = (FpJointFrame){def->origin, x, fp_vec3_cross(z, x), z};
    return FREEPLAY_OK;
}

static FpPose initial_pose(const FpWorld* world, FpBodyId body) {
    FpMotion motion = fp_world_body_motion(world, body);
    FpPose pose = {.r = motion.position};
    fp_rotation_matrix(motion.orientation, pose.A);
    return pose;
}

static FpVec3 turn(const FpPose* from, const FpPose* to, FpVec3 direction) {
    return fp_mat3_mul_transposed(to->A, fp_mat3_mul(from->A, direction));
}

/* The same frame, seen from another body in the initial configuration. */
static FpJointFrame frame_in_other_body(const FpPose* from, const FpPose* to,
                                        const FpJointFrame* frame) {
    FpVec3 origin = fp_vec3_add(from->r, fp_mat3_mul(from->A, frame->origin));
    return (FpJointFrame){
        fp_mat3_mul_transposed(to->A, fp_vec3_sub(origin, to->r)),
        turn(from, to, frame->x),
        turn(from, to, frame->y),
        turn(from, to, frame->z),
    };
}

/* Each frame as given, or from the other one and the initial poses. */
static FpStatus make_frames(const FpWorld* world, const FpJointDef* joint, const FpFrameDef def[2],
                            const char* const field[2], FpJointFrame frame[2], FpMessage* message) {
    if (!def[0].given && !def[1].given)
        return fp_refuse_field(message, field[0], "give '%s', '%s' or both", field[0], field[1]);
    FpPose pose[2];
    for (int k = 0; k < 2; k++) {
        pose[k] = initial_pose(world, joint->body[k]);
        if (!def[k].given) continue;
        FpStatus status = frame_from_def(&def[k], field[k], &frame[k], message);
        if (status) return status;
    }
    for (int k = 0; k < 2; k++)
        if (!def[k].given) frame[k] = frame_in_other_body(&pose[1 - k], &pose[k], &frame[1 - k]);
    return FREEPLAY_OK;
}

/* Building ------------------------------------------------------------------------------------- */

static char* copy_text(const char* text) {
    size_t size = strlen(text) + 1;
    char* copy = malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

FpStatus fp_joint_create(const FpWorld* world, const FpJointDef* def, const FpJointType* type,
                         const FpFrameDef frames[2], const char* const fields[2], int row_room,
                         FpJoint** joint, FpMessage* message) {
    FpJointFrame frame[2];
    *joint = NULL;
    FpStatus status = check_head(world, def, message);
    if (!status) status = make_frames(world, def, frames, fields, frame, message);
    if (status) return status;
    FpJoint* j = calloc(1, sizeof *j);
    if (!j) return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    *j = (FpJoint){.base = {.type = type->name,
                            .ops = &fp_joint_ops,
                            .name = copy_text(def->name),
                            .block_count = 2,
                            .blocks = {def->body[0], def->body[1]}},
                   .friction = def->friction,
                   .restitution = def->restitution,
                   .tangential_restitution = def->tangential_restitution,
                   .drills = def->friction_law == FREEPLAY_FRICTION_CONTENSOU,
                   .contact_radius = def->contact_radius,
                   .room = row_room};
    for (int k = 0; k < 2; k++) {
        j->kind[k] = fp_world_body_kind(world, def->body[k]);
        j->frame[k] = frame[k];
        j->field[k] = fields[frames[k].given ? k : 1 - k];
    }
    size_t room = (size_t)row_room + 1;
    j->geometry = calloc(room, sizeof *j->geometry);
    j->rows = calloc(room, sizeof *j->rows);
    j->labels = calloc(room, sizeof *j->labels);
    j->vectors.list = calloc(FREEPLAY_VECTORS_PER_ROW * room, sizeof *j->vectors.list);
    j->base.rows = j->rows;
    if (!j->base.name || !j->geometry || !j->rows || !j->labels || !j->vectors.list) {
        fp_constraint_destroy(&j->base);
        return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    }
    if (j->drills && fp_joint_is_planar(j))
        return fp_joint_discard(j, fp_refuse_field(message, "friction_law",
                                                   "between planar bodies nothing turns about a "
                                                   "normal; give 'coulomb'"));
    *joint = j;
    return FREEPLAY_OK;
}

/* Friction and impacts are where surfaces touch. */
static void set_contact_law(const FpJoint* joint, FpRow* row) {
    if (row->kind != FREEPLAY_ROW_UNILATERAL || row->unit != FREEPLAY_ROW_LENGTH) return;
    int in_space = joint->drills ? 3 : 2;
    row->friction = joint->friction;
    row->restitution = joint->restitution;
    row->tangential_restitution = joint->tangential_restitution;
    if (row->friction > 0) row->slip_count = fp_joint_is_planar(joint) ? 1 : in_space;
}

void fp_joint_add_row(FpJoint* joint, FpRowKind kind, FpRowUnit unit, double size,
                      const FpGeometry* geometry, const char* label, ...) {
    int i = joint->base.row_count++;
    FpGeometry* g = &joint->geometry[i];
    va_list arguments;
    va_start(arguments, label);
    vsnprintf(joint->labels[i], sizeof joint->labels[i], label, arguments);
    va_end(arguments);
    *g = *geometry;
    fp_geometry_list_vectors(g, &joint->vectors);
    assert(joint->vectors.count <= FREEPLAY_VECTORS_MAX);
    /* Round-off of the points themselves. */
    double extent = fmax(fp_vec3_norm(g->point), fp_vec3_norm(g->origin));
    g->tiny = 16 * DBL_EPSILON * fmax(extent, g->size);
    joint->base.extent = fmax(joint->base.extent, extent);
    g->frame_x = joint->frame[1 - g->point_body].x;
    g->frame_z = joint->frame[1 - g->point_body].z;
    joint->rows[i] = (FpRow){.kind = kind, .unit = unit, .size = size, .label = joint->labels[i]};
    set_contact_law(joint, &joint->rows[i]);
}

void fp_joint_limit_rows(FpJoint* joint, double half_length, bool must_stay) {
    joint->base.ops = &fp_joint_ops_with_ends;
    for (int i = 0; i < joint->base.row_count; i++) {
        FpGeometry* g = &joint->geometry[i];
        g->has_range = true;
        g->axis = joint->frame[1 - g->point_body].z;
        g->range_low = -half_length;
        g->range_high = half_length;
        joint->rows[i].must_stay = must_stay;
    }
}

FpStatus fp_joint_discard(FpJoint* joint, FpStatus status) {
    fp_constraint_destroy(&joint->base);
    return status;
}

FpStatus fp_joint_name_and_finish(FpWorld* world, FpConstraint* constraint, const char* name,
                                  FpMessage* message) {
    constraint->name = copy_text(name);
    if (constraint->name) return fp_world_add_constraint(world, constraint, message);
    fp_constraint_destroy(constraint);
    return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
}

FpStatus fp_joint_finish(FpWorld* world, FpJoint* joint, FpMessage* message) {
    return fp_world_add_constraint(world, &joint->base, message);
}

bool fp_joint_has_idle_laws(const FpConstraint* constraint) {
    const FpJoint* joint = fp_joint_of(constraint);
    if (!joint || (joint->friction == 0 && joint->restitution == 0)) return false;
    for (int i = 0; i < constraint->row_count; i++)
        if (constraint->rows[i].kind == FREEPLAY_ROW_UNILATERAL) return false;
    return true;
}

bool fp_joint_lacks_radius(const FpConstraint* constraint) {
    const FpJoint* joint = fp_joint_of(constraint);
    bool any = false;
    for (int i = 0; joint && joint->lacks_radius && i < constraint->row_count; i++) {
        bool is_round = joint->geometry[i].shape != &fp_shape_plane;
        any = any || (is_round && constraint->rows[i].slip_count > 0);
    }
    return any;
}

/* Planar pairs --------------------------------------------------------------------------------- */

bool fp_joint_is_planar(const FpJoint* joint) {
    bool any = false, all = true;
    for (int k = 0; k < 2; k++) {
        bool planar = joint->kind[k] == &fp_body_planar;
        any = any || planar;
        all = all && (planar || joint->base.blocks[k] < 0);
    }
    return any && all;
}

FpStatus fp_joint_check_planar_axis(const FpJoint* joint, int k, bool across, FpMessage* message) {
    FpVec3 z = joint->frame[k].z;
    double along = fabs(z.z);
    if (across ? along >= 1 - 1e-9 : along <= 1e-9) return FREEPLAY_OK;
    return fp_refuse_field(message, joint->field[k],
                           "between planar bodies the axis must be %s, is (%.6g, %.6g, %.6g)",
                           across ? "along z" : "in the plane z = 0", z.x, z.y, z.z);
}

FpStatus fp_joint_check_in_space(const FpJoint* joint, const char* advice, FpMessage* message) {
    if (!fp_joint_is_planar(joint)) return FREEPLAY_OK;
    return fp_refuse_field(message, "between", "a %s joint needs a body in space; %s",
                           joint->base.type, advice);
}

/* Rows that several joints share --------------------------------------------------------------- */

static FpVec3 axis_of(const FpJointFrame* frame, char letter) {
    return letter == 'x' ? frame->x : letter == 'y' ? frame->y : frame->z;
}

void fp_joint_hold_point(FpJoint* joint, FpVec3 point, const char* along, const char* label) {
    const FpJointFrame* frame = &joint->frame[1];
    for (; *along; along++) {
        FpGeometry g = {.shape = &fp_shape_plane,
                        .point = point,
                        .origin = frame->origin,
                        .u = axis_of(frame, *along)};
        fp_joint_add_row(joint, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_LENGTH, 0, &g, "%s, %c", label,
                         *along);
    }
}

void fp_joint_hold_square(FpJoint* joint, FpVec3 w, FpVec3 u, const char* label) {
    FpGeometry g = {.shape = &fp_shape_square, .w = w, .u = u};
    fp_joint_add_row(joint, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_ANGLE, 0, &g, "%s", label);
}

void fp_joint_keep_on_axis(FpJoint* joint, FpVec3 point, double clearance, double reach,
                           const char* label) {
    if (clearance == 0) {
        fp_joint_hold_point(joint, point, "xy", label);
        return;
    }
    FpGeometry g = {.shape = &fp_shape_cylinder,
                    .point = point,
                    .origin = joint->frame[1].origin,
                    .u = joint->frame[1].z,
                    .size = clearance,
                    .side = 1,
                    .reach = reach};
    fp_joint_add_row(joint, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, clearance, &g, "%s",
                     label);
}
