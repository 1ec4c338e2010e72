// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "game/replay.h"

// The move with the lowest sum of column heights, or none if all end the game.
static Placement low_placement(const Game *game, const Rules *rules) {
    Placement best = PLACEMENT_NONE;
    int best_sum = 9999;
    for (Placement p = 0; p < PLACEMENTS; p++) {
        if (!game_can_move(game, rules, p))
            continue;
        Game trial = *game;
        int sum = 0;
        game_move(&trial, rules, p, NULL);
        for (int x = 0; x < rules->width; x++)
            sum += column_height(trial.board.column[x]);
        if (trial.pieces > game->pieces && sum < best_sum) {
            best = p;
            best_sum = sum;
        }
    }
    return best;
}

// Plays a game and records it. With gameover evaluate a last move that ends the game is played, too.
static void record(Replay *replay, const Rules *rules, uint64_t seed, uint64_t index, uint64_t limit) {
    Game game;
    Error error;
    replay_start(replay, rules, "low", seed, index);
    game_start(&game, rules, seed, index);
    while (game.state == GAME_RUNNING && game.pieces < limit) {
        Placement placement = low_placement(&game, rules);
        if (placement < 0 && rules->gameover == GAMEOVER_EVALUATE)
            placement = placement_make(0, 0);
        if (placement < 0) {
            game_end(&game);
            break;
        }
        assert_true(replay_add(replay, game.piece, placement, &error));
        game_move(&game, rules, placement, NULL);
    }
    if (game.state == GAME_RUNNING)
        game.state = GAME_STOPPED;
    replay_end(replay, &game);
}

static void assert_same_replay(const Replay *a, const Replay *b) {
    assert_int_equal(a->rules.width, b->rules.width);
    assert_int_equal(a->rules.height, b->rules.height);
    assert_int_equal(a->rules.overflow, b->rules.overflow);
    assert_int_equal(a->rules.gameover, b->rules.gameover);
    assert_int_equal(a->rules.original, b->rules.original);
    assert_int_equal(a->rules.pieces.law, b->rules.pieces.law);
    assert_string_equal(a->rules.pieces.name, b->rules.pieces.name);
    assert_string_equal(a->strategy, b->strategy);
    assert_int_equal(a->seed, b->seed);
    assert_int_equal(a->index, b->index);
    assert_int_equal(a->length, b->length);
    if (a->length)
        assert_memory_equal(a->moves, b->moves, a->length);
    assert_int_equal(a->pieces, b->pieces);
    assert_int_equal(a->lines, b->lines);
    assert_memory_equal(a->column, b->column, sizeof a->column);
    assert_int_equal(a->state, b->state);
    assert_int_equal(a->hand, b->hand);
    assert_int_equal(a->next, b->next);
}

static Rules make_rules(const char *board, const char *overflow, const char *gameover, const char *kind,
                        const char *pieces) {
    Rules rules;
    Error error;
    rules_default(&rules);
    if (!rules_set(&rules, "board", board, &error) || !rules_set(&rules, "overflow", overflow, &error) ||
        !rules_set(&rules, "gameover", gameover, &error) || !rules_set(&rules, "rules", kind, &error) ||
        !rules_set(&rules, "pieces", pieces, &error))
        fail_msg("%s", error.text);
    return rules;
}

// <- the text of a recorded game; free() it
static char *recorded_text(const char *pieces, size_t *length) {
    Rules rules = make_rules("6x8", "lenient", "avoid", "simplified", pieces);
    Replay replay;
    record(&replay, &rules, 5, 2, 40);
    Error error;
    char *text = replay_to_text(&replay, length, &error);
    assert_non_null(text);
    replay_free(&replay);
    rules_free(&rules);
    return text;
}

