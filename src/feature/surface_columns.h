// SPDX-License-Identifier: GPL-3.0-or-later
// The value of a whole board, column by column, for machines without wide vectors. Part of the surface
// kernel.
#ifndef TETRALAB_FEATURE_SURFACE_COLUMNS_H
#define TETRALAB_FEATURE_SURFACE_COLUMNS_H

#include "feature/surface_further_board.h"

static int64_t columns_value(const SurfacePlan *plan, const uint32_t *columns) {
    uint32_t wall = (1u << plan->height) - 1, left = wall, hole_rows = 0, seen = 0;
    int rows = 0, transitions = 0, holes = 0, depth = 0, wells = 0;
    for (int x = 0; x < plan->width; x++) {
        uint32_t c = columns[x], right = x + 1 < plan->width ? columns[x + 1] : wall;
        uint32_t hole = ~(c | ~0u << column_height(c));
        rows += count_bits(left ^ c);
        transitions += count_bits(c ^ (c << 1 | 1));
        depth += count_bits(c & ~(c ^ (c + 1)));
        hole_rows |= hole;
        if (hole)
            holes += count_bits(hole);
        uint32_t mask = left & right & ~c;
        if (mask)
            wells += column_wells(mask, c, plan->fast_wells);
        if (plan->use_diversity && x + 1 < plan->width) {
            uint32_t d = (uint32_t)(column_height(right) - column_height(c) + 2);
            seen |= d < 5 ? 1u << d : 0;
        }
        left = c;
    }
    rows += count_bits(left ^ wall);
    return plan->rows * rows + plan->columns * transitions + plan->holes * holes + plan->depth * depth +
           plan->well * wells + plan->rows_with_holes * count_bits(hole_rows) +
           plan->diversity * count_bits(seen) + (plan->more ? further_value(plan, columns) : 0) +
           (plan->tables ? whole_tables_value(plan, columns) : 0);
}

#endif
