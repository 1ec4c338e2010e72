// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/benchmark.h"

#include <string.h>

#include "base/random.h"
#include "base/text.h"

// Budgets in pieces: what so many of CMA-ES's later evaluations take, rounded up to 1, 2, 3 or 5 times a
// power of ten.
// clang-format off
static const Benchmark benchmarks[] = {
    // id, name, features, board, pieces, objective, trials, games, budget in evaluations, in pieces
    {1, "tetris-du-10x20-splitting",          "du",           "10x20", "uniform", OBJECTIVE_SPLITTING, 500, 1,  3000,  500000000},
    {2, "tetris-dellacherie-10x20-splitting", "dellacherie",  "10x20", "uniform", OBJECTIVE_SPLITTING, 500, 1,  3000,  500000000},
    {3, "tetris-bdu-10x20-splitting",         "bdu",          "10x20", "uniform", OBJECTIVE_SPLITTING, 500, 1,  3000,  500000000},
    {4, "tetris-bertsekas-10x20-splitting",   "bertsekas",    "10x20", "uniform", OBJECTIVE_SPLITTING, 500, 1, 10000,  100000000},
    {5, "tetris-du-10x10-splitting",          "du",           "10x10", "uniform", OBJECTIVE_SPLITTING, 500, 1,  1000,   30000000},
    {6, "tetris-all-10x10-splitting",         "all",          "10x10", "uniform", OBJECTIVE_SPLITTING, 500, 1, 10000,  200000000},
    {7, "tetris-du-10x10-games",              "du",           "10x10", "uniform", OBJECTIVE_GAMES,     500, 1,  3000,   30000000},
    {8, "tetris-du-10x20-hard-games",         "du",           "10x20", "hard",    OBJECTIVE_GAMES,     500, 1,  3000,   20000000},
};
// clang-format on
enum { BENCHMARKS = sizeof benchmarks / sizeof *benchmarks };

static const Field benchmark_field[] = {
    {"id", FIELD_INT, FIELD_AT(Benchmark, id)},
    {"name", FIELD_STRING, FIELD_AT(Benchmark, name)},
    {"features", FIELD_STRING, FIELD_AT(Benchmark, features)},
    {"board", FIELD_STRING, FIELD_AT(Benchmark, board)},
    {"piece_source", FIELD_STRING, FIELD_AT(Benchmark, pieces)},
    {"objective", FIELD_WORD, FIELD_AT(Benchmark, objective), .words = objective_words},
    {"trials", FIELD_WHOLE, FIELD_AT(Benchmark, trials)},
    {"games", FIELD_WHOLE, FIELD_AT(Benchmark, games)},
    {"budget_evaluations", FIELD_WHOLE, FIELD_AT(Benchmark, evaluations)},
    {"budget_pieces", FIELD_WHOLE, FIELD_AT(Benchmark, budget)},
};
const Fields benchmark_fields = FIELDS(benchmark_field);

const Benchmark *benchmark_at(int index) {
    return index >= 0 && index < BENCHMARKS ? &benchmarks[index] : NULL;
}

void benchmark_suggest(FILE *out) {
    for (int i = 0; i < BENCHMARKS; i++)
        fprintf(out, " %s", benchmarks[i].name);
}

const Benchmark *benchmark_find(const char *name, Error *error) {
    const char *names[BENCHMARKS];
    for (int i = 0; i < BENCHMARKS; i++) {
        names[i] = benchmarks[i].name;
        if (!strcmp(name, names[i]))
            return &benchmarks[i];
    }
    return error_null(error, "'%.60s' is not an instance of the benchmark%s 'tetralab instances' lists them.",
                      name, text_meant((char[TEXT_MEANT]){0}, "", "", name, names, BENCHMARKS));
}

bool benchmark_apply(const Benchmark *benchmark, Objective *objective, Rules *rules,
                     const Arguments *arguments, Error *error) {
    static const char *const fixed[] = {"objective",       "trials",     "features", "rating",   "hidden",
                                        "choose-features", "player",     "board",    "overflow", "rules",
                                        "gameover",        "pieces",     "games",    "seed",     "race",
                                        "repeat",          "max-pieces", "mix",      "like"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (arguments_given(arguments, fixed[i]))
            return error_set(error, "--%s belongs to what %s fixes: leave it out, or --instance.", fixed[i],
                             benchmark->name);
    objective->kind = (ObjectiveKind)benchmark->objective;
    objective->trials = benchmark->trials;
    return encoding_set_features(&objective->encoding, benchmark->features, error) &&
           field_parse(fields_find(rules_fields, "board"), rules, benchmark->board, error) &&
           field_parse(fields_find(rules_fields, "pieces"), rules, benchmark->pieces, error);
}

uint64_t benchmark_evaluation_seed(const Benchmark *benchmark, int instance, uint64_t seed) {
    const uint64_t apart = (uint64_t)1 << 63; // learning does not use these streams
    Random own = random_stream((uint64_t)benchmark->id, apart | (uint64_t)instance, RANDOM_LEARNING);
    Random random = random_stream(random_next(&own), seed, RANDOM_LEARNING);
    return random_next(&random);
}

uint64_t benchmark_measure_seed(int instance) {
    return 1000000 + (uint64_t)instance;
}
