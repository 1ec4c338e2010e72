// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab play` says about a strategy: one row of the table, notes below it, one JSON object.
#ifndef TETRALAB_APP_PLAY_REPORT_H
#define TETRALAB_APP_PLAY_REPORT_H

#include <stdio.h>

#include <jansson.h>

#include "app/outputs.h"
#include "game/rules.h"
#include "measure/playing.h"

typedef struct PlayResult {
    char strategy[64], kernel[32];
    const Rules *rules;
    uint64_t seed, max_pieces;
    double precision; // wanted; 0: none
    bool same_pieces; // in every game
    Playing playing;
    Summary summary;
} PlayResult;

// -> names  width of the column for the names of strategies
void play_report_head(Table *table, int names);
void play_report_row(Table *table, const PlayResult *result);

// What one must know to read the rows: censoring, interrupts, scores that are not exponential.
void play_report_notes(FILE *out, const PlayResult *result, int count);

// ci95 is the exact interval for exponential scores, with and without censored games; ci95_rule is
// mean (1 -+ 2/sqrt n), ci95_normal the one from the standard deviation. null: not known, or infinite.
json_t *play_report_json(const PlayResult *result);

// --csv and --plot, of PlayResult: the scores of one strategy, the means of several.
TableMaker play_report_table;
OutputPlotter play_report_plot;

// What other reports share.
enum { REPORT_INTERVAL = 64 };
const char *report_interval(Interval interval, char out[REPORT_INTERVAL]); // "30.5 M .. 33.5 M", "above 2 k"

#endif
