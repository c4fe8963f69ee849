#include "nlp/pivoted_ldl.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define NEARLY 0.1 /* as large, among pivots */

static double* column(double* A, int n, int j) {
    return A + (size_t)j * (size_t)n;
}

static void swap(double* a, double* b) {
    double t = *a;
    *a = *b;
    *b = t;
}

/* Exchanges two rows and columns, k < p, of which column k and those after it are not yet
 * eliminated. */
static void exchange(int n, double* A, double* tiny, int* order, int k, int p) {
    int t = order[k];
    double *a = column(A, n, k), *b = column(A, n, p);
    for (int j = 0; j < k; j++) swap(column(A, n, j) + k, column(A, n, j) + p);
    swap(a + k, b + p);
    for (int i = k + 1; i < p; i++) swap(a + i, column(A, n, i) + p);
    for (int i = p + 1; i < n; i++) swap(a + i, b + i);
    swap(tiny + k, tiny + p);
    order[k] = order[p];
    order[p] = t;
}

/* Of the rows that have nearly the largest part of their diagonal entry left, which tells redundant
 * rows from others in any units, the one with the largest entry, which keeps C small. *place is -1
 * if all that are left are redundant. */
static FpStatus find_pivot(int n, const double* A, const double* tiny, int from, int* place) {
    double largest_part = 1, largest = 0;
    *place = -1;
    for (int i = from; i < n; i++) {
        double d = A[(size_t)i * ((size_t)n + 1)];
        if (!(d >= -tiny[i])) return isnan(d) ? FREEPLAY_NOT_FINITE : FREEPLAY_INVALID_ARGUMENT;
        if (d > largest_part * tiny[i]) largest_part = d / tiny[i];
    }
    for (int i = from; i < n; i++) {
        double d = A[(size_t)i * ((size_t)n + 1)];
        if (d <= tiny[i] || d < NEARLY * largest_part * tiny[i] || d <= largest) continue;
        largest = d;
        *place = i;
    }
    return FREEPLAY_OK;
}

static void eliminate(int n, double* A, int k) {
    double* a = column(A, n, k);
    double inverse = 1 / a[k];
    for (int j = k + 1; j < n; j++) {
        if (a[j] == 0) continue;
        double* to = column(A, n, j);
        double l = a[j] * inverse;
        for (int i = j; i < n; i++) to[i] -= l * a[i];
        a[j] = l;
    }
}

/* Rows without a diagonal entry have no other entries either, in a semidefinite matrix. */
static bool rest_is_round_off(int n, const double* A, const double* tiny, int from) {
    for (int j = from; j < n; j++)
        for (int i = j + 1; i < n; i++) {
            double a = A[(size_t)j * (size_t)n + (size_t)i];
            if (!(a * a <= 4 * tiny[i] * tiny[j])) return false;
        }
    return true;
}

FpStatus fp_pivoted_factor(int n, double* A, double* tiny, int* order, int* rank) {
    for (int k = 0; k < n; k++) order[k] = k;
    int k = 0;
    for (; k < n; k++) {
        int place;
        FpStatus status = find_pivot(n, A, tiny, k, &place);
        if (status) return status;
        if (place < 0) break;
        if (place != k) exchange(n, A, tiny, order, k, place);
        eliminate(n, A, k);
    }
    *rank = k;
    return rest_is_round_off(n, A, tiny, k) ? FREEPLAY_OK : FREEPLAY_INVALID_ARGUMENT;
}

void fp_pivoted_prepare_least_norm(int n, int rank, double* A) {
    for (int c = rank; c < n; c++)
        for (int j = rank - 1; j >= 0; j--) {
            double* a = column(A, n, j);
            for (int i = j + 1; i < rank; i++) a[c] -= column(A, n, i)[c] * a[i];
        }
    for (int k = rank; k < n; k++) {
        double* a = column(A, n, k);
        for (int i = k; i < n; i++) a[i] = i == k;
        for (int j = 0; j < rank; j++) {
            const double* C = column(A, n, j);
            for (int i = k; i < n; i++) a[i] += C[k] * C[i];
        }
    }
    for (int k = rank; k < n; k++) eliminate(n, A, k);
}

void fp_pivoted_solve_block(int n, const double* A, int begin, int end, double* y) {
    for (int j = begin; j < end; j++) {
        const double* a = A + (size_t)j * (size_t)n;
        for (int i = j + 1; i < end; i++) y[i] -= a[i] * y[j];
    }
    for (int j = end - 1; j >= begin; j--) {
        const double* a = A + (size_t)j * (size_t)n;
        double y_j = y[j] / a[j];
        for (int i = j + 1; i < end; i++) y_j -= a[i] * y[i];
        y[j] = y_j;
    }
}
