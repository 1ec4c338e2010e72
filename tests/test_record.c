// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded games and matches: written, read, checked; every truncation; the place of every mistake.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "game/record.h"
#include "match_fixture.h"
#include "measure/matches.h"

enum { SEED = 53 };

// Plays and records a match; `late` is the round in which the first player is late, 0: never.
static void make_record(Record *record, const Room *room, MatchSequence sequence, uint64_t number,
                        uint64_t rounds, uint64_t late) {
    Error error = {""};
    Match match;
    const char *names[MATCH_MAX_SEATS];
    for (int s = 0; s < room->players; s++)
        names[s] = player_strategy(room->player[s])->name;
    assert_true(record_start(record, &room->rules, room->players, names, sequence, SEED, number, &error));
    match_start(&match, &room->rules, room->players, sequence, SEED, number);
    while (match.end == MATCH_RUNNING && match.rounds < rounds) {
        Placement move[MATCH_MAX_SEATS];
        room_choose(room, &match, move);
        if (match.rounds + 1 == late && match_is_alive(&match, 0))
            move[0] = MATCH_LATE;
        assert_true(record_add(record, move, &error));
        match_round(&match, move);
    }
    record_end(record, &match);
}

static char *to_text(const Record *record, size_t *length) {
    Error error;
    char *text = record_to_text(record, length, &error);
    assert_non_null(text);
    assert_int_equal(strlen(text), *length);
    return text;
}

static void assert_same_record(const Record *a, const Record *b) {
    size_t length;
    char *text_a = to_text(a, &length), *text_b = to_text(b, &length);
    assert_string_equal(text_a, text_b);
    assert_int_equal(a->end, b->end);
    free(text_a);
    free(text_b);
}

static void parse(Record *record, const char *text, size_t length) {
    Error error = {""};
    if (!record_parse(record, "text", text, length, &error))
        fail_msg("%s", error.text);
}

// A lost game and a short match with attacks, as texts; free() them.
static char *short_text(int seats, size_t *length) {
    Room room;
    Record record;
    room_make(&room, "6x8", "uniform", "bcts", "dellacherie");
    if (seats == 1)
        player_free(room.player[--room.players]);
    make_record(&record, &room, MATCH_SAME, 4, 1000, 0);
    assert_int_equal(record.end, seats == 1 ? MATCH_DRAWN : MATCH_WON);
    char *text = to_text(&record, length);
    assert_int_equal(strstr(text, "\nattack") != NULL, seats > 1);
    record_free(&record);
    room_free(&room);
    return text;
}

static const struct {
    const char *board, *overflow, *gameover, *kind, *pieces;
} variants[] = {
    {"10x12", "lenient", "avoid", "simplified", "uniform"},
    {"6x8", "strict", "evaluate", "simplified", "hard"},
    {"14x24", "touch", "avoid", "simplified", "bag"},
    {"8x10", "lenient", "avoid", "original", "uniform"},
    {"4x7", "lenient", "evaluate", "simplified", "I:0.2,O:1"},
};

static void what_is_written_reads_back_and_replays(void **state) {
    (void)state;
    static const char *const strategies[] = {RANDOM_STRATEGY, "bcts", "fahey",       "bcts",
                                             "fahey-1",       "bcts", "dellacherie", RANDOM_STRATEGY};
    char path[64];
    unsigned ends = 0, ends_of_games = 0;
    Error error = {""};
    snprintf(path, sizeof path, "test_record.%d.txt", (int)getpid());
    print_message("seed %d\n", SEED);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (int count = 1; count <= MATCH_MAX_SEATS; count += count > 1 ? 2 : 1)
            for (uint64_t number = 1; number <= 4; number++) {
                Room room;
                Record written, read;
                Match match, again;
                room_rules(&room, variants[v].board, variants[v].overflow, variants[v].gameover,
                           variants[v].kind, variants[v].pieces);
                for (int s = 0; s < count; s++)
                    room_add(&room, strategies[s]);
                make_record(&written, &room, number % 2 ? MATCH_SAME : MATCH_OWN, number,
                            number == 4 ? 5 : 400, number == 3 ? 4 : 0);
                if (!record_write(&written, path, &error) || !record_read(&read, path, &error))
                    fail_msg("%s", error.text);
                assert_same_record(&written, &read);
                record_play(&written, &match, NULL, NULL);
                record_play(&read, &again, NULL, NULL);
                for (int s = 0; s < count; s++)
                    assert_memory_equal(&match.game[s].board, &again.game[s].board, sizeof(Board));
                assert_int_equal(match.winner, again.winner);
                *(count > 1 ? &ends : &ends_of_games) |= 1u << match.end;
                record_free(&written);
                record_free(&read);
                room_free(&room);
            }
    assert_true(ends & 1u << MATCH_WON && ends & 1u << MATCH_STOPPED);
    assert_int_equal(ends_of_games, 1u << MATCH_DRAWN | 1u << MATCH_STOPPED);
    remove(path);
}

