#include "nlp/triplets.h"

#include <assert.h>
#include <stdlib.h>

void fp_triplets_record(FpTriplets* triplets) {
    triplets->count = 0;
    triplets->recording = true;
    triplets->failed = false;
}

void fp_triplets_rewind(FpTriplets* triplets) {
    triplets->count = 0;
    triplets->recording = false;
}

void fp_triplets_free(FpTriplets* triplets) {
    free(triplets->row);
    free(triplets->col);
    free(triplets->value);
    *triplets = (FpTriplets){0};
}

static bool grow(FpTriplets* t) {
    int room = t->room ? 2 * t->room : 64;
    int* row = realloc(t->row, (size_t)room * sizeof *row);
    if (row) t->row = row;
    int* col = realloc(t->col, (size_t)room * sizeof *col);
    if (col) t->col = col;
    double* value = realloc(t->value, (size_t)room * sizeof *value);
    if (value) t->value = value;
    if (!row || !col || !value) return false;
    t->room = room;
    return true;
}

void fp_triplets_add(FpTriplets* t, int row, int col, double value) {
    if (t->recording) {
        if (t->failed || (t->count == t->room && !grow(t))) {
            t->failed = true;
            return;
        }
        t->row[t->count] = row;
        t->col[t->count] = col;
    }
    assert(t->row[t->count] == row && t->col[t->count] == col);
    t->value[t->count++] = value;
}
