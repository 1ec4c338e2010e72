// SPDX-License-Identifier: GPL-3.0-or-later
// Every kernel gives every placement the value that the reference definitions give it: on played boards and
// on random ones, on all sizes, under all overflow rules. All kernels value all placements of one piece and
// must agree with each other; the definitions, which are slow, judge a few of these placements on every board
// and all of them on some. Ratings differ from setting to setting: all features, single ones, Dellacherie's
// relatives with extreme weights, powers, and boards with rows still to be cleared.
//
// The long run, ten million boards on all cores, some minutes:    scripts/long-check
// By hand:    TETRALAB_TEST_BOARDS=10000000 TETRALAB_TEST_SEED=1 build/tests/test_kernels
// TETRALAB_TEST_SETTING is the setting to start with; failures print it.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "effort.h"
#include "feature/kernel.h"
#include "random_boards.h"
#include "random_ratings.h"

enum { MAX_KERNELS = 8 };

static const Kernel *tried[MAX_KERNELS]; // the available ones without the reference
static const Kernel *reference;
static int kernels;

// One rating under one set of rules on one size, ready for every kernel.
typedef struct Setting {
    uint64_t seed, number;
    Random random;
    Rules rules;
    RatingWeights text;
    Rating rating, guiding;
    Evaluator *judge, *tried[MAX_KERNELS];
    Evaluator *guide; // a good player, for boards as they are in games
} Setting;

typedef struct Pass {
    const char *what;
    uint64_t salt;                    // a stream of its own
    FillRating *fill;                 // the rating's text
    double share;                     // of the boards asked for
    uint32_t boards;                  // in one setting
    uint32_t best_every, judge_every; // how often evaluator_best is called, and every placement judged
    bool full_rows;
} Pass;

static uint64_t environment(const char *name, uint64_t usual) {
    const char *text = getenv(name);
    return text && *text ? strtoull(text, NULL, 10) : usual;
}

// ---- reports -------------------------------------------------------------------------------------------

static Situation situation_after(const Setting *setting, const Board *before, int piece, Placement placement,
                                 Board *after) {
    const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
    int width = setting->rules.width, column = placement_column(placement);
    *after = *before;
    Landing landing = board_place(after, width, shape, column, board_drop_row(before, shape, column));
    return (Situation){width, setting->rules.height, before, after, shape, landing};
}

static int64_t reference_value(const Setting *setting, const Rating *rating, const Board *board, int piece,
                               Placement placement) {
    Board after;
    Situation situation = situation_after(setting, board, piece, placement, &after);
    return rating_reference(rating, &situation, ~(uint64_t)0);
}

static void print_position(const Pass *pass, const Setting *setting, const Board *board, int piece,
                           const char *kernel) {
    const Rules *rules = &setting->rules;
    char text[(BOARD_MAX_WIDTH + 1) * 32 + 1];
    board_print(board, rules->width, 32, text);
    const char *start = text;
    while (start[rules->width + 1] && strspn(start, ".") == (size_t)rules->width)
        start += rules->width + 1;
    print_error("%s: TETRALAB_TEST_SEED=%" PRIu64 " TETRALAB_TEST_SETTING=%" PRIu64 "\n", pass->what,
                setting->seed, setting->number);
    print_error("kernel %s, board %dx%d, overflow %s, gameover %s, piece %c%s\n%s", kernel, rules->width,
                rules->height, rules_overflow_name(rules->overflow), rules_gameover_name(rules->gameover),
                piece_letter[piece], pass->full_rows ? ", full rows not cleared" : "", start);
}

