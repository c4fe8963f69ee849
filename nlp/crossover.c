#include "nlp/crossover.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/dense.h"
#include "nlp/least_norm.h"

#define NEWTON_LIMIT   20
#define LARGEST        4000 /* unknowns and equations: more would take minutes with dense matrices */
#define ROUND_OFF      (16 * DBL_EPSILON)
#define SMALL_STEP     1e-9 /* a smaller one that does not shrink any more is the last */
#define RANK_TOLERANCE 1e-11
#define REDUNDANT      1e-5 /* the same where there are more equations than unknowns */
#define TOUCHING       (64 * DBL_EPSILON) /* of its unit: a smaller gap is closed */
#define NO_FORCE       1e-13              /* of the scale: a smaller force is none */
#define FLAT           1e-9               /* of the objective: a smaller change is none */

/* A variable is free or held where it is; a constraint is imposed as an equation or ignored. */
struct FpCrossover {
    int n, m, pair_count, cone_count;
    double *x, *x_saved, *y, *y_saved, *z, *g, *gradient, *A, *b, *work;
    int *free_index, *free_variables, *active_index, *active_constraints, *pivots, *column;
    bool *held, *imposed; /* side by side */
    bool* saved;          /* both, of the best point so far */
    bool* paired;         /* is the variable of a pair */
    bool* one_sided;      /* is a constraint g >= g_lower in no pair */
    bool* nonnegative;    /* of the columns of the least-norm problem */
    FpLeastNorm* least;
    int free_count, active_count;
    bool determined; /* there are as many independent equations as unknowns */
    FpTriplets J, H;
};

FpCrossover* fp_crossover_create(void) {
    return calloc(1, sizeof(FpCrossover));
}

static void release(FpCrossover* c) {
    free(c->x);
    free(c->free_index);
    free(c->held);
    fp_least_norm_destroy(c->least);
    fp_triplets_free(&c->J);
    fp_triplets_free(&c->H);
    memset(c, 0, sizeof *c);
}

void fp_crossover_destroy(FpCrossover* crossover) {
    if (crossover) release(crossover);
    free(crossover);
}

static bool allocate(FpCrossover* c, const FpNlp* p) {
    if (c->n == p->n && c->m == p->m && c->pair_count == p->pair_count &&
        c->cone_count == p->cone_count && c->x)
        return true;
    release(c);
    size_t n = (size_t)p->n, m = (size_t)p->m, k = n + m;
    size_t work = (size_t)fp_dense_work((int)k, (int)k);
    double* memory = calloc(4 * n + 3 * m + k * k + k + work + 1, sizeof *memory);
    int* indices = calloc(3 * n + 2 * m + k + 1, sizeof *indices);
    bool* flags = calloc(2 * k + 2 * n + m + 1, sizeof *flags);
    c->x = memory;
    c->free_index = indices;
    c->held = flags;
    c->least = fp_least_norm_create(p->m, p->n);
    if (!memory || !indices || !flags || !c->least) {
        release(c);
        return false;
    }
    c->x_saved = c->x + n;
    c->z = c->x_saved + n;
    c->gradient = c->z + n;
    c->y = c->gradient + n;
    c->y_saved = c->y + m;
    c->g = c->y_saved + m;
    c->A = c->g + m;
    c->b = c->A + k * k;
    c->work = c->b + k;
    c->free_variables = c->free_index + n;
    c->active_index = c->free_variables + n;
    c->active_constraints = c->active_index + m;
    c->pivots = c->active_constraints + m;
    c->column = c->pivots + k;
    c->imposed = c->held + n;
    c->saved = c->imposed + m;
    c->paired = c->saved + k;
    c->nonnegative = c->paired + n;
    c->one_sided = c->nonnegative + n;
    for (int i = 0; i < p->m; i++) c->one_sided[i] = fp_nlp_is_one_sided(p, i);
    for (int i = 0; i < p->pair_count; i++) c->paired[p->pairs[i].variable] = true;
    c->n = p->n;
    c->m = p->m;
    c->pair_count = p->pair_count;
    c->cone_count = p->cone_count;
    fp_triplets_record(&c->J);
    fp_triplets_record(&c->H);
    return true;
}

