// SPDX-License-Identifier: GPL-3.0-or-later
// Fills the tables of surface_tables.h from a rating's weights, once for each player. Part of the surface
// kernel.
#ifndef TETRALAB_FEATURE_SURFACE_TABLES_FILL_H
#define TETRALAB_FEATURE_SURFACE_TABLES_FILL_H

#include <stdlib.h>

#include "feature/surface_entries_fill.h"
#include "feature/surface_plan.h"
#include "feature/surface_tables.h"

// The weights of all values, 0 where the rating has none.
typedef struct AllWeights {
    int64_t of[FEATURES_ALL_VALUES];
} AllWeights;

static void all_weights(const Rating *rating, AllWeights *weights) {
    memset(weights, 0, sizeof *weights);
    for (int t = 0; t < rating->terms; t++)
        weights->of[feature_first[rating->term[t].feature] + rating->term[t].index] = rating->term[t].weight;
}

// ---------------------------------------------------------------------------------------------------
// One place

// The number of an unordered pair of numbers from 0 on.
static int unordered_number(int a, int b) {
    int most = a > b ? a : b, least = a < b ? a : b;
    return most * (most + 1) / 2 + least;
}

static int64_t pair_value(const AllWeights *w, int left, int right) {
    int64_t value = 0;
    int size = right == STEP_NONE ? 0 : abs(right - 3);
    if (size)
        value += w->of[FIRST_OF_STEP_SIZES + size - 1];
    if (left != STEP_NONE && right != STEP_NONE)
        return value + w->of[FIRST_OF_STEP_PAIRS + unordered_number(left, 6 - right)];
    if (left == right)
        return value;
    int above = left == STEP_NONE ? 6 - right : left; // its only neighbour
    return above == 3 ? value : value + w->of[FIRST_OF_WALL_STEPS + above - (above > 3)];
}

// How far a column stands above its outer neighbour, from 0 for -2 or less to 4; walls are far higher.
static int above_outer_code(int code) {
    return code == STEP_NONE || code < 1 ? 0 : code > 5 ? 4 : code - 1;
}

static int64_t triple_value(const AllWeights *w, int left, int own, int right) {
    if (own == STEP_NONE)
        return 0;
    int a = above_outer_code(left), b = right == STEP_NONE ? 0 : above_outer_code(6 - right);
    int size = abs(own - 3) < 2 ? abs(own - 3) : 2, lower = own > 3 ? a : b, higher = own > 3 ? b : a;
    int number = size == 0 ? unordered_number(a, b) : 25 * size - 10 + 5 * lower + higher;
    return w->of[FIRST_OF_STEP_TRIPLES + number];
}

static void add_fit(uint16_t *fits, int piece) {
    *fits = (uint16_t)fits_together(*fits, 1u << piece);
}

// The outlines of a piece, each once: steps as codes, the last ones at a place and the step behind it.
static void fill_fits_of_piece(TablePlan *plan, int piece, bool both_ways) {
    bool seen[STEP_CODES][STEP_CODES] = {{false}};
    int orientations = piece_orientations[piece];
    for (int k = 0; k < orientations * (both_ways ? 2 : 1); k++) {
        const Shape *shape = &piece_shape[piece][k % orientations];
        int sign = k < orientations ? 1 : -1, last = shape->width - 1;
        if (last < 1 || last > 2)
            continue; // I: where three steps are flat
        int right = 3 + sign * (shape->bottom[last] - shape->bottom[last - 1]);
        int left = last == 2 ? 3 + sign * (shape->bottom[1] - shape->bottom[0]) : STEP_NONE;
        if (seen[left][right])
            continue;
        seen[left][right] = true;
        if (last == 2)
            add_fit(&plan->pair_fits[left][right], piece);
        for (int any = 0; last == 1 && any < STEP_CODES; any++)
            add_fit(&plan->pair_fits[any][right], piece);
    }
}

static void fill_fits(TablePlan *plan, const AllWeights *w, bool both_ways) {
    static const int group[PIECES] = {[PIECE_I] = 0, [PIECE_O] = 1, [PIECE_T] = 2, [PIECE_S] = 3,
                                      [PIECE_Z] = 3, [PIECE_L] = 4, [PIECE_J] = 4};
    const int64_t *weight = w->of + (both_ways ? FIRST_OF_FITS_BOTH_WAYS : FIRST_OF_FITS);
    for (int piece = 0; piece < PIECES; piece++)
        fill_fits_of_piece(plan, piece, both_ways);
    for (int set = 0; set <= FITS_ONCE; set++)
        for (int piece = 0; piece < PIECES; piece++)
            if (set >> piece & 1) {
                plan->once[set] += weight[2 * group[piece]];
                plan->twice[set] += weight[2 * group[piece] + 1];
            }
}

