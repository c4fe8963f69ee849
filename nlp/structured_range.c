/* Steps whose length is a variable, h_lower <= h <= h_upper, theory.md (44)-(49).
 *
 * Linearized rows: with s = 1/h the forces of an active set are quadratics in s and the objective
 * is a quartic. The walk goes along s from one active set to the next, minimizes every quartic, and
 * so finds the global minimum. Exact rows are no polynomials: there the minima of the walk, the
 * bounds and the end of a free flight are candidates, and the best one is refined. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/pivoted_ldl.h"
#include "nlp/structured_impl.h"

#define NOISE       1e-12 /* of the sum of the terms: a smaller force or slack is none */
#define BEYOND      1e-12 /* of s: the next active set is looked for so far behind a change */
#define REPEATED    1e-10 /* of N_ii: a row that the active ones leave less of is a repetition */
#define LEVEL       1e-11 /* of the objective: h df/dh below this is none */
#define SAME        1e-9  /* of the objective: a smaller difference is none, theory.md (35) */
#define SAME_SCALE  1e-18 /* of the objective's scale: likewise */
#define OPEN        (8 * DBL_EPSILON) /* of its unit: a larger penetration is one */
#define CLOSE       1e-13             /* of h: two sides of a minimum this close are one point */
#define ROOT_LIMIT  100
#define CHANGES     10 /* per row, then the walk gives up */
#define MINIMA_ROOM 8

typedef struct Minimum {
    double h, f;
} Minimum;

struct FpStructuredRange {
    int row_count, v_count;
    double* memory;
    double *b[3], *lambda[3]; /* of rows: coefficients of 1, s, s^2 */
    double* accel[3];         /* M^-1 W lambda */
    double *now, *push;       /* at one s: M^-1 W lambda, lambda */
    double* xi;               /* what a row takes from the active ones */
    double* side[2];          /* forces, then multipliers, on the two sides of a minimum */
    bool* repeats;            /* bilateral rows that say what others say */
    double quartic[5];
    double f_scale;
    int minimum_count;
    Minimum minima[MINIMA_ROOM];
    Minimum best; /* the least of them all; of equals the one of largest h */
};

/* Room ----------------------------------------------------------------------------------------- */

void fp_structured_range_destroy(FpStructuredRange* r) {
    if (!r) return;
    free(r->memory);
    free(r->repeats);
    free(r);
}

static FpStructuredRange* create(int row_count, int v_count) {
    FpStructuredRange* r = calloc(1, sizeof *r);
    if (!r) return NULL;
    size_t nr = (size_t)row_count, nv = (size_t)v_count;
    r->row_count = row_count;
    r->v_count = v_count;
    r->memory = calloc(12 * nr + 4 * nv + 1, sizeof *r->memory);
    r->repeats = calloc(nr + 1, sizeof *r->repeats);
    if (!r->memory || !r->repeats) {
        fp_structured_range_destroy(r);
        return NULL;
    }
    double** const of_rows[] = {&r->b[0],      &r->b[1],      &r->b[2], &r->lambda[0],
                                &r->lambda[1], &r->lambda[2], &r->push, &r->xi};
    double** const vectors[] = {&r->accel[0], &r->accel[1], &r->accel[2], &r->now};
    double* at = r->memory;
    for (int k = 0; k < 8; k++, at += nr) *of_rows[k] = at;
    for (int k = 0; k < 4; k++, at += nv) *vectors[k] = at;
    for (int k = 0; k < 2; k++, at += 2 * nr) r->side[k] = at;
    return r;
}

/* Rows ----------------------------------------------------------------------------------------- */

typedef struct Sum {
    double value, size; /* and the sum of the absolute values */
} Sum;

static bool is_part_of(const FpStructure* st, int part, int row) {
    return part < st->part_count && st->parts[part].row_at == st->parts[st->first_part[row]].row_at;
}

