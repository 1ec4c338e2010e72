// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a plot as a script for gnuplot. Numbers go into data blocks, texts only through gnuplot_string. A
// single panel fills the picture; several have their places in rows.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plot/gnuplot.h"
#include "plot/plot_axes.h"
#include "plot/plot_layout.h"

// ---------------------------------------------------------------------------------------------------
// Series

// -> from  the first point; <- the end of the stretch without a gap that begins there
static size_t stretch_end(const PlotSeries *series, size_t from) {
    size_t end = from;
    while (end < series->count && !isnan(series->point[end].x))
        end++;
    return end;
}

// <- how many stretches its lines have; *longest: points of the longest one
static size_t count_stretches(const PlotSeries *series, size_t *longest) {
    size_t count = 0;
    *longest = 0;
    for (size_t from = 0, end; from < series->count; from = end + 1) {
        end = stretch_end(series, from);
        *longest = end - from > *longest ? end - from : *longest;
        count++;
    }
    return count;
}

// Lines and bands may be thinned out.
static bool is_long(const PlotSeries *series) {
    return series->style.mark == PLOT_LINE || series->style.mark == PLOT_BAND;
}

// <- points that each line of the panel may have
static size_t share_of_lines(const PlotPanel *panel, int budget) {
    size_t lines = 0, longest;
    for (int k = 0; k < panel->count; k++)
        if (is_long(panel->series[k]))
            lines += count_stretches(panel->series[k], &longest);
    return lines && (size_t)budget / lines > 2 ? (size_t)budget / lines : 2;
}

// A number behind a space; what the axis cannot show is a gap.
static void write_number(FILE *f, double value, bool log) {
    if (plot_can_show(value, log))
        fprintf(f, " %.9g", value);
    else
        fputs(" NaN", f);
}

static double within(double value, PlotRange range) {
    return fmin(fmax(value, range.low), range.high);
}

static void write_point(FILE *f, const PlotPanel *panel, const PlotSeries *series, const PlotPoint *p,
                        const PlotRanges *ranges) {
    PlotMark mark = series->style.mark;
    bool log_y = panel->y.log, log = mark == PLOT_ACROSS ? panel->x.log : log_y;
    PlotRange range = mark == PLOT_ACROSS ? ranges->x : ranges->y;
    write_number(f, p->x, panel->x.log);
    write_number(f, p->y, log_y);
    if (mark >= PLOT_INTERVALS) {
        write_number(f, within(p->low, range), log);
        write_number(f, within(p->high, range), log);
    }
    if (mark == PLOT_BOXES) {
        write_number(f, within(p->least, range), log);
        write_number(f, within(p->most, range), log);
    }
    fputc('\n', f);
}

// -> share  points that a line may have
static void write_data(FILE *f, const PlotPanel *panel, int k, const char *block, const PlotRanges *ranges,
                       size_t share) {
    const PlotSeries *series = panel->series[k];
    fprintf(f, "$%s%d << END\n", block, k);
    for (size_t from = 0, end; from < series->count; from = end + 1) {
        end = stretch_end(series, from);
        size_t count = end - from, drawn = is_long(series) && count > share ? share : count;
        for (size_t i = 0; i < drawn; i++)
            write_point(f, panel, series, &series->point[from + plot_pick(i, drawn, count)], ranges);
        if (end < series->count)
            fputc('\n', f);
    }
    fputs("END\n", f);
}

static void write_title(FILE *f, const PlotSeries *series) {
    char text[GNUPLOT_TEXT];
    fprintf(f, *series->title ? " title %s" : " notitle", gnuplot_string(series->title, text));
}

static const char *dashes_of(const PlotStyle *style) {
    static const char *const dashes[PLOT_DASHES] = {"1",      "(6,4)",     "(2,3)",          "(10,4,2,4)",
                                                    "(14,5)", "(2,3,8,3)", "(10,3,2,3,2,3)", "(1,5)"};
    return dashes[style->dashed % PLOT_DASHES];
}

// In the legend thin lines are hard to tell apart: a thick one without points stands there instead.
static void write_line(FILE *f, const PlotSeries *series) {
    const PlotStyle *style = &series->style;
    const char *dashes = dashes_of(style);
    size_t longest;
    count_stretches(series, &longest);
    fprintf(f, "using 1:2 with %s linewidth %g linecolor '%s' dashtype %s",
            longest > 1 ? "lines" : "linespoints pointtype 7 pointsize 0.7", style->width, style->colour,
            dashes);
    if (*series->title && style->width < 1.5)
        fprintf(f, " notitle, NaN with lines linewidth 2.5 linecolor '%s' dashtype %s", style->colour,
                dashes);
    write_title(f, series);
}

