// SPDX-License-Identifier: GPL-3.0-or-later
// Games played by threads are the games that one loop plays, one move after the other.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "measure/playing.h"

enum { SEED = 7, GAMES = 40, LIMIT = 60, LONG_GAMES = 300 };

typedef struct Fixture {
    Rules rules;
    Strategy strategy;
    Player *player;
    Score expected[GAMES], expected_limited[GAMES]; // without a limit and with LIMIT
    Game last;                                      // position at the end of game 0
} Fixture;
static Fixture fixture;

static Game play_alone(uint64_t index, uint64_t limit) {
    Game game;
    game_start(&game, &fixture.rules, SEED, index);
    while (game.state == GAME_RUNNING && game.pieces < limit) {
        Placement placement = player_choose(fixture.player, &game);
        if (placement == PLACEMENT_NONE)
            game_end(&game);
        else
            game_move(&game, &fixture.rules, placement, NULL);
    }
    return game;
}

static Score score_alone(uint64_t index, uint64_t limit) {
    Game game = play_alone(index, limit);
    return (Score){.lines = game.lines, .pieces = game.pieces, .censored = game.state != GAME_OVER};
}

// A low board: games of some dozens of pieces, long enough for several slices.
static int set_up(void **state) {
    (void)state;
    Error error = {""};
    rules_default(&fixture.rules);
    if (!rules_set(&fixture.rules, "board", "6x8", &error) ||
        !strategy_find(&fixture.strategy, "bcts", &error))
        fail_msg("%s", error.text);
    fixture.player = player_new(&fixture.strategy, &fixture.rules, NULL, &error);
    if (!fixture.player)
        fail_msg("%s", error.text);
    for (uint64_t i = 0; i < GAMES; i++) {
        fixture.expected[i] = score_alone(i, UINT64_MAX);
        fixture.expected_limited[i] = score_alone(i, LIMIT);
    }
    fixture.last = play_alone(0, UINT64_MAX);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    player_free(fixture.player);
    rules_free(&fixture.rules);
    return 0;
}

static Playing play(PlayingPlan plan) {
    Error error = {""};
    plan.player = fixture.player;
    plan.seed = SEED;
    Playing playing;
    if (!playing_run(&playing, &plan, &error))
        fail_msg("%s", error.text);
    return playing;
}

static void assert_same_score(const Score *score, const Score *expected) {
    assert_int_equal(score->lines, expected->lines);
    assert_int_equal(score->pieces, expected->pieces);
    assert_int_equal(score->censored, expected->censored);
    assert_true(score->played);
}

static void assert_same_scores(const Playing *playing, const Score *expected, uint64_t count) {
    assert_int_equal(playing->games, count);
    for (uint64_t i = 0; i < count; i++)
        assert_same_score(&playing->score[i], &expected[i]);
}

static const int jobs_tried[] = {1, 2, 3};
#define FOR_JOBS for (size_t j = 0; j < sizeof jobs_tried / sizeof *jobs_tried; j++)

static void scores_do_not_depend_on_threads(void **state) {
    (void)state;
    FOR_JOBS {
        Playing playing = play((PlayingPlan){.games = GAMES, .work.jobs = jobs_tried[j]});
        assert_same_scores(&playing, fixture.expected, GAMES);
        assert_false(playing.interrupted);
        playing_free(&playing);
    }
}

static void fewer_games_than_threads_are_played_all(void **state) {
    (void)state;
    for (uint64_t games = 1; games <= 4; games++) {
        Playing playing = play((PlayingPlan){.games = games, .work.jobs = 3});
        assert_same_scores(&playing, fixture.expected, games);
        playing_free(&playing);
    }
}

static void max_pieces_censors_at_that_piece(void **state) {
    (void)state;
    int censored = 0;
    for (int i = 0; i < GAMES; i++)
        censored += fixture.expected_limited[i].censored;
    assert_in_range(censored, 1, GAMES - 1); // both kinds occur, else this would test little
    FOR_JOBS {
        Playing playing =
            play((PlayingPlan){.games = GAMES, .work.jobs = jobs_tried[j], .max_pieces = LIMIT});
        assert_same_scores(&playing, fixture.expected_limited, GAMES);
        playing_free(&playing);
    }
}

