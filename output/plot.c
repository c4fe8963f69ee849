#include "output/run_files_impl.h"

#include <math.h>
#include <stdlib.h>
#include "output/panel_impl.h"

/* The curves: gaps and forces of all rows, then these. */
enum {
    FREEPLAY_CURVE_KINETIC,
    FREEPLAY_CURVE_POTENTIAL,
    FREEPLAY_CURVE_TOTAL,
    FREEPLAY_CURVE_SHADOW,
    FREEPLAY_CURVE_H,
    FREEPLAY_OTHER_CURVES,
};

struct FpPlot {
    const FpSystem* system;
    FpCurves* curves;
    double* values; /* of one sample */
    /* The last step is cut to end on time, and tells nothing about the choice of h. */
    double h_last, h_smallest_before;
};

static int gap_curve(int row) {
    return row;
}

static int force_curve(const FpPlot* plot, int row) {
    return plot->system->row_count + row;
}

static int other_curve(const FpPlot* plot, int which) {
    return 2 * plot->system->row_count + which;
}

FpPlot* fp_plot_create(const FpSystem* system) {
    FpPlot* plot = calloc(1, sizeof *plot);
    if (!plot) return NULL;
    plot->system = system;
    plot->h_last = plot->h_smallest_before = INFINITY;
    int count = other_curve(plot, FREEPLAY_OTHER_CURVES);
    plot->curves = fp_curves_create(count);
    plot->values = calloc((size_t)count, sizeof *plot->values);
    if (plot->curves && plot->values) return plot;
    fp_plot_destroy(plot);
    return NULL;
}

void fp_plot_destroy(FpPlot* plot) {
    if (!plot) return;
    fp_curves_destroy(plot->curves);
    free(plot->values);
    free(plot);
}

void fp_plot_add(FpPlot* plot, const FpSample* sample) {
    const FpState* state = sample->state;
    for (int i = 0; i < plot->system->row_count; i++) {
        plot->values[gap_curve(i)] = sample->gaps[i];
        plot->values[force_curve(plot, i)] = sample->is_initial ? NAN : state->lambda[i];
    }
    double* others = plot->values + other_curve(plot, 0);
    others[FREEPLAY_CURVE_KINETIC] = sample->energy.kinetic;
    others[FREEPLAY_CURVE_POTENTIAL] = sample->energy.potential;
    others[FREEPLAY_CURVE_TOTAL] = sample->energy.total;
    others[FREEPLAY_CURVE_SHADOW] = sample->energy.shadow;
    others[FREEPLAY_CURVE_H] = sample->is_initial ? NAN : state->h;
    fp_curves_add(plot->curves, state->t, plot->values);
    if (sample->is_initial) return;
    plot->h_smallest_before = fmin(plot->h_smallest_before, plot->h_last);
    plot->h_last = state->h;
}

static FpRange panel_extent(const FpPlot* plot, const FpPanel* panel) {
    FpRange extent = fp_range_empty();
    for (int i = 0; i < panel->curve_count; i++)
        extent = fp_range_join(extent, fp_curves_extent(plot->curves, panel->curves[i].index));
    return extent;
}

static FpRange with_zero(FpRange range) {
    return fp_range_join(range, (FpRange){0.0, 0.0});
}

/* Colours that remain distinct to the colour-blind; the dashes serve where curves coincide. */
static FpStroke stroke_of(int i) {
    static const char* const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#000000", "#e69f00", "#56b4e9"};
    static const char* const dashes[] = {"", "70 30", "20 20", "90 25 20 25"};
    return (FpStroke){colours[i % 7], dashes[i % 4], 14};
}

typedef struct FpRowChoice {
    int row;
    double peak; /* largest force */
} FpRowChoice;

typedef struct FpRowChoices {
    int count, hidden; /* rows shown, and rows for which there is no room */
    FpRowChoice rows[FREEPLAY_PANEL_CURVES];
} FpRowChoices;

static int by_row(const void* a, const void* b) {
    return ((const FpRowChoice*)a)->row - ((const FpRowChoice*)b)->row;
}

/* The constraint of a row of the system, and which of its rows it is. */
static const FpConstraint* find_row(const FpSystem* system, int* row) {
    int c = 0;
    while (*row >= system->constraints[c]->row_count) *row -= system->constraints[c++]->row_count;
    return system->constraints[c];
}

