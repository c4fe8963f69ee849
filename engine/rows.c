#include "engine/rows.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/nlp.h"
#include "nlp/short_vectors.h"

/* No unit is so small that the certificate would ask for more than round-off of the length. */
#define RESOLUTION (16 * DBL_EPSILON / FREEPLAY_CERTIFICATE_LIMIT)

/* Of the distance that a gap can change within a step: beyond the first it may be left asleep at
 * the start; within the second it must be awake, whatever velocities the forces of others lead to.
 */
#define FAR_AWAY 3.0
#define NEAR     1.5

typedef struct Sizes {
    size_t row_max, width, q_max, v_max, slopes, slips, slip_rows;
} Sizes;

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Velocities of the blocks of a constraint, without ground. */
static int velocity_width(const FpSystem* s, const FpConstraint* c) {
    int width = 0;
    for (int b = 0; b < c->block_count; b++)
        if (c->blocks[b] >= 0) width += s->blocks[c->blocks[b]].v_count;
    return width;
}

static Sizes sizes_of(const FpSystem* s, bool with_slip) {
    Sizes z = {0};
    for (int b = 0; b < s->block_count; b++) {
        z.q_max = larger(z.q_max, (size_t)s->blocks[b].q_count);
        z.v_max = larger(z.v_max, (size_t)s->blocks[b].v_count);
    }
    for (int c = 0; c < s->constraint_count; c++) {
        const FpConstraint* k = s->constraints[c];
        z.row_max = larger(z.row_max, (size_t)k->row_count);
        z.width = larger(z.width, (size_t)fp_constraint_width(s, k));
        z.slopes += (size_t)(k->row_count * velocity_width(s, k));
        for (int i = 0; with_slip && i < k->row_count; i++) {
            z.slips += k->rows[i].slip_count > 0;
            z.slip_rows += (size_t)k->rows[i].slip_count;
            z.slopes += (size_t)(k->rows[i].slip_count * velocity_width(s, k));
        }
    }
    return z;
}

static bool allocate(FpRows* rows, bool with_slip) {
    const FpSystem* s = rows->system;
    Sizes z = sizes_of(s, with_slip);
    rows->count += (int)z.slip_rows;
    size_t all = (size_t)rows->count, J_size = z.row_max * z.width, B_size = z.q_max * z.v_max;
    rows->memory = calloc(5 * all + 5 * z.row_max + z.slopes + J_size + B_size + 1, sizeof(double));
    rows->applies = calloc(all + 1, sizeof *rows->applies);
    rows->info = calloc(all + 1, sizeof *rows->info);
    rows->row_at = calloc((size_t)s->constraint_count + 1, sizeof *rows->row_at);
    rows->slope_at = calloc((size_t)s->constraint_count + 1, sizeof *rows->slope_at);
    rows->can_sleep = calloc((size_t)s->constraint_count + 1, sizeof *rows->can_sleep);
    rows->open = calloc((size_t)s->constraint_count + 1, sizeof *rows->open);
    size_t groups = (size_t)s->constraint_count + z.slips;
    rows->blocks = calloc(FREEPLAY_CONSTRAINT_BLOCKS * groups + 1, sizeof *rows->blocks);
    rows->slips = calloc(z.slips + 1, sizeof *rows->slips);
    if (!rows->memory || !rows->slips || !rows->applies || !rows->info || !rows->row_at ||
        !rows->slope_at || !rows->can_sleep || !rows->open || !rows->blocks)
        return false;
    rows->gap = rows->memory;
    rows->kappa = rows->gap + all;
    rows->drift = rows->kappa + all;
    rows->lever = rows->drift + all;
    rows->unit = rows->lever + all;
    rows->psi_t = rows->unit + all;
    rows->psi = rows->psi_t + 2 * z.row_max; /* psi, then room for gaps and kappa */
    rows->J = rows->psi + 3 * z.row_max;
    rows->B = rows->J + J_size;
    rows->slopes = rows->B + B_size;
    rows->slope_count = (int)z.slopes;
    return true;
}

