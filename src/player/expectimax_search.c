// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels value the last two pieces of every line of play: all placements of the one before last
// (evaluator_outcomes), then the best values of several pieces on each of the boards (evaluator_best_values).
// From three pieces on, boards that were valued before are looked up. A placement that ends the game is not
// followed, whatever the rule for such moves, since nothing can follow it; only for the last piece does that
// rule count.
#include "player/expectimax_search.h"

static bool is_limited(const Expectimax *expectimax, int64_t limit) {
    return expectimax->danger > 0 && limit > NO_LIMIT / 2; // what moves give may have been taken off
}

int search_candidates(const Expectimax *expectimax, const Outcome *outcome, int count, int most,
                      uint8_t order[PLACEMENTS]) {
    bool sorted = most || expectimax->danger > 0;
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (outcome[k].fatal)
            continue;
        int at = kept;
        if (!most || kept < most)
            kept++;
        else if (outcome[order[--at]].value >= outcome[k].value)
            continue;
        for (; sorted && at > 0 && outcome[order[at - 1]].value < outcome[k].value; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)k;
    }
    return kept;
}

int search_step(const Expectimax *expectimax, int from) {
    return expectimax->danger > 0 ? 2 * from + 1 : PLACEMENTS;
}

// ---- the last pieces -------------------------------------------------------------------------------------

enum {
    HARD_PIECES = 1 << PIECE_S | 1 << PIECE_Z | 1 << PIECE_O,
    BENT_PIECES = 1 << PIECE_L | 1 << PIECE_J,
    PARTS = 3,
    LAST = 256 // boards at a time
};
static const uint32_t hardest_first[PARTS] = {HARD_PIECES, BENT_PIECES, 1 << PIECE_T | 1 << PIECE_I};

typedef struct Last {
    const Expectimax *expectimax;
    BoardAsk *ask;
    int64_t best[LAST][PIECES]; // of each of them
    const Board *board[LAST];   // of one question to the kernel
    int64_t own[LAST];
} Last;

// The same pieces on some of the boards.
static void find_best(Last *last, int count, const int *which, uint32_t pieces) {
    int64_t best[LAST][PIECES];
    for (int i = 0; i < count; i++) {
        last->board[i] = last->ask[which[i]].board;
        last->own[i] = last->ask[which[i]].own;
    }
    evaluator_best_values(last->expectimax->evaluator, count, last->board, last->own, pieces, best);
    for (int i = 0; i < count; i++)
        for (uint32_t left = pieces; left; left &= left - 1) {
            int piece = __builtin_ctz(left);
            last->best[which[i]][piece] =
                best[i][piece] == INT64_MIN ? last->expectimax->dead : best[i][piece];
        }
}

// Those of their sets that are in `pieces`: piece by piece, if the sets differ (what is left in bags).
static void find_best_of_sets(Last *last, int count, const int *which, uint32_t pieces) {
    uint32_t any = 0, all = ~0u;
    for (int i = 0; i < count; i++) {
        any |= last->ask[which[i]].set & pieces;
        all &= last->ask[which[i]].set | ~pieces;
    }
    if (any == (all & pieces)) {
        find_best(last, count, which, any);
        return;
    }
    for (; any; any &= any - 1) {
        int some[LAST], kept = 0;
        for (int i = 0; i < count; i++)
            if (last->ask[which[i]].set & any & -any)
                some[kept++] = which[i];
        find_best(last, kept, some, any & -any);
    }
}

static int64_t mean_value(const Expectimax *expectimax, uint32_t set, const int64_t best[PIECES]) {
    return expectimax->danger > 0 ? chances_mean_danger(&expectimax->chances, set, best, expectimax->danger)
                                  : chances_mean(&expectimax->chances, set, best);
}

// Are the dangers of these pieces, with those that came before, too many?
static bool is_too_much(DangerTally *tally, uint32_t pieces, const int64_t best[PIECES]) {
    for (; pieces; pieces &= pieces - 1)
        if (!danger_tally_add(tally, __builtin_ctz(pieces), best[__builtin_ctz(pieces)]))
            return true;
    return false;
}

// -> count  at most LAST
static void last_values(const Expectimax *expectimax, int count, BoardAsk *ask) {
    Last last;
    last.expectimax = expectimax;
    last.ask = ask;
    int limited[LAST], other[LAST], limits = 0, others = 0, left = 0;
    DangerTally tally[LAST];
    for (int k = 0; k < count; k++)
        if (is_limited(expectimax, ask[k].limit)) {
            tally[k] = danger_tally(&expectimax->chances, ask[k].set, ask[k].limit, expectimax->danger);
            limited[limits++] = k;
        } else {
            other[others++] = k;
        }
    for (int part = 0; part < PARTS; part++, limits = left) {
        find_best_of_sets(&last, limits, limited, hardest_first[part]);
        left = 0;
        for (int i = 0; i < limits; i++) {
            int k = limited[i];
            if (part + 1 < PARTS && is_too_much(&tally[k], ask[k].set & hardest_first[part], last.best[k]))
                ask[k].value = ask[k].limit - 1;
            else
                limited[left++] = k;
        }
    }
    find_best_of_sets(&last, others, other, ~0u);
    for (int i = 0; i < left + others; i++) {
        int k = i < left ? limited[i] : other[i - left];
        ask[k].value = mean_value(expectimax, ask[k].set, last.best[k]);
    }
}

// ---- earlier pieces --------------------------------------------------------------------------------------

