// SPDX-License-Identifier: GPL-3.0-or-later
// Particle swarm optimisation, as Langenhoven, van Heerden & Engelbrecht 2010 train their rating with it:
//     v = w v + c1 r1 (p - x) + c2 r2 (g - x),   x = x + v
// p: the best place of the particle so far, g: the best of its neighbourhood (a ring) or of all; r1 and r2
// are drawn anew for every coordinate. w = 0.72 and c1 = c2 = 1.49 are the usual constants (Clerc & Kennedy,
// Eberhart & Shi). All particles move together, after all have been scored. Start: places drawn from a
// Gaussian with deviation sigma around the start vector, at rest. A best place keeps the score it once had,
// as in the paper: with noisy scores it can be luck and hold the swarm; nothing is scored again, and samples
// enough per score are the remedy.
#include <math.h>
#include <string.h>

#include "optimise/method.h"
#include "optimise/swarm.h"

static const double most_place = 1e100; // some constants would carry particles to infinity
static const double worst_score = -1e300;

typedef struct Swarm {
    double *place, *speed, *best_place; // population x dimension each, behind each other
    double *best_score;                 // population
    double *deviation;                  // dimension
    int leader;                         // particle with the best place of all
} Swarm;

#define SETTING(member) OPTIMISER_SETTING(SwarmPlan, member)
static const Field swarm_field[] = {
    {"population", FIELD_INT, FIELD_AT(OptimiserPlan, population), .preset = 30, .least = 2,
     .most = OPTIMISER_MAX_POPULATION, .argument = "N", .help = "Vectors in a generation."},
    {"sigma", FIELD_REAL, FIELD_AT(OptimiserPlan, sigma), .preset = 1, .least = 1e-9, .most = 1e9,
     .argument = "X", .help = "First standard deviation."},
    {"inertia", FIELD_REAL, SETTING(inertia), .preset = 0.72, .most = 2, .argument = "X",
     .help = "Share of its speed that a particle keeps."},
    {"cognitive", FIELD_REAL, SETTING(cognitive), .preset = 1.49, .most = 10, .argument = "X",
     .help = "Pull to its own best place."},
    {"social", FIELD_REAL, SETTING(social), .preset = 1.49, .most = 10, .argument = "X",
     .help = "Pull to the best place of its neighbours."},
    {"most_speed", FIELD_REAL, SETTING(most_speed), .most = 1e9, .argument = "X",
     .help = "Highest speed per coordinate; 0: no limit."},
    {"neighbours", FIELD_INT, SETTING(neighbours), .most = OPTIMISER_MAX_POPULATION, .argument = "N",
     .help = "How many particles on either side, on a ring, each one sees; 0: all."},
};
static const Fields swarm_fields = FIELDS(swarm_field);

static size_t numbers(const OptimiserPlan *plan) {
    return (size_t)plan->population * (size_t)plan->dimension;
}

// What follows from the rest.
static void complete_state(Swarm *swarm, const OptimiserPlan *plan) {
    swarm->leader = 0;
    for (int i = 1; i < plan->population; i++)
        if (swarm->best_score[i] > swarm->best_score[swarm->leader])
            swarm->leader = i;
    optimiser_deviations(plan, swarm->place, swarm->deviation);
}

static bool swarm_start(Optimiser *optimiser, Error *error) {
    const OptimiserPlan *plan = &optimiser->plan;
    Swarm *swarm = optimiser->state;
    size_t size = numbers(plan), count = (size_t)plan->population, n = (size_t)plan->dimension;
    (void)error;
    swarm->place = optimiser_room(optimiser, 3 * size, sizeof *swarm->place);
    swarm->best_score = optimiser_room(optimiser, count, sizeof *swarm->best_score);
    swarm->deviation = optimiser_room(optimiser, n, sizeof *swarm->deviation);
    if (optimiser->starved)
        return false;
    swarm->speed = swarm->place + size;
    swarm->best_place = swarm->speed + size;
    Random random = optimiser_random(optimiser, 0);
    for (size_t at = 0; at < size; at++) {
        double centre = plan->start ? plan->start[at % n] : 0;
        swarm->place[at] = swarm->best_place[at] = centre + plan->sigma * random_normal(&random);
    }
    for (int i = 0; i < plan->population; i++)
        swarm->best_score[i] = worst_score;
    complete_state(swarm, plan);
    return true;
}

static int swarm_ask(Optimiser *optimiser) {
    const Swarm *swarm = optimiser->state;
    memcpy(optimiser->batch, swarm->place, numbers(&optimiser->plan) * sizeof *swarm->place);
    return optimiser->plan.population;
}

