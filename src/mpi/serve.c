// SPDX-License-Identifier: GPL-3.0-or-later
// The other side of mpi/crew_mpi.c: messages in, messages out. What goes wrong with a task is reported to
// process 0; only a failure of the post itself ends this.
#include "mpi/serve.h"

#include <jansson.h>
#include <string.h>

#include "base/json_parse.h"
#include "learn/objective.h"
#include "measure/playing.h"
#include "measure/splitting.h"
#include "measure/sprt.h"
#include "mpi/post.h"

static const CrewKind *const kinds[] = {&candidate_kind, &game_kind, &repetition_kind, &pair_kind};

typedef struct Server {
    Crew *crew;    // NULL: none is open
    void *context; // of it
    size_t body_bytes;
    uint64_t pieces, lines; // that process 0 knows of
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
    const CrewKind *kind = server->crew->kind;
    server->crew->close(server->crew);
    kind->free(kind, server->context);
    server->crew = NULL;
    server->held = 0;
}

// Machines of a cluster may differ: each plays with its fastest kernel, and all of them play the same.
static void make_crew(Server *server, const Message *message, Error *error) {
    json_t *json = json_parse("what is to be sampled", message->body, message->size, error);
    const char *name = json_string_value(json_object_get(json, "kind"));
    for (size_t k = 0; name && !server->crew && k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(kinds[k]->name, name))
            continue;
        if (json_number_value(json_object_get(json, "sample_bytes")) != (double)kinds[k]->sample_bytes) {
            error_set(error, "samples have another size here than in process 0: use machines of one kind.");
            break;
        }
        if (!(server->context = kinds[k]->restore(kinds[k], json_object_get(json, "context"), error)))
            continue;
        server->crew = crew_threads(kinds[k], server->context, message->head.count, error);
        server->body_bytes = kinds[k]->body_bytes ? kinds[k]->body_bytes(server->context) : 0;
        if (!server->crew)
            kinds[k]->free(kinds[k], server->context);
    }
    json_decref(json);
}

static bool on_open(Server *server, const Message *message, Error *error) {
    Error why = {""};
    close_crew(server);
    server->round = message->head.round;
    server->pieces = server->lines = 0;
    make_crew(server, message, &why);
    if (!server->crew && !why.text[0])
        error_set(&why, "a crew of %d threads cannot be made.", message->head.count);
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
                     .body = message->body};
    if (message->size != server->body_bytes)
        return answer(MESSAGE_FAILED, server->round, "a task of the wrong length came.", error);
    if (!server->crew->submit(server->crew, &task, &why))
        return answer(MESSAGE_FAILED, server->round, why.text, error);
    server->held++;
    return true;
}

static bool on_halt(Server *server, const Message *message, Error *error) {
    (void)error;
    if (server->crew && message->head.round == server->round)
        server->crew->halt(server->crew);
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
    [MESSAGE_OPEN] = on_open,     [MESSAGE_TASK] = on_task,   [MESSAGE_HALT] = on_halt,
    [MESSAGE_CANCEL] = on_cancel, [MESSAGE_CLOSE] = on_close, [MESSAGE_END] = on_end,
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
    const Crew *crew = server->crew;
    MessageHead head = {.round = server->round,
                        .ticket = result.ticket,
                        .seconds = result.seconds,
                        .pieces = crew->pieces - server->pieces,
                        .lines = crew->lines - server->lines,
                        .count = result.count};
    server->pieces = crew->pieces;
    server->lines = crew->lines;
    return post_send(0, MESSAGE_RESULT, &head, result.sample, (size_t)result.count * crew->kind->sample_bytes,
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
