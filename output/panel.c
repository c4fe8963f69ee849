#include "output/panel_impl.h"

#include <math.h>
#include <stdlib.h>

#define FREEPLAY_LEGEND_LEFT   (FREEPLAY_PLOT_LEFT + FREEPLAY_PLOT_WIDTH + 160)
#define FREEPLAY_LEGEND_SAMPLE 300
#define FREEPLAY_LEGEND_LINE   150
#define FREEPLAY_LEGEND_ROOM   40

static int x_of(const FpAxis* time, double t) {
    return FREEPLAY_PLOT_LEFT + (int)lround(FREEPLAY_PLOT_WIDTH * fp_axis_place(time, t));
}

/* Far outside, any place will do that is not too large for an int. */
static int y_of(const FpPanel* panel, double value) {
    double place = fmin(fmax(fp_axis_place(&panel->axis, value), -20.0), 20.0);
    return panel->top + (int)lround(panel->height * (1.0 - place));
}

static bool has_place(const FpPanel* panel, FpRange values) {
    return !fp_range_is_empty(values) && !isnan(fp_axis_place(&panel->axis, values.low));
}

static void draw_frame(const FpPanel* panel, const FpAxis* time, FILE* stream) {
    int bottom = panel->top + panel->height;
    int right = FREEPLAY_PLOT_LEFT + FREEPLAY_PLOT_WIDTH;
    for (int i = 0; i < time->tick_count; i++) {
        int x = FREEPLAY_PLOT_LEFT + (int)lround(FREEPLAY_PLOT_WIDTH * time->ticks[i].place);
        fp_svg_line(stream, x, panel->top, x, bottom, "grid");
    }
    for (int i = 0; i < panel->axis.tick_count; i++) {
        const FpTick* tick = &panel->axis.ticks[i];
        int y = bottom - (int)lround(panel->height * tick->place);
        fp_svg_line(stream, FREEPLAY_PLOT_LEFT, y, right, y, "grid");
        fp_svg_text(stream, FREEPLAY_PLOT_LEFT - 60, y + 38, "end", "tick", tick->label, 20);
    }
    fprintf(stream, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"frame\"/>\n",
            FREEPLAY_PLOT_LEFT, panel->top, FREEPLAY_PLOT_WIDTH, panel->height);
    int middle = panel->top + panel->height / 2;
    fprintf(stream, "<g transform=\"translate(180 %d) rotate(-90)\">", middle);
    fp_svg_text(stream, 0, 0, "middle", "name", panel->axis.title, 40);
    fputs("</g>\n", stream);
}

/* Through both ends of the bucket's range, the nearer one first. */
static void draw_bucket(FpPen* pen, int left, int right, int low, int high) {
    bool low_first = !pen->is_down || abs(low - pen->y) <= abs(high - pen->y);
    fp_pen_draw(pen, left, low_first ? low : high);
    if (right != left || low != high) fp_pen_draw(pen, right, low_first ? high : low);
}

static void draw_line(const FpPanel* panel, const FpPanelCurve* curve, const FpCurves* curves,
                      const FpAxis* time, FILE* stream) {
    FpPen pen = fp_pen_begin(stream, curve->stroke);
    for (int b = 0; b < fp_curves_bucket_count(curves); b++) {
        FpRange values = fp_curves_values(curves, curve->index, b);
        if (!has_place(panel, values)) {
            fp_pen_lift(&pen);
            continue;
        }
        FpRange times = fp_curves_time(curves, b);
        draw_bucket(&pen, x_of(time, times.low), x_of(time, times.high), y_of(panel, values.low),
                    y_of(panel, values.high));
    }
    fp_pen_end(&pen);
}

/* A line needs two points; a lonely one becomes a dot. */
static void draw_dot(const FpPanel* panel, const FpPanelCurve* curve, const FpCurves* curves,
                     const FpAxis* time, FILE* stream) {
    for (int b = 0; b < fp_curves_bucket_count(curves); b++) {
        FpRange values = fp_curves_values(curves, curve->index, b);
        if (!has_place(panel, values)) continue;
        fprintf(stream, "<circle cx=\"%d\" cy=\"%d\" r=\"25\" fill=\"%s\"/>\n",
                x_of(time, fp_curves_time(curves, b).high), y_of(panel, values.high),
                curve->stroke.colour);
    }
}

static void draw_triangle(int x, int tip, int base, const char* colour, FILE* stream) {
    fprintf(stream, "<path d=\"M%d %dL%d %dL%d %dZ\" fill=\"%s\"/>\n", x, tip, x - 32, base, x + 32,
            base, colour);
}