/* W_i.v */
static Sum rate(const FpStructure* st, int row, const double* v) {
    Sum sum = {0};
    for (int p = st->first_part[row]; is_part_of(st, p, row); p++) {
        const FpStructurePart* part = &st->parts[p];
        const double* W = st->slopes + part->at + (row - part->row_at) * part->stride;
        for (int k = 0; k < part->v_count; k++) {
            double term = W[k] * v[part->v_at + k];
            sum.value += term;
            sum.size += fabs(term);
        }
    }
    return sum;
}

/* out += scale M^-1 W_i */
static void add_solved(const FpStructured* s, int row, double scale, double* out) {
    const FpStructure* st = s->st;
    for (int p = st->first_part[row]; is_part_of(st, p, row); p++) {
        const FpStructurePart* part = &st->parts[p];
        const double* solved = s->solved + part->at + (row - part->row_at) * part->stride;
        for (int k = 0; k < part->v_count; k++) out[part->v_at + k] += scale * solved[k];
    }
}

/* b(s) = -(gap s^2 + (W^T v0 + drift) s + W^T a), theory.md (44). */
static void find_right_hand_sides(FpStructured* s, FpStructuredRange* r) {
    const FpStructure* st = s->st;
    for (int i = 0; i < s->row_count; i++) {
        r->repeats[i] = false;
        if (!st->applies[i]) continue;
        fp_structured_solve_row(s, i);
        r->b[0][i] = -rate(st, i, st->a).value;
        r->b[1][i] = -rate(st, i, st->v0).value - st->drift[i];
        r->b[2][i] = -st->gap[i];
    }
}

static double at(double* const c[3], int i, double s) {
    return c[0][i] + s * (c[1][i] + s * c[2][i]);
}

static double size_at(double* const c[3], int i, double s) {
    return fabs(c[0][i]) + s * (fabs(c[1][i]) + s * fabs(c[2][i]));
}

/* Active sets ---------------------------------------------------------------------------------- */

/* Forces of the active rows as functions of s, theory.md (45). FREEPLAY_NOT_CONVERGED if these rows
 * are not independent. */
static FpStatus follow(FpStructured* s, FpStructuredRange* r) {
    FpStatus status = fp_structured_factor(s);
    if (status) return status;
    if (s->singular) return FREEPLAY_NOT_CONVERGED;
    for (int c = 0; c < 3; c++) {
        memset(r->lambda[c], 0, (size_t)s->row_count * sizeof *r->lambda[c]);
        memset(r->accel[c], 0, (size_t)s->v_count * sizeof *r->accel[c]);
        if (s->active_count == 0) continue;
        for (int k = 0; k < s->active_count; k++) s->rhs[k] = r->b[c][s->active[k]];
        status = fp_structured_solve(s, s->rhs);
        if (status) return status;
        for (int k = 0; k < s->active_count; k++) {
            r->lambda[c][s->active[k]] = s->rhs[k];
            add_solved(s, s->active[k], s->rhs[k], r->accel[c]);
        }
    }
    return FREEPLAY_OK;
}

/* Of bilateral rows that repeat each other the walk needs some only. */
static FpStatus leave_out_repetitions(FpStructured* s, FpStructuredRange* r) {
    int n = s->active_count, rank;
    double* A = calloc((size_t)(n * n + n), sizeof *A);
    int* order = calloc((size_t)n, sizeof *order);
    FpStatus status = A && order ? FREEPLAY_OK : FREEPLAY_OUT_OF_MEMORY;
    for (int j = 0; j < n && !status; j++) {
        for (int i = j; i < n; i++)
            A[n * j + i] = fp_structured_couple(s, s->st->slopes, s->active[i], s->active[j]) *
                           s->weight[s->active[i]] * s->weight[s->active[j]];
        A[n * n + j] = FREEPLAY_REDUNDANT * A[n * j + j];
    }
    if (!status) status = fp_pivoted_factor(n, A, A + n * n, order, &rank);
    for (int k = status ? n : rank; k < n; k++) {
        r->repeats[s->active[order[k]]] = true;
        s->is_active[s->active[order[k]]] = false;
    }
    free(A);
    free(order);
    return status;
}

