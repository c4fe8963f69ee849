#include "nlp/cone_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of slip and force below which the law is rounded, in the program's scales: smooth enough
 * for an interior-point method, near enough for the crossover. */
#define ROUNDED_SLIP  1e-2
#define ROUNDED_FORCE 1e-2

/* x = (those of the program, slip); g = (those of the program, with g_c - slip = 0 in place of free
 * slip velocities, and the disc of every cone). */
struct FpConeProgram {
    const FpNlp* nlp;
    FpNlp smooth;
    FpNlpPoint point;
    int n, m, slip_count, cone_count;
    double penalty;
    double *memory, *x_lower, *x_upper, *g_lower, *g_upper, *x_scale, *g_scale;
    double* unit; /* of every cone: of dissipation that is missing */
    int* slip_at; /* of every cone: its variables here */
    bool* least_norm;
};

FpConeProgram* fp_cone_program_create(void) {
    return calloc(1, sizeof(FpConeProgram));
}

static void release(FpConeProgram* s) {
    free(s->memory);
    free(s->slip_at);
    free(s->least_norm);
    *s = (FpConeProgram){0};
}

void fp_cone_program_destroy(FpConeProgram* program) {
    if (program) release(program);
    free(program);
}

/* One cone where it is ---------------------------------------------------------------------------
 */

/* Normal force R >= 0 with its derivatives, friction T, and slip u, of what the law speaks of; the
 * rounded sizes |u| and |T|. */
typedef struct Cone {
    const FpNlpCone* law;
    int slip; /* variable */
    double R, R1, R2;
    double T[FREEPLAY_CONE_MAX], u[FREEPLAY_CONE_MAX];
    double speed, size;
    double room; /* by which the rounded disc is the larger one */
} Cone;

/* Forces that go on from others may take some of them back, and then add no friction: R is max(0,
 * what they add), rounded. */
static void find_normal_force(Cone* c, double added) {
    c->R = added;
    c->R1 = 1;
    c->R2 = 0;
    if (!c->law->before) return;
    double root = hypot(added, c->room);
    c->R = (added + root) / 2;
    c->R1 = (1 + added / root) / 2;
    c->R2 = c->room * c->room / (2 * root * root * root);
}

static Cone look_at(const FpConeProgram* s, int k, const double* x) {
    const FpNlpCone* law = &s->nlp->cones[k];
    Cone c = {.law = law, .slip = s->slip_at[k]};
    c.room = ROUNDED_FORCE * s->x_scale[law->normal];
    c.size = c.room;
    c.speed = ROUNDED_SLIP * s->x_scale[c.slip];
    find_normal_force(&c, x[law->normal] - (law->before ? law->before[0] : 0));
    for (int a = 0; a < law->count; a++) {
        c.T[a] = x[law->variable + a] - (law->before ? law->before[a + 1] : 0);
        c.u[a] = x[c.slip + a];
        c.size = hypot(c.size, c.T[a]);
        c.speed = hypot(c.speed, c.u[a]);
    }
    return c;
}

/* mu R |u| + T.u: never negative in the disc, and zero where the law holds. */
static double missing_dissipation(const Cone* c) {
    double sum = c->law->friction * c->R * c->speed;
    for (int a = 0; a < c->law->count; a++) sum += c->T[a] * c->u[a];
    return sum;
}

static void add_missing_gradient(const Cone* c, double weight, double* gradient) {
    double mu = c->law->friction;
    gradient[c->law->normal] += weight * mu * c->R1 * c->speed;
    for (int a = 0; a < c->law->count; a++) {
        gradient[c->law->variable + a] += weight * c->u[a];
        gradient[c->slip + a] += weight * (mu * c->R * c->u[a] / c->speed + c->T[a]);
    }
}

static void add_lower(FpTriplets* H, int i, int j, double value) {
    fp_triplets_add(H, i > j ? i : j, i > j ? j : i, value);
}

/* The second derivatives of weight (mu R |u| + T.u) + y (mu R - |T|). */
static void add_hessian(const Cone* c, double weight, double y, FpTriplets* H) {
    double mu = c->law->friction, speed = c->speed, size = c->size;
    int normal = c->law->normal, force = c->law->variable, slip = c->slip;
    add_lower(H, normal, normal, mu * c->R2 * (weight * speed + y));
    for (int a = 0; a < c->law->count; a++) {
        add_lower(H, normal, slip + a, weight * mu * c->R1 * c->u[a] / speed);
        add_lower(H, force + a, slip + a, weight);
        for (int b = 0; b <= a; b++) {
            double turn = (a == b) - c->u[a] * c->u[b] / (speed * speed);
            double bend = (a == b) - c->T[a] * c->T[b] / (size * size);
            add_lower(H, slip + a, slip + b, weight * mu * c->R * turn / speed);
            add_lower(H, force + a, force + b, -y * bend / size);
        }
    }
}

