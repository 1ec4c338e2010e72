// SPDX-License-Identifier: GPL-3.0-or-later
#include "patterns/patterns_search.h"

#include <stdlib.h>

typedef struct Step {
    Move move;
    int64_t value; // lines + value of the board after it
} Step;

bool patterns_check_pieces(const PieceSource *pieces, const char *who, Error *error) {
    const double *weight = pieces->weight;
    if (pieces->law != PIECES_INDEPENDENT)
        return error_set(error, "%.80s: patterns need independent pieces: uniform, hard, sz or weights.",
                         who);
    return (weight[PIECE_S] == weight[PIECE_Z] && weight[PIECE_L] == weight[PIECE_J]) ||
           error_set(error,
                     "%.80s: patterns take a board and its mirror image for the same; so S must be as likely "
                     "as Z, and L as J.",
                     who);
}

// <- lines + value of the board after a move
static int64_t step_value(const PatternsSearch *search, const Board *board, int piece, const Move *move) {
    Board after = *board;
    move_play(&after, search->rules->width, piece, move);
    return (int64_t)move->lines * PATTERNS_LINE + patterns_value(search->patterns, &after);
}

int64_t patterns_greedy(const PatternsSearch *search, const Board *board, int piece, Move *best, bool *any) {
    Moves moves;
    int64_t highest = 0;
    moves_list(&moves, search->rules, board, piece);
    *any = moves.safe != 0;
    for (uint64_t left = moves.safe; left; left &= left - 1) {
        const Move *move = &moves.move[__builtin_ctzll(left)];
        int64_t value = step_value(search, board, piece, move);
        if (left == moves.safe || value > highest) {
            highest = value;
            *best = *move;
        }
    }
    return highest;
}

static int by_value(const void *a, const void *b) {
    const Step *one = a, *two = b;
    if (one->value != two->value)
        return one->value < two->value ? 1 : -1;
    return (int)one->move.placement - (int)two->move.placement;
}

// The moves that are followed, or all of the last piece. <- how many
static int steps_of(const PatternsSearch *search, const Board *board, int piece, bool last,
                    Step step[PLACEMENTS]) {
    Moves moves;
    int count = 0;
    bool valued = last || search->candidates; // else nobody asks for the values
    moves_list(&moves, search->rules, board, piece);
    for (uint64_t left = moves.safe; left; left &= left - 1) {
        const Move *move = &moves.move[__builtin_ctzll(left)];
        step[count++] = (Step){*move, valued ? step_value(search, board, piece, move) : 0};
    }
    if (last || !search->candidates || count <= search->candidates)
        return count;
    qsort(step, (size_t)count, sizeof *step, by_value);
    return search->candidates;
}

// <- the mean over pieces of Q(b, p, depth)
static int64_t mean_of(const PatternsSearch *search, const Board *board, int depth);

// <- lines + what can follow a move, when so many pieces more are looked at
static int64_t follow(const PatternsSearch *search, const Board *board, int piece, const Move *move,
                      int depth) {
    Board after = *board;
    move_play(&after, search->rules->width, piece, move);
    return (int64_t)move->lines * PATTERNS_LINE + mean_of(search, &after, depth);
}

static int64_t best_of(const PatternsSearch *search, const Board *board, int piece, int depth) {
    Step step[PLACEMENTS];
    Move move;
    bool any;
    if (depth == 1)
        return patterns_greedy(search, board, piece, &move, &any);
    int64_t highest = 0;
    int count = steps_of(search, board, piece, false, step);
    for (int i = 0; i < count; i++) {
        int64_t value = follow(search, board, piece, &step[i].move, depth - 1);
        highest = i == 0 || value > highest ? value : highest;
    }
    return highest;
}

static int64_t mean_of(const PatternsSearch *search, const Board *board, int depth) {
    int64_t value[PIECES] = {0};
    for (uint32_t left = search->chances.possible; left; left &= left - 1)
        value[__builtin_ctz(left)] = best_of(search, board, __builtin_ctz(left), depth);
    return chances_mean(&search->chances, search->chances.possible, value);
}

uint64_t patterns_best(const PatternsSearch *search, const Board *board, int piece, MoveValues *values) {
    Step step[PLACEMENTS];
    bool last = search->depth == 1;
    int count = steps_of(search, board, piece, last, step);
    uint64_t set = 0;
    int64_t highest = 0;
    for (int i = 0; i < count; i++) {
        Placement placement = step[i].move.placement;
        int64_t value = last ? step[i].value : follow(search, board, piece, &step[i].move, search->depth - 1);
        if (values)
            move_values_set(values, placement, (double)value / PATTERNS_LINE);
        if (i == 0 || value > highest) {
            highest = value;
            set = 0;
        }
        if (value == highest)
            set |= (uint64_t)1 << placement;
    }
    return set;
}
