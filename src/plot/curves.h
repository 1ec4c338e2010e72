// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a learning run, by generation: the score of the answer, of the best candidate and of their
// mean, the step size, the weights, the coordinate-wise deviations and the square roots of the eigenvalues
// (Boumaza, How to design good Tetris players, figs 4 to 6), and how many games a race needed or how many
// pieces were played. Several runs: their medians, each run a thin line; the weights are those of the mean of
// the runs.
#ifndef TETRALAB_PLOT_CURVES_H
#define TETRALAB_PLOT_CURVES_H

#include "learn/run_folder.h"
#include "plot/plot.h"

// -> plot  plot_free it, also after an error. A history without a generation is an error.
bool curves_make(Plot *plot, const LearningHistory *history, Error *error);

#endif
