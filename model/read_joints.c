/* Joints are read from the tables of their types alone, so a new type needs nothing here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "joints/joint.h"
#include "model/model_impl.h"
#include "model/read_fields.h"
#include "model/reader.h"

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

/* Friction, restitution and the like, of types that may be loose. */
static const FpField* loose_fields(const FpJointType* type, int* count) {
    const FpField* fields = fp_joint_loose_fields(count);
    if (!type->is_loose) *count = 0;
    return fields;
}

static bool joins_bodies(const FpJointType* type) {
    return type->carries[0] != NULL;
}

static FpStatus check_fields(FpReader* reader, const FpNode* joint, const FpJointType* type) {
    enum { COMMON_KEYS = 3 };
    int loose_count;
    const FpField* loose = loose_fields(type, &loose_count);
    size_t count = 0;
    const char** keys =
        calloc(COMMON_KEYS + (size_t)type->field_count + (size_t)loose_count, sizeof *keys);
    if (!keys) return fp_reader_out_of_memory(reader);
    keys[count++] = "type";
    keys[count++] = "name";
    if (joins_bodies(type)) keys[count++] = "between";
    for (int i = 0; i < type->field_count; i++) keys[count++] = type->fields[i].name;
    for (int i = 0; i < loose_count; i++) keys[count++] = loose[i].name;
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

static FpStatus read_fields(FpReader* reader, const FpNode* joint, const FpField* fields, int count,
                            void* def) {
    FpStatus status = FREEPLAY_OK;
    for (int i = 0; i < count && !status; i++)
        status = fp_read_field(reader, joint, &fields[i], def);
    return status;
}

static FpStatus read_def(FpReader* reader, const FpNode* joint, const FpJointType* type,
                         void* def) {
    FpJointDef* head = def;
    FpNode name = fp_node_member(joint, "name"), between = fp_node_member(joint, "between");
    int loose_count;
    const FpField* loose = loose_fields(type, &loose_count);
    FpStatus status = check_fields(reader, joint, type);
    if (!status) status = fp_reader_name(reader, &name, &head->name);
    reader->joint = status ? NULL : head->name;
    if (!status && joins_bodies(type)) status = read_between(reader, &between, type, head);
    if (!status) status = read_fields(reader, joint, type->fields, type->field_count, def);
    if (!status) status = read_fields(reader, joint, loose, loose_count, def);
    return status;
}

/* A number or profile that is absent although this joint needs it; NULL if that is not the reason.
 */
static const FpField* find_absent(const FpNode* joint, const FpJointType* type,
                                  const FpMessage* reason) {
    for (int i = 0; i < type->field_count; i++) {
        const FpField* field = &type->fields[i];
        bool has_default =
            field->kind == FREEPLAY_FIELD_NUMBER || field->kind == FREEPLAY_FIELD_PROFILE;
        if (has_default && !strcmp(field->name, reason->field) &&
            !json_object_get(joint->value, field->name))
            return field;
    }
    return NULL;
}

/* A refusal of the joint itself. */
static FpStatus refuse_joint(FpReader* reader, const FpNode* joint, const FpJointType* type,
                             FpStatus status, const FpMessage* reason) {
    FpMessage better = *reason;
    const FpField* absent = find_absent(joint, type, reason);
    if (absent) snprintf(better.text, sizeof better.text, "must be given: %s", absent->help);
    return fp_reader_refuse_reason(reader, joint, status, &better);
}

static FpStatus add_joint(FpReader* reader, const FpNode* joint, const FpJointType* type) {
    void* def = calloc(1, type->def_size);
    if (!def) return fp_reader_out_of_memory(reader);
    type->set_default(def);
    FpStatus status = read_def(reader, joint, type, def);
    FpMessage reason = {0};
    if (!status) {
        status = type->add(reader->model->world, def, &reason);
        if (status) status = refuse_joint(reader, joint, type, status, &reason);
    }
    reader->joint = NULL;
    for (int i = 0; i < type->field_count; i++) fp_free_field(&type->fields[i], def);
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