/* The blocks of a group of rows of a constraint: all of its own, or those of one slip velocity. */
static void add_blocks(FpRows* rows, int c, int row_at, int row_count, int slope_at) {
    const FpConstraint* k = rows->system->constraints[c];
    int stride = velocity_width(rows->system, k);
    for (int b = 0; b < k->block_count; b++) {
        if (k->blocks[b] < 0) continue;
        const FpBlock* block = &rows->system->blocks[k->blocks[b]];
        rows->blocks[rows->block_count++] = (FpRowBlock){.constraint = c,
                                                         .block = k->blocks[b],
                                                         .row_at = row_at,
                                                         .row_count = row_count,
                                                         .v_at = block->v_at,
                                                         .v_count = block->v_count,
                                                         .slope_at = slope_at,
                                                         .stride = stride,
                                                         .Wt = rows->slopes + slope_at};
        slope_at += block->v_count;
    }
}

/* Whether all rows are distances that may open, and there is a bound of how fast. */
static bool may_open(const FpSystem* s, const FpConstraint* k) {
    bool all = s->ops->gap_speed && !k->ops->rate;
    for (int i = 0; i < k->row_count; i++)
        all = all && k->rows[i].kind == FREEPLAY_ROW_UNILATERAL &&
              k->rows[i].unit == FREEPLAY_ROW_LENGTH;
    return all;
}

/* Returns where the slopes end. */
static int add_constraints(FpRows* rows) {
    const FpSystem* s = rows->system;
    int slope_at = 0;
    for (int c = 0, row_at = 0; c < s->constraint_count; c++) {
        const FpConstraint* k = s->constraints[c];
        rows->row_at[c] = row_at;
        rows->slope_at[c] = slope_at;
        rows->can_sleep[c] = may_open(s, k);
        rows->ever_absent = rows->ever_absent || k->ops->applies;
        for (int i = 0; i < k->row_count; i++) {
            rows->info[row_at + i] = &k->rows[i];
            rows->applies[row_at + i] = true;
        }
        add_blocks(rows, c, row_at, k->row_count, slope_at);
        row_at += k->row_count;
        slope_at += k->row_count * velocity_width(s, k);
    }
    return slope_at;
}

static void add_slips(FpRows* rows, int slope_at) {
    const FpSystem* s = rows->system;
    for (int c = 0, slip_at = s->row_count; c < s->constraint_count; c++)
        for (int i = 0; i < s->constraints[c]->row_count; i++) {
            const FpRow* row = &s->constraints[c]->rows[i];
            int slopes = row->slip_count * velocity_width(s, s->constraints[c]);
            if (row->slip_count == 0) continue;
            rows->slips[rows->slip_count++] = (FpSlip){.constraint = c,
                                                       .index = i,
                                                       .row = rows->row_at[c] + i,
                                                       .slip_at = slip_at,
                                                       .count = row->slip_count,
                                                       .slope_at = slope_at,
                                                       .slope_count = slopes};
            for (int j = 0; j < row->slip_count; j++) rows->info[slip_at + j] = row;
            add_blocks(rows, c, slip_at, row->slip_count, slope_at);
            slip_at += row->slip_count;
            slope_at += slopes;
        }
}

/* A loose row is measured by its clearance, so that none is penetrated by more than the limit of
 * the certificate times that; all others by the length. */
static void find_magnitudes(FpRows* rows) {
    double length = rows->system->scales.length;
    for (int i = 0; i < rows->count; i++) {
        const FpRow* info = rows->info[i];
        bool loose = info->kind == FREEPLAY_ROW_UNILATERAL && !info->is_contact && info->size > 0;
        double unit = loose ? fmin(info->size, length) : length;
        rows->lever[i] = info->unit == FREEPLAY_ROW_ANGLE ? length : 1;
        rows->unit[i] = fmax(unit, RESOLUTION * length) / rows->lever[i];
    }
}

static bool create(FpRows* rows, const FpSystem* s, bool with_slip) {
    *rows = (FpRows){.system = s, .count = s->row_count};
    if (!allocate(rows, with_slip)) {
        fp_rows_free(rows);
        return false;
    }
    int slope_at = add_constraints(rows);
    if (with_slip) add_slips(rows, slope_at);
    find_magnitudes(rows);
    return true;
}

bool fp_rows_create(FpRows* rows, const FpSystem* system) {
    return create(rows, system, false);
}

bool fp_rows_create_with_slip(FpRows* rows, const FpSystem* system) {
    return create(rows, system, true);
}

