#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "cli/options.h"
#include "cli/text.h"

enum { OUT, SET, T_END, JSON, COUNT };

static const CliOption options[COUNT] = {
    [OUT] = {"out", "DIR", false, ""},
    [SET] = {"set", "NAME=VALUE", true, ""},
    [T_END] = {"t-end", "TIME", false, ""},
    [JSON] = {"json", NULL, false, ""},
};

enum { MOST_WORDS = 12 };

/* The words of a command line, each in memory of its own. */
typedef struct Line {
    int argc;
    char* argv[MOST_WORDS];
    char text[200];
    CliArguments arguments;
    FpMessage message;
    FpStatus status;
} Line;

static void parse(Line* line, const char* words) {
    *line = (Line){0};
    snprintf(line->text, sizeof line->text, "%s", words);
    for (char* word = strtok(line->text, " "); word; word = strtok(NULL, " "))
        line->argv[line->argc++] = word;
    line->status = cli_arguments_parse(options, COUNT, line->argc, line->argv, &line->arguments,
                                       &line->message);
}

static void assert_refused(const char* words, const char* because) {
    Line line;
    parse(&line, words);
    assert_int_equal(line.status, FREEPLAY_INVALID_ARGUMENT);
    assert_string_equal(line.message.text, because);
    cli_arguments_free(&line.arguments);
}

static void values_come_after_a_blank_or_an_equals_sign(void** unused) {
    (void)unused;
    Line line;
    parse(&line, "a.json --out here --t-end=2ms --json");
    assert_int_equal(line.status, FREEPLAY_OK);
    assert_string_equal(line.arguments.values[OUT], "here");
    assert_string_equal(line.arguments.values[T_END], "2ms");
    assert_string_equal(line.arguments.values[JSON], "");
    assert_null(line.arguments.values[SET]);
    assert_int_equal(line.arguments.file_count, 1);
    assert_string_equal(line.arguments.files[0], "a.json");
    cli_arguments_free(&line.arguments);
}

static void settings_are_kept_in_their_order(void** unused) {
    (void)unused;
    Line line;
    parse(&line, "--set c=1mm --set=m=2kg --set c=-3mm");
    assert_int_equal(line.status, FREEPLAY_OK);
    assert_int_equal(line.arguments.repeated_count, 3);
    assert_string_equal(line.arguments.repeated[0], "c=1mm");
    assert_string_equal(line.arguments.repeated[1], "m=2kg");
    assert_string_equal(line.arguments.repeated[2], "c=-3mm");
    cli_arguments_free(&line.arguments);
}

static void two_dashes_end_the_options(void** unused) {
    (void)unused;
    Line line;
    parse(&line, "--json -- --out -x");
    assert_int_equal(line.status, FREEPLAY_OK);
    assert_null(line.arguments.values[OUT]);
    assert_int_equal(line.arguments.file_count, 2);
    assert_string_equal(line.arguments.files[1], "-x");
    cli_arguments_free(&line.arguments);
}

static void help_is_found_behind_other_arguments(void** unused) {
    (void)unused;
    Line line;
    parse(&line, "a.json --json --help");
    assert_int_equal(line.status, FREEPLAY_OK);
    assert_true(line.arguments.help);
    cli_arguments_free(&line.arguments);
    parse(&line, "-h");
    assert_true(line.arguments.help);
    cli_arguments_free(&line.arguments);
}

static void unknown_options_bring_a_suggestion(void** unused) {
    (void)unused;
    assert_refused("--tend 2s", "there is no option '--tend'; did you mean '--t-end'?");
    assert_refused("--output=x", "there is no option '--output=x'; did you mean '--out'?");
    assert_refused("--JSON", "there is no option '--JSON'; did you mean '--json'?");
    assert_refused("-o x", "there is no option '-o'; did you mean '--out'?");
    assert_refused("--hepl", "there is no option '--hepl'; did you mean '--help'?");
    assert_refused("--velocity 3",
                   "there is no option '--velocity'; --help lists those that exist");
}

static void values_must_fit_the_option(void** unused) {
    (void)unused;
    assert_refused("--out", "option --out needs a value: --out DIR");
    assert_refused("--out=", "option --out needs a value: --out DIR");
    assert_refused("--out --json", "option --out needs a value: --out DIR");
    assert_refused("--json=yes", "option --json takes no value, but was given 'yes'");
}

static void only_some_options_may_be_repeated(void** unused) {
    (void)unused;
    assert_refused("--out a --out b", "option --out is given twice; once is enough");
    assert_refused("--json --json", "option --json is given twice; once is enough");
}

static void assert_quantity(double value, const char* expected) {
    assert_string_equal(cli_text_quantity(value, "m").text, expected);
}

static void quantities_have_a_unit_of_readable_size(void** unused) {
    (void)unused;
    assert_quantity(0, "0 m");
    assert_quantity(20, "20 m");
    assert_quantity(-0.1, "-100 mm");
    assert_quantity(0.00025, "250 um");
    assert_quantity(3.25e-11, "32.5 pm");
    assert_quantity(1e-15, "1e-15 m");
    assert_quantity(INFINITY, "inf m");
    assert_quantity(NAN, "nan m");
}

static void assert_duration(double seconds, const char* expected) {
    assert_string_equal(cli_text_duration(seconds).text, expected);
}

static void durations_are_readable(void** unused) {
    (void)unused;
    assert_duration(3.1e-5, "31 us");
    assert_duration(0.0123, "12.3 ms");
    assert_duration(0.9999, "1 s");
    assert_duration(12.34, "12.3 s");
    assert_duration(59.97, "1 min 0 s");
    assert_duration(125, "2 min 5 s");
    assert_duration(12000, "3 h 20 min");
    assert_duration(1e300, "ages");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_after_a_blank_or_an_equals_sign),
        cmocka_unit_test(settings_are_kept_in_their_order),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(help_is_found_behind_other_arguments),
        cmocka_unit_test(unknown_options_bring_a_suggestion),
        cmocka_unit_test(values_must_fit_the_option),
        cmocka_unit_test(only_some_options_may_be_repeated),
        cmocka_unit_test(quantities_have_a_unit_of_readable_size),
        cmocka_unit_test(durations_are_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
