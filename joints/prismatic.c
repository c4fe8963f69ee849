/* A prism in a guide, with play between the faces, theory.md (13). */
#include "joints/prismatic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "joints/cylindrical.h"
#include "joints/joint_impl.h"

#define PI 3.14159265358979323846

FpPrismaticDef fp_prismatic_def_default(void) {
    return (FpPrismaticDef){.slider = fp_frame_def_default(),
                            .guide = fp_frame_def_default(),
                            .joint.body = {FREEPLAY_GROUND, FREEPLAY_GROUND}};
}

void fp_profile_regular(int n, double side, double* corners) {
    double radius = side / (2 * sin(PI / n));
    for (int k = 0; k < n; k++) {
        corners[2 * k] = -radius * sin(2 * PI * k / n);
        corners[2 * k + 1] = radius * cos(2 * PI * k / n);
    }
}

void fp_profile_rectangle(double width, double height, double* corners) {
    const double signs[8] = {1, 1, -1, 1, -1, -1, 1, -1};
    for (int k = 0; k < 4; k++) {
        corners[2 * k] = signs[2 * k] * width / 2;
        corners[2 * k + 1] = signs[2 * k + 1] * height / 2;
    }
}

/* Profiles ------------------------------------------------------------------------------------- */

/* A face from one corner to the next: the points with n.p >= d are inside. */
typedef struct Face {
    double n[2], d, length;
} Face;

typedef struct Section {
    int count;
    const double* corners;
    Face faces[FREEPLAY_PROFILE_CORNERS]; /* the k-th leads from corner k to corner k + 1 */
    double size;                          /* largest distance of a corner from the origin */
} Section;

/* Distance of a point from a face, positive inside. */
static double inside(const Face* face, const double* point) {
    return face->n[0] * point[0] + face->n[1] * point[1] - face->d;
}

static Face face_of(const double* from, const double* to) {
    double x = to[0] - from[0], y = to[1] - from[1], length = hypot(x, y);
    Face face = {.n = {-y / length, x / length}, .length = length};
    face.d = face.n[0] * from[0] + face.n[1] * from[1];
    return face;
}

static FpStatus check_corners(const FpProfileDef* def, const char* field, FpMessage* message) {
    if (def->corner_count < 3 || !def->corners)
        return fp_refuse_field(message, field, "has %d corners; a profile needs 3 or more",
                               def->corner_count);
    if (def->corner_count > FREEPLAY_PROFILE_CORNERS)
        return fp_refuse_field(message, field, "has %d corners; at most %d are possible",
                               def->corner_count, FREEPLAY_PROFILE_CORNERS);
    for (int i = 0; i < 2 * def->corner_count; i++)
        if (!isfinite(def->corners[i]))
            return fp_refuse_field(message, field, "corner %d is not finite", i / 2 + 1);
    return FREEPLAY_OK;
}

/* Convex and counter-clockwise: every corner turns to the left, once around in all. */
static FpStatus check_convex(const Section* s, const char* field, FpMessage* message) {
    double turned = 0;
    for (int k = 0; k < s->count; k++) {
        const Face *before = &s->faces[(k + s->count - 1) % s->count], *after = &s->faces[k];
        double cross = before->n[0] * after->n[1] - before->n[1] * after->n[0];
        double dot = before->n[0] * after->n[0] + before->n[1] * after->n[1];
        if (!(cross > 1e-9))
            return fp_refuse_field(message, field,
                                   "is not convex at corner %d, (%g, %g) m; the corners of a "
                                   "convex polygon are needed, counter-clockwise",
                                   k + 1, s->corners[2 * k], s->corners[2 * k + 1]);
        turned += atan2(cross, dot);
    }
    if (fabs(turned - 2 * PI) < 1e-6) return FREEPLAY_OK;
    return fp_refuse_field(message, field,
                           "goes around %.3g times; a simple convex polygon is needed",
                           turned / (2 * PI));
}

static FpStatus read_section(const FpProfileDef* def, const char* field, Section* s,
                             FpMessage* message) {
    FpStatus status = check_corners(def, field, message);
    if (status) return status;
    *s = (Section){.count = def->corner_count, .corners = def->corners};
    for (int k = 0; k < s->count; k++) {
        const double *from = s->corners + 2 * k, *to = s->corners + 2 * ((k + 1) % s->count);
        s->faces[k] = face_of(from, to);
        s->size = fmax(s->size, hypot(from[0], from[1]));
        if (!(s->faces[k].length > 0))
            return fp_refuse_field(message, field, "corners %d and %d coincide", k + 1,
                                   (k + 1) % s->count + 1);
    }
    return check_convex(s, field, message);
}

