// SPDX-License-Identifier: GPL-3.0-or-later
// Plays whole games by a crew. Each worker plays many side by side, in slices of about 20 ms after which it
// tells how far it is and looks whether to go on; a game that ends makes room for the next one at once.
// Nothing in a score depends on them.
#include "measure/playing.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pool.h"

enum { SEATS = 256, FIRST_SLICE = 32, LEAST_SLICE = 16, MAX_SLICE = 1 << 20 };
static const double SHORT_SLICE = 0.01, LONG_SLICE = 0.04; // seconds

// ---------------------------------------------------------------------------------------------------
// A worker

// What it is to play.
typedef struct Games {
    const Player *player;
    uint64_t max_pieces; // 0: no limit
    bool same_pieces;
    uint64_t first; // whose last position is kept
    Game *kept;     // NULL: in another process
} Games;

// A task under way.
typedef struct Part {
    const CrewJob *job; // NULL: none
    int started, missing;
} Part;

// A game under way.
typedef struct Seat {
    Game game;              // first: the two pointers are the same
    Part *part;             // NULL: there is none
    int index;              // in its part
    uint64_t pieces, lines; // that are told
    uint64_t left;          // moves of the slice
} Seat;

typedef struct Hand {
    const Games *games;
    CrewHand *crew;
    uint64_t slice;         // moves of each game
    uint64_t pieces, lines; // to be told
    int seats, playing;
    Part *open; // whose games are started now
    Part part[SEATS];
    Seat seat[SEATS];
} Hand;

static bool is_stopped(const Hand *hand) {
    return pool_stopped(crew_stop(hand->crew));
}

// -> wait  for a task, if there is none. <- false: there is no game to start
static bool open_part(Hand *hand, bool wait) {
    if (hand->open)
        return true;
    const CrewJob *job = crew_take(hand->crew, wait);
    if (!job)
        return false;
    hand->open = hand->part;
    while (hand->open->job)
        hand->open++; // no more parts than seats
    *hand->open = (Part){.job = job, .missing = job->count};
    return true;
}

static bool take_game(Hand *hand, Seat *seat, bool wait) {
    const Games *games = hand->games;
    if (!open_part(hand, wait))
        return false;
    Part *part = seat->part = hand->open;
    const CrewJob *job = part->job;
    seat->index = part->started++;
    seat->pieces = seat->lines = 0;
    if (part->started == job->count)
        hand->open = NULL;
    hand->playing++;
    uint64_t number = job->first + (uint64_t)seat->index;
    game_start(&seat->game, player_rules(games->player), job->seed, games->same_pieces ? 0 : number);
    seat->game.ties = random_stream(job->seed, number, RANDOM_TIES);
    return true;
}

static void tell_work(Hand *hand) {
    if (hand->pieces)
        crew_note(hand->crew, hand->pieces, hand->lines);
    hand->pieces = hand->lines = 0;
}

static void give_part(Hand *hand, Part *part) {
    tell_work(hand);
    crew_give(hand->crew, part->job, NULL);
    part->job = NULL;
}

static void count(Hand *hand, Seat *seat) {
    hand->pieces += seat->game.pieces - seat->pieces;
    hand->lines += seat->game.lines - seat->lines;
    seat->pieces = seat->game.pieces;
    seat->lines = seat->game.lines;
}

// The game has ended, or is not played on.
static void hand_in(Hand *hand, Seat *seat) {
    const Game *game = &seat->game;
    Part *part = seat->part;
    count(hand, seat);
    ((Score *)part->job->sample)[seat->index] = (Score){
        .lines = game->lines, .pieces = game->pieces, .censored = game->state != GAME_OVER, .played = true};
    if (hand->games->kept && part->job->first + (uint64_t)seat->index == hand->games->first)
        *hand->games->kept = *game;
    seat->part = NULL;
    hand->playing--;
    if (--part->missing == 0)
        give_part(hand, part);
}

static void give_all_up(Hand *hand) {
    for (int k = 0; k < hand->seats; k++)
        if (hand->seat[k].part) {
            player_forget(hand->games->player, &hand->seat[k].game);
            hand_in(hand, &hand->seat[k]);
        }
    if (hand->open)
        give_part(hand, hand->open);
    hand->open = NULL;
}