static void a_match_with_one_seat_is_the_game_of_its_number(void **state) {
    (void)state;
    Room room;
    room_rules(&room, "6x8", "lenient", "avoid", "simplified", "uniform");
    room_add(&room, RANDOM_STRATEGY);
    for (uint64_t number = 0; number < 5; number++) {
        Record record;
        Match match;
        Game game;
        make_record(&record, &room, MATCH_OWN, number, 1000, 0);
        record_play(&record, &match, NULL, NULL);
        game_start(&game, &room.rules, SEED, number);
        while (game.state == GAME_RUNNING) {
            Placement move = player_choose(room.player[0], &game);
            if (move == PLACEMENT_NONE)
                game_end(&game);
            else
                game_move(&game, &room.rules, move, NULL);
        }
        assert_memory_equal(&game.board, &match.game[0].board, sizeof game.board);
        assert_int_equal(game.pieces, match.game[0].pieces);
        assert_int_equal(match.seat[0].sent, 0);
        assert_int_equal(match.winner, -1);
        record_free(&record);
    }
    room_free(&room);
}

static void recorded_pieces_replay_without_their_file(void **state) {
    (void)state;
    static const uint8_t pieces[] = {PIECE_O, PIECE_O, PIECE_T, PIECE_O, PIECE_I, PIECE_S, PIECE_I};
    for (int seats = 1; seats <= 2; seats++)
        for (uint64_t rounds = 0; rounds <= sizeof pieces; rounds++) {
            Room room;
            Record record, again;
            Match match;
            Error error = {""};
            size_t length;
            room_rules(&room, "4x12", "lenient", "avoid", "simplified", "uniform");
            assert_true(piece_source_recorded(&room.rules.pieces, "a\nfile", pieces, sizeof pieces, &error));
            for (int s = 0; s < seats; s++)
                room_add(&room, s ? RANDOM_STRATEGY : "bcts");
            make_record(&record, &room, MATCH_SAME, 1, rounds, 0);
            room_free(&room);
            char *text = to_text(&record, &length), given[20];
            assert_non_null(strstr(text, "\npieces recorded a?file\n"));
            snprintf(given, sizeof given, "\ngiven %.*s\n", (int)(rounds + 2), "OOTOISI");
            assert_non_null(strstr(text, given));
            parse(&again, text, length);
            record_play(&again, &match, NULL, NULL);
            assert_int_equal(match.end, rounds < sizeof pieces ? MATCH_STOPPED : MATCH_LIMIT);
            assert_int_equal(match.game[0].pieces, rounds);
            assert_int_equal(match.game[0].state, rounds < sizeof pieces ? GAME_STOPPED : GAME_NO_PIECES);
            free(text);
            record_free(&record);
            record_free(&again);
        }
}

static void the_record_of_a_run_is_that_of_the_match_asked_for(void **state) {
    (void)state;
    Room room;
    room_make(&room, "6x8", "uniform", "bcts", RANDOM_STRATEGY);
    for (uint64_t kept = 1; kept <= 5; kept += 4) {
        MatchesPlan plan = {.player = (const Player *const *)room.player,
                            .players = 2,
                            .seed = SEED,
                            .matches = 5,
                            .max_rounds = 1000,
                            .work.jobs = 3,
                            .kept = kept,
                            .record = true};
        Matches matches;
        Record expected;
        Error error = {""};
        if (!matches_run(&matches, &plan, &error))
            fail_msg("%s", error.text);
        assert_true(matches.has_kept && matches.has_record);
        make_record(&expected, &room, MATCH_SAME, kept, 1000, 0);
        assert_same_record(&matches.record, &expected);
        assert_int_equal(matches.kept.rounds, expected.rounds);
        record_free(&expected);
        matches_free(&matches);
    }
    room_free(&room);
}

