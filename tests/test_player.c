// SPDX-License-Identifier: GPL-3.0-or-later
// Players make the same moves on every kernel and in whatever slices games are played, only moves that can be
// made, and all but UCT without allocating.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "effort.h"
#include "game/original.h"
#include "player_cases.h"

_Static_assert(sizeof(Game) < 4096, "a running game needs less than 4 KiB");

enum { MAX_GAMES = 12 };

// ---- allocations ---------------------------------------------------------------------------------------

// The C library's allocation functions, counted. Sanitizers bring their own, which are left alone.
static uint64_t allocations;
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define HAS_SANITIZER
#endif
#endif
#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ &&                    \
    !defined HAS_SANITIZER
#define COUNTS_ALLOCATIONS true
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
    allocations++;
    return __libc_realloc(old, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}
#else
#define COUNTS_ALLOCATIONS false
#endif

// ---- comparing games ----------------------------------------------------------------------------------

static bool same_game(const Game *a, const Game *b) {
    return !memcmp(&a->board, &b->board, sizeof a->board) && a->pieces == b->pieces && a->lines == b->lines &&
           a->state == b->state && a->piece == b->piece && a->next == b->next &&
           !memcmp(&a->ties, &b->ties, sizeof a->ties) &&
           !memcmp(&a->stream.random, &b->stream.random, sizeof a->stream.random);
}

static void assert_same_game(const Game *found, const Game *expected, const Player *player, const Case *c,
                             const char *what) {
    if (same_game(found, expected))
        return;
    print_error("%s, %s: seed %d, board %s, overflow %s, gameover %s, rules %s, pieces %s\nexpected: ",
                player_strategy(player)->name, what, SEED, c->board, c->overflow, c->gameover, c->kind,
                c->pieces);
    print_game(expected, player_rules(player));
    print_error("found: ");
    print_game(found, player_rules(player));
    fail();
}

// ---- kernels and slices --------------------------------------------------------------------------------

static uint64_t moves_of(const Strategy *strategy, uint64_t greedy, uint64_t two_piece) {
    const uint64_t moves[] = {[PLAYER_GREEDY] = greedy,
                              [PLAYER_TWO_PIECE] = two_piece,
                              [PLAYER_EXPECTIMAX] = two_piece / 4 + 1,
                              [PLAYER_BEAM] = two_piece / 4 + 1,
                              [PLAYER_UCT] = two_piece};
    bool deep = strategy->player == PLAYER_EXPECTIMAX && strategy->expectimax.depth > 2;
    return deep ? 1 : test_effort(moves[strategy->player]);
}

static void compare_kernels(const Strategy *strategy, const Rules *rules, const Case *c) {
    uint64_t moves = moves_of(strategy, 40, 8);
    Game expected[2];
    for (int k = 0; kernel_at(k); k++) {
        if (!kernel_available(kernel_at(k)))
            continue;
        Player *player = make_player(strategy, rules, kernel_at(k));
        if (!player)
            return;
        Game games[2];
        for (int g = 0; g < 2; g++) {
            start(&games[g], rules, (uint64_t)g);
            player_run(player, &games[g], moves);
            if (k == 0)
                expected[g] = games[g];
            assert_same_game(&games[g], &expected[g], player, c, kernel_name(kernel_at(k)));
        }
        player_free(player);
    }
}

static void every_kernel_makes_the_same_moves(void **state) {
    (void)state;
    assert_string_equal(kernel_name(kernel_at(0)), "reference");
    for (int i = 0; i < CASES; i++) {
        Rules rules = make_rules(&cases[i]);
        for (int s = 0; tried_strategy(s); s++)
            compare_kernels(tried_strategy(s), &rules, &cases[i]);
        rules_free(&rules);
    }
}

// Plays games some moves at a time, and compares with the moves chosen one by one.
static void compare_slices(const Player *player, const Game *begun, const Game *expected, int count,
                           uint64_t moves, uint64_t slice, const Case *c) {
    char what[80];
    snprintf(what, sizeof what, "%d moves at a time", (int)slice);
    for (int g = 0; g < count; g++) {
        Game game = begun[g];
        for (uint64_t done = 0; done < moves; done += slice)
            player_run(player, &game, moves - done < slice ? moves - done : slice);
        assert_same_game(&game, &expected[g], player, c, what);
    }
}

