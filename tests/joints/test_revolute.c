/* The revolute joint: derivatives, gaps and contacts at known poses, refusals. */
#include <stdlib.h>
#include <string.h>
#include "tests/pendulum.h"

static double random_number(void) {
    return rand() / (double)RAND_MAX - 0.5;
}

/* Any two poses, not even normalized: the derivatives must hold there, too. */
static void random_pose(double q[7]) {
    for (int i = 0; i < 7; i++) q[i] = random_number();
    q[3] += 1;
}

static const FpConstraint* hinge_of(const FpWorld* world) {
    return fp_world_system(world)->constraints[0];
}

static void rows_have_the_derivatives_of_their_values(void** unused) {
    (void)unused;
    Pendulum pendulum = revolute_pendulum();
    pendulum.scale = 0.1;
    FpWorld* world = pendulum_world(&pendulum);
    const FpConstraint* c = hinge_of(world);
    srand(3);
    double q[14], J[4 * 14], ahead[4 * 14], behind[4 * 14], H[14 * 14] = {0};
    random_pose(q);
    random_pose(q + 7);
    const double* const blocks[2] = {q, q + 7};
    const double weight[4] = {0.3, -1.1, 0.7, 0.4};
    c->ops->jacobian(c, 0, blocks, J);
    c->ops->hessian(c, 0, blocks, weight, H);
    for (int j = 0; j < 14; j++) {
        double step = 1e-5, psi[2][4], centre = q[j];
        q[j] = centre + step;
        c->ops->value(c, 0, blocks, psi[0]);
        c->ops->jacobian(c, 0, blocks, ahead);
        q[j] = centre - step;
        c->ops->value(c, 0, blocks, psi[1]);
        c->ops->jacobian(c, 0, blocks, behind);
        q[j] = centre;
        for (int i = 0; i < 4; i++)
            assert_near((psi[0][i] - psi[1][i]) / (2 * step), J[14 * i + j],
                        1e-7 * (1 + fabs(J[14 * i + j])));
        for (int k = 0; k < 14; k++) {
            double sum = 0;
            for (int i = 0; i < 4; i++)
                sum += weight[i] * (ahead[14 * i + k] - behind[14 * i + k]) / (2 * step);
            assert_near(sum, H[14 * k + j], 1e-6 * (1 + fabs(sum)));
        }
    }
    fp_world_destroy(world);
}

static void gaps_and_contacts_are_those_of_the_pose(void** unused) {
    (void)unused;
    Pendulum pendulum = revolute_pendulum();
    FpWorld* world = pendulum_world(&pendulum);
    const FpSystem* system = fp_world_system(world);
    FpState* state = fp_state_create(system);
    double g[4];
    fp_state_gaps(system, state, g);
    for (int i = 0; i < 4; i++) assert_near(g[i], 0.1, 1e-14);
    FpContact contact;
    FpStatus status = fp_constraint_contact(system, hinge_of(world), 0, state->q, 0, &contact);
    assert_int_equal(status, FREEPLAY_OK);
    assert_near(fp_vec3_norm(contact.normal), 0, 0); /* concentric: no direction */

    /* Down by 0.06 and along +z by 0.03: the pin touches first on top of the bore. */
    state->q[1] -= 0.06;
    state->q[2] += 0.03;
    fp_state_gaps(system, state, g);
    assert_near(g[0], 0.04, 1e-14);
    assert_near(g[1], 0.04, 1e-14);
    assert_near(g[2], 0.13, 1e-14);
    assert_near(g[3], 0.07, 1e-14);
    fp_constraint_contact(system, hinge_of(world), 0, state->q, 1, &contact);
    assert_near(contact.normal.y, 1, 1e-14);
    assert_near(contact.point.y, -0.06 + 5, 1e-13);
    assert_near(contact.point.z, 10.03, 1e-13);
    assert_near(contact.gap, 0.04, 1e-14);
    assert_int_not_equal(fp_constraint_contact(system, hinge_of(world), 0, state->q, 4, &contact),
                         FREEPLAY_OK);
    fp_state_destroy(state);
    fp_world_destroy(world);
}

static void refuse(void (*spoil)(FpRevoluteDef*), const char* field) {
    FpWorldDef world_def = fp_world_def_default();
    FpWorld* world = fp_world_create(&world_def);
    FpBodyDef body = fp_body_def_default();
    body.name = "body";
    body.mass = 1;
    fp_inertia_sphere(1, 1, body.inertia);
    FpRevoluteDef def = fp_revolute_def_default();
    assert_int_equal(fp_world_add_body(world, &body, &def.joint.body[0], NULL), FREEPLAY_OK);
    def.joint.name = "hinge";
    def.bore.given = true;
    def.length = 1;
    def.clearance = def.axial_clearance = 0.1;
    spoil(&def);
    FpMessage message = {0};
    assert_int_equal(fp_revolute_add(world, &def, &message), FREEPLAY_INVALID_ARGUMENT);
    assert_string_equal(message.field, field);
    fp_world_destroy(world);
}

static void no_length(FpRevoluteDef* def) {
    def->length = 0;
}
static void negative_clearance(FpRevoluteDef* def) {
    def->clearance = -1e-3;
}
static void infinite_axial_clearance(FpRevoluteDef* def) {
    def->axial_clearance = INFINITY;
}
static void no_axis(FpRevoluteDef* def) {
    def->bore.axis = fp_vec3(0, 0, 0);
}
static void no_frame(FpRevoluteDef* def) {
    def->bore.given = false;
}
static void same_body(FpRevoluteDef* def) {
    def->joint.body[1] = def->joint.body[0];
}

static void impossible_joints_are_refused(void** unused) {
    (void)unused;
    refuse(no_length, "length");
    refuse(negative_clearance, "clearance");
    refuse(infinite_axial_clearance, "axial_clearance");
    refuse(no_axis, "bore");
    refuse(no_frame, "bore");
    refuse(same_body, "between");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_have_the_derivatives_of_their_values),
        cmocka_unit_test(gaps_and_contacts_are_those_of_the_pose),
        cmocka_unit_test(impossible_joints_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
