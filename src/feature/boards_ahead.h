// SPDX-License-Identifier: GPL-3.0-or-later
// The questions of players that choose move by move, about many boards at once: values of all placements,
// what they lead to, and the best values of several pieces on the same boards. Part of kernel_boards.c.
#ifndef TETRALAB_FEATURE_BOARDS_AHEAD_H
#define TETRALAB_FEATURE_BOARDS_AHEAD_H

// What the values of placements lack: see Round.
// -> count  at most SLOTS; own  what the features of each board give, NULL: not known
static void missing_values(const RatingPlan *plan, int count, const Board *const *board, const int64_t *own,
                           int64_t missing[SLOTS]) {
    bool needed = plan->incremental || plan->has_changes;
    if (needed && !(own && plan->incremental))
        boards(plan, &plan->plain, count, board, missing);
    else
        for (int k = 0; k < count; k++)
            missing[k] = needed ? own[k] : 0;
    if (!plan->incremental && plan->has_changes) {
        int64_t level[SLOTS];
        boards(plan, &plan->board, count, board, level);
        for (int k = 0; k < count; k++)
            missing[k] -= level[k];
    }
}

// ---- all placements --------------------------------------------------------------------------------------

typedef struct Asked {
    Round round;
    int place[SLOTS]; // of a question: its slot; or a number from the end, if it was valued by itself
    int64_t value[SLOTS][PLACEMENTS]; // by place
    uint64_t fatal[SLOTS];
    int64_t missing[SLOTS]; // by question
} Asked;

// -> count  questions, at most SLOTS. They are sorted by piece.
static void ask(const RatingPlan *plan, int count, const BoardPiece *question, Asked *asked) {
    Round *round = &asked->round;
    const Board *board[SLOTS];
    int alone = SLOTS;
    round_start(round, plan, NULL);
    round->value = asked->value;
    round->room = 4;
    for (int piece = 0; piece < PIECES; piece++) {
        int first = round->slots;
        for (int k = 0; k < count; k++) {
            board[k] = question[k].board;
            if (question[k].piece != piece)
                continue;
            if (round_add(round, board[k], piece, LEVEL_UNKNOWN)) {
                asked->fatal[asked->place[k] = round->slots - 1] = 0;
            } else {
                uint64_t legal;
                asked->place[k] = --alone;
                boards_single_values(plan, board[k], piece, asked->value[alone], &legal,
                                     &asked->fatal[alone]);
            }
        }
        for (int slot = first; slot < round->slots; slot += LANES)
            value_group(round, slot, round->slots - slot < LANES ? round->slots - slot : LANES);
    }
    value_queue(round);
    missing_values(plan, count, board, NULL, asked->missing);
}

static void values(const RatingPlan *plan, int count, const BoardPiece *question,
                   int64_t (*value)[PLACEMENTS], uint64_t *fatal) {
    Asked asked;
    for (int done = 0; done < count; done += SLOTS) {
        int most = count - done < SLOTS ? count - done : SLOTS;
        ask(plan, most, question + done, &asked);
        for (int k = 0; k < most; k++) {
            int place = asked.place[k];
            fatal[done + k] = asked.fatal[place];
            for (uint64_t left = placements_inside(question[done + k].piece, plan->width); left;
                 left &= left - 1)
                value[done + k][__builtin_ctzll(left)] =
                    asked.value[place][__builtin_ctzll(left)] + asked.missing[k];
        }
    }
}

// Rows that all columns of a board fill before column x: [x], and from column x on.
typedef struct Filled {
    uint32_t before[WIDEST + 1], after[WIDEST + 1];
} Filled;

static void find_filled(const RatingPlan *plan, const Board *board, Filled *filled) {
    int width = plan->width;
    filled->before[0] = filled->after[width] = ~0u;
    for (int x = 0; x < width; x++)
        filled->before[x + 1] = filled->before[x] & board->column[x];
    for (int x = width; x > 0; x--)
        filled->after[x - 1] = filled->after[x] & board->column[x - 1];
}