/* Independent rows to begin with: those that push now, or the bilateral ones alone. */
static FpStatus begin(FpStructured* s, FpStructuredRange* r) {
    FpStatus status = follow(s, r);
    if (!status || !s->singular) return status;
    for (int i = 0; i < s->row_count; i++)
        s->is_active[i] = s->st->applies[i] && s->st->bilateral[i];
    status = follow(s, r);
    if (!status || !s->singular) return status;
    status = leave_out_repetitions(s, r);
    return status ? status : follow(s, r);
}

static double force_noise(const FpStructured* s, const FpStructuredRange* r, double at_s) {
    double largest = 0;
    for (int k = 0; k < s->active_count; k++) {
        int i = s->active[k];
        largest = fmax(largest, size_at(r->lambda, i, at_s) / s->weight[i]);
    }
    return NOISE * largest;
}

/* Rows that pull leave, the one that pulls the most first. */
static FpStatus release_pulling(FpStructured* s, FpStructuredRange* r, double at_s) {
    for (;;) {
        double least = -0.5 * force_noise(s, r, at_s);
        int pulls = -1;
        for (int k = 0; k < s->active_count; k++) {
            int i = s->active[k];
            double force = at(r->lambda, i, at_s) / s->weight[i];
            if (s->st->bilateral[i] || !(force < least)) continue;
            least = force;
            pulls = i;
        }
        if (pulls < 0) return FREEPLAY_OK;
        s->is_active[pulls] = false;
        s->iterations++;
        FpStatus status = follow(s, r);
        if (status) return status;
    }
}

/* The row that is violated the most; -1 if none is. slack = N_iA lambda_A - b_i. */
static int most_violated(const FpStructured* s, FpStructuredRange* r, double at_s, double* slack) {
    const FpStructure* st = s->st;
    double worst = 0.5 * NOISE;
    int row = -1;
    for (int j = 0; j < s->v_count; j++) r->now[j] = at(r->accel, j, at_s);
    for (int i = 0; i < s->row_count; i++) {
        if (s->is_active[i] || !st->applies[i] || st->bilateral[i]) continue;
        Sum pushed = rate(st, i, r->now);
        double value = pushed.value - at(r->b, i, at_s);
        double size = pushed.size + size_at(r->b, i, at_s);
        if (!(value < -worst * size)) continue;
        worst = -value / size;
        row = i;
        *slack = value;
    }
    return row;
}

/* xi = N_AA^-1 N_Ai, by which the active forces give way to one of row i; returns what is left of
 * N_ii. */
static FpStatus give_way(FpStructured* s, FpStructuredRange* r, int row, double* left) {
    memset(r->now, 0, (size_t)s->v_count * sizeof *r->now);
    add_solved(s, row, 1, r->now);
    double own = rate(s->st, row, r->now).value;
    *left = own;
    if (s->active_count == 0) return FREEPLAY_OK;
    for (int k = 0; k < s->active_count; k++)
        r->xi[k] = s->rhs[k] = rate(s->st, s->active[k], r->now).value;
    FpStatus status = fp_structured_solve(s, s->rhs);
    for (int k = 0; k < s->active_count && !status; k++) {
        *left -= r->xi[k] * s->rhs[k];
        r->xi[k] = s->rhs[k];
    }
    if (!(*left > REPEATED * own)) *left = 0;
    return status;
}

/* Row `enters` pushes more and more until it is closed; active rows whose force is used up on the
 * way leave (the dual method of Goldfarb and Idnani). Each time the objective grows: it ends. */
