#include "model/reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST_NODE = 16,
    LONGEST_NAME = 60,
    FIELD_ROOM = 200,
    JOINT_ROOM = 80,
    MOST_FORM_KEYS = 16
};

FpNode fp_node_root(const FpReader* reader) {
    return (FpNode){.value = reader->json.root};
}

FpNode fp_node_member(const FpNode* object, const char* key) {
    return (FpNode){.parent = object, .key = key, .value = json_object_get(object->value, key)};
}

FpNode fp_node_element(const FpNode* array, size_t index) {
    return (FpNode){.parent = array, .index = index, .value = json_array_get(array->value, index)};
}

/* Where a node is, from the root on. */
static size_t node_steps(const FpNode* node, FpJsonStep steps[DEEPEST_NODE]) {
    size_t depth = 0;
    for (const FpNode* n = node; n->parent; n = n->parent) depth++;
    size_t at = depth;
    for (const FpNode* n = node; n->parent; n = n->parent)
        if (--at < DEEPEST_NODE) steps[at] = (FpJsonStep){n->key, n->index};
    return depth < DEEPEST_NODE ? depth : DEEPEST_NODE;
}

/* "joints[0].bore.axis[2]"; returns the length. */
static size_t spell_field(const FpNode* node, char* text, size_t room) {
    if (!node->parent) {
        text[0] = '\0';
        return 0;
    }
    size_t used = spell_field(node->parent, text, room);
    int written;
    if (node->key)
        written = snprintf(text + used, room - used, "%s%.60s", used ? "." : "", node->key);
    else
        written = snprintf(text + used, room - used, "[%zu]", node->index);
    used += written > 0 ? (size_t)written : 0;
    return used < room ? used : room - 1;
}

/* "joint 'x': ", or "" where no joint is being read or the reason names it at its beginning. */
static void spell_joint(const FpReader* reader, const char* reason, char* text, size_t room) {
    text[0] = '\0';
    if (!reader->joint) return;
    int length = snprintf(text, room, "joint '%.60s'", reader->joint);
    if (strncmp(reason, text, (size_t)length) == 0)
        text[0] = '\0';
    else
        snprintf(text + length, room - (size_t)length, ": ");
}

static FpStatus refuse(FpReader* reader, const FpNode* node, FpPosition position,
                       const char* format, va_list arguments) {
    char field[FIELD_ROOM], opening[JOINT_ROOM], reason[sizeof reader->message->text];
    spell_field(node, field, sizeof field);
    vsnprintf(reason, sizeof reason, format, arguments);
    spell_joint(reader, reason, opening, sizeof opening);
    fp_refuse(reader->message, FREEPLAY_INVALID_MODEL, "%.300s:%d:%d: %s: %s%s", reader->path,
              position.line, position.column, field[0] ? field : "model", opening, reason);
    return FREEPLAY_INVALID_MODEL;
}

FpStatus fp_reader_refuse(FpReader* reader, const FpNode* node, const char* format, ...) {
    FpJsonStep steps[DEEPEST_NODE];
    FpPosition position = fp_json_text_value_at(&reader->json, steps, node_steps(node, steps));
    va_list arguments;
    va_start(arguments, format);
    FpStatus status = refuse(reader, node, position, format, arguments);
    va_end(arguments);
    return status;
}

FpStatus fp_reader_refuse_key(FpReader* reader, const FpNode* node, const char* format, ...) {
    FpJsonStep steps[DEEPEST_NODE];
    FpPosition position = fp_json_text_key_at(&reader->json, steps, node_steps(node, steps));
    va_list arguments;
    va_start(arguments, format);
    FpStatus status = refuse(reader, node, position, format, arguments);
    va_end(arguments);
    return status;
}

