/* What `freeplay run`, `list` and the help print and leave behind. */
#include "tests/cli/program.h"

#include "freeplay.h"

#define PENDULUM FREEPLAY_SOURCE_DIR "/examples/pendulum_clearance.json"
#define REVOLUTE FREEPLAY_SOURCE_DIR "/examples/revolute_pendulum.json"
#define SLEEVE   FREEPLAY_SOURCE_DIR "/tests/models/sleeve.json"

static void help_explains_the_program_and_every_command(void** unused) {
    (void)unused;
    prints("Usage: freeplay COMMAND", "--help");
    prints("Usage: freeplay COMMAND", "-h");
    prints("Usage: freeplay COMMAND", "help");
    prints("Usage: freeplay run MODEL.json", "run", "--help");
    prints("Usage: freeplay run MODEL.json", "help", "run");
    prints("Usage: freeplay check MODEL.json", "check", "--help");
    prints("Usage: freeplay assemble MODEL.json", "assemble", "--help");
    prints("such values are not written", "assemble", "--help");
    prints("--assemble", "run", "--help");
    prints("Usage: freeplay list", "list", "--help");
    prints("  assemble  ", "--help");
    prints("Exit codes:", "run", "--help");
    prints("Examples:", "run", "--help");
    prints("--h-min TIME", "run", "--help");
}

static void help_of_run_tells_the_defaults(void** unused) {
    (void)unused;
    FpStepperDef def = fp_stepper_def_default();
    assert_string_equal(def.scheme, "gauss");
    assert_string_equal(def.strategy, "fixed");
    assert_string_equal(def.solver, "auto");
    assert_int_equal(def.rows, FREEPLAY_ROWS_EXACT);
    assert_near(def.h, 1e-3, 0);
    prints("scheme gauss, step fixed, h = 1 ms, rows exact, solver auto", "run", "--help");
}

static void version_names_freeplay_and_its_libraries(void** unused) {
    (void)unused;
    int count;
    char expected[80];
    const FpVersion* versions = fp_versions(&count);
    for (int i = 0; i < count; i++) {
        snprintf(expected, sizeof expected, "%s %s\n", versions[i].name, versions[i].version);
        prints(expected, "--version");
    }
}

static void list_names_every_choice(void** unused) {
    (void)unused;
    FpChoice choices[8];
    Result result = run_freeplay("list");
    assert_int_equal(result.code, 0);
    int count = fp_schemes(choices, 8);
    for (int i = 0; i < count; i++) assert_contains(result.out, choices[i].summary);
    count = fp_strategies(choices, 8);
    for (int i = 0; i < count; i++) assert_contains(result.out, choices[i].summary);
    count = fp_solvers(choices, 8);
    for (int i = 0; i < count; i++) assert_contains(result.out, choices[i].summary);
    const FpJointType* const* types = fp_joint_types(&count);
    for (int i = 0; i < count; i++) assert_contains(result.out, types[i]->summary);
    assert_contains(result.out, "linearized");
    result_free(&result);
}

static void list_of_fields_has_one_line_for_each(void** unused) {
    (void)unused;
    int count, loose_count, lines = 0;
    const FpJointType* const* types = fp_joint_types(&count);
    fp_joint_loose_fields(&loose_count);
    Result result = run_freeplay("list", "--fields");
    assert_int_equal(result.code, 0);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < types[i]->field_count; j++) {
            char name[128];
            snprintf(name, sizeof name, "%s.%s ", types[i]->name, types[i]->fields[j].name);
            assert_contains(result.out, name);
            assert_contains(result.out, types[i]->fields[j].help);
            lines++;
        }
        if (types[i]->is_loose) lines += loose_count;
    }
    assert_int_equal(count_lines(result.out), lines);
    assert_contains(result.out, "revolute.axial                           choice: stops, free");
    result_free(&result);
}

