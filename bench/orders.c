/* freeplay_bench_orders: orders of convergence on mass_on_slope, cases 1 to 4, as a table, as CSV
 * and as the paper's figure. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bench/slope_orders.h"
#include "output/axis_impl.h"
#include "output/svg_impl.h"

enum { EXIT_USAGE = 2 };

typedef struct Options {
    const char *scheme, *csv, *svg;
    int sizes;
} Options;

static void fail(const char* what, const char* why) {
    fprintf(stderr, "freeplay_bench_orders: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static FILE* open_to_write(const char* path) {
    FILE* stream = fopen(path, "w");
    if (!stream) fail(path, "cannot be written");
    return stream;
}

static void close_written(FILE* stream, const char* path) {
    if (ferror(stream) | fclose(stream)) fail(path, "could not be written completely");
}

/* Tables --------------------------------------------------------------------------------------- */

static void print_case(int number, const SlopeErrors* errors, int sizes) {
    printf("case %d\n  %9s", number + 1, "h");
    for (int e = 0; e < SLOPE_ERRORS; e++) printf(" %11s", slope_error_names[e]);
    for (int k = 0; k < sizes; k++) {
        printf("\n  %9.2e", errors[k].h);
        for (int e = 0; e < SLOPE_ERRORS; e++) printf(" %11.3e", errors[k].of[e]);
    }
    printf("\n  %9s", "order");
    for (int e = 0; e < SLOPE_ERRORS; e++)
        printf(" %11.2f", slope_order(errors, sizes, (SlopeError)e));
    puts("");
    fflush(stdout);
}

static void write_csv(const char* path, SlopeErrors errors[][SLOPE_SIZES], int sizes) {
    FILE* csv = open_to_write(path);
    fputs("case,h", csv);
    for (int e = 0; e < SLOPE_ERRORS; e++) fprintf(csv, ",%s", slope_error_names[e]);
    fputc('\n', csv);
    for (int number = 0; number < SLOPE_CASES; number++) {
        for (int k = 0; k < sizes; k++) {
            fprintf(csv, "%d,%.4e", number + 1, errors[number][k].h);
            for (int e = 0; e < SLOPE_ERRORS; e++) fprintf(csv, ",%.6e", errors[number][k].of[e]);
            fputc('\n', csv);
        }
        fprintf(csv, "%d,order", number + 1);
        for (int e = 0; e < SLOPE_ERRORS; e++)
            fprintf(csv, ",%.3f", slope_order(errors[number], sizes, (SlopeError)e));
        fputc('\n', csv);
    }
    close_written(csv, path);
}

/* Figure, in tenths of a pixel ----------------------------------------------------------------- */

enum { PANEL = 3300, GAP = 1000, LEFT = 900, TOP = 700, WIDTH = 9400, HEIGHT = 9400 };

typedef struct Panel {
    int left, top;
    FpAxis h, error;
} Panel;

static int x_of(const Panel* panel, double h) {
    return panel->left + (int)lround(PANEL * fp_axis_place(&panel->h, h));
}

static int y_of(const Panel* panel, double error) {
    return panel->top + (int)lround(PANEL * (1 - fp_axis_place(&panel->error, error)));
}

static void draw_frame(const Panel* panel, const char* title, FILE* svg) {
    int bottom = panel->top + PANEL, right = panel->left + PANEL;
    for (int i = 0; i < panel->h.tick_count; i++) {
        int x = panel->left + (int)lround(PANEL * panel->h.ticks[i].place);
        fp_svg_line(svg, x, panel->top, x, bottom, "grid");
        fp_svg_text(svg, x, bottom + 160, "middle", "tick", panel->h.ticks[i].label, 20);
    }
    for (int i = 0; i < panel->error.tick_count; i++) {
        int y = bottom - (int)lround(PANEL * panel->error.ticks[i].place);
        fp_svg_line(svg, panel->left, y, right, y, "grid");
        fp_svg_text(svg, panel->left - 60, y + 38, "end", "tick", panel->error.ticks[i].label, 20);
    }
    fprintf(svg, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"frame\"/>\n",
            panel->left, panel->top, PANEL, PANEL);
    fp_svg_text(svg, panel->left + PANEL / 2, panel->top - 100, "middle", "head", title, 80);
    fp_svg_text(svg, panel->left + PANEL / 2, bottom + 380, "middle", "name", panel->h.title, 40);
}

static const FpStroke strokes[SLOPE_ERRORS] = {{"#1f77b4", "", 18},      {"#d62728", "", 18},
                                               {"#2ca02c", "", 18},      {"#9467bd", "", 18},
                                               {"#2ca02c", "80 50", 18}, {"#9467bd", "80 50", 18}};

/* A straight line of slope `order` through the largest h. */
static void draw_guide(const Panel* panel, const SlopeErrors* errors, int sizes, int order,
                       double at, FILE* svg) {
    const FpStroke grey = {"#999", "30 30", 12};
    double first = errors[0].h, last = errors[sizes - 1].h;
    FpPen pen = fp_pen_begin(svg, grey);
    fp_pen_draw(&pen, x_of(panel, first), y_of(panel, at));
    fp_pen_draw(&pen, x_of(panel, last), y_of(panel, at * pow(last / first, order)));
    fp_pen_end(&pen);
}

