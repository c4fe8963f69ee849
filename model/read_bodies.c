#include <math.h>
#include <string.h>
#include "model/model_impl.h"
#include "model/reader.h"

/* Dimensions of a solid enter the inertia squared, so a wrong sign would go unnoticed. */
static FpStatus check_not_negative(FpReader* reader, const FpNode* node, double value) {
    if (value >= 0) return FREEPLAY_OK;
    return fp_reader_refuse(reader, node, "is %g m; a dimension must not be negative", value);
}

static FpStatus read_dimension(FpReader* reader, const FpNode* node, double* value) {
    FpStatus status = fp_reader_number(reader, node, "m", value);
    return status ? status : check_not_negative(reader, node, *value);
}

static FpStatus read_box(FpReader* reader, const FpNode* node, double mass, double inertia[9]) {
    double size[3];
    FpStatus status = fp_reader_numbers(reader, node, "m", 3, size);
    for (size_t i = 0; i < 3 && !status; i++) {
        FpNode element = fp_node_element(node, i);
        status = check_not_negative(reader, &element, size[i]);
    }
    if (!status) fp_inertia_box(mass, size[0], size[1], size[2], inertia);
    return status;
}

static FpStatus read_axis_letter(FpReader* reader, const FpNode* node, int* axis) {
    const char* letter = "z";
    FpStatus status = node->value ? fp_reader_text(reader, node, &letter) : FREEPLAY_OK;
    if (status) return status;
    if (letter[0] < 'x' || letter[0] > 'z' || letter[1] != '\0')
        return fp_reader_refuse(reader, node, "is '%.40s'; \"x\", \"y\" or \"z\" is needed",
                                letter);
    *axis = letter[0] - 'x';
    return FREEPLAY_OK;
}

static FpStatus read_cylinder(FpReader* reader, const FpNode* node, double mass,
                              double inertia[9]) {
    static const char* const keys[] = {"radius", "length", "axis"};
    FpStatus status = fp_reader_object(reader, node, keys, 3);
    if (status) return status;
    FpNode radius_node = fp_node_member(node, "radius");
    FpNode length_node = fp_node_member(node, "length");
    FpNode axis_node = fp_node_member(node, "axis");
    double radius = 0, length = 0;
    int axis = 0;
    status = read_dimension(reader, &radius_node, &radius);
    if (!status) status = read_dimension(reader, &length_node, &length);
    if (!status) status = read_axis_letter(reader, &axis_node, &axis);
    if (!status) fp_inertia_cylinder(mass, radius, length, axis, inertia);
    return status;
}

static FpStatus read_sphere(FpReader* reader, const FpNode* node, double mass, double inertia[9]) {
    static const char* const keys[] = {"radius"};
    FpStatus status = fp_reader_object(reader, node, keys, 1);
    if (status) return status;
    FpNode radius_node = fp_node_member(node, "radius");
    double radius;
    status = read_dimension(reader, &radius_node, &radius);
    if (!status) fp_inertia_sphere(mass, radius, inertia);
    return status;
}

static FpStatus read_principal(FpReader* reader, const FpNode* node, double mass,
                               double inertia[9]) {
    (void)mass;
    double moments[3];
    FpStatus status = fp_reader_numbers(reader, node, "kg m^2", 3, moments);
    if (status) return status;
    memset(inertia, 0, 9 * sizeof *inertia);
    for (int i = 0; i < 3; i++) inertia[4 * i] = moments[i];
    return FREEPLAY_OK;
}

static FpStatus read_matrix(FpReader* reader, const FpNode* node, double mass, double inertia[9]) {
    (void)mass;
    FpStatus status = fp_reader_array(reader, node, "3 rows");
    if (status) return status;
    if (json_array_size(node->value) != 3)
        return fp_reader_refuse(reader, node, "has %zu rows; 3 rows of 3 numbers are needed",
                                json_array_size(node->value));
    for (size_t i = 0; i < 3 && !status; i++) {
        FpNode row = fp_node_element(node, i);
        status = fp_reader_numbers(reader, &row, "kg m^2", 3, inertia + 3 * i);
    }
    return status;
}

static FpStatus read_zz(FpReader* reader, const FpNode* node, double mass, double inertia[9]) {
    (void)mass;
    return fp_reader_number(reader, node, "kg m^2", &inertia[8]);
}

typedef struct InertiaForm {
    const char* key;
    FpStatus (*read)(FpReader* reader, const FpNode* node, double mass, double inertia[9]);
    bool is_planar; /* not enough in space */
} InertiaForm;

static const InertiaForm inertia_forms[] = {
    {"box", read_box, false},       {"cylinder", read_cylinder, false},
    {"sphere", read_sphere, false}, {"principal", read_principal, false},
    {"matrix", read_matrix, false}, {"zz", read_zz, true}};
enum { FORM_COUNT = sizeof inertia_forms / sizeof inertia_forms[0] };

static FpStatus read_inertia(FpReader* reader, const FpNode* node, FpBodyDef* def) {
    FpForm forms[FORM_COUNT];
    for (size_t i = 0; i < FORM_COUNT; i++)
        forms[i] = (FpForm){inertia_forms[i].key, {inertia_forms[i].key}};
    size_t chosen = 0;
    FpStatus status = fp_reader_form(reader, node, forms, FORM_COUNT, &chosen);
    if (status) return status;
    const InertiaForm* form = &inertia_forms[chosen];
    FpNode value = fp_node_member(node, form->key);
    if (form->is_planar && !def->planar)
        return fp_reader_refuse_key(reader, &value,
                                    "is not enough in space; give another form, or make the body "
                                    "planar by \"planar\": true");
    return form->read(reader, &value, def->mass, def->inertia);
}

