// SPDX-License-Identifier: GPL-3.0-or-later
// The two-piece player, which knows the next piece (Fahey, Böhm). It values a pair of placements by the
// rating of the second move plus what the move features (landing height, rows removed, changes ...) give for
// the first; in a network these are added up before the hidden units, so that an input is what the feature is
// over both moves. A first move that ends the game is never preferred to one that does not, whatever the rule
// for game-ending moves, since nothing can follow it.
#include <math.h>

#include "game/moves.h"
#include "player/player_type.h"
#include "player/rooms.h"

// Two pieces on top of each other must fit into a word. The first one does not end the game, so that at most
// two of its rows are above the board (what is above has to come down by rows completed below); the second
// adds four.
enum { LATE_CLEARING_MAX_HEIGHT = BOARD_MAX_HEIGHT - 2 };

// First moves of some games that do not end them.
enum { FIRST_MOVES = PLAYER_TOGETHER * MOST_PLACEMENTS };
typedef struct PairRoom {
    Outcome outcome[FIRST_MOVES];
    const Board *after[FIRST_MOVES]; // from here on sorted by the next piece
    int64_t own[FIRST_MOVES], move_value[FIRST_MOVES];
    uint8_t game[FIRST_MOVES], placement[FIRST_MOVES];
} PairRoom;

static bool make(Player *player, Error *error) {
    if (player->strategy.clear_late && player->rules->height > LATE_CLEARING_MAX_HEIGHT)
        return error_set(error, "it clears rows late, which needs a board at most %d rows high, not %d.",
                         LATE_CLEARING_MAX_HEIGHT, player->rules->height);
    player->state = rooms_new(sizeof(PairRoom), NULL);
    return player->state || error_set(error, "Out of memory for a two-piece player.");
}

static void free_state(void *state) {
    rooms_free(state);
}

static void describe(const Strategy *strategy, StrategyNature *nature) {
    (void)strategy;
    nature->sees = 2;
}

// No second move is worse than anything else: INT64_MIN.
static void add_pair(const Player *player, Evaluation *result, MoveValues *values, Placement first,
                     int64_t value) {
    evaluation_add(result, first, value);
    if (values)
        move_values_set(values, first, value == INT64_MIN ? -INFINITY : (double)value / player->rating.scale);
}

// Networks, and without memory: move by move.
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

static int first_moves(PairRoom *room, int boards, int game, const Outcome *outcome, int found) {
    for (const Outcome *out = outcome; out < outcome + found; out++) {
        room->after[boards] = &out->after;
        room->own[boards] = out->value - out->move_value;
        room->move_value[boards] = out->move_value;
        room->game[boards] = (uint8_t)game;
        room->placement[boards] = (uint8_t)out->placement;
        boards += !out->fatal;
    }
    return boards;
}

static void second_moves(const Player *player, const PairRoom *room, int first, int boards, int piece,
                         MoveValues *values, Evaluation *result) {
    enum { PART = 256 };
    int64_t best[PART][PIECES];
    for (int last = first + boards; first < last; first += PART) {
        int count = last - first < PART ? last - first : PART;
        evaluator_best_values(player->evaluator, count, room->after + first, room->own + first, 1u << piece,
                              best);
        for (int k = 0; k < count; k++) {
            int64_t value = best[k][piece];
            value += value == INT64_MIN ? 0 : room->move_value[first + k];
            add_pair(player, &result[room->game[first + k]], values, room->placement[first + k], value);
        }
    }
}

// -> values  of one game; NULL: not wanted
static void best_pairs(const Player *player, PairRoom *room, int count, Game *const *game, MoveValues *values,
                       Evaluation *result) {
    BoardPiece question[PLAYER_TOGETHER];
    Outcome *outcome[PLAYER_TOGETHER];
    int found[PLAYER_TOGETHER];
    for (int g = 0; g < count; g++) {
        question[g] = (BoardPiece){&game[g]->board, game[g]->piece};
        result[g] = (Evaluation){0, INT64_MIN};
    }
    evaluator_outcomes(player->evaluator, count, question, room->outcome, outcome, found);
    for (int piece = 0, boards = 0, first = 0; piece < PIECES; piece++, first = boards) {
        for (int g = 0; g < count; g++)
            if (game[g]->next == piece)
                boards = first_moves(room, boards, g, outcome[g], found[g]);
        second_moves(player, room, first, boards - first, piece, values, result);
    }
}

static void choose_some(const Player *player, int count, Game *const *game, MoveValues *values,
                        Placement *placement) {
    Evaluation result[PLAYER_TOGETHER];
    PairRoom *room = player->rating.network ? NULL : rooms_take(player->state);
    if (room)
        best_pairs(player, room, count, game, values, result);
    for (int g = 0; g < count; g++)
        if (game[g]->next < 0) // the last piece of a recorded sequence: as by a player of one piece
            placement[g] = player_type(PLAYER_GREEDY)->choose(player, game[g], values);
        else
            placement[g] = player_pick(
                player,
                room
                    ? result[g].best
                    : best_pair_by_moves(player, &game[g]->board, game[g]->piece, game[g]->next, values).best,
                game[g]);
    if (room)
        rooms_give(player->state, room);
}

static Placement choose(const Player *player, Game *game, MoveValues *values) {
    Placement placement;
    choose_some(player, 1, &game, values, &placement);
    return placement;
}

static void choose_all(const Player *player, int count, Game *const *game, Placement *placement) {
    choose_some(player, count, game, NULL, placement);
}

const PlayerType player_two_piece = {
    .traits = PLAYER_HIDDEN_UNITS | PLAYER_CLEAR_LATE,
    .describe = describe,
    .limits =
        "Values are those of the best pairs of this move and one of the next piece. The features are of "
        "this move alone: they do not add up to its value, and no change of a weight is given.",
    .make = make,
    .free = free_state,
    .choose = choose,
    .choose_all = choose_all};
