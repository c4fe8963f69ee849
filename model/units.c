#include "model/units.h"

#include <ctype.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <udunits2.h>
#include "model/wording.h"

enum { LONGEST_UNIT = 63 };

struct FpUnits {
    ut_system* system;
};

/* UDUNITS has static variables of its own (status, parser, error handler). */
static pthread_mutex_t udunits_lock = PTHREAD_MUTEX_INITIALIZER;

/* Between begin and end UDUNITS is ours, and silent. */
static ut_error_message_handler begin_udunits(void) {
    pthread_mutex_lock(&udunits_lock);
    return ut_set_error_message_handler(ut_ignore);
}

static void end_udunits(ut_error_message_handler previous) {
    ut_set_error_message_handler(previous);
    pthread_mutex_unlock(&udunits_lock);
}

typedef struct TaughtUnit {
    const char* symbol;
    const char* definition;
} TaughtUnit;

/* UDUNITS knows most of these not at all; it takes mph for milliphot, oz for a volume. */
static const TaughtUnit taught_units[] = {
    {"deg", "degree"},
    {"rev", "revolution"},
    {"dps", "degree/second"},
    {"gon", "0.9 degree"},
    {"grad", "0.9 degree"},
    {"Nm", "newton meter"},
    {"Nmm", "N mm"},
    {"kp", "kilogram_force"},
    {"gn", "9.80665 m/s2"},
    {"mph", "mile/hour"},
    {"kph", "km/hour"},
    {"kmh", "km/hour"},
    {"oz", "0.028349523125 kg"},
    {"lbm", "pound"},
    {"thou", "0.001 inch"},
    {"dyn", "1e-5 N"},
};

/* A ton is 907, 1000 or 1016 kg, depending on whom you ask. */
static const char* const ambiguous_units[] = {"ton", "tons"};

static void forget_unit(ut_system* system, const char* name) {
    ut_unmap_name_to_unit(system, name, UT_ASCII);
    ut_unmap_symbol_to_unit(system, name, UT_ASCII);
}

static bool teach_unit(ut_system* system, const TaughtUnit* taught) {
    ut_unit* unit = ut_parse(system, taught->definition, UT_ASCII);
    if (!unit) return false;
    forget_unit(system, taught->symbol);
    bool done = ut_map_symbol_to_unit(taught->symbol, UT_ASCII, unit) == UT_SUCCESS;
    ut_free(unit);
    return done;
}

static bool teach_units(ut_system* system) {
    for (size_t i = 0; i < sizeof ambiguous_units / sizeof ambiguous_units[0]; i++)
        forget_unit(system, ambiguous_units[i]);
    for (size_t i = 0; i < sizeof taught_units / sizeof taught_units[0]; i++)
        if (!teach_unit(system, &taught_units[i])) return false;
    return true;
}

FpStatus fp_units_create(FpUnits** units, FpMessage* message) {
    *units = NULL;
    FpUnits* made = calloc(1, sizeof *made);
    if (!made) return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    ut_error_message_handler previous = begin_udunits();
    made->system = ut_read_xml(NULL);
    bool ready = made->system && teach_units(made->system);
    end_udunits(previous);
    if (!ready) {
        fp_units_destroy(made);
        return fp_refuse(message, FREEPLAY_FILE_ERROR,
                         "the units database of UDUNITS could not be read; install it (Debian: "
                         "libudunits2-data) or correct the variable UDUNITS2_XML_PATH");
    }
    *units = made;
    return FREEPLAY_OK;
}

void fp_units_destroy(FpUnits* units) {
    if (!units) return;
    ut_error_message_handler previous = begin_udunits();
    ut_free_system(units->system);
    end_udunits(previous);
    free(units);
}

/* What the visitor below finds out about a unit. */
typedef struct UnitFacts {
    FpQuantity unit;
    bool has_offset, has_other_base, has_no_scale;
} UnitFacts;

static void add_base(UnitFacts* facts, const ut_unit* base, int power) {
    static const char* const symbols[FREEPLAY_BASE_COUNT] = {"m", "kg", "s", "rad"};
    const char* symbol = ut_get_symbol(base, UT_ASCII);
    for (int i = 0; i < FREEPLAY_BASE_COUNT; i++) {
        if (!symbol || strcmp(symbol, symbols[i]) != 0) continue;
        facts->unit.exponent[i] += power;
        return;
    }
    facts->has_other_base = true;
}

