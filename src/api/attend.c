// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/attend.h"

#include <math.h>
#include <time.h>

#include "base/clock.h"

static const long LOOK_EVERY = 50000000; // nanoseconds

typedef struct Worker {
    Attended *attended;
    bool (*work)(void *job);
    void *job;
    bool good;
} Worker;

static void do_work(Worker *worker) {
    PlainLocale locale = plain_locale_enter();
    worker->good = worker->work(worker->job);
    plain_locale_leave(locale);
}

static void *work_thread(void *context) {
    Worker *worker = context;
    Attended *attended = worker->attended;
    do_work(worker);
    pthread_mutex_lock(&attended->lock);
    attended->ended = true;
    pthread_cond_signal(&attended->changed);
    pthread_mutex_unlock(&attended->lock);
    return NULL;
}

static struct timespec soon(void) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_EVERY;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    return until;
}

// Until the work has ended; without the lock while the user's function is called. News wait until they are
// seen.
static void look_on(Attended *attended) {
    pthread_mutex_lock(&attended->lock);
    while (!attended->ended) {
        struct timespec until = soon();
        int code = 0;
        while (!attended->ended && !attended->now.news && !code)
            code = pthread_cond_timedwait(&attended->changed, &attended->lock, &until);
        if (attended->ended)
            continue;
        tetralab_advance shown = attended->now;
        if (!attended->stop) {
            pthread_mutex_unlock(&attended->lock);
            shown.seconds = clock_seconds() - attended->started;
            bool go_on = attended->watch(attended->context, &shown);
            if (!go_on)
                __atomic_store_n(&attended->stop, true, __ATOMIC_RELAXED);
            pthread_mutex_lock(&attended->lock);
        }
        if (shown.news) {
            attended->now.news = NULL;
            pthread_cond_signal(&attended->taken);
        }
    }
    pthread_mutex_unlock(&attended->lock);
}

bool attend(Attended *attended, bool (*work)(void *job), void *job, Error *error) {
    Worker worker = {attended, work, job, false};
    attended->started = clock_seconds();
    attended->now = (tetralab_advance){.unit = "", .value = NAN, .precision = NAN};
    if (!attended->watch) {
        do_work(&worker);
        return worker.good;
    }
    pthread_t thread;
    pthread_condattr_t monotonic;
    pthread_mutex_init(&attended->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&attended->changed, &monotonic);
    pthread_cond_init(&attended->taken, NULL);
    pthread_condattr_destroy(&monotonic);
    if (!pthread_create(&thread, NULL, work_thread, &worker)) {
        look_on(attended);
        pthread_join(thread, NULL);
    } else {
        error_set(error, "Out of memory for a thread to work while it is watched.");
    }
    pthread_cond_destroy(&attended->changed);
    pthread_cond_destroy(&attended->taken);
    pthread_mutex_destroy(&attended->lock);
    return worker.good;
}

void attend_tell(void *context, const Advance *advance) {
    Attended *attended = context;
    if (!attended->watch)
        return;
    pthread_mutex_lock(&attended->lock);
    attended->now = (tetralab_advance){.unit = advance->unit,
                                       .subject = attended->subject,
                                       .done = advance->done,
                                       .wanted = advance->wanted,
                                       .pieces = advance->pieces,
                                       .value = advance->value,
                                       .precision = advance->precision,
                                       .news = advance->news};
    if (advance->news)
        pthread_cond_signal(&attended->changed);
    while (attended->now.news)
        pthread_cond_wait(&attended->taken, &attended->lock);
    pthread_mutex_unlock(&attended->lock);
}
