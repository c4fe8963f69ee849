#include "model/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/reader.h"
#include "model/wording.h"

enum { LONGEST_NAME = 60 };

static FpParameterEntry* find_entry(const FpParameters* parameters, const char* name,
                                    size_t length) {
    char key[LONGEST_NAME + 1];
    if (length > LONGEST_NAME) return NULL;
    memcpy(key, name, length);
    key[length] = '\0';
    const json_t* index = json_object_get(parameters->indices, key);
    return index ? &parameters->entries[json_integer_value(index)] : NULL;
}

static void spell_hint(const FpParameters* parameters, const char* wrong,
                       char text[FREEPLAY_HINT_ROOM]) {
    FpSuggestion suggestion = {.wrong = wrong};
    for (int i = 0; i < parameters->count; i++)
        fp_suggestion_offer(&suggestion, parameters->entries[i].name);
    fp_suggestion_text(&suggestion, text);
}

static FpStatus find_value(void* context, const char* name, size_t length, FpQuantity* value,
                           FpMessage* message) {
    FpParameters* parameters = context;
    const FpParameterEntry* entry = find_entry(parameters, name, length);
    if (entry && entry->is_known) {
        *value = entry->quantity;
        return FREEPLAY_OK;
    }
    char wrong[LONGEST_NAME + 1], hint[FREEPLAY_HINT_ROOM];
    snprintf(wrong, sizeof wrong, "%.*s", length < LONGEST_NAME ? (int)length : LONGEST_NAME, name);
    spell_hint(parameters, wrong, hint);
    return fp_refuse(message, FREEPLAY_INVALID_MODEL, "there is no parameter '%s'%s", wrong, hint);
}

FpNames fp_parameters_names(FpParameters* parameters) {
    return (FpNames){parameters, find_value};
}

/* The string that gives an entry its value, NULL if it is a number. */
static const char* entry_text(const FpParameterEntry* entry) {
    return entry->setting ? entry->setting->value : json_string_value(entry->value);
}

/* Refuses the value of an entry where it comes from: the file or a setting. */
static FpStatus refuse_entry(FpReader* reader, const FpNode* block, const FpParameterEntry* entry,
                             const char* reason) {
    if (entry->setting) return fp_reader_refuse_setting(reader, entry->setting, "%s", reason);
    FpNode node = fp_node_member(block, entry->name);
    return fp_reader_refuse(reader, &node, "%s", reason);
}

/* A setting must have the dimension of the value that it replaces; a plain number gets it. */
static FpStatus fit_setting(FpReader* reader, FpParameterEntry* entry) {
    char is[80], needed[80];
    if (!fp_quantity_is_like(&entry->quantity, &entry->file_quantity)) {
        fp_quantity_describe(&entry->quantity, is, sizeof is);
        fp_quantity_describe(&entry->file_quantity, needed, sizeof needed);
        return fp_reader_refuse_setting(reader, entry->setting, "is %s; parameter '%s' is %s", is,
                                        entry->name, needed);
    }
    if (entry->quantity.plain)
        entry->quantity =
            fp_quantity_common(entry->file_quantity, entry->quantity, entry->quantity.value);
    return FREEPLAY_OK;
}

static FpStatus evaluate(FpReader* reader, const FpNode* block, FpParameterEntry* entry) {
    const char* text = entry_text(entry);
    FpMessage reason;
    FpStatus status = FREEPLAY_OK;
    if (text) {
        FpNames names = fp_parameters_names(&reader->parameters);
        status = fp_value_read(reader->units, &names, text, &entry->quantity, &reason);
    } else
        entry->quantity = fp_quantity_plain(json_number_value(entry->value));
    if (status) return refuse_entry(reader, block, entry, reason.text);
    if (entry->setting) status = fit_setting(reader, entry);
    entry->is_known = !status;
    return status;
}

/* A parameter that this one needs and that has no value yet. */
static FpParameterEntry* find_unknown(const FpParameters* parameters, FpParameterEntry* entry) {
    const char *text = entry_text(entry), *name;
    size_t length;
    while (text && fp_value_next_name(text, &entry->scanned, &name, &length)) {
        FpParameterEntry* needed = find_entry(parameters, name, length);
        if (needed && !needed->is_known) return needed;
    }
    return NULL;
}

/* Spells the circle "$a -> $b -> $a" at the end of a chain of needs. */
static FpStatus refuse_circle(FpReader* reader, const FpNode* block, FpParameterEntry* const* chain,
                              int length, const FpParameterEntry* again) {
    int start = 0;
    while (chain[start] != again) start++;
    char text[300] = "is defined by itself: ";
    size_t used = strlen(text);
    for (int i = start; i < length && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "$%.40s -> ", chain[i]->name);
    if (used < sizeof text)
        snprintf(text + used, sizeof text - used, "$%.40s; one of them needs a value of its own",
                 again->name);
    return refuse_entry(reader, block, again, text);
}