static void last_position_of_game_0_is_kept(void **state) {
    (void)state;
    Playing playing = play((PlayingPlan){.games = 9, .work.jobs = 2});
    assert_memory_equal(&playing.first.board, &fixture.last.board, sizeof(Board));
    assert_int_equal(playing.first.pieces, fixture.last.pieces);
    assert_int_equal(playing.first.lines, fixture.last.lines);
    assert_int_equal(playing.first.state, GAME_OVER);
    playing_free(&playing);
}

static void precision_asks_for_a_number_of_games(void **state) {
    (void)state;
    uint64_t need = interval_games_for(0.4, PLAYING_MAX_GAMES);
    assert_in_range(need, 10, GAMES);
    FOR_JOBS {
        Playing playing = play((PlayingPlan){.precision = 0.4, .work.jobs = jobs_tried[j]});
        assert_true(playing.precise);
        assert_same_scores(&playing, fixture.expected, need);
        playing_free(&playing);
    }
}

static void precision_with_a_limit_ends_at_the_last_ended_game_needed(void **state) {
    (void)state;
    uint64_t need = interval_games_for(1, PLAYING_MAX_GAMES), games = 0;
    for (uint64_t ended = 0; ended < need && games < GAMES; games++)
        ended += !fixture.expected_limited[games].censored;
    assert_in_range(games, need + 1, GAMES);
    FOR_JOBS {
        Playing playing =
            play((PlayingPlan){.precision = 1, .work.jobs = jobs_tried[j], .max_pieces = LIMIT});
        assert_true(playing.precise);
        assert_same_scores(&playing, fixture.expected_limited, games);
        playing_free(&playing);
    }
}

typedef struct Watch {
    volatile bool stop;
    uint64_t stop_at; // pieces
    Advance status;
} Watch;

static void watch_progress(void *context, const Advance *status) {
    Watch *watch = context;
    assert_true(status->pieces >= watch->status.pieces);
    watch->status = *status;
    if (status->pieces >= watch->stop_at)
        __atomic_store_n(&watch->stop, true, __ATOMIC_RELAXED);
}

static void progress_counts_every_piece_and_line(void **state) {
    (void)state;
    Watch watch = {.stop_at = UINT64_MAX};
    Playing playing = play((PlayingPlan){
        .games = GAMES, .work.jobs = 2, .work.progress = watch_progress, .work.context = &watch});
    uint64_t pieces = 0, lines = 0;
    for (int i = 0; i < GAMES; i++) {
        pieces += fixture.expected[i].pieces;
        lines += fixture.expected[i].lines;
    }
    assert_int_equal(watch.status.pieces, pieces);
    assert_int_equal(llround(watch.status.value * GAMES), lines);
    assert_int_equal(watch.status.wanted, GAMES);
    assert_int_equal(playing.pieces, pieces);
    playing_free(&playing);
}

// Each game has its whole score, or the one that it has after so many pieces.
static void assert_interrupted_well(const Playing *playing, int *censored) {
    assert_true(playing->interrupted);
    assert_in_range(playing->games, 1, LONG_GAMES);
    for (uint64_t i = 0; i < playing->games; i++) {
        bool ended = !playing->score[i].censored;
        Score alone = score_alone(i, ended ? UINT64_MAX : playing->score[i].pieces);
        assert_same_score(&playing->score[i], &alone);
        *censored += alone.censored;
    }
}

static void interrupted_run_censors_the_games_under_way(void **state) {
    (void)state;
    int censored = 0;
    Error error = {""};
    Fixture short_games = fixture;
    assert_true(rules_set(&fixture.rules, "board", "10x12", &error));
    fixture.player = player_new(&fixture.strategy, &fixture.rules, NULL, &error);
    assert_non_null(fixture.player);
    for (int jobs = 1; jobs <= 3; jobs++) {
        Watch watch = {.stop_at = 1}; // after the first slice: all games are still going, but for short ones
        Playing playing = play((PlayingPlan){.games = LONG_GAMES,
                                             .work.jobs = jobs,
                                             .work.stop = &watch.stop,
                                             .work.progress = watch_progress,
                                             .work.context = &watch});
        assert_interrupted_well(&playing, &censored);
        playing_free(&playing);
    }
    player_free(fixture.player);
    fixture = short_games;
    assert_true(censored > 0);
}

static void run_stopped_before_it_began_has_no_games(void **state) {
    (void)state;
    volatile bool stop = true;
    Playing playing = play((PlayingPlan){.games = GAMES, .work.jobs = 2, .work.stop = &stop});
    assert_true(playing.interrupted);
    assert_int_equal(playing.games, 0);
    playing_free(&playing);
}

