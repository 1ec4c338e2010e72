// SPDX-License-Identifier: GPL-3.0-or-later
// Networks: their values against the definition in double precision, every kernel against the plain sums,
// players against brute force, strategy files and their mistakes.
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
#include "feature/network.h"
#include "player/player.h"
#include "player_cases.h"
#include "random_boards.h"

#define SAMPLE(name) TETRALAB_TESTS "/strategies/" name

// ---- networks to try -----------------------------------------------------------------------------------

static double between(Random *random, double least, double most) {
    return least + (most - least) * random_below(random, 1 << 20) / (1 << 20);
}

// <- a network of `hidden` units over some of the features, or over Dellacherie's, which have a kernel of
// their own. The arguments stay where s is curved.
static RatingWeights random_network(Random *random, int hidden) {
    static const FeatureId surface[] = {FEATURE_LANDING_HEIGHT,  FEATURE_ERODED_CELLS,
                                        FEATURE_ROW_TRANSITIONS, FEATURE_COLUMN_TRANSITIONS,
                                        FEATURE_HOLES,           FEATURE_CUMULATIVE_WELLS};
    RatingWeights text = {.kind = RATING_NETWORK, .hidden = hidden};
    bool any = random_below(random, 2);
    for (int id = 0; any && id < FEATURES; id++)
        text.given[id] = feature_info[id].values == ONE && (id == FEATURE_HOLES || random_below(random, 2));
    for (int k = 0; !any && k < 6; k++)
        text.given[surface[k]] = 1;
    for (int id = 0; id < FEATURES; id++) {
        for (int j = 0; text.given[id] && j < hidden; j++)
            text.unit[j].weight[id] = between(random, -5, 5);
        if (text.given[id] && !hidden)
            text.weight[feature_first[id]] = between(random, -5, 5);
    }
    for (int j = 0; j < hidden; j++) {
        text.unit[j].bias = between(random, -3, 3);
        text.unit[j].output = between(random, -2, 2);
    }
    return text;
}

static Rating made(const RatingWeights *text, int width, int height) {
    Rating rating;
    Error error = {""};
    if (!rating_make(&rating, text, width, height, &error))
        fail_msg("%s", error.text);
    return rating;
}

static double range_of(FeatureId id, int width, int height) {
    return (double)feature_bound(id, width, height) / feature_steps(id, width);
}

// Adds a move's features, as a rating sees them: in whole steps.
static void add_features(const Situation *situation, bool move_only, double value[FEATURES]) {
    for (int id = 0; id < FEATURES; id++) {
        double steps = feature_steps((FeatureId)id, situation->width);
        if (feature_info[id].values == ONE && (!move_only || features_of_moves >> id & 1))
            value[id] += floor(feature_reference((FeatureId)id, situation, 0) * steps + 1e-6) / steps;
    }
}

// The definition in double precision.
static double definition(const RatingWeights *text, const double value[FEATURES], int width, int height) {
    double sum = 0;
    for (int j = 0; j < text->hidden; j++) {
        double argument = text->unit[j].bias;
        for (int id = 0; id < FEATURES; id++)
            if (text->given[id])
                argument += text->unit[j].weight[id] * value[id] / range_of((FeatureId)id, width, height);
        sum += text->unit[j].output / (1 + exp(-argument));
    }
    return sum;
}

// The straight pieces of the table are at most max|s''| / 8 / 128^2 = 7.4e-7 from the curve; beyond 16, where
// s is taken as constant, it changes by 1.2e-7. Weights per step are rounded to 2^-28 of the largest, and s
// is nowhere steeper than 1/4.
static double tolerance(const RatingWeights *text, int width, int height) {
    double sum = 0;
    for (int j = 0; j < text->hidden; j++) {
        double largest = 0, steps = 0;
        for (int id = 0; id < FEATURES; id++) {
            double bound = feature_bound((FeatureId)id, width, height);
            steps += text->given[id] ? bound : 0;
            largest = fmax(largest, fabs(text->unit[j].weight[id]) / bound);
        }
        sum += fabs(text->unit[j].output) * (1e-6 + largest * steps * 0x1p-30);
    }
    return sum;
}

