/* What every test file includes first: cmocka with the headers that it needs before it, and a
 * comparison of doubles (cmocka's own is in single precision). */
#ifndef FREEPLAY_TESTS_SUPPORT_H
#define FREEPLAY_TESTS_SUPPORT_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

/* Fails unless |actual - expected| <= tolerance. NaN in any of the three fails; equal infinities
 * are near. Each argument is evaluated once. */
#define assert_near(actual, expected, tolerance) \
    support_assert_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)

void support_assert_near(double actual, double expected, double tolerance, const char* expression,
                         const char* file, int line);

#endif
