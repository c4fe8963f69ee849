#include "output/csv_impl.h"

#include <string.h>
#include "output/number_impl.h"

void fp_csv_number(FILE* stream, double x) {
    char text[FREEPLAY_NUMBER_SIZE];
    int length = fp_number_exact(x, text);
    fwrite(text, 1, (size_t)length, stream);
}

void fp_csv_text(FILE* stream, const char* text) {
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    putc('"', stream);
    for (; *text; text++) {
        if (*text == '"') putc('"', stream);
        putc(*text, stream);
    }
    putc('"', stream);
}