// ---- values --------------------------------------------------------------------------------------------

typedef struct Sample {
    Rules rules;
    RatingWeights text;
    Rating rating;
    Board board;
    int piece;
} Sample;

static Sample random_sample(Random *random, int hidden) {
    Sample s;
    rules_default(&s.rules);
    s.rules.width = random_between(random, BOARD_MIN_WIDTH, BOARD_MAX_WIDTH);
    s.rules.height = random_between(random, BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT);
    s.text = random_network(random, hidden);
    s.rating = made(&s.text, s.rules.width, s.rules.height);
    random_board(&s.board, random, s.rules.width, random_between(random, 0, s.rules.height));
    s.piece = random_between(random, 0, PIECES - 1);
    return s;
}

static Situation situation_of(const Sample *s, Placement placement, Board *after) {
    const Shape *shape = &piece_shape[s->piece][placement_orientation(placement)];
    int column = placement_column(placement);
    *after = s->board;
    Landing landing =
        board_place(after, s->rules.width, shape, column, board_drop_row(&s->board, shape, column));
    return (Situation){s->rules.width, s->rules.height, &s->board, after, shape, landing};
}

static void ratings_are_the_definition_to_the_precision_of_the_table(void **state) {
    (void)state;
    Random random = random_stream(SEED, 1, RANDOM_TEST);
    double most = 0;
    for (uint64_t k = test_effort(2000); k; k--) {
        Sample s = random_sample(&random, random_between(&random, 1, RATING_MAX_HIDDEN));
        Board after;
        Situation situation = situation_of(&s, placement_make(0, 0), &after);
        double value[FEATURES] = {0};
        add_features(&situation, false, value);
        double expected = definition(&s.text, value, s.rules.width, s.rules.height);
        double found = (double)rating_reference(&s.rating, &situation, ~(uint64_t)0) / s.rating.scale;
        double away = fabs(found - expected) / tolerance(&s.text, s.rules.width, s.rules.height);
        most = fmax(most, away);
        if (away > 1)
            fail_msg("seed %d: expected %.9f, found %.9f", SEED, expected, found);
        rating_free(&s.rating);
    }
    assert_true(most > 0.05); // the tolerance is not idle
}

static void compare_kernel(const Sample *s, const Kernel *kernel, bool full_rows, const MoveSums *before) {
    Error error;
    Evaluator *evaluator = evaluator_new(&s->rating, &s->rules, kernel, full_rows, &error);
    if (!evaluator)
        fail_msg("%s", error.text);
    int64_t value[PLACEMENTS];
    uint64_t legal, fatal;
    evaluator_values(evaluator, &s->board, s->piece, value, &legal, &fatal);
    for (uint64_t left = legal; left; left &= left - 1) {
        Placement placement = __builtin_ctzll(left);
        Board after;
        Situation situation = situation_of(s, placement, &after);
        int64_t expected = rating_reference(&s->rating, &situation, ~(uint64_t)0), sums[RATING_MAX_HIDDEN];
        if (value[placement] != expected)
            fail_msg("seed %d, kernel %s, %dx%d: expected %lld, found %lld", SEED, kernel_name(kernel),
                     s->rules.width, s->rules.height, (long long)expected, (long long)value[placement]);
        assert_int_equal(fatal >> placement & 1, rules_fatal(&s->rules, situation.shape, &situation.landing));
        rating_sums(&s->rating, &situation, ~(uint64_t)0, sums); // what two moves give together
        for (int j = 0; j < s->text.hidden; j++)
            sums[j] += before->sum[j];
        value[placement] = rating_of_sums(&s->rating, sums);
    }
    Evaluation best = evaluator_best_move(evaluator, &s->board, s->piece, before);
    Evaluation expected = evaluation_of(value, legal & ~fatal);
    assert_true(best.best == expected.best && best.value == expected.value);
    evaluator_free(evaluator);
}

