/* What a least-constraint program (theory.md (20)-(24)) tells a solver that knows the kind:
 *
 *   v = v0 + h (a + M^-1 W lambda),     0 <= lambda _|_ psi(h, v) >= 0,  or psi = 0 where
 * bilateral,
 *
 * and friction of some of the rows.
 *
 * W^T and D = dpsi/d(h v) are sparse in the same way: rows come in groups, each over a few blocks
 * of velocities. A solver still knows no body. */
#ifndef FREEPLAY_NLP_STRUCTURE_H
#define FREEPLAY_NLP_STRUCTURE_H

#include <stdbool.h>
#include "nlp/nlp.h"

/* The slopes of a group of rows over one block: entry (i, j) is slopes[at + i * stride + j]. */
typedef struct FpStructurePart {
    int row_at, row_count, block, v_at, v_count;
    int at, stride;
    const double* inverse_mass; /* of the block, v_count x v_count */
    const bool* is_diagonal;    /* that inverse; NULL: no */
} FpStructurePart;

/* Friction of the row `row`, whose slip rows are slip_at, ...: psi of these is h gamma, and their
 * forces obey Coulomb's law, nlp/nlp.h. */
typedef struct FpStructureCone {
    int row, slip_at, count;
    bool applies; /* otherwise there are no forces of friction */
    double friction;
    const double* before; /* as in FpNlpCone; the rows of such a slip are constant */
} FpStructureCone;

struct FpStructure {
    int v_count, row_count, part_count, slope_count;
    int cone_count;
    const FpStructureCone* cones; /* their slip rows are neither bilateral nor do they apply */
    const FpStructurePart* parts; /* those of one group of rows stand together */
    const int* first_part;        /* of every row; its parts go on while row_at is the same */
    const int *block_first,
        *block_next;       /* all parts of a block: first, then next of each, -1 ends */
    const double* slopes;  /* W^T */
    const double* solved;  /* M^-1 W, laid out like slopes. NULL: the solver finds it */
    const double* weight;  /* scales of the forces: those of least norm are least in these. NULL:
                            * x_scale of the program */
    unsigned long version; /* of W and M: programs with the same have the same; 0: not known */
    const double *gap, *drift; /* of every row at the start: psi, and its rate at rest, dg/dt */
    const double *v0, *a;      /* velocity, and acceleration without forces of rows, a = M^-1 f */
    const double* force;       /* lambda of the last step, to start from */
    double h;                  /* where it is given; 0: x[0] of the program */
    const bool *bilateral, *applies;
    bool linear;        /* all rows are linearized: psi = gap + h (W^T v + drift) */
    const double* unit; /* in which each row is measured */
    int force_at;       /* where lambda stands in x of the program */

    void* context;
    /* psi and, unless NULL, D at the end of a step of h with the velocities v. False where there is
     * no such step. */
    bool (*rows)(void* context, double h, const double* v, double* psi, double* D);
    /* Fills x, y, z of the program from h, v, lambda and the multipliers of the rows, for which the
     * last call of `rows` was with the same h and v, and gave D. A program that is determined needs
     * no multipliers: row_multipliers and D may be NULL. */
    void (*complete)(void* context, double h, const double* v, const double* lambda,
                     const double* row_multipliers, const double* D, FpNlpPoint* point);
};

#endif
