// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/rooms.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

typedef struct Room Room;
struct Room { // lies before what is handed out
    Room *next;
    void *memory;
};
_Static_assert(sizeof(Room) <= ALIGNMENT, "a room begins one step after its head");

struct Rooms {
    size_t size;
    void (*empty)(void *room);
    pthread_mutex_t lock;
    Room *first; // nobody uses them at the moment
};

// Pages that are never written need no memory.
static Room *new_room(size_t size) {
    char *memory = calloc(1, size + 2 * ALIGNMENT);
    if (!memory)
        return NULL;
    Room *room = (Room *)(void *)(memory + (ALIGNMENT - (uintptr_t)memory % ALIGNMENT));
    room->memory = memory;
    return room;
}

static void *inside(Room *room) {
    return (char *)room + ALIGNMENT;
}

Rooms *rooms_new(size_t size, void (*empty)(void *room)) {
    Rooms *rooms = calloc(1, sizeof *rooms);
    if (!rooms || pthread_mutex_init(&rooms->lock, NULL)) {
        free(rooms);
        return NULL;
    }
    rooms->size = size;
    rooms->empty = empty;
    rooms->first = new_room(size);
    if (rooms->first)
        return rooms;
    rooms_free(rooms);
    return NULL;
}

void rooms_free(Rooms *rooms) {
    if (!rooms)
        return;
    for (Room *room = rooms->first, *next; room; room = next) {
        next = room->next;
        if (rooms->empty)
            rooms->empty(inside(room));
        free(room->memory);
    }
    pthread_mutex_destroy(&rooms->lock);
    free(rooms);
}

void *rooms_take(Rooms *rooms) {
    pthread_mutex_lock(&rooms->lock);
    Room *room = rooms->first;
    if (room)
        rooms->first = room->next;
    pthread_mutex_unlock(&rooms->lock);
    room = room ? room : new_room(rooms->size);
    return room ? inside(room) : NULL;
}

void rooms_give(Rooms *rooms, void *given) {
    if (!given)
        return;
    Room *room = (Room *)(void *)((char *)given - ALIGNMENT);
    pthread_mutex_lock(&rooms->lock);
    room->next = rooms->first;
    rooms->first = room;
    pthread_mutex_unlock(&rooms->lock);
}
