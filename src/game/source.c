// SPDX-License-Identifier: GPL-3.0-or-later
// Piece sources: the named ones, weights, and recorded sequences from a file. "hard" is the law for
// learning of Boumaza, "How to design good Tetris players", section 5.1: S and Z with probability 3/11
// each (the text there also says "four times", which contradicts its own 3/11), the others 1/11 each.
// "bag" is the random generator of today's commercial games.
#include "game/source.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const struct NamedSource {
    const char *name;
    PieceLaw law;
    double weight[PIECES];
} named_sources[] = {
    //                               O  I  S  Z  L  J  T
    {"uniform", PIECES_INDEPENDENT, {1, 1, 1, 1, 1, 1, 1}},
    {"hard", PIECES_INDEPENDENT, {1, 1, 3, 3, 1, 1, 1}},
    {"sz", PIECES_INDEPENDENT, {0, 0, 1, 1, 0, 0, 0}},
    {"bag", PIECES_BAG, {1, 1, 1, 1, 1, 1, 1}},
};
enum { NAMED_SOURCES = sizeof named_sources / sizeof *named_sources };

void piece_source_suggest(FILE *out) {
    for (int i = 0; i < NAMED_SOURCES; i++)
        fprintf(out, " %s", named_sources[i].name);
}

// Scales finite weights, not all zero, to probabilities. The scaling by a power of two keeps their
// ratios and their sum from overflowing.
static void set_weights(PieceSource *source, const double *weight) {
    double largest = 0, total = 0, sum = 0, scaled[PIECES];
    int exponent;
    for (int p = 0; p < PIECES; p++)
        largest = fmax(largest, weight[p]);
    frexp(largest, &exponent);
    source->uniform = true;
    for (int p = 0; p < PIECES; p++)
        total += scaled[p] = ldexp(weight[p], -exponent);
    for (int p = 0; p < PIECES; p++) {
        sum += scaled[p];
        source->weight[p] = scaled[p] / total;
        source->below[p] = (uint64_t)ceil(sum * 0x1p32 / total);
        source->uniform &= source->below[p] == (((uint64_t)(p + 1) << 32) + PIECES - 1) / PIECES;
    }
}

static void source_init(PieceSource *source, PieceLaw law, const char *name, const double *weight) {
    memset(source, 0, sizeof *source);
    source->law = law;
    snprintf(source->name, sizeof source->name, "%s", name);
    set_weights(source, weight);
}

void piece_source_uniform(PieceSource *source) {
    const struct NamedSource *uniform = &named_sources[0];
    source_init(source, uniform->law, uniform->name, uniform->weight);
}

void piece_source_free(PieceSource *source) {
    free(source->recorded);
    source->recorded = NULL;
    source->recorded_length = 0;
}

// --- weights: S:3,Z:3,O:1

static bool looks_like_weights(const char *text) {
    return isalpha((unsigned char)text[0]) && text[1] == ':';
}

// Reads one "S:3"; *text moves behind it. -> all  the whole text, for messages
static bool parse_weight(const char *all, const char **text, double *weight, bool *given, Error *error) {
    const char *item = *text;
    int column = (int)(item - all) + 1;
    int piece = item[0] ? piece_from_letter(item[0]) : -1;
    if (piece < 0 || item[1] != ':')
        return error_set(error,
                         "The piece weights \"%.80s\" have no PIECE:WEIGHT at character %d: give a letter of "
                         "OISZLJT, a colon and a number, as in S:3,Z:3,O:1.",
                         all, column);
    if (given[piece])
        return error_set(error,
                         "The piece weights \"%.80s\" give %c twice (character %d): give every piece once.",
                         all, piece_letter[piece], column);
    char *end;
    double value = strtod(item + 2, &end);
    if (end == item + 2 || isspace((unsigned char)item[2]) || (*end && *end != ','))
        return error_set(error,
                         "The piece weights \"%.80s\" have no number for %c (character %d): write %c:1.5.",
                         all, piece_letter[piece], column + 2, piece_letter[piece]);
    if (!isfinite(value) || value < 0)
        return error_set(error,
                         "The weight of %c in \"%.80s\" is %g: give a finite number that is 0 or more.",
                         piece_letter[piece], all, value);
    weight[piece] = value;
    given[piece] = true;
    *text = end;
    return true;
}

static bool parse_weights(PieceSource *source, const char *text, Error *error) {
    double weight[PIECES] = {0}, largest = 0;
    bool given[PIECES] = {false};
    if (strlen(text) >= PIECE_SOURCE_NAME)
        return error_set(error,
                         "The piece weights \"%.40s...\" are longer than %d characters: use fewer digits.",
                         text, PIECE_SOURCE_NAME - 1);
    for (const char *rest = text;; rest++) {
        if (!parse_weight(text, &rest, weight, given, error))
            return false;
        if (!*rest)
            break;
    }
    for (int p = 0; p < PIECES; p++)
        largest = fmax(largest, weight[p]);
    if (largest == 0)
        return error_set(
            error, "The piece weights \"%.80s\" are all 0: at least one piece must be able to come.", text);
    source_init(source, PIECES_INDEPENDENT, text, weight);
    return true;
}

