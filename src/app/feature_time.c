// SPDX-License-Identifier: GPL-3.0-or-later
// Times every feature twice (Amundsen 2014, figure 2.6: the first 1,000,000 boards of a game of Dellacherie's
// player): its reference definition on the boards that the moves leave behind, and a rating of this feature
// alone through a kernel, on all placements of the piece in hand. The second includes what every rating
// needs, putting the piece down and clearing, and kernels compute related features together: these times do
// not add up. Moves are played in blocks, which stay in the cache and are long enough for the clock.
#include "app/feature_time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/app.h"
#include "base/fields_json.h"
#include "base/progress.h"
#include "base/text.h"
#include "feature/reference.h"
#include "player/player.h"
#include "plot/intervals.h"

enum { BLOCK = 1024 };

// A move of the game.
typedef struct Sample {
    Board before, after;
    int piece;
    const Shape *shape;
    Landing landing;
} Sample;

typedef struct Timer {
    const Rules *rules;
    Player *player;
    Rating rating[FEATURES];
    Evaluator *evaluator[FEATURES];
    Game game;
    uint64_t seed, next; // number of the next game
    Sample *move;
    double reference[FEATURES], kernel[FEATURES]; // seconds
    int64_t sum;                                  // of what was computed, so that nothing can be left out
} Timer;

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- the game ------------------------------------------------------------------------------------------

// Plays `count` moves that do not end a game. Moves that do leave no board behind and are left out.
static void play_block(Timer *timer, int count) {
    Game *game = &timer->game;
    for (int i = 0; i < count;) {
        if (game->state != GAME_RUNNING)
            game_start(game, timer->rules, timer->seed, timer->next++);
        Placement placement = player_choose(timer->player, game);
        if (placement == PLACEMENT_NONE) {
            game_end(game);
            continue;
        }
        Sample *move = &timer->move[i];
        move->before = game->board;
        move->piece = game->piece;
        move->shape = &piece_shape[game->piece][placement_orientation(placement)];
        game_move(game, timer->rules, placement, &move->landing);
        move->after = game->board;
        i += game->state != GAME_OVER;
    }
}

// Placements of the pieces of a block, where nothing is in the way.
static uint64_t count_placements(const Timer *timer, int count) {
    uint64_t placements = 0;
    for (int i = 0; i < count; i++)
        placements +=
            (uint64_t)__builtin_popcountll(placements_inside(timer->move[i].piece, timer->rules->width));
    return placements;
}

// ---- timing --------------------------------------------------------------------------------------------

static void time_reference(Timer *timer, int count, FeatureId id) {
    double sum = 0, start = processor_seconds();
    int values = feature_values(id, timer->rules->width);
    for (int i = 0; i < count; i++) {
        const Sample *move = &timer->move[i];
        Situation situation = {.width = timer->rules->width,
                               .height = timer->rules->height,
                               .before = &move->before,
                               .after = &move->after,
                               .shape = move->shape,
                               .landing = move->landing};
        for (int x = 0; x < values; x++)
            sum += feature_reference(id, &situation, x);
    }
    timer->reference[id] += processor_seconds() - start;
    timer->sum += (int64_t)sum;
}

static void time_kernel(Timer *timer, int count, FeatureId id) {
    int64_t sum = 0;
    double start = processor_seconds();
    for (int i = 0; i < count; i++)
        sum ^= evaluator_best(timer->evaluator[id], &timer->move[i].before, timer->move[i].piece).value;
    timer->kernel[id] += processor_seconds() - start;
    timer->sum ^= sum;
}

static bool make_evaluators(Timer *timer, const Kernel *kernel, Error *error) {
    for (int id = 0; id < FEATURES; id++) {
        RatingWeights text = {.kind = RATING_LINEAR};
        text.given[id] = feature_values((FeatureId)id, timer->rules->width);
        for (int i = 0; i < text.given[id]; i++)
            text.weight[feature_first[id] + i] = -1;
        if (!rating_make(&timer->rating[id], &text, timer->rules->width, timer->rules->height, error))
            return false;
        timer->evaluator[id] = evaluator_new(&timer->rating[id], timer->rules, kernel, false, error);
        if (!timer->evaluator[id])
            return false;
    }
    return true;
}

