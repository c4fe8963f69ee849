/* The Gauss step as a structured problem (nlp/structure.h), and the products with its Jacobian that
 * the certificate asks for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "engine/gauss_impl.h"

/* Rows of a step of h with the velocities v -----------------------------------------------------
 */

/* Linearized rows, theory.md (22): psi = gap + h (W^T v + drift), D = W^T. */
static void linear_rows(FpGauss* g, double h, const double* v, double* psi, double* D) {
    fp_rows_rates(&g->rows, v, psi);
    for (int i = 0; i < g->nr; i++) psi[i] = g->rows.gap[i] + h * (psi[i] + g->rows.drift[i]);
    if (D) memcpy(D, g->rows.slopes, (size_t)g->rows.slope_count * sizeof *D);
}

/* alpha of all blocks, so that x holds the whole displacement. */
static bool find_displacement(FpGauss* g, double h, const double* v, double* x) {
    const FpSystem* s = g->system;
    memcpy(x + g->v_at, v, (size_t)g->nv * sizeof *v);
    for (int b = 0; b < s->block_count; b++) {
        const FpBlock* block = &s->blocks[b];
        if (!s->ops->rates(s->self, b, g->space.q0 + block->q_at, v + block->v_at, h,
                           g->form == FREEPLAY_ROWS_EXACT, x + g->a_at + block->a_at))
            return false;
    }
    return true;
}

/* q1 of a step with the velocities v. */
static bool move_with(FpGauss* g, double h, const double* v) {
    const FpSystem* s = g->system;
    for (int b = 0; b < s->block_count; b++) {
        const FpBlock* block = &s->blocks[b];
        const double *q0 = g->space.q0 + block->q_at, *u = v + block->v_at;
        double a[FREEPLAY_BLOCK_INVARIANTS];
        if (!s->ops->rates(s->self, b, q0, u, h, g->form == FREEPLAY_ROWS_EXACT, a)) return false;
        fp_space_move_block(&g->space, b, u, a, h);
    }
    return true;
}

/* D = (dpsi/dv)(q1) T, where T is not the identity. */
static void turn_slopes(FpGauss* g, double* D) {
    const FpSystem* s = g->system;
    for (int b = 0; b < s->block_count; b++)
        if (g->T[b])
            s->ops->tangent(s->self, b, g->space.q0 + s->blocks[b].q_at,
                            g->space.q1 + s->blocks[b].q_at, g->T[b]);
    fp_rows_turn_slopes(&g->rows, (const double* const*)g->T, D);
}

/* D of blocks without invariants: along dq1 = K h dv, whatever K. */
static void derive_along_basis(FpGauss* g, double h, double* D) {
    for (int c = 0; c < g->system->constraint_count; c++) {
        FpLocal local = fp_space_constraint(&g->space, c, g->rows.row_at[c]);
        fp_space_derive_rows(&g->space, g->t0 + h, c, &local);
        memcpy(D + g->rows.slope_at[c], g->space.DU,
               (size_t)(local.row_count * local.width) * sizeof *D);
    }
}

static bool rows_at_end(void* context, double h, const double* v, double* psi, double* D) {
    FpGauss* g = context;
    fp_gauss_wake(g, h, v);
    if (g->structure.linear) {
        linear_rows(g, h, v, psi, D);
        return true;
    }
    if (!move_with(g, h, v)) return false;
    if (D && g->system->ops->tangent) {
        fp_rows_sweep(&g->rows, g->t0 + h, g->space.q1, psi, D);
        turn_slopes(g, D);
        return true;
    }
    if (D) derive_along_basis(g, h, D);
    fp_rows_values(&g->rows, g->t0 + h, g->space.q1, false, psi);
    return true;
}

/* Products with the Jacobian --------------------------------------------------------------------
 */

typedef struct Adjoint {
    const double *x, *y;
    double *sum, *size;
} Adjoint;

static void add_term(const Adjoint* a, int column, double term) {
    a->sum[column] += term;
    a->size[column] += fabs(term);
}

/* The equations of motion: M in the columns of v, -h W in those of lambda, -(f + W lambda) in h. */
static bool motion_terms(void* context, const double* x, double* terms) {
    FpGauss* g = context;
    fp_gauss_find_forces(g, x);
    fp_mass_multiply_sizes(&g->mass, x + g->v_at, terms);
    for (int j = 0; j < g->nv; j++) terms[j] += fabs(x[0] * (g->f[j] + g->force[j]));
    fp_rows_add_force_sizes(&g->rows, x[0], x + g->lambda_at, terms);
    return true;
}