static ut_status visit_basic(const ut_unit* unit, void* facts) {
    add_base(facts, unit, 1);
    return UT_SUCCESS;
}

static ut_status visit_product(const ut_unit* unit, int count, const ut_unit* const* bases,
                               const int* powers, void* facts) {
    (void)unit;
    for (int i = 0; i < count; i++) add_base(facts, bases[i], powers[i]);
    return UT_SUCCESS;
}

static ut_status visit_galilean(const ut_unit* unit, double scale, const ut_unit* underlying,
                                double offset, void* context);

static ut_status visit_timestamp(const ut_unit* unit, const ut_unit* underlying, double origin,
                                 void* context) {
    (void)unit, (void)underlying, (void)origin;
    ((UnitFacts*)context)->has_no_scale = true;
    return UT_SUCCESS;
}

static ut_status visit_logarithmic(const ut_unit* unit, double base, const ut_unit* reference,
                                   void* context) {
    (void)unit, (void)base, (void)reference;
    ((UnitFacts*)context)->has_no_scale = true;
    return UT_SUCCESS;
}

static const ut_visitor facts_visitor = {visit_basic, visit_product, visit_galilean,
                                         visit_timestamp, visit_logarithmic};

static ut_status visit_galilean(const ut_unit* unit, double scale, const ut_unit* underlying,
                                double offset, void* context) {
    (void)unit;
    UnitFacts* facts = context;
    facts->unit.value *= scale;
    facts->has_offset = facts->has_offset || offset != 0;
    return ut_accept_visitor(underlying, &facts_visitor, context);
}

/* Asks UDUNITS; false if it does not know the unit. */
static bool look_up(FpUnits* units, const char* name, UnitFacts* facts) {
    *facts = (UnitFacts){.unit = {.value = 1}};
    ut_error_message_handler previous = begin_udunits();
    ut_unit* unit = ut_parse(units->system, name, UT_UTF8);
    bool known = unit && ut_accept_visitor(unit, &facts_visitor, facts) == UT_SUCCESS;
    ut_free(unit);
    end_udunits(previous);
    return known;
}

static bool ends_unit_name(char c) {
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80 || c == ')' || c == '^';
}

/* UDUNITS would take "m 5" for five metres and "m^0.5" for 5. In a unit, digits are exponents,
 * except for the 1 of "1/s". */
static bool has_stray_number(const char* name) {
    for (size_t i = 0; name[i]; i++) {
        if (!isdigit((unsigned char)name[i])) continue;
        size_t first = i;
        while (isdigit((unsigned char)name[i + 1])) i++;
        bool is_one = first == 0 && i == 0 && name[0] == '1';
        if (is_one && (name[1] == '\0' || name[1 + strspn(name + 1, " ")] == '/')) continue;
        size_t before = first;
        if (before > 0 && (name[before - 1] == '-' || name[before - 1] == '+')) before--;
        if (before == 0 || !ends_unit_name(name[before - 1])) return true;
    }
    return false;
}

static FpStatus refuse_unknown(const char* name, FpMessage* message) {
    static const char* const common[] = {
        "m",      "mm",     "cm",    "km",     "um",       "nm",     "in",     "inch",
        "ft",     "kg",     "g",     "mg",     "t",        "lb",     "s",      "ms",
        "us",     "min",    "h",     "rad",    "deg",      "degree", "rev",    "turn",
        "rpm",    "Hz",     "N",     "kN",     "mN",       "lbf",    "Nm",     "N m",
        "J",      "W",      "Pa",    "kPa",    "m/s",      "m/s^2",  "rad/s",  "deg/s",
        "kg m^2", "meter",  "metre", "second", "kilogram", "gram",   "newton", "radian",
        "hour",   "minute", "tonne", "pound",  "foot",     "mrad",   "%"};
    FpSuggestion suggestion = {.wrong = name};
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        fp_suggestion_offer(&suggestion, common[i]);
    if (suggestion.best)
        return fp_refuse(message, FREEPLAY_INVALID_MODEL, "unknown unit '%s'; did you mean '%s'?",
                         name, suggestion.best);
    return fp_refuse(message, FREEPLAY_INVALID_MODEL,
                     "unknown unit '%s'; units are written as in 'mm', 'kg m^2', 'm/s^2', 'deg'",
                     name);
}

