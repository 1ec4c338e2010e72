// SPDX-License-Identifier: GPL-3.0-or-later
// The planning tree: two arrays, of nodes and of edges, that refer to each other by 32-bit numbers.
//
//     node (board, piece) -- edge (placement) -- edge -- edge        visited placements, the last one first
//                              |
//                            node -- node (sibling)                   one for each piece that followed
//
// A node does not hold its board: a phase comes down from the root and plays the moves on its way, which
// costs less than fetching boards from memory. A node that was visited once takes 72 bytes with its edge. The
// same board reached in two ways is two nodes: it is a tree, as in the paper.
#ifndef TETRALAB_PLAYER_UCT_TREE_H
#define TETRALAB_PLAYER_UCT_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "game/board.h"
#include "game/moves.h"

// 300 MB. A tree with so many nodes does not grow any more; phases that leave it are played to their end and
// counted in the nodes that there are.
enum { UCT_MAX_NODES = 1 << 22, UCT_NONE = -1 };

// Rewards are whole millionths, so that equal ones are equal.
#define UCT_UNIT 1000000.0

typedef struct UctEdge {
    int64_t value; // the highest value of a phase from here on (or their sum)
    uint32_t visits;
    int32_t next;   // edge of the same node
    int32_t child;  // first node behind it
    int32_t reward; // of the move itself: rows and holes
    Move move;
    bool penalised; // its holes count
} UctEdge;

typedef struct UctNode {
    uint64_t open; // placements to be visited before any other one
    uint64_t rest; // and those to be visited when their holes are outweighed
    uint32_t visits;
    int32_t edges;    // first one
    int32_t sibling;  // node of the same edge with another piece
    int32_t next_key; // what `next` itself gives
    int8_t piece;
    int8_t next; // the best of `rest`, or PLACEMENT_NONE: not looked for yet
    bool known;  // open and rest are filled
} UctNode;

typedef struct UctTree {
    UctNode *node;
    UctEdge *edge;
    int nodes, edges;         // used
    int node_room, edge_room; // allocated
} UctTree;

// <- number of a new node or edge, or UCT_NONE: the tree is full, or out of memory. May move the arrays.
int32_t uct_tree_node(UctTree *tree, int piece);
int32_t uct_tree_edge(UctTree *tree, int32_t node, const Move *move);

// <- the child of the edge with this piece, or UCT_NONE
int32_t uct_tree_child(const UctTree *tree, int32_t edge, int piece);
// <- the edge of the node with this placement, or UCT_NONE
int32_t uct_tree_find(const UctTree *tree, int32_t node, Placement placement);

// Makes `to` a copy of what is below `node`, which becomes its node 0. Nodes whose piece is not the one of
// `pieces` (from the node's own on, the first `known`) are left out, and what phases through them had found
// with them.
// -> mean  values are sums
// <- false: out of memory; `to` is empty
bool uct_tree_keep(UctTree *to, const UctTree *from, int32_t node, const int8_t *pieces, int known,
                   bool mean);

void uct_tree_clear(UctTree *tree); // keeps the memory
void uct_tree_free(UctTree *tree);

#endif
