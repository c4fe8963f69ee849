/* freeplay_campaign: random programs by the structured solver and by Ipopt, and whether both find
 * the same optimum. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "bench/random_program.h"

#define SAME_OBJECTIVE   1e-8 /* of max(J, b+^T diag(N)^-1 b+) */
#define LARGEST_MISTAKE  1e-8 /* of random_program_violation */
#define EXAMPLES_PRINTED 10   /* of each kind and family */

typedef struct Options {
    long count;
    unsigned long long seed;
    int family; /* -1: all in turn */
    const char* csv;
} Options;

/* What became of the programs of one family. */
typedef struct Tally {
    long programs, both, declined, ipopt_declined, better, wrong;
    double difference, certificate, violation; /* largest */
} Tally;

typedef enum Outcome { SAME, DECLINED, IPOPT_DECLINED, BOTH_DECLINED, BETTER, WRONG } Outcome;
static const char* const outcome_names[] = {"same",    "structured declined", "ipopt declined",
                                            "neither", "ipopt worse",         "disagreement"};

/* Options -------------------------------------------------------------------------------------- */

static const char help[] =
    "usage: freeplay_campaign [options]\n"
    "Solves random least-constraint programs by the structured solver and by Ipopt, and compares.\n"
    "  --count N      programs (20000)\n"
    "  --seed S       of the first one; the others have the next ones (1)\n"
    "  --family NAME  only this one: generic, degenerate, redundant, scaled, bilateral, many,\n"
    "                 closed, open, wrong-start, mixed\n"
    "  --csv FILE     writes the table there as well\n"
    "Exit status 1 if a certified answer is wrong.\n";

static _Noreturn void fail(int code, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("freeplay_campaign: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(code);
}

static unsigned long long read_number(const char* option, const char* text) {
    char* end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || value > INT64_MAX / RANDOM_ROWS)
        fail(2, "%s: '%s' is no whole number from 0 on", option, text);
    return value;
}

static int read_family(const char* name) {
    for (int k = 0; k < RANDOM_FAMILY_COUNT; k++)
        if (strcmp(name, random_family_names[k]) == 0) return k;
    fail(2, "--family: no family '%s', see --help", name);
}

static Options read_options(int argc, char** argv) {
    Options options = {.count = 20000, .seed = 1, .family = -1};
    for (int i = 1; i < argc; i++) {
        const char* option = argv[i];
        if (strcmp(option, "--help") == 0) {
            fputs(help, stdout);
            exit(EXIT_SUCCESS);
        }
        bool known = strcmp(option, "--count") == 0 || strcmp(option, "--seed") == 0 ||
                     strcmp(option, "--family") == 0 || strcmp(option, "--csv") == 0;
        if (!known) fail(2, "unknown option '%s', see --help", option);
        if (++i == argc) fail(2, "%s needs a value", option);
        if (option[2] == 's')
            options.seed = read_number(option, argv[i]);
        else if (option[2] == 'f')
            options.family = read_family(argv[i]);
        else if (option[3] == 's')
            options.csv = argv[i];
        else
            options.count = (long)read_number(option, argv[i]);
    }
    return options;
}

/* One program ---------------------------------------------------------------------------------- */

static Outcome judge(const RandomProgram* p, const RandomAnswer* ours, const RandomAnswer* ipopt,
                     double* difference) {
    bool solved = ours->status == FREEPLAY_OK;
    *difference = 0;
    if (solved && !(ours->violation <= LARGEST_MISTAKE)) return WRONG;
    if (!solved && ipopt->status) return BOTH_DECLINED;
    if (!solved) return DECLINED;
    if (ipopt->status) return IPOPT_DECLINED;
    *difference = random_program_difference(p, ours->report.objective, ipopt->report.objective);
    if (fabs(*difference) <= SAME_OBJECTIVE) return SAME;
    return *difference < 0 ? BETTER : WRONG;
}

static void count_outcome(Tally* t, Outcome outcome, const RandomAnswer* ours, double difference) {
    t->programs++;
    t->both += outcome == SAME;
    t->declined += outcome == DECLINED || outcome == BOTH_DECLINED;
    t->ipopt_declined += outcome == IPOPT_DECLINED || outcome == BOTH_DECLINED;
    t->better += outcome == BETTER;
    t->wrong += outcome == WRONG;
    if (outcome == SAME) t->difference = fmax(t->difference, fabs(difference));
    if (ours->status) return;
    t->certificate = fmax(t->certificate, ours->report.certificate.worst);
    t->violation = fmax(t->violation, ours->violation);
}