// Between two slices. <- false: the crew ends
static bool take_work(Hand *hand) {
    for (int k = 0; k < hand->seats; k++)
        if (hand->seat[k].part)
            count(hand, &hand->seat[k]);
    tell_work(hand);
    if (is_stopped(hand))
        give_all_up(hand);
    for (int k = 0; k < hand->seats; k++)
        if (!hand->seat[k].part && !take_game(hand, &hand->seat[k], hand->playing == 0))
            break;
    return hand->playing > 0;
}

static void fit_slice(Hand *hand, double seconds) {
    if (seconds > LONG_SLICE && hand->slice > LEAST_SLICE)
        hand->slice /= 2;
    else if (seconds < SHORT_SLICE && hand->slice < MAX_SLICE)
        hand->slice *= 2;
}

// The moves of the slice, as far as the limit allows.
static void set_turn(const Hand *hand, Seat *seat, Turn *turn) {
    uint64_t most = hand->games->max_pieces, moves = seat->left;
    if (most && moves > most - seat->game.pieces)
        moves = most - seat->game.pieces;
    *turn = (Turn){&seat->game, moves, -1, TURN_ANY_HEIGHT};
    seat->left -= moves;
}

// Hands in a game that ended and starts the next one.
static bool next_game(void *context, Turn *turn) {
    Hand *hand = context;
    Seat *seat = (Seat *)turn->game;
    Game *game = &seat->game;
    uint64_t most = hand->games->max_pieces;
    if (game->state == GAME_RUNNING && most && game->pieces >= most) {
        game->state = GAME_STOPPED;
        player_forget(hand->games->player, game);
    }
    if (game->state == GAME_RUNNING)
        return false;
    seat->left += turn->moves;
    hand_in(hand, seat);
    if (is_stopped(hand) || !take_game(hand, seat, false))
        return false;
    set_turn(hand, seat, turn);
    return turn->moves;
}

static void play_slice(Hand *hand) {
    Turn turn[SEATS];
    int turns = 0;
    for (int k = 0; k < hand->seats; k++)
        if (hand->seat[k].part) {
            hand->seat[k].left = hand->slice;
            set_turn(hand, &hand->seat[k], &turn[turns++]);
        }
    double start = clock_seconds();
    player_run_turns(hand->games->player, turns, turn, next_game, hand);
    fit_slice(hand, clock_seconds() - start);
}

static void work(const void *context, CrewHand *crew) {
    Hand hand;
    hand.games = context;
    hand.crew = crew;
    hand.slice = FIRST_SLICE;
    hand.pieces = hand.lines = 0;
    hand.seats = player_is_fast(hand.games->player) ? SEATS : 1; // none of them learns from its games
    hand.playing = 0;
    hand.open = NULL;
    for (int k = 0; k < SEATS; k++) {
        hand.part[k].job = NULL;
        hand.seat[k].part = NULL;
    }
    while (take_work(&hand))
        play_slice(&hand);
}

static const Field games_field[] = {
    {"max_pieces", FIELD_WHOLE, FIELD_AT(Games, max_pieces)},
    {"same_pieces", FIELD_FLAG, FIELD_AT(Games, same_pieces)},
};
const CrewKind game_kind = {
    .name = "game",
    .sample_bytes = sizeof(Score),
    .done = offsetof(Score, played),
    .room = SEATS,
    .work = work,
    CREW_PLAYERS_TRAVEL,
    .context_bytes = sizeof(Games),
    .fields = FIELDS(games_field),
    .players = 1,
    .player = {offsetof(Games, player)},
};

// ---------------------------------------------------------------------------------------------------
// The judge

typedef struct Run {
    const PlayingPlan *plan;
    uint64_t need, most;     // so many games must end by themselves, so many may be played
    uint64_t taken, ended;   // of those taken, so many ended by themselves
    uint64_t all, all_ended; // the same of those that arrived
    uint64_t pieces;         // those of games under way included
} Run;

// A game is started only if it is likely to be needed: those that must end, and one more for each that was
// censored.
static uint64_t wanted(void *self) {
    const Run *run = self;
    uint64_t games = run->need + run->all - run->all_ended;
    return run->plan->games || games > run->most ? run->most : games;
}

static bool take(void *self, const void *sample, Error *error) {
    (void)error;
    Run *run = self;
    run->taken++;
    run->ended += !((const Score *)sample)->censored;
    return true;
}

