// SPDX-License-Identifier: GPL-3.0-or-later
// Races: bounds by hand, decisions against a literal reading of the definitions that takes the candidates one
// by one in random order, error rates by simulation, lengths of races, scores that are no numbers. Seeds are
// fixed.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "effort.h"
#include "optimise/racing.h"

enum { MAX = 12, ROUNDS = 40 };

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.10g is not within %g of %.10g", value, tolerance, expected);
}

static RacePlan plan_of(RaceBound bound, double low, double high) {
    RacePlan plan;
    fields_preset(race_fields, &plan);
    plan.bound = bound;
    plan.bounds[0] = low;
    plan.bounds[1] = high;
    return plan;
}

static Race *make_race(const RacePlan *plan, int candidates, int select, int limit) {
    Error error = {""};
    Race *race = race_new(plan, candidates, select, limit, &error);
    if (!race)
        fail_msg("%s", error.text);
    return race;
}

static double exponential(Random *random) {
    return -log1p(-random_unit(random));
}

static void names_are_those_of_the_command_line(void **state) {
    (void)state;
    static const char *const names[] = {"none", "hoeffding", "bernstein", "tetris"};
    const Field *field = fields_find(race_fields, "race");
    for (int i = 0; i < 4; i++) {
        RacePlan plan = {.bound = RACE_NONE};
        assert_true(field_parse(field, &plan, names[i], NULL));
        assert_int_equal(plan.bound, i);
    }
    assert_false(field_parse(field, &(RacePlan){.bound = RACE_NONE}, "hofding", NULL));
}

// upper = min(lower of the round before, mean + c): all upper bounds are a after the first round, so that the
// first candidates whose lower bound rises above a are selected, though others have played just as well.
static void the_formula_as_printed_selects_whoever_rises_above_a_first(void **state) {
    (void)state;
    RacePlan plan = plan_of(RACE_TETRIS, 150, 2000);
    for (int printed = 0; printed < 2; printed++) {
        plan.rule = printed ? RACE_PRINTED : RACE_CORRECTED;
        Race *race = make_race(&plan, 4, 2, 100);
        static const double score[] = {1000, 990, 980, 970};
        int rounds = 0;
        for (bool over = false; !over; rounds++) {
            for (int i = 0; i < 4; i++)
                if (race_wants(race, i))
                    race_score(race, i, score[i]);
            over = race_end_round(race);
        }
        assert_int_equal(race_decided(race), printed);
        assert_int_equal(rounds, printed ? 6 : 100); // 1000 (1 - 2 / sqrt(6)) = 184, and of five 106
        double lower, upper;
        race_bounds(race, 0, &lower, &upper);
        assert_near(upper, printed ? 150 : 1000 * (1 + 2 / sqrt(100)), 1e-9);
        free(race);
    }
}

static void impossible_races_are_refused_with_a_sentence(void **state) {
    (void)state;
    RacePlan plan = plan_of(RACE_HOEFFDING, 0, 1);
    static const int sizes[][3] = {{4, 0, 3}, {4, 4, 3}, {4, -1, 3}, {0, 0, 3}, {4, 2, 0}, {4, 2, -5}};
    Error error;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        error.text[0] = 0;
        assert_null(race_new(&plan, sizes[i][0], sizes[i][1], sizes[i][2], &error));
        assert_true(strlen(error.text) > 20);
    }
    RacePlan wrong[7];
    for (int i = 0; i < 7; i++)
        wrong[i] = plan;
    wrong[0].bounds[0] = 1;
    wrong[1].bounds[1] = NAN;
    wrong[2].delta = 0;
    wrong[3].delta = 1;
    wrong[4].alpha = 1;
    wrong[5].least = 0;
    wrong[6].most = 2;
    for (int i = 0; i < 7; i++) {
        error.text[0] = 0;
        assert_null(race_new(&wrong[i], 4, 2, 3, &error));
        assert_true(strlen(error.text) > 20);
        wrong[i].bound = RACE_NONE;
        assert_true(race_check(&wrong[i], NULL));
    }
}

