// SPDX-License-Identifier: GPL-3.0-or-later
// The best that any player can do on a small board, exactly: value iteration over all reachable boards. With
// V(b) the mean lines still to come when b is played best,
//
//      V(b) = sum over pieces p of prob(p) * max over placements of (lines + V(board after)),
//
// a piece that cannot be placed counts 0: a move that ends the game brings no lines (game/game.h).
//
// The error bound. Sweeps begin with V = 0, below the optimum V*, and never lower a value, so V <= V* at any
// time. When a whole sweep raises no value by more than d, then V* - V <= d * (pieces of a game played best).
// Every piece brings 4 cells and every line takes W, and at the end at most R (W-1) cells remain in R rows:
// from the empty board that is 1 + (W V* + R (W-1)) / 4 pieces, the one that ends the game included. Hence
//
//      V* <= (V + d (1 + R (W-1) / 4)) / (1 - d W / 4).
//
// What rounding can add to d is counted too.
#ifndef TETRALAB_EXACT_SOLVING_H
#define TETRALAB_EXACT_SOLVING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/work.h"
#include "exact/reachable.h"
#include "game/rules.h"

#define SOLVING_TOLERANCE 1e-6 // default: the error bound at which a board counts as solved
enum { SOLVING_MAX_SWEEPS = 20000 };

typedef struct SolvingPlan {
    const Rules *rules;
    double tolerance;
    const char *checkpoint;    // path; NULL: none
    double checkpoint_seconds; // time between two of them at least, and 20 times what the last one took
    bool resume;               // go on from the checkpoint
    // Unit: sweeps, 0 of 0 while the boards are being looked for; value: V of the empty board; precision:
    // what may be missing to the optimum. Stopped, the run ends with a last checkpoint.
    Work work;
} SolvingPlan;

typedef struct Solving {
    Reachable reachable;
    double *value; // owned; by number in reachable.set
    uint64_t sweeps;
    double mean, bound;
    double seconds;   // of the runs before, too
    uint64_t memory;  // bytes that were needed
    bool interrupted; // mean is only a lower bound
} Solving;

// Can it be solved at all: board small enough, simplified rules, independent pieces?
bool solving_check(const Rules *rules, Error *error);

// <- bytes that solving will need at most
uint64_t solving_memory(const Rules *rules);

// <- bytes that this machine has to give at present; UINT64_MAX: not known
uint64_t solving_memory_available(void);

// Solves. The result depends neither on the threads nor on interruptions, to the last bit.
// Free with solving_free, also after an error.
bool solving_run(Solving *solving, const SolvingPlan *plan, Error *error);
void solving_free(Solving *solving);

// Writes the table that value_table_new reads.
bool solving_write(const Solving *solving, const Rules *rules, const char *path, Error *error);

#endif
