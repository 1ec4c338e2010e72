// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab compare --sprt` says about its sequential test.
#include <inttypes.h>
#include <math.h>

#include "app/app.h"
#include "app/compare_report.h"
#include "app/play_report.h"
#include "base/fields_json.h"
#include "base/text.h"

static const char *const DECISIONS[] = {[SPRT_UNDECIDED] = "undecided", [SPRT_H0] = "h0", [SPRT_H1] = "h1"};

static double mean_of(const Score *score, uint64_t count) {
    double sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += (double)score[i].lines;
    return count ? sum / (double)count : NAN;
}

// Ties count half.
static double wins_of(const Sprt *sprt) {
    double wins = 0;
    for (uint64_t i = 0; i < sprt->pairs; i++)
        wins += sprt->b[i].lines > sprt->a[i].lines ? 1 : sprt->b[i].lines == sprt->a[i].lines ? 0.5 : 0;
    return sprt->pairs ? wins / (double)sprt->pairs : NAN;
}

// What was decided, in the words of the test that decided it.
static void print_decision(FILE *out, const Sprt *sprt, const char *a, const char *b) {
    bool sign = sprt->test == SPRT_SIGN, h1 = sprt->decision == SPRT_H1;
    double accepted = h1 ? sprt->r1 : sprt->r0, rejected = h1 ? sprt->r0 : sprt->r1;
    double error = 100 * (h1 ? sprt->alpha : sprt->beta);
    char pairs[32];
    text_grouped(sprt->pairs, pairs);
    if (sprt->decision == SPRT_UNDECIDED)
        fprintf(out, "Undecided after %s pairs of games: both hypotheses are still possible.\n", pairs);
    else if (sign)
        fprintf(out,
                "Decision: %s beats %s in %.3g %% of the games rather than in %.3g %% (wrong in at most "
                "about %g %% of such tests), after %s pairs of games.\n",
                b, a, 100 * accepted / (1 + accepted), 100 * rejected / (1 + rejected), error, pairs);
    else
        fprintf(out,
                "Decision: %s makes %g rather than %g times as many lines as %s (wrong in at most about %g "
                "%% of such tests), after %s pairs of games.\n",
                b, accepted, rejected, a, error, pairs);
}

void compare_print_sprt(FILE *out, const SprtRun *run, const char *a, const char *b) {
    const Sprt *sprt = &run->sprt;
    char text[COMPARE_RATIO_TEXT], mean_a[24], mean_b[24], pieces[24], seconds[24];
    if (run->interrupted)
        fprintf(out, "Interrupted: this is what is known so far.\n");
    print_decision(out, sprt, a, b);
    if (sprt->pairs == 0)
        return;
    Ratio ratio = sprt_ratio(sprt);
    compare_ratio_text(&ratio, text);
    fprintf(out, "Estimate: %s makes %s lines, %s makes %s; the ratio is %s. %s wins %.1f %% of the pairs.\n",
            a, text_count(mean_of(sprt->a, sprt->pairs), mean_a), b,
            text_count(mean_of(sprt->b, sprt->pairs), mean_b), text, b, 100 * wins_of(sprt));
    fprintf(out, "The sum of the log likelihood ratios is %.2f (bounds %.2f and %.2f); %s pieces in %s.\n",
            sprt_sum(sprt), sprt->lower, sprt->upper, text_count((double)run->pieces, pieces),
            text_seconds(run->seconds, seconds));
    if (sprt->test == SPRT_SIGN)
        fprintf(out,
                "The scores are not near exponential, so that the sign test was used: it asks how often %s "
                "beats %s with the same pieces, not for the ratio of means.\n",
                b, a);
}

static json_t *scores_json(const Score *score, uint64_t count) {
    json_t *array = json_array();
    for (uint64_t i = 0; i < count; i++)
        json_array_append_new(array, json_whole(score[i].lines));
    return array;
}

json_t *compare_sprt_json(const SprtRun *run, const char *a, const char *b, const CompareContext *context) {
    const Sprt *sprt = &run->sprt;
    Ratio ratio = sprt_ratio(sprt);
    json_t *object = json_object();
    json_object_set_new(object, "strategy", json_name(b));
    json_object_set_new(object, "reference", json_name(a));
    json_object_set_new(object, "decision", json_string(DECISIONS[sprt->decision]));
    json_object_set_new(object, "ratio", json_finite(ratio.value));
    json_object_set_new(object, "ci95", json_pair(ratio.interval.low, ratio.interval.high));
    json_object_set_new(object, "r0", json_real(sprt->r0));
    json_object_set_new(object, "r1", json_real(sprt->r1));
    json_object_set_new(object, "alpha", json_real(sprt->alpha));
    json_object_set_new(object, "beta", json_real(sprt->beta));
    json_object_set_new(object, "test", json_string(sprt_test_name(sprt->test)));
    json_object_set_new(object, "pairs", json_whole(sprt->pairs));
    json_object_set_new(object, "log_likelihood_ratio", json_real(sprt_sum(sprt)));
    json_object_set_new(object, "wins", json_finite(wins_of(sprt)));
    json_object_set_new(object, "seconds", json_real(run->seconds));
    json_object_set_new(object, "interrupted", json_boolean(run->interrupted));
    json_object_set_new(object, "pieces", json_whole(run->pieces));
    compare_json_context(object, context);
    json_object_set_new(object, "reference_scores", scores_json(sprt->a, sprt->pairs));
    json_object_set_new(object, "scores", scores_json(sprt->b, sprt->pairs));
    return object;
}

void compare_sprt_fill_table(Table *table, const void *rows, int count) {
    static const TableColumn markdown[] = {{"strategy", -1}, {"reference", -1}, {"r0"},    {"r1"},
                                           {"decision", -1}, {"test", -1},      {"pairs"}, {"ratio"},
                                           {"low"},          {"high"}};
    static const TableColumn csv[] = {{"strategy"}, {"reference"}, {"r0"},    {"r1"},        {"decision"},
                                      {"test"},     {"pairs"},     {"ratio"}, {"ratio_low"}, {"ratio_high"}};
    const SprtTable *test = rows;
    const Sprt *sprt = &test->run->sprt;
    Ratio ratio = sprt_ratio(sprt);
    (void)count;
    table_head(table, table->form == TABLE_CSV ? csv : markdown, sizeof csv / sizeof *csv);
    table_name(table, test->b);
    table_name(table, test->a);
    table_cell(table, "%g", sprt->r0);
    table_cell(table, "%g", sprt->r1);
    table_cell(table, "%s", DECISIONS[sprt->decision]);
    table_cell(table, "%s", sprt_test_name(sprt->test));
    table_cell(table, "%" PRIu64, sprt->pairs);
    table_cell(table, "%.6g", ratio.value);
    table_cell(table, "%.6g", ratio.interval.low);
    table_cell(table, "%.6g", ratio.interval.high);
}