FpStatus fp_reader_refuse_setting(FpReader* reader, const FpSetting* setting, const char* format,
                                  ...) {
    char reason[sizeof reader->message->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    fp_refuse(reader->message, FREEPLAY_INVALID_ARGUMENT, "--set %.60s=%.120s: %s", setting->name,
              setting->value, reason);
    return FREEPLAY_INVALID_ARGUMENT;
}

FpStatus fp_reader_out_of_memory(FpReader* reader) {
    return fp_refuse(reader->message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
}

FpStatus fp_reader_refuse_reason(FpReader* reader, const FpNode* node, FpStatus status,
                                 const FpMessage* reason) {
    if (status == FREEPLAY_OUT_OF_MEMORY) return fp_reader_out_of_memory(reader);
    /* "bore.axis" leads to the member axis of the member bore. */
    FpNode nodes[4] = {*node};
    char field[sizeof reason->field];
    snprintf(field, sizeof field, "%s", reason->field);
    int depth = 0;
    for (char* key = field; key && *key && depth < 3; depth++) {
        char* dot = strchr(key, '.');
        if (dot) *dot = '\0';
        nodes[depth + 1] = fp_node_member(&nodes[depth], key);
        key = dot ? dot + 1 : NULL;
    }
    return fp_reader_refuse(reader, &nodes[depth], "%s", reason->text);
}

FpStatus fp_reader_refuse_choice(FpReader* reader, const FpNode* node,
                                 const FpSuggestion* suggestion) {
    char hint[FREEPLAY_HINT_ROOM];
    fp_suggestion_text(suggestion, hint);
    return fp_reader_refuse(reader, node, "unknown %s '%.60s'%s", node->key, suggestion->wrong,
                            hint);
}

static const char* spell_type(const json_t* value) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        return "null";
    }
    return "of another type";
}

FpStatus fp_reader_refuse_type(FpReader* reader, const FpNode* node, const char* wanted) {
    if (!node->value) return fp_reader_refuse(reader, node, "is missing; %s is needed", wanted);
    return fp_reader_refuse(reader, node, "is %s; %s is needed", spell_type(node->value), wanted);
}

static bool is_listed(const char* key, const char* const* keys, size_t key_count) {
    for (size_t i = 0; i < key_count; i++)
        if (!strcmp(keys[i], key)) return true;
    return false;
}

static FpStatus refuse_unknown(FpReader* reader, const FpNode* unknown, const char* const* keys,
                               size_t key_count) {
    FpSuggestion suggestion = {.wrong = unknown->key};
    for (size_t i = 0; i < key_count; i++) fp_suggestion_offer(&suggestion, keys[i]);
    char hint[FREEPLAY_HINT_ROOM];
    fp_suggestion_text(&suggestion, hint);
    return fp_reader_refuse_key(reader, unknown, "unknown field%s", hint);
}

FpStatus fp_reader_object(FpReader* reader, const FpNode* node, const char* const* keys,
                          size_t key_count) {
    if (!json_is_object(node->value))
        return fp_reader_refuse_type(reader, node, "an object { ... }");
    const char* key;
    json_t* value;
    json_object_foreach(node->value, key, value) {
        FpNode member = fp_node_member(node, key);
        if (!is_listed(key, keys, key_count))
            return refuse_unknown(reader, &member, keys, key_count);
    }
    return FREEPLAY_OK;
}

static bool has_key_of(const FpNode* node, const FpForm* form) {
    for (size_t k = 0; k < FREEPLAY_FORM_KEYS && form->keys[k]; k++)
        if (json_object_get(node->value, form->keys[k])) return true;
    return false;
}

static FpStatus refuse_form(FpReader* reader, const FpNode* node, const char* problem,
                            const FpForm* forms, size_t count) {
    FpSuggestion names = {.wrong = ""};
    for (size_t i = 0; i < count; i++) fp_suggestion_offer(&names, forms[i].name);
    return fp_reader_refuse(reader, node, "%s; an object with exactly one of %s is needed", problem,
                            names.list);
}

