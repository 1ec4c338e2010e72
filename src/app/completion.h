// SPDX-License-Identifier: GPL-3.0-or-later
// What a shell completes: commands, options, the words of their arguments, names of strategies, files.
#ifndef TETRALAB_APP_COMPLETION_H
#define TETRALAB_APP_COMPLETION_H

#include "base/error.h"

// Writes a script for bash to the standard output, from the tables of all commands.
bool completion_bash(Error *error);

#endif
