#include "nlp/certificate.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "nlp/nlp.h"

/* No residual can be better than round-off of the program's own magnitudes. */
#define ROUND_OFF (16 * DBL_EPSILON)

typedef struct Workspace {
    double *g, *terms, *gradient, *residual, *size;
    FpTriplets J;
} Workspace;

static bool workspace_create(const FpNlp* nlp, Workspace* w) {
    size_t n = (size_t)nlp->n, m = (size_t)nlp->m;
    double* memory = calloc(2 * m + 3 * n + 1, sizeof *memory);
    *w = (Workspace){.g = memory};
    if (!memory) return false;
    w->terms = w->g + m;
    w->gradient = w->terms + m;
    w->residual = w->gradient + n;
    w->size = w->residual + n;
    return true;
}

static void workspace_free(Workspace* w) {
    free(w->g);
    fp_triplets_free(&w->J);
}

static bool evaluate(const FpNlp* nlp, const double* x, Workspace* w) {
    fp_triplets_record(&w->J);
    return nlp->constraints(nlp->context, x, w->g) && nlp->gradient(nlp->context, x, w->gradient) &&
           nlp->jacobian(nlp->context, x, &w->J) && !w->J.failed;
}

/* a/unit, where 0/0 is 0: nothing is wrong where nothing is there. NaN becomes INFINITY. */
static double fraction(double a, double unit) {
    if (a == 0) return 0;
    double ratio = fabs(a) / unit;
    return isnan(ratio) ? INFINITY : ratio;
}

static double outside(double value, double lower, double upper) {
    if (isnan(value)) return INFINITY;
    if (lower > -FREEPLAY_NO_BOUND && value < lower) return lower - value;
    if (upper < FREEPLAY_NO_BOUND && value > upper) return value - upper;
    return 0;
}

/* The unit of constraint i: given, or the sum of the absolute values of its terms J_ij x_j. */
static double constraint_unit(const FpNlp* nlp, const Workspace* w, int i) {
    if (nlp->g_unit[i] > 0) return nlp->g_unit[i];
    return fmax(w->terms[i], ROUND_OFF / FREEPLAY_CERTIFICATE_LIMIT * nlp->g_scale[i]);
}

static void check_constraints(const FpNlp* nlp, const double* x, Workspace* w, FpCertificate* c) {
    for (int k = 0; k < w->J.count; k++)
        w->terms[w->J.row[k]] += fabs(w->J.value[k] * x[w->J.col[k]]);
    for (int i = 0; i < nlp->m; i++) {
        double violation = outside(w->g[i], nlp->g_lower[i], nlp->g_upper[i]);
        double residual = fraction(violation, constraint_unit(nlp, w, i));
        if (residual > c->primal) {
            c->primal = residual;
            c->worst_constraint = i;
        }
        if (nlp->g_unit[i] <= 0) c->balance = fmax(c->balance, residual);
    }
    for (int j = 0; j < nlp->n; j++) {
        double violation = outside(x[j], nlp->x_lower[j], nlp->x_upper[j]);
        c->primal = fmax(c->primal, fraction(violation, nlp->x_scale[j]));
    }
}

static void check_pairs(const FpNlp* nlp, const double* x, const Workspace* w, FpCertificate* c) {
    double unit = nlp->pair_unit;
    for (int k = 0; k < nlp->pair_count; k++) unit = fmax(unit, fabs(x[nlp->pairs[k].variable]));
    for (int k = 0; k < nlp->pair_count; k++) {
        int v = nlp->pairs[k].variable, i = nlp->pairs[k].constraint;
        double product = fraction(x[v] * w->g[i], unit * constraint_unit(nlp, w, i));
        if (product > c->complementarity) {
            c->complementarity = product;
            if (product > c->primal) c->worst_constraint = i;
        }
    }
}

/* Of the terms of stationarity, in the program's scales; never less than the objective's scale. */
static double largest_terms(const FpNlp* nlp, const Workspace* w) {
    double largest = nlp->f_scale;
    for (int j = 0; j < nlp->n; j++) largest = fmax(largest, nlp->x_scale[j] * w->size[j]);
    return largest;
}

/* grad f + J^T y - z = 0, measured in the program's scales by the largest sum of terms. */
static void check_stationarity(const FpNlp* nlp, const FpNlpPoint* p, Workspace* w,
                               FpCertificate* c) {
    for (int j = 0; j < nlp->n; j++) {
        w->residual[j] = w->gradient[j] - p->z[j];
        w->size[j] = fabs(w->gradient[j]) + fabs(p->z[j]);
    }
    for (int k = 0; k < w->J.count; k++) {
        double term = w->J.value[k] * p->y[w->J.row[k]];
        w->residual[w->J.col[k]] += term;
        w->size[w->J.col[k]] += fabs(term);
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

static bool is_pair_variable(const FpNlp* nlp, int j) {
    for (int k = 0; k < nlp->pair_count; k++)
        if (nlp->pairs[k].variable == j) return true;
    return false;
}

/* Multipliers of bounds of plain variables and of one-sided constraints: zero inside, of the right
 * sign on the bound. Those of pairs and of equations are free: which member of a pair is active is
 * part of the answer. */
static void check_duals(const FpNlp* nlp, const FpNlpPoint* p, const Workspace* w,
                        FpCertificate* c) {
    double largest = largest_terms(nlp, w);
    for (int j = 0; j < nlp->n; j++) {
        double lower = nlp->x_lower[j], upper = nlp->x_upper[j], z = p->z[j];
        if (lower == upper || z == 0 || is_pair_variable(nlp, j)) continue;
        bool at_lower = p->x[j] - lower <= ROUND_OFF * nlp->x_scale[j];
        bool at_upper = upper - p->x[j] <= ROUND_OFF * nlp->x_scale[j];
        bool allowed = (at_lower && z > 0) || (at_upper && z < 0);
        if (!allowed) c->dual = fmax(c->dual, fraction(nlp->x_scale[j] * z, largest));
    }
    for (int i = 0; i < nlp->m; i++) {
        if (p->y[i] == 0 || !fp_nlp_is_one_sided(nlp, i)) continue;
        bool touches = w->g[i] - nlp->g_lower[i] <= ROUND_OFF * constraint_unit(nlp, w, i);
        if (!touches || p->y[i] > 0)
            c->dual = fmax(c->dual, fraction(nlp->g_scale[i] * p->y[i], largest));
    }
}

FpStatus fp_nlp_certify(const FpNlp* nlp, const FpNlpPoint* point, FpCertificate* certificate) {
    *certificate = (FpCertificate){.worst = INFINITY, .worst_constraint = -1};
    Workspace w;
    FpStatus status = FREEPLAY_OK;
    if (!workspace_create(nlp, &w))
        status = FREEPLAY_OUT_OF_MEMORY;
    else if (!evaluate(nlp, point->x, &w))
        status = FREEPLAY_NOT_FINITE;
    if (!status) {
        FpCertificate c = {.worst_constraint = -1};
        check_constraints(nlp, point->x, &w, &c);
        check_pairs(nlp, point->x, &w, &c);
        check_stationarity(nlp, point, &w, &c);
        check_duals(nlp, point, &w, &c);
        c.worst = fmax(fmax(c.primal, c.complementarity), fmax(c.stationarity, c.dual));
        if (c.worst > fmax(c.primal, c.complementarity)) c.worst_constraint = -1;
        *certificate = c;
    }
    workspace_free(&w);
    return status;
}
