// SPDX-License-Identifier: GPL-3.0-or-later
// What players choose: two pieces ahead against a search that tries every pair, Dellacherie's priority from
// Fahey's offsets, ties at random, and moves worked out by hand, which are drawn in
// tests/positions/moves/*.txt (see Fact for the format).
#include <glob.h>
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
#include "game/original.h"
#include "player_cases.h"

// ---- two pieces ----------------------------------------------------------------------------------------

// Every way to put the piece down: placement and row.
static int all_moves(const Board *board, const Rules *rules, int piece, OriginalPlacement *list) {
    if (rules->original)
        return original_placements(board, rules, piece, list);
    int count = 0;
    for (int o = 0; o < piece_orientations[piece]; o++)
        for (int x = 0; x + piece_shape[piece][o].width <= rules->width; x++)
            list[count++] =
                (OriginalPlacement){placement_make(o, x), board_drop_row(board, &piece_shape[piece][o], x)};
    return count;
}

// <- false: the move ends the game
static bool put(const Board *before, const Rules *rules, int piece, OriginalPlacement move, Board *after,
                Situation *situation) {
    const Shape *shape = &piece_shape[piece][placement_orientation(move.placement)];
    *after = *before;
    Landing landing = board_place(after, rules->width, shape, placement_column(move.placement), move.row);
    *situation = (Situation){rules->width, rules->height, before, after, shape, landing};
    return !rules_fatal(rules, shape, &landing);
}

static uint64_t move_features(void) {
    uint64_t set = 0;
    for (int id = 0; id < FEATURES; id++)
        if (!strcmp(feature_info[id].family, "move"))
            set |= feature_bit((FeatureId)id);
    return set;
}

// <- true: there is a second move, and *value is the best one's
static bool best_second(const Rating *rating, const Rules *rules, const Board *board, int piece,
                        int64_t *value) {
    OriginalPlacement list[PLACEMENTS];
    bool found = false;
    for (int k = 0, count = all_moves(board, rules, piece, list); k < count; k++) {
        Board after;
        Situation situation;
        if (!put(board, rules, piece, list[k], &after, &situation) && rules->gameover == GAMEOVER_AVOID)
            continue;
        int64_t own = rating_reference(rating, &situation, ~(uint64_t)0);
        *value = !found || own > *value ? own : *value;
        found = true;
    }
    return found;
}

// <- the first moves of the best pairs; those without a second move count only if there are no others
static uint64_t best_pairs(const Strategy *strategy, const Rating *rating, const Rules *rules,
                           const Game *game) {
    OriginalPlacement list[PLACEMENTS];
    uint64_t best = 0, dead_ends = 0;
    int64_t highest = 0;
    for (int k = 0, count = all_moves(&game->board, rules, game->piece, list); k < count; k++) {
        Board after;
        Situation situation;
        uint64_t bit = (uint64_t)1 << list[k].placement;
        if (!put(&game->board, rules, game->piece, list[k], &after, &situation))
            continue;
        int64_t first = rating_reference(rating, &situation, move_features()), second;
        if (strategy->clear_late) {
            after = game->board;
            board_put(&after, situation.shape, placement_column(list[k].placement), list[k].row);
        }
        if (!best_second(rating, rules, &after, game->next, &second)) {
            dead_ends |= bit;
            continue;
        }
        if (!best || first + second > highest) {
            best = 0;
            highest = first + second;
        }
        if (first + second == highest)
            best |= bit;
    }
    return best ? best : dead_ends;
}

static void compare_with_search(const Strategy *strategy, const Rules *rules, const Case *c, uint64_t index) {
    Rating rating;
    Error error;
    if (!rating_make(&rating, &strategy->rating, rules->width, rules->height, &error))
        fail_msg("%s", error.text);
    Player *player = make_player(strategy, rules, NULL);
    Game game;
    start(&game, rules, index);
    for (uint64_t m = test_effort(8); m && game.state == GAME_RUNNING; m--) {
        uint64_t best = best_pairs(strategy, &rating, rules, &game);
        Placement found = player_choose(player, &game);
        bool right = best ? found != PLACEMENT_NONE && best >> found & 1 : found == PLACEMENT_NONE;
        if (best && strategy->ties == TIES_FIRST)
            right = found == __builtin_ctzll(best);
        if (!right) {
            print_game(&game, rules);
            fail_msg("%s on %s %s %s %s: %c with next %c: found %d of the set %016" PRIx64, strategy->name,
                     c->board, c->overflow, c->gameover, c->kind, piece_letter[game.piece],
                     piece_letter[game.next], found, best);
        }
        choose_and_move(player, &game);
    }
    player_free(player);
    rating_free(&rating);
}

