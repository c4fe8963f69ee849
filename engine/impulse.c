#include "engine/impulse.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/arena.h"

#define TURN_LIMIT 50   /* of the iteration for v of (51) */
#define RESOLVED   1e-7 /* of the length: a smaller distance would be noise to a solver */
#define BEFORE     (1 + FREEPLAY_CONE_MAX) /* forces of a contact, at most */
#define RESOLUTION (16 * DBL_EPSILON / FREEPLAY_CERTIFICATE_LIMIT)

/* Creation ------------------------------------------------------------------------------------- */

static void lay_out(FpImpulse* s, FpArena* arena, size_t slopes, size_t slips) {
    size_t n = (size_t)s->nlp.n, m = (size_t)s->nlp.m, nv = (size_t)s->nv, nr = (size_t)s->nr;
    double** const of_variables[] = {&s->x_lower, &s->x_upper, &s->x_scale};
    double** const of_constraints[] = {&s->g_lower, &s->g_upper, &s->g_scale, &s->g_unit,
                                       &s->g_noise};
    double** const of_velocities[] = {
        &s->v_reference, &s->momentum, &s->acceleration, &s->v_free,     &s->v_hat,
        &s->v,           &s->turn,     &s->p_work,       &s->force_work, &s->velocity_work};
    double** const of_rows[] = {&s->unit, &s->noise, &s->force, &s->compliance,
                                &s->psi,  &s->rates, &s->lever, &s->gap_unit};
    double** const of_slopes[] = {&s->solved, &s->D};
    for (int k = 0; k < 3; k++) *of_variables[k] = fp_arena_part(arena, n);
    for (int k = 0; k < 5; k++) *of_constraints[k] = fp_arena_part(arena, m);
    for (int k = 0; k < 10; k++) *of_velocities[k] = fp_arena_part(arena, nv);
    for (int k = 0; k < 8; k++) *of_rows[k] = fp_arena_part(arena, nr);
    for (int k = 0; k < 2; k++) *of_slopes[k] = fp_arena_part(arena, slopes);
    s->zero = fp_arena_part(arena, nv + nr);
    s->before = fp_arena_part(arena, BEFORE * slips);
}

static bool allocate(FpImpulse* s, const FpRows* rows) {
    size_t n = (size_t)s->nlp.n, nr = (size_t)s->nr, slips = (size_t)rows->slip_count;
    size_t blocks = (size_t)s->system->block_count, parts = (size_t)rows->block_count;
    FpArena arena = {0};
    lay_out(s, &arena, (size_t)rows->slope_count, slips);
    s->memory = arena.memory = calloc(arena.used + 1, sizeof(double));
    s->pairs = calloc(nr + 1, sizeof *s->pairs);
    s->cones = calloc(slips + 1, sizeof *s->cones);
    s->structure_cones = calloc(slips + 1, sizeof *s->structure_cones);
    s->parts = calloc(parts + 1, sizeof *s->parts);
    s->first_part = calloc(nr + blocks + parts + 1, sizeof *s->first_part);
    s->flags = calloc(3 * nr + n + slips + 1, sizeof *s->flags);
    if (!s->memory || !s->pairs || !s->cones || !s->structure_cones || !s->parts ||
        !s->first_part || !s->flags)
        return false;
    arena.used = 0;
    lay_out(s, &arena, (size_t)rows->slope_count, slips);
    s->block_first = s->first_part + nr;
    s->block_next = s->block_first + blocks;
    s->takes_part = s->flags;
    s->bilateral = s->takes_part + nr;
    s->applies = s->bilateral + nr;
    s->least_norm = s->applies + nr;
    s->continues = s->least_norm + n;
    return true;
}

void fp_impulse_free(FpImpulse* s) {
    free(s->memory);
    free(s->pairs);
    free(s->cones);
    free(s->structure_cones);
    free(s->parts);
    free(s->first_part);
    free(s->flags);
    *s = (FpImpulse){0};
}

