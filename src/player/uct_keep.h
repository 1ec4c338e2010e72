// SPDX-License-Identifier: GPL-3.0-or-later
// The trees that a UCT player keeps between the moves of its games, and those that are free to be used again.
// All functions may be called by several threads at once.
#ifndef TETRALAB_PLAYER_UCT_KEEP_H
#define TETRALAB_PLAYER_UCT_KEEP_H

#include "game/game.h"
#include "player/uct_tree.h"

// More games than this cannot be under way at once without losing the tree that has been kept for the longest
// time.
enum { UCT_MAX_KEPT = 1024 };

typedef struct UctKeep UctKeep;

UctKeep *uct_keep_new(void); // NULL: out of memory
void uct_keep_free(UctKeep *keep);

// <- an empty tree, or NULL: out of memory. Give it back.
UctTree *uct_keep_borrow(UctKeep *keep);
void uct_keep_return(UctKeep *keep, UctTree *tree);

// Keeps the tree for the game, which is as it will be when its player is asked again. Takes the tree.
void uct_keep_store(UctKeep *keep, const Game *game, UctTree *tree);
// <- what was kept for the game, or NULL: nothing, or the board is not the one that was expected. Give it
// back.
UctTree *uct_keep_take(UctKeep *keep, const Game *game);

#endif
