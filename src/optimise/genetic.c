// SPDX-License-Identifier: GPL-3.0-or-later
// The genetic algorithm of Amundsen 2014, section 3.4: whole numbers as genes, every generation replaced by
// the next but for the elite; parents by tournament, stochastic universal sampling or sigma scaling
// (optimise/selection.h); one child of two parents by N-point or uniform crossover of features, not of genes,
// or a copy of one of them; mutation of every child, gene by gene. Switches (section 4.2: is a feature used?)
// are genes that are 0 or 1. Section 5.2: the elite keeps its score and its copies are scored again, so that
// the luckiest score of all stays on top, and evolution halts. Remedies, to choose from: all are scored again
// in every generation, a vector keeps its first score, or has the mean of all its scores
// (optimise/score_memory.h). It knows no niches, no survivors but the elite, and no end: it always goes on.
#define _GNU_SOURCE // qsort_r
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optimise/genetic.h"
#include "optimise/method.h"
#include "optimise/score_memory.h"
#include "optimise/selection.h"

static const double most_gene = 1e12;   // genes drift, but not out of the whole numbers
static const double most_score = 1e100; // squares of scores must not overflow
enum { REMEMBERED_NUMBERS = 1 << 20, REMEMBERED_VECTORS = 1 << 16 };

typedef struct Genetic {
    double *gene;           // population x dimension: the generation to be scored, or being scored
    double *next;           // likewise, while it is made
    double *answer;         // the best of the last generation
    double *deviation;      // of the last generation
    double *score, *weight; // of the population
    int *order, *deck;      // the population, the best first, and in any order
    int *asked;             // individual -> its place in the batch; -1: known
    int *parent;            // two for each child
    int *part;              // gene -> which part of the crossover it belongs to, numbered from 0
    bool *side;             // part -> which parent it comes from
    int parts;
    ScoreMemory *memory; // owned. NULL: scores of earlier generations do not count, but for the elite's
} Genetic;

static const char *const selection_words[] = {"tournament", "universal", "sigma", NULL};
static const char *const crossover_words[] = {"points", "uniform", NULL};
static const char *const revisit_words[] = {"again", "remember", "average", "elite", NULL};

#define SETTING(member) OPTIMISER_SETTING(GeneticPlan, member)
static const Field genetic_field[] = {
    // Table 4.1
    {"population", FIELD_INT, FIELD_AT(OptimiserPlan, population), .preset = 100, .least = 2,
     .most = OPTIMISER_MAX_POPULATION, .argument = "N", .help = "Vectors in a generation."},
    {"selection", FIELD_WORD, SETTING(selection), .words = selection_words, .argument = "KIND",
     .help = "tournament, universal or sigma."},
    {"crossover", FIELD_WORD, SETTING(crossover), .words = crossover_words, .argument = "KIND",
     .help = "points or uniform."},
    {"points", FIELD_INT, SETTING(points), .preset = 2, .least = 1, .most = 100, .argument = "N",
     .belongs = "crossover points", .help = "Crossover points."},
    {"crossover_rate", FIELD_REAL, SETTING(crossover_rate), .preset = 0.5, .most = 1, .argument = "P",
     .help = "How often parents are crossed; else one of them is copied."},
    {"mutation_rate", FIELD_REAL, SETTING(mutation_rate), .otherwise = "1/genes; with --choose-features 2/32",
     .zero_is_unset = true, .most = 1, .argument = "P", .help = "How often a gene changes."},
    {"range", FIELD_REAL, SETTING(range), .option = "mutation-range", .preset = 100, .least = 1, .most = 1e6,
     .argument = "X", .help = "A changed gene gets a whole number up to X added or taken away."},
    {"elite", FIELD_INT, SETTING(elite), .preset = 2, .most = OPTIMISER_MAX_POPULATION, .argument = "N",
     .help = "How many of the best are copied unchanged."},
    {"tournament", FIELD_INT, SETTING(tournament), .preset = NAN,
     .otherwise = "10, or the population if that is smaller", .least = 1, .most = OPTIMISER_MAX_POPULATION,
     .argument = "N", .help = "Size of the group."},
    {"random_rate", FIELD_REAL, SETTING(random_rate), .preset = 0.1, .most = 1, .argument = "P",
     .help = "How often a random one of the group wins."},
    {"revisit", FIELD_WORD, SETTING(revisit), .preset = REVISIT_AVERAGE, .words = revisit_words,
     .argument = "RULE",
     .help = "A vector that comes up again is scored again (again), keeps its first score (remember), is "
             "scored again and gets the mean of all its scores (average), or is scored again unless it is "
             "the elite, which keeps its score (elite)."},
};
static const Fields genetic_fields = FIELDS(genetic_field);

