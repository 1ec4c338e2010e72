// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the pages of an LMDB file (data format 1, that of LMDB 0.9) and checks all that LMDB relies on when
// it follows them: page numbers, kinds, the places of nodes inside a page, the order of keys, counts, and
// that no page is used twice or both used and free. Free pages themselves are not looked at: they may hold
// anything, or lie behind the end of the file.
#include "player/database_pages.h"

#include <lmdb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "player/database_entry.h"

enum { BRANCH = 1, LEAF = 2, OVERFLOW_PAGE = 4, META = 8, BIG_DATA = 1 };
enum { DEEPEST = 32, TRIES = 100 };
#define MAGIC   0xBEEFC0DEu
#define NO_PAGE UINT64_MAX

// As they stand in the file.
typedef struct PageHead {
    uint64_t number;
    uint16_t pad, flags, lower, upper; // overflow pages: lower and upper are one number, how many pages
} PageHead;
typedef struct Tree {
    uint32_t pad;
    uint16_t flags, depth;
    uint64_t branches, leaves, overflow, entries, root;
} Tree;
typedef struct Meta {
    PageHead head;
    uint32_t magic, version;
    uint64_t address, map_size;
    Tree tree[2]; // free pages, entries; pad of the first: page size
    uint64_t last_page, transaction;
} Meta;
typedef struct NodeHead {
    uint16_t low, high, flags, key_length;
} NodeHead;
_Static_assert(sizeof(PageHead) == 16 && sizeof(Tree) == 48 && sizeof(Meta) == 152 && sizeof(NodeHead) == 8 &&
                   sizeof(size_t) == 8,
               "LMDB's files look different where addresses do not have 64 bits");

typedef struct Node {
    const uint8_t *key, *data;
    size_t key_length, length; // length: of data; with BIG_DATA of what lies elsewhere
    uint64_t child;            // of branches
    int flags;
} Node;

typedef struct Walk {
    int file;
    bool all, is_free; // is_free: the tree of free pages
    uint32_t page_size;
    uint64_t pages, last_page; // pages: in the file
    uint8_t *used;             // a bit for each of them
    uint8_t *page[DEEPEST];    // buffers, one a level
    int depth;
    uint64_t branches, leaves, overflow, entries;
    bool started, separator; // the key before: is there one? does it come from a branch?
    uint8_t before[512];
    size_t before_length;
    Error *error;
} Walk;

