/* The rows of all constraints of a system at one configuration: gaps, and the directions W along
 * which their forces act, theory.md (8). Private to the method. */
#ifndef FREEPLAY_ENGINE_ROWS_H
#define FREEPLAY_ENGINE_ROWS_H

#include <stdbool.h>
#include "engine/system.h"

/* W^T of one constraint over one of its blocks: entry (i, j) is Wt[i * stride + j]. */
typedef struct FpRowBlock {
    int constraint, block;
    int row_at, row_count; /* rows of the constraint among all rows */
    int v_at, v_count;
    int slope_at, stride; /* where Wt stands among all slopes, and the length of a row there */
    double* Wt;
} FpRowBlock;

/* A row with friction, and the rows in which it slides: W^T v + drift of these is its slip
 * velocity. They stand behind the rows of all constraints. */
typedef struct FpSlip {
    int constraint, index; /* the row, within its constraint */
    int row, slip_at, count;
    int slope_at, slope_count;
} FpSlip;

typedef struct FpRows {
    const FpSystem* system;
    int count; /* rows of all constraints, and of slip */
    int slip_count;
    FpSlip* slips;
    double *gap, *kappa;  /* of every row */
    double *lever, *unit; /* likewise, the magnitudes by which it is measured */
    double* drift;        /* dg/dt at rest: g' = W^T v + drift */
    bool* applies;        /* rows that are not there have W = 0 */
    bool ever_absent;     /* some constraint has rows that may cease to apply */
    const FpRow** info;
    int *row_at, *slope_at; /* of every constraint */
    bool* can_sleep;        /* likewise */
    double* open;           /* likewise: its smallest gap if it is asleep, else 0 */
    bool any_asleep;
    int block_count;
    FpRowBlock* blocks; /* constraint after constraint; ground left out */
    int slope_count;
    double* slopes; /* W^T of all constraints: rows x velocities of their blocks, row-major */
    double *psi, *J, *B, *psi_t, *memory; /* work */
} FpRows;

bool fp_rows_create(FpRows* rows, const FpSystem* system);
/* With rows of slip. These are evaluated with the others, of constraints that are awake. */
bool fp_rows_create_with_slip(FpRows* rows, const FpSystem* system);
void fp_rows_free(FpRows* rows);
/* Gaps, W and drift at (t, q). A row of slip has no gap. Fails where a user's functions are not
 * finite. */
FpStatus fp_rows_evaluate(FpRows* rows, double t, const double* q);
/* The same for a step of h that would end with the velocities v: constraints whose gaps are far
 * larger than what they can close meanwhile are left asleep, with W = 0. Those that pushed (lambda)
 * are not. */
void fp_rows_evaluate_near(FpRows* rows, double t, const double* q, double h, const double* v,
                           const double* lambda);
/* Evaluates the constraints that are asleep but would come near with these velocities (or all of
 * them, if v is NULL). Whether there were any. */
bool fp_rows_wake(FpRows* rows, double t, const double* q, double h, const double* v);
/* Goes on from rows that are evaluated at (t, q): lets asleep and wakes what evaluate_near would.
 * Whether that was any. */
bool fp_rows_update_near(FpRows* rows, double t, const double* q, double h, const double* v,
                         const double* lambda);
/* psi of the rows of all constraints at another (t, q); one that is asleep stays open unless `all`
 * are looked at. */
void fp_rows_values(const FpRows* rows, double t, const double* q, bool all, double* psi);
/* Whether a slip velocity is that of a velocity row: it vanishes, and there is no friction. */
bool fp_rows_is_held(const FpRows* rows, const FpSlip* slip);
/* The directions of one slip velocity at (t, q), and that velocity. */
void fp_rows_evaluate_slip(FpRows* rows, const FpSlip* slip, double t, const double* q);
void fp_rows_slip_rate(const FpRows* rows, const FpSlip* slip, const double* v, double* gamma);
/* Of every slip velocity: copies its directions, laid out like slopes. */
void fp_rows_copy_slip_slopes(const FpRows* rows, double* D);
/* D T of the rows of constraints, with T of every block, NULL for the identity. */
void fp_rows_turn_slopes(const FpRows* rows, const double* const* T, double* D);
/* psi of every row and D = dpsi/dv, laid out like slopes, at another (t, q); gap and W stay. One
 * that is asleep stays open. */
void fp_rows_sweep(FpRows* rows, double t, const double* q, double* psi, double* D);
/* Magnitudes by which rows are measured, theory.md (26), (27). An angle is measured by the arc that
 * it moves a point at the model's length: the lever of its row; 1 for a distance. */
double fp_rows_lever(const FpRows* rows, int row);
/* The unit of a row for the certificate. */
double fp_rows_unit(const FpRows* rows, int row);
/* Mass that the rows feel, of compliances N_ii: 1/mean(N_ii). */
double fp_rows_felt_mass(const FpRows* rows, const double* compliance);
/* out_r = (W^T v)_r + drift_r. */
void fp_rows_speeds(const FpRows* rows, const double* v, double* out);
/* The impact law: psi_r = h (speed_r of v + e_r before_r), with the restitution e of each row, 0
 * for a bilateral one, and its speed before. */
void fp_rows_impact(const FpRows* rows, double h, const double* v, const double* before,
                    double* psi);
/* out_r = (W^T v)_r for every row; out += W lambda. */
void fp_rows_rates(const FpRows* rows, const double* v, double* out);
void fp_rows_add_forces(const FpRows* rows, const double* lambda, double* out);
/* out += h |W| |lambda| */
void fp_rows_add_force_sizes(const FpRows* rows, double h, const double* lambda, double* out);

#endif
