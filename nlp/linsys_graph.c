#include <amd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/linsys_impl.h"

void fp_linsys_sum_starts(int n, int* start) {
    for (int k = 0; k < n; k++) start[k + 1] += start[k];
}

void fp_linsys_rewind_starts(int n, int* start) {
    memmove(start + 1, start, (size_t)n * sizeof *start);
    start[0] = 0;
}

void fp_linsys_fill_graph(const FpLowerTriangle* N, int* start, int* neighbour) {
    int n = N->n;
    memset(start, 0, ((size_t)n + 1) * sizeof *start);
    for (int j = 0; j < n; j++)
        for (int p = N->start[j]; p < N->start[j + 1]; p++) {
            start[j + 1] += N->row[p] != j;
            start[N->row[p] + 1] += N->row[p] != j;
        }
    fp_linsys_sum_starts(n, start);
    for (int j = 0; j < n; j++)
        for (int p = N->start[j]; p < N->start[j + 1]; p++) {
            int i = N->row[p];
            if (i == j) continue;
            neighbour[start[i]++] = j;
            neighbour[start[j]++] = i;
        }
    fp_linsys_rewind_starts(n, start);
}

/* Rows that stand alike to all others: the same neighbours, each other included. */
typedef struct Blocks {
    int n, count;
    int *start, *neighbour;    /* graph of the rows */
    int *block, *member_start; /* block of each row; rows of each block, ... */
    int* member;               /* ... ascending */
    int *quotient, *partner;   /* graph of the blocks */
    int *seen, *order;         /* of blocks */
    long long* sum;            /* of a row and its neighbours: tells most rows apart */
} Blocks;

static bool allocate(Blocks* g, const FpLowerTriangle* N) {
    size_t n = (size_t)N->n, entries = 2 * (size_t)N->start[n];
    g->n = N->n;
    g->sum = malloc(n * sizeof *g->sum);
    g->start = malloc((8 * n + 3 + 2 * entries) * sizeof *g->start);
    if (!g->sum || !g->start) return false;
    g->block = g->start + n + 1;
    g->member_start = g->block + n;
    g->member = g->member_start + n + 1;
    g->quotient = g->member + n;
    g->seen = g->quotient + n + 1;
    g->order = g->seen + n;
    g->neighbour = g->order + n;
    g->partner = g->neighbour + entries;
    return true;
}

static void release(Blocks* g) {
    free(g->sum);
    free(g->start);
}

/* The neighbours of i and j are the same if i and j themselves are disregarded. */
static bool are_alike(const Blocks* g, int i, int j) {
    if (g->sum[i] != g->sum[j] || g->start[i + 1] - g->start[i] != g->start[j + 1] - g->start[j])
        return false;
    int p = g->start[i], q = g->start[j];
    while (p < g->start[i + 1] || q < g->start[j + 1]) {
        if (p < g->start[i + 1] && g->neighbour[p] == j) {
            p++;
        } else if (q < g->start[j + 1] && g->neighbour[q] == i) {
            q++;
        } else if (p == g->start[i + 1] || q == g->start[j + 1] ||
                   g->neighbour[p++] != g->neighbour[q++]) {
            return false;
        }
    }
    return true;
}

static void find_blocks(Blocks* g) {
    for (int i = 0; i < g->n; i++) {
        g->block[i] = -1;
        g->sum[i] = i;
        for (int p = g->start[i]; p < g->start[i + 1]; p++) g->sum[i] += g->neighbour[p];
    }
    g->count = 0;
    for (int i = 0; i < g->n; i++) {
        if (g->block[i] >= 0) continue;
        g->block[i] = g->count;
        for (int p = g->start[i]; p < g->start[i + 1]; p++) {
            int j = g->neighbour[p];
            if (g->block[j] < 0 && are_alike(g, i, j)) g->block[j] = g->count;
        }
        g->count++;
    }
    memset(g->member_start, 0, ((size_t)g->count + 1) * sizeof *g->member_start);
    for (int i = 0; i < g->n; i++) g->member_start[g->block[i] + 1]++;
    fp_linsys_sum_starts(g->count, g->member_start);
    for (int i = 0; i < g->n; i++) g->member[g->member_start[g->block[i]]++] = i;
    fp_linsys_rewind_starts(g->count, g->member_start);
}

/* Any member stands for its block. */
static void find_quotient(Blocks* g) {
    int count = 0;
    for (int k = 0; k < g->count; k++) g->seen[k] = -1;
    for (int k = 0; k < g->count; k++) {
        int i = g->member[g->member_start[k]];
        g->quotient[k] = count;
        g->seen[k] = k;
        for (int p = g->start[i]; p < g->start[i + 1]; p++) {
            int other = g->block[g->neighbour[p]];
            if (g->seen[other] == k) continue;
            g->seen[other] = k;
            g->partner[count++] = other;
        }
    }
    g->quotient[g->count] = count;
}

FpStatus fp_linsys_order_blocks(const FpLowerTriangle* N, int* order, int* block_start,
                                int* block_count) {
    *block_count = block_start[0] = 0;
    if (N->n == 0) return FREEPLAY_OK;
    Blocks g = {0};
    FpStatus status = FREEPLAY_OUT_OF_MEMORY;
    if (allocate(&g, N)) {
        fp_linsys_fill_graph(N, g.start, g.neighbour);
        find_blocks(&g);
        find_quotient(&g);
        if (amd_order(g.count, g.quotient, g.partner, g.order, NULL, NULL) >= AMD_OK)
            status = FREEPLAY_OK;
    }
    for (int k = 0; !status && k < g.count; k++) {
        const int* part = g.member_start + g.order[k];
        int size = part[1] - part[0];
        memcpy(order + block_start[k], g.member + part[0], (size_t)size * sizeof *order);
        block_start[k + 1] = block_start[k] + size;
    }
    *block_count = g.count;
    release(&g);
    return status;
}