static FpStatus check_facts(const UnitFacts* facts, const char* name, FpMessage* message) {
    if (facts->has_offset || facts->has_no_scale)
        return fp_refuse(message, FREEPLAY_INVALID_MODEL,
                         "'%s' has a zero point of its own or is logarithmic; use a unit that is "
                         "a multiple of an SI unit",
                         name);
    if (facts->has_other_base)
        return fp_refuse(message, FREEPLAY_INVALID_MODEL,
                         "'%s' is no unit of mechanics; units are made of m, kg, s and rad", name);
    bool usable = isfinite(facts->unit.value) && facts->unit.value > 0;
    for (int i = 0; i < FREEPLAY_BASE_COUNT; i++)
        usable = usable && fabs(facts->unit.exponent[i]) <= 20;
    if (!usable)
        return fp_refuse(message, FREEPLAY_INVALID_MODEL,
                         "the unit '%s' is too large or too small; exponents up to 20 are possible",
                         name);
    return FREEPLAY_OK;
}

/* Copies text without the blanks around it; false if it is too long for a unit. */
static bool trim_unit(const char* text, size_t length, char name[LONGEST_UNIT + 1]) {
    while (length > 0 && isspace((unsigned char)text[0])) text++, length--;
    while (length > 0 && isspace((unsigned char)text[length - 1])) length--;
    if (length > LONGEST_UNIT) return false;
    memcpy(name, text, length);
    name[length] = '\0';
    return true;
}

FpStatus fp_units_read_unit(FpUnits* units, const char* text, size_t length, FpQuantity* unit,
                            FpMessage* message) {
    char name[LONGEST_UNIT + 1];
    if (!trim_unit(text, length, name))
        return fp_refuse(message, FREEPLAY_INVALID_MODEL,
                         "the unit '%.20s...' is too long; at most %d characters are possible",
                         text, LONGEST_UNIT);
    if (has_stray_number(name))
        return fp_refuse(message, FREEPLAY_INVALID_MODEL,
                         "the unit '%s' contains a number; only whole exponents as in 'm/s^2' are "
                         "possible, and expressions begin with '='",
                         name);
    UnitFacts facts;
    if (!look_up(units, name, &facts)) return refuse_unknown(name, message);
    FpStatus status = check_facts(&facts, name, message);
    if (!status) *unit = facts.unit;
    return status;
}

FpQuantity fp_units_apply(double number, const FpQuantity* unit) {
    FpQuantity quantity = *unit;
    double divisor = round(1 / unit->value);
    bool is_fraction = divisor > 1 && divisor < 1e15 && 1 / divisor == unit->value;
    quantity.value = is_fraction ? number / divisor : number * unit->value;
    return quantity;
}

FpStatus fp_units_read_quantity(FpUnits* units, const char* text, FpQuantity* quantity,
                                FpMessage* message) {
    while (isspace((unsigned char)*text)) text++;
    double number;
    size_t length = fp_number_read(text, &number);
    if (length == 0)
        return fp_refuse(message, FREEPLAY_INVALID_MODEL,
                         "'%.120s' does not begin with a number; a quantity is written as '0.1 mm'",
                         text);
    if (!fp_number_fits(text, length, number))
        return fp_refuse(message, FREEPLAY_INVALID_MODEL,
                         "the number '%.*s' is too large or too small for double precision",
                         length < 40 ? (int)length : 40, text);
    const char* rest = text + length;
    while (isspace((unsigned char)*rest)) rest++;
    if (*rest == ',')
        return fp_refuse(message, FREEPLAY_INVALID_MODEL,
                         "'%.120s' has a comma; the decimal mark is a point", text);
    if (*rest == '\0') {
        *quantity = fp_quantity_plain(number);
        return FREEPLAY_OK;
    }
    if (!strcmp(rest, "1"))
        return fp_refuse(message, FREEPLAY_INVALID_MODEL,
                         "'%.120s' are two numbers; one and its unit are needed", text);
    FpQuantity unit;
    FpStatus status = fp_units_read_unit(units, rest, strlen(rest), &unit, message);
    if (status) return status;
    *quantity = fp_units_apply(number, &unit);
    if (isfinite(quantity->value)) return FREEPLAY_OK;
    return fp_refuse(message, FREEPLAY_INVALID_MODEL, "'%.120s' is too large for double precision",
                     text);
}
