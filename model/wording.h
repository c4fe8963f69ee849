/* How refusals are worded: what names there are, which of them is nearly right, and one line. */
#ifndef FREEPLAY_MODEL_WORDING_H
#define FREEPLAY_MODEL_WORDING_H

#include <stdbool.h>
#include <stddef.h>
#include "nlp/status.h"

enum { FREEPLAY_LIST_ROOM = 300, FREEPLAY_HINT_ROOM = FREEPLAY_LIST_ROOM + 100 };

/* What might have been meant by a wrong name. Start from {.wrong = name}. */
typedef struct FpSuggestion {
    const char* wrong;
    const char* best; /* of the candidates so far; NULL if none is near */
    size_t distance;
    char list[FREEPLAY_LIST_ROOM]; /* all candidates, "fixed, gauss" */
    bool list_is_full;
} FpSuggestion;

/* Keeps a pointer to candidate if it is the nearest so far. */
void fp_suggestion_offer(FpSuggestion* suggestion, const char* candidate);
/* "; did you mean 'gauss'? Possible: fixed, gauss", what applies of it. */
void fp_suggestion_text(const FpSuggestion* suggestion, char text[FREEPLAY_HINT_ROOM]);

/* Length of the UTF-8 character that a text starts with, 0 if that is none. */
size_t fp_utf8_length(const char* text);

/* Replaces what came from the user and is no printable UTF-8: line breaks, halves of characters. */
void fp_message_keep_one_line(FpMessage* message);

#endif
