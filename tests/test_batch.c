// SPDX-License-Identifier: GPL-3.0-or-later
// Batches of games: the same games as everywhere else, and arrays that tell the truth about them, against
// plain games one after the other.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/batch.h"
#include "api/batch_arrays.h"
#include "effort.h"
#include "feature/reference.h"
#include "game/moves.h"
#include "player_cases.h"

static Error error;

#define assert_done(call)                                                                                    \
    do {                                                                                                     \
        if (!(call))                                                                                         \
            fail_msg("%s", error.text);                                                                      \
    } while (0)

// A batch with all its arrays bound.
typedef struct Bench {
    Batch *batch;
    void *array[BATCH_MAX_ARRAYS], *final[BATCH_MAX_ARRAYS];
} Bench;

static void *bind(Batch *batch, const char *prefix, const BatchArray *array) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", prefix, array->name);
    size_t bytes = batch->games * batch_array_bytes(batch, array);
    void *data = bytes ? calloc(1, bytes) : NULL;
    if (data)
        assert_done(batch_bind(batch, name, data, bytes, &error));
    return data;
}

static void bind_all(Bench *bench) {
    for (int i = 0; batch_array(i); i++) {
        bench->array[i] = bind(bench->batch, "", batch_array(i));
        bench->final[i] = batch_array(i)->observed ? bind(bench->batch, "final-", batch_array(i)) : NULL;
    }
}

static Bench bench_new(const Rules *rules, uint64_t max_pieces, size_t games, const BatchPlan *plan) {
    Bench bench = {.batch = batch_new(rules, max_pieces, games, &error)};
    assert_done(bench.batch);
    if (plan)
        batch_set_plan(bench.batch, plan);
    bind_all(&bench);
    return bench;
}

static void bench_free(Bench *bench) {
    for (int i = 0; i < BATCH_MAX_ARRAYS; i++) {
        free(bench->array[i]);
        free(bench->final[i]);
    }
    batch_free(bench->batch);
}

static BatchPlan plan_of(BatchReset autoreset) {
    BatchPlan plan;
    fields_preset(batch_fields, &plan);
    plan.autoreset = autoreset;
    return plan;
}

// <- the array of this name
static void *array_of(void *const *arrays, const char *name) {
    for (int i = 0; batch_array(i); i++)
        if (!strcmp(batch_array(i)->name, name))
            return arrays[i];
    fail_msg("There is no array %s.", name);
    return NULL;
}

static void reset_to(Batch *batch, uint64_t seed) {
    uint64_t *seeds = calloc(batch->games, sizeof *seeds), *numbers = calloc(batch->games, sizeof *numbers);
    for (size_t k = 0; k < batch->games; k++) {
        seeds[k] = seed;
        numbers[k] = k;
    }
    batch_reset(batch, seeds, numbers, NULL);
    free(seeds);
    free(numbers);
}

// Do the arrays say what the game is? -> k  its place; `any`: the next step takes any action
static void compare_state(const Batch *batch, void *const *arrays, size_t k, const Game *game, bool any) {
    const Rules *rules = batch->rules;
    int width = rules->width, height = rules->height, actions = 4 * width;
    const uint32_t *columns = (uint32_t *)array_of(arrays, "columns") + k * (size_t)width;
    const uint8_t *cells = (uint8_t *)array_of(arrays, "cells") + k * (size_t)(width * height);
    const uint8_t *queue = (uint8_t *)array_of(arrays, "queue") + k * (size_t)(1 + batch->plan.previews);
    const uint8_t *mask = (uint8_t *)array_of(arrays, "mask") + k * (size_t)actions;
    const uint8_t *safe = (uint8_t *)array_of(arrays, "safe") + k * (size_t)actions;
    assert_memory_equal(columns, game->board.column, (size_t)width * sizeof *columns);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            assert_int_equal(cells[(height - 1 - y) * width + x], game->board.column[x] >> y & 1);
    assert_int_equal(((int64_t *)array_of(arrays, "lines"))[k], game->lines);
    assert_int_equal(((int64_t *)array_of(arrays, "pieces"))[k], game->pieces);
    PieceStream stream = game->stream;
    for (int i = 0; i <= batch->plan.previews; i++) {
        int piece = i == 0 ? game->piece : i == 1 ? game->next : piece_stream_next(&stream);
        assert_int_equal(queue[i], piece < 0 ? 7 : piece);
    }
    Moves moves = {0};
    if (game->state == GAME_RUNNING)
        moves_list(&moves, rules, &game->board, game->piece);
    for (int a = 0; a < actions; a++) {
        Placement placement = placement_make(a / width, a % width);
        assert_int_equal(mask[a], any || moves.possible >> placement & 1);
        assert_int_equal(safe[a], moves.safe >> placement & 1);
    }
    assert_int_equal(board_cells(&game->board, width), 4 * game->pieces - (uint64_t)width * game->lines);
}

