/* What nlp/linsys.c and its backends share. */
#ifndef FREEPLAY_NLP_LINSYS_IMPL_H
#define FREEPLAY_NLP_LINSYS_IMPL_H

#include "nlp/status.h"

/* Lower triangle by columns, rows ascending. */
typedef struct FpLowerTriangle {
    int n;
    const int *start, *row;
    const double* value;
} FpLowerTriangle;

/* A backend. Input has been checked: the pattern is one and all numbers are finite. */
typedef struct FpLinsysOps {
    const char* name;
    void* (*create)(void);
    void (*destroy)(void* self); /* NULL is fine */
    FpStatus (*analyse)(void* self, const FpLowerTriangle* N);
    /* FREEPLAY_NOT_CONVERGED: N is too close to singular for this backend. */
    FpStatus (*factor)(void* self, const FpLowerTriangle* N);
    FpStatus (*solve)(void* self, double* x);
    int (*rank)(const void* self);
} FpLinsysOps;

extern const FpLinsysOps fp_linsys_dense, fp_linsys_ldl, fp_linsys_mumps;

/* Multiplications of fp_linsys_ldl's numeric phase, of the pattern last analysed. */
double fp_linsys_ldl_work(const void* self);

/* The graph of N: the rows that share an entry with row k, ascending and without k itself, are
 * neighbour[start[k]] to neighbour[start[k + 1] - 1]. start has n + 1 entries; neighbour has room
 * for two of every entry of N. */
void fp_linsys_fill_graph(const FpLowerTriangle* N, int* start, int* neighbour);

/* An order with little fill, AMD's. Rows with the same neighbours, such as those of one joint, are
 * blocks that stay together: block k has the places from block_start[k] to block_start[k + 1] - 1.
 * block_start has room for n + 1 entries. */
FpStatus fp_linsys_order_blocks(const FpLowerTriangle* N, int* order, int* block_start,
                                int* block_count);

/* Starts of parts that are filled one entry at a time: counts at [k + 1] become starts, each of
 * which advances while its part is filled and so ends as the next one's, until they are rewound. */
void fp_linsys_sum_starts(int n, int* start);
void fp_linsys_rewind_starts(int n, int* start);

#endif
