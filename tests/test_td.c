// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns: they are what their definition says; a board is worth as much as its mirror image; files come
// back as they were written, and damaged ones are refused; looking ahead is what its definition says;
// temporal differences find the values of a game that is solved, and learn to play.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/text.h"
#include "patterns/patterns_file.h"
#include "patterns/patterns_search.h"
#include "patterns/td.h"
#include "random_boards.h"

enum { BOARDS = 60 };

static void random_numbers(Patterns *patterns, int width, int height, Random *random) {
    assert_true(patterns_make(patterns, width, height, 0));
    for (size_t i = 0; i < patterns->size; i++)
        patterns->number[i] = (int32_t)random_below(random, 1 << 22) - (1 << 21);
}

static int64_t value_of(const Patterns *patterns, const Board *board) {
    uint32_t place[PATTERNS_SHOWN];
    int64_t value = 0;
    assert_int_equal(patterns_find(patterns, board, place), patterns->shown);
    for (int i = 0; i < patterns->shown; i++) {
        assert_true(place[i] < patterns->size);
        value += patterns->number[place[i]];
    }
    return value;
}

static void set_rules(Rules *rules, int width, int height, const char *overflow, const char *pieces) {
    Error error = {""};
    char board[16];
    snprintf(board, sizeof board, "%dx%d", width, height);
    rules_default(rules);
    if (!rules_set(rules, "board", board, &error) || !rules_set(rules, "overflow", overflow, &error) ||
        !rules_set(rules, "pieces", pieces, &error))
        fail_msg("%s", error.text);
}

// ---------------------------------------------------------------------------------------------------

static void a_board_and_its_mirror_image_are_worth_the_same(void **state) {
    (void)state;
    Random random = random_stream(4, 0, RANDOM_TEST);
    for (int width = BOARD_MIN_WIDTH; width <= BOARD_MAX_WIDTH; width += 3) {
        Patterns patterns;
        random_numbers(&patterns, width, 8, &random);
        int different = 0;
        int64_t last = 0;
        for (int k = 0; k < BOARDS; k++) {
            Board board, mirrored = {0};
            random_board(&board, &random, width, random_between(&random, 0, 8));
            for (int x = 0; x < width; x++)
                mirrored.column[x] = board.column[width - 1 - x];
            int64_t value = value_of(&patterns, &board);
            assert_int_equal(value, value_of(&patterns, &mirrored));
            different += value != last;
            last = value;
        }
        assert_true(different > BOARDS / 2);
        patterns_free(&patterns);
    }
}

// ---------------------------------------------------------------------------------------------------
// The patterns of a board once more, as texts, straight from the words of patterns.h: what it is, where it is
// (if that counts) and what it looks like, or its mirror image if that comes first in the alphabet.

enum { TEXT = 64 }; // longer than any of them
typedef struct Texts {
    char text[PATTERNS_SHOWN][TEXT];
    int count;
} Texts;

static void add_text(Texts *texts, const char *one, const char *mirrored) {
    snprintf(texts->text[texts->count++], TEXT, "%s", strcmp(one, mirrored) <= 0 ? one : mirrored);
}

static bool filled(const Board *board, int x, int y) {
    return y < 0 || board->column[x] >> y & 1; // the floor is filled
}

static int height_of(const Board *board, int x, int height) {
    while (height > 0 && !filled(board, x, height - 1))
        height--;
    return height;
}

// -> rows  of cells, from row y down, of `columns` columns from x on; mirrored: from the right
static char *put_cells(char *text, const Board *board, int x, int columns, int y, int rows, bool mirrored) {
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < columns; i++)
            *text++ = filled(board, mirrored ? x + columns - 1 - i : x + i, y - r) ? '#' : '.';
    *text = 0;
    return text;
}

static void add_cells(Texts *texts, const char *kind, const Board *board, int x, int columns, int y, int rows,
                      const char *other) {
    char one[TEXT] = "", mirrored[TEXT] = "";
    put_cells(one + snprintf(one, TEXT / 2, "%s ", kind), board, x, columns, y, rows, false);
    put_cells(mirrored + snprintf(mirrored, TEXT / 2, "%s ", other), board, x, columns, y, rows, true);
    add_text(texts, one, mirrored);
}