static void a_two_piece_player_finds_what_trying_every_pair_finds(void **state) {
    (void)state;
    Strategy strategies[4];
    static const char *const names[] = {"bcts-2", "fahey", "ga-free", "dellacherie"};
    for (int s = 0; s < 4; s++) {
        Error error;
        assert_true(strategy_find(&strategies[s], names[s], &error));
        strategies[s].player = PLAYER_TWO_PIECE; // ga-free has changes of features, dellacherie its priority
    }
    for (int i = 0; i < CASES; i++) {
        Rules rules = make_rules(&cases[i]);
        for (int s = 0; s < 4; s++)
            for (uint64_t index = 0; index < 3; index++) {
                strategies[s].clear_late = s == 1 || (s == 0 && index == 2);
                compare_with_search(&strategies[s], &rules, &cases[i], index);
            }
        rules_free(&rules);
    }
}

// ---- ties ----------------------------------------------------------------------------------------------

// Column of the turning point, counted from the left column of the piece, from Fahey's offsets: each next
// orientation turns (dx, dy) into (-dy, dx).
static int turning_column(int piece, int orientation) {
    static const int offsets[PIECES][4][2] = {
        {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}}, {{-2, 0}, {-1, 0}, {0, 0}, {1, 0}},
        {{-1, -1}, {0, -1}, {0, 0}, {1, 0}},  {{0, -1}, {1, -1}, {-1, 0}, {0, 0}},
        {{-1, -1}, {-1, 0}, {0, 0}, {1, 0}},  {{1, -1}, {-1, 0}, {0, 0}, {1, 0}},
        {{0, -1}, {-1, 0}, {0, 0}, {1, 0}}};
    int leftmost = 0;
    for (int k = 0; k < 4; k++) {
        int dx = offsets[piece][k][0], dy = offsets[piece][k][1];
        for (int turn = 0; turn < orientation; turn++) {
            int old = dx;
            dx = -dy;
            dy = old;
        }
        leftmost = dx < leftmost ? dx : leftmost;
    }
    return -leftmost;
}

// Columns and orientations counted from 1, as the rule is written; the middle of 10 columns is 6.
static int priority(int piece, Placement placement, int width) {
    int o = placement_orientation(placement) + 1, middle = width / 2 + 1;
    int x = placement_column(placement) + turning_column(piece, o - 1) + 1;
    return 100 * abs(x - middle) + (x < middle ? 10 : 0) - (o - 1);
}

static void check_priority(const Player *player, const Evaluator *judge, const Rules *rules, Game *game,
                           int *ties) {
    uint64_t best = evaluator_best(judge, &game->board, game->piece).best;
    if (!best)
        return;
    Placement expected = __builtin_ctzll(best);
    for (uint64_t left = best; left; left &= left - 1)
        if (priority(game->piece, __builtin_ctzll(left), rules->width) >
            priority(game->piece, expected, rules->width))
            expected = __builtin_ctzll(left);
    *ties += (best & (best - 1)) != 0;
    assert_int_equal(player_choose(player, game), expected);
    Game moved = *game, run = *game;
    game_move(&moved, rules, expected, NULL);
    player_run(player, &run, 1);
    assert_memory_equal(&run.board, &moved.board, sizeof run.board);
}

static void dellacherie_breaks_ties_by_the_published_formula(void **state) {
    (void)state;
    Strategy strategy;
    Error error;
    assert_true(strategy_find(&strategy, "dellacherie", &error));
    int ties = 0;
    for (int i = 0; i < CASES; i++) {
        Rules rules = make_rules(&cases[i]);
        if (rules.original) {
            rules_free(&rules);
            continue;
        }
        Rating rating;
        assert_true(rating_make(&rating, &strategy.rating, rules.width, rules.height, &error));
        Evaluator *judge = evaluator_new(&rating, &rules, kernel_at(0), false, &error);
        for (int k = 1; kernel_at(k); k++) {
            if (!kernel_available(kernel_at(k)))
                continue;
            Player *player = make_player(&strategy, &rules, kernel_at(k));
            for (uint64_t index = 0; index < test_effort(100); index++) {
                Game game;
                start(&game, &rules, index % 10 ? 2 * index + 1 : 0); // mostly random boards
                game.piece = (int)(index % PIECES);
                check_priority(player, judge, &rules, &game, &ties);
            }
            player_free(player);
        }
        evaluator_free(judge);
        rating_free(&rating);
        rules_free(&rules);
    }
    assert_true(ties > 0);
}

static void random_ties_take_every_best_placement_and_no_other(void **state) {
    (void)state;
    Strategy strategy;
    Error error;
    Rules rules;
    Rating rating;
    rules_default(&rules);
    assert_true(strategy_find(&strategy, "xtris", &error));
    assert_true(rating_make(&rating, &strategy.rating, rules.width, rules.height, &error));
    Evaluator *judge = evaluator_new(&rating, &rules, kernel_at(0), false, &error);
    Player *player = make_player(&strategy, &rules, NULL);
    Game game;
    game_start(&game, &rules, SEED, 0);
    game.piece = PIECE_O;
    uint64_t best = evaluator_best(judge, &game.board, game.piece).best, taken = 0;
    assert_int_equal(best, 1ull << 0 | 1ull << 8); // on an empty board: at either wall
    for (int k = 0; k < 100; k++)
        taken |= (uint64_t)1 << player_choose(player, &game);
    assert_int_equal(taken, best);
    player_free(player);
    evaluator_free(judge);
    rating_free(&rating);
    rules_free(&rules);
}