static void a_recorded_sequence_is_one_game_that_is_censored_at_its_end(void **state) {
    (void)state;
    Error error = {""};
    Rules rules;
    rules_default(&rules);
    const uint8_t pieces[] = {PIECE_O, PIECE_I, PIECE_T};
    assert_true(piece_source_recorded(&rules.pieces, "three", pieces, 3, &error));
    Player *player = player_new(&fixture.strategy, &rules, NULL, &error);
    assert_non_null(player);
    Playing playing;
    PlayingPlan plan = {.player = player, .seed = 1, .games = 3, .work.jobs = 2};
    assert_false(playing_run(&playing, &plan, &error));
    assert_non_null(strstr(error.text, "one game"));
    playing_free(&playing);
    plan.games = 1;
    assert_true(playing_run(&playing, &plan, &error));
    assert_same_score(&playing.score[0], &(Score){.pieces = 3, .censored = true});
    playing_free(&playing);
    player_free(player);
    rules_free(&rules);
}

// ---- players that draw random numbers, and that remember

static Player *uct_player(TieRule ties, const char *database, const Rules *rules) {
    Strategy strategy = {.name = "planner"};
    Error error = {""};
    strategy_set_player(&strategy, PLAYER_UCT);
    strategy.ties = ties;
    strategy.uct.pieces = strategy.uct.preview = 3;
    strategy.uct.phases = 40;
    for (int rows = 0; rows < STRATEGY_ROWS; rows++)
        strategy.uct.gamma[rows] = -0.2; // games of several slices
    snprintf(strategy.uct.database, sizeof strategy.uct.database, "%s", database);
    Player *player = player_new(&strategy, rules, NULL, &error);
    if (!player)
        fail_msg("%s", error.text);
    return player;
}

// Game `number` with the pieces of game `pieces`, moves one after the other.
static Score played_alone(const Player *player, uint64_t pieces, uint64_t number) {
    const Rules *rules = player_rules(player);
    Game game;
    game_start(&game, rules, SEED, pieces);
    game.ties = random_stream(SEED, number, RANDOM_TIES);
    while (game.state == GAME_RUNNING) {
        Placement placement = player_choose(player, &game);
        if (placement == PLACEMENT_NONE)
            game_end(&game);
        else
            game_move(&game, rules, placement, NULL);
    }
    return (Score){.lines = game.lines, .pieces = game.pieces, .censored = game.state != GAME_OVER};
}

static void with_the_same_pieces_games_differ_by_their_random_numbers_alone(void **state) {
    (void)state;
    Player *player = uct_player(TIES_RANDOM, "", &fixture.rules);
    Error error = {""};
    FOR_JOBS {
        Playing playing;
        PlayingPlan plan = {
            .player = player, .seed = SEED, .games = 8, .same_pieces = true, .work.jobs = jobs_tried[j]};
        assert_true(playing_run(&playing, &plan, &error));
        bool differ = false;
        for (uint64_t k = 0; k < plan.games; k++) {
            Score alone = played_alone(player, 0, k);
            assert_same_score(&playing.score[k], &alone);
            differ |= playing.score[k].pieces != playing.score[0].pieces;
        }
        assert_true(differ);
        playing_free(&playing);
    }
    player_free(player);
}

static void the_same_pieces_are_for_players_that_draw_something(void **state) {
    (void)state;
    Error error = {""};
    Playing playing;
    PlayingPlan plan = {
        .player = fixture.player, .seed = SEED, .games = 3, .same_pieces = true, .work.jobs = 1};
    assert_false(playing_run(&playing, &plan, &error));
    assert_non_null(strstr(error.text, "bcts plays the same game every time"));
    playing_free(&playing);
}

// Whoever plans at random does so whatever the ties of the move.
static void a_planner_may_play_a_recorded_sequence_several_times(void **state) {
    (void)state;
    Error error = {""};
    Rules rules;
    rules_default(&rules);
    const uint8_t pieces[] = {PIECE_O, PIECE_I, PIECE_T};
    assert_true(rules_set(&rules, "board", "6x8", &error));
    assert_true(piece_source_recorded(&rules.pieces, "three", pieces, 3, &error));
    for (int k = 0; k < 2; k++) {
        Player *player = uct_player(k ? TIES_RANDOM : TIES_FIRST, "", &rules);
        Playing playing;
        PlayingPlan plan = {.player = player, .seed = SEED, .games = 3, .work.jobs = 1};
        assert_false(playing_is_fixed(player));
        assert_true(playing_run(&playing, &plan, &error));
        assert_int_equal(playing.games, 3);
        playing_free(&playing);
        player_free(player);
    }
    rules_free(&rules);
}

