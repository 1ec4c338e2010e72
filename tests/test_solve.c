// SPDX-License-Identifier: GPL-3.0-or-later
// Small boards solved, against plain value iteration; tables of values, played and damaged.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "exact/solving.h"
#include "exact/value_file.h"
#include "exact/value_table.h"
#include "measure/interval.h"
#include "measure/playing.h"
#include "player/player.h"
#include "solve_plain.h"

enum { SEED = 7 };

static const char *const overflows[] = {"strict", "lenient", "touch"};
static const char *const laws[] = {"uniform", "hard", "S:3,Z:1,L:2,J:1,O:1,I:1,T:0.5", "S:1,Z:1,T:1,O:1"};
enum { OVERFLOWS = 3, LAWS = sizeof laws / sizeof *laws };

static char folder[] = "/tmp/test_solve.XXXXXX";

static const char *in_folder(const char *name) {
    static char path[2][128];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static Rules make_rules(const char *board, const char *overflow, const char *pieces) {
    Rules rules;
    Error error;
    rules_default(&rules);
    assert_true(rules_set(&rules, "board", board, &error));
    assert_true(rules_set(&rules, "overflow", overflow, &error));
    assert_true(rules_set(&rules, "pieces", pieces, &error));
    return rules;
}

static Solving solve_with(SolvingPlan plan) {
    Solving solving;
    Error error = {""};
    if (!solving_run(&solving, &plan, &error))
        fail_msg("%s", error.text);
    return solving;
}

static Solving solve(const Rules *rules, int jobs, double tolerance) {
    return solve_with((SolvingPlan){.rules = rules, .work.jobs = jobs, .tolerance = tolerance});
}

// ---- packed boards

// Any cells, but for rows that would be full.
static uint64_t random_packed(const Packing *packing, Random *random) {
    uint64_t board = random_next(random) & packing->board, full = (1u << packing->width) - 1;
    if (random_below(random, 2))
        board &= random_next(random) >> 1;
    for (int row = 0; row < packing->rows; row++)
        if ((board >> row * packing->width & full) == full)
            board ^= (uint64_t)1 << row * packing->width;
    return board & packing->board >> packing->width * (int)random_below(random, 3);
}

static Board unpack(const Packing *packing, uint64_t packed) {
    Board board = {{0}};
    for (int bit = 0; bit < packing->width * packing->rows; bit++)
        board.column[bit % packing->width] |= (uint32_t)(packed >> bit & 1) << bit / packing->width;
    return board;
}

static void check_moves(const Packing *packing, const Rules *rules, uint64_t packed) {
    Board board = unpack(packing, packed);
    assert_int_equal(packed_from_board(packing, &board), packed);
    PackedHeights heights = packed_heights(packing, packed);
    for (int piece = 0; piece < PIECES; piece++)
        for (int k = 0; k < packing->moves[piece]; k++) {
            const PackedMove *move = &packing->move[piece][k];
            const Shape *shape = &piece_shape[piece][placement_orientation(move->placement)];
            int column = placement_column(move->placement), lines;
            Board after = board;
            Landing landing =
                board_place(&after, rules->width, shape, column, board_drop_row(&board, shape, column));
            uint64_t expected =
                rules_fatal(rules, shape, &landing) ? PACKED_LOST : packed_from_board(packing, &after);
            assert_int_equal(packed_play(packing, &heights, packed, move, &lines), expected);
            if (expected != PACKED_LOST)
                assert_int_equal(lines, landing.lines);
        }
}

static const char *const sizes[] = {"4x4", "4x5", "4x6", "4x7", "5x4", "5x5", "5x6", "6x4", "6x5", "7x4"};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void packed_moves_are_those_of_the_engine(void **state) {
    (void)state;
    Random random = random_stream(SEED, 0, RANDOM_TEST);
    for (int s = 0; s < SIZES; s++)
        for (int o = 0; o < OVERFLOWS; o++) {
            Rules rules = make_rules(sizes[s], overflows[o], "uniform");
            Packing packing;
            packing_make(&packing, &rules);
            for (int i = 0; i < 300; i++)
                check_moves(&packing, &rules, random_packed(&packing, &random));
            rules_free(&rules);
        }
}

static void every_placement_of_the_board_is_listed(void **state) {
    (void)state;
    Rules rules = make_rules("7x4", "lenient", "uniform");
    Packing packing;
    packing_make(&packing, &rules);
    int count = 0;
    for (int piece = 0; piece < PIECES; piece++)
        count += packing.moves[piece];
    assert_int_equal(count, 6 + 3 * 11 + 3 * 22); // O; I, S, Z; L, J, T
    rules_free(&rules);
}

static void mirror_images_are_mirrored(void **state) {
    (void)state;
    Random random = random_stream(SEED, 1, RANDOM_TEST);
    for (int s = 0; s < SIZES; s++) {
        Rules rules = make_rules(sizes[s], "strict", "uniform");
        Packing packing;
        packing_make(&packing, &rules);
        for (int i = 0; i < 100; i++) {
            uint64_t packed = random_packed(&packing, &random);
            Board board = unpack(&packing, packed),
                  mirror = unpack(&packing, packed_mirror(&packing, packed));
            for (int x = 0; x < rules.width; x++)
                assert_int_equal(board.column[x], mirror.column[rules.width - 1 - x]);
        }
        rules_free(&rules);
    }
}

// ---- the optimum

static double solved_value(const Solving *solving, const Board *board) {
    const Reachable *reachable = &solving->reachable;
    uint64_t packed = reachable_kept(reachable, packed_from_board(&reachable->packing, board));
    assert_true(board_set_has(&reachable->set, packed));
    return solving->value[board_set_number(&reachable->set, packed)];
}

// Every value, and what is claimed about the first one.
static void check_against_plain(const Plain *plain, double tolerance) {
    Solving solving = solve(plain->rules, 2, tolerance);
    assert_true(solving.bound <= tolerance);
    assert_int_equal(solving.reachable.boards, plain->boards);
    double missing = plain->value[0] - solving.mean;
    if (missing < -1e-12 || missing > solving.bound + 1e-12)
        fail_msg("%s, %s: %.9f, bound %.3g; optimum %.9f", plain->rules->pieces.name,
                 rules_overflow_name(plain->rules->overflow), solving.mean, solving.bound, plain->value[0]);
    for (int b = 0; b < plain->boards; b++) {
        double difference = plain->value[b] - solved_value(&solving, &plain->board[b]);
        assert_true(difference > -1e-12 && difference <= 3 * solving.bound + 1e-12);
    }
    solving_free(&solving);
}

static void the_optimum_is_that_of_plain_value_iteration(void **state) {
    (void)state;
    for (int o = 0; o < OVERFLOWS; o++)
        for (int l = 0; l < LAWS; l++) {
            Rules rules = make_rules("4x4", overflows[o], laws[l]);
            Plain *plain = plain_solve(&rules);
            check_against_plain(plain, 1e-9);
            plain_free(plain);
            rules_free(&rules);
        }
}

static void the_error_bound_holds_when_it_stops_early(void **state) {
    (void)state;
    for (int o = 0; o < OVERFLOWS; o++) {
        Rules rules = make_rules("4x4", overflows[o], "uniform");
        Plain *plain = plain_solve(&rules);
        for (double tolerance = 8; tolerance > 1e-7; tolerance /= 5)
            check_against_plain(plain, tolerance);
        plain_free(plain);
        rules_free(&rules);
    }
}

static void threads_change_nothing(void **state) {
    (void)state;
    static const char *const boards[] = {"4x5", "5x4"};
    for (int i = 0; i < 2; i++) {
        Rules rules = make_rules(boards[i], "touch", "hard");
        Solving one = solve(&rules, 1, 1e-6), three = solve(&rules, 3, 1e-6);
        assert_int_equal(one.sweeps, three.sweeps);
        assert_true(one.mean == three.mean && one.bound == three.bound);
        assert_int_equal(one.reachable.set.boards, three.reachable.set.boards);
        assert_memory_equal(one.value, three.value, one.reachable.set.boards * sizeof *one.value);
        solving_free(&one);
        solving_free(&three);
        rules_free(&rules);
    }
}

// Strict with one row less: the same game.
static void touch_is_strict_with_one_row_less(void **state) {
    (void)state;
    Rules touch = make_rules("4x5", "touch", "uniform"), strict = make_rules("4x4", "strict", "uniform");
    Solving a = solve(&touch, 1, 1e-6), b = solve(&strict, 1, 1e-6);
    assert_true(a.mean == b.mean);
    assert_int_equal(a.reachable.boards, b.reachable.boards);
    solving_free(&a);
    solving_free(&b);
    rules_free(&touch);
    rules_free(&strict);
}

static void there_are_never_more_boards_than_were_announced(void **state) {
    (void)state;
    for (int o = 0; o < OVERFLOWS; o++)
        for (int l = 0; l < LAWS; l++) {
            Rules rules = make_rules("4x4", overflows[o], laws[l]);
            Solving solving = solve(&rules, 1, 1e-3);
            ReachableBound bound = reachable_bound(&rules);
            assert_true(solving.reachable.set.boards <= bound.boards);
            assert_true(solving.reachable.largest <= bound.largest);
            assert_true(solving.memory <= solving_memory(&rules));
            solving_free(&solving);
            rules_free(&rules);
        }
}

static void what_cannot_be_solved_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *board, *overflow, *pieces, *message;
    } cases[] = {
        {"5x7", "strict", "uniform", "A board of 5x7 has too many positions: "},
        {"10x20", "lenient", "uniform", "A board of 10x20 has too many positions: "},
        {"5x5", "strict", "bag", "The pieces must be independent of each other"},
    };
    Error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Rules rules = make_rules(cases[i].board, cases[i].overflow, cases[i].pieces);
        assert_false(solving_check(&rules, &error));
        assert_ptr_equal(strstr(error.text, cases[i].message), error.text);
        rules_free(&rules);
    }
    Rules rules = make_rules("5x5", "strict", "uniform");
    rules.original = true;
    assert_false(solving_check(&rules, &error));
    rules_free(&rules);
}

