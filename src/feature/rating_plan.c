// SPDX-License-Identifier: GPL-3.0-or-later
// Prepares a rating for the kernel: what is the same on all machines.
#include "feature/rating_plan.h"

#include <stdlib.h>
#include <string.h>

#include "feature/kernel_boards.h"
#include "game/piece.h"

#define STEP_FEATURES (BIT(STEP_SIZES) | BIT(WALL_STEPS) | BIT(STEP_PAIRS) | BIT(STEP_TRIPLES))
#define FIT_FEATURES  (BIT(FITS) | BIT(FITS_BOTH_WAYS))
#define CHANGE_FEATURES                                                                                      \
    (BIT(DELTA_MAX_HEIGHT) | BIT(DELTA_HOLES) | BIT(DELTA_HEIGHT_DIFFERENCES) | BIT(DELTA_MEAN_HEIGHT))
// Of the move alone: they do not depend on what was there before or is there after.
#define MOVE_FEATURES                                                                                        \
    (BIT(LANDING_HEIGHT) | BIT(MEAN_LANDING_HEIGHT) | BIT(REMOVED_LINES) | BIT(ERODED_CELLS))
#define HEIGHT_FEATURES                                                                                      \
    (BIT(JAGS) | BIT(MAX_HEIGHT) | BIT(COLUMN_HEIGHTS) | BIT(COLUMN_DIFFERENCES) | BIT(HEIGHT_DIFFERENCES) | \
     BIT(MEAN_HEIGHT) | BIT(MIN_HEIGHT) | BIT(MAX_MINUS_MEAN_HEIGHT) | BIT(MEAN_MINUS_MIN_HEIGHT) |          \
     BIT(HEIGHT_RANGE) | BIT(NEAR_TOP) | BIT(DIVERSITY) | BIT(WELLS) | BIT(DEEP_WELLS) |                     \
     BIT(MAX_WELL_DEPTH) | BIT(WELLS_BY_DEPTH) | BIT(WELLS_BY_PLACE) | BIT(DEEPEST_WELL))
#define SURFACE_FEATURES (HEIGHT_FEATURES | STEP_FEATURES | FIT_FEATURES)
// What is known of a placement without looking at the whole board. Of the wells of 23 and 23b one only.
#define INCREMENTAL_FEATURES                                                                                 \
    (MOVE_FEATURES | CHANGE_FEATURES | SURFACE_FEATURES | BIT(HOLES) | BIT(ROW_TRANSITIONS) |                \
     BIT(COLUMN_TRANSITIONS) | BIT(CUMULATIVE_WELLS) | BIT(CUMULATIVE_WELLS_FAST) | BIT(HOLE_DEPTH) |        \
     BIT(ROWS_WITH_HOLES) | BIT(ADJACENT_HOLES) | BIT(CELLS) | BIT(WEIGHTED_CELLS) | BIT(HOLES_BY_COLUMN) |  \
     BIT(HIGHEST_HOLE) | BIT(HIGHEST_HOLE_COLUMN))

const uint64_t rating_plan_features = INCREMENTAL_FEATURES | BIT(CELL_TRANSITIONS) | BIT(FRONTIER) |
                                      BIT(EMBEDDED_HOLES) | BIT(MEAN_HOLE_DEPTH) | BIT(PITS);

// Of those of the surface, what is weighed column by column, or looked up.
#define COLUMN_FEATURES (BIT(COLUMN_HEIGHTS) | BIT(COLUMN_DIFFERENCES))
#define PLACE_FEATURES  (BIT(WELLS_BY_DEPTH) | BIT(WELLS_BY_PLACE))
#define BY_ITSELF       (COLUMN_FEATURES | PLACE_FEATURES | BIT(DEEPEST_WELL) | BIT(HOLES_BY_COLUMN))
#define FURTHER_FEATURES                                                                                     \
    (SURFACE_FEATURES | BIT(DELTA_MAX_HEIGHT) | BIT(DELTA_HEIGHT_DIFFERENCES) | BIT(DELTA_MEAN_HEIGHT) |     \
     BIT(HOLES_BY_COLUMN) | BIT(HIGHEST_HOLE) | BIT(HIGHEST_HOLE_COLUMN))

