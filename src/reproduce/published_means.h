// SPDX-License-Identifier: GPL-3.0-or-later
// Published mean lines of the built-in players, found in the definitions: what a measurement is compared
// with.
#ifndef TETRALAB_REPRODUCE_PUBLISHED_MEANS_H
#define TETRALAB_REPRODUCE_PUBLISHED_MEANS_H

#include "game/rules.h"
#include "measure/interval.h"
#include "reproduce/command.h"

// <- the means that papers published of this player under these rules, or without saying which of them: from
//    the lowest to the highest. NAN: there are none, or the definitions are not installed
Interval published_means(const char *strategy, const Rules *rules, CommandSettings *settings);

#endif
