#include "model/json_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST_STEP = 16 };

static size_t byte_at(const char* text, FpPosition position) {
    size_t at = 0;
    for (int line = 1; line < position.line; line++) at += strcspn(text + at, "\n") + 1;
    for (int column = 1; column < position.column; column++) do
            at++;
        while (((unsigned char)text[at] & 0xC0) == 0x80);
    return at;
}

/* Behind the value that starts at a byte: there the parser stops. */
static size_t end_of_value(const FpJsonText* json, size_t at) {
    json_error_t error;
    size_t flags = JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL;
    json_t* value = json_loadb(json->text + at, json->length - at, flags, &error);
    if (!value) return 0;
    json_decref(value);
    return at + (size_t)error.position;
}

static json_t* find_value(json_t* root, const FpJsonStep* steps, size_t count) {
    json_t* value = root;
    for (size_t i = 0; i < count; i++)
        value = steps[i].key ? json_object_get(value, steps[i].key)
                             : json_array_get(value, steps[i].index);
    return value;
}

/* Takes over the text. Of changes at the same byte the first stays the first. */
static FpStatus add_change(FpJsonEdit* edit, size_t at, size_t length, char* text) {
    size_t count = (size_t)edit->count;
    FpJsonChange* changes = realloc(edit->changes, (count + 1) * sizeof *changes);
    if (changes) edit->changes = changes;
    if (!changes || !text) {
        free(text);
        return FREEPLAY_OUT_OF_MEMORY;
    }
    while (count > 0 && changes[count - 1].at > at) {
        changes[count] = changes[count - 1];
        count--;
    }
    changes[count] = (FpJsonChange){at, length, text};
    edit->count++;
    return FREEPLAY_OK;
}

/* ", " where the object is written in one line, else a line break with the blanks before its first
 * key; then "key": value. */
static char* member_text(const char* line, size_t blanks, const char* key, const char* value) {
    size_t size = blanks + strlen(key) + strlen(value) + 8;
    char* text = malloc(size);
    if (!text) return NULL;
    if (line)
        snprintf(text, size, ",\n%.*s\"%s\": %s", (int)blanks, line, key, value);
    else
        snprintf(text, size, ", \"%s\": %s", key, value);
    return text;
}

/* Behind the last member. */
static FpStatus add_member(FpJsonEdit* edit, const FpJsonStep* path, size_t depth, json_t* object,
                           const char* key, const char* value) {
    const FpJsonText* json = edit->json;
    FpJsonStep first[DEEPEST_STEP];
    memcpy(first, path, depth * sizeof *first);
    first[depth] = (FpJsonStep){.key = json_object_iter_key(json_object_iter(object))};
    size_t key_at = byte_at(json->text, fp_json_text_key_at(json, first, depth + 1));
    size_t line_at = key_at;
    while (line_at > 0 && strchr(" \t", json->text[line_at - 1])) line_at--;
    bool has_lines = line_at > 0 && json->text[line_at - 1] == '\n';

    size_t end = end_of_value(json, byte_at(json->text, fp_json_text_value_at(json, path, depth)));
    if (end == 0) return FREEPLAY_OUT_OF_MEMORY;
    end--;
    while (strchr(" \t\r\n", json->text[end - 1])) end--;
    const char* line = has_lines ? json->text + line_at : NULL;
    return add_change(edit, end, 0, member_text(line, key_at - line_at, key, value));
}

FpStatus fp_json_edit_set(FpJsonEdit* edit, const FpJsonStep* object, size_t step_count,
                          const char* key, const char* value) {
    const FpJsonText* json = edit->json;
    json_t* found = find_value(json->root, object, step_count);
    FpJsonStep steps[DEEPEST_STEP];
    if (json_object_size(found) == 0 || step_count >= DEEPEST_STEP)
        return FREEPLAY_INVALID_ARGUMENT;
    if (!json_object_get(found, key))
        return add_member(edit, object, step_count, found, key, value);
    memcpy(steps, object, step_count * sizeof *steps);
    steps[step_count] = (FpJsonStep){.key = key};
    size_t at = byte_at(json->text, fp_json_text_value_at(json, steps, step_count + 1));
    size_t end = end_of_value(json, at);
    return end > at ? add_change(edit, at, end - at, strdup(value)) : FREEPLAY_OUT_OF_MEMORY;
}

char* fp_json_edit_text(const FpJsonEdit* edit) {
    size_t size = edit->json->length + 1, from = 0, used = 0;
    for (int i = 0; i < edit->count; i++) size += strlen(edit->changes[i].text);
    char* text = malloc(size);
    if (!text) return NULL;
    for (int i = 0; i < edit->count; i++) {
        const FpJsonChange* change = &edit->changes[i];
        used += (size_t)snprintf(text + used, size - used, "%.*s%s", (int)(change->at - from),
                                 edit->json->text + from, change->text);
        from = change->at + change->length;
    }
    snprintf(text + used, size - used, "%s", edit->json->text + from);
    return text;
}

void fp_json_edit_free(FpJsonEdit* edit) {
    for (int i = 0; i < edit->count; i++) free(edit->changes[i].text);
    free(edit->changes);
    *edit = (FpJsonEdit){0};
}
