/* Pivoting on the active set of a least-constraint problem, theory.md section 10.
 *
 * Given the rows A that push, psi_A(h, v_free + h M^-1 W_A lambda_A) = 0 is solved by Newton's
 * method with the symmetric N_AA = W_A^T M^-1 W_A in place of D_A M^-1 W_A: it is factorized once,
 * and its error is that of the turn of the normals within a step. Where that is too much, D_A M^-1
 * W_A itself is taken. Rows that would pull leave A, rows that would penetrate enter it. */
#include "nlp/structured.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/short_vectors.h"
#include "nlp/structured_impl.h"

#define NEWTON_LIMIT 40
#define SLOW         0.05        /* a residual that shrinks by less wants the true Jacobian */
#define CLOSED       DBL_EPSILON /* of its unit: a smaller residual is none */
#define OPEN         (16 * DBL_EPSILON) /* of its unit: a larger penetration is one */
#define TOUCHING     (64 * DBL_EPSILON) /* of its unit: a smaller gap is closed */
#define NO_FORCE     1e-13              /* of the largest: a smaller one that pulls does not */
#define STALLED      1e-12 /* of its unit: a residual that shrinks no more is round-off */
#define REPEATS      1e-10 /* of N_jj: row j is a combination of others if they leave less */
#define ADMISSIONS   5     /* per row, before one-at-a-time pivoting gives up */
#define FEW          8     /* rows: with fewer it is taken at once for the multipliers */

/* Room ----------------------------------------------------------------------------------------- */

static void release(FpStructured* s) {
    FpLinsys* linsys = s->linsys;
    free(s->memory);
    free(s->indices);
    free(s->flags);
    free(s->start);
    free(s->value);
    free(s->products);
    free(s->effect);
    free(s->must_push);
    fp_least_norm_destroy(s->least);
    fp_unsymmetric_destroy(s->unsymmetric);
    fp_structured_range_destroy(s->range);
    fp_structured_friction_destroy(s->friction);
    *s = (FpStructured){.linsys = linsys};
}

static void* create(void) {
    FpStructured* s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->linsys = fp_linsys_create(FREEPLAY_LINSYS_AUTO);
    if (s->linsys) return s;
    free(s);
    return NULL;
}

static void destroy(void* self) {
    FpStructured* s = self;
    if (!s) return;
    release(s);
    fp_linsys_destroy(s->linsys);
    free(s);
}

static bool allocate(FpStructured* s, const FpStructure* st) {
    if (s->memory && s->row_count == st->row_count && s->v_count == st->v_count &&
        s->slope_count == st->slope_count)
        return true;
    release(s);
    size_t nr = (size_t)st->row_count, nv = (size_t)st->v_count, ns = (size_t)st->slope_count;
    size_t dense = nr < FREEPLAY_STRUCTURED_DENSE ? nr : FREEPLAY_STRUCTURED_DENSE;
    s->memory = calloc(3 * nv + 6 * nr + 2 * ns + dense * dense + 1, sizeof *s->memory);
    s->indices = calloc(3 * nr + 1, sizeof *s->indices);
    s->flags = calloc(3 * nr + 1, sizeof *s->flags);
    if (!s->memory || !s->indices || !s->flags) return false;
    double** const vectors[] = {&s->v_free, &s->v, &s->momentum};
    double** const of_rows[] = {&s->lambda, &s->psi, &s->y, &s->rhs, &s->saved, &s->rest};
    double* at = s->memory;
    for (int k = 0; k < 3; k++, at += nv) *vectors[k] = at;
    for (int k = 0; k < 6; k++, at += nr) *of_rows[k] = at;
    s->own_solved = at;
    s->D = s->own_solved + ns;
    s->dense = s->D + ns;
    s->active = s->indices;
    s->place = s->active + nr;
    s->pivots = s->place + nr;
    s->is_active = s->flags;
    s->has_solved = s->is_active + nr;
    s->was_active = s->has_solved + nr;
    s->row_count = st->row_count;
    s->v_count = st->v_count;
    s->slope_count = st->slope_count;
    return true;
}