static const FpRow* row_of(const FpPlot* plot, int row) {
    const FpConstraint* constraint = find_row(plot->system, &row);
    return &constraint->rows[row];
}

static bool is_torque(const FpPlot* plot, int row) {
    return row_of(plot, row)->unit == FREEPLAY_ROW_ANGLE;
}

/* A torque counts as the force at the model's length. */
static double peak_of(const FpPlot* plot, int row) {
    FpRange force = with_zero(fp_curves_extent(plot->curves, force_curve(plot, row)));
    double peak = fmax(force.high, -force.low);
    return is_torque(plot, row) ? peak / plot->system->scales.length : peak;
}

/* The rows, all or the loose ones, that push hardest, in their order; of equal ones the first. */
static FpRowChoices choose_rows(const FpPlot* plot, bool only_loose) {
    FpRowChoices chosen = {0};
    for (int row = 0; row < plot->system->row_count; row++) {
        if (only_loose && row_of(plot, row)->kind != FREEPLAY_ROW_UNILATERAL) continue;
        FpRowChoice candidate = {row, peak_of(plot, row)};
        int at = chosen.count;
        while (at > 0 && chosen.rows[at - 1].peak < candidate.peak) at--;
        if (chosen.count < FREEPLAY_PANEL_CURVES)
            chosen.count++;
        else
            chosen.hidden++;
        for (int i = chosen.count - 1; i > at; i--) chosen.rows[i] = chosen.rows[i - 1];
        if (at < chosen.count) chosen.rows[at] = candidate;
    }
    qsort(chosen.rows, (size_t)chosen.count, sizeof *chosen.rows, by_row);
    return chosen;
}

/* A row has the same stroke in both panels. */
static FpStroke row_stroke(const FpRowChoices* of_forces, const FpRowChoices* chosen, int i) {
    for (int k = 0; k < of_forces->count; k++)
        if (of_forces->rows[k].row == chosen->rows[i].row) return stroke_of(k);
    return stroke_of(of_forces->count + i);
}

static void put_row_name(const FpSystem* system, int row, const char* quantity, char* name,
                         size_t size) {
    const FpConstraint* constraint = find_row(system, &row);
    const FpRow* info = &constraint->rows[row];
    bool is_moment = info->unit == FREEPLAY_ROW_ANGLE;
    snprintf(name, size, "%s.%s[%d]%s%s%s", constraint->name, quantity, row,
             is_moment ? ", N m" : "", info->label ? ": " : "", info->label ? info->label : "");
}

static void put_rows(const FpPlot* plot, bool is_force, FpPanel* panel) {
    FpRowChoices of_forces = choose_rows(plot, false);
    FpRowChoices chosen = is_force ? of_forces : choose_rows(plot, true);
    panel->curve_count = chosen.count;
    panel->hidden_count = chosen.hidden;
    panel->nothing = chosen.count > 0              ? "no steps"
                     : plot->system->row_count > 0 ? "no loose rows"
                                                   : "no joints";
    for (int i = 0; i < panel->curve_count; i++) {
        FpPanelCurve* curve = &panel->curves[i];
        int row = chosen.rows[i].row;
        curve->index = is_force ? force_curve(plot, row) : gap_curve(row);
        curve->stroke = row_stroke(&of_forces, &chosen, i);
        put_row_name(plot->system, row, is_force ? "force" : "gap", curve->name,
                     sizeof curve->name);
    }
}

static FpPanel gap_panel(const FpPlot* plot) {
    FpPanel panel = {.height = 1700};
    put_rows(plot, false, &panel);
    FpRange range = with_zero(panel_extent(plot, &panel));
    /* Tight rows show round-off: keep it from filling the panel. */
    double smallest = 1e-12 * plot->system->scales.length;
    if (panel.curve_count > 0 && range.high - range.low < smallest)
        range = (FpRange){-smallest, smallest};
    panel.axis =
        fp_axis_linear((FpQuantity){.name = "gap", .symbol = "m"}, fp_range_padded(range), 5);
    return panel;
}

