/* Axes of a plot: a range, a unit that suits it, and ticks at round numbers. */
#ifndef FREEPLAY_OUTPUT_AXIS_IMPL_H
#define FREEPLAY_OUTPUT_AXIS_IMPL_H

#include <stdbool.h>
#include "output/curves_impl.h"
#include "output/number_impl.h"

#define FREEPLAY_TICKS_MAX 16

typedef struct FpTick {
    double place; /* 0 at the low end of the axis, 1 at the high end */
    char label[FREEPLAY_NUMBER_SIZE];
} FpTick;

typedef struct FpAxis {
    double unit;    /* SI value of the unit shown */
    FpRange range;  /* in that unit; of the logarithm on a logarithmic axis */
    char title[64]; /* "gap (mm)" */
    bool is_logarithmic;
    int tick_count;
    FpTick ticks[FREEPLAY_TICKS_MAX];
} FpAxis;

/* What is shown, for the title. */
typedef struct FpQuantity {
    const char* name;   /* "gap" */
    const char* symbol; /* of the SI unit: "m" */
    /* A second one that shares the axis, with its unit; NULL if there is none. */
    const char *second_name, *second_symbol;
} FpQuantity;

/* About `ticks` ticks, at most FREEPLAY_TICKS_MAX. An empty or constant range is widened. */
FpAxis fp_axis_linear(FpQuantity quantity, FpRange range, int ticks);
/* range.low > 0 */
FpAxis fp_axis_logarithmic(FpQuantity quantity, FpRange range, int ticks);

/* A little room at both ends, so that no curve runs along the frame. */
FpRange fp_range_padded(FpRange range);

/* Where x (SI) lies, between 0 and 1 when it is on the axis; NaN where a logarithm has no place. */
double fp_axis_place(const FpAxis* axis, double x);

/* x (SI) in a unit that suits it: "12.3 kN". */
void fp_quantity_text(double x, const char* symbol, char text[64]);

#endif