/* The functions of the program -------------------------------------------------------------------
 */

static double weight_of(const FpConeProgram* s, int k) {
    return s->penalty * s->nlp->f_scale / s->unit[k];
}

/* Where the laws alone determine the point an objective would only pull away from it. */
static bool has_objective(const FpConeProgram* s) {
    return !s->nlp->determined;
}

static bool objective(void* context, const double* x, double* f) {
    const FpConeProgram* s = context;
    *f = 0;
    if (has_objective(s) && !s->nlp->objective(s->nlp->context, x, f)) return false;
    for (int k = 0; k < s->cone_count; k++) {
        Cone c = look_at(s, k, x);
        *f += weight_of(s, k) * missing_dissipation(&c);
    }
    return true;
}

static bool gradient(void* context, const double* x, double* grad) {
    const FpConeProgram* s = context;
    memset(grad, 0, (size_t)(s->n + s->slip_count) * sizeof *grad);
    if (has_objective(s) && !s->nlp->gradient(s->nlp->context, x, grad)) return false;
    for (int k = 0; k < s->cone_count; k++) {
        Cone c = look_at(s, k, x);
        add_missing_gradient(&c, weight_of(s, k), grad);
    }
    return true;
}

static bool constraints(void* context, const double* x, double* g) {
    const FpConeProgram* s = context;
    if (!s->nlp->constraints(s->nlp->context, x, g)) return false;
    for (int k = 0; k < s->cone_count; k++) {
        Cone c = look_at(s, k, x);
        for (int a = 0; a < c.law->count; a++) g[c.law->constraint + a] -= c.u[a];
        g[s->m + k] = c.law->friction * c.R + c.room - c.size;
    }
    return true;
}

static bool jacobian(void* context, const double* x, FpTriplets* J) {
    const FpConeProgram* s = context;
    if (!s->nlp->jacobian(s->nlp->context, x, J)) return false;
    for (int k = 0; k < s->cone_count; k++) {
        Cone c = look_at(s, k, x);
        fp_triplets_add(J, s->m + k, c.law->normal, c.law->friction * c.R1);
        for (int a = 0; a < c.law->count; a++) {
            fp_triplets_add(J, c.law->constraint + a, c.slip + a, -1);
            fp_triplets_add(J, s->m + k, c.law->variable + a, -c.T[a] / c.size);
        }
    }
    return true;
}

static bool hessian(void* context, const double* x, double f_weight, const double* y,
                    FpTriplets* H) {
    const FpConeProgram* s = context;
    double weight = has_objective(s) ? f_weight : 0;
    if (!s->nlp->hessian(s->nlp->context, x, weight, y, H)) return false;
    for (int k = 0; k < s->cone_count; k++) {
        Cone c = look_at(s, k, x);
        add_hessian(&c, f_weight * weight_of(s, k), y[s->m + k], H);
    }
    return true;
}

/* Posing -----------------------------------------------------------------------------------------
 */

static int count_slips(const FpNlp* nlp) {
    int count = 0;
    for (int k = 0; k < nlp->cone_count; k++) count += nlp->cones[k].count;
    return count;
}

static bool allocate(FpConeProgram* s, const FpNlp* nlp) {
    int slips = count_slips(nlp);
    if (s->memory && s->n == nlp->n && s->m == nlp->m && s->cone_count == nlp->cone_count &&
        s->slip_count == slips)
        return true;
    release(s);
    size_t n = (size_t)nlp->n + (size_t)slips, m = (size_t)nlp->m + (size_t)nlp->cone_count;
    double* at = s->memory = calloc(5 * n + 5 * m + 1, sizeof *s->memory);
    s->slip_at = calloc((size_t)nlp->cone_count + 1, sizeof *s->slip_at);
    s->least_norm = calloc(n + 1, sizeof *s->least_norm);
    if (!s->memory || !s->slip_at || !s->least_norm) {
        release(s);
        return false;
    }
    double** const of_variables[] = {&s->x_lower, &s->x_upper, &s->x_scale, &s->point.x,
                                     &s->point.z};
    double** const of_constraints[] = {&s->g_lower, &s->g_upper, &s->g_scale, &s->point.y,
                                       &s->unit};
    for (int k = 0; k < 5; k++, at += n) *of_variables[k] = at;
    for (int k = 0; k < 5; k++, at += m) *of_constraints[k] = at;
    s->n = nlp->n;
    s->m = nlp->m;
    s->cone_count = nlp->cone_count;
    s->slip_count = slips;
    return true;
}