// The same rating with all weights but one zero, so that the same kernel values it in the same way.
static void name_if_wrong(const Pass *pass, const Setting *setting, int kernel, const Board *board, int piece,
                          Placement placement, FeatureId id, int index) {
    RatingWeights text = setting->text;
    memset(text.weight, 0, sizeof text.weight);
    text.weight[feature_first[id] + index] = 1;
    Rating rating;
    Error error;
    Evaluator *evaluator = NULL;
    if (rating_make(&rating, &text, setting->rules.width, setting->rules.height, &error))
        evaluator = evaluator_new(&rating, &setting->rules, tried[kernel], pass->full_rows, &error);
    if (evaluator) {
        int64_t value[PLACEMENTS], expected = reference_value(setting, &rating, board, piece, placement);
        uint64_t legal, fatal;
        evaluator_values(evaluator, board, piece, value, &legal, &fatal);
        if (value[placement] != expected)
            print_error("  %s, value %d: expected %g, found %g\n", feature_info[id].name, index + 1,
                        (double)expected / rating.scale, (double)value[placement] / rating.scale);
    }
    evaluator_free(evaluator);
    rating_free(&rating);
}

static void fail_value(const Pass *pass, const Setting *setting, int kernel, const Board *board, int piece,
                       Placement placement, int64_t found) {
    print_position(pass, setting, board, piece, kernel_name(tried[kernel]));
    print_error("%c%d:%d: expected %" PRId64 ", found %" PRId64 "; features that differ by themselves:\n",
                piece_letter[piece], placement_orientation(placement), placement_column(placement),
                reference_value(setting, &setting->rating, board, piece, placement), found);
    for (int id = 0; id < FEATURES; id++)
        for (int i = 0; i < setting->text.given[id]; i++)
            name_if_wrong(pass, setting, kernel, board, piece, placement, id, i);
    for (int i = 0; i < setting->rating.terms; i++)
        if (setting->rating.kind == RATING_LINEAR)
            print_error("  (%s has the weight %d)\n", feature_info[setting->rating.term[i].feature].name,
                        setting->rating.term[i].weight);
    fail();
}

static void check_set(const Pass *pass, const Setting *setting, const char *kernel, const Board *board,
                      int piece, const char *what, uint64_t found, uint64_t expected) {
    if (found == expected)
        return;
    print_position(pass, setting, board, piece, kernel);
    fail_msg("%s: expected the placements %016" PRIx64 ", found %016" PRIx64, what, expected, found);
}

// ---- one board -----------------------------------------------------------------------------------------

// What the game's own code says of every placement.
typedef struct Survey {
    uint64_t legal, fatal, completing;
} Survey;

static Survey survey(const Setting *setting, const Board *board, int piece) {
    Survey result = {0, 0, 0};
    for (int o = 0; o < piece_orientations[piece]; o++)
        for (int column = 0; column + piece_shape[piece][o].width <= setting->rules.width; column++) {
            Board after;
            Placement placement = placement_make(o, column);
            Situation situation = situation_after(setting, board, piece, placement, &after);
            result.legal |= (uint64_t)1 << placement;
            result.fatal |= (uint64_t)rules_fatal(&setting->rules, situation.shape, &situation.landing)
                            << placement;
            result.completing |= (uint64_t)(situation.landing.lines > 0) << placement;
        }
    return result;
}

static Placement random_member(Random *random, uint64_t set) {
    for (uint32_t skip = random_below(random, (uint32_t)__builtin_popcountll(set)); skip; skip--)
        set &= set - 1;
    return __builtin_ctzll(set);
}

static void check_judged(const Pass *pass, Setting *setting, const Board *board, int piece,
                         const Survey *seen, const int64_t value[PLACEMENTS], bool all) {
    if (all) {
        int64_t expected[PLACEMENTS];
        uint64_t legal, fatal;
        evaluator_values(setting->judge, board, piece, expected, &legal, &fatal);
        check_set(pass, setting, kernel_name(reference), board, piece, "legal", legal, seen->legal);
        check_set(pass, setting, kernel_name(reference), board, piece, "fatal", fatal, seen->fatal);
        for (uint64_t left = legal; left; left &= left - 1)
            if (value[__builtin_ctzll(left)] != expected[__builtin_ctzll(left)])
                fail_value(pass, setting, 0, board, piece, __builtin_ctzll(left),
                           value[__builtin_ctzll(left)]);
        return;
    }
    uint64_t judged = (uint64_t)1 << random_member(&setting->random, seen->legal);
    if (seen->completing)
        judged |= (uint64_t)1 << random_member(&setting->random, seen->completing);
    for (; judged; judged &= judged - 1) {
        Placement placement = __builtin_ctzll(judged);
        if (value[placement] != reference_value(setting, &setting->rating, board, piece, placement))
            fail_value(pass, setting, 0, board, piece, placement, value[placement]);
    }
}

