#include "examples/cam_section.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DROPPED = 20 }; /* turns at the start, which depend on where it started */

typedef struct Section {
    long every; /* steps of a turn */
    int count, room;
    double (*points)[2]; /* u, v after each turn */
} Section;

static FpStatus keep(void* context, const FpState* state, const FpStepReport* report) {
    (void)report;
    Section* section = context;
    if (state->step % section->every != 0 || section->count == section->room) return FREEPLAY_OK;
    section->points[section->count][0] = state->q[0];
    section->points[section->count++][1] = state->v[0];
    return FREEPLAY_OK;
}

static void write_csv(const Section* section, double turn, FILE* stream) {
    fputs("turn,t,u,v_u\n", stream);
    for (int i = 0; i < section->count; i++)
        fprintf(stream, "%d,%.12g,%.17g,%.17g\n", i, i * turn, section->points[i][0],
                section->points[i][1]);
}

/* The drawing ---------------------------------------------------------------------------------- */

enum { WIDTH = 600, HEIGHT = 450, MARGIN = 60 };

typedef struct Axis {
    double low, high;
} Axis;

static Axis axis_of(const Section* section, int which) {
    Axis axis = {INFINITY, -INFINITY};
    for (int i = DROPPED; i < section->count; i++) {
        axis.low = fmin(axis.low, section->points[i][which]);
        axis.high = fmax(axis.high, section->points[i][which]);
    }
    double room = axis.high > axis.low ? 0.05 * (axis.high - axis.low) : 1;
    return (Axis){axis.low - room, axis.high + room};
}

static double place(Axis axis, double x, double from, double to) {
    return from + (x - axis.low) / (axis.high - axis.low) * (to - from);
}

static void write_text(FILE* stream, double x, double y, const char* anchor, const char* format,
                       double value) {
    fprintf(stream, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\">", x, y, anchor);
    fprintf(stream, format, value);
    fputs("</text>\n", stream);
}

static void write_svg(const Section* section, FILE* stream) {
    Axis u = axis_of(section, 0), v = axis_of(section, 1);
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#888\"/>\n",
            WIDTH, HEIGHT, MARGIN, MARGIN / 2, WIDTH - 2 * MARGIN, HEIGHT - 3 * MARGIN / 2);
    for (int k = 0; k <= 4; k++) {
        double x = u.low + k * (u.high - u.low) / 4, y = v.low + k * (v.high - v.low) / 4;
        write_text(stream, place(u, x, MARGIN, WIDTH - MARGIN), HEIGHT - MARGIN + 18, "middle",
                   "%.3f", x);
        write_text(stream, MARGIN - 6, place(v, y, HEIGHT - MARGIN, MARGIN / 2) + 4, "end", "%.2f",
                   y);
    }
    write_text(stream, WIDTH / 2, HEIGHT - 16, "middle", "position u (m), once per turn", 0);
    fprintf(stream,
            "<text transform=\"translate(14,%d) rotate(-90)\" text-anchor=\"middle\">"
            "velocity (m/s)</text>\n<g fill=\"#1f77b4\">\n",
            HEIGHT / 2);
    for (int i = DROPPED; i < section->count; i++)
        fprintf(stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.2\"/>\n",
                place(u, section->points[i][0], MARGIN, WIDTH - MARGIN),
                place(v, section->points[i][1], HEIGHT - MARGIN, MARGIN / 2));
    fputs("</g>\n</svg>\n", stream);
}

static FpStatus write_files(const Section* section, const CamSection* wanted, FpMessage* message) {
    char name[1024];
    for (int k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "%s%s", wanted->file, k ? ".svg" : "");
        FILE* stream = fopen(name, "w");
        if (!stream) return fp_refuse(message, FREEPLAY_FILE_ERROR, "cannot write %.900s", name);
        if (k)
            write_svg(section, stream);
        else
            write_csv(section, wanted->turn, stream);
        bool failed = ferror(stream) != 0;
        if (fclose(stream) || failed)
            return fp_refuse(message, FREEPLAY_FILE_ERROR, "cannot write all of %.900s", name);
    }
    return FREEPLAY_OK;
}

FpStatus cam_section_write(const Mechanism* cam, const FpStepperDef* def, const CamSection* wanted,
                           FpMessage* message) {
    const FpSystem* system = fp_lagrangian_system(cam->lagrangian);
    FpStepperDef whole = *def;
    Section section = {.every = (long)ceil(wanted->turn / def->h)};
    whole.h = wanted->turn / (double)section.every;
    section.room = (int)fmin(floor(wanted->t_end / wanted->turn * (1 + 1e-12)) + 1, 1e6);
    if (section.room <= DROPPED + 1)
        return fp_refuse(message, FREEPLAY_INVALID_ARGUMENT,
                         "--t-end is %g s; a section needs more than %d turns, --t-end %g",
                         wanted->t_end, DROPPED, 50 * DROPPED * wanted->turn);
    section.points = calloc((size_t)section.room, sizeof *section.points);
    FpStepper* stepper = fp_stepper_create(system, &whole, message);
    FpState* state = fp_state_create(system);
    FpObserver observer = {.context = &section, .step = keep};
    FpTotals totals;
    FpStatus status = FREEPLAY_OUT_OF_MEMORY;
    if (section.points && stepper && state)
        status = fp_simulate(stepper, state, wanted->t_end, &observer, &totals, message);
    if (!status) status = write_files(&section, wanted, message);
    if (!status)
        printf("%d turns of %g s in steps of %g s: %s and %s.svg\n", section.count - 1,
               wanted->turn, whole.h, wanted->file, wanted->file);
    fp_state_destroy(state);
    fp_stepper_destroy(stepper);
    free(section.points);
    return status;
}
