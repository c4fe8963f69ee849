/* Ipopt as a solver of FpNlp, through its C interface (3.11 to 3.14).
 *
 * Ipopt sees the program in its own scales, x^ = x/x_scale, g^ = g/g_scale, f^ = f/f_scale, and a
 * pair 0 <= x_v _|_ g_c >= 0 as two inequalities and the exact penalty rho x^_v g^_c in the
 * objective, theory.md (31); friction becomes smooth in nlp/cone_program.h. It is asked for the
 * active set, not for the last digits: the crossover sharpens its answer. */
#include <IpStdCInterface.h>

#include <stdlib.h>
#include <string.h>
#include "nlp/cone_program.h"
#include "nlp/ipopt.h"
#include "nlp/solver_lock.h"

/* Weights of the products of pairs, by attempt: an exact penalty needs to be large enough. */
static const double pair_penalties[] = {1, 10, 100};
/* What holds variables that nothing else determines, in the program's scales. */
#define REDUNDANT_PENALTY 1e-6

typedef struct Ipopt {
    IpoptProblem problem;
    int n, m, pair_count;
    double* bounds; /* those that the problem was made with: x_lower, x_upper, g_lower, g_upper */
    FpTriplets J, H;
    int* paired_variable; /* of each constraint, -1 if it is in no pair */
    int H_program;        /* entries of H that come from the program; the rest couples the pairs */
    double *x, *y, *g;    /* unscaled, for the callbacks */
    double *x_hat, *y_hat, *zl, *zu;              /* scaled, in and out of Ipopt */
    double *y_warm, *z_lower_warm, *z_upper_warm; /* unscaled, of the last successful solve */
    bool has_warm_multipliers;
    const FpNlp* nlp;
    const FpNlpOptions* options;
    double pair_penalty;
    int iterations;
    FpConeProgram* cones; /* stands for programs with friction */
} Ipopt;

static void unscale(Ipopt* s, const double* x_hat) {
    for (int j = 0; j < s->n; j++) s->x[j] = x_hat[j] * s->nlp->x_scale[j];
}

static Bool eval_f(Index n, Number* x, Bool new_x, Number* f, UserDataPtr data) {
    (void)new_x;
    Ipopt* s = data;
    const FpNlp* p = s->nlp;
    unscale(s, x);
    double value;
    if (!p->objective(p->context, s->x, &value)) return 0;
    value /= p->f_scale;
    for (int j = 0; p->least_norm && j < n; j++)
        if (p->least_norm[j]) value += REDUNDANT_PENALTY / 2 * x[j] * x[j];
    if (p->pair_count && !p->constraints(p->context, s->x, s->g)) return 0;
    for (int k = 0; k < p->pair_count; k++) {
        int v = p->pairs[k].variable, c = p->pairs[k].constraint;
        value += s->pair_penalty * x[v] * s->g[c] / p->g_scale[c];
    }
    *f = value;
    return 1;
}

static bool fill_jacobian(Ipopt* s) {
    fp_triplets_rewind(&s->J);
    return s->nlp->jacobian(s->nlp->context, s->x, &s->J);
}

static Bool eval_grad_f(Index n, Number* x, Bool new_x, Number* gradient, UserDataPtr data) {
    (void)new_x;
    Ipopt* s = data;
    const FpNlp* p = s->nlp;
    unscale(s, x);
    if (!p->gradient(p->context, s->x, gradient)) return 0;
    for (int j = 0; j < n; j++) {
        gradient[j] *= p->x_scale[j] / p->f_scale;
        if (p->least_norm && p->least_norm[j]) gradient[j] += REDUNDANT_PENALTY * x[j];
    }
    if (!p->pair_count) return 1;
    if (!p->constraints(p->context, s->x, s->g) || !fill_jacobian(s)) return 0;
    memset(s->y, 0, (size_t)s->m * sizeof *s->y);
    for (int k = 0; k < p->pair_count; k++) {
        int v = p->pairs[k].variable, c = p->pairs[k].constraint;
        gradient[v] += s->pair_penalty * s->g[c] / p->g_scale[c];
        s->y[c] = s->pair_penalty * x[v] / p->g_scale[c];
    }
    for (int k = 0; k < s->J.count; k++) {
        int j = s->J.col[k];
        gradient[j] += s->y[s->J.row[k]] * s->J.value[k] * p->x_scale[j];
    }
    return 1;
}

