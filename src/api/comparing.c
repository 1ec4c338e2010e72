// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons for the public interface: ratios of measured means, and the sequential test.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/attend.h"
#include "api/measuring.h"
#include "api/players.h"
#include "api/settings.h"
#include "base/json_memory.h"
#include "tasks/comparing.h"

typedef struct CompareTask {
    Running running;
    CompareSettings compare;
} CompareTask;

static int compare_sets(void *options, OptionSet *sets) {
    sets[0] = (OptionSet){compare_fields, &((CompareTask *)options)->compare, NULL};
    return 1;
}

const Task task_compare = {
    .name = "compare", .size = sizeof(CompareTask), .sets = compare_sets, .without = " max-pieces kernel "};

typedef struct Comparing {
    CompareTask task;
    Attended attended;
    ApiPlayers players;
    // By measuring
    Compared *list; // owned; room for all players
    int done;
    // By a test
    SprtRun run;
    bool wants_json;
    char *json; // owned
    Error *error;
} Comparing;

static CompareContext context_of(const Comparing *comparing) {
    const ApiPlayers *players = &comparing->players;
    return (CompareContext){players->rules, comparing->task.running.seed, players->kernel,
                            tetralab_version()};
}

// Takes the reference.
static bool take_json(Comparing *comparing, json_t *json) {
    comparing->json = json_document(json);
    return comparing->json || error_set(comparing->error, "Out of memory for the JSON text.");
}

static bool begin(Comparing *comparing, Asked *asked, const tetralab_settings *settings,
                  const tetralab_player *const *players, int count) {
    CompareTask *task = &comparing->task;
    Error *error = comparing->error;
    return asked_read(asked, settings, &task_compare, task, error) &&
           compare_check(&task->compare, count, &players[0]->rules.rules, &asked->arguments, error) &&
           api_players(&comparing->players, players, count, error);
}

// ---------------------------------------------------------------------------------------------------
// Measuring

static void begin_one(void *context, int k) {
    Attended *attended = context;
    attended->subject = k;
    attend_tell(attended, &(Advance){.unit = "", .value = NAN, .precision = NAN});
}

static bool measure_all(void *context) {
    Comparing *comparing = context;
    const CompareTask *task = &comparing->task;
    ComparePlan plan = {.player = comparing->players.player,
                        .players = comparing->players.count,
                        .seed = task->running.seed,
                        .settings = &task->compare,
                        .work = {.jobs = (int)task->running.jobs,
                                 .stop = &comparing->attended.stop,
                                 .progress = attend_tell,
                                 .context = &comparing->attended},
                        .begin = begin_one};
    Error error = {""};
    comparing->done = compare_measure(comparing->list, &plan, &error);
    if (error.text[0])
        return error_set(comparing->error, "%s", error.text);
    compare_rank(comparing->list, comparing->done);
    CompareContext about = context_of(comparing);
    return !comparing->wants_json || comparing->done < 2 ||
           take_json(comparing, compare_json(comparing->list, comparing->done, &about));
}

// Of two, the second one given is compared with the first; else all with the best.
static void give_comparisons(const Comparing *comparing, tetralab_comparison *comparisons) {
    const Compared *list = comparing->list;
    int done = comparing->done, count = comparing->players.count, first = 0;
    for (int k = 0; k < done; k++)
        first = list[k].number == 0 ? k : first;
    int reference = count == 2 ? first : 0; // its place in the list
    for (int k = 0; k < count; k++)
        comparisons[k] = (tetralab_comparison){.measurement = {.mean = NAN,
                                                               .interval = {NAN, NAN},
                                                               .precision = INFINITY,
                                                               .method = "",
                                                               .interrupted = true},
                                               .rank = -1,
                                               .ratio = NAN,
                                               .interval = {NAN, NAN}};
    for (int k = 0; k < done; k++) {
        Ratio ratio = k == reference ? (Ratio){1, {1, 1}}
                                     : compare_ratio(&list[reference].measurement, &list[k].measurement);
        comparisons[list[k].number] =
            (tetralab_comparison){.measurement = api_measurement(&list[k].measurement),
                                  .rank = k,
                                  .reference = list[reference].number,
                                  .ratio = ratio.value,
                                  .interval = {ratio.interval.low, ratio.interval.high}};
    }
}

