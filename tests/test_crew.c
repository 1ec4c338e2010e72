// SPDX-License-Identifier: GPL-3.0-or-later
// A crew of threads: every task comes back once, with the samples that one loop would take.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/pool.h"
#include "measure/crew.h"
#include "objective_fixture.h"

enum { TASKS = 60, VECTORS = 5 };

static double vectors[VECTORS][8];

static int make_vectors(void **state) {
    (void)state;
    for (int v = 0; v < VECTORS; v++)
        for (int i = 0; i < 8; i++)
            vectors[v][i] = BCTS[i] * (1 + 0.1 * ((v * 5 + i * 3) % 7));
    return 0;
}

// Tasks of 1 to 4 samples, some of them with the vector of the one before.
static CrewTask task_of(uint64_t ticket) {
    return (CrewTask){.ticket = ticket,
                      .seed = ticket % 3,
                      .first = ticket * 10,
                      .count = 1 + (int)(ticket % 4),
                      .body = vectors[ticket / 2 % VECTORS]};
}

static void every_result_is_that_of_one_loop_whatever_the_number_of_threads(void **state) {
    (void)state;
    static const int threads[] = {1, 2, 3, 16};
    Objective objective;
    objective_make(&objective, OBJECTIVE_GAMES, "8x8", "hard", 0);
    for (int k = 0; k < 4; k++) {
        Error error = {""};
        Crew *crew = crew_threads(&candidate_kind, &objective, threads[k], &error);
        assert_non_null(crew);
        assert_int_equal(crew->workers, threads[k]);
        assert_int_equal(crew->processes * crew->threads, threads[k]);
        int seen[TASKS] = {0};
        for (uint64_t ticket = 0; ticket < TASKS; ticket++) {
            CrewTask task = task_of(ticket);
            assert_true(crew->submit(crew, &task, &error));
        }
        for (int i = 0; i < TASKS; i++) {
            CrewResult result;
            assert_int_equal(crew->wait(crew, 1000, &result, &error), CREW_RESULT);
            CrewTask task = task_of(result.ticket);
            assert_int_equal(seen[result.ticket]++, 0);
            assert_int_equal(result.count, task.count);
            assert_true(threads[k] > 1 || result.ticket == (uint64_t)i); // one thread keeps the order
            assert_true(result.seconds >= 0);
            for (int j = 0; j < task.count; j++) {
                Sample sample = sample_of(&objective, task.body, task.seed, task.first + (uint64_t)j);
                assert_true(candidate_results(&result)[j].done &&
                            candidate_results(&result)[j].value == sample.value &&
                            candidate_results(&result)[j].pieces == sample.pieces);
            }
        }
        CrewResult result;
        assert_int_equal(crew->wait(crew, 1000, &result, &error), CREW_IDLE);
        crew->close(crew);
    }
    objective_free(&objective);
}

// bcts plays for minutes on 10x20: only a crew that stops its samples gets here in time.
static void cancel_stops_what_is_under_way_and_forgets_it(void **state) {
    (void)state;
    Objective objective;
    Error error = {""};
    CrewResult result;
    objective_make(&objective, OBJECTIVE_GAMES, "10x20", "uniform", 0);
    Crew *crew = crew_threads(&candidate_kind, &objective, 3, &error);
    assert_non_null(crew);
    for (uint64_t round = 0; round < 3; round++) {
        for (uint64_t ticket = 0; ticket < 10; ticket++)
            assert_true(crew->submit(crew, &(CrewTask){.ticket = ticket, .seed = 1, .count = 2, .body = BCTS},
                                     &error));
        assert_int_equal(crew->wait(crew, 0.001, &result, &error), CREW_TIMEOUT);
        crew->cancel(crew);
        assert_int_equal(crew->wait(crew, 1000, &result, &error), CREW_IDLE);
        double zero[8] = {0};
        assert_true(crew->submit(crew, &(CrewTask){.ticket = 77 + round, .count = 1, .body = zero}, &error));
        assert_int_equal(crew->wait(crew, 1000, &result, &error), CREW_RESULT);
        assert_true(result.ticket == 77 + round && candidate_results(&result)[0].done);
    }
    assert_true(crew->submit(crew, &(CrewTask){.count = 64, .body = BCTS}, &error));
    crew->close(crew); // with work under way
    objective_free(&objective);
}