/* Pairs and cones stand for all rows; those that take no part are held at 0 by their bounds. */
static void list_laws(FpImpulse* s, const FpRows* rows) {
    FpNlp* p = &s->nlp;
    for (int i = 0; i < s->system->row_count; i++) {
        s->bilateral[i] = rows->info[i]->kind == FREEPLAY_ROW_BILATERAL;
        if (!s->bilateral[i]) s->pairs[p->pair_count++] = (FpNlpPair){s->nv + i, s->nv + i};
    }
    for (int k = 0; k < rows->slip_count; k++) {
        const FpSlip* slip = &rows->slips[k];
        double friction = rows->info[slip->row]->friction;
        if (fp_rows_is_held(rows, slip)) {
            /* Equations: the cone has no component left. */
            for (int i = 0; i < slip->count; i++) s->bilateral[slip->slip_at + i] = true;
            s->cones[k] = (FpNlpCone){.normal = s->nv + slip->row};
            s->structure_cones[k] = (FpStructureCone){.row = slip->row};
            continue;
        }
        s->cones[k] = (FpNlpCone){.normal = s->nv + slip->row,
                                  .variable = s->nv + slip->slip_at,
                                  .constraint = s->nv + slip->slip_at,
                                  .count = slip->count,
                                  .friction = friction};
        s->structure_cones[k] = (FpStructureCone){
            .row = slip->row, .slip_at = slip->slip_at, .count = slip->count, .friction = friction};
    }
    p->pairs = s->pairs;
    p->cones = s->cones;
    p->cone_count = rows->slip_count;
}

static bool is_slip(const FpImpulse* s, int row) {
    return row >= s->system->row_count;
}

/* Whether the row is of slip that has friction. */
static bool is_rubbing(const FpImpulse* s, int row) {
    return is_slip(s, row) && !s->bilateral[row];
}

/* The functions of the program ----------------------------------------------------------------- */

static bool objective(void* context, const double* x, double* f) {
    FpImpulse* s = context;
    *f = fp_least_constraint(&s->least, x + s->nv);
    return true;
}

static bool gradient(void* context, const double* x, double* grad) {
    FpImpulse* s = context;
    memset(grad, 0, (size_t)s->nv * sizeof *grad);
    fp_least_constraint_gradient(&s->least, x + s->nv, grad + s->nv);
    return true;
}

/* sum_i y_i h D_ij of the rows, y beginning with those of the rows. */
static void weigh_slopes(FpImpulse* s, const double* v, const double* y, double* out) {
    s->ops->slopes(s->self, v, s->D);
    memset(out, 0, (size_t)s->nv * sizeof *out);
    for (int b = 0; b < s->rows->block_count; b++) {
        const FpRowBlock* part = &s->rows->blocks[b];
        for (int i = 0; i < part->row_count; i++)
            for (int k = 0; k < part->v_count; k++)
                out[part->v_at + k] +=
                    y[part->row_at + i] * s->h * s->D[part->slope_at + i * part->stride + k];
    }
}

/* The objective has 2 N; the curvature of the rows comes from differences of their slopes, for
 * solvers of general programs only. That of the momentum is of the order of h^2 and left out. */
static bool hessian(void* context, const double* x, double f_weight, const double* y,
                    FpTriplets* H) {
    FpImpulse* s = context;
    fp_least_constraint_hessian(&s->least, s->solved, f_weight, s->nv, H);
    double *v = s->v, *before = s->p_work, *after = s->velocity_work;
    bool curved = s->ops->slopes != NULL;
    s->is_settled = false;
    memcpy(v, x, (size_t)s->nv * sizeof *v);
    for (int j = 0; j < s->nv; j++) {
        double step = cbrt(DBL_EPSILON) * fmax(fabs(x[j]), s->x_scale[j]);
        for (int side = 0; side < 2 && curved; side++) {
            v[j] = x[j] + (side ? step : -step);
            weigh_slopes(s, v, y + s->nv, side ? after : before);
        }
        v[j] = x[j];
        for (int i = j; i < s->nv; i++)
            fp_triplets_add(H, i, j, curved ? (after[i] - before[i]) / (2 * step) : 0);
    }
    return true;
}

static void find_forces(FpImpulse* s, const double* x) {
    memset(s->force_work, 0, (size_t)s->nv * sizeof *s->force_work);
    fp_rows_add_forces(s->rows, x + s->nv, s->force_work);
}

/* p(v), in p_work. */
static bool find_momentum(FpImpulse* s, const double* v) {
    if (s->ops->momentum) return s->ops->momentum(s->self, v, s->p_work) == FREEPLAY_OK;
    memcpy(s->p_work, s->momentum, (size_t)s->nv * sizeof *s->p_work);
    return true;
}