FpStatus fp_structured_begin(FpStructured* s, const FpNlp* nlp) {
    const FpStructure* st = nlp->structure;
    if (!allocate(s, st)) return FREEPLAY_OUT_OF_MEMORY;
    s->st = st;
    s->weight = st->weight ? st->weight : nlp->x_scale + st->force_at;
    s->solved = st->solved ? st->solved : s->own_solved;
    s->determined = nlp->determined;
    s->iterations = 0;
    bool same = st->version != 0 && s->version == st->version;
    s->version = st->version;
    for (int i = 0; i < s->row_count; i++) {
        s->has_solved[i] = same && s->has_solved[i];
        s->is_active[i] = st->applies[i] && (st->bilateral[i] || st->force[i] > 0);
        s->lambda[i] = s->is_active[i] ? st->force[i] : 0;
    }
    return FREEPLAY_OK;
}

/* The step of a given h -------------------------------------------------------------------------
 */

/* v = v_free + h M^-1 W lambda; rows that do not push have lambda = 0. */
static void push(FpStructured* s, double h) {
    memcpy(s->v, s->v_free, (size_t)s->v_count * sizeof *s->v);
    for (const FpStructurePart *part = s->st->parts, *end = part + s->st->part_count; part < end;
         part++)
        fp_short_add_rows(part->v_count, part->row_count, part->stride, h, s->lambda + part->row_at,
                          s->solved + part->at, s->v + part->v_at);
}

void fp_structured_follow_forces(FpStructured* s, double h) {
    for (int j = 0; j < s->v_count; j++) s->v_free[j] = s->st->v0[j] + h * s->st->a[j];
    push(s, h);
}

/* v, and psi there. */
bool fp_structured_move(FpStructured* s, double h, double* D) {
    push(s, h);
    return s->st->rows(s->st->context, h, s->v, s->psi, D);
}

/* The largest residual of the active rows, in their units. */
static double residual(const FpStructured* s) {
    double largest = 0;
    for (int k = 0; k < s->active_count; k++) {
        int i = s->active[k];
        double now = fabs(s->psi[i]), unit = s->st->unit[i];
        if (!(now <= largest * unit)) largest = now / unit;
    }
    return largest;
}

static double largest_force(const FpStructured* s) {
    double largest = 0;
    for (int k = 0; k < s->active_count; k++) {
        int i = s->active[k];
        largest = fmax(largest, fabs(s->lambda[i]) / s->weight[i]);
    }
    return largest;
}

/* psi and D where the rows are now. */
static bool derive(FpStructured* s, double h) {
    s->has_true_factor = false;
    return s->st->rows(s->st->context, h, s->v, s->psi, s->D);
}

/* One Newton step for the active rows. */
static FpStatus newton_step(FpStructured* s, double h, bool true_jacobian) {
    for (int k = 0; k < s->active_count; k++) s->rhs[k] = -s->psi[s->active[k]] / (h * h);
    FpStatus status = FREEPLAY_OK;
    if (!true_jacobian)
        status = fp_structured_solve(s, s->rhs);
    else if (!fp_structured_solve_true(s, false, s->rhs))
        status = FREEPLAY_NOT_CONVERGED;
    for (int k = 0; k < s->active_count && !status; k++) s->lambda[s->active[k]] += s->rhs[k];
    return status;
}

/* Solves psi_A = 0 to round-off for the rows that are active now. A first step alone shows which
 * rows have to change sides, so that `rough` stops there. */
