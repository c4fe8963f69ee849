/* Functions and derivatives of the Gauss step's program, theory.md (12)-(17).
 *
 * With u = (v; alpha) of the blocks that a row touches, a row is a function of h u alone. Its
 * derivative DU with respect to h u and the second derivative S give all that is needed:
 *   d/dh = DU u,  d/du = h DU,  d2/dh2 = u.S u,  d2/dh du = DU + h S u,  d2/du2 = h^2 S. */
#include <string.h>
#include "engine/gauss_impl.h"

int fp_gauss_block_unknowns(const FpGauss* g, int block) {
    return g->system->blocks[block].v_count + g->system->blocks[block].a_count;
}

int fp_gauss_unknown(const FpGauss* g, int block, int k) {
    const FpBlock* b = &g->system->blocks[block];
    return k < b->v_count ? g->v_at + b->v_at + k : g->a_at + b->a_at + k - b->v_count;
}

void fp_gauss_move(FpGauss* g, const double* x) {
    for (int b = 0; b < g->system->block_count; b++) {
        const FpBlock* block = &g->system->blocks[b];
        int nu = fp_gauss_block_unknowns(g, b);
        for (int i = 0; i < block->q_count; i++) {
            double sum = 0;
            for (int k = 0; k < nu; k++) sum += g->K[b][i * nu + k] * x[fp_gauss_unknown(g, b, k)];
            g->rate[block->q_at + i] = sum;
            g->q1[block->q_at + i] = g->q0[block->q_at + i] + x[0] * sum;
        }
    }
}

static void find_forces(FpGauss* g, const double* x) {
    memset(g->force, 0, (size_t)g->nv * sizeof *g->force);
    fp_rows_add_forces(&g->rows, x + g->lambda_at, g->force);
}

/* Objective: (W lambda)^T M^-1 (W lambda) ------------------------------------------------------ */

static bool objective(void* context, const double* x, double* f) {
    FpGauss* g = context;
    find_forces(g, x);
    memcpy(g->rate, g->force, (size_t)g->nv * sizeof *g->rate);
    fp_mass_solve(&g->mass, g->rate);
    *f = 0;
    for (int j = 0; j < g->nv; j++) *f += g->force[j] * g->rate[j];
    return true;
}

static bool gradient(void* context, const double* x, double* grad) {
    FpGauss* g = context;
    find_forces(g, x);
    fp_mass_solve(&g->mass, g->force);
    memset(grad, 0, (size_t)g->nlp.n * sizeof *grad);
    fp_rows_rates(&g->rows, g->force, grad + g->lambda_at);
    for (int i = 0; i < g->nr; i++) grad[g->lambda_at + i] *= 2;
    return true;
}

/* 2 N in the lower triangle, N = W^T M^-1 W: a part for every two constraints on one block. */
static void add_objective_hessian(FpGauss* g, double weight, FpTriplets* H) {
    for (int a = 0; a < g->rows.block_count; a++)
        for (int b = 0; b <= a; b++) {
            const FpRowBlock *A = &g->rows.blocks[a], *B = &g->rows.blocks[b];
            if (A->block != B->block) continue;
            for (int i = 0; i < A->row_count; i++)
                for (int j = 0; j < B->row_count && A->row_at + i >= B->row_at + j; j++) {
                    double sum = 0;
                    for (int k = 0; k < A->v_count; k++)
                        sum += A->Wt[i * A->v_count + k] * g->solved[b][j * A->v_count + k];
                    fp_triplets_add(H, g->lambda_at + A->row_at + i, g->lambda_at + B->row_at + j,
                                    2 * weight * sum);
                }
        }
}

/* Invariants and rows as functions of h u ------------------------------------------------------ */

/* A set of rows over some blocks: DU is rows x width, S is width x width. */
typedef struct Local {
    int block_count, blocks[FREEPLAY_CONSTRAINT_BLOCKS]; /* without ground */
    int width;
    int row_count, g_at;
} Local;

static Local local_of_constraint(const FpGauss* g, int c) {
    const FpConstraint* k = g->system->constraints[c];
    Local local = {.row_count = k->row_count, .g_at = g->row_g_at + g->rows.row_at[c]};
    for (int b = 0; b < k->block_count; b++) {
        if (k->blocks[b] < 0) continue;
        local.blocks[local.block_count++] = k->blocks[b];
        local.width += fp_gauss_block_unknowns(g, k->blocks[b]);
    }
    return local;
}

