// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded matches: written, read, checked; every truncation; the place of every mistake.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "game/match_record.h"
#include "match_fixture.h"
#include "measure/matches.h"

enum { SEED = 53 };

// Plays and records a match; `late` is the round in which the first player is late, 0: never.
static void record_match(MatchRecord *record, const Room *room, MatchSequence sequence, uint64_t number,
                         uint64_t rounds, uint64_t late) {
    Error error = {""};
    Match match;
    const char *names[MATCH_MAX_SEATS];
    for (int s = 0; s < room->players; s++)
        names[s] = player_strategy(room->player[s])->name;
    match_record_start(record, &room->rules, room->players, names, sequence, SEED, number);
    match_start(&match, &room->rules, room->players, sequence, SEED, number);
    while (match.end == MATCH_RUNNING && match.rounds < rounds) {
        Placement move[MATCH_MAX_SEATS];
        room_choose(room, &match, move);
        if (match.rounds + 1 == late && match_is_alive(&match, 0))
            move[0] = MATCH_LATE;
        assert_true(match_record_moves(record, &match, move, &error));
        match_round(&match, move);
        assert_true(match_record_attacks(record, &match, &error));
    }
    match_record_end(record, &match);
}

static void assert_same_record(const MatchRecord *a, const MatchRecord *b) {
    size_t length_a, length_b;
    Error error;
    assert_int_equal(a->rounds, b->rounds);
    assert_int_equal(a->attacks, b->attacks);
    char *text_a = match_record_to_text(a, &length_a, &error);
    char *text_b = match_record_to_text(b, &length_b, &error);
    assert_non_null(text_a);
    assert_non_null(text_b);
    assert_string_equal(text_a, text_b);
    free(text_a);
    free(text_b);
}

// A short match with attacks, as text; free() it.
static char *short_text(size_t *length) {
    Room room;
    MatchRecord record;
    Error error;
    room_make(&room, "6x8", "uniform", "bcts", "dellacherie");
    record_match(&record, &room, MATCH_SAME, 4, 1000, 0);
    assert_int_equal(record.end, MATCH_WON);
    assert_true(record.attacks > 0);
    char *text = match_record_to_text(&record, length, &error);
    assert_non_null(text);
    match_record_free(&record);
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
    unsigned ends = 0;
    Error error = {""};
    snprintf(path, sizeof path, "test_match_record.%d.txt", (int)getpid());
    print_message("seed %d\n", SEED);
    for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
        for (int count = 2; count <= MATCH_MAX_SEATS; count += 2)
            for (uint64_t number = 1; number <= 4; number++) {
                Room room;
                room_rules(&room, variants[v].board, variants[v].overflow, variants[v].gameover,
                           variants[v].kind, variants[v].pieces);
                for (int s = 0; s < count; s++)
                    room_add(&room, strategies[s]);
                MatchRecord written, read;
                Match match;
                record_match(&written, &room, number % 2 ? MATCH_SAME : MATCH_OWN, number,
                             number == 4 ? 5 : 400, number == 3 ? 4 : 0);
                assert_true(match_record_write(&written, path, &error));
                if (!match_record_read(&read, path, &error) ||
                    !match_record_check(&read, path, &match, NULL, NULL, &error))
                    fail_msg("%s", error.text);
                assert_same_record(&written, &read);
                assert_int_equal(match.winner, written.winner);
                assert_int_equal(match.end, written.end);
                ends |= 1u << match.end;
                match_record_free(&written);
                match_record_free(&read);
                room_free(&room);
            }
    assert_true(ends & 1u << MATCH_WON && ends & 1u << MATCH_STOPPED);
    remove(path);
}

