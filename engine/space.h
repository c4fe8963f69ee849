/* Rows and invariants as functions of a displacement: with u = (v; alpha) of all blocks,
 *
 *   q1 = q0 + s K(q0) u,     theory.md (19)
 *
 * gives the derivatives DU of the rows with respect to s u, and the second ones S. Private to the
 * method; the Gauss step has s = h, an assembly has s = 1. */
#ifndef FREEPLAY_ENGINE_SPACE_H
#define FREEPLAY_ENGINE_SPACE_H

#include <stdbool.h>
#include "engine/system.h"

typedef struct FpSpace {
    const FpSystem* system;
    int v_at, a_at;               /* where v and alpha stand among the unknowns x */
    double *q0, *q1;              /* start, end */
    double** K;                   /* of every block, once it is asked for */
    bool has_basis;               /* K is that of q0 */
    double *psi, *psi_t, *psi_tt; /* of the rows of one constraint */
    double *DU, *DU_t, *S;        /* of one local set; DU_t = d(DU)/dt */
    double *J, *Hq, *KH;          /* work */
    double* memory;
} FpSpace;

/* The rows of one constraint, or the invariants of one block, over the unknowns of some blocks. */
typedef struct FpLocal {
    int block_count, blocks[FREEPLAY_CONSTRAINT_BLOCKS]; /* without ground */
    int width;                                           /* unknowns of all its blocks */
    int row_count, row_at;                               /* among all rows, or all invariants */
    bool has_rate;                                       /* the rows depend on time */
} FpLocal;

bool fp_space_create(FpSpace* space, const FpSystem* system, int v_at, int a_at);
void fp_space_free(FpSpace* space);
/* Takes q0. */
void fp_space_start(FpSpace* space, const double* q0);
/* q1 at the unknowns x; of one block at its v and alpha. */
void fp_space_move(FpSpace* space, const double* x, double s);
void fp_space_move_block(FpSpace* space, int block, const double* v, const double* a, double s);

/* Number of unknowns of a block: its v and alpha; and where the k-th of them stands in x. */
int fp_space_block_unknowns(const FpSpace* space, int block);
int fp_space_unknown(const FpSpace* space, int block, int k);
/* Where the k-th unknown of a local set stands in x. */
int fp_space_local_unknown(const FpSpace* space, const FpLocal* local, int k);

FpLocal fp_space_constraint(const FpSpace* space, int constraint, int row_at);
FpLocal fp_space_invariants(const FpSpace* space, int block);

/* Values at q1 of the rows of a constraint. */
void fp_space_rows(const FpSpace* space, double t, int constraint, double* psi);
/* DU (and psi_t, psi_tt, DU_t where rows depend on time) of a constraint at q1, and of the
 * invariants of a block at q. */
void fp_space_derive_rows(FpSpace* space, double t, int constraint, const FpLocal* local);
void fp_space_derive_invariants(FpSpace* space, const double* q, int block, const FpLocal* local);
/* S, the weighted sum of second derivatives at q1. */
void fp_space_curve_rows(FpSpace* space, double t, int constraint, const double* weight,
                         const FpLocal* local);
void fp_space_curve_invariants(FpSpace* space, int block, const double* weight,
                               const FpLocal* local);

#endif
