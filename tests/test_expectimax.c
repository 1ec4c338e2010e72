// SPDX-License-Identifier: GPL-3.0-or-later
// Looking ahead against its definition, tried out placement by placement with the plain features; what the
// kernels offer for it; what a player may know; threads.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "effort.h"
#include "game/original.h"
#include "player/expectimax.h"
#include "player/expectimax_law.h"
#include "player/expectimax_table.h"
#include "player_cases.h"
#include "random_ratings.h"

// ---- the definition --------------------------------------------------------------------------------------

enum { STEPS_OFF = 8 }; // steps of the rating's sums that a mean of dangers may be off

typedef struct Truth {
    const Rating *rating;
    const Rules *rules;
    ExpectimaxOptions options;
    int64_t dead;
    int weight[PIECES]; // of the pieces; a bag: all 1
    bool bag;
} Truth;

static void set_weights(Truth *truth, const char *pieces) {
    static const struct {
        const char *name;
        int weight[PIECES];
    } laws[] = {{"uniform", {1, 1, 1, 1, 1, 1, 1}},
                {"bag", {1, 1, 1, 1, 1, 1, 1}},
                {"hard", {1, 1, 3, 3, 1, 1, 1}},
                {"sz", {0, 0, 1, 1, 0, 0, 0}},
                {"S:3,Z:3,T:1", {0, 0, 3, 3, 0, 0, 1}}};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
        if (!strcmp(laws[i].name, pieces))
            memcpy(truth->weight, laws[i].weight, sizeof truth->weight);
    truth->bag = !strcmp(pieces, "bag");
}

typedef struct Try {
    Board after;
    Placement placement;
    int64_t value, move_value;
    bool fatal, followed;
} Try;

static int list_tries(const Truth *truth, const Board *board, int piece, Try *list) {
    const Rules *rules = truth->rules;
    OriginalPlacement reachable[PLACEMENTS];
    int count = 0;
    if (rules->original)
        count = original_placements(board, rules, piece, reachable);
    for (int o = 0; !rules->original && o < piece_orientations[piece]; o++)
        for (int x = 0; x + piece_shape[piece][o].width <= rules->width; x++)
            reachable[count++] =
                (OriginalPlacement){placement_make(o, x), board_drop_row(board, &piece_shape[piece][o], x)};
    uint64_t of_moves = 0;
    for (int id = 0; id < FEATURES; id++)
        if (!strcmp(feature_info[id].family, "move"))
            of_moves |= feature_bit((FeatureId)id);
    for (int k = 0; k < count; k++) {
        const Shape *shape = &piece_shape[piece][placement_orientation(reachable[k].placement)];
        list[k] = (Try){.after = *board, .placement = reachable[k].placement};
        Landing landing = board_place(&list[k].after, rules->width, shape,
                                      placement_column(list[k].placement), reachable[k].row);
        Situation situation = {rules->width, rules->height, board, &list[k].after, shape, landing};
        list[k].value = rating_reference(truth->rating, &situation, ~(uint64_t)0);
        list[k].move_value = rating_reference(truth->rating, &situation, of_moves);
        list[k].fatal = rules_fatal(rules, shape, &landing);
    }
    return count;
}

// Not fatal, and fewer than `candidates` others are better or equal and earlier. -> later  a piece after the
// one in hand
static void mark_followed(const Truth *truth, bool later, Try *list, int count) {
    int most = later && truth->options.later_candidates ? truth->options.later_candidates
                                                        : truth->options.candidates;
    for (int k = 0; k < count; k++) {
        int before = 0;
        for (int j = 0; j < count; j++)
            before += !list[j].fatal &&
                      (list[j].value > list[k].value || (list[j].value == list[k].value && j < k));
        list[k].followed = !list[k].fatal && (most == 0 || before < most);
    }
}

static int64_t truth_mean(const Truth *truth, const Board *board, uint32_t bag, int depth);