static void check_best(const Pass *pass, const Setting *setting, int kernel, const Board *board, int piece,
                       const Survey *seen, const int64_t value[PLACEMENTS]) {
    Evaluation expected = {0, INT64_MIN};
    uint64_t allowed = setting->rules.gameover == GAMEOVER_AVOID ? seen->legal & ~seen->fatal : seen->legal;
    for (uint64_t left = allowed; left; left &= left - 1)
        if (value[__builtin_ctzll(left)] > expected.value)
            expected.value = value[__builtin_ctzll(left)];
    for (uint64_t left = allowed; left; left &= left - 1)
        if (value[__builtin_ctzll(left)] == expected.value)
            expected.best |= left & -left;
    Evaluation found = evaluator_best(setting->tried[kernel], board, piece);
    check_set(pass, setting, kernel_name(tried[kernel]), board, piece, "best", found.best, expected.best);
    if (found.value != expected.value) {
        print_position(pass, setting, board, piece, kernel_name(tried[kernel]));
        fail_msg("value of the best: expected %" PRId64 ", found %" PRId64, expected.value, found.value);
    }
}

static void check_board_value(const Pass *pass, const Setting *setting, const Board *board) {
    Situation situation = {setting->rules.width, setting->rules.height, board, board, NULL, {0}};
    int64_t expected = rating_reference(&setting->rating, &situation, ~(uint64_t)0);
    for (int k = 0; k < kernels; k++) {
        int64_t found = evaluator_board_value(setting->tried[k], board);
        if (found == expected)
            continue;
        print_position(pass, setting, board, 0, kernel_name(tried[k]));
        fail_msg("value of the board: expected %" PRId64 ", found %" PRId64, expected, found);
    }
}

static Survey check_board(const Pass *pass, Setting *setting, const Board *board, int piece,
                          uint64_t number) {
    Survey seen = survey(setting, board, piece);
    int64_t value[MAX_KERNELS][PLACEMENTS];
    for (int k = 0; k < kernels; k++) {
        uint64_t legal, fatal;
        evaluator_values(setting->tried[k], board, piece, value[k], &legal, &fatal);
        check_set(pass, setting, kernel_name(tried[k]), board, piece, "legal", legal, seen.legal);
        check_set(pass, setting, kernel_name(tried[k]), board, piece, "fatal", fatal, seen.fatal);
    }
    check_judged(pass, setting, board, piece, &seen, value[0], number % pass->judge_every == 0);
    for (int k = 0; k < kernels; k++) {
        for (uint64_t left = seen.legal; left; left &= left - 1) {
            Placement placement = __builtin_ctzll(left);
            if (value[k][placement] == value[0][placement])
                continue;
            bool right =
                value[k][placement] == reference_value(setting, &setting->rating, board, piece, placement);
            int wrong = right ? 0 : k;
            fail_value(pass, setting, wrong, board, piece, placement, value[wrong][placement]);
        }
        if (number % pass->best_every == 0)
            check_best(pass, setting, k, board, piece, &seen, value[k]);
    }
    if (number % pass->judge_every == 1)
        check_board_value(pass, setting, board);
    return seen;
}

// ---- many boards together ------------------------------------------------------------------------------

enum { TOGETHER = 40 }; // more than there are lanes

// Boards whose values are known.
typedef struct Known {
    int count;
    Board board[TOGETHER];
    int piece[TOGETHER];
    Survey seen[TOGETHER];
    int64_t value[TOGETHER][PLACEMENTS];
} Known;