static FpStatus admit(FpStructured* s, FpStructuredRange* r, int enters, double slack,
                      double at_s) {
    for (int i = 0; i < s->row_count; i++) r->push[i] = at(r->lambda, i, at_s);
    for (int change = 0; change <= s->row_count; change++) {
        double left;
        FpStatus status = give_way(s, r, enters, &left);
        if (status) return status;
        double step = left > 0 ? -slack / left : INFINITY;
        int leaves = -1;
        for (int k = 0; k < s->active_count; k++) {
            int i = s->active[k];
            if (s->st->bilateral[i] || !(r->xi[k] > 0)) continue;
            double until = fmax(r->push[i], 0) / r->xi[k];
            if (until >= step) continue;
            step = until;
            leaves = i;
        }
        if (!isfinite(step)) return FREEPLAY_INFEASIBLE;
        s->iterations++;
        if (leaves < 0) {
            s->is_active[enters] = true;
            return follow(s, r);
        }
        for (int k = 0; k < s->active_count; k++) r->push[s->active[k]] -= step * r->xi[k];
        slack += step * left;
        s->is_active[leaves] = false;
        status = fp_structured_factor(s);
        if (status) return status;
    }
    return FREEPLAY_NOT_CONVERGED;
}

/* The active set at s, from the one of a neighbour. */
static FpStatus find_set(FpStructured* s, FpStructuredRange* r, double at_s) {
    for (int k = 0; k < CHANGES * (s->row_count + 10); k++) {
        FpStatus status = release_pulling(s, r, at_s);
        if (status) return status;
        double slack;
        int row = most_violated(s, r, at_s, &slack);
        if (row < 0) return FREEPLAY_OK;
        status = admit(s, r, row, slack, at_s);
        if (status) return status;
    }
    return FREEPLAY_NOT_CONVERGED;
}

/* Pieces --------------------------------------------------------------------------------------- */

/* Where c0 + c1 s + c2 s^2 falls through zero: a quadratic does so once at most. */
static double falls_at(double c0, double c1, double c2) {
    double discriminant = c1 * c1 - 4 * c0 * c2;
    if (!(discriminant >= 0)) return INFINITY;
    double root = sqrt(discriminant), falls;
    if (c1 < 0)
        falls = 2 * c0 / (root - c1);
    else
        falls = c2 < 0 ? (-c1 - root) / (2 * c2) : -INFINITY;
    return isnan(falls) ? INFINITY : falls;
}

/* How far the active set holds: the first force or slack that falls below its noise. */
static double find_change(const FpStructured* s, const FpStructuredRange* r, double from,
                          double to) {
    const FpStructure* st = s->st;
    double first = to, noise = force_noise(s, r, from);
    for (int i = 0; i < s->row_count; i++) {
        double c[3], tiny;
        if (!st->applies[i] || st->bilateral[i]) continue;
        if (s->is_active[i]) {
            for (int k = 0; k < 3; k++) c[k] = r->lambda[k][i];
            tiny = noise * s->weight[i];
        } else {
            double power = 1, size = size_at(r->b, i, from);
            for (int k = 0; k < 3; k++, power *= from) {
                Sum pushed = rate(st, i, r->accel[k]);
                c[k] = pushed.value - r->b[k][i];
                size += power * pushed.size;
            }
            tiny = NOISE * size;
        }
        double change = falls_at(c[0] + tiny, c[1], c[2]);
        if (change > from && change < first) first = change;
    }
    return first;
}

/* lambda_A.b_A, theory.md (46). */
static void find_quartic(const FpStructured* s, FpStructuredRange* r) {
    memset(r->quartic, 0, sizeof r->quartic);
    for (int k = 0; k < s->active_count; k++)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                r->quartic[a + b] += r->lambda[a][s->active[k]] * r->b[b][s->active[k]];
}

static double polynomial(const double* c, int degree, double x) {
    double sum = c[degree];
    for (int k = degree - 1; k >= 0; k--) sum = sum * x + c[k];
    return sum;
}

static double slope(const double* quartic, double x) {
    const double* c = quartic;
    return c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
}

