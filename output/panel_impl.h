/* One of the stacked panels of plot.svg: curves over time, axis, legend. */
#ifndef FREEPLAY_OUTPUT_PANEL_IMPL_H
#define FREEPLAY_OUTPUT_PANEL_IMPL_H

#include "output/axis_impl.h"
#include "output/curves_impl.h"
#include "output/svg_impl.h"

/* The page, in tenths of a pixel. */
#define FREEPLAY_PAGE_WIDTH   9700
#define FREEPLAY_PLOT_LEFT    820
#define FREEPLAY_PLOT_WIDTH   5800
#define FREEPLAY_PANEL_CURVES 10

typedef struct FpPanelCurve {
    int index; /* in FpCurves */
    FpStroke stroke;
    char name[256];
} FpPanelCurve;

typedef struct FpPanel {
    int top, height;
    FpAxis axis;
    int curve_count;
    FpPanelCurve curves[FREEPLAY_PANEL_CURVES];
    int hidden_count;    /* curves for which there was no room */
    bool marks_clipped;  /* a triangle where a curve leaves the panel */
    char note[128];      /* above the panel, "" for none */
    const char* nothing; /* to say when there is nothing to show */
} FpPanel;

/* number: of the panel on the page, from 0. */
void fp_panel_draw(const FpPanel* panel, int number, const FpCurves* curves, const FpAxis* time,
                   FILE* stream);
/* The time axis below the last panel. */
void fp_panel_draw_time(const FpPanel* panel, const FpAxis* time, FILE* stream);

#endif
