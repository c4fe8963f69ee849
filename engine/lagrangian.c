/* Lagrangian systems as a provider of FpSystem: one block over all coordinates, whose M, f and B
 * are a user's callbacks. */
#include "engine/lagrangian.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/lagrangian_impl.h"
#include "engine/state.h"
#include "nlp/dense.h"

/* A mass matrix is symmetric up to what is left of its digits after some arithmetic. */
#define ASYMMETRY 1e-9

/* What a failed step has tried: its length, half of it, and so on; and twice that, as forces of
 * rows may have led it further than it would have gone without them. */
#define FARTHEST 2.0
#define NEAREST  1e-5

struct FpLagrangian {
    FpLagrangianDef def;
    FpSystemOps ops; /* the same of all but for constant_mass */
    char **q_names, **v_names;
    double *q0, *v0;
    FpBlock block;
    int constraint_count;
    FpConstraint** constraints;
    FpSystem system;
    bool finished;
};

/* Callbacks, into arrays that are 0 -------------------------------------------------------------
 */

static void find_mass(const FpLagrangian* s, const double* q, double* M) {
    memset(M, 0, (size_t)(s->def.v_count * s->def.v_count) * sizeof *M);
    s->def.mass(s->def.context, q, M);
}

static void find_force(const FpLagrangian* s, double t, const double* q, const double* v,
                       double* f) {
    memset(f, 0, (size_t)s->def.v_count * sizeof *f);
    if (s->def.force) s->def.force(s->def.context, t, q, v, f);
}

static void find_kinematics(const FpLagrangian* s, const double* q, double* B) {
    int nq = s->def.q_count, nv = s->def.v_count;
    memset(B, 0, (size_t)(nq * nv) * sizeof *B);
    if (s->def.kinematics) s->def.kinematics(s->def.context, q, B);
    for (int i = 0; !s->def.kinematics && i < nq; i++) B[(nv + 1) * i] = 1;
}

/* Checks ----------------------------------------------------------------------------------------
 */

static FpStatus refuse_callback(FpMessage* message, FpStatus status, const char* callback, int row,
                                int column, double value) {
    FpMessage found;
    fp_refuse(&found, status, "callback '%s' wrote %g in row %d, column %d", callback, value, row,
              column);
    snprintf(found.field, sizeof found.field, "%s", callback);
    if (message) *message = found;
    return status;
}

static FpStatus check_numbers(const char* callback, const double* values, int rows, int columns,
                              FpMessage* message) {
    int bad = fp_lagrangian_first_bad(values, rows * columns);
    if (bad < 0) return FREEPLAY_OK;
    return refuse_callback(message, FREEPLAY_NOT_FINITE, callback, bad / columns, bad % columns,
                           values[bad]);
}

static FpStatus refuse_mass(FpMessage* message, const char* text) {
    fp_refuse(message, FREEPLAY_INVALID_MODEL, "callback 'mass': %s", text);
    if (message) snprintf(message->field, sizeof message->field, "mass");
    return FREEPLAY_INVALID_MODEL;
}

/* Finite and symmetric. */
static FpStatus check_mass(const FpLagrangian* s, const double* M, FpMessage* message) {
    int n = s->def.v_count;
    FpStatus status = check_numbers("mass", M, n, n, message);
    if (status) return status;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double size = sqrt(fabs(M[(n + 1) * i] * M[(n + 1) * j]));
            if (fabs(M[n * i + j] - M[n * j + i]) > ASYMMETRY * size)
                return refuse_mass(message, "the mass matrix is not symmetric");
        }
    return FREEPLAY_OK;
}

/* Leaves its factor in M. */
static FpStatus factor_mass(const FpLagrangian* s, const double* q, double* M, FpMessage* message) {
    find_mass(s, q, M);
    FpStatus status = check_mass(s, M, message);
    if (!status && fp_dense_factor(s->def.v_count, M))
        status = refuse_mass(message, "the mass matrix is not positive definite");
    return status;
}