static void windows_line_ends_any_order_and_rounds_on_one_line_are_accepted(void **state) {
    (void)state;
    const char *text =
        "tetralab record 1\r\nseed 18446744073709551615\r\ngame 7\r\nplayer my own player\r\ngiven I\r\n"
        "rules simplified\r\npieces recorded x\r\ngiven ot\r\nsequence same\r\nplayer another\r\n"
        "gameover avoid\r\noverflow strict\r\nboard 4x4\r\nmoves I0:0 I0:0 o0:2 O0:0\r\n"
        "seat 1 pieces 2 lines 1 sent 0 received 0 columns 0,0,3,3 state alive hand T next -\r\n"
        "seat 2 pieces 2 lines 1 sent 0 received 0 columns 3,3,0,0 state alive hand T next -\r\n"
        "end rounds 2 stopped\r\n\r\n";
    Record record;
    parse(&record, text, strlen(text));
    assert_string_equal(record.player[0], "my own player");
    assert_int_equal(record.seed, UINT64_MAX);
    assert_int_equal(record.rounds, 2);
    record_free(&record);
}

static void every_truncation_is_an_error_or_an_equal_record(void **state) {
    (void)state;
    for (int seats = 1; seats <= 2; seats++) {
        size_t length, accepted = 0;
        char *text = short_text(seats, &length);
        Record whole;
        parse(&whole, text, length);
        for (size_t cut = 0; cut < length; cut++) {
            char *part = malloc(cut + 1); // its own block, so that reading too far is noticed
            Record record;
            Error error = {""};
            memcpy(part, text, cut);
            if (record_parse(&record, "text", part, cut, &error)) {
                assert_same_record(&record, &whole);
                accepted++;
            } else {
                assert_memory_equal(error.text, "text:", 5);
            }
            record_free(&record);
            free(part);
        }
        assert_int_equal(accepted, 1); // only the last line end is missing
        record_free(&whole);
        free(text);
    }
}

// Every byte from the moves on is changed in turn: the record is refused.
static void a_changed_byte_is_found(void **state) {
    (void)state;
    for (int seats = 1; seats <= 2; seats++) {
        size_t length;
        char *text = short_text(seats, &length);
        size_t first = (size_t)(strstr(text, "\nmoves") - text);
        assert_true(length - first > 200);
        for (size_t i = first; i < length - 1; i++) {
            char kept = text[i];
            Record record;
            Error error = {""};
            text[i] = kept == '#' ? '.' : kept == '.' ? '#' : kept == '0' ? '1' : '0';
            if (record_parse(&record, "text", text, length, &error))
                fail_msg("byte %zu changed from %c to %c is accepted", i, kept, text[i]);
            assert_memory_equal(error.text, "text:", 5);
            record_free(&record);
            text[i] = kept;
        }
        free(text);
    }
}

// <- the text with the first `from` replaced; free() it
static char *replaced(const char *text, const char *from, const char *to) {
    const char *at = strstr(text, from);
    if (!at)
        fail_msg("\"%s\" is not in the text", from);
    char *out = malloc(strlen(text) + strlen(to) + 1);
    sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return out;
}

typedef struct Mistake {
    const char *from, *to, *sentence;
} Mistake;

static void assert_refused(const char *good, const Mistake *list, size_t count) {
    Record record;
    Error error = {""};
    parse(&record, good, strlen(good));
    record_free(&record);
    for (size_t i = 0; i < count; i++) {
        char *text = replaced(good, list[i].from, list[i].to);
        if (record_parse(&record, "f", text, strlen(text), &error))
            fail_msg("accepted: %s instead of %s", list[i].to, list[i].from);
        if (!strstr(error.text, list[i].sentence))
            fail_msg("expected \"%s\", found \"%s\"", list[i].sentence, error.text);
        record_free(&record);
        free(text);
    }
}

