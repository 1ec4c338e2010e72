// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a command line names, by the tables of fields that say what becomes of them (base/fields.h).
// Nothing is written over what is read, nor over what another option writes; and a command of somebody else's
// definition writes into its own folder only.
#ifndef TETRALAB_APP_FILES_H
#define TETRALAB_APP_FILES_H

#include "base/options.h"
#include "player/strategy.h"

// Checks all of them, and that those to be written can be, before the work begins.
// <-> quiet  becomes true if one goes to the standard output
// <- exit code
int files_check(const OptionSet *sets, int count, const Arguments *arguments, bool *quiet, Error *error);

// The same for the files that a strategy names: its database, its table. After files_check.
bool files_check_strategy(const Strategy *strategy, Error *error);

// From now on files are written below this folder only. It stays so until the program ends.
void files_confine(const char *folder);

#endif