static int limited(int value, int limit) {
    return value < -limit ? -limit : value > limit ? limit : value;
}

// -> limit  of the steps between neighbouring columns; 0: the heights themselves
static void add_outline(Texts *texts, const int *height, int width, int columns, int limit) {
    for (int x = 0; x + columns <= width; x++) {
        char one[TEXT], mirrored[TEXT];
        int a = sprintf(one, "outline %d,%d at %02d:", columns, limit, x);
        int b = sprintf(mirrored, "outline %d,%d at %02d:", columns, limit, width - columns - x);
        for (int i = 0; i + (limit > 0) < columns; i++) {
            const int *left = &height[x + i], *right = &height[x + columns - 1 - i];
            a += sprintf(one + a, " %d", limit ? limited(left[1] - left[0], limit) : left[0]);
            b += sprintf(mirrored + b, " %d", limit ? limited(right[-1] - right[0], limit) : right[0]);
        }
        add_text(texts, one, mirrored);
    }
}

static void add_tops(Texts *texts, const Board *board, const int *height, int width, int columns, int rows) {
    for (int x = 0; x + columns <= width; x++) {
        char kind[TEXT], other[TEXT];
        int top = 0;
        for (int i = 0; i < columns; i++)
            top = height[x + i] > top ? height[x + i] : top;
        sprintf(kind, "top of %d at %02d", columns, x);
        sprintf(other, "top of %d at %02d", columns, width - columns - x);
        add_cells(texts, kind, board, x, columns, top - 1, rows, other);
    }
}

static void plain_texts(Texts *texts, const Board *whole, int width, int height) {
    Board board = *whole;
    int of[BOARD_MAX_WIDTH], highest = 0, lowest = height, holes = 0;
    char text[TEXT];
    texts->count = 0;
    for (int x = 0; x < width; x++) {
        board.column[x] &= (1u << height) - 1; // cells above the top do not count
        of[x] = height_of(&board, x, height);
        highest = of[x] > highest ? of[x] : highest;
        lowest = of[x] < lowest ? of[x] : lowest;
        for (int y = 0; y < of[x]; y++)
            holes += !filled(&board, x, y);
    }
    for (int y = 0; y < height; y++) {
        sprintf(text, "row %02d", y);
        add_cells(texts, text, &board, 0, width, y, 1, text);
    }
    for (int y = 1; y < height && width <= 11; y++)
        add_cells(texts, "pair", &board, 0, width, y, 2, "pair");
    add_outline(texts, of, width, 4, 6);
    add_outline(texts, of, width, 5, 4);
    add_outline(texts, of, width, 3, 0);
    add_tops(texts, &board, of, width, 3, 6);
    add_tops(texts, &board, of, width, 4, 5);
    add_tops(texts, &board, of, width, 5, 4);
    sprintf(text, "pile %d %d %d", highest, lowest, holes < 40 ? holes : 40);
    add_text(texts, text, text);
}

static int by_text(const void *a, const void *b) {
    return strcmp(a, b);
}

