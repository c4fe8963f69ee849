/* Long chains: every step is the structured solver's, certified, and the joints stay closed. */
#include <freeplay.h>
#include <math.h>
#include <stdlib.h>
#include "bench/chain.h"
#include "tests/support.h"

typedef struct Outcome {
    long rejected;
    double certificate, penetration;
} Outcome;

static Outcome run(int n, double clearance, double h, int steps, const char* solver, FpState** end,
                   FpWorld** world_out) {
    FpMessage message = {0};
    FpWorld* world = chain_create(n, clearance, CHAIN_ZIGZAG, &message);
    assert_non_null(world);
    const FpSystem* system = fp_world_system(world);
    FpStepperDef def = fp_stepper_def_default();
    def.h = h;
    def.solver = solver;
    FpStepper* stepper = fp_stepper_create(system, &def, &message);
    FpState* state = fp_state_create(system);
    double* gaps = calloc((size_t)system->row_count, sizeof *gaps);
    assert_true(stepper && state && gaps);
    Outcome outcome = {0};
    for (int k = 0; k < steps; k++) {
        FpStepReport report;
        assert_int_equal(fp_stepper_step(stepper, state, 1e3, &report, &message), FREEPLAY_OK);
        outcome.rejected += report.rejected;
        outcome.certificate = fmax(outcome.certificate, report.certificate);
        fp_state_gaps(system, state, gaps);
        outcome.penetration = fmax(outcome.penetration, fp_gaps_penetration(system, gaps));
    }
    free(gaps);
    fp_stepper_destroy(stepper);
    *end = state;
    *world_out = world;
    return outcome;
}

/* Ideal hinges out of the plane make N as ill-conditioned as n^4. */
static void long_chains_take_every_step_certified(void** unused) {
    (void)unused;
    static const struct {
        int n, steps;
        double clearance, h;
    } chains[] = {{16, 100, 0, 1e-3}, {256, 40, 0, 1e-3}, {64, 100, 1e-4, 1e-4}};
    for (int k = 0; k < 3; k++) {
        FpState* state;
        FpWorld* world;
        Outcome o = run(chains[k].n, chains[k].clearance, chains[k].h, chains[k].steps,
                        "structured", &state, &world);
        assert_int_equal(o.rejected, 0);
        assert_true(o.certificate <= 1e-9);
        assert_true(o.penetration <= 16 * 2.3e-16 * 0.1 * chains[k].n);
        fp_state_destroy(state);
        fp_world_destroy(world);
    }
}

static void chain_ends_where_ipopt_says(void** unused) {
    (void)unused;
    FpState *ours, *ipopts;
    FpWorld *first, *second;
    (void)run(4, 0, 1e-3, 60, "structured", &ours, &first);
    (void)run(4, 0, 1e-3, 60, "ipopt", &ipopts, &second);
    for (int j = 0; j < fp_world_system(first)->q_count; j++)
        assert_near(ours->q[j], ipopts->q[j], 1e-9);
    fp_state_destroy(ours);
    fp_state_destroy(ipopts);
    fp_world_destroy(first);
    fp_world_destroy(second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_chains_take_every_step_certified),
        cmocka_unit_test(chain_ends_where_ipopt_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
