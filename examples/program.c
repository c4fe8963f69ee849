#include "examples/program.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2, EVENTS_SHOWN = 8, PATH_ROOM = 512 };

typedef struct Run {
    const Program* program;
    char out[PATH_ROOM], name[128];
    int number; /* of the case */
    double t_end;
    long every;
    bool json;
    ProgramValues values;
    FpStepperDef def;
    FpObserver to_files;
    FpEvent events[EVENTS_SHOWN];
    long event_count, impact_count;
} Run;

/* Options -------------------------------------------------------------------------------------- */

typedef enum Option { OUT, H, SCHEME, SOLVER, T_END, CASE, EVERY, JSON, HELP, OWN } Option;

static const struct {
    const char *name, *takes, *about;
} common[OWN] = {
    [OUT] = {"out", "DIR", "folder for the files (default: out/ and the name of the program)"},
    [H] = {"h", "SECONDS", "length of every step"},
    [SCHEME] = {"scheme", "NAME", "rattle (default), rattle-midpoint, moreau or gauss"},
    [SOLVER] = {"solver", "NAME", "solver of each step: auto (default), structured or ipopt"},
    [T_END] = {"t-end", "SECONDS", "when the simulation ends; it starts at 0"},
    [CASE] = {"case", "NAME", "which start; see below"},
    [EVERY] = {"every", "K", "writes every K-th step to trajectory.csv (default: 1)"},
    [JSON] = {"json", NULL, "prints summary.json, and nothing else"},
    [HELP] = {"help", NULL, "prints this"},
};

static void print_option(const char* name, const char* takes, const char* about) {
    char option[64];
    snprintf(option, sizeof option, "--%s %s", name, takes ? takes : "");
    printf("  %-17s ", option);
    for (const char* c = about; *c; c++) {
        putchar(*c);
        if (*c == '\n') printf("%20s", "");
    }
    putchar('\n');
}

static void print_help(const Run* run, const Mechanism* mechanism) {
    const Program* program = run->program;
    printf("%s\n\nUsage: %s [OPTION]...\n\n", program->about, program->name);
    puts("Simulates it, shows a summary and writes trajectory.csv, events.csv, summary.json and\n"
         "plot.svg. Columns of trajectory.csv have the paper's names; NAME.force[i] is the force "
         "of\n"
         "a row and NAME.t1[i], t2, drill its friction: the percussion of a step is that times "
         "h.\n");
    for (int i = 0; i < OWN; i++)
        if (i != CASE || program->cases[0].name)
            print_option(common[i].name, common[i].takes, common[i].about);
    for (int i = 0; i < PROGRAM_OPTIONS && program->options[i].name; i++) {
        const ProgramOption* own = &program->options[i];
        print_option(own->name, own->takes, own->about);
        if (!own->is_file) printf("%20s(default: %g)\n", "", own->value);
    }
    if (program->cases[0].name) puts("\nCases:");
    for (int i = 0; i < PROGRAM_CASES && program->cases[i].name; i++)
        printf("  %-4s%s%s\n", program->cases[i].name, program->cases[i].about,
               i ? "" : " (default)");
    printf("\nWithout --h and --t-end: h = %g s until t = %g s.\n\nExamples:\n", mechanism->h,
           mechanism->t_end);
    printf("  %s --out here --h %g\n", program->name, mechanism->h / 2);
    printf("  %s --scheme moreau --json\n", program->name);
}

static bool complain(const Run* run, const char* name, const char* text, const char* right) {
    fprintf(stderr, "%s: --%s is '%s'; it must be %s\n", run->program->name, name, text, right);
    return false;
}

static bool read_number(const Run* run, const char* name, const char* text, double* x) {
    char* end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value > 0) || !isfinite(value))
        return complain(run, name, text, "a positive number, as in 0.001");
    *x = value;
    return true;
}

static bool read_every(Run* run, const char* text) {
    char* end;
    run->every = strtol(text, &end, 10);
    return (end != text && !*end && run->every >= 1) ||
           complain(run, "every", text, "a whole number from 1, as in 10");
}

static bool read_case(Run* run, const char* text) {
    const ProgramCase* cases = run->program->cases;
    char names[128] = "left out, as there is only one";
    for (int i = 0; i < PROGRAM_CASES && cases[i].name; i++) {
        size_t used = i ? strlen(names) : 0;
        if (strcmp(cases[i].name, text) == 0) {
            run->number = i;
            return true;
        }
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "one of ", cases[i].name);
    }
    return complain(run, "case", text, names);
}

