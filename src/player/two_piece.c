// SPDX-License-Identifier: GPL-3.0-or-later
// The two-piece player, which knows the next piece (Fahey, Böhm). It values a pair of placements by the
// rating of the second move plus what the move features (landing height, rows removed, changes ...) give for
// the first; in a network these are added up before the hidden units, so that an input is what the feature is
// over both moves. A first move that ends the game is never preferred to one that does not, whatever the rule
// for game-ending moves, since nothing can follow it.
#include <math.h>

#include "game/moves.h"
#include "player/player_type.h"

// Two pieces on top of each other must fit into a word. The first one does not end the game, so that at most
// two of its rows are above the board (what is above has to come down by rows completed below); the second
// adds four.
enum { LATE_CLEARING_MAX_HEIGHT = BOARD_MAX_HEIGHT - 2 };

static bool make(Player *player, Error *error) {
    return !player->strategy.clear_late || player->rules->height <= LATE_CLEARING_MAX_HEIGHT ||
           error_set(error, "it clears rows late, which needs a board at most %d rows high, not %d.",
                     LATE_CLEARING_MAX_HEIGHT, player->rules->height);
}

static int sees(const Strategy *strategy) {
    (void)strategy;
    return 2;
}

// No second move is worse than anything else: INT64_MIN.
static void add_pair(const Player *player, Evaluation *result, MoveValues *values, Placement first,
                     int64_t value) {
    evaluation_add(result, first, value);
    if (values)
        move_values_set(values, first, value == INT64_MIN ? -INFINITY : (double)value / player->rating.scale);
}

// Networks, move by move.
static Evaluation best_pair_by_moves(const Player *player, const Board *board, int piece, int next,
                                     MoveValues *values) {
    Moves moves;
    moves_list(&moves, player->rules, board, piece);
    Evaluation result = {0, INT64_MIN};
    for (uint64_t left = moves.safe; left; left &= left - 1) {
        Placement placement = __builtin_ctzll(left);
        const Move *move = &moves.move[placement];
        Board after;
        Situation situation = situation_of_move(player->rules, board, piece, move, &after);
        MoveSums first;
        evaluator_move_sums(player->evaluator, &situation, &first);
        if (player->strategy.clear_late) {
            after = *board;
            board_put(&after, situation.shape, placement_column(placement), move->row);
        }
        Evaluation follow = evaluator_best_move(player->evaluator, &after, next, &first);
        add_pair(player, &result, values, placement, follow.best ? follow.value : INT64_MIN);
    }
    return result;
}

static Evaluation best_pair(const Player *player, const Board *board, int piece, int next,
                            MoveValues *values) {
    const Evaluator *evaluator = player->evaluator;
    if (player->rating.network)
        return best_pair_by_moves(player, board, piece, next, values);
    Outcome outcome[PLACEMENTS];
    int count;
    evaluator_outcomes(evaluator, 1, &(BoardPiece){board, piece}, (Outcome *[]){outcome}, &count);
    Evaluation result = {0, INT64_MIN};
    const Board *after[PLACEMENTS];
    int64_t own[PLACEMENTS], best[PLACEMENTS][PIECES];
    int kept = 0;
    for (int k = 0; k < count; k++)
        if (!outcome[k].fatal) {
            outcome[kept] = outcome[k];
            after[kept] = &outcome[kept].after;
            own[kept] = outcome[k].value - outcome[k].move_value;
            kept++;
        }
    evaluator_best_values(evaluator, kept, after, own, 1u << next, best);
    for (int k = 0; k < kept; k++)
        add_pair(player, &result, values, outcome[k].placement,
                 best[k][next] == INT64_MIN ? INT64_MIN : best[k][next] + outcome[k].move_value);
    return result;
}

// The last piece of a recorded sequence has none after it: it is played as by a player of one piece.
static Placement choose(const Player *player, Game *game, MoveValues *values) {
    if (game->next < 0)
        return player_type(PLAYER_GREEDY)->choose(player, game, values);
    Evaluation found = best_pair(player, &game->board, game->piece, game->next, values);
    return player_pick(player, found.best, game);
}

const PlayerType player_two_piece = {
    .traits = PLAYER_HIDDEN_UNITS | PLAYER_CLEAR_LATE, .sees = sees, .make = make, .choose = choose};
