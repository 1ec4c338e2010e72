// SPDX-License-Identifier: GPL-3.0-or-later
// UCT as one would write it down first: nodes from malloc, each with the boards behind all its placements;
// boards of one byte a cell, pieces that fall cell by cell, holes counted as they are defined. It draws the
// same random numbers in the same order as player/uct_search.c, so that both must choose the same move; and
// it is what the speed of that one is compared with. Simplified rules and independent pieces only.
#ifndef TETRALAB_TESTS_UCT_PLAIN_H
#define TETRALAB_TESTS_UCT_PLAIN_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "game/game.h"
#include "player/strategy.h"

enum { PLAIN_ROWS = BOARD_MAX_HEIGHT + 5 };

typedef struct PlainBoard {
    char cell[PLAIN_ROWS][BOARD_MAX_WIDTH];
} PlainBoard;

typedef struct PlainNode {
    PlainBoard board;
    int piece, visits;
    struct PlainAction {
        bool safe;
        int rows, holes, visits;
        double reward; // the best, or the sum
        struct PlainNode *child[PIECES];
    } action[PLACEMENTS];
    int order[PLACEMENTS], visited; // the placements visited, in order
    int next;                       // the best one that has not been visited, -1: not looked for
} PlainNode;

typedef struct PlainSearch {
    const UctOptions *options;
    const Rules *rules;
    const int *pieces;
    int known;
    Random *random;
} PlainSearch;

static inline bool plain_room(const PlainBoard *board, const Rules *rules, const Shape *shape, int column,
                              int row) {
    for (int i = 0; i < shape->width; i++)
        for (int k = 0; k < shape->cells[i]; k++)
            if (row + shape->bottom[i] + k < 0 || column + i >= rules->width ||
                board->cell[row + shape->bottom[i] + k][column + i])
                return false;
    return true;
}

static inline int plain_clear(PlainBoard *board, const Rules *rules) {
    int removed = 0;
    for (int y = 0; y < PLAIN_ROWS; y++) {
        bool full = true;
        for (int x = 0; x < rules->width; x++)
            full = full && board->cell[y][x];
        if (full)
            removed++;
        else if (removed)
            memcpy(board->cell[y - removed], board->cell[y], sizeof board->cell[y]);
    }
    if (removed)
        memset(board->cell[PLAIN_ROWS - removed], 0, (size_t)removed * sizeof board->cell[0]);
    return removed;
}

static inline int plain_holes(const PlainBoard *board, const Rules *rules) {
    int holes = 0;
    for (int x = 0; x < rules->width; x++) {
        bool covered = false;
        for (int y = PLAIN_ROWS - 1; y >= 0; y--) {
            holes += covered && !board->cell[y][x];
            covered = covered || board->cell[y][x];
        }
    }
    return holes;
}

// <- false: the move ends the game
static inline bool plain_put(PlainBoard *board, const Rules *rules, const Shape *shape, int column,
                             int *removed) {
    int row = PLAIN_ROWS - 4;
    while (plain_room(board, rules, shape, column, row - 1))
        row--;
    for (int i = 0; i < shape->width; i++)
        for (int k = 0; k < shape->cells[i]; k++)
            board->cell[row + shape->bottom[i] + k][column + i] = 1;
    *removed = plain_clear(board, rules);
    if (rules->overflow != OVERFLOW_LENIENT)
        return row + shape->height <= rules_rows(rules);
    for (int x = 0; x < rules->width; x++)
        for (int y = rules->height; y < PLAIN_ROWS; y++)
            if (board->cell[y][x])
                return false;
    return true;
}

static inline PlainNode *plain_node(const PlainSearch *search, const PlainBoard *board, int piece) {
    PlainNode *node = calloc(1, sizeof *node);
    if (!node)
        abort();
    node->board = *board;
    node->piece = piece;
    node->next = -1;
    int before = plain_holes(board, search->rules);
    for (int o = 0; o < piece_orientations[piece]; o++)
        for (int x = 0; x + piece_shape[piece][o].width <= search->rules->width; x++) {
            struct PlainAction *action = &node->action[placement_make(o, x)];
            PlainBoard after = *board;
            action->safe = plain_put(&after, search->rules, &piece_shape[piece][o], x, &action->rows);
            int made = plain_holes(&after, search->rules) - before;
            action->holes = made > 0 ? made : 0;
        }
    return node;
}

static inline void plain_free(PlainNode *node) {
    for (int i = 0; node && i < node->visited; i++)
        for (int piece = 0; piece < PIECES; piece++)
            plain_free(node->action[node->order[i]].child[piece]);
    free(node);
}

// Millionths, so that ties are ties here too.
static inline double plain_penalty(const PlainSearch *search, const struct PlainAction *action) {
    return round(search->options->gamma[action->rows] * 1e6) * action->holes;
}

static inline double plain_reward(int rows) {
    static const double reward[] = {0, 1e5, 3e5, 6e5, 1e6};
    return reward[rows];
}

