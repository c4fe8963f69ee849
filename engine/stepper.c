#include "engine/stepper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine/scheme.h"
#include "engine/strategy.h"
#include "nlp/nlp.h"

static const FpSchemeOps* const schemes[] = {&fp_scheme_gauss, &fp_scheme_moreau, &fp_scheme_rattle,
                                             &fp_scheme_rattle_midpoint};
static const FpStrategyOps* const strategies[] = {&fp_strategy_fixed, &fp_strategy_gauss};
enum {
    SCHEME_COUNT = sizeof schemes / sizeof schemes[0],
    STRATEGY_COUNT = sizeof strategies / sizeof strategies[0],
};

/* A step that cannot be solved is tried with half its length, this many times. */
#define HALVINGS 16

/* What is left of a run below this part of a step belongs to the step before it. */
#define NOTHING_LEFT 1e-9

struct FpStepper {
    const FpSystem* system;
    FpStepperDef def;
    const FpSchemeOps* scheme;
    void* scheme_self;
    const FpStrategyOps* strategy;
    FpNlpSolver *solver, *auditor; /* auditor: NULL unless asked for */
    FpState* next;
    double* memory; /* x, y, z of the largest stage */
    int n, m;
    char trouble[256]; /* where the last attempt failed */
    char warning[256];
};

/* What there is to choose from ----------------------------------------------------------------- */

int fp_schemes(FpChoice* choices, int room) {
    for (int i = 0; i < SCHEME_COUNT && i < room; i++)
        choices[i] = (FpChoice){schemes[i]->name, schemes[i]->summary};
    return SCHEME_COUNT;
}

int fp_strategies(FpChoice* choices, int room) {
    for (int i = 0; i < STRATEGY_COUNT && i < room; i++)
        choices[i] = (FpChoice){strategies[i]->name, strategies[i]->summary};
    return STRATEGY_COUNT;
}

int fp_solvers(FpChoice* choices, int room) {
    int count;
    const FpNlpSolverOps* const* solvers = fp_nlp_solvers(&count);
    for (int i = 0; i <= count && i < room; i++)
        choices[i] = i == 0 ? (FpChoice){"auto", "the fastest solver that passes the certificate"}
                            : (FpChoice){solvers[i - 1]->name, solvers[i - 1]->summary};
    return count + 1;
}

int fp_row_forms(FpChoice* choices, int room) {
    static const FpChoice forms[] = {
        [FREEPLAY_ROWS_EXACT] = {"exact", "gaps hold at the end of every step: no penetration"},
        [FREEPLAY_ROWS_LINEARIZED] = {"linearized",
                                      "gaps linearized about its start: penetrates by O(h^2)"},
    };
    int count = sizeof forms / sizeof forms[0];
    for (int i = 0; i < count && i < room; i++) choices[i] = forms[i];
    return count;
}

typedef int (*ListChoices)(FpChoice* choices, int room);

/* The index of a name among the choices; -1 with a message that lists them. */
static int find_choice(ListChoices list, const char* field, const char* name, FpMessage* message) {
    FpChoice choices[32];
    int count = list(choices, 32);
    char names[256] = "";
    for (int i = 0; i < count; i++) {
        if (name && strcmp(choices[i].name, name) == 0) return i;
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", choices[i].name);
    }
    fp_refuse_field(message, field, "there is no '%s'; choose from: %s", name ? name : "", names);
    return -1;
}

/* Creation ------------------------------------------------------------------------------------- */

FpStepperDef fp_stepper_def_default(void) {
    return (FpStepperDef){.scheme = "gauss",
                          .strategy = "fixed",
                          .solver = "auto",
                          .rows = FREEPLAY_ROWS_EXACT,
                          .theta = 0.5,
                          .h = 1e-3,
                          .h_min = 1e-4,
                          .h_max = 1e-3};
}

static bool is_positive(double value) {
    return value > 0 && isfinite(value);
}

static FpStatus check_steps(const FpStepperDef* def, bool fixed, FpMessage* message) {
    if (fixed && !is_positive(def->h))
        return fp_refuse_field(message, "h", "must be positive, is %g s", def->h);
    if (fixed) return FREEPLAY_OK;
    if (!is_positive(def->h_min))
        return fp_refuse_field(message, "h_min", "must be positive, is %g s", def->h_min);
    if (!is_positive(def->h_max))
        return fp_refuse_field(message, "h_max", "must be positive, is %g s", def->h_max);
    if (def->h_min > def->h_max)
        return fp_refuse_field(message, "h_min", "%g s is larger than h_max, %g s", def->h_min,
                               def->h_max);
    return FREEPLAY_OK;
}

