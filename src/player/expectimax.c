// SPDX-License-Identifier: GPL-3.0-or-later
// Expectimax as its definition in expectimax.h reads, for many games at once: all boards that their
// placements lead to are valued together (expectimax_search.h). `unsure` is an option, and part of the
// definition.
#include "player/expectimax.h"

#include <math.h>
#include <stdlib.h>

#include "base/pool.h"
#include "player/expectimax_search.h"
#include "player/player_type.h"

_Static_assert((int)SEARCH_TOGETHER >= (int)PLAYER_TOGETHER, "all games find room");

#define LARGEST_VALUE 0x1p50 // 1024 times that, and what some moves give, is below 2^62
#define LEAST_DANGER  1.0    // a step of the rating's sums

// The move of one game.
typedef struct Choice {
    const Game *game;
    bool exact;    // all values are wanted, not just the best ones
    int64_t least; // what the best one is at least, as far as is known
    Outcome *outcome;
    uint32_t set; // pieces that may come after what is known
    int next;     // the piece after the one in hand, -1: not known
    int count;    // of the outcomes that are followed
    uint8_t order[PLACEMENTS];
    int64_t value[PLACEMENTS]; // of these; any number below the limit, where it is below it
} Choice;

// What a thread works with.
typedef struct SearchRoom {
    LookupTable table;
    Choice choice[SEARCH_TOGETHER];
    Layer layer[]; // one for each depth from 2 on
} SearchRoom;

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
    size_t layers = (size_t)(options->depth - 1) * sizeof(Layer);
    if (!expectimax || !(expectimax->rooms = rooms_new(sizeof(SearchRoom) + layers))) {
        error_set(error, "Out of memory for an expectimax player.");
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
    rooms_free(expectimax->rooms);
    free(expectimax);
}

// ---------------------------------------------------------------------------------------------------
// Placements that are followed

// One step down, in all games.
typedef struct Pass {
    const Expectimax *expectimax;
    int depth;
    SearchRoom *room[EXPECTIMAX_MAX_THREADS];
} Pass;

static Search search_of(const Pass *pass, SearchRoom *room) {
    return (Search){pass->expectimax, pass->depth > 2 ? &room->table : NULL, room->layer};
}

// Values below this one need not be known.
static int64_t choice_limit(const Pass *pass, const Choice *choice) {
    const Expectimax *expectimax = pass->expectimax;
    int64_t least = __atomic_load_n(&choice->least, __ATOMIC_RELAXED);
    if (choice->exact || least == NO_LIMIT)
        return NO_LIMIT;
    return pass->depth < expectimax->options.depth ? least - expectimax->unsure : least;
}