static Bool eval_g(Index n, Number* x, Bool new_x, Index m, Number* g, UserDataPtr data) {
    (void)n, (void)new_x;
    Ipopt* s = data;
    unscale(s, x);
    if (!s->nlp->constraints(s->nlp->context, s->x, g)) return 0;
    for (int i = 0; i < m; i++) g[i] /= s->nlp->g_scale[i];
    return 1;
}

static Bool eval_jac_g(Index n, Number* x, Bool new_x, Index m, Index count, Index* row, Index* col,
                       Number* values, UserDataPtr data) {
    (void)n, (void)new_x, (void)m;
    Ipopt* s = data;
    if (count == 0) return 1;
    if (!values) {
        memcpy(row, s->J.row, (size_t)count * sizeof *row);
        memcpy(col, s->J.col, (size_t)count * sizeof *col);
        return 1;
    }
    unscale(s, x);
    if (!fill_jacobian(s)) return 0;
    const FpNlp* p = s->nlp;
    for (int k = 0; k < count; k++)
        values[k] = s->J.value[k] * p->x_scale[s->J.col[k]] / p->g_scale[s->J.row[k]];
    return 1;
}

static void add_redundant_penalty(Ipopt* s, const FpNlp* p, double weight) {
    for (int j = 0; p->least_norm && j < s->n; j++)
        if (p->least_norm[j]) fp_triplets_add(&s->H, j, j, weight);
}

/* Couples the variable of each pair with the columns of its constraint: d2(x_v g_c). */
static void add_pair_couplings(Ipopt* s, const FpNlp* p, double weight) {
    for (int e = 0; e < s->J.count; e++) {
        int c = s->J.row[e], j = s->J.col[e], v = s->paired_variable[c];
        if (v < 0) continue;
        double value = weight * s->J.value[e] * p->x_scale[j] / p->g_scale[c];
        fp_triplets_add(&s->H, v > j ? v : j, v > j ? j : v, v == j ? 2 * value : value);
    }
}

static Bool eval_h(Index n, Number* x, Bool new_x, Number f_weight, Index m, Number* lambda,
                   Bool new_lambda, Index count, Index* row, Index* col, Number* values,
                   UserDataPtr data) {
    (void)n, (void)new_x, (void)new_lambda;
    Ipopt* s = data;
    if (count == 0) return 1;
    if (!values) {
        memcpy(row, s->H.row, (size_t)count * sizeof *row);
        memcpy(col, s->H.col, (size_t)count * sizeof *col);
        return 1;
    }
    const FpNlp* p = s->nlp;
    unscale(s, x);
    for (int i = 0; i < m; i++) s->y[i] = lambda[i] / p->g_scale[i];
    for (int k = 0; k < p->pair_count; k++) {
        int c = p->pairs[k].constraint;
        s->y[c] += f_weight * s->pair_penalty * x[p->pairs[k].variable] / p->g_scale[c];
    }
    fp_triplets_rewind(&s->H);
    if (!p->hessian(p->context, s->x, f_weight / p->f_scale, s->y, &s->H)) return 0;
    for (int k = 0; k < s->H_program; k++)
        s->H.value[k] *= p->x_scale[s->H.row[k]] * p->x_scale[s->H.col[k]];
    add_redundant_penalty(s, p, f_weight * REDUNDANT_PENALTY);
    if (p->pair_count) {
        if (!fill_jacobian(s)) return 0;
        add_pair_couplings(s, p, f_weight * s->pair_penalty);
    }
    memcpy(values, s->H.value, (size_t)count * sizeof *values);
    return 1;
}

static Bool on_iteration(Index mode, Index iteration, Number f, Number primal, Number dual,
                         Number mu, Number step, Number regularization, Number alpha_dual,
                         Number alpha_primal, Index trials, UserDataPtr data) {
    (void)mode, (void)f, (void)primal, (void)dual, (void)mu, (void)step, (void)regularization;
    (void)alpha_dual, (void)alpha_primal, (void)trials;
    Ipopt* s = data;
    s->iterations = iteration;
    bool cancelled = s->options->cancel && s->options->cancel(s->options->cancel_context);
    return !cancelled;
}

