/* Least-constraint problems with Coulomb friction, theory.md section 10: Newton's method on the
 * laws of all rows at once (Alart, Curnier). Every row is active or not, every active cone sticks
 * or slides; for given choices the laws are smooth, and the next choice follows from
 *
 *   active:  lambda_N - psi_N/(h^2 N_NN) > 0,     sticks:  |w| < mu R,   w = P_T - psi_T/(h^2 N_TT)
 *   slides:  P_T = mu R w/|w|
 *
 * with R the normal force and P_T = lambda_T, or what both add to forces that are given. Where the
 * choices do not settle, a projected Gauss-Seidel iteration makes them, then, for a few cones of
 * one component, a trial of all. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/dense.h"
#include "nlp/structured_impl.h"

#define NEWTON_LIMIT 30
#define PATIENCE     8                 /* steps without progress: the choices go round in circles */
#define CLOSED       (2 * DBL_EPSILON) /* of its unit: a smaller residual is none */
#define GOOD         1e-12 /* one that shrinks no more may be so large: the certificate decides */
#define OPEN         (16 * DBL_EPSILON) /* of its unit: a larger penetration is one */
/* Of the scaled matrix: a smaller pivot may mean that rows repeat others, a smaller singular value
 * does. */
#define SUSPICIOUS 1e-8
#define REPEATS    1e-9
/* Weight of residuals of friction: round-off turns its direction where slip is slow, and contacts
 * that stick repeat gaps that are closed up to their curvature. */
#define LESSER       1e-3
#define SWEEP_ROUNDS 40
#define NEAR_ENOUGH  1e-9 /* residual of an iteration that Newton's method cannot sharpen */
#define SWEEPS       60
#define TRIAL_STEPS  6
#define MOST_TRIALS  256  /* combinations of choices: four for every cone */
#define MANY_FORCES  64   /* with more of them the least are not looked for */
#define LARGEST      1500 /* unknowns of a dense matrix */

typedef enum Mode { STICKS, SLIDES } Mode;

struct FpStructuredFriction {
    int row_count, cone_count, room;
    Mode* mode;                                 /* of every cone, if its row is active */
    double* direction;                          /* of every cone: w/|w| */
    double *radius, *slack;                     /* likewise: mu R and |w| */
    int *unknown, *position, *cone_of, *pivots; /* rows that are unknown, and their places */
    int count;
    double* compliance; /* N_ii of every row */
    double* magnitude;  /* of its force: makes the diagonal of N one */
    double *A, *b, *work;
    bool singular;  /* the last matrix was: rows repeat others */
    bool redundant; /* some matrix of this step was */
    int* choice;    /* of every cone, when all are tried */
    double* effect; /* M^-1 W of the forces that are free, over all velocities, and work */
    int effect_room;
    bool* is_slip;  /* of every row */
    bool* is_used;  /* of every part: has rows that are unknown */
    bool* is_known; /* of every row: its compliance is */
};

void fp_structured_friction_destroy(FpStructuredFriction* f) {
    if (!f) return;
    free(f->mode);
    free(f->direction);
    free(f->unknown);
    free(f->effect);
    free(f->is_slip);
    free(f->A);
    free(f);
}

static FpStructuredFriction* create(const FpStructure* st) {
    FpStructuredFriction* f = calloc(1, sizeof *f);
    if (!f) return NULL;
    size_t rows = (size_t)st->row_count, cones = (size_t)st->cone_count;
    f->mode = calloc(cones + 1, sizeof *f->mode);
    f->direction = calloc(5 * cones + 2 * rows + 1, sizeof *f->direction);
    f->unknown = calloc(4 * rows + cones + 1, sizeof *f->unknown);
    f->is_slip = calloc(2 * rows + (size_t)st->part_count + 1, sizeof *f->is_slip);
    if (!f->mode || !f->direction || !f->unknown || !f->is_slip) {
        fp_structured_friction_destroy(f);
        return NULL;
    }
    f->radius = f->direction + 3 * cones;
    f->slack = f->radius + cones;
    f->compliance = f->slack + cones;
    f->magnitude = f->compliance + rows;
    f->position = f->unknown + rows;
    f->cone_of = f->position + rows;
    f->pivots = f->cone_of + rows;
    f->choice = f->pivots + rows;
    f->is_known = f->is_slip + rows;
    f->is_used = f->is_known + rows;
    f->row_count = st->row_count;
    f->cone_count = st->cone_count;
    for (int i = 0; i < st->row_count; i++) f->cone_of[i] = -1;
    for (int k = 0; k < st->cone_count; k++) {
        f->cone_of[st->cones[k].row] = k;
        for (int a = 0; a < st->cones[k].count; a++) f->is_slip[st->cones[k].slip_at + a] = true;
    }
    return f;
}

