/* The program of a Gauss step, theory.md (19)-(26). Private to scheme_gauss.c and its parts.
 *
 *   x = (h, v, alpha, lambda)       q' = K(q0) (v; alpha),  q1 = q0 + h q'
 *   g = (motion, invariants, rows)  M (v - v0) - h (f + W lambda) = 0,  c = 0,  psi >= 0 or = 0 */
#ifndef FREEPLAY_ENGINE_GAUSS_IMPL_H
#define FREEPLAY_ENGINE_GAUSS_IMPL_H

#include <stdbool.h>
#include "engine/least_constraint.h"
#include "engine/scheme.h"
#include "engine/space.h"
#include "nlp/structure.h"

typedef struct FpGauss {
    const FpSystem* system;
    FpRowForm form;
    bool cold;
    bool sleeps;               /* constraints that are far from touching are left out */
    int nv, na, nr;            /* velocities, invariants, rows */
    int v_at, a_at, lambda_at; /* in x; h is x[0] */
    int row_g_at;              /* of the rows in g; motion is first, invariants at nv */

    /* At the start of the step. */
    double t0;
    FpSpace space; /* q0, and the rows as functions of h u */
    double* v0;
    double *f, *free_acceleration; /* M^-1 f */
    double* invariant;             /* c(q0) */
    FpRows rows;
    FpLeastConstraint least;
    double* solved;     /* M^-1 W of every row, laid out as W^T */
    double* compliance; /* N_ii = W_i^T M^-1 W_i of every row */
    bool* exact;        /* of every row: imposed at the end of the step */
    bool* bilateral;    /* likewise */
    bool has_bounds;    /* of rows that always apply */
    FpMass mass;

    /* The program, and work. */
    FpNlp nlp;
    double *x_lower, *x_upper, *g_lower, *g_upper, *x_scale, *g_scale, *g_unit, *g_noise;
    FpNlpPair* pairs;
    bool* least_norm;
    double* free_x;          /* the motion without contact forces */
    double* force;           /* W lambda of the last lambda that was asked for */
    double* forced;          /* that lambda */
    bool has_force;          /* they are of the W at hand */
    double *velocity, *load; /* work */
    double *weighted, *row_work, *g_work;
    double* memory;

    /* The program as a structured problem, engine/gauss_structure.c. */
    FpStructure structure;
    bool has_structure;
    FpStructurePart* parts;
    int *first_part, *block_first, *block_next;
    double* warm_force; /* forces of the last step, or none */
    double** T;         /* of every block, theory.md (42); NULL where it is the identity */
    double *adjoint_sum, *adjoint_size, *structure_memory;
    /* Derivatives of the rows at the last motion that `adjoint` was asked for. */
    double *kept_x, *kept_DU, *kept_rate;
    bool has_kept;      /* kept_x is a motion of this step */
    bool* kept;         /* of every constraint: its derivatives are there */
    size_t* kept_DU_at; /* of every constraint */
} FpGauss;

/* Sets callbacks of gauss->nlp. */
void fp_gauss_program(FpGauss* gauss);
/* Evaluates the constraints that a step of h with the velocities v may bring near; all, if v is
 * NULL. */
void fp_gauss_wake(FpGauss* gauss, double h, const double* v);
/* W lambda, in gauss->force. */
void fp_gauss_find_forces(FpGauss* gauss, const double* x);
/* DU of the rows of a constraint and of the invariants of a block at q1, in gauss->space. */
void fp_gauss_derive_rows(FpGauss* gauss, double h, int constraint, const FpLocal* local);
void fp_gauss_derive_invariants(FpGauss* gauss, int block, const FpLocal* local);

/* False when out of memory, where a block is too large for it or the tangent of its steps unknown.
 */
bool fp_gauss_structure_create(FpGauss* gauss);
void fp_gauss_structure_free(FpGauss* gauss);

/* Magnitudes of variables and constraints for steps of h, theory.md (26). row_work holds the rows
 * at the end of the free motion. */
void fp_gauss_scale(FpGauss* gauss, double h);

#endif
