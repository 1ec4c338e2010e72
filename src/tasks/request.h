// SPDX-License-Identifier: GPL-3.0-or-later
// One line that asks for the score of a vector, as `tetralab evaluate` reads them: a list of numbers, or an
// object
//     {"id": 7, "weights": [...], "seed": 1, "first": 0, "games": 10}    or    {"describe": true}
// in which only "weights" must be there; beside them "recommend": true may stand. docs/evaluate.md explains
// the members.
#ifndef TETRALAB_TASKS_REQUEST_H
#define TETRALAB_TASKS_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/json_place.h"
#include "learn/encoding.h"
#include "learn/scoring.h"

enum { REQUEST_LINE_LIMIT = 1 << 20, REQUEST_MAX_GAMES = SCORING_MAX_GAMES };

typedef struct Request {
    char id[JSON_ID];            // as it stood in the line; "": none
    bool recommend;              // asks what it is worth, not for a score
    bool describe;               // asks what the numbers of a vector are
    uint64_t seed, first, games; // samples first ... first + games - 1 of this seed
    double vector[ENCODING_MAX];
} Request;

// -> request  seed, first and games are filled in: they stay where the line does not give them
// -> size     numbers that the vector must have
// <- false: the error says why; the id is there if it could be read
bool request_parse(Request *request, const char *text, size_t length, int size, Error *error);

#endif
