// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of learning and generations made up for tests of what is done with them.
#ifndef TETRALAB_TESTS_LEARNING_FIXTURE_H
#define TETRALAB_TESTS_LEARNING_FIXTURE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "learn/learning.h"
#include "learn/run_files.h"

// A plan with everything set, by games on a 10x10 board with hard pieces. Free with learning_plan_free unless
// it has a vector.
static inline bool plan_make(LearningPlan *plan, OptimiserMethod method, const char *features, int runs,
                             Error *error) {
    *plan = (LearningPlan){.seed = UINT64_MAX - 1,
                           .start = START_ZERO,
                           .samples = 30,
                           .curve_samples = 20,
                           .runs = runs,
                           .seconds = 0.1,
                           .generations = 50,
                           .evaluations = ((uint64_t)1 << 53) + 1,
                           .budget_pieces = UINT64_MAX};
    Objective *objective = &plan->objective;
    rules_default(&objective->rules);
    objective->kind = OBJECTIVE_GAMES;
    objective->max_pieces = 100000;
    objective->trials = 1500;
    objective->encoding = (Encoding){.width = 10, .rating = RATING_LINEAR, .unit = 1};
    if (!rules_set(&objective->rules, "board", "10x10", error) ||
        !rules_set(&objective->rules, "pieces", "hard", error) ||
        !encoding_set_features(&objective->encoding, features, error))
        return false;
    plan->optimiser.dimension = encoding_size(&objective->encoding);
    optimiser_defaults(&plan->optimiser, method);
    fields_preset(race_fields, &plan->race);
    return true;
}

enum { FIXTURE_SIZE = 64 };

typedef struct MadeUp {
    Generation generation;
    double vectors[4][FIXTURE_SIZE];
} MadeUp;

// -> size  up to FIXTURE_SIZE
static inline void generation_make(MadeUp *made, int run, uint64_t number, int size) {
    Random random = random_stream(number, (uint64_t)run, RANDOM_TEST);
    for (int v = 0; v < 4; v++)
        for (int k = 0; k < size; k++)
            made->vectors[v][k] = v < 2 ? random_unit(&random) - 0.5 : random_unit(&random) + 0.01;
    double score = 100 * (double)number * random_unit(&random);
    made->generation = (Generation){.run = run,
                                    .generation = number,
                                    .evaluations = number * 10,
                                    .pieces = number * 12345 + ((uint64_t)1 << 60),
                                    .selection_pieces = (double)(number * 12000),
                                    .samples = 300,
                                    .full = 1000,
                                    .seconds = 0.1 * (double)number,
                                    .best = score + 1,
                                    .mean = score / 3,
                                    .worst = 0,
                                    .lower = score / 7,
                                    .upper = score / 2,
                                    .curve = number % 2 ? score : NAN,
                                    .sigma = random_unit(&random) + 0.1,
                                    .size = size,
                                    .answer = made->vectors[0],
                                    .best_vector = made->vectors[1],
                                    .deviation = made->vectors[2],
                                    .axes = made->vectors[3],
                                    .limit = 4.5};
}

static inline json_t *state_make(uint64_t number) {
    return json_pack("{s:I, s:f, s:[f,f], s:s, s:n}", "whole", (json_int_t)number, "tenth",
                     0.1 * (double)number, "list", 1.0 / 3, -1e-300, "text", "\xC3\xA4", "nothing");
}

// <- a line of journal.jsonl; free() it
static inline char *line_text(const Generation *generation) {
    json_t *line = run_line_json(generation, NULL);
    char *text = line ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(line);
    return text;
}

#endif