void fp_rows_free(FpRows* rows) {
    free(rows->memory);
    free(rows->applies);
    free(rows->info);
    free(rows->row_at);
    free(rows->slope_at);
    free(rows->can_sleep);
    free(rows->open);
    free(rows->slips);
    free(rows->blocks);
    *rows = (FpRows){0};
}

/* Dv = dpsi/dq B of one block of a constraint without a sweep of its own. */
static void multiply_kinematics(FpRows* rows, int block, const double* q, int row_count, int column,
                                int width, double* Dv, int stride) {
    const FpSystem* s = rows->system;
    int nq = s->blocks[block].q_count, nv = s->blocks[block].v_count;
    s->ops->kinematics(s->self, block, q + s->blocks[block].q_at, rows->B);
    for (int i = 0; i < row_count; i++)
        for (int j = 0; j < nv; j++) {
            double sum = 0;
            for (int k = 0; k < nq; k++)
                sum += rows->J[i * width + column + k] * rows->B[k * nv + j];
            Dv[i * stride + j] = sum;
        }
}

static void sweep_by_coordinates(FpRows* rows, const FpConstraint* k, double t, const double* q,
                                 const double* const blocks[], double* psi, double* g,
                                 double* kappa, double* Dv) {
    const FpSystem* s = rows->system;
    int width = fp_constraint_width(s, k), stride = velocity_width(s, k), column = 0, at = 0;
    k->ops->value(k, t, blocks, psi);
    if (k->ops->gap) k->ops->gap(k, t, blocks, g, kappa);
    for (int i = 0; !k->ops->gap && i < k->row_count; i++) {
        g[i] = psi[i];
        kappa[i] = 1;
    }
    k->ops->jacobian(k, t, blocks, rows->J);
    for (int b = 0; b < k->block_count; b++) {
        if (k->blocks[b] < 0) {
            column += FREEPLAY_GROUND_WIDTH;
            continue;
        }
        multiply_kinematics(rows, k->blocks[b], q, k->row_count, column, width, Dv + at, stride);
        column += s->blocks[k->blocks[b]].q_count;
        at += s->blocks[k->blocks[b]].v_count;
    }
}

static void sweep(FpRows* rows, const FpConstraint* k, double t, const double* q, double* psi,
                  double* g, double* kappa, double* Dv) {
    const double* blocks[FREEPLAY_CONSTRAINT_BLOCKS];
    fp_constraint_coordinates(rows->system, k, q, blocks);
    if (k->ops->sweep)
        k->ops->sweep(k, t, blocks, psi, g, kappa, Dv);
    else
        sweep_by_coordinates(rows, k, t, q, blocks, psi, g, kappa, Dv);
}

/* drift = kappa dpsi/dt. */
static void evaluate_drift(FpRows* rows, const FpConstraint* k, double t, const double* q,
                           int row_at) {
    const double* blocks[FREEPLAY_CONSTRAINT_BLOCKS];
    if (!k->ops->rate) return;
    fp_constraint_coordinates(rows->system, k, q, blocks);
    k->ops->rate(k, t, blocks, rows->psi_t, rows->psi_t + k->row_count, rows->J);
    for (int i = 0; i < k->row_count; i++)
        rows->drift[row_at + i] = rows->kappa[row_at + i] * rows->psi_t[i];
}

/* A row that does not apply is open by its size and has no direction. */
static void find_absent(FpRows* rows, const FpConstraint* k, const double* q, int row_at) {
    bool* applies = rows->applies + row_at;
    if (!k->ops->applies) return;
    fp_constraint_applies(rows->system, k, q, applies);
    for (int i = 0; i < k->row_count; i++) {
        if (applies[i]) continue;
        rows->gap[row_at + i] = k->rows[i].size;
        rows->kappa[row_at + i] = 0;
    }
}

/* W^T = kappa dpsi/dv, theory.md (8). */
static void evaluate_constraint(FpRows* rows, int c, double t, const double* q) {
    const FpConstraint* k = rows->system->constraints[c];
    int row_at = rows->row_at[c], stride = velocity_width(rows->system, k);
    double *kappa = rows->kappa + row_at, *Wt = rows->slopes + rows->slope_at[c];
    rows->open[c] = 0;
    sweep(rows, k, t, q, rows->psi, rows->gap + row_at, kappa, Wt);
    find_absent(rows, k, q, row_at);
    for (int i = 0; i < k->row_count; i++)
        for (int j = 0; kappa[i] != 1 && j < stride; j++) Wt[i * stride + j] *= kappa[i];
    evaluate_drift(rows, k, t, q, row_at);
}

