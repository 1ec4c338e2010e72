// SPDX-License-Identifier: GPL-3.0-or-later
// The one-piece player of all papers: values each placement of the piece in hand and takes the best.
#include "player/player_type.h"

// The same as evaluator_best_move, with all values.
static uint64_t best_of_values(const Player *player, const Game *game, MoveValues *values) {
    int64_t value[PLACEMENTS];
    uint64_t legal, fatal;
    evaluator_values(player->evaluator, &game->board, game->piece, value, &legal, &fatal);
    if (player->rules->gameover == GAMEOVER_AVOID)
        legal &= ~fatal;
    values->rated = true;
    for (uint64_t left = legal; left; left &= left - 1) {
        Placement placement = __builtin_ctzll(left);
        move_values_set(values, placement, (double)value[placement] / player->rating.scale);
    }
    return evaluation_of(value, legal).best;
}

static Placement choose(const Player *player, Game *game, MoveValues *values) {
    uint64_t best = values ? best_of_values(player, game, values)
                           : evaluator_best_move(player->evaluator, &game->board, game->piece, NULL).best;
    return player_pick(player, best, game);
}

static bool run(const Player *player, int count, Turn *turn, bool (*again)(void *context, Turn *turn),
                void *context) {
    return evaluator_play(player->evaluator, &player->ranks, count, turn, again, context);
}

const PlayerType player_greedy = {.traits = PLAYER_HIDDEN_UNITS, .choose = choose, .run = run};
