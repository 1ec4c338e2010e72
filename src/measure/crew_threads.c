// SPDX-License-Identifier: GPL-3.0-or-later
// A crew of threads. Tasks wait in a list, in their order; a worker takes the first one, and puts it at the
// end of the list of results. The thread that talks to the crew samples nothing: it sleeps until a result is
// there. Where the system starts no thread at all (a page in a browser), it works itself whenever it would
// sleep.
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/pool.h"
#include "measure/crew.h"

CrewMaker *crew_make = crew_threads;

typedef struct Task {
    CrewJob job; // first: the two pointers are the same
    struct Task *next;
    uint64_t ticket;
    double seconds;           // the start, then what it took
    _Alignas(8) char bytes[]; // its samples, then its body
} Task;

typedef struct TaskList {
    Task *first, *last;
} TaskList;

struct CrewHand {
    struct ThreadCrew *crew;
    int held; // tasks
};

typedef struct ThreadCrew {
    Crew crew; // first: the two pointers are the same
    const void *context;
    size_t body_bytes;
    pthread_t *thread;
    CrewHand *hand;       // of each thread
    int threads;          // 0: none can be started
    volatile bool stop;   // samples under way look at it
    pthread_mutex_t lock; // of all below
    pthread_cond_t work, ready, idle;
    TaskList waiting, finished;
    int queued, busy; // tasks that wait, that are under way
    uint64_t pieces, lines;
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

// With others to be kept busy, nobody takes more than a fair share of the tasks that are left.
static bool has_share(const ThreadCrew *crew, const CrewHand *hand) {
    int workers = crew->crew.workers, share = (crew->queued + crew->busy + workers - 1) / workers;
    return crew->waiting.first && hand->held < share;
}

// Where there are no threads, who waits for a result is to get it first.
static bool must_leave(const ThreadCrew *crew) {
    return crew->ending || (!crew->threads && (crew->finished.first || !crew->waiting.first));
}

const CrewJob *crew_take(CrewHand *hand, bool wait) {
    ThreadCrew *crew = hand->crew;
    pthread_mutex_lock(&crew->lock);
    while (wait && !crew->waiting.first && !must_leave(crew))
        pthread_cond_wait(&crew->work, &crew->lock);
    Task *task = !(wait && must_leave(crew)) && has_share(crew, hand) ? take(&crew->waiting) : NULL;
    if (task) {
        crew->queued--;
        crew->busy++;
        hand->held++;
        task->seconds = clock_seconds();
    }
    pthread_mutex_unlock(&crew->lock);
    return task ? &task->job : NULL;
}

void crew_give(CrewHand *hand, const CrewJob *job, const Error *error) {
    ThreadCrew *crew = hand->crew;
    Task *task = (Task *)job;
    task->seconds = clock_seconds() - task->seconds;
    pthread_mutex_lock(&crew->lock);
    hand->held--;
    if (error && !crew->failed) {
        crew->failed = true;
        crew->error = *error;
    }
    if (error)
        free(task);
    else
        append(&crew->finished, task);
    if (--crew->busy == 0)
        pthread_cond_signal(&crew->idle);
    pthread_cond_signal(&crew->ready);
    pthread_mutex_unlock(&crew->lock);
}

const volatile bool *crew_stop(const CrewHand *hand) {
    return &hand->crew->stop;
}

void crew_note(CrewHand *hand, uint64_t pieces, uint64_t lines) {
    ThreadCrew *crew = hand->crew;
    pthread_mutex_lock(&crew->lock);
    crew->pieces += pieces;
    crew->lines += lines;
    pthread_mutex_unlock(&crew->lock);
    if (crew->threads || !crew->crew.noted)
        return;
    crew->crew.pieces = crew->pieces;
    crew->crew.lines = crew->lines;
    crew->crew.noted(crew->crew.context);
}

static void *worker_main(void *argument) {
    CrewHand *hand = argument;
    hand->crew->crew.kind->work(hand->crew->context, hand);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// The caller's side

static bool crew_submit(Crew *base, const CrewTask *given, Error *error) {
    ThreadCrew *crew = (ThreadCrew *)base;
    if (given->count < 1 || given->count > CREW_MAX_SAMPLES)
        return error_set(error, "A task has 1 to %d samples, not %d.", CREW_MAX_SAMPLES, given->count);
    size_t bytes = (size_t)given->count * crew->crew.kind->sample_bytes;
    Task *task = calloc(1, sizeof *task + bytes + crew->body_bytes);
    if (!task)
        return error_set(error, "Out of memory for another task.");
    char *body = task->bytes + bytes;
    task->job = (CrewJob){given->seed, given->first, given->count, body, task->bytes};
    task->ticket = given->ticket;
    if (crew->body_bytes)
        memcpy(body, given->body, crew->body_bytes);
    pthread_mutex_lock(&crew->lock);
    append(&crew->waiting, task);
    crew->queued++;
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
    if (!crew->threads && !crew->finished.first && crew->waiting.first && !crew->failed)
        worker_main(crew->hand);
    pthread_mutex_lock(&crew->lock);
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
    base->pieces = crew->pieces;
    base->lines = crew->lines;
    pthread_mutex_unlock(&crew->lock);
    if (task) {
        result->ticket = task->ticket;
        result->count = task->job.count;
        result->seconds = task->seconds;
        memcpy(result->sample, task->bytes, (size_t)task->job.count * base->kind->sample_bytes);
    }
    free(task);
    return task ? CREW_RESULT : event;
}

static void crew_halt(Crew *base) {
    ThreadCrew *crew = (ThreadCrew *)base;
    __atomic_store_n(&crew->stop, true, __ATOMIC_RELAXED);
    pthread_mutex_lock(&crew->lock);
    for (Task *task; (task = take(&crew->waiting));)
        append(&crew->finished, task);
    crew->queued = 0;
    pthread_mutex_unlock(&crew->lock);
}

static void crew_cancel(Crew *base) {
    ThreadCrew *crew = (ThreadCrew *)base;
    crew_halt(base);
    pthread_mutex_lock(&crew->lock);
    while (crew->busy)
        pthread_cond_wait(&crew->idle, &crew->lock);
    drop_all(&crew->finished);
    crew->failed = false;
    __atomic_store_n(&crew->stop, false, __ATOMIC_RELAXED);
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
    free(crew->hand);
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

Crew *crew_threads(const CrewKind *kind, const void *context, int threads, Error *error) {
    if (threads < 1 || threads > POOL_MAX_THREADS)
        return error_null(error, "The number of threads must be from 1 to %d, not %d.", POOL_MAX_THREADS,
                          threads);
    ThreadCrew *crew = calloc(1, sizeof *crew);
    pthread_t *thread = calloc((size_t)threads, sizeof *thread);
    CrewHand *hand = calloc((size_t)threads, sizeof *hand);
    if (!crew || !thread || !hand) {
        free(crew);
        free(thread);
        free(hand);
        return error_null(error, "Out of memory for %d threads.", threads);
    }
    *crew = (ThreadCrew){.crew = {.kind = kind,
                                  .workers = threads,
                                  .processes = 1,
                                  .submit = crew_submit,
                                  .wait = crew_wait,
                                  .halt = crew_halt,
                                  .cancel = crew_cancel,
                                  .close = crew_close},
                         .context = context,
                         .body_bytes = kind->body_bytes ? kind->body_bytes(context) : 0,
                         .thread = thread,
                         .hand = hand};
    start_locks(crew);
    for (int k = 0; k < threads; k++)
        hand[k].crew = crew;
    pthread_mutex_lock(&crew->lock); // workers look at the number of threads
    while (crew->threads < threads &&
           !pthread_create(&thread[crew->threads], NULL, worker_main, &hand[crew->threads]))
        crew->threads++;
    crew->crew.workers = crew->crew.threads = crew->threads ? crew->threads : 1;
    pthread_mutex_unlock(&crew->lock);
    return &crew->crew;
}
