/* Curves over time in bounded memory: buckets of time, shared by all the curves, hold the smallest
 * and largest value of each. When the room is used up, neighbours are merged. */
#ifndef FREEPLAY_OUTPUT_CURVES_IMPL_H
#define FREEPLAY_OUTPUT_CURVES_IMPL_H

#include <stdbool.h>

#define FREEPLAY_BUCKETS_MAX 2000

typedef struct FpRange {
    double low, high; /* low > high: empty */
} FpRange;

FpRange fp_range_empty(void);
bool fp_range_is_empty(FpRange range);
FpRange fp_range_join(FpRange a, FpRange b);

typedef struct FpCurves FpCurves;

FpCurves* fp_curves_create(int curve_count);
void fp_curves_destroy(FpCurves* curves);

/* Leaves out values that are not finite, and a t before the last one. */
void fp_curves_add(FpCurves* curves, double t, const double* values);

int fp_curves_bucket_count(const FpCurves* curves);
/* Times of the first and last sample of a bucket. */
FpRange fp_curves_time(const FpCurves* curves, int bucket);
FpRange fp_curves_values(const FpCurves* curves, int curve, int bucket);
/* Over all buckets. */
FpRange fp_curves_extent(const FpCurves* curves, int curve);

#endif
