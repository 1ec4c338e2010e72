// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/histogram.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { MAX_BINS = 60, LEAST_BINS = 8, MEANS_SHOWN = 7, LAW_POINTS = 200 };

static double mean_of(const HistogramRow *row) {
    return isnan(row->mean) ? gsl_stats_mean(row->value, 1, row->count) : row->mean;
}

static bool choose_bins(Histogram *h, const HistogramRow *row, int rows) {
    double most = -INFINITY, least = 0, shown = 0, wanted = LEAST_BINS;
    bool whole = true;
    for (int k = 0; k < rows; k++) {
        for (size_t i = 0; i < row[k].count; i++) {
            double value = row[k].value[i];
            least = fmin(least, value);
            most = fmax(most, value);
            whole = whole && value == floor(value);
        }
        shown = fmax(shown, MEANS_SHOWN * mean_of(&row[k]));
        wanted = fmin(fmax(wanted, 2 * sqrt((double)row[k].count)), MAX_BINS);
    }
    if (!(fabs(most) < 1e100 && fabs(least) < 1e100))
        return false;
    double top = least < 0 || !(shown > 0) ? most : fmin(most, shown);
    double span = fmax(top - least, fmax(fabs(most), 1e-100) * 1e-9);
    h->width = plot_round_up(whole ? fmax((span + 1) / wanted, 1) : span / wanted);
    h->low = floor(least / h->width) * h->width;
    h->bins = (int)floor((top - h->low) / h->width) + 1;
    return h->bins >= 1 && h->bins <= MAX_BINS * 3;
}

// -> least  the smallest bin that is not empty, of all rows so far
static void add_bins(Histogram *h, PlotSeries *series, const HistogramRow *row, double unit, double *least) {
    double bin[MAX_BINS * 3] = {0};
    for (size_t i = 0; i < row->count; i++) {
        double at = floor((row->value[i] - h->low) / h->width);
        if (at >= 0 && at < h->bins)
            bin[(int)at] += unit;
        else
            h->beyond++;
    }
    for (int k = 0; k < h->bins; k++) {
        plot_add(series, h->low + (k + 0.5) * h->width, bin[k]);
        *least = bin[k] > 0 ? fmin(*least, bin[k]) : *least;
    }
}

// -> least  where a log axis ends, though the law does not
static void add_law(const Histogram *h, PlotPanel *panel, PlotSeries *law, double mean, double top,
                    double least) {
    for (int k = 0; k <= LAW_POINTS; k++) {
        double x = h->bins * h->width * k / LAW_POINTS, y = top * exp(-x / mean);
        if (!panel->y.log || y >= least)
            plot_add(law, x, y);
    }
}

bool histogram_add(Histogram *h, PlotPanel *panel, const HistogramRow *row, int rows, bool percent) {
    double least = INFINITY;
    *h = (Histogram){0};
    if (!choose_bins(h, row, rows))
        return false;
    panel->x.exact = true;
    panel->bar = h->width;
    plot_range_add(&panel->x.range, h->low, false);
    plot_range_add(&panel->x.range, h->low + h->bins * h->width, false);
    for (int k = 0; k < rows; k++) {
        PlotStyle bars = plot_line_style(k, 2);
        bars.mark = rows == 1 ? PLOT_BARS : PLOT_STEPS;
        bars.colour = rows == 1 ? PLOT_SKY : bars.colour;
        add_bins(h, plot_series(panel, bars, row[k].label), &row[k],
                 percent ? 100.0 / (double)row[k].count : 1, &least);
    }
    for (int k = 0; k < rows; k++) {
        PlotStyle law = plot_line_style(rows == 1 ? 1 : k, rows == 1 ? 2.5 : 2);
        double mean = mean_of(&row[k]), whole = percent ? 100 : (double)row[k].count;
        law.dashed = rows > 1;
        if (mean > 0 && h->low >= 0)
            add_law(h, panel,
                    plot_series(panel, law, k == rows - 1 ? "exponential law of the same mean" : ""), mean,
                    whole * h->width / mean, least);
    }
    return true;
}
