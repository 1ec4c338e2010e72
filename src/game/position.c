// SPDX-License-Identifier: GPL-3.0-or-later
#include "game/position.h"

#include <string.h>

#include "base/hash.h"

bool position_check(const Rules *rules, const Board *board, Error *error) {
    int rows = rules_rows(rules);
    for (int x = 0; x < rules->width; x++) {
        int height = column_height(board->column[x]);
        if (height > rows)
            return error_set(
                error, "Column %d of the board has a cell in row %d: a %dx%d board%s has the rows 0 to %d.",
                x, height - 1, rules->width, rules->height,
                rows < rules->height ? " with the overflow rule touch" : "", rows - 1);
    }
    uint32_t full = board_full_rows(board, rules->width);
    if (full)
        return error_set(error,
                         "Row %d of the board is full: a board is given after clearing, so take the row out.",
                         __builtin_ctz(full));
    return true;
}

void position_start(Position *position, const Rules *rules, const Board *board) {
    position->source = rules->pieces;
    position->source.law = PIECES_KNOWN;
    position->source.recorded = position->known;
    position->source.recorded_length = 0;
    position->source.bag = false;
    position->game = (Game){.board = *board,
                            .state = GAME_NO_PIECES,
                            .piece = -1,
                            .next = -1,
                            .stream = piece_stream(&position->source, 0, 0),
                            .ties = random_stream(0, 0, RANDOM_TIES)};
}

void position_bag(Position *position, uint32_t set) {
    PieceStream *stream = &position->game.stream;
    position->source.bag = true;
    stream->bag_left = 0;
    for (int piece = 0; piece < PIECES; piece++)
        if (set >> piece & 1)
            stream->bag[stream->bag_left++] = (uint8_t)piece;
    if (stream->bag_left == PIECES)
        stream->bag_left = 0;
}

// Whoever takes a piece that the bag does not hold has another bag: all may come then.
static void take_from_bag(PieceStream *stream, int piece) {
    if (!stream->bag_left)
        for (int p = 0; p < PIECES; p++)
            stream->bag[stream->bag_left++] = (uint8_t)p;
    for (int i = 0; i < stream->bag_left; i++)
        if (stream->bag[i] == piece) {
            stream->bag[i] = stream->bag[--stream->bag_left];
            return;
        }
    stream->bag_left = 0;
}

// Forgets the pieces that were played.
static void make_room(Position *position) {
    PieceStream *stream = &position->game.stream;
    position->source.recorded_length -= stream->drawn;
    memmove(position->known, position->known + stream->drawn, position->source.recorded_length);
    stream->drawn = 0;
}

static void take_pieces(Game *game) {
    if (game->piece < 0) {
        game->piece = game->next >= 0 ? game->next : piece_stream_next(&game->stream);
        game->next = -1;
    }
    if (game->next < 0)
        game->next = piece_stream_next(&game->stream);
    if (game->piece >= 0 && game->state == GAME_NO_PIECES)
        game->state = GAME_RUNNING;
}

bool position_add(Position *position, int piece) {
    if (position->source.recorded_length == POSITION_KNOWN)
        make_room(position);
    if (position->source.recorded_length == POSITION_KNOWN)
        return false;
    position->known[position->source.recorded_length++] = (uint8_t)piece;
    if (position->source.bag)
        take_from_bag(&position->game.stream, piece);
    take_pieces(&position->game);
    return true;
}

void position_skip(Position *position) {
    Game *game = &position->game;
    game->piece = game->next;
    game->next = piece_stream_next(&game->stream);
    if (game->piece < 0 && game->state == GAME_RUNNING)
        game->state = GAME_NO_PIECES;
}

// Only what is in hand and after it counts.
void position_seed(Position *position) {
    Game *game = &position->game;
    uint64_t hash = HASH_EMPTY;
    for (int x = 0; x < BOARD_COLUMNS; x++)
        hash = hash_one(hash, game->board.column[x]);
    game->ties = random_stream(hash, (uint64_t)(game->piece * (PIECES + 1) + game->next + 1), RANDOM_TIES);
}
