// SPDX-License-Identifier: GPL-3.0-or-later
// Boards that got the same piece, side by side in lanes: a group. Or one board alone: then a lane is a left
// column, and lane j sees all columns shifted by j; the same code values the placements of either. What
// cannot be valued by what it changes is put apart (Entry) and valued as whole boards, when there are enough
// of them to fill the lanes. Part of kernel_boards.c.
#ifndef TETRALAB_FEATURE_BOARDS_GROUP_H
#define TETRALAB_FEATURE_BOARDS_GROUP_H

#include <string.h>

#include "feature/boards_surface.h"
#include "feature/kernel_boards.h"

enum {
    SLOTS = 8 * LANES, // boards in a round
    GROUP_COLUMNS = WIDEST + 4,
    MOST_ENTRIES = SLOTS * (1 + MOST_PLACEMENTS) + 2
};

// A placement of the board in a slot: slot + placement * ENTRY_PLACEMENT; or the board as it is
// (ENTRY_LEVEL).
typedef uint32_t Entry;
enum { ENTRY_PLACEMENT = 1 << 16, ENTRY_LEVEL = PLACEMENTS * ENTRY_PLACEMENT };

// Is there something below the window that a move may change? Then whole boards are valued by themselves.
typedef enum Cut { NOT_CUT, CUT, CUT_LEVEL } Cut; // CUT_LEVEL: its level is known, too

#define LEVEL_UNKNOWN INT64_MIN
#define NO_BEST       ((int64_t)(INT32_MIN + 1) * (1 << (15 + TIE_BITS)))

// Values of placements in a round lack a number that is the same for all placements of a board: what the
// board is worth before the move (incremental ratings), or what the features of changes would give to it (the
// others).
typedef struct Round {
    const RatingPlan *plan;
    const Ranks *ranks;
    int64_t (*value)[PLACEMENTS];               // by slot, if values of all placements are wanted; else NULL
    int slots, room;                            // room: rows that must be free above a pile
    bool windows, cuts;                         // some boards are shifted, and some of these are cut
    _Alignas(64) uint16_t image[SLOTS + 1][16]; // the last one: an empty board
    int16_t row[PLACEMENTS][SLOTS + LANES];     // of the image in which a placement lands
    bool alone[SLOTS]; // only rows of placements that are queued are known, unless all values are wanted
    const Board *board[SLOTS];
    int8_t piece[SLOTS], base[SLOTS];
    uint16_t holed[SLOTS]; // set of columns that have holes below the window
    uint16_t low[SLOTS];   // of those without a cell in it
    int8_t cut[SLOTS];     // Cut
    int64_t level[SLOTS];  // value of the board itself (rating_plan.h), if some of its placements are valued
                           // as whole boards; LEVEL_UNKNOWN
    int64_t best[SLOTS +
                 LANES];  // value of the best placement << TIE_BITS | its rank; below NO_BEST: there is none
    uint64_t set[SLOTS];  // placements of this value, if ties are broken at random
    uint32_t full[SLOTS]; // rows that this one completes, in incremental ratings
    int queued;
    Entry queue[MOST_ENTRIES];
} Round;

// The best placement so far, lane by lane: upper * 2^15 + lower >> TIE_BITS is its value; the rank is in the
// lower bits.
typedef struct Best {
    S upper[2], lower[2];
    S set[2][2]; // placements as good as it: bits of two orientations in each, if ties are broken at random
} Best;

// What a placement changes.
typedef struct Placed {
    V row, holes, beside, wells, gaps, depth, hole_rows;
    V apart; // not 0: to be valued as a whole board
} Placed;

// What is known of each column; t is 1 << height.
typedef enum ColumnField {
    CELLS,
    TOP,       // t
    CLEAN_TOP, // t, 0 if the column has holes
    HEIGHT,
    HOLE,
    OPEN,      // well above the top, shifted down to its floor
    FROM_LEFT, // empty above the top, filled in the column to the left
    FROM_RIGHT,
    COVERED_LEFT, // the same among holes
    COVERED_RIGHT,
    DOWN, // v_down(height)
    WELL, // value of its open well
    KEY,  // hole_key
    FIELDS,
    BEFORE = FIELDS, // rows filled in all columns before this one
    AFTER,           // from this one on
    LOW,             // mask: it has no cell in the window; if has_low
    KEY_BEFORE,
    KEY_AFTER,
    ALL_FIELDS
} ColumnField;