static void release(Ipopt* s) {
    if (s->problem) FreeIpoptProblem(s->problem);
    free(s->bounds);
    free(s->paired_variable);
    free(s->x);
    fp_triplets_free(&s->J);
    fp_triplets_free(&s->H);
    *s = (Ipopt){.cones = s->cones};
}

static void ipopt_destroy(void* self) {
    Ipopt* s = self;
    if (!s) return;
    fp_solver_lock();
    release(s);
    fp_solver_unlock();
    fp_cone_program_destroy(s->cones);
    free(s);
}

static void* ipopt_create(void) {
    Ipopt* s = calloc(1, sizeof *s);
    if (s && (s->cones = fp_cone_program_create())) return s;
    ipopt_destroy(s);
    return NULL;
}

static bool record_patterns(Ipopt* s, const FpNlp* p, const double* x) {
    fp_triplets_record(&s->J);
    fp_triplets_record(&s->H);
    if (!p->jacobian(p->context, x, &s->J) || s->J.failed) return false;
    memset(s->y, 0, (size_t)s->m * sizeof *s->y);
    if (!p->hessian(p->context, x, 1, s->y, &s->H)) return false;
    s->H_program = s->H.count;
    add_redundant_penalty(s, p, 1);
    add_pair_couplings(s, p, 1);
    return !s->H.failed;
}

static bool allocate(Ipopt* s, const FpNlp* p) {
    size_t n = (size_t)p->n, m = (size_t)p->m;
    s->n = p->n;
    s->m = p->m;
    s->pair_count = p->pair_count;
    s->bounds = calloc(2 * (n + m) + 1, sizeof *s->bounds);
    double* memory = calloc(6 * n + 4 * m + 1, sizeof *memory);
    s->x = memory;
    s->paired_variable = malloc((m + 1) * sizeof *s->paired_variable);
    if (!s->bounds || !memory || !s->paired_variable) return false;
    for (int i = 0; i < p->m; i++) s->paired_variable[i] = -1;
    for (int k = 0; k < p->pair_count; k++)
        s->paired_variable[p->pairs[k].constraint] = p->pairs[k].variable;
    s->x_hat = s->x + n;
    s->zl = s->x_hat + n;
    s->zu = s->zl + n;
    s->z_lower_warm = s->zu + n;
    s->z_upper_warm = s->z_lower_warm + n;
    s->y = s->z_upper_warm + n;
    s->g = s->y + m;
    s->y_hat = s->g + m;
    s->y_warm = s->y_hat + m;
    return true;
}

static double scaled_bound(double bound, double scale) {
    return bound > -FREEPLAY_NO_BOUND && bound < FREEPLAY_NO_BOUND ? bound / scale : bound;
}

static void set_silent_exact_options(IpoptProblem problem) {
    AddIpoptIntOption(problem, "print_level", 0);
    AddIpoptStrOption(problem, "sb", "yes");
    AddIpoptStrOption(problem, "linear_solver", "mumps");
    AddIpoptStrOption(problem, "nlp_scaling_method", "none");
    AddIpoptNumOption(problem, "bound_relax_factor", 0);
    AddIpoptIntOption(problem, "acceptable_iter", 0);
    AddIpoptNumOption(problem, "tol", 1e-6);
    AddIpoptIntOption(problem, "max_iter", 100);
}

/* Ipopt refuses more equations than variables, though redundant ones do no harm: they become narrow
 * ranges then. */
static double equation_range(const Ipopt* s, const FpNlp* p) {
    int spare = 0;
    for (int j = 0; j < s->n; j++) spare += p->x_lower[j] < p->x_upper[j];
    for (int i = 0; i < s->m; i++) spare -= p->g_lower[i] == p->g_upper[i];
    return spare < 0 ? 1e-7 : 0;
}