// -> bag  what is left in it after the piece; <- false: the piece cannot be placed
static bool truth_piece(const Truth *truth, const Board *board, int piece, uint32_t bag, int depth,
                        Evaluation *found) {
    Try list[PLACEMENTS];
    int count = list_tries(truth, board, piece, list);
    mark_followed(truth, depth < truth->options.depth, list, count);
    *found = (Evaluation){0, INT64_MIN};
    for (int k = 0; k < count; k++) {
        bool counts =
            depth > 1 ? list[k].followed : !list[k].fatal || truth->rules->gameover == GAMEOVER_EVALUATE;
        if (!counts)
            continue;
        int64_t value = depth == 1 ? list[k].value
                                   : list[k].move_value + truth_mean(truth, &list[k].after, bag, depth - 1);
        if (value > found->value)
            *found = (Evaluation){0, value};
        if (value == found->value)
            found->best |= (uint64_t)1 << list[k].placement;
    }
    return found->best != 0;
}

static int64_t floor_of(__int128 sum, int by) {
    __int128 quotient = sum / by;
    return (int64_t)(quotient * by > sum ? quotient - 1 : quotient);
}

static int64_t truth_mean(const Truth *truth, const Board *board, uint32_t bag, int depth) {
    __int128 sum = 0;
    long double dangers = 0, unit = (long double)truth->options.danger * truth->rating->scale;
    int weights = 0;
    uint32_t full = (1 << PIECES) - 1;
    for (int piece = 0; piece < PIECES; piece++) {
        int weight = truth->bag ? bag >> piece & 1 : (uint32_t)truth->weight[piece];
        uint32_t left = bag & ~(1u << piece);
        Evaluation best;
        if (weight == 0)
            continue;
        bool placed = truth_piece(truth, board, piece, left ? left : full, depth, &best);
        sum += (__int128)weight * (placed ? best.value : truth->dead);
        dangers += unit > 0 ? weight * expl(-(placed ? best.value : truth->dead) / unit) : 0;
        weights += weight;
    }
    return unit > 0 ? (int64_t)floorl(-unit * logl(dangers / weights)) : floor_of(sum, weights);
}

// The next piece is known: its best placement takes the place of the first mean.
static int64_t truth_after(const Truth *truth, const Try *one, const Game *game, uint32_t bag, int depth) {
    Evaluation next;
    if (!truth->options.sees_next)
        return truth_mean(truth, &one->after, bag, depth - 1);
    return truth_piece(truth, &one->after, game->next, bag, depth - 1, &next) ? next.value : truth->dead;
}

static Evaluation truth_two(const Truth *truth, const Game *game, uint32_t bag) {
    Try list[PLACEMENTS];
    int count = list_tries(truth, &game->board, game->piece, list);
    mark_followed(truth, false, list, count);
    Evaluation result = {0, INT64_MIN};
    for (int k = 0; k < count; k++) {
        Evaluation next;
        if (!list[k].followed)
            continue;
        bool placed = truth_piece(truth, &list[k].after, game->next, bag, truth->options.depth - 1, &next);
        int64_t value = list[k].move_value + (placed ? next.value : truth->dead);
        if (value > result.value)
            result = (Evaluation){0, value};
        if (value == result.value)
            result.best |= (uint64_t)1 << list[k].placement;
    }
    return result;
}

// What is left of the bag, from the pieces that have been seen: the stream is drawn anew.
static uint32_t unseen(const Rules *rules, uint64_t index, uint64_t seen) {
    uint32_t left = 0;
    PieceStream stream = piece_stream(&rules->pieces, SEED, index);
    for (uint64_t i = 0; i < seen; i++) {
        if (i % PIECES == 0)
            left = (1 << PIECES) - 1;
        left &= ~(1u << piece_stream_next(&stream));
    }
    return left ? left : (1 << PIECES) - 1;
}

// Deeper and deeper; what is too far below the best is crossed out.
static Evaluation truth_unsure(const Truth *truth, const Game *game, uint32_t bag) {
    Try list[PLACEMENTS];
    int64_t value[PLACEMENTS], far = (int64_t)(truth->options.unsure * truth->rating->scale);
    int count = list_tries(truth, &game->board, game->piece, list), left = 0;
    Evaluation result = {0, INT64_MIN};
    mark_followed(truth, false, list, count);
    for (int depth = truth->options.sees_next ? 3 : 2;; depth++) {
        result = (Evaluation){0, INT64_MIN};
        for (int k = 0; k < count; k++)
            if (list[k].followed) {
                value[k] = list[k].move_value + truth_after(truth, &list[k], game, bag, depth);
                result.value = value[k] > result.value ? value[k] : result.value;
            }
        left = 0;
        for (int k = 0; k < count; k++) {
            if (list[k].followed && value[k] == result.value)
                result.best |= (uint64_t)1 << list[k].placement;
            list[k].followed = list[k].followed && value[k] >= result.value - far;
            left += list[k].followed;
        }
        if (depth == truth->options.depth || left <= 1)
            return result;
    }
}

