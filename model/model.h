/* Model files: JSON with units and parameters (docs/model-format.md), read into a finished world
 * and the settings of a run. */
#ifndef FREEPLAY_MODEL_MODEL_H
#define FREEPLAY_MODEL_MODEL_H

#include "engine/stepper.h"
#include "engine/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FpModel FpModel;

/* A parameter's new value, as after --set: a number, a quantity "0.2 mm" or an expression
 * "=2*$R". */
typedef struct FpSetting {
    const char* name;
    const char* value;
} FpSetting;

/* Reads a model file and builds its world. On refusal *model is NULL and message is one line,
 * "FILE:LINE:COLUMN: FIELD: what was wrong; what would be right", or begins with "FILE: " if the
 * file could not be read and with "--set NAME=VALUE: " if a setting is wrong. Later settings of a
 * parameter replace earlier ones. Several threads may load models at once. */
FpStatus fp_model_load(const char* path, int setting_count, const FpSetting* settings,
                       FpModel** model, FpMessage* message);
/* The same, but takes a model whose initial state violates its joints, to look at it or to move it
 * together with fp_assemble. */
FpStatus fp_model_load_unassembled(const char* path, int setting_count, const FpSetting* settings,
                                   FpModel** model, FpMessage* message);
void fp_model_destroy(FpModel* model);

/* All of these live as long as the model. */
const char* fp_model_name(const FpModel* model); /* "name", or the file's name without .json */
const char* fp_model_description(const FpModel* model); /* "" if there is none */
const FpWorld* fp_model_world(const FpModel* model);
const FpSystem* fp_model_system(const FpModel* model);

/* The "run" block: method, step sizes, end time; defaults where the file is silent. */
typedef struct FpRunDef {
    FpStepperDef stepper;
    double t_end; /* s, > 0 */
} FpRunDef;
FpRunDef fp_model_run(const FpModel* model);

/* Parameters in the order of the file. */
typedef struct FpParameter {
    const char* name;
    double value;     /* SI */
    const char* unit; /* SI unit, "" for a plain number */
    bool overridden;  /* by a setting */
} FpParameter;
int fp_model_parameter_count(const FpModel* model);
FpParameter fp_model_parameter(const FpModel* model, int index);

/* A quantity such as "0.2 mm" as a number in the SI unit given ("m"); for options of programs. */
FpStatus fp_quantity_parse(const char* text, const char* si_unit, double* value,
                           FpMessage* message);

#ifdef __cplusplus
}
#endif
#endif
