#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/expression.h"

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

/* Parameters R = 2 m, t = 3 s, n = 5. */
static FpStatus find_value(void* context, const char* name, size_t length, FpQuantity* value,
                           FpMessage* message) {
    (void)context;
    const FpQuantity R = {.value = 2, .exponent = {[FREEPLAY_BASE_LENGTH] = 1}};
    const FpQuantity t = {.value = 3, .exponent = {[FREEPLAY_BASE_TIME] = 1}};
    if (length != 1 || !strchr("Rtn", *name))
        return fp_refuse(message, FREEPLAY_INVALID_MODEL, "no '%.*s'", (int)length, name);
    *value = *name == 'R' ? R : *name == 't' ? t : fp_quantity_plain(5);
    return FREEPLAY_OK;
}

static FpStatus read_value(const char* text, FpQuantity* value, FpMessage* message) {
    const FpNames names = {NULL, find_value};
    return fp_value_read(units, &names, text, value, message);
}

static void assert_value(const char* text, double expected, const char* expected_unit) {
    FpQuantity value;
    FpMessage message = {0};
    if (read_value(text, &value, &message) != FREEPLAY_OK) fail_msg("%s: %s", text, message.text);
    assert_near(value.value, expected, 1e-14 * fabs(expected));
    char unit[FREEPLAY_UNIT_ROOM];
    fp_quantity_unit(&value, unit);
    assert_string_equal(unit, expected_unit);
}

static void assert_refused(const char* text, const char* words) {
    FpQuantity value = fp_quantity_plain(-77);
    FpMessage message = {0};
    if (read_value(text, &value, &message) == FREEPLAY_OK) fail_msg("%s was accepted", text);
    if (!strstr(message.text, words)) fail_msg("%s: %s", text, message.text);
    assert_near(value.value, -77, 0);
}

static void quantities_parameters_and_expressions_are_values(void** unused) {
    (void)unused;
    assert_value("2.5", 2.5, "");
    assert_value("  0.1 mm ", 1e-4, "m");
    assert_value("0.2mm", 2e-4, "m");
    assert_value("$R", 2, "m");
    assert_value(" $R ", 2, "m");
    assert_value("=2*$R + 0.5 m", 4.5, "m");
    assert_value(" = 2 * $R ", 4, "m");
}

static void operators_have_their_usual_order(void** unused) {
    (void)unused;
    assert_value("=1+2*3", 7, "");
    assert_value("=(1+2)*3", 9, "");
    assert_value("=8/4/2", 1, "");
    assert_value("=7-4-2", 1, "");
    assert_value("=2^3^2", 512, "");
    assert_value("=-2^2", -4, "");
    assert_value("=(-2)^2", 4, "");
    assert_value("=2^-1", 0.5, "");
    assert_value("=2*-3", -6, "");
    assert_value("=--+3", 3, "");
    assert_value("=1e3+.5+2.", 1002.5, "");
}

static void functions_know_angles(void** unused) {
    (void)unused;
    assert_value("=sin(30 deg)", 0.5, "");
    assert_value("=cos(pi)", -1, "");
    assert_value("=tan(45 deg)", 1, "");
    assert_value("=asin(1)", pi / 2, "rad");
    assert_value("=acos(0)", pi / 2, "rad");
    assert_value("=atan(1)", pi / 4, "rad");
    assert_value("=atan2(1 m, -1 m)", 3 * pi / 4, "rad");
    assert_value("=atan2 ( $R , 2 )", pi / 4, "rad");
    assert_value("=exp(0)+log(1)", 1, "");
    assert_value("=sqrt(16 m^2)", 4, "m");
    assert_value("=abs(-$R)", 2, "m");
    assert_value("=min($R, 1 m, 3 m)", 1, "m");
    assert_value("=max($R, 1 m, 3 m)", 3, "m");
}