static void mark_clipped(const FpPanel* panel, const FpPanelCurve* curve, const FpCurves* curves,
                         const FpAxis* time, FILE* stream) {
    int bottom = panel->top + panel->height;
    int last_above = -1000, last_below = -1000;
    for (int b = 0; b < fp_curves_bucket_count(curves); b++) {
        FpRange values = fp_curves_values(curves, curve->index, b);
        int x = x_of(time, fp_curves_time(curves, b).high);
        if (fp_range_is_empty(values)) continue;
        /* Triangles side by side, not on top of one another. */
        if (fp_axis_place(&panel->axis, values.high) > 1.0 && x - last_above >= 70) {
            draw_triangle(x, panel->top - 62, panel->top - 6, curve->stroke.colour, stream);
            last_above = x;
        }
        if (fp_axis_place(&panel->axis, values.low) < 0.0 && x - last_below >= 70) {
            draw_triangle(x, bottom + 62, bottom + 6, curve->stroke.colour, stream);
            last_below = x;
        }
    }
}

static void draw_legend(const FpPanel* panel, FILE* stream) {
    int y = panel->top + 80;
    for (int i = 0; i < panel->curve_count; i++, y += FREEPLAY_LEGEND_LINE) {
        const FpPanelCurve* curve = &panel->curves[i];
        fputs("<g><title>", stream); /* the whole name, shown by a pointer on a cut one */
        fp_svg_escaped(stream, curve->name, (int)sizeof curve->name);
        fputs("</title>\n", stream);
        fp_svg_stroke_line(stream, FREEPLAY_LEGEND_LEFT, y - 35,
                           FREEPLAY_LEGEND_LEFT + FREEPLAY_LEGEND_SAMPLE, y - 35, curve->stroke);
        fp_svg_text(stream, FREEPLAY_LEGEND_LEFT + FREEPLAY_LEGEND_SAMPLE + 80, y, "start", "key",
                    curve->name, FREEPLAY_LEGEND_ROOM);
        fputs("</g>\n", stream);
    }
    if (panel->hidden_count == 0) return;
    char more[64];
    snprintf(more, sizeof more, "and %d more in trajectory.csv", panel->hidden_count);
    fp_svg_text(stream, FREEPLAY_LEGEND_LEFT, y, "start", "note", more, 60);
}

static void draw_curve(const FpPanel* panel, const FpPanelCurve* curve, const FpCurves* curves,
                       const FpAxis* time, FILE* stream) {
    int points = 0;
    for (int b = 0; b < fp_curves_bucket_count(curves) && points < 2; b++)
        points += has_place(panel, fp_curves_values(curves, curve->index, b));
    if (points == 1)
        draw_dot(panel, curve, curves, time, stream);
    else
        draw_line(panel, curve, curves, time, stream);
}

void fp_panel_draw(const FpPanel* panel, int number, const FpCurves* curves, const FpAxis* time,
                   FILE* stream) {
    draw_frame(panel, time, stream);
    int middle = FREEPLAY_PLOT_LEFT + FREEPLAY_PLOT_WIDTH / 2;
    if (panel->curve_count == 0 || fp_curves_bucket_count(curves) == 0)
        fp_svg_text(stream, middle, panel->top + panel->height / 2, "middle", "note",
                    panel->nothing, 80);

    fprintf(stream,
            "<clipPath id=\"panel%d\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
            "</clipPath>\n<g clip-path=\"url(#panel%d)\">\n",
            number, FREEPLAY_PLOT_LEFT, panel->top, FREEPLAY_PLOT_WIDTH, panel->height, number);
    for (int i = 0; i < panel->curve_count; i++)
        draw_curve(panel, &panel->curves[i], curves, time, stream);
    fputs("</g>\n", stream);

    for (int i = 0; i < panel->curve_count && panel->marks_clipped; i++)
        mark_clipped(panel, &panel->curves[i], curves, time, stream);
    fp_svg_text(stream, FREEPLAY_PLOT_LEFT + FREEPLAY_PLOT_WIDTH, panel->top - 85, "end", "note",
                panel->note, 80);
    draw_legend(panel, stream);
}

void fp_panel_draw_time(const FpPanel* panel, const FpAxis* time, FILE* stream) {
    int y = panel->top + panel->height;
    for (int i = 0; i < time->tick_count; i++) {
        int x = FREEPLAY_PLOT_LEFT + (int)lround(FREEPLAY_PLOT_WIDTH * time->ticks[i].place);
        fp_svg_text(stream, x, y + 160, "middle", "tick", time->ticks[i].label, 20);
    }
    fp_svg_text(stream, FREEPLAY_PLOT_LEFT + FREEPLAY_PLOT_WIDTH / 2, y + 360, "middle", "name",
                time->title, 40);
}
