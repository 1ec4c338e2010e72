// SPDX-License-Identifier: GPL-3.0-or-later
// Fahey's regression of pile heights; heights.h explains it and says why it is biased. The pieces are played
// by HEIGHTS_STREAMS independent runs, whose counts are added: no thread changes a result. Lost games are
// followed by new ones, and the first pieces after an empty board at the start of a run are not counted.
#include "measure/heights.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/clock.h"
#include "base/pool.h"
#include "base/portable.h"
#include "measure/quantile.h"

enum {
    WARM_UP = 500, // pieces until an empty board has become a typical one
    SLICE = 4096   // moves between two looks at the clock and at Ctrl-C
};
static const double TAIL = 0.2; // share of the moves in the part that is fitted

// ---------------------------------------------------------------------------------------------------
// The regression

static int first_height(const Heights *heights) {
    uint64_t all = 0, above = 0;
    int mode = 0;
    for (int h = 0; h < HEIGHTS_SIZE; h++) {
        all += heights->at_height[h];
        if (heights->at_height[h] > heights->at_height[mode])
            mode = h;
    }
    for (int h = HEIGHTS_SIZE - 1; h > mode; h--) {
        above += heights->at_height[h];
        if ((double)above > TAIL * (double)all)
            return h + 1;
    }
    return mode + 1;
}

static int last_height(const Heights *heights, int first, int top) {
    int last = first - 1;
    while (last + 1 < top - 1 && heights->at_height[last + 1] >= HEIGHTS_LEAST_COUNT)
        last++;
    return last;
}

void heights_fit(Heights *heights, int width, int top) {
    heights->top = top;
    heights->low = first_height(heights);
    heights->high = last_height(heights, heights->low, top);
    heights->fitted = false;
    heights->intercept = heights->slope = heights->mean_lines = NAN;
    heights->interval = (Interval){NAN, NAN};
    int points = heights->high - heights->low + 1;
    if (points < HEIGHTS_LEAST_POINTS)
        return;
    double all = 0, mean_h = (heights->low + heights->high) / 2.0, mean_y = 0, hh = 0, hy = 0, left = 0;
    for (int h = 0; h < HEIGHTS_SIZE; h++)
        all += (double)heights->at_height[h];
    for (int h = heights->low; h <= heights->high; h++)
        mean_y += portable_log((double)heights->at_height[h] / all) / points;
    for (int h = heights->low; h <= heights->high; h++) {
        hh += (h - mean_h) * (h - mean_h);
        hy += (h - mean_h) * (portable_log((double)heights->at_height[h] / all) - mean_y);
    }
    heights->slope = hy / hh;
    heights->intercept = mean_y - heights->slope * mean_h;
    for (int h = heights->low; h <= heights->high; h++) {
        double e =
            portable_log((double)heights->at_height[h] / all) - heights->intercept - heights->slope * h;
        left += e * e;
    }
    double deviation = sqrt(left / (points - 2) * (1.0 / points + (top - mean_h) * (top - mean_h) / hh));
    double half = quantile_student(0.975, (uint64_t)points - 2) * deviation;
    double predicted = heights->intercept + heights->slope * top;
    heights->mean_lines = 4 / (width * portable_exp(predicted));
    heights->interval = (Interval){4 / (width * portable_exp(predicted + half)),
                                   4 / (width * portable_exp(predicted - half))};
    heights->fitted = true;
}

// A height that was hardly seen is guessed from the two below: the frequencies fall about geometrically.
uint64_t heights_needed(const Heights *heights, int top) {
    _Static_assert(HEIGHTS_LEAST_POINTS == 3, "the last of three heights is the rarest");
    const int low = first_height(heights);
    const uint64_t *count = &heights->at_height[low];
    double all = 0;
    if (low + 2 > top - 2 || !count[0])
        return UINT64_MAX;
    for (int h = 0; h < HEIGHTS_SIZE; h++)
        all += (double)heights->at_height[h];
    double second = fmax((double)count[1], 0.5), guess = second * second / (double)count[0];
    double third = count[2] >= HEIGHTS_LEAST_COUNT ? (double)count[2] : fmax((double)count[2], guess);
    return (uint64_t)fmin(ceil(HEIGHTS_LEAST_COUNT * all / third), 1e18);
}

int heights_top(const Rules *rules) {
    return rules_rows(rules) + 1;
}

// ---------------------------------------------------------------------------------------------------
// Playing

