/* The nearest state that the joints allow, theory.md section 9: a program over the displacement u
 * of all blocks, q1 = q0 + K u,
 *
 *   min 1/2 u.M u   s.t.  c(q1) = 0,  psi(q1) = 0 or >= 0,
 *
 * and then the nearest velocities, M (v - v0) = W lambda with W^T v + dg/dt = 0 for ideal rows. */
#include "engine/assembly.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "engine/mass.h"
#include "engine/rows.h"
#include "engine/space.h"
#include "nlp/dense.h"
#include "nlp/nlp.h"

/* Rows that depend on others by more than all but this part of their length are redundant. */
#define INDEPENDENT 1e-8
/* A violation that is a smaller part of the length counts as this for the scales. */
#define SMALLEST_MOVE 1e-6

typedef struct Assembly {
    const FpSystem* system;
    double t;
    FpSpace space;
    FpMass mass;
    FpRows rows;
    int nv, na, nr;
    FpNlp nlp;
    double *x_bounds, *g_lower, *g_upper, *x_scale, *g_scale, *g_unit;
    double *x, *y, *z, *momentum, *memory;
} Assembly;

static bool is_bilateral(const FpRows* rows, int i) {
    return rows->info[i]->kind == FREEPLAY_ROW_BILATERAL && rows->applies[i];
}

static double lever(const FpSystem* system, const FpRow* row) {
    return row->unit == FREEPLAY_ROW_ANGLE ? system->scales.length : 1;
}

/* The program ---------------------------------------------------------------------------------- */

static bool objective(void* context, const double* x, double* f) {
    Assembly* a = context;
    fp_mass_multiply(&a->mass, x, a->momentum);
    *f = 0;
    for (int j = 0; j < a->nv; j++) *f += x[j] * a->momentum[j] / 2;
    return true;
}

static bool gradient(void* context, const double* x, double* gradient) {
    Assembly* a = context;
    memset(gradient, 0, (size_t)a->nlp.n * sizeof *gradient);
    fp_mass_multiply(&a->mass, x, gradient);
    return true;
}

static bool constraints(void* context, const double* x, double* g) {
    Assembly* a = context;
    const FpSystem* s = a->system;
    fp_space_move(&a->space, x, 1);
    for (int b = 0; b < s->block_count; b++) {
        const FpBlock* block = &s->blocks[b];
        if (block->a_count)
            s->ops->invariants(s->self, b, a->space.q1 + block->q_at, g + block->a_at, NULL);
    }
    for (int c = 0; c < s->constraint_count; c++)
        fp_space_rows(&a->space, a->t, c, g + a->na + a->rows.row_at[c]);
    return true;
}

static void add_jacobian(const Assembly* a, const FpLocal* local, int g_at, FpTriplets* J) {
    for (int i = 0; i < local->row_count; i++)
        for (int k = 0; k < local->width; k++)
            fp_triplets_add(J, g_at + i, fp_space_local_unknown(&a->space, local, k),
                            a->space.DU[i * local->width + k]);
}

static bool jacobian(void* context, const double* x, FpTriplets* J) {
    Assembly* a = context;
    fp_space_move(&a->space, x, 1);
    for (int b = 0; b < a->system->block_count; b++) {
        if (!a->system->blocks[b].a_count) continue;
        FpLocal local = fp_space_invariants(&a->space, b);
        fp_space_derive_invariants(&a->space, a->space.q1, b, &local);
        add_jacobian(a, &local, local.row_at, J);
    }
    for (int c = 0; c < a->system->constraint_count; c++) {
        FpLocal local = fp_space_constraint(&a->space, c, a->rows.row_at[c]);
        fp_space_derive_rows(&a->space, a->t, c, &local);
        add_jacobian(a, &local, a->na + local.row_at, J);
    }
    return true;
}