bool tetralab_compare(const tetralab_player *const *players, int count, const tetralab_settings *settings,
                      tetralab_comparison *comparisons, char **json, tetralab_watch *watch, void *context,
                      tetralab_error *error) {
    Comparing comparing = {
        .attended = {.watch = watch, .context = context}, .wants_json = json, .error = api_error(error)};
    Asked asked = {.arguments.words = 0};
    bool good =
        count >= 2 || error_set(api_error(error), "There must be two players at least, not %d.", count);
    good = good && begin(&comparing, &asked, settings, players, count);
    if (good && compare_has_test(&comparing.task.compare))
        good =
            error_set(api_error(error), "--sprt is a setting for tetralab_test, not for tetralab_compare.");
    if (good) {
        size_t size = (size_t)count * sizeof(Compared);
        comparing.list = aligned_alloc(_Alignof(Compared), size);
        if (comparing.list)
            memset(comparing.list, 0, size);
        good = comparing.list ? attend(&comparing.attended, measure_all, &comparing, api_error(error))
                              : error_set(api_error(error), "Out of memory for %d players.", count);
    }
    if (good) {
        give_comparisons(&comparing, comparisons);
        if (json)
            *json = comparing.json;
    }
    for (int k = 0; k < comparing.done; k++)
        measurement_free(&comparing.list[k].measurement);
    free(comparing.list);
    api_players_free(&comparing.players);
    asked_free(&asked);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// The sequential test

static bool run_test(void *context) {
    Comparing *comparing = context;
    const ApiPlayers *players = &comparing->players;
    const CompareSettings *settings = &comparing->task.compare;
    SprtPlan plan = {.a = players->player[0],
                     .b = players->player[1],
                     .seed = comparing->task.running.seed,
                     .r0 = settings->ratio[0],
                     .r1 = settings->ratio[1],
                     .alpha = settings->alpha,
                     .beta = settings->beta,
                     .most_pairs = settings->pairs,
                     .work = {.jobs = (int)comparing->task.running.jobs,
                              .stop = &comparing->attended.stop,
                              .progress = attend_tell,
                              .context = &comparing->attended}};
    CompareContext about = context_of(comparing);
    return sprt_run(&comparing->run, &plan, comparing->error) &&
           (!comparing->wants_json ||
            take_json(comparing, compare_sprt_json(&comparing->run, player_strategy(plan.a)->name,
                                                   player_strategy(plan.b)->name, &about)));
}

static tetralab_verdict verdict_of(const SprtRun *run) {
    const Sprt *sprt = &run->sprt;
    Ratio ratio = sprt_ratio(sprt);
    return (tetralab_verdict){.decision = sprt_decision_words[sprt->decision],
                              .test = sprt_test_name(sprt->test),
                              .ratio = ratio.value,
                              .interval = {ratio.interval.low, ratio.interval.high},
                              .mean_a = sprt_mean(sprt, sprt->a),
                              .mean_b = sprt_mean(sprt, sprt->b),
                              .wins = sprt_wins(sprt),
                              .sum = sprt_sum(sprt),
                              .lower = sprt->lower,
                              .upper = sprt->upper,
                              .pairs = sprt->pairs,
                              .pieces = run->pieces,
                              .seconds = run->seconds,
                              .interrupted = run->interrupted};
}

bool tetralab_test(const tetralab_player *a, const tetralab_player *b, const tetralab_settings *settings,
                   tetralab_verdict *verdict, char **json, tetralab_watch *watch, void *context,
                   tetralab_error *error) {
    const tetralab_player *const players[] = {a, b};
    Comparing comparing = {
        .attended = {.watch = watch, .context = context}, .wants_json = json, .error = api_error(error)};
    Asked asked = {.arguments.words = 0};
    bool good = begin(&comparing, &asked, settings, players, 2);
    if (good && !compare_has_test(&comparing.task.compare))
        good = error_set(api_error(error), "The test needs its two ratios: set sprt to R0,R1, as in 1,1.1.");
    if (good) {
        good = attend(&comparing.attended, run_test, &comparing, api_error(error));
        if (good) {
            *verdict = verdict_of(&comparing.run);
            if (json)
                *json = comparing.json;
        }
        sprt_run_free(&comparing.run);
    }
    api_players_free(&comparing.players);
    asked_free(&asked);
    return good;
}