static FpStatus solve_active(FpStructured* s, double h, bool rough) {
    double last = INFINITY;
    bool true_jacobian = false;
    for (int k = 0; k < NEWTON_LIMIT; k++) {
        double now = residual(s);
        if (now <= CLOSED || (rough && k > 0)) return FREEPLAY_OK;
        if (k > 2 && now > 0.5 * last && now <= STALLED) return FREEPLAY_OK;
        if (s->singular && k > 2 && now > 0.9 * last) return FREEPLAY_INFEASIBLE;
        if (!isfinite(now) || (true_jacobian && now > 0.9 * last && now > OPEN && k > 4))
            return FREEPLAY_NOT_CONVERGED;
        bool wants = k > 1 && now > SLOW * last && !s->singular && now > OPEN;
        true_jacobian = true_jacobian || wants;
        /* The last evaluation had D only if the true Jacobian was in use. */
        if (true_jacobian && !derive(s, h)) return FREEPLAY_NOT_CONVERGED;
        FpStatus status = newton_step(s, h, true_jacobian);
        if (status) return status;
        s->iterations++;
        if (now <= OPEN && (k > 0 || !rough)) {
            /* What is left is round-off: the rows need no other look. */
            push(s, h);
            return FREEPLAY_OK;
        }
        if (!fp_structured_move(s, h, NULL)) return FREEPLAY_NOT_CONVERGED;
        last = now;
    }
    return FREEPLAY_NOT_CONVERGED;
}

/* Of rows that repeat each other with different gaps not all can close: the one that stays open the
 * most leaves. False if none is open. */
static bool release_open_row(FpStructured* s) {
    double most = OPEN;
    int open = -1;
    for (int k = 0; k < s->active_count; k++) {
        int i = s->active[k];
        double gap = s->psi[i] / s->st->unit[i];
        if (s->st->bilateral[i] || gap <= most) continue;
        most = gap;
        open = i;
    }
    if (open < 0) return false;
    s->is_active[open] = false;
    return true;
}

/* Forces without effect of their own (in the null space of N) are left out of lambda. */
static FpStatus restart_from_nothing(FpStructured* s, double h) {
    memset(s->lambda, 0, (size_t)s->row_count * sizeof *s->lambda);
    return fp_structured_move(s, h, NULL) ? FREEPLAY_OK : FREEPLAY_NOT_CONVERGED;
}

/* Room for the effect of the active rows on all velocities; where that is large, false. */
static bool make_least_room(FpStructured* s) {
    if (s->row_count > FREEPLAY_STRUCTURED_DENSE || s->v_count > 4 * FREEPLAY_STRUCTURED_DENSE)
        return false;
    if (!s->least) s->least = fp_least_norm_create(s->v_count, s->row_count);
    size_t entries = (size_t)(s->v_count * s->row_count);
    if (!s->effect) s->effect = calloc(entries + 1, sizeof *s->effect);
    if (!s->must_push) s->must_push = calloc((size_t)s->row_count + 1, sizeof *s->must_push);
    return s->least && s->effect && s->must_push;
}

FpStatus fp_structured_push_only(FpStructured* s, int corrections) {
    const FpStructure* st = s->st;
    int nv = s->v_count, rank;
    bool pulls = false;
    for (int k = 0; k < s->active_count; k++)
        pulls = pulls || (!st->bilateral[s->active[k]] && s->lambda[s->active[k]] < 0);
    if (!pulls || !make_least_room(s)) return FREEPLAY_OK;
    memset(s->effect, 0, (size_t)(nv * s->active_count) * sizeof *s->effect);
    memset(s->momentum, 0, (size_t)nv * sizeof *s->momentum);
    for (int k = 0; k < s->active_count; k++) {
        int i = s->active[k];
        fp_structured_add_solved(s, i, s->weight[i], s->effect + nv * k);
        fp_structured_add_solved(s, i, s->lambda[i], s->momentum);
        s->must_push[k] = !st->bilateral[i];
    }
    if (fp_least_norm_solve(s->least, nv, s->active_count, s->effect, s->momentum, s->must_push,
                            corrections, s->rhs, &rank))
        return FREEPLAY_OK; /* these rows cannot do it alone: some will change sides */
    for (int k = 0; k < s->active_count; k++) {
        int i = s->active[k];
        s->lambda[i] = s->weight[i] * (s->must_push[k] ? fmax(s->rhs[k], 0) : s->rhs[k]);
    }
    return FREEPLAY_OK;
}

