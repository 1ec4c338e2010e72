// SPDX-License-Identifier: GPL-3.0-or-later
// Memory to search in: each thread takes a room, works in it alone and gives it back as it is, with whatever
// it wants to find again. Games allocate nothing as long as one thread plays at a time.
#ifndef TETRALAB_PLAYER_ROOMS_H
#define TETRALAB_PLAYER_ROOMS_H

#include <stddef.h>

typedef struct Rooms Rooms;

// -> size  of a room, in bytes. -> empty  frees what a room holds, at the end; NULL: nothing
// <- with one room; NULL: out of memory
Rooms *rooms_new(size_t size, void (*empty)(void *room));
void rooms_free(Rooms *rooms); // those that were given back; may be NULL
// <- all zero if it is new; for vectors of any size. NULL: out of memory
void *rooms_take(Rooms *rooms);
void rooms_give(Rooms *rooms, void *room); // may be NULL

#endif
