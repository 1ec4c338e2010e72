// SPDX-License-Identifier: GPL-3.0-or-later
// What the readers of JSON strategies share: the file being read, and refusals that name line and column,
// what was found and what would be right. Part of strategy_json.c and strategy_options_json.c.
#ifndef TETRALAB_PLAYER_STRATEGY_READER_H
#define TETRALAB_PLAYER_STRATEGY_READER_H

#include "base/error.h"
#include "base/json_parse.h"
#include "player/strategy.h"
#include "player/strategy_options.h"

enum { EXCERPT = 48 }; // bytes of the file that a message quotes at most

// The keys of a strategy; behind them come the options of its player (strategy_options.h). What makes the
// rating is from KEY_RATING on.
typedef enum KeyId {
    KEY_NAME,
    KEY_SOURCE,
    KEY_PLAYER,
    KEY_TIES,
    KEY_CLEAR,
    KEY_RATING,
    KEY_WEIGHTS,
    KEY_HIDDEN,
    KEY_EXPONENTS,
    KEY_DISPLACEMENTS,
    KEY_OPTIONS,
    KEYS = KEY_OPTIONS + STRATEGY_OPTIONS
} KeyId;

typedef struct Reader {
    const char *name, *text;
    size_t length;
    Error *error;
    Strategy *strategy;
    json_t *value[KEYS];
    int position[KEYS]; // which member of the file it is, from 0
    int step[4];        // the value being read, for json_place
    HiddenUnit *unit;   // the one being read
} Reader;

// -> offset  where in the text; <- false
__attribute__((format(printf, 3, 4))) bool member_fail(const Reader *reader, size_t offset,
                                                       const char *format, ...);
size_t member_value_place(const Reader *reader, int depth);
size_t member_key_place(const Reader *reader, int depth);

// <- what a value is, for messages
const char *member_kind_name(const json_t *value);
const char *member_key(int key);
// <- the key with this name, or -1: refused
int member_find_key(const Reader *reader, const char *name);

// Each reads one kind of value, or refuses it. The value is at reader->step.
bool member_text(Reader *reader, int key, char *out, size_t room);
bool member_choice(Reader *reader, int key, const char *const *names, int *choice);
bool member_number(Reader *reader, int depth, const json_t *value, const char *key, double low, double high,
                   double *number);

// The options of the strategy's player. Refuses those of other players and those that contradict each other.
bool member_options(Reader *reader);

#endif