// Two candidates, limit 1000: n_b = 2000; a = -10, b = 10, delta = 0.05; 900 scores, 0 and 10 in turn: mean
// 5, sd 5.
//   hoeffding  20 sqrt(ln(80000) / 1800)
//   bernstein  5 sqrt(2 ln(120000) / 900) + 3 * 20 ln(120000) / 900
//   tetris     2 * 5 / 30
static void bounds_are_those_of_the_papers(void **state) {
    (void)state;
    static const struct {
        RaceBound bound;
        double c;
    } rows[] = {{RACE_HOEFFDING, 1.583931951}, {RACE_BERNSTEIN, 1.585745133}, {RACE_TETRIS, 0.333333333}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        RacePlan plan = plan_of(rows[i].bound, -10, 10);
        Race *race = make_race(&plan, 2, 1, 1000);
        double lower, upper;
        race_bounds(race, 1, &lower, &upper);
        assert_true(lower == -10 && upper == 10);
        for (int r = 0; r < 900; r++) {
            race_score(race, 0, r % 2 ? 10 : 0);
            race_score(race, 1, r % 2 ? 10 : 0);
            assert_false(race_end_round(race));
        }
        race_bounds(race, 1, &lower, &upper);
        assert_near(lower, 5 - rows[i].c, 1e-8);
        free(race);
    }
}

// The Tetris bound of 100, 500, 500, 500 after each of them: 100 +- 200, 300 +- 424, 367 +- 423, 400 +- 400;
// the start bounds are 150 and 2000. The upper bound of the first round stays the tightest.
static void the_tightest_bounds_are_kept(void **state) {
    (void)state;
    RacePlan plan = plan_of(RACE_TETRIS, 150, 2000);
    Race *race = make_race(&plan, 3, 1, 10);
    for (int r = 0; r < 4; r++) {
        for (int i = 0; i < 3; i++)
            race_score(race, i, r == 0 ? 100 : 500);
        assert_false(race_end_round(race));
    }
    double lower, upper;
    race_bounds(race, 0, &lower, &upper);
    assert_near(lower, 150, 0);
    assert_near(upper, 300, 1e-9);
    free(race);
}

// A weak candidate, with the Tetris bound and a = 150: after a game of 40 lines it is 40 +- 80, below 150.
// Bounds that cross are dropped for the interval of the scores, or stay crossed.
static void bounds_that_cross_are_dropped_unless_they_may_cross(void **state) {
    (void)state;
    static const struct {
        RaceRule rule;
        double lower;
    } rows[] = {{RACE_CORRECTED, -40}, {RACE_COUNTED, -40}, {RACE_CROSSING, 150}, {RACE_LITERAL, 150}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        RacePlan plan = plan_of(RACE_TETRIS, 150, 2000);
        plan.rule = rows[k].rule;
        Race *race = make_race(&plan, 2, 1, 4);
        race_score(race, 0, 40);
        race_score(race, 1, 1000);
        race_end_round(race);
        double lower, upper;
        race_bounds(race, 0, &lower, &upper);
        assert_near(lower, rows[k].lower, 1e-9);
        assert_near(upper, 120, 1e-9);
        free(race);
    }
}

// Two candidates, 9 rounds of at most 1000: n_b is 2000, or 18 if games are counted as they come.
static void counted_races_take_the_scores_so_far_for_n_b(void **state) {
    (void)state;
    static const struct {
        RaceRule rule;
        double n_b;
    } rows[] = {{RACE_CORRECTED, 2000}, {RACE_CROSSING, 2000}, {RACE_COUNTED, 18}, {RACE_LITERAL, 18}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        RacePlan plan = plan_of(RACE_HOEFFDING, -10, 10);
        plan.rule = rows[k].rule;
        Race *race = make_race(&plan, 2, 1, 1000);
        for (int r = 0; r < 9; r++) {
            race_score(race, 0, 1);
            race_score(race, 1, 1);
            assert_false(race_end_round(race));
        }
        double lower, upper;
        race_bounds(race, 0, &lower, &upper);
        assert_near(upper, fmin(10, 1 + 20 * sqrt(log(2 * rows[k].n_b / 0.05) / 18)), 1e-9);
        free(race);
    }
}