static void write_series(FILE *f, const PlotSeries *series, const char *block, int k) {
    static const char *const symbols[] = {[PLOT_POINTS] = "1:2 with points",
                                          [PLOT_INTERVALS] = "1:2:3:4 with yerrorbars",
                                          [PLOT_ACROSS] = "1:2:3:4 with xerrorbars"};
    const PlotStyle *style = &series->style;
    fprintf(f, "$%s%d ", block, k);
    switch (style->mark) {
    case PLOT_LINE:
        write_line(f, series);
        return;
    case PLOT_POINTS:
    case PLOT_INTERVALS:
    case PLOT_ACROSS:
        fprintf(f, "using %s pointtype %d pointsize %g linewidth %g linecolor '%s'", symbols[style->mark],
                style->symbol, style->size, style->width, style->colour);
        break;
    case PLOT_BARS:
        fprintf(f, "using 1:2 with boxes linecolor '%s'", style->colour);
        break;
    case PLOT_STEPS:
        fprintf(f, "using 1:2 with histeps linewidth %g linecolor '%s'", style->width, style->colour);
        break;
    case PLOT_BAND:
        fprintf(f, "using 1:3:4 with filledcurves fillcolor '%s' fillstyle transparent solid 0.22 noborder",
                style->colour);
        break;
    case PLOT_BOXES:
        fprintf(f,
                "using 1:3:5:6:4 with candlesticks whiskerbars 0.5 linewidth 1.5 linecolor '" PLOT_SKY "'"
                " notitle, $%s%d using 1:2:2:2:2 with candlesticks linewidth 3 linecolor '%s'",
                block, k, style->colour);
    }
    write_title(f, series);
}

// ---------------------------------------------------------------------------------------------------
// Panels

static void write_frame(FILE *f) {
    fputs("set border 3 linecolor '#444444' linewidth 1\n"
          "set tics nomirror out scale 0.6 textcolor '" PLOT_BLACK "'\n"
          "set grid back linecolor '#dddddd' linewidth 1 linetype 1 dashtype 1\n",
          f);
}

// -> place  of one panel among others, NULL: it is alone
static void write_legend(FILE *f, const Plot *plot, const PlotPanel *panel, const PlotPlace *place) {
    static const char *const where[] = {
        [PLOT_LEGEND_NONE] = "set nokey\n",
        [PLOT_LEGEND_TOP] = "set key right top\n",
        [PLOT_LEGEND_BOTTOM] = "set key right bottom\n",
        [PLOT_LEGEND_BOTTOM_LEFT] = "set key left bottom Left reverse\n",
        [PLOT_LEGEND_ABOVE] = "",
        [PLOT_LEGEND_OVER] = "set key at graph 0, graph 1 left bottom vertical Left reverse maxrows 2 "
                             "samplen 1.2 spacing 1 font ',11' noopaque\n",
        [PLOT_LEGEND_BELOW] = "set key outside below left horizontal Left reverse maxrows 6 samplen 2.5 "
                              "height 0.7 noopaque\n",
        [PLOT_LEGEND_ALL_PANELS] = "set nokey\n",
    };
    PlotLegend legend = panel->legend; // what belongs to several panels stands below a single one
    if (!place && (legend == PLOT_LEGEND_OVER || legend == PLOT_LEGEND_ALL_PANELS))
        legend = PLOT_LEGEND_BELOW;
    fputs(place ? "set key samplen 1.6 spacing 1.1 font ',12'" : "set key samplen 2 spacing 1.3", f);
    fputs(" opaque textcolor '" PLOT_BLACK "'\n", f);
    if (place && legend == PLOT_LEGEND_BELOW)
        legend = PLOT_LEGEND_NONE; // write_grid
    fputs(where[legend], f);
    if (legend == PLOT_LEGEND_ABOVE)
        fprintf(f, "set key horizontal at graph 1, screen %.4f right top\n", 1 - 30.0 / plot->height);
}