static Evaluation truth_best(const Truth *truth, const Game *game, uint64_t index) {
    Evaluation best;
    uint32_t bag = unseen(truth->rules, index, game->pieces + (truth->options.sees_next ? 2 : 1));
    if (truth->options.unsure > 0)
        return truth_unsure(truth, game, bag);
    if (truth->options.sees_next)
        return truth_two(truth, game, bag);
    truth_piece(truth, &game->board, game->piece, bag, truth->options.depth, &best);
    return best;
}

// ---- comparing -------------------------------------------------------------------------------------------

typedef struct Bench {
    Strategy strategy;
    Rules rules;
    Rating rating;
    Truth truth;
} Bench;

static void set_up(Bench *bench, const Case *c, const char *name, ExpectimaxOptions options) {
    Error error;
    bench->rules = make_rules(c);
    if (!strategy_find(&bench->strategy, name, &error) ||
        !rating_make(&bench->rating, &bench->strategy.rating, bench->rules.width, bench->rules.height,
                     &error))
        fail_msg("%s", error.text);
    bench->truth = (Truth){.rating = &bench->rating,
                           .rules = &bench->rules,
                           .options = options,
                           .dead = (int64_t)floor(options.dead * bench->rating.scale)};
    set_weights(&bench->truth, c->pieces);
}

static void tear_down(Bench *bench) {
    rating_free(&bench->rating);
    rules_free(&bench->rules);
}

static Player *player_with(const Bench *bench, ExpectimaxOptions options, const Kernel *kernel) {
    Strategy strategy = bench->strategy;
    strategy.player = PLAYER_EXPECTIMAX;
    strategy.expectimax = options;
    strategy.clear_late = false;
    return make_player(&strategy, &bench->rules, kernel);
}

static void compare_moves(Bench *bench, const Case *c, const Kernel *kernel, uint64_t index, uint64_t moves) {
    Player *player = player_with(bench, bench->truth.options, kernel);
    Game game;
    for (start(&game, &bench->rules, index); moves && game.state == GAME_RUNNING; moves--) {
        Evaluation expected = truth_best(&bench->truth, &game, index);
        Evaluation found = expectimax_best(player, &game, NULL);
        bool right = found.best == expected.best && found.value == expected.value;
        if (bench->truth.options.danger > 0) // exponentials of the C library, rounded otherwise
            right = !found.best == !expected.best && (found.best & expected.best) == found.best &&
                    llabs(found.value - expected.value) <= STEPS_OFF;
        if (!right) {
            print_game(&game, &bench->rules);
            fail_msg("seed %d, game %d, %s, %s %s %s %s %s, depth %d: found %016" PRIx64 " worth %" PRId64
                     ", expected %016" PRIx64 " worth %" PRId64,
                     SEED, (int)index, kernel_name(kernel), c->board, c->overflow, c->gameover, c->kind,
                     c->pieces, bench->truth.options.depth, found.best, found.value, expected.best,
                     expected.value);
        }
        if (found.best)
            game_move(&game, &bench->rules, __builtin_ctzll(found.best), NULL);
        else
            game_end(&game);
    }
    player_free(player);
}

static void compare(const Case *c, const char *name, ExpectimaxOptions options, uint64_t games,
                    uint64_t moves) {
    Bench bench;
    set_up(&bench, c, name, options);
    for (int k = 0; kernel_at(k); k++)
        for (uint64_t g = 0; kernel_available(kernel_at(k)) && g < games; g++)
            compare_moves(&bench, c, kernel_at(k), g, k ? moves : 1); // the reference kernel is slow
    tear_down(&bench);
}

