/* What the command refuses, how it says so, and how runs end that do not reach t_end. */
#include "tests/cli/program.h"

#define PENDULUM FREEPLAY_SOURCE_DIR "/examples/pendulum_clearance.json"
#define SLEEVE   FREEPLAY_SOURCE_DIR "/tests/models/sleeve.json"

/* Refused before a folder is made. */
static void assert_early(const char* const* arguments, int code, const char* opening,
                         const char* part) {
    assert_refused(arguments, code, opening, part);
    assert_false(file_exists("out"));
}

#define misused(part, ...) \
    assert_early((const char* const[]){__VA_ARGS__, NULL}, 2, "freeplay: ", part)
#define refused(opening, part, ...) \
    assert_early((const char* const[]){__VA_ARGS__, NULL}, 1, opening, part)

static void wrong_commands_are_refused(void** unused) {
    (void)unused;
    assert_early((const char* const[]){NULL}, 2, "freeplay: ", "try: freeplay --help");
    misused("did you mean 'check'?", "chek", PENDULUM);
    misused("'freeplay --help' lists", "simulate");
    misused("there is no command 'walk'", "help", "walk");
    misused("'more' is one argument too many", "help", "run", "more");
    misused("'more' is one argument too many", "--version", "more");
    misused("no model file is given", "run");
    misused("no model file is given", "run", "");
    misused("no model file is given", "check", "--set", "c=1mm");
    misused("no model file is given", "assemble");
    misused("'b.json' is one argument too many", "run", PENDULUM, "b.json");
    misused("'b.json' is one argument too many", "list", "b.json");
}

static void wrong_options_are_refused(void** unused) {
    (void)unused;
    misused("did you mean '--t-end'?", "run", PENDULUM, "--tend", "2s");
    misused("there is no option '--json'", "check", PENDULUM, "--json");
    misused("--out needs a value", "run", PENDULUM, "--out");
    misused("--json takes no value", "run", PENDULUM, "--json=1");
    misused("--h is given twice", "run", PENDULUM, "--h", "1ms", "--h", "2ms");
    misused("not NAME=VALUE", "run", PENDULUM, "--set", "c");
    misused("not NAME=VALUE", "run", PENDULUM, "--set", "=2mm");
}

static void wrong_values_are_refused(void** unused) {
    (void)unused;
    misused("a time", "run", PENDULUM, "--h", "2kg");
    misused("--t-end", "run", PENDULUM, "--t-end", "soon");
    misused("must be positive", "run", PENDULUM, "--h", "0");
    misused("must be positive", "run", PENDULUM, "--t-end=-1s");
    misused("--h-max", "run", PENDULUM, "--h-min", "1ms", "--h-max", "1e999");
    misused("whole number", "run", PENDULUM, "--every", "0");
    misused("whole number", "run", PENDULUM, "--every", "2.5");
    misused("whole number", "run", PENDULUM, "--every", "99999999999999999999");
    misused("possible: gauss", "run", PENDULUM, "--scheme", "euler");
    misused("possible: auto, structured, ipopt", "run", PENDULUM, "--solver", "magic");
    misused("possible: exact, linearized", "run", PENDULUM, "--rows", "lumped");
    misused("did you mean 'gauss'?", "run", PENDULUM, "--step", "gaus");
    misused("--theta is 1.5; it must be from 0 to 1", "run", PENDULUM, "--theta", "1.5");
    misused("--theta is -1; it must be from 0 to 1", "run", PENDULUM, "--theta=-1");
    misused("--theta: '1 mm'", "run", PENDULUM, "--theta", "1 mm");
}

static void options_that_contradict_each_other_are_refused(void** unused) {
    (void)unused;
    misused("--h and --h-min exclude", "run", PENDULUM, "--h", "1ms", "--h-min", "1ms");
    misused("--h and --h-max exclude", "run", PENDULUM, "--h", "1ms", "--h-max", "1ms");
    misused("--h and --step gauss exclude", "run", PENDULUM, "--h", "1ms", "--step", "gauss");
    misused("--h-min and --step fixed exclude", "run", PENDULUM, "--h-min", "1ms", "--step",
            "fixed");
    misused("--h-min needs --h-max", "run", PENDULUM, "--h-min", "1ms");
    misused("--h-max needs --h-min", "run", PENDULUM, "--h-max", "1ms");
    misused("must not be above", "run", PENDULUM, "--h-min", "2ms", "--h-max", "1ms");
    refused("freeplay: ", "rows: scheme 'rattle' has no linearized rows", "run", PENDULUM,
            "--scheme", "rattle", "--rows", "linearized");
    misused("--theta is for --scheme moreau only; this run has scheme gauss", "run", PENDULUM,
            "--theta", "1");
    misused("--projection is for --scheme moreau only; this run has scheme rattle", "run", PENDULUM,
            "--scheme", "rattle", "--projection");
    misused("--json and --quiet exclude", "run", PENDULUM, "--json", "--quiet");
}

static void wrong_models_are_refused_with_their_place(void** unused) {
    (void)unused;
    write_file("broken.json", "{\"name\": \"broken\",\n \"bodies\": [}\n");
    write_file("unknown.json", "{\"name\": \"unknown\",\n \"bodys\": []}\n");
    refused("missing.json: ", "no such file", "run", "missing.json");
    refused("missing.json: ", "no such file", "check", "missing.json");
    refused("broken.json:2:", "", "run", "broken.json");
    refused("broken.json:2:", "", "check", "broken.json");
    refused("unknown.json:2:2: ", "bodies", "run", "unknown.json");
    refused("freeplay: --set c=2kg: ", "length", "run", PENDULUM, "--set", "c=2kg");
    refused("freeplay: --set d=2: ", "no parameter 'd'", "check", PENDULUM, "--set", "d=2");
    refused(PENDULUM ":", "clearance", "run", PENDULUM, "--set", "c=-1mm");
    refused(PENDULUM ":", "mass", "check", PENDULUM, "--set", "m=0");
}

