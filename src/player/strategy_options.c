// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/strategy_options.h"

#include <string.h>

#include "player/expectimax.h"
#include "player/player_type.h"
#include "player/strategy_names.h"

#define EXPECTIMAX(key, type, member, low, high, preset)                                                     \
    { key, PLAYER_EXPECTIMAX, type, offsetof(Strategy, expectimax.member), low, high, preset, NULL }
#define UCT(key, type, member, low, high, preset, words)                                                     \
    { key, PLAYER_UCT, type, offsetof(Strategy, uct.member), low, high, preset, words }

const StrategyOption strategy_option[STRATEGY_OPTIONS] = {
    [OPTION_DEPTH] = EXPECTIMAX("depth", TYPE_INT, depth, 2, EXPECTIMAX_MAX_DEPTH, 2),
    [OPTION_CANDIDATES] = EXPECTIMAX("candidates", TYPE_INT, candidates, 0, PLACEMENTS, 0),
    [OPTION_SEES_NEXT] = EXPECTIMAX("sees-next", TYPE_FLAG, sees_next, 0, 1, 0),
    [OPTION_DEAD] = EXPECTIMAX("dead", TYPE_NUMBER, dead, -STRATEGY_WEIGHT_LIMIT, -1e-100, 0),
    [OPTION_THREADS] = EXPECTIMAX("threads", TYPE_INT, threads, 1, EXPECTIMAX_MAX_THREADS, 1),
    [OPTION_PIECES] = UCT("pieces", TYPE_INT, pieces, 1, 30, 10, NULL),
    [OPTION_PREVIEW] = UCT("preview", TYPE_INT, preview, 1, 30, 0, NULL),
    [OPTION_PHASES] = UCT("phases", TYPE_COUNT, phases, 1, 1e12, 1000, NULL),
    [OPTION_MILLISECONDS] = UCT("milliseconds", TYPE_NUMBER, milliseconds, 0.001, 3.6e6, 0, NULL),
    [OPTION_LAMBDA] = UCT("lambda", TYPE_NUMBER, lambda, 0, 1000, UCT_LAMBDA, NULL),
    [OPTION_GAMMA] = UCT("gamma", TYPE_GAMMA, gamma, -1, 0, 0, NULL),
    [OPTION_BACKUP] = UCT("backup", TYPE_WORD, backup, 0, 0, UCT_BEST, strategy_backup_names),
    [OPTION_LEAF] = UCT("leaf", TYPE_WORD, leaf, 0, 0, UCT_LEAF_ZERO, strategy_leaf_names),
    [OPTION_LEAF_SCALE] = UCT("leaf-scale", TYPE_NUMBER, leaf_scale, 1e-100, 1e100, 0, NULL),
    [OPTION_DATABASE] = UCT("database", TYPE_PATH, database, 0, 0, 0, NULL),
    [OPTION_TABLE] = {"table", PLAYER_TABLE, TYPE_PATH, offsetof(Strategy, table), 0, 0, 0, NULL},
};

void strategy_set_player(Strategy *strategy, PlayerKind player) {
    strategy->player = player;
    strategy->ties = player_type(player)->ties;
    memset(&strategy->expectimax, 0, sizeof strategy->expectimax);
    memset(&strategy->uct, 0, sizeof strategy->uct);
    memset(strategy->table, 0, sizeof strategy->table);
    for (int i = 0; i < STRATEGY_OPTIONS; i++) {
        const StrategyOption *option = &strategy_option[i];
        void *value = (char *)strategy + option->offset;
        if (option->player != player)
            continue;
        if (option->type == TYPE_INT)
            *(int *)value = (int)option->preset;
        else if (option->type == TYPE_COUNT)
            *(uint64_t *)value = (uint64_t)option->preset;
        else if (option->type == TYPE_NUMBER)
            *(double *)value = option->preset;
    } // flags, words, lists and paths begin with 0
    if (player == PLAYER_UCT)
        strategy->uct.preview = strategy->uct.pieces;
}

static void write_gamma(FILE *out, const char *key, const double *gamma) {
    strategy_write_key(out, key);
    for (int i = 0; i < UCT_ROWS; i++) {
        fputs(i ? ", " : "[", out);
        strategy_write_number(out, gamma[i]);
    }
    fputc(']', out);
}

// Numbers: within the limits only.
static void write_number(FILE *out, const StrategyOption *option, double number) {
    if (number < option->low || number > option->high)
        return;
    strategy_write_key(out, option->key);
    strategy_write_number(out, number);
}

static void write_option(FILE *out, const StrategyOption *option, const void *value) {
    switch (option->type) {
    case TYPE_INT:
        write_number(out, option, *(const int *)value);
        break;
    case TYPE_COUNT:
        write_number(out, option, (double)*(const uint64_t *)value);
        break;
    case TYPE_FLAG:
        strategy_write_key(out, option->key);
        fputs(*(const bool *)value ? "true" : "false", out);
        break;
    case TYPE_NUMBER:
        write_number(out, option, *(const double *)value);
        break;
    case TYPE_GAMMA:
        write_gamma(out, option->key, value);
        break;
    case TYPE_WORD:
        strategy_write_text(out, option->key, option->words[*(const int *)value]);
        break;
    case TYPE_PATH:
        if (*(const char *)value)
            strategy_write_text(out, option->key, value);
    }
}

void strategy_write_options(FILE *out, const Strategy *strategy) {
    for (int i = 0; i < STRATEGY_OPTIONS; i++)
        if (strategy_option[i].player == strategy->player)
            write_option(out, &strategy_option[i], (const char *)strategy + strategy_option[i].offset);
}
