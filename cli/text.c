#include "cli/text.h"

#include <math.h>
#include <stdio.h>

CliText cli_text_quantity(double value, const char* unit) {
    static const char* const prefixes[] = {"", "m", "u", "n", "p"};
    enum { PREFIX_COUNT = sizeof prefixes / sizeof prefixes[0] };
    CliText out;
    int prefix = 0;
    double scaled = value;
    while (prefix < PREFIX_COUNT && fabs(scaled) < 1 && isfinite(value)) {
        scaled *= 1000;
        prefix++;
    }
    if (value == 0 || prefix == PREFIX_COUNT)
        snprintf(out.text, sizeof out.text, "%.3g %s", value, unit);
    else
        snprintf(out.text, sizeof out.text, "%.5g %s%s", scaled, prefixes[prefix], unit);
    return out;
}

CliText cli_text_duration(double seconds) {
    CliText out;
    if (seconds < 0.9995e-3) {
        snprintf(out.text, sizeof out.text, "%.3g us", 1e6 * seconds);
    } else if (seconds < 0.9995) {
        snprintf(out.text, sizeof out.text, "%.3g ms", 1000 * seconds);
    } else if (seconds < 59.95) {
        snprintf(out.text, sizeof out.text, "%.3g s", seconds);
    } else if (seconds < 3599.5) {
        long whole = lround(seconds);
        snprintf(out.text, sizeof out.text, "%ld min %ld s", whole / 60, whole % 60);
    } else if (seconds < 1e9) {
        long minutes = lround(seconds / 60);
        snprintf(out.text, sizeof out.text, "%ld h %ld min", minutes / 60, minutes % 60);
    } else {
        snprintf(out.text, sizeof out.text, "ages");
    }
    return out;
}

CliText cli_text_residual(double value) {
    CliText out;
    snprintf(out.text, sizeof out.text, "%.2g", value);
    return out;
}