static FpStatus read_rotation(FpReader* reader, const FpNode* node, double orientation[4]) {
    static const char* const keys[] = {"axis", "angle"};
    FpStatus status = fp_reader_object(reader, node, keys, 2);
    if (status) return status;
    FpNode axis_node = fp_node_member(node, "axis");
    FpNode angle_node = fp_node_member(node, "angle");
    FpVec3 axis;
    double angle;
    status = fp_reader_direction(reader, &axis_node, &axis);
    if (!status) status = fp_reader_number(reader, &angle_node, "rad", &angle);
    if (status) return status;
    orientation[0] = cos(angle / 2);
    fp_vec3_store(fp_vec3_scale(sin(angle / 2) / fp_vec3_norm(axis), axis), orientation + 1);
    return FREEPLAY_OK;
}

/* Whether the value stands for a single number. */
static bool is_quantity(const FpNode* node) {
    return json_is_number(node->value) || json_is_string(node->value);
}

static FpStatus read_angle(FpReader* reader, const FpNode* node, double orientation[4]) {
    double angle;
    FpStatus status = fp_reader_number(reader, node, "rad", &angle);
    if (status) return status;
    orientation[0] = cos(angle / 2);
    orientation[3] = sin(angle / 2);
    return FREEPLAY_OK;
}

static FpStatus read_orientation(FpReader* reader, const FpNode* node, FpBodyDef* def) {
    if (!node->value) return FREEPLAY_OK;
    if (def->planar && is_quantity(node)) return read_angle(reader, node, def->orientation);
    if (json_is_object(node->value)) return read_rotation(reader, node, def->orientation);
    if (json_is_array(node->value))
        return fp_reader_numbers(reader, node, "1", 4, def->orientation);
    return fp_reader_refuse_type(reader, node,
                                 def->planar ? "an angle about z, as a number or a string"
                                             : "an array of Euler parameters [e0, e1, e2, e3] or "
                                               "an object {\"axis\": [...], \"angle\": ...}");
}

/* A vector, of which a planar body may leave out z. */
static FpStatus read_vector(FpReader* reader, const FpNode* body, const char* key, const char* unit,
                            bool planar, FpVec3* vector) {
    FpNode node = fp_node_member(body, key);
    if (!node.value || !planar) return fp_reader_optional_vector(reader, body, key, unit, vector);
    return fp_reader_planar_vector(reader, &node, unit, vector);
}

static FpStatus read_angular_velocity(FpReader* reader, const FpNode* body, FpBodyDef* def) {
    static const char key[] = "angular_velocity";
    FpNode node = fp_node_member(body, key);
    if (def->planar && is_quantity(&node))
        return fp_reader_number(reader, &node, "rad/s", &def->angular_velocity.z);
    return fp_reader_optional_vector(reader, body, key, "rad/s", &def->angular_velocity);
}

static FpStatus read_body_def(FpReader* reader, const FpNode* body, FpBodyDef* def) {
    static const char* const keys[] = {"name",     "planar",      "mass",     "inertia",
                                       "position", "orientation", "velocity", "angular_velocity"};
    FpStatus status = fp_reader_object(reader, body, keys, sizeof keys / sizeof keys[0]);
    FpNode name = fp_node_member(body, "name"), mass = fp_node_member(body, "mass");
    FpNode planar = fp_node_member(body, "planar"), inertia = fp_node_member(body, "inertia");
    FpNode orientation = fp_node_member(body, "orientation");
    if (!status) status = fp_reader_name(reader, &name, &def->name);
    if (!status && planar.value) status = fp_reader_flag(reader, &planar, &def->planar);
    if (!status) status = fp_reader_number(reader, &mass, "kg", &def->mass);
    if (!status) status = read_inertia(reader, &inertia, def);
    if (!status) status = read_orientation(reader, &orientation, def);
    if (!status) status = read_vector(reader, body, "position", "m", def->planar, &def->position);
    if (!status) status = read_vector(reader, body, "velocity", "m/s", def->planar, &def->velocity);
    if (!status) status = read_angular_velocity(reader, body, def);
    return status;
}

FpStatus fp_read_bodies(FpReader* reader, const FpNode* root) {
    FpNode bodies = fp_node_member(root, "bodies");
    FpStatus status = fp_reader_array(reader, &bodies, "bodies");
    for (size_t i = 0; !status && i < json_array_size(bodies.value); i++) {
        FpNode body = fp_node_element(&bodies, i);
        FpBodyDef def = fp_body_def_default();
        FpBodyId id;
        FpMessage reason = {0};
        status = read_body_def(reader, &body, &def);
        if (status) return status;
        status = fp_world_add_body(reader->model->world, &def, &id, &reason);
        if (status) status = fp_reader_refuse_reason(reader, &body, status, &reason);
    }
    return status;
}

FpStatus fp_read_body_name(FpReader* reader, const FpNode* node, FpBodyId* id) {
    const char* name;
    FpStatus status = fp_reader_text(reader, node, &name);
    if (status) return status;
    const FpWorld* world = reader->model->world;
    *id = fp_world_find_body(world, name);
    if (*id >= FREEPLAY_GROUND) return FREEPLAY_OK;
    FpSuggestion suggestion = {.wrong = name};
    for (FpBodyId b = FREEPLAY_GROUND; b < fp_world_body_count(world); b++)
        fp_suggestion_offer(&suggestion, fp_world_body_name(world, b));
    char hint[FREEPLAY_HINT_ROOM];
    fp_suggestion_text(&suggestion, hint);
    return fp_reader_refuse(reader, node, "there is no body '%.60s'%s", name, hint);
}
