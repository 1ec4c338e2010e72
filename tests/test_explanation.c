// SPDX-License-Identifier: GPL-3.0-or-later
// Explanations against players whose weights are really changed: inside the range that is given for a move it
// is chosen, just outside it is not, and where there is no range no weight makes it the choice.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "effort.h"
#include "player/explanation.h"
#include "player_cases.h"
#include "random_ratings.h"

// One decision to be explained.
typedef struct Decision {
    Strategy strategy;
    Rules rules;
    Game game;
    Ranking ranking;
    Explanation explanation;
    Player *player;
} Decision;

static void decide(Decision *decision) {
    Error error;
    decision->player = player_new(&decision->strategy, &decision->rules, NULL, &error);
    if (!decision->player)
        fail_msg("%s", error.text);
    Game copy = decision->game;
    player_rank(decision->player, &copy, &decision->ranking);
    if (!explanation_make(&decision->explanation, decision->player, &decision->game, &decision->ranking,
                          &error))
        fail_msg("%s", error.text);
}

static void decision_free(Decision *decision) {
    explanation_free(&decision->explanation);
    player_free(decision->player);
    rules_free(&decision->rules);
}

// <- the rank, in the decision, of the move that is chosen with another weight
static int chosen_with(const Decision *decision, int term, double weight) {
    const RatingShare *share = &decision->explanation.share[term];
    Strategy changed = decision->strategy;
    Error error;
    changed.rating.weight[feature_first[share->feature] + share->index] =
        nearbyint(weight * 1e4) / 1e4; // seldom rounded
    Player *player = player_new(&changed, &decision->rules, NULL, &error);
    if (!player)
        fail_msg("%s", error.text);
    Game copy = decision->game;
    Placement placement = player_choose(player, &copy);
    player_free(player);
    for (int k = 0; k < decision->ranking.count; k++)
        if (decision->ranking.move[k].move.placement == placement)
            return k;
    return -1;
}

// ---------------------------------------------------------------------------------------------------

static double largest_weight(const Decision *decision) {
    double most = 1;
    for (int i = 0; i < decision->explanation.terms; i++)
        most = fmax(most, fabs(decision->explanation.share[i].weight));
    return most;
}

static void wrong(const Decision *decision, int rank, int term, double weight, int found) {
    const WeightRange *range = &decision->explanation.range[rank * decision->explanation.terms + term];
    print_game(&decision->game, &decision->rules);
    fail_msg("move %d, weight %d (%s): %.17g .. %.17g; with %.17g the choice is %d", rank, term,
             feature_info[decision->explanation.share[term].feature].name, range->low, range->high, weight,
             found);
}

static void check_point(const Decision *decision, int rank, int term, double weight, bool inside) {
    int found = chosen_with(decision, term, weight);
    if ((found == rank) != inside)
        wrong(decision, rank, term, weight, found);
}

static bool has_tables(const Decision *decision) {
    for (int i = 0; i < decision->explanation.terms; i++)
        if (feature_is_table(decision->explanation.share[i].feature))
            return true;
    return false;
}

// Weights that are no decimal numbers are rounded, in proportion to the largest, with tables 16 times as
// coarsely: a step is larger than what that may change.
static double step_at(const Decision *decision, double low, double high) {
    double most = largest_weight(decision), rounding = has_tables(decision) ? 16e-4 : 1e-4;
    return rounding * fmax(most, fmax(isfinite(low) ? fabs(low) : 0, isfinite(high) ? fabs(high) : 0));
}