static bool constraints(void* context, const double* x, double* g) {
    FpImpulse* s = context;
    if (!find_momentum(s, x)) return false;
    find_forces(s, x);
    fp_mass_multiply(s->mass, x, g);
    for (int j = 0; j < s->nv; j++) g[j] -= s->p_work[j] + s->h * s->force_work[j];
    return s->ops->rows(s->self, x, true, g + s->nv);
}

/* |M v| + |p| + h |W| |lambda|. */
static bool terms(void* context, const double* x, double* out) {
    FpImpulse* s = context;
    if (!find_momentum(s, x)) return false;
    fp_mass_multiply_sizes(s->mass, x, out);
    for (int j = 0; j < s->nv; j++) out[j] += fabs(s->p_work[j]);
    fp_rows_add_force_sizes(s->rows, s->h, x + s->nv, out);
    return true;
}

/* dp/dv of the blocks by differences: p is M v0 and half a step of gentle forces, and what they
 * leave of a digit costs Newton's method a step at most. All stages have these entries, so that
 * their programs are of one pattern. */
static bool add_momentum_jacobian(FpImpulse* s, const double* x, FpTriplets* J) {
    const FpSystem* sys = s->system;
    double *p = s->velocity_work, *v = s->v;
    bool moves = s->ops->momentum != NULL;
    s->is_settled = false;
    if (!find_momentum(s, x)) return false;
    memcpy(p, s->p_work, (size_t)s->nv * sizeof *p);
    memcpy(v, x, (size_t)s->nv * sizeof *v);
    for (int b = 0; b < sys->block_count; b++)
        for (int j = sys->blocks[b].v_at; j < sys->blocks[b].v_at + sys->blocks[b].v_count; j++) {
            double step = sqrt(DBL_EPSILON) * fmax(fabs(x[j]), s->x_scale[j]);
            v[j] = x[j] + step;
            if (moves && !find_momentum(s, v)) return false;
            v[j] = x[j];
            for (int i = sys->blocks[b].v_at; i < sys->blocks[b].v_at + sys->blocks[b].v_count; i++)
                fp_triplets_add(J, i, j, -(s->p_work[i] - p[i]) / step);
        }
    return true;
}

static bool jacobian(void* context, const double* x, FpTriplets* J) {
    FpImpulse* s = context;
    for (int b = 0; b < s->system->block_count; b++) {
        const FpBlock* block = &s->system->blocks[b];
        int n = block->v_count, at = block->v_at;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                fp_triplets_add(J, at + i, at + j, s->mass->M[b][n * i + j]);
    }
    if (!add_momentum_jacobian(s, x, J)) return false;
    const double* D = s->rows->slopes;
    if (s->ops->slopes) {
        s->ops->slopes(s->self, x, s->D);
        D = s->D;
    }
    for (int b = 0; b < s->rows->block_count; b++) {
        const FpRowBlock* part = &s->rows->blocks[b];
        for (int i = 0; i < part->row_count; i++)
            for (int k = 0; k < part->v_count; k++) {
                int at = part->slope_at + i * part->stride + k, row = s->nv + part->row_at + i;
                fp_triplets_add(J, part->v_at + k, row, -s->h * s->rows->slopes[at]);
                fp_triplets_add(J, row, part->v_at + k, s->h * D[at]);
            }
    }
    return true;
}

/* As a structured problem ------------------------------------------------------------------------
 *
 * Its velocity is v^ = v_free + h M^-1 W lambda, with p at the reference; the velocity itself is
 *
 *   v = v^ + M^-1 (p(v) - p(v_reference)),     theory.md (51). */
static bool settle(FpImpulse* s, const double* v_hat, double* v) {
    if (!s->ops->momentum) {
        memcpy(v, v_hat, (size_t)s->nv * sizeof *v);
        return true;
    }
    for (int j = 0; j < s->nv; j++) v[j] = v_hat[j] + s->turn[j];
    for (int k = 0; k < TURN_LIMIT; k++) {
        if (!find_momentum(s, v)) return false;
        for (int j = 0; j < s->nv; j++) s->p_work[j] -= s->momentum[j];
        fp_mass_solve(s->mass, s->p_work, s->turn);
        double change = 0, size = 0;
        for (int j = 0; j < s->nv; j++) {
            double next = v_hat[j] + s->turn[j];
            double by = fabs(next - v[j]), to = fabs(next);
            if (!(by <= change)) change = by;
            if (to > size) size = to;
            v[j] = next;
        }
        if (change <= 2 * DBL_EPSILON * size) return true;
    }
    return false;
}

