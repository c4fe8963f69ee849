/* Functions and derivatives of the Gauss step's program, theory.md (20)-(25).
 *
 * With u = (v; alpha) of the blocks that a row touches, a row is a function of t0 + h and h u. Its
 * derivative DU with respect to h u and the second derivative S give all that is needed; with the
 * partial derivatives with respect to time in brackets:
 *   d/dh = DU u [+ psi_t],  d/du = h DU,  d2/dh2 = u.S u [+ psi_tt + 2 DU_t u],
 *   d2/dh du = DU + h S u [+ h DU_t],     d2/du2 = h^2 S. */
#include <string.h>
#include "engine/gauss_impl.h"

void fp_gauss_find_forces(FpGauss* g, const double* x) {
    const double* lambda = x + g->lambda_at;
    size_t size = (size_t)g->nr * sizeof *lambda;
    if (g->has_force && memcmp(g->forced, lambda, size) == 0) return;
    memset(g->force, 0, (size_t)g->nv * sizeof *g->force);
    fp_rows_add_forces(&g->rows, lambda, g->force);
    memcpy(g->forced, lambda, size);
    g->has_force = true;
}

/* Objective: (W lambda)^T M^-1 (W lambda) ------------------------------------------------------ */

static bool objective(void* context, const double* x, double* f) {
    FpGauss* g = context;
    fp_gauss_find_forces(g, x);
    *f = fp_mass_inverse_square(&g->mass, g->force);
    return true;
}

static bool gradient(void* context, const double* x, double* grad) {
    FpGauss* g = context;
    memset(grad, 0, (size_t)g->nlp.n * sizeof *grad);
    fp_least_constraint_gradient(&g->least, x + g->lambda_at, grad + g->lambda_at);
    return true;
}

/* Invariants and rows as functions of h u ------------------------------------------------------ */

static FpLocal local_of(const FpGauss* g, int c) {
    return fp_space_constraint(&g->space, c, g->rows.row_at[c]);
}

/* A linearized row is g0 + h (W^T v + drift): alpha does not enter. */
static void linearize_rows(FpGauss* g, int c, const FpLocal* local) {
    FpSpace* s = &g->space;
    const FpRowBlock* block = g->rows.blocks;
    while (block->constraint != c) block++;
    for (int b = 0, at = 0; b < local->block_count; b++, block++) {
        int nu = fp_space_block_unknowns(s, local->blocks[b]);
        for (int i = 0; i < local->row_count; i++) {
            if (g->exact[block->row_at + i]) continue;
            double *DU = s->DU + i * local->width + at, *DU_t = s->DU_t + i * local->width + at;
            memset(DU, 0, (size_t)nu * sizeof *DU);
            memset(DU_t, 0, (size_t)nu * sizeof *DU_t);
            memcpy(DU, block->Wt + i * block->stride, (size_t)block->v_count * sizeof *DU);
            s->psi_t[i] = g->rows.drift[block->row_at + i];
            s->psi_tt[i] = 0;
        }
        at += nu;
    }
}

void fp_gauss_derive_rows(FpGauss* g, double h, int c, const FpLocal* local) {
    fp_space_derive_rows(&g->space, g->t0 + h, c, local);
    linearize_rows(g, c, local);
}

void fp_gauss_derive_invariants(FpGauss* g, int block, const FpLocal* local) {
    bool exact = g->form == FREEPLAY_ROWS_EXACT;
    fp_space_derive_invariants(&g->space, exact ? g->space.q1 : g->space.q0, block, local);
}

/* Constraints ---------------------------------------------------------------------------------- */

static void motion(FpGauss* g, const double* x, double* out) {
    const double* v = x + g->v_at;
    fp_gauss_find_forces(g, x);
    for (int j = 0; j < g->nv; j++) g->velocity[j] = v[j] - g->v0[j];
    fp_mass_multiply(&g->mass, g->velocity, out);
    for (int j = 0; j < g->nv; j++) out[j] -= x[0] * (g->f[j] + g->force[j]);
}

