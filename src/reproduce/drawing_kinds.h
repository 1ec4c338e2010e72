// SPDX-License-Identifier: GPL-3.0-or-later
// A plot of a reproduction under way: what the kinds of plots have in common. For drawing*.c only.
#ifndef TETRALAB_REPRODUCE_DRAWING_KINDS_H
#define TETRALAB_REPRODUCE_DRAWING_KINDS_H

#include "plot/plot.h"
#include "reproduce/definition.h"

typedef enum DrawingKind {
    DRAWING_ROWS,
    DRAWING_CURVES,
    DRAWING_RUNS,
    DRAWING_BOX,
    DRAWING_LIST,
    DRAWING_HISTOGRAM,
    DRAWING_BARS,
    DRAWING_BOARDS, // from here on: pictures, not plots
    DRAWING_GAME
} DrawingKind;

// The definition's "plot", or one panel of it. Texts and JSON belong to the definition; NULL: not given.
typedef struct DrawingKeys {
    DrawingKind kind;
    enum { DRAWING_LOG_X, DRAWING_LOG_Y, DRAWING_LOG_XY } log; // -1: none
    enum { DRAWING_BY_GENERATION, DRAWING_BY_EVALUATIONS, DRAWING_BY_PIECES } by;
    enum { DRAWING_MEDIAN, DRAWING_MEAN, DRAWING_QUARTILES } together;
    const char *title, *xlabel, *ylabel, *field, *labels, *called, *file;
    const json_t *points, *folders, *fields, *names, *rows, *groups, *levels;
    int smooth;
} DrawingKeys;

enum { DRAWING_MAX_PANELS = 6 };

// <- how many panels the plot has
int drawing_panels(const Definition *definition);
// Reads and checks one of them, 0, 1, ...
bool drawing_read(DrawingKeys *keys, const Definition *definition, int panel, Error *error);

typedef struct Drawing {
    const Definition *definition;
    const char *scale, *dir, *results;
    DrawingKeys keys;
    PlotPanel *panel;
    PlotSeries *published; // NULL: there are none yet
    double unit;           // that published points are multiplied with
    bool without_zeros;    // there were some, which a logarithmic scale cannot show
    int runs;              // that lines are made of; -1: not always as many
    char about[80];        // what the subtitle adds
    int taller;            // pixels that a picture of this panel alone needs more
    Error *error;
} Drawing;

// The kinds that stand in other files.
bool drawing_curves(Drawing *d);
bool drawing_runs(Drawing *d);
bool drawing_boxes(Drawing *d);
bool drawing_lists(Drawing *d);
bool drawing_histograms(Drawing *d);
bool drawing_bars(Drawing *d);

const char *drawing_name(const Drawing *d, size_t k);           // of "names"; NULL: there are not so many
void drawing_names(const Drawing *d);                           // they stand below 1, 2, ...
bool drawing_wants(const Drawing *d, const DefinitionRow *row); // is it one of "rows", if these are given?
void drawing_labels(const Drawing *d, const char *x, const char *y); // unless the definition gives others
bool drawing_no_memory(const Drawing *d);                            // <- false, with the error

#endif
