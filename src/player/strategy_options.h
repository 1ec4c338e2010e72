// SPDX-License-Identifier: GPL-3.0-or-later
// The options of players that do more than rate (expectimax, UCT, table), as a table: reading, writing,
// limits and defaults of strategy files come from it.
#ifndef TETRALAB_PLAYER_STRATEGY_OPTIONS_H
#define TETRALAB_PLAYER_STRATEGY_OPTIONS_H

#include <stdio.h>

#include "player/strategy.h"

typedef enum OptionType {
    TYPE_INT,
    TYPE_COUNT, // uint64_t
    TYPE_FLAG,
    TYPE_NUMBER,
    TYPE_GAMMA, // UCT_ROWS numbers
    TYPE_WORD,  // an enum, one of `words`
    TYPE_PATH   // UCT_PATH bytes
} OptionType;

typedef struct StrategyOption {
    const char *key;
    PlayerKind player; // who has it
    OptionType type;
    size_t offset;    // in Strategy
    double low, high; // limits of the numbers
    double preset;    // the default; 0 where that is not within the limits: none, or it depends on others
    const char *const *words;
} StrategyOption;

typedef enum StrategyOptionId {
    OPTION_DEPTH,
    OPTION_CANDIDATES,
    OPTION_SEES_NEXT,
    OPTION_DEAD,
    OPTION_THREADS,
    OPTION_PIECES,
    OPTION_PREVIEW,
    OPTION_PHASES,
    OPTION_MILLISECONDS,
    OPTION_LAMBDA,
    OPTION_GAMMA,
    OPTION_BACKUP,
    OPTION_LEAF,
    OPTION_LEAF_SCALE,
    OPTION_DATABASE,
    OPTION_TABLE,
    STRATEGY_OPTIONS
} StrategyOptionId;

extern const StrategyOption strategy_option[STRATEGY_OPTIONS];

// Writes those of the strategy's player. What a file could not say (no limit of time, no database) is left
// out.
void strategy_write_options(FILE *out, const Strategy *strategy);

// Parts of strategy files (strategy_write.c).
void strategy_write_key(FILE *out, const char *key);
void strategy_write_number(FILE *out, double number);
void strategy_write_text(FILE *out, const char *key, const char *text);

#endif
