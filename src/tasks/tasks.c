// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/tasks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_memory.h"
#include "base/text.h"
#include "learn/learn_session.h"

static int jobs_of(const TaskJob *job) {
    return (int)job->settings->running.jobs;
}

// ---------------------------------------------------------------------------------------------------
// What runs them

static bool run_measure(TaskJob *job, Error *error) {
    const MeasureSettings *settings = &job->settings->measure;
    MeasureJob m = {.player = (Player *)job->player[0],
                    .rules = job->rules,
                    .plan = measure_settings_plan(settings, job->settings->running.seed, 1)};
    m.plan.work = job->work;
    bool good = measure_settings_check(settings, job->rules, error) &&
                (!settings->journal || (m.journal = json_lines_open(settings->journal, error))) &&
                measure_job_begin(&m, job->version, error) && measure_job_run(&m, error);
    if (good && m.trouble.text[0]) // with the journal: no reason to lose what was measured
        snprintf(m.measurement.note, sizeof m.measurement.note, "%.390s", m.trouble.text);
    if (good)
        job->result = measure_json(&m.row, &m.measurement, m.plan.precision, job->kernel, job->version);
    json_lines_close(m.journal);
    measure_job_free(&m);
    return good;
}

static CompareContext context_of(const TaskJob *job) {
    return (CompareContext){job->rules, job->settings->running.seed, job->kernel, job->version};
}

static bool compare_all(TaskJob *job, Compared *list, Error *error) {
    ComparePlan plan = {.player = job->player,
                        .players = job->players,
                        .seed = job->settings->running.seed,
                        .settings = &job->settings->compare,
                        .work = job->work,
                        .begin = job->begin};
    CompareContext context = context_of(job);
    Error problem = {""};
    int done = compare_measure(list, &plan, &problem);
    bool good = problem.text[0] ? error_set(error, "%s", problem.text)
                                : done > 1 || error_set(error, "Stopped before two players were measured.");
    compare_rank(list, done);
    if (good)
        job->result = compare_json(list, done, &context);
    for (int k = 0; k < done; k++)
        measurement_free(&list[k].measurement);
    return good;
}

static bool run_compare(TaskJob *job, Error *error) {
    if (!compare_check(&job->settings->compare, job->players, job->rules, job->arguments, error))
        return false;
    size_t size = (size_t)job->players * sizeof(Compared);
    Compared *list = aligned_alloc(_Alignof(Compared), size);
    if (!list)
        return error_set(error, "Out of memory for %d players.", job->players);
    bool good = compare_all(job, memset(list, 0, size), error);
    free(list);
    return good;
}

static bool run_test(TaskJob *job, Error *error) {
    const CompareSettings *settings = &job->settings->compare;
    if (!compare_has_test(settings))
        return error_set(error, "The test needs its two ratios: set sprt to R0,R1, as in 1,1.1.");
    SprtRun run = {.pieces = 0};
    SprtPlan plan = {.a = job->player[0],
                     .b = job->player[1],
                     .seed = job->settings->running.seed,
                     .r0 = settings->ratio[0],
                     .r1 = settings->ratio[1],
                     .alpha = settings->alpha,
                     .beta = settings->beta,
                     .most_pairs = settings->pairs,
                     .work = job->work};
    CompareContext context = context_of(job);
    bool good = compare_check(settings, job->players, job->rules, job->arguments, error) &&
                sprt_run(&run, &plan, error);
    if (good)
        job->result =
            compare_sprt_json(&run, player_strategy(plan.a)->name, player_strategy(plan.b)->name, &context);
    sprt_run_free(&run);
    return good;
}

static bool run_versus(TaskJob *job, Error *error) {
    const VersusSettings *settings = &job->settings->versus;
    if (!versus_check(settings, job->players, job->rules, false, error))
        return false;
    MatchesPlan plan =
        versus_plan(settings, job->player, job->players, job->settings->running.seed, jobs_of(job));
    Matches *matches = aligned_alloc(_Alignof(Matches), sizeof *matches);
    if (!matches)
        return error_set(error, "Out of memory for a match.");
    memset(matches, 0, sizeof *matches);
    plan.work = job->work;
    VersusReport report = {&plan, matches, job->kernel, job->version};
    bool good = matches_run(matches, &plan, error) &&
                (!settings->record || !matches->has_record ||
                 record_write(&matches->record, settings->record, error)) &&
                (matches->ended || error_set(error, "Stopped before a match ended."));
    if (good)
        job->result = versus_json(&report);
    matches_free(matches);
    free(matches);
    return good;
}

