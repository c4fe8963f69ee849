/* The "parameters" block: values that may refer to each other in any order, and be replaced by
 * settings. */
#ifndef FREEPLAY_MODEL_PARAMETERS_H
#define FREEPLAY_MODEL_PARAMETERS_H

#include <jansson.h>
#include "model/expression.h"
#include "model/model.h"

typedef struct FpParameterEntry {
    const char* name;         /* in the file's content */
    json_t* value;            /* likewise */
    const FpSetting* setting; /* that replaces the value, or NULL */
    FpQuantity file_quantity; /* without settings */
    FpQuantity quantity;
    bool is_known;   /* quantity is valid */
    bool is_pending; /* its value is being looked for */
    size_t scanned;  /* up to here all the parameters that its text names are known */
} FpParameterEntry;

typedef struct FpParameters {
    FpParameterEntry* entries;
    int count;
    json_t* indices; /* of the entries, by name */
} FpParameters;

struct FpReader;
struct FpNode;

/* Reads the node (absent: no parameters) and settles all values. */
FpStatus fp_parameters_read(struct FpReader* reader, const struct FpNode* node, int setting_count,
                            const FpSetting* settings);
void fp_parameters_free(FpParameters* parameters);

/* For expressions. */
FpNames fp_parameters_names(FpParameters* parameters);

#endif
