/* Matrices N = W^T M^-1 W as mechanisms have them, with random numbers of a fixed seed: what the
 * linear systems are tested and measured on. */
#ifndef FREEPLAY_BENCH_ROW_MATRIX_H
#define FREEPLAY_BENCH_ROW_MATRIX_H

/* Lower triangle by columns. */
typedef struct RowMatrix {
    int n;
    int *start, *row;
    double* value;
} RowMatrix;

typedef struct RowMatrixDef {
    int body_count, joint_count;
    const int (*joints)[2]; /* the two bodies of each joint, -1 is the ground */
    int rows;               /* of a joint */
    int rank;               /* of them; fewer than rows makes every joint redundant */
    double decades;         /* row k is multiplied by up to 10^+-decades: lengths and angles */
    int parallel;           /* all joints hold the same directions: closed loops are redundant */
} RowMatrixDef;

/* Ends the program when out of memory. */
RowMatrix row_matrix_create(const RowMatrixDef* def);
void row_matrix_destroy(RowMatrix* N);

/* n bodies, each hinged to the one before it and the first to the ground, rows a joint. */
RowMatrix row_matrix_chain(int n, int rows);
/* side^3 bodies in a cubic lattice, each held by one rod to every neighbour: many loops. */
RowMatrix row_matrix_lattice(int side);

/* Uniform in [-1, 1]. */
double row_matrix_random(unsigned long long* seed);

#endif