static void recorded_pieces_replay_without_their_file(void **state) {
    (void)state;
    static const uint8_t pieces[] = {PIECE_O, PIECE_O, PIECE_T, PIECE_O, PIECE_I, PIECE_S, PIECE_I};
    for (uint64_t rounds = 0; rounds <= sizeof pieces; rounds++) {
        Room room;
        MatchRecord record, again;
        Match match;
        Error error = {""};
        size_t length;
        room_rules(&room, "4x12", "lenient", "avoid", "simplified", "uniform");
        assert_true(piece_source_recorded(&room.rules.pieces, "a file", pieces, sizeof pieces, &error));
        room_add(&room, "bcts");
        room_add(&room, RANDOM_STRATEGY);
        record_match(&record, &room, MATCH_SAME, 1, rounds, 0);
        char *text = match_record_to_text(&record, &length, &error);
        assert_non_null(strstr(text, "\npieces recorded a file\n"));
        if (!match_record_parse(&again, "text", text, length, &error) ||
            !match_record_check(&again, "text", &match, NULL, NULL, &error))
            fail_msg("%s", error.text);
        assert_int_equal(match.end, rounds < sizeof pieces ? MATCH_STOPPED : MATCH_LIMIT);
        free(text);
        match_record_free(&record);
        match_record_free(&again);
        room_free(&room);
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
                            .jobs = 3,
                            .kept = kept,
                            .record = true};
        Matches matches;
        MatchRecord expected;
        Match match;
        Error error = {""};
        if (!matches_run(&matches, &plan, &error))
            fail_msg("%s", error.text);
        assert_true(matches.has_kept && matches.has_record);
        record_match(&expected, &room, MATCH_SAME, kept, 1000, 0);
        assert_same_record(&matches.record, &expected);
        assert_int_equal(matches.kept.rounds, expected.rounds);
        assert_true(match_record_check(&matches.record, "record", &match, NULL, NULL, &error));
        match_record_free(&expected);
        matches_free(&matches);
    }
    room_free(&room);
}

static void every_truncation_is_an_error_or_an_equal_match(void **state) {
    (void)state;
    size_t length, accepted = 0;
    char *text = short_text(&length);
    MatchRecord whole;
    Error error;
    assert_true(match_record_parse(&whole, "text", text, length, &error));
    for (size_t cut = 0; cut < length; cut++) {
        char *part = malloc(cut + 1); // its own block, so that reading too far is noticed
        MatchRecord record;
        memcpy(part, text, cut);
        error.text[0] = 0;
        if (match_record_parse(&record, "text", part, cut, &error)) {
            assert_same_record(&record, &whole);
            accepted++;
        } else {
            assert_true(error.text[0] != 0);
        }
        match_record_free(&record);
        free(part);
    }
    assert_int_equal(accepted, 1); // only the last line end is missing
    match_record_free(&whole);
    free(text);
}