/* The velocity of v^ in s->v. A solver asks for rows and then for their slopes, and at last for the
 * whole point, with the same v^: settled once. */
static bool settle_once(FpImpulse* s, const double* v_hat) {
    size_t size = (size_t)s->nv * sizeof *v_hat;
    if (s->is_settled && memcmp(s->v_hat, v_hat, size) == 0) return true;
    memcpy(s->v_hat, v_hat, size);
    return s->is_settled = settle(s, v_hat, s->v);
}

static bool rows_of_structure(void* context, double h, const double* v_hat, double* psi,
                              double* D) {
    (void)h;
    FpImpulse* s = context;
    if (!settle_once(s, v_hat) || !s->ops->rows(s->self, s->v, false, psi)) return false;
    if (D && s->ops->slopes)
        s->ops->slopes(s->self, s->v, D);
    else if (D)
        memcpy(D, s->rows->slopes, (size_t)s->rows->slope_count * sizeof *D);
    return true;
}

static void complete(void* context, double h, const double* v_hat, const double* lambda,
                     const double* row_multipliers, const double* D, FpNlpPoint* point) {
    (void)h, (void)row_multipliers, (void)D;
    FpImpulse* s = context;
    (void)settle_once(s, v_hat); /* as it did before */
    memcpy(point->x, s->v, (size_t)s->nv * sizeof *s->v);
    memcpy(point->x + s->nv, lambda, (size_t)s->nr * sizeof *lambda);
    memset(point->y, 0, (size_t)s->nlp.m * sizeof *point->y);
    memset(point->z, 0, (size_t)s->nlp.n * sizeof *point->z);
}

static void chain_parts(FpImpulse* s, const FpRows* rows) {
    for (int b = 0; b < s->system->block_count; b++) s->block_first[b] = -1;
    for (int p = rows->block_count - 1; p >= 0; p--) {
        const FpRowBlock* block = &rows->blocks[p];
        s->parts[p] = (FpStructurePart){.row_at = block->row_at,
                                        .row_count = block->row_count,
                                        .block = block->block,
                                        .v_at = block->v_at,
                                        .v_count = block->v_count,
                                        .at = block->slope_at,
                                        .stride = block->stride};
        s->block_next[p] = s->block_first[block->block];
        s->block_first[block->block] = p;
        for (int i = 0; i < block->row_count; i++) s->first_part[block->row_at + i] = p;
    }
}

static void describe_structure(FpImpulse* s, const FpRows* rows) {
    chain_parts(s, rows);
    s->structure = (FpStructure){.v_count = s->nv,
                                 .row_count = s->nr,
                                 .part_count = rows->block_count,
                                 .slope_count = rows->slope_count,
                                 .cone_count = rows->slip_count,
                                 .cones = s->structure_cones,
                                 .parts = s->parts,
                                 .first_part = s->first_part,
                                 .block_first = s->block_first,
                                 .block_next = s->block_next,
                                 .weight = s->lever,
                                 .gap = s->zero,
                                 .drift = s->zero,
                                 .v0 = s->v_free,
                                 .a = s->zero,
                                 .force = s->force,
                                 .bilateral = s->bilateral,
                                 .applies = s->applies,
                                 .unit = s->noise,
                                 .force_at = s->nv,
                                 .context = s,
                                 .rows = rows_of_structure,
                                 .complete = complete};
}

bool fp_impulse_create(FpImpulse* s, const FpSystem* system, const FpRows* rows, void* self) {
    *s = (FpImpulse){.system = system, .self = self, .nv = system->v_count, .nr = rows->count};
    s->nlp.n = s->nlp.m = s->nv + s->nr;
    if (!allocate(s, rows)) {
        fp_impulse_free(s);
        return false;
    }
    list_laws(s, rows);
    for (int i = 0; i < s->nr; i++) {
        s->lever[i] = fp_rows_lever(rows, i);
        s->gap_unit[i] = fp_rows_unit(rows, i);
    }
    for (int j = s->nv; j < s->nlp.n; j++) s->least_norm[j] = true;
    describe_structure(s, rows);
    FpNlp* p = &s->nlp;
    p->x_lower = s->x_lower;
    p->x_upper = s->x_upper;
    p->g_lower = s->g_lower;
    p->g_upper = s->g_upper;
    p->x_scale = s->x_scale;
    p->g_scale = s->g_scale;
    p->g_unit = s->g_unit;
    p->g_noise = s->g_noise;
    p->least_norm = s->least_norm;
    p->determined = true;
    p->context = s;
    p->objective = objective;
    p->gradient = gradient;
    p->constraints = constraints;
    p->jacobian = jacobian;
    p->hessian = hessian;
    p->terms = terms;
    return true;
}