static void add_motion(FpGauss* g, const Adjoint* a) {
    const double* y = a->y;
    double h = a->x[0];
    for (int b = 0; b < g->system->block_count; b++) {
        const FpBlock* block = &g->system->blocks[b];
        int n = block->v_count, at = block->v_at;
        const double* M = g->mass.M[b];
        for (int i = 0; i < n; i++) {
            if (y[at + i] == 0) continue;
            add_term(a, 0, -(g->f[at + i] + g->force[at + i]) * y[at + i]);
            for (int j = 0; j < n; j++)
                if (M[n * i + j] != 0) add_term(a, g->v_at + at + j, M[n * i + j] * y[at + i]);
        }
    }
    for (int p = 0; p < g->rows.block_count; p++) {
        const FpRowBlock* part = &g->rows.blocks[p];
        for (int i = 0; i < part->row_count; i++) {
            const double* W = part->Wt + i * part->stride;
            double sum = 0, size = 0;
            for (int k = 0; k < part->v_count; k++) {
                double term = -h * W[k] * y[part->v_at + k];
                sum += term;
                size += fabs(term);
            }
            a->sum[g->lambda_at + part->row_at + i] += sum;
            a->size[g->lambda_at + part->row_at + i] += size;
        }
    }
}

/* Rows or invariants with the derivatives DU and rates psi_t, multipliers at y_at. */
static void add_local(FpGauss* g, const Adjoint* a, const FpLocal* local, const double* DU,
                      const double* psi_t, int y_at) {
    double h = a->x[0];
    for (int i = 0; i < local->row_count; i++, DU += local->width) {
        double y = a->y[y_at + i], along = local->has_rate ? psi_t[i] : 0;
        if (y == 0) continue;
        for (int b = 0, k = 0; b < local->block_count; b++) {
            const FpBlock* block = &g->system->blocks[local->blocks[b]];
            for (int j = 0; j < block->v_count; j++, k++) {
                along += DU[k] * a->x[g->v_at + block->v_at + j];
                add_term(a, g->v_at + block->v_at + j, h * DU[k] * y);
            }
            for (int j = 0; j < block->a_count; j++, k++) {
                along += DU[k] * a->x[g->a_at + block->a_at + j];
                add_term(a, g->a_at + block->a_at + j, h * DU[k] * y);
            }
        }
        add_term(a, 0, along * y);
    }
}

/* Solver and certificate ask for products at the same motion: its derivatives are kept. */
static void keep_motion(FpGauss* g, const double* x) {
    size_t size = (size_t)g->lambda_at * sizeof *x;
    if (g->has_kept && memcmp(g->kept_x, x, size) == 0) return;
    memcpy(g->kept_x, x, size);
    memset(g->kept, 0, (size_t)g->system->constraint_count * sizeof *g->kept);
    g->has_kept = true;
}

static const double* kept_derivatives(FpGauss* g, double h, int c, const FpLocal* local) {
    double* DU = g->kept_DU + g->kept_DU_at[c];
    if (g->kept[c]) return DU;
    fp_gauss_derive_rows(g, h, c, local);
    memcpy(DU, g->space.DU, (size_t)(local->row_count * local->width) * sizeof *DU);
    memcpy(g->kept_rate + local->row_at, g->space.psi_t,
           (size_t)local->row_count * sizeof *g->kept_rate);
    g->kept[c] = true;
    return DU;
}

static bool has_multiplier(const double* y, int count) {
    for (int i = 0; i < count; i++)
        if (y[i] != 0) return true;
    return false;
}

/* Sizes of the terms of the gradient 2 W^T M^-1 W lambda: those of W lambda before they cancel. */
static void add_gradient_sizes(FpGauss* g, const Adjoint* a) {
    const double* lambda = a->x + g->lambda_at;
    double *force = g->velocity, *rate = g->load;
    memset(force, 0, (size_t)g->nv * sizeof *force);
    memset(rate, 0, (size_t)g->nv * sizeof *rate);
    for (int p = 0; p < g->rows.block_count; p++) {
        const FpRowBlock* part = &g->rows.blocks[p];
        for (int i = 0; i < part->row_count; i++) {
            double push = lambda[part->row_at + i];
            const double* W = part->Wt + i * part->stride;
            for (int k = 0; push != 0 && k < part->v_count; k++)
                force[part->v_at + k] += fabs(W[k] * push);
        }
    }
    for (int b = 0; b < g->system->block_count; b++) {
        const FpBlock* block = &g->system->blocks[b];
        int n = block->v_count, at = block->v_at;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                rate[at + i] += fabs(g->mass.inverse[b][n * i + j]) * force[at + j];
    }
    for (int p = 0; p < g->rows.block_count; p++) {
        const FpRowBlock* part = &g->rows.blocks[p];
        for (int i = 0; i < part->row_count; i++) {
            const double* W = part->Wt + i * part->stride;
            double* size = &a->size[g->lambda_at + part->row_at + i];
            for (int k = 0; k < part->v_count; k++) *size += 2 * fabs(W[k]) * rate[part->v_at + k];
        }
    }
}

