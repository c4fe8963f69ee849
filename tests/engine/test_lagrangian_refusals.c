/* Lagrangian systems that cannot be right: refused by name, at the start and in every later step,
 * with the state as it was. */
#include <math.h>
#include <string.h>
#include "tests/support.h"

#include "freeplay.h"

/* Two points of 1 kg on a line, q1 moving with 1 m/s. From q1 = `from` on, one callback is bad. */
typedef enum Fault {
    FAULT_NONE,
    FAULT_MASS_NAN,
    FAULT_MASS_INDEFINITE,
    FAULT_MASS_ASYMMETRIC,
    FAULT_FORCE,
    FAULT_KINEMATICS,
    FAULT_VALUE,
    FAULT_JACOBIAN,
    FAULT_RATE,
    FAULT_SLIP,
    FAULT_POTENTIAL,
    FAULT_COUNT,
} Fault;

typedef struct Points {
    Fault fault;
    double from;
} Points;

static bool is_bad(const void* context, const double* q, Fault fault) {
    const Points* points = context;
    return points->fault == fault && q[0] >= points->from;
}

static void mass(const void* context, const double* q, double* M) {
    M[0] = M[3] = 1;
    if (is_bad(context, q, FAULT_MASS_NAN)) M[1] = NAN;
    if (is_bad(context, q, FAULT_MASS_INDEFINITE)) M[3] = -1;
    if (is_bad(context, q, FAULT_MASS_ASYMMETRIC)) M[1] = 0.1;
}

static void force(const void* context, double t, const double* q, const double* v, double* f) {
    (void)t, (void)v;
    if (is_bad(context, q, FAULT_FORCE)) f[1] = INFINITY;
}

static void kinematics(const void* context, const double* q, double* B) {
    B[0] = B[3] = 1;
    if (is_bad(context, q, FAULT_KINEMATICS)) B[2] = NAN;
}

static double potential(const void* context, double t, const double* q) {
    (void)t;
    return is_bad(context, q, FAULT_POTENTIAL) ? NAN : 0;
}

static void value(const void* context, double t, const double* q, double* g) {
    (void)t;
    g[0] = is_bad(context, q, FAULT_VALUE) ? NAN : 10 - q[0];
}

static void jacobian(const void* context, double t, const double* q, double* dg) {
    (void)t;
    dg[0] = -1;
    if (is_bad(context, q, FAULT_JACOBIAN)) dg[1] = NAN;
}

static void rate(const void* context, double t, const double* q, double* g_t, double* g_tt,
                 double* dg_t) {
    (void)t, (void)g_tt, (void)dg_t;
    if (is_bad(context, q, FAULT_RATE)) g_t[0] = NAN;
}

static void slip(const void* context, double t, const double* q, int row, double* G, double* chi) {
    (void)t, (void)row, (void)chi;
    G[1] = is_bad(context, q, FAULT_SLIP) ? NAN : 1;
}

static FpLagrangianDef points_def(Points* points) {
    static const double v0[] = {1, 0};
    FpLagrangianDef def = fp_lagrangian_def_default();
    def.q_count = def.v_count = 2;
    def.v0 = v0;
    def.context = points;
    def.mass = mass;
    def.force = force;
    def.kinematics = kinematics;
    def.potential_energy = potential;
    return def;
}

static const FpRow wall_row = {.kind = FREEPLAY_ROW_UNILATERAL, .label = "face"};
static const FpRow rough_row = {.kind = FREEPLAY_ROW_UNILATERAL, .slip_count = 1, .label = "face"};

static FpLagrangianRowsDef wall_def(Points* points) {
    FpLagrangianRowsDef def = fp_lagrangian_rows_def_default();
    def.name = "wall";
    def.rows = points->fault == FAULT_SLIP ? &rough_row : &wall_row;
    def.context = points;
    def.value = value;
    def.jacobian = jacobian;
    def.rate = rate;
    def.slip = slip;
    return def;
}

static FpLagrangian* unfinished(Points* points) {
    FpMessage message = {0};
    FpLagrangianDef def = points_def(points);
    FpLagrangianRowsDef wall = wall_def(points);
    FpLagrangian* system = fp_lagrangian_create(&def, &message);
    if (!system || fp_lagrangian_add_rows(system, &wall, &message)) fail_msg("%s", message.text);
    return system;
}

static void check_mentions(const FpMessage* message, const char* what) {
    if (!strstr(message->text, what)) fail_msg("'%s' is not in '%s'", what, message->text);
}

