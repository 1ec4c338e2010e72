// SPDX-License-Identifier: GPL-3.0-or-later
// A crew takes samples of an objective, many at once: the threads of this process (learn/crew_threads.c), or
// those of all processes of an MPI run (mpi/crew_mpi.c). Tasks go in, results come out in whatever order they
// are ready; a sample does not depend on the worker. One thread talks to a crew.
#ifndef TETRALAB_LEARN_CREW_H
#define TETRALAB_LEARN_CREW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "learn/objective.h"

enum { CREW_MAX_SAMPLES = CANDIDATE_MAX_SAMPLES }; // in one task

typedef struct CrewTask {
    uint64_t ticket; // the caller's: comes back with the result
    uint64_t seed;   // samples first ... first + count - 1 of this seed
    uint64_t first;
    int count;            // 1 ... CREW_MAX_SAMPLES
    const double *vector; // copied
} CrewTask;

typedef struct CrewResult {
    uint64_t ticket;
    int count;
    Sample sample[CREW_MAX_SAMPLES];
    double seconds; // of work
} CrewResult;

typedef enum CrewEvent {
    CREW_RESULT,  // *result is filled in
    CREW_TIMEOUT, // nothing became ready in the time given
    CREW_IDLE,    // nothing is under way: nothing would ever become ready
    CREW_FAILED   // the error says why: no memory, a process of the cluster is gone
} CrewEvent;

typedef struct Crew Crew;

struct Crew {
    int workers; // how many samples are taken at once: a caller keeps at least twice as many tasks under way
    int processes, threads; // for people: 3 processes of 2 threads; workers = their product
    bool (*submit)(Crew *crew, const CrewTask *task,
                   Error *error); // returns at once; tasks start in their order
    CrewEvent (*wait)(Crew *crew, double seconds, CrewResult *result, Error *error);
    void (*cancel)(
        Crew *crew); // drops all tasks, those under way too: no result of a task from before comes after
    void (*close)(Crew *crew); // cancels, ends the workers, frees the crew
};

// The objective is used, not copied, and must outlive the crew. -> threads  1 ... POOL_MAX_THREADS; where the
// system starts none, the thread that waits for results takes the samples
Crew *crew_threads(const Objective *objective, int threads, Error *error);

// How commands get their crew: crew_threads, unless the program (tetralab-mpi) put another one here before.
typedef Crew *CrewMaker(const Objective *objective, int threads, Error *error);
extern CrewMaker *crew_make;

#endif
