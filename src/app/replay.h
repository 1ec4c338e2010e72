// SPDX-License-Identifier: GPL-3.0-or-later
// --replay of `play` and `versus`: a recorded game or match (game/record.h), read, checked and shown.
#ifndef TETRALAB_APP_REPLAY_H
#define TETRALAB_APP_REPLAY_H

#include <stdbool.h>

#include "app/app.h"

// Shows the last boards, or with `steps` those after every round. <- exit code
int replay_run(const Arguments *arguments, const char *path, const AppOptions *options, bool steps,
               Error *error);

#endif
