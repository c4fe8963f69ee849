#include "output/number_impl.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Powers of ten that a double holds exactly. */
static const double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
#define FREEPLAY_POWER_MAX      22
#define FREEPLAY_EXACT_INTEGERS 9007199254740992.0 /* 2^53 */

/* The locale's decimal point may be any character, even one of several bytes. */
static int put_decimal_point(char* text) {
    char* to = text;
    for (const char* from = text; *from;) {
        if (strchr("0123456789+-e", *from)) {
            *to++ = *from++;
            continue;
        }
        *to++ = '.';
        while (*from && !strchr("0123456789+-e", *from)) from++;
    }
    *to = '\0';
    return (int)(to - text);
}

static int put_not_finite(double x, char* text) {
    const char* word = isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf";
    return snprintf(text, FREEPLAY_NUMBER_SIZE, "%s", word);
}

static int put_by_trial(double x, int digits, char* text) {
    for (; digits <= 17; digits++) {
        snprintf(text, FREEPLAY_NUMBER_SIZE, "%.*g", digits, x);
        if (digits == 17 || strtod(text, NULL) == x) break;
    }
    return put_decimal_point(text);
}

static int put_digits(uint64_t number, char* digits) {
    char reversed[24];
    int count = 0;
    do {
        reversed[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    for (int i = 0; i < count; i++) digits[i] = reversed[count - 1 - i];
    return count;
}

/* d.ddde-05 when the point would stand before or behind a row of zeros, otherwise ddd.ddd. */
static int put_decimal(bool negative, uint64_t number, int decimals, char* text) {
    while (decimals > 0 && number % 10 == 0) {
        number /= 10;
        decimals--;
    }
    char digits[24];
    int count = put_digits(number, digits);
    int exponent = count - 1 - decimals;
    char* to = text;
    if (negative) *to++ = '-';
    if (exponent < -4) {
        *to++ = digits[0];
        if (count > 1) *to++ = '.';
        memcpy(to, digits + 1, (size_t)count - 1);
        to += count - 1;
        to += snprintf(to, 8, "e-%02d", -exponent);
        return (int)(to - text);
    }
    if (exponent < 0) {
        *to++ = '0';
        *to++ = '.';
        for (int zeros = -exponent - 1; zeros > 0; zeros--) *to++ = '0';
    }
    for (int i = 0; i < count; i++) {
        if (i > 0 && i == exponent + 1) *to++ = '.';
        *to++ = digits[i];
    }
    *to = '\0';
    return (int)(to - text);
}

static bool are_exact(double size, int decimals) {
    return FLT_EVAL_METHOD == 0 && decimals >= 0 && decimals <= FREEPLAY_POWER_MAX &&
           size * powers_of_ten[decimals] < FREEPLAY_EXACT_INTEGERS - 2.0;
}

/* A quotient of two numbers that doubles hold exactly, n / 10^d, is rounded exactly as a reader
 * rounds the decimal "n e-d". So if the quotient is `size`, the text will read back to it. */
static bool find_decimal(double size, int decimals, uint64_t* number) {
    double nearest = nearbyint(size * powers_of_ten[decimals]);
    /* The product was rounded: the right integer may be a neighbour. */
    static const double offsets[] = {0.0, -1.0, 1.0};
    for (int i = 0; i < 3; i++) {
        double candidate = nearest + offsets[i];
        if (candidate / powers_of_ten[decimals] == size) {
            *number = (uint64_t)candidate;
            return true;
        }
    }
    return false;
}

int fp_number_exact(double x, char text[FREEPLAY_NUMBER_SIZE]) {
    if (!isfinite(x)) return put_not_finite(x, text);
    bool negative = signbit(x);
    double size = fabs(x);
    if (size < 1e15 && size == nearbyint(size))
        return put_decimal(negative, (uint64_t)size, 0, text);

    int digits = 15, decimals = digits - 1 - (int)floor(log10(size));
    /* Just below a power of ten the logarithm rounds up to it. */
    if (are_exact(size, decimals) && size * powers_of_ten[decimals] < 1e14) decimals++;
    for (; digits <= 16 && are_exact(size, decimals); digits++, decimals++) {
        uint64_t number;
        if (find_decimal(size, decimals, &number))
            return put_decimal(negative, number, decimals, text);
    }
    return put_by_trial(x, digits, text);
}

void fp_number_rounded(double x, int digits, char text[FREEPLAY_NUMBER_SIZE]) {
    if (!isfinite(x)) {
        put_not_finite(x, text);
        return;
    }
    snprintf(text, FREEPLAY_NUMBER_SIZE, "%.*g", digits, x);
    put_decimal_point(text);
}

void fp_number_fixed(double x, int decimals, char text[FREEPLAY_NUMBER_SIZE]) {
    snprintf(text, FREEPLAY_NUMBER_SIZE, "%.*f", decimals, x);
    put_decimal_point(text);
}