/* Every corner of the inner profile within every face of the guide, and face beside face. */
static FpStatus check_fit(const Section* inner, const Section* guide, FpMessage* message) {
    if (inner->count != guide->count)
        return fp_refuse_field(message, "guide_profile",
                               "has %d corners, the inner profile %d; both need the same number",
                               guide->count, inner->count);
    for (int f = 0; f < guide->count; f++) {
        const Face *a = &inner->faces[f], *b = &guide->faces[f];
        if (a->n[0] * b->n[0] + a->n[1] * b->n[1] < cos(PI / (2 * guide->count)))
            return fp_refuse_field(message, "guide_profile",
                                   "face %d of the guide is not beside face %d of the inner "
                                   "profile; give the corners of both in the same order",
                                   f + 1, f + 1);
        for (int k = 0; k < inner->count; k++) {
            double gap = inside(b, inner->corners + 2 * k);
            if (gap < -1e-12 * guide->size)
                return fp_refuse_field(message, "guide_profile",
                                       "the inner profile is larger than the guide: its corner "
                                       "%d is %g m outside face %d",
                                       k + 1, -gap, f + 1);
        }
    }
    return FREEPLAY_OK;
}

/* The smallest distance of a face from the middle of the corners. */
static double inner_radius(const Section* s) {
    double middle[2] = {0, 0}, radius = INFINITY;
    for (int k = 0; k < 2 * s->count; k++) middle[k % 2] += s->corners[k] / s->count;
    for (int k = 0; k < s->count; k++) radius = fmin(radius, inside(&s->faces[k], middle));
    return radius;
}

/* The two profiles of a loose joint: the guide as given, or the inner one with every face moved
 * outwards by the clearance. */
static FpStatus read_profiles(const FpPrismaticDef* def, Section* inner, Section* guide,
                              FpMessage* message) {
    FpStatus status = read_section(&def->profile, "profile", inner, message);
    if (status) return status;
    if (def->guide_profile.corner_count == 0) {
        *guide = *inner;
        for (int k = 0; k < guide->count; k++) guide->faces[k].d -= def->clearance;
        return fp_joint_check_clearance("clearance", def->clearance, inner_radius(inner),
                                        "the inner radius of the profile", message);
    }
    status = read_section(&def->guide_profile, "guide_profile", guide, message);
    return status ? status : check_fit(inner, guide, message);
}

/* Rows ----------------------------------------------------------------------------------------- */

static FpVec3 in_frame(const FpJointFrame* f, double x, double y, double z) {
    FpVec3 p = fp_vec3_along(f->origin, x, f->x);
    return fp_vec3_along(fp_vec3_along(p, y, f->y), z, f->z);
}

static FpVec3 direction_in_frame(const FpJointFrame* f, const double n[2]) {
    return fp_vec3_along(fp_vec3_scale(n[0], f->x), n[1], f->y);
}

/* One corner against one face: n.(P - Q) - d. */
static void add_corner(FpJoint* joint, int inner, FpVec3 point, const double n[2], double d,
                       double clearance, const char* label, const char* face, int corner) {
    const FpJointFrame* guide = &joint->frame[1 - inner];
    FpGeometry g = {.shape = &fp_shape_plane,
                    .point_body = inner,
                    .point = point,
                    .origin = guide->origin,
                    .u = direction_in_frame(guide, n),
                    .offset = -d};
    fp_joint_add_row(joint, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, clearance, &g,
                     "%s corner %d, face %s", label, corner, face);
}

/* The number of a face: that which ends at the last corner is 1, then against the corners. */
static int face_number(int face, int count) {
    return (count - 2 - face + count) % count + 1;
}

static void add_loose_rows(FpJoint* joint, const FpPrismaticDef* def, const Section* inner,
                           const Section* guide) {
    static const char* const ends[2] = {"back", "front"};
    int body = def->inner == FREEPLAY_INNER_SLIDER ? 0 : 1, n = inner->count;
    for (int end = 0; end < 2; end++)
        for (int k = 0; k < n; k++) {
            const double* corner = inner->corners + 2 * k;
            double z = (end ? 0.5 : -0.5) * def->length;
            FpVec3 point = in_frame(&joint->frame[body], corner[0], corner[1], z);
            int faces[2] = {k, (k + n - 1) % n};
            if (face_number(faces[0], n) > face_number(faces[1], n)) {
                faces[0] = faces[1];
                faces[1] = k;
            }
            for (int f = 0; f < 2; f++) {
                const Face* face = &guide->faces[faces[f]];
                char number[12];
                snprintf(number, sizeof number, "%d", face_number(faces[f], n));
                double gap = fmax(inside(face, corner), 0);
                add_corner(joint, body, point, face->n, face->d, gap, ends[end], number, k + 1);
            }
        }
}