static int by_place(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// <- how many two sorted lists have in common
static int common(const void *a, const void *b, int count, size_t size,
                  int (*compare)(const void *, const void *)) {
    int i = 0, j = 0, both = 0;
    while (i < count && j < count) {
        int order = compare((const char *)a + (size_t)i * size, (const char *)b + (size_t)j * size);
        both += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    return both;
}

// A random board; or one of those before with another cell, or its mirror image.
static void related_board(Board *board, const Board *before, int k, Random *random, int width, int height) {
    if (k % 4 == 0) {
        random_board(board, random, width, random_between(random, 0, height));
        return;
    }
    const Board *parent = &before[random_below(random, (uint32_t)k)];
    memset(board, 0, sizeof *board);
    for (int x = 0; x < width; x++)
        board->column[x] = parent->column[k % 4 == 1 ? width - 1 - x : x];
    board->column[random_below(random, (uint32_t)width)] ^= 1u << random_below(random, (uint32_t)height + 2);
}

// Two boards share as many numbers as they share patterns: no pattern has two numbers, no number two
// patterns.
static void the_numbers_are_those_of_the_patterns_in_words(void **state) {
    (void)state;
    static const int sizes[][2] = {{4, 4}, {5, 20}, {7, 6}, {10, 20}, {11, 9}, {12, 10}, {14, 27}};
    enum { MANY = 48 };
    Random random = random_stream(9, 0, RANDOM_TEST);
    Texts *texts = malloc(MANY * sizeof *texts);
    assert_non_null(texts);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int width = sizes[s][0], height = sizes[s][1], shared = 0;
        Board board[MANY];
        uint32_t place[MANY][PATTERNS_SHOWN];
        Patterns patterns;
        assert_true(patterns_make(&patterns, width, height, 0));
        for (int k = 0; k < MANY; k++) {
            related_board(&board[k], board, k, &random, width, height);
            plain_texts(&texts[k], &board[k], width, height);
            assert_int_equal(texts[k].count, patterns.shown);
            assert_int_equal(patterns_find(&patterns, &board[k], place[k]), patterns.shown);
            qsort(texts[k].text, (size_t)patterns.shown, TEXT, by_text);
            qsort(place[k], (size_t)patterns.shown, sizeof **place, by_place);
            assert_true(place[k][patterns.shown - 1] < patterns.size);
            for (int other = 0; other <= k; other++) {
                int both = common(place[k], place[other], patterns.shown, sizeof **place, by_place);
                assert_int_equal(both,
                                 common(texts[k].text, texts[other].text, patterns.shown, TEXT, by_text));
                shared += both > 0 && both < patterns.shown;
            }
        }
        assert_true(shared > MANY);
        patterns_free(&patterns);
    }
    free(texts);
}

// ---------------------------------------------------------------------------------------------------

typedef struct PlainMove {
    Placement placement;
    int64_t now, later; // by the board after it; by what can follow
} PlainMove;

static int by_value_now(const void *a, const void *b) {
    const PlainMove *one = a, *two = b;
    return one->now != two->now ? (one->now < two->now) - (one->now > two->now)
                                : (one->placement > two->placement) - (one->placement < two->placement);
}

static int64_t plain_value(const PatternsSearch *search, const Board *board, int piece, int depth);

// Straight from the definition in patterns_search.h. <- the moves that are followed
static int plain_moves(const PatternsSearch *search, const Board *board, int piece, int depth,
                       PlainMove found[PLACEMENTS]) {
    Moves moves;
    int count = 0;
    moves_list(&moves, search->rules, board, piece);
    for (uint64_t left = moves.safe; left; left &= left - 1) {
        const Move *move = &moves.move[__builtin_ctzll(left)];
        int64_t lines = (int64_t)move->lines * PATTERNS_LINE;
        Board after = *board;
        move_play(&after, search->rules->width, piece, move);
        PlainMove one = {move->placement, lines + value_of(search->patterns, &after), 0};
        one.later = depth == 1 ? one.now
                               : lines + ((plain_value(search, &after, PIECE_S, depth - 1) +
                                           plain_value(search, &after, PIECE_Z, depth - 1)) >>
                                          1);
        found[count++] = one;
    }
    if (depth == 1 || !search->candidates || count <= search->candidates)
        return count;
    qsort(found, (size_t)count, sizeof *found, by_value_now);
    return search->candidates;
}

static int64_t plain_value(const PatternsSearch *search, const Board *board, int piece, int depth) {
    PlainMove move[PLACEMENTS];
    int count = plain_moves(search, board, piece, depth, move);
    int64_t best = count ? move[0].later : 0;
    for (int i = 1; i < count; i++)
        best = move[i].later > best ? move[i].later : best;
    return best;
}

static void looking_ahead_takes_the_move_with_the_best_mean(void **state) {
    (void)state;
    Random random = random_stream(5, 0, RANDOM_TEST);
    Patterns patterns;
    Rules rules;
    random_numbers(&patterns, 5, 7, &random);
    set_rules(&rules, 5, 7, "strict", "sz");
    PatternsSearch search = {.patterns = &patterns, .rules = &rules};
    chances_make(&search.chances, &rules.pieces);
    int lost = 0, cut = 0;
    for (int k = 0; k < 2 * BOARDS; k++) {
        Board board;
        random_board(&board, &random, 5, random_between(&random, 0, 7));
        search.depth = 1 + k % 3;
        search.candidates = k / 3 % 4;
        MoveValues values = {0};
        PlainMove plain[PLACEMENTS];
        int piece = k % 2 ? PIECE_S : PIECE_Z;
        uint64_t set = patterns_best(&search, &board, piece, &values), followed = 0;
        lost += !set;
        assert_int_equal(set & ~values.valued, 0);
        int count = plain_moves(&search, &board, piece, search.depth, plain);
        int64_t expected = plain_value(&search, &board, piece, search.depth);
        for (int i = 0; i < count; i++) {
            double value = values.value[plain[i].placement] * PATTERNS_LINE;
            followed |= (uint64_t)1 << plain[i].placement;
            assert_true(value == (double)plain[i].later);
            assert_int_equal(set >> plain[i].placement & 1, plain[i].later == expected);
        }
        assert_int_equal(values.valued, followed);
        search.candidates = 0;
        cut += expected != plain_value(&search, &board, piece, search.depth);
        if (search.depth == 1) { // the learner's own way to the same value
            Move move;
            bool any;
            assert_int_equal(patterns_greedy(&search, &board, piece, &move, &any), expected);
            assert_int_equal(any, set != 0);
        }
    }
    assert_true(lost > 0 && lost < BOARDS);
    assert_true(cut > 0); // following fewer moves changes values
    rules_free(&rules);
    patterns_free(&patterns);
}

// The last piece is not followed, so all of its placements count: also those that are as good as the best.
static void candidates_leave_the_last_piece_alone(void **state) {
    (void)state;
    Patterns patterns;
    Rules rules;
    set_rules(&rules, 6, 8, "strict", "sz");
    assert_true(patterns_make(&patterns, 6, 8, 0)); // every board is worth nothing
    PatternsSearch search = {.patterns = &patterns, .rules = &rules, .depth = 1, .candidates = 2};
    chances_make(&search.chances, &rules.pieces);
    Board empty = {0};
    assert_int_equal(__builtin_popcountll(patterns_best(&search, &empty, PIECE_S, NULL)), 4 + 5);
    search.depth = 2;
    assert_int_equal(__builtin_popcountll(patterns_best(&search, &empty, PIECE_S, NULL)), 2);
    rules_free(&rules);
    patterns_free(&patterns);
}

// ---------------------------------------------------------------------------------------------------

static char folder[] = "/tmp/tetralab-td-XXXXXX";
static char *path_of(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path_of("numbers.patterns"));
    return rmdir(folder);
}

