// SPDX-License-Identifier: GPL-3.0-or-later
// Ranked moves of every kind of player, under every rule variant, on random boards: the first is the player's
// own choice, the order is the one that is promised, and what features give adds up. (Tables of values are
// ranked in test_api_players.c, where one is solved.)
#include <inttypes.h>
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
#include "game/position.h"
#include "player/player_type.h"
#include "player/ranking.h"
#include "player_cases.h"
#include "position_fixture.h"

static const char *const written[] = {
    "{\"player\": \"expectimax\", \"candidates\": 6, \"weights\": {\"holes\": -4, \"landing-height\": -1, "
    "\"row-transitions\": -1}}",
    "{\"player\": \"expectimax\", \"candidates\": 2, \"sees-next\": true, \"ties\": \"priority\", "
    "\"weights\": {\"holes\": -4, \"landing-height\": -1}}",
    "{\"player\": \"uct\", \"pieces\": 3, \"preview\": 1, \"phases\": 60, \"backup\": \"mean\", "
    "\"leaf\": \"rating\", \"weights\": {\"holes\": -4, \"landing-height\": -1, \"row-transitions\": -1}}",
    "{\"player\": \"uct\", \"pieces\": 3, \"phases\": 60, \"ties\": \"first\", "
    "\"gamma\": [-0.1, -0.1, -0.1, 0, 0]}",
    "{\"weights\": {\"holes\": -1, \"removed-lines\": 1}, \"ties\": \"random\"}",
    "{\"player\": \"two-piece\", \"weights\": {\"holes\": -1, \"eroded-cells\": 0.3}, \"ties\": "
    "\"priority\"}",
    "{\"rating\": \"displaced\", \"weights\": {\"holes\": -4.25, \"max-height\": -2}, "
    "\"exponents\": {\"holes\": 1.5}, \"displacements\": {\"holes\": 0.5}}",
    "{\"rating\": \"network\", \"weights\": {\"holes\": -4.25, \"landing-height\": -2}}",
    "{\"rating\": \"network\", \"hidden\": [{\"bias\": 2, \"output\": 1, \"weights\": {\"holes\": -9, "
    "\"landing-height\": -3}}, {\"bias\": -1, \"output\": 2, \"weights\": {\"row-transitions\": -9}}]}",
    "{\"player\": \"two-piece\", \"clear\": \"late\", \"weights\": {\"holes\": -1, \"landing-height\": "
    "-0.3}}",
};
enum { WRITTEN = sizeof written / sizeof *written };

// Every kind: those that are built in, then those above. <- false: there are no more
static bool strategy_at(int index, Strategy *strategy) {
    int count = 0;
    Error error;
    while (tried_strategy(count))
        count++;
    if (index < count)
        *strategy = *tried_strategy(index);
    else if (index >= count + WRITTEN)
        return false;
    else if (!strategy_parse_json(strategy, "written", written[index - count], strlen(written[index - count]),
                                  &error))
        fail_msg("%s", error.text);
    return true;
}

typedef void Look(const Player *player, const Game *game);

// Looks at every kind of player on random boards under all rules.
static void look_at_all(uint64_t usual, Look *look) {
    Strategy strategy;
    for (int s = 0; strategy_at(s, &strategy); s++)
        for (int c = 0; c < CASES; c++) {
            Rules rules = make_rules(&cases[c]);
            Player *player =
                strategy.clear_late && rules.height > 23 ? NULL : make_player(&strategy, &rules, NULL);
            for (uint64_t index = 0; player && index < test_effort(usual); index++) {
                Game game;
                start(&game, &rules, index);
                if (index % 4 == 2)
                    game.next = -1;
                look(player, &game);
                player_forget(player, &game);
            }
            player_free(player);
            rules_free(&rules);
        }
}

static void explain(const Player *player, const Game *game, const Ranking *ranking) {
    print_error("%s\n", player_strategy(player)->name);
    print_game(game, player_rules(player));
    for (int k = 0; k < ranking->count; k++)
        print_error("%d: %d value %.17g rating %.17g visits %u ends %d\n", k, ranking->move[k].move.placement,
                    ranking->move[k].value, ranking->move[k].rating, ranking->move[k].visits,
                    ranking->move[k].ends);
}

