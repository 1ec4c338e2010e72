// SPDX-License-Identifier: GPL-3.0-or-later
// Recording a game, writing it, and playing it again to see that it was possible: the pieces come from the
// seed (or are the recorded ones), every placement can be made, the score and the end are those of the
// rules. Whether the named strategy would have chosen these moves is not asked. Reading is in
// replay_parse.c.
#include "game/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "game/record.h"

enum {
    MOVES_PER_LINE = 16,
    MOVE_TEXT = 6,    // "T0:13 "
    HEAD_TEXT = 1024, // room for the fields before and after the moves
};

static const char *const state_names[] = {[GAME_RUNNING] = "stopped",
                                          [GAME_OVER] = "over",
                                          [GAME_NO_PIECES] = "no-pieces",
                                          [GAME_STOPPED] = "stopped"};

void replay_start(Replay *replay, const Rules *rules, const char *strategy, uint64_t seed, uint64_t index) {
    memset(replay, 0, sizeof *replay);
    replay->rules = record_rules(rules);
    record_copy_line(replay->strategy, sizeof replay->strategy, strategy);
    replay->seed = seed;
    replay->index = index;
    replay->state = GAME_STOPPED;
    replay->hand = replay->next = -1;
}

bool replay_add(Replay *replay, int piece, Placement placement, Error *error) {
    if (replay->length / 2 >= REPLAY_MAX_MOVES)
        return error_set(error, "A recorded game cannot have more than %d moves: limit the number of pieces.",
                         REPLAY_MAX_MOVES);
    if (replay->length + 2 > replay->room) {
        size_t room = replay->room ? replay->room * 2 : 1024;
        uint8_t *moves = realloc(replay->moves, room);
        if (!moves)
            return error_set(error, "No memory to record more than %zu moves.", replay->length / 2);
        replay->moves = moves;
        replay->room = room;
    }
    replay->moves[replay->length++] = (uint8_t)piece;
    replay->moves[replay->length++] = (uint8_t)placement;
    return true;
}

void replay_end(Replay *replay, const Game *game) {
    replay->pieces = game->pieces;
    replay->lines = game->lines;
    memcpy(replay->column, game->board.column, sizeof replay->column);
    replay->state = game->state == GAME_OVER || game->state == GAME_NO_PIECES ? game->state : GAME_STOPPED;
    replay->hand = game->piece;
    replay->next = game->next;
}

void replay_free(Replay *replay) {
    free(replay->moves);
    replay->moves = NULL;
    replay->length = replay->room = 0;
    rules_free(&replay->rules);
}

// --- writing

static int write_head(const Replay *replay, char *out, size_t room) {
    int n = snprintf(out, room, "tetralab game 1\n");
    n += record_rules_text(&replay->rules, out + n, room - (size_t)n);
    return n + snprintf(out + n, room - (size_t)n, "\nstrategy %s\nseed %" PRIu64 " game %" PRIu64,
                        replay->strategy, replay->seed, replay->index);
}

static int write_end(const Replay *replay, char *out, size_t room) {
    char columns[RECORD_COLUMNS_TEXT];
    return snprintf(
        out, room, "\nend pieces %" PRIu64 " lines %" PRIu64 " columns %s state %s hand %c next %c\n",
        replay->pieces, replay->lines, record_columns_text(replay->column, replay->rules.width, columns),
        state_names[replay->state], record_piece_letter(replay->hand), record_piece_letter(replay->next));
}

char *replay_to_text(const Replay *replay, size_t *length, Error *error) {
    size_t moves = replay->length / 2;
    size_t room = HEAD_TEXT + moves * MOVE_TEXT + (moves / MOVES_PER_LINE + 1) * strlen("\nmoves");
    char *text = malloc(room);
    if (!text) {
        error_set(error, "No memory for the text of a game of %zu moves.", moves);
        return NULL;
    }
    size_t n = (size_t)write_head(replay, text, room);
    for (size_t i = 0; i < moves; i++) {
        char move[RECORD_MOVE_TEXT];
        int size = record_move_text(replay->moves[2 * i], replay->moves[2 * i + 1], move);
        if (i % MOVES_PER_LINE == 0)
            n += (size_t)sprintf(text + n, "\nmoves");
        text[n++] = ' ';
        memcpy(text + n, move, (size_t)size);
        n += (size_t)size;
    }
    n += (size_t)write_end(replay, text + n, room - n);
    *length = n;
    return text;
}

