// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/crew.h"

#include <stdlib.h>
#include <string.h>

static const double LOOK_EVERY = 0.02; // seconds: at progress and Ctrl-C
// Tasks for each worker, if that leaves a sample for each of them: fewer for a kind whose workers play the
// samples of one task side by side, which is faster the more there are.
enum { TASKS_EACH = 64, TASKS_EACH_ALONE = 2 };

typedef struct Bench {
    Judge *judge;
    Crew *crew;
    uint64_t submitted; // the first so many were
    uint64_t share;     // samples of a task
    bool halted, good;
    Error *error;
} Bench;

static char *sample_at(const Judge *judge, uint64_t number) {
    return judge->sample + number * judge->kind->sample_bytes;
}

static bool is_done(const Judge *judge, uint64_t number) {
    return number < judge->room && *(const bool *)(sample_at(judge, number) + judge->kind->done);
}

static bool make_room(Judge *judge, uint64_t samples, Error *error) {
    if (samples <= judge->room)
        return true;
    uint64_t room = samples + judge->room / 2;
    char *larger = realloc(judge->sample, room * judge->kind->sample_bytes);
    if (!larger)
        return error_set(error, "Out of memory for %llu samples.", (unsigned long long)samples);
    judge->sample = larger;
    memset(sample_at(judge, judge->room), 0, (room - judge->room) * judge->kind->sample_bytes);
    judge->room = room;
    return true;
}

bool judge_know(Judge *judge, const void *sample, uint64_t count, Error *error) {
    if (!count)
        return true;
    if (!make_room(judge, count, error))
        return false;
    memcpy(judge->sample, sample, count * judge->kind->sample_bytes);
    return true;
}

// Is it to be made here?
static bool is_missing(const Judge *judge, uint64_t number) {
    const Shard *shard = &judge->shard;
    return !is_done(judge, number) && (!shard->of || (judge->first + number) % shard->of == shard->number);
}

// Takes what there is, in order. <- true: that is enough
static bool take(Bench *bench) {
    Judge *judge = bench->judge;
    while (bench->good && !judge->enough(judge->self)) {
        if (!is_done(judge, judge->taken))
            return false;
        bench->good = judge->take(judge->self, sample_at(judge, judge->taken++), bench->error);
    }
    return true;
}

// Samples that are wanted and missing, in tasks.
static bool submit(Bench *bench) {
    Judge *judge = bench->judge;
    uint64_t wanted = judge->wanted(judge->self);
    while (bench->good && bench->submitted < wanted) {
        CrewTask task = {.ticket = bench->submitted, .seed = judge->seed};
        task.first = judge->first + bench->submitted;
        while (bench->submitted < wanted && (uint64_t)task.count < bench->share &&
               is_missing(judge, bench->submitted))
            task.count++, bench->submitted++;
        bench->good = make_room(judge, bench->submitted, bench->error) &&
                      (!task.count || bench->crew->submit(bench->crew, &task, bench->error));
        while (bench->submitted < wanted && !is_missing(judge, bench->submitted))
            bench->submitted++;
    }
    return bench->good;
}

static void look(void *context) {
    Bench *bench = context;
    Judge *judge = bench->judge;
    judge->tell(judge->self, bench->crew);
    if (bench->halted || !work_is_stopped(judge->work))
        return;
    bench->halted = true;
    bench->crew->halt(bench->crew);
}

static bool keep(const Bench *bench, const CrewResult *result) {
    Judge *judge = bench->judge;
    uint64_t end = bench->submitted < judge->room ? bench->submitted : judge->room;
    bool asked = result->ticket <= end && (uint64_t)result->count <= end - result->ticket;
    for (int k = 0; asked && k < result->count; k++)
        asked = is_missing(judge, result->ticket + (uint64_t)k);
    if (!asked)
        return error_set(bench->error, "A result came that nobody has asked for.");
    size_t bytes = judge->kind->sample_bytes;
    memcpy(sample_at(judge, result->ticket), result->sample, (size_t)result->count * bytes);
    for (uint64_t k = result->ticket; judge->arrived && k < result->ticket + (uint64_t)result->count; k++)
        if (is_done(judge, k))
            judge->arrived(judge->self, k, sample_at(judge, k));
    return true;
}

static void loop(Bench *bench, CrewResult *result) {
    while (!take(bench) && (bench->halted || submit(bench))) {
        CrewEvent event = bench->crew->wait(bench->crew, LOOK_EVERY, result, bench->error);
        bench->good = event != CREW_FAILED;
        if (event == CREW_IDLE)
            break;
        if (event == CREW_RESULT)
            bench->good = keep(bench, result);
        look(bench);
    }
}

bool judge_run(Judge *judge, Error *error) {
    Bench bench = {.judge = judge, .good = true, .error = error};
    bool enough = take(&bench);
    judge->interrupted = !enough && work_is_stopped(judge->work);
    if (enough || judge->interrupted)
        return bench.good;
    CrewResult *result = malloc(sizeof *result);
    if (!result)
        return error_set(error, "Out of memory for the results.");
    bench.crew = judge->make(judge->kind, judge->context, judge->work->jobs, error);
    if (bench.crew) {
        bench.crew->noted = look;
        bench.crew->context = &bench;
        uint64_t each = judge->kind->room > 1 ? TASKS_EACH : TASKS_EACH_ALONE;
        bench.share = judge->wanted(judge->self) / ((uint64_t)bench.crew->workers * each);
        bench.share =
            bench.share > (uint64_t)judge->share ? (uint64_t)judge->share : bench.share + !bench.share;
        loop(&bench, result);
        judge->interrupted = bench.halted;
        bench.crew->close(bench.crew);
    }
    free(result);
    return bench.crew && bench.good;
}
