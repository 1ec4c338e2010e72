// SPDX-License-Identifier: GPL-3.0-or-later
// Learning: an optimiser asks, a crew samples the objective, the optimiser is told; several runs side by
// side.
//
// The runs of a plan are independent. They advance together and share the crew, so that nobody waits for the
// last long game of a generation while another run has work. Within a generation all candidates are sampled
// with the same seed, a new one in each generation (Boumaza, How to design good Tetris players,
// section 4.2.2). Together with them, the answer that the generation begins with can be scored, with seeds of
// its own: the learning curve (Thiery & Scherrer 2009: 30 games of the mean vector).
//
// Everything is a function of the plan, whoever does the work; only where a run ends depends on the clock, if
// a time is given.
#ifndef TETRALAB_LEARN_LEARNING_H
#define TETRALAB_LEARN_LEARNING_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "learn/benchmark.h"
#include "learn/objective.h"
#include "measure/crew.h"
#include "optimise/optimiser.h"
#include "optimise/racing.h"

enum {
    LEARNING_MAX_RUNS = 1000,
    LEARNING_MAX_SAMPLES = 100000,
    LEARNING_CURVE_GAMES = 30, // of a learning curve, by default
    LEARNING_SECONDS = 60      // that it takes if no end is given
};

typedef enum LearningStart {
    START_ZERO,
    START_RANDOM, // a random vector of length 1, another one for each run
    START_VECTOR  // plan->vector
} LearningStart;

typedef struct LearningPlan {
    uint64_t seed;
    OptimiserPlan optimiser; // without seed, run, start, group and is_switch: learning sets them
    LearningStart start;
    const double *vector;          // START_VECTOR; not owned
    Objective objective;           // owned
    char name[64];                 // of the player; "": run_players_name makes one
    char instance[BENCHMARK_NAME]; // of a benchmark, which the rest follows (learn/benchmark.h); "": none
    uint64_t samples;              // games or repetitions per candidate (racing: race.most at most)
    RacePlan race;
    bool average;           // the answer of a run: see below
    uint64_t curve_samples; // for the learning curve; 0: none is made
    int runs;
    // A run ends when one of these is reached, after a whole generation; 0: no limit.
    double seconds; // for all runs together
    // Of each run; evaluations: samples for selection, the curve's not counted.
    uint64_t generations, evaluations;
    // Of each run, likewise for selection. It is never exceeded: the generation that would do so does not
    // count. Learning fails if that is the first one of a run.
    uint64_t budget_pieces;
} LearningPlan;

// The answer of a run is that of its optimiser, as in the papers, or the average of its optimiser's answers
// of all generations so far, generation t counting as t (t + 1) (t + 2). Near the optimum the mean of a
// search distribution wanders about with the noise of the scores, and an average of its places is nearer to
// the middle than the last of them. For methods that have such a mean (cmaes, nce) and ratings of which only
// the direction counts.

// One generation of one run, as it stands in the history of the run.
typedef struct Generation {
    int run;
    uint64_t generation;      // 1, 2, ...
    uint64_t evaluations;     // samples so far, for selection
    uint64_t pieces;          // so far, curve included
    double selection_pieces;  //   those for selection alone; NAN: not known
    uint64_t samples;         // of this generation, for selection
    uint64_t full;            // samples it would have taken without racing
    double seconds;           // since the start of the learning, interruptions not counted
    double best, mean, worst; // scores of the candidates
    double lower, upper;      //   and their quartiles; NAN: not known
    double curve; // score of the answer before this generation, on samples of its own; NAN: none was made
    double sigma;
    int size; // of the vectors
    const double *answer, *best_vector, *deviation;
    const double *axes; // NULL unless cmaes
    int candidates;     // scored in this generation, in the order in which they were asked for; 0: not known
    const double *scores, *score_samples, *score_pieces; // of each: its score, and what was played for it
    double limit;                                        // r_limit of this generation; 0 without racing
    double limit_share;  // samples by those of a race in which all play r_limit games; NAN without racing
    const char *stopped; // a sentence if the run is at its end, else NULL
} Generation;

typedef struct LearningStatus {
    int runs, ended;
    const Generation *last;       // the newest, of whichever run
    uint64_t generation;          // under way, the lowest one; 0: all runs have ended
    int scored, vectors;          // of the generations under way
    uint64_t evaluations, pieces; // so far, those of the generations under way included
    double seconds, left;         // left: a guess, NAN: unknown
} LearningStatus;

typedef struct LearningEvents {
    // May be NULL. Called when a generation is complete; `state` is all that is needed to go on after it
    // (borrowed): the caller writes both away, in this order. false: it could not, and learning ends with the
    // caller's error.
    bool (*generation)(void *context, const Generation *generation, const json_t *state, Error *error);
    // May be NULL. Called when a run ends after its newest generation was given away: one more would take
    // more pieces than the budget. `last` has nothing but run, generation, seconds, answer and stopped; the
    // new state knows the end, so that it is not played for again. false: as above.
    bool (*ended)(void *context, const Generation *last, const json_t *state, Error *error);
    void (*progress)(void *context, const LearningStatus *status); // may be NULL
    void *context;
} LearningEvents;

typedef struct LearningRun {
    uint64_t generations, evaluations, full, pieces;
    uint64_t selection_pieces; // without those of the curve
    double at_limit; // samples, had every candidate played r_limit games in every race; NAN: not known
    double last_curve, last_best;
    char stopped[160]; // why, a sentence
} LearningRun;

typedef struct LearningResult {
    LearningRun *run; // owned
    int runs;
    bool interrupted;
    double seconds;
} LearningResult;

// What can be set of a plan, with the defaults; the rest is in objective_fields, encoding_fields, race_fields
// and the fields of the method.
extern const Fields learning_fields;

bool learning_check(const LearningPlan *plan, Error *error);
// <- false: it has no limit of time, generations, evaluations or pieces
bool learning_has_limit(const LearningPlan *plan);

// <- games or repetitions that a candidate gets at most
uint64_t learning_samples(const LearningPlan *plan);
// <- the optimiser with which run 0, 1, ... begins. NULL on error
Optimiser *learning_optimiser(const LearningPlan *plan, int run, Error *error);

// Is this a state of a run of this plan, as far as its seed tells?
bool learning_state_check(const json_t *state, const LearningPlan *plan, Error *error);

// -> state  of each run as given to events->generation, to go on after it; NULL: from the beginning, also
// single ones
// -> spent  seconds of the plan's time used before
// -> stop   when it becomes true, the generations under way are dropped
// Free with learning_free, also after an error.
bool learning_run(LearningResult *result, const LearningPlan *plan, Crew *crew, json_t *const *state,
                  double spent, const volatile bool *stop, const LearningEvents *events, Error *error);
void learning_free(LearningResult *result);

json_t *learning_plan_save(const LearningPlan *plan);
// Free with learning_plan_free, also after an error; the vector is owned by the plan then.
bool learning_plan_restore(LearningPlan *plan, const json_t *from, Error *error);
void learning_plan_free(LearningPlan *plan);

#endif
