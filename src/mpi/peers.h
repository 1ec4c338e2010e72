// SPDX-License-Identifier: GPL-3.0-or-later
// Who takes part: the processes of the MPI run introduce themselves to each other.
#ifndef TETRALAB_MPI_PEERS_H
#define TETRALAB_MPI_PEERS_H

#include <stdbool.h>

#include "base/error.h"
#include "mpi/post.h"

// All processes at once, after post_open. All of them get the same answer.
// -> program  name and version; those of all processes must be the same, and so must the form of their
// numbers
// <- false: the error names the process that does not fit
bool peers_meet(const char *program, Error *error);

const char *peers_host(int rank);

// <- threads that each process may have so that no core gets two: the cores of a machine divided among the
// processes
//    on it, the least over all of them, at least 1
int peers_threads(void);

// Tells all others this (MESSAGE_CLOSE or MESSAGE_END) and waits for their MESSAGE_BYE; whatever else comes
// from them is dropped. <- the first process that does not answer in this time, 0: all have
int peers_dismiss(MessageKind kind, uint64_t round, double seconds);

// Did a starter that MPI knows nothing of start this program several times, each for itself?
// <- true: the error says how to start it
bool peers_strangers(Error *error);

#endif