static bool has_switches(const OptimiserPlan *plan) {
    for (int k = 0; plan->is_switch && k < plan->dimension; k++)
        if (plan->is_switch[k])
            return true;
    return false;
}

static void complete(OptimiserPlan *plan) {
    GeneticPlan *own = genetic_plan(plan);
    if (own->tournament == 0)
        own->tournament = plan->population < 10 ? plan->population : 10;
}

static double *individual(double *genes, const OptimiserPlan *plan, int i) {
    return genes + (size_t)i * (size_t)plan->dimension;
}

// ---------------------------------------------------------------------------------------------------
// Life

// Room for at least four generations, so that forgetting never reaches the present one.
static int memory_capacity(const OptimiserPlan *plan) {
    int wanted = REMEMBERED_NUMBERS / plan->dimension, least = 4 * plan->population;
    wanted = wanted < REMEMBERED_VECTORS ? wanted : REMEMBERED_VECTORS;
    return wanted > least ? wanted : least;
}

static void get_room(Optimiser *optimiser) {
    const OptimiserPlan *plan = &optimiser->plan;
    Genetic *state = optimiser->state;
    size_t n = (size_t)plan->dimension, count = (size_t)plan->population;
    state->gene = optimiser_room(optimiser, count * n, sizeof *state->gene);
    state->next = optimiser_room(optimiser, count * n, sizeof *state->next);
    state->answer = optimiser_room(optimiser, n, sizeof *state->answer);
    state->deviation = optimiser_room(optimiser, n, sizeof *state->deviation);
    state->score = optimiser_room(optimiser, count, sizeof *state->score);
    state->weight = optimiser_room(optimiser, count, sizeof *state->weight);
    state->order = optimiser_room(optimiser, count, sizeof *state->order);
    state->deck = optimiser_room(optimiser, count, sizeof *state->deck);
    state->asked = optimiser_room(optimiser, count, sizeof *state->asked);
    state->parent = optimiser_room(optimiser, 2 * count, sizeof *state->parent);
    state->part = optimiser_room(optimiser, n, sizeof *state->part);
    state->side = optimiser_room(optimiser, n, sizeof *state->side);
    GeneticRevisit revisit = genetic_plan(plan)->revisit;
    if (revisit != REVISIT_REMEMBER && revisit != REVISIT_AVERAGE)
        return;
    state->memory = score_memory_new(plan->dimension, memory_capacity(plan));
    optimiser->starved |= !state->memory;
}

// Groups in the order in which they first occur are the parts that crossover deals with.
static void number_parts(Genetic *state, const OptimiserPlan *plan) {
    const int *group = plan->group;
    state->parts = 0;
    for (int k = 0; k < plan->dimension; k++) {
        int first = k;
        for (int j = 0; group && j < k && first == k; j++)
            if (group[j] == group[k])
                first = j;
        state->part[k] = first < k ? state->part[first] : state->parts++;
    }
}

static bool check_plan(const OptimiserPlan *plan, Error *error) {
    const GeneticPlan *own = genetic_plan(plan);
    if (own->elite < plan->population && own->tournament <= plan->population)
        return true;
    return error_set(
        error,
        "An elite of %d or a tournament of %d is too large for a population of %d: the elite must "
        "be smaller, the tournament no larger.",
        own->elite, own->tournament, plan->population);
}

