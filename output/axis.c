#include "output/axis_impl.h"

#include <math.h>
#include <stdio.h>

/* A span this small against its distance from zero is round-off: the curve counts as constant, and
 * labels need no more than seven digits. */
static const double smallest_relative_span = 1e-5;
/* Below, a number counts as zero. */
static const double smallest_number = 1e-290;

static double magnitude_of(FpRange range) {
    double magnitude = fmax(fabs(range.low), fabs(range.high));
    return fp_range_is_empty(range) || magnitude < smallest_number ? 0.0 : magnitude;
}

static FpRange widened(FpRange range) {
    double magnitude = magnitude_of(range);
    if (magnitude == 0.0) return (FpRange){-1.0, 1.0};
    if (range.high - range.low >= smallest_relative_span * magnitude) return range;
    return (FpRange){range.low - 0.1 * magnitude, range.high + 0.1 * magnitude};
}

/* The power of a thousand that leaves one to three digits before the point. */
static int thousands_of(double magnitude) {
    if (magnitude == 0.0) return 0;
    return (int)floor(log10(magnitude) / 3.0 + 1e-9);
}

/* NULL where people know none. */
static const char* prefix_of(int thousands) {
    static const char* const prefixes[] = {"p", "n", "\u00b5", "m", "", "k", "M", "G", "T"};
    return thousands < -4 || thousands > 4 ? NULL : prefixes[thousands + 4];
}

static void put_title(FpQuantity quantity, int thousands, char* title, size_t size) {
    const char* prefix = prefix_of(thousands);
    char scale[16];
    if (prefix)
        snprintf(scale, sizeof scale, "%s", prefix);
    else
        snprintf(scale, sizeof scale, "1e%d ", 3 * thousands);
    int used = snprintf(title, size, "%s (%s%s)", quantity.name, scale, quantity.symbol);
    if (quantity.second_name)
        snprintf(title + used, size - (size_t)used, ", %s (%s%s)", quantity.second_name, scale,
                 quantity.second_symbol);
}

static FpAxis axis_with_unit(FpQuantity quantity, FpRange range) {
    FpAxis axis = {0};
    int thousands = thousands_of(magnitude_of(range));
    axis.unit = pow(10.0, 3.0 * thousands);
    put_title(quantity, thousands, axis.title, sizeof axis.title);
    return axis;
}

/* The smallest of 1, 2, 5 times a power of ten that is not below x. */
static double round_step(double x) {
    double power = pow(10.0, floor(log10(x)));
    static const double digits[] = {1.0, 2.0, 5.0};
    for (int i = 0; i < 3; i++) {
        if (digits[i] * power >= x * (1.0 - 1e-9)) return digits[i] * power;
    }
    return 10.0 * power;
}

static FpTick* add_tick(FpAxis* axis, double value_in_range) {
    if (axis->tick_count == FREEPLAY_TICKS_MAX) return NULL;
    FpTick* tick = &axis->ticks[axis->tick_count++];
    tick->place = (value_in_range - axis->range.low) / (axis->range.high - axis->range.low);
    return tick;
}

FpAxis fp_axis_linear(FpQuantity quantity, FpRange range, int ticks) {
    range = widened(range);
    FpAxis axis = axis_with_unit(quantity, range);
    axis.range = (FpRange){range.low / axis.unit, range.high / axis.unit};

    double step = round_step((axis.range.high - axis.range.low) / ticks);
    int decimals = (int)fmax(0.0, -floor(log10(step) + 1e-9));
    double first = ceil(axis.range.low / step - 1e-9);
    double last = floor(axis.range.high / step + 1e-9);
    for (double k = first; k <= last; k += 1.0) {
        FpTick* tick = add_tick(&axis, k * step);
        if (!tick) break;
        fp_number_fixed(k == 0.0 ? 0.0 : k * step, decimals, tick->label); /* no "-0" */
    }
    return axis;
}

static void add_logarithmic_tick(FpAxis* axis, double value) {
    double logarithm = log10(value);
    if (logarithm < axis->range.low - 1e-9 || logarithm > axis->range.high + 1e-9) return;
    FpTick* tick = add_tick(axis, logarithm);
    if (tick) fp_number_rounded(value, 3, tick->label);
}

FpAxis fp_axis_logarithmic(FpQuantity quantity, FpRange range, int ticks) {
    FpAxis axis = axis_with_unit(quantity, range);
    axis.is_logarithmic = true;
    axis.range = (FpRange){log10(range.low / axis.unit), log10(range.high / axis.unit)};

    double decades = axis.range.high - axis.range.low;
    double stride = ceil(decades / ticks);
    double first = stride * floor(axis.range.low / stride);
    for (double k = first; k <= axis.range.high; k += stride) {
        add_logarithmic_tick(&axis, pow(10.0, k));
        if (3.0 * decades > ticks) continue;
        add_logarithmic_tick(&axis, 2.0 * pow(10.0, k));
        add_logarithmic_tick(&axis, 5.0 * pow(10.0, k));
    }
    return axis;
}

FpRange fp_range_padded(FpRange range) {
    if (fp_range_is_empty(range)) return range;
    double pad = 0.05 * (range.high - range.low);
    return (FpRange){range.low - pad, range.high + pad};
}

double fp_axis_place(const FpAxis* axis, double x) {
    double shown = x / axis->unit;
    if (axis->is_logarithmic) shown = shown > 0.0 ? log10(shown) : NAN;
    return (shown - axis->range.low) / (axis->range.high - axis->range.low);
}

void fp_quantity_text(double x, const char* symbol, char text[64]) {
    char number[FREEPLAY_NUMBER_SIZE];
    int thousands = thousands_of(magnitude_of((FpRange){x, x}));
    const char* prefix = prefix_of(thousands);
    fp_number_rounded(prefix ? x / pow(10.0, 3.0 * thousands) : x, 4, number);
    snprintf(text, 64, "%s %s%s", number, prefix ? prefix : "", symbol);
}
