// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel, for one machine; see kernel_boards.h. boards_group.h looks at boards, boards_place.h values
// placements by what they change, boards_whole.h whole boards.
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

#define PIECE_FUNCTION(name, piece, ...)                                                                     \
    static __attribute__((noinline)) void name(const RatingPlan *plan, const Group *q, Round *round,         \
                                               Best *best) {                                                 \
        __VA_ARGS__                                                                                          \
    }
PIECE_FUNCTION(place_o, PIECE_O, PLACE(PIECE_O, ORIENTATION_O0);)
PIECE_FUNCTION(place_i, PIECE_I, PLACE(PIECE_I, ORIENTATION_I0); PLACE(PIECE_I, ORIENTATION_I1);)
PIECE_FUNCTION(place_s, PIECE_S, PLACE(PIECE_S, ORIENTATION_S0); PLACE(PIECE_S, ORIENTATION_S1);)
PIECE_FUNCTION(place_z, PIECE_Z, PLACE(PIECE_Z, ORIENTATION_Z0); PLACE(PIECE_Z, ORIENTATION_Z1);)
PIECE_FUNCTION(place_l, PIECE_L, PLACE(PIECE_L, ORIENTATION_L0); PLACE(PIECE_L, ORIENTATION_L1);
               PLACE(PIECE_L, ORIENTATION_L2); PLACE(PIECE_L, ORIENTATION_L3);)
PIECE_FUNCTION(place_j, PIECE_J, PLACE(PIECE_J, ORIENTATION_J0); PLACE(PIECE_J, ORIENTATION_J1);
               PLACE(PIECE_J, ORIENTATION_J2); PLACE(PIECE_J, ORIENTATION_J3);)
PIECE_FUNCTION(place_t, PIECE_T, PLACE(PIECE_T, ORIENTATION_T0); PLACE(PIECE_T, ORIENTATION_T1);
               PLACE(PIECE_T, ORIENTATION_T2); PLACE(PIECE_T, ORIENTATION_T3);)

static void (*const place_piece[PIECES])(const RatingPlan *, const Group *, Round *, Best *) = {
    [PIECE_O] = place_o, [PIECE_I] = place_i, [PIECE_S] = place_s, [PIECE_Z] = place_z,
    [PIECE_L] = place_l, [PIECE_J] = place_j, [PIECE_T] = place_t};

// Ratings that need whole boards for all placements: the move is made in every lane.
static __attribute__((noinline)) void place_whole(const RatingPlan *plan, const Group *q, Round *round, Best *best,
                                                  int piece, int orientation, int x) {
    const Shape *shape = &piece_shape[piece][orientation];
    const V *h = q->column[HEIGHT] + x + 2, *t = q->column[TOP] + x + 2;
    Columns b = {.base = v_set(0), .holed = v_set(0), .inside = lanes_of_rows(plan->height - 1)};
    Values values_of_all, *values = &values_of_all;
    int width = plan->width;
    V *c = b.c + 1, row = h[0] - (uint16_t)shape->bottom[0], p = t[0] >> shape->bottom[0], cells[4];
    for (int i = 1; i < shape->width; i++) {
        row = v_max_signed(row, h[i] - (uint16_t)shape->bottom[i]);
        p = v_max(p, t[i] >> shape->bottom[i]);
    }
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
    V inside = q->single ? lanes_before(width - shape->width + 1 - x) : q->inside;
    if (plan->lenient && plan->limit < 16) {
        V occupied = c[0];
        for (int y = 1; y < width; y++)
            occupied |= c[y];
        inside &= ~v_nonzero(occupied >> plan->limit);
    } else if (!plan->lenient) {
        inside &= ~v_greater(row, v_set(plan->limit - shape->height));
    }
    settle(plan, q, round, best, piece, orientation, x, &sum, inside);
}

static void place_all(const RatingPlan *plan, const Group *q, Round *round, Best *best, int piece) {
    if (plan->incremental) {
        place_piece[piece](plan, q, round, best);
        return;
    }
    for (int o = 0; o < piece_orientations[piece]; o++)
        for (int x = 0; x + piece_shape[piece][o].width <= plan->width; x += q->step)
            place_whole(plan, q, round, best, piece, o, x);
}

// ---- whole boards ----------------------------------------------------------------------------------------

// What is left after the rows were removed, for each of the boards.
typedef struct Wholes {
    int64_t value[LANES];
    uint16_t full[LANES], occupied[LANES];
    uint16_t unknown[LANES]; // not 0: the highest hole is below the window
} Wholes;

