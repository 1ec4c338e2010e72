// SPDX-License-Identifier: GPL-3.0-or-later
// The choices of a measurement; measure_rules.h says them. None needs exact figures.
#include "tasks/measure_rules.h"

enum {
    PILOT_PIECES = 50000,
    PILOT_PIECES_SLOW = 20000,
    PILOT_SHARE = 100,  // of a budget, to watch; fitting and rehearsing cost some ten times as much
    LEAST_PILOT = 2500, // unless that is more than
    MAX_SHARE = 4,      //   this part of the budget
    HEIGHTS_PIECES_SLOW = 1000000,
    HEIGHTS_PILOT_SHARE = 50,
    HEIGHTS_LEAST_PILOT = 10000,
    HEIGHTS_DOUBT = 4,
    LEAST_LOST = 5,   // games that the pilot must have lost for their length to be believed
    FIRST_BLOCK = 8,  // games; each next block doubles their number,
    MAX_BLOCK = 4096, //   up to this size
    ROOM_TO_END = 8   // with a budget, a game may be so many times as long as the mean
};
static const double SPARE_GAMES = 1.05;

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static uint64_t rest(uint64_t budget, uint64_t used) {
    return budget > used ? budget - used : 0;
}

uint64_t measure_pilot_pieces(bool slow, uint64_t budget) {
    uint64_t pieces = slow ? PILOT_PIECES_SLOW : PILOT_PIECES;
    uint64_t small = most(budget / PILOT_SHARE, least(budget / MAX_SHARE, LEAST_PILOT));
    return budget ? least(pieces, small) : pieces;
}

uint64_t measure_heights_pieces(bool slow, uint64_t budget) {
    return budget ? budget : slow ? HEIGHTS_PIECES_SLOW : HEIGHTS_PIECES;
}

uint64_t measure_heights_pilot(uint64_t pieces) {
    return least(pieces, most(pieces / HEIGHTS_PILOT_SHARE, HEIGHTS_LEAST_PILOT));
}

bool measure_heights_hopeless(uint64_t needed, uint64_t pieces) {
    return needed / HEIGHTS_DOUBT > pieces;
}

MeasureMethod measure_cheaper(const SplittingPilot *pilot, double precision) {
    if (pilot->lost < LEAST_LOST)
        return MEASURE_SPLITTING;
    double games = (double)interval_games_for(precision, PLAYING_MAX_GAMES) * pilot->game_pieces;
    return games <= pilot->cost ? MEASURE_GAMES : MEASURE_SPLITTING;
}

uint64_t measure_trials(const SplittingPilot *pilot, uint64_t budget) {
    double left = (double)rest(budget, pilot->pieces);
    if (!budget || pilot->cost <= left)
        return pilot->trials;
    return most((uint64_t)((double)pilot->trials * left / pilot->cost), SPLITTING_LEAST_TRIALS);
}

GamesBlock games_next_block(const GamesPlayed *so_far, uint64_t need, uint64_t budget) {
    uint64_t done = so_far->ended + so_far->censored, count = done ? least(done, MAX_BLOCK) : FIRST_BLOCK;
    count = least(least(count, need - so_far->ended), PLAYING_MAX_GAMES - done);
    if (!budget)
        return (GamesBlock){done, count, 0};
    uint64_t left = rest(budget, so_far->pieces);
    uint64_t mean = so_far->pieces / most(so_far->ended, 1); // more than that if none has ended
    if (done)
        count = least(count, left / (ROOM_TO_END * (mean + 1)));
    if (!count || !left)
        return (GamesBlock){done, 0, 0};
    return (GamesBlock){done, count, most(left / count, 1)};
}

uint64_t games_for_spread(uint64_t ended, double precision, double wanted) {
    double ratio = precision / wanted, games = SPARE_GAMES * (double)ended * ratio * ratio + 1;
    return games < PLAYING_MAX_GAMES ? (uint64_t)games : PLAYING_MAX_GAMES;
}
