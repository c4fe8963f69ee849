/* Functions, derivatives, scales and structure of a random program; its numbers are drawn in
 * bench/random_program.c. */
#include <float.h>
#include <math.h>
#include <string.h>
#include "bench/random_program.h"

/* As in engine/gauss_scales.c. */
#define RESOLVED   1e-7
#define RESOLUTION (16 * DBL_EPSILON / FREEPLAY_CERTIFICATE_LIMIT)

/* Products ------------------------------------------------------------------------------------- */

static double rate(const RandomProgram* p, int row, const double* v) {
    double sum = 0;
    for (int j = 0; j < p->v_count; j++) sum += p->Wt[row][j] * v[j];
    return sum;
}

static void find_force(const RandomProgram* p, const double* lambda, double* force) {
    memset(force, 0, (size_t)p->v_count * sizeof *force);
    for (int i = 0; i < p->row_count; i++)
        for (int j = 0; j < p->v_count; j++) force[j] += p->Wt[i][j] * lambda[i];
}

/* out = M in, or M^-1 in. */
static void multiply(const RandomProgram* p, bool inverse, const double* in, double* out) {
    for (int b = 0; b < p->block_count; b++) {
        const RandomBlock* block = &p->blocks[b];
        const double* A = inverse ? block->inverse : block->M;
        int n = block->v_count, at = block->v_at;
        for (int i = 0; i < n; i++) {
            out[at + i] = 0;
            for (int j = 0; j < n; j++) out[at + i] += A[n * i + j] * in[at + j];
        }
    }
}

static const double* forces_of(const RandomProgram* p, const double* x) {
    return x + 1 + p->v_count;
}

/* Functions ------------------------------------------------------------------------------------ */

static bool objective(void* context, const double* x, double* f) {
    const RandomProgram* p = context;
    double force[RANDOM_V], effect[RANDOM_V];
    find_force(p, forces_of(p, x), force);
    multiply(p, true, force, effect);
    *f = 0;
    for (int j = 0; j < p->v_count; j++) *f += force[j] * effect[j];
    return true;
}

static bool gradient(void* context, const double* x, double* out) {
    const RandomProgram* p = context;
    double force[RANDOM_V], effect[RANDOM_V];
    find_force(p, forces_of(p, x), force);
    multiply(p, true, force, effect);
    memset(out, 0, (size_t)p->nlp.n * sizeof *out);
    for (int i = 0; i < p->row_count; i++) out[1 + p->v_count + i] = 2 * rate(p, i, effect);
    return true;
}

static bool constraints(void* context, const double* x, double* g) {
    const RandomProgram* p = context;
    double force[RANDOM_V], change[RANDOM_V] = {0};
    find_force(p, forces_of(p, x), force);
    for (int j = 0; j < p->v_count; j++) change[j] = x[1 + j] - p->v0[j];
    multiply(p, false, change, g);
    for (int j = 0; j < p->v_count; j++) g[j] -= x[0] * (p->f[j] + force[j]);
    for (int i = 0; i < p->row_count; i++)
        g[p->v_count + i] = p->gap[i] + x[0] * (rate(p, i, x + 1) + p->drift[i]);
    return true;
}

static bool jacobian(void* context, const double* x, FpTriplets* J) {
    const RandomProgram* p = context;
    double force[RANDOM_V], h = x[0];
    find_force(p, forces_of(p, x), force);
    for (int b = 0; b < p->block_count; b++)
        for (int i = 0, n = p->blocks[b].v_count, at = p->blocks[b].v_at; i < n; i++) {
            fp_triplets_add(J, at + i, 0, -(p->f[at + i] + force[at + i]));
            for (int j = 0; j < n; j++)
                fp_triplets_add(J, at + i, 1 + at + j, p->blocks[b].M[n * i + j]);
        }
    for (int k = 0; k < p->part_count; k++)
        for (int i = 0; i < p->parts[k].row_count; i++)
            for (int j = 0; j < p->parts[k].v_count; j++) {
                int row = p->parts[k].row_at + i, column = p->parts[k].v_at + j;
                double W = p->Wt[row][column];
                fp_triplets_add(J, column, 1 + p->v_count + row, -h * W);
                fp_triplets_add(J, p->v_count + row, 1 + column, h * W);
            }
    for (int i = 0; i < p->row_count; i++)
        fp_triplets_add(J, p->v_count + i, 0, rate(p, i, x + 1) + p->drift[i]);
    return true;
}