/* What the callbacks give at one state, and where it leads. On the heap: what failed may take its
 * time. */
typedef struct Look {
    double *M, *B, *f; /* M: its factor */
    double* a;         /* M^-1 f */
    double *Bv, *Ba;
    double *q, *v; /* ahead */
} Look;

static bool look_create(Look* look, const FpLagrangian* s) {
    size_t nq = (size_t)s->def.q_count, nv = (size_t)s->def.v_count;
    double* at = calloc(nv * nv + nq * nv + 3 * nv + 3 * nq, sizeof *at);
    if (!at) return false;
    look->M = at;
    look->B = look->M + nv * nv;
    look->f = look->B + nq * nv;
    look->a = look->f + nv;
    look->v = look->a + nv;
    look->Bv = look->v + nv;
    look->Ba = look->Bv + nq;
    look->q = look->Ba + nq;
    return true;
}

/* Adds to a refusal where that was. */
static FpStatus refuse_there(const FpLagrangian* s, FpStatus status, double t, const double* q,
                             FpMessage* message) {
    if (!status || !message) return status;
    size_t room = sizeof message->text, used = strlen(message->text);
    snprintf(message->text + used, room - used, " at t = %.9g s", t);
    for (int i = 0; i < s->def.q_count && i < 4; i++) {
        used = strlen(message->text);
        snprintf(message->text + used, room - used, ", %s = %.9g", s->q_names[i], q[i]);
    }
    return status;
}

/* Refuses callbacks that are wrong at (t, q, v). */
static FpStatus look_at(const FpLagrangian* s, const Look* look, double t, const double* q,
                        const double* v, FpMessage* message) {
    int nq = s->def.q_count, nv = s->def.v_count;
    FpStatus status = factor_mass(s, q, look->M, message);
    find_kinematics(s, q, look->B);
    if (!status) status = check_numbers("kinematics", look->B, nq, nv, message);
    find_force(s, t, q, v, look->f);
    if (!status) status = check_numbers("force", look->f, nv, 1, message);
    for (int c = 0; c < s->constraint_count && !status; c++)
        status = fp_lagrangian_rows_check(s->constraints[c], t, q, message);
    return refuse_there(s, status, t, q, message);
}

/* How a motion without forces of rows goes on from where the look was. */
static void find_motion(const FpLagrangian* s, const Look* look, const double* v) {
    int nq = s->def.q_count, nv = s->def.v_count;
    memcpy(look->a, look->f, (size_t)nv * sizeof *look->a);
    fp_dense_solve(nv, look->M, look->a);
    for (int i = 0; i < nq; i++) {
        look->Bv[i] = look->Ba[i] = 0;
        for (int j = 0; j < nv; j++) {
            look->Bv[i] += look->B[nv * i + j] * v[j];
            look->Ba[i] += look->B[nv * i + j] * look->a[j];
        }
    }
}

/* The same h later. */
static FpStatus look_ahead(const FpLagrangian* s, const Look* look, double t, double h,
                           const double* q, const double* v, FpMessage* message) {
    for (int j = 0; j < s->def.v_count; j++) look->v[j] = v[j] + h * look->a[j];
    for (int i = 0; i < s->def.q_count; i++)
        look->q[i] = q[i] + h * (look->Bv[i] + h * look->Ba[i]);
    return look_at(s, look, t + h, look->q, look->v, message);
}

static FpStatus blame(const void* self, double t, double h, const double* q, const double* v,
                      FpMessage* message) {
    const FpLagrangian* s = self;
    Look look;
    bool given = fp_lagrangian_first_bad(q, s->def.q_count) < 0 &&
                 fp_lagrangian_first_bad(v, s->def.v_count) < 0;
    if (!given || !look_create(&look, s)) return FREEPLAY_OK;
    FpStatus status = look_at(s, &look, t, q, v, message);
    if (!status) find_motion(s, &look, v);
    for (double part = FARTHEST; part >= NEAREST && !status; part /= 2)
        status = look_ahead(s, &look, t, part * h, q, v, message);
    free(look.M);
    return status;
}

