// SPDX-License-Identifier: GPL-3.0-or-later
// The frequencies are judged by chi-square with a false-alarm rate of one in a million per comparison, and
// with fixed seeds: a test that passes once passes always.
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
#include "game/source.h"

// Quantiles at 1 - 1e-6 of the chi-square distribution by degrees of freedom.
static const double critical[] = {0, 23.93, 27.63, 30.66, 33.38, 35.89, 38.26};
static const double critical_48 = 109.66;

static PieceSource parse(const char *text) {
    PieceSource source;
    Error error;
    if (!piece_source_parse(&source, text, true, &error))
        fail_msg("%s", error.text);
    return source;
}

static void assert_frequencies(const uint64_t *count, const double *weight, const char *what) {
    double n = 0, chi_square = 0;
    int possible = 0;
    for (int p = 0; p < PIECES; p++)
        n += (double)count[p];
    for (int p = 0; p < PIECES; p++) {
        if (weight[p] == 0) {
            assert_int_equal(count[p], 0);
            continue;
        }
        double difference = (double)count[p] - n * weight[p];
        chi_square += difference * difference / (n * weight[p]);
        possible++;
    }
    if (chi_square > critical[possible - 1])
        fail_msg("%s: chi-square %.1f with %d degrees of freedom", what, chi_square, possible - 1);
}

static void pieces_come_with_their_weights(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double weight[PIECES];
    } cases[] = {
        {"uniform", {1 / 7.0, 1 / 7.0, 1 / 7.0, 1 / 7.0, 1 / 7.0, 1 / 7.0, 1 / 7.0}},
        {"hard", {1 / 11.0, 1 / 11.0, 3 / 11.0, 3 / 11.0, 1 / 11.0, 1 / 11.0, 1 / 11.0}},
        {"sz", {0, 0, 0.5, 0.5, 0, 0, 0}},
        {"S:3,z:3,O:2", {0.25, 0, 0.375, 0.375, 0, 0, 0}},
        {"T:1e308,J:1e308,I:1e308,O:0", {0, 1 / 3.0, 0, 0, 0, 1 / 3.0, 1 / 3.0}},
        {"L:5e-324", {0, 0, 0, 0, 1, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PieceSource source = parse(cases[i].text);
        PieceStream stream = piece_stream(&source, 1, 0);
        uint64_t count[PIECES] = {0};
        for (int n = 0; n < 1000000; n++)
            count[piece_stream_next(&stream)]++;
        for (int p = 0; p < PIECES; p++)
            assert_true(source.weight[p] > cases[i].weight[p] - 1e-12 &&
                        source.weight[p] < cases[i].weight[p] + 1e-12);
        assert_frequencies(count, cases[i].weight, cases[i].text);
        assert_int_equal(stream.drawn, 1000000);
        piece_source_free(&source);
    }
}

static void uniform_is_exactly_a_seventh_of_the_draw(void **state) {
    (void)state;
    PieceSource source;
    piece_source_uniform(&source);
    for (uint64_t p = 0; p < PIECES; p++)
        assert_int_equal(source.below[p], (((p + 1) << 32) + 6) / 7);
    PieceStream stream = piece_stream(&source, 5, 6);
    Random random = random_stream(5, 6, RANDOM_PIECES);
    for (int n = 0; n < 100000; n++)
        assert_int_equal(piece_stream_next(&stream), random_below(&random, 7));
}

// Even the largest draw gives a piece that can come.
static void pieces_without_weight_never_come(void **state) {
    (void)state;
    PieceSource source = parse("sz");
    assert_int_equal(source.below[PIECE_I], 0);
    assert_int_equal(source.below[PIECE_S], (uint64_t)1 << 31);
    assert_int_equal(source.below[PIECE_Z], (uint64_t)1 << 32);
    piece_source_free(&source);
}

static void neighbouring_pieces_and_games_are_independent(void **state) {
    (void)state;
    PieceSource source;
    piece_source_uniform(&source);
    for (int across = 0; across < 2; across++) {
        uint64_t count[PIECES][PIECES] = {{0}};
        double chi_square = 0;
        const int pairs = 490000;
        PieceStream stream = piece_stream(&source, 3, 0);
        for (int n = 0; n < pairs; n++) {
            PieceStream a = piece_stream(&source, 3, (uint64_t)n),
                        b = piece_stream(&source, 3, (uint64_t)n + 1);
            int first = piece_stream_next(across ? &a : &stream);
            count[first][piece_stream_next(across ? &b : &stream)]++;
        }
        for (int i = 0; i < PIECES * PIECES; i++) {
            double difference = (double)count[i / PIECES][i % PIECES] - pairs / 49.0;
            chi_square += difference * difference / (pairs / 49.0);
        }
        if (chi_square > critical_48)
            fail_msg("pairs %s: chi-square %.1f", across ? "across games" : "in a game", chi_square);
    }
}

static void a_bag_holds_every_piece_once_in_any_order(void **state) {
    (void)state;
    PieceSource source = parse("bag");
    uint64_t place[PIECES][PIECES] = {{0}};
    PieceStream stream = piece_stream(&source, 4, 0);
    for (int bag = 0; bag < 70000; bag++) {
        unsigned seen = 0;
        for (int i = 0; i < PIECES; i++) {
            int piece = piece_stream_next(&stream);
            seen |= 1u << piece;
            place[i][piece]++;
        }
        assert_int_equal(seen, 127);
    }
    for (int i = 0; i < PIECES; i++)
        assert_frequencies(place[i], source.weight, "place in the bag");
    piece_source_free(&source);
}

static void the_same_seed_and_game_give_the_same_pieces(void **state) {
    (void)state;
    static const char *const texts[] = {"uniform", "hard", "bag"};
    for (int i = 0; i < 3; i++) {
        PieceSource source = parse(texts[i]);
        PieceStream a = piece_stream(&source, 9, 1), b = piece_stream(&source, 9, 1),
                    c = piece_stream(&source, 9, 2);
        int different = 0;
        for (int n = 0; n < 1000; n++) {
            int piece = piece_stream_next(&a);
            assert_int_equal(piece, piece_stream_next(&b));
            different += piece != piece_stream_next(&c);
        }
        assert_true(different > 100);
        piece_source_free(&source);
    }
}

static void write_text(const char *path, const char *text, size_t length) {
    Error error;
    if (!text_write_file(path, text, length, &error))
        fail_msg("%s", error.text);
}

static void a_recorded_file_is_read_and_ends(void **state) {
    (void)state;
    char path[64];
    const char *text = "# a game\r\nOIS z\r\n\tLJ#";
    snprintf(path, sizeof path, "test_source.%d.txt", (int)getpid());
    write_text(path, text, strlen(text) - 1);
    PieceSource source = parse(path);
    PieceStream stream = piece_stream(&source, 1, 0);
    assert_int_equal(source.law, PIECES_RECORDED);
    for (int p = PIECE_O; p <= PIECE_J; p++)
        assert_int_equal(piece_stream_next(&stream), p);
    assert_int_equal(piece_stream_next(&stream), -1);
    assert_int_equal(piece_stream_next(&stream), -1);
    assert_true(source.weight[PIECE_T] == 0 && source.weight[PIECE_S] > 0.16 &&
                source.weight[PIECE_S] < 0.17);
    piece_source_free(&source);
    remove(path);
}

static void wrong_files_are_refused_with_line_and_column(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        const char *sentence;
    } cases[] = {
        {"OIS\nZX", 6, ":2:2: expected a piece, one of OISZLJT, found 'X'."},
        {"OIS#", 4, ":1:4: expected a piece, one of OISZLJT, found '#'."},
        {"O\n\0I", 4, ":2:1: expected a piece, one of OISZLJT, found byte 0x00."},
        {"", 0, ": there is no piece in the recorded sequence"},
        {"# nothing\n \n", 12, ": there is no piece in the recorded sequence"},
    };
    char path[64];
    snprintf(path, sizeof path, "test_source.%d.txt", (int)getpid());
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PieceSource source;
        Error error;
        write_text(path, cases[i].text, cases[i].length);
        assert_false(piece_source_parse(&source, path, true, &error));
        assert_non_null(strstr(error.text, cases[i].sentence));
        assert_ptr_equal(strstr(error.text, path), error.text);
        piece_source_free(&source);
    }
    remove(path);
}