static void compare_with_single_moves(const Player *player, const Case *c) {
    const uint64_t moves = moves_of(player_strategy(player), 50, 8);
    const int count = player_strategy(player)->player == PLAYER_GREEDY ? MAX_GAMES : 4;
    Game begun[MAX_GAMES], expected[MAX_GAMES];
    for (int g = 0; g < count; g++) {
        start(&begun[g], player_rules(player), (uint64_t)g);
        expected[g] = begun[g];
        for (uint64_t m = 0; m < moves && expected[g].state == GAME_RUNNING; m++)
            choose_and_move(player, &expected[g]);
    }
    compare_slices(player, begun, expected, count, moves, 7, c);
    compare_slices(player, begun, expected, count, moves, moves, c);
}

static void running_games_in_any_slices_is_choosing_move_by_move(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        Rules rules = make_rules(&cases[i]);
        for (int s = 0; tried_strategy(s); s++)
            for (int k = 1; kernel_at(k); k++) {
                if (!kernel_available(kernel_at(k)))
                    continue;
                Player *player = make_player(tried_strategy(s), &rules, kernel_at(k));
                if (player)
                    compare_with_single_moves(player, &cases[i]);
                player_free(player);
            }
        rules_free(&rules);
    }
}

// ---- side by side ----------------------------------------------------------------------------------------

enum { SIDE_BY_SIDE = 300, TURNS = 3 };

// Players that have games side by side, greedy ones and those that look ahead in every way; some with ties at
// random. <- false: past the last one
static bool many_games(int index, Strategy *strategy) {
    static const struct {
        const char *name;
        PlayerKind player;
        bool random;
        ExpectimaxOptions options;
    } players[] = {
        {"bcts", PLAYER_GREEDY, false, {0}},
        {"dt-20", PLAYER_GREEDY, false, {0}},
        {"lab-20b", PLAYER_GREEDY, false, {0}},
        {"xtris", PLAYER_GREEDY, true, {0}},
        {"ga-du", PLAYER_GREEDY, true, {0}},
        {"fahey-1", PLAYER_GREEDY, true, {0}},
        {"bcts-2", PLAYER_TWO_PIECE, false, {0}},
        {"full", PLAYER_TWO_PIECE, false, {0}},
        {"network", PLAYER_TWO_PIECE, false, {0}},
        {"fahey", PLAYER_TWO_PIECE, false, {0}},
        {"fahey-1", PLAYER_TWO_PIECE, true, {0}},
        {"bcts", PLAYER_EXPECTIMAX, false, {.depth = 2}},
        {"fahey-1", PLAYER_EXPECTIMAX, true, {.depth = 2, .candidates = 5}},
        {"bcts", PLAYER_EXPECTIMAX, false, {.depth = 2, .danger = 20}},
        {"lab-20b", PLAYER_EXPECTIMAX, false, {.depth = 2, .danger = 11000, .candidates = 5}},
        {"fahey-1", PLAYER_EXPECTIMAX, true, {.depth = 3, .candidates = 2, .later_candidates = 1}},
        {"bcts", PLAYER_EXPECTIMAX, false, {.depth = 3, .candidates = 3, .danger = 20, .sees_next = true}},
        {"dt-20", PLAYER_EXPECTIMAX, true, {.depth = 3, .candidates = 3, .danger = 20, .unsure = 5}},
    };
    if (index >= (int)(sizeof players / sizeof *players))
        return false;
    const char *name = players[index].name;
    Error error = {""};
    if (!strategy_find(strategy,
                       !strcmp(name, "full")      ? TETRALAB_TESTS "/strategies/full.json"
                       : !strcmp(name, "network") ? TETRALAB_TESTS "/strategies/network.json"
                                                  : name,
                       &error))
        fail_msg("%s", error.text);
    strategy_set_player(strategy, players[index].player);
    strategy->ties = players[index].random ? TIES_RANDOM : strategy->ties;
    if (players[index].player == PLAYER_EXPECTIMAX) {
        strategy->expectimax = players[index].options;
        strategy->expectimax.threads = 1;
    }
    return true;
}

typedef struct Plan {
    Game game;
    int turns;
} Plan;

static uint64_t pace; // moves of a short turn

// Some stop early, some pause by height, some have no moves at all.
static Turn planned_turn(Plan *plan, int index) {
    uint64_t moves = (uint64_t)(index + plan->turns++) % 4 * pace;
    return index % 3 ? (Turn){&plan->game, moves, -1, TURN_ANY_HEIGHT} : (Turn){&plan->game, moves, 3, 6};
}

