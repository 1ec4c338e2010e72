// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/watched.h"

#include <stdlib.h>
#include <string.h>

#include "player/strategy.h"

static size_t seats_of(const Watched *watched) {
    return (size_t)watched->record.seats;
}

int watched_height(const Watched *watched, size_t round, int seat) {
    return watched->height[round * seats_of(watched) + (size_t)seat];
}

// ---------------------------------------------------------------------------------------------------
// What is kept

// The heights after the last round.
static bool keep_heights(Watched *watched, const Match *match, Error *error) {
    size_t seats = seats_of(watched), needed = ((size_t)match->rounds + 1) * seats;
    if (needed > watched->height_room) {
        size_t room = 2 * needed + 256;
        uint8_t *height = realloc(watched->height, room);
        if (!height)
            return error_set(error, "Out of memory: cannot keep more than %zu rounds.",
                             (size_t)match->rounds);
        watched->height = height;
        watched->height_room = room;
    }
    for (int s = 0; s < match->seats; s++) {
        int height = board_pile_height(&match->game[s].board, match->rules->width);
        watched->height[match->rounds * seats + (size_t)s] = (uint8_t)height;
        if (height > watched->highest[s]) {
            watched->highest[s] = height;
            watched->danger[s] = match->rounds;
        }
    }
    return true;
}

// Keeps the shown round if it is one of those that are; every second one goes when there are too many.
static void keep_point(Watched *watched) {
    if (watched->at != (size_t)watched->points * watched->spacing)
        return;
    if (watched->points == WATCHED_POINTS) {
        for (int i = 1; 2 * i < WATCHED_POINTS; i++)
            watched->point[i] = watched->point[2 * i];
        watched->points = WATCHED_POINTS / 2;
        watched->spacing *= 2;
        if (watched->at != (size_t)watched->points * watched->spacing)
            return;
    }
    watched->point[watched->points++] = watched->shown;
}

// ---------------------------------------------------------------------------------------------------
// Rounds that were played

// Where a record leaves the match undecided, or a limit ends it, its last round is the end all the same.
static void mark_end(Watched *watched) {
    Match *after = &watched->shown.after;
    if (watched->at != watched->record.rounds || after->end != MATCH_RUNNING)
        return;
    after->end = watched->live ? watched->last.end : watched->record.end;
    for (int s = 0; s < after->seats && after->end != MATCH_RUNNING; s++)
        if (match_is_alive(after, s))
            after->game[s].state = GAME_STOPPED;
}

static void show_next(Watched *watched) {
    WatchedRound *shown = &watched->shown;
    size_t seats = seats_of(watched);
    const int8_t *kept = watched->record.move + watched->at * seats;
    Placement move[MATCH_MAX_SEATS];
    for (size_t s = 0; s < seats; s++)
        move[s] = kept[s];
    film_settle(shown->board, &shown->before, &shown->after);
    shown->before = shown->after;
    match_round(&shown->after, move);
    film_put(shown->board, &shown->before, &shown->after, kept);
    watched->at++;
    keep_point(watched);
    mark_end(watched);
}

void watched_seek(Watched *watched, size_t round) {
    if (round > watched->record.rounds)
        round = watched->record.rounds;
    size_t point = round / watched->spacing;
    if (point >= (size_t)watched->points)
        point = (size_t)watched->points - 1;
    if (round < watched->at || point * watched->spacing > watched->at) {
        watched->shown = watched->point[point];
        watched->at = point * watched->spacing;
        mark_end(watched);
    }
    while (watched->at < round)
        show_next(watched);
}

// ---------------------------------------------------------------------------------------------------
// New rounds

bool watched_is_over(const Watched *watched) {
    return watched->at == watched->record.rounds &&
           (!watched->live || watched->last.end != MATCH_RUNNING || watched->last.rounds >= watched->limit);
}

bool watched_is_human(const Watched *watched) {
    return watched->human >= 0 && watched->at == watched->record.rounds && !watched_is_over(watched) &&
           match_is_alive(&watched->last, watched->human);
}

// -> human  the human's move, if there is one who is alive
static bool play_round(Watched *watched, Placement human, Error *error) {
    Placement move[MATCH_MAX_SEATS];
    Match *last = &watched->last;
    for (int s = 0; s < last->seats; s++) {
        move[s] = MATCH_NO_MOVE;
        if (!match_is_alive(last, s))
            continue;
        move[s] = s == watched->human ? human
                                      : player_rank(watched->player[s], &last->game[s], &watched->ranking[s]);
        watched->ranked[s] = s == watched->human ? 0 : watched->at + 1;
    }
    if (!record_add(&watched->record, move, error))
        return false;
    match_round(last, move);
    if (last->end == MATCH_RUNNING && last->rounds >= watched->limit)
        last->end = MATCH_LIMIT;
    if (!keep_heights(watched, last, error))
        return false;
    show_next(watched);
    return true;
}

