// SPDX-License-Identifier: GPL-3.0-or-later
// The journal: measurements as JSON lines (base/json_lines.h), with everything needed to repeat and
// resume them.
//
// A line is one JSON object with the members "kind" and "id"; lines of one measurement share the id, so that
// several programs can append to one file. The kinds, in the order in which they come:
//
//   plan        format, version, date, strategy (as in a strategy file), the rules, seed, method, precision,
//               budget, base, trials: what was asked for; strands: of splitting, without them 1
//   start       method, base, trials, pilot_pieces: what was decided; splitting: importance []
//   repetition  number, lambda, cells, pieces, extinct: one of splitting
//   games       first, lines [], pieces [], censored []: whole games; null: not played to its end yet
//   result      method, mean_lines, ci95, count, pieces, seconds, precise, interrupted, note; the last one
//               counts; null: unknown, or without an upper bound
//
// docs/measuring.md shows a journal.
#ifndef TETRALAB_TASKS_JOURNAL_H
#define TETRALAB_TASKS_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/json_lines.h"
#include "game/rules.h"
#include "player/strategy.h"
#include "tasks/measurement.h"

enum { JOURNAL_FORMAT = 1, JOURNAL_MAX_ENTRIES = 10000, JOURNAL_ID = 40 };

// ---------------------------------------------------------------------------------------------------
// Writing

// Begins a measurement. <- id, to be given to the other two; unique among all programs of one machine
bool journal_plan(JsonLines *journal, const MeasurePlan *plan, const char *version, char id[JOURNAL_ID],
                  Error *error);
bool journal_event(JsonLines *journal, const char *id, const MeasureEvent *event, Error *error);
bool journal_result(JsonLines *journal, const char *id, const Measurement *measurement, Error *error);

// ---------------------------------------------------------------------------------------------------
// Reading

typedef struct JournalEntry {
    char id[JOURNAL_ID], version[32], date[CLOCK_DATE];
    char *strategy;     // owned; JSON, for strategy_parse_json
    char name[64];      // of the strategy
    Rules rules;        // owned
    MeasurePlan plan;   // what was asked for; without player, jobs and functions
    MeasureKnown known; // its arrays are owned here
    bool finished;      // there is a result, and this is it:
    MeasureMethod used;
    double mean_lines; // NAN: unknown, INFINITY
    Interval interval;
    uint64_t pieces, count; // count: games or repetitions
    double seconds;
    bool precise, interrupted;
    char note[400];
} JournalEntry;

typedef struct JournalContents {
    JournalEntry *entry; // owned
    int entries;
} JournalContents;

// Reads a journal, line by line whatever its size, and adds its measurements. Free with journal_free, also
// after an error.
// -> complain  may be NULL. Told about every line that is skipped: "FILE:LINE: sentence"
// <- false: the file cannot be read, is no journal or holds no measurement, or out of memory
bool journal_read(JournalContents *contents, const char *path,
                  void (*complain)(void *context, const char *sentence), void *context, Error *error);
// The same for a text, which may hold no measurement: for tests and fuzzing, which need no files then.
bool journal_parse(JournalContents *contents, const char *name, const char *text, size_t length,
                   void (*complain)(void *context, const char *sentence), void *context, Error *error);
// Makes one of the measurements that had the same plan and start, such as the shards of one: what any of them
// knows, with the result of one of them. <- false: out of memory, or two began in different ways
bool journal_merge(JournalContents *contents, Error *error);
// What was measured is its result.
void journal_finish(JournalEntry *entry, const Measurement *measurement);
// Adds the measurement to another journal, with its result if there is one. -> player  of it
bool journal_copy(JsonLines *journal, const JournalEntry *entry, const Player *player, Error *error);
void journal_free(JournalContents *contents);

#endif
