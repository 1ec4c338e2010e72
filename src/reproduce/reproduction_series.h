// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers that plots of reproductions show: a field of the journal of a learning run, and lists in the
// outputs of commands. Files may hold anything: damaged lines are left out, sizes are limited.
#ifndef TETRALAB_REPRODUCE_REPRODUCTION_SERIES_H
#define TETRALAB_REPRODUCE_REPRODUCTION_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "reproduce/definition.h"
#include "reproduce/json_numbers.h"

enum { SERIES_MAX_POINTS = 500 }; // of a line that is drawn

// ---------------------------------------------------------------------------------------------------
// Journals

// One generation of one run.
typedef struct SeriesPoint {
    int run;
    double generation, x; // x: the generation, or the evaluations so far
    size_t first;         // of its numbers
    int size;
} SeriesPoint;

typedef struct Series {
    SeriesPoint *point; // owned; by run, then generation
    int count;
    double *value; // owned
    size_t values;
    int *first; // owned; the points of run k are first[k] ... first[k + 1] - 1
    int runs;   // that have points
} Series;

// -> field  a number or a list; generations without it are left out. The scores best, mean, worst and curve
//           become lines.
// Free with series_free, also after an error. A folder without a journal has no points.
bool series_read(Series *series, const char *folder, const char *field, bool evaluations, Error *error);
void series_free(Series *series);

// <- numbers of the widest generation of run k; 1: no list
int series_width(const Series *series, int run);
// <- component c of a point, NAN: it has none
double series_value(const Series *series, int point, int component);

// A line to draw.
typedef struct SeriesLine {
    double x[SERIES_MAX_POINTS], y[SERIES_MAX_POINTS];
    int count;
} SeriesLine;

// The median over the runs at each x. A run that has ended counts with its last generation: medians over
// fewer and fewer runs would jump. <- false: no memory
bool series_median(const Series *series, SeriesLine *line);
// One run, one component.
void series_run(const Series *series, int run, int component, SeriesLine *line);

// <- where number k of so many that are drawn stands in a list of `count`, first and last included
size_t series_pick(size_t k, size_t drawn, size_t count);

// ---------------------------------------------------------------------------------------------------
// Outputs

// The list `field` in the output of the row's last command, repetition i = 1, 2, ...
// <- numbers  free() its value; none, if there is no such file
bool series_output(const Definition *definition, const char *scale, const char *dir, const DefinitionRow *row,
                   int i, const char *field, Numbers *numbers, Error *error);

// Moving means of `smooth` numbers, each standing in the middle of its numbers (counted from 1).
void series_smooth(const Numbers *numbers, size_t smooth, SeriesLine *line);

#endif
