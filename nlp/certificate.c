#include "nlp/certificate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "nlp/nlp.h"

/* No residual can be better than round-off of the program's own magnitudes. */
#define ROUND_OFF (16 * DBL_EPSILON)

struct FpCertifier {
    int n, m, pair_count;
    const FpNlpPair* pairs; /* for which the flags are */
    double *memory, *g, *terms, *gradient, *sum, *residual, *size;
    bool *flags, *is_pair_variable, *is_paired; /* of variables and constraints */
    FpTriplets J;
    bool has_pattern;
};

FpCertifier* fp_certifier_create(void) {
    return calloc(1, sizeof(FpCertifier));
}

static void release(FpCertifier* w) {
    free(w->memory);
    free(w->flags);
    fp_triplets_free(&w->J);
    *w = (FpCertifier){0};
}

void fp_certifier_destroy(FpCertifier* certifier) {
    if (certifier) release(certifier);
    free(certifier);
}

static bool prepare(FpCertifier* w, const FpNlp* nlp) {
    size_t n = (size_t)nlp->n, m = (size_t)nlp->m;
    bool fits = w->memory && w->n == nlp->n && w->m == nlp->m && w->pairs == nlp->pairs &&
                w->pair_count == nlp->pair_count;
    if (fits) return true;
    release(w);
    w->memory = calloc(2 * m + 4 * n + 1, sizeof *w->memory);
    w->flags = calloc(n + m + 1, sizeof *w->flags);
    if (!w->memory || !w->flags) return false;
    w->g = w->memory;
    w->terms = w->g + m;
    w->gradient = w->terms + m;
    w->sum = w->gradient + n;
    w->residual = w->sum + n;
    w->size = w->residual + n;
    w->is_pair_variable = w->flags;
    w->is_paired = w->is_pair_variable + n;
    w->n = nlp->n;
    w->m = nlp->m;
    w->pairs = nlp->pairs;
    w->pair_count = nlp->pair_count;
    for (int k = 0; k < nlp->pair_count; k++) {
        w->is_pair_variable[nlp->pairs[k].variable] = true;
        w->is_paired[nlp->pairs[k].constraint] = true;
    }
    return true;
}

/* Sizes of the terms of the constraints and, unless the program is determined, J^T y with the sizes
 * of its terms: from the program's own products, or from its Jacobian. */
static bool multiply(FpCertifier* w, const FpNlp* nlp, const FpNlpPoint* point) {
    if (nlp->terms)
        return nlp->terms(nlp->context, point->x, w->terms) &&
               (nlp->determined || nlp->adjoint(nlp->context, point->x, point->y, w->sum, w->size));
    if (w->has_pattern)
        fp_triplets_rewind(&w->J);
    else
        fp_triplets_record(&w->J);
    if (!nlp->jacobian(nlp->context, point->x, &w->J) || w->J.failed) return false;
    w->has_pattern = true;
    memset(w->sum, 0, (size_t)nlp->n * sizeof *w->sum);
    memset(w->size, 0, (size_t)nlp->n * sizeof *w->size);
    memset(w->terms, 0, (size_t)nlp->m * sizeof *w->terms);
    for (int k = 0; k < w->J.count; k++) {
        int i = w->J.row[k], j = w->J.col[k];
        double term = w->J.value[k] * point->y[i];
        w->sum[j] += term;
        w->size[j] += fabs(term);
        w->terms[i] += fabs(w->J.value[k] * point->x[j]);
    }
    return true;
}

static bool evaluate(FpCertifier* w, const FpNlp* nlp, const FpNlpPoint* point) {
    return nlp->constraints(nlp->context, point->x, w->g) &&
           (nlp->determined || nlp->gradient(nlp->context, point->x, w->gradient)) &&
           multiply(w, nlp, point);
}

/* a/unit, where 0/0 is 0: nothing is wrong where nothing is there. NaN becomes INFINITY. */
static double fraction(double a, double unit) {
    if (a == 0) return 0;
    double ratio = fabs(a) / unit;
    return isnan(ratio) ? INFINITY : ratio;
}

/* fmax is a call, and slow where nothing else is done. */
static double larger(double a, double b) {
    return b > a ? b : a;
}

