// SPDX-License-Identifier: GPL-3.0-or-later
// Learning what boards are worth by temporal differences, TD(lambda) (Sutton 1988), into tables of patterns
// (patterns/patterns.h). It plays whole games with what it knows so far. After every move the board b has the
// value v(b), and one piece later it is known better:
//
//     t = sum over pieces q of P(q) max over moves a of  lines(a) + v(b after a)       0 where q has no move
//     v(b) <- v(b) + rate (t - v(b))
//
// The mean over all pieces takes the place of the one that came, which makes the target less noisy. The
// numbers of the patterns on b share the change; those of the boards before it get lambda, lambda^2 ... of
// it, seven boards back. The rate falls to 0, so that what is learned last is not forgotten again. In
// the beginning all boards are worth the same, `optimism` lines. Boards that turn out to be worth less sink
// below those that were not tried, which are then tried too; a lost game is worth 0 from the beginning.
//
// Values are mean lines, so games must be short: S and Z alone, hard pieces, low boards. The result depends
// on settings and seed, not on the machine.
#ifndef TETRALAB_PATTERNS_TD_H
#define TETRALAB_PATTERNS_TD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/work.h"
#include "game/rules.h"
#include "patterns/patterns.h"

typedef struct TdSettings {
    uint64_t moves;
    double rate; // in the beginning
    double lambda;
    double optimism; // what every board is worth before anything is learned, in lines
} TdSettings;
extern const Fields td_fields;

typedef struct Td {
    // To be filled in.
    const Rules *rules;
    TdSettings settings;
    const char *start; // a file of patterns to begin with; NULL: nothing is known
    uint64_t seed;
    Work work; // unit: moves; value: mean lines of the last games. One thread
    // Made. Free with td_free.
    Patterns patterns;
    int32_t first;         // what the numbers were before
    uint64_t moves, games; // fewer moves than wanted: it was stopped
    double lines;          // mean of the games in the last tenth of the moves, while it still learned
} Td;

// Can anything be learned under these rules?
bool td_check(const Td *td, Error *error);
// Stopped, it keeps what was learned until then.
bool td_run(Td *td, Error *error);
void td_free(Td *td);

#endif
