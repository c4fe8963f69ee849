#include "bench/slope_orders.h"

#include <math.h>
#include "bench/recording.h"
#include "examples/program.h"

enum { COMPONENTS = 2, LAMBDA_N = 0, LAMBDA_F = 1 };
static const double h_reference = 5e-5, h_largest = 2.56e-2, t_end = 3.2768; /* s */

const char* const slope_error_names[SLOPE_ERRORS] = {"e_q",   "e_u",         "e_dPN",
                                                     "e_dPF", "e_dPN_equal", "e_dPF_equal"};

static bool record(int number, const char* scheme, double h, Recording* run, FpMessage* message) {
    *run = (Recording){0};
    Mechanism* slope = program_mechanism(&mass_on_slope, number, message);
    if (!slope) return false;
    FpStepperDef def = fp_stepper_def_default();
    def.scheme = scheme;
    def.h = h;
    bool ok = recording_make(fp_lagrangian_system(slope->lagrangian), &def, t_end, run, message);
    mechanism_free(slope);
    if (!ok) return false;
    return run->count == (size_t)lround(t_end / h) + 1 ||
           !fp_refuse(message, FREEPLAY_NOT_CONVERGED,
                      "case %d, h = %g s: some steps were shortened", number + 1, h);
}

static double percussion(RecordedState state, int force) {
    return state.h * state.lambda[force];
}

/* Of the reference between two states of the coarser run. */
static double percussion_over(const Recording* fine, size_t from, size_t to, int force) {
    double sum = 0;
    for (size_t k = from + 1; k <= to; k++) sum += percussion(recording_state(fine, k), force);
    return sum;
}

static SlopeErrors compare(const Recording* run, const Recording* fine, double h) {
    double q[COMPONENTS] = {0}, u[COMPONENTS] = {0};
    SlopeErrors errors = {.h = h};
    size_t ratio = (fine->count - 1) / (run->count - 1);
    for (size_t k = 1; k < run->count; k++) {
        RecordedState a = recording_state(run, k), b = recording_state(fine, k * ratio);
        for (int i = 0; i < COMPONENTS; i++) {
            q[i] += h * fabs(a.q[i] - b.q[i]);
            u[i] += h * fabs(a.v[i] - b.v[i]);
        }
        for (int force = LAMBDA_N; force <= LAMBDA_F; force++) {
            double dP = percussion(a, force);
            double equal = percussion_over(fine, (k - 1) * ratio, k * ratio, force);
            errors.of[SLOPE_DPN + force] += h * fabs(dP - percussion(b, force));
            errors.of[SLOPE_DPN_EQUAL + force] += fabs(dP - equal);
        }
    }
    errors.of[SLOPE_Q] = fmax(q[0], q[1]);
    errors.of[SLOPE_U] = fmax(u[0], u[1]);
    return errors;
}

bool slope_errors(int number, const char* scheme, int count, SlopeErrors* errors,
                  FpMessage* message) {
    Recording fine, run;
    bool ok = record(number, scheme, h_reference, &fine, message);
    for (int k = 0; k < count && ok; k++) {
        double h = h_largest / pow(2, k);
        ok = record(number, scheme, h, &run, message);
        if (ok) errors[k] = compare(&run, &fine, h);
        recording_free(&run);
    }
    recording_free(&fine);
    return ok;
}

double slope_order(const SlopeErrors* errors, int count, SlopeError which) {
    double x_mean = 0, y_mean = 0, xy = 0, xx = 0;
    for (int k = 0; k < count; k++) {
        x_mean += log(errors[k].h) / count;
        y_mean += log(errors[k].of[which]) / count;
    }
    for (int k = 0; k < count; k++) {
        double x = log(errors[k].h) - x_mean;
        xy += x * (log(errors[k].of[which]) - y_mean);
        xx += x * x;
    }
    return xy / xx;
}