/* The root between a and b of a cubic that is <= 0 at a, >= 0 at b and monotone between. */
static double cubic_root(const double* c, double a, double b) {
    double x = 0.5 * (a + b);
    for (int k = 0; k < ROOT_LIMIT; k++) {
        double value = polynomial(c, 3, x), rise = c[1] + x * (2 * c[2] + x * 3 * c[3]);
        if (value == 0) return x;
        *(value < 0 ? &a : &b) = x;
        double next = x - value / rise;
        if (!(next > a && next < b)) next = 0.5 * (a + b);
        if (fabs(next - x) <= DBL_EPSILON * fabs(x)) return next;
        x = next;
    }
    return x;
}

static double same(const FpStructuredRange* r, double f) {
    return fmax(SAME * f, SAME_SCALE * r->f_scale);
}

static double level(const FpStructuredRange* r, double f) {
    return LEVEL * fmax(fabs(f), r->f_scale);
}

/* Minima come in order of falling h: a later one has to be better. */
static void note_minimum(FpStructuredRange* r, double h, double f) {
    bool first = r->minimum_count == 0;
    if (first || f < r->best.f - same(r, r->best.f)) r->best = (Minimum){h, f};
    int worst = 0;
    for (int k = 1; k < r->minimum_count; k++)
        if (r->minima[k].f > r->minima[worst].f) worst = k;
    if (r->minimum_count < MINIMA_ROOM)
        r->minima[r->minimum_count++] = (Minimum){h, f};
    else if (f < r->minima[worst].f)
        r->minima[worst] = (Minimum){h, f};
}

/* Where two pieces meet, or at an end: a minimum if the objective falls towards s and does not fall
 * beyond it. */
static void visit_joint(FpStructuredRange* r, double s, double before, double after) {
    double f = fmax(polynomial(r->quartic, 4, s), 0), flat = level(r, f) / s;
    if (before <= flat && after >= -flat) note_minimum(r, 1 / s, f);
}

/* The minima of the quartic inside a piece: where its slope rises through zero. */
static void visit_inside(FpStructuredRange* r, double from, double to) {
    const double* q = r->quartic;
    /* The slope over t = s - from: less round-off in short pieces. */
    double c[4] = {slope(q, from), 2 * q[2] + from * (6 * q[3] + from * 12 * q[4]),
                   3 * q[3] + 12 * q[4] * from, 4 * q[4]};
    double marks[4] = {0, to - from, to - from, to - from}, width = to - from;
    /* Between the roots of its own derivative the slope is monotone. */
    double d2 = 3 * c[3], d1 = 2 * c[2], d0 = c[1], discriminant = d1 * d1 - 4 * d2 * d0;
    if (discriminant > 0) {
        double w = -0.5 * (d1 + copysign(sqrt(discriminant), d1));
        double x1 = d2 != 0 ? w / d2 : INFINITY, x2 = w != 0 ? d0 / w : INFINITY;
        if (x2 < x1) {
            double swap = x1;
            x1 = x2;
            x2 = swap;
        }
        int count = 1;
        if (x1 > 0 && x1 < width) marks[count++] = x1;
        if (x2 > 0 && x2 < width) marks[count++] = x2;
    }
    for (int k = 0; k < 3; k++) {
        if (!(polynomial(c, 3, marks[k]) < 0 && polynomial(c, 3, marks[k + 1]) > 0)) continue;
        double s = from + cubic_root(c, marks[k], marks[k + 1]);
        note_minimum(r, 1 / s, fmax(polynomial(q, 4, s), 0));
    }
}

