// SPDX-License-Identifier: GPL-3.0-or-later
// Imports a strategy of mdptetris, the program behind Thiery & Scherrer's players. A text file, one field a
// line: the reward's number, the value of a lost game, how many weights follow, then "id weight" each.
// The reward is added to the rating there: 0 is none, 1 the removed lines, 2 a constant; others cannot be
// expressed as weights and are refused. The value of a lost game is only checked to be a number (-inf is
// one): here the rule option gameover decides what a move that ends the game is worth.
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/reader.h"
#include "base/utf8.h"
#include "player/strategy.h"

enum { WORD = 128 }; // longer words are no numbers

static bool at_end(Reader *reader) {
    reader->at = reader->end = reader->line_start = reader->text_end;
    reader->line++;
    return false;
}

// A file that was cut off in the middle of a number must not pass for another player, so a line that
// does not end is an error.
static bool next_line(Reader *reader, const char *expected) {
    if (!reader_next_line(reader))
        return at_end(reader) || reader_wrong(reader, "expected %s, found the end of the file.", expected);
    return reader->next[-1] == '\n' ||
           reader_wrong(reader,
                        "this line has no end, so the file may be cut off; if it is whole, add a newline.");
}

// For what is wrong with a whole line.
static Reader *at_start(Reader *reader) {
    reader->at = reader->line_start;
    return reader;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// <- the bytes of the next word of the line; 0: there is none
static size_t next_word(Reader *reader, char word[WORD]) {
    size_t length = 0;
    while (reader->at < reader->end && is_blank(*reader->at))
        reader->at++;
    while (reader->at + length < reader->end && !is_blank(reader->at[length]))
        length++;
    utf8_clean(word, WORD, reader->at, length);
    return length;
}

static bool read_number(Reader *reader, const char *expected, bool infinite, double *number) {
    char word[WORD], *end;
    size_t length = next_word(reader, word);
    if (!length)
        return reader_wrong(reader, "expected %s, found the end of the line.", expected);
    *number = strtod(word, &end);
    bool decimal = strspn(word, "+-.0123456789eE") == strlen(word);
    bool good = *end == 0 && (decimal ? isfinite(*number) : infinite && isinf(*number));
    if (!good)
        return reader_wrong(reader, "expected %s, found \"%s\".", expected, word);
    if (decimal && fabs(*number) > STRATEGY_WEIGHT_LIMIT)
        return reader_wrong(reader, "%s is too large; the limit is %g.", word, STRATEGY_WEIGHT_LIMIT);
    reader->at += length;
    return true;
}

static bool read_integer(Reader *reader, const char *expected, int *integer) {
    char word[WORD], *end;
    size_t length = next_word(reader, word);
    if (!length)
        return reader_wrong(reader, "expected %s, found the end of the line.", expected);
    long value = strtol(word, &end, 10);
    if (*end != 0 || strspn(word, "+-0123456789") != strlen(word) || value < -1000000 || value > 1000000)
        return reader_wrong(reader, "expected %s, found \"%s\".", expected, word);
    *integer = (int)value;
    reader->at += length;
    return true;
}

static bool end_line(Reader *reader) {
    char word[WORD];
    return !next_word(reader, word) ||
           reader_wrong(reader, "expected the end of the line, found \"%s\".", word);
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

static bool read_reward(Reader *reader, RatingWeights *rating) {
    int reward;
    if (!next_line(reader, "the number of the reward") ||
        !read_integer(reader, "the number of the reward", &reward))
        return false;
    if (reward < 0 || reward > 2)
        return reader_wrong(at_start(reader),
                            "reward %d cannot be imported; 0 (none), 1 (removed lines) and 2 (constant) can.",
                            reward);
    if (reward == 1) {
        rating->given[FEATURE_REMOVED_LINES] = 1;
        rating->weight[feature_first[FEATURE_REMOVED_LINES]] = 1;
    }
    return end_line(reader);
}

static bool read_weight(Reader *reader, RatingWeights *rating) {
    int id;
    double weight;
    if (!read_integer(reader, "the number of a feature", &id))
        return false;
    size_t i = 0, count = sizeof known / sizeof known[0];
    while (i < count && known[i].id != id)
        i++;
    if (i == count)
        return reader_wrong(at_start(reader), "feature %d is unknown; 1 to 9, -1, -2 and -6 can be imported.",
                            id);
    FeatureId feature = known[i].feature;
    if (rating->given[feature] == feature_values(feature, BOARD_MAX_WIDTH))
        return reader_wrong(at_start(reader), "feature %d (%s) has more than its %d weight%s.", id,
                            feature_info[feature].name, rating->given[feature],
                            rating->given[feature] == 1 ? "" : "s");
    if (!read_number(reader, "a finite weight", false, &weight))
        return false;
    rating->weight[feature_first[feature] + rating->given[feature]++] = weight;
    return end_line(reader);
}

static bool check_width(Reader *reader, const RatingWeights *rating) {
    static const FeatureId lists[] = {FEATURE_COLUMN_HEIGHTS, FEATURE_COLUMN_DIFFERENCES};
    int width[2];
    for (int i = 0; i < 2; i++) {
        int given = rating->given[lists[i]], least = feature_values(lists[i], BOARD_MIN_WIDTH);
        if (given > 0 && given < least)
            return reader_wrong(reader,
                                "there are only %d weights of feature %d (%s); no board has fewer than %d.",
                                given, 8 + i, feature_info[lists[i]].name, least);
        width[i] = given ? given + i : 0;
    }
    if (width[0] && width[1] && width[0] != width[1])
        return reader_wrong(
            reader, "%d weights of feature 8 are for a board %d wide, but %d of feature 9 for one %d wide.",
            width[0], width[0], width[1] - 1, width[1]);
    return true;
}

static bool read_file(Reader *reader, RatingWeights *rating) {
    double lost;
    int count;
    if (!read_reward(reader, rating) || !next_line(reader, "the value of a lost game") ||
        !read_number(reader, "the value of a lost game", true, &lost) || !end_line(reader) ||
        !next_line(reader, "the number of weights") || !read_integer(reader, "the number of weights", &count))
        return false;
    if (count < 1)
        return reader_wrong(at_start(reader), "expected at least 1 weight, found %d.", count);
    if (!end_line(reader))
        return false;
    for (int i = 0; i < count; i++) {
        char expected[80];
        snprintf(expected, sizeof expected, "weight %d of the %d that line 3 announces", i + 1, count);
        if (!next_line(reader, expected) || !read_weight(reader, rating))
            return false;
    }
    while (reader->next < reader->text_end)
        if (!next_line(reader, "the end of the file") || !end_line(reader))
            return false;
    at_end(reader);
    return check_width(reader, rating);
}

bool strategy_parse_dat(Strategy *strategy, const char *name, const char *text, size_t length, Error *error) {
    strategy_empty(strategy, name);
    strcpy(strategy->source, "imported from mdptetris");
    if (length > STRATEGY_FILE_LIMIT)
        return error_set(error, "%s: has %zu bytes; a strategy file has at most %d.", name, length,
                         STRATEGY_FILE_LIMIT);
    Reader reader = reader_start(name, text, length, error);
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); // a decimal point, not the user's comma
    if (!plain)
        return error_set(error, "%s: not enough memory to read it.", name);
    locale_t before = uselocale(plain);
    bool done = read_file(&reader, &strategy->rating);
    uselocale(before);
    freelocale(plain);
    return done;
}