static void games_that_never_end_are_refused(void **state) {
    (void)state;
    Rules rules = make_rules("4x4", "strict", "O:1");
    SolvingPlan plan = {.rules = &rules, .work.jobs = 1, .tolerance = 1e-6};
    Solving solving;
    Error error = {""};
    assert_false(solving_run(&solving, &plan, &error));
    assert_non_null(strstr(error.text, "may never end"));
    solving_free(&solving);
    rules_free(&rules);
}

// ---- checkpoints

static bool stop_now;
static void stop_at_sweep(void *context, const Advance *status) {
    if (status->done >= *(const uint64_t *)context)
        __atomic_store_n(&stop_now, true, __ATOMIC_RELAXED);
}

// In the middle of sweeps, after 0, 1, 2 ... of the looks at them.
static void stop_within_sweep(void *context, const Advance *status) {
    static uint64_t sweep, looks;
    uint64_t limit = *(const uint64_t *)context;
    looks = status->done == sweep ? looks + 1 : 0;
    sweep = status->done;
    if (sweep > limit || (sweep == limit && looks >= limit % 10))
        __atomic_store_n(&stop_now, true, __ATOMIC_RELAXED);
}

// Every interruption is in another sweep of a round, and elsewhere in it; the values are the same to the last
// bit.
static void an_interrupted_run_goes_on_where_it_was(void **state) {
    (void)state;
    static const char *const boards[] = {"4x5", "5x4"};
    for (int i = 0; i < 2; i++) {
        Rules rules = make_rules(boards[i], "touch", "uniform");
        const char *path = in_folder("run.checkpoint");
        Solving whole = solve(&rules, 2, 1e-6);
        uint64_t sweeps = 0;
        bool interrupted = true;
        for (uint64_t limit = 4; interrupted; limit += 7) {
            __atomic_store_n(&stop_now, false, __ATOMIC_RELAXED);
            Solving part = solve_with((SolvingPlan){.rules = &rules,
                                                    .work.jobs = 2,
                                                    .tolerance = 1e-6,
                                                    .checkpoint = path,
                                                    .resume = limit > 4,
                                                    .checkpoint_seconds = 1e9,
                                                    .work.stop = &stop_now,
                                                    .work.progress = stop_within_sweep,
                                                    .work.context = &limit});
            interrupted = part.interrupted;
            assert_true(part.sweeps > sweeps);
            sweeps = part.sweeps;
            if (!interrupted) {
                assert_true(part.mean == whole.mean && part.bound == whole.bound);
                assert_memory_equal(part.value, whole.value,
                                    whole.reachable.set.boards * sizeof *whole.value);
            }
            solving_free(&part);
        }
        assert_true(sweeps > 20); // it was really interrupted
        assert_int_equal(sweeps, whole.sweeps);
        solving_free(&whole);
        rules_free(&rules);
    }
}

