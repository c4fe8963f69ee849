#include "model/json_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "model/quantity.h"
#include "model/wording.h"

enum { LARGEST_FILE = 64 * 1024 * 1024, LONGEST_QUOTE = 60 };

/* Scanning. The text is valid JSON here, or was up to the byte of interest. */

static FpPosition position_of(const char* text, size_t byte) {
    FpPosition position = {1, 1};
    for (size_t i = 0; i < byte; i++) {
        if (text[i] == '\n')
            position = (FpPosition){position.line + 1, 1};
        else if (((unsigned char)text[i] & 0xC0) != 0x80)
            position.column++;
    }
    return position;
}

static size_t skip_blanks(const char* text, size_t at) {
    return at + strspn(text + at, " \t\r\n");
}

/* Behind the string that starts at `at`, or the end of the text. */
static size_t skip_string(const char* text, size_t at) {
    for (at++; text[at] && text[at] != '"'; at++)
        if (text[at] == '\\' && text[at + 1]) at++;
    return text[at] ? at + 1 : at;
}

static bool is_punctuation(char c) {
    return c != '\0' && strchr("{}[]:,", c);
}

/* Behind the token that starts at `at`: a string, a punctuation mark, or a number or word. */
static size_t skip_token(const char* text, size_t at) {
    if (text[at] == '"') return skip_string(text, at);
    if (is_punctuation(text[at])) return at + 1;
    while (text[at] && text[at] != '"' && !is_punctuation(text[at]) && !strchr(" \t\r\n", text[at]))
        at++;
    return at;
}

/* Behind the value that starts at `at`; without recursion, so that depth does not matter. */
static size_t skip_value(const char* text, size_t at) {
    int depth = 0;
    do {
        at = skip_blanks(text, at);
        if (text[at] == '{' || text[at] == '[') depth++;
        if (text[at] == '}' || text[at] == ']') depth--;
        at = skip_token(text, at);
    } while (depth > 0 && text[at]);
    return at;
}

/* The start of the token that contains a byte. */
static size_t token_around(const char* text, size_t byte) {
    size_t start = skip_blanks(text, 0);
    while (text[start]) {
        size_t end = skip_token(text, start);
        if (end > byte) return start < byte ? start : byte;
        start = skip_blanks(text, end);
    }
    return byte;
}

static bool is_key(const char* text, size_t start, size_t end, const char* key) {
    size_t length = end - start - 2; /* without the quotes */
    if (!memchr(text + start, '\\', end - start))
        return strlen(key) == length && !memcmp(text + start + 1, key, length);
    json_t* decoded = json_loadb(text + start, end - start, JSON_DECODE_ANY, NULL);
    bool equal = decoded && !strcmp(json_string_value(decoded), key);
    json_decref(decoded);
    return equal;
}

typedef struct Member {
    bool found;
    size_t key, value; /* where they start */
} Member;

static Member find_key(const char* text, size_t object, const char* key) {
    size_t at = skip_blanks(text, object + 1);
    while (text[at] == '"') {
        size_t end = skip_string(text, at);
        size_t value = skip_blanks(text, skip_blanks(text, end) + 1);
        if (is_key(text, at, end, key)) return (Member){true, at, value};
        at = skip_blanks(text, skip_value(text, value));
        if (text[at] == ',') at = skip_blanks(text, at + 1);
    }
    return (Member){0};
}

static Member find_index(const char* text, size_t array, size_t index) {
    size_t at = skip_blanks(text, array + 1);
    for (size_t i = 0; text[at] && text[at] != ']'; i++) {
        if (i == index) return (Member){true, at, at};
        at = skip_blanks(text, skip_value(text, at));
        if (text[at] == ',') at = skip_blanks(text, at + 1);
    }
    return (Member){0};
}

static Member find_path(const FpJsonText* json, const FpJsonStep* steps, size_t count) {
    const char* text = json->text;
    size_t start = skip_blanks(text, 0);
    Member deepest = {true, start, start};
    for (size_t i = 0; i < count; i++) {
        Member next = {0};
        if (steps[i].key && text[deepest.value] == '{')
            next = find_key(text, deepest.value, steps[i].key);
        else if (!steps[i].key && text[deepest.value] == '[')
            next = find_index(text, deepest.value, steps[i].index);
        if (!next.found) return (Member){true, deepest.value, deepest.value};
        deepest = next;
    }
    return deepest;
}

FpPosition fp_json_text_value_at(const FpJsonText* json, const FpJsonStep* steps, size_t count) {
    return position_of(json->text, find_path(json, steps, count).value);
}

FpPosition fp_json_text_key_at(const FpJsonText* json, const FpJsonStep* steps, size_t count) {
    return position_of(json->text, find_path(json, steps, count).key);
}

/* Reading the file. */

static FpStatus refuse_file(const char* path, const char* reason, FpMessage* message) {
    return fp_refuse(message, FREEPLAY_FILE_ERROR, "%.300s: %s", path, reason);
}