static void raise_least(Choice *choice, int64_t value) {
    int64_t least = __atomic_load_n(&choice->least, __ATOMIC_RELAXED);
    while (value > least && !__atomic_compare_exchange_n(&choice->least, &least, value, true,
                                                         __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void take_value(Choice *choice, int which, int64_t value) {
    choice->value[which] = choice->outcome[which].move_value + value;
    raise_least(choice, choice->value[which]);
}

// Some candidates of each game: [from, to) of its order.
static void follow(const Pass *pass, int games, Choice *const *choice, int from, int to, SearchRoom *room) {
    Search search = search_of(pass, room);
    Layer *layer = &room->layer[pass->expectimax->options.depth - 2];
    int boards = 0, pieces = 0;
    for (int g = 0; g < games; g++) {
        const Choice *own = choice[g];
        for (int i = from; i < to && i < own->count; i++) {
            int which = own->order[i];
            const Outcome *out = &own->outcome[which];
            int64_t limit = choice_limit(pass, own) - out->move_value;
            if (own->next < 0)
                layer->board[boards++] = (BoardAsk){.board = &out->after,
                                                    .own = out->value - out->move_value,
                                                    .limit = limit,
                                                    .set = own->set,
                                                    .owner = g,
                                                    .which = which};
            else
                layer->piece[pieces++] = (PieceAsk){.board = &out->after,
                                                    .piece = own->next,
                                                    .limit = limit,
                                                    .set = own->set,
                                                    .owner = g,
                                                    .which = which};
        }
    }
    search_boards(&search, pass->depth - 1, boards, layer->board);
    search_pieces(&search, pass->depth - 1, pieces, layer->piece);
    for (int k = 0; k < boards; k++)
        take_value(choice[layer->board[k].owner], layer->board[k].which, layer->board[k].value);
    for (int k = 0; k < pieces; k++)
        take_value(choice[layer->piece[k].owner], layer->piece[k].which, layer->piece[k].value);
}

// A candidate by one of several threads.
typedef struct Shared {
    Pass *pass;
    Choice *choice;
} Shared;

static void follow_one(void *context, uint64_t index, int thread) {
    Shared *shared = context;
    follow(shared->pass, 1, &shared->choice, (int)index, (int)index + 1, shared->pass->room[thread]);
}

// Without memory for threads, this one does the work.
static void follow_all(Pass *pass, int games, Choice *const *choice) {
    int most = 0;
    for (int g = 0; g < games; g++) {
        choice[g]->least = NO_LIMIT;
        most = choice[g]->count > most ? choice[g]->count : most;
    }
    int threads = 1;
    while (threads < pass->expectimax->options.threads &&
           (pass->room[threads] || (pass->room[threads] = rooms_take(pass->expectimax->rooms))))
        threads++;
    Error ignored;
    if (threads > 1) {
        for (int g = 0; g < games; g++) {
            Shared shared = {pass, choice[g]};
            if (!pool_run(threads, (uint64_t)choice[g]->count, follow_one, &shared, NULL, &ignored))
                follow(pass, 1, &choice[g], 0, choice[g]->count, pass->room[0]);
        }
        return;
    }
    for (int from = 0, to; from < most; from = to) {
        to = search_step(pass->expectimax, from);
        follow(pass, games, choice, from, to, pass->room[0]);
    }
}

// ---------------------------------------------------------------------------------------------------
// The move

// Keeps the placements that are not clearly worse than the best one, the best first. <- how many
static int keep_unsure(const Expectimax *expectimax, Choice *choice) {
    int kept = 0;
    for (int k = 0; k < choice->count; k++) {
        uint8_t which = choice->order[k];
        int64_t value = choice->value[which];
        if (choice->least - value > expectimax->unsure)
            continue;
        int at = kept++;
        for (; at > 0 && choice->value[choice->order[at - 1]] < value; at--)
            choice->order[at] = choice->order[at - 1];
        choice->order[at] = which;
    }
    return choice->count = kept;
}

// With `unsure` one piece more at a time, as long as it is not clear which placement is the best.
static void look_deeper(Pass *pass, int games, Choice **choice) {
    const ExpectimaxOptions *options = &pass->expectimax->options;
    pass->depth = options->unsure > 0 ? (options->sees_next ? 3 : 2) : options->depth;
    follow_all(pass, games, choice);
    for (; pass->depth < options->depth; follow_all(pass, games, choice)) {
        int left = 0;
        for (int g = 0; g < games; g++)
            if (keep_unsure(pass->expectimax, choice[g]) > 1)
                choice[left++] = choice[g];
        games = left;
        pass->depth++;
    }
}

static Evaluation result_of(const Expectimax *expectimax, const Choice *choice, MoveValues *values) {
    Evaluation result = {0, INT64_MIN};
    for (int k = 0; k < choice->count; k++) {
        int which = choice->order[k];
        Placement placement = choice->outcome[which].placement;
        evaluation_add(&result, placement, choice->value[which]);
        if (values)
            move_values_set(values, placement, (double)choice->value[which] / expectimax->rating->scale);
    }
    return result;
}

static void start(const Expectimax *expectimax, int count, const Game *const *game, bool exact,
                  SearchRoom *room) {
    const ExpectimaxOptions *options = &expectimax->options;
    BoardPiece question[SEARCH_TOGETHER];
    Outcome *outcome[SEARCH_TOGETHER];
    int found[SEARCH_TOGETHER];
    for (int g = 0; g < count; g++)
        question[g] = (BoardPiece){&game[g]->board, game[g]->piece};
    evaluator_outcomes(expectimax->evaluator, count, question, room->layer[options->depth - 2].outcome,
                       outcome, found);
    for (int g = 0; g < count; g++) {
        Choice *choice = &room->choice[g];
        choice->exact = exact;
        choice->next = options->sees_next ? game[g]->next : -1;
        choice->set = chances_after(&expectimax->chances, game[g], options->sees_next);
        choice->outcome = outcome[g];
        choice->count =
            search_candidates(expectimax, outcome[g], found[g], options->candidates, choice->order);
        for (int k = 0; k < choice->count; k++)
            choice->value[choice->order[k]] = outcome[g][choice->order[k]].value;
    }
}

// A recorded sequence ends: nothing will follow. (Of a position, what follows may just not be known.)
static bool is_last(const Expectimax *expectimax, const Game *game) {
    return expectimax->options.sees_next && game->next < 0 && game->stream.source->law != PIECES_KNOWN;
}

void expectimax_best_of(const Expectimax *expectimax, int count, const Game *const *game, MoveValues *values,
                        Evaluation *result) {
    Pass pass = {.expectimax = expectimax, .room = {rooms_take(expectimax->rooms)}};
    SearchRoom *room = pass.room[0];
    Choice *choice[SEARCH_TOGETHER];
    int games = 0;
    if (!room) { // no memory to look ahead
        for (int g = 0; g < count; g++)
            result[g] = evaluator_best(expectimax->evaluator, &game[g]->board, game[g]->piece);
        return;
    }
    start(expectimax, count, game, values != NULL, room);
    for (int g = 0; g < count; g++)
        if (!is_last(expectimax, game[g]))
            choice[games++] = &room->choice[g];
    look_deeper(&pass, games, choice);
    for (int g = 0; g < count; g++)
        result[g] = result_of(expectimax, &room->choice[g], values);
    for (int t = 0; t < EXPECTIMAX_MAX_THREADS; t++)
        rooms_give(expectimax->rooms, pass.room[t]);
}

Evaluation expectimax_best(const Expectimax *expectimax, const Game *game, MoveValues *values) {
    Evaluation result;
    expectimax_best_of(expectimax, 1, &game, values, &result);
    return result;
}
