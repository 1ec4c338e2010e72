// SPDX-License-Identifier: GPL-3.0-or-later
// Planning known pieces by beam search: the greedy and the two-piece player are its simplest cases, and a
// plain search with the reference definitions makes the same moves.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/pool.h"
#include "effort.h"
#include "game/original.h"
#include "player/ranking.h"
#include "player_cases.h"

static Strategy beam_of(const char *name, BeamOptions options) {
    Strategy strategy;
    Error error;
    if (!strategy_find(&strategy, name, &error))
        fail_msg("%s", error.text);
    strategy_set_player(&strategy, PLAYER_BEAM);
    strategy.beam = options;
    return strategy;
}

// ---- players that it contains ----------------------------------------------------------------------------

// Plays with both players; a position from which either move leads to no other is not compared: what is
// preferred then differs.
static void compare_players(const Strategy *a, const Strategy *b, const Case *c, uint64_t index,
                            uint64_t moves) {
    Rules rules = make_rules(c);
    Player *one = make_player(a, &rules, NULL), *other = make_player(b, &rules, NULL);
    Game game;
    for (start(&game, &rules, index); moves && game.state == GAME_RUNNING; moves--) {
        Placement expected = player_choose(other, &game), found = player_choose(one, &game);
        if (expected == PLACEMENT_NONE) {
            assert_int_equal(found, PLACEMENT_NONE);
            break;
        }
        Game after = game;
        game_move(&after, &rules, expected, NULL);
        if (game_is_lost(&after, &rules))
            break;
        if (found != expected) {
            print_game(&game, &rules);
            fail_msg("seed %d, game %d, %s %s: %d instead of %d", SEED, (int)index, c->board, c->kind, found,
                     expected);
        }
        game = after;
    }
    player_free(one);
    player_free(other);
    rules_free(&rules);
}

static void compare_kinds(PlayerKind kind, BeamOptions options) {
    static const char *const names[] = {"bcts", "dt-20", "dellacherie"};
    for (int i = 0; i < CASES; i++) {
        Strategy simple = beam_of(i == 0 ? "lab-20" : names[i % 3], options), beam = simple; // for width 10
        strategy_set_player(&simple, kind);
        if (!strcmp(cases[i].gameover, "avoid"))
            for (uint64_t g = 0; g < 2; g++)
                compare_players(&beam, &simple, &cases[i], g, test_effort(100));
    }
}

static void with_one_piece_it_is_the_greedy_player(void **state) {
    (void)state;
    compare_kinds(PLAYER_GREEDY, (BeamOptions){.pieces = 1, .width = 1});
}

static void with_two_pieces_and_all_lines_it_is_the_two_piece_player(void **state) {
    (void)state;
    compare_kinds(PLAYER_TWO_PIECE, (BeamOptions){.pieces = 2, .width = PLACEMENTS});
}

// ---- its definition --------------------------------------------------------------------------------------

typedef struct PlainLine {
    Board board;
    int64_t earned, value; // of its moves; and of its board
    uint64_t first;        // set of the first moves
} PlainLine;

enum { MOST_LINES = 40 * PLACEMENTS };

static int64_t plain_value(const PlainLine *line) {
    return line->earned + line->value;
}

// Adds what a placement makes of a line, as the last of the list. Of two with the same board the better one,
// or the earlier, is in it.
static int plain_add(PlainLine *list, int count, const PlainLine *line) {
    for (int k = 0; k < count; k++)
        if (!memcmp(&list[k].board, &line->board, sizeof line->board)) {
            if (line->earned == list[k].earned)
                list[k].first |= line->first;
            if (line->earned <= list[k].earned)
                return count;
            memmove(&list[k], &list[k + 1], (size_t)(--count - k) * sizeof *list);
            break;
        }
    list[count] = *line;
    return count + 1;
}

// The ways to put a piece down: any column, or what can be reached in the original game.
static int plain_ways(const Rules *rules, const Board *board, int piece, OriginalPlacement *way) {
    if (rules->original)
        return original_placements(board, rules, piece, way);
    int count = 0;
    for (int o = 0; o < piece_orientations[piece]; o++)
        for (int x = 0; x + piece_shape[piece][o].width <= rules->width; x++)
            way[count++] =
                (OriginalPlacement){placement_make(o, x), board_drop_row(board, &piece_shape[piece][o], x)};
    return count;
}

static int64_t plain_move_value(const Rating *rating, const Situation *situation) {
    int64_t sum = 0;
    for (int id = 0; id < FEATURES; id++)
        if (!strcmp(feature_info[id].family, "move"))
            sum += rating_reference(rating, situation, feature_bit((FeatureId)id));
    return sum;
}

