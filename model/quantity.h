/* Quantities: numbers in SI with the dimension that they came with, and the rules by which they
 * combine. Angles count as a dimension of their own. */
#ifndef FREEPLAY_MODEL_QUANTITY_H
#define FREEPLAY_MODEL_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include "nlp/status.h"

enum {
    FREEPLAY_BASE_LENGTH, /* m */
    FREEPLAY_BASE_MASS,   /* kg */
    FREEPLAY_BASE_TIME,   /* s */
    FREEPLAY_BASE_ANGLE,  /* rad */
    FREEPLAY_BASE_COUNT
};

/* A number without a unit is plain: it is taken as SI in any dimension. A ratio of two lengths is
 * not plain, its dimension is 1. The product of two dimensions has an open angle: radians may come
 * in or drop out, as in speed = radius * angular velocity. */
typedef struct FpQuantity {
    double value; /* SI */
    bool plain;
    bool open_angle;
    double exponent[FREEPLAY_BASE_COUNT]; /* all 0 if plain */
} FpQuantity;

FpQuantity fp_quantity_plain(double value);

/* May the two be added, or the one stand where the other is wanted? */
bool fp_quantity_is_like(const FpQuantity* a, const FpQuantity* b);
bool fp_quantity_is_dimensionless(const FpQuantity* a);

FpQuantity fp_quantity_multiply(FpQuantity a, FpQuantity b);
FpQuantity fp_quantity_divide(FpQuantity a, FpQuantity b);
FpQuantity fp_quantity_power(FpQuantity a, double exponent);
/* The dimension of a sum or a choice of two alike quantities, with another value. */
FpQuantity fp_quantity_common(FpQuantity a, FpQuantity b, double value);

enum { FREEPLAY_UNIT_ROOM = 48 };

/* The SI unit: "kg m^2"; "" if plain, "1" for a ratio. */
void fp_quantity_unit(const FpQuantity* quantity, char text[FREEPLAY_UNIT_ROOM]);
/* What a person would call it: "a length (m)". */
void fp_quantity_describe(const FpQuantity* quantity, char* text, size_t size);
/* Refuses a quantity that is not like the wanted one; `shown` is how the user wrote it. */
FpStatus fp_quantity_expect(const FpQuantity* quantity, const FpQuantity* wanted, const char* shown,
                            FpMessage* message);

/* Reads the decimal number at the start of text: its length, 0 if there is none. No hexadecimal,
 * inf or nan; *value is infinite if the number is too large for a double. */
size_t fp_number_read(const char* text, double* value);
/* False if the number of that length and value overflowed, or vanished although it is not 0. */
bool fp_number_fits(const char* text, size_t length, double value);

#endif