static double random_step(const GeneticPlan *plan, Random *random) {
    double range = floor(plan->range);
    return random_below(random, 2 * (uint32_t)range + 1) - range;
}

static bool is_switch(const OptimiserPlan *plan, int k) {
    return plan->is_switch && plan->is_switch[k];
}

static bool genetic_start(Optimiser *optimiser, Error *error) {
    const OptimiserPlan *plan = &optimiser->plan;
    if (!check_plan(plan, error))
        return false;
    Genetic *state = optimiser->state;
    get_room(optimiser);
    if (optimiser->starved)
        return false;
    number_parts(state, plan);
    Random random = optimiser_random(optimiser, 0);
    for (int i = 0; i < plan->population; i++)
        for (int k = 0; k < plan->dimension; k++)
            individual(state->gene, plan, i)[k] =
                is_switch(plan, k) ? random_below(&random, 2) : random_step(genetic_plan(plan), &random);
    memcpy(state->answer, state->gene, (size_t)plan->dimension * sizeof *state->answer);
    optimiser_deviations(plan, state->gene, state->deviation);
    return true;
}

static void genetic_end(Optimiser *optimiser) {
    free(((Genetic *)optimiser->state)->memory);
}

// ---------------------------------------------------------------------------------------------------
// Asking and scores

// <- an earlier one of the batch that is the same vector, or -1
static int find_in_batch(const Optimiser *optimiser, const double *vector, int count) {
    int n = optimiser->plan.dimension;
    for (int j = 0; j < count; j++) {
        const double *other = optimiser->batch + (size_t)j * (size_t)n;
        int k = 0;
        while (k < n && other[k] == vector[k])
            k++;
        if (k == n)
            return j;
    }
    return -1;
}

// <- the first so many individuals are an elite that has brought its scores along
static int count_scored(const Optimiser *optimiser) {
    const GeneticPlan *own = genetic_plan(&optimiser->plan);
    return own->revisit == REVISIT_ELITE && optimiser->status.generation ? own->elite : 0;
}

static int genetic_ask(Optimiser *optimiser) {
    Genetic *state = optimiser->state;
    const OptimiserPlan *plan = &optimiser->plan;
    bool remembers = genetic_plan(plan)->revisit == REVISIT_REMEMBER;
    int count = 0, scored = count_scored(optimiser);
    // Equal vectors of one generation would get equal scores (the same games): one of them suffices, and more
    // would count these games more than once in a mean.
    for (int i = 0; i < plan->population; i++) {
        const double *vector = individual(state->gene, plan, i);
        state->asked[i] = -1;
        if (i < scored || (remembers && score_memory_find(state->memory, vector, NULL)) ||
            (state->memory && find_in_batch(optimiser, vector, count) >= 0))
            continue;
        memcpy(optimiser->batch + (size_t)count * (size_t)plan->dimension, vector,
               (size_t)plan->dimension * sizeof *vector);
        state->asked[i] = count++;
    }
    return count;
}

// What is no number, or infinitely bad, counts as the worst of the others: a number far below them would make
// all the others alike to sampling in proportion to scores.
static double worst_of(const Optimiser *optimiser, const double *score) {
    double worst = INFINITY;
    for (int i = 0; i < optimiser->asked; i++)
        if (isfinite(score[i]))
            worst = fmin(worst, score[i]);
    if (isfinite(worst))
        return worst;
    return isfinite(optimiser->status.worst_score) ? optimiser->status.worst_score : 0;
}

static double told_score(double score, double worst) {
    if (isnan(score) || score == -INFINITY)
        score = worst;
    return fmax(-most_score, fmin(most_score, score));
}

