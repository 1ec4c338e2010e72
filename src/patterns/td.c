// SPDX-License-Identifier: GPL-3.0-or-later
#include "patterns/td.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "game/game.h"
#include "patterns/patterns_file.h"
#include "patterns/patterns_search.h"

enum {
    KEPT = 8,      // boards that a change reaches
    REPORT = 4096, // moves between two reports at least
};
static const double LAST_PART = 0.9; // of the moves, after which the mean of the games is taken

static const Field td_field[] = {
    {"moves", FIELD_WHOLE, FIELD_AT(TdSettings, moves), .preset = 10e6, .least = 1000, .most = 1e15,
     .argument = "N", .help = "How many moves are learned from."},
    {"rate", FIELD_REAL, FIELD_AT(TdSettings, rate), .preset = 0.5, .least = 1e-6, .most = 10,
     .argument = "X", .help = "Share of an error that is put right in the beginning; it falls to 0."},
    {"lambda", FIELD_REAL, FIELD_AT(TdSettings, lambda), .preset = 0.6, .least = 0, .most = 1,
     .argument = "X", .help = "Share of it that also reaches the board before, and so on."},
    {"optimism", FIELD_REAL, FIELD_AT(TdSettings, optimism), .preset = 20, .least = 0, .most = 1000,
     .argument = "X", .help = "Lines that every board is worth before anything is learned."},
};
const Fields td_fields = FIELDS(td_field);

// The last boards of a game, as the places of their patterns.
typedef struct Trace {
    uint32_t place[KEPT][PATTERNS_SHOWN];
    uint64_t count; // boards so far; board k is at k % KEPT
} Trace;

typedef struct Lesson {
    Td *td;
    PatternsSearch search;
    Trace trace;
    double rate; // now
    double lines, last_lines;
    uint64_t reported, since, last_games;
} Lesson;

static void change_numbers(Patterns *patterns, const uint32_t *place, double change) {
    int64_t each = llround(change / patterns->shown);
    for (int i = 0; i < patterns->shown; i++) {
        int64_t number = patterns->number[place[i]] + each;
        patterns->number[place[i]] = (int32_t)(number > PATTERNS_LARGEST    ? PATTERNS_LARGEST
                                               : number < -PATTERNS_LARGEST ? -PATTERNS_LARGEST
                                                                            : number);
    }
}

// -> difference  the target less the value of the last board
static void learn(Lesson *lesson, int64_t difference) {
    Trace *trace = &lesson->trace;
    double change = lesson->rate * (double)difference;
    for (uint64_t k = 1; k <= KEPT && k <= trace->count && change != 0; k++) {
        change_numbers(&lesson->td->patterns, trace->place[(trace->count - k) % KEPT], change);
        change *= lesson->td->settings.lambda;
    }
}

// The target of the board, and the move for the piece in hand. <- false: there is none
static bool look(const Lesson *lesson, const Board *board, int piece, Move *move, int64_t *target) {
    const PieceChances *chances = &lesson->search.chances;
    int64_t value[PIECES] = {0};
    bool any = false;
    for (uint32_t left = chances->possible; left; left &= left - 1) {
        int p = __builtin_ctz(left);
        Move best;
        bool can;
        value[p] = patterns_greedy(&lesson->search, board, p, &best, &can);
        if (p == piece && can) {
            *move = best;
            any = true;
        }
    }
    *target = chances_mean(chances, chances->possible, value);
    return any;
}

static bool goes_on(const Lesson *lesson) {
    const Td *td = lesson->td;
    return td->moves < td->settings.moves && !work_is_stopped(&td->work);
}

// One game; what it teaches is learned at once. <- false: the lesson ended before the game
static bool play(Lesson *lesson, Game *game) {
    Td *td = lesson->td;
    Trace *trace = &lesson->trace;
    int64_t value = 0, target;
    trace->count = 0;
    while (goes_on(lesson)) {
        Move move;
        bool any = look(lesson, &game->board, game->piece, &move, &target);
        lesson->rate = td->settings.rate * (1 - (double)td->moves / (double)td->settings.moves);
        learn(lesson, target - value);
        if (!any)
            return true;
        game_move(game, td->rules, move.placement, NULL);
        td->moves++;
        uint32_t *place = trace->place[trace->count++ % KEPT];
        patterns_find(&td->patterns, &game->board, place);
        value = patterns_sum(&td->patterns, place);
    }
    return false;
}

static void count_game(Lesson *lesson, const Game *game) {
    Td *td = lesson->td;
    td->games++;
    lesson->lines += (double)game->lines;
    lesson->since++;
    if ((double)td->moves >= LAST_PART * (double)td->settings.moves) {
        lesson->last_lines += (double)game->lines;
        lesson->last_games++;
    }
    if (td->moves - lesson->reported < REPORT)
        return;
    Advance advance = {.unit = "moves",
                       .done = td->moves,
                       .wanted = td->settings.moves,
                       .pieces = td->moves,
                       .value = lesson->lines / (double)lesson->since,
                       .precision = NAN};
    work_tell(&td->work, &advance);
    lesson->reported = td->moves;
    lesson->lines = 0;
    lesson->since = 0;
}

// ---------------------------------------------------------------------------------------------------

bool td_check(const Td *td, Error *error) {
    return patterns_check_pieces(&td->rules->pieces, "td", error);
}

static bool begin(Td *td, Error *error) {
    const Rules *rules = td->rules;
    if (!td->start) {
        int shown = patterns_count(rules->width, rules->height);
        td->first = (int32_t)lround(td->settings.optimism * PATTERNS_LINE / shown);
        return patterns_make(&td->patterns, rules->width, rules->height, td->first) ||
               error_set(error, "Out of memory for the patterns.");
    }
    if (!patterns_read(&td->patterns, &td->first, td->start, error))
        return false;
    if (td->patterns.width == rules->width && td->patterns.height == rules->height)
        return true;
    error_set(error, "%.200s is for boards of %dx%d, not for %dx%d.", td->start, td->patterns.width,
              td->patterns.height, rules->width, rules->height);
    patterns_free(&td->patterns);
    return false;
}

bool td_run(Td *td, Error *error) {
    Lesson *lesson = calloc(1, sizeof *lesson);
    Random random = random_stream(td->seed, 0, RANDOM_TD);
    uint64_t seed = random_next(&random); // other games than play has with the same seed
    if (!lesson)
        return error_set(error, "Out of memory for the patterns.");
    if (!begin(td, error)) {
        free(lesson);
        return false;
    }
    td->moves = td->games = 0;
    lesson->td = td;
    lesson->search = (PatternsSearch){.patterns = &td->patterns, .rules = td->rules, .depth = 1};
    chances_make(&lesson->search.chances, &td->rules->pieces);
    while (goes_on(lesson)) {
        Game game;
        game_start(&game, td->rules, seed, td->games);
        if (play(lesson, &game))
            count_game(lesson, &game);
    }
    td->lines = lesson->last_games ? lesson->last_lines / (double)lesson->last_games : NAN;
    free(lesson);
    return true;
}

void td_free(Td *td) {
    patterns_free(&td->patterns);
}