static bool make_room(FpStructuredFriction* f, int n) {
    if (n <= f->room) return true;
    size_t room = (size_t)n + 8, work = (size_t)fp_dense_work((int)room, (int)room);
    double* memory = calloc(room * room + room + work, sizeof *memory);
    if (!memory) return false;
    free(f->A);
    f->A = memory;
    f->b = f->A + room * room;
    f->work = f->b + room;
    f->room = (int)room;
    return true;
}

/* What the forces of a cone add to those that are given: the normal one, or a tangential one. */
static double added(const FpStructured* s, const FpStructureCone* cone, int component) {
    int row = component < 0 ? cone->row : cone->slip_at + component;
    return s->lambda[row] - (cone->before ? cone->before[component + 1] : 0);
}

/* M^-1 W of a row, its compliance and magnitude, when first needed: rows asleep have none yet. */
static void learn(FpStructured* s, FpStructuredFriction* f, int row) {
    if (f->is_known[row]) return;
    f->is_known[row] = true;
    fp_structured_solve_row(s, row);
    f->compliance[row] = fp_structured_couple(s, s->st->slopes, row, row);
    f->magnitude[row] = f->compliance[row] > 0 ? 1 / sqrt(f->compliance[row]) : 1;
}

/* Choices -------------------------------------------------------------------------------------- */

static bool is_active(const FpStructured* s, const FpStructuredFriction* f, int i, double h) {
    const FpStructure* st = s->st;
    if (!st->applies[i] || st->bilateral[i]) return st->applies[i];
    if (s->lambda[i] <= 0) return s->psi[i] < -OPEN * st->unit[i];
    return s->lambda[i] * h * h * f->compliance[i] > s->psi[i];
}

static double slip_compliance(FpStructured* s, FpStructuredFriction* f,
                              const FpStructureCone* cone) {
    double largest = 0;
    for (int a = 0; a < cone->count; a++) {
        learn(s, f, cone->slip_at + a);
        largest = fmax(largest, f->compliance[cone->slip_at + a]);
    }
    return largest;
}

/* The direction of the friction force and how far it may go. A law that goes on from other forces
 * has a given slip, nlp/nlp.h: its direction is known. */
static void aim(FpStructured* s, FpStructuredFriction* f, int k, double h) {
    const FpStructureCone* cone = &s->st->cones[k];
    double *w = f->direction + 3 * k, size = 0, r = h * h * slip_compliance(s, f, cone);
    for (int a = 0; a < cone->count; a++) {
        double way = s->psi[cone->slip_at + a];
        w[a] = cone->before ? -way : added(s, cone, a) - (r > 0 ? way / r : 0);
        size = hypot(size, w[a]);
    }
    for (int a = 0; a < cone->count && size > 0; a++) w[a] /= size;
    f->slack[k] = cone->before ? INFINITY : size;
    f->radius[k] = cone->friction * fmax(added(s, cone, -1), 0);
}

/* Whether there is friction at a cone. */
static bool is_pressed(const FpStructured* s, int k) {
    const FpStructureCone* cone = &s->st->cones[k];
    return cone->applies && s->is_active[cone->row];
}

/* Takes the force of an inactive row away; returns whether there was any. */
static bool drop_force(FpStructured* s, int row, double to) {
    bool drops = !s->is_active[row] && s->lambda[row] != to;
    if (drops) s->lambda[row] = to;
    return drops;
}

/* Rows that are not active have no force, and add none to friction that is given. */
static bool drop_forces(FpStructured* s, const FpStructuredFriction* f) {
    const FpStructure* st = s->st;
    bool dropped = false;
    for (int k = 0; k < st->cone_count; k++) {
        const FpStructureCone* cone = &st->cones[k];
        for (int a = 0; a < cone->count; a++) {
            double given = cone->before && cone->applies ? cone->before[a + 1] : 0;
            s->is_active[cone->slip_at + a] = is_pressed(s, k);
            dropped = drop_force(s, cone->slip_at + a, given) || dropped;
        }
    }
    for (int i = 0; i < s->row_count; i++)
        if (!f->is_slip[i]) dropped = drop_force(s, i, 0) || dropped;
    return dropped;
}

