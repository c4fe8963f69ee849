#include "model/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "model/wording.h"

/* sum     = product { ("+" | "-") product }
 * product = signed { ("*" | "/") signed }
 * signed  = { "-" | "+" } power
 * power   = atom [ "^" signed ]
 * atom    = number [unit] | "$" name | "pi" | function "(" sum { "," sum } ")" | "(" sum ")"
 *
 * A unit extends as far as unit names go: in "2 m/s^2 * $t" up to the blank before the star. */

enum { DEEPEST_NESTING = 100, MOST_ARGUMENTS = 8, LARGEST_EXPONENT = 100 };

static const double pi = 3.14159265358979323846;

typedef struct Parser {
    const char* text; /* the whole expression */
    size_t at;
    int depth;
    FpUnits* units;
    const FpNames* names;
    FpMessage* message;
} Parser;

static FpStatus read_sum(Parser* parser, FpQuantity* value);
static FpStatus read_signed(Parser* parser, FpQuantity* value);

/* Refuses what stands at `at`; remedy is "" or begins with "; ". */
static FpStatus refuse_at(const Parser* parser, size_t at, const char* problem,
                          const char* remedy) {
    size_t character = 1;
    for (size_t i = 0; i < at; i++)
        if (((unsigned char)parser->text[i] & 0xC0) != 0x80) character++;
    return fp_refuse(parser->message, FREEPLAY_INVALID_MODEL, "%s (character %zu of '%.120s')%s",
                     problem, character, parser->text, remedy);
}

static size_t blanks_at(const char* text) {
    return strspn(text, " \t\r\n");
}

static char skip_blanks(Parser* parser) {
    parser->at += blanks_at(parser->text + parser->at);
    return parser->text[parser->at];
}

/* Passes a result on if it is a usable number; `operation` says where it came from. */
static FpStatus settle(const Parser* parser, size_t at, const char* operation, FpQuantity result,
                       FpQuantity* value) {
    char problem[80];
    if (!isfinite(result.value)) {
        snprintf(problem, sizeof problem, "the result of '%s' is not a finite number", operation);
        return refuse_at(parser, at, problem, "");
    }
    for (int i = 0; i < FREEPLAY_BASE_COUNT; i++)
        if (!(fabs(result.exponent[i]) <= LARGEST_EXPONENT))
            return refuse_at(parser, at, "the exponent of the unit becomes too large", "");
    *value = result;
    return FREEPLAY_OK;
}

static FpStatus require_alike(const Parser* parser, size_t at, const char* operation,
                              const FpQuantity* a, const FpQuantity* b) {
    if (fp_quantity_is_like(a, b)) return FREEPLAY_OK;
    char first[80], second[80], problem[240];
    fp_quantity_describe(a, first, sizeof first);
    fp_quantity_describe(b, second, sizeof second);
    snprintf(problem, sizeof problem, "'%s' between %s and %s", operation, first, second);
    return refuse_at(parser, at, problem, "; both must have the same dimension");
}

static FpStatus require_ratio(const Parser* parser, size_t at, const char* operation,
                              const FpQuantity* a, bool angle_allowed) {
    FpQuantity angle = {.exponent = {[FREEPLAY_BASE_ANGLE] = 1}};
    if (fp_quantity_is_dimensionless(a)) return FREEPLAY_OK;
    if (angle_allowed && fp_quantity_is_like(a, &angle)) return FREEPLAY_OK;
    char is[80], problem[200];
    fp_quantity_describe(a, is, sizeof is);
    snprintf(problem, sizeof problem, "'%s' of %s", operation, is);
    return refuse_at(parser, at, problem,
                     angle_allowed ? "; an angle or a number without unit is needed"
                                   : "; a number without unit is needed");
}

typedef enum FunctionKind {
    OF_ANGLE,       /* angle to number */
    OF_RATIO,       /* number to number */
    TO_ANGLE,       /* number to angle */
    ANGLE_OF_RATIO, /* two alike quantities to an angle */
    ROOT,
    MAGNITUDE,
    CHOICE, /* one of several alike quantities */
} FunctionKind;

