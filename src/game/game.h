// SPDX-License-Identifier: GPL-3.0-or-later
// One game under way: the board, the piece in hand, the streams, the score. Small (well under 1 KiB) and
// copyable; playing allocates nothing.
//
// A move that ends the game counts neither as a piece nor for its lines, so that at any moment
//     cells on the board = 4 * pieces - width * lines.
#ifndef TETRALAB_GAME_GAME_H
#define TETRALAB_GAME_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include "game/board.h"
#include "game/rules.h"
#include "game/source.h"

typedef enum GameState {
    GAME_RUNNING,
    GAME_OVER,      // lost
    GAME_NO_PIECES, // the recorded sequence is used up
    GAME_STOPPED,   // the limit on pieces was reached: the score is censored
    GAME_PAUSED     // the pile left the heights the game was to be played in (Turn)
} GameState;

typedef struct Game {
    Board board;
    PieceStream stream;
    int piece, next; // in hand and after it; next may be -1 (recorded sequence ends)
    GameState state;
    uint64_t pieces, lines;
    Random ties; // for players that break ties at random
} Game;

// A game to be played on: so many moves, and until its pile is at most `low` or at least `high` rows high
// after a move.
typedef struct Turn {
    Game *game;
    uint64_t moves; // that are left
    int low, high;
} Turn;
enum { TURN_ANY_HEIGHT = 32 }; // with low = -1: heights that never happen

// Starts game number `index` of `seed`: empty board, first two pieces drawn.
void game_start(Game *game, const Rules *rules, uint64_t seed, uint64_t index);

// Plays the placement for the piece in hand: drops it, clears, counts, draws the next piece; or ends
// the game: then board, pieces and lines stay as they were. Under the original rules the placement must be
// within reach (game/moves.h), else it ends the game; and the game is over as soon as the piece then in hand
// has no room to appear.
// -> landing  may be NULL; filled for a fatal move too
void game_move(Game *game, const Rules *rules, Placement placement, Landing *landing);

// Can the piece in hand be put there: inside the walls and, under the original rules, reachable? The move
// may still be fatal.
bool game_can_move(const Game *game, const Rules *rules, Placement placement);
// Does every placement of the piece in hand end the game?
bool game_is_lost(const Game *game, const Rules *rules);

// <- how many pieces are known of those that come, at most `most`: fewer if a recorded sequence ends
// <- piece  the one in hand first
int game_coming(const Game *game, int most, int8_t piece[]);

// Follows a lost game with a new one that draws on from the same stream; pieces and lines go on counting.
void game_restart(Game *game);

// The counters and the next piece after a move that did not end the game.
static inline void game_advance(Game *game, int lines) {
    game->lines += (uint64_t)lines;
    game->pieces++;
    game->piece = game->next;
    game->next = piece_stream_next(&game->stream);
    if (__builtin_expect(game->piece < 0, 0))
        game->state = GAME_NO_PIECES;
}

// Ends the game because no move is left.
void game_end(Game *game);

#endif
