// SPDX-License-Identifier: GPL-3.0-or-later
// The mean lines of a player to a wanted precision, by whichever method fits.
//
//   games      whole games (measure/playing.h): for players that lose often enough
//   splitting  multilevel splitting (measure/splitting.h): for all others
//   heights    Fahey's regression of pile heights (measure/heights.h): biased, for comparison
//   auto       a short run, the pilot, decides between games and splitting
//
// The result depends on player, rules, seed and plan, not on the number of threads.
#ifndef TETRALAB_TASKS_MEASUREMENT_H
#define TETRALAB_TASKS_MEASUREMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "measure/heights.h"
#include "measure/interval.h"
#include "measure/playing.h"
#include "measure/splitting.h"
#include "player/player.h"

typedef enum MeasureMethod { MEASURE_AUTO, MEASURE_GAMES, MEASURE_SPLITTING, MEASURE_HEIGHTS } MeasureMethod;

extern const char *const measure_method_words[]; // in the order of the enum, ended by NULL

// What can be kept while it is measured, so that an interrupted measurement can go on later
// (tasks/journal.h).
typedef struct MeasureEvent {
    enum { MEASURE_STARTED, MEASURE_REPETITION, MEASURE_GAMES_PLAYED } kind;
    MeasureMethod method;  // STARTED: what was decided
    int base;              //   and for splitting with which base
    uint64_t trials;       //   and trials,
    Importance importance; //   and how close boards are to a loss;
    uint64_t pilot_pieces; //   what the pilot cost, 0: there was none
    uint64_t first;        // REPETITION: its number; GAMES_PLAYED: number of the first game
    const SplittingRun *run;
    const Score *score; // GAMES_PLAYED: so many; those without `played` did not get to their end
    uint64_t count;
} MeasureEvent;

// What was kept of a measurement with the same plan. Nothing is owned.
typedef struct MeasureKnown {
    bool started;
    MeasureMethod method;
    int base;
    uint64_t trials, pilot_pieces;
    Importance importance;
    const SplittingRun *run; // repetition k at [k]; those that are done count
    uint64_t runs;
    const Score *score; // game k at [k]; those that are played count
    uint64_t scores;
} MeasureKnown;

typedef struct MeasurePlan {
    const Player *player;
    uint64_t seed;
    MeasureMethod method;
    double precision;          // default 0.05
    uint64_t budget;           // pieces, 0: none
    int base;                  // splitting: 0 = by the pilot
    uint64_t trials;           // splitting: 0 = by the pilot
    int strands;               // splitting: 0 = splitting_strands
    Shard shard;               // make this part of games or repetitions alone: no mean comes out
    Work work;                 // unit: games, repetitions or pieces (heights); value: what the mean would be
    const MeasureKnown *known; // may be NULL
    void (*record)(void *keeper, const MeasureEvent *event); // may be NULL; one call at a time
    void *keeper;
} MeasurePlan;

typedef struct Measurement {
    MeasureMethod method; // the one used, never MEASURE_AUTO
    double mean_lines;
    Interval interval; // 95 %; high may be INFINITY
    double precision;  // the larger side of the interval, as a fraction of the mean; INFINITY: unknown
    uint64_t wanted;   // games or repetitions that it takes, as far as is known
    uint64_t pieces;   // played in all, pilot included
    double seconds;
    bool precise, interrupted;
    char note[400]; // a sentence for the user when something is to be known (extinct, not exponential ...)
    SplittingPilot pilot; // pieces = 0: there was none
    Playing games;        // MEASURE_GAMES: the raw scores
    Splitting splitting;  // MEASURE_SPLITTING: the raw repetitions
    int base;             //   and what they were made with
    uint64_t trials;
    int strands;
    Importance importance;
    Heights heights; // MEASURE_HEIGHTS
} Measurement;

// Games: until enough have ended for the exact interval of exponential scores; if they are not exponential,
// until the interval from their standard deviation suffices. They are played in blocks whose sizes do not
// depend on the threads. With a budget, a game that would take more than is left is stopped, its score is
// censored. Splitting: with a budget too small for the trials that the precision asks for, fewer trials are
// made; at least SPLITTING_LEAST_REPETITIONS of SPLITTING_LEAST_TRIALS, and the note says if that was too
// much. Free with measurement_free, also after an error.
bool measurement_run(Measurement *measurement, const MeasurePlan *plan, Error *error);
// The same with nothing but what is known, as if it had been interrupted there.
bool measurement_known(Measurement *measurement, const MeasurePlan *plan, Error *error);
// <- the strands of the plan, chosen if they are not given
int measurement_strands(const MeasurePlan *plan);
void measurement_free(Measurement *measurement);

#endif
