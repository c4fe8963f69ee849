/* The workspace of the structured solver and what its parts share. */
#ifndef FREEPLAY_NLP_STRUCTURED_IMPL_H
#define FREEPLAY_NLP_STRUCTURED_IMPL_H

#include "nlp/least_norm.h"
#include "nlp/linsys.h"
#include "nlp/structure.h"
#include "nlp/unsymmetric.h"

/* Parts of entries of N that stand together: products of `run` rows of a group, `stride` apart,
 * with one row, over one block of velocities. */
typedef struct FpProduct {
    int entry, left, right, count; /* first rows at slopes[left], solved[right] */
    int run, stride;
} FpProduct;

#define FREEPLAY_STRUCTURED_DENSE 64 /* rows: with more of them D M^-1 W is sparse */

typedef struct FpStructuredRange FpStructuredRange;
typedef struct FpStructuredFriction FpStructuredFriction;

typedef struct FpStructured {
    const FpStructure* st; /* of the program at hand */
    const double* weight;  /* scale of every force: forces of least norm are least in these */
    int row_count, v_count, slope_count;
    double *memory, *v_free, *v, *momentum;        /* of velocities */
    double *lambda, *psi, *y, *rhs, *saved, *rest; /* of rows */
    const double* solved;                          /* M^-1 W, laid out as W^T */
    double *own_solved, *D;                        /* where the program has none; D likewise */
    double* dense;                                 /* D M^-1 W of the active rows */
    int *indices, *active, *place, *pivots; /* active rows, and where each row stands among them */
    int active_count;
    bool *flags, *is_active, *has_solved, *was_active;
    int *start, *row; /* pattern of N over the active rows */
    double* value;    /* its entries */
    int entry_room;
    FpProduct* products; /* that make up the entries */
    int product_count, product_room;
    bool singular;                   /* N of the active rows is */
    bool determined;                 /* no multipliers will be asked for */
    bool has_pattern;                /* start and row are those of the active rows */
    bool linsys_is_analyzed;         /* for that pattern */
    unsigned long version, factored; /* of W and M at hand, and in the last factor; 0: not known */
    int iterations;
    FpLeastNorm* least;
    double* effect;             /* M^-1 W of the active rows over all velocities */
    bool* must_push;            /* of the active rows */
    FpUnsymmetric* unsymmetric; /* D M^-1 W of many rows */
    bool is_analyzed;           /* for that pattern */
    bool has_true_factor;       /* of D as it is */
    FpStructuredRange* range;   /* for steps of variable length */
    FpStructuredFriction* friction;
    FpLinsys* linsys; /* last: it outlives the rest */
} FpStructured;

/* Room for a program; the forces of the last step mark the rows to start with. */
FpStatus fp_structured_begin(FpStructured* s, const FpNlp* nlp);
/* M^-1 W of a row, computed when first asked for. */
void fp_structured_solve_row(FpStructured* s, int row);
/* W_i.v, or D_i.v, from its slopes. */
double fp_structured_along(const FpStructure* st, const double* slopes, int row, const double* v);
/* Lists the active rows with the pattern of their N, and solves them. */
FpStatus fp_structured_take_active(FpStructured* s);
/* D M^-1 W over the active rows, or its transpose: b becomes the solution. False if singular. */
bool fp_structured_solve_true(FpStructured* s, bool transposed, double* b);
/* Factorizes it, sparse. */
bool fp_structured_factor_true(FpStructured* s);
/* W_i.M^-1 W_j, from slopes and solved rows (or from D instead of W). */
double fp_structured_couple(const FpStructured* s, const double* slopes, int i, int j);
/* Lists the active rows and factorizes N over them. */
FpStatus fp_structured_factor(FpStructured* s);
/* b over the active rows becomes N^-1 b, of least norm in the weighted forces. */
FpStatus fp_structured_solve(FpStructured* s, double* b);
/* Solves the step of h: v, lambda, psi, active rows. */
FpStatus fp_structured_fixed(FpStructured* s, double h);
/* v of a step of h under the forces as they are. */
void fp_structured_follow_forces(FpStructured* s, double h);
/* Where the least forces of a redundant set pull: the least that push instead, if there are any and
 * so many corrections (nlp/least_norm.h) find them. */
FpStatus fp_structured_push_only(FpStructured* s, int corrections);
/* D at the solution and the multipliers of the rows. */
FpStatus fp_structured_multipliers(FpStructured* s, double h);

/* Whether the part is one of the group of a row, theory.md section 10; they stand together. */
bool fp_structured_is_part_of(const FpStructure* st, int part, int row);
/* out += scale M^-1 W_i over the velocities; the row has been solved. */
void fp_structured_add_solved(const FpStructured* s, int row, double scale, double* out);
/* v for the forces at hand, psi there and, unless NULL, D. False where there is no such step. */
bool fp_structured_move(FpStructured* s, double h, double* D);

/* Solves the step of h with the friction of its cones. */
FpStatus fp_structured_friction(FpStructured* s, double h);
void fp_structured_friction_destroy(FpStructuredFriction* friction);

/* Finds h between the bounds of a program that has begun, solves its step and fills the point. */
FpStatus fp_structured_range(FpStructured* s, const FpNlp* nlp, FpNlpPoint* point);
void fp_structured_range_destroy(FpStructuredRange* range);

#endif