/* All minima of the linearized program between the bounds. */
static FpStatus walk(FpStructured* s, FpStructuredRange* r, double h_lower, double h_upper) {
    double from = 1 / h_upper, end = 1 / h_lower, before = -INFINITY;
    r->minimum_count = 0;
    r->best = (Minimum){h_upper, INFINITY};
    find_right_hand_sides(s, r);
    FpStatus status = begin(s, r);
    if (!status) status = find_set(s, r, from);
    for (int k = 0; k < CHANGES * (s->row_count + 10) && !status; k++) {
        double to = find_change(s, r, from, end);
        find_quartic(s, r);
        visit_joint(r, from, before, slope(r->quartic, from));
        visit_inside(r, from, to);
        before = slope(r->quartic, to);
        if (to >= end) {
            visit_joint(r, end, before, INFINITY);
            return FREEPLAY_OK;
        }
        from = fmin(to * (1 + BEYOND), end);
        status = find_set(s, r, from);
    }
    return status ? status : FREEPLAY_NOT_CONVERGED;
}

/* Free flight ---------------------------------------------------------------------------------- */

static bool has_bilateral(const FpStructured* s) {
    for (int i = 0; i < s->row_count; i++)
        if (s->st->bilateral[i] && s->st->applies[i]) return true;
    return false;
}

/* The smallest gap at the end of a step without forces, in units; -INFINITY if there is none. */
static double free_gap(FpStructured* s, double h) {
    const FpStructure* st = s->st;
    double smallest = INFINITY;
    for (int j = 0; j < s->v_count; j++) s->v_free[j] = st->v0[j] + h * st->a[j];
    if (!st->rows(st->context, h, s->v_free, s->psi, NULL)) return -INFINITY;
    for (int i = 0; i < s->row_count; i++)
        if (st->applies[i]) smallest = fmin(smallest, s->psi[i] / st->unit[i]);
    return isnan(smallest) ? -INFINITY : smallest;
}

/* The end of free flight between `open` and `closed`, by false position (Illinois). */
static double find_landing(FpStructured* s, double open, double gap_open, double closed,
                           double gap_closed) {
    double weight_open = gap_open, weight_closed = gap_closed;
    for (int k = 0; k < ROOT_LIMIT && closed - open > DBL_EPSILON * closed; k++) {
        double h = isfinite(weight_closed)
                       ? open + (closed - open) * (weight_open / (weight_open - weight_closed))
                       : 0.5 * (open + closed);
        if (!(h > open && h < closed)) h = 0.5 * (open + closed);
        if (!(h > open && h < closed)) break;
        double gap = free_gap(s, h);
        if (gap >= -OPEN) {
            open = h;
            weight_open = gap;
            weight_closed /= 2;
            if (gap <= OPEN) break;
        } else {
            closed = h;
            weight_closed = gap;
            weight_open /= 2;
        }
    }
    return open;
}

/* With linearized rows gaps are quadratics in h: the largest h at which a row closes and none is
 * closed; 0 if there is none. */
static double find_linear_landing(FpStructured* s, double h_lower, double h_upper) {
    const FpStructure* st = s->st;
    double largest = 0;
    for (int i = 0; i < s->row_count; i++) {
        if (!st->applies[i]) continue;
        double c0 = st->gap[i], c1 = rate(st, i, st->v0).value + st->drift[i];
        double h = falls_at(c0, c1, rate(st, i, st->a).value);
        if (h > fmax(largest, h_lower) && h < h_upper && free_gap(s, h) >= -OPEN) largest = h;
    }
    return largest;
}

/* The longest step without forces, theory.md (48); 0 if there is none. */
static double find_free_step(FpStructured* s, double h_lower, double h_upper) {
    if (has_bilateral(s)) return 0;
    double closed = free_gap(s, h_upper);
    if (closed >= -OPEN) return h_upper;
    if (s->st->linear) {
        double landing = find_linear_landing(s, h_lower, h_upper);
        if (landing > 0) return landing;
        return free_gap(s, h_lower) >= -OPEN ? h_lower : 0;
    }
    double open = free_gap(s, h_lower);
    if (open < -OPEN) return 0;
    return find_landing(s, h_lower, open, h_upper, closed);
}

/* Steps of a given length along the way ---------------------------------------------------------
 */