static void every_kernel_gives_the_plain_values(void **state) {
    (void)state;
    Random random = random_stream(SEED, 2, RANDOM_TEST);
    for (uint64_t k = test_effort(1500); k; k--) {
        Sample s = random_sample(&random, random_between(&random, 1, k % 8 ? 3 : RATING_MAX_HIDDEN));
        MoveSums before;
        for (int j = 0; j < RATING_MAX_HIDDEN; j++)
            before.sum[j] = k % 2 ? 0 : random_between(&random, -(1 << 29), 1 << 29);
        for (int i = 0; kernel_at(i); i++)
            if (kernel_available(kernel_at(i)))
                compare_kernel(&s, kernel_at(i), k % 3 == 0, &before);
        rating_free(&s.rating);
    }
}

// No C library may round an entry of the table otherwise than another. A few units in the last place of a
// double, which has 53 bits, move s * 2^32 by a few times 2^-21.
static void no_entry_of_the_table_is_on_the_edge_of_rounding(void **state) {
    (void)state;
    long double nearest = 1;
    for (int i = -2048; i <= 2048; i++) {
        if (i == 0)
            continue; // exactly one half
        long double exact = 0x1p32L / (1 + expl(-i / 128.0L)), away = fabsl(exact - floorl(exact) - 0.5L);
        nearest = fminl(nearest, away);
    }
    assert_true(nearest > 1e-5L);
}

// <- the rating with one unit over the holes alone, for this many holes
static double with_holes(const Rating *rating, int holes) {
    int64_t sums[RATING_MAX_HIDDEN] = {holes * (int64_t)rating->network->unit[0].sum.term[0].weight};
    return (double)rating_of_sums(rating, sums) / rating->scale;
}

static void weights_of_any_size_give_a_rising_curve_between_0_and_the_output(void **state) {
    (void)state;
    static const double sizes[] = {1e-100, 1e-12, 1e-5, 0.1, 1, 10, 1e3, 1e9, 1e100};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    int bound = feature_bound(FEATURE_HOLES, 10, 20);
    for (int w = 0; w < SIZES; w++)
        for (int b = -SIZES; b < SIZES; b++)
            for (int o = 0; o < SIZES; o++) {
                RatingWeights text = {.kind = RATING_NETWORK, .hidden = 1, .given[FEATURE_HOLES] = 1};
                double bias = b < 0 ? -sizes[b + SIZES] : sizes[b], last = -1;
                text.unit[0] = (HiddenUnit){bias, sizes[o], .weight[FEATURE_HOLES] = sizes[w]};
                Rating rating = made(&text, 10, 20);
                for (int holes = 0; holes <= bound; holes += 8) {
                    double value = with_holes(&rating, holes) / sizes[o];
                    double argument = bias + sizes[w] * holes / bound;
                    if (sizes[w] < 1e8 && fabs(value - 1 / (1 + exp(-argument))) > 1e-6)
                        fail_msg("weight %g, bias %g, output %g, holes %d: %.9f", sizes[w], bias, sizes[o],
                                 holes, value);
                    assert_true(value >= last && value > 0 && value < 1);
                    last = value;
                }
                rating_free(&rating);
            }
}

static void very_large_weights_are_a_step(void **state) {
    (void)state;
    RatingWeights text = {.kind = RATING_NETWORK, .hidden = 1, .given[FEATURE_HOLES] = 1};
    text.unit[0] = (HiddenUnit){0, -1, .weight[FEATURE_HOLES] = 1e100};
    Rating rating = made(&text, 10, 20);
    assert_true(with_holes(&rating, 0) == -0.5);
    assert_true(fabs(with_holes(&rating, 1) + 1) < 2e-7);
    assert_true(fabs(with_holes(&rating, -1)) < 2e-7);
    rating_free(&rating);
}