// The scores by which the population is selected.
static void keep_scores(Optimiser *optimiser, const double *score) {
    Genetic *state = optimiser->state;
    const OptimiserPlan *plan = &optimiser->plan;
    double worst = worst_of(optimiser, score);
    for (int i = 0; state->memory && i < plan->population; i++)
        score_memory_touch(state->memory, individual(state->gene, plan, i), optimiser->status.generation);
    if (state->memory)
        score_memory_make_room(state->memory, plan->population);
    for (int i = 0; i < plan->population; i++)
        if (state->asked[i] >= 0) {
            state->score[i] = told_score(score[state->asked[i]], worst);
            if (state->memory)
                score_memory_add(state->memory, individual(state->gene, plan, i), state->score[i],
                                 optimiser->status.generation);
        }
    for (int i = 0; state->memory && i < plan->population; i++)
        score_memory_find(state->memory, individual(state->gene, plan, i), &state->score[i]);
}

// ---------------------------------------------------------------------------------------------------
// The next generation

static int compare_scores(const void *left, const void *right, void *scores) {
    int a = *(const int *)left, b = *(const int *)right;
    const double *score = scores;
    if (score[a] != score[b])
        return score[a] > score[b] ? -1 : 1;
    return a < b ? -1 : 1;
}

static void rank(Genetic *state, int count) {
    for (int i = 0; i < count; i++)
        state->order[i] = i;
    qsort_r(state->order, (size_t)count, sizeof *state->order, compare_scores, state->score);
}

static void choose_parents(Optimiser *optimiser, int draws) {
    Genetic *state = optimiser->state;
    const GeneticPlan *own = genetic_plan(&optimiser->plan);
    int count = optimiser->plan.population;
    Random random = optimiser_random(optimiser, 1);
    if (own->selection == SELECT_TOURNAMENT) {
        for (int i = 0; i < count; i++)
            state->deck[i] = i;
        for (int i = 0; i < draws; i++)
            state->parent[i] = select_tournament(state->order, count, own->tournament, own->random_rate,
                                                 state->deck, &random);
        return;
    }
    (own->selection == SELECT_SIGMA ? select_sigma : select_shift)(state->score, count, state->weight);
    select_universal(state->weight, count, state->parent, draws, &random);
}

// Which parent each part comes from. N points: N of the places between two parts, or all if there are not so
// many.
static void choose_sides(Genetic *state, const GeneticPlan *plan, Random *random) {
    if (plan->crossover == CROSSOVER_UNIFORM) {
        for (int p = 0; p < state->parts; p++)
            state->side[p] = random_below(random, 2);
        return;
    }
    int places = state->parts - 1, cuts = plan->points < places ? plan->points : places;
    bool side = false;
    state->side[0] = side;
    for (int p = 1; p <= places; p++) { // each place left gets one of the cuts left with the same probability
        if ((int)random_below(random, (uint32_t)(places - p + 1)) < cuts) {
            side = !side;
            cuts--;
        }
        state->side[p] = side;
    }
}

static void make_child(Genetic *state, const OptimiserPlan *plan, const int *parent, double *child,
                       Random *random) {
    const GeneticPlan *own = genetic_plan(plan);
    bool crosses = random_unit(random) < own->crossover_rate, copied = random_below(random, 2);
    double rate = own->mutation_rate > 0 ? own->mutation_rate
                  : has_switches(plan)   ? 2.0 / 32
                                         : 1.0 / plan->dimension;
    if (crosses)
        choose_sides(state, own, random);
    for (int k = 0; k < plan->dimension; k++) {
        bool side = crosses ? state->side[state->part[k]] : copied;
        double value = individual(state->gene, plan, parent[side])[k];
        if (random_unit(random) < rate)
            value = is_switch(plan, k) ? random_below(random, 2) : value + random_step(own, random);
        child[k] = fmax(-most_gene, fmin(most_gene, value));
    }
}

