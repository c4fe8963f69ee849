/* Constraint sets of a Lagrangian system: a user's callbacks behind FpConstraintOps, and
 * differences where there is no callback. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/lagrangian_impl.h"

typedef struct Rows {
    FpConstraint base;
    FpConstraintOps ops; /* rate and slip only if there are such callbacks */
    FpLagrangianRowsDef def;
    FpRow* rows;
    char** labels;
    int q_count, v_count;
    double step; /* of differences */
} Rows;

int fp_lagrangian_first_bad(const double* values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i])) return i;
    return -1;
}

/* Callbacks and differences ---------------------------------------------------------------------
 */

static const Rows* rows_of(const FpConstraint* c) {
    return (const Rows*)c;
}

static void clear(double* values, int count) {
    memset(values, 0, (size_t)count * sizeof *values);
}

static void find_value(const Rows* r, double t, const double* q, double* g) {
    clear(g, r->base.row_count);
    if (r->def.value) r->def.value(r->def.context, t, q, g);
}

/* Coordinate k moved by `way`, both in its place in q; returns what it is then. */
static double move(const Rows* r, const double* q0, int k, double way, double* q) {
    memcpy(q, q0, (size_t)r->q_count * sizeof *q);
    q[k] += way;
    return q[k];
}

/* A coordinate may be far from 0 but its step must not drown in its round-off. */
static double step_of(const Rows* r, double q) {
    return fmax(r->step, sqrt(DBL_EPSILON) * fabs(q));
}

static void difference_values(const Rows* r, double t, const double* q0, double* J) {
    double q[FREEPLAY_LAGRANGIAN_Q_MAX], above[FREEPLAY_CONSTRAINT_ROWS],
        below[FREEPLAY_CONSTRAINT_ROWS];
    for (int k = 0; k < r->q_count; k++) {
        double step = step_of(r, q0[k]);
        double q_above = move(r, q0, k, step, q);
        find_value(r, t, q, above);
        double q_below = move(r, q0, k, -step, q);
        find_value(r, t, q, below);
        for (int i = 0; i < r->base.row_count; i++)
            J[i * r->q_count + k] = (above[i] - below[i]) / (q_above - q_below);
    }
}

static void find_jacobian(const Rows* r, double t, const double* q, double* J) {
    clear(J, r->base.row_count * r->q_count);
    if (r->def.jacobian)
        r->def.jacobian(r->def.context, t, q, J);
    else
        difference_values(r, t, q, J);
}

/* sum_i weight_i dg_i/dq, in J. */
static void find_weighted_slope(const Rows* r, double t, const double* q, const double* weight,
                                double* J, double* slope) {
    find_jacobian(r, t, q, J);
    clear(slope, r->q_count);
    for (int i = 0; i < r->base.row_count; i++)
        for (int k = 0; k < r->q_count; k++) slope[k] += weight[i] * J[i * r->q_count + k];
}

/* Adds the differences of the Jacobian, half to each of two opposite entries. Differences of
 * differences ask for longer steps than those of a Jacobian. */
static void difference_slopes(const Rows* r, double t, const double* q0, const double* weight,
                              double* J, double* H) {
    double q[FREEPLAY_LAGRANGIAN_Q_MAX], above[FREEPLAY_LAGRANGIAN_Q_MAX],
        below[FREEPLAY_LAGRANGIAN_Q_MAX];
    double longer = r->def.jacobian ? 1 : pow(DBL_EPSILON, 1.0 / 5 - 1.0 / 3);
    int n = r->q_count;
    for (int k = 0; k < n; k++) {
        double step = longer * step_of(r, q0[k]);
        double q_above = move(r, q0, k, step, q);
        find_weighted_slope(r, t, q, weight, J, above);
        double q_below = move(r, q0, k, -step, q);
        find_weighted_slope(r, t, q, weight, J, below);
        for (int i = 0; i < n; i++) {
            double slope = (above[i] - below[i]) / (q_above - q_below) / 2;
            H[i * n + k] += slope;
            H[k * n + i] += slope;
        }
    }
}

static void value(const FpConstraint* c, double t, const double* const q[], double* psi) {
    find_value(rows_of(c), t, q[0], psi);
}

static void jacobian(const FpConstraint* c, double t, const double* const q[], double* J) {
    find_jacobian(rows_of(c), t, q[0], J);
}

