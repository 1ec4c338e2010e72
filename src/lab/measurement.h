// SPDX-License-Identifier: GPL-3.0-or-later
// The mean lines of a player to a wanted precision, by whichever method fits.
//
//   games      whole games (measure/playing.h): for players that lose often enough
//   splitting  multilevel splitting (measure/splitting.h): for all others
//   heights    Fahey's regression of the frequencies of pile heights (measure/heights.h): biased, for comparison
//   auto       a short pilot run decides between games and splitting
//
// The result depends on player, rules, seed and plan, not on the number of threads.
#ifndef TETRALAB_LAB_MEASUREMENT_H
#define TETRALAB_LAB_MEASUREMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "measure/interval.h"
#include "measure/playing.h"
#include "measure/splitting.h"
#include "player/player.h"

typedef enum MeasureMethod { MEASURE_AUTO, MEASURE_GAMES, MEASURE_SPLITTING, MEASURE_HEIGHTS } MeasureMethod;

const char *measure_method_name(MeasureMethod method);
bool measure_method_parse(MeasureMethod *method, const char *text, Error *error);

// How far a measurement is: what it would say if it were stopped now.
typedef struct MeasureStatus {
    MeasureMethod method;
    uint64_t done, wanted; // games or repetitions; wanted is a guess
    uint64_t pieces;
    double mean_lines, precision; // precision: the larger side of the interval, as a fraction
} MeasureStatus;

typedef struct MeasurePlan {
    const Player *player;
    uint64_t seed;
    MeasureMethod method;
    double precision;        // default 0.05
    uint64_t budget;         // pieces, 0: none
    int base;                // splitting: 0 = by the pilot
    uint64_t trials;         // splitting: 0 = by the pilot
    int jobs;
    const volatile bool *stop;
    void (*progress)(void *context, const MeasureStatus *status); // may be NULL; one call at a time
    void *context;
} MeasurePlan;

typedef struct Measurement {
    MeasureMethod method; // the one used, never MEASURE_AUTO
    double mean_lines;
    Interval interval; // 95 %; high may be INFINITY
    uint64_t pieces;   // played in all, pilot included
    double seconds;
    bool precise, interrupted;
    char note[256];       // a sentence for the user when something is to be known (extinct, not exponential ...)
    SplittingPilot pilot; // pieces = 0: there was none
    Playing games;        // MEASURE_GAMES: the raw scores
    Splitting splitting;  // MEASURE_SPLITTING: the raw repetitions
} Measurement;

// Free with measurement_free, also after an error.
bool measurement_run(Measurement *measurement, const MeasurePlan *plan, Error *error);
void measurement_free(Measurement *measurement);

#endif
