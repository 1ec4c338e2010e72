// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded game or match (game/record.h) round by round, with boards whose cells know their piece. A round
// is shown at the moment when the pieces have come to rest: full rows are still there.
#ifndef TETRALAB_PICTURE_FILM_H
#define TETRALAB_PICTURE_FILM_H

#include "game/record.h"
#include "picture/scene.h"

enum { FILM_ROWS = 32 }; // a piece may rest above the top row

typedef struct FilmBoard {
    uint8_t cell[FILM_ROWS][BOARD_COLUMNS]; // a SceneColour; SCENE_EMPTY: empty
    uint32_t placed[BOARD_COLUMNS];         // the cells of the piece placed in this round, as in a Board
    uint32_t full;                          // rows that are about to be removed
} FilmBoard;

typedef struct FilmRound {
    const Record *record;
    uint64_t number;    // 1, 2, ...; 0: the start
    const Match *match; // after the round: scores, the end
    FilmBoard board[MATCH_MAX_SEATS];
} FilmRound;

// Plays the record. -> each  is called at the start and after every round
typedef void FilmEach(void *context, const FilmRound *round);
void film_play(const Record *record, FilmEach *each, void *context);

// The same by hand, one round after the other, with one board for each seat: what a viewer does, which also
// goes back.
//     film_board(&board[s], &(Board){{0}});              // for every seat, at the start
//     film_put(board, &before, &after, move);            // shows the round
//     film_settle(board, &before, &after);               // and then what is left of it
// The pieces come to rest. -> before, after  the match around the round -> move  as a record keeps them
void film_put(FilmBoard *board, const Match *before, const Match *after, const int8_t *move);
// Full rows go, attack rows come, and nothing is new any more.
void film_settle(FilmBoard *board, const Match *before, const Match *after);

// A board without history: its cells have no piece.
void film_board(FilmBoard *film, const Board *board);

#endif
