/* How refusals are worded: "did you mean ...?" for names that are nearly right, and one line. */
#ifndef FREEPLAY_MODEL_WORDING_H
#define FREEPLAY_MODEL_WORDING_H

#include <stddef.h>
#include "nlp/status.h"

/* The best of the candidates offered so far. Start from {.wrong = name}. */
typedef struct FpSuggestion {
    const char* wrong;
    const char* best; /* NULL if none is near enough */
    size_t distance;
} FpSuggestion;

/* Keeps a pointer to candidate if it is the nearest so far. */
void fp_suggestion_offer(FpSuggestion* suggestion, const char* candidate);
/* "; did you mean 'pendulum'?", or "" when nothing is near. */
void fp_suggestion_text(const FpSuggestion* suggestion, char* text, size_t size);

/* Replaces line breaks and other control characters that came from the user. */
void fp_message_keep_one_line(FpMessage* message);

#endif