/* Turns around the rows with a wrong sign: all of them, or the first; returns how many there are.
 */
static int change_sides(FpStructured* s, bool all) {
    const FpStructure* st = s->st;
    double tiny = NO_FORCE * largest_force(s);
    int changes = 0;
    for (int i = 0; i < s->row_count; i++) {
        if (st->bilateral[i] || !st->applies[i]) continue;
        bool pulls = s->is_active[i] && s->lambda[i] < -tiny * s->weight[i];
        bool penetrates = !s->is_active[i] && s->psi[i] < -OPEN * st->unit[i];
        if (!pulls && !penetrates) continue;
        if (all || changes == 0) {
            s->is_active[i] = penetrates;
            s->lambda[i] = 0;
        }
        changes++;
    }
    return changes;
}

/* Whether forces and gaps are those of a solution; forces may have changed since the last move. */
static bool is_settled(FpStructured* s, double h) {
    if (!fp_structured_move(s, h, NULL) || !(residual(s) <= TOUCHING)) return false;
    double tiny = NO_FORCE * largest_force(s);
    for (int i = 0; i < s->row_count; i++) {
        if (s->st->bilateral[i] || !s->st->applies[i]) continue;
        if (s->is_active[i] ? s->lambda[i] < -tiny * s->weight[i]
                            : s->psi[i] < -TOUCHING * s->st->unit[i])
            return false;
    }
    return true;
}

/* Rows that only touch may share the forces of the others. Of all forces with the same effect the
 * least that push, theory.md (34). */
static FpStatus share_forces(FpStructured* s, double h) {
    const FpStructure* st = s->st;
    bool any = false, moved = false;
    memcpy(s->saved, s->lambda, (size_t)s->row_count * sizeof *s->lambda);
    memset(s->momentum, 0, (size_t)s->v_count * sizeof *s->momentum);
    for (int k = 0; k < s->active_count; k++)
        fp_structured_add_solved(s, s->active[k], s->lambda[s->active[k]], s->momentum);
    for (int i = 0; i < s->row_count; i++) {
        if (s->is_active[i] || !st->applies[i] || !(s->psi[i] <= TOUCHING * st->unit[i])) continue;
        s->is_active[i] = any = true;
    }
    FpStatus status = any ? fp_structured_factor(s) : FREEPLAY_OK;
    if (status || !s->singular) goto undo;
    for (int k = 0; k < s->active_count; k++)
        s->rhs[k] = fp_structured_along(st, st->slopes, s->active[k], s->momentum);
    status = fp_structured_solve(s, s->rhs);
    for (int k = 0; k < s->active_count && !status; k++) s->lambda[s->active[k]] = s->rhs[k];
    if (!status) status = fp_structured_push_only(s, FREEPLAY_LEAST_NORM_ALL);
    moved = true;
    if (!status && is_settled(s, h)) return FREEPLAY_OK;
undo:
    for (int i = 0; i < s->row_count; i++) {
        s->lambda[i] = s->saved[i];
        if (any && s->lambda[i] == 0 && !st->bilateral[i]) s->is_active[i] = false;
    }
    status = any ? fp_structured_factor(s) : FREEPLAY_OK;
    if (!status && moved && !fp_structured_move(s, h, NULL)) status = FREEPLAY_NOT_CONVERGED;
    return status;
}