static void first_is_choice(const Player *player, const Game *game) {
    Game a = *game, b = *game;
    Ranking ranking;
    Placement ranked = player_rank(player, &a, &ranking), chosen = player_choose(player, &b);
    bool same = ranked == chosen && !memcmp(&a.ties, &b.ties, sizeof a.ties) &&
                ranking.chosen == (chosen != PLACEMENT_NONE) &&
                (!ranking.chosen || ranking.move[0].move.placement == chosen);
    if (!same) {
        explain(player, game, &ranking);
        fail_msg("chosen: %d, ranked: %d", chosen, ranked);
    }
    if (chosen != PLACEMENT_NONE) {
        game_move(&a, player_rules(player), chosen, NULL);
        player_forget(player, &a);
        player_forget(player, &a);
    }
}

static void the_first_move_is_the_players_choice_and_draws_as_it_does(void **state) {
    (void)state;
    look_at_all(16, first_is_choice);
}

// -1: a comes first
static int order_of(const Player *player, const RankedMove *a, const RankedMove *b) {
    bool mean =
        player_strategy(player)->player == PLAYER_UCT && player_strategy(player)->uct.backup == UCT_MEAN;
    if (isnan(a->value) != isnan(b->value))
        return isnan(a->value) ? 1 : -1;
    if (isnan(a->value))
        return a->ends - b->ends;
    if (mean && a->visits != b->visits)
        return a->visits > b->visits ? -1 : 1;
    return (a->value < b->value) - (a->value > b->value);
}

static void in_order(const Player *player, const Game *game) {
    Game copy = *game;
    Ranking ranking;
    Moves moves;
    Placement chosen = player_rank(player, &copy, &ranking);
    uint64_t listed = 0;
    moves_list(&moves, player_rules(player), &game->board, game->piece);
    for (int k = 0; k < ranking.count; k++) {
        const RankedMove *ranked = &ranking.move[k];
        listed |= (uint64_t)1 << ranked->move.placement;
        assert_memory_equal(&ranked->move, &moves.move[ranked->move.placement], sizeof ranked->move);
        Game after = *game;
        game_move(&after, player_rules(player), ranked->move.placement, NULL);
        assert_int_equal(ranked->ends, after.state == GAME_OVER);
        if (k > 0 && order_of(player, &ranking.move[k - 1], ranked) > 0) {
            explain(player, game, &ranking);
            fail_msg("move %d is better than the one before", k);
        }
    }
    assert_true(listed == moves.possible && __builtin_popcountll(listed) == ranking.count);
    if (chosen != PLACEMENT_NONE) {
        game_move(&copy, player_rules(player), chosen, NULL);
        player_forget(player, &copy);
    }
}

static void every_possible_move_is_there_once_and_none_is_better_than_the_one_before(void **state) {
    (void)state;
    look_at_all(8, in_order);
}

// Contributions are the rating, and for players of one piece the rating is the value.
static void adds_up(const Player *player, const Game *game) {
    Game copy = *game;
    Ranking ranking;
    Placement chosen = player_rank(player, &copy, &ranking);
    const Strategy *strategy = player_strategy(player);
    bool hidden = player->rating.network != NULL;
    for (int k = 0; k < ranking.count; k++) {
        const RankedMove *ranked = &ranking.move[k];
        RatingShare share[RATING_MAX_TERMS];
        int count = ranking_features(player, &game->board, game->piece, &ranked->move, share);
        double sum = 0, size = 1;
        for (int i = 0; i < count; i++) {
            sum += share[i].contribution;
            size += fabs(share[i].contribution);
            if (strategy->rating.kind == RATING_LINEAR && share[i].feature != FEATURE_MEAN_HOLE_DEPTH)
                assert_true(fabs(share[i].contribution - share[i].weight * share[i].value) <= 1e-6 * size);
        }
        assert_int_equal(count == 0, isnan(ranked->rating));
        assert_int_equal(hidden, count > 0 && isnan(sum));
        if (count && !hidden && fabs(sum - ranked->rating) > 1e-9 * size) {
            explain(player, game, &ranking);
            fail_msg("move %d: %.17g, not %.17g", k, sum, ranked->rating);
        }
        if (strategy->player == PLAYER_GREEDY && !isnan(ranked->value))
            assert_true(ranked->value == ranked->rating);
    }
    if (chosen != PLACEMENT_NONE) {
        game_move(&copy, player_rules(player), chosen, NULL);
        player_forget(player, &copy);
    }
}

