/* freeplay_bench_nonsmooth: accuracy and speed of the schemes with contact laws, figure by figure,
 * beside what is required of them. */
#include <freeplay.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/chain.h"
#include "bench/measure.h"
#include "bench/slope_orders.h"
#include "examples/program.h"

#ifndef FREEPLAY_EXAMPLES_DIR
#define FREEPLAY_EXAMPLES_DIR "examples"
#endif

enum { EXIT_USAGE = 2 };

static void fail(const char* what, const char* reason) {
    fprintf(stderr, "freeplay_bench_nonsmooth: %s: %s\n", what, reason);
    exit(EXIT_FAILURE);
}

/* The table ------------------------------------------------------------------------------------ */

typedef struct Table {
    FILE* csv; /* NULL: none */
    bool quick;
    int missed;
    const char *scene, *scheme;
    char variant[64]; /* "h=1e-3", "n=256", of what the next figures are */
} Table;

typedef enum Bound { NONE, AT_MOST, AT_LEAST } Bound;

static void add_figure(Table* t, const char* figure, double value, Bound bound, double required) {
    static const char* const signs[] = {"", "<=", ">="};
    bool missed =
        (bound == AT_MOST && !(value <= required)) || (bound == AT_LEAST && !(value >= required));
    const char* verdict = bound == NONE ? "" : missed ? "no" : "yes";
    char limit[32] = "";
    if (bound != NONE) snprintf(limit, sizeof limit, "%s %g", signs[bound], required);
    printf("%-26s %-15s %-23s %-29s %12.4g  %-9s %s\n", t->scene, t->scheme, t->variant, figure,
           value, limit, missed ? "MISSED" : "");
    fflush(stdout);
    if (t->csv)
        fprintf(t->csv, "%s,%s,%s,%s,%.6g,%s,%s\n", t->scene, t->scheme, t->variant, figure, value,
                limit, verdict);
    t->missed += missed;
}

static void print_titles(Table* t) {
    printf("%-26s %-15s %-23s %-29s %12s  %-9s\n", "scene", "scheme", "of", "figure", "measured",
           "required");
    if (t->csv) fputs("scene,scheme,of,figure,measured,required,reached\n", t->csv);
}

static void add_cost(Table* t, const Measured* m, double us_limit) {
    Bound bound = us_limit > 0 ? AT_MOST : NONE;
    add_figure(t, "us a step: least", m->us_min, NONE, 0);
    add_figure(t, "us a step: median", m->us_median, NONE, 0);
    add_figure(t, "us a step: mean", m->us_mean, NONE, 0);
    if (isnan(m->us_recorded)) return;
    add_figure(t, "us a step: recorded to memory", m->us_recorded, NONE, 0);
    add_figure(t, "us a step: nothing but steps", m->us_bare, bound, us_limit);
}

static void add_trouble(Table* t, const Measured* m) {
    add_figure(t, "largest certificate", m->certificate, AT_MOST, 1e-9);
    add_figure(t, "steps rejected", (double)m->rejected, NONE, 0);
    add_figure(t, "steps left to Ipopt", (double)m->fallbacks, NONE, 0);
}

/* Subjects ------------------------------------------------------------------------------------- */

static FpModel* load_model(const char* name) {
    char path[4096];
    FpModel* model;
    FpMessage message = {0};
    snprintf(path, sizeof path, "%s/%s.json", FREEPLAY_EXAMPLES_DIR, name);
    if (fp_model_load(path, 0, NULL, &model, &message)) fail("model refused", message.text);
    return model;
}

static Mechanism* make_mechanism(const Program* program, int number) {
    FpMessage message = {0};
    Mechanism* mechanism = program_mechanism(program, number, &message);
    if (!mechanism) fail(program->name, message.text);
    return mechanism;
}

static Measured measure(const Measure* of) {
    Measured measured;
    FpMessage message = {0};
    if (!measure_run(of, &measured, &message)) fail("run ended early", message.text);
    return measured;
}

static Measure measure_of(const FpSystem* system, const char* scheme, double h, double t_end) {
    Measure of = {.system = system, .def = fp_stepper_def_default(), .t_end = t_end, .repeats = 1};
    of.def.scheme = scheme;
    of.def.h = h;
    return of;
}

/* Loose pendulum ------------------------------------------------------------------------------- */

