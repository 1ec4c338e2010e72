// SPDX-License-Identifier: GPL-3.0-or-later
// What an optimiser of one kind has to provide, and what they share. For the files in optimise/ only.
#ifndef TETRALAB_OPTIMISE_METHOD_H
#define TETRALAB_OPTIMISE_METHOD_H

#include "base/random.h"
#include "optimise/optimiser.h"

// A part of a saved state.
typedef struct NumberList {
    const char *key;
    double *value;
    int count;
} NumberList;
enum { OPTIMISER_MAX_LISTS = 5 };

typedef struct OptimiserKind {
    OptimiserTraits traits;
    // May be NULL. Fills in what is not set and follows from the rest: population, parents ... The dimension
    // may not be known yet (0); then a population that needs it stays 0.
    void (*complete)(OptimiserPlan *plan);
    size_t state; // bytes of optimiser->state
    // optimiser->plan is complete and checked as far as all kinds are alike. Fills optimiser->state, which is
    // zeros. <- false: an error, or optimiser->starved
    bool (*start)(Optimiser *optimiser, Error *error);
    void (*end)(Optimiser *optimiser); // may be NULL; frees what is not from optimiser_room, also after a
                                       //   failed start
    // Writes the vectors of generation optimiser->status.generation to optimiser->batch. <- how many
    int (*ask)(Optimiser *optimiser);
    // -> order  complete, the best first
    // The best and the scores are those of the batch; a method that knows better, since it has individuals
    // that were not asked for, sets them anew. The generation is counted up afterwards.
    void (*tell)(Optimiser *optimiser, const double *score, const int *order);
    const char *(*stop_reason)(const Optimiser *optimiser); // may be NULL: it never stops
    // answer, deviation, axes, sigma (else the root mean square of the deviations)
    void (*status)(const Optimiser *optimiser, OptimiserStatus *status);
    // <- how many lists are the state that is saved. They are written from where they point to and read
    // there.
    int (*lists)(const Optimiser *optimiser, NumberList *list);
    // May be NULL. Adds what is no list. <- false: out of memory
    bool (*save)(const Optimiser *optimiser, json_t *into);
    // The lists have been read into a new optimiser, the generation is that of the saved state. Reads what
    // `save` has added, checks all and completes it. <- false: it cannot be; the optimiser is freed
    bool (*restored)(Optimiser *optimiser, const json_t *from, Error *error);
} OptimiserKind;

#define METHOD(NAME, file, word) extern const OptimiserKind optimiser_##file;
OPTIMISER_METHODS(METHOD)
#undef METHOD

struct Optimiser {
    OptimiserPlan plan; // what it points to is owned
    const OptimiserKind *kind;
    void *state;
    OptimiserStatus status; // but for what kind->status says
    double *batch;          // population x dimension
    int asked;              // vectors in it; -1: not asked yet in this generation
    double *best;           // of the last generation told
    int *order;             // of the batch, for telling
    struct Ranked *ranked;  // likewise
    struct Room *rooms;     // owned; all memory that it has
    bool starved;           // memory ran out
};

// <- zeros, freed with the optimiser; NULL: out of memory, and it is starved
void *optimiser_room(Optimiser *optimiser, size_t count, size_t size);

// Takes note of the best vector, the scores of the best and the worst, the mean and the quartiles.
// -> order  by rank, which a race may have found on other grounds than these scores
void optimiser_note(Optimiser *optimiser, const double *vectors, const double *score, const int *order,
                    int count);

// The random numbers of this generation. -> part  streams 0 ... 15 of one generation are independent
Random optimiser_random(const Optimiser *optimiser, int part);
// Of the coordinates of so many vectors as the population has.
void optimiser_deviations(const OptimiserPlan *plan, const double *vectors, double *deviation);

// JSON of lists of numbers, with checks: each list must have exactly `count` finite numbers.
bool numbers_save(json_t *into, const NumberList *list, int lists);
bool numbers_restore(const json_t *from, const NumberList *list, int lists, Error *error);

#endif
