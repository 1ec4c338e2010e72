// SPDX-License-Identifier: GPL-3.0-or-later
// Axes as gnuplot wants them: where they begin and end, and which numbers or names stand beside them.
#include "plot/plot_axes.h"

#include <math.h>
#include <string.h>

#include "plot/gnuplot.h"

// ---------------------------------------------------------------------------------------------------
// Numbers beside an axis

// Three to eight round ones.
static double linear_step(char axis, PlotRange range, bool whole) {
    double least = (range.high - range.low) / (axis == 'x' ? 8 : 6);
    return plot_round_up((whole ? fmax(least, 1) : least) * (1 - 1e-9)); // 0.2 and a rounding error is 0.2
}

// Powers of ten, or only some if there are many; where they are far apart, also numbers between them.
typedef struct LogTics {
    int every, steps;
} LogTics;

static LogTics log_tics(PlotRange range) {
    double ratio = range.high / range.low;
    int decades = (int)ceil(log10(range.high) - log10(range.low));
    return (LogTics){1 + decades / 8, ratio < 12 ? 6 : ratio < 300 ? 3 : 1};
}

// Number k of the steps, ascending, in the decade that begins with 10^power.
static double log_tic(LogTics tics, int power, int k) {
    static const double step[] = {1, 1.5, 2, 3, 5, 7}, few[] = {1, 2, 5};
    return pow(10, power) * (tics.steps == 6 ? step[k] : few[k]);
}

// The last number not above `low` and the first not below `high`.
static PlotRange to_log_tics(PlotRange range) {
    LogTics tics = log_tics(range);
    PlotRange wider = {0, INFINITY};
    int first = (int)floor(log10(range.low)) - tics.every, last = (int)ceil(log10(range.high)) + tics.every;
    for (int power = first; power <= last; power++)
        for (int k = 0; k < tics.steps && power % tics.every == 0; k++) {
            double value = log_tic(tics, power, k);
            wider.low = value <= range.low * (1 + 1e-9) ? value : wider.low;
            wider.high = value >= range.high * (1 - 1e-9) ? fmin(value, wider.high) : wider.high;
        }
    return (PlotRange){fmax(wider.low, 1e-250), fmin(wider.high, 1e250)};
}

// ---------------------------------------------------------------------------------------------------
// Where axes begin and end

// y ends at numbers beside it, so that all values can be read, and goes from 0 on, if that is not far away; x
// has margins.
static PlotRange linear_range(PlotRange range, char axis, bool exact, bool whole) {
    double span = range.high - range.low, most = fmax(fabs(range.low), fabs(range.high));
    if (exact)
        return span > most * 1e-6 ? range : (PlotRange){range.low - 0.5, range.high + fmax(0.5, most * 1e-6)};
    double margin = span > most * 1e-6 ? (axis == 'x' ? span * 0.04 : 0) : fmax(most * 0.1, 0.5);
    bool zero = axis == 'y' && range.low >= 0 && range.low < 0.5 * range.high;
    range = (PlotRange){zero ? 0 : range.low - margin, range.high + margin};
    if (axis == 'x')
        return range;
    for (int k = 0; k < 3; k++) { // a wider range can have fewer numbers
        double step = linear_step(axis, range, whole);
        range = (PlotRange){step * floor(range.low / step + 1e-9), step * ceil(range.high / step - 1e-9)};
    }
    return range;
}

static PlotRange log_range(PlotRange range, bool numbers) {
    double middle = sqrt(range.low) * sqrt(range.high);
    if (!numbers)
        return (PlotRange){fmin(range.low / 1.25, middle / 1.8), fmax(range.high * 1.25, middle * 1.8)};
    range = (PlotRange){fmin(range.low, middle / 1.5), fmax(range.high, middle * 1.5)};
    for (int k = 0; k < 3; k++) // a wider range can have fewer numbers
        range = to_log_tics(range);
    return range;
}

static PlotRange range_of(const PlotAxis *axis, char name, PlotRange range) {
    if (!(range.low <= range.high))
        range = (PlotRange){1, 2}; // nothing to show
    return axis->log
               ? log_range(range, !axis->names.count)
               : linear_range(range, name, axis->exact || (name == 'y' && axis->names.count), axis->whole);
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
            if (end[1] == INFINITY) // there is an edge to be drawn to
                plot_range_add(across ? &all.x : &all.y, 1.5 * (across ? p->x : p->y),
                               across ? log_x : log_y);
        }
    }
    return (PlotRanges){range_of(&panel->x, 'x', all.x), range_of(&panel->y, 'y', all.y)};
}

static void write_tic(FILE *f, int *count, double value, int digits) {
    char text[32];
    fprintf(f, "%s'%s' %.12g", (*count)++ ? ", " : "", plot_number(value, digits, text), value);
}

static void write_log_tics(FILE *f, PlotRange range) {
    LogTics tics = log_tics(range);
    int count = 0;
    for (int power = (int)floor(log10(range.low)); power <= (int)ceil(log10(range.high)); power++)
        for (int k = 0; k < tics.steps && power % tics.every == 0; k++) {
            double value = log_tic(tics, power, k);
            if (value >= range.low * (1 - 1e-9) && value <= range.high * (1 + 1e-9))
                write_tic(f, &count, value, 3);
        }
}

static void write_linear_tics(FILE *f, char axis, PlotRange range, bool whole) {
    double most = fmax(fabs(range.low), fabs(range.high)), step = linear_step(axis, range, whole);
    int digits = (int)fmax(3, ceil(log10(most / step)) + 1), count = 0;
    for (double k = ceil(range.low / step - 1e-9); k <= range.high / step + 1e-9; k++)
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

static double longest_name(const PlotAxis *axis) {
    size_t longest = 0;
    for (size_t k = 0; k < axis->names.count; k++) {
        size_t length = strlen(axis->names.text[k].text);
        longest = length > longest ? length : longest;
    }
    return (double)longest;
}

bool plot_names_slant(const PlotAxis *axis, double room) {
    return longest_name(axis) * (double)axis->names.count * 7.8 > room;
}

double plot_names_height(const PlotAxis *axis) {
    return longest_name(axis) * 7.2 * sin(35 * 3.14159 / 180);
}

static const char *tic_style(const PlotAxis *axis, char name, double room) {
    return !axis->names.count || axis->log               ? ""
           : name == 'x' && plot_names_slant(axis, room) ? "scale 0 rotate by 35 right "
                                                         : "scale 0 ";
}

void plot_write_axis(FILE *f, const PlotAxis *axis, char name, PlotRange range, double room) {
    if (axis->log) // gnuplot may take a number at the very end of a log axis to be beyond it
        fprintf(f, "set logscale %c\nset %crange [%.12g*0.999999:%.12g*1.000001]\n", name, name, range.low,
                range.high);
    else
        fprintf(f, "set %crange [%.12g:%.12g]\n", name, range.low, range.high);
    fprintf(f, "set %ctics %s(", name, tic_style(axis, name, room));
    if (axis->names.count)
        write_names(f, axis);
    else if (axis->log)
        write_log_tics(f, range);
    else
        write_linear_tics(f, name, range, axis->whole);
    fputs(")\n", f);
    char text[GNUPLOT_TEXT];
    if (*axis->label)
        fprintf(f, "set %clabel %s textcolor '" PLOT_GREY "'\n", name, gnuplot_string(axis->label, text));
}