static void clear_slip(FpRows* rows, const FpSlip* slip) {
    memset(rows->slopes + slip->slope_at, 0, (size_t)slip->slope_count * sizeof *rows->slopes);
    memset(rows->drift + slip->slip_at, 0, (size_t)slip->count * sizeof *rows->drift);
}

void fp_rows_evaluate_slip(FpRows* rows, const FpSlip* slip, double t, const double* q) {
    const FpConstraint* k = rows->system->constraints[slip->constraint];
    const double* blocks[FREEPLAY_CONSTRAINT_BLOCKS];
    clear_slip(rows, slip);
    fp_constraint_coordinates(rows->system, k, q, blocks);
    k->ops->slip(k, t, blocks, slip->index, rows->slopes + slip->slope_at,
                 rows->drift + slip->slip_at);
}

bool fp_rows_is_held(const FpRows* rows, const FpSlip* slip) {
    return rows->info[slip->row]->kind == FREEPLAY_ROW_VELOCITY;
}

/* A row that is not there, or has no direction, does not slide. */
static void evaluate_slip_if_there(FpRows* rows, const FpSlip* slip, double t, const double* q) {
    bool touches = rows->open[slip->constraint] == 0 && rows->applies[slip->row] &&
                   rows->kappa[slip->row] != 0;
    if (touches || fp_rows_is_held(rows, slip))
        fp_rows_evaluate_slip(rows, slip, t, q);
    else
        clear_slip(rows, slip);
}

static void evaluate_slips(FpRows* rows, double t, const double* q) {
    for (int k = 0; k < rows->slip_count; k++) evaluate_slip_if_there(rows, &rows->slips[k], t, q);
}

static void evaluate_slips_of(FpRows* rows, int c, double t, const double* q) {
    for (int k = 0; k < rows->slip_count; k++)
        if (rows->slips[k].constraint == c) evaluate_slip_if_there(rows, &rows->slips[k], t, q);
}

void fp_rows_slip_rate(const FpRows* rows, const FpSlip* slip, const double* v, double* gamma) {
    const FpSystem* s = rows->system;
    const FpConstraint* k = s->constraints[slip->constraint];
    const double* G = rows->slopes + slip->slope_at;
    for (int i = 0; i < slip->count; i++) {
        gamma[i] = rows->drift[slip->slip_at + i];
        for (int b = 0; b < k->block_count; b++) {
            if (k->blocks[b] < 0) continue;
            const FpBlock* block = &s->blocks[k->blocks[b]];
            gamma[i] += fp_short_product(block->v_count, G, v + block->v_at);
            G += block->v_count;
        }
    }
}

void fp_rows_copy_slip_slopes(const FpRows* rows, double* D) {
    if (rows->slip_count == 0) return;
    int at = rows->slips[0].slope_at; /* those of slip stand behind all others */
    memcpy(D + at, rows->slopes + at, (size_t)(rows->slope_count - at) * sizeof *D);
}

static bool are_finite(const double* values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i])) return false;
    return true;
}

FpStatus fp_rows_evaluate(FpRows* rows, double t, const double* q) {
    rows->any_asleep = false;
    for (int c = 0; c < rows->system->constraint_count; c++) evaluate_constraint(rows, c, t, q);
    evaluate_slips(rows, t, q);
    bool fine = !rows->system->ops->blame || (are_finite(rows->gap, rows->system->row_count) &&
                                              are_finite(rows->drift, rows->count) &&
                                              are_finite(rows->slopes, rows->slope_count));
    return fine ? FREEPLAY_OK : FREEPLAY_NOT_FINITE;
}

/* Its smallest gap, if all rows are distances that may open; otherwise 0. */
static double smallest_gap(FpRows* rows, int c, double t, const double* q) {
    const FpConstraint* k = rows->system->constraints[c];
    double *g = rows->gap + rows->row_at[c], smallest = INFINITY;
    if (!rows->can_sleep[c]) return 0;
    fp_constraint_gaps(rows->system, k, t, q, g, NULL);
    for (int i = 0; i < k->row_count; i++) smallest = fmin(smallest, g[i]);
    return smallest;
}

