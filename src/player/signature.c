// SPDX-License-Identifier: GPL-3.0-or-later
// Plays the games of the signature: built-in strategies, and ratings of all features of the thesis' Table 2.1
// at once, also with exponents; on boards of many sizes, under every rule, one and two pieces ahead. The
// table is printed once and for all: features that are added have no number in it and leave the signature
// alone.
#include "player/signature.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "feature/feature.h"
#include "player/player.h"
#include "player/strategy.h"

enum { SEED = 20, GAMES = 3, LIMIT = 90, TWO_PIECE_LIMIT = 12 };

static const struct Case {
    const char *strategy; // built in, or "table", "table-2", "exponential", "displaced"
    const char *board, *overflow, *gameover, *rules, *pieces;
} cases[] = {
    {"bcts", "10x20", "lenient", "avoid", "simplified", "uniform"},
    {"bcts", "10x16", "strict", "avoid", "simplified", "hard"},
    {"bcts", "4x4", "lenient", "avoid", "simplified", "bag"},
    {"bcts", "5x5", "strict", "evaluate", "simplified", "uniform"},
    {"bcts", "14x27", "touch", "avoid", "simplified", "hard"},
    {"dellacherie", "10x20", "lenient", "avoid", "original", "uniform"},
    {"dellacherie", "7x9", "strict", "evaluate", "simplified", "uniform"},
    {"dellacherie", "6x6", "lenient", "avoid", "original", "bag"},
    {"bdu", "10x12", "lenient", "evaluate", "simplified", "S:3,Z:3,T:2,O:1"},
    {"ce-d", "13x6", "touch", "avoid", "simplified", "bag"},
    {"ga-du", "11x13", "strict", "avoid", "simplified", "sz"},
    {"ga-free", "10x20", "lenient", "avoid", "simplified", "hard"},
    {"dt-10", "10x10", "lenient", "avoid", "simplified", "uniform"},
    {"dt-20", "9x17", "touch", "evaluate", "simplified", "hard"},
    {"xtris", "10x20", "lenient", "avoid", "simplified", "uniform"},
    {"xtris", "8x7", "strict", "avoid", "simplified", "hard"},
    {"fahey-1", "12x11", "lenient", "avoid", "simplified", "uniform"},
    {"table", "10x20", "lenient", "avoid", "simplified", "uniform"},
    {"table", "14x16", "strict", "avoid", "simplified", "hard"},
    {"table", "5x18", "lenient", "evaluate", "simplified", "bag"},
    {"exponential", "10x20", "lenient", "avoid", "simplified", "uniform"},
    {"displaced", "9x14", "strict", "avoid", "simplified", "hard"},
    {"fahey", "10x20", "lenient", "avoid", "simplified", "uniform"},
    {"fahey", "10x20", "lenient", "avoid", "original", "hard"},
    {"fahey", "7x8", "strict", "evaluate", "simplified", "uniform"},
    {"bcts-2", "10x6", "lenient", "avoid", "simplified", "hard"},
    {"table-2", "6x10", "touch", "avoid", "simplified", "uniform"},
};

// Little-endian, whatever the machine is.
static void mix_number(uint64_t *hash, uint64_t value) {
    for (int i = 0; i < 8; i++)
        *hash = hash_one(*hash, value >> 8 * i & 255);
}

// Powers are taken of single values that cannot be negative.
static bool is_used(FeatureId id, RatingKind kind, int width) {
    bool has_power = feature_values(id, width) == 1 && feature_info[id].sign == UNSIGNED;
    return feature_info[id].number > 0 && (kind == RATING_LINEAR || has_power);
}

