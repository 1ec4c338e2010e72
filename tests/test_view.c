// SPDX-License-Identifier: GPL-3.0-or-later
// Games that are watched: going back gives what was there, heights and danger are those of the boards, games
// side by side have the same pieces; and the pages that show them, at every size.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "effort.h"
#include "match_fixture.h"
#include "random_boards.h"
#include "view/screen.h"

enum { SEED = 15 };

static Watched *start(Room *room, uint64_t number, uint64_t limit) {
    Error error = {""};
    WatchedPlan plan = {.rules = &room->rules,
                        .seats = room->players,
                        .sequence = MATCH_SAME,
                        .seed = SEED,
                        .number = number,
                        .limit = limit};
    for (int s = 0; s < room->players; s++) {
        plan.player[s] = room->player[s];
        plan.name[s] = room->player[s] ? player_strategy(room->player[s])->name : "human";
    }
    Watched *watched = watched_new(&plan, &error);
    if (!watched)
        fail_msg("%s", error.text);
    return watched;
}

static bool forward(Watched *watched) {
    Error error = {""};
    bool moved = watched_forward(watched, &error);
    if (error.text[0])
        fail_msg("%s", error.text);
    return moved;
}

// ---------------------------------------------------------------------------------------------------
// Rounds

// Does the board that is shown, once it has settled, hold what the game has?
static void check_film(const Watched *watched) {
    const Match *after = &watched->shown.after;
    FilmBoard board[MATCH_MAX_SEATS];
    memcpy(board, watched->shown.board, sizeof board);
    film_settle(board, &watched->shown.before, after);
    for (int s = 0; s < after->seats; s++)
        for (int x = 0; x < after->rules->width; x++) {
            uint32_t column = 0;
            for (int y = 0; y < FILM_ROWS; y++)
                column |= (uint32_t)(board[s].cell[y][x] != SCENE_EMPTY) << y;
            if (match_is_alive(after, s)) // rows that end a game are not seen to come
                assert_int_equal(column, after->game[s].board.column[x]);
        }
}

static bool same_round(const WatchedRound *a, const WatchedRound *b) {
    bool same = a->after.rounds == b->after.rounds && !memcmp(a->board, b->board, sizeof a->board);
    for (int s = 0; s < a->after.seats; s++)
        same = same && !memcmp(&a->after.game[s].board, &b->after.game[s].board, sizeof(Board)) &&
               a->after.game[s].piece == b->after.game[s].piece &&
               a->after.game[s].lines == b->after.game[s].lines &&
               a->after.seat[s].received == b->after.seat[s].received;
    return same;
}

// Plays on and keeps every round as it was shown; then looks at them again in any order.
static void check_back_and_forth(Watched *watched, size_t rounds) {
    WatchedRound *kept = aligned_alloc(_Alignof(WatchedRound), (rounds + 1) * sizeof *kept);
    Random random = random_stream(SEED, rounds, RANDOM_TEST);
    assert_non_null(kept);
    kept[0] = watched->shown;
    size_t played = 0;
    while (played < rounds && forward(watched)) {
        kept[++played] = watched->shown;
        assert_int_equal(watched->at, played);
        check_film(watched);
    }
    assert_int_equal(watched->record.rounds, played);
    for (int i = 0; i < 300; i++) {
        size_t round = random_below(&random, (uint32_t)played + 1);
        watched_seek(watched, round);
        assert_int_equal(watched->at, round);
        assert_true(same_round(&watched->shown, &kept[round]));
        if (round < played && random_below(&random, 2)) {
            assert_true(forward(watched));
            assert_true(same_round(&watched->shown, &kept[round + 1]));
        }
    }
    free(kept);
}

static void going_back_shows_what_was_there_before(void **state) {
    (void)state;
    static const char *const boards[] = {"10x20", "6x12", "10x12", "5x8"};
    for (int k = 0; k < 4; k++)
        for (int seats = 1; seats <= 3; seats++) {
            Room room;
            room_rules(&room, boards[k], "lenient", "avoid", "simplified", "uniform");
            for (int s = 0; s < seats; s++)
                room_add(&room, s == 1 ? RANDOM_STRATEGY : s == 2 ? "fahey" : "bcts");
            Watched *watched = start(&room, 1, UINT64_MAX);
            check_back_and_forth(watched, 200);
            watched_free(watched);
            room_free(&room);
        }
}

