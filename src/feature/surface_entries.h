// SPDX-License-Identifier: GPL-3.0-or-later
// Tables (surface_tables.h) by look-ups in lanes: what placements that complete no row change. The steps
// around a piece give, in one look-up each for its left and its right side, what all places there are worth
// and which pieces fit there. Wells are looked up by depth and place; the deepest well and the highest hole
// are the largest of keys. All values together stay below 31 bits, which surface_entries_fill.h sees to, so
// that sums of single words are exact. Part of the surface kernel.
#ifndef TETRALAB_FEATURE_SURFACE_ENTRIES_H
#define TETRALAB_FEATURE_SURFACE_ENTRIES_H

#include "feature/surface_around.h"

#ifdef W_GATHERS

// A vector of V as parts of W, added up.
typedef struct Entries {
    W part[SUM_PARTS];
} Entries;

INLINE void entries_split(V numbers, Entries *out) {
    sum_pairs(numbers, v_set(0), out->part);
}

INLINE void entries_add(Entries *sum, const int32_t *table, V index) {
    Entries split;
    entries_split(index, &split);
    for (int part = 0; part < SUM_PARTS; part++)
        sum->part[part] = w_add(sum->part[part], w_gather(table, split.part[part]));
}

#ifdef W_LOOKS_UP_32
INLINE void entries_add_32(Entries *sum, const int32_t *table, V index) {
    Entries split;
    entries_split(index, &split);
    for (int part = 0; part < SUM_PARTS; part++)
        sum->part[part] = w_add(sum->part[part], w_lookup_32(table, split.part[part]));
}
#endif

// Adds the values of look-ups. <- their fits
INLINE V entries_add_places(Entries *sum, const LaneEntry *table, V index) {
    Entries split;
    W fits[SUM_PARTS];
    entries_split(index, &split);
    for (int part = 0; part < SUM_PARTS; part++)
        sum->part[part] = w_add(sum->part[part], w_gather_pairs(table, split.part[part], &fits[part]));
    return sum_join(fits);
}

// fits_together (surface_tables.h) in lanes; whole boards have their own width, C.
#define FITS_TOGETHER(TYPE, lanes)                                                                           \
    INLINE TYPE lanes##_fits_together(TYPE a, TYPE b) {                                                      \
        return lanes##_or3(a, b, lanes##_shift_left(lanes##_and3(a, b, lanes##_set(FITS_ONCE)), PIECES));    \
    }
FITS_TOGETHER(V, v)
#ifndef V_ROTATES
FITS_TOGETHER(W, w)
#endif

INLINE void entries_add_fits(Entries *sum, const LaneTables *tables, V fits) {
#ifdef W_LOOKS_UP_32
    Entries split;
    entries_split(fits, &split);
    for (int part = 0; part < SUM_PARTS; part++) {
        W set = split.part[part];
        W low = w_add(w_lookup_32(tables->fits[0], set), w_lookup_32(tables->fits[1], w_shift_right(set, 5)));
        low = w_add(low, w_lookup_32(tables->fits[2], w_shift_right(set, 10)));
        sum->part[part] = w_add(sum->part[part], low);
    }
#else
    entries_add(sum, tables->fits, fits);
#endif
}

// Of a vector with two widths, what belongs to the wider orientation and to the narrower one.
INLINE V of_width(const Batch *b, const int w, const bool mixed, V wide, V narrow) {
#if V_LANES == 32
    return mixed ? v_select((VM)b->present[w - 1], wide, narrow) : wide;
#else
    (void)b, (void)w, (void)mixed, (void)narrow;
    return wide;
#endif
}

// Numbers of column j + offset and of those behind it.
INLINE V behind(const SurfacePlan *plan, V after, int offset) {
#if V_LANES == 32
    return v_permute(after, plan->second[offset]);
#else
    return around(plan, after, offset);
#endif
}

INLINE V lane_step(V left, V right, V no_step) {
    return v_or(v_min(v_max(v_add(v_sub(right, left), v_set(3)), v_set(0)), v_set(6)), no_step);
}

// The depth of a well and its place, as surface_tables.h orders them.
INLINE V lane_well(V left, V own, V right, V place) {
    return v_or(v_shift_left(v_max(v_sub(v_min(left, right), own), v_set(0)), 2), place);
}

// What a placement is surrounded by. A narrower orientation has its own right side.
typedef struct Sides {
    V first, last;                  // the tops of the piece at its ends
    V second, last_but_one;         // those beside them; the same as the columns outside if there are none
    V left, right, left_2, right_2; // heights of the columns beside it, and of those behind them
} Sides;