static void reproduce(Optimiser *optimiser) {
    Genetic *state = optimiser->state;
    const OptimiserPlan *plan = &optimiser->plan;
    int elite = genetic_plan(plan)->elite, children = plan->population - elite;
    Random random = optimiser_random(optimiser, 2);
    choose_parents(optimiser, 2 * children);
    for (int i = 0; i < elite; i++) {
        memcpy(individual(state->next, plan, i), individual(state->gene, plan, state->order[i]),
               (size_t)plan->dimension * sizeof *state->next);
        state->weight[i] = state->score[state->order[i]];
    }
    memcpy(state->score, state->weight,
           (size_t)elite * sizeof *state->score); // counts with REVISIT_ELITE only
    for (int i = 0; i < children; i++)
        make_child(state, plan, state->parent + 2 * i, individual(state->next, plan, elite + i), &random);
    double *old = state->gene;
    state->gene = state->next;
    state->next = old;
}

static void genetic_tell(Optimiser *optimiser, const double *score, const int *order) {
    (void)order; // of the batch, which need not be the population
    Genetic *state = optimiser->state;
    const OptimiserPlan *plan = &optimiser->plan;
    size_t size = (size_t)plan->dimension * sizeof *state->gene;
    keep_scores(optimiser, score);
    rank(state, plan->population);
    memcpy(state->answer, individual(state->gene, plan, state->order[0]), size);
    optimiser_deviations(plan, state->gene, state->deviation);

    optimiser_note(optimiser, state->gene, state->score, state->order, plan->population);
    reproduce(optimiser);
}

static void genetic_status(const Optimiser *optimiser, OptimiserStatus *status) {
    const Genetic *state = optimiser->state;
    status->answer = state->answer;
    status->deviation = state->deviation;
}

// ---------------------------------------------------------------------------------------------------
// Saving and restoring

static int genetic_lists(const Optimiser *optimiser, NumberList *list) {
    const Genetic *state = optimiser->state;
    const GeneticPlan *own = genetic_plan(&optimiser->plan);
    int n = optimiser->plan.dimension, count = 3;
    list[0] = (NumberList){"genes", state->gene, n * optimiser->plan.population};
    list[1] = (NumberList){"answer", state->answer, n};
    list[2] = (NumberList){"deviation", state->deviation, n};
    if (own->revisit == REVISIT_ELITE && own->elite)
        list[count++] = (NumberList){"elite_scores", state->score, own->elite};
    return count;
}

static bool genetic_save(const Optimiser *optimiser, json_t *into) {
    const Genetic *state = optimiser->state;
    json_t *memory = json_object();
    return !json_object_set_new(into, "memory", memory) &&
           (!state->memory || score_memory_save(state->memory, memory));
}

static bool genetic_restored(Optimiser *optimiser, const json_t *from, Error *error) {
    const Genetic *state = optimiser->state;
    const OptimiserPlan *plan = &optimiser->plan;
    int n = plan->dimension;
    for (int i = 0; i < n * plan->population; i++) {
        double value = state->gene[i];
        bool fits = is_switch(plan, i % n) ? value == 0 || value == 1
                                           : value == floor(value) && fabs(value) <= most_gene;
        if (!fits)
            return error_set(error,
                             "In the saved state of the optimiser, gene %d of individual %d cannot be %g.",
                             i % n + 1, i / n + 1, value);
    }
    for (int i = 0; i < count_scored(optimiser); i++)
        if (!(fabs(state->score[i]) <= most_score))
            return error_set(error, "In the saved state of the optimiser, an elite cannot have the score %g.",
                             state->score[i]);
    return !state->memory || score_memory_restore(state->memory, json_object_get(from, "memory"), error);
}

const OptimiserKind optimiser_genetic = {
    .traits = {.title = "genetic algorithm",
               .fields = &genetic_fields,
               .switches = true,
               .unit = 100,
               .games = 100},
    .complete = complete,
    .state = sizeof(Genetic),
    .start = genetic_start,
    .end = genetic_end,
    .ask = genetic_ask,
    .tell = genetic_tell,
    .status = genetic_status,
    .lists = genetic_lists,
    .save = genetic_save,
    .restored = genetic_restored,
};
