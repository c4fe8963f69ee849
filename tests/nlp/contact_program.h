/* Contacts with friction of one block of velocities, as a determined program and as a structure:
 *
 *   x = (v, lambda),   M v - M v_free - h W lambda = 0,   psi = gap + h W^T v,
 *   0 <= lambda_N _|_ psi_N >= 0,   Coulomb's law for lambda_T and psi_T.
 *
 * Rows: normal ones first, then those of slip, contact after contact. */
#ifndef FREEPLAY_TESTS_CONTACT_PROGRAM_H
#define FREEPLAY_TESTS_CONTACT_PROGRAM_H

#include <math.h>
#include <string.h>
#include "nlp/structure.h"

enum { CONTACT_V = 8, CONTACT_LIMIT = 4, CONTACT_ROWS = 4 * CONTACT_LIMIT };
enum { CONTACT_N = CONTACT_V + CONTACT_ROWS };

typedef struct ContactProgram {
    int v_count, contacts, rows;
    double h, mass[CONTACT_V], v_free[CONTACT_V];
    int slips[CONTACT_LIMIT]; /* components of each contact */
    double friction[CONTACT_LIMIT];
    const double* before[CONTACT_LIMIT];
    double W[CONTACT_ROWS][CONTACT_V], gap[CONTACT_ROWS];

    FpNlp nlp;
    FpStructure structure;
    FpNlpPair pairs[CONTACT_LIMIT];
    FpNlpCone cones[CONTACT_LIMIT];
    FpStructureCone structure_cones[CONTACT_LIMIT];
    FpStructurePart parts[CONTACT_ROWS];
    int first_part[CONTACT_ROWS], block_first[1], block_next[CONTACT_ROWS];
    double inverse[CONTACT_V * CONTACT_V], slopes[CONTACT_ROWS * CONTACT_V];
    double zero[CONTACT_N], ones[CONTACT_N], unit[CONTACT_N];
    bool bilateral[CONTACT_ROWS], applies[CONTACT_ROWS], least_norm[CONTACT_N];
    double x_lower[CONTACT_N], x_upper[CONTACT_N], g_lower[CONTACT_N], g_upper[CONTACT_N];
} ContactProgram;

static inline double contact_way(const ContactProgram* p, int row, const double* v) {
    double sum = p->gap[row];
    for (int j = 0; j < p->v_count; j++) sum += p->h * p->W[row][j] * v[j];
    return sum;
}

static inline bool contact_rows(void* context, double h, const double* v, double* psi, double* D) {
    (void)h;
    const ContactProgram* p = context;
    for (int i = 0; i < p->rows; i++) psi[i] = contact_way(p, i, v);
    if (D) memcpy(D, p->slopes, (size_t)p->structure.slope_count * sizeof *D);
    return true;
}

static inline bool contact_objective(void* context, const double* x, double* f) {
    const ContactProgram* p = context;
    *f = 0;
    for (int j = 0; j < p->v_count; j++) *f += p->mass[j] * x[j] * x[j] / 2;
    return true;
}

static inline bool contact_gradient(void* context, const double* x, double* gradient) {
    const ContactProgram* p = context;
    memset(gradient, 0, (size_t)p->nlp.n * sizeof *gradient);
    for (int j = 0; j < p->v_count; j++) gradient[j] = p->mass[j] * x[j];
    return true;
}

static inline bool contact_constraints(void* context, const double* x, double* g) {
    const ContactProgram* p = context;
    for (int j = 0; j < p->v_count; j++) {
        g[j] = p->mass[j] * (x[j] - p->v_free[j]);
        for (int i = 0; i < p->rows; i++) g[j] -= p->h * p->W[i][j] * x[p->v_count + i];
    }
    return contact_rows(context, p->h, x, g + p->v_count, NULL);
}

static inline bool contact_jacobian(void* context, const double* x, FpTriplets* J) {
    (void)x;
    const ContactProgram* p = context;
    for (int j = 0; j < p->v_count; j++) {
        fp_triplets_add(J, j, j, p->mass[j]);
        for (int i = 0; i < p->rows; i++) {
            fp_triplets_add(J, j, p->v_count + i, -p->h * p->W[i][j]);
            fp_triplets_add(J, p->v_count + i, j, p->h * p->W[i][j]);
        }
    }
    return true;
}

static inline bool contact_hessian(void* context, const double* x, double weight, const double* y,
                                   FpTriplets* H) {
    (void)x, (void)y;
    const ContactProgram* p = context;
    for (int j = 0; j < p->v_count; j++) fp_triplets_add(H, j, j, weight * p->mass[j]);
    return true;
}

