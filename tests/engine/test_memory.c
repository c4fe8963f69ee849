/* Memory does not grow with the number of steps. */
#include <stdio.h>
#include "tests/pendulum.h"

static long resident_pages(void) {
    long size = 0, resident = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (!file) skip();
    if (fscanf(file, "%ld %ld", &size, &resident) != 2) resident = 0;
    fclose(file);
    return resident;
}

static void memory_is_flat_over_many_steps(void** unused) {
    (void)unused;
    Pendulum pendulum = revolute_pendulum();
    FpWorld* world = pendulum_world(&pendulum);
    const FpSystem* system = fp_world_system(world);
    FpStepperDef def = fp_stepper_def_default();
    FpStepper* stepper = fp_stepper_create(system, &def, NULL);
    FpState* state = fp_state_create(system);
    long early = 0;
    for (int k = 0; k < 10000; k++) {
        assert_int_equal(fp_stepper_step(stepper, state, 1e9, NULL, NULL), FREEPLAY_OK);
        if (k == 1000) early = resident_pages();
    }
    assert_true(resident_pages() <= early + 64);
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    fp_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_is_flat_over_many_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