static void two_pieces_are_valued_as_defined_under_all_rules_on_every_kernel(void **state) {
    (void)state;
    static const char *const names[] = {"bcts", "dt-20", "dellacherie", "ga-free"};
    for (int i = 0; i < CASES; i++)
        compare(&cases[i], names[i % 4], (ExpectimaxOptions){.depth = 2, .dead = -500, .threads = 1}, 2,
                test_effort(4));
}

static void lines_of_three_and_four_pieces_are_valued_as_defined(void **state) {
    (void)state;
    static const Case small[] = {{"4x6", "lenient", "avoid", "simplified", "sz"},
                                 {"5x6", "strict", "evaluate", "simplified", "S:3,Z:3,T:1"},
                                 {"4x7", "touch", "avoid", "simplified", "bag"},
                                 {"4x8", "lenient", "avoid", "original", "hard"}};
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        Bench bench;
        set_up(&bench, &small[i], "bcts", (ExpectimaxOptions){.depth = 3, .dead = -300, .threads = 1});
        for (uint64_t g = 0; g < 2; g++)
            compare_moves(&bench, &small[i], kernel_find(NULL, NULL), g, test_effort(3));
        tear_down(&bench);
    }
    compare(&small[0], "dt-10", (ExpectimaxOptions){.depth = 4, .dead = -30, .threads = 1}, 1, 1);
}

static void ratings_with_powers_look_ahead_too(void **state) {
    (void)state;
    static const Case small = {"5x7", "lenient", "avoid", "simplified", "uniform"};
    compare(&small, TETRALAB_TESTS "/strategies/full.json",
            (ExpectimaxOptions){.depth = 2, .dead = -1000, .threads = 1}, 2, test_effort(4));
}

static Evaluation best_with(const Bench *bench, Game *game, double dead) {
    Player *player = player_with(bench, (ExpectimaxOptions){.depth = 2, .dead = dead, .threads = 1}, NULL);
    Evaluation found = expectimax_best(player, game, NULL);
    player_free(player);
    return found;
}

static void a_lost_piece_is_worth_thirty_times_the_weights_unless_said_otherwise(void **state) {
    (void)state;
    Bench bench;
    set_up(&bench, &cases[7], "dellacherie", (ExpectimaxOptions){0}); // its weights add up to 9
    int matters = 0;
    for (uint64_t g = 1; g < 200; g += 2) {
        Game game;
        start(&game, &bench.rules, g);
        int64_t value = best_with(&bench, &game, 0).value;
        assert_true(value == best_with(&bench, &game, -270).value);
        matters += value != best_with(&bench, &game, -269).value;
    }
    assert_true(matters > 0);
    tear_down(&bench);
}

static void only_the_best_candidates_are_followed(void **state) {
    (void)state;
    for (int most = 1; most <= 5; most += 2)
        for (int i = 0; i < CASES; i += 3)
            compare(&cases[i], "dellacherie",
                    (ExpectimaxOptions){.depth = 2, .candidates = most, .dead = -100, .threads = 1}, 1,
                    test_effort(4));
    compare(&cases[3], "bcts", (ExpectimaxOptions){.depth = 4, .candidates = 2, .dead = -100, .threads = 1},
            1, 1);
}

static void of_later_pieces_other_numbers_may_be_followed(void **state) {
    (void)state;
    for (int later = 1; later <= 3; later++)
        for (int sees = 0; sees < 2; sees++)
            compare(&cases[3 * sees + later], "bcts",
                    (ExpectimaxOptions){.depth = 3,
                                        .candidates = 2,
                                        .later_candidates = later,
                                        .sees_next = sees,
                                        .danger = later == 2 ? 0 : 20,
                                        .dead = -300,
                                        .threads = 1},
                    1, test_effort(2));
    compare(&cases[1], "bcts",
            (ExpectimaxOptions){.depth = 4,
                                .candidates = 3,
                                .later_candidates = 1,
                                .unsure = 5,
                                .danger = 20,
                                .dead = -300,
                                .threads = 1},
            1, test_effort(2));
}

