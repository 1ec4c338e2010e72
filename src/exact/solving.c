// SPDX-License-Identifier: GPL-3.0-or-later
// Value iteration by sweeps from full boards down to the empty one: a move that clears nothing leads to a
// board with four cells more, whose new value is known already (Gauss and Seidel's way). The boards with
// equally many cells are a layer and are worked on by all threads. A move inside a layer exists only where a
// row has four cells; there a layer is computed from its old values and written when it is complete, so that
// threads never change a result. Between two sweeps that look at all placements come some cheap ones that
// keep each piece's best placement of the last one (modified policy iteration, Puterman & Shin 1978): they do
// not lower values either. Discounting is not needed and not done.
#include "exact/solving.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/pool.h"
#include "exact/value_file.h"

enum { BLOCK = 2048, CHEAP_SWEEPS = 12, NO_MOVE = 255 };

// What a thread has seen in a sweep.
typedef struct Seen {
    _Alignas(64) double change, largest;
} Seen;

typedef struct Solver {
    const SolvingPlan *plan;
    Solving *solving;
    const Reachable *reachable;
    uint8_t (*choice)[PIECES]; // best placement of each piece, by place in reachable->order
    double *layer_value;       // new values of a layer, where it depends on itself; else NULL
    Seen *seen;                // by thread
    ValueRound round;          // how far the round of sweeps has come; step 0: its sweep over all placements
    uint64_t first, end;       // the layer under way
    uint64_t swept;            // boards of the sweep that are done
    double first_bound;        // the first one that was finite, to see how far it has come; 0: none yet
    volatile bool over;        // it was stopped
    double started, saved;
    double saving; // seconds that the last checkpoint took
} Solver;

bool solving_check(const Rules *rules, Error *error) {
    if (rules->width * rules->height > PACKED_MAX_CELLS)
        return error_set(error,
                         "A board of %dx%d has too many positions: width times height must be at most %d "
                         "(4x4 to 4x7, 5x4 to 5x6, 6x4, 6x5, 7x4).",
                         rules->width, rules->height, PACKED_MAX_CELLS);
    if (rules->original)
        return error_set(error, "Only the simplified game can be solved, not the original one.");
    return rules->pieces.law == PIECES_INDEPENDENT ||
           error_set(error,
                     "The pieces must be independent of each other to be solved: give uniform, hard, sz or "
                     "weights such as S:3,Z:3,O:1, not %.100s.",
                     rules->pieces.name);
}

static bool layers_depend(const Rules *rules) {
    return rules->width == 4; // a piece brings four cells and a row takes them away
}

// While the boards are looked for there are two bits for each that could be; later there are the numbers.
static uint64_t memory_for(const Rules *rules, uint64_t boards, uint64_t largest) {
    uint64_t words = board_set_words(rules->width * rules_rows(rules));
    uint64_t values = boards * (sizeof(double) + sizeof(uint32_t) + PIECES);
    uint64_t layer = layers_depend(rules) ? largest * sizeof(double) : 0;
    return words * (2 * sizeof(uint64_t) + sizeof(uint32_t)) + values + layer;
}

uint64_t solving_memory(const Rules *rules) {
    ReachableBound bound = reachable_bound(rules);
    return memory_for(rules, bound.boards, bound.largest);
}

uint64_t solving_memory_available(void) {
    char line[128];
    unsigned long long kibibytes;
    uint64_t found = UINT64_MAX;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kibibytes) == 1)
            found = (uint64_t)kibibytes * 1024;
    if (file)
        fclose(file);
    return found;
}

// ---------------------------------------------------------------------------------------------------
// One board

static double value_after(const Solver *solver, uint64_t after) {
    const Reachable *reachable = solver->reachable;
    return solver->solving->value[board_set_number(&reachable->set, reachable_kept(reachable, after))];
}

// The best placement of a piece. <- lines + value; 0 if every placement ends the game
static double best_move(const Solver *solver, uint64_t board, const PackedHeights *heights, int piece,
                        uint8_t *choice) {
    const Packing *packing = &solver->reachable->packing;
    double best = -1;
    *choice = NO_MOVE;
    for (int k = 0; k < packing->moves[piece]; k++) {
        int lines;
        uint64_t after = packed_play(packing, heights, board, &packing->move[piece][k], &lines);
        if (after == PACKED_LOST)
            continue;
        double value = lines + value_after(solver, after);
        if (value > best) {
            best = value;
            *choice = (uint8_t)k;
        }
    }
    return best > 0 ? best : 0;
}