static void write_some(Patterns *patterns) {
    Random random = random_stream(6, 0, RANDOM_TEST);
    Error error = {""};
    const int32_t step = PATTERNS_LINE / 1024;
    assert_true(patterns_make(patterns, 5, 6, 7 * step));
    for (int k = 0; k < 1000; k++)
        patterns->number[random_below(&random, (uint32_t)patterns->size)] =
            ((int32_t)random_below(&random, 1 << 20) - (1 << 19)) * step;
    patterns->number[0] = PATTERNS_LARGEST;
    patterns->number[patterns->size - 1] = -PATTERNS_LARGEST;
    if (!patterns_write(patterns, 7 * step, path_of("numbers.patterns"), &error))
        fail_msg("%s", error.text);
}

static void numbers_come_back_from_a_file_as_they_were(void **state) {
    (void)state;
    Patterns patterns, back;
    int32_t first;
    Error error = {""};
    write_some(&patterns);
    if (!patterns_read(&back, &first, path_of("numbers.patterns"), &error))
        fail_msg("%s", error.text);
    assert_int_equal(first, 7 * (PATTERNS_LINE / 1024));
    assert_int_equal(back.width, 5);
    assert_int_equal(back.height, 6);
    assert_int_equal(back.size, patterns.size);
    assert_memory_equal(back.number, patterns.number, patterns.size * sizeof *patterns.number);
    patterns_free(&back);
    patterns_free(&patterns);
}

static void a_file_that_is_cut_off_or_damaged_is_refused(void **state) {
    (void)state;
    Patterns patterns, back;
    int32_t first;
    Error error = {""};
    size_t length;
    write_some(&patterns);
    patterns_free(&patterns);
    char *bytes = text_read_file(path_of("numbers.patterns"), &length, &error);
    assert_non_null(bytes);
    for (size_t cut = 0; cut < length; cut += cut < 64 ? 1 : 97)
        assert_false(patterns_parse(&back, &first, "it", bytes, cut, &error));
    for (size_t at = 0; at < length; at += at < 64 ? 1 : 101) {
        bytes[at] ^= 4;
        assert_false(patterns_parse(&back, &first, "it", bytes, length, &error));
        bytes[at] ^= 4;
    }
    assert_true(patterns_parse(&back, &first, "it", bytes, length, &error));
    patterns_free(&back);
    free(bytes);
}

