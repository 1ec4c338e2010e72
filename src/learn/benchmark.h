// SPDX-License-Identifier: GPL-3.0-or-later
// The benchmark for optimisers: problems with a name, each with everything fixed that changes a score, so
// that numbers of different programs can be compared. A problem is maximised; its scores are noisy. It has
// instances 1, 2, ..., which differ in their random numbers alone, and a recommendation has a value that is
// measured apart from the scores. What a name means never changes; what should be otherwise gets another
// name.
//
// An evaluation is one score of one vector: `games` games, or repetitions of splitting. Whoever wants more of
// them for a vector evaluates it again.
#ifndef TETRALAB_LEARN_BENCHMARK_H
#define TETRALAB_LEARN_BENCHMARK_H

#include <stdint.h>
#include <stdio.h>

#include "base/options.h"
#include "learn/objective.h"

enum {
    BENCHMARK_NAME = 48,
    BENCHMARK_INSTANCES = 15,    // that a comparison should have, as in COCO
    BENCHMARK_MAX_INSTANCE = 999 // there are more for who wants them
};

// How recommendations are measured: `tetralab measure` with these, and the seed below.
#define BENCHMARK_PRECISION "5%"

typedef struct Benchmark {
    int id; // of its function in IOHprofiler's files; its place in the list, from 1. The seed of all
            //   its instances in learning, where the run makes the difference
    const char *name; // features-board[-pieces]-objective
    const char *features, *board, *pieces;
    int objective; // an ObjectiveKind
    uint64_t trials, games;
    uint64_t evaluations; // the budget
    uint64_t budget;      //   and in pieces: where comparisons by work end
} Benchmark;

extern const Fields benchmark_fields;

const Benchmark *benchmark_at(int index); // NULL past the last one
// <- NULL: there is none of this name, and the error names the nearest
const Benchmark *benchmark_find(const char *name, Error *error);
void benchmark_suggest(FILE *out); // their names, for Field.suggest

// Sets what the problem fixes. Refuses options that would change it.
bool benchmark_apply(const Benchmark *benchmark, Objective *objective, Rules *rules,
                     const Arguments *arguments, Error *error);

// <- the seed of an evaluation that other programs ask for. -> seed  theirs: the number of the evaluation, or
//    a number that several vectors have in common, so that they are compared with the same pieces
uint64_t benchmark_evaluation_seed(const Benchmark *benchmark, int instance, uint64_t seed);
// <- the seed with which the recommendation of an instance is measured
uint64_t benchmark_measure_seed(int instance);

#endif
