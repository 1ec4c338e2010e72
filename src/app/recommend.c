// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recommend.h"

#include <stdlib.h>

#include "base/progress.h"
#include "learn/benchmark.h"
#include "tasks/measurement.h"

bool recommend_measure(Recommendation *recommendation, const Strategy *strategy, const Objective *objective,
                       int instance, const AppOptions *app, Error *error) {
    Player *player = player_new(strategy, &objective->rules, objective->kernel, error);
    if (!player)
        return false;
    MeasurePlan plan = {.player = player,
                        .seed = benchmark_measure_seed(instance),
                        .method = MEASURE_AUTO,
                        .precision = strtod(BENCHMARK_PRECISION, NULL) / 100,
                        .work = {.jobs = (int)app->jobs, .stop = &progress_interrupted}};
    Measurement measurement = {0};
    bool good = measurement_run(&measurement, &plan, error);
    if (good)
        *recommendation =
            (Recommendation){measurement.mean_lines, measurement.interval.low, measurement.interval.high,
                             measurement.pieces,     measurement.seconds,      measurement.interrupted};
    measurement_free(&measurement);
    player_free(player);
    return good;
}
