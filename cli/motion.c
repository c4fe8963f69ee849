#include "cli/motion.h"

#include <math.h>
#include <stdio.h>

/* Round-off beside a larger component shows as 0; and there is no "-0". */
static double without_round_off(double x, double largest) {
    return fabs(x) <= 1e-14 * largest ? 0 : x;
}

void cli_vector_add(CliTable* table, const char* name, const double* a, int count, int digits,
                    const char* unit) {
    char text[256];
    int used = 0;
    double largest = 0;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(a[i]));
    for (int i = 0; i < count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%.*g", i ? ", " : "", digits,
                         without_round_off(a[i], largest));
    cli_table_add(table, "%s", name);
    cli_table_add(table, count > 1 ? "(%s)%s%s" : "%s%s%s", text, unit[0] ? " " : "", unit);
}

static bool is_zero(const double* a, int count) {
    for (int i = 0; i < count; i++)
        if (a[i] != 0) return false;
    return true;
}

void cli_motion_add(CliTable* table, const FpBodyKind* kind, const double* q, const double* v,
                    bool brief) {
    int n = kind->translations, turns = kind->q_count - n, spins = kind->v_count - n;
    bool planar = kind == &fp_body_planar;
    int digits = brief ? 6 : 9;
    bool is_turned = planar ? q[n] != 0 : fabs(q[n]) != 1;
    cli_vector_add(table, planar ? "position x, y" : "position", q, n, digits, "m");
    if (is_turned || !brief)
        cli_vector_add(table, planar ? "angle" : "Euler parameters", q + n, turns, digits,
                       planar ? "rad" : "");
    if (!is_zero(v, n) || !brief) cli_vector_add(table, "velocity", v, n, digits, "m/s");
    if (!is_zero(v + n, spins) || !brief)
        cli_vector_add(table, "angular velocity", v + n, spins, digits,
                       planar ? "rad/s" : "rad/s (body frame)");
}
