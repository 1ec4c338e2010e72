// SPDX-License-Identifier: GPL-3.0-or-later
// Every feature as its definition reads. Numbers in brackets are the rows of Table 2.1 in Amundsen's
// thesis; where its appendix is off by one or drops an absolute value, the definition in features.def
// stands. Dellacherie's features (6, 20 to 23), those of Thiery & Scherrer (31, 32), of Scherrer et al.
// (33) and of Llima's xtris (9, frontier, pits) follow their programs' behaviour.
// Nothing here is fast: no feature keeps or shares anything with another one.
#include "feature/reference.h"

#include <stdlib.h>

// A board as the definitions see it. Rows count from 0, columns too; -1 and `width` are the side walls.
typedef struct Grid {
    const Board *board;
    int width, height;
} Grid;

enum { WORD_ROWS = 32, EMBEDDED_LIMIT = 16383 };

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

// The floor is filled, the side walls are filled up to the top row, and above a column there is nothing.
static bool filled(const Grid *grid, int x, int y) {
    if (y < 0)
        return true;
    if (x < 0 || x >= grid->width)
        return y < grid->height;
    return y < WORD_ROWS && (grid->board->column[x] >> y & 1);
}

static bool filled_on_both_sides(const Grid *grid, int x, int y) {
    return filled(grid, x - 1, y) && filled(grid, x + 1, y);
}

static int height(const Grid *grid, int x) {
    return column_height(grid->board->column[x]);
}

static bool hole(const Grid *grid, int x, int y) {
    return !filled(grid, x, y) && y < height(grid, x);
}

static int highest(const Grid *grid) {
    int most = 0;
    for (int x = 0; x < grid->width; x++)
        most = larger(most, height(grid, x));
    return most;
}

// Rows in which cells are looked at: the board's, or the pile's if it stands out of the board.
static int rows(const Grid *grid) {
    return larger(grid->height, highest(grid));
}

// ---- heights -------------------------------------------------------------------------------------------

static double max_height(const Grid *grid) { // (2)
    return highest(grid);
}

static double min_height(const Grid *grid) { // (24)
    int least = WORD_ROWS;
    for (int x = 0; x < grid->width; x++)
        least = smaller(least, height(grid, x));
    return least;
}

static double mean_height(const Grid *grid) { // (11)
    double sum = 0;
    for (int x = 0; x < grid->width; x++)
        sum += height(grid, x);
    return sum / grid->width;
}

static double max_minus_mean_height(const Grid *grid) { // (25)
    return max_height(grid) - mean_height(grid);
}

static double mean_minus_min_height(const Grid *grid) { // (26)
    return mean_height(grid) - min_height(grid);
}

static double height_range(const Grid *grid) { // (28)
    return max_height(grid) - min_height(grid);
}

// ---- surface -------------------------------------------------------------------------------------------

static int step_up(const Grid *grid, int x) {
    return height(grid, x + 1) - height(grid, x);
}

static double jags(const Grid *grid) { // (1)
    int count = 0;
    for (int x = 0; x + 1 < grid->width; x++)
        count += step_up(grid, x) != 0;
    return count;
}

static double height_differences(const Grid *grid) { // (10)
    int sum = 0;
    for (int x = 0; x + 1 < grid->width; x++)
        sum += abs(step_up(grid, x));
    return sum;
}

static double diversity(const Grid *grid) { // (33)
    int count = 0;
    for (int step = -2; step <= 2; step++) {
        bool occurs = false;
        for (int x = 0; x + 1 < grid->width; x++)
            occurs |= step_up(grid, x) == step;
        count += occurs;
    }
    return count;
}

// ---- cells and holes -----------------------------------------------------------------------------------

static double cells(const Grid *grid) { // (19)
    int count = 0;
    for (int x = 0; x < grid->width; x++)
        for (int y = 0; y < WORD_ROWS; y++)
            count += filled(grid, x, y);
    return count;
}

static double weighted_cells(const Grid *grid) { // (17)
    int sum = 0;
    for (int x = 0; x < grid->width; x++)
        for (int y = 0; y < WORD_ROWS; y++)
            sum += filled(grid, x, y) ? y + 1 : 0;
    return sum;
}

static double holes(const Grid *grid) { // (3)
    int count = 0;
    for (int x = 0; x < grid->width; x++)
        for (int y = 0; y < WORD_ROWS; y++)
            count += hole(grid, x, y);
    return count;
}

static double adjacent_holes(const Grid *grid) { // (29)
    int count = 0;
    for (int x = 0; x < grid->width; x++)
        for (int y = 0; y < WORD_ROWS; y++)
            count += filled(grid, x, y) && !filled(grid, x, y - 1);
    return count;
}

