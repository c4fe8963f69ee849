#include "output/run_files_impl.h"

#include <stdlib.h>
#include "output/folder_impl.h"

enum {
    FREEPLAY_TRAJECTORY_FILE,
    FREEPLAY_EVENTS_FILE,
    FREEPLAY_SUMMARY_FILE,
    FREEPLAY_PLOT_FILE,
    FREEPLAY_FILE_COUNT,
};

static const char* const file_names[FREEPLAY_FILE_COUNT] = {
    [FREEPLAY_TRAJECTORY_FILE] = "trajectory.csv",
    [FREEPLAY_EVENTS_FILE] = "events.csv",
    [FREEPLAY_SUMMARY_FILE] = "summary.json",
    [FREEPLAY_PLOT_FILE] = "plot.svg",
};

struct FpRunFiles {
    const FpSystem* system;
    long every;
    FpFolder folder;
    FpPartFile files[FREEPLAY_FILE_COUNT];
    FpPlot* plot;
    double* gaps;
    FpState* skipped; /* the last state that thinning left out: it may turn out to be the last */
    bool has_skipped;
};

static FpStatus allocate(FpRunFiles* files) {
    files->plot = fp_plot_create(files->system);
    files->gaps = calloc((size_t)files->system->row_count + 1, sizeof *files->gaps);
    files->skipped = fp_state_create(files->system);
    return files->plot && files->gaps && files->skipped ? FREEPLAY_OK : FREEPLAY_OUT_OF_MEMORY;
}

static FpStatus open_files(FpRunFiles* files, const char* directory, FpMessage* message) {
    FpStatus status = fp_folder_make(directory, &files->folder, message);
    for (int i = 0; i < FREEPLAY_FILE_COUNT && status == FREEPLAY_OK; i++)
        status = fp_part_file_open(&files->folder, file_names[i], &files->files[i], message);
    return status;
}

static FILE* stream_of(FpRunFiles* files, int file) {
    return files->files[file].stream;
}

FpStatus fp_run_files_open(const FpSystem* system, const FpRunFilesDef* def, FpRunFiles** opened,
                           FpMessage* message) {
    *opened = NULL;
    if (def->every < 1)
        return fp_refuse_field(message, "every", "must be 1 or more, not %ld", def->every);
    FpRunFiles* files = calloc(1, sizeof *files);
    if (!files) return fp_refuse(message, FREEPLAY_OUT_OF_MEMORY, "out of memory");
    files->system = system;
    files->every = def->every;

    FpStatus status = allocate(files);
    if (status != FREEPLAY_OK)
        fp_refuse(message, status, "out of memory");
    else
        status = open_files(files, def->directory, message);
    if (status != FREEPLAY_OK) {
        fp_run_files_discard(files);
        return status;
    }
    fp_trajectory_header(system, stream_of(files, FREEPLAY_TRAJECTORY_FILE));
    fp_events_header(stream_of(files, FREEPLAY_EVENTS_FILE));
    *opened = files;
    return FREEPLAY_OK;
}

static FpSample sample_of(FpRunFiles* files, const FpState* state, bool is_initial) {
    fp_state_gaps(files->system, state, files->gaps);
    return (FpSample){
        .state = state,
        .is_initial = is_initial,
        .energy = fp_state_energy(files->system, state),
        .gaps = files->gaps,
    };
}

static FpStatus write_row(FpRunFiles* files, const FpSample* sample) {
    files->has_skipped = false;
    fp_trajectory_row(files->system, sample, stream_of(files, FREEPLAY_TRAJECTORY_FILE));
    return fp_part_file_check(&files->files[FREEPLAY_TRAJECTORY_FILE]);
}

static FpStatus observe_step(void* context, const FpState* state, const FpStepReport* report) {
    FpRunFiles* files = context;
    FpSample sample = sample_of(files, state, !report);
    fp_plot_add(files->plot, &sample);
    if (!report || state->step % files->every == 0) return write_row(files, &sample);
    fp_state_copy(files->skipped, state);
    files->has_skipped = true;
    return FREEPLAY_OK;
}

static FpStatus observe_event(void* context, const FpEvent* event) {
    FpRunFiles* files = context;
    fp_events_row(files->system, event, stream_of(files, FREEPLAY_EVENTS_FILE));
    return fp_part_file_check(&files->files[FREEPLAY_EVENTS_FILE]);
}

FpObserver fp_run_files_observer(FpRunFiles* files) {
    return (FpObserver){.context = files, .step = observe_step, .event = observe_event};
}

static void write_last_row(FpRunFiles* files) {
    if (!files->has_skipped) return;
    FpSample sample = sample_of(files, files->skipped, false);
    write_row(files, &sample);
}

static FpStatus write_summary(const FpRunSummary* summary, FILE* stream) {
    char* text = fp_run_summary_json(summary);
    if (!text) return FREEPLAY_OUT_OF_MEMORY;
    fputs(text, stream);
    putc('\n', stream);
    free(text);
    return FREEPLAY_OK;
}

/* Write errors stay in the streams; finish_files finds them. */
static FpStatus write_rest(FpRunFiles* files, const FpRunSummary* summary, FpMessage* message) {
    write_last_row(files);
    FpStatus status = write_summary(summary, stream_of(files, FREEPLAY_SUMMARY_FILE));
    if (status == FREEPLAY_OK)
        status = fp_plot_write(files->plot, summary, stream_of(files, FREEPLAY_PLOT_FILE));
    return status == FREEPLAY_OK ? status : fp_refuse(message, status, "out of memory");
}

/* No file takes its place before all of them are complete. */
static FpStatus finish_files(FpRunFiles* files, FpMessage* message) {
    FpStatus status = FREEPLAY_OK;
    for (int i = 0; i < FREEPLAY_FILE_COUNT && status == FREEPLAY_OK; i++)
        status = fp_part_file_finish(&files->files[i], message);
    for (int i = 0; i < FREEPLAY_FILE_COUNT && status == FREEPLAY_OK; i++)
        status = fp_part_file_rename(&files->files[i], message);
    return status;
}

FpStatus fp_run_files_close(FpRunFiles* files, const FpRunSummary* summary, FpMessage* message) {
    FpStatus status = write_rest(files, summary, message);
    if (status == FREEPLAY_OK) status = finish_files(files, message);
    fp_run_files_discard(files);
    return status;
}

void fp_run_files_discard(FpRunFiles* files) {
    if (!files) return;
    for (int i = 0; i < FREEPLAY_FILE_COUNT; i++) fp_part_file_free(&files->files[i]);
    fp_folder_remove_made(&files->folder); /* which keeps a folder with files in it */
    fp_plot_destroy(files->plot);
    fp_state_destroy(files->skipped);
    free(files->gaps);
    free(files);
}
