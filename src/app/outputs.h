// SPDX-License-Identifier: GPL-3.0-or-later
// --csv and --plot, which every command that measures has: its results as a table for other programs, and as
// a picture (Command.picture says which).
#ifndef TETRALAB_APP_OUTPUTS_H
#define TETRALAB_APP_OUTPUTS_H

#include "app/app.h"
#include "app/table.h"
#include "plot/plot.h"
#include "tasks/measure_row.h"

// Fills in a picture of the rows; plot_free it, also after an error.
typedef bool OutputPlotter(Plot *plot, const void *rows, int count, Error *error);

// Writes both, as far as they are asked for. What cannot be drawn is an error that names the file.
bool outputs_write(const AppOptions *options, TableMaker *table, OutputPlotter *plot, const void *rows,
                   int count, Error *error);

// Measurements beside each other, with what was published; of MeasureRow. Where they differ in rules or
// seeds, that stands behind the names.
OutputPlotter outputs_plot_measured;

#endif
