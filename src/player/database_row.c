// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/database_row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int rules_number(const Rules *rules) {
    // The original game ends in its own way: the overflow rule means nothing there.
    int overflow = rules->original ? OVERFLOW_LENIENT : (int)rules->overflow;
    return rules->width * 100000 + rules->height * 1000 + overflow * 100 + (int)rules->gameover * 10 +
           (int)rules->original;
}

bool entry_set_key(Entry *entry, const Rules *rules, const Board *board, int piece, Error *error) {
    if (!rules_check(rules, error))
        return false;
    for (int x = 0; x < BOARD_COLUMNS; x++)
        if (board->column[x] >> (x < rules->width ? rules->height : 0))
            return error_set(
                error, "A board with cells outside of %dx%d cannot be stored: column %d is hexadecimal %x.",
                rules->width, rules->height, x, board->column[x]);
    if (piece < 0 || piece >= PIECES)
        return error_set(error, "A state needs a piece from 0 to %d, not %d.", PIECES - 1, piece);
    *entry = (Entry){.rules = rules_number(rules), .piece = piece};
    int last = -1;
    for (int x = 0; x < rules->width; x++)
        for (uint32_t column = board->column[x]; column; column &= column - 1) {
            int cell = __builtin_ctz(column) * rules->width + x;
            entry->cells[cell / 8] |= (uint8_t)(0x80 >> cell % 8);
            last = cell > last ? cell : last;
        }
    entry->length = (last + 8) / 8;
    return true;
}

static bool check_visit(const Visit *visit, int piece, int width, Error *error) {
    if (!isfinite(visit->reward))
        return error_set(error, "the reward of a state is no finite number.");
    if (!visit->placements)
        return error_set(error, "a state has no placement.");
    if (visit->placements & ~placements_inside(piece, width))
        return error_set(error, "a state has placements that piece %c cannot have on a board %d wide.",
                         piece_letter[piece], width);
    return visit->phases <= INT64_MAX || error_set(error, "a state has more phases than can be counted.");
}

bool entry_set_visit(Entry *entry, const Visit *visit, Error *error) {
    entry->visit = *visit;
    entry->puts = 1;
    return check_visit(visit, entry->piece, entry->rules / 100000, error);
}

int entry_compare(const void *one, const void *other) {
    const Entry *a = one, *b = other;
    if (a->rules != b->rules)
        return a->rules < b->rules ? -1 : 1;
    int order = memcmp(a->cells, b->cells, sizeof a->cells); // shorter ones end in zeros
    return order ? order : a->piece - b->piece;
}

void row_write(sqlite3_stmt *query, const Entry *entry) {
    sqlite3_bind_int(query, 1, entry->rules);
    sqlite3_bind_blob(query, 2, entry->cells, entry->length, SQLITE_STATIC);
    sqlite3_bind_int(query, 3, entry->piece);
    if (sqlite3_bind_parameter_count(query) < 7)
        return;
    sqlite3_bind_double(query, 4, entry->visit.reward);
    sqlite3_bind_int64(query, 5, (sqlite3_int64)entry->visit.placements);
    sqlite3_bind_int64(query, 6, (sqlite3_int64)entry->visit.phases);
    sqlite3_bind_int64(query, 7, (sqlite3_int64)entry->puts);
}

static bool read_rules(int number, VisitedState *state, Error *error) {
    Rules rules = {.width = number / 100000,
                   .height = number / 1000 % 100,
                   .overflow = (Overflow)(number / 100 % 10),
                   .gameover = (GameOver)(number / 10 % 10),
                   .original = number % 10 == 1};
    if (number < 0 || rules.overflow > OVERFLOW_TOUCH || rules.gameover > GAMEOVER_EVALUATE ||
        !rules_check(&rules, NULL) || rules_number(&rules) != number)
        return error_set(error, "a state has the rules %d, which do not exist.", number);
    state->width = rules.width;
    state->height = rules.height;
    snprintf(state->rules, sizeof state->rules, "%dx%d %s %s %s", rules.width, rules.height,
             rules_overflow_name(rules.overflow), rules_gameover_name(rules.gameover),
             rules.original ? "original" : "simplified");
    return true;
}

static bool read_board(const uint8_t *bytes, int length, VisitedState *state, Error *error) {
    for (int cell = 0; cell < length * 8; cell++) {
        if (!(bytes[cell / 8] << cell % 8 & 0x80))
            continue;
        if (cell >= state->width * state->height)
            return error_set(error, "a board has cells outside of its size.");
        state->board.column[cell % state->width] |= 1u << cell / state->width;
    }
    return true;
}

bool row_read(sqlite3_stmt *query, VisitedState *state, Error *error) {
    const uint8_t *bytes = sqlite3_column_blob(query, 1);
    int length = sqlite3_column_bytes(query, 1);
    *state =
        (VisitedState){.piece = sqlite3_column_int(query, 2),
                       .visit = {sqlite3_column_double(query, 3), (uint64_t)sqlite3_column_int64(query, 4),
                                 (uint64_t)sqlite3_column_int64(query, 5)},
                       .puts = (uint64_t)sqlite3_column_int64(query, 6)};
    if (!read_rules(sqlite3_column_int(query, 0), state, error))
        return false;
    if (length > (int)sizeof((Entry *)0)->cells)
        return error_set(error, "a board is too large.");
    if (!read_board(bytes, length, state, error))
        return false;
    if (state->piece < 0 || state->piece >= PIECES)
        return error_set(error, "a state has a piece that does not exist.");
    if (state->puts < 1 || state->puts > INT64_MAX)
        return error_set(error, "a state was never put.");
    return check_visit(&state->visit, state->piece, state->width, error);
}
