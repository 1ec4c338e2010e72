// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and constants of the kernel that are looked up lane by lane. They stand in a file of their own,
// where no compiler sees what is in them: it would build them anew from immediates wherever they are used,
// three instructions instead of an operand. Tables of 16 bytes are repeated for every 128 bits of a register.
#ifndef TETRALAB_FEATURE_LANE_TABLES_H
#define TETRALAB_FEATURE_LANE_TABLES_H

#include <stdint.h>

typedef uint8_t LaneTable[64];

typedef struct LaneTables {
    LaneTable bits;                  // set in a number of four bits
    LaneTable positions;             // sum of their positions, counted from 1
    LaneTable well_low, well_high;   // the same for the lower and the upper four of eight bits
    LaneTable fast_low, fast_high;   // 1 + ... + that of the highest
    LaneTable power_low, power_high; // the two bytes of 2^(15 - n)
    LaneTable steps;                 // a bit for each of five
    uint16_t nibbles[32];            // the lower four bits of all bytes
    uint16_t deep[32];               // bits of wells that are too deep for the tables
    uint16_t count[64];              // 0, 1, 2 ...
} LaneTables;

extern const LaneTables lane_tables __attribute__((visibility("hidden")));

#endif