static void check_outcomes(const Pass *pass, const Setting *setting, const Known *known, int kernel) {
    static Outcome room[TOGETHER * MOST_PLACEMENTS];
    Outcome *outcome[TOGETHER];
    BoardPiece question[TOGETHER];
    int found[TOGETHER];
    for (int i = 0; i < known->count; i++)
        question[i] = (BoardPiece){&known->board[i], known->piece[i]};
    evaluator_outcomes(setting->tried[kernel], known->count, question, room, outcome, found);
    for (int i = 0; i < known->count; i++)
        for (int k = 0; k < found[i]; k++)
            if (outcome[i][k].value != known->value[i][outcome[i][k].placement])
                fail_value(pass, setting, kernel, &known->board[i], known->piece[i], outcome[i][k].placement,
                           outcome[i][k].value);
}

// The best values of several pieces on the same boards, of which one is known for each board.
static void check_best_values(const Pass *pass, Setting *setting, const Known *known, int kernel) {
    const Board *board[TOGETHER];
    int64_t best[TOGETHER][PIECES];
    uint32_t pieces = 1 + random_below(&setting->random, (1 << PIECES) - 1);
    for (int i = 0; i < known->count; i++)
        board[i] = &known->board[i];
    evaluator_best_values(setting->tried[kernel], known->count, board, NULL, pieces, best);
    for (int i = 0; i < known->count; i++) {
        uint64_t allowed = known->seen[i].legal;
        int64_t expected = INT64_MIN;
        if (setting->rules.gameover == GAMEOVER_AVOID)
            allowed &= ~known->seen[i].fatal;
        for (; allowed; allowed &= allowed - 1)
            if (known->value[i][__builtin_ctzll(allowed)] > expected)
                expected = known->value[i][__builtin_ctzll(allowed)];
        if (!(pieces >> known->piece[i] & 1) || best[i][known->piece[i]] == expected)
            continue;
        print_position(pass, setting, board[i], known->piece[i], kernel_name(tried[kernel]));
        fail_msg("value of the best, of %d boards: expected %" PRId64 ", found %" PRId64, known->count,
                 expected, best[i][known->piece[i]]);
    }
}

static void check_together(const Pass *pass, Setting *setting, Known *known) {
    for (int k = 0; known->count && k < kernels; k++) {
        check_outcomes(pass, setting, known, k);
        check_best_values(pass, setting, known, k);
    }
    known->count = 0;
}

// ---- boards --------------------------------------------------------------------------------------------

// Goes on with a random or a good move; from a dead end, and now and then, with another board.
static void move_on(Setting *setting, Board *board, int piece, const Survey *seen, uint32_t randomness) {
    uint64_t safe = seen->legal & ~seen->fatal;
    Random *random = &setting->random;
    if (!safe || random_below(random, 64) == 0) {
        int top =
            setting->rules.overflow == OVERFLOW_TOUCH ? setting->rules.height - 1 : setting->rules.height;
        random_board(board, random, setting->rules.width, random_between(random, 0, top));
        return;
    }
    Placement placement = random_member(random, safe);
    if (random_below(random, 100) >= randomness) {
        uint64_t best = evaluator_best(setting->guide, board, piece).best & safe;
        if (best)
            placement = __builtin_ctzll(best);
    }
    Board before = *board;
    situation_after(setting, &before, piece, placement, board);
}

// Leaves a first piece where it fell, with the rows that it completes, as late clearing does.
static bool put_without_clearing(Setting *setting, Board *board) {
    int piece = (int)random_below(&setting->random, PIECES);
    Survey seen = survey(setting, board, piece);
    uint64_t safe = seen.legal & ~seen.fatal;
    if (!safe)
        return false;
    if (safe & seen.completing && random_below(&setting->random, 2))
        safe &= seen.completing;
    Placement placement = random_member(&setting->random, safe);
    const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
    board_put(board, shape, placement_column(placement),
              board_drop_row(board, shape, placement_column(placement)));
    return true;
}

