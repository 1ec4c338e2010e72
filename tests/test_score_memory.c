// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of scores against a plain list: means, what is forgotten, saving. Seeds are fixed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "optimise/score_memory.h"

enum { SIZE = 3, CAPACITY = 40, BATCH = 10, VALUES = 4, VECTORS = VALUES * VALUES * VALUES };

typedef struct Known {
    double sum;
    int scores;
    uint64_t seen, came;
} Known;

static void vector_number(int number, double *vector) {
    for (int k = 0; k < SIZE; k++, number /= VALUES)
        vector[k] = number % VALUES - 1;
}

// The half seen last stays; of those seen at the same time, the ones that came last.
static void plain_forget(Known *known, int count) {
    for (; count > CAPACITY / 2; count--) {
        int oldest = -1;
        for (int i = 0; i < VECTORS; i++)
            if (known[i].scores &&
                (oldest < 0 || known[i].seen < known[oldest].seen ||
                 (known[i].seen == known[oldest].seen && known[i].came < known[oldest].came)))
                oldest = i;
        known[oldest] = (Known){0};
    }
}

static int plain_count(const Known *known) {
    int count = 0;
    for (int i = 0; i < VECTORS; i++)
        count += known[i].scores > 0;
    return count;
}

static void assert_same(const ScoreMemory *memory, const Known *known) {
    assert_int_equal(score_memory_count(memory), plain_count(known));
    for (int i = 0; i < VECTORS; i++) {
        double vector[SIZE], mean = -1;
        vector_number(i, vector);
        assert_int_equal(score_memory_find(memory, vector, &mean), known[i].scores > 0);
        if (known[i].scores)
            assert_true(mean == known[i].sum / known[i].scores);
    }
}

static ScoreMemory *saved_and_restored(const ScoreMemory *memory) {
    json_t *state = json_object();
    assert_true(score_memory_save(memory, state));
    ScoreMemory *copy = score_memory_new(SIZE, CAPACITY);
    Error error = {""};
    if (!score_memory_restore(copy, state, &error))
        fail_msg("%s", error.text);
    json_decref(state);
    return copy;
}

static void it_knows_what_a_plain_list_knows(void **state) {
    (void)state;
    Random random = random_stream(81, 0, RANDOM_TEST);
    ScoreMemory *memory = score_memory_new(SIZE, CAPACITY);
    Known known[VECTORS] = {0};
    uint64_t came = 0;
    int forgotten = 0;
    for (uint64_t g = 0; g < 500; g++) {
        int batch[BATCH];
        double vector[SIZE];
        for (int i = 0; i < BATCH; i++) {
            batch[i] = (int)random_below(&random, VECTORS);
            vector_number(batch[i], vector);
            score_memory_touch(memory, vector, g);
            if (known[batch[i]].scores)
                known[batch[i]].seen = g;
        }
        score_memory_make_room(memory, BATCH);
        if (plain_count(known) > CAPACITY - BATCH) {
            plain_forget(known, plain_count(known));
            forgotten++;
        }
        for (int i = 0; i < BATCH; i++) {
            double score = random_below(&random, 100);
            vector_number(batch[i], vector);
            score_memory_add(memory, vector, score, g);
            Known *own = &known[batch[i]];
            if (!own->scores)
                own->came = came++;
            own->sum += score;
            own->scores++;
            own->seen = g;
        }
        assert_same(memory, known);
        ScoreMemory *copy = saved_and_restored(memory);
        assert_same(copy, known);
        free(memory);
        memory = copy;
    }
    assert_true(forgotten > 20);
    free(memory);
}

static void a_full_memory_takes_no_more(void **state) {
    (void)state;
    ScoreMemory *memory = score_memory_new(1, 2);
    for (int i = 0; i < 5; i++)
        score_memory_add(memory, (const double[]){i}, i, 0);
    assert_int_equal(score_memory_count(memory), 2);
    assert_false(score_memory_find(memory, (const double[]){4}, NULL));
    assert_true(score_memory_find(memory, (const double[]){-0.0}, NULL)); // 0 and -0 are one number
    free(memory);
}

static void wrong_records_are_refused(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{}",
        "{\"sum\": [1], \"scores\": [0], \"seen\": [0], \"vectors\": [1]}",
        "{\"sum\": [1], \"scores\": [1.5], \"seen\": [0], \"vectors\": [1]}",
        "{\"sum\": [1], \"scores\": [1], \"seen\": [-1], \"vectors\": [1]}",
        "{\"sum\": [1], \"scores\": [1], \"seen\": [1e300], \"vectors\": [1]}",
        "{\"sum\": [1, 1], \"scores\": [1, 1], \"seen\": [0, 0], \"vectors\": [1, 1]}",
        "{\"sum\": [1, 1], \"scores\": [1, 1], \"seen\": [0, 0], \"vectors\": [1]}",
        "{\"sum\": [1, 1, 1], \"scores\": [1, 1, 1], \"seen\": [0, 0, 0], \"vectors\": [1, 2, 3]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        json_t *state_text = json_loads(texts[i], 0, NULL);
        assert_non_null(state_text);
        ScoreMemory *memory = score_memory_new(1, 2);
        Error error = {""};
        assert_false(score_memory_restore(memory, state_text, &error));
        assert_true(strlen(error.text) > 20);
        free(memory);
        json_decref(state_text);
    }
    ScoreMemory *memory = score_memory_new(1, 2);
    assert_false(score_memory_restore(memory, NULL, NULL));
    free(memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_knows_what_a_plain_list_knows),
        cmocka_unit_test(a_full_memory_takes_no_more),
        cmocka_unit_test(wrong_records_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