static inline int plain_pick(const int *list, int count, Random *random) {
    return list[count > 1 ? random_below(random, (uint32_t)count) : 0];
}

// <- the placement, or -1: there is none
static inline int plain_choose(const PlainSearch *search, PlainNode *node) {
    int open[PLACEMENTS], opens = 0, rest[PLACEMENTS], rests = 0;
    double best = -INFINITY;
    for (int p = 0; p < PLACEMENTS; p++) {
        struct PlainAction *action = &node->action[p];
        if (!action->safe || action->visits)
            continue;
        double penalty = plain_penalty(search, action), own = plain_reward(action->rows) + penalty;
        if (penalty == 0)
            open[opens++] = p;
        else if (own >= best) {
            rests = own > best ? 0 : rests;
            best = own;
            rest[rests++] = p;
        }
    }
    if (opens)
        return plain_pick(open, opens, search->random);
    if (rests && node->next < 0)
        node->next = plain_pick(rest, rests, search->random);
    double width = search->options->lambda * sqrt(log(node->visits > 1 ? node->visits : 1)), most = -INFINITY;
    int found = node->next;
    uint32_t equal = 1;
    if (found >= 0)
        most = best / 1e6 + width;
    for (int i = node->visited - 1; i >= 0; i--) {
        const struct PlainAction *action = &node->action[node->order[i]];
        double reward =
            search->options->backup == UCT_MEAN ? action->reward / action->visits : action->reward;
        double own = reward / 1e6 + width * (1 / sqrt(action->visits));
        if (own < most)
            continue;
        equal = own > most ? 1 : equal + 1;
        most = own;
        if (equal == 1 || random_below(search->random, equal) == 0)
            found = node->order[i];
    }
    return found;
}

// <- the reward from this node on
static inline double plain_phase(const PlainSearch *search, PlainNode *node, int depth) {
    int chosen = plain_choose(search, node);
    if (chosen < 0)
        return -1e6;
    struct PlainAction *action = &node->action[chosen];
    double reward = plain_reward(action->rows) + plain_penalty(search, action);
    if (depth + 1 < search->options->pieces) {
        int piece = 0;
        if (depth + 1 < search->known)
            piece = search->pieces[depth + 1];
        else
            for (uint64_t draw = random_next(search->random) >> 32;
                 draw >= search->rules->pieces.below[piece];)
                piece++;
        if (!action->child[piece]) {
            PlainBoard after = node->board;
            int rows;
            plain_put(&after, search->rules, &piece_shape[node->piece][placement_orientation(chosen)],
                      placement_column(chosen), &rows);
            action->child[piece] = plain_node(search, &after, piece);
        }
        if (!action->visits) { // so that it is found when the tree is freed
            node->order[node->visited++] = chosen;
            node->next = chosen == node->next ? -1 : node->next;
        }
        reward += plain_phase(search, action->child[piece], depth + 1);
    } else if (!action->visits) {
        node->order[node->visited++] = chosen;
        node->next = chosen == node->next ? -1 : node->next;
    }
    node->visits++;
    bool first = !action->visits++;
    if (search->options->backup == UCT_MEAN)
        action->reward += reward;
    else if (first || reward > action->reward)
        action->reward = reward;
    return reward;
}

// <- the placement by the best reward, with means by the most visits and then the best mean, or -1. Plans
// from the game as it is, with a tree of its own.
static inline int plain_uct(const UctOptions *options, const Rules *rules, Game *game) {
    PieceStream stream = game->stream;
    int pieces[64] = {game->piece, game->next}, best[PLACEMENTS], bests = 0;
    for (int i = 2; i < options->preview; i++)
        pieces[i] = piece_stream_next(&stream);
    PlainSearch search = {options, rules, pieces, options->preview, &game->ties};
    PlainBoard board = {0};
    for (int x = 0; x < rules->width; x++)
        for (int y = 0; y < PLAIN_ROWS; y++)
            board.cell[y][x] = y < 32 && (game->board.column[x] >> y & 1);
    PlainNode *root = plain_node(&search, &board, game->piece);
    for (uint64_t i = 0; i < options->phases; i++)
        plain_phase(&search, root, 0);
    double most = -INFINITY;
    int visits = 0; // of the most visited one, where that counts
    for (int p = 0; p < PLACEMENTS; p++) {
        const struct PlainAction *action = &root->action[p];
        bool mean = options->backup == UCT_MEAN;
        double own = mean ? action->reward / action->visits : action->reward;
        if (!action->visits || (mean && (int)action->visits < visits) ||
            (own < most && !(mean && (int)action->visits > visits)))
            continue;
        bests = own != most || (mean && (int)action->visits > visits) ? 0 : bests;
        visits = mean ? (int)action->visits : 0;
        most = own;
        best[bests++] = p;
    }
    int placement = bests ? plain_pick(best, bests, &game->ties) : -1;
    plain_free(root);
    return placement;
}

#endif
