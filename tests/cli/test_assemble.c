/* `freeplay assemble`, and `freeplay run --assemble`. */
#include "tests/cli/program.h"

#include <jansson.h>

#define FOUR_BAR     FREEPLAY_SOURCE_DIR "/tests/models/parallelogram.json"
#define BALL         FREEPLAY_SOURCE_DIR "/tests/models/ball.json"
#define PLANAR_MOTOR FREEPLAY_SOURCE_DIR "/tests/models/planar_motor.json"

/* The ball goes straight to its socket, 3 mm along x and 4 mm along y, stops and keeps its spin. */
static void assemble_shows_how_far_it_went(void** unused) {
    (void)unused;
    Result result = run_freeplay("assemble", BALL);
    assert_string_equal(result.err, "");
    assert_int_equal(result.code, 0);
    assert_contains(result.out, "ball, assembled\n");
    assert_contains(result.out, "largest violation   4 mm before, ");
    assert_contains(result.out, "bodies moved        by up to 5 mm\n");
    assert_contains(result.out, "velocities changed  by up to 2 m/s\n");
    assert_contains(result.out, "position          (1, 0, 0) m\n");
    assert_contains(result.out, "velocity          (0, 0, 0) m/s\n");
    assert_contains(result.out, "angular velocity  (0, 0, 1) rad/s (body frame)\n");
    result_free(&result);
    prints("bodies moved        by up to 4 mm\n", "assemble", BALL, "--set", "x=0");
}