FpStatus fp_reader_form(FpReader* reader, const FpNode* node, const FpForm* forms, size_t count,
                        size_t* chosen) {
    const char* keys[MOST_FORM_KEYS] = {0};
    size_t key_count = 0, found = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < FREEPLAY_FORM_KEYS && forms[i].keys[k]; k++)
            keys[key_count++] = forms[i].keys[k];
    if (!node->value) return refuse_form(reader, node, "is missing", forms, count);
    FpStatus status = fp_reader_object(reader, node, keys, key_count);
    if (status) return status;
    for (size_t i = 0; i < count; i++) {
        if (!has_key_of(node, &forms[i])) continue;
        *chosen = i;
        found++;
    }
    if (found == 1) return FREEPLAY_OK;
    return refuse_form(reader, node, found ? "has several forms" : "is empty", forms, count);
}

FpStatus fp_reader_array(FpReader* reader, const FpNode* node, const char* of_what) {
    char wanted[80];
    snprintf(wanted, sizeof wanted, "an array [ ... ] of %s", of_what);
    return json_is_array(node->value) ? FREEPLAY_OK : fp_reader_refuse_type(reader, node, wanted);
}

FpStatus fp_reader_text(FpReader* reader, const FpNode* node, const char** text) {
    if (!json_is_string(node->value)) return fp_reader_refuse_type(reader, node, "a string");
    *text = json_string_value(node->value);
    return FREEPLAY_OK;
}

FpStatus fp_reader_name(FpReader* reader, const FpNode* node, const char** name) {
    FpStatus status = fp_reader_text(reader, node, name);
    if (status) return status;
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    size_t length = strlen(*name);
    if (length > 0 && length <= LONGEST_NAME && strspn(*name, allowed) == length)
        return FREEPLAY_OK;
    return fp_reader_refuse(reader, node,
                            "'%.80s' is no name; names consist of 1 to %d letters a-z, A-Z, "
                            "digits, _ and -, since they become titles of columns",
                            *name, LONGEST_NAME);
}

FpStatus fp_reader_flag(FpReader* reader, const FpNode* node, bool* flag) {
    if (!json_is_boolean(node->value)) return fp_reader_refuse_type(reader, node, "true or false");
    *flag = json_is_true(node->value);
    return FREEPLAY_OK;
}

FpStatus fp_reader_choice(FpReader* reader, const FpNode* node, const char* const* names,
                          int* index) {
    const char* name;
    FpStatus status = fp_reader_text(reader, node, &name);
    if (status) return status;
    FpSuggestion suggestion = {.wrong = name};
    for (int i = 0; names[i]; i++) {
        fp_suggestion_offer(&suggestion, names[i]);
        if (strcmp(name, names[i])) continue;
        *index = i;
        return FREEPLAY_OK;
    }
    return fp_reader_refuse_choice(reader, node, &suggestion);
}

static FpStatus refuse_no_number(FpReader* reader, const FpNode* node, const FpQuantity* wanted) {
    char what[80], text[200];
    fp_quantity_describe(wanted, what, sizeof what);
    snprintf(text, sizeof text, "%s, as a number or a string as \"2.5 UNIT\", \"$c\" or \"=2*$c\",",
             what);
    return fp_reader_refuse_type(reader, node, text);
}

FpStatus fp_reader_number(FpReader* reader, const FpNode* node, const char* unit, double* value) {
    if (json_is_number(node->value)) {
        *value = json_number_value(node->value);
        return FREEPLAY_OK;
    }
    FpQuantity quantity, wanted;
    FpMessage reason;
    FpStatus status = fp_units_read_unit(reader->units, unit, strlen(unit), &wanted, &reason);
    if (!status && !json_is_string(node->value)) return refuse_no_number(reader, node, &wanted);
    const char* text = json_string_value(node->value);
    FpNames names = fp_parameters_names(&reader->parameters);
    if (!status) status = fp_value_read(reader->units, &names, text, &quantity, &reason);
    if (!status) status = fp_quantity_expect(&quantity, &wanted, text, &reason);
    if (status) return fp_reader_refuse(reader, node, "%s", reason.text);
    *value = quantity.value;
    return FREEPLAY_OK;
}