static double farthest(const FpRows* rows, int c, const double* q, double h, const double* v) {
    const FpSystem* s = rows->system;
    return h * s->ops->gap_speed(s->self, s->constraints[c], q, v);
}

static void lay_asleep(FpRows* rows, int c, double gap) {
    const FpConstraint* k = rows->system->constraints[c];
    size_t slopes = (size_t)(k->row_count * velocity_width(rows->system, k));
    rows->open[c] = gap;
    rows->any_asleep = true;
    memset(rows->slopes + rows->slope_at[c], 0, slopes * sizeof *rows->slopes);
    memset(rows->kappa + rows->row_at[c], 0, (size_t)k->row_count * sizeof *rows->kappa);
}

static bool pushed(const FpRows* rows, int c, const double* lambda) {
    for (int i = 0; i < rows->system->constraints[c]->row_count; i++)
        if (lambda[rows->row_at[c] + i] != 0) return true;
    return false;
}

/* The gap of a constraint that may sleep through the step; 0 if it may not. */
static double far_gap(FpRows* rows, int c, double t, const double* q, double h, const double* v,
                      const double* lambda) {
    double gap = pushed(rows, c, lambda) ? 0 : smallest_gap(rows, c, t, q);
    return gap > 0 && gap > FAR_AWAY * farthest(rows, c, q, h, v) ? gap : 0;
}

void fp_rows_evaluate_near(FpRows* rows, double t, const double* q, double h, const double* v,
                           const double* lambda) {
    rows->any_asleep = false;
    for (int c = 0; c < rows->system->constraint_count; c++) {
        double gap = far_gap(rows, c, t, q, h, v, lambda);
        if (gap > 0)
            lay_asleep(rows, c, gap);
        else
            evaluate_constraint(rows, c, t, q);
    }
    evaluate_slips(rows, t, q);
}

bool fp_rows_update_near(FpRows* rows, double t, const double* q, double h, const double* v,
                         const double* lambda) {
    bool changed = false;
    rows->any_asleep = false;
    for (int c = 0; c < rows->system->constraint_count; c++) {
        double gap = far_gap(rows, c, t, q, h, v, lambda);
        bool was_asleep = rows->open[c] > 0;
        if (gap > 0)
            lay_asleep(rows, c, gap);
        else if (was_asleep)
            evaluate_constraint(rows, c, t, q);
        if (was_asleep == (gap > 0)) continue;
        evaluate_slips_of(rows, c, t, q);
        changed = true;
    }
    return changed;
}

void fp_rows_values(const FpRows* rows, double t, const double* q, bool all, double* psi) {
    const FpSystem* s = rows->system;
    const double* blocks[FREEPLAY_CONSTRAINT_BLOCKS];
    for (int c = 0; c < s->constraint_count; c++) {
        const FpConstraint* k = s->constraints[c];
        double* out = psi + rows->row_at[c];
        if (rows->open[c] > 0 && !all) {
            for (int i = 0; i < k->row_count; i++) out[i] = rows->open[c];
            continue;
        }
        fp_constraint_coordinates(s, k, q, blocks);
        k->ops->value(k, t, blocks, out);
    }
}

bool fp_rows_wake(FpRows* rows, double t, const double* q, double h, const double* v) {
    bool any = false;
    for (int c = 0; rows->any_asleep && c < rows->system->constraint_count; c++) {
        if (rows->open[c] == 0) continue;
        if (v && rows->open[c] > NEAR * farthest(rows, c, q, h, v)) continue;
        evaluate_constraint(rows, c, t, q);
        evaluate_slips_of(rows, c, t, q);
        any = true;
    }
    return any;
}

static void sweep_asleep(const FpRows* rows, int c, double* psi, double* D) {
    const FpConstraint* k = rows->system->constraints[c];
    size_t slopes = (size_t)(k->row_count * velocity_width(rows->system, k));
    for (int i = 0; i < k->row_count; i++) psi[i] = rows->open[c];
    memset(D, 0, slopes * sizeof *D);
}

