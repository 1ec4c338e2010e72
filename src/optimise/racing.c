// SPDX-License-Identifier: GPL-3.0-or-later
// Hoeffding, Bernstein and Tetris races: Boumaza, "How to design good Tetris players", section 5.2, eq. 3 to
// 7; the procedure is that of Heidrich-Meisner & Igel 2009. All decisions of a round rest on the counts
// before it. As long as no lower bound is above its upper bound, the order of the candidates then does not
// matter: no more than `select` can be selected, nobody is both selected and discarded, and doing it again
// would decide nothing more (see decide). It does not keep scores, only their sum and spread; which games are
// played is the caller's business.
#define _GNU_SOURCE // qsort_r
#include "optimise/racing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/portable.h"
#include "optimise/optimiser.h"

typedef enum Standing { SELECTED, UNDECIDED, DISCARDED } Standing; // in the order of race_order

typedef struct Runner {
    int scores;
    double sum, mean, squares; // squares: sum of squared differences from the mean
    double lower, upper;
    Standing verdict, next;
} Runner;

struct Race {
    RacePlan plan;
    int candidates, select, limit;
    int rounds, selected, discarded;
    uint64_t taken; // scores, of all candidates
    Runner runner[];
};

enum { MAX_ROUNDS = 100000 };
static const char *const bound_words[] = {"none", "hoeffding", "bernstein", "tetris", NULL};
static const char *const rule_words[] = {"corrected", "printed", "crossing", "counted", "literal", NULL};

static void tell_methods(FILE *out) {
    char names[FIELD_WORDS_TEXT];
    fprintf(out, " For the methods that rank: %s.",
            optimiser_with(offsetof(OptimiserTraits, ranks), "and", names));
}

#define RACE_ONLY .belongs = "race hoeffding bernstein tetris"
static const Field race_field[] = {
    {"bound", FIELD_WORD, FIELD_AT(RacePlan, bound), .option = "race", .words = bound_words,
     .argument = "BOUND", .tell_help = tell_methods,
     .help = "Drop vectors that are surely bad before they have played all games: hoeffding, bernstein or "
             "tetris."},
    {"bounds", FIELD_LIST, FIELD_AT(RacePlan, bounds), .size = 2, .option = "race-bounds", RACE_ONLY,
     .otherwise = "150,2000", .argument = "A,B", .help = "Scores are almost surely between these."},
    {"delta", FIELD_REAL, FIELD_AT(RacePlan, delta), .option = "race-delta", RACE_ONLY, .preset = 0.05,
     .least = 1e-9, .most = 0.999, .argument = "P",
     .help = "How often the bounds may be wrong: 1 - confidence."},
    {"rule", FIELD_WORD, FIELD_AT(RacePlan, rule), .option = "race-rule", RACE_ONLY, .words = rule_words,
     .argument = "RULE",
     .help = "How bounds are tightened: corrected; printed: with the papers' misprint; crossing: bounds that "
             "cross stay so; counted: n_b is the games so far; literal: both of these."},
    {"least", FIELD_INT, FIELD_AT(RacePlan, least), .option = "race-least", RACE_ONLY, .preset = 3,
     .least = 1, .most = MAX_ROUNDS, .argument = "N",
     .help = "Least limit on the games of a vector; it changes from race to race."},
    {"most", FIELD_INT, FIELD_AT(RacePlan, most), .option = "race-most", RACE_ONLY, .preset = 100, .least = 1,
     .most = MAX_ROUNDS, .argument = "N", .help = "Largest limit on the games of a vector."},
    {"alpha", FIELD_REAL, FIELD_AT(RacePlan, alpha), .preset = 1.5, .least = 1 + 1e-9,
     .most = 100}, // no option
};
const Fields race_fields = FIELDS(race_field);