static FpStatus check_def(const FpStepperDef* def, int* scheme, int* strategy, FpMessage* message) {
    *scheme = find_choice(fp_schemes, "scheme", def->scheme, message);
    if (*scheme < 0) return FREEPLAY_INVALID_ARGUMENT;
    *strategy = find_choice(fp_strategies, "step", def->strategy, message);
    if (*strategy < 0) return FREEPLAY_INVALID_ARGUMENT;
    if (find_choice(fp_solvers, "solver", def->solver, message) < 0)
        return FREEPLAY_INVALID_ARGUMENT;
    if (def->rows != FREEPLAY_ROWS_EXACT && def->rows != FREEPLAY_ROWS_LINEARIZED)
        return fp_refuse_field(message, "rows", "must be exact or linearized");
    if (schemes[*scheme]->fixed_steps && !strategies[*strategy]->fixed)
        return fp_refuse_field(message, "step",
                               "'%s' makes h a variable of the program, which scheme '%s' does not "
                               "allow; choose fixed, or scheme gauss",
                               def->strategy, def->scheme);
    if (schemes[*scheme]->exact_rows && def->rows != FREEPLAY_ROWS_EXACT)
        return fp_refuse_field(message, "rows",
                               "scheme '%s' has no linearized rows; choose exact, or scheme gauss",
                               def->scheme);
    if (!(def->theta >= 0 && def->theta <= 1))
        return fp_refuse_field(message, "theta", "must be from 0 to 1, is %g", def->theta);
    if (def->audit < 0)
        return fp_refuse_field(message, "audit", "must be 0 or a number of steps, is %ld",
                               def->audit);
    return check_steps(def, strategies[*strategy]->fixed, message);
}

/* The first joint whose friction or restitution the scheme does not know. */
static void warn_of_contact_laws(FpStepper* s) {
    for (int c = 0; c < s->system->constraint_count && !s->scheme->has_contact_laws; c++) {
        const FpConstraint* k = s->system->constraints[c];
        for (int i = 0; i < k->row_count; i++) {
            if (k->rows[i].friction == 0 && k->rows[i].restitution == 0) continue;
            snprintf(s->warning, sizeof s->warning,
                     "scheme %s knows neither friction nor restitution: joint '%s' runs without "
                     "its friction %g and restitution %g",
                     s->scheme->name, k->name, k->rows[i].friction, k->rows[i].restitution);
            return;
        }
    }
}

/* Constraints of velocities alone ask for a scheme with laws in velocities. */
static FpStatus check_velocity_rows(const FpSystem* system, const FpSchemeOps* scheme,
                                    FpMessage* message) {
    for (int c = 0; c < system->constraint_count && !scheme->has_contact_laws; c++)
        for (int i = 0; i < system->constraints[c]->row_count; i++)
            if (system->constraints[c]->rows[i].kind == FREEPLAY_ROW_VELOCITY)
                return fp_refuse_field(message, "scheme",
                                       "'%s' has no velocity rows, which '%s' needs; choose "
                                       "rattle or moreau",
                                       scheme->name, system->constraints[c]->name);
    return FREEPLAY_OK;
}

FpStepper* fp_stepper_create(const FpSystem* system, const FpStepperDef* def, FpMessage* message) {
    int scheme, strategy;
    if (check_def(def, &scheme, &strategy, message)) return NULL;
    if (check_velocity_rows(system, schemes[scheme], message)) return NULL;
    FpStepper* s = calloc(1, sizeof *s);
    if (s) {
        s->system = system;
        s->def = *def;
        s->scheme = schemes[scheme];
        s->strategy = strategies[strategy];
        s->scheme_self = s->scheme->create(system, def);
        s->solver = fp_nlp_solver_create(def->solver);
        s->auditor = def->audit ? fp_nlp_solver_create("ipopt") : NULL;
        s->next = fp_state_create(system);
        /* The def's names need not outlive this call. */
        s->def.scheme = s->scheme->name;
        s->def.strategy = s->strategy->name;
        s->def.solver = NULL;
    }
    bool audits = s && (s->auditor || !def->audit);
    if (audits && s->scheme_self && s->solver && s->next) {
        warn_of_contact_laws(s);
        return s;
    }
    fp_stepper_destroy(s);
    fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    return NULL;
}

void fp_stepper_destroy(FpStepper* s) {
    if (!s) return;
    s->scheme->destroy(s->scheme_self);
    fp_nlp_solver_destroy(s->solver);
    fp_nlp_solver_destroy(s->auditor);
    fp_state_destroy(s->next);
    free(s->memory);
    free(s);
}