static bool enough(void *self) {
    const Run *run = self;
    return run->ended == run->need || run->taken == run->most;
}

static void arrived(void *self, uint64_t number, const void *sample) {
    (void)number;
    Run *run = self;
    run->all++;
    run->all_ended += !((const Score *)sample)->censored;
}

static void tell(void *self, const Crew *crew) {
    Run *run = self;
    uint64_t done = run->plan->games ? run->all : run->all_ended;
    run->pieces = crew->pieces;
    Advance advance = {.unit = "games",
                       .done = done,
                       .wanted = run->plan->games ? run->most : run->need,
                       .pieces = crew->pieces,
                       .value = done ? (double)crew->lines / (double)done : NAN,
                       .precision = interval_precision(run->all_ended, false)};
    work_tell(&run->plan->work, &advance);
}

bool playing_is_fixed(const Player *player) {
    return player_rules(player)->pieces.law == PIECES_RECORDED && !player_draws(player);
}

static bool check_plan(const PlayingPlan *plan, Error *error) {
    if (plan->games > PLAYING_MAX_GAMES)
        return error_set(error, "%llu games are too many; at most %d can be played at once.",
                         (unsigned long long)plan->games, PLAYING_MAX_GAMES);
    if (plan->games == 0 && !(plan->precision > 0))
        return error_set(error, "The precision to play for must be above 0; it is %g.", plan->precision);
    if (plan->work.jobs < 1 || plan->work.jobs > POOL_MAX_THREADS)
        return error_set(error, "Games can be played by 1 to %d threads, not by %d.", POOL_MAX_THREADS,
                         plan->work.jobs);
    if (plan->games != 1 && playing_is_fixed(plan->player))
        return error_set(error,
                         "A recorded sequence of pieces is one game, however often %s plays it: ask for one.",
                         player_strategy(plan->player)->name);
    if (plan->same_pieces && !player_draws(plan->player))
        return error_set(
            error, "With the same pieces %s plays the same game every time: it draws no random numbers.",
            player_strategy(plan->player)->name);
    return true;
}

// Of a run that was interrupted, or of a shard: the games that were played.
static void close_up(Playing *playing, uint64_t games, bool gaps) {
    for (uint64_t k = 0; k < games; k++) {
        if (!playing->score[k].played)
            continue;
        uint64_t to = gaps ? k : playing->games;
        playing->score[to] = playing->score[k];
        playing->games = to + 1;
    }
}

bool playing_run(Playing *playing, const PlayingPlan *plan, Error *error) {
    *playing = (Playing){0};
    if (!check_plan(plan, error))
        return false;
    Games games = {.player = plan->player,
                   .max_pieces = plan->max_pieces == UINT64_MAX ? 0 : plan->max_pieces,
                   .same_pieces = plan->same_pieces,
                   .first = plan->first,
                   .kept = &playing->first};
    Run run = {.plan = plan,
               .need = plan->games ? UINT64_MAX : interval_games_for(plan->precision, PLAYING_MAX_GAMES),
               .most = plan->games ? plan->games : PLAYING_MAX_GAMES};
    Judge judge = {.kind = &game_kind,
                   .context = &games,
                   .make = crew_for(plan->player, NULL),
                   .work = &plan->work,
                   .seed = plan->seed,
                   .first = plan->first,
                   .shard = plan->shard,
                   .share = player_is_fast(plan->player) ? CREW_MAX_SAMPLES : 1,
                   .self = &run,
                   .wanted = wanted,
                   .take = take,
                   .enough = enough,
                   .arrived = arrived,
                   .tell = tell};
    double start = clock_seconds();
    bool done =
        (!plan->known || judge_know(&judge, plan->known, plan->games, error)) && judge_run(&judge, error);
    playing->score = (Score *)(void *)judge.sample;
    playing->interrupted = judge.interrupted;
    if (judge.interrupted || plan->gaps)
        close_up(playing, judge.room, plan->gaps);
    else
        playing->games = run.taken;
    playing->precise = plan->games == 0 && run.ended >= run.need;
    playing->pieces = run.pieces;
    playing->seconds = clock_seconds() - start;
    return done;
}

void playing_free(Playing *playing) {
    free(playing->score);
    playing->score = NULL;
}