static void draw_case(int number, const SlopeErrors* errors, int sizes, FpRange range, FILE* svg) {
    FpRange steps = {errors[sizes - 1].h / 1.3, errors[0].h * 1.3};
    Panel panel = {.left = LEFT + number % 2 * (PANEL + GAP),
                   .top = TOP + number / 2 * (PANEL + GAP),
                   .h = fp_axis_logarithmic((FpQuantity){"h", "s", NULL, NULL}, steps, 3),
                   .error = fp_axis_logarithmic((FpQuantity){"error", "", NULL, NULL}, range, 10)};
    char title[32];
    snprintf(title, sizeof title, "Case %d", number + 1);
    draw_frame(&panel, title, svg);
    draw_guide(&panel, errors, sizes, 1, errors[0].of[SLOPE_DPN] * 0.5, svg);
    draw_guide(&panel, errors, sizes, 2, errors[0].of[SLOPE_U] * 0.5, svg);
    for (int e = 0; e < SLOPE_ERRORS; e++) {
        FpPen pen = fp_pen_begin(svg, strokes[e]);
        for (int k = 0; k < sizes; k++)
            fp_pen_draw(&pen, x_of(&panel, errors[k].h), y_of(&panel, errors[k].of[e]));
        fp_pen_end(&pen);
    }
}

static void draw_legend(FILE* svg) {
    for (int e = 0; e < SLOPE_ERRORS; e++) {
        int x = LEFT + e % 3 * 2700, y = HEIGHT - 330 + e / 3 * 170;
        fp_svg_stroke_line(svg, x, y - 35, x + 300, y - 35, strokes[e]);
        fp_svg_text(svg, x + 380, y, "start", "key", slope_error_names[e], 30);
    }
}

static void write_svg(const char* path, SlopeErrors errors[][SLOPE_SIZES], int sizes) {
    FILE* svg = open_to_write(path);
    FpRange range = {INFINITY, 0};
    for (int number = 0; number < SLOPE_CASES; number++)
        for (int k = 0; k < sizes; k++)
            for (int e = 0; e < SLOPE_ERRORS; e++) {
                range.low = fmin(range.low, errors[number][k].of[e]);
                range.high = fmax(range.high, errors[number][k].of[e]);
            }
    fprintf(svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n"
            "<style>text{font-family:system-ui,Helvetica,Arial,sans-serif;font-size:110px}"
            ".head{font-size:140px}.grid{stroke:#ddd;stroke-width:6}"
            ".frame{fill:none;stroke:#666;stroke-width:8}path{fill:none}</style>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
            WIDTH / 10, HEIGHT / 10, WIDTH, HEIGHT, WIDTH, HEIGHT);
    fp_svg_text(svg, LEFT, 260, "start", "head",
                "Errors on mass_on_slope over the step; dotted: first and second order", 100);
    for (int number = 0; number < SLOPE_CASES; number++)
        draw_case(number, errors[number], sizes, (FpRange){range.low / 2, range.high * 2}, svg);
    draw_legend(svg);
    fputs("</svg>\n", svg);
    close_written(svg, path);
}

/* Program -------------------------------------------------------------------------------------- */

static void usage_error(const char* option, const char* reason) {
    fprintf(stderr, "freeplay_bench_orders: %s: %s; see --help\n", option, reason);
    exit(EXIT_USAGE);
}

static Options read_options(int argc, char** argv) {
    Options options = {.scheme = "rattle", .sizes = SLOPE_SIZES};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            puts(
                "usage: freeplay_bench_orders [OPTION]...\n"
                "Errors of mass_on_slope, cases 1 to 4, over eight step sizes, against a run with\n"
                "h = 5e-5 s, and the orders that fit them.\n\n"
                "  --scheme NAME  rattle (default) or moreau\n"
                "  --quick        the three largest steps only\n"
                "  --csv FILE     writes the table as CSV, too\n"
                "  --svg FILE     draws it\n"
                "  --help         shows this");
            exit(EXIT_SUCCESS);
        }
        if (strcmp(argv[i], "--quick") == 0) {
            options.sizes = 3;
            continue;
        }
        const char** value = strcmp(argv[i], "--csv") == 0      ? &options.csv
                             : strcmp(argv[i], "--svg") == 0    ? &options.svg
                             : strcmp(argv[i], "--scheme") == 0 ? &options.scheme
                                                                : NULL;
        if (!value) usage_error(argv[i], "unknown option");
        if (i + 1 == argc) usage_error(argv[i], "needs a value");
        *value = argv[++i];
    }
    return options;
}

int main(int argc, char** argv) {
    static SlopeErrors errors[SLOPE_CASES][SLOPE_SIZES];
    Options options = read_options(argc, argv);
    FpMessage message = {0};
    for (int number = 0; number < SLOPE_CASES; number++) {
        if (!slope_errors(number, options.scheme, options.sizes, errors[number], &message))
            fail(options.scheme, message.text);
        print_case(number, errors[number], options.sizes);
    }
    puts("e_dPN, e_dPF: percussions of one step of either run, as in the paper, which makes them "
         "of\n"
         "first order; _equal: over equal intervals");
    if (options.csv) write_csv(options.csv, errors, options.sizes);
    if (options.svg) write_svg(options.svg, errors, options.sizes);
    return EXIT_SUCCESS;
}
