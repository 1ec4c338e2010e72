// SPDX-License-Identifier: GPL-3.0-or-later
// What a kind of player has to provide, and the player that its functions work on. Each kind fills in a
// PlayerType in a file of its own; players.def lists them. Everything but `choose` may be left out.
#ifndef TETRALAB_PLAYER_PLAYER_TYPE_H
#define TETRALAB_PLAYER_PLAYER_TYPE_H

#include "base/fields_json.h"
#include "player/move_values.h"
#include "player/player.h"

enum {
    PLAYER_HIDDEN_UNITS = 1, // it can play ratings with hidden units
    PLAYER_CLEAR_LATE = 2,   // and clear rows late
    PLAYER_NO_PRIORITY = 4,  // it breaks ties itself: at random or by the first placement
    PLAYER_DRAWS = 8,        // it draws random numbers whatever its tie rule
    PLAYER_RATES_BOARDS = 16 // its rating is of boards alone: features of moves do not count
};

enum { PLAYER_TOGETHER = 128 }; // games whose moves are chosen together

typedef struct PlayerType {
    unsigned traits; // of those above
    TieRule ties;    // by default

    // Sets what differs from a player with a rating that sees one piece. A type with `unrated` has no rating,
    // unless `describe` says so; `unrated` ends the sentence that refuses one, and set_rated makes the
    // strategy one that has, for learning (left out: there is none).
    void (*describe)(const Strategy *strategy, StrategyNature *nature);
    const char *unrated;
    void (*set_rated)(Strategy *strategy);
    // What an explanation of its moves cannot say, in whole sentences. NULL: values are ratings of the moves
    const char *limits;

    // Its options, in a Strategy. Files that they read must be given, as seen from the strategy's own file;
    // `holds` says what is in them. settle: sets what depends on others, and refuses what contradicts them,
    // with its place; -> object  the file, which may have left out any of them. locate: turns other paths
    // into ones that can be opened.
    Fields options;
    const char *holds;
    bool (*settle)(Strategy *strategy, const json_t *object, const JsonSource *source, Error *error);
    bool (*locate)(Strategy *strategy, const char *file, Error *error);

    // Makes what the player needs besides its rating, player->state. It has an evaluator if it is rated.
    bool (*make)(Player *player, Error *error);
    void (*free)(void *state);
    // As player.h says of the functions of these names. choose: also says what it thinks of the moves.
    // <-> values  NULL: not wanted; else nothing is valued yet. run: left out, or false: it has nothing
    // faster than choosing move by move; nothing was done.
    Placement (*choose)(const Player *player, Game *game, MoveValues *values);
    bool (*run)(const Player *player, int count, Turn *turn, bool (*again)(void *context, Turn *turn),
                void *context);
    // The same as choose, of several games. Left out: it has nothing faster. -> count  at most
    // PLAYER_TOGETHER
    void (*choose_all)(const Player *player, int count, Game *const *game, Placement *placement);
    void (*forget)(const Player *player, const Game *game);
    bool (*flush)(const Player *player, Error *error);
} PlayerType;

struct Player {
    const PlayerType *type;
    Strategy strategy;
    const Rules *rules;
    Rating rating;                        // empty for a strategy without one (strategy_is_rated)
    Evaluator *evaluator;                 // NULL likewise
    void *state;                          // of its kind
    int16_t priority[PIECES][PLACEMENTS]; // of TIES_PRIORITY and TIES_CENTRE
    Ranks ranks;                          // for the kernel
    struct Failure *failure;
};

const PlayerType *player_type(PlayerKind kind);

// <- the words of the kinds that have this trait: "greedy" or "two-piece"
// -> quote, join  what each of them is put in; "and", "or"
const char *player_words(unsigned trait, const char *quote, const char *join, char words[FIELD_WORDS_TEXT]);

// <- the one of a set of equally good placements that the tie rule takes; PLACEMENT_NONE for an empty set
Placement player_pick(const Player *player, uint64_t set, Game *game);

// Says that something which the player needs has failed, while games go on. The first reason counts: from
// then on player_has_failed is true, and player_flush says why. <- was it the first?
bool player_fail(const Player *player, const Error *error);
bool player_has_failed(const Player *player, Error *error); // <- error  why; may be NULL

// Are these two copies of the same game, as far on? Only their boards and the pieces in sight may differ.
bool player_same_game(const Game *a, const Game *b);
// Do these not differ either?
bool player_same_sight(const Game *a, const Game *b);

// <- the ranks of a piece's placements, the highest wins ties; NULL: the tie rule has none. Those of the
// next piece follow.
const int16_t *player_priority(const Player *player, int piece);

#endif