// The dangers of the worst pieces count many times as much as those of the best, and nearly the same.
static void dangers_are_averaged_instead_of_values_if_wanted(void **state) {
    (void)state;
    static const double unit[] = {2, 20, 2000};
    for (int i = 0; i < 3; i++) {
        compare(&cases[i], "bcts",
                (ExpectimaxOptions){.depth = 2, .danger = unit[i], .dead = -300, .threads = 1}, 1,
                test_effort(3));
        compare(
            &cases[i + 3], "dt-20",
            (ExpectimaxOptions){.depth = 3, .candidates = 2, .danger = unit[i], .dead = -300, .threads = 1},
            1, 1);
    }
}

// With all values wanted no placement of the piece in hand is left off; each way has tables of its own. The
// same moves, worth the same to the last step.
static void compare_with_all_values(const Case *c, const char *name, ExpectimaxOptions options,
                                    uint64_t games) {
    Bench bench;
    set_up(&bench, c, name, options);
    Player *quick = player_with(&bench, options, NULL), *whole = player_with(&bench, options, NULL);
    for (uint64_t g = 0; g < games; g++) {
        Game game;
        start(&game, &bench.rules, g);
        for (uint64_t n = 0; n < 20 && game.state == GAME_RUNNING; n++) {
            MoveValues values = {0};
            Evaluation all = expectimax_best(whole, &game, &values);
            Evaluation found = expectimax_best(quick, &game, NULL);
            if (found.best != all.best || found.value != all.value)
                fail_msg("seed %d, game %d, move %d, %s %s, depth %d, danger %g: found %016" PRIx64
                         " worth %" PRId64 ", with all values %016" PRIx64 " worth %" PRId64,
                         SEED, (int)g, (int)n, name, c->pieces, options.depth, options.danger, found.best,
                         found.value, all.best, all.value);
            if (found.best)
                game_move(&game, &bench.rules, __builtin_ctzll(found.best), NULL);
            else
                game_end(&game);
        }
    }
    player_free(quick);
    player_free(whole);
    tear_down(&bench);
}

static void what_is_left_off_changes_no_move_and_no_value(void **state) {
    (void)state;
    static const char *const laws[] = {"uniform", "bag", "hard", "sz", "S:3,Z:3,T:1"};
    static const double unit[] = {0.5, 3, 20, 100, 3000};
    for (int i = 0; i < 5; i++) {
        const Case low = {"10x8", "lenient", "avoid", "simplified", laws[i]},
                   narrow = {"6x9", "strict", "evaluate", "simplified", laws[i]};
        for (int k = i % 2; k < 5; k += 2) {
            ExpectimaxOptions options = {.depth = 2, .danger = unit[k], .threads = 1};
            compare_with_all_values(&low, k % 4 ? "dellacherie" : "bcts", options, test_effort(10));
            compare_with_all_values(&low, "lab-20b",
                                    (ExpectimaxOptions){.depth = 2, .danger = 100 * unit[k], .threads = 1},
                                    test_effort(5));
            options.candidates = 4;
            options.depth = 3;
            compare_with_all_values(&narrow, "dt-20", options, test_effort(5));
            options.unsure = 5;
            compare_with_all_values(&narrow, "bcts", options, test_effort(5));
            options.depth = 4;
            options.later_candidates = 2;
            compare_with_all_values(&narrow, "bcts", options, test_effort(1));
            options.unsure = 0;
            options.sees_next = true;
            compare_with_all_values(&narrow, "bcts", options, test_effort(1));
        }
    }
}

