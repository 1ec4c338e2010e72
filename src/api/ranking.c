// SPDX-License-Identifier: GPL-3.0-or-later
// Ranked moves of the public interface, and what every feature gives.
#include "player/ranking.h"
#include "api/api.h"

_Static_assert((int)TETRALAB_MAX_CONTRIBUTIONS >= RATING_MAX_TERMS, "every feature has room");

// Nobody plays this game on.
static void forget_after(const tetralab_player *player, const Game *game, Placement chosen) {
    Game after = *game;
    if (chosen != PLACEMENT_NONE)
        game_move(&after, &player->rules.rules, chosen, NULL);
    player_forget(player->player, &after);
}

int tetralab_rank(const tetralab_player *player, const uint32_t *columns, char piece, const char *next,
                  tetralab_ranked *moves, tetralab_error *error) {
    Position position;
    Ranking ranking;
    if (!api_take_position(&position, &player->rules, columns, piece, next, api_error(error)))
        return -1;
    position_seed(&position);
    Placement chosen = player_rank(player->player, &position.game, &ranking);
    forget_after(player, &position.game, chosen);
    for (int k = 0; k < ranking.count; k++) {
        const RankedMove *ranked = &ranking.move[k];
        Game after = position.game;
        moves[k] =
            (tetralab_ranked){.move = api_make_move(&after, &player->rules.rules, ranked->move.placement),
                              .value = ranked->value,
                              .rating = ranked->rating,
                              .visits = ranked->visits,
                              .chosen = ranking.chosen && k == 0};
    }
    return ranking.count;
}

int tetralab_contributions(const tetralab_player *player, const uint32_t *columns, const tetralab_move *move,
                           tetralab_contribution *list, tetralab_error *error) {
    Position position;
    RatingShare share[RATING_MAX_TERMS];
    Move found;
    const Rules *rules = &player->rules.rules;
    if (!api_take_position(&position, &player->rules, columns, move->piece, NULL, api_error(error)) ||
        !api_check_placement(&position.game, rules, move, api_error(error)))
        return -1;
    const Game *game = &position.game;
    moves_find(rules, &game->board, game->piece, placement_make(move->orientation, move->column), &found);
    int count = ranking_features(player->player, &game->board, game->piece, &found, share);
    for (int k = 0; k < count; k++)
        list[k] = (tetralab_contribution){.feature = feature_info[share[k].feature].name,
                                          .index = share[k].index,
                                          .value = share[k].value,
                                          .weight = share[k].weight,
                                          .contribution = share[k].contribution};
    return count;
}