static bool read_at(int file, void *out, size_t length, uint64_t offset) {
    for (size_t done = 0; done < length;) {
        ssize_t n = pread(file, (char *)out + done, length - done, (off_t)(offset + done));
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// The head

static bool check_meta(const Meta *meta, Error *error) {
    uint32_t size = meta->tree[0].pad;
    if (meta->magic != MAGIC || !(meta->head.flags & META))
        return error_set(error, "it does not begin like a database.");
    if (meta->version != 1)
        return error_set(error, "it has LMDB's data format %u, not 1.", meta->version);
    if (size < 512 || size > 65536 || (size & (size - 1)))
        return error_set(error, "its pages are said to have %u bytes.", size);
    if ((meta->tree[0].flags & ~MDB_NOSUBDIR) != MDB_INTEGERKEY || meta->tree[1].flags)
        return error_set(error, "it is an LMDB file, but of another program.");
    if (meta->map_size % size || meta->last_page < 1)
        return error_set(error, "its first pages are damaged.");
    return true;
}

// A program that writes at this moment may come in between. Transactions take turns on the two pages.
static bool read_metas(int file, Meta meta[2], Error *error) {
    for (int k = 0; k < TRIES; k++) {
        if (!read_at(file, &meta[0], sizeof *meta, 0))
            return error_set(error, "it is too short.");
        if (!check_meta(&meta[0], error))
            return false;
        if (!read_at(file, &meta[1], sizeof *meta, meta[0].tree[0].pad))
            return error_set(error, "it is too short.");
        if (!check_meta(&meta[1], error))
            return false;
        uint64_t a = meta[0].transaction, b = meta[1].transaction;
        if (meta[0].tree[0].pad == meta[1].tree[0].pad && (a + 1 == b || b + 1 == a || (!a && !b)) &&
            !(a & 1))
            return true;
    }
    return error_set(error, "its first two pages contradict each other.");
}

// The last pages need not be in the file if they are free, but there are not many of those.
bool pages_check_head(int file, Error *error) {
    Meta meta[2];
    if (!read_metas(file, meta, error))
        return false;
    off_t size = lseek(file, 0, SEEK_END);
    uint64_t most = 2 * ((uint64_t)(size > 0 ? size : 0) / meta->tree[0].pad) + (1 << 20);
    for (int k = 0; k < 2; k++)
        if (meta[k].last_page > most)
            return error_set(error, "it should have %llu pages: it was cut off or damaged.",
                             (unsigned long long)meta[k].last_page + 1);
    return true;
}

// <- the page that says where the trees of a transaction are, which is then kept from being used again
static bool find_trees(int file, Meta *found, PagesRenew *renew, void *context, Error *error) {
    for (int k = 0; k < TRIES; k++) {
        Meta meta[2];
        uint64_t transaction = renew(context);
        if (!transaction)
            return error_set(error, "no transaction has ever been made in it, or none can be read.");
        if (!read_metas(file, meta, error))
            return false;
        *found = meta[transaction & 1];
        if (found->transaction == transaction)
            return true;
    }
    return error_set(error, "another program writes to it all the time.");
}

// ---------------------------------------------------------------------------------------------------
// Pages

static bool mark_used(Walk *walk, uint64_t page) {
    if (page < 2 || page >= walk->pages || page > walk->last_page)
        return error_set(walk->error, "page %llu is beyond its end: it was cut off or damaged.",
                         (unsigned long long)page);
    if (walk->used[page / 8] >> page % 8 & 1)
        return error_set(walk->error, "page %llu is used twice.", (unsigned long long)page);
    walk->used[page / 8] |= (uint8_t)(1 << page % 8);
    return true;
}

static bool damaged(const Walk *walk, uint64_t page, const char *what) {
    return error_set(walk->error, "%s in page %llu cannot be right.", what, (unsigned long long)page);
}

// <- how many nodes, -1: damaged
static int read_page(Walk *walk, uint64_t page, int level, int flags) {
    uint8_t *bytes = walk->page[level];
    if (!read_at(walk->file, bytes, walk->page_size, page * walk->page_size)) {
        error_set(walk->error, "page %llu cannot be read.", (unsigned long long)page);
        return -1;
    }
    PageHead head;
    memcpy(&head, bytes, sizeof head);
    bool good = head.number == page && head.flags == flags && head.lower >= sizeof head &&
                head.lower % 2 == 0 && head.lower <= head.upper && head.upper <= walk->page_size;
    int nodes = ((int)head.lower - (int)sizeof head) / 2;
    if (good && nodes >= (flags == BRANCH && !walk->is_free ? 2 : 1)) // LMDB relies on these numbers
        return nodes;
    damaged(walk, page, "the head");
    return -1;
}

static bool read_node(const Walk *walk, uint64_t page, int level, int index, Node *node) {
    const uint8_t *bytes = walk->page[level];
    PageHead head;
    NodeHead start;
    uint16_t place;
    memcpy(&head, bytes, sizeof head);
    memcpy(&place, bytes + sizeof head + 2 * (size_t)index, sizeof place);
    if (place < head.upper || place % 2 || place + sizeof start > walk->page_size)
        return damaged(walk, page, "the nodes");
    memcpy(&start, bytes + place, sizeof start);
    *node = (Node){.key = bytes + place + sizeof start, .key_length = start.key_length, .flags = start.flags};
    uint64_t number = start.low | (uint64_t)start.high << 16, room = walk->page_size - place - sizeof start;
    node->data = node->key + node->key_length;
    if (level + 1 < walk->depth) {
        node->child = number | (uint64_t)start.flags << 32;
        return node->key_length <= room || damaged(walk, page, "the nodes");
    }
    node->length = number;
    size_t inside = start.flags & BIG_DATA ? sizeof(uint64_t) : node->length;
    return (node->key_length <= room && inside <= room - node->key_length) ||
           damaged(walk, page, "the nodes");
}

static int compare_keys(const Walk *walk, const Node *node) {
    if (walk->is_free) {
        uint64_t a, b;
        memcpy(&a, node->key, sizeof a);
        memcpy(&b, walk->before, sizeof b);
        return (a > b) - (a < b);
    }
    size_t shorter = node->key_length < walk->before_length ? node->key_length : walk->before_length;
    int order = memcmp(node->key, walk->before, shorter);
    return order ? order
                 : (node->key_length > walk->before_length) - (node->key_length < walk->before_length);
}

// Keys rise; the first one below a branch may be the branch's own.
static bool check_key(Walk *walk, uint64_t page, const Node *node, bool separator) {
    if (!node->key_length || node->key_length >= sizeof walk->before ||
        (walk->is_free && node->key_length != sizeof(uint64_t)))
        return damaged(walk, page, "the keys");
    int order = walk->started ? compare_keys(walk, node) : 1;
    if (order < 0 || (order == 0 && (separator || !walk->separator)))
        return error_set(walk->error, "the keys of page %llu are out of order.", (unsigned long long)page);
    memcpy(walk->before, node->key, node->key_length);
    walk->before_length = node->key_length;
    walk->separator = separator;
    walk->started = true;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Leaves

// Page numbers that are free, after their count.
static bool check_free(Walk *walk, uint64_t page, const uint8_t *list, size_t length) {
    uint64_t count, number, before = NO_PAGE;
    memcpy(&count, list, sizeof count);
    if (length % sizeof count || count >= length / sizeof count)
        return damaged(walk, page, "the list of free pages");
    for (uint64_t i = 1; i <= count; i++, before = number) {
        memcpy(&number, list + i * sizeof number, sizeof number);
        if (number < 2 || number > walk->last_page || number >= before)
            return damaged(walk, page, "the list of free pages");
        if (number < walk->pages && !mark_used(walk, number))
            return false;
    }
    return true;
}

// A long list lies on pages of its own.
static bool check_big(Walk *walk, uint64_t page, const Node *node) {
    uint64_t first, count = (sizeof(PageHead) - 1 + node->length) / walk->page_size + 1;
    memcpy(&first, node->data, sizeof first);
    for (uint64_t i = 0; i < count; i++)
        if (!mark_used(walk, first + i))
            return false;
    walk->overflow += count;
    size_t size = count * walk->page_size;
    uint8_t *bytes = malloc(size);
    if (!bytes)
        return error_set(walk->error, "there is no memory for %zu bytes of it.", size);
    PageHead head = {0};
    bool good = read_at(walk->file, bytes, size, first * walk->page_size);
    memcpy(&head, bytes, good ? sizeof head : 0);
    good = good && head.number == first && head.flags == OVERFLOW_PAGE &&
           (head.lower | (uint64_t)head.upper << 16) == count;
    good = good ? check_free(walk, page, bytes + sizeof head, node->length)
                : damaged(walk, page, "the list of free pages");
    free(bytes);
    return good;
}

static bool check_record(Walk *walk, uint64_t page, const Node *node) {
    if (node->length < sizeof(uint64_t))
        return damaged(walk, page, "the list of free pages");
    return node->flags ? check_big(walk, page, node) : check_free(walk, page, node->data, node->length);
}

static bool check_entry(Walk *walk, const Node *node) {
    EntryState state;
    EntryValue value;
    if (walk->entries == 0)
        return entry_check_mark(node->key, node->key_length, node->data, node->length, walk->error);
    return entry_read_state(&state, node->key, node->key_length, walk->error) &&
           entry_read_value(&value, node->key, node->key_length, node->data, node->length, walk->error);
}

static bool walk_leaf(Walk *walk, uint64_t page, int level) {
    walk->leaves++;
    if (!walk->all && !walk->is_free && walk->leaves > 1)
        return true;
    int nodes = read_page(walk, page, level, LEAF);
    for (int i = 0; i < nodes; i++) {
        Node node = {0};
        if (!read_node(walk, page, level, i, &node))
            return false;
        if (node.flags & ~(walk->is_free ? BIG_DATA : 0))
            return error_set(walk->error,
                             "it is an LMDB file, but of another program, or page %llu is damaged.",
                             (unsigned long long)page);
        if (!check_key(walk, page, &node, false))
            return false;
        if (!(walk->is_free ? check_record(walk, page, &node) : check_entry(walk, &node)))
            return false;
        walk->entries++;
    }
    return nodes > 0;
}

// ---------------------------------------------------------------------------------------------------
// Trees

static bool walk_page(Walk *walk, uint64_t page, int level) {
    if (!mark_used(walk, page))
        return false;
    if (level + 1 == walk->depth)
        return walk_leaf(walk, page, level);
    walk->branches++;
    int nodes = read_page(walk, page, level, BRANCH);
    for (int i = 0; i < nodes; i++) {
        Node node = {0};
        if (!read_node(walk, page, level, i, &node) || (i > 0 && !check_key(walk, page, &node, true)) ||
            !walk_page(walk, node.child, level + 1))
            return false;
    }
    return nodes > 0;
}

static bool walk_tree(Walk *walk, const Tree *tree, bool is_free) {
    walk->is_free = is_free;
    walk->started = walk->separator = false;
    walk->branches = walk->leaves = walk->overflow = walk->entries = 0;
    walk->depth = tree->depth;
    if (tree->root == NO_PAGE && !tree->depth && !tree->entries)
        return is_free || error_set(walk->error, "it is an LMDB file, but of another program.");
    if (tree->depth < 1 || tree->depth > DEEPEST)
        return error_set(walk->error, "a tree of it has %d levels.", tree->depth);
    if (!walk_page(walk, tree->root, 0))
        return false;
    bool counted = walk->all || is_free;
    if (walk->branches != tree->branches || walk->leaves != tree->leaves ||
        walk->overflow != tree->overflow || (counted && walk->entries != tree->entries))
        return error_set(walk->error, "it has %llu entries on %llu pages, but says %llu on %llu.",
                         (unsigned long long)walk->entries,
                         (unsigned long long)(walk->branches + walk->leaves + walk->overflow),
                         (unsigned long long)tree->entries,
                         (unsigned long long)(tree->branches + tree->leaves + tree->overflow));
    return true;
}

static bool walk_open(Walk *walk, const Meta *meta) {
    off_t size = lseek(walk->file, 0, SEEK_END);
    walk->page_size = meta->tree[0].pad;
    walk->pages = size > 0 ? (uint64_t)size / walk->page_size : 0;
    walk->last_page = meta->last_page;
    walk->used = calloc(walk->pages / 8 + 1, 1);
    bool good = walk->used != NULL;
    int levels = meta->tree[0].depth > meta->tree[1].depth ? meta->tree[0].depth : meta->tree[1].depth;
    for (int level = 0; good && level < levels && level < DEEPEST; level++)
        good = (walk->page[level] = malloc(walk->page_size)) != NULL;
    return good || error_set(walk->error, "there is no memory to check it.");
}

static void walk_close(Walk *walk) {
    for (int level = 0; level < DEEPEST; level++)
        free(walk->page[level]);
    free(walk->used);
}

bool pages_check(int file, bool all, PagesRenew *renew, void *context, uint64_t *entries, Error *error) {
    Meta meta;
    if (!find_trees(file, &meta, renew, context, error))
        return false;
    Error ignored;
    Walk walk = {.file = file, .all = all, .error = error ? error : &ignored};
    bool good = walk_open(&walk, &meta) && walk_tree(&walk, &meta.tree[1], false);
    if (good && entries)
        *entries = meta.tree[1].entries - 1;
    good = good && walk_tree(&walk, &meta.tree[0], true);
    walk_close(&walk);
    return good;
}
