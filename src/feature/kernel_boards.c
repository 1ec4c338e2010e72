// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel, for one machine; see kernel_boards.h. boards_group.h looks at boards, boards_place.h values
// placements by what they change, boards_surface.h what they change of the heights, boards_whole.h whole
// boards; boards_ahead.h answers questions about many boards.
#include "feature/kernel_boards.h"

#include "feature/boards_place.h"

typedef uint16_t Image __attribute__((vector_size(32)));

INLINE Image image_load(const void *from) {
    Image image;
    memcpy(&image, from, sizeof image);
    return image;
}

// ---- all placements of a group ---------------------------------------------------------------------------

#ifdef SMALL_KERNEL // shapes are read at run time: 58 kB less, two thirds of the speed
static void place_orientation(const RatingPlan *plan, const Group *q, Placed *placed, int piece, int o) {
    const Shape *s = &piece_shape[piece][o];
    const bool fast = plan->fast_wells || !plan->wells;
    switch (s->width) {
    case 1:
        PLACE(fast, ORIENTATION_I1);
        break;
    case 2:
        PLACE(fast, 2, s->bottom[0], s->bottom[1], 0, 0, s->cells[0], s->cells[1], 0, 0);
        break;
    case 3:
        PLACE(fast, 3, s->bottom[0], s->bottom[1], s->bottom[2], 0, s->cells[0], s->cells[1], s->cells[2], 0);
        break;
    default:
        PLACE(fast, ORIENTATION_I0);
    }
}
#else
typedef void PlaceFunction(const RatingPlan *plan, const Group *q, Placed *placed);
#define ORIENTATION(name)                                                                                    \
    static __attribute__((noinline)) void place_##name(const RatingPlan *plan, const Group *q,               \
                                                       Placed *placed) {                                     \
        PLACE(false, ORIENTATION_##name);                                                                    \
    }                                                                                                        \
    static __attribute__((noinline)) void place_fast_##name(const RatingPlan *plan, const Group *q,          \
                                                            Placed *placed) {                                \
        PLACE(true, ORIENTATION_##name);                                                                     \
    }
// clang-format off
ORIENTATION(O0) ORIENTATION(I0) ORIENTATION(I1) ORIENTATION(S0) ORIENTATION(S1) ORIENTATION(Z0) ORIENTATION(Z1)
ORIENTATION(L0) ORIENTATION(L1) ORIENTATION(L2) ORIENTATION(L3) ORIENTATION(J0) ORIENTATION(J1) ORIENTATION(J2)
ORIENTATION(J3) ORIENTATION(T0) ORIENTATION(T1) ORIENTATION(T2) ORIENTATION(T3)

#define PLACE_FUNCTIONS(place)                                                                               \
    {[PIECE_O] = {place##O0}, [PIECE_I] = {place##I0, place##I1}, [PIECE_S] = {place##S0, place##S1},        \
     [PIECE_Z] = {place##Z0, place##Z1}, [PIECE_L] = {place##L0, place##L1, place##L2, place##L3},           \
     [PIECE_J] = {place##J0, place##J1, place##J2, place##J3},                                               \
     [PIECE_T] = {place##T0, place##T1, place##T2, place##T3}}
static PlaceFunction *const place_functions[2][PIECES][ORIENTATIONS] = {PLACE_FUNCTIONS(place_),
                                                                        PLACE_FUNCTIONS(place_fast_)};
// clang-format on

static void place_orientation(const RatingPlan *plan, const Group *q, Placed *placed, int piece, int o) {
    place_functions[plan->fast_wells || !plan->wells][piece][o](plan, q, placed);
}
#endif

// Remembers where placements land, and queues what is to be valued as whole boards.
static __attribute__((noinline)) void queue_apart(Round *round, const Group *q, int count,
                                                  Placement placement, const Placed *placed) {
    Entry *entry = round->queue + round->queued, first = (Entry)q->slot + (Entry)placement * ENTRY_PLACEMENT;
    int16_t *row = &round->row[placement][q->slot];
    uint32_t used = q->lanes;
    for (const Placed *end = placed + count; placed < end;
         placed++, first += ENTRY_PLACEMENT, row += SLOTS + LANES) {
        v_store(row, placed->row);
        uint32_t lanes = ~v_lanes(v_same(placed->apart, v_set(0))) & used;
        uint64_t left = lanes | (uint64_t)3 << 40;
        Entry *end_of_these = entry + __builtin_popcount(lanes);
        do { // two at a time, hardly ever more: without branches, which nothing could foresee
            entry[0] = first + (Entry)__builtin_ctzll(left);
            left &= left - 1;
            entry[1] = first + (Entry)__builtin_ctzll(left);
            left = (left & (left - 1)) | (uint64_t)3 << 40;
            entry += 2;
        } while (__builtin_expect(entry < end_of_these, 0));
        entry = end_of_these;
    }
    round->queued = (int)(entry - round->queue);
}

// The same for a board alone, whose placements lie side by side.
static __attribute__((noinline)) void queue_apart_alone(Round *round, const Group *q, int count,
                                                        Placement placement, const Placed *placed) {
    Entry first = (Entry)q->slot + (Entry)placement * ENTRY_PLACEMENT;
    for (int x = 0; x < count; x += LANES, placed++) {
        int16_t row[LANES];
        uint32_t inside = v_lanes(lanes_before(count - x)),
                 apart = inside & ~v_lanes(v_same(placed->apart, v_set(0)));
        v_store(row, placed->row);
        for (uint32_t left = round->value ? inside : apart; left; left &= left - 1)
            round->row[placement + x + __builtin_ctz(left)][q->slot] = row[__builtin_ctz(left)];
        for (; apart; apart &= apart - 1)
            round->queue[round->queued++] = first + (Entry)(x + __builtin_ctz(apart)) * ENTRY_PLACEMENT;
    }
}

// The value of placements that change no more than Placed says, and diversity if wanted.
INLINE void weigh_placed(const RatingPlan *plan, const Group *q, const Round *round, Best *best, int piece,
                         int orientation, const Placed *placed, const bool diversity, const bool single) {
    const PairWeights constant = plan->constant_parts[piece][orientation];
    const int step = single ? LANES : 1;
    const uint16_t *rank = round->ranks->rank[piece] + placement_make(orientation, 0);
    S upper_of[2] = {best->upper[0], best->upper[1]}, lower_of[2] = {best->lower[0], best->lower[1]};
    S high = s_set(constant.high), low = s_set(constant.low), high_of[4], low_of[4];
    V highest = q->highest - (uint16_t)piece_shape[piece][orientation].height;
    UNROLL
    for (int k = 0; k < 4; k++) {
        PairWeights pair = diversity && k == 3 ? plan->with_diversity : plan->pair[k];
        high_of[k] = s_set(pair.high);
        low_of[k] = s_set(pair.low);
    }
    const Surface *surface = &q->surface;
    const Shape *shape = &piece_shape[piece][orientation];
    const V first_top = v_set(shape->bottom[0] + shape->cells[0]),
            *right = surface->around + 2 + shape->width;
    const V last_top = v_set(shape->bottom[shape->width - 1] + shape->cells[shape->width - 1]);
    const V own_steps = v_set(plan->shape_steps[piece][orientation]);
    for (int x = 0; x + shape->width <= plan->width; placed++, rank += step, x += step) {
        V valid = v_same(placed->apart, v_set(0)), last = placed->gaps;
        if (single)
            valid &= lanes_before(plan->width - shape->width + 1 - x);
        if (q->limited)
            valid &= ~v_greater(placed->row, highest);
        if (diversity)
            last = different_steps(surface->seen_before[x] | surface->seen_after[x + shape->width + 1] |
                                   step_bit(placed->row + first_top - surface->around[x + 1]) |
                                   step_bit(right[x] - placed->row - last_top) | own_steps) -
                   surface->diversity;
        UNROLL
        for (int half = 0; half < 2; half++) {
            S pair[4] = {s_half(half, placed->row, placed->holes),
                         s_half(half, placed->beside, placed->wells),
                         s_half(half, placed->gaps, placed->depth), s_half(half, placed->hole_rows, last)};
            S upper = high, lower = low;
            UNROLL
            for (int k = 0; k < 4; k++) {
                upper = s_dot(upper, pair[k], high_of[k]);
                lower = s_dot(lower, pair[k], low_of[k]);
            }
            S own_rank = single ? s_half(half, v_load(rank), v_set(0)) : s_set(*rank);
            keep_best(upper + (lower >> 15), (lower & 0x7fff) << TIE_BITS | own_rank, s_most(half, valid),
                      &upper_of[half], &lower_of[half]);
        }
    }
    UNROLL
    for (int half = 0; half < 2; half++) {
        best->upper[half] = upper_of[half];
        best->lower[half] = lower_of[half];
    }
}

static __attribute__((noinline)) void weigh_best(const RatingPlan *plan, const Group *q, const Round *round,
                                                 Best *best, int piece, int orientation,
                                                 const Placed *placed) {
    if (q->single)
        weigh_placed(plan, q, round, best, piece, orientation, placed, false, true);
    else
        weigh_placed(plan, q, round, best, piece, orientation, placed, false, false);
}

static __attribute__((noinline)) void weigh_diverse(const RatingPlan *plan, const Group *q,
                                                    const Round *round, Best *best, int piece,
                                                    int orientation, const Placed *placed) {
    weigh_placed(plan, q, round, best, piece, orientation, placed, true, false);
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
#ifdef SMALL_KERNEL
    weigh_any(plan, SIMPLE_FEATURES, q, round, best, piece, orientation,
              piece_shape[piece][orientation].width, placed, true);
#else
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
#endif
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

// Placements in columns without a cell in the window, or beside them, are for whole boards.
static __attribute__((noinline)) void put_low_apart(const RatingPlan *plan, const Group *q, Placed *placed,
                                                    int width) {
    for (int x = 0; x + width <= plan->width; x += q->step, placed++)
        for (int y = x - 1; y <= x + width; y++)
            placed->apart |= q->column[LOW][y + 2];
}

static void place_all(const RatingPlan *plan, Group *q, Round *round, Best *best, int piece) {
    Placed placed[WIDEST];
    for (int o = 0; o < piece_orientations[piece]; o++) {
        if (!plan->incremental) {
            for (int x = 0; x + piece_shape[piece][o].width <= plan->width; x += q->step)
                place_whole(plan, q, round, best, piece, o, x);
            continue;
        }
        place_orientation(plan, q, placed, piece, o);
        if (__builtin_expect(q->has_low, 0))
            put_low_apart(plan, q, placed, piece_shape[piece][o].width);
        (q->single ? queue_apart_alone : queue_apart)(round, q, plan->width - piece_shape[piece][o].width + 1,
                                                      placement_make(o, 0), placed);
        bool plain = !q->all_values && (!q->single || !plan->further);
        if (plain && plan->only_diversity)
            weigh_diverse(plan, q, round, best, piece, o, placed);
        else if (plain && plan->surface && !plan->by_side && !plan->has_highest_hole &&
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

// The numbers of both halves, lane by lane. <- upper * 2^shift + lower
INLINE void store_sums(int64_t to[LANES], const S upper[2], const S lower[2], int shift) {
    typedef int32_t Four __attribute__((vector_size(16), may_alias));
    typedef int64_t Long __attribute__((vector_size(32), aligned(8), may_alias));
    UNROLL
    for (int lane = 0; lane < LANES; lane += 4) { // half_place
        const Four *high = (const Four *)&upper[lane >> 2 & 1] + (lane >> 3);
        const Four *low = (const Four *)&lower[lane >> 2 & 1] + (lane >> 3);
        *(Long *)(to + lane) =
            (__builtin_convertvector(*high, Long) << shift) + __builtin_convertvector(*low, Long);
    }
}

// -> b  cells, base and holed
INLINE void value_columns(const RatingPlan *plan, const Terms *terms, Columns *b, Wholes *wholes) {
    Values values;
    Sum sum;
    S upper[2], lower[2];
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
    store_sums(wholes->value, upper, lower, 15);
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

// -> value  of a placement, and the rows that it completes
INLINE void take_value(Round *round, int slot, Placement placement, int64_t value, uint32_t full) {
    if (round->value) {
        round->value[slot][placement] = value;
        return;
    }
    int64_t own = value * (1 << TIE_BITS) | round->ranks->rank[round->piece[slot]][placement];
    if (round->ranks->random) {
        uint64_t set = own > round->best[slot] ? 0 : round->set[slot];
        round->set[slot] = set | (uint64_t)(own >= round->best[slot]) << placement;
    }
    int64_t better = -(int64_t)(own > round->best[slot]); // a branch here would often be foreseen wrongly
    round->best[slot] ^= (round->best[slot] ^ own) & better;
    round->full[slot] ^= (round->full[slot] ^ full) & (uint32_t)better;
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
    take_value(round, slot, placement, value, full);
}

// The same for boards that are cut. -> entry  at most CUT_ENTRIES
enum { CUT_ENTRIES = LANES / 2 }; // as many as boards_single_moves values side by side

static __attribute__((noinline)) void value_cut(Round *round, int count, const Entry *entry) {
    SingleMove move[CUT_ENTRIES];
    for (int k = 0; k < count; k++) {
        int slot = (int)(entry[k] % ENTRY_PLACEMENT);
        move[k].board = round->board[slot];
        move[k].piece = round->piece[slot];
        move[k].placement = entry[k] < ENTRY_LEVEL ? (Placement)(entry[k] / ENTRY_PLACEMENT) : PLACEMENT_NONE;
    }
    boards_single_moves(round->plan, count, move);
    for (int k = 0; k < count; k++) {
        int slot = (int)(entry[k] % ENTRY_PLACEMENT);
        Placement placement = move[k].placement;
        if (placement == PLACEMENT_NONE) {
            round->level[slot] = move[k].value;
            continue;
        }
        round->row[placement][slot] = (int16_t)(move[k].row - round->base[slot]);
        if (!move[k].ends)
            take_value(round, slot, placement, move[k].value - round->level[slot], move[k].full);
    }
}

// Takes boards that are cut from the queue. Of each, the level comes first.
static __attribute__((noinline)) void value_cuts(Round *round) {
    Entry entry[CUT_ENTRIES + 1];
    int count = 0, kept = 0;
    for (int k = 0; k < round->queued; k++) {
        Entry own = round->queue[k];
        int slot = (int)(own % ENTRY_PLACEMENT);
        if (round->cut[slot] == NOT_CUT) {
            round->queue[kept++] = own;
            continue;
        }
        if (own >= ENTRY_LEVEL)
            continue;
        if (round->cut[slot] == CUT)
            entry[count++] = (Entry)slot + ENTRY_LEVEL;
        round->cut[slot] = CUT_LEVEL;
        entry[count++] = own;
        if (count >= CUT_ENTRIES) {
            value_cut(round, CUT_ENTRIES, entry);
            entry[0] = entry[CUT_ENTRIES];
            count -= CUT_ENTRIES;
        }
    }
    value_cut(round, count, entry);
    round->queued = kept;
}

static void value_queue(Round *round) {
    const RatingPlan *plan = round->plan;
    if (round->cuts)
        value_cuts(round);
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
        if (count < LANES)
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
    round->room = plan->avoid ? 0 : 4; // moves that end the game are valued apart, where they count
    round->windows = round->cuts = false;
    memset(round->full, 0, sizeof round->full);
}

enum { COLUMNS_A_PART = LANES / 2, PARTS = BOARD_COLUMNS / COLUMNS_A_PART };

INLINE bool is_tall(const Board *board) {
    const Part *part = (const Part *)board->column;
    Part occupied = part[0];
    UNROLL
    for (int k = 1; k < PARTS; k++)
        occupied |= part[k];
    return v_any((V)(occupied >> BOARDS_TALLEST));
}

INLINE uint32_t all_and(Part a) {
    uint32_t column[COLUMNS_A_PART], all = UINT32_MAX;
    memcpy(column, &a, sizeof column);
    for (int x = 0; x < COLUMNS_A_PART; x++)
        all &= column[x];
    return all;
}

INLINE Part part_fill_down(Part a) {
    a |= a >> 1;
    a |= a >> 2;
    a |= a >> 4;
    a |= a >> 8;
    return a | a >> 16;
}

// The rows of a board that columns of 16 bits can show. Below the base row there is nothing that a move could
// change: no run of holes is cut, and every column keeps a cell between it and the lowest row that may be
// completed. If these are too many rows the board is cut: that suffices for placements that complete no row.
typedef struct Window {
    int base;
    uint32_t holed, low; // sets of columns with holes below it, of those without a cell in it
    Cut cut;
} Window;

// <- false: they do not suffice
static __attribute__((noinline)) bool find_window(const RatingPlan *plan, const Board *board,
                                                  Window *window) {
    const Part *part = (const Part *)board->column, *outside = (const Part *)plan->outside;
    Part full = ~(Part){0}, cut = {0}, holes = {0}, occupied = {0}, low = full;
    if (!plan->incremental)
        return false;
    UNROLL
    for (int k = 0; k < PARTS; k++) {
        Part c = part[k] | outside[k], f = part_fill_down(c);
        full &= f;
        cut |= ~c & ~c << 1;
        holes |= f & ~c;
        occupied |= part[k];
    }
    uint32_t least = all_and(full), hole_rows = ~all_and(~holes), pile = ~all_and(~occupied);
    UNROLL
    for (int k = 0; k < PARTS; k++)
        low &= part_fill_down((part[k] | outside[k]) & least);
    int most = column_height(all_and(low)) - 1; // below the lowest row that may be completed
    if (plan->has_highest_hole && hole_rows && column_height(hole_rows) - 1 < most)
        most = column_height(hole_rows) - 1; // it has to be seen
    int base = most < 1 ? 0 : column_height(all_and(~cut) & ((2u << most) - 1)) - 1;
    if (base < 1 || column_height(pile) - base > BOARDS_TALLEST) {
        base = column_height(pile) - BOARDS_TALLEST;
        window->cut = CUT;
        for (int x = 0; x < plan->width; x++)
            window->low |= (uint32_t)(board->column[x] >> base == 0) << x;
        if (plan->has_highest_hole || (plan->surface && window->low))
            return false;
    }
    window->base = base;
    uint32_t below = (1u << base) - 1;
    if (hole_rows & below)
        for (int x = 0; x < plan->width; x++)
            window->holed |= (uint32_t)((~board->column[x] & below) != 0) << x;
    return true;
}

// Puts a board into the next slot. -> level  of the board; LEVEL_UNKNOWN <- false: it does not fit
INLINE bool round_add(Round *round, const Board *board, int piece, int64_t level) {
    const RatingPlan *plan = round->plan;
    int slot = round->slots;
    Window window = {0};
    if (__builtin_expect(is_tall(board), 0)) {
        if (!find_window(plan, board, &window))
            return false;
        round->windows = true;
        round->cuts |= window.cut != NOT_CUT;
        level = LEVEL_UNKNOWN; // another one for every window
    }
    if (round->room && column_height(board_occupied(board)) + round->room > plan->limit)
        return false;
    image_of(round->image[slot], board->column, window.base);
    round->board[slot] = board;
    round->piece[slot] = (int8_t)piece;
    round->base[slot] = (int8_t)window.base;
    round->holed[slot] = (uint16_t)window.holed;
    round->low[slot] = (uint16_t)window.low;
    round->cut[slot] = (int8_t)window.cut;
    round->level[slot] = level;
    round->alone[slot] = false;
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
    int64_t alone[LANES], *own = q->single ? alone : round->best + q->slot;
    store_sums(own, best->upper, best->lower, 15 + TIE_BITS);
    if (q->single) {
        int64_t most = own[0];
        for (int lane = 1; lane < LANES; lane++)
            most = own[lane] > most ? own[lane] : most;
        round->best[q->slot] = most;
    }
    if (round->ranks->random)
        take_sets(round, q, best, count, own);
    if (round->windows && round->plan->row_weight)
        for (int slot = q->slot; slot < q->slot + count; slot++)
            if (round->best[slot] >= NO_BEST)
                round->best[slot] += round->plan->row_weight * round->base[slot] * (1 << TIE_BITS);
}

// Of a board alone, ratings of the surface are quicker by whole boards: its placements fill the lanes.
INLINE bool is_queued_whole(const RatingPlan *plan) {
    return plan->incremental && plan->surface;
}

static void queue_whole(Round *round, int slot) {
    const RatingPlan *plan = round->plan;
    int piece = round->piece[slot], height[WIDEST];
    Entry *entry = round->queue + round->queued;
    for (int x = 0; x < plan->width; x++)
        height[x] = column_height(round->image[slot][x]);
    for (int o = 0; o < piece_orientations[piece]; o++) {
        const Shape *shape = &piece_shape[piece][o];
        Placement placement = placement_make(o, 0);
        for (int x = 0; x + shape->width <= plan->width; x++, placement++) {
            int row = 0;
            for (int i = 0; i < shape->width; i++) {
                int lowest = height[x + i] - shape->bottom[i];
                row = lowest > row ? lowest : row;
            }
            round->row[placement][slot] = (int16_t)row;
            *entry++ = (Entry)slot + (Entry)placement * ENTRY_PLACEMENT;
        }
    }
    round->queued = (int)(entry - round->queue);
    round->best[slot] = INT64_MIN;
}

// Slots first ... first + count - 1 hold boards that got the same piece.
static void value_group(Round *round, int first, int count) {
    const RatingPlan *plan = round->plan;
    Group q;
    Best best;
    int piece = round->piece[first], queued = round->queued;
    if (count <= LANES / 8) {
        for (int slot = first; slot < first + count; slot++, queued = round->queued) {
            bool with_level = plan->incremental && round->level[slot] == LEVEL_UNKNOWN;
            if (with_level) // with the board itself, if there is anything
                round->queue[round->queued++] = (Entry)slot + ENTRY_LEVEL;
            if (is_queued_whole(plan)) {
                queue_whole(round, slot);
                continue;
            }
            best_start(&best);
            look_at_one(round, &q, slot);
            round->alone[slot] = true;
            place_all(plan, &q, round, &best, piece);
            if (with_level && round->queued == queued + 1)
                round->queued--;
            if (!round->value)
                take_best(round, &q, &best, 1);
        }
        return;
    }
    best_start(&best);
    look_at_group(round, &q, first, count);
    place_all(plan, &q, round, &best, piece);
    bool unknown = false;
    for (int slot = first; slot < first + count; slot++)
        unknown |= round->level[slot] == LEVEL_UNKNOWN;
    if (unknown && round->queued > queued)
        level_group(round, &q, count);
    if (!round->value)
        take_best(round, &q, &best, count);
}

static Placement placement_of(const Round *round, int slot) {
    int64_t best = round->best[slot];
    return best < NO_BEST ? PLACEMENT_NONE
                          : round->ranks->placement[round->piece[slot]][best & ((1 << TIE_BITS) - 1)];
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

// Puts a piece down. -> full  the rows that it completes, which are removed; 0: none
INLINE void put_piece(const RatingPlan *plan, const Board *board, int piece, int orientation, int column,
                      int row, uint32_t full, Board *after) {
    const uint16_t *shape = plan->shape[piece][orientation] + 16 - column;
    const Part *from = (const Part *)board->column;
    Part *part = (Part *)after->column;
    uint32_t below = (full & -full) - 1; // no full row: all bits
    UNROLL
    for (int k = 0; k < PARTS; k++) {
        Part c = from[k] | part_of(shape + k * COLUMNS_A_PART) << row;
        part[k] = (c & below) | (c >> 1 & ~below);
    }
    for (uint32_t left = (full & (full - 1)) >> 1; __builtin_expect(left != 0, 0);
         left = (left & (left - 1)) >> 1) {
        below = (left & -left) - 1;
        for (int k = 0; k < PARTS; k++)
            part[k] = (part[k] & below) | (part[k] >> 1 & ~below);
    }
}

#include "feature/boards_ahead.h"

// ---- games -----------------------------------------------------------------------------------------------

// Games that wait for their moves, by the piece in hand: first come, first served.
typedef struct Pool {
    Turn *turn; // they are known by their numbers
    uint16_t waiting[PIECES][MOST_TURNS];
    int64_t level[MOST_TURNS];           // of the board of each, see take_whole
    unsigned first[PIECES], end[PIECES]; // of those that wait
    int games;
    bool (*again)(void *context, Turn *turn);
    void *context;
} Pool;

INLINE void pool_put(Pool *pool, int number, int64_t level) {
    int piece = pool->turn[number].game->piece;
    pool->waiting[piece][pool->end[piece]++ % MOST_TURNS] = (uint16_t)number;
    pool->level[number] = level;
}

INLINE int pool_waits(const Pool *pool, int piece) {
    return (int)(pool->end[piece] - pool->first[piece]);
}

INLINE int pool_take(Pool *pool, int piece) {
    return pool->waiting[piece][pool->first[piece]++ % MOST_TURNS];
}

// Lets the turn wait for its first move. If it has none, another one takes its place, as long as there is
// one. -> again  the turn is over, whatever it says
static __attribute__((noinline)) void begin(Pool *pool, int number, bool again) {
    Turn *turn = &pool->turn[number];
    while (!again || pool->again(pool->context, turn)) {
        Game *game = turn->game;
        if (game->state == GAME_PAUSED)
            game->state = GAME_RUNNING;
        if (game->state == GAME_RUNNING && turn->moves) {
            pool_put(pool, number, LEVEL_UNKNOWN);
            return;
        }
        again = true;
    }
    pool->games--;
}

// Plays a placement. -> row  where it lands; full  rows that it completes; level  of the board after it
INLINE void move(const RatingPlan *plan, Pool *pool, int number, Placement placement, int row, uint32_t full,
                 int64_t level) {
    Turn *turn = &pool->turn[number];
    Game *game = turn->game;
    put_piece(plan, &game->board, game->piece, placement_orientation(placement), placement_column(placement),
              row, full, &game->board);
    game_advance(game, __builtin_popcount(full));
    if (turn->low >= 0 || turn->high < TURN_ANY_HEIGHT) {
        int height = column_height(board_occupied(&game->board));
        if (game->state == GAME_RUNNING && (height <= turn->low || height >= turn->high))
            game->state = GAME_PAUSED;
    }
    if (__builtin_expect(--turn->moves && game->state == GAME_RUNNING, 1))
        pool_put(pool, number, level);
    else
        begin(pool, number, true);
}

static int landing_row(const Board *board, int piece, Placement placement) {
    const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
    return board_drop_row(board, shape, placement_column(placement));
}

// The same, where nothing is known of the placement. -> PLACEMENT_NONE: there is none
static __attribute__((noinline)) void drop(const RatingPlan *plan, Pool *pool, int number,
                                           Placement placement) {
    Game *game = pool->turn[number].game;
    if (placement == PLACEMENT_NONE) {
        game->state = GAME_OVER;
        begin(pool, number, true);
        return;
    }
    Board after = game->board;
    const Shape *shape = &piece_shape[game->piece][placement_orientation(placement)];
    int row = landing_row(&game->board, game->piece, placement);
    board_put(&after, shape, placement_column(placement), row);
    move(plan, pool, number, placement, row, board_full_rows(&after, plan->width), LEVEL_UNKNOWN);
}

// The level of the board after the move that was chosen for a slot: its value is what the level changes by,
// and what the move itself gives.
INLINE int64_t level_after_move(const Round *round, int slot, Placement placement, int row) {
    int64_t gives = rating_plan_move(round->plan, round->piece[slot], placement_orientation(placement), row,
                                     round->full[slot]);
    bool known = round->level[slot] != LEVEL_UNKNOWN && round->base[slot] == 0;
    return known ? round->level[slot] + (round->best[slot] >> TIE_BITS) - gives : LEVEL_UNKNOWN;
}

// Fills a round with groups of games that got the same piece: full ones; if there is none, the largest.
// <-> alone  games that do not fit, `alones` of them
static void gather(Pool *pool, Round *round, uint16_t playing[SLOTS], uint16_t alone[SLOTS], int *alones) {
    int largest = 0;
    for (int piece = 1; piece < PIECES; piece++)
        largest = pool_waits(pool, piece) > pool_waits(pool, largest) ? piece : largest;
    int least = pool_waits(pool, largest) < LANES ? pool_waits(pool, largest) : LANES;
    for (int piece = 0; piece < PIECES; piece++)
        while (pool_waits(pool, piece) >= least && round->slots + LANES <= SLOTS &&
               *alones + LANES <= SLOTS) {
            int first = round->slots;
            for (int k = 0; k < least; k++) {
                int number = pool_take(pool, piece);
                if (round_add(round, &pool->turn[number].game->board, piece, pool->level[number]))
                    playing[round->slots - 1] = (uint16_t)number;
                else
                    alone[(*alones)++] = (uint16_t)number;
            }
            if (round->slots > first)
                value_group(round, first, round->slots - first);
        }
}

static void play(const RatingPlan *plan, const Ranks *ranks, int count, Turn *turn,
                 bool (*again)(void *context, Turn *turn), void *context) {
    Pool pool;
    Round round;
    uint16_t playing[SLOTS], alone[SLOTS];
    pool.turn = turn;
    pool.games = count;
    pool.again = again;
    pool.context = context;
    memset(pool.first, 0, sizeof pool.first);
    memset(pool.end, 0, sizeof pool.end);
    for (int k = 0; k < count; k++)
        begin(&pool, k, false);
    while (pool.games) {
        int alones = 0;
        round_start(&round, plan, ranks);
        gather(&pool, &round, playing, alone, &alones);
        value_queue(&round);
        for (int slot = 0; slot < round.slots; slot++) {
            Placement placement = placement_of(&round, slot);
            if (ranks->random && placement != PLACEMENT_NONE)
                placement = placement_draw(round.set[slot], &turn[playing[slot]].game->ties);
            if (__builtin_expect(placement == PLACEMENT_NONE || !plan->incremental || ranks->random, 0)) {
                drop(plan, &pool, playing[slot], placement);
                continue;
            }
            int row = round.row[placement][slot] + round.base[slot];
            if (round.alone[slot])
                row = landing_row(&turn[playing[slot]].game->board, round.piece[slot], placement);
            move(plan, &pool, playing[slot], placement, row, round.full[slot],
                 level_after_move(&round, slot, placement, row));
        }
        for (int k = 0; k < alones; k++) {
            Game *game = turn[alone[k]].game;
            uint64_t fatal;
            BestPlacement answer = boards_single_best(plan, ranks, &game->board, game->piece, &fatal);
            if (ranks->random && answer.set)
                answer.placement = placement_draw(answer.set, &game->ties);
            bool ends = !answer.set || fatal >> answer.placement & 1;
            drop(plan, &pool, alone[k], ends ? PLACEMENT_NONE : answer.placement);
        }
    }
}

const BoardsKernel KERNEL_NAME = {LANES, values, outcomes, best_values, boards, play};