// ---- drawn moves ---------------------------------------------------------------------------------------

// One entry: lines "about=...", a board, and facts, one to a line:
//     strategy=NAME piece=T next=S move=T2:3 height=20 overflow=lenient gameover=avoid rules=simplified
// move: letter, orientation counted from 0, ':' left column counted from 0, or "none" where the strategy
// has no move; the fields behind it may be left out.
typedef struct Fact {
    char strategy[64], overflow[16], gameover[16], kind[16], piece, next, move[16];
    int height;
} Fact;

static Fact read_fact(const char *place, char *line) {
    Fact fact = {.height = 20, .overflow = "lenient", .gameover = "avoid", .kind = "simplified", .next = 'O'};
    char *save = NULL;
    for (char *word = strtok_r(line, " ", &save); word; word = strtok_r(NULL, " ", &save))
        if (sscanf(word, "strategy=%63s", fact.strategy) != 1 && sscanf(word, "piece=%c", &fact.piece) != 1 &&
            sscanf(word, "next=%c", &fact.next) != 1 && sscanf(word, "move=%15s", fact.move) != 1 &&
            sscanf(word, "height=%d", &fact.height) != 1 &&
            sscanf(word, "overflow=%15s", fact.overflow) != 1 &&
            sscanf(word, "gameover=%15s", fact.gameover) != 1 && sscanf(word, "rules=%15s", fact.kind) != 1)
            fail_msg("%s: \"%s\" is not a fact.", place, word);
    if (!fact.strategy[0] || piece_from_letter(fact.piece) < 0 || piece_from_letter(fact.next) < 0 ||
        !fact.move[0])
        fail_msg("%s: a fact needs strategy=, piece= and move=.", place);
    return fact;
}

static void check_fact(const char *place, const char *rows, int width, char *line) {
    Fact fact = read_fact(place, line);
    char size[32], found[32] = "none";
    snprintf(size, sizeof size, "%dx%d", width, fact.height);
    Case c = {size, fact.overflow, fact.gameover, fact.kind, "uniform"};
    Rules rules = make_rules(&c);
    Strategy strategy;
    Error error;
    Game game;
    game_start(&game, &rules, SEED, 0);
    Reader reader = reader_start(place, rows, strlen(rows), &error);
    if (!strategy_find(&strategy, fact.strategy, &error) ||
        board_read(&reader, width, fact.height, &game.board) != 1)
        fail_msg("%s: %s", place, error.text);
    game.piece = piece_from_letter(fact.piece);
    game.next = piece_from_letter(fact.next);
    for (int k = 0; kernel_at(k); k++) {
        if (!kernel_available(kernel_at(k)))
            continue;
        Player *player = make_player(&strategy, &rules, kernel_at(k));
        Placement placement = player_choose(player, &game);
        if (placement != PLACEMENT_NONE)
            snprintf(found, sizeof found, "%c%d:%d", piece_letter[game.piece],
                     placement_orientation(placement), placement_column(placement));
        if (strcmp(found, fact.move))
            fail_msg("%s: %s with the kernel %s: expected %s, found %s.", place, fact.strategy,
                     kernel_name(kernel_at(k)), fact.move, found);
        player_free(player);
    }
    rules_free(&rules);
}

static int check_file(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[512], rows[1024] = "", place[512];
    int facts = 0, width = 0;
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "\r\n")] = 0;
        snprintf(place, sizeof place, "%.400s:%d", path, number);
        if (!line[0])
            rows[0] = 0;
        else if (line[0] == '#' || line[0] == '.') {
            width = (int)strlen(line);
            assert_true(strlen(rows) + strlen(line) + 2 < sizeof rows);
            strcat(strcat(rows, line), "\n");
        } else if (strncmp(line, "about=", 6) && strcmp(line, "board")) {
            check_fact(place, rows, width, line);
            facts++;
        }
    }
    fclose(file);
    return facts;
}

static void drawn_positions_have_the_moves_worked_out_by_hand(void **state) {
    (void)state;
    glob_t files;
    assert_int_equal(glob(TETRALAB_TESTS "/positions/moves/*.txt", 0, NULL, &files), 0);
    int facts = 0;
    for (size_t i = 0; i < files.gl_pathc; i++)
        facts += check_file(files.gl_pathv[i]);
    print_message("%d moves in %d files\n", facts, (int)files.gl_pathc);
    assert_true(facts > 0);
    globfree(&files);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_two_piece_player_finds_what_trying_every_pair_finds),
        cmocka_unit_test(dellacherie_breaks_ties_by_the_published_formula),
        cmocka_unit_test(random_ties_take_every_best_placement_and_no_other),
        cmocka_unit_test(drawn_positions_have_the_moves_worked_out_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
