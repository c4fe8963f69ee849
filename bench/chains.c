/* freeplay_bench_chains: chains of bars on spatial revolute joints, ideal and loose: what a step
 * costs as they grow, with its accuracy and the memory taken. */
#include <freeplay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench/chain.h"
#include "bench/timing.h"

enum { EXIT_USAGE = 2, STEPS = 200, WARM_UP = 5 };

typedef struct Kind {
    const char* name;
    double clearance, h; /* m, s */
} Kind;
static const Kind kinds[] = {{"ideal", 0, 1e-3}, {"loose", 1e-4, 1e-4}};
static const int sizes[] = {4, 16, 64, 256, 1024};
enum { KINDS = sizeof kinds / sizeof kinds[0], SIZES = sizeof sizes / sizeof sizes[0] };
enum { EXPONENT_FROM = 2 }; /* sizes[2] = 64 */

typedef struct Result {
    double us_min, us_median, us_mean;
    long rejected, fallbacks; /* steps halved; steps that another solver had to take */
    double certificate, penetration, resident_mib;
} Result;

static void fail(const char* what, const char* reason) {
    fprintf(stderr, "freeplay_bench_chains: %s: %s\n", what, reason);
    exit(EXIT_FAILURE);
}

static void* check_memory(void* memory) {
    if (!memory) fail("out of memory", "cannot measure");
    return memory;
}

static double resident_mib(void) {
    long resident;
    FILE* file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &resident) != 1) fail("/proc/self/statm", "unreadable");
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / (1024 * 1024);
}

static void finish_times(Timing* times, Result* result) {
    TimingSummary us = timing_finish(times);
    result->us_min = us.min;
    result->us_median = us.median;
    result->us_mean = us.mean;
}

static Result run_chain(const Kind* kind, int n) {
    FpMessage message = {0};
    FpWorld* world = chain_create(n, kind->clearance, CHAIN_ZIGZAG, &message);
    if (!world) fail("chain refused", message.text);
    const FpSystem* system = fp_world_system(world);
    FpStepperDef def = fp_stepper_def_default();
    def.h = kind->h;
    FpStepper* stepper = fp_stepper_create(system, &def, &message);
    if (!stepper) fail("stepper refused", message.text);
    FpState* state = check_memory(fp_state_create(system));
    double* gaps = check_memory(calloc((size_t)system->row_count + 1, sizeof *gaps));

    Result result = {0};
    Timing times = {0};
    for (int k = -WARM_UP; k < STEPS; k++) {
        FpStepReport report;
        double started = timing_now();
        FpStatus status = fp_stepper_step(stepper, state, 1e9, &report, &message);
        if (status) fail(fp_status_text(status), message.text);
        double us = timing_now() - started;
        if (k >= 0 && !timing_add(&times, us)) fail("out of memory", "cannot measure");
        result.rejected += report.rejected;
        result.fallbacks += strcmp(report.solver, "structured") != 0;
        result.certificate = fmax(result.certificate, report.certificate);
        fp_state_gaps(system, state, gaps);
        result.penetration = fmax(result.penetration, fp_gaps_penetration(system, gaps));
    }
    finish_times(&times, &result);
    result.resident_mib = resident_mib();
    free(gaps);
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    fp_world_destroy(world);
    return result;
}

static void print_result(const Kind* kind, int n, const Result* r, FILE* csv) {
    printf("%-6s %5d %9.1f %9.1f %9.1f %5ld %5ld %8.1e %8.1e %7.1f\n", kind->name, n, r->us_min,
           r->us_median, r->us_mean, r->rejected, r->fallbacks, r->certificate, r->penetration,
           r->resident_mib);
    fflush(stdout);
    if (csv)
        fprintf(csv, "%s,%d,%.1f,%.1f,%.1f,%ld,%ld,%.2e,%.2e,%.1f\n", kind->name, n, r->us_min,
                r->us_median, r->us_mean, r->rejected, r->fallbacks, r->certificate, r->penetration,
                r->resident_mib);
}

/* The slope of the cost over the size, both logarithmic, between the first and the last of them. */
static double exponent(double us_first, double us_last, int first, int last) {
    return log(us_last / us_first) / log((double)last / first);
}

static void run_all(int n_max, FILE* csv) {
    printf("%-6s %5s %9s %9s %9s %5s %5s %8s %8s %7s\n", "joints", "n", "us min", "median", "mean",
           "rej", "fall", "certif", "penetr m", "MiB");
    if (csv)
        fprintf(csv, "joints,n,us_min,us_median,us_mean,rejected,fallbacks,max_certificate,"
                     "max_penetration_m,resident_mib\n");
    for (int k = 0; k < KINDS; k++) {
        double median[SIZES];
        int count = 0;
        for (; count < SIZES && sizes[count] <= n_max; count++) {
            Result result = run_chain(&kinds[k], sizes[count]);
            median[count] = result.us_median;
            print_result(&kinds[k], sizes[count], &result, csv);
        }
        if (count > EXPONENT_FROM + 1)
            printf("cost grows with exponent %.2f from n = %d to %d\n",
                   exponent(median[EXPONENT_FROM], median[count - 1], sizes[EXPONENT_FROM],
                            sizes[count - 1]),
                   sizes[EXPONENT_FROM], sizes[count - 1]);
    }
    printf("us: microseconds of processor time per step of solver auto; rej: steps halved; fall: "
           "steps by Ipopt;\n"
           "certif: largest scaled residual; MiB: resident memory of the process\n");
}

static void usage_error(const char* option, const char* reason) {
    fprintf(stderr, "freeplay_bench_chains: %s: %s; see --help\n", option, reason);
    exit(EXIT_USAGE);
}

int main(int argc, char** argv) {
    const char* path = NULL;
    int n_max = sizes[SIZES - 1];
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            puts(
                "usage: freeplay_bench_chains [OPTION]...\n"
                "Steps chains of 4 to 1024 bars, ideal and loose; reports time per step, accuracy\n"
                "and memory.\n\n"
                "  --n-max N   no chain longer than this (default: 1024)\n"
                "  --csv FILE  writes the table as CSV, too\n"
                "  --help      shows this");
            return EXIT_SUCCESS;
        }
        bool n = strcmp(argv[i], "--n-max") == 0, csv = strcmp(argv[i], "--csv") == 0;
        if (!n && !csv) usage_error(argv[i], "unknown option");
        if (i + 1 == argc) usage_error(argv[i], "needs a value");
        if (n && (n_max = atoi(argv[i + 1])) < sizes[0]) usage_error(argv[i], "must be at least 4");
        if (csv) path = argv[i + 1];
        i++;
    }
    FILE* csv = path ? fopen(path, "w") : NULL;
    if (path && !csv) fail(path, "cannot be written");
    run_all(n_max, csv);
    if (csv && (ferror(csv) | fclose(csv))) fail(path, "could not be written completely");
    return EXIT_SUCCESS;
}