typedef struct Function {
    const char* name;
    FunctionKind kind;
    int least_arguments, most_arguments;
    double (*one)(double);
    double (*two)(double, double);
} Function;

static const Function functions[] = {
    {"sqrt", ROOT, 1, 1, sqrt, NULL},
    {"sin", OF_ANGLE, 1, 1, sin, NULL},
    {"cos", OF_ANGLE, 1, 1, cos, NULL},
    {"tan", OF_ANGLE, 1, 1, tan, NULL},
    {"asin", TO_ANGLE, 1, 1, asin, NULL},
    {"acos", TO_ANGLE, 1, 1, acos, NULL},
    {"atan", TO_ANGLE, 1, 1, atan, NULL},
    {"atan2", ANGLE_OF_RATIO, 2, 2, NULL, atan2},
    {"abs", MAGNITUDE, 1, 1, fabs, NULL},
    {"exp", OF_RATIO, 1, 1, exp, NULL},
    {"log", OF_RATIO, 1, 1, log, NULL},
    {"min", CHOICE, 1, MOST_ARGUMENTS, NULL, fmin},
    {"max", CHOICE, 1, MOST_ARGUMENTS, NULL, fmax},
};
static const size_t function_count = sizeof functions / sizeof functions[0];

static const Function* find_function(const char* name, size_t length) {
    for (size_t i = 0; i < function_count; i++)
        if (strlen(functions[i].name) == length && !strncmp(functions[i].name, name, length))
            return &functions[i];
    return NULL;
}

static FpQuantity angle_of(double radians) {
    return (FpQuantity){.value = radians, .exponent = {[FREEPLAY_BASE_ANGLE] = 1}};
}

static FpStatus choose(const Parser* parser, size_t at, const Function* function, int count,
                       const FpQuantity* arguments, FpQuantity* result) {
    *result = arguments[0];
    for (int i = 1; i < count; i++) {
        FpStatus status = require_alike(parser, at, function->name, result, &arguments[i]);
        if (status) return status;
        double value = function->two(result->value, arguments[i].value);
        *result = fp_quantity_common(*result, arguments[i], value);
    }
    return FREEPLAY_OK;
}

static FpStatus apply(const Parser* parser, size_t at, const Function* function, int count,
                      const FpQuantity* arguments, FpQuantity* value) {
    const char* name = function->name;
    const FpQuantity* x = &arguments[0];
    FpQuantity result = *x;
    FpStatus status = FREEPLAY_OK;
    switch (function->kind) {
    case OF_ANGLE:
    case OF_RATIO:
        status = require_ratio(parser, at, name, x, function->kind == OF_ANGLE);
        result = fp_quantity_plain(function->one(x->value));
        break;
    case TO_ANGLE:
        status = require_ratio(parser, at, name, x, false);
        result = angle_of(function->one(x->value));
        break;
    case ANGLE_OF_RATIO:
        status = require_alike(parser, at, name, x, &arguments[1]);
        result = angle_of(function->two(x->value, arguments[1].value));
        break;
    case ROOT:
        result = fp_quantity_power(*x, 0.5);
        result.value = sqrt(x->value);
        break;
    case MAGNITUDE:
        result.value = fabs(x->value);
        break;
    case CHOICE:
        status = choose(parser, at, function, count, arguments, &result);
        break;
    }
    return status ? status : settle(parser, at, name, result, value);
}

static FpStatus read_arguments(Parser* parser, const Function* function, FpQuantity* arguments,
                               int* count) {
    size_t start = parser->at;
    char next = ',';
    for (*count = 0; next == ',' && *count < function->most_arguments; ++*count) {
        parser->at++; /* the parenthesis or the comma */
        FpStatus status = read_sum(parser, &arguments[*count]);
        if (status) return status;
        next = skip_blanks(parser);
    }
    char problem[80];
    if (next == ',' || *count < function->least_arguments) {
        snprintf(problem, sizeof problem, "wrong number of arguments of '%s'", function->name);
        return refuse_at(parser, start, problem, "");
    }
    if (next != ')') return refuse_at(parser, parser->at, "missing ')'", "");
    parser->at++;
    return FREEPLAY_OK;
}

