/* The first program: a pendulum on a loose pin, built and simulated through the C API.
 *
 * Problem   A bar of 2 kg turns about a horizontal pin along z. Between bore and pin there is a
 *           radial clearance c = 0.1 m and an axial one of 0.1 m on each side; the bore starts
 *           concentric with the pin, at rest. The data are those of revolute_pendulum.json.
 * Shows     def structs, a world, a stepper, a state, an observer that is told of events, and the
 *           totals that say how exact the run was.
 * Outcome   Nothing touches at first, so the bar falls freely: the bore reaches the pin after
 *           sqrt(2 c/g) = 0.14278 s, and the end nearer the centre of mass (row 1) takes the
 *           impact. Returns 1 if the first impact is more than 2 ms away from that. */
#include <freeplay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CLEARANCE 0.1  /* m */
#define GRAVITY   9.81 /* m/s^2 */
#define T_END     0.5  /* s */

/* Ends the program when a call was refused. */
static void check(FpStatus status, const FpMessage* message) {
    if (!status) return;
    fprintf(stderr, "%s: %s %s\n", fp_status_text(status), message->field, message->text);
    exit(EXIT_FAILURE);
}

static FpWorld* build_pendulum(void) {
    const double mass = 2, cmx = 30.9, cmz = 11.97, radius = 5; /* kg, m */
    FpMessage message = {0};

    FpWorldDef world_def = fp_world_def_default();
    world_def.gravity = fp_vec3(0, -GRAVITY, 0);
    FpWorld* world = fp_world_create(&world_def);
    if (!world) check(FREEPLAY_OUT_OF_MEMORY, &message);

    FpBodyDef body = fp_body_def_default();
    body.name = "pendulum";
    body.mass = mass;
    fp_inertia_box(mass, 2 * cmx, 2 * radius, 2 * cmz, body.inertia);
    body.position = fp_vec3(cmx, 0, cmz);
    FpBodyId pendulum;
    check(fp_world_add_body(world, &body, &pendulum, &message), &message);

    /* The bore belongs to the pendulum, the pin to the ground; both lie in the origin at first. */
    FpRevoluteDef hinge = fp_revolute_def_default();
    hinge.joint.name = "hinge";
    hinge.joint.body[0] = pendulum;
    hinge.joint.body[1] = FREEPLAY_GROUND;
    hinge.bore =
        (FpFrameDef){.given = true, .origin = fp_vec3(-cmx, 0, -cmz), .axis = fp_vec3(0, 0, 1)};
    hinge.pin = (FpFrameDef){.given = true, .axis = fp_vec3(0, 0, 1)};
    hinge.length = 20;
    hinge.radius = radius;
    hinge.clearance = CLEARANCE;
    hinge.axial_clearance = 0.1;
    check(fp_revolute_add(world, &hinge, &message), &message);

    check(fp_world_finish(world, &message), &message);
    return world;
}

/* An observer's function: keeps the first impact of a run. */
static FpStatus keep_first_impact(void* context, const FpEvent* event) {
    FpEvent* first = context;
    if (event->kind == FREEPLAY_EVENT_IMPACT && first->t < 0) *first = *event;
    return FREEPLAY_OK;
}

static void print_state(const FpSystem* system, const FpState* state) {
    double* gaps = calloc((size_t)system->row_count, sizeof *gaps);
    if (!gaps) check(FREEPLAY_OUT_OF_MEMORY, &(FpMessage){0});
    fp_state_gaps(system, state, gaps);
    printf("t = %g s after %ld steps\n", state->t, state->step);
    printf("position  %.6f %.6f %.6f m\n", state->q[0], state->q[1], state->q[2]);
    for (int i = 0; i < system->row_count; i++)
        printf("row %d     gap %12.5e m   force %12.5e N\n", i, gaps[i], state->lambda[i]);
    free(gaps);
}

int main(void) {
    FpMessage message = {0};
    FpWorld* world = build_pendulum();
    const FpSystem* system = fp_world_system(world);

    FpStepperDef stepper_def = fp_stepper_def_default();
    stepper_def.h = 1e-3;
    FpStepper* stepper = fp_stepper_create(system, &stepper_def, &message);
    if (!stepper) check(FREEPLAY_INVALID_ARGUMENT, &message);
    FpState* state = fp_state_create(system);
    if (!state) check(FREEPLAY_OUT_OF_MEMORY, &message);

    FpEvent impact = {.t = -1};
    FpObserver observer = {.context = &impact, .event = keep_first_impact};
    FpTotals totals;
    check(fp_simulate(stepper, state, T_END, &observer, &totals, &message), &message);

    print_state(system, state);
    double expected = sqrt(2 * CLEARANCE / GRAVITY);
    bool right = fabs(impact.t - expected) <= 2e-3;
    if (impact.t < 0)
        printf("no impact, although one was due at %.5f s\n", expected);
    else
        printf("impact    row %d at t = %.5f s with %.4f m/s; free fall gives %.5f s\n", impact.row,
               impact.t, impact.speed, expected);
    printf("largest penetration %.2e m, largest certificate %.2e\n", totals.max_penetration,
           totals.max_certificate);

    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    fp_world_destroy(world);
    return right ? 0 : 1;
}