enum { LARGEST_SUM = 1 << 16 }; // of the values of all features together

PairWeights pair_weights(int64_t first, int64_t second) {
    return (PairWeights){(int32_t)((uint32_t)(second >> 15) << 16 | ((uint32_t)(first >> 15) & 0xffff)),
                         (int32_t)((uint32_t)(second & 0x7fff) << 16 | (uint32_t)(first & 0x7fff))};
}

static bool too_large(int64_t weight) {
    return weight > RATING_MAX_WEIGHT || weight < -RATING_MAX_WEIGHT;
}

// The board feature whose change this one is.
static FeatureId changing(FeatureId id) {
    static const FeatureId changed[FEATURES] = {
        [FEATURE_DELTA_MAX_HEIGHT] = FEATURE_MAX_HEIGHT,
        [FEATURE_DELTA_HOLES] = FEATURE_HOLES,
        [FEATURE_DELTA_HEIGHT_DIFFERENCES] = FEATURE_HEIGHT_DIFFERENCES,
        [FEATURE_DELTA_MEAN_HEIGHT] = FEATURE_MEAN_HEIGHT,
    };
    return CHANGE_FEATURES >> id & 1 ? changed[id] : id;
}

bool rating_plan_possible(const Rating *rating) {
    uint64_t features = rating->features;
    if (rating->network || features & ~rating_plan_features ||
        (rating_has_powers(rating->kind) && features & STEP_FEATURES))
        return false;
    long sum = 0;
    for (int t = 0; t < rating->terms; t++)
        if (!(STEP_FEATURES >> rating->term[t].feature & 1))
            sum += feature_bound(rating->term[t].feature, rating->width, rating->height);
    return sum < LARGEST_SUM;
}

static void add_terms(const Rating *rating, uint64_t features, Terms *terms) {
    int32_t weight[RATING_MAX_TERMS + 1] = {0};
    terms->count = 0;
    for (int t = 0; t < rating->terms; t++) {
        const RatingTerm *term = &rating->term[t];
        if (!(features & feature_bit(term->feature)) || STEP_FEATURES >> term->feature & 1)
            continue;
        terms->slot[terms->count] = (uint16_t)(feature_first[changing(term->feature)] + term->index);
        terms->table[terms->count] = term->table;
        weight[terms->count++] = term->weight;
    }
    if (terms->count % 2 && !rating_has_powers(rating->kind)) { // the filler has no weight
        terms->slot[terms->count] = terms->slot[terms->count - 1];
        terms->count++;
    }
    for (int t = 0; t < terms->count; t += 2)
        terms->weight[t / 2] = pair_weights(weight[t], weight[t + 1]);
}

// ---- tables ----------------------------------------------------------------------------------------------

static int clip(int number, int most) {
    return number < -most ? -most : number > most ? most : number;
}

static int unordered(int a, int b) {
    int most = a > b ? a : b;
    return most * (most + 1) / 2 + (a < b ? a : b);
}

// What two neighbours give: `up` is the step from the left to the right one, left and right how far each
// stands above its outer neighbour. -> kind  0: the first pair, 2: the last one
static int64_t step_entry(const int32_t weight[], uint64_t features, int kind, int left, int up, int right) {
    int64_t sum = 0;
    if (features & BIT(STEP_SIZES) && up)
        sum += weight[FIRST_OF_STEP_SIZES + abs(up) - 1];
    if (features & BIT(WALL_STEPS) && up && kind == 0)
        sum += weight[FIRST_OF_WALL_STEPS + (up > 0 ? 3 - up : 2 - up)];
    if (features & BIT(WALL_STEPS) && up && kind == 2)
        sum += weight[FIRST_OF_WALL_STEPS + (up < 0 ? 3 + up : 2 + up)];
    if (features & BIT(STEP_PAIRS) && kind > 0) // of the left one
        sum += weight[FIRST_OF_STEP_PAIRS + unordered(left + 3, 3 - up)];
    if (features & BIT(STEP_TRIPLES)) {
        int l = clip(left, 2) + 2, r = clip(right, 2) + 2, size = abs(clip(up, 2));
        int lower = up > 0 ? l : r, higher = up > 0 ? r : l;
        sum += weight[FIRST_OF_STEP_TRIPLES +
                      (size == 0 ? unordered(l, r) : (size == 1 ? 15 : 40) + 5 * lower + higher)];
    }
    return sum;
}