static void wrong_texts_are_refused_with_the_remedy(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"X:1", "letter of OISZLJT"},
        {"S:1,Q:1", "character 5"},
        {"S:1,,Z:1", "character 5"},
        {"S:1,", "character 5"},
        {"S:", "no number for S"},
        {"S:abc", "no number for S"},
        {"S: 1", "no number for S"},
        {"S:1Z:1", "no number for S"},
        {"S:-1", "is -1"},
        {"S:nan", "is nan"},
        {"S:inf,Z:1", "is inf"},
        {"S:1e999", "is inf"},
        {"S:0,Z:0", "all 0"},
        {"S:1,Z:1,s:2", "give S twice"},
        {"unifrom", "neither uniform"},
        {"no/such/file", "nor weights"},
        {"no/such/file", "a file that can be read"},
        {"", "neither uniform"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PieceSource source;
        Error error = {""};
        assert_false(piece_source_parse(&source, cases[i].text, true, &error));
        if (!strstr(error.text, cases[i].words))
            fail_msg("\"%s\" should be answered with \"%s\": %s", cases[i].text, cases[i].words, error.text);
        piece_source_free(&source);
    }
    char text[400] = "S:1.";
    PieceSource source;
    Error error;
    memset(text + 4, '0', sizeof text - 5);
    text[sizeof text - 1] = 0;
    assert_false(piece_source_parse(&source, text, true, &error));
    assert_non_null(strstr(error.text, "longer than 255"));
}

static void a_law_never_opens_a_file(void **state) {
    (void)state;
    PieceSource source;
    Error error;
    char path[64];
    snprintf(path, sizeof path, "test_source.%d.txt", (int)getpid());
    write_text(path, "OIS", 3);
    assert_false(piece_source_parse(&source, path, false, &error));
    assert_non_null(strstr(error.text, "neither uniform"));
    assert_true(piece_source_parse(&source, "S:1,Z:2", false, &error));
    piece_source_free(&source);
    remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_come_with_their_weights),
        cmocka_unit_test(uniform_is_exactly_a_seventh_of_the_draw),
        cmocka_unit_test(pieces_without_weight_never_come),
        cmocka_unit_test(neighbouring_pieces_and_games_are_independent),
        cmocka_unit_test(a_bag_holds_every_piece_once_in_any_order),
        cmocka_unit_test(the_same_seed_and_game_give_the_same_pieces),
        cmocka_unit_test(a_recorded_file_is_read_and_ends),
        cmocka_unit_test(wrong_files_are_refused_with_line_and_column),
        cmocka_unit_test(wrong_texts_are_refused_with_the_remedy),
        cmocka_unit_test(a_law_never_opens_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