static void folders_that_cannot_be_made_are_refused(void** unused) {
    (void)unused;
    write_file("in_the_way", "");
    refused("freeplay: ", "in_the_way", "run", PENDULUM, "--t-end", "2ms", "--out", "in_the_way");
    refused("freeplay: ", "in_the_way", "run", PENDULUM, "--t-end", "2ms", "--out",
            "in_the_way/below");
}

/* Spins so fast that no step of 1 ms keeps its Euler parameters normalized: h |w| > 2. */
static const char spinning[] =
    "{\"name\": \"spinning\",\n"
    " \"bodies\": [{\"name\": \"top\", \"mass\": 1, \"inertia\": {\"sphere\": {\"radius\": 0.1}},\n"
    "             \"angular_velocity\": [0, 0, 5000]}],\n"
    " \"run\": {\"h\": \"1 ms\", \"t_end\": \"1 s\"}}\n";

static void a_failed_run_leaves_its_files_and_the_reason(void** unused) {
    (void)unused;
    write_file("spinning.json", spinning);
    Result result = run_freeplay("run", "spinning.json", "--out", "failed", "--quiet");
    assert_int_equal(result.code, 1);
    assert_string_equal(result.out, "");
    assert_contains(result.err, "freeplay: the run failed: ");
    assert_int_equal(count_lines(result.err), 1);
    result_free(&result);
    char* summary = read_whole_file("failed/summary.json");
    assert_null(strstr(summary, "\"status\": \"ok\""));
    assert_contains(summary, "\"reason\": ");
    free(summary);
    char* trajectory = read_whole_file("failed/trajectory.csv");
    assert_true(count_lines(trajectory) >= 2);
    free(trajectory);
}

/* It moves at 1 m/s towards the end of the rod, 5 cm ahead: tests/models/sleeve.json. */
static void a_body_that_leaves_its_joint_ends_the_run(void** unused) {
    (void)unused;
    Result result = run_freeplay("run", SLEEVE, "--out", "left", "--quiet");
    assert_int_equal(result.code, 1);
    assert_string_equal(result.out, "");
    assert_contains(result.err, "freeplay: the run failed: joint 'rod', row 1 (radial at P2), has "
                                "left what it slides on at t = 0.05 s");
    assert_int_equal(count_lines(result.err), 1);
    result_free(&result);
    char* events = read_whole_file("left/events.csv");
    assert_contains(events, ",rod,1,leave,");
    assert_int_equal(count_lines(events), 1 + 1);
    free(events);
    char* trajectory = read_whole_file("left/trajectory.csv");
    assert_int_equal(count_lines(trajectory), 1 + 1 + 50);
    free(trajectory);
    char* summary = read_whole_file("left/summary.json");
    assert_contains(summary, "\"status\": \"a body has left its joint\"");
    free(summary);
    char* plot = read_whole_file("left/plot.svg");
    assert_contains(plot, "ended early: ");
    free(plot);
}

static void wait_for_file(const char* path) {
    for (int i = 0; i < 1000 && !file_exists(path); i++) wait_milliseconds(10);
    assert_true(file_exists(path));
}

static void assert_cancelled(int signal_number, const char* directory) {
    char path[64];
    const char* const arguments[] = {"run",   PENDULUM,  "--t-end", "100000 s",
                                     "--out", directory, NULL};
    pid_t process = start_program(arguments, "caught.out", "caught.err");
    snprintf(path, sizeof path, "%s/trajectory.csv.part", directory);
    wait_for_file(path);
    wait_milliseconds(200);
    kill(process, signal_number);
    Result result = finish_program(process, "caught.out", "caught.err");
    assert_int_equal(result.code, 128 + signal_number);
    assert_contains(result.err, "freeplay: cancelled at t = ");
    assert_int_equal(count_lines(result.err), 1);
    result_free(&result);
    snprintf(path, sizeof path, "%s/summary.json", directory);
    char* summary = read_whole_file(path);
    assert_contains(summary, "\"status\": \"cancelled");
    free(summary);
    snprintf(path, sizeof path, "%s/trajectory.csv", directory);
    char* trajectory = read_whole_file(path);
    assert_true(count_lines(trajectory) > 2);
    free(trajectory);
}

static void a_signal_ends_the_run_and_keeps_what_was_computed(void** unused) {
    (void)unused;
    assert_cancelled(SIGINT, "interrupted");
    assert_cancelled(SIGTERM, "terminated");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_commands_are_refused),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(wrong_values_are_refused),
        cmocka_unit_test(options_that_contradict_each_other_are_refused),
        cmocka_unit_test(wrong_models_are_refused_with_their_place),
        cmocka_unit_test(folders_that_cannot_be_made_are_refused),
        cmocka_unit_test(a_failed_run_leaves_its_files_and_the_reason),
        cmocka_unit_test(a_body_that_leaves_its_joint_ends_the_run),
        cmocka_unit_test(a_signal_ends_the_run_and_keeps_what_was_computed),
    };
    return cmocka_run_group_tests(tests, enter_empty_folder, leave_folder);
}
