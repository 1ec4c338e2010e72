// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/batch_arrays.h"

#include <string.h>

#include "base/text.h"
#include "feature/feature_list.h"
#include "game/moves.h"

enum { BOARDS_AT_ONCE = 32 };
enum { NO_PIECE = PIECES }; // in the queue, where the recorded pieces are used up

static const struct {
    const char *name;
    size_t bytes;
} types[] = {
    [ARRAY_UINT8] = {"uint8", 1}, [ARRAY_UINT32] = {"uint32", 4},   [ARRAY_UINT64] = {"uint64", 8},
    [ARRAY_INT64] = {"int64", 8}, [ARRAY_FLOAT32] = {"float32", 4}, [ARRAY_FLOAT64] = {"float64", 8}};

// ---------------------------------------------------------------------------------------------------
// Shapes

static BatchShape scalar(const Batch *batch) {
    (void)batch;
    return (BatchShape){0, {0, 0}};
}

static BatchShape per_column(const Batch *batch) {
    return (BatchShape){1, {batch->rules->width, 0}};
}

static BatchShape per_cell(const Batch *batch) {
    return (BatchShape){2, {batch->rules->height, batch->rules->width}};
}

static BatchShape per_piece(const Batch *batch) {
    return (BatchShape){1, {1 + batch->plan.previews, 0}};
}

static BatchShape per_action(const Batch *batch) {
    return (BatchShape){1, {batch->actions, 0}};
}

static int features_of(const Batch *batch) {
    return batch->list ? feature_list_values(batch->list) : 0;
}

static BatchShape per_feature(const Batch *batch) {
    return (BatchShape){1, {features_of(batch), 0}};
}

static BatchShape per_move_and_feature(const Batch *batch) {
    return (BatchShape){2, {batch->actions, features_of(batch)}};
}

// ---------------------------------------------------------------------------------------------------
// Writers

// A writer of one value for each game.
#define SCALAR(function, type, value)                                                                        \
    static void function(const Batch *batch, size_t from, size_t to, void *array) {                          \
        type *out = array;                                                                                   \
        for (size_t k = from; k < to; k++) {                                                                 \
            const BatchGame *at = &batch->game[k];                                                           \
            out[k] = (type)(value);                                                                          \
        }                                                                                                    \
    }
SCALAR(write_reward, double, at->reward)
SCALAR(write_terminated, uint8_t, at->terminated)
SCALAR(write_truncated, uint8_t, at->truncated)
SCALAR(write_started, uint8_t, at->started)
SCALAR(write_lines, int64_t, at->game.lines)
SCALAR(write_pieces, int64_t, at->game.pieces)
SCALAR(write_seed, uint64_t, at->seed)
SCALAR(write_number, int64_t, at->number)

static void write_columns(const Batch *batch, size_t from, size_t to, void *array) {
    size_t width = (size_t)batch->rules->width;
    uint32_t *out = array;
    for (size_t k = from; k < to; k++)
        memcpy(out + k * width, batch->game[k].game.board.column, width * sizeof *out);
}

// Eight rows at a time as bytes, and of a row all columns that a Board has, which is one vector: what is too
// much is covered by the next row, and the last rows are cut. Above the pile there is nothing to look at.
static void write_board(const Board *board, int width, int height, uint8_t *out) {
    uint32_t occupied = 0;
    for (int x = 0; x < BOARD_COLUMNS; x++)
        occupied |= board->column[x];
    int pile = column_height(occupied);
    memset(out, 0, (size_t)((height - pile) * width));
    out += (height - pile) * width;
    for (int y = pile - 1; y >= 0;) {
        uint8_t bytes[BOARD_COLUMNS], row[BOARD_COLUMNS];
        int low = y & ~7;
        for (int x = 0; x < BOARD_COLUMNS; x++)
            bytes[x] = (uint8_t)(board->column[x] >> low);
        for (; y >= low; y--, out += width) {
            uint8_t bit = (uint8_t)(1 << (y - low));
            for (int x = 0; x < BOARD_COLUMNS; x++)
                row[x] = (bytes[x] & bit) == bit;
            if ((y + 1) * width >= BOARD_COLUMNS)
                memcpy(out, row, BOARD_COLUMNS);
            else
                memcpy(out, row, (size_t)width);
        }
    }
}

