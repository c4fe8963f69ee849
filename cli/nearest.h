/* "Did you mean ...?": of the names offered, the one most like a wrong one. */
#ifndef FREEPLAY_CLI_NEAREST_H
#define FREEPLAY_CLI_NEAREST_H

#include <stddef.h>

/* Start from {.wrong = name}. */
typedef struct CliNearest {
    const char* wrong;
    const char* best; /* NULL if none is near enough */
    size_t distance;
} CliNearest;

/* Keeps a pointer to name if it is the nearest so far. */
void cli_nearest_offer(CliNearest* nearest, const char* name);

#endif
