/* What a model consists of; for the files of model/ only. */
#ifndef FREEPLAY_MODEL_MODEL_IMPL_H
#define FREEPLAY_MODEL_MODEL_IMPL_H

#include "model/model.h"
#include "model/quantity.h"

typedef struct FpStoredParameter {
    char* name;
    double value;
    char unit[FREEPLAY_UNIT_ROOM];
    bool overridden;
} FpStoredParameter;

struct FpModel {
    char *name, *description;
    FpWorld* world;
    FpRunDef run;
    char *scheme, *strategy, *solver; /* what run points to */
    FpStoredParameter* parameters;
    int parameter_count;
};

#endif
