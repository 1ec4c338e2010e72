// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of a match by hand and on played matches; many matches on threads.
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
#include "match_fixture.h"
#include "measure/matches.h"

enum { SEED = 52 };
#define UPRIGHT_I placement_make(1, 0)

// Rules on a board 4 wide with these pieces.
static Rules rules_of(const char *board, const char *letters) {
    Rules rules;
    Error error;
    uint8_t pieces[64];
    size_t length = strlen(letters);
    for (size_t i = 0; i < length; i++)
        pieces[i] = (uint8_t)piece_from_letter(letters[i]);
    rules_default(&rules);
    if (!rules_set(&rules, "board", board, &error) ||
        !piece_source_recorded(&rules.pieces, "letters", pieces, length, &error))
        fail_msg("%s", error.text);
    return rules;
}

static void play(Match *match, Placement a, Placement b, Placement c) {
    Placement move[] = {a, b, c};
    assert_int_equal(match->end, MATCH_RUNNING);
    match_round(match, move);
}

// --- by hand

static void two_rows_push_the_opponent_over_the_top(void **state) {
    (void)state;
    Rules rules = rules_of("4x4", "OOOO");
    Match match;
    match_start(&match, &rules, 2, MATCH_SAME, 1, 1);
    play(&match, 0, 0, 0);
    assert_int_equal(match.end, MATCH_RUNNING);
    play(&match, 2, 0, 0); // two rows; a tower of four
    assert_int_equal(match.end, MATCH_WON);
    assert_int_equal(match.winner, 0);
    assert_int_equal(match.rounds, 2);
    assert_int_equal(match.seat[0].sent, 1);
    assert_int_equal(match.seat[0].moves[0], 1);
    assert_int_equal(match.seat[0].moves[2], 1);
    assert_int_equal(match.seat[1].received, 0); // the row that ends the game does not come in
    assert_int_equal(match.game[1].board.column[0], 0xf);
    assert_int_equal(match.game[1].state, GAME_OVER);
    rules_free(&rules);
}

static void one_row_higher_the_same_attack_is_survived(void **state) {
    (void)state;
    Rules rules = rules_of("4x5", "OOOO");
    Match match;
    match_start(&match, &rules, 2, MATCH_SAME, 1, 1);
    play(&match, 0, 0, 0);
    play(&match, 2, 0, 0);
    assert_int_equal(match.end, MATCH_RUNNING);
    assert_int_equal(match.seat[1].received, 1);
    assert_int_equal(match.seat[1].cells, 3);
    assert_int_equal(board_cells(&match.game[1].board, 4), 8 + 3);
    assert_int_equal(match.game[1].board.column[0] >> 1, 0xf);
    play(&match, 2, 0, 0); // a tower of five cannot grow
    assert_int_equal(match.end, MATCH_WON);
    assert_int_equal(match.winner, 0);
    rules_free(&rules);
}

static void one_row_at_a_time_sends_nothing(void **state) {
    (void)state;
    Rules rules = rules_of("4x4", "IIII");
    Match match;
    match_start(&match, &rules, 2, MATCH_SAME, 1, 1);
    play(&match, 0, 0, 0);
    assert_int_equal(match.game[0].lines, 1);
    assert_int_equal(match.seat[0].sent + match.seat[1].received, 0);
    rules_free(&rules);
}

static void four_rows_send_three_with_three_empty_cells(void **state) {
    (void)state;
    Rules rules = rules_of("4x11", "IIIIII");
    Match match;
    match_start(&match, &rules, 2, MATCH_SAME, 1, 1);
    for (int i = 0; i < 4; i++)
        play(&match, UPRIGHT_I + i, UPRIGHT_I + i % 2, 0);
    assert_int_equal(match.game[0].lines, 4);
    assert_int_equal(match.seat[0].moves[4], 1);
    assert_int_equal(match.seat[0].sent, 3);
    assert_int_equal(match.seat[1].received, 3);
    assert_int_equal(match.seat[1].cells, 3);
    assert_int_equal(board_cells(&match.game[1].board, 4), 16 + 3);
    assert_int_equal(board_pile_height(&match.game[1].board, 4), 11); // just below the top
    assert_int_equal(match.end, MATCH_RUNNING);
    rules_free(&rules);
}