/* The system that a scheme sees -----------------------------------------------------------------
 */

static FpStatus mass_matrix(const void* self, int block, const double* q, double* M) {
    (void)block;
    find_mass(self, q, M);
    return check_mass(self, M, NULL);
}

static FpStatus forces(const void* self, double t, const double* q, const double* v, double* f) {
    const FpLagrangian* s = self;
    find_force(s, t, q, v, f);
    return fp_lagrangian_first_bad(f, s->def.v_count) < 0 ? FREEPLAY_OK : FREEPLAY_NOT_FINITE;
}

static void kinematics(const void* self, int block, const double* q, double* B) {
    (void)block;
    find_kinematics(self, q, B);
}

/* There are no invariants to keep: every step is as good as another. */
static bool rates(const void* self, int block, const double* q, const double* v, double h,
                  bool exact, double* a) {
    (void)self, (void)block, (void)q, (void)v, (void)h, (void)exact, (void)a;
    return true;
}

/* q' = v: any mean velocity leads straight on. */
static bool straight_step(const void* self, int block, const double* q, const double* v, double h,
                          double* q1) {
    const FpLagrangian* s = self;
    (void)block;
    for (int i = 0; i < s->def.q_count; i++) q1[i] = q[i] + h * v[i];
    return true;
}

static double kinetic_energy(const void* self, const double* q, const double* v) {
    const FpLagrangian* s = self;
    double M[FREEPLAY_BLOCK_V_MAX * FREEPLAY_BLOCK_V_MAX], sum = 0;
    int n = s->def.v_count;
    find_mass(s, q, M);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sum += v[i] * M[n * i + j] * v[j] / 2;
    return sum;
}

static double potential_energy(const void* self, double t, const double* q) {
    const FpLagrangian* s = self;
    return s->def.potential_energy ? s->def.potential_energy(s->def.context, t, q) : 0;
}

/* Of all that force gives: it is v' that lags behind in (38), whatever makes it. */
static double power(const void* self, double t, const double* q, const double* v) {
    const FpLagrangian* s = self;
    double f[FREEPLAY_BLOCK_V_MAX], sum = 0;
    find_force(s, t, q, v, f);
    for (int j = 0; j < s->def.v_count; j++) sum += f[j] * v[j];
    return sum;
}

static void coordinate_name(const void* self, int block, int index, char* text, size_t size) {
    (void)block;
    snprintf(text, size, "%s", ((const FpLagrangian*)self)->q_names[index]);
}

static void velocity_name(const void* self, int block, int index, char* text, size_t size) {
    (void)block;
    snprintf(text, size, "%s", ((const FpLagrangian*)self)->v_names[index]);
}

static const FpSystemOps common_ops = {
    .name = "Lagrangian",
    .mass = mass_matrix,
    .force = forces,
    .kinematics = kinematics,
    .rates = rates,
    .kinetic_energy = kinetic_energy,
    .potential_energy = potential_energy,
    .power = power,
    .coordinate_name = coordinate_name,
    .velocity_name = velocity_name,
    .blame = blame,
};

/* Building --------------------------------------------------------------------------------------
 */

FpLagrangianDef fp_lagrangian_def_default(void) {
    return (FpLagrangianDef){.q_count = 1, .v_count = 1, .length = 1};
}

static FpStatus check_names(const char* field, const char* const* names, int count,
                            FpMessage* message) {
    for (int i = 0; names && i < count; i++)
        if (!names[i] || !names[i][0])
            return fp_refuse_field(message, field, "name %d of %d is missing", i + 1, count);
    return FREEPLAY_OK;
}

static FpStatus check_start(const char* field, const double* values, int count,
                            FpMessage* message) {
    int bad = values ? fp_lagrangian_first_bad(values, count) : -1;
    if (bad < 0) return FREEPLAY_OK;
    return fp_refuse_field(message, field, "number %d of %d is not finite: %g", bad + 1, count,
                           values[bad]);
}