static int plain_extend(const Player *player, const Rating *rating, const PlainLine *from, int lines,
                        int piece, bool first, PlainLine *list) {
    const Rules *rules = player_rules(player);
    const double *rows = player_strategy(player)->beam.rows;
    int count = 0;
    for (int k = 0; k < lines; k++) {
        OriginalPlacement way[PLACEMENTS];
        int ways = plain_ways(rules, &from[k].board, piece, way);
        for (int i = 0; i < ways; i++) {
            const Shape *shape = &piece_shape[piece][placement_orientation(way[i].placement)];
            PlainLine line = from[k];
            Landing landing =
                board_place(&line.board, rules->width, shape, placement_column(way[i].placement), way[i].row);
            if (rules_fatal(rules, shape, &landing))
                continue;
            Situation situation = {rules->width, rules->height, &from[k].board, &line.board, shape, landing};
            int64_t move = plain_move_value(rating, &situation);
            line.earned += move + (int64_t)floor(rows[landing.lines] * rating->scale);
            line.value = rating_reference(rating, &situation, ~(uint64_t)0) - move;
            line.first = first ? (uint64_t)1 << way[i].placement : line.first;
            count = plain_add(list, count, &line);
        }
    }
    return count;
}

// Those with fewer than `width` others that are better, or equal and earlier.
static int plain_keep(const PlainLine *list, int count, int width, PlainLine *kept) {
    int lines = 0;
    for (int k = 0; k < count; k++) {
        int before = 0;
        for (int j = 0; j < count; j++)
            before += plain_value(&list[j]) > plain_value(&list[k]) ||
                      (plain_value(&list[j]) == plain_value(&list[k]) && j < k);
        if (before < width)
            kept[lines++] = list[k];
    }
    return lines;
}

// <- the first moves of the best lines
static uint64_t plain_best(const Player *player, const Rating *rating, const Game *game) {
    static PlainLine list[MOST_LINES], kept[MOST_LINES];
    const BeamOptions *options = &player_strategy(player)->beam;
    int8_t piece[BEAM_MAX_PIECES];
    int known = game_coming(game, options->pieces, piece), lines = 1;
    kept[0] = (PlainLine){.board = game->board};
    for (int i = 0; i < known; i++) {
        int count = plain_extend(player, rating, kept, lines, piece[i], i == 0, list);
        if (!count)
            break;
        lines = plain_keep(list, count, options->width, kept);
    }
    uint64_t best = 0;
    int64_t value = INT64_MIN;
    for (int k = 0; k < lines; k++) {
        if (plain_value(&kept[k]) > value)
            best = 0;
        if (plain_value(&kept[k]) >= value) {
            best |= kept[k].first;
            value = plain_value(&kept[k]);
        }
    }
    return best;
}

// <- the set of those with the highest value; -> found  the one that is chosen
static uint64_t first_moves(const Player *player, Game *game, Placement *found) {
    Ranking ranking;
    uint64_t set = 0;
    *found = player_rank(player, game, &ranking);
    for (int k = 0; ranking.chosen && k < ranking.count; k++)
        if (ranking.move[k].value == ranking.move[0].value)
            set |= (uint64_t)1 << ranking.move[k].move.placement;
    return set;
}

static void compare_with_plain(const char *name, const Case *c, BeamOptions options, uint64_t index,
                               uint64_t moves) {
    Rules rules = make_rules(c);
    Strategy strategy = beam_of(name, options);
    strategy.ties = TIES_FIRST;
    Player *player = make_player(&strategy, &rules, NULL);
    Rating rating;
    Error error;
    if (!rating_make(&rating, &strategy.rating, rules.width, rules.height, &error))
        fail_msg("%s", error.text);
    Game game;
    for (start(&game, &rules, index); moves && game.state == GAME_RUNNING; moves--) {
        uint64_t best = plain_best(player, &rating, &game);
        Placement found;
        uint64_t equal = first_moves(player, &game, &found);
        if (equal != best || found != (best ? __builtin_ctzll(best) : PLACEMENT_NONE)) {
            print_game(&game, &rules);
            fail_msg("seed %d, game %d, %s, %s, %d pieces, width %d: %d of %" PRIx64 " instead of %" PRIx64,
                     SEED, (int)index, name, c->board, options.pieces, options.width, found, equal, best);
        }
        if (found == PLACEMENT_NONE)
            break;
        game_move(&game, &rules, found, NULL);
    }
    rating_free(&rating);
    player_free(player);
    rules_free(&rules);
}