static Local local_of_invariants(const FpGauss* g, int block) {
    const FpBlock* b = &g->system->blocks[block];
    return (Local){.block_count = 1,
                   .blocks = {block},
                   .width = fp_gauss_block_unknowns(g, block),
                   .row_count = b->a_count,
                   .g_at = g->nv + b->a_at};
}

/* Where the local unknown k stands in x. */
static int unknown_of(const FpGauss* g, const Local* local, int k) {
    for (int b = 0; b + 1 < local->block_count; b++) {
        int nu = fp_gauss_block_unknowns(g, local->blocks[b]);
        if (k < nu) return fp_gauss_unknown(g, local->blocks[b], k);
        k -= nu;
    }
    return fp_gauss_unknown(g, local->blocks[local->block_count - 1], k);
}

/* DU(:, at..) = J(:, column..) K of a block. */
static void multiply_basis(FpGauss* g, int block, int rows, int J_width, int column, int width,
                           int at) {
    int nq = g->system->blocks[block].q_count, nu = fp_gauss_block_unknowns(g, block);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < nu; k++) {
            double sum = 0;
            for (int j = 0; j < nq; j++)
                sum += g->J[i * J_width + column + j] * g->K[block][j * nu + k];
            g->DU[i * width + at + k] = sum;
        }
}

/* A linearized row is g0 + h W^T v: its derivative is W^T, alpha does not enter. */
static void linearize_rows(FpGauss* g, int c, const Local* local) {
    const FpRowBlock* block = g->rows.blocks;
    while (block->constraint != c) block++;
    for (int b = 0, at = 0; b < local->block_count; b++, block++) {
        int nu = fp_gauss_block_unknowns(g, local->blocks[b]);
        for (int i = 0; i < local->row_count; i++) {
            if (g->exact[block->row_at + i]) continue;
            double* DU = g->DU + i * local->width + at;
            memset(DU, 0, (size_t)nu * sizeof *DU);
            memcpy(DU, block->Wt + i * block->v_count, (size_t)block->v_count * sizeof *DU);
        }
        at += nu;
    }
}

static void derive_constraint(FpGauss* g, double h, int c, const Local* local) {
    const FpConstraint* k = g->system->constraints[c];
    const double* q[FREEPLAY_CONSTRAINT_BLOCKS];
    fp_constraint_coordinates(g->system, k, g->q1, q);
    k->ops->jacobian(k, g->t0 + h, q, g->J);
    int J_width = fp_constraint_width(g->system, k);
    for (int b = 0, column = 0, at = 0; b < k->block_count; b++) {
        if (k->blocks[b] >= 0) {
            multiply_basis(g, k->blocks[b], k->row_count, J_width, column, local->width, at);
            at += fp_gauss_block_unknowns(g, k->blocks[b]);
            column += g->system->blocks[k->blocks[b]].q_count;
        } else {
            column += FREEPLAY_GROUND_WIDTH;
        }
    }
    linearize_rows(g, c, local);
}

static void derive_invariants(FpGauss* g, int block, const Local* local) {
    const FpSystem* s = g->system;
    const FpBlock* b = &s->blocks[block];
    const double* q = g->form == FREEPLAY_ROWS_EXACT ? g->q1 : g->q0;
    s->ops->invariants(s->self, block, q + b->q_at, g->psi, g->J);
    multiply_basis(g, block, b->a_count, b->q_count, 0, local->width, 0);
}

/* Constraints ---------------------------------------------------------------------------------- */

static void motion(FpGauss* g, const double* x, double* out) {
    const double* v = x + g->v_at;
    find_forces(g, x);
    for (int j = 0; j < g->nv; j++) g->rate[j] = v[j] - g->v0[j];
    fp_mass_multiply(&g->mass, g->rate, out);
    for (int j = 0; j < g->nv; j++) out[j] -= x[0] * (g->f[j] + g->force[j]);
}