typedef struct Group {
    int slot; // first of the group
    int step; // from one placement to the next: 1; for a board alone: LANES
    bool single, limited, has_low;
    bool all_values; // more than the first of the best is wanted
    uint32_t lanes;  // those that hold a board, or part of it
    V base, holed;   // see Columns
    V low;           // see Round
    V highest;       // row that the top of a piece must not pass, if limited
    V column[ALL_FIELDS]
            [GROUP_COLUMNS]; // x at [x + 2], walls on both sides. A board alone: lane j is column x + j
    V no_hole_rows;
    V columns[BOARD_COLUMNS]; // of the board in each lane, whatever a lane is
    Surface surface;          // likewise; a board alone: heights only
    Sum now;                  // what `further` gives for the board as it is
} Group;

static const uint16_t some_lanes[2 * LANES + 32] = {
    [0 ... LANES + 15] = 0xffff,
};
INLINE V lanes_before(int n) { // the first n lanes; at most 16 more than there are
    return v_load(some_lanes + LANES + 16 - (n < 0 ? 0 : n));
}
static const uint16_t column_bits[16 + 32] = {1,       1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                              1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                              1 << 12, 1 << 13, 1 << 14, 1 << 15};

// A well by its cells, bit 0 right on top of the column: the sum of their numbers, counted from 1; or, fast,
// 1 + ... + that of the highest. For wells up to seven deep (lane_tables.deep).
INLINE V well_value(V cells, bool fast) {
    if (fast)
        return v_max(v_lookup_4(lane_tables.fast_low, cells), v_lookup_4(lane_tables.fast_high, cells >> 4));
    return v_lookup_4(lane_tables.well_low, cells) + v_lookup_4(lane_tables.well_high, cells >> 4);
}

// ---- looking at boards -----------------------------------------------------------------------------------

// What is known of a column: field f to field[f * apart]. -> holed  mask: has it holes below the window?
INLINE void look_at(const RatingPlan *plan, V c, V left, V right, V holed, V *field, const int apart) {
    V f = v_fill_down(c), hole = f ^ c, t = f + 1, h = v_popcount(f);
    field[CELLS * apart] = c;
    field[TOP * apart] = t;
    field[CLEAN_TOP * apart] = t & v_same(hole | holed, v_set(0));
    field[HEIGHT * apart] = h;
    field[HOLE * apart] = hole;
    field[KEY * apart] = plan->has_highest_hole ? hole_key(hole, h) : v_set(0);
    if (!plan->wells)
        return;
    V down = v_down(h), open = v_lower(left & right & ~f, down);
    field[OPEN * apart] = open;
    field[FROM_LEFT * apart] = left & ~f;
    field[FROM_RIGHT * apart] = right & ~f;
    field[COVERED_LEFT * apart] = left & hole;
    field[COVERED_RIGHT * apart] = right & hole;
    field[DOWN * apart] = down;
    field[WELL * apart] = well_value(open, plan->fast_wells);
}

// Columns of boards, from rows of them.
INLINE void turn_eight(const uint16_t (*row)[16], int part, V *column, const int columns) {
    V a[8], d[8];
    UNROLL
    for (int i = 0; i < 8; i++)
        a[i] = v_rows(row + i, part);
    UNROLL
    for (int k = 0; k < 2; k++) {
        V b0 = zip_16_low(a[4 * k], a[4 * k + 1]), b1 = zip_16_high(a[4 * k], a[4 * k + 1]);
        V b2 = zip_16_low(a[4 * k + 2], a[4 * k + 3]), b3 = zip_16_high(a[4 * k + 2], a[4 * k + 3]);
        d[4 * k] = zip_32_low(b0, b2);
        d[4 * k + 1] = zip_32_high(b0, b2);
        d[4 * k + 2] = zip_32_low(b1, b3);
        d[4 * k + 3] = zip_32_high(b1, b3);
    }
    UNROLL
    for (int k = 0; 2 * k < columns; k++) {
        column[2 * k] = zip_64_low(d[k], d[4 + k]);
        column[2 * k + 1] = zip_64_high(d[k], d[4 + k]);
    }
}