INLINE void look_at_sides(const LaneBoard *t, const Batch *b, const int w, const bool mixed, const V *top,
                          Sides *s) {
    const V *h = t->h + 2;
    const int n = mixed ? 5 - w : w; // the narrower width
    s->first = top[0];
    s->last = of_width(b, w, mixed, top[w - 1], top[n - 1]);
    s->left = h[-1];
    s->left_2 = h[-2];
    s->right = of_width(b, w, mixed, h[w], h[n]);
    s->right_2 = of_width(b, w, mixed, h[w + 1], h[n + 1]);
    s->second = w > 1 ? top[1] : s->right; // absent columns have the height below them
    s->last_but_one = w > 1 ? of_width(b, w, mixed, top[w - 2], n > 1 ? top[n - 2] : s->left) : s->left;
}

INLINE void entries_of_steps(const SurfacePlan *plan, const LaneBoard *t, const Batch *b, const int w,
                             const bool mixed, const Sides *s, Entries *sum) {
    const TablePlan *tables = plan->tables;
    const LaneTables *lanes = &tables->lanes;
    const int n = mixed ? 5 - w : w;
    V left = lane_step(s->left, s->first, plan->no_step[0]);
    V right = lane_step(s->last, s->right, of_width(b, w, mixed, plan->no_step[w], plan->no_step[n]));
    V behind_it = of_width(b, w, mixed, around(plan, t->right, w), around(plan, t->right, n));
    V fits = entries_add_places(sum, lanes->left, v_or3(t->left, left, b->entries));
    V right_fits =
        entries_add_places(sum, lanes->right, v_or3(v_shift_left(right, 6), behind_it, b->entries));
    fits = v_fits_together(fits, right_fits);
    if (n == 1 || (n == 2 && tables->deep)) {
        V middle = v_add(b->middle, v_or(v_shift_left(left, 3), right));
        if (n == 1)
            middle = v_or3(v_shift_left(v_and(t->left, v_set(7 << 3)), 6), v_shift_left(left, 6),
                           v_or(v_shift_left(right, 3), v_shift_right(v_and(behind_it, v_set(7 << 3)), 3)));
        if (mixed)
            middle = of_width(b, w, mixed, v_set(LANE_NOTHING), middle);
        fits = v_fits_together(fits, entries_add_places(sum, lanes->middle, middle));
    }
    if (!tables->fits)
        return;
    V beside = v_fits_together(t->fits_before, of_width(b, w, mixed, behind(plan, t->fits_after, w + 1),
                                                        behind(plan, t->fits_after, n + 1)));
    entries_add_fits(sum, lanes, v_fits_together(fits, beside));
}

INLINE void entries_of_wells(const SurfacePlan *plan, const LaneBoard *t, const Batch *b, const int w,
                             const bool mixed, const Sides *s, Entries *sum) {
    const TablePlan *tables = plan->tables;
    const LaneTables *lanes = &tables->lanes;
    const int n = mixed ? 5 - w : w;
    V place = of_width(b, w, mixed, plan->place[w + 1], plan->place[n + 1]);
    // Of two columns beside each other only one can be a well; one look-up does for both.
    V left = v_max(lane_well(s->left_2, s->left, s->first, plan->place[0]),
                   lane_well(s->left, s->first, s->second, plan->place[1]));
    V right = lane_well(s->last, s->right, s->right_2, place);
    if (w > 1) { // of a piece one column wide, both ends are the same column
        V last = lane_well(s->last_but_one, s->last, s->right,
                           of_width(b, w, mixed, plan->place[w], plan->place[n]));
        right = v_max(right, n > 1 ? last : of_width(b, w, mixed, last, v_set(0)));
    }
    V deepest = v_max(left, right);
    V everywhere =
        v_max(v_max(deepest, t->deep_before),
              of_width(b, w, mixed, behind(plan, t->deep_after, w + 1), behind(plan, t->deep_after, n + 1)));
#ifdef W_LOOKS_UP_32
    if (__builtin_expect(!any_legal_in(b, v_greater(everywhere, v_set(31))), 1)) {
        if (tables->wells) {
            entries_add_32(sum, lanes->low_well, left);
            entries_add_32(sum, lanes->low_well, right);
        }
        if (tables->deepest_well)
            entries_add_32(sum, lanes->low_deepest, everywhere);
        return;
    }
#endif
    const V most = v_set(4 * LANE_DEPTHS - 1); // lanes that are no placements may have anything
    if (tables->wells) {
        entries_add(sum, lanes->well, v_min(left, most));
        entries_add(sum, lanes->well, v_min(right, most));
    }
    if (tables->deepest_well)
        entries_add(sum, lanes->deepest, v_min(everywhere, most));
}

