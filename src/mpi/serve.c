// SPDX-License-Identifier: GPL-3.0-or-later
// The other side of mpi/crew_mpi.c: messages in, messages out. What goes wrong with a task is reported to
// process 0; only a failure of the post itself ends this.
#include "mpi/serve.h"

#include <jansson.h>
#include <string.h>

#include "base/json_parse.h"
#include "learn/crew.h"
#include "mpi/post.h"

typedef struct Server {
    Objective objective;
    Crew *crew; // NULL: none is open
    uint64_t round;
    int held; // tasks
    bool ended;
} Server;

static bool answer(MessageKind kind, uint64_t round, const char *text, Error *error) {
    return post_send(0, kind, &(MessageHead){.round = round}, text, strlen(text), error);
}

static void close_crew(Server *server) {
    if (!server->crew)
        return;
    server->crew->close(server->crew);
    objective_free(&server->objective);
    server->crew = NULL;
    server->held = 0;
}

// Machines of a cluster may differ: a kernel that this one lacks is replaced by its fastest, which plays the
// same.
static bool read_order(Objective *objective, const Message *message, Error *error) {
    json_t *json = json_parse("the objective", message->body, message->size, error);
    bool good = json && objective_restore(objective, json_object_get(json, "objective"), error);
    const char *kernel = json_string_value(json_object_get(json, "kernel"));
    objective->kernel = kernel ? kernel_find(kernel, NULL) : NULL;
    json_decref(json);
    return good;
}

static bool on_open(Server *server, const Message *message, Error *error) {
    Error why = {""};
    close_crew(server);
    server->round = message->head.round;
    server->objective = (Objective){.kernel = NULL};
    if (read_order(&server->objective, message, &why))
        server->crew = crew_threads(&server->objective, message->head.count, &why);
    if (!server->crew) {
        objective_free(&server->objective);
        if (!why.text[0])
            error_set(&why, "a crew of %d threads cannot be made.", message->head.count);
    }
    return answer(MESSAGE_READY, server->round, why.text, error);
}

static bool on_task(Server *server, const Message *message, Error *error) {
    const MessageHead *head = &message->head;
    if (!server->crew || head->round != server->round)
        return true;
    Error why = {""};
    CrewTask task = {.ticket = head->ticket,
                     .seed = head->seed,
                     .first = head->first,
                     .count = head->count,
                     .vector = message->body};
    if (message->size != (size_t)encoding_size(&server->objective.encoding) * sizeof *task.vector)
        return answer(MESSAGE_FAILED, server->round, "a vector of the wrong length came.", error);
    if (!server->crew->submit(server->crew, &task, &why))
        return answer(MESSAGE_FAILED, server->round, why.text, error);
    server->held++;
    return true;
}

static bool on_cancel(Server *server, const Message *message, Error *error) {
    (void)error;
    if (server->crew)
        server->crew->cancel(server->crew);
    server->round = message->head.round;
    server->held = 0;
    return true;
}

static bool on_close(Server *server, const Message *message, Error *error) {
    close_crew(server);
    return answer(MESSAGE_BYE, message->head.round, "", error);
}

static bool on_end(Server *server, const Message *message, Error *error) {
    server->ended = true;
    return on_close(server, message, error);
}

static bool (*const actions[])(Server *server, const Message *message, Error *error) = {
    [MESSAGE_OPEN] = on_open,   [MESSAGE_TASK] = on_task, [MESSAGE_CANCEL] = on_cancel,
    [MESSAGE_CLOSE] = on_close, [MESSAGE_END] = on_end,
};

static bool on_message(Server *server, const Message *message, Error *error) {
    bool known = message->kind < (int)(sizeof actions / sizeof *actions) && actions[message->kind];
    return !known || actions[message->kind](server, message, error);
}

// <- *worked  a result was sent, or a failure
static bool pass_result(Server *server, double seconds, bool *worked, Error *error) {
    CrewResult result;
    Error why = {""};
    CrewEvent event = server->crew->wait(server->crew, seconds, &result, &why);
    *worked = event == CREW_RESULT || event == CREW_FAILED;
    if (event == CREW_FAILED) {
        server->crew->cancel(server->crew);
        server->held = 0;
        return answer(MESSAGE_FAILED, server->round, why.text, error);
    }
    if (event != CREW_RESULT)
        return true;
    server->held--;
    MessageHead head = {
        .round = server->round, .ticket = result.ticket, .seconds = result.seconds, .count = result.count};
    return post_send(0, MESSAGE_RESULT, &head, result.sample, (size_t)result.count * sizeof *result.sample,
                     error);
}

// Results wake this process, tasks do not. It looks for them often only if a thread has nothing to do:
// otherwise every look would take time from the threads.
static bool rest(Server *server, Rest *pause, bool *worked, Error *error) {
    bool idle = server->crew && server->held < server->crew->threads;
    double seconds = rest_next(pause, idle ? REST_USUAL : REST_BUSY);
    if (server->held > 0)
        return pass_result(server, seconds, worked, error);
    rest_sleep(seconds);
    return true;
}

bool serve(Error *error) {
    Server server = {.crew = NULL};
    bool good = true;
    for (Rest pause = {0}; good && !server.ended;) {
        Message message;
        bool passed = false, rested = false;
        good = post_receive(&message, error) && on_message(&server, &message, error);
        if (good && server.held > 0)
            good = pass_result(&server, 0, &passed, error);
        if (message.kind || passed)
            pause.pause = 0;
        else if (good)
            good = rest(&server, &pause, &rested, error);
        if (rested)
            pause.pause = 0;
    }
    close_crew(&server);
    return good;
}