static int by_size(const void* a, const void* b) {
    double difference = *(const double*)a - *(const double*)b;
    return difference < 0.0 ? -1 : difference > 0.0;
}

/* The size that four fifths of the buckets in which a row pushes stay below; -1: out of memory. */
static double usual_force(const FpPlot* plot, const FpPanel* panel, double peak) {
    int buckets = fp_curves_bucket_count(plot->curves), count = 0;
    double* sizes = calloc((size_t)(buckets * panel->curve_count) + 1, sizeof *sizes);
    if (!sizes) return -1.0;
    for (int i = 0; i < panel->curve_count; i++) {
        for (int b = 0; b < buckets; b++) {
            FpRange force = fp_curves_values(plot->curves, panel->curves[i].index, b);
            double size = fp_range_is_empty(force) ? 0.0 : fmax(force.high, -force.low);
            if (size > 1e-6 * peak) sizes[count++] = size;
        }
    }
    qsort(sizes, (size_t)count, sizeof *sizes, by_size);
    double usual = count > 0 ? sizes[4 * (count - 1) / 5] : 0.0;
    free(sizes);
    return usual;
}

/* Forces, and torques of rows that hold an angle, if there are such rows. */
static FpQuantity force_quantity(const FpPlot* plot) {
    FpQuantity quantity = {.name = "force", .symbol = "N"};
    for (int row = 0; row < plot->system->row_count; row++) {
        if (!is_torque(plot, row)) continue;
        quantity.second_name = "torque";
        quantity.second_symbol = "N m";
    }
    return quantity;
}

static void note_peak(const FpPlot* plot, FpPanel* panel, double peak) {
    const char* unit = "N";
    for (int row = 0; row < plot->system->row_count; row++) {
        FpRange force = fp_curves_extent(plot->curves, force_curve(plot, row));
        if (is_torque(plot, row) && fmax(force.high, -force.low) == peak) unit = "N m";
    }
    char largest[64];
    fp_quantity_text(peak, unit, largest);
    snprintf(panel->note, sizeof panel->note, "\u25b2 beyond the axis, up to %s", largest);
}

/* An impact pushes for one short step, a thousand times harder than what follows. Where such spikes
 * would flatten the rest, the axis ends below them, and triangles stand for their tips. */
static FpStatus force_panel(const FpPlot* plot, FpPanel* panel) {
    *panel = (FpPanel){.height = 1700};
    put_rows(plot, true, panel);
    FpRange range = with_zero(panel_extent(plot, panel));
    double peak = fmax(range.high, -range.low);
    double usual = usual_force(plot, panel, peak);
    if (usual < 0.0) return FREEPLAY_OUT_OF_MEMORY;
    double limit = 2.5 * usual;
    panel->marks_clipped = usual > 0.0 && peak > 2.0 * limit;
    if (panel->marks_clipped) {
        range = (FpRange){fmax(range.low, -limit), fmin(range.high, limit)};
        note_peak(plot, panel, peak);
    }
    panel->axis = fp_axis_linear(force_quantity(plot), fp_range_padded(range), 5);
    return FREEPLAY_OK;
}

static FpPanel energy_panel(const FpPlot* plot) {
    static const FpPanelCurve curves[] = {
        {FREEPLAY_CURVE_KINETIC, {"#0072b2", "70 30", 14}, "E_kin: kinetic"},
        {FREEPLAY_CURVE_POTENTIAL, {"#d55e00", "90 25 20 25", 14}, "E_pot: potential"},
        {FREEPLAY_CURVE_TOTAL, {"#000000", "", 18}, "E_tot: total"},
        {FREEPLAY_CURVE_SHADOW, {"#56b4e9", "20 20", 18}, "E_shadow: shadow"},
    };
    FpPanel panel = {.height = 1700, .curve_count = 4, .nothing = "no steps"};
    for (int i = 0; i < panel.curve_count; i++) {
        panel.curves[i] = curves[i];
        panel.curves[i].index = other_curve(plot, curves[i].index);
    }
    FpRange range = fp_range_padded(panel_extent(plot, &panel));
    panel.axis = fp_axis_linear((FpQuantity){.name = "energy", .symbol = "J"}, range, 5);
    return panel;
}