const FpSystem* fp_stepper_system(const FpStepper* stepper) {
    return stepper->system;
}

const char* fp_stepper_warning(const FpStepper* stepper) {
    return stepper->warning;
}

/* One step ------------------------------------------------------------------------------------- */

/* Room for the unknowns of a stage; what the point holds survives. */
static bool make_room(FpStepper* s, FpNlpPoint* point) {
    if (!s->memory) {
        /* No stage of a step has more unknowns or equations than all of these together; and the
         * same again for the auditor. */
        int rows = s->system->row_count + fp_system_slip_rows(s->system), q = s->system->q_count,
            v = s->system->v_count;
        s->n = s->m = 2 * (q + v + s->system->a_count + rows) + 1;
        s->memory = calloc(6 * (size_t)s->n, sizeof *s->memory);
    }
    if (!s->memory) return false;
    *point = (FpNlpPoint){s->memory, s->memory + s->n, s->memory + s->n + s->m};
    return true;
}

/* Adds what the solution of one stage cost, and keeps the worst of its residuals. */
static void add_report(FpStepReport* report, const FpNlpReport* solved) {
    const FpCertificate* c = &solved->certificate;
    report->solver = solved->solver;
    report->solves += 1 + solved->retries;
    report->iterations += solved->iterations;
    report->retries += solved->retries;
    report->objective = solved->objective;
    report->certificate = fmax(report->certificate, c->worst);
    report->primal = fmax(report->primal, c->primal);
    report->complementarity = fmax(report->complementarity, c->complementarity);
    report->stationarity = fmax(report->stationarity, fmax(c->stationarity, c->dual));
    report->motion = fmax(report->motion, c->balance);
}

static void forget_residuals(FpStepReport* report) {
    report->certificate = report->primal = report->complementarity = 0;
    report->stationarity = report->motion = report->audit_difference = 0;
}

static void note_trouble(FpStepper* s, int stage, FpStatus status, const FpNlpReport* solved) {
    char where[160] = "";
    if (solved->certificate.worst_constraint >= 0)
        s->scheme->describe(s->scheme_self, stage, solved->certificate.worst_constraint, where,
                            sizeof where);
    if (status == FREEPLAY_NOT_CERTIFIED)
        snprintf(s->trouble, sizeof s->trouble, "%s%sresidual %.3g", where, where[0] ? ", " : "",
                 solved->certificate.worst);
    else
        snprintf(s->trouble, sizeof s->trouble, "%s ended with code %d",
                 solved->solver ? solved->solver : "solver", solved->solver_code);
}

/* Solves a stage by Ipopt, too, from the same start: the largest difference of a variable that is
 * no force (those may be redundant), in the program's scales. */
static void audit_stage(FpStepper* s, const FpNlp* nlp, const FpNlpOptions* options,
                        const FpNlpPoint* point, FpStepReport* report) {
    FpNlpPoint other = {s->memory + 3 * s->n, s->memory + 4 * s->n, s->memory + 5 * s->n};
    FpNlpReport solved;
    double largest = 1, difference = 0;
    memcpy(other.x, point->x, (size_t)nlp->n * sizeof *other.x);
    report->audited = true;
    if (fp_nlp_solve(s->auditor, nlp, options, &other, &solved)) {
        report->audit_difference = INFINITY;
        return;
    }
    for (int j = 0; j < nlp->n; j++) {
        if (nlp->least_norm && nlp->least_norm[j]) continue;
        largest = fmax(largest, fabs(point->x[j]) / nlp->x_scale[j]);
        difference = fmax(difference, fabs(point->x[j] - other.x[j]) / nlp->x_scale[j]);
    }
    report->audit_difference = fmax(report->audit_difference, difference / largest);
}

static bool is_audited(const FpStepper* s, const FpState* state) {
    return s->auditor && (state->step + 1) % s->def.audit == 0;
}

/* Whatever a user's callbacks did, no state gets numbers that are not finite. */
static FpStatus check_finite(const FpState* state) {
    int count = state->q_count + state->v_count + state->row_count + state->slip_count;
    for (int i = 0; i < count; i++)
        if (!isfinite(state->q[i])) return FREEPLAY_NOT_FINITE;
    return FREEPLAY_OK;
}

