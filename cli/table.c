#include "cli/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "cli/console.h"

enum { GAP = 2, MOST_COLUMNS = 8 };

static void make_room(CliTable* table) {
    if (table->cell_count < table->room) return;
    int room = 2 * table->room + 16;
    char** cells = realloc(table->cells, (size_t)room * sizeof *cells);
    if (!cells) cli_out_of_memory();
    table->cells = cells;
    table->room = room;
}

void cli_table_add(CliTable* table, const char* format, ...) {
    make_room(table);
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t size = (size_t)vsnprintf(NULL, 0, format, arguments) + 1;
    char* cell = malloc(size);
    if (!cell) cli_out_of_memory();
    vsnprintf(cell, size, format, again);
    va_end(again);
    va_end(arguments);
    table->cells[table->cell_count++] = cell;
}

/* Characters of UTF-8 text: all bytes but those that continue one. */
static int width_of(const char* text) {
    int width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void print_cell(const CliTable* table, int index, const int* widths) {
    const char* cell = table->cells[index];
    int column = index % table->columns;
    bool is_last = column == table->columns - 1;
    int padding = is_last ? 0 : widths[column] - width_of(cell) + GAP;
    printf("%s%*s%s", cell, padding, "", is_last ? "\n" : "");
}

void cli_table_print(CliTable* table, int indent) {
    int widths[MOST_COLUMNS] = {0};
    for (int i = 0; i < table->cell_count; i++) {
        int width = width_of(table->cells[i]), column = i % table->columns;
        if (width > widths[column]) widths[column] = width;
    }
    for (int i = 0; i < table->cell_count; i++) {
        if (i % table->columns == 0) printf("%*s", indent, "");
        print_cell(table, i, widths);
        free(table->cells[i]);
    }
    free(table->cells);
    *table = (CliTable){.columns = table->columns};
}