static double noise_of(const FpNlp* p, int i) {
    return p->g_noise ? p->g_noise[i] : p->g_unit[i];
}

/* A pair whose variable is held at 0 by its bounds is none. */
static bool is_off(const FpNlp* p, const FpNlpPair* pair) {
    return p->x_upper[pair->variable] <= 0;
}

static bool is_bounded(const FpCrossover* c, const FpNlp* p, int j) {
    bool bounded = p->x_lower[j] > -FREEPLAY_NO_BOUND || p->x_upper[j] < FREEPLAY_NO_BOUND;
    return bounded && !c->paired[j];
}

/* The first guess: variables with bounds stay where the solver left them, equations are imposed,
 * and of a pair (or of a one-sided constraint and its multiplier) the member that is smaller in
 * the program's scales is zero. */
static void guess_active_set(FpCrossover* c, const FpNlp* p, FpNlpPoint* point) {
    for (int j = 0; j < p->n; j++) {
        c->held[j] = is_bounded(c, p, j);
        if (c->held[j]) c->x[j] = fmin(fmax(c->x[j], p->x_lower[j]), p->x_upper[j]);
    }
    for (int i = 0; i < p->m; i++) {
        double push = -c->y[i] * p->g_scale[i] / p->f_scale;
        double gap = (c->g[i] - p->g_lower[i]) / p->g_scale[i];
        c->imposed[i] = p->g_lower[i] == p->g_upper[i] || (c->one_sided[i] && push > gap);
    }
    for (int k = 0; k < p->pair_count; k++) {
        int v = p->pairs[k].variable, i = p->pairs[k].constraint;
        bool pushes =
            !is_off(p, &p->pairs[k]) && point->x[v] / p->x_scale[v] > c->g[i] / p->g_scale[i];
        c->imposed[i] = pushes;
        c->held[v] = !pushes;
        if (!pushes) c->x[v] = 0;
    }
}

static void index_active_set(FpCrossover* c) {
    c->free_count = c->active_count = 0;
    for (int j = 0; j < c->n; j++) {
        c->free_index[j] = c->held[j] ? -1 : c->free_count;
        if (!c->held[j]) c->free_variables[c->free_count++] = j;
    }
    for (int i = 0; i < c->m; i++) {
        c->active_index[i] = c->imposed[i] ? c->active_count : -1;
        if (c->imposed[i]) c->active_constraints[c->active_count++] = i;
    }
}

static bool evaluate(FpCrossover* c, const FpNlp* p) {
    if (c->J.count) fp_triplets_rewind(&c->J);
    return p->constraints(p->context, c->x, c->g) && p->gradient(p->context, c->x, c->gradient) &&
           p->jacobian(p->context, c->x, &c->J) && !c->J.failed;
}

/* Adds the scaled Jacobian of the imposed constraints below and right of the Hessian. */
static void put_jacobian(const FpCrossover* c, const FpNlp* p, int k) {
    for (int e = 0; e < c->J.count; e++) {
        int i = c->active_index[c->J.row[e]], j = c->free_index[c->J.col[e]];
        if (i < 0 || j < 0) continue;
        double value = c->J.value[e] * p->x_scale[c->J.col[e]] / p->g_scale[c->J.row[e]];
        c->A[c->free_count + i + k * j] += value;
        c->A[j + k * (c->free_count + i)] += value;
    }
}

static bool put_hessian(FpCrossover* c, const FpNlp* p, int k) {
    if (c->H.count) fp_triplets_rewind(&c->H);
    if (!p->hessian || !p->hessian(p->context, c->x, 1, c->y, &c->H) || c->H.failed) return false;
    for (int e = 0; e < c->H.count; e++) {
        int i = c->free_index[c->H.row[e]], j = c->free_index[c->H.col[e]];
        if (i < 0 || j < 0) continue;
        double value = c->H.value[e] * p->x_scale[c->H.row[e]] * p->x_scale[c->H.col[e]];
        c->A[i + k * j] += value / p->f_scale;
        if (i != j) c->A[j + k * i] += value / p->f_scale;
    }
    return true;
}