static void invariant_values(FpGauss* g, const double* x, double* out) {
    const FpSystem* s = g->system;
    for (int b = 0; b < s->block_count; b++) {
        const FpBlock* block = &s->blocks[b];
        if (!block->a_count) continue;
        if (g->form == FREEPLAY_ROWS_EXACT) {
            s->ops->invariants(s->self, b, g->q1 + block->q_at, out + block->a_at, NULL);
            continue;
        }
        Local local = local_of_invariants(g, b);
        derive_invariants(g, b, &local);
        for (int i = 0; i < block->a_count; i++) {
            double sum = 0;
            for (int k = 0; k < local.width; k++)
                sum += g->DU[i * local.width + k] * x[unknown_of(g, &local, k)];
            out[block->a_at + i] = g->invariant[block->a_at + i] + x[0] * sum;
        }
    }
}

static void row_values(FpGauss* g, const double* x, double* out) {
    const FpSystem* s = g->system;
    fp_rows_rates(&g->rows, x + g->v_at, out);
    for (int i = 0; i < g->nr; i++) out[i] = g->rows.gap[i] + x[0] * out[i];
    for (int c = 0; c < s->constraint_count; c++) {
        const FpConstraint* k = s->constraints[c];
        const double* q[FREEPLAY_CONSTRAINT_BLOCKS];
        fp_constraint_coordinates(s, k, g->q1, q);
        k->ops->value(k, g->t0 + x[0], q, g->psi);
        int at = g->rows.row_at[c];
        for (int i = 0; i < k->row_count; i++)
            if (g->exact[at + i]) out[at + i] = g->psi[i];
    }
}

static bool constraints(void* context, const double* x, double* out) {
    FpGauss* g = context;
    motion(g, x, out);
    fp_gauss_move(g, x);
    invariant_values(g, x, out + g->nv);
    row_values(g, x, out + g->row_g_at);
    return true;
}

/* Jacobian ------------------------------------------------------------------------------------- */

static void add_motion_jacobian(FpGauss* g, const double* x, FpTriplets* J) {
    find_forces(g, x);
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
                                -x[0] * block->Wt[i * block->v_count + k]);
    }
}

static void add_local_jacobian(FpGauss* g, const double* x, const Local* local, FpTriplets* J) {
    for (int i = 0; i < local->row_count; i++) {
        const double* DU = g->DU + i * local->width;
        double along = 0;
        for (int k = 0; k < local->width; k++) {
            int column = unknown_of(g, local, k);
            along += DU[k] * x[column];
            fp_triplets_add(J, local->g_at + i, column, x[0] * DU[k]);
        }
        fp_triplets_add(J, local->g_at + i, 0, along);
    }
}

static bool jacobian(void* context, const double* x, FpTriplets* J) {
    FpGauss* g = context;
    add_motion_jacobian(g, x, J);
    fp_gauss_move(g, x);
    for (int b = 0; b < g->system->block_count; b++) {
        if (!g->system->blocks[b].a_count) continue;
        Local local = local_of_invariants(g, b);
        derive_invariants(g, b, &local);
        add_local_jacobian(g, x, &local, J);
    }
    for (int c = 0; c < g->system->constraint_count; c++) {
        Local local = local_of_constraint(g, c);
        derive_constraint(g, x[0], c, &local);
        add_local_jacobian(g, x, &local, J);
    }
    return true;
}

/* Hessian -------------------------------------------------------------------------------------- */

static void add_lower(FpTriplets* H, int i, int j, double value) {
    fp_triplets_add(H, i > j ? i : j, i > j ? j : i, value);
}

/* The motion is bilinear in h and lambda. */
static void add_motion_hessian(FpGauss* g, const double* y, FpTriplets* H) {
    double* rates = g->psi; /* has room for all rows */
    fp_rows_rates(&g->rows, y, rates);
    for (int i = 0; i < g->nr; i++) fp_triplets_add(H, g->lambda_at + i, 0, -rates[i]);
}

static void add_local_hessian(FpGauss* g, const double* x, const double* y, const Local* local,
                              FpTriplets* H) {
    int width = local->width;
    double h = x[0], twice = 0;
    for (int k = 0; k < width; k++) {
        int row = unknown_of(g, local, k);
        double slope = 0, bend = 0;
        for (int i = 0; i < local->row_count; i++)
            slope += y[local->g_at + i] * g->DU[i * width + k];
        for (int l = 0; l < width; l++) {
            int column = unknown_of(g, local, l);
            bend += g->S[k * width + l] * x[column];
            if (l <= k) add_lower(H, row, column, h * h * g->S[k * width + l]);
        }
        fp_triplets_add(H, row, 0, slope + h * bend);
        twice += x[row] * bend;
    }
    fp_triplets_add(H, 0, 0, twice);
}

