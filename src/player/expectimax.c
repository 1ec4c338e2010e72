// SPDX-License-Identifier: GPL-3.0-or-later
// Expectimax as its definition in expectimax.h reads, with the kernels for the last two pieces of every line
// of play: all placements of the one before last at once (evaluator_outcomes), then the best values of
// several pieces at once on each of the boards (evaluator_best_values). From three pieces on, boards that
// were valued before are looked up. A placement that ends the game is not followed, whatever the rule for
// such moves, since nothing can follow it; only for the last piece does that rule count. Where dangers are
// averaged, what is certainly worse than something else is left off, which changes no move (as in Ballard's
// *-minimax, 1983, with the bound that no danger is negative); `unsure` is an option, and part of the
// definition.
#include "player/expectimax.h"

#include <math.h>
#include <stdlib.h>

#include "base/pool.h"
#include "player/expectimax_law.h"
#include "player/expectimax_table.h"
#include "player/player_type.h"

#define LARGEST_VALUE 0x1p50 // 1024 times that, and what some moves give, is below 2^62
#define LEAST_DANGER  1.0    // a step of the rating's sums

struct Expectimax {
    ExpectimaxOptions options;
    const Rating *rating;
    const Evaluator *evaluator;
    PieceChances chances;
    int64_t dead;
    double danger;  // in steps of the rating's sums; 0: values are averaged
    int64_t unsure; // likewise; INT64_MAX / 2: any placement is looked at as deep as the others
    TableStore *tables;
};

// ---------------------------------------------------------------------------------------------------
// Making one

// In steps of the rating's sums. Ratings with powers: the worst that can be.
static double default_dead(const Rating *rating) {
    double sum = 0;
    for (int t = 0; t < rating->terms; t++) {
        const RatingTerm *term = &rating->term[t];
        double largest = 30.0 * abs(term->weight) * feature_steps(term->feature, rating->width);
        if (term->table)
            for (int i = 0; i <= feature_bound(term->feature, rating->width, rating->height); i++)
                largest = fmax(largest, abs(term->table[i]));
        sum += largest;
    }
    return -sum;
}

static bool set_dead(Expectimax *expectimax, Error *error) {
    const Rating *rating = expectimax->rating;
    double given = expectimax->options.dead, by_default = default_dead(rating);
    double dead = given == 0 ? by_default : given * rating->scale;
    if (!(fabs(dead) <= LARGEST_VALUE))
        return error_set(error, "\"dead\" is %g, which is too far below the ratings; %.3g is the default.",
                         given, by_default / rating->scale);
    expectimax->dead = (int64_t)floor(dead);
    return true;
}

// Beyond the limits nothing changes any more: the mean of the values, and the worst of them.
static void set_danger(Expectimax *expectimax) {
    double given = expectimax->options.danger * expectimax->rating->scale;
    expectimax->danger = given > 0 ? fmin(fmax(given, LEAST_DANGER), LARGEST_VALUE) : 0;
}

static void set_unsure(Expectimax *expectimax) {
    double given = expectimax->options.unsure * expectimax->rating->scale;
    expectimax->unsure = given > 0 && given < LARGEST_VALUE ? (int64_t)given : INT64_MAX / 2;
}

static bool check_options(const ExpectimaxOptions *options, Error *error) {
    int least = options->sees_next ? 3 : 2;
    if (options->depth < least || options->depth > EXPECTIMAX_MAX_DEPTH)
        return error_set(error, "An expectimax player%s looks at %d to %d pieces, not at %d.",
                         options->sees_next ? " that sees the next piece" : "", least, EXPECTIMAX_MAX_DEPTH,
                         options->depth);
    if (options->candidates < 0 || options->later_candidates < 0)
        return error_set(error, "An expectimax player cannot have %d candidates, and later %d.",
                         options->candidates, options->later_candidates);
    if (options->threads < 1 || options->threads > EXPECTIMAX_MAX_THREADS)
        return error_set(error, "An expectimax player cannot have %d threads.", options->threads);
    return true;
}

