// SPDX-License-Identifier: GPL-3.0-or-later
// Expectimax as its definition in expectimax.h reads, with the kernels for the last two pieces of every line
// of play: all placements of the one before last at once (evaluator_outcomes), then the best values of all
// pieces on each of the boards (evaluator_best_values). From three pieces on, boards that were valued before
// are looked up. A placement that ends the game is not followed, whatever the rule for such moves, since
// nothing can follow it; only for the last piece does that rule count. Near the top of the original game,
// where not every placement can be reached, the reference definitions are used: such boards are rare. Nothing
// is cut off by bounds.
#include "player/expectimax.h"

#include <math.h>
#include <stdlib.h>

#include "base/pool.h"
#include "game/original.h"
#include "player/expectimax_law.h"
#include "player/expectimax_table.h"
#include "player/player_type.h"

#define LARGEST_DEAD 0x1p50 // 1024 times that, and what some moves give, is below 2^62

struct Expectimax {
    ExpectimaxOptions options;
    const Rating *rating;
    const Evaluator *evaluator;
    const Rules *rules;
    uint64_t move_features;
    PieceChances chances;
    int64_t dead;
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
    if (!(fabs(dead) <= LARGEST_DEAD))
        return error_set(error, "\"dead\" is %g, which is too far below the ratings; %.3g is the default.",
                         given, by_default / rating->scale);
    expectimax->dead = (int64_t)floor(dead);
    return true;
}

