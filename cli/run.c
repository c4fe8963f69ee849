#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/run_options.h"
#include "cli/settings.h"
#include "cli/text.h"

typedef struct Run {
    CliRunOptions options;
    FpModel* model;
    FpRunDef def;
    char* directory;
    FpStepper* stepper;
    FpState* state;
    FpAssembly assembly; /* if the options ask for it */
    FpRunFiles* files;
    FpObserver to_files;
    CliProgress progress;
    CliEventCounts events;
} Run;

/* Observers ---------------------------------------------------------------------------------- */

static bool is_cancelled(void* context) {
    (void)context;
    return cli_interrupt_signal() != 0;
}

static FpStatus observe_step(void* context, const FpState* state, const FpStepReport* report) {
    Run* run = context;
    FpStatus status = run->to_files.step(run->to_files.context, state, report);
    if (status) return status;
    cli_progress_update(&run->progress, state);
    return is_cancelled(NULL) && state->t < run->def.t_end ? FREEPLAY_CANCELLED : FREEPLAY_OK;
}

static FpStatus observe_event(void* context, const FpEvent* event) {
    Run* run = context;
    run->events.all++;
    if (event->kind == FREEPLAY_EVENT_IMPACT) run->events.impacts++;
    return run->to_files.event(run->to_files.context, event);
}

/* Before the first step: whatever is refused here leaves no file behind ------------------------ */

static char* default_directory(const char* model) {
    static const char parent[] = "out/";
    size_t size = sizeof parent + strlen(model);
    char* path = malloc(size);
    if (path) snprintf(path, size, "%s%s", parent, model);
    return path;
}

static int refuse(const FpMessage* reason, int code) {
    cli_error_reason(reason, NULL);
    return code;
}

static int prepare_method(Run* run) {
    FpMessage reason = {0};
    run->def = fp_model_run(run->model);
    if (cli_run_options_apply(&run->options, &run->def, &reason)) return refuse(&reason, CLI_USAGE);
    run->def.stepper.cancel = is_cancelled;
    const FpSystem* system = fp_model_system(run->model);
    run->stepper = fp_stepper_create(system, &run->def.stepper, &reason);
    if (!run->stepper) return refuse(&reason, CLI_FAILED);
    run->state = fp_state_create(system);
    if (!run->state) cli_out_of_memory();
    return CLI_OK;
}

static int assemble(Run* run) {
    return run->options.assemble ? cli_model_assemble(run->model, run->state, &run->assembly)
                                 : CLI_OK;
}

static int open_files(Run* run) {
    FpMessage reason = {0};
    const char* out = run->options.out;
    run->directory = out ? strdup(out) : default_directory(fp_model_name(run->model));
    if (!run->directory) cli_out_of_memory();
    FpRunFilesDef def = {.directory = run->directory, .every = run->options.every};
    if (fp_run_files_open(fp_model_system(run->model), &def, &run->files, &reason))
        return refuse(&reason, CLI_FAILED);
    run->to_files = fp_run_files_observer(run->files);
    return CLI_OK;
}

static int prepare(Run* run, const CliArguments* arguments) {
    FpMessage reason = {0};
    if (cli_run_options_read(arguments, &run->options, &reason)) return refuse(&reason, CLI_USAGE);
    int code = run->options.assemble ? cli_model_load_unassembled(arguments, &run->model)
                                     : cli_model_load(arguments, &run->model);
    if (code == CLI_OK) code = prepare_method(run);
    if (code == CLI_OK) code = assemble(run);
    if (code == CLI_OK) code = open_files(run);
    return code;
}

/* The run ------------------------------------------------------------------------------------ */

/* What is worth knowing before the first step. */
static void announce(const Run* run, const char* warning) {
    const FpAssembly* assembly = &run->assembly;
    if (run->options.quiet) return;
    if (warning[0]) cli_warning("%s", warning);
    if (run->options.assemble && !run->options.json)
        printf("assembled: the bodies moved by up to %s; largest violation %s before, %s after\n",
               cli_text_quantity(assembly->moved, "m").text,
               cli_text_quantity(assembly->before, "m").text,
               cli_text_quantity(assembly->after, "m").text);
}

