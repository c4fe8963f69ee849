#include "bench/timing.h"

#include <stdlib.h>
#include <time.h>

double timing_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

bool timing_add(Timing* timing, double us) {
    if (timing->count == timing->room) {
        size_t room = 2 * timing->room + 1024;
        double* larger = realloc(timing->us, room * sizeof *larger);
        if (!larger) return false;
        timing->us = larger;
        timing->room = room;
    }
    timing->us[timing->count++] = us;
    return true;
}

static int compare_doubles(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

TimingSummary timing_finish(Timing* timing) {
    size_t n = timing->count;
    double *us = timing->us, sum = 0;
    qsort(us, n, sizeof *us, compare_doubles);
    for (size_t i = 0; i < n; i++) sum += us[i];
    TimingSummary summary = {us[0], (us[(n - 1) / 2] + us[n / 2]) / 2, sum / (double)n};
    free(us);
    *timing = (Timing){0};
    return summary;
}