/* What the program has, and its constraints' bounds. */
static void copy_program(FpConeProgram* s, const FpNlp* nlp) {
    size_t n = (size_t)nlp->n, m = (size_t)nlp->m;
    memcpy(s->x_lower, nlp->x_lower, n * sizeof(double));
    memcpy(s->x_upper, nlp->x_upper, n * sizeof(double));
    memcpy(s->x_scale, nlp->x_scale, n * sizeof(double));
    memcpy(s->g_lower, nlp->g_lower, m * sizeof(double));
    memcpy(s->g_upper, nlp->g_upper, m * sizeof(double));
    memcpy(s->g_scale, nlp->g_scale, m * sizeof(double));
    if (nlp->least_norm) memcpy(s->least_norm, nlp->least_norm, n * sizeof(bool));
}

/* The product of the scales of the pair of this force, as the pair's own penalty has it: together
 * the penalties are power, whose curvature is that of the compliance. */
static double unit_of(const FpNlp* nlp, const FpNlpCone* cone) {
    double way = nlp->g_scale[cone->constraint];
    for (int k = 0; k < nlp->pair_count; k++)
        if (nlp->pairs[k].variable == cone->normal) way = nlp->g_scale[nlp->pairs[k].constraint];
    return way * nlp->x_scale[cone->normal];
}

/* Forces that their bounds hold where they are have no disc: it would have no inside. */
static bool is_off(const FpNlp* nlp, const FpNlpCone* cone) {
    return nlp->x_lower[cone->variable] >= nlp->x_upper[cone->variable];
}

static void add_cones(FpConeProgram* s, const FpNlp* nlp) {
    int slip = nlp->n;
    for (int k = 0; k < nlp->cone_count; k++) {
        const FpNlpCone* cone = &nlp->cones[k];
        int disc = nlp->m + k;
        s->slip_at[k] = slip;
        s->unit[k] = unit_of(nlp, cone);
        for (int a = 0; a < cone->count; a++, slip++) {
            s->x_lower[slip] = -FREEPLAY_NO_BOUND;
            s->x_upper[slip] = FREEPLAY_NO_BOUND;
            s->x_scale[slip] = nlp->g_scale[cone->constraint + a];
            s->g_lower[cone->constraint + a] = s->g_upper[cone->constraint + a] = 0;
        }
        s->g_lower[disc] = is_off(nlp, cone) ? -FREEPLAY_NO_BOUND : 0;
        s->g_upper[disc] = FREEPLAY_NO_BOUND;
        s->g_scale[disc] = nlp->x_scale[cone->normal];
    }
}

static bool find_start(FpConeProgram* s, const FpNlp* nlp, const double* x) {
    memcpy(s->point.x, x, (size_t)nlp->n * sizeof *x);
    double* g = s->point.y;
    if (!nlp->constraints(nlp->context, x, g)) return false;
    for (int k = 0; k < nlp->cone_count; k++)
        memcpy(s->point.x + s->slip_at[k], g + nlp->cones[k].constraint,
               (size_t)nlp->cones[k].count * sizeof *g);
    return true;
}

FpStatus fp_cone_program_pose(FpConeProgram* s, const FpNlp* nlp, double penalty, const double* x,
                              const FpNlp** smooth, FpNlpPoint** start) {
    if (!allocate(s, nlp)) return FREEPLAY_OUT_OF_MEMORY;
    s->nlp = nlp;
    s->penalty = penalty;
    copy_program(s, nlp);
    add_cones(s, nlp);
    if (!find_start(s, nlp, x)) return FREEPLAY_NOT_FINITE;
    s->smooth = (FpNlp){.n = s->n + s->slip_count,
                        .m = s->m + s->cone_count,
                        .x_lower = s->x_lower,
                        .x_upper = s->x_upper,
                        .g_lower = s->g_lower,
                        .g_upper = s->g_upper,
                        .pair_count = nlp->pair_count,
                        .pairs = nlp->pairs,
                        .least_norm = nlp->least_norm ? s->least_norm : NULL,
                        .x_scale = s->x_scale,
                        .g_scale = s->g_scale,
                        .f_scale = nlp->f_scale,
                        .g_unit = s->g_scale,
                        .pair_unit = nlp->pair_unit,
                        .context = s,
                        .objective = objective,
                        .gradient = gradient,
                        .constraints = constraints,
                        .jacobian = jacobian,
                        .hessian = hessian};
    *smooth = &s->smooth;
    *start = &s->point;
    return FREEPLAY_OK;
}

void fp_cone_program_hand_back(const FpConeProgram* s, FpNlpPoint* point) {
    memcpy(point->x, s->point.x, (size_t)s->n * sizeof *point->x);
    memcpy(point->y, s->point.y, (size_t)s->m * sizeof *point->y);
    memcpy(point->z, s->point.z, (size_t)s->n * sizeof *point->z);
}
