// SPDX-License-Identifier: GPL-3.0-or-later
// The time: seconds for measuring, dates for people.
#ifndef TETRALAB_BASE_CLOCK_H
#define TETRALAB_BASE_CLOCK_H

// <- seconds since some moment in the past; it never goes back.
double clock_seconds(void);

// <- this second as "2009-04-01T12:00:00Z"
enum { CLOCK_DATE = 24 };
void clock_date(char out[CLOCK_DATE]);

#endif
