// SPDX-License-Identifier: GPL-3.0-or-later
// One repetition of multilevel splitting; splitting.h explains it. Its games are played side by side in
// phases: several strands collect entries, and all paths are moved between two looks. What is summed up is
// summed up after a phase, in the order of strands and paths, whoever of them came to an end first. The
// copies are spread evenly over the paths in the order of their importance (systematic resampling), which has
// less variance than drawing them.
#include "measure/splitting_repetition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

enum {
    MOVES = 2,            // between two looks at the importance
    CROWD = 2,            // times the trials: so many paths at most at a time
    LONG = 2000,          // times the trials: pieces after which fewer and fewer paths are kept
    WARM_UP = 500,        // pieces until an empty board has become a typical one: of a strand alone,
    WARM_UP_BESIDE = 150, //   of each of several
    LOOK_AHEAD = 500,     // pieces that tell how long it will take to leave A as often as there are trials,
    ENTRIES_LIMIT = 400,  //   at most so many times as many pieces
    SPARE_ENTRIES = 16,   // room for those of one of several strands, besides its share
    SAMPLE_EVERY = 4,     // looks at the importance
    BUCKETS = 256,        // of levels, for sorting
    SLICE = 1 << 13       // pieces between two looks at `stop`
};
static const double DECLINE = 0.9; // of the paths at each look, after a long time

// ---------------------------------------------------------------------------------------------------
// States

// What a path needs to go on: board, pieces in hand and in the bag. The random numbers are its strand's.
typedef struct State {
    uint32_t column[BOARD_MAX_WIDTH];
    int8_t piece, next, state; // state: a GameState
    uint8_t bag[PIECES], bag_left;
} State;

// What has left A and is neither lost nor back. Its weight is the repetition's scale / chance of its level.
typedef struct Path {
    State state;
    int32_t sample; // the last one of its past, -1: none
    int32_t level;  // of its importance
    double share;   // how many copies of it are to go on, on average
} Path;
_Static_assert(2 * CROWD * sizeof(Path) + CROWD * sizeof(uint32_t) <= SPLITTING_TRIAL_BYTES,
               "what a trial costs in memory");

static void save(State *state, const Game *game) {
    memcpy(state->column, game->board.column, sizeof state->column);
    state->piece = (int8_t)game->piece;
    state->next = (int8_t)game->next;
    state->state = (int8_t)game->state;
    memcpy(state->bag, game->stream.bag, sizeof state->bag);
    state->bag_left = game->stream.bag_left;
}

static void restore(Game *game, const State *state) {
    memcpy(game->board.column, state->column, sizeof state->column);
    game->piece = state->piece;
    game->next = state->next;
    memcpy(game->stream.bag, state->bag, sizeof state->bag);
    game->stream.bag_left = state->bag_left;
    game->state = GAME_RUNNING;
    game->pieces = game->lines = 0;
}

// ---------------------------------------------------------------------------------------------------
// One repetition

// A game with random numbers of its own, which may collect entries first, and then plays the paths that
// are dealt to it, one after the other.
typedef struct Strand {
    Game game;            // first: the two pointers are the same
    uint64_t left;        // pieces of the phase
    uint64_t began, seen; // pieces of the game when it entered or left A, and when they were counted last
    bool above;           // is the pile above A?
    uint64_t kept;        // entries
    uint64_t path;        // under way
} Strand;

typedef struct Repetition {
    const SplittingPlan *plan;
    const Rules *rules;
    const volatile bool *unwanted; // may be NULL: the others suffice
    ImportanceSamples *samples;    // may be NULL
    Strand *strand;
    Turn *turn;
    int strands, collectors; // the first so many collect entries
    Random random;           // for the copies
    bool redraw[2];          // may the piece in hand, and the next one, be drawn anew?
    Path *path, *copy;       // those under way, and room for their copies
    uint32_t *order;         // of the paths by importance
    uint64_t room;           // for the entries of each collector
    uint64_t paths, entries;
    bool keep;          // the entries
    double scale;       // of the weights
    double lost, cells; // weight of the losses; and times the cells that they left
    double lightest;    // weight there was
    int highest;        // pile there was
    uint64_t pieces;
    bool stopped, failed;
} Repetition;

static bool is_stopped(Repetition *r) {
    return r->stopped = r->stopped || work_is_stopped(&r->plan->work) || pool_stopped(r->unwanted);
}