INLINE void turn(const uint16_t (*row)[16], int width, V column[BOARD_COLUMNS]) {
    turn_eight(row, 0, column, 8);
    if (width <= 10)
        turn_eight(row, 8, column + 8, 2);
    else
        turn_eight(row, 8, column + 8, 8);
}

// What `further` gives for the board as it is.
static __attribute__((noinline)) void look_further(const RatingPlan *plan, Group *q) {
    Values values;
    V key = v_set(0), (*column)[GROUP_COLUMNS] = q->column;
    sum_start(&q->now);
    if (plan->surface && q->single)
        surface_features(plan, q->surface.around + 2, q->base, &values, &q->now);
    else if (plan->surface)
        surface_look(plan, &q->surface, q->base, &values, &q->now);
    if (plan->by_side)
        for (int k = 0; 2 * k < plan->width; k++)
            values.of[FIRST_OF_HOLES_BY_COLUMN + k] = v_set(0);
    if (plan->has_highest_hole) {
        for (int x = 0; x < plan->width; x++)
            key = v_max(key, hole_key(v_fill_down(q->columns[x]) ^ q->columns[x], q->surface.around[x + 2]));
        V base = v_nonzero(key) & q->base;
        values.of[FIRST_OF_HIGHEST_HOLE] = (key >> 6) + base;
        values.of[FIRST_OF_HIGHEST_HOLE_COLUMN] = (key & 63) + base;
    }
    weigh(q->single ? &plan->heights : &plan->around, &values, &q->now);
    sum_settle(&q->now);
    if (q->single || !plan->has_highest_hole)
        return;
    column[KEY_BEFORE][0] = column[KEY_AFTER][plan->width] = v_set(0);
    for (int x = 0; x < plan->width; x++)
        column[KEY_BEFORE][x + 1] = v_max(column[KEY_BEFORE][x], column[KEY][x + 2]);
    for (int x = plan->width - 1; x >= 0; x--)
        column[KEY_AFTER][x] = v_max(column[KEY_AFTER][x + 1], column[KEY][x + 2]);
}

// Numbers of slots, one for each lane.
#define LANES_OF(round, first, expression, out)                                                              \
    do {                                                                                                     \
        uint16_t number[LANES];                                                                              \
        for (int lane = 0; lane < LANES; lane++) {                                                           \
            int slot = (first) + lane < (round)->slots ? (first) + lane : (first);                           \
            number[lane] = (uint16_t)(expression);                                                           \
        }                                                                                                    \
        (out) = v_load(number);                                                                              \
    } while (0)

// <- is any of them?
static bool look_below(const Round *round, Group *q, int first, bool all_same) {
    const RatingPlan *plan = round->plan;
    bool below = false, low = false;
    int count = all_same ? 1 : LANES;
    for (int slot = first; round->windows && slot < first + count && slot < round->slots; slot++)
        below |= round->base[slot] != 0, low |= round->low[slot] != 0;
    q->has_low = low;
    q->limited = below || plan->limit < 16;
    q->base = q->holed = v_set(0);
    q->highest = v_set(plan->limit);
    if (below) {
        LANES_OF(round, all_same ? first - lane : first, round->base[slot], q->base);
        LANES_OF(round, all_same ? first - lane : first, round->holed[slot], q->holed);
        q->highest -= q->base;
    }
    if (low)
        LANES_OF(round, all_same ? first - lane : first, round->low[slot], q->low);
    return below;
}

