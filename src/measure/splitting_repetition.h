// SPDX-License-Identifier: GPL-3.0-or-later
// One repetition of splitting, with what only the library's own code asks for.
#ifndef TETRALAB_MEASURE_SPLITTING_REPETITION_H
#define TETRALAB_MEASURE_SPLITTING_REPETITION_H

#include "measure/splitting.h"

// splitting_repeat, for whoever may do without it before its end.
// -> unwanted  may be NULL; ends it as plan->work does
// -> samples   may be NULL; else samples of the boards it met are added
bool splitting_play(const SplittingPlan *plan, uint64_t number, const volatile bool *unwanted,
                    ImportanceSamples *samples, SplittingRun *run, Error *error);

#endif