static Player *make_player(const Rules *rules, Error *error) {
    Strategy strategy;
    return strategy_find(&strategy, "dellacherie", error) ? player_new(&strategy, rules, NULL, error) : NULL;
}

static void time_boards(Timer *timer, FeatureTimes *times, uint64_t boards) {
    Progress progress;
    progress_start(&progress, false);
    while (times->boards < boards && !progress_interrupted) {
        uint64_t left = boards - times->boards;
        int count = left < BLOCK ? (int)left : BLOCK;
        play_block(timer, count);
        for (int id = 0; id < FEATURES; id++) {
            time_reference(timer, count, (FeatureId)id);
            time_kernel(timer, count, (FeatureId)id);
        }
        times->boards += (uint64_t)count;
        times->placements += count_placements(timer, count);
        char done[24], all[24];
        if (progress_due(&progress))
            progress_show(&progress, "%s of %s boards", text_count((double)times->boards, done),
                          text_count((double)boards, all));
    }
    progress_end(&progress);
}

static void timer_free(Timer *timer) {
    for (int id = 0; id < FEATURES; id++) {
        evaluator_free(timer->evaluator[id]);
        rating_free(&timer->rating[id]);
    }
    player_free(timer->player);
    free(timer->move);
    free(timer);
}

bool feature_times(FeatureTimes *times, uint64_t boards, const Rules *rules, uint64_t seed,
                   const Kernel *kernel, Error *error) {
    *times = (FeatureTimes){0};
    Timer *timer = aligned_alloc(_Alignof(Timer), sizeof *timer); // boards are read as vectors
    if (!timer)
        return error_set(error, "out of memory.");
    memset(timer, 0, sizeof *timer);
    timer->rules = rules;
    timer->seed = seed;
    timer->game.state = GAME_OVER; // none is started yet
    timer->move = aligned_alloc(_Alignof(Sample), BLOCK * sizeof *timer->move);
    bool good = timer->move || error_set(error, "out of memory.");
    good = good && (timer->player = make_player(rules, error)) && make_evaluators(timer, kernel, error);
    if (good) {
        memset(timer->move, 0, BLOCK * sizeof *timer->move); // pages that are touched for the first time cost
        time_boards(timer, times, boards);
        volatile int64_t used = timer->sum;
        (void)used;
        good = times->boards > 0 || error_set(error, "interrupted before anything was timed.");
    }
    for (int id = 0; good && id < FEATURES; id++) {
        times->reference_ns[id] = 1e9 * timer->reference[id] / (double)times->boards;
        times->kernel_ns[id] = 1e9 * timer->kernel[id] / (double)times->placements;
        times->total_reference_ns += times->reference_ns[id];
    }
    timer_free(timer);
    return good;
}

// ---- output --------------------------------------------------------------------------------------------

const char *feature_number_text(int number, char out[8]) {
    *out = 0;
    if (number > 99) // 232 is the second variant of 23
        snprintf(out, 8, "%db", number / 10 % 100);
    else if (number > 0)
        snprintf(out, 8, "%d", number);
    return out;
}

static double share(const FeatureTimes *times, int id) {
    return times->total_reference_ns > 0 ? times->reference_ns[id] / times->total_reference_ns : 0;
}

