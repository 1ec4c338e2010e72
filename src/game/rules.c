// SPDX-License-Identifier: GPL-3.0-or-later
#include "game/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const overflow_words[] = {"lenient", "strict", "touch", NULL};
static const char *const gameover_words[] = {"avoid", "evaluate", NULL};
static const char *const kind_words[] = {"simplified", "original", NULL};

// Reads one or two digits; *text moves behind them. <- -1: there are none, or more.
static int small_number(const char **text) {
    int value = 0, digits = 0;
    for (; **text >= '0' && **text <= '9'; (*text)++, digits++)
        if (digits < 3)
            value = value * 10 + (**text - '0');
    return digits >= 1 && digits <= 2 ? value : -1;
}

static bool size_is_possible(int width, int height) {
    return width >= BOARD_MIN_WIDTH && width <= BOARD_MAX_WIDTH && height >= BOARD_MIN_HEIGHT &&
           height <= BOARD_MAX_HEIGHT;
}

static bool parse_board(const Field *field, void *at, const char *text, Error *error) {
    Rules *rules = (Rules *)((char *)at - offsetof(Rules, width));
    const char *rest = text;
    int width = small_number(&rest);
    bool separated = *rest == 'x';
    rest += separated;
    int height = small_number(&rest);
    (void)field;
    if (!separated || *rest || !size_is_possible(width, height))
        return error_set(
            error,
            "The board \"%.40s\" is not possible: give WIDTHxHEIGHT with a width of %d to %d and a height "
            "of %d to %d, as in 10x20.",
            text, BOARD_MIN_WIDTH, BOARD_MAX_WIDTH, BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT);
    rules->width = width;
    rules->height = height;
    return true;
}

static void print_board(const Field *field, const void *at, char *out, size_t room) {
    const Rules *rules = (const Rules *)((const char *)at - offsetof(Rules, width));
    (void)field;
    snprintf(out, room, "%dx%d", rules->width, rules->height);
}

static bool take_pieces(PieceSource *pieces, const char *text, bool files, Error *error) {
    PieceSource source;
    bool good = piece_source_parse(&source, text, files, error);
    piece_source_free(good ? pieces : &source);
    if (good)
        *pieces = source;
    return good;
}

static bool parse_pieces(const Field *field, void *at, const char *text, Error *error) {
    (void)field;
    return take_pieces(at, text, true, error);
}

static bool read_pieces(const Field *field, void *at, const char *text, Error *error) {
    (void)field;
    return take_pieces(at, text, false, error);
}

static void print_pieces(const Field *field, const void *at, char *out, size_t room) {
    (void)field;
    snprintf(out, room, "%s", ((const PieceSource *)at)->name);
}

const FieldType rules_board_type = {.parse = parse_board, .print = print_board};
static const FieldType pieces_type = {.parse = parse_pieces, .read = read_pieces, .print = print_pieces};

static const Field rules_field[] = {
    {"board", FIELD_OTHER, FIELD_AT(Rules, width), .type = &rules_board_type, .otherwise = "10x20",
     .argument = "WxH", .help = "Width (4 to 14) and height (4 to 27) of the board."},
    {"overflow", FIELD_WORD, FIELD_AT(Rules, overflow), .words = overflow_words, .argument = "RULE",
     .help =
         "What ends the game. lenient: a cell remains above the top after clearing; strict: the piece does "
         "not fit before clearing; touch: a cell comes into the top row."},
    {"gameover", FIELD_WORD, FIELD_AT(Rules, gameover), .words = gameover_words, .argument = "RULE",
     .help = "Moves that end the game. avoid: taken only when there is no other; evaluate: valued like any "
             "other."},
    {"rules", FIELD_FLAG, FIELD_AT(Rules, original), .words = kind_words, .argument = "GAME",
     .help = "simplified: a piece falls straight into any column; original: it appears at the top and must "
             "get there."},
    {"piece_source", FIELD_OTHER, FIELD_AT(Rules, pieces), .option = "pieces", .type = &pieces_type,
     .suggest = piece_source_suggest, .file = FIELD_READS, .otherwise = "uniform", .argument = "LAW",
     .help = "uniform, hard, sz, bag, weights such as S:3,Z:3,O:1, or a file of piece letters."},
};
const Fields rules_fields = FIELDS(rules_field);

void rules_default(Rules *rules) {
    memset(rules, 0, sizeof *rules);
    fields_preset(rules_fields, rules);
}

bool rules_copy(Rules *copy, const Rules *rules, Error *error) {
    *copy = *rules;
    PieceSource *pieces = &copy->pieces;
    if (!pieces->recorded)
        return true;
    if (!(pieces->recorded = malloc(pieces->recorded_length)))
        return error_set(error, "Out of memory for %zu recorded pieces.", pieces->recorded_length);
    memcpy(pieces->recorded, rules->pieces.recorded, pieces->recorded_length);
    return true;
}

void rules_free(Rules *rules) {
    piece_source_free(&rules->pieces);
}

bool rules_set(Rules *rules, const char *name, const char *text, Error *error) {
    return field_parse(fields_find(rules_fields, name), rules, text, error);
}

bool rules_check(const Rules *rules, Error *error) {
    if (!size_is_possible(rules->width, rules->height))
        return error_set(error,
                         "The board %dx%d is not possible: the width is %d to %d and the height %d to %d.",
                         rules->width, rules->height, BOARD_MIN_WIDTH, BOARD_MAX_WIDTH, BOARD_MIN_HEIGHT,
                         BOARD_MAX_HEIGHT);
    if (rules->original && rules->overflow == OVERFLOW_TOUCH)
        return error_set(
            error, "The original rules and the overflow rule touch exclude each other: the original game "
                   "ends when a piece has no room to appear. Leave out one of the two.");
    return true;
}

const char *rules_overflow_name(Overflow overflow) {
    return overflow_words[overflow];
}

const char *rules_gameover_name(GameOver gameover) {
    return gameover_words[gameover];
}

bool rules_fatal(const Rules *rules, const Shape *shape, const Landing *landing) {
    return !rules->original &&
           overflow_is_fatal(rules->overflow == OVERFLOW_LENIENT, rules_rows(rules),
                             landing->row + shape->height, column_height(landing->occupied));
}

const char *rules_difference(const Rules *a, const Rules *b) {
    const PieceSource *p = &a->pieces, *q = &b->pieces;
    char text[2][FIELD_PRINTED];
    for (int i = 0; i < rules_fields.count; i++) {
        const Field *field = &rules_fields.field[i];
        if (strcmp(field_print(field, a, text[0]), field_print(field, b, text[1])))
            return field->key;
    }
    bool same = p->law == q->law && !memcmp(p->weight, q->weight, sizeof p->weight) &&
                p->recorded_length == q->recorded_length &&
                (!p->recorded_length || !memcmp(p->recorded, q->recorded, p->recorded_length));
    return same ? NULL : "pieces"; // files of the same name, or names too long to tell
}
