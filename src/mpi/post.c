// SPDX-License-Identifier: GPL-3.0-or-later
// Messages as MPI messages of bytes on a communicator of their own, the kind as the tag. A message that MPI
// has not taken over yet waits in a list, so two processes that send to each other never wait for each other.
#include "mpi/post.h"

#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

typedef struct Pending {
    struct Pending *next;
    MPI_Request request;
    char bytes[];
} Pending;

static struct {
    MPI_Comm comm;
    int rank, processes;
    Pending *pending, *last; // oldest first
    char *buffer;            // of the message received last
    size_t room;
} post;

static bool mpi_failed(int code, const char *doing, Error *error) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    if (MPI_Error_string(code, text, &length))
        strcpy(text, "unknown error");
    return error_set(error, "MPI failed while %s: %.300s.", doing, text);
}

bool post_open(Error *error) {
    int code = MPI_Comm_dup(MPI_COMM_WORLD, &post.comm);
    if (code)
        return mpi_failed(code, "starting", error);
    MPI_Comm_set_errhandler(post.comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(post.comm, &post.rank);
    MPI_Comm_size(post.comm, &post.processes);
    return true;
}

int post_rank(void) {
    return post.rank;
}

int post_processes(void) {
    return post.processes;
}

static void append(Pending *pending) {
    pending->next = NULL;
    *(post.pending ? &post.last->next : &post.pending) = pending;
    post.last = pending;
}

// Looks at the oldest message that waits: frees it if it has left, else puts it at the end.
static bool look_at_oldest(Error *error) {
    Pending *pending = post.pending;
    post.pending = pending->next;
    int done = 0, code = MPI_Test(&pending->request, &done, MPI_STATUS_IGNORE);
    if (!code && !done) {
        append(pending);
        return true;
    }
    free(pending);
    return !code || mpi_failed(code, "sending", error);
}

// A few each time, so that a thousand slow receivers do not slow down the others.
static bool sweep(Error *error) {
    for (int i = 0; i < 8 && post.pending; i++)
        if (!look_at_oldest(error))
            return false;
    return true;
}

bool post_send(int to, MessageKind kind, const MessageHead *head, const void *body, size_t size,
               Error *error) {
    if (size > INT_MAX - sizeof *head)
        return error_set(error, "a message of %zu bytes is too long for MPI.", size);
    Pending *pending = malloc(sizeof *pending + sizeof *head + size);
    if (!pending)
        return error_set(error, "out of memory for a message of %zu bytes.", size);
    memcpy(pending->bytes, head, sizeof *head);
    if (size)
        memcpy(pending->bytes + sizeof *head, body, size);
    int code = MPI_Isend(pending->bytes, (int)(sizeof *head + size), MPI_BYTE, to, (int)kind, post.comm,
                         &pending->request);
    if (code) {
        free(pending);
        return mpi_failed(code, "sending", error);
    }
    append(pending);
    return sweep(error);
}

static bool make_room(size_t size, Error *error) {
    if (size <= post.room)
        return true;
    free(post.buffer);
    post.buffer = malloc(size);
    post.room = post.buffer ? size : 0;
    return post.buffer || error_set(error, "out of memory for a message of %zu bytes.", size);
}

bool post_receive(Message *message, Error *error) {
    message->kind = MESSAGE_NONE;
    if (!sweep(error))
        return false;
    int found, size;
    MPI_Message handle;
    MPI_Status status;
    int code = MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, post.comm, &found, &handle, &status);
    if (code)
        return mpi_failed(code, "looking for messages", error);
    if (!found)
        return true;
    MPI_Get_count(&status, MPI_BYTE, &size);
    if (size < (int)sizeof message->head)
        return error_set(error, "process %d sent a message of %d bytes; it is another program.",
                         status.MPI_SOURCE, size);
    if (!make_room((size_t)size + 1, error))
        return false;
    code = MPI_Mrecv(post.buffer, size, MPI_BYTE, &handle, &status);
    if (code)
        return mpi_failed(code, "receiving", error);
    post.buffer[size] = 0;
    message->kind = (MessageKind)status.MPI_TAG;
    message->from = status.MPI_SOURCE;
    memcpy(&message->head, post.buffer, sizeof message->head);
    message->body = post.buffer + sizeof message->head;
    message->size = (size_t)size - sizeof message->head;
    return true;
}

bool post_flush(double seconds) {
    double end = clock_seconds() + seconds;
    for (Rest rest = {0}; post.pending; rest_sleep(rest_next(&rest, REST_USUAL)))
        if (!sweep(NULL) || (post.pending && clock_seconds() > end))
            return false;
    return true;
}

double rest_next(Rest *rest, double longest) {
    rest->pause = fmin(rest->pause > 0 ? 2 * rest->pause : REST_SHORTEST, longest);
    return rest->pause;
}

void rest_sleep(double seconds) {
    struct timespec time = {.tv_nsec = (long)(seconds * 1e9)};
    nanosleep(&time, NULL);
}