/* Where q' = v, slopes over coordinates are those over velocities. */
static void sweep(const FpConstraint* c, double t, const double* const q[], double* psi, double* g,
                  double* kappa, double* Dv) {
    find_value(rows_of(c), t, q[0], psi);
    find_jacobian(rows_of(c), t, q[0], Dv);
    for (int i = 0; i < c->row_count; i++) {
        g[i] = psi[i];
        kappa[i] = 1;
    }
}

/* Only solvers ask for it that allocate themselves. */
static void hessian(const FpConstraint* c, double t, const double* const q[], const double* weight,
                    double* H) {
    const Rows* r = rows_of(c);
    if (r->def.hessian) {
        r->def.hessian(r->def.context, t, q[0], weight, H);
        return;
    }
    double* J = malloc((size_t)(c->row_count * r->q_count) * sizeof *J);
    if (J)
        difference_slopes(r, t, q[0], weight, J, H);
    else
        H[0] = NAN; /* no solver takes that for an answer */
    free(J);
}

static void rate(const FpConstraint* c, double t, const double* const q[], double* psi_t,
                 double* psi_tt, double* J_t) {
    const Rows* r = rows_of(c);
    clear(psi_t, c->row_count);
    clear(psi_tt, c->row_count);
    clear(J_t, c->row_count * r->q_count);
    r->def.rate(r->def.context, t, q[0], psi_t, psi_tt, J_t);
}

/* A velocity row has no gap. */
static void applies(const FpConstraint* c, const double* const q[], bool* applies) {
    (void)q;
    for (int i = 0; i < c->row_count; i++) applies[i] = c->rows[i].kind != FREEPLAY_ROW_VELOCITY;
}

static bool has_velocity_rows(const FpLagrangianRowsDef* def) {
    for (int i = 0; i < def->row_count; i++)
        if (def->rows[i].kind == FREEPLAY_ROW_VELOCITY) return true;
    return false;
}

static void slip(const FpConstraint* c, double t, const double* const q[], int row, double* G,
                 double* chi) {
    const Rows* r = rows_of(c);
    clear(G, c->rows[row].slip_count * r->v_count);
    clear(chi, c->rows[row].slip_count);
    r->def.slip(r->def.context, t, q[0], row, G, chi);
}

/* Checks ----------------------------------------------------------------------------------------
 */

/* Refuses `count` numbers that a callback wrote, `width` to a row. */
static FpStatus check_numbers(const FpConstraint* c, const char* callback, const double* values,
                              int count, int width, int first_row, FpMessage* message) {
    int bad = fp_lagrangian_first_bad(values, count);
    if (bad < 0) return FREEPLAY_OK;
    int row = first_row + bad / width;
    return fp_refuse(message, FREEPLAY_NOT_FINITE,
                     "rows '%s': callback '%s' wrote %g for row %d (%s)", c->name, callback,
                     values[bad], row, c->rows[row].label);
}

static FpStatus check_rate(const FpConstraint* c, double t, const double* const q[], double* J,
                           FpMessage* message) {
    double psi_t[FREEPLAY_CONSTRAINT_ROWS], psi_tt[FREEPLAY_CONSTRAINT_ROWS];
    int m = c->row_count, n = rows_of(c)->q_count;
    rate(c, t, q, psi_t, psi_tt, J);
    FpStatus status = check_numbers(c, "rate", psi_t, m, 1, 0, message);
    if (!status) status = check_numbers(c, "rate", psi_tt, m, 1, 0, message);
    return status ? status : check_numbers(c, "rate", J, m * n, n, 0, message);
}

static FpStatus check_slip(const FpConstraint* c, double t, const double* const q[], int row,
                           FpMessage* message) {
    double G[FREEPLAY_SLIP_MAX * FREEPLAY_BLOCK_V_MAX], chi[FREEPLAY_SLIP_MAX];
    int count = c->rows[row].slip_count, entries = count * rows_of(c)->v_count;
    if (count == 0) return FREEPLAY_OK;
    slip(c, t, q, row, G, chi);
    FpStatus status = check_numbers(c, "slip", G, entries, entries, row, message);
    return status ? status : check_numbers(c, "slip", chi, count, count, row, message);
}

