// SPDX-License-Identifier: GPL-3.0-or-later
// The Tetris Bot Protocol from inside: where pieces stand in its words, and the bot's answers to a front end
// that uses the hold, slides pieces, or builds higher than any board here. tests/test_bots.sh talks to
// processes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_parse.h"
#include "game/moves.h"
#include "measure/splitting.h"
#include "player/tbp_bot.h"
#include "player/tbp_move.h"

// ---- where pieces stand

// The guideline's pieces, drawn: north, then turned clockwise; @ is the cell that stays where it is.
static const struct Drawing {
    char piece;
    const char *turn[4]; // rows from the top, a / between them
} drawings[] = {
    {'O', {"##/@#", "@#/##", "#@/##", "##/#@"}},
    {'I', {"#@##", "#/@/#/#", "##@#", "#/#/@/#"}},
    {'S', {".##/#@.", "#./@#/.#", ".@#/##.", "#./#@/.#"}},
    {'Z', {"##./.@#", ".#/@#/#.", "#@./.##", ".#/#@/#."}},
    {'L', {"..#/#@#", "#./@./##", "#@#/#..", "##/.@/.#"}},
    {'J', {"#../#@#", "##/@./#.", "#@#/..#", ".#/.@/##"}},
    {'T', {".#./#@#", "#./@#/#.", "#@#/.#.", ".#/#@/.#"}},
};

// <- the cells around the @ as a set: bit 8 * (y + 3) + (x + 3)
static uint64_t drawn_cells(const char *text) {
    int x = 0, y = 0, own_x = 0, own_y = 0;
    uint64_t set = 0;
    for (int round = 0; round < 2; round++, x = y = 0)
        for (const char *c = text; *c; c++) {
            if (*c == '@' && !round) {
                own_x = x;
                own_y = y;
            }
            if (round && (*c == '#' || *c == '@'))
                set |= (uint64_t)1 << (8 * (own_y - y + 3) + x - own_x + 3);
            y += *c == '/';
            x = *c == '/' ? 0 : x + 1;
        }
    return set;
}

static void cells_are_those_of_the_guideline(void **state) {
    (void)state;
    for (int d = 0; d < PIECES; d++)
        for (int turn = 0; turn < 4; turn++) {
            TbpMove move = {piece_from_letter(drawings[d].piece), (TbpOrientation)turn, 5, 7, TBP_SPIN_NONE};
            TbpCell cell[4];
            uint64_t set = 0;
            tbp_cells(&move, cell);
            for (int i = 0; i < 4; i++)
                set |= (uint64_t)1 << (8 * (cell[i].y - 7 + 3) + cell[i].x - 5 + 3);
            if (set != drawn_cells(drawings[d].turn[turn]))
                fail_msg("%c %s", drawings[d].piece, tbp_orientation_words[turn]);
        }
}

static void board_of(Board *board, const TbpMove *move) {
    TbpCell cell[4];
    *board = (Board){{0}};
    tbp_cells(move, cell);
    for (int i = 0; i < 4; i++)
        board->column[cell[i].x] |= 1u << cell[i].y;
}

// Every placement, there and back; and every location that is on the board.
static void every_placement_and_every_location_are_the_same_cells(void **state) {
    (void)state;
    int placements = 0, locations = 0;
    for (int piece = 0; piece < PIECES; piece++) {
        for (uint64_t left = placements_inside(piece, TBP_WIDTH); left; left &= left - 1)
            for (int row = 0; row < 24; row++, placements++) {
                Placement placement = __builtin_ctzll(left);
                const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
                TbpMove move = tbp_move(piece, placement, row);
                int orientation, column, back;
                Board expected = {{0}}, found;
                board_put(&expected, shape, placement_column(placement), row);
                board_of(&found, &move);
                assert_memory_equal(&found, &expected, sizeof found);
                tbp_placement(&move, &orientation, &column, &back);
                assert_int_equal(placement_make(orientation, column), placement);
                assert_int_equal(back, row);
            }
        for (int turn = 0; turn < 4; turn++)
            for (int x = 2; x < 8; x++, locations++) {
                TbpMove move = {piece, (TbpOrientation)turn, x, 9, TBP_SPIN_NONE};
                int orientation, column, row;
                Board expected, found = {{0}};
                tbp_placement(&move, &orientation, &column, &row);
                board_of(&expected, &move);
                board_put(&found, &piece_shape[piece][orientation], column, row);
                assert_memory_equal(&found, &expected, sizeof found);
            }
    }
    assert_int_equal(placements, (9 + 17 + 17 + 17 + 34 + 34 + 34) * 24);
    assert_int_equal(locations, 7 * 4 * 6);
}

static void a_move_is_read_as_it_was_written(void **state) {
    (void)state;
    for (int piece = 0; piece < PIECES; piece++)
        for (uint64_t left = placements_inside(piece, TBP_WIDTH); left; left &= left - 1) {
            TbpMove move = tbp_move(piece, __builtin_ctzll(left), 3), again;
            Error error;
            json_t *json = tbp_move_json(&move);
            json_object_set_new(json, "unknown", json_true());
            assert_true(tbp_move_read(&again, json, &error));
            assert_memory_equal(&again, &move, sizeof move);
            json_decref(json);
        }
}

