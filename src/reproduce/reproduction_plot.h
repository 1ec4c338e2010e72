// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of reproductions, as their definitions ask for them ("plot" in docs/reproducing.md).
#ifndef TETRALAB_REPRODUCE_REPRODUCTION_PLOT_H
#define TETRALAB_REPRODUCE_REPRODUCTION_PLOT_H

#include <stdbool.h>

#include "base/error.h"
#include "reproduce/definition.h"

// Draws the definition's plot.
// -> path     of the picture, .svg or .png
// -> dir      the definition's folder, {dir}: run folders of learning and outputs/ are below it
// -> results  the file of its results (reproduce/results.h)
bool reproduction_plot(const char *path, const Definition *definition, const char *scale, const char *dir,
                       const char *results, Error *error);

// Is this "plot" one that can be drawn: are its keys and their values known? Asked before the rows run.
bool reproduction_plot_check(const Definition *definition, Error *error);

#endif