/* What each refusal has to say, and its status. */
static const struct {
    const char* name;
    FpStatus status;
} faults[FAULT_COUNT] = {
    [FAULT_MASS_NAN] = {"'mass' wrote nan in row 0, column 1", FREEPLAY_NOT_FINITE},
    [FAULT_MASS_INDEFINITE] = {"not positive definite", FREEPLAY_INVALID_MODEL},
    [FAULT_MASS_ASYMMETRIC] = {"not symmetric", FREEPLAY_INVALID_MODEL},
    [FAULT_FORCE] = {"'force' wrote inf in row 1", FREEPLAY_NOT_FINITE},
    [FAULT_KINEMATICS] = {"'kinematics' wrote nan in row 1, column 0", FREEPLAY_NOT_FINITE},
    [FAULT_VALUE] = {"rows 'wall': callback 'value' wrote nan for row 0 (face)",
                     FREEPLAY_NOT_FINITE},
    [FAULT_JACOBIAN] = {"rows 'wall': callback 'jacobian' wrote nan", FREEPLAY_NOT_FINITE},
    [FAULT_RATE] = {"rows 'wall': callback 'rate' wrote nan", FREEPLAY_NOT_FINITE},
    [FAULT_SLIP] = {"rows 'wall': callback 'slip' wrote nan", FREEPLAY_NOT_FINITE},
    [FAULT_POTENTIAL] = {"'potential_energy' wrote nan", FREEPLAY_NOT_FINITE},
};

static void bad_callback_is_named_when_the_system_is_finished(void** unused) {
    (void)unused;
    for (Fault fault = FAULT_NONE + 1; fault < FAULT_COUNT; fault++) {
        Points points = {fault, -1};
        FpMessage message = {0};
        FpLagrangian* system = unfinished(&points);
        assert_int_equal(fp_lagrangian_finish(system, &message), faults[fault].status);
        check_mentions(&message, faults[fault].name);
        check_mentions(&message, "at t = 0 s, q1 = 0, q2 = 0");
        assert_null(fp_lagrangian_system(system));
        /* As it was: it can be put right. */
        points.fault = FAULT_NONE;
        assert_int_equal(fp_lagrangian_finish(system, &message), FREEPLAY_OK);
        assert_non_null(fp_lagrangian_system(system));
        fp_lagrangian_destroy(system);
    }
}

/* Runs against the bad place; whatever the scheme, no step gets far beyond it. A slip is bad in the
 * first step. */
static void check_steps(const char* scheme, const char* solver, Fault fault) {
    Points points = {fault, 0.05};
    FpMessage message = {0};
    FpLagrangian* lagrangian = unfinished(&points);
    assert_int_equal(fp_lagrangian_finish(lagrangian, &message), FREEPLAY_OK);
    if (fault == FAULT_SLIP) points.from = 0;
    const FpSystem* system = fp_lagrangian_system(lagrangian);
    FpStepperDef def = fp_stepper_def_default();
    def.scheme = scheme;
    def.solver = solver;
    def.h = 0.01;
    FpStepper* stepper = fp_stepper_create(system, &def, &message);
    FpState *state = fp_state_create(system), *before = fp_state_create(system);
    FpStatus status = FREEPLAY_OK;
    for (int k = 0; k < 100 && !status; k++) {
        fp_state_copy(before, state);
        status = fp_stepper_step(stepper, state, 1, NULL, &message);
        for (int i = 0; i < 2; i++) assert_true(isfinite(state->q[i]) && isfinite(state->v[i]));
    }
    if (status != faults[fault].status)
        fail_msg("%s, %s, %s: status %d, %s", scheme, solver, faults[fault].name, (int)status,
                 message.text);
    check_mentions(&message, faults[fault].name);
    check_mentions(&message, "step ");
    assert_true(state->q[0] <= 0.05 + 2 * def.h);
    size_t size = (size_t)(state->q_count + state->v_count + state->row_count) * sizeof(double);
    assert_memory_equal(state->q, before->q, size);
    assert_true(state->t == before->t && state->step == before->step);
    /* Once the callback is right again, the run goes on. */
    points.fault = FAULT_NONE;
    if (fault != FAULT_SLIP)
        assert_int_equal(fp_stepper_step(stepper, state, 1, NULL, &message), FREEPLAY_OK);
    fp_state_destroy(before);
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    fp_lagrangian_destroy(lagrangian);
}

static void bad_callback_is_named_in_the_step_that_meets_it(void** unused) {
    (void)unused;
    for (Fault fault = FAULT_NONE + 1; fault < FAULT_POTENTIAL; fault++) {
        /* The Gauss scheme knows no slip. */
        if (fault != FAULT_SLIP) check_steps("gauss", "auto", fault);
        if (fault != FAULT_SLIP) check_steps("gauss", "ipopt", fault);
        check_steps("rattle", "structured", fault);
        check_steps("moreau", "structured", fault);
    }
}

/* Defs -------------------------------------------------------------------------------------------
 */

static void refuse_def(const FpLagrangianDef* def, const char* field) {
    FpMessage message = {0};
    assert_null(fp_lagrangian_create(def, &message));
    assert_string_equal(message.field, field);
    assert_true(message.text[0]);
    assert_null(fp_lagrangian_create(def, NULL));
}