// <- most  the largest entry; false: out of memory
static bool make_steps(RatingPlan *plan, const int32_t weight[], int64_t *largest) {
    const Rating *rating = plan->rating;
    *largest = 0;
    if (!(rating->features & STEP_FEATURES))
        return true;
    enum { ALL = 3 * STEP_ENTRIES };
    plan->steps = malloc(2 * ALL * sizeof *plan->steps);
    int64_t most = 0, sum[ALL];
    for (int k = 0; k < ALL; k++) {
        int entry = k % STEP_ENTRIES;
        sum[k] = step_entry(weight, rating->features, k / STEP_ENTRIES,
                            entry / STEP_KINDS / STEP_KINDS - STEP_CLIP,
                            entry / STEP_KINDS % STEP_KINDS - STEP_CLIP, entry % STEP_KINDS - STEP_CLIP);
        most = llabs(sum[k]) > most ? llabs(sum[k]) : most;
    }
    plan->wide_steps = most * BOARD_MAX_WIDTH > INT32_MAX;
    for (int k = 0; plan->steps && k < ALL; k++) {
        plan->steps[k] = (int32_t)(plan->wide_steps ? sum[k] & 0x7fff : sum[k]);
        plan->steps[ALL + k] = (int32_t)(sum[k] >> 15);
    }
    *largest = most;
    return plan->steps != NULL;
}

static int32_t step_of(const RatingPlan *plan, int kind, int left, int up, int right) {
    return plan->steps[((kind * STEP_KINDS + left + STEP_CLIP) * STEP_KINDS + up + STEP_CLIP) * STEP_KINDS +
                       right + STEP_CLIP];
}

// What the pairs of columns at an end of a piece give: of the two beside it, of the end and the one beside
// it, and if the piece is three columns wide, of the end and the next one.
// -> outer, inner, edge  steps up on the way from outside to the piece
static int32_t end_entry(const RatingPlan *plan, bool right, int end, int wall, int outer, int inner,
                         int edge) {
    int near = end < 5 ? end - 2 : (end - 5) / 3 - 1, next = (end - 5) % 3 - 1, sum = 0;
    int border = right ? 2 : 0; // kind of the pair at the wall
    if (wall > 1)
        sum += right ? step_of(plan, wall == 2 ? border : 1, -edge, -inner, outer)
                     : step_of(plan, wall == 2 ? border : 1, outer, inner, -edge);
    if (wall > 0)
        sum += right ? step_of(plan, wall == 1 ? border : 1, near, -edge, inner)
                     : step_of(plan, wall == 1 ? border : 1, inner, edge, near);
    if (end >= 5)
        sum += right ? step_of(plan, wall == 0 ? border : 1, next, near, edge)
                     : step_of(plan, wall == 0 ? border : 1, edge, -near, next);
    return sum;
}

// <- false: out of memory
static bool make_ends(RatingPlan *plan) {
    plan->ends = malloc(sizeof *plan->ends);
    for (int k = 0; plan->ends && k < (int)(sizeof *plan->ends / sizeof(int32_t)); k++) {
        int entry = k % STEP_ENTRIES, table = k / STEP_ENTRIES, end = table / 4 % END_SHAPES;
        (&(*plan->ends)[0][0][0][0])[k] = end_entry(plan, table / 4 / END_SHAPES, end, table % 4,
                                                    entry / 49 - 3, entry / 7 % 7 - 3, entry % 7 - 3);
    }
    return plan->ends != NULL;
}