static void wrong_games_are_refused_with_their_place(void **state) {
    (void)state;
    static const char good[] =
        "tetralab record 1\nboard 4x6\noverflow lenient\ngameover avoid\nrules simplified\n"
        "pieces recorded x\nsequence same\nseed 1\ngame 0\nplayer s\ngiven OOOII\nmoves O0:0 O0:2 O0:0\n"
        "seat 1 pieces 3 lines 2 sent 0 received 0 columns 3,3,0,0 state alive hand I next I\n"
        "end rounds 3 stopped\n";
    static const Mistake mistakes[] = {
        {good, "", "f: the file is empty: expected a record."},
        {"record 1", "record 2", "f:1:1: expected \"tetralab record 1\", found \"tetralab\"."},
        {"record 1", "record 1x", "f:1:18: expected the end of the line, found \"x\"."},
        {"record 1", "game 1", "f:1:1: this is a record of an earlier version, which is not read any more: "},
        {"record 1", "match 1", "not read any more: record it again."},
        {"4x6", "15x20", "f:2:7: The board \"15x20\" is not possible"},
        {"4x6", "", "f:2:7: expected a value, found the end of the line."},
        {"board 4x6\n", "board 4x6\nboard 4x6\n", "f:3:1: the line \"board ...\" is there twice."},
        {"overflow lenient\n", "", "f:11:1: the line \"overflow ...\" is missing before the moves."},
        {"simplified", "original\noverflow touch", "f:6:1: the line \"overflow ...\" is there twice."},
        {"lenient\ngameover avoid\nrules simplified", "touch\ngameover avoid\nrules original",
         "f:12:1: The original rules and the overflow rule touch exclude each other"},
        {"overflow", "colour",
         "f:3:1: expected a line such as \"board 10x20\" or \"moves ...\", found \"colour\""},
        {"overflow", "boardoverflow", "f:3:1: expected a line such as \"board 10x20\""},
        {"recorded x", "/etc/passwd", "f:6:8: The pieces \"/etc/passwd\" are neither"},
        {"recorded x", "bag", "f:12:1: the line \"given ...\" goes only with \"pieces recorded ...\"."},
        {"given OOOII\n", "", "f:11:1: the line \"given ...\" is missing before the moves."},
        {"given OO", "given OX", "f:11:8: expected a piece, one of OISZLJT, found \"XOII\"."},
        {"player s", "player a\tb", "f:10:9: expected a printable character"},
        {"player s\n", "", "f:11:1: the line \"player ...\" is missing before the moves."},
        {"seed 1", "seed 99999999999999999999",
         "f:8:6: expected a whole number (10k and 5M are understood) from 0 to 18446744073709551615, got"},
        {"seed 1", "seed -1", "from 0 to 18446744073709551615, got '-1'."},
        {"O0:0", "X0:3", "f:12:7: expected a piece, one of OISZLJT, found \"X0:3\"."},
        {"O0:0", "O1:3", "f:12:8: expected the number of an orientation of this piece, found \"1:3\"."},
        {"O0:0", "O0-3", "f:12:9: expected \":\", found \"-3\"."},
        {"O0:0", "O0:99", "f:12:10: expected a column on the board, the left one being 0, found \"99\"."},
        {"O0:0", "O0:3",
         "f:12:7: the move O0:3 of player 1 is not possible on a board 4x6 with these walls."},
        {"O0:0", "T0:0",
         "f:12:7: player 1 places a T (T0:0), but the piece in hand is a O (pieces recorded x, seed 1, "
         "game 0)."},
        {"O0:0 ", "O0:0  ", "f:12:12: expected a piece, one of OISZLJT, found a space."},
        {"O0:0 ", "none ", "f:12:7: player 1 does nothing, but has moves that do not end the game."},
        {"O0:0 ", "late ", "f:12:11: round 2 comes after the end of the game."},
        {"O0:0 ", "- ", "f:12:7: player 1 is not lost yet, but does nothing."},
        {"seat", "more", "f:13:1: expected \"moves ...\" or \"seat ...\", found \"more\"."},
        {"lines 2", "lines 9",
         "f:13:1: the moves make \"seat 1 ... lines 2\", but the record says \"seat 1 ... lines 9\"."},
        {"3,3,0,0", "3,,0,0",
         "the moves make \"seat 1 ... columns 3,3,0,0\", but the record says \"seat 1 ... columns 3,,0,0\"."},
        {" state alive hand I next I", "",
         "make \"seat 1 ... columns 3,3,0,0 state\", but the record says \"seat 1 ... columns 3,3,0,0\"."},
        {"next I", "next I x", "f:13:84: expected the end of the line, found a space."},
        {"state alive", "state over", "but the record says \"seat 1 ... state over\"."},
        {"next I", "next T", "make \"seat 1 ... next I\", but the record says \"seat 1 ... next T\"."},
        {"stopped", "over",
         "f:14:1: the moves make \"end rounds 3 stopped\", but the record says \"end rounds 3 "
         "over\"."},
        {"end rounds 3 stopped\n", "", "f:14: the line \"end ...\" is missing: the record was cut off."},
        {"stopped\n", "stopped\nmore\n",
         "f:15:1: expected nothing after the line \"end ...\", found \"more\"."},
    };
    assert_refused(good, mistakes, sizeof mistakes / sizeof *mistakes);
}