/* Changes all rows with a wrong sign at once while that is few times, then one at a time. */
static FpStatus pivot_blocks(FpStructured* s, double h) {
    FpStatus status = fp_structured_factor(s);
    if (!status && s->singular) memset(s->lambda, 0, (size_t)s->row_count * sizeof *s->lambda);
    if (!status && !fp_structured_move(s, h, NULL)) status = FREEPLAY_NOT_CONVERGED;
    int limit = 3 * s->row_count + 10;
    bool rough = true;
    for (int k = 0; k < limit && !status; k++) {
        status = solve_active(s, h, rough);
        if (status == FREEPLAY_INFEASIBLE && release_open_row(s)) {
            status = fp_structured_factor(s);
            if (!status) status = restart_from_nothing(s, h);
            continue;
        }
        if (status) return status;
        if (s->singular) status = fp_structured_push_only(s, FREEPLAY_LEAST_NORM_FEW);
        int changes = change_sides(s, k < s->row_count + 5);
        if (changes == 0 && !rough) return FREEPLAY_OK;
        rough = changes > 0;
        if (changes == 0) continue;
        status = fp_structured_factor(s);
        if (!status && s->singular) status = restart_from_nothing(s, h);
        if (!status && !fp_structured_move(s, h, NULL)) status = FREEPLAY_NOT_CONVERGED;
    }
    return status ? status : FREEPLAY_NOT_CONVERGED;
}

/* N_jj. */
static double compliance(FpStructured* s, int j) {
    const FpStructure* st = s->st;
    double sum = 0;
    fp_structured_solve_row(s, j);
    for (int p = st->first_part[j]; fp_structured_is_part_of(st, p, j); p++) {
        int at = st->parts[p].at + (j - st->parts[p].row_at) * st->parts[p].stride;
        for (int k = 0; k < st->parts[p].v_count; k++)
            sum += st->slopes[at + k] * s->solved[at + k];
    }
    return sum;
}

/* N_A^-1 N_Aj in s->rhs; returns what the active rows leave of N_jj, 0 if row j repeats them. */
static double find_response(FpStructured* s, int j, FpStatus* status) {
    double own = compliance(s, j), left = own;
    memset(s->momentum, 0, (size_t)s->v_count * sizeof *s->momentum);
    fp_structured_add_solved(s, j, 1, s->momentum);
    for (int k = 0; k < s->active_count; k++)
        s->rest[k] = s->rhs[k] =
            fp_structured_along(s->st, s->st->slopes, s->active[k], s->momentum);
    *status = s->active_count ? fp_structured_solve(s, s->rhs) : FREEPLAY_OK;
    for (int k = 0; k < s->active_count; k++) left -= s->rest[k] * s->rhs[k];
    return left > REPEATS * own ? left : 0;
}

/* The active row whose force vanishes first when that of row j grows, and at which growth. */
static int find_blocking(const FpStructured* s, int j, double* growth) {
    int first = -1;
    *growth = INFINITY;
    for (int k = 0; k < s->active_count; k++) {
        int i = s->active[k];
        if (s->st->bilateral[i] || s->rhs[k] * s->weight[j] <= NO_FORCE * s->weight[i]) continue;
        double at = fmax(s->lambda[i], 0) / s->rhs[k];
        if (at >= *growth) continue;
        *growth = at;
        first = i;
    }
    return first;
}

/* Lets the force of row j grow until the row closes, the active ones staying closed; rows whose
 * force vanishes meanwhile leave. */
static FpStatus admit(FpStructured* s, double h, int j) {
    double psi = s->psi[j];
    for (;;) {
        FpStatus status;
        double left = find_response(s, j, &status), growth;
        if (status) return status;
        int blocking = find_blocking(s, j, &growth);
        double closing = left > 0 ? -psi / (h * h * left) : INFINITY;
        if (blocking < 0 && left == 0) return FREEPLAY_INFEASIBLE;
        double change = fmin(growth, closing);
        for (int k = 0; k < s->active_count; k++) s->lambda[s->active[k]] -= change * s->rhs[k];
        s->lambda[j] += change;
        psi += h * h * left * change;
        bool closes = closing <= growth;
        s->is_active[closes ? j : blocking] = closes;
        if (!closes) s->lambda[blocking] = 0;
        status = fp_structured_factor(s);
        if (status || closes) return status;
    }
}