static void add_hessian(const Assembly* a, const FpLocal* local, FpTriplets* H) {
    for (int k = 0; k < local->width; k++)
        for (int l = 0; l <= k; l++) {
            int i = fp_space_local_unknown(&a->space, local, k);
            int j = fp_space_local_unknown(&a->space, local, l);
            fp_triplets_add(H, i > j ? i : j, i > j ? j : i, a->space.S[k * local->width + l]);
        }
}

static bool hessian(void* context, const double* x, double f_weight, const double* y,
                    FpTriplets* H) {
    Assembly* a = context;
    fp_space_move(&a->space, x, 1);
    for (int b = 0; b < a->system->block_count; b++) {
        const FpBlock* block = &a->system->blocks[b];
        int n = block->v_count;
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                fp_triplets_add(H, block->v_at + i, block->v_at + j,
                                f_weight * a->mass.M[b][n * i + j]);
        if (!block->a_count) continue;
        FpLocal local = fp_space_invariants(&a->space, b);
        fp_space_curve_invariants(&a->space, b, y + local.row_at, &local);
        add_hessian(a, &local, H);
    }
    for (int c = 0; c < a->system->constraint_count; c++) {
        FpLocal local = fp_space_constraint(&a->space, c, a->rows.row_at[c]);
        fp_space_curve_rows(&a->space, a->t, c, y + a->na + local.row_at, &local);
        add_hessian(a, &local, H);
    }
    return true;
}

/* Creation ------------------------------------------------------------------------------------- */

static void release(Assembly* a) {
    fp_space_free(&a->space);
    fp_mass_free(&a->mass);
    fp_rows_free(&a->rows);
    free(a->memory);
}

static bool allocate(Assembly* a) {
    size_t n = (size_t)(a->nv + a->na), m = (size_t)(a->na + a->nr);
    a->memory = calloc(6 * n + 5 * m + 2, sizeof *a->memory);
    if (!a->memory) return false;
    a->x_bounds = a->memory; /* lower, then upper */
    a->x_scale = a->x_bounds + 2 * n;
    a->x = a->x_scale + n;
    a->z = a->x + n;
    a->momentum = a->z + n;
    a->y = a->momentum + n;
    a->g_lower = a->y + m;
    a->g_upper = a->g_lower + m;
    a->g_scale = a->g_upper + m;
    a->g_unit = a->g_scale + m;
    return true;
}

static FpStatus begin(Assembly* a, const FpSystem* system, const FpState* state) {
    *a = (Assembly){.system = system,
                    .t = state->t,
                    .nv = system->v_count,
                    .na = system->a_count,
                    .nr = system->row_count};
    bool made = fp_space_create(&a->space, system, 0, a->nv);
    made = fp_mass_create(&a->mass, system) && made;
    made = fp_rows_create(&a->rows, system) && made;
    if (!allocate(a) || !made) return FREEPLAY_OUT_OF_MEMORY;
    fp_space_start(&a->space, state->q);
    fp_rows_evaluate(&a->rows, state->t, state->q);
    return fp_mass_evaluate(&a->mass, state->q);
}

/* Scaled by the distance d that the joints are off. */
static void set_scales(Assembly* a, double d) {
    const FpSystem* s = a->system;
    double length = s->scales.length, mass = s->scales.mass;
    for (int b = 0; b < s->block_count; b++) {
        const FpBlock* block = &s->blocks[b];
        for (int i = 0; i < block->v_count; i++)
            a->x_scale[block->v_at + i] = d * sqrt(mass / a->mass.M[b][i * block->v_count + i]);
    }
    for (int i = 0; i < a->na; i++) {
        a->x_scale[a->nv + i] = a->g_scale[i] = d / length;
        a->g_unit[i] = 1;
    }
    for (int i = 0; i < a->nr; i++) {
        double arm = lever(s, a->rows.info[i]);
        a->g_scale[a->na + i] = d / arm;
        a->g_unit[a->na + i] = length / arm;
    }
    a->nlp.f_scale = mass * d * d;
    a->nlp.pair_unit = mass * d;
}

