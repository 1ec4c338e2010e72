// SPDX-License-Identifier: GPL-3.0-or-later
// What the processes other than 0 do.
#ifndef TETRALAB_MPI_SERVE_H
#define TETRALAB_MPI_SERVE_H

#include <stdbool.h>

#include "base/error.h"

// Takes samples for process 0 until that says it is over. <- false: this process can no longer reach it
bool serve(Error *error);

#endif