static bool run_solve(TaskJob *job, Error *error) {
    SolveJob s = {.rules = job->rules,
                  .settings = &job->settings->solve,
                  .seed = job->settings->running.seed,
                  .work = job->work};
    bool good = solve_check(&s, error) && solve_prepare(&s, error) && solve_run(&s, error) &&
                (s.solving.interrupted || solve_verify(&s, error));
    if (good)
        job->result = solve_json(&s, job->version);
    solve_free(&s);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Learning

static const ResultMember learn_result[] = {
    {"strategy", NULL, "The player, as a strategy file has it; of several runs, the mean of their answers.",
     RESULT_FIRST},
    {"method", NULL, "What looked for it.", RESULT_FIRST},
    {"objective", NULL, "What scored it: games or splitting.", RESULT_FIRST},
    {"labels", NULL, "What the numbers of a vector are for.", 0},
    {"weights", "", "Of the player, in the order of the labels.", 0},
    {"vector", "", "The same as the method has it: with scale=spread not the weights.", 0},
    {"runs", NULL, "A list.", 0},
    {"runs.generations", "generations", "Made.", RESULT_FIRST},
    {"runs.evaluations", "samples", "For selection: games or repetitions.", RESULT_FIRST},
    {"runs.evaluations_without_race", "samples", "That it would have taken without racing.", 0},
    {"runs.evaluations_at_limit", "samples", "That a race in which all play its limit would have taken.", 0},
    {"runs.pieces", "pieces", "Played.", 0},
    {"runs.selection_pieces", "pieces", "Played for selection.", 0},
    {"runs.curve", "", "Score of the answer on samples of its own.", RESULT_FIRST},
    {"runs.weights", "", "The answer.", 0},
    {"runs.vector", "", "The same as the method has it.", 0},
    {"runs.strategy", NULL, "The same as a strategy file has it.", 0},
    {"runs.stopped", NULL, "Why it ended.", RESULT_FIRST},
    {"generations", NULL, "In Python, and as news of progress in C: each, when it is complete.", 0},
    {"generations.run", "", "From 0.", RESULT_FIRST},
    {"generations.generation", "", "1, 2, ...", RESULT_FIRST},
    {"generations.evaluations", "samples", "Of this run so far, for selection.", 0},
    {"generations.pieces", "pieces", "So far, the curve's included.", 0},
    {"generations.seconds", "s", "Since the learning began.", 0},
    {"generations.best", "", "Score of the best candidate: mean lines, or their logarithm.", RESULT_FIRST},
    {"generations.mean", "", "Of the scores.", RESULT_FIRST},
    {"generations.worst", "", "Of the scores.", 0},
    {"generations.lower", "", "Quartile of the scores.", 0},
    {"generations.upper", "", "Quartile of the scores.", 0},
    {"generations.curve", "", "Score of the answer that it began with, on samples of its own.", RESULT_FIRST},
    {"generations.sigma", "", "How far the method still looks around.", 0},
    {"generations.answer", "", "The player so far, as a vector: the mean of the search.", 0},
    {"generations.best_vector", "", "The best candidate.", 0},
    {"generations.deviation", "", "Standard deviations of the search.", 0},
    {"generations.stopped", NULL, "Why the run ends here; null: it does not.", 0},
    {"seed", "", "Of all random numbers.", RESULT_FIRST},
    {"out", NULL, "The run folder.", 0},
    {"seconds", "s", "Taken.", 0},
    {"interrupted", NULL, "It was stopped; the rest is what was learned by then.", 0},
    RESULT_RULES,
    {NULL, NULL, NULL, 0}};

typedef struct Pupil {
    LearnSession session;
    TaskJob *job;
    Advance advance;
    bool no_memory;
} Pupil;

static void tell_learning(void *context, const LearningStatus *status) {
    Pupil *pupil = context;
    pupil->advance.pieces = status->pieces;
    work_tell(&pupil->job->work, &pupil->advance);
}

static void tell_generation(void *context, const Generation *generation) {
    Pupil *pupil = context;
    Advance *advance = &pupil->advance;
    char *text = json_document(learn_generation_json(generation), 17);
    pupil->no_memory |= !text;
    advance->done++;
    advance->value = generation->best;
    advance->pieces = generation->pieces;
    advance->news = text;
    work_tell(&pupil->job->work, advance);
    advance->news = NULL;
    free(text);
}

static bool make_learning_plan(TaskJob *job, Error *error) {
    LearnSettings *settings = &job->settings->learn;
    if (!learn_settings_check(settings, job->arguments, "", error))
        return false;
    if (settings->resume || settings->repeat) // they have it in a folder
        return true;
    Rules rules;
    if (!rules_copy(&rules, job->rules, error))
        return false;
    job->settings->running.max_pieces = job->max_pieces;
    bool good = learn_settings_plan(settings, &rules, &job->settings->running, job->arguments, error);
    rules_free(&rules);
    return good;
}

static bool learn(Pupil *pupil, Error *error) {
    TaskJob *job = pupil->job;
    LearnSession *session = &pupil->session;
    const Running *running = &job->settings->running;
    if (!learn_session_open(session, &job->settings->learn, job->version, error))
        return false;
    pupil->advance.wanted = session->plan.generations * (uint64_t)session->plan.runs;
    if (!learn_session_run(session, running->kernel, (int)running->jobs, crew_threads, job->work.stop, error))
        return false;
    if (pupil->no_memory)
        return error_set(error, "Out of memory for what was learned.");
    if (learn_session_total(session).generations == 0)
        return error_set(error, session->result.interrupted
                                    ? "Stopped before a generation was complete."
                                    : "Not one generation was complete: give more --time, or fewer --games "
                                      "or a smaller --population.");
    job->result = learn_session_json(session);
    return true;
}

static bool run_learn(TaskJob *job, Error *error) {
    Pupil *pupil = calloc(1, sizeof *pupil);
    if (!pupil)
        return error_set(error, "Out of memory: cannot learn.");
    pupil->job = job;
    pupil->advance = (Advance){.unit = "generations", .value = NAN, .precision = NAN};
    pupil->session.progress = tell_learning;
    pupil->session.generation = tell_generation;
    pupil->session.context = pupil;
    bool good = make_learning_plan(job, error) && learn(pupil, error);
    learn_session_close(&pupil->session);
    learning_plan_free(&job->settings->learn.plan);
    free(pupil);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// The table

// A check without `out` would need a temporary file.
static void solve_presets(TaskSettings *settings) {
    settings->solve.games = 0;
}
static const char *const solve_others[] = {"check-games", "0", NULL};

// Nothing is written unless somebody asks for it.
static void learn_presets(TaskSettings *settings) {
    settings->learn.out = NULL;
}
static const char *const learn_others[] = {"out", "nothing is written", NULL};

static int learn_sets(TaskSettings *settings, OptionSet *sets) {
    return learn_settings_sets(&settings->learn, sets);
}

static int evaluate_sets(TaskSettings *settings, OptionSet *sets) {
    ScoringSettings *scoring = &settings->scoring;
    sets[0] = (OptionSet){scoring_fields, scoring, NULL};
    sets[1] = (OptionSet){objective_fields, &scoring->objective, NULL};
    sets[2] = (OptionSet){encoding_fields, &scoring->objective.encoding, NULL};
    return 3;
}

#define WITH_PLAYER " max-pieces kernel " // its rules and its kernel
// clang-format off
const Task task_table[] = {
    {"measure", &measure_fields, NULL, WITH_PLAYER "shard ", NULL, NULL, 1, 1, run_measure, measure_result},
    {"compare", &compare_fields, NULL, WITH_PLAYER, NULL, NULL, 2, COMPARE_MAX_PLAYERS, run_compare,
     compare_result},
    {"test", &sprt_fields, NULL, WITH_PLAYER, NULL, NULL, 2, 2, run_test, test_result},
    {"versus", &versus_fields, NULL, WITH_PLAYER, NULL, NULL, MATCH_LEAST_SEATS, MATCH_MAX_SEATS,
     run_versus, versus_result},
    {"solve", &solve_fields, NULL, WITH_PLAYER, solve_presets, solve_others, 0, 0, run_solve, solve_result},
    {"evaluate", NULL, evaluate_sets, " max-pieces ", NULL, NULL, 0, 0, NULL, NULL},
    {"learn", NULL, learn_sets, " max-pieces ", learn_presets, learn_others, 0, 0, run_learn, learn_result},
    {.name = NULL},
};
// clang-format on

const Task *task_find(const char *name, Error *error) {
    const char *names[sizeof task_table / sizeof *task_table];
    int count = 0;
    for (const Task *task = task_table; task->name; task++) {
        names[count++] = task->name;
        if (!strcmp(name, task->name))
            return task;
    }
    char meant[TEXT_MEANT];
    error_set(error, "There is no task \"%.60s\"%s", name, text_meant(meant, "\"", "\"", name, names, count));
    return NULL;
}

int task_sets(const Task *task, TaskSettings *settings, OptionSet *sets) {
    int count = 1;
    if (task->sets)
        count = task->sets(settings, sets);
    else
        sets[0] = (OptionSet){*task->fields, &settings->measure, NULL};
    sets[count] = (OptionSet){running_fields, settings, NULL};
    return count + 1;
}

bool task_run(const Task *task, TaskJob *job, Error *error) {
    if (!task->run)
        return error_set(error, "%s has functions of its own: tetralab.h says which.", task->name);
    if (job->players >= task->least && job->players <= task->most)
        return task->run(job, error);
    if (task->least < task->most)
        return error_set(error, "%s is for %d to %d players, not %d.", task->name, task->least, task->most,
                         job->players);
    const char *number[] = {"no players", "1 player", "2 players"};
    return error_set(error, "%s is for %s, not %d.", task->name, number[task->most], job->players);
}

void task_markdown(FILE *out, const Task *task) {
    fputs("| member | unit | meaning |\n|---|---|---|\n", out);
    for (const ResultMember *member = task->result; member->name; member++)
        fprintf(out, "| `%s` | %s | %s |\n", member->name, member->unit ? member->unit : "", member->meaning);
}