static double kept_move(const Solver *solver, uint64_t board, const PackedHeights *heights, int piece,
                        uint8_t choice) {
    const Packing *packing = &solver->reachable->packing;
    if (choice == NO_MOVE)
        return 0;
    int lines;
    uint64_t after = packed_play(packing, heights, board, &packing->move[piece][choice], &lines);
    return lines + value_after(solver, after);
}

static double new_value(const Solver *solver, uint64_t place) {
    const Reachable *reachable = solver->reachable;
    uint64_t board = reachable->order[place];
    uint8_t *choice = solver->choice[place];
    PackedHeights heights = packed_heights(&reachable->packing, board);
    double value = 0;
    for (int piece = 0; piece < PIECES; piece++)
        if (reachable->weight[piece] > 0)
            value += reachable->weight[piece] *
                     (solver->round.step ? kept_move(solver, board, &heights, piece, choice[piece])
                                         : best_move(solver, board, &heights, piece, &choice[piece]));
    return value;
}

// ---------------------------------------------------------------------------------------------------
// Sweeps

// The bound falls by about the same factor in equal times. <- 0: not known
static uint64_t sweeps_wanted(const Solver *solver) {
    const Solving *solving = solver->solving;
    if (!(solver->first_bound > 0 && solving->bound < solver->first_bound))
        return 0;
    double wanted = log(solver->first_bound / solver->plan->tolerance);
    return (uint64_t)((double)solving->sweeps * wanted / log(solver->first_bound / solving->bound));
}

static void show(Solver *solver) {
    const Solving *solving = solver->solving;
    Advance advance = {.unit = "sweeps",
                       .done = solving->sweeps,
                       .wanted = sweeps_wanted(solver),
                       .value = solving->mean,
                       .precision = solving->bound};
    work_tell(&solver->plan->work, &advance);
    if (work_is_stopped(&solver->plan->work))
        __atomic_store_n(&solver->over, true, __ATOMIC_RELAXED);
}

static void sweep_block(void *context, uint64_t block, int thread) {
    Solver *solver = context;
    const Reachable *reachable = solver->reachable;
    double *value = solver->solving->value;
    Seen *seen = &solver->seen[thread];
    uint64_t from = solver->first + block * BLOCK,
             to = from + BLOCK < solver->end ? from + BLOCK : solver->end;
    for (uint64_t place = from; place < to; place++) {
        uint32_t number = board_set_number(&reachable->set, reachable->order[place]);
        double fresh = new_value(solver, place);
        seen->change = fmax(seen->change, fresh - value[number]);
        seen->largest = fmax(seen->largest, fresh);
        if (solver->layer_value)
            solver->layer_value[place - solver->first] = fresh;
        else
            value[number] = fresh;
    }
    __atomic_fetch_add(&solver->swept, to - from, __ATOMIC_RELAXED);
    if (thread == 0)
        show(solver);
}

// A layer that was interrupted is worked on once more, from the same values: where it depends on itself, they
// are not written before it is whole; else it depends on other layers only.
static bool sweep_layer(Solver *solver, int cells, bool *whole, Error *error) {
    const Reachable *reachable = solver->reachable;
    uint64_t before = solver->swept;
    solver->first = reachable->layer[cells];
    solver->end = reachable->layer[cells + 1];
    uint64_t blocks = (solver->end - solver->first + BLOCK - 1) / BLOCK;
    if (!pool_run(solver->plan->work.jobs, blocks, sweep_block, solver, &solver->over, error))
        return false;
    *whole = solver->swept - before == solver->end - solver->first;
    for (uint64_t place = solver->first; solver->layer_value && *whole && place < solver->end; place++)
        solver->solving->value[board_set_number(&reachable->set, reachable->order[place])] =
            solver->layer_value[place - solver->first];
    return true;
}

// Goes on with the sweep under way, layer by layer.
static bool sweep(Solver *solver, Error *error) {
    const Reachable *reachable = solver->reachable;
    ValueRound *round = &solver->round;
    bool whole = true;
    solver->swept = reachable->set.boards - reachable->layer[REACHABLE_LAYERS - round->layers];
    memset(solver->seen, 0, (size_t)solver->plan->work.jobs * sizeof *solver->seen);
    while (round->layers < REACHABLE_LAYERS && !pool_stopped(&solver->over)) {
        if (!sweep_layer(solver, REACHABLE_LAYERS - 1 - (int)round->layers, &whole, error))
            return false;
        round->layers += whole;
    }
    for (int thread = 0; thread < solver->plan->work.jobs; thread++) {
        round->rise = fmax(round->rise, solver->seen[thread].change);
        round->largest = fmax(round->largest, solver->seen[thread].largest);
    }
    solver->solving->mean = solver->solving->value[0]; // the empty board is the smallest word
    return true;
}

