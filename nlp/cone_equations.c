#include "nlp/cone_equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct FpConeEquations {
    const FpNlp* nlp;
    FpNlp equations;
    int n, m;
    double *memory, *g_lower, *g_upper, *g_scale, *g_unit, *g_noise, *g;
    int* cone_of;     /* of every constraint, -1 if it is no slip velocity */
    bool* least_norm; /* of every variable: none */
    FpTriplets J;     /* of nlp */
    bool has_pattern;
};

FpConeEquations* fp_cone_equations_create(void) {
    return calloc(1, sizeof(FpConeEquations));
}

static void release(FpConeEquations* s) {
    free(s->memory);
    free(s->cone_of);
    free(s->least_norm);
    fp_triplets_free(&s->J);
    *s = (FpConeEquations){0};
}

void fp_cone_equations_destroy(FpConeEquations* equations) {
    if (equations) release(equations);
    free(equations);
}

/* One cone where it is ---------------------------------------------------------------------------
 */

/* Coulomb's law of a cone as equations (Alart, Curnier), theory.md (34a):
 *
 *   F = T - mu R d = 0 with d = w/|w|,   F = T - w = 0 where |w| < mu R,   w = T - gamma/r,
 *
 * R and T being what the forces add to those that are given. */
typedef struct Law {
    const FpNlpCone* cone;
    bool sticks;
    double r;     /* in parts of slip: what a force changes */
    double limit; /* mu R */
    double rise;  /* its derivative */
    double turn;  /* mu R/|w|; 0 where d is given */
    double T[FREEPLAY_CONE_MAX], d[FREEPLAY_CONE_MAX], F[FREEPLAY_CONE_MAX];
} Law;

static Law look_at(const FpConeEquations* s, int k, const double* x, const double* g) {
    const FpNlp* p = s->nlp;
    const FpNlpCone* cone = &p->cones[k];
    Law law = {.cone = cone, .r = p->g_scale[cone->constraint] / p->x_scale[cone->variable]};
    double added = x[cone->normal] - (cone->before ? cone->before[0] : 0), size = 0;
    law.limit = cone->friction * fmax(added, 0);
    law.rise = added >= 0 ? cone->friction : 0;
    for (int a = 0; a < cone->count; a++) {
        double way = g[cone->constraint + a] / law.r;
        law.T[a] = x[cone->variable + a] - (cone->before ? cone->before[a + 1] : 0);
        law.d[a] = cone->before ? -way : law.T[a] - way;
        size = hypot(size, law.d[a]);
    }
    /* A law that goes on from other forces has a given slip, nlp/nlp.h. */
    law.sticks = !cone->before && size < law.limit;
    law.turn = cone->before || size == 0 ? 0 : law.limit / size;
    for (int a = 0; a < cone->count; a++) {
        if (law.sticks) {
            law.F[a] = g[cone->constraint + a] / law.r;
            continue;
        }
        if (size > 0) law.d[a] /= size;
        law.F[a] = law.T[a] - law.limit * law.d[a];
    }
    return law;
}

/* dF_a/dw_b, but for the sign, of a cone that slides. */
static double turning(const Law* law, int a, int b) {
    return law->turn * ((a == b) - law->d[a] * law->d[b]);
}

static double by_slip(const Law* law, int a, int b) {
    return (law->sticks ? a == b : turning(law, a, b)) / law->r;
}

static double by_friction(const Law* law, int a, int b) {
    return law->sticks ? 0 : (a == b) - turning(law, a, b);
}

static double by_normal_force(const Law* law, int a) {
    return law->sticks ? 0 : -law->rise * law->d[a];
}

/* The functions of the program -------------------------------------------------------------------
 */

static bool objective(void* context, const double* x, double* f) {
    const FpConeEquations* s = context;
    return s->nlp->objective(s->nlp->context, x, f);
}

static bool gradient(void* context, const double* x, double* grad) {
    const FpConeEquations* s = context;
    return s->nlp->gradient(s->nlp->context, x, grad);
}

static bool constraints(void* context, const double* x, double* g) {
    const FpConeEquations* s = context;
    const FpNlp* p = s->nlp;
    if (!p->constraints(p->context, x, g)) return false;
    for (int k = 0; k < p->cone_count; k++) {
        Law law = look_at(s, k, x, g);
        memcpy(g + law.cone->constraint, law.F, (size_t)law.cone->count * sizeof *g);
    }
    return true;
}

