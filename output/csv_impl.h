/* Fields of comma-separated files. Errors stay in the stream, to be asked for with ferror. */
#ifndef FREEPLAY_OUTPUT_CSV_IMPL_H
#define FREEPLAY_OUTPUT_CSV_IMPL_H

#include <stdio.h>

/* Room for a column title or a name; longer ones are cut. */
#define FREEPLAY_TITLE_SIZE 1024

/* Reads back to the same bits. */
void fp_csv_number(FILE* stream, double x);
/* In quotes if it holds a comma, a quote or a line break. */
void fp_csv_text(FILE* stream, const char* text);

#endif