// A legend below one panel or all of them: names in a grid, those of bands last.
static void write_grid(FILE *f, const Plot *plot, const PlotPanel *panel, const PlotPlace *place,
                       int height) {
    const PlotGrid *grid = &place->legend;
    int at = 0;
    if (grid->rows && panel->legend_name)
        fprintf(f,
                "set label 999 '%s' at screen %.4f, screen %.4f left font ',12' textcolor '" PLOT_GREY "'\n",
                panel->legend_name, place->legend_left - (double)PLOT_LEGEND_NAME / plot->width,
                place->legend_top);
    for (int k = 0; grid->rows && k < 2 * panel->count; k++) {
        const PlotSeries *series = panel->series[k % panel->count];
        bool band = series->style.mark == PLOT_BAND;
        if (!*series->title || band != (k >= panel->count))
            continue;
        double x = place->legend_left + grid->width * (at / grid->rows) / plot->width;
        double y = place->legend_top - (double)PLOT_LEGEND_LINE * (at % grid->rows) / height;
        char text[GNUPLOT_TEXT];
        fprintf(f,
                "set arrow %d from screen %.4f, screen %.4f to screen %.4f, screen %.4f nohead linewidth %g "
                "linecolor '%s%s' dashtype %s\nset label %d %s at screen %.4f, screen %.4f left font ',12' "
                "textcolor '" PLOT_BLACK "'\n",
                1000 + at, x, y, x + 30.0 / plot->width, y, band ? 10 : 2.5, band ? "#c7" : "",
                series->style.colour + band, dashes_of(&series->style), 1000 + at,
                gnuplot_string(series->title, text), x + 36.0 / plot->width, y);
        at++;
    }
}

static void write_rule(FILE *f, const PlotPanel *panel, const PlotRanges *ranges) {
    bool left = panel->rule < (ranges->x.low + ranges->x.high) / 2;
    char text[GNUPLOT_TEXT];
    fprintf(f,
            "set arrow 1 from %.9g, graph 0 to %.9g, graph 1 nohead linewidth 1.5 dashtype 2 "
            "linecolor '" PLOT_BLACK "' front\n"
            "set label 3 %s at %.9g, graph 1 %s offset %s0.8,-0.9 textcolor '" PLOT_BLACK "' front\n",
            panel->rule, panel->rule, gnuplot_string(panel->rule_text, text), panel->rule,
            left ? "left" : "right", left ? "" : "-");
}

static void write_notes(FILE *f, const PlotPanel *panel, const PlotRanges *ranges) {
    for (size_t k = 0; k < panel->notes.count; k++) {
        const PlotText *note = &panel->notes.text[k];
        char text[GNUPLOT_TEXT];
        fprintf(f, "set label %zu %s at %.9g, %.9g left offset 0.5,1 textcolor '" PLOT_BLUE "'\n", 100 + k,
                gnuplot_string(note->text, text), within(note->x, ranges->x), within(note->y, ranges->y));
    }
}

static bool has_mark(const PlotPanel *panel, PlotMark mark) {
    for (int k = 0; k < panel->count; k++)
        if (panel->series[k]->style.mark == mark)
            return true;
    return false;
}

// -> layout  NULL: the panel is alone
static void write_panel(FILE *f, const Plot *plot, int number, const PlotLayout *layout) {
    const PlotPanel *panel = plot->panel[number];
    const PlotPlace *place = layout ? &layout->place[number] : NULL;
    const PlotRanges ranges = plot_find_ranges(panel);
    const size_t share = share_of_lines(panel, plot->budget);
    char block[24];
    int written = 0;
    snprintf(block, sizeof block, "panel%d_", number + 1);
    plot_write_axis(f, &panel->x, 'x', ranges.x, plot->width * (place ? place->right - place->left : 0.87));
    plot_write_axis(f, &panel->y, 'y', ranges.y, plot->height);
    write_legend(f, plot, panel, place);
    if (place)
        write_grid(f, plot, panel, place, layout->height);
    if (!isnan(panel->rule))
        write_rule(f, panel, &ranges);
    write_notes(f, panel, &ranges);
    if (!panel->y.log && !panel->y.names.count && ranges.y.low < 0)
        fputs("set xzeroaxis linecolor '#888888' linewidth 1\n", f);
    fprintf(f, "set boxwidth %.9g\nset style fill solid 1.0 border linecolor '%s'\n", panel->bar,
            has_mark(panel, PLOT_BOXES) ? PLOT_BLUE : "#ffffff");
    for (int k = 0; k < panel->count; k++)
        write_data(f, panel, k, block, &ranges, share);
    for (int k = 0; k < panel->count; k++)
        if (panel->series[k]->count) {
            fputs(written++ ? ", " : "plot ", f);
            write_series(f, panel->series[k], block, k);
        }
    fputc('\n', f);
}

