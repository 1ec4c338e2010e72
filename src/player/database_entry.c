// SPDX-License-Identifier: GPL-3.0-or-later
// Entries of the database of visited states (Cai, Zhang & Nebel 2011, section 3): packing, reading,
// combining. Cai et al. encode the field in the name of a file, one file a state; here it is the key of an
// entry. Reading trusts nothing: a check sum covers key and value, and what passes it must still be a
// possible state.
#include "player/database_entry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const uint8_t entry_mark_key[ENTRY_MARK_KEY + 1] = "\0tetralab";
const uint8_t entry_mark_value[ENTRY_MARK_VALUE + 1] = "visited states\0\1"; // the last byte: version

uint64_t entry_hash(uint64_t hash, const void *bytes, size_t length) {
    const uint8_t *byte = bytes;
    hash ^= 0xcbf29ce484222325u; // FNV-1a
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash ^ hash >> 29;
}

static void put_number(uint8_t *out, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++)
        out[i] = (uint8_t)(number >> 8 * i);
}

static uint64_t get_number(const uint8_t *in, int bytes) {
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++)
        number |= (uint64_t)in[i] << 8 * i;
    return number;
}

// ---------------------------------------------------------------------------------------------------
// Keys

// The original game ends in its own way: the overflow rule means nothing there.
static uint8_t rules_bits(const Rules *rules) {
    int overflow = rules->original ? OVERFLOW_LENIENT : (int)rules->overflow;
    return (uint8_t)(overflow | (int)rules->gameover << 2 | (int)rules->original << 3);
}

static bool check_board(const Rules *rules, const Board *board, Error *error) {
    for (int x = 0; x < BOARD_COLUMNS; x++)
        if (board->column[x] >> (x < rules->width ? rules->height : 0))
            return error_set(
                error, "A board with cells outside of %dx%d cannot be stored: column %d is hexadecimal %x.",
                rules->width, rules->height, x, board->column[x]);
    return true;
}

bool entry_key(EntryKey *key, const Rules *rules, const Board *board, int piece, Error *error) {
    if (!rules_check(rules, error) || !check_board(rules, board, error))
        return false;
    if (piece < 0 || piece >= PIECES)
        return error_set(error, "A state needs a piece from 0 to %d, not %d.", PIECES - 1, piece);
    *key =
        (EntryKey){.bytes = {ENTRY_FORMAT, (uint8_t)rules->width, (uint8_t)rules->height, rules_bits(rules)}};
    uint8_t *cells = key->bytes + ENTRY_HEAD;
    int last = -1;
    for (int x = 0; x < rules->width; x++)
        for (uint32_t column = board->column[x]; column; column &= column - 1) {
            int cell = __builtin_ctz(column) * rules->width + x;
            cells[cell / 8] |= (uint8_t)(0x80 >> cell % 8);
            last = cell > last ? cell : last;
        }
    int bytes = (last + 8) / 8;
    cells[bytes] = (uint8_t)piece;
    key->length = (uint8_t)(ENTRY_HEAD + bytes + 1);
    return true;
}

static bool read_rules(EntryState *state, const uint8_t *byte, Error *error) {
    int overflow = byte[3] & 3, gameover = byte[3] >> 2 & 1, original = byte[3] >> 3 & 1;
    state->width = byte[1];
    state->height = byte[2];
    Rules rules = {.width = byte[1], .height = byte[2], .overflow = (Overflow)overflow};
    if (byte[0] != ENTRY_FORMAT)
        return error_set(error, "a key has the format %d, not %d.", byte[0], ENTRY_FORMAT);
    if (byte[3] > 15 || overflow > OVERFLOW_TOUCH || (original && overflow) || !rules_check(&rules, NULL))
        return error_set(error, "a key has rules that do not exist.");
    snprintf(state->rules, sizeof state->rules, "%dx%d %s %s %s", byte[1], byte[2],
             rules_overflow_name((Overflow)overflow), rules_gameover_name((GameOver)gameover),
             original ? "original" : "simplified");
    return true;
}

