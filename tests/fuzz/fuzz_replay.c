// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a recorded game. What is accepted must come back from its own text, and can be checked.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "game/replay.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const Replay *replay) {
    Replay again;
    Error error = {""};
    Game game;
    size_t length;
    char *text = replay_to_text(replay, &length, &error);
    if (!text || !replay_parse(&again, "again", text, length, &error))
        abort();
    if (again.length != replay->length ||
        (again.length && memcmp(again.moves, replay->moves, again.length) != 0) ||
        again.pieces != replay->pieces || again.lines != replay->lines || again.state != replay->state ||
        memcmp(again.column, replay->column, sizeof again.column) != 0)
        abort();
    if (!replay_check(replay, &game, &error) && !error.text[0])
        abort();
    replay_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Replay replay;
    Error error = {""};
    if (replay_parse(&replay, "fuzz", (const char *)data, size, &error))
        check(&replay);
    else if (!error.text[0])
        abort();
    replay_free(&replay);
    return 0;
}
