// SPDX-License-Identifier: GPL-3.0-or-later
// A crew takes samples, many at once: the threads of this process (measure/crew_threads.c), or those of all
// processes of an MPI run (mpi/crew_mpi.c). What a sample is, its kind says: a game, a repetition of
// splitting, a score of a vector. Tasks of some samples go in, results come out in whatever order they are
// ready; a sample does not depend on the worker. One thread talks to a crew.
#ifndef TETRALAB_MEASURE_CREW_H
#define TETRALAB_MEASURE_CREW_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/work.h"
#include "player/player.h"

enum {
    CREW_MAX_SAMPLES = 128, // in one task
    CREW_SAMPLE_BYTES = 48, // of one sample at most
    CREW_PLAYERS = 2        // of a context
};

// ---------------------------------------------------------------------------------------------------
// A worker's side

typedef struct CrewHand CrewHand; // one worker's

typedef struct CrewJob {
    uint64_t seed, first; // samples first ... first + count - 1 of this seed
    int count;
    const void *body; // as it was submitted
    void *sample;     // to be filled in, all zero before
} CrewJob;

// <- the next task; NULL: none now. -> wait  until there is one; then NULL means: leave
const CrewJob *crew_take(CrewHand *hand, bool wait);
void crew_give(CrewHand *hand, const CrewJob *job, const Error *error); // -> error  NULL: it is done
// <- becomes true: give all tasks back soon, as they are
const volatile bool *crew_stop(const CrewHand *hand);
// Pieces and lines of tasks under way, for the progress.
void crew_note(CrewHand *hand, uint64_t pieces, uint64_t lines);

typedef struct CrewKind CrewKind;
struct CrewKind {
    const char *name;
    size_t sample_bytes, done;                         // done: where in a sample the bool is that says so
    int room;                                          // tasks that a worker has at a time
    size_t (*body_bytes)(const void *context);         // of a task; NULL: none
    void (*work)(const void *context, CrewHand *hand); // a worker's life: takes tasks until there are none
    // The context as JSON, for other processes, and back. The text is checked.
    json_t *(*save)(const CrewKind *kind, const void *context);
    void *(*restore)(const CrewKind *kind, const json_t *saved, Error *error);
    void (*free)(const CrewKind *kind, void *context); // what restore has made
    // For the three functions below: the context, which of its fields are saved, and where it has players.
    size_t context_bytes;
    Fields fields;
    int players;
    size_t player[CREW_PLAYERS];
};

json_t *crew_players_save(const CrewKind *kind, const void *context);
void *crew_players_restore(const CrewKind *kind, const json_t *saved, Error *error);
void crew_players_free(const CrewKind *kind, void *context);
#define CREW_PLAYERS_TRAVEL                                                                                  \
    .save = crew_players_save, .restore = crew_players_restore, .free = crew_players_free

// ---------------------------------------------------------------------------------------------------
// The caller's side

typedef struct CrewTask {
    uint64_t ticket; // the caller's: comes back with the result
    uint64_t seed, first;
    int count;        // 1 ... CREW_MAX_SAMPLES
    const void *body; // copied
} CrewTask;

typedef struct CrewResult {
    uint64_t ticket;
    int count;
    double seconds; // from its start to its end
    _Alignas(8) char sample[CREW_MAX_SAMPLES * CREW_SAMPLE_BYTES];
} CrewResult;

typedef enum CrewEvent {
    CREW_RESULT,  // *result is filled in
    CREW_TIMEOUT, // nothing became ready in the time given
    CREW_IDLE,    // nothing is under way: nothing would ever become ready
    CREW_FAILED   // the error says why: no memory, a process of the cluster is gone
} CrewEvent;

typedef struct Crew Crew;

struct Crew {
    const CrewKind *kind;
    int workers;            // how many there are: a caller keeps at least twice as many tasks under way
    int processes, threads; // for people: 3 processes of 2 threads; workers = their product
    uint64_t pieces, lines; // noted so far
    bool (*submit)(Crew *crew, const CrewTask *task,
                   Error *error); // returns at once; tasks start in their order, the first in this process
    CrewEvent (*wait)(Crew *crew, double seconds, CrewResult *result, Error *error);
    void (*halt)(Crew *crew); // ends what is under way: all results come soon, with samples that are not done
    void (*cancel)(
        Crew *crew); // drops all tasks, those under way too: no result of a task from before comes after
    void (*close)(Crew *crew);    // cancels, ends the workers, frees the crew
    void (*noted)(void *context); // called by crew_note where no thread could be started; NULL: nobody
    void *context;
};

// The context is used, not copied, and must outlive the crew. -> threads  1 ... POOL_MAX_THREADS; where the
// system starts none, the thread that waits for results takes the samples
Crew *crew_threads(const CrewKind *kind, const void *context, int threads, Error *error);

// How commands get their crew: crew_threads, unless the program (tetralab-mpi) put another one here before.
typedef Crew *CrewMaker(const CrewKind *kind, const void *context, int threads, Error *error);
extern CrewMaker *crew_make;
// The same, but threads of this process if one of the players learns from its games. -> b  may be NULL
CrewMaker *crew_for(const Player *a, const Player *b);

// ---------------------------------------------------------------------------------------------------
// The judge: takes samples in the order of their numbers until there are enough, so that what comes out does
// not depend on who was first

// Of the samples that several programs share, each of them makes numbers k with k % of == number.
typedef struct Shard {
    uint64_t number, of; // of = 0: all samples are made here
} Shard;

typedef struct Judge {
    const CrewKind *kind;
    const void *context; // of the kind
    CrewMaker *make;
    const Work *work;
    uint64_t seed, first; // sample k below is number first + k
    Shard shard;
    int share;                      // samples of a task at most
    void *self;                     // for the functions:
    uint64_t (*wanted)(void *self); // <- so many samples are needed, as far as one knows
    bool (*take)(void *self, const void *sample, Error *error);       // the next one
    bool (*enough)(void *self);                                       // asked after each
    void (*arrived)(void *self, uint64_t number, const void *sample); // when it is made; NULL: nobody cares
    void (*tell)(void *self, const Crew *crew);                       // progress
    // Sample k at [k * kind->sample_bytes]. To be freed by the caller, also after an error.
    char *sample;
    uint64_t room;    // of it; what was never begun is all zero
    uint64_t taken;   // so many were taken
    bool interrupted; // by the work's stop or deadline; there may be enough all the same
} Judge;

// Samples 0 ... count - 1, those of them that are done, need not be made. Before judge_run.
bool judge_know(Judge *judge, const void *sample, uint64_t count, Error *error);
bool judge_run(Judge *judge, Error *error);

#endif