/* The residuals of the imposed constraints, scaled. */
static void put_residuals(const FpCrossover* c, const FpNlp* p, double* b) {
    for (int i = 0; i < c->active_count; i++) {
        int constraint = c->active_constraints[i];
        b[i] = (p->g_lower[constraint] - c->g[constraint]) / p->g_scale[constraint];
    }
}

/* Moves the free variables by the scaled step in b; returns its size. */
static double move(FpCrossover* c, const FpNlp* p) {
    double size = 0;
    for (int j = 0; j < c->free_count; j++) {
        int variable = c->free_variables[j];
        double x_hat = c->x[variable] / p->x_scale[variable];
        size = fmax(size, fabs(c->b[j]) / fmax(1, fabs(x_hat)));
        c->x[variable] += c->b[j] * p->x_scale[variable];
    }
    return size;
}

static void keep_multipliers(FpCrossover* c, const FpNlp* p, const double* y_hat) {
    memset(c->y, 0, (size_t)c->m * sizeof *c->y);
    for (int i = 0; i < c->active_count; i++) {
        int constraint = c->active_constraints[i];
        c->y[constraint] = y_hat[i] * p->f_scale / p->g_scale[constraint];
    }
}

/* Equations that say the same at the solution differ a little on the way to it. */
static double rank_tolerance(const FpCrossover* c) {
    return c->active_count > c->free_count ? REDUNDANT : RANK_TOLERANCE;
}

/* One Newton step on the optimality conditions of the equations, theory.md (33):
 *   [ H  J^T ] [ dx ]   [ -grad f ]
 *   [ J   0  ] [ y  ] = [ -g      ]      in scaled quantities, least norm where singular. */
static bool newton_step(FpCrossover* c, const FpNlp* p, double* size) {
    int nf = c->free_count, k = nf + c->active_count, rank;
    memset(c->A, 0, (size_t)k * (size_t)k * sizeof *c->A);
    if (!put_hessian(c, p, k)) return false;
    put_jacobian(c, p, k);
    for (int j = 0; j < nf; j++) {
        int variable = c->free_variables[j];
        c->b[j] = -c->gradient[variable] * p->x_scale[variable] / p->f_scale;
    }
    put_residuals(c, p, c->b + nf);
    if (fp_dense_least_norm(k, k, c->A, c->b, rank_tolerance(c), &rank, c->work, c->pivots))
        return false;
    *size = move(c, p);
    keep_multipliers(c, p, c->b + nf);
    return isfinite(*size);
}

/* The scaled Jacobian of the imposed constraints over the free variables, or its transpose. */
static void put_equations(const FpCrossover* c, const FpNlp* p, bool transposed) {
    int nf = c->free_count, ma = c->active_count;
    memset(c->A, 0, (size_t)nf * (size_t)ma * sizeof *c->A);
    for (int e = 0; e < c->J.count; e++) {
        int i = c->active_index[c->J.row[e]], j = c->free_index[c->J.col[e]];
        if (i < 0 || j < 0) continue;
        double value = c->J.value[e] * p->x_scale[c->J.col[e]] / p->g_scale[c->J.row[e]];
        c->A[transposed ? j + nf * i : i + ma * j] += value;
    }
}

/* Where there are as many equations as unknowns nothing is left to optimize: J dx = -g. */
static bool equation_step(FpCrossover* c, const FpNlp* p, double* size) {
    int rank = c->free_count;
    put_equations(c, p, false);
    put_residuals(c, p, c->b);
    if (fp_dense_least_norm(c->active_count, c->free_count, c->A, c->b, rank_tolerance(c), &rank,
                            c->work, c->pivots))
        return false;
    /* Redundant equations leave something to optimize, unless it is redundant variables only. */
    if (rank < c->free_count && !p->least_norm) c->determined = false;
    *size = move(c, p);
    return isfinite(*size);
}