bool race_check(const RacePlan *plan, Error *error) {
    if (plan->bound == RACE_NONE)
        return true;
    if (!fields_check(race_fields, plan, error))
        return false;
    if (!(isfinite(plan->bounds[0]) && isfinite(plan->bounds[1]) && plan->bounds[0] < plan->bounds[1]))
        return error_set(error, "A race needs a lowest score below the highest, not %g and %g.",
                         plan->bounds[0], plan->bounds[1]);
    if (plan->most < plan->least)
        return error_set(error, "A race needs least rounds <= most rounds, not %d and %d.", plan->least,
                         plan->most);
    return true;
}

Race *race_new(const RacePlan *plan, int candidates, int select, int limit, Error *error) {
    if (!race_check(plan, error))
        return NULL;
    if (select < 1 || select >= candidates)
        return error_null(error, "A race selects at least 1 and fewer than all of its %d candidates, not %d.",
                          candidates, select);
    if (limit < 1)
        return error_null(error, "A race needs at least one round, not %d.", limit);
    Race *race = calloc(1, sizeof *race + (size_t)candidates * sizeof *race->runner);
    if (!race)
        return error_null(error, "Out of memory for a race of %d candidates.", candidates);
    race->plan = *plan;
    race->candidates = candidates;
    race->select = select;
    race->limit = limit;
    for (int i = 0; i < candidates; i++)
        race->runner[i] = (Runner){.lower = plan->bounds[0], .upper = plan->bounds[1], .verdict = UNDECIDED};
    return race;
}

static bool race_over(const Race *race) {
    return race->rounds >= race->limit || race->selected >= race->select;
}

bool race_wants(const Race *race, int candidate) {
    return !race_over(race) && race->runner[candidate].verdict == UNDECIDED;
}

// Beyond this, squares and sums would overflow; no score that means anything gets there.
static const double most_score = 1e100;

void race_score(Race *race, int candidate, double score) {
    Runner *runner = &race->runner[candidate];
    if (!race_wants(race, candidate) || runner->scores > race->rounds)
        return;
    if (!isfinite(score))
        score = score > 0 ? race->plan.bounds[1] : race->plan.bounds[0];
    score = fmax(-most_score, fmin(most_score, score));
    double before = score - runner->mean;
    runner->scores++;
    race->taken++;
    runner->sum += score;
    runner->mean = runner->sum / runner->scores; // from the sum: equal sums in any order are equal means
    runner->squares += before * (score - runner->mean);
}

// c of eq. 5, 6 and 7: half the width of the confidence interval.
static double half_width(const Race *race, const Runner *runner) {
    const RacePlan *plan = &race->plan;
    double r = runner->scores, range = fabs(plan->bounds[1] - plan->bounds[0]);
    bool counted = plan->rule == RACE_COUNTED || plan->rule == RACE_LITERAL;
    double n_b = counted ? (double)race->taken : (double)race->candidates * race->limit;
    switch (plan->bound) {
    case RACE_HOEFFDING:
        return range * sqrt(portable_log(2 * n_b / plan->delta) / (2 * r));
    case RACE_BERNSTEIN: {
        double sd = sqrt(fmax(runner->squares, 0) / r), chance = portable_log(3 * n_b / plan->delta);
        return sd * sqrt(2 * chance / r) + 3 * range * chance / r;
    }
    case RACE_TETRIS:
        return 2 * fabs(runner->mean) / sqrt(r);
    case RACE_NONE:
        break;
    }
    return INFINITY;
}