// So many rounds that only some of them are kept whole.
static void long_games_keep_few_rounds_and_show_all(void **state) {
    (void)state;
    Room room;
    enum { ROUNDS = 2 * WATCHED_POINTS * WATCHED_SPACING + 1000 };
    room_rules(&room, "10x20", "lenient", "avoid", "simplified", "uniform");
    room_add(&room, "bcts");
    Watched *watched = start(&room, 0, UINT64_MAX);
    Board *board = aligned_alloc(_Alignof(Board), (ROUNDS + 1) * sizeof *board);
    assert_non_null(board);
    for (int i = 1; i <= ROUNDS; i++) {
        assert_true(forward(watched));
        board[i] = watched->shown.after.game[0].board;
    }
    assert_true(watched->points <= WATCHED_POINTS && watched->spacing > WATCHED_SPACING);
    Random random = random_stream(SEED, 2, RANDOM_TEST);
    for (int i = 0; i < 100; i++) {
        size_t round = 1 + random_below(&random, ROUNDS);
        watched_seek(watched, round);
        assert_memory_equal(&watched->shown.after.game[0].board, &board[round], sizeof *board);
        check_film(watched);
    }
    free(board);
    watched_free(watched);
    room_free(&room);
}

// A live game and its record show the same; the moves are those of the players.
static void a_record_shows_what_was_played_live(void **state) {
    (void)state;
    for (int seats = 1; seats <= 2; seats++) {
        Room room;
        Error error = {""};
        Record record;
        size_t length;
        room_rules(&room, "8x10", "lenient", "avoid", "simplified", "uniform");
        room_add(&room, "bcts");
        if (seats == 2)
            room_add(&room, "xtris");
        Watched *live = start(&room, 3, 300);
        while (forward(live))
            ;
        assert_true(watched_is_over(live));
        record_end(&live->record, &live->last);
        char *text = record_to_text(&live->record, &length, &error);
        if (!text || !record_parse(&record, "text", text, length, &error))
            fail_msg("%s", error.text);
        free(text);
        Watched *watched = watched_record(&record, room.player[0], &error);
        assert_non_null(watched);
        assert_int_equal(watched->record.rounds, live->record.rounds);
        assert_int_equal(watched->danger[0], live->danger[0]);
        for (size_t round = 0; round <= live->record.rounds; round++) {
            watched_seek(live, round);
            watched_seek(watched, round);
            assert_true(same_round(&watched->shown, &live->shown));
            assert_int_equal(watched->shown.after.end, live->shown.after.end);
            for (int s = 0; s < seats; s++)
                assert_int_equal(watched_made(watched, s), watched_made(live, s));
        }
        assert_true(watched_is_over(watched) && watched->shown.after.end != MATCH_RUNNING);
        watched_free(watched);
        watched_free(live);
        room_free(&room);
    }
}

static void heights_and_danger_are_those_of_the_boards(void **state) {
    (void)state;
    Room room;
    room_make(&room, "10x12", "hard", "dellacherie", RANDOM_STRATEGY);
    Watched *watched = start(&room, 1, UINT64_MAX);
    size_t highest_at = 0;
    int highest = 0;
    while (forward(watched))
        for (int s = 0; s < 2; s++) {
            int height = board_pile_height(&watched->shown.after.game[s].board, room.rules.width);
            assert_int_equal(watched_height(watched, watched->at, s), height);
            if (height > highest) {
                highest = height;
                highest_at = watched->at;
            }
        }
    assert_true(highest >= 8);
    Viewer viewer;
    viewer_start(&viewer, 5);
    assert_true(viewer_add(&viewer, watched));
    viewer_key(&viewer, 'd');
    assert_int_equal(viewer_at(&viewer), highest_at);
    assert_true(viewer.paused);
    viewer_free(&viewer);
    room_free(&room);
}

static void attack_rows_appear_on_the_board_that_gets_them(void **state) {
    (void)state;
    Room room;
    uint64_t rows = 0;
    room_make(&room, "10x20", "uniform", "fahey", "bcts");
    Watched *watched = start(&room, 1, 400);
    while (forward(watched)) {
        const WatchedRound *shown = &watched->shown;
        for (int s = 0; s < 2; s++) {
            uint64_t got = shown->after.seat[s].received - shown->before.seat[s].received;
            FilmBoard board[MATCH_MAX_SEATS];
            memcpy(board, shown->board, sizeof board);
            film_settle(board, &shown->before, &shown->after);
            for (uint64_t y = 0; y < got; y++)
                for (int x = 0; x < 10; x++)
                    assert_int_equal(board[s].cell[y][x] == SCENE_ATTACK,
                                     shown->after.game[s].board.column[x] >> y & 1);
            rows += got;
        }
    }
    assert_true(rows > 5);
    watched_free(watched);
    room_free(&room);
}

