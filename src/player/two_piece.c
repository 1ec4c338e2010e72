// SPDX-License-Identifier: GPL-3.0-or-later
// The two-piece player, which knows the next piece (Fahey, Böhm). It values a pair of placements by the
// rating of the second move plus what the move features (landing height, rows removed, changes ...) give for
// the first; in a network these are added up before the hidden units, so that an input is what the feature is
// over both moves. A first move that ends the game is never preferred to one that does not, whatever the rule
// for game-ending moves, since nothing can follow it.
#include "game/original.h"
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

// All first moves: where the piece comes to rest.
static int first_moves(const Rules *rules, const Board *board, int piece, OriginalPlacement *list) {
    if (rules->original)
        return original_placements(board, rules, piece, list);
    int count = 0;
    for (int o = 0; o < piece_orientations[piece]; o++)
        for (int column = 0; column + piece_shape[piece][o].width <= rules->width; column++)
            list[count++] = (OriginalPlacement){placement_make(o, column),
                                                board_drop_row(board, &piece_shape[piece][o], column)};
    return count;
}

static Evaluation best_pair(const Player *player, const Board *board, int piece, int next) {
    const Rules *rules = player->rules;
    OriginalPlacement list[PLACEMENTS];
    int count = first_moves(rules, board, piece, list);
    Evaluation result = {0, INT64_MIN};
    for (int k = 0; k < count; k++) {
        Placement placement = list[k].placement;
        const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
        Board after = *board;
        Landing landing = board_place(&after, rules->width, shape, placement_column(placement), list[k].row);
        if (rules_fatal(rules, shape, &landing))
            continue;
        Situation situation = {rules->width, rules->height, board, &after, shape, landing};
        MoveSums first;
        evaluator_move_sums(player->evaluator, &situation, &first);
        if (player->strategy.clear_late) {
            after = *board;
            board_put(&after, shape, placement_column(placement), list[k].row);
        }
        Evaluation follow = evaluator_best_move(player->evaluator, &after, next, &first);
        int64_t value = follow.best ? follow.value : INT64_MIN; // no second move: worse than anything else
        if (value > result.value)
            result = (Evaluation){0, value};
        if (value == result.value)
            result.best |= (uint64_t)1 << placement;
    }
    return result;
}

// The last piece of a recorded sequence has none after it.
static Placement choose(const Player *player, Game *game) {
    Evaluation found = game->next >= 0
                           ? best_pair(player, &game->board, game->piece, game->next)
                           : evaluator_best_move(player->evaluator, &game->board, game->piece, NULL);
    return player_pick(player, found.best, game);
}

const PlayerType player_two_piece = {
    .traits = PLAYER_HIDDEN_UNITS | PLAYER_CLEAR_LATE, .sees = sees, .make = make, .choose = choose};