static FpStatus check_def(const FpLagrangianDef* def, FpMessage* message) {
    int nq = def->q_count, nv = def->v_count;
    if (nq < 1 || nq > FREEPLAY_LAGRANGIAN_Q_MAX)
        return fp_refuse_field(message, "q_count", "must be from 1 to %d, is %d",
                               FREEPLAY_LAGRANGIAN_Q_MAX, nq);
    if (nv < 1 || nv > FREEPLAY_BLOCK_V_MAX)
        return fp_refuse_field(message, "v_count", "must be from 1 to %d, is %d",
                               FREEPLAY_BLOCK_V_MAX, nv);
    if (!(def->length > 0) || !isfinite(def->length))
        return fp_refuse_field(message, "length", "must be positive, is %g m", def->length);
    if (!def->mass) return fp_refuse_field(message, "mass", "a system needs this callback");
    if (!def->kinematics && nq != nv)
        return fp_refuse_field(message, "kinematics",
                               "q' = v needs as many velocities as coordinates; these are %d and "
                               "%d",
                               nv, nq);
    FpStatus status = check_names("q_names", def->q_names, nq, message);
    if (!status) status = check_names("v_names", def->v_names, nv, message);
    if (!status) status = check_start("q0", def->q0, nq, message);
    return status ? status : check_start("v0", def->v0, nv, message);
}

/* Given, or made from the name of the coordinate, or from a letter and a number. */
static char* make_name(const char* given, const char* coordinate, char letter, int number) {
    char text[160];
    if (given) return strdup(given);
    if (coordinate)
        snprintf(text, sizeof text, "v_%s", coordinate);
    else
        snprintf(text, sizeof text, "%c%d", letter, number);
    return strdup(text);
}

static bool copy_names(FpLagrangian* s, const FpLagrangianDef* def) {
    int nq = def->q_count, nv = def->v_count;
    s->q_names = calloc((size_t)nq, sizeof *s->q_names);
    s->v_names = calloc((size_t)nv, sizeof *s->v_names);
    if (!s->q_names || !s->v_names) return false;
    for (int i = 0; i < nq; i++) {
        s->q_names[i] = make_name(def->q_names ? def->q_names[i] : NULL, NULL, 'q', i + 1);
        if (!s->q_names[i]) return false;
    }
    for (int j = 0; j < nv; j++) {
        s->v_names[j] = make_name(def->v_names ? def->v_names[j] : NULL,
                                  nq == nv ? s->q_names[j] : NULL, 'v', j + 1);
        if (!s->v_names[j]) return false;
    }
    return true;
}

static bool copy_start(FpLagrangian* s, const FpLagrangianDef* def) {
    size_t nq = (size_t)def->q_count, nv = (size_t)def->v_count;
    s->q0 = calloc(nq + nv, sizeof *s->q0);
    if (!s->q0) return false;
    s->v0 = s->q0 + nq;
    if (def->q0) memcpy(s->q0, def->q0, nq * sizeof *s->q0);
    if (def->v0) memcpy(s->v0, def->v0, nv * sizeof *s->v0);
    return true;
}

FpLagrangian* fp_lagrangian_create(const FpLagrangianDef* def, FpMessage* message) {
    if (check_def(def, message)) return NULL;
    FpLagrangian* s = calloc(1, sizeof *s);
    if (s) {
        s->def = *def;
        s->ops = common_ops;
        s->ops.constant_mass = def->constant_mass;
        if (!def->kinematics) s->ops.midstep = straight_step;
        s->block = (FpBlock){.q_count = def->q_count, .v_count = def->v_count};
    }
    if (s && copy_names(s, def) && copy_start(s, def)) return s;
    fp_lagrangian_destroy(s);
    fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    return NULL;
}

static void free_names(char** names, int count) {
    for (int i = 0; names && i < count; i++) free(names[i]);
    free(names);
}

