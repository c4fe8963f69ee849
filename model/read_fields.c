#include "model/read_fields.h"

#include <stdlib.h>
#include "model/model_impl.h"

static FpStatus read_number(FpReader* reader, const FpNode* node, const FpField* field,
                            void* target) {
    return fp_reader_number(reader, node, field->unit, target);
}

static FpStatus read_frame(FpReader* reader, const FpNode* node, const FpField* field,
                           void* target) {
    (void)field;
    static const char* const keys[] = {"at", "axis", "x_axis"};
    FpFrameDef* frame = target;
    FpStatus status = fp_reader_object(reader, node, keys, sizeof keys / sizeof keys[0]);
    FpNode axis = fp_node_member(node, "axis"), x_axis = fp_node_member(node, "x_axis");
    frame->given = true;
    if (!status) status = fp_reader_direction(reader, &axis, &frame->axis);
    if (!status) status = fp_reader_optional_vector(reader, node, "at", "m", &frame->origin);
    if (!status && x_axis.value) status = fp_reader_direction(reader, &x_axis, &frame->x_axis);
    return status;
}

/* A point may be written as a frame without axes, or as a vector. */
static FpStatus read_point(FpReader* reader, const FpNode* node, const FpField* field,
                           void* target) {
    static const char* const keys[] = {"at"};
    FpFrameDef* frame = target;
    frame->given = true;
    if (json_is_array(node->value))
        return fp_reader_vector(reader, node, field->unit, &frame->origin);
    if (!json_is_object(node->value))
        return fp_reader_refuse_type(reader, node, "a point, [x, y, z] or {\"at\": [x, y, z]},");
    FpNode at = fp_node_member(node, "at");
    FpStatus status = fp_reader_object(reader, node, keys, 1);
    return status ? status : fp_reader_vector(reader, &at, field->unit, &frame->origin);
}

static FpStatus read_vector(FpReader* reader, const FpNode* node, const FpField* field,
                            void* target) {
    return fp_reader_vector(reader, node, field->unit, target);
}

static FpStatus read_choice(FpReader* reader, const FpNode* node, const FpField* field,
                            void* target) {
    return fp_reader_choice(reader, node, field->choices, target);
}

/* Refuses what is no array of two. */
static FpStatus check_pair(FpReader* reader, const FpNode* node, const char* of_what) {
    FpStatus status = fp_reader_array(reader, node, of_what);
    size_t size = json_array_size(node->value);
    if (status || size == 2) return status;
    return fp_reader_refuse(reader, node, "has %zu element%s; an array of %s is needed", size,
                            size == 1 ? "" : "s", of_what);
}

static FpStatus read_counts(FpReader* reader, const FpNode* node, const FpField* field,
                            void* target) {
    (void)field;
    enum { LARGEST_COUNT = 1000000 };
    int* counts = target;
    FpStatus status = check_pair(reader, node, "two whole numbers");
    for (size_t i = 0; i < 2 && !status; i++) {
        FpNode element = fp_node_element(node, i);
        status = fp_reader_whole(reader, &element, -LARGEST_COUNT, LARGEST_COUNT, &counts[i]);
    }
    return status;
}

/* The name of a joint that stands before the one that is read. */
static FpStatus read_joint_name(FpReader* reader, const FpNode* node, const FpNode* joint,
                                const char** name) {
    FpStatus status = fp_reader_text(reader, node, name);
    if (status || fp_world_find_joint(reader->model->world, *name)) return status;
    FpSuggestion suggestion = {.wrong = *name};
    for (size_t i = 0; i < joint->index; i++) {
        const json_t* before = json_array_get(joint->parent->value, i);
        fp_suggestion_offer(&suggestion, json_string_value(json_object_get(before, "name")));
    }
    char hint[FREEPLAY_HINT_ROOM];
    fp_suggestion_text(&suggestion, hint);
    return fp_reader_refuse(reader, node, "there is no joint '%.60s' before this one%s", *name,
                            hint);
}

static FpStatus read_joint(FpReader* reader, const FpNode* node, const FpField* field,
                           void* target) {
    (void)field;
    return read_joint_name(reader, node, node->parent, target);
}

static FpStatus read_joints(FpReader* reader, const FpNode* node, const FpField* field,
                            void* target) {
    (void)field;
    const char** names = target;
    FpStatus status = check_pair(reader, node, "two names of joints");
    for (size_t i = 0; i < 2 && !status; i++) {
        FpNode element = fp_node_element(node, i);
        status = read_joint_name(reader, &element, node->parent, &names[i]);
    }
    return status;
}

static FpStatus read_profile(FpReader* reader, const FpNode* node, const FpField* field,
                             void* target) {
    (void)field;
    return fp_read_profile(reader, node, target);
}

static FpStatus read_drive(FpReader* reader, const FpNode* node, const FpField* field,
                           void* target) {
    return fp_read_drive(reader, node, field->unit, target);
}

typedef FpStatus ReadValue(FpReader* reader, const FpNode* node, const FpField* field,
                           void* target);

static ReadValue* const kinds[] = {
    [FREEPLAY_FIELD_NUMBER] = read_number,   [FREEPLAY_FIELD_FRAME] = read_frame,
    [FREEPLAY_FIELD_POINT] = read_point,     [FREEPLAY_FIELD_VECTOR] = read_vector,
    [FREEPLAY_FIELD_CHOICE] = read_choice,   [FREEPLAY_FIELD_COUNTS] = read_counts,
    [FREEPLAY_FIELD_JOINT] = read_joint,     [FREEPLAY_FIELD_JOINTS] = read_joints,
    [FREEPLAY_FIELD_PROFILE] = read_profile, [FREEPLAY_FIELD_DRIVE] = read_drive,
};

FpStatus fp_read_field(FpReader* reader, const FpNode* joint, const FpField* field, void* def) {
    FpNode node = fp_node_member(joint, field->name);
    if (!node.value && !field->required) return FREEPLAY_OK;
    if (!node.value) return fp_reader_refuse(reader, &node, "is missing; needed: %s", field->help);
    return kinds[field->kind](reader, &node, field, (char*)def + field->offset);
}

void fp_free_field(const FpField* field, void* def) {
    void* target = (char*)def + field->offset;
    if (field->kind == FREEPLAY_FIELD_PROFILE) {
        FpProfileDef* profile = target;
        free((void*)profile->corners);
    } else if (field->kind == FREEPLAY_FIELD_DRIVE) {
        FpDriveDef* drive = target;
        free((void*)drive->times);
        free((void*)drive->values);
    }
}
