// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between process 0 and the others: sending never waits, receiving never spins. All functions must
// be called from the thread that started MPI.
#ifndef TETRALAB_MPI_POST_H
#define TETRALAB_MPI_POST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef enum MessageKind {
    MESSAGE_NONE,
    // From process 0
    MESSAGE_OPEN,   // make a crew of head.count threads; body: what it samples, as JSON
    MESSAGE_TASK,   // body: that of the task
    MESSAGE_HALT,   // give all tasks back as they are
    MESSAGE_CANCEL, // drop all tasks; head.round is that of the tasks to come
    MESSAGE_CLOSE,  // end the crew
    MESSAGE_END,    // leave
    // To process 0
    MESSAGE_READY,  // answer to MESSAGE_OPEN; body: why not, empty if all is well
    MESSAGE_RESULT, // body: head.count samples
    MESSAGE_FAILED, // body: why
    MESSAGE_BYE     // answer to MESSAGE_CLOSE and MESSAGE_END
} MessageKind;

// Numbers travel as they are in memory: peers_meet makes sure that all processes agree about that.
typedef struct MessageHead {
    uint64_t round; // of the crew: a new one after each cancel, so that late results are recognised
    uint64_t ticket, seed, first;
    double seconds;
    uint64_t pieces, lines; // with a result: noted since the last one
    int32_t count, reserved;
} MessageHead;

typedef struct Message {
    MessageKind kind;
    int from;
    MessageHead head;
    const void *body; // 8-byte aligned, a 0 byte behind it; good until the next post_receive
    size_t size;      // of the body
} Message;

bool post_open(Error *error); // all processes at once, after MPI_Init
int post_rank(void);
int post_processes(void);

// Messages from one process to another arrive in the order in which they were sent.
// -> body  copied; may be NULL
bool post_send(int to, MessageKind kind, const MessageHead *head, const void *body, size_t size,
               Error *error);

// <- *message, its kind MESSAGE_NONE if there is none now
bool post_receive(Message *message, Error *error);

// Waits until everything sent has left. <- false: it has not within this time
bool post_flush(double seconds);

// How long to sleep when nothing happens. Open MPI's own blocking calls would keep a core busy.
typedef struct Rest {
    double pause; // the last one; set it to 0 after work
} Rest;
static const double REST_SHORTEST = 50e-6, REST_USUAL = 400e-6, REST_LONGEST = 1e-3,
                    REST_BUSY = 10e-3;        // seconds
double rest_next(Rest *rest, double longest); // <- seconds, doubling from the shortest to the longest
void rest_sleep(double seconds);

#endif