/* Ipopt keeps the bounds that a problem is made with: make a new one when they change. */
static FpStatus make_problem(Ipopt* s, const FpNlp* p) {
    double *x_lower = s->bounds, *x_upper = x_lower + s->n;
    double *g_lower = x_upper + s->n, *g_upper = g_lower + s->m;
    double range = equation_range(s, p);
    bool changed = !s->problem;
    for (int j = 0; j < s->n + s->m; j++) {
        bool is_x = j < s->n;
        int i = is_x ? j : j - s->n;
        double scale = is_x ? p->x_scale[i] : p->g_scale[i];
        double lower = scaled_bound(is_x ? p->x_lower[i] : p->g_lower[i], scale);
        double upper = scaled_bound(is_x ? p->x_upper[i] : p->g_upper[i], scale);
        if (!is_x && lower == upper) {
            lower -= range;
            upper += range;
        }
        double* old_lower = is_x ? x_lower + i : g_lower + i;
        double* old_upper = is_x ? x_upper + i : g_upper + i;
        changed = changed || *old_lower != lower || *old_upper != upper;
        *old_lower = lower;
        *old_upper = upper;
    }
    if (!changed) return FREEPLAY_OK;
    if (s->problem) FreeIpoptProblem(s->problem);
    s->problem = CreateIpoptProblem(s->n, x_lower, x_upper, s->m, g_lower, g_upper, s->J.count,
                                    s->H.count, 0, eval_f, eval_g, eval_grad_f, eval_jac_g, eval_h);
    if (!s->problem) return FREEPLAY_SOLVER_FAILED;
    set_silent_exact_options(s->problem);
    SetIntermediateCallback(s->problem, on_iteration);
    return FREEPLAY_OK;
}

static FpStatus prepare(Ipopt* s, const FpNlp* p, const double* x) {
    if (s->n != p->n || s->m != p->m || s->pair_count != p->pair_count || !s->x) {
        release(s);
        if (!allocate(s, p)) return FREEPLAY_OUT_OF_MEMORY;
        if (!record_patterns(s, p, x)) return FREEPLAY_NOT_FINITE;
    }
    return make_problem(s, p);
}

/* The ladder: warm from the last solve; cold with the adaptive barrier; cold with the monotone
 * barrier from a well-centred start. */
enum { ATTEMPT_WARM, ATTEMPT_ADAPTIVE, ATTEMPT_CENTRED, ATTEMPT_COUNT };

static void set_attempt_options(IpoptProblem problem, bool warm, int attempt) {
    AddIpoptStrOption(problem, "warm_start_init_point", warm ? "yes" : "no");
    AddIpoptNumOption(problem, "mu_init", warm ? 1e-7 : 0.1);
    AddIpoptStrOption(problem, "mu_strategy",
                      attempt == ATTEMPT_ADAPTIVE ? "adaptive" : "monotone");
    AddIpoptNumOption(problem, "warm_start_bound_push", 1e-8);
    AddIpoptNumOption(problem, "warm_start_bound_frac", 1e-8);
    AddIpoptNumOption(problem, "warm_start_slack_bound_push", 1e-8);
    AddIpoptNumOption(problem, "warm_start_slack_bound_frac", 1e-8);
    AddIpoptNumOption(problem, "warm_start_mult_bound_push", 1e-8);
    AddIpoptNumOption(problem, "bound_push", attempt == ATTEMPT_CENTRED ? 1.0 : 1e-2);
}

static void load_start(Ipopt* s, const double* x, bool warm) {
    const FpNlp* p = s->nlp;
    for (int j = 0; j < s->n; j++) {
        double scale = p->x_scale[j] / p->f_scale;
        s->x_hat[j] = x[j] / p->x_scale[j];
        s->zl[j] = warm ? s->z_lower_warm[j] * scale : 0;
        s->zu[j] = warm ? s->z_upper_warm[j] * scale : 0;
    }
    for (int i = 0; i < s->m; i++)
        s->y_hat[i] = warm ? s->y_warm[i] * p->g_scale[i] / p->f_scale : 0;
}

static void keep_solution(Ipopt* s, FpNlpPoint* point) {
    const FpNlp* p = s->nlp;
    for (int j = 0; j < s->n; j++) {
        double scale = p->f_scale / p->x_scale[j];
        point->x[j] = s->x_hat[j] * p->x_scale[j];
        s->z_lower_warm[j] = s->zl[j] * scale;
        s->z_upper_warm[j] = s->zu[j] * scale;
        point->z[j] = s->z_lower_warm[j] - s->z_upper_warm[j];
    }
    for (int i = 0; i < s->m; i++)
        point->y[i] = s->y_warm[i] = s->y_hat[i] * p->f_scale / p->g_scale[i];
    s->has_warm_multipliers = true;
}