/* A block between the two sides of a slot; `left` points to the left of the axis. */
static void add_slot_rows(FpJoint* joint, const FpPrismaticDef* def, FpVec3 left[2]) {
    static const char* const labels[4] = {"back, left", "back, right", "front, left",
                                          "front, right"};
    int body = def->inner == FREEPLAY_INNER_SLIDER ? 0 : 1;
    const FpJointFrame *block = &joint->frame[body], *slot = &joint->frame[1 - body];
    for (int k = 0; k < 4; k++) {
        double side = k % 2 ? -1 : 1, z = (k < 2 ? -0.5 : 0.5) * def->length;
        FpVec3 centre = fp_vec3_along(block->origin, z, block->z);
        FpGeometry g = {.shape = &fp_shape_plane,
                        .point_body = body,
                        .point = fp_vec3_along(centre, side * def->width / 2, left[body]),
                        .origin = slot->origin,
                        .u = fp_vec3_scale(-side, left[1 - body]),
                        .offset = def->width / 2 + def->clearance};
        fp_joint_add_row(joint, FREEPLAY_ROW_UNILATERAL, FREEPLAY_ROW_LENGTH, def->clearance, &g,
                         "%s", labels[k]);
    }
}

/* Ideal: both ends of the inner prism on the axis, and no roll. */
static void add_ideal_rows(FpJoint* joint, const FpPrismaticDef* def, const FpVec3* left) {
    static const char* const ends[2] = {"back", "front"};
    int body = def->inner == FREEPLAY_INNER_SLIDER ? 0 : 1;
    const FpJointFrame *inner = &joint->frame[body], *guide = &joint->frame[1 - body];
    for (int end = 0; end < 2; end++) {
        FpGeometry g = {.shape = &fp_shape_plane, .point_body = body, .origin = guide->origin};
        g.point = fp_vec3_along(inner->origin, (end ? 0.5 : -0.5) * def->length, inner->z);
        g.u = left ? left[1 - body] : guide->x;
        fp_joint_add_row(joint, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_LENGTH, 0, &g, "%s, %s",
                         ends[end], left ? "across" : "x");
        if (left) continue;
        g.u = guide->y;
        fp_joint_add_row(joint, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_LENGTH, 0, &g, "%s, y",
                         ends[end]);
    }
    /* Points only for the range of the guide. */
    FpGeometry roll = {.shape = &fp_shape_square,
                       .point_body = body,
                       .point = inner->origin,
                       .origin = guide->origin,
                       .w = inner->x,
                       .u = guide->y};
    if (!left)
        fp_joint_add_row(joint, FREEPLAY_ROW_BILATERAL, FREEPLAY_ROW_ANGLE, 0, &roll, "roll");
}

static bool is_ideal(const FpPrismaticDef* def) {
    return def->clearance == 0 && def->guide_profile.corner_count == 0;
}

/* Whether two given profiles leave no gap anywhere. */
static bool is_tight(const Section* inner, const Section* guide) {
    double gap = 0;
    for (int k = 0; k < inner->count; k++) {
        gap = fmax(gap, inside(&guide->faces[k], inner->corners + 2 * k));
        gap = fmax(gap, inside(&guide->faces[k], inner->corners + 2 * ((k + 1) % inner->count)));
    }
    return gap <= 1e-12 * guide->size;
}

static FpStatus check(const FpPrismaticDef* def, FpMessage* message) {
    FpStatus status = fp_joint_check_length("length", def->length, false, message);
    if (!status) status = fp_joint_check_length("guide_length", def->guide_length, true, message);
    if (!status)
        status = fp_joint_check_clearance("clearance", def->clearance, def->length / 2,
                                          "half the length of the inner prism", message);
    if (!status && def->clearance > 0 && def->guide_profile.corner_count)
        status =
            fp_refuse_field(message, "clearance", "give a clearance or a guide profile, not both");
    return status;
}

static FpStatus add_planar_rows(FpJoint* joint, const FpPrismaticDef* def, FpMessage* message) {
    FpVec3 left[2];
    FpStatus status = fp_joint_check_planar_axis(joint, 0, false, message);
    if (!status) status = fp_joint_check_planar_axis(joint, 1, false, message);
    if (!status && def->guide_profile.corner_count + def->profile.corner_count > 0)
        status = fp_refuse_field(message, "profile",
                                 "between planar bodies the block has a 'width' and no profile");
    if (!status && !is_ideal(def)) {
        status = fp_joint_check_length("width", def->width, false, message);
        if (!status)
            status = fp_joint_check_clearance("clearance", def->clearance, def->width / 2,
                                              "half the width of the block", message);
    }
    if (status) return status;
    for (int k = 0; k < 2; k++) left[k] = fp_vec3_cross(fp_vec3(0, 0, 1), joint->frame[k].z);
    if (is_ideal(def))
        add_ideal_rows(joint, def, left);
    else
        add_slot_rows(joint, def, left);
    return FREEPLAY_OK;
}