// --- recorded sequences

bool piece_source_recorded(PieceSource *source, const char *name, const uint8_t *pieces, size_t length,
                           Error *error) {
    double count[PIECES] = {0};
    piece_source_uniform(source);
    if (length == 0)
        return error_set(
            error, "%.200s: there is no piece in the recorded sequence: give letters of OISZLJT.", name);
    uint8_t *copy = malloc(length);
    if (!copy)
        return error_set(error, "%.200s: out of memory for %zu recorded pieces.", name, length);
    memcpy(copy, pieces, length);
    for (size_t i = 0; i < length; i++)
        count[copy[i]]++;
    source_init(source, PIECES_RECORDED, name, count);
    source->recorded = copy;
    source->recorded_length = length;
    return true;
}

// Turns the letters into pieces in place. <- *count of them
static bool parse_letters(const char *name, char *text, size_t length, size_t *count, Error *error) {
    size_t line = 1, line_start = 0;
    *count = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '\n') {
            line++;
            line_start = i + 1;
        } else if (c == '#' && i == line_start) {
            while (i + 1 < length && text[i + 1] != '\n')
                i++;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            int piece = c ? piece_from_letter(c) : -1;
            if (piece < 0)
                return error_set(error,
                                 isprint((unsigned char)c)
                                     ? "%.200s:%zu:%zu: expected a piece, one of OISZLJT, found '%c'."
                                     : "%.200s:%zu:%zu: expected a piece, one of OISZLJT, found byte 0x%02x.",
                                 name, line, i - line_start + 1, (unsigned char)c);
            text[(*count)++] = (char)piece;
        }
    }
    return true;
}

static bool read_recorded(PieceSource *source, const char *path, Error *error) {
    Error reason;
    size_t length, count;
    char *text = text_read_file(path, &length, &reason);
    if (!text)
        return error_set(
            error,
            "The pieces \"%.100s\" are neither uniform, hard, sz or bag, nor weights such as S:3,Z:3, nor "
            "a file that can be read: %.250s",
            path, reason.text);
    bool done = parse_letters(path, text, length, &count, error) &&
                piece_source_recorded(source, path, (const uint8_t *)text, count, error);
    free(text);
    return done;
}

// --- any of them

bool piece_source_parse(PieceSource *source, const char *text, bool files, Error *error) {
    piece_source_uniform(source);
    for (int i = 0; i < NAMED_SOURCES; i++)
        if (!strcmp(text, named_sources[i].name)) {
            source_init(source, named_sources[i].law, text, named_sources[i].weight);
            return true;
        }
    if (looks_like_weights(text))
        return parse_weights(source, text, error);
    return files
               ? read_recorded(source, text, error)
               : error_set(error,
                           "The pieces \"%.100s\" are neither uniform, hard, sz or bag, nor weights such as "
                           "S:3,Z:3.",
                           text);
}

// --- drawing

PieceStream piece_stream(const PieceSource *source, uint64_t seed, uint64_t game) {
    return (PieceStream){.source = source, .random = random_stream(seed, game, RANDOM_PIECES)};
}

int piece_stream_next_of_bag(PieceStream *stream) {
    if (stream->bag_left == 0) {
        for (int p = 0; p < PIECES; p++)
            stream->bag[p] = (uint8_t)p;
        stream->bag_left = PIECES;
    }
    uint32_t i = random_below(&stream->random, stream->bag_left--);
    int piece = stream->bag[i];
    stream->bag[i] = stream->bag[stream->bag_left];
    stream->drawn++;
    return piece;
}

static void put_back(PieceStream *stream, int piece) {
    stream->bag[stream->bag_left++] = (uint8_t)piece;
    if (stream->bag_left == PIECES) // it was the first of a new bag
        stream->bag_left = 0;
}

void piece_stream_unsee(PieceStream *stream, int next) {
    const PieceSource *source = stream->source;
    if (source->law != PIECES_BAG && !source->bag)
        return;
    if (source->bag)
        for (size_t i = source->recorded_length; i > stream->drawn; i--)
            put_back(stream, source->recorded[i - 1]);
    if (next >= 0)
        put_back(stream, next);
}

int piece_stream_next_other(PieceStream *stream) {
    const PieceSource *source = stream->source;
    if (source->law == PIECES_BAG)
        return piece_stream_next_of_bag(stream);
    return stream->drawn < source->recorded_length ? source->recorded[stream->drawn++] : -1;
}
