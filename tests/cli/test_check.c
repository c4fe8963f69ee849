/* What `freeplay check` shows of a model, and what it warns of. */
#include "tests/cli/program.h"

#define PENDULUM     FREEPLAY_SOURCE_DIR "/examples/pendulum_clearance.json"
#define REVOLUTE     FREEPLAY_SOURCE_DIR "/examples/revolute_pendulum.json"
#define FOUR_BAR     FREEPLAY_SOURCE_DIR "/tests/models/parallelogram.json"
#define BALL         FREEPLAY_SOURCE_DIR "/tests/models/ball.json"
#define SLEEVE       FREEPLAY_SOURCE_DIR "/tests/models/sleeve.json"
#define FLOOR        FREEPLAY_SOURCE_DIR "/tests/models/ball_on_floor.json"
#define FRICTION     FREEPLAY_SOURCE_DIR "/examples/slider_crank_friction.json"
#define PLANAR_MOTOR FREEPLAY_SOURCE_DIR "/tests/models/planar_motor.json"

/* The inertia is that of the box 61.8 m x 10 m x 20 m of 2 kg: m/12 (y^2 + z^2), ... */
static void check_shows_what_was_understood(void** unused) {
    (void)unused;
    Result result = run_freeplay("check", PENDULUM, "--set", "c=50mm");
    assert_string_equal(result.err, "");
    assert_int_equal(result.code, 0);
    assert_contains(result.out, "model pendulum_clearance\n");
    assert_contains(result.out, "SI");
    assert_contains(result.out, "  c      0.05 m (by --set)\n");
    assert_contains(result.out, "  cmx    30.9 m\n");
    assert_contains(result.out, "2 kg\n");
    assert_contains(result.out, "(83.3333, 703.207, 653.207) kg m^2");
    assert_contains(result.out, "hinge: revolute, loose, bore on pendulum, pin on ground\n");
    assert_contains(result.out, "degrees of freedom: 6\n");
    assert_contains(result.out, "4 unilateral rows");
    assert_contains(result.out, "h = 0.001 s: 10000 steps\n");
    result_free(&result);
    assert_false(file_exists("out"));
    prints("model revolute_pendulum\n", "check", REVOLUTE);
}

/* A clearance of 0 makes the rows in that direction bilateral. */
static void check_tells_ideal_loose_and_mixed_joints_apart(void** unused) {
    (void)unused;
    prints("hinge: revolute, loose, bore on pendulum", "check", PENDULUM);
    prints("hinge: revolute, mixed, bore on pendulum", "check", PENDULUM, "--set", "ca=0");
    prints("hinge: revolute, mixed, bore on pendulum", "check", PENDULUM, "--set", "c=0");
    prints("hinge: revolute, ideal, bore on pendulum", "check", PENDULUM, "--set", "c=0", "--set",
           "ca=0");
    prints("0    unilateral  0.1 m      0.1 m             radial at P1\n", "check", PENDULUM);
    prints("4    bilateral  -          0 m               axial, z\n", "check", PENDULUM, "--set",
           "c=0", "--set", "ca=0");
}

/* The ball of 10 cm has its centre 50 cm above the floor. */
static void check_shows_no_clearance_of_a_contact(void** unused) {
    (void)unused;
    prints("0    unilateral  -          0.4 m             ball on plane\n", "check", FLOOR);
}

/* A hinge leaves a body in space one of its six freedoms. */
static void check_counts_the_freedom_of_an_ideal_joint(void** unused) {
    (void)unused;
    Result result = run_freeplay("check", PENDULUM, "--set", "c=0", "--set", "ca=0");
    assert_contains(result.out, "degrees of freedom: 1\n");
    assert_contains(result.out, "6 velocities of 1 body, less 5 independent of 5 bilateral rows; 0 "
                                "unilateral rows limit them\n");
    assert_null(strstr(result.out, "redundant"));
    result_free(&result);
}

/* Three planar links with four hinges have 3*3 - 4*2 = 1 degree of freedom. In space the loop
 * closes 20 of 18 freedoms: the last hinge finds its plane and both its tilts held already. */
static void check_names_the_redundant_rows_of_a_loop(void** unused) {
    (void)unused;
    Result result = run_freeplay("check", FOUR_BAR, "--set", "offset=0");
    assert_string_equal(result.err, "");
    assert_int_equal(result.code, 0);
    assert_contains(result.out, "degrees of freedom: 1\n");
    assert_contains(result.out, "less 17 independent of 20 bilateral rows");
    assert_contains(result.out, "redundant rows: 3, ");
    assert_contains(result.out, "\n  joint 'D', row 2 (radial at P2, x)\n"
                                "  joint 'D', row 3 (radial at P2, y)\n"
                                "  joint 'D', row 4 (axial, z)\n");
    result_free(&result);
}

static void check_shows_planar_bodies_in_words(void** unused) {
    (void)unused;
    Result result = run_freeplay("check", PLANAR_MOTOR);
    assert_string_equal(result.err, "");
    assert_int_equal(result.code, 0);
    assert_contains(result.out, "  arm: planar, moves in the plane z = 0\n");
    assert_contains(result.out, "moment about z    0.1 kg m^2\n");
    assert_contains(result.out, "position x, y     (0.5, 0) m\n");
    assert_contains(result.out, "angular velocity  10 rad/s\n");
    assert_contains(result.out, "angle           0.523599 rad\n"); /* 30 degrees */
    /* The hinge leaves the arm its angle, which the motor takes. */
    assert_contains(result.out, "degrees of freedom: 3\n");
    result_free(&result);
}

