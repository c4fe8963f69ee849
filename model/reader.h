/* Reading a model file: values with the way to them, so that every refusal can say where. */
#ifndef FREEPLAY_MODEL_READER_H
#define FREEPLAY_MODEL_READER_H

#include "model/json_text.h"
#include "model/model.h"
#include "model/parameters.h"
#include "model/units.h"
#include "model/wording.h"

typedef struct FpReader {
    const char* path;
    FpJsonText json;
    FpUnits* units;
    FpParameters parameters;
    FpModel* model;
    const char* joint; /* whose fields are being read, NULL if none: refusals begin with it */
    bool unassembled;  /* the initial state may violate the joints */
    FpMessage* message;
} FpReader;

/* A value of the file and the way to it. Nodes live on the stack and point to their parents. */
typedef struct FpNode {
    const struct FpNode* parent; /* NULL for the whole file */
    const char* key;             /* NULL if the parent is an array */
    size_t index;
    json_t* value; /* NULL if there is no such value */
} FpNode;

FpNode fp_node_root(const FpReader* reader);
FpNode fp_node_member(const FpNode* object, const char* key);
FpNode fp_node_element(const FpNode* array, size_t index);

/* Refusals: "FILE:LINE:COLUMN: FIELD: text", one line. An absent value has the position of what
 * encloses it. The second points to the key instead of the value. */
FpStatus fp_reader_refuse(FpReader* reader, const FpNode* node, const char* format, ...)
    FREEPLAY_PRINTF(3, 4);
FpStatus fp_reader_refuse_key(FpReader* reader, const FpNode* node, const char* format, ...)
    FREEPLAY_PRINTF(3, 4);
/* "is missing" or "is a string", and "; ... is needed". */
FpStatus fp_reader_refuse_type(FpReader* reader, const FpNode* node, const char* wanted);
/* "--set NAME=VALUE: text". */
FpStatus fp_reader_refuse_setting(FpReader* reader, const FpSetting* setting, const char* format,
                                  ...) FREEPLAY_PRINTF(3, 4);
/* A refusal of the C API, whose field is one of the node's, perhaps with dots. */
FpStatus fp_reader_refuse_reason(FpReader* reader, const FpNode* node, FpStatus status,
                                 const FpMessage* reason);
/* A name that is none of those offered: "unknown KEY 'name'; possible: ...". */
FpStatus fp_reader_refuse_choice(FpReader* reader, const FpNode* node,
                                 const FpSuggestion* suggestion);
FpStatus fp_reader_out_of_memory(FpReader* reader);

/* Refuses a node that is absent or no object, or has keys other than those listed. */
FpStatus fp_reader_object(FpReader* reader, const FpNode* node, const char* const* keys,
                          size_t key_count);
/* One of several ways to write a value: the keys that belong to it, NULL behind the last. */
enum { FREEPLAY_FORM_KEYS = 4 };
typedef struct FpForm {
    const char* name; /* for the message */
    const char* keys[FREEPLAY_FORM_KEYS];
} FpForm;
/* Refuses a node that is no object, or has keys of none or of several of the forms. */
FpStatus fp_reader_form(FpReader* reader, const FpNode* node, const FpForm* forms, size_t count,
                        size_t* chosen);
/* Refuses a node that is absent or no array. */
FpStatus fp_reader_array(FpReader* reader, const FpNode* node, const char* of_what);
/* A string; *text lives as long as the file. */
FpStatus fp_reader_text(FpReader* reader, const FpNode* node, const char** text);
/* A string of letters, digits, _ and -. */
FpStatus fp_reader_name(FpReader* reader, const FpNode* node, const char** name);
/* true or false. */
FpStatus fp_reader_flag(FpReader* reader, const FpNode* node, bool* flag);
/* The index of a string among names, which end with NULL. */
FpStatus fp_reader_choice(FpReader* reader, const FpNode* node, const char* const* names,
                          int* index);
/* A number, quantity, parameter or expression, in the SI unit. */
FpStatus fp_reader_number(FpReader* reader, const FpNode* node, const char* unit, double* value);
/* The same without unit, and whole, from low to high. */
FpStatus fp_reader_whole(FpReader* reader, const FpNode* node, int low, int high, int* value);
/* An array of that many of them. */
FpStatus fp_reader_numbers(FpReader* reader, const FpNode* node, const char* unit, size_t count,
                           double* values);
FpStatus fp_reader_vector(FpReader* reader, const FpNode* node, const char* unit, FpVec3* vector);
/* The same, but z may be absent and is 0 then. */
FpStatus fp_reader_planar_vector(FpReader* reader, const FpNode* node, const char* unit,
                                 FpVec3* vector);
/* A vector without unit whose length is neither 0 nor beyond all bounds. */
FpStatus fp_reader_direction(FpReader* reader, const FpNode* node, FpVec3* direction);

/* A vector that may be absent; *vector is then left alone. */
FpStatus fp_reader_optional_vector(FpReader* reader, const FpNode* object, const char* key,
                                   const char* unit, FpVec3* vector);

/* A table over time, {"times": [...], "values": [...]}: reads the times into a new array, which the
 * caller frees on failure too, and finds the values, as many, which the caller reads. */
FpStatus fp_reader_table(FpReader* reader, const FpNode* node, const char* of_what, size_t* count,
                         double** times, FpNode* values);

/* The parts of a model file, each in a file of its own. */
FpStatus fp_read_bodies(FpReader* reader, const FpNode* root);
FpStatus fp_read_loads(FpReader* reader, const FpNode* root);
FpStatus fp_read_joints(FpReader* reader, const FpNode* root);
FpStatus fp_read_run(FpReader* reader, const FpNode* root);
/* The body that a string names, "ground" included. */
FpStatus fp_read_body_name(FpReader* reader, const FpNode* node, FpBodyId* id);

#endif
