// SPDX-License-Identifier: GPL-3.0-or-later
// Breadth-first search in passes over one bit per board. A pass takes every board that was found and not yet
// followed, in ascending order; moves that clear nothing lead upwards, mostly to boards that the same pass
// still comes to, so that few passes are needed. Which thread follows a board changes nothing: the search
// ends when all have been followed.
#include "exact/reachable.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

enum { BLOCK_WORDS = 64 };

typedef struct Search {
    Reachable *reachable;
    uint64_t *fresh; // found, not yet followed
    uint64_t words;
    bool found; // something new in this pass
} Search;

// Are S and Z equally probable, and L and J?
static bool is_mirrored(const Rules *rules) {
    const double *weight = rules->pieces.weight;
    return weight[PIECE_S] == weight[PIECE_Z] && weight[PIECE_L] == weight[PIECE_J];
}

// ---------------------------------------------------------------------------------------------------
// How many there can be

static uint64_t choose(int n, int k) {
    uint64_t result = 1;
    for (int i = 1; i <= k; i++)
        result = result * (uint64_t)(n - k + i) / (uint64_t)i;
    return result;
}

// <- rows with so many filled cells, or only those that are their own mirror image
static uint64_t rows_with(int width, int cells, bool symmetric) {
    if (!symmetric)
        return choose(width, cells);
    return width % 2 == 0 && cells % 2 ? 0 : choose(width / 2, cells / 2);
}

// Boards by number of cells: piles of 0 to `rows` rows that are neither empty nor full.
static void count_piles(int width, int rows, bool symmetric, uint64_t count[REACHABLE_LAYERS]) {
    uint64_t pile[REACHABLE_LAYERS] = {1};
    memset(count, 0, REACHABLE_LAYERS * sizeof *count);
    for (int height = 0; height <= rows; height++) {
        uint64_t higher[REACHABLE_LAYERS] = {0};
        for (int cells = 0; cells < REACHABLE_LAYERS; cells++) {
            count[cells] += pile[cells];
            for (int more = 1; more < width && cells + more < REACHABLE_LAYERS; more++)
                higher[cells + more] += pile[cells] * rows_with(width, more, symmetric);
        }
        memcpy(pile, higher, sizeof pile);
    }
}

// A piece adds four cells and a full row takes `width`: on boards of even width some numbers never occur.
ReachableBound reachable_bound(const Rules *rules) {
    int step = rules->width % 4 == 0 ? 4 : rules->width % 2 == 0 ? 2 : 1;
    bool mirrored = is_mirrored(rules);
    uint64_t all[REACHABLE_LAYERS], symmetric[REACHABLE_LAYERS];
    count_piles(rules->width, rules_rows(rules), false, all);
    count_piles(rules->width, rules_rows(rules), true, symmetric);
    ReachableBound bound = {0, 0};
    for (int cells = 0; cells < REACHABLE_LAYERS; cells += step) {
        uint64_t boards = mirrored ? (all[cells] + symmetric[cells]) / 2 : all[cells];
        bound.boards += boards;
        bound.largest = boards > bound.largest ? boards : bound.largest;
    }
    return bound;
}

// ---------------------------------------------------------------------------------------------------
// The search

static void add_board(Search *search, uint64_t board) {
    uint64_t bit = (uint64_t)1 << (board & 63), word = board >> 6;
    if (__atomic_load_n(&search->reachable->bits[word], __ATOMIC_RELAXED) & bit)
        return;
    if (__atomic_fetch_or(&search->reachable->bits[word], bit, __ATOMIC_RELAXED) & bit)
        return;
    __atomic_fetch_or(&search->fresh[word], bit, __ATOMIC_RELAXED);
    __atomic_store_n(&search->found, true, __ATOMIC_RELAXED);
}

static void follow_board(Search *search, uint64_t board) {
    const Reachable *reachable = search->reachable;
    const Packing *packing = &reachable->packing;
    PackedHeights heights = packed_heights(packing, board);
    for (int piece = 0; piece < PIECES; piece++)
        for (int k = 0; k < packing->moves[piece] && reachable->weight[piece] > 0; k++) {
            int lines;
            uint64_t after = packed_play(packing, &heights, board, &packing->move[piece][k], &lines);
            if (after != PACKED_LOST)
                add_board(search, reachable_kept(reachable, after));
        }
}

