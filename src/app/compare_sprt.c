// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab compare --sprt` says about its sequential test.
#include <inttypes.h>

#include "app/app.h"
#include "app/compare_report.h"
#include "base/text.h"

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
            a, text_count(sprt_mean(sprt, sprt->a), mean_a), b, text_count(sprt_mean(sprt, sprt->b), mean_b),
            text, b, 100 * sprt_wins(sprt));
    fprintf(out, "The sum of the log likelihood ratios is %.2f (bounds %.2f and %.2f); %s pieces in %s.\n",
            sprt_sum(sprt), sprt->lower, sprt->upper, text_count((double)run->pieces, pieces),
            text_seconds(run->seconds, seconds));
    if (sprt->test == SPRT_SIGN)
        fprintf(out,
                "The scores are not near exponential, so that the sign test was used: it asks how often %s "
                "beats %s with the same pieces, not for the ratio of means.\n",
                b, a);
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
    table_cell(table, "%s", sprt_decision_words[sprt->decision]);
    table_cell(table, "%s", sprt_test_name(sprt->test));
    table_cell(table, "%" PRIu64, sprt->pairs);
    table_cell(table, "%.6g", ratio.value);
    table_cell(table, "%.6g", ratio.interval.low);
    table_cell(table, "%.6g", ratio.interval.high);
}