static void lines_are_planned_as_defined(void **state) {
    (void)state;
    static const BeamOptions options[] = {{3, 4, {0}},
                                          {4, 7, {0, -2, 1, 3, 10}},
                                          {5, 2, {0.25, 0.5}},
                                          {3, 40, {0, 0, 0, 0, 1000}},
                                          {7, 1, {0, 1}}};
    static const char *const names[] = {"dellacherie", "bcts", "dt-20"};
    for (int i = 0; i < CASES; i++)
        for (uint64_t g = 0; g < 2; g++)
            for (int k = 0; k < 5; k++)
                compare_with_plain(names[(i + k) % 3], &cases[i], options[k], g, test_effort(2));
}

static void the_last_recorded_pieces_are_planned_as_they_are(void **state) {
    (void)state;
    static const uint8_t pieces[] = {0, 1, 2, 3, 4, 5, 6, 1, 1};
    Rules rules = make_rules(&cases[0]);
    Error error;
    piece_source_free(&rules.pieces);
    assert_true(piece_source_recorded(&rules.pieces, "nine", pieces, sizeof pieces, &error));
    Strategy strategy = beam_of("bcts", (BeamOptions){.pieces = 30, .width = 5});
    Player *player = make_player(&strategy, &rules, NULL);
    Game game;
    game_start(&game, &rules, SEED, 0);
    player_run(player, &game, 100);
    assert_int_equal(game.state, GAME_NO_PIECES);
    assert_int_equal(game.pieces, sizeof pieces);
    player_free(player);
    rules_free(&rules);
}

// ---- what it is for --------------------------------------------------------------------------------------

// <- of the rows that it removes in 300 moves, those that went three or four at a time
static double share_of_many(BeamOptions options) {
    Rules rules = make_rules(&cases[0]);
    Strategy strategy = beam_of("bcts", options);
    Player *player = make_player(&strategy, &rules, NULL);
    Game game;
    uint64_t many = 0;
    game_start(&game, &rules, SEED, 0);
    for (int i = 0; i < 300 && game.state == GAME_RUNNING; i++) {
        uint64_t before = game.lines;
        choose_and_move(player, &game);
        many += game.lines - before > 2 ? game.lines - before : 0;
    }
    assert_int_equal(game.pieces, 300);
    double share = (double)many / (double)game.lines;
    player_free(player);
    rules_free(&rules);
    return share;
}

static void rewards_for_many_rows_make_it_remove_many(void **state) {
    (void)state;
    double without = share_of_many((BeamOptions){.pieces = 8, .width = 20});
    double with = share_of_many((BeamOptions){.pieces = 8, .width = 20, .rows = {0, -50, 20, 150, 500}});
    print_message("%.0f %% of all rows without a reward, %.0f %% with one\n", 100 * without, 100 * with);
    assert_true(without < 0.05 && with > 0.1);
}

// ---- threads ---------------------------------------------------------------------------------------------

typedef struct Shared {
    const Player *player;
    const Rules *rules;
    uint64_t lines[8];
} Shared;

static void play_one(void *context, uint64_t index, int thread) {
    Shared *shared = context;
    (void)thread;
    Game game;
    game_start(&game, shared->rules, SEED, index);
    player_run(shared->player, &game, 200);
    shared->lines[index] = game.lines * 1000 + (uint64_t)board_cells(&game.board, shared->rules->width);
}

static void games_on_several_threads_are_the_same(void **state) {
    (void)state;
    Rules rules = make_rules(&cases[0]);
    Strategy strategy = beam_of("bcts", (BeamOptions){.pieces = 4, .width = 6});
    Player *player = make_player(&strategy, &rules, NULL);
    Shared one = {player, &rules, {0}}, several = one;
    Error error;
    for (uint64_t k = 0; k < 8; k++)
        play_one(&one, k, 0);
    assert_true(pool_run(4, 8, play_one, &several, NULL, &error));
    assert_memory_equal(one.lines, several.lines, sizeof one.lines);
    player_free(player);
    rules_free(&rules);
}

static void rewards_beyond_all_measure_are_refused(void **state) {
    (void)state;
    Rules rules = make_rules(&cases[0]);
    Strategy strategy = beam_of("bcts", (BeamOptions){.pieces = 4, .width = 6, .rows = {0, 1e90}});
    Error error;
    assert_null(player_new(&strategy, &rules, NULL, &error));
    assert_non_null(strstr(error.text, "\"rows\" has 1e+90 for 1 rows"));
    rules_free(&rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_one_piece_it_is_the_greedy_player),
        cmocka_unit_test(with_two_pieces_and_all_lines_it_is_the_two_piece_player),
        cmocka_unit_test(lines_are_planned_as_defined),
        cmocka_unit_test(the_last_recorded_pieces_are_planned_as_they_are),
        cmocka_unit_test(rewards_for_many_rows_make_it_remove_many),
        cmocka_unit_test(games_on_several_threads_are_the_same),
        cmocka_unit_test(rewards_beyond_all_measure_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