static FpStatus check_callbacks(const Rows* r, double t, const double* q, double* J,
                                FpMessage* message) {
    const FpConstraint* c = &r->base;
    double g[FREEPLAY_CONSTRAINT_ROWS];
    int m = c->row_count, n = r->q_count;
    find_value(r, t, q, g);
    FpStatus status = check_numbers(c, "value", g, m, 1, 0, message);
    if (status) return status;
    find_jacobian(r, t, q, J);
    status = check_numbers(c, r->def.jacobian ? "jacobian" : "value", J, m * n, n, 0, message);
    if (!status && r->def.rate) status = check_rate(c, t, &q, J, message);
    for (int i = 0; i < m && !status && r->def.slip; i++) status = check_slip(c, t, &q, i, message);
    return status;
}

FpStatus fp_lagrangian_rows_check(const FpConstraint* rows, double t, const double* q,
                                  FpMessage* message) {
    const Rows* r = rows_of(rows);
    double* J = malloc((size_t)(rows->row_count * r->q_count) * sizeof *J);
    if (!J) return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    FpStatus status = check_callbacks(r, t, q, J, message);
    free(J);
    return status;
}

/* Creation --------------------------------------------------------------------------------------
 */

FpLagrangianRowsDef fp_lagrangian_rows_def_default(void) {
    return (FpLagrangianRowsDef){.row_count = 1};
}

static void destroy(FpConstraint* constraint) {
    Rows* r = (Rows*)constraint;
    for (int i = 0; r->labels && i < r->base.row_count; i++) free(r->labels[i]);
    free(r->labels);
    free(r->rows);
    free(r);
}

static bool is_part(double value) {
    return value >= 0 && value <= 1;
}

static FpStatus check_laws(const FpRow* row, int i, const FpLagrangianRowsDef* def,
                           FpMessage* message) {
    if (!(row->friction >= 0) || !isfinite(row->friction))
        return fp_refuse_field(message, "rows", "row %d: friction must be at least 0, is %g", i,
                               row->friction);
    if (!is_part(row->restitution) || !is_part(row->tangential_restitution))
        return fp_refuse_field(message, "rows", "row %d: restitution must be from 0 to 1, is %g", i,
                               is_part(row->restitution) ? row->tangential_restitution
                                                         : row->restitution);
    if (row->slip_count < 0 || row->slip_count > FREEPLAY_SLIP_MAX)
        return fp_refuse_field(message, "rows", "row %d: slip_count must be from 0 to %d, is %d", i,
                               FREEPLAY_SLIP_MAX, row->slip_count);
    if (row->friction > 0 && row->slip_count == 0)
        return fp_refuse_field(message, "rows", "row %d: friction needs a slip_count above 0", i);
    if (row->slip_count > 0 && !def->slip)
        return fp_refuse_field(message, "slip", "row %d has a slip_count and needs this callback",
                               i);
    bool has_laws = row->friction > 0 || row->restitution > 0 || row->slip_count > 0;
    if (row->kind == FREEPLAY_ROW_BILATERAL && has_laws)
        return fp_refuse_field(message, "rows",
                               "row %d: a bilateral row has neither friction nor restitution", i);
    return FREEPLAY_OK;
}

/* gamma = 0 has directions, and no clearance or contact law. */
static FpStatus check_velocity_row(const FpRow* row, int i, const FpLagrangianRowsDef* def,
                                   FpMessage* message) {
    if (row->slip_count < 1 || row->slip_count > FREEPLAY_SLIP_MAX || !def->slip)
        return fp_refuse_field(message, "rows",
                               "row %d: a velocity row needs the callback slip and 1 to %d "
                               "components, slip_count is %d",
                               i, FREEPLAY_SLIP_MAX, row->slip_count);
    if (row->friction != 0 || row->restitution != 0 || row->tangential_restitution != 0 ||
        row->size != 0)
        return fp_refuse_field(message, "rows",
                               "row %d: a velocity row has neither clearance nor contact law", i);
    return FREEPLAY_OK;
}