static bool starts_word(char c) {
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80 || c == '%';
}

static size_t word_length(const char* text) {
    size_t length = 0;
    while (starts_word(text[length]) || text[length] == '_' ||
           (length > 0 && isdigit((unsigned char)text[length])))
        length++;
    return length;
}

/* Is there a unit name, rather than pi or a function call? "min" is a unit, "min(" is not. */
static bool starts_unit(const char* text) {
    if (!starts_word(text[0])) return false;
    size_t length = word_length(text);
    if (length == 2 && !strncmp(text, "pi", 2)) return false;
    return text[length + blanks_at(text + length)] != '(';
}

/* Passes over "^2" behind a unit name; the exponent must be whole. */
static FpStatus pass_unit_exponent(Parser* parser) {
    const char* text = parser->text;
    size_t at = parser->at + blanks_at(text + parser->at);
    if (text[at] != '^') return FREEPLAY_OK;
    size_t digits = at + 1 + blanks_at(text + at + 1);
    if (text[digits] == '-' || text[digits] == '+') digits++;
    size_t count = strspn(text + digits, "0123456789");
    char next = text[digits + count];
    if (count == 0 || next == '.' || next == 'e' || next == 'E')
        return refuse_at(parser, at, "the exponent of a unit must be a whole number",
                         "; to raise the whole quantity write '(2 m)^0.5'");
    parser->at = digits + count;
    return FREEPLAY_OK;
}

/* Where the next unit name of a compound unit starts, or 0 if the unit ends here. */
static size_t next_unit_name(const Parser* parser) {
    const char* text = parser->text;
    size_t at = parser->at + blanks_at(text + parser->at);
    if (text[at] == '/' || text[at] == '*' || text[at] == '.') at += 1 + blanks_at(text + at + 1);
    return starts_unit(text + at) ? at : 0;
}

/* UDUNITS wants no blanks around ^ and /. */
static size_t copy_without_blanks(const char* text, size_t length, char* copy, size_t room) {
    size_t used = 0;
    for (size_t i = 0; i < length && used < room; i++) {
        bool blank = blanks_at(text + i) > 0;
        size_t next = i + blanks_at(text + i);
        bool matters = blank && used > 0 && !strchr("^/*", copy[used - 1]) && next < length &&
                       !strchr("^/*", text[next]);
        if (!blank)
            copy[used++] = text[i];
        else if (matters && copy[used - 1] != ' ')
            copy[used++] = ' ';
    }
    return used;
}

static FpStatus read_unit_behind(Parser* parser, double number, FpQuantity* value) {
    size_t start = parser->at;
    for (size_t next = start; next; next = next_unit_name(parser)) {
        parser->at = next + word_length(parser->text + next);
        FpStatus status = pass_unit_exponent(parser);
        if (status) return status;
    }
    char unit_text[80];
    size_t length =
        copy_without_blanks(parser->text + start, parser->at - start, unit_text, sizeof unit_text);
    FpQuantity unit;
    FpMessage reason;
    FpStatus status = fp_units_read_unit(parser->units, unit_text, length, &unit, &reason);
    if (status) return refuse_at(parser, start, reason.text, "");
    return settle(parser, start, "unit", fp_units_apply(number, &unit), value);
}