// ---------------------------------------------------------------------------------------------------
// The whole

// <- the size of letters in which a line fits the picture
static double fitting(const Plot *plot, const char *line, double size) {
    double room = plot->width - 110, width = 0.6 * size * (double)strlen(line);
    return width > room ? size * room / width : size;
}

static void write_titles(FILE *f, const Plot *plot, const char *title_at, const char *subtitle_at) {
    char text[GNUPLOT_TEXT];
    fprintf(f, "set label 1 %s at %s font ',%.3g' textcolor '" PLOT_BLACK "'\n",
            gnuplot_string(plot->title, text), title_at, fitting(plot, plot->title, 17));
    fprintf(f, "set label 2 %s at %s font ',%.3g' textcolor '" PLOT_GREY "'\n",
            gnuplot_string(plot->subtitle, text), subtitle_at, fitting(plot, plot->subtitle, 12));
}

static void write_place(FILE *f, const PlotPanel *panel, const PlotPlace *place) {
    char text[GNUPLOT_TEXT];
    fprintf(f,
            "reset\nset lmargin at screen %.4f\nset rmargin at screen %.4f\n"
            "set tmargin at screen %.4f\nset bmargin at screen %.4f\n"
            "set label 4 %s at screen %.4f, screen %.4f left font ',14' textcolor '" PLOT_BLACK "'\n",
            place->left, place->right, place->top, place->bottom, gnuplot_string(panel->title, text),
            place->left, place->title);
}

static void write_panels(FILE *f, const Plot *plot, const PlotLayout *layout) {
    char title[64], subtitle[64];
    snprintf(title, sizeof title, "screen 0.02, screen %.4f left", 1 - 26.0 / layout->height);
    snprintf(subtitle, sizeof subtitle, "screen 0.02, screen %.4f left", 1 - 54.0 / layout->height);
    fputs("set multiplot\n", f);
    write_titles(f, plot, title, subtitle);
    fputs("unset border\nunset tics\nunset key\nset xrange [0:1]\nset yrange [0:1]\nplot NaN notitle\n", f);
    for (int k = 0; k < plot->panels; k++) {
        write_place(f, plot->panel[k], &layout->place[k]);
        write_frame(f);
        write_panel(f, plot, k, layout);
    }
    fputs("unset multiplot\n", f);
}

static bool is_laid_out(const Plot *plot) {
    return plot->panels > 1 || plot->laid_out;
}

static void write_script(FILE *f, const Plot *plot, const char *path) {
    if (is_laid_out(plot)) {
        PlotLayout layout;
        plot_lay_out(&layout, plot);
        gnuplot_begin(f, path, plot->width, layout.height);
        write_panels(f, plot, &layout);
        return;
    }
    gnuplot_begin(f, path, plot->width, plot->height);
    write_frame(f);
    fputs("set tmargin 5\n", f);
    write_titles(f, plot, "graph 0, graph 1 left offset 0,2.9", "graph 0, graph 1 left offset 0,1.3");
    write_panel(f, plot, 0, NULL);
}

static bool is_whole(const Plot *plot) {
    bool lost = plot->lost || !plot->panels;
    for (int k = 0; k < plot->panels; k++) {
        const PlotPanel *panel = plot->panel[k];
        lost = lost || panel->lost || panel->notes.lost || panel->x.names.lost || panel->y.names.lost;
        for (int i = 0; i < panel->count; i++)
            lost = lost || panel->series[i]->lost;
    }
    return !lost;
}

static bool has_room(const Plot *plot, Error *error) {
    PlotLayout layout;
    if (!plot->panels || !is_laid_out(plot))
        return true;
    plot_lay_out(&layout, plot);
    return plot_layout_has_room(&layout, plot) ||
           error_set(error,
                     "A picture of %dx%d has no room for its %d panel%s and what stands around them: make it "
                     "larger.",
                     plot->width, layout.height, plot->panels, plot->panels == 1 ? "" : "s");
}

bool plot_draw(const Plot *plot, const char *path, Error *error) {
    char *text = NULL;
    size_t length = 0;
    if (!gnuplot_check(path, error) || !has_room(plot, error))
        return false;
    FILE *f = is_whole(plot) ? open_memstream(&text, &length) : NULL;
    if (f)
        write_script(f, plot, path);
    bool good = text_closed(f, &text) ? gnuplot_draw(path, text, length, error)
                                      : error_set(error, "Out of memory for the plot %.300s.", path);
    free(text);
    return good;
}