static bool choose(FpStructured* s, FpStructuredFriction* f, double h) {
    for (int i = 0; i < s->row_count; i++) s->is_active[i] = is_active(s, f, i, h);
    bool dropped = drop_forces(s, f);
    for (int k = 0; k < s->st->cone_count; k++) {
        if (!is_pressed(s, k)) continue;
        aim(s, f, k, h);
        f->mode[k] = f->slack[k] < f->radius[k] ? STICKS : SLIDES;
    }
    return dropped;
}

static void list_unknowns(FpStructured* s, FpStructuredFriction* f) {
    f->count = 0;
    for (int i = 0; i < s->row_count; i++) {
        f->position[i] = s->is_active[i] ? f->count : -1;
        if (!s->is_active[i]) continue;
        learn(s, f, i);
        f->unknown[f->count++] = i;
    }
}

/* Residuals ------------------------------------------------------------------------------------ */

static double largest_force(const FpStructured* s) {
    double largest = 0;
    for (int i = 0; i < s->row_count; i++)
        if (s->is_active[i]) largest = fmax(largest, fabs(s->lambda[i]) / s->weight[i]);
    return largest;
}

/* What component a of a sliding cone lacks of its law. */
static double slide_defect(const FpStructured* s, const FpStructuredFriction* f, int k, int a) {
    return added(s, &s->st->cones[k], a) - f->radius[k] * f->direction[3 * k + a];
}

/* The largest residual of the laws, rows in their units, forces in parts of the largest. */
static double residual(const FpStructured* s, const FpStructuredFriction* f) {
    const FpStructure* st = s->st;
    double largest = 0, force = largest_force(s);
    for (int i = 0; i < s->row_count; i++) {
        bool imposed = s->is_active[i] && !f->is_slip[i];
        if (imposed) largest = fmax(largest, fabs(s->psi[i]) / st->unit[i]);
    }
    for (int k = 0; k < st->cone_count; k++) {
        const FpStructureCone* cone = &st->cones[k];
        for (int a = 0; a < cone->count && is_pressed(s, k); a++) {
            int i = cone->slip_at + a;
            double now = f->mode[k] == STICKS
                             ? fabs(s->psi[i]) / st->unit[i]
                             : fabs(slide_defect(s, f, k, a)) / (force * s->weight[i] + DBL_MIN);
            largest = fmax(largest, LESSER * now);
        }
    }
    return largest;
}

/* Newton's method ------------------------------------------------------------------------------ */

/* The products of two groups of rows over the block that both have, added to D M^-1 W. */
static void add_group(const FpStructured* s, const FpStructuredFriction* f,
                      const FpStructurePart* left, const FpStructurePart* right) {
    int n = f->count, width = left->v_count;
    for (int j = 0; j < right->row_count; j++) {
        int l = f->position[right->row_at + j];
        if (l < 0) continue;
        const double* solved = s->solved + right->at + j * right->stride;
        const double* D = s->D + left->at;
        for (int i = 0; i < left->row_count; i++, D += left->stride) {
            int k = f->position[left->row_at + i];
            double sum = 0;
            for (int m = 0; k >= 0 && m < width; m++) sum += D[m] * solved[m];
            if (k >= 0) f->A[k + n * l] += sum;
        }
    }
}

static bool has_unknown(const FpStructuredFriction* f, const FpStructurePart* part) {
    for (int i = 0; i < part->row_count; i++)
        if (f->position[part->row_at + i] >= 0) return true;
    return false;
}

/* The products D M^-1 W over the unknowns, scaled, column-major. */
static void put_products(const FpStructured* s, FpStructuredFriction* f) {
    const FpStructure* st = s->st;
    int n = f->count;
    memset(f->A, 0, (size_t)n * (size_t)n * sizeof *f->A);
    for (int p = 0; p < st->part_count; p++) f->is_used[p] = has_unknown(f, &st->parts[p]);
    for (int p = 0; p < st->part_count; p++)
        for (int q = f->is_used[p] ? st->block_first[st->parts[p].block] : -1; q >= 0;
             q = st->block_next[q])
            if (f->is_used[q]) add_group(s, f, &st->parts[p], &st->parts[q]);
    for (int l = 0; l < n; l++)
        for (int k = 0; k < n; k++)
            f->A[k + n * l] *= f->magnitude[f->unknown[k]] * f->magnitude[f->unknown[l]];
}