// ---- no hidden unit ------------------------------------------------------------------------------------

static void without_hidden_units_a_network_is_the_linear_rating_of_scaled_features(void **state) {
    (void)state;
    Random random = random_stream(SEED, 3, RANDOM_TEST);
    for (uint64_t k = test_effort(200); k; k--) {
        Sample s = random_sample(&random, 0);
        RatingWeights linear = s.text;
        linear.kind = RATING_LINEAR;
        for (int id = 0; id < FEATURES; id++)
            linear.weight[feature_first[id]] /= range_of((FeatureId)id, s.rules.width, s.rules.height);
        Rating expected = made(&linear, s.rules.width, s.rules.height);
        assert_int_equal(s.rating.kind, RATING_LINEAR);
        assert_null(s.rating.network);
        assert_int_equal(s.rating.terms, expected.terms);
        assert_true(s.rating.scale == expected.scale);
        for (int i = 0; i < expected.terms; i++) // dividing instead of multiplying may round otherwise
            assert_in_range(s.rating.term[i].weight - expected.term[i].weight + 1, 0, 2);
        rating_free(&expected);
        rating_free(&s.rating);
    }
}

static void a_linear_player_plays_the_same_as_a_network(void **state) {
    (void)state;
    Strategy linear, network;
    Error error;
    Rules rules = make_rules(&cases[1]);
    assert_true(strategy_find(&linear, "bcts", &error));
    network = linear;
    network.rating.kind = RATING_NETWORK;
    for (int id = 0; id < FEATURES; id++)
        network.rating.weight[feature_first[id]] *= range_of((FeatureId)id, rules.width, rules.height);
    Player *players[2] = {make_player(&linear, &rules, NULL), make_player(&network, &rules, NULL)};
    for (uint64_t g = 0; g < 20; g++) {
        Game games[2];
        for (int p = 0; p < 2; p++) {
            start(&games[p], &rules, g);
            player_run(players[p], &games[p], 2000);
        }
        assert_int_equal(games[0].pieces, games[1].pieces);
        assert_memory_equal(&games[0].board, &games[1].board, sizeof games[0].board);
    }
    player_free(players[0]);
    player_free(players[1]);
    rules_free(&rules);
}

// ---- players -------------------------------------------------------------------------------------------

static Strategy random_player(Random *random, PlayerKind kind, TieRule ties, bool late) {
    Strategy strategy;
    strategy_empty(&strategy, "random");
    strategy.player = kind;
    strategy.ties = ties;
    strategy.clear_late = late;
    strategy.rating = random_network(random, random_between(random, 1, 4));
    return strategy;
}

static void run_in_window(const Player *player, Game *game, uint64_t moves) {
    for (uint64_t k = 0; k < moves; k++)
        player_run_turns(player, 1, &(Turn){game, 1, 2, 5}, NULL, NULL);
}

// Games of a player with every kernel; then the same games through a window, which only looks.
static void compare_players(const Strategy *strategy, const Rules *rules, uint64_t moves) {
    Game expected[2];
    for (int k = 0; kernel_at(k); k++) {
        if (!kernel_available(kernel_at(k)))
            continue;
        Player *player = make_player(strategy, rules, kernel_at(k));
        for (int window = 0; window < 2; window++) {
            Game games[2];
            for (int g = 0; g < 2; g++) {
                start(&games[g], rules, (uint64_t)g);
                (window ? run_in_window : player_run)(player, &games[g], moves);
                if (k == 0 && !window)
                    expected[g] = games[g];
                assert_int_equal(games[g].pieces, expected[g].pieces);
                assert_int_equal(games[g].lines, expected[g].lines);
                assert_memory_equal(&games[g].board, &expected[g].board, sizeof expected[g].board);
            }
        }
        player_free(player);
    }
}

