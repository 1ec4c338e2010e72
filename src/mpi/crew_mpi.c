// SPDX-License-Identifier: GPL-3.0-or-later
// List scheduling: whoever has done a task gets the next one, so nobody waits for the long games of others. A
// process holds as many tasks as it has threads, and some in reserve so that none of its threads waits for
// the post: enough for RESERVE_SECONDS of work, so many when tasks are short, none when they are long and
// would only wait behind a long game. There is no stealing: a task stays where it was sent.
#include "mpi/crew_mpi.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json_memory.h"
#include "base/progress.h"
#include "mpi/peers.h"
#include "mpi/post.h"

static const double RESERVE_SECONDS = 0.01;
// How long to wait for answers. mpirun leaves one second to those that it ends because another has died.
static const double READY_SECONDS = 60, FAREWELL_SECONDS = 10, HALT_SECONDS = 0.15, HURRIED_SECONDS = 0.3;
enum { RESERVE_MAX = 64 }; // tasks per thread

typedef struct Queued {
    struct Queued *next;
    CrewTask task;
    _Alignas(8) char body[];
} Queued;

typedef struct CrewMpi {
    Crew crew;
    Crew *local;
    size_t body_bytes;
    uint64_t pieces, lines; // noted by the others
    uint64_t round;         // see MessageHead
    int *held;              // by process: tasks it has
    uint64_t held_in_all;
    Queued *first, *last; // tasks that nobody has yet
    double mean_seconds;  // of the last tasks; 0: no result yet
    double patience;      // when to wait no more for what is under way; 0: not halted
    bool local_turn;      // who is looked at first
} CrewMpi;

static uint64_t rounds; // of all crews: messages to an earlier crew are recognised too
static bool used;
static int lost; // a process that did not answer; 0: all do
void (*crew_mpi_on_loss)(int rank);

bool crew_mpi_was_used(void) {
    return used;
}

int crew_mpi_lost(void) {
    return lost;
}

// ---------------------------------------------------------------------------------------------------
// Handing out

// <- tasks that one process should hold
static int depth(const CrewMpi *self) {
    double each = self->mean_seconds > 0 ? RESERVE_SECONDS / self->mean_seconds : 1;
    return self->crew.threads * self->crew.kind->room +
           (int)lrint(self->crew.threads * fmin(each, RESERVE_MAX));
}

static bool hand_out(CrewMpi *self, int rank, Error *error) {
    Queued *queued = self->first;
    const CrewTask *task = &queued->task;
    self->first = queued->next;
    bool good;
    if (rank == 0) {
        good = self->local->submit(self->local, task, error);
    } else {
        MessageHead head = {.round = self->round,
                            .ticket = task->ticket,
                            .seed = task->seed,
                            .first = task->first,
                            .count = task->count};
        good = post_send(rank, MESSAGE_TASK, &head, queued->body, self->body_bytes, error);
    }
    free(queued);
    self->held[rank]++;
    self->held_in_all++;
    return good;
}

static bool refill(CrewMpi *self, int rank, Error *error) {
    for (int most = depth(self); self->first && self->held[rank] < most;)
        if (!hand_out(self, rank, error))
            return false;
    return true;
}

// Hands out what the processes have room for, to those first that hold the least.
static bool place(CrewMpi *self, Error *error) {
    int most = depth(self);
    while (self->first) {
        int least = 0;
        for (int i = 1; i < self->crew.processes; i++)
            least = self->held[i] < self->held[least] ? i : least;
        if (self->held[least] >= most)
            return true;
        if (!hand_out(self, least, error))
            return false;
    }
    return true;
}

static bool submit(Crew *crew, const CrewTask *task, Error *error) {
    CrewMpi *self = (CrewMpi *)crew;
    if (task->count < 1 || task->count > CREW_MAX_SAMPLES)
        return error_set(error, "a task takes 1 to %d samples, got %d.", CREW_MAX_SAMPLES, task->count);
    Queued *queued = malloc(sizeof *queued + self->body_bytes);
    if (!queued)
        return error_set(error, "out of memory for a task.");
    *queued = (Queued){.task = *task};
    if (self->body_bytes)
        memcpy(queued->body, task->body, self->body_bytes);
    queued->task.body = queued->body;
    *(self->first ? &self->last->next : &self->first) = queued;
    self->last = queued;
    bool full = self->held_in_all >= (uint64_t)self->crew.processes * (uint64_t)depth(self);
    return full || place(self, error);
}

