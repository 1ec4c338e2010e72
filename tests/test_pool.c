// SPDX-License-Identifier: GPL-3.0-or-later
// The pool of threads: every task once and in order, with any number of threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/pool.h"
#include "base/random.h"

enum { TASKS = 5000, MAX = 8 };

typedef struct Book {
    int runs[TASKS];        // how often each task ran
    uint64_t result[TASKS]; // what it found
    int64_t last[MAX];      // each thread's last task
    int threads, disorder;  // disorder: tasks that a thread ran after a later one
    uint64_t stop_at;       // the task that sets stop
    volatile bool stop;
} Book;

// cmocka's asserts may jump only on the main thread: tasks take notes, the test looks at them later.
static void take_note(void *context, uint64_t index, int thread) {
    Book *book = context;
    __atomic_fetch_add(&book->runs[index], 1, __ATOMIC_RELAXED);
    Random random = random_stream(1, index, RANDOM_TEST);
    book->result[index] = random_next(&random);
    if (thread < 0 || thread >= book->threads || book->last[thread] >= (int64_t)index)
        __atomic_fetch_add(&book->disorder, 1, __ATOMIC_RELAXED);
    else
        book->last[thread] = (int64_t)index;
    if (index == book->stop_at)
        __atomic_store_n(&book->stop, true, __ATOMIC_RELAXED);
}

static Book *new_book(int threads) {
    Book *book = calloc(1, sizeof *book);
    assert_non_null(book);
    book->threads = threads;
    book->stop_at = UINT64_MAX;
    for (int i = 0; i < MAX; i++)
        book->last[i] = -1;
    return book;
}

static void every_task_runs_once_in_ascending_order_whatever_the_number_of_threads(void **state) {
    (void)state;
    Book *one = new_book(1);
    assert_true(pool_run(1, TASKS, take_note, one, NULL, NULL));
    for (int threads = 1; threads <= MAX; threads++) {
        Book *book = new_book(threads);
        assert_true(pool_run(threads, TASKS, take_note, book, &book->stop, NULL));
        for (int i = 0; i < TASKS; i++)
            assert_int_equal(book->runs[i], 1);
        assert_int_equal(book->disorder, 0);
        assert_memory_equal(book->result, one->result, sizeof one->result);
        free(book);
    }
    free(one);
}

static void few_tasks_or_none_need_no_more_threads(void **state) {
    (void)state;
    for (uint64_t count = 0; count < 4; count++) {
        Book *book = new_book(MAX);
        assert_true(pool_run(MAX, count, take_note, book, NULL, NULL));
        for (uint64_t i = 0; i < 5; i++)
            assert_int_equal(book->runs[i], i < count);
        free(book);
    }
}

static void stopping_leaves_no_gap(void **state) {
    (void)state;
    for (int threads = 1; threads <= MAX; threads++) {
        Book *book = new_book(threads);
        book->stop_at = 100;
        assert_true(pool_run(threads, TASKS, take_note, book, &book->stop, NULL));
        int ran = 0;
        while (ran < TASKS && book->runs[ran])
            ran++;
        assert_true(ran > 100);
        for (int i = ran; i < TASKS; i++)
            assert_int_equal(book->runs[i], 0);
        if (threads == 1)
            assert_int_equal(ran, 101);
        free(book);
    }
}

static void a_stop_before_the_start_runs_nothing(void **state) {
    (void)state;
    Book *book = new_book(4);
    book->stop = true;
    assert_true(pool_run(4, TASKS, take_note, book, &book->stop, NULL));
    for (int i = 0; i < TASKS; i++)
        assert_int_equal(book->runs[i], 0);
    free(book);
}

static void a_wrong_number_of_threads_is_refused(void **state) {
    (void)state;
    static const int wrong[] = {0, -1, POOL_MAX_THREADS + 1};
    for (int i = 0; i < 3; i++) {
        Book *book = new_book(1);
        Error error = {""};
        assert_false(pool_run(wrong[i], TASKS, take_note, book, NULL, &error));
        assert_non_null(strstr(error.text, "must be from 1 to 1024"));
        assert_int_equal(book->runs[0], 0);
        free(book);
    }
}

static void there_is_a_core(void **state) {
    (void)state;
    assert_in_range(pool_cores(), 1, POOL_MAX_THREADS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once_in_ascending_order_whatever_the_number_of_threads),
        cmocka_unit_test(few_tasks_or_none_need_no_more_threads),
        cmocka_unit_test(stopping_leaves_no_gap),
        cmocka_unit_test(a_stop_before_the_start_runs_nothing),
        cmocka_unit_test(a_wrong_number_of_threads_is_refused),
        cmocka_unit_test(there_is_a_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
