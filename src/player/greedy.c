// SPDX-License-Identifier: GPL-3.0-or-later
// The one-piece player of all papers: values each placement of the piece in hand and takes the best.
#include "player/player_type.h"

static void give_values(const Player *player, const Game *game, MoveValues *values) {
    int64_t value[PLACEMENTS];
    uint64_t legal, fatal;
    evaluator_values(player->evaluator, &game->board, game->piece, value, &legal, &fatal);
    if (player->rules->gameover == GAMEOVER_AVOID)
        legal &= ~fatal;
    for (; legal; legal &= legal - 1) {
        Placement placement = __builtin_ctzll(legal);
        move_values_set(values, placement, (double)value[placement] / player->rating.scale);
    }
}

static Placement choose(const Player *player, Game *game, MoveValues *values) {
    if (values)
        give_values(player, game, values);
    return player_pick(player, evaluator_best_move(player->evaluator, &game->board, game->piece, NULL).best,
                       game);
}

static bool run(const Player *player, Game *game, uint64_t moves, const HeightWindow *window) {
    TieRule ties = player->strategy.ties;
    return !player->rules->original && ties != TIES_RANDOM &&
           evaluator_play(player->evaluator, game, moves, window,
                          ties == TIES_PRIORITY ? player->priority[0] : NULL);
}

const PlayerType player_greedy = {.traits = PLAYER_HIDDEN_UNITS, .choose = choose, .run = run};