static FpStatus refuse_errno(const char* path, FpMessage* message) {
    if (errno == ENOENT) return refuse_file(path, "there is no such file", message);
    return fp_refuse(message, FREEPLAY_FILE_ERROR, "%.300s: could not be opened: %s", path,
                     strerror(errno));
}

static FpStatus refuse_size(const char* path, FpMessage* message) {
    return refuse_file(path, "is larger than 64 MiB; a model file must not be", message);
}

/* Reads to the end or to one byte beyond the limit. False when out of memory. */
static bool read_all(FILE* file, FpJsonText* json) {
    size_t room = 0;
    for (;;) {
        if (json->length + 1 >= room) {
            room = room ? 2 * room : 16384;
            char* larger = realloc(json->text, room);
            if (!larger) return false;
            json->text = larger;
        }
        size_t got = fread(json->text + json->length, 1, room - json->length - 1, file);
        json->length += got;
        json->text[json->length] = '\0';
        if (got == 0 || json->length > LARGEST_FILE) return true;
    }
}

static FpStatus read_file(const char* path, FpJsonText* json, FpMessage* message) {
    struct stat facts;
    if (stat(path, &facts) != 0) return refuse_errno(path, message);
    if (S_ISDIR(facts.st_mode))
        return refuse_file(path, "is a folder; name a model file in it", message);
    if (facts.st_size > LARGEST_FILE) return refuse_size(path, message);
    FILE* file = fopen(path, "rb");
    if (!file) return refuse_errno(path, message);
    bool enough_memory = read_all(file, json);
    bool failed = ferror(file);
    fclose(file);
    if (!enough_memory) return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    if (failed) return refuse_file(path, "could not be read to its end", message);
    return json->length > LARGEST_FILE ? refuse_size(path, message) : FREEPLAY_OK;
}

/* Refusals with a position. */

enum { DEEPEST_SHOWN = 16, FIELD_ROOM = 200 };

/* One of the objects and arrays that are open at a byte. */
typedef struct Level {
    bool is_array;
    size_t index;           /* of the present element */
    size_t key, key_length; /* of the present member; length 0 if it is still to come */
} Level;

/* Follows one token of a text; depth counts the open levels, of which the outer ones are kept. */
static void follow_token(const char* text, size_t at, size_t end, Level* levels, size_t* depth) {
    char c = text[at];
    if (c == '{' || c == '[') {
        if (*depth < DEEPEST_SHOWN) levels[*depth] = (Level){.is_array = c == '['};
        ++*depth;
    } else if ((c == '}' || c == ']') && *depth > 0) {
        --*depth;
    }
    if (*depth == 0 || *depth > DEEPEST_SHOWN) return;
    Level* level = &levels[*depth - 1];
    if (c == ',') {
        level->index++;
        level->key_length = 0;
    } else if (c == '"' && text[skip_blanks(text, end)] == ':') {
        level->key = at + 1;
        level->key_length = end - at - 2;
    }
}

/* The field that a byte belongs to, "bodies[0].mass", or "model" outside of all fields. */
static void spell_field(const char* text, size_t byte, char field[FIELD_ROOM]) {
    Level levels[DEEPEST_SHOWN];
    size_t depth = 0, used = 0;
    for (size_t at = skip_blanks(text, 0), end; at < byte && text[at]; at = skip_blanks(text, end))
        follow_token(text, at, end = skip_token(text, at), levels, &depth);
    for (size_t i = 0; i < depth && i < DEEPEST_SHOWN && used < FIELD_ROOM - 1; i++) {
        const Level* level = &levels[i];
        int length = level->key_length < LONGEST_QUOTE ? (int)level->key_length : LONGEST_QUOTE;
        if (level->is_array)
            used += (size_t)snprintf(field + used, FIELD_ROOM - used, "[%zu]", level->index);
        else if (length > 0)
            used += (size_t)snprintf(field + used, FIELD_ROOM - used, "%s%.*s", used ? "." : "",
                                     length, text + level->key);
    }
    if (used == 0) snprintf(field, FIELD_ROOM, "model");
}

static FpStatus refuse_byte(const char* path, const FpJsonText* json, size_t byte,
                            const char* reason, FpMessage* message) {
    FpPosition position = position_of(json->text, byte);
    char field[FIELD_ROOM];
    spell_field(json->text, byte, field);
    return fp_refuse(message, FREEPLAY_INVALID_MODEL, "%.300s:%d:%d: %s: %s", path, position.line,
                     position.column, field, reason);
}

/* The first byte that is not UTF-8, or the length of the text. */
static size_t find_invalid_utf8(const char* text) {
    size_t at = 0;
    while (text[at]) {
        size_t length = fp_utf8_length(text + at);
        if (length == 0) return at;
        at += length;
    }
    return at;
}

