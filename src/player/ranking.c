// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/ranking.h"

#include <math.h>
#include <string.h>

#include "player/player_type.h"

static uint64_t rated_features(const Player *player) {
    return player->type->traits & PLAYER_RATES_BOARDS ? ~features_of_moves : ~(uint64_t)0;
}

// What the rating says of each move by itself. -> rated  their values already do
static void give_ratings(const Player *player, const Game *game, Ranking *ranking, bool rated) {
    int64_t value[PLACEMENTS] = {0};
    uint64_t legal, fatal;
    bool boards = player->type->traits & PLAYER_RATES_BOARDS;
    bool needed = false;
    for (int k = 0; rated && k < ranking->count; k++) {
        ranking->move[k].rating = ranking->move[k].value;
        needed |= isnan(ranking->move[k].value);
    }
    if (!player->evaluator || (rated && !needed))
        return;
    if (!boards)
        evaluator_values(player->evaluator, &game->board, game->piece, value, &legal, &fatal);
    for (int k = 0; k < ranking->count; k++) {
        RankedMove *ranked = &ranking->move[k];
        Board after = game->board;
        int64_t sum = value[ranked->move.placement];
        if (boards) {
            move_play(&after, player->rules->width, game->piece, &ranked->move);
            sum = evaluator_board_value(player->evaluator, &after);
        }
        ranked->rating = (double)sum / player->rating.scale;
    }
}

// Under the original rules the game also ends where the next piece has no room to appear.
static bool move_ends(const Player *player, const Game *game, const Moves *moves, Placement placement) {
    if (!(moves->safe >> placement & 1))
        return true;
    if (!player->rules->original || game->next < 0)
        return false;
    Game after = *game;
    game_move(&after, player->rules, placement, NULL);
    return after.state == GAME_OVER;
}

typedef struct Order {
    const int16_t *priority; // of the placements; NULL: the first one comes first
    Placement chosen;
    bool by_visits;
} Order;

static int compare_numbers(double a, double b) {
    return (a > b) - (a < b);
}

// The steps of the order: chosen; with a value; not ending the game.
static int step_of(const Order *order, const RankedMove *ranked) {
    return ranked->move.placement == order->chosen ? 0 : !isnan(ranked->value) ? 1 : ranked->ends ? 3 : 2;
}

static bool comes_before(const Order *order, const RankedMove *a, const RankedMove *b) {
    int difference = step_of(order, b) - step_of(order, a);
    if (!difference && order->by_visits)
        difference = (a->visits > b->visits) - (a->visits < b->visits);
    if (!difference)
        difference = compare_numbers(a->value, b->value);
    if (!difference && isnan(a->value))
        difference = compare_numbers(a->rating, b->rating);
    if (!difference && order->priority)
        difference = order->priority[a->move.placement] - order->priority[b->move.placement];
    return difference > 0 || (!difference && a->move.placement < b->move.placement);
}

static void sort(Ranking *ranking, const Order *order) {
    for (int k = 1; k < ranking->count; k++) {
        RankedMove moved = ranking->move[k];
        int at = k;
        for (; at > 0 && comes_before(order, &moved, &ranking->move[at - 1]); at--)
            ranking->move[at] = ranking->move[at - 1];
        ranking->move[at] = moved;
    }
}

Placement player_rank(const Player *player, Game *game, Ranking *ranking) {
    MoveValues values = {0};
    Placement chosen = player->type->choose(player, game, &values);
    Moves moves;
    moves_list(&moves, player->rules, &game->board, game->piece);
    *ranking = (Ranking){.chosen = chosen != PLACEMENT_NONE, .rated = values.rated};
    for (uint64_t left = moves.possible; left; left &= left - 1) {
        Placement placement = __builtin_ctzll(left);
        bool valued = values.valued >> placement & 1;
        ranking->move[ranking->count++] = (RankedMove){.move = moves.move[placement],
                                                       .ends = move_ends(player, game, &moves, placement),
                                                       .value = valued ? values.value[placement] : NAN,
                                                       .rating = NAN,
                                                       .visits = values.visits[placement]};
    }
    for (int k = 0; k < ranking->count; k++)
        ranking->planned |= ranking->move[k].visits > 0;
    give_ratings(player, game, ranking, values.rated);
    sort(ranking, &(Order){.priority = player_priority(player, game->piece),
                           .chosen = chosen,
                           .by_visits = values.by_visits});
    return chosen;
}

int ranking_features(const Player *player, const Board *board, int piece, const Move *move,
                     RatingShare *share) {
    if (!player->evaluator)
        return 0;
    Board after;
    Situation situation = situation_of_move(player->rules, board, piece, move, &after);
    return rating_shares(&player->rating, &player->strategy.rating, &situation, rated_features(player),
                         share);
}
