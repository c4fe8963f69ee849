/* The program of a Gauss step, theory.md (12)-(18). Private to scheme_gauss.c and its parts.
 *
 *   x = (h, v, alpha, lambda)       q' = K(q0) (v; alpha),  q1 = q0 + h q'
 *   g = (motion, invariants, rows)  M (v - v0) - h (f + W lambda) = 0,  c = 0,  psi >= 0 or = 0 */
#ifndef FREEPLAY_ENGINE_GAUSS_IMPL_H
#define FREEPLAY_ENGINE_GAUSS_IMPL_H

#include <stdbool.h>
#include "engine/mass.h"
#include "engine/rows.h"
#include "engine/scheme.h"

typedef struct FpGauss {
    const FpSystem* system;
    FpRowForm form;
    bool cold;
    int nv, na, nr;            /* velocities, invariants, rows */
    int v_at, a_at, lambda_at; /* in x; h is x[0] */
    int row_g_at;              /* of the rows in g; motion is first, invariants at nv */

    /* At the start of the step. */
    double t0;
    double *q0, *v0;
    double *f, *free_acceleration; /* M^-1 f */
    double** K;                    /* step basis of every block */
    double* invariant;             /* c(q0) */
    FpRows rows;
    double** solved;    /* M^-1 W of every row block, transposed: rows x v_count */
    double* compliance; /* N_ii = W_i^T M^-1 W_i of every row */
    bool* exact;        /* of every row: imposed at the end of the step */
    FpMass mass;

    /* The program, and work. */
    FpNlp nlp;
    double *x_lower, *x_upper, *g_lower, *g_upper, *x_scale, *g_scale, *g_unit;
    FpNlpPair* pairs;
    bool* least_norm;
    double* free_x;            /* the motion without contact forces */
    double *q1, *rate, *force; /* q1, q', W lambda */
    double *psi, *J, *Hq, *DU, *S, *weighted, *KH, *row_work, *g_work;
    double* memory;
} FpGauss;

/* Number of unknowns of a block: its v and alpha; and where the k-th of them stands in x. */
int fp_gauss_block_unknowns(const FpGauss* gauss, int block);
int fp_gauss_unknown(const FpGauss* gauss, int block, int k);

/* q' and q1 at x. */
void fp_gauss_move(FpGauss* gauss, const double* x);

/* Sets callbacks of gauss->nlp. */
void fp_gauss_program(FpGauss* gauss);

/* Magnitudes of variables and constraints for steps of h, theory.md (18). row_work holds the rows
 * at the end of the free motion. */
void fp_gauss_scale(FpGauss* gauss, double h);

#endif