// An upright I in the right column of
//     # # # .          leaves        . . . #
//     # # # .     and sends a row    . . . #
//     . # # #                        . # # #
//     . # # #                        . # # #
static void attacks_of_one_round_cross_and_both_are_lost(void **state) {
    (void)state;
    for (int height = 4; height <= 5; height++) {
        Rules rules = rules_of(height == 4 ? "4x4" : "4x5", "IIII");
        Match match;
        match_start(&match, &rules, 2, MATCH_SAME, 1, 1);
        match.game[0].board = match.game[1].board = (Board){{0xc, 0xf, 0xf, 0x3}};
        play(&match, UPRIGHT_I + 3, UPRIGHT_I + 3, 0);
        for (int s = 0; s < 2; s++) {
            assert_int_equal(match.seat[s].moves[2], 1);
            assert_int_equal(match.seat[s].sent, 1);
            assert_int_equal(match.seat[s].received, height == 4 ? 0 : 1);
            assert_int_equal(board_pile_height(&match.game[s].board, 4), height);
            assert_int_equal(match.game[s].board.column[3] >> (height - 4) & 0xf, 0xf);
        }
        assert_int_equal(match.end, height == 4 ? MATCH_DRAWN : MATCH_RUNNING);
        assert_int_equal(match.winner, -1);
        rules_free(&rules);
    }
}

static void who_is_lost_first_does_not_share_the_draw(void **state) {
    (void)state;
    Rules rules = rules_of("4x8", "IIII");
    Match match;
    match_start(&match, &rules, 3, MATCH_SAME, 1, 1);
    play(&match, MATCH_NO_MOVE, 0, 0);
    assert_int_equal(match.end, MATCH_RUNNING);
    play(&match, 0, MATCH_NO_MOVE, MATCH_NO_MOVE);
    assert_int_equal(match.end, MATCH_DRAWN);
    assert_int_equal(match.winner, -1);
    assert_int_equal(match.rounds, 2);
    rules_free(&rules);
}

static void a_move_that_ends_the_game_sends_nothing(void **state) {
    (void)state;
    Rules rules = rules_of("4x4", "IIII");
    rules.overflow = OVERFLOW_STRICT;
    Match match;
    match_start(&match, &rules, 2, MATCH_SAME, 1, 1);
    match.game[0].board = (Board){{0xe, 0xe, 0xe, 1}}; // the I would complete three rows, but not inside
    play(&match, UPRIGHT_I + 3, UPRIGHT_I, 0);
    assert_int_equal(match.end, MATCH_WON);
    assert_int_equal(match.winner, 1);
    assert_int_equal(match.seat[0].sent, 0);
    assert_int_equal(match.game[0].pieces, 0);
    rules_free(&rules);
}

static void a_player_that_is_late_is_lost(void **state) {
    (void)state;
    Rules rules = rules_of("4x8", "OOOO");
    Match match;
    match_start(&match, &rules, 3, MATCH_SAME, 1, 1);
    play(&match, 0, MATCH_LATE, 0);
    assert_int_equal(match.end, MATCH_RUNNING);
    assert_true(match.seat[1].late);
    assert_false(match_is_alive(&match, 1));
    play(&match, MATCH_LATE, 0, 2);
    assert_int_equal(match.end, MATCH_WON);
    assert_int_equal(match.winner, 2);
    assert_int_equal(match.game[1].pieces, 0);
    rules_free(&rules);
}

static void all_opponents_alive_get_the_same_rows(void **state) {
    (void)state;
    Rules rules = rules_of("4x8", "OOOOOO");
    Match match;
    match_start(&match, &rules, 4, MATCH_SAME, 1, 1);
    Placement first[] = {0, 0, MATCH_NO_MOVE, 0}, second[] = {2, 0, 0, 0};
    match_round(&match, first);
    match_round(&match, second);
    assert_int_equal(match.seat[0].sent, 1);
    assert_int_equal(match.seat[0].received, 0);
    assert_int_equal(match.seat[2].received, 0);
    assert_int_equal(match.seat[1].received, 1);
    assert_int_equal(match.seat[3].received, 1);
    assert_memory_equal(&match.game[1].board, &match.game[3].board, sizeof(Board));
    for (int x = 0; x < 4; x++)
        assert_int_equal(match.game[1].board.column[x] & 1, match.attack[0].row[0] >> x & 1);
    rules_free(&rules);
}

static void a_match_ends_undecided_when_the_pieces_are_used_up(void **state) {
    (void)state;
    Rules rules = rules_of("4x8", "OO");
    Match match;
    match_start(&match, &rules, 2, MATCH_SAME, 1, 1);
    play(&match, 0, 0, 0);
    play(&match, 0, 0, 0);
    assert_int_equal(match.end, MATCH_LIMIT);
    assert_int_equal(match.winner, -1);
    rules_free(&rules);
}

