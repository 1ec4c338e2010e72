// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of reproductions that show distributions: "box", the quartiles of what runs have learned (Boumaza,
// How to design good Tetris players, fig. 13), and "histogram", with the exponential law of the same mean
// (Amundsen, fig. 2.5).
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "plot/gnuplot.h"
#include "reproduce/reproduction_drawing.h"

enum {
    MAX_COMPONENTS = 60, // boxes beside each other
    MAX_OUTSIDE = 600,   // points beyond whiskers
    MAX_ROWS = 8,        // histograms in one picture
    MAX_BINS = 60,
    LEAST_BINS = 8,
    MEANS_SHOWN = 7,
    MAX_NUMBERS = 1 << 23 // of one histogram
};

// ---------------------------------------------------------------------------------------------------
// Boxes

typedef struct Boxes {
    double five[MAX_COMPONENTS][5]; // lower quartile, whiskers, upper quartile, median; NAN: none
    double outside[MAX_OUTSIDE][2];
    int components, outsiders;
} Boxes;

// Component k at the end of every run, ascending. <- how many
static int last_values(const Series *series, int k, double *value) {
    int count = 0;
    for (int run = 0; run < series->runs; run++) {
        double last = series_value(series, series->first[run + 1] - 1, k);
        if (isfinite(last))
            value[count++] = last;
    }
    gsl_sort(value, 1, (size_t)count);
    return count;
}

// Whiskers end at the farthest values within 1.5 times the distance of the quartiles.
static void add_box(Boxes *boxes, const double *value, int count) {
    double low = gsl_stats_quantile_from_sorted_data(value, 1, (size_t)count, 0.25);
    double high = gsl_stats_quantile_from_sorted_data(value, 1, (size_t)count, 0.75);
    double reach = 1.5 * (high - low), least = low, most = high;
    for (int i = 0; i < count; i++) {
        if (value[i] >= low - reach && value[i] <= high + reach) {
            least = fmin(least, value[i]);
            most = fmax(most, value[i]);
        } else if (boxes->outsiders < MAX_OUTSIDE) {
            double *point = boxes->outside[boxes->outsiders++];
            point[0] = boxes->components + 1;
            point[1] = value[i];
        }
    }
    double *five = boxes->five[boxes->components++];
    five[0] = low, five[1] = least, five[2] = most, five[3] = high;
    five[4] = gsl_stats_median_from_sorted_data(value, 1, (size_t)count);
}

// <- false: no memory
static bool make_boxes(Boxes *boxes, const Series *series) {
    double *value = calloc((size_t)series->runs + 1, sizeof *value);
    int count = series->runs;
    for (int k = 0; value && k < MAX_COMPONENTS && (count = last_values(series, k, value)) > 0; k++)
        add_box(boxes, value, count);
    free(value);
    return value != NULL;
}

static void see_boxes(Drawing *d, const Boxes *boxes) {
    for (int k = 0; k < boxes->components; k++)
        for (int i = 0; i < 5; i++)
            drawing_see(d, k + 1, boxes->five[k][i]);
    for (int k = 0; k < boxes->outsiders; k++)
        drawing_see(d, boxes->outside[k][0], boxes->outside[k][1]);
}

static void write_boxes(const Drawing *d, const Boxes *boxes) {
    fputs("$boxes << END\n", d->f);
    for (int k = 0; k < boxes->components; k++) {
        fprintf(d->f, "%d", k + 1);
        for (int i = 0; i < 5; i++)
            drawing_value(d->f, boxes->five[k][i], d->log_y);
        fputc('\n', d->f);
    }
    fputs("END\n$outside << END\n", d->f);
    for (int k = 0; k < boxes->outsiders; k++) {
        fprintf(d->f, "%.0f", boxes->outside[k][0]);
        drawing_value(d->f, boxes->outside[k][1], d->log_y);
        fputc('\n', d->f);
    }
    fputs("END\n", d->f);
}