static double hole_depth(const Grid *grid) { // (31)
    int count = 0;
    for (int x = 0; x < grid->width; x++) {
        bool empty_below = false;
        for (int y = 0; y < WORD_ROWS; y++) {
            count += filled(grid, x, y) && empty_below;
            empty_below |= !filled(grid, x, y);
        }
    }
    return count;
}

static double mean_hole_depth(const Grid *grid) { // (27)
    double adjacent = adjacent_holes(grid);
    return adjacent > 0 ? hole_depth(grid) / adjacent : 0;
}

static double rows_with_holes(const Grid *grid) { // (32)
    int count = 0;
    for (int y = 0; y < WORD_ROWS; y++) {
        bool found = false;
        for (int x = 0; x < grid->width; x++)
            found |= hole(grid, x, y);
        count += found;
    }
    return count;
}

// (9) Rows from the top. A row can multiply the sum of the row above by its empty cells, hence the limit.
static double embedded_holes(const Grid *grid) {
    int row_sum[WORD_ROWS + 2] = {0}, total = 0;
    for (int y = rows(grid) - 1; y >= 0; y--) {
        for (int x = 0; x < grid->width; x++) {
            if (filled(grid, x, y))
                continue;
            int above = filled(grid, x, y + 1) ? row_sum[y + 1] : filled(grid, x, y + 2) ? row_sum[y + 2] : 0;
            row_sum[y] = smaller(row_sum[y] + 1 + above, EMBEDDED_LIMIT);
        }
        total = smaller(total + row_sum[y], EMBEDDED_LIMIT);
    }
    return total;
}

// ---- transitions ---------------------------------------------------------------------------------------

static double row_transitions(const Grid *grid) { // (21)
    int count = 0;
    for (int y = 0; y < WORD_ROWS; y++)
        for (int x = -1; x < grid->width; x++)
            count += filled(grid, x, y) != filled(grid, x + 1, y);
    return count;
}

static double column_transitions(const Grid *grid) { // (22)
    int count = 0;
    for (int x = 0; x < grid->width; x++)
        for (int y = -1; y < WORD_ROWS; y++)
            count += filled(grid, x, y) != filled(grid, x, y + 1);
    return count;
}

// Empty cells with a filled one beside, above or below, each pair once; `walls`: the side walls count.
static int cell_pairs(const Grid *grid, bool walls) {
    static const int dx[] = {-1, 1, 0, 0}, dy[] = {0, 0, -1, 1};
    int count = 0, top = rows(grid);
    for (int y = 0; y < top; y++) {
        for (int x = 0; x < grid->width; x++) {
            if (filled(grid, x, y))
                continue;
            for (int side = 0; side < 4; side++) {
                int nx = x + dx[side], ny = y + dy[side];
                if (ny < 0) // the floor
                    continue;
                bool wall = nx < 0 || nx >= grid->width;
                count += wall ? walls : filled(grid, nx, ny);
            }
        }
    }
    return count;
}

static double cell_transitions(const Grid *grid) { // (7)
    return cell_pairs(grid, false);
}

static double frontier(const Grid *grid) { // xtris
    return cell_pairs(grid, true);
}

// ---- wells ---------------------------------------------------------------------------------------------

static int well_depth(const Grid *grid, int x) {
    int left = x > 0 ? height(grid, x - 1) : WORD_ROWS; // walls are infinitely high here
    int right = x + 1 < grid->width ? height(grid, x + 1) : WORD_ROWS;
    return larger(0, smaller(left, right) - height(grid, x));
}

static double wells(const Grid *grid) { // (18)
    int sum = 0;
    for (int x = 0; x < grid->width; x++)
        sum += well_depth(grid, x);
    return sum;
}

static double deep_wells(const Grid *grid) { // (8)
    int sum = 0;
    for (int x = 0; x < grid->width; x++)
        sum += well_depth(grid, x) > 1 ? well_depth(grid, x) : 0;
    return sum;
}

static double max_well_depth(const Grid *grid) { // (30)
    int most = 0;
    for (int x = 0; x < grid->width; x++)
        most = larger(most, well_depth(grid, x));
    return most;
}

static int empty_cells_down(const Grid *grid, int x, int y) {
    int count = 0;
    while (!filled(grid, x, y - count))
        count++;
    return count;
}

static double cumulative_wells(const Grid *grid) { // (23)
    int sum = 0;
    for (int x = 0; x < grid->width; x++)
        for (int y = 0; y < WORD_ROWS; y++)
            if (filled_on_both_sides(grid, x, y))
                sum += empty_cells_down(grid, x, y);
    return sum;
}