/* (W lambda)^T M^-1 (W lambda) of the step that was solved last. */
static double objective(FpStructured* s) {
    double f = 0;
    memset(s->momentum, 0, (size_t)s->v_count * sizeof *s->momentum);
    for (int k = 0; k < s->active_count; k++)
        add_solved(s, s->active[k], s->lambda[s->active[k]], s->momentum);
    for (int k = 0; k < s->active_count; k++)
        f += s->lambda[s->active[k]] * rate(s->st, s->active[k], s->momentum).value;
    return fmax(f, 0);
}

/* One h with what its step says: the objective, and df/dh once the point is complete. */
typedef struct Trial {
    double h, f, z;
} Trial;

static FpStatus try_step(FpStructured* s, double h, Trial* trial) {
    *trial = (Trial){h, INFINITY, 0};
    /* The walk changes the set, not the forces that it began with. */
    for (int i = 0; i < s->row_count; i++)
        if (!s->is_active[i]) s->lambda[i] = 0;
    FpStatus status = fp_structured_fixed(s, h);
    if (!status) trial->f = objective(s);
    return status;
}

static void complete(FpStructured* s, double h, FpNlpPoint* point) {
    for (int i = 0; i < s->row_count; i++)
        if (!s->st->bilateral[i] && s->lambda[i] < 0) s->lambda[i] = 0;
    s->st->complete(s->st->context, h, s->v, s->lambda, s->y, s->D, point);
}

static FpStatus try_point(FpStructured* s, double h, FpNlpPoint* point, Trial* trial) {
    FpStatus status = try_step(s, h, trial);
    if (!status) status = fp_structured_multipliers(s, h);
    if (status) return status;
    complete(s, h, point);
    trial->z = point->z[0];
    return isfinite(trial->z) ? FREEPLAY_OK : FREEPLAY_NOT_FINITE;
}

/* df/dh is none here, or leads out of the bounds. */
static bool is_stationary(const FpNlp* nlp, const FpStructuredRange* r, const Trial* t) {
    double z = t->z * nlp->x_upper[0], flat = level(r, t->f);
    return fabs(z) <= flat || (t->h >= nlp->x_upper[0] && z < 0) ||
           (t->h <= nlp->x_lower[0] && z > 0);
}

static void keep_side(const FpStructured* s, double* side) {
    size_t size = (size_t)s->row_count * sizeof *side;
    memcpy(side, s->lambda, size);
    memcpy(side + s->row_count, s->y, size);
}

/* Forces and multipliers between those of two sides that are one point but for round-off: forces
 * are known to round-off of the rows over h^2, which may be more than df/dh can bear. */
static void mix_sides(FpStructured* s, const FpStructuredRange* r, double part, double h) {
    const double *a = r->side[0], *b = r->side[1];
    for (int i = 0; i < s->row_count; i++) {
        int k = s->row_count + i;
        s->lambda[i] = part * a[i] + (1 - part) * b[i];
        s->y[i] = part * a[k] + (1 - part) * b[k];
    }
    fp_structured_follow_forces(s, h);
}

/* From where the objective falls to a second h where it rises, or to a bound. */
static FpStatus bracket(FpStructured* s, const FpNlp* nlp, const FpStructuredRange* r,
                        FpNlpPoint* point, Trial* from, Trial* to) {
    double lower = nlp->x_lower[0], upper = nlp->x_upper[0], way = from->z > 0 ? -1 : 1;
    double step = fmax(1e-6 * from->h, 1e-3 * (upper - lower));
    for (int k = 0; k < ROOT_LIMIT; k++, step *= 3) {
        FpStatus status = try_point(s, fmin(fmax(from->h + way * step, lower), upper), point, to);
        if (status) return status;
        if (is_stationary(nlp, r, to) || (to->z > 0) != (from->z > 0)) return FREEPLAY_OK;
        if (to->h <= lower || to->h >= upper) return FREEPLAY_NOT_CONVERGED;
        *from = *to;
        keep_side(s, r->side[0]);
    }
    return FREEPLAY_NOT_CONVERGED;
}