void feature_times_print(const FeatureTimes *times, const Rules *rules, const Kernel *kernel) {
    char number[8], boards[32];
    printf("%3s  %-26s  %12s  %6s  %16s\n", "no.", "name", "ns per board", "share", "ns per placement");
    printf("%3s  %-26s  %12s  %6s  %16s\n", "", "", "reference", "", kernel_name(kernel));
    for (int id = 0; id < FEATURES; id++)
        printf("%3s  %-26s  %12.1f  %4.1f %%  %16.2f%s\n",
               feature_number_text(feature_info[id].number, number), feature_info[id].name,
               times->reference_ns[id], 100 * share(times, id), times->kernel_ns[id],
               kernel_features(kernel) & feature_bit((FeatureId)id) ? "" : " (reference)");
    printf("%3s  %-26s  %12.1f\n", "", "all", times->total_reference_ns);
    printf("\n%s boards of dellacherie's games on %dx%d. reference: the definition, once per board. %s: a "
           "rating\n"
           "of this feature alone, for all placements of a piece, putting it down and clearing included.\n",
           text_grouped(times->boards, boards), rules->width, rules->height, kernel_name(kernel));
}

json_t *feature_times_json(const FeatureTimes *times, const Rules *rules, uint64_t seed,
                           const Kernel *kernel) {
    json_t *object = json_object(), *list = json_array();
    for (int id = 0; id < FEATURES; id++) {
        char number[8];
        feature_number_text(feature_info[id].number, number);
        json_array_append_new(list,
                              json_pack("{s:s, s:s*, s:f, s:f, s:f}", "name", feature_info[id].name, "number",
                                        *number ? number : NULL, "reference_ns", times->reference_ns[id],
                                        "share", share(times, id), "kernel_ns", times->kernel_ns[id]));
    }
    json_object_set_new(object, "features", list);
    json_object_set_new(object, "total_reference_ns", json_real(times->total_reference_ns));
    json_object_set_new(object, "boards", json_whole(times->boards));
    json_object_set_new(object, "placements", json_whole(times->placements));
    json_object_set_new(object, "kernel", json_string(kernel_name(kernel)));
    json_object_set_new(object, "strategy", json_string("dellacherie"));
    json_object_set_new(object, "seed", json_whole(seed));
    fields_save(rules_fields, rules, object);
    return object;
}

void feature_times_table(Table *table, const void *rows, int count) {
    static const TableColumn columns[] = {
        {"feature"}, {"reference_ns"}, {"share"}, {"kernel_ns"}, {"kernel"}};
    const FeatureTimed *timed = rows;
    (void)count;
    TABLE_HEAD(table, columns);
    for (int id = 0; id < FEATURES; id++) {
        table_cell(table, "%s", feature_info[id].name);
        table_number(table, timed->times->reference_ns[id]);
        table_number(table, share(timed->times, id));
        table_number(table, timed->times->kernel_ns[id]);
        table_cell(table, "%s", kernel_name(timed->kernel));
    }
}

static const char *nanoseconds(double value, char out[24]) {
    snprintf(out, 24, "%.3g", value);
    return out;
}

bool feature_times_plot(Plot *plot, const void *rows, int count, Error *error) {
    const FeatureTimed *timed = rows;
    IntervalsRow row[FEATURES];
    char subtitle[160], kernel[80], boards[32];
    (void)count;
    for (int id = 0; id < FEATURES; id++)
        row[id] = (IntervalsRow){feature_info[id].name,
                                 {timed->times->reference_ns[id], timed->times->kernel_ns[id]},
                                 {{NAN, NAN}, {NAN, NAN}}};
    snprintf(subtitle, sizeof subtitle, "%s boards of dellacherie on %dx%d",
             text_grouped(timed->times->boards, boards), timed->rules->width, timed->rules->height);
    snprintf(kernel, sizeof kernel, "%.40s, per placement", kernel_name(timed->kernel));
    const IntervalsPlan plan = {.title = "Time that each feature takes",
                                .subtitle = subtitle,
                                .label = "nanoseconds, log scale",
                                .series = {"definition, per board", kernel},
                                .log = true,
                                .rule = NAN,
                                .text = nanoseconds};
    return intervals_make(plot, &plan, row, FEATURES, error);
}