// --- played matches

static const struct {
    const char *board, *overflow, *gameover, *kind, *pieces;
} variants[] = {
    {"10x10", "lenient", "avoid", "simplified", "uniform"},
    {"6x8", "strict", "evaluate", "simplified", "hard"},
    {"4x7", "lenient", "evaluate", "simplified", "bag"},
    {"10x8", "touch", "avoid", "simplified", "hard"},
    {"8x12", "lenient", "avoid", "original", "uniform"},
    {"14x7", "lenient", "avoid", "simplified", "sz"},
};
static const char *const players[] = {"bcts", "fahey", RANDOM_STRATEGY, "dellacherie"};

static void check_match(const Room *room, const Match *match) {
    int width = room->rules.width;
    for (int s = 0; s < room->players; s++) {
        const Game *game = &match->game[s];
        const Seat *seat = &match->seat[s];
        uint64_t moves = 0, lines = 0, sent = 0;
        for (int rows = 0; rows < MATCH_ROWS; rows++) {
            moves += seat->moves[rows];
            lines += seat->moves[rows] * (uint64_t)rows;
            sent += rows > 1 ? seat->moves[rows] * (uint64_t)(rows - 1) : 0;
        }
        assert_int_equal(moves, game->pieces);
        assert_int_equal(lines, game->lines);
        assert_int_equal(sent, seat->sent);
        assert_int_equal(board_cells(&game->board, width),
                         4 * game->pieces - (uint64_t)width * game->lines + seat->cells);
        assert_int_equal(board_full_rows(&game->board, width), 0);
        assert_true(board_pile_height(&game->board, width) <= room->rules.height);
    }
}

static void cells_are_four_per_piece_less_the_lines_plus_the_attacks(void **state) {
    (void)state;
    uint64_t received = 0, ends[5] = {0};
    print_message("seed %d\n", SEED);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (int count = 2; count <= 4; count++)
            for (uint64_t number = 1; number <= 10; number++) {
                Room room;
                room_rules(&room, variants[v].board, variants[v].overflow, variants[v].gameover,
                           variants[v].kind, variants[v].pieces);
                for (int s = 0; s < count; s++)
                    room_add(&room, players[s]);
                Match match;
                MatchSequence sequence = number % 2 ? MATCH_SAME : MATCH_OWN;
                match_start(&match, &room.rules, count, sequence, SEED, number);
                while (match.end == MATCH_RUNNING && match.rounds < 300) {
                    Placement move[MATCH_MAX_SEATS];
                    room_choose(&room, &match, move);
                    match_round(&match, move);
                    check_match(&room, &match);
                }
                for (int s = 0; s < count; s++)
                    received += match.seat[s].received;
                ends[match.end]++;
                room_free(&room);
            }
    print_message("%d attack rows received\n", (int)received);
    assert_true(received > 500);
    assert_true(ends[MATCH_WON] > 50);
}

static void the_same_sequence_gives_the_same_pieces_and_own_ones_do_not(void **state) {
    (void)state;
    Room room;
    room_make(&room, "10x12", "uniform", "bcts", "fahey");
    for (int own = 0; own < 2; own++) {
        Match match;
        Game game;
        int equal = 0, rounds = 40;
        game_start(&game, &room.rules, SEED, 7);
        match_start(&match, &room.rules, 2, own ? MATCH_OWN : MATCH_SAME, SEED, 7);
        for (int r = 0; r < rounds; r++) {
            Placement move[2];
            equal += match.game[0].piece == match.game[1].piece;
            if (!own) // the pieces of game 7 of the seed
                assert_int_equal(match.game[0].piece, game.piece);
            game_advance(&game, 0);
            room_choose(&room, &match, move);
            match_round(&match, move);
        }
        assert_int_equal(match.end, MATCH_RUNNING);
        assert_true(own ? equal < rounds / 2 : equal == rounds);
        assert_memory_not_equal(&match.game[0].ties, &match.game[1].ties, sizeof(Random));
    }
    room_free(&room);
}

// --- many matches

static MatchesPlan plan_of(const Room *room, uint64_t matches, MatchSequence sequence) {
    return (MatchesPlan){.player = (const Player *const *)room->player,
                         .players = room->players,
                         .seed = SEED,
                         .matches = matches,
                         .sequence = sequence,
                         .max_rounds = 10000,
                         .work.jobs = 2};
}

