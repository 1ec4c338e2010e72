// SPDX-License-Identifier: GPL-3.0-or-later
// Every feature as its definition reads. Numbers in brackets are the rows of Table 2.1 in Amundsen's
// thesis; where its appendix is off by one or drops an absolute value, the definition in features.def
// stands. Dellacherie's features (6, 20 to 23), those of Thiery & Scherrer (31, 32), of Scherrer et al.
// (33), of Llima's xtris (9, frontier, pits) and of Misakamm's tetr-ai follow their programs' behaviour.
// Nothing here is fast: no feature keeps or shares anything with another one.
// A feature is a function of the board after the move, s->after, seen through filled(), height() and hole().
// Rows count from 0, columns too; -1 and `width` are the side walls.
#include "feature/reference.h"

#include <stdlib.h>

enum { WORD_ROWS = 32, EMBEDDED_LIMIT = 16383 };

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

// The floor is filled, the side walls are filled up to the top row, and above a column there is nothing.
static bool filled(const Situation *s, int x, int y) {
    if (y < 0)
        return true;
    if (x < 0 || x >= s->width)
        return y < s->height;
    return y < WORD_ROWS && (s->after->column[x] >> y & 1);
}

static bool filled_on_both_sides(const Situation *s, int x, int y) {
    return filled(s, x - 1, y) && filled(s, x + 1, y);
}

static int height(const Situation *s, int x) {
    return column_height(s->after->column[x]);
}

static bool hole(const Situation *s, int x, int y) {
    return !filled(s, x, y) && y < height(s, x);
}

static int highest(const Situation *s) {
    int most = 0;
    for (int x = 0; x < s->width; x++)
        most = larger(most, height(s, x));
    return most;
}

// Rows in which cells are looked at: the board's, or the pile's if it stands out of the board.
static int rows(const Situation *s) {
    return larger(s->height, highest(s));
}

// ---- heights -------------------------------------------------------------------------------------------

static double reference_MAX_HEIGHT(const Situation *s) { // (2)
    return highest(s);
}

static double reference_MIN_HEIGHT(const Situation *s) { // (24)
    int least = WORD_ROWS;
    for (int x = 0; x < s->width; x++)
        least = smaller(least, height(s, x));
    return least;
}

static double reference_MEAN_HEIGHT(const Situation *s) { // (11)
    double sum = 0;
    for (int x = 0; x < s->width; x++)
        sum += height(s, x);
    return sum / s->width;
}

static double reference_MAX_MINUS_MEAN_HEIGHT(const Situation *s) { // (25)
    return reference_MAX_HEIGHT(s) - reference_MEAN_HEIGHT(s);
}

static double reference_MEAN_MINUS_MIN_HEIGHT(const Situation *s) { // (26)
    return reference_MEAN_HEIGHT(s) - reference_MIN_HEIGHT(s);
}

static double reference_HEIGHT_RANGE(const Situation *s) { // (28)
    return reference_MAX_HEIGHT(s) - reference_MIN_HEIGHT(s);
}

static double reference_COLUMN_HEIGHTS(const Situation *s, int x) { // (4)
    return height(s, x);
}

static double reference_NEAR_TOP(const Situation *s, int index) {
    return larger(0, highest(s) - (s->height - 12 + 2 * index));
}

// ---- surface -------------------------------------------------------------------------------------------

static int step_up(const Situation *s, int x) {
    return height(s, x + 1) - height(s, x);
}

static double reference_JAGS(const Situation *s) { // (1)
    int count = 0;
    for (int x = 0; x + 1 < s->width; x++)
        count += step_up(s, x) != 0;
    return count;
}

static double reference_COLUMN_DIFFERENCES(const Situation *s, int x) { // (5)
    return abs(step_up(s, x));
}

static double reference_HEIGHT_DIFFERENCES(const Situation *s) { // (10)
    int sum = 0;
    for (int x = 0; x + 1 < s->width; x++)
        sum += abs(step_up(s, x));
    return sum;
}

static double reference_DIVERSITY(const Situation *s) { // (33)
    int count = 0;
    for (int step = -2; step <= 2; step++) {
        bool occurs = false;
        for (int x = 0; x + 1 < s->width; x++)
            occurs |= step_up(s, x) == step;
        count += occurs;
    }
    return count;
}