/* Posing --------------------------------------------------------------------------------------- */

void fp_impulse_slip_follows(FpImpulse* s) {
    for (int k = 0; k < s->rows->slip_count; k++) {
        const FpSlip* slip = &s->rows->slips[k];
        for (int i = 0; i < slip->count; i++)
            s->takes_part[slip->slip_at + i] =
                s->takes_part[slip->row] || fp_rows_is_held(s->rows, slip);
    }
}

void fp_impulse_continue(FpImpulse* s, int slip_index, const double* before) {
    const FpSlip* slip = &s->rows->slips[slip_index];
    double* out = s->before + BEFORE * slip_index;
    s->continues[slip_index] = before != NULL;
    if (!before) return;
    out[0] = before[slip->row];
    memcpy(out + 1, before + slip->slip_at, (size_t)slip->count * sizeof *out);
}

void fp_impulse_measure_gaps(FpImpulse* s) {
    for (int i = 0; i < s->system->row_count; i++) {
        s->unit[i] = s->gap_unit[i];
        s->noise[i] = s->system->scales.length / s->lever[i];
    }
}

void fp_impulse_measure_ways(FpImpulse* s, int first, const double* v) {
    double longest = 0;
    for (int b = 0; b < s->rows->block_count; b++) {
        const FpRowBlock* part = &s->rows->blocks[b];
        for (int i = 0; i < part->row_count; i++) {
            const double* W = part->Wt + i * part->stride;
            double sum = 0;
            for (int k = 0; k < part->v_count; k++) {
                int j = part->v_at + k;
                double change = s->h * fabs(s->acceleration[j]); /* all of it, at rest */
                sum += fabs(W[k]) * (fabs(v[j]) + fabs(s->v_reference[j]) + change);
            }
            sum *= s->lever[part->row_at + i];
            if (sum > longest) longest = sum;
        }
    }
    double way = fmax(s->h * longest, RESOLUTION * s->system->scales.length);
    for (int i = first; i < s->nr; i++) s->unit[i] = s->noise[i] = way / s->lever[i];
}

static void set_bounds(FpImpulse* s) {
    const double none = FREEPLAY_NO_BOUND;
    for (int j = 0; j < s->nv; j++) {
        s->x_lower[j] = -none;
        s->x_upper[j] = none;
        s->g_lower[j] = s->g_upper[j] = 0;
    }
    for (int i = 0; i < s->nr; i++) {
        int j = s->nv + i;
        bool there = s->takes_part[i], two_sided = is_slip(s, i) || s->bilateral[i];
        s->x_lower[j] = there && two_sided ? -none : 0;
        s->x_upper[j] = there ? none : 0;
        s->g_lower[j] = there && !is_rubbing(s, i) ? 0 : -none;
        s->g_upper[j] = there && s->bilateral[i] ? 0 : none;
        s->applies[i] = there && !is_rubbing(s, i);
    }
}

/* fmax without a call, where no number is NaN. */
static double larger(double a, double b) {
    return a > b ? a : b;
}

/* The distance that forces have to correct, and what follows from it, theory.md (26). */
static void set_scales(FpImpulse* s, const double* psi) {
    double *rates = s->rates, l = 0, load = 0;
    double length = s->system->scales.length, h = s->h;
    fp_rows_rates(s->rows, s->acceleration, rates);
    for (int i = 0; i < s->nr; i++) {
        if (!s->takes_part[i]) continue;
        double wrong = is_slip(s, i) || s->bilateral[i] ? fabs(psi[i]) : -psi[i];
        double arm = s->lever[i];
        l = larger(l, arm * larger(wrong, h * h * fabs(rates[i])));
        if (s->compliance[i] > 0) load = larger(load, fabs(rates[i]) / (s->compliance[i] * arm));
    }
    l = l > 0 ? larger(l, RESOLVED * length) : length;
    double mass = fp_rows_felt_mass(s->rows, s->compliance), force = mass * l / (h * h);
    for (int b = 0; b < s->system->block_count; b++) {
        const FpBlock* block = &s->system->blocks[b];
        for (int i = 0; i < block->v_count; i++) {
            double M = s->mass->M[b][i * block->v_count + i], v = l / h * sqrt(mass / M);
            s->x_scale[block->v_at + i] = v;
            s->g_scale[block->v_at + i] = M * v;
            s->g_unit[block->v_at + i] = 0;
        }
    }
    for (int i = 0; i < s->nr; i++) {
        double arm = s->lever[i];
        s->x_scale[s->nv + i] = force * arm;
        s->g_scale[s->nv + i] = larger(l / arm, fabs(psi[i]));
        s->g_unit[s->nv + i] = s->unit[i];
        s->g_noise[s->nv + i] = s->noise[i];
    }
    s->nlp.f_scale = force * force / mass;
    s->nlp.pair_unit = larger(load, force);
}