// ---- the bot

typedef struct Talk {
    Rules rules;
    TbpBot *bot;
    json_t *answer; // the last one
} Talk;

static void talk_begin(Talk *talk, const char *name) {
    Error error;
    Strategy strategy;
    rules_default(&talk->rules);
    talk->answer = NULL;
    if (!strategy_find(&strategy, name, &error) ||
        !(talk->bot = tbp_bot_new(&strategy, &talk->rules, NULL, &error)))
        fail_msg("%s", error.text);
}

static void talk_end(Talk *talk) {
    tbp_bot_free(talk->bot);
    json_decref(talk->answer);
    rules_free(&talk->rules);
}

// <- the sentence about the line, "" if there is none
static const char *say(Talk *talk, const char *line) {
    static Error error;
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    assert_true(tbp_bot_take(talk->bot, line, strlen(line), out, &error));
    fclose(out);
    if (length) {
        json_decref(talk->answer);
        talk->answer = json_loads(text, 0, NULL);
        assert_non_null(talk->answer);
    }
    free(text);
    return error.text;
}

// -> rows  from the floor, '#' filled; as many as are given
static const char *say_start(Talk *talk, const char *queue, const char *const *rows, int count) {
    char line[8192];
    int used = snprintf(line, sizeof line, "{\"type\":\"start\",\"hold\":null,\"combo\":0,\"queue\":[");
    for (int i = 0; queue[i]; i++)
        used += snprintf(line + used, sizeof line - (size_t)used, "%s\"%c\"", i ? "," : "", queue[i]);
    used += snprintf(line + used, sizeof line - (size_t)used, "],\"board\":[");
    for (int row = 0; row < TBP_ROWS; row++) {
        used += snprintf(line + used, sizeof line - (size_t)used, "%s[", row ? "," : "");
        for (int x = 0; x < TBP_WIDTH; x++)
            used += snprintf(line + used, sizeof line - (size_t)used, "%s%s", x ? "," : "",
                             row < count && rows[row][x] == '#' ? "\"G\"" : "null");
        used += snprintf(line + used, sizeof line - (size_t)used, "]");
    }
    snprintf(line + used, sizeof line - (size_t)used, "]}");
    return say(talk, line);
}

static int suggested(Talk *talk, TbpMove *first) {
    Error error;
    assert_string_equal(say(talk, "{\"type\":\"suggest\"}"), "");
    const json_t *moves = json_object_get(talk->answer, "moves");
    assert_string_equal(json_string_value(json_object_get(talk->answer, "type")), "suggestion");
    assert_true(json_is_array(moves));
    if (json_array_size(moves))
        assert_true(tbp_move_read(first, json_array_get(moves, 0), &error));
    return (int)json_array_size(moves);
}

static void the_hold_and_slides_of_others_are_followed(void **state) {
    (void)state;
    Talk talk;
    TbpMove move;
    static const char *const roof[] = {"..........", "..........", "#########."};
    talk_begin(&talk, "bcts");
    say(&talk, "{\"type\":\"rules\",\"randomizer\":\"seven_bag\"}");
    assert_string_equal(json_string_value(json_object_get(talk.answer, "type")), "ready");
    assert_string_equal(say_start(&talk, "SZIO", roof, 3), "");
    assert_int_equal(suggested(&talk, &move), 17);
    assert_int_equal(move.piece, PIECE_S);
    // S into the hold, Z slid under the roof, and the hold taken out in the place of I.
    assert_string_equal(say(&talk,
                            "{\"type\":\"play\",\"move\":{\"location\":{\"type\":\"Z\",\"orientation\":"
                            "\"north\",\"x\":1,\"y\":0},\"spin\":\"none\"}}"),
                        "");
    assert_true(suggested(&talk, &move) > 0 && move.piece == PIECE_I);
    assert_int_equal(move.x, 9); // upright at the wall: it completes the row of the roof
    assert_string_equal(say(&talk,
                            "{\"type\":\"play\",\"move\":{\"location\":{\"type\":\"S\",\"orientation\":"
                            "\"north\",\"x\":5,\"y\":3},\"spin\":\"none\"}}"),
                        "");
    assert_true(suggested(&talk, &move) > 0 && move.piece == PIECE_O);
    // T is nowhere to be had.
    assert_non_null(
        strstr(say(&talk, "{\"type\":\"play\",\"move\":{\"location\":{\"type\":\"T\",\"orientation\":"
                          "\"north\",\"x\":5,\"y\":9},\"spin\":\"none\"}}"),
               "neither in hand"));
    assert_int_equal(suggested(&talk, &move), 0); // until the next start
    talk_end(&talk);
}

