#include "cli/nearest.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_NAME = 31 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Letters to insert, delete or replace, row by row of the usual table. */
static size_t edit_distance(const char* a, const char* b) {
    size_t row[LONGEST_NAME + 1];
    size_t columns = strlen(b);
    for (size_t j = 0; j <= columns; j++) row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            int differ = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]);
            size_t replaced = diagonal + (size_t)differ;
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[columns];
}

/* The start of a name, or a name with something behind it, counts as one edit. */
static size_t distance_between(const char* wrong, const char* name) {
    size_t common = least(strlen(wrong), strlen(name));
    if (strcmp(wrong, name) == 0) return 0;
    if (common > 0 && strncmp(wrong, name, common) == 0) return 1;
    return edit_distance(wrong, name);
}

void cli_nearest_offer(CliNearest* nearest, const char* name) {
    size_t length = strlen(nearest->wrong);
    if (length > LONGEST_NAME || strlen(name) > LONGEST_NAME) return;
    size_t distance = distance_between(nearest->wrong, name);
    if (distance > (length <= 2 ? 1 : (length + 2) / 3)) return;
    if (nearest->best && nearest->distance <= distance) return;
    nearest->best = name;
    nearest->distance = distance;
}
