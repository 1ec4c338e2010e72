// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of boards: those of a text, positions of a recorded game or match in reading order, and its film.
#ifndef TETRALAB_PICTURE_BOARDS_H
#define TETRALAB_PICTURE_BOARDS_H

#include "picture/film.h"

typedef struct BoardsPlan {
    uint64_t from, to; // rounds of a record that are shown: 1, 2, ...; 0 is the empty board
    int cell;          // pixels; 0: as it fits
    int beside;        // boards or rounds beside each other; 0: as it fits
    double speed;      // rounds a second of a film
    bool dark;
} BoardsPlan;

enum { BOARDS_MAX = 400, BOARDS_MAX_FRAMES = 20000, BOARDS_LEAST_CELL = 2, BOARDS_MAX_CELL = 100 };

// The boards of a text (game/board.h), of the size of the widest and highest one. -> name  in sentences
bool boards_scene_text(Scene *scene, const BoardsPlan *plan, const char *name, const char *text,
                       Error *error);
// Rounds from plan->from to plan->to. Fails if these are too many, or there are none.
bool boards_scene_record(Scene *scene, const BoardsPlan *plan, const char *name, const Record *record,
                         Error *error);
// The same as frames. <- the bytes of a GIF file, free() it; NULL: failed
char *boards_film(const BoardsPlan *plan, const char *name, const Record *record, size_t *length,
                  Error *error);

#endif
