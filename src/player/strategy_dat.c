// SPDX-License-Identifier: GPL-3.0-or-later
// Imports a strategy of mdptetris, the program behind Thiery & Scherrer's players. A text file, one field a
// line: the reward's number, the value of a lost game, how many weights follow, then "id weight" each.
// The reward is added to the rating there: 0 is none, 1 the removed lines, 2 a constant; others cannot be
// expressed as weights and are refused. The value of a lost game is only checked to be a number (-inf is
// one): here the rule option gameover decides what a move that ends the game is worth.
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "player/strategy.h"

enum { WORD = 128 }; // longer words are no numbers

typedef struct Lines {
    const char *name, *text;
    size_t length, next; // next: offset of the line that comes
    size_t start, end;   // the current line
    size_t at;           // what is being read in it
    Error *error;
} Lines;

__attribute__((format(printf, 2, 3))) static bool fail(const Lines *lines, const char *format, ...) {
    char sentence[sizeof((Error *)0)->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    TextPlace place = utf8_place(lines->text, lines->length, lines->at);
    return error_set(lines->error, "%s:%d:%d: %s", lines->name, place.line, place.column, sentence);
}

// A file that was cut off in the middle of a number must not pass for another player, so a line that
// does not end is an error.
static bool next_line(Lines *lines, const char *expected) {
    lines->at = lines->start = lines->next;
    if (lines->start == lines->length)
        return fail(lines, "expected %s, found the end of the file.", expected);
    const char *end = memchr(lines->text + lines->start, '\n', lines->length - lines->start);
    if (!end)
        return fail(lines,
                    "this line has no end, so the file may be cut off; if it is whole, add a newline.");
    lines->end = (size_t)(end - lines->text);
    lines->next = lines->end + 1;
    if (lines->end > lines->start && lines->text[lines->end - 1] == '\r')
        lines->end--;
    return true;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// <- the next word of the line; false: there is none.
static bool next_word(Lines *lines, char *word, size_t room) {
    while (lines->at < lines->end && is_blank(lines->text[lines->at]))
        lines->at++;
    size_t end = lines->at;
    while (end < lines->end && !is_blank(lines->text[end]))
        end++;
    utf8_clean(word, room, lines->text + lines->at, end - lines->at);
    return end > lines->at;
}

static void skip_word(Lines *lines) {
    while (lines->at < lines->end && !is_blank(lines->text[lines->at]))
        lines->at++;
}

static bool read_number(Lines *lines, const char *expected, bool infinite, double *number) {
    char word[WORD], *end;
    if (!next_word(lines, word, sizeof word))
        return fail(lines, "expected %s, found the end of the line.", expected);
    *number = strtod(word, &end);
    bool decimal = strspn(word, "+-.0123456789eE") == strlen(word);
    bool good = *end == 0 && (decimal ? isfinite(*number) : infinite && isinf(*number));
    if (!good)
        return fail(lines, "expected %s, found \"%s\".", expected, word);
    if (decimal && fabs(*number) > STRATEGY_WEIGHT_LIMIT)
        return fail(lines, "%s is too large; the limit is %g.", word, STRATEGY_WEIGHT_LIMIT);
    skip_word(lines);
    return true;
}

static bool read_integer(Lines *lines, const char *expected, int *integer) {
    char word[WORD], *end;
    if (!next_word(lines, word, sizeof word))
        return fail(lines, "expected %s, found the end of the line.", expected);
    long value = strtol(word, &end, 10);
    if (*end != 0 || strspn(word, "+-0123456789") != strlen(word) || value < -1000000 || value > 1000000)
        return fail(lines, "expected %s, found \"%s\".", expected, word);
    *integer = (int)value;
    skip_word(lines);
    return true;
}

static bool end_line(Lines *lines) {
    char word[WORD];
    return !next_word(lines, word, sizeof word) ||
           fail(lines, "expected the end of the line, found \"%s\".", word);
}

static const struct Number {
    int id;
    FeatureId feature;
} known[] = {
    {1, FEATURE_LANDING_HEIGHT},
    {2, FEATURE_ERODED_CELLS},
    {3, FEATURE_ROW_TRANSITIONS},
    {4, FEATURE_COLUMN_TRANSITIONS},
    {5, FEATURE_HOLES},
    {6, FEATURE_CUMULATIVE_WELLS},
    {7, FEATURE_MAX_HEIGHT},
    {8, FEATURE_COLUMN_HEIGHTS},
    {9, FEATURE_COLUMN_DIFFERENCES},
    {-1, FEATURE_HOLE_DEPTH},
    {-2, FEATURE_ROWS_WITH_HOLES},
    {-6, FEATURE_CUMULATIVE_WELLS_FAST},
};

static bool read_reward(Lines *lines, RatingWeights *rating) {
    int reward;
    if (!next_line(lines, "the number of the reward") ||
        !read_integer(lines, "the number of the reward", &reward))
        return false;
    if (reward < 0 || reward > 2) {
        lines->at = lines->start;
        return fail(lines, "reward %d cannot be imported; 0 (none), 1 (removed lines) and 2 (constant) can.",
                    reward);
    }
    if (reward == 1) {
        rating->given[FEATURE_REMOVED_LINES] = 1;
        rating->weight[FEATURE_REMOVED_LINES][0] = 1;
    }
    return end_line(lines);
}

static bool read_weight(Lines *lines, RatingWeights *rating) {
    int id;
    double weight;
    if (!read_integer(lines, "the number of a feature", &id))
        return false;
    size_t i = 0, count = sizeof known / sizeof known[0];
    while (i < count && known[i].id != id)
        i++;
    if (i == count) {
        lines->at = lines->start;
        return fail(lines, "feature %d is unknown; 1 to 9, -1, -2 and -6 can be imported.", id);
    }
    FeatureId feature = known[i].feature;
    if (rating->given[feature] == feature_values(feature, BOARD_MAX_WIDTH)) {
        lines->at = lines->start;
        return fail(lines, "feature %d (%s) has more than its %d weight%s.", id, feature_info[feature].name,
                    rating->given[feature], rating->given[feature] == 1 ? "" : "s");
    }
    if (!read_number(lines, "a finite weight", false, &weight))
        return false;
    rating->weight[feature][rating->given[feature]++] = weight;
    return end_line(lines);
}

static bool check_width(Lines *lines, const RatingWeights *rating) {
    static const FeatureId lists[] = {FEATURE_COLUMN_HEIGHTS, FEATURE_COLUMN_DIFFERENCES};
    int width[2];
    for (int i = 0; i < 2; i++) {
        int given = rating->given[lists[i]], least = feature_values(lists[i], BOARD_MIN_WIDTH);
        if (given > 0 && given < least)
            return fail(lines, "there are only %d weights of feature %d (%s); no board has fewer than %d.",
                        given, 8 + i, feature_info[lists[i]].name, least);
        width[i] = given ? given + i : 0;
    }
    if (width[0] && width[1] && width[0] != width[1])
        return fail(lines,
                    "%d weights of feature 8 are for a board %d wide, but %d of feature 9 for one %d wide.",
                    width[0], width[0], width[1] - 1, width[1]);
    return true;
}

static bool read_file(Lines *lines, RatingWeights *rating) {
    double lost;
    int count;
    if (!read_reward(lines, rating) || !next_line(lines, "the value of a lost game") ||
        !read_number(lines, "the value of a lost game", true, &lost) || !end_line(lines) ||
        !next_line(lines, "the number of weights") || !read_integer(lines, "the number of weights", &count))
        return false;
    if (count < 1) {
        lines->at = lines->start;
        return fail(lines, "expected at least 1 weight, found %d.", count);
    }
    if (!end_line(lines))
        return false;
    for (int i = 0; i < count; i++) {
        char expected[80];
        snprintf(expected, sizeof expected, "weight %d of the %d that line 3 announces", i + 1, count);
        if (!next_line(lines, expected) || !read_weight(lines, rating))
            return false;
    }
    while (lines->next < lines->length)
        if (!next_line(lines, "the end of the file") || !end_line(lines))
            return false;
    lines->at = lines->length;
    return check_width(lines, rating);
}

bool strategy_parse_dat(Strategy *strategy, const char *name, const char *text, size_t length, Error *error) {
    strategy_empty(strategy, name);
    strcpy(strategy->source, "imported from mdptetris");
    if (length > STRATEGY_FILE_LIMIT)
        return error_set(error, "%s: has %zu bytes; a strategy file has at most %d.", name, length,
                         STRATEGY_FILE_LIMIT);
    Lines lines = {.name = name, .text = text, .length = length, .error = error};
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); // a decimal point, not the user's comma
    if (!plain)
        return error_set(error, "%s: not enough memory to read it.", name);
    locale_t before = uselocale(plain);
    bool done = read_file(&lines, &strategy->rating);
    uselocale(before);
    freelocale(plain);
    return done;
}
