// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of measurements on made-up figures: which method, how many trials, how long a pilot, how many
// games in which blocks; and whole measurements of made-up scores, of which no game is played.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "measure_fixture.h"
#include "tasks/measure_rules.h"

// ---------------------------------------------------------------------------------------------------
// Method, pilot and trials

static void watching_is_a_hundredth_of_a_budget_but_sees_ordinary_heights(void **state) {
    (void)state;
    static const struct {
        bool slow;
        uint64_t budget, pieces;
    } cases[] = {{false, 0, 50000},       {true, 0, 20000},          {false, 5000000, 50000},
                 {false, 4999999, 49999}, {false, 900000, 9000},     {false, 250100, 2501},
                 {false, 250000, 2500},   {false, 40000, 2500},      {false, 10000, 2500},
                 {false, 9999, 2499},     {false, 400, 100},         {true, 2000000, 20000},
                 {true, 1999999, 19999},  {true, 1000000000, 20000}, {true, 40000, 2500}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(measure_pilot_pieces(cases[i].slow, cases[i].budget), cases[i].pieces);
}

static void heights_are_counted_over_the_budget_or_25_million_pieces(void **state) {
    (void)state;
    assert_int_equal(measure_heights_pieces(false, 0), 25000000);
    assert_int_equal(measure_heights_pieces(true, 0), 1000000);
    assert_int_equal(measure_heights_pieces(true, 2000000), 2000000);
    assert_int_equal(measure_heights_pilot(25000000), 500000);
    assert_int_equal(measure_heights_pilot(100000), 10000);
    assert_int_equal(measure_heights_pilot(5000), 5000);
    assert_true(measure_heights_hopeless(UINT64_MAX, 25000000) && measure_heights_hopeless(500, 100));
    assert_false(measure_heights_hopeless(400, 100));
}

// Fahey's player looks at two pieces, hence at hundreds of boards for each move.
static void players_that_look_ahead_get_a_shorter_pilot(void **state) {
    (void)state;
    static const struct {
        const char *strategy;
        uint64_t moves;
    } cases[] = {{"bcts", 50000}, {"fahey", 20000}};
    for (int i = 0; i < 2; i++) {
        Table table;
        Measurement m;
        Error error = {""};
        table_make(&table, cases[i].strategy, "5x5", "lenient", "uniform");
        MeasurePlan plan = {.player = table.player, .seed = 1, .precision = 1, .work.jobs = 1};
        assert_true(measurement_run(&m, &plan, &error));
        uint64_t moves = 0;
        for (int h = 0; h < SPLITTING_HEIGHTS; h++)
            moves += m.pilot.at_height[h];
        assert_true(moves >= cases[i].moves && moves < cases[i].moves + cases[i].moves / 2); // lost games too
        measurement_free(&m);
        table_free(&table);
    }
}

// 444 games have an exact interval of 10 %: the upper side is 9.995 % then, and 10.007 % for 443.
static void the_cheaper_method_is_taken(void **state) {
    (void)state;
    SplittingPilot pilot = {.lost = 5, .game_pieces = 1000, .cost = 444000};
    assert_int_equal(measure_cheaper(&pilot, 0.1), MEASURE_GAMES);
    pilot.cost = 443999;
    assert_int_equal(measure_cheaper(&pilot, 0.1), MEASURE_SPLITTING);
    pilot.cost = 1654000; // 1,654 games: 5 %
    assert_int_equal(measure_cheaper(&pilot, 0.05), MEASURE_GAMES);
    pilot.cost = 1653999;
    assert_int_equal(measure_cheaper(&pilot, 0.05), MEASURE_SPLITTING);
}

static void the_length_of_fewer_than_five_games_is_not_believed(void **state) {
    (void)state;
    SplittingPilot pilot = {.lost = 5, .game_pieces = 10, .cost = 1e9};
    assert_int_equal(measure_cheaper(&pilot, 0.1), MEASURE_GAMES);
    pilot.lost = 4;
    assert_int_equal(measure_cheaper(&pilot, 0.1), MEASURE_SPLITTING);
    pilot = (SplittingPilot){.lost = 0, .game_pieces = INFINITY, .cost = 1e9};
    assert_int_equal(measure_cheaper(&pilot, 0.1), MEASURE_SPLITTING);
}

// The repetitions of 2,800 trials that the pilot expects cost 24,000 pieces, and it has cost 1,000 itself.
static void trials_are_as_many_as_the_budget_allows(void **state) {
    (void)state;
    static const uint64_t cases[][2] = {{0, 2800},     {1000000, 2800}, {25000, 2800},
                                        {24999, 2799}, {13000, 1400},   {1900, 105},
                                        {1500, 100},   {1000, 100},     {500, 100}};
    SplittingPilot pilot = {.pieces = 1000, .trials = 2800, .cost = 24000};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(measure_trials(&pilot, cases[i][0]), cases[i][1]);
}

// ---------------------------------------------------------------------------------------------------
// Blocks of games

static void blocks_double_the_games_and_end_at_the_need(void **state) {
    (void)state;
    static const struct {
        GamesPlayed so_far; // ended, censored, pieces
        uint64_t need, budget;
        GamesBlock block; // first, count, max_pieces
    } cases[] = {
        {{0, 0, 0}, 1000, 0, {0, 8, 0}},
        {{0, 0, 0}, 3, 0, {0, 3, 0}},
        {{8, 0, 80}, 1000, 0, {8, 8, 0}},
        {{8, 0, 80}, 10, 0, {8, 2, 0}},
        {{3, 5, 80}, 1000, 0, {8, 8, 0}}, // censored games do not count for the need,
        {{3, 5, 80}, 10, 0, {8, 7, 0}},   //   but for the block
        {{4096, 0, 1}, 100000, 0, {4096, 4096, 0}},
        {{8192, 0, 1}, 100000, 0, {8192, 4096, 0}},
        {{9999999, 0, 1}, 99999999, 0, {9999999, 1, 0}},
        {{10000000, 0, 1}, 99999999, 0, {10000000, 0, 0}},
        // A budget: equal shares at first, then as many games as fit in at eight times the mean + 1.
        {{0, 0, 0}, 1000, 1000, {0, 8, 125}},
        {{0, 0, 0}, 1000, 7, {0, 8, 1}},
        {{8, 0, 800}, 1000, 10000, {8, 8, 1150}},
        {{8, 0, 800}, 1000, 800 + 2 * 808, {8, 2, 808}},
        {{8, 0, 800}, 1000, 800 + 2 * 808 - 1, {8, 1, 1615}},
        {{8, 0, 800}, 1000, 800 + 807, {8, 0, 0}},
        {{8, 0, 800}, 1000, 800, {8, 0, 0}},
        {{8, 0, 800}, 1000, 100, {8, 0, 0}},
        {{0, 8, 800}, 1000, 800 + 8 * 801, {8, 1, 6408}}, // none has ended: all pieces were one game
        {{0, 8, 800}, 1000, 800 + 8 * 801 - 1, {8, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GamesBlock block = games_next_block(&cases[i].so_far, cases[i].need, cases[i].budget);
        assert_int_equal(block.count, cases[i].block.count);
        if (block.count) {
            assert_int_equal(block.first, cases[i].block.first);
            assert_int_equal(block.max_pieces, cases[i].block.max_pieces);
        }
    }
}

static void half_the_precision_takes_four_times_the_games_and_five_percent(void **state) {
    (void)state;
    assert_int_equal(games_for_spread(100, 0.1, 0.05), 421);
    assert_int_equal(games_for_spread(1000, 0.06, 0.05), 1513);
    assert_int_equal(games_for_spread(1000, 1, 1e-6), PLAYING_MAX_GAMES);
}

// ---------------------------------------------------------------------------------------------------
// Whole measurements of made-up scores

enum { SCORES = 20000 };
static Score score[SCORES];

static Measurement measured(double precision, uint64_t budget) {
    Measurement m;
    Error error = {""};
    Table table;
    table_make(&table, "bcts", "10x8", "lenient", "uniform");
    MeasureKnown known = {.started = true, .method = MEASURE_GAMES, .score = score, .scores = SCORES};
    MeasurePlan plan = {
        .player = table.player, .precision = precision, .budget = budget, .work.jobs = 1, .known = &known};
    if (!measurement_run(&m, &plan, &error))
        fail_msg("%s", error.text);
    assert_true(m.method == MEASURE_GAMES && !m.interrupted);
    assert_memory_equal(m.games.score, score, m.games.games * sizeof *score); // none was played
    table_free(&table);
    return m;
}

static void make_exponential_scores(void) { // seed 1
    Random random = random_stream(1, 0, RANDOM_TEST);
    for (int k = 0; k < SCORES; k++) {
        double lines = -200 * log1p(-random_unit(&random));
        score[k] = (Score){.lines = (uint64_t)lines, .pieces = 100, .played = true};
    }
}

static void exponential_scores_end_at_the_number_that_the_precision_asks_for(void **state) {
    (void)state;
    static const struct {
        double precision;
        uint64_t games;
    } cases[] = {{1, 12}, {0.5, 29}, {0.2, 127}, {0.1, 444}, {0.05, 1654}};
    make_exponential_scores();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Measurement m = measured(cases[i].precision, 0);
        assert_int_equal(m.games.games, cases[i].games);
        assert_true(m.precise && m.note[0] == 0);
        assert_int_equal(m.pieces, 100 * cases[i].games);
        measurement_free(&m);
    }
}

// The mean is of lines: of the cells of all pieces, four each, those of lost games are still on their boards,
// at most all of 5x10, and of those under way too; all 127 may have been begun.
static void check_status(void *context, const Advance *status) {
    uint64_t *calls = context;
    assert_int_equal(status->wanted, 127);
    if (status->done == 0)
        return;
    double left = 4 * (double)status->pieces - 5 * status->value * (double)status->done;
    assert_true(left > 5 * (double)status->done && left < 50 * 127);
    assert_true(status->precision == interval_precision(status->done, false));
    ++*calls;
}

static void progress_tells_mean_and_precision_so_far(void **state) {
    (void)state;
    Table table;
    Measurement m;
    Error error = {""};
    uint64_t calls = 0;
    table_make(&table, "bcts", "5x10", "lenient", "uniform");
    MeasurePlan plan = {.player = table.player,
                        .seed = 1,
                        .method = MEASURE_GAMES,
                        .precision = 0.2,
                        .work.jobs = 1,
                        .work.progress = check_status,
                        .work.context = &calls};
    assert_true(measurement_run(&m, &plan, &error));
    assert_true(calls > 0);
    measurement_free(&m);
    table_free(&table);
}

// Nine of ten games make no line, one makes 2,000: sd/mean is 3, so that 10 % takes (1.96 3/0.1)^2 = 3,457
// games instead of 444, and more as seen from the 444: of a skewed law the upper side is the longer one.
static void other_scores_go_on_until_their_own_interval_suffices(void **state) {
    (void)state;
    for (int k = 0; k < SCORES; k++)
        score[k] = (Score){.lines = k % 10 == 5 ? 2000 : 0, .pieces = 100, .played = true};
    Measurement m = measured(0.1, 0);
    assert_true(m.precise && m.precision <= 0.1 && m.precision > 0.09);
    assert_true(m.games.games > 3457 && m.games.games < 4500);
    assert_non_null(strstr(m.note, "not exponential (sd/mean 3.00)"));
    measurement_free(&m);
}

static void a_budget_ends_games_when_the_next_ones_have_no_room(void **state) {
    (void)state;
    make_exponential_scores(); // of 100 pieces each; 8 (100 + 1) = 808 are kept for each game to come
    Measurement m = measured(0.05, 1600 + 808);
    assert_int_equal(m.games.games, 17); // 8 and 8, then one more; 708 pieces are left
    assert_true(!m.precise && strstr(m.note, "--budget-pieces"));
    measurement_free(&m);
    m = measured(0.05, 1600 + 807);
    assert_int_equal(m.games.games, 16);
    measurement_free(&m);
}

// Half of the games were stopped at their share of the budget, 1000/8 pieces. Their law cannot be seen.
static void censored_scores_count_as_exponential(void **state) {
    (void)state;
    for (int k = 0; k < SCORES; k++)
        score[k] = (Score){.lines = 5, .pieces = k % 2 ? 20 : 125, .censored = k % 2 == 0, .played = true};
    Measurement m = measured(0.05, 1000);
    Interval exact = interval_exact(4, 4, 40);
    assert_true(m.games.games == 8 && m.mean_lines == 10);
    assert_true(m.interval.low == exact.low && m.interval.high == exact.high);
    assert_null(strstr(m.note, "not exponential"));
    measurement_free(&m);
    for (int k = 0; k < SCORES; k++)
        score[k].lines = 4; // a mean below ten lines, which is not exponential if all games have ended
    m = measured(0.05, 1000);
    assert_true(m.mean_lines == 8 && !strstr(m.note, "not exponential"));
    measurement_free(&m);
}

// Rates of 0.95 and 1.05 in turn, made-up as in test_splitting_rules.c: 1.325 % after 64, which asks for
// 134.7; and some more, as the cells left are not counted in.
static void note_wanted(void *context, const Advance *status) {
    uint64_t *wanted = context;
    wanted[status->done] = status->wanted;
}

static void repetitions_to_come_are_those_of_the_stage(void **state) {
    (void)state;
    static SplittingRun run[SPLITTING_MAX_REPETITIONS];
    static uint64_t wanted[SPLITTING_MAX_REPETITIONS + 1];
    for (int k = 0; k < SPLITTING_MAX_REPETITIONS; k++)
        run[k] = (SplittingRun){.lambda = k % 2 ? 1.05e-4 : 0.95e-4, .pieces = 100, .done = true};
    Table table;
    Measurement m;
    Error error = {""};
    table_make(&table, "bcts", "10x8", "lenient", "uniform");
    MeasureKnown known = {.started = true,
                          .method = MEASURE_SPLITTING,
                          .base = 4,
                          .trials = 100,
                          .run = run,
                          .runs = SPLITTING_MAX_REPETITIONS};
    MeasurePlan plan = {.player = table.player,
                        .precision = 0.01,
                        .work.jobs = 1,
                        .known = &known,
                        .work.progress = note_wanted,
                        .work.context = wanted};
    assert_true(measurement_run(&m, &plan, &error));
    assert_int_equal(wanted[1], 64);
    assert_int_equal(wanted[64], 64);
    assert_int_equal(wanted[65], m.splitting.runs);
    assert_int_equal(m.splitting.runs, 135);
    measurement_free(&m);
    table_free(&table);
}

// 64 repetitions are made at least, here of 100 pieces each.
static void a_budget_that_was_exceeded_by_a_quarter_is_called_too_small(void **state) {
    (void)state;
    static SplittingRun run[SPLITTING_MAX_REPETITIONS];
    for (int k = 0; k < SPLITTING_MAX_REPETITIONS; k++)
        run[k] = (SplittingRun){.lambda = k % 2 ? 1e-4 : 2e-4, .pieces = 100, .done = true};
    Table table;
    table_make(&table, "bcts", "10x8", "lenient", "uniform");
    MeasureKnown known = {.started = true,
                          .method = MEASURE_SPLITTING,
                          .base = 4,
                          .trials = 100,
                          .run = run,
                          .runs = SPLITTING_MAX_REPETITIONS};
    for (uint64_t budget = 5119; budget <= 5120; budget++) { // 5120 + 5120/4 = 6400
        Measurement m;
        Error error = {""};
        MeasurePlan plan = {
            .player = table.player, .precision = 0.01, .budget = budget, .work.jobs = 1, .known = &known};
        assert_true(measurement_run(&m, &plan, &error));
        assert_true(m.splitting.runs == 64 && m.pieces == 6400 && !m.precise);
        const char *expected = budget == 5119 ? "is too small" : "did not suffice";
        if (!strstr(m.note, expected))
            fail_msg("%s", m.note);
        measurement_free(&m);
    }
    table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_are_counted_over_the_budget_or_25_million_pieces),
        cmocka_unit_test(players_that_look_ahead_get_a_shorter_pilot),
        cmocka_unit_test(watching_is_a_hundredth_of_a_budget_but_sees_ordinary_heights),
        cmocka_unit_test(the_cheaper_method_is_taken),
        cmocka_unit_test(the_length_of_fewer_than_five_games_is_not_believed),
        cmocka_unit_test(trials_are_as_many_as_the_budget_allows),
        cmocka_unit_test(blocks_double_the_games_and_end_at_the_need),
        cmocka_unit_test(half_the_precision_takes_four_times_the_games_and_five_percent),
        cmocka_unit_test(exponential_scores_end_at_the_number_that_the_precision_asks_for),
        cmocka_unit_test(progress_tells_mean_and_precision_so_far),
        cmocka_unit_test(other_scores_go_on_until_their_own_interval_suffices),
        cmocka_unit_test(censored_scores_count_as_exponential),
        cmocka_unit_test(repetitions_to_come_are_those_of_the_stage),
        cmocka_unit_test(a_budget_that_was_exceeded_by_a_quarter_is_called_too_small),
        cmocka_unit_test(a_budget_ends_games_when_the_next_ones_have_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