static void run_turns(Repetition *r, int count, bool (*again)(void *context, Turn *turn)) {
    player_run_turns(r->plan->player, count, r->turn, again, r);
}

// The importance of the board that the path has come to.
static void look(Repetition *r, Path *path, double term[IMPORTANCE_TERMS]) {
    int top = importance_terms(path->state.column, r->rules->width, r->rules->height, term);
    path->level = importance_level(importance_sum(&r->plan->importance, term));
    r->highest = top > r->highest ? top : r->highest;
}

static void lose(Repetition *r, const State *state, double weight) {
    Board board = {{0}};
    memcpy(board.column, state->column, sizeof state->column);
    r->lost += weight;
    r->cells += weight * board_cells(&board, r->rules->width);
}

// ---------------------------------------------------------------------------------------------------
// Entries

// Plays on until the pile leaves A or comes back, in slices. <- false: the phase is over for this strand
static bool play_on(Repetition *r, Strand *strand, Turn *turn) {
    if (!strand->left || strand->kept == r->room || is_stopped(r))
        return false;
    turn->game = &strand->game;
    turn->moves = strand->left < SLICE ? strand->left : SLICE;
    turn->low = strand->above ? r->plan->base : -1;
    turn->high = strand->above ? TURN_ANY_HEIGHT : r->plan->base + 1;
    return true;
}

static void count_pieces(Repetition *r, Strand *strand, uint64_t pieces) {
    r->pieces += pieces;
    strand->left -= pieces;
}

// Boards with which a strand leaves A are kept, those of lost games (low boards allow losing from within A)
// count as losses at once.
static bool watch_entry(void *context, Turn *turn) {
    Repetition *r = context;
    Strand *strand = (Strand *)turn->game;
    Game *game = &strand->game;
    bool lost = game->state == GAME_OVER, passed = game->state == GAME_PAUSED;
    count_pieces(r, strand, game->pieces - strand->seen);
    strand->seen = game->pieces;
    if (lost || passed) {
        count_pieces(r, strand,
                     game->pieces == strand->began); // a game lost at once, not to be played for ever
        bool entered = !strand->above;
        Path *path = r->path + (uint64_t)(strand - r->strand) * r->room + strand->kept;
        State last;
        r->entries += entered;
        save(&last, game);
        if (entered && r->keep && lost)
            lose(r, &last, 1);
        else if (entered && r->keep) {
            path->state = last;
            strand->kept++;
        }
        strand->above = passed && !strand->above;
        if (lost)
            game_restart(game);
        strand->began = game->pieces;
    }
    return play_on(r, strand, turn);
}

// Plays on for so many pieces in all. <- how often they left A
static uint64_t watch_entries(Repetition *r, uint64_t pieces) {
    uint64_t count = (uint64_t)r->collectors;
    int turns = 0;
    r->entries = 0;
    for (uint64_t k = 0; k < count; k++) {
        Strand *strand = &r->strand[k];
        strand->left = pieces / count + (k < pieces % count);
        strand->above = board_pile_height(&strand->game.board, r->rules->width) > r->plan->base;
        strand->began = strand->seen = strand->game.pieces;
        turns += play_on(r, strand, &r->turn[turns]);
    }
    run_turns(r, turns, watch_entry);
    return r->entries;
}

// Moves them together, in the order of the strands.
static void gather_entries(Repetition *r) {
    double term[IMPORTANCE_TERMS];
    for (int k = 0; k < r->collectors; k++)
        for (uint64_t i = 0; i < r->strand[k].kept; i++) {
            Path *path = &r->path[r->paths++];
            *path = r->path[(uint64_t)k * r->room + i];
            look(r, path, term);
            path->sample = -1;
        }
}

// The number of pieces is fixed before, not that of entries: so the rate is unbiased, however few there are.
// <- entries per piece, 0: there was none
static double collect_entries(Repetition *r) {
    watch_entries(r, r->collectors == 1 ? WARM_UP : (uint64_t)r->collectors * WARM_UP_BESIDE);
    double some = (double)watch_entries(r, LOOK_AHEAD) / LOOK_AHEAD;
    uint64_t wanted = (uint64_t)((double)r->plan->trials / fmax(some, 1.0 / ENTRIES_LIMIT)),
             first = r->pieces;
    r->keep = true;
    uint64_t entries = watch_entries(r, wanted);
    for (int k = 0; k < r->collectors; k++)
        player_forget(r->plan->player, &r->strand[k].game); // the paths are other games
    gather_entries(r);
    r->lost /= entries ? (double)entries : 1;
    r->cells /= entries ? (double)entries : 1;
    return entries ? (double)entries / (double)(r->pieces - first) : 0;
}

