// SPDX-License-Identifier: GPL-3.0-or-later
// Weights that were learned with this program (docs/records.md; scripts/learn-records does it again), times a
// number that makes the largest 10,000, and rounded. Only builtin.c includes this.
#ifndef TETRALAB_PLAYER_BUILTIN_RECORDS_H
#define TETRALAB_PLAYER_BUILTIN_RECORDS_H

#define LAB_20                                                                                               \
    WEIGHTS(MAX_HEIGHT, 45), WEIGHTS(HOLES, 245), WEIGHTS(LANDING_HEIGHT, -412),                             \
        WEIGHTS(REMOVED_LINES, 1427), WEIGHTS(ERODED_CELLS, -152), WEIGHTS(ROW_TRANSITIONS, -1352),          \
        WEIGHTS(COLUMN_TRANSITIONS, -784), WEIGHTS(CUMULATIVE_WELLS, -462), WEIGHTS(HOLE_DEPTH, -17),        \
        WEIGHTS(ROWS_WITH_HOLES, -5383), WEIGHTS(DIVERSITY, 184), WEIGHTS(MEAN_LANDING_HEIGHT, -839),        \
        WEIGHTS(HIGHEST_HOLE, -399), WEIGHTS(HIGHEST_HOLE_COLUMN, -789),                                     \
        WEIGHTS(HOLES_BY_COLUMN, -2317, -2123, -2171, -1730, -1787),                                         \
        WEIGHTS(WELLS_BY_PLACE, -687, -3103, -2048, -10000, -706, -3472, -1925, -9161, -769, -3298, -1935,   \
                -9245, -715, -3128, -1966, -7613),                                                           \
        WEIGHTS(DEEPEST_WELL, 773, 1810, 1241, 3628, 669, 1787, 720, 2920, 936, 2247, 1392, 3536, 991, 2240, \
                1258, 2697),                                                                                 \
        WEIGHTS(FITS_BOTH_WAYS, 199, -17, 801, 394, -277, 365, 923, 656, 520, 186),                          \
        WEIGHTS(STEP_SIZES, 64, -93, -261), WEIGHTS(WALL_STEPS, -491, 459, -46, 61, -18, 133),               \
        WEIGHTS(STEP_PAIRS, 84, 70, 236, 13, -209, 17, -67, -89, 89, 14, -93, 72, 5, 53, -86, -170, 23, -20, \
                -55, 23, 298, -37, -14, 50, 56, -31, -59, -480),                                             \
        WEIGHTS(STEP_TRIPLES, -241, 197, 355, 78, 316, 203, -316, -166, 251, 494, -116, -79, -345, 74, 235,  \
                -7, 139, 162, -529, -587, 543, -329, 236, -741, -245, 103, 492, -253, 398, -124, -433, -446, \
                398, 89, 373, 3, -50, -273, -41, 201, 662, 408, -518, -291, 331, -281, -30, -166, -336, 75,  \
                -290, -678, 307, 101, -114, -166, 276, 476, 113, -334, -470, -243, 60, 243, -119),           \
        WEIGHTS(NEAR_TOP, 352, 314, -6, 16, -101, -124)

#define LAB_20B                                                                                              \
    WEIGHTS(MAX_HEIGHT, 43), WEIGHTS(HOLES, 10), WEIGHTS(LANDING_HEIGHT, -325),                              \
        WEIGHTS(REMOVED_LINES, 1429), WEIGHTS(ERODED_CELLS, -103), WEIGHTS(ROW_TRANSITIONS, -1217),          \
        WEIGHTS(COLUMN_TRANSITIONS, -835), WEIGHTS(CUMULATIVE_WELLS, -339), WEIGHTS(HOLE_DEPTH, -71),        \
        WEIGHTS(ROWS_WITH_HOLES, -4383), WEIGHTS(DIVERSITY, 78), WEIGHTS(MEAN_LANDING_HEIGHT, -652),         \
        WEIGHTS(HIGHEST_HOLE, 320), WEIGHTS(HIGHEST_HOLE_COLUMN, -798),                                      \
        WEIGHTS(HOLES_BY_COLUMN, -2255, -2053, -2074, -1725, -1762),                                         \
        WEIGHTS(WELLS_BY_PLACE, -698, -3137, -1903, -10000, -728, -3698, -1996, -9303, -797, -3355, -1702,   \
                -8970, -741, -3178, -2212, -7657),                                                           \
        WEIGHTS(DEEPEST_WELL, 876, 1796, 1184, 4413, 723, 2129, 928, 3769, 976, 2259, 675, 4117, 1011, 2251, \
                1254, 3455),                                                                                 \
        WEIGHTS(FITS_BOTH_WAYS, 263, 86, 644, 403, -753, 187, 822, 695, 550, 175),                           \
        WEIGHTS(STEP_SIZES, 230, -92, -396), WEIGHTS(WALL_STEPS, -240, 458, -28, 27, -37, 71),               \
        WEIGHTS(STEP_PAIRS, 237, -23, 573, 61, -336, 60, -100, -199, 69, -47, -203, 99, -46, 66, -126, -237, \
                73, 29, -80, 71, 541, -65, -97, 173, 162, 75, -42, -1016),                                   \
        WEIGHTS(STEP_TRIPLES, -237, 145, 264, 30, 259, 133, -246, -100, 221, 368, -132, -42, -204, 98, 141,  \
                -21, 92, 109, -414, -478, 386, -221, 211, -569, -210, 60, 337, -186, 266, -40, -332, -319,   \
                295, 79, 268, -10, -74, -164, -17, 113, 509, 320, -261, -145, 324, -242, -62, -164, -246,    \
                22, -226, -484, 184, 36, -101, -134, 182, 362, 99, -204, -364, -192, 46, 161, -96),          \
        WEIGHTS(NEAR_TOP, 295, 371, 24, -53, -185, -599)

#endif