static int32_t side_weight(const int32_t weight[], int width, int x) {
    return x < width ? weight[FIRST_OF_HOLES_BY_COLUMN + (2 * x < width ? x : width - 1 - x)] : 0;
}

// <- fine  false: weights are too large for a placement's changes; <- false: out of memory
static bool make_surface(RatingPlan *plan, bool *fine) {
    enum { CHANGED = 7 }; // entries of `steps` that one placement changes
    int32_t weight[FEATURES_ALL_VALUES] = {0};
    const Rating *rating = plan->rating;
    int64_t most = 0, largest;
    for (int t = 0; t < rating->terms; t++)
        weight[feature_first[rating->term[t].feature] + rating->term[t].index] = rating->term[t].weight;
    for (int x = 0; x < plan->width; x++) {
        int place = place_of(x, plan->width);
        const int32_t *depth = weight + FIRST_OF_WELLS_BY_DEPTH,
                      *own = weight + FIRST_OF_WELLS_BY_PLACE + 4 * place,
                      *deepest = weight + FIRST_OF_DEEPEST_WELL + 4 * place;
        plan->side[x] =
            pair_weights(side_weight(weight, plan->width, x), side_weight(weight, plan->width, x + 1));
        plan->inner[x + 1] = x + 1 < plan->width ? 0xffff : 0;
        plan->nearness[x + 1] = (uint8_t)(3 - place);
        plan->column[x + 1] = pair_weights(weight[FIRST_OF_COLUMN_HEIGHTS + x],
                                           x + 1 < plan->width ? weight[FIRST_OF_COLUMN_DIFFERENCES + x] : 0);
        for (int k = 0; k < 4; k++)
            *fine &= !too_large((int64_t)depth[k] + own[k]);
        for (int k = 0; k < 2; k++)
            plan->well[x + 1][k] =
                pair_weights((int64_t)depth[2 * k] + own[2 * k], (int64_t)depth[2 * k + 1] + own[2 * k + 1]);
        for (int d = 1; d <= 16; d++) { // on a pile of twelve rows, an upright I
            int64_t sum = d < 3 ? deepest[d - 1] : deepest[2] + (int64_t)(d - 2) * deepest[3];
            plan->deepest[d << 2 | (3 - place)] = (int32_t)sum;
            most = llabs(sum) > most ? llabs(sum) : most;
        }
    }
    bool done = make_steps(plan, weight, &largest);
    *fine &= !plan->wide_steps && CHANGED * largest + most <= INT32_MAX;
    return done && (!plan->steps || !*fine || make_ends(plan));
}

// ---- what a placement changes ----------------------------------------------------------------------------

static int64_t weight_of(const Rating *rating, FeatureId id) {
    int64_t sum = 0;
    for (int t = 0; t < rating->terms; t++)
        if (rating->term[t].feature == id)
            sum = rating->term[t].weight;
    return sum;
}

static int eroded_cells(const Shape *shape, uint32_t full) { // -> full  rows of the piece
    int eroded = 0;
    for (int i = 0; i < shape->width; i++)
        eroded += __builtin_popcount(full & ((1u << shape->cells[i]) - 1) << shape->bottom[i]);
    return eroded;
}

