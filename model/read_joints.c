/* Joints are read from the tables of their types alone, so a new type needs nothing here. */
#include <stdlib.h>
#include <string.h>
#include "joints/joint.h"
#include "model/model_impl.h"
#include "model/reader.h"
#include "model/wording.h"

static const char* const common_keys[] = {"type", "name", "between"};
enum { COMMON_KEY_COUNT = sizeof common_keys / sizeof common_keys[0] };

static FpStatus read_type(FpReader* reader, const FpNode* node, const FpJointType** type) {
    const char* name;
    FpStatus status = fp_reader_text(reader, node, &name);
    if (status) return status;
    *type = fp_joint_type_find(name);
    if (*type) return FREEPLAY_OK;
    FpSuggestion suggestion = {.wrong = name};
    int count;
    const FpJointType* const* types = fp_joint_types(&count);
    for (int i = 0; i < count; i++) fp_suggestion_offer(&suggestion, types[i]->name);
    char hint[FREEPLAY_HINT_ROOM];
    fp_suggestion_text(&suggestion, hint);
    return fp_reader_refuse(reader, node, "there is no joint type '%.60s'%s", name, hint);
}

static FpStatus check_fields(FpReader* reader, const FpNode* joint, const FpJointType* type) {
    size_t count = COMMON_KEY_COUNT + (size_t)type->field_count;
    const char** keys = calloc(count, sizeof *keys);
    if (!keys) return fp_reader_out_of_memory(reader);
    memcpy(keys, common_keys, sizeof common_keys);
    for (int i = 0; i < type->field_count; i++) keys[COMMON_KEY_COUNT + i] = type->fields[i].name;
    FpStatus status = fp_reader_object(reader, joint, keys, count);
    free(keys);
    return status;
}

static FpStatus read_between(FpReader* reader, const FpNode* node, const FpJointType* type,
                             FpJointDef* def) {
    if (json_array_size(node->value) != 2)
        return fp_reader_refuse(reader, node,
                                "%s; an array of two names is needed: of the body with the %s, "
                                "then of that with the %s",
                                node->value ? "does not name two bodies" : "is missing",
                                type->carries[0], type->carries[1]);
    FpStatus status = FREEPLAY_OK;
    for (size_t i = 0; i < 2 && !status; i++) {
        FpNode body = fp_node_element(node, i);
        status = fp_read_body_name(reader, &body, &def->body[i]);
    }
    return status;
}

static FpStatus read_frame(FpReader* reader, const FpNode* node, FpFrameDef* frame) {
    static const char* const keys[] = {"at", "axis", "x_axis"};
    FpStatus status = fp_reader_object(reader, node, keys, sizeof keys / sizeof keys[0]);
    FpNode axis = fp_node_member(node, "axis"), x_axis = fp_node_member(node, "x_axis");
    frame->given = true;
    if (!status) status = fp_reader_direction(reader, &axis, &frame->axis);
    if (!status) status = fp_reader_optional_vector(reader, node, "at", "m", &frame->origin);
    if (!status && x_axis.value) status = fp_reader_direction(reader, &x_axis, &frame->x_axis);
    return status;
}

static FpStatus read_field(FpReader* reader, const FpNode* joint, const FpField* field, void* def) {
    FpNode node = fp_node_member(joint, field->name);
    void* target = (char*)def + field->offset;
    if (!node.value && !field->required) return FREEPLAY_OK;
    if (!node.value) return fp_reader_refuse(reader, &node, "is missing; needed: %s", field->help);
    if (field->kind == FREEPLAY_FIELD_FRAME) return read_frame(reader, &node, target);
    return fp_reader_number(reader, &node, field->unit, target);
}

static FpStatus read_def(FpReader* reader, const FpNode* joint, const FpJointType* type,
                         void* def) {
    FpJointDef* head = def;
    FpNode name = fp_node_member(joint, "name"), between = fp_node_member(joint, "between");
    FpStatus status = check_fields(reader, joint, type);
    if (!status) status = fp_reader_name(reader, &name, &head->name);
    if (!status) status = read_between(reader, &between, type, head);
    for (int i = 0; i < type->field_count && !status; i++)
        status = read_field(reader, joint, &type->fields[i], def);
    return status;
}

static FpStatus add_joint(FpReader* reader, const FpNode* joint, const FpJointType* type) {
    void* def = calloc(1, type->def_size);
    if (!def) return fp_reader_out_of_memory(reader);
    type->set_default(def);
    FpStatus status = read_def(reader, joint, type, def);
    FpMessage reason = {0};
    if (!status) {
        status = type->add(reader->model->world, def, &reason);
        if (status) status = fp_reader_refuse_reason(reader, joint, status, &reason);
    }
    free(def);
    return status;
}

static FpStatus read_joint(FpReader* reader, const FpNode* joint) {
    if (!json_is_object(joint->value))
        return fp_reader_refuse_type(reader, joint, "an object { ... }");
    FpNode type_node = fp_node_member(joint, "type");
    const FpJointType* type = NULL;
    FpStatus status = read_type(reader, &type_node, &type);
    return status ? status : add_joint(reader, joint, type);
}

FpStatus fp_read_joints(FpReader* reader, const FpNode* root) {
    FpNode joints = fp_node_member(root, "joints");
    if (!joints.value) return FREEPLAY_OK;
    FpStatus status = fp_reader_array(reader, &joints, "joints");
    for (size_t i = 0; !status && i < json_array_size(joints.value); i++) {
        FpNode joint = fp_node_element(&joints, i);
        status = read_joint(reader, &joint);
    }
    return status;
}
