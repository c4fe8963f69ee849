#include "tests/support.h"

#include <locale.h>
#include <math.h>
#include <string.h>
#include "model/model.h"
#include "model/units.h"

static const double pi = 3.14159265358979323846;

static FpUnits* units;

static int create_units(void** unused) {
    (void)unused;
    return fp_units_create(&units, NULL);
}

static int destroy_units(void** unused) {
    (void)unused;
    fp_units_destroy(units);
    return 0;
}

static void assert_quantity(const char* text, double expected, const char* expected_unit) {
    FpQuantity quantity;
    FpMessage message = {0};
    if (fp_units_read_quantity(units, text, &quantity, &message) != FREEPLAY_OK)
        fail_msg("%s: %s", text, message.text);
    assert_near(quantity.value, expected, 1e-15 * fabs(expected));
    char unit[FREEPLAY_UNIT_ROOM];
    fp_quantity_unit(&quantity, unit);
    assert_string_equal(unit, expected_unit);
}

static void assert_refused(const char* text, const char* words) {
    FpQuantity quantity;
    FpMessage message = {0};
    if (fp_units_read_quantity(units, text, &quantity, &message) == FREEPLAY_OK)
        fail_msg("%s was accepted", text);
    if (!strstr(message.text, words)) fail_msg("%s: %s", text, message.text);
}

static void units_of_mechanics_become_si(void** unused) {
    (void)unused;
    assert_quantity("3", 3, "");
    assert_quantity("-1.5e2 m", -150, "m");
    assert_quantity("0.1 mm", 1e-4, "m");
    assert_quantity("5 \xC2\xB5m", 5e-6, "m");
    assert_quantity("2 in", 0.0508, "m");
    assert_quantity("1 thou", 2.54e-5, "m");
    assert_quantity("2 kg", 2, "kg");
    assert_quantity("250 g", 0.25, "kg");
    assert_quantity("1 t", 1000, "kg");
    assert_quantity("1 ms", 1e-3, "s");
    assert_quantity("2 min", 120, "s");
    assert_quantity("1.5 h", 5400, "s");
    assert_quantity("10 m/s", 10, "m/s");
    assert_quantity("36 km/h", 10, "m/s");
    assert_quantity("9.81 m/s^2", 9.81, "m/s^2");
    assert_quantity("9.81 m s-2", 9.81, "m/s^2");
    assert_quantity("1 gn", 9.80665, "m/s^2");
    assert_quantity("3 N", 3, "N");
    assert_quantity("3 kN", 3000, "N");
    assert_quantity("3 N m", 3, "N m");
    assert_quantity("3 Nm", 3, "N m");
    assert_quantity("3 N mm", 3e-3, "N m");
    assert_quantity("2 kg m^2", 2, "kg m^2");
    assert_quantity("7850 kg/m^3", 7850, "kg/m^3");
    assert_quantity("2 N/mm", 2000, "N/m");
    assert_quantity("50 Hz", 50, "1/s");
    assert_quantity("3 1/s", 3, "1/s");
    assert_quantity("20 %", 0.2, "1");
}

static void angles_have_units_of_their_own(void** unused) {
    (void)unused;
    assert_quantity("30 deg", pi / 6, "rad");
    assert_quantity("30 degrees", pi / 6, "rad");
    assert_quantity("30\xC2\xB0", pi / 6, "rad");
    assert_quantity("1 rev", 2 * pi, "rad");
    assert_quantity("100 gon", pi / 2, "rad");
    assert_quantity("2 mrad", 2e-3, "rad");
    assert_quantity("1500 rpm", 50 * pi, "rad/s");
    assert_quantity("90 deg/s", pi / 2, "rad/s");
    assert_quantity("90 dps", pi / 2, "rad/s");
}

/* 0.3 mm is the double nearest to 0.0003, not 0.3 times the one nearest to 0.001. */
static void decimal_fractions_are_rounded_once(void** unused) {
    (void)unused;
    FpQuantity quantity;
    const struct {
        const char* text;
        double value;
    } rows[] = {{"0.3 mm", 0.0003}, {"0.7 ms", 0.0007}, {"250 g", 0.25}, {"7 um", 7e-6}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(fp_units_read_quantity(units, rows[i].text, &quantity, NULL), FREEPLAY_OK);
        assert_near(quantity.value, rows[i].value, 0);
    }
}

