// SPDX-License-Identifier: GPL-3.0-or-later
// The other side of mpi/crew_mpi.c: letters in, letters out. What goes wrong with a task is reported to
// process 0; only a failure of the post itself ends this.
#include "mpi/serve.h"

#include <jansson.h>
#include <string.h>

#include "base/json_parse.h"
#include "lab/crew.h"
#include "mpi/post.h"

typedef struct Server {
    Objective objective;
    Crew *crew; // NULL: none is open
    uint64_t round;
    int held; // tasks
    bool ended;
} Server;

static bool answer(LetterKind kind, uint64_t round, const char *text, Error *error) {
    return post_send(0, kind, &(LetterHead){.round = round}, text, strlen(text), error);
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
static bool read_order(Objective *objective, const Letter *letter, Error *error) {
    json_t *json = json_parse("the objective", letter->body, letter->size, error);
    bool good = json && objective_restore(objective, json_object_get(json, "objective"), error);
    const char *kernel = json_string_value(json_object_get(json, "kernel"));
    objective->kernel = kernel ? kernel_find(kernel, NULL) : NULL;
    json_decref(json);
    return good;
}

static bool on_open(Server *server, const Letter *letter, Error *error) {
    Error why = {""};
    close_crew(server);
    server->round = letter->head.round;
    server->objective = (Objective){.kernel = NULL};
    if (read_order(&server->objective, letter, &why))
        server->crew = crew_threads(&server->objective, letter->head.count, &why);
    if (!server->crew) {
        objective_free(&server->objective);
        if (!why.text[0])
            error_set(&why, "a crew of %d threads cannot be made.", letter->head.count);
    }
    return answer(LETTER_READY, server->round, why.text, error);
}

static bool on_task(Server *server, const Letter *letter, Error *error) {
    const LetterHead *head = &letter->head;
    if (!server->crew || head->round != server->round)
        return true;
    Error why = {""};
    CrewTask task = {.ticket = head->ticket,
                     .seed = head->seed,
                     .first = head->first,
                     .count = head->count,
                     .vector = letter->body};
    if (letter->size != (size_t)encoding_size(&server->objective.encoding) * sizeof *task.vector)
        return answer(LETTER_FAILED, server->round, "a vector of the wrong length came.", error);
    if (!server->crew->submit(server->crew, &task, &why))
        return answer(LETTER_FAILED, server->round, why.text, error);
    server->held++;
    return true;
}

static bool on_cancel(Server *server, const Letter *letter, Error *error) {
    (void)error;
    if (server->crew)
        server->crew->cancel(server->crew);
    server->round = letter->head.round;
    server->held = 0;
    return true;
}

static bool on_close(Server *server, const Letter *letter, Error *error) {
    close_crew(server);
    return answer(LETTER_BYE, letter->head.round, "", error);
}

static bool on_end(Server *server, const Letter *letter, Error *error) {
    server->ended = true;
    return on_close(server, letter, error);
}

static bool (*const actions[])(Server *server, const Letter *letter, Error *error) = {
    [LETTER_OPEN] = on_open,   [LETTER_TASK] = on_task, [LETTER_CANCEL] = on_cancel,
    [LETTER_CLOSE] = on_close, [LETTER_END] = on_end,
};

static bool on_letter(Server *server, const Letter *letter, Error *error) {
    bool known = letter->kind < (int)(sizeof actions / sizeof *actions) && actions[letter->kind];
    return !known || actions[letter->kind](server, letter, error);
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
        return answer(LETTER_FAILED, server->round, why.text, error);
    }
    if (event != CREW_RESULT)
        return true;
    server->held--;
    LetterHead head = {
        .round = server->round, .ticket = result.ticket, .seconds = result.seconds, .count = result.count};
    return post_send(0, LETTER_RESULT, &head, result.sample, (size_t)result.count * sizeof *result.sample,
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
        Letter letter;
        bool passed = false, rested = false;
        good = post_receive(&letter, error) && on_letter(&server, &letter, error);
        if (good && server.held > 0)
            good = pass_result(&server, 0, &passed, error);
        if (letter.kind || passed)
            pause.pause = 0;
        else if (good)
            good = rest(&server, &pause, &rested, error);
        if (rested)
            pause.pause = 0;
    }
    close_crew(&server);
    return good;
}
