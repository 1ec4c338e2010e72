// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/measure_row.h"

#include <math.h>

#include "base/fields_json.h"
#include "measure/results_json.h"
#include "measure/splitting_rules.h"

MeasureRow measure_row(const char *strategy, const Rules *rules, uint64_t seed, const Measurement *m) {
    return (MeasureRow){.strategy = strategy,
                        .rules = rules,
                        .seed = seed,
                        .method = m->method,
                        .mean_lines = m->mean_lines,
                        .precision = m->precision,
                        .interval = m->interval,
                        .count = m->method == MEASURE_GAMES ? m->games.games : m->splitting.runs,
                        .pieces = m->pieces,
                        .seconds = m->seconds,
                        .finished = true,
                        .precise = m->precise,
                        .interrupted = m->interrupted,
                        .note = m->note};
}

static void take_repetitions(MeasureRow *row, const MeasureKnown *known) {
    Splitting splitting = {.run = (SplittingRun *)known->run};
    while (known->started && splitting.runs < known->runs && known->run[splitting.runs].done)
        splitting.runs++;
    if (splitting.runs == 0)
        return;
    splitting_summarise(&splitting, row->rules->width);
    row->method = MEASURE_SPLITTING;
    row->mean_lines = splitting.mean_lines;
    row->interval = splitting.interval;
    row->pieces = splitting.pieces + known->pilot_pieces;
    row->count = splitting.runs;
}

static void take_games(MeasureRow *row, const MeasureKnown *known) {
    Summary summary;
    uint64_t games = 0;
    while (games < known->scores && known->score[games].played)
        games++;
    if (games == 0 || !summary_make(&summary, known->score, games, NULL))
        return;
    row->method = MEASURE_GAMES;
    row->mean_lines = summary.mean;
    row->interval = summary.exact;
    row->pieces = summary.pieces + known->pilot_pieces;
    row->count = games;
}

MeasureRow measure_row_of_entry(const JournalEntry *entry) {
    MeasureRow row = {.strategy = entry->name,
                      .rules = &entry->rules,
                      .seed = entry->plan.seed,
                      .method = entry->used,
                      .mean_lines = entry->mean_lines,
                      .interval = entry->interval,
                      .count = entry->count,
                      .pieces = entry->pieces,
                      .seconds = entry->seconds,
                      .finished = entry->finished,
                      .precise = entry->precise,
                      .interrupted = entry->interrupted,
                      .note = entry->note};
    if (!entry->finished)
        (entry->known.scores ? take_games : take_repetitions)(&row, &entry->known);
    double mean = row.mean_lines, low = row.interval.low, high = row.interval.high;
    bool known = isfinite(mean) && mean > 0 && isfinite(high);
    row.precision = known ? fmax(high - mean, mean - low) / mean : INFINITY;
    return row;
}

// ---------------------------------------------------------------------------------------------------
// JSON

static void add_splitting(json_t *object, const Measurement *m) {
    json_t *lambdas = json_array();
    for (uint64_t k = 0; k < m->splitting.runs; k++)
        json_array_append_new(lambdas, json_real(m->splitting.run[k].lambda));
    json_object_set_new(object, "repetitions", json_whole(m->splitting.runs));
    json_object_set_new(object, "extinct", json_whole(m->splitting.extinct));
    json_object_set_new(object, "base", json_integer(m->base));
    json_object_set_new(object, "trials", json_whole(m->trials));
    json_object_set_new(object, "lambda", json_finite(m->splitting.lambda));
    json_object_set_new(object, "lambdas", lambdas);
}

const ResultMember measure_result[] = {
    {"strategy", NULL, "The player.", RESULT_FIRST},
    RESULT_RULES,
    {"method", NULL, "games, splitting or heights: the one that was used.", RESULT_FIRST},
    {"mean_lines", "lines", "Of a game; infinite: never lost.", RESULT_FIRST | RESULT_INFINITE},
    {"ci95", "lines", "95 % interval of the mean.", RESULT_FIRST | RESULT_INFINITE},
    {"precision", "", "The larger side of the interval, as a fraction of the mean.",
     RESULT_FIRST | RESULT_INFINITE},
    {"precision_wanted", "", "The precision that was asked for.", 0},
    {"precise", NULL, "It was reached.", 0},
    {"interrupted", NULL, "It was stopped; the rest is what was known by then.", 0},
    {"pieces", "pieces", "Played in all.", 0},
    {"seconds", "s", "Taken.", 0},
    {"note", NULL, "A sentence on what one must know to read the numbers, or none.", RESULT_FIRST},
    {"games", "games", "By games: how many were played.", 0},
    {"scores", "lines", "By games: of each.", 0},
    {"censored_games", "",
     "By games: numbers, from 0, of those that were stopped, hence would have made more.", 0},
    {"repetitions", "repetitions", "By splitting: how many were made.", 0},
    {"extinct", "repetitions", "By splitting: those that died out before the top.", 0},
    {"base", "rows", "By splitting: highest pile that counts as ordinary.", 0},
    {"trials", "runs", "By splitting: runs kept going at a time.", 0},
    {"lambda", "losses per piece", "By splitting: the rate, whose inverse gives the mean.", 0},
    {"lambdas", "losses per piece", "By splitting: of each repetition.", 0},
    {"higher", "", "By heights: share of the moves that end above height 0, 1, 2 ...", 0},
    RESULT_SEED,
    RESULT_VERSION,
    {NULL, NULL, NULL, 0}};

json_t *measure_json(const MeasureRow *row, const Measurement *m, double wanted, const char *kernel,
                     const char *version) {
    json_t *object = json_object();
    json_object_set_new(object, "strategy", json_name(row->strategy));
    json_object_set_new(object, "method", json_string(measure_method_words[row->method]));
    json_object_set_new(object, "mean_lines", json_finite(row->mean_lines));
    json_object_set_new(object, "ci95", interval_json(row->interval));
    json_object_set_new(object, "precision", json_finite(row->precision));
    json_object_set_new(object, "precision_wanted", json_real(wanted));
    json_object_set_new(object, "precise", json_boolean(row->precise));
    json_object_set_new(object, "interrupted", json_boolean(row->interrupted));
    fields_save(rules_fields, row->rules, object);
    json_object_set_new(object, "pieces", json_whole(row->pieces));
    json_object_set_new(object, "seconds", json_real(row->seconds));
    json_object_set_new(object, "seed", json_whole(row->seed));
    json_object_set_new(object, "note", json_string(row->note));
    json_object_set_new(object, "kernel", json_string(kernel));
    json_object_set_new(object, "version", json_string(version));
    if (row->method == MEASURE_SPLITTING)
        add_splitting(object, m);
    if (row->method == MEASURE_HEIGHTS)
        heights_json(object, &m->heights);
    if (row->method == MEASURE_GAMES) {
        json_object_set_new(object, "games", json_whole(m->games.games));
        scores_json(object, &m->games);
    }
    return object;
}