Expectimax *expectimax_new(const ExpectimaxOptions *options, const Rating *rating, const Evaluator *evaluator,
                           const Rules *rules, Error *error) {
    if (!check_options(options, error))
        return NULL;
    Expectimax *expectimax = calloc(1, sizeof *expectimax);
    if (!expectimax || !(expectimax->tables = table_store_new())) {
        error_set(error, "There is no memory for an expectimax player.");
        expectimax_free(expectimax);
        return NULL;
    }
    expectimax->options = *options;
    expectimax->rating = rating;
    expectimax->evaluator = evaluator;
    chances_make(&expectimax->chances, &rules->pieces);
    set_danger(expectimax);
    set_unsure(expectimax);
    if (!set_dead(expectimax, error)) {
        expectimax_free(expectimax);
        return NULL;
    }
    return expectimax;
}

void expectimax_free(Expectimax *expectimax) {
    if (!expectimax)
        return;
    table_store_free(expectimax->tables);
    free(expectimax);
}

// ---------------------------------------------------------------------------------------------------
// The moves there are

// One line of play being looked at.
typedef struct Search {
    const Expectimax *expectimax;
    LookupTable *table; // NULL: none
} Search;

// <- how many outcomes are followed: not fatal, and the best by rating if not all. order: which, the best
// first
static int choose_candidates(const Outcome *outcome, int count, int most, uint8_t order[PLACEMENTS]) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (outcome[k].fatal)
            continue;
        int at = kept;
        if (!most || kept < most)
            kept++;
        else if (outcome[order[--at]].value >= outcome[k].value)
            continue;
        for (; at > 0 && outcome[order[at - 1]].value < outcome[k].value; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)k;
    }
    return kept;
}

// -> most   to be followed; 0: all
static int candidates(const Expectimax *expectimax, const Board *board, int piece, int most, Outcome *outcome,
                      uint8_t order[PLACEMENTS]) {
    int count;
    evaluator_outcomes(expectimax->evaluator, 1, &(BoardPiece){board, piece}, &outcome, &count);
    return choose_candidates(outcome, count, most, order);
}

// ---------------------------------------------------------------------------------------------------
// Values. Each function gives the value if it is at least `limit`, else any number below the limit: whoever
// asks knows something better already. Dangers only add up, so that a board is done with as soon as those of
// a few pieces are too many; the pieces that are hardest to place come first.

#define NO_LIMIT (INT64_MIN / 2)

static bool is_limited(const Expectimax *expectimax, int64_t limit) {
    return expectimax->danger > 0 && limit > NO_LIMIT / 2; // what moves give may have been taken off
}

enum { HARD_PIECES = 1 << PIECE_S | 1 << PIECE_Z | 1 << PIECE_O };
static const int hardest_first[PIECES] = {PIECE_S, PIECE_Z, PIECE_O, PIECE_J, PIECE_L, PIECE_T, PIECE_I};

static int64_t value_of_board(const Search *search, const Board *board, uint32_t set, int depth,
                              int64_t limit);

// Q(board, piece, depth) of the definition for depth > 1.
static int64_t value_of_piece(const Search *search, const Board *board, int piece, uint32_t set, int depth,
                              int64_t limit) {
    Outcome outcome[PLACEMENTS];
    uint8_t order[PLACEMENTS];
    const ExpectimaxOptions *options = &search->expectimax->options;
    int most = options->later_candidates ? options->later_candidates : options->candidates;
    int count = candidates(search->expectimax, board, piece, most, outcome, order);
    int64_t best = count ? NO_LIMIT : search->expectimax->dead;
    for (int k = 0; k < count; k++) {
        const Outcome *out = &outcome[order[k]];
        int64_t least = (best > limit ? best : limit) - out->move_value;
        int64_t sum = out->move_value + value_of_board(search, &out->after, set, depth - 1, least);
        best = sum > best ? sum : best;
    }
    return best;
}