void fp_lagrangian_destroy(FpLagrangian* s) {
    if (!s) return;
    for (int c = 0; c < s->constraint_count; c++) fp_constraint_destroy(s->constraints[c]);
    free_names(s->q_names, s->def.q_count);
    free_names(s->v_names, s->def.v_count);
    free(s->constraints);
    free(s->q0);
    free(s);
}

static FpStatus refuse_change(const FpLagrangian* s, FpMessage* message) {
    if (!s->finished) return FREEPLAY_OK;
    return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT, "the system is finished and read-only");
}

FpStatus fp_lagrangian_add_rows(FpLagrangian* s, const FpLagrangianRowsDef* def,
                                FpMessage* message) {
    FpMessage reason = {0};
    FpStatus status = refuse_change(s, message);
    for (int c = 0; c < s->constraint_count && !status && def->name; c++)
        if (strcmp(s->constraints[c]->name, def->name) == 0)
            status = fp_refuse_field(message, "name",
                                     "there are other rows '%s'; names must be unique", def->name);
    if (status) return status;
    size_t count = (size_t)s->constraint_count + 1;
    FpConstraint** larger = realloc(s->constraints, count * sizeof *larger);
    if (!larger) return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    s->constraints = larger;
    FpConstraint* rows = fp_lagrangian_rows_create(def, &s->def, &reason);
    if (rows) {
        s->constraints[s->constraint_count++] = rows;
        return FREEPLAY_OK;
    }
    if (message) *message = reason;
    return reason.field[0] ? FREEPLAY_INVALID_ARGUMENT : FREEPLAY_OUT_OF_MEMORY;
}

/* Finishing -------------------------------------------------------------------------------------
 */

/* The largest entry on the diagonal of M, whatever its unit: it only stands in where no row feels a
 * mass. */
static double largest_mass(const FpLagrangian* s) {
    double M[FREEPLAY_BLOCK_V_MAX * FREEPLAY_BLOCK_V_MAX], largest = 0;
    find_mass(s, s->q0, M);
    for (int i = 0; i < s->def.v_count; i++) largest = fmax(largest, M[(s->def.v_count + 1) * i]);
    return largest;
}

static FpSystem make_system(const FpLagrangian* s) {
    int rows = 0;
    for (int c = 0; c < s->constraint_count; c++) rows += s->constraints[c]->row_count;
    return (FpSystem){.ops = &s->ops,
                      .self = s,
                      .block_count = 1,
                      .blocks = &s->block,
                      .q_count = s->def.q_count,
                      .v_count = s->def.v_count,
                      .constraint_count = s->constraint_count,
                      .constraints = s->constraints,
                      .row_count = rows,
                      .scales = {.length = s->def.length, .mass = largest_mass(s)},
                      .q_initial = s->q0,
                      .v_initial = s->v0};
}

/* Callbacks first: a gap that is not finite is neither open nor closed. */
static FpStatus check_initial_state(const FpLagrangian* s, const FpState* state, const Look* look,
                                    FpMessage* message) {
    FpStatus status = look_at(s, look, state->t, state->q, state->v, message);
    double potential = potential_energy(s, state->t, state->q);
    if (status) return status;
    status = check_numbers("potential_energy", &potential, 1, 1, message);
    if (status) return refuse_there(s, status, state->t, state->q, message);
    return fp_state_check(&s->system, state, message);
}

FpStatus fp_lagrangian_finish(FpLagrangian* s, FpMessage* message) {
    FpStatus status = refuse_change(s, message);
    if (status) return status;
    s->system = make_system(s);
    FpState* state = fp_state_create(&s->system);
    Look look = {0};
    if (state && look_create(&look, s))
        status = check_initial_state(s, state, &look, message);
    else
        status = fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    free(look.M);
    fp_state_destroy(state);
    s->finished = !status;
    return status;
}

const FpSystem* fp_lagrangian_system(const FpLagrangian* s) {
    return s->finished ? &s->system : NULL;
}
