// SPDX-License-Identifier: GPL-3.0-or-later
#include "picture/film.h"

#include <string.h>

#include "game/moves.h"

typedef struct Film {
    FilmEach *each;
    void *context;
    FilmRound round;
    Board before[MATCH_MAX_SEATS]; // boards and pieces at the end of the round before
    int piece[MATCH_MAX_SEATS];
    uint64_t pieces[MATCH_MAX_SEATS], received[MATCH_MAX_SEATS];
} Film;

static void clear_row(uint8_t row[BOARD_COLUMNS]) {
    memset(row, SCENE_EMPTY, BOARD_COLUMNS);
}

// What the round before has announced: full rows go, and nothing is new any more.
static void settle(FilmBoard *board) {
    int to = 0;
    for (int y = 0; y < FILM_ROWS; y++)
        if (!(board->full >> y & 1)) {
            if (to != y)
                memcpy(board->cell[to], board->cell[y], BOARD_COLUMNS);
            to++;
        }
    while (to < FILM_ROWS)
        clear_row(board->cell[to++]);
    memset(board->placed, 0, sizeof board->placed);
    board->full = 0;
}

static void put_piece(FilmBoard *board, const Rules *rules, const Board *before, int piece, Placement move) {
    const Shape *shape = &piece_shape[piece][placement_orientation(move)];
    int row = moves_row(rules, before, piece, move), left = placement_column(move);
    for (int i = 0; i < shape->width; i++)
        for (int k = 0; k < shape->cells[i]; k++) {
            int y = row + shape->bottom[i] + k;
            board->cell[y][left + i] = (uint8_t)(SCENE_PIECE + piece);
            board->placed[left + i] |= 1u << y;
        }
    for (int y = 0; y < FILM_ROWS; y++) {
        bool full = true;
        for (int x = 0; x < rules->width; x++)
            full &= board->cell[y][x] != SCENE_EMPTY;
        board->full |= (uint32_t)full << y;
    }
}

// Rows come in below, the first one first.
static void push_rows(FilmBoard *board, const Attack *attack, int width) {
    for (int k = 0; k < attack->count; k++) {
        memmove(board->cell[1], board->cell[0], sizeof board->cell - sizeof board->cell[0]);
        clear_row(board->cell[0]);
        for (int x = 0; x < width; x++)
            if (attack->row[k] >> x & 1)
                board->cell[0][x] = SCENE_ATTACK;
    }
}

// The attacks of the round: shown with the next one.
static void receive(Film *film, const Match *match, int to) {
    uint64_t rows = match->seat[to].received - film->received[to];
    for (int from = 0; from < match->seats && rows; from++)
        if (from != to && match->attack[from].count) {
            push_rows(&film->round.board[to], &match->attack[from], match->rules->width);
            rows -= (uint64_t)match->attack[from].count;
        }
}

static void play_round(void *context, const Match *match) {
    Film *film = context;
    const Record *record = film->round.record;
    for (int s = 0; s < match->seats && match->rounds; s++)
        if (match->game[s].pieces > film->pieces[s])
            put_piece(&film->round.board[s], match->rules, &film->before[s], film->piece[s],
                      record->move[(match->rounds - 1) * (size_t)match->seats + (size_t)s]);
    film->round.number = match->rounds;
    film->round.match = match;
    film->each(film->context, &film->round);
    for (int s = 0; s < match->seats; s++) {
        settle(&film->round.board[s]);
        receive(film, match, s);
        film->before[s] = match->game[s].board;
        film->piece[s] = match->game[s].piece;
        film->pieces[s] = match->game[s].pieces;
        film->received[s] = match->seat[s].received;
    }
}

void film_play(const Record *record, FilmEach *each, void *context) {
    Film film = {.each = each, .context = context, .round.record = record};
    Match match;
    for (int s = 0; s < record->seats; s++)
        film_board(&film.round.board[s], &(Board){{0}});
    record_play(record, &match, play_round, &film);
}

void film_board(FilmBoard *film, const Board *board) {
    *film = (FilmBoard){.full = 0};
    for (int y = 0; y < FILM_ROWS; y++)
        for (int x = 0; x < BOARD_COLUMNS; x++)
            film->cell[y][x] = board->column[x] >> y & 1 ? SCENE_FILLED : SCENE_EMPTY;
}
