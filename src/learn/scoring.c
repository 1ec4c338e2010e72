// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/scoring.h"

#include <math.h>

#include "feature/kernel.h"

enum { DEFAULT_GAMES = 10, SLOT_BITS = 16, MORE_ROOM = 16 };
_Static_assert((int)SCORING_MAX_SLOTS == 1 << SLOT_BITS, "a ticket has room for every slot");

static const Field scoring_field[] = {
    {"games", FIELD_WHOLE, FIELD_AT(ScoringSettings, games), .preset = NAN,
     .otherwise = "10; 1 repetition of splitting", .least = 1, .most = SCORING_MAX_GAMES, .argument = "N",
     .help = "Games for each vector, or repetitions of splitting."},
};
const Fields scoring_fields = FIELDS(scoring_field);

bool scoring_complete(ScoringSettings *settings, Rules *rules, uint64_t max_pieces, const char *kernel,
                      const Arguments *arguments, Error *error) {
    Objective *objective = &settings->objective;
    bool splitting = objective->kind == OBJECTIVE_SPLITTING;
    if (splitting && max_pieces != UINT64_MAX)
        return error_set(error, "--max-pieces stops whole games: it goes with --objective games only.");
    if (!splitting && arguments_given(arguments, "trials"))
        return error_set(error, "--trials is for splitting: it does not go with --objective games.");
    if (arguments_given(arguments, "like") && arguments_given(arguments, "player"))
        return error_set(error, "--like says who plays: leave --player out.");
    if (!settings->games)
        settings->games = splitting ? 1 : DEFAULT_GAMES;
    objective_take(objective, rules, max_pieces);
    objective->kernel = kernel_find(kernel, error);
    return objective->kernel && objective_check(objective, error);
}

bool scoring_begin(Scoring *scoring, int slot, const double *vector, const Sampling *sampling, double *value,
                   Crew *crew, uint64_t *tasks, Error *error) {
    uint64_t workers = (uint64_t)crew->workers, share = (sampling->games + workers - 1) / workers;
    *scoring = (Scoring){.value = value,
                         .games = sampling->games,
                         .missing = sampling->games,
                         .share = share < CREW_MAX_SAMPLES ? (int)share : CREW_MAX_SAMPLES};
    for (uint64_t done = 0, part = 0; done < sampling->games; part++) {
        uint64_t left = sampling->games - done;
        CrewTask task = {.ticket = part << SLOT_BITS | (uint64_t)slot,
                         .seed = sampling->seed,
                         .first = sampling->first + done,
                         .count = left < (uint64_t)scoring->share ? (int)left : scoring->share,
                         .body = vector};
        if (!crew->submit(crew, &task, error))
            return false;
        ++*tasks;
        done += (uint64_t)task.count;
    }
    return true;
}

int scoring_slot(const CrewResult *result) {
    return (int)(result->ticket & (SCORING_MAX_SLOTS - 1));
}

bool scoring_take(Scoring *scoring, const CrewResult *result) {
    double *value = scoring->value + (result->ticket >> SLOT_BITS) * (uint64_t)scoring->share;
    const Sample *sample = candidate_results(result);
    for (int k = 0; k < result->count; k++) {
        value[k] = sample[k].value;
        scoring->pieces += sample[k].pieces;
    }
    scoring->seconds += result->seconds;
    scoring->missing -= (uint64_t)result->count;
    return scoring->missing == 0;
}

int scoring_room(const Crew *crew) {
    int room = 4 * crew->workers + MORE_ROOM;
    return room < SCORING_MAX_SLOTS ? room : SCORING_MAX_SLOTS;
}

// Splitting: the score is a logarithm, whose error is the relative one.
double scoring_error(ObjectiveKind kind, const double *value, uint64_t count) {
    double sum = 0, squares = 0;
    if (count < 2)
        return NAN;
    for (uint64_t k = 0; k < count; k++)
        sum += value[k];
    double mean = sum / (double)count;
    for (uint64_t k = 0; k < count; k++)
        squares += (value[k] - mean) * (value[k] - mean);
    double error = sqrt(squares / (double)(count - 1) / (double)count);
    return kind == OBJECTIVE_GAMES ? error : error / mean;
}