static void what_the_features_give_is_the_rating_and_a_greedy_players_value(void **state) {
    (void)state;
    look_at_all(4, adds_up);
}

// Of the moves that a rule avoids only those that end the game have no value with a greedy player.
static void moves_that_end_the_game_are_valued_only_where_the_rules_say_so(void **state) {
    (void)state;
    Strategy strategy;
    int ending = 0;
    assert_true(strategy_at(0, &strategy));
    for (int evaluate = 0; evaluate < 2; evaluate++) {
        const Case c = {"6x4", "lenient", evaluate ? "evaluate" : "avoid", "simplified", "uniform"};
        Rules rules = make_rules(&c);
        Player *player = make_player(&strategy, &rules, NULL);
        for (uint64_t index = 1; index < 40; index += 2) {
            Game game;
            Ranking ranking;
            start(&game, &rules, index);
            player_rank(player, &game, &ranking);
            for (int k = 0; k < ranking.count; k++) {
                ending += ranking.move[k].ends;
                assert_int_equal(isnan(ranking.move[k].value), ranking.move[k].ends && !evaluate);
            }
        }
        player_free(player);
        rules_free(&rules);
    }
    assert_true(ending > 0);
}

// ---- positions

// A game's pieces, told one by one, give the same moves as the game itself: also of a bag, whose rest is
// told.
static void a_position_that_is_told_its_pieces_is_the_game_itself(void **state) {
    (void)state;
    const Case bag = {"10x20", "lenient", "avoid", "simplified", "bag"};
    for (int s = 0; s < 3; s++) {
        Strategy strategy;
        Error error;
        Rules rules = make_rules(&bag);
        static const char *const text[] = {
            "{\"player\": \"expectimax\", \"candidates\": 4, \"weights\": {\"holes\": -4, "
            "\"landing-height\": -1, \"row-transitions\": -1}}",
            "{\"player\": \"expectimax\", \"candidates\": 2, \"sees-next\": true, "
            "\"weights\": {\"holes\": -4, \"landing-height\": -1}}",
            "{\"player\": \"two-piece\", \"weights\": {\"holes\": -4, \"landing-height\": -1}}"};
        if (!strategy_parse_json(&strategy, "text", text[s], strlen(text[s]), &error))
            fail_msg("%s", error.text);
        Player *player = make_player(&strategy, &rules, NULL);
        for (int known = 2; known < 10; known += 3) { // pieces known: the bag is what is left behind them
            Game game;
            Position position;
            game_start(&game, &rules, SEED, 7);
            position_start(&position, &rules, &game.board);
            PieceStream stream = piece_stream(&rules.pieces, SEED, 7);
            for (int i = 0; i < known; i++)
                position_add(&position, piece_stream_next(&stream));
            uint32_t left = 0;
            for (int i = 0; i < stream.bag_left; i++)
                left |= 1u << stream.bag[i];
            position_bag(&position, left);
            for (int move = 0; move < 60; move++) {
                assert_int_equal(position_pieces(&position), known);
                assert_int_equal(position.game.piece, game.piece);
                Placement placement = player_choose(player, &game);
                assert_int_equal(player_choose(player, &position.game), placement);
                game_move(&game, &rules, placement, NULL);
                game_move(&position.game, &rules, placement, NULL);
                assert_true(position_add(&position, piece_stream_next(&stream)));
            }
        }
        player_free(player);
        rules_free(&rules);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_move_is_the_players_choice_and_draws_as_it_does),
        cmocka_unit_test(every_possible_move_is_there_once_and_none_is_better_than_the_one_before),
        cmocka_unit_test(what_the_features_give_is_the_rating_and_a_greedy_players_value),
        cmocka_unit_test(moves_that_end_the_game_are_valued_only_where_the_rules_say_so),
        cmocka_unit_test(a_position_that_is_told_its_pieces_is_the_game_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