/* Depth first over the needs of one parameter, with a chain instead of recursion. */
static FpStatus settle(FpReader* reader, const FpNode* block, FpParameterEntry** chain,
                       FpParameterEntry* first) {
    int length = 0;
    FpStatus status = FREEPLAY_OK;
    chain[length++] = first;
    while (length > 0 && !status) {
        FpParameterEntry* entry = chain[length - 1];
        FpParameterEntry* needed = find_unknown(&reader->parameters, entry);
        entry->is_pending = true;
        if (needed && needed->is_pending)
            return refuse_circle(reader, block, chain, length, needed);
        if (needed) {
            chain[length++] = needed;
        } else {
            status = evaluate(reader, block, entry);
            entry->is_pending = false;
            length--;
        }
    }
    return status;
}

static FpStatus settle_all(FpReader* reader, const FpNode* block) {
    FpParameters* parameters = &reader->parameters;
    FpParameterEntry** chain = calloc((size_t)parameters->count + 1, sizeof *chain);
    if (!chain) return fp_reader_out_of_memory(reader);
    FpStatus status = FREEPLAY_OK;
    for (int i = 0; i < parameters->count && !status; i++)
        if (!parameters->entries[i].is_known)
            status = settle(reader, block, chain, &parameters->entries[i]);
    free(chain);
    return status;
}

static FpStatus check_entry(FpReader* reader, const FpNode* node) {
    size_t length = fp_parameter_name_length(node->key);
    if (length == 0 || node->key[length] != '\0' || length > LONGEST_NAME)
        return fp_reader_refuse_key(reader, node,
                                    "'%.80s' is no parameter name; 1 to %d letters a-z, A-Z, "
                                    "digits and _ are possible, with no digit first",
                                    node->key, LONGEST_NAME);
    if (json_is_number(node->value) || json_is_string(node->value)) return FREEPLAY_OK;
    return fp_reader_refuse_type(reader, node,
                                 "a number, a quantity as \"0.1 m\" or an expression as "
                                 "\"=2*$R\"");
}

static FpStatus list_entries(FpReader* reader, const FpNode* block) {
    size_t count = json_object_size(block->value);
    FpParameters* parameters = &reader->parameters;
    parameters->entries = calloc(count + 1, sizeof *parameters->entries);
    parameters->indices = json_object();
    if (!parameters->entries || !parameters->indices) return fp_reader_out_of_memory(reader);
    const char* name;
    json_t* value;
    json_object_foreach(block->value, name, value) {
        FpNode node = fp_node_member(block, name);
        FpStatus status = check_entry(reader, &node);
        if (status) return status;
        json_t* index = json_integer(parameters->count);
        if (json_object_set_new(parameters->indices, name, index) != 0)
            return fp_reader_out_of_memory(reader);
        parameters->entries[parameters->count++] = (FpParameterEntry){.name = name, .value = value};
    }
    return FREEPLAY_OK;
}

static FpStatus apply_setting(FpReader* reader, const FpSetting* setting) {
    if (!setting->name || !setting->value)
        return fp_refuse(reader->message, FREEPLAY_INVALID_ARGUMENT,
                         "a setting needs a name and a value");
    FpParameterEntry* entry = find_entry(&reader->parameters, setting->name, strlen(setting->name));
    if (!entry) {
        char hint[FREEPLAY_HINT_ROOM];
        spell_hint(&reader->parameters, setting->name, hint);
        return fp_reader_refuse_setting(reader, setting, "the model has no parameter '%.60s'%s",
                                        setting->name, hint);
    }
    entry->setting = setting;
    return FREEPLAY_OK;
}

/* Later settings of the same name replace earlier ones. */
static FpStatus apply_settings(FpReader* reader, int setting_count, const FpSetting* settings) {
    FpStatus status = FREEPLAY_OK;
    for (int i = 0; i < setting_count && !status; i++) status = apply_setting(reader, &settings[i]);
    for (int i = 0; i < reader->parameters.count; i++) {
        FpParameterEntry* entry = &reader->parameters.entries[i];
        entry->file_quantity = entry->quantity;
        entry->is_known = false;
        entry->scanned = 0;
    }
    return status;
}

FpStatus fp_parameters_read(FpReader* reader, const FpNode* node, int setting_count,
                            const FpSetting* settings) {
    if (node->value && !json_is_object(node->value))
        return fp_reader_refuse_type(reader, node, "an object { ... } of names and values");
    FpStatus status = list_entries(reader, node);
    if (!status) status = settle_all(reader, node);
    if (status || setting_count == 0) return status;
    status = apply_settings(reader, setting_count, settings);
    return status ? status : settle_all(reader, node);
}

void fp_parameters_free(FpParameters* parameters) {
    free(parameters->entries);
    json_decref(parameters->indices);
    *parameters = (FpParameters){0};
}