// A file with a right check sum. -> numbers  the whole numbers behind the name of the format, up to END
static const uint64_t END = UINT64_MAX;
static size_t write_file(unsigned char bytes[256], const uint64_t *numbers) {
    size_t length = 16;
    memcpy(bytes, "tetralab pattern", length);
    for (; *numbers != END; numbers++) {
        uint64_t value = *numbers;
        for (; value >= 128; value >>= 7)
            bytes[length++] = (unsigned char)(128 | (value & 127));
        bytes[length++] = (unsigned char)value;
    }
    uint64_t sum = hash_bytes(HASH_EMPTY, bytes, length);
    for (int i = 0; i < 8; i++)
        bytes[length++] = (unsigned char)(sum >> 8 * i);
    return length;
}

// Signed numbers are twice as large, less 1 below 0; the largest is 1024 * 1024.
static void contents_that_cannot_be_are_refused_though_the_sum_is_right(void **state) {
    (void)state;
    static const uint64_t version = 1, largest = 1 << 20;
    Patterns patterns;
    assert_true(patterns_make(&patterns, 4, 4, 0));
    const uint64_t size = patterns.size;
    patterns_free(&patterns);
    const struct {
        uint64_t number[10];
        const char *why; // NULL: it is right
    } files[] = {
        {{version, 4, 4, 6, 0, 4, 0, 3, END}, NULL},
        {{version, 4, 4, 2 * largest, END}, NULL},
        {{version, 4, 4, 0, size - 1, 2, END}, NULL},
        {{END}, "has version 0 of the format; this program reads version 1."},
        {{2, 4, 4, 0, END}, "has version 2 of the format"},
        {{version, END}, "its head holds impossible numbers"},
        {{version, 4, 4, END}, "its head"},
        {{version, 3, 4, 0, END}, "its head"},
        {{version, 15, 4, 0, END}, "its head"},
        {{version, 4, 3, 0, END}, "its head"},
        {{version, 4, 28, 0, END}, "its head"},
        {{version, 4, 4, 2 * largest + 2, END}, "its head"},
        {{version, 4, 4, (uint64_t)1 << 56, END}, "its head"}, // nine bytes
        {{version, 4, 4, 0, size, 2, END}, "it holds impossible numbers"},
        {{version, 4, 4, 0, size - 1, 2, 0, 2, END}, "it holds"},
        {{version, 4, 4, 0, 5, END}, "it holds"},
        {{version, 4, 4, 2 * largest, 0, 2, END}, "it holds"},
        {{version, 4, 4, 2 * largest - 1, 0, 3, END}, "it holds"},
        {{version, 4, 4, 0, (uint64_t)1 << 56, 2, END}, "it holds"},
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        unsigned char bytes[256];
        size_t length = write_file(bytes, files[k].number);
        Error error = {""};
        int32_t first;
        bool good = patterns_parse(&patterns, &first, "it", bytes, length, &error);
        if (good != !files[k].why || (!good && !strstr(error.text, files[k].why)))
            fail_msg("file %zu: %s", k, error.text);
        if (good && k == 0) {
            const int32_t step = PATTERNS_LINE / 1024;
            assert_int_equal(first, 3 * step);
            assert_int_equal(patterns.number[0], 5 * step);
            assert_int_equal(patterns.number[1], 1 * step);
            assert_int_equal(patterns.number[2], 3 * step);
        }
        if (good)
            patterns_free(&patterns);
    }
}

// ---------------------------------------------------------------------------------------------------

static void learn(Td *td, const Rules *rules, uint64_t moves) {
    Error error = {""};
    *td = (Td){
        .rules = rules, .settings = {.moves = moves, .rate = 1, .lambda = 0.6, .optimism = 5}, .seed = 2};
    if (!td_check(td, &error) || !td_run(td, &error))
        fail_msg("%s", error.text);
}

