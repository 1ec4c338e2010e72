// SPDX-License-Identifier: GPL-3.0-or-later
// A crew of threads. Tasks wait in a list, in their order; a worker takes the first one, and puts it at the
// end of the list of results. The thread that talks to the crew samples nothing: it sleeps until a result is
// there. Where the system starts no thread at all (a page in a browser), it takes a sample itself whenever it
// would sleep. Consecutive samples of one vector are usual, so each worker keeps its last player.
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/pool.h"
#include "learn/crew.h"

CrewMaker *crew_make = crew_threads;

typedef struct Task {
    struct Task *next;
    uint64_t seed, first;
    CrewResult result; // its ticket and count are the task's
    double vector[];
} Task;

typedef struct TaskList {
    Task *first, *last;
} TaskList;

// The player that a worker had last.
typedef struct Memory {
    Candidate *candidate;
    double vector[ENCODING_MAX];
} Memory;

typedef struct ThreadCrew {
    Crew crew; // first: the two pointers are the same
    const Objective *objective;
    int size; // of vectors
    pthread_t *thread;
    int threads;             // 0: none can be started
    Memory own;              // of the thread that talks to the crew, if there is no other
    volatile bool cancelled; // samples under way look at it
    pthread_mutex_t lock;    // of all below
    pthread_cond_t work, ready, idle;
    TaskList waiting, finished;
    int busy; // tasks under way
    bool ending, failed;
    Error error;
} ThreadCrew;

static void append(TaskList *list, Task *task) {
    task->next = NULL;
    if (list->first)
        list->last->next = task;
    else
        list->first = task;
    list->last = task;
}

static Task *take(TaskList *list) {
    Task *task = list->first;
    if (task)
        list->first = task->next;
    return task;
}

static void drop_all(TaskList *list) {
    for (Task *task; (task = take(list));)
        free(task);
}

// ---------------------------------------------------------------------------------------------------
// Workers

static bool prepare(const ThreadCrew *crew, Memory *memory, const Task *task, Error *error) {
    size_t bytes = (size_t)crew->size * sizeof *task->vector;
    if (memory->candidate && !memcmp(memory->vector, task->vector, bytes))
        return true;
    candidate_free(memory->candidate);
    memcpy(memory->vector, task->vector, bytes);
    memory->candidate = candidate_new(crew->objective, task->vector, error);
    return memory->candidate != NULL;
}

static bool sample_task(const ThreadCrew *crew, Memory *memory, Task *task, Error *error) {
    double start = clock_seconds();
    bool good = prepare(crew, memory, task, error) &&
                candidate_samples(memory->candidate, task->seed, task->first, task->result.count,
                                  &crew->cancelled, task->result.sample, error);
    task->result.seconds = clock_seconds() - start;
    return good;
}

// <- false: the crew is ending
static bool work_once(ThreadCrew *crew, Memory *memory) {
    while (!crew->waiting.first && !crew->ending)
        pthread_cond_wait(&crew->work, &crew->lock);
    if (crew->ending)
        return false;
    Task *task = take(&crew->waiting);
    crew->busy++;
    pthread_mutex_unlock(&crew->lock);
    Error error = {""};
    bool good = sample_task(crew, memory, task, &error);
    pthread_mutex_lock(&crew->lock);
    if (!good && !crew->failed) {
        crew->failed = true;
        crew->error = error;
    }
    if (good)
        append(&crew->finished, task);
    else
        free(task);
    if (--crew->busy == 0)
        pthread_cond_signal(&crew->idle);
    pthread_cond_signal(&crew->ready);
    return true;
}