// What is shown beside a move is what its player thought when it made it; asked again, it says the same.
static void the_first_of_the_ranked_moves_is_the_one_that_was_made(void **state) {
    (void)state;
    static const char *const names[] = {"bcts", "dellacherie", "fahey"};
    for (int i = 0; i < 3; i++) {
        Room room;
        room_rules(&room, "10x12", "lenient", "avoid", "simplified", "hard");
        room_add(&room, names[i]);
        Watched *watched = start(&room, 2, 60);
        assert_null(watched_ranking(watched, 0));
        while (forward(watched))
            if (watched_made(watched, 0) >= 0)
                assert_int_equal(watched_ranking(watched, 0)->move[0].move.placement,
                                 watched_made(watched, 0));
        for (size_t round = watched->record.rounds - 1; round > 0; round -= 1) {
            watched_seek(watched, round);
            const Ranking *ranking = watched_ranking(watched, 0);
            assert_int_equal(ranking->move[0].move.placement, watched_made(watched, 0));
            assert_ptr_equal(watched_ranking(watched, 0), ranking);
        }
        watched_free(watched);
        room_free(&room);
    }
}

// ---------------------------------------------------------------------------------------------------
// Viewers

static void side_by_side(Viewer *viewer, Room *rooms, int count) {
    static const char *const names[] = {"bcts", RANDOM_STRATEGY, "dellacherie"};
    viewer_start(viewer, 10);
    for (int i = 0; i < count; i++) {
        room_rules(&rooms[i], "8x10", "lenient", "avoid", "simplified", "uniform");
        room_add(&rooms[i], names[i]);
        assert_true(viewer_add(viewer, start(&rooms[i], 4, 500)));
    }
}

static void the_speed_with_the_nearest_ratio_is_taken(void **state) {
    (void)state;
    static const double asked[] = {0.01, 1.45, 7, 24.6, 1e9}, taken[] = {0.5, 2, 5, 30, 10000};
    for (int i = 0; i < 5; i++) {
        Viewer viewer;
        viewer_start(&viewer, asked[i]);
        assert_true(viewer_speeds[viewer.speed] == taken[i]);
    }
}

static void games_side_by_side_have_the_same_pieces(void **state) {
    (void)state;
    Room rooms[3];
    Viewer viewer;
    int rounds = 0, alone = 0;
    side_by_side(&viewer, rooms, 3);
    assert_int_equal(viewer_boards(&viewer), 3);
    while (viewer_forward(&viewer)) {
        const Watched *first = viewer.table[0];
        for (int i = 1; i < 3; i++) {
            const Watched *watched = viewer.table[i];
            assert_int_equal(watched->shown.after.seat[0].received, 0);
            if (watched->at != first->at)
                alone++;
            else if (first->shown.after.end == MATCH_RUNNING)
                assert_int_equal(watched->shown.before.game[0].piece, first->shown.before.game[0].piece);
        }
        rounds++;
    }
    assert_true(viewer_is_over(&viewer) && rounds > 100 && alone > 50); // one is lost long before the others
    viewer_key(&viewer, VIEWER_LEFT);
    assert_int_equal(viewer_at(&viewer), rounds - 1);
    viewer_key(&viewer, VIEWER_HOME);
    assert_int_equal(viewer_at(&viewer), 0);
    viewer_key(&viewer, VIEWER_PAGE_DOWN);
    assert_int_equal(viewer_at(&viewer), 10);
    viewer_key(&viewer, VIEWER_LEFT);
    viewer_key(&viewer, VIEWER_PAGE_UP); // more than there is
    assert_int_equal(viewer_at(&viewer), 0);
    viewer_key(&viewer, '\t');
    assert_int_equal(viewer.focus, 1);
    viewer_free(&viewer);
    for (int i = 0; i < 3; i++)
        room_free(&rooms[i]);
}

static double slow_time;
static double slow_clock(void) {
    return slow_time += 0.01;
}

// At 10,000 moves a second a page is due after 166; a player that takes 0.01 s for each makes two of them.
static void a_slow_player_makes_no_more_moves_than_a_page_has_time_for(void **state) {
    (void)state;
    Room room;
    Viewer viewer;
    room_rules(&room, "10x20", "lenient", "avoid", "simplified", "uniform");
    room_add(&room, "bcts");
    viewer_start(&viewer, 10000);
    assert_true(viewer_add(&viewer, start(&room, 0, UINT64_MAX)));
    assert_true(viewer_tick(&viewer, 1)); // the first one
    assert_true(viewer_tick(&viewer, 1.02));
    assert_in_range(viewer_at(&viewer), 150, 250);
    size_t at = viewer_at(&viewer);
    viewer.clock = slow_clock;
    slow_time = 1.04;
    assert_true(viewer_tick(&viewer, 1.04));
    assert_int_equal(viewer_at(&viewer), at + 2);
    viewer_free(&viewer);
    room_free(&room);
}

