/* A JSON file: its parsed content, and the line and column of everything in it, which the parser
 * does not keep. */
#ifndef FREEPLAY_MODEL_JSON_TEXT_H
#define FREEPLAY_MODEL_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <jansson.h>
#include "nlp/status.h"

typedef struct FpJsonText {
    char* text; /* as in the file, with a 0 behind it */
    size_t length;
    json_t* root; /* an object */
} FpJsonText;

/* Reads and parses strictly: UTF-8, no duplicate keys, no numbers beyond double precision, nothing
 * behind the object. On refusal *json is empty and message is "FILE:LINE:COLUMN: FIELD: reason", or
 * "FILE: reason" if the file could not be read. */
FpStatus fp_json_text_load(const char* path, FpJsonText* json, FpMessage* message);
void fp_json_text_free(FpJsonText* json);

/* One step into a value: to a key of an object, or to an index of an array if key is NULL. */
typedef struct FpJsonStep {
    const char* key;
    size_t index;
} FpJsonStep;

/* Both count from 1; columns are characters, not bytes. */
typedef struct FpPosition {
    int line, column;
} FpPosition;

/* Where the value at a path of steps begins. The deepest existing value on the path if it does not
 * exist. */
FpPosition fp_json_text_value_at(const FpJsonText* json, const FpJsonStep* steps, size_t count);
/* The same for the key that is the last step. */
FpPosition fp_json_text_key_at(const FpJsonText* json, const FpJsonStep* steps, size_t count);

#endif