// -> count  boards from this slot on, all with the same piece
static __attribute__((noinline)) void look_at_group(const Round *round, Group *q, int first, int count) {
    const RatingPlan *plan = round->plan;
    int width = plan->width;
    uint16_t image[LANES][16];
    V wall = v_set(0xffff), none = v_set(0), (*column)[GROUP_COLUMNS] = q->column;
    q->slot = first;
    q->step = 1;
    q->single = false;
    q->all_values = round->value || round->ranks->random;
    q->lanes = (uint32_t)(((uint64_t)1 << count) - 1);
    const uint16_t(*row)[16] = &round->image[first];
    if (count < LANES) {
        memset(image, 0, sizeof image);
        memcpy(image, row, (size_t)count * sizeof *image);
        row = (const uint16_t(*)[16])image;
    }
    turn(row, width, q->columns);
    bool below = look_below(round, q, first, false);
    V hole_rows = none, left = wall;
    for (int x = 0; x < width; x++) {
        V right = x + 1 < width ? q->columns[x + 1] : wall;
        V holed = below ? v_nonzero((q->holed >> x) & 1) : none;
        look_at(plan, q->columns[x], left, right, holed, &column[0][x + 2], GROUP_COLUMNS);
        if (q->has_low)
            column[LOW][x + 2] = v_nonzero((q->low >> x) & 1);
        q->surface.around[x + 2] = column[HEIGHT][x + 2];
        hole_rows |= column[HOLE][x + 2];
        left = q->columns[x];
    }
    for (int k = 0; k < 4; k++) {
        int x = k < 2 ? k : width + k;
        for (int f = 0; f < FIELDS; f++)
            column[f][x] = none;
        column[LOW][x] = none;
        column[CELLS][x] = wall;
    }
    q->no_hole_rows = ~hole_rows;
    column[BEFORE][0] = column[AFTER][width] = wall;
    for (int x = 0; x < width; x++)
        column[BEFORE][x + 1] = column[BEFORE][x] & q->columns[x];
    for (int x = width - 1; x >= 0; x--)
        column[AFTER][x] = column[AFTER][x + 1] & q->columns[x];
    if (plan->further && plan->only_diversity && !q->all_values)
        diversity_look(plan, &q->surface);
    else if (plan->further)
        look_further(plan, q);
}

// A board alone.
static __attribute__((noinline)) void look_at_one(const Round *round, Group *q, int slot) {
    enum { ROOM = GROUP_COLUMNS + 2 * LANES };
    const RatingPlan *plan = round->plan;
    int width = plan->width;
    uint16_t line[ALL_FIELDS][ROOM];
    const uint16_t *image = round->image[slot];
    V field[ALL_FIELDS] = {{0}}, (*column)[GROUP_COLUMNS] = q->column;
    q->slot = slot;
    q->step = LANES;
    q->single = true;
    q->lanes = (uint32_t)(((uint64_t)1 << LANES) - 1);
    look_below(round, q, slot, true);
    q->all_values = round->value || round->ranks->random;
    int fields = plan->has_highest_hole ? FIELDS : plan->wells ? KEY : OPEN;
    memset(line, 0, (size_t)fields * sizeof *line);
    memset(line[FIELDS], 0, (ALL_FIELDS - FIELDS) * sizeof *line);
    memset(line[CELLS], 0xff, sizeof line[CELLS]);
    memcpy(line[CELLS] + 2, image, (size_t)width * sizeof *image);
    V hole_rows = v_set(0), bit = v_set(round->holed[slot]);
    uint16_t rows = 0xffff;
    for (int x = 0; x < width; x += LANES) {
        const uint16_t *c = line[CELLS] + x + 2;
        V number = v_load(lane_tables.count + x), holed = v_set(0);
        if (round->holed[slot])
            for (int y = 0; y < width; y++)
                holed |= v_same(number, v_set(y)) & v_nonzero((bit >> y) & 1);
        look_at(plan, v_load(c), v_load(c - 1), v_load(c + 1), holed, field, 1);
        V inside = lanes_before(width - x);
        for (int f = CELLS + 1; f < fields; f++)
            v_store(line[f] + x + 2, field[f] & inside);
        hole_rows |= field[HOLE] & inside;
    }
    uint16_t some[LANES], holes = 0;
    v_store(some, hole_rows);
    for (int lane = 0; lane < LANES; lane++)
        holes |= some[lane];
    q->no_hole_rows = v_set(~holes);
    for (int x = 0; x <= width; x++) {
        line[LOW][x + 2] = (uint16_t) - (round->low[slot] >> x & 1);
        line[BEFORE][x] = rows;
        rows &= x < width ? image[x] : 0;
    }
    rows = 0xffff;
    for (int x = width; x >= 0; x--) {
        rows &= x < width ? image[x] : 0xffff;
        line[AFTER][x] = rows;
    }
    if (plan->has_highest_hole)
        for (int x = 0; x <= width; x++) {
            const uint16_t *key = line[KEY] + 2, here = key[x < width ? x : width - 1];
            line[KEY_BEFORE][x + 1] = here > line[KEY_BEFORE][x] ? here : line[KEY_BEFORE][x];
            const uint16_t there = key[width - 1 - (x < width ? x : width - 1)];
            uint16_t *after = line[KEY_AFTER] + width - 1 - x;
            if (x < width)
                after[0] = there > after[1] ? there : after[1];
        }
    int most = LANES < WIDEST ? GROUP_COLUMNS : 7; // columns that placements in the first lane touch
    for (int f = 0; f < (plan->has_highest_hole ? ALL_FIELDS : KEY_BEFORE);
         f = f + 1 == fields ? FIELDS : f + 1)
        for (int k = 0; k < most; k++)
            column[f][k] = v_load(line[f] + k);
    if (plan->further || !plan->incremental)
        for (int x = 0; x < width; x++) {
            q->columns[x] = v_set(image[x]);
            q->surface.around[x + 2] = v_set(line[HEIGHT][x + 2]);
        }
    if (plan->further)
        look_further(plan, q);
}