bool entry_read_state(EntryState *state, const void *key, size_t length, Error *error) {
    const uint8_t *byte = key;
    *state = (EntryState){.piece = -1};
    if (length <= ENTRY_HEAD || length > ENTRY_KEY_MAX)
        return error_set(error, "a key has %zu bytes.", length);
    if (!read_rules(state, byte, error))
        return false;
    state->piece = byte[length - 1];
    if (state->piece >= PIECES)
        return error_set(error, "a key has piece %d.", state->piece);
    int bytes = (int)length - ENTRY_HEAD - 1;
    if (bytes && !byte[ENTRY_HEAD + bytes - 1])
        return error_set(error, "a key has a zero byte too many.");
    for (int cell = 0; cell < bytes * 8; cell++) {
        if (!(byte[ENTRY_HEAD + cell / 8] << cell % 8 & 0x80))
            continue;
        if (cell >= state->width * state->height)
            return error_set(error, "a key has cells outside of its board.");
        state->board.column[cell % state->width] |= 1u << cell / state->width;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Values

// <- every placement that the piece has on an empty board
static uint64_t all_placements(int piece, int width) {
    uint64_t set = 0;
    for (int o = 0; o < piece_orientations[piece]; o++)
        for (int x = 0; x + piece_shape[piece][o].width <= width; x++)
            set |= 1ull << placement_make(o, x);
    return set;
}

static bool check_visit(const uint8_t *key, size_t length, const Visit *visit, Error *error) {
    if (!isfinite(visit->reward))
        return error_set(error, "the reward of a state is no finite number.");
    if (!visit->placements)
        return error_set(error, "a state has no placement.");
    if (visit->placements & ~all_placements(key[length - 1], key[1]))
        return error_set(error, "a state has placements that piece %c cannot have on a board %d wide.",
                         piece_letter[key[length - 1]], key[1]);
    return true;
}

bool entry_check_visit(const EntryKey *key, const Visit *visit, Error *error) {
    return check_visit(key->bytes, key->length, visit, error);
}

Visit visit_combine(const Visit *a, const Visit *b) {
    Visit visit = a->reward >= b->reward ? *a : *b;
    if (a->reward == b->reward)
        visit.placements = a->placements | b->placements;
    if (__builtin_add_overflow(a->phases, b->phases, &visit.phases))
        visit.phases = UINT64_MAX;
    return visit;
}

EntryValue entry_combine(const EntryValue *a, const EntryValue *b) {
    EntryValue value = {.visit = visit_combine(&a->visit, &b->visit)};
    if (__builtin_add_overflow(a->puts, b->puts, &value.puts))
        value.puts = UINT32_MAX;
    return value;
}

enum { REWARD = 0, PLACED = 8, PHASES = 16, PUTS = 24, SUM = 28 }; // offsets in a value

static uint32_t check_sum(const void *key, size_t length, const uint8_t *value) {
    uint64_t hash = entry_hash(entry_hash(0, key, length), value, SUM);
    return (uint32_t)(hash ^ hash >> 32);
}

void entry_pack(uint8_t out[ENTRY_VALUE], const EntryKey *key, const EntryValue *value) {
    uint64_t reward;
    memcpy(&reward, &value->visit.reward, sizeof reward);
    put_number(out + REWARD, reward, 8);
    put_number(out + PLACED, value->visit.placements, 8);
    put_number(out + PHASES, value->visit.phases, 8);
    put_number(out + PUTS, value->puts, 4);
    put_number(out + SUM, check_sum(key->bytes, key->length, out), 4);
}

bool entry_read_value(EntryValue *value, const void *key, size_t key_length, const void *bytes, size_t length,
                      Error *error) {
    const uint8_t *in = bytes;
    if (length != ENTRY_VALUE)
        return error_set(error, "a value has %zu bytes instead of %d.", length, ENTRY_VALUE);
    if (get_number(in + SUM, 4) != check_sum(key, key_length, in))
        return error_set(error, "the check sum of an entry is wrong.");
    uint64_t reward = get_number(in + REWARD, 8);
    memcpy(&value->visit.reward, &reward, sizeof reward);
    value->visit.placements = get_number(in + PLACED, 8);
    value->visit.phases = get_number(in + PHASES, 8);
    value->puts = (uint32_t)get_number(in + PUTS, 4);
    if (!value->puts)
        return error_set(error, "an entry was never put.");
    return check_visit(key, key_length, &value->visit, error);
}

// ---------------------------------------------------------------------------------------------------
// The mark

bool entry_check_mark(const void *key, size_t key_length, const void *value, size_t value_length,
                      Error *error) {
    const uint8_t *byte = value;
    if (key_length != ENTRY_MARK_KEY || memcmp(key, entry_mark_key, key_length) ||
        value_length != ENTRY_MARK_VALUE || memcmp(value, entry_mark_value, value_length - 1))
        return error_set(error, "it is an LMDB file, but of another program.");
    if (byte[value_length - 1] != entry_mark_value[value_length - 1])
        return error_set(error, "it has version %d of the format; this program reads version %d.",
                         byte[value_length - 1], entry_mark_value[value_length - 1]);
    return true;
}
