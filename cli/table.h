/* Text in aligned columns. */
#ifndef FREEPLAY_CLI_TABLE_H
#define FREEPLAY_CLI_TABLE_H

#include "freeplay.h"

/* Start from {.columns = n}; cells are added row by row. */
typedef struct CliTable {
    int columns;
    int cell_count, room;
    char** cells;
} CliTable;

void cli_table_add(CliTable* table, const char* format, ...) FREEPLAY_PRINTF(2, 3);
/* Prints the rows on stdout, each after `indent` blanks, and empties the table. */
void cli_table_print(CliTable* table, int indent);

#endif
