// SPDX-License-Identifier: GPL-3.0-or-later
// Axes as gnuplot wants them: where they begin and end, and which numbers or names stand beside them.
#include "plot/plot_axes.h"

#include <math.h>
#include <string.h>

#include "plot/gnuplot.h"

// Margins; y goes from 0 on, if that is not far away.
static PlotRange linear_range(PlotRange range, char axis, bool exact) {
    double span = range.high - range.low, most = fmax(fabs(range.low), fabs(range.high));
    if (exact)
        return span > most * 1e-6 ? range : (PlotRange){range.low - 0.5, range.high + fmax(0.5, most * 1e-6)};
    double margin = span > 0 ? span * 0.04 : fmax(most * 0.1, 0.5);
    bool zero = axis == 'y' && range.low >= 0 && range.low < 0.5 * range.high;
    range = (PlotRange){zero ? 0 : range.low - margin, range.high + margin};
    double least_span = fmax(most * 1e-6, 1e-300);
    return range.high - range.low < least_span ? (PlotRange){range.low, range.low + least_span} : range;
}

static PlotRange log_range(PlotRange range) {
    double middle = sqrt(range.low) * sqrt(range.high);
    return (PlotRange){fmin(range.low / 1.25, middle / 1.8), fmax(range.high * 1.25, middle * 1.8)};
}

static PlotRange range_of(const PlotAxis *axis, char name, PlotRange range) {
    if (!(range.low <= range.high))
        range = (PlotRange){1, 2}; // nothing to show
    return axis->log ? log_range(range) : linear_range(range, name, axis->exact);
}

PlotRanges plot_find_ranges(const PlotPanel *panel) {
    PlotRanges all = {panel->x.range, panel->y.range};
    bool log_x = panel->x.log, log_y = panel->y.log;
    for (int k = 0; k < panel->count; k++) {
        const PlotSeries *series = panel->series[k];
        for (size_t i = 0; i < series->count; i++) {
            const PlotPoint *p = &series->point[i];
            if (!plot_can_show(p->x, log_x) || isnan(p->y))
                continue;
            bool across = series->style.mark == PLOT_ACROSS;
            double end[] = {p->low, p->high, p->least, p->most};
            plot_range_add(&all.x, p->x, log_x);
            plot_range_add(&all.y, p->y, log_y);
            for (int e = 0; e < (series->style.mark == PLOT_BOXES ? 4 : 2); e++)
                plot_range_add(across ? &all.x : &all.y, end[e], across ? log_x : log_y);
        }
    }
    return (PlotRanges){range_of(&panel->x, 'x', all.x), range_of(&panel->y, 'y', all.y)};
}

static void write_tic(FILE *f, int *count, double value, int digits) {
    char text[32];
    fprintf(f, "%s'%s' %.12g", (*count)++ ? ", " : "", plot_number(value, digits, text), value);
}

// Powers of ten, or only some if there are many; where they are far apart, also numbers between them.
static void write_log_tics(FILE *f, PlotRange range) {
    static const double step[] = {1, 2, 5, 1.5, 3, 7};
    int decades = (int)ceil(log10(range.high) - log10(range.low)), every = 1 + decades / 8;
    int steps = range.high / range.low < 12 ? 6 : range.high / range.low < 300 ? 3 : 1, count = 0;
    for (int power = (int)floor(log10(range.low)); power <= (int)ceil(log10(range.high)); power++)
        for (int k = 0; k < steps && power % every == 0; k++) {
            double value = pow(10, power) * step[k];
            if (value >= range.low && value <= range.high)
                write_tic(f, &count, value, 3);
        }
}

// Three to eight round numbers.
static void write_linear_tics(FILE *f, char axis, PlotRange range, bool whole) {
    double most = fmax(fabs(range.low), fabs(range.high));
    double least = (range.high - range.low) / (axis == 'x' ? 8 : 6);
    double step = plot_round_up(whole ? fmax(least, 1) : least);
    int digits = (int)fmax(3, ceil(log10(most / step)) + 1), count = 0;
    for (double k = ceil(range.low / step); k <= range.high / step; k++)
        write_tic(f, &count, k == 0 ? 0 : k * step, digits); // not -0
}

// As labels of an axis, where gnuplot takes % for a format.
static void write_names(FILE *f, const PlotAxis *axis) {
    for (size_t k = 0; k < axis->names.count; k++) {
        const PlotText *name = &axis->names.text[k];
        char doubled[2 * sizeof name->text], text[GNUPLOT_TEXT];
        size_t at = 0;
        for (const char *c = name->text; *c; c++) {
            doubled[at++] = *c;
            if (*c == '%')
                doubled[at++] = '%';
        }
        doubled[at] = 0;
        fprintf(f, "%s%s %.12g", k ? ", " : "", gnuplot_string(doubled, text), name->x);
    }
}

// Many long names below the x axis slant.
static const char *tic_style(const PlotAxis *axis, char name) {
    size_t longest = 0, count = axis->names.count;
    for (size_t k = 0; k < count; k++) {
        size_t length = strlen(axis->names.text[k].text);
        longest = length > longest ? length : longest;
    }
    return !count || axis->log                    ? ""
           : name == 'x' && longest * count > 100 ? "scale 0 rotate by -35 left "
                                                  : "scale 0 ";
}

void plot_write_axis(FILE *f, const PlotAxis *axis, char name, PlotRange range, bool labelled) {
    fprintf(f, "%sset %crange [%.12g:%.12g]\nset %ctics %s(",
            axis->log ? (name == 'x' ? "set logscale x\n" : "set logscale y\n") : "", name, range.low,
            range.high, name, tic_style(axis, name));
    if (axis->names.count)
        write_names(f, axis);
    else if (axis->log)
        write_log_tics(f, range);
    else
        write_linear_tics(f, name, range, axis->whole);
    fputs(")\n", f);
    char text[GNUPLOT_TEXT];
    if (labelled && *axis->label)
        fprintf(f, "set %clabel %s textcolor '" PLOT_GREY "'\n", name, gnuplot_string(axis->label, text));
}