// All entries have the same weight, 1 / entries. -> of_lost  the part of them that were lost games
static void share_entries(Repetition *r, double of_lost) {
    double sum = 0, kept = (double)r->paths;
    for (uint64_t i = 0; i < r->paths; i++)
        sum += importance_chance(r->path[i].level);
    for (uint64_t i = 0; i < r->paths; i++)
        r->path[i].share = importance_chance(r->path[i].level) / sum * (double)r->plan->trials;
    r->scale = (1 - of_lost) * sum / (kept * (double)r->plan->trials);
}

// ---------------------------------------------------------------------------------------------------
// Paths

// By level, roughly. The first of equals stays the first. Also notes the lightest.
static void sort_paths(Repetition *r) {
    uint32_t begin[BUCKETS + 1] = {0};
    int least = INT32_MAX, most = INT32_MIN;
    for (uint64_t i = 0; i < r->paths; i++) {
        least = r->path[i].level < least ? r->path[i].level : least;
        most = r->path[i].level > most ? r->path[i].level : most;
    }
    r->lightest = fmin(r->lightest, r->scale / importance_chance(most));
    int wide = (most - least) / BUCKETS + 1; // levels in a bucket
    for (uint64_t i = 0; i < r->paths; i++)
        begin[(r->path[i].level - least) / wide + 1]++;
    for (int b = 0; b < BUCKETS; b++)
        begin[b + 1] += begin[b];
    for (uint64_t i = 0; i < r->paths; i++)
        r->order[begin[(r->path[i].level - least) / wide]++] = (uint32_t)i;
}

// Copies each path as often as its share says, on average; the others end here.
static void copy_paths(Repetition *r) {
    double sum = 0, factor = 1, crowd = CROWD * (double)r->plan->trials;
    for (uint64_t i = 0; i < r->paths; i++)
        sum += r->path[i].share;
    if (sum > crowd)
        factor = crowd / sum;
    if (r->pieces > LONG * r->plan->trials)
        factor *= DECLINE;
    r->scale /= factor;
    sort_paths(r);
    uint64_t copies = 0;
    double at = random_unit(&r->random);
    for (uint64_t i = 0; i < r->paths; i++) {
        const Path *path = &r->path[r->order[i]];
        uint64_t from = (uint64_t)at, to = (uint64_t)(at += path->share * factor);
        for (uint64_t k = from; k < to && copies < CROWD * r->plan->trials + 1; k++)
            r->copy[copies++] = *path;
    }
    Path *swap = r->path;
    r->path = r->copy;
    r->copy = swap;
    r->paths = copies;
}

static void take_samples(Repetition *r) {
    for (uint64_t i = 0; i < r->paths && !r->failed; i++) {
        Path *path = &r->path[i];
        double term[IMPORTANCE_TERMS];
        importance_terms(path->state.column, r->rules->width, r->rules->height, term);
        path->sample = importance_sample(r->samples, term, path->level,
                                         r->scale / importance_chance(path->level), path->sample);
        r->failed = path->sample < 0;
    }
}

// Pieces that the player has not seen yet are drawn anew, so that copies differ at once.
static void begin_path(Repetition *r, Strand *strand, Turn *turn) {
    Game *game = &strand->game;
    restore(game, &r->path[strand->path].state);
    if (r->redraw[0])
        game->piece = piece_stream_next(&game->stream);
    if (r->redraw[1])
        game->next = piece_stream_next(&game->stream);
    *turn = (Turn){game, MOVES, r->plan->base, TURN_ANY_HEIGHT};
}

static bool next_path(void *context, Turn *turn) {
    Repetition *r = context;
    Strand *strand = (Strand *)turn->game;
    r->pieces += strand->game.pieces;
    save(&r->path[strand->path].state, &strand->game);
    player_forget(r->plan->player, &strand->game); // the next path is another game
    strand->path += (uint64_t)r->strands;
    if (strand->path >= r->paths)
        return false;
    begin_path(r, strand, turn);
    return true;
}

