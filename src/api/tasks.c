// SPDX-License-Identifier: GPL-3.0-or-later
// Tasks for the public interface: by their names, with results as JSON.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/attend.h"
#include "api/settings.h"
#include "base/json_memory.h"
#include "game/rules.h"

_Static_assert((int)TETRALAB_MAX_SEATS == MATCH_MAX_SEATS,
               "the limits of tetralab.h are those of the library");

typedef struct Doing {
    const Task *task;
    TaskSettings settings;
    Asked asked;
    Attended attended;
    TaskJob job;
    char *text; // owned
    Error *error;
} Doing;

static void begin_player(void *context, int k) {
    Attended *attended = context;
    attended->subject = k;
    attend_tell(attended, &(Advance){.unit = "", .value = NAN, .precision = NAN});
}

static bool work(void *context) {
    Doing *doing = context;
    return task_run(doing->task, &doing->job, doing->error) &&
           ((doing->text = json_document(doing->job.result, 17)) ||
            error_set(doing->error, "Out of memory for the JSON text."));
}

// -> list  room for all
static bool take_players(TaskJob *job, const Player **list, const tetralab_player *const *players, int count,
                         Error *error) {
    for (int k = 0; k < count; k++) {
        const char *difference = rules_difference(&players[0]->rules.rules, &players[k]->rules.rules);
        if (difference)
            return error_set(error, "Players 0 and %d play by different rules: make them with the same %s.",
                             k, difference);
        list[k] = players[k]->player;
    }
    job->player = list;
    job->players = count;
    return true;
}

static void run(Doing *doing, const tetralab_rules *rules, const tetralab_player *const *players, int count,
                const tetralab_settings *settings) {
    TaskJob *job = &doing->job;
    const Player **list = calloc(count > 0 ? (size_t)count : 1, sizeof *list);
    if (!list)
        error_set(doing->error, "Out of memory for %d players.", count);
    else if (take_players(job, list, players, count, doing->error) &&
             asked_read(&doing->asked, settings, doing->task, &doing->settings, doing->error)) {
        job->settings = &doing->settings;
        job->arguments = &doing->asked.arguments;
        job->rules = count > 0 ? &players[0]->rules.rules : &rules->rules;
        job->kernel = count > 0 ? kernel_name(players[0]->kernel) : NULL;
        job->max_pieces = count > 0 ? UINT64_MAX : rules->max_pieces;
        job->version = tetralab_version();
        job->begin = begin_player;
        job->work = (Work){.jobs = (int)doing->settings.running.jobs,
                           .stop = &doing->attended.stop,
                           .progress = attend_tell,
                           .context = &doing->attended};
        attend(&doing->attended, work, doing, doing->error);
    }
    asked_free(&doing->asked);
    free(list);
}

char *tetralab_run(const char *task, const tetralab_rules *rules, const tetralab_player *const *players,
                   int count, const tetralab_settings *settings, tetralab_watch *watch, void *context,
                   tetralab_error *error) {
    Doing *doing = calloc(1, sizeof *doing);
    tetralab_rules *usual = rules || count > 0 ? NULL : tetralab_rules_new();
    char *text = NULL;
    if (!doing || !(rules || count > 0 || usual))
        error_set(api_error(error), "Out of memory for a task.");
    else if ((doing->task = task_find(task, api_error(error)))) {
        doing->attended.watch = watch;
        doing->attended.context = context;
        doing->error = api_error(error);
        run(doing, rules ? rules : usual, players, count, settings);
        text = doing->text;
    }
    tetralab_rules_free(usual);
    free(doing);
    return text;
}

bool tetralab_result_describe(const char *name, int index, tetralab_member *member) {
    const Task *task = task_find(name, NULL);
    const ResultMember *found = task ? task->result : NULL;
    for (int k = 0; found && found->name && k < index; k++)
        found++;
    if (!found || !found->name || index < 0)
        return false;
    *member = (tetralab_member){.name = found->name,
                                .unit = found->unit,
                                .meaning = found->meaning,
                                .first = found->flags & RESULT_FIRST,
                                .infinite = found->flags & RESULT_INFINITE};
    return true;
}

// <- a new reference; NULL: there is none
static json_t *find(const char *json, const char *path) {
    json_t *root = json_loads(json, 0, NULL), *found = root;
    for (size_t length; found && *path; path += length + (path[length] == '.')) {
        char name[64];
        length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        bool is_index = *name && !name[strspn(name, "0123456789")];
        if (json_is_array(found))
            found = is_index ? json_array_get(found, strtoul(name, NULL, 10)) : NULL;
        else
            found = json_object_get(found, name);
    }
    json_incref(found);
    json_decref(root);
    return found;
}

double tetralab_result_number(const char *json, const char *path) {
    json_t *found = find(json, path);
    double number = json_is_number(found) ? json_number_value(found) : NAN;
    json_decref(found);
    return number;
}

char *tetralab_result_text(const char *json, const char *path) {
    json_t *found = find(json, path);
    char *text = json_is_string(found)
                     ? strdup(json_string_value(found))
                     : json_dumps(found, JSON_ENCODE_ANY | JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(found);
    return text;
}
