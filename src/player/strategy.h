// SPDX-License-Identifier: GPL-3.0-or-later
// A strategy: everything that makes a player, as data. Built in (player/builtin.c), from a JSON file
// (player/strategy_json.c reads, strategy_write.c writes it) or from an mdptetris .dat file
// (player/strategy_dat.c).
#ifndef TETRALAB_PLAYER_STRATEGY_H
#define TETRALAB_PLAYER_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "feature/rating.h"

typedef enum PlayerKind {
    PLAYER_GREEDY,   // values each placement of the piece in hand, takes the best
    PLAYER_TWO_PIECE // also knows the next piece: values each pair of placements
} PlayerKind;

typedef enum TieRule {
    TIES_FIRST,    // the first best: orientation in the outer loop, column from the left
    TIES_PRIORITY, // Dellacherie: far from the middle, then left of it, then few turns
    TIES_RANDOM    // xtris
} TieRule;

typedef struct Strategy {
    char name[64];
    char source[192]; // where it was published
    PlayerKind player;
    TieRule ties;
    bool clear_late; // two-piece: rows completed by the first piece are cleared only after the second (Fahey)
    RatingText rating;
} Strategy;

// As in strategy files.
const char *strategy_player_name(PlayerKind player); // greedy, two-piece
const char *strategy_ties_name(TieRule ties);        // first, priority, random
int strategy_weights(const Strategy *strategy);      // <- how many weights it has, biases included

enum { STRATEGY_FILE_LIMIT = 1 << 20 };   // larger strategy files are refused
#define STRATEGY_WEIGHT_LIMIT       1e100 // and larger weights, either way
#define STRATEGY_EXPONENT_LIMIT     32.0  // exponents beyond -32 ... 32 would overflow
#define STRATEGY_DISPLACEMENT_LIMIT 1e6

// <- a strategy without weights: greedy, first ties, linear.
// -> path  its name is the file's name without folder and ending
void strategy_empty(Strategy *strategy, const char *path);

// -> text  a built-in name, or the path of a file: JSON (.json) or mdptetris (.dat); with another ending
//          the first character of the file tells. "-": standard input
bool strategy_find(Strategy *strategy, const char *text, Error *error);
// <- does strategy_find read a file for this text? false: it is a built-in name or nothing at all
bool strategy_is_file(const char *text);

// -> name  what to call the text in messages
bool strategy_parse_json(Strategy *strategy, const char *name, const char *text, size_t length, Error *error);
bool strategy_parse_dat(Strategy *strategy, const char *name, const char *text, size_t length, Error *error);

// <- the strategy as a JSON text that strategy_parse_json reads back; free() it. NULL: out of memory.
char *strategy_to_json(const Strategy *strategy);

// Built-in strategies, in the order of `tetralab strategies`.
const Strategy *strategy_builtin(int index); // NULL past the last one

#endif
