/* Products of the short vectors that rows have over one block of velocities. Bodies in space have
 * 6 of them: with the length known, a product takes a third of the time. */
#ifndef FREEPLAY_NLP_SHORT_VECTORS_H
#define FREEPLAY_NLP_SHORT_VECTORS_H

#include <math.h>

static inline double fp_short_product(int n, const double* a, const double* b) {
    if (n == 6) {
        double even = a[0] * b[0] + a[2] * b[2] + a[4] * b[4];
        double odd = a[1] * b[1] + a[3] * b[3] + a[5] * b[5];
        return even + odd;
    }
    double sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

/* out += scale a */
static inline void fp_short_add(int n, double scale, const double* a, double* restrict out) {
    if (n == 6) {
        double sums[6];
        for (int k = 0; k < 6; k++) sums[k] = out[k] + scale * a[k];
        for (int k = 0; k < 6; k++) out[k] = sums[k];
        return;
    }
    for (int k = 0; k < n; k++) out[k] += scale * a[k];
}

/* out += scale |a| */
static inline void fp_short_add_sizes(int n, double scale, const double* a, double* restrict out) {
    if (n == 6) {
        double sums[6];
        for (int k = 0; k < 6; k++) sums[k] = out[k] + scale * fabs(a[k]);
        for (int k = 0; k < 6; k++) out[k] = sums[k];
        return;
    }
    for (int k = 0; k < n; k++) out[k] += scale * fabs(a[k]);
}

/* out = a b, entry by entry. */
static inline void fp_short_multiply(int n, const double* a, const double* b,
                                     double* restrict out) {
    if (n == 6) {
        double products[6];
        for (int k = 0; k < 6; k++) products[k] = a[k] * b[k];
        for (int k = 0; k < 6; k++) out[k] = products[k];
        return;
    }
    for (int k = 0; k < n; k++) out[k] = a[k] * b[k];
}

#endif