static void a_checkpoint_of_other_rules_is_refused(void **state) {
    (void)state;
    const char *path = in_folder("other.checkpoint");
    Rules rules = make_rules("4x4", "touch", "uniform"), other = make_rules("4x4", "touch", "hard");
    uint64_t limit = 2;
    stop_now = false;
    Solving part = solve_with((SolvingPlan){.rules = &rules,
                                            .work.jobs = 1,
                                            .tolerance = 1e-6,
                                            .checkpoint = path,
                                            .checkpoint_seconds = 1e9,
                                            .work.stop = &stop_now,
                                            .work.progress = stop_at_sweep,
                                            .work.context = &limit});
    assert_true(part.interrupted);
    solving_free(&part);
    SolvingPlan plan = {
        .rules = &other, .work.jobs = 1, .tolerance = 1e-6, .checkpoint = path, .resume = true};
    Error error = {""};
    assert_false(solving_run(&part, &plan, &error));
    assert_non_null(strstr(error.text, "is for --board 4x4 --overflow touch --pieces uniform, not for "));
    solving_free(&part);
    assert_null(value_table_new(path, &rules, &error)); // nor can it be played
    assert_non_null(strstr(error.text, "is a checkpoint, not a finished table"));
    rules_free(&rules);
    rules_free(&other);
}

