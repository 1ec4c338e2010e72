// SPDX-License-Identifier: GPL-3.0-or-later
// The crew of a cluster (measure/crew.h): process 0 hands tasks to all processes, itself included. Each of
// them has a crew of threads. For process 0, in the thread that started MPI; one such crew at a time.
#ifndef TETRALAB_MPI_CREW_MPI_H
#define TETRALAB_MPI_CREW_MPI_H

#include "measure/crew.h"

// -> threads  of each process
Crew *crew_mpi(const CrewKind *kind, const void *context, int threads, Error *error);

bool crew_mpi_was_used(void); // was there ever one?

// Called when a crew is closed and a process does not answer any more; there are no crews after that. NULL:
// nobody is told.
extern void (*crew_mpi_on_loss)(int rank);
int crew_mpi_lost(void); // <- that process, which MPI_Finalize would wait for; 0: there is none

#endif