// Time is a number here: 10 moves a second for 10 seconds, however often one looks.
static void moves_come_at_the_speed_that_is_set(void **state) {
    (void)state;
    static const double looks[] = {0.001, 0.013, 0.1, 0.05};
    for (int i = 0; i < 4; i++) {
        Room room;
        Viewer viewer;
        room_rules(&room, "10x20", "lenient", "avoid", "simplified", "uniform");
        room_add(&room, "bcts");
        viewer_start(&viewer, 11); // 10 is the nearest
        assert_true(viewer_add(&viewer, start(&room, 0, UINT64_MAX)));
        for (double now = 5; now < 15; now += looks[i])
            viewer_tick(&viewer, now);
        assert_in_range(viewer_at(&viewer), 99, 101);
        assert_true(fabs(viewer.rate - 10) < 1);
        size_t at = viewer_at(&viewer);
        viewer_key(&viewer, ' ');
        assert_true(isinf(viewer_wait(&viewer, 15)) && !viewer_tick(&viewer, 20));
        assert_int_equal(viewer_at(&viewer), at);
        viewer_key(&viewer, 'n');
        assert_int_equal(viewer_at(&viewer), at + 1);
        viewer_key(&viewer, ' '); // nothing is made up for
        assert_true(viewer_tick(&viewer, 100));
        assert_int_equal(viewer_at(&viewer), at + 2);
        viewer_key(&viewer, '?');
        assert_true(isinf(viewer_wait(&viewer, 101)));
        viewer_key(&viewer, 'q'); // also there
        assert_true(viewer.quit);
        viewer_free(&viewer);
        room_free(&room);
    }
}

static void a_humans_own_moves_are_not_explained_first(void **state) {
    (void)state;
    for (int seat = 0; seat < 2; seat++) {
        Room room;
        Viewer viewer;
        room_rules(&room, "10x20", "lenient", "avoid", "simplified", "uniform");
        if (seat == 1)
            room_add(&room, "bcts");
        room.player[room.players++] = NULL; // the human
        if (seat == 0)
            room_add(&room, "bcts");
        viewer_start(&viewer, 5);
        assert_true(viewer_add(&viewer, start(&room, 1, UINT64_MAX)));
        assert_int_equal(viewer.focus, 1 - seat);
        viewer_free(&viewer);
        room_free(&room);
    }
}

static void a_humans_piece_goes_where_keys_put_it(void **state) {
    (void)state;
    Room room;
    Viewer viewer;
    Random random = random_stream(SEED, 9, RANDOM_TEST);
    room_rules(&room, "10x20", "lenient", "avoid", "simplified", "uniform");
    room_add(&room, "bcts");
    room.player[room.players++] = NULL; // the human sits second
    viewer_start(&viewer, 5);
    assert_true(viewer_add(&viewer, start(&room, 1, UINT64_MAX)));
    Watched *watched = viewer.table[0];
    assert_int_equal(watched->human, 1);
    for (int move = 0; move < 60 && !viewer_is_over(&viewer); move++) {
        int piece = watched->shown.after.game[1].piece;
        int orientation = random_between(&random, 0, piece_orientations[piece] - 1);
        int column = random_between(&random, 0, 10 - piece_shape[piece][orientation].width);
        assert_true(isinf(viewer_wait(&viewer, 1))); // it falls only when told to
        for (int i = 0; i < orientation; i++)
            viewer_key(&viewer, i % 2 ? 'k' : VIEWER_UP);
        for (int i = 0; i < 12; i++)
            viewer_key(&viewer, VIEWER_LEFT);
        for (int i = 0; i < column; i++)
            viewer_key(&viewer, 'l');
        viewer_key(&viewer, ' ');
        assert_int_equal(watched_made(watched, 1), placement_make(orientation, column));
        assert_int_equal(watched->record.rounds, move + 1);
        viewer_key(&viewer, 'b');
        viewer_key(&viewer, ' '); // goes on, and stops where it is the human's turn
        for (int i = 0; i < 3; i++)
            viewer_tick(&viewer, 10 * move + i);
        assert_int_equal(viewer_at(&viewer), move + 1);
    }
    assert_true(watched->record.rounds > 5);
    viewer_free(&viewer);
    room.players = 1;
    room_free(&room);
}

// ---------------------------------------------------------------------------------------------------
// Pages

