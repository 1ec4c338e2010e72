// SPDX-License-Identifier: GPL-3.0-or-later
// Features that are tables, and their relatives, in the surface kernel. For a given rating they are few
// look-ups per placement: here one placement after the other with plain numbers, in surface_entries.h in
// lanes.
//
// A step is the difference of two neighbouring heights, as a code of three bits: 0 to 6 for -3 ... 3, beyond
// as the nearest of them; 7: there is none, for a wall is beside. What depends on steps alone (step tables,
// fits) is a sum over places: place x is column x with the steps s[x-1] and s[x], and for triples s[x+1]. A
// piece of w columns on columns 0 ... w-1 changes two steps, s[-1] and s[w-1]; those between its columns are
// always the same. So everything that it changes is looked up with the steps around it:
//   left    s[-2] and s[-1]      with triples ("deep") also s[-3]
//   right   s[w-1] and s[w]                                  s[w+1]
//   middle  s[-1] and s[w-1]     pieces one column wide, with triples also two wide
// What the same places gave before comes from sums over the columns. Part of the surface kernel.
#ifndef TETRALAB_FEATURE_SURFACE_TABLES_H
#define TETRALAB_FEATURE_SURFACE_TABLES_H

#include <string.h>

#include "feature/feature.h"
#include "feature/kernel_surface.h"
#include "feature/lanes.h"

enum {
    STEP_NONE = 7,
    STEP_CODES = 8,
    TABLE_MARGIN = 3,
    TABLE_COLUMNS = BOARD_MAX_WIDTH + 2 * TABLE_MARGIN,
    TABLE_WALL = 100,        // a height from which every step is STEP_NONE
    TABLE_HEIGHTS = 40,      // no pile with a piece on it is higher
    TABLE_ORIENTATIONS = 19, // of all pieces
    FITS_ONCE = (1 << PIECES) - 1
};

// Fits as a set of the pieces that fit somewhere, and above it the set of those that do twice or more. Two of
// them, of different places, together.
INLINE unsigned fits_together(unsigned a, unsigned b) {
    return a | b | (a & b & FITS_ONCE) << PIECES;
}

// <- the number of an orientation among those of all pieces
static inline int table_number(int piece, int orientation) {
    for (int before = 0; before < piece; before++)
        orientation += piece_orientations[before];
    return orientation;
}

// What looked-up places give.
typedef struct TableEntries {
    int64_t value[STEP_CODES * STEP_CODES * STEP_CODES];
    uint16_t fits[STEP_CODES * STEP_CODES * STEP_CODES];
} TableEntries;

typedef struct TableShape {
    TableEntries left, right;
    int64_t middle[STEP_CODES * STEP_CODES];
    uint16_t middle_fits[STEP_CODES * STEP_CODES];
    int8_t width, height, top[4], bottom[4];
} TableShape;

#ifdef W_GATHERS
// The same for look-ups in lanes (surface_entries.h), in numbers of 32 bits.
enum {
    LANE_STEPS = STEP_CODES * STEP_CODES * STEP_CODES,     // for every orientation
    LANE_UPRIGHT = LANE_STEPS * STEP_CODES,                // in the middle: first the upright I,
    LANE_NOTHING = LANE_UPRIGHT + TABLE_ORIENTATIONS * 64, // then all orientations, then an empty entry
    LANE_DEPTHS = 64                                       // of wells, for every place
};
typedef struct LaneEntry {
    int32_t value;
    uint32_t fits;
} LaneEntry;
typedef struct LaneTables {
    LaneEntry left[TABLE_ORIENTATIONS * LANE_STEPS], right[TABLE_ORIENTATIONS * LANE_STEPS];
    LaneEntry middle[LANE_NOTHING + 1];
    LaneEntry place[LANE_STEPS]; // of one place
    int32_t well[4 * LANE_DEPTHS], deepest[4 * LANE_DEPTHS], top[TABLE_HEIGHTS];
#ifdef W_LOOKS_UP_32
    int32_t low_well[32], low_deepest[32]; // wells up to seven cells deep
    int32_t fits[3][32];                   // by five bits of a set of fits each
#else
    int32_t fits[1 << 2 * PIECES];
#endif
} LaneTables;
#endif