static void pose(Assembly* a, double violation) {
    FpNlp* p = &a->nlp;
    int n = a->nv + a->na;
    for (int j = 0; j < n; j++) {
        a->x_bounds[j] = -FREEPLAY_NO_BOUND;
        a->x_bounds[n + j] = FREEPLAY_NO_BOUND;
    }
    for (int i = 0; i < a->nr; i++) {
        a->g_lower[a->na + i] = a->rows.applies[i] ? 0 : -FREEPLAY_NO_BOUND;
        a->g_upper[a->na + i] = is_bilateral(&a->rows, i) ? 0 : FREEPLAY_NO_BOUND;
    }
    *p = (FpNlp){.n = n,
                 .m = a->na + a->nr,
                 .x_lower = a->x_bounds,
                 .x_upper = a->x_bounds + n,
                 .g_lower = a->g_lower,
                 .g_upper = a->g_upper,
                 .x_scale = a->x_scale,
                 .g_scale = a->g_scale,
                 .g_unit = a->g_unit,
                 .context = a,
                 .objective = objective,
                 .gradient = gradient,
                 .constraints = constraints,
                 .jacobian = jacobian,
                 .hessian = hessian};
    set_scales(a, fmax(violation, SMALLEST_MOVE * a->system->scales.length));
}

/* Velocities ----------------------------------------------------------------------------------- */

/* M^-1 W of one row, over all velocities. */
static void solve_row(const FpRows* rows, const FpMass* mass, int row, double* out) {
    memset(out, 0, (size_t)mass->system->v_count * sizeof *out);
    for (int b = 0; b < rows->block_count; b++) {
        const FpRowBlock* block = &rows->blocks[b];
        int i = row - block->row_at;
        if (i < 0 || i >= block->row_count) continue;
        fp_mass_solve_block(mass, block->block, block->Wt + i * block->stride, out + block->v_at);
    }
}

/* N lambda = -(W^T v + drift) over the ideal rows, least norm where they repeat each other. */
static FpStatus change_velocities(const FpRows* rows, const FpMass* mass, double* v) {
    size_t nr = (size_t)rows->count, nv = (size_t)mass->system->v_count;
    int count = 0, rank, *index = calloc(2 * nr + 1, sizeof *index);
    for (int i = 0; index && i < rows->count; i++)
        if (is_bilateral(rows, i)) index[count++] = i;
    size_t nb = (size_t)count, work = (size_t)fp_dense_work(count, count);
    double* memory = calloc(nb * nb + nb * nv + nb + nr + work + 1, sizeof *memory);
    FpStatus status = index && memory ? FREEPLAY_OK : FREEPLAY_OUT_OF_MEMORY;
    if (!status) {
        double *N = memory, *solved = N + nb * nb, *b = solved + nb * nv, *rates = b + nb;
        for (int k = 0; k < count; k++) {
            solve_row(rows, mass, index[k], solved + (size_t)k * nv);
            fp_rows_rates(rows, solved + (size_t)k * nv, rates);
            for (int l = 0; l < count; l++) N[l + count * k] = rates[index[l]];
        }
        fp_rows_rates(rows, v, rates);
        for (int k = 0; k < count; k++) b[k] = -rates[index[k]] - rows->drift[index[k]];
        status = fp_dense_least_norm(count, count, N, b, 1e-11, &rank, rates + nr, index + nr);
        for (int k = 0; k < count && !status; k++)
            for (size_t j = 0; j < nv; j++) v[j] += b[k] * solved[(size_t)k * nv + j];
    }
    free(index);
    free(memory);
    return status;
}

/* Report --------------------------------------------------------------------------------------- */

/* Root of the mean square over the mass of the block that changes most: sqrt(u.M u/m). */
static double largest_change(const FpMass* mass, const double* u) {
    double largest = 0;
    for (int b = 0; b < mass->system->block_count; b++) {
        const FpBlock* block = &mass->system->blocks[b];
        int n = block->v_count;
        double sum = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                sum += u[block->v_at + i] * mass->M[b][n * i + j] * u[block->v_at + j];
        largest = fmax(largest, sqrt(fmax(0, sum) / mass->M[b][0]));
    }
    return largest;
}

