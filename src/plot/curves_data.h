// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers that the picture of a learning run shows (plot/curves.h): which generations, which numbers of
// the vector, and how several runs become one line. For curves.c only.
#ifndef TETRALAB_PLOT_CURVES_DATA_H
#define TETRALAB_PLOT_CURVES_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "learn/run_folder.h"

enum {
    CURVES_MAX_POINTS = 500, // generations drawn of each run
    CURVES_MAX_LINES = 100,  // numbers of the vector drawn
};

typedef struct Curves {
    const LearningHistory *history;
    int *first; // owned; of each run in the history; first[runs] is the end
    int points;
    uint64_t newest;                // generation, of all runs
    uint64_t at[CURVES_MAX_POINTS]; // the generations drawn
    int line[CURVES_MAX_LINES];     // which numbers of the vector are drawn
    int lines;
    bool has_curve, has_axes, has_race;
    double *scratch; // owned; one number per run
} Curves;

// -> history  with at least one generation; used, not copied
// Free with curves_free, also after an error. <- false: out of memory
bool curves_make(Curves *curves, const LearningHistory *history);
void curves_free(Curves *curves);

// <- the newest generation of the run up to this one; NULL: there is none
const Generation *curves_find(const Curves *curves, int run, uint64_t generation);

// One number of a generation, NAN: there is none. -> index  of the vector, for those that have one
typedef double Quantity(const Curves *curves, const Generation *generation, int index);
Quantity curves_answer, curves_best, curves_mean; // lines
Quantity curves_sigma, curves_deviation, curves_axis;
Quantity curves_share;  // of the games without racing, in percent
Quantity curves_weight; // of a vector of length 1, if nothing but its direction counts

// How the runs are put together.
typedef double Together(double *value, int count);
Together curves_median, curves_average;

// A run that has ended counts with its last generation: medians over fewer and fewer runs would jump.
double curves_over_runs(const Curves *curves, Quantity *quantity, Together *together, uint64_t generation,
                        int index);
double curves_pieces(const Curves *curves, uint64_t generation); // all runs, up to this generation

#endif