// Two players on a board 4 wide: the first one removes two rows in round 2 and attacks.
static void wrong_matches_are_refused_with_their_place(void **state) {
    (void)state;
    static const char form[] =
        "tetralab record 1\nboard 4x6\noverflow lenient\ngameover avoid\nrules simplified\n"
        "pieces recorded x\nsequence same\nseed 1\ngame 1\nplayer first\nplayer second\ngiven OOOO\n"
        "moves O0:0 O0:0\nmoves O0:2 O0:0\nattack 1 %.4s\n"
        "seat 1 pieces 2 lines 2 sent 1 received 0 columns 0,0,0,0 state alive hand O next O\n"
        "seat 2 pieces 2 lines 0 sent 0 received 1 columns %x,%x,%x,%x state alive hand O next O\n"
        "end rounds 2 stopped\n";
    static const Mistake mistakes[] = {
        {"sequence same", "sequence other", "f:7:10: expected same or own, got 'other'."},
        {"sequence same", "sequence own", "f:13:1: recorded pieces are the same for all"},
        {"player second\n", "player\n", "f:11:1: expected a line such as \"board 10x20\" or \"moves ...\""},
        {"player second\n", "player b\nplayer\td\n", "f:12:1: expected a line such as"},
        {"player second\n", "player\n3\nplayer 4\nplayer 5\nplayer 6\nplayer 7\nplayer 8\nplayer 9\n",
         "f:11:1: expected a line such as"},
        {"player second\n",
         "player 2\nplayer 3\nplayer 4\nplayer 5\nplayer 6\nplayer 7\nplayer 8\nplayer 9\n",
         "f:18:8: expected at most 8 players, found another one."},
        {"O0:0 O0:0", "O0:0", "f:13:11: expected \" \", found the end of the line."},
        {"O0:0 O0:0", "O0:0 O0:0 O0:0", "f:13:21: expected \" \", found the end of the line."},
        {"O0:0 O0:0", "O0:0 I0:0", "f:13:12: player 2 places a I (I0:0), but the piece in hand is a O"},
        {"O0:0 O0:0", "O0:0 -", "f:13:12: player 2 is not lost yet, but does nothing."},
        {"O0:0 O0:0", "O0:0 none", "f:13:12: player 2 does nothing, but has moves"},
        {"O0:0 O0:0", "O0:0 late", "f:14:6: round 2 comes after the end of the match."},
        {"attack 1", "attack 2", "f:15:1: the moves make \"attack 1 "},
        {"attack 1", "attack 1 ####", "but the record says \"attack 1 #### "},
        {"attack 1", "moves O0:0 O0:0\nattack 1", "but the record says \"moves O0:0 O0:0\"."},
        {"moves O0:2", "attack 2 ...#\nmoves O0:2", "f:14:1: an attack without two rows or more"},
        {"seat 1", "attack 1 ...#\nseat 1", "f:16:1: an attack without two rows or more"},
        {"O0:2 O0:0", "O0:2 O0:0 O0:0 O0:0", "f:14:16: expected the end of the line, found a space."},
        {"seat 1", "seat 2", "f:16:1: the moves make \"seat 1 pieces 2 lines 2"},
        {"seat 2 pieces 2", "seat 2 pieces 3", "f:17:1: the moves make \"seat 2 ... pieces 2\", but"},
        {"sent 1", "sent 2", "f:16:1: the moves make \"seat 1 ... sent 1\", but"},
        {"columns 0,0", "columns 1,0", "f:16:1: the moves make \"seat 1 ... columns 0,0,0,0\", but"},
        {"2 stopped", "3 stopped", "f:18:1: the moves make \"end rounds 2 stopped\", but the record says"},
        {"2 stopped", "2 winner 1", "but the record says \"end rounds 2 winner 1\"."},
        {"seat 2", "moves O0:0 O0:0\nseat 2", "f:17:1: the moves make \"seat 2 "},
    };
    Random random = random_stream(1, 1, RANDOM_ATTACK);
    Attack attack = attack_draw(2, 4, &random);
    char good[sizeof form + 40], row[5] = "";
    for (int x = 0; x < 4; x++)
        row[x] = attack.row[0] >> x & 1 ? '#' : '.';
    snprintf(good, sizeof good, form, row, 0x1e | (row[0] == '#'), 0x1e | (row[1] == '#'), row[2] == '#',
             row[3] == '#');
    assert_refused(good, mistakes, sizeof mistakes / sizeof *mistakes);
    // Why nobody moves on is believed.
    Record record;
    char *text = replaced(good, "2 stopped", "2 limit");
    parse(&record, text, strlen(text));
    assert_int_equal(record.end, MATCH_LIMIT);
    record_free(&record);
    free(text);
}