static void bad_defs_are_refused_with_their_field(void** unused) {
    (void)unused;
    Points points = {FAULT_NONE, 0};
    const double bad[] = {0, NAN};
    const char* const missing[] = {"x", NULL};
    const FpLagrangianDef good = points_def(&points);
    FpLagrangianDef def = good;
    def.q_count = 0;
    refuse_def(&def, "q_count");
    def = good;
    def.v_count = FREEPLAY_BLOCK_V_MAX + 1;
    refuse_def(&def, "v_count");
    def = good;
    def.length = 0;
    refuse_def(&def, "length");
    def.length = NAN;
    refuse_def(&def, "length");
    def = good;
    def.mass = NULL;
    refuse_def(&def, "mass");
    def = good;
    def.kinematics = NULL;
    def.q_count = 3;
    refuse_def(&def, "kinematics");
    def = good;
    def.q0 = bad;
    refuse_def(&def, "q0");
    def = good;
    def.v0 = bad;
    refuse_def(&def, "v0");
    def = good;
    def.q_names = missing;
    refuse_def(&def, "q_names");
}

static void refuse_rows(FpLagrangian* system, const FpLagrangianRowsDef* def, const char* field) {
    FpMessage message = {0};
    assert_int_equal(fp_lagrangian_add_rows(system, def, &message), FREEPLAY_INVALID_ARGUMENT);
    assert_string_equal(message.field, field);
    assert_int_equal(fp_lagrangian_add_rows(system, def, NULL), FREEPLAY_INVALID_ARGUMENT);
}

static void refuse_row(FpLagrangian* system, FpLagrangianRowsDef def, FpRow row,
                       const char* field) {
    def.rows = &row;
    refuse_rows(system, &def, field);
}

static void bad_rows_are_refused_with_their_field(void** unused) {
    (void)unused;
    Points points = {FAULT_NONE, 0};
    FpLagrangian* system = unfinished(&points);
    const FpLagrangianRowsDef taken = wall_def(&points);
    refuse_rows(system, &taken, "name");
    FpLagrangianRowsDef good = taken;
    good.name = "other";
    FpLagrangianRowsDef def = good;
    def.name = NULL;
    refuse_rows(system, &def, "name");
    def = good;
    def.row_count = 0;
    refuse_rows(system, &def, "row_count");
    def = good;
    def.rows = NULL;
    refuse_rows(system, &def, "rows");
    def = good;
    def.value = NULL;
    refuse_rows(system, &def, "value");
    def = good;
    def.slip = NULL;
    def.rows = &rough_row;
    refuse_rows(system, &def, "slip");
    const FpRowKind unilateral = FREEPLAY_ROW_UNILATERAL, bilateral = FREEPLAY_ROW_BILATERAL;
    refuse_row(system, good, (FpRow){.kind = (FpRowKind)7}, "rows");
    refuse_row(system, good, (FpRow){.kind = unilateral, .size = -1}, "rows");
    refuse_row(system, good, (FpRow){.kind = bilateral, .size = 1}, "rows");
    refuse_row(system, good, (FpRow){.kind = unilateral, .restitution = 1.1}, "rows");
    refuse_row(system, good, (FpRow){.kind = unilateral, .friction = NAN}, "rows");
    refuse_row(system, good, (FpRow){.kind = unilateral, .friction = 0.3}, "rows");
    refuse_row(system, good, (FpRow){.kind = unilateral, .slip_count = 4}, "rows");
    refuse_row(system, good, (FpRow){.kind = bilateral, .restitution = 0.5}, "rows");
    assert_int_equal(fp_lagrangian_finish(system, NULL), FREEPLAY_OK);
    assert_int_equal(fp_lagrangian_system(system)->row_count, 1);
    assert_int_equal(fp_lagrangian_add_rows(system, &good, NULL), FREEPLAY_INVALID_ARGUMENT);
    assert_int_equal(fp_lagrangian_finish(system, NULL), FREEPLAY_INVALID_ARGUMENT);
    fp_lagrangian_destroy(system);
}

static void open_and_penetrating_starts_are_refused(void** unused) {
    (void)unused;
    const double beyond[] = {10.5, 0};
    for (int k = 0; k < 2; k++) {
        const FpRow row = {.kind = k ? FREEPLAY_ROW_BILATERAL : FREEPLAY_ROW_UNILATERAL};
        Points points = {FAULT_NONE, 0};
        FpMessage message = {0};
        FpLagrangianDef def = points_def(&points);
        def.q0 = beyond;
        FpLagrangianRowsDef rows = wall_def(&points);
        rows.rows = &row;
        FpLagrangian* system = fp_lagrangian_create(&def, NULL);
        assert_int_equal(fp_lagrangian_add_rows(system, &rows, NULL), FREEPLAY_OK);
        assert_int_equal(fp_lagrangian_finish(system, &message), FREEPLAY_NOT_ASSEMBLED);
        check_mentions(&message, "'wall'");
        check_mentions(&message, "row 1");
        check_mentions(&message, k ? "open by 0.5 m" : "penetrates by 0.5 m");
        fp_lagrangian_destroy(system);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_callback_is_named_when_the_system_is_finished),
        cmocka_unit_test(bad_callback_is_named_in_the_step_that_meets_it),
        cmocka_unit_test(bad_defs_are_refused_with_their_field),
        cmocka_unit_test(bad_rows_are_refused_with_their_field),
        cmocka_unit_test(open_and_penetrating_starts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
