// SPDX-License-Identifier: GPL-3.0-or-later
// A game is known by the states of its two random streams and by how many pieces it has drawn and placed,
// since a Game is copied and moved between threads. If its board or its pieces are not the expected ones, for
// instance because an opponent has added rows, the tree is dropped. Games that are equal in everything have
// equal trees, one each.
#include "player/uct_keep.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Whose tree it is, and what is expected of the game.
typedef struct Owner {
    uint64_t stream[4], ties[4], drawn, pieces;
} Owner;

typedef struct Expected {
    uint32_t column[BOARD_COLUMNS];
    int piece, next;
} Expected;

typedef struct Kept {
    Owner owner;
    Expected expected;
    UctTree *tree;
} Kept;

struct UctKeep {
    pthread_mutex_t lock;
    Kept kept[UCT_MAX_KEPT]; // the first one for the longest time
    int count;
    UctTree **spare; // trees to be used again
    int spares, spare_room;
};

UctKeep *uct_keep_new(void) {
    UctKeep *keep = calloc(1, sizeof *keep);
    if (keep)
        pthread_mutex_init(&keep->lock, NULL);
    return keep;
}

static void tree_free(UctTree *tree) {
    uct_tree_free(tree);
    free(tree);
}

void uct_keep_free(UctKeep *keep) {
    if (!keep)
        return;
    for (int i = 0; i < keep->count; i++)
        tree_free(keep->kept[i].tree);
    for (int i = 0; i < keep->spares; i++)
        tree_free(keep->spare[i]);
    free(keep->spare);
    pthread_mutex_destroy(&keep->lock);
    free(keep);
}

UctTree *uct_keep_borrow(UctKeep *keep) {
    pthread_mutex_lock(&keep->lock);
    UctTree *tree = keep->spares ? keep->spare[--keep->spares] : NULL;
    pthread_mutex_unlock(&keep->lock);
    return tree ? tree : calloc(1, sizeof *tree);
}

// With the lock.
static void put_aside(UctKeep *keep, UctTree *tree) {
    if (keep->spares == keep->spare_room) {
        int room = keep->spare_room ? 2 * keep->spare_room : 16;
        UctTree **larger = realloc(keep->spare, (size_t)room * sizeof *larger);
        if (!larger) {
            tree_free(tree);
            return;
        }
        keep->spare = larger;
        keep->spare_room = room;
    }
    uct_tree_clear(tree);
    keep->spare[keep->spares++] = tree;
}

void uct_keep_return(UctKeep *keep, UctTree *tree) {
    if (!tree)
        return;
    pthread_mutex_lock(&keep->lock);
    put_aside(keep, tree);
    pthread_mutex_unlock(&keep->lock);
}

static Owner owner_of(const Game *game) {
    Owner owner = {.drawn = game->stream.drawn, .pieces = game->pieces};
    memcpy(owner.stream, game->stream.random.state, sizeof owner.stream);
    memcpy(owner.ties, game->ties.state, sizeof owner.ties);
    return owner;
}

static Expected expected_of(const Game *game) {
    Expected expected = {.piece = game->piece, .next = game->next};
    memcpy(expected.column, game->board.column, sizeof expected.column);
    return expected;
}

// With the lock. <- the tree, no longer kept
static UctTree *take_out(UctKeep *keep, int index) {
    UctTree *tree = keep->kept[index].tree;
    keep->count--;
    memmove(&keep->kept[index], &keep->kept[index + 1], (size_t)(keep->count - index) * sizeof keep->kept[0]);
    return tree;
}

void uct_keep_store(UctKeep *keep, const Game *game, UctTree *tree) {
    pthread_mutex_lock(&keep->lock);
    if (keep->count == UCT_MAX_KEPT)
        put_aside(keep, take_out(keep, 0));
    keep->kept[keep->count++] = (Kept){owner_of(game), expected_of(game), tree};
    pthread_mutex_unlock(&keep->lock);
}

UctTree *uct_keep_take(UctKeep *keep, const Game *game) {
    Owner owner = owner_of(game);
    Expected expected = expected_of(game);
    UctTree *tree = NULL;
    int other = -1;
    pthread_mutex_lock(&keep->lock);
    for (int i = 0; i < keep->count && !tree; i++) {
        if (memcmp(&keep->kept[i].owner, &owner, sizeof owner))
            continue;
        if (!memcmp(&keep->kept[i].expected, &expected, sizeof expected))
            tree = take_out(keep, i);
        else
            other = i;
    }
    if (!tree && other >= 0)
        put_aside(keep, take_out(keep, other));
    pthread_mutex_unlock(&keep->lock);
    return tree;
}
