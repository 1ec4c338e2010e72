// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/spread.h"

#include <math.h>
#include <stdlib.h>

#include "feature/feature_list.h"
#include "game/game.h"
#include "game/moves.h"
#include "player/player.h"

enum { DECISIONS = 500, SEED = 1 };

// Adds the variance of each value over the moves of a decision.
static void add_variances(const FeatureList *list, const Rules *rules, const Game *game, float *value,
                          double *sum) {
    Moves moves;
    int values = feature_list_values(list), count = 0;
    moves_list(&moves, rules, &game->board, game->piece);
    feature_list_of_moves(list, &game->board, game->piece, value);
    for (uint64_t left = moves.possible; left; left &= left - 1)
        count++;
    for (int i = 0; i < values && count; i++) {
        double total = 0, squares = 0;
        for (uint64_t left = moves.possible; left; left &= left - 1) {
            Placement placement = __builtin_ctzll(left);
            int row = placement_orientation(placement) * rules->width + placement_column(placement);
            double number = value[row * values + i];
            total += number;
            squares += number * number;
        }
        sum[i] += squares / count - total / count * (total / count);
    }
}

static void add_decisions(const FeatureList *list, const Rules *rules, const Player *player, float *value,
                          double *sum) {
    Game game;
    uint64_t index = 0;
    game_start(&game, rules, SEED, index++);
    for (int k = 0; k < DECISIONS; k++) {
        add_variances(list, rules, &game, value, sum);
        Placement placement = player_choose(player, &game);
        if (placement != PLACEMENT_NONE)
            game_move(&game, rules, placement, NULL);
        if (placement == PLACEMENT_NONE || game.state != GAME_RUNNING)
            game_start(&game, rules, SEED, index++);
    }
}

bool features_spread(const FeatureId *features, int count, const Rules *rules, double *spread, Error *error) {
    Strategy strategy;
    if (!strategy_find(&strategy, "dellacherie", error))
        return false;
    Player *player = player_new(&strategy, rules, NULL, error);
    FeatureList *list = player ? feature_list_new(features, count, rules, error) : NULL;
    int values = list ? feature_list_values(list) : 0;
    float *value = malloc((size_t)(ORIENTATIONS * rules->width * values + 1) * sizeof *value);
    bool good = list && (value || error_set(error, "Out of memory for the values of %d features.", count));
    for (int i = 0; good && i < values; i++)
        spread[i] = 0;
    if (good)
        add_decisions(list, rules, player, value, spread);
    for (int i = 0; good && i < values; i++)
        spread[i] = fmax(sqrt(fmax(spread[i], 0) / DECISIONS), SPREAD_LEAST);
    free(value);
    feature_list_free(list);
    player_free(player);
    return good;
}