// <- a possible action at random, mostly one that does not end the game, so that games last
static int64_t random_action(const uint8_t *mask, const uint8_t *safe, int actions, Random *random) {
    bool careful = random_below(random, 16) > 0;
    for (int tries = 0; tries < 10000; tries++) {
        int action = (int)random_below(random, (uint32_t)actions);
        if (mask[action] && (safe[action] || !careful))
            return action;
        careful = careful && tries < 5000;
    }
    fail_msg("No action is possible.");
    return -1;
}

// The plain model of one place of the batch: a game, and what the mode does when it has ended.
typedef struct Place {
    Game game;
    uint64_t number;
    bool over, terminated, truncated, started;
    double reward;
    Game final;
} Place;

enum { PLACES = 7, LIMIT = 40 };

static void place_start(Place *place, const Rules *rules, uint64_t number) {
    place->number = number;
    game_start(&place->game, rules, 5, number);
    place->over = false;
    place->started = true;
}

static void place_step(Place *place, const Rules *rules, const BatchPlan *plan, int64_t action) {
    static const double uct[] = {0, 0.1, 0.3, 0.6, 1};
    place->reward = 0;
    place->terminated = place->truncated = place->started = false;
    if (place->over) {
        place_start(place, rules, place->number + plan->stride);
        return;
    }
    uint64_t lines = place->game.lines;
    Placement placement = placement_make((int)action / rules->width, (int)action % rules->width);
    game_move(&place->game, rules, placement, NULL);
    lines = place->game.lines - lines;
    place->terminated = place->game.state == GAME_OVER;
    place->truncated =
        !place->terminated && (place->game.state != GAME_RUNNING || place->game.pieces == LIMIT);
    place->reward = plan->reward == BATCH_UCT ? uct[lines] - place->terminated : (double)lines;
    place->over = place->terminated || place->truncated;
    if (place->over)
        place->game.state = place->terminated ? GAME_OVER : GAME_STOPPED;
    if (place->over && plan->autoreset == BATCH_SAME_STEP) {
        place->final = place->game;
        place_start(place, rules, place->number + plan->stride);
    }
}

static void compare_places(const Bench *bench, const Place *places) {
    const Batch *batch = bench->batch;
    BatchReset mode = batch->plan.autoreset;
    for (size_t k = 0; k < PLACES; k++) {
        const Place *place = &places[k];
        compare_state(batch, bench->array, k, &place->game, place->over && mode == BATCH_NEXT_STEP);
        assert_true(((double *)array_of(bench->array, "reward"))[k] == place->reward);
        assert_int_equal(((uint8_t *)array_of(bench->array, "terminated"))[k], place->terminated);
        assert_int_equal(((uint8_t *)array_of(bench->array, "truncated"))[k], place->truncated);
        assert_int_equal(((uint8_t *)array_of(bench->array, "started"))[k], place->started);
        assert_int_equal(((int64_t *)array_of(bench->array, "number"))[k], place->number);
        assert_int_equal(((uint64_t *)array_of(bench->array, "seed"))[k], 5);
        if (mode == BATCH_SAME_STEP && (place->terminated || place->truncated))
            compare_state(batch, bench->final, k, &place->final, false);
    }
}

