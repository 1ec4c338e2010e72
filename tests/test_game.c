// SPDX-License-Identifier: GPL-3.0-or-later
// Whole games: what they count, and how they end.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "game/game.h"
#include "game/original.h"

// Sum of the column heights after the move: low means few holes and many lines.
static int cost(const Game *game, const Rules *rules, Placement placement) {
    Game trial = *game;
    int sum = 0;
    game_move(&trial, rules, placement, NULL);
    for (int x = 0; x < rules->width; x++)
        sum += column_height(trial.board.column[x]);
    return trial.pieces > game->pieces ? sum : 999;
}

// The best of some random placements, so that games last and lines are made; in some places any.
static Placement random_placement(const Game *game, const Rules *rules, Random *random) {
    Placement best = PLACEMENT_NONE;
    int best_cost = 1000;
    int tries = random_below(random, 10) ? 30 : 1;
    while (tries > 0 || best < 0) {
        Placement placement = (Placement)random_below(random, PLACEMENTS);
        if (!game_can_move(game, rules, placement))
            continue;
        int value = cost(game, rules, placement);
        if (value < best_cost) {
            best = placement;
            best_cost = value;
        }
        tries--;
    }
    return best;
}

// Plays one game and checks after every move what must hold.
static void play_checked(const Rules *rules, uint64_t seed, uint64_t index, uint64_t *lines) {
    Game game;
    Random random = random_stream(seed, index, RANDOM_TEST);
    game_start(&game, rules, seed, index);
    while (game.state == GAME_RUNNING && game.pieces < 300) {
        Game before = game;
        Landing landing;
        Placement placement = random_placement(&game, rules, &random);
        game_move(&game, rules, placement, &landing);
        int cells = board_cells(&game.board, BOARD_COLUMNS);
        assert_int_equal(cells, 4 * (int64_t)game.pieces - rules->width * (int64_t)game.lines);
        assert_int_equal(board_full_rows(&game.board, rules->width), 0);
        assert_true(board_pile_height(&game.board, rules->width) <= rules->height);
        if (game.pieces > before.pieces) {
            assert_int_equal(game.piece, before.next);
        } else {
            assert_int_equal(game.state, GAME_OVER);
            assert_memory_equal(&game.board, &before.board, sizeof game.board);
            assert_int_equal(game.lines, before.lines);
            assert_int_equal(game.piece, before.piece);
        }
    }
    *lines += game.lines;
}

static void cells_are_four_per_piece_less_the_lines_under_all_rules(void **state) {
    (void)state;
    const uint64_t seed = 7;
    uint64_t lines = 0, index = 0;
    print_message("seed %d\n", (int)seed);
    for (int width = 4; width <= 14; width++)
        for (int height = 4; height <= 27; height++)
            for (int variant = 0; variant < 4; variant++) {
                Rules rules;
                rules_default(&rules);
                rules.width = width;
                rules.height = height;
                rules.original = variant == 3;
                rules.overflow = (Overflow)(variant % 3);
                play_checked(&rules, seed, index++, &lines);
                rules_free(&rules);
            }
    assert_true(lines > 1000);
}

static void the_pieces_are_those_of_the_stream(void **state) {
    (void)state;
    Rules rules;
    rules_default(&rules);
    Game game;
    game_start(&game, &rules, 11, 3);
    PieceStream stream = piece_stream(&rules.pieces, 11, 3);
    for (int x = 0; x < 5; x++) {
        int piece = piece_stream_next(&stream);
        PieceStream ahead = stream;
        assert_int_equal(game.piece, piece);
        assert_int_equal(game.next, piece_stream_next(&ahead));
        game_move(&game, &rules, placement_make(0, x), NULL);
    }
    rules_free(&rules);
}

static void a_recorded_sequence_ends_the_game_after_its_last_piece(void **state) {
    (void)state;
    static const uint8_t pieces[] = {PIECE_O, PIECE_O, PIECE_I};
    Rules rules;
    Error error;
    Game game;
    rules_default(&rules);
    assert_true(piece_source_recorded(&rules.pieces, "three", pieces, 3, &error));
    game_start(&game, &rules, 1, 0);
    game_move(&game, &rules, placement_make(0, 0), NULL);
    assert_int_equal(game.next, PIECE_I);
    game_move(&game, &rules, placement_make(0, 2), NULL);
    assert_int_equal(game.state, GAME_RUNNING);
    assert_int_equal(game.next, -1);
    game_move(&game, &rules, placement_make(0, 4), NULL);
    assert_int_equal(game.state, GAME_NO_PIECES);
    assert_int_equal(game.piece, -1);
    assert_int_equal(game.pieces, 3);
    rules_free(&rules);
}

// O on a 4x4 board: two fill the lower rows, which vanish; the third on one column does not fit.
static void a_fatal_move_leaves_board_and_score(void **state) {
    (void)state;
    Rules rules;
    Error error;
    Game game;
    Landing landing;
    rules_default(&rules);
    assert_true(rules_set(&rules, "board", "4x4", &error) && rules_set(&rules, "pieces", "O:1", &error));
    game_start(&game, &rules, 1, 0);
    game_move(&game, &rules, placement_make(0, 0), NULL);
    game_move(&game, &rules, placement_make(0, 2), &landing);
    assert_int_equal(landing.lines, 2);
    assert_int_equal(landing.eroded, 4);
    assert_int_equal(game.lines, 2);
    game_move(&game, &rules, placement_make(0, 1), NULL);
    game_move(&game, &rules, placement_make(0, 1), NULL);
    assert_int_equal(game.state, GAME_RUNNING);
    Board before = game.board;
    game_move(&game, &rules, placement_make(0, 1), &landing);
    assert_int_equal(game.state, GAME_OVER);
    assert_int_equal(landing.row, 4);
    assert_int_equal(game.pieces, 4);
    assert_memory_equal(&game.board, &before, sizeof before);
    rules_free(&rules);
}

static void placements_outside_the_walls_are_not_possible(void **state) {
    (void)state;
    static const int expected[PIECES] = {9, 17, 17, 17, 34, 34, 34};
    Rules rules;
    Game game;
    rules_default(&rules);
    game_start(&game, &rules, 1, 0);
    for (game.piece = 0; game.piece < PIECES; game.piece++) {
        int possible = 0;
        for (Placement p = -1; p <= PLACEMENTS; p++)
            possible += game_can_move(&game, &rules, p);
        assert_int_equal(possible, expected[game.piece]);
    }
    game_end(&game);
    assert_int_equal(game.state, GAME_OVER);
    rules_free(&rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_four_per_piece_less_the_lines_under_all_rules),
        cmocka_unit_test(the_pieces_are_those_of_the_stream),
        cmocka_unit_test(a_recorded_sequence_ends_the_game_after_its_last_piece),
        cmocka_unit_test(a_fatal_move_leaves_board_and_score),
        cmocka_unit_test(placements_outside_the_walls_are_not_possible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