static void what_is_written_reads_back_and_replays_to_the_same_score(void **state) {
    (void)state;
    static const char *const variants[][5] = {
        {"10x20", "lenient", "avoid", "simplified", "uniform"},
        {"5x7", "strict", "evaluate", "simplified", "hard"},
        {"14x27", "touch", "avoid", "simplified", "bag"},
        {"10x12", "lenient", "avoid", "original", "sz"},
        {"4x4", "lenient", "evaluate", "original", "I:0.1,S:1"},
        {"4x5", "touch", "evaluate", "simplified", "T:1"},
    };
    char path[64];
    Error error;
    unsigned states = 0;
    snprintf(path, sizeof path, "test_replay.%d.txt", (int)getpid());
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        for (uint64_t index = 0; index < 5; index++) {
            const char *const *v = variants[i];
            Rules rules = make_rules(v[0], v[1], v[2], v[3], v[4]);
            Replay written, read;
            Game game;
            record(&written, &rules, 1, index, 300);
            assert_true(replay_write(&written, path, &error));
            if (!replay_read(&read, path, &error) || !replay_check(&read, &game, &error))
                fail_msg("%s", error.text);
            assert_same_replay(&written, &read);
            assert_int_equal(game.lines, written.lines);
            assert_int_equal(game.state, written.state);
            states |= 1u << game.state;
            replay_free(&written);
            replay_free(&read);
            rules_free(&rules);
        }
    assert_int_equal(states, 1 << GAME_OVER | 1 << GAME_STOPPED);
    remove(path);
}

static void a_game_with_recorded_pieces_replays_without_their_file(void **state) {
    (void)state;
    static const uint8_t pieces[] = {PIECE_T, PIECE_S, PIECE_O, PIECE_I, PIECE_L, PIECE_J, PIECE_Z};
    for (uint64_t limit = 0; limit <= 7; limit++) {
        Rules rules;
        Error error;
        Replay replay, again;
        Game game;
        size_t length;
        rules_default(&rules);
        assert_true(piece_source_recorded(&rules.pieces, "a file\nname", pieces, sizeof pieces, &error));
        record(&replay, &rules, 1, 0, limit);
        rules_free(&rules);
        assert_int_equal(replay.state, limit < 7 ? GAME_STOPPED : GAME_NO_PIECES);
        char *text = replay_to_text(&replay, &length, &error);
        assert_non_null(strstr(text, "\npieces recorded a file?name\n"));
        if (!replay_parse(&again, "text", text, length, &error) || !replay_check(&again, &game, &error))
            fail_msg("%s", error.text);
        assert_same_replay(&replay, &again);
        assert_int_equal(game.pieces, limit);
        assert_int_equal(piece_stream_next(&game.stream), -1);
        free(text);
        replay_free(&replay);
        replay_free(&again);
    }
}

static void windows_line_ends_and_any_order_of_fields_are_accepted(void **state) {
    (void)state;
    const char *text =
        "tetralab game 1\r\nseed 18446744073709551615 game 7\r\nstrategy my own player\r\n"
        "rules simplified\r\npieces recorded x\r\ngameover avoid\r\noverflow strict\r\nboard 4x4\r\n"
        "moves I0:0 o0:2\r\nend pieces 2 lines 1 columns 0,0,3,3 state stopped hand T next -\r\n\r\n";
    Replay replay;
    Error error;
    Game game;
    if (!replay_parse(&replay, "text", text, strlen(text), &error) || !replay_check(&replay, &game, &error))
        fail_msg("%s", error.text);
    assert_string_equal(replay.strategy, "my own player");
    assert_int_equal(replay.seed, UINT64_MAX);
    assert_int_equal(game.lines, 1);
    replay_free(&replay);
}

static void every_truncation_is_an_error_or_an_equal_game(void **state) {
    (void)state;
    static const char *const sources[] = {"uniform", "bag", "S:1,Z:1"};
    for (int i = 0; i < 3; i++) {
        size_t length, accepted = 0;
        char *text = recorded_text(sources[i], &length);
        Replay whole;
        Error error;
        assert_true(replay_parse(&whole, "text", text, length, &error));
        for (size_t cut = 0; cut < length; cut++) {
            char *part = malloc(cut + 1); // its own block, so that reading too far is noticed
            memcpy(part, text, cut);
            Replay replay;
            if (replay_parse(&replay, "text", part, cut, &error)) {
                assert_same_replay(&replay, &whole);
                accepted++;
            }
            replay_free(&replay);
            free(part);
        }
        assert_int_equal(accepted, 1); // only the last line end is missing
        replay_free(&whole);
        free(text);
    }
}

