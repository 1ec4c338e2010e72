// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/options.h"

typedef struct Values {
    uint64_t games, seed;
    double rate;
    const char *file;
    bool quiet;
} Values;

enum { SIZE = 5, MAX_WORDS = 12 };

static void make_table(Option table[SIZE], Values *values) {
    *values = (Values){.games = 7, .seed = 7, .rate = 7};
    const Option lines[SIZE] = {
        {"games", "N", option_count, &values->games, "Games (default 7).", 1, 1e6},
        {"seed", "S", option_count, &values->seed, "Seed (default 7).", 0, 0},
        {"rate", "R", option_number, &values->rate, "Rate (default 7).", -2, 2},
        {"file", "FILE", option_text, &values->file, "File.", 0, 0},
        {"quiet", NULL, option_flag, &values->quiet, "Says nothing.", 0, 0},
    };
    memcpy(table, lines, sizeof lines);
}

typedef struct Outcome {
    Values values;
    const char *operands[MAX_WORDS];
    int count;
    bool good, help;
    Error error;
    char words[256];
} Outcome;

// Parses a line of words separated by blanks; "''" is the empty word.
static void parse(Outcome *outcome, const char *line) {
    Option table[SIZE];
    make_table(table, &outcome->values);
    char *argv[MAX_WORDS] = {"command"};
    int argc = 1;
    snprintf(outcome->words, sizeof outcome->words, "%s", line);
    for (char *word = strtok(outcome->words, " "); word; word = strtok(NULL, " "))
        argv[argc++] = strcmp(word, "''") ? word : "";
    outcome->error.text[0] = 0;
    outcome->good = options_parse(table, SIZE, argc, argv, outcome->operands, &outcome->count, &outcome->help,
                                  &outcome->error);
}

static void options_may_stand_anywhere_and_take_both_spellings(void **state) {
    (void)state;
    Outcome o;
    parse(&o, "one --games 5 two --rate=-0.5 --quiet - --file=a=b");
    assert_true(o.good);
    assert_false(o.help);
    assert_int_equal(o.count, 3);
    assert_string_equal(o.operands[0], "one");
    assert_string_equal(o.operands[1], "two");
    assert_string_equal(o.operands[2], "-");
    assert_int_equal(o.values.games, 5);
    assert_true(o.values.rate == -0.5);
    assert_true(o.values.quiet);
    assert_string_equal(o.values.file, "a=b");
}

static void what_is_not_given_keeps_its_default(void **state) {
    (void)state;
    Outcome o;
    parse(&o, "one");
    assert_true(o.good);
    assert_int_equal(o.values.games, 7);
    assert_false(o.values.quiet);
    assert_null(o.values.file);
}

static void two_dashes_end_the_options(void **state) {
    (void)state;
    Outcome o;
    parse(&o, "--quiet -- --games --help -x");
    assert_true(o.good);
    assert_false(o.help);
    assert_int_equal(o.count, 3);
    assert_string_equal(o.operands[0], "--games");
    assert_int_equal(o.values.games, 7);
}

static void help_wins_over_errors_wherever_it_stands(void **state) {
    (void)state;
    static const char *const lines[] = {"--help", "-h", "--nonsense --help", "--games x one -h"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        Outcome o;
        parse(&o, lines[i]);
        assert_true(o.good);
        assert_true(o.help);
    }
}

