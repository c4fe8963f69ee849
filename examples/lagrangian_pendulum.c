/* A mechanism in coordinates of one's own: a pendulum in its joint angle, above a stop.
 *
 * Problem   A bob of 1 kg on a massless rod of 0.5 m is let go at 60 degrees. At the bottom it hits
 *           a stop, phi >= 0, with the restitution 0.7, and swings back up.
 * Shows     callbacks for mass, force and a row; a run of scheme rattle; an observer.
 * Outcome   It reaches the stop with w = sqrt(2 g (1 - cos phi0)/l) and rises again to the angle
 * whose 1 - cos is 0.7^2 of that of the first. Returns 1 if it is off by more than 0.1 degrees. */
#include <freeplay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GRAVITY     9.81 /* m/s^2 */
#define RESTITUTION 0.7
#define DEGREE      (3.14159265358979323846 / 180)

typedef struct Pendulum {
    double mass, length; /* kg, m */
} Pendulum;

/* Ends the program when a call was refused. */
static void check(FpStatus status, const FpMessage* message) {
    if (!status) return;
    fprintf(stderr, "%s: %s %s\n", fp_status_text(status), message->field, message->text);
    exit(EXIT_FAILURE);
}

/* m l^2 phi'' = -m g l sin phi */
static void mass(const void* context, const double* q, double* M) {
    (void)q;
    const Pendulum* p = context;
    M[0] = p->mass * p->length * p->length;
}

static void force(const void* context, double t, const double* q, const double* v, double* f) {
    (void)t, (void)v;
    const Pendulum* p = context;
    f[0] = -p->mass * GRAVITY * p->length * sin(q[0]);
}

static void stop_gap(const void* context, double t, const double* q, double* g) {
    (void)context, (void)t;
    g[0] = q[0];
}

static FpLagrangian* build_pendulum(Pendulum* pendulum, double start) {
    FpMessage message = {0};
    FpLagrangianDef def = fp_lagrangian_def_default(); /* one coordinate, q' = v */
    def.q_names = (const char* const[]){"phi"};
    def.q0 = &start;
    def.length = pendulum->length;
    def.constant_mass = true;
    def.context = pendulum;
    def.mass = mass;
    def.force = force;
    FpLagrangian* system = fp_lagrangian_create(&def, &message);
    if (!system) check(FREEPLAY_INVALID_ARGUMENT, &message);

    FpLagrangianRowsDef stop = fp_lagrangian_rows_def_default(); /* one row */
    stop.name = "stop";
    stop.rows = &(FpRow){
        .kind = FREEPLAY_ROW_UNILATERAL, .unit = FREEPLAY_ROW_ANGLE, .restitution = RESTITUTION};
    stop.value = stop_gap;
    check(fp_lagrangian_add_rows(system, &stop, &message), &message);
    check(fp_lagrangian_finish(system, &message), &message);
    return system;
}

/* An observer's function: the largest angle since the pendulum first went up. */
static FpStatus keep_rise(void* context, const FpState* state, const FpStepReport* report) {
    double* rise = context;
    if (report && (*rise > 0 || state->v[0] > 0)) *rise = fmax(*rise, state->q[0]);
    return FREEPLAY_OK;
}

int main(void) {
    FpMessage message = {0};
    const double start = 60 * DEGREE;
    Pendulum pendulum = {.mass = 1, .length = 0.5};
    FpLagrangian* lagrangian = build_pendulum(&pendulum, start);
    const FpSystem* system = fp_lagrangian_system(lagrangian);
    FpStepperDef def = fp_stepper_def_default();
    def.scheme = "rattle";
    FpStepper* stepper = fp_stepper_create(system, &def, &message);
    FpState* state = fp_state_create(system);
    if (!stepper || !state) check(FREEPLAY_INVALID_ARGUMENT, &message);

    double rise = 0, expected = acos(1 - RESTITUTION * RESTITUTION * (1 - cos(start)));
    FpObserver observer = {.context = &rise, .step = keep_rise};
    FpTotals totals;
    check(fp_simulate(stepper, state, 0.9, &observer, &totals, &message), &message);
    printf("rises to %.4f degrees; energy says %.4f\n", rise / DEGREE, expected / DEGREE);
    printf("largest penetration %.2e m\n", totals.max_penetration);

    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    fp_lagrangian_destroy(lagrangian);
    return fabs(rise - expected) <= 0.1 * DEGREE ? 0 : 1;
}
