// SPDX-License-Identifier: GPL-3.0-or-later
// Everything is looked at from both walls: what lies in the right half is, seen from the right wall, the
// mirror image in the left half, and has its number there. What lies in the middle is seen from both sides,
// and the smaller of the two keys counts.
#include "patterns/patterns.h"

#include <stdlib.h>
#include <string.h>

enum {
    NARROW = 4, // columns of the two kinds of steps, and their limits
    NARROW_LIMIT = 6,
    NARROW_KEYS = 13 * 13 * 13,
    WIDE = 5,
    WIDE_LIMIT = 4,
    WIDE_KEYS = 9 * 9 * 9 * 9,
    TRIPLE = 3,
    TOPS = 3,
    DEEPEST = 6,
    MOST_HOLES = 40,
    PAIRS_WIDTH = 11 // wider boards would need too large a table
};
static const struct Top { int columns, rows; } top_kind[TOPS] = {{3, 6}, {4, 5}, {5, 4}};

// Places for patterns of so many columns, and of them those that have tables: the left half, with the middle.
static int places_of(const Patterns *patterns, int columns) {
    return patterns->width >= columns ? patterns->width - columns + 1 : 0;
}
static uint32_t tables_of(const Patterns *patterns, int columns) {
    return (uint32_t)(places_of(patterns, columns) + 1) / 2;
}
static bool has_pairs(const Patterns *patterns) {
    return patterns->width <= PAIRS_WIDTH;
}

static void lay_out(Patterns *patterns) {
    uint32_t above = (uint32_t)patterns->height + 1;
    int columns = 0;
    patterns->pairs_at = (uint32_t)patterns->height << patterns->width;
    patterns->narrow_at = patterns->pairs_at + (has_pairs(patterns) ? 1u << 2 * patterns->width : 0);
    patterns->wide_at = patterns->narrow_at + tables_of(patterns, NARROW) * NARROW_KEYS;
    patterns->heights_at = patterns->wide_at + tables_of(patterns, WIDE) * WIDE_KEYS;
    uint32_t at = patterns->heights_at + tables_of(patterns, TRIPLE) * above * above * above;
    for (int k = 0; k < TOPS; k++) {
        patterns->tops_at[k] = at;
        at += tables_of(patterns, top_kind[k].columns) << top_kind[k].columns * top_kind[k].rows;
        columns += places_of(patterns, top_kind[k].columns);
    }
    patterns->pile_at = at;
    patterns->size = at + above * above * (MOST_HOLES + 1);
    patterns->shown = patterns->height + (has_pairs(patterns) ? patterns->height - 1 : 0) +
                      places_of(patterns, NARROW) + places_of(patterns, WIDE) + places_of(patterns, TRIPLE) +
                      columns + 1;
}

int patterns_count(int width, int height) {
    Patterns patterns = {.width = width, .height = height};
    lay_out(&patterns);
    return patterns.shown;
}

bool patterns_make(Patterns *patterns, int width, int height, int32_t first) {
    *patterns = (Patterns){.width = width, .height = height};
    lay_out(patterns);
    patterns->number = malloc(patterns->size * sizeof *patterns->number);
    for (size_t i = 0; patterns->number && i < patterns->size; i++)
        patterns->number[i] = first;
    return patterns->number != NULL;
}

void patterns_free(Patterns *patterns) {
    free(patterns->number);
    patterns->number = NULL;
}

// ---------------------------------------------------------------------------------------------------
// Keys

// A board as seen from the left wall [0] and from the right wall.
typedef struct Seen {
    uint32_t row[2][BOARD_MAX_HEIGHT];
    uint64_t column[2][BOARD_MAX_WIDTH]; // on a floor of DEEPEST filled rows
    int height[2][BOARD_MAX_WIDTH];
    int highest, lowest, holes;
} Seen;

static void see(const Patterns *patterns, const Board *board, Seen *seen) {
    const uint32_t inside = (1u << patterns->height) - 1;
    memset(seen->row, 0, sizeof seen->row);
    seen->highest = seen->holes = 0;
    seen->lowest = patterns->height;
    for (int x = 0; x < patterns->width; x++) {
        int mirrored = patterns->width - 1 - x;
        uint32_t column = board->column[x] & inside;
        int height = column_height(column);
        for (uint32_t left = column; left; left &= left - 1) {
            seen->row[0][__builtin_ctz(left)] |= 1u << x;
            seen->row[1][__builtin_ctz(left)] |= 1u << mirrored;
        }
        seen->column[0][x] = seen->column[1][mirrored] = (uint64_t)column << DEEPEST | ((1u << DEEPEST) - 1);
        seen->height[0][x] = seen->height[1][mirrored] = height;
        seen->holes += height - __builtin_popcount(column);
        seen->highest = height > seen->highest ? height : seen->highest;
        seen->lowest = height < seen->lowest ? height : seen->lowest;
    }
}