static int clipped(int number, int most) {
    return larger(-most, smaller(most, number));
}

static double reference_STEP_SIZES(const Situation *s, int index) {
    int count = 0;
    for (int x = 0; x + 1 < s->width; x++)
        count += smaller(abs(step_up(s, x)), 3) == index + 1;
    return count;
}

static double reference_WALL_STEPS(const Situation *s, int index) {
    static const int above[] = {-3, -2, -1, 1, 2, 3};
    return (clipped(-step_up(s, 0), 3) == above[index]) +
           (clipped(step_up(s, s->width - 2), 3) == above[index]);
}

// The number of an unordered pair of numbers, both from 0: (0,0), (0,1), (1,1), (0,2) ...
static int unordered(int a, int b) {
    int most = larger(a, b);
    return most * (most + 1) / 2 + smaller(a, b);
}

static double reference_STEP_PAIRS(const Situation *s, int index) {
    int count = 0;
    for (int x = 1; x + 1 < s->width; x++)
        count += unordered(clipped(step_up(s, x - 1), 3) + 3, clipped(-step_up(s, x), 3) + 3) == index;
    return count;
}

// How far a column stands above the one beside, from 0 for -2 or less to 4 for 2 or more; a wall is far
// higher.
static int above_outer(const Situation *s, int x, int beside) {
    bool wall = beside < 0 || beside >= s->width;
    return wall ? 0 : clipped(height(s, x) - height(s, beside), 2) + 2;
}

static double reference_STEP_TRIPLES(const Situation *s, int index) {
    int count = 0;
    for (int x = 0; x + 1 < s->width; x++) {
        int left = above_outer(s, x, x - 1), right = above_outer(s, x + 1, x + 2), up = step_up(s, x);
        int lower = up > 0 ? left : right, higher = up > 0 ? right : left;
        int number = up == 0 ? unordered(left, right) : (abs(up) == 1 ? 15 : 40) + 5 * lower + higher;
        count += number == index;
    }
    return count;
}

// Does this outline, or the same upside down (sign -1), lie at column x?
static bool outline_lies_at(const Situation *s, int x, const Shape *shape, int sign) {
    for (int i = 1; i < shape->width; i++)
        if (step_up(s, x + i - 1) != sign * (shape->bottom[i] - shape->bottom[i - 1]))
            return false;
    return true;
}

static bool same_outlines(const Shape *a, int sign_a, const Shape *b, int sign_b) {
    bool same = a->width == b->width;
    for (int i = 1; same && i < a->width; i++)
        same = sign_a * (a->bottom[i] - a->bottom[i - 1]) == sign_b * (b->bottom[i] - b->bottom[i - 1]);
    return same;
}

// Outline number k of a piece: of its orientations, and then of these upside down.
static int fits_of_piece(const Situation *s, int piece, bool both_ways) {
    const Shape *shape = piece_shape[piece];
    int count = 0, orientations = piece_orientations[piece];
    for (int k = 0; k < orientations * (both_ways ? 2 : 1); k++) {
        const Shape *own = &shape[k % orientations];
        int sign = k < orientations ? 1 : -1;
        bool counted = own->width < 2;
        for (int before = 0; before < k; before++)
            counted |=
                same_outlines(own, sign, &shape[before % orientations], before < orientations ? 1 : -1);
        for (int x = 0; !counted && x + own->width <= s->width; x++)
            count += outline_lies_at(s, x, own, sign);
    }
    return count;
}

static double fits(const Situation *s, int index, bool both_ways) {
    static const int group[][2] = {
        {PIECE_I, PIECE_I}, {PIECE_O, PIECE_O}, {PIECE_T, PIECE_T}, {PIECE_S, PIECE_Z}, {PIECE_L, PIECE_J}};
    const int *pieces = group[index / 2];
    int count = fits_of_piece(s, pieces[0], both_ways) > index % 2;
    if (pieces[1] != pieces[0])
        count += fits_of_piece(s, pieces[1], both_ways) > index % 2;
    return count;
}

static double reference_FITS(const Situation *s, int index) {
    return fits(s, index, false);
}