bool watched_forward(Watched *watched, Error *error) {
    if (watched->at < watched->record.rounds) {
        show_next(watched);
        return true;
    }
    return !watched_is_over(watched) && !watched_is_human(watched) &&
           play_round(watched, MATCH_NO_MOVE, error);
}

bool watched_move(Watched *watched, Placement move, Error *error) {
    return watched_is_human(watched) && play_round(watched, move, error);
}

// ---------------------------------------------------------------------------------------------------
// What players think

int watched_made(const Watched *watched, int seat) {
    if (!watched->at || !match_is_alive(&watched->shown.before, seat))
        return MATCH_NO_MOVE;
    return watched->record.move[(watched->at - 1) * seats_of(watched) + (size_t)seat];
}

// A bot of another program is asked once only: to ask it again would be to put an old board before it.
const Ranking *watched_ranking(Watched *watched, int seat) {
    const Player *player = watched->player[seat];
    const Match *before = &watched->shown.before;
    if (!player || !watched->at || before->game[seat].state != GAME_RUNNING)
        return NULL;
    if (watched->ranked[seat] == watched->at)
        return &watched->ranking[seat];
    if (player_strategy(player)->player == PLAYER_TBP)
        return NULL;
    Game copy = before->game[seat];
    Placement chosen = player_rank(player, &copy, &watched->ranking[seat]);
    if (chosen != PLACEMENT_NONE)
        game_move(&copy, player_rules(player), chosen, NULL);
    player_forget(player, &copy);
    watched->ranked[seat] = watched->at;
    return &watched->ranking[seat];
}

// ---------------------------------------------------------------------------------------------------

static Watched *make(Error *error) {
    Watched *watched = aligned_alloc(_Alignof(Watched), sizeof *watched);
    if (watched) {
        memset(watched, 0, sizeof *watched);
        watched->point = aligned_alloc(_Alignof(WatchedRound), WATCHED_POINTS * sizeof *watched->point);
        watched->spacing = WATCHED_SPACING;
        watched->human = -1;
    }
    if (!watched || !watched->point) {
        error_set(error, "Out of memory: cannot watch a game.");
        free(watched);
        return NULL;
    }
    return watched;
}

static bool show_start(Watched *watched, const Rules *rules, Error *error) {
    const Record *record = &watched->record;
    match_start(&watched->last, rules, record->seats, record->sequence, record->seed, record->number);
    watched->shown.before = watched->shown.after = watched->last;
    for (int s = 0; s < record->seats; s++)
        film_board(&watched->shown.board[s], &(Board){{0}});
    keep_point(watched);
    return keep_heights(watched, &watched->last, error);
}

Watched *watched_new(const WatchedPlan *plan, Error *error) {
    Watched *watched = make(error);
    if (!watched)
        return NULL;
    watched->live = true;
    watched->limit = plan->limit;
    for (int s = 0; s < plan->seats; s++) {
        watched->player[s] = plan->player[s];
        if (!plan->player[s])
            watched->human = s;
    }
    if (record_start(&watched->record, plan->rules, plan->seats, plan->name, plan->sequence, plan->seed,
                     plan->number, error) &&
        show_start(watched, plan->rules, error))
        return watched;
    watched_free(watched);
    return NULL;
}

Watched *watched_record(Record *record, const Player *player, Error *error) {
    Watched *watched = make(error);
    if (!watched) {
        record_free(record);
        return NULL;
    }
    watched->record = *record;
    for (int s = 0; s < record->seats; s++)
        watched->player[s] = player;
    bool good = show_start(watched, &watched->record.rules, error);
    while (good && watched->at < watched->record.rounds) {
        show_next(watched);
        good = keep_heights(watched, &watched->shown.after, error);
    }
    if (good) {
        watched->last = watched->shown.after;
        watched_seek(watched, 0);
        return watched;
    }
    watched_free(watched);
    return NULL;
}

void watched_free(Watched *watched) {
    if (!watched)
        return;
    for (int s = 0; s < watched->record.seats && watched->live; s++)
        if (watched->player[s])
            player_forget(watched->player[s], &watched->last.game[s]);
    record_free(&watched->record);
    free(watched->height);
    free(watched->point);
    free(watched);
}
