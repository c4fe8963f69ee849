/* Events of the tilting pendulum against its event-driven solution. */
#include "tests/pendulum.h"

enum { ROOM = 16 };

typedef struct Seen {
    FpEvent events[ROOM];
    int count;
    int refuse_at; /* -1: never */
} Seen;

static FpStatus see(void* context, const FpEvent* event) {
    Seen* seen = context;
    if (seen->count == seen->refuse_at) return FREEPLAY_CANCELLED;
    if (seen->count < ROOM) seen->events[seen->count++] = *event;
    return FREEPLAY_OK;
}

static FpStatus run(double t_end, Seen* seen) {
    Pendulum pendulum = revolute_pendulum();
    FpWorld* world = pendulum_world(&pendulum);
    const FpSystem* system = fp_world_system(world);
    FpStepperDef def = fp_stepper_def_default();
    def.h = 2e-4;
    FpStepper* stepper = fp_stepper_create(system, &def, NULL);
    FpState* state = fp_state_create(system);
    FpObserver observer = {.context = seen, .event = see};
    FpStatus status = fp_simulate(stepper, state, t_end, &observer, NULL, NULL);
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    fp_world_destroy(world);
    return status;
}

/* Both ends fall together, the end under the centre of mass stays in contact; then the other end
 * hits. Times and energies: event-driven integration with exact impact equations. */
static void impacts_come_at_their_times_and_cost_their_energy(void** unused) {
    (void)unused;
    Seen seen = {.refuse_at = -1};
    assert_int_equal(run(0.6, &seen), FREEPLAY_OK);
    assert_true(seen.count >= 2);
    const FpEvent *first = &seen.events[0], *last = &seen.events[seen.count - 1];
    assert_int_equal(first->kind, FREEPLAY_EVENT_IMPACT);
    assert_near(first->t, 0.1427843122927064, 4e-4);
    assert_near(first->energy_after - first->energy_before, -0.49140410342565977, 1e-3);
    assert_int_equal(last->kind, FREEPLAY_EVENT_IMPACT);
    assert_int_equal(last->row, 0);
    assert_near(last->t, 0.5003791395949876, 1e-3);
    assert_near(last->energy_after - last->energy_before, -0.11045398905894643, 1e-3);
}

static void observer_can_end_a_run(void** unused) {
    (void)unused;
    Seen seen = {.refuse_at = 0};
    assert_int_equal(run(0.2, &seen), FREEPLAY_CANCELLED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_come_at_their_times_and_cost_their_energy),
        cmocka_unit_test(observer_can_end_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
