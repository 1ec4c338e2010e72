// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/expectimax_law.h"

#include <math.h>

#include "base/portable.h"

static const double DANGER_MARGIN = 1e-9; // of a sum

enum { SMALL_TOTAL = 1024, ANY_TOTAL_BITS = 32 };

// Weights like 3 3 1 1 1 1 1 are found again from the probabilities; then sums fit into 64 bits. true: these
// do.
static bool as_small_numbers(PieceChances *chances, const double *weight, int64_t total) {
    chances->total = total;
    for (int p = 0; p < PIECES; p++) {
        double exact = weight[p] * (double)total;
        chances->count[p] = llround(exact);
        if (fabs(exact - (double)chances->count[p]) > 1e-9 || (weight[p] > 0 && chances->count[p] == 0))
            return false;
    }
    return true;
}

// Others become multiples of 2^-32, as they are drawn; the most frequent piece takes what rounding leaves.
static void as_fractions(PieceChances *chances, const double *weight) {
    int most = 0;
    int64_t left = chances->total = (int64_t)1 << ANY_TOTAL_BITS;
    for (int p = 0; p < PIECES; p++) {
        chances->count[p] = llround(weight[p] * (double)chances->total);
        left -= chances->count[p];
        most = weight[p] > weight[most] ? p : most;
    }
    chances->count[most] += left;
}

void chances_make(PieceChances *chances, const PieceSource *source) {
    *chances = (PieceChances){.bag = source->law == PIECES_BAG};
    int64_t total = 1;
    while (total <= SMALL_TOTAL && !as_small_numbers(chances, source->weight, total))
        total++;
    if (total > SMALL_TOTAL)
        as_fractions(chances, source->weight);
    for (int p = 0; p < PIECES; p++)
        chances->possible |= (uint32_t)(chances->count[p] > 0) << p;
}

// The next piece has been drawn already, but who does not see it must take it for one of those left.
uint32_t chances_after(const PieceChances *chances, const Game *game, bool sees_next) {
    bool known = game->stream.source->law == PIECES_KNOWN;
    if (!chances->bag || (known ? !game->stream.source->bag : game->stream.drawn < 2))
        return chances->possible; // the latter: a position, not a game that was played
    PieceStream stream = game->stream;
    piece_stream_unsee(&stream, sees_next ? -1 : game->next);
    uint32_t left = 0;
    for (int i = 0; i < stream.bag_left; i++)
        left |= 1u << stream.bag[i];
    return left ? left : (uint32_t)LAW_ALL_PIECES;
}

static int64_t divide_down(int64_t sum, int64_t by) {
    return sum / by - (sum % by < 0);
}

int64_t chances_mean(const PieceChances *chances, uint32_t set, const int64_t value[PIECES]) {
    int64_t sum = 0;
    if (chances->bag) {
        for (uint32_t left = set; left; left &= left - 1)
            sum += value[__builtin_ctz(left)];
        return divide_down(sum, __builtin_popcount(set));
    }
    if (chances->total <= SMALL_TOTAL) {
        for (uint32_t left = set; left; left &= left - 1)
            sum += chances->count[__builtin_ctz(left)] * value[__builtin_ctz(left)];
        return divide_down(sum, chances->total);
    }
    __int128 wide = 0;
    for (uint32_t left = set; left; left &= left - 1)
        wide += (__int128)chances->count[__builtin_ctz(left)] * value[__builtin_ctz(left)];
    return (int64_t)(wide >> ANY_TOTAL_BITS);
}

static double chance_of(const PieceChances *chances, int piece) {
    return chances->bag ? 1 : (double)chances->count[piece];
}

// Dangers are counted in multiples of the worst one, so that none overflows.
int64_t chances_mean_danger(const PieceChances *chances, uint32_t set, const int64_t value[PIECES],
                            double unit) {
    int64_t worst = INT64_MAX;
    double sum = 0, total = 0;
    for (uint32_t left = set; left; left &= left - 1) {
        int64_t one = value[__builtin_ctz(left)];
        worst = one < worst ? one : worst;
    }
    for (uint32_t left = set; left; left &= left - 1) {
        int piece = __builtin_ctz(left);
        double chance = chance_of(chances, piece);
        sum += chance * portable_exp_quick((double)(worst - value[piece]) / unit);
        total += chance;
    }
    return worst + (int64_t)floor(unit * portable_log(total / sum));
}

// ---------------------------------------------------------------------------------------------------
// Against a limit

DangerTally danger_tally(const PieceChances *chances, uint32_t set, int64_t limit, double unit) {
    double total = chances->bag ? __builtin_popcount(set) : (double)chances->total;
    return (DangerTally){chances, limit, unit, 0, total * (1 + DANGER_MARGIN)};
}

bool danger_tally_add(DangerTally *tally, int piece, int64_t value) {
    double lower = (double)(tally->limit - value) / tally->unit;
    tally->sum += chance_of(tally->chances, piece) * portable_exp_quick(lower);
    return tally->sum <= tally->most;
}

int64_t danger_tally_least(const DangerTally *tally, int piece) {
    double left = fmax(tally->most - tally->sum, DANGER_MARGIN) / chance_of(tally->chances, piece);
    return tally->limit - (int64_t)ceil(tally->unit * (portable_log(left) + DANGER_MARGIN)) - 1;
}
