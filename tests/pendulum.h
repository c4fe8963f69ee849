/* The two pendulums of the clearance-joint paper, sections 4.3 and 5.4, through the C API: a bar on
 * a pin along z, its centre of mass beside the hinge or in its plane. */
#ifndef FREEPLAY_TESTS_PENDULUM_H
#define FREEPLAY_TESTS_PENDULUM_H

#include "tests/support.h"

#include "freeplay.h"

typedef struct Pendulum {
    double scale;     /* of all lengths */
    double clearance; /* radial, before scaling */
    double cmz;       /* height of the centre of mass over the middle of the bore */
    double thickness; /* of the bar along z */
    double mass;
} Pendulum;

static inline Pendulum revolute_pendulum(void) {
    return (Pendulum){.scale = 1, .clearance = 0.1, .cmz = 11.97, .thickness = 23.94, .mass = 2};
}

static inline Pendulum pendulum_54(void) {
    return (Pendulum){.scale = 1, .clearance = 0.1, .cmz = 0, .thickness = 20, .mass = 2};
}

static inline FpWorld* pendulum_world(const Pendulum* p) {
    FpMessage message = {0};
    FpWorldDef world_def = fp_world_def_default();
    world_def.gravity.y *= p->scale;
    FpWorld* world = fp_world_create(&world_def);
    FpBodyDef bar = fp_body_def_default();
    bar.name = "pendulum";
    bar.mass = p->mass;
    bar.position = fp_vec3(30.9 * p->scale, 0, p->cmz * p->scale);
    fp_inertia_box(bar.mass, 61.8 * p->scale, 10 * p->scale, p->thickness * p->scale, bar.inertia);
    FpRevoluteDef hinge = fp_revolute_def_default();
    hinge.joint.name = "hinge";
    assert_int_equal(fp_world_add_body(world, &bar, &hinge.joint.body[0], &message), FREEPLAY_OK);
    hinge.pin.given = true;
    hinge.bore.given = true;
    hinge.bore.origin = fp_vec3_scale(-1, bar.position);
    hinge.length = 20 * p->scale;
    hinge.radius = 5 * p->scale;
    hinge.clearance = p->clearance * p->scale;
    hinge.axial_clearance = 0.1 * p->scale;
    assert_int_equal(fp_revolute_add(world, &hinge, &message), FREEPLAY_OK);
    assert_int_equal(fp_world_finish(world, &message), FREEPLAY_OK);
    return world;
}

/* Runs to t_end; the state is the caller's. */
static inline FpTotals run_system(const FpSystem* system, const FpStepperDef* def, double t_end,
                                  FpState** state) {
    FpMessage message = {0};
    FpStepper* stepper = fp_stepper_create(system, def, &message);
    if (!stepper) fail_msg("%s", message.text);
    *state = fp_state_create(system);
    FpTotals totals;
    FpStatus status = fp_simulate(stepper, *state, t_end, NULL, &totals, &message);
    if (status) fail_msg("%s", message.text);
    fp_stepper_destroy(stepper);
    return totals;
}

static inline FpTotals pendulum_run(const FpWorld* world, const FpStepperDef* def, double t_end,
                                    FpState** state) {
    return run_system(fp_world_system(world), def, t_end, state);
}

#endif