/* The row whose penetration, more than `tiny` of its unit, costs the most to correct; -1 if there
 * is none. */
static int worst_penetration(FpStructured* s, double tiny) {
    double most = 0;
    int worst = -1;
    for (int i = 0; i < s->row_count; i++) {
        bool open = s->psi[i] >= -tiny * s->st->unit[i];
        if (open || s->is_active[i] || s->st->bilateral[i] || !s->st->applies[i]) continue;
        double cost = s->psi[i] * s->psi[i] / compliance(s, i);
        if (!(cost > most)) continue;
        most = cost;
        worst = i;
    }
    return worst;
}

/* Takes back what was begun for a row that only repeats others and is wrong by their round-off. */
static FpStatus leave_out(FpStructured* s, double h, int row) {
    s->lambda[row] = 0;
    s->is_active[row] = false;
    return fp_structured_move(s, h, NULL) ? FREEPLAY_OK : FREEPLAY_NOT_CONVERGED;
}

/* The dual method of Goldfarb and Idnani: from the bilateral rows alone one row after the other is
 * admitted, forces never pull, and no row is active that repeats others. The cost grows with each,
 * so that no set comes twice. Slower than blocks, but it needs no luck. */
static FpStatus pivot_rows(FpStructured* s, double h) {
    const FpStructure* st = s->st;
    for (int i = 0; i < s->row_count; i++) s->is_active[i] = st->bilateral[i] && st->applies[i];
    FpStatus status = fp_structured_factor(s);
    if (!status) status = restart_from_nothing(s, h);
    if (!status) status = solve_active(s, h, false);
    double tiny = OPEN;
    for (int k = 0; k < ADMISSIONS * s->row_count + 10 && !status; k++) {
        int row = worst_penetration(s, tiny);
        if (row < 0) return FREEPLAY_OK;
        bool round_off = s->psi[row] >= -STALLED * st->unit[row];
        status = admit(s, h, row);
        if (status == FREEPLAY_INFEASIBLE && round_off) {
            tiny = STALLED;
            status = leave_out(s, h, row);
        }
        if (!status && !fp_structured_move(s, h, NULL)) status = FREEPLAY_NOT_CONVERGED;
        if (!status) status = solve_active(s, h, false);
    }
    return status ? status : FREEPLAY_NOT_CONVERGED;
}

/* Whether all rows that apply are equations that bend: there are no sets to search. */
static bool are_equations(const FpStructured* s) {
    const FpStructure* st = s->st;
    bool any = false;
    for (int i = 0; i < s->row_count; i++) {
        if (!st->bilateral[i] && st->applies[i]) return false;
        any = any || st->applies[i];
    }
    return any && !st->linear;
}

/* Newton's method with D M^-1 W from the start, which is kept while it serves: N is not needed. A
 * step that leaves round-off by the rate of the one before is the last, and the certificate has the
 * look at the rows. Declines where a row repeats others. */
static FpStatus solve_equations(FpStructured* s, double h) {
    double last = INFINITY;
    FpStatus status = fp_structured_take_active(s);
    push(s, h);
    for (int k = 0; k < NEWTON_LIMIT && !status; k++) {
        bool fresh = !(last < INFINITY);
        if (fresh ? !derive(s, h) || !fp_structured_factor_true(s)
                  : !fp_structured_move(s, h, NULL))
            return FREEPLAY_NOT_CONVERGED;
        double now = residual(s), rate = fresh ? 1 : now / last;
        if (now <= CLOSED) return FREEPLAY_OK;
        if (!isfinite(now) || (k > 4 && rate > 0.9)) return FREEPLAY_NOT_CONVERGED;
        for (int i = 0; i < s->active_count; i++) s->rhs[i] = -s->psi[s->active[i]] / (h * h);
        status = fp_unsymmetric_solve(s->unsymmetric, false, s->rhs);
        for (int i = 0; i < s->active_count; i++) s->lambda[s->active[i]] += s->rhs[i];
        s->iterations++;
        push(s, h);
        if (now <= OPEN || (k > 1 && rate * now <= 2 * OPEN)) return FREEPLAY_OK;
        last = rate > SLOW && !fresh ? INFINITY : now;
    }
    return status ? status : FREEPLAY_NOT_CONVERGED;
}

