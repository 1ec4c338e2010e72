// SPDX-License-Identifier: GPL-3.0-or-later
// The variants of the game. Every published program differs in one of these; here they are parameters.
#ifndef TETRALAB_GAME_RULES_H
#define TETRALAB_GAME_RULES_H

#include <stdbool.h>

#include "base/error.h"
#include "base/fields.h"
#include "game/board.h"
#include "game/source.h"

typedef enum Overflow {
    OVERFLOW_LENIENT, // cells may lie above row H; full rows are cleared; over iff a cell remains above
    OVERFLOW_STRICT,  // the piece must fit inside H rows before clearing
    OVERFLOW_TOUCH    // a cell in the top row ends the game: strict with H-1 rows
} Overflow;

typedef enum GameOver {
    GAMEOVER_AVOID,   // a move that ends the game is chosen only when there is no other
    GAMEOVER_EVALUATE // it is valued like any other
} GameOver;

typedef struct Rules {
    int width, height;
    Overflow overflow;
    GameOver gameover;
    bool original;      // Fahey's standard game: spawn and reachability (game/original.h)
    PieceSource pieces; // owned
} Rules;

// <- 10x20, lenient, avoid, simplified, uniform pieces.
void rules_default(Rules *rules);
// Free the copy with rules_free.
bool rules_copy(Rules *copy, const Rules *rules, Error *error);
void rules_free(Rules *rules);

// Their description: command line, JSON, settings of the library and records come from it. The pieces are the
// last field. Texts from files cannot name further files.
extern const Fields rules_fields;
extern const FieldType rules_board_type; // of its first field, for tables with another default

// Sets one of them by name from its text, or says what would be right. -> name  one of the table
bool rules_set(Rules *rules, const char *name, const char *text, Error *error);

// Can these be played together? To be called once, when everything is set. The original game has its own
// end, so the overflow rule touch contradicts it (lenient and strict mean the same there).
bool rules_check(const Rules *rules, Error *error);

// <- the first field, such as "board", in which two rules differ; NULL: games under either are the same
const char *rules_difference(const Rules *a, const Rules *b);

const char *rules_overflow_name(Overflow overflow);
const char *rules_gameover_name(GameOver gameover);

// <- the rows that a piece must fit into where nothing is cleared: H, or one less where the top row is not to
// be touched.
static inline int rules_rows(const Rules *rules) {
    return rules->overflow == OVERFLOW_TOUCH ? rules->height - 1 : rules->height;
}

// The overflow rule. Where nothing is cleared `pile` is not below `top`, and a game that goes on fits into
// the rows, so that it is top > rows under every rule.
// -> rows  rules_rows
// -> top   rows from the floor to the highest cell of the piece where it came to rest
// -> pile  height of the pile after clearing
static inline bool overflow_is_fatal(bool lenient, int rows, int top, int pile) {
    return (lenient ? pile : top) > rows;
}

// Does this landing end the game? Under the original rules none does: the game ends when a piece has no room
// to appear.
bool rules_fatal(const Rules *rules, const Shape *shape, const Landing *landing);

#endif
