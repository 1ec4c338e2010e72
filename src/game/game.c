// SPDX-License-Identifier: GPL-3.0-or-later
#include "game/game.h"

#include <string.h>

#include "game/moves.h"

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

void game_move(Game *game, const Rules *rules, Placement placement, Landing *landing) {
    const Shape *shape = &piece_shape[game->piece][placement_orientation(placement)];
    Board after = game->board;
    Landing result = {.row = moves_row(rules, &game->board, game->piece, placement)};
    if (result.row >= 0)
        result = board_place(&after, rules->width, shape, placement_column(placement), result.row);
    if (landing)
        *landing = result;
    if (result.row < 0 || rules_fatal(rules, shape, &result)) {
        game->state = GAME_OVER;
        return;
    }
    game->board = after;
    game_advance(game, result.lines);
    if (rules->original && game->state == GAME_RUNNING && game_is_lost(game, rules))
        game->state = GAME_OVER; // the piece has no room to appear
}

bool game_can_move(const Game *game, const Rules *rules, Placement placement) {
    return game->piece >= 0 && placement >= 0 && placement < PLACEMENTS &&
           placements_inside(game->piece, rules->width) >> placement & 1 &&
           moves_row(rules, &game->board, game->piece, placement) >= 0;
}

bool game_is_lost(const Game *game, const Rules *rules) {
    return game->piece < 0 || !moves_safe(rules, &game->board, game->piece);
}

int game_coming(const Game *game, int most, int8_t piece[]) {
    PieceStream stream = game->stream;
    for (int i = 0; i < most; i++) {
        int coming = i == 0 ? game->piece : i == 1 ? game->next : piece_stream_next(&stream);
        if (coming < 0)
            return i;
        piece[i] = (int8_t)coming;
    }
    return most;
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