// ---- the table as a player

static void write_table(const Rules *rules, const char *path) {
    Error error = {""};
    Solving solving = solve(rules, 1, 1e-9);
    if (!solving_write(&solving, rules, path, &error))
        fail_msg("%s", error.text);
    solving_free(&solving);
}

static void the_table_chooses_a_best_placement_on_every_board(void **state) {
    (void)state;
    for (int o = 0; o < OVERFLOWS; o++)
        for (int l = 0; l < LAWS; l += 2) {
            Rules rules = make_rules("4x4", overflows[o], laws[l]);
            Error error = {""};
            const char *path = in_folder("choice.values");
            write_table(&rules, path);
            ValueTable *table = value_table_new(path, &rules, &error);
            assert_non_null(table);
            Plain *plain = plain_solve(&rules);
            for (int i = 0; i < plain->moves;) {
                const PlainMove *first = &plain->move[i];
                uint64_t set = value_table_best(table, &plain->board[first->from], first->piece, NULL);
                double best = -1, chosen = -1;
                for (; i < plain->moves && plain->move[i].from == first->from &&
                       plain->move[i].piece == first->piece;
                     i++) {
                    const PlainMove *move = &plain->move[i];
                    if (move->to >= 0)
                        best = fmax(best, plain_move_value(plain, move));
                    if (set >> move->placement & 1)
                        chosen = plain_move_value(plain, move);
                }
                assert_true(fabs(best - chosen) < 1e-5); // floats hold seven digits
            }
            plain_free(plain);
            value_table_free(table);
            rules_free(&rules);
        }
}

// The strategy with this table, from a file beside it.
static void find_strategy(Strategy *strategy, const char *table) {
    char text[256];
    Error error = {""};
    const char *path = in_folder("optimal.json");
    int length = snprintf(text, sizeof text, "{\"player\": \"table\", \"table\": \"%s\"}", table);
    assert_true(text_write_file(path, text, (size_t)length, &error));
    if (!strategy_find(strategy, path, &error))
        fail_msg("%s", error.text);
}

