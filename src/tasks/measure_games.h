// SPDX-License-Identifier: GPL-3.0-or-later
// A measurement by whole games: blocks of them until the mean is precise enough or the budget is used up.
#ifndef TETRALAB_TASKS_MEASURE_GAMES_H
#define TETRALAB_TASKS_MEASURE_GAMES_H

#include "tasks/measurement.h"

// Fills what a measurement by games has: games, mean, interval, precision, pieces, precise, interrupted,
// note.
bool measure_games(Measurement *measurement, const MeasurePlan *plan, Error *error);

#endif