// Every byte of the text is changed in turn: the record is refused, or it is another name, or nothing that
// matters (upper and lower case).
static void a_changed_byte_is_found(void **state) {
    (void)state;
    size_t length;
    char *text = short_text(&length);
    const char *rounds = strstr(text, "\nround");
    int found = 0;
    for (size_t i = (size_t)(rounds - text); i < length - 1; i++) {
        char kept = text[i];
        MatchRecord record;
        Match match;
        Error error = {""};
        text[i] = kept == '#' ? '.' : kept == '.' ? '#' : kept == '0' ? '1' : '0';
        if (match_record_parse(&record, "text", text, length, &error) &&
            match_record_check(&record, "text", &match, NULL, NULL, &error))
            fail_msg("byte %zu changed from %c to %c is accepted", i, kept, text[i]);
        assert_memory_equal(error.text, "text:", 5);
        found++;
        match_record_free(&record);
        text[i] = kept;
    }
    assert_true(found > 300);
    free(text);
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

// Two players on a board 4 wide: the first one removes two rows in round 2 and attacks.
static const char good_text[] =
    "tetralab match 1\nboard 4x6\noverflow lenient\ngameover avoid\nrules simplified\npieces recorded x\n"
    "sequence same\nseed 1 match 1\nplayer first\nplayer second\n"
    "round O0:0 O0:0\nround O0:2 O0:0\nattack 1 @\n"
    "seat 1 pieces 2 lines 2 sent 1 received 0 columns 0,0,0,0 state alive hand O next O\n"
    "seat 2 pieces 2 lines 0 sent 0 received 1 columns $ state alive hand O next O\n"
    "end rounds 2 stopped\n";

// Fills in what the seed draws.
static char *filled_in(void) {
    Random random = random_stream(1, 1, RANDOM_ATTACK);
    Attack attack = attack_draw(2, 4, &random);
    char row[5] = "", columns[32];
    for (int x = 0; x < 4; x++)
        row[x] = attack.row[0] >> x & 1 ? '#' : '.';
    snprintf(columns, sizeof columns, "%x,%x,%x,%x", 0x1e | (row[0] == '#'), 0x1e | (row[1] == '#'),
             row[2] == '#', row[3] == '#');
    char *half = replaced(good_text, "@", row), *text = replaced(half, "$", columns);
    free(half);
    return text;
}

static void wrong_matches_are_refused_with_their_line(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *sentence;
    } cases[] = {
        {"tetralab match 1", "tetralab game 1", "f:1:1: expected \"tetralab match 1\", found \"tetralab\"."},
        {"board 4x6", "board 15x6", "f:2: The board \"15x6\" is not possible"},
        {"board 4x6\n", "", "f:10:1: the line \"board ...\" is missing before the moves."},
        {"gameover", "overflow", "f:4:1: the line \"overflow ...\" is there twice."},
        {"sequence same", "sequence other", "f:7:10: expected same or own, found \"other\"."},
        {"sequence same", "sequence own", "f: Recorded pieces are the same for all"},
        {"seed 1 match 1", "seed 1 game 1", "f:8:7: expected \" match \""},
        {"player second\n", "", "f:10:1: expected 2 to 8 lines \"player ...\" before, found 1."},
        {"player second\n", "player\n", "f:10:1: expected a line such as \"board 10x20\" or \"round ...\""},
        {"player second\n", "player b\nplayer c\nplayer\td\n", "f:12:1: expected a line such as"},
        {"round O0:0 O0:0", "round O0:0", "f:11:11: expected \" \", found the end of the line."},
        {"round O0:0 O0:0", "round O0:0 O0:0 O0:0", "f:11:16: expected the end of the line, found a space."},
        {"round O0:0 O0:0", "round X0:0 O0:0", "f:11:7: expected a piece, one of OISZLJT, found \"X0:0\"."},
        {"round O0:0 O0:0", "round O0:3 O0:0", "f:11: The move O0:3 of player 1 is not possible"},
        {"round O0:0 O0:0", "round O0:0 I0:0",
         "f:11: Player 2 places a I (I0:0), but the piece in hand is a O"},
        {"round O0:0 O0:0", "round O0:0 -", "f:11: Player 2 is not lost yet, but does nothing."},
        {"round O0:0 O0:0", "round O0:0 none", "f:11: Player 2 does nothing, but has moves"},
        {"round O0:0 O0:0\n", "round O0:0 late\n", "f:12: Round 2 comes after the end of the match."},
        {"attack 1", "attack 2", "f:12: The attack "},
        {"attack 1", "attack 3", "f:13:8: expected the number of a player, from 1 on, found \"3\"."},
        {"attack 1", "attack 1 ####", "f:13: Player 1 attacks with #### "},
        {"attack 1", "attack 1 ###", "expected a row of '#' (filled) and '.' (empty) as wide as the board"},
        {"attack 1", "attack 1 .... .... ....", "expected no more than three rows"},
        {"round O0:2", "attack 2 ...#\nround O0:2", "f:12: Player 2 attacks without having removed two rows"},
        {"seat 1", "attack 1 ...#\nseat 1", "f:14:8: expected the attacks of a round in the order"},
        {"seat 1", "seat 2", "f:14:6: expected the lines \"seat ...\" in the order of the players"},
        {"seat 2 pieces 2", "seat 2 pieces 3", "f:15: Player 2"},
        {"lines 2", "lines 3", "f:14: Player 1 has 2 lines, but the record says 3."},
        {"sent 1", "sent 2", "f:14: Player 1 has 1 attack rows sent, but the record says 2."},
        {"columns 0,0", "columns 1,0", "f:14: The board of player 1 is another one"},
        {"hand O next O\nseat", "hand O next T\nseat",
         "f:15: The pieces of player 2 in hand and next are O and T"},
        {"state alive hand O next O\nseat", "state over hand O next O\nseat",
         "f:14: Player 1 is \"alive\", but the record says \"over\"."},
        {"state alive", "state lost", "expected alive, over, late or no-pieces, found \"lost\"."},
        {"end rounds 2 stopped", "end rounds 3 stopped",
         "f:16:12: expected the number of the lines \"round ...\""},
        {"end rounds 2 stopped", "end rounds 2 winner 1", "f:16: After 2 rounds the match is not decided"},
        {"end rounds 2 stopped", "end rounds 2 winner 3", "f:16:21: expected the number of a player"},
        {"end rounds 2 stopped", "end rounds 2 lost", "f:16:14: expected winner, draw, limit or stopped"},
        {"end rounds 2 stopped\n", "", "f:16: the line \"end ...\" is missing: the record was cut off."},
        {"end rounds 2 stopped\n", "end rounds 2 stopped\nmore\n", "f:17:1: expected nothing after the line"},
        {"seat 2", "round O0:0 O0:0\nseat 2", "f:15:1: expected \"seat ...\" for each player"},
    };
    char *good = filled_in();
    MatchRecord record;
    Match match;
    Error error = {""};
    if (!match_record_parse(&record, "f", good, strlen(good), &error) ||
        !match_record_check(&record, "f", &match, NULL, NULL, &error))
        fail_msg("%s", error.text);
    match_record_free(&record);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = replaced(good, cases[i].from, cases[i].to);
        if (match_record_parse(&record, "f", text, strlen(text), &error) &&
            match_record_check(&record, "f", &match, NULL, NULL, &error))
            fail_msg("accepted: %s instead of %s", cases[i].to, cases[i].from);
        if (!strstr(error.text, cases[i].sentence))
            fail_msg("expected \"%s\", found \"%s\"", cases[i].sentence, error.text);
        match_record_free(&record);
        free(text);
    }
    free(good);
    assert_false(match_record_parse(&record, "f", "", 0, &error));
    assert_non_null(strstr(error.text, "f: the file is empty"));
    assert_false(match_record_read(&record, "no/such/file", &error));
    assert_non_null(strstr(error.text, "no/such/file"));
    match_record_free(&record);
}

