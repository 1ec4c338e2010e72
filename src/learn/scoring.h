// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors scored for other people's optimisers: the settings of `tetralab evaluate`, and the way of a vector
// through a crew. Its samples are cut into tasks, about one for each worker; the results come back in any
// order.
#ifndef TETRALAB_LEARN_SCORING_H
#define TETRALAB_LEARN_SCORING_H

#include "base/options.h"
#include "learn/objective.h"
#include "measure/crew.h"

enum { SCORING_MAX_GAMES = 100000, SCORING_MAX_SLOTS = 1 << 16 };

// ---------------------------------------------------------------------------------------------------
// Settings

typedef struct ScoringSettings {
    Objective objective; // owned
    uint64_t games;      // for each vector; 0: not given
} ScoringSettings;

extern const Fields scoring_fields; // the others are objective_fields and encoding_fields

// Completes the settings and checks them. -> rules  move into the objective, and become the default ones
bool scoring_complete(ScoringSettings *settings, Rules *rules, uint64_t max_pieces, const char *kernel,
                      const Arguments *arguments, Error *error);

// ---------------------------------------------------------------------------------------------------
// One vector

typedef struct Sampling {
    uint64_t seed, first, games; // samples first ... first + games - 1 of this seed; 1 ... SCORING_MAX_GAMES
} Sampling;

typedef struct Scoring {
    double *value; // the samples; not owned
    uint64_t games, missing;
    int share; // samples of each task but the last
    uint64_t pieces;
    double seconds;
} Scoring;

// Hands the vector to the crew, and counts the tasks.
// -> slot  0 ... SCORING_MAX_SLOTS-1, comes back with the results; value  room for the games of the sampling
bool scoring_begin(Scoring *scoring, int slot, const double *vector, const Sampling *sampling, double *value,
                   Crew *crew, uint64_t *tasks, Error *error);
// <- the slot that a result belongs to
int scoring_slot(const CrewResult *result);
// Takes a result of its slot. <- true: all are there
bool scoring_take(Scoring *scoring, const CrewResult *result);

// <- how many vectors to have under way, so that the crew always has work; at most SCORING_MAX_SLOTS
int scoring_room(const Crew *crew);

// <- the standard error of objective_score, by the spread of the samples; NAN: there is only one
double scoring_error(ObjectiveKind kind, const double *value, uint64_t count);

#endif