static void draw(Viewer *viewer, int width, int height, bool unicode, bool keys, char **text) {
    Error error = {""};
    Grid grid = {0};
    size_t length;
    assert_true(grid_resize(&grid, width, height, &error));
    screen_draw(&grid, viewer, &(ScreenLook){.unicode = unicode, .keys = keys});
    FILE *out = open_memstream(text, &length);
    assert_non_null(out);
    grid_print(&grid, out);
    fclose(out);
    grid_free(&grid);
}

// -> name  of the file in tests/pages that holds the page
static void check_page(Viewer *viewer, int width, int height, bool unicode, bool keys, const char *name) {
    char *text = NULL, path[512];
    Error error = {""};
    size_t length;
    snprintf(path, sizeof path, "%s/pages/%s.txt", TETRALAB_TESTS, name);
    char *wanted = text_read_file(path, &length, &error);
    if (!wanted)
        fail_msg("%s", error.text);
    draw(viewer, width, height, unicode, keys, &text);
    if (strcmp(text, wanted)) {
        print_error("%s", text);
        fail_msg("This is not the page of %s.", path);
    }
    free(text);
    free(wanted);
}

static void start_page(Viewer *viewer, Room *room, const char *board, const char *first, const char *second,
                       int rounds) {
    room_rules(room, board, "lenient", "avoid", "simplified", "uniform");
    room_add(room, first);
    if (second)
        room_add(room, second);
    viewer_start(viewer, 5);
    assert_true(viewer_add(viewer, start(room, 1, UINT64_MAX)));
    for (int i = 0; i < rounds && viewer_forward(viewer);)
        i++;
}

static void pages_are_as_they_were_drawn(void **state) {
    (void)state;
    Viewer viewer;
    Room room;
    start_page(&viewer, &room, "10x20", "bcts", NULL, 31);
    check_page(&viewer, 80, 24, true, false, "plain");
    viewer.paused = true;
    check_page(&viewer, 80, 24, true, true, "keys");
    check_page(&viewer, 120, 30, true, true, "wide");
    check_page(&viewer, 40, 24, false, true, "narrow");
    check_page(&viewer, 11, 30, true, true, "too-small");
    viewer_free(&viewer);
    room_free(&room);
    start_page(&viewer, &room, "10x20", "fahey", "bcts", 60);
    check_page(&viewer, 80, 24, true, true, "match");
    viewer_free(&viewer);
    room_free(&room);
}

// Every size, every kind of board: nothing is written outside (which the sanitizers would see), and the
// number of the move is there whenever the boards are.
static void every_size_has_a_page(void **state) {
    (void)state;
    static const char *const boards[] = {"10x20", "4x4", "14x27", "5x9"};
    for (int k = 0; k < 4; k++) {
        Viewer viewer;
        Room room;
        start_page(&viewer, &room, boards[k], "bcts", k % 2 ? RANDOM_STRATEGY : NULL, k == 1 ? 2 : 12);
        for (int width = 1; width < 140; width += 1 + width / 40)
            for (int height = 1; height < 48; height += 1 + height / 30) {
                char *text = NULL;
                viewer.help = width % 7 == 0;
                draw(&viewer, width, height, width % 2, height % 2, &text);
                for (char *c = text; *c && width % 2 == 0; c++)
                    assert_true(*c == '\n' || (*c >= ' ' && *c < 127));
                if (width >= 80 && height >= 31 && !viewer.help)
                    assert_non_null(strstr(text, " move "));
                free(text);
            }
        viewer_free(&viewer);
        room_free(&room);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(going_back_shows_what_was_there_before),
        cmocka_unit_test(long_games_keep_few_rounds_and_show_all),
        cmocka_unit_test(a_record_shows_what_was_played_live),
        cmocka_unit_test(heights_and_danger_are_those_of_the_boards),
        cmocka_unit_test(attack_rows_appear_on_the_board_that_gets_them),
        cmocka_unit_test(the_first_of_the_ranked_moves_is_the_one_that_was_made),
        cmocka_unit_test(the_speed_with_the_nearest_ratio_is_taken),
        cmocka_unit_test(games_side_by_side_have_the_same_pieces),
        cmocka_unit_test(moves_come_at_the_speed_that_is_set),
        cmocka_unit_test(a_slow_player_makes_no_more_moves_than_a_page_has_time_for),
        cmocka_unit_test(a_humans_own_moves_are_not_explained_first),
        cmocka_unit_test(a_humans_piece_goes_where_keys_put_it),
        cmocka_unit_test(pages_are_as_they_were_drawn),
        cmocka_unit_test(every_size_has_a_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