static double error_bound(const Solver *solver, double change) {
    double width = solver->reachable->packing.width, rows = solver->reachable->packing.rows;
    double mean = solver->solving->mean, share = change * width / 4;
    return share < 1 ? (mean + change * (1 + rows * (width - 1) / 4)) / (1 - share) - mean : INFINITY;
}

// ---------------------------------------------------------------------------------------------------
// Checkpoints

static ValueHeader make_header(const Solving *solving, const Rules *rules, ValueKind kind) {
    ValueHeader header = value_header(kind, rules, solving->reachable.mirrored);
    header.boards = solving->reachable.set.boards;
    header.states = solving->reachable.boards;
    header.sweeps = solving->sweeps;
    header.mean = solving->mean;
    header.bound = solving->bound;
    return header;
}

static bool save(Solver *solver, Error *error) {
    Solving *solving = solver->solving;
    const ValueRound *round = &solver->round;
    if (!solver->plan->checkpoint)
        return true;
    ValueHeader header = make_header(solving, solver->plan->rules, VALUES_CHECKPOINT);
    double now = clock_seconds();
    header.seconds = solving->seconds + now - solver->started;
    header.choices = round->step || round->layers || round->largest > 0; // it is within a round
    bool good = value_file_write(solver->plan->checkpoint, &header, solving->reachable.bits, solving->value,
                                 round, *solver->choice, error);
    solver->saved = clock_seconds();
    solver->saving = solver->saved - now;
    return good;
}

// Where saving takes long, it is done more rarely.
static bool is_save_due(const Solver *solver) {
    return clock_seconds() - solver->saved >= fmax(solver->plan->checkpoint_seconds, 20 * solver->saving);
}

// A placement that is kept must be one: the file may come from anywhere.
static bool choices_fit(const Solver *solver) {
    const Reachable *reachable = solver->reachable;
    const Packing *packing = &reachable->packing;
    int lines;
    for (uint64_t place = 0; place < reachable->set.boards; place++) {
        uint64_t board = reachable->order[place];
        PackedHeights heights = packed_heights(packing, board);
        for (int piece = 0; piece < PIECES; piece++) {
            uint8_t choice = solver->choice[place][piece];
            if (choice != NO_MOVE &&
                (reachable->weight[piece] == 0 || choice >= packing->moves[piece] ||
                 packed_play(packing, &heights, board, &packing->move[piece][choice], &lines) == PACKED_LOST))
                return false;
        }
    }
    return true;
}

static bool take_round(Solver *solver, const ValueFile *file, const char *path, Error *error) {
    const ValueRound *round = file->round;
    memcpy(solver->choice, file->choices, solver->reachable->set.boards * sizeof *solver->choice);
    solver->round = *round;
    return (round->step <= CHEAP_SWEEPS && round->layers < REACHABLE_LAYERS && round->change >= 0 &&
            round->last_change >= 0 && round->rise >= 0 && round->largest >= 0 && choices_fit(solver)) ||
           error_set(error, "%.200s is damaged: it holds impossible placements or numbers.", path);
}