static void run(Matches *matches, const MatchesPlan *plan) {
    Error error = {""};
    if (!matches_run(matches, plan, &error))
        fail_msg("%s", error.text);
}

static void the_number_of_threads_changes_nothing_but_times(void **state) {
    (void)state;
    Room room;
    room_make(&room, "8x10", "hard", "bcts", "fahey");
    room_add(&room, RANDOM_STRATEGY);
    Matches first;
    for (int jobs = 1; jobs <= 7; jobs += 3) {
        Matches matches;
        MatchesPlan plan = plan_of(&room, test_effort(30), MATCH_SAME);
        plan.work.jobs = jobs;
        plan.kept = 1;
        run(&matches, &plan);
        assert_false(matches.interrupted);
        assert_int_equal(matches.ended, plan.matches);
        for (int s = 0; s < 3; s++) {
            matches.total[s].seconds = 0;
            assert_true(matches.total[s].choices >= matches.total[s].pieces);
        }
        if (jobs == 1) {
            first = matches;
            continue;
        }
        assert_memory_equal(matches.outcome, first.outcome, plan.matches * sizeof *matches.outcome);
        assert_memory_equal(matches.total, first.total, 3 * sizeof *matches.total);
        assert_int_equal(matches.rounds, first.rounds);
        assert_memory_equal(&matches.kept.game[0].board, &first.kept.game[0].board, sizeof(Board));
        matches_free(&matches);
    }
    matches_free(&first);
    room_free(&room);
}

// What matches_run counts is what the rounds of the same matches give.
static void the_totals_are_those_of_the_matches(void **state) {
    (void)state;
    Room room;
    Matches matches;
    PlayerTotal sum[2] = {{0}, {0}};
    room_make(&room, "6x10", "uniform", "bcts", "dellacherie");
    MatchesPlan plan = plan_of(&room, 20, MATCH_OWN);
    run(&matches, &plan);
    for (uint64_t number = 1; number <= plan.matches; number++) {
        Match match;
        match_start(&match, &room.rules, 2, MATCH_OWN, SEED, number);
        while (match.end == MATCH_RUNNING && match.rounds < plan.max_rounds) {
            Placement move[2];
            room_choose(&room, &match, move);
            match_round(&match, move);
        }
        assert_int_equal(matches.outcome[number - 1].winner, match.winner);
        assert_int_equal(matches.outcome[number - 1].rounds, match.rounds);
        for (int s = 0; s < 2; s++) {
            sum[s].wins += match.winner == s;
            sum[s].pieces += match.game[s].pieces;
            sum[s].received += match.seat[s].received;
        }
    }
    for (int s = 0; s < 2; s++) {
        assert_int_equal(matches.total[s].wins, sum[s].wins);
        assert_int_equal(matches.total[s].pieces, sum[s].pieces);
        assert_int_equal(matches.total[s].received, sum[s].received);
    }
    matches_free(&matches);
    room_free(&room);
}

// Players that search keep something for a game while it lasts, and boards change under them by attacks.
static void every_kind_of_player_plays_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    Room room;
    Matches first, matches;
    room_make(&room, "6x8", "uniform", "fahey",
              "{\"name\": \"planner\", \"player\": \"uct\", \"pieces\": 3, \"phases\": 40}");
    room_add(&room, "{\"name\": \"ahead\", \"player\": \"expectimax\", \"depth\": 2, \"candidates\": 3, "
                    "\"weights\": {\"holes\": -4, \"landing-height\": -1}}");
    room_add(&room, RANDOM_STRATEGY);
    MatchesPlan plan = plan_of(&room, test_effort(12), MATCH_SAME);
    plan.work.jobs = 1;
    run(&first, &plan);
    plan.work.jobs = 3;
    run(&matches, &plan);
    assert_memory_equal(matches.outcome, first.outcome, plan.matches * sizeof *matches.outcome);
    for (int s = 0; s < room.players; s++) {
        matches.total[s].seconds = first.total[s].seconds = 0;
        assert_memory_equal(&matches.total[s], &first.total[s], sizeof matches.total[s]);
    }
    matches_free(&first);
    matches_free(&matches);
    room_free(&room);
}