static FpPanel step_panel(const FpPlot* plot) {
    FpPanel panel = {.height = 1000, .curve_count = 1, .nothing = "no steps"};
    panel.curves[0] = (FpPanelCurve){other_curve(plot, FREEPLAY_CURVE_H), {"#0072b2", "", 14}, "h"};
    FpQuantity quantity = {.name = "step h", .symbol = "s"};
    FpRange range = panel_extent(plot, &panel);
    if (range.high > 30.0 * plot->h_smallest_before) {
        range = (FpRange){plot->h_smallest_before / 1.5, 1.5 * range.high};
        panel.axis = fp_axis_logarithmic(quantity, range, 4);
    } else {
        panel.axis = fp_axis_linear(quantity, fp_range_padded(with_zero(range)), 4);
    }
    return panel;
}

/* A little longer than the run, so that marks at its ends are whole. */
static FpAxis time_axis(const FpPlot* plot) {
    int count = fp_curves_bucket_count(plot->curves);
    FpRange range = {0.0, 1.0};
    if (count > 0)
        range = (FpRange){fp_curves_time(plot->curves, 0).low,
                          fp_curves_time(plot->curves, count - 1).high};
    double margin = 0.01 * (range.high - range.low);
    range = (FpRange){range.low - margin, range.high + margin};
    return fp_axis_linear((FpQuantity){.name = "time", .symbol = "s"}, range, 8);
}

static void draw_head(const FpRunSummary* summary, int height, FILE* stream) {
    int page = FREEPLAY_PAGE_WIDTH;
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            " viewBox=\"0 0 %d %d\" role=\"img\">\n",
            page / 10, height / 10, page, height);
    fputs("<title>", stream);
    fp_svg_escaped(stream, summary->model ? summary->model : "", 200);
    fputs(": gaps, forces, energy and step size over time</title>\n"
          "<style>text{font-family:system-ui,Helvetica,Arial,sans-serif;font-size:110px;fill:#222}"
          ".head{font-size:150px;font-weight:bold}.name{font-size:120px}.note{fill:#555}"
          ".alarm{fill:#b00020}.grid{stroke:#ddd;stroke-width:6}"
          ".frame{fill:none;stroke:#666;stroke-width:8}</style>\n",
          stream);
    fprintf(stream, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", page, height);
}

static void draw_title(const FpRunSummary* summary, FILE* stream) {
    char text[512];
    fp_svg_text(stream, FREEPLAY_PLOT_LEFT, 260, "start", "head",
                summary->model ? summary->model : "", 80);
    if (summary->status != FREEPLAY_OK) {
        bool has_reason = summary->reason && summary->reason[0];
        snprintf(text, sizeof text, "ended early: %s",
                 has_reason ? summary->reason : fp_status_text(summary->status));
        fp_svg_text(stream, FREEPLAY_PLOT_LEFT, 440, "start", "alarm", text, 150);
        return;
    }
    snprintf(text, sizeof text, "scheme %s, solver %s, rows %s, step %s: %ld steps",
             summary->scheme ? summary->scheme : "?", summary->solver ? summary->solver : "?",
             summary->rows ? summary->rows : "?", summary->step ? summary->step : "?",
             summary->totals.steps);
    fp_svg_text(stream, FREEPLAY_PLOT_LEFT, 440, "start", "note", text, 150);
}

FpStatus fp_plot_write(const FpPlot* plot, const FpRunSummary* summary, FILE* stream) {
    FpPanel panels[4] = {[0] = gap_panel(plot), [2] = energy_panel(plot), [3] = step_panel(plot)};
    FpStatus status = force_panel(plot, &panels[1]);
    if (status != FREEPLAY_OK) return status;
    int bottom = 340;
    for (int i = 0; i < 4; i++) {
        panels[i].top = bottom + 260;
        bottom = panels[i].top + panels[i].height;
    }
    FpAxis time = time_axis(plot);
    draw_head(summary, bottom + 480, stream);
    draw_title(summary, stream);
    for (int i = 0; i < 4; i++) fp_panel_draw(&panels[i], i, plot->curves, &time, stream);
    fp_panel_draw_time(&panels[3], &time, stream);
    fputs("</svg>\n", stream);
    return FREEPLAY_OK;
}
