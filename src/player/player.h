// SPDX-License-Identifier: GPL-3.0-or-later
// A player: a strategy made ready to play under given rules with a given kernel. To be shared by threads:
// what changes during a game is in the Game. (Players that search also keep what may be useful for the next
// move. That changes no move if their budget is a number of phases.)
#ifndef TETRALAB_PLAYER_PLAYER_H
#define TETRALAB_PLAYER_PLAYER_H

#include <stdint.h>

#include "base/error.h"
#include "feature/kernel.h"
#include "game/game.h"
#include "game/rules.h"
#include "player/strategy.h"

typedef struct Player Player;

// The rules are used, not copied. -> kernel  NULL: the fastest
Player *player_new(const Strategy *strategy, const Rules *rules, const Kernel *kernel, Error *error);
void player_free(Player *player);
const Strategy *player_strategy(const Player *player);
const Rules *player_rules(const Player *player);
// <- how its kernel evaluates its rating (evaluator_design); NULL: it has none.
const char *player_design(const Player *player);

// <- the placement for the piece in hand, or PLACEMENT_NONE: every move ends the game.
Placement player_choose(const Player *player, Game *game);

// Does it draw random numbers in its games, so that it may play the same pieces in several ways?
bool player_draws(const Player *player);
// Is it of a kind whose games are played by a kernel alone, millions of pieces a second?
bool player_is_fast(const Player *player);
// Puts what it has learned on the disk. false: that failed, now or while a move was chosen; the error says
// why. To be asked when the last game has been played: games themselves go on without the file.
bool player_flush(const Player *player, Error *error);

// Drops what the player keeps for the next move of this game, which is not played on (or is changed by hand).
void player_forget(const Player *player, const Game *game);

// Plays the game on, to its end or by at most `moves` moves.
void player_run(const Player *player, Game *game, uint64_t moves);

// Plays several games on, each in its turn; those of greedy, two-piece and expectimax players side by side,
// which changes no move. A game pauses (GAME_PAUSED) when its pile leaves the heights of its turn; a paused
// one is played on.
// -> count  at most MOST_TURNS
// -> again  called when a turn is over, for whatever reason: sets it to the same game's next one, or to that
// of
//           another game, and returns true; false: there is none. NULL: there is none
void player_run_turns(const Player *player, int count, Turn *turn, bool (*again)(void *context, Turn *turn),
                      void *context);

// Some players are other programs (player "tbp"), which may fail in the middle of a game. Such a player makes
// no move any more, and player_flush says why. Whoever would rather know at once sets this, before any player
// plays; it may be called by any thread. -> sentence  as player_flush would give it
extern void (*player_failure)(const char *sentence);

#endif