void fp_rows_sweep(FpRows* rows, double t, const double* q, double* psi, double* D) {
    const FpSystem* s = rows->system;
    for (int c = 0; c < s->constraint_count; c++) {
        const FpConstraint* k = s->constraints[c];
        double *g = rows->psi + k->row_count, *at = D + rows->slope_at[c];
        if (rows->open[c] > 0)
            sweep_asleep(rows, c, psi + rows->row_at[c], at);
        else
            sweep(rows, k, t, q, psi + rows->row_at[c], g, g + k->row_count, at);
    }
}

/* row T of the velocities that T turns; its rows are n apart. */
static void turn_row(int n, int count, const double* T, double* row) {
    double turned[FREEPLAY_BLOCK_V_MAX];
    if (count == 3) {
        double a = row[0], b = row[1], c = row[2];
        for (int j = 0; j < 3; j++) row[j] = a * T[j] + b * T[n + j] + c * T[2 * n + j];
        return;
    }
    memset(turned, 0, (size_t)count * sizeof *turned);
    for (int k = 0; k < count; k++)
        for (int j = 0; j < count; j++) turned[j] += row[k] * T[k * n + j];
    memcpy(row, turned, (size_t)count * sizeof *turned);
}

void fp_rows_turn_slopes(const FpRows* rows, const double* const* T, double* D) {
    for (int p = 0; p < rows->block_count; p++) {
        const FpRowBlock* part = &rows->blocks[p];
        const double* map = T[part->block];
        int n = part->v_count, plain = rows->system->blocks[part->block].plain;
        if (!map || part->row_at >= rows->system->row_count) continue;
        map += (n + 1) * plain;
        for (int i = 0; i < part->row_count; i++)
            turn_row(n, n - plain, map, D + part->slope_at + i * part->stride + plain);
    }
}

void fp_rows_rates(const FpRows* rows, const double* v, double* out) {
    memset(out, 0, (size_t)rows->count * sizeof *out);
    for (int b = 0; b < rows->block_count; b++) {
        const FpRowBlock* block = &rows->blocks[b];
        fp_short_add_products(block->v_count, block->row_count, block->stride, block->Wt,
                              v + block->v_at, out + block->row_at);
    }
}

void fp_rows_speeds(const FpRows* rows, const double* v, double* out) {
    fp_rows_rates(rows, v, out);
    for (int i = 0; i < rows->count; i++) out[i] += rows->drift[i];
}

void fp_rows_impact(const FpRows* rows, double h, const double* v, const double* before,
                    double* psi) {
    fp_rows_speeds(rows, v, psi);
    for (int i = 0; i < rows->count; i++) {
        const FpRow* row = rows->info[i];
        bool slides = i >= rows->system->row_count;
        double e = slides ? row->tangential_restitution : row->restitution;
        psi[i] = h * (psi[i] + e * before[i]);
    }
}

void fp_rows_add_forces(const FpRows* rows, const double* lambda, double* out) {
    for (int b = 0; b < rows->block_count; b++) {
        const FpRowBlock* block = &rows->blocks[b];
        fp_short_add_rows(block->v_count, block->row_count, block->stride, 1,
                          lambda + block->row_at, block->Wt, out + block->v_at);
    }
}

void fp_rows_add_force_sizes(const FpRows* rows, double h, const double* lambda, double* out) {
    for (int b = 0; b < rows->block_count; b++) {
        const FpRowBlock* block = &rows->blocks[b];
        double* f = out + block->v_at;
        for (int i = 0; i < block->row_count; i++) {
            const double* Wt = block->Wt + i * block->stride;
            double push = fabs(h * lambda[block->row_at + i]);
            if (push != 0) fp_short_add_sizes(block->v_count, push, Wt, f);
        }
    }
}

double fp_rows_lever(const FpRows* rows, int row) {
    return rows->lever[row];
}

double fp_rows_unit(const FpRows* rows, int row) {
    return rows->unit[row];
}

double fp_rows_felt_mass(const FpRows* rows, const double* compliance) {
    double sum = 0;
    int count = 0;
    for (int i = 0; i < rows->count; i++) {
        if (!(compliance[i] > 0)) continue;
        double arm = rows->lever[i];
        sum += compliance[i] * arm * arm;
        count++;
    }
    return count ? count / sum : rows->system->scales.mass;
}
