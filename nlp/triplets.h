/* A sparse matrix as a list of entries. The same code records the pattern (first pass) and writes
 * values (later passes), so that the two cannot disagree. Entries at one place add up. */
#ifndef FREEPLAY_NLP_TRIPLETS_H
#define FREEPLAY_NLP_TRIPLETS_H

#include <stdbool.h>

typedef struct FpTriplets {
    int count, room;
    int *row, *col;
    double* value;
    bool recording; /* the pattern is being recorded: arrays grow */
    bool failed;    /* out of memory while recording */
} FpTriplets;

/* Start of the pass that records the pattern, and of every later pass. */
void fp_triplets_record(FpTriplets* triplets);
void fp_triplets_rewind(FpTriplets* triplets);
void fp_triplets_free(FpTriplets* triplets);

/* The next entry. After recording, row and col must be those of the pattern. */
void fp_triplets_add(FpTriplets* triplets, int row, int col, double value);

#endif