// <- was there a range to look at?
static bool check_ends(const Decision *decision, int rank, int term) {
    WeightRange range = decision->explanation.range[rank * decision->explanation.terms + term];
    double step = step_at(decision, range.low, range.high);
    if (!range.possible || !(range.high - range.low > 4 * step))
        return false;
    if (isfinite(range.low)) {
        check_point(decision, rank, term, range.low + step, true);
        check_point(decision, rank, term, range.low - step, false);
    }
    if (isfinite(range.high)) {
        check_point(decision, rank, term, range.high - step, true);
        check_point(decision, rank, term, range.high + step, false);
    }
    double inside = isfinite(range.low) && isfinite(range.high) ? (range.low + range.high) / 2
                    : isfinite(range.low)                       ? range.low + 1000
                    : isfinite(range.high)                      ? range.high - 1000
                                                                : 0;
    check_point(decision, rank, term, inside, true);
    return true;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// All weights at which the move is as good as another; between them nothing changes for it.
static void check_never(const Decision *decision, int rank, int term) {
    const Explanation *explanation = &decision->explanation;
    const RatingShare *own = &explanation->share[rank * explanation->terms + term];
    double at[PLACEMENTS];
    int count = 0;
    for (int k = 0; k < decision->ranking.count; k++) {
        const RatingShare *share = &explanation->share[k * explanation->terms + term];
        if (k != rank && !isnan(decision->ranking.move[k].value) && share->unit != own->unit)
            at[count++] =
                own->weight + (decision->ranking.move[k].value - decision->ranking.move[rank].value) /
                                  (own->unit - share->unit);
    }
    qsort(at, (size_t)count, sizeof *at, compare_doubles);
    for (int i = -1; i < count; i++) {
        double low = i < 0 ? (count ? at[0] : 0) - 100 : at[i], high = i + 1 < count ? at[i + 1] : low + 100;
        if (high - low > 4 * step_at(decision, low, high))
            check_point(decision, rank, term, (low + high) / 2, false);
    }
}

static void make_decision(Decision *decision, Random *random, uint64_t number) {
    static FillRating *const fills[] = {fill_any, fill_powers};
    Strategy *strategy = &decision->strategy;
    const Case *c = &cases[number % CASES];
    decision->rules = make_rules(c);
    strategy_empty(strategy, "tried");
    strategy->ties = number % 3 ? TIES_FIRST : TIES_PRIORITY;
    if (number % 5 == 4) {
        strategy->rating.kind = RATING_NETWORK;
        for (int id = 0; id < FEATURES; id++)
            if (feature_info[id].values == ONE && random_below(random, 4) == 0) {
                strategy->rating.given[id] = 1;
                strategy->rating.weight[feature_first[id]] = random_between(random, -1000, 1000) / 100.0;
            }
        strategy->rating.given[FEATURE_HOLES] = 1;
    } else {
        fills[number % 5 == 3](&strategy->rating, random, decision->rules.width, number);
        for (int id = 0; id < FEATURES;
             id++) { // of a size that can be changed by a little: powers are rounded
            strategy->rating.exponent[id] = fmin(strategy->rating.exponent[id], 1);
            for (int i = 0; i < strategy->rating.given[id]; i++)
                strategy->rating.weight[feature_first[id] + i] = random_between(random, -1000, 1000) / 100.0;
        }
    }
    start(&decision->game, &decision->rules, 2 * number + 1);
    decide(decision);
}

static void a_move_is_chosen_with_the_weights_of_its_range_and_no_others(void **state) {
    (void)state;
    int ranges = 0, nevers = 0, rivals = 0;
    for (uint64_t number = 0; number < test_effort(25); number++) {
        Decision decision;
        Random random = random_stream(SEED, number, RANDOM_TEST);
        make_decision(&decision, &random, number);
        const Explanation *explanation = &decision.explanation;
        if (!decision.ranking.chosen)
            assert_true(explanation->limits && !explanation->range);
        for (int t = 0; explanation->range && t < explanation->terms; t++) {
            int rank = random_between(&random, 0, decision.ranking.count - 1);
            for (int k = 0; k < decision.ranking.count; k++) { // the chosen one, one at random, one that can
                bool possible = explanation->range[k * explanation->terms + t].possible;
                if (possible && (k == 0 || k == rank || random_below(&random, 8) == 0)) {
                    ranges += check_ends(&decision, k, t);
                    rivals += k > 0;
                } else if (!possible && k == rank && t % 4 == 0) {
                    check_never(&decision, k, t);
                    nevers++;
                }
            }
        }
        decision_free(&decision);
    }
    if (test_effort(100) == 100)
        assert_true(ranges > 300 && nevers > 30 && rivals > 30); // the cases are not empty
}

// What beats the move just outside is the one that is named there, or one that is as good as that.
static void the_move_at_the_end_of_a_range_is_as_good_there(void **state) {
    (void)state;
    for (uint64_t number = 0; number < test_effort(40); number++) {
        Decision decision;
        Random random = random_stream(SEED + 1, number, RANDOM_TEST);
        make_decision(&decision, &random, number);
        const Explanation *explanation = &decision.explanation;
        for (int t = 0; explanation->range && t < explanation->terms; t++) {
            const WeightRange *range = &explanation->range[t];
            const RatingShare *own = &explanation->share[t];
            assert_int_equal(range->at_low < 0, isinf(range->low) != 0);
            assert_int_equal(range->at_high < 0, isinf(range->high) != 0);
            if (range->at_high < 0)
                continue;
            const RatingShare *other = &explanation->share[range->at_high * explanation->terms + t];
            double change = range->high - own->weight;
            double lead = explanation_gap(&decision.ranking, range->at_high);
            assert_true(fabs(lead + change * (own->unit - other->unit)) <= 1e-9 * (1 + fabs(lead)));
        }
        decision_free(&decision);
    }
}

// Whoever does not value moves by the sum of their features says so, and gives no ranges.
static void players_that_look_further_say_what_they_do_not_explain(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{\"player\": \"two-piece\", \"weights\": {\"holes\": -4}}",
        "{\"player\": \"expectimax\", \"candidates\": 2, \"weights\": {\"holes\": -4}}",
        "{\"player\": \"uct\", \"pieces\": 2, \"phases\": 20}",
        "{\"rating\": \"network\", \"hidden\": [{\"bias\": 2, \"output\": 1, \"weights\": {\"holes\": -9}}]}",
    };
    for (int i = 0; i < 4; i++) {
        Decision decision;
        Error error;
        if (!strategy_parse_json(&decision.strategy, "text", texts[i], strlen(texts[i]), &error))
            fail_msg("%s", error.text);
        decision.rules = make_rules(&cases[0]);
        game_start(&decision.game, &decision.rules, SEED, 1);
        decide(&decision);
        assert_non_null(decision.explanation.limits);
        assert_null(decision.explanation.range);
        assert_int_equal(decision.explanation.terms > 0, i != 2);
        if (i == 0) { // the last piece of a sequence is played as by a player of one piece
            explanation_free(&decision.explanation);
            player_free(decision.player);
            decision.game.next = -1;
            decide(&decision);
            assert_null(decision.explanation.limits);
            assert_non_null(decision.explanation.range);
        }
        player_forget(decision.player, &decision.game);
        decision_free(&decision);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_move_is_chosen_with_the_weights_of_its_range_and_no_others),
        cmocka_unit_test(the_move_at_the_end_of_a_range_is_as_good_there),
        cmocka_unit_test(players_that_look_further_say_what_they_do_not_explain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