/* Event-driven, exact gap functions, rtol 1e-12: centre of mass after 10 s, m. */
static const double pendulum_end[] = {-24.66959208, -18.79218417};
static const double pendulum_clearance = 0.1; /* m */
static const double pendulum_steps[] = {0.8e-3, 0.9e-3, 1e-3, 1.1e-3, 1.2e-3};

static void measure_pendulum(Table* t, const FpSystem* system, double h, bool located) {
    bool required = strcmp(t->scheme, "rattle") == 0;
    Measure of = measure_of(system, t->scheme, h, t->quick ? 0.05 : 10);
    of.located = located;
    of.recorded = !located;
    of.repeats = t->quick ? 1 : 5;
    Measured m = measure(&of);
    snprintf(t->variant, sizeof t->variant, "h=%.1e", h);
    if (!t->quick)
        add_figure(t, "x-y error after 10 s (m)",
                   hypot(m.end->q[0] - pendulum_end[0], m.end->q[1] - pendulum_end[1]),
                   required ? AT_MOST : NONE, located ? 1e-3 : 2e-3);
    add_figure(t, "penetration / clearance", m.penetration / pendulum_clearance,
               required ? AT_MOST : NONE, 1e-8);
    if (located) {
        add_figure(t, "contacts located", (double)m.contacts, NONE, 0);
        add_figure(t, "extra solves", (double)m.extra, NONE, 0);
    }
    add_cost(t, &m, required && !located ? 6 : 0);
    add_trouble(t, &m);
    fp_state_destroy(m.end);
}

static void measure_pendulums(Table* t, bool located) {
    static const char* const schemes[] = {"rattle", "rattle-midpoint", "moreau", "gauss"};
    FpModel* model = load_model("revolute_pendulum");
    for (int k = 0; k < (located ? 2 : 4); k++)
        for (int i = 0; i < (t->quick ? 1 : 5); i++) {
            t->scheme = schemes[k];
            measure_pendulum(t, fp_model_system(model), pendulum_steps[i], located);
        }
    fp_model_destroy(model);
}

static void revolute_pendulum(Table* t) {
    measure_pendulums(t, false);
}

static void revolute_pendulum_located(Table* t) {
    measure_pendulums(t, true);
}

/* Slider-crank with play ----------------------------------------------------------------------- */

static void slot(Table* t) {
    static const char* const schemes[] = {"rattle", "rattle-midpoint", "moreau"};
    const double h = 1e-4, clearance = 0.052 - 2 * 0.025; /* s, m */
    Mechanism* crank = make_mechanism(&slider_crank_slot, 0);
    for (int k = 0; k < 3; k++) {
        bool required = k == 0;
        t->scheme = schemes[k];
        snprintf(t->variant, sizeof t->variant, "h=%.1e", h);
        Measure of = measure_of(fp_lagrangian_system(crank->lagrangian), t->scheme, h,
                                t->quick ? 0.005 : 0.1);
        of.repeats = t->quick ? 1 : 20;
        of.recorded = true;
        Measured m = measure(&of);
        add_figure(t, "penetration / clearance", m.penetration / clearance,
                   required ? AT_MOST : NONE, 1e-6);
        add_figure(t, "rise of energy / its value", m.energy_rise / m.energy,
                   required ? AT_MOST : NONE, 2e-3);
        add_cost(t, &m, required ? 15 : 0);
        add_trouble(t, &m);
        fp_state_destroy(m.end);
    }
    mechanism_free(crank);
}

/* Chains --------------------------------------------------------------------------------------- */

static const double bar_length = 0.1, bar_mass = 0.1, g = 9.81; /* of bench/chain.h */

/* Without figures. */
static Measured run_chain(FpWorld** world, int n, double t_end, int repeats) {
    FpMessage message = {0};
    *world = chain_create(n, 0, 0, &message);
    if (!*world) fail("chain refused", message.text);
    Measure of = measure_of(fp_world_system(*world), "rattle", 1e-3, t_end);
    of.repeats = repeats;
    of.recorded = true;
    return measure(&of);
}

static void measure_chain(Table* t, int n, double t_end) {
    FpWorld* world;
    Measured m = run_chain(&world, n, t_end, n <= 64 && !t->quick ? 3 : 1);
    double end = fp_state_energy(fp_world_system(world), m.end).total;
    snprintf(t->variant, sizeof t->variant, "n=%d t<=%g", n, t_end);
    add_figure(t, "opening of joints / link", m.penetration / bar_length, AT_MOST, 1e-10);
    /* Its weight hanging down, or falling freely all the time, whichever is less. */
    double drop = fmin(n * bar_length / 2, g * t_end * t_end / 2), scale = n * bar_mass * g * drop;
    add_figure(t, "energy error at the end / scale", fabs(end - m.energy) / scale, AT_MOST, 1e-5);
    add_figure(t, "largest energy error / scale", m.energy_error / scale, NONE, 0);
    add_figure(t, "largest energy error / kinetic", m.energy_error / m.kinetic, NONE, 0);
    add_cost(t, &m, n == 256 ? 800 : 0);
    add_trouble(t, &m);
    fp_state_destroy(m.end);
    fp_world_destroy(world);
}