FpStatus fp_structured_fixed(FpStructured* s, double h) {
    const FpStructure* st = s->st;
    for (int j = 0; j < s->v_count; j++) s->v_free[j] = st->v0[j] + h * st->a[j];
    if (s->determined && are_equations(s)) {
        memcpy(s->saved, s->lambda, (size_t)s->row_count * sizeof *s->lambda);
        if (!solve_equations(s, h)) return FREEPLAY_OK;
        memcpy(s->lambda, s->saved, (size_t)s->row_count * sizeof *s->lambda);
    }
    FpStatus status = pivot_blocks(s, h);
    if (status == FREEPLAY_OUT_OF_MEMORY) return status;
    if (status || (s->singular && !is_settled(s, h))) status = pivot_rows(s, h);
    return status ? status : share_forces(s, h);
}

/* Multipliers ---------------------------------------------------------------------------------- */

/* out = (D M^-1 W)^T y over the active rows. */
static void multiply_transposed(FpStructured* s, const double* y, double* out) {
    const FpStructure* st = s->st;
    memset(s->momentum, 0, (size_t)s->v_count * sizeof *s->momentum);
    for (int k = 0; k < s->active_count; k++) {
        int row = s->active[k];
        for (int p = st->first_part[row]; fp_structured_is_part_of(st, p, row); p++) {
            const FpStructurePart* part = &st->parts[p];
            const double* D = s->D + part->at + (row - part->row_at) * part->stride;
            for (int j = 0; j < part->v_count; j++) s->momentum[part->v_at + j] += y[k] * D[j];
        }
    }
    for (int k = 0; k < s->active_count; k++)
        out[k] = fp_structured_along(st, s->solved, s->active[k], s->momentum);
}

/* -2 N lambda/h^2 over the active rows; returns its size in the weighted forces. */
static double put_wanted(FpStructured* s, double h, double* wanted) {
    double size = 0;
    memset(s->momentum, 0, (size_t)s->v_count * sizeof *s->momentum);
    for (int k = 0; k < s->active_count; k++)
        fp_structured_add_solved(s, s->active[k], -2 * s->lambda[s->active[k]] / (h * h),
                                 s->momentum);
    for (int k = 0; k < s->active_count; k++) {
        wanted[k] = fp_structured_along(s->st, s->st->slopes, s->active[k], s->momentum);
        size = fmax(size, fabs(wanted[k]) * s->weight[s->active[k]]);
    }
    return size;
}

/* What is left of wanted - (D M^-1 W)^T y; returns its size. */
static double put_rest(FpStructured* s, const double* wanted, const double* y, double* rest) {
    double size = 0;
    multiply_transposed(s, y, rest);
    for (int k = 0; k < s->active_count; k++) {
        rest[k] = wanted[k] - rest[k];
        size = fmax(size, fabs(rest[k]) * s->weight[s->active[k]]);
    }
    return size;
}

