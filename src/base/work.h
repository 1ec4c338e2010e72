// SPDX-License-Identifier: GPL-3.0-or-later
// What every long computation shares, whatever it computes: how many threads it has, when it is to end, and
// who is told how far it is.
#ifndef TETRALAB_BASE_WORK_H
#define TETRALAB_BASE_WORK_H

#include <stdbool.h>
#include <stdint.h>

// How far it is.
typedef struct Advance {
    const char *unit; // what is counted: "games", "repetitions", "pieces", "pairs", "matches", "decisions",
                      //   "moves", "sweeps", "boards"
    uint64_t done, wanted;   // so many of them; wanted may be a guess, 0: not known
    uint64_t pieces;         // played so far, those of games under way included
    double value, precision; // what would come out now, and how precise it is; NAN or INFINITY: not known
    const char *news;        // JSON of what is just done, for those who collect it; mostly NULL
} Advance;

typedef struct Work {
    int jobs;                  // threads, 1 ... POOL_MAX_THREADS; no result depends on them
    const volatile bool *stop; // when it becomes true, the work ends with what it has; NULL: never
    double deadline;           // on clock_seconds: then it ends as if it had been stopped; 0: none
    void (*progress)(void *context, const Advance *advance); // NULL: nobody is told. One call at a time
    void *context;
} Work;

bool work_is_stopped(const Work *work); // -> work  NULL: never
void work_tell(const Work *work, const Advance *advance);

#endif
