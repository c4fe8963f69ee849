#include <stdio.h>
#include <stdlib.h>
#include "model/read_fields.h"

static FpStatus read_speed(FpReader* reader, const FpNode* node, const char* unit,
                           FpDriveDef* drive) {
    FpNode speed = fp_node_member(node, "speed");
    char rate[24];
    snprintf(rate, sizeof rate, "%s/s", unit);
    drive->kind = FREEPLAY_DRIVE_SPEED;
    return fp_reader_number(reader, &speed, rate, &drive->speed);
}

static FpStatus read_harmonic(FpReader* reader, const FpNode* node, const char* unit,
                              FpDriveDef* drive) {
    FpNode amplitude = fp_node_member(node, "amplitude");
    FpNode frequency = fp_node_member(node, "frequency"), phase = fp_node_member(node, "phase");
    drive->kind = FREEPLAY_DRIVE_HARMONIC;
    FpStatus status = fp_reader_number(reader, &amplitude, unit, &drive->amplitude);
    if (!status) status = fp_reader_number(reader, &frequency, "Hz", &drive->frequency);
    if (!status && phase.value) status = fp_reader_number(reader, &phase, "rad", &drive->phase);
    return status;
}

static FpStatus read_table(FpReader* reader, const FpNode* node, const char* unit,
                           FpDriveDef* drive) {
    size_t count;
    double *times = NULL, *values;
    FpNode values_node;
    FpStatus status =
        fp_reader_table(reader, node, "numbers, one for each time", &count, &times, &values_node);
    drive->kind = FREEPLAY_DRIVE_TABLE;
    drive->times = times;
    if (status) return status;
    drive->count = (int)count;
    drive->values = values = calloc(count, sizeof *values);
    if (!values) return fp_reader_out_of_memory(reader);
    return fp_reader_numbers(reader, &values_node, unit, count, values);
}

FpStatus fp_read_drive(FpReader* reader, const FpNode* node, const char* unit, FpDriveDef* drive) {
    static const FpForm forms[] = {{"speed", {"speed"}},
                                   {"amplitude and frequency", {"amplitude", "frequency", "phase"}},
                                   {"times and values", {"times", "values"}}};
    static FpStatus (*const read[])(FpReader*, const FpNode*, const char*,
                                    FpDriveDef*) = {read_speed, read_harmonic, read_table};
    size_t form = 0;
    FpStatus status = fp_reader_form(reader, node, forms, sizeof forms / sizeof forms[0], &form);
    return status ? status : read[form](reader, node, unit, drive);
}