// With autoreset disabled games that are over cannot be stepped, and are started anew by hand.
static void reset_places(Bench *bench, Place *places) {
    uint8_t chosen[PLACES];
    bool any = false;
    for (size_t k = 0; k < PLACES; k++) {
        any |= chosen[k] = places[k].over;
        if (!places[k].over)
            places[k].started = false;
    }
    if (!any)
        return;
    int64_t actions[PLACES] = {0};
    const uint8_t *mask = array_of(bench->array, "mask");
    for (size_t k = 0; k < PLACES; k++)
        while (!places[k].over && !mask[k * (size_t)bench->batch->actions + (size_t)actions[k]])
            actions[k]++;
    assert_false(batch_step(bench->batch, actions, &error));
    assert_non_null(strstr(error.text, "is over"));
    batch_reset(bench->batch, NULL, NULL, chosen);
    for (size_t k = 0; k < PLACES; k++)
        if (chosen[k]) {
            place_start(&places[k], bench->batch->rules, places[k].number + bench->batch->plan.stride);
            places[k].reward = places[k].terminated = places[k].truncated = 0;
        }
    compare_places(bench, places);
}

static void follow(const Rules *rules, const BatchPlan *plan, int steps, Random *random) {
    Bench bench = bench_new(rules, LIMIT, PLACES, plan);
    Place places[PLACES] = {0};
    int64_t actions[PLACES];
    const uint8_t *mask = array_of(bench.array, "mask"), *safe = array_of(bench.array, "safe");
    reset_to(bench.batch, 5);
    for (size_t k = 0; k < PLACES; k++)
        place_start(&places[k], rules, k);
    compare_places(&bench, places);
    for (int step = 0; step < steps; step++) {
        for (size_t k = 0; k < PLACES; k++) {
            size_t row = k * (size_t)bench.batch->actions;
            actions[k] = places[k].over ? (int64_t)random_next(random) // which may be anything
                                        : random_action(mask + row, safe + row, bench.batch->actions, random);
            place_step(&places[k], rules, plan, actions[k]);
        }
        assert_done(batch_step(bench.batch, actions, &error));
        compare_places(&bench, places);
        if (plan->autoreset == BATCH_DISABLED)
            reset_places(&bench, places);
    }
    bench_free(&bench);
}

// ---- tests

static void every_mode_of_autoreset_is_what_plain_games_do_under_all_rules(void **state) {
    (void)state;
    Random random = random_stream(SEED, 1, RANDOM_TEST);
    for (int c = 0; c < CASES; c++)
        for (int mode = 0; mode < 3; mode++) {
            Rules rules = make_rules(&cases[c]);
            BatchPlan plan = plan_of((BatchReset)mode);
            plan.reward = c % 2 ? BATCH_UCT : BATCH_LINES;
            plan.previews = (c * 3 + mode) % 6;
            plan.stride = c % 3 ? PLACES : 1;
            follow(&rules, &plan, (int)test_effort(400), &random);
            rules_free(&rules);
        }
}

static void a_sequence_of_pieces_that_ends_stops_its_game(void **state) {
    (void)state;
    static const uint8_t pieces[] = {PIECE_T, PIECE_S, PIECE_O, PIECE_I, PIECE_Z, PIECE_L, PIECE_J, PIECE_O};
    Rules rules;
    Random random = random_stream(SEED, 2, RANDOM_TEST);
    for (int mode = 0; mode < 3; mode++) {
        rules_default(&rules);
        assert_done(piece_source_recorded(&rules.pieces, "test", pieces, sizeof pieces, &error));
        BatchPlan plan = plan_of((BatchReset)mode);
        plan.previews = 4;
        follow(&rules, &plan, 60, &random);
        rules_free(&rules);
    }
}

