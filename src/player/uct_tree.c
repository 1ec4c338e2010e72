// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/uct_tree.h"

#include <stdlib.h>

enum { FIRST_ROOM = 4096, MAX_EDGES = UCT_MAX_NODES };

// <- false: the array has its largest size, or out of memory; it stays as it was
static bool grow(void **array, int *room, int most, size_t size) {
    if (*room >= most)
        return false;
    int larger = *room ? 2 * *room : FIRST_ROOM;
    void *moved = realloc(*array, (size_t)larger * size);
    if (!moved)
        return false;
    *array = moved;
    *room = larger;
    return true;
}

int32_t uct_tree_node(UctTree *tree, int piece) {
    if (tree->nodes == tree->node_room &&
        !grow((void **)&tree->node, &tree->node_room, UCT_MAX_NODES, sizeof *tree->node))
        return UCT_NONE;
    tree->node[tree->nodes] =
        (UctNode){.edges = UCT_NONE, .sibling = UCT_NONE, .piece = (int8_t)piece, .next = PLACEMENT_NONE};
    return tree->nodes++;
}

int32_t uct_tree_edge(UctTree *tree, int32_t node, const Move *move) {
    if (tree->edges == tree->edge_room &&
        !grow((void **)&tree->edge, &tree->edge_room, MAX_EDGES, sizeof *tree->edge))
        return UCT_NONE;
    tree->edge[tree->edges] = (UctEdge){.next = tree->node[node].edges, .child = UCT_NONE, .move = *move};
    tree->node[node].edges = tree->edges;
    return tree->edges++;
}

int32_t uct_tree_child(const UctTree *tree, int32_t edge, int piece) {
    int32_t child = tree->edge[edge].child;
    while (child != UCT_NONE && tree->node[child].piece != piece)
        child = tree->node[child].sibling;
    return child;
}

int32_t uct_tree_find(const UctTree *tree, int32_t node, Placement placement) {
    int32_t edge = tree->node[node].edges;
    while (edge != UCT_NONE && tree->edge[edge].move.placement != placement)
        edge = tree->edge[edge].next;
    return edge;
}

void uct_tree_clear(UctTree *tree) {
    tree->nodes = tree->edges = 0;
}

void uct_tree_free(UctTree *tree) {
    free(tree->node);
    free(tree->edge);
    *tree = (UctTree){0};
}

// -------------------------------------------------------------------------------------------------------
// Keeping a part of a tree

typedef struct Keeping {
    UctTree *to;
    const UctTree *from;
    const int8_t *pieces;
    int known;
    bool mean, failed;
} Keeping;

static int32_t keep_node(Keeping *keeping, int32_t node, int depth, bool *changed);

// What the phases through a node have found: their number, and the best of them or the sum.
static void sum_up(const Keeping *keeping, int32_t node, uint32_t *visits, int64_t *value) {
    const UctTree *tree = keeping->to;
    *visits = 0;
    *value = keeping->mean ? 0 : INT64_MIN;
    for (int32_t e = tree->node[node].edges; e != UCT_NONE; e = tree->edge[e].next) {
        *visits += tree->edge[e].visits;
        if (keeping->mean)
            *value += tree->edge[e].value;
        else if (tree->edge[e].value > *value)
            *value = tree->edge[e].value;
    }
}

// The edge's own numbers again, from the children that are left. Phases that had ended at the edge or died
// behind it are forgotten as well. <- false: none are left
static bool recount(Keeping *keeping, int32_t edge) {
    UctEdge *e = &keeping->to->edge[edge];
    e->visits = 0;
    e->value = keeping->mean ? 0 : INT64_MIN;
    for (int32_t child = e->child; child != UCT_NONE; child = keeping->to->node[child].sibling) {
        uint32_t visits;
        int64_t value;
        sum_up(keeping, child, &visits, &value);
        if (!visits)
            continue;
        e->visits += visits;
        if (keeping->mean)
            e->value += value + (int64_t)visits * e->reward;
        else if (value + e->reward > e->value)
            e->value = value + e->reward;
    }
    return e->visits > 0;
}

// Copies the children of edge `old` behind the new edge. <- did any get lost or change its numbers?
static bool keep_children(Keeping *keeping, int32_t old, int32_t edge, int depth) {
    const UctTree *from = keeping->from;
    bool changed = false;
    for (int32_t child = from->edge[old].child; child != UCT_NONE; child = from->node[child].sibling) {
        if (depth < keeping->known && from->node[child].piece != keeping->pieces[depth]) {
            changed = true;
            continue;
        }
        int32_t kept = keep_node(keeping, child, depth, &changed);
        if (kept == UCT_NONE)
            continue;
        keeping->to->node[kept].sibling = keeping->to->edge[edge].child;
        keeping->to->edge[edge].child = kept;
    }
    return changed;
}

static int32_t keep_node(Keeping *keeping, int32_t node, int depth, bool *changed) {
    const UctTree *from = keeping->from;
    const UctNode *source = &from->node[node];
    int32_t kept = uct_tree_node(keeping->to, source->piece);
    if (kept == UCT_NONE) {
        keeping->failed = true;
        return UCT_NONE;
    }
    UctNode *copy = &keeping->to->node[kept];
    copy->open = source->open;
    copy->rest = source->rest;
    copy->visits = source->visits;
    copy->known = source->known;
    copy->next = source->next;
    copy->next_key = source->next_key;
    bool lost = false;
    for (int32_t old = source->edges; old != UCT_NONE && !keeping->failed; old = from->edge[old].next) {
        const UctEdge *was = &from->edge[old];
        int32_t edge = uct_tree_edge(keeping->to, kept, &was->move);
        if (edge == UCT_NONE) {
            keeping->failed = true;
            break;
        }
        UctEdge *e = &keeping->to->edge[edge];
        e->value = was->value;
        e->visits = was->visits;
        e->reward = was->reward;
        e->penalised = was->penalised;
        if (!keep_children(keeping, old, edge, depth + 1))
            continue;
        lost = true;
        if (recount(keeping, edge))
            continue;
        // No phase is left: the placement has not been visited.
        copy = &keeping->to->node[kept];
        e = &keeping->to->edge[edge];
        *(e->penalised ? &copy->rest : &copy->open) |= (uint64_t)1 << e->move.placement;
        copy->next = PLACEMENT_NONE;
        copy->edges = e->next;
    }
    if (lost) {
        int64_t value;
        uint32_t visits;
        sum_up(keeping, kept, &visits, &value);
        keeping->to->node[kept].visits = visits;
        *changed = true;
    }
    return kept;
}

bool uct_tree_keep(UctTree *to, const UctTree *from, int32_t node, const int8_t *pieces, int known,
                   bool mean) {
    Keeping keeping = {.to = to, .from = from, .pieces = pieces, .known = known, .mean = mean};
    bool changed = false;
    uct_tree_clear(to);
    keep_node(&keeping, node, 0, &changed);
    if (keeping.failed)
        uct_tree_clear(to);
    return !keeping.failed;
}