static void units_that_make_no_sense_are_refused(void** unused) {
    (void)unused;
    assert_refused("2 mmm", "unknown unit 'mmm'; did you mean 'mm'?");
    assert_refused("2 newtn", "did you mean 'newton'?");
    assert_refused("2 xyzzy", "unknown unit 'xyzzy'; units are written as in");
    assert_refused("2 ton", "unknown unit 'ton'");
    assert_refused("20 celsius", "has a zero point of its own");
    assert_refused("20 dBZ", "has a zero point of its own or is logarithmic");
    assert_refused("20 K", "is no unit of mechanics");
    assert_refused("1 A", "is no unit of mechanics");
    assert_refused("1 m^99", "exponents up to 20");
    assert_refused("1 m 5", "contains a number");
    assert_refused("1 m^0.5", "contains a number");
    assert_refused("1 s since 2000-01-01", "contains a number");
    assert_refused("0. 1", "are two numbers");
    assert_refused("0x10", "unknown unit 'x10'");
    assert_refused("1 mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm",
                   "is too long");
}

static void numbers_that_make_no_sense_are_refused(void** unused) {
    (void)unused;
    assert_refused("", "does not begin with a number");
    assert_refused("mm", "does not begin with a number");
    assert_refused("nan m", "does not begin with a number");
    assert_refused("inf", "does not begin with a number");
    assert_refused("1,5 mm", "the decimal mark is a point");
    assert_refused("1e999 m", "too large or too small");
    assert_refused("1e-999 m", "too large or too small");
    assert_refused("1e308 km", "too large");
}

static void descriptions_name_the_dimension(void** unused) {
    (void)unused;
    const struct {
        const char *unit, *description;
    } rows[] = {{"mm", "a length (m)"},         {"N", "a force (N)"},
                {"deg", "an angle (rad)"},      {"rpm", "an angular velocity (rad/s)"},
                {"kg m", "a quantity in kg m"}, {"1", "a number without unit"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        FpQuantity unit;
        char text[80];
        size_t length = strlen(rows[i].unit);
        assert_int_equal(fp_units_read_unit(units, rows[i].unit, length, &unit, NULL), FREEPLAY_OK);
        fp_quantity_describe(&unit, text, sizeof text);
        assert_string_equal(text, rows[i].description);
    }
}

static void programs_can_parse_quantities(void** unused) {
    (void)unused;
    double value = -1;
    FpMessage message = {0};
    assert_int_equal(fp_quantity_parse("0.2 mm", "m", &value, &message), FREEPLAY_OK);
    assert_near(value, 2e-4, 0);
    assert_int_equal(fp_quantity_parse("0.5", "s", &value, NULL), FREEPLAY_OK);
    assert_near(value, 0.5, 0);
    assert_string_equal(message.text, "");
    assert_int_equal(fp_quantity_parse("2 kg", "s", &value, &message), FREEPLAY_INVALID_ARGUMENT);
    assert_string_equal(message.text, "'2 kg' is a mass (kg); a time (s) is needed here");
    assert_int_equal(fp_quantity_parse("two\nlines", "s", &value, &message),
                     FREEPLAY_INVALID_ARGUMENT);
    assert_null(strchr(message.text, '\n'));
    assert_int_equal(fp_quantity_parse(NULL, "s", &value, NULL), FREEPLAY_INVALID_ARGUMENT);
    assert_near(value, 0.5, 0);
}

static void quantities_have_a_point_in_a_comma_locale(void** unused) {
    (void)unused;
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) skip();
    double value = 0;
    FpStatus status = fp_quantity_parse("0.25 mm", "m", &value, NULL);
    FpStatus comma = fp_quantity_parse("0,25 mm", "m", &value, NULL);
    char point = *localeconv()->decimal_point;
    setlocale(LC_ALL, "C");
    assert_int_equal(status, FREEPLAY_OK);
    assert_int_equal(comma, FREEPLAY_INVALID_ARGUMENT);
    assert_near(value, 0.25e-3, 0);
    assert_int_equal(point, ',');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_of_mechanics_become_si),
        cmocka_unit_test(angles_have_units_of_their_own),
        cmocka_unit_test(decimal_fractions_are_rounded_once),
        cmocka_unit_test(units_that_make_no_sense_are_refused),
        cmocka_unit_test(numbers_that_make_no_sense_are_refused),
        cmocka_unit_test(descriptions_name_the_dimension),
        cmocka_unit_test(programs_can_parse_quantities),
        cmocka_unit_test(quantities_have_a_point_in_a_comma_locale),
    };
    return cmocka_run_group_tests(tests, create_units, destroy_units);
}