static void *worker_main(void *argument) {
    ThreadCrew *crew = argument;
    Memory memory = {.candidate = NULL};
    pthread_mutex_lock(&crew->lock);
    while (work_once(crew, &memory))
        continue;
    pthread_mutex_unlock(&crew->lock);
    candidate_free(memory.candidate);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// The caller's side

static bool crew_submit(Crew *base, const CrewTask *given, Error *error) {
    ThreadCrew *crew = (ThreadCrew *)base;
    if (given->count < 1 || given->count > CREW_MAX_SAMPLES)
        return error_set(error, "A task has 1 to %d samples, not %d.", CREW_MAX_SAMPLES, given->count);
    size_t bytes = (size_t)crew->size * sizeof *given->vector;
    Task *task = malloc(sizeof *task + bytes);
    if (!task)
        return error_set(error, "Out of memory for another task.");
    task->seed = given->seed;
    task->first = given->first;
    task->result = (CrewResult){.ticket = given->ticket, .count = given->count};
    memcpy(task->vector, given->vector, bytes);
    pthread_mutex_lock(&crew->lock);
    append(&crew->waiting, task);
    pthread_cond_signal(&crew->work);
    pthread_mutex_unlock(&crew->lock);
    return true;
}

static struct timespec moment_in(double seconds) {
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    double wanted = seconds > 0 ? fmin(seconds, 1e6) : 0;
    long nanoseconds = moment.tv_nsec + (long)((wanted - floor(wanted)) * 1e9);
    moment.tv_sec += (time_t)wanted + nanoseconds / 1000000000;
    moment.tv_nsec = nanoseconds % 1000000000;
    return moment;
}

static CrewEvent crew_wait(Crew *base, double seconds, CrewResult *result, Error *error) {
    ThreadCrew *crew = (ThreadCrew *)base;
    struct timespec until = moment_in(seconds);
    CrewEvent event = CREW_RESULT;
    pthread_mutex_lock(&crew->lock);
    if (!crew->threads && !crew->finished.first && crew->waiting.first && !crew->failed)
        work_once(crew, &crew->own);
    for (int code = 0; !crew->finished.first;
         code = pthread_cond_timedwait(&crew->ready, &crew->lock, &until)) {
        event = crew->failed                          ? CREW_FAILED
                : !crew->waiting.first && !crew->busy ? CREW_IDLE
                : code == ETIMEDOUT                   ? CREW_TIMEOUT
                                                      : CREW_RESULT;
        if (event != CREW_RESULT)
            break;
    }
    Task *task = take(&crew->finished);
    if (!task && event == CREW_FAILED)
        error_set(error, "%s", crew->error.text);
    pthread_mutex_unlock(&crew->lock);
    if (task)
        *result = task->result;
    free(task);
    return task ? CREW_RESULT : event;
}

static void crew_cancel(Crew *base) {
    ThreadCrew *crew = (ThreadCrew *)base;
    __atomic_store_n(&crew->cancelled, true, __ATOMIC_RELAXED);
    pthread_mutex_lock(&crew->lock);
    drop_all(&crew->waiting);
    while (crew->busy)
        pthread_cond_wait(&crew->idle, &crew->lock);
    drop_all(&crew->finished);
    crew->failed = false;
    __atomic_store_n(&crew->cancelled, false, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&crew->lock);
}

static void crew_close(Crew *base) {
    ThreadCrew *crew = (ThreadCrew *)base;
    crew_cancel(base);
    pthread_mutex_lock(&crew->lock);
    crew->ending = true;
    pthread_cond_broadcast(&crew->work);
    pthread_mutex_unlock(&crew->lock);
    for (int k = 0; k < crew->threads; k++)
        pthread_join(crew->thread[k], NULL);
    pthread_cond_destroy(&crew->work);
    pthread_cond_destroy(&crew->ready);
    pthread_cond_destroy(&crew->idle);
    pthread_mutex_destroy(&crew->lock);
    candidate_free(crew->own.candidate);
    free(crew->thread);
    free(crew);
}

// ---------------------------------------------------------------------------------------------------
// Making one

static void start_locks(ThreadCrew *crew) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->work, NULL);
    pthread_cond_init(&crew->idle, NULL);
    pthread_cond_init(&crew->ready, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

Crew *crew_threads(const Objective *objective, int threads, Error *error) {
    if (threads < 1 || threads > POOL_MAX_THREADS) {
        error_set(error, "The number of threads must be from 1 to %d, not %d.", POOL_MAX_THREADS, threads);
        return NULL;
    }
    ThreadCrew *crew = calloc(1, sizeof *crew);
    pthread_t *thread = calloc((size_t)threads, sizeof *thread);
    if (!crew || !thread) {
        free(crew);
        free(thread);
        error_set(error, "Out of memory for %d threads.", threads);
        return NULL;
    }
    crew->objective = objective;
    crew->size = encoding_size(&objective->encoding);
    crew->thread = thread;
    crew->crew = (Crew){.submit = crew_submit, .wait = crew_wait, .cancel = crew_cancel, .close = crew_close};
    start_locks(crew);
    while (crew->threads < threads && !pthread_create(&crew->thread[crew->threads], NULL, worker_main, crew))
        crew->threads++;
    crew->crew.workers = crew->crew.threads = crew->threads ? crew->threads : 1;
    crew->crew.processes = 1;
    return &crew->crew;
}