static void every_kernel_makes_the_same_moves_under_all_rules(void **state) {
    (void)state;
    Random random = random_stream(SEED, 4, RANDOM_TEST);
    for (int i = 0; i < CASES; i++) {
        Rules rules = make_rules(&cases[i]);
        for (int ties = TIES_FIRST; ties <= TIES_RANDOM; ties++)
            for (int two = 0; two < 2; two++) {
                bool late = two && ties == TIES_RANDOM && rules.height <= 23;
                Strategy strategy =
                    random_player(&random, two ? PLAYER_TWO_PIECE : PLAYER_GREEDY, (TieRule)ties, late);
                compare_players(&strategy, &rules, test_effort(two ? 4 : 25));
            }
        rules_free(&rules);
    }
}

// The best value of a second move, by the definition, the first one's move features added to its inputs.
static double best_second(const RatingWeights *text, const Rules *rules, const Board *board, int piece,
                          const double first[FEATURES]) {
    double best = -INFINITY;
    for (int o = 0; o < piece_orientations[piece]; o++)
        for (int column = 0; column + piece_shape[piece][o].width <= rules->width; column++) {
            const Shape *shape = &piece_shape[piece][o];
            Board after = *board;
            double value[FEATURES];
            Landing landing =
                board_place(&after, rules->width, shape, column, board_drop_row(board, shape, column));
            if (rules_fatal(rules, shape, &landing))
                continue;
            memcpy(value, first, sizeof value);
            add_features(&(Situation){rules->width, rules->height, board, &after, shape, landing}, false,
                         value);
            best = fmax(best, definition(text, value, rules->width, rules->height));
        }
    return best;
}

// <- the value of placing the game's piece so, by the definition
static double value_of_move(const Strategy *strategy, const Rules *rules, const Game *game, int orientation,
                            int column) {
    const Shape *shape = &piece_shape[game->piece][orientation];
    bool two = strategy->player == PLAYER_TWO_PIECE;
    Board after = game->board;
    double value[FEATURES] = {0};
    Landing landing =
        board_place(&after, rules->width, shape, column, board_drop_row(&game->board, shape, column));
    if (rules_fatal(rules, shape, &landing))
        return -INFINITY;
    add_features(&(Situation){rules->width, rules->height, &game->board, &after, shape, landing}, two, value);
    return two ? best_second(&strategy->rating, rules, &after, game->next, value)
               : definition(&strategy->rating, value, rules->width, rules->height);
}

static void players_choose_a_best_move_by_the_definition(void **state) {
    (void)state;
    Random random = random_stream(SEED, 5, RANDOM_TEST);
    Rules rules = make_rules(&cases[11]); // 13x6, avoid
    for (uint64_t k = test_effort(60); k; k--) {
        Strategy strategy =
            random_player(&random, k % 2 ? PLAYER_TWO_PIECE : PLAYER_GREEDY, TIES_FIRST, false);
        Player *player = make_player(&strategy, &rules, NULL);
        Game game;
        start(&game, &rules, 2 * k + 1);
        if (strategy.player == PLAYER_TWO_PIECE && game.next < 0)
            game.next = random_between(&random, 0, PIECES - 1);
        Placement chosen = player_choose(player, &game);
        double best = -INFINITY, found = -INFINITY;
        for (int o = 0; o < piece_orientations[game.piece]; o++)
            for (int column = 0; column + piece_shape[game.piece][o].width <= rules.width; column++) {
                double value = value_of_move(&strategy, &rules, &game, o, column);
                best = fmax(best, value);
                if (chosen == placement_make(o, column))
                    found = value;
            }
        if (!(found >= best - 2 * tolerance(&strategy.rating, rules.width, rules.height)))
            fail_msg("seed %d, %s: value %.9f, best %.9f", SEED, strategy_player_names[strategy.player],
                     found, best);
        player_free(player);
    }
    rules_free(&rules);
}

