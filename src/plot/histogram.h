// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms with the exponential law of the same mean (Amundsen, fig. 2.5): one as bars, several in the same
// bins as outlines.
#ifndef TETRALAB_PLOT_HISTOGRAM_H
#define TETRALAB_PLOT_HISTOGRAM_H

#include "plot/plot.h"

typedef struct HistogramRow {
    const char *label;
    const double *value;
    size_t count; // at least 1
    double mean;  // of the law; NAN: that of the values
} HistogramRow;

typedef struct Histogram {
    double low, width; // bin k begins at low + k * width
    int bins;
    size_t beyond; // values to the right of the last bin
} Histogram;

// Bins from 0 on, or from the least value if that is negative, with round ends; of whole numbers with whole
// ends. Values far beyond the mean are not shown.
// -> percent  the panel shows the share of all values, else their number
// <- false: the values are too large for bins
bool histogram_add(Histogram *histogram, PlotPanel *panel, const HistogramRow *row, int rows, bool percent);

#endif