// The same of pieces after which others follow. -> count  at most SEARCH_TOGETHER
static void earlier_values(const Search *search, int depth, int count, BoardAsk *ask) {
    const Expectimax *expectimax = search->expectimax;
    const PieceChances *chances = &expectimax->chances;
    PieceAsk *sub = search->layer[depth - 2].piece;
    int64_t best[SEARCH_TOGETHER][PIECES];
    DangerTally tally[SEARCH_TOGETHER];
    bool over[SEARCH_TOGETHER] = {false};
    for (int k = 0; k < count; k++)
        tally[k] = danger_tally(chances, ask[k].set, ask[k].limit, expectimax->danger);
    for (int part = 0; part < 2; part++) {
        int subs = 0;
        for (int piece = 0; piece < PIECES; piece++)
            for (int k = 0; k < count; k++) {
                bool hard = HARD_PIECES >> piece & 1, limited = is_limited(expectimax, ask[k].limit);
                if (over[k] || !(ask[k].set >> piece & 1) || (limited && hard) == part)
                    continue;
                sub[subs++] = (PieceAsk){ask[k].board,
                                         limited ? danger_tally_least(&tally[k], piece) : NO_LIMIT,
                                         0,
                                         chances_next(chances, ask[k].set, piece),
                                         piece,
                                         k,
                                         0};
            }
        search_pieces(search, depth, subs, sub);
        for (int i = 0; i < subs; i++) {
            int k = sub[i].owner;
            best[k][sub[i].piece] = sub[i].value;
            if (is_limited(expectimax, ask[k].limit))
                over[k] |=
                    sub[i].value < sub[i].limit || !danger_tally_add(&tally[k], sub[i].piece, sub[i].value);
        }
    }
    for (int k = 0; k < count; k++)
        ask[k].value = over[k] ? ask[k].limit - 1 : mean_value(expectimax, ask[k].set, best[k]);
}

static void look_up(const Search *search, int depth, int count, BoardAsk *ask) {
    BoardAsk unknown[LAST];
    int kept = 0;
    for (int k = 0; k < count; k++) {
        uint32_t kind = (uint32_t)depth << PIECES | ask[k].set;
        const LookupEntry *entry = lookup_find(search->table, ask[k].board, kind);
        if (lookup_entry_is(entry, ask[k].board, kind) && (!entry->below || entry->value <= ask[k].limit)) {
            ask[k].value = entry->below ? ask[k].limit - 1 : entry->value;
        } else {
            unknown[kept] = ask[k];
            unknown[kept++].which = k;
        }
    }
    if (depth > 1)
        earlier_values(search, depth, kept, unknown);
    else
        last_values(search->expectimax, kept, unknown);
    for (int i = 0; i < kept; i++) {
        const BoardAsk *own = &unknown[i];
        uint32_t kind = (uint32_t)depth << PIECES | own->set;
        bool below = is_limited(search->expectimax, own->limit) && own->value == own->limit - 1;
        ask[own->which].value = own->value;
        lookup_entry_set(lookup_find(search->table, own->board, kind), own->board, kind,
                         below ? own->limit : own->value, below);
    }
}

void search_boards(const Search *search, int depth, int count, BoardAsk *ask) {
    int most = depth > 1 ? SEARCH_TOGETHER : LAST;
    for (int done = 0; done < count; done += most) {
        int part = count - done < most ? count - done : most;
        if (search->table)
            look_up(search, depth, part, ask + done);
        else
            last_values(search->expectimax, part, ask + done);
    }
}

// -> count  at most SEARCH_TOGETHER
static void values_of_pieces(const Search *search, int depth, int count, PieceAsk *ask) {
    const Expectimax *expectimax = search->expectimax;
    const ExpectimaxOptions *options = &expectimax->options;
    int most = options->later_candidates ? options->later_candidates : options->candidates;
    Layer *layer = &search->layer[depth - 2];
    BoardPiece question[SEARCH_TOGETHER];
    Outcome *outcome[SEARCH_TOGETHER];
    int found[SEARCH_TOGETHER];
    uint8_t order[SEARCH_TOGETHER][PLACEMENTS];
    for (int k = 0; k < count; k++)
        question[k] = (BoardPiece){ask[k].board, ask[k].piece};
    evaluator_outcomes(expectimax->evaluator, count, question, layer->outcome, outcome, found);
    for (int k = 0; k < count; k++) {
        found[k] = search_candidates(expectimax, outcome[k], found[k], most, order[k]);
        ask[k].value = found[k] ? NO_LIMIT : expectimax->dead;
    }
    for (int from = 0, to, subs = 1; subs; from = to) {
        subs = 0;
        to = search_step(expectimax, from);
        for (int k = 0; k < count; k++)
            for (int i = from; i < to && i < found[k]; i++) {
                const Outcome *out = &outcome[k][order[k][i]];
                int64_t least = ask[k].value > ask[k].limit ? ask[k].value : ask[k].limit;
                layer->board[subs++] = (BoardAsk){.board = &out->after,
                                                  .own = out->value - out->move_value,
                                                  .limit = least - out->move_value,
                                                  .set = ask[k].set,
                                                  .owner = k,
                                                  .which = order[k][i]};
            }
        search_boards(search, depth - 1, subs, layer->board);
        for (int i = 0; i < subs; i++) {
            PieceAsk *own = &ask[layer->board[i].owner];
            int64_t sum =
                layer->board[i].value + outcome[layer->board[i].owner][layer->board[i].which].move_value;
            own->value = sum > own->value ? sum : own->value;
        }
    }
}

void search_pieces(const Search *search, int depth, int count, PieceAsk *ask) {
    for (int done = 0; done < count; done += SEARCH_TOGETHER)
        values_of_pieces(search, depth, count - done < SEARCH_TOGETHER ? count - done : SEARCH_TOGETHER,
                         ask + done);
}