static bool read_out(Run* run, const char* text) {
    int length = snprintf(run->out, sizeof run->out, "%s", text);
    return (length > 0 && length < PATH_ROOM) ||
           complain(run, "out", text, "the name of a folder, shorter than 512 characters");
}

static bool read_own(Run* run, int own, const char* text) {
    const ProgramOption* option = &run->program->options[own];
    if (!option->is_file) return read_number(run, option->name, text, &run->values.number[own]);
    run->values.file[own] = text;
    return *text || complain(run, option->name, text, "the name of a file");
}

static bool read_option(Run* run, int option, const char* text) {
    switch (option) {
    case OUT:
        return read_out(run, text);
    case H:
        return read_number(run, "h", text, &run->def.h);
    case SCHEME:
        run->def.scheme = text;
        return true;
    case SOLVER:
        run->def.solver = text;
        return true;
    case T_END:
        return read_number(run, "t-end", text, &run->t_end);
    case CASE:
        return read_case(run, text);
    case EVERY:
        return read_every(run, text);
    case JSON:
        run->json = true;
        return true;
    default:
        return read_own(run, option - OWN, text);
    }
}

typedef enum Wish { TO_RUN, TO_READ_HELP, MISTAKEN } Wish;

static Wish mistake(const Run* run, const char* what, const char* why) {
    fprintf(stderr, "%s: '%s' %s; --help lists the options\n", run->program->name, what, why);
    return MISTAKEN;
}

static Wish read_options(Run* run, int argc, char** argv) {
    struct option table[OWN + PROGRAM_OPTIONS + 1] = {0};
    int count = 0;
    for (; count < OWN; count++)
        table[count] = (struct option){
            common[count].name, common[count].takes ? required_argument : no_argument, NULL, 0};
    for (int i = 0; i < PROGRAM_OPTIONS && run->program->options[i].name; i++)
        table[count++] = (struct option){run->program->options[i].name, required_argument, NULL, 0};
    int index, code;
    opterr = 0;
    while ((code = getopt_long(argc, argv, ":h", table, &index)) != -1) {
        if (code == 'h' || (code == 0 && index == HELP)) return TO_READ_HELP;
        if (code == '?' || code == ':') {
            const char* why = code == ':' ? "needs a value" : "is no option";
            return mistake(run, argv[optind - 1], why);
        }
        if (!read_option(run, index, optarg)) return MISTAKEN;
    }
    return optind == argc ? TO_RUN : mistake(run, argv[optind], "is no option");
}

/* The run -------------------------------------------------------------------------------------- */

static FpStatus see_step(void* context, const FpState* state, const FpStepReport* report) {
    Run* run = context;
    return run->to_files.step(run->to_files.context, state, report);
}

static FpStatus see_event(void* context, const FpEvent* event) {
    Run* run = context;
    if (run->event_count < EVENTS_SHOWN) run->events[run->event_count] = *event;
    run->event_count++;
    if (event->kind == FREEPLAY_EVENT_IMPACT) run->impact_count++;
    return run->to_files.event(run->to_files.context, event);
}

static void print_state(const FpSystem* system, const FpState* state) {
    char name[64];
    for (int k = 0; k < 2; k++) {
        printf(k ? "  velocities " : "  coordinates");
        for (int i = 0; i < (k ? system->v_count : system->q_count); i++) {
            (k ? system->ops->velocity_name : system->ops->coordinate_name)(system->self, 0, i,
                                                                            name, sizeof name);
            printf("  %s %.6g", name, k ? state->v[i] : state->q[i]);
        }
        putchar('\n');
    }
}

static void print_summary(const Run* run, const FpSystem* system, const FpState* state,
                          const FpRunSummary* summary) {
    const FpTotals* totals = &summary->totals;
    printf("%s: scheme %s, h = %g s, %ld steps until t = %g s, %s\n", summary->model,
           summary->scheme, run->def.h, totals->steps, state->t, fp_status_text(summary->status));
    for (int i = 0; i < run->event_count && i < EVENTS_SHOWN; i++) {
        const FpEvent* event = &run->events[i];
        const FpConstraint* constraint = system->constraints[event->constraint];
        printf("  t = %-9.6g %-7s %s, %.6g m/s\n", event->t, fp_event_kind_name(event->kind),
               constraint->rows[event->row].label, event->speed);
    }
    printf("  events       %ld, %ld of them impacts%s\n", run->event_count, run->impact_count,
           run->event_count > EVENTS_SHOWN ? "; the first are above" : "");
    print_state(system, state);
    printf("  energy       from %.6g J to %.6g J\n", totals->initial.total, totals->final.total);
    printf("  exactness    largest penetration %.2g m, largest certificate %.2g\n",
           totals->max_penetration, totals->max_certificate);
    printf("  files        %s: trajectory.csv, events.csv, summary.json, plot.svg\n", run->out);
}

