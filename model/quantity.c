#include "model/quantity.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "model/model.h"
#include "model/number_locale.h"
#include "model/units.h"
#include "model/wording.h"

FpQuantity fp_quantity_plain(double value) {
    return (FpQuantity){.value = value, .plain = true};
}

/* Exponents may come from roots, so they are compared with a tolerance. */
static bool same_exponent(double a, double b) {
    return fabs(a - b) < 1e-9;
}

bool fp_quantity_is_like(const FpQuantity* a, const FpQuantity* b) {
    if (a->plain || b->plain) return true;
    for (int i = 0; i < FREEPLAY_BASE_ANGLE; i++)
        if (!same_exponent(a->exponent[i], b->exponent[i])) return false;
    if (a->open_angle || b->open_angle) return true;
    return same_exponent(a->exponent[FREEPLAY_BASE_ANGLE], b->exponent[FREEPLAY_BASE_ANGLE]);
}

bool fp_quantity_is_dimensionless(const FpQuantity* a) {
    const FpQuantity one = {.value = 1};
    return fp_quantity_is_like(a, &one);
}

/* a b^sign, apart from the value. */
static FpQuantity combine(FpQuantity a, FpQuantity b, double sign) {
    FpQuantity product = {.plain = a.plain && b.plain,
                          .open_angle = a.open_angle || b.open_angle || (!a.plain && !b.plain)};
    for (int i = 0; i < FREEPLAY_BASE_COUNT; i++)
        product.exponent[i] = a.exponent[i] + sign * b.exponent[i];
    return product;
}

FpQuantity fp_quantity_multiply(FpQuantity a, FpQuantity b) {
    FpQuantity product = combine(a, b, 1);
    product.value = a.value * b.value;
    return product;
}

FpQuantity fp_quantity_divide(FpQuantity a, FpQuantity b) {
    FpQuantity ratio = combine(a, b, -1);
    ratio.value = a.value / b.value;
    return ratio;
}

FpQuantity fp_quantity_power(FpQuantity a, double exponent) {
    FpQuantity power = a;
    power.value = pow(a.value, exponent);
    for (int i = 0; i < FREEPLAY_BASE_COUNT; i++) power.exponent[i] *= exponent;
    return power;
}

FpQuantity fp_quantity_common(FpQuantity a, FpQuantity b, double value) {
    FpQuantity common = a.plain || (a.open_angle && !b.plain) ? b : a;
    common.value = value;
    return common;
}

typedef struct NamedDimension {
    const char* name; /* with its article */
    const char* unit;
    double exponent[FREEPLAY_BASE_COUNT];
} NamedDimension;

static const NamedDimension named_dimensions[] = {
    {"a ratio", "1", {0, 0, 0, 0}},
    {"a length", "m", {1, 0, 0, 0}},
    {"a mass", "kg", {0, 1, 0, 0}},
    {"a time", "s", {0, 0, 1, 0}},
    {"an angle", "rad", {0, 0, 0, 1}},
    {"a velocity", "m/s", {1, 0, -1, 0}},
    {"an acceleration", "m/s^2", {1, 0, -2, 0}},
    {"an angular velocity", "rad/s", {0, 0, -1, 1}},
    {"an angular acceleration", "rad/s^2", {0, 0, -2, 1}},
    {"a frequency", "1/s", {0, 0, -1, 0}},
    {"a force", "N", {1, 1, -2, 0}},
    {"a torque", "N m", {2, 1, -2, 0}},
    {"a moment of inertia", "kg m^2", {2, 1, 0, 0}},
    {"an area", "m^2", {2, 0, 0, 0}},
    {"a volume", "m^3", {3, 0, 0, 0}},
    {"a density", "kg/m^3", {-3, 1, 0, 0}},
    {"a stiffness", "N/m", {0, 1, -2, 0}},
    {"a pressure", "Pa", {-1, 1, -2, 0}},
    {"a power", "W", {2, 1, -3, 0}},
};

static const NamedDimension* find_named(const FpQuantity* quantity) {
    const size_t count = sizeof named_dimensions / sizeof named_dimensions[0];
    for (size_t k = 0; k < count; k++) {
        bool same = true;
        for (int i = 0; i < FREEPLAY_BASE_COUNT; i++)
            same = same && same_exponent(quantity->exponent[i], named_dimensions[k].exponent[i]);
        if (same) return &named_dimensions[k];
    }
    return NULL;
}

