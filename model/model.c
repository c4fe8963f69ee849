#include "model/model.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/model_impl.h"
#include "model/number_locale.h"
#include "model/reader.h"
#include "model/wording.h"

enum { LONGEST_MODEL_NAME = 60 };

/* A model's name becomes the name of a folder. */
static bool is_name_character(char c) {
    return (unsigned char)c >= 0x80 || isalnum((unsigned char)c) || (c && strchr(" ._-", c));
}

static bool may_start_name(char c) {
    return is_name_character(c) && !strchr(" .-", c);
}

static bool is_model_name(const char* name) {
    size_t length = strlen(name);
    if (length > LONGEST_MODEL_NAME || !may_start_name(name[0])) return false;
    for (size_t i = 0; i < length; i++)
        if (!is_name_character(name[i])) return false;
    return true;
}

/* The file's name without folder and .json, with _ for what a name must not contain. */
static char* name_from_path(const char* path) {
    const char* slash = strrchr(path, '/');
    char name[LONGEST_MODEL_NAME + 1];
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
    char* dot = strrchr(name, '.');
    if (dot && !strcmp(dot, ".json")) *dot = '\0';
    for (char* c = name; *c;) {
        size_t length = fp_utf8_length(c);
        if (length == 0 || !is_name_character(*c)) *c = '_';
        c += length ? length : 1;
    }
    if (name[0] && !may_start_name(name[0])) name[0] = '_';
    return strdup(name[0] ? name : "model");
}

static FpStatus read_name(FpReader* reader, const FpNode* root) {
    FpNode node = fp_node_member(root, "name");
    const char* name = NULL;
    FpStatus status = node.value ? fp_reader_text(reader, &node, &name) : FREEPLAY_OK;
    if (status) return status;
    if (name && !is_model_name(name))
        return fp_reader_refuse(reader, &node,
                                "'%.80s' is no model name; 1 to %d letters, digits, blanks and "
                                "._- are possible, no blank, . or - first, since it becomes the "
                                "name of a folder",
                                name, LONGEST_MODEL_NAME);
    reader->model->name = name ? strdup(name) : name_from_path(reader->path);
    return reader->model->name ? FREEPLAY_OK : fp_reader_out_of_memory(reader);
}

/* Editors use it; here it only has to be a string. */
static FpStatus check_schema(FpReader* reader, const FpNode* root) {
    FpNode node = fp_node_member(root, "$schema");
    const char* address;
    return node.value ? fp_reader_text(reader, &node, &address) : FREEPLAY_OK;
}

static FpStatus read_description(FpReader* reader, const FpNode* root) {
    FpNode node = fp_node_member(root, "description");
    const char* text = "";
    FpStatus status = node.value ? fp_reader_text(reader, &node, &text) : FREEPLAY_OK;
    if (status) return status;
    reader->model->description = strdup(text);
    return reader->model->description ? FREEPLAY_OK : fp_reader_out_of_memory(reader);
}

static FpStatus create_world(FpReader* reader, const FpNode* root) {
    FpWorldDef def = fp_world_def_default();
    def.unassembled = reader->unassembled;
    FpStatus status = fp_reader_optional_vector(reader, root, "gravity", "m/s^2", &def.gravity);
    if (status) return status;
    reader->model->world = fp_world_create(&def);
    return reader->model->world ? FREEPLAY_OK : fp_reader_out_of_memory(reader);
}

/* The joint that a reason of fp_world_finish speaks of, as "joint 'hinge': ...", or -1. */
static int find_joint_of_reason(const FpNode* joints, const char* text) {
    for (size_t i = 0; i < json_array_size(joints->value); i++) {
        FpNode joint = fp_node_element(joints, i);
        char opening[96];
        snprintf(opening, sizeof opening,
                 "joint '%s': ", json_string_value(json_object_get(joint.value, "name")));
        if (!strncmp(text, opening, strlen(opening))) return (int)i;
    }
    return -1;
}

static FpStatus finish_world(FpReader* reader, const FpNode* root) {
    FpMessage reason = {0};
    FpStatus status = fp_world_finish(reader->model->world, &reason);
    if (!status) return FREEPLAY_OK;
    FpNode joints = fp_node_member(root, "joints");
    int index = find_joint_of_reason(&joints, reason.text);
    if (index < 0) return fp_reader_refuse_reason(reader, root, status, &reason);
    FpNode joint = fp_node_element(&joints, (size_t)index);
    return fp_reader_refuse(reader, &joint, "%s", reason.text);
}