static FpStatus add_spatial_rows(FpJoint* joint, const FpPrismaticDef* def, FpMessage* message) {
    if (def->width != 0)
        return fp_refuse_field(message, "width",
                               "only a block between planar bodies has a width; give a profile");
    if (is_ideal(def) && !def->profile.corner_count) {
        add_ideal_rows(joint, def, NULL);
        return FREEPLAY_OK;
    }
    Section inner, guide;
    FpStatus status = read_profiles(def, &inner, &guide, message);
    if (status) return status;
    if (is_tight(&inner, &guide))
        add_ideal_rows(joint, def, NULL);
    else
        add_loose_rows(joint, def, &inner, &guide);
    return FREEPLAY_OK;
}

FpStatus fp_prismatic_add(FpWorld* world, const FpPrismaticDef* def, FpMessage* message) {
    static const char* const names[2] = {"slider", "guide"};
    const FpFrameDef frames[2] = {def->slider, def->guide};
    int corners = def->profile.corner_count;
    int room = corners > 2 && corners <= FREEPLAY_PROFILE_CORNERS ? 4 * corners : 5;
    FpJoint* joint;
    FpStatus status = check(def, message);
    if (!status)
        status = fp_joint_create(world, &def->joint, &fp_prismatic_type, frames, names, room,
                                 &joint, message);
    if (status) return status;
    joint->slides = true;
    status = fp_joint_is_planar(joint) ? add_planar_rows(joint, def, message)
                                       : add_spatial_rows(joint, def, message);
    if (status) return fp_joint_discard(joint, status);
    if (def->guide_length > 0)
        fp_joint_limit_rows(joint, def->guide_length / 2, def->leaving == FREEPLAY_LEAVING_ENDS);
    return fp_joint_finish(world, joint, message);
}

static void set_default(void* def) {
    *(FpPrismaticDef*)def = fp_prismatic_def_default();
}

static FpStatus add(FpWorld* world, const void* def, FpMessage* message) {
    return fp_prismatic_add(world, def, message);
}

static const char* const inner_names[] = {"slider", "guide", NULL};
static const char* const leaving_names[] = {"ends", "allowed", NULL};

static const FpField fields[] = {
    {"slider", FREEPLAY_FIELD_FRAME, offsetof(FpPrismaticDef, slider), "m", false,
     "middle, direction of sliding and x axis of the profile, in the first body", NULL},
    {"guide", FREEPLAY_FIELD_FRAME, offsetof(FpPrismaticDef, guide), "m", false,
     "the same of the guide, in the second body", NULL},
    {"inner", FREEPLAY_FIELD_CHOICE, offsetof(FpPrismaticDef, inner), "", false,
     "which of the two is the inner prism", inner_names},
    {"length", FREEPLAY_FIELD_NUMBER, offsetof(FpPrismaticDef, length), "m", true,
     "length of the inner prism", NULL},
    {"profile", FREEPLAY_FIELD_PROFILE, offsetof(FpPrismaticDef, profile), "m", false,
     "section of the inner prism; needed if it is loose", NULL},
    {"guide_profile", FREEPLAY_FIELD_PROFILE, offsetof(FpPrismaticDef, guide_profile), "m", false,
     "section of the guide, instead of a clearance", NULL},
    {"clearance", FREEPLAY_FIELD_NUMBER, offsetof(FpPrismaticDef, clearance), "m", false,
     "gap between the faces when centred; 0: ideal", NULL},
    {"width", FREEPLAY_FIELD_NUMBER, offsetof(FpPrismaticDef, width), "m", false,
     "width of the block in the slot; between planar bodies only", NULL},
    {"guide_length", FREEPLAY_FIELD_NUMBER, offsetof(FpPrismaticDef, guide_length), "m", false,
     "length of the guide; 0: endless", NULL},
    {"leaving", FREEPLAY_FIELD_CHOICE, offsetof(FpPrismaticDef, leaving), "", false,
     "what happens where a corner leaves the guide: the run ends, or it is allowed", leaving_names},
};

const FpJointType fp_prismatic_type = {
    .name = "prismatic",
    .summary = "a prism that slides in a guide of any convex section: face clearance, or ideal",
    .carries = {"slider", "guide"},
    .is_loose = true,
    .def_size = sizeof(FpPrismaticDef),
    .set_default = set_default,
    .add = add,
    .field_count = sizeof fields / sizeof fields[0],
    .fields = fields,
};
