// SPDX-License-Identifier: GPL-3.0-or-later
// Tables, one cell after the other: for a terminal, in Markdown, or as CSV (RFC 4180).
#ifndef TETRALAB_APP_TABLE_H
#define TETRALAB_APP_TABLE_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

typedef enum TableForm { TABLE_TEXT, TABLE_MARKDOWN, TABLE_CSV } TableForm;

typedef struct TableColumn {
    const char *title;
    int width; // at least, on a terminal. Below 0: flush left
} TableColumn;

typedef struct Table {
    FILE *out;
    TableForm form;
    TableColumn column[20];
    int columns, at;
} Table;

// Sets the columns and prints their titles; cells fill rows under them. -> out, form  are set
void table_head(Table *table, const TableColumn *columns, int count);
#define TABLE_HEAD(table, columns) table_head(table, columns, (int)(sizeof(columns) / sizeof *(columns)))

__attribute__((format(printf, 2, 3))) void table_cell(Table *table, const char *format, ...);
void table_name(Table *table, const char *name);  // Markdown shows it sign for sign
void table_number(Table *table, double value);    // ten digits; nothing if it is not finite
void table_count(Table *table, double value);     // text_count
void table_grouped(Table *table, uint64_t value); // text_grouped

// The last cell of a row: on a terminal its words go on below it, before that column of the terminal.
void table_wrapped(Table *table, const char *text, int last_column);

// <- the width, or that of the text if it is larger
int table_wider(int width, const char *text);

// Makes a table and writes it to a file, whole or not at all; "-" is the standard output.
// -> path  NULL: nothing is written
typedef void TableMaker(Table *table, const void *rows, int count);
bool table_write(const char *path, TableForm form, TableMaker *make, const void *rows, int count,
                 Error *error);

#endif