static FpStatus check_row(const FpRow* row, int i, const FpLagrangianRowsDef* def,
                          FpMessage* message) {
    if (row->kind == FREEPLAY_ROW_VELOCITY) return check_velocity_row(row, i, def, message);
    if (row->kind != FREEPLAY_ROW_BILATERAL && row->kind != FREEPLAY_ROW_UNILATERAL)
        return fp_refuse_field(message, "rows",
                               "row %d: kind must be bilateral, unilateral or velocity", i);
    if (row->unit != FREEPLAY_ROW_LENGTH && row->unit != FREEPLAY_ROW_ANGLE)
        return fp_refuse_field(message, "rows", "row %d: unit must be length or angle", i);
    if (!(row->size >= 0) || !isfinite(row->size))
        return fp_refuse_field(message, "rows", "row %d: size must be at least 0, is %g", i,
                               row->size);
    if (row->kind == FREEPLAY_ROW_BILATERAL && row->size > 0)
        return fp_refuse_field(message, "rows",
                               "row %d: a bilateral row has no clearance; size must be 0, is %g", i,
                               row->size);
    return check_laws(row, i, def, message);
}

static FpStatus check_def(const FpLagrangianRowsDef* def, FpMessage* message) {
    if (!def->name || !def->name[0])
        return fp_refuse_field(message, "name", "a set of rows needs a name");
    if (def->row_count < 1 || def->row_count > FREEPLAY_CONSTRAINT_ROWS)
        return fp_refuse_field(message, "row_count", "must be from 1 to %d, is %d",
                               FREEPLAY_CONSTRAINT_ROWS, def->row_count);
    if (!def->rows)
        return fp_refuse_field(message, "rows", "must say what the %d rows are", def->row_count);
    FpStatus status = FREEPLAY_OK;
    bool has_gaps = false;
    for (int i = 0; i < def->row_count && !status; i++) {
        status = check_row(&def->rows[i], i, def, message);
        has_gaps = has_gaps || def->rows[i].kind != FREEPLAY_ROW_VELOCITY;
    }
    if (!status && has_gaps && !def->value)
        return fp_refuse_field(message, "value", "rows need this callback");
    return status;
}

/* A unilateral row without a clearance is a contact. */
static bool copy_rows(Rows* r, const FpRow* rows) {
    int count = r->base.row_count;
    r->rows = calloc((size_t)count, sizeof *r->rows);
    r->labels = calloc((size_t)count, sizeof *r->labels);
    for (int i = 0; r->rows && r->labels && i < count; i++) {
        char number[32];
        snprintf(number, sizeof number, "row %d", i + 1);
        r->labels[i] = strdup(rows[i].label ? rows[i].label : number);
        if (!r->labels[i]) return false;
        r->rows[i] = rows[i];
        r->rows[i].label = r->labels[i];
        if (rows[i].kind == FREEPLAY_ROW_UNILATERAL && rows[i].size == 0)
            r->rows[i].is_contact = true;
    }
    r->base.rows = r->rows;
    return r->rows && r->labels;
}

/* Coordinates are lengths or angles, and no row bends on less than its own size. */
static double difference_step(const FpLagrangianRowsDef* def, double length) {
    double smallest = fmin(1, length);
    for (int i = 0; i < def->row_count; i++)
        if (def->rows[i].size > 0) smallest = fmin(smallest, def->rows[i].size);
    return cbrt(DBL_EPSILON) * smallest;
}

FpConstraint* fp_lagrangian_rows_create(const FpLagrangianRowsDef* def,
                                        const FpLagrangianDef* system, FpMessage* message) {
    if (check_def(def, message)) return NULL;
    Rows* r = calloc(1, sizeof *r);
    if (r) {
        r->def = *def;
        r->q_count = system->q_count;
        r->v_count = system->v_count;
        r->step = difference_step(def, system->length);
        r->ops = (FpConstraintOps){.value = value,
                                   .jacobian = jacobian,
                                   .hessian = hessian,
                                   .rate = def->rate ? rate : NULL,
                                   .sweep = system->kinematics ? NULL : sweep,
                                   .applies = has_velocity_rows(def) ? applies : NULL,
                                   .slip = def->slip ? slip : NULL,
                                   .destroy = destroy};
        r->base = (FpConstraint){.ops = &r->ops,
                                 .type = "rows",
                                 .name = strdup(def->name),
                                 .block_count = 1,
                                 .row_count = def->row_count};
    }
    if (r && r->base.name && copy_rows(r, def->rows)) return &r->base;
    if (r) fp_constraint_destroy(&r->base);
    fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    return NULL;
}
