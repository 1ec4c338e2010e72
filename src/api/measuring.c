// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements for the public interface.
#include "api/measuring.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/attend.h"
#include "api/settings.h"
#include "base/json_memory.h"
#include "tasks/measure_job.h"

typedef struct MeasureTask {
    Running running;
    MeasureSettings measure;
} MeasureTask;

static int measure_sets(void *options, OptionSet *sets) {
    sets[0] = (OptionSet){measure_fields, &((MeasureTask *)options)->measure, NULL};
    return 1;
}

const Task task_measure = {
    .name = "measure", .size = sizeof(MeasureTask), .sets = measure_sets, .without = " max-pieces kernel "};

tetralab_measurement api_measurement(const Measurement *m) {
    tetralab_measurement out = {.mean = m->mean_lines,
                                .interval = {m->interval.low, m->interval.high},
                                .precision = m->precision,
                                .method = measure_method_words[m->method],
                                .count = m->method == MEASURE_GAMES       ? m->games.games
                                         : m->method == MEASURE_SPLITTING ? m->splitting.runs
                                                                          : 0,
                                .pieces = m->pieces,
                                .seconds = m->seconds,
                                .precise = m->precise,
                                .interrupted = m->interrupted};
    snprintf(out.note, sizeof out.note, "%s", m->note);
    return out;
}

typedef struct Measuring {
    MeasureTask task;
    Attended attended;
    MeasureJob job;
    const Kernel *kernel;
    bool wants_json;
    char *json; // owned
    Error *error;
} Measuring;

static bool make_json(Measuring *measuring) {
    const MeasureJob *job = &measuring->job;
    if (!measuring->wants_json)
        return true;
    measuring->json = json_document(measure_json(&job->row, &job->measurement, job->plan.precision,
                                                 kernel_name(measuring->kernel), tetralab_version()));
    return measuring->json || error_set(measuring->error, "Out of memory for the JSON text.");
}

static bool measure(void *context) {
    Measuring *measuring = context;
    MeasureJob *job = &measuring->job;
    Error *error = measuring->error;
    const char *journal = measuring->task.measure.journal;
    if (journal && !(job->journal = json_lines_open(journal, error)))
        return false;
    bool good = measure_job_begin(job, tetralab_version(), error) && measure_job_run(job, error);
    if (good && job->trouble.text[0]) // with the journal: no reason to lose what was measured
        snprintf(job->measurement.note, sizeof job->measurement.note, "%.390s", job->trouble.text);
    good = good && make_json(measuring);
    json_lines_close(job->journal);
    return good;
}

bool tetralab_measure(const tetralab_player *player, const tetralab_settings *settings,
                      tetralab_measurement *measurement, char **json, tetralab_watch *watch, void *context,
                      tetralab_error *error) {
    Measuring measuring = {.attended = {.watch = watch, .context = context},
                           .kernel = player->kernel,
                           .wants_json = json,
                           .error = api_error(error)};
    MeasureTask *task = &measuring.task;
    MeasureJob *job = &measuring.job;
    const Rules *rules = &player->rules.rules;
    Asked asked;
    bool good = asked_read(&asked, settings, &task_measure, task, api_error(error)) &&
                measure_settings_check(&task->measure, rules, api_error(error));
    if (good) {
        job->player = player->player;
        job->rules = rules;
        job->plan = measure_settings_plan(&task->measure, task->running.seed, (int)task->running.jobs);
        job->plan.work.stop = &measuring.attended.stop;
        job->plan.work.progress = attend_tell;
        job->plan.work.context = &measuring.attended;
        good = attend(&measuring.attended, measure, &measuring, api_error(error));
    }
    if (good) {
        *measurement = api_measurement(&job->measurement);
        if (json)
            *json = measuring.json;
    }
    measure_job_free(job);
    asked_free(&asked);
    return good;
}