/* The rows of a cone that slides: the derivative of P_T - mu R w/|w|. */
static void put_sliding(FpStructured* s, FpStructuredFriction* f, int k) {
    const FpStructureCone* cone = &s->st->cones[k];
    const double* d = f->direction + 3 * k;
    int n = f->count, c = cone->count, at = f->position[cone->slip_at];
    double turn = f->slack[k] > 0 ? f->radius[k] / f->slack[k] : 0;
    double r = slip_compliance(s, f, cone), K[FREEPLAY_CONE_MAX];
    bool grows = added(s, cone, -1) >= 0;
    for (int l = 0; l < n; l++) {
        int j = f->unknown[l];
        double* A = f->A + at + n * l;
        for (int b = 0; b < c; b++) {
            K[b] = A[b] / (f->magnitude[cone->slip_at + b] * f->magnitude[j]);
            K[b] = (j == cone->slip_at + b) - (r > 0 ? K[b] / r : 0); /* dw_b/dlambda_j */
        }
        double along = 0;
        for (int b = 0; b < c; b++) along += d[b] * K[b];
        for (int a = 0; a < c; a++) {
            double entry = (j == cone->slip_at + a) - turn * (K[a] - d[a] * along);
            if (j == cone->row && grows) entry -= cone->friction * d[a];
            A[a] = entry * f->magnitude[j] / f->magnitude[cone->slip_at + a];
        }
    }
    for (int a = 0; a < c; a++)
        f->b[at + a] = -slide_defect(s, f, k, a) / f->magnitude[cone->slip_at + a];
}

static void put_system(FpStructured* s, FpStructuredFriction* f, double h) {
    put_products(s, f);
    for (int k = 0; k < f->count; k++) {
        int i = f->unknown[k];
        f->b[k] = -s->psi[i] * f->magnitude[i] / (h * h);
    }
    for (int k = 0; k < s->st->cone_count; k++)
        if (is_pressed(s, k) && f->mode[k] == SLIDES) put_sliding(s, f, k);
    for (int k = 0; k < f->count; k++) {
        if (!f->is_slip[f->unknown[k]]) continue;
        for (int l = 0; l < f->count; l++) f->A[k + f->count * l] *= LESSER;
        f->b[k] *= LESSER;
    }
}

/* A step for all unknowns; where rows repeat others, the least one. */
static FpStatus newton_step(FpStructured* s, FpStructuredFriction* f, double h) {
    int n = f->count, rank;
    if (n > LARGEST) return FREEPLAY_NOT_CONVERGED;
    if (!make_room(f, n)) return FREEPLAY_OUT_OF_MEMORY;
    put_system(s, f, h);
    double pivot = fp_dense_solve_general(n, f->A, f->b, f->pivots);
    f->singular = !(pivot > SUSPICIOUS);
    if (f->singular) {
        put_system(s, f, h);
        if (fp_dense_least_norm(n, n, f->A, f->b, REPEATS, &rank, f->work, f->pivots))
            return FREEPLAY_NOT_CONVERGED;
        f->singular = rank < n;
        f->redundant = f->redundant || f->singular;
    }
    for (int k = 0; k < n; k++) {
        double change = f->b[k] * f->magnitude[f->unknown[k]];
        if (!isfinite(change)) return FREEPLAY_NOT_CONVERGED;
        s->lambda[f->unknown[k]] += change;
    }
    s->iterations++;
    return FREEPLAY_OK;
}

/* Of forces that are not unique those nearest to none are taken, whatever the start. */
static FpStatus newton(FpStructured* s, FpStructuredFriction* f, double h) {
    double last = INFINITY, best = INFINITY;
    bool restarted = false;
    f->singular = false;
    for (int k = 0, patience = PATIENCE; k < NEWTON_LIMIT && patience > 0; k++) {
        if (!fp_structured_move(s, h, s->D)) return FREEPLAY_NOT_CONVERGED;
        bool dropped = choose(s, f, h);
        list_unknowns(s, f);
        double now = residual(s, f);
        if (!dropped && (now <= CLOSED || (now <= GOOD && now >= 0.5 * last))) return FREEPLAY_OK;
        patience = now < 0.5 * best ? PATIENCE : patience - 1;
        best = fmin(best, now);
        FpStatus status = newton_step(s, f, h);
        if (status) return status;
        if (f->singular && !restarted) {
            patience = PATIENCE;
            best = INFINITY;
            restarted = true;
            memset(s->lambda, 0, (size_t)s->row_count * sizeof *s->lambda);
        }
        last = now;
    }
    return FREEPLAY_NOT_CONVERGED;
}