// <- false: a weight is too large
static bool make_changes(RatingPlan *plan) {
    const Rating *rating = plan->rating;
#define WEIGHT(ID) weight_of(rating, FEATURE_##ID)
    int64_t rows = WEIGHT(ROW_TRANSITIONS), columns = 2 * WEIGHT(COLUMN_TRANSITIONS),
            adjacent = WEIGHT(ADJACENT_HOLES);
    int64_t holes = WEIGHT(HOLES) + WEIGHT(DELTA_HOLES), depth = WEIGHT(HOLE_DEPTH);
    int64_t wells = WEIGHT(CUMULATIVE_WELLS) + WEIGHT(CUMULATIVE_WELLS_FAST);
    int64_t landing = WEIGHT(LANDING_HEIGHT), mean = WEIGHT(MEAN_LANDING_HEIGHT),
            cells = WEIGHT(WEIGHTED_CELLS);
    plan->move_row = 2 * landing + 4 * mean;
    plan->row_weight = plan->move_row + 4 * cells;
    plan->pair[0] = pair_weights(plan->row_weight, holes);
    plan->pair[1] = pair_weights(-2 * rows, wells);
    plan->pair[2] = pair_weights(columns, depth);
    plan->with_diversity = pair_weights(WEIGHT(ROWS_WITH_HOLES), WEIGHT(DIVERSITY));
    plan->pair[3] =
        pair_weights(WEIGHT(ROWS_WITH_HOLES), adjacent); // a sum with `columns` might be too large
    plan->pairs = 1;
    for (int k = 1; k < 4; k++)
        if (plan->pair[k].high || plan->pair[k].low)
            plan->pairs = 4;
    for (int piece = 0; piece < PIECES; piece++)
        for (int o = 0; o < piece_orientations[piece]; o++) {
            const Shape *shape = &piece_shape[piece][o];
            int64_t sum = landing * (shape->height - 1) + mean * plan->shape_rows[piece][o];
            for (int full = 0; full < 16; full++) {
                int lines = __builtin_popcount((unsigned)full);
                plan->move_value[piece][o][full] =
                    sum + WEIGHT(REMOVED_LINES) * lines +
                    WEIGHT(ERODED_CELLS) * lines * eroded_cells(shape, (uint32_t)full);
            }
            sum += 2 * rows * shape->height + (columns + adjacent) * shape->width + depth * 4 +
                   cells * (plan->shape_rows[piece][o] + 4) + 4 * WEIGHT(CELLS);
            plan->constant_parts[piece][o] = (PairWeights){(int32_t)(sum >> 15), (int32_t)(sum & 0x7fff)};
        }
    return !too_large(2 * rows) && !too_large(columns) && !too_large(holes) && !too_large(plan->row_weight);
}

// ---- all together ----------------------------------------------------------------------------------------

static void make_shapes(RatingPlan *plan) {
    for (int piece = 0; piece < PIECES; piece++)
        for (int o = 0; o < piece_orientations[piece]; o++) {
            const Shape *shape = &piece_shape[piece][o];
            for (int i = 0; i < shape->width; i++) {
                int step =
                    i ? shape->bottom[i] + shape->cells[i] - shape->bottom[i - 1] - shape->cells[i - 1] : 3;
                if (abs(step) <= 2)
                    plan->shape_steps[piece][o] |= (uint8_t)(1 << (step + 2));
                plan->shape[piece][o][16 + i] = (uint16_t)(((1u << shape->cells[i]) - 1) << shape->bottom[i]);
                for (int k = 0; k < shape->cells[i]; k++)
                    plan->shape_rows[piece][o] += shape->bottom[i] + k;
            }
        }
}