// 5.5 standard errors: a false alarm would have had a chance of 4e-8 before the seed was fixed.
static void the_mean_of_games_is_the_optimum(void **state) {
    (void)state;
    for (int o = 0; o < OVERFLOWS; o++)
        for (int l = 0; l < 3; l += 2) {
            Rules rules = make_rules("4x4", overflows[o], laws[l]);
            Strategy strategy;
            Error error = {""};
            write_table(&rules, in_folder("played.values"));
            find_strategy(&strategy, "played.values");
            Player *player = player_new(&strategy, &rules, NULL, &error);
            if (!player)
                fail_msg("%s", error.text);
            PlayingPlan plan = {.player = player, .seed = SEED, .games = 20000, .work.jobs = 2};
            Playing playing;
            Summary summary;
            assert_true(playing_run(&playing, &plan, &error));
            assert_true(summary_make(&summary, playing.score, playing.games, &error));
            Solving solving = solve(&rules, 1, 1e-6);
            double deviation = (summary.mean - solving.mean) / (summary.sd / sqrt(20000));
            if (fabs(deviation) > 5.5)
                fail_msg("%s, %s, seed %d: played %.4f, solved %.4f", overflows[o], laws[l], SEED,
                         summary.mean, solving.mean);
            solving_free(&solving);
            playing_free(&playing);
            player_free(player);
            rules_free(&rules);
        }
}

static void other_rules_than_those_solved_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *board, *overflow, *pieces;
    } others[] = {{"4x5", "touch", "uniform"}, {"5x4", "touch", "uniform"}, {"4x4", "strict", "uniform"},
                  {"4x4", "touch", "hard"},    {"4x4", "touch", "bag"},     {"10x20", "lenient", "uniform"}};
    Rules rules = make_rules("4x4", "touch", "uniform");
    Error error = {""};
    Strategy strategy;
    write_table(&rules, in_folder("rules.values"));
    find_strategy(&strategy, "rules.values");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        Rules other = make_rules(others[i].board, others[i].overflow, others[i].pieces);
        assert_null(player_new(&strategy, &other, NULL, &error));
        assert_non_null(strstr(error.text, "is for --board 4x4 --overflow touch --pieces uniform, not for "));
        rules_free(&other);
    }
    rules.original = true;
    assert_null(player_new(&strategy, &rules, NULL, &error));
    rules_free(&rules);
}

static void boards_that_play_cannot_reach_get_a_legal_move(void **state) {
    (void)state;
    Rules rules = make_rules("4x4", "strict", "uniform");
    Error error = {""};
    const char *path = in_folder("unknown.values");
    write_table(&rules, path);
    ValueTable *table = value_table_new(path, &rules, &error);
    assert_non_null(table);
    Board odd = {{1, 0, 0, 0}}, above = {{0x10, 0, 0, 0}}; // three cells too few; a cell above the board
    for (int piece = 0; piece < PIECES; piece++) {
        assert_true(value_table_best(table, &odd, piece, NULL) != 0);
        assert_true(value_table_best(table, &above, piece, NULL) == 0);
    }
    value_table_free(table);
    rules_free(&rules);
}

// ---- files

// -> length  of the part that is written
static bool accepted(const char *bytes, size_t length, const Rules *rules, Error *error) {
    const char *path = in_folder("damaged.values");
    assert_true(text_write_file(path, bytes, length, error));
    error->text[0] = 0;
    ValueTable *table = value_table_new(path, rules, error);
    value_table_free(table);
    assert_true(table || error->text[0]);
    return table;
}

