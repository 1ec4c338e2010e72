// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a learning run: making, opening, writing. What is read in it: run_files.c and
// learning_history.c. Two programs in one folder would mix their generations; a lock on a file keeps the
// second one out. The system ends the lock with the process that holds it, so a killed program leaves none
// behind. Where the file system knows no locks, there is none.
#include "learn/run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/replacing.h"
#include "base/text.h"
#include "learn/run_files.h"

// ---------------------------------------------------------------------------------------------------
// Making and opening

static RunFolder *folder_make(const char *path, Error *error) {
    RunFolder *folder = calloc(1, sizeof *folder);
    if (!folder)
        return error_null(error, "Out of memory: cannot open the folder %.300s.", path);
    folder->lock = -1;
    snprintf(folder->path, sizeof folder->path, "%s", path);
    return folder;
}

void run_folder_close(RunFolder *folder) {
    if (!folder)
        return;
    json_lines_close(folder->lines);
    if (folder->lock >= 0)
        close(folder->lock);
    for (int k = 0; folder->state && k < folder->players.runs; k++)
        json_decref(folder->state[k]);
    free(folder->state);
    run_players_free(&folder->players);
    free(folder);
}

static bool take_lock(RunFolder *folder, Error *error) {
    char path[RUN_PATH];
    folder->lock = replacing_open(run_path(folder->path, ".lock", path), O_NOFOLLOW, error);
    if (folder->lock < 0)
        return false;
    if (flock(folder->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return error_set(error,
                         "Another program is learning in %.300s: wait for its end, or give another folder.",
                         folder->path);
    replacing_sweep(run_path(folder->path, "", path));
    return true;
}

static bool set_plan(RunFolder *folder, const LearningPlan *plan, Error *error) {
    folder->state = calloc((size_t)plan->runs, sizeof *folder->state);
    return (folder->state || error_set(error, "Out of memory for %d runs.", plan->runs)) &&
           run_players_make(&folder->players, plan, folder->path, error);
}

static const char *checkpoint_path(const RunFolder *folder, int run, char out[RUN_PATH]) {
    char name[40];
    snprintf(name, sizeof name, "checkpoint-%d.json", run + 1);
    return run_path(folder->path, name, out);
}

static bool open_lines(RunFolder *folder, Error *error) {
    char path[RUN_PATH];
    folder->lines = json_lines_open(run_path(folder->path, "journal.jsonl", path), error);
    return folder->lines != NULL;
}

// Files of another run would be mixed up with those of this one.
static bool check_empty(const RunFolder *folder, Error *error) {
    struct stat status;
    char path[RUN_PATH];
    if (!lstat(run_path(folder->path, "run.json", path), &status))
        return error_set(error,
                         "There is a run in %.200s already: resume it with \"learn --resume %.200s\", or "
                         "give another folder.",
                         folder->path, folder->path);
    run_path(folder->path, "journal.jsonl", path);
    for (int k = 0; k <= folder->players.runs; checkpoint_path(folder, k++, path))
        if (!lstat(path, &status))
            return error_set(
                error, "%.300s is left over from another run: remove it, or give another folder.", path);
    return true;
}

bool run_folder_change(RunFolder *folder, const LearningPlan *plan, const char *version, Error *error) {
    char path[RUN_PATH], *text = run_plan_text(plan, version, error);
    LearningPlan again = {0}; // the file must give the plan back: found out now, not after hours
    run_path(folder->path, "run.json", path);
    bool good = text && run_plan_parse(&again, path, text, strlen(text), error) &&
                text_write_file(path, text, strlen(text), error);
    learning_plan_free(&again);
    free(text);
    return good;
}

RunFolder *run_folder_new(const char *path, const LearningPlan *plan, const char *version, Error *error) {
    RunFolder *folder = folder_make(path, error);
    if (!folder)
        return NULL;
    bool made = !mkdir(path, 0777);
    bool good = made || errno == EEXIST ||
                error_set(error, "cannot make the folder %.300s: %s.", path, strerror(errno));
    good = good && take_lock(folder, error);
    bool locked = good;
    good = good && set_plan(folder, plan, error) && check_empty(folder, error) &&
           run_folder_change(folder, plan, version, error) && open_lines(folder, error);
    if (good)
        return folder;
    char lock[RUN_PATH];
    if (made && locked && !unlink(run_path(path, ".lock", lock)))
        rmdir(path); // only if there is nothing else in it
    run_folder_close(folder);
    return NULL;
}

// A run without a checkpoint has not ended its first generation.
static bool read_checkpoint(RunFolder *folder, const LearningPlan *plan, int run, Error *error) {
    char path[RUN_PATH];
    Generation newest = {0};
    json_t *state = NULL;
    size_t length = 0;
    if (access(checkpoint_path(folder, run, path), F_OK))
        return errno == ENOENT || error_set(error, "cannot read %.300s: %s.", path, strerror(errno));
    Error why = {""};
    char *text = text_read_file(path, &length, &why);
    bool good =
        text && run_checkpoint_parse(&newest, &state, run, folder->players.size, path, text, length, &why);
    Error other = {""};
    if (good && !learning_state_check(state, plan, &other))
        good = error_set(&why, "%.200s: %.150s", path, other.text);
    if (good) {
        run_players_set(&folder->players, run, newest.generation, newest.answer);
        folder->state[run] = json_incref(state);
        folder->spent = fmax(folder->spent, newest.seconds);
    } else {
        error_set(error, "%.380s Remove this file to begin run %d anew.", why.text, run + 1);
    }
    run_line_free(&newest);
    json_decref(state);
    free(text);
    return good;
}

static bool read_runs(RunFolder *folder, const LearningPlan *plan, Error *error) {
    const RunPlayers *players = &folder->players;
    bool good = true;
    for (int k = 0; good && k < folder->players.runs; k++)
        good = read_checkpoint(folder, plan, k, error);
    char history[RUN_PATH];
    good = good && run_history_sift(run_path(folder->path, "journal.jsonl", history), players->runs,
                                    players->size, players->generations, &folder->left_out, error);
    // A killed program may have left the players behind.
    for (int k = 0; good && k < players->runs; k++)
        good = !players->generations[k] || run_players_write(players, folder->path, k, error);
    return good;
}

bool run_folder_plan(const char *path, LearningPlan *plan, Error *error) {
    *plan = (LearningPlan){0};
    size_t length = 0;
    char name[RUN_PATH], *text = NULL;
    if (access(run_path(path, "run.json", name), F_OK))
        return error_set(error, "There is no run in %.200s: %.240s cannot be read (%s).", path, name,
                         strerror(errno));
    bool good =
        (text = text_read_file(name, &length, error)) && run_plan_parse(plan, name, text, length, error);
    free(text);
    return good;
}

RunFolder *run_folder_open(const char *path, LearningPlan *plan, Error *error) {
    RunFolder *folder = folder_make(path, error);
    *plan = (LearningPlan){0};
    if (!folder)
        return NULL;
    LearningPlan before = {0}; // a folder without a run is not locked: that would leave a file in it
    bool good = run_folder_plan(path, &before, error) && take_lock(folder, error) &&
                run_folder_plan(path, plan, error) && set_plan(folder, plan, error) &&
                read_runs(folder, plan, error) && open_lines(folder, error);
    learning_plan_free(&before);
    if (good)
        return folder;
    run_folder_close(folder);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Writing

bool run_folder_generation(RunFolder *folder, const Generation *generation, const json_t *state,
                           Error *error) {
    int run = generation->run;
    char *text = run_checkpoint_text(generation, state, error); // before the line: what fails leaves no trace
    char path[RUN_PATH];
    // Waiting for a busy disk can take longer than a generation: at most once a second.
    double now = clock_seconds();
    bool sync = now - folder->synced >= 1;
    json_t *line = text ? run_line_json(generation, error) : NULL;
    bool good = line && json_lines_append(folder->lines, line, error) &&
                text_replace(checkpoint_path(folder, run, path), text, strlen(text), sync, error);
    folder->synced = good && sync ? now : folder->synced;
    free(text);
    if (!good)
        return false;
    run_players_set(&folder->players, run, generation->generation, generation->answer);
    return run_players_write(&folder->players, folder->path, run, error);
}

bool run_folder_ended(RunFolder *folder, const Generation *last, const json_t *state, Error *error) {
    char path[RUN_PATH], *text = run_checkpoint_text(last, state, error);
    bool good =
        text && text_replace(checkpoint_path(folder, last->run, path), text, strlen(text), true, error);
    free(text);
    return good;
}
