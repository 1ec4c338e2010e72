// SPDX-License-Identifier: GPL-3.0-or-later
// The boards that play can reach from the empty one, whatever the moves, on a board so small that all of them
// can be listed.
#ifndef TETRALAB_EXACT_REACHABLE_H
#define TETRALAB_EXACT_REACHABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "exact/board_set.h"
#include "game/packed.h"

enum { REACHABLE_LAYERS = PACKED_MAX_CELLS + 1 };

typedef struct Reachable {
    Packing packing;
    double weight[PIECES]; // probabilities of the pieces
    bool mirrored;         // of a board and its mirror image only one is kept: the pieces treat them alike
    uint64_t *bits;        // owned; those of `set`
    BoardSet set;          // the boards kept
    uint64_t boards;       // reachable ones, mirror images counted too
    uint32_t *order;       // owned; the boards kept, by number of filled cells, then by word
    uint64_t layer[REACHABLE_LAYERS + 1]; // layer[c]: where those with c cells begin in `order`
    uint64_t largest;                     // boards in the largest layer
} Reachable;

// How many boards there can be at most, to know what memory will be needed before they are looked for: a row
// is neither full nor, below another one, empty.
typedef struct ReachableBound {
    uint64_t boards, largest; // kept; in the largest layer
} ReachableBound;
ReachableBound reachable_bound(const Rules *rules);

// -> rules  simplified, independent pieces, width * height at most PACKED_MAX_CELLS
// -> stop   may be NULL; when it becomes true the search ends early, and what was found is of no use
// Free with reachable_free, also after an error.
bool reachable_find(Reachable *reachable, const Rules *rules, int jobs, const volatile bool *stop,
                    Error *error);
void reachable_free(Reachable *reachable);

// <- the board that stands for this one
static inline uint64_t reachable_kept(const Reachable *reachable, uint64_t board) {
    return reachable->mirrored ? packed_canonical(&reachable->packing, board) : board;
}

#endif
