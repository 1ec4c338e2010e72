// SPDX-License-Identifier: GPL-3.0-or-later
#include "game/match.h"

const char *const match_sequence_words[] = {"same", "own", NULL};

bool match_is_alive(const Match *match, int seat) {
    return match->game[seat].state != GAME_OVER;
}

// <- rows removed; a move that ends the game removes none
static int play_move(Match *match, int s, Placement move) {
    Game *game = &match->game[s];
    uint64_t pieces = game->pieces;
    Landing landing = {0};
    if (move < 0)
        game_end(game);
    else
        game_move(game, match->rules, move, &landing);
    match->seat[s].late = move == MATCH_LATE;
    if (game->pieces == pieces)
        return 0;
    match->seat[s].moves[landing.lines]++;
    return landing.lines;
}

static void receive(Match *match, int s, const Attack *attack) {
    Seat *seat = &match->seat[s];
    if (!attack_push(&match->game[s], match->rules, attack))
        return;
    seat->received += (uint64_t)attack->count;
    seat->cells += (uint64_t)attack_cells(attack);
}

static void find_end(Match *match) {
    int alive = 0;
    bool pieces_left = true;
    for (int s = 0; s < match->seats; s++)
        if (match_is_alive(match, s)) {
            alive++;
            match->winner = s;
            pieces_left &= match->game[s].state == GAME_RUNNING;
        }
    if (alive == 1 && match->seats > 1) {
        match->end = MATCH_WON;
        return;
    }
    match->winner = -1;
    if (alive == 0)
        match->end = MATCH_DRAWN;
    else if (!pieces_left)
        match->end = MATCH_LIMIT;
}

void match_start(Match *match, const Rules *rules, int seats, MatchSequence sequence, uint64_t seed,
                 uint64_t number) {
    *match = (Match){.rules = rules,
                     .seats = seats,
                     .random = random_stream(seed, number, RANDOM_ATTACK),
                     .end = MATCH_RUNNING,
                     .winner = -1};
    for (int s = 0; s < seats; s++) {
        uint64_t own = seats == 1 ? number : number * MATCH_MAX_SEATS + (uint64_t)s;
        game_start(&match->game[s], rules, seed, sequence == MATCH_SAME ? number : own);
        match->game[s].ties = random_stream(seed, own, RANDOM_TIES);
    }
    find_end(match);
}

void match_round(Match *match, const Placement *move) {
    for (int s = 0; s < match->seats; s++) {
        int lines = match_is_alive(match, s) ? play_move(match, s, move[s]) : 0;
        match->attack[s] = attack_draw(match->seats > 1 ? lines : 0, match->rules->width, &match->random);
        match->seat[s].sent += (uint64_t)match->attack[s].count;
    }
    for (int from = 0; from < match->seats; from++)
        for (int to = 0; to < match->seats; to++)
            if (from != to && match->attack[from].count && match_is_alive(match, to))
                receive(match, to, &match->attack[from]);
    match->rounds++;
    find_end(match);
}
