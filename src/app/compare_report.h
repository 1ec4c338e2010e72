// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab compare` prints and writes.
#ifndef TETRALAB_APP_COMPARE_REPORT_H
#define TETRALAB_APP_COMPARE_REPORT_H

#include <stdio.h>

#include <jansson.h>

#include "app/table.h"
#include "game/rules.h"
#include "lab/measurement.h"
#include "measure/ratio.h"
#include "measure/sprt.h"
#include "player/player.h"

// One strategy that was measured. `ratio` is its mean divided by that of a reference: the best one in a
// ranking.
typedef struct Compared {
    const char *name;
    Measurement measurement;
    Ratio ratio;
    bool is_best;
} Compared;

typedef struct CompareContext {
    const Rules *rules;
    uint64_t seed;
    const char *kernel;
} CompareContext;

// Best first; fills `ratio` and `is_best`.
void compare_rank(Compared *list, int count);

// "5.03 (4.83 .. 5.25)", the digits chosen by the half width of the interval.
enum { COMPARE_RATIO_TEXT = 64 };
void compare_ratio_text(const Ratio *ratio, char out[COMPARE_RATIO_TEXT]);

// Table and sentences. -> list  ranked
void compare_print_table(FILE *out, const Compared *list, int count);
void compare_print_sentences(FILE *out, const Compared *list, int count);

// Two strategies: an object about the second one given against the first; more: a ranking, best first.
json_t *compare_json(const Compared *list, int count, const char *first, const CompareContext *context);
TableMaker compare_fill_table;                                            // CSV or Markdown, of Compared
void compare_json_context(json_t *object, const CompareContext *context); // rules, seed, kernel, version

// The sequential test of b against a.
void compare_print_sprt(FILE *out, const SprtRun *run, const char *a, const char *b);
json_t *compare_sprt_json(const SprtRun *run, const char *a, const char *b, const CompareContext *context);
TableMaker compare_sprt_fill_table; // CSV or Markdown, of one SprtTable

// A test and the two that it is about.
typedef struct SprtTable {
    const SprtRun *run;
    const char *a, *b;
} SprtTable;

#endif