static void damaged_and_cut_off_files_are_refused(void **state) {
    (void)state;
    Rules rules = make_rules("4x4", "touch", "uniform");
    Error error = {""};
    size_t length;
    const char *path = in_folder("whole.values");
    write_table(&rules, path);
    char *bytes = text_read_file(path, &length, &error);
    assert_non_null(bytes);
    ValueFile file = {0};
    assert_true(accepted(bytes, length, &rules, &error));
    assert_true(value_file_parse(&file, "whole", bytes, length, VALUES_FINAL, &error));
    for (size_t cut = 0; cut < length; cut++) {
        char *part = malloc(cut ? cut : 1);
        memcpy(part, bytes, cut);
        assert_false(value_file_parse(&file, "cut", part, cut, VALUES_FINAL, &error));
        free(part);
    }
    for (size_t place = 0; place < length; place++) {
        bytes[place] ^= (char)(1 << place % 8);
        assert_false(value_file_parse(&file, "flipped", bytes, length, VALUES_FINAL, &error));
        bytes[place] ^= (char)(1 << place % 8);
    }
    assert_false(accepted(bytes, 0, &rules, &error));
    assert_false(accepted(bytes, length - 8, &rules, &error));
    assert_non_null(strstr(error.text, "is cut off or damaged: it has "));
    assert_false(accepted("{\"name\": \"no table\"}", 20, &rules, &error));
    assert_non_null(strstr(error.text, "is no file of values"));
    assert_null(value_table_new(folder, &rules, &error));
    assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0); // nobody writes: it must not be waited for
    assert_null(value_table_new(in_folder("pipe"), &rules, &error));
    assert_null(value_table_new(in_folder("nowhere"), &rules, &error));
    assert_non_null(strstr(error.text, "nowhere: No such file or directory"));
    free(bytes);
    rules_free(&rules);
}

static void seal(char *bytes, size_t length) {
    ValueHeader *header = (ValueHeader *)bytes;
    header->body_sum = value_file_sum(1, header + 1, (length - sizeof *header) / 8);
    header->head_sum = value_file_sum(1, header, offsetof(ValueHeader, head_sum) / 8);
}

static void impossible_numbers_are_refused_though_the_sums_are_right(void **state) {
    (void)state;
    Rules rules = make_rules("4x4", "touch", "uniform");
    Error error = {""};
    size_t length;
    const char *path = in_folder("sealed.values");
    write_table(&rules, path);
    char *bytes = text_read_file(path, &length, &error);
    assert_non_null(bytes);
    ValueHeader *header = (ValueHeader *)bytes, kept = *header;
    float *values = (float *)(bytes + sizeof *header + 8 * board_set_words(12)), first = values[0];
    ValueFile file = {0};
    static const float wrong[] = {-1, INFINITY, NAN};
    for (int i = 0; i < 9; i++) {
        *header = kept;
        values[0] = i < 3 ? wrong[i] : first;
        header->width = i == 3 ? 3 : i == 4 ? 8 : kept.width;
        header->boards += i == 5 ? 2 : 0;
        header->overflow = i == 6 ? 3 : kept.overflow;
        header->weight[0] = i == 7 ? NAN : kept.weight[0];
        seal(bytes, length);
        assert_int_equal(value_file_parse(&file, "sealed", bytes, length, VALUES_FINAL, &error), i == 8);
    }
    free(bytes);
    rules_free(&rules);
}

// A placement that is none would be played without a look.
static void impossible_rounds_of_a_checkpoint_are_refused_though_the_sums_are_right(void **state) {
    (void)state;
    const char *path = in_folder("round.checkpoint");
    Rules rules = make_rules("4x4", "touch", "uniform");
    uint64_t limit = 5;
    stop_now = false;
    SolvingPlan plan = {.rules = &rules,
                        .work.jobs = 1,
                        .tolerance = 1e-6,
                        .checkpoint = path,
                        .checkpoint_seconds = 1e9,
                        .work.stop = &stop_now,
                        .work.progress = stop_at_sweep,
                        .work.context = &limit};
    Solving part = solve_with(plan);
    assert_true(part.interrupted);
    solving_free(&part);
    Error error = {""};
    size_t length;
    char *bytes = text_read_file(path, &length, &error);
    assert_non_null(bytes);
    ValueHeader *header = (ValueHeader *)bytes;
    assert_int_equal(header->choices, 1);
    ValueRound *round = (ValueRound *)(bytes + sizeof *header + 8 * (board_set_words(12) + header->boards));
    ValueRound kept = *round;
    uint8_t *choice = (uint8_t *)(round + 1), first = choice[0];
    plan.resume = true;
    for (int i = 0; i < 7; i++) {
        *round = kept;
        round->step = i == 0 ? 13 : kept.step;
        round->layers = i == 1 ? REACHABLE_LAYERS : kept.layers;
        round->change = i == 2 ? NAN : kept.change;
        round->largest = i == 3 ? -1 : kept.largest;
        choice[0] = i == 4 ? 254 : first;
        header->choices = i == 5 ? 2 : 1;
        seal(bytes, length);
        assert_true(text_write_file(path, bytes, length, &error));
        limit = UINT64_MAX;
        stop_now = false;
        bool good = solving_run(&part, &plan, &error);
        assert_int_equal(good, i == 6);
        assert_true(good || strstr(error.text, "damaged: "));
        solving_free(&part);
    }
    free(bytes);
    rules_free(&rules);
}