static void bind_cones(FpImpulse* s) {
    for (int k = 0; k < s->rows->slip_count; k++) {
        FpStructureCone* cone = &s->structure_cones[k];
        cone->applies = cone->count > 0 && s->takes_part[cone->slip_at];
        cone->before = s->continues[k] ? s->before + BEFORE * k : NULL;
        s->cones[k].before = cone->before;
    }
}

static void bind_mass(FpImpulse* s) {
    for (int p = 0; p < s->structure.part_count; p++) {
        FpStructurePart* part = &s->parts[p];
        part->inverse_mass = s->mass->inverse[part->block];
        part->is_diagonal = &s->mass->diagonal[part->block];
    }
}

void fp_impulse_rows_woke(FpImpulse* s) {
    fp_least_constraint_solve_rows(&s->least, s->solved, s->compliance);
}

FpStatus fp_impulse_pose(FpImpulse* s, const FpImpulseOps* ops, const FpNlp** nlp,
                         FpNlpPoint* point) {
    s->ops = ops;
    s->least = (FpLeastConstraint){s->rows, s->mass, s->force_work, s->velocity_work};
    bind_mass(s);
    bind_cones(s);
    if (s->version == 0 || s->version != s->solved_version) fp_impulse_rows_woke(s);
    s->solved_version = s->version;
    fp_mass_solve(s->mass, s->momentum, s->v_free);
    memset(s->turn, 0, (size_t)s->nv * sizeof *s->turn);
    s->is_settled = false;
    double* x = point->x;
    if (!settle_once(s, s->v_free) || !ops->rows(s->self, s->v, false, s->psi))
        return FREEPLAY_NOT_FINITE;
    memcpy(x, s->v, (size_t)s->nv * sizeof *x);
    set_bounds(s);
    set_scales(s, s->psi);
    for (int i = 0; i < s->nr; i++) {
        if (!s->takes_part[i]) s->force[i] = 0;
        x[s->nv + i] = s->force[i];
    }
    s->structure.slopes = s->rows->slopes;
    s->structure.linear = !ops->slopes;
    s->structure.h = s->h;
    s->structure.version = s->version;
    s->nlp.structure = &s->structure;
    *nlp = &s->nlp;
    return FREEPLAY_OK;
}

void fp_impulse_describe(const FpImpulse* s, const char* rows_mean, int constraint, char* text,
                         size_t size) {
    const FpSystem* sys = s->system;
    for (int b = 0; b < sys->block_count; b++) {
        int i = constraint - sys->blocks[b].v_at;
        if (i < 0 || i >= sys->blocks[b].v_count) continue;
        char name[128];
        sys->ops->velocity_name(sys->self, b, i, name, sizeof name);
        snprintf(text, size, "equation of motion of %s", name);
        return;
    }
    int row = constraint - s->nv;
    const char* slides = "";
    for (int k = 0; k < s->rows->slip_count && is_slip(s, row); k++) {
        const FpSlip* slip = &s->rows->slips[k];
        if (row < slip->slip_at || row >= slip->slip_at + slip->count) continue;
        row = slip->row;
        slides = "slip of ";
    }
    for (int c = 0; c < sys->constraint_count; c++) {
        const FpConstraint* k = sys->constraints[c];
        int i = row - s->rows->row_at[c];
        if (i >= 0 && i < k->row_count)
            snprintf(text, size, "%sjoint '%s', row %d (%s), %s", slides, k->name, i,
                     k->rows[i].label, rows_mean);
    }
}
