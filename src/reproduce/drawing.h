// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of reproductions, as their definitions ask for them ("plot" in docs/reproducing.md).
#ifndef TETRALAB_REPRODUCE_DRAWING_H
#define TETRALAB_REPRODUCE_DRAWING_H

#include <stdbool.h>

#include "base/error.h"
#include "base/fields.h"
#include "plot/plot.h"
#include "reproduce/definition.h"

// Fills in the definition's plot. What was not run yet is left out.
// -> plot     plot_free it, also after an error
// -> dir      the definition's folder, {dir}: run folders of learning and outputs/ are below it
// -> results  the file of its results (reproduce/results.h)
bool drawing_make(Plot *plot, const Definition *definition, const char *scale, const char *dir,
                  const char *results, Error *error);

// Does it show boards? Then it is no plot, but a picture of its own.
bool drawing_shows_boards(const Definition *definition);
// <- the text of an SVG file, free() it; NULL: failed, or the file is not there yet
char *drawing_boards(const Definition *definition, const char *scale, const char *dir, size_t *length,
                     Error *error);

extern const Fields drawing_keys; // of a plot

// Is the definition's "plot", if it has one, right: are its keys and their values known? Asked before the
// rows run.
bool drawing_check(const Definition *definition, Error *error);

#endif