static void keep_last_point(const Ipopt* s, FpNlpPoint* point) {
    for (int j = 0; j < s->n; j++) point->x[j] = s->x_hat[j] * s->nlp->x_scale[j];
    memset(point->y, 0, (size_t)s->m * sizeof *point->y);
    memset(point->z, 0, (size_t)s->n * sizeof *point->z);
}

static FpStatus status_of(enum ApplicationReturnStatus code) {
    switch (code) {
    case Solve_Succeeded:
    case Solved_To_Acceptable_Level:
    case Feasible_Point_Found:
    case Search_Direction_Becomes_Too_Small: /* as good as it gets: the certificate decides */
        return FREEPLAY_OK;
    case Infeasible_Problem_Detected:
        return FREEPLAY_INFEASIBLE;
    case Diverging_Iterates:
    case Maximum_Iterations_Exceeded:
    case Maximum_CpuTime_Exceeded:
    case Restoration_Failed:
    case Error_In_Step_Computation:
        return FREEPLAY_NOT_CONVERGED;
    case User_Requested_Stop:
        return FREEPLAY_CANCELLED;
    case Invalid_Number_Detected:
        return FREEPLAY_NOT_FINITE;
    case Insufficient_Memory:
        return FREEPLAY_OUT_OF_MEMORY;
    case Not_Enough_Degrees_Of_Freedom:
    case Invalid_Problem_Definition:
    case Invalid_Option:
    case Unrecoverable_Exception:
    case NonIpopt_Exception_Thrown:
    case Internal_Error:
    default: /* codes that later releases add */
        return FREEPLAY_SOLVER_FAILED;
    }
}

static FpStatus solve_smooth(Ipopt* s, const FpNlp* nlp, const FpNlpOptions* options, int attempt,
                             FpNlpPoint* point, FpNlpReport* report) {
    fp_solver_lock();
    FpStatus status = prepare(s, nlp, point->x);
    if (!status) {
        s->nlp = nlp;
        s->options = options;
        s->iterations = 0;
        bool warm = attempt == ATTEMPT_WARM && !options->cold_start && s->has_warm_multipliers;
        set_attempt_options(s->problem, warm, attempt);
        load_start(s, point->x, warm);
        double f;
        enum ApplicationReturnStatus code =
            IpoptSolve(s->problem, s->x_hat, s->g, &f, s->y_hat, s->zl, s->zu, s);
        report->iterations += s->iterations;
        report->solver_code = (int)code;
        status = status_of(code);
        if (!status) keep_solution(s, point);
        if (status) keep_last_point(s, point);
    }
    fp_solver_unlock();
    return status;
}

/* With friction the multipliers of the last solve are not worth much: what slides and what sticks
 * changes, and stages of a step alternate. */
static FpStatus solve_with_friction(Ipopt* s, const FpNlp* nlp, const FpNlpOptions* options,
                                    int attempt, FpNlpPoint* point, FpNlpReport* report) {
    const FpNlp* smooth;
    FpNlpPoint* within;
    FpStatus status =
        fp_cone_program_pose(s->cones, nlp, s->pair_penalty, point->x, &smooth, &within);
    if (status) return status;
    int rung = attempt == ATTEMPT_WARM ? ATTEMPT_ADAPTIVE : attempt;
    status = solve_smooth(s, smooth, options, rung, within, report);
    fp_cone_program_hand_back(s->cones, point);
    return status;
}

static FpStatus ipopt_solve(void* self, const FpNlp* nlp, const FpNlpOptions* options, int attempt,
                            FpNlpPoint* point, FpNlpReport* report) {
    Ipopt* s = self;
    s->pair_penalty = pair_penalties[attempt];
    return (nlp->cone_count ? solve_with_friction : solve_smooth)(s, nlp, options, attempt, point,
                                                                  report);
}

const FpNlpSolverOps fp_ipopt_solver = {
    .name = "ipopt",
    .summary = "interior point, every step a general nonlinear program",
    .attempts = ATTEMPT_COUNT,
    .create = ipopt_create,
    .destroy = ipopt_destroy,
    .solve = ipopt_solve,
};
