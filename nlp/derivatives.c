#include "nlp/derivatives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Everything at one point, scaled: x^ = x/x_scale, g^ = g/g_scale, f^ = f/f_scale. */
typedef struct Values {
    double f;
    double *g, *gradient; /* of f */
    double* lagrangian;   /* gradient of f^ + y^.g^ */
    double *J, *H;        /* dense: m x n, n x n */
} Values;

typedef struct Checker {
    const FpNlp* nlp;
    const double* y;
    double* x;
    Values centre, ahead, behind;
    double* memory;
    FpTriplets triplets;
} Checker;

static bool allocate(Checker* c) {
    size_t n = (size_t)c->nlp->n, m = (size_t)c->nlp->m, one = m + 2 * n + m * n + n * n;
    c->memory = calloc(n + 3 * one + 1, sizeof *c->memory);
    if (!c->memory) return false;
    c->x = c->memory;
    double* at = c->memory + n;
    Values* all[3] = {&c->centre, &c->ahead, &c->behind};
    for (int k = 0; k < 3; k++) {
        Values* v = all[k];
        v->g = at;
        v->gradient = v->g + m;
        v->lagrangian = v->gradient + n;
        v->J = v->lagrangian + n;
        v->H = v->J + m * n;
        at += one;
    }
    return true;
}

static bool evaluate(Checker* c, Values* v) {
    const FpNlp* p = c->nlp;
    int n = p->n, m = p->m;
    if (!p->objective(p->context, c->x, &v->f) || !p->constraints(p->context, c->x, v->g) ||
        !p->gradient(p->context, c->x, v->gradient))
        return false;
    v->f /= p->f_scale;
    for (int i = 0; i < m; i++) v->g[i] /= p->g_scale[i];
    for (int j = 0; j < n; j++) v->gradient[j] *= p->x_scale[j] / p->f_scale;
    memcpy(v->lagrangian, v->gradient, (size_t)n * sizeof *v->gradient);
    fp_triplets_record(&c->triplets);
    if (!p->jacobian(p->context, c->x, &c->triplets) || c->triplets.failed) return false;
    memset(v->J, 0, (size_t)m * (size_t)n * sizeof *v->J);
    for (int e = 0; e < c->triplets.count; e++) {
        int i = c->triplets.row[e], j = c->triplets.col[e];
        double value = c->triplets.value[e] * p->x_scale[j];
        v->J[i * n + j] += value / p->g_scale[i];
        v->lagrangian[j] += c->y[i] * value / p->f_scale;
    }
    return true;
}

static bool evaluate_hessian(Checker* c) {
    const FpNlp* p = c->nlp;
    int n = p->n;
    double* H = c->centre.H;
    fp_triplets_record(&c->triplets);
    if (!p->hessian(p->context, c->x, 1, c->y, &c->triplets) || c->triplets.failed) return false;
    for (int e = 0; e < c->triplets.count; e++) {
        int i = c->triplets.row[e], j = c->triplets.col[e];
        double value = c->triplets.value[e] * p->x_scale[i] * p->x_scale[j] / p->f_scale;
        H[i * n + j] += value;
        if (i != j) H[j * n + i] += value;
    }
    return true;
}

/* Largest |exact - (ahead - behind)/(2 step)| over a column, by its largest entry or 1. */
static double column_error(int count, const double* exact, int stride, const double* ahead,
                           const double* behind, double step) {
    double error = 0, size = 1;
    for (int i = 0; i < count; i++) {
        error = fmax(error, fabs(exact[i * stride] - (ahead[i] - behind[i]) / (2 * step)));
        size = fmax(size, fabs(exact[i * stride]));
    }
    return error / size;
}

static FpStatus check_columns(Checker* c, const double* x, double step,
                              FpDerivativeErrors* errors) {
    int n = c->nlp->n, m = c->nlp->m;
    memcpy(c->x, x, (size_t)n * sizeof *x);
    if (!evaluate(c, &c->centre) || !evaluate_hessian(c)) return FREEPLAY_NOT_FINITE;
    for (int j = 0; j < n; j++) {
        double shift = step * c->nlp->x_scale[j];
        c->x[j] = x[j] + shift;
        if (!evaluate(c, &c->ahead)) return FREEPLAY_NOT_FINITE;
        c->x[j] = x[j] - shift;
        if (!evaluate(c, &c->behind)) return FREEPLAY_NOT_FINITE;
        c->x[j] = x[j];
        const Values *a = &c->ahead, *b = &c->behind, *exact = &c->centre;
        errors->gradient =
            fmax(errors->gradient, column_error(1, exact->gradient + j, 1, &a->f, &b->f, step));
        errors->jacobian =
            fmax(errors->jacobian, column_error(m, exact->J + j, n, a->g, b->g, step));
        errors->hessian = fmax(
            errors->hessian, column_error(n, exact->H + j, n, a->lagrangian, b->lagrangian, step));
    }
    return FREEPLAY_OK;
}

FpStatus fp_nlp_check_derivatives(const FpNlp* nlp, const double* x, const double* y, double step,
                                  FpDerivativeErrors* errors) {
    *errors = (FpDerivativeErrors){0};
    Checker c = {.nlp = nlp, .y = y};
    FpStatus status = allocate(&c) ? check_columns(&c, x, step, errors) : FREEPLAY_OUT_OF_MEMORY;
    fp_triplets_free(&c.triplets);
    free(c.memory);
    return status;
}