static FpStatus simulate(Run* run, FpTotals* totals, FpMessage* reason) {
    FpObserver observer = {.context = run, .step = observe_step, .event = observe_event};
    bool wants_progress = !run->options.json && !run->options.quiet;
    cli_progress_start(&run->progress, wants_progress, run->def.t_end);
    FpStatus status =
        fp_simulate(run->stepper, run->state, run->def.t_end, &observer, totals, reason);
    cli_progress_erase(&run->progress);
    if (status && !reason->text[0]) fp_refuse(reason, status, "%s", fp_status_text(status));
    return status;
}

static void print_json(const FpRunSummary* summary) {
    char* text = fp_run_summary_json(summary);
    if (!text) cli_out_of_memory();
    puts(text);
    free(text);
}

static void print_summary(const Run* run, const FpRunSummary* summary) {
    if (run->options.json)
        print_json(summary);
    else if (!run->options.quiet)
        cli_report_print(summary, &run->events, run->directory);
}

static int exit_code_of(const Run* run, const FpRunSummary* summary) {
    if (summary->status == FREEPLAY_OK) return CLI_OK;
    if (summary->status != FREEPLAY_CANCELLED) {
        cli_error("the run failed: %s", summary->reason);
        return CLI_FAILED;
    }
    cli_error("cancelled at t = %g s of %g s; what was computed is in %s", run->state->t,
              run->def.t_end, run->directory);
    return 128 + cli_interrupt_signal();
}

/* What ended the run first, then why its files could not be kept. */
static int refuse_files(const FpRunSummary* summary, const FpMessage* not_written) {
    if (summary->status && summary->status != FREEPLAY_FILE_ERROR)
        cli_error("the run failed: %s", summary->reason);
    return refuse(not_written, CLI_FAILED);
}

static int execute(Run* run) {
    const FpStepperDef* stepper = &run->def.stepper;
    const char* warning = fp_stepper_warning(run->stepper);
    FpMessage reason = {0}, not_written = {0};
    FpRunSummary summary = {
        .model = fp_model_name(run->model),
        .scheme = stepper->scheme,
        .solver = stepper->solver,
        .rows = cli_row_form_name(stepper->rows),
        .step = stepper->strategy,
        .t_end = run->def.t_end,
        .warning_count = warning[0] ? 1 : 0,
        .warnings = &warning,
        .assembled = run->options.assemble ? &run->assembly : NULL,
        .reason = reason.text,
    };
    announce(run, warning);
    summary.status = simulate(run, &summary.totals, &reason);
    FpStatus closed = fp_run_files_close(run->files, &summary, &not_written);
    run->files = NULL;
    if (closed) return refuse_files(&summary, &not_written);
    print_summary(run, &summary);
    return exit_code_of(run, &summary);
}

static int run_command(const CliArguments* arguments) {
    Run run = {0};
    cli_interrupt_catch();
    int code = prepare(&run, arguments);
    if (code == CLI_OK) code = execute(&run);
    fp_run_files_discard(run.files);
    fp_state_destroy(run.state);
    fp_stepper_destroy(run.stepper);
    fp_model_destroy(run.model);
    free(run.directory);
    return code;
}

CliCommand cli_run_command(void) {
    return (CliCommand){
        .name = "run",
        .summary = "simulates a model and writes what happened into a folder",
        .usage = "MODEL.json [OPTION]...",
        .about =
            "Simulates the mechanism that a model file describes, shows a summary and writes\n"
            "  trajectory.csv   positions, velocities, gaps, forces and energies of every step\n"
            "  events.csv       when a contact opened, closed or hit, and when a body left a "
            "joint\n"
            "  summary.json     how the run went, and how exact it is\n"
            "  plot.svg         gaps, forces, energy and step size over time\n"
            "Options have precedence over the model's \"run\" block; where neither says anything:\n"
            "scheme gauss, step fixed, h = 1 ms, rows exact, solver auto, until t = 1 s. A TIME "
            "is\n"
            "in seconds or has a unit: 0.002, 2ms, \"2 ms\".\n",
        .examples =
            "  freeplay run examples/revolute_pendulum.json --t-end 2s\n"
            "  freeplay run examples/pendulum_clearance.json --set c=50mm --h 0.5ms --out wide\n",
        .needs_model = true,
        .option_count = cli_run_option_count,
        .options = cli_run_option_table,
        .run = run_command,
    };
}
