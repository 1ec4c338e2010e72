// SPDX-License-Identifier: GPL-3.0-or-later
// Open wells by table. Above the top of a column, t = (left & right) >> height has a bit for every empty cell
// with both sides filled, bit 0 right on top of the column: such a cell has (its bit number + 1) empty cells
// from it downward. Tables for t < 64; deeper wells are rare and are followed cell by cell.
#ifndef TETRALAB_FEATURE_WELL_TABLES_H
#define TETRALAB_FEATURE_WELL_TABLES_H

#include <stdint.h>

#include "feature/feature.h"

// The features that look at open wells.
#define WELL_FEATURES                                                                                        \
    ((uint64_t)1 << FEATURE_WELLS | (uint64_t)1 << FEATURE_DEEP_WELLS | (uint64_t)1 << FEATURE_MAX_WELL_DEPTH)

enum { WELLS_CUMULATIVE, WELLS_FAST }; // features 23 and 23b: sum over the bits; 1 + ... + highest bit

#define EACH_BIT(t)                                                                                          \
    (((t)&1) + ((t) >> 1 & 1) * 2 + ((t) >> 2 & 1) * 3 + ((t) >> 3 & 1) * 4 + ((t) >> 4 & 1) * 5 +           \
     ((t) >> 5 & 1) * 6)
#define BIT_OR_HIGHER(t)                                                                                     \
    (((t) > 0) + ((t) > 1) * 2 + ((t) > 3) * 3 + ((t) > 7) * 4 + ((t) > 15) * 5 + ((t) > 31) * 6)
#define FOUR(f, t)    f(t), f((t) + 1), f((t) + 2), f((t) + 3)
#define SIXTEEN(f, t) FOUR(f, t), FOUR(f, (t) + 4), FOUR(f, (t) + 8), FOUR(f, (t) + 12)
#define ALL(f)        SIXTEEN(f, 0), SIXTEEN(f, 16), SIXTEEN(f, 32), SIXTEEN(f, 48)

_Alignas(64) static const uint8_t well_table[2][64] = {{ALL(EACH_BIT)}, {ALL(BIT_OR_HIGHER)}};

#undef EACH_BIT
#undef BIT_OR_HIGHER
#undef FOUR
#undef SIXTEEN
#undef ALL

#endif