// ---- refusals ------------------------------------------------------------------------------------------

static void refused(const RatingWeights *text, const char *message) {
    Rating rating;
    Error error = {""};
    assert_false(rating_make(&rating, text, 10, 20, &error));
    assert_string_equal(error.text, message);
    rating_free(&rating);
}

static void impossible_networks_are_refused(void **state) {
    (void)state;
    RatingWeights good = {.kind = RATING_NETWORK, .hidden = 1, .given[FEATURE_HOLES] = 1}, text = good;
    text.given[FEATURE_COLUMN_HEIGHTS] = 10;
    refused(&text, "column-heights has several values; the inputs of a network have one value each.");
    text = good;
    text.hidden = RATING_MAX_HIDDEN + 1;
    refused(&text, "a network has 0 to 16 hidden units, not 17.");
    text = good;
    text.unit[0].bias = NAN;
    refused(&text, "hidden unit 1 has a number that is not finite.");
    text = good;
    text.unit[0].weight[FEATURE_HOLES] = INFINITY;
    refused(&text, "hidden unit 1 has a number that is not finite.");
    text = good;
    text.given[FEATURE_HOLES] = 0;
    refused(&text, "the rating uses no feature; give at least one weight.");
}

#define NETWORK "{\"rating\": \"network\", "

static void mistakes_in_files_are_named_with_their_place(void **state) {
    (void)state;
    static const char *const facts[][2] = {
        {"{\"hidden\": []}", "my.json:1:2: \"hidden\" needs \"rating\": \"network\"."},
        {NETWORK "\"name\": \"x\"}",
         "my.json:1:1: \"weights\" is missing; add \"weights\": {\"holes\": -4, ...}."},
        {NETWORK "\"weights\": {\"holes\": 1}, \"hidden\": []}",
         "my.json:1:48: \"hidden\" and \"weights\" exclude each other: the weights belong to the hidden "
         "units."},
        {NETWORK "\"weights\": {\"holes\": 1, \"column-heights\": [1,2,3,4]}}",
         "my.json:1:47: \"column-heights\" has several values; the inputs of a network have one value "
         "each."},
        {NETWORK "\"exponents\": {\"holes\": 1}, \"weights\": {\"holes\": 1}}",
         "my.json:1:23: \"exponents\" needs \"rating\": \"exponential\" or \"displaced\"."},
        {NETWORK "\"hidden\": []}",
         "my.json:1:33: \"hidden\" needs a list of 1 to 16 hidden units, found a list of 0."},
        {NETWORK "\"hidden\": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]}",
         "my.json:1:33: \"hidden\" needs a list of 1 to 16 hidden units, found a list of 17."},
        {NETWORK "\"hidden\": 2}",
         "my.json:1:33: \"hidden\" needs a list of 1 to 16 hidden units, found a number."},
        {NETWORK "\"hidden\": [2]}", "my.json:1:34: a hidden unit is an object, found a number."},
        {NETWORK "\"hidden\": [{\"weights\": {\"holes\": 1}}]}",
         "my.json:1:34: \"output\" of this hidden unit is missing; add it."},
        {NETWORK "\"hidden\": [{\"output\": 1,\n \"wieghts\": {\"holes\": 1}}]}",
         "my.json:2:2: \"wieghts\" is not a key of a hidden unit; did you mean \"weights\"?"},
        {NETWORK "\"hidden\": [{\"output\": \"1\"}]}",
         "my.json:1:45: \"output\" needs a number, found a text."},
        {NETWORK "\"hidden\": [{\"output\": 1, \"bias\": 2e100}]}",
         "my.json:1:56: \"bias\" is 2e+100; it must lie between -1e+100 and 1e+100."},
        {NETWORK "\"hidden\": [{\"output\": 1, \"weights\": {}}]}",
         "my.json:1:59: \"weights\" is empty; give at least one feature a weight."},
        {NETWORK "\"hidden\": [{\"output\": 1, \"weights\": 7}]}",
         "my.json:1:59: \"weights\" needs an object like {\"holes\": -4}, found a number."},
        {NETWORK "\"hidden\": [{\"output\": 1, \"weights\": {\"holes\": 1}},\n"
                 "{\"output\": 1, \"weights\": {\"jags\": 2, \"hole\": 1}}]}",
         "my.json:2:38: \"hole\" is not a feature; did you mean \"holes\"?"},
        {NETWORK "\"hidden\": [{\"output\": 1, \"weights\": {\n\"holes\": [1]}}]}",
         "my.json:2:10: \"holes\" needs a number, found a list."},
        {NETWORK "\"hidden\": [{\"output\": 1, \"weights\": {\"holes\": 1,\n\"column-differences\": 1}}]}",
         "my.json:2:1: \"column-differences\" has several values; the inputs of a network have one "
         "value "
         "each."},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        Strategy strategy;
        Error error = {""};
        if (strategy_parse_json(&strategy, "my.json", facts[i][0], strlen(facts[i][0]), &error))
            fail_msg("accepted: %s", facts[i][0]);
        assert_string_equal(error.text, facts[i][1]);
    }
}