static bool hessian(void* context, const double* x, double f_weight, const double* y,
                    FpTriplets* H) {
    (void)x;
    const RandomProgram* p = context;
    double pushed[RANDOM_V];
    int lambda_at = 1 + p->v_count;
    find_force(p, y + p->v_count, pushed);
    for (int j = 0; j < p->v_count; j++) fp_triplets_add(H, 1 + j, 0, pushed[j]);
    for (int i = 0; i < p->row_count; i++) {
        fp_triplets_add(H, lambda_at + i, 0, -rate(p, i, y));
        for (int k = 0; k <= i; k++)
            fp_triplets_add(H, lambda_at + i, lambda_at + k, 2 * f_weight * p->N[i][k]);
    }
    return true;
}

/* Structure ------------------------------------------------------------------------------------ */

static bool rows(void* context, double h, const double* v, double* psi, double* D) {
    const RandomProgram* p = context;
    for (int i = 0; i < p->row_count; i++) psi[i] = p->gap[i] + h * (rate(p, i, v) + p->drift[i]);
    if (D) memcpy(D, p->slopes, (size_t)p->structure.slope_count * sizeof *D);
    return true;
}

/* y of the motion is -h M^-1 W y_rows; z takes what is left for h and for forces held at 0. */
static void complete(void* context, double h, const double* v, const double* lambda,
                     const double* row_multipliers, const double* D, FpNlpPoint* point) {
    (void)D;
    RandomProgram* p = context;
    double pushed[RANDOM_V], load[RANDOM_V], slope[RANDOM_N];
    int nv = p->v_count, nr = p->row_count;
    point->x[0] = h;
    memcpy(point->x + 1, v, (size_t)nv * sizeof *v);
    memcpy(point->x + 1 + nv, lambda, (size_t)nr * sizeof *lambda);
    memcpy(point->y + nv, row_multipliers, (size_t)nr * sizeof *lambda);
    find_force(p, row_multipliers, pushed);
    for (int j = 0; j < nv; j++) pushed[j] *= -h;
    multiply(p, true, pushed, point->y);
    memset(point->z, 0, (size_t)p->nlp.n * sizeof *point->z);
    find_force(p, lambda, load);
    for (int j = 0; j < nv; j++) point->z[0] -= (p->f[j] + load[j]) * point->y[j];
    for (int i = 0; i < nr; i++) point->z[0] += row_multipliers[i] * (rate(p, i, v) + p->drift[i]);
    gradient(p, point->x, slope);
    for (int i = 0; i < nr; i++)
        if (lambda[i] == 0 && !p->bilateral[i])
            point->z[1 + nv + i] = slope[1 + nv + i] - h * rate(p, i, point->y);
}

/* Scales, theory.md (26) ----------------------------------------------------------------------- */

/* The distance that forces have to correct within a step of h. */
static double correction(const RandomProgram* p, double h) {
    double v[RANDOM_V], l = 0;
    for (int j = 0; j < p->v_count; j++) v[j] = p->v0[j] + h * p->a[j];
    for (int i = 0; i < p->row_count; i++) {
        double psi = p->gap[i] + h * (rate(p, i, v) + p->drift[i]);
        double wrong = fmax(p->bilateral[i] ? fabs(psi) : -psi, h * h * fabs(rate(p, i, p->a)));
        l = fmax(l, wrong / p->row_size[i]);
    }
    return l > 0 ? fmax(l, RESOLVED * p->length) : p->size;
}

static double felt_mass(const RandomProgram* p) {
    double sum = 0;
    for (int i = 0; i < p->row_count; i++) sum += p->N[i][i] / (p->row_size[i] * p->row_size[i]);
    return p->row_count / sum;
}