static bool draw_boxes(Drawing *d, const Boxes *boxes) {
    see_boxes(d, boxes);
    if (!drawing_check(d, "the folder holds no generation with this \"field\""))
        return false;
    drawing_see_points(d);
    d->names_below = json_object_get(d->json, "names");
    d->exact_x = true;
    plot_range_add(&d->x, 0.4, false);
    plot_range_add(&d->x, boxes->components + 0.6, false);
    drawing_frame(d, d->names_below ? "" : "component", drawing_text(d, "field", ""));
    if (!d->names_below)
        fprintf(d->f, "set xtics 1, %d\n", boxes->components > 30 ? 5 : 1);
    write_boxes(d, boxes);
    drawing_write_points(d);
    fputs("set boxwidth 0.5\nset style fill solid 1.0 border linecolor " PLOT_BLUE "\n"
          "set xzeroaxis linecolor '#888888'\n"
          "plot $boxes using 1:2:3:4:5 with candlesticks whiskerbars 0.5 linewidth 1.5 linecolor " PLOT_SKY
          " notitle, $boxes using 1:6:6:6:6 with candlesticks linewidth 3 linecolor " PLOT_BLUE
          " notitle, $outside using 1:2 with points pointtype 7 pointsize 0.4 linecolor " PLOT_BLUE
          " notitle",
          d->f);
    drawing_points(d, true);
    return true;
}