// Every feature of the table counts against a placement, each by its own amount, with a step of 1/4.
static void weigh_table(Strategy *strategy, RatingKind kind, int width) {
    strategy->rating.kind = kind;
    for (int id = 0; id < FEATURES; id++) {
        int number = feature_info[id].number;
        strategy->rating.given[id] = is_used(id, kind, width) ? feature_values(id, width) : 0;
        strategy->rating.exponent[id] = 0.5 + 0.25 * (number % 7);
        strategy->rating.displacement[id] = kind == RATING_DISPLACED ? number % 3 : 0;
        for (int i = 0; i < strategy->rating.given[id]; i++)
            strategy->rating.weight[feature_first[id] + i] = -0.25 * (1 + (number * 5 + i * 3) % 11);
    }
}

static bool find_strategy(Strategy *strategy, const char *name, int width, Error *error) {
    static const struct {
        const char *name;
        PlayerKind player;
        RatingKind rating;
    } made[] = {{"table", PLAYER_GREEDY, RATING_LINEAR},
                {"table-2", PLAYER_TWO_PIECE, RATING_LINEAR},
                {"exponential", PLAYER_GREEDY, RATING_EXPONENTIAL},
                {"displaced", PLAYER_GREEDY, RATING_DISPLACED}};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (!strcmp(name, made[i].name)) {
            *strategy = (Strategy){.player = made[i].player};
            snprintf(strategy->name, sizeof strategy->name, "%s", name);
            weigh_table(strategy, made[i].rating, width);
            return true;
        }
    return strategy_find(strategy, name, error);
}

static bool set_rules(Rules *rules, const struct Case *which, Error *error) {
    return rules_set(rules, "board", which->board, error) &&
           rules_set(rules, "overflow", which->overflow, error) &&
           rules_set(rules, "gameover", which->gameover, error) &&
           rules_set(rules, "rules", which->rules, error) &&
           rules_set(rules, "pieces", which->pieces, error) && rules_check(rules, error);
}

static void play_by_moves(const Player *player, uint64_t index, uint64_t limit, uint64_t *hash) {
    const Rules *rules = player_rules(player);
    Game game;
    game_start(&game, rules, SEED, index);
    while (game.state == GAME_RUNNING && game.pieces < limit) {
        Landing landing = {0};
        int piece = game.piece;
        Placement placement = player_choose(player, &game);
        if (placement == PLACEMENT_NONE)
            game_end(&game);
        else
            game_move(&game, rules, placement, &landing);
        const uint8_t bytes[] = {(uint8_t)piece, (uint8_t)placement, (uint8_t)landing.lines};
        *hash = hash_bytes(*hash, bytes, sizeof bytes);
    }
}

static void play_at_once(const Player *player, uint64_t limit, uint64_t *hash) {
    Game games[GAMES];
    for (int i = 0; i < GAMES; i++)
        game_start(&games[i], player_rules(player), SEED, (uint64_t)i);
    for (int i = 0; i < GAMES; i++) {
        player_run(player, &games[i], limit);
        mix_number(hash, games[i].pieces);
        mix_number(hash, games[i].lines);
        mix_number(hash, (uint64_t)games[i].state);
        for (int x = 0; x < BOARD_COLUMNS; x++)
            mix_number(hash, games[i].board.column[x]);
    }
}

static bool play_case(const struct Case *which, const Kernel *kernel, uint64_t *hash, Error *error) {
    Rules rules;
    Strategy strategy;
    rules_default(&rules);
    Player *player = NULL;
    if (set_rules(&rules, which, error) && find_strategy(&strategy, which->strategy, rules.width, error))
        player = player_new(&strategy, &rules, kernel, error);
    if (player) {
        uint64_t limit = strategy.player == PLAYER_TWO_PIECE ? TWO_PIECE_LIMIT : LIMIT;
        for (uint64_t i = 0; i < GAMES; i++)
            play_by_moves(player, i, limit, hash);
        play_at_once(player, limit, hash);
    }
    player_free(player);
    rules_free(&rules);
    return player != NULL;
}

bool signature_make(const Kernel *kernel, uint64_t *signature, Error *error) {
    *signature = HASH_EMPTY;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!play_case(&cases[i], kernel, signature, error))
            return false;
    return true;
}
