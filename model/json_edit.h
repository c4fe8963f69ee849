/* Changes values in the text of a JSON file and leaves all the rest as it was written. */
#ifndef FREEPLAY_MODEL_JSON_EDIT_H
#define FREEPLAY_MODEL_JSON_EDIT_H

#include "model/json_text.h"

/* What takes the place of `length` bytes from `at` on. */
typedef struct FpJsonChange {
    size_t at, length;
    char* text;
} FpJsonChange;

/* Start from {.json = ...}, which must have been loaded. */
typedef struct FpJsonEdit {
    const FpJsonText* json;
    int count;
    FpJsonChange* changes; /* in the order of the text */
} FpJsonEdit;

/* Gives a key of the object at a path of steps a value, in JSON; a key that is not there goes
 * behind the others. The object must exist and have a key, and each key be set only once. */
FpStatus fp_json_edit_set(FpJsonEdit* edit, const FpJsonStep* object, size_t step_count,
                          const char* key, const char* value);
/* The changed text, to be freed by the caller; NULL when out of memory. */
char* fp_json_edit_text(const FpJsonEdit* edit);
void fp_json_edit_free(FpJsonEdit* edit);

#endif