// -> row  images of boards; what is not used of LANES is 0
// -> base, holed  of them; NULL: none has anything below it
static __attribute__((noinline)) void value_images(const RatingPlan *plan, const Terms *terms,
                                                   const uint16_t (*row)[16], const uint16_t *base,
                                                   const uint16_t *holed, Wholes *wholes) {
    Columns b;
    Values values;
    int width = plan->width;
    V *c = b.c + 1;
    b.c[0] = b.c[width + 1] = v_set(-1);
    turn(row, width, c);
    b.base = base ? v_load(base) : v_set(0);
    b.holed = base ? v_load(holed) : v_set(0);
    b.inside = lanes_of_rows(plan->height - 1); // only features that have no windows look at it
    V full = full_rows(c, width);
    v_store(wholes->full, full);
    remove_rows(c, width, full);
    Sum sum;
    sum_start(&sum);
    board_features(plan, &b, &values, &sum);
    weigh(terms, &values, &sum);
    V occupied = c[0], unknown = v_set(0);
    for (int x = 1; x < width; x++)
        occupied |= c[x];
    v_store(wholes->occupied, occupied);
    if (plan->has_highest_hole && base)
        unknown = v_nonzero(b.holed) & v_same(values.of[FIRST_OF_HIGHEST_HOLE], v_set(0));
    v_store(wholes->unknown, unknown);
    S upper[2], lower[2];
    int32_t high[LANES], low[LANES];
    sum_parts(&sum, true, upper, lower);
    memcpy(high, upper, sizeof high);
    memcpy(low, lower, sizeof low);
    for (int lane = 0; lane < LANES; lane++)
        wholes->value[lane] = (int64_t)high[half_place(lane)] * 32768 + low[half_place(lane)];
}

// The board after a move, without the lanes.
static int64_t level_after(const RatingPlan *plan, const Board *board, int piece, const Entry *entry, int base) {
    Board after = *board;
    board_place(&after, plan->width, &piece_shape[piece][entry->orientation], entry->column, entry->row + base);
    return boards_single_board(plan, &plan->board, &after) - boards_single_board(plan, &plan->board, board);
}

// What one whole board says of the slot that it belongs to.
static void take_whole(Round *round, const Entry *entry, const Wholes *wholes, int lane) {
    const RatingPlan *plan = round->plan;
    int slot = entry->slot, base = round->base[slot], piece = round->piece[slot];
    if (entry->orientation < 0) {
        round->level[slot] = wholes->value[lane];
        return;
    }
    const Shape *shape = &piece_shape[piece][entry->orientation];
    int row = entry->row + base, top = row + shape->height;
    if (top > plan->limit && (!plan->lenient || column_height(wholes->occupied[lane]) + base > plan->limit))
        return; // it ends the game
    int64_t change = wholes->unknown[lane] ? level_after(plan, round->board[slot], piece, entry, base)
                                           : wholes->value[lane] - round->level[slot];
    uint32_t full = (uint32_t)wholes->full[lane] << base;
    int64_t value = change + rating_plan_move(plan, piece, entry->orientation, row, full);
    Placement placement = placement_make(entry->orientation, entry->column);
    if (round->value) {
        round->value[slot][placement] = value;
        return;
    }
    Chosen *chosen = &round->chosen[slot];
    int32_t rank = round->ranks->rank[piece][placement];
    if (value > chosen->value || (value == chosen->value && rank > chosen->rank))
        *chosen = (Chosen){value, rank, true};
}

