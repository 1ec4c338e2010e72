// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab compare` prints and writes.
#ifndef TETRALAB_APP_COMPARE_REPORT_H
#define TETRALAB_APP_COMPARE_REPORT_H

#include <stdio.h>

#include "app/outputs.h"
#include "tasks/comparing.h"

// "5.03 (4.83 .. 5.25)", the digits chosen by the half width of the interval.
enum { COMPARE_RATIO_TEXT = 64 };
void compare_ratio_text(const Ratio *ratio, char out[COMPARE_RATIO_TEXT]);

// Table and sentences. -> list  ranked
void compare_print_table(FILE *out, const Compared *list, int count);
void compare_print_sentences(FILE *out, const Compared *list, int count);

TableMaker compare_fill_table; // CSV or Markdown, of Compared
OutputPlotter compare_plot;    // the ratios

// The sequential test of b against a.
void compare_print_sprt(FILE *out, const SprtRun *run, const char *a, const char *b);
TableMaker compare_sprt_fill_table; // CSV or Markdown, of one SprtTable
OutputPlotter compare_sprt_plot;

// A test and the two that it is about.
typedef struct SprtTable {
    const SprtRun *run;
    const char *a, *b;
} SprtTable;

#endif
