// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/database_entry.h"

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

bool entry_check_visit(const Entry *entry, Error *error) {
    int width = entry->rules / 100000;
    if (!isfinite(entry->visit.reward))
        return error_set(error, "the reward of a state is no finite number.");
    if (!entry->visit.placements)
        return error_set(error, "a state has no placement.");
    if (entry->visit.placements & ~placements_inside(entry->piece, width))
        return error_set(error, "a state has placements that piece %c cannot have on a board %d wide.",
                         piece_letter[entry->piece], width);
    return entry->visit.phases <= INT64_MAX ||
           error_set(error, "a state has more phases than can be counted.");
}

bool entry_read(const Entry *entry, VisitedState *state, Error *error) {
    *state = (VisitedState){.piece = entry->piece, .visit = entry->visit, .puts = entry->puts};
    if (!read_rules(entry->rules, state, error))
        return false;
    for (int cell = 0; cell < entry->length * 8; cell++) {
        if (!(entry->cells[cell / 8] << cell % 8 & 0x80))
            continue;
        if (cell >= state->width * state->height)
            return error_set(error, "a board has cells outside of its size.");
        state->board.column[cell % state->width] |= 1u << cell / state->width;
    }
    if (state->piece < 0 || state->piece >= PIECES)
        return error_set(error, "a state has a piece that does not exist.");
    if (entry->puts < 1 || entry->puts > INT64_MAX)
        return error_set(error, "a state was never put.");
    return entry_check_visit(entry, error);
}

int entry_compare(const void *one, const void *other) {
    const Entry *a = one, *b = other;
    if (a->rules != b->rules)
        return a->rules < b->rules ? -1 : 1;
    int order = memcmp(a->cells, b->cells, sizeof a->cells); // shorter ones end in zeros
    return order ? order : a->piece - b->piece;
}