// Of the last pieces. <- false: the mean is below the limit
static bool last_values(const Expectimax *expectimax, const Board *board, uint32_t set, int64_t limit,
                        int64_t best[PIECES]) {
    DangerTally tally = danger_tally(&expectimax->chances, set, limit, expectimax->danger);
    bool limited = is_limited(expectimax, limit);
    uint32_t hard = set & (uint32_t)HARD_PIECES, part = limited && hard ? hard : set;
    for (; set; set &= ~part, part = set) {
        evaluator_best_values(expectimax->evaluator, 1, &board, NULL, part, (int64_t(*)[PIECES])best);
        for (uint32_t left = part; left; left &= left - 1) {
            int piece = __builtin_ctz(left);
            best[piece] = best[piece] == INT64_MIN ? expectimax->dead : best[piece];
            if (limited && part != set && !danger_tally_add(&tally, piece, best[piece]))
                return false;
        }
    }
    return true;
}

// The same of pieces after which others follow.
static bool earlier_values(const Search *search, const Board *board, uint32_t set, int depth, int64_t limit,
                           int64_t best[PIECES]) {
    const Expectimax *expectimax = search->expectimax;
    bool limited = is_limited(expectimax, limit);
    DangerTally tally = danger_tally(&expectimax->chances, set, limit, expectimax->danger);
    for (int i = 0; i < PIECES; i++) {
        int piece = hardest_first[i];
        if (!(set >> piece & 1))
            continue;
        int64_t least = limited ? danger_tally_least(&tally, piece) : NO_LIMIT;
        best[piece] = value_of_piece(search, board, piece, chances_next(&expectimax->chances, set, piece),
                                     depth, least);
        if (limited && (best[piece] < least || !danger_tally_add(&tally, piece, best[piece])))
            return false;
    }
    return true;
}

// <- false: the mean is below the limit, and not known
static bool mean_value(const Search *search, const Board *board, uint32_t set, int depth, int64_t limit,
                       int64_t *mean) {
    const Expectimax *expectimax = search->expectimax;
    int64_t best[PIECES];
    if (!(depth > 1 ? earlier_values(search, board, set, depth, limit, best)
                    : last_values(expectimax, board, set, limit, best)))
        return false;
    *mean = expectimax->danger > 0 ? chances_mean_danger(&expectimax->chances, set, best, expectimax->danger)
                                   : chances_mean(&expectimax->chances, set, best);
    return true;
}

// The mean of Q(board, q, depth) over the pieces q of the set.
static int64_t value_of_board(const Search *search, const Board *board, uint32_t set, int depth,
                              int64_t limit) {
    int64_t mean;
    if (!search->table)
        return mean_value(search, board, set, depth, limit, &mean) ? mean : limit - 1;
    uint32_t kind = (uint32_t)depth << PIECES | set;
    LookupEntry *entry = lookup_find(search->table, board, kind);
    if (lookup_entry_is(entry, board, kind) && (!entry->below || entry->value <= limit))
        return entry->below ? limit - 1 : entry->value;
    bool known = mean_value(search, board, set, depth, limit, &mean);
    // What was found on the way may have been there in between.
    lookup_entry_set(entry, board, kind, known ? mean : limit, !known);
    return known ? mean : limit - 1;
}

// ---------------------------------------------------------------------------------------------------
// The move

typedef struct Choice {
    const Expectimax *expectimax;
    int next;     // the piece after the one in hand, -1: not known
    uint32_t set; // pieces that may come after what is known
    int depth;
    bool exact;    // all values are wanted, not just the best ones
    int64_t least; // what the best one is at least, as far as is known
    const Outcome *outcome;
    uint8_t order[PLACEMENTS]; // of the outcomes that are followed
    int64_t value[PLACEMENTS]; // of these; any number below the limit, where it is below it
    LookupTable *table[EXPECTIMAX_MAX_THREADS];
} Choice;

