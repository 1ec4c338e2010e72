// SPDX-License-Identifier: GPL-3.0-or-later
// A game is known by the states of its two random streams and by how many pieces it has drawn and placed,
// since a Game is copied and moved between threads. If its board or its pieces are not the expected ones, for
// instance because an opponent has added rows, the tree is dropped. Games that are equal in everything have
// equal trees, one each.
#include "player/uct_keep.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "player/player_type.h"
#include "player/rooms.h"

typedef struct Kept {
    Game game; // as it is expected
    UctTree *tree;
} Kept;

struct UctKeep {
    pthread_mutex_t lock;
    Kept kept[UCT_MAX_KEPT]; // the first one for the longest time
    int count;
    Rooms *trees;
};

static void empty(void *tree) {
    uct_tree_free(tree);
}

UctKeep *uct_keep_new(void) {
    UctKeep *keep = aligned_alloc(_Alignof(UctKeep), sizeof *keep);
    Rooms *trees = rooms_new(sizeof(UctTree), empty);
    if (!keep || !trees) {
        rooms_free(trees);
        free(keep);
        return NULL;
    }
    keep->count = 0;
    keep->trees = trees;
    pthread_mutex_init(&keep->lock, NULL);
    return keep;
}

void uct_keep_free(UctKeep *keep) {
    if (!keep)
        return;
    for (int i = 0; i < keep->count; i++)
        rooms_give(keep->trees, keep->kept[i].tree);
    rooms_free(keep->trees);
    pthread_mutex_destroy(&keep->lock);
    free(keep);
}

UctTree *uct_keep_borrow(UctKeep *keep) {
    return rooms_take(keep->trees);
}

void uct_keep_return(UctKeep *keep, UctTree *tree) {
    if (tree)
        uct_tree_clear(tree);
    rooms_give(keep->trees, tree);
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
        uct_keep_return(keep, take_out(keep, 0));
    keep->kept[keep->count++] = (Kept){*game, tree};
    pthread_mutex_unlock(&keep->lock);
}

UctTree *uct_keep_take(UctKeep *keep, const Game *game) {
    UctTree *tree = NULL;
    int other = -1;
    pthread_mutex_lock(&keep->lock);
    for (int i = 0; i < keep->count && !tree; i++) {
        if (!player_same_game(&keep->kept[i].game, game))
            continue;
        if (player_same_sight(&keep->kept[i].game, game))
            tree = take_out(keep, i);
        else
            other = i;
    }
    if (!tree && other >= 0)
        uct_keep_return(keep, take_out(keep, other));
    pthread_mutex_unlock(&keep->lock);
    return tree;
}