static void scale_motion(RandomProgram* p, double h, double l, double mass) {
    for (int b = 0; b < p->block_count; b++)
        for (int i = 0, n = p->blocks[b].v_count, at = p->blocks[b].v_at; i < n; i++) {
            double M = p->blocks[b].M[n * i + i], v = l / h * sqrt(mass / M);
            p->x_scale[1 + at + i] = v;
            p->g_scale[at + i] = M * v;
            p->g_unit[at + i] = p->g_noise[at + i] = 0;
        }
}

static void scale(RandomProgram* p, double h) {
    double l = correction(p, h), mass = felt_mass(p), force = mass * l / (h * h), load = 0;
    int nv = p->v_count;
    p->x_scale[0] = h;
    scale_motion(p, h, l, mass);
    for (int i = 0; i < p->row_count; i++) {
        double free = p->gap[i] + h * (rate(p, i, p->v0) + p->drift[i]) + h * h * rate(p, i, p->a);
        double size = p->row_size[i];
        p->x_scale[1 + nv + i] = force / size;
        p->g_scale[nv + i] = fmax(l * size, fabs(free));
        p->g_noise[nv + i] = p->length * size;
        p->g_unit[nv + i] = fmax(p->size, RESOLUTION * p->length) * size;
        load = fmax(load, fabs(rate(p, i, p->a)) / p->N[i][i] * size);
    }
    p->nlp.f_scale = force * force / mass;
    p->nlp.pair_unit = load > 0 ? load : force;
}

/* Posing --------------------------------------------------------------------------------------- */

static void find_rows_matrix(RandomProgram* p) {
    double effect[RANDOM_V];
    for (int i = 0; i < p->row_count; i++) {
        multiply(p, true, p->Wt[i], effect);
        for (int k = 0; k < p->row_count; k++) p->N[k][i] = rate(p, k, effect);
    }
}

static void set_bounds(RandomProgram* p) {
    int nv = p->v_count, pairs = 0;
    const double none = FREEPLAY_NO_BOUND;
    for (int j = 0; j < 1 + nv + p->row_count; j++) {
        int row = j - 1 - nv;
        p->x_lower[j] = row >= 0 && !p->bilateral[row] ? 0 : -none;
        p->x_upper[j] = none;
        p->least_norm[j] = row >= 0;
    }
    p->x_lower[0] = p->h_lower;
    p->x_upper[0] = p->h_upper;
    memset(p->g_lower, 0, sizeof p->g_lower);
    memset(p->g_upper, 0, sizeof p->g_upper);
    for (int i = 0; i < p->row_count; i++) {
        p->applies[i] = true;
        if (p->bilateral[i]) continue;
        p->g_upper[nv + i] = none;
        p->pairs[pairs++] = (FpNlpPair){1 + nv + i, nv + i};
    }
    p->nlp.pair_count = pairs;
}

/* The slopes of the parts, and all parts of every block. */
static int lay_out_parts(RandomProgram* p) {
    int count = 0;
    for (int b = 0; b < p->block_count; b++) p->block_first[b] = -1;
    for (int k = p->part_count - 1; k >= 0; k--) {
        FpStructurePart* part = &p->parts[k];
        part->inverse_mass = p->blocks[part->block].inverse;
        p->block_next[k] = p->block_first[part->block];
        p->block_first[part->block] = k;
        for (int i = 0; i < part->row_count; i++) {
            const double* W = p->Wt[part->row_at + i] + part->v_at;
            p->first_part[part->row_at + i] = k;
            memcpy(p->slopes + part->at + i * part->stride, W, (size_t)part->v_count * sizeof *W);
        }
        count += part->row_count * part->v_count;
    }
    return count;
}

