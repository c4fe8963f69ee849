/* The little of SVG that the plot needs. Coordinates are whole tenths of a pixel: short, exact
 * enough, and the same in every locale. Write errors stay in the stream. */
#ifndef FREEPLAY_OUTPUT_SVG_IMPL_H
#define FREEPLAY_OUTPUT_SVG_IMPL_H

#include <stdbool.h>
#include <stdio.h>

/* How a curve looks. */
typedef struct FpStroke {
    const char* colour;
    const char* dashes; /* "" for none */
    int width;
} FpStroke;

/* Text, escaped; bytes that XML forbids become '?'. Of more than `room` characters the middle is
 * left out: names often differ at the end. */
void fp_svg_escaped(FILE* stream, const char* text, int room);
/* anchor: start, middle, end; style: a class of the plot's style sheet. */
void fp_svg_text(FILE* stream, int x, int y, const char* anchor, const char* style,
                 const char* text, int room);
void fp_svg_line(FILE* stream, int x1, int y1, int x2, int y2, const char* style);
void fp_svg_stroke_line(FILE* stream, int x1, int y1, int x2, int y2, FpStroke stroke);

/* A path, point after point; points that nobody would see are left out. */
typedef struct FpPen {
    FILE* stream;
    bool is_down;
    bool is_held; /* (x, y) is not written yet */
    int x, y;     /* the last point */
    int before;   /* y of the one before it */
    long points;  /* written so far */
} FpPen;

FpPen fp_pen_begin(FILE* stream, FpStroke stroke);
void fp_pen_draw(FpPen* pen, int x, int y);
/* The next point starts a new line. */
void fp_pen_lift(FpPen* pen);
void fp_pen_end(FpPen* pen);

#endif