static int refuse(const Run* run, const FpMessage* message) {
    fprintf(stderr, "%s: %s%s%s\n", run->program->name, message->field,
            message->field[0] ? " " : "", message->text);
    return EXIT_FAILURE;
}

/* Whatever is refused before the first step leaves no file behind. */
static int simulate(Run* run, FpStepper* stepper, FpState* state) {
    const FpSystem* system = fp_stepper_system(stepper);
    const char* warning = fp_stepper_warning(stepper);
    FpMessage reason = {0}, not_written = {0};
    FpRunFiles* files;
    FpRunFilesDef files_def = {.directory = run->out, .every = run->every};
    if (fp_run_files_open(system, &files_def, &files, &not_written))
        return refuse(run, &not_written);
    run->to_files = fp_run_files_observer(files);
    FpRunSummary summary = {
        .model = run->name,
        .scheme = run->def.scheme,
        .solver = run->def.solver,
        .rows = "exact",
        .step = run->def.strategy,
        .t_end = run->t_end,
        .warning_count = warning[0] ? 1 : 0,
        .warnings = &warning,
        .reason = reason.text,
    };
    if (warning[0]) fprintf(stderr, "%s: warning: %s\n", run->program->name, warning);
    FpObserver observer = {.context = run, .step = see_step, .event = see_event};
    summary.status = fp_simulate(stepper, state, run->t_end, &observer, &summary.totals, &reason);
    if (fp_run_files_close(files, &summary, &not_written)) return refuse(run, &not_written);
    if (run->json) {
        char* text = fp_run_summary_json(&summary);
        puts(text ? text : "out of memory");
        free(text);
    } else {
        print_summary(run, system, state, &summary);
    }
    return summary.status ? refuse(run, &reason) : EXIT_SUCCESS;
}

static int run_mechanism(Run* run, Mechanism* mechanism) {
    FpMessage message = {0};
    const char* file = run->values.file[PROGRAM_OPTIONS - 1];
    if (file) {
        FpStatus status =
            run->program->write_file(mechanism, &run->def, run->t_end, &run->values, &message);
        return status ? refuse(run, &message) : EXIT_SUCCESS;
    }
    int code = EXIT_FAILURE;
    const FpSystem* system = fp_lagrangian_system(mechanism->lagrangian);
    FpStepper* stepper = fp_stepper_create(system, &run->def, &message);
    FpState* state = fp_state_create(system);
    if (stepper && state)
        code = simulate(run, stepper, state);
    else
        refuse(run, &message);
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    return code;
}

/* What the options left open. */
static void complete(Run* run, const Mechanism* mechanism) {
    const ProgramCase* cases = run->program->cases;
    const char* which = cases[0].name ? cases[run->number].name : "";
    const char* name = run->program->name;
    if (run->def.h == 0) run->def.h = mechanism->h;
    if (run->t_end == 0) run->t_end = mechanism->t_end;
    snprintf(run->name, sizeof run->name, "%s%s%s", name, *which ? ", case " : "", which);
    if (!run->out[0])
        snprintf(run->out, sizeof run->out, "out/%s%s%s", name, *which ? "_" : "", which);
}

int program_run(const Program* program, int argc, char** argv) {
    FpMessage message = {0};
    Run run = {.program = program, .every = 1, .def = fp_stepper_def_default()};
    run.def.scheme = "rattle";
    run.def.h = 0;
    for (int i = 0; i < PROGRAM_OPTIONS; i++) run.values.number[i] = program->options[i].value;
    Wish wish = read_options(&run, argc, argv);
    if (wish == MISTAKEN) return EXIT_USAGE;
    Mechanism* mechanism = program->create(run.number, &run.values, &message);
    if (!mechanism) return refuse(&run, &message);
    int code = EXIT_SUCCESS;
    if (wish == TO_READ_HELP) {
        print_help(&run, mechanism);
    } else {
        complete(&run, mechanism);
        code = run_mechanism(&run, mechanism);
    }
    mechanism_free(mechanism);
    return code;
}
