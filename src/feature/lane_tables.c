// SPDX-License-Identifier: GPL-3.0-or-later
// The tables of lane_tables.h.
#include "feature/lane_tables.h"

#define TABLE(...)                                                                                           \
    { __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__ }
#define EIGHT(n) n, n, n, n, n, n, n, n
#define ALL(n)                                                                                               \
    { EIGHT(n), EIGHT(n), EIGHT(n), EIGHT(n) }
#define FROM(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7

const LaneTables lane_tables __attribute__((aligned(64))) = {
    .bits = TABLE(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4),
    .positions = TABLE(0, 1, 2, 3, 3, 4, 5, 6, 4, 5, 6, 7, 7, 8, 9, 10),
    .well_low = TABLE(0, 1, 2, 3, 3, 4, 5, 6, 4, 5, 6, 7, 7, 8, 9, 10),
    .well_high = TABLE(0, 5, 6, 11, 7, 12, 13, 18, 8, 13, 14, 19, 15, 20, 21, 26),
    .fast_low = TABLE(0, 1, 3, 3, 6, 6, 6, 6, 10, 10, 10, 10, 10, 10, 10, 10),
    .fast_high = TABLE(0, 15, 21, 21, 28, 28, 28, 28, 36, 36, 36, 36, 36, 36, 36, 36),
    .power_low = TABLE(0, 0, 0, 0, 0, 0, 0, 0, 128, 64, 32, 16, 8, 4, 2, 1),
    .power_high = TABLE(128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0),
    .steps = TABLE(1, 2, 4, 8, 16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    .nibbles = ALL(0x0f0f),
    .deep = ALL(0xff80),
    .count = {FROM(0), FROM(8), FROM(16), FROM(24), FROM(32), FROM(40), FROM(48), FROM(56)},
};