bool replay_write(const Replay *replay, const char *path, Error *error) {
    size_t length;
    char *text = replay_to_text(replay, &length, error);
    bool done = text && text_write_file(path, text, length, error);
    free(text);
    return done;
}

// --- playing it again

// The sequence of a game with recorded pieces: those that were placed, then those that were not.
static bool recorded_pieces(const Replay *replay, PieceSource *source, Error *error) {
    size_t count = 0;
    uint8_t *pieces = malloc(replay->length / 2 + 2);
    if (!pieces)
        return error_set(error, "No memory for the pieces of a game of %zu moves.", replay->length / 2);
    for (; count < replay->pieces; count++)
        pieces[count] = replay->moves[2 * count];
    if (replay->hand >= 0)
        pieces[count++] = (uint8_t)replay->hand;
    if (replay->next >= 0)
        pieces[count++] = (uint8_t)replay->next;
    bool done = piece_source_recorded(source, "The recorded game", pieces, count, error);
    free(pieces);
    return done;
}

static bool check_moves(const Replay *replay, Game *game, Error *error) {
    size_t moves = replay->length / 2;
    for (size_t i = 0; i < moves; i++) {
        const uint8_t *move = replay->moves + 2 * i;
        char text[RECORD_MOVE_TEXT];
        record_move_text(move[0], move[1], text);
        if (game->state != GAME_RUNNING)
            return error_set(error, "Move %zu (%s) comes after the end of the game.", i + 1, text);
        if (game->piece != move[0])
            return error_set(
                error,
                "Move %zu (%s) places a %c, but the piece in hand is a %c (pieces %.60s, seed %" PRIu64
                ", game %" PRIu64 ").",
                i + 1, text, piece_letter[move[0]], piece_letter[game->piece], replay->rules.pieces.name,
                replay->seed, replay->index);
        if (!game_can_move(game, &replay->rules, move[1]))
            return error_set(error, "Move %zu (%s) is not possible on a board %dx%d with %s.", i + 1, text,
                             replay->rules.width, replay->rules.height,
                             replay->rules.original ? "what lies in its way" : "these walls");
        game_move(game, &replay->rules, move[1], NULL);
    }
    return true;
}

static bool check_end(const Replay *replay, Game *game, Error *error) {
    if (game->pieces != replay->pieces || game->lines != replay->lines)
        return error_set(error,
                         "The moves make %" PRIu64 " pieces and %" PRIu64
                         " lines, but the record says %" PRIu64 " pieces and %" PRIu64 " lines.",
                         game->pieces, game->lines, replay->pieces, replay->lines);
    if (memcmp(game->board.column, replay->column, sizeof replay->column) != 0)
        return error_set(error,
                         "The moves make the recorded score, but another board than the recorded one.");
    if (game->piece != replay->hand || game->next != replay->next)
        return error_set(
            error,
            "After the moves the pieces in hand and next are %c and %c, but the record says %c and %c.",
            record_piece_letter(game->piece), record_piece_letter(game->next),
            record_piece_letter(replay->hand), record_piece_letter(replay->next));
    if (game->state == GAME_RUNNING && replay->state == GAME_OVER && game_is_lost(game, &replay->rules))
        game_end(game);
    else if (game->state == GAME_RUNNING && replay->state == GAME_STOPPED)
        game->state = GAME_STOPPED;
    if (game->state != replay->state)
        return error_set(
            error, "The record says that the game is \"%s\" after %" PRIu64 " pieces, but it is \"%s\".",
            state_names[replay->state], replay->pieces,
            game->state == GAME_RUNNING ? "running" : state_names[game->state]);
    return true;
}

bool replay_check(const Replay *replay, Game *game, Error *error) {
    Rules rules = replay->rules;
    size_t moves = replay->length / 2;
    memset(game, 0, sizeof *game);
    if (!rules_check(&rules, error))
        return false;
    if (moves < replay->pieces || moves > replay->pieces + 1)
        return error_set(error, "The record has %zu moves but says that it has %" PRIu64 " pieces.", moves,
                         replay->pieces);
    if (rules.pieces.law == PIECES_RECORDED && !recorded_pieces(replay, &rules.pieces, error))
        return false;
    game_start(game, &rules, replay->seed, replay->index);
    bool done = check_moves(replay, game, error) && check_end(replay, game, error);
    game->stream.source = &replay->rules.pieces; // the copy ends here; there is nothing more to draw from it
    if (rules.pieces.law == PIECES_RECORDED)
        piece_source_free(&rules.pieces);
    return done;
}