// ---------------------------------------------------------------------------------------------------
// A literal reading of the definitions

typedef struct Reading {
    double score[MAX][ROUNDS];
    int scores[MAX];
    char where[MAX]; // U, S, D
    double lower[MAX], upper[MAX];
} Reading;

static double mean_of(const double *score, int count) {
    double sum = 0;
    for (int r = 0; r < count; r++)
        sum += score[r];
    return sum / count;
}

static double width_of(const RacePlan *plan, double most_scores, const double *score, int r) {
    double mean = mean_of(score, r), squares = 0, range = plan->bounds[1] - plan->bounds[0];
    for (int j = 0; j < r; j++)
        squares += pow(score[j] - mean, 2);
    if (plan->bound == RACE_HOEFFDING)
        return range * sqrt((log(2 * most_scores) - log(plan->delta)) / (2 * r));
    if (plan->bound == RACE_TETRIS)
        return fabs(2 * mean / sqrt(r));
    double logs = log(3 * most_scores) - log(plan->delta);
    return sqrt(squares / r) * sqrt(2 * logs / r) + 3 * range * logs / r;
}

static void read_bounds(const RacePlan *plan, double most_scores, const double *score, int count,
                        double *lower, double *upper) {
    *lower = plan->bounds[0];
    *upper = plan->bounds[1];
    for (int r = 1; r <= count; r++) {
        double mean = mean_of(score, r), c = width_of(plan, most_scores, score, r);
        *lower = mean - c > *lower ? mean - c : *lower;
        *upper = mean + c < *upper ? mean + c : *upper;
        if (*lower > *upper) { // a contradiction: only the scores count
            *lower = mean - c;
            *upper = mean + c;
        }
    }
}

static int size_of(const Reading *reading, int candidates, char where) {
    int size = 0;
    for (int i = 0; i < candidates; i++)
        size += reading->where[i] == where;
    return size;
}