// Every piece is changed into another one, and every placement shifted by a column.
static void a_changed_move_is_found(void **state) {
    (void)state;
    Rules rules = make_rules("6x8", "lenient", "avoid", "simplified", "uniform");
    Replay replay;
    Error error;
    Game game;
    record(&replay, &rules, 5, 2, 1000);
    assert_int_equal(replay.state, GAME_OVER);
    assert_true(replay_check(&replay, &game, &error));
    for (size_t i = 0; i < replay.length; i += 2) {
        uint8_t piece = replay.moves[i];
        replay.moves[i] = (uint8_t)((piece + 1) % PIECES);
        assert_false(replay_check(&replay, &game, &error));
        assert_non_null(strstr(error.text, "but the piece in hand is a"));
        replay.moves[i] = piece;
    }
    assert_true(replay.length > 20);
    for (size_t i = 1; i < replay.length; i += 2) {
        uint8_t kept = replay.moves[i];
        replay.moves[i] = kept & 15 ? kept - 1 : kept + 1;
        assert_false(replay_check(&replay, &game, &error));
        replay.moves[i] = kept;
    }
    replay_free(&replay);
    rules_free(&rules);
}

static void a_changed_result_is_found(void **state) {
    (void)state;
    Rules rules = make_rules("6x8", "lenient", "avoid", "simplified", "uniform");
    Replay replay;
    Error error;
    Game game;
    record(&replay, &rules, 5, 2, 1000);
    Replay changed = replay;
    changed.lines++;
    assert_false(replay_check(&changed, &game, &error));
    assert_non_null(strstr(error.text, "but the record says"));
    changed = replay;
    changed.pieces--;
    assert_false(replay_check(&changed, &game, &error));
    changed = replay;
    changed.pieces = UINT64_MAX;
    assert_false(replay_check(&changed, &game, &error));
    changed = replay;
    changed.column[3] ^= 4;
    assert_false(replay_check(&changed, &game, &error));
    assert_non_null(strstr(error.text, "another board"));
    changed = replay;
    changed.hand = (replay.hand + 1) % PIECES;
    assert_false(replay_check(&changed, &game, &error));
    assert_non_null(strstr(error.text, "in hand and next"));
    changed = replay;
    changed.state = GAME_STOPPED; // still the piece in hand had no way to go on, but that is no contradiction
    assert_true(replay_check(&changed, &game, &error));
    changed.state = GAME_NO_PIECES;
    assert_false(replay_check(&changed, &game, &error));
    changed = replay;
    changed.seed++;
    assert_false(replay_check(&changed, &game, &error));
    replay_free(&replay);
    record(&replay, &rules, 5, 2, 3);
    replay.state = GAME_OVER; // three pieces in, there are moves left
    assert_false(replay_check(&replay, &game, &error));
    assert_non_null(strstr(error.text, "\"over\""));
    replay_free(&replay);
    rules_free(&rules);
}

