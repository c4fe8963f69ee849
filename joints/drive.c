#include "joints/drive.h"

#include <stdlib.h>
#include <string.h>

static const double turn = 2 * 3.14159265358979323846;

static FpStatus check_table(const FpDriveDef* def, const char* field, FpMessage* message) {
    if (def->count < 2 || !def->times || !def->values)
        return fp_refuse_field(message, field, "the table has %d entries; 2 or more are needed",
                               def->count);
    for (int k = 0; k < def->count; k++) {
        if (!isfinite(def->times[k]) || !isfinite(def->values[k]))
            return fp_refuse_field(message, field, "entry %d of the table is not finite", k);
        if (k > 0 && !(def->times[k] > def->times[k - 1]))
            return fp_refuse_field(message, field,
                                   "times must increase; entry %d is %g s after %g s", k,
                                   def->times[k], def->times[k - 1]);
    }
    return FREEPLAY_OK;
}

static FpStatus check(const FpDriveDef* def, const char* field, FpMessage* message) {
    const double numbers[] = {def->speed, def->amplitude, def->frequency, def->phase};
    for (int k = 0; k < 4; k++)
        if (!isfinite(numbers[k])) return fp_refuse_field(message, field, "not finite");
    if (def->kind == FREEPLAY_DRIVE_HARMONIC && !(def->frequency > 0))
        return fp_refuse_field(message, field, "the frequency must be positive, is %g Hz",
                               def->frequency);
    return def->kind == FREEPLAY_DRIVE_TABLE ? check_table(def, field, message) : FREEPLAY_OK;
}

/* Slopes of the cubic spline with continuous curvature that is at rest at both ends: one
 * tridiagonal system, by elimination. `work` holds n numbers. */
static void find_slopes(int n, const double* t, const double* x, double* slope, double* work) {
    slope[0] = slope[n - 1] = 0;
    double above = 0;
    work[0] = 0;
    for (int k = 1; k < n - 1; k++) {
        double before = t[k] - t[k - 1], after = t[k + 1] - t[k];
        double right =
            3 * ((x[k] - x[k - 1]) / (before * before) + (x[k + 1] - x[k]) / (after * after));
        double pivot = 2 / before + 2 / after - above / before;
        slope[k] = (right - slope[k - 1] / before) / pivot;
        work[k] = above = 1 / (after * pivot);
    }
    for (int k = n - 2; k > 0; k--) slope[k] -= work[k] * slope[k + 1];
}

static FpStatus copy_table(FpDrive* drive, FpMessage* message) {
    size_t n = (size_t)drive->def.count;
    const double *times = drive->def.times, *values = drive->def.values;
    drive->memory = calloc(4 * n, sizeof(double));
    if (!drive->memory) return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    drive->slopes = drive->memory + 2 * n;
    memcpy(drive->memory, times, n * sizeof *times);
    memcpy(drive->memory + n, values, n * sizeof *values);
    drive->def.times = drive->memory;
    drive->def.values = drive->memory + n;
    find_slopes((int)n, drive->def.times, drive->def.values, drive->slopes, drive->slopes + n);
    double x[3];
    fp_drive_at(drive, 0, x);
    drive->start = x[0];
    return FREEPLAY_OK;
}

FpStatus fp_drive_create(const FpDriveDef* def, const char* field, FpDrive* drive,
                         FpMessage* message) {
    FpStatus status = check(def, field, message);
    if (status) return status;
    *drive = (FpDrive){.def = *def};
    return def->kind == FREEPLAY_DRIVE_TABLE ? copy_table(drive, message) : FREEPLAY_OK;
}

void fp_drive_free(FpDrive* drive) {
    free(drive->memory);
}

static void table_at(const FpDrive* drive, double time, double x[3]) {
    const double *t = drive->def.times, *values = drive->def.values;
    int n = drive->def.count, k = 0;
    x[1] = x[2] = 0;
    if (time <= t[0] || time >= t[n - 1]) {
        x[0] = time <= t[0] ? values[0] : values[n - 1];
    } else {
        while (time >= t[k + 1]) k++;
        double h = t[k + 1] - t[k], s = (time - t[k]) / h, rise = values[k + 1] - values[k];
        double a = h * drive->slopes[k], b = h * drive->slopes[k + 1];
        /* Hermite's cubic: x0 + a s + (3 rise - 2 a - b) s^2 + (a + b - 2 rise) s^3. */
        double c2 = 3 * rise - 2 * a - b, c3 = a + b - 2 * rise;
        x[0] = values[k] + s * (a + s * (c2 + s * c3));
        x[1] = (a + s * (2 * c2 + 3 * s * c3)) / h;
        x[2] = (2 * c2 + 6 * s * c3) / (h * h);
    }
    x[0] -= drive->start;
}

void fp_drive_at(const FpDrive* drive, double t, double x[3]) {
    const FpDriveDef* def = &drive->def;
    if (def->kind == FREEPLAY_DRIVE_TABLE) {
        table_at(drive, t, x);
    } else if (def->kind == FREEPLAY_DRIVE_HARMONIC) {
        double omega = turn * def->frequency, angle = omega * t + def->phase;
        x[0] = def->amplitude * (sin(angle) - sin(def->phase));
        x[1] = def->amplitude * omega * cos(angle);
        x[2] = -def->amplitude * omega * omega * sin(angle);
    } else {
        x[0] = def->speed * t;
        x[1] = def->speed;
        x[2] = 0;
    }
}
