// SPDX-License-Identifier: GPL-3.0-or-later
// What learning maximises: the score of a vector of weights, as a noisy number.
//
//   games      the lines of whole games; their mean is the score of a vector
//   splitting  the logarithm of the mean lines, by one repetition of multilevel splitting with few trials
//              (measure/splitting.h): a tenth of a second instead of the hours that a strong player's
//              games take. A player that loses often in a short pilot run plays a few whole games instead.
//
// One sample is a function of (objective, vector, seed, number) alone, whoever takes it: samples of the same
// seed and number use the same random numbers for every vector.
#ifndef TETRALAB_LEARN_OBJECTIVE_H
#define TETRALAB_LEARN_OBJECTIVE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "feature/kernel.h"
#include "game/rules.h"
#include "learn/encoding.h"
#include "measure/crew.h"

typedef enum ObjectiveKind { OBJECTIVE_GAMES, OBJECTIVE_SPLITTING } ObjectiveKind;

extern const char *const objective_words[]; // games, splitting

enum { OBJECTIVE_TRIALS = 500 }; // for learning: the noise of ln(mean lines) is about 0.5

typedef struct Objective {
    Encoding encoding;
    Rules rules; // owned
    ObjectiveKind kind;
    uint64_t max_pieces;  // games: each stops there, its lines so far are its score; 0: never
    uint64_t trials;      // splitting: runs at a time
    uint64_t strands;     //   played by so many games side by side; 0: 1
    const Kernel *kernel; // NULL: the fastest
} Objective;

// What can be set, with the defaults; features, rating and player are in encoding_fields.
extern const Fields objective_fields;

void objective_free(Objective *objective);

// -> rules       move into the objective, and become the default ones
// -> max_pieces  UINT64_MAX: no limit
void objective_take(Objective *objective, Rules *rules, uint64_t max_pieces);

// Can this be sampled at all (rules, features, rating and player together)? To be asked before the work.
bool objective_check(const Objective *objective, Error *error);

json_t *objective_save(const Objective *objective); // everything but the kernel
// Free with objective_free, also after an error. The text is checked; recorded pieces are in it.
bool objective_restore(Objective *objective, const json_t *from, Error *error);

// A player for one vector, kept by whoever samples it several times. Constant: threads may share it.
typedef struct Candidate Candidate;
Candidate *candidate_new(const Objective *objective, const double *vector, Error *error);
void candidate_free(Candidate *candidate);

typedef struct Sample {
    double value;    // games: lines. splitting: losses per line, above 0 (see objective_score)
    uint64_t pieces; // played for it
    bool done;       // false: stopped before its end
} Sample;

// Samples first ... first + count - 1; whole games are played side by side.
// -> count  1 ... CREW_MAX_SAMPLES
// -> stop   may be NULL; when it becomes true, the samples end soon and are not done
bool candidate_samples(const Candidate *candidate, uint64_t seed, uint64_t first, int count,
                       const volatile bool *stop, Sample sample[], Error *error);

// Samples for a crew. Context: an Objective; body of a task: a vector.
extern const CrewKind candidate_kind;
const Sample *candidate_results(const CrewResult *result);

// The two ways of a splitting sample, for tests: they estimate the same number.
bool candidate_sample_split(const Candidate *candidate, uint64_t seed, uint64_t number, int base,
                            const volatile bool *stop, Sample *sample, Error *error);
void candidate_sample_played(const Candidate *candidate, uint64_t seed, uint64_t number,
                             const volatile bool *stop, Sample *sample);

// <- the score of a vector from its samples' values: their mean; splitting: -ln of their mean. In the order
// given.
double objective_score(ObjectiveKind kind, const double *value, uint64_t count);
// <- the mean lines that a score stands for
double objective_lines(ObjectiveKind kind, double score);

#endif
