// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of the public interface share: what its handles hold. include/tetralab.h says what they do.
#ifndef TETRALAB_API_API_H
#define TETRALAB_API_API_H

#include <locale.h>
#include <stdint.h>

#include "base/error.h"
#include "feature/kernel.h"
#include "game/position.h"
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

// Free the copy with rules_free.
bool api_copy_rules(tetralab_rules *copy, const tetralab_rules *rules, Error *error);

// The two are the same but for the name; the library writes nothing but characters into either.
_Static_assert(sizeof(tetralab_error) == sizeof(Error), "errors are passed through");
static inline Error *api_error(tetralab_error *error) {
    return (Error *)error;
}

// The host program may have set a locale that writes 1,5 for 1.5. Files and settings never do; so this
// thread, and no other, gets the plain locale while numbers are read or written.
typedef struct PlainLocale {
    locale_t plain, before;
} PlainLocale;

PlainLocale plain_locale_enter(void);
void plain_locale_leave(PlainLocale locale);

// A question about a board as a position: a game that has come that far.
// -> next  letters of the pieces that are known to follow; NULL or "": none
bool api_take_position(Position *position, const tetralab_rules *rules, const uint32_t *columns, char piece,
                       const char *next, Error *error);
// Makes the move, on a position that nothing has been played on, and says what happened.
tetralab_move api_make_move(Game *game, const Rules *rules, Placement placement);
// Can the piece in hand be put there?
bool api_check_placement(const Game *game, const Rules *rules, const tetralab_move *move, Error *error);

#endif