static FpStatus store_parameters(FpReader* reader) {
    const FpParameters* parameters = &reader->parameters;
    FpModel* model = reader->model;
    model->parameters = calloc((size_t)parameters->count + 1, sizeof *model->parameters);
    if (!model->parameters) return fp_reader_out_of_memory(reader);
    for (int i = 0; i < parameters->count; i++) {
        const FpParameterEntry* entry = &parameters->entries[i];
        FpStoredParameter* stored = &model->parameters[i];
        stored->name = strdup(entry->name);
        if (!stored->name) return fp_reader_out_of_memory(reader);
        stored->value = entry->quantity.value;
        stored->overridden = entry->setting != NULL;
        fp_quantity_unit(&entry->quantity, stored->unit);
        model->parameter_count++;
    }
    return FREEPLAY_OK;
}

static FpStatus read_model(FpReader* reader, int setting_count, const FpSetting* settings) {
    static const char* const keys[] = {"$schema", "name",  "description", "parameters", "gravity",
                                       "bodies",  "loads", "joints",      "run"};
    FpNode root = fp_node_root(reader);
    FpNode parameters = fp_node_member(&root, "parameters");
    FpStatus status = fp_reader_object(reader, &root, keys, sizeof keys / sizeof keys[0]);
    if (!status) status = check_schema(reader, &root);
    if (!status) status = read_name(reader, &root);
    if (!status) status = read_description(reader, &root);
    if (!status) status = fp_parameters_read(reader, &parameters, setting_count, settings);
    if (!status) status = store_parameters(reader);
    if (!status) status = create_world(reader, &root);
    if (!status) status = fp_read_bodies(reader, &root);
    if (!status) status = fp_read_loads(reader, &root);
    if (!status) status = fp_read_joints(reader, &root);
    if (!status) status = fp_read_run(reader, &root);
    if (!status) status = finish_world(reader, &root);
    return status;
}

static FpStatus load(FpReader* reader, int setting_count, const FpSetting* settings) {
    FpStatus status = fp_json_text_load(reader->path, &reader->json, reader->message);
    if (!status) status = fp_units_create(&reader->units, reader->message);
    if (!status) {
        reader->model = calloc(1, sizeof *reader->model);
        if (!reader->model) status = fp_reader_out_of_memory(reader);
    }
    if (!status) status = read_model(reader, setting_count, settings);
    fp_parameters_free(&reader->parameters);
    fp_units_destroy(reader->units);
    fp_json_text_free(&reader->json);
    return status;
}

static FpStatus load_file(const char* path, bool unassembled, int setting_count,
                          const FpSetting* settings, FpModel** model, FpMessage* message) {
    *model = NULL;
    FpMessage unused;
    if (!message) message = &unused;
    if (!path) return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT, "the path is NULL");
    FpNumberLocale locale;
    FpStatus status = fp_number_locale_enter(&locale, message);
    if (status) return status;
    FpReader reader = {.path = path, .unassembled = unassembled, .message = message};
    status = load(&reader, setting_count, settings);
    fp_number_locale_leave(&locale);
    if (status) {
        fp_model_destroy(reader.model);
        fp_message_keep_one_line(message);
        return status;
    }
    *model = reader.model;
    return FREEPLAY_OK;
}

FpStatus fp_model_load(const char* path, int setting_count, const FpSetting* settings,
                       FpModel** model, FpMessage* message) {
    return load_file(path, false, setting_count, settings, model, message);
}

FpStatus fp_model_load_unassembled(const char* path, int setting_count, const FpSetting* settings,
                                   FpModel** model, FpMessage* message) {
    return load_file(path, true, setting_count, settings, model, message);
}

void fp_model_destroy(FpModel* model) {
    if (!model) return;
    fp_world_destroy(model->world);
    for (int i = 0; i < model->parameter_count; i++) free(model->parameters[i].name);
    free(model->parameters);
    free(model->scheme);
    free(model->strategy);
    free(model->solver);
    free(model->name);
    free(model->description);
    free(model);
}

const char* fp_model_name(const FpModel* model) {
    return model->name;
}

const char* fp_model_description(const FpModel* model) {
    return model->description;
}

const FpWorld* fp_model_world(const FpModel* model) {
    return model->world;
}

const FpSystem* fp_model_system(const FpModel* model) {
    return fp_world_system(model->world);
}

FpRunDef fp_model_run(const FpModel* model) {
    return model->run;
}

int fp_model_parameter_count(const FpModel* model) {
    return model->parameter_count;
}

FpParameter fp_model_parameter(const FpModel* model, int index) {
    const FpStoredParameter* stored = &model->parameters[index];
    return (FpParameter){stored->name, stored->value, stored->unit, stored->overridden};
}
