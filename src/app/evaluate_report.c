// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluate_report.h"

#include <inttypes.h>
#include <math.h>

#include "base/text.h"

static double lines_of(const EvaluateScores *scores, uint64_t k) {
    return objective_lines(scores->objective->kind, scores->row[k].score);
}

void evaluate_table(Table *table, const void *rows, int count) {
    static const TableColumn columns[] = {{"evaluation"}, {"score"}, {"mean_lines"}, {"samples"}, {"pieces"}};
    const EvaluateScores *scores = rows;
    (void)count;
    TABLE_HEAD(table, columns);
    for (uint64_t k = 0; k < scores->count; k++) {
        const IohRow *row = &scores->row[k];
        if (!row->samples)
            continue;
        table_cell(table, "%" PRIu64, k + 1);
        table_number(table, row->score);
        table_number(table, lines_of(scores, k));
        table_cell(table, "%" PRIu64, row->samples);
        table_cell(table, "%" PRIu64, row->pieces);
    }
}

bool evaluate_plot(Plot *plot, const void *rows, int count, Error *error) {
    enum { MAX_POINTS = 2000 };
    static const PlotStyle each = {PLOT_POINTS, PLOT_SKY, 1, 0, PLOT_DISC, 0.5};
    const EvaluateScores *scores = rows;
    const Rules *rules = &scores->objective->rules;
    uint64_t every = scores->count / MAX_POINTS + 1;
    char subtitle[200], number[32];
    double best = -INFINITY;
    (void)count;
    plot_begin(plot, 900, 540);
    PlotPanel *panel = plot_panel(plot, "");
    PlotSeries *points = plot_series(panel, each, "score of a vector");
    PlotSeries *line = plot_series(panel, plot_line_style(1, 2.5), "largest so far");
    for (uint64_t k = 0; k < scores->count; k++) {
        if (!scores->row[k].samples)
            continue;
        double lines = lines_of(scores, k);
        if (k % every == 0)
            plot_add(points, (double)(k + 1), lines);
        if (lines > best && isfinite(best))
            plot_add(line, (double)(k + 1), best); // a step
        best = fmax(best, lines);
        plot_add(line, (double)(k + 1), best);
    }
    snprintf(subtitle, sizeof subtitle, "%s vectors on %dx%d, pieces %.60s, objective %s; scores are noisy",
             text_grouped(scores->count, number), rules->width, rules->height, rules->pieces.name,
             objective_words[scores->objective->kind]);
    plot_title(plot, "Scores of vectors", subtitle);
    plot_label_axis(&panel->x, "evaluation");
    plot_label_axis(&panel->y, "lines, log scale");
    panel->x.whole = panel->y.log = true;
    panel->legend = PLOT_LEGEND_ABOVE;
    return plot_panel_shows(panel) ||
           error_set(error, "No vector has made a line, so there is nothing to draw.");
}
