// SPDX-License-Identifier: GPL-3.0-or-later
#include "picture/film.h"

#include <string.h>

#include "game/moves.h"

typedef struct Film {
    FilmEach *each;
    void *context;
    FilmRound round;
    Match before; // at the end of the round before
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
static void receive(FilmBoard *board, const Match *before, const Match *after, int to) {
    uint64_t rows = after->seat[to].received - before->seat[to].received;
    for (int from = 0; from < after->seats && rows; from++)
        if (from != to && after->attack[from].count) {
            push_rows(board, &after->attack[from], after->rules->width);
            rows -= (uint64_t)after->attack[from].count;
        }
}

void film_put(FilmBoard *board, const Match *before, const Match *after, const int8_t *move) {
    for (int s = 0; s < after->seats; s++)
        if (after->game[s].pieces > before->game[s].pieces)
            put_piece(&board[s], after->rules, &before->game[s].board, before->game[s].piece, move[s]);
}

void film_settle(FilmBoard *board, const Match *before, const Match *after) {
    for (int s = 0; s < after->seats; s++) {
        settle(&board[s]);
        receive(&board[s], before, after, s);
    }
}

static void play_round(void *context, const Match *match) {
    Film *film = context;
    const Record *record = film->round.record;
    if (match->rounds)
        film_put(film->round.board, &film->before, match,
                 record->move + (match->rounds - 1) * (size_t)match->seats);
    film->round.number = match->rounds;
    film->round.match = match;
    film->each(film->context, &film->round);
    film_settle(film->round.board, match->rounds ? &film->before : match, match);
    film->before = *match;
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