static double cumulative_wells_fast(const Grid *grid) { // (23b)
    int sum = 0;
    for (int x = 0; x < grid->width; x++) {
        for (int y = WORD_ROWS - 1; y >= 0; y--) {
            if (filled(grid, x, y) || !filled_on_both_sides(grid, x, y))
                continue;
            int depth = empty_cells_down(grid, x, y);
            sum += depth * (depth + 1) / 2;
            y -= depth;
        }
    }
    return sum;
}

static double pits(const Grid *grid) { // xtris
    int sum = 0;
    for (int x = 0; x < grid->width; x++) {
        int bottom = height(grid, x), top = WORD_ROWS;
        while (top > bottom && !filled_on_both_sides(grid, x, top - 1))
            top--;
        sum += larger(0, top - bottom - 1);
    }
    return sum;
}

// ---- moves ---------------------------------------------------------------------------------------------

static double landing_height(const Situation *situation) { // (6)
    return situation->landing.row + (situation->shape->height - 1) / 2.0;
}

static double removed_lines(const Situation *situation) { // (16)
    return situation->landing.lines;
}

static double eroded_cells(const Situation *situation) { // (20)
    return situation->landing.lines * situation->landing.eroded;
}

// ---- all together --------------------------------------------------------------------------------------

typedef double BoardMeasure(const Grid *grid);
typedef double MoveMeasure(const Situation *situation);

static BoardMeasure *const of_board[FEATURES] = {
    [FEATURE_JAGS] = jags,
    [FEATURE_MAX_HEIGHT] = max_height,
    [FEATURE_HOLES] = holes,
    [FEATURE_CELL_TRANSITIONS] = cell_transitions,
    [FEATURE_DEEP_WELLS] = deep_wells,
    [FEATURE_EMBEDDED_HOLES] = embedded_holes,
    [FEATURE_HEIGHT_DIFFERENCES] = height_differences,
    [FEATURE_MEAN_HEIGHT] = mean_height,
    [FEATURE_WEIGHTED_CELLS] = weighted_cells,
    [FEATURE_WELLS] = wells,
    [FEATURE_CELLS] = cells,
    [FEATURE_ROW_TRANSITIONS] = row_transitions,
    [FEATURE_COLUMN_TRANSITIONS] = column_transitions,
    [FEATURE_CUMULATIVE_WELLS] = cumulative_wells,
    [FEATURE_CUMULATIVE_WELLS_FAST] = cumulative_wells_fast,
    [FEATURE_MIN_HEIGHT] = min_height,
    [FEATURE_MAX_MINUS_MEAN_HEIGHT] = max_minus_mean_height,
    [FEATURE_MEAN_MINUS_MIN_HEIGHT] = mean_minus_min_height,
    [FEATURE_MEAN_HOLE_DEPTH] = mean_hole_depth,
    [FEATURE_HEIGHT_RANGE] = height_range,
    [FEATURE_ADJACENT_HOLES] = adjacent_holes,
    [FEATURE_MAX_WELL_DEPTH] = max_well_depth,
    [FEATURE_HOLE_DEPTH] = hole_depth,
    [FEATURE_ROWS_WITH_HOLES] = rows_with_holes,
    [FEATURE_DIVERSITY] = diversity,
    [FEATURE_FRONTIER] = frontier,
    [FEATURE_PITS] = pits,
};

static MoveMeasure *const of_move[FEATURES] = {
    [FEATURE_LANDING_HEIGHT] = landing_height,
    [FEATURE_REMOVED_LINES] = removed_lines,
    [FEATURE_ERODED_CELLS] = eroded_cells,
};

static BoardMeasure *const change_of[FEATURES] = {
    // (12) to (15)
    [FEATURE_DELTA_MAX_HEIGHT] = max_height,
    [FEATURE_DELTA_HOLES] = holes,
    [FEATURE_DELTA_HEIGHT_DIFFERENCES] = height_differences,
    [FEATURE_DELTA_MEAN_HEIGHT] = mean_height,
};

int feature_reference(FeatureId id, const Situation *situation, double *values) {
    int width = situation->width;
    Grid before = {situation->before, width, situation->height};
    Grid after = {situation->after, width, situation->height};
    if (id == FEATURE_COLUMN_HEIGHTS) { // (4)
        for (int x = 0; x < width; x++)
            values[x] = height(&after, x);
        return width;
    }
    if (id == FEATURE_COLUMN_DIFFERENCES) { // (5)
        for (int x = 0; x + 1 < width; x++)
            values[x] = abs(step_up(&after, x));
        return width - 1;
    }
    if (of_board[id])
        values[0] = of_board[id](&after);
    else if (!situation->shape)
        values[0] = 0;
    else if (of_move[id])
        values[0] = of_move[id](situation);
    else
        values[0] = change_of[id](&after) - change_of[id](&before);
    return 1;
}