static Plan planned[SIDE_BY_SIDE];

static bool next_turn(void *context, Turn *turn) {
    Plan *plan = (Plan *)(void *)((char *)turn->game - offsetof(Plan, game));
    (void)context;
    if (plan->turns == TURNS)
        return false;
    *turn = planned_turn(plan, (int)(plan - planned));
    return true;
}

static void play_alone(const Player *player, Plan *plan, int index) {
    while (plan->turns < TURNS) {
        Turn turn = planned_turn(plan, index);
        if (plan->game.state == GAME_PAUSED)
            plan->game.state = GAME_RUNNING;
        for (; turn.moves && plan->game.state == GAME_RUNNING; turn.moves--) {
            choose_and_move(player, &plan->game);
            int height = board_pile_height(&plan->game.board, player_rules(player)->width);
            if (plan->game.state == GAME_RUNNING && (height <= turn.low || height >= turn.high))
                plan->game.state = GAME_PAUSED;
        }
    }
}

static void compare_side_by_side(const Player *player, int games, const Case *c) {
    static Plan alone[SIDE_BY_SIDE];
    static Turn turn[SIDE_BY_SIDE];
    for (int g = 0; g < games; g++) {
        start(&alone[g].game, player_rules(player), (uint64_t)g);
        alone[g].turns = 0;
        planned[g] = alone[g];
        play_alone(player, &alone[g], g);
        turn[g] = planned_turn(&planned[g], g);
    }
    player_run_turns(player, games, turn, next_turn, NULL);
    for (int g = 0; g < games; g++)
        assert_same_game(&planned[g].game, &alone[g].game, player, c, "side by side");
}

static void games_side_by_side_are_those_played_alone(void **state) {
    (void)state;
    Strategy strategy;
    for (int i = 0; i < CASES; i++) {
        Rules rules = make_rules(&cases[i]);
        for (int s = 0; many_games(s, &strategy); s++)
            for (int k = 1; kernel_at(k); k++) {
                Player *player =
                    kernel_available(kernel_at(k)) ? make_player(&strategy, &rules, kernel_at(k)) : NULL;
                pace = strategy.player == PLAYER_GREEDY ? 25 : 1;
                if (player)
                    compare_side_by_side(player,
                                         i          ? 7
                                         : pace > 1 ? SIDE_BY_SIDE / 3
                                                    : SIDE_BY_SIDE,
                                         &cases[i]);
                player_free(player);
            }
        rules_free(&rules);
    }
}

static void a_recorded_sequence_is_played_to_its_last_piece(void **state) {
    (void)state;
    static const uint8_t pieces[] = {6, 1, 2, 3, 4, 5, 0, 6, 4, 5, 1, 2, 3, 0, 6, 1, 4, 5, 2, 3};
    Rules rules;
    Error error;
    rules_default(&rules);
    assert_true(rules_set(&rules, "board", "14x25", &error));
    assert_true(piece_source_recorded(&rules.pieces, "drawn", pieces, sizeof pieces, &error));
    Case c = {"14x25", "lenient", "avoid", "simplified", "drawn"};
    for (int s = 0; tried_strategy(s); s++) {
        Player *player = make_player(tried_strategy(s), &rules, NULL);
        if (!player)
            continue;
        Game game, expected;
        game_start(&game, &rules, SEED, 0);
        expected = game;
        player_run(player, &game, 1000);
        assert_int_equal(game.state, GAME_NO_PIECES);
        assert_int_equal(game.pieces, sizeof pieces);
        while (expected.state == GAME_RUNNING)
            choose_and_move(player, &expected);
        assert_same_game(&game, &expected, player, &c, "recorded pieces");
        player_free(player);
    }
    rules_free(&rules);
}

// ---- what else must hold -------------------------------------------------------------------------------

static void expect_refusal(const char *name, const char *board, const char *const *parts) {
    Case c = {board, "lenient", "avoid", "simplified", "uniform"};
    Rules rules = make_rules(&c);
    Strategy strategy;
    Error error = {""};
    assert_true(strategy_find(&strategy, name, &error));
    assert_null(player_new(&strategy, &rules, NULL, &error));
    for (; *parts; parts++)
        if (!strstr(error.text, *parts))
            fail_msg("\"%s\" does not say \"%s\".", error.text, *parts);
    rules_free(&rules);
}

