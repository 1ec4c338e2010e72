// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of measurements apart from all playing: which method, for how long, with how many games. All are
// functions of what was seen, and tests/test_measure_rules.c checks them on made-up figures. The rules of
// splitting alone are in measure/splitting_rules.h.
#ifndef TETRALAB_TASKS_MEASURE_RULES_H
#define TETRALAB_TASKS_MEASURE_RULES_H

#include "tasks/measurement.h"

// Pieces of the pilot run: 50,000, for slow players (which look at more than one placement) 20,000. With a
// budget, a hundredth of it if that is less: the small repetitions that follow take some ten times as many,
// so that about an eighth of the budget is gone in all (a fifth if they see too few losses at first; more of
// a budget below a million, since there is a least repetition). But no fewer than are needed to see ordinary
// heights, 2,500, if that is at most a quarter of the budget.
uint64_t measure_pilot_pieces(bool slow, uint64_t budget);

// Pieces over which heights are counted: the budget, else HEIGHTS_PIECES, for slow players a million.
uint64_t measure_heights_pieces(bool slow, uint64_t budget);

// A short run before them, a fiftieth but at least 10,000 pieces, tells how many pieces a line takes
// (heights_needed). Is that more than four times as many as are to be played? The guess is rough.
uint64_t measure_heights_pilot(uint64_t pieces);
bool measure_heights_hopeless(uint64_t needed, uint64_t pieces);

// Games or splitting: what costs fewer pieces. Whole games cost (number for the precision) x (mean length),
// what splitting costs is extrapolated from the pilot. A pilot that lost fewer than 5 games does not know
// their length: splitting.
MeasureMethod measure_cheaper(const SplittingPilot *pilot, double precision);

// Trials for splitting: those of the pilot, or as many fewer as make its repetitions affordable by what it
// left of the budget; at least SPLITTING_LEAST_TRIALS. -> budget  0: none
uint64_t measure_trials(const SplittingPilot *pilot, uint64_t budget);

// Whole games so far.
typedef struct GamesPlayed {
    uint64_t ended, censored;
    uint64_t pieces; // of all of them
} GamesPlayed;

typedef struct GamesBlock {
    uint64_t first, count;
    uint64_t max_pieces; // of each game; 0: no limit
} GamesBlock;

// The next games to play: 8, then as many as before, up to 4,096, and no more than can still be needed. With
// a budget, no more than have room to end: a game may take eight times the mean length, and all get an equal
// share of the pieces left. -> need  games that must end; more than have  <- count 0: the budget is used up,
// or there are PLAYING_MAX_GAMES
GamesBlock games_next_block(const GamesPlayed *so_far, uint64_t need, uint64_t budget);

// Games that will probably reach the precision, the interval shrinking with their root: 5 % more than that
// asks for, since the spread is only an estimate. At most PLAYING_MAX_GAMES. -> precision  of the games that
// ended
uint64_t games_for_spread(uint64_t ended, double precision, double wanted);

#endif
