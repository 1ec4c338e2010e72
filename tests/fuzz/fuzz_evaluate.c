// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for the request lines of tetralab evaluate: what is accepted is a vector that can be played.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tasks/request.h"

enum { SIZE = 3 };

static void require(bool fact) {
    if (!fact)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Request request;
    Error error = {""};
    char *text = malloc(size ? size : 1); // its own block: reading past the end is seen
    require(text != NULL);
    memcpy(text, data, size);
    request.seed = request.first = 0;
    request.games = 1;
    bool good = request_parse(&request, text, size, SIZE, &error);
    free(text);
    require(good == (error.text[0] == 0));
    require(strlen(request.id) < JSON_ID);
    require(request.games >= 1 && request.games <= REQUEST_MAX_GAMES);
    for (int i = 0; good && !request.describe && i < SIZE; i++)
        require(isfinite(request.vector[i]));
    if (request.id[0]) { // it is printed as it is: it must be JSON
        json_t *id = json_loads(request.id, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
        require(id && !json_is_object(id) && !json_is_array(id));
        json_decref(id);
    }
    return 0;
}