// ---------------------------------------------------------------------------------------------------
// The places around a piece

enum { AROUND_LEFT, AROUND_RIGHT, AROUND_MIDDLE, AROUND_TABLES };

// Steps around a piece from s[-3] on, and which of them are known: those within the piece, and those that a
// table is looked up with.
enum { AROUND_FIRST = 3, AROUND_STEPS = 10 };
typedef struct AroundPiece {
    int width, code[AROUND_STEPS];
    unsigned inside, with[AROUND_TABLES]; // sets of steps, bit AROUND_FIRST + i for s[i]
} AroundPiece;

static unsigned step_set(int first, int last) {
    unsigned set = 0;
    for (int i = first; i <= last; i++)
        set |= 1u << (AROUND_FIRST + i);
    return set;
}

static void around_piece(const TablePlan *plan, const TableShape *s, AroundPiece *around) {
    int w = s->width;
    *around = (AroundPiece){.width = w, .inside = step_set(0, w - 2)};
    for (int i = 0; i + 1 < w; i++)
        around->code[AROUND_FIRST + i] = plan->code[s->top[i + 1] - s->top[i] + 128];
    around->with[AROUND_LEFT] = step_set(plan->deep ? -3 : -2, -1);
    around->with[AROUND_RIGHT] = step_set(w - 1, plan->deep ? w + 1 : w);
    around->with[AROUND_MIDDLE] = w == 1 ? step_set(-2, 1) : step_set(-1, -1) | step_set(w - 1, w - 1);
}

// Is what depends on these steps found in this table? It is in the first that knows them all.
static bool belongs_to(const AroundPiece *around, unsigned steps, int table) {
    for (int before = 0; before < table; before++)
        if (!(steps & ~around->inside & ~around->with[before]))
            return false;
    return !(steps & ~around->inside & ~around->with[table]);
}

// What all places give that belong to a table, with the steps in `around`.
static int64_t around_value(const TablePlan *plan, const AroundPiece *around, int table, uint16_t *fits) {
    int64_t value = 0;
    unsigned found = 0;
    for (int place = plan->deep ? -2 : -1; place <= around->width; place++) {
        const int *code = around->code + AROUND_FIRST + place;
        if (belongs_to(around, step_set(place - 1, place), table)) {
            value += plan->pair[code[-1]][code[0]];
            found = fits_together(found, plan->pair_fits[code[-1]][code[0]]);
        }
        if (plan->deep && belongs_to(around, step_set(place - 1, place + 1), table)) {
            value += plan->triple[code[-1]][code[0]][code[1]];
            if (plan->fits && code[-1] == 3 && code[0] == 3 && code[1] == 3)
                found = fits_together(found, 1u << PIECE_I);
        }
    }
    *fits = (uint16_t)found;
    return value;
}

// Goes through all codes of the steps that a table is looked up with, the last one fastest.
static void fill_around(const TablePlan *plan, const TableShape *s, int table, int64_t *values,
                        uint16_t *fits) {
    AroundPiece around;
    int steps[AROUND_STEPS], count = 0;
    around_piece(plan, s, &around);
    for (int i = 0; i < AROUND_STEPS; i++)
        if (around.with[table] >> i & 1)
            steps[count++] = i;
    for (int index = 0; index < 1 << 3 * count; index++) {
        for (int k = 0; k < count; k++)
            around.code[steps[k]] = index >> 3 * (count - 1 - k) & 7;
        values[index] = around_value(plan, &around, table, &fits[index]);
    }
}

static void fill_shape(TablePlan *plan, int piece, int orientation, TableShape *s) {
    const Shape *shape = &piece_shape[piece][orientation];
    s->width = shape->width;
    s->height = shape->height;
    for (int i = 0; i < shape->width; i++) {
        s->bottom[i] = shape->bottom[i];
        s->top[i] = (int8_t)(shape->bottom[i] + shape->cells[i]);
    }
    if (!plan->steps)
        return;
    fill_around(plan, s, AROUND_LEFT, s->left.value, s->left.fits);
    fill_around(plan, s, AROUND_RIGHT, s->right.value, s->right.fits);
    if (s->width == 1)
        fill_around(plan, s, AROUND_MIDDLE, plan->upright, plan->upright_fits);
    else
        fill_around(plan, s, AROUND_MIDDLE, s->middle, s->middle_fits);
}