// A no means that the mean, whatever is still to come, is below the limit; a value below the least is a no.
static void a_tally_says_no_only_where_the_mean_is_below_the_limit(void **state) {
    (void)state;
    static const char *const laws[] = {"uniform", "bag", "hard", "sz", "S:3,Z:3,T:1"};
    Random random = random_stream(SEED, 7, RANDOM_TEST);
    int no = 0, in_vain = 0, rounds = (int)test_effort(20000);
    for (int n = 0; n < rounds; n++) {
        const Case c = {"10x8", "lenient", "avoid", "simplified", laws[n % 5]};
        Rules rules = make_rules(&c);
        PieceChances chances;
        chances_make(&chances, &rules.pieces);
        uint32_t set = chances.bag ? 1 + (uint32_t)random_below(&random, 127) : chances.possible;
        double unit = exp(12 * random_unit(&random)) + 1;
        int64_t value[PIECES], limit = (int64_t)((random_unit(&random) - 0.5) * 4 * unit);
        for (int piece = 0; piece < PIECES; piece++)
            value[piece] = (int64_t)((random_unit(&random) - 0.5) * 8 * unit);
        if (n % 4 == 0) // where it is close
            limit = chances_mean_danger(&chances, set, value, unit) + (int)random_below(&random, 3) - 1;
        DangerTally tally = danger_tally(&chances, set, limit, unit);
        bool more = true;
        for (uint32_t left = set; left && more; left &= left - 1) {
            int piece = __builtin_ctz(left);
            DangerTally below = tally;
            if (danger_tally_add(&below, piece, danger_tally_least(&tally, piece) - 1))
                fail_msg("seed %d, round %d: a value below the least is no no", SEED, n);
            more = danger_tally_add(&tally, piece, value[piece]);
        }
        int64_t mean = chances_mean_danger(&chances, set, value, unit);
        if (!more && mean >= limit)
            fail_msg("seed %d, round %d: mean %" PRId64 ", limit %" PRId64, SEED, n, mean, limit);
        no += !more;
        in_vain += more && mean < limit - 1;
        rules_free(&rules);
    }
    assert_true(no > rounds / 4 && in_vain == 0); // with all pieces known it says no wherever it should
}

// From hardly ever two placements that go on to all of them.
static void only_placements_that_may_be_best_are_looked_at_deeper(void **state) {
    (void)state;
    static const double unsure[] = {1e-3, 1, 5, 1e6};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            compare(&cases[2 * k + 1], "bcts",
                    (ExpectimaxOptions){
                        .depth = 3, .candidates = 3, .unsure = unsure[i], .dead = -300, .threads = 1},
                    1, test_effort(2));
    compare(&cases[3], "bcts",
            (ExpectimaxOptions){.depth = 4, .candidates = 2, .unsure = 2, .dead = -100, .threads = 1}, 1, 1);
    compare(&cases[3], "bcts",
            (ExpectimaxOptions){
                .depth = 4, .candidates = 2, .unsure = 5, .sees_next = true, .dead = -100, .threads = 1},
            1, test_effort(2));
    compare(&cases[1], "bcts",
            (ExpectimaxOptions){
                .depth = 3, .candidates = 3, .unsure = 5, .danger = 20, .dead = -300, .threads = 1},
            1, test_effort(2));
}

static void a_next_piece_that_is_seen_is_not_averaged(void **state) {
    (void)state;
    static const int some[] = {1, 2, 3, 7, 8, 10};
    for (int i = 0; i < 6; i++)
        compare(
            &cases[some[i]], "bcts",
            (ExpectimaxOptions){.depth = 3, .candidates = 3, .sees_next = true, .dead = -500, .threads = 1},
            1, test_effort(2));
}

// ---- what a player may know ------------------------------------------------------------------------------

static void the_next_piece_is_not_known_unless_it_is_seen(void **state) {
    (void)state;
    static const Case bag = {"10x12", "lenient", "avoid", "simplified", "bag"};
    Rules rules = make_rules(&bag);
    Strategy strategy = *strategy_builtin(0);
    strategy_set_player(&strategy, PLAYER_EXPECTIMAX);
    Player *player = make_player(&strategy, &rules, NULL);
    int different = 0;
    for (uint64_t g = 0; g < 40; g++) {
        Game game, other;
        start(&game, &rules, 2 * g + 1);
        if (game.stream.bag_left == 0)
            continue;
        other = game; // the next piece and one in the bag change places
        other.next = game.stream.bag[0];
        other.stream.bag[0] = (uint8_t)game.next;
        assert_int_equal(player_choose(player, &game), player_choose(player, &other));
        Game later = game; // with more pieces gone, others may come
        later.stream.bag_left = 0;
        different += player_choose(player, &game) != player_choose(player, &later);
    }
    assert_true(different > 0);
    player_free(player);
    rules_free(&rules);
}