static void follow_block(void *context, uint64_t block, int thread) {
    Search *search = context;
    (void)thread;
    for (uint64_t word = block * BLOCK_WORDS; word < (block + 1) * BLOCK_WORDS && word < search->words;
         word++) {
        uint64_t left;
        while ((left = __atomic_exchange_n(&search->fresh[word], 0, __ATOMIC_RELAXED)))
            for (; left; left &= left - 1)
                follow_board(search, word << 6 | (uint64_t)__builtin_ctzll(left));
    }
}

static bool search_all(Search *search, int jobs, const volatile bool *stop, Error *error) {
    uint64_t blocks = (search->words + BLOCK_WORDS - 1) / BLOCK_WORDS;
    add_board(search, 0);
    while (search->found && !pool_stopped(stop)) {
        search->found = false;
        if (!pool_run(jobs, blocks, follow_block, search, stop, error))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Their order

static uint64_t nth_board(uint64_t word, uint64_t left) {
    return word << 6 | (uint64_t)__builtin_ctzll(left);
}

static void count_boards(Reachable *reachable, uint64_t words) {
    uint64_t count[REACHABLE_LAYERS] = {0}, symmetric = 0;
    for (uint64_t word = 0; word < words; word++)
        for (uint64_t left = reachable->bits[word]; left; left &= left - 1) {
            uint64_t board = nth_board(word, left);
            count[__builtin_popcountll(board)]++;
            symmetric += packed_mirror(&reachable->packing, board) == board;
        }
    for (int cells = 0; cells < REACHABLE_LAYERS; cells++) {
        reachable->layer[cells + 1] = reachable->layer[cells] + count[cells];
        reachable->largest = count[cells] > reachable->largest ? count[cells] : reachable->largest;
    }
    uint64_t kept = reachable->set.boards;
    reachable->boards = reachable->mirrored ? 2 * kept - symmetric : kept;
}

// A counting sort by cells.
static void sort_boards(Reachable *reachable, uint64_t words) {
    uint64_t next[REACHABLE_LAYERS];
    memcpy(next, reachable->layer, sizeof next);
    for (uint64_t word = 0; word < words; word++)
        for (uint64_t left = reachable->bits[word]; left; left &= left - 1) {
            uint64_t board = nth_board(word, left);
            reachable->order[next[__builtin_popcountll(board)]++] = (uint32_t)board;
        }
}

bool reachable_find(Reachable *reachable, const Rules *rules, int jobs, const volatile bool *stop,
                    Error *error) {
    memset(reachable, 0, sizeof *reachable);
    packing_make(&reachable->packing, rules);
    memcpy(reachable->weight, rules->pieces.weight, sizeof reachable->weight);
    reachable->mirrored = is_mirrored(rules);
    int cells = reachable->packing.width * reachable->packing.rows;
    Search search = {.reachable = reachable, .words = board_set_words(cells)};
    reachable->bits = calloc(search.words, sizeof *reachable->bits);
    search.fresh = calloc(search.words, sizeof *search.fresh);
    bool enough = reachable->bits && search.fresh, good = enough && search_all(&search, jobs, stop, error);
    free(search.fresh);
    if (good && (enough = board_set_make(&reachable->set, reachable->bits, cells))) {
        reachable->order = malloc(reachable->set.boards * sizeof *reachable->order);
        enough = reachable->order != NULL;
    }
    if (!enough)
        return error_set(error, "Out of memory for the boards of %dx%d.", rules->width, rules->height);
    if (good) {
        count_boards(reachable, search.words);
        sort_boards(reachable, search.words);
    }
    return good;
}

void reachable_free(Reachable *reachable) {
    board_set_free(&reachable->set);
    free(reachable->bits);
    free(reachable->order);
    memset(reachable, 0, sizeof *reachable);
}