static void each_mistake_has_its_sentence(void **state) {
    (void)state;
#define COUNT "expected a whole number (10k and 5M are understood)"
    static const struct {
        const char *line, *sentence;
    } rows[] = {
        {"--gmaes 5", "unknown option --gmaes; did you mean --games?"},
        {"--hlep", "unknown option --hlep; did you mean --help?"},
        {"--fil=x", "unknown option --fil; did you mean --file?"},
        {"-quiet", "unknown option -quiet; did you mean --quiet?"},
        {"-games 5", "unknown option -games; did you mean --games?"},
        {"--=5", "unknown option --; did you mean --help?"},
        {"--games 5 --games 5", "option --games is given twice."},
        {"--quiet --quiet", "option --quiet is given twice."},
        {"--help=all", "option --help takes no argument, got 'all'."},
        {"--quiet=yes", "option --quiet takes no argument, got 'yes'."},
        {"--games", "option --games needs an argument: --games N."},
        {"--file --quiet", "option --file needs an argument: --file FILE."},
        {"--file=", "--file: expected FILE, got nothing."},
        {"--games ''", "--games: " COUNT " from 1 to 1000000, got ''."},
        {"--games 0", "--games: " COUNT " from 1 to 1000000, got '0'."},
        {"--games 1000001", "--games: " COUNT " from 1 to 1000000, got '1000001'."},
        {"--games -1", "--games: " COUNT " from 1 to 1000000, got '-1'."},
        {"--games 1.5", "--games: " COUNT " from 1 to 1000000, got '1.5'."},
        {"--games 5x", "--games: " COUNT " from 1 to 1000000, got '5x'."},
        {"--games 0x10", "--games: " COUNT " from 1 to 1000000, got '0x10'."},
        {"--seed inf", "--seed: " COUNT " from 0 to 18446744073709551615, got 'inf'."},
        {"--seed 18446744073709551616",
         "--seed: " COUNT " from 0 to 18446744073709551615, got '18446744073709551616'."},
        {"--seed 1e20", "--seed: " COUNT " from 0 to 18446744073709551615, got '1e20'."},
        {"--rate nan", "--rate: expected a number from -2 to 2, got 'nan'."},
        {"--rate 1e999", "--rate: expected a number from -2 to 2, got '1e999'."},
        {"--rate 1,5", "--rate: expected a number from -2 to 2, got '1,5'."},
        {"--rate -2.01", "--rate: expected a number from -2 to 2, got '-2.01'."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Outcome o;
        parse(&o, rows[i].line);
        assert_false(o.good);
        assert_string_equal(o.error.text, rows[i].sentence);
    }
}

static void counts_are_read_exactly(void **state) {
    (void)state;
    static const struct {
        const char *line;
        uint64_t value;
    } rows[] = {
        {"--seed 0", 0},
        {"--seed 18446744073709551615", UINT64_MAX}, // a double could not hold it
        {"--seed 9007199254740993", 9007199254740993},
        {"--seed 1e6", 1000000},
        {"--seed 10k", 10000},
        {"--seed 0.3k", 300},
        {"--seed 1.1M", 1100000},
        {"--seed 5M", 5000000},
        {"--seed 2G", 2000000000},
        {"--seed .5T", 500000000000},
        {"--seed 007", 7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Outcome o;
        parse(&o, rows[i].line);
        assert_true(o.good);
        assert_true(o.values.seed == rows[i].value);
    }
}

static void an_overlong_word_is_cut_in_the_message(void **state) {
    (void)state;
    char word[5000];
    memset(word, 'x', sizeof word);
    memcpy(word, "--", 2);
    word[sizeof word - 1] = 0;
    Option table[SIZE];
    Values values;
    make_table(table, &values);
    char *argv[] = {"command", word};
    const char *operands[2];
    int count;
    bool help;
    Error error;
    assert_false(options_parse(table, SIZE, 2, argv, operands, &count, &help, &error));
    assert_true(strlen(error.text) < 120);
    assert_non_null(strstr(error.text, "did you mean --"));
}

static void help_fits_into_80_columns_and_loses_no_word(void **state) {
    (void)state;
    static const char long_help[] =
        "One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen.";
    const Option table[] = {
        {"a", NULL, option_flag, NULL, long_help, 0, 0},
        {"board", "WxH", option_text, NULL, "The board (default 10×20).", 0, 0},
        {"a-rather-long-name", "LONG-ARGUMENT", option_text, NULL, "Below its own line.", 0, 0},
    };
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    options_help(out, table, 3);
    fclose(out);
    assert_string_equal(text,
                        "  --a          One two three four five six seven eight nine ten eleven twelve\n"
                        "               thirteen fourteen fifteen sixteen.\n"
                        "  --board WxH  The board (default 10×20).\n"
                        "  --a-rather-long-name LONG-ARGUMENT\n"
                        "               Below its own line.\n"
                        "  --help       Show this text.\n");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_may_stand_anywhere_and_take_both_spellings),
        cmocka_unit_test(what_is_not_given_keeps_its_default),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(help_wins_over_errors_wherever_it_stands),
        cmocka_unit_test(each_mistake_has_its_sentence),
        cmocka_unit_test(counts_are_read_exactly),
        cmocka_unit_test(an_overlong_word_is_cut_in_the_message),
        cmocka_unit_test(help_fits_into_80_columns_and_loses_no_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
