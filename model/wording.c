#include "model/wording.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 63 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static bool is_same_letter(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Edits (insert, delete, replace, swap neighbours) that turn a into b, letters of either case being
 * equal. rows[i % 3][j] is the distance of the first i letters of a from the first j of b. */
static size_t edit_distance(const char* a, const char* b) {
    size_t rows[3][LONGEST_NAME + 1];
    size_t length = strlen(a), columns = strlen(b);
    for (size_t j = 0; j <= columns; j++) rows[0][j] = j;
    for (size_t i = 1; i <= length; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *second_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            size_t replaced = above[j - 1] + !is_same_letter(a[i - 1], b[j - 1]);
            row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && is_same_letter(a[i - 1], b[j - 2]) &&
                is_same_letter(a[i - 2], b[j - 1]))
                row[j] = least(row[j], second_above[j - 2] + 1);
        }
    }
    return rows[length % 3][columns];
}

/* Half of a short name may be wrong by chance, so short names must match better. */
static size_t allowed_distance(size_t length) {
    return length <= 2 ? 0 : length <= 4 ? 1 : length <= 8 ? 2 : 3;
}

static void prefer_nearest(FpSuggestion* suggestion, const char* candidate) {
    size_t length = strlen(suggestion->wrong);
    if (length > LONGEST_NAME || strlen(candidate) > LONGEST_NAME) return;
    size_t distance = edit_distance(suggestion->wrong, candidate);
    if (distance > allowed_distance(length)) return;
    if (suggestion->best && suggestion->distance <= distance) return;
    suggestion->best = candidate;
    suggestion->distance = distance;
}

static void append_to_list(FpSuggestion* suggestion, const char* candidate) {
    if (suggestion->list_is_full) return;
    size_t used = strlen(suggestion->list), room = sizeof suggestion->list;
    suggestion->list_is_full = used + strlen(candidate) + sizeof ", , ..." > room;
    snprintf(suggestion->list + used, room - used, "%s%s", used ? ", " : "",
             suggestion->list_is_full ? "..." : candidate);
}

void fp_suggestion_offer(FpSuggestion* suggestion, const char* candidate) {
    prefer_nearest(suggestion, candidate);
    append_to_list(suggestion, candidate);
}

void fp_suggestion_text(const FpSuggestion* suggestion, char text[FREEPLAY_HINT_ROOM]) {
    if (suggestion->best)
        snprintf(text, FREEPLAY_HINT_ROOM, "; did you mean '%s'? Possible: %s", suggestion->best,
                 suggestion->list);
    else
        snprintf(text, FREEPLAY_HINT_ROOM, "; %s%s",
                 suggestion->list[0] ? "possible: " : "there are none", suggestion->list);
}

static size_t utf8_length_by_first_byte(unsigned char first) {
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return 2;
    if (first >= 0xE0 && first <= 0xEF) return 3;
    if (first >= 0xF0 && first <= 0xF4) return 4;
    return 0;
}

/* Overlong forms, surrogates and values beyond U+10FFFF differ from the others in byte 2. */
static bool is_second_byte_valid(unsigned char first, unsigned char second) {
    if (first == 0xE0) return second >= 0xA0;
    if (first == 0xED) return second <= 0x9F;
    if (first == 0xF0) return second >= 0x90;
    if (first == 0xF4) return second <= 0x8F;
    return true;
}

size_t fp_utf8_length(const char* text) {
    const unsigned char* bytes = (const unsigned char*)text;
    size_t length = utf8_length_by_first_byte(bytes[0]);
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xC0) != 0x80) return 0;
    return length < 2 || is_second_byte_valid(bytes[0], bytes[1]) ? length : 0;
}

void fp_message_keep_one_line(FpMessage* message) {
    if (!message) return;
    for (char* c = message->text; *c;) {
        size_t length = fp_utf8_length(c);
        if (length == 0 || iscntrl((unsigned char)*c)) *c = '?';
        c += length ? length : 1;
    }
}