static void above_its_board_it_plays_on_a_higher_one_and_then_gives_up(void **state) {
    (void)state;
    Talk talk;
    TbpMove move;
    const char *rows[TBP_ROWS];
    talk_begin(&talk, "dellacherie");
    for (int row = 0; row < TBP_ROWS; row++)
        rows[row] = row % 2 ? "#########." : ".#########";
    assert_string_equal(say_start(&talk, "O", rows, 18), "");
    assert_int_equal(suggested(&talk, &move), 9); // fits
    assert_string_equal(say_start(&talk, "O", rows, 19), "");
    assert_int_equal(suggested(&talk, &move), 9); // ends the game on 20 rows, not on 27
    assert_string_equal(say_start(&talk, "O", rows, 24), "");
    assert_int_equal(suggested(&talk, &move), 9);
    assert_int_equal(move.y, 24);
    assert_string_equal(say_start(&talk, "O", rows, 27), "");
    assert_int_equal(suggested(&talk, &move), 0);
    assert_string_equal(say_start(&talk, "O", rows, 35), "");
    assert_int_equal(suggested(&talk, &move), 0);
    talk_end(&talk);
}

static void wrong_messages_have_a_sentence_and_change_nothing(void **state) {
    (void)state;
    Talk talk;
    TbpMove move;
    talk_begin(&talk, "bcts");
    assert_string_equal(say_start(&talk, "TI", NULL, 0), "");
    static const char *const wrong[][2] = {
        {"", "Character 1: "},
        {"[]", "no \"type\""},
        {"{\"type\":\"play\"}", "\"play\": it has no \"location\""},
        {"{\"type\":\"play\",\"move\":{\"location\":{\"type\":\"T\",\"orientation\":\"up\"}}}",
         "is not north"},
        {"{\"type\":\"play\",\"move\":{\"location\":{\"type\":\"T\",\"orientation\":\"east\",\"x\":1e9}}}",
         "\"x\""},
        {"{\"type\":\"new_piece\",\"piece\":\"t\"}", "is not a piece"},
        {"{\"type\":\"new_piece\",\"piece\":[]}", "is not a piece"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (!strstr(say(&talk, wrong[i][0]), wrong[i][1]))
            fail_msg("%s: %s", wrong[i][0], say(&talk, wrong[i][0]));
    assert_string_equal(say(&talk, "{\"type\":\"news\",\"piece\":7}"), "");
    assert_int_equal(suggested(&talk, &move), 34);
    assert_string_equal(say(&talk, "{\"type\":\"stop\"}"), "");
    assert_int_equal(suggested(&talk, &move), 0);
    assert_non_null(
        strstr(say(&talk, "{\"type\":\"start\",\"queue\":[],\"board\":[[]]}"), "does not have 10 cells"));
    assert_non_null(strstr(say_start(&talk, "X", NULL, 0), "entry 1 of \"queue\""));
    static const char *const full[] = {"##########"};
    assert_non_null(strstr(say_start(&talk, "T", full, 1), "is full"));
    talk_end(&talk);
}

// ---- as a player

// One repetition of splitting, which puts the bot on hundreds of boards, is that of the built-in player. It
// sees one piece, too: splitting draws anew what a player cannot see.
static void splitting_of_a_bot_is_that_of_its_strategy(void **state) {
    (void)state;
#ifdef TETRALAB_PROGRAM
    static const char text[] =
        "{\"player\": \"tbp\", \"preview\": 1, \"move-limit\": 600, \"start-limit\": 600, \"command\": "
        "[\"" TETRALAB_PROGRAM "\", \"tbp\", \"bcts\", \"--board\", \"10x6\"]}";
    Rules rules;
    Error error;
    SplittingRun run[2];
    rules_default(&rules);
    assert_true(rules_set(&rules, "board", "10x6", &error));
    for (int k = 0; k < 2; k++) {
        Strategy strategy;
        assert_true(k ? strategy_parse_json(&strategy, "bot", text, strlen(text), &error)
                      : strategy_find(&strategy, "bcts", &error));
        Player *player = player_new(&strategy, &rules, NULL, &error);
        if (!player)
            fail_msg("%s", error.text);
        SplittingPlan plan = {.player = player,
                              .seed = 4,
                              .base = 3,
                              .trials = 4,
                              .importance = importance_usual,
                              .work.jobs = 1};
        assert_true(splitting_repeat(&plan, 0, &run[k], &error));
        assert_true(player_flush(player, &error));
        player_free(player);
    }
    assert_true(run[0].done && run[0].lambda > 0 && run[0].pieces > 50);
    assert_memory_equal(&run[1].lambda, &run[0].lambda, sizeof run[0].lambda);
    assert_int_equal(run[1].pieces, run[0].pieces);
    rules_free(&rules);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_those_of_the_guideline),
        cmocka_unit_test(every_placement_and_every_location_are_the_same_cells),
        cmocka_unit_test(a_move_is_read_as_it_was_written),
        cmocka_unit_test(the_hold_and_slides_of_others_are_followed),
        cmocka_unit_test(above_its_board_it_plays_on_a_higher_one_and_then_gives_up),
        cmocka_unit_test(wrong_messages_have_a_sentence_and_change_nothing),
        cmocka_unit_test(splitting_of_a_bot_is_that_of_its_strategy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