/* The multipliers of such a point: J^T y = -grad f. */
static bool find_multipliers(FpCrossover* c, const FpNlp* p) {
    int rank;
    put_equations(c, p, true);
    for (int j = 0; j < c->free_count; j++) {
        int variable = c->free_variables[j];
        c->b[j] = -c->gradient[variable] * p->x_scale[variable] / p->f_scale;
    }
    if (fp_dense_least_norm(c->free_count, c->active_count, c->A, c->b, RANK_TOLERANCE, &rank,
                            c->work, c->pivots))
        return false;
    keep_multipliers(c, p, c->b);
    return true;
}

/* The scaled steps that round-off of the constraints alone can cause. */
static double round_off_step(const FpCrossover* c, const FpNlp* p) {
    double noise = 0;
    for (int k = 0; k < c->active_count; k++) {
        int i = c->active_constraints[k];
        noise = fmax(noise, noise_of(p, i) / p->g_scale[i]);
    }
    return fmax(SMALL_STEP, 16 * ROUND_OFF * noise);
}

/* Newton steps until they no longer shrink: the last ones are round-off. */
static bool solve_equations(FpCrossover* c, const FpNlp* p) {
    double previous = INFINITY, small = round_off_step(c, p);
    c->determined = c->free_count <= c->active_count;
    for (int iteration = 0; iteration < NEWTON_LIMIT; iteration++) {
        double size;
        bool determined = c->determined;
        if (!(c->determined ? equation_step : newton_step)(c, p, &size) || !evaluate(c, p))
            return false;
        if (determined != c->determined) continue;
        if (size <= ROUND_OFF || (size <= small && size >= 0.1 * previous)) return true;
        previous = size;
    }
    return false;
}

/* The variables that may share an effect: those that are free, and those of pairs that are held at
 * 0 although their gap is closed. Sets column and nonnegative; returns how many there are. */
static int choose_sharing(FpCrossover* c, const FpNlp* p) {
    int count = 0;
    for (int j = 0; j < c->n; j++) c->column[j] = p->least_norm[j] && !c->held[j] ? 0 : -1;
    for (int k = 0; k < p->pair_count; k++) {
        int v = p->pairs[k].variable, i = p->pairs[k].constraint;
        bool touches = fabs(c->g[i]) <= TOUCHING * noise_of(p, i);
        if (p->least_norm[v] && touches && !is_off(p, &p->pairs[k])) c->column[v] = 0;
    }
    for (int j = 0; j < c->n; j++) {
        if (c->column[j] < 0) continue;
        c->nonnegative[count] = c->paired[j];
        c->column[j] = count++;
    }
    return count;
}

/* Their columns of J over the equations, scaled, and their effect in b. */
static void put_effect(FpCrossover* c, const FpNlp* p, int count) {
    int ma = c->active_count;
    memset(c->A, 0, (size_t)ma * (size_t)count * sizeof *c->A);
    memset(c->b, 0, (size_t)ma * sizeof *c->b);
    for (int e = 0; e < c->J.count; e++) {
        int i = c->active_index[c->J.row[e]], variable = c->J.col[e], j = c->column[variable];
        if (i < 0 || j < 0) continue;
        double value = c->J.value[e] / p->g_scale[c->J.row[e]];
        c->A[i + ma * j] += value * p->x_scale[variable];
        c->b[i] += value * c->x[variable];
    }
}

/* Replaces the variables that need not be unique by those of least norm with the same effect,
 * theory.md (34), and lets the equations take away the round-off of that. */
static bool take_least_norm(FpCrossover* c, const FpNlp* p) {
    int count = p->least_norm ? choose_sharing(c, p) : 0, rank = 0;
    if (count < 2) return true;
    put_effect(c, p, count);
    double* least = c->work;
    if (fp_least_norm_solve(c->least, c->active_count, count, c->A, c->b, c->nonnegative,
                            FREEPLAY_LEAST_NORM_ALL, least, &rank) ||
        rank == count)
        return true;
    for (int j = 0; j < c->n; j++)
        if (c->column[j] >= 0)
            c->x[j] = fmax(least[c->column[j]], c->paired[j] ? 0 : -INFINITY) * p->x_scale[j];
    for (int k = 0; k < p->pair_count; k++) {
        int v = p->pairs[k].variable;
        if (c->column[v] < 0 || c->x[v] <= 0) continue;
        c->held[v] = false;
        c->imposed[p->pairs[k].constraint] = true;
    }
    index_active_set(c);
    double size;
    return evaluate(c, p) && (!c->determined || (equation_step(c, p, &size) && evaluate(c, p)));
}