/* Gauss and Seidel ----------------------------------------------------------------------------- */

/* psi of a row for the velocity at hand, linear about where psi and D are. */
static double predict(const FpStructured* s, int row, double h, const double* at) {
    const FpStructure* st = s->st;
    double sum = 0;
    for (int p = st->first_part[row]; fp_structured_is_part_of(st, p, row); p++) {
        const FpStructurePart* part = &st->parts[p];
        const double* D = s->D + part->at + (row - part->row_at) * part->stride;
        for (int k = 0; k < part->v_count; k++)
            sum += D[k] * (s->v[part->v_at + k] - at[part->v_at + k]);
    }
    return s->psi[row] + h * sum;
}

static void change_force(FpStructured* s, int row, double h, double to) {
    fp_structured_add_solved(s, row, h * (to - s->lambda[row]), s->v);
    s->lambda[row] = to;
}

/* The nearest force that the law allows; where slip is given, that against it. */
static void relax_cone(FpStructured* s, FpStructuredFriction* f, int k, double h,
                       const double* at) {
    const FpStructureCone* cone = &s->st->cones[k];
    double w[FREEPLAY_CONE_MAX], size = 0, r = h * h * slip_compliance(s, f, cone);
    double limit = cone->friction * fmax(added(s, cone, -1), 0);
    bool presses = s->lambda[cone->row] > 0;
    for (int a = 0; a < cone->count; a++) {
        int i = cone->slip_at + a;
        double way = cone->before ? s->psi[i] : predict(s, i, h, at);
        w[a] = cone->before ? -way : added(s, cone, a) - (r > 0 ? way / r : 0);
        size = hypot(size, w[a]);
    }
    double part = size > limit || (cone->before && size > 0) ? limit / size : 1;
    for (int a = 0; a < cone->count; a++) {
        double given = cone->before ? cone->before[a + 1] : 0;
        change_force(s, cone->slip_at + a, h, presses ? given + part * w[a] : given);
    }
}

static void sweep(FpStructured* s, FpStructuredFriction* f, double h, const double* at) {
    const FpStructure* st = s->st;
    for (int i = 0; i < s->row_count; i++) {
        double psi = st->applies[i] ? predict(s, i, h, at) : 0;
        if (!st->applies[i] || (!st->bilateral[i] && s->lambda[i] == 0 && psi >= 0)) continue;
        learn(s, f, i);
        if (!(f->compliance[i] > 0)) continue;
        double to = s->lambda[i] - psi / (h * h * f->compliance[i]);
        change_force(s, i, h, st->bilateral[i] ? to : fmax(to, 0));
        if (f->cone_of[i] >= 0 && st->cones[f->cone_of[i]].applies)
            relax_cone(s, f, f->cone_of[i], h, at);
    }
}

/* The residual of the laws for the forces at hand. */
static double look(FpStructured* s, FpStructuredFriction* f, double h) {
    if (!fp_structured_move(s, h, s->D)) return INFINITY;
    bool dropped = choose(s, f, h);
    return dropped ? INFINITY : residual(s, f);
}

/* From no forces, so that the answer does not depend on what failed. Where rows nearly repeat
 * others Newton's method may find no way from there that keeps their choices: the certificate
 * decides whether the iteration has come near enough. */
static FpStatus relax(FpStructured* s, FpStructuredFriction* f, double h) {
    double *at = s->momentum, now = INFINITY;
    memset(s->lambda, 0, (size_t)s->row_count * sizeof *s->lambda);
    for (int round = 0; round < SWEEP_ROUNDS && !(now <= CLOSED); round++) {
        if (!fp_structured_move(s, h, s->D)) return FREEPLAY_NOT_CONVERGED;
        memcpy(at, s->v, (size_t)s->v_count * sizeof *at);
        for (int k = 0; k < SWEEPS; k++) sweep(s, f, h, at);
        now = look(s, f, h);
    }
    memcpy(s->saved, s->lambda, (size_t)s->row_count * sizeof *s->lambda);
    FpStatus status = newton(s, f, h);
    if (status != FREEPLAY_NOT_CONVERGED || now > NEAR_ENOUGH) return status;
    memcpy(s->lambda, s->saved, (size_t)s->row_count * sizeof *s->lambda);
    return look(s, f, h) <= NEAR_ENOUGH ? FREEPLAY_OK : FREEPLAY_NOT_CONVERGED;
}