/* S(a.., b..) = K_a^T Hq(at_a.., at_b..) K_b. */
static void multiply_bases(FpGauss* g, int a, int b, const double* Hq, int Hq_width, double* S,
                           int S_width) {
    int nqa = g->system->blocks[a].q_count, nqb = g->system->blocks[b].q_count;
    int nua = fp_gauss_block_unknowns(g, a), nub = fp_gauss_block_unknowns(g, b);
    for (int i = 0; i < nqa; i++)
        for (int l = 0; l < nub; l++) {
            double sum = 0;
            for (int j = 0; j < nqb; j++) sum += Hq[i * Hq_width + j] * g->K[b][j * nub + l];
            g->KH[i * nub + l] = sum;
        }
    for (int k = 0; k < nua; k++)
        for (int l = 0; l < nub; l++) {
            double sum = 0;
            for (int i = 0; i < nqa; i++) sum += g->K[a][i * nua + k] * g->KH[i * nub + l];
            S[k * S_width + l] = sum;
        }
}

static void constraint_curvature(FpGauss* g, double h, const double* y, int c, const Local* local) {
    const FpConstraint* k = g->system->constraints[c];
    int width = fp_constraint_width(g->system, k), row_at = g->rows.row_at[c];
    bool any = false;
    for (int i = 0; i < k->row_count; i++) {
        g->weighted[i] = g->exact[row_at + i] ? y[local->g_at + i] : 0;
        any = any || g->exact[row_at + i];
    }
    memset(g->S, 0, (size_t)local->width * (size_t)local->width * sizeof *g->S);
    if (!any) return;
    const double* q[FREEPLAY_CONSTRAINT_BLOCKS];
    fp_constraint_coordinates(g->system, k, g->q1, q);
    memset(g->Hq, 0, (size_t)width * (size_t)width * sizeof *g->Hq);
    k->ops->hessian(k, g->t0 + h, q, g->weighted, g->Hq);
    int q_at[FREEPLAY_CONSTRAINT_BLOCKS], u_at[FREEPLAY_CONSTRAINT_BLOCKS];
    for (int b = 0, column = 0, at = 0; b < k->block_count; b++) {
        bool ground = k->blocks[b] < 0;
        q_at[b] = column;
        u_at[b] = at;
        column += ground ? FREEPLAY_GROUND_WIDTH : g->system->blocks[k->blocks[b]].q_count;
        at += ground ? 0 : fp_gauss_block_unknowns(g, k->blocks[b]);
    }
    for (int a = 0; a < k->block_count; a++)
        for (int b = 0; b < k->block_count; b++)
            if (k->blocks[a] >= 0 && k->blocks[b] >= 0)
                multiply_bases(g, k->blocks[a], k->blocks[b], g->Hq + q_at[a] * width + q_at[b],
                               width, g->S + u_at[a] * local->width + u_at[b], local->width);
}

static void invariant_curvature(FpGauss* g, const double* y, int block, const Local* local) {
    const FpSystem* s = g->system;
    int nq = s->blocks[block].q_count;
    memset(g->Hq, 0, (size_t)nq * (size_t)nq * sizeof *g->Hq);
    if (g->form == FREEPLAY_ROWS_EXACT)
        s->ops->invariant_hessian(s->self, block, g->q1 + s->blocks[block].q_at, y + local->g_at,
                                  g->Hq);
    multiply_bases(g, block, block, g->Hq, nq, g->S, local->width);
}

static bool hessian(void* context, const double* x, double f_weight, const double* y,
                    FpTriplets* H) {
    FpGauss* g = context;
    add_objective_hessian(g, f_weight, H);
    add_motion_hessian(g, y, H);
    fp_gauss_move(g, x);
    for (int b = 0; b < g->system->block_count; b++) {
        if (!g->system->blocks[b].a_count) continue;
        Local local = local_of_invariants(g, b);
        derive_invariants(g, b, &local);
        invariant_curvature(g, y, b, &local);
        add_local_hessian(g, x, y, &local, H);
    }
    for (int c = 0; c < g->system->constraint_count; c++) {
        Local local = local_of_constraint(g, c);
        derive_constraint(g, x[0], c, &local);
        constraint_curvature(g, x[0], y, c, &local);
        add_local_hessian(g, x, y, &local, H);
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
