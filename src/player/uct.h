// SPDX-License-Identifier: GPL-3.0-or-later
// Planning by UCT (Cai, Zhang & Nebel 2011). A node is a board with a piece; a phase goes from the root down
// to the last planned piece, one placement a node, and adds every node on its way to the tree:
//     placement = argmax R + lambda sqrt(ln s / t)        ties at random
// s, t: visits of the node and of the placement; R: the highest value of a phase through the placement (or
// the mean). The value of a phase, from a move on, is the sum over its moves of 0, 0.1, 0.3, 0.6, 1.0 for
// 0 to 4 rows removed and of P = gamma(rows) * holes (by how many the move increases them); -1 for a lost
// game; and what the leaf is worth.
//
// What the paper leaves open is decided as follows. The first point differs from the paper:
//   - The paper adds P to R where a placement is chosen and keeps it out of the rewards that are backed up.
//     Then a path is preferred for its rows even if it digs itself in on the way. Here P is backed up with
//     the rewards, so that R holds the holes of the move itself and of those after it. In one trial (1,000
//     phases, lambda 0.5, gamma -0.1) that won 25 of 30 matches against Fahey's player instead of 18, which
//     is little evidence. With gamma = 0 everywhere there is no difference.
//   - Unvisited placements with P = 0 come first, in random order. An unvisited one with P < 0 takes part
//     in the argmax as if it had been visited once and were worth its own rows and holes: it is tried when
//     nothing else promises more. With gamma = 0 everywhere this is UCB1 as printed.
//   - Placements that end the game are left out; where there are no others the game is lost.
//   - The move: the highest R among the visited placements of the root (with means: the most visits, of these
//     the highest mean). Of equal ones, and of those that the database holds, one at random or the first.
//   - The database holds R of the root. It belongs to one set of options: values that were planned with
//     others (pieces, gamma, leaves) are not comparable.
//   - The tree is a tree: a board reached in two ways is two nodes. It stops growing at 4 million nodes,
//     300 MB (player/uct_tree.h); phases that leave it then are played to their end all the same.
//
// Pieces that the player cannot see are drawn anew in each phase, with numbers of the game's own stream
// (game->ties): with a budget in phases the same game is played every time, on any number of threads.
//
// The part of the tree below the move that was made is kept for the next one, as long as the game is simply
// played on: if an opponent adds rows, planning starts anew. What had been planned for other pieces than
// those that have become visible is taken out of it.
#ifndef TETRALAB_PLAYER_UCT_H
#define TETRALAB_PLAYER_UCT_H

#include "base/error.h"
#include "feature/kernel.h"
#include "game/game.h"
#include "player/database.h"
#include "player/move_values.h"
#include "player/strategy.h"

typedef struct Uct Uct;

// -> evaluator  for UCT_LEAF_RATING, else NULL; -> scale  of its rating (Rating.scale). Used, not copied.
// Opens the database if there is one.
Uct *uct_new(const UctOptions *options, TieRule ties, const Rules *rules, const Evaluator *evaluator,
             double scale, Error *error);
void uct_free(Uct *uct); // commits the database

// <- the placement, or PLACEMENT_NONE: every move ends the game. Draws from game->ties. May be called by
//    several threads at once, for different games. Trees are kept between moves by what identifies a game:
//    its streams and how far it is. Nothing is kept for a game that ends with this move.
// <-> values  what planning found: R of the visited placements (or the mean reward); NULL: not wanted
Placement uct_choose(const Uct *uct, Game *game, MoveValues *values);
// Drops what is kept for this game, when it is not played on (stopped, paused, given up). At most 1,024 trees
// are kept; of more games under way, those that wait for the longest time lose theirs.
void uct_forget(const Uct *uct, const Game *game);
// Commits the database. false: that failed, or reading or writing it has failed while a move was planned
// (from then on planning goes on without it); the error says why.
bool uct_flush(const Uct *uct, Error *error);

#endif
