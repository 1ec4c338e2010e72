// SPDX-License-Identifier: GPL-3.0-or-later
#include "exact/value_table.h"

#include <stdlib.h>

#include "exact/board_set.h"
#include "exact/value_file.h"
#include "game/packed.h"
#include "player/player_type.h"

struct ValueTable {
    ValueFile file;
    BoardSet set;
    Packing packing;
};

ValueTable *value_table_new(const char *path, const Rules *rules, Error *error) {
    ValueTable *table = calloc(1, sizeof *table);
    if (!table)
        return error_null(error, "Out of memory for the table %.300s.", path);
    if (value_file_open(&table->file, path, VALUES_FINAL, error) &&
        value_file_fits(&table->file, path, rules, error)) {
        packing_make(&table->packing, rules);
        if (board_set_make(&table->set, table->file.bits, table->packing.width * table->packing.rows))
            return table;
        error_set(error, "Out of memory for the table %.300s.", path);
    }
    value_table_free(table);
    return NULL;
}

void value_table_free(void *state) {
    ValueTable *table = state;
    if (!table)
        return;
    board_set_free(&table->set);
    value_file_close(&table->file);
    free(table);
}

static double board_value(const ValueTable *table, uint64_t board) {
    if (table->file.header->mirrored)
        board = packed_canonical(&table->packing, board);
    return board_set_has(&table->set, board)
               ? (double)table->file.values[board_set_number(&table->set, board)]
               : 0;
}

uint64_t value_table_best(const ValueTable *table, const Board *board, int piece, MoveValues *values) {
    const Packing *packing = &table->packing;
    uint64_t packed = packed_from_board(packing, board), set = 0;
    if (packed == PACKED_LOST)
        return 0;
    PackedHeights heights = packed_heights(packing, packed);
    double best = -1;
    for (int k = 0; k < packing->moves[piece]; k++) {
        const PackedMove *move = &packing->move[piece][k];
        int lines;
        uint64_t after = packed_play(packing, &heights, packed, move, &lines);
        if (after == PACKED_LOST)
            continue;
        double value = lines + board_value(table, after);
        if (values)
            move_values_set(values, move->placement, value);
        if (value > best) {
            best = value;
            set = 0;
        }
        if (value == best)
            set |= (uint64_t)1 << move->placement;
    }
    return set;
}

// ---------------------------------------------------------------------------------------------------
// The player

static const Field option[] = {
    {"table", FIELD_TEXT, FIELD_TEXT_AT(Strategy, table), .file = FIELD_READS,
     .help = "The file of values that `tetralab solve` has made, as seen from the strategy's folder."},
};

static bool make(Player *player, Error *error) {
    return (player->state = value_table_new(player->strategy.table, player->rules, error)) != NULL;
}

static Placement choose(const Player *player, Game *game, MoveValues *values) {
    return player_pick(player, value_table_best(player->state, &game->board, game->piece, values), game);
}

const PlayerType player_table = {
    .unrated = "is not for \"player\": \"table\", whose values are in its file.",
    .options = FIELDS(option),
    .holds = "values that 'tetralab solve' has made",
    .limits = "The player has no features: it looks up how many lines are still to come.",
    .make = make,
    .free = value_table_free,
    .choose = choose,
};
