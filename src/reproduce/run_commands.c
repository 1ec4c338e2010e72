// SPDX-License-Identifier: GPL-3.0-or-later
// What a command printed as JSON is kept in DIR/NAME/SCALE/outputs/ under a number made from the command
// line: rows share it, and an interrupted run finds it again.
#include "reproduce/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json_memory.h"
#include "base/json_parse.h"
#include "base/progress.h"
#include "base/replacing.h"
#include "base/text.h"

// -------------------------------------------------------------------------------------------------------
// Folders and files

static bool make_folder(const char *path, Error *error) {
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           error_set(error, "The folder %s cannot be made: %s.", path, strerror(errno));
}

bool reproduction_path(char *path, Error *error, const char *folder, const char *name, const char *ending) {
    return snprintf(path, RUN_PATH, "%s/%s%s", folder, name, ending) < RUN_PATH - 80 ||
           error_set(error, "The path of the folder %.80s... is too long.", folder);
}

static bool write_files(const Run *run) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)run->plan->definition->files, name, value) {
        char path[RUN_PATH];
        char *dumped = json_is_string(value) ? NULL : json_text(value, JSON_INDENT(2));
        const char *text = dumped ? dumped : json_string_value(value);
        char *filled = text ? command_fill(text, run->dir) : NULL; // {dir} is the folder it stands in
        bool good = filled ? reproduction_path(path, run->error, run->dir, name, "") &&
                                 text_write_file(path, filled, strlen(filled), run->error)
                           : error_set(run->error, "Out of memory for the file %s.", name);
        free(dumped);
        free(filled);
        if (!good)
            return false;
    }
    return true;
}

// One program at a time. Commands hold the lock too: one that outlives a killed program is waited for.
static bool take_lock(Run *run) {
    char path[RUN_PATH];
    if (!reproduction_path(path, run->error, run->dir, ".lock", ""))
        return false;
    run->lock = replacing_open(path, O_NOFOLLOW, run->error);
    if (run->lock < 0)
        return false;
    return !flock(run->lock, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK ||
           error_set(
               run->error,
               "Another program is at work in %.300s, or a command that it left behind is ending there: "
               "wait, or give another --out.",
               run->dir);
}

// What killed programs have left over.
static void sweep(const Run *run) {
    char path[RUN_PATH + 16];
    snprintf(path, sizeof path, "%s/", run->dir);
    replacing_sweep(path);
    snprintf(path, sizeof path, "%s/outputs/", run->dir);
    replacing_sweep(path);
    snprintf(path, sizeof path, "%s/%s", run->plan->out, run->plan->definition->name);
    replacing_sweep(path);
}

// The scales have folders of their own: the same file may be another one there.
bool reproduction_prepare(Run *run) {
    const ReproducePlan *plan = run->plan;
    const char *name = plan->definition->name;
    char folder[RUN_PATH], outputs[RUN_PATH];
    bool locked = reproduction_path(folder, run->error, plan->out, name, "") &&
                  reproduction_path(run->dir, run->error, folder, plan->scale, "") &&
                  reproduction_path(run->results, run->error, plan->out, name, ".jsonl") &&
                  reproduction_path(outputs, run->error, run->dir, "outputs", "") &&
                  make_folder(plan->out, run->error) && make_folder(folder, run->error) &&
                  make_folder(run->dir, run->error) && make_folder(outputs, run->error) && take_lock(run);
    if (locked)
        sweep(run);
    return locked && write_files(run);
}

// -------------------------------------------------------------------------------------------------------
// Commands

// Commands that can go on where they were interrupted.
typedef struct Resumable {
    const char *name;
    const char *left; // what it leaves behind, after --out NAME without .json
    bool folder;      // learn --resume NAME; else the same command with --resume
} Resumable;

static const Resumable resumables[] = {{"learn ", "/run.json", true}, {"solve ", ".checkpoint", false}};

// <- the command that resumes this one; free() it. NULL: nothing to resume
static char *resume_command(const char *command, const char *dir) {
    const char *out = strstr(command, "--out ");
    size_t count = sizeof resumables / sizeof *resumables, k = 0;
    while (k < count && strncmp(command, resumables[k].name, strlen(resumables[k].name)))
        k++;
    if (k == count || !out)
        return NULL;
    out += strlen("--out ");
    char name[RUN_PATH], left[RUN_PATH + 16], *result = NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(out, " "), out);
    size_t length = strlen(name);
    if (!resumables[k].folder && length > 5 && !strcmp(name + length - 5, ".json"))
        name[length - 5] = 0;
    snprintf(left, sizeof left, "%s%s", name, resumables[k].left);
    char *path = command_fill(left, dir);
    bool there = path && access(path, F_OK) == 0;
    free(path);
    size_t size = strlen(command) + RUN_PATH;
    if (there && (result = malloc(size)))
        snprintf(result, size, resumables[k].folder ? "learn --resume %s" : "%s --resume",
                 resumables[k].folder ? name : command);
    return result;
}

