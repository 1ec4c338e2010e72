// SPDX-License-Identifier: GPL-3.0-or-later
#include "game/rules.h"

#include <string.h>

static const char *const overflow_names[] = {"lenient", "strict", "touch", NULL};
static const char *const gameover_names[] = {"avoid", "evaluate", NULL};
static const char *const kind_names[] = {"simplified", "original", NULL};

void rules_default(Rules *rules) {
    memset(rules, 0, sizeof *rules);
    rules->width = 10;
    rules->height = 20;
    rules->overflow = OVERFLOW_LENIENT;
    rules->gameover = GAMEOVER_AVOID;
    piece_source_uniform(&rules->pieces);
}

void rules_free(Rules *rules) {
    piece_source_free(&rules->pieces);
}

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

bool rules_set_board(Rules *rules, const char *text, Error *error) {
    const char *rest = text;
    int width = small_number(&rest);
    bool separated = *rest == 'x';
    rest += separated;
    int height = small_number(&rest);
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

// <- the index of `text` in the names, or -1 with a sentence that lists them
static int find_name(const char *what, const char *const *names, const char *text, Error *error) {
    char list[64] = "";
    for (int i = 0; names[i]; i++) {
        if (!strcmp(text, names[i]))
            return i;
        if (i)
            strcat(list, names[i + 1] ? ", " : " or ");
        strcat(list, names[i]);
    }
    error_set(error, "The %s \"%.40s\" is unknown: give %s.", what, text, list);
    return -1;
}

bool rules_set_overflow(Rules *rules, const char *text, Error *error) {
    int index = find_name("overflow rule", overflow_names, text, error);
    if (index >= 0)
        rules->overflow = (Overflow)index;
    return index >= 0;
}

bool rules_set_gameover(Rules *rules, const char *text, Error *error) {
    int index = find_name("game-over rule", gameover_names, text, error);
    if (index >= 0)
        rules->gameover = (GameOver)index;
    return index >= 0;
}

bool rules_set_kind(Rules *rules, const char *text, Error *error) {
    int index = find_name("kind of rules", kind_names, text, error);
    if (index >= 0)
        rules->original = index == 1;
    return index >= 0;
}

bool rules_set_pieces(Rules *rules, const char *text, Error *error) {
    PieceSource source;
    if (!piece_source_parse(&source, text, error)) {
        piece_source_free(&source);
        return false;
    }
    piece_source_free(&rules->pieces);
    rules->pieces = source;
    return true;
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
    return overflow_names[overflow];
}

const char *rules_gameover_name(GameOver gameover) {
    return gameover_names[gameover];
}

bool rules_fatal(const Rules *rules, const Shape *shape, const Landing *landing) {
    if (rules->original)
        return false;
    switch (rules->overflow) {
    case OVERFLOW_LENIENT:
        return landing->occupied >= 1u << rules->height;
    case OVERFLOW_STRICT:
        return landing->row + shape->height > rules->height;
    case OVERFLOW_TOUCH:
        return landing->row + shape->height > rules->height - 1;
    }
    return true;
}