// ---------------------------------------------------------------------------------------------------
// Getting back. These functions return CREW_TIMEOUT for "nothing now".

static CrewEvent take_result(CrewMpi *self, int rank, const CrewResult *result, Error *error) {
    double each = result->seconds;
    self->mean_seconds += self->mean_seconds > 0 ? (each - self->mean_seconds) / 32 : each;
    self->held[rank]--;
    self->held_in_all--;
    return refill(self, rank, error) ? CREW_RESULT : CREW_FAILED;
}

static CrewEvent look_local(CrewMpi *self, double seconds, CrewResult *result, Error *error) {
    if (!self->held[0])
        return CREW_TIMEOUT;
    CrewEvent event = self->local->wait(self->local, seconds, result, error);
    return event == CREW_RESULT ? take_result(self, 0, result, error) : event;
}

static CrewEvent read_result(CrewMpi *self, const Message *message, CrewResult *result, Error *error) {
    const MessageHead *head = &message->head;
    if (head->count < 1 || head->count > CREW_MAX_SAMPLES || !self->held[message->from] ||
        message->size != (size_t)head->count * self->crew.kind->sample_bytes) {
        error_set(error, "process %d on %s sent a damaged result.", message->from, peers_host(message->from));
        return CREW_FAILED;
    }
    result->ticket = head->ticket;
    result->count = head->count;
    result->seconds = head->seconds;
    self->pieces += head->pieces;
    self->lines += head->lines;
    memcpy(result->sample, message->body, message->size);
    return take_result(self, message->from, result, error);
}

static CrewEvent look_post(CrewMpi *self, CrewResult *result, Error *error) {
    Message message;
    do {
        if (!post_receive(&message, error))
            return CREW_FAILED;
    } while (message.kind && message.head.round != self->round); // of tasks that were dropped
    switch (message.kind) {
    case MESSAGE_RESULT:
        return read_result(self, &message, result, error);
    case MESSAGE_FAILED:
        error_set(error, "process %d on %s: %.400s", message.from, peers_host(message.from),
                  (const char *)message.body);
        return CREW_FAILED;
    default:
        return CREW_TIMEOUT;
    }
}

// In turns: neither side can keep the other waiting.
static CrewEvent look(CrewMpi *self, CrewResult *result, Error *error) {
    CrewEvent event = CREW_TIMEOUT;
    for (int i = 0; i < 2 && event == CREW_TIMEOUT; i++) {
        self->local_turn = !self->local_turn;
        event = self->local_turn ? look_local(self, 0, result, error) : look_post(self, result, error);
    }
    return event;
}

// A thread without a reserve waits while process 0 sleeps: for up to 2 % of the length of a task.
static double longest_pause(const CrewMpi *self) {
    return fmin(fmax(self->mean_seconds / 50, REST_USUAL), REST_LONGEST);
}

static CrewEvent wait_for_result(Crew *crew, double seconds, CrewResult *result, Error *error) {
    CrewMpi *self = (CrewMpi *)crew;
    double end = clock_seconds() + seconds;
    for (Rest rest = {0};;) {
        CrewEvent event = look(self, result, error);
        crew->pieces = self->local->pieces + self->pieces;
        crew->lines = self->local->lines + self->lines;
        if (event != CREW_TIMEOUT)
            return event;
        if (!place(self, error))
            return CREW_FAILED;
        if (!self->held_in_all || (self->patience > 0 && clock_seconds() > self->patience))
            return CREW_IDLE;
        double left = end - clock_seconds();
        if (left <= 0)
            return CREW_TIMEOUT;
        double pause = fmin(rest_next(&rest, longest_pause(self)), left);
        if (!self->held[0])
            rest_sleep(pause);
        else if ((event = look_local(self, pause, result, error)) != CREW_TIMEOUT)
            return event;
    }
}

// ---------------------------------------------------------------------------------------------------
// Opening, cancelling, closing

// What nobody has yet goes to this process, which gives it back at once.
static void halt(Crew *crew) {
    CrewMpi *self = (CrewMpi *)crew;
    while (self->first && hand_out(self, 0, NULL))
        continue;
    self->local->halt(self->local);
    self->patience = clock_seconds() + HALT_SECONDS;
    for (int i = 1; i < crew->processes; i++)
        post_send(i, MESSAGE_HALT, &(MessageHead){.round = self->round}, NULL, 0, NULL);
}

