// SPDX-License-Identifier: GPL-3.0-or-later
// Tables for people and for programs: the same cells in three forms.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/table.h"

static const TableColumn columns[] = {{"name", -6}, {"lines", 8}};

// Two rows, with signs that mean something in Markdown and CSV.
static void fill(Table *table) {
    TABLE_HEAD(table, columns);
    table_name(table, "a_b|c");
    table_number(table, INFINITY);
    table_cell(table, "%s", "say \"x\", y");
    table_grouped(table, 1234567);
}

static char *made(TableForm form, void (*make)(Table *table)) {
    char *text = NULL;
    size_t length;
    Table table = {.out = open_memstream(&text, &length), .form = form};
    assert_non_null(table.out);
    make(&table);
    fclose(table.out);
    return text;
}

static void assert_made(TableForm form, void (*make)(Table *table), const char *expected) {
    char *text = made(form, make);
    assert_string_equal(text, expected);
    free(text);
}

static void on_a_terminal_columns_are_aligned(void **state) {
    (void)state;
    assert_made(TABLE_TEXT, fill,
                "name       lines\n"
                "a_b|c           \n"
                "say \"x\", y  1,234,567\n");
}

static void in_markdown_names_are_shown_sign_for_sign(void **state) {
    (void)state;
    assert_made(TABLE_MARKDOWN, fill,
                "| name | lines |\n|---|---:|\n| a\\_b\\|c |  |\n| say \"x\", y | 1,234,567 |\n");
}

static void csv_quotes_what_would_end_a_cell(void **state) {
    (void)state;
    assert_made(TABLE_CSV, fill, "name,lines\na_b|c,\n\"say \"\"x\"\", y\",\"1,234,567\"\n");
}

static void fill_with_formulas(Table *table) {
    TABLE_HEAD(table, columns);
    table_cell(table, "%s", "=1+2");
    table_cell(table, "%s", "-1+2");
    table_cell(table, "%s", "@name");
    table_cell(table, "%s", "-1.5");
}

static void csv_keeps_a_spreadsheet_from_computing_names(void **state) {
    (void)state;
    assert_made(TABLE_CSV, fill_with_formulas, "name,lines\n'=1+2,'-1+2\n'@name,-1.5\n");
}

static void wrap(Table *table) {
    TABLE_HEAD(table, columns);
    table_cell(table, "%s", "a");
    table_wrapped(table, "one two three", 16);
}

static void long_last_cells_go_on_below(void **state) {
    (void)state;
    assert_made(TABLE_TEXT, wrap,
                "name       lines\n"
                "a       one two\n"
                "           three\n");
}

static void a_wider_text_widens_its_column(void **state) {
    (void)state;
    assert_int_equal(table_wider(5, "abc"), 5);
    assert_int_equal(table_wider(2, "B\xc3\xb6hm"), 4); // characters, not bytes
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_terminal_columns_are_aligned),
        cmocka_unit_test(in_markdown_names_are_shown_sign_for_sign),
        cmocka_unit_test(csv_quotes_what_would_end_a_cell),
        cmocka_unit_test(csv_keeps_a_spreadsheet_from_computing_names),
        cmocka_unit_test(long_last_cells_go_on_below),
        cmocka_unit_test(a_wider_text_widens_its_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