// ---- placements ------------------------------------------------------------------------------------------

INLINE S s_half(bool second, V a, V b) {
    return second ? s_second(a, b) : s_first(a, b);
}

// Takes a value to the best one of each lane. -> lower  with the rank; most  what s_most makes of a mask
INLINE void keep_best(S upper, S lower, S most, S *best_upper, S *best_lower) {
    upper = s_min(upper, most);
    SM better = sm_greater(s_plus(upper, sm_greater(lower, *best_lower)), *best_upper);
    *best_upper = s_max(upper, *best_upper);
    *best_lower = s_select(better, lower, *best_lower);
}

// The largest number where the lane counts, the least one where it does not. -> valid  mask
INLINE S s_most(bool second, V valid) {
    return s_half(second, valid, valid ^ 0x8000);
}

// Takes the value of a placement to the best one of each lane, or to the values of all.
// -> valid  mask: lanes that count; simple  there are no tables, and the best of a group is wanted that wins
// by its rank
INLINE void settle(const RatingPlan *plan, const Group *q, Round *round, Best *best, int piece,
                   int orientation, int x, const Sum *sum, V valid, const bool simple) {
    Placement placement = placement_make(orientation, x);
    S upper[2], lower[2];
    sum_parts(sum, !simple && plan->tables, upper, lower);
    if (!simple && round->value) {
        int32_t high[LANES], low[LANES];
        memcpy(high, upper, sizeof high);
        memcpy(low, lower, sizeof low);
        for (uint32_t lanes = v_lanes(valid) & q->lanes; lanes; lanes &= lanes - 1) {
            int lane = __builtin_ctz(lanes), place = half_place(lane);
            int slot = q->slot + (q->single ? 0 : lane);
            round->value[slot][placement + (q->single ? lane : 0)] =
                (int64_t)high[place] * 32768 + low[place] + plan->row_weight * round->base[slot];
        }
        return;
    }
    const uint16_t *ranks = round->ranks->rank[piece] + placement;
    bool single = !simple && q->single;
    V rank = single ? v_load(ranks) : v_set(*ranks), none = v_set(0);
    V bit = single ? v_load(column_bits + x) : v_set(1 << x);
    UNROLL
    for (int k = 0; k < 2; k++) {
        S most = s_most(k, valid), own = (lower[k] << TIE_BITS) | s_half(k, rank, none);
        if (!simple && round->ranks->random) {
            S capped = s_min(upper[k], most),
              bit_here = orientation % 2 ? s_half(k, none, bit) : s_half(k, bit, none);
            SM better = sm_greater(s_plus(capped, sm_greater(own, best->lower[k])), best->upper[k]);
            SM worse = sm_greater(s_plus(best->upper[k], sm_greater(best->lower[k], own)), capped);
            for (int pair = 0; pair < 2; pair++)
                best->set[pair][k] = s_select(better, s_set(0), best->set[pair][k]);
            best->set[orientation / 2][k] |= s_select(worse, s_set(0), bit_here);
        }
        keep_best(upper[k], own, most, &best->upper[k], &best->lower[k]);
    }
}

