// SPDX-License-Identifier: GPL-3.0-or-later
// A long call that is watched: the work is done by another thread, and the caller's own looks at it twenty
// times a second and asks the user's function whether to go on. So that function is always called by the
// thread that made the call, whatever the work is like, and can stop it at any time.
#ifndef TETRALAB_API_ATTEND_H
#define TETRALAB_API_ATTEND_H

#include <pthread.h>

#include "api/api.h"
#include "base/work.h"

typedef struct Attended {
    tetralab_watch *watch; // NULL: nobody watches, and no thread is made
    void *context;
    int subject;        // the player that is being measured
    volatile bool stop; // the work looks at it
    double started;     // by clock_seconds
    // Shared by the two threads.
    pthread_mutex_t lock;
    pthread_cond_t changed, taken;
    bool ended;
    tetralab_advance now;
} Attended;

// Does work(job), with numbers in texts as C has them, whatever the locale.
// <- what it returned; false also if out of memory for a thread
bool attend(Attended *attended, bool (*work)(void *job), void *job, Error *error);

// Work.progress, the context being the Attended: the work says how far it is.
void attend_tell(void *attended, const Advance *advance);

#endif
