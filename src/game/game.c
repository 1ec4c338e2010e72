// SPDX-License-Identifier: GPL-3.0-or-later
#include "game/game.h"

#include <string.h>

#include "game/original.h"

_Static_assert(sizeof(Game) < 1024, "many games at once must stay in the cache");

static void take_next_piece(Game *game) {
    game->piece = game->next;
    game->next = piece_stream_next(&game->stream);
    if (game->piece < 0)
        game->state = GAME_NO_PIECES;
}

void game_start(Game *game, const Rules *rules, uint64_t seed, uint64_t index) {
    *game = (Game){.state = GAME_RUNNING,
                   .stream = piece_stream(&rules->pieces, seed, index),
                   .ties = random_stream(seed, index, RANDOM_TIES)};
    game->next = piece_stream_next(&game->stream);
    take_next_piece(game);
}

// <- the row where the placement comes to rest under the original rules, or -1: it cannot be reached.
static int original_row(const Game *game, const Rules *rules, Placement placement) {
    OriginalPlacement list[PLACEMENTS];
    int count = original_placements(&game->board, rules, game->piece, list);
    for (int i = 0; i < count; i++)
        if (list[i].placement == placement)
            return list[i].row;
    return -1;
}

static bool can_appear(const Game *game, const Rules *rules) {
    OriginalPlacement list[PLACEMENTS];
    return original_is_open(&game->board, rules) ||
           original_placements(&game->board, rules, game->piece, list) > 0;
}

void game_move(Game *game, const Rules *rules, Placement placement, Landing *landing) {
    const Shape *shape = &piece_shape[game->piece][placement_orientation(placement)];
    int column = placement_column(placement);
    bool open = !rules->original || original_is_open(&game->board, rules);
    int row = open ? board_drop_row(&game->board, shape, column) : original_row(game, rules, placement);
    Board after = game->board;
    Landing result = {.row = row};
    if (row >= 0)
        result = board_place(&after, rules->width, shape, column, row);
    if (landing)
        *landing = result;
    if (row < 0 || rules_fatal(rules, shape, &result)) {
        game->state = GAME_OVER;
        return;
    }
    game->board = after;
    game_advance(game, result.lines);
    if (rules->original && game->state == GAME_RUNNING && !can_appear(game, rules))
        game->state = GAME_OVER;
}

bool game_can_move(const Game *game, const Rules *rules, Placement placement) {
    if (game->piece < 0 || placement < 0 || placement >= PLACEMENTS)
        return false;
    int orientation = placement_orientation(placement);
    if (orientation >= piece_orientations[game->piece] ||
        placement_column(placement) + piece_shape[game->piece][orientation].width > rules->width)
        return false;
    return !rules->original || original_is_open(&game->board, rules) ||
           original_row(game, rules, placement) >= 0;
}

bool game_is_lost(const Game *game, const Rules *rules) {
    for (Placement placement = 0; placement < PLACEMENTS; placement++)
        if (game_can_move(game, rules, placement)) {
            Game trial = *game;
            game_move(&trial, rules, placement, NULL);
            if (trial.pieces > game->pieces)
                return false;
        }
    return true;
}

void game_restart(Game *game) {
    memset(&game->board, 0, sizeof game->board);
    game->stream.bag_left = 0;
    game->piece = piece_stream_next(&game->stream);
    game->next = piece_stream_next(&game->stream);
    game->state = game->piece < 0 ? GAME_NO_PIECES : GAME_RUNNING;
}

void game_end(Game *game) {
    game->state = GAME_OVER;
}
