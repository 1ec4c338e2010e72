// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/ioh_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json_memory.h"
#include "base/json_parse.h"
#include "base/json_values.h"
#include "base/list.h"
#include "base/text.h"
#include "learn/benchmark.h"
#include "learn/run_players.h"

static const char HEAD[] = "evaluations raw_y raw_y_best samples pieces\n";
static const char VERSION[] = "0.3.5"; // of the format: from 0.3.3 on readers look into the JSON

// ---------------------------------------------------------------------------------------------------
// Making

static void name_function(IohLog *log, const char *instance, const Objective *objective) {
    char features[32], rules[64];
    Error error = {""};
    const Benchmark *benchmark = *instance ? benchmark_find(instance, &error) : NULL;
    log->id = benchmark ? benchmark->id : 0;
    run_features_name(&objective->encoding, features);
    run_rules_name(&objective->rules, rules);
    if (benchmark)
        snprintf(log->name, sizeof log->name, "%s", benchmark->name);
    else
        snprintf(log->name, sizeof log->name, "tetris-%.20s-%.30s-%s", features, rules,
                 objective_words[objective->kind]);
    for (char *c = log->name; *c; c++) // it is part of file names
        if (strchr(" /:,", *c))
            *c = '-';
}

bool ioh_log_make(IohLog *log, const char *instance, const Objective *objective, const char *algorithm,
                  const char *info, int runs, Error *error) {
    *log = (IohLog){.dimension = encoding_size(&objective->encoding), .runs = runs};
    name_function(log, instance, objective);
    snprintf(log->algorithm, sizeof log->algorithm, "%s", algorithm);
    snprintf(log->info, sizeof log->info, "%s", info);
    log->run = calloc((size_t)runs, sizeof *log->run);
    for (int k = 0; log->run && k < runs; k++) {
        IohRun *run = &log->run[k];
        *run = (IohRun){.instance = k + 1, .lines = NAN, .low = NAN, .high = NAN};
        run->best_vector = calloc((size_t)log->dimension, sizeof *run->best_vector);
        if (!run->best_vector)
            return error_set(error, "Out of memory for the log.");
    }
    return log->run || error_set(error, "Out of memory for the log.");
}

void ioh_log_free(IohLog *log) {
    for (int k = 0; log->run && k < log->runs; k++) {
        free(log->run[k].row);
        free(log->run[k].best_vector);
    }
    free(log->run);
    *log = (IohLog){0};
}

bool ioh_log_row(IohLog *log, int number, const IohRow *row, const double *vector, Error *error) {
    IohRun *run = &log->run[number];
    if (!list_room(&run->row, run->rows, sizeof *run->row))
        return error_set(error, "Out of memory for more than %" PRIu64 " rows of the log.", run->rows);
    run->row[run->rows++] = *row;
    if (run->rows == 1 || row->score > run->row[run->best - 1].score) {
        run->best = run->rows;
        memcpy(run->best_vector, vector, (size_t)log->dimension * sizeof *vector);
    }
    return true;
}