static void show(const RandomProgram* p, Outcome outcome, const RandomAnswer* ours,
                 const RandomAnswer* ipopt, double difference) {
    printf("%s, %s, seed %llu, %d rows: J %.9g (%s, certificate %.1e, violation %.1e) against "
           "%.9g (%s, violation %.1e), difference %.1e\n",
           outcome_names[outcome], random_family_names[p->family], (unsigned long long)p->seed,
           p->row_count, ours->report.objective, fp_status_text(ours->status),
           ours->report.certificate.worst, ours->violation, ipopt->report.objective,
           fp_status_text(ipopt->status), ipopt->violation, difference);
}

static void run_program(RandomFamily family, uint64_t seed, Tally* tally) {
    RandomProgram* p = random_program_create(family, seed);
    if (!p) fail(1, "%s", fp_status_text(FREEPLAY_OUT_OF_MEMORY));
    RandomAnswer ours = random_program_solve(p, "structured");
    RandomAnswer ipopt = random_program_solve(p, "ipopt");
    double difference;
    Outcome outcome = judge(p, &ours, &ipopt, &difference);
    count_outcome(tally, outcome, &ours, difference);
    bool few = tally->declined + tally->better + tally->wrong <= EXAMPLES_PRINTED;
    if (outcome == WRONG || (few && outcome != SAME && outcome != IPOPT_DECLINED))
        show(p, outcome, &ours, &ipopt, difference);
    random_program_destroy(p);
}

/* All of them ---------------------------------------------------------------------------------- */

static void print_table(const Tally* tallies, FILE* csv) {
    printf("%-12s %8s %8s %8s %8s %8s %8s %10s %10s %10s\n", "family", "programs", "same",
           "declined", "ipopt no", "ipopt >", "wrong", "difference", "certificate", "violation");
    if (csv)
        fputs("family,programs,same,structured_declined,ipopt_declined,ipopt_worse,disagreements,"
              "max_difference,max_certificate,max_violation\n",
              csv);
    for (int k = 0; k < RANDOM_FAMILY_COUNT; k++) {
        const Tally* t = &tallies[k];
        if (t->programs == 0) continue;
        printf("%-12s %8ld %8ld %8ld %8ld %8ld %8ld %10.1e %10.1e %10.1e\n", random_family_names[k],
               t->programs, t->both, t->declined, t->ipopt_declined, t->better, t->wrong,
               t->difference, t->certificate, t->violation);
        if (csv)
            fprintf(csv, "%s,%ld,%ld,%ld,%ld,%ld,%ld,%.2e,%.2e,%.2e\n", random_family_names[k],
                    t->programs, t->both, t->declined, t->ipopt_declined, t->better, t->wrong,
                    t->difference, t->certificate, t->violation);
    }
}

static void show_progress(long done, long count) {
    if (done % 100 == 0) fprintf(stderr, "\r%ld of %ld", done, count);
    if (done == count) fputs("\r                              \r", stderr);
}

int main(int argc, char** argv) {
    Options options = read_options(argc, argv);
    FILE* csv = options.csv ? fopen(options.csv, "w") : NULL;
    if (options.csv && !csv) fail(2, "%s: cannot be written", options.csv);
    Tally tallies[RANDOM_FAMILY_COUNT] = {0};
    bool terminal = isatty(STDERR_FILENO);
    long wrong = 0;
    for (long k = 0; k < options.count; k++) {
        int family = options.family >= 0 ? options.family : (int)(k % RANDOM_FAMILY_COUNT);
        run_program(family, options.seed + (uint64_t)k, &tallies[family]);
        if (terminal) show_progress(k + 1, options.count);
    }
    print_table(tallies, csv);
    for (int k = 0; k < RANDOM_FAMILY_COUNT; k++) wrong += tallies[k].wrong;
    bool written = !csv || !ferror(csv);
    if (csv && fclose(csv)) written = false;
    if (!written) fail(1, "%s: could not be written completely", options.csv);
    return wrong ? 1 : EXIT_SUCCESS;
}