/* Holds free variables that have left their bounds at these bounds. */
static int hold_at_bounds(FpCrossover* c, const FpNlp* p) {
    int changes = 0;
    for (int j = 0; j < p->n; j++) {
        bool below = c->x[j]<p->x_lower[j], above = c->x[j]> p->x_upper[j];
        if (c->held[j] || c->paired[j] || !(below || above)) continue;
        c->x[j] = below ? p->x_lower[j] : p->x_upper[j];
        c->held[j] = true;
        changes++;
    }
    return changes;
}

/* Imposes one-sided constraints that are violated, releases those that pull; returns how many. */
static int correct_one_sided(FpCrossover* c, const FpNlp* p) {
    int changes = 0;
    for (int i = 0; i < p->m; i++) {
        if (!c->one_sided[i]) continue;
        bool pulls = c->imposed[i] && c->y[i] * p->g_scale[i] > NO_FORCE * p->f_scale;
        bool violated = !c->imposed[i] && c->g[i] - p->g_lower[i] < -ROUND_OFF * noise_of(p, i);
        if (!pulls && !violated) continue;
        c->imposed[i] = violated;
        changes++;
    }
    return changes;
}

/* Of redundant rows with different gaps not all can be imposed: the one that stays open the most is
 * released. Returns how many were. */
static int release_open_pair(FpCrossover* c, const FpNlp* p) {
    double most = TOUCHING;
    int open = -1;
    for (int k = 0; k < p->pair_count; k++) {
        int i = p->pairs[k].constraint;
        double gap = c->g[i] / noise_of(p, i);
        if (!c->imposed[i] || gap <= most) continue;
        most = gap;
        open = k;
    }
    if (open < 0) return 0;
    c->imposed[p->pairs[open].constraint] = false;
    c->held[p->pairs[open].variable] = true;
    c->x[p->pairs[open].variable] = 0;
    return 1;
}

/* Turns around the pairs whose other member has the wrong sign; returns how many. */
static int correct_active_set(FpCrossover* c, const FpNlp* p) {
    int changes = hold_at_bounds(c, p) + correct_one_sided(c, p) + release_open_pair(c, p);
    for (int k = 0; k < p->pair_count; k++) {
        int v = p->pairs[k].variable, i = p->pairs[k].constraint;
        bool pulls = c->imposed[i] && c->x[v] < -NO_FORCE * p->x_scale[v];
        bool penetrates =
            !c->imposed[i] && !is_off(p, &p->pairs[k]) && c->g[i] < -ROUND_OFF * noise_of(p, i);
        if (!pulls && !penetrates) continue;
        c->imposed[i] = penetrates;
        c->held[v] = !penetrates;
        c->x[v] = 0;
        changes++;
    }
    return changes;
}

/* z = grad f + J^T y of the held variables. */
static void find_bound_multipliers(FpCrossover* c) {
    memcpy(c->z, c->gradient, (size_t)c->n * sizeof *c->z);
    for (int e = 0; e < c->J.count; e++) c->z[c->J.col[e]] += c->J.value[e] * c->y[c->J.row[e]];
    for (int j = 0; j < c->n; j++)
        if (!c->held[j]) c->z[j] = 0;
}

/* Solves for the active set, correcting it until the signs are right. */
static bool settle(FpCrossover* c, const FpNlp* p) {
    int corrections = 0;
    do {
        index_active_set(c);
        if (!evaluate(c, p) || !solve_equations(c, p) || !take_least_norm(c, p)) return false;
        /* Where signs are round-off (a gap closes without force) the guess may go in circles: the
         * certificate tells whether that matters. */
        if (corrections++ > 2 * p->m + 2) break;
    } while (correct_active_set(c, p) > 0);
    if (c->determined && !find_multipliers(c, p)) return false;
    find_bound_multipliers(c);
    return true;
}

