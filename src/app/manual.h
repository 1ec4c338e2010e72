// SPDX-License-Identifier: GPL-3.0-or-later
// Manual pages, in the language of man(7): from the tables and texts that the help comes from.
#ifndef TETRALAB_APP_MANUAL_H
#define TETRALAB_APP_MANUAL_H

#include "app/app.h"

// Each writes a whole page to the standard output.
void manual_program(void);                                                     // tetralab(1)
void manual_cluster(void);                                                     // tetralab-mpi(1)
void manual_command(const Command *command, const OptionSet *sets, int count); // tetralab-COMMAND(1)

#endif