static void strategy_refused(const char *text, const char *message) {
    Strategy strategy;
    Error error = {""};
    assert_false(strategy_parse_json(&strategy, "my.json", text, strlen(text), &error));
    assert_string_equal(error.text, message);
}

static void strategies_with_tables_are_read_and_refused(void **state) {
    (void)state;
    Strategy strategy, again;
    Error error = {""};
    const char *text =
        "{\"name\": \"best\", \"player\": \"table\", \"ties\": \"random\", \"table\": \"t.values\"}";
    assert_true(strategy_parse_json(&strategy, "my.json", text, strlen(text), &error));
    assert_int_equal(strategy.player, PLAYER_TABLE);
    assert_string_equal(strategy.table, "t.values");
    assert_false(strategy_is_rated(&strategy));
    char *written = strategy_to_json(&strategy);
    assert_true(strategy_parse_json(&again, "my.json", written, strlen(written), &error));
    assert_string_equal(again.table, "t.values");
    assert_int_equal(again.ties, TIES_RANDOM);
    free(written);
    find_strategy(&strategy, "t.values"); // as seen from the strategy's folder
    assert_string_equal(strategy.table, in_folder("t.values"));
    find_strategy(&strategy, "/t.values");
    assert_string_equal(strategy.table, "/t.values");
    strategy_refused("{\"player\": \"table\"}",
                     "my.json:1:1: \"table\" is missing; add a file of values that "
                     "'tetralab solve' has made.");
    strategy_refused(
        "{\"player\": \"table\", \"table\": \"\"}",
        "my.json:1:30: \"table\" is empty; name a file of values that 'tetralab solve' has made.");
    strategy_refused(
        "{\"player\": \"table\", \"table\": \"t\", \"weights\": {\"holes\": -1}}",
        "my.json:1:35: \"weights\" is not for \"player\": \"table\", whose values are in its file.");
    strategy_refused("{\"table\": \"t\", \"weights\": {\"holes\": -1}}",
                     "my.json:1:2: \"table\" needs \"player\": \"table\".");
}

// ---- the folder of all this

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_moves_are_those_of_the_engine),
        cmocka_unit_test(every_placement_of_the_board_is_listed),
        cmocka_unit_test(mirror_images_are_mirrored),
        cmocka_unit_test(the_optimum_is_that_of_plain_value_iteration),
        cmocka_unit_test(the_error_bound_holds_when_it_stops_early),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(touch_is_strict_with_one_row_less),
        cmocka_unit_test(there_are_never_more_boards_than_were_announced),
        cmocka_unit_test(what_cannot_be_solved_is_refused),
        cmocka_unit_test(games_that_never_end_are_refused),
        cmocka_unit_test(an_interrupted_run_goes_on_where_it_was),
        cmocka_unit_test(a_checkpoint_of_other_rules_is_refused),
        cmocka_unit_test(the_table_chooses_a_best_placement_on_every_board),
        cmocka_unit_test(the_mean_of_games_is_the_optimum),
        cmocka_unit_test(other_rules_than_those_solved_are_refused),
        cmocka_unit_test(boards_that_play_cannot_reach_get_a_legal_move),
        cmocka_unit_test(damaged_and_cut_off_files_are_refused),
        cmocka_unit_test(impossible_numbers_are_refused_though_the_sums_are_right),
        cmocka_unit_test(impossible_rounds_of_a_checkpoint_are_refused_though_the_sums_are_right),
        cmocka_unit_test(strategies_with_tables_are_read_and_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
