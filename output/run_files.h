/* The files that a run leaves in a folder: trajectory.csv, events.csv, summary.json, plot.svg. */
#ifndef FREEPLAY_OUTPUT_RUN_FILES_H
#define FREEPLAY_OUTPUT_RUN_FILES_H

#include "engine/assembly.h"
#include "engine/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a run was and how it ended; the content of summary.json. */
typedef struct FpRunSummary {
    FpStatus status;
    const char* reason; /* of a failure, "" otherwise */
    const char* model;
    const char *scheme, *solver, *rows, *step;
    double t_end;
    int warning_count;
    const char* const* warnings; /* one sentence each */
    const FpAssembly* assembled; /* before the first step; NULL if nothing was assembled */
    FpTotals totals;
} FpRunSummary;

/* summary.json as text, to be freed by the caller; NULL when out of memory. */
char* fp_run_summary_json(const FpRunSummary* summary);

typedef struct FpRunFiles FpRunFiles;

typedef struct FpRunFilesDef {
    const char* directory; /* made, with its parents, if it does not exist */
    long every;            /* every K-th step goes into trajectory.csv, >= 1; the last one always */
} FpRunFilesDef;

/* Opens the files under temporary names: what stood in the folder stays until fp_run_files_close.
 * Memory does not grow with the number of steps. Keeps a pointer to system. */
FpStatus fp_run_files_open(const FpSystem* system, const FpRunFilesDef* def, FpRunFiles** files,
                           FpMessage* message);
/* Hand this to fp_simulate. */
FpObserver fp_run_files_observer(FpRunFiles* files);
/* Writes summary and plot, gives all files their names, frees everything (on failure too). */
FpStatus fp_run_files_close(FpRunFiles* files, const FpRunSummary* summary, FpMessage* message);
/* Removes the temporary files and frees everything. */
void fp_run_files_discard(FpRunFiles* files);

#ifdef __cplusplus
}
#endif
#endif