// One by one, in random order, with the sets as they are at that moment.
static void read_decisions(Reading *reading, int candidates, int select, Random *random) {
    int order[MAX];
    for (int i = 0; i < candidates; i++) {
        int j = (int)random_below(random, (uint32_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (int at = 0; at < candidates; at++) {
        int i = order[at], worse = 0, better = 0;
        if (reading->where[i] != 'U')
            continue;
        for (int j = 0; j < candidates; j++)
            if (reading->where[j] == 'U') {
                worse += reading->upper[j] < reading->lower[i];
                better += reading->lower[j] > reading->upper[i];
            }
        if (worse >= candidates - select - size_of(reading, candidates, 'D'))
            reading->where[i] = 'S';
        else if (better >= select - size_of(reading, candidates, 'S'))
            reading->where[i] = 'D';
    }
}

static void assert_order(const Race *race, const Reading *reading, int candidates) {
    int order[MAX], seen = 0;
    race_order(race, order);
    for (int i = 0; i < candidates; i++) {
        seen |= 1 << order[i];
        if (i == 0)
            continue;
        int a = order[i - 1], b = order[i];
        const char *rank = "SUD";
        const char *place_a = strchr(rank, reading->where[a]), *place_b = strchr(rank, reading->where[b]);
        assert_true(place_a <= place_b);
        double mean_a = race_mean(race, a), mean_b = race_mean(race, b);
        assert_true(place_a < place_b || mean_a > mean_b || (mean_a == mean_b && a < b));
    }
    assert_int_equal(seen, (1 << candidates) - 1);
}

static void race_against_reading(RaceBound bound, uint64_t number, uint64_t *decided, uint64_t *crossed) {
    Random random = random_stream(41, number * 4 + bound, RANDOM_TEST);
    int candidates = 2 + (int)random_below(&random, MAX - 1),
        select = 1 + (int)random_below(&random, (uint32_t)candidates - 1);
    int limit = 1 + (int)random_below(&random, ROUNDS);
    RacePlan plan = plan_of(bound, 150, 2000);
    plan.delta = 0.5;
    Race *race = make_race(&plan, candidates, select, limit);
    Reading reading = {0};
    memset(reading.where, 'U', sizeof reading.where);
    double strength[MAX], spread = random_below(&random, 2) ? 0.05 : 1; // few of them equally strong
    for (int i = 0; i < candidates; i++)
        strength[i] = pow(10, 1 + 3 * random_unit(&random));
    bool over = false;
    int rounds = 0;
    while (!over) {
        for (int i = 0; i < candidates; i++) {
            assert_int_equal(race_wants(race, i), reading.where[i] == 'U');
            if (reading.where[i] != 'U')
                continue;
            double score = floor(strength[i] * (1 - spread + spread * exponential(&random)));
            race_score(race, i, score);
            reading.score[i][reading.scores[i]++] = score;
        }
        over = race_end_round(race);
        rounds++;
        for (int i = 0; i < candidates; i++) {
            if (reading.where[i] == 'U')
                read_bounds(&plan, (double)candidates * limit, reading.score[i], reading.scores[i],
                            &reading.lower[i], &reading.upper[i]);
            double lower, upper;
            race_bounds(race, i, &lower, &upper);
            assert_near(lower, reading.lower[i], 1e-6);
            assert_near(upper, reading.upper[i], 1e-6);
            *crossed += upper < 150 || lower > 2000;
        }
        read_decisions(&reading, candidates, select, &random);
        bool enough = size_of(&reading, candidates, 'S') >= select;
        assert_int_equal(over, enough || rounds == limit);
    }
    assert_int_equal(race_rounds(race), rounds);
    assert_true(size_of(&reading, candidates, 'S') <= select);
    assert_true(size_of(&reading, candidates, 'D') <= candidates - select);
    bool early = size_of(&reading, candidates, 'S') == select && rounds < limit;
    assert_int_equal(race_decided(race), early);
    *decided += early;
    assert_order(race, &reading, candidates);
    free(race);
}

static void decisions_are_those_of_a_literal_reading_in_any_order(void **state) {
    (void)state;
    for (int bound = RACE_HOEFFDING; bound <= RACE_TETRIS; bound++) {
        uint64_t decided = 0, crossed = 0, races = test_effort(3000);
        for (uint64_t number = 0; number < races; number++)
            race_against_reading((RaceBound)bound, number, &decided, &crossed);
        assert_true(decided > races / 50); // otherwise nothing was tested
        assert_true(crossed > races / 50);
    }
}

// ---------------------------------------------------------------------------------------------------
// Rates

// Scores 0 or 1. A race errs when it selects one that is not among the best or discards one that is.
static bool race_errs(const RacePlan *plan, int limit, double gap, Random *random) {
    Race *race = make_race(plan, 10, 5, limit);
    double rate[10];
    for (int i = 0; i < 10; i++)
        rate[i] = 0.5 + gap * (i - 4.5);
    do {
        for (int i = 0; i < 10; i++)
            if (race_wants(race, i))
                race_score(race, i, random_unit(random) < rate[i]);
    } while (!race_end_round(race));
    bool errs = false;
    if (race_decided(race)) {
        int order[10];
        race_order(race, order);
        for (int i = 0; i < 5; i++)
            errs |= order[i] < 5;
    }
    free(race);
    return errs;
}

// delta bounds the errors from above. Binomial with rate 0.1: 10 % plus five standard errors is exceeded with
// a chance below 1e-6; Hoeffding's bound is far from tight, so there is much more room than that.
static void hoeffding_races_err_less_often_than_delta(void **state) {
    (void)state;
    RacePlan plan = plan_of(RACE_HOEFFDING, 0, 1);
    plan.delta = 0.1;
    Random random = random_stream(42, 0, RANDOM_TEST);
    uint64_t races = test_effort(400), errors = 0, all = 0;
    for (uint64_t i = 0; i < races; i++) {
        errors += race_errs(&plan, 300, 0.01, &random);
        errors += race_errs(&plan, 300, 0.09, &random);
        all += 2;
    }
    assert_true((double)errors <= 0.1 * (double)all + 5 * sqrt(0.09 * (double)all));
}

static void easy_races_are_decided_early_and_save_scores(void **state) {
    (void)state;
    RacePlan plan = plan_of(RACE_HOEFFDING, 0, 1);
    Random random = random_stream(43, 0, RANDOM_TEST);
    Race *race = make_race(&plan, 10, 5, 100);
    int taken = 0;
    do {
        for (int i = 0; i < 10; i++)
            if (race_wants(race, i)) {
                race_score(race, i, (i % 2) * 0.9 + 0.1 * random_unit(&random));
                taken++;
            }
    } while (!race_end_round(race));
    assert_true(race_decided(race));
    assert_true(taken < 400 && taken >= 10); // of 1000
    int order[10];
    race_order(race, order);
    for (int i = 0; i < 10; i++)
        assert_int_equal(order[i] % 2, i < 5);
    assert_false(race_wants(race, 0));
    assert_true(race_end_round(race));
    free(race);
}

static void without_racing_all_play_to_the_end_and_are_ordered_by_mean(void **state) {
    (void)state;
    RacePlan plan = plan_of(RACE_NONE, 0, 0);
    Race *race = make_race(&plan, 4, 2, 7);
    static const double base[] = {10, 1e6, 10, -5};
    for (int r = 0; r < 7; r++) {
        for (int i = 0; i < 4; i++) {
            assert_true(race_wants(race, i));
            race_score(race, i, base[i] + (r - 3));
            race_score(race, i, 1e9); // a second score in one round is ignored
        }
        assert_int_equal(race_end_round(race), r == 6);
    }
    assert_false(race_wants(race, 0));
    assert_false(race_decided(race));
    int order[4];
    race_order(race, order);
    static const int expected[] = {1, 0, 2, 3};
    assert_memory_equal(order, expected, sizeof order);
    assert_near(race_mean(race, 1), 1e6, 0);
    assert_true(race_next_limit(&plan, 7, race) == 7);
    free(race);
}

// r_limit after decided and undecided races, eq. 3 and 4.
static void limits_grow_to_100_and_shrink_to_3(void **state) {
    (void)state;
    RacePlan plan = plan_of(RACE_HOEFFDING, 0, 1);
    Race *tied = make_race(&plan, 2, 1, 3), *clear = make_race(&plan, 2, 1, 30);
    for (bool over = false; !over; over = race_end_round(tied))
        for (int i = 0; i < 2; i++)
            race_score(tied, i, 0.5);
    for (bool over = false; !over; over = race_end_round(clear))
        for (int i = 0; i < 2; i++)
            race_score(clear, i, i);
    assert_false(race_decided(tied));
    assert_true(race_decided(clear));
    static const double up[] = {4.5,       6.75,       10.125,      15.1875, 22.78125,
                                34.171875, 51.2578125, 76.88671875, 100,     100};
    double limit = 3;
    for (int i = 0; i < 10; i++) {
        limit = race_next_limit(&plan, limit, tied);
        assert_true(limit == up[i]);
    }
    for (int i = 1; i <= 8; i++) {
        limit = race_next_limit(&plan, limit, clear);
        assert_near(limit, 100 / pow(1.5, i), 1e-9);
    }
    assert_true(race_next_limit(&plan, limit, clear) == 3);
    assert_true(race_next_limit(&plan, 3, clear) == 3);
    free(tied);
    free(clear);

    RacePlan tetris = plan_of(RACE_TETRIS, 150, 2000); // decided in the last round: not before the limit
    Race *late = make_race(&tetris, 2, 1, 1);
    race_score(late, 0, 10);
    race_score(late, 1, 1000);
    assert_true(race_end_round(late));
    assert_false(race_decided(late));
    assert_true(race_next_limit(&tetris, 4, late) == 6);
    free(late);
}

// ---------------------------------------------------------------------------------------------------
// Scores outside a and b, and no scores at all

// All are below a, where the Tetris bounds of every one would cross: none may be selected for its number.
static void weak_candidates_are_ranked_by_their_scores(void **state) {
    (void)state;
    RacePlan plan = plan_of(RACE_TETRIS, 150, 2000);
    Race *race = make_race(&plan, 6, 3, 100);
    do {
        for (int i = 0; i < 6; i++)
            if (race_wants(race, i))
                race_score(race, i, i < 3 ? 2 : 20 + i);
    } while (!race_end_round(race));
    assert_true(race_decided(race));
    assert_true(race_rounds(race) > 1);
    int order[6];
    race_order(race, order);
    static const int expected[] = {5, 4, 3, 0, 1, 2};
    assert_memory_equal(order, expected, sizeof order);
    free(race);
}

static void strong_candidates_are_ranked_by_their_scores(void **state) {
    (void)state;
    for (int bound = RACE_HOEFFDING; bound <= RACE_TETRIS; bound++) {
        RacePlan plan = plan_of((RaceBound)bound, 150, 2000);
        Race *race = make_race(&plan, 4, 1, 100);
        do {
            for (int i = 0; i < 4; i++)
                if (race_wants(race, i))
                    race_score(race, i, i == 2 ? 1e6 : 3e5 + i);
        } while (!race_end_round(race));
        int order[4];
        race_order(race, order);
        assert_int_equal(order[0], 2);
        assert_true(race_decided(race));
        double lower, upper;
        race_bounds(race, 2, &lower, &upper);
        assert_true(lower <= 1e6 && 1e6 <= upper && lower > 2000);
        free(race);
    }
}

static void scores_that_are_no_numbers_count_as_low_or_high(void **state) {
    (void)state;
    for (int bound = RACE_NONE; bound <= RACE_TETRIS; bound++) {
        RacePlan plan = plan_of((RaceBound)bound, 150, 2000);
        Race *race = make_race(&plan, 5, 2, 10);
        static const double scores[] = {NAN, -INFINITY, 500, INFINITY, -DBL_MAX};
        do {
            for (int i = 0; i < 5; i++)
                if (race_wants(race, i))
                    race_score(race, i, scores[i]);
        } while (!race_end_round(race));
        assert_near(race_mean(race, 0), 150, 0);
        assert_near(race_mean(race, 1), 150, 0);
        assert_near(race_mean(race, 3), 2000, 0);
        int order[5];
        race_order(race, order);
        assert_int_equal(order[0], 3);
        assert_int_equal(order[1], 2);
        assert_int_equal(order[4], 4);
        for (int i = 0; i < 5; i++) {
            double lower, upper;
            race_bounds(race, i, &lower, &upper);
            assert_true(isfinite(race_mean(race, i)) && lower <= upper);
        }
        free(race);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_command_line),
        cmocka_unit_test(the_formula_as_printed_selects_whoever_rises_above_a_first),
        cmocka_unit_test(impossible_races_are_refused_with_a_sentence),
        cmocka_unit_test(bounds_are_those_of_the_papers),
        cmocka_unit_test(the_tightest_bounds_are_kept),
        cmocka_unit_test(bounds_that_cross_are_dropped_unless_they_may_cross),
        cmocka_unit_test(counted_races_take_the_scores_so_far_for_n_b),
        cmocka_unit_test(decisions_are_those_of_a_literal_reading_in_any_order),
        cmocka_unit_test(hoeffding_races_err_less_often_than_delta),
        cmocka_unit_test(easy_races_are_decided_early_and_save_scores),
        cmocka_unit_test(without_racing_all_play_to_the_end_and_are_ordered_by_mean),
        cmocka_unit_test(limits_grow_to_100_and_shrink_to_3),
        cmocka_unit_test(weak_candidates_are_ranked_by_their_scores),
        cmocka_unit_test(strong_candidates_are_ranked_by_their_scores),
        cmocka_unit_test(scores_that_are_no_numbers_count_as_low_or_high),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
