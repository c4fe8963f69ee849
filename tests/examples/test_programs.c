/* The nonsmooth examples as programs: their options, files and refusals. */
static char program_path[1024];
#undef FREEPLAY_PROGRAM
#define FREEPLAY_PROGRAM program_path
#include "tests/cli/program.h"

/* What follows runs this program. */
static void choose(const char* name) {
    snprintf(program_path, sizeof program_path, "%s/%s", FREEPLAY_EXAMPLES, name);
}

static void help_of_every_program_teaches_its_options(void** unused) {
    (void)unused;
    static const char* const names[] = {"bouncing_ball", "slider_crank_slot", "mass_on_slope",
                                        "tippedisk",     "cam_follower",      "painleve_rod"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        choose(names[i]);
        prints("--scheme NAME", "--help");
        prints("Without --h and --t-end: h = ", "-h");
    }
    prints("--case NAME", "--help");
    choose("cam_follower");
    prints("(default: 358)", "--help");
}

static void a_run_leaves_its_files_with_the_paper_s_names(void** unused) {
    (void)unused;
    choose("cam_follower");
    prints("impact", "--out", "cam", "--t-end", "0.1");
    char* trajectory = read_whole_file("cam/trajectory.csv");
    char* end = strchr(trajectory, '\n');
    assert_non_null(end);
    *end = '\0';
    assert_contains(trajectory, "t,h,u,v_u,");
    assert_int_equal(count_lines(end + 1), 1001);
    assert_true(file_exists("cam/events.csv"));
    assert_true(file_exists("cam/plot.svg"));
    char* summary = read_whole_file("cam/summary.json");
    assert_contains(summary, "\"model\": \"cam_follower, case A\"");
    Result again = run_freeplay("--json", "--every=500", "--t-end", "0.1", "--out=again");
    assert_int_equal(again.code, 0);
    assert_contains(again.out, "\"model\": \"cam_follower, case A\"");
    char* thinned = read_whole_file("again/trajectory.csv");
    assert_int_equal(count_lines(thinned), 4);
    free(trajectory);
    free(summary);
    free(thinned);
    result_free(&again);
}

static void options_change_the_run(void** unused) {
    (void)unused;
    choose("cam_follower");
    prints("cam_follower, case B: scheme moreau, h = 0.0002 s, 50 steps until t = 0.01 s", "--case",
           "B", "--scheme", "moreau", "--h", "2e-4", "--t-end", "0.01");
    assert_true(file_exists("out/cam_follower_B/trajectory.csv"));
    prints("impact", "--rpm", "660", "--t-end", "0.1");
    choose("bouncing_ball");
    prints("x 0  y 0.50", "--t-end", "0.3162");
}

static void sections_have_one_point_per_turn(void** unused) {
    (void)unused;
    choose("cam_follower");
    prints("40 turns", "--rpm", "600", "--t-end", "4", "--section", "section.csv");
    char* csv = read_whole_file("section.csv");
    char* svg = read_whole_file("section.csv.svg");
    assert_int_equal(count_lines(csv), 1 + 41);
    assert_contains(csv, "turn,t,u,v_u\n0,0,0.1");
    assert_contains(svg, "</svg>");
    free(csv);
    free(svg);
}

#define refuses(code, part, ...) \
    assert_refused((const char* const[]){__VA_ARGS__, NULL}, code, "cam_follower: ", part)

static void wrong_options_are_refused_in_one_line(void** unused) {
    (void)unused;
    choose("cam_follower");
    refuses(2, "'--colour' is no option", "--colour");
    refuses(2, "'--h' needs a value", "--h");
    refuses(2, "'more' is no option", "more");
    refuses(2, "--h is '0'; it must be a positive number", "--h", "0");
    refuses(2, "--rpm is '-1'", "--rpm", "-1");
    refuses(2, "--t-end is '1 s'", "--t-end", "1 s");
    refuses(2, "--every is '1.5'", "--every", "1.5");
    refuses(2, "--case is 'C'; it must be one of A, B", "--case", "C");
    refuses(1, "there is no 'euler'", "--scheme", "euler");
    refuses(1, "a section needs more than 20 turns", "--section", "f", "--t-end", "1");
    refuses(1, "cannot write no/f", "--section", "no/f", "--t-end", "4", "--rpm", "600");
    assert_false(file_exists("f"));
    assert_false(file_exists("out"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_of_every_program_teaches_its_options),
        cmocka_unit_test(wrong_options_are_refused_in_one_line),
        cmocka_unit_test(a_run_leaves_its_files_with_the_paper_s_names),
        cmocka_unit_test(options_change_the_run),
        cmocka_unit_test(sections_have_one_point_per_turn),
    };
    return cmocka_run_group_tests(tests, enter_empty_folder, leave_folder);
}
