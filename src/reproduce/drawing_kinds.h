// SPDX-License-Identifier: GPL-3.0-or-later
// A plot of a reproduction under way: what the kinds of plots have in common. For drawing*.c only.
#ifndef TETRALAB_REPRODUCE_DRAWING_KINDS_H
#define TETRALAB_REPRODUCE_DRAWING_KINDS_H

#include "plot/plot.h"
#include "reproduce/definition.h"

typedef struct Drawing {
    const Definition *definition;
    const char *scale, *dir, *results;
    const json_t *json; // the definition's "plot", found right by drawing_check
    PlotPanel *panel;
    PlotSeries *published; // NULL: there are none yet
    double unit;           // that published points are multiplied with
    char about[80];        // what the subtitle adds
    Error *error;
} Drawing;

// The kinds that stand in other files.
bool drawing_curves(Drawing *d);
bool drawing_runs(Drawing *d);
bool drawing_boxes(Drawing *d);
bool drawing_lists(Drawing *d);
bool drawing_histograms(Drawing *d);

const char *drawing_text(const Drawing *d, const char *key, const char *otherwise);
const char *drawing_name(const Drawing *d, size_t k); // of "names"; NULL: there are not so many
void drawing_names(const Drawing *d);                 // they stand below 1, 2, ...
void drawing_labels(const Drawing *d, const char *x, const char *y); // unless the definition gives others
bool drawing_no_memory(const Drawing *d);                            // <- false, with the error

#endif
