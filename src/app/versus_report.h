// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab versus` says about matches: a table with a sentence below, boards side by side.
#ifndef TETRALAB_APP_VERSUS_REPORT_H
#define TETRALAB_APP_VERSUS_REPORT_H

#include <stdio.h>

#include "app/draw.h"
#include "app/outputs.h"
#include "game/match.h"
#include "tasks/versus.h"

// -> ended  at least one match
void versus_print(FILE *out, const VersusReport *report);

// --csv and --plot, of one VersusReport: a row for each player; wins with their intervals.
TableMaker versus_table;
OutputPlotter versus_plot;

// The boards of a match, side by side. -> names  of the players
// -> moves  of the last round, as draw_game shows them, one for each seat; NULL: the boards after it
void versus_draw(FILE *out, const Match *match, const DrawnMove *moves, const char *const *names);

// "player 2 (bcts) wins after 120 rounds", in one line. -> names  as above
void versus_print_end(FILE *out, const Match *match, const char *const *names);

#endif