static void run_writes_its_files_and_a_summary(void** unused) {
    (void)unused;
    Result result = run_freeplay("run", PENDULUM, "--t-end", "5ms", "--h", "1 ms");
    assert_string_equal(result.err, "");
    assert_int_equal(result.code, 0);
    assert_contains(result.out, "pendulum_clearance until t = 5 ms");
    assert_contains(result.out, "5 of 1 ms");
    assert_contains(result.out, "out/pendulum_clearance: trajectory.csv");
    result_free(&result);
    char* trajectory = read_whole_file("out/pendulum_clearance/trajectory.csv");
    assert_int_equal(count_lines(trajectory), 1 + 6);
    free(trajectory);
    assert_true(file_exists("out/pendulum_clearance/events.csv"));
    assert_true(file_exists("out/pendulum_clearance/plot.svg"));
    char* summary = read_whole_file("out/pendulum_clearance/summary.json");
    assert_contains(summary, "\"status\": \"ok\"");
    assert_contains(summary, "\"steps\": 5,");
    free(summary);
}

static void json_prints_the_summary_and_nothing_else(void** unused) {
    (void)unused;
    Result result = run_freeplay("run", PENDULUM, "--t-end=5ms", "--json", "--out", "as_json");
    assert_string_equal(result.err, "");
    assert_int_equal(result.code, 0);
    char* summary = read_whole_file("as_json/summary.json");
    assert_string_equal(result.out, summary);
    assert_int_equal(result.out[0], '{');
    free(summary);
    result_free(&result);
}

static void quiet_prints_nothing(void** unused) {
    (void)unused;
    Result result = run_freeplay("run", PENDULUM, "--t-end", "5ms", "--quiet", "--out", "quiet");
    assert_int_equal(result.code, 0);
    assert_string_equal(result.out, "");
    assert_string_equal(result.err, "");
    assert_true(file_exists("quiet/trajectory.csv"));
    result_free(&result);
}

static void a_warning_is_printed_and_kept_in_the_summary(void** unused) {
    (void)unused;
    static const char warning[] =
        "scheme gauss knows neither friction nor restitution: joint 'rod'";
    Result result = run_freeplay("run", SLEEVE, "--t-end", "5ms", "--out", "warned");
    assert_int_equal(result.code, 0);
    assert_int_equal(strncmp(result.err, "warning: ", strlen("warning: ")), 0);
    assert_contains(result.err, warning);
    assert_int_equal(count_lines(result.err), 1);
    result_free(&result);
    char* summary = read_whole_file("warned/summary.json");
    assert_contains(summary, "\"warnings\": [\n    \"scheme gauss knows neither");
    free(summary);
    result = run_freeplay("run", SLEEVE, "--t-end", "5ms", "--out", "warned", "--quiet");
    assert_string_equal(result.err, "");
    result_free(&result);
    result = run_freeplay("run", PENDULUM, "--t-end", "5ms", "--json");
    assert_string_equal(result.err, "");
    assert_contains(result.out, "\"warnings\": []");
    result_free(&result);
}

static void every_thins_the_trajectory(void** unused) {
    (void)unused;
    Result result = run_freeplay("run", PENDULUM, "--t-end", "9ms", "--every", "4", "--quiet",
                                 "--out", "every");
    assert_int_equal(result.code, 0);
    /* Steps 0, 4, 8, and the last one, 9. */
    char* trajectory = read_whole_file("every/trajectory.csv");
    assert_int_equal(count_lines(trajectory), 1 + 4);
    free(trajectory);
    result_free(&result);
}

static void assert_step(const char* const* arguments, const char* step) {
    Result result = run_program(arguments);
    assert_string_equal(result.err, "");
    assert_int_equal(result.code, 0);
    assert_contains(result.out, step);
    result_free(&result);
}

#define has_step(step, ...) \
    assert_step((const char* const[]){"run", __VA_ARGS__, "--json", NULL}, "\"step\": \"" step "\"")

