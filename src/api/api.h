// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the public interface share: what its handles hold. include/tetralab.h says what they do.
#ifndef TETRALAB_API_API_H
#define TETRALAB_API_API_H

#include <stdint.h>

#include "base/error.h"
#include "feature/kernel.h"
#include "game/rules.h"
#include "player/player.h"
#include "player/strategy.h"
#include "tetralab.h"

struct tetralab_strategy {
    Strategy strategy;
};

struct tetralab_rules {
    Rules rules;
    uint64_t max_pieces; // UINT64_MAX: no limit
};

struct tetralab_player {
    tetralab_rules rules; // its own copy, which `player` uses
    const Kernel *kernel;
    Player *player;
};

// The two are the same but for the name; the library writes nothing but characters into either.
_Static_assert(sizeof(tetralab_error) == sizeof(Error), "errors are passed through");
static inline Error *api_error(tetralab_error *error) {
    return (Error *)error;
}

#endif
