// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement as a user asks for it: settings by name, a journal that keeps it while it is made, a row as
// its result.
#ifndef TETRALAB_TASKS_MEASURE_JOB_H
#define TETRALAB_TASKS_MEASURE_JOB_H

#include "base/fields.h"
#include "base/json_lines.h"
#include "tasks/journal.h"
#include "tasks/measure_row.h"
#include "tasks/measurement.h"

typedef struct MeasureSettings {
    double precision; // per cent
    MeasureMethod method;
    uint64_t budget, base, trials; // 0: not given
    Shard shard;
    const char *journal; // path; NULL: none
} MeasureSettings;

extern const Fields measure_fields;

// Do they go together, and with the rules?
bool measure_settings_check(const MeasureSettings *settings, const Rules *rules, Error *error);
// <- the plan, without player and functions
MeasurePlan measure_settings_plan(const MeasureSettings *settings, uint64_t seed, int jobs);

typedef struct MeasureJob {
    // To be filled in.
    Player *player; // not owned
    const Rules *rules;
    MeasurePlan plan;    // without player, record and keeper
    JsonLines *journal;  // NULL: none. Not owned
    char id[JOURNAL_ID]; // of the measurement in the journal to resume; empty: a new one
    MeasureKnown known;  //   and what is known of it, if plan.known says so
    // What comes out.
    Measurement measurement; // owned
    MeasureRow row;
    Error trouble; // with the journal; empty: none
} MeasureJob;

// Writes the plan into the journal, if there is one. All jobs are begun before the first is run, so
// that jobs that never started can be resumed.
bool measure_job_begin(MeasureJob *job, const char *version, Error *error);
// Measures. The sentence of an error begins with the player's name. Trouble with the journal does not end it.
bool measure_job_run(MeasureJob *job, Error *error);
void measure_job_free(MeasureJob *job);

#endif