static double reference_FITS_BOTH_WAYS(const Situation *s, int index) { // Misakamm's tetr-ai
    return fits(s, index, true);
}

// ---- cells and holes -----------------------------------------------------------------------------------

static double reference_CELLS(const Situation *s) { // (19)
    int count = 0;
    for (int x = 0; x < s->width; x++)
        for (int y = 0; y < WORD_ROWS; y++)
            count += filled(s, x, y);
    return count;
}

static double reference_WEIGHTED_CELLS(const Situation *s) { // (17)
    int sum = 0;
    for (int x = 0; x < s->width; x++)
        for (int y = 0; y < WORD_ROWS; y++)
            sum += filled(s, x, y) ? y + 1 : 0;
    return sum;
}

static double reference_HOLES(const Situation *s) { // (3)
    int count = 0;
    for (int x = 0; x < s->width; x++)
        for (int y = 0; y < WORD_ROWS; y++)
            count += hole(s, x, y);
    return count;
}

static double reference_ADJACENT_HOLES(const Situation *s) { // (29)
    int count = 0;
    for (int x = 0; x < s->width; x++)
        for (int y = 0; y < WORD_ROWS; y++)
            count += filled(s, x, y) && !filled(s, x, y - 1);
    return count;
}

static double reference_HOLE_DEPTH(const Situation *s) { // (31)
    int count = 0;
    for (int x = 0; x < s->width; x++) {
        bool empty_below = false;
        for (int y = 0; y < WORD_ROWS; y++) {
            count += filled(s, x, y) && empty_below;
            empty_below |= !filled(s, x, y);
        }
    }
    return count;
}

static double reference_MEAN_HOLE_DEPTH(const Situation *s) { // (27)
    double adjacent = reference_ADJACENT_HOLES(s);
    return adjacent > 0 ? reference_HOLE_DEPTH(s) / adjacent : 0;
}

static double reference_ROWS_WITH_HOLES(const Situation *s) { // (32)
    int count = 0;
    for (int y = 0; y < WORD_ROWS; y++) {
        bool found = false;
        for (int x = 0; x < s->width; x++)
            found |= hole(s, x, y);
        count += found;
    }
    return count;
}

// <- row of the highest hole of a column, from 1; 0: it has none
static int highest_hole_of(const Situation *s, int x) {
    int y = height(s, x);
    while (y > 0 && !hole(s, x, y - 1))
        y--;
    return y;
}

static double reference_HIGHEST_HOLE(const Situation *s) {
    int most = 0;
    for (int x = 0; x < s->width; x++)
        most = larger(most, highest_hole_of(s, x));
    return most;
}

static double reference_HIGHEST_HOLE_COLUMN(const Situation *s) { // Misakamm's tetr-ai
    int most = 0;
    for (int x = 0; x < s->width; x++)
        if (highest_hole_of(s, x) > 0 && highest_hole_of(s, x) == reference_HIGHEST_HOLE(s))
            most = larger(most, height(s, x));
    return most;
}

static int from_wall(const Situation *s, int x) {
    return smaller(x, s->width - 1 - x);
}

static double reference_HOLES_BY_COLUMN(const Situation *s, int place) {
    int count = 0;
    for (int x = 0; x < s->width; x++)
        for (int y = 0; y < WORD_ROWS; y++)
            count += from_wall(s, x) == place && hole(s, x, y);
    return count;
}

// (9) Rows from the top. A row can multiply the sum of the row above by its empty cells, hence the limit.
static double reference_EMBEDDED_HOLES(const Situation *s) {
    int row_sum[WORD_ROWS + 2] = {0}, total = 0;
    for (int y = rows(s) - 1; y >= 0; y--) {
        for (int x = 0; x < s->width; x++) {
            if (filled(s, x, y))
                continue;
            int above = filled(s, x, y + 1) ? row_sum[y + 1] : filled(s, x, y + 2) ? row_sum[y + 2] : 0;
            row_sum[y] = smaller(row_sum[y] + 1 + above, EMBEDDED_LIMIT);
        }
        total = smaller(total + row_sum[y], EMBEDDED_LIMIT);
    }
    return total;
}

// ---- transitions ---------------------------------------------------------------------------------------