// Plays the games of a batch and, beside it, each of them by choosing and moving.
static void compare_played(const Player *player, const Rules *rules, bool by_actions) {
    enum { GAMES = 5 };
    int moves = (int)test_effort(60);
    BatchPlan plan = plan_of(BATCH_DISABLED);
    Bench bench = bench_new(rules, UINT64_MAX, GAMES, &plan);
    Game game[GAMES];
    int64_t actions[GAMES];
    reset_to(bench.batch, SEED);
    for (uint64_t k = 0; k < GAMES; k++)
        game_start(&game[k], rules, SEED, k);
    for (int m = 0; m < moves; m++) {
        if (by_actions) {
            assert_done(batch_choose(bench.batch, player, actions, &error));
            assert_done(batch_step(bench.batch, actions, &error));
        } else {
            assert_done(batch_play(bench.batch, player, &error));
        }
        bool over = false;
        for (size_t k = 0; k < GAMES; k++) {
            choose_and_move(player, &game[k]);
            compare_state(bench.batch, bench.array, k, &game[k], false);
            over |= game[k].state != GAME_RUNNING;
            assert_int_equal(((uint8_t *)array_of(bench.array, "terminated"))[k], game[k].state == GAME_OVER);
        }
        if (over)
            break;
    }
    bench_free(&bench);
}

static void players_play_the_same_games_in_batches_move_for_move(void **state) {
    (void)state;
    for (int c = 0; c < CASES; c++)
        for (int s = 0; tried_strategy(s); s++) {
            Rules rules = make_rules(&cases[c]);
            Player *player = make_player(tried_strategy(s), &rules, NULL);
            if (player)
                compare_played(player, &rules, (c + s) % 2);
            player_free(player);
            rules_free(&rules);
        }
}

// By turns: players that are freed and made anew, actions, and games that begin.
static void players_may_take_turns_in_the_same_games(void **state) {
    (void)state;
    enum { GAMES = 20 };
    static const char *const names[] = {"bcts", "dellacherie", "dt-10"};
    static const char changes[] =
        "{\"weights\": {\"delta-holes\": -4, \"delta-max-height\": -3, \"wells\": -1}}";
    Rules rules = make_rules(&cases[1]);
    Random random = random_stream(SEED, 3, RANDOM_TEST);
    BatchPlan plan = plan_of(BATCH_SAME_STEP);
    Bench bench = bench_new(&rules, UINT64_MAX, GAMES, &plan);
    Game game[GAMES];
    uint64_t number[GAMES];
    Player *player = NULL;
    reset_to(bench.batch, SEED);
    for (uint64_t k = 0; k < GAMES; k++)
        game_start(&game[k], &rules, SEED, number[k] = k);
    for (int m = 0; m < 600; m++) {
        Strategy strategy;
        if (m % 3 == 0) {
            player_free(player); // the next one may well be where this one was
            int which = random_between(&random, 0, 3);
            assert_done(which < 3 ? strategy_find(&strategy, names[which], &error)
                                  : strategy_parse_json(&strategy, "c", changes, strlen(changes), &error));
            player = make_player(&strategy, &rules, NULL);
        }
        int64_t actions[GAMES];
        if (random_below(&random, 4) == 0) {
            assert_done(batch_choose(bench.batch, player, actions, &error));
            assert_done(batch_step(bench.batch, actions, &error));
        } else {
            assert_done(batch_play(bench.batch, player, &error));
        }
        for (size_t k = 0; k < GAMES; k++) {
            choose_and_move(player, &game[k]);
            if (game[k].state != GAME_RUNNING)
                game_start(&game[k], &rules, SEED, ++number[k]);
            compare_state(bench.batch, bench.array, k, &game[k], false);
        }
    }
    player_free(player);
    bench_free(&bench);
    rules_free(&rules);
}

