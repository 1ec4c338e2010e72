// SPDX-License-Identifier: GPL-3.0-or-later
// Learning runs as lines: a quantity of their generations, of one run or of all runs together.
#ifndef TETRALAB_PLOT_RUNS_H
#define TETRALAB_PLOT_RUNS_H

#include "learn/run_folder.h"
#include "plot/plot.h"

enum { RUNS_MAX_POINTS = 500 }; // of a line

// A quantity of a generation. Scores are in lines. Those of vectors have a number for each component.
typedef struct RunQuantity {
    const struct QuantityKind *kind;
    int component; // if only one of the vector is wanted; -1: all
} RunQuantity;

// -> name  a number of the history ("best", "sigma", ...), a vector ("answer", ...), one of its components
//          ("answer.3"), or what is made from these: "weight", the answer, of length 1 if nothing but its
//          direction counts; "share" and "limit_share", the games that a race needed, in percent of those
//          without a race and of r_limit for everybody
// <- false: there is no such quantity
bool run_quantity(RunQuantity *quantity, const char *name);
int run_quantity_width(const RunQuantity *quantity, const LearningHistory *history);
// -> k  0 ... width - 1; <- NAN: the generation has no such number
double run_quantity_value(const RunQuantity *quantity, const LearningHistory *history,
                          const Generation *generation, int k);

bool run_quantity_is_share(const RunQuantity *quantity); // in percent

// What a run has spent: generations; games or repetitions for selection; pieces for selection (in histories
// of older versions those of the curve too); seconds, the curve's included.
typedef enum RunAxis { RUNS_BY_GENERATION, RUNS_BY_EVALUATIONS, RUNS_BY_PIECES, RUNS_BY_SECONDS } RunAxis;
double run_spent(const Generation *generation, RunAxis axis);

// <- the generations of a run, at *count of them
const Generation *run_generations(const LearningHistory *history, int run, size_t *count);

// How the numbers of several runs become one. The list may be changed.
typedef double RunsTogether(double *value, size_t count);
RunsTogether runs_median, runs_mean, runs_sum, runs_lower, runs_upper; // lower, upper: quartiles

// Number k of the quantity, wherever one of these runs has a number, once half of them have begun. A run that
// has ended counts with its last number: medians over fewer and fewer runs would jump.
// -> run  which run; RUNS_ALL: all together
// A curve is that of the answer before the generation: it stands where that generation began.
enum { RUNS_ALL = -1 };
void runs_add_line(PlotSeries *series, const LearningHistory *history, int run, const RunQuantity *quantity,
                   int k, RunAxis axis, RunsTogether *together);

// The same between two such numbers: the series has them as low and high, and their middle as y.
void runs_add_band(PlotSeries *series, const LearningHistory *history, int run, const RunQuantity *quantity,
                   int k, RunAxis axis, RunsTogether *low, RunsTogether *high);

#endif