// -> row  in which the piece lands. The board has no full rows. <- all but the values that the kernel gives
INLINE void find_outcome(const RatingPlan *plan, bool late, const Board *board, const Filled *filled,
                         int piece, int orientation, int column, int row, Outcome *out) {
    const Shape *shape = &piece_shape[piece][orientation];
    uint32_t full = filled->before[column] & filled->after[column + shape->width] & 15u << row;
    for (int i = 0; full && i < shape->width; i++)
        full &= board->column[column + i] | ((1u << shape->cells[i]) - 1) << (row + shape->bottom[i]);
    put_piece(plan, board, piece, orientation, column, row, late ? 0 : full, &out->after);
    out->placement = placement_make(orientation, column);
    out->lines = __builtin_popcount(full);
    out->move_value = rating_has_powers(plan->rating->kind)
                          ? rating_plan_move_powers(plan, piece, orientation, row, full)
                          : rating_plan_move(plan, piece, orientation, row, full);
}

// Where features of changes count, too, what the move gives is what the board does not.
static void take_changes(const RatingPlan *plan, int count, Outcome *outcome) {
    const Board *after[PLACEMENTS];
    int64_t value[PLACEMENTS];
    for (int k = 0; k < count; k++)
        after[k] = &outcome[k].after;
    boards(plan, &plan->plain, count, after, value);
    for (int k = 0; k < count; k++)
        outcome[k].move_value = outcome[k].value - value[k];
}

static void outcomes_of_one(const RatingPlan *plan, bool late, const Asked *asked, const BoardPiece *question,
                            int number, Outcome *outcome) {
    const Round *round = &asked->round;
    const Board *board = question->board;
    int piece = question->piece, place = asked->place[number];
    bool known = place < round->slots && plan->incremental; // where the piece lands
    Outcome *out = outcome;
    Filled filled;
    find_filled(plan, board, &filled);
    for (int o = 0; o < piece_orientations[piece]; o++) {
        const Shape *shape = &piece_shape[piece][o];
        Placement placement = placement_make(o, 0);
        for (int x = 0; x + shape->width <= plan->width; x++, placement++, out++) {
            int row =
                known ? round->row[placement][place] + round->base[place] : board_drop_row(board, shape, x);
            find_outcome(plan, late, board, &filled, piece, o, x, row, out);
            out->value = asked->value[place][placement] + asked->missing[number];
            out->fatal = asked->fatal[place] >> placement & 1;
        }
    }
    if (plan->has_changes)
        take_changes(plan, (int)(out - outcome), outcome);
}

static void outcomes(const RatingPlan *plan, bool late, int count, const BoardPiece *question,
                     Outcome *const *outcome) {
    Asked asked;
    for (int done = 0; done < count; done += SLOTS) {
        int most = count - done < SLOTS ? count - done : SLOTS;
        ask(plan, most, question + done, &asked);
        for (int k = 0; k < most; k++)
            outcomes_of_one(plan, late, &asked, &question[done + k], k, outcome[done + k]);
    }
}

// ---- the best values of several pieces -------------------------------------------------------------------

typedef struct Aims {
    Round round;
    const Board *const *board;
    int of[SLOTS]; // number of the board in a slot
    int64_t missing[SLOTS];
    int64_t (*best)[PIECES];
} Aims;

static void take_bests(Aims *aims) {
    Round *round = &aims->round;
    value_queue(round);
    for (int slot = 0; slot < round->slots; slot++) {
        int k = aims->of[slot];
        int64_t best = round->best[slot];
        aims->best[k][round->piece[slot]] =
            best < NO_BEST ? INT64_MIN : (best >> TIE_BITS) + aims->missing[k];
    }
    round->slots = 0;
}

