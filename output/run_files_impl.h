/* The parts that output/run_files.c puts together. Write errors stay in the streams. */
#ifndef FREEPLAY_OUTPUT_RUN_FILES_IMPL_H
#define FREEPLAY_OUTPUT_RUN_FILES_IMPL_H

#include <stdbool.h>
#include <stdio.h>
#include "engine/simulation.h"
#include "output/run_files.h"

/* A state with what is derived from it. */
typedef struct FpSample {
    const FpState* state;
    bool is_initial; /* no step ends here: no force, no h */
    FpEnergy energy;
    const double* gaps; /* of all rows */
} FpSample;

/* trajectory.csv */
void fp_trajectory_header(const FpSystem* system, FILE* stream);
void fp_trajectory_row(const FpSystem* system, const FpSample* sample, FILE* stream);

/* events.csv */
void fp_events_header(FILE* stream);
void fp_events_row(const FpSystem* system, const FpEvent* event, FILE* stream);

/* plot.svg. Memory does not grow with the samples. */
typedef struct FpPlot FpPlot;
/* Keeps a pointer to system; NULL when out of memory. */
FpPlot* fp_plot_create(const FpSystem* system);
void fp_plot_destroy(FpPlot* plot);
void fp_plot_add(FpPlot* plot, const FpSample* sample);
FpStatus fp_plot_write(const FpPlot* plot, const FpRunSummary* summary, FILE* stream);

#endif
