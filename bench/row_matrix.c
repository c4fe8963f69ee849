#include "bench/row_matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FREEDOMS = 6 };

typedef struct Rows {
    int n;
    int (*bodies)[2];
    double (*W)[2][FREEDOMS]; /* of each row, for its two bodies, times M^-1/2 */
    int *first, *next;        /* entries 2 row + side that touch a body, as linked lists */
} Rows;

static void* allocate(size_t count, size_t size) {
    void* memory = calloc(count + 1, size);
    if (memory) return memory;
    fputs("row_matrix: out of memory\n", stderr);
    exit(1);
}

double row_matrix_random(unsigned long long* seed) {
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1;
}

static void draw(double* values, int count, unsigned long long* seed) {
    for (int k = 0; k < count; k++) values[k] = row_matrix_random(seed);
}

/* The rows of one joint: rank random ones, the others are sums of these. */
static void draw_joint(const RowMatrixDef* def, double (*W)[2][FREEDOMS],
                       unsigned long long* seed) {
    for (int k = 0; k < def->rows; k++) {
        if (k < def->rank) {
            draw(W[k][0], 2 * FREEDOMS, seed);
            for (int c = 0; def->parallel && c < FREEDOMS; c++) W[k][1][c] = -W[k][0][c];
            continue;
        }
        memset(W[k], 0, sizeof W[k]);
        for (int j = 0; j < def->rank; j++) {
            double weight = row_matrix_random(seed);
            for (int c = 0; c < 2 * FREEDOMS; c++) (&W[k][0][0])[c] += weight * (&W[j][0][0])[c];
        }
    }
}

static void scale_rows(Rows* rows, double decades, unsigned long long* seed) {
    for (int i = 0; i < rows->n; i++) {
        double scale = pow(10, decades * row_matrix_random(seed));
        for (int c = 0; c < 2 * FREEDOMS; c++) (&rows->W[i][0][0])[c] *= scale;
    }
}

static Rows make_rows(const RowMatrixDef* def) {
    Rows rows = {.n = def->joint_count * def->rows};
    rows.bodies = allocate((size_t)rows.n, sizeof *rows.bodies);
    rows.W = allocate((size_t)rows.n, sizeof *rows.W);
    rows.first = allocate((size_t)def->body_count, sizeof *rows.first);
    rows.next = allocate(2 * (size_t)rows.n, sizeof *rows.next);
    for (int b = 0; b < def->body_count; b++) rows.first[b] = -1;
    unsigned long long seed = 1;
    for (int j = 0; j < def->joint_count; j++) {
        unsigned long long same = 2;
        draw_joint(def, rows.W + j * def->rows, def->parallel ? &same : &seed);
    }
    scale_rows(&rows, def->decades, &seed);
    for (int i = 0; i < rows.n; i++)
        for (int side = 0; side < 2; side++) {
            int body = rows.bodies[i][side] = def->joints[i / def->rows][side];
            if (body < 0) continue;
            rows.next[2 * i + side] = rows.first[body];
            rows.first[body] = 2 * i + side;
        }
    return rows;
}

static double product(const Rows* rows, int i, int j) {
    double sum = 0;
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            if (rows->bodies[i][a] < 0 || rows->bodies[i][a] != rows->bodies[j][b]) continue;
            for (int c = 0; c < FREEDOMS; c++) sum += rows->W[i][a][c] * rows->W[j][b][c];
        }
    return sum;
}

static int compare_ints(const void* a, const void* b) {
    return *(const int*)a - *(const int*)b;
}

/* The rows from j on that share a body with row j, ascending; returns how many. */
static int find_partners(const Rows* rows, int j, int* seen, int* partners) {
    int count = 0;
    for (int side = 0; side < 2; side++) {
        if (rows->bodies[j][side] < 0) continue;
        for (int e = rows->first[rows->bodies[j][side]]; e >= 0; e = rows->next[e]) {
            int i = e / 2;
            if (i < j || seen[i] == j + 1) continue;
            seen[i] = j + 1;
            partners[count++] = i;
        }
    }
    qsort(partners, (size_t)count, sizeof *partners, compare_ints);
    return count;
}

RowMatrix row_matrix_create(const RowMatrixDef* def) {
    Rows rows = make_rows(def);
    size_t n = (size_t)rows.n;
    RowMatrix N = {.n = rows.n, .start = allocate(n + 1, sizeof *N.start)};
    int *seen = allocate(n, sizeof *seen), *partners = allocate(n, sizeof *partners);
    for (int j = 0; j < N.n; j++)
        N.start[j + 1] = N.start[j] + find_partners(&rows, j, seen, partners);
    N.row = allocate((size_t)N.start[N.n], sizeof *N.row);
    N.value = allocate((size_t)N.start[N.n], sizeof *N.value);
    memset(seen, 0, n * sizeof *seen);
    for (int j = 0; j < N.n; j++) {
        find_partners(&rows, j, seen, N.row + N.start[j]);
        for (int p = N.start[j]; p < N.start[j + 1]; p++) N.value[p] = product(&rows, N.row[p], j);
    }
    free(seen);
    free(partners);
    free(rows.bodies);
    free(rows.W);
    free(rows.first);
    free(rows.next);
    return N;
}

void row_matrix_destroy(RowMatrix* N) {
    free(N->start);
    free(N->row);
    free(N->value);
    *N = (RowMatrix){0};
}

RowMatrix row_matrix_chain(int n, int rows) {
    int(*joints)[2] = allocate((size_t)n, sizeof *joints);
    for (int j = 0; j < n; j++) {
        joints[j][0] = j - 1;
        joints[j][1] = j;
    }
    RowMatrix N = row_matrix_create(&(RowMatrixDef){.body_count = n,
                                                    .joint_count = n,
                                                    .joints = (const int(*)[2])joints,
                                                    .rows = rows,
                                                    .rank = rows});
    free(joints);
    return N;
}

RowMatrix row_matrix_lattice(int side) {
    int bodies = side * side * side, count = 0;
    const int strides[] = {1, side, side * side};
    int(*joints)[2] = allocate(3 * (size_t)bodies, sizeof *joints);
    for (int b = 0; b < bodies; b++)
        for (int axis = 0; axis < 3; axis++) {
            if (b / strides[axis] % side == side - 1) continue;
            joints[count][0] = b;
            joints[count++][1] = b + strides[axis];
        }
    RowMatrix N = row_matrix_create(&(RowMatrixDef){.body_count = bodies,
                                                    .joint_count = count,
                                                    .joints = (const int(*)[2])joints,
                                                    .rows = 1,
                                                    .rank = 1});
    free(joints);
    return N;
}
