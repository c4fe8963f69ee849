/* One line on a terminal that tells how far a run is. */
#ifndef FREEPLAY_CLI_PROGRESS_H
#define FREEPLAY_CLI_PROGRESS_H

#include "freeplay.h"

typedef struct CliProgress {
    bool is_shown;
    double t_end;
    double started, drawn; /* s, on a clock that only goes forward */
    int width;             /* of the line that stands there */
} CliProgress;

/* Shown only if wanted and stderr is a terminal. */
void cli_progress_start(CliProgress* progress, bool wanted, double t_end);
/* Redraws the line, but not more than ten times a second. */
void cli_progress_update(CliProgress* progress, const FpState* state);
void cli_progress_erase(CliProgress* progress);

#endif