static void invariant_values(FpGauss* g, const double* x, double* out) {
    const FpSystem* s = g->system;
    for (int b = 0; b < s->block_count; b++) {
        const FpBlock* block = &s->blocks[b];
        if (!block->a_count) continue;
        if (g->form == FREEPLAY_ROWS_EXACT) {
            s->ops->invariants(s->self, b, g->space.q1 + block->q_at, out + block->a_at, NULL);
            continue;
        }
        FpLocal local = fp_space_invariants(&g->space, b);
        fp_gauss_derive_invariants(g, b, &local);
        for (int i = 0; i < block->a_count; i++) {
            double sum = 0;
            for (int k = 0; k < local.width; k++)
                sum += g->space.DU[i * local.width + k] *
                       x[fp_space_local_unknown(&g->space, &local, k)];
            out[block->a_at + i] = g->invariant[block->a_at + i] + x[0] * sum;
        }
    }
}

static void row_values(FpGauss* g, const double* x, double* out) {
    for (int c = 0; c < g->system->constraint_count; c++)
        fp_space_rows(&g->space, g->t0 + x[0], c, out + g->rows.row_at[c]);
    if (g->form == FREEPLAY_ROWS_EXACT) return;
    double* rates = g->weighted;
    fp_rows_rates(&g->rows, x + g->v_at, rates);
    for (int i = 0; i < g->nr; i++)
        if (!g->exact[i]) out[i] = g->rows.gap[i] + x[0] * (rates[i] + g->rows.drift[i]);
}

static bool constraints(void* context, const double* x, double* out) {
    FpGauss* g = context;
    motion(g, x, out);
    fp_space_move(&g->space, x, x[0]);
    invariant_values(g, x, out + g->nv);
    row_values(g, x, out + g->row_g_at);
    return true;
}

/* Jacobian ------------------------------------------------------------------------------------- */

static void add_motion_jacobian(FpGauss* g, const double* x, FpTriplets* J) {
    fp_gauss_find_forces(g, x);
    for (int b = 0; b < g->system->block_count; b++) {
        const FpBlock* block = &g->system->blocks[b];
        int n = block->v_count;
        for (int i = 0; i < n; i++) {
            int at = block->v_at + i;
            fp_triplets_add(J, at, 0, -(g->f[at] + g->force[at]));
            for (int j = 0; j < n; j++)
                fp_triplets_add(J, at, g->v_at + block->v_at + j, g->mass.M[b][i * n + j]);
        }
    }
    for (int b = 0; b < g->rows.block_count; b++) {
        const FpRowBlock* block = &g->rows.blocks[b];
        for (int i = 0; i < block->row_count; i++)
            for (int k = 0; k < block->v_count; k++)
                fp_triplets_add(J, block->v_at + k, g->lambda_at + block->row_at + i,
                                -x[0] * block->Wt[i * block->stride + k]);
    }
}

/* The rows stand at g_at in the program's constraints. */
static void add_local_jacobian(FpGauss* g, const double* x, const FpLocal* local, int g_at,
                               FpTriplets* J) {
    const FpSpace* s = &g->space;
    for (int i = 0; i < local->row_count; i++) {
        const double* DU = s->DU + i * local->width;
        double along = local->has_rate ? s->psi_t[i] : 0;
        for (int k = 0; k < local->width; k++) {
            int column = fp_space_local_unknown(s, local, k);
            along += DU[k] * x[column];
            fp_triplets_add(J, g_at + i, column, x[0] * DU[k]);
        }
        fp_triplets_add(J, g_at + i, 0, along);
    }
}

/* A solver that asks for it knows nothing of rows that are left out. */
static bool jacobian(void* context, const double* x, FpTriplets* J) {
    FpGauss* g = context;
    fp_gauss_wake(g, x[0], NULL);
    add_motion_jacobian(g, x, J);
    fp_space_move(&g->space, x, x[0]);
    for (int b = 0; b < g->system->block_count; b++) {
        if (!g->system->blocks[b].a_count) continue;
        FpLocal local = fp_space_invariants(&g->space, b);
        fp_gauss_derive_invariants(g, b, &local);
        add_local_jacobian(g, x, &local, g->nv + local.row_at, J);
    }
    for (int c = 0; c < g->system->constraint_count; c++) {
        FpLocal local = local_of(g, c);
        fp_gauss_derive_rows(g, x[0], c, &local);
        add_local_jacobian(g, x, &local, g->row_g_at + local.row_at, J);
    }
    return true;
}

