// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/results_json.h"

#include <math.h>

#include "base/json_values.h"

json_t *interval_json(Interval interval) {
    return isnan(interval.low) ? json_null() : json_pair(interval.low, interval.high);
}

void scores_json(json_t *object, const Playing *playing) {
    json_t *scores = json_array(), *censored = json_array();
    for (uint64_t i = 0; i < playing->games; i++) {
        json_array_append_new(scores, json_whole(playing->score[i].lines));
        if (playing->score[i].censored)
            json_array_append_new(censored, json_whole(i));
    }
    json_object_set_new(object, "scores", scores);
    json_object_set_new(object, "censored_games", censored);
}

void heights_json(json_t *object, const Heights *heights) {
    uint64_t moves = 0, above = 0;
    json_t *higher = json_array();
    for (int h = 0; h < HEIGHTS_SIZE; h++)
        moves += heights->at_height[h];
    for (int h = HEIGHTS_SIZE - 1; h >= 0; above += heights->at_height[h--])
        json_array_insert_new(higher, 0, json_finite((double)above / (double)moves));
    json_object_set_new(object, "higher", higher);
}
