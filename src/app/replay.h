// SPDX-License-Identifier: GPL-3.0-or-later
// --replay of `play` and `versus`: a recorded game or match (game/record.h), read, checked and shown.
#ifndef TETRALAB_APP_REPLAY_H
#define TETRALAB_APP_REPLAY_H

#include <stdbool.h>

#include "app/app.h"

// A record is shown as it was played: neither strategies nor options that would play otherwise go with it.
bool replay_check_usage(int argc, char **argv, int strategies, Error *error);

// The last boards, or with `steps` those after every round. -> json  a file, or NULL
bool replay_show(const char *path, const char *json, bool steps, Error *error);

#endif
