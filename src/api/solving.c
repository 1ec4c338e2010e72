// SPDX-License-Identifier: GPL-3.0-or-later
// Optima of small boards for the public interface.
#include <math.h>

#include "api/attend.h"
#include "api/settings.h"
#include "base/json_memory.h"
#include "tasks/solve.h"

typedef struct SolveTask {
    Running running;
    SolveSettings solve;
} SolveTask;

static int solve_sets(void *options, OptionSet *sets) {
    sets[0] = (OptionSet){solve_fields, &((SolveTask *)options)->solve, NULL};
    return 1;
}

// A check without `out` would need a temporary file.
static void solve_presets(void *options) {
    ((SolveTask *)options)->solve.games = 0;
}

static const char *const solve_others[] = {"check-games", "0", NULL};
const Task task_solve = {.name = "solve",
                         .size = sizeof(SolveTask),
                         .sets = solve_sets,
                         .without = " max-pieces kernel ",
                         .presets = solve_presets,
                         .others = solve_others};

typedef struct Solver {
    SolveTask task;
    Attended attended;
    SolveJob job;
    bool wants_json;
    char *json; // owned
    Error *error;
} Solver;

static bool solve(void *context) {
    Solver *solver = context;
    SolveJob *job = &solver->job;
    Error *error = solver->error;
    if (!solve_prepare(job, error) || !solve_run(job, error))
        return false;
    if (!job->solving.interrupted && !solve_verify(job, error))
        return false;
    if (solver->wants_json && !(solver->json = json_document(solve_json(job, tetralab_version()))))
        return error_set(error, "Out of memory for the JSON text.");
    return true;
}

static tetralab_solution solution_of(const SolveJob *job) {
    const Solving *solving = &job->solving;
    const Summary *summary = &job->summary;
    tetralab_solution solution = {.mean = solving->mean,
                                  .bound = solving->bound,
                                  .states = solving->reachable.boards,
                                  .values = solving->reachable.set.boards,
                                  .sweeps = solving->sweeps,
                                  .memory = solving->memory,
                                  .seconds = solving->seconds,
                                  .interrupted = solving->interrupted,
                                  .check_mean = NAN,
                                  .check_interval = {NAN, NAN},
                                  .check_deviation = NAN};
    if (job->checked) {
        solution.check_games = summary->games;
        solution.check_mean = summary->mean;
        solution.check_interval = (tetralab_interval){summary->normal.low, summary->normal.high};
        solution.check_deviation = job->deviation;
    }
    return solution;
}

bool tetralab_solve(const tetralab_rules *rules, const tetralab_settings *settings,
                    tetralab_solution *solution, char **json, tetralab_watch *watch, void *context,
                    tetralab_error *error) {
    Solver solver = {
        .attended = {.watch = watch, .context = context}, .wants_json = json, .error = api_error(error)};
    SolveTask *task = &solver.task;
    Asked asked;
    bool good = asked_read(&asked, settings, &task_solve, task, api_error(error));
    solver.job = (SolveJob){.rules = &rules->rules,
                            .settings = &task->solve,
                            .seed = task->running.seed,
                            .work = {.jobs = (int)task->running.jobs,
                                     .stop = &solver.attended.stop,
                                     .progress = attend_tell,
                                     .context = &solver.attended}};
    good = good && solve_check(&solver.job, api_error(error)) &&
           attend(&solver.attended, solve, &solver, api_error(error));
    if (good) {
        *solution = solution_of(&solver.job);
        if (json)
            *json = solver.json;
    }
    solve_free(&solver.job);
    asked_free(&asked);
    return good;
}