static json_t* assembled_json(const char* path) {
    Result result = run_freeplay("assemble", path, "--json");
    assert_string_equal(result.err, "");
    assert_int_equal(result.code, 0);
    json_t* root = json_loads(result.out, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    result_free(&result);
    return root;
}

static double number_at(const json_t* object, const char* key) {
    return json_number_value(json_object_get(object, key));
}

static void assert_numbers(const json_t* object, const char* key, size_t count,
                           const double* expected) {
    json_t* numbers = json_object_get(object, key);
    assert_int_equal(json_array_size(numbers), count);
    for (size_t i = 0; i < count; i++)
        assert_near(json_number_value(json_array_get(numbers, i)), expected[i], 1e-12);
}

static void json_tells_the_same_in_full_precision(void** unused) {
    (void)unused;
    json_t* root = assembled_json(BALL);
    assert_near(number_at(root, "before"), 4e-3, 1e-15);
    assert_near(number_at(root, "after"), 0, 1e-15);
    assert_near(number_at(root, "moved"), 5e-3, 1e-12);
    assert_near(number_at(root, "speed_changed"), 2, 1e-12);
    const json_t* ball = json_array_get(json_object_get(root, "bodies"), 0);
    assert_string_equal(json_string_value(json_object_get(ball, "name")), "ball");
    assert_numbers(ball, "position", 3, (double[]){1, 0, 0});
    assert_numbers(ball, "orientation", 4, (double[]){1, 0, 0, 0});
    assert_numbers(ball, "velocity", 3, (double[]){0, 0, 0});
    assert_numbers(ball, "angular_velocity", 3, (double[]){0, 0, 1});
    json_decref(root);
}

/* It starts assembled, so nothing moves. */
static void json_gives_planar_bodies_an_angle(void** unused) {
    (void)unused;
    json_t* root = assembled_json(PLANAR_MOTOR);
    assert_near(number_at(root, "moved"), 0, 0);
    const json_t* weight = json_array_get(json_object_get(root, "bodies"), 1);
    assert_numbers(weight, "position", 2, (double[]){1, -0.5});
    assert_near(number_at(weight, "angle"), 0.5235987755982988, 1e-15); /* 30 degrees */
    assert_numbers(weight, "velocity", 2, (double[]){0, 0});
    assert_near(number_at(weight, "angular_velocity"), 0, 0);
    json_decref(root);
}

/* The file that `run` refuses becomes one that it takes; the parameters are still there. */
static void out_writes_a_model_that_starts_assembled(void** unused) {
    (void)unused;
    Result result = run_freeplay("run", FOUR_BAR);
    assert_int_equal(result.code, 1);
    assert_contains(result.err, "parallelogram.json:40:9: joints[2]: joint 'C': ");
    assert_contains(result.err, "let 'assemble' do it");
    result_free(&result);
    prints("written: closed.json\n", "assemble", FOUR_BAR, "--out", "closed.json");
    prints("degrees of freedom: 1\n", "check", "closed.json");
    prints("10 of 1 ms", "run", "closed.json");
    char* text = read_whole_file("closed.json");
    assert_contains(text, "\"offset\": \"10 mm\",\n");
    assert_contains(text, "\"pin\": {\"at\": [\"$reach\", 0, 0], \"axis\": [0, 0, 1]},\n");
    free(text);
    prints("bodies moved        by up to 0 m\n", "assemble", "closed.json");
}

#define refused(code, opening, part, ...) \
    assert_refused((const char* const[]){__VA_ARGS__, NULL}, code, opening, part)

static void files_are_never_overwritten(void** unused) {
    (void)unused;
    write_file("mine.json", "mine");
    refused(1, "mine.json: ", "exists already", "assemble", BALL, "--out", "mine.json");
    char* text = read_whole_file("mine.json");
    assert_string_equal(text, "mine");
    free(text);
    char* model = read_whole_file(BALL);
    write_file("ball.json", model);
    refused(1, "ball.json: ", "exists already", "assemble", "ball.json", "--out", "ball.json");
    text = read_whole_file("ball.json");
    assert_string_equal(text, model);
    free(text);
    free(model);
    refused(1, "nowhere/new.json: ", "could not be written", "assemble", BALL, "--out",
            "nowhere/new.json");
}

static void values_of_set_are_not_written(void** unused) {
    (void)unused;
    refused(2, "freeplay: ", "--out and --set exclude each other", "assemble", BALL, "--set", "x=0",
            "--out", "set.json");
    assert_false(file_exists("set.json"));
}

/* Links of 20, 40 and 20 cm cannot span 140 cm. */
static void an_impossible_loop_is_refused_with_its_joint(void** unused) {
    (void)unused;
    static const char reason[] = "the joints cannot be closed together: the nearest that was found "
                                 "leaves joint '";
    refused(1, "freeplay: parallelogram: ", reason, "assemble", FOUR_BAR, "--set", "reach=140cm");
    refused(1, "freeplay: parallelogram: ", reason, "run", FOUR_BAR, "--assemble", "--set",
            "reach=140cm", "--out", "never");
    assert_false(file_exists("never"));
}

static void run_assembles_before_the_first_step(void** unused) {
    (void)unused;
    Result result = run_freeplay("run", BALL, "--assemble", "--out", "moved");
    assert_string_equal(result.err, "");
    assert_int_equal(result.code, 0);
    assert_contains(result.out, "assembled: the bodies moved by up to 5 mm; largest violation 4 mm "
                                "before, ");
    result_free(&result);
    json_t* summary = json_load_file("moved/summary.json", 0, NULL);
    const json_t* assembled = json_object_get(summary, "assembled");
    assert_near(number_at(assembled, "moved"), 5e-3, 1e-12);
    assert_near(number_at(assembled, "before"), 4e-3, 1e-15);
    assert_near(number_at(assembled, "after"), 0, 1e-15);
    assert_near(number_at(assembled, "speed_changed"), 2, 1e-12);
    json_decref(summary);
    char* trajectory = read_whole_file("moved/trajectory.csv");
    double t, h, x, y;
    const char* first_row = strchr(trajectory, '\n');
    assert_int_equal(sscanf(first_row, "%lf,%lf,%lf,%lf", &t, &h, &x, &y), 4);
    assert_near(t, 0, 0);
    assert_near(x, 1, 1e-12);
    assert_near(y, 0, 1e-12);
    free(trajectory);
}

static void run_says_nothing_of_an_assembly_unless_asked(void** unused) {
    (void)unused;
    Result result = run_freeplay("run", BALL, "--assemble", "--out", "silent", "--quiet");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.out, "");
    assert_string_equal(result.err, "");
    result_free(&result);
    result = run_freeplay("run", BALL, "--assemble", "--out", "silent", "--json");
    assert_int_equal(result.out[0], '{');
    assert_contains(result.out, "\"assembled\": {");
    result_free(&result);
    result = run_freeplay("run", PLANAR_MOTOR, "--t-end", "5ms", "--json");
    assert_int_equal(result.code, 0);
    assert_null(strstr(result.out, "\"assembled\""));
    result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assemble_shows_how_far_it_went),
        cmocka_unit_test(json_tells_the_same_in_full_precision),
        cmocka_unit_test(json_gives_planar_bodies_an_angle),
        cmocka_unit_test(out_writes_a_model_that_starts_assembled),
        cmocka_unit_test(files_are_never_overwritten),
        cmocka_unit_test(values_of_set_are_not_written),
        cmocka_unit_test(an_impossible_loop_is_refused_with_its_joint),
        cmocka_unit_test(run_assembles_before_the_first_step),
        cmocka_unit_test(run_says_nothing_of_an_assembly_unless_asked),
    };
    return cmocka_run_group_tests(tests, enter_empty_folder, leave_folder);
}