// All of a rating, in weights.
typedef struct TablePlan {
    bool deep;                                                  // places have three steps
    bool steps, fits, wells, deepest_well, hole_columns, holes; // what it uses; holes: the highest
    bool weighted_steps;                                        // steps not only for fits
    int width, height;
    uint8_t code[2 * 128];                                                            // of the step 128 + d
    int64_t pair[STEP_CODES][STEP_CODES], triple[STEP_CODES][STEP_CODES][STEP_CODES]; // of one place
    uint16_t pair_fits[STEP_CODES][STEP_CODES];
    int64_t upright[STEP_CODES * STEP_CODES * STEP_CODES * STEP_CODES]; // middle of a piece one column wide
    uint16_t upright_fits[STEP_CODES * STEP_CODES * STEP_CODES * STEP_CODES];
    int64_t once[1 << PIECES], twice[1 << PIECES]; // of fits
    int64_t well[4][TABLE_HEIGHTS];                // by place and depth
    int64_t deepest[4 * TABLE_HEIGHTS];            // by depth * 4 + 3 - place
    int64_t hole[BOARD_MAX_WIDTH];                 // a hole in each column
    int64_t highest_hole, hole_column;
    int64_t top[TABLE_HEIGHTS];           // by the height of the pile
    uint8_t place[TABLE_COLUMNS];         // columns from the wall, at most 3
    uint8_t number[PIECES][ORIENTATIONS]; // of each orientation among
    TableShape shape[TABLE_ORIENTATIONS];
    bool tops; // closeness to the top, or the height of the pile, counts
#ifdef W_GATHERS
    bool in_lanes; // the numbers of 32 bits below suffice
    LaneTables lanes;
#endif
} TablePlan;

// What placements need to know of the board, by column from TABLE_MARGIN on.
typedef struct TableBoard {
    int8_t h[TABLE_COLUMNS], hole_row[TABLE_COLUMNS];               // hole_row: of its highest hole, from 1
    uint8_t code[TABLE_COLUMNS];                                    // of the step to the next column
    int64_t steps[TABLE_COLUMNS], wells[TABLE_COLUMNS];             // of all columns before
    uint16_t fits_before[TABLE_COLUMNS], fits_after[TABLE_COLUMNS]; // of these; of this one and those behind
    uint16_t deep_before[TABLE_COLUMNS], deep_after[TABLE_COLUMNS]; // the deepest well likewise
    uint16_t hole_before[TABLE_COLUMNS], hole_after[TABLE_COLUMNS]; // the highest hole
    int highest;
    int64_t unsummed; // the part of the value that is no sum over columns
} TableBoard;

#define TABLE_AT(numbers, x) (numbers)[TABLE_MARGIN + (x)]

INLINE int table_well(int left, int own, int right) {
    int side = left < right ? left : right;
    return side > own ? side - own : 0;
}
INLINE unsigned deep_key(const TablePlan *plan, int x, int depth) {
    return (unsigned)(4 * depth + 3 - TABLE_AT(plan->place, x));
}
INLINE unsigned hole_key(int row, int height) {
    return row ? (unsigned)(row << 6 | height) : 0;
}
INLINE unsigned larger_of(unsigned a, unsigned b) {
    return a > b ? a : b;
}

// What is no sum over columns.
INLINE int64_t table_unsummed(const TablePlan *plan, unsigned fits, unsigned deepest, unsigned hole,
                              int highest) {
    return plan->once[fits & FITS_ONCE] + plan->twice[fits >> PIECES] + plan->deepest[deepest] +
           plan->highest_hole * (hole >> 6) + plan->hole_column * (hole & 63) + plan->top[highest];
}

// ---------------------------------------------------------------------------------------------------
// The board

INLINE int64_t place_value(const TablePlan *plan, const uint8_t *code) {
    int64_t value = plan->pair[code[-1]][code[0]];
    return plan->deep ? value + plan->triple[code[-1]][code[0]][code[1]] : value;
}

INLINE unsigned place_fits(const TablePlan *plan, const uint8_t *code) {
    bool flat = code[-1] == 3 && code[0] == 3 && code[1] == 3;
    return fits_together(plan->pair_fits[code[-1]][code[0]],
                         plan->deep && flat ? 1u << PIECE_I : 0); // elsewhere I counts nothing
}

static void look_at_heights(const TablePlan *plan, const uint32_t *columns, TableBoard *t) {
    memset(t->h, TABLE_WALL, sizeof t->h);
    memset(t->code, STEP_NONE, sizeof t->code);
    t->highest = 0;
    for (int x = 0; x < plan->width; x++) {
        int h = column_height(columns[x]);
        TABLE_AT(t->h, x) = (int8_t)h;
        t->highest = h > t->highest ? h : t->highest;
    }
    for (int x = 0; plan->steps && x + 1 < plan->width; x++)
        TABLE_AT(t->code, x) = plan->code[TABLE_AT(t->h, x + 1) - TABLE_AT(t->h, x) + 128];
}

INLINE unsigned column_hole_key(uint32_t column, int height) {
    return hole_key(column_height(~column & ((1u << height) - 1)), height);
}

