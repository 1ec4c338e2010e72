// SPDX-License-Identifier: GPL-3.0-or-later
// How long each feature takes, on the boards of a played game (Amundsen 2014, figure 2.6).
#ifndef TETRALAB_APP_FEATURE_TIME_H
#define TETRALAB_APP_FEATURE_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "app/outputs.h"
#include "base/error.h"
#include "feature/feature.h"
#include "feature/kernel.h"
#include "game/rules.h"

typedef struct FeatureTimes {
    uint64_t boards;               // that were timed
    uint64_t placements;           // that the kernel looked at for one feature
    double reference_ns[FEATURES]; // the reference definition, per board; a feature of several values: all of
                                   // them
    double kernel_ns[FEATURES];    // a rating of this feature alone through the kernel, per placement
    double total_reference_ns;     // sum of reference_ns
} FeatureTimes;

// Times the features on the first `boards` boards that Dellacherie's player leaves behind; a game that ends
// is followed by the next one. Takes processor time, which other programs on the machine disturb little.
// Ends early when interrupted (progress_interrupted), with the boards there were.
// -> rules  simplified
bool feature_times(FeatureTimes *times, uint64_t boards, const Rules *rules, uint64_t seed,
                   const Kernel *kernel, Error *error);

void feature_times_print(const FeatureTimes *times, const Rules *rules, const Kernel *kernel);
json_t *feature_times_json(const FeatureTimes *times, const Rules *rules, uint64_t seed,
                           const Kernel *kernel);

// --csv and --plot, of one FeatureTimed: a row for each feature.
typedef struct FeatureTimed {
    const FeatureTimes *times;
    const Rules *rules;
    const Kernel *kernel;
} FeatureTimed;
TableMaker feature_times_table;
OutputPlotter feature_times_plot;

// <- the number in the thesis as people write it; "" if it has none.
const char *feature_number_text(int number, char out[8]);

#endif