static void remove_fresh(const Run *run, const DefinitionRow *row, int i) {
    const ReproducePlan *plan = run->plan;
    for (size_t k = 0; k < json_array_size(row->fresh); k++) {
        const char *text = json_string_value(json_array_get(row->fresh, k));
        char *path = definition_expand(plan->definition, plan->scale, text, run->dir, i);
        if (path)
            unlink(path);
        free(path);
    }
}

// Command k of a row.
typedef struct Step {
    const DefinitionRow *row;
    size_t k;
    int i;               // repetition
    const char *command; // with {dir} as it is
    const char *name;    // the same wherever the folder is
    const char *path;    // of its output
} Step;

// Runs it, unless it has been run before.
static bool run_command(const Run *run, const Step *step) {
    char part[RUN_PATH + 8], started[RUN_PATH + 8];
    const char *path = step->path;
    snprintf(part, sizeof part, "%s.part", path);
    snprintf(started, sizeof started, "%s.begun", path);
    if (access(path, F_OK) == 0)
        return true;
    char *resume = access(started, F_OK) ? NULL : resume_command(step->command, run->dir);
    if (step->k == 0 && !resume)
        remove_fresh(run, step->row, step->i);
    bool good = text_write_file(started, step->name, strlen(step->name), run->error) &&
                command_run(resume ? resume : step->command, run->dir, part, run->plan->runner, run->error);
    free(resume);
    if (good && !progress_interrupted && rename(part, path))
        return error_set(run->error, "%s cannot be renamed to %s: %s.", part, path, strerror(errno));
    if (good && !progress_interrupted)
        unlink(started);
    return good;
}

static int by_generation(const void *a, const void *b) {
    static const char *const keys[] = {"generation", "run"};
    for (int k = 0; k < 2; k++) {
        double x = json_number_value(json_object_get(*(json_t *const *)a, keys[k]));
        double y = json_number_value(json_object_get(*(json_t *const *)b, keys[k]));
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

// The lines of a file, in the order of generations: runs side by side finish theirs in any order.
static json_t *read_lines(const char *path, Error *error) {
    int skipped;
    json_t *lines = results_read(path, &skipped, error);
    size_t count = json_array_size(lines);
    json_t **line = malloc((count + 1) * sizeof *line);
    if (lines && !line) {
        error_set(error, "Out of memory for %s.", path);
        json_decref(lines);
        return NULL;
    }
    for (size_t i = 0; i < count; i++)
        line[i] = json_incref(json_array_get(lines, i));
    if (lines)
        qsort(line, count, sizeof *line, by_generation);
    for (size_t i = 0; i < count; i++)
        json_array_set_new(lines, i, line[i]);
    free(line);
    return lines;
}

// All commands of a row. <- the output of the last one, or of the file to take the value from
json_t *reproduction_commands(const Run *run, const DefinitionRow *row, int i) {
    const ReproducePlan *plan = run->plan;
    char path[RUN_PATH] = "";
    bool good = true;
    for (size_t k = 0; good && !progress_interrupted && k < json_array_size(row->commands); k++) {
        const char *text = json_string_value(json_array_get(row->commands, k));
        char *command = definition_expand(plan->definition, plan->scale, text, "{dir}", i);
        char *name = definition_expand(plan->definition, plan->scale, text, plan->definition->name, i);
        good = command && name ? true : error_set(run->error, "Out of memory for a command.");
        if (good)
            good = run_command(run, &(Step){row, k, i, command, name, command_output(run->dir, name, path)});
        free(command);
        free(name);
    }
    if (!good || progress_interrupted)
        return NULL;
    if (!row->from)
        return json_read(path, run->error);
    char *from = definition_expand(plan->definition, plan->scale, row->from, run->dir, i);
    size_t length = from ? strlen(from) : 0;
    bool lines = length > 6 && !strcmp(from + length - 6, ".jsonl");
    json_t *json = lines ? read_lines(from, run->error) : json_read(from ? from : "", run->error);
    free(from);
    return json;
}
