// SPDX-License-Identifier: GPL-3.0-or-later
// A plot of a reproduction under way: what the kinds of plots have in common. For reproduction_*.c only.
#ifndef TETRALAB_REPRODUCE_REPRODUCTION_DRAWING_H
#define TETRALAB_REPRODUCE_REPRODUCTION_DRAWING_H

#include <stdbool.h>
#include <stdio.h>

#include "plot/plot_script.h"
#include "reproduce/definition.h"
#include "reproduce/reproduction_series.h"

typedef struct Drawing {
    const Definition *definition;
    const char *scale, *dir, *results;
    const json_t *json; // the definition's "plot", found right by reproduction_plot_check
    bool log_x, log_y;
    bool names_below; // "names" label the x axis
    bool exact_x;     // the x axis has no margins
    double unit;      // that published points are multiplied with
    char about[80];   // what the subtitle adds
    PlotRange x, y;   // of all that is drawn
    FILE *f;          // the script
    Error *error;
} Drawing;

// The kinds that are drawn in other files: the script up to the end of its last line, without the line's end.
bool drawing_curves(Drawing *d);
bool drawing_runs(Drawing *d);
bool drawing_list(Drawing *d);
bool drawing_box(Drawing *d);
bool drawing_histogram(Drawing *d);

// ---- the definition's "plot"
const char *drawing_text(const Drawing *d, const char *key, const char *otherwise);
const char *drawing_name(const Drawing *d, size_t k); // of "names"; NULL: there are not so many
// <- false, with the error
bool drawing_no_memory(const Drawing *d);

// ---- what is shown: all points first, then the frame, then the data
void drawing_see(Drawing *d, double x, double y);
void drawing_see_points(Drawing *d); // the published ones of "points"
// Is there anything? Otherwise the error says what is missing.
bool drawing_check(const Drawing *d, const char *what);
// Title, axes and key. -> xlabel, ylabel  unless the definition gives others
void drawing_frame(const Drawing *d, const char *xlabel, const char *ylabel);
// A number behind a space; what the axis cannot show is a gap.
void drawing_value(FILE *f, double value, bool log);
void drawing_write_points(const Drawing *d);
void drawing_points(const Drawing *d, bool titled); // a further part of the plot command

// ---- the data
// The journal in this folder, a text of the definition. Free with series_free, also after an error.
bool drawing_folder(const Drawing *d, const char *folder, Series *series);

// Takes the list of a row's repetition i = 1, 2, ...; look = 0, 1, ... counts the rows.
typedef bool DrawingTaker(Drawing *d, void *context, const DefinitionRow *row, int look, int i,
                          const Numbers *numbers);
// The lists of all rows named by "rows", or of all rows.
bool drawing_outputs(Drawing *d, DrawingTaker *take, void *context);

#endif