static FpStatus solve_stages(FpStepper* s, const FpState* state, double h_lower, double h_upper,
                             FpStepReport* report) {
    FpNlpOptions options = {.cold_start = s->def.cold_start,
                            .cancel = s->def.cancel,
                            .cancel_context = s->def.cancel_context};
    forget_residuals(report);
    for (int stage = 0; stage < s->scheme->stage_count; stage++) {
        const FpNlp* nlp;
        FpNlpPoint point;
        FpNlpReport solved = {0};
        if (!make_room(s, &point)) return FREEPLAY_OUT_OF_MEMORY;
        FpStatus status =
            s->scheme->pose(s->scheme_self, stage, state, h_lower, h_upper, &nlp, &point);
        if (status) return status;
        if (nlp) {
            status = fp_nlp_solve(s->solver, nlp, &options, &point, &solved);
            add_report(report, &solved);
        }
        if (status) note_trouble(s, stage, status, &solved);
        if (!status && nlp && is_audited(s, state)) audit_stage(s, nlp, &options, &point, report);
        if (!status) status = s->scheme->take(s->scheme_self, stage, state, &point, s->next);
        if (status) return status;
    }
    return check_finite(s->next);
}

static FpStatus refuse_spin(const FpState* state, double h, double limit, FpMessage* message) {
    return fp_refuse(message, FREEPLAY_STEP_TOO_LARGE,
                     "step %ld at t = %.9g s: h = %.6g s is too large for this spin; exact "
                     "normalization needs h below %.6g s",
                     state->step + 1, state->t, h, limit);
}

/* A callback of a user's that spoilt a step of h; FREEPLAY_OK if there is none. */
static FpStatus refuse_callback(const FpStepper* s, const FpState* state, double h,
                                FpMessage* message) {
    const FpSystem* system = s->system;
    FpMessage found = {0};
    if (!system->ops->blame) return FREEPLAY_OK;
    FpStatus status = system->ops->blame(system->self, state->t, h, state->q, state->v, &found);
    if (!status) return status;
    fp_refuse(message, status, "step %ld at t = %.9g s: %s", state->step + 1, state->t, found.text);
    if (message) memcpy(message->field, found.field, sizeof message->field);
    return status;
}

/* Of a step that was tried at h_first and, at last, at h. */
static FpStatus refuse_step(const FpStepper* s, const FpState* state, FpStatus status,
                            double h_first, double h, FpMessage* message) {
    if (status == FREEPLAY_CANCELLED)
        return fp_refuse(message, status, "cancelled at t = %.9g s, after %ld steps", state->t,
                         state->step);
    FpStatus wrong = refuse_callback(s, state, h_first, message);
    if (wrong) return wrong;
    return fp_refuse(message, status, "step %ld at t = %.9g s: %s down to h = %.3g s; %s",
                     state->step + 1, state->t, fp_status_text(status), h,
                     s->trouble[0] ? s->trouble : "no solution");
}

static bool is_hopeless(FpStatus status) {
    return status == FREEPLAY_CANCELLED || status == FREEPLAY_OUT_OF_MEMORY;
}

/* Moves the time exactly to where the proposal ends, when the step was not shortened. */
static double time_after(const FpProposal* proposal, double t, double h, double t_end) {
    if (h == proposal->h_upper) return proposal->t_next;
    double next = t + h;
    return t_end - next <= NOTHING_LEFT * proposal->h_upper ? t_end : next;
}

FpStatus fp_stepper_step(FpStepper* s, FpState* state, double t_end, FpStepReport* report,
                         FpMessage* message) {
    FpStepReport local;
    if (!report) report = &local;
    *report = (FpStepReport){0};
    if (!isfinite(t_end) || !(state->t < t_end))
        return fp_refuse_field(message, "t_end", "must be after t = %.9g s, is %.9g s", state->t,
                               t_end);
    FpProposal proposal = s->strategy->propose(&s->def, state, t_end);
    double limit = s->scheme->step_limit ? s->scheme->step_limit(s->scheme_self, state) : INFINITY;
    if (proposal.h_lower >= limit) return refuse_spin(state, proposal.h_lower, limit, message);

    double lower = proposal.h_lower, upper = fmin(proposal.h_upper, limit), first = upper;
    s->trouble[0] = '\0';
    FpStatus status = solve_stages(s, state, lower, upper, report);
    for (int k = 0; k < HALVINGS && status && !is_hopeless(status); k++) {
        report->rejected++;
        upper /= 2;
        lower = fmin(lower, upper);
        status = solve_stages(s, state, lower, upper, report);
    }
    if (status) return refuse_step(s, state, status, first, upper, message);

    report->h = s->next->h;
    if (s->scheme->wedged) report->wedged = s->scheme->wedged(s->scheme_self);
    s->next->t = time_after(&proposal, state->t, s->next->h, t_end);
    s->next->step = state->step + 1;
    fp_state_copy(state, s->next);
    return FREEPLAY_OK;
}