static bool check_options(const ExpectimaxOptions *options, Error *error) {
    int least = options->sees_next ? 3 : 2;
    if (options->depth < least || options->depth > EXPECTIMAX_MAX_DEPTH)
        return error_set(error, "An expectimax player%s looks at %d to %d pieces, not at %d.",
                         options->sees_next ? " that sees the next piece" : "", least, EXPECTIMAX_MAX_DEPTH,
                         options->depth);
    if (options->candidates < 0 || options->threads < 1 || options->threads > EXPECTIMAX_MAX_THREADS)
        return error_set(error, "An expectimax player cannot have %d candidates and %d threads.",
                         options->candidates, options->threads);
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
    expectimax->rules = rules;
    chances_make(&expectimax->chances, &rules->pieces);
    for (int id = 0; id < FEATURES; id++)
        if (feature_info[id].of_move)
            expectimax->move_features |= feature_bit((FeatureId)id);
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

static bool is_blocked(const Expectimax *expectimax, const Board *board) {
    return expectimax->rules->original && !original_is_open(board, expectimax->rules);
}

static int reachable_outcomes(const Expectimax *expectimax, const Board *board, int piece, Outcome *outcome) {
    const Rules *rules = expectimax->rules;
    OriginalPlacement list[PLACEMENTS];
    int count = original_placements(board, rules, piece, list);
    for (int k = 0; k < count; k++) {
        Outcome *out = &outcome[k];
        *out = (Outcome){.after = *board, .placement = list[k].placement};
        const Shape *shape = &piece_shape[piece][placement_orientation(out->placement)];
        Landing landing =
            board_place(&out->after, rules->width, shape, placement_column(out->placement), list[k].row);
        Situation situation = {rules->width, rules->height, board, &out->after, shape, landing};
        out->value = rating_reference(expectimax->rating, &situation, ~(uint64_t)0);
        out->move_value = rating_reference(expectimax->rating, &situation, expectimax->move_features);
        out->lines = landing.lines;
    }
    return count;
}

// Moves those that are followed to the front, in their order: not fatal, and the best by rating if not all.
static int choose_candidates(Outcome *outcome, int count, int most) {
    int kept = 0;
    for (int k = 0; k < count; k++)
        if (!outcome[k].fatal) {
            if (kept != k)
                outcome[kept] = outcome[k];
            kept++;
        }
    if (!most || kept <= most)
        return kept;
    int64_t value[PLACEMENTS] = {0};
    for (int k = 0; k < kept; k++) { // the highest first, equal ones as they come
        int at = k;
        for (; at > 0 && value[at - 1] < outcome[k].value; at--)
            value[at] = value[at - 1];
        value[at] = outcome[k].value;
    }
    int64_t least = value[most - 1];
    int equal = 0, chosen = 0;
    for (int k = 0; k < most; k++)
        equal += value[k] == least;
    for (int k = 0; k < kept; k++)
        if (outcome[k].value > least || (outcome[k].value == least && equal-- > 0))
            outcome[chosen++] = outcome[k];
    return chosen;
}

// -> value  of the board: evaluator_board_value
static int candidates(const Expectimax *expectimax, const Board *board, int64_t value, int piece,
                      Outcome *outcome) {
    int count = is_blocked(expectimax, board)
                    ? reachable_outcomes(expectimax, board, piece, outcome)
                    : evaluator_outcomes(expectimax->evaluator, board, value, piece, outcome);
    return choose_candidates(outcome, count, expectimax->options.candidates);
}

// ---------------------------------------------------------------------------------------------------
// Values

static int64_t value_of_board(const Search *search, const Board *board, int64_t value, uint32_t set,
                              int depth);

// Q(board, piece, depth) of the definition for depth > 1.
static int64_t value_of_piece(const Search *search, const Board *board, int64_t value, int piece,
                              uint32_t set, int depth) {
    Outcome outcome[PLACEMENTS];
    int count = candidates(search->expectimax, board, value, piece, outcome);
    int64_t best = count ? INT64_MIN : search->expectimax->dead;
    for (int k = 0; k < count; k++) {
        const Outcome *out = &outcome[k];
        int64_t sum = out->move_value +
                      value_of_board(search, &out->after, out->value - out->move_value, set, depth - 1);
        best = sum > best ? sum : best;
    }
    return best;
}

// The last piece of a line.
static void last_values(const Expectimax *expectimax, const Board *board, int64_t value, uint32_t set,
                        int64_t best[PIECES]) {
    if (!is_blocked(expectimax, board)) {
        evaluator_best_values(expectimax->evaluator, board, value, set, best);
        return;
    }
    for (; set; set &= set - 1) {
        int piece = __builtin_ctz(set);
        Outcome outcome[PLACEMENTS];
        int count = reachable_outcomes(expectimax, board, piece, outcome);
        best[piece] = INT64_MIN;
        for (int k = 0; k < count; k++)
            best[piece] = outcome[k].value > best[piece] ? outcome[k].value : best[piece];
    }
}

static int64_t mean_value(const Search *search, const Board *board, int64_t value, uint32_t set, int depth) {
    const Expectimax *expectimax = search->expectimax;
    int64_t best[PIECES];
    if (depth == 1)
        last_values(expectimax, board, value, set, best);
    for (uint32_t left = set; left; left &= left - 1) {
        int piece = __builtin_ctz(left);
        if (depth > 1)
            best[piece] = value_of_piece(search, board, value, piece,
                                         chances_next(&expectimax->chances, set, piece), depth);
        else if (best[piece] == INT64_MIN)
            best[piece] = expectimax->dead;
    }
    return chances_mean(&expectimax->chances, set, best);
}

// The mean of Q(board, q, depth) over the pieces q of the set.
static int64_t value_of_board(const Search *search, const Board *board, int64_t value, uint32_t set,
                              int depth) {
    if (!search->table)
        return mean_value(search, board, value, set, depth);
    uint32_t kind = (uint32_t)depth << PIECES | set;
    LookupEntry *entry = lookup_find(search->table, board, kind);
    if (lookup_entry_is(entry, board, kind))
        return entry->value;
    int64_t mean = mean_value(search, board, value, set, depth);
    lookup_entry_set(entry, board, kind, mean); // what was found on the way may have been there in between
    return mean;
}

// ---------------------------------------------------------------------------------------------------
// The move

typedef struct Move {
    const Expectimax *expectimax;
    int next;     // the piece after the one in hand, -1: not known
    uint32_t set; // pieces that may come after what is known
    int depth;
    const Outcome *outcome;
    int64_t value[PLACEMENTS]; // of each outcome
    LookupTable *table[EXPECTIMAX_MAX_THREADS];
} Move;

static void follow(void *context, uint64_t index, int thread) {
    Move *move = context;
    const Outcome *out = &move->outcome[index];
    if (move->depth > 2 && !move->table[thread])
        move->table[thread] = table_store_take(move->expectimax->tables);
    Search search = {move->expectimax, move->table[thread]};
    int64_t board_value = out->value - out->move_value;
    move->value[index] = out->move_value;
    if (move->next < 0)
        move->value[index] += value_of_board(&search, &out->after, board_value, move->set, move->depth - 1);
    else
        move->value[index] +=
            value_of_piece(&search, &out->after, board_value, move->next, move->set, move->depth - 1);
}

static void follow_all(Move *move, int count) {
    int threads = move->expectimax->options.threads;
    Error ignored; // without memory for threads, this one does the work
    if (threads == 1 || !pool_run(threads, (uint64_t)count, follow, move, NULL, &ignored))
        for (int k = 0; k < count; k++)
            follow(move, (uint64_t)k, 0);
    for (int t = 0; t < threads; t++)
        table_store_give(move->expectimax->tables, move->table[t]);
}

Evaluation expectimax_best(const Expectimax *expectimax, const Game *game) {
    const ExpectimaxOptions *options = &expectimax->options;
    Outcome outcome[PLACEMENTS];
    int64_t board_value = evaluator_board_value(expectimax->evaluator, &game->board);
    int count = candidates(expectimax, &game->board, board_value, game->piece, outcome);
    Move move = {.expectimax = expectimax,
                 .next = options->sees_next ? game->next : -1,
                 .set = chances_after(&expectimax->chances, game, options->sees_next),
                 .depth = options->depth,
                 .outcome = outcome};
    bool last = options->sees_next && game->next < 0; // a recorded sequence ends: nothing will follow
    if (last)
        for (int k = 0; k < count; k++)
            move.value[k] = outcome[k].value;
    else
        follow_all(&move, count);
    Evaluation result = {0, INT64_MIN};
    for (int k = 0; k < count; k++) {
        if (move.value[k] > result.value)
            result = (Evaluation){0, move.value[k]};
        if (move.value[k] == result.value)
            result.best |= (uint64_t)1 << outcome[k].placement;
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------
// The player

static int sees(const Strategy *strategy) {
    return strategy->expectimax.sees_next ? 2 : 1;
}

static bool make(Player *player, Error *error) {
    player->state = expectimax_new(&player->strategy.expectimax, &player->rating, player->evaluator,
                                   player->rules, error);
    return player->state != NULL;
}

static void free_state(void *state) {
    expectimax_free(state);
}

static Placement choose(const Player *player, Game *game) {
    return player_pick(player, expectimax_best(player->state, game).best, game);
}

const PlayerType player_expectimax = {.sees = sees, .make = make, .free = free_state, .choose = choose};