/* All choices ---------------------------------------------------------------------------------- */

enum { CHOICE_OPEN, CHOICE_STICKS, CHOICE_FORWARD, CHOICE_BACKWARD, CHOICE_COUNT };

static void take_choices(FpStructured* s, FpStructuredFriction* f) {
    const FpStructure* st = s->st;
    for (int i = 0; i < s->row_count; i++) s->is_active[i] = st->applies[i];
    for (int k = 0; k < st->cone_count; k++)
        if (st->cones[k].applies) s->is_active[st->cones[k].row] = f->choice[k] != CHOICE_OPEN;
    (void)drop_forces(s, f);
    for (int k = 0; k < st->cone_count; k++) {
        f->mode[k] = f->choice[k] == CHOICE_STICKS ? STICKS : SLIDES;
        f->direction[3 * k] = f->choice[k] == CHOICE_FORWARD ? 1 : -1;
        f->radius[k] = st->cones[k].friction * added(s, &st->cones[k], -1);
        f->slack[k] = INFINITY; /* the direction stays */
    }
}

/* Newton's method under choices that stay; true if without them it stays where that has led. */
static bool try_choices(FpStructured* s, FpStructuredFriction* f, double h) {
    memset(s->lambda, 0, (size_t)s->row_count * sizeof *s->lambda);
    for (int k = 0; k < TRIAL_STEPS; k++) {
        if (!fp_structured_move(s, h, s->D)) return false;
        take_choices(s, f);
        list_unknowns(s, f);
        if (newton_step(s, f, h)) return false;
    }
    return newton(s, f, h) == FREEPLAY_OK;
}

static FpStatus try_all(FpStructured* s, FpStructuredFriction* f, double h) {
    const FpStructure* st = s->st;
    int combinations = 1;
    for (int k = 0; k < st->cone_count; k++) {
        if (!st->cones[k].applies) continue;
        combinations *= CHOICE_COUNT;
        if (st->cones[k].count > 1 || combinations > MOST_TRIALS) return FREEPLAY_NOT_CONVERGED;
    }
    for (int trial = 0; trial < combinations; trial++) {
        for (int k = 0, rest = trial; k < st->cone_count; k++) {
            if (!st->cones[k].applies) continue;
            f->choice[k] = rest % CHOICE_COUNT;
            rest /= CHOICE_COUNT;
        }
        if (try_choices(s, f, h)) return FREEPLAY_OK;
    }
    return FREEPLAY_INFEASIBLE;
}

/* Least forces --------------------------------------------------------------------------------- */

static bool make_effect_room(FpStructuredFriction* f, int rows, int columns) {
    int larger = rows > columns ? rows : columns;
    int room = rows * columns + larger + fp_dense_work(rows, columns);
    if (columns > MANY_FORCES || room <= f->effect_room) return columns <= MANY_FORCES;
    double* effect = realloc(f->effect, (size_t)room * sizeof *effect);
    if (!effect) return false;
    f->effect = effect;
    f->effect_room = room;
    return true;
}

static bool slides(const FpStructured* s, const FpStructuredFriction* f, int k) {
    return k >= 0 && is_pressed(s, k) && f->mode[k] == SLIDES;
}

/* M^-1 W of a normal force with the friction that goes with it, of a unit of the row's weight. */
static void put_effect(const FpStructured* s, const FpStructuredFriction* f, int row,
                       double* column) {
    int k = f->cone_of[row];
    const FpStructureCone* cone = slides(s, f, k) ? &s->st->cones[k] : NULL;
    memset(column, 0, (size_t)s->v_count * sizeof *column);
    fp_structured_add_solved(s, row, s->weight[row], column);
    for (int a = 0; cone && a < cone->count; a++)
        fp_structured_add_solved(s, cone->slip_at + a,
                                 s->weight[row] * cone->friction * f->direction[3 * k + a], column);
}