static void check_boards(const Pass *pass, Setting *setting) {
    static const uint32_t mixtures[] = {0, 3, 10, 30, 100};
    uint32_t randomness = mixtures[random_below(&setting->random, sizeof mixtures / sizeof *mixtures)];
    Board played, board;
    Known known = {0};
    random_board(&played, &setting->random, setting->rules.width,
                 random_between(&setting->random, 0, setting->rules.height - 1));
    for (uint32_t i = 0; i < pass->boards; i++) {
        int piece = (int)random_below(&setting->random, PIECES);
        board = played;
        if (i % 2)
            random_board(&board, &setting->random, setting->rules.width,
                         random_between(&setting->random, 0, setting->rules.height));
        if (pass->full_rows && !put_without_clearing(setting, &board))
            continue;
        Survey seen = check_board(pass, setting, &board, piece, setting->number + i);
        if (!pass->full_rows) {
            uint64_t legal, fatal;
            known.board[known.count] = board;
            known.piece[known.count] = piece;
            known.seen[known.count] = seen;
            evaluator_values(setting->tried[0], &board, piece, known.value[known.count++], &legal, &fatal);
        }
        if (known.count == TOGETHER)
            check_together(pass, setting, &known);
        if (i % 2 == 0) {
            if (pass->full_rows)
                seen = survey(setting, &played, piece);
            move_on(setting, &played, piece, &seen, randomness);
        }
    }
    check_together(pass, setting, &known);
}

// ---- settings ------------------------------------------------------------------------------------------

static const double bcts[][2] = {
    {FEATURE_LANDING_HEIGHT, -12.629},    {FEATURE_ERODED_CELLS, 6.601974},
    {FEATURE_ROW_TRANSITIONS, -9.215815}, {FEATURE_COLUMN_TRANSITIONS, -19.77356},
    {FEATURE_HOLES, -13.08335},           {FEATURE_CUMULATIVE_WELLS, -10.48747},
    {FEATURE_HOLE_DEPTH, -1.611863},      {FEATURE_ROWS_WITH_HOLES, -24.04087}};

static void prepare(const Pass *pass, Setting *setting, uint64_t seed, uint64_t number) {
    *setting = (Setting){.seed = seed, .number = number};
    setting->random = random_stream(seed, number * 16 + pass->salt, RANDOM_TEST);
    Rules *rules = &setting->rules;
    rules_default(rules);
    int heights = BOARD_MAX_HEIGHT - BOARD_MIN_HEIGHT + 1 - (pass->full_rows ? 4 : 0);
    rules->width = BOARD_MIN_WIDTH + (int)(number % (BOARD_MAX_WIDTH - BOARD_MIN_WIDTH + 1));
    rules->height = random_between(&setting->random, BOARD_MIN_HEIGHT, BOARD_MIN_HEIGHT + heights - 1);
    rules->overflow = (Overflow)random_below(&setting->random, 3);
    rules->gameover = (GameOver)random_below(&setting->random, 2);
    RatingWeights guide = setting->text;
    for (size_t i = 0; i < sizeof bcts / sizeof *bcts; i++) {
        guide.given[(int)bcts[i][0]] = 1;
        guide.weight[feature_first[(int)bcts[i][0]]] = bcts[i][1];
    }
    pass->fill(&setting->text, &setting->random, rules->width, number);
    Error error;
    if (!rating_make(&setting->rating, &setting->text, rules->width, rules->height, &error) ||
        !rating_make(&setting->guiding, &guide, rules->width, rules->height, &error) ||
        !(setting->judge = evaluator_new(&setting->rating, rules, reference, pass->full_rows, &error)) ||
        !(setting->guide = evaluator_new(&setting->guiding, rules, tried[kernels - 1], false, &error)))
        fail_msg("%s: %s", pass->what, error.text);
    for (int k = 0; k < kernels; k++)
        if (!(setting->tried[k] = evaluator_new(&setting->rating, rules, tried[k], pass->full_rows, &error)))
            fail_msg("%s: %s", pass->what, error.text);
}

static void finish(Setting *setting) {
    for (int k = 0; k < kernels; k++)
        evaluator_free(setting->tried[k]);
    evaluator_free(setting->judge);
    evaluator_free(setting->guide);
    rating_free(&setting->rating);
    rating_free(&setting->guiding);
    rules_free(&setting->rules);
}