// False alarms: 6 standard deviations of a binomial count, 2e-9.
static void a_player_wins_half_of_the_matches_against_itself(void **state) {
    (void)state;
    for (int own = 0; own < 2; own++) {
        Room room;
        Matches matches;
        room_make(&room, "6x8", "uniform", "bcts", "bcts");
        MatchesPlan plan = plan_of(&room, test_effort(2000), own ? MATCH_OWN : MATCH_SAME);
        run(&matches, &plan);
        double wins = (double)matches.total[0].wins, losses = (double)matches.total[1].wins;
        print_message("%.0f wins, %.0f losses, %d draws (seed %d)\n", wins, losses, (int)matches.draws, SEED);
        assert_true(wins + losses > 0.5 * (double)plan.matches);
        assert_true(fabs(wins - losses) < 6 * sqrt(wins + losses));
        matches_free(&matches);
        room_free(&room);
    }
}

// The share of wins of a player does not depend on its seat. False alarms: 6 standard deviations, 2e-9.
static void seats_are_symmetric(void **state) {
    (void)state;
    double wins[2], matches_each = (double)test_effort(1500);
    for (int seat = 0; seat < 2; seat++) {
        Room room;
        Matches matches;
        room_make(&room, "6x9", "uniform", seat ? "bcts" : "fahey-1", seat ? "fahey-1" : "bcts");
        MatchesPlan plan = plan_of(&room, (uint64_t)matches_each, MATCH_SAME);
        plan.seed = (uint64_t)(SEED + seat);
        run(&matches, &plan);
        wins[seat] = (double)matches.total[!seat].wins;
        matches_free(&matches);
        room_free(&room);
    }
    double share = (wins[0] + wins[1]) / (2 * matches_each);
    print_message("bcts wins %.0f and %.0f of %.0f (seeds %d, %d)\n", wins[0], wins[1], matches_each, SEED,
                  SEED + 1);
    assert_true(share > 0.2 && share < 0.98);
    assert_true(fabs(wins[0] - wins[1]) < 6 * sqrt(2 * matches_each * share * (1 - share)));
}

static void a_random_player_loses_against_bcts(void **state) {
    (void)state;
    Room room;
    Matches matches;
    room_make(&room, "10x12", "uniform", RANDOM_STRATEGY, "bcts");
    MatchesPlan plan = plan_of(&room, 50, MATCH_SAME);
    run(&matches, &plan);
    assert_int_equal(matches.total[1].wins, 50);
    assert_int_equal(matches.draws + matches.limit, 0);
    matches_free(&matches);
    room_free(&room);
}

static void a_match_that_reaches_the_limit_is_won_by_nobody(void **state) {
    (void)state;
    Room room;
    Matches matches;
    room_make(&room, "10x20", "uniform", "bcts", "dellacherie");
    MatchesPlan plan = plan_of(&room, 5, MATCH_SAME);
    plan.max_rounds = 3;
    run(&matches, &plan);
    assert_int_equal(matches.limit, 5);
    assert_int_equal(matches.rounds, 15);
    assert_int_equal(matches.total[0].wins + matches.total[1].wins, 0);
    assert_int_equal(matches.outcome[4].end, MATCH_LIMIT);
    matches_free(&matches);
    room_free(&room);
}

// A time that no move keeps: everybody is late in the first round.
static void a_player_that_takes_too_long_loses(void **state) {
    (void)state;
    Room room;
    Matches matches;
    room_make(&room, "10x20", "uniform", "bcts", "fahey");
    MatchesPlan plan = plan_of(&room, 3, MATCH_SAME);
    plan.move_time = 1e-12;
    run(&matches, &plan);
    assert_int_equal(matches.draws, 3);
    assert_int_equal(matches.rounds, 3);
    assert_int_equal(matches.total[0].late, 3);
    assert_int_equal(matches.total[1].late, 3);
    assert_int_equal(matches.total[1].pieces, 0);
    matches_free(&matches);
    room_free(&room);
}

static volatile bool stop_now;

static void stop_after_three(void *context, const Advance *status) {
    (void)context;
    if (status->done >= 3)
        __atomic_store_n(&stop_now, true, __ATOMIC_RELAXED);
}

