/* Products of the short vectors that rows have over one block of velocities. Bodies in space have
 * 6 of them: with the length known, a product takes a third of the time. */
#ifndef FREEPLAY_NLP_SHORT_VECTORS_H
#define FREEPLAY_NLP_SHORT_VECTORS_H

#include <math.h>

/* Two doubles that processors multiply at once. */
#ifdef __GNUC__
typedef double FpPair __attribute__((vector_size(16), aligned(8), may_alias));
#define FREEPLAY_PAIRS(values)       ((FpPair*)(values))
#define FREEPLAY_CONST_PAIRS(values) ((const FpPair*)(values))
#endif

static inline double fp_short_product(int n, const double* a, const double* b) {
    if (n == 6) {
#ifdef __GNUC__
        const FpPair *x = FREEPLAY_CONST_PAIRS(a), *y = FREEPLAY_CONST_PAIRS(b);
        FpPair sum = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
        return sum[0] + sum[1];
#else
        double even = a[0] * b[0] + a[2] * b[2] + a[4] * b[4];
        double odd = a[1] * b[1] + a[3] * b[3] + a[5] * b[5];
        return even + odd;
#endif
    }
    double sum = 0;
    for (int k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

/* out_i += a_i.b of rows a_i that are `stride` apart. */
static inline void fp_short_add_products(int n, int rows, int stride, const double* a,
                                         const double* b, double* restrict out) {
    for (int i = 0; i < rows; i++, a += stride) out[i] += fp_short_product(n, a, b);
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

/* out += scale sum_i weight_i a_i of rows a_i that are `stride` apart; many weights are 0. */
static inline void fp_short_add_rows(int n, int rows, int stride, double scale,
                                     const double* weight, const double* a, double* restrict out) {
#ifdef __GNUC__
    if (n == 6) {
        FpPair* to = FREEPLAY_PAIRS(out);
        FpPair x = to[0], y = to[1], z = to[2];
        for (int i = 0; i < rows; i++, a += stride) {
            const FpPair* row = FREEPLAY_CONST_PAIRS(a);
            double factor = scale * weight[i];
            if (factor == 0) continue;
            x += factor * row[0];
            y += factor * row[1];
            z += factor * row[2];
        }
        to[0] = x;
        to[1] = y;
        to[2] = z;
        return;
    }
#endif
    for (int i = 0; i < rows; i++, a += stride) {
        double factor = scale * weight[i];
        if (factor != 0) fp_short_add(n, factor, a, out);
    }
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