// A process that cannot be told is gone; then the next task fails, or mpirun ends the run.
static void cancel(Crew *crew) {
    CrewMpi *self = (CrewMpi *)crew;
    while (self->first) {
        Queued *next = self->first->next;
        free(self->first);
        self->first = next;
    }
    self->local->cancel(self->local);
    self->round = ++rounds;
    MessageHead head = {.round = self->round};
    for (int i = 1; i < crew->processes; i++)
        if (self->held[i])
            post_send(i, MESSAGE_CANCEL, &head, NULL, 0, NULL);
    memset(self->held, 0, (size_t)self->crew.processes * sizeof *self->held);
    self->held_in_all = 0;
}

static void close_crew(Crew *crew) {
    CrewMpi *self = (CrewMpi *)crew;
    if (self->local) {
        cancel(crew);
        self->local->close(self->local);
    }
    lost =
        peers_dismiss(MESSAGE_CLOSE, self->round, progress_interrupted ? HURRIED_SECONDS : FAREWELL_SECONDS);
    if (lost && crew_mpi_on_loss)
        crew_mpi_on_loss(lost);
    free(self->held);
    free(self);
}

// Numbers with 17 digits: they are the same after reading.
static char *write_order(const CrewKind *kind, const void *context) {
    json_t *json = json_object();
    json_object_set_new(json, "kind", json_string(kind->name));
    json_object_set_new(json, "sample_bytes", json_integer((json_int_t)kind->sample_bytes));
    json_object_set_new(json, "context", kind->save(kind, context));
    char *text = json_object_size(json) == 3 ? json_text(json, JSON_REAL_PRECISION(17)) : NULL;
    json_decref(json);
    return text;
}

static bool send_order(const CrewMpi *self, const void *context, Error *error) {
    char *text = write_order(self->crew.kind, context);
    bool good = text || error_set(error, "out of memory for what is to be sampled.");
    MessageHead head = {.round = self->round, .count = self->crew.threads};
    for (int i = 1; good && i < self->crew.processes; i++)
        good = post_send(i, MESSAGE_OPEN, &head, text, strlen(text), error);
    free(text);
    return good;
}

// Waits until the other processes have their crews. <- false: one has not
static bool await_others(const CrewMpi *self, Error *error) {
    double end = clock_seconds() + READY_SECONDS;
    Message message;
    Rest rest = {0};
    for (int missing = self->crew.processes - 1; missing > 0;) {
        if (!post_receive(&message, error))
            return false;
        if (message.kind == MESSAGE_READY && message.head.round == self->round) {
            if (message.size)
                return error_set(error, "process %d on %s: %.400s", message.from, peers_host(message.from),
                                 (const char *)message.body);
            missing--;
        } else if (!message.kind) {
            rest_sleep(rest_next(&rest, REST_USUAL));
        }
        if (missing > 0 && clock_seconds() > end)
            return error_set(error, "%d of the other %d processes did not answer within %g seconds.", missing,
                             self->crew.processes - 1, READY_SECONDS);
    }
    return true;
}

Crew *crew_mpi(const CrewKind *kind, const void *context, int threads, Error *error) {
    int processes = post_processes();
    if (lost)
        return error_null(error, "process %d on %s does not answer any more.", lost, peers_host(lost));
    CrewMpi *self = calloc(1, sizeof *self);
    int *held = calloc((size_t)processes, sizeof *held);
    if (!self || !held) {
        free(self);
        free(held);
        return error_null(error, "out of memory for a crew of %d processes.", processes);
    }
    *self = (CrewMpi){
        .crew = {.kind = kind,
                 .workers = processes * threads,
                 .processes = processes,
                 .threads = threads,
                 .submit = submit,
                 .wait = wait_for_result,
                 .halt = halt,
                 .cancel = cancel,
                 .close = close_crew},
        .body_bytes = kind->body_bytes ? kind->body_bytes(context) : 0,
        .round = ++rounds,
        .held = held,
    };
    used = true;
    self->local = crew_threads(kind, context, threads, error);
    if (!self->local || !send_order(self, context, error) || !await_others(self, error)) {
        close_crew(&self->crew);
        return NULL;
    }
    return &self->crew;
}