static void limits_and_ends_that_nobody_can_check_are_believed(void **state) {
    (void)state;
    char *good = filled_in(), *text = replaced(good, "2 stopped", "2 limit");
    MatchRecord record;
    Match match;
    Error error = {""};
    if (!match_record_parse(&record, "f", text, strlen(text), &error) ||
        !match_record_check(&record, "f", &match, NULL, NULL, &error))
        fail_msg("%s", error.text);
    assert_int_equal(match.end, MATCH_LIMIT);
    match_record_free(&record);
    free(text);
    free(good);
}

static void count_round(void *context, const Match *match) {
    uint64_t *next = context;
    assert_int_equal(match->rounds, *next);
    ++*next;
}

static void every_round_can_be_watched(void **state) {
    (void)state;
    size_t length;
    char *text = short_text(&length);
    MatchRecord record;
    Match match;
    Error error;
    uint64_t rounds = 0;
    assert_true(match_record_parse(&record, "text", text, length, &error));
    assert_true(match_record_check(&record, "text", &match, count_round, &rounds, &error));
    assert_int_equal(rounds, record.rounds + 1);
    match_record_free(&record);
    free(text);
}

static void the_longest_record_can_be_read(void **state) {
    (void)state;
    Rules rules;
    MatchRecord record;
    Error error;
    size_t length;
    const char *names[MATCH_MAX_SEATS];
    RecordedMove list[MATCH_MAX_SEATS];
    rules_default(&rules);
    rules.width = BOARD_MAX_WIDTH;
    for (int s = 0; s < MATCH_MAX_SEATS; s++) {
        names[s] = "name";
        list[s] = (RecordedMove){PIECE_T, placement_make(3, 12)};
    }
    match_record_start(&record, &rules, MATCH_MAX_SEATS, names, MATCH_SAME, 1, 1);
    for (uint32_t r = 0; r < MATCH_RECORD_MAX_ROUNDS; r++) {
        assert_true(match_record_add_round(&record, list, 0, &error));
        for (int s = 0; s < MATCH_MAX_SEATS; s++) {
            RecordedAttack attack = {.round = r, .seat = s, .attack = {.count = ATTACK_MAX_ROWS}};
            assert_true(match_record_add_attack(&record, &attack, &error));
        }
    }
    assert_false(match_record_add_round(&record, list, 0, &error));
    assert_non_null(strstr(error.text, "100000 rounds"));
    char *text = match_record_to_text(&record, &length, &error);
    assert_non_null(text);
    assert_true(length < TEXT_FILE_LIMIT);
    free(text);
    match_record_free(&record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back_and_replays),
        cmocka_unit_test(recorded_pieces_replay_without_their_file),
        cmocka_unit_test(the_record_of_a_run_is_that_of_the_match_asked_for),
        cmocka_unit_test(every_truncation_is_an_error_or_an_equal_match),
        cmocka_unit_test(a_changed_byte_is_found),
        cmocka_unit_test(wrong_matches_are_refused_with_their_line),
        cmocka_unit_test(limits_and_ends_that_nobody_can_check_are_believed),
        cmocka_unit_test(every_round_can_be_watched),
        cmocka_unit_test(the_longest_record_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
