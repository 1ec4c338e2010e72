// SPDX-License-Identifier: GPL-3.0-or-later
// Games that will take hours are told, others are not; how long a game lasts is found without playing it out.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measure_fixture.h"
#include "tasks/long_games.h"

static void an_hour_is_told_and_less_is_not(void **state) {
    (void)state;
    char sentence[LONG_GAMES_SENTENCE];
    assert_string_equal(long_games_sentence("play", "bcts", 8e7, 3599, sentence), "");
    assert_string_equal(long_games_sentence("play", "uct", INFINITY, INFINITY, sentence), "");
    long_games_sentence("play", "bcts", 8.1e7, 7200, sentence);
    assert_string_equal(sentence,
                        "tetralab play: a game of bcts lasts about 81.0 M pieces here, and all games "
                        "together about 2 h 00 min: 'tetralab measure' finds the mean lines of such "
                        "players in seconds.");
}

// bcts makes 590 lines on 10x8 (strict), 32 M on 10x20, 26 M on 14x12, where the usual importance leads no
// run to a loss; four cells a piece.
static void lengths_are_right_to_a_factor_of_two(void **state) {
    (void)state;
    static const struct {
        const char *board, *overflow;
        double pieces;
    } cases[] = {{"10x8", "strict", 1475}, {"10x20", "lenient", 80e6}, {"14x12", "lenient", 91e6}};
    for (int i = 0; i < 3; i++) {
        Table table;
        table_make(&table, "bcts", cases[i].board, cases[i].overflow, "uniform");
        double pieces = long_games_pieces(table.player, NULL);
        if (!(pieces > cases[i].pieces / 2 && pieces < cases[i].pieces * 2))
            fail_msg("bcts on %s: %g pieces instead of %g", cases[i].board, pieces, cases[i].pieces);
        table_free(&table);
    }
}

static void nothing_is_known_of_players_that_cannot_be_restarted(void **state) {
    (void)state;
    Table table;
    table_make(&table, "uct", "10x8", "lenient", "uniform");
    assert_true(isinf(long_games_pieces(table.player, NULL)));
    table_free(&table);
}

static void games_that_end_at_once_are_not_waited_for(void **state) {
    (void)state;
    Table table;
    table_make(&table, "bcts", "10x8", "lenient", "uniform");
    LongGames watch = {.player = {table.player}, .players = 1, .games = 1, .jobs = 1, .command = "play"};
    long_games_begin(&watch);
    long_games_end(&watch);
    table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_hour_is_told_and_less_is_not),
        cmocka_unit_test(lengths_are_right_to_a_factor_of_two),
        cmocka_unit_test(nothing_is_known_of_players_that_cannot_be_restarted),
        cmocka_unit_test(games_that_end_at_once_are_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