static void save(FpCrossover* c) {
    memcpy(c->x_saved, c->x, (size_t)c->n * sizeof *c->x);
    memcpy(c->y_saved, c->y, (size_t)c->m * sizeof *c->y);
    memcpy(c->saved, c->held, (size_t)(c->n + c->m) * sizeof *c->held);
}

static bool restore(FpCrossover* c, const FpNlp* p) {
    memcpy(c->x, c->x_saved, (size_t)c->n * sizeof *c->x);
    memcpy(c->y, c->y_saved, (size_t)c->m * sizeof *c->y);
    memcpy(c->held, c->saved, (size_t)(c->n + c->m) * sizeof *c->held);
    index_active_set(c);
    bool evaluated = evaluate(c, p);
    find_bound_multipliers(c);
    return evaluated;
}

/* Tries the variable at one of its bounds: it must not be worse there, nor want to come back. */
static bool try_bound(FpCrossover* c, const FpNlp* p, int j, double bound, double flat,
                      double best) {
    double f, sign = bound == p->x_upper[j] ? 1 : -1;
    c->x[j] = bound;
    return settle(c, p) && p->objective(p->context, c->x, &f) && f <= best + flat &&
           sign * c->z[j] * (p->x_upper[j] - p->x_lower[j]) <= flat;
}

/* A variable with two bounds that was held where the solver left it goes to the bound to which the
 * objective falls (the upper one where it is flat), or else to where it is stationary. */
static bool place_bounded(FpCrossover* c, const FpNlp* p, int j) {
    double best, range = p->x_upper[j] - p->x_lower[j];
    if (range <= 0) return true;
    if (!p->objective(p->context, c->x, &best)) return false;
    double flat = FLAT * fmax(best, FLAT * p->f_scale), slope = c->z[j] * range;
    save(c);
    if (slope <= flat && try_bound(c, p, j, p->x_upper[j], flat, best)) return true;
    if (!restore(c, p)) return false;
    if (slope > flat && try_bound(c, p, j, p->x_lower[j], flat, best)) return true;
    if (!restore(c, p)) return false;
    if (fabs(slope) <= flat) return true;
    c->held[j] = false;
    return settle(c, p) || restore(c, p);
}

static void hand_back(const FpCrossover* c, const FpNlp* p, FpNlpPoint* point) {
    memcpy(point->x, c->x, (size_t)c->n * sizeof *c->x);
    memcpy(point->y, c->y, (size_t)c->m * sizeof *c->y);
    memcpy(point->z, c->z, (size_t)c->n * sizeof *c->z);
    /* A force of round-off size that pulls is none. */
    for (int k = 0; k < p->pair_count; k++) {
        int v = p->pairs[k].variable;
        if (point->x[v] < 0) point->x[v] = 0;
    }
}

FpStatus fp_crossover_sharpen(FpCrossover* c, const FpNlp* nlp, FpNlpPoint* point) {
    if (nlp->n + nlp->m > LARGEST) return FREEPLAY_NOT_CONVERGED;
    if (!allocate(c, nlp)) return FREEPLAY_OUT_OF_MEMORY;
    memcpy(c->x, point->x, (size_t)c->n * sizeof *c->x);
    memcpy(c->y, point->y, (size_t)c->m * sizeof *c->y);
    if (!evaluate(c, nlp)) return FREEPLAY_NOT_FINITE;
    guess_active_set(c, nlp, point);
    if (!settle(c, nlp)) return FREEPLAY_NOT_CONVERGED;
    for (int j = 0; j < nlp->n; j++)
        if (is_bounded(c, nlp, j) && !place_bounded(c, nlp, j)) return FREEPLAY_NOT_CONVERGED;
    hand_back(c, nlp, point);
    return FREEPLAY_OK;
}
