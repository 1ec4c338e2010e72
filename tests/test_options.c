// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of options: what is read from a command line; every mistake has its sentence.
#include <math.h>
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

enum { MAX_WORDS = 12 };

static const Field field[] = {
    {"games", FIELD_WHOLE, FIELD_AT(Values, games), .preset = 7, .least = 1, .most = 1e6, .argument = "N",
     .help = "Games."},
    {"seed", FIELD_WHOLE, FIELD_AT(Values, seed), .preset = 7, .argument = "S", .help = "Seed."},
    {"rate", FIELD_REAL, FIELD_AT(Values, rate), .preset = 7, .least = -2, .most = 2, .argument = "R",
     .help = "Rate."},
    {"file", FIELD_STRING, FIELD_AT(Values, file), .argument = "FILE", .help = "File."},
    {"quiet", FIELD_FLAG, FIELD_AT(Values, quiet), .help = "Says nothing."},
    {"hidden", FIELD_WHOLE, FIELD_AT(Values, seed)}, // without help: no option
};
static const Fields fields = FIELDS(field);

typedef struct Outcome {
    Values values;
    const char *operands[MAX_WORDS];
    int count;
    bool good, help;
    Error error;
    char words[256];
} Outcome;

static void parse_words(Outcome *outcome, int argc, char **argv) {
    OptionSet set = {fields, &outcome->values, NULL};
    Arguments arguments;
    outcome->error.text[0] = 0;
    fields_preset(fields, &outcome->values);
    outcome->values.seed = 7;
    outcome->good = arguments_read(&arguments, &set, 1, argc, argv, &outcome->error) &&
                    arguments_apply(&arguments, &set, &outcome->error);
    outcome->help = arguments.help;
    outcome->count = arguments.operands;
    memcpy(outcome->operands, arguments.operand, (size_t)arguments.operands * sizeof *arguments.operand);
    arguments_free(&arguments);
}

// Parses a line of words separated by blanks; "''" is the empty word.
static void parse(Outcome *outcome, const char *line) {
    char *argv[MAX_WORDS] = {"command"};
    int argc = 1;
    snprintf(outcome->words, sizeof outcome->words, "%s", line);
    for (char *word = strtok(outcome->words, " "); word; word = strtok(NULL, " "))
        argv[argc++] = strcmp(word, "''") ? word : "";
    parse_words(outcome, argc, argv);
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
        {"--=5", "unknown option --."},
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
    char *argv[] = {"command", word};
    Outcome o;
    parse_words(&o, 2, argv);
    assert_false(o.good);
    assert_true(strlen(o.error.text) < 120);
    assert_int_equal(o.error.text[strlen(o.error.text) - 1], '.');
}

// The values of one table decide which other tables count: an option that two tables have is set in the one
// that is applied.
static void words_can_be_applied_to_one_table_after_the_other(void **state) {
    (void)state;
    static const Field other[] = {{"rate", FIELD_REAL, FIELD_AT(Values, rate), .preset = 1, .least = 0,
                                   .most = 100, .argument = "R", .help = "Another rate."}};
    Values first = {.rate = 7}, second = {.rate = 1};
    const OptionSet sets[] = {{fields, &first, NULL}, {FIELDS(other), &second, "Others:"}};
    char *argv[] = {"command", "--rate", "50", "--quiet"}, option[FIELD_OPTION_NAME];
    Arguments arguments;
    Error error = {""};
    assert_true(arguments_read(&arguments, sets, 2, 4, argv, &error));
    assert_true(arguments_apply(&arguments, &sets[1], &error));
    assert_true(second.rate == 50 && first.rate == 7);
    assert_false(arguments_apply(&arguments, &sets[0], &error));
    assert_string_equal(error.text, "--rate: expected a number from -2 to 2, got '50'.");
    assert_true(arguments_given(&arguments, "quiet") && !arguments_given(&arguments, "games"));
    assert_null(arguments_beyond(&arguments, " quiet rate ", option));
    assert_string_equal(arguments_beyond(&arguments, " rate games ", option), "--quiet");
    arguments_free(&arguments);
}

