#include "output/svg_impl.h"

#include <string.h>

/* Bytes of the UTF-8 character at text, 0 if it is none. */
static int character_length(const char* text) {
    const unsigned char* c = (const unsigned char*)text;
    if (c[0] < 0x80) return 1;
    int length = c[0] >= 0xc2 && c[0] < 0xe0   ? 2
                 : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
                 : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                               : 0;
    for (int i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80) return 0;
    }
    /* Overlong forms, surrogates and what lies beyond Unicode. */
    bool is_forbidden = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0) ||
                        (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90) ||
                        (c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe);
    return is_forbidden ? 0 : length;
}

/* Writes one character and returns the next one. */
static const char* put_character(FILE* stream, const char* text) {
    int length = character_length(text);
    if (length == 1 && strchr("&<>\"'", *text))
        fprintf(stream, "&#%d;", *text);
    else if (length == 0 || (unsigned char)*text < 0x20 || *text == 0x7f)
        putc('?', stream);
    else
        fwrite(text, 1, (size_t)length, stream);
    return text + (length > 0 ? length : 1);
}

static const char* skip_character(const char* text) {
    int length = character_length(text);
    return text + (length > 0 ? length : 1);
}

static int character_count(const char* text) {
    int count = 0;
    for (; *text; text = skip_character(text)) count++;
    return count;
}

void fp_svg_escaped(FILE* stream, const char* text, int room) {
    int count = character_count(text);
    int head = count > room ? room / 3 : count;
    for (int i = 0; i < head; i++) text = put_character(stream, text);
    if (count <= room) return;
    fputs("\u2026", stream);
    for (int i = 0; i < count - room + 1; i++) text = skip_character(text);
    while (*text) text = put_character(stream, text);
}

void fp_svg_text(FILE* stream, int x, int y, const char* anchor, const char* style,
                 const char* text, int room) {
    fprintf(stream, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" class=\"%s\">", x, y, anchor,
            style);
    fp_svg_escaped(stream, text, room);
    fputs("</text>\n", stream);
}

void fp_svg_line(FILE* stream, int x1, int y1, int x2, int y2, const char* style) {
    fprintf(stream, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" class=\"%s\"/>\n", x1, y1, x2,
            y2, style);
}

static void put_stroke(FILE* stream, FpStroke stroke) {
    fprintf(stream, " stroke=\"%s\" stroke-width=\"%d\"", stroke.colour, stroke.width);
    if (stroke.dashes[0]) fprintf(stream, " stroke-dasharray=\"%s\"", stroke.dashes);
}

void fp_svg_stroke_line(FILE* stream, int x1, int y1, int x2, int y2, FpStroke stroke) {
    fprintf(stream, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"", x1, y1, x2, y2);
    put_stroke(stream, stroke);
    fputs("/>\n", stream);
}

FpPen fp_pen_begin(FILE* stream, FpStroke stroke) {
    fputs("<path fill=\"none\" stroke-linejoin=\"round\"", stream);
    put_stroke(stream, stroke);
    fputs(" d=\"", stream);
    return (FpPen){.stream = stream};
}

static void put_point(FpPen* pen, const char* command, int x, int y) {
    fprintf(pen->stream, "%s%d %d", command, x, y);
    if (++pen->points % 12 == 0) putc('\n', pen->stream);
}

static void release(FpPen* pen) {
    if (pen->is_held) put_point(pen, "L", pen->x, pen->y);
    pen->is_held = false;
}

void fp_pen_draw(FpPen* pen, int x, int y) {
    if (!pen->is_down) {
        put_point(pen, "M", x, y);
        pen->is_down = true;
        pen->before = y;
    } else if (x != pen->x || y != pen->y) {
        /* On a level stretch only the ends count. */
        bool is_level = pen->is_held && pen->before == pen->y && pen->y == y;
        if (!is_level) release(pen);
        if (!is_level) pen->before = pen->y;
        pen->is_held = true;
    }
    pen->x = x;
    pen->y = y;
}

void fp_pen_lift(FpPen* pen) {
    release(pen);
    pen->is_down = false;
}

void fp_pen_end(FpPen* pen) {
    fp_pen_lift(pen);
    fputs("\"/>\n", pen->stream);
}
