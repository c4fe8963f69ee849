/* Building JSON. The put functions return whether there was memory enough. */
#ifndef FREEPLAY_OUTPUT_JSON_IMPL_H
#define FREEPLAY_OUTPUT_JSON_IMPL_H

#include <jansson.h>
#include <stdbool.h>
#include "engine/assembly.h"

/* Takes over the value, which may be NULL. */
bool fp_json_put(json_t* to, const char* key, json_t* value);
/* null for NaN and infinity, for which JSON has no word. */
bool fp_json_put_number(json_t* to, const char* key, double x);
bool fp_json_put_numbers(json_t* to, const char* key, int count, const double* x);
bool fp_json_put_count(json_t* to, const char* key, long count);
bool fp_json_put_text(json_t* to, const char* key, const char* text);
/* File names may hold bytes that are no UTF-8, which JSON must not: they become '?'. */
json_t* fp_json_text(const char* text);
/* How far an assembly went: moved, before, after, speed_changed. */
bool fp_json_put_assembly(json_t* to, const FpAssembly* assembly);
/* The text, to be freed by the caller; NULL when out of memory or not whole. Frees root. */
char* fp_json_finish(json_t* root, bool is_whole);

#endif
