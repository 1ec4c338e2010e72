// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers beside each other; intervals.h says what is shown. Nothing depends on colour alone.
#include "plot/intervals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const PlotStyle styles[2] = {{PLOT_ACROSS, PLOT_BLUE, 3, false, PLOT_DISC, 1.1},
                                    {PLOT_ACROSS, PLOT_RED, 2, false, PLOT_DIAMOND, 1.4}};
static const double BELOW = 0.25; // where the second series stands

// Row k stands at y = -k. A value that is not known stands where its interval begins.
static void add_row(const IntervalsPlan *plan, PlotPanel *panel, PlotSeries *series, const IntervalsRow *row,
                    int k) {
    char number[24], text[32];
    Interval interval = row->interval[0];
    double value = row->value[0], low = interval.low;
    bool bound = plan->log ? !(value > 0 && isfinite(value)) : !isfinite(value);
    double at = bound ? low : value;
    plot_name(&panel->y, -k, row->name);
    plot_add_interval(series, at, -k,
                      isnan(low)                ? at
                      : plan->log && !(low > 0) ? 0
                                                : low,
                      isnan(interval.high) ? at : interval.high);
    snprintf(text, sizeof text, "%s%s", isfinite(value) ? "" : "over ",
             plan->text(isfinite(value) ? value : low, number));
    plot_note(panel, at, -k, text);
}

// Beside the title, if there is room.
static PlotLegend legend_of(const IntervalsPlan *plan) {
    size_t length = 0;
    for (int k = 0; k < 2; k++)
        length += plan->series[k] ? strlen(plan->series[k]) : 0;
    return !length ? PLOT_LEGEND_NONE : length <= 24 ? PLOT_LEGEND_ABOVE : PLOT_LEGEND_BELOW;
}

// Numbers above points need room at the right end of a log axis.
static double beyond(const IntervalsPlan *plan, double value) {
    return plan->log ? 1.2 * value : value;
}

bool intervals_make(Plot *plot, const IntervalsPlan *plan, const IntervalsRow *row, int rows, Error *error) {
    const double each = rows > 20 ? 36 : 70;
    plot_begin(plot, 900, 210 + (int)(each * rows));
    if (rows < 1 || rows > INTERVALS_MAX_ROWS)
        return error_set(error, "A plot shows 1 to %d rows, not %d.", INTERVALS_MAX_ROWS, rows);
    PlotPanel *panel = plot_panel(plot, "");
    plot_title(plot, plan->title, plan->subtitle);
    plot_label_axis(&panel->x, plan->label);
    panel->x.log = plan->log;
    panel->y.exact = true;
    panel->y.range = (PlotRange){0.4 - rows, isnan(plan->rule) ? 0.6 : 1.1};
    panel->legend = legend_of(plan);
    PlotSeries *first = plot_series(panel, styles[0], plan->series[0] ? plan->series[0] : ""), *second = NULL;
    for (int k = 0; k < rows; k++) {
        double value = row[k].value[1];
        add_row(plan, panel, first, &row[k], k);
        plot_range_add(&panel->x.range, beyond(plan, row[k].value[0]), plan->log);
        if (isnan(value))
            continue;
        if (!second)
            second = plot_series(panel, styles[1], plan->series[1] ? plan->series[1] : "");
        Interval interval = row[k].interval[1];
        plot_add_interval(second, value, -k - BELOW, isnan(interval.low) ? value : interval.low,
                          isnan(interval.high) ? value : interval.high);
    }
    if (!isnan(plan->rule)) {
        plot_rule(panel, plan->rule, plan->rule_text);
        plot_range_add(&panel->x.range, plan->rule, plan->log);
    }
    return plot_panel_shows(panel) || error_set(error, "There is no number that can be drawn.");
}