void random_program_pose(RandomProgram* p) {
    find_rows_matrix(p);
    set_bounds(p);
    p->nlp = (FpNlp){.n = 1 + p->v_count + p->row_count,
                     .m = p->v_count + p->row_count,
                     .x_lower = p->x_lower,
                     .x_upper = p->x_upper,
                     .g_lower = p->g_lower,
                     .g_upper = p->g_upper,
                     .pair_count = p->nlp.pair_count,
                     .pairs = p->pairs,
                     .least_norm = p->least_norm,
                     .x_scale = p->x_scale,
                     .g_scale = p->g_scale,
                     .g_unit = p->g_unit,
                     .g_noise = p->g_noise,
                     .context = p,
                     .objective = objective,
                     .gradient = gradient,
                     .constraints = constraints,
                     .jacobian = jacobian,
                     .hessian = hessian,
                     .structure = &p->structure};
    scale(p, p->h_upper);
    p->structure = (FpStructure){.v_count = p->v_count,
                                 .row_count = p->row_count,
                                 .part_count = p->part_count,
                                 .slope_count = lay_out_parts(p),
                                 .parts = p->parts,
                                 .first_part = p->first_part,
                                 .block_first = p->block_first,
                                 .block_next = p->block_next,
                                 .slopes = p->slopes,
                                 .v0 = p->v0,
                                 .a = p->a,
                                 .force = p->force,
                                 .bilateral = p->bilateral,
                                 .gap = p->gap,
                                 .drift = p->drift,
                                 .applies = p->applies,
                                 .linear = true,
                                 .unit = p->g_noise + p->v_count,
                                 .force_at = 1 + p->v_count,
                                 .context = p,
                                 .rows = rows,
                                 .complete = complete};
}

/* Measures ------------------------------------------------------------------------------------- */

void random_program_start(const RandomProgram* p, double* x) {
    x[0] = p->h_upper;
    for (int j = 0; j < p->v_count; j++) x[1 + j] = p->v0[j] + p->h_upper * p->a[j];
    memcpy(x + 1 + p->v_count, p->force, (size_t)p->row_count * sizeof *x);
}

double random_program_unit(const RandomProgram* p, double h) {
    double sum = 0;
    for (int i = 0; i < p->row_count; i++) {
        double b =
            -(p->gap[i] / (h * h) + (rate(p, i, p->v0) + p->drift[i]) / h + rate(p, i, p->a));
        if (p->bilateral[i] || b > 0) sum += b * b / p->N[i][i];
    }
    return sum;
}

double random_program_violation(const RandomProgram* p, const double* x) {
    double load[RANDOM_V], v[RANDOM_V], h = x[0], worst = 0, largest = 0;
    const double* lambda = forces_of(p, x);
    find_force(p, lambda, load);
    multiply(p, true, load, v);
    for (int j = 0; j < p->v_count; j++) v[j] = p->v0[j] + h * (p->a[j] + v[j]);
    for (int i = 0; i < p->row_count; i++)
        largest = fmax(largest, fabs(lambda[i]) * p->row_size[i]);
    for (int i = 0; i < p->row_count; i++) {
        double psi = p->gap[i] + h * (rate(p, i, v) + p->drift[i]);
        double gap = psi / p->g_unit[p->v_count + i];
        double force = largest > 0 ? lambda[i] * p->row_size[i] / largest : lambda[i];
        double wrong = p->bilateral[i] ? fabs(gap) : fmax(fabs(fmin(gap, force)), -force);
        if (!(wrong <= worst)) worst = isnan(wrong) ? INFINITY : wrong;
    }
    return worst;
}

RandomAnswer random_program_solve(const RandomProgram* p, const char* name) {
    RandomAnswer answer = {.status = FREEPLAY_OUT_OF_MEMORY};
    FpNlpSolver* solver = fp_nlp_solver_create(name);
    if (!solver) return answer;
    const FpNlpOptions options = {.cold_start = true};
    FpNlpPoint point = {answer.x, answer.y, answer.z};
    random_program_start(p, answer.x);
    answer.status = fp_nlp_solve(solver, &p->nlp, &options, &point, &answer.report);
    answer.violation = random_program_violation(p, answer.x);
    fp_nlp_solver_destroy(solver);
    return answer;
}

double random_program_difference(const RandomProgram* p, double a, double b) {
    double unit = fmax(fmin(a, b), random_program_unit(p, p->h_upper));
    return (a - b) / fmax(unit, DBL_EPSILON * p->nlp.f_scale);
}