static bool adjoint(void* context, const double* x, const double* y, double* sum, double* size) {
    FpGauss* g = context;
    const Adjoint a = {x, y, sum, size};
    memset(sum, 0, (size_t)g->nlp.n * sizeof *sum);
    memset(size, 0, (size_t)g->nlp.n * sizeof *size);
    fp_gauss_find_forces(g, x);
    add_motion(g, &a);
    fp_space_move(&g->space, x, x[0]);
    keep_motion(g, x);
    for (int b = 0; b < g->system->block_count; b++) {
        FpLocal local = fp_space_invariants(&g->space, b);
        if (!has_multiplier(y + g->nv + local.row_at, local.row_count)) continue;
        fp_gauss_derive_invariants(g, b, &local);
        add_local(g, &a, &local, g->space.DU, g->space.psi_t, g->nv + local.row_at);
    }
    for (int c = 0; c < g->system->constraint_count; c++) {
        FpLocal local = fp_space_constraint(&g->space, c, g->rows.row_at[c]);
        if (!has_multiplier(y + g->row_g_at + local.row_at, local.row_count)) continue;
        const double* DU = kept_derivatives(g, x[0], c, &local);
        add_local(g, &a, &local, DU, g->kept_rate + local.row_at, g->row_g_at + local.row_at);
    }
    add_gradient_sizes(g, &a);
    return true;
}

/* From the structured solution to the program's point -------------------------------------------
 */

/* y of the motion, -h M^-1 D^T y_rows: stationarity in v once alpha is eliminated. */
static void find_motion_multipliers(FpGauss* g, double h, const double* D, const double* y_rows,
                                    double* y) {
    memset(g->load, 0, (size_t)g->nv * sizeof *g->load);
    for (int p = 0; p < g->rows.block_count; p++) {
        const FpRowBlock* part = &g->rows.blocks[p];
        for (int i = 0; i < part->row_count; i++) {
            double multiplier = y_rows[part->row_at + i];
            const double* row = D + part->slope_at + i * part->stride;
            for (int k = 0; multiplier != 0 && k < part->v_count; k++)
                g->load[part->v_at + k] -= h * row[k] * multiplier;
        }
    }
    fp_mass_solve(&g->mass, g->load, y);
}

/* y of the invariants: stationarity in alpha. DU of an invariant has its alpha last. */
static void find_invariant_multipliers(FpGauss* g, const double* x, FpNlpPoint* point) {
    const FpSystem* s = g->system;
    for (int b = 0; b < s->block_count; b++) {
        const FpBlock* block = &s->blocks[b];
        if (block->a_count != 1) continue;
        FpLocal local = fp_space_invariants(&g->space, b);
        fp_gauss_derive_invariants(g, b, &local);
        double own = x[0] * g->space.DU[local.width - 1], along = 0;
        double y = -g->adjoint_sum[g->a_at + block->a_at] / own;
        for (int k = 0; k < local.width; k++)
            along += g->space.DU[k] * x[fp_space_local_unknown(&g->space, &local, k)];
        point->y[g->nv + block->a_at] = y;
        g->adjoint_sum[0] += along * y;
    }
}

static void complete(void* context, double h, const double* v, const double* lambda,
                     const double* row_multipliers, const double* D, FpNlpPoint* point) {
    FpGauss* g = context;
    double* x = point->x;
    x[0] = h;
    memcpy(x + g->lambda_at, lambda, (size_t)g->nr * sizeof *lambda);
    (void)find_displacement(g, h, v, x); /* as it did before */
    memset(point->y, 0, (size_t)g->nlp.m * sizeof *point->y);
    memset(point->z, 0, (size_t)g->nlp.n * sizeof *point->z);
    if (!row_multipliers) return;
    memcpy(point->y + g->row_g_at, row_multipliers, (size_t)g->nr * sizeof *lambda);
    find_motion_multipliers(g, h, D, row_multipliers, point->y);
    adjoint(g, x, point->y, g->adjoint_sum, g->adjoint_size);
    find_invariant_multipliers(g, x, point);
    /* z of h and of the forces that are held at 0; the gradient of the others is taken by y. */
    g->nlp.gradient(g, x, g->adjoint_size);
    point->z[0] = g->adjoint_sum[0];
    for (int i = 0; i < g->nr; i++) {
        int j = g->lambda_at + i;
        bool held = lambda[i] == 0 && (!g->bilateral[i] || !g->rows.applies[i]);
        if (held) point->z[j] = g->adjoint_size[j] + g->adjoint_sum[j];
    }
}