static double chain_cost(int n, double t_end) {
    FpWorld* world;
    Measured m = run_chain(&world, n, t_end, 1);
    fp_state_destroy(m.end);
    fp_world_destroy(world);
    return m.us_bare;
}

static void chains(Table* t) {
    const double second = 1, shorter = 0.1, quick = 0.02; /* s */
    t->scheme = "rattle";
    measure_chain(t, 4, t->quick ? quick : second);
    measure_chain(t, 16, t->quick ? quick : second);
    if (t->quick) return;
    measure_chain(t, 64, second);
    measure_chain(t, 256, second);
    measure_chain(t, 1024, second);
    /* The later, the faster the free end whips, and the more a step costs: over equal times. */
    snprintf(t->variant, sizeof t->variant, "n=64..1024 t<=%g", shorter);
    add_figure(t, "exponent of the cost",
               log(chain_cost(1024, shorter) / chain_cost(64, shorter)) / log(1024.0 / 64), AT_MOST,
               1.1);
}

/* Sliding puck --------------------------------------------------------------------------------- */

enum { PUCK_SIZES = 5, PUCK_FINER = 64 };

static FpState* end_of_puck(const FpSystem* system, const char* scheme, double h) {
    Measure of = measure_of(system, scheme, h, 0.4);
    return measure(&of).end;
}

static double distance(const double* a, const double* b) {
    return hypot(a[0] - b[0], a[1] - b[1]); /* it stays on its table */
}

static void sliding_puck(Table* t) {
    static const struct {
        const char* scheme;
        double order; /* that theory has */
    } schemes[] = {{"rattle", 1}, {"rattle-midpoint", 2}, {"moreau", 1}};
    const double h_largest = 8e-3, h_finest = h_largest / 16 / (t->quick ? 4 : PUCK_FINER);
    FpModel* model = load_model("sliding_puck");
    const FpSystem* system = fp_model_system(model);
    FpState* fine = end_of_puck(system, "rattle-midpoint", h_finest);
    snprintf(t->variant, sizeof t->variant, "h=8e-3..5e-4");
    for (int k = 0; k < 3; k++) {
        SlopeErrors errors[PUCK_SIZES];
        t->scheme = schemes[k].scheme;
        for (int i = 0; i < PUCK_SIZES; i++) {
            errors[i].h = h_largest / pow(2, i);
            FpState* end = end_of_puck(system, t->scheme, errors[i].h);
            errors[i].of[SLOPE_Q] = distance(end->q, fine->q);
            errors[i].of[SLOPE_U] = distance(end->v, fine->v);
            fp_state_destroy(end);
        }
        Bound bound = t->quick ? NONE : AT_LEAST;
        add_figure(t, "order of positions", slope_order(errors, PUCK_SIZES, SLOPE_Q), bound,
                   schemes[k].order - 0.05);
        add_figure(t, "order of velocities", slope_order(errors, PUCK_SIZES, SLOPE_U), bound,
                   schemes[k].order - 0.05);
        add_figure(t, "position error at h=1e-3 (m)", errors[3].of[SLOPE_Q], NONE, 0);
    }
    fp_state_destroy(fine);
    fp_model_destroy(model);
}

/* Contact laws --------------------------------------------------------------------------------- */

static void measure_laws(Table* t, const FpSystem* system, const char* name, double h,
                         double t_end) {
    static const char* const schemes[] = {"rattle", "rattle-midpoint", "moreau"};
    snprintf(t->variant, sizeof t->variant, "%s", name);
    for (int k = 0; k < 3; k++) {
        Measure of = measure_of(system, schemes[k], h, t->quick ? fmin(t_end, 20 * h) : t_end);
        t->scheme = schemes[k];
        Measured m = measure(&of);
        add_figure(t, "us a step: mean", m.us_mean, NONE, 0);
        add_trouble(t, &m);
        fp_state_destroy(m.end);
    }
}