FpStatus fp_reader_whole(FpReader* reader, const FpNode* node, int low, int high, int* value) {
    double number;
    FpStatus status = fp_reader_number(reader, node, "1", &number);
    if (status) return status;
    if (!(number >= low && number <= high && number == floor(number)))
        return fp_reader_refuse(reader, node, "is %g; a whole number from %d to %d is needed",
                                number, low, high);
    *value = (int)number;
    return FREEPLAY_OK;
}

/* An array of `least` to `most` numbers; the others are left alone. */
static FpStatus read_numbers(FpReader* reader, const FpNode* node, const char* unit, size_t least,
                             size_t most, double* values) {
    char wanted[80], range[32] = "";
    if (least < most) snprintf(range, sizeof range, "%zu or ", least);
    snprintf(wanted, sizeof wanted, "an array of %s%zu numbers", range, most);
    if (!json_is_array(node->value)) return fp_reader_refuse_type(reader, node, wanted);
    size_t size = json_array_size(node->value);
    if (size < least || size > most)
        return fp_reader_refuse(reader, node, "has %zu element%s; %s is needed", size,
                                size == 1 ? "" : "s", wanted);
    FpStatus status = FREEPLAY_OK;
    for (size_t i = 0; i < size && !status; i++) {
        FpNode element = fp_node_element(node, i);
        status = fp_reader_number(reader, &element, unit, &values[i]);
    }
    return status;
}

FpStatus fp_reader_numbers(FpReader* reader, const FpNode* node, const char* unit, size_t count,
                           double* values) {
    return read_numbers(reader, node, unit, count, count, values);
}

static FpStatus read_vector(FpReader* reader, const FpNode* node, const char* unit, size_t least,
                            FpVec3* vector) {
    double values[3] = {0};
    FpStatus status = read_numbers(reader, node, unit, least, 3, values);
    if (!status) *vector = fp_vec3_load(values);
    return status;
}

FpStatus fp_reader_vector(FpReader* reader, const FpNode* node, const char* unit, FpVec3* vector) {
    return read_vector(reader, node, unit, 3, vector);
}

FpStatus fp_reader_planar_vector(FpReader* reader, const FpNode* node, const char* unit,
                                 FpVec3* vector) {
    return read_vector(reader, node, unit, 2, vector);
}

FpStatus fp_reader_direction(FpReader* reader, const FpNode* node, FpVec3* direction) {
    FpStatus status = fp_reader_vector(reader, node, "1", direction);
    if (status) return status;
    double length = fp_vec3_norm(*direction);
    if (length > 0 && isfinite(length)) return FREEPLAY_OK;
    return fp_reader_refuse(reader, node, "has no direction; an axis needs a length above 0");
}

FpStatus fp_reader_optional_vector(FpReader* reader, const FpNode* object, const char* key,
                                   const char* unit, FpVec3* vector) {
    FpNode member = fp_node_member(object, key);
    return member.value ? fp_reader_vector(reader, &member, unit, vector) : FREEPLAY_OK;
}

FpStatus fp_reader_table(FpReader* reader, const FpNode* node, const char* of_what, size_t* count,
                         double** times, FpNode* values) {
    static const char* const keys[] = {"times", "values"};
    FpStatus status = fp_reader_object(reader, node, keys, 2);
    if (status) return status;
    FpNode times_node = fp_node_member(node, "times");
    *values = fp_node_member(node, "values");
    status = fp_reader_array(reader, &times_node, "times");
    if (!status) status = fp_reader_array(reader, values, of_what);
    if (status) return status;
    *count = json_array_size(times_node.value);
    if (*count == 0)
        return fp_reader_refuse(reader, &times_node, "is empty; at least one time is needed");
    if (json_array_size(values->value) != *count)
        return fp_reader_refuse(reader, values,
                                "has %zu values for %zu times; one for each time is needed",
                                json_array_size(values->value), *count);
    *times = calloc(*count, sizeof **times);
    if (!*times) return fp_reader_out_of_memory(reader);
    return fp_reader_numbers(reader, &times_node, "s", *count, *times);
}