static void wrong_records_are_refused_with_line_and_column(void **state) {
    (void)state;
#define HEAD                                                                                                 \
    "tetralab game 1\nboard 10x20\noverflow lenient\ngameover avoid\nrules simplified\npieces uniform\n"     \
    "strategy s\nseed 1 game 0\n"
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"", "f: the file is empty"},
        {"tetralab game 2\n", "f:1:1: expected \"tetralab game 1\", found \"tetralab\"."},
        {"tetralab game 1x\n", "f:1:16: expected the end of the line, found \"x\"."},
        {"tetralab game 1\nboard 15x20\n", "f:2: The board \"15x20\" is not possible"},
        {"tetralab game 1\nboard \n", "f:2:7: expected a board such as 10x20, found the end of the line."},
        {"tetralab game 1\nboard 4x4\nboard 4x4\n", "f:3:1: the line \"board ...\" is there twice."},
        {"tetralab game 1\nboard 4x4\nmoves O0:0\n", "f:3:1: the line \"overflow ...\" is missing"},
        {"tetralab game 1\ncolour red\n",
         "f:2:1: expected a line such as \"board 10x20\", found \"colour\"."},
        {"tetralab game 1\npieces /etc/passwd\n", "f:2: The pieces \"/etc/passwd\" are neither"},
        {"tetralab game 1\nstrategy a\tb\n", "f:2:11: expected a printable character"},
        {"tetralab game 1\nseed 99999999999999999999 game 0\n", "f:2:6: expected a number below 2^64"},
        {"tetralab game 1\nseed -1 game 0\n", "f:2:6: expected a number, found \"-1\"."},
        {HEAD "moves X0:3\n", "f:9:7: expected a piece, one of OISZLJT, found \"X0:3\"."},
        {HEAD "moves O1:3\n", "f:9:8: expected the number of an orientation of this piece, found \"1:3\"."},
        {HEAD "moves O0-3\n", "f:9:9: expected \":\", found \"-3\"."},
        {HEAD "moves O0:99\n", "f:9:10: expected a column on the board, the left one being 0, found \"99\"."},
        {HEAD "moves O0:3  T0:3\n", "f:9:12: expected a piece, one of OISZLJT, found a space."},
        {HEAD "moves O0:3\nmore\n", "f:10:1: expected \"moves ...\" or \"end ...\", found \"more\"."},
        {HEAD "moves O0:3\n", "f:10: the line \"end ...\" is missing: the record was cut off."},
        {HEAD "end pieces 0 lines 0 columns 0,0,0 state over hand - next -\n", "f:9:35: expected \",\""},
        {HEAD "end pieces 0 lines 0 columns 0,,0 state over hand - next -\n",
         "a column as a hexadecimal number"},
        {HEAD "end pieces 0 lines 0 columns 0,0,0,0,0,0,0,0,0,0 state lost hand - next -\n",
         "expected over, no-pieces or stopped"},
        {HEAD "end pieces 0 lines 0 columns 0,0,0,0,0,0,0,0,0,0 state over hand - next -\nend\n",
         "f:10:1: expected nothing after"},
    };
#undef HEAD
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Replay replay;
        Error error;
        assert_false(replay_parse(&replay, "f", cases[i].text, strlen(cases[i].text), &error));
        if (!strstr(error.text, cases[i].sentence))
            fail_msg("expected \"%s\", found \"%s\"", cases[i].sentence, error.text);
        replay_free(&replay);
    }
    Replay replay;
    Error error;
    assert_false(replay_read(&replay, "no/such/file", &error));
    assert_non_null(strstr(error.text, "no/such/file"));
    replay_free(&replay);
}

static void a_record_that_cannot_be_written_is_an_error(void **state) {
    (void)state;
    Rules rules;
    Replay replay;
    Error error = {""};
    rules_default(&rules);
    replay_start(&replay, &rules, "", 1, 0);
    assert_false(replay_write(&replay, "no/such/directory/game.txt", &error));
    assert_non_null(strstr(error.text, "no/such/directory"));
    replay_free(&replay);
}

static void a_record_has_room_for_ten_million_moves_and_no_more(void **state) {
    (void)state;
    Rules rules;
    Replay replay;
    Error error;
    size_t length;
    rules_default(&rules);
    replay_start(&replay, &rules, "", 1, 0);
    for (int i = 0; i < REPLAY_MAX_MOVES; i++)
        if (!replay_add(&replay, PIECE_T, placement_make(3, 13), &error))
            fail_msg("%s", error.text);
    assert_false(replay_add(&replay, PIECE_T, 0, &error));
    assert_non_null(strstr(error.text, "10000000 moves"));
    char *text = replay_to_text(&replay, &length, &error);
    assert_non_null(text);
    assert_true(length < TEXT_FILE_LIMIT);
    free(text);
    replay_free(&replay);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back_and_replays_to_the_same_score),
        cmocka_unit_test(a_game_with_recorded_pieces_replays_without_their_file),
        cmocka_unit_test(windows_line_ends_and_any_order_of_fields_are_accepted),
        cmocka_unit_test(every_truncation_is_an_error_or_an_equal_game),
        cmocka_unit_test(a_changed_move_is_found),
        cmocka_unit_test(a_changed_result_is_found),
        cmocka_unit_test(wrong_records_are_refused_with_line_and_column),
        cmocka_unit_test(a_record_that_cannot_be_written_is_an_error),
        cmocka_unit_test(a_record_has_room_for_ten_million_moves_and_no_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