static FpStatus refuse_word(const Parser* parser, size_t length) {
    char word[41], problem[80], hint[FREEPLAY_HINT_ROOM];
    snprintf(word, sizeof word, "%.*s", length < 40 ? (int)length : 40, parser->text + parser->at);
    size_t behind = parser->at + length;
    if (parser->text[behind + blanks_at(parser->text + behind)] != '(') {
        snprintf(problem, sizeof problem, "unexpected word '%s'", word);
        return refuse_at(parser, parser->at, problem,
                         "; parameters are written '$c', units follow a number");
    }
    FpSuggestion suggestion = {.wrong = word};
    for (size_t i = 0; i < function_count; i++) fp_suggestion_offer(&suggestion, functions[i].name);
    fp_suggestion_text(&suggestion, hint);
    snprintf(problem, sizeof problem, "unknown function '%s'", word);
    return refuse_at(parser, parser->at, problem, hint);
}

static FpStatus read_word(Parser* parser, FpQuantity* value) {
    size_t start = parser->at;
    const char* word = parser->text + start;
    size_t length = word_length(word);
    if (length == 2 && !strncmp(word, "pi", 2)) {
        parser->at += length;
        *value = fp_quantity_plain(pi);
        return FREEPLAY_OK;
    }
    const Function* function = find_function(word, length);
    size_t parenthesis = start + length + blanks_at(word + length);
    if (!function || parser->text[parenthesis] != '(') return refuse_word(parser, length);
    parser->at = parenthesis;
    FpQuantity arguments[MOST_ARGUMENTS];
    int count;
    FpStatus status = read_arguments(parser, function, arguments, &count);
    return status ? status : apply(parser, start, function, count, arguments, value);
}

static FpStatus read_number(Parser* parser, FpQuantity* value) {
    const char* text = parser->text + parser->at;
    double number;
    size_t length = fp_number_read(text, &number);
    if (length == 0) return refuse_at(parser, parser->at, "unexpected '.'", "");
    if (!fp_number_fits(text, length, number))
        return refuse_at(parser, parser->at, "number too large or too small", "");
    parser->at += length;
    size_t behind = parser->at + blanks_at(parser->text + parser->at);
    if (starts_unit(parser->text + behind)) {
        parser->at = behind;
        return read_unit_behind(parser, number, value);
    }
    *value = fp_quantity_plain(number);
    return FREEPLAY_OK;
}

static FpStatus read_parameter(Parser* parser, FpQuantity* value) {
    const char* name = parser->text + parser->at + 1;
    size_t length = fp_parameter_name_length(name);
    if (length == 0) return refuse_at(parser, parser->at, "'$' without a parameter name", "");
    parser->at += 1 + length;
    return parser->names->find(parser->names->context, name, length, value, parser->message);
}

static FpStatus read_parenthesis(Parser* parser, FpQuantity* value) {
    parser->at++;
    FpStatus status = read_sum(parser, value);
    if (status) return status;
    if (skip_blanks(parser) != ')') return refuse_at(parser, parser->at, "missing ')'", "");
    parser->at++;
    return FREEPLAY_OK;
}

static FpStatus read_atom(Parser* parser, FpQuantity* value) {
    char c = skip_blanks(parser);
    if (isdigit((unsigned char)c) || c == '.') return read_number(parser, value);
    if (c == '$') return read_parameter(parser, value);
    if (c == '(') return read_parenthesis(parser, value);
    if (starts_word(c)) return read_word(parser, value);
    if (c == '\0') return refuse_at(parser, parser->at, "the expression ends too early", "");
    char problem[] = "unexpected '?'";
    problem[sizeof problem - 3] = c;
    return refuse_at(parser, parser->at, problem, "");
}

static FpStatus read_power(Parser* parser, FpQuantity* value) {
    FpStatus status = read_atom(parser, value);
    if (status || skip_blanks(parser) != '^') return status;
    size_t at = parser->at++;
    FpQuantity exponent;
    status = read_signed(parser, &exponent);
    if (!status) status = require_ratio(parser, at, "exponent", &exponent, false);
    if (status) return status;
    return settle(parser, at, "^", fp_quantity_power(*value, exponent.value), value);
}