/* (D M^-1 W)^T y = wanted by iterating with N; for few rows, or where that is slow, directly. */
static FpStatus solve_multipliers(FpStructured* s, const double* wanted, double size, double* y) {
    double last = INFINITY;
    bool direct = s->active_count <= FEW && !s->singular;
    for (int k = 0; k < NEWTON_LIMIT; k++) {
        double now = put_rest(s, wanted, y, s->rest);
        if (now <= DBL_EPSILON * size || (now <= 1e-11 * size && now >= 0.5 * last))
            return FREEPLAY_OK;
        if (k > 1 && now > 0.5 * last) {
            /* As good as round-off lets it be: the certificate decides. */
            if (s->singular || direct) return FREEPLAY_OK;
            direct = true;
        }
        FpStatus status = FREEPLAY_OK;
        if (!direct)
            status = fp_structured_solve(s, s->rest);
        else if (!fp_structured_solve_true(s, true, s->rest))
            status = FREEPLAY_NOT_CONVERGED;
        if (status) return status;
        for (int i = 0; i < s->active_count; i++) y[i] += s->rest[i];
        last = now;
    }
    return FREEPLAY_NOT_CONVERGED;
}

/* y = -2 lambda/h^2 where rows are linear, else (D M^-1 W)^T y = -2 N lambda/h^2, theory.md (43).
 */
FpStatus fp_structured_multipliers(FpStructured* s, double h) {
    const FpStructure* st = s->st;
    int n = s->active_count;
    double* y = s->saved;
    if (!derive(s, h)) return FREEPLAY_NOT_CONVERGED;
    memset(s->y, 0, (size_t)s->row_count * sizeof *s->y);
    for (int k = 0; k < n; k++) y[k] = -2 * s->lambda[s->active[k]] / (h * h);
    FpStatus status = FREEPLAY_OK;
    if (!st->linear && n > 0) {
        double size = put_wanted(s, h, s->rhs);
        status = solve_multipliers(s, s->rhs, size, y);
    }
    for (int k = 0; k < n && !status; k++) s->y[s->active[k]] = y[k];
    return status;
}

/* The solver ----------------------------------------------------------------------------------- */

static bool can_solve(const FpNlp* nlp) {
    return nlp->structure;
}

/* Whether rows with friction pushed in the last step, or do now. */
static bool starts_with_friction(const FpStructured* s) {
    for (int k = 0; k < s->st->cone_count; k++) {
        int row = s->st->cones[k].row;
        if (s->st->cones[k].applies && s->st->force[row] > 0) return true;
    }
    return false;
}

static bool touches_with_friction(const FpStructured* s) {
    for (int k = 0; k < s->st->cone_count; k++)
        if (s->st->cones[k].applies && s->is_active[s->st->cones[k].row]) return true;
    return false;
}

static FpStatus solve(void* self, const FpNlp* nlp, const FpNlpOptions* options, int attempt,
                      FpNlpPoint* point, FpNlpReport* report) {
    (void)attempt;
    FpStructured* s = self;
    const FpStructure* st = nlp->structure;
    double h = st->h > 0 ? st->h : nlp->x_upper[0];
    if (options->cancel && options->cancel(options->cancel_context)) return FREEPLAY_CANCELLED;
    FpStatus status = fp_structured_begin(s, nlp);
    if (status) return status;
    if (st->h == 0 && nlp->x_lower[0] < h) {
        status = fp_structured_range(s, nlp, point);
        report->pivots += s->iterations;
        return status;
    }
    if (!starts_with_friction(s)) status = fp_structured_fixed(s, h);
    if (starts_with_friction(s) || (!status && touches_with_friction(s)))
        status = fp_structured_friction(s, h);
    if (!status && !nlp->determined) status = fp_structured_multipliers(s, h);
    report->pivots += s->iterations;
    if (status) return status;
    for (int i = 0; i < s->row_count; i++)
        if (st->applies[i] && !st->bilateral[i] && s->lambda[i] < 0) s->lambda[i] = 0;
    st->complete(st->context, h, s->v, s->lambda, nlp->determined ? NULL : s->y, s->D, point);
    return FREEPLAY_OK;
}

const FpNlpSolverOps fp_structured_solver = {
    .name = "structured",
    .summary = "active sets of the least-constraint problem; h given or the best of a range",
    .attempts = 1,
    .exact = true,
    .can_solve = can_solve,
    .create = create,
    .destroy = destroy,
    .solve = solve,
};