RatingPlan *rating_plan_new(const Rating *rating, const Rules *rules, bool full_rows) {
    RatingPlan *plan = aligned_alloc(_Alignof(RatingPlan), sizeof *plan);
    if (!plan)
        return NULL;
    memset(plan, 0, sizeof *plan);
    for (int x = rules->width; x < BOARD_COLUMNS; x++)
        plan->outside[x] = UINT32_MAX;
    uint64_t features = rating->features;
    plan->rating = rating;
    plan->width = rules->width;
    plan->height = rules->height;
    plan->limit = rules_rows(rules);
    plan->lenient = rules->overflow == OVERFLOW_LENIENT;
    plan->avoid = rules->gameover == GAMEOVER_AVOID;
    for (int id = 0; id < FEATURES; id++)
        if (features & feature_bit((FeatureId)id))
            plan->features |= feature_bit(changing((FeatureId)id));
    plan->surface = plan->features & SURFACE_FEATURES;
    plan->looks_at_heights =
        plan->features & (SURFACE_FEATURES | BIT(HIGHEST_HOLE) | BIT(HIGHEST_HOLE_COLUMN) |
                          BIT(CELL_TRANSITIONS) | BIT(FRONTIER) | BIT(PITS) | BIT(EMBEDDED_HOLES));
    plan->by_side = features & BIT(HOLES_BY_COLUMN);
    plan->has_highest_hole = features & (BIT(HIGHEST_HOLE) | BIT(HIGHEST_HOLE_COLUMN));
    plan->further = plan->surface || plan->by_side || plan->has_highest_hole;
    plan->only_diversity = (plan->features & (SURFACE_FEATURES | BIT(ADJACENT_HOLES))) == BIT(DIVERSITY) &&
                           !plan->by_side && !plan->has_highest_hole;
    plan->fast_wells = features & BIT(CUMULATIVE_WELLS_FAST);
    plan->wells = plan->fast_wells || features & BIT(CUMULATIVE_WELLS);
    plan->tables = rating_has_powers(rating->kind) || features & (STEP_FEATURES | BIT(DEEPEST_WELL));
    plan->by_column = features & COLUMN_FEATURES;
    plan->by_place = features & PLACE_FEATURES;
    plan->has_changes = features & CHANGE_FEATURES;
    add_terms(rating, ~(uint64_t)0, &plan->all);
    add_terms(rating, ~MOVE_FEATURES, &plan->board);
    add_terms(rating, ~(MOVE_FEATURES | CHANGE_FEATURES), &plan->plain);
    add_terms(rating, FURTHER_FEATURES, &plan->heights);
    add_terms(rating, FURTHER_FEATURES & ~BY_ITSELF, &plan->around);
    for (int t = 0; t < rating->terms; t++)
        if (rating->term[t].table && MOVE_FEATURES & feature_bit(rating->term[t].feature))
            plan->still += rating->term[t].table[0];
    make_shapes(plan);
    bool fine = make_changes(plan);
    if (!make_surface(plan, &fine)) {
        rating_plan_free(plan);
        return NULL;
    }
    plan->incremental = fine && !full_rows && !rating_has_powers(rating->kind) &&
                        !(features & ~INCREMENTAL_FEATURES) &&
                        !(features & BIT(CUMULATIVE_WELLS) && plan->fast_wells);
    if (!plan->incremental) {
        plan->further = false;
        plan->row_weight = 0;
    }
    return plan;
}

void rating_plan_free(RatingPlan *plan) {
    if (plan) {
        free(plan->steps);
        free(plan->ends);
    }
    free(plan);
}

int64_t rating_plan_move_powers(const RatingPlan *plan, int piece, int orientation, int row, uint32_t full) {
    const Rating *rating = plan->rating;
    const Shape *shape = &piece_shape[piece][orientation];
    int lines = __builtin_popcount(full);
    const int value[FEATURES] = {
        [FEATURE_LANDING_HEIGHT] = 2 * row + shape->height - 1,
        [FEATURE_MEAN_LANDING_HEIGHT] = 4 * row + plan->shape_rows[piece][orientation],
        [FEATURE_REMOVED_LINES] = lines,
        [FEATURE_ERODED_CELLS] = lines * eroded_cells(shape, full >> row),
    };
    int64_t sum = 0;
    for (int t = 0; t < rating->terms; t++)
        if (MOVE_FEATURES >> rating->term[t].feature & 1)
            sum += rating->term[t].table[value[rating->term[t].feature]];
    return sum;
}

void ranks_fill(Ranks *ranks, const int16_t *priority) {
    memset(ranks, 0, sizeof *ranks);
    for (int piece = 0; piece < PIECES; piece++)
        for (int a = 0; a < PLACEMENTS; a++) {
            int rank = 0; // how many it wins against
            for (int b = 0; b < PLACEMENTS; b++) {
                int more = priority ? priority[piece * PLACEMENTS + a] - priority[piece * PLACEMENTS + b] : 0;
                rank += more > 0 || (more == 0 && a < b);
            }
            ranks->rank[piece][a] = (uint16_t)rank;
            ranks->placement[piece][rank] = (uint8_t)a;
        }
}