static void units_extend_as_far_as_their_names(void** unused) {
    (void)unused;
    assert_value("=2 m/s^2 * $t", 6, "m/s");
    assert_value("=2 m / s", 2, "m/s");
    assert_value("=3 kg m^2", 3, "kg m^2");
    assert_value("=3 N*m", 3, "N m");
    assert_value("=3 N.m", 3, "N m");
    assert_value("=6 m / $t", 2, "m/s");
    assert_value("=4 m / 2 s", 2, "m/s");
    assert_value("=2 m/min(1, 2)", 2, "m");
    assert_value("=1 min + 1 s", 61, "s");
    assert_value("=3*2 m", 6, "m");
    assert_value("=2 m*3 m", 6, "m^2");
    assert_value("=1 m^2 * 2 m", 2, "m^3");
}

static void dimensions_are_carried_through(void** unused) {
    (void)unused;
    assert_value("=$R^2", 4, "m^2");
    assert_value("=($R*$t)^0.5", sqrt(6), "m^0.5 s^0.5");
    assert_value("=$R/$R", 1, "1");
    assert_value("=$R/$t^2", 2.0 / 9, "m/s^2");
    assert_value("=$R + 1", 3, "m");
    assert_value("=1 + $R", 3, "m");
    assert_value("=$n*$R", 10, "m");
}

/* v = r omega: radians drop out of products, yet an angle is no plain number. */
static void radians_may_drop_out_of_products(void** unused) {
    (void)unused;
    assert_value("=$R * 3 rad/s + 1 m/s", 7, "m/s");
    assert_value("=2 rad/s * $t + 1 rad", 7, "rad");
    assert_refused("=1 rad + 2 m/m * 1 m", "must have the same dimension");
    assert_refused("=1 rad + 1 m/1 s", "must have the same dimension");
}

static void wrong_dimensions_are_refused(void** unused) {
    (void)unused;
    assert_refused("=$R + $t",
                   "'+' between a length (m) and a time (s) (character 5 of '=$R + $t')");
    assert_refused("=min($R, 1 s)", "'min' between a length (m) and a time (s)");
    assert_refused("=sin($R)", "'sin' of a length (m)");
    assert_refused("=asin(1 rad)", "a number without unit is needed");
    assert_refused("=exp(1 s)", "a number without unit is needed");
    assert_refused("=2^$R", "'exponent' of a length (m)");
}

static void syntax_errors_say_where(void** unused) {
    (void)unused;
    assert_refused("=", "ends too early (character 2 of '=')");
    assert_refused("=2*", "ends too early (character 4");
    assert_refused("=(1+2", "missing ')' (character 6");
    assert_refused("=1+2)", "an operator is missing or something is too much (character 5");
    assert_refused("=2 3", "an operator is missing or something is too much (character 4");
    assert_refused("=$R $R", "an operator is missing");
    assert_refused("=$", "'$' without a parameter name");
    assert_refused("=$1", "'$' without a parameter name");
    assert_refused("=*2", "unexpected '*'");
    assert_refused("=#", "unexpected '#'");
    assert_refused("=.", "unexpected '.'");
    assert_refused("=sin", "unexpected word 'sin'");
    assert_refused("=R", "parameters are written '$c'");
    assert_refused("=sine(1)",
                   "unknown function 'sine' (character 2 of '=sine(1)'); did you mean 'sin'?");
    assert_refused("=foo (1)", "unknown function 'foo'");
    assert_refused("=sin()", "unexpected ')'");
    assert_refused("=sin(1,2)", "wrong number of arguments of 'sin'");
    assert_refused("=atan2(1)", "wrong number of arguments of 'atan2'");
    assert_refused("=max(1,2,3,4,5,6,7,8,9)", "wrong number of arguments of 'max'");
    assert_refused("=sin(1", "missing ')'");
    assert_refused("=2 m^0.5", "the exponent of a unit must be a whole number");
    assert_refused("=2 mmm", "did you mean 'mm'? (character 4 of '=2 mmm')");
    assert_refused("$R + 1", "an expression begins with '='");
    assert_refused("2*$R", "an expression begins with '='");
    assert_refused("=$Q", "no 'Q'");
}