static void an_interrupted_run_keeps_the_matches_that_ended(void **state) {
    (void)state;
    Room room;
    Matches matches;
    room_make(&room, "6x8", "uniform", "bcts", "bcts");
    MatchesPlan plan = plan_of(&room, 1000, MATCH_OWN);
    stop_now = false;
    plan.work.stop = &stop_now;
    plan.work.progress = stop_after_three;
    run(&matches, &plan);
    assert_true(matches.interrupted);
    assert_true(matches.ended >= 3 && matches.ended < 1000);
    uint64_t ended = 0;
    for (uint64_t i = 0; i < plan.matches; i++)
        ended += matches.outcome[i].end != MATCH_RUNNING;
    assert_int_equal(ended, matches.ended);
    assert_int_equal(matches.total[0].wins + matches.total[1].wins + matches.draws + matches.limit,
                     matches.ended);
    matches_free(&matches);
    room_free(&room);
}

static void impossible_plans_are_refused(void **state) {
    (void)state;
    Room room, other;
    room_make(&room, "6x8", "uniform", "bcts", "bcts");
    room_make(&other, "6x9", "uniform", "bcts", "bcts");
    const Player *strangers[] = {room.player[0], other.player[0]};
    MatchesPlan good = plan_of(&room, 5, MATCH_SAME), plan;
    Matches matches;
    Error error = {""};
#define REFUSED(sentence)                                                                                    \
    assert_false(matches_run(&matches, &plan, &error));                                                      \
    assert_non_null(strstr(error.text, sentence));                                                           \
    matches_free(&matches);                                                                                  \
    plan = good
    plan = good;
    plan.players = 1;
    REFUSED("2 to 8 players");
    plan.players = 9;
    REFUSED("2 to 8 players");
    plan.player = strangers;
    REFUSED("the same rules");
    plan.matches = 0;
    REFUSED("matches can be played at once");
    plan.max_rounds = 0;
    REFUSED("rounds at most");
    plan.work.jobs = 0;
    REFUSED("threads");
#undef REFUSED
    room_free(&room);
    room_free(&other);
}

static void intervals_and_chances_at_known_points(void **state) {
    (void)state;
    Interval interval = matches_interval(91, 100); // Wilson's formula with z = 1.959964
    assert_true(fabs(interval.low - 0.83771) < 1e-4 && fabs(interval.high - 0.95190) < 1e-4);
    interval = matches_interval(0, 10);
    assert_true(interval.low == 0 && fabs(interval.high - 0.27754) < 1e-4);
    interval = matches_interval(10, 10);
    assert_true(interval.high == 1 && fabs(interval.low - 0.72246) < 1e-4);
    interval = matches_interval(0, 0);
    assert_true(interval.low == 0 && interval.high == 1);
    assert_true(fabs(matches_chance(10, 0) - 2.0 / 1024) < 1e-12);
    assert_true(fabs(matches_chance(1, 9) - 22.0 / 1024) < 1e-12);
    assert_true(matches_chance(5, 5) == 1);
    assert_true(matches_chance(0, 0) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_rows_push_the_opponent_over_the_top),
        cmocka_unit_test(one_row_higher_the_same_attack_is_survived),
        cmocka_unit_test(one_row_at_a_time_sends_nothing),
        cmocka_unit_test(four_rows_send_three_with_three_empty_cells),
        cmocka_unit_test(attacks_of_one_round_cross_and_both_are_lost),
        cmocka_unit_test(who_is_lost_first_does_not_share_the_draw),
        cmocka_unit_test(a_move_that_ends_the_game_sends_nothing),
        cmocka_unit_test(a_player_that_is_late_is_lost),
        cmocka_unit_test(all_opponents_alive_get_the_same_rows),
        cmocka_unit_test(a_match_ends_undecided_when_the_pieces_are_used_up),
        cmocka_unit_test(cells_are_four_per_piece_less_the_lines_plus_the_attacks),
        cmocka_unit_test(the_same_sequence_gives_the_same_pieces_and_own_ones_do_not),
        cmocka_unit_test(the_number_of_threads_changes_nothing_but_times),
        cmocka_unit_test(the_totals_are_those_of_the_matches),
        cmocka_unit_test(every_kind_of_player_plays_the_same_on_any_number_of_threads),
        cmocka_unit_test(a_player_wins_half_of_the_matches_against_itself),
        cmocka_unit_test(seats_are_symmetric),
        cmocka_unit_test(a_random_player_loses_against_bcts),
        cmocka_unit_test(a_match_that_reaches_the_limit_is_won_by_nobody),
        cmocka_unit_test(a_player_that_takes_too_long_loses),
        cmocka_unit_test(an_interrupted_run_keeps_the_matches_that_ended),
        cmocka_unit_test(impossible_plans_are_refused),
        cmocka_unit_test(intervals_and_chances_at_known_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