// The interval of the scores and what was known before can contradict each other, and then the bounds would
// cross: because the true mean is not between a and b at all (weak players make fewer than 150 lines on hard
// games: with the Tetris bound this is the rule in the first generations), or by bad luck, which delta allows
// for. A candidate with crossed bounds would be better and worse than others at once. What was known before
// is then dropped, and the interval of its scores stands alone. Compared with candidates that are still held
// to be above a, one that is below a then loses, and it has the smaller mean; compared with others below a,
// only scores count.
//
// With the formula as it is printed, bounds cross as soon as a lower bound rises above a: its candidate is
// then above all others at once and selected, whatever their scores. There, and where bounds may cross, more
// than `select` can be selected at once: race_order puts those with the higher means first.
static void tighten(const Race *race, Runner *runner) {
    if (!runner->scores)
        return;
    double c = half_width(race, runner);
    double low = runner->mean - c, high = runner->mean + c, before = runner->lower;
    runner->lower = fmax(before, low);
    runner->upper = fmin(race->plan.rule == RACE_PRINTED ? before : runner->upper, high);
    bool resets = race->plan.rule == RACE_CORRECTED || race->plan.rule == RACE_COUNTED;
    if (runner->lower > runner->upper && resets) {
        runner->lower = low;
        runner->upper = high;
    }
}

// Selected when at least (candidates - select - discarded) undecided ones are surely worse, discarded when at
// least (select - selected) are surely better. Why nobody can be in the way of anybody: of the m places left
// among u undecided, a selected candidate is above u - m others; the selected one with the lowest lower bound
// is above u - m candidates whose own lower bounds are lower still, so these are not selected, and at most m
// are. The same holds for discarding, upside down. Those above and those below one candidate are different
// ones and not itself, hence it cannot have m of the former and u - m of the latter.
static Standing verdict(const Race *race, const Runner *runner) {
    int worse = 0, better = 0;
    for (int j = 0; j < race->candidates; j++) {
        const Runner *other = &race->runner[j];
        worse += other->verdict == UNDECIDED && other->upper < runner->lower;
        better += other->verdict == UNDECIDED && other->lower > runner->upper;
    }
    if (worse >= race->candidates - race->select - race->discarded)
        return SELECTED;
    return better >= race->select - race->selected ? DISCARDED : UNDECIDED;
}

static void decide(Race *race) {
    for (int i = 0; i < race->candidates; i++) {
        Runner *runner = &race->runner[i];
        runner->next = runner->verdict == UNDECIDED ? verdict(race, runner) : runner->verdict;
    }
    race->selected = race->discarded = 0;
    for (int i = 0; i < race->candidates; i++) {
        Runner *runner = &race->runner[i];
        runner->verdict = runner->next;
        race->selected += runner->verdict == SELECTED;
        race->discarded += runner->verdict == DISCARDED;
    }
}

bool race_end_round(Race *race) {
    if (race_over(race))
        return true;
    race->rounds++;
    if (race->plan.bound != RACE_NONE) {
        for (int i = 0; i < race->candidates; i++)
            if (race->runner[i].verdict == UNDECIDED)
                tighten(race, &race->runner[i]);
        decide(race);
    }
    return race_over(race);
}

bool race_decided(const Race *race) {
    return race->selected >= race->select && race->rounds < race->limit;
}

int race_rounds(const Race *race) {
    return race->rounds;
}

double race_mean(const Race *race, int candidate) {
    return race->runner[candidate].mean;
}

void race_bounds(const Race *race, int candidate, double *lower, double *upper) {
    *lower = race->runner[candidate].lower;
    *upper = race->runner[candidate].upper;
}

static int compare_runners(const void *left, const void *right, void *runners) {
    const Runner *a = (const Runner *)runners + *(const int *)left;
    const Runner *b = (const Runner *)runners + *(const int *)right;
    if (a->verdict != b->verdict)
        return a->verdict < b->verdict ? -1 : 1;
    if (a->mean != b->mean)
        return a->mean > b->mean ? -1 : 1;
    return (a > b) - (a < b);
}

void race_order(const Race *race, int *order) {
    for (int i = 0; i < race->candidates; i++)
        order[i] = i;
    qsort_r(order, (size_t)race->candidates, sizeof *order, compare_runners, (void *)race->runner);
}

double race_next_limit(const RacePlan *plan, double limit, const Race *race) {
    if (plan->bound == RACE_NONE)
        return limit;
    double next = race_decided(race) ? limit / plan->alpha : limit * plan->alpha;
    return fmax(plan->least, fmin(plan->most, next));
}