static void finished_results_are_forgotten_by_cancel_too(void **state) {
    (void)state;
    Objective objective;
    Error error = {""};
    CrewResult result;
    double zero[8] = {0};
    objective_make(&objective, OBJECTIVE_GAMES, "4x4", "uniform", 0);
    Crew *crew = crew_threads(&candidate_kind, &objective, 2, &error);
    for (uint64_t ticket = 0; ticket < 20; ticket++)
        assert_true(crew->submit(crew, &(CrewTask){.ticket = ticket, .count = 1, .body = zero}, &error));
    assert_int_equal(crew->wait(crew, 1000, &result, &error), CREW_RESULT);
    crew->cancel(crew);
    assert_int_equal(crew->wait(crew, 0, &result, &error), CREW_IDLE);
    crew->close(crew);
    objective_free(&objective);
}

static void vectors_are_copied(void **state) {
    (void)state;
    Objective objective;
    Error error = {""};
    CrewResult result;
    double vector[8];
    objective_make(&objective, OBJECTIVE_GAMES, "8x8", "hard", 0);
    Crew *crew = crew_threads(&candidate_kind, &objective, 1, &error);
    for (uint64_t ticket = 0; ticket < 10; ticket++) {
        memcpy(vector, vectors[ticket % VECTORS], sizeof vector);
        assert_true(crew->submit(crew, &(CrewTask){.ticket = ticket, .count = 1, .body = vector}, &error));
        memset(vector, 0, sizeof vector);
    }
    for (uint64_t ticket = 0; ticket < 10; ticket++) {
        assert_int_equal(crew->wait(crew, 1000, &result, &error), CREW_RESULT);
        Sample sample = sample_of(&objective, vectors[ticket % VECTORS], 0, 0);
        assert_true(candidate_results(&result)[0].value == sample.value);
    }
    crew->close(crew);
    objective_free(&objective);
}

// A rating that cannot be made: the crew says why, and works again after cancel.
static void a_failed_sample_is_reported(void **state) {
    (void)state;
    Objective objective;
    Error error = {""};
    CrewResult result;
    double zero[ENCODING_MAX] = {0};
    objective_make(&objective, OBJECTIVE_GAMES, "8x8", "hard", 0);
    objective.encoding.width = 9;
    assert_true(encoding_set_features(&objective.encoding, "column-heights", &error));
    Crew *crew = crew_threads(&candidate_kind, &objective, 2, &error);
    assert_true(crew->submit(crew, &(CrewTask){.count = 1, .body = zero}, &error));
    assert_int_equal(crew->wait(crew, 1000, &result, &error), CREW_FAILED);
    assert_non_null(strstr(error.text, "column-heights has 9 weights"));
    crew->cancel(crew);
    assert_int_equal(crew->wait(crew, 1000, &result, &error), CREW_IDLE);
    crew->close(crew);
    objective_free(&objective);
}

static void wrong_numbers_are_refused(void **state) {
    (void)state;
    Objective objective;
    Error error = {""};
    objective_make(&objective, OBJECTIVE_GAMES, "8x8", "hard", 0);
    assert_null(crew_threads(&candidate_kind, &objective, 0, &error));
    assert_null(crew_threads(&candidate_kind, &objective, POOL_MAX_THREADS + 1, &error));
    assert_non_null(strstr(error.text, "from 1 to 1024"));
    Crew *crew = crew_make(&candidate_kind, &objective, 1, &error);
    assert_non_null(crew);
    assert_false(crew->submit(crew, &(CrewTask){.count = 0, .body = BCTS}, &error));
    assert_false(crew->submit(crew, &(CrewTask){.count = CREW_MAX_SAMPLES + 1, .body = BCTS}, &error));
    crew->close(crew);
    objective_free(&objective);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_result_is_that_of_one_loop_whatever_the_number_of_threads),
        cmocka_unit_test(cancel_stops_what_is_under_way_and_forgets_it),
        cmocka_unit_test(finished_results_are_forgotten_by_cancel_too),
        cmocka_unit_test(vectors_are_copied),
        cmocka_unit_test(a_failed_sample_is_reported),
        cmocka_unit_test(wrong_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, make_vectors, NULL);
}