typedef struct Team {
    const HeightsPlan *plan;
    Heights *heights;
    uint64_t tasks;
    pthread_mutex_t lock;
} Team;

// Numbers that neither whole games nor splitting use.
static uint64_t stream_index(uint64_t number) {
    return ((uint64_t)1 << 62) + number;
}

static void hand_in(Team *team, Heights *counts) {
    Heights *all = team->heights;
    pthread_mutex_lock(&team->lock);
    for (int h = 0; h < HEIGHTS_SIZE; h++)
        all->at_height[h] += counts->at_height[h];
    all->pieces += counts->pieces;
    all->lost += counts->lost;
    Advance advance = {.unit = "pieces",
                       .done = all->pieces,
                       .wanted = team->plan->pieces,
                       .pieces = all->pieces,
                       .value = NAN,
                       .precision = INFINITY};
    work_tell(&team->plan->work, &advance);
    pthread_mutex_unlock(&team->lock);
    *counts = (Heights){0};
}

typedef struct Stream {
    Game game; // first: the two pointers are the same
    uint64_t warm_up, left;
} Stream;

// The streams of a task, side by side.
typedef struct Hand {
    Team *team;
    Heights counts;
    bool stopped;
} Hand;

// A move that loses counts too: else a player that loses at once would play for ever.
static bool count_move(void *context, Turn *turn) {
    Hand *hand = context;
    Stream *stream = (Stream *)turn->game;
    const HeightsPlan *plan = hand->team->plan;
    Heights *counts = &hand->counts;
    bool lost = stream->game.state == GAME_OVER;
    if (stream->warm_up) {
        stream->warm_up--;
    } else {
        counts->lost += lost;
        counts->at_height[board_pile_height(&stream->game.board, player_rules(plan->player)->width)] += !lost;
        stream->left--;
        if (++counts->pieces == SLICE) {
            hand_in(hand->team, counts);
            hand->stopped = work_is_stopped(&plan->work);
        }
    }
    if (lost)
        game_restart(&stream->game);
    turn->moves = 1;
    return stream->left && !hand->stopped;
}

static void play_streams(void *context, uint64_t number, int thread) {
    (void)thread;
    Hand hand = {.team = context};
    const HeightsPlan *plan = hand.team->plan;
    uint64_t tasks = hand.team->tasks, first = number * HEIGHTS_STREAMS / tasks;
    Stream stream[HEIGHTS_STREAMS];
    Turn turn[HEIGHTS_STREAMS];
    int count = (int)((number + 1) * HEIGHTS_STREAMS / tasks - first);
    for (int k = 0; k < count; k++) {
        uint64_t own = first + (uint64_t)k;
        stream[k].warm_up = WARM_UP;
        stream[k].left = plan->pieces / HEIGHTS_STREAMS + (own < plan->pieces % HEIGHTS_STREAMS);
        game_start(&stream[k].game, player_rules(plan->player), plan->seed, stream_index(own));
        turn[k] = (Turn){&stream[k].game, 1, -1, TURN_ANY_HEIGHT};
    }
    player_run_turns(plan->player, count, turn, count_move, &hand);
    hand_in(hand.team, &hand.counts);
}

bool heights_run(Heights *heights, const HeightsPlan *plan, Error *error) {
    *heights = (Heights){0};
    const Rules *rules = player_rules(plan->player);
    if (rules->pieces.law == PIECES_RECORDED)
        return error_set(error,
                         "The heights are counted over one long run, for which a recorded sequence has "
                         "too few pieces; use --method games.");
    if (plan->pieces < HEIGHTS_STREAMS)
        return error_set(error, "Counting heights takes at least %d pieces, not %llu.", HEIGHTS_STREAMS,
                         (unsigned long long)plan->pieces);
    Team team = {.plan = plan, .heights = heights};
    team.tasks = plan->work.jobs < HEIGHTS_STREAMS ? (uint64_t)plan->work.jobs : HEIGHTS_STREAMS;
    double start = clock_seconds();
    pthread_mutex_init(&team.lock, NULL);
    bool good = pool_run(plan->work.jobs, team.tasks, play_streams, &team, plan->work.stop, error);
    pthread_mutex_destroy(&team.lock);
    heights->interrupted = heights->pieces < plan->pieces;
    heights_fit(heights, rules->width, heights_top(rules));
    heights->seconds = clock_seconds() - start;
    return good;
}