/* The point of a minimum at or near h: df/dh = 0 by false position, theory.md (49). Where df/dh
 * jumps, both sides have multipliers, and a mean of them has df/dh = 0. */
static FpStatus settle(FpStructured* s, const FpNlp* nlp, FpStructuredRange* r, double h,
                       FpNlpPoint* point) {
    Trial a, b, c;
    FpStatus status = try_point(s, h, point, &a);
    if (status || is_stationary(nlp, r, &a)) return status;
    keep_side(s, r->side[0]);
    status = bracket(s, nlp, r, point, &a, &b);
    if (status || is_stationary(nlp, r, &b)) return status;
    keep_side(s, r->side[1]);
    c = b;
    double za = a.z, zb = b.z;
    int last = 0;
    for (int k = 0; k < ROOT_LIMIT && fabs(b.h - a.h) > CLOSE * b.h; k++) {
        double next = a.h + (b.h - a.h) * (za / (za - zb));
        if (k % 8 == 7) next = 0.5 * (a.h + b.h);
        status = try_point(s, next, point, &c);
        if (status || is_stationary(nlp, r, &c)) return status;
        bool near_a = (c.z > 0) == (a.z > 0);
        keep_side(s, r->side[near_a ? 0 : 1]);
        if (near_a) {
            a = c;
            za = c.z;
            if (last > 0) zb /= 2;
        } else {
            b = c;
            zb = c.z;
            if (last < 0) za /= 2;
        }
        last = near_a ? 1 : -1;
    }
    /* What is left between them is a kink or the round-off of the forces. */
    mix_sides(s, r, b.z / (b.z - a.z), c.h);
    complete(s, c.h, point);
    return FREEPLAY_OK;
}

/* The best of the linearized program's minima and both bounds, solved with exact rows. */
static FpStatus choose(FpStructured* s, const FpNlp* nlp, FpStructuredRange* r, double* h) {
    double lower = nlp->x_lower[0], upper = nlp->x_upper[0];
    Trial trials[MINIMA_ROOM + 2];
    int count = 0;
    FpStatus status = try_step(s, upper, &trials[count]);
    if (!status) count++;
    status = walk(s, r, lower, upper);
    if (try_step(s, lower, &trials[count]) == FREEPLAY_OK) count++;
    for (int k = 0; k < r->minimum_count && !status; k++) {
        double inside = r->minima[k].h;
        if (inside <= lower || inside >= upper) continue;
        if (try_step(s, inside, &trials[count]) == FREEPLAY_OK) count++;
    }
    if (count == 0) return FREEPLAY_NOT_CONVERGED;
    Trial best = trials[0];
    for (int k = 1; k < count; k++)
        if (trials[k].f < best.f) best = trials[k];
    double limit = best.f + same(r, best.f);
    for (int k = 0; k < count; k++)
        if (trials[k].f <= limit && trials[k].h > best.h) best = trials[k];
    *h = best.h;
    return FREEPLAY_OK;
}

FpStatus fp_structured_range(FpStructured* s, const FpNlp* nlp, FpNlpPoint* point) {
    double lower = nlp->x_lower[0], upper = nlp->x_upper[0];
    if (!s->range) s->range = create(s->row_count, s->v_count);
    FpStructuredRange* r = s->range;
    if (!r) return FREEPLAY_OUT_OF_MEMORY;
    r->f_scale = nlp->f_scale;
    double h = find_free_step(s, lower, upper);
    if (h > 0) {
        memset(s->is_active, 0, (size_t)s->row_count * sizeof *s->is_active);
        memset(s->lambda, 0, (size_t)s->row_count * sizeof *s->lambda);
        return settle(s, nlp, r, h, point);
    }
    if (!s->st->linear) {
        FpStatus status = choose(s, nlp, r, &h);
        return status ? status : settle(s, nlp, r, h, point);
    }
    FpStatus status = walk(s, r, lower, upper);
    return status ? status : settle(s, nlp, r, r->best.h, point);
}