bool ioh_log_learned(IohLog *log, const LearningPlan *plan, const LearningHistory *history, Error *error) {
    char info[200];
    snprintf(info, sizeof info, "tetralab learn, seed %" PRIu64 ", population %d", plan->seed,
             history->count ? history->generation[0].candidates : 0);
    if (!ioh_log_make(log, plan->instance, &plan->objective, optimiser_words[plan->optimiser.method], info,
                      plan->runs, error))
        return false;
    for (int g = 0; g < history->count; g++) {
        const Generation *generation = &history->generation[g];
        if (!generation->candidates)
            return error_set(error,
                             "generation %" PRIu64 " of run %d does not have the scores of its "
                             "vectors: an older version learned it, and its log cannot be written.",
                             generation->generation, generation->run + 1);
        for (int i = 0; i < generation->candidates; i++) {
            IohRow row = {generation->scores[i], (uint64_t)generation->score_samples[i],
                          (uint64_t)generation->score_pieces[i]};
            if (!ioh_log_row(log, generation->run, &row, generation->best_vector, error))
                return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Files

typedef struct Paths {
    char json[RUN_PATH], folder[RUN_PATH], data[RUN_PATH];
    char data_name[200]; // as the JSON says it, relative to its own place
} Paths;

static void make_paths(Paths *paths, const IohLog *log, const char *folder) {
    char name[200];
    snprintf(name, sizeof name, "IOHprofiler_f%d_%s.json", log->id, log->name);
    run_path(folder, name, paths->json);
    snprintf(name, sizeof name, "data_f%d_%s", log->id, log->name);
    run_path(folder, name, paths->folder);
    char file[80];
    snprintf(file, sizeof file, "IOHprofiler_f%d_DIM%d.dat", log->id, log->dimension);
    run_path(paths->folder, file, paths->data);
    snprintf(paths->data_name, sizeof paths->data_name, "%.110s/%s", name, file);
}

static bool make_folder(const char *path, Error *error) {
    return !mkdir(path, 0777) || errno == EEXIST ||
           error_set(error, "cannot make the folder %.300s: %s.", path, strerror(errno));
}

static json_t *run_json(const IohLog *log, const IohRun *run) {
    json_t *best = json_object(), *json = json_object();
    json_object_set_new(best, "evals", json_whole(run->best));
    json_object_set_new(best, "y", json_real(run->row[run->best - 1].score));
    json_object_set_new(best, "x", json_list(run->best_vector, log->dimension));
    json_object_set_new(json, "instance", json_integer(run->instance));
    json_object_set_new(json, "evals", json_whole(run->rows));
    json_object_set_new(json, "best", best);
    if (!isnan(run->lines)) {
        json_object_set_new(json, "recommended_lines", json_real(run->lines));
        json_object_set_new(json, "recommended_low", json_real(run->low));
        json_object_set_new(json, "recommended_high",
                            isfinite(run->high) ? json_real(run->high) : json_null());
    }
    return json;
}

// -> runs  of earlier programs, to which those of the log are added; the reference is taken
static json_t *log_json(const IohLog *log, const Paths *paths, json_t *runs) {
    static const char *const attributes[] = {"evaluations", "raw_y", "raw_y_best", "samples", "pieces"};
    json_t *json = json_object(), *names = json_array(), *scenario = json_object(), *list = json_array();
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        json_array_append_new(names, json_string(attributes[i]));
    for (int k = 0; k < log->runs; k++)
        if (log->run[k].rows)
            json_array_append_new(runs, run_json(log, &log->run[k]));
    json_object_set_new(scenario, "dimension", json_integer(log->dimension));
    json_object_set_new(scenario, "path", json_string(paths->data_name));
    json_object_set_new(scenario, "runs", runs);
    json_array_append_new(list, scenario);
    json_object_set_new(json, "version", json_string(VERSION));
    json_object_set_new(json, "suite", json_string("tetralab"));
    json_object_set_new(json, "function_id", json_integer(log->id));
    json_object_set_new(json, "function_name", json_string(log->name));
    json_object_set_new(json, "maximization", json_true());
    json_object_set_new(
        json, "algorithm",
        json_pack("{s:o, s:o}", "name", json_name(log->algorithm), "info", json_name(log->info)));
    json_object_set_new(json, "attributes", names);
    json_object_set_new(json, "scenarios", list);
    return json;
}

// The blocks of the runs that the JSON knows of; a block more may be there, from a killed program.
static size_t known_length(const char *text, size_t runs) {
    const char *at = text;
    for (size_t k = 0; k < runs && at; k++)
        at = strstr(at + (k > 0), HEAD);
    const char *next = at ? strstr(at + 1, HEAD) : NULL;
    return runs == 0 ? 0 : next ? (size_t)(next - text) : strlen(text);
}

static void print_rows(FILE *out, const IohRun *run) {
    uint64_t samples = 0, pieces = 0;
    double best = -INFINITY;
    fputs(HEAD, out);
    for (uint64_t k = 0; k < run->rows; k++) {
        const IohRow *row = &run->row[k];
        best = fmax(best, row->score);
        fprintf(out, "%" PRIu64 " %.17g %.17g %" PRIu64 " %" PRIu64 "\n", k + 1, row->score, best,
                samples += row->samples, pieces += row->pieces);
    }
}

// <- the runs in the file, a new reference; none: an empty list. NULL on error
static json_t *read_runs(const IohLog *log, const Paths *paths, IohMode mode, Error *error) {
    size_t length;
    if (mode == IOH_REPLACE || access(paths->json, F_OK))
        return json_array();
    if (mode == IOH_NEW)
        return error_null(error, "There is %.300s already: give another folder for the log.", paths->json);
    char *text = text_read_file(paths->json, &length, error);
    json_t *root = text ? json_parse_exact(paths->json, text, length, error) : NULL;
    const char *name = json_string_value(json_object_get(json_object_get(root, "algorithm"), "name"));
    json_t *scenario = json_array_get(json_object_get(root, "scenarios"), 0);
    json_t *runs = json_incref(json_object_get(scenario, "runs"));
    bool same = name && !strcmp(name, log->algorithm) && json_is_array(runs) &&
                json_integer_value(json_object_get(scenario, "dimension")) == log->dimension;
    if (root && !same)
        error_set(error,
                  "%.300s is the log of another algorithm or problem: give another folder, or --algorithm.",
                  paths->json);
    free(text);
    json_decref(root);
    if (same)
        return runs;
    json_decref(runs);
    return NULL;
}

bool ioh_log_check(const IohLog *log, const char *folder, IohMode mode, Error *error) {
    Paths paths;
    make_paths(&paths, log, folder);
    json_t *runs = read_runs(log, &paths, mode, error);
    json_decref(runs);
    return runs && make_folder(folder, error) && make_folder(paths.folder, error) &&
           text_can_write(paths.data, error) && text_can_write(paths.json, error);
}

static bool write_rows(const IohLog *log, const Paths *paths, size_t known, Error *error) {
    char *before = NULL, *text = NULL;
    size_t length = 0;
    if (known && !(before = text_read_file(paths->data, &length, error)))
        return false;
    FILE *out = open_memstream(&text, &length);
    if (out && before)
        fwrite(before, 1, known_length(before, known), out);
    for (int k = 0; out && k < log->runs; k++)
        if (log->run[k].rows)
            print_rows(out, &log->run[k]);
    bool good = out && !ferror(out);
    good = out && !fclose(out) && good;
    good = good ? text_write_file(paths->data, text, length, error)
                : error_set(error, "Out of memory for the log %.300s.", paths->data);
    free(before);
    free(text);
    return good;
}

static bool write_files(const IohLog *log, const Paths *paths, IohMode mode, Error *error) {
    json_t *runs = read_runs(log, paths, mode, error);
    if (!runs)
        return false;
    bool good = write_rows(log, paths, json_array_size(runs), error);
    json_t *json = good ? log_json(log, paths, runs) : NULL;
    if (!good)
        json_decref(runs);
    char *text = json ? json_text(json, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(json);
    if (good)
        good = text ? text_write_file(paths->json, text, strlen(text), error)
                    : error_set(error, "Out of memory for the log %.300s.", paths->json);
    free(text);
    return good;
}

// Several programs may add their runs at the same time: one after the other, by a lock on the folder of the
// rows. Where the file system knows no locks, there is none.
bool ioh_log_write(const IohLog *log, const char *folder, IohMode mode, Error *error) {
    Paths paths;
    make_paths(&paths, log, folder);
    if (!make_folder(folder, error) || !make_folder(paths.folder, error))
        return false;
    int lock = open(paths.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock >= 0)
        flock(lock, LOCK_EX);
    bool good = write_files(log, &paths, mode, error);
    if (lock >= 0)
        close(lock);
    return good;
}
