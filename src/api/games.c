// SPDX-License-Identifier: GPL-3.0-or-later
// Whole games and their summary for the public interface.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "api/api.h"
#include "base/pool.h"
#include "measure/interval.h"
#include "measure/playing.h"

_Static_assert((int)TETRALAB_MAX_THREADS == POOL_MAX_THREADS && (int)TETRALAB_MAX_GAMES == PLAYING_MAX_GAMES,
               "the limits of tetralab.h are those of the library");

// The caller's function says when to stop; the run wants a flag.
typedef struct Watch {
    tetralab_progress *progress;
    void *context;
    uint64_t games;
    volatile bool stop;
} Watch;

static void watch(void *context, const Advance *advance) {
    Watch *watched = context;
    tetralab_status shown = {
        .games = watched->games,
        .done = advance->done,
        .pieces = advance->pieces,
        .lines = advance->done ? (uint64_t)llround(advance->value * (double)advance->done) : 0};
    if (!watched->progress(watched->context, &shown))
        __atomic_store_n(&watched->stop, true, __ATOMIC_RELAXED);
}

bool tetralab_play(const tetralab_player *player, uint64_t seed, uint64_t games, int threads,
                   tetralab_score *scores, uint64_t *played, tetralab_progress *progress, void *context,
                   tetralab_error *error) {
    if (games < 1) // which to the run would mean: to a precision
        return error_set(api_error(error), "There is no game to play: give 1 to %d.", TETRALAB_MAX_GAMES);
    Watch watched = {progress, context, games, false};
    PlayingPlan plan = {.player = player->player,
                        .seed = seed,
                        .games = games,
                        .max_pieces = player->rules.max_pieces,
                        .work = {.jobs = threads ? threads : pool_cores(),
                                 .stop = &watched.stop,
                                 .progress = progress ? watch : NULL,
                                 .context = &watched}};
    Playing playing;
    bool good = playing_run(&playing, &plan, api_error(error));
    for (uint64_t i = 0; good && i < playing.games; i++)
        scores[i] = (tetralab_score){.lines = playing.score[i].lines,
                                     .pieces = playing.score[i].pieces,
                                     .ended = !playing.score[i].censored};
    if (good && played)
        *played = playing.games;
    playing_free(&playing);
    return good;
}

static tetralab_interval interval(Interval given) {
    return (tetralab_interval){given.low, given.high};
}

static tetralab_summary summary_of(const Summary *made) {
    return (tetralab_summary){.games = made->games,
                              .ended = made->games - made->censored,
                              .lines = made->lines,
                              .pieces = made->pieces,
                              .mean = made->mean,
                              .exact = interval(made->exact),
                              .rule = interval(made->rule),
                              .normal = interval(made->normal),
                              .sd = made->sd,
                              .median = made->median,
                              .median_is_bound = made->median_is_bound,
                              .minimum = made->minimum,
                              .maximum = made->maximum};
}

bool tetralab_summarise(const tetralab_score *scores, uint64_t count, tetralab_summary *summary,
                        tetralab_error *error) {
    if (count < 1)
        return error_set(api_error(error), "There is no score to summarise: give one at least.");
    Score *copy = calloc(count, sizeof *copy);
    if (!copy)
        return error_set(api_error(error), "Out of memory for %" PRIu64 " scores.", count);
    for (uint64_t i = 0; i < count; i++)
        copy[i] = (Score){scores[i].lines, scores[i].pieces, .censored = !scores[i].ended, .played = true};
    Summary made;
    bool good = summary_make(&made, copy, count, api_error(error));
    free(copy);
    if (good)
        *summary = summary_of(&made);
    return good;
}

uint64_t tetralab_games_for(double precision) {
    return precision > 0 ? interval_games_for(precision, TETRALAB_MAX_GAMES) : TETRALAB_MAX_GAMES;
}