// One piece, O, on 5x4: the column that no O can fill stays empty, and the game ends after four pieces at
// most, without a line.
static void a_game_without_lines_comes_to_be_worth_nothing(void **state) {
    (void)state;
    Rules rules;
    Td td;
    set_rules(&rules, 5, 4, "strict", "O:1");
    learn(&td, &rules, 20000);
    Board empty = {0};
    PatternsSearch search = {.patterns = &td.patterns, .rules = &rules};
    Move move;
    bool any;
    int64_t value = patterns_greedy(&search, &empty, PIECE_O, &move, &any);
    assert_true(any && llabs(value) < PATTERNS_LINE / 20); // 5 before anything was learned
    assert_true(td.lines == 0 && td.moves == 20000 && td.games >= 5000);
    td_free(&td);
    rules_free(&rules);
}

static volatile bool stop_now;

static void stop_at_the_first_report(void *context, const Advance *advance) {
    (void)context, (void)advance;
    stop_now = true;
}

// The same moves at the beginning of many more, where the rate is still what it was at first.
static void the_rate_falls_until_the_last_move(void **state) {
    (void)state;
    Rules rules;
    Td whole, begun;
    Error error = {""};
    set_rules(&rules, 5, 4, "strict", "O:1"); // all games are the same
    stop_now = false;
    begun = (Td){.rules = &rules,
                 .settings = {.moves = (uint64_t)1 << 40, .rate = 0.1, .lambda = 0.6, .optimism = 5},
                 .seed = 2,
                 .work.stop = &stop_now,
                 .work.progress = stop_at_the_first_report};
    assert_true(td_check(&begun, &error) && td_run(&begun, &error));
    whole = (Td){.rules = &rules,
                 .settings = {.moves = begun.moves, .rate = 0.1, .lambda = 0.6, .optimism = 5},
                 .seed = 2};
    assert_true(td_check(&whole, &error) && td_run(&whole, &error));
    assert_int_equal(whole.moves, begun.moves);
    assert_memory_not_equal(whole.patterns.number, begun.patterns.number,
                            whole.patterns.size * sizeof *whole.patterns.number);
    td_free(&whole);
    td_free(&begun);
    rules_free(&rules);
}

static void what_is_learned_depends_on_the_seed_alone_and_plays_better(void **state) {
    (void)state;
    Rules rules;
    Td td, again;
    set_rules(&rules, 6, 10, "strict", "sz");
    learn(&again, &rules, 1000);
    double before = (double)again.moves / (double)again.games; // pieces of a game, about
    td_free(&again);
    learn(&td, &rules, 40000);
    learn(&again, &rules, 40000);
    assert_int_equal(td.games, again.games);
    assert_memory_equal(td.patterns.number, again.patterns.number,
                        td.patterns.size * sizeof *td.patterns.number);
    assert_true((td.lines * 6 / 4) > 1.5 * before); // lines -> pieces; the cells that are left come on top
    td_free(&td);
    td_free(&again);
    rules_free(&rules);
}

static void pieces_that_patterns_cannot_value_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"bag", "S:2,Z:1", "S:1,Z:1,L:1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Rules rules;
        Error error = {""};
        set_rules(&rules, 10, 20, "lenient", bad[i]);
        assert_false(td_check(&(Td){.rules = &rules}, &error));
        assert_non_null(strstr(error.text, i ? "mirror image" : "independent"));
        rules_free(&rules);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_board_and_its_mirror_image_are_worth_the_same),
        cmocka_unit_test(the_numbers_are_those_of_the_patterns_in_words),
        cmocka_unit_test(looking_ahead_takes_the_move_with_the_best_mean),
        cmocka_unit_test(candidates_leave_the_last_piece_alone),
        cmocka_unit_test(numbers_come_back_from_a_file_as_they_were),
        cmocka_unit_test(a_file_that_is_cut_off_or_damaged_is_refused),
        cmocka_unit_test(contents_that_cannot_be_are_refused_though_the_sum_is_right),
        cmocka_unit_test(a_game_without_lines_comes_to_be_worth_nothing),
        cmocka_unit_test(the_rate_falls_until_the_last_move),
        cmocka_unit_test(what_is_learned_depends_on_the_seed_alone_and_plays_better),
        cmocka_unit_test(pieces_that_patterns_cannot_value_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