// The value of a board, after look_at_heights().
static int64_t tables_value(const TablePlan *plan, const uint32_t *columns, const TableBoard *t) {
    int64_t sum = 0;
    unsigned fits = 0, deep = 0, hole = 0;
    for (int x = 0; x < plan->width; x++) {
        const int8_t *h = &TABLE_AT(t->h, x);
        if (plan->steps)
            sum += place_value(plan, &TABLE_AT(t->code, x));
        if (plan->fits)
            fits = fits_together(fits, place_fits(plan, &TABLE_AT(t->code, x)));
        if (plan->wells || plan->deepest_well) {
            int depth = table_well(h[-1], h[0], h[1]);
            sum += plan->well[TABLE_AT(plan->place, x)][depth];
            deep = larger_of(deep, deep_key(plan, x, depth));
        }
        if (plan->hole_columns)
            sum += plan->hole[x] * (h[0] - __builtin_popcount(columns[x]));
        if (plan->holes)
            hole = larger_of(hole, column_hole_key(columns[x], h[0]));
    }
    return sum + table_unsummed(plan, fits, deep, hole, t->highest);
}

// Goes over the columns with a number for each, and puts what comes together before each column, and from it
// on, into two arrays with margins. <- all together
#define LOOK_BOTH_WAYS(together, before, after, own)                                                         \
    unsigned all = 0;                                                                                        \
    for (int x = -TABLE_MARGIN; x < 0; x++)                                                                  \
        TABLE_AT(before, x) = 0;                                                                             \
    for (int x = 0; x < width; x++) {                                                                        \
        TABLE_AT(before, x) = (uint16_t)all;                                                                 \
        all = together(all, own[x]);                                                                         \
    }                                                                                                        \
    unsigned behind = 0;                                                                                     \
    for (int x = 0; x < TABLE_MARGIN; x++) {                                                                 \
        TABLE_AT(before, width + x) = (uint16_t)all;                                                         \
        TABLE_AT(after, width + x) = 0;                                                                      \
    }                                                                                                        \
    for (int x = width - 1; x >= 0; x--)                                                                     \
        TABLE_AT(after, x) = (uint16_t)(behind = together(behind, own[x]));                                  \
    return all;

static unsigned look_at_fits(int width, const uint16_t *own, TableBoard *t) {
    LOOK_BOTH_WAYS(fits_together, t->fits_before, t->fits_after, own)
}
static unsigned look_at_deepest(int width, const uint16_t *own, TableBoard *t) {
    LOOK_BOTH_WAYS(larger_of, t->deep_before, t->deep_after, own)
}
static unsigned look_at_highest_hole(int width, const uint16_t *own, TableBoard *t) {
    LOOK_BOTH_WAYS(larger_of, t->hole_before, t->hole_after, own)
}

static void look_at_steps(const TablePlan *plan, TableBoard *t) {
    int64_t sum = 0;
    for (int x = -TABLE_MARGIN; x < 0; x++)
        TABLE_AT(t->steps, x) = 0;
    for (int x = 0; x < plan->width; x++) {
        TABLE_AT(t->steps, x) = sum;
        sum += place_value(plan, &TABLE_AT(t->code, x));
    }
    for (int x = 0; x < TABLE_MARGIN; x++)
        TABLE_AT(t->steps, plan->width + x) = sum;
}

static void look_at_wells(const TablePlan *plan, TableBoard *t, uint16_t *deep) {
    int64_t sum = 0;
    TABLE_AT(t->wells, -1) = 0;
    for (int x = 0; x < plan->width; x++) {
        const int8_t *h = &TABLE_AT(t->h, x);
        int depth = table_well(h[-1], h[0], h[1]);
        TABLE_AT(t->wells, x) = sum;
        sum += plan->well[TABLE_AT(plan->place, x)][depth];
        deep[x] = (uint16_t)deep_key(plan, x, depth);
    }
    TABLE_AT(t->wells, plan->width) = TABLE_AT(t->wells, plan->width + 1) = sum;
}

// What placements need.
static void look_at_tables(const TablePlan *plan, const uint32_t *columns, TableBoard *t) {
    uint16_t own[BOARD_MAX_WIDTH];
    unsigned fits = 0, deep = 0, hole = 0;
    look_at_heights(plan, columns, t);
    if (plan->steps)
        look_at_steps(plan, t);
    if (plan->fits) {
        for (int x = 0; x < plan->width; x++)
            own[x] = (uint16_t)place_fits(plan, &TABLE_AT(t->code, x));
        fits = look_at_fits(plan->width, own, t);
    }
    if (plan->wells || plan->deepest_well)
        look_at_wells(plan, t, own);
    if (plan->deepest_well)
        deep = look_at_deepest(plan->width, own, t);
    if (plan->holes) {
        for (int x = 0; x < plan->width; x++) {
            own[x] = (uint16_t)column_hole_key(columns[x], TABLE_AT(t->h, x));
            TABLE_AT(t->hole_row, x) = (int8_t)(own[x] >> 6);
        }
        hole = look_at_highest_hole(plan->width, own, t);
    }
    t->unsummed = table_unsummed(plan, fits, deep, hole, t->highest);
}

