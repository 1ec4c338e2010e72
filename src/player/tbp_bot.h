// SPDX-License-Identifier: GPL-3.0-or-later
// A player as a bot of the Tetris Bot Protocol (github.com/tetris-bot-protocol/tbp-spec: 0000 the messages,
// 0001 randomizer, 0003 move_info): lines with JSON messages in, lines out. It drops pieces straight down and
// does not use the hold. Unknown messages and members are ignored, as the protocol asks.
//
// The protocol's board has 40 rows, the rules say how many of them are played in. Where the pile does not fit
// into these, or every move ends the game there, the same strategy plays on a board of 27 rows, the highest
// there is. Above that it gives up: "moves": [].
#ifndef TETRALAB_PLAYER_TBP_BOT_H
#define TETRALAB_PLAYER_TBP_BOT_H

#include <stdio.h>

#include "base/error.h"
#include "player/player.h"

enum { TBP_LINE_LIMIT = 1 << 20 };

typedef struct TbpBot TbpBot;

// -> rules  ten columns wide; used, not copied
// Fails when the strategy cannot be played under these rules.
TbpBot *tbp_bot_new(const Strategy *strategy, const Rules *rules, const Kernel *kernel, Error *error);
void tbp_bot_free(TbpBot *bot);

// The first message, "info". To be written before anything is read.
void tbp_bot_begin(const TbpBot *bot, const char *version, FILE *out);

// One line from the front end; what it asks for is written. A line that is wrong changes nothing.
// <- error  "" or one sentence about the line
// <- false: the front end wants the bot to end
bool tbp_bot_take(TbpBot *bot, const char *line, size_t length, FILE *out, Error *error);

// Puts what the player has learned on the disk (player_flush).
bool tbp_bot_flush(const TbpBot *bot, Error *error);

#endif
