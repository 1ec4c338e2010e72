// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of results as JSON that several commands write alike.
#ifndef TETRALAB_MEASURE_RESULTS_JSON_H
#define TETRALAB_MEASURE_RESULTS_JSON_H

#include <jansson.h>

#include "measure/heights.h"
#include "measure/interval.h"
#include "measure/playing.h"

json_t *interval_json(Interval interval);                  // null: unknown
void scores_json(json_t *object, const Playing *playing);  // adds "scores", "censored_games"
void heights_json(json_t *object, const Heights *heights); // adds "higher": [h] of moves end above height h

#endif