// Values below this one need not be known.
static int64_t choice_limit(const Choice *choice) {
    const Expectimax *expectimax = choice->expectimax;
    int64_t least = __atomic_load_n(&choice->least, __ATOMIC_RELAXED);
    if (choice->exact || least == NO_LIMIT)
        return NO_LIMIT;
    return choice->depth < expectimax->options.depth ? least - expectimax->unsure : least;
}

static void raise_least(Choice *choice, int64_t value) {
    int64_t least = __atomic_load_n(&choice->least, __ATOMIC_RELAXED);
    while (value > least && !__atomic_compare_exchange_n(&choice->least, &least, value, true,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void follow(void *context, uint64_t index, int thread) {
    Choice *choice = context;
    int k = choice->order[index];
    const Outcome *out = &choice->outcome[k];
    if (choice->depth > 2 && !choice->table[thread])
        choice->table[thread] = table_store_take(choice->expectimax->tables);
    Search search = {choice->expectimax, choice->table[thread]};
    int64_t limit = choice_limit(choice) - out->move_value;
    choice->value[k] =
        out->move_value +
        (choice->next < 0
             ? value_of_board(&search, &out->after, choice->set, choice->depth - 1, limit)
             : value_of_piece(&search, &out->after, choice->next, choice->set, choice->depth - 1, limit));
    raise_least(choice, choice->value[k]);
}

static void follow_all(Choice *choice, int count) {
    int threads = choice->expectimax->options.threads;
    Error ignored; // without memory for threads, this one does the work
    choice->least = NO_LIMIT;
    if (threads == 1 || !pool_run(threads, (uint64_t)count, follow, choice, NULL, &ignored))
        for (int k = 0; k < count; k++)
            follow(choice, (uint64_t)k, 0);
}

// Keeps the placements that are not clearly worse than the best one, the best first. <- how many
static int keep_unsure(Choice *choice, int count) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
        uint8_t which = choice->order[k];
        int64_t value = choice->value[which];
        if (choice->least - value > choice->expectimax->unsure)
            continue;
        int at = kept++;
        for (; at > 0 && choice->value[choice->order[at - 1]] < value; at--)
            choice->order[at] = choice->order[at - 1];
        choice->order[at] = which;
    }
    return kept;
}

// With `unsure` one piece more at a time, as long as it is not clear which placement is the best. <- how many
// are left
static int look_deeper(Choice *choice, int count) {
    const ExpectimaxOptions *options = &choice->expectimax->options;
    choice->depth = options->unsure > 0 ? (options->sees_next ? 3 : 2) : options->depth;
    follow_all(choice, count);
    while (choice->depth < options->depth && (count = keep_unsure(choice, count)) > 1) {
        choice->depth++;
        follow_all(choice, count);
    }
    for (int t = 0; t < options->threads; t++)
        table_store_give(choice->expectimax->tables, choice->table[t]);
    return count;
}

Evaluation expectimax_best(const Expectimax *expectimax, const Game *game, MoveValues *values) {
    const ExpectimaxOptions *options = &expectimax->options;
    Outcome outcome[PLACEMENTS];
    Choice choice = {.expectimax = expectimax,
                     .next = options->sees_next ? game->next : -1,
                     .set = chances_after(&expectimax->chances, game, options->sees_next),
                     .exact = values != NULL,
                     .outcome = outcome};
    int count = candidates(expectimax, &game->board, game->piece, options->candidates, outcome, choice.order);
    // A recorded sequence ends: nothing will follow. (Of a position, what follows may just not be known.)
    bool last = options->sees_next && game->next < 0 && game->stream.source->law != PIECES_KNOWN;
    if (last)
        for (int k = 0; k < count; k++)
            choice.value[choice.order[k]] = outcome[choice.order[k]].value;
    else
        count = look_deeper(&choice, count);
    Evaluation result = {0, INT64_MIN};
    for (int k = 0; k < count; k++) {
        int which = choice.order[k];
        evaluation_add(&result, outcome[which].placement, choice.value[which]);
        if (values)
            move_values_set(values, outcome[which].placement,
                            (double)choice.value[which] / expectimax->rating->scale);
    }
    return result;
}
