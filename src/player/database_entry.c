// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the database of visited states (Cai, Zhang & Nebel 2011, section 3): keys, check sums, combining.
// Cai et al. encode the field in the name of a file, one file a state; here it is the key of a row. Reading
// trusts nothing: a check sum covers the row, and what passes it must still be a possible state.
#include "player/database_entry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------
// Keys

static uint32_t rules_number(const Rules *rules) {
    // The original game ends in its own way: the overflow rule means nothing there.
    int overflow = rules->original ? OVERFLOW_LENIENT : (int)rules->overflow;
    return (uint32_t)(rules->width * 100000 + rules->height * 1000 + overflow * 100 +
                      (int)rules->gameover * 10 + (int)rules->original);
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
    *entry = (Entry){.rules = rules_number(rules), .piece = (uint8_t)piece};
    int last = -1;
    for (int x = 0; x < rules->width; x++)
        for (uint32_t column = board->column[x]; column; column &= column - 1) {
            int cell = __builtin_ctz(column) * rules->width + x;
            entry->cells[cell / 8] |= (uint8_t)(0x80 >> cell % 8);
            last = cell > last ? cell : last;
        }
    entry->length = (uint8_t)((last + 8) / 8);
    return true;
}

static bool read_rules(uint32_t number, VisitedState *state, Error *error) {
    Rules rules = {.width = (int)(number / 100000),
                   .height = (int)(number / 1000 % 100),
                   .overflow = (Overflow)(number / 100 % 10),
                   .gameover = (GameOver)(number / 10 % 10),
                   .original = number % 10 == 1};
    if (number > 9999999 || rules.overflow > OVERFLOW_TOUCH || rules.gameover > GAMEOVER_EVALUATE ||
        !rules_check(&rules, NULL) || rules_number(&rules) != number)
        return error_set(error, "a state has the rules %u, which do not exist.", number);
    state->width = rules.width;
    state->height = rules.height;
    snprintf(state->rules, sizeof state->rules, "%dx%d %s %s %s", rules.width, rules.height,
             rules_overflow_name(rules.overflow), rules_gameover_name(rules.gameover),
             rules.original ? "original" : "simplified");
    return true;
}

int entry_compare(const Entry *a, const Entry *b) {
    if (a->rules != b->rules)
        return a->rules < b->rules ? -1 : 1;
    int order = memcmp(a->cells, b->cells, a->length < b->length ? a->length : b->length);
    if (!order)
        order = (int)a->length - (int)b->length;
    return order ? order : (int)a->piece - (int)b->piece;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length) {
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < length; i++) // FNV-1a
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t hash_number(uint64_t hash, uint64_t number) {
    hash = (hash ^ number) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

uint64_t entry_hash(const Entry *entry) {
    uint64_t hash = hash_bytes(0xcbf29ce484222325u, entry->cells, entry->length);
    return hash_number(hash, (uint64_t)entry->rules << 8 | entry->piece);
}

// ---------------------------------------------------------------------------------------------------
// What is known

bool entry_check_visit(const Entry *entry, Error *error) {
    int width = (int)(entry->rules / 100000);
    if (!isfinite(entry->visit.reward))
        return error_set(error, "the reward of a state is no finite number.");
    if (!entry->visit.placements)
        return error_set(error, "a state has no placement.");
    if (entry->visit.placements & ~placements_inside(entry->piece, width))
        return error_set(error, "a state has placements that piece %c cannot have on a board %d wide.",
                         piece_letter[entry->piece], width);
    return true;
}

bool entry_read(const Entry *entry, VisitedState *state, Error *error) {
    *state = (VisitedState){.piece = entry->piece, .visit = entry->visit, .puts = entry->puts};
    if (!read_rules(entry->rules, state, error))
        return false;
    if (entry->length && !entry->cells[entry->length - 1])
        return error_set(error, "a board has a zero byte too many.");
    for (int cell = 0; cell < entry->length * 8; cell++) {
        if (!(entry->cells[cell / 8] << cell % 8 & 0x80))
            continue;
        if (cell >= state->width * state->height)
            return error_set(error, "a board has cells outside of its size.");
        state->board.column[cell % state->width] |= 1u << cell / state->width;
    }
    if (!entry->puts)
        return error_set(error, "a state was never put.");
    return entry_check_visit(entry, error);
}

Visit visit_combine(const Visit *a, const Visit *b) {
    Visit visit = a->reward >= b->reward ? *a : *b;
    if (a->reward == b->reward)
        visit.placements = a->placements | b->placements;
    if (__builtin_add_overflow(a->phases, b->phases, &visit.phases))
        visit.phases = UINT64_MAX;
    return visit;
}

void entry_add(Entry *entry, const Entry *other) {
    entry->visit = visit_combine(&entry->visit, &other->visit);
    if (__builtin_add_overflow(entry->puts, other->puts, &entry->puts))
        entry->puts = UINT32_MAX;
}

uint32_t entry_sum(const Entry *entry) {
    double reward = entry->visit.reward + 0.0; // SQLite knows one zero only
    uint64_t bits, hash = entry_hash(entry);
    memcpy(&bits, &reward, sizeof bits);
    hash = hash_number(hash_number(hash, bits), entry->visit.placements);
    hash = hash_number(hash_number(hash, entry->visit.phases), entry->puts);
    return (uint32_t)(hash ^ hash >> 32);
}