static void actions_that_are_not_possible_change_nothing_or_end_their_game(void **state) {
    (void)state;
    Rules rules;
    rules_default(&rules);
    Bench bench = bench_new(&rules, UINT64_MAX, 3, NULL);
    BatchGame before[3];
    static const int64_t wrong[] = {-1, 40, INT64_MIN, INT64_MAX, 19}; // 19: no piece is that far right
    for (int i = 0; i < 5; i++) {
        int64_t actions[] = {0, wrong[i], 0};
        memcpy(before, bench.batch->game, sizeof before);
        assert_false(batch_step(bench.batch, actions, &error));
        assert_non_null(strstr(error.text, "Game 1 of the batch"));
        assert_memory_equal(before, bench.batch->game, sizeof before);
    }
    BatchPlan plan = plan_of(BATCH_NEXT_STEP);
    plan.illegal = BATCH_END;
    plan.reward = BATCH_UCT;
    batch_set_plan(bench.batch, &plan);
    assert_null(bench.batch->bound[0]); // shapes may have changed
    int64_t actions[] = {0, 19, 0};
    assert_done(batch_step(bench.batch, actions, &error));
    assert_true(bench.batch->game[1].terminated && bench.batch->game[1].reward == -1);
    assert_false(bench.batch->game[0].terminated || bench.batch->game[2].terminated);
    assert_int_equal(bench.batch->game[1].game.pieces, 0);
    bench_free(&bench);
    rules_free(&rules);
}

static void threads_change_nothing(void **state) {
    (void)state;
    enum { GAMES = 700 };
    Rules rules = make_rules(&cases[4]);
    Strategy strategy;
    assert_done(strategy_find(&strategy, "xtris", &error)); // which draws random numbers
    Player *player = make_player(&strategy, &rules, NULL);
    Bench bench[2];
    for (int b = 0; b < 2; b++) {
        BatchPlan plan = plan_of(BATCH_SAME_STEP);
        plan.threads = b ? 3 : 1;
        bench[b] = bench_new(&rules, 30, GAMES, &plan);
        reset_to(bench[b].batch, 9);
    }
    int64_t actions[2][GAMES];
    for (int step = 0; step < 40; step++)
        for (int b = 0; b < 2; b++) {
            if (step % 4) {
                assert_done(batch_play(bench[b].batch, player, &error));
            } else {
                assert_done(batch_choose(bench[b].batch, player, actions[b], &error));
                assert_done(batch_step(bench[b].batch, actions[b], &error));
            }
            for (int i = 0; b && batch_array(i); i++) {
                size_t bytes = GAMES * batch_array_bytes(bench[0].batch, batch_array(i));
                if (bytes)
                    assert_memory_equal(bench[0].array[i], bench[1].array[i], bytes);
                if (bytes && batch_array(i)->observed)
                    assert_memory_equal(bench[0].final[i], bench[1].final[i], bytes);
            }
        }
    bench_free(&bench[0]);
    bench_free(&bench[1]);
    player_free(player);
    rules_free(&rules);
}

static void compare_features(const FeatureList *list, const Rules *rules, const Board *board, int piece) {
    float of_moves[64 * FEATURES * BOARD_MAX_WIDTH];
    int values = feature_list_values(list), at = 0, width = rules->width;
    Moves moves;
    moves_list(&moves, rules, board, piece);
    feature_list_of_moves(list, board, piece, of_moves);
    for (int f = 0; f < FEATURES; f++)
        for (int i = 0; i < feature_values((FeatureId)f, width); i++, at++) {
            for (int a = 0; a < 4 * width; a++) {
                Placement placement = placement_make(a / width, a % width);
                double expected = 0;
                if (moves.possible >> placement & 1) {
                    Board after;
                    Situation situation =
                        situation_of_move(rules, board, piece, &moves.move[placement], &after);
                    expected = feature_reference((FeatureId)f, &situation, i);
                }
                if (of_moves[a * values + at] != (float)expected)
                    fail_msg("%s of a move", feature_info[f].name);
            }
        }
    assert_int_equal(at, values);
}