static void help_fits_into_80_columns_and_loses_no_word(void **state) {
    (void)state;
    static const char long_help[] =
        "One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen.";
    static const char *const words[] = {"soft", "hard", NULL};
    static const Field table[] = {
        {"a", FIELD_FLAG, .help = long_help},
        {"board", FIELD_STRING, .otherwise = "10×20", .argument = "WxH", .help = "The board."},
        {"a-rather-long-name", FIELD_STRING, .argument = "LONG-ARGUMENT", .help = "Below its own line."},
        {"kind", FIELD_WORD, .preset = 1, .words = words, .argument = "K", .help = "The kind."},
        {"time", FIELD_REAL, .preset = NAN, .otherwise = "as long as it takes", .argument = "T",
         .help = "The time."},
        {"alpha", FIELD_REAL, .preset = 0.05, .argument = "A", .help = "The level."},
        {"beta", FIELD_REAL, .preset = 0.05, .argument = "B"}, // no option
    };
    const OptionSet set = {FIELDS(table), NULL, "More:"};
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    options_help(out, &set, 1);
    fclose(out);
    assert_string_equal(text,
                        "\nMore:\n"
                        "  --a          One two three four five six seven eight nine ten eleven twelve\n"
                        "               thirteen fourteen fifteen sixteen.\n"
                        "  --board WxH  The board (default 10×20).\n"
                        "  --a-rather-long-name LONG-ARGUMENT\n"
                        "               Below its own line.\n"
                        "  --kind K     The kind (default hard).\n"
                        "  --time T     The time (default: as long as it takes).\n"
                        "  --alpha A    The level (default 0.05).\n"
                        "  --help       Show this text.\n");
    free(text);
}

typedef struct Dough {
    int kind, eggs;
    uint64_t minutes;
} Dough;

static bool is_cold(int kind) {
    return kind != 2;
}

static void tell_kinds(FILE *out) {
    fputs(" ice or jelly.", out);
}

static void tell_minutes(FILE *out) {
    fprintf(out, "%d in July", 5);
}

static const char *const kinds[] = {"ice", "jelly", "bread", NULL};
static const Field dough_field[] = {
    {"kind", FIELD_WORD, FIELD_AT(Dough, kind), .words = kinds, .takes = is_cold, .argument = "KIND",
     .help = "One of", .tell_help = tell_kinds},
    {"eggs", FIELD_INT, FIELD_AT(Dough, eggs), .preset = 1, .most = 9, .argument = "N", .help = "Eggs.",
     .belongs = "kind ice"},
    {"minutes", FIELD_WHOLE, FIELD_AT(Dough, minutes), .preset = NAN, .argument = "N", .help = "Minutes.",
     .tell_default = tell_minutes, .zero_is_unset = true},
};

// <- the sentence, or "" if the words are taken
static Error dough_error(const char *word, const char *other) {
    Dough dough;
    Arguments arguments;
    Error error = {""};
    const OptionSet set = {FIELDS(dough_field), &dough, NULL};
    char *argv[] = {"bake", (char *)word, (char *)other};
    fields_preset(set.fields, &dough);
    bool good = arguments_read(&arguments, &set, 1, other ? 3 : 2, argv, &error) &&
                arguments_apply(&arguments, &set, &error) && arguments_check(&arguments, &set, &error);
    assert_int_equal(good, error.text[0] == 0);
    arguments_free(&arguments);
    return error;
}

static void options_that_would_say_nothing_are_refused(void **state) {
    (void)state;
    assert_string_equal(dough_error("--eggs=2", NULL).text, "");
    assert_string_equal(dough_error("--eggs=2", "--kind=ice").text, "");
    assert_string_equal(dough_error("--eggs=2", "--kind=jelly").text, "--eggs belongs to --kind ice.");
    assert_string_equal(dough_error("--minutes=1", NULL).text, "");
    assert_string_equal(dough_error("--minutes=0", NULL).text, "--minutes must be above 0.");
}

static void words_that_are_not_taken_are_not_listed(void **state) {
    (void)state;
    assert_string_equal(dough_error("--kind=bread", NULL).text,
                        "--kind: expected ice or jelly, got 'bread'.");
}

static void help_holds_what_functions_tell(void **state) {
    (void)state;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    options_help(out, &(OptionSet){FIELDS(dough_field), NULL, NULL}, 1);
    fclose(out);
    assert_non_null(strstr(text, "One of ice or jelly (default ice)."));
    assert_non_null(strstr(text, "Minutes (default: 5 in July)."));
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
        cmocka_unit_test(words_can_be_applied_to_one_table_after_the_other),
        cmocka_unit_test(help_fits_into_80_columns_and_loses_no_word),
        cmocka_unit_test(options_that_would_say_nothing_are_refused),
        cmocka_unit_test(words_that_are_not_taken_are_not_listed),
        cmocka_unit_test(help_holds_what_functions_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