// Plays some moves of each path. What is back in A is done with.
static void play_paths(Repetition *r) {
    uint64_t left = 0;
    double term[IMPORTANCE_TERMS];
    int turns = r->paths < (uint64_t)r->strands ? (int)r->paths : r->strands;
    for (int k = 0; k < turns; k++) {
        r->strand[k].path = (uint64_t)k;
        begin_path(r, &r->strand[k], &r->turn[k]);
    }
    run_turns(r, turns, next_path);
    for (uint64_t i = 0; i < r->paths; i++) {
        Path *path = &r->path[i];
        if (path->state.state == GAME_OVER) {
            double weight = r->scale / importance_chance(path->level);
            lose(r, &path->state, weight);
            if (r->samples)
                importance_lost(r->samples, path->sample, weight);
        } else if (path->state.state == GAME_RUNNING) {
            int before = path->level;
            look(r, path, term);
            path->share = importance_chance(path->level - before);
            r->path[left++] = *path;
        }
    }
    r->paths = left;
}

// <- the probability that an entry is lost before it is back in A
static double follow_paths(Repetition *r) {
    share_entries(r, r->lost);
    for (int look = 0; r->paths && !is_stopped(r) && !r->failed; look++) {
        copy_paths(r);
        if (r->samples && look % SAMPLE_EVERY == 0)
            take_samples(r);
        play_paths(r);
    }
    return r->lost;
}

// ---------------------------------------------------------------------------------------------------

static void estimate(Repetition *r, SplittingRun *run) {
    double rate = collect_entries(r);
    r->lightest = 1;
    run->lambda = rate * follow_paths(r);
    run->reached = run->lambda > 0 ? run->lambda : rate * r->lightest;
    run->extinct = run->lambda > 0 ? 0 : rate > 0 ? r->highest + 1 : r->plan->base + 1;
    run->cells = run->lambda > 0 ? r->cells / r->lost : NAN;
    run->pieces = r->pieces;
    run->done = !r->stopped;
}

static bool make_room(Repetition *r) {
    uint64_t crowd = CROWD * r->plan->trials, count = (uint64_t)r->collectors;
    r->room = crowd / count + (count > 1 ? SPARE_ENTRIES : 0);
    uint64_t most = (crowd > count * r->room ? crowd : count * r->room) + 2;
    r->path = malloc(most * sizeof *r->path);
    r->copy = malloc(most * sizeof *r->copy);
    r->order = malloc(most * sizeof *r->order);
    r->strand = aligned_alloc(_Alignof(Strand), (size_t)r->strands * sizeof *r->strand);
    r->turn = malloc((size_t)r->strands * sizeof *r->turn);
    return r->path && r->copy && r->order && r->strand && r->turn;
}

static void begin(Repetition *r, uint64_t number) {
    const SplittingPlan *plan = r->plan;
    uint64_t stream = splitting_stream(number, false);
    bool independent = r->rules->pieces.law == PIECES_INDEPENDENT;
    r->redraw[0] = independent && strategy_nature(player_strategy(plan->player)).sees < 2;
    r->redraw[1] = independent;
    r->random = random_stream(plan->seed, stream, RANDOM_SPLITTING);
    for (int k = 0; k < r->strands; k++) {
        r->strand[k].kept = 0;
        game_start(&r->strand[k].game, r->rules, plan->seed, stream + splitting_apart((uint64_t)k));
    }
}

bool splitting_play(const SplittingPlan *plan, uint64_t number, const volatile bool *unwanted,
                    ImportanceSamples *samples, SplittingRun *run, Error *error) {
    Repetition r = {.plan = plan,
                    .rules = player_rules(plan->player),
                    .unwanted = unwanted,
                    .samples = samples,
                    .strands = plan->strands ? plan->strands : 1};
    r.collectors = splitting_collectors(r.strands, plan->trials);
    *run = (SplittingRun){0};
    bool good = make_room(&r);
    if (good) {
        begin(&r, number);
        estimate(&r, run);
        good = !r.failed;
    }
    free(r.path);
    free(r.copy);
    free(r.order);
    free(r.strand);
    free(r.turn);
    return good || error_set(error, "Out of memory for %llu boards; ask for fewer trials.",
                             2ull * CROWD * (unsigned long long)plan->trials);
}

bool splitting_repeat(const SplittingPlan *plan, uint64_t number, SplittingRun *run, Error *error) {
    return splitting_play(plan, number, NULL, NULL, run, error);
}

bool splitting_observe(const SplittingPlan *plan, uint64_t number, ImportanceSamples *samples,
                       SplittingRun *run, Error *error) {
    return splitting_play(plan, number, NULL, samples, run, error);
}