static void features_of_moves_are_those_of_the_definitions(void **state) {
    (void)state;
    FeatureId all[FEATURES];
    for (int f = 0; f < FEATURES; f++)
        all[f] = (FeatureId)f;
    for (int c = 0; c < CASES; c++) {
        Rules rules = make_rules(&cases[c]);
        FeatureList *list = feature_list_new(all, FEATURES, &rules, &error);
        assert_done(list);
        for (uint64_t i = 0; i < test_effort(20); i++) {
            Game game;
            start(&game, &rules, i);
            compare_features(list, &rules, &game.board, game.piece);
        }
        feature_list_free(list);
        rules_free(&rules);
    }
}

static void chosen_features_are_written_for_every_game(void **state) {
    (void)state;
    static const FeatureId chosen[] = {FEATURE_COLUMN_HEIGHTS, FEATURE_HOLES};
    Rules rules = make_rules(&cases[4]);
    Bench bench = {.batch = batch_new(&rules, UINT64_MAX, 3, &error)};
    float data[1];
    assert_false(batch_bind(bench.batch, "features", data, sizeof data, &error));
    assert_non_null(strstr(error.text, "choose features"));
    assert_done(batch_set_features(bench.batch, chosen, 2, &error));
    bind_all(&bench);
    int64_t actions[] = {0, 3, 6};
    assert_done(batch_step(bench.batch, actions, &error));
    const float *features = array_of(bench.array, "features"),
                *moves = array_of(bench.array, "move-features");
    for (int k = 0; k < 3; k++) {
        const Game *game = &bench.batch->game[k].game;
        for (int x = 0; x < 10; x++)
            assert_int_equal((int)features[k * 11 + x], column_height(game->board.column[x]));
        Board after = game->board;
        const Shape *shape = &piece_shape[game->piece][0];
        board_place(&after, 10, shape, 0, board_drop_row(&after, shape, 0));
        for (int x = 0; x < 10; x++)
            assert_int_equal((int)moves[k * 40 * 11 + x], column_height(after.column[x]));
    }
    bench_free(&bench);
    rules_free(&rules);
}

static void wrong_arrays_and_players_are_refused(void **state) {
    (void)state;
    Rules rules = make_rules(&cases[0]), other = make_rules(&cases[1]);
    Bench bench = bench_new(&rules, UINT64_MAX, 2, NULL);
    uint32_t data[21];
    assert_false(batch_bind(bench.batch, "colums", data, sizeof data, &error));
    assert_non_null(strstr(error.text, "\"columns\""));
    assert_false(batch_bind(bench.batch, "final-reward", data, sizeof data, &error));
    assert_false(batch_bind(bench.batch, "columns", data, sizeof data, &error));
    assert_non_null(strstr(error.text, "has 80 bytes"));
    assert_false(batch_bind(bench.batch, "columns", (char *)data + 1, 80, &error));
    assert_non_null(strstr(error.text, "aligned"));
    assert_null(batch_new(&rules, UINT64_MAX, 0, &error));
    assert_null(batch_new(&rules, UINT64_MAX, BATCH_MAX_GAMES + 1, &error));
    Player *player = make_player(strategy_builtin(0), &other, NULL);
    assert_false(batch_play(bench.batch, player, &error));
    assert_non_null(strstr(error.text, "other rules"));
    player_free(player);
    bench_free(&bench);
    rules_free(&rules);
    rules_free(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mode_of_autoreset_is_what_plain_games_do_under_all_rules),
        cmocka_unit_test(a_sequence_of_pieces_that_ends_stops_its_game),
        cmocka_unit_test(players_play_the_same_games_in_batches_move_for_move),
        cmocka_unit_test(players_may_take_turns_in_the_same_games),
        cmocka_unit_test(actions_that_are_not_possible_change_nothing_or_end_their_game),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(features_of_moves_are_those_of_the_definitions),
        cmocka_unit_test(chosen_features_are_written_for_every_game),
        cmocka_unit_test(wrong_arrays_and_players_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
