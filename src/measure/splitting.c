// SPDX-License-Identifier: GPL-3.0-or-later
// Repetitions of splitting on all cores, until there are enough of them; splitting.h explains it.
#include "measure/splitting.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pool.h"
#include "measure/splitting_repetition.h"
#include "measure/splitting_rules.h"

typedef struct Team {
    const SplittingPlan *plan;
    Splitting *splitting;
    uint64_t most;
    volatile bool finished;
    Error *error;
    bool failed;
    pthread_mutex_t lock;
} Team;

static void finish(Team *team) {
    __atomic_store_n(&team->finished, true, __ATOMIC_RELAXED);
}

static void tell(const Team *team) {
    const Splitting *splitting = team->splitting;
    Advance advance = {.unit = "repetitions",
                       .done = splitting->runs,
                       .wanted = splitting->wanted,
                       .pieces = splitting->pieces,
                       .value = splitting->mean_lines,
                       .precision = splitting_precision(splitting)};
    work_tell(&team->plan->work, &advance);
}

// Takes the runs in order of their numbers, one more at a time, until they suffice.
static void judge(Team *team) {
    Splitting *splitting = team->splitting;
    const SplittingPlan *plan = team->plan;
    while (!team->finished && splitting->runs < team->most && splitting->run[splitting->runs].done) {
        splitting->runs++;
        splitting_summarise(splitting, player_rules(plan->player)->width);
        tell(team);
        if (splitting_is_over(splitting, plan) || splitting->runs == team->most)
            finish(team);
    }
}

static void run_task(void *context, uint64_t number, int thread) {
    (void)thread;
    Team *team = context;
    const SplittingPlan *plan = team->plan;
    bool known = number < plan->known_count && plan->known[number].done, good = true;
    SplittingRun run;
    Error error;
    if (known)
        run = plan->known[number];
    else
        good = splitting_play(plan, number, &team->finished, NULL, &run, &error);
    pthread_mutex_lock(&team->lock);
    if (good && !run.done) {
        team->splitting->interrupted = team->splitting->interrupted || !team->finished;
        finish(team);
    } else if (good) {
        team->splitting->run[number] = run;
        if (!known && plan->finished)
            plan->finished(plan->context, number, &run);
        judge(team);
    } else if (!team->failed) {
        team->failed = true;
        finish(team);
        if (team->error)
            *team->error = error;
    }
    pthread_mutex_unlock(&team->lock);
}

bool splitting_run(Splitting *splitting, const SplittingPlan *plan, Error *error) {
    *splitting = (Splitting){0};
    const Rules *rules = player_rules(plan->player);
    if (!splitting_check(plan->player, error))
        return false;
    if (plan->base < 1 || plan->base > rules->height - 2)
        return error_set(error, "The base height must be between 1 and %d on a board %d rows high, not %d.",
                         rules->height - 2, rules->height, plan->base);
    if (plan->trials < SPLITTING_LEAST_TRIALS || plan->trials > SPLITTING_MAX_TRIALS)
        return error_set(error, "Splitting takes %d to %d trials, not %llu.", SPLITTING_LEAST_TRIALS,
                         SPLITTING_MAX_TRIALS, (unsigned long long)plan->trials);
    Team team = {.plan = plan, .splitting = splitting, .error = error};
    splitting->wanted = plan->repetitions ? plan->repetitions : SPLITTING_LEAST_REPETITIONS;
    splitting->risk = plan->repetitions ? 0 : splitting_risk(0);
    team.most = plan->repetitions ? plan->repetitions : SPLITTING_MAX_REPETITIONS;
    splitting->run = calloc(team.most, sizeof *splitting->run);
    if (!splitting->run)
        return error_set(error, "Out of memory for %llu repetitions.", (unsigned long long)team.most);
    double start = clock_seconds();
    pthread_mutex_init(&team.lock, NULL);
    bool done = pool_run(plan->work.jobs, team.most, run_task, &team, &team.finished, error) && !team.failed;
    pthread_mutex_destroy(&team.lock);
    splitting->seconds = clock_seconds() - start;
    splitting_summarise(splitting, rules->width);
    return done;
}

void splitting_free(Splitting *splitting) {
    free(splitting->run);
    splitting->run = NULL;
}