static void write_cells(const Batch *batch, size_t from, size_t to, void *array) {
    int width = batch->rules->width, height = batch->rules->height;
    for (size_t k = from; k < to; k++)
        write_board(&batch->game[k].game.board, width, height,
                    (uint8_t *)array + k * (size_t)(width * height));
}

static uint8_t shown(int piece) {
    return (uint8_t)(piece < 0 ? NO_PIECE : piece);
}

// The pieces after the next one are drawn from a copy of the game's stream.
static void write_queue(const Batch *batch, size_t from, size_t to, void *array) {
    int previews = batch->plan.previews;
    uint8_t *out = (uint8_t *)array + from * (size_t)(1 + previews);
    for (size_t k = from; k < to; k++) {
        const Game *game = &batch->game[k].game;
        *out++ = shown(game->piece);
        if (previews)
            *out++ = shown(game->next);
        if (previews < 2)
            continue;
        PieceStream stream = game->stream;
        for (int i = 2; i <= previews; i++)
            *out++ = shown(piece_stream_next(&stream));
    }
}

static void write_set(const Batch *batch, uint64_t set, uint8_t *out) {
    for (int action = 0; action < batch->actions; action++)
        out[action] = set >> batch->placement[action] & 1;
}

static void write_mask(const Batch *batch, size_t from, size_t to, void *array) {
    size_t actions = (size_t)batch->actions;
    for (size_t k = from; k < to; k++) {
        const BatchGame *at = &batch->game[k];
        uint8_t *out = (uint8_t *)array + k * actions;
        if (at->game.piece >= 0 && at->possible == batch->inside[at->game.piece])
            memcpy(out, batch->inside_mask[at->game.piece], actions);
        else
            write_set(batch, at->possible, out);
    }
}

static void write_safe(const Batch *batch, size_t from, size_t to, void *array) {
    for (size_t k = from; k < to; k++) {
        const Game *game = &batch->game[k].game;
        bool running = game->state == GAME_RUNNING;
        write_set(batch, running ? moves_safe(batch->rules, &game->board, game->piece) : 0,
                  (uint8_t *)array + k * (size_t)batch->actions);
    }
}

static void write_features(const Batch *batch, size_t from, size_t to, void *array) {
    size_t values = (size_t)features_of(batch);
    for (size_t k = from; k < to; k += BOARDS_AT_ONCE) {
        const Board *board[BOARDS_AT_ONCE];
        double made[BOARDS_AT_ONCE * FEATURES_ALL_VALUES];
        size_t boards = to - k < BOARDS_AT_ONCE ? to - k : BOARDS_AT_ONCE;
        for (size_t i = 0; i < boards; i++)
            board[i] = &batch->game[k + i].game.board;
        feature_list_of_boards(batch->list, (int)boards, board, made);
        for (size_t i = 0; i < boards * values; i++)
            ((float *)array)[k * values + i] = (float)made[i];
    }
}

static void write_move_features(const Batch *batch, size_t from, size_t to, void *array) {
    size_t numbers = (size_t)(batch->actions * features_of(batch));
    for (size_t k = from; k < to; k++) {
        const Game *game = &batch->game[k].game;
        float *out = (float *)array + k * numbers;
        if (game->state == GAME_RUNNING)
            feature_list_of_moves(batch->list, &game->board, game->piece, out);
        else
            memset(out, 0, numbers * sizeof *out);
    }
}

// ---------------------------------------------------------------------------------------------------
// The table