static double violation_at(const FpSystem* system, double t, const double* q, double* g) {
    FpState state = {.t = t, .q = (double*)q};
    fp_state_gaps(system, &state, g);
    return fp_gaps_penetration(system, g);
}

static FpStatus refuse_open(const Assembly* a, double* g, FpMessage* message) {
    const FpSystem* s = a->system;
    double worst = 0;
    const FpConstraint* open = NULL;
    int row = 0;
    violation_at(s, a->t, a->space.q1, g);
    for (int c = 0; c < s->constraint_count; c++) {
        const FpConstraint* k = s->constraints[c];
        for (int i = 0; i < k->row_count; i++) {
            double gap = g[a->rows.row_at[c] + i] * lever(s, &k->rows[i]);
            double wrong = k->rows[i].kind == FREEPLAY_ROW_BILATERAL ? fabs(gap) : -gap;
            if (!(wrong > worst)) continue;
            worst = wrong;
            open = k;
            row = i;
        }
    }
    return fp_refuse(message, FREEPLAY_NOT_ASSEMBLED,
                     "the joints cannot be closed together: the nearest that was found leaves "
                     "joint '%s', row %d (%s), open by %.6g m; check lengths and positions",
                     open ? open->name : "?", row, open ? open->rows[row].label : "?", worst);
}

static FpStatus move_bodies(Assembly* a, FpState* state, double* g, FpAssembly* report,
                            FpMessage* message) {
    report->before = violation_at(a->system, state->t, state->q, g);
    FpMessage unused;
    if (!fp_state_check(a->system, state, &unused)) return FREEPLAY_OK;
    pose(a, report->before);
    FpNlpSolver* solver = fp_nlp_solver_create("ipopt");
    if (!solver) return FREEPLAY_OUT_OF_MEMORY;
    FpNlpOptions options = {.cold_start = true};
    FpNlpReport solved = {0};
    FpNlpPoint point = {a->x, a->y, a->z};
    FpStatus status = fp_nlp_solve(solver, &a->nlp, &options, &point, &solved);
    fp_nlp_solver_destroy(solver);
    report->iterations = solved.iterations;
    fp_space_move(&a->space, a->x, 1);
    if (status == FREEPLAY_OUT_OF_MEMORY) return status;
    if (status) return refuse_open(a, g, message);
    memcpy(state->q, a->space.q1, (size_t)state->q_count * sizeof *state->q);
    report->moved = largest_change(&a->mass, a->x);
    return FREEPLAY_OK;
}

static FpStatus change_state(Assembly* a, FpState* state, double* g, FpAssembly* report,
                             FpMessage* message) {
    FpStatus status = move_bodies(a, state, g, report, message);
    if (status) return status;
    fp_rows_evaluate(&a->rows, state->t, state->q);
    status = fp_mass_evaluate(&a->mass, state->q);
    memcpy(a->x, state->v, (size_t)a->nv * sizeof *a->x);
    if (!status) status = change_velocities(&a->rows, &a->mass, state->v);
    if (status) return status;
    for (int j = 0; j < a->nv; j++) a->x[j] -= state->v[j];
    report->speed_changed = largest_change(&a->mass, a->x);
    report->after = violation_at(a->system, state->t, state->q, g);
    return fp_state_check(a->system, state, message);
}

FpStatus fp_assemble(const FpSystem* system, FpState* state, FpAssembly* report,
                     FpMessage* message) {
    Assembly a;
    FpAssembly local;
    if (!report) report = &local;
    *report = (FpAssembly){0};
    FpState* saved = fp_state_create(system);
    double* g = calloc((size_t)system->row_count + 1, sizeof *g);
    FpStatus status = begin(&a, system, state);
    if (!saved || !g) status = FREEPLAY_OUT_OF_MEMORY;
    if (!status) {
        fp_state_copy(saved, state);
        status = change_state(&a, state, g, report, message);
        if (status) fp_state_copy(state, saved);
    }
    if (status == FREEPLAY_OUT_OF_MEMORY) fp_refuse(message, status, "out of memory");
    release(&a);
    fp_state_destroy(saved);
    free(g);
    return status;
}