static FpStatus check_text(const char* path, const FpJsonText* json, FpMessage* message) {
    const char* nul = memchr(json->text, '\0', json->length);
    if (nul)
        return refuse_byte(path, json, (size_t)(nul - json->text),
                           "the file contains a zero byte; a model file is UTF-8 text", message);
    size_t invalid = find_invalid_utf8(json->text);
    if (invalid < json->length)
        return refuse_byte(path, json, invalid, "byte that is not UTF-8; save the file as UTF-8",
                           message);
    if (!strncmp(json->text, "\xEF\xBB\xBF", 3))
        return refuse_byte(path, json, 0, "byte order mark; save the file as UTF-8 without one",
                           message);
    size_t start = skip_blanks(json->text, 0);
    if (json->text[start] == '\0')
        return refuse_byte(path, json, 0, "the file is empty; a model is an object { ... }",
                           message);
    if (json->text[start] != '{')
        return refuse_byte(path, json, start,
                           "the file does not begin with '{'; a model is an object { ... }",
                           message);
    return FREEPLAY_OK;
}

/* The parser's texts begin with these words; ours tell what to do. */
typedef struct Explanation {
    const char *theirs, *ours;
} Explanation;

static const Explanation explanations[] = {
    {"string or '}' expected", "a key in double quotes is needed, and no comma before '}'"},
    {"':' expected", "a ':' is needed between key and value"},
    {"'}' expected", "a ',' or '}' is needed here"},
    {"']' expected", "a ',' or ']' is needed here"},
    {"unexpected token", "a value is needed here, and no comma before ']'"},
    {"invalid token", "a JSON value is needed here; numbers are written as in -0.5 or 1e-3"},
    {"unexpected newline", "a string must end on its line; write \\n for a line break"},
    {"control character", "a string must not contain control characters; write \\t for a tab"},
    {"invalid escape", "a backslash begins one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"},
    {"invalid Unicode", "\\uXXXX must give Unicode characters"},
    {"\\u0000 is not allowed", "a string must not contain \\u0000"},
    {"maximum parsing depth", "brackets are nested too deeply; models need 7 levels"},
};

/* What is wrong with the token. */
static void explain(const json_error_t* error, const char* token, char* reason, size_t size) {
    switch (json_error_code(error)) {
    case json_error_duplicate_key:
        snprintf(reason, size, "duplicate key %s; each key may stand once in its object", token);
        return;
    case json_error_numeric_overflow:
        snprintf(reason, size, "the number %s is too large; up to 1.7e308 is possible", token);
        return;
    case json_error_end_of_input_expected:
        snprintf(reason, size, "%s stands behind the end of the model; remove it", token);
        return;
    case json_error_premature_end_of_input:
        snprintf(reason, size, "the file ends too early; a bracket or a quote is not closed");
        return;
    default:
        break;
    }
    const char* advice = error->text;
    for (size_t i = 0; i < sizeof explanations / sizeof explanations[0]; i++)
        if (!strncmp(error->text, explanations[i].theirs, strlen(explanations[i].theirs)))
            advice = explanations[i].ours;
    snprintf(reason, size, "unexpected %s; %s", token, advice);
}

static FpStatus refuse_parse(const char* path, const FpJsonText* json, const json_error_t* error,
                             FpMessage* message) {
    if (json_error_code(error) == json_error_out_of_memory)
        return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    size_t byte = error->position > 0 ? (size_t)error->position - 1 : 0;
    bool ends_early = json_error_code(error) == json_error_premature_end_of_input;
    size_t start = ends_early ? json->length : token_around(json->text, byte);
    size_t length = skip_token(json->text, start) - start;
    char token[LONGEST_QUOTE + 1], reason[400];
    snprintf(token, sizeof token, "%.*s", length < LONGEST_QUOTE ? (int)length : LONGEST_QUOTE,
             json->text + start);
    explain(error, token, reason, sizeof reason);
    return refuse_byte(path, json, start, reason, message);
}

/* The parser turns 1e-999 into 0 without a word. */
static FpStatus check_numbers(const char* path, const FpJsonText* json, FpMessage* message) {
    for (size_t at = 0, end; json->text[at = skip_blanks(json->text, at)]; at = end) {
        double value;
        end = skip_token(json->text, at);
        size_t length = fp_number_read(json->text + at, &value);
        if (length > 0 && !fp_number_fits(json->text + at, length, value))
            return refuse_byte(path, json, at,
                               "the number is too small for double precision; write 0 if that is "
                               "meant",
                               message);
    }
    return FREEPLAY_OK;
}

static FpStatus parse(const char* path, FpJsonText* json, FpMessage* message) {
    json_error_t error;
    size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL;
    json->root = json_loadb(json->text, json->length, flags, &error);
    return json->root ? check_numbers(path, json, message)
                      : refuse_parse(path, json, &error, message);
}

FpStatus fp_json_text_load(const char* path, FpJsonText* json, FpMessage* message) {
    *json = (FpJsonText){0};
    FpStatus status = read_file(path, json, message);
    if (!status) status = check_text(path, json, message);
    if (!status) status = parse(path, json, message);
    if (status) fp_json_text_free(json);
    return status;
}

void fp_json_text_free(FpJsonText* json) {
    json_decref(json->root);
    free(json->text);
    *json = (FpJsonText){0};
}
