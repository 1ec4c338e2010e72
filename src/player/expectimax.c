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

static bool make(Player *player, Error *error) {
    Expectimax *expectimax = player->state = calloc(1, sizeof *expectimax);
    size_t layers = (size_t)(player->strategy.expectimax.depth - 1) * sizeof(Layer);
    if (!expectimax || !(expectimax->rooms = rooms_new(sizeof(SearchRoom) + layers, NULL)))
        return error_set(error, "Out of memory for an expectimax player.");
    expectimax->options = player->strategy.expectimax;
    expectimax->rating = &player->rating;
    expectimax->evaluator = player->evaluator;
    chances_make(&expectimax->chances, &player->rules->pieces);
    set_danger(expectimax);
    set_unsure(expectimax);
    return set_dead(expectimax, error);
}

static void free_state(void *state) {
    Expectimax *expectimax = state;
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

static void start(const Expectimax *expectimax, int count, Game *const *game, bool exact, SearchRoom *room) {
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

// -> values  NULL, if there is more than one game
static void best_of(const Expectimax *expectimax, int count, Game *const *game, MoveValues *values,
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

Evaluation expectimax_best(const Player *player, Game *game, MoveValues *values) {
    Evaluation result;
    best_of(player->state, 1, &game, values, &result);
    return result;
}

static Placement choose(const Player *player, Game *game, MoveValues *values) {
    return player_pick(player, expectimax_best(player, game, values).best, game);
}

static void choose_all(const Player *player, int count, Game *const *game, Placement *placement) {
    Evaluation result[PLAYER_TOGETHER];
    best_of(player->state, count, game, NULL, result);
    for (int g = 0; g < count; g++)
        placement[g] = player_pick(player, result[g].best, game[g]);
}

// ---------------------------------------------------------------------------------------------------
// The player

static const Field option[] = {
    {"depth", FIELD_INT, FIELD_AT(Strategy, expectimax.depth), .preset = 2, .least = 2,
     .most = EXPECTIMAX_MAX_DEPTH,
     .help = "Pieces looked at, the one in hand included; with `sees-next` 3 is the default and the least."},
    {"candidates", FIELD_INT, FIELD_AT(Strategy, expectimax.candidates), .least = 0, .most = PLACEMENTS,
     .help = "Of each piece but the last of a line only so many placements are followed, the best by rating; "
             "0: all."},
    {"later-candidates", FIELD_INT, FIELD_AT(Strategy, expectimax.later_candidates), .least = 1,
     .most = PLACEMENTS, .otherwise = "as many as of the piece in hand",
     .help = "The same for the pieces after the one in hand alone, from three pieces on."},
    {"unsure", FIELD_REAL, FIELD_AT(Strategy, expectimax.unsure), .least = 1e-100,
     .most = STRATEGY_WEIGHT_LIMIT, .otherwise = "none: all are looked at as deep",
     .help = "One more piece is looked at, from the least depth up to `depth`, only for placements of the "
             "piece in hand that are at most so much worse than the best one."},
    {"sees-next", FIELD_FLAG, FIELD_AT(Strategy, expectimax.sees_next),
     .help = "The next piece is known, the mean is over those after it."},
    {"dead", FIELD_REAL, FIELD_AT(Strategy, expectimax.dead), .least = -STRATEGY_WEIGHT_LIMIT,
     .most = -1e-100,
     .otherwise = "−30 times the sum of the absolute weights; with powers, the worst rating there is",
     .help = "The value of a piece that cannot be placed."},
    {"danger", FIELD_REAL, FIELD_AT(Strategy, expectimax.danger), .least = 1e-100,
     .most = STRATEGY_WEIGHT_LIMIT, .otherwise = "none: values are averaged",
     .help = "A value lower by this much is e times the danger, and the dangers of the pieces are averaged "
             "instead of their values."},
    {"threads", FIELD_INT, FIELD_AT(Strategy, expectimax.threads), .preset = 1, .least = 1,
     .most = EXPECTIMAX_MAX_THREADS, .help = "Threads that work on one move; they pay from depth 3 on."},
};

static bool settle(Strategy *strategy, const json_t *object, const JsonSource *source, Error *error) {
    ExpectimaxOptions *options = &strategy->expectimax;
    if (options->sees_next && !json_object_get(object, "depth"))
        options->depth = 3;
    if (options->later_candidates && options->depth <= 2)
        return json_refuse(source, (JsonSpot){object, "later-candidates", -1, false}, error,
                           "with \"later-candidates\" the depth is at least 3, or no later piece has any.");
    if (options->unsure > 0 && options->depth <= (options->sees_next ? 3 : 2))
        return json_refuse(
            source, (JsonSpot){object, "unsure", -1, false}, error,
            "with \"unsure\" the depth is at least %d, or there is nothing to look deeper for.",
            options->sees_next ? 4 : 3);
    return !options->sees_next || options->depth > 2 ||
           json_refuse(
               source, (JsonSpot){object, "depth", -1, false}, error,
               "with \"sees-next\" the depth is at least 3; two known pieces are \"player\": \"two-piece\".");
}

static void describe(const Strategy *strategy, StrategyNature *nature) {
    const ExpectimaxOptions *options = &strategy->expectimax;
    nature->sees = options->sees_next ? 2 : 1;
    nature->has_units = options->danger != 0 || options->unsure != 0 || options->dead != 0;
    if (options->unsure > 0)
        nature->unvalued = "looks deeper for some placements than for others, so that their values cannot be "
                           "compared: leave \"unsure\" out.";
}

const PlayerType player_expectimax = {
    .describe = describe,
    .limits =
        "Values are what the player expects of the pieces to come. The features are of this move alone: "
        "they do not add up to its value, and no change of a weight is given.",
    .options = FIELDS(option),
    .settle = settle,
    .make = make,
    .free = free_state,
    .choose = choose,
    .choose_all = choose_all};