static void a_lost_player_does_nothing_more(void **state) {
    (void)state;
    Room room;
    Record record;
    Error error = {""};
    size_t length;
    room_make(&room, "6x8", "uniform", "bcts", "bcts");
    room_add(&room, "bcts");
    make_record(&record, &room, MATCH_SAME, 1, 6, 3);
    char *text = to_text(&record, &length), *wrong = replaced(text, "\nmoves - ", "\nmoves none ");
    record_free(&record);
    assert_false(record_parse(&record, "f", wrong, strlen(wrong), &error));
    assert_non_null(strstr(error.text, ":7: player 1 is lost, but does something."));
    record_free(&record);
    room_free(&room);
    free(wrong);
    free(text);
}

static void files_that_cannot_be_read_or_written_are_errors(void **state) {
    (void)state;
    Rules rules;
    Record record;
    Error error = {""};
    const char *name = "";
    assert_false(record_read(&record, "no/such/file", &error));
    assert_non_null(strstr(error.text, "no/such/file"));
    record_free(&record);
    rules_default(&rules);
    assert_true(record_start(&record, &rules, 1, &name, MATCH_SAME, 1, 0, &error));
    assert_string_equal(record.player[0], "unnamed");
    assert_false(record_write(&record, "no/such/directory/game.txt", &error));
    assert_non_null(strstr(error.text, "no/such/directory"));
    record_free(&record);
}

static void count_round(void *context, const Match *match) {
    uint64_t *next = context;
    assert_int_equal(match->rounds, *next);
    ++*next;
}

static void every_round_can_be_watched(void **state) {
    (void)state;
    size_t length;
    char *text = short_text(2, &length);
    Record record;
    Match match;
    uint64_t rounds = 0;
    parse(&record, text, length);
    record_play(&record, &match, count_round, &rounds);
    assert_int_equal(rounds, record.rounds + 1);
    record_free(&record);
    free(text);
}

static void a_record_has_a_most_number_of_rounds(void **state) {
    (void)state;
    static const char *const names[] = {"a", "b"};
    static const char *const sentences[] = {"more than 8000000 moves", "more than 100000 rounds"};
    const Placement move[] = {0, 0};
    Rules rules;
    rules_default(&rules);
    for (int seats = 1; seats <= 2; seats++) {
        Record record;
        Error error = {""};
        assert_true(record_start(&record, &rules, seats, names, MATCH_SAME, 1, 0, &error));
        for (int i = 0; i < (seats == 1 ? RECORD_MAX_MOVES : RECORD_MAX_ROUNDS); i++)
            if (!record_add(&record, move, &error))
                fail_msg("%s", error.text);
        assert_false(record_add(&record, move, &error));
        assert_non_null(strstr(error.text, sentences[seats - 1]));
        record_free(&record);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back_and_replays),
        cmocka_unit_test(a_match_with_one_seat_is_the_game_of_its_number),
        cmocka_unit_test(recorded_pieces_replay_without_their_file),
        cmocka_unit_test(the_record_of_a_run_is_that_of_the_match_asked_for),
        cmocka_unit_test(windows_line_ends_any_order_and_rounds_on_one_line_are_accepted),
        cmocka_unit_test(every_truncation_is_an_error_or_an_equal_record),
        cmocka_unit_test(a_changed_byte_is_found),
        cmocka_unit_test(wrong_games_are_refused_with_their_place),
        cmocka_unit_test(wrong_matches_are_refused_with_their_place),
        cmocka_unit_test(a_lost_player_does_nothing_more),
        cmocka_unit_test(files_that_cannot_be_read_or_written_are_errors),
        cmocka_unit_test(every_round_can_be_watched),
        cmocka_unit_test(a_record_has_a_most_number_of_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