static void impossible_players_are_refused_with_the_reason(void **state) {
    (void)state;
    expect_refusal("bdu", "9x20", (const char *[]){"bdu", "column-heights", "10 weights", "needs 9", NULL});
    expect_refusal("bdu", "11x20", (const char *[]){"bdu", "10 weights", "needs 11", NULL});
    expect_refusal("fahey", "10x26", (const char *[]){"fahey", "at most 25", "not 26", NULL});
    Case c = {"10x25", "lenient", "avoid", "simplified", "uniform"};
    Rules rules = make_rules(&c);
    Strategy strategy;
    Error error;
    assert_true(strategy_find(&strategy, "fahey", &error));
    player_free(make_player(&strategy, &rules, NULL));
    rules_free(&rules);
}

static void in_the_original_game_players_choose_only_what_can_be_reached(void **state) {
    (void)state;
    int closed = 0; // boards on which the pile was in the way
    for (int i = 0; i < CASES; i++) {
        Rules rules = make_rules(&cases[i]);
        for (int s = 0; rules.original && tried_strategy(s); s++) {
            Player *player = make_player(tried_strategy(s), &rules, NULL);
            for (uint64_t index = 0; player && index < test_effort(20) + 1; index++) {
                Game game;
                start(&game, &rules, index);
                for (uint64_t m = moves_of(player_strategy(player), 60, 10); m && game.state == GAME_RUNNING;
                     m--) {
                    Game before = game;
                    Placement placement = player_choose(player, &game);
                    if (placement == PLACEMENT_NONE)
                        break;
                    assert_true(game_can_move(&before, &rules, placement));
                    game_move(&game, &rules, placement, NULL);
                    assert_int_equal(game.pieces, before.pieces + 1);
                    closed += !original_is_open(&before.board, &rules);
                }
            }
            player_free(player);
        }
        rules_free(&rules);
    }
    assert_true(closed > 0);
}

static void assert_conserved(const Game *game, const Rules *rules) {
    int64_t cells = 4 * (int64_t)game->pieces - rules->width * (int64_t)game->lines;
    assert_int_equal(board_cells(&game->board, rules->width), cells);
}

static void cells_on_the_board_are_four_per_piece_less_the_rows_removed(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        Rules rules = make_rules(&cases[i]);
        for (int s = 0; tried_strategy(s); s++) {
            Player *player = make_player(tried_strategy(s), &rules, NULL);
            if (!player)
                continue;
            Game chosen, run;
            game_start(&chosen, &rules, SEED, 1);
            game_start(&run, &rules, SEED, 2);
            for (uint64_t m = moves_of(player_strategy(player), 200, 20); m; m--) {
                if (chosen.state == GAME_RUNNING)
                    choose_and_move(player, &chosen);
                player_run(player, &run, 3);
                assert_conserved(&chosen, &rules);
                assert_conserved(&run, &rules);
            }
            assert_true(run.pieces > 0);
            player_free(player);
        }
        rules_free(&rules);
    }
}

static void playing_allocates_nothing(void **state) {
    (void)state;
    if (!COUNTS_ALLOCATIONS) {
        print_message("skipped: allocations cannot be counted under a sanitizer\n");
        skip();
    }
    for (int i = 0; i < CASES; i++) {
        Rules rules = make_rules(&cases[i]);
        for (int s = 0; tried_strategy(s); s++)
            for (int k = 0; kernel_at(k); k++) {
                if (!kernel_available(kernel_at(k)) || tried_strategy(s)->player == PLAYER_UCT)
                    continue; // a tree of UCT grows as it likes
                uint64_t before = allocations;
                Player *player = make_player(tried_strategy(s), &rules, kernel_at(k));
                if (!player)
                    continue;
                assert_true(allocations > before); // so they are counted
                Game game;
                start(&game, &rules, 0);
                if (tried_strategy(s)->player == PLAYER_EXPECTIMAX && tried_strategy(s)->expectimax.depth > 2)
                    choose_and_move(player, &game); // it gets a table of boards, which it keeps
                before = allocations;
                uint64_t moves = k == 0 ? 1 : moves_of(player_strategy(player), 20, 20);
                player_run(player, &game, moves);
                for (uint64_t m = moves; m && game.state == GAME_RUNNING; m--)
                    choose_and_move(player, &game);
                assert_int_equal(allocations, before);
                player_free(player);
            }
        rules_free(&rules);
    }
}

