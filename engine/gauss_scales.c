/* Magnitudes by which the Gauss step's program is well scaled, from the step itself: whatever the
 * units, masses and clearances, the unknowns that a solver sees are of order one. */
#include <math.h>
#include "engine/gauss_impl.h"

/* Round-off of a row is some eps of the length: far below this part of the length a solver would
 * see noise instead of a distance. */
#define RESOLVED 1e-7

static double smallest_size(const FpGauss* g) {
    double smallest = g->system->scales.length;
    for (int i = 0; i < g->nr; i++)
        if (g->rows.applies[i] && g->rows.info[i]->size > 0)
            smallest = fmin(smallest, g->rows.info[i]->size);
    return smallest;
}

/* What the rows do in the free motion x (no contact forces): the distance l that forces have to
 * correct within the step, by which everything else is measured. */
static double correction(FpGauss* g, double h, double* predicted, double* accelerations) {
    fp_rows_rates(&g->rows, g->free_acceleration, accelerations);
    double l = 0;
    for (int i = 0; i < g->nr; i++) {
        if (!g->rows.applies[i]) continue;
        double bent = h * h * fabs(accelerations[i]);
        double wrong = g->bilateral[i] ? fabs(predicted[i]) : -predicted[i];
        double distance = g->rows.lever[i] * (wrong > bent ? wrong : bent);
        if (distance > l) l = distance;
    }
    return l > 0 ? fmax(l, RESOLVED * g->system->scales.length) : smallest_size(g);
}

void fp_gauss_scale(FpGauss* g, double h) {
    const FpSystem* s = g->system;
    double *predicted = g->row_work, *accelerations = predicted + g->nr;
    double l = correction(g, h, predicted, accelerations);
    double mass = fp_rows_felt_mass(&g->rows, g->compliance), force = mass * l / (h * h);

    g->x_scale[0] = h;
    for (int j = 0; j < g->nv; j++) {
        double M = g->mass.entries[j], v = l / h * sqrt(mass / M);
        g->x_scale[g->v_at + j] = v;
        g->g_scale[j] = M * v;
    }
    /* An invariant is dimensionless; an error of it moves points by that part of the length. */
    for (int i = 0; i < g->na; i++) {
        g->g_scale[g->nv + i] = fmin(1, l / s->scales.length);
        g->x_scale[g->a_at + i] = g->g_scale[g->nv + i] / h;
    }
    double load = 0;
    for (int i = 0; i < g->nr; i++) {
        double arm = g->rows.lever[i], move = l / arm, now = fabs(predicted[i]);
        g->x_scale[g->lambda_at + i] = force * arm;
        g->g_scale[g->row_g_at + i] = now > move ? now : move;
        double push = fabs(accelerations[i]), limit = load * g->compliance[i] * arm;
        if (g->compliance[i] > 0 && push > limit) load = push / (g->compliance[i] * arm);
    }
    g->nlp.f_scale = force * force / mass;
    g->nlp.pair_unit = load > 0 ? load : force;
}
