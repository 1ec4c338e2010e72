// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for saved states of optimisers: the first byte chooses the method. What is accepted comes back
// equal when it is saved and restored once more, and goes on: three generations, all vectors finite unless
// the numbers grow beyond bounds.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_parse.h"
#include "optimise/optimiser.h"

enum { N = 3, POPULATION = 6 };

static void require(bool fact) {
    if (!fact)
        abort();
}

static Optimiser *make(int method) {
    static const double start[N] = {0.6, 0, 0.8};
    OptimiserPlan plan = {.seed = 7, .run = 1};
    optimiser_defaults(&plan, (OptimiserMethod)method);
    plan.dimension = N;
    plan.population = POPULATION;
    optimiser_complete(&plan);
    plan.start = start;
    Optimiser *optimiser = optimiser_new(&plan, NULL);
    require(optimiser != NULL);
    return optimiser;
}

static void advance(Optimiser *optimiser) {
    double score[1024];
    const double *batch;
    int count = optimiser_ask(optimiser, &batch);
    require(count > 0 && count <= 1024);
    for (int i = 0; i < count; i++) {
        score[i] = 0;
        for (int k = 0; k < N; k++) {
            require(!isnan(batch[i * N + k]));
            score[i] -= fabs(batch[i * N + k] - 1);
        }
    }
    optimiser_tell(optimiser, score, NULL);
}

static void use(Optimiser *optimiser, int method) {
    Error error = {""};
    json_t *saved = optimiser_save(optimiser);
    Optimiser *again = make(method);
    require(saved && optimiser_restore(again, saved, &error));
    json_t *once_more = optimiser_save(again);
    require(json_equal(saved, once_more));
    json_decref(saved);
    json_decref(once_more);
    for (int g = 0; g < 3 && !optimiser_stop_reason(optimiser); g++) {
        advance(optimiser);
        advance(again);
    }
    saved = optimiser_save(optimiser);
    once_more = optimiser_save(again);
    require(saved && once_more);
    json_decref(saved);
    json_decref(once_more);
    optimiser_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = {""};
    if (size < 1)
        return 0;
    int method = data[0] % OPTIMISER_COUNT;
    json_t *state = json_parse_exact("input", (const char *)data + 1, size - 1, &error);
    require(state || error.text[0]);
    if (!state)
        return 0;
    Optimiser *optimiser = make(method);
    if (optimiser_restore(optimiser, state, &error))
        use(optimiser, method);
    else
        require(error.text[0] != 0);
    json_decref(state);
    optimiser_free(optimiser);
    return 0;
}