/* The effects of all forces but those of friction that slides, their rows, and in s->momentum what
 * they do together; returns how many there are. */
static int put_effects(FpStructured* s, FpStructuredFriction* f, int* rows) {
    int nv = s->v_count, count = 0;
    memset(s->momentum, 0, (size_t)nv * sizeof *s->momentum);
    for (int k = 0; k < s->st->cone_count; k++)
        for (int a = 0; slides(s, f, k) && a < s->st->cones[k].count; a++)
            s->is_active[s->st->cones[k].slip_at + a] = false;
    for (int u = 0; u < f->count; u++) {
        int i = f->unknown[u];
        double* column = f->effect + nv * count;
        if (!s->is_active[i]) continue;
        put_effect(s, f, i, column);
        for (int j = 0; j < nv; j++) s->momentum[j] += s->lambda[i] / s->weight[i] * column[j];
        rows[count++] = i;
    }
    return count;
}

/* Friction of a cone that slides, with the normal force at hand. */
static void follow_normal(FpStructured* s, const FpStructuredFriction* f, int k) {
    const FpStructureCone* cone = &s->st->cones[k];
    double limit = cone->friction * fmax(added(s, cone, -1), 0);
    for (int a = 0; a < cone->count; a++) {
        double given = cone->before ? cone->before[a + 1] : 0;
        s->lambda[cone->slip_at + a] = given + limit * f->direction[3 * k + a];
    }
}

/* Of all forces with the same effect under the same choices the least, if the laws allow them:
 * redundant contacts of a symmetric body then carry the same, and none rubs against another. */
static void take_least(FpStructured* s, FpStructuredFriction* f, double h) {
    int nv = s->v_count, rank = 0, *rows = f->pivots, *order = f->position;
    if (!make_effect_room(f, nv, f->count)) return;
    int count = put_effects(s, f, rows);
    double *b = f->effect + nv * f->count, *work = b + (nv > f->count ? nv : f->count);
    memcpy(b, s->momentum, (size_t)nv * sizeof *b);
    memcpy(s->saved, s->lambda, (size_t)s->row_count * sizeof *s->lambda);
    if (fp_dense_least_norm(nv, count, f->effect, b, REPEATS, &rank, work, order)) return;
    for (int c = 0; c < count; c++) s->lambda[rows[c]] = s->weight[rows[c]] * b[c];
    for (int k = 0; k < s->st->cone_count; k++)
        if (slides(s, f, k)) follow_normal(s, f, k);
    if (look(s, f, h) <= GOOD) return;
    memcpy(s->lambda, s->saved, (size_t)s->row_count * sizeof *s->lambda);
    (void)look(s, f, h);
}

/* The step of a given h ------------------------------------------------------------------------ */

static void start(FpStructured* s, FpStructuredFriction* f) {
    const FpStructure* st = s->st;
    for (int i = 0; i < s->row_count; i++) {
        f->is_known[i] = false;
        s->lambda[i] = st->applies[i] && (st->bilateral[i] || st->force[i] > 0) ? st->force[i] : 0;
    }
    for (int k = 0; k < st->cone_count; k++)
        for (int a = 0; a < st->cones[k].count; a++) {
            int i = st->cones[k].slip_at + a;
            bool pressed = st->cones[k].applies && s->lambda[st->cones[k].row] > 0;
            s->lambda[i] = pressed ? st->force[i] : 0;
        }
    for (int i = 0; i < s->row_count; i++)
        if (s->lambda[i] != 0) learn(s, f, i);
}

FpStatus fp_structured_friction(FpStructured* s, double h) {
    const FpStructure* st = s->st;
    FpStructuredFriction* f = s->friction;
    if (!f) f = s->friction = create(st);
    if (!f) return FREEPLAY_OUT_OF_MEMORY;
    s->has_pattern = false; /* the active rows are others than those of the factor */
    for (int j = 0; j < s->v_count; j++) s->v_free[j] = st->v0[j] + h * st->a[j];
    start(s, f);
    f->redundant = false;
    FpStatus status = newton(s, f, h);
    if (status && status != FREEPLAY_OUT_OF_MEMORY) status = relax(s, f, h);
    if (status && status != FREEPLAY_OUT_OF_MEMORY) status = try_all(s, f, h);
    if (!status && f->redundant) take_least(s, f, h);
    return status;
}