// In a board alone: the lanes in which column `column` is `i` to the right of the left one.
INLINE V lanes_at(int x, int i, int column) {
    return v_same(v_load(lane_tables.count + x + i), v_set(column));
}

// What does not only depend on the surroundings of the piece.
// -> features  of the plan; simple  the surface alone, of several boards
INLINE void add_further(const RatingPlan *plan, uint64_t features, Group *q, int x, const Shape *shape,
                        const int w, const Placed *placed, Sum *sum, const bool simple) {
    Values values;
    const V *h = q->column[HEIGHT] + x + 2, *keys = q->column[KEY] + x + 2;
    V row = placed->row, tops[4];
    for (int i = 0; i < w; i++)
        tops[i] = row + (uint16_t)(shape->bottom[i] + shape->cells[i]);
    if (simple || (plan->surface && !q->single)) {
        surface_change(plan, features, &q->surface, x, tops, row, placed->holes, shape, w, q->base, &values,
                       sum);
    } else if (plan->surface) {
        V height[WIDEST];
        memcpy(height, q->surface.around + 2, (size_t)plan->width * sizeof *height);
        for (int i = 0; i < w; i++)
            for (int y = x + i; y < plan->width; y++)
                height[y] = v_select(lanes_at(x, i, y), tops[i], height[y]);
        surface_features(plan, height, q->base, &values, sum);
    }
    if (!simple && plan->by_side && !q->single) {
        V gap[4];
        for (int i = 0; i < 4; i++)
            gap[i] = i < w ? row + (uint16_t)shape->bottom[i] - h[i] : v_set(0);
        sum_pair(sum, gap[0], gap[1], plan->side[x]);
        if (w > 2)
            sum_pair(sum, gap[2], gap[3], plan->side[x + 2]);
    } else if (!simple && plan->by_side) {
        V *side = &values.of[FIRST_OF_HOLES_BY_COLUMN];
        for (int k = 0; 2 * k < plan->width; k++)
            side[k] = v_set(0);
        for (int i = 0; i < w; i++) {
            V gap = row + (uint16_t)shape->bottom[i] - h[i];
            for (int y = x + i; y < plan->width; y++)
                side[2 * y < plan->width ? y : plan->width - 1 - y] += gap & lanes_at(x, i, y);
        }
    }
    if (!simple && plan->has_highest_hole) {
        V key = v_max(q->column[KEY_BEFORE][x], q->column[KEY_AFTER][x + w]);
        for (int i = 0; i < w; i++) {
            V under = row + (uint16_t)shape->bottom[i], covers = v_greater(under, h[i]);
            V own = (v_select(covers, under, keys[i] >> 6) << 6) + tops[i];
            key = v_max(key, own & v_nonzero(covers | keys[i]));
        }
        V base = v_nonzero(key) & q->base;
        values.of[FIRST_OF_HIGHEST_HOLE] = (key >> 6) + base;
        values.of[FIRST_OF_HIGHEST_HOLE_COLUMN] = (key & 63) + base;
    }
    weigh(!simple && q->single ? &plan->heights : &plan->around, &values, sum);
    sum_subtract(sum, &q->now);
}

#endif
