// SPDX-License-Identifier: GPL-3.0-or-later
// The optimum of a tiny board as its definition reads: all boards that play reaches, by the engine that plays
// games, and Jacobi's value iteration over a list of all moves. No symmetry, no layers, no bits.
#ifndef TETRALAB_TESTS_SOLVE_PLAIN_H
#define TETRALAB_TESTS_SOLVE_PLAIN_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "game/rules.h"

enum { PLAIN_CELLS = 16 };

typedef struct PlainMove {
    int from, to; // boards by number in order of discovery; to = -1: the game ends
    int piece, lines;
    Placement placement;
} PlainMove;

typedef struct Plain {
    const Rules *rules;
    Board *board;
    int boards, number[1 << PLAIN_CELLS]; // by cells, row after row; -1: not reached
    PlainMove *move;
    int moves;
    double *value;
} Plain;

static uint32_t plain_word(const Board *board, const Rules *rules) {
    uint32_t word = 0;
    for (int y = 0; y < rules->height; y++)
        for (int x = 0; x < rules->width; x++)
            word |= (board->column[x] >> y & 1) << (y * rules->width + x);
    return word;
}

static int plain_add(Plain *plain, const Board *board) {
    uint32_t word = plain_word(board, plain->rules);
    if (plain->number[word] < 0) {
        plain->board[plain->boards] = *board;
        plain->number[word] = plain->boards++;
    }
    return plain->number[word];
}

static void plain_follow(Plain *plain, int from) {
    const Rules *rules = plain->rules;
    for (int piece = 0; piece < PIECES; piece++)
        for (int o = 0; o < piece_orientations[piece] && rules->pieces.weight[piece] > 0; o++)
            for (int x = 0; x + piece_shape[piece][o].width <= rules->width; x++) {
                const Shape *shape = &piece_shape[piece][o];
                Board after = plain->board[from];
                Landing landing =
                    board_place(&after, rules->width, shape, x, board_drop_row(&after, shape, x));
                bool fatal = rules_fatal(rules, shape, &landing);
                plain->move[plain->moves++] = (PlainMove){from, fatal ? -1 : plain_add(plain, &after), piece,
                                                          landing.lines, placement_make(o, x)};
            }
}

static double plain_move_value(const Plain *plain, const PlainMove *move) {
    return move->to < 0 ? 0 : move->lines + plain->value[move->to];
}

// One sweep; <- the largest change
static double plain_sweep(Plain *plain, double *fresh) {
    double change = 0;
    memset(fresh, 0, (size_t)plain->boards * sizeof *fresh);
    for (int i = 0; i < plain->moves;) {
        const PlainMove *first = &plain->move[i];
        double best = 0;
        for (; i < plain->moves && plain->move[i].from == first->from && plain->move[i].piece == first->piece;
             i++)
            best = fmax(best, plain_move_value(plain, &plain->move[i]));
        fresh[first->from] += plain->rules->pieces.weight[first->piece] * best;
    }
    for (int b = 0; b < plain->boards; b++)
        change = fmax(change, fabs(fresh[b] - plain->value[b]));
    memcpy(plain->value, fresh, (size_t)plain->boards * sizeof *fresh);
    return change;
}

static Plain *plain_solve(const Rules *rules) {
    Plain *plain = calloc(1, sizeof *plain);
    size_t room = (size_t)1 << (rules->width * rules->height);
    plain->rules = rules;
    plain->board = aligned_alloc(_Alignof(Board), room * sizeof *plain->board);
    plain->move = malloc(room * 64 * sizeof *plain->move);
    memset(plain->number, -1, sizeof plain->number);
    Board empty = {{0}};
    plain_add(plain, &empty);
    for (int from = 0; from < plain->boards; from++)
        plain_follow(plain, from);
    plain->value = calloc((size_t)plain->boards, sizeof *plain->value);
    double *fresh = malloc((size_t)plain->boards * sizeof *fresh);
    while (plain_sweep(plain, fresh) > 1e-13)
        ;
    free(fresh);
    return plain;
}

static void plain_free(Plain *plain) {
    free(plain->board);
    free(plain->move);
    free(plain->value);
    free(plain);
}

#endif
