// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/plot_script.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "plot/gnuplot.h"

static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#222222", "#8C6D46"};
enum { COLOURS = sizeof colours / sizeof *colours, NAME_SIZE = 64 };

const char *plot_colour(int line) {
    return colours[line % COLOURS];
}

const char *plot_dashes(int line) {
    return line / COLOURS % 2 ? "(6,4)" : "1";
}

bool plot_script_open(PlotScript *script, const char *path, int width, int height, Error *error) {
    *script = (PlotScript){0};
    if (!gnuplot_check(path, error))
        return false;
    script->file = open_memstream(&script->text, &script->length);
    if (!script->file)
        return error_set(error, "There is no memory for the plot %.300s.", path);
    gnuplot_begin(script->file, path, width, height);
    return true;
}

bool plot_script_draw(PlotScript *script, const char *path, Error *error) {
    bool good = !ferror(script->file);
    good = !fclose(script->file) && good;
    good = good ? gnuplot_draw(path, script->text, script->length, error)
                : error_set(error, "There is no memory for the plot %.300s.", path);
    free(script->text);
    *script = (PlotScript){0};
    return good;
}

void plot_script_drop(PlotScript *script) {
    fclose(script->file);
    free(script->text);
    *script = (PlotScript){0};
}

void plot_title(FILE *f, const char *title, const char *subtitle) {
    fputs("set tmargin 5\nset label 1 ", f);
    gnuplot_string(f, title);
    fputs(" at graph 0, graph 1 left offset 0,2.9 font ',17' textcolor " PLOT_BLACK "\nset label 2 ", f);
    gnuplot_string(f, subtitle);
    fputs(" at graph 0, graph 1 left offset 0,1.3 font ',12' textcolor " PLOT_GREY "\n", f);
}

const char *plot_number(double value, int digits, char out[32]) {
    static const char *const unit[] = {"", " k", " M", " G", " T", " P"};
    int k = 0;
    while (fabs(value) >= 999.5 && k < 5) {
        value /= 1000;
        k++;
    }
    snprintf(out, 32, "%.*g%s", digits, value, unit[k]);
    return out;
}

void plot_tic_name(FILE *f, const char *name) {
    char clean[NAME_SIZE + 4], doubled[2 * sizeof clean];
    size_t at = 0;
    utf8_clean(clean, sizeof clean, name, strlen(name));
    for (const char *c = clean; *c; c++) {
        doubled[at++] = *c;
        if (*c == '%')
            doubled[at++] = '%';
    }
    doubled[at] = 0;
    gnuplot_string(f, doubled);
}

void plot_range_add(PlotRange *range, double value, bool log) {
    if (log ? value > 1e-200 && value < 1e200 : fabs(value) < 1e200) {
        range->low = fmin(range->low, value);
        range->high = fmax(range->high, value);
    }
}

static void write_tic(FILE *f, const char *comma, double value, int digits) {
    char text[32];
    fprintf(f, "%s'%s' %.12g", comma, plot_number(value, digits, text), value);
}

void plot_log_axis(FILE *f, char axis, PlotRange range) {
    static const double step[] = {1, 2, 5, 1.5, 3, 7};
    double middle = sqrt(range.low) * sqrt(range.high);
    double low = fmin(range.low / 1.25, middle / 1.8), high = fmax(range.high * 1.25, middle * 1.8);
    int decades = (int)ceil(log10(high) - log10(low)), every = 1 + decades / 8;
    int steps = high / low < 12 ? 6 : high / low < 300 ? 3 : 1;
    const char *comma = "";
    fprintf(f, "set logscale %c\nset %crange [%.9g:%.9g]\nset %ctics (", axis, axis, low, high, axis);
    for (int power = (int)floor(log10(low)); power <= (int)ceil(log10(high)); power++)
        for (int k = 0; k < steps && power % every == 0; k++) {
            double value = pow(10, power) * step[k];
            if (value < low || value > high)
                continue;
            write_tic(f, comma, value, 3);
            comma = ", ";
        }
    fputs(")\n", f);
}

double plot_round_up(double value) {
    double power = pow(10, floor(log10(value)));
    return value <= power       ? power
           : value <= 2 * power ? 2 * power
           : value <= 5 * power ? 5 * power
                                : 10 * power;
}

void plot_linear_axis(FILE *f, char axis, PlotRange range) {
    double most = fmax(fabs(range.low), fabs(range.high)), least_span = fmax(most * 1e-6, 1e-300);
    if (range.high - range.low < least_span)
        range.high = range.low + least_span;
    double step = plot_round_up((range.high - range.low) / (axis == 'x' ? 8 : 6));
    int digits = (int)fmax(3, ceil(log10(most / step)) + 1);
    const char *comma = "";
    fprintf(f, "set %crange [%.12g:%.12g]\nset %ctics (", axis, range.low, range.high, axis);
    for (double k = ceil(range.low / step); k <= range.high / step; k++) {
        write_tic(f, comma, k == 0 ? 0 : k * step, digits); // not -0
        comma = ", ";
    }
    fputs(")\n", f);
}