/* A driver connects no bodies of its own, and its row is an angle. */
static void check_shows_joints_between_joints_and_rows_in_radians(void** unused) {
    (void)unused;
    prints("  motor: driver, ideal, arm, ground\n", "check", PLANAR_MOTOR);
    prints("0    bilateral  -          0 rad             rotation\n", "check", PLANAR_MOTOR);
}

static void assert_warns(const char* const* arguments, int code, int lines, const char* part) {
    Result result = run_program(arguments);
    assert_int_equal(result.code, code);
    assert_contains(result.out, "degrees of freedom: ");
    assert_int_equal(strncmp(result.err, "warning: ", strlen("warning: ")), 0);
    assert_contains(result.err, part);
    assert_int_equal(count_lines(result.err), lines);
    result_free(&result);
}

#define warns(code, lines, part, ...) \
    assert_warns((const char* const[]){"check", __VA_ARGS__, NULL}, code, lines, part)

static void check_warns_of_contact_laws_that_the_scheme_leaves_out(void** unused) {
    (void)unused;
    warns(0, 1, "warning: scheme gauss knows neither friction nor restitution", SLEEVE);
    Result result = run_freeplay("check", SLEEVE);
    assert_contains(result.out, "    friction 0.2, restitution 0.5\n");
    result_free(&result);
}

/* A ball of 1 kg in a socket of its own, with whatever the joint needs besides. */
static void write_socket(const char* fields, const char* run) {
    char text[700];
    snprintf(text, sizeof text,
             "{\"bodies\": [{\"name\": \"b\", \"mass\": 1, "
             "\"inertia\": {\"sphere\": {\"radius\": 1}}}],\n"
             "\"joints\": [{\"type\": \"spherical\", \"name\": \"s\", "
             "\"between\": [\"b\", \"ground\"], \"ball\": [0, 0, 0], \"clearance\": 1e-3, "
             "%s}],\n\"run\": {%s}}",
             fields, run);
    write_file("socket.json", text);
}

static void check_shows_laws_of_contact(void** unused) {
    (void)unused;
    write_socket("\"friction\": 0.3", "\"scheme\": \"rattle\"");
    Result result = run_freeplay("check", "socket.json");
    assert_contains(result.out, "    friction 0.3, restitution 0\n    no radius is given: ");
    result_free(&result);
    write_socket("\"friction\": 0.3, \"tangential_restitution\": 0.25, \"radius\": 0.02, "
                 "\"friction_law\": \"coulomb-contensou\", \"contact_radius\": \"1 mm\"",
                 "\"scheme\": \"moreau\", \"theta\": 0.75, \"projection\": true");
    result = run_freeplay("check", "socket.json");
    assert_contains(result.out, "    friction 0.3 (with drilling), restitution 0, tangential "
                                "restitution 0.25\n    row ");
    assert_contains(result.out, "\n  theta = 0.75, with projection\n");
    assert_string_equal(result.err, "");
    result_free(&result);
    result = run_freeplay("check", FRICTION, "--set", "c=0");
    assert_contains(result.out, "    friction and restitution are given but have no effect: ");
    result_free(&result);
}

/* The ball has to go 3 mm along x and 4 mm along y, and to stop. */
static void check_warns_of_a_start_off_the_joints(void** unused) {
    (void)unused;
    warns(0, 2, "warning: joint 'socket': row 0 (centre, x) is open by 0.003 m at the start", BALL,
          "--set", "v=0");
    warns(0, 2, "warning: 'freeplay assemble' would move the bodies by up to 0.005 m\n", BALL,
          "--set", "v=0");
    warns(0, 1, "warning: the velocities at the start do not fit the ideal joints (2 m/s)", BALL,
          "--set", "x=0", "--set", "y=0");
}

static void check_counts_freedom_where_the_joints_are_closed(void** unused) {
    (void)unused;
    Result result = run_freeplay("check", FOUR_BAR);
    assert_int_equal(result.code, 0);
    assert_contains(result.err, "warning: joint 'C': row 1 (radial at P1, y) is open by 0.01 m");
    assert_contains(result.out, "degrees of freedom: 1\n");
    result_free(&result);
}

/* Links of 20, 40 and 20 cm cannot span 140 cm. */
static void check_refuses_what_cannot_be_assembled(void** unused) {
    (void)unused;
    warns(1, 2, "\nfreeplay: parallelogram: the joints cannot be closed together: ", FOUR_BAR,
          "--set", "reach=140cm");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_shows_what_was_understood),
        cmocka_unit_test(check_tells_ideal_loose_and_mixed_joints_apart),
        cmocka_unit_test(check_shows_no_clearance_of_a_contact),
        cmocka_unit_test(check_counts_the_freedom_of_an_ideal_joint),
        cmocka_unit_test(check_names_the_redundant_rows_of_a_loop),
        cmocka_unit_test(check_shows_planar_bodies_in_words),
        cmocka_unit_test(check_shows_joints_between_joints_and_rows_in_radians),
        cmocka_unit_test(check_warns_of_contact_laws_that_the_scheme_leaves_out),
        cmocka_unit_test(check_shows_laws_of_contact),
        cmocka_unit_test(check_warns_of_a_start_off_the_joints),
        cmocka_unit_test(check_counts_freedom_where_the_joints_are_closed),
        cmocka_unit_test(check_refuses_what_cannot_be_assembled),
    };
    return cmocka_run_group_tests(tests, enter_empty_folder, leave_folder);
}