// ---------------------------------------------------------------------------------------------------
// Placements that complete no row

// <- by how much the piece changes the value
INLINE int64_t table_change(const TablePlan *plan, const TableBoard *t, const TableShape *s, int column,
                            int row, const int w) {
    const int8_t *h = &TABLE_AT(t->h, column);
    const uint8_t *code = &TABLE_AT(t->code, column);
    int first = row + s->top[0], last = row + s->top[w - 1], highest = t->highest;
    int64_t change = 0;
    unsigned fits = 0, deepest = 0, hole = 0;
    if (plan->steps) {
        unsigned left = plan->code[first - h[-1] + 128], right = plan->code[h[w] - last + 128];
        unsigned left_index =
            plan->deep ? (unsigned)(code[-3] << 6 | code[-2] << 3) | left : (unsigned)(code[-2] << 3) | left;
        unsigned right_index =
            plan->deep ? right << 6 | (unsigned)(code[w] << 3) | code[w + 1] : right << 3 | code[w];
        unsigned middle =
            w == 1 ? (unsigned)(code[-2] << 9) | left << 6 | right << 3 | code[1] : left << 3 | right;
        int from = plan->deep ? -2 : -1;
        const int64_t *sum = &TABLE_AT(t->steps, column);
        change += s->left.value[left_index] + s->right.value[right_index] - (sum[w + 1] - sum[from]);
        if (w == 1)
            change += plan->upright[middle];
        else if (w == 2 && plan->deep)
            change += s->middle[middle];
        if (plan->fits) {
            fits = fits_together(TABLE_AT(t->fits_before, column + from),
                                 TABLE_AT(t->fits_after, column + w + 1));
            fits = fits_together(fits, fits_together(s->left.fits[left_index], s->right.fits[right_index]));
            if (w == 1)
                fits = fits_together(fits, plan->upright_fits[middle]);
            else if (w == 2 && plan->deep)
                fits = fits_together(fits, s->middle_fits[middle]);
        }
    }
    if (plan->wells || plan->deepest_well) {
        const int64_t *sum = &TABLE_AT(t->wells, column);
        const uint8_t *place = &TABLE_AT(plan->place, column);
        int depth[6]; // of columns -1 ... w; a well within the piece has it on one side at least
        depth[0] = table_well(h[-2], h[-1], first);
        for (int i = 0; i < w; i++)
            depth[i + 1] = table_well(i ? row + s->top[i - 1] : h[-1], row + s->top[i],
                                      i + 1 < w ? row + s->top[i + 1] : h[w]);
        depth[w + 1] = table_well(last, h[w], h[w + 1]);
        for (int i = -1; i <= w; i++)
            change += plan->well[place[i]][depth[i + 1]];
        change -= sum[w + 1] - sum[-1];
        if (plan->deepest_well) {
            deepest =
                larger_of(TABLE_AT(t->deep_before, column - 1), TABLE_AT(t->deep_after, column + w + 1));
            for (int i = -1; i <= w; i++)
                if (column + i >= 0 && column + i < plan->width)
                    deepest = larger_of(deepest, deep_key(plan, column + i, depth[i + 1]));
        }
    }
    if (plan->hole_columns)
        for (int i = 0; i < w; i++)
            change += plan->hole[column + i] * (row + s->bottom[i] - h[i]);
    if (plan->holes) {
        const int8_t *hole_row = &TABLE_AT(t->hole_row, column);
        hole = larger_of(TABLE_AT(t->hole_before, column), TABLE_AT(t->hole_after, column + w));
        for (int i = 0; i < w; i++) {
            int bottom = row + s->bottom[i];
            hole = larger_of(hole, hole_key(bottom > h[i] ? bottom : hole_row[i], row + s->top[i]));
        }
    }
    if (row + s->height > highest)
        highest = row + s->height;
    return change + table_unsummed(plan, fits, deepest, hole, highest) - t->unsummed;
}

// All placements of an orientation. -> row  of each, from the left
INLINE void table_changes(const TablePlan *plan, const TableBoard *t, const TableShape *s, const int *row,
                          int64_t *change, const int w) {
    for (int column = 0; column + w <= plan->width; column++)
        change[column] = table_change(plan, t, s, column, row[column], w);
}

#endif