// -> top  of the piece; the pile becomes at most four rows higher
INLINE void entries_of_top(const TablePlan *tables, const LaneBoard *t, V top, Entries *sum) {
    Entries more;
    entries_split(v_max(v_sub(top, v_set(t->highest)), v_set(0)), &more);
    for (int part = 0; part < SUM_PARTS; part++)
        sum->part[part] = w_add(sum->part[part], w_lookup_8(tables->lanes.top + t->highest, more.part[part]));
}

// The highest hole, as a key. An absent column has its own.
INLINE void entries_of_hole(const SurfacePlan *plan, const LaneBoard *t, const Batch *b, const int w,
                            const V *top, Sum *sum) {
    const V *h = t->h + 2;
    V most = v_max(t->hole_before, behind(plan, t->hole_after, w));
    for (int i = 0; i < w; i++) {
        V bottom = v_sub(top[i], b->count[i]), row = around(plan, t->hole_row, i);
        row = v_max(row, v_add_if(v_greater(bottom, h[i]), v_set(0), bottom));
        most = v_max(most, v_or(v_shift_left(row, 6), top[i]));
    }
    V height = v_add_if(v_greater(most, v_set(63)), v_set(0), v_and(most, v_set(63))); // without holes 0
    accumulate(sum, &plan->highest_hole, height, v_shift_right(most, 6));
}

// Holes below the piece, by columns.
INLINE void entries_of_gaps(const SurfacePlan *plan, const LaneBoard *t, const Batch *b, const int w,
                            const V *top, Sum *sum) {
    V gap[4] = {v_set(0), v_set(0), v_set(0), v_set(0)};
    for (int i = 0; i < w; i++)
        gap[i] = v_sub(v_sub(top[i], b->count[i]), t->h[i + 2]);
    for (int k = 0; 2 * k < w; k++)
        accumulate_lanes(sum, &plan->holes_by_column[k], gap[2 * k], gap[2 * k + 1]);
}

// What the places that change gave before.
INLINE void entries_before(const SurfacePlan *plan, const LaneBoard *t, const Batch *b, const int w,
                           const bool mixed, Entries *before) {
    const int32_t *sums = t->before + TABLE_MARGIN;
    const int n = mixed ? 5 - w : w;
    W from = w_load(sums - 1);
    if (plan->tables->deep) // of column -2 the place changes, but not the well
        from = w_sub(from, w_load(t->place + TABLE_MARGIN - 2));
    W wide = w_sub(w_load(sums + w + 1), from), narrow = mixed ? w_sub(w_load(sums + n + 1), from) : wide;
    for (int part = 0; part < SUM_PARTS; part++) {
        before->part[part] = w_permute(wide, plan->sum_column[part]);
        if (mixed)
            before->part[part] = w_select(sum_mask(b->present[w - 1], part), before->part[part],
                                          w_permute(narrow, plan->sum_column[part]));
    }
}

INLINE void entries_place(const SurfacePlan *plan, const LaneBoard *t, const Batch *b, const int w,
                          const bool mixed, V row, const V *top, Sum *sum) {
    const TablePlan *tables = plan->tables;
    Entries after, before;
    Sides s;
    for (int part = 0; part < SUM_PARTS; part++)
        after.part[part] = w_zero();
    look_at_sides(t, b, w, mixed, top, &s);
    if (tables->steps)
        entries_of_steps(plan, t, b, w, mixed, &s, &after);
    if (tables->wells || tables->deepest_well)
        entries_of_wells(plan, t, b, w, mixed, &s, &after);
    if (tables->tops)
        entries_of_top(tables, t, v_add(row, b->height), &after);
    entries_before(plan, t, b, w, mixed, &before);
    W unsummed_high = w_set((int)(t->unsummed >> 15)), unsummed_low = w_set((int)(t->unsummed & 0x7fff));
    for (int part = 0; part < SUM_PARTS; part++) {
        W high = w_sub(w_shift_signed(after.part[part], 15), w_shift_signed(before.part[part], 15));
        W low = w_sub(w_and(after.part[part], w_set(0x7fff)), w_and(before.part[part], w_set(0x7fff)));
        sum->high[part] = w_add(sum->high[part], w_sub(high, unsummed_high));
        sum->low[part] = w_add(sum->low[part], w_sub(low, unsummed_low));
    }
    if (tables->holes)
        entries_of_hole(plan, t, b, w, top, sum);
    if (tables->hole_columns)
        entries_of_gaps(plan, t, b, w, top, sum);
}

#endif
#endif
