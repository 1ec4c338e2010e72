// SPDX-License-Identifier: GPL-3.0-or-later
// Repetitions of splitting on all cores, until there are enough of them; splitting.h explains it.
#include "measure/splitting.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "measure/crew.h"
#include "measure/splitting_repetition.h"
#include "measure/splitting_rules.h"

// ---------------------------------------------------------------------------------------------------
// For a crew. Context: a SplittingPlan

static void work(const void *context, CrewHand *hand) {
    for (const CrewJob *job; (job = crew_take(hand, true));) {
        Error error;
        SplittingRun *run = job->sample;
        bool good = true;
        for (int k = 0; good && k < job->count; k++)
            good = splitting_play(context, job->first + (uint64_t)k, crew_stop(hand), NULL, &run[k], &error);
        crew_give(hand, job, good ? NULL : &error);
    }
}

static const Field plan_field[] = {
    {"seed", FIELD_WHOLE, FIELD_AT(SplittingPlan, seed)},
    {"base", FIELD_INT, FIELD_AT(SplittingPlan, base)},
    {"trials", FIELD_WHOLE, FIELD_AT(SplittingPlan, trials)},
    {"strands", FIELD_INT, FIELD_AT(SplittingPlan, strands)},
    {"importance", FIELD_LIST, FIELD_AT(SplittingPlan, importance), .size = IMPORTANCE_TERMS},
};

const CrewKind repetition_kind = {
    .name = "repetition",
    .sample_bytes = sizeof(SplittingRun),
    .done = offsetof(SplittingRun, done),
    .room = 1,
    .work = work,
    CREW_PLAYERS_TRAVEL,
    .context_bytes = sizeof(SplittingPlan),
    .fields = FIELDS(plan_field),
    .players = 1,
    .player = {offsetof(SplittingPlan, player)},
};

// ---------------------------------------------------------------------------------------------------
// The judge

typedef struct Run {
    const SplittingPlan *plan;
    Splitting *splitting;
    uint64_t most, made;
    bool finished;
} Run;

// A shard does not see the others' repetitions, whose spread would tell how many there must be.
static uint64_t wanted(void *self) {
    const Run *run = self;
    uint64_t asked = run->splitting->wanted;
    return !run->plan->shard.of                  ? run->most
           : asked > SPLITTING_AIMED_REPETITIONS ? asked
                                                 : SPLITTING_AIMED_REPETITIONS;
}

static void tell(void *self, const Crew *crew) {
    (void)crew;
    const Run *run = self;
    const Splitting *splitting = run->splitting;
    Advance advance = {.unit = "repetitions",
                       .done = run->plan->shard.of ? run->made : splitting->runs,
                       .wanted = run->plan->shard.of ? wanted(self) / run->plan->shard.of : splitting->wanted,
                       .pieces = splitting->pieces,
                       .value = splitting->mean_lines,
                       .precision = splitting_precision(splitting)};
    work_tell(&run->plan->work, &advance);
}

static bool take(void *self, const void *sample, Error *error) {
    (void)error;
    Run *run = self;
    Splitting *splitting = run->splitting;
    splitting->run[splitting->runs++] = *(const SplittingRun *)sample;
    splitting_summarise(splitting, player_rules(run->plan->player)->width);
    tell(run, NULL);
    run->finished = splitting_is_over(splitting, run->plan) || splitting->runs == run->most;
    return true;
}

static bool enough(void *self) {
    return ((Run *)self)->finished;
}

static void arrived(void *self, uint64_t number, const void *sample) {
    const SplittingPlan *plan = ((Run *)self)->plan;
    ((Run *)self)->made++;
    if (plan->finished)
        plan->finished(plan->context, number, sample);
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
    Run run = {.plan = plan, .splitting = splitting};
    splitting->wanted = plan->repetitions ? plan->repetitions : SPLITTING_LEAST_REPETITIONS;
    splitting->risk = plan->repetitions ? 0 : splitting_risk(0);
    run.most = plan->repetitions ? plan->repetitions : SPLITTING_MAX_REPETITIONS;
    splitting->run = calloc(run.most, sizeof *splitting->run);
    if (!splitting->run)
        return error_set(error, "Out of memory for %llu repetitions.", (unsigned long long)run.most);
    double start = clock_seconds();
    Judge judge = {.kind = &repetition_kind,
                   .context = plan,
                   .make = crew_for(plan->player, NULL),
                   .work = &plan->work,
                   .shard = plan->shard,
                   .share = 1,
                   .self = &run,
                   .wanted = wanted,
                   .take = take,
                   .enough = enough,
                   .arrived = arrived,
                   .tell = tell};
    bool done = judge_know(&judge, plan->known, plan->known_count, error) && judge_run(&judge, error);
    free(judge.sample);
    splitting->interrupted = judge.interrupted && !run.finished;
    splitting->seconds = clock_seconds() - start;
    splitting_summarise(splitting, rules->width);
    return done;
}

void splitting_free(Splitting *splitting) {
    free(splitting->run);
    splitting->run = NULL;
}
