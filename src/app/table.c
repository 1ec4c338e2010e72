// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/table.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "app/draw.h"
#include "base/text.h"
#include "base/utf8.h"

// Programs that show tables take a cell that begins so for a formula, unless it is a number.
static const char *formula_signs = "=+-@";

static bool is_formula(const char *text) {
    char *end;
    strtod(text, &end);
    return *text && strchr(formula_signs, *text) && (end == text || *end);
}

static void put_csv(FILE *out, const char *text) {
    bool quoted = strpbrk(text, ",\"\r\n");
    fputs(quoted ? "\"" : "", out);
    fputs(is_formula(text) ? "'" : "", out); // shown as text, by all of them
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"%c" : "%c", *text);
    fputs(quoted ? "\"" : "", out);
}

static void put_markdown(FILE *out, const char *text, const char *escaped) {
    for (; *text; text++)
        fprintf(out, strchr(escaped, *text) ? "\\%c" : "%c", *text);
}

static void put(Table *table, const char *given, const char *escaped) {
    char text[2048];
    utf8_clean(text, sizeof text, given, strlen(given));
    FILE *out = table->out;
    bool first = table->at == 0, last = table->at == table->columns - 1;
    int width = table->column[table->at].width;
    if (table->form == TABLE_CSV) {
        fputs(first ? "" : ",", out);
        put_csv(out, text);
        fputs(last ? "\n" : "", out);
    } else if (table->form == TABLE_MARKDOWN) {
        fputs("| ", out);
        put_markdown(out, text, escaped);
        fputs(last ? " |\n" : " ", out);
    } else {
        fputs(first || (last && width < 0 && !*text) ? "" : "  ", out);
        draw_cell(out, text, last && width < 0 ? 0 : width);
        fputs(last ? "\n" : "", out);
    }
    table->at = last ? 0 : table->at + 1;
}

void table_head(Table *table, const TableColumn *columns, int count) {
    assert(count <= (int)(sizeof table->column / sizeof *table->column));
    memcpy(table->column, columns, (size_t)count * sizeof *columns);
    table->columns = count;
    for (int i = 0; i < count; i++)
        put(table, columns[i].title, "|");
    for (int i = 0; table->form == TABLE_MARKDOWN && i < count; i++)
        fprintf(table->out, "|---%s%s", columns[i].width < 0 ? "" : ":", i == count - 1 ? "|\n" : "");
}

void table_cell(Table *table, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(table, text, "|\\<");
}

void table_name(Table *table, const char *name) {
    put(table, name, "|\\`*_<>[]");
}

void table_number(Table *table, double value) {
    if (isfinite(value))
        table_cell(table, "%.10g", value);
    else
        table_cell(table, "%s", "");
}

void table_count(Table *table, double value) {
    char text[24];
    put(table, text_count(value, text), "");
}

void table_grouped(Table *table, uint64_t value) {
    char text[32];
    put(table, text_grouped(value, text), "");
}

void table_wrapped(Table *table, const char *text, int last_column) {
    int indent = 0;
    for (int i = 0; i < table->at; i++)
        indent += abs(table->column[i].width) + 2;
    while (table->form == TABLE_TEXT && indent + (int)strlen(text) > last_column) {
        int length = last_column - indent;
        while (length > 0 && text[length] != ' ')
            length--;
        if (length == 0)
            break;
        fprintf(table->out, "  %.*s\n%*s", length, text, indent - 2, "");
        text += length + 1;
    }
    put(table, text, "|");
}

int table_wider(int width, const char *text) {
    return draw_width(text) > width ? draw_width(text) : width;
}

bool table_write(const char *path, TableForm form, TableMaker *make, const void *rows, int count,
                 Error *error) {
    char *text = NULL;
    size_t length = 0;
    if (!path)
        return true;
    FILE *out = open_memstream(&text, &length);
    if (out)
        make(&(Table){.out = out, .form = form}, rows, count);
    bool good = text_closed(out, &text) ? text_write_file(path, text, length, error)
                                        : error_set(error, "Out of memory: cannot write %.200s.", path);
    free(text);
    return good;
}