static inline void contact_complete(void* context, double h, const double* v, const double* lambda,
                                    const double* multipliers, const double* D, FpNlpPoint* point) {
    (void)h, (void)multipliers, (void)D;
    const ContactProgram* p = context;
    memcpy(point->x, v, (size_t)p->v_count * sizeof *v);
    memcpy(point->x + p->v_count, lambda, (size_t)p->rows * sizeof *lambda);
    memset(point->y, 0, (size_t)p->nlp.m * sizeof *point->y);
    memset(point->z, 0, (size_t)p->nlp.n * sizeof *point->z);
}

static inline void contact_list_laws(ContactProgram* p) {
    int slip = p->contacts;
    for (int k = 0; k < p->contacts; k++) {
        int normal = p->v_count + k, friction = p->v_count + slip;
        p->pairs[k] = (FpNlpPair){normal, normal};
        p->cones[k] =
            (FpNlpCone){normal, friction, friction, p->slips[k], p->friction[k], p->before[k]};
        p->structure_cones[k] =
            (FpStructureCone){k, slip, p->slips[k], true, p->friction[k], p->before[k]};
        slip += p->slips[k];
    }
    p->rows = slip;
}

/* One part for every row, all of block 0. */
static inline void contact_lay_out(ContactProgram* p) {
    for (int j = 0; j < p->v_count; j++) p->inverse[(p->v_count + 1) * j] = 1 / p->mass[j];
    for (int i = 0; i < p->rows; i++) {
        p->parts[i] = (FpStructurePart){.row_at = i,
                                        .row_count = 1,
                                        .v_count = p->v_count,
                                        .at = i * p->v_count,
                                        .stride = p->v_count,
                                        .inverse_mass = p->inverse};
        p->first_part[i] = i;
        p->block_next[i] = i + 1 < p->rows ? i + 1 : -1;
        memcpy(p->slopes + i * p->v_count, p->W[i], (size_t)p->v_count * sizeof(double));
        p->applies[i] = i < p->contacts;
    }
}

static inline void contact_set_bounds(ContactProgram* p) {
    for (int j = 0; j < p->nlp.n; j++) {
        int row = j - p->v_count;
        bool normal = row >= 0 && row < p->contacts;
        p->x_lower[j] = normal ? 0 : -FREEPLAY_NO_BOUND;
        p->x_upper[j] = FREEPLAY_NO_BOUND;
        p->g_lower[j] = row < p->contacts ? 0 : -FREEPLAY_NO_BOUND;
        p->g_upper[j] = row < 0 ? 0 : FREEPLAY_NO_BOUND;
        p->least_norm[j] = row >= 0;
        p->ones[j] = p->unit[j] = 1;
    }
}

/* Fills nlp and structure from the numbers above; all magnitudes are about one. */
static inline void contact_program_pose(ContactProgram* p) {
    contact_list_laws(p);
    contact_lay_out(p);
    p->nlp = (FpNlp){.n = p->v_count + p->rows, .m = p->v_count + p->rows};
    contact_set_bounds(p);
    p->structure = (FpStructure){.v_count = p->v_count,
                                 .row_count = p->rows,
                                 .part_count = p->rows,
                                 .slope_count = p->rows * p->v_count,
                                 .cone_count = p->contacts,
                                 .cones = p->structure_cones,
                                 .parts = p->parts,
                                 .first_part = p->first_part,
                                 .block_first = p->block_first,
                                 .block_next = p->block_next,
                                 .slopes = p->slopes,
                                 .gap = p->gap,
                                 .drift = p->zero,
                                 .v0 = p->v_free,
                                 .a = p->zero,
                                 .force = p->zero,
                                 .h = p->h,
                                 .bilateral = p->bilateral,
                                 .applies = p->applies,
                                 .linear = true,
                                 .unit = p->unit,
                                 .force_at = p->v_count,
                                 .context = p,
                                 .rows = contact_rows,
                                 .complete = contact_complete};
    FpNlp* nlp = &p->nlp;
    nlp->x_lower = p->x_lower;
    nlp->x_upper = p->x_upper;
    nlp->g_lower = p->g_lower;
    nlp->g_upper = p->g_upper;
    nlp->pair_count = nlp->cone_count = p->contacts;
    nlp->pairs = p->pairs;
    nlp->cones = p->cones;
    nlp->least_norm = p->least_norm;
    nlp->determined = true;
    nlp->x_scale = nlp->g_scale = p->ones;
    nlp->g_unit = p->unit;
    nlp->f_scale = nlp->pair_unit = 1;
    nlp->context = p;
    nlp->objective = contact_objective;
    nlp->gradient = contact_gradient;
    nlp->constraints = contact_constraints;
    nlp->jacobian = contact_jacobian;
    nlp->hessian = contact_hessian;
    nlp->structure = &p->structure;
}

#endif