// ---------------------------------------------------------------------------------------------------
// Everything

static int64_t well_weight(const int64_t *weight, int depth) {
    return depth == 0   ? 0
           : depth == 1 ? weight[0]
           : depth == 2 ? weight[1]
                        : weight[2] + (depth - 2) * weight[3];
}

static void fill_wells(TablePlan *plan, const AllWeights *w) {
    for (int x = -TABLE_MARGIN; x < plan->width + TABLE_MARGIN; x++) {
        int from = 2 * x < plan->width ? x : plan->width - 1 - x;
        TABLE_AT(plan->place, x) = (uint8_t)(from < 0 || from > 3 ? 3 : from);
    }
    for (int place = 0; place < 4; place++)
        for (int depth = 0; depth < TABLE_HEIGHTS; depth++) {
            plan->well[place][depth] = well_weight(w->of + FIRST_OF_WELLS_BY_DEPTH, depth) +
                                       well_weight(w->of + FIRST_OF_WELLS_BY_PLACE + 4 * place, depth);
            plan->deepest[4 * depth + 3 - place] =
                well_weight(w->of + FIRST_OF_DEEPEST_WELL + 4 * place, depth);
        }
}

static void fill_tops(TablePlan *plan, const AllWeights *w) {
    for (int highest = 0; highest < TABLE_HEIGHTS; highest++) {
        plan->top[highest] = highest * w->of[FIRST_OF_MAX_HEIGHT];
        for (int k = 0; k < TABLE_6; k++) {
            int above = highest - (plan->height - 12 + 2 * k);
            plan->top[highest] += above > 0 ? above * w->of[FIRST_OF_NEAR_TOP + k] : 0;
        }
    }
}

static void fill_codes(TablePlan *plan) {
    for (int d = -128; d < 128; d++)
        plan->code[d + 128] = (uint8_t)(abs(d) > TABLE_HEIGHTS ? STEP_NONE : d < -3 ? 0 : d > 3 ? 6 : d + 3);
}

// -> plan  zeros
static void fill_tables(TablePlan *plan, const Rating *rating, const Rules *rules) {
    uint64_t features = rating->features;
    AllWeights w;
    all_weights(rating, &w);
    plan->width = rules->width;
    plan->height = rules->height;
    plan->fits = features & FIT_TABLES;
    plan->weighted_steps = features & STEP_TABLES;
    plan->steps = plan->fits || features & STEP_TABLES;
    plan->wells = features & (BIT(WELLS_BY_DEPTH) | BIT(WELLS_BY_PLACE));
    plan->deepest_well = features & BIT(DEEPEST_WELL);
    plan->hole_columns = features & BIT(HOLES_BY_COLUMN);
    plan->holes = features & (BIT(HIGHEST_HOLE) | BIT(HIGHEST_HOLE_COLUMN));
    plan->highest_hole = w.of[FIRST_OF_HIGHEST_HOLE];
    plan->hole_column = w.of[FIRST_OF_HIGHEST_HOLE_COLUMN];
    bool both = features & BIT(FITS_BOTH_WAYS);
    const int64_t *fit = w.of + (both ? FIRST_OF_FITS_BOTH_WAYS : FIRST_OF_FITS);
    plan->deep = features & BIT(STEP_TRIPLES) || fit[0] || fit[1];
    fill_codes(plan);
    for (int a = 0; a < STEP_CODES; a++)
        for (int b = 0; b < STEP_CODES; b++) {
            plan->pair[a][b] = pair_value(&w, a, b);
            for (int c = 0; c < STEP_CODES; c++)
                plan->triple[a][b][c] = triple_value(&w, a, b, c);
        }
    if (plan->fits)
        fill_fits(plan, &w, both);
    fill_wells(plan, &w);
    fill_tops(plan, &w);
    for (int x = 0; x < plan->width; x++)
        plan->hole[x] = w.of[FIRST_OF_HOLES_BY_COLUMN + (2 * x < plan->width ? x : plan->width - 1 - x)];
    int number = 0;
    for (int piece = 0; piece < PIECES; piece++)
        for (int o = 0; o < piece_orientations[piece]; o++) {
            plan->number[piece][o] = (uint8_t)number;
            fill_shape(plan, piece, o, &plan->shape[number++]);
        }
    plan->tops = features & (BIT(NEAR_TOP) | BIT(MAX_HEIGHT));
#ifdef W_GATHERS
    plan->in_lanes = fill_lane_tables(plan, &plan->lanes);
#endif
}

#endif