// ---- files ---------------------------------------------------------------------------------------------

static void assert_round_trip(const Strategy *strategy) {
    Strategy read;
    Error error = {""};
    char *text = strategy_to_json(strategy);
    assert_non_null(text);
    if (!strategy_parse_json(&read, "again", text, strlen(text), &error))
        fail_msg("%s\n%s", error.text, text);
    assert_memory_equal(&read, strategy, sizeof read);
    free(text);
}

static void files_are_read_and_written_without_loss(void **state) {
    (void)state;
    Strategy strategy;
    Error error = {""};
    if (!strategy_find(&strategy, SAMPLE("network.json"), &error))
        fail_msg("%s", error.text);
    const RatingWeights *rating = &strategy.rating;
    assert_int_equal(rating->kind, RATING_NETWORK);
    assert_int_equal(rating->hidden, 2);
    assert_int_equal(strategy_weights(&strategy), 2 * (8 + 2));
    assert_true(rating->unit[0].bias == 2 && rating->unit[1].bias == 2.5 && rating->unit[1].output == 0.8);
    assert_int_equal(rating->given[FEATURE_HOLES], 1);
    assert_true(rating->unit[0].weight[FEATURE_HOLES] == 0); // not named there: no influence
    assert_true(rating->unit[1].weight[FEATURE_HOLES] == -16);
    assert_true(rating->unit[1].weight[FEATURE_ROW_TRANSITIONS] == -5);
    assert_round_trip(&strategy);
    Random random = random_stream(SEED, 6, RANDOM_TEST);
    for (int hidden = 0; hidden <= RATING_MAX_HIDDEN; hidden++) {
        strategy_empty(&strategy, "random");
        strategy.rating = random_network(&random, hidden);
        assert_round_trip(&strategy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratings_are_the_definition_to_the_precision_of_the_table),
        cmocka_unit_test(every_kernel_gives_the_plain_values),
        cmocka_unit_test(no_entry_of_the_table_is_on_the_edge_of_rounding),
        cmocka_unit_test(weights_of_any_size_give_a_rising_curve_between_0_and_the_output),
        cmocka_unit_test(very_large_weights_are_a_step),
        cmocka_unit_test(without_hidden_units_a_network_is_the_linear_rating_of_scaled_features),
        cmocka_unit_test(a_linear_player_plays_the_same_as_a_network),
        cmocka_unit_test(every_kernel_makes_the_same_moves_under_all_rules),
        cmocka_unit_test(players_choose_a_best_move_by_the_definition),
        cmocka_unit_test(impossible_networks_are_refused),
        cmocka_unit_test(mistakes_in_files_are_named_with_their_place),
        cmocka_unit_test(files_are_read_and_written_without_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
