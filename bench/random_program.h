/* Random least-constraint programs (nlp/structure.h) of linearized rows over a few blocks of
 * velocities, each feasible by construction and given by its family and seed to the last bit:
 *
 *   min (W lambda)^T M^-1 (W lambda)   s.t.   M (v - v0) = h (f + W lambda),
 *   0 <= lambda _|_ gap + h (W^T v + drift) >= 0,  or = 0 where bilateral;   x = (h, v, lambda). */
#ifndef FREEPLAY_BENCH_RANDOM_PROGRAM_H
#define FREEPLAY_BENCH_RANDOM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>
#include "nlp/structure.h"

enum {
    RANDOM_BLOCKS = 8,
    RANDOM_BLOCK_V = 6,
    RANDOM_V = RANDOM_BLOCKS * RANDOM_BLOCK_V,
    RANDOM_ROWS = 40,
    RANDOM_N = 1 + RANDOM_V + RANDOM_ROWS,
    RANDOM_M = RANDOM_V + RANDOM_ROWS
};

typedef enum RandomFamily {
    RANDOM_GENERIC,
    RANDOM_DEGENERATE,   /* small integers: gaps, forces and velocities exactly 0, exact ties */
    RANDOM_REDUNDANT,    /* rows repeated, scaled, combined, opposed (self-stress); bilateral too */
    RANDOM_SCALED,       /* lengths, times, masses and rows over 12 decades */
    RANDOM_BILATERAL,    /* bilateral rows among the others */
    RANDOM_MANY,         /* 20 to 40 rows */
    RANDOM_CLOSED,       /* every row ends closed, and pushes or touches */
    RANDOM_OPEN,         /* none does */
    RANDOM_WRONG_START,  /* the forces to start from are on the wrong rows */
    RANDOM_MIXED,        /* all of it at once */
    RANDOM_FAMILY_COUNT, /* of those that are feasible */
    RANDOM_INFEASIBLE = RANDOM_FAMILY_COUNT /* two rows contradict each other */
} RandomFamily;

extern const char* const random_family_names[RANDOM_FAMILY_COUNT];

typedef struct RandomBlock {
    int v_at, v_count;
    double M[RANDOM_BLOCK_V * RANDOM_BLOCK_V], inverse[RANDOM_BLOCK_V * RANDOM_BLOCK_V];
} RandomBlock;

/* Large: on the heap by random_program_create. The structure and the program point into it. */
typedef struct RandomProgram {
    RandomFamily family;
    uint64_t seed;
    FpNlp nlp;
    FpStructure structure;

    int block_count, v_count, row_count, part_count;
    double h_lower, h_upper; /* equal; whoever wants h free sets h_lower and random_program_pose */
    double length, size;     /* the model's, whose round-off is noise; what a step moves */
    RandomBlock blocks[RANDOM_BLOCKS];
    double v0[RANDOM_V], f[RANDOM_V], a[RANDOM_V];
    double Wt[RANDOM_ROWS][RANDOM_V], N[RANDOM_ROWS][RANDOM_ROWS];
    double gap[RANDOM_ROWS], drift[RANDOM_ROWS], row_size[RANDOM_ROWS], force[RANDOM_ROWS];
    bool bilateral[RANDOM_ROWS];

    /* What the structure and the program want to have as arrays. */
    FpStructurePart parts[2 * RANDOM_ROWS];
    int first_part[RANDOM_ROWS], block_first[RANDOM_BLOCKS], block_next[2 * RANDOM_ROWS];
    double slopes[2 * RANDOM_BLOCK_V * RANDOM_ROWS];
    bool applies[RANDOM_ROWS], least_norm[RANDOM_N];
    double x_lower[RANDOM_N], x_upper[RANDOM_N], x_scale[RANDOM_N];
    double g_lower[RANDOM_M], g_upper[RANDOM_M], g_scale[RANDOM_M], g_unit[RANDOM_M];
    double g_noise[RANDOM_M];
    FpNlpPair pairs[RANDOM_ROWS];
} RandomProgram;

/* NULL if out of memory. */
RandomProgram* random_program_create(RandomFamily family, uint64_t seed);
void random_program_destroy(RandomProgram* program);

/* Fills nlp and structure from the data above, as after a change of them. */
void random_program_pose(RandomProgram* program);

/* n numbers: the free motion with the forces to start from. */
void random_program_start(const RandomProgram* program, double* x);

/* b+^T diag(N)^-1 b+ with b = -(gap/h^2 + (W^T v0 + drift)/h + W^T M^-1 f), |b| where bilateral:
 * what the rows would cost one by one. */
double random_program_unit(const RandomProgram* program, double h);

/* How far x is from 0 <= lambda _|_ gap + h (W^T v + drift) >= 0 with v from lambda by the
 * motion: the largest penetration or pull or min(lambda, gap) as fractions of the program's size
 * and of its largest force. NaN and infinity become infinity. */
double random_program_violation(const RandomProgram* program, const double* x);

typedef struct RandomAnswer {
    FpStatus status;
    FpNlpReport report;
    double violation; /* see random_program_violation */
    double x[RANDOM_N], y[RANDOM_M], z[RANDOM_N];
} RandomAnswer;

/* Solved from random_program_start by the solver of that name, which is made for the purpose: what
 * it learns from other programs is none of this one's business. */
RandomAnswer random_program_solve(const RandomProgram* program, const char* solver);

/* (objective a - objective b)/max(smaller of the two, random_program_unit), and not less than
 * round-off of the objective's scale: where nothing pushes, all of these are 0. */
double random_program_difference(const RandomProgram* program, double a, double b);

#endif
