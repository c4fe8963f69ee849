/* The summary of a run, for people. */
#ifndef FREEPLAY_CLI_REPORT_H
#define FREEPLAY_CLI_REPORT_H

#include "freeplay.h"

typedef struct CliEventCounts {
    long all, impacts;
} CliEventCounts;

/* Prints a table on stdout. `directory` is where the files are. */
void cli_report_print(const FpRunSummary* summary, const CliEventCounts* events,
                      const char* directory);

#endif