/* "µ" has two bytes. */
static void positions_count_characters(void** unused) {
    (void)unused;
    assert_value("=1 \xC2\xB5m", 1e-6, "m");
    assert_refused("=1 \xC2\xB5m + #", "unexpected '#' (character 9 of");
}

static void results_are_finite(void** unused) {
    (void)unused;
    assert_refused("=1/0", "division by zero");
    assert_refused("=1e999", "number too large or too small");
    assert_refused("=1e-999", "number too large or too small");
    assert_refused("=1e300*1e300", "the result of '*' is not a finite number");
    assert_refused("=1e300 m * 1e300", "the result of '*' is not a finite number");
    assert_refused("=10^400", "the result of '^' is not a finite number");
    assert_refused("=sqrt(-1)", "the result of 'sqrt' is not a finite number");
    assert_refused("=log(0)", "the result of 'log' is not a finite number");
    assert_refused("=(-8)^0.5", "the result of '^' is not a finite number");
    assert_refused("=(1 m)^1000", "the exponent of the unit becomes too large");
    assert_refused("=nan", "unexpected word 'nan'");
    assert_refused("inf", "does not begin with a number");
}

/* Text of `count` times `opening`, "1", and as many times `closing`. */
static char* nested(const char* opening, const char* closing, int count) {
    size_t size = (strlen(opening) + strlen(closing)) * (size_t)count + 3;
    char *text = malloc(size), *at = text;
    assert_non_null(text);
    at += sprintf(at, "=");
    for (int i = 0; i < count; i++) at += sprintf(at, "%s", opening);
    at += sprintf(at, "1");
    for (int i = 0; i < count; i++) at += sprintf(at, "%s", closing);
    return text;
}

static void nesting_is_limited_and_length_is_not(void** unused) {
    (void)unused;
    char* shallow = nested("(", ")", 90);
    char* deep = nested("(", ")", 100000);
    char* powers = nested("2^", "", 100000);
    char* calls = nested("sin(", ")", 100000);
    char* sum = nested("1+", "", 100000);
    assert_value(shallow, 1, "");
    assert_refused(deep, "nested too deeply");
    assert_refused(powers, "nested too deeply");
    assert_refused(calls, "nested too deeply");
    assert_value(sum, 100001, "");
    free(shallow);
    free(deep);
    free(powers);
    free(calls);
    free(sum);
}

static void names_of_parameters_are_found_in_a_text(void** unused) {
    (void)unused;
    const char *text = "=2*$R + $t_2/$R", *name;
    size_t at = 0, length;
    assert_true(fp_value_next_name(text, &at, &name, &length));
    assert_int_equal(length, 1);
    assert_true(fp_value_next_name(text, &at, &name, &length));
    assert_int_equal(length, 3);
    assert_memory_equal(name, "t_2", 3);
    assert_true(fp_value_next_name(text, &at, &name, &length));
    assert_false(fp_value_next_name(text, &at, &name, &length));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_parameters_and_expressions_are_values),
        cmocka_unit_test(operators_have_their_usual_order),
        cmocka_unit_test(functions_know_angles),
        cmocka_unit_test(units_extend_as_far_as_their_names),
        cmocka_unit_test(dimensions_are_carried_through),
        cmocka_unit_test(radians_may_drop_out_of_products),
        cmocka_unit_test(wrong_dimensions_are_refused),
        cmocka_unit_test(syntax_errors_say_where),
        cmocka_unit_test(positions_count_characters),
        cmocka_unit_test(results_are_finite),
        cmocka_unit_test(nesting_is_limited_and_length_is_not),
        cmocka_unit_test(names_of_parameters_are_found_in_a_text),
    };
    return cmocka_run_group_tests(tests, create_units, destroy_units);
}