static double reference_ROW_TRANSITIONS(const Situation *s) { // (21)
    int count = 0;
    for (int y = 0; y < WORD_ROWS; y++)
        for (int x = -1; x < s->width; x++)
            count += filled(s, x, y) != filled(s, x + 1, y);
    return count;
}

static double reference_COLUMN_TRANSITIONS(const Situation *s) { // (22)
    int count = 0;
    for (int x = 0; x < s->width; x++)
        for (int y = -1; y < WORD_ROWS; y++)
            count += filled(s, x, y) != filled(s, x, y + 1);
    return count;
}

// Empty cells with a filled one beside, above or below, each pair once; `walls`: the side walls count.
static int cell_pairs(const Situation *s, bool walls) {
    static const int dx[] = {-1, 1, 0, 0}, dy[] = {0, 0, -1, 1};
    int count = 0, top = rows(s);
    for (int y = 0; y < top; y++) {
        for (int x = 0; x < s->width; x++) {
            if (filled(s, x, y))
                continue;
            for (int side = 0; side < 4; side++) {
                int nx = x + dx[side], ny = y + dy[side];
                if (ny < 0) // the floor
                    continue;
                bool wall = nx < 0 || nx >= s->width;
                count += wall ? walls : filled(s, nx, ny);
            }
        }
    }
    return count;
}

static double reference_CELL_TRANSITIONS(const Situation *s) { // (7)
    return cell_pairs(s, false);
}

static double reference_FRONTIER(const Situation *s) { // xtris
    return cell_pairs(s, true);
}

// ---- wells ---------------------------------------------------------------------------------------------

static int well_depth(const Situation *s, int x) {
    int left = x > 0 ? height(s, x - 1) : WORD_ROWS; // walls are infinitely high here
    int right = x + 1 < s->width ? height(s, x + 1) : WORD_ROWS;
    return larger(0, smaller(left, right) - height(s, x));
}

static double reference_WELLS(const Situation *s) { // (18)
    int sum = 0;
    for (int x = 0; x < s->width; x++)
        sum += well_depth(s, x);
    return sum;
}

static double reference_DEEP_WELLS(const Situation *s) { // (8)
    int sum = 0;
    for (int x = 0; x < s->width; x++)
        sum += well_depth(s, x) > 1 ? well_depth(s, x) : 0;
    return sum;
}

static double reference_MAX_WELL_DEPTH(const Situation *s) { // (30)
    int most = 0;
    for (int x = 0; x < s->width; x++)
        most = larger(most, well_depth(s, x));
    return most;
}

// One of the four numbers by which a well of this depth is counted.
static int well_number(int depth, int kind) {
    const int number[] = {depth == 1, depth == 2, depth > 2, larger(0, depth - 2)};
    return number[kind];
}

static double reference_WELLS_BY_DEPTH(const Situation *s, int kind) {
    int sum = 0;
    for (int x = 0; x < s->width; x++)
        sum += well_number(well_depth(s, x), kind);
    return sum;
}

static double reference_WELLS_BY_PLACE(const Situation *s, int index) {
    int sum = 0;
    for (int x = 0; x < s->width; x++)
        if (smaller(from_wall(s, x), 3) == index / 4)
            sum += well_number(well_depth(s, x), index % 4);
    return sum;
}

static double reference_DEEPEST_WELL(const Situation *s, int index) {
    int deepest = 0;
    for (int x = 1; x < s->width; x++) {
        int more = well_depth(s, x) - well_depth(s, deepest);
        if (more > 0 || (more == 0 && from_wall(s, x) < from_wall(s, deepest)))
            deepest = x;
    }
    return smaller(from_wall(s, deepest), 3) == index / 4 ? well_number(well_depth(s, deepest), index % 4)
                                                          : 0;
}

static int empty_cells_down(const Situation *s, int x, int y) {
    int count = 0;
    while (!filled(s, x, y - count))
        count++;
    return count;
}

static double reference_CUMULATIVE_WELLS(const Situation *s) { // (23)
    int sum = 0;
    for (int x = 0; x < s->width; x++)
        for (int y = 0; y < WORD_ROWS; y++)
            if (filled_on_both_sides(s, x, y))
                sum += empty_cells_down(s, x, y);
    return sum;
}

