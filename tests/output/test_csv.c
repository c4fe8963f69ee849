#include "tests/support.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "output/csv_impl.h"
#include "output/number_impl.h"

static void assert_exact(double x, const char* expected) {
    char text[FREEPLAY_NUMBER_SIZE];
    int length = fp_number_exact(x, text);
    assert_string_equal(text, expected);
    assert_int_equal(length, strlen(expected));
}

static void assert_same_bits(double x, double y) {
    assert_memory_equal(&x, &y, sizeof x);
}

/* In the C locale. */
static void assert_reads_back(double x) {
    char text[FREEPLAY_NUMBER_SIZE];
    fp_number_exact(x, text);
    assert_same_bits(strtod(text, NULL), x);
    char shorter[FREEPLAY_NUMBER_SIZE];
    snprintf(shorter, sizeof shorter, "%.*g", 15, x);
    if (strtod(shorter, NULL) == x) assert_true(strlen(text) <= strlen(shorter));
}

/* Any bits at all, the same in every run. */
static uint64_t next_bits(uint64_t* seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed ^ *seed >> 29;
}

static void numbers_take_their_shortest_form(void** unused) {
    (void)unused;
    assert_exact(0.0, "0");
    assert_exact(-0.0, "-0");
    assert_exact(1.0, "1");
    assert_exact(-120.0, "-120");
    assert_exact(0.1, "0.1");
    assert_exact(0.001, "0.001");
    assert_exact(-2.5e-5, "-2.5e-05");
    assert_exact(1e-7, "1e-07");
    assert_exact(123456.789, "123456.789");
    assert_exact(0.1 + 0.2, "0.30000000000000004");
    assert_exact(9.999999999999999e-06, "9.999999999999999e-06");
    assert_exact(1e22, "1e+22");
    assert_exact(999999999999999.0, "999999999999999");
}

static void numbers_that_are_not_finite_have_words(void** unused) {
    (void)unused;
    assert_exact(NAN, "nan");
    assert_exact(-NAN, "nan");
    assert_exact(INFINITY, "inf");
    assert_exact(-INFINITY, "-inf");
}

static void extreme_numbers_read_back(void** unused) {
    (void)unused;
    double extremes[] = {DBL_MAX,           DBL_MIN,          DBL_TRUE_MIN, DBL_EPSILON, 0x1p53,
                         0x1p53 - 1.0,      0x1p63,           1e15,         1e16,        1.0 / 3.0,
                         3.141592653589793, 1.0 + DBL_EPSILON};
    for (size_t i = 0; i < sizeof extremes / sizeof extremes[0]; i++) {
        assert_reads_back(extremes[i]);
        assert_reads_back(-extremes[i]);
        assert_reads_back(nextafter(extremes[i], 0.0));
    }
}

static void all_sorts_of_numbers_read_back(void** unused) {
    (void)unused;
    uint64_t seed = 1;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = next_bits(&seed);
        double any;
        memcpy(&any, &bits, sizeof any);
        if (isfinite(any)) assert_reads_back(any);
        assert_reads_back((double)(bits >> 11) * 0x1p-53);         /* below 1, as coordinates */
        assert_reads_back((double)(bits % 1000000) * 1e-3);        /* times k h */
        assert_reads_back((double)(int64_t)(bits >> (bits % 61))); /* integers */
    }
}

static bool has_comma_locale(void) {
    return setlocale(LC_ALL, "de_DE.UTF-8") && strcmp(localeconv()->decimal_point, ",") == 0;
}

static void numbers_have_a_point_in_a_comma_locale(void** unused) {
    (void)unused;
    if (!has_comma_locale()) {
        setlocale(LC_ALL, "C");
        skip();
    }
    char fast[FREEPLAY_NUMBER_SIZE], slow[FREEPLAY_NUMBER_SIZE], tiny[FREEPLAY_NUMBER_SIZE];
    char rounded[FREEPLAY_NUMBER_SIZE], fixed[FREEPLAY_NUMBER_SIZE];
    fp_number_exact(0.25, fast);
    fp_number_exact(0.1 + 0.2, slow);
    fp_number_exact(1.5e-200, tiny);
    fp_number_rounded(1.23456789, 6, rounded);
    fp_number_fixed(2.0, 2, fixed);
    setlocale(LC_ALL, "C");
    assert_string_equal(fast, "0.25");
    assert_string_equal(slow, "0.30000000000000004");
    assert_string_equal(tiny, "1.5e-200");
    assert_string_equal(rounded, "1.23457");
    assert_string_equal(fixed, "2.00");
}

static void assert_field(const char* text, const char* expected) {
    char written[128] = "";
    FILE* stream = tmpfile();
    assert_non_null(stream);
    fp_csv_text(stream, text);
    rewind(stream);
    size_t length = fread(written, 1, sizeof written - 1, stream);
    fclose(stream);
    written[length] = '\0';
    assert_string_equal(written, expected);
}

static void fields_are_quoted_when_they_must_be(void** unused) {
    (void)unused;
    assert_field("hinge", "hinge");
    assert_field("", "");
    assert_field("hinge of arm 2", "hinge of arm 2");
    assert_field("pin, left", "\"pin, left\"");
    assert_field("1\" pin", "\"1\"\" pin\"");
    assert_field("two\nlines", "\"two\nlines\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_take_their_shortest_form),
        cmocka_unit_test(numbers_that_are_not_finite_have_words),
        cmocka_unit_test(extreme_numbers_read_back),
        cmocka_unit_test(all_sorts_of_numbers_read_back),
        cmocka_unit_test(numbers_have_a_point_in_a_comma_locale),
        cmocka_unit_test(fields_are_quoted_when_they_must_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