static double outside(double value, double lower, double upper) {
    if (isnan(value)) return INFINITY;
    if (lower > -FREEPLAY_NO_BOUND && value < lower) return lower - value;
    if (upper < FREEPLAY_NO_BOUND && value > upper) return value - upper;
    return 0;
}

/* The unit of constraint i: given, or the sum of the absolute values of its terms J_ij x_j. */
static double constraint_unit(const FpNlp* nlp, const FpCertifier* w, int i) {
    if (nlp->g_unit[i] > 0) return nlp->g_unit[i];
    return larger(ROUND_OFF / FREEPLAY_CERTIFICATE_LIMIT * nlp->g_scale[i], w->terms[i]);
}

static void check_constraints(const FpNlp* nlp, const double* x, FpCertifier* w, FpCertificate* c) {
    for (int i = 0; i < nlp->m; i++) {
        double violation = outside(w->g[i], nlp->g_lower[i], nlp->g_upper[i]);
        if (violation == 0) continue;
        double unit = constraint_unit(nlp, w, i);
        double most = nlp->g_unit[i] > 0 ? c->primal : c->balance;
        if (violation <= most * unit) continue; /* without a division */
        double residual = fraction(violation, unit);
        if (residual > c->primal) {
            c->primal = residual;
            c->worst_constraint = i;
        }
        if (nlp->g_unit[i] <= 0) c->balance = larger(c->balance, residual);
    }
    for (int j = 0; j < nlp->n; j++) {
        double violation = outside(x[j], nlp->x_lower[j], nlp->x_upper[j]);
        if (violation == 0) continue;
        c->primal = larger(c->primal, fraction(violation, nlp->x_scale[j]));
    }
}

static void check_pairs(const FpNlp* nlp, const double* x, const FpCertifier* w, FpCertificate* c) {
    double unit = nlp->pair_unit;
    for (int k = 0; k < nlp->pair_count; k++) unit = fmax(unit, fabs(x[nlp->pairs[k].variable]));
    for (int k = 0; k < nlp->pair_count; k++) {
        int v = nlp->pairs[k].variable, i = nlp->pairs[k].constraint;
        double product = x[v] * w->g[i];
        if (product == 0) continue;
        product = fraction(product, unit * constraint_unit(nlp, w, i));
        if (product > c->complementarity) {
            c->complementarity = product;
            if (product > c->primal) c->worst_constraint = i;
        }
    }
}

/* |P_T| - mu P_N, and P_T.gamma + mu P_N |gamma|: both vanish, or the first is negative with
 * gamma = 0, exactly where Coulomb's law holds. */
static void check_cones(const FpNlp* nlp, const double* x, const FpCertifier* w, FpCertificate* c) {
    static const double nothing[FREEPLAY_CONE_MAX + 1] = {0};
    double largest = nlp->pair_unit;
    for (int k = 0; k < nlp->cone_count; k++)
        largest = fmax(largest, fabs(x[nlp->cones[k].normal]));
    for (int k = 0; k < nlp->cone_count; k++) {
        const FpNlpCone* cone = &nlp->cones[k];
        const double *P = x + cone->variable, *gamma = w->g + cone->constraint;
        const double* before = cone->before ? cone->before : nothing;
        double along = 0, size = 0, speed = 0;
        double limit = cone->friction * fmax(x[cone->normal] - before[0], 0);
        for (int i = 0; i < cone->count; i++) {
            double force = P[i] - before[i + 1];
            along += force * gamma[i];
            size = hypot(size, force);
            speed = hypot(speed, gamma[i]);
        }
        double unit = constraint_unit(nlp, w, cone->constraint);
        double excess = fraction(fmax(size - limit, 0), largest);
        double missing = fraction(along + limit * speed, largest * fmax(unit, speed));
        double residual = isnan(size) ? INFINITY : fmax(excess, missing);
        if (residual > c->cone) {
            c->cone = residual;
            if (residual > fmax(c->primal, c->complementarity))
                c->worst_constraint = cone->constraint;
        }
    }
}

