// SPDX-License-Identifier: GPL-3.0-or-later
// Fills what look-ups in lanes need (surface_entries.h): the tables of surface_tables.h in numbers of 32
// bits. Part of the surface kernel.
#ifndef TETRALAB_FEATURE_SURFACE_ENTRIES_FILL_H
#define TETRALAB_FEATURE_SURFACE_ENTRIES_FILL_H

#include <stdlib.h>

#include "feature/surface_tables.h"

#ifdef W_GATHERS

// The largest number of a table so far.
static int32_t lane_number(int64_t value, int64_t *most) {
    *most = llabs(value) > *most ? llabs(value) : *most;
    return (int32_t)value;
}

static LaneEntry lane_entry(int64_t value, uint16_t fits, int64_t *most) {
    return (LaneEntry){lane_number(value, most), fits};
}

// -> index  with three steps. <- with those that the table is looked up with
static int right_index(const TablePlan *plan, int index) {
    return plan->deep ? index : index >> 3;
}

static int64_t fill_lane_steps(const TablePlan *plan, LaneTables *lanes, int64_t *before) {
    int64_t left = 0, right = 0, middle = 0, place = 0;
    for (int k = 0; k < TABLE_ORIENTATIONS * LANE_STEPS; k++) {
        const TableShape *s = &plan->shape[k / LANE_STEPS];
        int i = k % LANE_STEPS, at_right = right_index(plan, i), at_left = plan->deep ? i : i % 64;
        lanes->left[k] = lane_entry(s->left.value[at_left], s->left.fits[at_left], &left);
        lanes->right[k] = lane_entry(s->right.value[at_right], s->right.fits[at_right], &right);
    }
    for (int k = 0; k < LANE_UPRIGHT; k++)
        lanes->middle[k] = lane_entry(plan->upright[k], plan->upright_fits[k], &middle);
    for (int k = 0; k < TABLE_ORIENTATIONS * 64; k++) {
        const TableShape *s = &plan->shape[k / 64];
        if (s->width == 2)
            lanes->middle[LANE_UPRIGHT + k] = lane_entry(s->middle[k % 64], s->middle_fits[k % 64], &middle);
    }
    for (int k = 0; k < LANE_STEPS; k++) {
        uint8_t code[3] = {(uint8_t)(k >> 6), (uint8_t)(k >> 3 & 7), (uint8_t)(k & 7)};
        lanes->place[k] =
            lane_entry(place_value(plan, code + 1), (uint16_t)place_fits(plan, code + 1), &place);
    }
    *before = 7 * place; // columns -2 ... 4 around a piece four columns wide
    return left + right + middle;
}

// Of two wells beside each other one has no depth, so that a piece has two at most, and its six columns had
// three.
static int64_t fill_lane_wells(const TablePlan *plan, LaneTables *lanes, int64_t *before) {
    enum { DEEPEST = V_BITS == 16 ? 16 : 31 }; // the deepest well of a pile that lanes hold
    int64_t well = 0, deepest = 0;
    for (int k = 0; k < 4 * LANE_DEPTHS; k++) {
        int depth = k / 4 < DEEPEST ? k / 4 : DEEPEST;
        lanes->well[k] = lane_number(plan->well[3 - k % 4][depth], &well);
        lanes->deepest[k] = lane_number(plan->deepest[4 * depth + k % 4], &deepest);
    }
    *before += 3 * well;
#ifdef W_LOOKS_UP_32
    memcpy(lanes->low_well, lanes->well, sizeof lanes->low_well);
    memcpy(lanes->low_deepest, lanes->deepest, sizeof lanes->low_deepest);
#endif
    return 2 * well + deepest;
}

static int64_t fits_value(const TablePlan *plan, unsigned set) {
    return plan->once[set & FITS_ONCE] + plan->twice[set >> PIECES];
}

static int64_t fill_lane_sets(const TablePlan *plan, LaneTables *lanes) {
    int64_t top = 0, fits = 0;
    for (int k = 0; k < TABLE_HEIGHTS; k++)
        lanes->top[k] = lane_number(plan->top[k], &top);
#ifdef W_LOOKS_UP_32
    for (unsigned k = 0; k < 3 * 32; k++)
        lanes->fits[k / 32][k % 32] =
            lane_number(fits_value(plan, k % 32 << k / 32 * 5 & ((1 << 2 * PIECES) - 1)), &fits);
    return top + 3 * fits;
#else
    for (unsigned k = 0; k < 1 << 2 * PIECES; k++)
        lanes->fits[k] = lane_number(fits_value(plan, k), &fits);
    return top + fits;
#endif
}

// <- do all sums fit into 32 bits?
static bool fill_lane_tables(const TablePlan *plan, LaneTables *lanes) {
    int64_t before = 0, after = fill_lane_steps(plan, lanes, &before);
    after += fill_lane_wells(plan, lanes, &before);
    after += fill_lane_sets(plan, lanes);
    return before <= INT32_MAX && after <= INT32_MAX;
}

#endif
#endif
