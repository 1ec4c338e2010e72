// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing players as a user asks for it: a measurement of each and the ratios of their means, or a
// sequential test of two.
#ifndef TETRALAB_TASKS_COMPARING_H
#define TETRALAB_TASKS_COMPARING_H

#include <jansson.h>

#include "base/options.h"
#include "game/rules.h"
#include "measure/ratio.h"
#include "measure/sprt.h"
#include "player/player.h"
#include "tasks/measurement.h"
#include "tasks/result.h"

enum { COMPARE_MAX_PLAYERS = 100 };

// ---------------------------------------------------------------------------------------------------
// Settings

typedef struct CompareSettings {
    double precision; // per cent
    MeasureMethod method;
    double ratio[2]; // R0, R1; both 0: no sequential test
    double alpha, beta;
    uint64_t pairs;
} CompareSettings;

extern const Fields compare_fields, sprt_fields; // of measuring; of the test

// Do they go together, and with so many strategies?
bool compare_check(const CompareSettings *settings, int strategies, const Rules *rules,
                   const Arguments *arguments, Error *error);
bool compare_has_test(const CompareSettings *settings);

// ---------------------------------------------------------------------------------------------------
// Measuring

// One strategy that was measured. `ratio` is its mean divided by that of a reference: the best one in a
// ranking.
typedef struct Compared {
    const char *name;
    int number; // as given, from 0
    Measurement measurement;
    Ratio ratio;
    bool is_best;
} Compared;

typedef struct ComparePlan {
    const Player *const *player; // under the same rules
    int players;
    uint64_t seed;
    const CompareSettings *settings;
    Work work; // as that of a measurement
    // May be NULL; with the context of the work. begin: player k is going to be measured; end: it was.
    void (*begin)(void *context, int k);
    void (*end)(void *context);
} ComparePlan;

// Measures them one after the other. -> list  zeroed, room for all
// <- how many were measured, in part at least; fewer than all when it was stopped, or if one failed
// -> error  its text is empty before, and set if one failed
int compare_measure(Compared *list, const ComparePlan *plan, Error *error);

// <- mean of b / mean of a, with the interval that fits the two measurements (measure/ratio.h): the exact one
// for games whose scores are near exponential.
Ratio compare_ratio(const Measurement *a, const Measurement *b);

// Best first; fills `ratio` and `is_best`.
void compare_rank(Compared *list, int count);

// <- "better", "worse" or "undecided": does the interval lie above 1, below it, around it?
const char *compare_ratio_verdict(const Ratio *ratio);
// <- "best", "better", "worse" or "undecided", of one in a ranking
const char *compare_verdict(const Compared *compared);

// ---------------------------------------------------------------------------------------------------
// As JSON

typedef struct CompareContext {
    const Rules *rules;
    uint64_t seed;
    const char *kernel, *version;
} CompareContext;

// An object, of two strategies about the second one given against the first; of more against the best.
// -> list  ranked
json_t *compare_json(const Compared *list, int count, const CompareContext *context);
// The sequential test of b against a.
json_t *compare_sprt_json(const SprtRun *run, const char *a, const char *b, const CompareContext *context);
extern const ResultMember compare_result[], test_result[];

#endif