static void a_recorded_sequence_may_end(void **state) {
    (void)state;
    Rules rules;
    Error error;
    rules_default(&rules);
    piece_source_free(&rules.pieces);
    assert_true(
        piece_source_recorded(&rules.pieces, "x", (const uint8_t[]){PIECE_T, PIECE_I, PIECE_S}, 3, &error));
    for (int sees = 0; sees < 2; sees++) {
        Strategy strategy = *strategy_builtin(2);
        strategy_set_player(&strategy, PLAYER_EXPECTIMAX);
        strategy.expectimax.sees_next = sees;
        strategy.expectimax.depth = 3;
        strategy.expectimax.candidates = 2;
        Player *player = make_player(&strategy, &rules, NULL);
        Game game;
        game_start(&game, &rules, SEED, 0);
        player_run(player, &game, 10);
        assert_int_equal(game.state, GAME_NO_PIECES);
        assert_int_equal(game.pieces, 3);
        player_free(player);
    }
    rules_free(&rules);
}

// ---- players ---------------------------------------------------------------------------------------------

static void the_number_of_threads_changes_no_move(void **state) {
    (void)state;
    for (int depth = 2; depth <= 4; depth++) {
        Rules rules = make_rules(&cases[1]);
        Game alone = {0};
        for (int threads = 1; threads <= 3; threads++) {
            Strategy strategy = *strategy_builtin(2);
            strategy_set_player(&strategy, PLAYER_EXPECTIMAX);
            strategy.expectimax.depth = depth;
            strategy.expectimax.candidates = depth == 2 ? 0 : depth == 3 ? 6 : 2;
            strategy.expectimax.danger = depth == 4 ? 20 : 0;
            strategy.expectimax.unsure = depth == 4 ? 5 : 0;
            strategy.expectimax.threads = threads;
            Player *player = make_player(&strategy, &rules, NULL);
            Game game;
            start(&game, &rules, 1);
            player_run(player, &game, test_effort(20));
            if (threads == 1)
                alone = game;
            assert_memory_equal(&game.board, &alone.board, sizeof game.board);
            assert_int_equal(game.lines, alone.lines);
            player_free(player);
        }
        rules_free(&rules);
    }
}

static void refused(Strategy *strategy, const char *board, const char *message) {
    Rules rules;
    Error error = {""};
    rules_default(&rules);
    assert_true(rules_set(&rules, "board", board, &error));
    assert_null(player_new(strategy, &rules, NULL, &error));
    if (!strstr(error.text, message))
        fail_msg("found: %s, expected: %s", error.text, message);
    rules_free(&rules);
}

static void what_cannot_look_ahead_is_refused(void **state) {
    (void)state;
    Strategy strategy;
    Error error;
    assert_true(strategy_find(&strategy, TETRALAB_TESTS "/strategies/network.json", &error));
    strategy_set_player(&strategy, PLAYER_EXPECTIMAX);
    refused(&strategy, "10x20", "\"hidden\" needs \"player\": \"greedy\" or \"two-piece\".");
    strategy = *strategy_builtin(2);
    strategy_set_player(&strategy, PLAYER_EXPECTIMAX);
    strategy.expectimax.dead = -1e30;
    refused(&strategy, "10x20", "\"dead\" is -1e+30, which is too far below the ratings");
    strategy.expectimax.dead = 0;
    strategy.clear_late = true;
    refused(&strategy, "10x20", "\"clear\": \"late\" needs \"player\": \"two-piece\".");
}

// ---- kernels ---------------------------------------------------------------------------------------------

static void check_outcomes(const Evaluator *evaluator, const Rating *rating, const Rules *rules,
                           const Board *board, int piece) {
    Truth truth = {.rating = rating, .rules = rules};
    Try list[PLACEMENTS];
    Outcome outcome[PLACEMENTS];
    int expected = list_tries(&truth, board, piece, list);
    int found;
    Outcome *first;
    evaluator_outcomes(evaluator, 1, &(BoardPiece){board, piece}, outcome, &first, &found);
    assert_ptr_equal(first, outcome);
    assert_int_equal(found, expected);
    for (int k = 0; k < expected; k++) {
        assert_int_equal(outcome[k].placement, list[k].placement);
        assert_memory_equal(&outcome[k].after, &list[k].after, sizeof list[k].after);
        assert_true(outcome[k].value == list[k].value && outcome[k].move_value == list[k].move_value);
        assert_int_equal(outcome[k].fatal, list[k].fatal);
    }
}