// The same boards, in the next slots, for one piece. <- the first of these
static int add_again(Aims *aims, int first, int count, int piece) {
    Round *round = &aims->round;
    int slot = round->slots;
    if (slot != first) {
        size_t number = (size_t)count;
        memcpy(round->image[slot], round->image[first], number * sizeof *round->image);
        memcpy(round->board + slot, round->board + first, number * sizeof *round->board);
        memcpy(round->base + slot, round->base + first, number * sizeof *round->base);
        memcpy(round->holed + slot, round->holed + first, number * sizeof *round->holed);
        memcpy(round->low + slot, round->low + first, number * sizeof *round->low);
        memcpy(round->cut + slot, round->cut + first, number * sizeof *round->cut);
        memcpy(aims->of + slot, aims->of + first, number * sizeof *aims->of);
    }
    memset(round->piece + slot, piece, (size_t)count);
    for (int k = slot; k < slot + count; k++) {
        round->level[k] = aims->missing[aims->of[k]];
        round->cut[k] = round->cut[k] ? CUT : NOT_CUT;
    }
    round->slots += count;
    return slot;
}

// All pieces after one look at the boards in the last slots. If there is not room for so many, `first` is 0.
// The level of a board is its value, if it is seen as a whole and no changes count.
static void value_pieces(Aims *aims, int first, uint32_t pieces) {
    Round *round = &aims->round;
    const RatingPlan *plan = round->plan;
    Group q;
    Best best;
    int count = round->slots - first;
    bool one = count == 1, whole = one && is_queued_whole(plan),
         level = plan->incremental && (plan->has_changes || round->windows);
    if (one && !whole)
        look_at_one(round, &q, first);
    else if (!one)
        look_at_group(round, &q, first, count);
    for (round->slots = first; pieces; pieces &= pieces - 1) {
        if (round->slots + count > SLOTS)
            take_bests(aims);
        int piece = __builtin_ctz(pieces), queued = round->queued;
        q.slot = add_again(aims, first, count, piece);
        if (level && one)
            round->queue[round->queued++] = (Entry)q.slot + ENTRY_LEVEL;
        if (whole) {
            queue_whole(round, q.slot);
            continue;
        }
        best_start(&best);
        place_all(plan, &q, round, &best, piece);
        if (level && !one && round->queued > queued)
            level_group(round, &q, count);
        take_best(round, &q, &best, count);
    }
}

// Puts boards, from number `done` on, into a group of at most so many. <- the number of the next board
static int fill_group(Aims *aims, int done, int count, int most, uint32_t pieces) {
    Round *round = &aims->round;
    const RatingPlan *plan = round->plan;
    for (most += round->slots; done < count && round->slots < most; done++) {
        if (round_add(round, aims->board[done], __builtin_ctz(pieces), LEVEL_UNKNOWN)) {
            aims->of[round->slots - 1] = done;
            continue;
        }
        int64_t level = boards_single_level(plan, aims->board[done]);
        for (uint32_t left = pieces; left; left &= left - 1) {
            uint64_t fatal;
            int piece = __builtin_ctz(left);
            int64_t best = boards_single_best(plan, round->ranks, aims->board[done], piece, &fatal).value;
            aims->best[done][piece] = best == INT64_MIN ? best : best + aims->missing[done] - level;
        }
    }
    return done;
}

// A few boards are quicker one by one. -> count  at most SLOTS
static void aim(Aims *aims, int count, uint32_t pieces) {
    Round *round = &aims->round;
    int asked = __builtin_popcount(pieces), few = is_queued_whole(round->plan) ? LANES / 3
                                                  : LANES > 8                  ? 4
                                                                               : 2;
    for (int done = 0; done < count;) {
        int most = count - done > few ? LANES : 1;
        if (round->slots + asked * most > SLOTS)
            take_bests(aims);
        int first = round->slots;
        done = fill_group(aims, done, count, most, pieces);
        if (round->slots > first)
            value_pieces(aims, first, pieces);
    }
    take_bests(aims);
}

static void best_values(const RatingPlan *plan, int count, const Board *const *board, const int64_t *own,
                        uint32_t pieces, int64_t (*best)[PIECES]) {
    static const Ranks any_ranks;
    Aims aims;
    round_start(&aims.round, plan, &any_ranks);
    for (int done = 0; pieces && done < count; done += SLOTS) {
        int most = count - done < SLOTS ? count - done : SLOTS;
        aims.board = board + done;
        aims.best = best + done;
        missing_values(plan, most, aims.board, own ? own + done : NULL, aims.missing);
        aim(&aims, most, pieces);
    }
}

#endif
