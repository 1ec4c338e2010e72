// SPDX-License-Identifier: GPL-3.0-or-later
// An objective on the eight features of bcts, for the tests of samples and crews. To be included after
// cmocka.h.
#ifndef TETRALAB_TESTS_OBJECTIVE_FIXTURE_H
#define TETRALAB_TESTS_OBJECTIVE_FIXTURE_H

#include "learn/objective.h"

static const double BCTS[] = {-12.629,   6.601974,  -9.215815, -19.77356,
                              -13.08335, -10.48747, -1.611863, -24.04087};

static inline void objective_make(Objective *objective, ObjectiveKind kind, const char *board,
                                  const char *pieces, uint64_t trials) {
    Error error = {""};
    *objective = (Objective){.kind = kind, .trials = trials};
    rules_default(&objective->rules);
    if (!rules_set(&objective->rules, "board", board, &error) ||
        !rules_set(&objective->rules, "pieces", pieces, &error))
        fail_msg("%s", error.text);
    encoding_defaults(&objective->encoding, objective->rules.width);
    if (!encoding_set_features(&objective->encoding, "du", &error) || !objective_check(objective, &error))
        fail_msg("%s", error.text);
}

static inline Sample sample_of(const Objective *objective, const double *vector, uint64_t seed,
                               uint64_t number) {
    Error error = {""};
    Sample sample;
    Candidate *candidate = candidate_new(objective, vector, &error);
    if (!candidate || !candidate_samples(candidate, seed, number, 1, NULL, &sample, &error))
        fail_msg("%s", error.text);
    candidate_free(candidate);
    return sample;
}

#endif
