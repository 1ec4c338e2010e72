// SPDX-License-Identifier: GPL-3.0-or-later
// Rules and games that the tests of players share: every rule variant on small, usual and large boards.
// To be included after cmocka.h.
#ifndef TETRALAB_TESTS_PLAYER_CASES_H
#define TETRALAB_TESTS_PLAYER_CASES_H

#include "player/player.h"
#include "random_boards.h"

enum { SEED = 20 };

typedef struct Case {
    const char *board, *overflow, *gameover, *kind, *pieces;
} Case;

static const Case cases[] = {
    {"10x20", "lenient", "avoid", "simplified", "uniform"},
    {"10x12", "lenient", "avoid", "simplified", "hard"},
    {"10x20", "lenient", "avoid", "original", "uniform"},
    {"10x9", "touch", "evaluate", "simplified", "bag"},
    {"10x16", "strict", "evaluate", "simplified", "hard"},
    {"14x23", "lenient", "evaluate", "simplified", "sz"},
    {"7x13", "strict", "avoid", "simplified", "sz"},
    {"5x5", "strict", "avoid", "simplified", "uniform"},
    {"4x7", "lenient", "evaluate", "simplified", "bag"},
    {"11x10", "lenient", "avoid", "original", "hard"},
    {"8x8", "touch", "avoid", "simplified", "S:3,Z:3,T:1"},
    {"13x6", "lenient", "avoid", "simplified", "uniform"},
};
enum { CASES = sizeof cases / sizeof *cases };

static inline Rules make_rules(const Case *c) {
    Rules rules;
    Error error;
    rules_default(&rules);
    if (!rules_set(&rules, "board", c->board, &error) ||
        !rules_set(&rules, "overflow", c->overflow, &error) ||
        !rules_set(&rules, "gameover", c->gameover, &error) || !rules_set(&rules, "rules", c->kind, &error) ||
        !rules_set(&rules, "pieces", c->pieces, &error) || !rules_check(&rules, &error))
        fail_msg("%s", error.text);
    return rules;
}

// The built-in strategies as they are tried here, NULL past the last one: those that plan do it shortly.
static inline const Strategy *tried_strategy(int index) {
    static Strategy tried;
    if (!strategy_builtin(index))
        return NULL;
    tried = *strategy_builtin(index);
    if (tried.player == PLAYER_UCT) {
        tried.uct.phases = 20;
        tried.uct.pieces = tried.uct.preview = 2;
    }
    if (tried.player == PLAYER_BEAM) {
        tried.beam.pieces = 3;
        tried.beam.width = 4;
    }
    return &tried;
}

// <- NULL: this strategy is for another width
static inline Player *make_player(const Strategy *strategy, const Rules *rules, const Kernel *kernel) {
    Error error;
    for (int id = 0; id < FEATURES; id++)
        if (strategy->rating.given[id] && strategy->rating.given[id] != feature_values(id, rules->width))
            return NULL;
    Player *player = player_new(strategy, rules, kernel, &error);
    if (!player)
        fail_msg("%s", error.text);
    return player;
}

// Odd games start from a random board, so that the top is near.
static inline void start(Game *game, const Rules *rules, uint64_t index) {
    game_start(game, rules, SEED, index);
    if (index % 2 == 0)
        return;
    Random random = random_stream(SEED, index, RANDOM_TEST);
    random_board(&game->board, &random, rules->width, random_between(&random, 0, rules->height - 2));
}

static inline void choose_and_move(const Player *player, Game *game) {
    Placement placement = player_choose(player, game);
    if (placement == PLACEMENT_NONE)
        game_end(game);
    else
        game_move(game, player_rules(player), placement, NULL);
}

static inline void print_game(const Game *game, const Rules *rules) {
    char text[(BOARD_MAX_WIDTH + 1) * BOARD_MAX_HEIGHT + 1];
    board_print(&game->board, rules->width, rules->height, text);
    print_error("%d pieces, %d lines, state %d, in hand %c\n%s", (int)game->pieces, (int)game->lines,
                game->state, game->piece < 0 ? '-' : piece_letter[game->piece], text);
}

#endif