static void spell_exponents(const double* exponent, char text[FREEPLAY_UNIT_ROOM]) {
    static const char* const symbols[FREEPLAY_BASE_COUNT] = {"m", "kg", "s", "rad"};
    static const int order[FREEPLAY_BASE_COUNT] = {FREEPLAY_BASE_MASS, FREEPLAY_BASE_LENGTH,
                                                   FREEPLAY_BASE_ANGLE, FREEPLAY_BASE_TIME};
    size_t used = 0;
    text[0] = '\0';
    for (int k = 0; k < FREEPLAY_BASE_COUNT && used < FREEPLAY_UNIT_ROOM - 1; k++) {
        double e = exponent[order[k]];
        if (same_exponent(e, 0)) continue;
        char power[16] = "";
        if (!same_exponent(e, 1)) snprintf(power, sizeof power, "^%.3g", e);
        int written = snprintf(text + used, FREEPLAY_UNIT_ROOM - used, "%s%s%s", used ? " " : "",
                               symbols[order[k]], power);
        used += written > 0 ? (size_t)written : 0;
    }
}

void fp_quantity_unit(const FpQuantity* quantity, char text[FREEPLAY_UNIT_ROOM]) {
    const NamedDimension* named = quantity->plain ? NULL : find_named(quantity);
    if (quantity->plain)
        text[0] = '\0';
    else if (named)
        snprintf(text, FREEPLAY_UNIT_ROOM, "%s", named->unit);
    else
        spell_exponents(quantity->exponent, text);
}

void fp_quantity_describe(const FpQuantity* quantity, char* text, size_t size) {
    char unit[FREEPLAY_UNIT_ROOM];
    fp_quantity_unit(quantity, unit);
    const NamedDimension* named = find_named(quantity);
    if (fp_quantity_is_dimensionless(quantity))
        snprintf(text, size, "a number without unit");
    else if (named)
        snprintf(text, size, "%s (%s)", named->name, unit);
    else
        snprintf(text, size, "a quantity in %s", unit);
}

FpStatus fp_quantity_expect(const FpQuantity* quantity, const FpQuantity* wanted, const char* shown,
                            FpMessage* message) {
    if (fp_quantity_is_like(quantity, wanted)) return FREEPLAY_OK;
    char is[80], needed[80];
    fp_quantity_describe(quantity, is, sizeof is);
    fp_quantity_describe(wanted, needed, sizeof needed);
    return fp_refuse(message, FREEPLAY_INVALID_MODEL, "'%.120s' is %s; %s is needed here", shown,
                     is, needed);
}

static size_t skip_digits(const char* text, size_t at) {
    while (isdigit((unsigned char)text[at])) at++;
    return at;
}

size_t fp_number_read(const char* text, double* value) {
    size_t start = text[0] == '-' || text[0] == '+';
    size_t end = skip_digits(text, start);
    size_t digits = end - start;
    if (text[end] == '.') {
        size_t after = skip_digits(text, end + 1);
        digits += after - end - 1;
        end = after;
    }
    if (digits == 0) return 0;
    if (text[end] == 'e' || text[end] == 'E') {
        size_t sign = text[end + 1] == '-' || text[end + 1] == '+';
        size_t after = skip_digits(text, end + 1 + sign);
        if (after > end + 1 + sign) end = after;
    }
    bool is_hexadecimal = text[start] == '0' && (text[start + 1] == 'x' || text[start + 1] == 'X');
    *value = is_hexadecimal ? 0 : strtod(text, NULL); /* of 0x1F only the 0 belongs to us */
    return end;
}

bool fp_number_fits(const char* text, size_t length, double value) {
    if (!isfinite(value)) return false;
    if (value != 0) return true;
    for (size_t i = 0; i < length && text[i] != 'e' && text[i] != 'E'; i++)
        if (text[i] >= '1' && text[i] <= '9') return false;
    return true;
}

FpStatus fp_quantity_parse(const char* text, const char* si_unit, double* value,
                           FpMessage* message) {
    if (!text || !si_unit || !value)
        return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT, "text, unit or value is NULL");
    FpNumberLocale locale;
    FpStatus status = fp_number_locale_enter(&locale, message);
    if (status) return status;
    FpUnits* units = NULL;
    FpQuantity quantity = {0}, wanted = {0};
    status = fp_units_create(&units, message);
    if (!status) status = fp_units_read_unit(units, si_unit, strlen(si_unit), &wanted, message);
    if (!status) status = fp_units_read_quantity(units, text, &quantity, message);
    if (!status) status = fp_quantity_expect(&quantity, &wanted, text, message);
    if (!status) *value = quantity.value;
    fp_units_destroy(units);
    fp_number_locale_leave(&locale);
    if (status) fp_message_keep_one_line(message);
    return status == FREEPLAY_INVALID_MODEL ? FREEPLAY_INVALID_ARGUMENT : status;
}