static inline uint32_t smaller(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static inline int within(int value, int limit) {
    return value > limit ? limit : value < -limit ? -limit : value;
}

static inline uint32_t steps_key(const int *height, int columns, int limit) {
    uint32_t key = 0;
    for (int i = 1; i < columns; i++)
        key = key * (uint32_t)(2 * limit + 1) + (uint32_t)(within(height[i] - height[i - 1], limit) + limit);
    return key;
}

static inline uint32_t heights_key(const int *height, uint32_t above) {
    return ((uint32_t)height[0] * above + (uint32_t)height[1]) * above + (uint32_t)height[2];
}

static inline uint32_t top_key(const uint64_t *column, const int *height, int columns, int rows) {
    uint32_t key = 0;
    int top = 0;
    for (int i = 0; i < columns; i++)
        top = height[i] > top ? height[i] : top;
    for (int i = 0; i < columns; i++)
        key |= (uint32_t)(column[i] >> (top + DEEPEST - rows) & ((1u << rows) - 1)) << rows * i;
    return key;
}

// ---------------------------------------------------------------------------------------------------
// Places

// All patterns of one kind: those of the left half, of the right half, and of the middle.
// -> keys  of a table
// -> KEY   of the columns from x on, seen from a side
#define EACH_PLACE(columns, begin, keys, KEY)                                                                \
    do {                                                                                                     \
        int half = places_of(patterns, columns) / 2, side, x;                                                \
        for (side = 0; side < 2; side++)                                                                     \
            for (x = 0; x < half; x++)                                                                       \
                *place++ = (begin) + (uint32_t)x * (keys) + (KEY);                                           \
        if (places_of(patterns, columns) % 2) {                                                              \
            side = 0;                                                                                        \
            uint32_t left = (KEY);                                                                           \
            side = 1;                                                                                        \
            *place++ = (begin) + (uint32_t)half * (keys) + smaller(left, (KEY));                             \
        }                                                                                                    \
    } while (0)

static inline uint32_t *find_rows(const Patterns *patterns, const Seen *seen, uint32_t *place) {
    for (int y = 0; y < patterns->height; y++)
        *place++ = ((uint32_t)y << patterns->width) + smaller(seen->row[0][y], seen->row[1][y]);
    for (int y = 0; has_pairs(patterns) && y < patterns->height - 1; y++)
        *place++ = patterns->pairs_at + smaller(seen->row[0][y] | seen->row[0][y + 1] << patterns->width,
                                                seen->row[1][y] | seen->row[1][y + 1] << patterns->width);
    return place;
}

static inline uint32_t *find_tops(const Patterns *patterns, const Seen *seen, int kind, int columns, int rows,
                                  uint32_t *place) {
    EACH_PLACE(columns, patterns->tops_at[kind], 1u << columns * rows,
               top_key(seen->column[side] + x, seen->height[side] + x, columns, rows));
    return place;
}

int patterns_find(const Patterns *patterns, const Board *board, uint32_t place[PATTERNS_SHOWN]) {
    const uint32_t *begin = place;
    const uint32_t above = (uint32_t)patterns->height + 1;
    Seen seen;
    see(patterns, board, &seen);
    place = find_rows(patterns, &seen, place);
    EACH_PLACE(NARROW, patterns->narrow_at, NARROW_KEYS,
               steps_key(seen.height[side] + x, NARROW, NARROW_LIMIT));
    EACH_PLACE(WIDE, patterns->wide_at, WIDE_KEYS, steps_key(seen.height[side] + x, WIDE, WIDE_LIMIT));
    EACH_PLACE(TRIPLE, patterns->heights_at, above * above * above,
               heights_key(seen.height[side] + x, above));
    for (int k = 0; k < TOPS; k++)
        place = find_tops(patterns, &seen, k, top_kind[k].columns, top_kind[k].rows, place);
    int holes = seen.holes < MOST_HOLES ? seen.holes : MOST_HOLES;
    *place++ = patterns->pile_at +
               ((uint32_t)seen.highest * above + (uint32_t)seen.lowest) * (MOST_HOLES + 1) + (uint32_t)holes;
    return (int)(place - begin);
}

int64_t patterns_sum(const Patterns *patterns, const uint32_t *place) {
    int64_t sum = 0;
    for (int i = 0; i < patterns->shown; i++)
        sum += patterns->number[place[i]];
    return sum;
}

int64_t patterns_value(const Patterns *patterns, const Board *board) {
    uint32_t place[PATTERNS_SHOWN];
    patterns_find(patterns, board, place);
    return patterns_sum(patterns, place);
}
