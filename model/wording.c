#include "model/wording.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 63 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Edits (insert, delete, replace) that turn a into b, letters of either case being equal. */
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

/* Half of a short name may be wrong by chance, so short names must match better. */
static size_t allowed_distance(size_t length) {
    return length <= 2 ? 0 : length <= 4 ? 1 : length <= 8 ? 2 : 3;
}

void fp_suggestion_offer(FpSuggestion* suggestion, const char* candidate) {
    size_t length = strlen(suggestion->wrong);
    if (length > LONGEST_NAME || strlen(candidate) > LONGEST_NAME) return;
    size_t distance = edit_distance(suggestion->wrong, candidate);
    if (distance > allowed_distance(length)) return;
    if (suggestion->best && suggestion->distance <= distance) return;
    suggestion->best = candidate;
    suggestion->distance = distance;
}

void fp_suggestion_text(const FpSuggestion* suggestion, char* text, size_t size) {
    if (suggestion->best)
        snprintf(text, size, "; did you mean '%s'?", suggestion->best);
    else if (size > 0)
        text[0] = '\0';
}

void fp_message_keep_one_line(FpMessage* message) {
    if (!message) return;
    for (char* c = message->text; *c; c++)
        if (iscntrl((unsigned char)*c)) *c = '?';
}