/* Every recursion passes here, so this is where its depth is limited. */
static FpStatus read_signed(Parser* parser, FpQuantity* value) {
    double sign = 1;
    char c;
    while ((c = skip_blanks(parser)) == '-' || c == '+') {
        if (c == '-') sign = -sign;
        parser->at++;
    }
    if (++parser->depth > DEEPEST_NESTING)
        return refuse_at(parser, parser->at, "the expression is nested too deeply",
                         "; split it into parameters");
    FpStatus status = read_power(parser, value);
    parser->depth--;
    if (!status) value->value *= sign;
    return status;
}

static FpStatus read_product(Parser* parser, FpQuantity* value) {
    FpStatus status = read_signed(parser, value);
    char c;
    while (!status && ((c = skip_blanks(parser)) == '*' || c == '/')) {
        size_t at = parser->at++;
        FpQuantity factor;
        status = read_signed(parser, &factor);
        if (status) return status;
        if (c == '/' && factor.value == 0) return refuse_at(parser, at, "division by zero", "");
        FpQuantity result =
            c == '*' ? fp_quantity_multiply(*value, factor) : fp_quantity_divide(*value, factor);
        status = settle(parser, at, c == '*' ? "*" : "/", result, value);
    }
    return status;
}

static FpStatus read_sum(Parser* parser, FpQuantity* value) {
    FpStatus status = read_product(parser, value);
    char c;
    while (!status && ((c = skip_blanks(parser)) == '+' || c == '-')) {
        size_t at = parser->at++;
        const char* operation = c == '+' ? "+" : "-";
        FpQuantity term;
        status = read_product(parser, &term);
        if (!status) status = require_alike(parser, at, operation, value, &term);
        if (status) return status;
        double sum = c == '+' ? value->value + term.value : value->value - term.value;
        status = settle(parser, at, operation, fp_quantity_common(*value, term, sum), value);
    }
    return status;
}

static FpStatus read_expression(Parser* parser, FpQuantity* value) {
    parser->at++; /* the = */
    FpStatus status = read_sum(parser, value);
    if (status || skip_blanks(parser) == '\0') return status;
    return refuse_at(parser, parser->at, "an operator is missing or something is too much", "");
}

static FpStatus read_lone_parameter(Parser* parser, FpQuantity* value) {
    FpStatus status = read_parameter(parser, value);
    if (status || skip_blanks(parser) == '\0') return status;
    return refuse_at(parser, parser->at, "unexpected text",
                     "; an expression begins with '=', as in '=2*$c'");
}

/* Names, parentheses and operators make sense behind a '=' only. */
static FpStatus refuse_forgotten_sign(const char* text, FpMessage* message) {
    return fp_refuse(message, FREEPLAY_INVALID_MODEL,
                     "'%.120s' is no quantity; an expression begins with '=', as in '=2*$c'", text);
}

FpStatus fp_value_read(FpUnits* units, const FpNames* names, const char* text, FpQuantity* value,
                       FpMessage* message) {
    text += blanks_at(text);
    Parser parser = {.text = text, .units = units, .names = names, .message = message};
    FpQuantity result = {0};
    FpStatus status;
    if (text[0] == '=')
        status = read_expression(&parser, &result);
    else if (text[0] == '$')
        status = read_lone_parameter(&parser, &result);
    else if (strchr(text, '$'))
        status = refuse_forgotten_sign(text, message);
    else
        status = fp_units_read_quantity(units, text, &result, message);
    if (!status) *value = result;
    return status;
}

bool fp_value_next_name(const char* text, size_t* at, const char** name, size_t* length) {
    for (; text[*at]; ++*at) {
        if (text[*at] != '$') continue;
        *name = text + *at + 1;
        *length = fp_parameter_name_length(*name);
        *at += 1 + *length;
        return true;
    }
    return false;
}

size_t fp_parameter_name_length(const char* text) {
    if (!isalpha((unsigned char)text[0]) && text[0] != '_') return 0;
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
    return length;
}