/* Of the terms of stationarity, in the program's scales; never less than the objective's scale. */
static double largest_terms(const FpNlp* nlp, const FpCertifier* w) {
    double largest = nlp->f_scale;
    for (int j = 0; j < nlp->n; j++) largest = fmax(largest, nlp->x_scale[j] * w->size[j]);
    return largest;
}

/* grad f + J^T y - z = 0, measured in the program's scales by the largest sum of terms. */
static void check_stationarity(const FpNlp* nlp, const FpNlpPoint* p, FpCertifier* w,
                               FpCertificate* c) {
    for (int j = 0; j < nlp->n; j++) {
        w->residual[j] = w->gradient[j] - p->z[j] + w->sum[j];
        w->size[j] += fabs(w->gradient[j]) + fabs(p->z[j]);
    }
    double largest = largest_terms(nlp, w);
    for (int j = 0; j < nlp->n; j++) {
        /* A component is measured by its own terms; where these are round-off of the others, or of
         * the objective, by what those leave to round-off. */
        double unit =
            fmax(w->size[j] * nlp->x_scale[j], ROUND_OFF / FREEPLAY_CERTIFICATE_LIMIT * largest);
        double residual = fraction(nlp->x_scale[j] * w->residual[j], unit);
        c->stationarity = fmax(c->stationarity, residual);
    }
}

/* Multipliers of bounds of plain variables and of one-sided constraints: zero inside, of the right
 * sign on the bound. Those of pairs and of equations are free: which member of a pair is active is
 * part of the answer. */
static void check_duals(const FpNlp* nlp, const FpNlpPoint* p, const FpCertifier* w,
                        FpCertificate* c) {
    double largest = largest_terms(nlp, w);
    for (int j = 0; j < nlp->n; j++) {
        double lower = nlp->x_lower[j], upper = nlp->x_upper[j], z = p->z[j];
        if (lower == upper || z == 0 || w->is_pair_variable[j]) continue;
        bool at_lower = p->x[j] - lower <= ROUND_OFF * nlp->x_scale[j];
        bool at_upper = upper - p->x[j] <= ROUND_OFF * nlp->x_scale[j];
        bool allowed = (at_lower && z > 0) || (at_upper && z < 0);
        if (!allowed) c->dual = fmax(c->dual, fraction(nlp->x_scale[j] * z, largest));
    }
    for (int i = 0; i < nlp->m; i++) {
        bool one_sided = !w->is_paired[i] && nlp->g_lower[i] > -FREEPLAY_NO_BOUND &&
                         nlp->g_upper[i] >= FREEPLAY_NO_BOUND;
        if (p->y[i] == 0 || !one_sided) continue;
        bool touches = w->g[i] - nlp->g_lower[i] <= ROUND_OFF * constraint_unit(nlp, w, i);
        if (!touches || p->y[i] > 0)
            c->dual = fmax(c->dual, fraction(nlp->g_scale[i] * p->y[i], largest));
    }
}

FpStatus fp_certifier_certify(FpCertifier* w, const FpNlp* nlp, const FpNlpPoint* point,
                              FpCertificate* certificate) {
    *certificate = (FpCertificate){.worst = INFINITY, .worst_constraint = -1};
    if (!prepare(w, nlp)) return FREEPLAY_OUT_OF_MEMORY;
    if (!evaluate(w, nlp, point)) return FREEPLAY_NOT_FINITE;
    FpCertificate c = {.worst_constraint = -1};
    check_constraints(nlp, point->x, w, &c);
    check_pairs(nlp, point->x, w, &c);
    check_cones(nlp, point->x, w, &c);
    if (!nlp->determined) {
        check_stationarity(nlp, point, w, &c);
        check_duals(nlp, point, w, &c);
    }
    double law = fmax(c.primal, fmax(c.complementarity, c.cone));
    c.worst = fmax(law, fmax(c.stationarity, c.dual));
    if (c.worst > law) c.worst_constraint = -1;
    *certificate = c;
    return FREEPLAY_OK;
}

FpStatus fp_nlp_certify(const FpNlp* nlp, const FpNlpPoint* point, FpCertificate* certificate) {
    FpCertifier certifier = {0};
    FpStatus status = fp_certifier_certify(&certifier, nlp, point, certificate);
    release(&certifier);
    return status;
}
