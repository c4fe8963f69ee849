#include "tests/support.h"

#include <math.h>

void support_assert_near(double actual, double expected, double tolerance, const char* expression,
                         const char* file, int line) {
    double difference = actual == expected ? 0.0 : fabs(actual - expected);
    if (difference <= tolerance) return;
    print_error("ERROR: %s is %.17g, not %.17g: off by %.3g, allowed %.3g\n", expression, actual,
                expected, difference, tolerance);
    _fail(file, line);
}
