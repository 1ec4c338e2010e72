// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef TETRALAB_BASE_CLOCK_H
#define TETRALAB_BASE_CLOCK_H

// <- seconds since some moment in the past; it never goes back.
double clock_seconds(void);

#endif
