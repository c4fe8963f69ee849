#include "output/json_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool fp_json_put(json_t* to, const char* key, json_t* value) {
    return json_object_set_new(to, key, value) == 0;
}

static json_t* number(double x) {
    return isfinite(x) ? json_real(x) : json_null();
}

bool fp_json_put_number(json_t* to, const char* key, double x) {
    return fp_json_put(to, key, number(x));
}

bool fp_json_put_count(json_t* to, const char* key, long count) {
    return fp_json_put(to, key, json_integer(count));
}

static json_t* ascii_only(const char* text) {
    char* copy = strdup(text);
    if (!copy) return NULL;
    for (char* c = copy; *c; c++) {
        if ((unsigned char)*c >= 0x80) *c = '?';
    }
    json_t* value = json_string(copy);
    free(copy);
    return value;
}

json_t* fp_json_text(const char* text) {
    if (!text) return json_null();
    json_t* value = json_string(text);
    return value ? value : ascii_only(text);
}

bool fp_json_put_text(json_t* to, const char* key, const char* text) {
    return fp_json_put(to, key, fp_json_text(text));
}

bool fp_json_put_numbers(json_t* to, const char* key, int count, const double* x) {
    json_t* numbers = json_array();
    bool done = fp_json_put(to, key, numbers);
    for (int i = 0; done && i < count; i++)
        done = json_array_append_new(numbers, number(x[i])) == 0;
    return done;
}

bool fp_json_put_assembly(json_t* to, const FpAssembly* assembly) {
    return fp_json_put_number(to, "moved", assembly->moved) &&
           fp_json_put_number(to, "before", assembly->before) &&
           fp_json_put_number(to, "after", assembly->after) &&
           fp_json_put_number(to, "speed_changed", assembly->speed_changed);
}

char* fp_json_finish(json_t* root, bool is_whole) {
    /* Without a precision of ours, jansson writes numbers that read back to the same bits. */
    char* text = is_whole ? json_dumps(root, JSON_INDENT(2)) : NULL;
    json_decref(root);
    return text;
}
