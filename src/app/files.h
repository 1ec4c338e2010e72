// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a command line names, by the tables of fields that say what becomes of them (base/fields.h).
// Nothing is written over what is read, nor over what another option writes; and a command of somebody else's
// definition writes into its own folder only.
#ifndef TETRALAB_APP_FILES_H
#define TETRALAB_APP_FILES_H

#include "base/options.h"
#include "player/player.h"
#include "tasks/journal.h"

// Checks all of them, and that those to be written can be, before the work begins.
// <-> quiet  becomes true if one goes to the standard output
// <- exit code
int files_check(const OptionSet *sets, int count, const Arguments *arguments, bool *quiet, Error *error);

// The same for the files that a strategy names: its database, its table. After files_check.
bool files_check_strategy(const Strategy *strategy, Error *error);

// The player of a measurement in a journal, which may be anybody's: it opens what a strategy may open, and
// starts nothing.
Player *files_player_of_entry(const JournalEntry *entry, const Kernel *kernel, Error *error);

// From now on files are written below this folder only. It stays so until the program ends.
void files_confine(const char *folder);

#endif