static double reference_CUMULATIVE_WELLS_FAST(const Situation *s) { // (23b)
    int sum = 0;
    for (int x = 0; x < s->width; x++) {
        for (int y = WORD_ROWS - 1; y >= 0; y--) {
            if (filled(s, x, y) || !filled_on_both_sides(s, x, y))
                continue;
            int depth = empty_cells_down(s, x, y);
            sum += depth * (depth + 1) / 2;
            y -= depth;
        }
    }
    return sum;
}

static double reference_PITS(const Situation *s) { // xtris
    int sum = 0;
    for (int x = 0; x < s->width; x++) {
        int bottom = height(s, x), top = WORD_ROWS;
        while (top > bottom && !filled_on_both_sides(s, x, top - 1))
            top--;
        sum += larger(0, top - bottom - 1);
    }
    return sum;
}

// ---- moves ---------------------------------------------------------------------------------------------

static double reference_LANDING_HEIGHT(const Situation *s) { // (6)
    return s->landing.row + (s->shape->height - 1) / 2.0;
}

static double reference_MEAN_LANDING_HEIGHT(const Situation *s) { // Misakamm's tetr-ai
    double sum = 0;
    for (int i = 0; i < s->shape->width; i++)
        for (int c = 0; c < s->shape->cells[i]; c++)
            sum += s->landing.row + s->shape->bottom[i] + c;
    return sum / 4;
}

static double reference_REMOVED_LINES(const Situation *s) { // (16)
    return s->landing.lines;
}

static double reference_ERODED_CELLS(const Situation *s) { // (20)
    return s->landing.lines * s->landing.eroded;
}

// By how much a move changes a feature of the board.
static double change(const Situation *s, double (*feature)(const Situation *s)) {
    Situation before = *s;
    before.after = s->before;
    return feature(s) - feature(&before);
}

static double reference_DELTA_MAX_HEIGHT(const Situation *s) { // (12)
    return change(s, reference_MAX_HEIGHT);
}

static double reference_DELTA_HOLES(const Situation *s) { // (13)
    return change(s, reference_HOLES);
}

static double reference_DELTA_HEIGHT_DIFFERENCES(const Situation *s) { // (14)
    return change(s, reference_HEIGHT_DIFFERENCES);
}

static double reference_DELTA_MEAN_HEIGHT(const Situation *s) { // (15)
    return change(s, reference_MEAN_HEIGHT);
}

// ---- all together --------------------------------------------------------------------------------------

// The function of a feature with one value, or of one with several: for columns x, pairs (x, x+1), or by
// number.
typedef union Definition {
    double (*ONE)(const Situation *s);
    double (*PER_COLUMN)(const Situation *s, int x), (*PER_PAIR)(const Situation *s, int x);
    double (*PER_SIDE)(const Situation *s, int index), (*TABLE_3)(const Situation *s, int index),
        (*TABLE_4)(const Situation *s, int index), (*TABLE_6)(const Situation *s, int index),
        (*TABLE_10)(const Situation *s, int index), (*TABLE_16)(const Situation *s, int index),
        (*TABLE_28)(const Situation *s, int index), (*TABLE_65)(const Situation *s, int index);
} Definition;

// A feature without its function, or with one of the wrong kind, does not compile.
static const Definition definition[FEATURES] = {
#define FEATURE(ID, name, number, values, ...) [FEATURE_##ID] = {.values = reference_##ID},
#include "feature/features.def"
#undef FEATURE
};

double feature_reference(FeatureId id, const Situation *s, int index) {
    if (features_of_moves >> id & 1 && !s->shape)
        return 0;
    return feature_info[id].values == ONE ? definition[id].ONE(s) : definition[id].PER_COLUMN(s, index);
}

Situation situation_of_move(const Rules *rules, const Board *before, int piece, const Move *move,
                            Board *after) {
    const Shape *shape = &piece_shape[piece][placement_orientation(move->placement)];
    *after = *before;
    Landing landing = board_place(after, rules->width, shape, placement_column(move->placement), move->row);
    return (Situation){rules->width, rules->height, before, after, shape, landing};
}
