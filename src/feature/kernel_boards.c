// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel, for one machine; see kernel_boards.h. boards_group.h looks at boards, boards_place.h values
// placements by what they change, boards_surface.h what they change of the heights, boards_whole.h whole
// boards.
#include "feature/kernel_boards.h"

#include <stdlib.h>

#include "feature/boards_place.h"

typedef uint16_t Image __attribute__((vector_size(32)));

INLINE Image image_load(const void *from) {
    Image image;
    memcpy(&image, from, sizeof image);
    return image;
}

// ---- all placements of a group ---------------------------------------------------------------------------

typedef void PlaceFunction(const RatingPlan *plan, const Group *q, Placed *placed);
#define ORIENTATION(name)                                                                                    \
    static __attribute__((noinline)) void place_##name(const RatingPlan *plan, const Group *q,               \
                                                       Placed *placed) {                                     \
        PLACE(ORIENTATION_##name);                                                                           \
    }
ORIENTATION(O0)
ORIENTATION(I0)
ORIENTATION(I1) ORIENTATION(S0) ORIENTATION(S1) ORIENTATION(Z0) ORIENTATION(Z1) ORIENTATION(L0)
    ORIENTATION(L1) ORIENTATION(L2) ORIENTATION(L3) ORIENTATION(J0) ORIENTATION(J1) ORIENTATION(J2)
        ORIENTATION(J3) ORIENTATION(T0) ORIENTATION(T1) ORIENTATION(T2) ORIENTATION(T3)

            static PlaceFunction *const place_orientation[PIECES][ORIENTATIONS] = {
                [PIECE_O] = {place_O0},
                [PIECE_I] = {place_I0, place_I1},
                [PIECE_S] = {place_S0, place_S1},
                [PIECE_Z] = {place_Z0, place_Z1},
                [PIECE_L] = {place_L0, place_L1, place_L2, place_L3},
                [PIECE_J] = {place_J0, place_J1, place_J2, place_J3},
                [PIECE_T] = {place_T0, place_T1, place_T2, place_T3}};

// Remembers where placements land, and queues what is to be valued as whole boards.
static __attribute__((noinline)) void queue_apart(Round *round, const Group *q, int count,
                                                  Placement placement, const Placed *placed) {
    Entry *entry = round->queue + round->queued, first = (Entry)q->slot + (Entry)placement * ENTRY_PLACEMENT;
    uint16_t *row = &round->row[placement][q->slot];
    uint32_t used = q->lanes;
    for (const Placed *end = placed + count; placed < end;
         placed++, first += ENTRY_PLACEMENT, row += SLOTS + LANES) {
        v_store(row, placed->row);
        uint32_t lanes = v_lanes(v_nonzero(placed->apart)) & used;
        UNROLL
        for (int k = 0; k < 2; k++) { // hardly ever more; without branches, which nothing could foresee
            *entry = first + (Entry)__builtin_ctz(lanes | 1u << 31);
            entry += lanes != 0;
            lanes &= lanes - 1;
        }
        for (; lanes; lanes &= lanes - 1)
            *entry++ = first + (Entry)__builtin_ctz(lanes);
    }
    round->queued = (int)(entry - round->queue);
}

// The same for a board alone, whose placements lie side by side.
static __attribute__((noinline)) void queue_apart_alone(Round *round, const Group *q, int count,
                                                        Placement placement, const Placed *placed) {
    Entry first = (Entry)q->slot + (Entry)placement * ENTRY_PLACEMENT;
    for (int x = 0; x < count; x += LANES, placed++) {
        uint16_t row[LANES], apart[LANES];
        v_store(row, placed->row);
        v_store(apart, placed->apart);
        for (int lane = 0; lane < LANES && x + lane < count; lane++) {
            round->row[placement + x + lane][q->slot] = row[lane];
            round->queue[round->queued] = first + (Entry)(x + lane) * ENTRY_PLACEMENT;
            round->queued += apart[lane] != 0;
        }
    }
}

// The value of placements that change no more than Placed says, in the first or the second half of the lanes.
INLINE void weigh_half(const RatingPlan *plan, const Group *q, const uint16_t *rank, Best *best, int piece,
                       int orientation, const Placed *placed, const bool second) {
    const PairWeights constant = plan->constant_parts[piece][orientation];
    const Placed *end = placed + plan->width - piece_shape[piece][orientation].width;
    S best_upper = best->upper[second], best_lower = best->lower[second];
    S high = s_set(constant.high), low = s_set(constant.low), high_of[4], low_of[4];
    UNROLL
    for (int k = 0; k < 4; k++) {
        high_of[k] = s_set(plan->pair[k].high);
        low_of[k] = s_set(plan->pair[k].low);
    }
    for (; placed <= end; placed++, rank++) {
        S pair[4] = {
            s_half(second, placed->row, placed->holes), s_half(second, placed->beside, placed->wells),
            s_half(second, placed->gaps, placed->depth), s_half(second, placed->hole_rows, placed->gaps)};
        S upper = high, lower = low;
        UNROLL
        for (int k = 0; k < 4; k++) {
            upper = s_dot(upper, pair[k], high_of[k]);
            lower = s_dot(lower, pair[k], low_of[k]);
        }
        V valid = v_same(placed->apart, v_set(0));
        if (q->limited)
            valid &= ~v_greater(placed->row, q->highest - (uint16_t)piece_shape[piece][orientation].height);
        upper += lower >> 15;
        lower = (lower & 0x7fff) << TIE_BITS | s_set(*rank);
        keep_best(upper, lower, s_half(second, valid, valid), &best_upper, &best_lower);
    }
    best->upper[second] = best_upper;
    best->lower[second] = best_lower;
}

// The same for any rating, group and question. -> known  all features that it can have; simple  see settle
INLINE void weigh_any(const RatingPlan *plan, const uint64_t known, Group *q, Round *round, Best *best,
                      int piece, int orientation, const int width, const Placed *placed, const bool simple) {
    const PairWeights constant = plan->constant_parts[piece][orientation];
    const Shape *shape = &piece_shape[piece][orientation];
    for (int x = 0; x + shape->width <= plan->width; x += simple ? 1 : q->step, placed++) {
        Sum sum;
        for (int k = 0; k < 2; k++) {
            sum.high[k] = s_set(constant.high);
            sum.low[k] = s_set(constant.low);
            sum.more[k] = s_set(0);
        }
        sum_pair(&sum, placed->row, placed->holes, plan->pair[0]);
        if (plan->pairs > 1) { // more than two weights
            sum_pair(&sum, placed->beside, placed->wells, plan->pair[1]);
            sum_pair(&sum, placed->gaps, placed->depth, plan->pair[2]);
            sum_pair(&sum, placed->hole_rows, placed->gaps, plan->pair[3]);
        }
        if (simple || plan->further)
            add_further(plan, plan->features & known, q, x, shape, width, placed, &sum, simple);
        V valid = v_same(placed->apart, v_set(0));
        if (!simple && q->single)
            valid &= lanes_before(plan->width - shape->width + 1 - x);
        if (q->limited)
            valid &= ~v_greater(placed->row, q->highest - (uint16_t)shape->height);
        settle(plan, q, round, best, piece, orientation, x, &sum, valid, simple);
    }
}

static __attribute__((noinline)) void weigh_further(const RatingPlan *plan, Group *q, Round *round,
                                                    Best *best, int piece, int orientation,
                                                    const Placed *placed) {
    weigh_any(plan, ~(uint64_t)0, q, round, best, piece, orientation, piece_shape[piece][orientation].width,
              placed, false);
}

// Features of the surface without tables.
#define SIMPLE_FEATURES                                                                                      \
    (~(STEP_FEATURES | FIT_FEATURES | PLACE_FEATURES | BIT(DEEPEST_WELL) | BIT(DIVERSITY)))
static __attribute__((noinline)) void weigh_simple(const RatingPlan *plan, Group *q, Round *round, Best *best,
                                                   int piece, int orientation, const Placed *placed) {
    switch (piece_shape[piece][orientation].width) { // which the compiler then knows
#define CASE(width)                                                                                          \
    case width:                                                                                              \
        weigh_any(plan, SIMPLE_FEATURES, q, round, best, piece, orientation, width, placed, true);           \
        break;
        CASE(1)
        CASE(2)
        CASE(3)
        CASE(4)
#undef CASE
    }
}

static __attribute__((noinline)) void weigh_best(const RatingPlan *plan, const Group *q, const Round *round,
                                                 Best *best, int piece, int orientation,
                                                 const Placed *placed) {
    const uint16_t *rank = round->ranks->rank[piece] + placement_make(orientation, 0);
    weigh_half(plan, q, rank, best, piece, orientation, placed, false);
    weigh_half(plan, q, rank, best, piece, orientation, placed, true);
}

// Ratings that need whole boards for all placements: the move is made in every lane.
static __attribute__((noinline)) void place_whole(const RatingPlan *plan, const Group *q, Round *round,
                                                  Best *best, int piece, int orientation, int x) {
    const Shape *shape = &piece_shape[piece][orientation];
    const V *h = q->column[HEIGHT] + x + 2, *t = q->column[TOP] + x + 2;
    Columns b;
    Values values_of_all, *values = &values_of_all;
    int width = plan->width;
    V *c = b.c + 1, row = h[0] - (uint16_t)shape->bottom[0], p = t[0] >> shape->bottom[0], cells[4];
    for (int i = 1; i < shape->width; i++) {
        row = v_max_signed(row, h[i] - (uint16_t)shape->bottom[i]);
        p = v_max(p, t[i] >> shape->bottom[i]);
    }
    b.base = b.holed = v_set(0);
    b.inside = lanes_of_rows(plan->height - 1);
    b.c[0] = b.c[width + 1] = v_set(-1);
    memcpy(c, q->columns, (size_t)width * sizeof *c);
    for (int i = 0; i < shape->width; i++) {
        cells[i] = (p << (shape->bottom[i] + shape->cells[i])) - (p << shape->bottom[i]);
        for (int y = x + i; y < (q->single ? width : x + i + 1); y++)
            c[y] |= q->single ? cells[i] & lanes_at(x, i, y) : cells[i];
    }
    V full = full_rows(c, width), lines = v_set(0), eroded = v_set(0);
    if (v_any(full)) {
        lines = v_popcount(full);
        for (int i = 0; i < shape->width; i++)
            eroded += v_popcount(cells[i] & full);
        eroded *= lines;
        remove_rows(c, width, full);
    }
    SLOT(LANDING_HEIGHT) = row + row + (uint16_t)(shape->height - 1);
    SLOT(MEAN_LANDING_HEIGHT) = (row << 2) + (uint16_t)plan->shape_rows[piece][orientation];
    SLOT(REMOVED_LINES) = lines;
    SLOT(ERODED_CELLS) = eroded;
    Sum sum;
    sum_start(&sum);
    board_features(plan, &b, values, &sum);
    weigh(&plan->all, values, &sum);
    V inside = q->single ? lanes_before(width - shape->width + 1 - x) : v_set(-1);
    if (plan->lenient && plan->limit < 16) {
        V occupied = c[0];
        for (int y = 1; y < width; y++)
            occupied |= c[y];
        inside &= ~v_nonzero(occupied >> plan->limit);
    } else if (!plan->lenient) {
        inside &= ~v_greater(row, v_set(plan->limit - shape->height));
    }
    settle(plan, q, round, best, piece, orientation, x, &sum, inside, false);
}

static void place_all(const RatingPlan *plan, Group *q, Round *round, Best *best, int piece) {
    Placed placed[WIDEST];
    for (int o = 0; o < piece_orientations[piece]; o++) {
        if (!plan->incremental) {
            for (int x = 0; x + piece_shape[piece][o].width <= plan->width; x += q->step)
                place_whole(plan, q, round, best, piece, o, x);
            continue;
        }
        place_orientation[piece][o](plan, q, placed);
        (q->single ? queue_apart_alone : queue_apart)(round, q, plan->width - piece_shape[piece][o].width + 1,
                                                      placement_make(o, 0), placed);
        bool plain = !round->value && !q->single && !round->ranks->random;
        if (plain && plan->surface && !plan->by_side && !plan->has_highest_hole &&
            !(plan->features & ~SIMPLE_FEATURES))
            weigh_simple(plan, q, round, best, piece, o, placed);
        else if (!plain || plan->further)
            weigh_further(plan, q, round, best, piece, o, placed);
        else
            weigh_best(plan, q, round, best, piece, o, placed);
    }
}

// ---- whole boards ----------------------------------------------------------------------------------------

// What is left after full rows were removed.
typedef struct Wholes {
    int64_t value[LANES];
    uint16_t full[LANES], occupied[LANES];
    uint16_t unknown[LANES]; // not 0: the highest hole is below the window
} Wholes;

// -> b  cells, base and holed
INLINE void value_columns(const RatingPlan *plan, const Terms *terms, Columns *b, Wholes *wholes) {
    Values values;
    Sum sum;
    S upper[2], lower[2];
    int32_t high[LANES], low[LANES];
    V unknown = v_set(0);
    sum_start(&sum);
    b->c[0] = b->c[plan->width + 1] = v_set(-1);
    b->inside = lanes_of_rows(plan->height - 1); // only features that have no windows look at it
    board_features(plan, b, &values, &sum);
    weigh(terms, &values, &sum);
    if (plan->has_highest_hole)
        unknown = v_nonzero(b->holed) & v_same(values.of[FIRST_OF_HIGHEST_HOLE], v_set(0));
    v_store(wholes->unknown, unknown);
    sum_parts(&sum, true, upper, lower);
    memcpy(high, upper, sizeof high);
    memcpy(low, lower, sizeof low);
    for (int lane = 0; lane < LANES; lane++)
        wholes->value[lane] = (int64_t)high[half_place(lane)] * 32768 + low[half_place(lane)];
}

// -> row  images of boards; what is not used of LANES is 0
// -> base, holed  of them; NULL: none has anything below it
static __attribute__((noinline)) void value_images(const RatingPlan *plan, const Terms *terms,
                                                   const uint16_t (*row)[16], const uint16_t *base,
                                                   const uint16_t *holed, Wholes *wholes) {
    Columns b;
    int width = plan->width;
    V *c = b.c + 1;
    turn(row, width, c);
    b.base = base ? v_load(base) : v_set(0);
    b.holed = base ? v_load(holed) : v_set(0);
    V full = full_rows(c, width);
    v_store(wholes->full, full);
    remove_rows(c, width, full);
    V occupied = c[0];
    for (int x = 1; x < width; x++)
        occupied |= c[x];
    v_store(wholes->occupied, occupied);
    value_columns(plan, terms, &b, wholes);
}

// What the boards of a group are worth before the move.
static __attribute__((noinline)) void level_group(Round *round, const Group *q, int count) {
    Columns b;
    Wholes wholes;
    memcpy(b.c + 1, q->columns, (size_t)round->plan->width * sizeof *b.c);
    b.base = q->base;
    b.holed = q->holed;
    value_columns(round->plan, &round->plan->board, &b, &wholes);
    memcpy(round->level + q->slot, wholes.value, (size_t)count * sizeof *round->level);
}

// The board after a move, without the lanes.
static int64_t level_after(const RatingPlan *plan, const Board *board, int piece, Placement placement,
                           int row) {
    Board after = *board;
    board_place(&after, plan->width, &piece_shape[piece][placement_orientation(placement)],
                placement_column(placement), row);
    return boards_single_board(plan, &plan->board, &after) - boards_single_board(plan, &plan->board, board);
}

// What one whole board says of the slot that it belongs to.
static void take_whole(Round *round, Entry entry, const Wholes *wholes, int lane) {
    const RatingPlan *plan = round->plan;
    int slot = (int)(entry % ENTRY_PLACEMENT), base = round->base[slot], piece = round->piece[slot];
    if (entry >= ENTRY_LEVEL) {
        round->level[slot] = wholes->value[lane];
        return;
    }
    Placement placement = (Placement)(entry / ENTRY_PLACEMENT);
    int orientation = placement_orientation(placement), row = round->row[placement][slot] + base;
    int top = row + piece_shape[piece][orientation].height;
    if (top > plan->limit && (!plan->lenient || column_height(wholes->occupied[lane]) + base > plan->limit))
        return; // it ends the game
    uint32_t full = (uint32_t)wholes->full[lane] << base;
    int64_t value = rating_plan_move(plan, piece, orientation, row, full);
    if (wholes->unknown[lane])
        value += level_after(plan, round->board[slot], piece, placement, row);
    else
        value += wholes->value[lane] - round->level[slot];
    if (round->value) {
        round->value[slot][placement] = value;
        return;
    }
    int64_t own = value * (1 << TIE_BITS) | round->ranks->rank[piece][placement];
    bool better = own > round->best[slot];
    if (round->ranks->random)
        round->set[slot] = (better ? 0 : round->set[slot]) | (uint64_t)(own >= round->best[slot])
                                                                 << placement;
    round->best[slot] = better ? own : round->best[slot];
    round->full[slot] = better ? full : round->full[slot];
}

static void value_queue(Round *round) {
    const RatingPlan *plan = round->plan;
    for (int first = 0; first < round->queued; first += LANES) {
        const Entry *entry = round->queue + first;
        int count = round->queued - first < LANES ? round->queued - first : LANES;
        uint16_t row[LANES][16], base[LANES] = {0}, holed[LANES] = {0};
        for (int i = 0; i < count; i++) {
            int slot = (int)(entry[i] % ENTRY_PLACEMENT);
            Placement placement = (Placement)(entry[i] / ENTRY_PLACEMENT);
            Image image = image_load(round->image[slot]);
            if (entry[i] < ENTRY_LEVEL)
                image |= image_load(plan->shape[round->piece[slot]][placement_orientation(placement)] + 16 -
                                    placement_column(placement))
                         << round->row[placement][slot];
            memcpy(row[i], &image, sizeof image);
            if (round->windows) {
                base[i] = (uint16_t)round->base[slot];
                holed[i] = round->holed[slot];
            }
        }
        memset(row + count, 0, (size_t)(LANES - count) * sizeof *row);
        Wholes wholes;
        value_images(plan, &plan->board, (const uint16_t(*)[16])row, round->windows ? base : NULL, holed,
                     &wholes);
        for (int i = 0; i < count; i++)
            take_whole(round, entry[i], &wholes, i);
    }
    round->queued = 0;
}

// ---- rounds ----------------------------------------------------------------------------------------------

static void round_start(Round *round, const RatingPlan *plan, const Ranks *ranks) {
    round->plan = plan;
    round->ranks = ranks;
    round->value = NULL;
    round->slots = round->queued = 0;
    round->windows = false;
}

// Puts a board into the next slot. <- false: it does not fit
INLINE bool round_add(Round *round, const Board *board, int piece) {
    const RatingPlan *plan = round->plan;
    int base = 0, slot = round->slots, room = plan->avoid && !round->value ? 0 : 4;
    uint32_t holed = 0, occupied = board_occupied(board);
    int tallest = plan->incremental ? BOARDS_TALLEST : BOARDS_TALLEST + 1;
    if (__builtin_expect(occupied >> tallest, 0)) {
        if (!boards_window(plan, board, occupied, &base, &holed))
            return false;
        round->windows |= base > 0;
    }
    if (room && column_height(occupied) + room > plan->limit)
        return false; // moves that end the game are valued
    image_of(round->image[slot], board->column, base);
    round->board[slot] = board;
    round->piece[slot] = (int8_t)piece;
    round->base[slot] = (int8_t)base;
    round->holed[slot] = (uint16_t)holed;
    round->full[slot] = 0;
    round->slots++;
    return true;
}

static void best_start(Best *best) {
    for (int k = 0; k < 2; k++) {
        best->upper[k] = s_set(INT32_MIN);
        best->lower[k] = best->set[0][k] = best->set[1][k] = s_set(0);
    }
}

// -> value  of each lane
static void take_sets(Round *round, const Group *q, const Best *best, int count, const int64_t value[LANES]) {
    uint32_t set[2][LANES];
    memcpy(set, best->set, sizeof set);
    memset(round->set + q->slot, 0, (size_t)count * sizeof *round->set);
    for (int lane = 0; lane < (q->single ? LANES : count); lane++) {
        int place = half_place(lane), slot = q->single ? q->slot : q->slot + lane;
        if (value[lane] == round->best[slot])
            round->set[slot] |= set[0][place] | (uint64_t)set[1][place] << 32;
    }
}

// -> count  boards of a group, one for each lane; a board alone: 1, the best of all lanes
static void take_best(Round *round, const Group *q, const Best *best, int count) {
    int32_t upper[LANES], lower[LANES];
    int64_t value[LANES];
    memcpy(upper, best->upper, sizeof upper);
    memcpy(lower, best->lower, sizeof lower);
    for (int lane = 0; lane < (q->single ? LANES : count); lane++) {
        int place = half_place(lane), slot = q->single ? q->slot : q->slot + lane;
        int64_t own = (int64_t)upper[place] * (1 << (15 + TIE_BITS)) + lower[place];
        own = upper[place] == INT32_MIN ? INT64_MIN : own;
        round->best[slot] = q->single && lane && round->best[slot] > own ? round->best[slot] : own;
        value[lane] = own;
    }
    if (round->ranks->random)
        take_sets(round, q, best, count, value);
    if (round->windows && round->plan->row_weight)
        for (int slot = q->slot; slot < q->slot + count; slot++)
            if (round->best[slot] != INT64_MIN)
                round->best[slot] += round->plan->row_weight * round->base[slot] * (1 << TIE_BITS);
}

// Slots first ... first + count - 1 hold boards that got the same piece.
static void value_group(Round *round, int first, int count) {
    const RatingPlan *plan = round->plan;
    Group q;
    Best best;
    int piece = round->piece[first], queued = round->queued;
    if (count <= LANES / 8) {
        for (int slot = first; slot < first + count; slot++, queued = round->queued) {
            if (plan->incremental) // with the board itself, if there is anything
                round->queue[round->queued++] = (Entry)slot + ENTRY_LEVEL;
            best_start(&best);
            look_at_one(round, &q, slot);
            place_all(plan, &q, round, &best, piece);
            if (round->queued == queued + 1)
                round->queued--;
            if (!round->value)
                take_best(round, &q, &best, 1);
        }
        return;
    }
    best_start(&best);
    look_at_group(round, &q, first, count);
    place_all(plan, &q, round, &best, piece);
    if (round->queued > queued)
        level_group(round, &q, count);
    if (!round->value)
        take_best(round, &q, &best, count);
}

// The one of a set of equal placements that chance takes, as player_pick does.
static Placement draw(Game *game, uint64_t set) {
    if (set & (set - 1))
        for (uint32_t skip = random_below(&game->ties, (uint32_t)__builtin_popcountll(set)); skip; skip--)
            set &= set - 1;
    return __builtin_ctzll(set);
}

static Placement placement_of(const Round *round, int slot) {
    int64_t best = round->best[slot];
    return best == INT64_MIN ? PLACEMENT_NONE
                             : round->ranks->placement[round->piece[slot]][best & ((1 << TIE_BITS) - 1)];
}

// Questions, sorted by pieces, into rounds. <- answers or values
static void ask(const RatingPlan *plan, const Ranks *ranks, int count, const BoardPiece *question,
                BestPlacement *answer, int64_t (*value)[PLACEMENTS], uint64_t *fatal) {
    Round round;
    int order[SLOTS];
    for (int done = 0; done < count; done += SLOTS) {
        int most = count - done < SLOTS ? count - done : SLOTS;
        int64_t found[SLOTS][PLACEMENTS];
        round_start(&round, plan, ranks);
        round.value = value ? found : NULL;
        for (int piece = 0; piece < PIECES; piece++) {
            int first = round.slots;
            for (int k = done; k < done + most; k++) {
                const BoardPiece *own = &question[k];
                if (own->piece != piece)
                    continue;
                if (round_add(&round, own->board, piece)) {
                    order[round.slots - 1] = k;
                } else if (value) {
                    uint64_t legal;
                    boards_single_values(plan, own->board, piece, value[k], &legal, &fatal[k]);
                } else {
                    uint64_t none;
                    answer[k] = boards_single_best(plan, ranks, own->board, piece, &none);
                }
            }
            for (int slot = first; slot < round.slots; slot += LANES)
                value_group(&round, slot, round.slots - slot < LANES ? round.slots - slot : LANES);
        }
        value_queue(&round);
        for (int slot = 0; slot < round.slots; slot++)
            if (value) {
                memcpy(value[order[slot]], found[slot], sizeof *value);
                fatal[order[slot]] = 0;
            } else {
                bool any = round.best[slot] != INT64_MIN;
                answer[order[slot]] = (BestPlacement){any ? round.best[slot] >> TIE_BITS : INT64_MIN,
                                                      placement_of(&round, slot), 0};
            }
    }
}

static void best(const RatingPlan *plan, const Ranks *ranks, int count, const BoardPiece *question,
                 BestPlacement *answer) {
    ask(plan, ranks, count, question, answer, NULL, NULL);
}

static void values(const RatingPlan *plan, int count, const BoardPiece *question,
                   int64_t (*value)[PLACEMENTS], uint64_t *fatal) {
    ask(plan, NULL, count, question, NULL, value, fatal);
}

static void boards(const RatingPlan *plan, const Terms *terms, int count, const Board *const *board,
                   int64_t *value) {
    for (int first = 0; first < count; first += LANES) {
        uint16_t row[LANES][16];
        int most = count - first < LANES ? count - first : LANES;
        uint32_t alone = 0;
        memset(row, 0, sizeof row);
        for (int i = 0; i < most; i++) {
            const Board *own = board[first + i];
            uint32_t occupied = board_occupied(own), full = board_full_rows(own, plan->width);
            if (occupied >> 15 || column_height(occupied) > plan->height || full)
                alone |= (uint32_t)1 << i;
            else
                image_of(row[i], own->column, 0);
        }
        Wholes wholes;
        value_images(plan, terms, (const uint16_t(*)[16])row, NULL, NULL, &wholes);
        for (int i = 0; i < most; i++)
            value[first + i] =
                alone >> i & 1 ? boards_single_board(plan, terms, board[first + i]) : wholes.value[i];
    }
}

// ---- games -----------------------------------------------------------------------------------------------

// Games that wait for their moves, by the piece in hand: first come, first served.
typedef struct Pool {
    Turn *waiting[PIECES][MOST_TURNS];
    unsigned first[PIECES];
    int waits[PIECES], games;
    bool (*again)(void *context, Turn *turn);
    void *context;
} Pool;

static void pool_put(Pool *pool, Turn *turn) {
    int piece = turn->game->piece;
    pool->waiting[piece][(pool->first[piece] + (unsigned)pool->waits[piece]++) % MOST_TURNS] = turn;
}

static Turn *pool_take(Pool *pool, int piece) {
    pool->waits[piece]--;
    return pool->waiting[piece][pool->first[piece]++ % MOST_TURNS];
}

// Lets the turn wait for its first move. If it has none, another one takes its place, as long as there is
// one.
static void begin(Pool *pool, Turn *turn) {
    do {
        Game *game = turn->game;
        if (game->state == GAME_PAUSED)
            game->state = GAME_RUNNING;
        if (game->state == GAME_RUNNING && turn->moves) {
            pool_put(pool, turn);
            return;
        }
    } while (pool->again(pool->context, turn));
    pool->games--;
}

// What follows a turn that is over.
static void end(Pool *pool, Turn *turn) {
    if (pool->again(pool->context, turn))
        begin(pool, turn);
    else
        pool->games--;
}

// Plays a placement. -> row  where it lands; full  rows that it completes. <- false: the turn is over
INLINE bool move(const RatingPlan *plan, Turn *turn, Placement placement, int row, uint32_t full) {
    Game *game = turn->game;
    int column = placement_column(placement), left = column < 12 ? column : 12;
    const uint32_t *shape = plan->cells[game->piece][placement_orientation(placement)] + 4 - (column - left);
    *(FourColumns *)(game->board.column + left) |= *(const FourColumns *)shape << (uint32_t)row;
    int lines = 0;
    for (AllColumns *all = (AllColumns *)game->board.column; full; full = (full & (full - 1)) >> 1, lines++) {
        uint32_t below = (full & -full) - 1;
        *all = (*all & below) | (*all >> 1 & ~below);
    }
    game_advance(game, lines);
    turn->moves--;
    if (turn->low >= 0 || turn->high < TURN_ANY_HEIGHT) {
        int height = column_height(board_occupied(&game->board));
        if (game->state == GAME_RUNNING && (height <= turn->low || height >= turn->high))
            game->state = GAME_PAUSED;
    }
    return game->state == GAME_RUNNING && turn->moves;
}

static void move_on(const RatingPlan *plan, Pool *pool, Turn *turn, Placement placement, int row,
                    uint32_t full) {
    if (placement == PLACEMENT_NONE) {
        turn->game->state = GAME_OVER;
    } else if (move(plan, turn, placement, row, full)) {
        pool_put(pool, turn);
        return;
    }
    end(pool, turn);
}

// The same, where nothing is known of the placement.
static void drop(const RatingPlan *plan, Pool *pool, Turn *turn, Placement placement) {
    int row = 0;
    uint32_t full = 0;
    if (placement != PLACEMENT_NONE) {
        Board after = turn->game->board;
        const Shape *shape = &piece_shape[turn->game->piece][placement_orientation(placement)];
        row = board_drop_row(&after, shape, placement_column(placement));
        board_put(&after, shape, placement_column(placement), row);
        full = board_full_rows(&after, plan->width);
    }
    move_on(plan, pool, turn, placement, row, full);
}

static void play(const RatingPlan *plan, const Ranks *ranks, int count, Turn *turn,
                 bool (*again)(void *context, Turn *turn), void *context) {
    Pool pool;
    pool.games = count;
    pool.again = again;
    pool.context = context;
    memset(pool.first, 0, sizeof pool.first);
    memset(pool.waits, 0, sizeof pool.waits);
    Turn *playing[SLOTS], *alone[SLOTS];
    Round round;
    for (int k = 0; k < count; k++)
        begin(&pool, &turn[k]);
    while (pool.games) {
        round_start(&round, plan, ranks);
        int largest = 0, alones = 0;
        for (int piece = 1; piece < PIECES; piece++)
            largest = pool.waits[piece] > pool.waits[largest] ? piece : largest;
        // Full groups; if there is none, the largest one.
        int least = pool.waits[largest] < LANES ? pool.waits[largest] : LANES;
        for (int piece = 0; piece < PIECES; piece++)
            while (pool.waits[piece] >= least && round.slots + LANES <= SLOTS) {
                int first = round.slots;
                for (int k = 0; k < least; k++) {
                    Turn *own = pool_take(&pool, piece);
                    if (round_add(&round, &own->game->board, piece))
                        playing[round.slots - 1] = own;
                    else
                        alone[alones++] = own;
                }
                if (round.slots > first)
                    value_group(&round, first, round.slots - first);
                if (alones > SLOTS - LANES)
                    break;
            }
        value_queue(&round);
        for (int slot = 0; slot < round.slots; slot++) {
            Placement placement = placement_of(&round, slot);
            if (ranks->random && placement != PLACEMENT_NONE)
                placement = draw(playing[slot]->game, round.set[slot]);
            if (placement != PLACEMENT_NONE && plan->incremental && !ranks->random)
                move_on(plan, &pool, playing[slot], placement, round.row[placement][slot] + round.base[slot],
                        round.full[slot]);
            else
                drop(plan, &pool, playing[slot], placement);
        }
        for (int k = 0; k < alones; k++) {
            Game *game = alone[k]->game;
            uint64_t fatal;
            BestPlacement answer = boards_single_best(plan, ranks, &game->board, game->piece, &fatal);
            if (ranks->random && answer.set)
                answer.placement = draw(game, answer.set);
            bool ends = !answer.set || fatal >> answer.placement & 1;
            drop(plan, &pool, alone[k], ends ? PLACEMENT_NONE : answer.placement);
        }
    }
}

const BoardsKernel KERNEL_NAME = {LANES, best, values, boards, play};