// On a narrow board games meet the same states again.
static void on_one_thread_a_player_learns_from_game_to_game(void **state) {
    (void)state;
    enum { FEW = 16 };
    Rules rules;
    rules_default(&rules);
    assert_true(rules_set(&rules, "board", "4x12", NULL));
    char folder[] = "/tmp/tetralab-playing-XXXXXX", path[64], command[64];
    Error error = {""};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/loop", folder);
    Player *player = uct_player(TIES_FIRST, path, &rules);
    Score expected[FEW];
    for (uint64_t k = 0; k < FEW; k++)
        expected[k] = played_alone(player, 0, k);
    player_free(player);
    snprintf(path, sizeof path, "%s/run", folder);
    player = uct_player(TIES_FIRST, path, &rules);
    assert_true(strategy_nature(player_strategy(player)).learns);
    Playing playing;
    PlayingPlan plan = {.player = player, .seed = SEED, .games = FEW, .same_pieces = true, .work.jobs = 1};
    assert_true(playing_run(&playing, &plan, &error));
    assert_same_scores(&playing, expected, FEW);
    playing_free(&playing);
    assert_true(player_flush(player, &error));
    player_free(player);
    rules_free(&rules);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

// A tree that is kept changes what planning draws next.
static void nothing_is_kept_for_games_that_the_limit_has_stopped(void **state) {
    (void)state;
    Error error = {""};
    Player *player = uct_player(TIES_RANDOM, "", &fixture.rules),
           *fresh = uct_player(TIES_RANDOM, "", &fixture.rules);
    Playing playing;
    PlayingPlan plan = {.player = player, .seed = SEED, .games = 3, .max_pieces = 2, .work.jobs = 1};
    assert_true(playing_run(&playing, &plan, &error));
    assert_int_equal(playing.first.state, GAME_STOPPED);
    Game a = playing.first, b = playing.first;
    a.state = b.state = GAME_RUNNING;
    assert_int_equal(player_choose(player, &a), player_choose(fresh, &b));
    assert_memory_equal(&a.ties, &b.ties, sizeof a.ties);
    playing_free(&playing);
    player_free(player);
    player_free(fresh);
}

static void impossible_plans_are_refused_with_the_value(void **state) {
    (void)state;
    static const struct {
        PlayingPlan plan;
        const char *text;
    } bad[] = {
        {{.games = PLAYING_MAX_GAMES + 1ull, .work.jobs = 1}, "10000001"},
        {{.games = 0, .precision = 0, .work.jobs = 1}, "precision"},
        {{.games = 0, .precision = NAN, .work.jobs = 1}, "precision"},
        {{.games = 1, .work.jobs = 0}, "not by 0"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Error error = {""};
        Playing playing;
        assert_false(playing_run(&playing, &bad[i].plan, &error));
        assert_non_null(strstr(error.text, bad[i].text));
        playing_free(&playing);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_do_not_depend_on_threads),
        cmocka_unit_test(fewer_games_than_threads_are_played_all),
        cmocka_unit_test(max_pieces_censors_at_that_piece),
        cmocka_unit_test(last_position_of_game_0_is_kept),
        cmocka_unit_test(precision_asks_for_a_number_of_games),
        cmocka_unit_test(precision_with_a_limit_ends_at_the_last_ended_game_needed),
        cmocka_unit_test(progress_counts_every_piece_and_line),
        cmocka_unit_test(interrupted_run_censors_the_games_under_way),
        cmocka_unit_test(run_stopped_before_it_began_has_no_games),
        cmocka_unit_test(a_recorded_sequence_is_one_game_that_is_censored_at_its_end),
        cmocka_unit_test(with_the_same_pieces_games_differ_by_their_random_numbers_alone),
        cmocka_unit_test(the_same_pieces_are_for_players_that_draw_something),
        cmocka_unit_test(a_planner_may_play_a_recorded_sequence_several_times),
        cmocka_unit_test(on_one_thread_a_player_learns_from_game_to_game),
        cmocka_unit_test(nothing_is_kept_for_games_that_the_limit_has_stopped),
        cmocka_unit_test(impossible_plans_are_refused_with_the_value),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