static void run(const Pass *pass) {
    uint64_t seed = environment("TETRALAB_TEST_SEED", 1), first = environment("TETRALAB_TEST_SETTING", 0);
    uint64_t boards = environment("TETRALAB_TEST_BOARDS", test_effort(30000));
    uint64_t settings = (uint64_t)((double)boards * pass->share) / pass->boards + 1, incremental = 0;
    for (uint64_t k = 0; k < settings; k++) {
        Setting setting;
        prepare(pass, &setting, seed, first + k);
        RatingPlan *plan = rating_plan_new(&setting.rating, &setting.rules, pass->full_rows);
        incremental += plan && plan->incremental;
        rating_plan_free(plan);
        check_boards(pass, &setting);
        finish(&setting);
        if (boards >= 1000000 && (k + 1) * 20 / settings != k * 20 / settings)
            print_message("seed %" PRIu64 ", %s: %.3g boards\n", seed, pass->what,
                          (double)(k + 1) * pass->boards);
    }
    print_message("%s: seed %" PRIu64 ", %" PRIu64 " boards in %" PRIu64 " settings (%" PRIu64
                  " of what placements change), %d kernels\n",
                  pass->what, seed, settings * pass->boards, settings, incremental, kernels);
}

// ---- the facts -----------------------------------------------------------------------------------------

static void all_features_together_have_their_plain_values(void **state) {
    (void)state;
    run(&(Pass){"all features", 1, fill_all, 1, 64, 8, 48, false});
}

static void dellacheries_features_and_relatives_have_their_plain_values(void **state) {
    (void)state;
    run(&(Pass){"surface ratings", 2, fill_surface, 1, 64, 1, 8, false});
}

static void tables_with_small_weights_have_their_plain_values(void **state) {
    (void)state;
    run(&(Pass){"tables", 6, fill_small_tables, 0.3, 64, 2, 8, false});
}

static void holes_that_weigh_as_much_as_can_be_have_their_plain_values(void **state) {
    (void)state;
    run(&(Pass){"weights of holes", 7, fill_hole_weights, 0.05, 32, 1, 8, false});
}

static void each_feature_alone_has_its_plain_value(void **state) {
    (void)state;
    run(&(Pass){"single features", 3, fill_alone, 0.2, 32, 2, 4, false});
}

static void powers_of_features_have_their_plain_values(void **state) {
    (void)state;
    run(&(Pass){"powers", 4, fill_powers, 0.05, 128, 2, 8, false});
}

static void boards_with_full_rows_have_their_plain_values(void **state) {
    (void)state;
    run(&(Pass){"late clearing", 5, fill_any, 0.05, 32, 4, 8, true});
}

static int find_kernels(void **state) {
    (void)state;
    for (int k = 0; kernel_at(k); k++) {
        if (!strcmp(kernel_name(kernel_at(k)), "reference"))
            reference = kernel_at(k);
        else if (kernel_available(kernel_at(k)) && kernels < MAX_KERNELS)
            tried[kernels++] = kernel_at(k);
    }
    return reference && kernels ? 0 : -1;
}

// What the kernels' sums in two halves of 32 bits rest on (feature/rating_plan.h).
static void bounds_of_all_features_together_stay_below_two_to_the_16(void **state) {
    (void)state;
    for (int width = BOARD_MIN_WIDTH; width <= BOARD_MAX_WIDTH; width++) {
        long sum = 0;
        for (int id = 0; id < FEATURES; id++)
            sum += (long)feature_values(id, width) * feature_bound(id, width, BOARD_MAX_HEIGHT);
        assert_in_range(sum, 1, (1 << 16) - 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_of_all_features_together_stay_below_two_to_the_16),
        cmocka_unit_test(all_features_together_have_their_plain_values),
        cmocka_unit_test(dellacheries_features_and_relatives_have_their_plain_values),
        cmocka_unit_test(tables_with_small_weights_have_their_plain_values),
        cmocka_unit_test(holes_that_weigh_as_much_as_can_be_have_their_plain_values),
        cmocka_unit_test(each_feature_alone_has_its_plain_value),
        cmocka_unit_test(powers_of_features_have_their_plain_values),
        cmocka_unit_test(boards_with_full_rows_have_their_plain_values),
    };
    return cmocka_run_group_tests(tests, find_kernels, NULL);
}