/* Creation ---------------------------------------------------------------------------------------
 */

static void chain_parts(FpGauss* g) {
    FpStructurePart* parts = g->parts;
    for (int b = 0; b < g->system->block_count; b++) g->block_first[b] = -1;
    for (int p = g->rows.block_count - 1; p >= 0; p--) {
        const FpRowBlock* block = &g->rows.blocks[p];
        parts[p] = (FpStructurePart){.row_at = block->row_at,
                                     .row_count = block->row_count,
                                     .block = block->block,
                                     .v_at = block->v_at,
                                     .v_count = block->v_count,
                                     .at = block->slope_at,
                                     .stride = block->stride,
                                     .inverse_mass = g->mass.inverse[block->block],
                                     .is_diagonal = &g->mass.diagonal[block->block]};
        g->block_next[p] = g->block_first[block->block];
        g->block_first[block->block] = p;
        for (int i = 0; i < block->row_count; i++) g->first_part[block->row_at + i] = p;
    }
}

static bool allocate(FpGauss* g) {
    const FpSystem* s = g->system;
    size_t blocks = (size_t)s->block_count, parts = (size_t)g->rows.block_count, T_size = 0;
    size_t constraints = (size_t)s->constraint_count, DU_size = 0;
    g->kept_DU_at = calloc(constraints + 1, sizeof *g->kept_DU_at);
    g->kept = calloc(constraints + 1, sizeof *g->kept);
    if (!g->kept_DU_at || !g->kept) return false;
    for (int c = 0; c < s->constraint_count; c++) {
        FpLocal local = fp_space_constraint(&g->space, c, g->rows.row_at[c]);
        g->kept_DU_at[c] = DU_size;
        DU_size += (size_t)(local.row_count * local.width);
    }
    for (int b = 0; b < s->block_count; b++) {
        size_t n = (size_t)s->blocks[b].v_count;
        if (n > FREEPLAY_BLOCK_V_MAX) return false;
        T_size += n * n;
    }
    g->parts = calloc(parts + 1, sizeof *g->parts);
    g->first_part = calloc((size_t)g->nr + blocks + parts + 1, sizeof *g->first_part);
    g->T = calloc(blocks + 1, sizeof *g->T);
    g->structure_memory = calloc(T_size + 4 * (size_t)g->nlp.n + DU_size + 1, sizeof(double));
    if (!g->parts || !g->first_part || !g->T || !g->structure_memory) return false;
    g->block_first = g->first_part + g->nr;
    g->block_next = g->block_first + blocks;
    g->adjoint_sum = g->structure_memory;
    g->adjoint_size = g->adjoint_sum + g->nlp.n;
    g->kept_x = g->adjoint_size + g->nlp.n;
    g->kept_rate = g->kept_x + g->nlp.n;
    g->kept_DU = g->kept_rate + g->nlp.n;
    double* at = g->kept_DU + DU_size;
    for (int b = 0; b < s->block_count; b++) {
        if (s->blocks[b].a_count) g->T[b] = at;
        at += s->blocks[b].v_count * s->blocks[b].v_count;
    }
    return true;
}

bool fp_gauss_structure_create(FpGauss* g) {
    if (g->na > 0 && !g->system->ops->tangent) return false;
    if (!allocate(g)) return false;
    chain_parts(g);
    g->structure = (FpStructure){.v_count = g->nv,
                                 .row_count = g->nr,
                                 .part_count = g->rows.block_count,
                                 .slope_count = g->rows.slope_count,
                                 .parts = g->parts,
                                 .first_part = g->first_part,
                                 .block_first = g->block_first,
                                 .block_next = g->block_next,
                                 .slopes = g->rows.slopes,
                                 .solved = g->solved,
                                 .gap = g->rows.gap,
                                 .drift = g->rows.drift,
                                 .v0 = g->v0,
                                 .a = g->free_acceleration,
                                 .force = g->warm_force,
                                 .bilateral = g->bilateral,
                                 .applies = g->rows.applies,
                                 .linear = g->form == FREEPLAY_ROWS_LINEARIZED,
                                 .unit = g->g_noise + g->row_g_at,
                                 .force_at = g->lambda_at,
                                 .context = g,
                                 .rows = rows_at_end,
                                 .complete = complete};
    g->nlp.adjoint = adjoint;
    g->nlp.terms = motion_terms;
    return true;
}

void fp_gauss_structure_free(FpGauss* g) {
    free(g->parts);
    free(g->first_part);
    free(g->T);
    free(g->kept_DU_at);
    free(g->kept);
    free(g->structure_memory);
}