// Heights at which games pause: the same as looking after every move, on every kernel.
static void a_window_pauses_games_as_looking_after_every_move_does(void **state) {
    (void)state;
    static const char *const names[] = {"bcts", "dt-20", "bdu", "xtris", "bcts-2"};
    static const struct {
        int low, high;
    } windows[] = {{-1, 32}, {0, 32}, {-1, 1}, {3, 7}, {4, 5}, {5, 13}, {-1, 12}, {2, 14}};
    Rules rules;
    rules_default(&rules);
    int pauses = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int k = 0; kernel_at(k); k++) {
            if (!kernel_available(kernel_at(k)) || (k == 0 && n == 4))
                continue;
            Strategy strategy;
            Error error = {""};
            assert_true(strategy_find(&strategy, names[n], &error));
            Player *player = player_new(&strategy, &rules, kernel_at(k), &error);
            assert_non_null(player);
            for (size_t w = 0; w < sizeof windows / sizeof *windows; w++) {
                Game game, step;
                game_start(&game, &rules, 7, w);
                for (int round = 0; round < 4; round++) {
                    step = game;
                    player_run_turns(player, 1, &(Turn){&game, 60, windows[w].low, windows[w].high}, NULL,
                                     NULL);
                    step.state = GAME_RUNNING;
                    for (int m = 0; m < 60 && step.state == GAME_RUNNING; m++) {
                        player_run(player, &step, 1);
                        int height = board_pile_height(&step.board, rules.width);
                        if (step.state == GAME_RUNNING &&
                            (height <= windows[w].low || height >= windows[w].high))
                            step.state = GAME_PAUSED;
                    }
                    assert_int_equal(game.state, step.state);
                    assert_int_equal(game.pieces, step.pieces);
                    assert_memory_equal(&game.board, &step.board, sizeof step.board);
                    pauses += step.state == GAME_PAUSED;
                }
            }
            player_free(player);
        }
    assert_true(pauses > 100);
    rules_free(&rules);
}

// Nothing of one player stays in a game that another one plays on.
static void a_game_can_be_played_on_by_another_player(void **state) {
    (void)state;
    Rules rules;
    rules_default(&rules);
    Error error = {""};
    assert_true(rules_set(&rules, "board", "10x12", &error));
    for (int k = 0; kernel_at(k); k++) {
        if (!kernel_available(kernel_at(k)))
            continue;
        Strategy strategy[2];
        Player *player[2];
        for (int p = 0; p < 2; p++) {
            assert_true(strategy_find(&strategy[p], p ? "dellacherie" : "bcts", &error));
            player[p] = player_new(&strategy[p], &rules, kernel_at(k), &error);
            assert_non_null(player[p]);
        }
        for (uint64_t g = 0; g < 20; g++) {
            Game game, step;
            game_start(&game, &rules, 3, g);
            step = game;
            player_run(player[0], &game, 200);
            player_run(player[1], &game, 200);
            for (int m = 0; m < 400 && step.state == GAME_RUNNING; m++) {
                Placement placement = player_choose(player[m / 200], &step);
                if (placement == PLACEMENT_NONE)
                    game_end(&step);
                else
                    game_move(&step, &rules, placement, NULL);
            }
            assert_int_equal(game.lines, step.lines);
            assert_memory_equal(&game.board, &step.board, sizeof step.board);
        }
        player_free(player[0]);
        player_free(player[1]);
    }
    rules_free(&rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_window_pauses_games_as_looking_after_every_move_does),
        cmocka_unit_test(a_game_can_be_played_on_by_another_player),
        cmocka_unit_test(games_side_by_side_are_those_played_alone),
        cmocka_unit_test(every_kernel_makes_the_same_moves),
        cmocka_unit_test(running_games_in_any_slices_is_choosing_move_by_move),
        cmocka_unit_test(a_recorded_sequence_is_played_to_its_last_piece),
        cmocka_unit_test(impossible_players_are_refused_with_the_reason),
        cmocka_unit_test(in_the_original_game_players_choose_only_what_can_be_reached),
        cmocka_unit_test(cells_on_the_board_are_four_per_piece_less_the_rows_removed),
        cmocka_unit_test(playing_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