static void value_queue(Round *round) {
    const RatingPlan *plan = round->plan;
    for (int first = 0; first < round->queued; first += LANES) {
        const Entry *entry = round->queue + first;
        int count = round->queued - first < LANES ? round->queued - first : LANES;
        uint16_t row[LANES][16], base[LANES] = {0}, holed[LANES] = {0};
        memset(row + count, 0, (size_t)(LANES - count) * sizeof *row);
        for (int i = 0; i < count; i++) {
            int slot = entry[i].slot;
            Image image = image_load(round->image[slot]);
            if (entry[i].orientation >= 0)
                image |= image_load(plan->shape[round->piece[slot]][entry[i].orientation] + 16 - entry[i].column)
                         << entry[i].row;
            memcpy(row[i], &image, sizeof image);
            base[i] = (uint16_t)round->base[slot];
            holed[i] = round->holed[slot];
        }
        Wholes wholes;
        value_images(plan, &plan->board, (const uint16_t(*)[16])row, round->windows ? base : NULL, holed, &wholes);
        for (int i = 0; i < count; i++)
            take_whole(round, &entry[i], &wholes, i);
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
static bool round_add(Round *round, const Board *board, int piece) {
    const RatingPlan *plan = round->plan;
    int base = 0, slot = round->slots, room = plan->avoid && !round->value ? 0 : 4;
    uint32_t holed = 0, occupied = board_occupied(board);
    if (occupied >> BOARDS_TALLEST && !boards_window(plan, board, occupied, &base, &holed))
        return false;
    if (room && column_height(occupied) + room > plan->limit)
        return false; // moves that end the game are valued
    image_of(round->image[slot], board->column, base);
    round->board[slot] = board;
    round->piece[slot] = (int8_t)piece;
    round->base[slot] = (int8_t)base;
    round->holed[slot] = (uint16_t)holed;
    round->levelled[slot] = false;
    round->chosen[slot] = (Chosen){INT64_MIN, 0, false};
    round->windows = round->windows || base;
    round->slots++;
    return true;
}

// -> lanes  those of the group that are this slot's
static void take_best(Round *round, int slot, const Best *best, uint32_t lanes) {
    const RatingPlan *plan = round->plan;
    int32_t upper[LANES], lower[LANES];
    Chosen *chosen = &round->chosen[slot];
    memcpy(upper, best->upper, sizeof upper);
    memcpy(lower, best->lower, sizeof lower);
    int most = half_place(__builtin_ctz(lanes));
    for (lanes &= lanes - 1; lanes; lanes &= lanes - 1) {
        int next = half_place(__builtin_ctz(lanes));
        if (upper[next] > upper[most] || (upper[next] == upper[most] && lower[next] > lower[most]))
            most = next;
    }
    if (upper[most] == INT32_MIN)
        return;
    int64_t value = (int64_t)upper[most] * 32768 + (lower[most] >> TIE_BITS);
    value += plan->row_weight * round->base[slot];
    *chosen = (Chosen){value, lower[most] & ((1 << TIE_BITS) - 1), false};
}

static void best_start(Best *best) {
    for (int k = 0; k < 2; k++) {
        best->upper[k] = s_set(INT32_MIN);
        best->lower[k] = s_set(0);
    }
}

// Slots first ... first + count - 1 hold boards that got the same piece.
static void value_group(Round *round, int first, int count) {
    const RatingPlan *plan = round->plan;
    Group q;
    Best best;
    int piece = round->piece[first];
    if (count <= LANES / 8) {
        for (int slot = first; slot < first + count; slot++) {
            best_start(&best);
            look_at_one(round, &q, slot);
            place_all(plan, &q, round, &best, piece);
            if (!round->value)
                take_best(round, slot, &best, (uint32_t)(((uint64_t)1 << LANES) - 1));
        }
        return;
    }
    best_start(&best);
    look_at_group(round, &q, first, count);
    place_all(plan, &q, round, &best, piece);
    for (int lane = 0; lane < count && !round->value; lane++)
        take_best(round, first + lane, &best, (uint32_t)1 << lane);
}

static Placement placement_of(const Round *round, int slot) {
    const Chosen *chosen = &round->chosen[slot];
    return chosen->value == INT64_MIN ? PLACEMENT_NONE
                                      : round->ranks->placement[round->piece[slot]][chosen->rank];
}

// Questions, sorted by pieces, into rounds. <- answers or values
static void ask(const RatingPlan *plan, const Ranks *ranks, int count, const BoardPiece *question, BestPlacement *answer,
                int64_t (*value)[PLACEMENTS], uint64_t *fatal) {
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
                    bool ends;
                    answer[k] = boards_single_best(plan, ranks, own->board, piece, &ends);
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
            } else
{
                answer[order[slot]] = (BestPlacement){round.chosen[slot].value, placement_of(&round, slot)};
            }
    }
}

static void best(const RatingPlan *plan, const Ranks *ranks, int count, const BoardPiece *question, BestPlacement *answer) {
    ask(plan, ranks, count, question, answer, NULL, NULL);
}

static void values(const RatingPlan *plan, int count, const BoardPiece *question, int64_t (*value)[PLACEMENTS],
                   uint64_t *fatal) {
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

// Lets the turn wait for its first move. If it has none, another one takes its place, as long as there is one.
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

// Plays a placement. <- false: the turn is over
INLINE bool move(const RatingPlan *plan, Turn *turn, Placement placement, bool apart) {
    Game *game = turn->game;
    int piece = game->piece, orientation = placement_orientation(placement), column = placement_column(placement);
    const Shape *shape = &piece_shape[piece][orientation];
    uint32_t *c = game->board.column, full = 0;
    int row = 0;
    for (int i = 0; i < shape->width; i++) {
        int least = column_height(c[column + i]) - shape->bottom[i];
        row = least > row ? least : row;
    }
    for (int i = 0; i < shape->width; i++)
        c[column + i] |= ((1u << shape->cells[i]) - 1) << (row + shape->bottom[i]);
    if (apart && (full = board_full_rows(&game->board, plan->width)))
        board_remove_rows(&game->board, plan->width, full);
    game_advance(game, __builtin_popcount(full));
    turn->moves--;
    int height = column_height(board_occupied(&game->board));
    if (game->state == GAME_RUNNING && (height <= turn->low || height >= turn->high))
        game->state = GAME_PAUSED;
    return game->state == GAME_RUNNING && turn->moves;
}

static void move_on(const RatingPlan *plan, Pool *pool, Turn *turn, Placement placement, bool apart) {
    if (placement == PLACEMENT_NONE)
        turn->game->state = GAME_OVER;
    else if (move(plan, turn, placement, apart)) {
        pool_put(pool, turn);
        return;
    }
    end(pool, turn);
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
        for (int slot = 0; slot < round.slots; slot++)
            move_on(plan, &pool, playing[slot], placement_of(&round, slot),
                    round.chosen[slot].apart || !plan->incremental);
        for (int k = 0; k < alones; k++) {
            const Game *game = alone[k]->game;
            bool ends;
            BestPlacement answer = boards_single_best(plan, ranks, &game->board, game->piece, &ends);
            move_on(plan, &pool, alone[k], ends ? PLACEMENT_NONE : answer.placement, true);
        }
    }
}

const BoardsKernel KERNEL_NAME = {LANES, best, values, boards, play};