static const BatchArray arrays[] = {
    {"columns", ARRAY_UINT32, per_column, true, write_columns,
     "the board, one number for each column; bit 0 is the floor row"},
    {"cells", ARRAY_UINT8, per_cell, true, write_cells,
     "the board, one number for each cell, the top row first: 1 filled, 0 empty"},
    {"queue", ARRAY_UINT8, per_piece, true, write_queue,
     "the piece in hand and those after it, as places in \"OISZLJT\"; 7: there is none"},
    {"mask", ARRAY_UINT8, per_action, true, write_mask,
     "1 for the actions that the next step takes: the possible moves, also those that end the game. Of a "
     "game "
     "that is over: 0, but 1 with autoreset next-step, whose next step takes any action"},
    {"safe", ARRAY_UINT8, per_action, true, write_safe, "1 for the possible moves that do not end the game"},
    {"features", ARRAY_FLOAT32, per_feature, true, write_features,
     "the features chosen, of the board; those of the family \"move\" are 0"},
    {"move-features", ARRAY_FLOAT32, per_move_and_feature, true, write_move_features,
     "the features chosen, of every possible move and the board after it; 0 for all others"},
    {"lines", ARRAY_INT64, scalar, true, write_lines, "rows removed in this game so far"},
    {"pieces", ARRAY_INT64, scalar, true, write_pieces, "pieces put down in this game so far"},
    {"seed", ARRAY_UINT64, scalar, true, write_seed, "the seed whose game this is"},
    {"number", ARRAY_INT64, scalar, true, write_number, "the number of this game in its seed"},
    {"reward", ARRAY_FLOAT64, scalar, false, write_reward, "what the last step was worth"},
    {"terminated", ARRAY_UINT8, scalar, false, write_terminated, "1: the last step lost the game"},
    {"truncated", ARRAY_UINT8, scalar, false, write_truncated,
     "1: with the last step the game stopped, at max-pieces or since the pieces were used up"},
    {"started", ARRAY_UINT8, scalar, false, write_started, "1: the last call began this game"},
};
enum { ARRAYS = sizeof arrays / sizeof *arrays };
_Static_assert((int)ARRAYS <= BATCH_MAX_ARRAYS, "a batch has room for all");

const BatchArray *batch_array(int index) {
    return index >= 0 && index < ARRAYS ? &arrays[index] : NULL;
}

const char *array_type_name(ArrayType type) {
    return types[type].name;
}

size_t batch_array_bytes(const Batch *batch, const BatchArray *array) {
    BatchShape shape = array->shape(batch);
    size_t bytes = types[array->type].bytes;
    for (int d = 0; d < shape.dimensions; d++)
        bytes *= (size_t)shape.size[d];
    return bytes;
}

// ---------------------------------------------------------------------------------------------------
// Binding and writing

// <- the place in the table, and whether the name is that of the twin; -1: there is none
static int find(const char *name, bool *final) {
    *final = !strncmp(name, "final-", 6);
    const char *plain = *final ? name + 6 : name;
    for (int i = 0; i < ARRAYS; i++)
        if (!strcmp(plain, arrays[i].name) && (!*final || arrays[i].observed))
            return i;
    return -1;
}

static bool refuse_name(const char *name, Error *error) {
    const char *names[ARRAYS];
    for (int i = 0; i < ARRAYS; i++)
        names[i] = arrays[i].name;
    return error_set(error, "A batch has no array \"%.60s\"%s", name,
                     text_meant((char[TEXT_MEANT]){0}, "\"", "\"", name, names, ARRAYS));
}

bool batch_bind(Batch *batch, const char *name, void *data, size_t bytes, Error *error) {
    bool final;
    int i = find(name, &final);
    if (i < 0)
        return refuse_name(name, error);
    size_t of_one = batch_array_bytes(batch, &arrays[i]);
    if (data && !of_one)
        return error_set(error, "The array %s is empty: choose features first.", name);
    if (data && bytes != batch->games * of_one)
        return error_set(error, "The array %s has %zu bytes (%s, %zu for each of %zu games), not %zu.", name,
                         batch->games * of_one, types[arrays[i].type].name, of_one, batch->games, bytes);
    if ((uintptr_t)data % types[arrays[i].type].bytes)
        return error_set(error, "The array %s is not aligned: numbers of type %s are at multiples of %zu.",
                         name, types[arrays[i].type].name, types[arrays[i].type].bytes);
    (final ? batch->bound_final : batch->bound)[i] = data;
    return true;
}

void batch_write(const Batch *batch, size_t from, size_t to) {
    for (int i = 0; i < ARRAYS; i++)
        if (batch->bound[i])
            arrays[i].write(batch, from, to, batch->bound[i]);
}

void batch_write_final(const Batch *batch, size_t game) {
    for (int i = 0; i < ARRAYS; i++)
        if (batch->bound_final[i])
            arrays[i].write(batch, game, game + 1, batch->bound_final[i]);
}