static void contact_laws(Table* t) {
    static const char* const models[] = {"sliding_puck", "slider_crank_friction"};
    static const Program* const programs[] = {&bouncing_ball, &slider_crank_slot, &mass_on_slope,
                                              &tippedisk,     &cam_follower,      &painleve_rod};
    for (int k = 0; k < 2; k++) {
        FpModel* model = load_model(models[k]);
        FpRunDef run = fp_model_run(model);
        measure_laws(t, fp_model_system(model), models[k], run.stepper.h, run.t_end);
        fp_model_destroy(model);
    }
    for (int k = 0; k < 6; k++)
        for (int i = 0; i == 0 || (i < PROGRAM_CASES && programs[k]->cases[i].name); i++) {
            const char* which = programs[k]->cases[i].name;
            char name[64];
            Mechanism* mechanism = make_mechanism(programs[k], i);
            snprintf(name, sizeof name, "%s%s%s", programs[k]->name, which ? " " : "",
                     which ? which : "");
            measure_laws(t, fp_lagrangian_system(mechanism->lagrangian), name, mechanism->h,
                         mechanism->t_end);
            mechanism_free(mechanism);
        }
}

/* The command line ----------------------------------------------------------------------------- */

typedef struct Scene {
    const char *name, *summary;
    void (*run)(Table* table);
} Scene;

static const Scene scenes[] = {
    {"revolute_pendulum", "loose pendulum, 10 s: error, penetration, cost", revolute_pendulum},
    {"revolute_pendulum_located", "the same with steps that end at its contacts",
     revolute_pendulum_located},
    {"slider_crank_slot", "slider with play and friction: penetration, energy, cost", slot},
    {"chains", "ideal chains of 4 to 1024 bars: joints, energy, cost", chains},
    {"sliding_puck", "slip that turns: orders of convergence", sliding_puck},
    {"contact_laws", "all examples with friction or restitution: certificates", contact_laws},
};
enum { SCENE_COUNT = sizeof scenes / sizeof scenes[0] };

static void usage_error(const char* option, const char* reason) {
    fprintf(stderr, "freeplay_bench_nonsmooth: %s: %s; see --help\n", option, reason);
    exit(EXIT_USAGE);
}

static int find_scene(const char* name) {
    for (int i = 0; i < SCENE_COUNT; i++)
        if (strcmp(scenes[i].name, name) == 0) return i;
    usage_error(name, "no such scene; --list names them");
    return -1;
}

static void print_help(void) {
    puts("usage: freeplay_bench_nonsmooth [OPTION]...\n"
         "Measures accuracy and speed of the schemes with contact laws, beside what is required.\n"
         "\n"
         "  --list         names the scenes\n"
         "  --scene NAME   runs this scene only; may be repeated\n"
         "  --csv FILE     writes the table as CSV, too\n"
         "  --quick        short runs, whose figures mean little\n"
         "  --help         shows this");
}

static void print_list(void) {
    for (int i = 0; i < SCENE_COUNT; i++) printf("%-26s %s\n", scenes[i].name, scenes[i].summary);
}

int main(int argc, char** argv) {
    bool selected[SCENE_COUNT] = {false}, any = false;
    const char* path = NULL;
    Table table = {0};
    for (int i = 1; i < argc; i++) {
        bool help = strcmp(argv[i], "--help") == 0, list = strcmp(argv[i], "--list") == 0;
        bool scene = strcmp(argv[i], "--scene") == 0, csv = strcmp(argv[i], "--csv") == 0;
        if (help) print_help();
        if (list) print_list();
        if (help || list) return EXIT_SUCCESS;
        if (strcmp(argv[i], "--quick") == 0) {
            table.quick = true;
            continue;
        }
        if (!scene && !csv) usage_error(argv[i], "unknown option");
        if (i + 1 == argc) usage_error(argv[i], "needs a value");
        const char* value = argv[++i];
        if (scene) any = selected[find_scene(value)] = true;
        if (csv) path = value;
    }
    if (path && !(table.csv = fopen(path, "w"))) fail(path, "cannot be written");
    print_titles(&table);
    for (int i = 0; i < SCENE_COUNT; i++) {
        if (any && !selected[i]) continue;
        table.scene = scenes[i].name;
        scenes[i].run(&table);
    }
    printf("%d required figures missed\n", table.missed);
    if (table.csv && (ferror(table.csv) | fclose(table.csv)))
        fail(path, "could not be written completely");
    return EXIT_SUCCESS;
}