/* The same model with a step that varies. */
static void write_gauss_model(const char* path) {
    char* text = read_whole_file(PENDULUM);
    char* at = strstr(text, "\"step\": \"fixed\"");
    assert_non_null(at);
    memcpy(at, "\"step\": \"gauss\"", strlen("\"step\": \"gauss\""));
    write_file(path, text);
    free(text);
}

static void step_sizes_choose_the_strategy(void** unused) {
    (void)unused;
    write_gauss_model("gauss.json");
    has_step("fixed", PENDULUM, "--t-end", "4ms");
    has_step("fixed", PENDULUM, "--t-end", "4ms", "--h", "2ms");
    has_step("gauss", PENDULUM, "--t-end", "4ms", "--step", "gauss");
    has_step("gauss", PENDULUM, "--t-end", "4ms", "--h-min", "1ms", "--h-max", "2ms");
    has_step("gauss", "gauss.json", "--t-end", "4ms", "--h-max", "2ms");
    has_step("fixed", "gauss.json", "--t-end", "4ms", "--h", "2ms");
    has_step("fixed", "gauss.json", "--t-end", "4ms", "--step", "fixed");
}

static void options_choose_rows_and_solver(void** unused) {
    (void)unused;
    Result result = run_freeplay("run", PENDULUM, "--t-end", "2ms", "--rows", "linearized",
                                 "--solver", "ipopt", "--scheme", "gauss", "--json");
    assert_int_equal(result.code, 0);
    assert_contains(result.out, "\"rows\": \"linearized\"");
    assert_contains(result.out, "\"solver\": \"ipopt\"");
    result_free(&result);
}

static void two_runs_are_the_same_bit_for_bit(void** unused) {
    (void)unused;
    static const char* const folders[] = {"first", "second"};
    static const char* const files[] = {"trajectory.csv", "events.csv"};
    char path[64];
    for (int i = 0; i < 2; i++) {
        Result result =
            run_freeplay("run", REVOLUTE, "--t-end", "0.3 s", "--quiet", "--out", folders[i]);
        assert_int_equal(result.code, 0);
        result_free(&result);
    }
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "first/%s", files[i]);
        char* first = read_whole_file(path);
        snprintf(path, sizeof path, "second/%s", files[i]);
        char* second = read_whole_file(path);
        assert_true(strcmp(first, second) == 0);
        free(first);
        free(second);
    }
}

static void output_that_cannot_be_written_is_a_failure(void** unused) {
    (void)unused;
    static const char* const lists[][8] = {{"--help"},
                                           {"list"},
                                           {"check", PENDULUM},
                                           {"assemble", SLEEVE},
                                           {"run", PENDULUM, "--t-end", "2ms", "--json"}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        pid_t process = start_program(lists[i], "/dev/full", "caught.err");
        int code = exit_code(process);
        char* err = read_whole_file("caught.err");
        assert_int_equal(code, 1);
        assert_contains(err, "freeplay: cannot write to standard output: ");
        assert_int_equal(count_lines(err), 1);
        free(err);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_explains_the_program_and_every_command),
        cmocka_unit_test(help_of_run_tells_the_defaults),
        cmocka_unit_test(version_names_freeplay_and_its_libraries),
        cmocka_unit_test(list_names_every_choice),
        cmocka_unit_test(list_of_fields_has_one_line_for_each),
        cmocka_unit_test(run_writes_its_files_and_a_summary),
        cmocka_unit_test(json_prints_the_summary_and_nothing_else),
        cmocka_unit_test(quiet_prints_nothing),
        cmocka_unit_test(a_warning_is_printed_and_kept_in_the_summary),
        cmocka_unit_test(every_thins_the_trajectory),
        cmocka_unit_test(step_sizes_choose_the_strategy),
        cmocka_unit_test(options_choose_rows_and_solver),
        cmocka_unit_test(two_runs_are_the_same_bit_for_bit),
        cmocka_unit_test(output_that_cannot_be_written_is_a_failure),
    };
    return cmocka_run_group_tests(tests, enter_empty_folder, leave_folder);
}
