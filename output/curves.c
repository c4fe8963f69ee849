#include "output/curves_impl.h"

#include <math.h>
#include <stdlib.h>

struct FpCurves {
    int curve_count, bucket_count;
    double width; /* buckets up to this long may be merged, s */
    FpRange times[FREEPLAY_BUCKETS_MAX];
    FpRange* values; /* of curve c in bucket b at [c * FREEPLAY_BUCKETS_MAX + b] */
};

/* Keeps differences of values finite. */
#define FREEPLAY_PLOTTED_MAX 1e300

FpRange fp_range_empty(void) {
    return (FpRange){INFINITY, -INFINITY};
}

bool fp_range_is_empty(FpRange range) {
    return range.low > range.high;
}

FpRange fp_range_join(FpRange a, FpRange b) {
    return (FpRange){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static FpRange range_of(double x) {
    if (!isfinite(x)) return fp_range_empty();
    double within = fmin(fmax(x, -FREEPLAY_PLOTTED_MAX), FREEPLAY_PLOTTED_MAX);
    return (FpRange){within, within};
}

FpCurves* fp_curves_create(int curve_count) {
    FpCurves* curves = calloc(1, sizeof *curves);
    if (!curves) return NULL;
    curves->curve_count = curve_count;
    curves->values = calloc((size_t)curve_count, FREEPLAY_BUCKETS_MAX * sizeof *curves->values);
    if (curves->values) return curves;
    free(curves);
    return NULL;
}

void fp_curves_destroy(FpCurves* curves) {
    if (!curves) return;
    free(curves->values);
    free(curves);
}

static FpRange* value_at(const FpCurves* curves, int curve, int bucket) {
    return &curves->values[(size_t)curve * FREEPLAY_BUCKETS_MAX + (size_t)bucket];
}

static bool may_join(const FpCurves* curves, int bucket, FpRange time) {
    return time.high - curves->times[bucket].low <= curves->width;
}

static void join_buckets(FpCurves* curves, int to, int from) {
    curves->times[to] = fp_range_join(curves->times[to], curves->times[from]);
    for (int c = 0; c < curves->curve_count; c++)
        *value_at(curves, c, to) =
            fp_range_join(*value_at(curves, c, to), *value_at(curves, c, from));
}

static void move_bucket(FpCurves* curves, int to, int from) {
    curves->times[to] = curves->times[from];
    for (int c = 0; c < curves->curve_count; c++)
        *value_at(curves, c, to) = *value_at(curves, c, from);
}

/* Two neighbours that stay apart are together longer than width, a 1/500 of the whole. So hardly
 * more than half of the buckets remain, and none is wider than about a pixel. */
static void merge_buckets(FpCurves* curves, double t) {
    curves->width = (t - curves->times[0].low) / (FREEPLAY_BUCKETS_MAX / 4);
    int last = 0;
    for (int b = 1; b < curves->bucket_count; b++) {
        if (may_join(curves, last, curves->times[b]))
            join_buckets(curves, last, b);
        else
            move_bucket(curves, ++last, b);
    }
    curves->bucket_count = last + 1;
}

void fp_curves_add(FpCurves* curves, double t, const double* values) {
    FpRange time = range_of(t);
    int last = curves->bucket_count - 1;
    if (fp_range_is_empty(time) || (last >= 0 && time.low < curves->times[last].high)) return;
    bool joins = last >= 0 && may_join(curves, last, time);
    if (!joins && curves->bucket_count == FREEPLAY_BUCKETS_MAX) merge_buckets(curves, time.low);
    int bucket = joins ? last : curves->bucket_count++;
    curves->times[bucket] = joins ? fp_range_join(curves->times[bucket], time) : time;
    for (int c = 0; c < curves->curve_count; c++) {
        FpRange* range = value_at(curves, c, bucket);
        *range = joins ? fp_range_join(*range, range_of(values[c])) : range_of(values[c]);
    }
}

int fp_curves_bucket_count(const FpCurves* curves) {
    return curves->bucket_count;
}

FpRange fp_curves_time(const FpCurves* curves, int bucket) {
    return curves->times[bucket];
}

FpRange fp_curves_values(const FpCurves* curves, int curve, int bucket) {
    return *value_at(curves, curve, bucket);
}

FpRange fp_curves_extent(const FpCurves* curves, int curve) {
    FpRange extent = fp_range_empty();
    for (int b = 0; b < curves->bucket_count; b++)
        extent = fp_range_join(extent, *value_at(curves, curve, b));
    return extent;
}
