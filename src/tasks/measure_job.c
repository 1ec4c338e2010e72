// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/measure_job.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SHARDS = 1000 }; // a journal's repetitions may not lie further apart

// "2/8": the third of eight.
static bool parse_shard(const Field *field, void *at, const char *text, Error *error) {
    (void)field;
    Shard *shard = at;
    unsigned long long number, of;
    char rest;
    if (!strchr("0123456789", text[0]) || sscanf(text, "%4llu/%4llu%c", &number, &of, &rest) != 2 || of < 1 ||
        of > MOST_SHARDS || number >= of)
        return error_set(error, "must be I/N with N from 1 to %d and I from 0 to N - 1, such as 0/8 ... 7/8.",
                         MOST_SHARDS);
    *shard = (Shard){number, of};
    return true;
}
static const FieldType field_shard = {.parse = parse_shard};

static const Field measure_field[] = {
    {"precision", FIELD_OTHER, FIELD_AT(MeasureSettings, precision), .type = &field_percentage,
     .otherwise = "5%", .least = 0.1, .most = 1000, .argument = "P%",
     .help = "Measure until the 95 % interval is within P % of the mean on both sides."},
    {"method", FIELD_WORD, FIELD_AT(MeasureSettings, method), .preset = MEASURE_AUTO,
     .words = measure_method_words, .argument = "NAME",
     .help = "games: whole games; splitting: for players too strong to play out; heights: Fahey's "
             "regression, biased, for comparison; auto: a short run decides between the first two."},
    {"budget-pieces", FIELD_WHOLE, FIELD_AT(MeasureSettings, budget), .preset = NAN, .otherwise = "no limit",
     .least = 1000, .most = 1e18, .argument = "N",
     .help = "Stop when about N pieces have been played, whatever the precision; a short run that decides "
             "and 64 small repetitions of splitting are made in any case."},
    {"base", FIELD_WHOLE, FIELD_AT(MeasureSettings, base), .preset = NAN,
     .otherwise = "chosen by a short run", .least = 1, .most = BOARD_MAX_HEIGHT - 2, .argument = "H",
     .help = "splitting: highest pile that counts as ordinary."},
    {"trials", FIELD_WHOLE, FIELD_AT(MeasureSettings, trials), .preset = NAN,
     .otherwise = "chosen by a short run", .least = SPLITTING_LEAST_TRIALS, .most = SPLITTING_MAX_TRIALS,
     .argument = "N", .help = "splitting: runs kept going at a time; each thread needs 400 bytes for each."},
    {"shard", FIELD_OTHER, FIELD_AT(MeasureSettings, shard), .type = &field_shard, .preset = NAN,
     .otherwise = "all of them", .argument = "I/N",
     .help =
         "Make only games or repetitions I, I + N, I + 2N ... of those that the precision will probably "
         "take, on one of N machines that know nothing of each other, I from 0 to N - 1; 'tetralab report "
         "--merge' makes one measurement of the N journals."},
    {"journal", FIELD_STRING, FIELD_AT(MeasureSettings, journal), .file = FIELD_KEEPS, .preset = NAN,
     .otherwise = "none", .argument = "FILE",
     .help = "Append everything that is measured to FILE, while it is measured."},
};
const Fields measure_fields = FIELDS(measure_field);

bool measure_settings_check(const MeasureSettings *settings, const Rules *rules, Error *error) {
    if (settings->journal && !strcmp(settings->journal, "-"))
        return error_set(error, "a journal is a file: give its name instead of '-'.");
    if ((settings->base || settings->trials) &&
        (settings->method == MEASURE_GAMES || settings->method == MEASURE_HEIGHTS))
        return error_set(error, "--base and --trials belong to --method splitting, not to %s.",
                         measure_method_words[settings->method]);
    if (settings->base && (int)settings->base > rules->height - 2)
        return error_set(error, "--base must be at most %d on a board %d rows high.", rules->height - 2,
                         rules->height);
    return rules_check(rules, error);
}

MeasurePlan measure_settings_plan(const MeasureSettings *settings, uint64_t seed, int jobs) {
    return (MeasurePlan){.seed = seed,
                         .method = settings->method,
                         .precision = settings->precision / 100,
                         .budget = settings->budget,
                         .base = (int)settings->base,
                         .trials = settings->trials,
                         .shard = settings->shard,
                         .work.jobs = jobs};
}

static void keep(void *context, const MeasureEvent *event) {
    MeasureJob *job = context;
    Error error;
    if (job->journal && !journal_event(job->journal, job->id, event, &error) && !job->trouble.text[0])
        job->trouble = error;
}

bool measure_job_begin(MeasureJob *job, const char *version, Error *error) {
    job->plan.player = job->player;
    job->plan.record = keep;
    job->plan.keeper = job;
    return !job->journal || job->id[0] || journal_plan(job->journal, &job->plan, version, job->id, error);
}

bool measure_job_run(MeasureJob *job, Error *error) {
    const char *name = player_strategy(job->player)->name;
    Error detail;
    if (!measurement_run(&job->measurement, &job->plan, &detail))
        return error_set(error, "%s: %.400s", name, detail.text);
    job->row = measure_row(name, job->rules, job->plan.seed, &job->measurement);
    if (job->journal && !job->plan.shard.of &&
        !journal_result(job->journal, job->id, &job->measurement, &detail) && !job->trouble.text[0])
        job->trouble = detail;
    return true;
}

void measure_job_free(MeasureJob *job) {
    measurement_free(&job->measurement);
}