static void note_bests(Swarm *swarm, const OptimiserPlan *plan, const double *score) {
    size_t n = (size_t)plan->dimension;
    for (int i = 0; i < plan->population; i++) {
        double value = isnan(score[i]) ? worst_score : fmax(worst_score, fmin(-worst_score, score[i]));
        if (value > swarm->best_score[i]) {
            swarm->best_score[i] = value;
            memcpy(swarm->best_place + (size_t)i * n, swarm->place + (size_t)i * n, n * sizeof *swarm->place);
        }
    }
}

// <- the particle whose best place attracts particle i. Of equally good ones: the first of all; on the ring,
//    the particle itself, then the nearest.
static int attractor(const Swarm *swarm, const OptimiserPlan *plan, int i) {
    int count = plan->population, reach = swarm_plan(plan)->neighbours, best = i;
    if (reach == 0 || reach >= count / 2)
        return swarm->leader;
    for (int step = 1; step <= reach; step++) {
        int left = (i + count - step) % count, right = (i + step) % count;
        if (swarm->best_score[left] > swarm->best_score[best])
            best = left;
        if (swarm->best_score[right] > swarm->best_score[best])
            best = right;
    }
    return best;
}

static double within(double value, double most) {
    return fmax(-most, fmin(most, value));
}

static void move(Swarm *swarm, const OptimiserPlan *plan, int i, Random *random) {
    const SwarmPlan *own = swarm_plan(plan);
    size_t n = (size_t)plan->dimension, from = (size_t)i * n, to = (size_t)attractor(swarm, plan, i) * n;
    double most_speed = own->most_speed > 0 ? own->most_speed : most_place;
    for (size_t k = 0; k < n; k++) {
        double place = swarm->place[from + k];
        double memory = own->cognitive * random_unit(random) * (swarm->best_place[from + k] - place);
        double company = own->social * random_unit(random) * (swarm->best_place[to + k] - place);
        double speed = within(own->inertia * swarm->speed[from + k] + memory + company, most_speed);
        swarm->speed[from + k] = speed;
        swarm->place[from + k] = within(place + speed, most_place);
    }
}

static void swarm_tell(Optimiser *optimiser, const double *score, const int *order) {
    (void)order;
    Swarm *swarm = optimiser->state;
    const OptimiserPlan *plan = &optimiser->plan;
    Random random = optimiser_random(optimiser, 1);
    note_bests(swarm, plan, score);
    complete_state(swarm, plan); // the leader must be known before anybody moves
    for (int i = 0; i < plan->population; i++)
        move(swarm, plan, i, &random);
    complete_state(swarm, plan);
}

static const char *swarm_stop_reason(const Optimiser *optimiser) {
    const Swarm *swarm = optimiser->state;
    if (optimiser->status.generation == 0)
        return NULL;
    for (size_t at = 0; at < numbers(&optimiser->plan); at++) {
        double least = 1e-15 * fabs(swarm->place[at]) + 1e-150;
        if (fabs(swarm->speed[at]) > least || fabs(swarm->best_place[at] - swarm->place[at]) > least)
            return NULL;
    }
    return "The particles have come to rest.";
}

static void swarm_status(const Optimiser *optimiser, OptimiserStatus *status) {
    const Swarm *swarm = optimiser->state;
    status->answer = swarm->best_place + (size_t)swarm->leader * (size_t)status->dimension;
    status->deviation = swarm->deviation;
}

static int swarm_lists(const Optimiser *optimiser, NumberList *list) {
    const Swarm *swarm = optimiser->state;
    int size = (int)numbers(&optimiser->plan);
    list[0] = (NumberList){"place", swarm->place, size};
    list[1] = (NumberList){"speed", swarm->speed, size};
    list[2] = (NumberList){"best_place", swarm->best_place, size};
    list[3] = (NumberList){"best_score", swarm->best_score, optimiser->plan.population};
    return 4;
}

static bool swarm_restored(Optimiser *optimiser, const json_t *from, Error *error) {
    (void)from;
    Swarm *swarm = optimiser->state;
    for (size_t at = 0; at < 3 * numbers(&optimiser->plan); at++) // the three lists lie behind each other
        if (fabs(swarm->place[at]) > most_place)
            return error_set(error,
                             "In the saved state of the optimiser, a particle is at %g, which cannot be.",
                             swarm->place[at]);
    complete_state(swarm, &optimiser->plan);
    return true;
}

const OptimiserKind optimiser_swarm = {
    .traits = {.title = "particle swarm", .fields = &swarm_fields, .has_start = true, .unit = 1, .games = 10},
    .state = sizeof(Swarm),
    .start = swarm_start,
    .ask = swarm_ask,
    .tell = swarm_tell,
    .stop_reason = swarm_stop_reason,
    .status = swarm_status,
    .lists = swarm_lists,
    .restored = swarm_restored,
};