/* Hessian -------------------------------------------------------------------------------------- */

static void add_lower(FpTriplets* H, int i, int j, double value) {
    fp_triplets_add(H, i > j ? i : j, i > j ? j : i, value);
}

/* The motion is bilinear in h and lambda. */
static void add_motion_hessian(FpGauss* g, const double* y, FpTriplets* H) {
    double* rates = g->row_work;
    fp_rows_rates(&g->rows, y, rates);
    for (int i = 0; i < g->nr; i++) fp_triplets_add(H, g->lambda_at + i, 0, -rates[i]);
}

/* The sum over the rows of weight times one of their time derivatives. */
static double weighted(const FpLocal* local, const double* y, const double* derivative,
                       int stride) {
    double sum = 0;
    for (int i = 0; i < local->row_count; i++) sum += y[i] * derivative[i * stride];
    return sum;
}

/* y are the multipliers of the local rows. */
static void add_local_hessian(FpGauss* g, const double* x, const double* y, const FpLocal* local,
                              FpTriplets* H) {
    const FpSpace* s = &g->space;
    int width = local->width;
    double h = x[0], twice = local->has_rate ? weighted(local, y, s->psi_tt, 1) : 0;
    for (int k = 0; k < width; k++) {
        int row = fp_space_local_unknown(s, local, k);
        double slope = weighted(local, y, s->DU + k, width), bend = 0;
        for (int l = 0; l < width; l++) {
            int column = fp_space_local_unknown(s, local, l);
            bend += s->S[k * width + l] * x[column];
            if (l <= k) add_lower(H, row, column, h * h * s->S[k * width + l]);
        }
        double drift = local->has_rate ? weighted(local, y, s->DU_t + k, width) : 0;
        fp_triplets_add(H, row, 0, slope + h * (bend + drift));
        twice += x[row] * (bend + 2 * drift);
    }
    fp_triplets_add(H, 0, 0, twice);
}

static void curve_invariants(FpGauss* g, const double* y, int block, const FpLocal* local) {
    if (g->form == FREEPLAY_ROWS_EXACT)
        fp_space_curve_invariants(&g->space, block, y, local);
    else
        memset(g->space.S, 0, (size_t)(local->width * local->width) * sizeof *g->space.S);
}

/* Linearized rows do not bend. */
static void curve_rows(FpGauss* g, double h, const double* y, int c, const FpLocal* local) {
    for (int i = 0; i < local->row_count; i++)
        g->weighted[i] = g->exact[local->row_at + i] ? y[i] : 0;
    fp_space_curve_rows(&g->space, g->t0 + h, c, g->weighted, local);
}

static bool hessian(void* context, const double* x, double f_weight, const double* y,
                    FpTriplets* H) {
    FpGauss* g = context;
    fp_gauss_wake(g, x[0], NULL);
    fp_least_constraint_hessian(&g->least, g->solved, f_weight, g->lambda_at, H);
    add_motion_hessian(g, y, H);
    fp_space_move(&g->space, x, x[0]);
    for (int b = 0; b < g->system->block_count; b++) {
        if (!g->system->blocks[b].a_count) continue;
        FpLocal local = fp_space_invariants(&g->space, b);
        const double* weight = y + g->nv + local.row_at;
        fp_gauss_derive_invariants(g, b, &local);
        curve_invariants(g, weight, b, &local);
        add_local_hessian(g, x, weight, &local, H);
    }
    for (int c = 0; c < g->system->constraint_count; c++) {
        FpLocal local = local_of(g, c);
        const double* weight = y + g->row_g_at + local.row_at;
        fp_gauss_derive_rows(g, x[0], c, &local);
        curve_rows(g, x[0], weight, c, &local);
        add_local_hessian(g, x, weight, &local, H);
    }
    return true;
}

void fp_gauss_program(FpGauss* g) {
    g->nlp.context = g;
    g->nlp.objective = objective;
    g->nlp.gradient = gradient;
    g->nlp.constraints = constraints;
    g->nlp.jacobian = jacobian;
    g->nlp.hessian = hessian;
}