static void add_entry(FpConeEquations* s, const double* x, int entry, FpTriplets* J) {
    int row = s->J.row[entry], column = s->J.col[entry], k = s->cone_of[row];
    if (k < 0) {
        fp_triplets_add(J, row, column, s->J.value[entry]);
        return;
    }
    Law law = look_at(s, k, x, s->g);
    for (int a = 0, b = row - law.cone->constraint; a < law.cone->count; a++)
        fp_triplets_add(J, law.cone->constraint + a, column,
                        by_slip(&law, a, b) * s->J.value[entry]);
}

static bool jacobian(void* context, const double* x, FpTriplets* J) {
    FpConeEquations* s = context;
    const FpNlp* p = s->nlp;
    if (s->has_pattern)
        fp_triplets_rewind(&s->J);
    else
        fp_triplets_record(&s->J);
    if (!p->constraints(p->context, x, s->g) || !p->jacobian(p->context, x, &s->J) || s->J.failed)
        return false;
    s->has_pattern = true;
    for (int e = 0; e < s->J.count; e++) add_entry(s, x, e, J);
    for (int k = 0; k < p->cone_count; k++) {
        Law law = look_at(s, k, x, s->g);
        for (int a = 0; a < law.cone->count; a++) {
            int row = law.cone->constraint + a;
            fp_triplets_add(J, row, law.cone->normal, by_normal_force(&law, a));
            for (int b = 0; b < law.cone->count; b++)
                fp_triplets_add(J, row, law.cone->variable + b, by_friction(&law, a, b));
        }
    }
    return true;
}

/* Posing -----------------------------------------------------------------------------------------
 */

static bool allocate(FpConeEquations* s, const FpNlp* nlp) {
    if (s->memory && s->n == nlp->n && s->m == nlp->m) return true;
    release(s);
    size_t n = (size_t)nlp->n, m = (size_t)nlp->m;
    s->memory = calloc(6 * m + 1, sizeof *s->memory);
    s->cone_of = calloc(m + 1, sizeof *s->cone_of);
    s->least_norm = calloc(n + 1, sizeof *s->least_norm);
    if (!s->memory || !s->cone_of || !s->least_norm) {
        release(s);
        return false;
    }
    double** const of_constraints[] = {&s->g_lower, &s->g_upper, &s->g_scale,
                                       &s->g_unit,  &s->g_noise, &s->g};
    for (size_t k = 0; k < 6; k++) *of_constraints[k] = s->memory + k * m;
    s->n = nlp->n;
    s->m = nlp->m;
    return true;
}

static void copy_constraints(FpConeEquations* s, const FpNlp* nlp) {
    for (int i = 0; i < nlp->m; i++) {
        s->g_lower[i] = nlp->g_lower[i];
        s->g_upper[i] = nlp->g_upper[i];
        s->g_scale[i] = nlp->g_scale[i];
        s->g_unit[i] = nlp->g_unit[i];
        s->g_noise[i] = nlp->g_noise ? nlp->g_noise[i] : nlp->g_unit[i];
        s->cone_of[i] = -1;
    }
}

/* Friction that bounds hold where it is has no law. */
static void impose_laws(FpConeEquations* s, const FpNlp* nlp) {
    for (int k = 0; k < nlp->cone_count; k++) {
        const FpNlpCone* cone = &nlp->cones[k];
        bool applies = nlp->x_lower[cone->variable] < nlp->x_upper[cone->variable];
        double r = nlp->g_scale[cone->constraint] / nlp->x_scale[cone->variable];
        for (int i = cone->constraint; i < cone->constraint + cone->count; i++) {
            s->g_lower[i] = applies ? 0 : -FREEPLAY_NO_BOUND;
            s->g_upper[i] = applies ? 0 : FREEPLAY_NO_BOUND;
            s->g_scale[i] /= r;
            s->g_unit[i] /= r;
            s->g_noise[i] /= r;
            s->cone_of[i] = k;
        }
    }
}

const FpNlp* fp_cone_equations_pose(FpConeEquations* s, const FpNlp* nlp) {
    if (!allocate(s, nlp)) return NULL;
    s->nlp = nlp;
    copy_constraints(s, nlp);
    impose_laws(s, nlp);
    FpNlp* p = &s->equations;
    *p = *nlp;
    p->g_lower = s->g_lower;
    p->g_upper = s->g_upper;
    p->g_scale = s->g_scale;
    p->g_unit = s->g_unit;
    p->g_noise = s->g_noise;
    /* Least forces might leave their discs: those that the solver has found are taken. */
    p->least_norm = s->least_norm;
    p->context = s;
    p->objective = objective;
    p->gradient = gradient;
    p->constraints = constraints;
    p->jacobian = jacobian;
    p->hessian = NULL;
    p->adjoint = NULL;
    p->terms = NULL;
    p->structure = NULL;
    return p;
}
