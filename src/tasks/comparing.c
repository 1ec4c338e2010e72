// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/comparing.h"

#include "measure/distribution.h"

// ---------------------------------------------------------------------------------------------------
// Settings

// The regression of heights is too biased for a comparison.
static bool is_exact(int method) {
    return method != MEASURE_HEIGHTS;
}

static const Field compare_field[] = {
    {"precision", FIELD_OTHER, FIELD_AT(CompareSettings, precision), .type = &field_percentage,
     .otherwise = "5%", .least = 0.1, .most = 1000, .argument = "P%",
     .help = "Measure until the 95 % interval of each ratio is within about P % of the ratio."},
    {"method", FIELD_WORD, FIELD_AT(CompareSettings, method), .preset = MEASURE_AUTO,
     .words = measure_method_words, .takes = is_exact, .argument = "NAME",
     .help = "How to measure: games, splitting, or auto: whichever is faster."},
};
const Fields compare_fields = FIELDS(compare_field);

static const Field sprt_field[] = {
    {"sprt", FIELD_LIST, FIELD_AT(CompareSettings, ratio), .size = 2, .least = 1e-6, .most = 1e6,
     .argument = "R0,R1", .otherwise = "no test",
     .help = "Instead of measuring: test on pairs of whole games whether the second strategy makes R0 or R1 "
             "times as many lines as the first, such as 1,1.1, and stop as soon as that is known."},
    {"alpha", FIELD_REAL, FIELD_AT(CompareSettings, alpha), .preset = 0.05, .least = 0.0001, .most = 0.4,
     .argument = "A", .help = "With --sprt: how often R1 may be accepted though R0 is true."},
    {"beta", FIELD_REAL, FIELD_AT(CompareSettings, beta), .preset = 0.05, .least = 0.0001, .most = 0.4,
     .argument = "B", .help = "With --sprt: how often R0 may be accepted though R1 is true."},
    {"pairs", FIELD_WHOLE, FIELD_AT(CompareSettings, pairs), .preset = 100000, .least = SPRT_FIRST_LOOK,
     .most = SPRT_MAX_PAIRS, .argument = "N", .help = "With --sprt: give up after N pairs."},
};
const Fields sprt_fields = FIELDS(sprt_field);

bool compare_has_test(const CompareSettings *settings) {
    return settings->ratio[0] > 0;
}

bool compare_check(const CompareSettings *settings, int strategies, const Rules *rules,
                   const Arguments *arguments, Error *error) {
    bool sprt = compare_has_test(settings);
    if (strategies < 2)
        return error_set(error, "name at least two strategies, as in tetralab compare dellacherie bcts.");
    if (strategies > COMPARE_MAX_PLAYERS)
        return error_set(error, "%d strategies are too many; at most %d are compared.", strategies,
                         COMPARE_MAX_PLAYERS);
    if (sprt && settings->ratio[0] == settings->ratio[1])
        return error_set(error, "--sprt needs two different ratios, such as 1,1.1.");
    if (sprt && strategies != 2)
        return error_set(error, "--sprt tests one strategy against another: give two, not %d.", strategies);
    if (sprt && (arguments_given(arguments, "method") || arguments_given(arguments, "precision")))
        return error_set(
            error, "--sprt plays whole games until it knows: it goes without --method and --precision.");
    if (!sprt && (arguments_given(arguments, "pairs") || arguments_given(arguments, "alpha") ||
                  arguments_given(arguments, "beta")))
        return error_set(error,
                         "--alpha, --beta and --pairs belong to the sequential test: add --sprt R0,R1.");
    return rules_check(rules, error);
}

// ---------------------------------------------------------------------------------------------------
// Measuring

int compare_measure(Compared *list, const ComparePlan *plan, Error *error) {
    int done = 0;
    for (; done < plan->players && !work_is_stopped(&plan->work); done++) {
        const char *name = player_strategy(plan->player[done])->name;
        MeasurePlan measure = {.player = plan->player[done],
                               .seed = plan->seed,
                               .method = plan->settings->method,
                               .precision = ratio_each_precision(plan->settings->precision / 100),
                               .work = plan->work};
        list[done].name = name;
        list[done].number = done;
        if (plan->begin)
            plan->begin(plan->work.context, done);
        Error detail;
        bool good = measurement_run(&list[done].measurement, &measure, &detail);
        if (plan->end)
            plan->end(plan->work.context);
        if (!good) {
            measurement_free(&list[done].measurement);
            if (!work_is_stopped(&plan->work) || done == 0)
                error_set(error, "%s: %.400s", name, detail.text);
            return done;
        }
    }
    return done;
}

static bool scores_are_exponential(const Playing *games) {
    DistributionFit fit;
    return distribution_fit(&fit, games->score, games->games, 1, NULL) && distribution_is_exponential(&fit);
}

static void count_games(const Playing *games, uint64_t *ended, double *lines) {
    *ended = 0;
    *lines = 0;
    for (uint64_t i = 0; i < games->games; i++) {
        *ended += !games->score[i].censored;
        *lines += (double)games->score[i].lines;
    }
}

Ratio compare_ratio(const Measurement *a, const Measurement *b) {
    if (a->method == MEASURE_GAMES && b->method == MEASURE_GAMES && scores_are_exponential(&a->games) &&
        scores_are_exponential(&b->games)) {
        uint64_t ended_a, ended_b;
        double lines_a, lines_b;
        count_games(&a->games, &ended_a, &lines_a);
        count_games(&b->games, &ended_b, &lines_b);
        return ratio_exponential(ended_a, lines_a, ended_b, lines_b);
    }
    return ratio_combine(a->mean_lines, a->interval, b->mean_lines, b->interval);
}

// Players that never lost come first; equal ones keep their order.
static bool is_better(const Compared *a, const Compared *b) {
    return a->measurement.mean_lines > b->measurement.mean_lines;
}

void compare_rank(Compared *list, int count) {
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && is_better(&list[k], &list[k - 1]); k--) {
            Compared swap = list[k];
            list[k] = list[k - 1];
            list[k - 1] = swap;
        }
    for (int i = 0; i < count; i++) {
        list[i].is_best = i == 0;
        list[i].ratio = i ? compare_ratio(&list[0].measurement, &list[i].measurement) : (Ratio){1, {1, 1}};
    }
}

const char *compare_ratio_verdict(const Ratio *ratio) {
    return ratio->interval.low > 1 ? "better" : ratio->interval.high < 1 ? "worse" : "undecided";
}

const char *compare_verdict(const Compared *compared) {
    return compared->is_best ? "best" : compare_ratio_verdict(&compared->ratio);
}
