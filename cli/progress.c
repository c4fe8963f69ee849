#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "cli/text.h"

static const double redraw_seconds = 0.1;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void cli_progress_start(CliProgress* progress, bool wanted, double t_end) {
    *progress = (CliProgress){
        .is_shown = wanted && isatty(STDERR_FILENO), .t_end = t_end, .started = now()};
    progress->drawn = progress->started;
}

/* Blanks instead of control sequences: they work on every terminal. */
static void draw(CliProgress* progress, const char* line) {
    int width = (int)strlen(line);
    int rest = progress->width > width ? progress->width - width : 0;
    fprintf(stderr, "\r%s%*s", line, rest, "");
    fflush(stderr);
    progress->width = width;
}

void cli_progress_update(CliProgress* progress, const FpState* state) {
    if (!progress->is_shown) return;
    double time = now();
    if (time - progress->drawn < redraw_seconds) return;
    progress->drawn = time;
    char left[64] = "", line[640];
    double done = state->t / progress->t_end;
    if (done > 0)
        snprintf(left, sizeof left, ", %s left",
                 cli_text_duration((time - progress->started) * (1 - done) / done).text);
    snprintf(line, sizeof line, "%3.0f %%  t = %s of %s, %ld steps, h = %s%s", 100 * done,
             cli_text_quantity(state->t, "s").text, cli_text_quantity(progress->t_end, "s").text,
             state->step, cli_text_quantity(state->h, "s").text, left);
    line[78] = '\0'; /* one line of the narrowest usual terminal */
    draw(progress, line);
}

void cli_progress_erase(CliProgress* progress) {
    if (progress->width > 0) {
        draw(progress, "");
        fputc('\r', stderr);
        fflush(stderr);
    }
    progress->is_shown = false;
}