static void check_best_values(const Evaluator *evaluator, const Board *board, uint32_t pieces) {
    int64_t best[PIECES];
    for (int piece = 0; piece < PIECES; piece++)
        best[piece] = piece;
    evaluator_best_values(evaluator, 1, &board, NULL, pieces, &best);
    for (int piece = 0; piece < PIECES; piece++) {
        Evaluation found = evaluator_best(evaluator, board, piece);
        int64_t expected = found.best ? found.value : INT64_MIN;
        assert_true(best[piece] == (pieces >> piece & 1 ? expected : piece));
    }
}

static void kernels_give_outcomes_and_best_values_of_all_pieces(void **state) {
    (void)state;
    for (uint64_t n = 0; n < test_effort(240); n++) {
        Random random = random_stream(SEED, n, RANDOM_TEST);
        Rules rules = make_rules(&cases[n % CASES]);
        rules.original = false;
        RatingWeights text = {.kind = RATING_LINEAR};
        (n % 3 ? fill_surface : fill_all)(&text, &random, rules.width, n);
        Rating rating;
        Error error;
        if (!rating_make(&rating, &text, rules.width, rules.height, &error))
            fail_msg("seed %d, rating %d: %s", SEED, (int)n, error.text);
        for (int k = 0; kernel_at(k); k++) {
            if (!kernel_available(kernel_at(k)))
                continue;
            Evaluator *evaluator = evaluator_new(&rating, &rules, kernel_at(k), false, &error);
            for (uint64_t b = 0; b < 4; b++) {
                Random boards = random_stream(SEED + 1, 4 * n + b, RANDOM_TEST);
                Board board;
                random_board(&board, &boards, rules.width, random_between(&boards, 0, rules.height - 1));
                check_outcomes(evaluator, &rating, &rules, &board, (int)((n + b) % PIECES));
                check_best_values(evaluator, &board, b % 2 ? 127 : random_bits(&boards, 4) & 127);
            }
            evaluator_free(evaluator);
        }
        rating_free(&rating);
        rules_free(&rules);
    }
}

// ---- boards that were looked at before -------------------------------------------------------------------

static void only_the_same_board_and_kind_are_found_again(void **state) {
    (void)state;
    LookupEntry entry;
    Board board = {.column = {1, 2, 3}};
    lookup_entry_set(&entry, &board, 3, 7, false);
    assert_true(lookup_entry_is(&entry, &board, 3));
    assert_false(lookup_entry_is(&entry, &board, 2));
    for (int x = 0; x < BOARD_MAX_WIDTH; x++) {
        Board other = board;
        other.column[x] ^= 4;
        assert_false(lookup_entry_is(&entry, &other, 3));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_give_outcomes_and_best_values_of_all_pieces),
        cmocka_unit_test(two_pieces_are_valued_as_defined_under_all_rules_on_every_kernel),
        cmocka_unit_test(lines_of_three_and_four_pieces_are_valued_as_defined),
        cmocka_unit_test(ratings_with_powers_look_ahead_too),
        cmocka_unit_test(a_lost_piece_is_worth_thirty_times_the_weights_unless_said_otherwise),
        cmocka_unit_test(only_the_best_candidates_are_followed),
        cmocka_unit_test(of_later_pieces_other_numbers_may_be_followed),
        cmocka_unit_test(dangers_are_averaged_instead_of_values_if_wanted),
        cmocka_unit_test(what_is_left_off_changes_no_move_and_no_value),
        cmocka_unit_test(a_tally_says_no_only_where_the_mean_is_below_the_limit),
        cmocka_unit_test(only_placements_that_may_be_best_are_looked_at_deeper),
        cmocka_unit_test(a_next_piece_that_is_seen_is_not_averaged),
        cmocka_unit_test(the_next_piece_is_not_known_unless_it_is_seen),
        cmocka_unit_test(a_recorded_sequence_may_end),
        cmocka_unit_test(the_number_of_threads_changes_no_move),
        cmocka_unit_test(what_cannot_look_ahead_is_refused),
        cmocka_unit_test(only_the_same_board_and_kind_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
