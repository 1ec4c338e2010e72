// SPDX-License-Identifier: GPL-3.0-or-later
// A crew that knows no Tetris, for tests of the learning loop: the value of a vector is a known function of
// it with noise from (seed, number), and results come back in an order drawn at random. To be included after
// cmocka.h.
#ifndef TETRALAB_TESTS_FAKE_CREW_H
#define TETRALAB_TESTS_FAKE_CREW_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "learn/objective.h"

enum { FAKE_MAX_TASKS = 20000, FAKE_MAX_SEEDS = 1000 };

typedef struct FakeCrew {
    Crew crew; // first: the loop sees only this
    int size;
    CrewResult *ready; // tasks, done as soon as they are submitted
    int count;
    bool scrambled;
    bool stuck;     // nothing ever becomes ready
    int fail_after; // results until it fails; -1: never
    uint64_t samples;
    uint64_t seed[FAKE_MAX_SEEDS]; // all that were asked for
    int seeds;
    Random random;
} FakeCrew;

static inline double fake_target(int k) {
    return k % 2 ? 1.0 : -0.5 - 0.1 * k;
}

// 1000 at the target, less elsewhere; noise up to 10.
static inline double fake_value(const double *vector, int size, uint64_t seed, uint64_t number) {
    Random random = random_stream(seed, number, RANDOM_TEST);
    double squares = 0;
    for (int k = 0; k < size; k++)
        squares += (vector[k] - fake_target(k)) * (vector[k] - fake_target(k));
    return 1000 - 100 * sqrt(squares) + 10 * (random_unit(&random) - 0.5);
}

static inline void fake_note_seed(FakeCrew *fake, uint64_t seed) {
    for (int k = 0; k < fake->seeds; k++)
        if (fake->seed[k] == seed)
            return;
    if (fake->seeds < FAKE_MAX_SEEDS)
        fake->seed[fake->seeds++] = seed;
}

static inline bool fake_submit(Crew *crew, const CrewTask *task, Error *error) {
    FakeCrew *fake = (FakeCrew *)crew;
    assert_true(fake->count < FAKE_MAX_TASKS);
    assert_true(task->count >= 1 && task->count <= CREW_MAX_SAMPLES);
    CrewResult *result = &fake->ready[fake->count++];
    result->ticket = task->ticket;
    result->count = task->count;
    for (int k = 0; k < task->count; k++)
        ((Sample *)(void *)result->sample)[k] =
            (Sample){fake_value(task->body, fake->size, task->seed, task->first + (uint64_t)k), 100, true};
    fake->samples += (uint64_t)task->count;
    fake_note_seed(fake, task->seed);
    (void)error;
    return true;
}

static inline CrewEvent fake_wait(Crew *crew, double seconds, CrewResult *result, Error *error) {
    FakeCrew *fake = (FakeCrew *)crew;
    (void)seconds;
    if (fake->fail_after == 0) {
        error_set(error, "Process 2 of the cluster is gone.");
        return CREW_FAILED;
    }
    if (fake->fail_after > 0)
        fake->fail_after--;
    if (fake->stuck)
        return CREW_TIMEOUT;
    if (!fake->count)
        return CREW_IDLE;
    int pick = fake->scrambled ? (int)random_below(&fake->random, (uint32_t)fake->count) : 0;
    *result = fake->ready[pick];
    memmove(&fake->ready[pick], &fake->ready[pick + 1],
            (size_t)(fake->count - pick - 1) * sizeof *fake->ready);
    fake->count--;
    return CREW_RESULT;
}

static inline void fake_cancel(Crew *crew) {
    ((FakeCrew *)crew)->count = 0;
}

static inline void fake_make(FakeCrew *fake, int size, int workers, uint64_t scramble_seed) {
    *fake = (FakeCrew){
        .crew = {.workers = workers, .submit = fake_submit, .wait = fake_wait, .cancel = fake_cancel},
        .size = size,
        .scrambled = scramble_seed != 0,
        .fail_after = -1,
        .random = random_stream(scramble_seed, 0, RANDOM_TEST)};
    fake->ready = malloc(FAKE_MAX_TASKS * sizeof *fake->ready);
    assert_non_null(fake->ready);
}

static inline void fake_free(FakeCrew *fake) {
    free(fake->ready);
}

#endif
