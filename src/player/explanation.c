// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/explanation.h"

#include <math.h>
#include <stdlib.h>

#include "player/player_type.h"

double explanation_gap(const Ranking *ranking, int rank) {
    return ranking->chosen && ranking->count ? ranking->move[0].value - ranking->move[rank].value : NAN;
}

// ---------------------------------------------------------------------------------------------------
// Weights

// Where the line of a move lies above that of another, as the range of the change of the weight.
// -> slope  by which the difference grows with the weight  -> lead  the difference now
static void stay_above(WeightRange *range, double slope, double lead, int other, bool loses_ties) {
    double end = -lead / slope;
    if (slope == 0)
        range->possible &= lead > 0 || (lead == 0 && !loses_ties);
    else if (slope > 0 && end > range->low) {
        range->low = end;
        range->at_low = other;
    } else if (slope < 0 && end < range->high) {
        range->high = end;
        range->at_high = other;
    }
}

// A weight after a change; 0 if they cancel but for what rounding leaves of them.
static double changed_weight(double weight, double change) {
    static const double DUST = 1e-12;
    double sum = weight + change;
    return fabs(sum) < DUST * fabs(weight) ? 0 : sum;
}

static WeightRange find_range(const Explanation *explanation, int rank, int term, bool random_ties) {
    const Ranking *ranking = explanation->ranking;
    const RatingShare *share = explanation->share + term;
    int terms = explanation->terms;
    const RatingShare *own = &share[rank * terms];
    WeightRange range = {-INFINITY, INFINITY, !isnan(ranking->move[rank].value), -1, -1};
    for (int k = 0; k < ranking->count; k++)
        if (k != rank && !isnan(ranking->move[k].value))
            stay_above(&range, own->unit - share[k * terms].unit,
                       ranking->move[rank].value - ranking->move[k].value, k, k < rank && !random_ties);
    range.possible = range.possible && range.low < range.high;
    range.low = changed_weight(own->weight, range.low);
    range.high = changed_weight(own->weight, range.high);
    return range;
}

static void find_ranges(Explanation *explanation, bool random_ties) {
    for (int k = 0; k < explanation->ranking->count; k++)
        for (int i = 0; i < explanation->terms; i++)
            explanation->range[k * explanation->terms + i] = find_range(explanation, k, i, random_ties);
}

// ---------------------------------------------------------------------------------------------------
// Limits

static const char *limits_of(const Player *player, const Ranking *ranking) {
    if (!ranking->chosen)
        return "Every move ends the game: the player makes none.";
    if (!ranking->rated)
        return player->type->limits;
    return player->rating.network
               ? "The rating is a network with hidden units, in which features act together: none of them "
                 "has a share of its own, and no change of a weight is given."
               : NULL;
}

// ---------------------------------------------------------------------------------------------------

bool explanation_make(Explanation *explanation, const Player *player, const Game *game,
                      const Ranking *ranking, Error *error) {
    RatingShare share[RATING_MAX_TERMS];
    *explanation = (Explanation){.ranking = ranking, .limits = limits_of(player, ranking)};
    int terms = ranking->count
                    ? ranking_features(player, &game->board, game->piece, &ranking->move[0].move, share)
                    : 0;
    size_t count = (size_t)ranking->count * (size_t)terms;
    if (!count)
        return true;
    explanation->terms = terms;
    explanation->share = calloc(count, sizeof *explanation->share);
    if (!explanation->limits)
        explanation->range = calloc(count, sizeof *explanation->range);
    if (!explanation->share || (!explanation->limits && !explanation->range)) {
        explanation_free(explanation);
        return error_set(error, "Out of memory: cannot explain a move.");
    }
    for (int k = 0; k < ranking->count; k++)
        ranking_features(player, &game->board, game->piece, &ranking->move[k].move,
                         explanation->share + k * terms);
    if (explanation->range)
        find_ranges(explanation, player->strategy.ties == TIES_RANDOM);
    return true;
}

void explanation_free(Explanation *explanation) {
    free(explanation->share);
    free(explanation->range);
    *explanation = (Explanation){.terms = 0};
}
