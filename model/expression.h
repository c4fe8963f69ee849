/* Values as they stand in strings: quantities "0.1 mm", parameters "$c", and expressions
 * "=2*$R + 0.1 mm", whose dimensions are carried through. */
#ifndef FREEPLAY_MODEL_EXPRESSION_H
#define FREEPLAY_MODEL_EXPRESSION_H

#include "model/units.h"

/* Where expressions find their parameters. */
typedef struct FpNames {
    void* context;
    /* The value of a name of that length, or a refusal. */
    FpStatus (*find)(void* context, const char* name, size_t length, FpQuantity* value,
                     FpMessage* message);
} FpNames;

FpStatus fp_value_read(FpUnits* units, const FpNames* names, const char* text, FpQuantity* value,
                       FpMessage* message);

/* Steps through the parameters that a text names: finds the next one from *at on, and moves *at
 * behind it. False when there are no more. */
bool fp_value_next_name(const char* text, size_t* at, const char** name, size_t* length);

/* Length of the parameter name at the start of text: letters, digits and _, no digit first. */
size_t fp_parameter_name_length(const char* text);

#endif