bool drawing_box(Drawing *d) {
    void *first = json_object_iter(json_object_get(d->json, "folders"));
    Boxes *boxes = calloc(1, sizeof *boxes);
    Series series;
    bool good = drawing_folder(d, json_string_value(json_object_iter_value(first)), &series) &&
                ((boxes && make_boxes(boxes, &series)) || drawing_no_memory(d));
    snprintf(d->about, sizeof d->about, "%d run%s: quartiles, median, whiskers", series.runs,
             series.runs == 1 ? "" : "s");
    series_free(&series);
    good = good && draw_boxes(d, boxes);
    free(boxes);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Histograms

typedef struct Histogram {
    const char *label;
    int look;
    double *value; // owned
    size_t count;
    double mean, share[MAX_BINS * 3]; // percent
} Histogram;

typedef struct Histograms {
    Histogram row[MAX_ROWS];
    int rows, bins;
    double low, width;
} Histograms;

// The repetitions of a row belong together.
static bool take_numbers(Drawing *d, void *context, const DefinitionRow *row, int look, int i,
                         const Numbers *numbers) {
    Histograms *all = context;
    (void)i;
    if (!all->rows || all->row[all->rows - 1].look != look) {
        if (all->rows == MAX_ROWS)
            return true;
        all->row[all->rows++] = (Histogram){.label = row->label, .look = look};
    }
    Histogram *h = &all->row[all->rows - 1];
    if (h->count + numbers->count > MAX_NUMBERS)
        return error_set(d->error, "%s: a histogram holds at most %d numbers.", d->definition->name,
                         MAX_NUMBERS);
    double *larger = realloc(h->value, (h->count + numbers->count) * sizeof *larger);
    if (!larger)
        return drawing_no_memory(d);
    h->value = larger;
    memcpy(h->value + h->count, numbers->value, numbers->count * sizeof *larger);
    h->count += numbers->count;
    return true;
}

// <- false: the numbers are too large for bins
static bool choose_bins(Histograms *all) {
    double most = -INFINITY, shown = 0, wanted = LEAST_BINS;
    bool whole = true;
    all->low = 0;
    for (int k = 0; k < all->rows; k++) {
        Histogram *h = &all->row[k];
        h->mean = gsl_stats_mean(h->value, 1, h->count);
        for (size_t i = 0; i < h->count; i++) {
            all->low = fmin(all->low, h->value[i]);
            most = fmax(most, h->value[i]);
            whole = whole && h->value[i] == floor(h->value[i]);
        }
        shown = fmax(shown, MEANS_SHOWN * h->mean);
        wanted = fmin(fmax(wanted, 2 * sqrt((double)h->count)), MAX_BINS);
    }
    if (!(fabs(most) < 1e100 && fabs(all->low) < 1e100))
        return false;
    double top = all->low < 0 || !(shown > 0) ? most : fmin(most, shown);
    double span = fmax(top - all->low, fmax(fabs(most), 1e-100) * 1e-9);
    all->width = plot_round_up(whole ? fmax((span + 1) / wanted, 1) : span / wanted);
    all->low = floor(all->low / all->width) * all->width;
    all->bins = (int)floor((top - all->low) / all->width) + 1;
    return all->bins >= 1 && all->bins <= MAX_BINS * 3;
}

static void fill_bins(Drawing *d, const Histograms *all, Histogram *h) {
    for (size_t i = 0; i < h->count; i++) {
        double bin = floor((h->value[i] - all->low) / all->width);
        if (bin >= 0 && bin < all->bins)
            h->share[(int)bin] += 100.0 / (double)h->count;
    }
    for (int k = 0; k < all->bins; k++)
        drawing_see(d, all->low + (k + 0.5) * all->width, h->share[k]);
}

static void write_bins(const Drawing *d, const Histograms *all, int row) {
    fprintf(d->f, "$bins%d << END\n", row);
    for (int k = 0; k < all->bins; k++) {
        fprintf(d->f, "%.9g", all->low + (k + 0.5) * all->width);
        drawing_value(d->f, all->row[row].share[k], d->log_y);
        fputc('\n', d->f);
    }
    fputs("END\n", d->f);
}

static void draw_bins(const Drawing *d, const Histograms *all, int row) {
    const Histogram *h = &all->row[row];
    const char *colour = plot_colour(h->look);
    char label[80];
    fprintf(d->f, "%s$bins%d using 1:2 with ", row ? ", " : "", row);
    if (all->rows == 1)
        fputs("boxes linecolor " PLOT_SKY " title ", d->f);
    else
        fprintf(d->f, "histeps linewidth 2 linecolor '%s' title ", colour);
    gnuplot_string(d->f, utf8_clean(label, sizeof label, h->label, strlen(h->label)));
    if (h->mean > 0 && all->low >= 0)
        fprintf(d->f, ", %.9g * exp(-x / %.9g) with lines linewidth 2 dashtype %s linecolor '%s' %s",
                100 * all->width / h->mean, h->mean, all->rows == 1 ? "1" : "(6,4)",
                all->rows == 1 ? plot_colour(1) : colour,
                row == all->rows - 1 ? "title 'exponential law of the same mean'" : "notitle");
}

static bool draw_histograms(Drawing *d, Histograms *all) {
    char ylabel[64], width[32];
    if (!all->rows)
        return drawing_check(d, "none of its rows has an output with this \"field\"");
    if (!choose_bins(all))
        return error_set(d->error, "%s: the numbers are too large for a histogram.", d->definition->name);
    for (int k = 0; k < all->rows; k++)
        fill_bins(d, all, &all->row[k]);
    if (!drawing_check(d, "none of the numbers can be shown"))
        return false;
    drawing_see_points(d);
    d->exact_x = true;
    drawing_see(d, all->low, NAN);
    drawing_see(d, all->low + all->bins * all->width, NAN);
    for (int k = 0; k < all->rows; k++)
        if (all->row[k].mean > 0 && all->low >= 0 && !d->log_y)
            drawing_see(d, NAN, 100 * all->width / all->row[k].mean);
    snprintf(ylabel, sizeof ylabel, "%% per %s", plot_number(all->width, 3, width));
    drawing_frame(d, drawing_text(d, "field", ""), ylabel);
    for (int k = 0; k < all->rows; k++)
        write_bins(d, all, k);
    drawing_write_points(d);
    fprintf(d->f,
            "set samples 200\nset boxwidth %.9g\nset style fill solid 1.0 border linecolor '#ffffff'\nplot ",
            all->width);
    for (int k = 0; k < all->rows; k++)
        draw_bins(d, all, k);
    drawing_points(d, true);
    return true;
}

bool drawing_histogram(Drawing *d) {
    Histograms *all = calloc(1, sizeof *all);
    bool good =
        (all || drawing_no_memory(d)) && drawing_outputs(d, take_numbers, all) && draw_histograms(d, all);
    for (int k = 0; all && k < all->rows; k++)
        free(all->row[k].value);
    free(all);
    return good;
}