/* Freedom -------------------------------------------------------------------------------------- */

/* Subtracts the parts of w along the basis vectors, all of them of length 1 in the metric of M. */
static void orthogonalize(const FpMass* mass, int count, const double* basis, double* w,
                          double* work) {
    int nv = mass->system->v_count;
    fp_mass_multiply(mass, w, work);
    for (int k = 0; k < count; k++) {
        const double* e = basis + (size_t)k * (size_t)nv;
        double along = 0;
        for (int j = 0; j < nv; j++) along += e[j] * work[j];
        for (int j = 0; j < nv; j++) w[j] -= along * e[j];
    }
}

static double length_of(const FpMass* mass, const double* w, double* work) {
    double sum = 0;
    fp_mass_multiply(mass, w, work);
    for (int j = 0; j < mass->system->v_count; j++) sum += w[j] * work[j];
    return sqrt(fmax(0, sum));
}

/* Gram-Schmidt over M^-1 W of the ideal rows: a row without a part of its own is redundant. */
static void find_rank(const FpRows* rows, const FpMass* mass, FpFreedomCount* count,
                      bool* redundant, double* basis, double* work) {
    int nv = count->velocities;
    for (int i = 0; i < rows->count; i++) {
        if (redundant) redundant[i] = false;
        if (!is_bilateral(rows, i)) continue;
        count->bilateral++;
        double* w = basis + (size_t)count->rank * (size_t)nv;
        solve_row(rows, mass, i, w);
        double before = length_of(mass, w, work);
        for (int pass = 0; pass < 2; pass++) orthogonalize(mass, count->rank, basis, w, work);
        double after = length_of(mass, w, work);
        bool repeats = count->rank == nv || !(after > INDEPENDENT * before);
        if (redundant) redundant[i] = repeats;
        if (repeats) continue;
        for (int j = 0; j < nv; j++) w[j] /= after;
        count->rank++;
    }
}

FpStatus fp_freedom_count(const FpSystem* system, const FpState* state, FpFreedomCount* count,
                          bool* redundant) {
    FpRows rows;
    FpMass mass;
    size_t nv = (size_t)system->v_count;
    *count = (FpFreedomCount){.velocities = system->v_count};
    bool made = fp_rows_create(&rows, system);
    made = fp_mass_create(&mass, system) && made;
    double* memory = calloc(nv * (nv + 2), sizeof *memory);
    FpStatus status = made && memory ? FREEPLAY_OK : FREEPLAY_OUT_OF_MEMORY;
    if (!status) status = fp_mass_evaluate(&mass, state->q);
    if (!status) {
        fp_rows_evaluate(&rows, state->t, state->q);
        find_rank(&rows, &mass, count, redundant, memory, memory + nv * (nv + 1));
    }
    fp_rows_free(&rows);
    fp_mass_free(&mass);
    free(memory);
    return status;
}

FpStatus fp_state_opening_speed(const FpSystem* system, const FpState* state, double* speed) {
    FpRows rows;
    double* rates = calloc((size_t)system->row_count + 1, sizeof *rates);
    bool made = fp_rows_create(&rows, system) && rates;
    *speed = 0;
    if (made) {
        fp_rows_evaluate(&rows, state->t, state->q);
        fp_rows_rates(&rows, state->v, rates);
        for (int i = 0; i < rows.count; i++)
            if (is_bilateral(&rows, i))
                *speed = fmax(*speed, fabs(rates[i] + rows.drift[i]) * lever(system, rows.info[i]));
    }
    fp_rows_free(&rows);
    free(rates);
    return made ? FREEPLAY_OK : FREEPLAY_OUT_OF_MEMORY;
}