static bool resume(Solver *solver, Error *error) {
    Solving *solving = solver->solving;
    const Reachable *reachable = solver->reachable;
    const char *path = solver->plan->checkpoint;
    ValueFile file;
    bool good = value_file_open(&file, path, VALUES_CHECKPOINT, error) &&
                value_file_fits(&file, path, solver->plan->rules, error);
    uint64_t words = board_set_words(reachable->packing.width * reachable->packing.rows);
    if (good && (file.header->boards != reachable->set.boards ||
                 memcmp(file.bits, reachable->bits, words * sizeof *file.bits) != 0))
        good = error_set(error, "%.200s holds other boards than those of the game: start without --resume.",
                         path);
    if (good) {
        memcpy(solving->value, file.checkpoint, reachable->set.boards * sizeof *solving->value);
        solving->sweeps = file.header->sweeps;
        solving->mean = solving->value[0];
        solving->bound = file.header->bound;
        solving->seconds = file.header->seconds;
    }
    if (good && file.round)
        good = take_round(solver, &file, path, error);
    value_file_close(&file);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// The whole run

// A sweep over all placements, then cheap ones as long as they still bring much. The checks of the bound are
// those of the former: only they know that no other placement would be better.
static bool round_goes_on(const Solver *solver) {
    const ValueRound *round = &solver->round;
    return round->step == 0 ||
           (round->step <= CHEAP_SWEEPS && solver->solving->bound > solver->plan->tolerance &&
            round->last_change > round->change / 10);
}

static void end_sweep(Solver *solver) {
    Solving *solving = solver->solving;
    ValueRound *round = &solver->round;
    double change = round->rise + 0x1p-48 * (round->largest + 4); // with what rounding may hide
    if (round->step == 0) {
        round->change = change;
        solving->bound = error_bound(solver, change);
        if (solver->first_bound == 0 && isfinite(solving->bound))
            solver->first_bound = solving->bound;
    }
    solving->sweeps++;
    *round = (ValueRound){.step = round->step + 1, .change = round->change, .last_change = change};
}

// <- true  also if it was stopped; then the round is not over
static bool improve(Solver *solver, Error *error) {
    while (round_goes_on(solver)) {
        if (!sweep(solver, error))
            return false;
        if (solver->round.layers < REACHABLE_LAYERS)
            return true;
        end_sweep(solver);
    }
    solver->round = (ValueRound){0};
    return true;
}

static bool iterate(Solver *solver, Error *error) {
    Solving *solving = solver->solving;
    while (solving->bound > solver->plan->tolerance && !pool_stopped(&solver->over)) {
        if (!improve(solver, error))
            return false;
        if (solving->sweeps > SOLVING_MAX_SWEEPS)
            return error_set(error,
                             "After %llu sweeps the values still grow: with these pieces a game played best "
                             "may never end, and then there is no optimum.",
                             (unsigned long long)solving->sweeps);
        if (is_save_due(solver) && !pool_stopped(&solver->over) && !save(solver, error))
            return false;
    }
    solving->interrupted = solving->bound > solver->plan->tolerance;
    return !solving->interrupted || save(solver, error);
}

static bool allocate(Solver *solver, Error *error) {
    const Reachable *reachable = solver->reachable;
    uint64_t boards = reachable->set.boards;
    solver->solving->value = calloc(boards, sizeof(double));
    solver->choice = malloc(boards * sizeof *solver->choice);
    solver->seen = aligned_alloc(_Alignof(Seen), (size_t)solver->plan->work.jobs * sizeof *solver->seen);
    bool depend = layers_depend(solver->plan->rules);
    solver->layer_value = depend ? malloc(reachable->largest * sizeof(double)) : NULL;
    if (solver->choice)
        memset(solver->choice, NO_MOVE, boards * sizeof *solver->choice);
    return (solver->solving->value && solver->choice && solver->seen && (!depend || solver->layer_value)) ||
           error_set(error, "Out of memory for the values of %llu boards.", (unsigned long long)boards);
}

bool solving_run(Solving *solving, const SolvingPlan *plan, Error *error) {
    *solving = (Solving){.bound = INFINITY};
    Solver solver = {.plan = plan, .solving = solving, .reachable = &solving->reachable};
    solver.started = solver.saved = clock_seconds();
    show(&solver);
    if (!solving_check(plan->rules, error) ||
        !reachable_find(&solving->reachable, plan->rules, plan->work.jobs, plan->work.stop, error))
        return false;
    if (work_is_stopped(&plan->work)) { // nothing worth keeping yet
        solving->interrupted = true;
        return true;
    }
    solving->memory = memory_for(plan->rules, solving->reachable.set.boards, solving->reachable.largest);
    bool good = allocate(&solver, error) && (!plan->resume || resume(&solver, error));
    good = good && iterate(&solver, error);
    solving->seconds += clock_seconds() - solver.started;
    free(solver.choice);
    free(solver.seen);
    free(solver.layer_value);
    return good;
}

void solving_free(Solving *solving) {
    reachable_free(&solving->reachable);
    free(solving->value);
    solving->value = NULL;
}

bool solving_write(const Solving *solving, const Rules *rules, const char *path, Error *error) {
    ValueHeader header = make_header(solving, rules, VALUES_FINAL);
    return value_file_write(path, &header, solving->reachable.bits, solving->value, NULL, NULL, error);
}
